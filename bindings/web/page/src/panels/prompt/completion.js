// The list of completions of a line. Lathe finds them: the same as in the shell.

import { make } from "../../ui/elements.js";

const LIMIT = 3000; // milliseconds
const MOST = 200;   // candidates that are listed

export class Completion {
  /** `field`: the text area. `changed()` is called when a candidate was put into it. `say(text)`: tells what was found. */
  constructor(app, field, { changed, say }) {
    Object.assign(this, { app, field, changed, say });
    this.element = make("ul", "completion");
    this.element.id = "prompt-candidates";
    this.element.setAttribute("role", "listbox");
    this.element.setAttribute("aria-label", "Completions");
    this.element.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
    this.element.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.take([...this.element.children].indexOf(option));
    });
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-controls", this.element.id);
    this.close();
  }

  get open() {
    return !this.element.hidden;
  }

  close() {
    this.element.hidden = true;
    this.element.replaceChildren();
    this.found = null;
    this.at = -1;
    this.asked = null;
    this.field.removeAttribute("aria-activedescendant");
  }

  /** Looks for completions. With `insert`, what all candidates have in common is put into the line. */
  async look(insert) {
    const { app, field } = this, asked = (this.asked = {});
    const cursor = field.selectionStart, line = field.value.slice(0, cursor);
    let result;
    try {
      ({ result } = await app.call("complete", { line, columns: 80 }, { doc: app.current, limit: LIMIT, first: true }));
    } catch (error) {
      if (asked === this.asked) this.close();
      if (error.code !== "stopped") this.say(error.message);
      return;
    }
    if (asked !== this.asked || field.selectionStart !== cursor || !field.value.startsWith(line)) return;
    this.show({ ...result, line, cursor }, insert);
  }

  show(found, insert) {
    const { candidates, keep, common, line } = found;
    if (candidates.length === 0) {
      this.close();
      if (insert) this.say("Nothing can be completed here.");
      return;
    }
    const typed = line.slice(keep.length), one = candidates.length === 1;
    this.found = found;
    if (one && insert) {
      this.take(0);
      return;
    }
    if (insert && common.length > typed.length) this.put(common);
    this.list();
    const many = candidates.length > MOST || found.more ? `${candidates.length.toLocaleString("en")} or more` : candidates.length;
    this.say(`${many} completions: Tab or arrow keys select, Enter inserts, Escape closes.`);
  }

  // Puts a word behind what is kept of the line.
  put(word) {
    const { field, found } = this, start = found.keep + word;
    field.value = start + field.value.slice(found.cursor);
    field.setSelectionRange(start.length, start.length);
    found.cursor = start.length;
    found.line = start;
    this.changed();
  }

  list() {
    const { candidates, more } = this.found;
    const rows = candidates.slice(0, MOST).map((one, i) => {
      const row = make("li");
      row.id = `prompt-candidate-${i}`;
      row.setAttribute("role", "option");
      row.setAttribute("aria-selected", false);
      row.append(make("span", "name", one.label || one.word));
      if (one.type) row.append(make("span", "type", one.type));
      if (one.doc) row.append(make("span", "faint doc", one.doc));
      return row;
    });
    if (more || candidates.length > MOST) {
      const last = make("li", "faint", "… and more: type a letter or two, then Tab");
      last.setAttribute("role", "presentation");
      rows.push(last);
    }
    this.element.replaceChildren(...rows);
    this.element.hidden = false;
    this.element.scrollTop = 0;
    this.at = -1;
    this.field.removeAttribute("aria-activedescendant");
  }

  move(by) {
    const rows = [...this.element.querySelectorAll("[role=option]")];
    if (rows[this.at]) rows[this.at].setAttribute("aria-selected", false);
    this.at = this.at < 0 && by < 0 ? rows.length - 1 : (this.at + by + rows.length) % rows.length;
    const row = rows[this.at];
    row.setAttribute("aria-selected", true);
    row.scrollIntoView({ block: "nearest" });
    this.field.setAttribute("aria-activedescendant", row.id);
  }

  take(i) {
    this.put(this.found.candidates[i].word);
    this.close();
    this.field.focus();
  }

  /** Handles a key while the list is open. Returns whether it did. */
  key(event) {
    if (!this.open || event.ctrlKey || event.altKey || event.metaKey) return false;
    if (event.key === "Tab") this.move(event.shiftKey ? -1 : 1);
    else if (event.key === "ArrowDown") this.move(1);
    else if (event.key === "ArrowUp") this.move(-1);
    else if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && this.at >= 0) this.take(this.at);
    else return false;
    return true;
  }
}
