// The web worker of the page: unpacks lathe, starts it, and answers one request at a time.
// In:  { unpacker, packed, sizes } (base64 of unpack.wasm and of what it unpacks, of unpack.js) or { compiled } once, then
//      { request, blobs, milliseconds }
// Out: { viewer } (the script that was packed behind the module) and { ready, compiled }, { event }, { reply, blobs }, or
//      { broken }: then this worker is of no more use.

import createModule from "lathe-module";
import { decode } from "../../../scripts/viewer/src/page/bytes.js";
import { start } from "./module.js";
import { unpack } from "./unpack.js";

let lathe = null;

async function compile({ unpacker, packed, sizes }) {
  const stream = await unpack(decode(unpacker), decode(packed), sizes, (viewer) => self.postMessage({ viewer }));
  return WebAssembly.compileStreaming(new Response(stream, { headers: { "content-type": "application/wasm" } }));
}

async function begin(data) {
  const compiled = data.compiled || (await compile(data));
  lathe = await start(createModule, compiled, (event) => self.postMessage({ event }));
  self.postMessage({ ready: true, compiled });
}

function answer({ request, blobs, milliseconds }) {
  const { reply, blobs: given } = lathe.call(request, blobs, milliseconds);
  self.postMessage({ reply, blobs: given }, given.map((bytes) => bytes.buffer));
}

self.onmessage = async ({ data }) => {
  try {
    await (data.request ? answer(data) : begin(data));
  } catch (error) {
    self.postMessage({ broken: error && error.message ? error.message : String(error) });
  }
};
