// What is known of the selected field: type, limits, names, help; and what can be done with it.

import { button, group, make } from "../ui/elements.js";
import { limits } from "./editor.js";

const MANY = 8; // names that are listed at once

export class Detail {
  constructor(app, element, tree) {
    this.app = app;
    this.element = element;
    this.tree = tree;
    app.on("path", (path) => this.show(app.current, path));
    app.documents.on("current", (doc) => this.show(doc, doc ? doc.selected : ""));
    app.documents.on("changed", (doc) => doc === app.current && this.show(doc, doc.selected));
  }

  async show(doc, path) {
    const asked = (this.asked = {});
    if (!doc || !path) {
      this.element.hidden = true;
      return;
    }
    try {
      const { result } = await this.app.call("row", { path }, { doc, first: true });
      if (asked === this.asked) this.fill(doc, result.row);
    } catch (error) {
      if (asked === this.asked) this.element.replaceChildren(make("code", "", path), make("p", "faint", error.message));
    }
    this.element.hidden = false;
  }

  fill(doc, row) {
    const facts = [row.type, limits(row), row.computed && "computed when the file is saved"].filter(Boolean).join(" · ");
    const parts = [group("p", "where", make("code", "", row.path), make("span", "type", facts))];
    if (row.doc) parts.push(make("p", "faint", row.doc));
    if (row.meaning && !(row.value || "").includes(row.meaning)) parts.push(make("p", "", `Means: ${row.meaning}`));
    if (row.names && row.names.length > 0) parts.push(this.names(row));
    if (row.problem) parts.push(make("p", "problem", row.problem));
    if (!row.editable && row.why) parts.push(make("p", "faint", `Not editable: ${row.why}.`));
    this.element.replaceChildren(...parts, this.actions(doc, row));
  }

  names(row) {
    const { names } = row, title = row.flags ? "Flags" : "Names";
    if (names.length <= MANY) return make("p", "faint", `${title}: ${names.join(", ")}`);
    const details = group("details", "", make("summary", "", `${names.length} ${title.toLowerCase()}`), make("p", "faint", names.join(", ")));
    return details;
  }

  actions(doc, row) {
    const { tree } = this, bar = make("div", "buttons");
    if (row.editable) bar.append(button("Edit", () => tree.edit()));
    if (row.target) bar.append(button(`Go to ${row.target}`, () => tree.jump(row.target)));
    if (tree.jumps.length > 0) bar.append(button("Back", () => tree.back()));
    if (row.resizable) bar.append(button("Add an element", () => this.change(doc, "insert", row.path)));
    const array = row.path.match(/^(.*)\[\d+\]$/);
    if (array && tree.place && tree.place.level.path === array[1] && this.resizable(tree.place.level)) {
      bar.append(button("Remove this element", () => this.change(doc, "delete", row.path)));
    }
    bar.append(button("Copy path", () => this.copy(row.path)));
    return bar;
  }

  // Whether elements of a level can be inserted and removed: its row, in the level above, says so.
  resizable(level) {
    const row = level.parent && level.parent.row(level.index);
    return Boolean(row && row.resizable);
  }

  async change(doc, call, path) {
    try {
      await this.app.call(call, { path }, { doc, first: true });
    } catch (error) {
      this.app.fail(error, path);
    }
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.app.say("The path is copied.");
    } catch {
      this.app.say(`The browser does not allow copying. The path is: ${text}`);
    }
  }
}
