// Scripts over open files: examples, those that were dropped or picked, and one in the address of the page.

import { button, count, group, make } from "../../ui/elements.js";
import { linkOf, scriptOf } from "./link.js";
import { Results } from "./results.js";
import { Source } from "./source.js";
import { wordsOf } from "./words.js";

const MOST_BYTES = 1 << 20; // of a script
const MOST_OWN = 50;
const LIMITS = [[30000, "30 seconds"], [180000, "3 minutes"], [1200000, "20 minutes"]]; // milliseconds of a run
const EACH = [[10, "10 seconds a file"], [1, "1 second a file"], [60, "1 minute a file"], ["", "No limit for a file"]]; // seconds

const READING = 1000; // milliseconds from a script's arrival to the press that runs it

const SAFE = "Scripts run in the sandbox: they can read and change the files of this page, and reach nothing else.";

class Scripts {
  constructor(app) {
    this.app = app;
    this.examples = [];
    this.own = []; // { name, text, from }
    this.made = new Set(); // names of files that scripts wrote
    this.element = make("div", "scripts");
    this.build();
    app.addScript = (name, bytes) => this.add(name, bytes);
    for (const event of ["opened", "closed", "current"]) app.documents.on(event, () => this.refresh());
    app.on("ready", () => this.load());
    app.on("lost", () => this.made.clear());
    window.addEventListener("hashchange", () => this.fromAddress(true));
  }

  build() {
    this.choice = make("select");
    this.choice.id = "script-choice";
    this.choice.setAttribute("aria-label", "Script");
    this.choice.addEventListener("change", () => this.choose());
    this.file = make("input");
    Object.assign(this.file, { type: "file", accept: ".lua", multiple: true, hidden: true, id: "pick-scripts" });
    this.file.setAttribute("aria-label", "Scripts");
    this.file.addEventListener("change", () => this.picked());
    this.link = button("Copy link", () => this.copy());
    this.link.title = "A link to this page with the script in it";
    this.about = make("div", "script-about");
    this.fields = make("div", "script-fields");
    this.source = new Source();
    this.where = make("select");
    this.where.setAttribute("aria-label", "Files to run on");
    this.limit = make("select");
    this.limit.setAttribute("aria-label", "Time limit of the run");
    for (const [value, label] of LIMITS) this.limit.append(new Option(`At most ${label} in all`, value));
    this.each = make("select");
    this.each.setAttribute("aria-label", "Time limit for each file");
    for (const [value, label] of EACH) this.each.append(new Option(value ? `At most ${label}` : label, value));
    this.preview = button("Preview", () => this.run(true));
    this.preview.id = "script-preview";
    this.go = button("Run", () => this.run(false), "primary");
    this.go.id = "script-run";
    this.stop = button("Stop", () => this.app.stop(), "warn");
    this.stop.title = "Stop what is running. What you changed before stays.";
    this.stop.hidden = true;
    this.bar = make("progress");
    this.bar.setAttribute("aria-label", "Files that are done");
    this.state = make("p", "faint");
    this.state.setAttribute("role", "status");
    this.progress = group("div", "script-progress", this.bar, this.state);
    this.bar.hidden = true;
    this.results = new Results(this.app, (line) => this.source.go(line));
    this.element.append(
      group("div", "buttons", this.choice, button("Open script…", () => this.file.click()), this.link, this.file),
      this.about, this.source.element, this.fields,
      group("div", "buttons", this.where, this.each, this.limit, this.preview, this.go, this.stop), this.progress, this.results.element);
  }

  async load() {
    if (this.examples.length > 0) return;
    try {
      this.examples = (await this.app.call("examples")).result.scripts;
    } catch (error) {
      this.app.fail(error, "The examples cannot be listed");
    }
    this.fill(this.own[0]);
    this.fromAddress();
  }

  // ---- choosing -----------------------------------------------------------------------------------------------

  fill(chosen) {
    const section = (label, list) => {
      const made = make("optgroup");
      made.label = label;
      for (const one of list) {
        const title = one.summary ? `${one.name} – ${one.summary}` : one.from === "address" ? `${one.name} (from the address)` : one.name;
        made.append(new Option(make("span", "", title).textContent, String(this.all().indexOf(one))));
      }
      return made;
    };
    this.choice.replaceChildren(...(this.own.length > 0 ? [section("Your scripts", this.own)] : []), section("Examples", this.examples));
    if (chosen) this.choice.value = String(this.all().indexOf(chosen));
    this.choose();
  }

  all() {
    return [...this.own, ...this.examples];
  }

  get script() {
    return this.all()[Number(this.choice.value)] || null;
  }

  choose() {
    const { script } = this;
    if (!script) return;
    this.results.clear();
    this.tell("");
    this.source.show(script.text, script.from === "address");
    this.describe(script);
    this.ask(script);
    this.refresh();
  }

  describe(script) {
    const lines = [];
    if (script.from === "address") {
      lines.push(make("p", "mark", `This script came with the address of the page, from whoever made the link. Read it first: it runs only when you press Preview or Run. ${SAFE}`));
    } else if (script.from === "file") {
      lines.push(make("p", "faint", `From your file ${script.name}. ${SAFE} Drop it again after you change it.`));
    } else {
      lines.push(make("p", "", script.summary));
      if (script.when) lines.push(make("p", "faint", `When ${script.when}.`));
      if (script.files) lines.push(make("p", "faint", `For ${script.files}.`));
      if (script.note) lines.push(make("p", "faint", script.note));
    }
    this.about.replaceChildren(...lines);
  }

  // Fields for the arguments: one each where they are known.
  ask(script) {
    const known = script.arguments || [{ name: "Arguments", doc: "words between spaces; quotes keep spaces", all: true }];
    this.fields.replaceChildren(...known.map(({ name, doc, all }) => {
      const field = make("input");
      field.type = "text";
      field.spellcheck = false;
      field.dataset.all = all ? "yes" : known.length === 1 && /\.\.\.|…/.test(name) ? "yes" : "";
      field.addEventListener("keydown", (event) => event.key === "Enter" && !this.go.disabled && this.run(true));
      return group("label", "", make("span", "name", name), field, make("span", "faint", doc || ""));
    }));
  }

  words() {
    const fields = [...this.fields.querySelectorAll("input")], words = [];
    for (const field of fields) {
      if (field.dataset.all) words.push(...wordsOf(field.value));
      else words.push(field.value);
    }
    while (words.length > 0 && words[words.length - 1] === "") words.pop();
    return words;
  }

  refresh() {
    const { list, current } = this.app.documents, before = this.where.value;
    this.where.replaceChildren(
      new Option(list.length === 1 ? "The open file" : `All ${list.length.toLocaleString("en")} open files`, "all"),
      ...(current && list.length > 1 ? [new Option(make("span", "", `Only ${current.short}`).textContent, "one")] : []));
    if (before === "one" && list.length > 1) this.where.value = "one";
    this.where.hidden = list.length === 0;
    this.preview.disabled = this.go.disabled = this.running || list.length === 0 || !this.script;
    if (list.length === 0) this.tell("Open the files that the script should run on.");
    else if (!this.running && this.state.textContent.startsWith("Open the files")) this.tell("");
  }

  tell(text) {
    this.state.textContent = make("span", "", text).textContent;
  }

  // ---- scripts of the user --------------------------------------------------------------------------------------

  /** Adds a script of a file, and shows it. It does not run. */
  add(name, bytes, from = "file") {
    if (bytes.length > MOST_BYTES) throw new Error(`${name}: a script may have 1 MiB here`);
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      throw new Error(`${name}: it is not UTF-8 text`);
    }
    this.put({ name, text, from });
  }

  put(script) {
    this.own = [script, ...this.own.filter((one) => one.name !== script.name || one.from !== script.from)].slice(0, MOST_OWN);
    this.fill(script);
    this.app.panels.reveal("scripts");
  }

  async picked() {
    for (const file of [...this.file.files]) {
      try {
        if (file.size > MOST_BYTES) throw new Error(`${file.name}: a script may have 1 MiB here`);
        this.add(file.name, new Uint8Array(await file.arrayBuffer()));
      } catch (error) {
        this.app.say(error.message, "error");
      }
    }
    this.file.value = "";
  }

  // Shows the script of the address. Nothing of it runs. `late`: the page was open already.
  fromAddress(late = false) {
    try {
      const found = scriptOf(location.hash);
      if (found) this.put({ ...found, from: "address", unread: late });
    } catch (error) {
      this.app.say(`The script in the address cannot be read: ${error.message}.`, "error");
    }
  }

  async copy() {
    const { script } = this;
    if (!script) return;
    let link;
    try {
      link = linkOf(script.file || script.name, script.text);
    } catch (error) {
      this.app.say(`No link: ${error.message}.`, "error");
      return;
    }
    const field = make("input");
    Object.assign(field, { type: "text", readOnly: true, value: link, id: "script-link" });
    field.setAttribute("aria-label", "Link with the script");
    const copied = await navigator.clipboard.writeText(link).then(() => true, () => false);
    const local = location.protocol === "file:" ? " It points to the page on this computer: others must replace the part before # with the address of their page." : "";
    this.results.element.replaceChildren(make("p", "", (copied ? "The link is copied." : "Copy the link:") + local), field);
    field.select();
  }

  // ---- running --------------------------------------------------------------------------------------------------

  async run(preview) {
    const { app, script } = this, { list, current } = app.documents;
    if (this.running || !script || list.length === 0 || this.unread(script)) return;
    const docs = this.where.value === "one" && current ? [current] : [...list];
    const limit = Number(this.limit.value), words = this.words();
    let ids;
    const args = () => {
      ids = new Map(docs.filter((doc) => app.documents.list.includes(doc)).map((doc) => [doc.id, doc]));
      const max_seconds = Number(this.each.value) || undefined;
      return { script: script.text, name: script.file || script.name, arguments: words, ids: [...ids.keys()], preview, max_seconds };
    };
    this.begin(docs.length);
    try {
      const before = new Set((await app.call("files")).result.files.map((file) => file.name));
      const { result } = await app.during(app.call("run", args, { limit, onEvent: (event) => this.heard(event) }));
      this.end();
      this.results.show({ ...result, preview, name: script.name, docs: ids });
      await this.files(before);
    } catch (error) {
      this.end();
      if (error.code === "interrupted") this.results.fail(`It was stopped: it took longer than ${limit / 1000} seconds.`, "Files that were done before that stay changed. Choose a longer time above, or run it over fewer files.");
      else if (error.code === "stopped") this.results.fail(`It was stopped: ${error.message}.`, "The messages at the top say what was lost.");
      else this.results.fail(error.message);
    }
  }

  // A page that has opened this one can change the address, and with it the script, just when a button is pressed. So a script
  // that came while the page was open takes a second press, which a double click is not.
  unread(script) {
    const now = performance.now();
    if (!script.unread || (script.warned && now - script.warned > READING)) return false;
    script.warned = script.warned || now;
    this.tell("The address brought this script while the page was open. Read it, then press again.");
    return true;
  }

  begin(total) {
    this.running = true;
    this.results.clear();
    this.stop.hidden = this.bar.hidden = false;
    this.bar.max = total;
    this.bar.value = 0;
    this.tell("Running…");
    this.refresh();
  }

  heard(event) {
    if (event.event !== "progress") return;
    this.bar.value = event.done;
    this.tell(`${(event.done + 1).toLocaleString("en")} of ${count(event.total, "file")}: ${event.name}`);
  }

  end() {
    this.running = false;
    this.stop.hidden = this.bar.hidden = true;
    this.tell("");
    this.refresh();
  }

  async files(before) {
    const { files } = (await this.app.call("files")).result;
    for (const { name, id } of files) if (!before.has(name) && id === undefined && !/\.bak$/.test(name)) this.made.add(name) && this.app.written.add(name);
    this.results.files(files.filter((file) => this.made.has(file.name)));
  }
}

export function scripts(app) {
  return { name: "scripts", title: "Scripts", element: new Scripts(app).element };
}
