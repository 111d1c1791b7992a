// What drivers of lathe's page have in common: a user with a browser, who opens files, presses keys and reads.
// A driver is called with FOLDER_OF_FILES FOLDER_OF_DOWNLOADS [FOLDER_OF_SCREENSHOTS], at the top of the tree.

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./webdriver.mjs";

const PAGE = pathToFileURL(resolve("build/web/lathe.html")).href;
const [files, downloads, shots] = process.argv.slice(2).map((path) => resolve(path));

export const KEY = { enter: "\uE007", escape: "\uE00C", shift: "\uE008", control: "\uE009", left: "\uE012", up: "\uE013", right: "\uE014", down: "\uE015",
  end: "\uE010", home: "\uE011", remove: "\uE017", back: "\uE003", tab: "\uE004" };

export class User {
  /** `options`: of Browser.open. `before`: a script that runs in each page before the page's own. */
  static async begin({ before = "", ...options } = {}) {
    const self = new User();
    self.browser = await Browser.open(options);
    await self.cdp("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: downloads });
    if (before) await self.cdp("Page.addScriptToEvaluateOnNewDocument", { source: before });
    return self;
  }

  /** Does steps one after the other. Returns what each one found, by its name. */
  static async all(steps, width, height, options) {
    const self = await User.begin(options), found = {};
    try {
      await self.browser.resize(width, height);
      for (const [name, step] of Object.entries(steps)) found[name] = await step(self);
      return found;
    } finally {
      await self.browser.close();
    }
  }

  cdp(cmd, params) {
    return this.browser.call("POST", "/goog/cdp/execute", { cmd, params });
  }

  /** Runs a script in the page. */
  run(script, ...args) {
    return this.browser.run(script, ...args);
  }

  log() {
    return this.browser.log();
  }

  // ---- waiting --------------------------------------------------------------------------------------------------

  /** Waits until an expression is true in the page. Returns whether it became true in time. */
  comes(expression, milliseconds) {
    return this.browser.later(`const [text, most, done] = arguments, ends = Date.now() + most, test = new Function("return " + text);
      const wait = () => { if (test()) done(true); else if (Date.now() > ends) done(false); else setTimeout(wait, 10); };
      wait();`, expression, milliseconds);
  }

  async until(expression) {
    if (!(await this.comes(expression, 50000))) throw new Error("waited in vain for: " + expression);
  }

  /** Until the page is not busy, and has drawn. */
  async quiet() {
    await this.until("document.querySelector('#work').getAttribute('aria-busy') !== 'true'");
    await this.browser.later("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))");
  }

  // ---- doing ----------------------------------------------------------------------------------------------------

  /** Goes to the page, and does not wait for lathe. */
  async go(hash = "") {
    await this.browser.go("about:blank");
    await this.browser.go(PAGE + hash);
  }

  async load(hash = "") {
    await this.go(hash);
    await this.until("document.documentElement.dataset.ready");
    await this.quiet();
  }

  async press(...keys) {
    await this.browser.keys(...keys);
    await this.quiet();
  }

  async control(key) {
    await this.browser.hold(KEY.control, key);
    await this.quiet();
  }

  async click(css) {
    await this.browser.click(css);
    await this.quiet();
  }

  /** Types into an element that it focuses. */
  async type(css, text) {
    await this.browser.type(css, text);
  }

  focus(css) {
    return this.run("document.querySelector(arguments[0]).focus()", css);
  }

  /** Picks files for an <input>. */
  async pick(id, ...names) {
    await this.run("document.getElementById(arguments[0]).hidden = false", id);
    await this.browser.type("#" + id, names.map((name) => join(files, name)).join("\n"));
    await this.run("document.getElementById(arguments[0]).hidden = true", id);
    await this.quiet();
  }

  /** Opens files by the button of the page. */
  open(...names) {
    return this.pick("pick-files", ...names);
  }

  panel(name) {
    return this.click("#tab-" + name);
  }

  /** Selects an option of a <select>, by the beginning of its text. */
  async choose(css, text) {
    await this.run(`const at = document.querySelector(arguments[0]), one = [...at.options].find((option) => option.textContent.startsWith(arguments[1]));
      at.value = one.value;
      for (const event of ["input", "change"]) at.dispatchEvent(new Event(event, { bubbles: true }));`, css, text);
    await this.quiet();
  }

  dismiss() {
    return this.run("document.querySelectorAll('.notice .quiet').forEach((one) => one.click())");
  }

  // ---- reading --------------------------------------------------------------------------------------------------

  /** The text of an element that is seen; null: there is none. */
  text(css) {
    return this.run("const at = document.querySelector(arguments[0]); return at ? at.innerText : null", css);
  }

  /** The texts of all that are seen. */
  texts(css) {
    return this.run("return [...document.querySelectorAll(arguments[0])].filter((one) => one.getClientRects().length).map((one) => one.innerText)", css);
  }

  /** The names of the tabs of documents, with "changed" behind those that are. */
  tabs() {
    return this.texts("#tabs .tab");
  }

  /** The path of the selected row. */
  path() {
    return this.run("const at = document.querySelector('.row[aria-selected=true]'); return at && at.dataset.path");
  }

  /** The bytes of a file that was downloaded, as base64. */
  async downloaded(name) {
    const path = join(downloads, name);
    for (let i = 0; i < 500 && !existsSync(path); i++) await new Promise((done) => setTimeout(done, 20));
    return readFileSync(path).toString("base64");
  }

  /** How much wider than the window the page is, in pixels. */
  over() {
    return this.run("return document.documentElement.scrollWidth - innerWidth");
  }

  shot(name) {
    return shots ? this.browser.screenshot(join(shots, name + ".png")) : null;
  }
}
