// lathe for node and bundlers: opens, changes and encodes game files in memory. The API is in README.md.

import createModule from "lathe-module";
import { start as startModule } from "../worker/module.js";

// What a call refuses: `code`, `file`, `path` and `offset` as README.md says, where they are known.
export class LatheError extends Error {
  constructor({ message, ...rest }) {
    super(message);
    Object.assign(this, rest, { name: "LatheError" });
  }
}

async function bytesBeside(name) {
  const url = new URL(name, import.meta.url);
  if (url.protocol !== "file:") return new Uint8Array(await (await fetch(url)).arrayBuffer());
  const { readFile } = await import("node:fs/promises");
  return readFile(url);
}

// One lathe, with files and documents of its own. options.wasm: the bytes of lathe.wasm, for bundlers that put it
// elsewhere; options.milliseconds: the time limit of a call (0: none); options.onEvent: gets progress and output.
export async function start(options = {}) {
  const { milliseconds = 0, onEvent = () => {} } = options;
  const wasm = options.wasm ?? (await bytesBeside("./lathe.wasm"));
  const module = await startModule(createModule, await WebAssembly.compile(wasm), onEvent);
  return new Lathe(module, milliseconds);
}

export class Lathe {
  #module;
  #milliseconds;

  constructor(module, milliseconds) {
    this.#module = module;
    this.#milliseconds = milliseconds;
  }

  // Any call of the protocol: { result, blobs }. Throws a LatheError.
  call(name, args = {}, blobs = []) {
    const { reply, blobs: given } = this.#module.call({ id: 1, name, args }, blobs, this.#milliseconds);
    if (!reply.ok) throw new LatheError(reply.error);
    return { result: reply.result, blobs: given };
  }

  about() {
    return this.call("about").result;
  }

  // bytes: a Uint8Array; name: its file name, by which formats without a signature are told.
  open(bytes, name, options = {}) {
    return new Document(this, this.call("open", { name, options }, [bytes]).result);
  }

  // Stores a file that documents find beside them: a skeleton, a geometry file.
  put(bytes, name) {
    this.call("put", { name }, [bytes]);
  }

  // A script in the sandbox of `lathe run`, over all open documents or those given:
  // { output, results: [{ name, status, lines, error }] }.
  run(script, { documents, arguments: words } = {}) {
    const ids = documents?.map((document) => document.id);
    return this.call("run", { script, ids, arguments: words }).result;
  }

  // `lathe ARGV…` on the stored files: { code, stdout, stderr }.
  command(...argv) {
    return this.call("command", { argv }).result;
  }
}

export class Document {
  #lathe;

  constructor(lathe, { document, notes }) {
    this.#lathe = lathe;
    this.id = document.id;
    this.name = document.name;
    this.format = document.format;
    this.notes = notes;
  }

  #call(name, args = {}) {
    return this.#lathe.call(name, { id: this.id, ...args });
  }

  // The value at a path, in the form of `lathe get --json`.
  get(path) {
    return this.#call("get", { path, json: true }).result.json.value;
  }

  // value: text as `lathe set` takes it, a number or a boolean.
  set(path, value) {
    this.#call("set", { path, value: String(value) });
  }

  // A verb with its options by name: apply("scale", { factor: 2 }). Its report, with what differs.
  apply(verb, options = {}) {
    return this.#call("apply", { verb, options }).result;
  }

  verbs() {
    return this.#call("verbs").result.verbs;
  }

  check() {
    return this.#call("check").result.findings;
  }

  undo() {
    return this.#call("undo").result.done > 0;
  }

  // A Lua chunk with this document as `doc` and `words` as `...`: what it printed. Throws where it fails; the document
  // is then as before.
  run(chunk, words) {
    const script = `local function chunk(doc, ...) ${chunk}
      end local words = table.pack(...) return function(doc) return chunk(doc, table.unpack(words, 1, words.n)) end`;
    const { output, results: [result] } = this.#lathe.run(script, { documents: [this], arguments: words });
    if (result.error) throw new LatheError(typeof result.error === "string" ? { message: result.error } : result.error);
    return output;
  }

  // The bytes that saving would write.
  encode() {
    return this.#call("encode").blobs[0];
  }

  close() {
    this.#call("close");
  }
}

let shared;

// Opens bytes in a lathe that all callers share and that the first call starts.
export async function open(bytes, name, options) {
  shared ??= start();
  return (await shared).open(bytes, name, options);
}
