// Makes the page, one file with everything inside: `node pack.mjs FOLDER_OF_NODE_MODULES OUT VERSION`. OUT has module.mjs and
// module.wasm, and gets lathe.html; `make web` calls this.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const [modules, out, version] = [resolve(process.argv[2]), resolve(process.argv[3]), process.argv[4]];
const { buildSync } = createRequire(join(modules, "x.js"))("esbuild");
const shared = { absWorkingDir: here, bundle: true, minify: true, write: false, nodePaths: [modules], legalComments: "none", charset: "ascii" };

function bundle(entry, more) {
  const result = buildSync({ ...shared, ...more, entryPoints: [entry] });
  return result.outputFiles[0].text.trim();
}

// Texts of all licences, of what is in the page: licenses.sh lists them.
function licences() {
  try {
    return readFileSync(join(out, "LICENSES.txt"), "utf8");
  } catch {
    console.error("web: LICENSES.txt is missing, so the page lacks the licences of all but lathe");
    return readFileSync(join(here, "../../LICENSE"), "utf8");
  }
}

// The level is fixed, and node writes neither a time nor a name: equal bytes become equal text.
const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString("base64");
const source = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const script = bundle("page/src/main.js", { format: "iife", target: ["es2022"] });
const viewer = bundle("page/src/viewer.js", { format: "iife", globalName: "latheViewer", target: ["es2022"] });
const style = bundle("page/style.css", { target: ["chrome111", "firefox113", "safari16.4"] });
const worker = bundle("worker/worker.js", { format: "iife", target: ["es2022"], alias: { "lathe-module": join(out, "module.mjs") } });
for (const [name, text] of [["script", script], ["style", style]]) {
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`the ${name} has text that ends its element in a page`);
}

// Which bits of a byte's place and of the byte before it tell most about it was found by trying all.
function xz(bytes) {
  const options = ["--format=lzma", "--lzma1=preset=9e,dict=8MiB,lc=4,lp=0,pb=0,nice=273", "--stdout"];
  return execFileSync("xz", options, { input: bytes, maxBuffer: 1 << 28 }).toString("base64");
}

// There is no connect-src: the page can reach nothing. Pictures are textures that lathe made.
const policy = [
  "default-src 'none'", `script-src ${source(script)} ${source(viewer)} 'wasm-unsafe-eval'`, "worker-src blob:", `style-src ${source(style)}`,
  "img-src data: blob:", "base-uri 'none'", "form-action 'none'",
].join("; ");
const parts = [readFileSync(join(out, "module.wasm")), Buffer.from(viewer)];
const blocks = {
  "lathe-worker": packed(worker), "lathe-unpacker": readFileSync(join(out, "unpack.wasm")).toString("base64"),
  "lathe-packed": xz(Buffer.concat(parts)), "lathe-licences": packed(licences()),
};
const sizes = { "lathe-packed": parts.map((part) => part.length).join(" ") };
const data = Object.entries(blocks).map(([id, text]) =>
  `<script type="text/plain" id="${id}"${sizes[id] ? ` data-sizes="${sizes[id]}"` : ""}>${text}</script>`).join("\n");
const values = { POLICY: policy, VERSION: version, STYLE: style, DATA: data, SCRIPT: script };
const template = readFileSync(join(here, "page/index.html"), "utf8");
const page = template.replace(/@([A-Z]+)@/g, (whole, name) => values[name] ?? whole);
writeFileSync(join(out, "lathe.html"), page);
console.log(`lathe.html: ${page.length} bytes, ${gzipSync(page).length} as gzip (script ${script.length}, viewer ${viewer.length}, worker ${worker.length})`);
