// The web worker of the page: unpacks lathe, starts it, and answers one request at a time.
// In:  { wasm } once (gzip), then { request, blobs, milliseconds }
// Out: { ready, unpacked }, { event }, { reply, blobs }, or { broken }: then this worker is of no more use.

import createModule from "lathe-module";
import { start } from "./module.js";

let lathe = null;

async function gunzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function begin({ wasm }) {
  const bytes = await gunzip(wasm);
  lathe = await start(createModule, bytes, (event) => self.postMessage({ event }));
  self.postMessage({ ready: true, unpacked: bytes.length });
}

function answer({ request, blobs, milliseconds }) {
  const { reply, blobs: given } = lathe.call(request, blobs, milliseconds);
  self.postMessage({ reply, blobs: given }, given.map((bytes) => bytes.buffer));
}

self.onmessage = async ({ data }) => {
  try {
    await (data.wasm ? begin(data) : answer(data));
  } catch (error) {
    self.postMessage({ broken: error && error.message ? error.message : String(error) });
  }
};
