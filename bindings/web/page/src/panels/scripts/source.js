// The text of a script with the numbers of its lines.

import { group, make } from "../../ui/elements.js";
import { block, linesOf } from "../prompt/text.js";

export class Source {
  constructor() {
    this.title = make("summary");
    this.numbers = make("pre", "numbers");
    this.numbers.setAttribute("aria-hidden", true);
    this.body = group("div", "source", this.numbers);
    this.body.tabIndex = 0;
    this.body.setAttribute("role", "region");
    this.body.setAttribute("aria-label", "Text of the script");
    this.element = group("details", "", this.title, this.body);
  }

  show(text, whole) {
    const lines = linesOf(text.replace(/\n$/, "")).length;
    this.text = block("pre", "", text);
    this.title.textContent = `Text of the script (${lines.toLocaleString("en")} ${lines === 1 ? "line" : "lines"})`;
    this.numbers.textContent = Array.from({ length: lines }, (_, i) => i + 1).join("\n");
    this.body.replaceChildren(this.numbers, this.text);
    this.body.classList.toggle("whole", whole);
    this.element.open = whole;
  }

  /** Shows a line, and selects it. */
  go(line) {
    this.element.open = true;
    const node = this.text.firstChild, lines = this.text.textContent.split("\n");
    if (!node || line < 1 || line > lines.length) return;
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    getSelection().setBaseAndExtent(node, start, node, start + lines[line - 1].length);
    const height = this.text.getBoundingClientRect().height / lines.length;
    this.body.scrollTop = Math.max(0, (line - 3) * height);
    this.body.scrollIntoView({ block: "nearest" });
    this.body.focus({ preventScroll: true });
  }
}
