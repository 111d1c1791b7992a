// Files that lathe refused when they were opened: why, where in the file, and what can be done.

import { button, count, group, make, size } from "../ui/elements.js";

const MOST = 50;     // files that are kept
const AROUND = 32;   // bytes that are shown in front of and behind the place
const PER_LINE = 16;

// By code of the error.
const ADVICE = {
  format: "Lathe knows a file by its contents, not by its name. Help lists the formats. If the file should be one of them, it is damaged, "
    + "empty, or packed: unpack archives (.ba2, .bsa, .zip) first.",
  bounds: "The data ends early, or a number in it points outside. Mostly the file is cut off or was changed by another program: "
    + "compare its size with that of the original, and copy or unpack it again.",
  invalid: "The file contradicts itself, so it was damaged or written by a faulty program. Copy or unpack it again, or export it anew.",
  unsupported: "Lathe knows the kind of file, but not this version or feature of it.",
  limit: "Close other files first, or use lathe's command line, which has no such limit.",
  memory: "Close other files first, or use lathe's command line.",
  interrupted: "It took too long here. Lathe's command line has no time limit.",
  io: "The browser could not read it. Is it still there, and not in use by another program?",
};

const hex = (n, digits) => n.toString(16).padStart(digits, "0");

// Bytes around a place, as lines; the byte there is in brackets.
function dump(bytes, from, at) {
  const made = [];
  for (let i = 0; i < bytes.length; i += PER_LINE) {
    const some = [...bytes.slice(i, i + PER_LINE)];
    const codes = some.map((byte, j) => (from + i + j === at ? `[${hex(byte, 2)}]` : ` ${hex(byte, 2)} `)).join("");
    const letters = some.map((byte) => (byte > 32 && byte < 127 ? String.fromCharCode(byte) : ".")).join("");
    made.push(`${hex(from + i, 8)}  ${codes.padEnd(PER_LINE * 4)}  ${letters}`);
  }
  return made.join("\n");
}

export class Refusals {
  /** `changed()` is called when there are more or fewer. */
  constructor(app, changed) {
    this.changed = changed;
    this.list = make("ul", "refusals");
    this.lost = 0;
    const clear = button("Clear the list", () => this.clear());
    this.title = make("h3");
    this.element = group("section", "", group("div", "heading", this.title, clear), this.list);
    this.element.hidden = true;
    app.on("refused", (file) => this.add(file));
    app.on("why", () => this.element.scrollIntoView({ block: "start" }));
  }

  get size() {
    return this.list.children.length + this.lost;
  }

  clear() {
    this.list.replaceChildren();
    this.lost = 0;
    this.told();
  }

  told() {
    this.element.hidden = this.size === 0;
    const lost = this.lost > 0 ? `; the last ${MOST} of them` : "";
    this.title.textContent = `${count(this.size, "file was", "files were")} refused${lost}`;
    this.changed();
  }

  async add({ name, error, bytes }) {
    const reason = error.reason || error.message, facts = [];
    if (bytes) facts.push(size(bytes.size));
    if (error.offset !== undefined) facts.push(`at byte ${error.offset.toLocaleString("en")} (0x${hex(error.offset, 1)})`);
    if (error.path) facts.push(`in ${error.path}`);
    const item = group("li", "finding error", make("span", "level", "refused"), group("div", "",
      make("p", "name", name), make("p", "problem", reason), facts.length ? make("p", "faint", facts.join(" · ")) : null,
      ADVICE[error.code] ? make("p", "", ADVICE[error.code]) : null));
    this.list.prepend(item);
    if (this.list.children.length > MOST) {
      this.list.lastChild.remove();
      this.lost++;
    }
    this.told();
    const shown = bytes && (await this.around(bytes, error.offset || 0).catch(() => null));
    if (shown) item.lastChild.append(shown);
  }

  // The bytes around a place of a file, which shows whether it is what its name says.
  async around(bytes, offset) {
    const at = Math.min(offset, bytes.size), from = Math.max(0, Math.floor((at - AROUND) / PER_LINE) * PER_LINE);
    const part = new Uint8Array(await bytes.slice(from, from + 2 * AROUND).arrayBuffer());
    if (part.length === 0) return null;
    const text = make("pre");
    text.textContent = dump(part, from, offset);
    text.tabIndex = 0;
    return group("details", "", make("summary", "", offset > 0 ? "The bytes there" : "Its first bytes"), text);
  }
}
