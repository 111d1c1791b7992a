// Text of files: shown as text, with marks that change how it looks as visible escapes.

// Controls, marks that reverse or isolate the direction of text, invisible spaces and separators.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

function escaped(mark) {
  const code = mark.codePointAt(0);
  return code < 0x100 ? "\\x" + code.toString(16).padStart(2, "0") : "\\u{" + code.toString(16) + "}";
}

/** The text with escapes in place of marks that nobody can see. */
export function visible(text) {
  return String(text).replace(HIDDEN, escaped);
}

/** Makes an element that shows text. Markup in the text is not markup of the page. */
export function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = visible(text);
  return element;
}
