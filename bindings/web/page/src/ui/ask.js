// Questions, in a dialog of the page.

import { button, group, make } from "./elements.js";

/** Asks, and returns a promise of whether the answer was yes. `list`: further texts. `cancel` null: there is nothing to decide. */
export function ask({ title, text, list = [], ok = "OK", cancel = "Cancel" }) {
  const dialog = make("dialog", "ask");
  const close = (answer) => () => dialog.close(answer);
  const yes = button(ok, close("yes"), "primary"), no = cancel && button(cancel, close(""));
  const items = list.map((one) => make("li", "", one));
  dialog.setAttribute("aria-label", title);
  dialog.append(make("h2", "", title), ...(text ? [make("p", "", text)] : []), ...(items.length ? [group("ul", "plain", items)] : []),
    group("div", "buttons", no, yes));
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    dialog.showModal();
    (no || yes).focus();
  });
}
