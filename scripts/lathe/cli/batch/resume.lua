--- `--resume`: skips the files that an earlier run finished.
--
-- With -o, a file is done if its input and its result have the recorded hashes, for the same job (command,
-- options, script, version of lathe). With --in-place, what counts is the hash of the file: that of a
-- recorded result is done, that of the recorded input is worked on, and any other is left alone.
-- @module lathe.cli.batch.resume

local lfs = require "lfs"
local core = require "lathe.core"
local folders = require "lathe.cli.batch.folders"
local geometry = require "lathe.cli.geometry"
local listing = require "lathe.cli.commands.listing"
local manifest = require "lathe.cli.batch.manifest"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"

local Resume = {}
Resume.__index = Resume

local resume = {}

--- Adds the option of commands that write to a folder.
-- @param command an argparse command
function resume.flag(command)
  command:flag("--resume", "Skip files that an earlier run with --resume finished: input, options, script\n"
    .. "and lathe are the same, and the result is there. They are listed in\n"
    .. "OUT/" .. listing.MANIFEST .. ". The first run needs --resume, too.")
end

--- Adds the options of commands that also replace files.
-- @param command an argparse command
function resume.options(command)
  resume.flag(command)
  command:option("--manifest", "The list of --resume with --in-place. No file is changed twice, whenever a\n"
    .. "run was stopped; one that is neither the original nor the result fails.")
    :argname "<file>"
end

-- ---- the job -------------------------------------------------------------------------------------

-- Members of the parsed arguments that do not matter for the result of a file. in_place does: records of
-- results in a folder say nothing about files that were replaced.
local OTHER = {}
for name in ([[
  files named listed files_from null shard output no_backup dry_run json jobs quiet resume manifest
  max_memory max_seconds read script script_args geometry command commands parser at_interrupt output_is_file
]]):gmatch "%S+" do OTHER[name] = true end

-- A value as text. A file is told by its content, so that it may be moved.
local function shown(value)
  local kind = math.type(value) or type(value)
  if kind == "float" then return ("%.17g"):format(value) end
  if kind == "string" then
    local hash = lfs.attributes(value, "mode") == "file" and core.sha256(nil, value)
    return hash and ("%s (sha256 %s)"):format(paths.base(value), hash) or value
  end
  if kind ~= "table" then return tostring(value) end
  local names, parts = {}, {}
  for name in pairs(value) do names[#names + 1] = name end
  table.sort(names, function(a, b) return tostring(a) < tostring(b) end)
  for i, name in ipairs(names) do
    local inner = shown(value[name])
    if inner:find '[,="]' then inner = ("%q"):format(inner) end
    parts[i] = math.type(name) and inner or ("%s=%s"):format(name, inner)
  end
  return table.concat(parts, ",")
end

-- The options that matter, as text by name.
local function options_of(args)
  local options = {}
  for name, value in pairs(args) do
    local is_command = args.commands[name] ~= nil and value == true -- argparse notes the chosen command so
    local is_empty = type(value) == "table" and next(value) == nil
    if not OTHER[name] and not is_command and not is_empty and value ~= false then
      options[name:gsub("_", "-")] = shown(value)
    end
  end
  for i, word in ipairs(args.script_args or {}) do options["argument " .. i] = word end
  local places = geometry.paths(args.geometry)
  for i, place in ipairs(places) do
    options["geometry " .. i] = ("%s %s"):format(args.geometry[i]:sub(1, -1 - #place), shown(place))
  end
  return options
end

-- ---- usage ---------------------------------------------------------------------------------------

--- The manifest of the command line; nil without --resume.
-- @tparam table args
-- @treturn ?string
function resume.path(args)
  if not args.resume then return nil end
  return args.in_place and args.manifest or args.output and paths.join(args.output, listing.MANIFEST) or nil
end

--- Checks the options; stops with a usage error if they contradict each other.
-- @tparam table args
-- @tparam boolean to_folder whether -o names a folder
-- @tparam[opt] string refusal why the command does not take --resume with these options
function resume.check_usage(args, to_folder, refusal)
  if args.manifest and not args.resume then out.usage "--manifest goes with --resume" end
  if not args.resume then return end
  if refusal then out.usage("--resume does not go with " .. refusal) end
  if args.in_place then
    if not args.manifest then out.usage "--resume with --in-place needs --manifest FILE" end
  elseif args.manifest then
    out.usage(("--manifest goes with --in-place; with -o, the manifest is OUT/%s"):format(listing.MANIFEST))
  elseif not to_folder then
    out.usage "--resume needs -o FOLDER, or --in-place with --manifest FILE"
  end
end

-- ---- starting ------------------------------------------------------------------------------------

local NONE = "not given"

-- How two jobs differ: "factor 2 before, 3 now".
local function differences(old, new)
  local list = {}
  local function compare(name, before, now)
    if before == now then return end
    list[#list + 1] = ("%s %s before, %s now"):format(name, before or NONE, now or NONE)
  end
  compare("lathe", old.lathe, new.lathe)
  compare("command", old.command, new.command)
  if old.command ~= new.command then return table.concat(list, "; ") end
  local names, seen = {}, {}
  for _, options in ipairs { old.options, new.options } do
    for name in pairs(options) do
      if not seen[name] and old.options[name] ~= new.options[name] then names[#names + 1] = name end
      seen[name] = true
    end
  end
  table.sort(names)
  for _, name in ipairs(names) do compare(name, old.options[name], new.options[name]) end
  if old.script ~= new.script then list[#list + 1] = "the script has changed" end
  return #list > 0 and table.concat(list, "; ") or "its options differ"
end

local AGAIN = {
  [true] = "To begin anew, put the files back with `lathe undo` and delete the manifest",
  [false] = "To do all files again, delete the manifest",
}
local NO_MANIFEST = {
  [true] = "Name another file with --manifest",
  [false] = "Move it away, or give another folder with -o",
}
local CUT = "If a full disk or a power cut ended the last run, delete this line: its file was not written. "
local OTHER_JOB = "Name another manifest for another job. "

-- Why the manifest cannot be used, and what to do.
function Resume:refusal(problem, line)
  local place = line and ("%s:%d"):format(self.path, line) or self.path
  local advice = AGAIN[self.in_place]
  if problem == manifest.CUT then
    advice = CUT .. advice
  elseif problem == manifest.NONE or not line then
    advice = NO_MANIFEST[self.in_place]
  end
  return ("%s: %s. %s"):format(place, problem, advice)
end

-- Looks at the manifest that is there, and collects the records of this job. Returns why it cannot be used.
function Resume:take(found)
  local last, is_known = found.jobs[#found.jobs], false
  for _, job in ipairs(found.jobs) do
    if job.id == self.job.id then
      is_known = true
    elseif self.in_place then
      return ("%s: it is of another job (%s). %s%s"):format(self.path, differences(job, self.job), OTHER_JOB,
        AGAIN[true])
    end
  end
  self:add_all(found)
  self.has_header = last.id == self.job.id
  if not is_known then
    out.note(("%s is of another job (%s): all files are done again"):format(self.path,
      differences(last, self.job)))
  end
  return nil
end

function Resume:add_all(found)
  for _, record in ipairs(found.records) do
    if record.job == self.job.id then self:add(record) end
  end
  self.size = found.size
end

-- Adds the records that were written since the manifest was read: another run may use it at the same time. A
-- run writes the record of a result before the result, so what was opened before this call has its record.
-- Returns why that is not possible.
function Resume:catch_up()
  if not self.real or lfs.attributes(self.real, "size") == self.size then return nil end
  local found, why = manifest.more(self.real, self.size)
  if not found then return ("%s: %s"):format(self.path, why) end
  for _, job in ipairs(self.in_place and found.jobs or {}) do
    if job.id ~= self.job.id then
      return ("%s: another job uses it now (%s)"):format(self.path, job.command)
    end
  end
  self:add_all(found)
  return nil
end

-- Adds a record. Of one file there are several if a run was stopped while it wrote, or if the file changed.
function Resume:add(record)
  local list = self.records[record.file] or {}
  self.records[record.file] = list
  list[#list + 1] = record
  if record.result and self.in_place then
    local files = self.results[record.result] or {}
    self.results[record.result], files[#files + 1] = files, record.file
  end
end

--- Reads the manifest of a run, or starts one.
-- @tparam table args
-- @tparam[opt] string script hash of what the script consists of
-- @treturn ?Resume
-- @return why it cannot be used
function resume.start(args, script)
  local command = args.command
  local self = setmetatable({
    path = resume.path(args),
    in_place = args.in_place == true,
    output = not args.in_place and args.output or nil,
    job = manifest.job(command, options_of(args), script),
    records = {}, -- by file
    size = 0, -- of the part of the manifest that was read
    results = {}, -- with --in-place: lists of files by the hash of their result
  }, Resume)
  local found, problem, line = manifest.read(self.path)
  if problem then return nil, self:refusal(problem, line) end
  if found then problem = self:take(found) end
  if problem then return nil, problem end
  if args.dry_run then return self end
  local opened, err = self:open()
  if not opened then return nil, err end
  if not found and self.in_place then
    out.note(self.path .. " is new: files that an earlier run without it has changed are changed again")
  end
  return self
end

-- Writes the header line of this job, if the manifest does not end with this job.
function Resume:open()
  if self.output then
    local ready, reason = folders.prepare(self.path, self.output)
    if not ready then return nil, reason end
  end
  local real, why = paths.real(self.path)
  if not real then return nil, ("%s: %s"):format(self.path, why) end
  self.real, self.folder = real, paths.folder(real)
  if self.has_header then return true end
  self.has_header = true
  return core.append_file(real, self.path, manifest.header(self.job), true)
end

-- ---- files ---------------------------------------------------------------------------------------

-- The name of a file in the manifest. It is below the manifest's folder where it can be, so that both can be
-- moved.
function Resume:name(item)
  if not self.in_place then return item.below end
  local folder = self.folder or paths.folder(paths.real(self.path) or paths.absolute(self.path))
  if paths.below(item.real, folder) and item.real ~= folder then
    return item.real:sub(#folder + (folder:sub(-1) == "/" and 1 or 2))
  end
  return item.real
end

function Resume:is_there(name)
  local folder = self.folder or paths.folder(paths.absolute(self.path))
  local path = paths.absolute(name) == name and name or paths.join(folder, name)
  return lfs.symlinkattributes(path, "mode") ~= nil
end

-- A file that had this result and is gone; nil if there is none.
function Resume:gone(hash)
  local files = self.results[hash]
  if files and files.gone == nil then
    files.gone = false
    for _, name in ipairs(files) do
      if not self:is_there(name) then files.gone = name end
    end
  end
  return files and files.gone or nil
end

local CHANGED = "it is neither the original nor the result that the manifest has of it; left as it is"

-- With --in-place: the record that a file is done by; nil if it is to be worked on; or nil and why it is
-- left.
function Resume:look_in_place(name, hash)
  local list = self.records[name]
  for _, record in ipairs(list or {}) do
    if record.result == hash or record.unchanged and record.input == hash then return record end
  end
  for _, record in ipairs(list or {}) do
    if record.input == hash then return nil end
  end
  if list then return nil, CHANGED end
  local other = self:gone(hash)
  return nil, other and ("it is the result that the manifest has of %s, which is gone: was it renamed? "
    .. "Left as it is"):format(other) or nil
end

-- With -o: the record by which a file is done, or nil.
function Resume:look_at_output(name, hash)
  local there = {} -- hashes of files by path; false where there is none
  for _, record in ipairs(self.records[name] or {}) do
    if record.input == hash then
      if record.unchanged then return record end
      local path = paths.join(self.output, record.output or name)
      if there[path] == nil then there[path] = core.sha256(nil, path) or false end
      if there[path] == record.result then return record end
    end
  end
  return nil
end

--- Looks whether a file is done. If it is not, `item.done` notes what its record needs.
-- @tparam table item
-- @param doc the document, as it was opened
-- @treturn ?table the record if it is done: `value` (bytes) and `path` of the result
-- @treturn ?string why it must not be worked on
function Resume:look(item, doc)
  local hash, err = core.sha256(doc)
  if not hash then return nil, err end
  local missed = self:catch_up()
  if missed then return nil, missed end
  local name = self:name(item)
  local record, why
  if self.in_place then
    record, why = self:look_in_place(name, hash)
  else
    record = self:look_at_output(name, hash)
  end
  if why then return nil, why end
  item.done = not record and { file = name, job = self.job.id, input = hash } or nil
  if not record then return nil end
  return { value = record.value, path = record.result
    and (self.in_place and item.path or paths.join(self.output, record.output or name)) or nil }
end

--- Records a result, before it takes its place.
-- @tparam table item
-- @tparam string hash of the result
-- @tparam string path where it will be
-- @treturn ?boolean
-- @treturn ?string why it cannot be recorded
function Resume:record(item, hash, path)
  local done = item.done
  done.result = hash
  if not self.in_place then
    local name = path:sub(#paths.join(self.output, "x"))
    done.output = name ~= done.file and name or nil
  end
  local ok, err = core.append_file(self.real, self.path, manifest.line(done), true)
  return ok, err and ("the manifest: %s"):format(err)
end

--- Records that a file needs no change.
-- @tparam table item
-- @treturn ?boolean
-- @return the error
function Resume:record_unchanged(item)
  item.done.unchanged = true
  return core.append_file(self.real, self.path, manifest.line(item.done), false)
end

--- What workers need, as plain values.
-- @treturn table
function Resume:plain()
  return { path = self.path, real = self.real, folder = self.folder, in_place = self.in_place,
    output = self.output, job = { id = self.job.id }, records = self.records, results = self.results,
    size = self.size,
    has_header = true }
end

--- The same in a worker.
-- @tparam table from `Resume:plain`
-- @treturn Resume
function resume.join(from) return setmetatable(from, Resume) end

return resume
