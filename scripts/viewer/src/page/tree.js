// The tree of fields: a row for each, made when it is opened. Keys as in the ARIA pattern of a tree.

import { make } from "../visible.js";

const OPENED = 60; // rows of a list that is open at the start
const PAUSE = 700; // milliseconds after which a letter begins another name

/** The path of a child: `blocks[2].name`. */
export function join(parent, name) {
  return parent === "" || name.startsWith("[") ? parent + name : parent + "." + name;
}

export class Tree {
  /** `list`: the element with role tree. `onSelect` is called with the path of the row and its node. */
  constructor(list, onSelect) {
    this.list = list;
    this.onSelect = onSelect;
    this.rows = new Map();
    this.current = null;
    list.addEventListener("click", (event) => this.click(event));
    list.addEventListener("keydown", (event) => this.key(event));
  }

  /** Shows the tree of a document. */
  set(root) {
    this.root = root;
    this.rows.clear();
    this.current = null;
    this.list.replaceChildren();
    this.grow(this.list, root.c || [], "", 1);
    if (root.m) this.list.append(this.cut(root.m, 1));
    const first = this.list.querySelector(".row");
    if (first) first.tabIndex = 0;
    for (const { item, node, path, level } of [...this.rows.values()]) {
      if (node.c && node.c.length <= OPENED && node.c[0].n === "[1]") this.open({ item, node, path, level });
    }
  }

  grow(into, nodes, parent, level) {
    nodes.forEach((node) => into.append(this.row(node, join(parent, node.n), level)));
  }

  row(node, path, level) {
    const item = make("li", "row");
    item.setAttribute("role", "treeitem");
    item.setAttribute("aria-level", level);
    item.setAttribute("aria-selected", "false");
    item.tabIndex = -1;
    const line = make("div", "line");
    line.style.paddingInlineStart = 6 + 13 * Math.min(level - 1, 12) + "px";
    const opener = make("span", "opener");
    opener.setAttribute("aria-hidden", "true");
    line.append(opener, make("span", "name", node.n));
    if (node.t && (node.c || node.m || node.v === undefined)) line.append(make("span", "type", node.t));
    if (node.v !== undefined) line.append(make("span", "value", node.v));
    if (node.u) line.append(make("span", "unit", node.u));
    item.append(line);
    if (node.c || node.m) item.setAttribute("aria-expanded", "false");
    this.rows.set(path, { item, node, path, level });
    item.dataset.path = path;
    return item;
  }

  cut(text, level) {
    const item = make("li", "cut", text);
    item.setAttribute("role", "none");
    item.style.paddingInlineStart = 25 + 13 * Math.min(level - 1, 12) + "px";
    return item;
  }

  open(entry, on = true) {
    const { item, node } = entry;
    if (!node.c && !node.m) return;
    item.setAttribute("aria-expanded", on);
    let group = item.querySelector(":scope > ul");
    if (on && !group) {
      group = make("ul");
      group.setAttribute("role", "group");
      this.grow(group, node.c || [], entry.path, entry.level + 1);
      if (node.m) group.append(this.cut(node.m, entry.level + 1));
      item.append(group);
    }
    if (group) group.hidden = !on;
  }

  entry(element) {
    const item = element && element.closest(".row");
    return item ? this.rows.get(item.dataset.path) : undefined;
  }

  isOpen(entry) {
    return entry.item.getAttribute("aria-expanded") === "true";
  }

  click(event) {
    const entry = this.entry(event.target);
    if (!entry) return;
    if (event.target.closest(".opener") || entry === this.current || !this.isOpen(entry)) this.open(entry, !this.isOpen(entry));
    this.select(entry);
  }

  /** Selects a row; `quiet`: without telling. */
  select(entry, quiet) {
    if (this.current) {
      this.current.item.setAttribute("aria-selected", "false");
      this.current.item.tabIndex = -1;
    } else {
      for (const row of this.list.querySelectorAll(".row[tabindex='0']")) row.tabIndex = -1;
    }
    this.current = entry;
    entry.item.setAttribute("aria-selected", "true");
    entry.item.tabIndex = 0;
    if (!quiet) this.onSelect(entry.path, entry.node);
  }

  /** Selects the row of a path, or the nearest one above that is there. Opens all rows above it. */
  reveal(path, quiet) {
    let nodes = this.root.c || [], at = "", found = null;
    for (;;) {
      const next = nodes.find((node) => {
        const here = join(at, node.n);
        return path === here || (path.startsWith(here) && /[.[]/.test(path[here.length]));
      });
      if (!next) break;
      if (found) this.open(found);
      at = join(at, next.n);
      found = this.rows.get(at);
      nodes = next.c || [];
    }
    if (!found) return null;
    this.select(found, quiet);
    this.show(found);
    return found;
  }

  /** Scrolls to a row. */
  show({ item }) {
    item.firstChild.scrollIntoView({ block: "nearest" });
  }

  visibleRows() {
    return [...this.list.querySelectorAll(".row")].filter((row) => row.offsetParent !== null);
  }

  key(event) {
    const entry = this.entry(event.target);
    if (!entry || event.ctrlKey || event.altKey || event.metaKey) return;
    const rows = this.visibleRows();
    const at = rows.indexOf(entry.item);
    const go = (row) => {
      if (!row) return;
      this.select(this.entry(row));
      row.focus({ preventScroll: true });
      this.show(this.entry(row));
    };
    const keys = {
      ArrowDown: () => go(rows[at + 1]),
      ArrowUp: () => go(rows[at - 1]),
      PageDown: () => go(rows[Math.min(at + this.page(entry), rows.length - 1)]),
      PageUp: () => go(rows[Math.max(at - this.page(entry), 0)]),
      Home: () => go(rows[0]),
      End: () => go(rows[rows.length - 1]),
      ArrowRight: () => (this.isOpen(entry) ? go(entry.item.querySelector(".row")) : this.open(entry)),
      ArrowLeft: () => (this.isOpen(entry) ? this.open(entry, false) : go(entry.item.parentElement.closest(".row"))),
      Enter: () => this.toggle(entry),
      " ": () => this.toggle(entry),
    };
    const typed = event.key.length === 1 && event.key !== " ";
    if (!typed && !keys[event.key]) return;
    event.preventDefault();
    if (typed) go(this.named(event, rows, at));
    else keys[event.key]();
  }

  // How many rows the list shows at a time.
  page({ item }) {
    return Math.max(1, Math.floor(this.list.clientHeight / item.firstChild.offsetHeight) - 1);
  }

  // The next row whose name begins with what was typed; a letter that comes soon after another one goes on with it.
  named(event, rows, at) {
    const goesOn = event.timeStamp - (this.typedAt || -PAUSE) < PAUSE;
    this.typed = (goesOn ? this.typed : "") + event.key.toLowerCase();
    this.typedAt = event.timeStamp;
    const from = this.typed.length > 1 ? at : at + 1;
    const order = [...rows.slice(from), ...rows.slice(0, from)];
    return order.find((row) => this.entry(row).node.n.toLowerCase().startsWith(this.typed));
  }

  toggle(entry) {
    this.open(entry, !this.isOpen(entry));
    this.select(entry);
  }
}
