// Drives the panels Change, Findings, Differences and Info of lathe's page in Chromium as a user would, and prints what happened as
// JSON: node drive_panels.mjs LATHE.html FOLDER_OF_FILES FOLDER_OF_DOWNLOADS [FOLDER_OF_SCREENSHOTS]

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./webdriver.mjs";

const [page, files, downloads, shots] = process.argv.slice(2).map((path) => resolve(path));
const out = {};
const KEY = { enter: "\uE007", down: "\uE015", right: "\uE014", control: "\uE009" };
const browser = await Browser.open();
const run = (script, ...args) => browser.run(script, ...args);
const text = (css) => run("const at = document.querySelector(arguments[0]); return at ? at.innerText : null", css);
const texts = (css) => run("return [...document.querySelectorAll(arguments[0])].filter((one) => one.offsetParent).map((one) => one.innerText)", css);
const shot = (name) => (shots ? browser.screenshot(join(shots, name + ".png")) : null);

async function until(expression) {
  const done = await browser.later(`const done = arguments[1], ends = Date.now() + 50000, test = new Function("return " + arguments[0]);
    const wait = () => { if (test()) done(true); else if (Date.now() > ends) done(false); else setTimeout(wait, 10); };
    wait();`, expression);
  if (!done) throw new Error("waited in vain for: " + expression);
}

// Until the page is not busy, and has drawn.
async function quiet() {
  await until("document.querySelector('#work').getAttribute('aria-busy') !== 'true'");
  await browser.later("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))");
}

async function press(...keys) {
  await browser.keys(...keys);
  await quiet();
}

async function click(css) {
  await browser.click(css);
  await quiet();
}

async function open(...names) {
  await run("document.getElementById('pick-files').hidden = false");
  await browser.type("#pick-files", names.map((name) => join(files, name)).join("\n"));
  await run("document.getElementById('pick-files').hidden = true");
  await quiet();
}

async function saved() {
  const name = await text("#tabs [aria-selected=true] span");
  await browser.hold(KEY.control, "s");
  await quiet();
  return downloaded(name);
}

async function downloaded(name) {
  const path = join(downloads, name);
  for (let i = 0; i < 300 && !existsSync(path); i++) await new Promise((done) => setTimeout(done, 20));
  return readFileSync(path).toString("base64");
}

const panel = (name) => click("#tab-" + name);
const tab = (n) => click(`.tab-place:nth-child(${n}) .tab`);
const field = (option, more = "input") => `[data-option="${option}"] ${more}`;
const dismiss = () => run("document.querySelectorAll('.notice .quiet').forEach((one) => one.click())");
const path = () => run("const at = document.querySelector('.row[aria-selected=true]'); return at && at.dataset.path");
const selected = async (name) => (await run("return [...document.querySelectorAll('#tabs .tab')].map((tab) => tab.innerText)"))[name];

// Chooses a command by the keyboard: its name in the filter, then Enter.
async function choose(verb) {
  await run("document.querySelector('.verb-side input').focus(); document.querySelector('.verb-side input').select()");
  await press(...verb, KEY.enter);
}

const steps = {
  async opens() {
    await browser.go(pathToFileURL(page).href);
    await until("document.documentElement.dataset.ready");
    await open("stock.nif", "wave.hkx", "odd.nif", "skeleton.hkx", "cut.nif", "notes.txt");
    await shot("panels_change");
    return { notice: await text(".notice.error"), badge: await text("#tab-findings .badge"), headings: await texts(".verbs h3"), log: await browser.log() };
  },
  async refused() {
    await click(".notice.error button:not(.quiet)");
    await shot("panels_refused");
    await run("document.querySelector('.refusals details').open = true");
    const focus = await run("return document.activeElement.id");
    const told = await texts(".refusals .finding");
    await dismiss();
    return { told, focus };
  },
  async findings() {
    const clean = await text(".check > div h3");
    await tab(3);
    const told = await texts(".check .findings .finding"), badge = await text("#tab-findings .badge");
    await click(".check .findings .path");
    await shot("panels_findings");
    const at = await path();
    await click(".check > .buttons button");
    const all = await texts(".check > [role=status] .summary, .check > [role=status] h3");
    await tab(1);
    return { clean, told, badge, path: at, all };
  },
  async previews() {
    await panel("change");
    await choose("materials");
    const listed = await text(".form .outcome");
    await browser.type(field("--set", "input:first-of-type"), "wood");
    await browser.type(field("--set", ".pair .enter:last-child input"), "stone");
    await press(KEY.enter);
    await shot("panels_preview");
    return { listed, told: await text(".outcome.preview"), tab: await selected(0), undo: await run("return document.querySelector('#undo').disabled") };
  },
  async applies() {
    await click(".run .primary");
    await shot("panels_applied");
    const made = await text(".outcome.applied"), notice = await text(".notice.note p"), bytes = await saved();
    await panel("differences");
    const steps = await texts(".differences li"), summary = await text(".differences .summary");
    await shot("panels_differences");
    await click(".notice.note button:not(.quiet)");
    const after = [await text(".differences .summary"), await texts(".differences li")];
    return { made, notice, bytes, steps, summary, after };
  },
  async wrong() {
    await panel("change");
    await choose("set-collision");
    await click(".run button:not(.primary)");
    const missing = await text(".field-error:not([hidden])");
    await run(`const at = document.querySelector(arguments[0]); at.value = "box"; at.dispatchEvent(new Event("input", { bubbles: true }));`, field("--kind", "select"));
    await run("document.querySelector('.form .more').open = true");
    await browser.type(field("--mass"), "heavy");
    await click(".run button:not(.primary)");
    const at = await run("const at = document.querySelector('.field-error:not([hidden])'); return at && [at.closest('.option').dataset.option, at.innerText]");
    const focus = await run("return document.activeElement.closest('.option').dataset.option");
    await shot("panels_wrong");
    return { missing, at, focus };
  },
  async exports() {
    await tab(2);
    await choose("export");
    await click(".run .primary");
    const refused = await text(field("--skeleton", ".field-error"));
    await run(`const at = document.querySelector(arguments[0]);
      at.value = [...at.options].find((one) => one.text === "skeleton.hkx").value; at.dispatchEvent(new Event("change", { bubbles: true }));`, field("--skeleton", "select"));
    await click(".run .primary");
    await shot("panels_export");
    return { refused, told: await text(".outcome"), bytes: await downloaded("wave.glb") };
  },
  async renames() {
    await browser.type("#search", "Wave");
    await press(KEY.enter);
    await panel("change");
    await choose("rename");
    await browser.type(field("--from"), "WaveTop");
    await browser.type(field("--to"), "WaveEnd");
    await shot("panels_rename");
    await click(".run .primary");
    return { told: await text(".outcome"), bytes: await saved() };
  },
  async info() {
    await panel("info");
    await shot("panels_info");
    return text("#panel-info");
  },
  async alone() {
    return { log: await browser.log(), width: await widths() };
  },
};

async function widths() {
  const found = {};
  await panel("change");
  for (const width of [400, 1000, 1800]) {
    await browser.resize(width, 800);
    if (width === 400) await click("#view-tools");
    found[width] = await run("return document.documentElement.scrollWidth");
    await shot("panels_" + width);
  }
  return found;
}

try {
  await browser.call("POST", "/goog/cdp/execute", { cmd: "Browser.setDownloadBehavior", params: { behavior: "allow", downloadPath: downloads } });
  await browser.resize(1200, 800);
  for (const [name, step] of Object.entries(steps)) out[name] = await step();
} finally {
  await browser.close();
}
console.log(JSON.stringify(out));
