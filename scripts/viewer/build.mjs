// Bundles the viewer: `node build.mjs FOLDER_OF_NODE_MODULES OUT`. `make viewer` calls it.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [modules, out] = process.argv.slice(2);
const { buildSync } = createRequire(join(modules, "x.js"))("esbuild");

mkdirSync(out, { recursive: true });
const shared = { bundle: true, minify: true, write: false, nodePaths: [modules], legalComments: "none", charset: "ascii" };

function bundle(entry, more) {
  const result = buildSync({ ...shared, ...more, absWorkingDir: here, entryPoints: [entry] });
  return result.outputFiles[0].text.trim();
}

const script = bundle("src/page/main.js", { format: "iife", target: ["es2021"] });
const style = bundle("src/page/style.css", { target: ["chrome111", "firefox113", "safari16.2"] });
// Both stand inside a page: nothing in them may end their element.
for (const [name, text] of [["script", script], ["style", style]]) {
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`the ${name} has text that ends its element in a page`);
}
const { version } = JSON.parse(readFileSync(join(modules, "three/package.json"), "utf8"));
writeFileSync(join(out, "viewer.js"), script);
writeFileSync(join(out, "viewer.css"), style);
copyFileSync(join(here, "src/page/page.html"), join(out, "page.html"));
writeFileSync(join(out, "LICENSE.three"),
  `viewer.js contains parts of three.js ${version}, which has this licence:\n\n` + readFileSync(join(modules, "three/LICENSE"), "utf8"));
console.log(`viewer.js: ${script.length} bytes, with three ${version}`);
