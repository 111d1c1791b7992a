--- The container of a .glb file: a buffer with its description, and the two chunks around them.
-- @module lathe.export.glb

local Buffer = {}
Buffer.__index = Buffer

local glb = {}

local RUN = 120 -- how many numbers are packed at a time

local COMPONENTS = { i1 = 5120, I1 = 5121, f = 5126, I2 = 5123, I4 = 5125 }
local TYPES = { SCALAR = 1, VEC2 = 2, VEC3 = 3, VEC4 = 4, MAT4 = 16 }

-- Targets of buffer views in glTF's numbering.
glb.VERTICES, glb.INDICES = 34962, 34963

--- Creates an empty buffer.
-- @treturn Buffer with `views`, `accessors`, `size`
function glb.new()
  return setmetatable({ views = {}, accessors = {}, chunks = {}, size = 0 }, Buffer)
end

local function pack(list, component)
  local out, formats = {}, {}
  for i = 1, #list, RUN do
    local n = math.min(RUN, #list - i + 1)
    formats[n] = formats[n] or "<" .. component:rep(n)
    out[#out + 1] = string.pack(formats[n], table.unpack(list, i, i + n - 1))
  end
  return table.concat(out)
end

-- Rounds to f32, as in the file.
local function rounded(v) return (string.unpack("<f", string.pack("<f", v))) end

local function bounds(list, columns)
  local low, high = {}, {}
  for c = 1, columns do
    local least, most = list[c], list[c]
    for i = c, #list, columns do
      local v = list[i]
      if v < least then least = v elseif v > most then most = v end
    end
    low[c], high[c] = rounded(least), rounded(most)
  end
  return low, high
end

--- Adds numbers as bytes; returns the number of their accessor.
-- @tparam string bytes
-- @tparam string component "f", "i1", "I1", "I2" or "I4", as in `string.pack`
-- @tparam string type "SCALAR", "VEC3" …
-- @tparam integer count
-- @tparam table opts `target`; `min` and `max`; `stride`: bytes from one vertex to the next, if there are
--   others between; `normalized`: whether integers stand for the numbers from -1 or 0 to 1
-- @treturn integer
function Buffer:add_bytes(bytes, component, type, count, opts)
  self.views[#self.views + 1] =
    { buffer = 0, byteOffset = self.size, byteLength = #bytes, byteStride = opts.stride,
      target = opts.target }
  self.accessors[#self.accessors + 1] = {
    bufferView = #self.views - 1,
    componentType = COMPONENTS[component],
    normalized = opts.normalized,
    count = count,
    type = type,
    min = opts.min, max = opts.max,
  }
  bytes = bytes .. ("\0"):rep(-#bytes % 4)
  self.chunks[#self.chunks + 1] = bytes
  self.size = self.size + #bytes
  return #self.accessors - 1
end

--- Adds numbers; returns the number of their accessor.
-- @tparam {number,...} list
-- @tparam string component as above
-- @tparam string type
-- @tparam table opts `target`; `bounds`: also store minimum and maximum
-- @treturn integer
function Buffer:add(list, component, type, opts)
  local what = { target = opts.target }
  if opts.bounds then what.min, what.max = bounds(list, TYPES[type]) end
  return self:add_bytes(pack(list, component), component, type, #list // TYPES[type], what)
end

--- The bytes of the whole file.
-- @tparam string json
-- @tparam Buffer buffer
-- @treturn ?string
-- @treturn ?string why it cannot be written
function glb.file(json, buffer)
  json = json .. (" "):rep(-#json % 4)
  local bin = table.concat(buffer.chunks)
  local size = 12 + 8 + #json + 8 + #bin
  if size > 0xffffffff then return nil, "a .glb holds 4 GB, not more" end
  return table.concat {
    string.pack("<c4I4I4I4c4", "glTF", 2, size, #json, "JSON"), json,
    string.pack("<I4c4", #bin, "BIN\0"), bin,
  }
end

return glb
