// Drives what lathe's page does with files in Chromium as a user would: drops, folders that can be written, kept files, the address; and
// prints what happened as JSON: see user.mjs.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { User } from "./user.mjs";

const [folder] = process.argv.slice(2);
const packed = (name) => readFileSync(join(folder, name)).toString("base64");

// A folder of the File System Access API: what is written to a file is kept in `disk`.
const FOLDER = `window.disk = {}; window.asked = [];
  const fileOf = (name) => ({
    kind: "file", name,
    async getFile() {
      if (!disk[name]) throw new DOMException("A requested file or directory could not be found", "NotFoundError");
      return new File([disk[name].bytes], name, { lastModified: disk[name].time });
    },
    async requestPermission({ mode }) { asked.push(mode); return window.permission || "granted"; },
    async createWritable() {
      let bytes = null;
      return { async write(data) { bytes = data.slice(); }, async close() { disk[name] = { bytes, time: 5 }; } };
    },
  });
  window.showDirectoryPicker = async ({ mode }) => {
    asked.push(mode);
    return { kind: "directory", name: "Mod", async *values() { for (const name of Object.keys(disk)) yield fileOf(name); } };
  };
  window.bytesOf = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  window.textOf = (bytes) => { let out = ""; for (const one of bytes) out += String.fromCharCode(one); return btoa(out); };`;

// Drops files of the disk on the page, as the mouse does.
async function drop(user, ...names) {
  const data = { items: [], files: names.map((name) => join(folder, name)), dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) await user.cdp("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
  await user.until("document.querySelector('#work').getAttribute('aria-busy') === 'true' || document.querySelectorAll('#tabs .tab, .notice').length > 0");
  await user.quiet();
}

const saveOver = async (user) => {
  await user.browser.click("#save-back");
  await user.until("document.querySelector('dialog.ask')");
  const question = await user.text("dialog.ask p");
  await user.run("document.querySelector('dialog.ask .primary').click()");
  await user.until("!document.querySelector('dialog.ask')");
  await user.quiet();
  return question;
};

const steps = {
  async drops(user) {
    await user.load();
    await drop(user, "stock.nif", "wave.hkx", "rock.csg", "notes.txt", "count.lua");
    const found = { tabs: await user.tabs(), notices: await user.texts(".notice p, .notice li"), over: await user.run("return document.body.classList.contains('over')"),
      script: await user.run("return document.getElementById('script-choice').selectedOptions[0].textContent"), kept: await user.text("#kept-files") };
    await user.click("#kept-files");
    found.list = await user.texts(".kept .name");
    await user.shot("files_kept");
    await user.click(".kept li:first-child button:last-child");
    await user.run("document.querySelector('dialog .buttons button').click()");
    found.left = await user.text("#kept-files");
    return found;
  },
  async dropsFolder(user) {
    await user.load();
    await drop(user, "Meshes");
    const whole = await user.run("return [...document.querySelectorAll('#tabs .tab')].map((tab) => tab.title)");
    return { whole, kept: await user.text("#kept-files"), notices: await user.texts(".notice p, .notice li") };
  },
  async savesBack(user) {
    await user.load();
    await user.run("for (const name of ['stock.nif', 'wave.hkx']) disk[name] = { bytes: bytesOf(arguments[0][name]), time: 1 }",
      { "stock.nif": packed("stock.nif"), "wave.hkx": packed("wave.hkx") });
    await user.click("#open-folder");
    await user.until("document.querySelectorAll('#tabs .tab').length === 2");
    await user.quiet();
    const tabs = await user.run("return [...document.querySelectorAll('#tabs .tab')].map((tab) => tab.title)"), found = { tabs, questions: [] };
    await user.click("#tab-prompt");
    const change = async (n) => {
      await user.focus("#prompt-field");
      await user.press(..."doc.max_string_length = " + n, "\uE007");
      await user.until("document.getElementById('prompt-field').value === '' && !document.getElementById('undo').disabled");
    };
    await change(7);
    found.questions.push(await saveOver(user));
    found.bytes = await user.run("return textOf(disk['stock.nif'].bytes)");
    await change(8);
    await user.run("disk['stock.nif'].time = 9");
    found.questions.push(await saveOver(user));
    await change(9);
    await user.run("delete disk['stock.nif']");
    found.questions.push(await saveOver(user));
    found.again = await user.run("return Boolean(disk['stock.nif'])");
    await user.dismiss();
    await change(11);
    await user.run("permission = 'denied'");
    await saveOver(user);
    found.denied = [await user.text(".notice p"), (await user.tabs())[0]];
    found.asked = await user.run("return asked");
    return found;
  },
  // The file is gone before it was read.
  async deleted(user) {
    await user.load();
    await user.run(`disk["a.nif"] = { bytes: new Uint8Array(4), time: 1 };
      const real = showDirectoryPicker;
      window.showDirectoryPicker = async (how) => {
        const folder = await real(how);
        return { ...folder, async *values() { for await (const one of folder.values()) yield { ...one, async getFile() {
          const file = await one.getFile();
          return { name: file.name, size: 4, lastModified: 1, async arrayBuffer() { throw new DOMException("gone", "NotFoundError"); } };
        } }; } };
      };`);
    await user.click("#open-folder");
    await user.until("document.querySelector('.notice.error')");
    return user.texts(".notice.error p, .notice.error li");
  },
  async address(user) {
    const script = (text, name) => `#script=${Buffer.from(text).toString("base64url")}&name=${name}`;
    await user.load(script("return function(doc) doc.max_string_length = 3 end", "one.lua"));
    await user.open("stock.nif");
    await user.run("location.hash = arguments[0]", script("return function(doc) doc.max_string_length = 4 end", "two.lua"));
    await user.until("document.querySelector('.source pre:last-child').textContent.includes('= 4')");
    const found = { choice: await user.run("return document.getElementById('script-choice').selectedOptions[0].textContent"), tabs: await user.tabs() };
    await user.panel("scripts");
    await user.run("[...document.querySelectorAll('.scripts button')].find((one) => one.textContent === 'Copy link').click()");
    await user.until("document.getElementById('script-link')");
    const link = await user.run("return document.getElementById('script-link').value");
    await user.load(link.slice(link.indexOf("#")));
    found.copied = await user.run("return document.querySelector('.source pre:last-child').textContent");
    return found;
  },
  // Two pages know nothing of each other.
  async twice(user) {
    await user.load();
    await user.open("stock.nif");
    const [first] = await user.browser.call("GET", "/window/handles");
    const { handle } = await user.browser.call("POST", "/window/new", { type: "tab" });
    await user.browser.call("POST", "/window", { handle });
    await user.load();
    await user.open("wave.hkx");
    const second = await user.tabs();
    await user.browser.call("DELETE", "/window");
    await user.browser.call("POST", "/window", { handle: first });
    await user.open("stock.nif");
    return { first: await user.tabs(), second, notices: await user.texts(".notice li") };
  },
  log: (user) => user.log(),
};

const out = await User.all(steps, 1200, 800, { before: FOLDER });
console.log(JSON.stringify(out));
