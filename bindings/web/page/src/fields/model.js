// The rows of the tree that are known: levels of fields, which are read from lathe a page at a time.

const PAGE = 200; // rows of a call

/** What is below a field: `total` rows, of which `rows` has those that are known, by index from 0. `open` has the levels
 * of its rows that are open, by the name of the row. */
class Level {
  constructor(path, parent, name) {
    Object.assign(this, { path, parent, name, index: -1, total: 0, rows: [], element: {}, open: new Map(), pages: new Map() });
  }

  get isArray() {
    return this.kind === "array";
  }

  /** Levels of open rows, in the order of the rows. */
  opened() {
    return [...this.open.values()].filter((level) => level.index >= 0).sort((a, b) => a.index - b.index);
  }

  /** How many rows are visible at or below this level. */
  get size() {
    let sum = this.total;
    for (const level of this.opened()) sum += level.size;
    return sum;
  }

  row(index) {
    const row = this.rows[index];
    return row && { ...this.element, ...row };
  }
}

const prefixes = (path) => [...path.matchAll(/[.[]/g)].map((match) => match.index).filter((at) => at > 0).map((at) => path.slice(0, at));

export class Model {
  /** `call(name, args)` asks lathe about the document. `changed()` is called when rows have come. */
  constructor(call, changed) {
    this.call = call;
    this.changed = changed;
    this.all = false;
    this.root = new Level("", null, "");
    this.asked = 0;
  }

  /** Reads the first rows. */
  start() {
    return this.load(this.root, 0);
  }

  /** Whether the page of a level that has a row was asked for; its call may have failed. */
  isAsked(level, index) {
    return level.pages.has(Math.floor(index / PAGE));
  }

  /** Reads the page of a level that has a row; what is there already is not asked again. */
  load(level, index) {
    const number = Math.floor(index / PAGE);
    if (!level.pages.has(number)) level.pages.set(number, this.read(level, number));
    return level.pages.get(number);
  }

  async read(level, number) {
    const asked = this.asked, from = number * PAGE;
    const { result } = await this.call("tree", { path: level.path, from: from + 1, count: PAGE, all: this.all });
    if (asked !== this.asked) return;
    level.kind = result.kind;
    level.total = result.total;
    level.element = result.element || {};
    level.problem = result.problem;
    level.rows.length = Math.min(level.rows.length, result.total);
    result.rows.forEach((row, i) => {
      level.rows[from + i] = row;
      const open = level.open.get(row.name);
      if (open) open.index = from + i;
    });
    this.changed();
  }

  /** Row number `n` from 0 of all that are visible: { level, index, depth, row }; `row` is undefined until it is read. */
  at(n, level = this.root, depth = 0) {
    let rest = n, start = 0;
    for (const open of level.opened()) {
      if (rest <= open.index - start) break;
      rest -= open.index - start + 1;
      start = open.index + 1;
      const { size } = open;
      if (rest < size) return this.at(rest, open, depth + 1);
      rest -= size;
    }
    const index = start + rest;
    return index < level.total ? { level, index, depth, row: level.row(index) } : null;
  }

  /** The number from 0 of a row of a level among all that are visible. */
  numberOf(level, index) {
    let number = index;
    for (const open of level.opened()) if (open.index < index) number += open.size;
    return level.parent ? this.numberOf(level.parent, level.index) + 1 + number : number;
  }

  isOpen(level, row) {
    return level.open.has(row.name);
  }

  /** Opens the row of a level. */
  async open(level, index) {
    const row = level.row(index);
    if (!row || !row.children) return;
    if (!level.open.has(row.name)) {
      const made = new Level(row.path, level, row.name);
      made.index = index;
      made.total = row.children;
      level.open.set(row.name, made);
    }
    await this.load(level.open.get(row.name), 0);
  }

  close(level, index) {
    level.open.delete(level.row(index).name);
    this.changed();
  }

  // The index in a level of the row with a path; -1: it is not there.
  async indexOf(level, path) {
    const number = level.isArray && path.startsWith(level.path + "[") ? parseInt(path.slice(level.path.length + 1), 10) : NaN;
    if (number >= 1 && number <= level.total) {
      await this.load(level, number - 1);
      return number - 1;
    }
    for (let from = 0; from < level.total; from += PAGE) {
      await this.load(level, from);
      const found = level.rows.findIndex((row) => row && row.path === path);
      if (found >= 0) return found;
    }
    return -1;
  }

  /** Opens all above a path. Returns the place of its row, or of the nearest one above that is shown: { level, index, exact }. */
  async reveal(path) {
    await this.load(this.root, 0);
    let level = this.root, found = null;
    for (const part of [...prefixes(path), path]) {
      const index = await this.indexOf(level, part);
      if (index < 0) continue;
      found = { level, index, exact: part === path };
      if (part === path) break;
      await this.open(level, index);
      const next = level.open.get(level.row(index).name);
      if (!next) break;
      level = next;
    }
    return found;
  }

  /** Reads all again that is open: the document has changed. Rows stay as they are until the new ones are there. */
  async refresh() {
    this.asked++;
    const again = async (level) => {
      const seen = [...level.pages.keys()].slice(-4); // those that were read last
      level.pages.clear();
      try {
        await Promise.all((seen.length ? seen : [0]).map((number) => this.load(level, number * PAGE)));
      } catch (error) {
        if (!level.parent || error.code === "stopped" || error.code === "closed") throw error;
        level.parent.open.delete(level.name); // there is no such field any more
        return;
      }
      this.forget(level);
      for (const open of [...level.open.values()]) await again(open);
    };
    await again(this.root);
    this.changed();
  }

  // Drops rows that were not read again, and levels whose rows are gone.
  forget(level) {
    level.rows.forEach((row, index) => {
      if (!level.pages.has(Math.floor(index / PAGE))) delete level.rows[index];
    });
    for (const [name, open] of level.open) {
      const row = level.rows[open.index];
      if (open.index >= level.total || (row && (row.name !== name || !row.children))) level.open.delete(name);
    }
  }
}
