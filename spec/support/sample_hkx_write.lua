--- Writes packfiles from plain tables by the rules of formats/havok-packfile.md#23, in any layout: an
-- independent peer of the core's serializer. sample_hkx has the convenient makers above it.
--
-- An object is a table { class = "hkaSkeleton", member = value, … } with the members of hkx_classes; a
-- pointer to an object is its table, null is false or nothing; so with strings ("" is no null). Arrays are
-- lists, bytes are strings, vec4 { x, y, z, w }, qs { translation =, rotation =, scale = }. Members of other
-- layouts must be empty, 0 or false: what hkx_reader reads of one layout can be written in another.
-- An object that nothing describes, or that is to be kept as it is, has instead of members
--   opaque = bytes, locals = { { src, dst }, … }, globals = { { src, object }, … }, signature = number
-- with offsets from the object's start, in the order of the tables. Bytes behind the object's own end
-- come with it; zeros are put behind them up to a multiple of 16.

local classes = require "hkx_classes"

local writer = {}

local FORMATS = { i8 = "i1", u8 = "I1", i16 = "i2", u16 = "I2", i32 = "i4", u32 = "I4", f32 = "f" }
local LISTS = { vec4 = "ffff", u16x4 = "I2I2I2I2" }

-- ---- one object -----------------------------------------------------------------------------------

local Writer = {}
Writer.__index = Writer

local function aligned(offset, to)
  return (offset + to - 1) // to * to
end

function Writer:put(offset, bytes)
  local n = #self.pieces
  self.pieces[n + 1] = { offset = offset, bytes = bytes }
end

-- Takes room for so many bytes at the end, on a multiple of `to`.
function Writer:take(size, to)
  local at = aligned(self.used, to)
  self.used = at + size
  return at
end

function Writer:pad(to)
  self.used = aligned(self.used, to)
end

function Writer:points(slot, target)
  self.locals[#self.locals + 1] = { slot, target }
end

function Writer:refers(slot, object)
  assert(type(object) == "table" and object.class, "a pointer to no object")
  self.globals[#self.globals + 1] = { slot, object }
end

-- A string behind all else; `start` and `stop`: what it and its end are aligned to.
function Writer:string(slot, text, start, stop)
  if not text then return end
  local at = self:take(#text + 1, start)
  self:points(slot, at)
  self:put(at, text)
  self:pad(stop)
end

function Writer:size_of(type_name)
  if type_name == "str" or type_name == "obj" then return self.layout.pointer_size end
  return classes.sizes[type_name] or self:class(type_name).size
end

function Writer:class(name)
  return classes.get(self.layout.version, self.layout.pointer_size, name)
    or error(("%s: no such class in %s"):format(name, self.layout.version), 0)
end

local function numbers_of(value, count, what)
  assert(type(value) == "table" and #value == count, what .. ": a list of numbers expected")
  return table.unpack(value)
end

-- A value without anything behind it: numbers and pointers to objects.
function Writer:plain(type_name, offset, value)
  local e = self.layout.endian
  if FORMATS[type_name] then
    if value and value ~= 0 then self:put(offset, string.pack(e .. FORMATS[type_name], value)) end
    if value == 0 and 1 / value < 0 then self:put(offset, string.pack(e .. "f", value)) end -- -0
  elseif type_name == "obj" then
    if value then self:refers(offset, value) end
  elseif type_name == "qs" then
    value = value or {}
    self:plain("vec4", offset, value.translation or { 0, 0, 0, 0 })
    self:plain("vec4", offset + 16, value.rotation or { 0, 0, 0, 1 })
    self:plain("vec4", offset + 32, value.scale or { 1, 1, 1, 0 })
  elseif value then
    self:put(offset, string.pack(e .. LISTS[type_name], numbers_of(value, 4, type_name)))
  end
end

-- What a layout has no place for must be nothing.
local function known_members(class, values)
  local known = { class = true, signature = true }
  for _, member in ipairs(class) do known[member.name] = true end
  for name, value in pairs(values) do
    local nothing = not value or value == 0 or type(value) == "table" and next(value) == nil
    if not known[name] and not (class.elsewhere[name] and nothing) then
      error(("%s has no %s here"):format(class.name, name), 0)
    end
  end
end

-- Everything of a structure: its own bytes at offset, and what is behind it at the end, in member order.
-- inside: whether it is an element of an array.
function Writer:structure(class, offset, values, inside)
  known_members(class, values)
  for _, member in ipairs(class) do
    local at, value = offset + member.offset, values[member.name]
    if member.element then
      self:array(member, at, value or (member.type == "bytes" and "" or {}), inside)
    elseif member.type == "str" then
      self:string(at, value, inside and self.layout.text_start or 16, 16) -- rules 5 and 8
    else
      self:plain(member.type, at, value)
    end
  end
end

-- Rules 4, 6, 7.
function Writer:array(member, slot, list, inside)
  self:put(slot + self.layout.pointer_size,
    string.pack(self.layout.endian .. "I4I4", #list, #list | 0x80000000))
  if #list == 0 then return end
  local element = member.element
  local size = self:size_of(element)
  local at = self:take(#list * size, 16)
  self:points(slot, at)
  if member.type == "bytes" then
    self:put(at, list)
  elseif element == "str" then
    for i, text in ipairs(list) do self:string(at + (i - 1) * size, text, 2, 1) end
  elseif FORMATS[element] or LISTS[element] or element == "qs" or element == "obj" then
    for i, value in ipairs(list) do self:plain(element, at + (i - 1) * size, value) end
  else
    local class = self:class(element)
    if inside then self:pad(16) end
    for i, value in ipairs(list) do self:structure(class, at + (i - 1) * size, value, true) end
  end
  self:pad(16)
end

-- The pieces put together, zeros between them.
function Writer:bytes()
  table.sort(self.pieces, function(a, b) return a.offset < b.offset end)
  local out, at = {}, 0
  for _, piece in ipairs(self.pieces) do
    assert(piece.offset >= at, "two values in one place")
    out[#out + 1] = ("\0"):rep(piece.offset - at) .. piece.bytes
    at = piece.offset + #piece.bytes
  end
  out[#out + 1] = ("\0"):rep(self.used - at)
  return table.concat(out)
end

local function write_object(layout, object)
  local w = setmetatable({ layout = layout, pieces = {}, locals = {}, globals = {}, used = 0 }, Writer)
  if object.opaque then
    w.used = #object.opaque
    w:put(0, object.opaque)
    for _, row in ipairs(object.locals or {}) do w:points(row[1], row[2]) end
    for _, row in ipairs(object.globals or {}) do w:refers(row[1], row[2]) end
  else
    local class = w:class(object.class)
    assert(not class.struct, object.class .. " is no object")
    w:take(class.size, 16)
    w:pad(16)
    w:structure(class, 0, object)
  end
  w:pad(16)
  return w
end

-- ---- all objects ----------------------------------------------------------------------------------

-- Rule 2: the root, then whatever each object points to, when it is met first.
local function write_objects(layout, root)
  local order, parts = {}, {}
  local function visit(object)
    if parts[object] then return end
    local part = write_object(layout, object)
    parts[object] = part
    order[#order + 1] = object
    for _, row in ipairs(part.globals) do visit(row[2]) end
  end
  visit(root)
  return order, parts
end

local function signature_of(layout, name, object)
  local signature = object and object.signature or (layout.signatures or {})[name] or
    classes.signatures[layout.version][name]
  return signature or error("no signature of " .. name, 0)
end

local function class_names(layout, order)
  local out, at, list = {}, {}, {}
  local size = 0
  local function add(name, object)
    if at[name] then return end
    local signature = signature_of(layout, name, object)
    out[#out + 1] = string.pack(layout.endian .. "I4", signature) .. "\9" .. name .. "\0"
    at[name] = size + 5
    list[#list + 1] = { name = name, signature = signature, offset = at[name] }
    size = size + 6 + #name
  end
  for _, name in ipairs(classes.reflection) do add(name) end
  for _, object in ipairs(order) do add(object.class, object) end
  out[#out + 1] = ("\xFF"):rep(-size % 16)
  return table.concat(out), at, list
end

local function fixups(layout, rows)
  local out = {}
  for i, row in ipairs(rows) do
    out[i] = string.pack(layout.endian .. ("I4"):rep(#row), table.unpack(row))
  end
  local bytes = table.concat(out)
  return bytes .. ("\xFF"):rep(-#bytes % 16)
end

-- ---- the file -------------------------------------------------------------------------------------

local VERSIONS = {
  ["hk_2010.2"] = { file_version = 8, text = "hk_2010.2.0-r1", header = 0x30 },
  ["hk_2014.1"] = { file_version = 11, text = "hk_2014.1.0-r1", header = 0x40 },
}

local PREDICATE = "\20\0" .. ("\0"):rep(14)

local GAMES = {
  ["skyrim-le"] = { version = "hk_2010.2", pointer_size = 4 },
  ["skyrim-se"] = { version = "hk_2010.2", pointer_size = 8 },
  ["fallout4"] = { version = "hk_2014.1", pointer_size = 8 },
}

--- A layout with nothing left open. opts: game = "skyrim-le" | "skyrim-se" | "fallout4" (what is not said
-- otherwise is as there), version = "hk_2010.2" | "hk_2014.1", pointer_size = 4 | 8, endian = "<" | ">",
-- predicate = true | false | bytes (of a multiple of 16), embedded = true (none), user_tag, flags,
-- signatures = { class = number }, text_start: what texts of arrays' elements begin on a multiple of (1; other programs
-- than Havok's take 16, and leave 8 bytes in front unused).
function writer.layout(opts)
  local game = GAMES[opts.game or "fallout4"] or error("no game " .. opts.game, 0)
  local layout = {
    version = opts.version or game.version,
    pointer_size = opts.pointer_size or game.pointer_size,
    endian = opts.endian or "<",
    user_tag = opts.user_tag or 0, flags = opts.flags or 0, signatures = opts.signatures,
    text_start = opts.text_start or 1,
  }
  assert(VERSIONS[layout.version], "no version " .. layout.version)
  layout.predicate = ""
  if VERSIONS[layout.version].file_version >= 11 and not opts.embedded and opts.predicate ~= false then
    layout.predicate = type(opts.predicate) == "string" and opts.predicate or PREDICATE
    if layout.endian == ">" and layout.predicate == PREDICATE then
      layout.predicate = "\0\20" .. PREDICATE:sub(3)
    end
  end
  return layout
end

local function header(layout, version, at)
  local e, v11 = layout.endian, version.file_version >= 11
  return table.concat {
    string.pack(e .. "I4I4i4i4", 0x57E0E057, 0x10C0C010, layout.user_tag, version.file_version),
    string.pack("BBBB", layout.pointer_size, e == "<" and 1 or 0, 0, 1),
    string.pack(e .. "i4i4i4i4i4", 3, 2, 0, 0, at),
    version.text, "\0\xFF",
    string.pack(e .. "i4i2i2", layout.flags, v11 and 21 or -1, v11 and #layout.predicate or -1),
    layout.predicate,
  }
end

local function section_header(layout, version, name, numbers)
  return name .. ("\0"):rep(19 - #name) .. "\xFF"
    .. string.pack(layout.endian .. ("I4"):rep(7), table.unpack(numbers))
    .. ("\xFF"):rep(version.header - 0x30)
end

-- Where the objects are, and the records of the three tables.
local function place_objects(order, parts, class_at)
  local at, offset = 0, {}
  for _, object in ipairs(order) do
    offset[object] = at
    at = at + parts[object].used
  end
  local locals, globals, virtuals = {}, {}, {}
  for i, object in ipairs(order) do
    local base, part = offset[object], parts[object]
    for _, row in ipairs(part.locals) do locals[#locals + 1] = { base + row[1], base + row[2] } end
    for _, row in ipairs(part.globals) do globals[#globals + 1] = { base + row[1], 2, offset[row[2]] } end
    virtuals[i] = { base, 0, class_at[object.class] }
  end
  return offset, at, { locals, globals, virtuals }
end

local Info = {}
Info.__index = Info

--- Where something of an object lies in the file: its start, or a member of it.
function Info:place(object, member)
  local at = self.data_start + self.offset[object]
  if not member then return at end
  for _, row in ipairs(classes.get(self.layout.version, self.layout.pointer_size, object.class)) do
    if row.name == member then return at + row.offset, row.type end
  end
  error(("%s has no %s"):format(object.class, member))
end

--- The file with other bytes in one place (an offset in the file).
function writer.patch(bytes, at, with)
  assert(at + #with <= #bytes, "behind the end")
  return bytes:sub(1, at) .. with .. bytes:sub(at + #with + 1)
end

--- The packfile of all objects that can be reached from `root`. Gives its bytes, and where things are:
-- { layout =, order = { object, … }, offset = { [object] = offset in the data }, size = { [object] = bytes
-- with all that is behind it }, data_start =, class_names = { { name =, signature =, offset = }, … },
-- locals =, globals =, virtuals = the records, place = function(info, object [, member]) offset in the file }.
function writer.build(root, opts)
  local layout = writer.layout(opts or {})
  local version = VERSIONS[layout.version]
  local order, parts = write_objects(layout, root)
  local names, class_at, names_list = class_names(layout, order)
  local offset, data_size, tables = place_objects(order, parts, class_at)
  local info = setmetatable({ layout = layout, order = order, offset = offset, size = {},
    class_names = names_list, locals = tables[1], globals = tables[2], virtuals = tables[3] }, Info)

  local data, ends, at = {}, {}, data_size
  for i, object in ipairs(order) do
    data[i] = parts[object]:bytes()
    info.size[object] = #data[i]
  end
  for i, rows in ipairs(tables) do
    ends[i] = at
    data[#data + 1] = fixups(layout, rows)
    at = at + #data[#data]
  end

  local names_start = 0x40 + #layout.predicate + 3 * version.header
  info.data_start = names_start + #names
  local n, start = #names, info.data_start
  return header(layout, version, class_at[root.class])
    .. section_header(layout, version, "__classnames__", { names_start, n, n, n, n, n, n })
    .. section_header(layout, version, "__types__", { start, 0, 0, 0, 0, 0, 0 })
    .. section_header(layout, version, "__data__", { start, ends[1], ends[2], ends[3], at, at, at })
    .. names .. table.concat(data), info
end

return writer
