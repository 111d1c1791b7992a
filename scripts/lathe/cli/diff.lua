--- `lathe diff`: what differs between two files, field by field.
-- @module lathe.cli.diff

local batch = require "lathe.cli.batch"
local inputs = require "lathe.cli.inputs"
local out = require "lathe.cli.out"
local tree = require "lathe.tree.diff"

local diff = {
  name = "diff",
  summary = "Show what differs between two files, field by field.",
  description = "Show what differs between two files of a format, field by field: a line for each, and "
    .. "nothing where\nthey are the same. How a file is put together (offsets, tables) is not compared; "
    .. "where only\nthat differs, a line says so.",
  examples = { "lathe diff Box.solid Box.solid.bak", "lathe diff old/walk.hkx new/walk.hkx --json" },
}

--- Adds the options.
-- @param command an argparse command
function diff.options(command)
  batch.options_for_one(command)
  command:argument("other", "The file to compare it with."):argname "<other>"
end

local function first_difference(a, b)
  local at, step = 1, 4096
  while a:sub(at, at + step - 1) == b:sub(at, at + step - 1) do at = at + step end
  while a:byte(at) == b:byte(at) do at = at + 1 end
  return at - 1
end

-- One line where no field tells two files apart.
local function bytes_line(doc, other)
  local a, b = doc:encode(), other:encode()
  if not a or not b or a == b then return nil end
  return ("no field differs, but bytes do, from 0x%x on"):format(first_difference(a, b))
end

local function compare(doc, result, args)
  local other <close>, err = inputs.open({ path = args.other, stdin = args.other == "-" }, args.format)
  if not other then return nil, err end
  if doc.format ~= other.format then
    return nil, ("%s is of another format: %s, not %s"):format(args.other, other.format, doc.format)
  end
  local changes = tree.diff(doc, other)
  if args.json then
    result.json = { other = args.other, same = #changes == 0, changes = batch.json_changes(changes) }
    return true
  end
  for _, change in ipairs(changes) do out.line(tree.line(change)) end
  local line = #changes == 0 and bytes_line(doc, other)
  if line then out.line(line) end
  return true
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function diff.run(args)
  if args.other == "-" and args.files[1] == "-" then out.usage "only one of the files can be stdin" end
  return batch.run {
    args = args,
    order = { "other", "same", "changes" },
    apply = function(doc, result) return compare(doc, result, args) end,
  }
end

return diff
