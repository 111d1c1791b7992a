// The data that the page carries: base64 of gzip in elements.

import { block } from "../../../../../scripts/viewer/src/page/bytes.js";

async function gunzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The text of a block. */
export async function text(id) {
  return new TextDecoder().decode(await gunzip(block(id)));
}

/** The bytes of a block, still packed. */
export { block as packed };
