// The data that the page carries in elements.

import { block } from "../../../../../scripts/viewer/src/page/bytes.js";

async function gunzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The text of a block that is base64 of gzip. */
export async function text(id) {
  return new TextDecoder().decode(await gunzip(block(id)));
}

/** What the worker begins with: see worker/worker.js. */
export function lathe() {
  const { textContent: packed, dataset } = document.getElementById("lathe-packed");
  return { unpacker: document.getElementById("lathe-unpacker").textContent, packed, sizes: dataset.sizes.split(" ").map(Number) };
}
