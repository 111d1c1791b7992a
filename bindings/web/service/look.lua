--- Calls: what is in a document, as the commands of the shell say it.
-- @module service.look

local batch = require "lathe.cli.batch"
local cli = require "lathe.cli"
local files = require "service.files"
local json = require "service.json"
local out = require "lathe.cli.out"
local refuse = require "service.refuse"
local store = require "service.store"
local text = require "lathe.tree.text"
local view = require "lathe.view"

local look = { calls = {} }
local calls = look.calls

-- ---- commands on open documents ------------------------------------------------------------------------

--- Runs a command on a document.
-- @tparam table item `doc`, `path`
-- @tparam {string,...} argv
-- @tparam[opt] table more as for `cli.on`
-- @treturn ?table what the command did with the document: `status`, `lines`, `json` …
-- @return what it printed; or the error
function look.command(item, argv, more)
  local printed = {}
  out.keep(function(_, bytes) printed[#printed + 1] = bytes end)
  local code, err = cli.on({ item }, argv, more)
  out.keep(nil)
  if not code then return nil, err end
  local result = item.result
  if not result then return nil, refuse.new("internal", table.concat(printed)) end
  if result.status == "skipped" then return nil, refuse.new("unsupported", result.reason) end
  if type(result.error) == "string" then return nil, refuse.new("invalid", result.error) end
  if result.error ~= nil then return nil, result.error end
  return result, table.concat(printed)
end

local function item_of(entry) return { doc = entry.doc, path = entry.path } end

-- Runs a command that shows something; gives its text, or what it says with --json.
local function shown(entry, args, argv, member)
  local as_json = args.json == true
  if as_json then argv[#argv + 1] = "--json" end
  local result, printed = look.command(item_of(entry), argv)
  if not result then return nil, printed end
  if as_json then return { json = json.verbatim(printed) } end
  if member == "lines" then return { lines = json.lines(result.lines) } end
  return { text = (printed:gsub("\n$", "")) }
end

function calls.info(args)
  return shown(store.of(args), args, { "info", cli.FILES }, "lines")
end

-- A path as a word of the command line.
local function path_word(args)
  local path = refuse.text(args, "path")
  if path == "" or path:find "^%-" then refuse.usage("'%s' is not a path", text.printable(path)) end
  return path
end

function calls.dump(args)
  local argv = { "dump" }
  if args.depth ~= nil then
    argv[#argv + 1] = ("--depth=%d"):format(refuse.integer(args, "depth", nil, 0, 64))
  end
  if args.all then argv[#argv + 1] = "--all" end
  argv[#argv + 1] = cli.FILES
  if args.path ~= nil and args.path ~= "" then argv[#argv + 1] = path_word(args) end
  return shown(store.of(args), args, argv)
end

function calls.get(args)
  return shown(store.of(args), args, { "get", cli.FILES, path_word(args) })
end

-- ---- check ---------------------------------------------------------------------------------------------

function calls.check(args)
  local entry = store.of(args)
  local item, copy = item_of(entry), nil
  if entry.doc.modified then -- what would be saved is checked
    local bytes, err = entry.doc:encode()
    if not bytes then return nil, err end
    copy, err = store.copy(entry, bytes)
    if not copy then return nil, err end
    item.doc, item.bytes = copy, bytes
  end
  local argv = { "check", "--json", cli.FILES }
  if args.allow_unknown then table.insert(argv, 2, "--allow-unknown") end
  local result, printed = look.command(item, argv)
  if copy then copy:close() end
  if not result then return nil, printed end
  return {
    ok = result.status ~= "failed", findings = json.list(result.json.findings),
    lines = json.lines(result.lines), json = json.verbatim(printed),
  }
end

-- ---- diff ----------------------------------------------------------------------------------------------

-- The document to compare with, and whether it is to be closed.
local function other_of(entry, against)
  if type(against) == "number" then
    local other = store.entry(against)
    return other.doc, other.path, false
  elseif against ~= "opened" and against ~= "saved" then
    refuse.usage "argument 'against': an id, \"opened\" or \"saved\" expected"
  end
  local path = against == "opened" and store.opened_file(entry) or entry.file
  local copy, err = store.copy(entry, files.read(path))
  if not copy then error(err, 0) end
  return copy, path, true
end

function calls.diff(args)
  local entry = store.of(args)
  local other, path, is_copy = other_of(entry, args.against)
  local argv = { "diff" }
  if args.json then argv[2] = "--json" end
  if args.tolerance ~= nil then
    if type(args.tolerance) ~= "number" then refuse.usage "argument 'tolerance': a number expected" end
    argv[#argv + 1] = ("--tolerance=%.17g"):format(args.tolerance)
  end
  argv[#argv + 1], argv[#argv + 2] = cli.FILES, "other"
  local item = { doc = other, path = path }
  local ok, result, printed = pcall(look.command, item, argv, { other = entry.path, other_doc = entry.doc })
  if is_copy then other:close() end
  if not ok then error(result, 0) end
  if not result then return nil, printed end
  return {
    same = result.same, count = result.count, lines = json.lines(result.told), differ_at = result.at,
    json = args.json and json.verbatim(printed) or nil,
  }
end

-- ---- picture -------------------------------------------------------------------------------------------

local LODS <const> = { [0] = true, [1] = true, [2] = true }

-- Whether the document is an animation that cannot be drawn for want of bones.
local function lacks_skeleton(doc, found)
  return not found.glb and batch.can(doc.format, "animations") and #doc.animations > 0
end

function calls.picture(args)
  local entry = store.of(args)
  local lod = args.lod ~= nil and math.tointeger(args.lod) or nil
  if args.lod ~= nil and not LODS[lod] then refuse.usage "argument 'lod': 0, 1 or 2 expected" end
  local file, found = view.picture(entry.doc, {
    skeleton = store.optional(args, "skeleton"), mesh = store.optional(args, "mesh"), lod = lod,
  }, entry.path)
  for _, note in ipairs(file.notes) do note.reason = note.reason:gsub(" %(%-%-skeleton FILE%)$", "") end
  local needs = lacks_skeleton(entry.doc, found) and "skeleton" or nil
  return { file = file, notes = file.notes, needs = needs }, { found.glb }
end

return look
