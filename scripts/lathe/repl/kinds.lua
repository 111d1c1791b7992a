--- Says in a few words what a field, a member or a parameter takes: for completion and help.
-- @module lathe.repl.kinds

local core = require "lathe.core"

local kinds = {}

local WORDS = { boolean = "boolean", integer = "integer", number = "number", string = "text" }

-- Fields whose names are not in the schema: any text is valid, but games know these.
local MATERIAL_FIELDS = { material = true }

local function bare(row)
  if row.kind == "record" then return row.type end
  if row.names and row.flags then return "flags" end
  if row.names and row.enum then return ("one of %d"):format(#row.names) end
  return WORDS[row.kind] or row.type or row.kind
end

--- The type and unit of a field: "number [kg]", "vec3[]", "one of 45", "-> bound".
-- @tparam table row of `lathe.describe`
-- @treturn string
function kinds.of(row)
  local kind = bare(row) .. (row.array and "[]" or "")
  if row.ref then kind = "-> " .. kind end
  return row.unit and ("%s [%s]"):format(kind, row.unit) or kind
end

--- The type of a member of lathe's own objects, in short.
-- @tparam table member of `lathe.members`
-- @treturn string
function kinds.of_member(member)
  local short = member.type:gsub("lathe%.", "")
  return (short:gsub("^table<integer|string, (%a+)>$", "%1[]"))
end

--- The possible names of a field that has names.
-- @tparam table row
-- @treturn ?{string,...}
-- @treturn ?boolean true: other names are valid, too
function kinds.names(row)
  if row.names and row.enum then return row.names, false end
  local is_material = row.kind == "string" and MATERIAL_FIELDS[row.name] and not row.readonly
  if is_material then return core.material_names(), true end
end

--- The row of a field.
-- @param owner a document or record
-- @tparam string name
-- @treturn ?table
function kinds.row(owner, name)
  local ok, rows = pcall(core.describe, owner)
  for _, row in ipairs(ok and rows or {}) do
    if row.name == name then return row end
  end
end

--- The verb of an object.
-- @param owner a document, record or animation
-- @tparam string name
-- @treturn ?table a row of `lathe.verbs`
function kinds.verb(owner, name)
  if not core.type(owner) then return nil end
  local ok, verbs = pcall(core.verbs, owner) -- not all typed values have verbs
  for _, verb in ipairs(ok and verbs or {}) do
    if verb.name == name then return verb end
  end
end

--- The parameters of a function for display: "(path, { backup })".
-- @tparam {table,...} params
-- @treturn string
function kinds.params(params)
  local names = {}
  for i, param in ipairs(params) do names[i] = param.name .. ((param.optional) and "?" or "") end
  return ("(%s)"):format(table.concat(names, ", "))
end

return kinds
