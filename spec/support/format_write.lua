--- Writes every field that `describe` knows, one at a time, and looks at what moved.

local assert = require "luassert"
local lathe = require "lathe"

local write = {}

function write.diff(a, b)
  assert(#a == #b, "of different lengths")
  local first, last, count = nil, nil, 0
  for i = 1, #a do
    if a:byte(i) ~= b:byte(i) then
      first, last, count = first or i, i, count + 1
    end
  end
  if not first then return nil end
  return first - 1, last - first + 1, count == last - first + 1
end

-- ---- other values -------------------------------------------------------------------------------

-- A float whose stored bytes all differ from the old one's.
local function other_float(value, code)
  local bytes = string.pack("<" .. code, value)
  for _, mask in ipairs { 1, 2, 4, 8, 3, 5 } do
    local new = string.unpack("<" .. code, (bytes:gsub(".", function(c)
      return string.char(c:byte() ~ mask)
    end)))
    if new == new and new ~= math.huge and new ~= -math.huge then return new end
  end
  error("no other float for " .. value)
end

local BITS = { u8 = 8, u16 = 16, u32 = 32, u64 = 64 }

-- Whether the value could be chosen so that every stored byte changes is the second result.
local function other(row, value)
  if row.kind == "boolean" then return not value, false end
  if row.names then
    for _, name in ipairs(row.names) do
      if name ~= value then return name, false end
    end
  end
  if row.min then
    local new = value == row.min and row.max or row.min
    return row.kind == "integer" and math.tointeger(new) or new, false
  end
  if row.kind == "integer" then
    local bits = BITS[row.type]
    return bits and bits < 64 and value ~ (1 << bits) - 1 or ~value, true
  end
  if row.type == "f64" then return other_float(value, "d"), true end
  if row.type == "f32" then return other_float(value, "f"), true end
  return value + 1, false
end

local function other_text(value)
  return (value:gsub(".", function(c) return string.char(c:byte() ~ 1) end))
end

-- ---- one field ----------------------------------------------------------------------------------

-- Bytes without what follows from the file's length.
local function masked(opts, doc, bytes)
  for _, path in ipairs(opts.follows or {}) do
    local parent, field = path:match("^(.*)%.([^.]*)$")
    local off, size = lathe.span(parent and doc:get(parent) or doc, field or path)
    bytes = bytes:sub(1, off) .. ("\0"):rep(size) .. bytes:sub(off + size + 1)
  end
  return bytes
end

-- What must hold after a write, before and after which the document was `old`: undo and setting it
-- back both give the old bytes.
local function restored(walk, place, key, value, label)
  local doc = walk.doc
  assert.is_true(doc.modified, label)
  local new = doc:encode()
  assert.is_true(doc:undo(), label)
  assert.equal(walk.bytes, doc:encode(), label .. ": undo")
  assert.is_false(doc.modified, label)
  assert.is_true(doc:redo(), label)
  assert.equal(new, doc:encode(), label .. ": redo")
  place[key] = value
  assert.equal(walk.bytes, doc:encode(), label .. ": set back")
  doc:undo(2)
  local again <close> = assert(lathe.parse(new, { format = walk.opts.format }))
  assert.equal(new, again:encode())
end

local function scalar(walk, place, key, row, value, label)
  local new, every_byte = other(row, value)
  local off, size = lathe.span(place, key)
  place[key] = new
  assert.equal(new, place[key], label)
  local now = walk.doc:encode()
  local at, length, whole = write.diff(walk.bytes, now)
  assert(at, label .. ": nothing changed")
  if every_byte then
    assert.same({ off, size, true }, { at, length, whole }, label)
  else
    assert(at >= off and at + length <= off + size, label .. ": outside of its span")
  end
  assert.same({ off, size }, { lathe.span(place, key) }, label)
  restored(walk, place, key, value, label)
end

local function text(walk, place, key, row, value, label)
  local off, size = lathe.span(place, key)
  for _, new in ipairs { other_text(value), value .. "x", value .. value .. "yz", "", "A" } do
    if new ~= value and (#new == #value or not (row.size and row.type:match "^bytes")) then
      local before = masked(walk.opts, walk.doc, walk.bytes)
      place[key] = new
      assert.equal(new, place[key], label)
      local now = walk.doc:encode()
      local at, length = lathe.span(place, key)
      assert.same({ off, size + #new - #value }, { at, length }, label)
      local after = masked(walk.opts, walk.doc, now)
      assert.equal(before:sub(1, off), after:sub(1, off), label .. ": in front")
      assert.equal(before:sub(off + size + 1), after:sub(off + length + 1), label .. ": behind")
      assert.equal(new, now:sub(off + length - #new + 1, off + length), label)
      if #new == #value then
        local first, count = write.diff(walk.bytes, now)
        assert.same({ off + size - #value, #value }, { first, count }, label)
      end
      restored(walk, place, key, value, label)
    end
  end
end

local function refuses(walk, place, key, value, label)
  local new = type(value) == "string" and value .. "x" or type(value) == "number" and value + 1 or not value
  local ok, err = pcall(function() place[key] = new end)
  assert.is_false(ok, label .. " was written")
  assert.truthy(tostring(err):find(label .. ": read-only: ", 1, true), tostring(err))
  assert.equal(walk.bytes, walk.doc:encode(), label)
  local fine, why = walk.doc:set(label, new)
  assert.is_nil(fine)
  assert.equal("readonly", why.code)
end

local function computed(walk, place, row, value, label, type_name)
  local values = assert((walk.opts.computed or {})[type_name .. "." .. row.name],
    label .. ": give values for the computed field in `computed`")
  for _, new in ipairs(values) do
    place[row.name] = new
    assert.equal(new, place[row.name], label)
    local again <close> = assert(lathe.parse(walk.doc:encode(), { format = walk.opts.format }))
    assert.equal(new, again:get(label), label)
    if walk.doc.modified then
      assert.is_true(walk.doc:undo(), label)
    end
    assert.equal(walk.bytes, walk.doc:encode(), label)
    assert.equal(value, place[row.name], label)
  end
end

-- A field that others are chosen by: they come and go with it.
local function selector(walk, place, key, row, value, label)
  local new = other(row, value)
  place[key] = new
  assert.equal(new, place[key], label)
  local now = walk.doc:encode()
  local again <close> = assert(lathe.parse(now, { format = walk.opts.format }))
  assert.equal(new, again:get(label), label)
  assert.is_true(walk.doc:undo(), label)
  assert.equal(walk.bytes, walk.doc:encode(), label .. ": undo")
  assert.is_true(walk.doc:redo(), label)
  assert.equal(now, walk.doc:encode(), label .. ": redo")
  walk.doc:undo()
end

-- ---- the walk -----------------------------------------------------------------------------------

local record

local function field(walk, place, key, row, label, type_name)
  local value = place[key]
  if value == nil and not row.computed then return end
  if row.ref or walk.opts.fixed_only and row.kind == "string" then return end
  if type_name then walk.seen[type_name .. "." .. row.name] = true end
  if row.computed and row.array then return end   -- a group: its columns are written one by one
  if row.computed and row.kind ~= "record" then
    if not row.readonly then computed(walk, place, row, value, label, type_name) end
  elseif row.array and type_name then
    local element = lathe.describe(value)[1]
    for i = 1, #value do
      if row.kind == "record" then
        record(walk, value[i])
      else
        field(walk, value, i, element, ("%s[%d]"):format(label, i))
      end
    end
  elseif row.kind == "record" then
    record(walk, value)
  elseif row.readonly then
    refuses(walk, place, key, value, label)
  elseif row.kind == "string" then
    text(walk, place, key, row, value, label)
  elseif (walk.opts.selects or {})[type_name and type_name .. "." .. row.name] then
    selector(walk, place, key, row, value, label)
  else
    scalar(walk, place, key, row, value, label)
  end
end

function record(walk, place)
  local type_name = walk.opts.root and place == walk.doc and walk.opts.root or lathe.type(place)
  for _, row in ipairs(lathe.describe(place)) do
    field(walk, place, row.name, row, lathe.path(place, row.name), type_name)
  end
end

--- Writes each field of each record of a sample; notes "type.field" of what it met in `seen`. References
-- are not followed; opts.fixed_only leaves out texts and bytes.
function write.every_field(opts, bytes, seen)
  local doc <close> = assert(lathe.parse(bytes, { format = opts.format, history = 4 }))
  local walk = { opts = opts, doc = doc, bytes = bytes, seen = seen }
  record(walk, doc)
  assert.equal(bytes, doc:encode())
end

return write
