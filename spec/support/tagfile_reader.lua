--- Reads tagfiles in plain Lua, for tests: shares nothing with the core, and believes nothing. Whatever breaks
-- formats/havok-tagfile.md raises a text with the section and the offset.
--
--    local file = reader.read(bytes)                -- , other: a compendium that was read, where the file needs one
--    file.sdk, file.compendium                      -- "20150100"; the 16 hex digits of the compendium it needs
--    file.sections[i]                               -- signature, offset, size, leaf, depth, in the order of the file
--    file.types[id]                                 -- name, arguments, parent, opt, format, sub, version, size, align,
--                                                   --   flags, members, properties, interfaces, attribute, mutable, hash
--    file.items[0], file.items[1], …                -- type, kind, offset, count
--    file.patches[i]                                -- { type, { offsets } }
--    file:display(id)                               -- hkArray<hkUint8, hkContainerHeapAllocator>
--    file:members(id)                               -- all members of a record, the parent's first
--    file:value(item)                               -- of an object a table by the file's names, of an array a list;
--                                                   --   pointers are { item = number } or false; texts strings or false
--    file:references(visit)                         -- visit(offset, type, item) for all fields that may hold an item
--
-- tagfile_judge has what is wrong with a file that can be read.

local reader = {}

local unpack = string.unpack

reader.KINDS = { [0] = "void", "opaque", "bool", "string", "int", "float", "pointer", "record", "array" }
reader.RELATIVE = 0x2000
reader.HIDDEN = 0x01

local File = {}
File.__index = File

local function fail(offset, ...)
  error(("at 0x%x: %s"):format(offset, string.format(...)), 0)
end

-- ---- sections -------------------------------------------------------------------------------------------

local BRANCHES = { TAG0 = true, TCM0 = true, TYPE = true, INDX = true }

-- The sections from `at` to `stop`, and those in them. Zero words between sections are no sections.
local function read_sections(file, at, stop, depth)
  local bytes = file.bytes
  while at < stop do
    if stop - at >= 4 and unpack(">I4", bytes, at + 1) == 0 then
      file.fillers = file.fillers + 1
      at = at + 4
    else
      if stop - at < 8 then fail(at, "%d bytes are no section", stop - at) end
      local word, signature = unpack(">I4c4", bytes, at + 1)
      local size = word & 0x3FFFFFFF
      if size < 8 or size > stop - at then fail(at, "%s: size %d of %d", signature, size, stop - at) end
      local section = { signature = signature, offset = at, size = size, leaf = word >> 30, depth = depth }
      file.sections[#file.sections + 1] = section
      if file.by_name[signature] then
        file.twice[#file.twice + 1] = section
      else
        file.by_name[signature] = section
      end
      if word >> 30 == 0 and BRANCHES[signature] then
        if depth > 3 then fail(at, "%s: nested too deep", signature) end
        read_sections(file, at + 8, at + size, depth + 1)
      end
      at = at + size
    end
  end
end

-- A section by one of its names; nil where there is none.
function File:section(name, other)
  return self.by_name[name] or other and self.by_name[other]
end

function File:payload(section)
  return self.bytes:sub(section.offset + 9, section.offset + section.size)
end

-- ---- packed numbers -------------------------------------------------------------------------------------

local Packed = {}
Packed.__index = Packed

local function packed(file, section)
  return setmetatable({ bytes = file.bytes, at = section.offset + 8, stop = section.offset + section.size,
    name = section.signature }, Packed)
end

function Packed:fail(...)
  fail(self.at, "%s: %s", self.name, string.format(...))
end

function Packed:byte()
  if self.at >= self.stop then self:fail("ends in a number") end
  self.at = self.at + 1
  return self.bytes:byte(self.at)
end

-- How many bytes follow the first, and which of its bits count.
local function width_of(first)
  if first < 0x80 then return 0, 0x7F end
  if first < 0xC0 then return 1, 0x3F end
  if first < 0xE0 then return 2, 0x1F end
  if first < 0xE8 then return 3, 0x07 end
  if first < 0xF0 then return 4, 0x07 end
  if first < 0xF8 then return 7, 0x07 end
  if first == 0xF8 then return 5, 0 end
  if first == 0xF9 then return 8, 0 end
  return nil
end

function Packed:number()
  local first = self:byte()
  local more, mask = width_of(first)
  if not more then
    self.at = self.at - 1
    self:fail("0x%02X begins no number", first)
  end
  local value = first & mask
  for _ = 1, more do value = value << 8 | self:byte() end
  return value
end

-- A number that counts or names something: at most `most`.
function Packed:below(most, what)
  local at, n = self.at, self:number()
  if math.ult(most, n) then
    self.at = at
    self:fail("%s %u of %d", what, n, most)
  end
  return n
end

function Packed:ended()
  return self.at >= self.stop
end

-- ---- types ----------------------------------------------------------------------------------------------

-- Strings end with zeros; what follows the last zero is padding, and so is a string of 0xFF.
local function read_strings(file, section)
  local list = {}
  if not section then return list end
  for text in file:payload(section):gmatch "([^\0]*)\0" do
    if not text:find "^\xFF+$" then list[#list + 1] = text end
  end
  return list
end

local function string_at(p, list, what)
  if #list == 0 then p:fail("%s: of none", what) end
  local number = p:below(#list - 1, what)
  return list[number + 1]
end

local function read_names(file)
  local p = packed(file, file:section("TNAM", "TNA1") or fail(0, "TYPE without TNAM"))
  local strings = read_strings(file, file:section("TSTR", "TST1"))
  local count = p:number()
  if count < 1 or count - 1 > p.stop - p.at then p:fail("%d types", count - 1) end
  for id = 1, count - 1 do
    local type = { id = id, name = string_at(p, strings, "string"), arguments = {}, parent = 0, opt = 0, members = {},
      properties = {}, interfaces = {} }
    for i = 1, p:below((p.stop - p.at) // 2, "arguments:") do
      local name = string_at(p, strings, "string")
      local value = name:sub(1, 1) == "t" and p:below(count - 1, "type") or p:number()
      type.arguments[i] = { name = name, value = value }
    end
    file.types[id] = type
  end
end

local function read_member(file, p, names)
  local member = { name = string_at(p, names, "member name"), flags = p:number() }
  if member.flags & 0x80 ~= 0 then member.extra = p:number() end
  member.offset = p:number()
  member.type = p:below(#file.types, "type")
  return member
end

local function read_body(file, p, type, names, attributes)
  type.body_at = p.at
  type.parent = p:below(#file.types, "parent")
  type.opt = p:number()
  local has = function(bit) return type.opt & bit ~= 0 end
  if has(0x01) then type.format = p:number() end
  if has(0x02) then type.sub = p:below(#file.types, "type") end
  if has(0x04) then type.version = p:number() end
  if has(0x08) then type.size, type.align = p:number(), p:number() end
  if has(0x10) then type.flags = p:number() end
  if has(0x20) then
    local count = p:number()
    for i = 1, count & 0xFFFF do type.members[i] = read_member(file, p, names) end
    for i = 1, count >> 16 do type.properties[i] = read_member(file, p, names) end
  end
  if has(0x40) then
    for i = 1, p:below((p.stop - p.at) // 2, "interfaces:") do
      type.interfaces[i] = { type = p:below(#file.types, "type"), offset = p:number() }
    end
  end
  if has(0x80) then type.attribute = string_at(p, attributes, "attribute") end
  if has(0x100) then type.mutable = p:number() end
  if type.opt > 0x1FF then p:fail("options 0x%x", type.opt) end
end

local function read_bodies(file)
  local section = file:section("TBOD", "TBDY")
  if not section then return end
  local p = packed(file, section)
  local names = read_strings(file, file:section("FSTR", "FST1"))
  local attributes = read_strings(file, file:section("ASTR", "AST1"))
  while not p:ended() do
    local id = p:below(#file.types, "type")
    if id ~= 0 then
      if file.types[id].body_at then p:fail("type %d has two bodies", id) end
      read_body(file, p, file.types[id], names, attributes)
      file.bodies[#file.bodies + 1] = id
    end
  end
end

local function read_hashes(file)
  local section = file:section "THSH"
  if not section then return end
  local p = packed(file, section)
  local count = p:below((p.stop - p.at) // 5, "hashes:")
  for _ = 1, count do
    local type = file.types[p:below(#file.types, "type")] or p:fail("a hash of no type")
    if p.stop - p.at < 4 then p:fail("ends in a hash") end
    type.hash = unpack("<I4", file.bytes, p.at + 1)
    file.hashes[#file.hashes + 1] = { type.id, type.hash }
    p.at = p.at + 4
  end
end

-- What the types say together: no circles, and members inside.
local function check_types(file)
  for id, type in ipairs(file.types) do
    local parent, steps = type.parent, 0
    while parent ~= 0 do
      parent, steps = file.types[parent].parent, steps + 1
      if steps > #file.types then fail(type.body_at, "type %d inherits from itself", id) end
    end
  end
  for id, type in ipairs(file.types) do
    if file:kind(id) == "record" then
      local size = file:size(id)
      for _, member in ipairs(type.members) do
        if member.offset + file:size(member.type) > size then
          fail(type.body_at, "type %d: member %s lies outside", id, member.name)
        end
      end
    end
  end
end

-- The first answer up the chain of parents.
function File:up(id, key)
  while id ~= 0 do
    local type = self.types[id]
    if type[key] then return type[key] end
    id = type.parent
  end
  return nil
end

function File:kind(id)
  return reader.KINDS[(self:up(id, "format") or 0) & 0x1F] or "?"
end

function File:size(id) return self:up(id, "size") or 0 end

--- Alignment without the bits that are no alignment.
function File:align(id)
  local align = (self:up(id, "align") or 1) & 0xFFF
  return align > 0 and align & align - 1 == 0 and align or 1
end

--- The type that it points to, or has elements of.
function File:sub(id) return self:up(id, "sub") or 0 end

--- Whether it holds offsets from itself, not numbers of items.
function File:relative(id)
  return (self:up(id, "flags") or 0) & reader.RELATIVE ~= 0
end

--- Elements of an array in line; nil: of one that is elsewhere.
function File:inline(id)
  local format = self:up(id, "format")
  return format & 0x20 ~= 0 and format >> 8 or nil
end

--- Whether `id` is `wanted`, or has it for a parent or an interface.
function File:is(id, wanted)
  while id ~= 0 do
    if id == wanted then return true end
    for _, interface in ipairs(self.types[id].interfaces) do
      if interface.type == wanted then return true end
    end
    id = self.types[id].parent
  end
  return false
end

--- The name with its template arguments.
function File:display(id, depth)
  local type = self.types[id]
  if not type then return "void" end
  if #type.arguments == 0 or (depth or 0) > 8 then return type.name end
  local list = {}
  for i, argument in ipairs(type.arguments) do
    list[i] = argument.name:sub(1, 1) == "t" and self:display(argument.value, (depth or 0) + 1)
      or tostring(argument.value)
  end
  return ("%s<%s>"):format(type.name, table.concat(list, ", "))
end

--- All members of a record, those of its parents first: { name =, key =, offset =, type =, flags = }. key: the name, and
-- behind the second of one name "#2", and so on.
function File:members(id)
  if self.flat[id] then return self.flat[id] end
  local chain, list, seen = {}, {}, {}
  while id ~= 0 do
    table.insert(chain, 1, self.types[id])
    id = self.types[id].parent
  end
  for _, type in ipairs(chain) do
    for _, m in ipairs(type.members) do
      seen[m.name] = (seen[m.name] or 0) + 1
      list[#list + 1] = { name = m.name, offset = m.offset, type = m.type, flags = m.flags, of = type.id,
        key = seen[m.name] == 1 and m.name or ("%s#%d"):format(m.name, seen[m.name]) }
    end
  end
  self.flat[chain[#chain].id] = list
  return list
end

-- ---- items and patches ----------------------------------------------------------------------------------

local function read_items(file)
  local section = file:section "ITEM"
  if not section then return end
  local bytes = file:payload(section)
  for i = 0, #bytes // 12 - 1 do
    local word, offset, count = unpack("<I4I4I4", bytes, 12 * i + 1)
    file.items[i] = { number = i, type = word & 0xFFFFFF, kind = word >> 24, offset = offset, count = count }
  end
end

local function read_patches(file)
  local section = file:section "PTCH"
  if not section then return end
  local at, stop = section.offset + 8, section.offset + section.size
  while stop - at >= 4 do
    local id = unpack("<I4", file.bytes, at + 1)
    if id == 0 then return end                    -- what follows is said of other files
    if stop - at < 8 then fail(at, "PTCH: ends in a group") end
    local count = unpack("<I4", file.bytes, at + 5)
    if 4 * count > stop - at - 8 then fail(at, "PTCH: %d offsets in %d bytes", count, stop - at - 8) end
    local group = { id, {} }
    for i = 1, count do group[2][i] = unpack("<I4", file.bytes, at + 5 + 4 * i) end
    file.patches[#file.patches + 1] = group
    at = at + 8 + 4 * count
  end
end

-- ---- values ---------------------------------------------------------------------------------------------

local FLOATS = { [7] = 2, [10] = 2, [23] = 4, [52] = 8 }

local function half(word)
  local sign, exponent, mantissa = word >> 15, word >> 10 & 31, word & 1023
  local value
  if exponent == 31 then
    value = mantissa == 0 and math.huge or 0 / 0
  elseif exponent == 0 then
    value = mantissa * 2.0 ^ -24
  else
    value = (1024 + mantissa) * 2.0 ^ (exponent - 25)
  end
  return sign == 1 and -value or value
end

local function float_at(data, at, format)
  local mantissa = format >> 16 & 0xFF
  local size = FLOATS[mantissa] or fail(at, "a float of %d bits of mantissa", mantissa)
  if size == 4 then return (unpack("<f", data, at + 1)) end
  if size == 8 then return (unpack("<d", data, at + 1)) end
  local word = unpack("<I2", data, at + 1)
  if mantissa == 10 then return half(word) end
  return (unpack("<f", string.pack("<I4", word << 16)))
end

local function int_at(data, at, format)
  local bits = format >> 10
  local code = (format & 0x100 ~= 0 and ">" or "<") .. (format & 0x200 ~= 0 and "i" or "I")
  return (unpack(code .. bits // 8, data, at + 1))
end

function File:need(at, size, what)
  if at < 0 or at + size > #self.data then fail(at, "DATA: %s: %d bytes needed of %d", what, size, #self.data) end
end

function File:item_at(at, number, what)
  return self.items[number] or fail(at, "DATA: %s: item %d of %d", what, number, #self.items)
end

local function text_of(self, item)
  self:need(item.offset, item.count, "text")
  local bytes = self.data:sub(item.offset + 1, item.offset + item.count)
  return bytes:match "^[^\0]*"
end

-- Where a relative field points to, and how many elements: nil where to none.
function File:target(id, at)
  local offset, count
  if self:kind(id) == "pointer" then
    offset, count = unpack("<i8", self.data, at + 1), 1
    if offset == 0 then return nil end
  elseif self:size(id) == 8 then
    offset, count = unpack("<i4i4", self.data, at + 1)
  else
    offset, count = unpack("<i8i4", self.data, at + 1)
  end
  if count == 0 then return nil end
  if count < 0 then fail(at, "DATA: %d elements", count) end
  return at + offset, count
end

-- An array's elements; of bytes a text.
function File:list(id, at, count, depth)
  local size = self:size(id)
  if size == 0 and count > 0 then fail(at, "DATA: elements of no size: %s", self:display(id)) end
  if count * size > #self.data then fail(at, "DATA: %d elements of %d bytes", count, size) end
  self:need(at, count * size, "array")
  local list = {}
  for i = 1, count do list[i] = self:at(id, at + (i - 1) * size, depth + 1) end
  return list
end

local READ = {}

function READ.void() return nil end

function READ.opaque() return nil end

function READ:bool(id, at) return int_at(self.data, at, self:up(id, "format")) ~= 0 end

function READ:int(id, at) return int_at(self.data, at, self:up(id, "format")) end

function READ:float(id, at) return float_at(self.data, at, self:up(id, "format")) end

function READ:string(_, at)
  local number = unpack("<I4", self.data, at + 1)
  return number ~= 0 and text_of(self, self:item_at(at, number, "text"))
end

function READ:pointer(id, at)
  if not self:relative(id) then
    local number = unpack("<I4", self.data, at + 1)
    if number == 0 then return false end
    return { item = self:item_at(at, number, "pointer").number }
  end
  local target = self:target(id, at)
  if not target then return false end
  for number, item in ipairs(self.items) do
    if item.offset == target and item.kind == 0x10 then return { item = number } end
  end
  fail(at, "DATA: a pointer to 0x%x, where no object is", target)
end

function READ:record(id, at, depth)
  local value = {}
  for _, member in ipairs(self:members(id)) do
    value[member.key] = self:at(member.type, at + member.offset, depth + 1)
  end
  return value
end

function READ:array(id, at, depth)
  local inline = self:inline(id)
  if inline then return self:list(self:sub(id), at, inline, depth) end
  if self:relative(id) then
    local target, count = self:target(id, at)
    return target and self:list(self:sub(id), target, count, depth) or {}
  end
  local number = unpack("<I4", self.data, at + 1)
  if number == 0 then return {} end
  local item = self:item_at(at, number, "array")
  return self:list(self:sub(id), item.offset, item.count, depth)
end

--- What is at an offset of DATA, as a value of this type.
function File:at(id, at, depth)
  local read = READ[self:kind(id)] or fail(at, "DATA: %s is of no kind", self:display(id))
  if (depth or 0) > 40 then fail(at, "DATA: nested too deep") end
  self:need(at, self:size(id), self:display(id))
  return read(self, id, at, depth or 0)
end

--- What an item holds; see above.
function File:value(item)
  if math.type(item) == "integer" then item = self.items[item] end
  if item.kind == 0x10 then return self:at(item.type, item.offset) end
  return self:list(item.type, item.offset, item.count, 0)
end

-- ---- references -----------------------------------------------------------------------------------------

-- Fields of a value that may hold an item, in the order of the members. What no file holds is left out.
function File:fields_of(id, at, visit, depth)
  local kind = self:kind(id)
  if depth > 40 then fail(at, "DATA: nested too deep") end
  if kind == "record" then
    for _, member in ipairs(self:members(id)) do
      if member.flags & reader.HIDDEN == 0 then
        self:fields_of(member.type, at + member.offset, visit, depth + 1)
      end
    end
  elseif kind == "array" and self:inline(id) then
    local sub = self:sub(id)
    for i = 0, self:inline(id) - 1 do self:fields_of(sub, at + i * self:size(sub), visit, depth + 1) end
  elseif kind == "array" or kind == "pointer" or kind == "string" then
    self:need(at, self:size(id), self:display(id))
    if self:relative(id) then
      local target, count = self:target(id, at)
      if target then visit(at, id, nil, target, count) end
    else
      visit(at, id, (unpack("<I4", self.data, at + 1)))
    end
  end
end

--- visit(offset, type, item) for all fields of all items that may hold an item (0: none of now), in their order; of a
-- relative one visit(offset, type, nil, target, count), where it is not empty.
function File:references(visit)
  for _, item in ipairs(self.items) do self:references_of(item, visit) end
end

function File:references_of(item, visit)
  local size = self:size(item.type)
  self:need(item.offset, item.count * size, "item " .. item.number)
  if size == 0 then return end
  for i = 0, item.count - 1 do
    self:fields_of(item.type, item.offset + i * size, function(...) visit(...) end, 0)
  end
end

-- ---- files ----------------------------------------------------------------------------------------------

local function read_types(file)
  read_names(file)
  read_bodies(file)
  read_hashes(file)
  check_types(file)
end

--- All of a file; see above. Raises a text where it cannot be read.
function reader.read(bytes, other)
  local file = setmetatable({ bytes = bytes, sections = {}, by_name = {}, twice = {}, fillers = 0, types = {},
    bodies = {}, hashes = {}, items = {}, patches = {}, flat = {} }, File)
  if #bytes < 8 then fail(0, "%d bytes are no tagfile", #bytes) end
  local word, signature = unpack(">I4c4", bytes)
  if signature ~= "TAG0" and signature ~= "TCM0" then fail(4, "no tagfile: %s", signature) end
  file.total = word & 0x3FFFFFFF
  if file.total > #bytes then fail(0, "%s: size %d of %d", signature, file.total, #bytes) end
  read_sections(file, 0, file.total, 0)
  local sdk, data = file:section "SDKV", file:section "DATA"
  file.sdk = sdk and file:payload(sdk)
  file.data = data and file:payload(data) or ""
  if file:section "TCRF" then
    file.compendium = file:payload(file:section "TCRF"):gsub(".", function(c) return ("%02x"):format(c:byte()) end)
    if not other then fail(file:section("TCRF").offset, "needs compendium %s", file.compendium) end
    file.types, file.bodies, file.hashes = other.types, other.bodies, other.hashes
  else
    if not file:section "TYPE" then fail(0, "no TYPE") end
    read_types(file)
  end
  read_items(file)
  read_patches(file)
  return file
end

return reader
