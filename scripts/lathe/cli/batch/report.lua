--- Output of a batch: a line (or a JSON value) for each file, then failures and totals.
-- @module lathe.cli.batch.report

local base64 = require "lathe.tree.base64"
local out = require "lathe.cli.out"
local records = require "lathe.cli.pages.records"
local text = require "lathe.tree.text"

local Report = {}
Report.__index = Report

local report = {}

--- Starts a report.
-- @tparam table job `command` (its name), `json` (boolean), `counts` (the statuses counted in the last line),
--   `summary` (`"always"`, default: if there is more than one file)
-- @treturn Report
function report.new(job)
  return setmetatable({
    json = job.json,
    counts = job.counts,
    summary = job.summary,
    command = job.command,
    failures = {},
    number = {},
    reasons = {}, -- why files were skipped: a list, and the number of files of each
    total = 0,
  }, Report)
end

--- Formats an error as one line with the file name.
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

--- Sets the file name in a JSON record: `file`; and if the name is not valid UTF-8 and so has U+FFFD there,
-- `file_bytes` in base64.
-- @tparam table record
-- @tparam string path
-- @treturn table the record
function report.name(record, path)
  record.file = path
  if not utf8.len(path) then record.file_bytes = base64.encode(path) end
  return record
end

-- Types of an error's fields; they are checked because scripts may raise any values.
local FIELDS = { code = "string", where = "string", offset = "integer" }

local function json_record(item, result, members)
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
  for key, value in pairs(members) do record[key] = value end
  return report.name(record, item.path)
end

--- Writes the lines, or the JSON value, of a file.
-- @tparam table job `json` and `command`
-- @tparam table item
-- @tparam table result `status` ("changed", "failed" …), `lines`, `json` (or `matches`, a list of such),
--   `error`, `reason`
function report.show(job, item, result)
  if job.json then
    if out.is_quiet() and result.status ~= "failed" then return end
    for _, members in ipairs(result.matches or { result.json or {} }) do -- a line for each match
      out.json(json_record(item, result, members), records.order(job.command))
    end
  elseif result.status == "skipped" then
    out.line(("%s: skipped: %s"):format(item.path, result.reason))
  else
    for _, line in ipairs(result.lines or {}) do out.line(line, result.status == "failed") end
  end
end

--- What the totals need of a result: plain values.
-- @tparam table item
-- @tparam table result
-- @treturn table `status`, `reason`, `failure` (the line for stderr)
function report.record(item, result)
  local failure = result.error ~= nil and text.printable(report.text(item.path, result.error)) or nil
  return { status = result.status, reason = result.reason, failure = failure }
end

--- Counts a file.
-- @tparam table record from `report.record`
function Report:count(record)
  local status, reason = record.status, record.reason
  self.total = self.total + 1
  self.number[status] = (self.number[status] or 0) + 1
  if record.failure then self.failures[#self.failures + 1] = record.failure end
  if status == "skipped" and reason then
    if not self.reasons[reason] then table.insert(self.reasons, reason) end
    self.reasons[reason] = (self.reasons[reason] or 0) + 1
  end
end

--- Adds a failure that is not one of a file.
-- @tparam string path of what failed
-- @param err text or an error table
function Report:fail(path, err)
  self.number.failed = (self.number.failed or 0) + 1
  self.failures[#self.failures + 1] = text.printable(report.text(path, err))
end

--- Writes and counts the result of a file.
-- @tparam table item
-- @tparam table result
function Report:add(item, result)
  self:count(report.record(item, result))
  report.show(self, item, result)
end

function Report:last_line()
  local parts = {}
  for i, status in ipairs(self.counts) do
    local n = self.number[status] or 0
    if n > 0 or i <= 2 or status == "failed" then parts[#parts + 1] = n .. " " .. status end
  end
  return table.concat(parts, ", ")
end

local MOST_REASONS = 20

-- The reasons why files were skipped, each with the number of files.
function Report:tell_reasons()
  for i = 1, math.min(#self.reasons, MOST_REASONS) do
    local reason = self.reasons[i]
    out.note(("  %d skipped: %s"):format(self.reasons[reason], reason))
  end
  local more = #self.reasons - MOST_REASONS
  if more > 0 then out.note(("  ... and %s"):format(text.count(more, "other reason"))) end
end

--- Writes the failures and totals to stderr.
-- @treturn integer the exit code
function Report:finish()
  out.flush()
  for _, failure in ipairs(self.failures) do out.fail(failure) end
  if self.counts and (self.summary == "always" or self.total > 1) then
    out.note(self:last_line())
    self:tell_reasons()
  end
  return (self.number.failed or 0) > 0 and 1 or 0
end

--- Lines for what a verb skipped.
-- @tparam ?{table,...} skipped as in a verb's report
-- @tparam[opt="left alone"] string word the word for it
-- @treturn {string,...}
function report.skipped_lines(skipped, word)
  local lines = {}
  for _, entry in ipairs(skipped or {}) do
    lines[#lines + 1] = ("  %s: %s: %s"):format(word or "left alone", entry.path, entry.reason)
  end
  return lines
end

--- Lines for the warnings of a verb.
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

--- Lines for the notes of a verb.
-- @tparam ?{string,...} notes as in a verb's report
-- @tparam[opt] {string,...} lines to add them to
-- @treturn {string,...}
function report.note_lines(notes, lines)
  lines = lines or {}
  for _, note in ipairs(notes or {}) do lines[#lines + 1] = "  note: " .. note end
  return lines
end

--- Converts a verb's report for JSON.
-- @tparam table done `changed`, `skipped` and, if not empty, `warnings`, `notes` and `counts`, which is a
--   list of names and numbers
-- @treturn table
function report.verb_json(done)
  local skipped = {}
  for i, entry in ipairs(done.skipped or {}) do skipped[i] = { path = entry.path, reason = entry.reason } end
  local json = records.of("report", { changed = done.changed, skipped = records.list_of("place", skipped),
    warnings = done.warnings, notes = done.notes })
  local order = getmetatable(json).__jsonorder
  for _, count in ipairs(done.counts or {}) do
    order[#order + 1], json[count[1]] = count[1], count[2]
  end
  return json
end

--- The sum of the numbers that a verb returned.
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
