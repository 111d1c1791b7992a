// The form of a command, made from the options that it declares.

import { button, count, group, make } from "../../ui/elements.js";
import { control, sent } from "./controls.js";
import { downloaded, outcome } from "./outcome.js";

const FEW = 7; // options that are shown without being asked for
const LIMIT = 60000;

// In which option an error is: the one that it names, or the only one whose value it quotes.
function blamed(message, controls) {
  const word = (name) => new RegExp(`(^|[\\s'"(])${name.replace(/[^\w-]/g, "\\$&")}(?![\\w-])`);
  const named = controls.find(({ option }) => option.name.startsWith("--") && word(option.name).test(message))
    || controls.find(({ option: { name } }) => !name.startsWith("--") && new RegExp(`\\bthe ${name}\\b|^${name} `).test(message));
  if (named) return named;
  const quotes = (one) => message.includes(`'${one}'`) || message.startsWith(`${one}: `);
  const quoted = controls.filter(({ value }) => [value()].flat().some((one) => one !== undefined && one !== true && quotes(one)));
  return quoted.length === 1 ? quoted[0] : null;
}

export class Form {
  /** `verb`: as `verbs` tells it; `download` is true where the result is a file, `creates` where it is a new document. `values`: what was entered before. */
  constructor(app, verb, values) {
    Object.assign(this, { app, verb });
    this.controls = verb.options.map((option) => control(option, app));
    for (const one of this.controls) if (values[one.option.name] !== undefined) one.keep(values[one.option.name]);
    this.element = make("form", "form");
    this.element.noValidate = true;
    this.problem = make("p", "problem");
    this.problem.setAttribute("role", "alert");
    this.problem.hidden = true;
    this.result = make("div", "result-place");
    this.result.setAttribute("role", "status");
    this.now = make("div"); // what the file has now that the command would change
    this.now.hidden = true;
    this.element.append(this.heading(), this.now, ...this.options(), this.problem, this.buttons(), this.result);
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.run(!verb.query && !verb.download && !verb.creates && event.submitter !== this.apply);
    });
    this.element.addEventListener("input", (event) => this.edited(event.target));
    this.list();
  }

  heading() {
    const { verb } = this, more = verb.description && verb.description !== verb.summary ? make("p", "description", verb.description) : null;
    return group("div", "form-heading", make("h2", "", verb.title || verb.name), make("p", "faint", verb.summary),
      more ? group("details", "", make("summary", "", "More about it"), more) : null);
  }

  // Many optional fields are folded.
  options() {
    const { controls } = this, needed = controls.filter(({ option }) => option.required);
    const rest = controls.filter(({ option }) => !option.required);
    const shown = controls.length > FEW ? rest.slice(0, Math.max(0, FEW - 1 - needed.length)) : rest;
    const hidden = rest.slice(shown.length), rows = (list) => list.map((one) => one.row);
    if (controls.length === 0) return [make("p", "faint", "It has no options.")];
    const more = group("details", "more", make("summary", "", count(hidden.length, "more option")), rows(hidden));
    if (hidden.some((one) => one.value() !== undefined)) more.open = true;
    return [...rows([...needed, ...shown]), ...(hidden.length > 0 ? [more] : [])];
  }

  buttons() {
    const { verb } = this, submit = (text, className) => Object.assign(button(text, () => {}, className), { type: "submit" });
    const only = verb.creates ? "Make it" : verb.download ? "Download" : verb.query ? "Show" : null; // of what changes nothing
    if (only) return group("div", "buttons run", submit(only, "primary"));
    this.apply = submit("Apply", "primary");
    return group("div", "buttons run", submit("Preview", ""), this.apply);
  }

  // The result of other values is no result of these.
  edited(target) {
    const row = target.closest(".option"), found = this.controls.find((one) => one.row === row);
    if (found) found.error("");
    this.problem.hidden = true;
    const shown = this.result.querySelector(".preview");
    if (shown) shown.classList.add("old");
  }

  /** What was entered, by the names of options. */
  values() {
    return Object.fromEntries(this.controls.map((one) => [one.option.name, one.value()]).filter(([, value]) => value !== undefined));
  }

  // Arguments of a call with what was entered; documents get their numbers when the call begins.
  args(make) {
    const values = this.values();
    return () => make(sent(values));
  }

  // Whether all that is needed is there.
  complete() {
    const missing = this.controls.filter((one) => one.option.required && one.value() === undefined);
    for (const one of this.controls) one.error(missing.includes(one) ? "This is required." : "");
    if (missing.length > 0) missing[0].field.focus();
    return missing.length === 0;
  }

  async run(preview) {
    const { app, verb } = this, doc = app.current;
    this.problem.hidden = true;
    if ((!doc && !verb.creates) || !this.complete()) return;
    this.result.replaceChildren(make("p", "faint", "Working…"));
    try {
      if (verb.creates) await this.create();
      else if (verb.download) await this.download(doc);
      else await this.change(doc, preview);
    } catch (error) {
      this.result.replaceChildren();
      this.fail(error);
    }
  }

  async change(doc, preview) {
    const { app, verb } = this;
    const { result } = await app.call("apply", this.args((options) => ({ verb: verb.name, options, preview })), { doc, limit: LIMIT });
    if (app.current !== doc) return;
    this.result.replaceChildren(outcome(app, doc, result, verb.query ? "query" : preview ? "preview" : "applied"));
    this.result.scrollIntoView({ block: "nearest" });
    if (preview || verb.query || result.diff.same) return;
    app.say(`${verb.name} changed ${doc.name}.`, "note", [], { text: "Undo", run: () => this.undo(doc) });
  }

  // Takes the step back, unless other changes came after it.
  async undo(doc) {
    const { app, verb } = this;
    try {
      if (!doc.undo || !doc.undo.startsWith(verb.name)) {
        app.say(`${doc.name} was changed again after that: the panel Differences has all steps.`, "warning");
        return;
      }
      await app.call("undo", {}, { doc, first: true });
      this.result.replaceChildren();
    } catch (error) {
      app.fail(error, doc.name);
    }
  }

  async download(doc) {
    const { app, verb } = this, args = this.args((options) => (verb.request ? verb.request(options) : { options }));
    const { result, blobs } = await app.call(verb.name, args, { doc, limit: LIMIT });
    const files = result.files || [{ name: result.name }];
    files.forEach((file, i) => app.download(file.name, blobs[i]));
    this.result.replaceChildren(downloaded(app, doc, result, files.map((file) => file.name)));
  }

  async create() {
    const { app, verb } = this, { result } = await app.call(verb.name, this.args((options) => ({ options })), { limit: LIMIT });
    const doc = app.documents.byId(result.document.id);
    this.result.replaceChildren();
    app.say(`${doc.name} was made. It is not saved yet.`, "note", result.lines);
    app.documents.select(doc);
  }

  /** Shows what there is that the command would change, for commands that list it. */
  async list() {
    const { app, verb } = this, doc = app.current;
    if (!verb.lists || !doc) return;
    try {
      const { result } = await app.call("apply", { verb: verb.name, options: {}, preview: true }, { doc, limit: LIMIT });
      if (doc !== app.current) return;
      this.now.replaceChildren(make("h3", "", "The file has now:"), outcome(app, doc, result, "query"));
      this.now.hidden = false;
    } catch {
      // it is said when the user asks for something
    }
  }

  fail(error) {
    if (error.code === "stopped" || error.code === "closed") return;
    const text = error.reason || error.message, found = blamed(error.message, this.controls);
    if (!found) {
      this.problem.textContent = make("span", "", text).textContent;
      this.problem.hidden = false;
      this.problem.scrollIntoView({ block: "nearest" });
      return;
    }
    const folded = found.row.closest("details");
    if (folded) folded.open = true;
    found.error(text);
    found.field.focus();
  }
}
