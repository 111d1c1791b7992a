--- Runs a command over files: opens each, applies the command, writes changed files, and reports. A file that
-- fails does not stop the others.
-- @module lathe.cli.batch

local lfs = require "lfs"
local core = require "lathe.core"
local diff = require "lathe.tree.diff"
local inputs = require "lathe.cli.inputs"
local listing = require "lathe.cli.listing"
local json = require "lathe.tree.json"
local opening = require "lathe.cli.opening"
local out = require "lathe.cli.out"
local report = require "lathe.cli.report"
local target = require "lathe.cli.target"

local batch = {}

local SHOWN_CHANGES = 20 -- maximum number of lines per file in --dry-run; --json has all

--- Adds the arguments of all commands that take several files.
-- @param command an argparse command
-- @tparam[opt] boolean several whether it takes --skeleton more than once
function batch.options(command, several)
  command:argument("files", "Files, folders (searched for known extensions), or - for stdin.")
    :argname "<file>":args "*"
  batch.shared_options(command, several)
  listing.options(command)
end

local function one_file(path)
  if lfs.attributes(path, "mode") ~= "directory" then return path end
  return nil, ("'%s' is a folder: a file expected"):format(path)
end

--- The same for a command over one file.
-- @param command an argparse command
function batch.options_for_one(command)
  command:argument("files", "File, or - for stdin."):argname "<file>"
    :convert(one_file)
    :action(function(args, _, path) args.files = { path } end)
  batch.shared_options(command)
end

--- Adds the options that both have.
-- @param command an argparse command
-- @tparam[opt] boolean several as above
function batch.shared_options(command, several)
  opening.add(command, several)
  command:flag("--json", "Print one JSON value a line, for other programs. If a file name is not\n"
    .. "UTF-8, `file` has U+FFFD and `file_bytes` the name in base64.")
end

--- Whether a format has a verb, or can do something.
-- @tparam string format_name
-- @tparam string verb as in `lathe.formats().can`
-- @treturn boolean
function batch.can(format_name, verb)
  for _, format in ipairs(core.formats()) do
    if format.name == format_name then return format.can[verb] == true end
  end
  return false
end

local function failed(err)
  return { status = "failed", error = err == nil and "failed without a reason" or err }
end

local function changes_of(item, doc, args)
  local bytes, why = inputs.bytes(item)
  if not bytes then return nil, why end
  if not doc.compression and doc:encode() == bytes then return {} end
  local options, wrong = opening.of(args)
  if not options then return nil, wrong end
  options.format, options.path = doc.format, item.path
  local before, err = core.parse(bytes, options)
  if not before then return nil, err end
  local changes = diff.told(before, doc)
  before:close()
  return changes
end

local MEASURES = { "frames", "translation", "translation_frame", "rotation", "rotation_frame", "scale",
  "scale_frame", "value", "value_frame" }

local CHANGE_ORDER = { "path", "old", "old_name", "new", "new_name", "added", "removed", "name",
  table.unpack(MEASURES) }

local function json_change(change)
  local record = { path = change.path }
  for _, key in ipairs { "old", "new", "added", "removed" } do
    if change[key] ~= nil then record[key] = json.plain(change[key], change.type) end
  end
  record.old_name, record.new_name = change.old_name, change.new_name
  if change.frames then
    record.name = change.key and json.plain(change.key)
    for _, key in ipairs(MEASURES) do record[key] = change[key] end
  end
  return setmetatable(record, { __jsonorder = CHANGE_ORDER })
end

--- Converts changes of lathe.tree.diff for JSON.
-- @tparam {table,...} changes
-- @treturn table
function batch.json_changes(changes)
  local list = setmetatable({}, { __jsontype = "array" })
  for i, change in ipairs(changes) do list[i] = json_change(change) end
  return list
end

local function describe_changes(changes, result, with_json)
  if with_json then
    result.json.changes = batch.json_changes(changes)
    return
  end
  for i = 1, math.min(#changes, SHOWN_CHANGES) do
    result.lines[#result.lines + 1] = "  " .. diff.line(changes[i])
  end
  if #changes > SHOWN_CHANGES then
    local rest = #changes - SHOWN_CHANGES
    result.lines[#result.lines + 1] = ("  ... and %d more (--json lists all)"):format(rest)
  end
end

-- The number of changes that writing would report, and the number of values if that differs: assigning one
-- text can change three values.
local function counted(changes, detail)
  if #changes == 0 then return "" end
  local count = report.changes(#changes)
  if not detail or detail == count then return (" (%s)"):format(count) end
  return (" (%s, %s)"):format(detail, #changes == 1 and "1 value differs" or #changes .. " values differ")
end

local function preview(job, item, doc, result)
  local could, why = job.target:check(doc, item)
  if not could then return failed(why) end
  local changes, err = changes_of(item, doc, job.args)
  if not changes then return failed(err) end
  result.status = doc.modified and "would change" or "unchanged"
  local count = counted(changes, result.detail)
  table.insert(result.lines, 1, ("%s: %s%s"):format(item.path, result.status, count))
  describe_changes(changes, result, job.args.json)
  return result
end

local function write(job, item, doc, result)
  if job.target.dry_run then return preview(job, item, doc, result) end
  local doc_changed = doc.modified -- saving resets it
  result.status = doc_changed and "changed" or "unchanged"
  if not job.target:wants(doc) then
    if not job.quiet_unchanged then
      table.insert(result.lines, 1, item.path .. ": unchanged")
    end
    return result
  end
  local path, err, notes = job.target:write(doc, item)
  if not path then return failed(err) end
  result.json.written = path
  local what = doc_changed and result.detail or result.status
  local where = path == item.path and "" or " -> " .. path
  table.insert(result.lines, 1, item.path .. ": " .. what .. where)
  report.note_lines(notes, result.lines)
  if path == "-" then result.lines = {} end
  return result
end

local function work(job, item, doc)
  local result = { status = "done", lines = {}, json = {} }
  local can = not job.verb or batch.can(doc.format, job.verb)
  for _, verb in ipairs(job.or_verbs or {}) do can = can or batch.can(doc.format, verb) end
  if not can then
    result.status, result.reason = "skipped", ("%s files have no %s"):format(doc.format, job.verb)
    return result
  end
  local takes, reason = true, nil
  if job.takes then takes, reason = job.takes(doc) end
  if not takes then return { status = "skipped", reason = reason, lines = {}, json = {} } end
  local ok, err = job.apply(doc, result, item)
  if not ok then return failed(err) end
  if job.target then return job.host(write, job, item, doc, result) end
  return result
end

local function process(job, item)
  if item.skipped then return { status = "skipped", reason = item.skipped } end
  local doc, err = job.host(inputs.open, item, job.args)
  if not doc then return failed(err) end
  local ok, result = pcall(work, job, item, doc)
  pcall(function() doc:close() end) -- a script may have closed it
  return ok and result or failed(result)
end

local function call(fn, ...) return fn(...) end

--- Runs a job over all files of the command line.
-- @tparam table job
--
-- * `args`: the parsed arguments
-- * `apply`: function(doc, result, item) -> true | nil, err. It may add to `result.lines` and `result.json`,
--   and set `result.status` and `result.detail`
-- * `writes`: "needed" if the command requires an output, "maybe" if it is optional
-- * `begin`: function(items), called before the first file is opened
-- * `verb`: files of formats without this verb are skipped, unless they have one of `or_verbs`
-- * `takes`: function(doc) -> true if the command applies to it, else false and the reason why it is skipped
-- * `prepare`: function(items) -> true | nil, err, called after the options were checked and before the first
--   file is opened; if it fails, nothing is written
-- * `items`: the items, if the command has already collected them
-- * `finish`: function(result), called after each file; may add lines
-- * `host`: function(fn, ...) that calls fn with the rights of lathe itself, around a sandbox
-- * `counts`, `order`, `summary`: see `report.new`
-- * `quiet_unchanged`: no line for unchanged files
-- @treturn integer the exit code
function batch.run(job)
  local args = job.args
  local items = job.items or inputs.collect(args.files, args.output, args.in_place, args)
  if items.all then
    out.note(("shard %d/%d: %d of %d files"):format(args.shard.index, args.shard.count, #items, items.all))
  end
  job.host = job.host or call
  if job.begin then job.begin(items) end
  if job.writes then
    job.target = target.new(args, items, job.writes == "needed")
    job.counts =
      { args.dry_run and "would change" or "changed", "unchanged", "skipped", "failed" }
    if core.ignore_sigpipe then core.ignore_sigpipe() end -- `| head` must not stop the output to files
  end
  if job.prepare then
    local ready, why = job.prepare(items)
    if not ready then
      out.fail(tostring(why))
      return 1
    end
  end
  job.json = args.json
  local summary = report.new(job)
  args.at_interrupt = function() summary:finish() end -- Ctrl-C: reports the files that are done
  for i, item in ipairs(items) do
    if out.closed() and not job.writes then break end
    out.progress(i, #items, item.path)
    local result = process(job, item)
    if job.finish then job.finish(result) end
    summary:add(item, result)
  end
  args.at_interrupt = nil
  return summary:finish()
end

return batch
