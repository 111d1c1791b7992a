--- `lathe diff`: compares two files field by field.
-- @module lathe.cli.diff

local batch = require "lathe.cli.batch"
local inputs = require "lathe.cli.inputs"
local out = require "lathe.cli.out"
local tree = require "lathe.tree.diff"

local SHOWN_TRACKS = 20 -- maximum number of tracks per animation; --json has all

local diff = {
  name = "diff",
  summary = "Show what differs between two files, field by field.",
  description = [[
Show what differs between two files of the same format, one line a field. Bookkeeping such as offset tables
is not compared; if nothing else differs, a line says so. Exit code: 0 if the files are equal, 1 if they
differ or one of them cannot be read (stderr says which). With --json, `same` is true for equal files, and
`differ_at` is the first byte that differs if no field does.]],
  examples = { "lathe diff Box.solid Box.solid.bak", "lathe diff old/walk.hkx new/walk.hkx --json" },
}

--- Adds the options.
-- @param command an argparse command
function diff.options(command)
  batch.options_for_one(command)
  command:argument("other", "The file to compare it with."):argname "<other>"
end

-- The changes; and the first different byte, if no field differs. Files with equal bytes are not parsed.
local function changes_of(doc, other)
  if inputs.content(doc) == inputs.content(other) then return {} end
  local changes = tree.told(doc, other)
  if #changes > 0 then return changes end
  return changes, tree.first_difference(inputs.content(doc), inputs.content(other))
end

-- Prints only the first tracks of each animation that differ.
local function print_changes(changes)
  local tracks, more, last = 0, 0, nil
  local function rest()
    if more > 0 then out.line(("... and %d more in %s (--json lists all)"):format(more, last)) end
    tracks, more = 0, 0
  end
  for _, change in ipairs(changes) do
    local list = change.frames and change.path:match "^(.*)%.[%a_]+%[%d+%]$"
    if list ~= last then rest() end
    last, tracks = list, tracks + 1
    if list and tracks > SHOWN_TRACKS then more = more + 1 else out.line(tree.line(change)) end
  end
  rest()
end

local function compare(doc, result, args)
  local other <close>, err = inputs.open({ path = args.other, stdin = args.other == "-" }, args)
  if not other then return nil, err end
  if doc.format ~= other.format then
    return nil, ("%s is of another format: %s, not %s"):format(args.other, other.format, doc.format)
  end
  local changes, at = changes_of(doc, other)
  result.same = #changes == 0 and not at
  if args.json then
    result.json = { other = args.other, same = result.same, differ_at = at,
      changes = batch.json_changes(changes) }
    return true
  end
  print_changes(changes)
  if at then out.line(("no field differs, but bytes do, from 0x%x on"):format(at)) end
  return true
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code: also 1 if they differ
function diff.run(args)
  if args.other == "-" and args.files[1] == "-" then out.usage "only one of the files can be stdin" end
  local differ = false
  local code = batch.run {
    args = args,
    apply = function(doc, result)
      local done, err = compare(doc, result, args)
      differ = result.same == false
      return done, err
    end,
  }
  return differ and 1 or code
end

return diff
