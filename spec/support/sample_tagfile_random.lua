--- Tagfiles of random classes: members of any kind, order and place, parents, aliases, lists of lists, with offsets or with
-- numbers of items, and objects of them with random values.
--
--    local bytes = sample_tagfile_random(seed)      -- the same for each seed

local sample = require "sample_tagfile"

local random = math.random

local NUMBERS = { "byte", "ubyte", "short", "ushort", "int", "uint", "long", "float", "half", "upper", "double", "bool",
  "big" }

local function up(type, key)
  while type do
    if type[key] then return type[key] end
    type = type.parent
  end
end

local function pick(list) return list[random(#list)] end

local function alignment(type) return math.max(1, up(type, "align") & 0xFFF) end

local Maker = {}
Maker.__index = Maker

-- A type of a member; deeper ones are plainer.
function Maker:type(depth)
  local l, kind = self.library, random(10)
  if kind <= 4 or depth == 3 then return l:number(pick(NUMBERS)) end
  if kind == 5 then return l:number "text" end
  if kind == 6 then
    return self.relative and random(2) == 1 and l:relative_pointer(self.base) or l:pointer(self.base)
  elseif kind == 7 then
    local of = self:type(depth + 1)
    if not self.relative or random(2) == 1 then return l:array(of) end
    return random(2) == 1 and l:relative(of) or l:view(of)
  elseif kind == 8 and #self.records > 0 then
    return pick(self.records)
  elseif kind == 9 then
    local of = self:type(depth + 1)
    local list = l:inline(of, random(4))
    list.align = alignment(of)
    return list
  elseif random(2) == 1 then
    return l:alias("Alias" .. #l.types, self:type(depth + 1))
  end
  return l:vector("Vector" .. #l.types, pick { 2, 3, 4, 12, 16 })
end

local function shuffle(list)
  for i = #list, 2, -1 do
    local k = random(i)
    list[i], list[k] = list[k], list[i]
  end
end

function Maker:record(name, parent)
  local at, align, members = parent and parent.size or 0, parent and parent.align or 1, {}
  for i = 1, random(0, 7) do
    local type = self:type(0)
    local to = alignment(type)
    at = (at + to - 1) // to * to
    members[i] = { "m" .. name .. i, type, at }
    at, align = at + up(type, "size"), math.max(align, to)
    if random(5) == 1 then at = at + random(9) end
  end
  if random(3) == 1 then shuffle(members) end
  local size = math.max(1, (at + align - 1) // align * align)
  return self.library:record(name, size, members, { parent = parent, align = align })
end

function Maker:list(type, count, depth)
  local list = {}
  for i = 1, count do list[i] = self:value(type, depth + 1) end
  return list
end

function Maker:fill(type, values)
  if type.parent then self:fill(type.parent, values) end
  for _, member in ipairs(type.members or {}) do
    if random(8) > 1 then values[member[1]] = self:value(member[2], 0) end
  end
  return values
end

function Maker:value(type, depth)
  local format = up(type, "format")
  local kind = format & 31
  if kind == 7 then return self:fill(type, {}) end
  if kind == 8 and format & 0x20 ~= 0 then return self:list(up(type, "sub"), format >> 8, depth) end
  if kind == 8 then return self:list(up(type, "sub"), random(0, depth > 2 and 1 or 3), depth) end
  if kind == 6 then return random(3) > 1 and pick(self.objects) end
  if kind == 3 then return random(3) > 1 and ("t"):rep(random(0, 9)) end
  if kind == 2 then return random(2) == 1 end
  if kind == 5 then return pick { 0.0, 1.0, -2.5, 0.5 } end
  local bits = format >> 10
  if format & 0x200 ~= 0 then return random(-(1 << bits - 2), 1 << bits - 2) end
  return random(0, (1 << bits - 1) - 1)
end

return function(seed)
  math.randomseed(seed)
  local maker = setmetatable({ library = sample.library "r", records = {}, objects = {} }, Maker)
  maker.relative = random(3) == 1
  maker.base = maker.library:record("Base", 8 * random(2), {})
  for i = 1, random(0, 3) do maker.records[i] = maker:record("Record" .. i) end
  local classes = {}
  for i = 1, random(4) do
    classes[i] = maker:record("Class" .. i, i > 1 and random(3) == 1 and pick(classes) or maker.base)
  end
  for i = 1, random(8) do maker.objects[i] = sample.object(pick(classes), {}) end
  for _, object in ipairs(maker.objects) do maker:fill(object.type, object.values) end
  return sample.build(maker.library, maker.objects[1], { new_names = random(2) == 1,
    padding = random(2) == 1 and "\xFF" or nil, width = random(3) == 1 and random(9) or nil, fillers = random(0, 2) })
end
