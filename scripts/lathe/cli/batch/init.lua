--- Runs a command over files: opens each, applies the command, writes changed files, and reports. A file that
-- fails does not stop the others.
-- @module lathe.cli.batch

local lfs = require "lfs"
local core = require "lathe.core"
local inputs = require "lathe.cli.batch.inputs"
local listing = require "lathe.cli.commands.listing"
local opening = require "lathe.cli.opening"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"
local plain = require "lathe.cli.batch.plain"
local report = require "lathe.cli.batch.report"
local resume = require "lathe.cli.batch.resume"
local target = require "lathe.cli.batch.target"
local worker = require "lathe.cli.batch.worker"

local batch = {}

local SHOWN_CHANGES = 20 -- maximum number of lines per file in --dry-run; --json has all

local function number_of_jobs(given)
  local number = given:find "^%d+$" and math.tointeger(tonumber(given))
  if number and number >= 1 and number <= worker.MOST then return number end
  return nil, ("-j takes a number of files from 1 to %d, not '%s'"):format(worker.MOST, given)
end

--- Adds the arguments of all commands that take several files.
-- @param command an argparse command
-- @tparam[opt] boolean several whether it takes --skeleton more than once
function batch.options(command, several)
  command:argument("files", "Files, folders (searched for known extensions), or - for stdin.")
    :argname "<file>":args "*"
  batch.shared_options(command, several)
  listing.options(command)
  batch.job_options(command)
  command:flag("-q --quiet", "Print failures only, and what scripts print.")
end

--- Adds `-j`.
-- @param command an argparse command
function batch.job_options(command)
  command:option("-j --jobs", ("Files to work on at a time: 1 to %d (default: number of processors).\n"
    .. "Each has a process of its own, except in short batches. Large files\n"
    .. "run together only while %d times their sizes stay below %dG."):format(worker.MOST,
      worker.MEMORY_PER_BYTE, worker.MOST_MEMORY >> 30))
    :argname "<n>":convert(number_of_jobs)
end

--- The same for a command over one file.
-- @param command an argparse command
-- @tparam[opt] string advice what to use for a folder
function batch.options_for_one(command, advice)
  local function one_file(path)
    if lfs.attributes(path, "mode") ~= "directory" then return path end
    return nil, ("'%s' is a folder: a file expected%s"):format(path, advice and "; " .. advice or "")
  end
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

local abilities -- of formats, by their names

--- Whether a format has a verb, or can do something.
-- @tparam string format_name
-- @tparam string verb as in `lathe.formats().can`
-- @treturn boolean
function batch.can(format_name, verb)
  if not abilities then
    abilities = {}
    for _, format in ipairs(core.formats()) do abilities[format.name] = format.can end
  end
  local can = abilities[format_name]
  return can ~= nil and can[verb] == true
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
  local changes = require("lathe.tree.diff").told(before, doc)
  before:close()
  return changes
end

--- Converts changes of lathe.tree.diff for JSON.
-- @tparam {table,...} changes
-- @treturn table
function batch.json_changes(changes)
  local list = setmetatable({}, { __jsontype = "array" })
  local patch = require "lathe.tree.patch" -- loaded on first use: most commands do not need it
  for i, change in ipairs(changes) do list[i] = patch.change_json(change) end
  return list
end

local function describe_changes(changes, result, with_json)
  if with_json then
    result.json.changes = batch.json_changes(changes)
    return
  end
  for i = 1, math.min(#changes, SHOWN_CHANGES) do
    result.lines[#result.lines + 1] = "  " .. require("lathe.tree.diff").line(changes[i])
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

-- Why the result of a file must not be written: another input was written to the same path. nil: it may.
local function taken(job, item)
  local path = not job.args.in_place and job.target:path(item)
  local other = path and path ~= "-" and job.made[path]
  return other and ("would overwrite %s, made of %s"):format(path, other)
end

local function preview(job, item, doc, result)
  local could, why = job.target:check(doc, item)
  if not could then return failed(why) end
  local other = job.target:wants(doc) and taken(job, item)
  if other then return failed(other) end
  local changes, err = changes_of(item, doc, job.args)
  if not changes then return failed(err) end
  result.status = doc.modified and "would change" or "unchanged"
  local count = counted(changes, result.detail)
  table.insert(result.lines, 1, ("%s: %s%s"):format(item.path, result.status, count))
  describe_changes(changes, result, job.args.json)
  result.wrote = doc.modified and job.target:path(item) or nil
  return result
end

local function write(job, item, doc, result)
  if job.target.dry_run then return preview(job, item, doc, result) end
  local doc_changed = doc.modified -- saving resets it
  result.status = doc_changed and "changed" or "unchanged"
  if job.resume and result.value ~= nil then item.done.value = assert(plain.pack(result.value)) end
  if not job.target:wants(doc) then
    if job.resume then
      local noted, why = job.resume:record_unchanged(item)
      if not noted then return failed(why) end
    end
    if not job.quiet_unchanged then
      table.insert(result.lines, 1, item.path .. ": unchanged")
    end
    return result
  end
  local other = taken(job, item)
  if other then return failed(other) end
  local path, err, notes = job.target:write(doc, item)
  if not path then return failed(err) end
  result.json.written, result.wrote = path, path
  local what = doc_changed and result.detail or result.status
  local where = path == item.path and "" or " -> " .. path
  table.insert(result.lines, 1, item.path .. ": " .. what .. where)
  report.note_lines(notes, result.lines)
  if path == "-" then result.lines = {} end
  return result
end

-- The result of a file that an earlier run finished; nil if it is to be worked on.
local function finished(job, item, doc)
  local done, why = job.resume:look(item, doc)
  if why then return failed(why) end
  if not done then return nil end
  local lines = (job.args.dry_run or job.alone) and { item.path .. ": already done" } or {}
  return { status = "already done", lines = lines, json = { written = done.path, already_done = true },
    wrote = done.path, value = done.value and plain.unpack(done.value) }
end

local function work(job, item, doc)
  local result = { status = "done", lines = {}, json = {} }
  local can = not job.verb or batch.can(doc.format, job.verb)
  for _, verb in ipairs(job.or_verbs or {}) do can = can or batch.can(doc.format, verb) end
  if not can then
    result.status = "skipped"
    result.reason = ("%s files have no %s"):format(doc.format, (job.verb:gsub("_", "-")))
    return result
  end
  local takes, reason = true, nil
  if job.takes then takes, reason = job.takes(doc) end
  if not takes then return { status = "skipped", reason = reason, lines = {}, json = {} } end
  local done = job.resume and finished(job, item, doc)
  if done then return done end
  local ok, err = job.apply(doc, result, item)
  if item.doc then return ok and result or failed(err) end -- its host knows whether it changed
  local final = not ok and failed(err) or job.target and job.host(write, job, item, doc, result) or result
  final.value = result.value
  return final
end

local function call(fn, ...) return fn(...) end

-- Works on one file, in the main process or in a worker.
local function process(job, item)
  -- A file that is not to be worked on is left out here, before it is opened.
  if item.skipped then return { status = "skipped", reason = item.skipped } end
  local doc, err = job.host(inputs.open, item, job.args)
  if not doc then return failed(err) end
  local ok, result = pcall(item.around or call, work, job, item, doc)
  if not item.doc then pcall(function() doc:close() end) end -- a script may have closed it
  return ok and result or failed(result)
end

-- ---- the files of a batch ------------------------------------------------------------------------

-- Works on one file, and writes its lines, in the main process or in a worker.
-- @treturn table plain values: `status`, `reason`, `failure`, `value`, `wrote`
local function work_on(job, item)
  local result = process(job, item)
  if job.complete then job.complete(result) end
  if item.doc then item.result = result end
  report.show(job, item, result)
  local record = report.record(item, result)
  record.value, record.wrote = result.value, result.wrote
  return record
end

-- The file of a worker that died.
local function lost(job, item, reason)
  local result = failed(reason)
  report.show(job, item, result)
  return report.record(item, result)
end

-- For each item the number of the last earlier one that may be written to the same path: one of the same name
-- without extension, because a command may change that.
local function find_rivals(items)
  local by_name, rivals = {}, {}
  for i, item in ipairs(items) do
    local name = item.below and paths.with_extension(item.below):lower()
    if name then rivals[i], by_name[name] = by_name[name], i end
  end
  return rivals
end

local Run = {}
Run.__index = Run

local START_AFTER = 0.05 -- seconds of work in the main process before workers are started
local WORTH_IT = 0.15 -- … if the rest would take longer than this
local MANY, LARGE = 200, 8 << 20 -- number of files and their total size for which workers are started at once

-- Whether workers should be started for the files from number i on.
function Run:wants_workers(i)
  local left = #self.items - i + 1
  if self.jobs == 1 or left < 2 then return false end
  if i == 1 then return left >= MANY or self.size >= LARGE end
  local spent = core.process.seconds() - self.began
  return spent >= START_AFTER and spent / (i - 1) * left >= WORTH_IT
end

function Run:start_workers(first)
  local job, items, args = self.job, self.items, self.job.args
  local rivals = args.output and not args.in_place and find_rivals(items) or {}
  local is_missing = args.output and lfs.attributes(args.output, "mode") == nil
  for _, item in ipairs(items) do
    if item.stdin then item.bytes = item.bytes or io.stdin:read "a" end
  end
  self.pool = require("lathe.cli.batch.workers").start {
    count = math.min(self.jobs, #items - first + 1),
    items = items,
    first = first,
    settings = { items = self:plain_items(), files = args.named, shared = job.shared, output = out.settings(),
      resume = job.resume and job.resume:plain(),
      missing = is_missing and { [args.output] = true } or {} },
    request = function(i)
      local made, k = {}, rivals[i]
      while k do
        local path = self.wrote[k]
        if path then made[path] = items[k].path end
        k = rivals[k]
      end
      return { number = i, made = made, bytes = items[i].bytes }
    end,
    waits = function(i) return rivals[i] end,
    done = function(i, record) self.wrote[i] = record.wrote end,
    here = function(i) return work_on(job, items[i]) end,
    show = function() self:show_progress() end,
  }
end

-- The items without the content of stdin, which only the worker of that item gets.
function Run:plain_items()
  local list = {}
  for i, item in ipairs(self.items) do
    local copy = {}
    for key, value in pairs(item) do copy[key] = value end
    copy.bytes = nil
    list[i] = copy
  end
  return list
end

function Run:show_progress()
  local i = self.due
  out.progress(i, #self.items, self.items[i].path, core.process.seconds() - self.began)
end

function Run:add(i, record)
  local job, item = self.job, self.items[i]
  if record.lost then record = lost(job, item, record.lost) end
  if record.wrote then
    self.wrote[i] = record.wrote
    job.made[record.wrote] = item.path
  end
  if job.gather then job.gather(record, item) end
  self.summary:count(record)
end

-- Works on all files. False if it stopped because nobody reads the output.
function Run:all()
  local job, items = self.job, self.items
  for i, item in ipairs(items) do
    if out.closed() and not job.writes then return false end
    self.due = i
    self:show_progress()
    if not self.pool and self:wants_workers(i) then self:start_workers(i) end
    self:add(i, self.pool and self.pool:take(i) or work_on(job, item))
  end
  if self.pool then self.pool:finish() end
  return true
end

-- Ctrl-C: stops the workers, and reports the files that are done.
function Run:interrupt()
  if self.pool then self.pool:stop(function(i, record) self:add(i, record) end) end
  self.summary:finish()
end

-- In a worker: works on the files that the main process hands out.
local function serve(job, items)
  worker.serve(function(request)
    local item = items[request.number]
    item.bytes, job.made = request.bytes, request.made
    return work_on(job, item)
  end, job.args.trusted)
  return 0
end

local function measure(items)
  local total = 0
  for _, item in ipairs(items) do
    item.size = item.size or item.bytes and #item.bytes
      or not item.error and not item.stdin and lfs.attributes(item.path, "size") or 0
    total = total + item.size
  end
  return total
end

--- The files of the command line, with their sizes. A worker gets them from the main process; `args.items`
-- are those of a host, which has the documents open.
-- @tparam table args
-- @treturn {table,...} as from `inputs.collect`, with `size`
function batch.collect(args)
  if worker.is_one() then return worker.settings().items end
  if args.items then return args.items end
  local items = inputs.collect(args.files, args.output, args.in_place, args)
  if items.all then
    out.note(("shard %d/%d: %d of %d files"):format(args.shard.index, args.shard.count, #items, items.all))
  end
  measure(items)
  return items
end

-- Reads the manifest of --resume, or starts one; a worker gets what the main process has read. False if that
-- is not possible; the reason is printed.
local function start_resume(job)
  local args, to_folder = job.args, job.to_folder
  if job.target then to_folder = job.target.dir ~= nil end
  resume.check_usage(args, to_folder, job.no_resume)
  if not args.resume then return true end
  if worker.is_one() then
    job.resume = resume.join(worker.settings().resume)
  else
    local found, why = resume.start(args, job.covers)
    if not found then
      out.fail(tostring(why))
      return false
    end
    job.resume = found
  end
  if job.target then job.target.resume = job.resume end
  table.insert(job.counts, job.target and 3 or 2, "already done")
  return true
end

--- Runs a job over all files of the command line.
--
-- With `-j`, worker processes run the command, too, up to this call, and then work on the files that they are
-- handed; `apply` and `complete` are called there. All that they keep in variables is lost to other files;
-- what a command needs for totals goes into `result.value` and is taken by `gather`.
-- @tparam table job
--
-- * `args`: the parsed arguments
-- * `apply`: function(doc, result, item) -> true | nil, err. It may add to `result.lines` and `result.json`,
--   and set `result.status`, `result.detail` and `result.value` (plain values)
-- * `writes`: "needed" if the command requires an output, "maybe" if it is optional
-- * `begin`: function(items), called before the first file is opened
-- * `verb`: files of formats without this verb are skipped, unless they have one of `or_verbs`
-- * `takes`: function(doc) -> true if the command applies to it, else false and the reason why it is skipped
-- * `prepare`: function(items) -> true | nil, err, called after the options were checked and before the first
--   file is opened; if it fails, nothing is written
-- * `items`: the items, if the command has already collected them
-- * `complete`: function(result), called after each file where it was worked on; may add lines
-- * `gather`: function(record, item), called in the main process for each file, in the order of the input.
--   A record has `status`, `reason`, `failure` and `value`
-- * `conclude`: function(summary), called in the main process after the last file
-- * `serial`: true if a file needs what `apply` kept of earlier ones, so that there can be no workers
-- * `shared`: plain values that workers get from the main process (`worker.settings().shared`)
-- * `host`: function(fn, ...) that calls fn with the rights of lathe itself, around a sandbox
-- * `counts`, `summary`: see `report.new`
-- * `quiet_unchanged`: no line for unchanged files
-- * `to_folder`: for commands that take --resume and write by themselves (without `writes`): whether -o names
--   a folder
-- * `no_resume`: why there is no --resume with these options, as in "--resume does not go with …"
-- * `covers`: hash of the script that the command runs, for --resume
-- @treturn integer the exit code
function batch.run(job)
  local args = job.args
  if args.quiet then out.be_quiet() end
  local items = job.items or batch.collect(args)
  job.host, job.made = job.host or call, {}
  job.json, job.command, job.alone = args.json, args.command, #items == 1
  if job.begin then job.begin(items) end
  if job.writes and not args.items then
    job.target = target.new(args, items, job.writes == "needed")
    job.counts =
      { args.dry_run and "would change" or "changed", "unchanged", "skipped", "failed" }
    if core.ignore_sigpipe then core.ignore_sigpipe() end -- `| head` must not stop the output to files
  end
  if (job.target or job.to_folder ~= nil) and not start_resume(job) then return 1 end
  if worker.is_one() then return serve(job, items) end
  if job.prepare then
    local ready, why = job.prepare(items)
    if not ready then
      out.fail(tostring(why))
      return 1
    end
  end
  local summary = report.new(job)
  local jobs = (job.serial or not worker.command()) and 1 or args.jobs or core.process.processors()
  local run = setmetatable({ job = job, items = items, summary = summary, wrote = {}, size = measure(items),
    jobs = math.min(jobs, worker.MOST), began = core.process.seconds() }, Run)
  args.at_interrupt = function() run:interrupt() end
  if run:all() and job.conclude then job.conclude(summary) end
  args.at_interrupt = nil
  return summary:finish()
end

return batch
