-- The module for node, as a program that imports it sees it.
-- #tools: it runs Node.

local dkjson = require "dkjson"
local helper = require "helper"

local FOLDER <const> = "build/web/package"

local function lacking()
  if not helper.exists(FOLDER .. "/lathe.wasm") then return "the module for node was not built (make web)" end
  if helper.run("command -v node").code ~= 0 then return "no node (make setup-dev)" end
end

-- What a program does with the module; `told` is printed as JSON.
local PROGRAM <const> = [[
import * as lathe from "%s/lathe.mjs";
import { readFileSync, writeFileSync } from "node:fs";
const { open, start, LatheError } = lathe, told = {};
told.exports = Object.keys(lathe).sort();
told.methods = {};
for (const name of ["Lathe", "Document"])
  told.methods[name] = Object.getOwnPropertyNames(lathe[name].prototype).filter((it) => it !== "constructor").sort();
const refusal = (act) => { try { act(); return null; } catch (error) {
  const { name, message, code, path } = error;
  return { kind: error instanceof LatheError, name, message, code, path }; } };

const bytes = readFileSync("scripts/examples/stock.nif");
const doc = await open(bytes, "stock.nif");
told.fields = Object.keys(doc).sort();
told.verbs = doc.verbs();
told.opened = [doc.name, doc.format, doc.notes];
told.same = Buffer.compare(bytes, doc.encode()) === 0;
told.mass = doc.get("bodies[1].mass");
doc.set("bodies[1].mass", 20);
told.set = doc.get("bodies[1].mass");
told.undone = [doc.undo(), doc.get("bodies[1].mass"), doc.undo()];
told.verb = doc.verbs().some((verb) => verb.name === "scale");
told.changed = doc.apply("scale", { factor: 2 }).diff.same;
writeFileSync("%s/scaled.nif", doc.encode());
told.lines = doc.run("print(doc.format, #doc.blocks, ...) -- the end", ["a", "b"]);
told.failed = refusal(() => doc.run("doc.blocks[1].name = 'x' error 'no'"));
told.after = Buffer.compare(readFileSync("%s/scaled.nif"), doc.encode()) === 0;
told.path = refusal(() => doc.get("bodies[99].mass"));
told.value = refusal(() => doc.set("bodies[1].mass", "heavy"));
told.findings = Array.isArray(doc.check());
doc.close();
told.closed = refusal(() => doc.get("version"));

const other = await start({ milliseconds: 300 });
told.refused = refusal(() => other.open(new Uint8Array([1, 2, 3]), "notes.txt"));
told.documents = other.call("documents").result.documents.length;
told.version = other.about().version;
const began = Date.now();
told.endless = refusal(() => other.open(bytes, "a.nif").run("while true do end"));
told.stopped = Date.now() - began < 5000;
other.put(bytes, "b.nif");
told.command = other.command("get", "b.nif", "bodies[1].mass");
const large = new Uint8Array(4.2e9); // no memory is used: nobody writes to it
told.large = refusal(() => other.put(large, "large.nif"));
told.many = refusal(() => other.call("put", { name: "c.nif" }, Array(5000).fill(bytes)));
told.works = other.command("get", "b.nif", "bodies[1].mass").stdout;
console.log(JSON.stringify(told));
]]

describe("the module for node #tools", function()
  local why, did, folder = lacking(), nil, nil

  setup(function()
    if why then return end
    folder = helper.tmpdir()
    local here = helper.run("pwd").out:gsub("\n", "")
    helper.write(folder .. "/program.mjs", PROGRAM:format(here .. "/" .. FOLDER, folder, folder))
    local r = helper.run({ "node", folder .. "/program.mjs" }, { timeout = 120 })
    assert(r.code == 0, r.err)
    did = assert(dkjson.decode(r.out))
  end)

  local function finds(what, test)
    it(what, function()
      if why then return pending(why) end
      test()
    end)
  end

  finds("opens bytes, and encodes them to the same bytes", function()
    assert.same({ "stock.nif", "nif", {} }, did.opened)
    assert.is_true(did.same)
  end)

  finds("gets and sets fields, and takes changes back", function()
    assert.equal(12, did.mass)
    assert.equal(20, did.set)
    assert.same({ true, 12, false }, did.undone)
  end)

  finds("scales as the native tool does", function()
    assert.is_true(did.verb)
    assert.is_false(did.changed)
    local target = folder .. "/native.nif"
    local r = helper.lathe { "scale", "2", "-o", target, "scripts/examples/stock.nif" }
    assert.equal(0, r.code, r.err)
    assert.is_true(helper.read(folder .. "/scaled.nif") == helper.read(target))
  end)

  finds("runs Lua, and leaves the document as it was where that fails", function()
    assert.equal("nif\t7\ta\tb\n", did.lines)
    assert.is_true(did.failed.kind)
    assert.matches("no", did.failed.message, 1, true)
    assert.is_true(did.after)
  end)

  finds("throws a LatheError for what is refused", function()
    for _, name in ipairs { "path", "value", "closed", "refused", "endless" } do
      assert.is_true(did[name].kind, name)
      assert.equal("LatheError", did[name].name)
    end
    assert.matches("notes.txt: not a file of a known format", did.refused.message, 1, true)
    assert.equal("format", did.refused.code)
    assert.equal(0, did.documents)
    assert.equal("usage", did.closed.code)
  end)

  finds("stops a chunk at the time limit", function()
    assert.is_true(did.stopped)
    assert.equal("interrupted", did.endless.code)
  end)

  finds("runs commands on stored files", function()
    assert.same({ code = 0, stdout = "12\n", stderr = "" }, did.command)
  end)

  finds("refuses a request that does not fit into memory, and works on", function()
    assert.same({ "memory", "limit" }, { did.large.code, did.many.code })
    assert.matches("not enough memory for 4200000000 bytes more", did.large.message, 1, true)
    assert.matches("4095 byte arrays, and has 5000", did.many.message, 1, true)
    assert.equal("12\n", did.works)
  end)

  finds("has a package.json that tells the truth", function()
    local package = assert(dkjson.decode(helper.read(FOLDER .. "/package.json")))
    assert.equal("lathe", package.name)
    assert.equal(did.version, package.version)
    assert.equal("module", package.type)
    assert.equal("MIT", package.license)
    local main = package.exports["."]
    for _, place in ipairs { main.types, main.default, package.types, package.exports["./lathe.wasm"] } do
      assert.is_true(helper.exists(FOLDER .. place:sub(2)), place)
    end
    for _, file in ipairs(package.files) do assert.is_true(helper.exists(FOLDER .. "/" .. file), file) end
    assert.is_nil(package.dependencies)
  end)

  describe("has types", function()
    local function sorted(list)
      table.sort(list)
      return list
    end

    -- The text between a line and the next line that ends with a brace in its place.
    local function block(text, first)
      local _, from = text:find("\n" .. first, 1, true)
      return assert(from and text:sub(from + 1):match "^(.-\n)}", first)
    end

    local function names(text, pattern)
      local list = {}
      for name in text:gmatch(pattern) do list[#list + 1] = name end
      return sorted(list)
    end

    finds("of all that it exports, and of nothing else", function()
      local text = helper.read(FOLDER .. "/lathe.d.ts")
      local declared = names(text, "\nexport class (%w+)")
      table.move(names(text, "\nexport function (%w+)"), 1, 99, #declared + 1, declared)
      assert.same(did.exports, sorted(declared))
    end)

    finds("of all methods and fields of its classes, and of no others", function()
      local text = helper.read(FOLDER .. "/lathe.d.ts")
      for class, methods in pairs(did.methods) do
        assert.same(methods, names(block(text, "export class " .. class .. " {"), "\n  (%l%w*)[<(]"), class)
      end
      assert.same(did.fields, names(block(text, "export class Document {"), "\n  readonly (%w+): "))
    end)

    finds("of the options of each verb, of formats, and of findings", function()
      local text = helper.read(FOLDER .. "/lathe.d.ts")
      local options = block(text, "export interface VerbOptions {")
      assert.is_true(#did.verbs > 5)
      for _, verb in ipairs(did.verbs) do
        local _, from = options:find(('\n  "%s": {\n'):format(verb.name), 1, true)
        local own = assert(from and options:sub(from):match "^(.-\n)  };", verb.name)
        local expected = {}
        for i, option in ipairs(verb.options) do
          expected[i] = ('"%s"%s'):format(option.name, option.required and "" or "?")
        end
        assert.same(sorted(expected), names(own, '\n    ("[^"]+"%??): '), verb.name)
      end
      assert.truthy(options:find('    "--what"?: "collision" | "geometry" | "skeleton" | "animation" | "all";\n', 1, true))
      assert.truthy(text:find('export type Format = "hkx" | ', 1, true))
      assert.truthy(block(text, "export interface Finding {"):find('  level: "error" | "warning";\n', 1, true))
    end)
  end)
end)
