// Drives the prompt and the scripts of lathe's page in Chromium as a user would, and prints what happened as JSON:
// node drive_prompt.mjs LATHE.html FOLDER_OF_FILES [FOLDER_OF_SCREENSHOTS]

import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./webdriver.mjs";

const [page, files, shots] = process.argv.slice(2).map((path) => resolve(path));
const out = {};
const KEY = { enter: "\uE007", escape: "\uE00C", up: "\uE013", down: "\uE015", tab: "\uE004", shift: "\uE008", control: "\uE009" };
const browser = await Browser.open();
const run = (script, ...args) => browser.run(script, ...args);
const texts = (css) => run("return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText)", css);
const value = () => run("return document.getElementById('prompt-field').value");
const shot = (name) => (shots ? browser.screenshot(join(shots, name + ".png")) : null);
const url = pathToFileURL(page).href;

async function until(expression) {
  const done = await browser.later(`const done = arguments[1], ends = Date.now() + 50000, test = new Function("return " + arguments[0]);
    const wait = () => { if (test()) done(true); else if (Date.now() > ends) done(false); else setTimeout(wait, 10); };
    wait();`, expression);
  if (!done) throw new Error("waited in vain for: " + expression);
}

const quiet = () => until("document.querySelector('#work').getAttribute('aria-busy') !== 'true'");

async function load(hash = "") {
  await browser.go("about:blank");
  await browser.go(url + hash);
  await until("document.documentElement.dataset.ready");
  await quiet();
  await run("document.getElementById('tab-prompt').click()");
}

async function pick(id, ...names) {
  await run("document.getElementById(arguments[0]).hidden = false", id);
  await browser.type("#" + id, names.map((name) => join(files, name)).join("\n"));
  await run("document.getElementById(arguments[0]).hidden = true", id);
  await quiet();
}

// Types a line at the prompt; gives what was printed.
async function line(text) {
  const before = (await texts(".prompt-log pre")).length;
  await run("document.getElementById('prompt-field').focus()");
  await browser.keys(...text, KEY.enter);
  await until("document.getElementById('prompt-field').value === ''");
  await quiet();
  return (await texts(".prompt-log pre")).slice(before);
}

async function press(...keys) {
  await browser.keys(...keys);
  await quiet();
}

async function choose(name) {
  await run(`const at = document.getElementById("script-choice"), one = [...at.options].find((option) => option.textContent.startsWith(arguments[0]));
    at.value = one.value; at.dispatchEvent(new Event("change"));`, name);
}

async function pressed(id) {
  await browser.click("#" + id);
  await until("document.querySelector('.script-results').children.length > 0");
  await quiet();
  return { text: (await texts(".script-results"))[0], rows: await texts(".script-results li p") };
}

const encoded = (text) => Buffer.from(text).toString("base64url");

const steps = {
  async prompt() {
    await load();
    await pick("pick-files", "stock.nif", "wave.hkx");
    return {
      shows: await line("doc.blocks[2].name"), changes: await line("doc.blocks[2].name = 'Chair'"), tabs: await texts("#tabs .tab"),
      wrong: await line("doc.blokcs"), loop: [...(await line("for i = 1, 2 do")), ...(await line("print(i)")), ...(await line("end"))],
      undo: await line("undo"), after: await texts("#tabs .tab"),
    };
  },
  async history() {
    await press(KEY.up, KEY.up);
    const twice = await value();
    await press(KEY.down, KEY.down);
    return [twice, await value()];
  },
  async completes() {
    await browser.keys(..."doc.max_s", KEY.tab);
    await until("document.getElementById('prompt-field').value.length > 12");
    const whole = await value();
    await run("const at = document.getElementById('prompt-field'); at.value = 'doc.blocks[2].t'; at.setSelectionRange(15, 15)");
    await press(KEY.tab);
    await until("!document.querySelector('.completion').hidden");
    const list = await texts(".completion [role=option] .name");
    await shot("completion");
    await press(KEY.down, KEY.enter);
    const taken = await value();
    await press(KEY.escape);
    await run("document.getElementById('prompt-field').value = ''");
    return { whole, list, taken };
  },
  async stops() {
    await line("doc.max_string_length = 9");
    await run("document.getElementById('prompt-field').focus()");
    await browser.keys(..."while true do end", KEY.enter);
    await until("[...document.querySelectorAll('.prompt-line .warn')].some((one) => !one.hidden)");
    await browser.click(".prompt-line .warn");
    await until("document.querySelector('.notice.warning')");
    await quiet();
    const lost = await texts(".notice.warning li");
    await until("document.getElementById('prompt-field').value === ''");
    return { lost, works: await line("1 + 1"), tabs: await texts("#tabs .tab") };
  },
  async scripts() {
    await browser.click("#tab-scripts");
    await pick("pick-scripts", "rename.lua");
    const preview = await pressed("script-preview"), unchanged = await texts("#tabs .tab");
    const ran = await pressed("script-run");
    await shot("scripts");
    return { preview, unchanged, ran, tabs: await texts("#tabs .tab") };
  },
  async example() {
    await choose("triangle-counts");
    return { names: await texts(".script-fields .name"), ...(await pressed("script-run")) };
  },
  async address() {
    const text = "-- <b>harmless</b>\rlocal x = 1\nreturn function(doc) doc.max_string_length = 7 end";
    await load(`#script=${encoded(text)}&name=from%20link.lua`);
    const shown = await run("return document.querySelector('.source pre:last-child').textContent"), told = await texts(".script-about");
    const disabled = await run("return document.getElementById('script-run').disabled");
    await pick("pick-files", "stock.nif");
    const before = await texts("#tabs .tab");
    await run("document.getElementById('tab-scripts').click()");
    await shot("address");
    const ran = await pressed("script-run");
    return { shown, told, disabled, before, ran: ran.rows, after: await texts("#tabs .tab"), hacked: await run("return document.querySelectorAll('.source b').length") };
  },
  async hostile() {
    const said = [];
    for (const hash of ["A".repeat(100000), "%00!", encoded(Buffer.from([0xff, 0xfe]))]) {
      await load("#script=" + hash);
      said.push((await texts(".notice.error p"))[0]);
    }
    return said;
  },
  async wide() {
    const widths = {};
    await load();
    await pick("pick-files", "stock.nif");
    for (const name of ["prompt", "scripts"]) for (const width of [400, 1000, 2000]) {
      await browser.resize(width, 800);
      await run("document.getElementById('view-tools').click(); document.getElementById(arguments[0]).click()", "tab-" + name);
      if (name === "prompt") await line("?doc");
      widths[name + width] = await run("return document.documentElement.scrollWidth - innerWidth");
      await shot(`${name}_${width}`);
    }
    return widths;
  },
};

try {
  await browser.resize(1200, 900);
  for (const [name, step] of Object.entries(steps)) out[name] = await step();
  out.log = await browser.log();
} finally {
  await browser.close();
}
console.log(JSON.stringify(out));
