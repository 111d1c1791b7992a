// Drives the prompt and the scripts of lathe's page in Chromium as a user would, and prints what happened as JSON: see user.mjs.

import { KEY, User } from "./user.mjs";

const value = (user) => user.run("return document.getElementById('prompt-field').value");

async function load(user, hash) {
  await user.load(hash);
  await user.run("document.getElementById('tab-prompt').click()");
}

// Types a line at the prompt; gives what was printed.
async function line(user, text) {
  const before = (await user.texts(".prompt-log pre")).length;
  await user.focus("#prompt-field");
  await user.browser.keys(...text, KEY.enter);
  await user.until("document.getElementById('prompt-field').value === ''");
  await user.quiet();
  return (await user.texts(".prompt-log pre")).slice(before);
}

async function pressed(user, id) {
  await user.click("#" + id);
  await user.until("document.querySelector('.script-results').children.length > 0");
  await user.quiet();
  return { text: (await user.texts(".script-results"))[0], rows: await user.texts(".script-results li p") };
}

const encoded = (text) => Buffer.from(text).toString("base64url");

const steps = {
  async prompt(user) {
    await load(user);
    await user.open("stock.nif", "wave.hkx");
    return {
      shows: await line(user, "doc.blocks[2].name"), changes: await line(user, "doc.blocks[2].name = 'Chair'"), tabs: await user.tabs(),
      wrong: await line(user, "doc.blokcs"), loop: [...(await line(user, "for i = 1, 2 do")), ...(await line(user, "print(i)")), ...(await line(user, "end"))],
      undo: await line(user, "undo"), after: await user.tabs(),
    };
  },
  async history(user) {
    await user.press(KEY.up, KEY.up);
    const twice = await value(user);
    await user.press(KEY.down, KEY.down);
    return [twice, await value(user)];
  },
  async completes(user) {
    await user.browser.keys(..."doc.max_s", KEY.tab);
    await user.until("document.getElementById('prompt-field').value.length > 12");
    const whole = await value(user);
    await user.run("const at = document.getElementById('prompt-field'); at.value = 'doc.blocks[2].t'; at.setSelectionRange(15, 15)");
    await user.press(KEY.tab);
    await user.until("!document.querySelector('.completion').hidden");
    const list = await user.texts(".completion [role=option] .name");
    await user.shot("completion");
    await user.press(KEY.down, KEY.enter);
    const taken = await value(user);
    await user.press(KEY.escape);
    await user.run("document.getElementById('prompt-field').value = ''");
    return { whole, list, taken };
  },
  async scripts(user) {
    await user.browser.click("#tab-scripts");
    await user.pick("pick-scripts", "rename.lua");
    const preview = await pressed(user, "script-preview"), unchanged = await user.tabs();
    const ran = await pressed(user, "script-run");
    await user.shot("scripts");
    return { preview, unchanged, ran, tabs: await user.tabs() };
  },
  async example(user) {
    await user.choose("#script-choice", "triangle-counts");
    return { names: await user.texts(".script-fields .name"), ...(await pressed(user, "script-run")) };
  },
  // What a script did is over when the worker is ended; what was done before stays.
  async stops(user) {
    await user.run("document.getElementById('tab-prompt').click()");
    await line(user, "doc.max_string_length = 9");
    await user.focus("#prompt-field");
    await user.browser.keys(..."doc.max_string_length = 5; ('x'):rep(1e5):find(('x*'):rep(30) .. 'y')", KEY.enter);
    await user.until("[...document.querySelectorAll('.prompt-line .warn')].some((one) => !one.hidden)");
    await user.browser.click(".prompt-line .warn");
    await user.until("document.querySelector('.notice.warning')");
    await user.quiet();
    const told = [await user.text(".notice.warning p"), ...(await user.texts(".notice.warning li"))];
    await user.until("document.getElementById('prompt-field').value === ''");
    return { told, works: await line(user, "doc.max_string_length, doc.blocks[2].name"), tabs: await user.tabs() };
  },
  // A file at which a script takes too long, or too much memory, fails; the others are done.
  async limits(user) {
    const found = {};
    await user.click("#tab-scripts");
    await user.pick("pick-scripts", "greedy.lua");
    await user.choose("[aria-label='Time limit for each file']", "At most 1 second");
    for (const what of ["loop", "memory"]) {
      await user.run("document.querySelector('.script-fields input').value = arguments[0]", what);
      found[what] = (await pressed(user, "script-run")).rows;
      found[what].push(...(await user.texts(".script-results .problem")));
    }
    await user.shot("scripts_limits");
    await user.run("document.getElementById('tab-prompt').click()");
    found.line = await line(user, "local t = {} while true do t[#t + 1] = ('x'):rep(1e6) .. #t end");
    found.works = await line(user, "1 + 1");
    return found;
  },
  async address(user) {
    const text = "-- <b>harmless</b>\rlocal x = 1\nreturn function(doc) doc.max_string_length = 7 end";
    await user.load(`#script=${encoded(text)}&name=from%20link.lua`);
    const shown = await user.run("return document.querySelector('.source pre:last-child').textContent"), told = await user.texts(".script-about");
    const disabled = await user.run("return document.getElementById('script-run').disabled");
    await user.open("stock.nif");
    const before = await user.tabs();
    await user.run("document.getElementById('tab-scripts').click()");
    await user.shot("address");
    const ran = await pressed(user, "script-run");
    return { shown, told, disabled, before, ran: ran.rows, after: await user.tabs(), hacked: await user.run("return document.querySelectorAll('.source b').length") };
  },
  // The address changes while the page is open, so that a press may be meant for another script.
  async changed(user) {
    const hash = (n) => `#script=${encoded(`return function(doc) doc.max_string_length = ${n} end`)}`;
    await user.load(hash(7));
    await user.open("stock.nif");
    await user.run("location.hash = arguments[0]; document.getElementById('tab-scripts').click()", hash(8));
    await user.until("document.querySelector('.source pre:last-child').textContent.includes('= 8')");
    const press = () => user.run("document.getElementById('script-run').click()");
    await press();
    await press();
    await user.quiet();
    const first = [await user.tabs(), await user.text(".script-progress p")];
    await new Promise((done) => setTimeout(done, 1100));
    await pressed(user, "script-run");
    return { first, second: await user.tabs() };
  },
  async hostile(user) {
    const said = [];
    for (const hash of ["A".repeat(100000), "%00!", encoded(Buffer.from([0xff, 0xfe]))]) {
      await load(user, "#script=" + hash);
      said.push((await user.texts(".notice.error p"))[0]);
    }
    return said;
  },
  async wide(user) {
    const widths = {};
    await load(user);
    await user.open("stock.nif");
    for (const name of ["prompt", "scripts"]) for (const width of [400, 1000, 2000]) {
      await user.browser.resize(width, 800);
      await user.run("document.getElementById('view-tools').click(); document.getElementById(arguments[0]).click()", "tab-" + name);
      if (name === "prompt") await line(user, "?doc");
      widths[name + width] = await user.run("return document.documentElement.scrollWidth - innerWidth");
      await user.shot(`${name}_${width}`);
    }
    return widths;
  },
  log: (user) => user.log(),
};

const out = await User.all(steps, 1200, 900);
console.log(JSON.stringify(out));
