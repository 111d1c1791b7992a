// The tree of fields of the current document: rows as an ARIA tree, by keyboard as in its pattern.

import { button, make } from "../ui/elements.js";
import { edit } from "./editor.js";
import { VirtualList } from "./list.js";
import { Model } from "./model.js";

const INDENT = 14;  // pixels of a level
const DEEPEST = 12; // levels that are indented
const PAUSE = 700;  // milliseconds after which a letter begins another name
const FAR = 3000;   // rows that are looked through for what is typed

let numbers = 0;

export class Tree {
  /** `element` gets the rows. */
  constructor(app, element) {
    this.app = app;
    this.element = element;
    element.setAttribute("role", "tree");
    element.tabIndex = 0;
    this.models = new WeakMap(); // of documents
    this.rows = new Map();       // elements, by path
    this.jumps = [];
    this.list = new VirtualList(element, (n) => this.rowElement(n), () => (this.model ? this.model.root.size : 0));
    this.listen();
  }

  listen() {
    const { app, element } = this, { documents } = app;
    element.addEventListener("click", (event) => this.click(event));
    element.addEventListener("dblclick", (event) => this.clickTwice(event));
    element.addEventListener("keydown", (event) => this.key(event));
    documents.on("current", (doc) => this.show(doc));
    documents.on("changed", (doc) => app.during(this.refresh(doc)));
    app.on("path", (path, origin) => origin !== "fields" && app.during(this.reveal(path)));
  }

  /** Whether padding and bookkeeping are shown. */
  setAll(on) {
    this.all = on;
    this.models = new WeakMap();
    this.show(this.app.current);
  }

  show(doc) {
    this.stopEditing();
    this.rows.clear();
    this.model = null;
    this.place = null;
    if (doc) {
      if (!this.models.has(doc)) this.models.set(doc, this.make(doc));
      this.model = this.models.get(doc);
      this.app.during(this.model.ready).then(() => doc === this.app.current && this.reveal(doc.selected), (error) => this.app.fail(error, doc.name));
    }
    this.draw();
  }

  make(doc) {
    const model = new Model((name, args) => this.app.call(name, args, { doc, first: true }), () => model === this.model && this.draw());
    model.all = this.all === true;
    model.ready = model.start();
    return model;
  }

  async refresh(doc) {
    const model = this.models.get(doc);
    if (!model) return;
    this.rows.clear();
    await model.refresh().catch((error) => this.app.fail(error, doc.name));
    if (model !== this.model) return;
    this.rows.clear();
    const place = doc.selected && await model.reveal(doc.selected).catch(() => null);
    if (place && model === this.model) this.place = place;
    this.draw();
  }

  // ---- drawing ------------------------------------------------------------------------------------------------

  draw() {
    if (this.drawing) return;
    this.drawing = requestAnimationFrame(() => {
      this.drawing = 0;
      this.list.draw();
      this.mark();
    });
  }

  rowElement(n) {
    const at = this.model && this.model.at(n);
    if (!at) return null;
    if (!at.row) {
      if (!this.model.isAsked(at.level, at.index)) this.model.load(at.level, at.index).catch((error) => this.app.fail(error));
      return make("div", "row waits", "…");
    }
    const { row, level } = at, open = this.model.isOpen(level, row);
    let element = this.rows.get(row.path);
    if (element && this.editing && this.editing.element === element) return element;
    if (!element || !same(element.lathe, at)) {
      element = this.makeRow(at);
      this.rows.set(row.path, element);
    }
    element.lathe = { ...at, n };
    if (row.children) element.setAttribute("aria-expanded", open);
    return element;
  }

  makeRow({ row, level, index, depth }) {
    const element = make("div", "row");
    element.id = "row-" + ++numbers;
    element.setAttribute("role", "treeitem");
    element.setAttribute("aria-level", depth + 1);
    element.setAttribute("aria-setsize", level.total);
    element.setAttribute("aria-posinset", index + 1);
    element.dataset.path = row.path;
    element.style.paddingInlineStart = 4 + INDENT * Math.min(depth, DEEPEST) + "px";
    const opener = make("span", "opener");
    opener.setAttribute("aria-hidden", "true");
    element.append(opener, make("span", "name", row.name));
    if (row.value !== undefined) element.append(make("span", row.problem ? "value problem" : "value", row.value));
    if (row.value === undefined || row.children) element.append(make("span", "type", row.type || ""));
    if (row.unit) element.append(make("span", "unit", row.unit));
    if (row.target) element.append(this.link(row.target));
    if (row.editable) element.classList.add("editable");
    return element;
  }

  link(target) {
    const link = button("go to", () => this.jump(target), "link");
    link.tabIndex = -1;
    link.title = make("span", "", target).textContent;
    return link;
  }

  // Shows which row is selected.
  mark() {
    const selected = this.place && this.place.level.row(this.place.index);
    let active = "";
    for (const [path, element] of this.rows) {
      const on = Boolean(selected && path === selected.path);
      element.setAttribute("aria-selected", on);
      if (on && element.isConnected) active = element.id;
      if (!element.isConnected) this.rows.delete(path);
    }
    if (active) this.element.setAttribute("aria-activedescendant", active);
    else this.element.removeAttribute("aria-activedescendant");
  }

  // ---- selecting ----------------------------------------------------------------------------------------------

  /** The number of the selected row from 0, or -1. */
  get at() {
    return this.place && this.model ? this.model.numberOf(this.place.level, this.place.index) : -1;
  }

  selectNumber(n) {
    const at = this.model && this.model.at(Math.max(0, Math.min(n, this.model.root.size - 1)));
    if (at) this.select(at);
  }

  select({ level, index }) {
    this.place = { level, index };
    this.list.reveal(this.at);
    this.draw();
    const row = level.row(index);
    if (row && this.app.current.selected !== row.path) this.app.go(this.app.current, row.path, "fields");
  }

  /** Selects the row of a path, or the nearest one above that is shown. */
  async reveal(path) {
    const { model } = this;
    if (!model) return;
    if (!path) {
      this.place = model.root.total > 0 ? { level: model.root, index: 0 } : null;
      this.draw();
      return;
    }
    const place = await model.reveal(path).catch(() => null);
    if (!place || model !== this.model || this.app.current.selected !== path) return;
    this.place = place;
    this.list.reveal(this.at);
    this.draw();
  }

  /** Goes to the target of a reference; `back` returns. */
  jump(target) {
    this.jumps.push([this.app.current, this.app.current.selected]);
    this.app.go(this.app.current, target);
    this.element.focus();
  }

  back() {
    const [doc, path] = this.jumps.pop() || [];
    if (doc && this.app.documents.list.includes(doc)) this.app.go(doc, path);
    this.element.focus();
  }

  // ---- mouse and keys -----------------------------------------------------------------------------------------

  click(event) {
    const element = event.target.closest(".row");
    if (!element || !element.lathe || event.target.closest("button")) return;
    const { level, index, row } = element.lathe, again = this.place && this.place.level === level && this.place.index === index;
    this.select({ level, index });
    if (event.target.closest(".opener")) this.toggle();
    else if (again && row.editable && event.target.closest(".value")) this.edit();
  }

  clickTwice(event) {
    const element = event.target.closest(".row");
    if (!element || !element.lathe || event.target.closest("button, .opener")) return;
    if (element.lathe.row.editable && !element.lathe.row.children) this.edit();
    else this.toggle();
  }

  toggle(on) {
    const { level, index } = this.place, row = level.row(index);
    if (!row || !row.children) return;
    const open = this.model.isOpen(level, row);
    if (on !== undefined && on === open) return;
    if (open) this.model.close(level, index);
    else this.model.open(level, index).catch((error) => this.app.fail(error));
  }

  // The arrow to the right opens, then goes to the first row below; the one to the left closes, then goes to the row above.
  right() {
    const { level, index } = this.place, row = level.row(index);
    if (!row || !row.children) return;
    if (this.model.isOpen(level, row)) this.selectNumber(this.at + 1);
    else this.toggle(true);
  }

  left() {
    const { level, index } = this.place, row = level.row(index);
    if (row && this.model.isOpen(level, row)) this.toggle(false);
    else if (level.parent) this.select({ level: level.parent, index: level.index });
  }

  key(event) {
    if (!this.model || event.target !== this.element || event.altKey || event.metaKey) return;
    if (!this.place) this.place = { level: this.model.root, index: 0 };
    if (event.ctrlKey && event.key !== "Enter") return;
    const { at } = this, page = this.list.inSight - 1;
    const keys = {
      ArrowDown: () => this.selectNumber(at + 1), ArrowUp: () => this.selectNumber(at - 1),
      PageDown: () => this.selectNumber(at + page), PageUp: () => this.selectNumber(at - page),
      Home: () => this.selectNumber(0), End: () => this.selectNumber(Infinity),
      ArrowRight: () => this.right(), ArrowLeft: () => this.left(), " ": () => this.toggle(),
      Enter: () => this.enter(event.ctrlKey), F2: () => this.edit(), Backspace: () => this.back(),
    };
    const typed = event.key.length === 1 && event.key !== " ";
    if (!typed && !keys[event.key]) return;
    event.preventDefault();
    if (typed) {
      this.typed(event);
    } else {
      this.typedAt = -PAUSE;
      keys[event.key]();
    }
  }

  // Enter edits what can be edited, and opens the rest. With Ctrl it follows a reference.
  enter(follow) {
    const row = this.row;
    if (!row) return;
    if (follow && row.target) this.jump(row.target);
    else if (row.editable || !row.children) this.edit();
    else this.toggle();
  }

  get row() {
    return this.place ? this.place.level.row(this.place.index) : undefined;
  }

  // Goes to the next row whose name begins with what is typed.
  typed(event) {
    const goesOn = event.timeStamp - (this.typedAt || -PAUSE) < PAUSE;
    this.word = (goesOn ? this.word : "") + event.key.toLowerCase();
    this.typedAt = event.timeStamp;
    const total = this.model.root.size, from = this.at + (this.word.length > 1 ? 0 : 1);
    for (let i = 0; i < Math.min(total, FAR); i++) {
      const found = this.model.at((from + i) % total);
      if (found.row && found.row.name.toLowerCase().startsWith(this.word)) return this.select(found);
    }
  }

  // ---- editing ------------------------------------------------------------------------------------------------

  /** Edits the selected row in place. */
  edit() {
    const { row } = this, doc = this.app.current;
    if (!row) return;
    if (!row.editable) {
      this.app.say(`${row.path} cannot be edited: ${row.why || "it is read-only"}.`);
      return;
    }
    this.list.reveal(this.at);
    this.list.draw();
    const element = this.rows.get(row.path);
    if (!element || (this.editing && this.editing.element === element)) return;
    this.stopEditing();
    element.classList.add("edited");
    this.editing = { element, ...edit(row, element, (text) => this.save(doc, row.path, text), (saved) => this.edited(element, saved)) };
  }

  async save(doc, path, value) {
    const { result } = await this.app.call("set", { path, value }, { doc, first: true });
    const also = result.along.filter((other) => other !== path);
    if (also.length > 0) this.app.say("This is the same stored value, so it changed, too:", "note", also);
    if (result.warnings.length > 0) this.app.say(`${path} was set, with a warning:`, "warning", result.warnings);
  }

  edited(element, saved) {
    element.classList.remove("edited");
    this.editing = null;
    if (saved) this.rows.delete(element.dataset.path);
    if (!document.activeElement || document.activeElement === document.body) this.element.focus();
    this.draw();
  }

  stopEditing() {
    if (this.editing) this.editing.cancel();
  }
}

// Whether an element of a row still shows what it should.
function same(shown, { row, level, index, depth }) {
  return shown.level === level && shown.index === index && shown.depth === depth && shown.row.value === row.value
    && shown.row.type === row.type && shown.row.children === row.children && shown.row.target === row.target
    && shown.row.edit === row.edit;
}
