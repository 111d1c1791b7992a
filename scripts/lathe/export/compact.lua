--- Attributes of vertices in few bytes, for showing only: normals, colours and weights as bytes
-- (KHR_mesh_quantization). Positions and triangles stay as they are.
-- @module lathe.export.compact

local glb = require "lathe.export.glb"

local compact = { EXTENSION = "KHR_mesh_quantization" }

local RUN = 240 -- how many rows are packed at a time
local ROWS = { [3] = "bbbx", [4] = "BBBB" }

-- Packs rows of bytes, each padded to four.
local function pack(list, columns)
  local out = {}
  for i = 1, #list, RUN * columns do
    local n = math.min(RUN * columns, #list - i + 1)
    out[#out + 1] = string.pack(ROWS[columns]:rep(n // columns), table.unpack(list, i, i + n - 1))
  end
  return table.concat(out)
end

local function bytes_of(list, factor)
  local out = {}
  for i = 1, #list do out[i] = math.floor(list[i] * factor + 0.5) end
  return out
end

-- Weights as bytes, whose sum is 255 in each row that has any.
local function weights_of(weights)
  local out = bytes_of(weights, 255)
  for i = 1, #out, 4 do
    local largest, sum = i, 0
    for k = i, i + 3 do
      sum = sum + out[k]
      if out[k] > out[largest] then largest = k end
    end
    if sum > 0 then out[largest] = out[largest] + 255 - sum end
  end
  return out
end

--- Adds the attributes of a part except positions.
-- @tparam table attributes accessors by name
-- @tparam Buffer buffer
-- @tparam table part
-- @tparam ?{number,...} uvs
function compact.add(attributes, buffer, part, uvs)
  local function add(name, list, columns, component, normalized)
    attributes[name] = buffer:add_bytes(pack(list, columns), component, "VEC" .. columns, part.count,
      { target = glb.VERTICES, stride = 4, normalized = normalized or nil })
  end
  if part.normals then add("NORMAL", bytes_of(part.normals, 127), 3, "i1", true) end
  if uvs then attributes.TEXCOORD_0 = buffer:add(uvs, "f", "VEC2", { target = glb.VERTICES }) end
  if part.colors then add("COLOR_0", bytes_of(part.colors, 255), 4, "I1", true) end
  if not part.joints then return end
  if #part.bones <= 255 then
    add("JOINTS_0", part.joints, 4, "I1")
  else
    attributes.JOINTS_0 = buffer:add(part.joints, "I2", "VEC4", { target = glb.VERTICES })
  end
  add("WEIGHTS_0", weights_of(part.weights), 4, "I1", true)
end

return compact
