--- Reads packfiles in plain Lua, for tests: shares nothing with the core, and believes nothing. Whatever
-- breaks formats/havok-packfile.md raises a text with the offset.
--
--    local file = reader.read(bytes)
--    file.pointer_size, file.contents_version, file.sections[3].absolute_data_start, …
--    for i, object in ipairs(file.objects) do print(object.class, object.offset, object.size) end
--    local skeleton = file:members(object)      -- plain tables; pointers to objects are the objects
--    local root = file:graph()                  -- the same in the shape that sample_hkx.build takes

local classes = require "hkx_classes"

local reader = {}

local File = {}
File.__index = File

local function fail(offset, ...)
  error(("at 0x%x: %s"):format(offset, string.format(...)), 0)
end

local function need(bytes, offset, size, what)
  if offset < 0 or offset + size > #bytes then fail(offset, "%s: %d bytes needed of %d", what, size, #bytes) end
end

-- ---- header, sections, tables ---------------------------------------------------------------------

local function read_header(file)
  local bytes = file.bytes
  need(bytes, 0, 0x40, "header")
  local magic0, magic1 = string.unpack("<I4I4", bytes)
  file.pointer_size, file.little_endian, file.reuse_padding, file.empty_base = bytes:byte(0x11, 0x14)
  file.endian = file.little_endian == 1 and "<" or ">"
  if file.endian == ">" then magic0, magic1 = string.unpack(">I4I4", bytes) end
  if magic0 ~= 0x57E0E057 or magic1 ~= 0x10C0C010 then fail(0, "no packfile") end
  local e = file.endian
  file.user_tag, file.file_version = string.unpack(e .. "i4i4", bytes, 9)
  file.num_sections, file.contents_section_index, file.contents_section_offset,
    file.contents_class_name_section_index, file.contents_class_name_section_offset =
    string.unpack(e .. "i4i4i4i4i4", bytes, 0x15)
  file.version_bytes = bytes:sub(0x29, 0x38)
  file.contents_version = file.version_bytes:match("^[^\0]*")
  file.version = file.contents_version:match("^hk_%d+%.%d+")
  file.flags, file.max_predicate, file.predicate_size = string.unpack(e .. "i4i2i2", bytes, 0x39)
  local pad = file.file_version >= 11 and math.max(file.predicate_size, 0) or 0
  file.predicate = bytes:sub(0x41, 0x40 + pad)
  file.sections_start = 0x40 + pad
  file.section_header_size = file.file_version >= 11 and 0x40 or 0x30
end

local FIELDS = { "absolute_data_start", "local_fixups_offset", "global_fixups_offset", "virtual_fixups_offset",
  "exports_offset", "imports_offset", "end_offset" }

local function read_sections(file)
  file.sections = {}
  for i = 1, file.num_sections do
    local at = file.sections_start + (i - 1) * file.section_header_size
    need(file.bytes, at, file.section_header_size, "section header")
    local section = { at = at, tag = file.bytes:sub(at + 1, at + 20) }
    section.name = section.tag:match("^[^\0]*")
    section.tail = file.bytes:sub(at + 0x31, at + file.section_header_size)
    local values = { string.unpack(file.endian .. ("I4"):rep(7), file.bytes, at + 0x15) }
    for k, name in ipairs(FIELDS) do
      section[name] = values[k]
      if k > 2 and values[k] < values[k - 1] then fail(at, "%s: %s before the one before", section.name, name) end
    end
    need(file.bytes, section.absolute_data_start, section.end_offset, section.name)
    file.sections[i] = section
  end
end

local function read_class_names(file)
  local section = file.sections[1]
  local at, stop = section.absolute_data_start, section.absolute_data_start + section.local_fixups_offset
  file.class_names, file.class_at = {}, {}
  while at + 5 <= stop do
    local signature, mark = string.unpack(file.endian .. "I4B", file.bytes, at + 1)
    if signature == 0xFFFFFFFF or mark ~= 9 then break end
    local name, next_at = string.unpack("z", file.bytes, at + 6)
    local entry = { name = name, signature = signature, offset = at + 5 - section.absolute_data_start }
    file.class_names[#file.class_names + 1] = entry
    file.class_at[entry.offset] = entry
    at = next_at - 1
  end
  file.class_names_tail = file.bytes:sub(at + 1, stop)
end

-- Records of `words` numbers between two offsets of the data section; and what is left behind them.
local function read_table(file, first, last, words)
  local start = file.data.absolute_data_start
  local list, at = {}, start + first
  while at + 4 * words <= start + last do
    local row = { string.unpack(file.endian .. ("I4"):rep(words), file.bytes, at + 1) }
    if row[1] == 0xFFFFFFFF then break end
    row[words + 1] = nil
    list[#list + 1] = row
    at = at + 4 * words
  end
  return list, file.bytes:sub(at + 1, start + last)
end

local function read_tables(file)
  local s = file.data
  file.local_fixups, file.local_tail = read_table(file, s.local_fixups_offset, s.global_fixups_offset, 2)
  file.global_fixups, file.global_tail = read_table(file, s.global_fixups_offset, s.virtual_fixups_offset, 3)
  file.virtual_fixups, file.virtual_tail = read_table(file, s.virtual_fixups_offset, s.exports_offset, 3)
end

-- The object of a sorted list that holds an offset.
local function holder(objects, offset)
  local low, high = 1, #objects
  while low < high do
    local middle = (low + high + 1) // 2
    if objects[middle].offset <= offset then low = middle else high = middle - 1 end
  end
  local object = objects[low]
  if not object or offset < object.offset or offset >= object.offset + object.size then
    fail(offset, "in no object")
  end
  return object
end

local function read_objects(file)
  file.objects, file.object_at, file.points_to = {}, {}, {}
  for i, row in ipairs(file.virtual_fixups) do
    local class = file.class_at[row[3]]
    if row[2] ~= 0 or not class then fail(row[1], "object without a class") end
    file.objects[i] = { index = i, offset = row[1], class = class.name, signature = class.signature,
      locals = {}, globals = {} }
    file.object_at[row[1]] = file.objects[i]
  end
  table.sort(file.objects, function(a, b) return a.offset < b.offset end)
  for i, object in ipairs(file.objects) do
    local next_object = file.objects[i + 1]
    object.size = (next_object and next_object.offset or file.data.local_fixups_offset) - object.offset
  end
  for _, row in ipairs(file.local_fixups) do
    local object = holder(file.objects, row[1])
    object.locals[#object.locals + 1] = { src = row[1] - object.offset, dst = row[2] - object.offset }
    file.points_to[row[1]] = row[2]
  end
  for _, row in ipairs(file.global_fixups) do
    local object, target = holder(file.objects, row[1]), file.object_at[row[3]]
    if row[2] ~= file.contents_section_index or not target then fail(row[1], "pointer to no object") end
    object.globals[#object.globals + 1] = { src = row[1] - object.offset, target = target }
    file.points_to[row[1]] = target
  end
end

--- Reads a packfile. Raises a text with an offset where it is none.
function reader.read(bytes)
  local file = setmetatable({ bytes = bytes }, File)
  read_header(file)
  read_sections(file)
  read_class_names(file)
  file.data = file.sections[file.contents_section_index + 1]
  if not file.data then fail(0x18, "no contents section") end
  read_tables(file)
  read_objects(file)
  file.root = file.object_at[file.contents_section_offset]
  return file
end

-- ---- members --------------------------------------------------------------------------------------

local FORMATS = { i8 = "i1", u8 = "I1", i16 = "i2", u16 = "I2", i32 = "i4", u32 = "I4", f32 = "f",
  vec4 = "ffff", u16x4 = "I2I2I2I2" }

function File:size_of(type_name)
  if type_name == "str" or type_name == "obj" then return self.pointer_size end
  return classes.sizes[type_name] or classes.get(self.version, self.pointer_size, type_name).size
end

-- An offset in the data section as one in the file, with so many bytes behind it.
function File:place(offset, size)
  if offset + size > self.data.local_fixups_offset then fail(offset, "%d bytes outside of the data", size) end
  return self.data.absolute_data_start + offset + 1
end

function File:read_string(offset)
  local target = self.points_to[offset]
  if not target then return nil end
  if type(target) ~= "number" then fail(offset, "a string that is an object") end
  return (string.unpack("z", self.bytes, self:place(target, 1)))
end

local value_of

function File:read_structure(class, offset)
  local out = {}
  for _, member in ipairs(class) do out[member.name] = value_of(self, member, offset + member.offset) end
  return out
end

function File:read_one(type_name, offset)
  if type_name == "str" then return self:read_string(offset) or false end
  if type_name == "obj" then
    local target = self.points_to[offset]
    if type(target) == "number" then fail(offset, "an object that is none") end
    return target or false
  end
  if type_name == "qs" then
    return { translation = self:read_one("vec4", offset), rotation = self:read_one("vec4", offset + 16),
      scale = self:read_one("vec4", offset + 32) }
  end
  local format = FORMATS[type_name]
  if not format then
    return self:read_structure(classes.get(self.version, self.pointer_size, type_name), offset)
  end
  local size = classes.sizes[type_name]
  local values = { string.unpack(self.endian .. format, self.bytes, self:place(offset, size)) }
  if #values == 2 then return values[1] end
  values[#values] = nil
  return values
end

function File:read_array(member, offset)
  local at = self:place(offset, self.pointer_size + 8)
  local count, flags = string.unpack(self.endian .. "I4I4", self.bytes, at + self.pointer_size)
  if flags ~= count | 0x80000000 then fail(offset, "%s: capacity 0x%x of %d", member.name, flags, count) end
  local target = self.points_to[offset]
  if (target ~= nil) ~= (count > 0) then fail(offset, "%s: %d elements, pointer %s", member.name, count, target) end
  if member.type == "bytes" then
    if count == 0 then return "" end
    local start = self:place(target, count)
    return self.bytes:sub(start, start + count - 1)
  end
  local list, size = {}, self:size_of(member.element)
  for i = 1, count do list[i] = self:read_one(member.element, target + (i - 1) * size) end
  return list
end

value_of = function(self, member, offset)
  if member.element then return self:read_array(member, offset) end
  return self:read_one(member.type, offset)
end

--- The members of an object as plain tables, strings, numbers; nil where its class is not described.
-- Null strings and pointers are false; pointers to objects are the objects of file.objects.
function File:members(object)
  local class = classes.get(self.version, self.pointer_size, object.class)
  return class and self:read_structure(class, object.offset)
end

--- The bytes of an object, up to the next one.
function File:bytes_of(object)
  local at = self.data.absolute_data_start + object.offset
  return self.bytes:sub(at + 1, at + object.size)
end

-- Copies values with each object of the file replaced by its node.
local function with_nodes(value, nodes)
  if type(value) ~= "table" then return value end
  if nodes[value] then return nodes[value] end
  local out = {}
  for k, v in pairs(value) do out[k] = with_nodes(v, nodes) end
  return out
end

--- All objects in the shape that sample_hkx.build takes: described ones by their members, others as bytes
-- with their fixups. opaque(object) may return true to have an object as bytes in any case.
-- Gives the root's node and the list of nodes, in the order of the file.
function File:graph(opaque)
  local nodes, list = {}, {}
  for i, object in ipairs(self.objects) do
    list[i] = { class = object.class, signature = object.signature }
    nodes[object] = list[i]
  end
  for i, object in ipairs(self.objects) do
    local members = not (opaque and opaque(object)) and self:members(object)
    local node = list[i]
    if members then
      for name, value in pairs(members) do node[name] = with_nodes(value, nodes) end
    else
      node.opaque, node.locals, node.globals = self:bytes_of(object), {}, {}
      for k, row in ipairs(object.locals) do node.locals[k] = { row.src, row.dst } end
      for k, row in ipairs(object.globals) do node.globals[k] = { row.src, nodes[row.target] } end
    end
  end
  return nodes[self.root], list
end

return reader
