// What lies over the picture: buttons, the key of collision, the size, a message.

import { make } from "../visible.js";

export const KINDS = ["shapes", "collision", "skeleton"];

function button(className, text, action) {
  const made = make("button", className, text);
  made.type = "button";
  made.addEventListener("click", action);
  return made;
}

/** Buttons that show and hide kinds of objects. `toggle` is called with the kind. */
export class Toggles {
  constructor(place, toggle) {
    this.buttons = new Map();
    KINDS.forEach((kind, i) => {
      const made = button("show-" + kind, kind[0].toUpperCase() + kind.slice(1), () => toggle(kind));
      place.insertBefore(made, place.children[i] || null);
      this.buttons.set(kind, made);
    });
  }

  /** `shown`: what there is, and whether it is shown, by kind. */
  set(shown) {
    for (const [kind, made] of this.buttons) {
      made.hidden = shown[kind] === undefined;
      made.setAttribute("aria-pressed", shown[kind] === true);
    }
  }

  dispose() {
    for (const made of this.buttons.values()) made.remove();
  }
}

/** Buttons that move the camera. */
export function corner(fit, fitSelected) {
  const bar = make("div", "picture-corner");
  const selected = button("fit-selected", "Fit selected", fitSelected);
  selected.disabled = true;
  bar.append(button("fit", "Fit", fit), selected);
  return { bar, selected };
}

/** The names and colours of the materials of collision. */
export class Key {
  constructor() {
    this.element = make("div", "picture-key");
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", "Colours of collision");
    this.list = make("ul");
    this.element.append(make("h2", "", "Collision"), this.list);
    this.element.hidden = true;
  }

  set(materials) {
    this.list.replaceChildren(...materials.map(([name, color]) => {
      const item = make("li"), swatch = make("span", "swatch");
      swatch.style.backgroundColor = color;
      item.append(swatch, make("span", "", name || "no material"));
      return item;
    }));
  }
  /** Shows or hides it. The Tab key stops at it if it scrolls. */
  show(on) {
    this.element.hidden = !on;
    if (this.element.scrollHeight > this.element.clientHeight) this.element.tabIndex = 0;
    else this.element.removeAttribute("tabindex");
  }
}
