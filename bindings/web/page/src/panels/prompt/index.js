// The prompt of the shell: `doc` is the document that is shown, `docs` are all.

import { button, group, make } from "../../ui/elements.js";
import { Completion } from "./completion.js";
import { History } from "./history.js";
import { Log } from "./log.js";

const LIMIT = 15000; // milliseconds of a line
const MARKS = { first: "lathe> ", more: "    .. " };
const SLOW = 300; // milliseconds after which Stop is shown

const WELCOME = "Type Lua, or a field's path: doc shows the current file, doc.NAME one of its fields, doc.NAME = VALUE changes it.\n"
  + "Tab completes, help explains, ?doc.NAME tells about a field, undo takes back.";

class Prompt {
  constructor(app) {
    this.app = app;
    this.history = new History();
    this.log = new Log();
    this.more = false;
    this.work = Promise.resolve();
    this.running = 0;
    this.makeLine();
    this.element = group("div", "prompt", this.log.element, this.line, this.below);
    this.log.add(WELCOME, "note");
    app.documents.on("current", () => this.tellDocument());
    app.documents.on("told", () => this.tellDocument());
    app.on("lost", () => {
      this.more = false;
      this.log.add("Lathe was restarted: the variables of the prompt are gone.", "note");
      this.mark();
    });
    this.mark();
    this.tellDocument();
  }

  makeLine() {
    const field = (this.field = make("textarea", "prompt-field"));
    field.id = "prompt-field";
    field.rows = 1;
    field.spellcheck = false;
    field.setAttribute("aria-label", "A line of Lua for the prompt");
    field.setAttribute("autocapitalize", "off");
    field.setAttribute("autocomplete", "off");
    field.placeholder = "doc";
    this.sign = make("span", "prompt-sign");
    this.sign.setAttribute("aria-hidden", true);
    this.go = button("Run", () => this.enter(), "primary");
    this.stop = button("Stop", () => this.app.stop(), "warn");
    this.stop.title = "Stop what is running. What you changed before stays.";
    this.stop.hidden = true;
    this.hint = make("p", "faint prompt-hint");
    this.hint.setAttribute("role", "status");
    this.completion = new Completion(this.app, field, { changed: () => this.grow(), say: (text) => (this.hint.textContent = text) });
    this.line = group("div", "prompt-line", this.completion.element, this.sign, field, this.go, this.stop);
    const clear = button("Clear", () => this.log.clear(), "quiet");
    clear.title = "Clear what was printed (Ctrl+L)";
    this.below = group("div", "prompt-below", this.hint, clear);
    field.addEventListener("keydown", (event) => this.key(event));
    field.addEventListener("input", () => {
      this.grow();
      if (this.completion.open) this.completion.look(false);
    });
    field.addEventListener("blur", () => this.completion.close());
  }

  // The field is as high as its text, up to eight lines.
  grow() {
    this.field.rows = Math.min(8, this.field.value.split("\n").length);
  }

  mark() {
    this.sign.textContent = this.more ? "  .." : "lathe>";
    this.tellDocument();
  }

  tellDocument() {
    const { current, list } = this.app.documents;
    const all = list.length > 1 ? `, docs has all ${list.length} files` : "";
    const doc = current ? `doc is ${current.short}${all}.` : "No file is open.";
    const rest = this.more ? "The statement goes on; Escape drops it." : "Tab completes; Escape, then Tab leaves the line. Shift+Enter: another line.";
    this.hint.textContent = make("span", "", `${doc} ${rest}`).textContent;
  }

  // ---- keys ---------------------------------------------------------------------------------------------------

  key(event) {
    if (event.isComposing) return;
    if (this.completion.key(event) || this.pressed(event)) event.preventDefault();
    else if (event.key !== "Tab" && event.key !== "Shift") this.leaving = false;
  }

  // Whether the key was handled.
  pressed(event) {
    const { key } = event, { field } = this;
    if (event.ctrlKey && !event.altKey && key.toLowerCase() === "l") this.log.clear();
    else if (event.ctrlKey || event.altKey || event.metaKey) return false;
    else if (key === "Enter" && !event.shiftKey) this.enter();
    else if (key === "Tab" && !event.shiftKey && !this.leaving) this.completion.look(true);
    else if (key === "Escape") this.escape();
    else if (key === "ArrowUp" && !field.value.slice(0, field.selectionStart).includes("\n")) this.recall(-1);
    else if (key === "ArrowDown" && !field.value.slice(field.selectionEnd).includes("\n")) this.recall(1);
    else if (key === "PageUp" || key === "PageDown") this.log.page(key === "PageUp" ? -1 : 1);
    else return false;
    return true;
  }

  recall(by) {
    const line = this.history.step(by, this.field.value);
    if (line !== null) this.set(line);
  }

  set(text) {
    this.field.value = text;
    this.field.setSelectionRange(text.length, text.length);
    this.grow();
  }

  // Drops a statement that waits for more; the next Tab leaves the field.
  async escape() {
    this.leaving = true;
    if (!this.more) return;
    this.more = false;
    this.mark();
    this.log.add("(dropped)", "note");
    await this.app.call("abandon").catch((error) => this.app.fail(error));
  }

  // ---- running ------------------------------------------------------------------------------------------------

  enter() {
    const text = this.field.value;
    this.completion.close();
    this.history.add(text);
    this.set("");
    this.work = this.work.then(() => this.app.during(this.runAll(text.split("\n"))));
  }

  // Runs lines one after the other, as if they were typed. Those behind one that fails are put back.
  async runAll(lines) {
    for (let i = 0; i < lines.length; i++) {
      if (await this.run(lines[i])) continue;
      const rest = lines.slice(i + 1).join("\n");
      if (rest.trim() !== "" && this.field.value === "") {
        this.set(rest);
        this.hint.textContent = "The lines behind the one that failed have not run.";
      }
      return;
    }
  }

  async run(line) {
    const { app, log } = this, mark = this.more ? MARKS.more : MARKS.first;
    log.add(line, "typed", mark);
    const before = new Map(app.documents.list.map((doc) => [doc, doc.changed]));
    const timer = setTimeout(() => this.busy(true), SLOW);
    let done = null;
    try {
      done = (await app.call("prompt", { line, columns: this.columns() }, { doc: app.current, limit: LIMIT })).result;
    } catch (error) {
      log.add(error.code === "stopped" ? "stopped" : "error: " + error.message, "problem");
      this.more = false;
    }
    clearTimeout(timer);
    this.busy(false);
    if (done) {
      this.more = done.more;
      this.print(done);
      await this.keepSaved(before);
    }
    this.mark();
    return done !== null && !done.failed;
  }

  print({ output, failed, interrupted, left }) {
    const text = output.replace(/\n$/, ""), at = failed ? text.search(/^error: /m) : -1;
    const printed = at < 0 ? text : text.slice(0, at).replace(/\n$/, "");
    if (printed !== "") this.log.add(printed, "printed");
    if (at >= 0) this.log.add(text.slice(at), "problem");
    if (interrupted) this.log.add(`A line may take ${LIMIT / 1000} seconds here.`, "note");
    if (left) this.log.add("The prompt stays here: close the tabs of files, or the page.", "note");
  }

  busy(on) {
    this.stop.hidden = !on;
    this.go.hidden = on;
  }

  // save() at the prompt writes to the page's memory: the page keeps these bytes, and says that the user has no file yet.
  async keepSaved(before) {
    const { app } = this;
    for (const doc of app.documents.list) {
      if (doc.changed || (doc.kept && !before.get(doc))) continue;
      try {
        const { blobs } = await app.call("file", { name: doc.name });
        if (doc.kept && (await same(doc.kept, blobs[0]))) continue;
        if (doc.kept) this.log.add(`${doc.short} is saved in this page only. Save (Ctrl+S) gives you the file.`, "note");
        doc.kept = new Blob([blobs[0]]);
      } catch {
        // It was made here and has no file.
      }
    }
  }

  columns() {
    const probe = make("span", "", "0".repeat(20));
    probe.className = "prompt-probe";
    this.log.element.append(probe);
    const width = probe.getBoundingClientRect().width / 20;
    probe.remove();
    const fit = Math.floor((this.log.element.clientWidth - 24) / (width || 8));
    return Math.max(40, Math.min(200, fit));
  }
}

async function same(blob, bytes) {
  if (blob.size !== bytes.length) return false;
  const other = new Uint8Array(await blob.arrayBuffer());
  return other.every((byte, i) => byte === bytes[i]);
}

export function prompt(app) {
  const made = new Prompt(app);
  return { name: "prompt", title: "Prompt", element: made.element };
}
