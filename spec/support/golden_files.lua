--- The files that golden pictures show, besides scripts/examples: name = function that gives the bytes.

local dds = require "sample_dds"
local lathe = require "lathe"
local phive = require "sample_phive"
local sample_nif = require "sample_nif"

local files = {}

local function encoded(doc)
  local bytes = assert(doc:encode())
  doc:close()
  return bytes
end

-- ---- boxes and squares of Fallout 4 ----------------------------------------------------------------

-- Corner i is at x, y, z by the bits of i.
local FACES <const> = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 }, { 2, 6, 7, 3 }, { 0, 4, 6, 2 }, { 1, 3, 7, 5 } }

-- Each face has four vertices of its own.
local function box(size)
  local mesh = { positions = {}, uvs = {}, triangles = {} }
  for f, face in ipairs(FACES) do
    for k, corner in ipairs(face) do
      mesh.positions[4 * f - 4 + k] = { size[1] * ((corner & 1) - 0.5), size[2] * ((corner >> 1 & 1) - 0.5),
        size[3] * (corner >> 2) }
      mesh.uvs[4 * f - 4 + k] = { (k == 2 or k == 3) and 1 or 0, k > 2 and 0 or 1 }
    end
    local a = 4 * f - 4
    mesh.triangles[2 * f - 1] = { a, a + 1, a + 2 }
    mesh.triangles[2 * f] = { a, a + 2, a + 3 }
  end
  return mesh
end

-- Two triangles, whose sides run along a and b.
local function square(a, b)
  local mesh = { positions = {}, uvs = { { 0, 1 }, { 1, 1 }, { 1, 0 }, { 0, 0 } }, triangles = { { 0, 1, 2 }, { 0, 2, 3 } } }
  for i, k in ipairs { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } } do
    mesh.positions[i] = {}
    for axis = 1, 3 do mesh.positions[i][axis] = k[1] * a[axis] + k[2] * b[axis] end
  end
  return mesh
end

-- A document of parts: { name =, mesh =, material =, at = { x, y, z }, alpha = flags and threshold, flags2 = names }.
local function model(parts)
  local root = { type = "BSFadeNode", name = "Model", children = {} }
  local blocks = { root }
  for _, part in ipairs(parts) do
    local at = part.at or { 0, 0, 0 }
    local n = #blocks
    table.insert(root.children, n)
    blocks[n + 1] = { type = "NiNode", name = part.name, children = { n + 1 },
      translation = { x = at[1], y = at[2], z = at[3] } }
    blocks[n + 2] = { type = "BSTriShape", name = part.name .. ":0", shader_property = n + 2,
      alpha_property = part.alpha and n + 4 or nil }
    blocks[n + 3] = { type = "BSLightingShaderProperty", name = ("Materials\\%s.BGSM"):format(part.material),
      body = { texture_set = n + 3, flags2 = part.flags2 } }
    blocks[n + 4] = { type = "BSShaderTextureSet", textures = { ("textures\\%s_d.dds"):format(part.material) } }
    if part.alpha then blocks[n + 5] = { type = "NiAlphaProperty", flags = part.alpha[1], threshold = part.alpha[2] } end
  end
  local doc = assert(lathe.new("nif", { bs_version = 130, blocks = blocks, footer = { roots = { 0 } } }))
  for _, part in ipairs(parts) do
    local shape = doc:block(part.name .. ":0")
    for _, name in ipairs { "positions", "uvs", "colors", "triangles" } do
      if part.mesh[name] then shape[name] = part.mesh[name] end
    end
  end
  assert(doc:recompute "normals")
  assert(doc:recompute "bounds")
  return doc
end

-- Three boxes without vertex colours: the colours are those of their materials' names.
local function three(middle, high)
  return encoded(model {
    { name = "Low", mesh = box { 64, 64, 32 }, material = "stone", at = { -80, 0, 0 } },
    { name = "Middle", mesh = box { 64, 64, middle }, material = "wood" },
    { name = "High", mesh = box { 64, 64, 96 }, material = "metal", at = high },
  })
end

files["plain.nif"] = function() return three(64, { 80, 0, 0 }) end

-- The same but for a higher box and one that was moved.
files["moved.nif"] = function() return three(72, { 80, -24, 0 }) end

-- Red, green, blue and white corners, and what is between them.
files["colors.nif"] = function()
  local mesh = box { 64, 64, 64 }
  mesh.colors = {}
  for i, p in ipairs(mesh.positions) do
    mesh.colors[i] = { p[1] > 0 and 1 or 0, p[2] > 0 and 1 or 0, p[3] > 0 and 1 or 0, 1 }
  end
  return encoded(model { { name = "Colors", mesh = mesh, material = "paint", flags2 = { "vertex_colors" } } })
end

files["painted.nif"] = function()
  return encoded(model { { name = "Painted", mesh = box { 64, 64, 64 }, material = "paint" } })
end

-- A fence with holes in front of a wall. 0x200: the alpha is tested, kept if greater.
files["fence.nif"] = function()
  return encoded(model {
    { name = "Wall", mesh = box { 96, 16, 64 }, material = "stone", at = { 0, -40, 0 } },
    { name = "Fence", mesh = square({ -64, 0, 0 }, { 0, 0, 40 }), material = "fence", alpha = { 0x1200, 128 },
      at = { 0, 24, 40 } },
  })
end

files["cross.nif"] = function()
  return encoded(model {
    { name = "One", mesh = square({ 40, 40, 0 }, { 0, 0, 40 }), material = "stone" },
    { name = "Two", mesh = square({ 40, -40, 0 }, { 0, 0, 40 }), material = "wood" },
    { name = "Three", mesh = square({ 40, 0, 12 }, { 0, 40, 0 }), material = "metal" },
  })
end

-- A room around a small stone: who looks at the stone stands inside of the room, whose walls reach behind the camera.
files["room.nif"] = function()
  return encoded(model {
    { name = "Floor", mesh = square({ 900, 0, 0 }, { 0, 900, 0 }), material = "wood" },
    { name = "Pebble", mesh = box { 16, 12, 8 }, material = "stone" },
    { name = "Wall", mesh = square({ 0, -900, 0 }, { 0, 0, 900 }), material = "metal", at = { 20, 0, 0 } },
  })
end

-- Collision of three materials over the meshes.
files["bodies.nif"] = function()
  local doc = model {
    { name = "Slab", mesh = box { 96, 64, 16 }, material = "stone", at = { -64, 0, 0 } },
    { name = "Crate", mesh = box { 56, 56, 56 }, material = "wood", at = { 40, 0, 0 } },
    { name = "Ball", mesh = box { 24, 24, 24 }, material = "metal", at = { -64, 0, 16 } },
  }
  assert(doc:set_collision("Slab", { kind = "mesh", mesh = doc:block "Slab:0", material = "stone" }))
  assert(doc:set_collision("Crate", { kind = "box", mesh = doc:block "Crate:0", material = "wood", motion = "dynamic",
    mass = 12 }))
  assert(doc:set_collision("Ball", { kind = "sphere", radius = 20, center = { 0, 0, 12 }, material = "metal" }))
  return encoded(doc)
end

-- ---- textures --------------------------------------------------------------------------------------

-- Blocks of BC1: two colours of 16 bits, and two bits for each pixel.
local function bc1(blocks)
  local out = {}
  for i, b in ipairs(blocks) do out[i] = ("<I2I2I4"):pack(b[1], b[2], b[3]) end
  return table.concat(out)
end

files["textures/stone_d.dds"] = function() return dds.code("DXT1", 4, 4, bc1 { { 0xC618, 0x8410, 0xA050A050 } }) end

files["textures/paint_d.dds"] = function()
  return dds.code("DXT1", 8, 8, bc1 { { 0xF800, 0xFFE0, 0xE4E4E4E4 }, { 0x001F, 0xFFFF, 0x0000FFFF },
    { 0x07E0, 0x0000, 0x1B1B1B1B }, { 0xFFFF, 0x8410, 0x55005500 } })
end

files["textures/fence_d.dds"] = function()
  local pixels = {}
  for y = 0, 15 do
    for x = 0, 15 do
      local solid = (x + y) % 8 < 2 or (x - y) % 8 < 2
      pixels[#pixels + 1] = string.char(40, 60 + 8 * y, 160, solid and 255 or 0)
    end
  end
  return dds.masks(32, { 0xff, 0xff00, 0xff0000, 0xff000000 }, 16, 16, table.concat(pixels))
end

-- ---- a skinned mesh of Skyrim SE -------------------------------------------------------------------

-- Tubes around the bones of examples/skeleton.hkx, which stand as it says. Rings: { x, z, radius, bones and weights }.
local BONES <const> = { "NPC Spine", "NPC R UpperArm", "NPC R Hand" }
local AT <const> = { { 0, 0, 88 }, { 16, 0, 108 }, { 56, 0, 108 } }
local BODY <const> = { { 0, 0, 12, 0 }, { 0, 60, 16, 0 }, { 0, 88, 18, 0 }, { 0, 112, 14, 0 }, { 0, 118, 6, 0 } }
local ARM <const> = { { 12, 108, 8, 0, 1 }, { 20, 108, 8, 1 }, { 36, 108, 7, 1 }, { 52, 108, 6, 1, 2 }, { 60, 108, 6, 2 },
  { 80, 108, 4, 2 } }
local SIDES <const> = 8

local function tube(vertices, triangles, rings, along_x, color)
  local first = #vertices
  for _, ring in ipairs(rings) do
    for k = 0, SIDES - 1 do
      local c, s = math.cos(2 * math.pi * k / SIDES), math.sin(2 * math.pi * k / SIDES)
      local n = along_x and { 0, c, s } or { c, s, 0 }
      vertices[#vertices + 1] = {
        position = { x = ring[1] + ring[3] * n[1], y = ring[3] * n[2], z = ring[2] + ring[3] * n[3] },
        normal = { x = n[1], y = n[2], z = n[3] }, color = color,
        weights = ring[5] and { 0.5, 0.5, 0, 0 } or { 1, 0, 0, 0 }, bones = { ring[4], ring[5] or 0, 0, 0 },
      }
    end
  end
  for r = 0, #rings - 2 do
    for k = 0, SIDES - 1 do
      local a, b = first + r * SIDES + k, first + r * SIDES + (k + 1) % SIDES
      triangles[#triangles + 1] = { a, b, b + SIDES }
      triangles[#triangles + 1] = { a, b + SIDES, a + SIDES }
    end
  end
end

files["body.nif"] = function()
  local DESC <const> = 0x069 << 44 | 6 << 28 | 5 << 24 | 4 << 16 | 9 -- position, normal, colour, bones
  local bounds = { center = { x = 0, y = 0, z = 60 }, radius = 110 }
  local vertices, triangles, map = {}, {}, {}
  tube(vertices, triangles, BODY, false, { 0.75, 0.55, 0.3, 1 })
  tube(vertices, triangles, ARM, true, { 0.3, 0.55, 0.75, 1 })
  for i = 1, #vertices do map[i] = i - 1 end
  local blocks = { { type = "NiNode", name = "root", children = { 1, 2, 3, 4 } } }
  local bones = {}
  for i, at in ipairs(AT) do
    blocks[i + 1] = { type = "NiNode", name = BONES[i], translation = { x = at[1], y = at[2], z = at[3] } }
    bones[i] = { bounds = bounds, skin_transform = { translation = { x = -at[1], y = -at[2], z = -at[3] } } }
  end
  for _, block in ipairs {
    { type = "BSTriShape", name = "Body", bounds = bounds, skin = 6, shader_property = 5, vertex_desc = DESC },
    { type = "BSLightingShaderProperty", name = "", body = { flags1 = 2, flags2 = 0x20, uv_scale = { 1, 1 }, alpha = 1,
      texture_set = -1 } },
    { type = "NiSkinInstance", data = 7, skin_partition = 8, skeleton_root = 0, bones = { 1, 2, 3 } },
    { type = "NiSkinData", has_vertex_weights = 0, bones = bones },
    { type = "NiSkinPartition", vertex_desc = DESC, vertices = vertices, partitions = { {
      num_vertices = #vertices, num_triangles = #triangles, num_bones = 3, weights_per_vertex = 4, bones = { 0, 1, 2 },
      has_vertex_map = 1, vertex_map = map, has_faces = 1, triangles = triangles, part_vertex_desc = DESC,
      triangles_copy = triangles } } },
  } do blocks[#blocks + 1] = block end
  return (sample_nif.build { game = "sse", blocks = blocks })
end

-- ---- other waves -----------------------------------------------------------------------------------

-- The wave of scripts/examples, of as many frames: its arm is lifted less after the middle, and its hand moves to the side
-- by up to 4 units, most in frame 10. moves: root motion, of that many units.
local function wave(frames, moves)
  local doc = assert(lathe.open "scripts/examples/wave.hkx")
  local anim = doc.animations[1]
  local samples = {}
  for frame = 0, frames - 1 do
    local lift = 0.35 * math.sin(math.pi * math.min(frame, 30) / 30) * (frame > 15 and 0.8 or 1)
    for i = 1, 6 do
      local t, q, s = anim.tracks[i]:sample { frame = math.min(frame, 30) }
      local row = { t[1], t[2], t[3], q[1], q[2], q[3], q[4], s[1], s[2], s[3] }
      if i == 5 then row[5], row[7] = math.sin(-lift), math.cos(-lift) end
      if i == 6 then row[2] = row[2] + 4 * math.max(0, 1 - math.abs(frame - 10) / 5) end
      samples[#samples + 1] = row
    end
  end
  doc:close()
  local motion
  if moves then
    motion = {}
    for frame = 0, frames - 1 do motion[frame + 1] = { 0, moves * frame / (frames - 1), 0, 0 } end
  end
  return encoded(assert(lathe.new("hkx", { game = "skyrim-se", animation = { bones = { 0, 1, 2, 3, 4, 5 }, fps = 30,
    skeleton_name = "NPC Root", samples = samples, motion = motion,
    annotations = { { time = 0.5, text = "WaveTop" } } } })))
end

files["waved.hkx"] = function() return wave(31) end

-- ---- collision of a Zelda --------------------------------------------------------------------------

files["field.bphsh"] = function() return (phive.named "v22_strip") end
files["box.bphsh"] = function() return (phive.named "v22_box") end

return files
