--- Shared by the commands that call a verb on each file.
-- @module lathe.cli.verbs.transform

local batch = require "lathe.cli.batch"
local report = require "lathe.cli.batch.report"
local target = require "lathe.cli.batch.target"

local transform = {}

local SHOWN = 20 -- maximum number of skipped items per file; --json has all

local function shown(lines)
  if #lines <= SHOWN then return lines end
  local some = table.move(lines, 1, SHOWN, 1, {})
  some[SHOWN + 1] = ("  ... and %d more (--json lists all)"):format(#lines - SHOWN)
  return some
end

-- The line for an unchanged file, if there is no other reason.
local function say_why(doc, done)
  local said = #(done.skipped or {}) + #(done.warnings or {}) + #(done.notes or {})
  if not doc.modified and said == 0 then
    done.notes = { "nothing to do: no value of the file would change" }
  end
end

local OUTPUT = "Folder to write to, with the tree of the inputs; or a file, for one input."

--- Adds the files and where to write them.
-- @param command an argparse command
function transform.options(command)
  batch.options(command)
  target.options(command, OUTPUT, true)
end

--- Calls a verb on each file whose format has it, and writes changed files.
-- @tparam table args the parsed arguments
-- @tparam string verb
-- @tparam function call (doc, item) -> report | nil, err; the report may have `counts` for JSON and a
--   `detail`, the text for the file's line
-- @tparam[opt] table more `takes`, `prepare`, `gather`, `serial`, `shared`, `covers` and `no_resume` as for
--   `batch.run`; `skipped`, the word for skipped items
-- @treturn integer the exit code
function transform.run(args, verb, call, more)
  local function apply(doc, result, item)
    local done, err = call(doc, item)
    if not done then return nil, err end
    result.detail = done.detail or report.changes(done.changed)
    say_why(doc, done)
    local skipped = shown(report.skipped_lines(done.skipped, more and more.skipped))
    result.lines = report.note_lines(done.notes, report.warning_lines(done.warnings, skipped))
    result.json.report = report.verb_json(done)
    return true
  end
  return batch.run {
    args = args,
    verb = verb,
    writes = "needed",
    apply = apply,
    takes = more and more.takes,
    prepare = more and more.prepare,
    gather = more and more.gather,
    serial = more and more.serial,
    shared = more and more.shared,
    covers = more and more.covers,
    no_resume = more and more.no_resume,
  }
end

return transform
