// Differences: what differs from the file as it was opened or saved, or from another one; and the steps of undo.

import { button, count, group, make } from "../ui/elements.js";
import { settled } from "../ui/settled.js";
import { fill, follow, lines, select } from "./parts.js";

const MOST = 500;  // lines that are shown
const PAUSE = 100; // milliseconds without another file, until it can be chosen

export function differences(app) {
  const element = make("div", "differences"), found = make("div"), steps = make("div");
  const against = select("Compare with", []);
  const choices = () => {
    const others = app.documents.list.filter((doc) => doc !== app.current && app.current && doc.format === app.current.format);
    const keys = others.map((doc) => ({ text: doc.name, value: "doc " + key(doc) }));
    fill(against, [{ text: "the file as opened", value: "opened" }, { text: "the file as last saved", value: "saved" }, ...keys]);
    return others;
  };
  const follower = follow(app, element, async (doc, fresh) => {
    const others = choices(), other = others.find((one) => "doc " + key(one) === against.value);
    if (!doc) {
      found.replaceChildren(make("p", "faint", "No file is open."));
      steps.replaceChildren();
      return;
    }
    const [differing, history] = await Promise.all([compared(app, doc, other, against.value), stepsOf(app, doc)]);
    if (!fresh()) return;
    found.replaceChildren(...differing);
    steps.replaceChildren(...history);
  });
  const also = () => !element.hidden && follower.again();
  const soon = settled(app, PAUSE, choices); // thousands of files may come
  app.documents.on("opened", soon);
  app.documents.on("closed", soon);
  app.documents.on("told", (doc) => doc === app.current && against.value === "saved" && also());
  against.addEventListener("change", follower.again);
  element.append(group("label", "against", make("span", "", "Compare with"), against), found, steps);
  return { name: "differences", title: "Differences", element, show: follower.show };
}

let keys = 0;
const known = new WeakMap();

// A name of a document that stays when lathe is started again.
function key(doc) {
  if (!known.has(doc)) known.set(doc, ++keys);
  return known.get(doc);
}

async function compared(app, doc, other, value) {
  try {
    const { result } = await app.call("diff", () => ({ against: other ? other.id : value }), { doc, limit: 60000 });
    const what = other ? other.name : value === "saved" ? "the file as last saved" : "the file as opened";
    if (result.same) return [make("p", "summary", `Nothing differs from ${what}.`)];
    const shown = result.lines.slice(0, MOST), more = result.lines.length - shown.length;
    return [make("p", "summary", `${count(result.count, "difference")}: on the left ${what}, on the right ${doc.name} now.`), lines(app, doc, shown),
      ...(more > 0 ? [make("p", "faint", `… and ${count(more, "more line")}`)] : [])];
  } catch (error) {
    return [make("p", "problem", error.message)];
  }
}

// ---- steps --------------------------------------------------------------------------------------------------------

function list(app, doc, names, call, verb) {
  const made = make("ol", "steps");
  names.forEach((name, i) => {
    const act = button(i === 0 ? verb : `${verb} these ${i + 1}`, async () => {
      try {
        await app.call(call, { steps: i + 1 }, { doc, first: true });
      } catch (error) {
        app.fail(error);
      }
    }, "link");
    act.setAttribute("aria-label", make("span", "", `${act.textContent}: ${name}`).textContent);
    made.append(group("li", "", make("span", "step", name), act));
  });
  return made;
}

async function stepsOf(app, doc) {
  try {
    const { result } = await app.call("steps", {}, { doc });
    const { undo, redo } = result, made = [make("h3", "", "Steps")];
    if (undo.length + redo.length === 0) return [...made, make("p", "faint", "Nothing was changed yet.")];
    if (undo.length > 0) made.push(make("p", "faint", "Done, the last one first:"), list(app, doc, undo, "undo", "Undo"));
    if (redo.length > 0) made.push(make("p", "faint", "Undone, the next one first:"), list(app, doc, redo, "redo", "Redo"));
    return made;
  } catch (error) {
    return [make("p", "problem", error.message)];
  }
}
