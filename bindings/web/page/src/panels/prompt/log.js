// What the prompt has printed. The oldest entries are dropped when it becomes too long, and the log says so.

import { make } from "../../ui/elements.js";
import { block, linesOf } from "./text.js";

const MOST_LINES = 5000;
const MOST_CHARACTERS = 2 << 20;

export class Log {
  constructor() {
    this.element = make("div", "prompt-log");
    this.element.tabIndex = 0;
    this.element.setAttribute("role", "log");
    this.element.setAttribute("aria-label", "What the prompt has printed");
    this.dropped = make("p", "faint");
    this.dropped.hidden = true;
    this.element.append(this.dropped);
    this.entries = [];
    this.lines = this.characters = 0;
  }

  /** Adds a text. `kind`: "typed", "printed", "problem" or "note". `mark`: what stands in front of it. */
  add(text, kind, mark = "") {
    const element = block("pre", kind, mark + text);
    const entry = { element, lines: linesOf(text).length, characters: text.length };
    const atEnd = this.atEnd();
    this.entries.push(entry);
    this.lines += entry.lines;
    this.characters += entry.characters;
    this.element.append(element);
    this.drop();
    if (atEnd || kind === "typed") this.toEnd();
  }

  drop() {
    let some = false;
    while (this.entries.length > 1 && (this.lines > MOST_LINES || this.characters > MOST_CHARACTERS)) {
      const oldest = this.entries.shift();
      this.lines -= oldest.lines;
      this.characters -= oldest.characters;
      oldest.element.remove();
      some = true;
    }
    if (!some) return;
    this.dropped.hidden = false;
    this.dropped.textContent = `Older text was dropped: about ${MOST_LINES.toLocaleString("en")} lines are kept.`;
  }

  clear() {
    for (const { element } of this.entries) element.remove();
    this.entries = [];
    this.lines = this.characters = 0;
    this.dropped.hidden = true;
  }

  atEnd() {
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    return scrollHeight - scrollTop - clientHeight < 8;
  }

  toEnd() {
    this.element.scrollTop = this.element.scrollHeight;
  }

  page(direction) {
    this.element.scrollBy(0, direction * Math.max(20, this.element.clientHeight - 40));
  }
}
