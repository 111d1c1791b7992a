// Help: what the page is, that files stay here, keys, formats, licences.

import { text } from "../lathe/blocks.js";
import { group, make, size } from "../ui/elements.js";

const KEYS = [
  ["Tree", "Up, Down, Page Up, Page Down, Home, End", "go from row to row"],
  ["", "Right, Left", "open and close; go to the row below or above"],
  ["", "Enter or F2", "edit the value; Escape leaves it as it was"],
  ["", "Ctrl+Enter, Backspace", "go to what a reference points at, and back"],
  ["", "letters", "go to the next name that begins with them"],
  ["Picture", "arrow keys, + and -, F", "turn, zoom, fit"],
  ["Prompt", "Tab; Up, Down", "complete the line; lines that were typed before"],
  ["", "Shift+Enter", "start a new line in the same statement"],
  ["", "Escape", "close the list, discard an unfinished statement; then Tab leaves the field"],
  ["Tabs", "Left, Right; Delete", "another document or panel; close the document"],
  ["Page", "Ctrl+O, Ctrl+S", "open files, save the document"],
  ["", "Ctrl+Z, Ctrl+Y", "undo, redo"],
  ["", "Ctrl+F", "search in the fields"],
];

const PRIVATE = [
  "Files stay on this computer. The page has all it needs inside itself: it loads nothing, sends nothing and stores nothing.",
  "You can check that. The policy in the first lines of its source (Content-Security-Policy) has no connect-src, "
    + "so the browser refuses every connection. The network tab of the browser's tools (F12) stays empty. "
    + "And it works the same without a network.",
  "What is not saved is gone when the page is closed.",
];

// Commands without a form or another place in the page.
const ELSEWHERE = [
  "Only the command line has these: apply, build, find, precombine, preview (pictures as files), view (a page for others), undo (of .bak files), "
    + "and convert --into (one geometry file for several models). It also works on whole folders, in several processes, and on files that are too large for a browser.",
];

function table(rows) {
  const made = make("table");
  for (const row of rows) made.append(group("tr", "", row.map((cell, i) => make(i === 0 ? "th" : "td", "", cell))));
  return made;
}

function section(title, ...content) {
  return group("section", "", make("h2", "", title), content);
}

export function about(app) {
  const element = make("div", "about"), facts = make("div");
  const licences = group("details", "", make("summary", "", "Licences of lathe and the libraries in this page")), full = make("pre");
  licences.append(full);
  licences.addEventListener("toggle", async () => {
    if (licences.open && full.textContent === "") full.textContent = await text("lathe-licences");
  });
  app.on("ready", (told) => {
    const formats = told.formats.map((format) => [format.name, [format.extensions.join(" "), format.doc].filter(Boolean).join(" – ")]);
    facts.replaceChildren(
      section("Formats", table(formats)),
      section("Limits", make("p", "", `A file may have ${size(told.limits.file)}, all open files together ${size(told.limits.all)}.`),
        told.lacks.map((one) => make("p", "", `Missing here: ${one}`))),
      section("Version", make("p", "", `lathe ${told.version}`)));
  });
  element.append(
    section("Your files stay here", PRIVATE.map((one) => make("p", "", one))),
    section("How to begin", make("p", "", "Drop files or a folder anywhere on the page, or open them with the buttons above. "
      + "Click a field to see what it is, and click its value again to change it. Click the picture to find the field of a triangle. "
      + "Save gives you the changed file as a download.")),
    section("What is not here", ELSEWHERE.map((one) => make("p", "", one))),
    section("Scripts in a link", make("p", "", "An address of this page may carry a script: #script= and the script's UTF-8 text as base64url, at most 64 KiB, "
      + "and &name= with its name. The panel Scripts shows it in full; it runs only when you press Preview or Run. Copy link there makes such an address.")),
    section("Keys", table(KEYS)),
    facts,
    section("Licences", licences));
  return { name: "about", title: "Help", element };
}
