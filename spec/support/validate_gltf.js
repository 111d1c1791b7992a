// What the glTF validator says of files, a line each: FILE SEVERITY CODE POINTER MESSAGE.
// usage: node validate_gltf.js FILE...   (NODE_PATH leads to gltf-validator)
const fs = require("fs");
const validator = require("gltf-validator");

const SEVERITY = ["error", "warning", "info", "hint"];

async function main() {
  for (const file of process.argv.slice(2)) {
    const bytes = new Uint8Array(fs.readFileSync(file));
    const report = await validator.validateBytes(bytes, { maxIssues: 1000 });
    for (const m of report.issues.messages) {
      console.log([file, SEVERITY[m.severity], m.code, m.pointer || m.offset || "-", m.message].join(" "));
    }
  }
}

main().catch((error) => {
  console.error(String(error));
  process.exit(1);
});
