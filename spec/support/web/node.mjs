// Answers the jobs of jobs.lua by the WebAssembly module, and compares the answers with the native ones.
// usage: node node.mjs PACKAGE JOBS NATIVE
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, jobs, native] = process.argv.slice(2);
const lines = (path) => readFileSync(path, "utf8").split("\n").filter((line) => line).map((line) => JSON.parse(line));
const { start, LatheError } = await import(pathToFileURL(join(folder, "lathe.mjs")));

const digest = (bytes) => `${bytes.length}:${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}`;
const expected = lines(native);
let lathe, id, at = 0;
const count = { files: 0, opened: 0, requests: 0, different: 0 };

function ask(name, args, blobs) {
  const given = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, value === "$id" ? id ?? 0 : value]));
  if (name === "open") id = undefined;
  const answer = lathe.call(name, given, blobs);
  if (name === "open") id = answer.result.document.id;
  return answer;
}

function attempt(request) {
  try {
    const { result, blobs } = ask(request.name, request.args);
    return [result.code ?? "ok", ...blobs.map(digest)].join(" ");
  } catch (err) {
    if (!(err instanceof LatheError)) throw err;
    return "refused: " + err.message;
  }
}

for (const job of lines(jobs)) {
  lathe = await start(); // memory of WebAssembly never shrinks
  for (const name of job.beside) ask("put", { name }, [readFileSync(join(job.folder, name))]);
  for (const file of job.files) {
    count.files++;
    for (const request of file.requests) {
      const got = attempt(request);
      count.requests++;
      if (request.name === "open" && got === "ok") count.opened++;
      if (got !== expected[at]) {
        count.different++;
        console.log(`${join(job.folder, file.file)}: ${JSON.stringify(request)}\n  native: ${expected[at]}\n  web:    ${got}`);
      }
      at++;
      if (request.remove) attempt({ name: "remove", args: { name: request.args.name } });
    }
  }
}
console.log(`${count.files} files, ${count.opened} of them opened, ${count.requests} requests, ${count.different} different`);
process.exitCode = count.different || at !== expected.length ? 1 : 0;
