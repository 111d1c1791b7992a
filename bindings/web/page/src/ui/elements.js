// Making elements. Texts of files are always text, never markup.

import { make } from "../../../../../scripts/viewer/src/visible.js";
export { make, visible } from "../../../../../scripts/viewer/src/visible.js";

export const $ = (id) => document.getElementById(id);

/** A button with a text. */
export function button(text, action, className = "") {
  const made = make("button", className, text);
  made.type = "button";
  made.addEventListener("click", action);
  return made;
}

/** An element with children: elements or texts. */
export function group(tag, className, ...children) {
  const made = make(tag, className);
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined) made.append(typeof child === "string" ? make("span", "", child) : child);
  }
  return made;
}

/** A number of things: count(3, "file") is "3 files". */
export function count(n, one, many = one + "s") {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

const UNITS = ["bytes", "KiB", "MiB", "GiB"];

/** A number of bytes in words. */
export function size(bytes) {
  let unit = 0, n = bytes;
  while (n >= 1024 && unit < 3) {
    n /= 1024;
    unit++;
  }
  return unit === 0 ? count(bytes, "byte") : `${n.toFixed(n < 10 ? 1 : 0)} ${UNITS[unit]}`;
}
