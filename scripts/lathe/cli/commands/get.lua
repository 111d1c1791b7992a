--- `lathe get`: prints one value.
-- @module lathe.cli.commands.get

local core = require "lathe.core"
local batch = require "lathe.cli.batch"
local dump_tree = require "lathe.tree.dump"
local json = require "lathe.tree.json"
local out = require "lathe.cli.out"
local place = require "lathe.cli.verbs.place"
local schema = require "lathe.tree.schema"
local show = require "lathe.repl.show"
local text = require "lathe.tree.text"

local get = {
  name = "get",
  summary = "Print one value of a file.",
  description = [[
Print one value of a file: numbers with all digits, text without quotes, records as a list of fields. Paths
are those of Lua behind `doc.`: fields, and members such as animations, skeletons, materials, bodies, events
and graph; elements by number or, if they have names, by name. With --json, an animation or a skeleton
is an object with all of its fields; the records that it was read from are given as paths.]],
  examples = {
    "lathe get Box.solid 'vertices[1].x'",
    "lathe get Box.solid 'vertices[1]' --json",
    "lathe get walk.hkx 'animations[1].annotations[1].text'",
    [[lathe get skeleton.hkx 'skeletons[1].bones["NPC Head"].pose.t']],
  },
}

local MORE = "--json lists all"

--- Adds the options.
-- @param command an argparse command
function get.options(command)
  batch.options_for_one(command)
  command:argument("path", "Path of a value in the file, such as objects[2].label."):argname "<path>"
    :convert(place.typed)
end

-- Prints text without quotes, for use in shells; text with control characters is escaped.
local function bare(value, row)
  if type(value) == "string" and not text.is_bytes(row) and text.printable(value) == value then
    return value
  end
  return text.scalar(value, row)
end

-- Prints doc.bodies and similar lists, one line per element.
local function print_list(list, to_json, result, args)
  local values = setmetatable({}, { __jsontype = "array" })
  for i, element in pairs(list) do
    values[#values + 1] = args.json and to_json(element) or nil
    if not args.json then out.line(("%s[%d]  %s"):format(args.path, i, tostring(element))) end
  end
  if args.json then result.json = { path = args.path, value = values } end
  return true
end

--- Prints a value that is no field of the file, in the same form as the prompt.
-- @param value
-- @tparam table result gets the JSON
-- @tparam table args
-- @tparam[opt] string more what shows all of a list that is cut
-- @treturn boolean true
function get.print(value, result, args, more)
  if args.json then
    result.json = { path = args.path, value = json.live(value) }
  elseif type(value) == "table" or core.type(value) then
    for _, line in ipairs(show.lines(value, { all = args.all, more = more })) do out.line(line) end
  else
    out.line(bare(value))
  end
  return true
end

--- Prints what a path leads to.
-- @param doc
-- @tparam table result gets the JSON
-- @tparam table args `path`, `json`, `all`
-- @treturn ?boolean true
-- @return why there is nothing
function get.print_path(doc, result, args)
  local list, objects = place.list(doc, args.path), place.objects(doc, args.path)
  if list then return print_list(list, json.told, result, args) end
  if objects then return print_list(objects, json.live, result, args) end
  local object, rest = place.object(doc, args.path)
  if object == nil and rest then return nil, rest end
  if object ~= nil and not place.is_record(object) then return get.print(object, result, args, MORE) end
  local path, why = place.of(doc, args.path)
  local value, row
  if path then
    value, row = schema.new(doc):locate(doc, path)
    why = type(row) == "table" and row.message and row or args.path .. " is absent"
  end
  if value == nil then
    local other, wrong = place.value(doc, args.path) -- a member that is no field: doc.graph
    if other ~= nil then return get.print(other, result, args, MORE) end
    return nil, path and place.is_member(doc, args.path) and wrong or why
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
    apply = function(doc, result) return get.print_path(doc, result, args) end,
  }
end

return get
