--- What a batch says: a line (or a JSON value) for each file as it is done, failures and a count of
-- everything at the end.
-- @module lathe.cli.report

local base64 = require "lathe.tree.base64"
local out = require "lathe.cli.out"
local text = require "lathe.tree.text"

local Report = {}
Report.__index = Report

local report = {}

local ORDER = { "file", "file_bytes", "ok", "skipped", "error", "code", "where", "offset", "format" }

--- Starts a report.
-- @tparam table job `json` (boolean), `counts` (the statuses that the last line counts), `order`
--   (of the command's own keys in JSON), `summary` (`"always"`, or where there is more than one)
-- @treturn Report
function report.new(job)
  local order = table.move(ORDER, 1, #ORDER, 1, {})
  for _, key in ipairs(job.order or {}) do order[#order + 1] = key end
  return setmetatable({
    json = job.json,
    counts = job.counts,
    summary = job.summary,
    order = order,
    failures = {},
    number = {},
    total = 0,
  }, Report)
end

--- An error as one line that names the file.
-- @tparam string path
-- @param err text or an error table
-- @treturn string
function report.text(path, err)
  local ok, message = pcall(tostring, err)
  message = ok and message or "an error that cannot be printed"
  if message:sub(1, #path) == path then
    message = message:sub(#path + 1)
  else
    message = ": " .. message
  end
  return path .. message:gsub("%s*\n%s*", "; ")
end

--- Names a file in a JSON record: `file`, and `file_bytes` in base64 where the name is no UTF-8 and `file` is
-- shown with U+FFFD.
-- @tparam table record
-- @tparam string path
-- @treturn table the record
function report.name(record, path)
  record.file = path
  if not utf8.len(path) then record.file_bytes = base64.encode(path) end
  return record
end

-- What an error's fields must be: scripts may raise any values.
local FIELDS = { code = "string", where = "string", offset = "integer" }

local function json_record(item, result)
  local record = { ok = result.status ~= "failed", skipped = result.reason }
  local err = result.error
  if err ~= nil then
    record.error = report.text(item.path, err)
    if type(err) == "table" then
      for key, wanted in pairs(FIELDS) do
        local value = err[key]
        if (math.type(value) or type(value)) == wanted then record[key] = value end
      end
    end
  end
  for key, value in pairs(result.json or {}) do record[key] = value end
  return report.name(record, item.path)
end

--- Takes in what became of a file.
-- @tparam table item
-- @tparam table result `status` ("changed", "failed" …), `lines`, `json`, `error`, `reason`
function Report:add(item, result)
  self.total = self.total + 1
  self.number[result.status] = (self.number[result.status] or 0) + 1
  if result.error ~= nil then
    self.failures[#self.failures + 1] = text.printable(report.text(item.path, result.error))
  end
  if self.json then
    out.json(json_record(item, result), self.order)
  elseif result.status == "skipped" then
    out.line(("%s: skipped: %s"):format(item.path, result.reason))
  else
    for _, line in ipairs(result.lines or {}) do out.line(line) end
  end
end

function Report:last_line()
  local parts = {}
  for i, status in ipairs(self.counts) do
    local n = self.number[status] or 0
    if n > 0 or i <= 2 or status == "failed" then parts[#parts + 1] = n .. " " .. status end
  end
  return table.concat(parts, ", ")
end

--- Lists the failures and the counts on stderr.
-- @treturn integer the exit code
function Report:finish()
  out.flush()
  for _, failure in ipairs(self.failures) do out.fail(failure) end
  if self.counts and (self.summary == "always" or self.total > 1) then
    out.note(self:last_line())
  end
  return (self.number.failed or 0) > 0 and 1 or 0
end

--- Lines for what a verb left alone.
-- @tparam ?{table,...} skipped as in a verb's report
-- @tparam[opt="left alone"] string word what became of it
-- @treturn {string,...}
function report.skipped_lines(skipped, word)
  local lines = {}
  for _, entry in ipairs(skipped or {}) do
    lines[#lines + 1] = ("  %s: %s: %s"):format(word or "left alone", entry.path, entry.reason)
  end
  return lines
end

--- Lines for what a verb warns of.
-- @tparam ?{string,...} warnings as in a verb's report
-- @tparam[opt] {string,...} lines to add them to
-- @treturn {string,...}
function report.warning_lines(warnings, lines)
  lines = lines or {}
  for _, warning in ipairs(warnings or {}) do
    lines[#lines + 1] = "  warning: " .. warning
  end
  return lines
end

--- Lines for what else a verb says.
-- @tparam ?{string,...} notes as in a verb's report
-- @tparam[opt] {string,...} lines to add them to
-- @treturn {string,...}
function report.note_lines(notes, lines)
  lines = lines or {}
  for _, note in ipairs(notes or {}) do lines[#lines + 1] = "  note: " .. note end
  return lines
end

--- A verb's report for JSON.
-- @tparam table done `changed`, `skipped` and, where there are some, `warnings`, `notes` and `counts`, which
--   is a list of names and numbers
-- @treturn table
function report.verb_json(done)
  local skipped = setmetatable({}, { __jsontype = "array" })
  for i, entry in ipairs(done.skipped or {}) do
    skipped[i] = setmetatable({ path = entry.path, reason = entry.reason },
      { __jsonorder = { "path", "reason" } })
  end
  local record = { changed = done.changed, skipped = skipped, warnings = done.warnings, notes = done.notes }
  local order = { "changed", "skipped", "warnings", "notes" }
  for _, count in ipairs(done.counts or {}) do
    order[#order + 1], record[count[1]] = count[1], count[2]
  end
  return setmetatable(record, { __jsonorder = order })
end

--- The sum of the numbers that a verb told, one for each of what it did.
-- @tparam ?{number,...} list
-- @treturn number
function report.total(list)
  local sum = 0
  for _, n in ipairs(list or {}) do sum = sum + n end
  return sum
end

--- "12 changes", for a result line.
-- @tparam integer n
-- @treturn string
function report.changes(n) return text.count(n, "change") end

return report
