// The panels: a strip of tabs, and below it the panel that is shown.

import { button, make } from "./elements.js";

export class Dock {
  /** `makers`: functions that make a panel: see panels/README.md. */
  constructor(app, strip, place, makers) {
    this.app = app;
    this.strip = strip;
    this.panels = new Map();
    for (const maker of makers) this.add(maker(app), place);
    strip.addEventListener("keydown", (event) => this.key(event));
    this.open([...this.panels.keys()][0]);
    app.panels = this;
  }

  add(panel, place) {
    const tab = button(panel.title, () => this.open(panel.name), "tab");
    tab.id = "tab-" + panel.name;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", "panel-" + panel.name);
    const { element } = panel;
    element.id = "panel-" + panel.name;
    element.classList.add("panel");
    element.setAttribute("role", "tabpanel");
    element.setAttribute("aria-labelledby", tab.id);
    element.hidden = true;
    this.panels.set(panel.name, { ...panel, tab });
    this.strip.append(tab);
    place.append(element);
  }

  /** Shows a panel by name. */
  open(name) {
    for (const [one, panel] of this.panels) {
      const on = one === name;
      panel.tab.setAttribute("aria-selected", on);
      panel.tab.tabIndex = on ? 0 : -1;
      panel.element.hidden = !on;
      if (on && this.shown !== name && panel.show) panel.show();
    }
    this.shown = name;
  }

  /** Shows a panel, also where the page shows one part at a time, and moves the focus to it. */
  reveal(name) {
    this.open(name);
    this.app.emit("view", "tools");
    this.panels.get(name).tab.focus();
  }

  /** A short text behind the title of a panel: a number of findings; "" is none. */
  badge(name, text) {
    const { tab, title } = this.panels.get(name);
    tab.replaceChildren(make("span", "", title));
    if (text) tab.append(make("span", "badge", text));
  }

  key(event) {
    const names = [...this.panels.keys()], at = names.indexOf(this.shown);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[event.key];
    if (to === undefined || !names[to]) return;
    event.preventDefault();
    this.open(names[to]);
    this.panels.get(names[to]).tab.focus();
  }
}
