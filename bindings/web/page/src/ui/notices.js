// Messages to the user, at the top of the page until they are closed.

import { button, group, make } from "./elements.js";

const MOST = 4;
const SHORT = 8000; // milliseconds that a note without a list stays
const LONG = 20000; // with a button

export class Notices {
  constructor(element) {
    this.element = element;
  }

  /** Shows a message: "note", "warning" or "error", with a list of further texts, and a button that does something: { text, run }. */
  add(text, kind, more = [], action = null) {
    const line = group("div", "notice " + kind, make("p", "", text));
    if (kind === "error") line.setAttribute("role", "alert");
    if (more.length > 0) {
      const list = make("ul", "plain");
      list.append(...more.map((one) => make("li", "", one)));
      list.tabIndex = 0;
      list.setAttribute("aria-label", "Details");
      line.append(list);
    }
    const act = action && button(action.text, () => {
      line.remove();
      action.run();
    });
    const close = button("Close", () => line.remove(), "quiet");
    close.setAttribute("aria-label", "Close this message");
    line.append(...(act ? [act] : []), close);
    this.element.append(line);
    while (this.element.children.length > MOST) this.element.firstChild.remove();
    if (kind === "note" && more.length === 0) setTimeout(() => line.remove(), action ? LONG : SHORT);
  }
}
