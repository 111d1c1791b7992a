--- The JSON Schema of the JSON output of commands. `$defs` has a schema for the lines of each command,
-- `line.NAME`, and for the parts of these.
-- @module lathe.cli.pages.json_schema

local cli = require "lathe.cli"
local core = require "lathe.core"
local json = require "lathe.tree.json"
local records = require "lathe.cli.pages.records"

local json_schema = {}

local SIMPLE = {
  string = { type = "string" }, integer = { type = "integer" }, boolean = { type = "boolean" },
  number = { anyOf = { { type = "number" }, { type = "string", pattern = "^(nan.*|-?inf)$" } } }, value = {},
}

local function object(fields, order)
  return setmetatable(fields, { __jsonorder = order, __jsontype = "object" })
end

-- The schema of a type as in `lathe.cli.pages.records`.
local function schema_of(type)
  local inner = type:match "^(.*)%[%]$"
  if inner then return { type = "array", items = schema_of(inner) } end
  inner = type:match "^(.*){}$"
  if inner then return { type = "object", additionalProperties = schema_of(inner) } end
  if type:find '"' then
    local words = {}
    for word in type:gmatch '"([^"]*)"' do words[#words + 1] = word end
    return { enum = words }
  end
  if SIMPLE[type] then return object(SIMPLE[type]) end
  assert(records.shapes[type], type)
  return { ["$ref"] = "#/$defs/" .. type }
end

-- The schema of an object with these members.
local function object_of(about, lists, others)
  local properties, names, needed = {}, {}, setmetatable({}, { __jsontype = "array" })
  for _, members in ipairs(lists) do
    for _, member in ipairs(members) do
      local name, type, doc = member[1], member[2], member[3]
      local bare = type:match "^(.-)%??$"
      local property = schema_of(bare)
      local copy = { description = doc }
      for key, value in pairs(property) do copy[key] = value end
      properties[name], names[#names + 1] = copy, name
      if bare == type then needed[#needed + 1] = name end
    end
  end
  return object({
    description = about, type = "object", properties = object(properties, names), required = needed,
    additionalProperties = others and schema_of(others) or false,
  }, { "description", "type", "properties", "required", "additionalProperties" })
end

-- The lists of members of a command's line.
local function members_of(name)
  if records.lines[name] then return { records.lines[name] } end
  return { records.of_file, records.commands[name] or records.commands.verb }
end

--- Makes the schema.
-- @treturn string JSON text
function json_schema.text()
  local defs, names, any = {}, {}, {}
  local function add(name, schema)
    defs[name], names[#names + 1] = schema, name
  end
  local commands = cli.commands()
  cli.parser(commands)
  for _, command in ipairs(commands) do
    if command.parser:get_help():find "%-%-json" then
      local key = "line." .. command.name
      add(key, object_of(("A line of `lathe %s --json`."):format(command.name), members_of(command.name)))
      any[#any + 1] = { ["$ref"] = "#/$defs/" .. key }
    end
  end
  local shapes = {}
  for name in pairs(records.shapes) do shapes[#shapes + 1] = name end
  table.sort(shapes)
  for _, name in ipairs(shapes) do
    local shape = records.shapes[name]
    add(name, object_of(shape.about, { shape }, shape.others))
  end
  return json.encode(object({
    ["$schema"] = "https://json-schema.org/draft/2020-12/schema",
    title = "lathe " .. core.VERSION .. ": what commands print with --json, one JSON value a line",
    anyOf = any, ["$defs"] = object(defs, names),
  }, { "$schema", "title", "anyOf", "$defs" }))
end

return json_schema
