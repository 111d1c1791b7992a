// Drives the page of lathe in Chromium with files at awkward times and with awkward names: see user.mjs.

import { createRequire } from "node:module";
import { resolve } from "node:path";
import { User } from "./user.mjs";

// Lathe starts a second late.
const SLOWLY = `const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (...all) {
    if (all[0].packed) setTimeout(() => post.apply(this, all), 1000);
    else post.apply(this, all);
  };`;

const { unzipSync } = createRequire(resolve("build/viewer/npm/node_modules/x.js"))("fflate");

// The names and sizes of the files of a .zip, in their order; it may have any names.
function listed(base64) {
  const found = [];
  unzipSync(Buffer.from(base64, "base64"), { filter: ({ name, originalSize }) => found.push([name, originalSize]) && false });
  return found;
}

const steps = {
  async early(user) {
    await user.go();
    const started = await user.run("return document.documentElement.dataset.ready !== undefined");
    await user.open("stock.nif");
    return { started, tabs: await user.tabs(), notices: await user.texts(".notice") };
  },
  async zips(user) {
    await user.load();
    await user.open("stock.nif", "__proto__");
    await user.type("#prompt-field", "open 'stock.nif'\n");
    await user.quiet();
    const tabs = await user.tabs();
    await user.click("#save-all");
    return { tabs, zip: listed(await user.downloaded("lathe.zip")), notices: await user.texts(".notice p") };
  },
  // A finding of a file whose tab was closed.
  async closed(user) {
    await user.load();
    await user.open("stock.nif", "odd.nif");
    await user.panel("findings");
    await user.run("[...document.querySelectorAll('.check button')].find((one) => one.textContent === 'Check all open files').click()");
    await user.quiet();
    await user.run("document.querySelectorAll('#tabs .close')[1].click()");
    await user.quiet();
    await user.log();
    await user.run("[...document.querySelectorAll('.finding .path')].find((one) => one.textContent.includes('translation')).click()");
    await user.quiet();
    return { tabs: await user.tabs(), notices: await user.texts(".notice p"), path: await user.path(), log: await user.log() };
  },
  // A model of another program, where nothing else is open; then once more, like what was made of it.
  async imports(user) {
    const make = () => user.click(".run button"), output = ".option[data-option='--output'] input";
    await user.load();
    await user.open("crate.obj");
    const found = { offered: await user.texts(".notice p") };
    await user.click(".notice button");
    found.file = await user.run("return document.querySelector('.option[data-option=file] select').selectedOptions[0].textContent");
    found.files = await user.run("return [...document.querySelectorAll('.option[data-option=file] option')].map((one) => one.textContent)");
    await make();
    found.missing = await user.texts(".field-error");
    await user.type(output, "crate.nif");
    await make();
    found.refused = await user.texts(".problem, .field-error");
    await user.choose(".option[data-option='--game'] select", "skyrim-se");
    await user.shot("import_form");
    await make();
    found.told = await user.texts(".notice p, .notice li");
    found.tabs = await user.tabs();
    found.picture = await user.run("return document.querySelector('canvas') !== null");
    await user.shot("import_made");
    await user.click("#save");
    found.bytes = await user.downloaded("crate.nif");
    await user.dismiss();
    await user.choose(".option[data-option='--game'] select", "");
    await user.choose(".option[data-option='--like'] select", "crate.nif");
    await make();
    found.again = await user.tabs();
    found.log = await user.log();
    return found;
  },
};

console.log(JSON.stringify(await User.all(steps, 1280, 800, { before: SLOWLY })));
