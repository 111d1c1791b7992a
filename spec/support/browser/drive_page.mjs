// Drives the page of lathe in Chromium as a user would, and prints what happened as JSON: see user.mjs.

import { createRequire } from "node:module";
import { resolve } from "node:path";
import { KEY, User } from "./user.mjs";

// Keeps the workers that the page makes, so that one can die; which calls were answered; and what the policy refuses. With noDrafts
// the page cannot keep what was not saved.
const WATCH = `window.workers = []; window.refused = [];
  const Real = Worker;
  window.answered = [];
  window.Worker = class extends Real {
    constructor(...all) {
      super(...all);
      workers.push(this);
      this.addEventListener("message", ({ data }) => data.reply && answered.push(this.name));
    }
    postMessage(data, more) {
      this.name = data.request && data.request.name;
      if (this.name === "encode" && window.noDrafts) data.request.name = "nothing";
      super.postMessage(data, more);
    }
  };
  document.addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));`;

const row = (path) => `.row[data-path="${path}"]`;
const tabs = (user) => user.run("return [...document.querySelectorAll('#tabs .tab')].map((tab) => [tab.innerText, tab.getAttribute('aria-selected') === 'true'])");

// Sets a value by the keyboard; the tree has the focus and the row is selected.
async function enter(user, value) {
  await user.browser.keys(KEY.enter);
  await user.until("document.querySelector('.edit-field')");
  await user.type(".edit-field", value);
  await user.press(KEY.enter);
}

// ---- what a user does -------------------------------------------------------------------------------------------

const steps = {
  async opens(user) {
    await user.load();
    const { ready } = await user.run("return document.documentElement.dataset");
    await user.open("stock.nif", "wave.hkx", "notes.txt", "<img src=x onerror=hacked=1>.nif");
    return { started: Number(ready) > 0, tabs: await tabs(user), facts: await user.text("#facts"), notices: await user.texts(".notice"), title: await user.run("return document.title"),
      hacked: await user.run("return window.hacked !== undefined || document.querySelectorAll('img, iframe').length > 0") };
  },
  async keyboard(user) {
    const walk = [];
    await user.focus("#tree");
    await user.press(KEY.home);
    await user.press(..."blocks");
    walk.push(await user.path());
    for (const key of [KEY.right, KEY.right, KEY.down, KEY.right, KEY.right, KEY.down]) {
      await user.press(key);
      walk.push(await user.path());
    }
    const active = await user.run(`const tree = document.activeElement, at = document.getElementById(tree.getAttribute("aria-activedescendant"));
      return { tree: tree.getAttribute("role"), row: at.getAttribute("role"), level: at.getAttribute("aria-level"), of: at.getAttribute("aria-setsize") };`);
    return { walk, active, where: await user.text("#detail .where code"), drawn: await user.run("return document.querySelectorAll('.row').length < 80") };
  },
  async edits(user) {
    const seen = [], look = async () => seen.push([await user.text(row("blocks[2].name") + " .value"), (await tabs(user))[0][0].includes("changed")]);
    await look();
    await enter(user, "Chair");
    await look();
    await user.control("z");
    await look();
    await user.control("y");
    await look();
    return { seen, undo: await user.run("return document.querySelector('#undo').title"), focus: await user.run("return document.activeElement.id") };
  },
  async fixed(user) {
    await user.focus("#tree");
    await user.press(KEY.home);
    await user.press(..."header");
    await user.press(KEY.enter);
    const told = await user.texts(".notice.note p");
    await user.run("document.querySelectorAll('.notice .quiet').forEach((one) => one.click())");
    return told;
  },
  async searches(user) {
    await user.run("document.querySelector('#search').focus()");
    await user.browser.keys(..."num_vert");
    await user.until("document.querySelector('#results button')");
    await user.quiet();
    const found = [await user.texts("#results .name"), await user.text("#found")];
    await user.press(KEY.enter);
    const went = await user.path();
    await user.press(..."shader");
    await user.control(KEY.enter);
    const target = await user.path();
    await user.press(KEY.back);
    return { found, went, target, back: await user.path() };
  },
  async wrong(user) {
    await user.focus("#tree");
    await user.press(KEY.home);
    await user.press(..."max_s");
    await enter(user, "many");
    const message = await user.text(".edit-error"), field = await user.run("return document.activeElement.className");
    await user.press(KEY.escape);
    return { message, field, value: await user.text(row("max_string_length") + " .value") };
  },
  async saves(user) {
    await user.control("s");
    const one = await user.downloaded("stock.nif");
    const after = await tabs(user);
    await user.focus("#tree");
    await user.press(KEY.home);
    await user.press(..."max_s");
    await enter(user, "11");
    await user.browser.click("#save-all");
    await user.quiet();
    const { unzipSync } = createRequire(resolve("build/viewer/npm/node_modules/x.js"))("fflate");
    const zip = Object.entries(unzipSync(Buffer.from(await user.downloaded("lathe.zip"), "base64"))).map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]);
    return { one, after, zip, tabs: await tabs(user) };
  },
  async picks(user) {
    await user.run("document.querySelector('.show-collision').click()");
    await user.browser.drag("canvas", 0, 1);
    await user.quiet();
    return { where: await user.text("#detail .where code"), path: await user.path(), marked: await user.run("return !document.querySelector('.fit-selected').disabled") };
  },
  async crashes(user) {
    await user.focus("#tree");
    await user.press(KEY.home);
    await user.press(..."max_s");
    const found = [];
    for (const keeps of [true, false]) {
      await user.dismiss();
      await user.run("answered = []; noDrafts = !arguments[0]", keeps);
      await enter(user, keeps ? "7" : "8");
      await user.until("answered.includes('encode')");
      await user.run("crashed = workers.length; workers[crashed - 1].dispatchEvent(new MessageEvent('message', { data: { broken: 'memory access out of bounds' } }))");
      await user.until("workers.length > crashed && document.querySelector('.notice')");
      await user.quiet();
      await user.press(KEY.down, KEY.up);
      found.push({ told: await user.text(".notice p"), lost: await user.texts(".notice li"), tabs: await tabs(user), value: await user.text(row("max_string_length") + " .value") });
    }
    await user.run("noDrafts = false");
    await user.control("s");
    return found;
  },
  async closes(user) {
    await user.run("document.querySelector('#tabs [aria-selected=true]').focus()");
    await user.press(KEY.remove);
    const left = await tabs(user);
    return { left, focus: await user.run("return document.activeElement.getAttribute('role')") };
  },
  async tooLarge(user) {
    await user.open("large.nif");
    return { notice: (await user.texts(".notice.error")).pop() };
  },
  async wide(user) {
    const widths = {};
    for (const width of [400, 1000, 1800]) {
      await user.browser.resize(width, 800);
      widths[width] = await user.run("return document.documentElement.scrollWidth");
      await user.shot("page_" + width);
    }
    return widths;
  },
  async alone(user) {
    const log = await user.log();
    const refused = await user.browser.later(`const done = arguments[0];
      fetch("http://127.0.0.1:9/").then(() => done("it went out"), () => setTimeout(() => done(refused), 50));`);
    return { log, refused, stored: await user.run("return document.cookie + JSON.stringify({ ...localStorage })"), asked: await user.run("return performance.getEntriesByType('resource').map((one) => one.name.slice(0, 5))") };
  },
};

const out = await User.all(steps, 1200, 800, { before: WATCH });
Object.assign(out, await User.all({
  async plain(user) {
    await user.load();
    await user.open("stock.nif");
    await user.click("#view-picture");
    return { message: await user.text(".picture-message"), tabs: await tabs(user), rows: await user.run("return document.querySelectorAll('.row').length"),
      log: await user.log() };
  },
}, 400, 800, { args: ["--disable-3d-apis"] }));
console.log(JSON.stringify(out));
