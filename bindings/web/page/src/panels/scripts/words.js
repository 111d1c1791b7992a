// Arguments of a script in one field: words between spaces; quotes keep spaces.

/** The words. */
export function wordsOf(text) {
  const found = text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
  return [...found].map(([, double, single, plain]) => double ?? single ?? plain);
}
