--- Call: makes a document from a file of another program.
-- @module service.imports

local cli = require "lathe.cli"
local core = require "lathe.core"
local files = require "service.files"
local json = require "service.json"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"
local refuse = require "service.refuse"
local store = require "service.store"
local text = require "lathe.tree.text"
local verbs = require "service.verbs"

local imports = { calls = {} }

local FOLDER <const> = ".import" -- temporary files of the command
local NEW <const> = FOLDER .. "/new"
local USAGE <const> = 2          -- exit code

-- The output of the command, with file names as the user knows them.
local function as_known(said)
  said = said:gsub("%.import/new/", ""):gsub("%.import/", ""):gsub("%f[^%s'\0]%./", "")
  return (said:gsub("^lathe[^:]*: ", ""))
end

-- The path of a file that the command reads. A document that differs from its file is written for it.
local function read_by_command(value, scratch)
  if type(value) ~= "number" then
    local path = files.clean(value)
    if not files.size(path) then refuse.with("io", "%s: there is no such file", text.printable(path)) end
    return "./" .. path -- also where it begins like an option
  end
  local entry = store.entry(value)
  if not entry.doc.modified and entry.file == entry.path then return "./" .. entry.path end
  local bytes, err = entry.doc:encode()
  if not bytes then error(err, 0) end
  local path = paths.join(FOLDER, entry.path)
  scratch[#scratch + 1] = path
  files.write(path, bytes)
  return path
end

-- The words of the command.
local function words_of(given, made, scratch)
  local argv = { "import" }
  for _, option in ipairs(verbs.import_form().options) do
    local value = given[option.name]
    local kind = type(value)
    if value == nil or value == "" then
      if option.required then refuse.usage("%s is missing", option.name) end
    elseif kind ~= "string" and kind ~= "number" then
      refuse.usage("option '%s': a text or a number expected, got %s", option.name, kind)
    elseif option.type == "file" then
      local path = read_by_command(value, scratch)
      argv[#argv + 1] = option.name:find "^%-" and option.name .. "=" .. path or path
    elseif option.name == "--output" then
      argv[#argv + 1] = "--output=" .. made
    else
      argv[#argv + 1] = option.name .. "=" .. (kind == "number" and text.number(value) or value)
    end
  end
  return argv
end

-- Runs the command. Returns the lines that it says.
local function run(argv)
  local printed = {}
  out.keep(function(_, bytes) printed[#printed + 1] = bytes end)
  local code = cli.run(argv)
  out.keep(nil)
  local said = as_known(table.concat(printed):gsub("\n$", ""))
  if code ~= 0 then refuse.with(code == USAGE and "usage" or "invalid", "%s", said) end
  local lines = json.list {}
  for line in said:gmatch "[^\n]+" do lines[#lines + 1] = text.utf8(line) end
  return lines
end

-- Opens new bytes as a document. It counts as changed until the user saves it.
local function add(name, bytes)
  files.check_size(name, #bytes, store.bytes())
  local path = store.free_path(name, true)
  files.write(path, bytes)
  local options = { history = store.docs.options.history, limit = files.limits.file }
  local doc, err = core.open(path, options)
  if not doc then
    files.remove(path)
    error(err, 0)
  end
  core.mark_modified(doc)
  local entry = store.add(doc, path, options)
  entry.state = core.history(doc)
  return entry
end

function imports.calls.import(args)
  local given, scratch = refuse.table(args, "options"), {}
  verbs.check_known(given, verbs.import_form().options)
  local name = files.clean(refuse.text(given, "--output", ""))
  local made = paths.join(NEW, name)
  local tidy <close> = setmetatable({}, { __close = function() -- luacheck: ignore 211
    for _, path in ipairs(scratch) do files.remove(path) end
  end })
  scratch[1] = made
  local ready, why = paths.make(paths.folder(made)) -- or the command says that it made the folder
  if not ready then refuse.with("io", "%s: %s", text.printable(name), text.printable(why)) end
  local lines = run(words_of(given, made, scratch))
  args.label = "import"
  local entry = add(name, files.read(made))
  return { document = store.told(entry), lines = lines }
end

return imports
