--- What lathe says and writes of every type and of every file of the corpus, in one text that two versions can be
-- compared by: `lua5.4 spec/support/guard.lua > before.txt`, then the same later, then `diff`. Messages and
-- descriptions stand in full, trees and bytes as hashes. The corpus is found by LATHE_CORPUS, the module by LUA_CPATH_5_4.

local lathe = require "lathe"
local core = require "lathe.core"
local json = require "lathe.tree.json"
local tree = require "lathe.tree.dump"

-- FNV-1a over words of 8 bytes: only changes matter.
local function hash(text)
  local h, last = 0xcbf29ce484222325, #text - #text % 8
  for i = 1, last, 8 do h = ((h ~ ("<i8"):unpack(text, i)) * 0x100000001b3) ~ h >> 29 end
  for i = last + 1, #text do h = (h ~ text:byte(i)) * 0x100000001b3 end
  return ("%d:%016x"):format(#text, h)
end

local function line(...)
  io.write(table.concat({ ... }, " "), "\n")
end

-- Keys in order, so that equal tables give equal texts.
local function flat(value)
  if type(value) ~= "table" then
    return type(value) == "string" and ("%q"):format(value) or tostring(value)
  end
  local parts, keys = {}, {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b)
    if math.type(a) and math.type(b) then return a < b end
    return math.type(a) ~= nil or not math.type(b) and tostring(a) < tostring(b)
  end)
  for i, key in ipairs(keys) do parts[i] = tostring(key) .. "=" .. flat(value[key]) end
  return "{" .. table.concat(parts, " ") .. "}"
end

-- ---- types -------------------------------------------------------------------------------------------------

local function describe(name, seen)
  local rows = not seen[name] and core.describe(name)
  seen[name] = true
  for _, row in ipairs(rows or {}) do
    line("type", name, flat(row))
    if type(row.type) == "string" then describe(row.type, seen) end
    for _, one in ipairs(row.types or {}) do describe(one, seen) end
  end
end

local function types()
  local seen = {}
  for _, format in ipairs(lathe.formats()) do
    line("format", flat(format))
    describe(format.name, seen)
    for _, name in ipairs(format.types or {}) do describe(name, seen) end
  end
end

-- ---- files -------------------------------------------------------------------------------------------------

-- The hash of what a function gives, or why it gives nothing.
local function told(what, run, ...)
  local ok, value, err = pcall(run, ...)
  if ok and type(value) == "string" then return what .. "=" .. hash(value) end
  return ("%s: %s"):format(what, tostring(ok and err or value))
end

local function dump(doc)
  local lines = {}
  tree.dump(doc, { all = true, emit = function(s) lines[#lines + 1] = s end, style = function(_, s) return s end })
  return table.concat(lines, "\n")
end

local function anew(doc)
  local other, err = lathe.new(doc.format, doc:totable())
  if not other then return nil, err end
  local bytes = other:encode()
  other:close()
  return bytes
end

-- What stands in lists: numbers in buffers as a hash, all else as it is.
local function shown(value)
  if type(value) == "userdata" and tostring(value):find "^buffer" then
    return ("%s %dx%d %s"):format(value.type, value.rows, value.columns, hash(value:pack()))
  elseif type(value) ~= "table" then
    return type(value) == "userdata" and tostring(value) or flat(value)
  end
  local copy = {}
  for key, one in pairs(value) do copy[key] = shown(one) end
  return flat(copy)
end

local function meshes(doc, name, what)
  local ok, err = pcall(function()
    for mesh in doc:meshes { what = what, left_out = {} } do line("mesh", name, what, shown(mesh)) end
  end)
  if not ok then line("mesh", name, what, tostring(err)) end
end

local function clips(doc, name)
  for i, clip in ipairs(doc.animations or {}) do
    local ok, poses, err = pcall(clip.decode, clip)
    local between = ok and poses and clip.frame_count > 0 and clip:sample(math.min(0.25, clip.frame_count - 1))
    line("clip", name, i, ok and poses and shown(poses) or tostring(err or poses), between and shown(between) or "-")
  end
end

local function lists(doc, name)
  for _, what in ipairs { "skeletons", "animations", "materials", "bodies" } do
    local ok, values = pcall(function() return doc[what] end)
    if ok and values ~= nil then
      local texts = {}
      for i, one in ipairs(values) do texts[i] = told("json", function() return json.encode(json.value(one)) end) end
      line("list", name, what, #texts, table.concat(texts, " "))
    end
  end
end

local function file(root, name)
  local doc, err = lathe.open(root .. "/" .. name, {})
  if not doc then
    line("file", name, "not opened:", (tostring(err):gsub(root, "", 1)))
    return
  end
  line("file", name, doc.format, told("json", function() return json.encode(json.value(doc)) end),
    told("dump", dump, doc), told("encode", doc.encode, doc), told("serialize", doc.serialize, doc),
    told("new", anew, doc))
  lists(doc, name)
  meshes(doc, name, "geometry")
  meshes(doc, name, "collision")
  clips(doc, name)
  local _, found = doc:check()
  for _, finding in ipairs(found or {}) do line("check", name, flat(finding)) end
  doc:close()
end

local function files()
  local root = assert(os.getenv "LATHE_CORPUS", "LATHE_CORPUS names no folder")
  local names = {}
  for name in io.popen(("cd '%s' && find . -type f | LC_ALL=C sort"):format(root)):lines() do
    names[#names + 1] = name:sub(3)
  end
  for _, name in ipairs(names) do file(root, name) end
end

types()
files()
