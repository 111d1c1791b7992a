-- The texts of all commands, and the examples of their help, run as they are typed.

local cli = require "lathe.cli"
local command_texts = require "command_texts"
local example_files = dofile "spec/cli/example_files.lua"
local helper = require "helper"
local lathe = require "lathe"
local transcript = dofile "spec/cli/transcript.lua"

local commands = cli.commands()

local function all_verbs()
  local rows = {}
  for _, format in ipairs(lathe.formats()) do
    for _, row in ipairs(lathe.verbs(format.name)) do rows[#rows + 1] = row end
  end
  return rows
end

-- A copy of the commands in which one has other members.
local function with(name, members)
  local copy = {}
  for i, command in ipairs(commands) do
    if command.name == name then
      command = setmetatable({}, { __index = command })
      for key, value in pairs(members) do command[key] = value end
    end
    copy[i], copy[command.name] = command, command
  end
  return copy
end

describe("the commands #tools", function()
  it("are there for every verb, with a summary, examples, and each option's values, default and unit", function()
    assert.same({}, command_texts.problems(commands, all_verbs()))
  end)

  it("of which one lacks a text are reported", function()
    local verbs = all_verbs()
    local options = commands.trim.options
    local function silent(parser, argv)
      options(parser, argv)
      for _, argument in ipairs(parser._arguments) do argument:description "Part to keep." end
    end
    for wanted, planted in pairs {
      ["trim: the summary starts with 'Keeps', which is no imperative"] = { summary = "Keeps a part." },
      ["trim: the summary is no sentence that starts with a verb"] = { summary = "animations" },
      ["trim: it has 1 example; two are wanted"] = { examples = { "lathe trim a.hkx" } },
      ["trim: no example has this command"] = { examples = { "lathe trimming", "lathe loop a.hkx" } },
      ["trim: it has no description"] = { description = " " },
      ["trim: the description has a line of 120 characters"] = { description = ("x"):rep(120) },
      ["trim: 't0' does not say its unit, s"] = { options = silent },
      ["trim: 't1' does not say its default"] = { options = silent },
      ["trim: the argument 't1' has no option"] = { options = function() end },
    } do
      local found = command_texts.problems(with("trim", planted), verbs)
      assert.is_true(#found >= 1 and #found <= 6, wanted)
      assert.matches(wanted, table.concat(found, "\n"), 1, true)
    end
    table.insert(verbs, { name = "fold_up", params = {} })
    assert.same({ "fold-up: the verb has no command" }, command_texts.problems(commands, verbs))
  end)
end)

-- #tools: the verbs have specs of their own, which run under sanitizers.
describe("an example of a command #tools", function()
  local MADE <const> = { "clips", "graphs", "models", "upkeep" }

  it("does something when it is typed", function()
    local folder, env = transcript.folder()
    example_files.write(folder)
    local script, examples = {}, {}
    for _, module in ipairs(MADE) do
      for _, command in ipairs(require("lathe.cli.verbs." .. module)) do
        for _, example in ipairs(command.examples) do
          examples[#examples + 1] = example
          script[#script + 1] = example .. " >>all 2>&1; echo \"=$?\" >>all\n"
        end
      end
    end
    assert.is_true(#examples >= 90, #examples)
    helper.run(table.concat(script), { cwd = folder, env = env, timeout = 300 })
    local results = helper.read(folder .. "/all")
    for text, code in results:gmatch "(.-)=(%d+)\n" do
      local example = table.remove(examples, 1)
      assert.equal("0", code, example .. "\n" .. text)
      assert.matches("%S", text, 1, false, example)
      assert.not_matches("nothing to do", text, 1, true, example)
    end
    assert.same({}, examples)
    local r = helper.run("lathe set-geometry --mesh crate.obj group.nif -n", { cwd = folder, env = env })
    assert.same({ 1, "lathe: group.nif: it has 2 records with this verb: say with --at which one is meant: "
      .. "blocks[4].data[1], blocks[4].data[2]\n" }, { r.code, r.err })
  end)
end)
