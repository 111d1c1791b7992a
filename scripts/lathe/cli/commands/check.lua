--- `lathe check`: is the file valid, and does lathe write it back byte for byte?
-- @module lathe.cli.commands.check

local core = require "lathe.core"
local batch = require "lathe.cli.batch"
local bones = require "lathe.cli.commands.bones"
local formats = require "lathe.formats"
local records = require "lathe.cli.pages.records"
local rig = require "lathe.cli.commands.rig"
local round_trip = require "lathe.cli.commands.round_trip"
local schema = require "lathe.tree.schema"
local text = require "lathe.tree.text"
local worker = require "lathe.cli.batch.worker"

local check = {
  name = "check",
  summary = "Check that files are valid, and that lathe reproduces them byte for byte.",
  description = [[
Check files in three ways: parse them completely and encode them again, which must give the same bytes; make
files of up to 64 MiB anew from their values, which must give the same bytes, too; and look for what makes
games crash or show something wrong: links, skins, shader flags, collision, animations.

Warnings are listed but do not fail a file. One of them concerns Havok packfiles, also those inside NIF
blocks, that were not written by Havok's tools: `serialize` would write other bytes.

Files that belong together are also compared: a skeleton (.phxbn) with its model (.obj), and .anm and .fzx
with a skeleton. These are files of the same name (walk.anm and walk.phxbn); if you name the files, also the
only skeleton among them. If you name .hkx files, the one with a skeleton is compared with the animations
(bindings, number of bones and float slots, names) and with the node names of a .nif. With --skeleton,
animations of all formats are compared with that skeleton.

With --json, `decoded` counts the parts, such as blocks, that were parsed to their last byte, and `undecoded`
lists the paths of the others.]],
  examples = {
    "lathe check Models/",
    "lathe check --json Box.solid",
    "lathe check rabbit.phxbn rabbit.fzx rabbit.obj",
    "lathe check walk.anm run.anm rabbit.phxbn",
    "lathe check 1hm_idle.hkx skeleton.hkx skeleton.nif",
  },
}

--- Adds the options.
-- @param command an argparse command
function check.options(command)
  batch.options(command)
  command:flag("--allow-unknown", "Do not warn about collision materials that lathe does not know.")
end

local function place(found)
  local parts = {}
  if found.where and found.where ~= "" then parts[#parts + 1] = found.where end
  if found.offset then parts[#parts + 1] = ("at 0x%x"):format(found.offset) end
  return #parts > 0 and table.concat(parts, " ") .. ": " or ""
end

local function verdict(errors, warnings)
  if errors == 0 and warnings == 0 then return "ok" end
  local parts = {}
  if errors > 0 then parts[1] = text.count(errors, "error") end
  if warnings > 0 then parts[#parts + 1] = text.count(warnings, "warning") end
  return (errors == 0 and "ok, " or "") .. table.concat(parts, ", ")
end

local function json_findings(findings)
  local list = {}
  for i, found in ipairs(findings) do
    list[i] = { level = found.level or "error", code = found.code, where = found.where,
      offset = found.offset, message = found.message }
  end
  return records.list_of("finding", list)
end

-- Adds the findings of a list that are new.
local function add_new(findings, list, known)
  local told = {}
  local function key(found)
    return ("%s\0%s\0%s"):format(found.where or "", found.offset or "", found.message)
  end
  for _, found in ipairs(known) do told[key(found)] = true end
  for _, found in ipairs(list) do
    if not told[key(found)] then findings[#findings + 1] = found end
  end
  return findings
end

-- Findings from comparing a file with a second one; findings without it are not repeated.
local function disagreements(doc, options, known)
  local _, all = doc:check(options)
  return add_new({}, all or {}, known)
end

-- Whether a file matches the one it is compared with, and whether that one is valid.
local function agrees(name, options, mate)
  local what = options.corners and "the number of corners" or options.bones and "the names of bones"
    or "the bones that it is bound to"
  local sound = not mate or mate:check()
  return ("  agrees with %s in %s%s"):format(name, what, sound and "" or "; that file has errors of its own")
end

-- Adds these findings; returns the additional lines.
local function compare_with_mate(doc, item, together, findings, known)
  local options, name, mate = together:options(item)
  if not options then return name and { ("  not compared: %s"):format(name) } or {} end
  local list, lines
  if options.bones then
    list, lines = bones.compare(doc, options.bones)
  else
    list, lines = disagreements(doc, options, known), {}
  end
  for _, found in ipairs(list) do
    findings[#findings + 1] = { level = found.level, code = found.code, where = found.where,
      offset = found.offset, message = ("%s (against %s)"):format(found.message, name) }
  end
  for i, line in ipairs(lines) do lines[i] = ("  %s (%s)"):format(line, name) end
  if #list == 0 then table.insert(lines, 1, agrees(name, options, mate)) end
  if mate then mate:close() end
  return lines
end

-- The number of elements of an array that were parsed to their last byte, and the paths of opaque ones.
-- Elements that cannot be located have paths too: `said` is the number that should exist.
local function count_decoded(array, name, said, json)
  json.decoded = json.decoded or 0
  json.undecoded = json.undecoded or records.list {}
  for i = 1, math.max(said, #array) do
    local item = array[i]
    local problem = item and core.problem(item)
    local parses = not problem or problem.code == "unsupported" -- some references point to unknown data
    if item and parses and not schema.is_opaque(item) then
      json.decoded = json.decoded + 1
    else
      table.insert(json.undecoded, ("%s[%d]"):format(name, i))
    end
  end
end

-- Counts the parts of a file, such as blocks.
local function decoded(doc, json)
  local cache = schema.new()
  for _, row in ipairs(cache:rows(doc)) do
    local array = row.tag and doc[row.name]
    local count = "num_" .. row.name
    if array then
      count_decoded(array, row.name, cache:row(doc, count) and doc[count] or #array, json)
    end
  end
end

-- Reports what was not checked because its geometry file was not found.
local function tell_missing(doc, result)
  local missing = formats.of(doc.format).missing
  local list = missing and missing(doc) or {}
  for _, file in ipairs(list) do
    result.lines[#result.lines + 1] = ("  not looked at, the geometry of %s: %s"):format(
      text.count(file.objects, "object"), file.reason)
  end
  if #list > 0 then result.json.missing = records.list_of("missing_file", list) end
end

local function examine(doc, result, item, together, options)
  local findings = {}
  round_trip.examine(findings, doc, item)
  local _, semantic = doc:check(options)
  add_new(findings, semantic or {}, findings)
  local agreement = compare_with_mate(doc, item, together, findings, semantic or {})
  local errors, warnings = 0, 0
  for _, found in ipairs(findings) do
    if found.level == "warning" then warnings = warnings + 1 else errors = errors + 1 end
  end
  result.status = errors > 0 and "failed" or "ok"
  result.lines[1] = ("%s: %s"):format(item.path, verdict(errors, warnings))
  for _, found in ipairs(findings) do
    result.lines[#result.lines + 1] =
      ("  %s: %s%s"):format(found.level or "error", place(found), found.message)
  end
  table.move(agreement, 1, #agreement, #result.lines + 1, result.lines)
  result.json = { findings = json_findings(findings) }
  decoded(doc, result.json)
  tell_missing(doc, result)
  return true
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function check.run(args)
  local together
  local options = args.allow_unknown and { unknown = "allow" } or nil
  args.files, together = rig.new(args.files)
  local job
  job = {
    args = args,
    counts = { "ok", "failed" },
    begin = function(items)
      local found = worker.is_one() and worker.settings().shared or nil
      job.shared = together:learn(items, found)
    end,
    apply = function(doc, result, item) return examine(doc, result, item, together, options) end,
  }
  return batch.run(job)
end

return check
