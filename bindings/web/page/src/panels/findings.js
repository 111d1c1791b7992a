// Findings: what `check` says of the current document or of all, and why files were refused.

import { button, count, group, make } from "../ui/elements.js";
import { fieldLink, follow, lead } from "./parts.js";
import { Refusals } from "./refusals.js";

const LARGE = 8 * 1024 * 1024; // bytes; larger files are checked when the user says so
const MOST = 300;              // findings that are shown of a file
const MINUTE = 60000;

const hex = (offset) => "0x" + offset.toString(16);
const is = (level) => (finding) => finding.level === level;

/** How many errors and warnings there are, in words; "" if there are none. */
function tally(findings) {
  const errors = findings.filter(is("error")).length, warnings = findings.filter(is("warning")).length;
  const others = findings.length - errors - warnings;
  return [errors && count(errors, "error"), warnings && count(warnings, "warning"), others && count(others, "note")].filter(Boolean).join(", ");
}

// Parts of a line, with blanks between them.
function spaced(...parts) {
  const made = make("span");
  for (const part of parts) if (part) made.append(...(made.childNodes.length > 0 ? [" "] : []), part);
  return made;
}

class Findings {
  constructor(app, element) {
    this.app = app;
    this.now = make("div");
    this.all = make("div");
    this.all.setAttribute("role", "status");
    this.refusals = new Refusals(app, () => this.badge());
    this.found = []; // of the current document
    this.checkAll = button("Check all open files", () => app.during(this.checkEach()));
    element.append(this.now, this.refusals.element, group("div", "buttons", this.checkAll), this.all);
    this.follower = follow(app, element, (doc, fresh) => this.refresh(doc, fresh, false), { always: true });
    const counted = () => (this.checkAll.hidden = app.documents.list.length < 2);
    app.documents.on("opened", counted);
    app.documents.on("closed", counted);
    app.documents.on("changed", () => this.outdated());
    counted();
  }

  // What was found in all files is as it was then.
  outdated() {
    if (this.all.children.length > 0 && !this.all.querySelector(".outdated")) {
      this.all.prepend(make("p", "faint outdated", "Files have changed since all were checked."));
    }
  }

  badge() {
    const { app, found, refusals } = this;
    const refused = refusals.size && `${refusals.size} refused`;
    if (app.panels) app.panels.badge("findings", [refused, tally(found)].filter(Boolean).join(", "));
  }

  async refresh(doc, fresh, asked) {
    this.found = [];
    if (!doc) {
      this.now.replaceChildren(make("p", "faint", "No file is open."));
      return this.badge();
    }
    if (doc.size > LARGE && !asked) {
      this.now.replaceChildren(make("p", "faint", `${doc.name} is large: checking it takes a while.`),
        button("Check it", () => this.app.during(this.refresh(doc, () => doc === this.app.current, true))));
      return this.badge();
    }
    const { findings, problem } = await this.check(doc);
    if (!fresh()) return;
    this.found = findings;
    this.now.replaceChildren(this.section(doc, findings, problem));
    this.badge();
  }

  // What check says: { findings, problem }.
  async check(doc) {
    try {
      return (await this.app.call("check", {}, { doc, limit: MINUTE })).result;
    } catch (error) {
      return { findings: [], problem: `It could not be checked: ${error.message}`, code: error.code };
    }
  }

  section(doc, findings, problem) {
    const title = problem || (findings.length > 0 ? tally(findings) : "nothing was found");
    const list = make("ul", "findings");
    list.append(...findings.slice(0, MOST).map((one) => this.item(doc, one)));
    const more = findings.length - MOST;
    return group("section", "", make("h3", problem ? "problem" : "", `${doc.name}: ${title}`), list,
      more > 0 ? make("p", "faint", `… and ${count(more, "more finding")}`) : null);
  }

  item(doc, { level, where, offset, message }) {
    const place = where ? fieldLink(this.app, doc, where) : null;
    const at = offset === undefined ? null : make("span", "faint", `at ${hex(offset)}`);
    const item = group("li", "finding " + level, make("span", "level", level), spaced(place, at, make("span", "message", message)));
    if (where) {
      item.classList.add("leads");
      item.addEventListener("click", (event) => !event.target.closest("button") && getSelection().isCollapsed && lead(this.app, doc, where));
    }
    return item;
  }

  async checkEach() {
    const list = [...this.app.documents.list], bad = [];
    let done = 0;
    this.checkAll.disabled = true;
    for (const doc of list) {
      this.all.replaceChildren(make("p", "faint", `Checked ${done} of ${list.length} files…`));
      const { findings, problem, code } = await this.check(doc);
      if (code === "stopped") break;
      if (problem || findings.length > 0) bad.push(this.section(doc, findings, problem));
      done++;
    }
    const stopped = done < list.length ? `; it was stopped, of ${list.length}` : "";
    this.all.replaceChildren(make("p", "summary", `${count(done, "file was", "files were")} checked${stopped}. `
      + (bad.length ? `${count(bad.length, "file has", "files have")} findings:` : "Nothing was found.")), ...bad);
    this.checkAll.disabled = false;
  }
}

export function findings(app) {
  const element = make("div", "check"), made = new Findings(app, element);
  return { name: "findings", title: "Findings", element, show: made.follower.show };
}
