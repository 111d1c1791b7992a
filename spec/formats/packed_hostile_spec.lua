-- Precombined scenes and their geometry files, damaged by chance, together: whatever is asked of them answers or raises an
-- error that belongs to the files, soon, with little memory, and changes nothing. LATHE_CASES: how many of each.

local geometry_reader = require "geometry_reader"
local helper = require "helper"
local lathe = require "lathe"
local made = require "sample_packed"
local reader = require "packed_reader"

local CASES = tonumber(os.getenv "LATHE_CASES") or 150
local SECONDS <const>, MOST_KB <const> = 10, 512 * 1024
local LAYOUTS <const> = { "inline", "shared", "inline+table" }
local BUFFERS = { "positions", "normals", "tangents", "bitangents", "uvs", "colors", "triangles", "vertices" }

-- xorshift: the same numbers everywhere.
local function dice(seed)
  local x = seed * 0x9E3779B97F4A7C15 | 1
  return function(n)                              -- 0 .. n - 1
    x = x ~ (x << 13)
    x = x ~ (x >> 7)
    x = x ~ (x << 17)
    return (x >> 11) % n
  end
end

local WORDS = { "\0\0\0\0", "\1\0\0\0", "\255\255\255\255", "\255\255\255\127", "\0\0\0\128", "\0\0\1\0", "\255\255\0\0",
  "\0\0\128\127", "\0\0\192\127" }

-- A few bytes between two places changed, now and then some cut out or doubled.
local function damaged(bytes, first, last, roll)
  last = math.min(last, #bytes)
  for _ = 0, roll(4) do
    local at = first + roll(math.max(1, last - first + 1))
    local with = roll(2) == 0 and WORDS[1 + roll(#WORDS)] or string.char(roll(256))
    bytes = bytes:sub(1, at - 1) .. with .. bytes:sub(at + #with)
  end
  local at, length, kind = first + roll(math.max(1, last - first)), 1 + roll(80), roll(16)
  if kind == 0 then return bytes:sub(1, at) .. bytes:sub(at + length) end
  if kind == 1 then return bytes:sub(1, at + length) .. bytes:sub(at) end
  if kind == 2 then return bytes:sub(1, at) end
  return bytes
end

-- Where a scene's blocks of packed geometry are, one after the other.
local function packed_ranges(bytes)
  local ranges, doc = {}, assert(lathe.parse(bytes))
  for _, block in ipairs(doc.blocks) do
    if block.type:find "^BSPackedCombined" and block.layout then
      local at, size = lathe.span(block)
      ranges[#ranges + 1] = { at + 1, at + size }
    end
  end
  return ranges
end

local function peak_kb()
  local f <close> = assert(io.open "/proc/self/status")
  return tonumber(f:read("a"):match "VmHWM:%s*(%d+)")
end

-- Calls f; an error must be one that belongs to a file.
local function try(what, f, ...)
  local ok, value = pcall(f, ...)
  if not ok and (type(value) ~= "table" or not value.code or not value.message) then
    error(what .. " raised " .. tostring(value))
  end
  return ok and value or nil
end

local function touch_object(object)
  for _, name in ipairs(BUFFERS) do try(name, function() return object[name] end) end
  try("an instance", function() return object.combined[1]:totable() end)
end

local function touch(doc, roll)
  for _, block in ipairs(doc.blocks) do
    for i, object in ipairs(block.type:find "^BSPackedCombined" and block.layout and block.data or {}) do
      if i > 6 then break end
      touch_object(object)
    end
  end
  try("meshes", function()
    local n = 0
    for mesh in doc:meshes() do
      for i = 1, #mesh.indices do assert(mesh.indices[i] < mesh.positions.rows) end
      n = n + 1
      if n > 20 then return end
    end
  end)
  doc:check()
  if roll(2) == 0 then try("totable", function() return doc:totable() end) end
end

local function touch_rows(doc)
  for i, row in ipairs(doc.rows) do
    if i > 8 then break end
    for _, name in ipairs { "positions", "normals", "uvs", "colors", "triangles", "data" } do
      try(name, function() return row[name] end)
    end
  end
end

-- One case: what it was, where it went wrong.
local function judge(what, scene, geometry, hash, folder, roll)
  local start = os.clock()
  local place
  if roll(2) == 0 then
    place = helper.write(folder .. "/any.bin", geometry)
  else
    place = lathe.parse(geometry, { format = "geometry", path = "any.csg" })
    if not place then return end                  -- which the specs of these files judge
  end
  local doc = lathe.parse(scene, { format = "nif", history = 20, geometry = { [hash] = place } })
  if doc then
    touch(doc, roll)
    local ok, bytes = pcall(doc.encode, doc)
    assert(ok and bytes == scene, what .. ": reading changed it")
    for verb, args in pairs { scale = 2, convert = { to = LAYOUTS[1 + roll(3)], into = assert(lathe.new "geometry") } } do
      local now = doc:encode()
      local changed = try(verb, doc[verb], doc, args)
      assert(changed or doc:encode() == now, what .. ": what failed changed it: " .. verb)
    end
    touch(doc, roll)
    while doc:undo() do end
    assert(doc:encode() == scene, what .. ": not undone")
    doc:close()
  end
  if type(place) ~= "string" then
    touch_rows(place)
    assert(place:encode() == geometry, what .. ": reading changed the geometry file")
    place:close()
  end
  assert(os.clock() - start < SECONDS, what .. ": took long")
end

-- Damages a scene, its geometry file or both.
local function attack(scene, geometry, hash, cases, seed)
  local ranges, folder = packed_ranges(scene), helper.tmpdir()
  local before = peak_kb()
  for i = 1, cases do
    local roll = dice(seed * 100003 + i)
    local bad_scene, bad_geometry, what = scene, geometry, roll(4)
    if what ~= 0 then
      local head = 8 + 20 * 12
      bad_geometry = damaged(geometry, 1, roll(2) == 0 and head or #geometry, roll)
    end
    if what <= 1 then
      local range = ranges[1 + roll(#ranges)]
      bad_scene = damaged(scene, range[1], range[2], roll)
    end
    judge(("case %d of seed %d"):format(i, seed), bad_scene, bad_geometry, hash, folder, roll)
  end
  collectgarbage()
  if not helper.preload then
    assert(peak_kb() - before < MOST_KB, ("%d KB more at the peak"):format(peak_kb() - before))
  end
end

describe("a damaged scene and its damaged geometry file #slow", function()
  local list = { made.object(made.SHORT, 3), made.object(made.LONG, 4), made.object(made.FULL, 3),
    made.object(made.FULL, 5) }
  list[3].half = true
  local file = made.geometry(list)
  local scene = made.scene { made.block(made.SHARED, "shared", { list[1], list[2] }),
    made.block(made.SHARED, "shared", { list[3], list[4] }) }

  it("do no harm: plain", function() attack(scene, geometry_reader.plain(file), made.HASH, CASES, 1) end)
  it("do no harm: packed", function() attack(scene, geometry_reader.packed(file), made.HASH, CASES, 2) end)

  it("do no harm: of the corpus #corpus", function()
    local folder = helper.need_corpus("precombined", pending)
    for i, name in ipairs(helper.list(folder, "^0000B.*%.nif$")) do
      local bytes = helper.read(folder .. "/" .. name)
      local object = reader.read(bytes)[1].objects[1]
      for _, path in ipairs(helper.list(folder, "%.[cp]sg$")) do
        if reader.hash(path) == object.hash then
          attack(bytes, helper.read(folder .. "/" .. path), object.hash, CASES // 4, 10 * i + #path % 7)
        end
      end
    end
  end)
end)
