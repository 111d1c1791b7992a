--- Reads a glTF file: its chunks, its buffers wherever they are, and the numbers in them.
-- @module lathe.import.glb

local base64 = require "lathe.tree.base64"
local core = require "lathe.core"
local fail = require "lathe.import.fail"
local json = require "lathe.import.json"
local paths = require "lathe.paths"

local File = {}
File.__index = File

local glb = {}

-- Limits of the data made from a file: nodes can refer to a mesh many times, and accessors need no bytes.
local TIMES, ANYWAY = 16, 1 << 20

-- ---- chunks ---------------------------------------------------------------------------------------

local function read_chunks(self, bytes)
  if #bytes < 12 then fail.offset(0, "a .glb of %d bytes", #bytes) end
  local version, size = string.unpack("<I4I4", bytes, 5)
  if version ~= 2 then fail.at(nil, "glTF of version %d: only version 2 is read", version) end
  if size > #bytes then fail.offset(8, "the file ends %d bytes early", size - #bytes) end
  local at, text = 12, nil
  while at + 8 <= size do
    local length, kind = string.unpack("<I4c4", bytes, at + 1)
    local left = size - at - 8
    if length > left then fail.offset(at, "a chunk of %d bytes, of %d that are left", length, left) end
    local chunk = bytes:sub(at + 9, at + 8 + length)
    if not text then
      if kind ~= "JSON" then fail.offset(at, "the first chunk is no JSON") end
      text = chunk
    elseif kind == "BIN\0" then
      self.bin = self.bin or chunk
    end
    at = at + 8 + length
  end
  if not text then fail.offset(12, "there is no chunk") end
  return text
end

--- Opens a file: `json` is its top-level object.
-- @tparam string bytes of a .glb or a .gltf
-- @tparam string path other files are searched beside it
-- @treturn File
-- @raise errors for `fail.catch`
function glb.open(bytes, path)
  local self = setmetatable({ path = path, buffers = {}, size = #bytes, cached = {} }, File)
  local text = bytes:sub(1, 4) == "glTF" and read_chunks(self, bytes) or bytes
  self.json = json.parse(text)
  return self
end

--- Counts numbers made from the file.
-- @tparam integer n
-- @raise if there are too many for its size
function File:take(n)
  self.taken = (self.taken or 0) + n
  if self.taken > TIMES * self.size + ANYWAY then
    fail.at(nil, "its meshes, as often as they are named, are too many for a file of %d bytes", self.size)
  end
end

-- ---- buffers --------------------------------------------------------------------------------------

-- The path of a file in the folder of the .gltf or below. Other paths are refused, because the file may come
-- from a stranger.
local function path_of(self, uri, where)
  local name = uri:gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end)
  local strange = name:find "^[/\\]" or name:find "^%a[%w+.-]*:" or name:find "[\\%z]"
  for part in name:gmatch "[^/]+" do strange = strange or part == ".." end
  if strange or name == "" then fail.at(where, "'%s' is no file beside it", uri:sub(1, 80)) end
  return paths.join(paths.folder(self.path), name)
end

local function load_buffer(self, i, where)
  local buffer = json.item(self.json, "buffers", i, where)
  where = ("buffers[%d]"):format(i)
  local uri, length = json.text(buffer, "uri", where), json.count(buffer, "byteLength", where)
  local data
  if not uri then
    data = i == 0 and self.bin
    if not data then fail.at(where, "its bytes are not there") end
  elseif uri:sub(1, 5) == "data:" then
    local text = uri:match "^data:[^,]*;base64,(.*)$"
    if not text then fail.at(where, "data in its uri are not in base64") end
    data = base64.decode(text)
  else
    local why
    data, why = core.read(path_of(self, uri, where))
    if not data then error(why, 0) end
    self.size = self.size + #data
  end
  if #data < length then fail.at(where, "%d bytes, of which %d are there", length, #data) end
  return data:sub(1, length)
end

function File:buffer(i, where)
  self.buffers[i] = self.buffers[i] or load_buffer(self, i, where)
  return self.buffers[i]
end

-- The bytes of a view: a buffer, the offset of its first byte (from 0), their number, and the stride, if any.
function File:view(i, where)
  local view, here = json.item(self.json, "bufferViews", i, where)
  if view.extensions and view.extensions.EXT_meshopt_compression then
    fail.at(here, "compression by EXT_meshopt_compression is not read")
  end
  local data = self:buffer(json.count(view, "buffer", here), here)
  local at, length = json.count(view, "byteOffset", here, 0), json.count(view, "byteLength", here)
  if at > #data or length > #data - at then
    fail.at(here, "%d bytes at %d, in a buffer of %d", length, at, #data)
  end
  return data, at, length, view.byteStride and json.count(view, "byteStride", here)
end

-- ---- numbers --------------------------------------------------------------------------------------

local COMPONENTS = {
  [5120] = { "b", 1, 127 }, [5121] = { "B", 1, 255 }, [5122] = { "i2", 2, 32767 },
  [5123] = { "I2", 2, 65535 }, [5125] = { "I4", 4, 4294967295 }, [5126] = { "f", 4 },
}
local COLUMNS = { SCALAR = 1, VEC2 = 2, VEC3 = 3, VEC4 = 4, MAT4 = 16 }

local RUN = 120 -- how many numbers are unpacked at a time

-- Unpacks `count` rows of `columns` numbers from an offset in a view.
local function unpack_rows(self, view, offset, count, component, columns, where)
  local data, at, length, stride = self:view(view, where)
  local letter, width = component[1], component[2]
  local size = width * columns
  stride = stride or size
  if stride < size then fail.at(where, "rows of %d bytes, one every %d", size, stride) end
  if count > 0 and (offset > length or size > length - offset
    or (count - 1) > (length - offset - size) // stride) then
    fail.at(where, "%d rows of %d bytes at %d, in a view of %d", count, size, offset, length)
  end
  local list, n, tight = {}, 0, stride == size
  local rows = tight and math.max(1, RUN // columns) or 1
  local full = "<" .. letter:rep(rows * columns)
  for row = 0, count - 1, rows do
    local many = math.min(rows, count - row)
    local format = many == rows and full or "<" .. letter:rep(many * columns)
    local values = { string.unpack(format, data, at + offset + row * stride + 1) }
    table.move(values, 1, many * columns, n + 1, list)
    n = n + many * columns
  end
  return list
end

local function component_of(from, where, whole)
  local component = COMPONENTS[json.count(from, "componentType", where)]
  if not component or whole and (component[1] == "f" or component[3] == 127 or component[3] == 32767) then
    fail.at(where, "componentType %d is not one that is expected here", from.componentType)
  end
  return component
end

-- Replaces rows by those of a sparse accessor.
local function add_sparse(self, list, accessor, component, columns, where)
  local sparse = json.table(accessor, "sparse", where)
  if not sparse then return end
  where = where .. ".sparse"
  local count = json.count(sparse, "count", where)
  local indices, values = json.table(sparse, "indices", where), json.table(sparse, "values", where)
  if not indices or not values then fail.at(where, "indices and values are not there") end
  local function rows(from, part, kind, width)
    local here = where .. part
    local view, offset = json.count(from, "bufferView", here), json.count(from, "byteOffset", here, 0)
    return unpack_rows(self, view, offset, count, kind, width, here)
  end
  self:take(count * (columns + 1))
  local at = rows(indices, ".indices", component_of(indices, where .. ".indices", true), 1)
  local with = rows(values, ".values", component, columns)
  for i, row in ipairs(at) do
    if row * columns >= #list then fail.at(where, "it has no row %d", row) end
    table.move(with, (i - 1) * columns + 1, i * columns, row * columns + 1, list)
  end
end

local function normalise(list, largest, signed)
  for i, v in ipairs(list) do
    list[i] = v / largest
    if signed and list[i] < -1 then list[i] = -1.0 end
  end
end

local function read_values(self, accessor, columns, whole, where)
  local component = component_of(accessor, where, whole)
  local count = json.count(accessor, "count", where)
  self:take(count * columns)
  local list
  if accessor.bufferView ~= nil then
    local view = json.count(accessor, "bufferView", where)
    local offset = json.count(accessor, "byteOffset", where, 0)
    list = unpack_rows(self, view, offset, count, component, columns, where)
  else
    list = {}
    for i = 1, count * columns do list[i] = 0 end
  end
  add_sparse(self, list, accessor, component, columns, where)
  if accessor.normalized == true and component[3] and not whole then
    normalise(list, component[3], component[1] == "b" or component[1] == "i2")
  end
  return list
end

--- The values of an accessor.
-- @tparam integer i from 0
-- @tparam string expected the expected type: "VEC3"
-- @tparam ?boolean whole whether they are indices
-- @tparam string where the place that refers to it
-- @treturn {number,...} not to be changed
-- @treturn integer numbers per row
-- @raise errors for `fail.catch`
function File:values(i, expected, whole, where)
  local accessor, here = json.item(self.json, "accessors", i, where)
  local kind = json.text(accessor, "type", here) or "none"
  local columns = COLUMNS[kind]
  if kind ~= expected then fail.at(here, "its type is %s, not %s", kind, expected) end
  local key = whole and -1 - i or i
  if not self.cached[key] then self.cached[key] = read_values(self, accessor, columns, whole, here) end
  return self.cached[key], columns
end

return glb
