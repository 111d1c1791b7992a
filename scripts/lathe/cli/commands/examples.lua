--- `lathe examples`: lists, explains and copies the scripts that come with lathe.
-- @module lathe.cli.commands.examples

local core = require "lathe.core"
local catalog = require "lathe.cli.sandbox.catalog"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"
local records = require "lathe.cli.pages.records"
local text = require "lathe.tree.text"

local examples = {
  name = "examples",
  summary = "List the scripts that come with lathe, explain one, or copy it to change it.",
  description = [[
List the scripts that come with lathe. `lathe run @NAME FILE...` runs one; arguments for the script stand
behind `--`.

With NAME, show what that script does, its arguments, and commands to try on sample files. With -o, copy the
script and its sample files to a folder; without NAME, copy all of them.]],
  examples = {
    "lathe examples",
    "lathe examples slow-idles",
    "lathe examples slow-idles -o try/",
  },
}

--- Adds the options.
-- @param command an argparse command
function examples.options(command)
  command:argument("name", "Script to explain or copy (default: all)."):argname "<name>":args "?"
  command:option("-o --output", "Folder to copy to. A file there that differs is not replaced.")
    :argname "<out>"
  command:flag("--json", "Print one JSON value a line, for other programs.")
end

local ORDER = records.names(records.lines.examples)

local function show_json(script)
  local line = {}
  for _, key in ipairs(ORDER) do line[key] = script[key] end
  records.list_of("script_argument", line.arguments)
  records.list(line.try)
  records.list(line.samples)
  out.json(line, ORDER)
end

-- Prints `label`, and behind it words, wrapped at the width of the terminal. A label in bold has more
-- characters than are shown: `width` is the number of its columns.
local function show(label, words, width)
  for _, line in ipairs(text.fill(label, words, out.columns(), width)) do out.line(line) end
end

local function list(scripts)
  local width = 0
  for _, script in ipairs(scripts) do width = math.max(width, #script.name + 2) end
  for _, script in ipairs(scripts) do
    show(out.style("bold", script.name) .. (" "):rep(width - #script.name), script.summary, width)
    show((" "):rep(width), "For " .. script.files .. ".")
  end
  out.line ""
  out.line "`lathe examples NAME` explains one, `lathe run @NAME FILE...` runs it,"
  out.line "`lathe examples NAME -o FOLDER` copies it with sample files to try it on."
end

local function explain(script)
  show(out.style("bold", script.name) .. "  ", script.summary, #script.name + 2)
  out.line ""
  show("  use it when  ", script.when .. ".")
  show("  files        ", script.files .. ".")
  if script.note then show("  note         ", script.note) end
  for i, argument in ipairs(script.arguments) do
    show(i == 1 and "  arguments    " or (" "):rep(15), ("%s: %s."):format(argument.name, argument.doc))
  end
  out.line("  script       " .. script.path)
  out.line ""
  out.line "Try it on sample files:"
  out.line(("  lathe examples %s -o try && cd try"):format(script.name))
  for _, command in ipairs(script.try) do out.line("  " .. command) end
end

local function read(path)
  local file <close>, why = io.open(path, "rb")
  if not file then return nil, why end
  return file:read "a"
end

-- Copies a file unless it is there. One of other content stays: it may be a script that somebody changed.
-- Gives a line about it.
local function copy(name, folder)
  local to = paths.join(folder, name)
  local bytes, why = read(paths.join(catalog.folder(), name))
  if not bytes then return nil, why end
  local present = read(to)
  if present == bytes then
    return to .. ": is there already"
  elseif present then
    return nil, to .. ": has other content and was not replaced"
  end
  local ok, err = core.write(to, bytes)
  if not ok then return nil, tostring(err) end
  return to
end

local function copy_files(names, folder, quiet)
  local made, why = paths.make(folder)
  if not made then out.usage(why) end
  local failed = false
  for _, name in ipairs(names) do
    local line, err = copy(name, folder)
    if not line then
      out.fail(err)
      failed = true
    elseif not quiet then
      out.line(line)
    end
  end
  return not failed
end

local function copy_script(script, folder)
  local names = table.move(script.samples, 1, #script.samples, 2, { script.file })
  if not copy_files(names, folder) then return 1 end
  out.line ""
  out.line "Try it:"
  out.line("  cd " .. folder)
  for _, command in ipairs(script.try) do
    out.line("  " .. command:gsub("@" .. script.name:gsub("%-", "%%-"), script.file))
  end
  return 0
end

local function copy_all(folder)
  if not copy_files(catalog.files(), folder, "quiet") then return 1 end
  out.line("copied all scripts and sample files to " .. folder)
  return 0
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function examples.run(args)
  if not catalog.folder() then out.usage "the example scripts are not installed" end
  if args.json and args.output then out.usage "--json lists scripts, -o copies them: give one of them" end
  local script, why
  if args.name then
    script, why = catalog.find(args.name)
    if not script then out.usage(why) end
  end
  if args.output then
    if script then return copy_script(script, args.output) end
    return copy_all(args.output)
  end
  local scripts = script and { script } or catalog.all()
  if args.json then
    for _, each in ipairs(scripts) do show_json(each) end
  elseif script then
    explain(script)
  else
    list(scripts)
  end
  return 0
end

return examples
