// Waiting until something no longer happens.

/** Makes a function that calls `fn` once it was not called again for some milliseconds. The page is busy until then. */
export function settled(app, milliseconds, fn) {
  let last = null;
  return () => {
    const mine = (last = {});
    app.during(new Promise((done) => setTimeout(done, milliseconds)).then(() => mine === last && fn()));
  };
}
