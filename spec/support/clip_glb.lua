--- Puts glTF files with bones that move together, right ones and wrong ones: for specs of the import.

local dkjson = require "dkjson"

local clip_glb = {}

local COMPONENTS = { b = 5120, B = 5121, i2 = 5122, I2 = 5123, I4 = 5125, f = 5126 }
local WIDTHS = { SCALAR = 1, VEC2 = 2, VEC3 = 3, VEC4 = 4, MAT4 = 16 }

--- The bytes of a .glb.
function clip_glb.pack(json, bin)
  local text = type(json) == "string" and json or dkjson.encode(json)
  text = text .. (" "):rep(-#text % 4)
  bin = bin .. ("\0"):rep(-#bin % 4)
  local chunks = string.pack("<I4c4", #text, "JSON") .. text .. string.pack("<I4c4", #bin, "BIN\0") .. bin
  return string.pack("<c4I4I4", "glTF", 2, 12 + #chunks) .. chunks
end

--- A file as JSON and bytes. nodes as glTF has them; joints: numbers of nodes, or nil; channels: lists of
-- { node, path, times, values, interpolation, { letter =, normalized = } }.
function clip_glb.file(nodes, joints, channels, more)
  local json = { asset = { version = "2.0" }, nodes = nodes, bufferViews = {}, accessors = {} }
  local bin, size = {}, 0
  local function add(list, kind, how)
    local letter = how and how.letter or "f"
    local bytes = string.pack("<" .. letter:rep(#list), table.unpack(list))
    json.bufferViews[#json.bufferViews + 1] = { buffer = 0, byteOffset = size, byteLength = #bytes }
    json.accessors[#json.accessors + 1] = { bufferView = #json.bufferViews - 1, type = kind,
      componentType = COMPONENTS[letter], count = #list // WIDTHS[kind], normalized = how and how.normalized }
    bytes = bytes .. ("\0"):rep(-#bytes % 4)
    bin[#bin + 1], size = bytes, size + #bytes
    return #json.accessors - 1
  end
  local animation = { name = "move", channels = {}, samplers = {} }
  for i, c in ipairs(channels or {}) do
    local kind = c[2] == "rotation" and "VEC4" or c[2] == "weights" and "SCALAR" or "VEC3"
    animation.samplers[i] = { input = add(c[3], "SCALAR"), output = add(c[4], kind, c[6]), interpolation = c[5] }
    animation.channels[i] = { sampler = i - 1, target = { node = c[1], path = c[2] } }
  end
  if channels then json.animations = { animation } end
  if joints then json.skins = { { joints = joints } } end
  for k, v in pairs(more or {}) do json[k] = v end
  json.buffers = { { byteLength = size } }
  return json, table.concat(bin)
end

--- Two bones, one on the other.
function clip_glb.bones()
  return { { name = "A", children = { 1 } }, { name = "B", translation = { 0, 2, 0 } } }
end

return clip_glb
