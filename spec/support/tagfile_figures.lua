--- Compares tagfiles with the figures of the corpus (tagfile/*.json), and what lathe reads with what the plain reader
-- reads. lathe itself is passed in, so that this file can be tried on anything that looks like it.
--
--    for _, entry in ipairs(figures.files(pending)) do figures.container(entry.wanted, reader.read(entry.bytes)) end
--    local values = figures.values(lathe, doc, reader.read(doc:encode()))     -- every value; how many there were
--    figures.types(doc, reader.read(bytes))

local assert = require "luassert"
local helper = require "helper"
local json = require "dkjson"
local reader = require "tagfile_reader"

local figures = {}

-- ---- files ------------------------------------------------------------------------------------------------

--- The files of the corpus: { { path =, name =, bytes =, wanted = figures } }. Inside an `it`, whose `pending` it is given.
function figures.files(pending)
  local folder, list = helper.need_corpus("tagfile", pending), {}
  for i, name in ipairs(helper.list(folder, "%.hkx$")) do
    local path = folder .. "/" .. name
    local wanted = assert(json.decode(helper.read((path:gsub("%.hkx$", ".json"))), 1, nil))
    list[i] = { path = path, name = name, bytes = helper.read(path), wanted = wanted }
  end
  assert(#list > 0, folder .. " is empty")
  return list
end

-- ---- the container, as the plain reader has it ----------------------------------------------------------------

local function sections_of(file)
  local list = {}
  for i, s in ipairs(file.sections) do list[i] = { s.signature, s.offset, s.size, s.leaf } end
  return list
end

local function pairs_of(list, one, two)
  local out = {}
  for i, row in ipairs(list) do out[i] = { row[one], row[two] } end
  return out
end

--- A type as the JSON says it.
function figures.type_row(type)
  local members = {}
  for i, m in ipairs(type.members) do members[i] = { m.name, m.flags, m.offset, m.type } end
  return { id = type.id, name = type.name, templates = pairs_of(type.arguments, "name", "value"), parent = type.parent,
    opt = type.opt, format = type.format, sub = type.sub, version = type.version, size = type.size, align = type.align,
    flags = type.flags, members = members, interfaces = pairs_of(type.interfaces, "type", "offset"), hash = type.hash }
end

--- Sections, types, items and patches, against the JSON; gives how many types.
function figures.container(wanted, file)
  assert.equal(wanted.size, #file.bytes)
  assert.equal(wanted.sdkv, file.sdk)
  assert.same(wanted.sections, sections_of(file))
  assert.equal(#wanted.types, #file.types)
  for i, want in ipairs(wanted.types) do assert.same(want, figures.type_row(file.types[i])) end
  assert.equal(#wanted.items, #file.items + 1)
  for i, want in ipairs(wanted.items) do
    local item, name = file.items[i - 1], file.types[file.items[i - 1].type]
    assert.same(want, { type = item.type, typeName = name and name.name, kind = item.kind, offset = item.offset,
      count = item.count })
  end
  assert.same(wanted.patches, file.patches)
  return #file.types
end

-- ---- the root, as far as the JSON has it ----------------------------------------------------------------------

local CUT = "^%.%.%."

-- Compares a value of the JSON with what get(path …) gives. Gives how many values there were.
local function compare(want, got, where, reach)
  if type(want) == "table" and want["$type"] then
    local count = 0
    got = reach.object(got)
    assert(got, where .. " is not there")
    for key, value in pairs(want) do
      if key == "$type" then
        assert.equal(value, (reach.class(got, where):gsub("::", "")), where)
      elseif not (type(value) == "string" and value:find(CUT)) then
        count = count + compare(value, reach.member(got, key), where .. "." .. key, reach)
      end
    end
    return count
  elseif type(want) == "table" then
    local count, all = 0, #want
    if all > 0 and type(want[all]) == "string" and want[all]:find "^%.%.%. %d+ in all$" then
      assert.equal(math.tointeger(tonumber(want[all]:match "%d+")), #got, where)
      all = all - 1
    else
      assert.equal(all, #got, where)
    end
    for i = 1, all do
      if not (type(want[i]) == "string" and want[i]:find(CUT)) then
        count = count + compare(want[i], got[i], ("%s[%d]"):format(where, i), reach)
      end
    end
    return count + 1
  elseif want == nil or want == json.null then
    assert.is_false(got, where)
  elseif math.type(want) == "float" then
    assert.is_near(want, got, 1e-6 * math.max(1, math.abs(want)), where)
  else
    assert.equal(want, got, where)
  end
  return 1
end

--- The root's values, as the plain reader has them.
function figures.root_of_reader(wanted, file)
  return compare(wanted.root, file:value(1), "root", {
    object = function(value) return type(value) == "table" and value.item and file:value(value.item) or value end,
    class = function(_, where) return where == "root" and wanted.root["$type"] or figures.class_at(wanted, where) end,
    member = function(value, key) return value[key] end,
  })
end

--- The class that the JSON says, for what does not know its own.
function figures.class_at(wanted, where)
  local at = wanted.root
  for name, index in where:gmatch "%.([%w_]+)(%[?%d*%]?)" do
    at = at[name]
    if index ~= "" then at = at[tonumber(index:match "%d+")] end
  end
  return at["$type"]
end

--- … and as lathe has them.
function figures.root_of_lathe(lathe, wanted, doc)
  return compare(wanted.root, doc.root, "root", {
    object = function(value) return value end,
    class = function(value) return lathe.type(value) end,
    member = function(value, key) return value[figures.snake_case(key)] end,
  })
end

-- ---- names ------------------------------------------------------------------------------------------------

--- numberOfTransformTracks -> number_of_transform_tracks; m_data stays. A capital begins a word behind a small letter or a
-- digit, and in front of a small letter.
function figures.snake_case(name)
  local out = {}
  for i = 1, #name do
    local c, before, after = name:sub(i, i), name:sub(i - 1, i - 1), name:sub(i + 1, i + 1)
    if c:find "%u" and i > 1 and (before:find "[%l%d]" or before:find "%u" and after:find "%l") then out[#out + 1] = "_" end
    out[#out + 1] = c:find "%w" and c:lower() or "_"
  end
  local text = table.concat(out)
  return text:find "^%d" and "_" .. text or text
end

-- Members of a record in lathe's order, with lathe's names: parents first, by offset, clashes numbered.
local function named_members(file, id)
  local chain, list, seen = {}, {}, {}
  while id ~= 0 do
    table.insert(chain, 1, file.types[id])
    id = file.types[id].parent
  end
  for _, type in ipairs(chain) do
    local own = {}
    for i, m in ipairs(type.members) do own[i] = { member = m, i = i } end
    table.sort(own, function(a, b)
      if a.member.offset ~= b.member.offset then return a.member.offset < b.member.offset end
      return a.i < b.i
    end)
    for _, row in ipairs(own) do
      if file:size(row.member.type) > 0 then
        local wanted = figures.snake_case(row.member.name)
        local name, k = wanted, 2
        while seen[name] do name, k = ("%s_%d"):format(wanted, k), k + 1 end
        seen[name] = true
        list[#list + 1] = { name = name, member = row.member }
      end
    end
  end
  return list
end

-- ---- every value ------------------------------------------------------------------------------------------

local Walk = {}
Walk.__index = Walk

local function text_of(value)
  return math.type(value) == "float" and string.pack("<d", value) or value
end

function Walk:plain(id, at, holder, key, where)
  local want, got = self.file:at(id, at), holder[key]
  if text_of(want) ~= text_of(got) or type(want) ~= type(got) then
    error(("%s: %s instead of %s"):format(where, tostring(got), tostring(want)), 0)
  end
  self.count = self.count + 1
  if self.visit and self.file:kind(id) ~= "string" then self.visit(holder, key, id, at, where) end
end

function Walk:record(id, at, view, where)
  for _, row in ipairs(named_members(self.file, id)) do
    local m = row.member
    local kind = self.file:kind(m.type)
    local scalar = kind == "int" or kind == "bool" or kind == "float"
    if m.flags & reader.HIDDEN == 0 or scalar then
      self:value(m.type, at + m.offset, view, row.name, where .. "." .. row.name)
    end
  end
end

local LANES = { "x", "y", "z", "w" }

function Walk:list(id, at, count, got, where)
  local size = self.file:size(id)
  local kind = self.file:kind(id)
  assert(#got == count, ("%s: %d elements instead of %d"):format(where, #got, count))
  for i = 1, count do
    local name, nested = ("%s[%d]"):format(where, i), kind == "array" and self:shown(id) == "list"
    self:value(id, at + (i - 1) * size, nested and got[i] or got, nested and "elements" or i, name)
  end
end

-- What an array in line is shown as: two to four numbers as a "vector", one that names its parts as a "record".
function Walk:shown(id)
  local n, file = self.file:inline(id), self.file
  if not n or file.types[id].name == "T[N]" then return "list" end
  if n >= 2 and n <= 4 and file:kind(file:sub(id)) == "float" then return "vector" end
  return #named_members(file, id) > 0 and "record" or "list"
end

function Walk:array(id, at, got, where)
  local file, sub, shown = self.file, self.file:sub(id), self:shown(id)
  if shown == "vector" then
    for i = 1, file:inline(id) do
      self:value(sub, at + (i - 1) * file:size(sub), got, LANES[i], where .. "." .. LANES[i])
    end
  elseif shown == "record" then
    self:record(id, at, got, where)
  elseif file:inline(id) then
    self:list(sub, at, file:inline(id), got, where)
  elseif file:relative(id) then
    local target, count = file:target(id, at)
    self:list(sub, target or 0, count or 0, got, where)
  else
    local number = string.unpack("<I4", file.data, at + 1)
    self:list(sub, file.items[number].offset, file.items[number].count, got, where)
  end
end

function Walk:pointer(id, at, got, where)
  local want = self.file:at(id, at)
  if not want then
    assert(got == false, where .. ": something, where nothing is")
  else
    local object = self.doc.objects[self.number_of[want.item]]
    assert(got == object, ("%s: %s instead of item %d"):format(where, tostring(got), want.item))
  end
  self.count = self.count + 1
end

-- The value that a view has by that name, or a list at that place.
function Walk:value(id, at, holder, key, where)
  local kind = self.file:kind(id)
  if kind == "record" then
    self:record(id, at, holder[key], where)
  elseif kind == "array" then
    self:array(id, at, holder[key], where)
  elseif kind == "pointer" then
    self:pointer(id, at, holder[key], where)
  elseif kind ~= "void" and kind ~= "opaque" then
    self:plain(id, at, holder, key, where)
  end
end

--- Items that are objects, in the order of their places: doc.objects[i] is the i-th.
function figures.objects_of(file)
  local list = {}
  for _, item in ipairs(file.items) do
    if item.kind == 0x10 then list[#list + 1] = item end
  end
  table.sort(list, function(a, b) return a.offset < b.offset end)
  return list
end

--- All values of all objects, against the plain reader's; gives how many values and objects there were.
-- visit(holder, key, type, offset, where): called for each number and boolean, which is holder[key].
function figures.values(lathe, doc, file, visit)
  local objects, number_of = figures.objects_of(file), {}
  assert.equal(#objects, #doc.objects)
  for i, item in ipairs(objects) do number_of[item.number] = i end
  local walk = setmetatable({ file = file, doc = doc, number_of = number_of, count = 0, visit = visit }, Walk)
  for i, item in ipairs(objects) do
    local view = doc.objects[i]
    assert.equal(file:display(item.type), lathe.type(view))
    walk:record(item.type, item.offset, view, ("objects[%d]"):format(i))
  end
  assert(objects[1] == nil or doc.root == doc.objects[number_of[1]], "the root is another object")
  return walk.count, #objects
end

--- Items and patches, as lathe has them.
function figures.index(doc, file)
  local items, groups = doc.item_section.items, doc.patch_section.groups
  assert.equal(#file.items + 1, #items)
  for i = 0, #file.items do
    local want, got = file.items[i], items[i + 1]
    assert.same({ want.type, want.kind, want.offset, want.count }, { got.type, got.kind, got.offset, got.count })
  end
  assert.equal(#file.patches, #groups)
  for i, want in ipairs(file.patches) do
    local offsets = {}
    for k = 1, #groups[i].offsets do offsets[k] = groups[i].offsets[k] end
    assert.same(want, { groups[i].type, offsets })
  end
end

-- Members, properties, interfaces as plain rows; an empty list where lathe has none.
local function rows_of(list, ...)
  local out, keys = {}, { ... }
  for i = 1, list and #list or 0 do
    out[i] = {}
    for _, key in ipairs(keys) do out[i][key] = list[i][key] end
  end
  return out
end

local SAME = { "name", "parent", "format", "version", "size", "flags", "attribute", "hash" }
local CALLED = { sub = "sub_type", align = "alignment", mutable = "mutable_info" }

-- A type has a parent where it has a body, and what it does not say itself is nil.
local function said(want)
  local out = { parent = want.body_at and want.parent or nil }
  for _, key in ipairs(SAME) do out[key] = out[key] or key ~= "parent" and want[key] or nil end
  for key, field in pairs(CALLED) do out[field] = want[key] end
  return out
end

--- Types as lathe has them, by their numbers.
function figures.types(doc, file)
  assert.equal(#file.types, #doc.types)
  local hashes = {}
  for i, row in ipairs(file.hashes) do hashes[row[1]] = i end
  for id, want in ipairs(file.types) do
    local got, label = doc.types[id], ("types[%d], %s"):format(id, want.name)
    for field, value in pairs(said(want)) do assert.equal(value, got[field], label .. ": " .. field) end
    for _, field in ipairs { "format", "version", "size", "flags", "attribute", "hash", "sub_type", "alignment",
      "mutable_info" } do
      if said(want)[field] == nil then assert.is_nil(got[field], label .. ": " .. field) end
    end
    assert.same({ file:display(id), hashes[id] }, { got.full_name, got.hash_number })
    for _, list in ipairs { "members", "properties" } do
      assert.same(rows_of(want[list], "name", "flags", "extra", "offset", "type"),
        rows_of(got[list], "name", "flags", "extra", "offset", "type"), label)
    end
    assert.same(rows_of(want.interfaces, "type", "offset"), rows_of(got.interfaces, "type", "offset"), label)
    assert.same(want.arguments, rows_of(got.arguments, "name", "value"), label)
  end
  return #file.types
end

return figures
