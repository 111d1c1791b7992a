// Starts lathe's WebAssembly module, in a web worker or in node, and hands requests to web.c.

const MOST_BLOBS = 4095; // of a request: web.c has place for one more, the request itself
const NOT_BEGUN = -2; // what web_call returns where it did nothing, for lack of memory

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// emscripten's own way to the module differs between browsers and versions of node.
function instantiated(createModule, compiled) {
  return new Promise((resolve, reject) => {
    const instantiateWasm = (imports, done) => {
      WebAssembly.instantiate(compiled, imports).then(done).catch(reject);
      return {};
    };
    createModule({ instantiateWasm }).then(resolve, reject);
  });
}

// createModule: of module.mjs. compiled: module.wasm, compiled. onEvent(event): receives the events of a call while it runs.
// Rejects with an Error where lathe cannot start.
export async function start(createModule, compiled, onEvent) {
  const module = await instantiated(createModule, compiled);
  module.emit = (json) => onEvent(JSON.parse(json));

  const text = (at, size) => decoder.decode(module.HEAPU8.subarray(at, at + size));
  const failed = module._web_start();
  if (failed) throw new Error(module.UTF8ToString(failed));
  const size = module._malloc(4);

  function give(bytes) {
    const at = module._web_give(bytes.length) >>> 0;
    if (!at) {
      module._web_forget();
      throw new RangeError(`there is not enough memory for ${bytes.length} bytes more`);
    }
    module.HEAPU8.set(bytes, at);
  }

  function answer(i) {
    const at = module._web_answer(i, size) >>> 0;
    return [at, module.HEAPU32[size >>> 2]];
  }

  // A request that does not fit into memory, or into its list, is refused; the module is as it was.
  function refused({ id }, code, message, more = {}) {
    return { reply: { id, ok: false, error: { code, message }, ...more }, blobs: [] };
  }

  // request: an object as README.md describes. blobs: Uint8Arrays. milliseconds: the time limit; 0: none.
  // Returns the reply, an object, and its Uint8Arrays. Throws where the module is broken: start another one.
  function call(request, blobs = [], milliseconds = 0) {
    if (blobs.length > MOST_BLOBS) return refused(request, "limit", `a request can have ${MOST_BLOBS} byte arrays, and has ${blobs.length}`);
    try {
      give(encoder.encode(JSON.stringify(request)));
      blobs.forEach(give);
    } catch (error) {
      if (error instanceof RangeError) return refused(request, "memory", error.message);
      throw error;
    }
    const count = module._web_call(milliseconds);
    if (count < 0) {
      const message = text(...answer(0));
      module._web_done();
      if (count === NOT_BEGUN) return refused(request, "memory", "there is not enough memory for the bytes of the request");
      throw new Error(message);
    }
    const reply = JSON.parse(text(...answer(0)));
    const given = [];
    try {
      for (let i = 1; i < count; i++) {
        const [at, length] = answer(i);
        given.push(module.HEAPU8.slice(at, at + length));
      }
    } catch (error) {
      if (error instanceof RangeError) return refused(request, "memory", "there is not enough memory for the reply", { changes: reply.changes });
      throw error;
    } finally {
      module._web_done();
    }
    return { reply, blobs: given };
  }

  return { call };
}
