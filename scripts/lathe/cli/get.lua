--- `lathe get`: one value.
-- @module lathe.cli.get

local core = require "lathe.core"
local batch = require "lathe.cli.batch"
local dump_tree = require "lathe.tree.dump"
local json = require "lathe.tree.json"
local out = require "lathe.cli.out"
local place = require "lathe.cli.place"
local schema = require "lathe.tree.schema"
local text = require "lathe.tree.text"

local get = {
  name = "get",
  summary = "Print one value of a file.",
  description = "Print one value of a file: numbers with all their digits, text without quotes, "
    .. "records as a list of fields.",
  examples = { "lathe get Box.solid 'vertices[1].x'", "lathe get Box.solid 'vertices[1]' --json" },
}

--- Adds the options.
-- @param command an argparse command
function get.options(command)
  batch.options_for_one(command)
  command:argument("path", "A place in the file, such as objects[2].label."):argname "<path>"
end

-- Text goes out as it is, so that shells can use it, unless it would upset a terminal.
local function bare(value, row)
  if type(value) == "string" and not text.is_bytes(row) and utf8.len(value)
    and not value:find "%c" then
    return value
  end
  return text.scalar(value, row)
end

-- doc.bodies and the like: what there is, a line each.
local function print_list(list, result, args)
  local values = setmetatable({}, { __jsontype = "array" })
  for i, element in ipairs(list) do
    values[i] = json.told(element)
    if not args.json then out.line(("%s[%d]  %s"):format(args.path, i, tostring(element))) end
  end
  if args.json then result.json = { path = args.path, value = values } end
  return true
end

local function print_value(doc, result, args)
  local list = place.list(doc, args.path)
  if list then return print_list(list, result, args) end
  local path, why = place.of(doc, args.path)
  if not path then return nil, why end
  local value, row = schema.new():locate(doc, path)
  if value == nil then
    return nil, type(row) == "table" and row.message and row or args.path .. " is absent"
  end
  if args.json then
    result.json = { path = args.path, value = json.told(value, row) }
  elseif type(value) == "table" then -- several lists under one key
    for _, item in ipairs(value) do out.line(bare(item, row)) end
  elseif core.type(value) then
    dump_tree.dump(value, { offsets = false, emit = out.line })
  else
    out.line(bare(value, row))
  end
  return true
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function get.run(args)
  return batch.run {
    args = args,
    order = { "path", "value" },
    apply = function(doc, result) return print_value(doc, result, args) end,
  }
end

return get
