// Unpacks what pack.mjs packed with unpack.wasm, piece by piece, so that the browser compiles what it has while more comes.

const PIECE = 1 << 18;

// unpacker: the bytes of unpack.wasm; packed: the bytes to unpack; size: of the result. Returns a stream of Uint8Arrays.
export async function unpack(unpacker, packed, size) {
  const { instance } = await WebAssembly.instantiate(unpacker);
  const { memory, begin, output, more } = instance.exports;
  const input = begin(packed.length, size);
  if (!input) throw new RangeError("there is not enough memory to unpack lathe");
  new Uint8Array(memory.buffer).set(packed, input);
  let at = output();
  const end = at + size;
  return new ReadableStream({
    pull(controller) {
      const came = more(PIECE);
      if (!came) throw new Error("lathe is damaged in this page");
      controller.enqueue(new Uint8Array(memory.buffer).slice(at, at + came));
      at += came;
      if (at === end) controller.close();
    },
  });
}
