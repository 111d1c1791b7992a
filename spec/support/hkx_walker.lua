--- Walks packfiles by the reference's tables of all classes (formats/havok-classes-*.json), in plain Lua: nothing here
-- comes from the core. Every fixup must be used by exactly one member, pointers must lead to objects of the member's
-- class or of one derived from it, and no two pieces of data may overlap.
--
--    local walker = require "hkx_walker"
--    local tables = walker.tables(folder, "skyrim")   -- nil where the files are missing
--    walker.walk(bytes, tables)                       -- raises a text; else the number of objects and of members
--    walker.floats(bytes, tables)                     -- of each object its class, and all of its floats

local json = require "dkjson"
local reader = require "hkx_reader"

local walker = {}

local SIZES = {
  BOOL = 1, CHAR = 1, INT8 = 1, UINT8 = 1, INT16 = 2, UINT16 = 2, HALF = 2, INT32 = 4, UINT32 = 4, REAL = 4,
  INT64 = 8, UINT64 = 8, VECTOR4 = 16, QUATERNION = 16, MATRIX3 = 48, ROTATION = 48, QSTRANSFORM = 48, MATRIX4 = 64,
  TRANSFORM = 64, RELARRAY = 4,
}
local POINTERS = { ULONG = 1, POINTER = 1, FUNCTIONPOINTER = 1, CSTRING = 1, STRINGPTR = 1 }
local TEXTS = { CSTRING = true, STRINGPTR = true }

local loaded = {}

--- The classes of a game, "skyrim" or "fallout4", by name.
function walker.tables(folder, game)
  local path = ("%s/havok-classes-%s.json"):format(folder, game)
  if loaded[path] then return loaded[path] end
  local f <close> = io.open(path, "rb")
  if not f then return nil end
  local by_name = {}
  for _, class in ipairs(assert(json.decode(f:read("a"))).classes) do
    class.ignored = {}
    for _, m in ipairs(class.members) do
      for _, flag in ipairs(m.f or {}) do
        if flag == "SERIALIZE_IGNORED" then class.ignored[m] = true end
      end
    end
    by_name[class.name] = class
  end
  loaded[path] = by_name
  return by_name
end

local Walk = {}
Walk.__index = Walk

local function fail(at, ...)
  error(("data 0x%x: %s"):format(at, string.format(...)), 0)
end

-- Bytes of the data that something takes.
function Walk:claim(at, size, what)
  if size > 0 then self.claims[#self.claims + 1] = { at = at, size = size, what = what } end
end

-- Where the pointer at `at` leads, in one of the tables; each record is used once.
function Walk:use(at, object)
  local list = object and self.globals or self.locals
  local target = list[at]
  if target == nil then return nil end
  if self.used[at] then fail(at, "used by two members") end
  self.used[at] = true
  return target
end

function Walk:u32(at)
  return (string.unpack(self.endian .. "I4", self.bytes, self.start + at + 1))
end

function Walk:size_of(kind, class)
  if kind == "STRUCT" then return self.classes[class].size[self.column] end
  if POINTERS[kind] then return self.pointer end
  return assert(SIZES[kind], kind)
end

function Walk:derives(class, base)
  while class and class ~= base do class = self.classes[class].parent end
  return class == base
end

function Walk:object(at, member, label)
  local target = self:use(at, true)
  if target and member.c and not self:derives(target.class, member.c) then
    fail(at, "%s: %s is not derived from %s", label, target.class, member.c)
  end
end

function Walk:text(at, label)
  local target = self:use(at, false)
  if not target then return end
  local stop = self.bytes:find("\0", self.start + target + 1, true)
  if not stop or stop > self.stop then fail(at, "%s: a text without an end", label) end
  self:claim(target, stop - self.start - target, label)
end

function Walk:element(at, member, label, class)
  self.members = self.members + 1
  if self.visit then self:visit(at, member, label, class, member.s) end
  if member.s == "STRUCT" then
    self:record(at, member.c, label)
  elseif member.s == "POINTER" then
    self:object(at, member, label)
  elseif TEXTS[member.s] then
    self:text(at, label)
  end
end

function Walk:array(at, member, label, class)
  local count = self:u32(at + self.pointer)
  if member.t == "ARRAY" and self:u32(at + self.pointer + 4) ~= count | 0x80000000 then
    fail(at, "%s: a capacity of 0x%x for %d", label, self:u32(at + self.pointer + 4), count)
  end
  local target = self:use(at, false)
  if (target ~= nil) ~= (count > 0) then fail(at, "%s: %d elements, and a pointer %s", label, count, target) end
  if count == 0 then return end
  local size = self:size_of(member.s, member.c)
  self:claim(target, size * count, label)
  for i = 0, count - 1 do self:element(target + i * size, member, ("%s[%d]"):format(label, i + 1), class) end
end

function Walk:relative(at, member, label)
  local count, off = string.unpack(self.endian .. "I2I2", self.bytes, self.start + at + 1)
  local size = self:size_of(member.s, member.c)
  if count > 0 then self:claim(at + off, size * count, label) end
end

function Walk:member(at, member, label, class)
  self.members = self.members + 1
  if self.visit then self:visit(at, member, label, class, member.t) end
  if member.t == "ARRAY" or member.t == "SIMPLEARRAY" then
    self:array(at, member, label, class)
  elseif member.t == "RELARRAY" then
    self:relative(at, member, label)
  elseif member.t == "STRUCT" then
    local size = self:size_of("STRUCT", member.c)
    for i = 0, (member.k or 1) - 1 do self:record(at + i * size, member.c, label) end
  elseif member.t == "POINTER" or TEXTS[member.t] then
    for i = 0, (member.k or 1) - 1 do
      local site = at + i * self.pointer
      if member.t == "POINTER" then self:object(site, member, label) else self:text(site, label) end
    end
  elseif member.t == "VARIANT" then
    fail(at, "%s: a variant", label)
  end
end

function Walk:record(at, name, label)
  local class = self.classes[name]
  if class.parent then self:record(at, class.parent, label) end
  for _, m in ipairs(class.members) do
    if not class.ignored[m] then self:member(at + m.o[self.column], m, label .. "." .. m.n, class) end
  end
end

function Walk:check_used()
  for _, list in ipairs { self.locals, self.globals } do
    for at in pairs(list) do
      if not self.used[at] then fail(at, "a fixup that no member uses") end
    end
  end
end

function Walk:check_overlap()
  table.sort(self.claims, function(a, b) return a.at < b.at end)
  local stop, before = 0, nil
  for _, claim in ipairs(self.claims) do
    if claim.at < stop then fail(claim.at, "%s overlaps %s", claim.what, before.what) end
    stop, before = claim.at + claim.size, claim
  end
end

-- Every class that is named has its signature of the reference.
local function check_names(file, classes)
  for _, entry in ipairs(file.class_names) do
    local class = classes[entry.name]
    if class and type(class.sig) == "string" and tonumber(class.sig) ~= entry.signature then
      error(("%s has the signature 0x%x, not %s"):format(entry.name, entry.signature, class.sig), 0)
    end
  end
end

--- Gives the number of objects, and of members with those of elements. `visit`, if given, is called as a method of the
-- walk for every member and element: with its place in the data, its row of the tables, its path, the class that
-- has it, and its kind.
function walker.walk(bytes, classes, visit)
  local file = reader.read(bytes)
  local walk = setmetatable({
    bytes = bytes, classes = classes, endian = file.endian, pointer = file.pointer_size,
    column = file.pointer_size == 4 and 1 or 2, start = file.data.absolute_data_start,
    stop = file.data.absolute_data_start + file.data.local_fixups_offset,
    locals = {}, globals = {}, used = {}, claims = {}, members = 0, visit = visit, objects = file.objects,
  }, Walk)
  check_names(file, classes)
  for _, row in ipairs(file.local_fixups) do
    if walk.locals[row[1]] then fail(row[1], "two local fixups") end
    walk.locals[row[1]] = row[2]
  end
  for _, row in ipairs(file.global_fixups) do
    if walk.globals[row[1]] or walk.locals[row[1]] then fail(row[1], "two fixups") end
    walk.globals[row[1]] = file.object_at[row[3]]
  end
  for i, object in ipairs(file.objects) do
    local class = classes[object.class]
    if not class then fail(object.offset, "class %s", object.class) end
    walk:claim(object.offset, class.size[walk.column], object.class)
    walk:record(object.offset, object.class, ("objects[%d]"):format(i))
  end
  walk:check_used()
  walk:check_overlap()
  return #file.objects, walk.members
end

-- How many floats each kind has; halves aside.
local FLOATS = {
  REAL = 1, VECTOR4 = 4, QUATERNION = 4, MATRIX3 = 12, ROTATION = 12, QSTRANSFORM = 12, MATRIX4 = 16, TRANSFORM = 16,
}

--- Gives a list with a table for each object: `class`, and `floats`, by paths such as ".motion.motionState.objectRadius",
-- lists of numbers with `of`, the class that declares the member, and `member`, its name. Where a path is that of several,
-- the place of each but the first is behind it.
function walker.floats(bytes, classes)
  local list = {}
  for i, object in ipairs(reader.read(bytes).objects) do list[i] = { class = object.class, floats = {} } end
  walker.walk(bytes, classes, function(walk, at, member, label, class, kind)
    local n = FLOATS[kind]
    local number, path = label:match "^objects%[(%d+)%](.*)$"
    local floats = list[tonumber(number)].floats
    for _ = 1, n and (kind == member.t and member.k or 1) or 0 do
      local numbers = { of = class.name, member = member.n }
      for k = 1, n do
        numbers[k] = (string.unpack(walk.endian .. "f", walk.bytes, walk.start + at + 4 * k - 3))
      end
      floats[floats[path] and ("%s at 0x%x"):format(path, at) or path] = numbers
      at = at + 4 * n
    end
  end)
  return list
end

return walker
