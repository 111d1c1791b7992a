// What a command said and what it changed.

import { count, group, make } from "../../ui/elements.js";
import { line, lines } from "../parts.js";

const PLAIN = /^(unchanged|changed|\d+ changes?)$/; // what the title says
const KINDS = [[/^\s*warning: /, "warning"], [/^\s*note: /, "note"], [/^\s*error: /, "error"]];

function said(app, doc, { lines: list, messages }) {
  // What it says besides its results repeats some of their lines.
  const also = (messages || "").split("\n").map((text) => text.replace(/^lathe [\w-]+: /, "")).filter((text) => text !== "" && !list.includes(text));
  const made = make("ul", "said");
  const without = (text) => (text.startsWith(doc.name + ": ") ? text.slice(doc.name.length + 2) : text);
  for (const text of [...list, ...also].map(without)) {
    if (PLAIN.test(text)) continue;
    const kind = KINDS.find(([pattern]) => pattern.test(text));
    made.append(line(app, doc, text, kind ? kind[1] : ""));
  }
  return made;
}

// A note: a text, or of a place.
const noted = (note) => (typeof note === "string" ? note : [note.path, note.reason].filter(Boolean).join(": "));

// Warnings, notes and what was skipped, as far as the lines do not say it.
function reported(app, doc, { lines: list, messages = "", report }) {
  if (!report) return [];
  const text = list.join("\n") + messages;
  return [["warnings", "warning"], ["notes", "note"], ["skipped", "skipped"]].flatMap(([member, word]) => {
    const missing = (report[member] || []).map(noted).filter((one) => !text.includes(one) && !text.includes(one.slice(one.indexOf(": ") + 2)));
    return missing.length > 0 ? [lines(app, doc, missing.map((one) => `  ${word}: ${one}`), word)] : [];
  });
}

/** Shows the result of `apply`. `kind`: "preview", "applied", or "query" for a command that changes nothing. */
export function outcome(app, doc, result, kind) {
  const { diff } = result, element = make("section", "outcome " + kind);
  if (kind !== "query") {
    const number = count(diff.count, "difference");
    const title = kind === "preview" ? (diff.same ? "Preview: nothing would change" : `Preview: ${number}. The file is as it was`)
      : diff.same ? "Nothing was changed" : `Applied: ${number}`;
    element.append(make("h3", "", title + "."));
  }
  element.append(said(app, doc, result), ...reported(app, doc, result));
  if (kind !== "query" && !diff.same) {
    element.append(lines(app, doc, diff.lines, "diff"));
    const more = `… and ${count(diff.more, "more line")}. The panel Differences has them once this is applied.`;
    if (diff.more > 0) element.append(make("p", "faint", more));
  }
  return element;
}

/** Shows what was made for a download. */
export function downloaded(app, doc, result, names) {
  const list = [...(result.lines || []), ...(result.notes || []).map(noted)];
  return group("section", "outcome applied", make("h3", "", `Downloaded: ${names.join(", ")}.`), lines(app, doc, [...new Set(list)]));
}
