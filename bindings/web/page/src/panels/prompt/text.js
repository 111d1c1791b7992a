// Text of several lines: what cannot be seen in a line is shown as escapes, but line ends and tabs stay.

import { visible } from "../../ui/elements.js";

// Lua takes each of these for a line end, so that code cannot hide behind a comment.
const LINE_END = /\r\n|\n\r|\n|\r/;

/** The lines of a text, as Lua counts them. */
export function linesOf(text) {
  return text.split(LINE_END);
}

/** The text to show in an element whose white space is kept. */
function shown(text) {
  return linesOf(text).map((line) => line.split("\t").map(visible).join("\t")).join("\n");
}

/** An element with such a text. */
export function block(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.textContent = shown(text);
  return made;
}
