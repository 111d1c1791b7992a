// Drives pages of `lathe view` in Chromium and prints what happened as JSON:
// node drive_view.mjs MODEL.html CLIP.html FIELDS.html [FOLDER_OF_SCREENSHOTS]

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Browser } from "./webdriver.mjs";

const [model, clip, fields, shots] = process.argv.slice(2);
const out = { widths: {} };
const browser = await Browser.open();

// Runs when the page has drawn what it was asked for.
const READY = `const done = arguments[0];
  const wait = () => document.documentElement.dataset.ready ? requestAnimationFrame(() => requestAnimationFrame(() => done(true)))
    : setTimeout(wait, 10);
  wait();`;

// Share of pixels that are not the colour of the first one, in thousandths, and a hash of all.
const PICTURE = `const from = document.querySelector("canvas");
  if (!from) return null;
  const copy = document.createElement("canvas");
  copy.width = from.width; copy.height = from.height;
  const context = copy.getContext("2d");
  context.drawImage(from, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer);
  let hash = 7, other = 0;
  for (const pixel of pixels) { hash = Math.imul(hash ^ pixel, 0x01000193) >>> 0; if (pixel !== pixels[0]) other++; }
  return { hash, filled: Math.round((1000 * other) / pixels.length), width: copy.width };`;

const picture = async () => {
  await browser.later(READY);
  return browser.run(PICTURE);
};

// Does something; returns whether the picture became another one.
async function changes(action) {
  const before = await picture();
  await action();
  return (await picture()).hash !== before.hash;
}

async function show(page, width) {
  await browser.resize(width, 800);
  await browser.go(pathToFileURL(resolve(page)).href);
  await browser.later(READY);
}

const shot = (name) => (shots ? browser.screenshot(`${shots}/${name}.png`) : null);
const text = (css) => browser.run("return document.querySelector(arguments[0]).innerText", css);
const search = async (words) => {
  await browser.type("#search", words);
  await browser.later("setTimeout(arguments[0], 150)");
  const found = await browser.run("return [...document.querySelectorAll('#results button')].map((b) => b.innerText)");
  return { found, status: await text("#found") };
};
const select = (path) => browser.run(`const row = [...document.querySelectorAll("#tree .row")].find((r) => r.dataset.path === arguments[0]);
  row.querySelector(".line").click();`, path);

async function driveModel(width) {
  const did = {};
  await show(model, width);
  did.picture = await picture();
  await shot(`model_${width}`);
  did.wide = await browser.run("return document.documentElement.scrollWidth");
  did.orbit = await changes(() => browser.drag("canvas", 60, 20));
  did.pan = await changes(() => browser.drag("canvas", 30, 30, "mouse", 2));
  did.touch = await changes(() => browser.drag("canvas", -40, 10, "touch"));
  did.zoom = await changes(() => browser.run(`document.querySelector("canvas").dispatchEvent(
    new WheelEvent("wheel", { deltaY: 300, bubbles: true, cancelable: true }))`));
  did.keys = await changes(async () => {
    await browser.run("document.querySelector('canvas').focus()");
    await browser.keys("\uE012");
  });
  did.fit = await changes(() => browser.click(".fit"));
  for (const kind of ["shapes", "collision"]) {
    did[kind] = await changes(() => browser.click(".show-" + kind));
    did[kind + "_again"] = await changes(() => browser.click(".show-" + kind));
  }
  did.highlight = await changes(() => select("blocks[2]"));
  did.about = await text("#where");
  did.theme = await changes(() => browser.click("#theme"));
  did.search = await search("num_vert");
  await browser.click("#results button");
  did.selected = await browser.run("return document.querySelector('#tree [aria-selected=true]').dataset.path");
  did.arrow = await browser.run("return document.activeElement.dataset.path");
  await browser.keys("\uE015");
  did.below = await browser.run("return document.activeElement.dataset.path");
  await browser.click(".fit");
  await browser.run("document.querySelector('.show-collision').click()");
  await browser.later(READY);
  did.pick = await changes(() => browser.drag("canvas", 0, 2));
  did.picked = await browser.run("return document.querySelector('#tree [aria-selected=true]').dataset.path");
  did.inView = await browser.run(`const row = document.querySelector("#tree [aria-selected=true] .line").getBoundingClientRect();
    const list = document.querySelector("#tree").getBoundingClientRect();
    return row.top >= list.top - 1 && row.bottom <= list.bottom + 1;`);
  did.triangle = [await text("#where"), await text("#about")];
  await select("blocks[2].triangles");
  did.mark = await changes(() => select("blocks[2].triangles[1]"));
  did.title = await browser.run("return document.title");
  did.heading = await browser.run("return document.querySelector('h1').textContent");
  did.hacked = await browser.run("return window.hacked === undefined && document.querySelectorAll('img, iframe').length === 0");
  return did;
}

async function driveClip(width) {
  const did = {};
  await show(clip, width);
  did.picture = await picture();
  await shot(`clip_${width}`);
  const set = (time) => browser.run(`const slider = document.querySelector(".time"); slider.value = arguments[0];
    slider.dispatchEvent(new Event("input", { bubbles: true }));`, time);
  did.scrub = await changes(() => set(0.5));
  did.marks = await browser.run("return [...document.querySelectorAll('.mark')].map((mark) => mark.title)");
  await browser.click(".mark");
  did.mark = [await text(".seconds"), await text(".annotation")];
  did.end = await changes(() => set(0));
  did.plays = await changes(async () => {
    await browser.click(".play");
    await browser.later(`const done = arguments[0], at = document.querySelector(".seconds"), from = at.innerText;
      const wait = () => (at.innerText === from ? setTimeout(wait, 10) : done());
      wait();`);
    await browser.click(".play");
  });
  did.skeleton = await changes(() => browser.click(".show-skeleton"));
  return did;
}

const KEY = { tab: "\uE004", enter: "\uE007", shift: "\uE008", escape: "\uE00C", pageUp: "\uE00E", pageDown: "\uE00F", end: "\uE010",
  left: "\uE012", up: "\uE013", right: "\uE014", down: "\uE015" };

// The element with the focus: its class or id; and whether one sees that it has it.
const FOCUS = `const at = document.activeElement, box = at.classList.contains("row") ? at.firstChild : at;
  const { outlineStyle, outlineWidth } = getComputedStyle(box);
  return { at: at === document.body ? "" : at.className || at.id || at.localName, path: at.dataset.path,
    seen: outlineStyle === "solid" && parseFloat(outlineWidth) >= 2 };`;
const focus = () => browser.run(FOCUS);

// Presses Tab until an element has the focus.
async function tabTo(wanted) {
  for (let i = 0; i < 20; i++) {
    await browser.keys(KEY.tab);
    if ((await focus()).at === wanted) return;
  }
  throw new Error(`Tab does not lead to ${wanted}`);
}

async function stops() {
  const list = [];
  for (let i = 0; i < 20; i++) {
    await browser.keys(KEY.tab);
    const { at, seen } = await focus();
    if (at === "") break;
    list.push(seen ? at : at + " unseen");
  }
  return list;
}

// What a user without a mouse does.
async function driveKeys() {
  const did = {}, press = (...keys) => changes(() => browser.keys(...keys));
  await show(model, 1400);
  did.stops = await stops();
  await tabTo("show-collision");
  did.toggle = await press(" ");
  await tabTo("canvas");
  did.turn = await press(KEY.left);
  did.pan = await changes(() => browser.hold(KEY.shift, KEY.up));
  did.zoom = await press("+");
  did.side = await press("1");
  did.fit = await press("f");
  await tabTo("search");
  await browser.keys(..."num_vert");
  await browser.later("setTimeout(arguments[0], 150)");
  await browser.keys(KEY.down);
  did.result = (await focus()).at;
  await browser.keys(KEY.escape);
  did.escaped = [(await focus()).at, await browser.run("return document.querySelector('#search').value")];
  await browser.keys(..."num_vert");
  did.highlight = await press(KEY.enter);
  did.found = await focus();
  did.unmarked = await press(KEY.escape);
  const walk = {};
  for (const key of ["left", "left", "right", "right", "end", "pageUp", "pageDown"]) {
    await browser.keys(KEY[key]);
    walk[`${Object.keys(walk).length + 1} ${key}`] = (await focus()).path;
  }
  await browser.keys(..."block_t");
  walk.typed = (await focus()).path;
  did.walk = walk;
  await show(clip, 1400);
  did.clipStops = await stops();
  await tabTo("time");
  const times = [];
  for (const key of [KEY.right, KEY.pageUp, KEY.left, KEY.end]) {
    await browser.keys(key);
    times.push(await text(".seconds"));
  }
  did.times = times;
  await browser.keys(" ");
  did.playing = await text(".play");
  await browser.keys(" ");
  did.paused = await text(".play");
  await tabTo("mark");
  await browser.keys(KEY.enter);
  did.annotation = [await text(".seconds"), await text(".annotation")];
  did.log = await browser.log();
  return did;
}

// The picture in a page of its own, bundled for it: what its steps find, by name.
async function driveEmbedded() {
  const here = dirname(fileURLToPath(import.meta.url)), modules = resolve("build/viewer/npm/node_modules");
  const { buildSync } = createRequire(join(modules, "x.js"))("esbuild");
  const bundled = buildSync({ entryPoints: [join(here, "embed.js")], bundle: true, write: false, format: "iife", nodePaths: [modules] });
  const page = join(dirname(resolve(model)), "embedded.html");
  writeFileSync(page, "<!doctype html><meta charset=utf-8><link rel=icon href='data:,'><style>div { height: 300px; width: 400px }</style>"
    + `<div></div><div></div><script>${bundled.outputFiles[0].text.replaceAll("</script", "<\\/script")}</script>`);
  const glb = readFileSync(model, "latin1").match(/id="glb-1">([^<]*)</)[1], found = {};
  await browser.go(pathToFileURL(page).href);
  for (const step of ["two", "pick", "last", "broken", "keep", "dispose"]) {
    found[step] = await browser.later("const done = arguments[2]; Promise.resolve(steps[arguments[0]](arguments[1])).then(done)", step, glb);
  }
  found.log = await browser.log();
  return found;
}

try {
  out.embedded = await driveEmbedded();
  out.keys = await driveKeys();
  for (const width of [1400, 400]) {
    const did = { model: await driveModel(width), clip: await driveClip(width) };
    await show(fields, width);
    did.empty = [await text(".picture-message"), await browser.run("return document.querySelectorAll('#tree .row').length")];
    did.log = await browser.log();
    out.widths[width] = did;
  }
  await browser.dark(true);
  await browser.resize(1400, 800);
  await browser.go(pathToFileURL(resolve(model)).href);
  out.dark = await browser.run("return document.documentElement.dataset.theme");
} finally {
  await browser.close();
}

const plain = await Browser.open({ args: ["--disable-3d-apis"] });
try {
  await plain.resize(400, 800);
  await plain.go(pathToFileURL(resolve(model)).href);
  await plain.later(READY);
  out.plain = await plain.run("return [document.querySelector('.picture-message').innerText, document.querySelectorAll('#tree .row').length]");
  if (shots) await plain.screenshot(`${shots}/plain.png`);
} finally {
  await plain.close();
}
console.log(JSON.stringify(out));
