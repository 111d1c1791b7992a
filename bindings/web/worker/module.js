// Starts lathe's WebAssembly module, in a web worker or in node, and hands requests to web.c.

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

// createModule: of module.mjs. compiled: module.wasm, compiled. onEvent(event): gets what a call tells while it runs.
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

  // request: an object as README.md describes. blobs: Uint8Arrays. milliseconds: the time limit; 0: none.
  // Returns the reply, an object, and its Uint8Arrays. Throws where the module is broken: start another one.
  function call(request, blobs = [], milliseconds = 0) {
    give(encoder.encode(JSON.stringify(request)));
    blobs.forEach(give);
    const count = module._web_call(milliseconds);
    if (count < 0) {
      const message = text(...answer(0));
      module._web_done();
      throw new Error(message);
    }
    const reply = JSON.parse(text(...answer(0)));
    const given = [];
    for (let i = 1; i < count; i++) {
      const [at, length] = answer(i);
      given.push(module.HEAPU8.slice(at, at + length));
    }
    module._web_done();
    return { reply, blobs: given };
  }

  return { call };
}
