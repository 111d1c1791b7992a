// Drives the page of lathe in Chromium as a user would, and prints what happened as JSON:
// node drive_page.mjs LATHE.html FOLDER_OF_FILES FOLDER_OF_DOWNLOADS [FOLDER_OF_SCREENSHOTS]

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./webdriver.mjs";

const [page, files, downloads, shots] = process.argv.slice(2).map((path) => resolve(path));
const out = {};
const KEY = { enter: "\uE007", escape: "\uE00C", control: "\uE009", left: "\uE012", up: "\uE013", right: "\uE014", down: "\uE015", end: "\uE010",
  home: "\uE011", remove: "\uE017", back: "\uE003", tab: "\uE004" };

// Keeps the workers that the page makes, so that one can die; and what the policy refuses.
const WATCH = `window.workers = []; window.refused = [];
  const Real = Worker;
  window.Worker = class extends Real { constructor(...all) { super(...all); workers.push(this); } };
  document.addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));`;

let browser;
const run = (script, ...args) => browser.run(script, ...args);
const text = (css) => run("const at = document.querySelector(arguments[0]); return at ? at.innerText : null", css);
const texts = (css) => run("return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText)", css);

// Waits until an expression is true in the page.
async function until(expression, what = expression) {
  const done = await browser.later(`const done = arguments[1], ends = Date.now() + 50000, test = new Function("return " + arguments[0]);
    const wait = () => { if (test()) done(true); else if (Date.now() > ends) done(false); else setTimeout(wait, 10); };
    wait();`, expression);
  if (!done) throw new Error("waited in vain for: " + what);
}

// Until the page is not busy, and has drawn.
async function quiet() {
  await until("document.querySelector('#work').getAttribute('aria-busy') !== 'true'", "the end of all calls");
  await browser.later("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))");
}

async function begin(options = {}) {
  browser = await Browser.open(options);
  await browser.call("POST", "/goog/cdp/execute", { cmd: "Page.addScriptToEvaluateOnNewDocument", params: { source: WATCH } });
  await browser.call("POST", "/goog/cdp/execute", { cmd: "Browser.setDownloadBehavior", params: { behavior: "allow", downloadPath: downloads } });
  await load();
}

async function load() {
  await browser.go(pathToFileURL(page).href);
  await until("document.documentElement.dataset.ready");
}

async function open(...names) {
  await run("document.getElementById('pick-files').hidden = false");
  await browser.type("#pick-files", names.map((name) => join(files, name)).join("\n"));
  await run("document.getElementById('pick-files').hidden = true");
  await quiet();
}

const row = (path) => `.row[data-path="${path}"]`;
const path = () => run("const at = document.querySelector('.row[aria-selected=true]'); return at && at.dataset.path");
const focusTree = () => run("document.querySelector('#tree').focus()");

async function press(...keys) {
  await browser.keys(...keys);
  await quiet();
}

// Sets a value by the keyboard; the tree has the focus and the row is selected.
async function enter(value) {
  await browser.keys(KEY.enter);
  await until("document.querySelector('.edit-field')");
  await browser.type(".edit-field", value);
  await press(KEY.enter);
}

async function control(key) {
  await browser.hold(KEY.control, key);
  await quiet();
}

async function downloaded(name) {
  const path = join(downloads, name);
  for (let i = 0; i < 200 && !existsSync(path); i++) await new Promise((done) => setTimeout(done, 20));
  return readFileSync(path).toString("base64");
}

const tabs = () => run("return [...document.querySelectorAll('#tabs .tab')].map((tab) => [tab.innerText, tab.getAttribute('aria-selected') === 'true'])");
const shot = (name) => (shots ? browser.screenshot(join(shots, name + ".png")) : null);

// ---- what a user does -------------------------------------------------------------------------------------------

const steps = {
  async opens() {
    const { ready } = await run("return document.documentElement.dataset");
    await open("stock.nif", "wave.hkx", "notes.txt", "<img src=x onerror=hacked=1>.nif");
    return { started: Number(ready) > 0, tabs: await tabs(), facts: await text("#facts"), notices: await texts(".notice"), title: await run("return document.title"),
      hacked: await run("return window.hacked !== undefined || document.querySelectorAll('img, iframe').length > 0") };
  },
  async keyboard() {
    const walk = [];
    await focusTree();
    await press(KEY.home);
    await press(..."blocks");
    walk.push(await path());
    for (const key of [KEY.right, KEY.right, KEY.down, KEY.right, KEY.right, KEY.down]) {
      await press(key);
      walk.push(await path());
    }
    const active = await run(`const tree = document.activeElement, at = document.getElementById(tree.getAttribute("aria-activedescendant"));
      return { tree: tree.getAttribute("role"), row: at.getAttribute("role"), level: at.getAttribute("aria-level"), of: at.getAttribute("aria-setsize") };`);
    return { walk, active, where: await text("#detail .where code"), drawn: await run("return document.querySelectorAll('.row').length < 80") };
  },
  async edits() {
    const seen = [], look = async () => seen.push([await text(row("blocks[2].name") + " .value"), (await tabs())[0][0].includes("changed")]);
    await look();
    await enter("Chair");
    await look();
    await control("z");
    await look();
    await control("y");
    await look();
    return { seen, undo: await run("return document.querySelector('#undo').title"), focus: await run("return document.activeElement.id") };
  },
  async fixed() {
    await focusTree();
    await press(KEY.home);
    await press(..."header");
    await press(KEY.enter);
    const told = await texts(".notice.note p");
    await run("document.querySelectorAll('.notice .quiet').forEach((one) => one.click())");
    return told;
  },
  async searches() {
    await run("document.querySelector('#search').focus()");
    await browser.keys(..."num_vert");
    await until("document.querySelector('#results button')");
    await quiet();
    const found = [await texts("#results .name"), await text("#found")];
    await press(KEY.enter);
    const went = await path();
    await press(..."shader");
    await control(KEY.enter);
    const target = await path();
    await press(KEY.back);
    return { found, went, target, back: await path() };
  },
  async wrong() {
    await focusTree();
    await press(KEY.home);
    await press(..."max_s");
    await enter("many");
    const message = await text(".edit-error"), field = await run("return document.activeElement.className");
    await press(KEY.escape);
    return { message, field, value: await text(row("max_string_length") + " .value") };
  },
  async saves() {
    await control("s");
    const one = await downloaded("stock.nif");
    const after = await tabs();
    await focusTree();
    await press(KEY.home);
    await press(..."max_s");
    await enter("11");
    await browser.click("#save-all");
    await quiet();
    const { unzipSync } = createRequire(resolve("build/viewer/npm/node_modules/x.js"))("fflate");
    const zip = Object.entries(unzipSync(Buffer.from(await downloaded("lathe.zip"), "base64"))).map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]);
    return { one, after, zip, tabs: await tabs() };
  },
  async picks() {
    await run("document.querySelector('.show-collision').click()");
    await browser.drag("canvas", 0, 1);
    await quiet();
    return { where: await text("#detail .where code"), path: await path(), marked: await run("return !document.querySelector('.fit-selected').disabled") };
  },
  async crashes() {
    await focusTree();
    await press(KEY.home);
    await press(..."max_s");
    await enter("7");
    await run("workers[workers.length - 1].dispatchEvent(new MessageEvent('message', { data: { broken: 'memory access out of bounds' } }))");
    await until("workers.length === 2 && document.querySelector('.notice.warning')");
    await quiet();
    const told = await text(".notice.warning p"), lost = await texts(".notice.warning li");
    await press(KEY.down);
    return { told, lost, tabs: await tabs(), value: await text(row("max_string_length") + " .value") };
  },
  async closes() {
    await run("document.querySelector('#tabs [aria-selected=true]').focus()");
    await press(KEY.remove);
    const left = await tabs();
    return { left, focus: await run("return document.activeElement.getAttribute('role')") };
  },
  async tooLarge() {
    await open("large.nif");
    return { notice: (await texts(".notice.error")).pop() };
  },
  async wide() {
    const widths = {};
    for (const width of [400, 1000, 1800]) {
      await browser.resize(width, 800);
      widths[width] = await run("return document.documentElement.scrollWidth");
      await shot("page_" + width);
    }
    return widths;
  },
  async alone() {
    const log = await browser.log();
    const refused = await browser.later(`const done = arguments[0];
      fetch("http://127.0.0.1:9/").then(() => done("it went out"), () => setTimeout(() => done(refused), 50));`);
    return { log, refused, stored: await run("return document.cookie + JSON.stringify({ ...localStorage })"), asked: await run("return performance.getEntriesByType('resource').map((one) => one.name.slice(0, 5))") };
  },
};

try {
  await begin();
  await browser.resize(1200, 800);
  for (const [name, step] of Object.entries(steps)) out[name] = await step();
} finally {
  if (browser) await browser.close();
}

try {
  await begin({ args: ["--disable-3d-apis"] });
  await browser.resize(400, 800);
  await open("stock.nif");
  await browser.click("#view-picture");
  out.plain = { message: await text(".picture-message"), tabs: await tabs(), rows: await run("return document.querySelectorAll('.row').length"), log: await browser.log() };
} finally {
  await browser.close();
}
console.log(JSON.stringify(out));
