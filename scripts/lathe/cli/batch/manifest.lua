--- The manifest of `--resume`: a text file of JSON lines that says which files are done.
--
-- A header line describes a job: what was done with the files. Each other line is a record: a file, the hash
-- of its bytes before, and the hash of its result. Lines are only ever added, each with one write that is
-- flushed to disk before the result takes its place; so several processes can share a manifest, and a result
-- without a record does not exist. A record that has no result is harmless: its file is done again.
-- @module lathe.cli.batch.manifest

local base64 = require "lathe.tree.base64"
local core = require "lathe.core"
local json = require "lathe.tree.json"
local report = require "lathe.cli.batch.report"
local text = require "lathe.tree.text"

local manifest = {}

--- Problems of `manifest.read`.
manifest.CUT = "the line is cut"
manifest.NONE = "this is no manifest of lathe"

local DAMAGED = "the line is damaged"
local FORMAT = 1
local JOB_DIGITS, HASH_DIGITS = 32, 64

-- ---- writing -------------------------------------------------------------------------------------

local function line_of(record, order)
  return text.utf8(json.encode(setmetatable(record, { __jsonorder = order, __jsontype = "object" }))) .. "\n"
end

local HEADER = { "lathe_manifest", "lathe", "command", "job", "script", "options" }

-- The text from which the id of a job is made; it does not depend on the order in a table.
local function canonical(job)
  local names, parts = {}, { job.lathe, job.command, job.script or "" }
  for name in pairs(job.options) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do parts[#parts + 1] = ("%s=%s"):format(name, job.options[name]) end
  for i, part in ipairs(parts) do parts[i] = ("%d:%s"):format(#part, part) end
  return table.concat(parts)
end

--- Describes a job.
-- @tparam string command
-- @tparam {[string]=string,...} options those that matter for the results
-- @tparam[opt] string script hash of the script and its modules
-- @treturn table with `id`, `lathe`, `command`, `script`, `options`
function manifest.job(command, options, script)
  local job = { lathe = core.VERSION, command = command, options = options, script = script }
  job.id = core.sha256(canonical(job)):sub(1, JOB_DIGITS)
  return job
end

--- The header line of a job.
-- @tparam table job
-- @treturn string
function manifest.header(job)
  local names = {}
  for name in pairs(job.options) do names[#names + 1] = name end
  table.sort(names)
  local options = setmetatable({}, { __jsontype = "object", __jsonorder = names })
  for _, name in ipairs(names) do options[name] = job.options[name] end
  return line_of({ lathe_manifest = FORMAT, lathe = job.lathe, command = job.command, job = job.id,
    script = job.script, options = options }, HEADER)
end

local RECORD = { "file", "file_bytes", "job", "input", "result", "unchanged", "output", "output_bytes",
  "value" }

--- The line of a record.
-- @tparam table record `file`, `job`, `input`, and `result` or `unchanged`; perhaps `output`, the name of the
--   result if it has another one, and `value`, bytes
-- @treturn string
function manifest.line(record)
  local copy = { job = record.job, input = record.input, result = record.result, unchanged = record.unchanged,
    value = record.value and base64.encode(record.value) }
  report.name(copy, record.file)
  if record.output then
    copy.output = record.output
    if not utf8.len(record.output) then copy.output_bytes = base64.encode(record.output) end
  end
  return line_of(copy, RECORD)
end

-- ---- reading -------------------------------------------------------------------------------------

local function is_hex(value, digits)
  return type(value) == "string" and #value == digits and not value:find "[^%da-f]"
end

-- The bytes of a text in base64; nil if it is something else.
local function bytes_of(value)
  local bytes = type(value) == "string" and base64.decode(value)
  return bytes and base64.encode(bytes) == value and bytes or nil
end

-- A name that may have bytes beside it; nil if it is none.
local function name_of(name, bytes)
  if bytes ~= nil then name = bytes_of(bytes) end
  return type(name) == "string" and name ~= "" and name or nil
end

local function header_of(value)
  if value.lathe_manifest ~= FORMAT then
    local found = math.type(value.lathe_manifest) == "integer" and " " .. value.lathe_manifest or ""
    return nil, ("a manifest of another version of lathe: format%s, and this one knows format %d")
      :format(found, FORMAT)
  end
  local options = value.options
  local good = type(value.lathe) == "string" and type(value.command) == "string" and type(options) == "table"
    and is_hex(value.job, JOB_DIGITS) and (value.script == nil or type(value.script) == "string")
  for name, option in pairs(good and options or {}) do
    good = good and type(name) == "string" and type(option) == "string"
  end
  if not good then return nil end
  return { id = value.job, lathe = value.lathe, command = value.command, script = value.script,
    options = options }
end

local function record_of(value)
  local record = {
    file = name_of(value.file, value.file_bytes),
    job = is_hex(value.job, JOB_DIGITS) and value.job,
    input = is_hex(value.input, HASH_DIGITS) and value.input,
    result = value.result, unchanged = value.unchanged, value = value.value,
  }
  local good = record.file and record.job and record.input
  if value.output ~= nil then
    record.output = name_of(value.output, value.output_bytes)
    good = good and record.output
  end
  if record.value ~= nil then
    record.value = bytes_of(record.value)
    good = good and record.value
  end
  if record.unchanged ~= nil then
    good = good and record.unchanged == true and record.result == nil
  else
    good = good and is_hex(record.result, HASH_DIGITS)
  end
  return good and record or nil
end

-- Most lines look like this, and a pattern is faster than a parser.
local PLAIN = '^{"file":"([^"\\%c]+)","job":"([%da-f]+)","input":"([%da-f]+)","result":"([%da-f]+)"}$'

-- A header and nil, or nil and a record; or nil, nil and the problem.
local function parse(line)
  local file, job, input, result = line:match(PLAIN)
  if file and #job == JOB_DIGITS and #input == HASH_DIGITS and #result == HASH_DIGITS then
    return nil, { file = file, job = job, input = input, result = result }
  end
  local ok, value = pcall(require("dkjson").decode, line, 1, nil, nil)
  if not ok or type(value) ~= "table" then return nil, nil, DAMAGED end
  if value.lathe_manifest ~= nil then
    local header, why = header_of(value)
    return header, nil, not header and (why or DAMAGED) or nil
  end
  local record = record_of(value)
  return nil, record, not record and DAMAGED or nil
end

local START = '{"lathe_manifest":'

local function read_lines(file)
  local found, number = { jobs = {}, records = {}, size = 0 }, 0
  for line in file:lines "L" do
    number, found.size = number + 1, found.size + #line
    if number == 1 and line:sub(1, #START) ~= START:sub(1, #line) then return nil, manifest.NONE, 1 end
    if line:sub(-1) ~= "\n" then return nil, manifest.CUT, number end
    local header, record, problem = parse(line:sub(1, -2))
    if problem then
      return nil, problem, number
    end
    if header then found.jobs[#found.jobs + 1] = header else found.records[#found.records + 1] = record end
  end
  if number == 0 then return nil end
  return found
end

local function read_once(path)
  local file <close>, why, code = io.open(path, "rb")
  if not file then
    if code == 2 then return nil end -- ENOENT
    return nil, why
  end
  local ok, found, problem, number = pcall(read_lines, file)
  if not ok then return nil, manifest.NONE end -- a folder
  return found, problem, number
end

local TRIES = 5

--- Reads a manifest.
-- @tparam string path
-- @treturn ?table `jobs`, the headers, `records`, and `size` in bytes; nil without more if there is no file,
--   or an empty one
-- @treturn ?string the problem
-- @treturn ?integer the line with the problem
function manifest.read(path)
  for _ = 2, TRIES do -- another process may be writing the last line
    local found, problem, number = read_once(path)
    if problem ~= manifest.CUT then return found, problem, number end
  end
  return read_once(path)
end

--- Reads the lines that were added to a manifest since it was read. A line that another process is still
-- writing is left for the next call.
-- @tparam string path
-- @tparam integer from the `size` that was read
-- @treturn ?table as `manifest.read`
-- @treturn ?string the problem
function manifest.more(path, from)
  local file <close>, why = io.open(path, "rb")
  if not file then return nil, why end
  file:seek("set", from)
  local found = { jobs = {}, records = {}, size = from }
  for line in file:lines "L" do
    if line:sub(-1) ~= "\n" then break end
    local header, record, problem = parse(line:sub(1, -2))
    if problem then return nil, problem end
    if header then found.jobs[#found.jobs + 1] = header else found.records[#found.records + 1] = record end
    found.size = found.size + #line
  end
  return found
end

return manifest
