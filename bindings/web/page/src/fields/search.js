// Search in names, types and values. Lathe searches for a while at a time; the page asks until there is enough.

import { rove } from "../../../../../scripts/viewer/src/roving.js";
import { button, count, make } from "../ui/elements.js";

const MOST = 200; // results that are listed
const WAIT = 120; // milliseconds without a key, until the search begins

export class Search {
  constructor(app, { field, list, status, tree }) {
    Object.assign(this, { app, field, list, status, tree });
    this.roving = rove(list, () => field.focus());
    field.addEventListener("input", () => this.later());
    field.addEventListener("keydown", (event) => this.key(event));
    list.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.clear();
      field.focus();
    });
    app.documents.on("current", () => this.later());
    app.on("path", (path, origin) => origin !== "fields" && this.clear());
  }

  later() {
    const asked = (this.asked = {});
    this.app.during(new Promise((done) => setTimeout(done, WAIT)).then(() => asked === this.asked && this.search()));
  }

  /** Ends the search: the tree is seen again. */
  clear() {
    if (this.field.value === "") return;
    this.field.value = "";
    this.search();
  }

  async search() {
    const asked = (this.asked = {}), text = this.field.value.trim(), doc = this.app.current;
    this.list.hidden = text === "" || !doc;
    this.tree.element.hidden = !this.list.hidden;
    this.list.replaceChildren();
    this.status.textContent = "";
    if (this.list.hidden) return;
    this.status.textContent = "Searching…";
    let found = 0, cursor;
    try {
      do {
        const { result } = await this.app.call("search", { text, count: MOST - found, cursor }, { doc, first: true });
        if (asked !== this.asked) return;
        this.add(doc, result.rows);
        found += result.rows.length;
        cursor = result.done ? undefined : result.cursor;
      } while (cursor !== undefined && found < MOST);
      this.status.textContent = found === 0 ? "No field has this text" : cursor ? `The first ${found} fields` : count(found, "field");
    } catch (error) {
      if (asked === this.asked) this.status.textContent = error.message;
    }
  }

  add(doc, rows) {
    for (const row of rows) {
      const item = make("li"), result = button("", () => this.go(doc, row.path), "result");
      result.append(make("span", "name", row.path), make("span", "value", row.value ?? row.type ?? ""));
      item.append(result);
      this.list.append(item);
    }
    this.roving.set();
  }

  go(doc, path) {
    this.app.go(doc, path, "search");
    this.tree.element.focus();
  }

  async key(event) {
    if (event.key === "Escape") {
      this.clear();
    } else if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      if (event.key === "Enter" || this.list.children.length === 0) await this.search();
      const result = this.list.querySelector("button");
      if (!result) return;
      if (event.key === "Enter") result.click();
      else result.focus();
    }
  }
}
