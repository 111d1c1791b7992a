// Measures the page and the module for node, and prints each number beside its aim: node run.mjs WEB NATIVE
// WEB: the folder with lathe.html and package; NATIVE: what native.lua printed. Ends with 1 where an aim is missed.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { basename, join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { measurePage } from "./page.mjs";

const [web, native] = process.argv.slice(2).map((path) => resolve(path));
const ROUNDS = 7; // as native.lua
let missed = 0;

function print(what, value, unit, aim) {
  const over = aim !== undefined && value > aim;
  if (over) missed++;
  const told = aim === undefined ? "" : `   aim: at most ${aim} ${unit}${over ? "   MISSED" : ""}`;
  console.log(`  ${what.padEnd(46)} ${value.toFixed(unit === "MB" ? 3 : unit === "ms" ? 0 : 2).padStart(8)} ${unit}${told}`);
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

function sizes() {
  const files = { page: "lathe.html", module: "module.wasm", "package of node: lathe.wasm": "package/lathe.wasm", "package of node: lathe.mjs": "package/lathe.mjs" };
  for (const [name, file] of Object.entries(files)) {
    const bytes = readFileSync(join(web, file));
    print(name, bytes.length / 1e6, "MB");
    print(`${name}, as gzip`, gzipSync(bytes, { level: 9 }).length / 1e6, "MB", name === "page" ? 1.5 : undefined);
  }
}

// A process of its own, for what node compiles lazily is part of it.
function startOfNode() {
  const code = `const began = performance.now();
    const { start } = await import(${JSON.stringify(pathToFileURL(join(web, "package/lathe.mjs")).href)});
    (await start()).about();
    console.log(performance.now() - began);`;
  const list = [1, 2, 3, 4, 5].map(() => Number(execFileSync(process.execPath, ["--input-type=module", "-e", code])));
  print("start in node, median of 5", median(list), "ms");
}

// The memory of the module, which only grows.
function watchMemory() {
  const real = WebAssembly.instantiate, found = {};
  WebAssembly.instantiate = async (...all) => {
    const made = await real(...all), { exports } = made.instance || made;
    found.memory = Object.values(exports).find((one) => one instanceof WebAssembly.Memory) || found.memory;
    return made;
  };
  return () => found.memory.buffer.byteLength / 1e6;
}

async function encoding() {
  const memory = watchMemory();
  const { start } = await import(pathToFileURL(join(web, "package/lathe.mjs")).href);
  const lathe = await start();
  lathe.about();
  print("memory after the start", memory(), "MB");
  const ratios = [], total = { web: 0, native: 0 };
  for (const line of readFileSync(native, "utf8").trim().split("\n")) {
    const [path, milliseconds] = line.split("\t"), bytes = new Uint8Array(readFileSync(path));
    let least = Infinity;
    for (let i = 0; i < ROUNDS; i++) {
      const began = performance.now();
      const doc = lathe.open(bytes, basename(path));
      doc.encode();
      least = Math.min(least, performance.now() - began);
      doc.close();
    }
    ratios.push(least / Number(milliseconds));
    total.web += least;
    total.native += Number(milliseconds);
  }
  const files = `${ratios.length} files`;
  print(`open and encode ${files}: native`, total.native, "ms");
  print(`open and encode ${files}: web to native`, total.web / total.native, "x", 3);
  print("the same, median of the files", median(ratios), "x", 3);
  print("the same, worst of the files", Math.max(...ratios), "x");
  print("memory after these files", memory(), "MB");
}

const [load] = loadavg(), processors = availableParallelism();
if (load > processors / 2) console.log(`  the machine is busy (load ${load.toFixed(1)}, ${processors} processors): times are too high`);
sizes();
startOfNode();
await encoding();
const page = await measurePage(join(web, "lathe.html"), resolve("scripts/examples/stock.nif"));
if (page) {
  print("the page ready, first time in a new browser", page.first, "ms");
  print("the page ready, median of 7", median(page.ready), "ms", 700);
  print("drop to picture, first of a page, median of 7", median(page.cold), "ms", 150);
  print("drop to picture, once more, median of 7", median(page.warm), "ms", 150);
}
process.exit(missed ? 1 : 0);
