// What a text or path of a form can be: from the fields of the current document.

const WAIT = 150; // milliseconds without a key
const MOST = 40;

export class Proposals {
  constructor(app) {
    this.app = app;
  }

  /** The path of the selected field, or its value as it is entered; null if there is none. */
  async selected(type) {
    const doc = this.app.current;
    if (!doc || !doc.selected) return null;
    if (type === "path") return doc.selected;
    try {
      const { row } = (await this.app.call("row", { path: doc.selected }, { doc, first: true })).result;
      return row.edit ?? (row.children ? null : row.value ?? null);
    } catch {
      return null;
    }
  }

  /** Fills a datalist for what is in a field. */
  fill(field, list, type) {
    const mine = (this.asked = {}), doc = this.app.current;
    const find = () => (type === "path" ? this.paths(doc, field.value) : this.values(doc, field.value.trim()));
    this.app.during(new Promise((done) => setTimeout(done, WAIT)).then(async () => {
      if (mine !== this.asked || !doc) return;
      const found = await find().catch(() => []); // nothing is proposed, then
      if (mine !== this.asked) return;
      list.replaceChildren(...[...new Set(found)].slice(0, MOST).map((value) => {
        const option = document.createElement("option");
        option.value = value;
        return option;
      }));
    }));
  }

  // Names that the selected field could have, and values of fields that contain a text.
  async values(doc, text) {
    const names = [], call = (name, args) => this.app.call(name, args, { doc, first: true });
    if (doc.selected) names.push(...((await call("row", { path: doc.selected })).result.row.names || []));
    if (text.length < 2) return names;
    const { rows } = (await call("search", { text, count: 200 })).result, wanted = text.toLowerCase();
    const values = rows.map((row) => String(row.value ?? "").replace(/^"(.*)"$/, "$1")).filter((value) => value.toLowerCase().includes(wanted));
    return [...values, ...names.filter((name) => name.toLowerCase().includes(wanted))];
  }

  // Paths that begin with a text: those of one level.
  async paths(doc, text) {
    const above = text.replace(/(\.?\w*|\[\d*)$/, "");
    const { rows } = (await this.app.call("tree", { path: above, count: 200 }, { doc, first: true })).result;
    return rows.map((row) => row.path).filter((path) => path.startsWith(text));
  }
}
