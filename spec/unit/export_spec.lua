-- lathe.export to .glb: what is in the file, read by a reader of the specs' own and by the validator.

local glb = require "glb"
local helper = require "helper"
local lathe = require "lathe"
local outcome = require "outcome"
local sample = require "sample_mesh"

local near = outcome.near

local mesh, triangle = sample.mesh, sample.triangle

local folder

local function export(what, opts, name)
  local path = ("%s/%s.glb"):format(folder, name or "out")
  local report, err = lathe.export(what, path, opts)
  assert(report, err)
  return glb.parse(helper.read(path)), report, path
end

describe("the glTF validator", function()
  it("is there, and finds what is wrong", function()
    folder = helper.tmpdir()
    local _, _, path = export { triangle() }
    local bytes = helper.read(path)
    helper.write(path, (bytes:gsub('"max":%[1.0', '"max":[2.0')))
    local lines, why = glb.issues { path }
    if not lines then pending("NOT TESTED: exported files are not validated: " .. why) end
    assert.matches(" error ACCESSOR_MAX_MISMATCH /accessors/0/max/0 ", lines[1], 1, true)
  end)
end)

describe("a .glb", function()
  before_each(function() folder = helper.tmpdir() end)

  it("is the same to the byte, every time", function()
    local json = '{"asset":{"version":"2.0","generator":"lathe ' .. lathe.VERSION .. '"},"scene":0,'
      .. '"scenes":[{"nodes":[0]}],"nodes":[{"children":[1]},{"name":"one","mesh":0}],'
      .. '"meshes":[{"name":"one","primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0}]}],'
      .. '"materials":[{"name":"wall","pbrMetallicRoughness":{"metallicFactor":0}}],'
      .. '"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",'
      .. '"min":[0.0,0.0,0.0],"max":[1.0,2.0,0.0]},'
      .. '{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}],'
      .. '"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":36,"target":34962},'
      .. '{"buffer":0,"byteOffset":36,"byteLength":6,"target":34963}],"buffers":[{"byteLength":44}]}'
    local bin = string.pack("<fffffffff I2I2I2", 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1, 2) .. "\0\0"
    json = json .. (" "):rep(-#json % 4)
    local _, report, path = export { triangle { name = "one", material = "wall" } }
    assert.equal(("glTF\2\0\0\0" .. string.pack("<I4I4", 28 + #json + #bin, #json) .. "JSON" .. json
      .. string.pack("<I4", #bin) .. "BIN\0" .. bin), helper.read(path))
    assert.same({ files = { path }, meshes = 1, triangles = 1, skipped = {}, notes = {} }, report)
  end)

  it("has every attribute as the mesh has it", function()
    local file, _, path = export { triangle {
      normals = { 0, 0, 1, 0, 0, 1, 0, 0.6, 0.8 },
      tangents = { 1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1 },
      uvs = { 0, 0.25, 1, 0, -3, 7 },
      colors = { 1, 0.5, 0, 1, 0, 0, 0, 0.25, 1, 1, 1, 1 },
    } }
    local attributes = file.json.meshes[1].primitives[1].attributes
    near({ 0, 0, 1, 0, 0, 1, 0, 0.6, 0.8 }, file:values(attributes.NORMAL))
    assert.same({ 1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1 }, (file:values(attributes.TANGENT)))
    assert.same({ 0, 0.25, 1, 0, -3, 7 }, (file:values(attributes.TEXCOORD_0)))
    assert.same({ 1, 0.5, 0, 1, 0, 0, 0, 0.25, 1, 1, 1, 1 }, (file:values(attributes.COLOR_0)))
    glb.validate({ path })
  end)

  it("counts v from the top", function()
    local file = export { triangle { uvs = { 0, 0.25, 1, 0, -3, 7 }, uv_origin = "bottom" } }
    assert.same({ 0, 0.75, 1, 1, -3, -6 }, (file:values(file.json.meshes[1].primitives[1].attributes.TEXCOORD_0)))
  end)

  it("has indices of 16 bits as long as none is 65535", function()
    for count, kind in pairs { [65535] = 5123, [65536] = 5125 } do
      local positions = {}
      for i = 1, 3 * count do positions[i] = i % 97 end
      local file, _, path = export { mesh { positions = positions, indices = { 0, 1, count - 1 } } }
      local indices = file.json.meshes[1].primitives[1].indices
      assert.equal(kind, file.json.accessors[indices + 1].componentType)
      assert.same({ 0, 1, count - 1 }, (file:values(indices)))
      glb.validate({ path })
    end
  end)

  it("stands with y up, and in the units asked for", function()
    local points = { 0, 0, 0, 1, 0, 0, 0, 2, 0 }
    local up_z = { 0, 0, 0, 1, 0, 0, 0, 0, -2 }
    local function drawn(more, opts)
      local file, _, path = export({ triangle(more) }, opts)
      glb.validate({ path })
      return file:drawn()[1].positions
    end
    near(points, drawn {})
    near(up_z, drawn { up = "z" })
    near({ 0, 0, 0, 10, 0, 0, 0, 20, 0 }, drawn({}, { scale = 10 }))
    near({ 0, 0, 0, 0.5, 0, 0, 0, 0, -1 }, drawn({ up = "z", metres = 0.5 }, { scale = "metres" }))
    local report, err = lathe.export({ triangle() }, folder .. "/none.glb", { scale = "metres" })
    assert.is_nil(report)
    assert.equal("the length of a unit is not known: give the scale as a number", err.message)
    assert.is_false(helper.exists(folder .. "/none.glb"))
  end)

  it("places meshes where their transforms do", function()
    local turned = { 0, 0, -2, 0, 0, 3, 0, 0, 4, 0, 0, 0, 5, 6, 7, 1 } -- about y, and scaled by 2, 3, 4
    local mirror = { -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }
    local shear = { 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 3, 1 }
    local normals = { 0, 0, 1, 0, 0, 1, 0, 0, 1 }
    local file, report, path = export {
      triangle { transform = turned }, triangle { transform = mirror, normals = normals },
      triangle { transform = shear, normals = { 1, 0, 0, 1, 0, 0, 1, 0, 0 } },
    }
    local drawn = file:drawn()
    near({ 5, 6, 7, 5, 6, 5, 5, 12, 7 }, drawn[1].positions)
    near({ 0, 0, 0, -1, 0, 0, 0, 2, 0 }, drawn[2].positions)
    assert.is_true(drawn[2].mirrored)
    near({ 0, 0, 3, 1, 0, 3, 2, 2, 3 }, drawn[3].positions)
    local h = math.sqrt(0.5)
    near({ h, -h, 0, h, -h, 0, h, -h, 0 }, drawn[3].normals) -- upright on what is sheared
    assert.same({ { path = "mesh 3", reason = "its transform shears, and was applied to its vertices" } },
      report.notes)
    glb.validate({ path })
  end)

  it("is a node for each document, of its name", function()
    local doc = assert(lathe.new("solid", {
      vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } }, triangles = { { a = 0, b = 1, c = 2 } },
    }))
    assert(doc:save(folder .. "/wall.v1.solid"))
    local file, report, path = export { doc, { name = "two", meshes = { triangle { up = "z" }, triangle() } },
      triangle() }
    local nodes = {}
    for _, root in ipairs(file.json.scenes[1].nodes) do
      local node = file.json.nodes[root + 1]
      nodes[#nodes + 1] = (node.name or "-") .. " " .. #node.children
    end
    assert.same({ "wall.v1 1", "two 1", "two 1", "- 1" }, nodes)
    assert.equal(4, report.meshes)
    glb.validate({ path })
  end)

  it("has names in UTF-8, whatever they were", function()
    local file, _, path = export { triangle { name = "caf\xe9 \"\\\1", material = "Ünder" } }
    assert.equal("café \"\\\1", file.json.meshes[1].name)
    assert.equal("Ünder", file.json.materials[1].name)
    glb.validate({ path })
  end)
end)

describe("a .glb's materials", function()
  before_each(function() folder = helper.tmpdir() end)

  local function surface(more)
    local fields = { base_color = { 1, 1, 1, 1 }, emissive = { 0, 0, 0 }, alpha = "opaque", double_sided = false,
      textures = {} }
    for name, value in pairs(more) do fields[name] = value end
    return fields
  end

  it("are one where name and looks are the same", function()
    local red = surface { base_color = { 1, 0, 0, 1 } }
    local file = export {
      triangle { material = "a" }, triangle { material = "b" }, triangle { material = "a" },
      triangle { material = "a", surface = red }, triangle { material = "a", surface = red }, triangle(),
    }
    local used = {}
    for i, each in ipairs(file.json.meshes) do used[i] = each.primitives[1].material end
    assert.same({ 0, 1, 0, 2, 2, 3 }, used)
  end)

  it("have colour, light and alpha", function()
    local file, _, path = export {
      triangle { surface = surface { base_color = { 0.5, 2, -1, 0.25 }, alpha = "blend", double_sided = true } },
      triangle { surface = surface { emissive = { 0, 0.5, 1 }, alpha = "mask", cutoff = 0.75 } },
      triangle { surface = surface { emissive = { 1, 2, 4 } } },
    }
    assert.same({
      { pbrMetallicRoughness = { metallicFactor = 0, baseColorFactor = { 0.5, 1, 0, 0.25 } }, alphaMode = "BLEND",
        doubleSided = true },
      { pbrMetallicRoughness = { metallicFactor = 0, baseColorFactor = { 1, 1, 1, 1 } }, alphaMode = "MASK",
        alphaCutoff = 0.75, emissiveFactor = { 0, 0.5, 1 } },
      { pbrMetallicRoughness = { metallicFactor = 0, baseColorFactor = { 1, 1, 1, 1 } },
        emissiveFactor = { 0.25, 0.5, 1 },
        extensions = { KHR_materials_emissive_strength = { emissiveStrength = 4 } } },
    }, file.json.materials)
    assert.same({ "KHR_materials_emissive_strength" }, file.json.extensionsUsed)
    glb.validate({ path })
  end)

  local textures = {
    base_color = "textures\\clutter\\Maé 50%#1.dds", normal = "textures/n.dds", glow_mask = [[a\b.dds]],
    emissive = "e.dds",
  }

  it("tell the paths of textures, which nothing else names", function()
    local file, _, path = export { triangle { surface = surface { textures = textures } } }
    assert.same({ textures = textures }, file.json.materials[1].extras)
    assert.is_nil(file.json.images)
    glb.validate({ path })
  end)

  it("refer to them where that is wanted", function()
    local with = surface { textures = textures, emissive = { 1, 1, 1 } }
    local more = { uvs = { 0, 0, 1, 0, 0, 1 }, normals = { 0, 0, 1, 0, 0, 1, 0, 0, 1 }, surface = with }
    more.tangents = { 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1 }
    local file, _, path = export({ triangle(more), triangle(more) }, { textures = "reference" })
    local material = file.json.materials[1]
    local function uri_of(texture) return file.json.images[file.json.textures[texture.index + 1].source + 1].uri end
    assert.equal("textures/clutter/Ma%C3%A9%2050%25%231.dds",
      uri_of(material.pbrMetallicRoughness.baseColorTexture))
    assert.equal("textures/n.dds", uri_of(material.normalTexture))
    assert.equal("e.dds", uri_of(material.emissiveTexture))
    assert.equal(3, #file.json.images)
    assert.same({ textures = textures }, material.extras)
    glb.validate({ path }, { " info URI_GLB ", " error IO_ERROR /images/%d/uri " })
  end)
end)
