// Drives the page of lathe in Chromium by touch, on a phone and on a tablet, and prints what happened as JSON: see user.mjs.

import { User } from "./user.mjs";

const row = (path) => `.row[data-path="${path}"]`;
const middle = (user, css) => user.run(`const at = document.querySelector(arguments[0]);
  at.scrollIntoView({ block: "nearest" });
  const box = at.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2, box.width, box.height];`, css);

// Fingers go through places: each step is a list of [x, y], one for each finger.
async function touch(user, ...steps) {
  const send = (type, places) => user.cdp("Input.dispatchTouchEvent", { type, touchPoints: places.map(([x, y], id) => ({ x, y, id })) });
  await send("touchStart", steps[0]);
  for (const places of steps.slice(1)) await send("touchMove", places);
  await send("touchEnd", []);
  await user.quiet();
}

// The click of a tap comes a little later; never, where the browser was so busy that it took the tap for a long press.
async function tap(user, css) {
  const [x, y] = await middle(user, css);
  await user.run("window.tapped = false; addEventListener('click', () => (tapped = true), { capture: true, once: true })");
  for (let times = 0; times < 5; times++) {
    await touch(user, [[x, y]]);
    if (await user.comes("tapped", 5000)) return user.quiet();
  }
  throw new Error("no click came of tapping " + css);
}

// The picture as it is drawn: a digest that differs when the view has turned, come nearer or moved.
async function picture(user) {
  const [x, y, width, height] = await middle(user, "canvas");
  const { data } = await user.cdp("Page.captureScreenshot", { clip: { x: x - width / 2, y: y - height / 2, width, height, scale: 0.25 } });
  return data;
}

// Takes effect in the next page at the latest: a page that does not say its width is wider.
function device(user, width, height) {
  return user.cdp("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: true });
}

async function begin(user, width, height) {
  await device(user, width, height);
  await user.cdp("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 5 });
  await user.load();
  await user.open("stock.nif", "wave.hkx");
}

const steps = {
  async phone(user) {
    await begin(user, 400, 800);
    const found = { over: await user.over() };
    await tap(user, "#tabs .tab-place:nth-child(2) .tab");
    found.tab = await user.text("#facts");
    await tap(user, "#tabs .tab-place:nth-child(1) .tab");
    await tap(user, row("blocks") + " .opener");
    await tap(user, row("max_string_length") + " .name");
    found.row = [await user.path(), await user.text("#detail .where code")];
    await tap(user, row("max_string_length") + " .value");
    await user.until("document.querySelector('.edit-field')");
    found.field = (await middle(user, ".edit-field"))[2] >= 120;
    await user.browser.keys(..."14");
    await tap(user, row("blocks") + " .name"); // leaving the field enters the value
    found.value = await user.text(row("max_string_length") + " .value");
    found.opened = await user.run("return document.querySelectorAll('.row[aria-level=\"2\"]').length");
    await user.shot("touch_fields");
    found.views = [];
    for (const view of ["picture", "tools", "fields"]) {
      await tap(user, "#view-" + view);
      found.views.push(await user.run("return ['fields', 'picture', 'tools'].filter((id) => document.getElementById(id).getClientRects().length > 0)"));
    }
    found.small = await user.run(`return [...document.querySelectorAll("button, select, input")].filter((one) => one.getClientRects().length > 0 && one.offsetHeight < 30 && !["checkbox", "file"].includes(one.type))
      .map((one) => one.className + " " + one.textContent + " " + one.offsetHeight)`);
    return found;
  },
  async scrolls(user) {
    const at = () => user.run("return document.querySelector('#tree').scrollTop");
    const [x, y] = await middle(user, "#tree"), before = await at(), path = await user.path();
    await touch(user, [[x, y]], [[x, y - 40]], [[x, y - 90]], [[x, y - 140]]);
    for (let last = -1, now = await at(); last !== now; last = now, now = await at()) await new Promise((done) => setTimeout(done, 200)); // it glides on
    return { moved: (await at()) - before > 50, same: (await user.path()) === path };
  },
  async picture(user) {
    await tap(user, "#view-picture");
    await user.until("document.querySelector('canvas')");
    const [x, y] = await middle(user, "canvas"), seen = [await picture(user)];
    await touch(user, [[x, y]], [[x + 30, y]], [[x + 60, y + 10]]);
    seen.push(await picture(user));
    await touch(user, [[x - 20, y], [x + 20, y]], [[x - 50, y], [x + 50, y]], [[x - 80, y], [x + 80, y]]);
    seen.push(await picture(user));
    await user.shot("touch_picture");
    return { turns: seen[0] !== seen[1], zooms: seen[1] !== seen[2], stays: await user.run("return visualViewport.scale === 1 && scrollY === 0") };
  },
  async picks(user) {
    await tap(user, "canvas");
    return user.path();
  },
  async tablet(user) {
    await begin(user, 1000, 700);
    const width = () => user.run("return Math.round(document.querySelector('#fields').getBoundingClientRect().width)");
    const [x, y] = await middle(user, "#split-left"), before = await width();
    await touch(user, [[x, y]], [[x + 40, y]], [[x + 100, y]]);
    const [bx, by] = await middle(user, "#split-below"), height = (await middle(user, "#tools"))[3];
    await touch(user, [[bx, by]], [[bx, by - 40]], [[bx, by - 80]]);
    await user.shot("touch_tablet");
    return { wider: (await width()) - before, higher: (await middle(user, "#tools"))[3] - height, over: await user.over() };
  },
  // A picture that was fitted while it was not shown, and one that becomes narrow: nothing is drawn at its left and right edge.
  async fits(user) {
    const edges = () => user.run(`const canvas = document.querySelector("canvas"), copy = document.createElement("canvas");
      [copy.width, copy.height] = [canvas.width, canvas.height];
      const flat = copy.getContext("2d", { willReadFrequently: true });
      flat.drawImage(canvas, 0, 0);
      const found = [0, copy.width - 3].flatMap((x) => [...flat.getImageData(x, 0, 3, copy.height).data]);
      let coloured = 0;
      for (let i = 0; i < found.length; i += 4) coloured += found[i] - found[i + 1] > 10; // red, which the grid is not
      return coloured;`);
    await device(user, 400, 800);
    await user.load();
    await user.open("flat.nif");
    await tap(user, "#view-picture");
    const found = [await edges()];
    for (const width of [1400, 500]) {
      await device(user, width, 800);
      await user.browser.isWide(width);
      await user.quiet();
      found.push(await edges());
      await user.shot("fits_" + width);
    }
    return found;
  },
  log: (user) => user.log(),
};

console.log(JSON.stringify(await User.all(steps, 400, 800)));
