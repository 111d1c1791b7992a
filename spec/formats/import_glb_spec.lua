-- lathe.import of .glb and .gltf, from files put together here.

local base64 = require "lathe.tree.base64"
local dkjson = require "dkjson"
local helper = require "helper"
local lathe = require "lathe"
local outcome = require "outcome"

local near = outcome.near

local folder

local function glb(json, bin)
  json = type(json) == "string" and json or dkjson.encode(json)
  json = json .. (" "):rep(-#json % 4)
  local chunks = string.pack("<I4c4", #json, "JSON") .. json
  if bin then
    bin = bin .. ("\0"):rep(-#bin % 4)
    chunks = chunks .. string.pack("<I4c4", #bin, "BIN\0") .. bin
  end
  return string.pack("<c4I4I4", "glTF", 2, 12 + #chunks) .. chunks
end

local function import(bytes, opts, name)
  return lathe.import(helper.write(folder .. "/" .. (name or "a.glb"), bytes), opts)
end

-- A file whose accessors are given as { packing of a component, type, numbers, more fields }, each in a view of its
-- own; other fields as they are.
local COMPONENTS = { b = 5120, B = 5121, i2 = 5122, I2 = 5123, I4 = 5125, f = 5126 }
local WIDTHS = { SCALAR = 1, VEC2 = 2, VEC3 = 3, VEC4 = 4, MAT4 = 16 }

local function file(fields, accessors)
  local json = { asset = { version = "2.0" }, scene = 0, scenes = { { nodes = { 0 } } }, nodes = { { mesh = 0 } },
    bufferViews = {}, accessors = {} }
  local bin, size = {}, 0
  for i, a in ipairs(accessors) do
    local letter, kind, list, more = table.unpack(a)
    local bytes = string.pack("<" .. letter:rep(#list), table.unpack(list))
    json.bufferViews[i] = { buffer = 0, byteOffset = size, byteLength = #bytes }
    json.accessors[i] = { bufferView = i - 1, componentType = COMPONENTS[letter], type = kind,
      count = #list // WIDTHS[kind] }
    for k, v in pairs(more or {}) do json.accessors[i][k] = v end
    bytes = bytes .. ("\0"):rep(-#bytes % 4)
    bin[i], size = bytes, size + #bytes
  end
  json.buffers = { { byteLength = size } }
  for k, v in pairs(fields) do json[k] = v end
  return json, table.concat(bin)
end

local POINTS = { "f", "VEC3", { 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3 } }

local function one(primitive, accessors, more)
  local fields = { meshes = { { primitives = { primitive } } } }
  for k, v in pairs(more or {}) do fields[k] = v end
  return file(fields, accessors)
end

-- The message without the file's name.
local function message(bytes, name)
  local meshes, err = import(bytes, nil, name)
  if meshes then return "it was read" end
  return (tostring(err):gsub("^[^:]*: ", ""))
end

describe("a .glb", function()
  before_each(function() folder = helper.tmpdir() end)

  it("gives its meshes with names, materials and attributes", function()
    local mesh = assert(import(glb(one({
      attributes = { POSITION = 0, NORMAL = 1, TEXCOORD_0 = 2 }, indices = 3, material = 1,
    }, {
      POINTS, { "f", "VEC3", { 0, 0, 2, 0, 0, 1, 0, 1, 0, 1, 0, 0 } },
      { "f", "VEC2", { 0, 0.25, 1, 0, 0, 1, 3, -4 } }, { "I2", "SCALAR", { 0, 1, 2, 2, 1, 3 } },
    }, { materials = { {}, { name = "stone" } }, nodes = { { mesh = 0, name = "wall" } } }))))[1]
    assert.same({ "wall", "stone", "y", "top" }, { mesh.name, mesh.material, mesh.up, mesh.uv_origin })
    assert.same(POINTS[3], mesh.positions:totable())
    assert.same({ 0, 1, 2, 2, 1, 3 }, mesh.indices:totable())
    assert.same({ 0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0 }, mesh.normals:totable())
    assert.same({ 0, 0.25, 1, 0, 0, 1, 3, -4 }, mesh.uvs:totable())
  end)

  it("may have numbers of every kind", function()
    local function positions(letter, list, more, extra)
      local m = assert(import(glb(one({ attributes = { POSITION = 0 } }, { { letter, "VEC3", list, more }, extra }))))[1]
      return m.positions:totable()
    end
    local nine = { 0, 0, 0, 127, 1, 2, 3, 4, 5 }
    for letter in pairs(COMPONENTS) do assert.same(nine, positions(letter, nine)) end
    local signed = { -128, -127, 0, 127, 1, 2, 3, 4, 5 }
    assert.same(signed, positions("b", signed))
    near({ -1, -1, 0, 1, 1 / 127, 2 / 127, 3 / 127, 4 / 127, 5 / 127 }, positions("b", signed, { normalized = true }))
    near({ 1, 0, 0.2, 1, 0, 0, 0, 1, 0 }, positions("B", { 255, 0, 51, 255, 0, 0, 0, 255, 0 }, { normalized = true }))
    near({ -1, -1, 1, 0, 0, 0, 0, 0, 0 },
      positions("i2", { -32768, -32767, 32767, 0, 0, 0, 0, 0, 0 }, { normalized = true }))
    near({ 1, 0, 0.2, 0, 0, 0, 0, 0, 0 }, positions("I2", { 65535, 0, 13107, 0, 0, 0, 0, 0, 0 },
      { normalized = true }))
  end)

  it("may have indices of 8, 16 or 32 bits, or none", function()
    for _, letter in ipairs { "B", "I2", "I4" } do
      local mesh = assert(import(glb(one({ attributes = { POSITION = 0 }, indices = 1 },
        { POINTS, { letter, "SCALAR", { 3, 2, 1 } } }))))[1]
      assert.same({ 3, 2, 1 }, mesh.indices:totable())
    end
    assert.same({ 0, 1, 2 }, assert(import(glb(one({ attributes = { POSITION = 0 } }, { POINTS }))))[1].indices:totable())
  end)

  it("may have its rows apart, among other ones", function()
    local bin, json = {}, one({ attributes = { POSITION = 0 } }, { POINTS })
    for i = 1, 3 do bin[i] = string.pack("<I4ffff", 7, i, 2 * i, 3 * i, 99) end
    bin = table.concat(bin)
    json.buffers[1].byteLength = #bin
    json.bufferViews[1] = { buffer = 0, byteLength = #bin, byteStride = 20 }
    json.accessors[1].byteOffset, json.accessors[1].count = 4, 3
    assert.same({ 1, 2, 3, 2, 4, 6, 3, 6, 9 }, assert(import(glb(json, bin)))[1].positions:totable())
    json.accessors[1].count = 4
    assert.equal("accessors[0]: 4 rows of 12 bytes at 4, in a view of 60", message(glb(json, bin)))
    json.accessors[1].count, json.bufferViews[1].byteStride = 3, 8
    assert.equal("accessors[0]: rows of 12 bytes, one every 8", message(glb(json, bin)))
    json.bufferViews[1].byteStride = 0
    assert.equal("accessors[0]: rows of 12 bytes, one every 0", message(glb(json, bin)))
  end)

  it("may have rows that stand elsewhere, and be zeros else", function()
    local json, bin = one({ attributes = { POSITION = 0 } },
      { POINTS, { "I2", "SCALAR", { 1, 3 } }, { "f", "VEC3", { 9, 8, 7, 6, 5, 4 } } })
    local sparse = { count = 2, indices = { bufferView = 1, componentType = 5123 }, values = { bufferView = 2 } }
    json.accessors[1].sparse = sparse
    assert.same({ 0, 0, 0, 9, 8, 7, 0, 2, 0, 6, 5, 4 }, assert(import(glb(json, bin)))[1].positions:totable())
    json.accessors[1].bufferView = nil
    assert.same({ 0, 0, 0, 9, 8, 7, 0, 0, 0, 6, 5, 4 }, assert(import(glb(json, bin)))[1].positions:totable())
    json.accessors[1].count = 3
    assert.equal("accessors[0].sparse: it has no row 3", message(glb(json, bin)))
    sparse.count = 3
    assert.equal("accessors[0].sparse.indices: 3 rows of 2 bytes at 0, in a view of 4", message(glb(json, bin)))
  end)

  it("may be of strips and fans", function()
    local function indices(mode, list)
      local m = assert(import(glb(one({ attributes = { POSITION = 0 }, indices = 1, mode = mode },
        { POINTS, { "B", "SCALAR", list } }))))[1]
      return m.indices:totable()
    end
    assert.same({ 0, 1, 2, 1, 3, 2 }, indices(5, { 0, 1, 2, 3 }))
    assert.same({ 0, 1, 2, 1, 3, 2, 2, 3, 0 }, indices(5, { 0, 1, 2, 3, 0 }))
    assert.same({ 0, 1, 2, 3, 0, 2 }, indices(5, { 0, 1, 2, 2, 3, 3, 2, 0 }))
    assert.same({ 0, 1, 2, 0, 2, 3 }, indices(6, { 0, 1, 2, 3 }))
    assert.same({ 0, 1, 2 }, indices(4, { 0, 1, 2, 3 }))
    for mode = 0, 3 do
      assert.equal("there is no triangle in it", message(glb(one({ attributes = { POSITION = 0 }, mode = mode },
        { POINTS }))))
    end
    assert.equal("meshes[0].primitives[0]: its mode is 7",
      message(glb(one({ attributes = { POSITION = 0 }, mode = 7 }, { POINTS }))))
  end)

  it("has what belongs to one mesh in one, with the material of each triangle", function()
    local function part(material, more)
      local primitive = { attributes = { POSITION = 0, NORMAL = 1 }, material = material }
      for k, v in pairs(more or {}) do primitive.attributes[k] = v end
      return primitive
    end
    local json, bin = file({ meshes = { { name = "m", primitives = { part(1), part(nil, { POSITION = 2 }), part(0) } } },
      materials = { { name = "a" }, { name = "b" } } }, { { "f", "VEC3", { 0, 0, 0, 1, 0, 0, 0, 1, 0 } },
      { "f", "VEC3", { 0, 0, 1, 0, 0, 1, 0, 0, 1 } }, { "f", "VEC3", { 0, 0, 0, 1, 0, 0, 0, 1, 5 } } })
    local mesh = assert(import(glb(json, bin)))[1]
    assert.same({ "b", "a" }, mesh.materials)
    assert.same({ 0, 2, 1 }, mesh.triangle_materials:totable())
    assert.same({ 0, 1, 2, 3, 4, 5, 0, 1, 2 }, mesh.indices:totable()) -- vertices in common are there once
    assert.same({ 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 5 }, mesh.positions:totable())
    assert.equal("m", mesh.name)
    assert.equal(6, mesh.normals.rows)
    json.meshes[1].primitives[2].attributes.NORMAL = nil
    mesh = assert(import(glb(json, bin)))[1]
    assert.is_nil(mesh.normals)
    assert.equal(6, mesh.positions.rows)
  end)

  it("stands where its nodes put it", function()
    local h = math.sqrt(0.5)
    local json, bin = one({ attributes = { POSITION = 0, NORMAL = 1 } }, { POINTS,
      { "f", "VEC3", { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1 } } }, {
      scenes = { { nodes = { 3 } }, { nodes = { 0, 4 } } }, scene = 1,
      nodes = { { children = { 2, 1 }, translation = { 10, 0, 0 }, scale = { 2, 2, 2 } },
        { mesh = 0, name = "turned", rotation = { 0, 0, h, h } },      -- a quarter about z
        { mesh = 0, name = "mirrored", matrix = { -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 5, 0, 1 } },
        { mesh = 0, name = "in the other scene" }, { name = "empty" } },
    })
    local meshes = assert(import(glb(json, bin)))
    assert.equal(2, #meshes)
    assert.same({ "mirrored", "turned" }, { meshes[1].name, meshes[2].name })
    assert.same({ 10, 10, 0, 8, 10, 0, 10, 14, 0, 10, 10, 6 }, meshes[1].positions:totable())
    assert.same({ 0, 2, 1 }, meshes[1].indices:totable())
    assert.same({ -1, 0, 0 }, { meshes[1].normals:row(1) })
    assert.same({ 10, 0, 0, 10, 2, 0, 6, 0, 0, 10, 0, 6 }, meshes[2].positions:totable()) -- quarters are exact
    assert.same({ 0, 1, 2 }, meshes[2].indices:totable())
    assert.same({ 0, 1, 0 }, { meshes[2].normals:row(1) })
    json.scenes, json.scene = nil, nil
    assert.equal(3, #assert(import(glb(json, bin))))
  end)

  it("has what bones hold at rest", function()
    local json, bin = one({ attributes = { POSITION = 0, JOINTS_0 = 1, WEIGHTS_0 = 2 } }, {
      { "f", "VEC3", { 0, 0, 0, 1, 0, 0, 0, 1, 0 } },
      { "B", "VEC4", { 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0 } },
      { "f", "VEC4", { 1, 0, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0 } },
      { "f", "MAT4", { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 5, 1 } },
    }, { scenes = { { nodes = { 0, 1, 2 } } }, skins = { { joints = { 1, 2 }, inverseBindMatrices = 3 } },
      nodes = { { mesh = 0, skin = 0, translation = { 100, 0, 0 } }, { translation = { 0, 2, 0 } },
        { translation = { 0, 0, -3 } } } })
    assert.same({ 0, 2, 0, 1, 0, 2, 0, 2, 1 }, assert(import(glb(json, bin)))[1].positions:totable())
    json.skins[1].joints = { 1 }
    assert.equal("meshes[0].primitives[0]: it has no bone 1", message(glb(json, bin)))
    json.skins[1].joints = { 1, 2, 1 }
    assert.equal("skins[0]: 3 bones, of which 2 have a matrix", message(glb(json, bin)))
    json.scenes[1].nodes = { 0, 1 }
    json.skins[1].joints = { 1, 2 }
    assert.equal("skins[0]: nodes[2] is not in the scene", message(glb(json, bin)))
  end)

  it("may be a .gltf with its bytes beside it, or in it", function()
    local json, bin = one({ attributes = { POSITION = 0 } }, { POINTS })
    json.buffers[1].uri = "data:application/octet-stream;base64," .. base64.encode(bin)
    assert.same(POINTS[3], assert(import(dkjson.encode(json), nil, "a.gltf"))[1].positions:totable())
    helper.write(folder .. "/a b.bin", bin)
    json.buffers[1].uri = "a%20b.bin"
    assert.same(POINTS[3], assert(import(dkjson.encode(json), nil, "a.gltf"))[1].positions:totable())
    json.buffers[1].byteLength = #bin + 1
    assert.equal("buffers[0]: 49 bytes, of which 48 are there", message(dkjson.encode(json), "a.gltf"))
    json.buffers[1].uri = "none.bin"
    assert.equal("cannot open: No such file or directory", message(dkjson.encode(json), "a.gltf"))
    for _, uri in ipairs { "/etc/passwd", "../a.bin", "a/../../b", "file:///etc/passwd", "http://x/y", "%2e%2e/x", "",
      "C:/x", "..\\x", "a%00b" } do
      json.buffers[1].uri = uri
      assert.equal(("buffers[0]: '%s' is no file beside it"):format(uri), message(dkjson.encode(json), "a.gltf"))
    end
    json.buffers[1].uri = "data:text/plain,abc"
    assert.equal("buffers[0]: data in its uri are not in base64", message(dkjson.encode(json), "a.gltf"))
    json.buffers[1].uri = nil
    assert.equal("buffers[0]: its bytes are not there", message(dkjson.encode(json), "a.gltf"))
  end)

  it("is refused by name where it needs what is not read", function()
    local json, bin = one({ attributes = { POSITION = 0 } }, { POINTS })
    json.extensionsRequired = { "KHR_mesh_quantization", "KHR_materials_unlit", "KHR_draco_mesh_compression" }
    assert.equal("extensionsRequired: KHR_draco_mesh_compression is not read", message(glb(json, bin)))
    json.extensionsRequired[3] = nil
    assert.equal(1, #assert(import(glb(json, bin))))
    json.bufferViews[1].extensions = { EXT_meshopt_compression = {} }
    assert.equal("bufferViews[0]: compression by EXT_meshopt_compression is not read", message(glb(json, bin)))
    json.meshes[1].primitives[1].extensions = { KHR_draco_mesh_compression = { bufferView = 0 } }
    json.accessors[1].bufferView = nil
    assert.equal("meshes[0].primitives[0]: compression by KHR_draco_mesh_compression is not read",
      message(glb(json, bin)))
    assert.equal("glTF of version 1: only version 2 is read", message("glTF\1\0\0\0" .. ("\0"):rep(20)))
  end)
end)

describe("a hostile .glb", function()
  before_each(function() folder = helper.tmpdir() end)

  local function with(change)
    local json, bin = one({ attributes = { POSITION = 0 }, indices = 1, material = 0 },
      { POINTS, { "B", "SCALAR", { 0, 1, 2 } } }, { materials = { { name = "a" } } })
    change(json)
    return message(glb(json, bin))
  end

  it("is an error with its place", function()
    local cases = {
      { "there is no triangle in it", function(j) j.nodes[1].mesh = nil end },
      { "there is no triangle in it", function(j) j.meshes[1].primitives = nil end },
      { "nodes[0]: there is no meshes[1]", function(j) j.nodes[1].mesh = 1 end },
      { "nodes[0]: mesh is no whole number", function(j) j.nodes[1].mesh = 0.5 end },
      { "nodes[0]: mesh is no whole number", function(j) j.nodes[1].mesh = "0" end },
      { "nodes[0]: mesh is no whole number", function(j) j.nodes[1].mesh = -1 end },
      { "nodes[0]: mesh is no whole number", function(j) j.nodes[1].mesh = 1e300 end },
      { "nodes[0]: there is no meshes[0]", function(j) j.meshes = { 5 } end },
      { "JSON: meshes is no table", function(j) j.meshes = "x" end },
      { "JSON: there is no scenes[7]", function(j) j.scene = 7 end },
      { "scenes: there is no nodes[5]", function(j) j.scenes[1].nodes = { 5 } end },
      { "scenes[0].nodes: 1 is no whole number", function(j) j.scenes[1].nodes = { "a" } end },
      { "nodes[0]: it stands in two places", function(j) j.nodes[1].children = { 0 } end },
      { "nodes[0]: it stands in two places", function(j) j.scenes[1].nodes = { 0, 0 } end },
      { "nodes[0]: scale is not 3 numbers", function(j) j.nodes[1].scale = { 1, 2 } end },
      { "nodes[0]: translation is not 3 numbers", function(j) j.nodes[1].translation = { 1, 2, 1e300 } end },
      { "nodes[0]: its rotation is none", function(j) j.nodes[1].rotation = { 0, 0, 0, 0 } end },
      { "nodes[0]: matrix is not 16 numbers", function(j) j.nodes[1].matrix = { 1 } end },
      { "nodes[0]: its matrix is no transform",
        function(j) j.nodes[1].matrix = { 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } end },
      { "nodes[0]: name is no text", function(j) j.nodes[1].name = 5 end },
      { "meshes[0].primitives[0]: it is no table", function(j) j.meshes[1].primitives[1] = 3 end },
      { "meshes[0].primitives[0]: there is no materials[9]",
        function(j) j.meshes[1].primitives[1].material = 9 end },
      { "meshes[0].primitives[0]: there is no accessors[9]",
        function(j) j.meshes[1].primitives[1].attributes.POSITION = 9 end },
      { "meshes[0].primitives[0]: NORMAL of 3 vertices, of 4", function(j)
        j.meshes[1].primitives[1].attributes.NORMAL = 2
        j.accessors[3] = { bufferView = 0, componentType = 5126, count = 3, type = "VEC3" }
      end },
      { "accessors[0]: its type is VEC2, not VEC3", function(j) j.accessors[1].type = "VEC2" end },
      { "accessors[0]: its type is none, not VEC3", function(j) j.accessors[1].type = nil end },
      { "accessors[0]: componentType 5127 is not one that is expected here",
        function(j) j.accessors[1].componentType = 5127 end },
      { "accessors[1]: componentType 5126 is not one that is expected here",
        function(j) j.accessors[2].componentType = 5126 end },
      { "accessors[0]: count is no whole number", function(j) j.accessors[1].count = nil end },
      { "accessors[0]: 5 rows of 12 bytes at 0, in a view of 48", function(j) j.accessors[1].count = 5 end },
      { "accessors[0]: 4 rows of 12 bytes at 4, in a view of 48", function(j) j.accessors[1].byteOffset = 4 end },
      { "accessors[0]: 4 rows of 12 bytes at 281474976710655, in a view of 48",
        function(j) j.accessors[1].byteOffset = 0xffffffffffff end },
      { "accessors[0]: there is no bufferViews[2]", function(j) j.accessors[1].bufferView = 2 end },
      { "bufferViews[0]: 53 bytes at 0, in a buffer of 52", function(j) j.bufferViews[1].byteLength = 53 end },
      { "bufferViews[0]: 48 bytes at 5, in a buffer of 52", function(j) j.bufferViews[1].byteOffset = 5 end },
      { "bufferViews[0]: there is no buffers[1]", function(j) j.bufferViews[1].buffer = 1 end },
      { "buffers[0]: 53 bytes, of which 52 are there", function(j) j.buffers[1].byteLength = 53 end },
      { "meshes[0].primitives[0]: a triangle of vertex 1, where there are 1",
        function(j) j.accessors[1].count = 1 end },
      { "mesh 1: a position that no f32 holds", function(j)
        j.nodes[1].scale, j.nodes[1].translation = { 1e38, 1e38, 1e38 }, { 0, 0, 1e38 }
      end },
    }
    for i, case in ipairs(cases) do
      local got = with(case[2])
      assert(case[1] == got, ("case %d: %s, not %s"):format(i, got, case[1]))
    end
  end)

  it("does not grow beyond what a file of its size may", function()
    local much = "its meshes, as often as they are named, are too many for a file of %d+ bytes"
    assert.matches(much, with(function(j) j.accessors[1].bufferView, j.accessors[1].count = nil, 0xffffffff end))
    local many = {}
    for i = 1, 12000 do many[i] = i % 7 end
    local json, bin = one({ attributes = { POSITION = 0 } }, { { "f", "VEC3", many } })
    for i = 1, 2000 do json.nodes[i], json.scenes[1].nodes[i] = { mesh = 0 }, i - 1 end
    assert.matches(much, message(glb(json, bin)))
    json, bin = one({ attributes = { POSITION = 0 } }, { { "f", "VEC3", many } })
    for i = 1, 2000 do json.meshes[1].primitives[i] = json.meshes[1].primitives[1] end
    assert.matches(much, message(glb(json, bin)))
    for i = 21, 2000 do json.meshes[1].primitives[i] = nil end
    assert.same({ 4000, 20 * 1333 }, (function(m) return { m.positions.rows, m.indices.rows } end)(
      assert(import(glb(json, bin)))[1]))
  end)

  it("may be nested as deep as it likes", function()
    assert.equal("there is no triangle in it", with(function(j)
      j.nodes[1].mesh = nil
      for i = 1, 20000 do j.nodes[i] = { children = { i } } end
      j.nodes[20001] = {}
    end))
    assert.matches("^JSON: ", message(glb(("["):rep(1000000))))
    assert.matches("^JSON: ", message(glb(('{"a":'):rep(300000))))
    assert.matches("^JSON: ", message(glb("7")))
    assert.matches("^JSON: ", message(glb("")))
  end)

  it("says where chunks are none, and takes any cut or damage", function()
    assert.equal("at 0x0: a .glb of 4 bytes", message("glTF"))
    assert.equal("at 0xc: there is no chunk", message(string.pack("<c4I4I4", "glTF", 2, 12)))
    assert.equal("at 0x8: the file ends 1 bytes early", message(string.pack("<c4I4I4", "glTF", 2, 13)))
    assert.equal("at 0xc: a chunk of 9 bytes, of 0 that are left",
      message(string.pack("<c4I4I4I4c4", "glTF", 2, 20, 9, "JSON")))
    assert.equal("at 0xc: the first chunk is no JSON", message(string.pack("<c4I4I4I4c4", "glTF", 2, 20, 0, "BIN\0")))
    local bytes = glb(one({ attributes = { POSITION = 0 }, indices = 1 }, { POINTS, { "B", "SCALAR", { 0, 1, 2 } } },
      { nodes = { { mesh = 0, rotation = { 0, 0, 1, 0 } } } }))
    math.randomseed(11)
    local function try(changed)
      local meshes, err = import(changed)
      if not meshes then assert.is_string(err.message) end
    end
    for n = 0, #bytes - 1 do try(bytes:sub(1, n)) end
    for _ = 1, 500 do
      local at = math.random(#bytes)
      try(bytes:sub(1, at - 1) .. string.char(math.random(0, 255)) .. bytes:sub(at + 1))
    end
  end)
end)
