// Unpacks what pack.mjs packed with unpack.wasm, piece by piece, so that the browser compiles what it has while more comes.

const PIECE = 1 << 18;

// unpacker: the bytes of unpack.wasm; packed: the bytes to unpack; sizes: of lathe's module and of the text behind it.
// Returns a stream of the module. onText(text): is called when the stream is at its end.
export async function unpack(unpacker, packed, [size, rest], onText) {
  const { instance } = await WebAssembly.instantiate(unpacker);
  const { memory, begin, output, more } = instance.exports;
  const input = begin(packed.length, size + rest);
  if (!input) throw new RangeError("there is not enough memory to unpack lathe");
  new Uint8Array(memory.buffer).set(packed, input);
  let at = output();
  const end = at + size;

  function next(most) {
    const came = more(most);
    if (!came) throw new Error("lathe is damaged in this page");
    at += came;
    return new Uint8Array(memory.buffer).slice(at - came, at);
  }

  return new ReadableStream({
    pull(controller) {
      controller.enqueue(next(Math.min(PIECE, end - at)));
      if (at < end) return;
      controller.close();
      onText(new TextDecoder().decode(next(rest)));
    },
  });
}
