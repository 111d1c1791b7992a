--- Sets every number, name and byte of records once, each through its row in `lathe.describe`, and looks at what
-- changes in the file: the bytes that `lathe.span` tells, and no others. (Of what is worked out from several fields
-- it tells nothing: then those of the record.)
--
--    local setter = require "field_setter"
--    local seen = {}
--    for _, object in ipairs(doc.objects) do setter.each(lathe, doc, object, seen) end   -- seen["type.field"] = true
--
-- `doc` is the file that the records are in, open with a history: of a packfile in a NIF the NIF.
--
-- Of an array its first element is looked at. What `seen` has is not looked at again.

local setter = {}

--- Another value than the one that is there, which fits wherever the first does.
local function other(value, row)
  if type(value) == "boolean" then return not value end
  if row.enum then
    for _, name in ipairs(row.names) do
      if name ~= value then return name end
    end
    return 0
  end
  if row.type == "text" then return value ~= 5 and 5 or 6 end     -- a name, or a number in its place
  if type(value) == "string" then
    return #value > 0 and string.char(value:byte(1) ~ 1) .. value:sub(2) or nil
  end
  if row.kind == "number" then return value ~= 0.5 and 0.5 or 0.25 end
  return value ~= 1 and 1 or 0
end

setter.other = other

local function check(lathe, doc, place, key, row)
  local value = place[key]
  local new = other(value, row)
  if new == nil then return end
  local before = doc:encode()
  local found, off, size = pcall(lathe.span, place, key)
  if row.computed and not found then off, size = lathe.span(place) end
  assert(off and size > 0, "no span")
  place[key] = new
  local after = doc:encode()
  assert(#after == #before, "the file has another size")
  assert(after ~= before, ("nothing changed: %s to %s"):format(value, new))
  assert(after:sub(1, off) == before:sub(1, off), "bytes in front of it changed")
  assert(after:sub(off + size + 1) == before:sub(off + size + 1), "bytes behind it changed")
  local got = place[key]
  assert(got == new or type(got) == "number" and math.abs(got - new) < 1e-2,
    ("%s was set and is %s"):format(new, got))
  assert(doc:undo(), "nothing to undo")
  assert(doc:encode() == before, "undo leaves other bytes")
  return true
end

local function visit(lathe, doc, view, row, key, seen, name)
  local value = view[key]
  if value == nil or row.ref or row.type == "cstr" or row.inside or row.copied then return end
  local kind = lathe.type(value)
  if kind == "array" then
    local element = {}
    for k, v in pairs(row) do element[k] = v end
    element.array = nil
    if #value > 0 then visit(lathe, doc, value, element, 1, seen, name) end
  elseif kind then
    setter.each(lathe, doc, value, seen)
  elseif not row.readonly and not seen[name] then
    local ok, err = pcall(check, lathe, doc, view, key, row)
    if not ok then error(("%s (%s): %s"):format(name, lathe.path(view), err), 0) end
    seen[name] = err or nil
  end
end

--- All of a record that `seen` lacks, and of the records in it.
function setter.each(lathe, doc, view, seen)
  for _, row in ipairs(lathe.describe(view)) do
    visit(lathe, doc, view, row, row.name, seen, lathe.type(view) .. "." .. row.name)
  end
end

return setter
