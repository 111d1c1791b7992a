--- `lathe diff`: compares two files, or the files of two folders, field by field.
-- @module lathe.cli.commands.diff

local lfs = require "lfs"
local batch = require "lathe.cli.batch"
local inputs = require "lathe.cli.batch.inputs"
local opening = require "lathe.cli.opening"
local out = require "lathe.cli.out"
local patches = require "lathe.tree.patch"
local records = require "lathe.cli.pages.records"
local report = require "lathe.cli.batch.report"
local tree = require "lathe.tree.diff"
local worker = require "lathe.cli.batch.worker"

local SHOWN_TRACKS = 20 -- maximum number of tracks per animation; --json has all
local SHOWN_CHANGES = 20 -- per file of a folder; --json has all

local diff = {
  name = "diff",
  summary = "Show what differs between two files or folders, field by field.",
  description = [[
Show what differs between two files of the same format, one line a field. An element that was inserted or
removed is one line: what follows from it, such as counts and renumbered references, is not told. Bookkeeping
such as offset tables is not compared; if nothing else differs, a line says so. Of two folders, files with the
same relative path are compared, and those that only one folder has are listed.

Exit code: 0 if the files are equal, 1 if they differ or one of them cannot be read (stderr says which).

With --json, the output for two files is a patch, which `lathe apply` applies to other files. `same` is true
for equal files, `complete` if the patch makes the second file of the first one, byte for byte; else `missing`
says what it cannot do. `differ_at` is the first byte that differs if no field does. JSON members:

]] .. records.help "diff",
  examples = {
    "lathe diff Box.solid Box.solid.bak",
    "lathe diff old/walk.hkx new/walk.hkx --json > walk.patch",
    "lathe diff Models/ edited/ --tolerance 0.001",
  },
}

local function tolerance(word)
  local value = tonumber(word)
  if value and value >= 0 and value < math.huge then return value end
  return nil, ("'%s' is not a number of 0 or more"):format(word)
end

--- Adds the options.
-- @param command an argparse command
function diff.options(command)
  command:argument("files", "File or folder, or - for stdin."):argname "<file>"
    :action(function(args, _, path) args.files = { path } end)
  batch.shared_options(command)
  batch.job_options(command)
  command:argument("other", "What to compare it with."):argname "<other>"
  command:option("--tolerance", "Leave out floats that differ by at most T, in the unit of the field\n"
    .. "(default: 0). A patch with it is not complete."):argname "<t>":convert(tolerance)
end

-- ---- two files --------------------------------------------------------------------------------------

-- The changes as they are shown, the patch (with --json), and the first different byte if no field differs.
-- Files with equal bytes are not compared.
local function changes_of(doc, other, path, args)
  if inputs.content(doc) == inputs.content(other) then return {}, patches.empty(doc) end
  local opts = { tolerance = args.tolerance }
  local list, list_notes
  if args.json then
    local options, why = opening.of(args)
    if not options then return nil, why end
    options.path = path
    list, why = patches.make(doc, other, opts, options)
    if not list then return nil, why end
  else
    list, list_notes = tree.diff(doc, other, opts)
  end
  for _, note in ipairs(list_notes or {}) do
    out.message(("note: %s: %s: %s"):format(path, note.path, note.reason))
  end
  local shown = tree.shown(doc, other, list)
  local at
  if #list == 0 and not args.tolerance then
    at = tree.first_difference(inputs.content(doc), inputs.content(other))
  end
  return shown, list, at
end

-- Lines for the changes; only the first tracks of each animation that differ.
local function lines_of(changes)
  local lines = {}
  local tracks, more, last = 0, 0, nil
  local function rest()
    if more > 0 then
      lines[#lines + 1] = ("... and %d more in %s (--json lists all)"):format(more, last)
    end
    tracks, more = 0, 0
  end
  for _, change in ipairs(changes) do
    local list = change.frames and change.path:match "^(.*)%.[%a_]+%[%d+%]$"
    if list ~= last then rest() end
    last, tracks = list, tracks + 1
    if list and tracks > SHOWN_TRACKS then more = more + 1 else lines[#lines + 1] = tree.line(change) end
  end
  rest()
  return lines
end

local function add_json(result, list, shown, same, at)
  for key, value in pairs(patches.json(list)) do result.json[key] = value end
  local tracks = {} -- how far tracks of animations are apart, in front of the bytes that store them
  for _, change in ipairs(shown) do
    if change.frames then tracks[#tracks + 1] = change end
  end
  if #tracks > 0 then
    local all = batch.json_changes(tracks)
    result.json.changes = table.move(result.json.changes, 1, #result.json.changes, #all + 1, all)
  end
  result.json.same, result.json.differ_at = same, at
end

local function open_other(path, args)
  if args.other_doc then return nil end
  return inputs.open({ path = path, stdin = path == "-" }, args)
end

-- Compares a document with a file. Afterwards `result.same` says whether they are equal, and `result.told`
-- has the lines that differ.
local function compare(doc, result, path, other_path, args)
  local opened <close>, err = open_other(other_path, args)
  local other = args.other_doc or opened -- a host has it open
  if not other then return nil, err end
  if doc.format ~= other.format then
    return nil, ("%s is of another format: %s, not %s"):format(other_path, other.format, doc.format)
  end
  local shown, list, at = changes_of(doc, other, path, args)
  if not shown then return nil, list end
  result.same = #list == 0 and not at
  result.told, result.count, result.at = lines_of(shown), #shown, at
  if args.json then
    result.json.other = other_path
    add_json(result, list, shown, result.same, at)
  end
  if at then result.told[1] = ("no field differs, but bytes do, from 0x%x on"):format(at) end
  return true
end

local function run_files(args)
  if args.other == "-" and args.files[1] == "-" and not args.other_doc then
    out.usage "only one of the files can be stdin"
  end
  local differ = false
  local code = batch.run {
    args = args,
    apply = function(doc, result, item)
      local done, err = compare(doc, result, item.path, args.other, args)
      differ = result.same == false
      result.lines = result.told or result.lines
      return done, err
    end,
  }
  return differ and 1 or code
end

-- ---- two folders ------------------------------------------------------------------------------------

-- The files of both folders by relative path, sorted.
local function pair_up(first, second)
  local by_name, names = {}, {}
  for side, list in ipairs { first, second } do
    for _, item in ipairs(list) do
      local name = item.below
      if not by_name[name] then
        by_name[name] = {}
        names[#names + 1] = name
      end
      by_name[name][side] = item
    end
  end
  table.sort(names)
  local items = {}
  for i, name in ipairs(names) do
    local pair = by_name[name]
    items[i] = pair[1] or pair[2]
    items[i].other = pair[1] and pair[2] and pair[2].path
    items[i].only = not pair[1] and "second" or not pair[2] and "first" or nil
  end
  return items
end

-- Items of a folder; a folder without known files has none.
local function files_of(folder)
  local items = {}
  for _, item in ipairs(inputs.collect { folder }) do
    if not (item.error and item.path == folder) then items[#items + 1] = item end
  end
  return items
end

-- The files to compare; a worker gets them from the main process.
local function pairs_of(args)
  if worker.is_one() then return worker.settings().items end
  return pair_up(files_of(args.files[1]), files_of(args.other))
end

local function compare_pair(doc, result, item, args)
  if item.only then
    local folder = item.only == "first" and args.files[1] or args.other
    result.status, result.json.only = "only in one folder", item.only
    result.lines[1] = ("%s: only in %s"):format(item.below, folder)
    return true
  end
  local done, err = compare(doc, result, item.path, item.other, args)
  if not done then return nil, err end
  result.status = result.same and "same" or "different"
  if result.same or args.json then return true end
  result.lines[1] = ("%s: %s"):format(item.below, report.changes(result.count))
  for i = 1, math.min(#result.told, SHOWN_CHANGES) do result.lines[i + 1] = "  " .. result.told[i] end
  local more = #result.told - SHOWN_CHANGES
  if more > 0 then result.lines[#result.lines + 1] = ("  ... and %d more (--json lists all)"):format(more) end
  return true
end

local function run_folders(args)
  local differ = false
  local code = batch.run {
    args = args,
    items = pairs_of(args),
    counts = { "same", "different", "only in one folder", "failed" },
    summary = "always",
    apply = function(doc, result, item) return compare_pair(doc, result, item, args) end,
    gather = function(record) differ = differ or record.status ~= "same" end,
  }
  return differ and 1 or code
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code: also 1 if something differs
function diff.run(args)
  local first = lfs.attributes(args.files[1], "mode") == "directory"
  local second = lfs.attributes(args.other, "mode") == "directory"
  if first ~= second then
    local folder, other = args.files[1], args.other
    if second then folder, other = other, folder end
    out.usage(("'%s' is a folder, '%s' %s"):format(folder, other,
      lfs.attributes(other, "mode") and "is none" or "does not exist"))
  end
  return (first and run_folders or run_files)(args)
end

return diff
