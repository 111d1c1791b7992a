--- Rows of what documents of all formats have beside their fields: bodies, materials, skeletons, animations.
-- @module service.lists

local brief = require "lathe.tree.brief"
local core = require "lathe.core"
local help_fields = require "lathe.repl.help_fields"
local json = require "service.json"
local members = require "lathe.members"
local place = require "lathe.cli.verbs.place"
local text = require "lathe.tree.text"
local values = require "lathe.repl.values"

local lists = {}

-- In the order in which they are shown.
local NAMES <const> = { "materials", "bodies", "skeletons", "animations", "events", "variables" }

local function list_of(doc, name) return place.list(doc, name) or place.objects(doc, name) end

-- The length of a list that may be damaged.
local function length(list)
  local ok, n = pcall(function() return #list end)
  return ok and n or 0
end

--- Rows for the lists that a document has.
-- @param doc
-- @treturn {table,...}
function lists.top(doc)
  local rows = {}
  for _, name in ipairs(NAMES) do
    local list = list_of(doc, name)
    local n = list and length(list) or 0
    local member = members.of "document".by_name[name]
    if n > 0 then
      rows[#rows + 1] = {
        name = name, path = name, kind = "array", children = n, editable = false, view = true,
        why = "a list of records: edit their fields", doc = member and member.doc,
      }
    end
  end
  return rows
end

--- The list of a path, if it is one of these: each with the text in brackets and the element.
-- @param doc
-- @tparam string path
-- @treturn ?{{string,any},...}
function lists.elements(doc, path)
  local list = path:find "^[%l_]+$" and list_of(doc, path)
  if not list then return nil end
  local found = {}
  for key, element in pairs(list) do
    if type(key) == "number" then found[#found + 1] = { ("[%d]"):format(key), element } end
  end
  return found
end

-- ---- skeletons and animations ----------------------------------------------------------------------------

local LISTED <const> = { list = true, copy = true }

local function is_sequence(value)
  return LISTED[core.type(value)] and length(value) > 0 or type(value) == "table" and #value > 0
end

-- What is below a value: each with the end of its path and the value.
local function below(value)
  local found = {}
  if is_sequence(value) then
    for i = 1, #value do found[i] = { ("[%d]"):format(i), value[i] } end
  elseif type(value) == "table" or core.type(value) and core.type(value) ~= "buffer" then
    for key, member in pairs(value) do
      if type(key) == "string" and type(member) ~= "function" then found[#found + 1] = { key, member } end
    end
    if type(value) == "table" then table.sort(found, function(a, b) return a[1] < b[1] end) end
  end
  return found
end

local function edit_of(value)
  if type(value) == "number" then return text.number(value) end
  if type(value) == "string" then return lists.edit_text(value) end
  return tostring(value)
end

-- Whether a value can be assigned where it is: it is tried, and taken back.
local function takes(doc, path, value)
  local owner, key = place.told(doc, path)
  return owner ~= nil and help_fields.works(doc, function() owner[key] = value end)
end

-- A row of a value that is no field.
local function row_of(doc, name, path, value)
  local row = { name = text.utf8(name), path = path, kind = "value", editable = false, view = true }
  local kind = core.type(value)
  if kind and place.is_record(value) then
    row.kind, row.value, row.target = "reference", brief.value(value), core.path(value)
    row.target_type, row.why = kind, "a reference to where this is stored"
  elseif kind == "buffer" then
    row.type, row.value, row.why = "buffer", tostring(value), "numbers: scripts can read them"
  elseif kind or type(value) == "table" then
    local ok, found = pcall(below, value)
    row.kind = is_sequence(value) and "array" or "record"
    row.type, row.children, row.why = kind, ok and #found or 0, "edit its members"
    local title = values.member(value, "name") or values.member(value, "text")
    row.value = type(title) == "string" and text.quote(title) or nil
  else
    row.value, row.type = text.scalar(value), math.type(value) or type(value)
    if takes(doc, path, value) then
      row.editable, row.edit = true, edit_of(value)
    else
      row.why = "it is computed from other fields"
    end
  end
  if row.value then row.value = text.utf8(row.value) end
  return row
end

local function join(path, name) return name:sub(1, 1) == "[" and path .. name or path .. "." .. name end

--- Whether a path is in a skeleton or an animation, and not in a record of the file.
-- @param doc
-- @tparam string path
-- @tparam[opt] boolean last whether it may also lead to such a record, as `animations[1].source` does
-- @return the value; nil: it is not
function lists.object(doc, path, last)
  if not place.objects(doc, path:match "^[%l_]+" or "") or path:find "^[%l_]+$" then return nil end
  local value, rest = place.object(doc, path)
  if value == nil or place.is_record(value) and not (last and rest == "") then return nil end
  return value
end

--- The rows below such a value.
-- @param doc
-- @tparam string path
-- @param value
-- @tparam integer from
-- @tparam integer count
-- @treturn {table,...}
-- @treturn integer how many there are
function lists.level(doc, path, value, from, count)
  local found, rows = below(value), json.list {}
  for i = from, math.min(from + count - 1, #found) do
    rows[#rows + 1] = row_of(doc, found[i][1], join(path, found[i][1]), found[i][2])
  end
  return rows, #found
end

--- The row of such a value.
-- @param doc
-- @tparam string path
-- @param value
-- @treturn table
function lists.row(doc, path, value)
  return row_of(doc, path:match "%[[^%[]*%]$" or path:match "[^.]*$", path, value)
end

return lists
