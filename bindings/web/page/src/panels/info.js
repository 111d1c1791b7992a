// Info: what `lathe info` prints.

import { make } from "../ui/elements.js";
import { follow } from "./parts.js";

// A line that is too long goes on below its value, or a little to the right of where it begins.
function line(text) {
  const made = make("span", "", text), [label] = text.match(/^ +[\w ]*?\w {2,}(?=\S)/) || [""];
  const indent = label ? label.length : text.length - text.trimStart().length + 4;
  made.style.paddingInlineStart = indent + "ch";
  made.style.textIndent = -indent + "ch";
  return made;
}

export function info(app) {
  const element = make("div", "info"), text = make("pre");
  text.tabIndex = 0;
  text.setAttribute("aria-label", "Facts about the file");
  element.append(text);
  const { show } = follow(app, element, async (doc, fresh) => {
    let found = "No file is open.";
    try {
      if (doc) found = (await app.call("info", {}, { doc })).result.lines.join("\n");
    } catch (error) {
      found = error.message;
    }
    if (fresh()) text.replaceChildren(...found.split("\n").map(line));
  });
  return { name: "info", title: "Info", element, show };
}
