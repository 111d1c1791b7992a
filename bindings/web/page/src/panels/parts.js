// What panels share: following the current document, and lines whose paths lead to their field.

import { $, button, group, make } from "../ui/elements.js";

const WAIT = 200; // milliseconds without a further change, until a panel follows

/** Calls `refresh(doc, fresh)` when another document is shown or its contents change, but only while `element` is shown, unless
 * `always`. `fresh()` says, after a pause, whether it still has to show what it found. Returns { show, again }: a panel
 * calls `show` when it becomes visible, and `again` to refresh at once. */
export function follow(app, element, refresh, { always = false } = {}) {
  let asked = null, stale = true;
  const now = async () => {
    const mine = (asked = {});
    stale = false;
    await refresh(app.current, () => mine === asked);
  };
  const later = () => {
    stale = true;
    if (element.hidden && !always) return;
    const mine = (asked = {});
    app.during(new Promise((done) => setTimeout(done, WAIT)).then(() => mine === asked && now()));
  };
  app.documents.on("current", later);
  app.documents.on("changed", (doc) => doc === app.current && later());
  return { show: () => stale && app.during(now()), again: () => app.during(now()) };
}

/** Selects a field. The focus stays where it is if that is still in sight. */
export function lead(app, doc, path) {
  const from = document.activeElement;
  app.go(doc, path);
  if (from && from.offsetParent === null) $("tree").focus();
}

/** A button that leads to a field. */
export function fieldLink(app, doc, path) {
  const link = button(path, () => lead(app, doc, path), "link path");
  link.title = "Show this field";
  return link;
}

// A path in front of a line. A single name could be a word, so it needs the colon of a difference.
const PATH = /^(\s*)((?:[A-Za-z_]\w*)(?:\.[A-Za-z_]\w*|\[[^\]\n]*\])+(?=[:\s]|$)|[A-Za-z_]\w*(?=: .* -> ))/;

/** A line of lathe, whose path leads to its field. */
export function line(app, doc, text, className = "") {
  const found = doc && !text.startsWith(doc.name) && text.match(PATH);
  if (!found) return make("li", className, text);
  return group("li", className, found[1] || null, fieldLink(app, doc, found[2]), make("span", "", text.slice(found[0].length)));
}

/** A list of lines. */
export function lines(app, doc, list, className = "") {
  const made = make("ul", ("said " + className).trim());
  made.append(...list.map((text) => line(app, doc, text)));
  return made;
}

/** A choice: { text, value } of each. */
export function select(label, choices) {
  const made = make("select");
  made.setAttribute("aria-label", label);
  fill(made, choices);
  return made;
}

/** Gives a choice other things to choose from; what is chosen stays if it is there. */
export function fill(made, choices) {
  const { value } = made;
  made.replaceChildren(...choices.map(({ text, value: its }) => {
    const option = make("option", "", text);
    option.value = its;
    return option;
  }));
  if (choices.some((choice) => choice.value === value)) made.value = value;
}
