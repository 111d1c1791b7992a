--- Writes tagfiles from plain tables by the rules of formats/havok-tagfile.md: nothing of lathe is in it, and whatever
-- it is told to write wrong it writes wrong. sample_tagfile has types and files made with it.
--
-- A type is a table: name, arguments = { { "tT", type }, { "vN", 3 } }, parent, format, sub, version, size, align, flags,
-- members = { { name, type, offset, flags =, extra = } }, properties (the same), interfaces = { { type, offset } },
-- attribute = text, mutable, hash; bare = true: it has no body; told = size that TBOD has instead of its own.
-- A type's number is its place in the list.
-- An object is { type =, values = { member = value } }; a pointer is an object or false, a text a string or false, an array
-- a list. What is not said is zero. The second of two members of one name is "name#2".
--
--    writer.build {
--      types = list, char = type of texts, root = object,
--      sdk = "20150100", new_names = true (TST1 …), padding = "\xFF", width = least bytes of packed numbers,
--      fillers = packed zeros between bodies, hash_all = true, no_patches = true, backwards = true (items and DATA in
--      another order), apart = true (objects in front of all else), lead = bytes in front of DATA's first item,
--      compendium = id of 8 bytes (instead of TYPE),
--      payload = { ITEM = function(bytes) return bytes end, … }, tree = function(sections) … end,
--      items = function(list) … end, patches = function(groups) … end,
--    }

local writer = {}

local pack = string.pack

-- ---- packed numbers -------------------------------------------------------------------------------------

local WIDTHS = {                                  -- bytes, bits, first byte
  { 1, 7, 0x00 }, { 2, 14, 0x80 }, { 3, 21, 0xC0 }, { 4, 27, 0xE0 }, { 5, 35, 0xE8 }, { 6, 40, 0xF8 }, { 8, 59, 0xF0 },
  { 9, 64, 0xF9 },
}

--- A packed number of at least so many bytes.
function writer.packed(value, least)
  for _, row in ipairs(WIDTHS) do
    local width, bits, first = row[1], row[2], row[3]
    if width >= (least or 1) and (bits == 64 or value >> bits == 0) then
      local bytes = width == 9 and pack(">I8", value) or pack(">I8", value):sub(-width)
      if width == 9 then return string.char(first) .. bytes end
      return string.char(bytes:byte() | first) .. bytes:sub(2)
    end
  end
end

-- ---- what types say -------------------------------------------------------------------------------------

local function up(type, key)
  while type do
    if type[key] then return type[key] end
    type = type.parent
  end
end

local function kind_of(type) return (up(type, "format") or 0) & 0x1F end

local function size_of(type) return up(type, "size") or 0 end

local function is_relative(type) return (up(type, "flags") or 0) & 0x2000 ~= 0 end

local function members_of(type)
  local list, seen = type.parent and members_of(type.parent) or {}, {}
  for _, row in ipairs(list) do seen[row.name] = (seen[row.name] or 0) + 1 end
  for _, m in ipairs(type.members or {}) do
    seen[m[1]] = (seen[m[1]] or 0) + 1
    list[#list + 1] = { name = m[1], type = m[2], offset = m[3], flags = m.flags or 0x20,
      key = seen[m[1]] == 1 and m[1] or ("%s#%d"):format(m[1], seen[m[1]]) }
  end
  return list
end

-- ---- values ---------------------------------------------------------------------------------------------
-- A node becomes an item: { kind, type, count, bytes = { piece, … }, refs }. What it refers to are nodes.

local Maker = {}
Maker.__index = Maker

function Maker:node(kind, type, count, fill)
  local node = { kind = kind, type = type, count = count, pieces = {}, refs = {}, size = count * size_of(type) }
  node.fill = fill
  self.nodes[#self.nodes + 1] = node
  return node
end

function Maker:object(object)
  if not self.of[object] then
    self.of[object] = self:node(0x10, object.type, 1, function(node)
      self:value(node, object.type, 0, object.values, false)
    end)
  end
  return self.of[object]
end

function Maker:text(text)
  return self:node(0x20, self.char, #text + 1, function(node) node.pieces[1] = { 0, text .. "\0" } end)
end

function Maker:array(type, list)
  return self:node(0x20, type, #list, function(node)
    for i, value in ipairs(list) do
      self.field = 0
      self:value(node, type, (i - 1) * size_of(type), value, false)
    end
  end)
end

local FLOATS = { [23] = "<f", [52] = "<d" }

local function float_bytes(format, value)
  local mantissa = format >> 16 & 0xFF
  if FLOATS[mantissa] then return pack(FLOATS[mantissa], value) end
  if mantissa == 7 then return pack("<f", value):sub(3) end
  local sign, e = value < 0 and 0x8000 or 0, 15   -- halves that are normal numbers, or zero
  value = math.abs(value)
  if value == 0 then return pack("<I2", sign) end
  while value >= 2 do value, e = value / 2, e + 1 end
  while value < 1 do value, e = value * 2, e - 1 end
  return pack("<I2", sign | e << 10 | math.tointeger((value - 1) * 1024))
end

local function int_bytes(format, value)
  local code = (format & 0x100 ~= 0 and ">" or "<") .. (format & 0x200 ~= 0 and "i" or "I")
  return pack(code .. (format >> 10) // 8, value)
end

-- A field that leads to another node; the place of it among its like gives the order of the items.
function Maker:reference(node, type, at, target)
  self.field = (self.field or 0) + 1
  if not target then return end
  node.refs[#node.refs + 1] = { at = at, type = type, target = target, field = self.field, order = #node.refs }
end

function Maker:record(node, type, at, value, hidden)
  if self.depth > 20 then return end              -- a record in itself
  self.depth = self.depth + 1
  for _, m in ipairs(members_of(type)) do
    local own = value and value[m.key]
    self:value(node, m.type, at + m.offset, own, hidden or m.flags & 1 ~= 0)
  end
  self.depth = self.depth - 1
end

function Maker:value(node, type, at, value, hidden)
  local kind, format = kind_of(type), up(type, "format")
  if kind == 7 then
    self:record(node, type, at, value, hidden)
  elseif kind == 8 and format & 0x20 ~= 0 then
    local size = size_of(type.sub or up(type, "sub"))
    for i = 1, format >> 8 do
      self:value(node, up(type, "sub"), at + (i - 1) * size, value and value[i], hidden)
    end
  elseif kind == 8 then
    if not hidden then self:reference(node, type, at, value and #value > 0 and self:array(up(type, "sub"), value)) end
  elseif kind == 6 then
    if not hidden then self:reference(node, type, at, value and self:object(value)) end
  elseif kind == 3 then
    if not hidden then self:reference(node, type, at, value and self:text(value)) end
  elseif value then
    local bytes = kind == 2 and int_bytes(format, 1) or kind == 4 and int_bytes(format, value)
    node.pieces[#node.pieces + 1] = { at, bytes or float_bytes(format, value) }
  end
end

local CATEGORY = { [6] = 1, [8] = 1, [3] = 2 }        -- by kind: texts come last

-- All nodes in the order in which the SDK numbers them: see tagfile_judge.
local function number_nodes(maker, root)
  local order, own, objects = {}, {}, { maker:object(root) }
  order[1] = objects[1]
  objects[1].owner = objects[1]
  while own[1] or objects[1] do
    local node = table.remove(own[1] and own or objects, 1)
    maker.field = 0
    node.fill(node)
    table.sort(node.refs, function(a, b)
      local one, two = CATEGORY[kind_of(a.type)], CATEGORY[kind_of(b.type)]
      if one ~= two then return one < two end
      if a.field ~= b.field then return a.field < b.field end
      return a.order < b.order
    end)
    for _, ref in ipairs(node.refs) do
      local target = ref.target
      if not target.owner then
        order[#order + 1] = target
        target.owner = target.kind == 0x10 and target or node.owner
        local queue = target.kind == 0x10 and objects or own
        queue[#queue + 1] = target
      end
    end
  end
  return order
end

local function up_to(offset, to) return (offset + to - 1) // to * to end

local function alignment(maker, node)
  if node.kind == 0x20 and node.type == maker.char then return 2 end
  local align = math.max(1, (up(node.type, "align") or 1) & 0xFFF)
  return node.kind == 0x20 and math.max(16, align) or align
end

-- Gives every node its place, and DATA its length.
local function place_nodes(maker, order, spec)
  local heads, of, at, late = {}, {}, spec.lead or 0, {}
  local backwards = spec.backwards
  for i, node in ipairs(order) do
    node.number = i
    if node.kind == 0x10 then heads[#heads + 1], of[node] = node, {} end
  end
  if backwards then                               -- the root and its own last in ITEM, too, but for the root
    for i = 2, #order do order[i].number = #order + 2 - i end
    for i = 2, (#heads + 2) // 2 do heads[i], heads[#heads + 2 - i] = heads[#heads + 2 - i], heads[i] end
  end
  for _, node in ipairs(order) do
    if node.kind ~= 0x10 then table.insert(of[node.owner], node) end
  end
  local function place(node)
    node.at = up_to(at, alignment(maker, node))
    at = node.at + node.size
  end
  for _, head in ipairs(heads) do
    place(head)
    for _, node in ipairs(of[head]) do
      if spec.apart then
        late[#late + 1] = node
      else
        place(node)
      end
    end
  end
  for _, node in ipairs(late) do place(node) end
  table.sort(order, function(a, b) return a.number < b.number end)
  return up_to(at, 16)
end

local function put(list, at, bytes)
  if #bytes > 0 then list[#list + 1] = { at, bytes, #list } end
end

local function reference_bytes(ref, from)
  local target = ref.target
  if not is_relative(ref.type) then return pack("<I8", target.number) end
  if kind_of(ref.type) == 6 then return pack("<i8", target.at - from) end
  if size_of(ref.type) == 8 then return pack("<i4i4", target.at - from, target.count) end
  return pack("<i8i4i4", target.at - from, target.count, 0)
end

-- DATA's bytes, and patches by the type's number.
local function data_of(order, length, ids)
  local list, groups = {}, {}
  for _, node in ipairs(order) do
    for _, piece in ipairs(node.pieces) do put(list, node.at + piece[1], piece[2]) end
    for _, ref in ipairs(node.refs) do
      local at = node.at + ref.at
      put(list, at, reference_bytes(ref, at))
      if not is_relative(ref.type) then
        local id = ids[ref.type]
        groups[id] = groups[id] or {}
        table.insert(groups[id], at)
      end
    end
  end
  table.sort(list, function(a, b) return a[1] < b[1] end)
  local out, at = {}, 0
  for _, piece in ipairs(list) do
    out[#out + 1] = ("\0"):rep(piece[1] - at)
    out[#out + 1] = piece[2]
    at = piece[1] + #piece[2]
  end
  out[#out + 1] = ("\0"):rep(length - at)
  local patches = {}
  for id, offsets in pairs(groups) do
    table.sort(offsets)
    patches[#patches + 1] = { id, offsets }
  end
  table.sort(patches, function(a, b) return a[1] < b[1] end)
  return table.concat(out), patches
end

-- ---- TYPE -----------------------------------------------------------------------------------------------

-- Strings by number, in the order of first use.
local function strings()
  local list, number = {}, {}
  return list, function(text)
    if not number[text] then
      number[text], list[#list + 1] = #list, text
    end
    return number[text]
  end
end

local function table_bytes(list, padding)
  local bytes = #list > 0 and table.concat(list, "\0") .. "\0" or ""
  return bytes .. padding:rep(-#bytes % 4)
end

local function options_of(type)
  local opt = 0
  for bit, key in pairs { [0x01] = "format", [0x02] = "sub", [0x04] = "version", [0x08] = "size", [0x10] = "flags",
    [0x20] = "members", [0x40] = "interfaces", [0x80] = "attribute", [0x100] = "mutable" } do
    if type[key] then opt = opt | bit end
  end
  return type.opt or opt
end

local function body_of(type, n, id, field, attribute)
  local out = { n(id(type)), n(id(type.parent)), n(options_of(type)) }
  local function add(...)
    for _, value in ipairs { ... } do out[#out + 1] = n(value) end
  end
  local function member(m)
    add(field(m[1]), m.flags or 0x20)
    if (m.flags or 0x20) & 0x80 ~= 0 then add(m.extra) end
    add(m[3], id(m[2]))
  end
  if type.format then add(type.format) end
  if type.sub then add(id(type.sub)) end
  if type.version then add(type.version) end
  if type.size then add(type.told or type.size, type.align) end
  if type.flags then add(type.flags) end
  if type.members then
    local properties = type.properties or {}
    add(type.count or #type.members | #properties << 16)
    for _, m in ipairs(type.members) do member(m) end
    for _, m in ipairs(properties) do member(m) end
  end
  if type.interfaces then
    add(#type.interfaces)
    for _, row in ipairs(type.interfaces) do add(id(row[1]), row[2]) end
  end
  if type.attribute then add(attribute(type.attribute)) end
  if type.mutable then add(type.mutable) end
  return table.concat(out)
end

local function padded(bytes) return bytes .. ("\0"):rep(-#bytes % 4) end

local function names_of(spec, n, id, text)
  local out = { n(#spec.types + 1) }
  for _, type in ipairs(spec.types) do
    local arguments = type.arguments or {}
    out[#out + 1] = n(text(type.name)) .. n(#arguments)
    for _, row in ipairs(arguments) do
      local value = row[1]:sub(1, 1) == "t" and id(row[2]) or row[2]
      out[#out + 1] = n(text(row[1])) .. n(value)
    end
  end
  return padded(table.concat(out))
end

local function hashes_of(spec, n, id, order)
  local out, count, seen = {}, 0, {}
  local function add(type)
    if type.hash and not seen[type] then
      count, seen[type] = count + 1, true
      out[#out + 1] = n(id(type)) .. pack("<I4", type.hash)
    end
  end
  for _, node in ipairs(order) do add(node.type) end
  for _, type in ipairs(spec.hash_all and spec.types or {}) do add(type) end
  return padded(n(count) .. table.concat(out))
end

local function type_sections(spec, ids, order)
  local function n(value) return writer.packed(value, spec.width) end
  local function id(type) return type and (math.type(type) == "integer" and type or assert(ids[type], type.name)) or 0 end
  local texts, text = strings()
  local fields, field = strings()
  local attributes, attribute = strings()
  local names = names_of(spec, n, id, text)
  local bodies = {}
  for _, type in ipairs(spec.types) do
    if not type.bare then
      bodies[#bodies + 1] = body_of(type, n, id, field, attribute) .. ("\0"):rep(spec.fillers or 0)
    end
  end
  local old, padding = not spec.new_names, spec.padding or "\0"
  local list = {
    { "TPTR", ("\0"):rep(8 * (#spec.types + 1)) },
    { old and "TSTR" or "TST1", table_bytes(texts, padding) },
    { old and "TNAM" or "TNA1", names },
    { old and "FSTR" or "FST1", table_bytes(fields, padding) },
    { old and "TBOD" or "TBDY", padded(table.concat(bodies)) },
    { "THSH", hashes_of(spec, n, id, order) },
    { "TPAD", "" },
  }
  if #attributes > 0 then table.insert(list, 5, { old and "ASTR" or "AST1", table_bytes(attributes, padding) }) end
  return list
end

-- ---- sections -------------------------------------------------------------------------------------------

--- A section { name, payload or list, size = instead of its own, leaf = instead of what it is } in bytes; a text stands for
-- itself.
function writer.section(section, payloads)
  if type(section) == "string" then return section end
  local name, payload, leaf = section[1], section[2], 1
  if type(payload) == "table" then
    local parts = {}
    for i, part in ipairs(payload) do parts[i] = writer.section(part, payloads) end
    payload, leaf = table.concat(parts), 0
  end
  if payloads and payloads[name] then payload = payloads[name](payload) end
  return pack(">I4c4", (section.leaf or leaf) << 30 | (section.size or #payload + 8), name) .. payload
end

local function items_of(spec, order, ids)
  local list = { { 0, 0, 0, 0 } }
  for i, node in ipairs(order) do
    list[i + 1] = { ids[node.type] or node.type.number or 0, node.kind, node.at, node.count }
  end
  if spec.items then spec.items(list) end
  local out = {}
  for i, row in ipairs(list) do out[i] = pack("<I4I4I4", row[1] | row[2] << 24, row[3], row[4]) end
  return table.concat(out)
end

local function patches_of(spec, groups)
  if spec.patches then spec.patches(groups) end
  local out = {}
  for i, group in ipairs(groups) do
    out[i] = pack("<I4I4", group[1], group.count or #group[2])
    for _, offset in ipairs(group[2]) do out[i] = out[i] .. pack("<I4", offset) end
  end
  return table.concat(out)
end

local function ids_of(types)
  local ids = {}
  for i, type in ipairs(types) do ids[type] = i end
  return ids
end

--- A file; see above.
function writer.build(spec)
  local ids = ids_of(spec.types)
  local maker = setmetatable({ nodes = {}, of = {}, char = spec.char, depth = 0 }, Maker)
  local order = number_nodes(maker, spec.root)
  local length = place_nodes(maker, order, spec)
  local data, groups = data_of(order, length, ids)
  local index = { { "ITEM", items_of(spec, order, ids) } }
  if not spec.no_patches then index[2] = { "PTCH", patches_of(spec, groups) } end
  local types = spec.compendium and { "TCRF", spec.compendium } or { "TYPE", type_sections(spec, ids, order) }
  local tree = { "TAG0", { { "SDKV", spec.sdk or "20150100" }, { "DATA", data }, types, { "INDX", index } } }
  if spec.tree then spec.tree(tree) end
  return writer.section(tree, spec.payload)
end

--- The types alone, for files that name the compendium by its id of 8 bytes.
function writer.compendium(spec, ...)
  local types = { "TYPE", type_sections(spec, ids_of(spec.types), {}) }
  return writer.section({ "TCM0", { { "TCID", table.concat { ... } }, types } }, spec.payload)
end

return writer
