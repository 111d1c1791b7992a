// Drives the panels Change, Findings, Differences and Info of lathe's page in Chromium as a user would, and prints what happened as
// JSON: see user.mjs.

import { KEY, User } from "./user.mjs";

const field = (option, more = "input") => `[data-option="${option}"] ${more}`;
const tab = (user, n) => user.click(`.tab-place:nth-child(${n}) .tab`);

async function saved(user) {
  const name = await user.text("#tabs [aria-selected=true] span");
  await user.control("s");
  return user.downloaded(name);
}

// Chooses a command by the keyboard: its name in the filter, then Enter.
async function choose(user, verb) {
  await user.run("document.querySelector('.verb-side input').focus(); document.querySelector('.verb-side input').select()");
  await user.press(...verb, KEY.enter);
}

const steps = {
  async opens(user) {
    await user.load();
    await user.open("stock.nif", "wave.hkx", "odd.nif", "skeleton.hkx", "cut.nif", "notes.txt");
    await user.panel("change");
    await user.shot("panels_change");
    return { notice: await user.text(".notice.error"), badge: await user.text("#tab-findings .badge"), headings: await user.texts(".verbs h3"), log: await user.log() };
  },
  async refused(user) {
    await user.click(".notice.error button:not(.quiet)");
    await user.shot("panels_refused");
    await user.run("document.querySelector('.refusals details').open = true");
    const focus = await user.run("return document.activeElement.id");
    const told = await user.texts(".refusals .finding");
    await user.dismiss();
    return { told, focus };
  },
  async findings(user) {
    const clean = await user.text(".check > div h3");
    await tab(user, 3);
    const told = await user.texts(".check .findings .finding"), badge = await user.text("#tab-findings .badge");
    await user.click(".check .findings .path");
    await user.shot("panels_findings");
    const at = await user.path();
    await user.click(".check > .buttons button");
    const all = await user.texts(".check > [role=status] .summary, .check > [role=status] h3");
    await tab(user, 1);
    return { clean, told, badge, path: at, all };
  },
  async previews(user) {
    await user.panel("change");
    await choose(user, "materials");
    const listed = await user.text(".form .outcome.query");
    await user.type(field("--set", "input:first-of-type"), "wood");
    await user.type(field("--set", ".pair .enter:last-child input"), "sto");
    await user.quiet();
    const proposed = await user.run("return [...document.activeElement.list.options].map((option) => option.value)");
    await user.browser.keys(..."ne");
    await user.press(KEY.enter);
    await user.shot("panels_preview");
    return { listed, proposed, told: await user.text(".outcome.preview"), tab: (await user.tabs())[0], undo: await user.run("return document.querySelector('#undo').disabled") };
  },
  async applies(user) {
    await user.click(".run .primary");
    await user.shot("panels_applied");
    const made = await user.text(".outcome.applied"), now = await user.text(".form .outcome.query"), notice = await user.text(".notice.note p"), bytes = await saved(user);
    await user.panel("differences");
    const steps = await user.texts(".differences li"), summary = await user.text(".differences .summary");
    await user.shot("panels_differences");
    await user.click(".notice.note button:not(.quiet)");
    const after = [await user.text(".differences .summary"), await user.texts(".differences li")];
    return { made, now, notice, bytes, steps, summary, after };
  },
  async wrong(user) {
    await user.panel("change");
    await choose(user, "set-collision");
    await user.click(".run button:not(.primary)");
    const missing = await user.text(".field-error:not([hidden])");
    await user.choose(field("--kind", "select"), "box");
    await user.run("document.querySelector('.form .more').open = true");
    await user.type(field("--mass"), "heavy");
    await user.click(".run button:not(.primary)");
    const at = await user.run("const at = document.querySelector('.field-error:not([hidden])'); return at && [at.closest('.option').dataset.option, at.innerText]");
    const focus = await user.run("return document.activeElement.closest('.option').dataset.option");
    await user.shot("panels_wrong");
    return { missing, at, focus };
  },
  async exports(user) {
    await tab(user, 2);
    await choose(user, "export");
    await user.click(".run .primary");
    const refused = await user.text(field("--skeleton", ".field-error"));
    await user.choose(field("--skeleton", "select"), "skeleton.hkx");
    await user.click(".run .primary");
    await user.shot("panels_export");
    return { refused, told: await user.text(".outcome"), bytes: await user.downloaded("wave.glb") };
  },
  async renames(user) {
    await user.type("#search", "Wave");
    await user.press(KEY.enter);
    await user.panel("change");
    await choose(user, "rename");
    await user.click(field("--from"));
    await user.until("document.querySelector('[data-option=\"--from\"] option')");
    const known = await user.run("return [...document.querySelectorAll('[data-option=\"--from\"] option')].map((one) => one.value)");
    await user.type(field("--from"), "WaveTop");
    await user.type(field("--to"), "WaveEnd");
    await user.shot("panels_rename");
    await user.click(".run .primary");
    return { known, told: await user.text(".outcome.applied"), bytes: await saved(user) };
  },
  async info(user) {
    await user.panel("info");
    await user.shot("panels_info");
    return user.text("#panel-info");
  },
  async alone(user) {
    return { log: await user.log(), width: await widths(user) };
  },
};

async function widths(user) {
  const found = {};
  await user.panel("change");
  for (const width of [400, 1000, 1800]) {
    await user.browser.resize(width, 800);
    if (width === 400) await user.click("#view-tools");
    found[width] = await user.run("return document.documentElement.scrollWidth");
    await user.shot("panels_" + width);
  }
  return found;
}

const out = await User.all(steps, 1200, 800);
console.log(JSON.stringify(out));
