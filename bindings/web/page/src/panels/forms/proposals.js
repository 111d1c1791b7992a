// What a text or path of a form can be: from the fields of the current document.

const WAIT = 150; // milliseconds without a key
const MOST = 40;
const TRIED = 4; // fields with the old value whose names are asked for
const ROUNDS = 6; // of a search, each at most half a second

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

  /** Fills a datalist for what is in the field of an option. `old`: the value that it replaces, if it does. */
  fill(field, list, option, old = null) {
    const mine = (this.asked = {}), doc = this.app.current;
    const find = () => {
      if (option.type === "path") return this.paths(doc, field.value);
      return option.known ? this.names(doc, option, field.value.trim()) : this.values(doc, field.value.trim(), old);
    };
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

  // Rows of fields that contain a text.
  async search(doc, text) {
    const rows = [];
    let cursor;
    for (let i = 0; i < ROUNDS && rows.length < MOST; i++) {
      const { result } = await this.app.call("search", { text, count: 200, cursor }, { doc, first: true });
      rows.push(...result.rows);
      cursor = result.cursor;
      if (result.done) break;
    }
    return rows;
  }

  // Names that the selected field, or one with the old value, could have; and values of fields that contain a text.
  async values(doc, text, old) {
    const wanted = text.toLowerCase(), begins = (value) => value.toLowerCase().startsWith(wanted);
    const plain = (row) => String(row.value ?? "").replace(/^"(.*)"$/, "$1"), paths = [];
    if (old) paths.push(...(await this.search(doc, old)).filter((row) => plain(row) === old).map((row) => row.path));
    if (doc.selected) paths.push(doc.selected);
    let names = [];
    for (const path of paths.slice(0, TRIED)) {
      if (names.length === 0) names = (await this.app.call("row", { path }, { doc, first: true })).result.row.names || [];
    }
    const rows = text.length < 2 ? [] : await this.search(doc, text);
    const found = [...names, ...rows.map(plain)].filter((value) => value !== old && value.toLowerCase().includes(wanted));
    return [...found.filter(begins), ...found.filter((value) => !begins(value))];
  }

  // Names of the file that a command is about, such as its events.
  async names(doc, option, text) {
    const wanted = text.toLowerCase(), { result } = await this.app.call("names", { command: option.known, option: option.name }, { doc, first: true });
    return result.names.filter((name) => name.toLowerCase().includes(wanted));
  }

  // Paths that begin with a text: those of one level.
  async paths(doc, text) {
    const above = text.replace(/(\.?\w*|\[\d*)$/, "");
    const { rows } = (await this.app.call("tree", { path: above, count: 200 }, { doc, first: true })).result;
    return rows.map((row) => row.path).filter((path) => path.startsWith(text));
  }
}
