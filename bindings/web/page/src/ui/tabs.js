// The tabs of documents; and with many of them, a list to choose from.

import { ask } from "./ask.js";
import { button, count, group, make } from "./elements.js";

const MANY = 6;
const PAUSE = 500; // milliseconds between additions to a long strip, whose layout takes time

export class Tabs {
  /** `strip`: the element with role tablist. `all`: the button of the list of all files. */
  constructor(app, strip, all) {
    this.app = app;
    this.strip = strip;
    this.all = all;
    this.tabs = new Map();
    this.fresh = []; // tabs that are not in the strip yet
    const { documents } = app;
    documents.on("opened", (doc) => this.add(doc));
    documents.on("closed", (doc) => this.remove(doc));
    documents.on("told", (doc) => this.label(doc));
    documents.on("current", (doc) => this.show(doc));
    strip.addEventListener("keydown", (event) => this.key(event));
    all.addEventListener("click", () => this.choose());
  }

  add(doc) {
    const place = make("div", "tab-place"), tab = button("", () => this.app.documents.select(doc), "tab");
    place.setAttribute("role", "presentation");
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", "work");
    const close = button("×", () => this.close(doc), "close");
    close.tabIndex = -1;
    place.append(tab, close);
    this.tabs.set(doc, { place, tab, close });
    this.fresh.push(place);
    this.label(doc);
    this.mark(doc, false);
    if (this.tabs.size < MANY) this.flush();
    else this.timer = this.timer || setTimeout(() => this.flush(), PAUSE);
  }

  // Puts the tabs that were made into the strip.
  flush() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.strip.append(...this.fresh.splice(0));
    this.counted();
  }

  remove(doc) {
    this.flush();
    this.tabs.get(doc).place.remove();
    this.tabs.delete(doc);
    this.counted();
  }

  counted() {
    this.all.hidden = this.tabs.size < MANY;
    this.all.textContent = `All ${count(this.tabs.size, "file")}…`;
    this.strip.parentElement.hidden = this.tabs.size === 0 && this.app.beside.size === 0;
  }

  label(doc) {
    const found = this.tabs.get(doc);
    if (!found) return;
    const { tab, close } = found;
    tab.replaceChildren(make("span", "", doc.short));
    if (doc.changed) tab.append(make("span", "dot", "changed"));
    tab.title = make("span", "", doc.name).textContent;
    close.setAttribute("aria-label", make("span", "", `Close ${doc.name}`).textContent);
    close.title = "Close (Delete)";
  }

  mark(doc, on) {
    const found = this.tabs.get(doc);
    if (!found) return;
    found.tab.setAttribute("aria-selected", on);
    found.tab.tabIndex = on ? 0 : -1;
  }

  show(doc) {
    if (this.shown) this.mark(this.shown, false);
    this.shown = doc;
    if (!doc) return;
    this.flush();
    this.mark(doc, true);
    this.tabs.get(doc).place.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { list } = this.app.documents, at = list.indexOf(this.shown);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: list.length - 1 }[event.key];
    if (event.key === "Delete") this.close(this.shown);
    else if (to === undefined) return;
    else if (list[to]) {
      this.app.documents.select(list[to]);
      this.tabs.get(list[to]).tab.focus();
    }
    event.preventDefault();
  }

  async close(doc) {
    const { app } = this;
    if (doc.changed) {
      const sure = await ask({ title: `Close ${doc.short}?`, text: "It has changes that are not saved. They will be lost.", ok: "Close without saving" });
      if (!sure) return;
    }
    try {
      await app.call("close", {}, { doc });
      const next = this.shown && this.tabs.get(this.shown);
      if (next) next.tab.focus();
    } catch (error) {
      app.fail(error);
    }
  }

  // A dialog with all files, which a text filters.
  choose() {
    const dialog = make("dialog", "chooser"), field = make("input"), list = make("ul", "choices");
    dialog.setAttribute("aria-label", "All open files");
    field.type = "search";
    field.placeholder = "Filter by name";
    field.setAttribute("aria-label", "Filter by name");
    const fill = () => {
      const wanted = field.value.trim().toLowerCase();
      const found = this.app.documents.list.filter((doc) => doc.name.toLowerCase().includes(wanted));
      list.replaceChildren(...found.map((doc) => {
        const choice = button(doc.name, () => {
          dialog.close();
          this.app.documents.select(doc);
        }, "result");
        if (doc.changed) choice.append(make("span", "dot", "changed"));
        return group("li", "", choice);
      }));
    };
    field.addEventListener("input", fill);
    fill();
    dialog.append(make("h2", "", "All open files"), field, list, group("div", "buttons", button("Close", () => dialog.close())));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    field.focus();
  }
}
