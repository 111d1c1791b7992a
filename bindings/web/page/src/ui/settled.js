// Debouncing.

/** Returns a function that calls `fn` once it has not been called again for this many milliseconds. The page counts as busy until
 * then. */
export function settled(app, milliseconds, fn) {
  let last = null;
  return () => {
    const mine = (last = {});
    app.during(new Promise((done) => setTimeout(done, milliseconds)).then(() => mine === last && fn()));
  };
}
