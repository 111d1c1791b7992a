-- The output of every command with --json, checked with the JSON Schema by another program's validator.
-- #tools: it runs Python.

local cli = require "lathe.cli"
local example_files = dofile "spec/cli/example_files.lua"
local helper = require "helper"
local json_schema = require "lathe.cli.pages.json_schema"
local transcript = dofile "spec/cli/transcript.lua"

-- Commands whose examples are not run elsewhere, and cases of others that examples do not have.
local TYPED <const> = {
  "info --json examples", "info --json examples/behavior.hkx --machine Root", "info --json none.nif",
  "info --json examples --at bodies[1].material",
  "dump --json --depth 1 examples/crate.solid", "dump --json examples/stock.nif blocks[1]",
  "get --json examples/stock.nif bodies[1].friction", "get --json examples/crate.solid vertices[1] none",
  "set --json examples/stock.nif bodies[1].friction=0.9 -n",
  "set --json examples/crate.solid vertices[1].x=1 -o out",
  "diff --json examples/crate.solid examples/crate.solid", "diff --json examples/wave.hkx examples/idle_breathe.hkx",
  "check --json examples", "check --json none", "scale --json 2 examples -n", "scale --json 2 examples -o big",
  "scale --json 2 examples -o twice --resume", "scale --json 2 examples -o twice --resume",
  "retime --json --speed 2 examples -n", "materials --json examples", "materials --json examples --set wood=metal -n",
  "convert --json examples/wave_le.hkx --to skyrim-se -o out/wave_se.hkx",
  "export --json examples/stock.nif -o out/stock.glb",
  "export --json examples -o out/many",
  "view --json examples/stock.nif examples/wave.hkx -o out/page.html",
  "run --json examples/weld_report.lua examples", "formats --json",
  "preview --json examples/stock.nif -o out/stock.png --size 320x240",
  "preview --json examples/crate.solid examples/stock.nif -o out/sheet.svg",
  "formats --json nif", "formats --json nif BSTriShape",
  "diff --json examples big", "find --json examples none.nif --type 'hka*' --bone '*Head*'",
  "find --json examples --where '#doc.bodies > 0'",
  "scale 1.5 examples/stock.nif -o stock2.nif", "diff --json examples/stock.nif stock2.nif > stock.patch",
  "apply --json stock.patch examples/stock.nif examples/crate.solid -o patched",
  "apply --json stock.patch examples/stock.nif -n",
  "dump --json examples/crate.solid > crate.json", "build --json crate.json none.json -o built",
  "precombine --json bad.csv -o out/0000E2DB_00000B1A_OC.nif", "examples --json", "undo --json examples -n",
}

local MADE <const> = { "clips", "graphs", "models", "upkeep" }

-- A Python that has the validator; nil if there is none.
local function find_python()
  for _, name in ipairs { "python3", "/usr/bin/python3" } do
    if helper.run(name .. " -c 'import jsonschema'").code == 0 then return name end
  end
end

-- What to type, and the command of each line.
local function all_lines()
  local lines = {}
  for _, module in ipairs(MADE) do
    for _, command in ipairs(require("lathe.cli.verbs." .. module)) do
      lines[#lines + 1] = command.examples[1]:gsub("^lathe %S+", "%0 --json"):gsub("^lathe ", "")
    end
  end
  return table.move(TYPED, 1, #TYPED, #lines + 1, lines)
end

local function names_with_json()
  local names, commands = {}, cli.commands()
  cli.parser(commands)
  for _, command in ipairs(commands) do
    if command.parser:get_help():find "%-%-json" then names[command.name] = true end
  end
  return names
end

describe("the schema of JSON output #tools", function()
  local python = find_python()

  local function problems(rows)
    local schema = helper.write(helper.tmpdir() .. "/output.schema.json", json_schema.text())
    local r = helper.run({ python, "spec/support/check_json.py", schema }, { stdin = table.concat(rows) })
    assert.equal("", r.err)
    return r.out
  end

  it("allows what each command prints, and names each member", function()
    if not python then return pending "no Python with jsonschema (python3-jsonschema)" end
    local folder, env = transcript.folder()
    example_files.write(folder)
    helper.write(folder .. "/bad.csv", "file,x,y,z\nnone.nif,1,2,3\n")
    local script, rows, left = {}, {}, names_with_json()
    if not helper.exists "build/viewer/viewer.js" then left.view = nil end -- it prints why it cannot
    for _, line in ipairs(all_lines()) do
      script[#script + 1] = ("lathe %s 2>/dev/null | sed 's/^/%s\t/'\n"):format(line, line:match "^%S+")
    end
    local r = helper.run(table.concat(script), { cwd = folder, env = env, timeout = 300 })
    for name, line in r.out:gmatch "([^\t\n]+)\t([^\n]*\n)" do
      if line:sub(1, 1) == "{" then
        rows[#rows + 1] = name .. "\t" .. line
        left[name] = nil
      end
    end
    assert.equal("", problems(rows))
    assert.same({}, left) -- commands that printed nothing
    assert.is_true(#rows > 200, #rows)
  end)

  it("refuses members that it does not name, and wrong types", function()
    if not python then return pending "no Python with jsonschema (python3-jsonschema)" end
    assert.equal([[
get: $: Additional properties are not allowed ('more' was unexpected)
get: $.ok: 1 is not of type 'boolean'
]], problems { 'get\t{"file":"a","ok":true,"more":1}\n', 'get\t{"file":"a","ok":1}\n',
      'get\t{"file":"a","ok":true,"value":[1]}\n' })
  end)
end)
