--- Help for fields, and examples that work on the document that is open.
-- @module lathe.repl.help_fields

local core = require "lathe.core"
local kinds = require "lathe.repl.kinds"
local text = require "lathe.tree.text"
local values = require "lathe.repl.values"

local help_fields = {}

local BACK = {} -- raised to take an edit back

--- Whether a change can be made: it is made, and taken back.
-- @tparam ?Document doc
-- @tparam function change
-- @treturn boolean
function help_fields.works(doc, change)
  if not doc then return false end
  local _, err = pcall(doc.edit, doc, function()
    change()
    error(BACK, 0)
  end)
  return err == BACK
end

--- The document of a record: one of those that are open, by the path of the record.
-- @param view
-- @tparam {Document,...} documents
-- @treturn ?Document
function help_fields.document_of(view, documents)
  if values.is_document(view) then return view end
  local ok, path = pcall(core.path, view)
  if not ok then -- an animation, a track: its source has a path
    view = values.member(view, "source")
    if values.is_document(view) then return view end
    ok, path = pcall(core.path, view)
  end
  for _, doc in ipairs(ok and documents or {}) do
    local found, same = pcall(function() return doc:get(path) == view end)
    if found and same then return doc end
  end
end

-- Numbers near another one that a field may take.
local function numbers(value, row)
  if row.kind == "integer" then return { value + 1, value - 1 } end
  if value ~= value or value == 0 then return { 1.0, 0.5 } end
  return { value * 2, value / 2 }
end

-- Values to try for a field, in Lua.
local function candidates(value, row)
  local names = kinds.names(row)
  if names then
    local list = {}
    for _, name in ipairs(names) do
      if name ~= value and #list < 3 then list[#list + 1] = name end
    end
    return list
  elseif type(value) == "number" then
    return numbers(value, row)
  elseif type(value) == "boolean" then
    return not row.ref and { not value } or {}
  elseif type(value) == "string" and not text.is_bytes(row) then
    return { value .. "2" }
  end
  return {}
end

local function literal(value)
  if type(value) == "number" then return text.number(value) end
  if type(value) ~= "string" then return tostring(value) end
  return ("%q"):format(value):gsub("\\\n", "\\n")
end

-- What one can do with a field that is not assigned as a whole.
local function of_object(path, value, row, doc)
  local kind = core.type(value)
  if kind == "array" or kind == "list" then return #value > 0 and path .. "[1]" or "#" .. path end
  return not row.ref and help_fields.first_example(value, path, doc) or path
end

--- An example with a field that works on its document.
-- @param owner a document or record
-- @tparam table row the field
-- @tparam string path how the field is typed
-- @tparam ?Document doc
-- @treturn string
function help_fields.example(owner, row, path, doc)
  local value = values.member(owner, row.name)
  if core.type(value) then return of_object(path, value, row, doc) end
  if row.readonly or row.inside or value == nil then return path end
  for _, new in ipairs(candidates(value, row)) do
    local works = help_fields.works(doc, function() owner[row.name] = new end)
    if works then return ("%s = %s"):format(path, literal(new)) end
  end
  return path
end

--- An example with the first field of a record that can be changed, better than its type.
-- @param record
-- @tparam string path how the record is typed
-- @tparam ?Document doc
-- @treturn ?string nil: none can be changed
function help_fields.first_example(record, path, doc)
  local ok, rows = pcall(core.describe, record)
  for _, row in ipairs(ok and rows or {}) do
    local is_simple = not row.array and row.kind ~= "record" and row.name ~= "type"
    local field = ("%s.%s"):format(path, row.name)
    local example = is_simple and help_fields.example(record, row, field, doc)
    if example and example ~= field then return example end
  end
end

--- The limits of a number: those of the schema, else those of what is stored.
-- @tparam table row
-- @treturn ?number the least
-- @treturn ?number the greatest
function help_fields.limits(row)
  if row.kind ~= "number" and row.kind ~= "integer" or row.enum then return nil end
  if row.min then return row.min, row.max end
  local sign, bits = row.type:match "^([iu])(%d+)$"
  bits = math.tointeger(tonumber(bits))
  if not bits or bits > 32 then return nil end
  if sign == "u" then return 0, (1 << bits) - 1 end
  return -(1 << (bits - 1)), (1 << (bits - 1)) - 1
end

local function range(row)
  local least, most = help_fields.limits(row)
  local format = math.type(least) == "integer" and "%d to %d" or "%.9g to %.9g"
  return least and format:format(least, most) or nil
end

local function possible(row)
  if row.names and row.flags then return "bits: " .. table.concat(row.names, ", ") end
  local names, open = kinds.names(row)
  if not names then return nil end
  if not open then return table.concat(names, ", ") end
  return ("%s … (%d names that games know; type = \" and Tab for them), or another")
    :format(table.concat(names, ", ", 1, 6), #names)
end

local function current(value, row)
  local kind = core.type(value)
  if kind == "array" or kind == "list" then return text.count(#value, "element") end
  if kind then return nil end
  if value == nil then return "absent here" end
  return text.explained(value, row) .. (row.unit and " " .. row.unit or "")
end

local function notes(row)
  local list = {}
  if row.readonly then list[#list + 1] = "read-only" end
  if row.computed and not row.readonly then
    list[#list + 1] = "computed from other fields; setting it changes those"
  end
  if row.resizable then list[#list + 1] = "elements can be inserted and removed" end
  if row.key then list[#list + 1] = ("elements are found by their %s, too"):format(row.key) end
  if row.inside then list[#list + 1] = "bookkeeping of the file, which lathe keeps up" end
  return #list > 0 and table.concat(list, "; ") or nil
end

local function span(owner, row)
  if row.computed then return nil end
  local ok, offset, size = pcall(core.span, owner, row.name)
  return ok and offset and ("%s at 0x%x"):format(text.count(size, "byte"), offset) or nil
end

--- Fills a page about a field.
-- @tparam Page page
-- @param owner a document or record
-- @tparam table row the field
-- @tparam string path how the field is typed
-- @tparam ?Document doc
function help_fields.fill(page, owner, row, path, doc)
  page:line(("%s: %s"):format(path, kinds.of(row)))
  page:text(row.doc or "")
  local owner_name = values.is_document(owner) and owner.format .. " documents" or core.type(owner)
  page:row("of", owner_name)
  page:row("now", current(values.member(owner, row.name), row))
  page:row("unit", row.unit)
  page:row("range", range(row))
  page:row(row.flags and "flags" or "one of", possible(row))
  page:row("note", notes(row))
  page:row("stored", span(owner, row))
  page:example(help_fields.example(owner, row, path, doc))
end

return help_fields
