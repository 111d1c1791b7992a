// Change: the commands that change the current document, each as a form; and making other files of it.

import { rove } from "../../../../../scripts/viewer/src/roving.js";
import { button, group, make } from "../ui/elements.js";
import { Form } from "./forms/form.js";
import { Proposals } from "./forms/proposals.js";

const BEGIN = "Choose what to do. A preview shows what would change before anything does, and all can be undone.";
const DOWNLOADS = "Make another file";
const IMPORTS = "From other programs";

class Change {
  constructor(app, element) {
    Object.assign(this, { app, element });
    app.proposals = new Proposals(app);
    this.values = new Map(); // what was entered, by verb
    this.filter = make("input");
    this.filter.type = "search";
    this.filter.placeholder = "Filter";
    this.filter.setAttribute("aria-label", "Filter the commands");
    this.list = make("div", "verbs");
    this.roving = rove(this.list, () => this.filter.focus());
    this.back = button("All commands", () => this.leave(), "small back");
    this.place = make("div", "form-place");
    this.side = group("div", "verb-side", this.filter, this.list);
    element.append(this.side, group("div", "form-side", this.back, this.place));
    this.filter.addEventListener("input", () => this.draw());
    this.filter.addEventListener("keydown", (event) => this.key(event));
    app.documents.on("current", () => this.follow());
    app.documents.on("changed", (doc) => doc === app.current && this.follow());
    app.on("import", (name) => app.during(this.import(name)));
    this.follow();
  }

  // Shows the form of `import` with a stored file chosen.
  async import(name) {
    this.app.panels.reveal("change");
    await this.refresh();
    const verb = (this.verbs || []).find((one) => one.name === "import");
    this.choose(null, false); // keeps what was entered
    this.values.set("import", { ...this.values.get("import"), file: name });
    if (verb) this.choose(verb, true);
  }

  key(event) {
    const first = this.list.querySelector("button");
    if (event.key === "Escape") {
      this.filter.value = "";
      this.draw();
    } else if (event.key === "ArrowDown" && first) {
      event.preventDefault();
      first.focus();
    } else if (event.key === "Enter") {
      event.preventDefault(); // it is not for the form, which gets the focus
      if (first) first.click();
    }
  }

  follow() {
    if (this.element.hidden) this.stale = true;
    else this.app.during(this.refresh());
  }

  show() {
    if (this.stale) this.app.during(this.refresh());
  }

  // Verbs depend on what is in a document: they are asked for again when that changes.
  async refresh() {
    const doc = this.app.current, mine = (this.asked = {});
    this.stale = false;
    let found = { verbs: [] };
    try {
      found = (await this.app.call("verbs", {}, { doc })).result;
    } catch (error) {
      this.app.fail(error, doc ? doc.name : "");
    }
    if (mine !== this.asked) return;
    const before = JSON.stringify(this.verbs), other = doc !== this.doc;
    this.doc = doc;
    this.verbs = [...found.verbs.map((verb) => (verb.name === "convert" ? { ...verb, download: true, heading: DOWNLOADS } : verb)),
      ...(found.export ? [{ ...found.export, download: true, heading: DOWNLOADS, request: exporting }] : []),
      ...(found.import ? [importing(found.import)] : [])];
    if (other || before !== JSON.stringify(this.verbs)) this.draw();
    if (!other && this.form) this.form.list();
    else this.choose(this.verbs.find((verb) => this.form && verb.name === this.form.verb.name) || null, false);
  }

  draw() {
    const wanted = this.filter.value.trim().toLowerCase(), headings = new Map();
    for (const verb of this.verbs || []) {
      if (!`${verb.name} ${verb.summary} ${verb.heading}`.toLowerCase().includes(wanted)) continue;
      if (!headings.has(verb.heading)) headings.set(verb.heading, []);
      headings.get(verb.heading).push(verb);
    }
    // Looking comes last, before what makes other files.
    const order = (heading) => (heading === IMPORTS ? 3 : heading === DOWNLOADS ? 2 : headings.get(heading).every((verb) => verb.query) ? 1 : 0);
    const sorted = [...headings.keys()].sort((a, b) => order(a) - order(b));
    const section = (heading) => group("section", "", make("h3", "", heading), headings.get(heading).map((verb) => this.item(verb)));
    this.list.replaceChildren(...(sorted.length > 0 ? sorted.map(section) : [make("p", "faint", this.nothing(wanted))]));
    this.roving.set();
    this.mark();
  }

  nothing(wanted) {
    if (!this.doc) return "No file is open.";
    return wanted ? "No command has this text." : "There are no commands for such files: change their fields.";
  }

  item(verb) {
    const item = button("", () => this.choose(verb, true), "verb");
    item.append(make("span", "name", verb.name), make("span", "faint", verb.summary));
    item.dataset.verb = verb.name;
    return item;
  }

  mark() {
    const chosen = this.form && this.form.verb.name;
    for (const item of this.list.querySelectorAll("button")) {
      if (item.dataset.verb === chosen) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    }
  }

  // Shows the form of a verb; null: of none.
  choose(verb, focus) {
    if (this.form) this.values.set(this.form.verb.name, this.form.values());
    this.form = verb && new Form(this.app, verb, this.values.get(verb.name) || {});
    this.place.replaceChildren(this.form ? this.form.element
      : make("p", "faint", this.doc ? BEGIN : ""));
    this.element.classList.toggle("chosen", Boolean(verb));
    this.mark();
    const first = this.form && this.form.element.querySelector("input, select, .run button");
    if (focus && first) first.focus();
  }

  // Where the panel is narrow, the list and the form are shown in turn.
  leave() {
    const { name } = this.form.verb;
    this.choose(null, false);
    const item = [...this.list.querySelectorAll("button")].find((one) => one.dataset.verb === name);
    if (item) item.focus();
  }
}

// The options describe a new document. The current one is only one of the files that they can name.
function importing(verb) {
  return { ...verb, options: verb.options.map((option) => ({ ...option, ofNew: true })), creates: true, heading: IMPORTS };
}

// The form has the kind of file among its options.
function exporting({ "--to": format, ...options }) {
  return { format, options: Object.fromEntries(Object.entries(options).map(([name, value]) => [name.replace(/^--/, ""), value])) };
}

export function change(app) {
  const element = make("div", "change"), made = new Change(app, element);
  return { name: "change", title: "Change", element, show: () => made.show() };
}
