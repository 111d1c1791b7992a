// Makes the package for node and bundlers: `node build.mjs FOLDER_OF_NODE_MODULES OUT VERSION`. OUT has module.mjs and
// module.wasm, and OUT/package the types (types.lua); `make web` calls this.

import { copyFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [modules, out, version] = process.argv.slice(2);
const { buildSync } = createRequire(join(resolve(modules), "x.js"))("esbuild");

buildSync({
  absWorkingDir: here,
  entryPoints: ["lathe.mjs"],
  outfile: join(resolve(out), "package/lathe.mjs"),
  alias: { "lathe-module": join(resolve(out), "module.mjs") },
  bundle: true,
  format: "esm",
  platform: "neutral",
  external: ["node:*"],
  target: ["es2022"],
  minify: true,
  keepNames: true,
  legalComments: "none",
});
copyFileSync(join(out, "module.wasm"), join(out, "package/lathe.wasm"));
copyFileSync(join(out, "LICENSES.txt"), join(out, "package/LICENSES.txt"));
copyFileSync(join(here, "README.md"), join(out, "package/README.md"));
copyFileSync(join(here, "../../../LICENSE"), join(out, "package/LICENSE"));

const about = {
  name: "lathe",
  version,
  description: "Opens, changes and writes the binary files of games: collision, animation, meshes and materials",
  license: "MIT",
  type: "module",
  types: "./lathe.d.ts",
  exports: { ".": { types: "./lathe.d.ts", default: "./lathe.mjs" }, "./lathe.wasm": "./lathe.wasm" },
  files: ["lathe.mjs", "lathe.d.ts", "lathe.wasm", "README.md", "LICENSE", "LICENSES.txt"],
  engines: { node: ">=18" },
};
writeFileSync(join(out, "package/package.json"), JSON.stringify(about, null, 2) + "\n");
