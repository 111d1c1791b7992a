// What a script did with each document: those that failed first.

import { button, count, group, make } from "../../ui/elements.js";
import { block } from "../prompt/text.js";

const MOST_ROWS = 200; // documents of a kind that are listed
const MOST_TEXT = 200000; // characters that are shown of a text

const cut = (text) => (text.length > MOST_TEXT ? text.slice(0, MOST_TEXT) + `\n… ${(text.length - MOST_TEXT).toLocaleString("en")} characters more` : text);

export class Results {
  /** `goLine(number)`: shows a line of the script. */
  constructor(app, goLine) {
    Object.assign(this, { app, goLine });
    this.element = make("div", "script-results");
  }

  clear() {
    this.element.replaceChildren();
  }

  /** What went wrong with the script as a whole. */
  fail(message, note) {
    this.element.replaceChildren(this.problem(message), ...(note ? [make("p", "", note)] : []));
  }

  problem(message) {
    const made = group("div", "", block("pre", "problem", cut(message)));
    const line = message.match(/\.lua:(\d+):/) || message.match(/^[^\n]*?:(\d+):/);
    if (line) made.append(button(`Show line ${line[1]}`, () => this.goLine(Number(line[1])), "small"));
    return made;
  }

  show({ results, output, preview, name, docs }) {
    const groups = { failed: [], changed: [], unchanged: [] };
    for (const one of results) groups[one.status].push(one);
    const { failed, changed, unchanged } = groups;
    const words = [`${changed.length} ${preview ? "would change" : "changed"}`, `${unchanged.length} unchanged`];
    if (failed.length > 0) words.unshift(`${failed.length} failed`);
    const undo = !preview && changed.length > 0 ? " Undo takes it back, in each file; Save gives you the files." : preview ? " Nothing was changed yet." : "";
    this.element.replaceChildren(make("h2", "", `${preview ? "Preview of" : "Done:"} ${name}`), make("p", "", `${words.join(", ")}.${undo}`));
    if (output) this.element.append(group("details", "output", make("summary", "", "What it printed"), block("pre", "", cut(output))));
    const printed = this.element.querySelector(".output");
    if (printed) printed.open = true;
    this.list(failed, docs, preview);
    this.list(changed, docs, preview);
    if (unchanged.length === 0) return;
    const rest = group("details", "", make("summary", "", count(unchanged.length, "unchanged file")));
    this.element.append(rest);
    this.list(unchanged, docs, preview, rest);
  }

  list(rows, docs, preview, place = this.element) {
    const list = make("ul", "plain");
    for (const one of rows.slice(0, MOST_ROWS)) list.append(this.row(one, docs.get(one.id), preview));
    if (rows.length > MOST_ROWS) list.append(make("li", "faint", `… and ${count(rows.length - MOST_ROWS, "file")} more`));
    if (rows.length > 0) place.append(list);
  }

  row({ name, status, error, lines, diff }, doc, preview) {
    const item = make("li", status);
    item.append(group("p", "", button(name, () => doc && this.app.show(doc), "link"), make("span", "faint", preview && status === "changed" ? "would change" : status)));
    if (error) item.append(this.problem(error));
    if (lines.length > 0) item.append(block("pre", "", cut(lines.join("\n"))));
    if (!diff) return item;
    const more = diff.more > 0 ? `\n… ${count(diff.more, "line")} more` : "";
    item.append(group("details", "", make("summary", "", count(diff.count, "difference")), block("pre", "", cut(diff.lines.join("\n") + more))));
    return item;
  }

  /** Files that scripts wrote below the root. */
  files(list) {
    if (list.length === 0) return;
    const rows = list.map(({ name, size }) => group("li", "", button(name, () => this.download(name), "link"),
      make("span", "faint", count(size, "byte"))));
    this.element.append(make("h2", "", "Files that scripts wrote, in this page only"), group("ul", "plain files", rows));
  }

  async download(name) {
    try {
      const { blobs } = await this.app.call("file", { name });
      this.app.download(name, blobs[0]);
      this.app.written.delete(name);
    } catch (error) {
      this.app.fail(error, name);
    }
  }
}
