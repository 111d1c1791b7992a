// Drives the page of lathe in Chromium while its workers end at awkward times, and prints what happened as JSON: see user.mjs.

import { readFileSync } from "node:fs";
import { KEY, User } from "./user.mjs";

// Keeps the workers, the requests, and the names of those that were answered. A worker that gets a request called `endAt` ends
// in place of answering it.
const WATCH = `window.workers = []; window.asked = []; window.answered = []; window.endAt = [];
  window.end = (worker = workers.at(-1)) => worker.dispatchEvent(new MessageEvent("message", { data: { broken: "a test" } }));
  const Real = Worker;
  window.Worker = class extends Real {
    constructor(...all) {
      super(...all);
      workers.push(this);
      this.addEventListener("message", ({ data }) => data.reply && answered.push(this.last));
    }
    postMessage(data, more) {
      if (data.request) {
        asked.push(data.request);
        this.last = data.request.name; // one waits for an answer at a time
      }
      if (data.request && data.request.name === endAt[0]) {
        endAt.shift();
        setTimeout(() => end(this));
      } else super.postMessage(data, more);
    }
  };`;

const row = (path) => `.row[data-path="${path}"]`;
const notices = (user) => user.run("return [...document.querySelectorAll('.notice')].map((one) => [one.querySelector('p').innerText, ...[...one.querySelectorAll('li')].map((line) => line.innerText)])");

async function ended(user, workers) {
  await user.until(`workers.length === ${workers}`);
  await user.until("document.querySelector('.notice')");
  await user.quiet();
}

const steps = {
  // Lathe ends again while files are reopened: at its first call, and at the second file.
  async twice(user) {
    await user.load();
    await user.open("stock.nif", "wave.hkx");
    await user.type("#prompt-field", "doc.max_string_length = 9\n");
    await user.until("answered.includes('encode')"); // which keeps the change
    await user.quiet();
    await user.run("endAt = ['about', 'open']; end()");
    await ended(user, 4);
    const told = await notices(user);
    return { told, tabs: await user.tabs(), value: await user.text(row("max_string_length") + " .value") };
  },
  // A value is entered just after lathe ended. The numbers of documents differ in the next worker.
  async waits(user) {
    await user.load();
    await user.open("wave.hkx", "stock.nif", "odd.nif");
    await user.run("document.querySelector('#tabs .close').click()");
    await user.until("document.querySelectorAll('#tabs .tab').length === 2");
    await user.focus("#tree");
    await user.press(KEY.home);
    await user.press(..."max_s");
    await user.browser.keys(KEY.enter);
    await user.until("document.querySelector('.edit-field')");
    await user.run(`const field = document.querySelector(".edit-field");
      field.value = "12";
      end();
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));`);
    await ended(user, 2);
    return { tabs: await user.tabs(), told: await notices(user), value: await user.text(row("max_string_length") + " .value") };
  },
  // A form knows a chosen file, not the number that it had.
  async forms(user) {
    await user.load();
    await user.open("stock.nif", "wave.hkx", "other.hkx");
    await user.run("document.querySelector('#tabs .close').click()");
    await user.until("document.querySelectorAll('#tabs .tab').length === 2");
    await user.panel("change");
    await user.run("document.querySelector('[data-verb=blend]').click()");
    await user.choose(".option[data-option='--other'] select", "other.hkx");
    await user.run("end()");
    await ended(user, 2);
    await user.run("document.querySelectorAll('.option[data-option=\"--weight\"] input').forEach((one) => (one.value = '0.5'))");
    await user.run("document.querySelector('.run button').click()");
    await user.quiet();
    const { args } = await user.run("return asked.filter((one) => one.name === 'apply').pop()");
    return { id: args.id, options: args.options, choice: await user.run("return document.querySelector(\".option[data-option='--other'] select\").selectedOptions[0].textContent") };
  },
  // The same file twice: the second one gets another name when it is opened again.
  async names(user) {
    await user.load();
    await user.open("stock.nif");
    await user.type("#prompt-field", "open 'stock.nif'\n");
    await user.until("document.querySelectorAll('#tabs .tab').length === 2");
    await user.quiet();
    await user.run("end()");
    await ended(user, 2);
    await user.run("document.querySelectorAll('#tabs .tab')[1].click()");
    await user.quiet();
    return { tabs: await user.tabs(), told: await notices(user), rows: await user.run("return document.querySelectorAll('.row').length > 0") };
  },
  log: (user) => user.log(),
};

// A fault in what listens to replies.
async function faulty() {
  const source = readFileSync("bindings/web/page/src/lathe/client.js", "utf8");
  const { Client } = await import("data:text/javascript," + encodeURIComponent(source));
  globalThis.Worker = class {
    postMessage({ request }) {
      const data = request ? { reply: { id: request.id, ok: true, result: request.name }, blobs: [] } : { ready: true };
      setTimeout(() => {
        try {
          this.onmessage({ data });
        } catch {
          // a browser says it at the console
        }
      });
    }
    terminate() {}
  };
  const client = new Client("", {});
  let left = 1;
  client.onReply = () => { if (left-- > 0) throw new Error("a fault"); };
  await client.start();
  const answers = await Promise.all([client.call("one"), client.call("two")]); // node ends with 13 where an answer never comes
  return answers.map(({ result }) => result);
}

const found = await User.all(steps, 1280, 900, { before: WATCH });
console.log(JSON.stringify({ ...found, faulty: await faulty() }));
