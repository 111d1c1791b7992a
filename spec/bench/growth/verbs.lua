-- Lines of verbs: each of each format, on the largest list that it goes through.

local growth = require "growth"
local large = require "sample_large"
local lathe = require "lathe"
local packed = require "sample_packed"

local FRAMES = { 250, 1000, 4000, 16000 }
local FIELD = { 256, 1024, 4096, 16384 }
local SHORT = { 500, 2000, 8000, 32000 } -- their numbers have 16 bits

-- ---- what has the verbs ----------------------------------------------------------------------------

local function samples(n)
  local list = {}
  for f = 0, n - 1 do
    for bone = 1, 3 do
      for _, x in ipairs { f % 50 * bone, 1, f % 7, 0, 0, 0, 1, 1, 1, 1 } do list[#list + 1] = x end
    end
  end
  return lathe.buffer("f32", 3 * n, 10, list)
end

-- mirror: the bone on the other side.
local function bone(name, parent, x, mirror)
  return { name = name, parent = parent, mirror = mirror, pose = { t = { x, 0, 0 } } }
end

local SKELETON = { bones = { bone("Root", -1, 0, 0), bone("Arm L", 0, 1, 2), bone("Arm R", 0, -1, 1) } }
local OTHER = { bones = { bone("Root", -1, 0, 0), bone("Arm R", 0, -2, 2), bone("Arm L", 0, 2, 1) } }

local function moving(n)
  return assert(lathe.new("hkx", { game = "skyrim-se", skeleton = { name = "Root", bones = {
    bone("Root", -1, 0), bone("Arm L", 0, 1), bone("Arm R", 0, -1) } },
    animation = { bones = { 0, 1, 2 }, samples = samples(n), duration = n / 30 } }))
end

local function anm(n)
  local frames = {}
  for f = 1, n do
    frames[f] = { time = 33 * (f - 1), bone_matrices = { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, f, 0, 0, 1 },
      { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, f + 1, 0, 0, 1 }, { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, f - 1, 0, 0, 1 } },
      events = { { bone = 0, name = "step" } }, weights = { 1, 0.5, 0.5 } }
  end
  return assert(lathe.new("anm", { version = 11, length = 33 * n, frames = frames }))
end

local function centred(n)
  local doc = anm(n)
  assert(doc:centre())
  return doc
end

local function field(n)
  local positions, indices, side = {}, {}, math.floor((n / 2) ^ 0.5)
  for z = 0, side do
    for x = 0, side do positions[#positions + 1] = { x, (x * z) % 3, z } end
  end
  for z = 0, side - 1 do
    for x = 0, side - 1 do
      local a = z * (side + 1) + x
      for _, i in ipairs { a, a + 1, a + side + 1, a + 1, a + side + 2, a + side + 1 } do indices[#indices + 1] = i end
    end
  end
  return { positions = positions, indices = indices }
end

local function bphsh(n) return assert(lathe.new("bphsh", { mesh = field(n) })) end

local function nif(n)
  local blocks = {}
  for i = 1, n do blocks[i + 1] = { type = "BSShaderTextureSet", textures = { "a" .. i .. ".dds" } } end
  blocks[1] = { type = "NiNode", name = "Root", translation = { 1, 2, 3 } }
  local doc = assert(lathe.new("nif", { bs_version = 100, blocks = blocks, footer = { roots = { 0 } } }))
  doc:edit(function() for i = 1, n do doc.strings:append("String " .. i) end end)
  return doc
end

local function precombined(n)
  local objects = {}
  for i = 1, n // 4 do objects[i] = packed.object(packed.LONG, 4) end
  return packed.scene { packed.block(packed.INLINE, "inline", objects) }
end

local function save(n)
  local levels = {}
  for i = 1, n do levels[i] = { save_name = "Level " .. i, values = { { key = "old " .. i, value = "x" } } } end
  return assert(lathe.new("save", { version = 3, levels = levels }))
end

local function fzx(n)
  local objects = {}
  for i = 1, n do objects[i] = { label = "L Arm " .. i .. " capsule ", rotation = { w = 1 }, scale = { 1, 1, 1 } } end
  return assert(lathe.new("fzx", { objects = objects }))
end

local function phxbn(n)
  local points, bones = {}, {}
  for i = 1, n do
    points[i] = { 0, i, 0 }
    if i > 1 then bones[i - 1] = { ends = { i - 2, i - 1 } } end
  end
  return assert(lathe.new("phxbn", { version = 8, points = points, bones = bones }))
end

local function opener(key, format, make)
  return function(n) return assert(lathe.parse(growth.bytes(key, n, make), { format = format })) end
end

local MAKE = {
  hkx = opener("moving", "hkx", moving), anm = opener("posed", "anm", anm),
  centred = opener("centred", "anm", centred), bphsh = opener("field", "bphsh", bphsh),
  nif = opener("texts", "nif", nif), shape = opener("shape", "nif", large.shape),
  packed = opener("packed", "nif", precombined), save = opener("levels", "save", save), fzx = opener("volumes", "fzx", fzx),
  phxbn = opener("points", "phxbn", phxbn),
  solid = opener("shell", "solid", large.solid),
}

-- ---- the lines ---------------------------------------------------------------------------------------

local lines = {}

-- options: make, as above (none: the format's), sizes, with (more that run needs), changed (false: it may change nothing).
local function line(format, verb, run, options)
  options = options or {}
  local make = MAKE[options.make or format]
  lines[#lines + 1] = {
    name = ("%s: %s%s"):format(format, verb, options.label or ""),
    covers = { format .. ":" .. verb },
    sizes = options.sizes,
    open = options.open,
    make = function(n)
      local doc = make(n)
      local with = options.with and options.with(n)
      return { doc = doc, before = doc:encode(), with = with, close = function() doc:close() end }
    end,
    run = function(it, n) return assert(run(it.doc, it.with, n)) end,
    check = function(_, it)
      assert((it.doc:encode() ~= it.before) == (options.changed ~= false), "changed nothing, or something")
    end,
  }
end

-- Of animations of n frames.
local function motion(format, verb, run, options)
  options = options or {}
  options.sizes = FRAMES
  line(format, verb, run, options)
end

local function clip(doc) return doc.animations[1] end

for format, skeleton in pairs { hkx = false, anm = SKELETON } do
  skeleton = skeleton or nil
  local own = { make = format == "anm" and "centred" or nil }
  local extracts = { make = own.make, changed = format ~= "anm" } -- centre has taken all of it
  local function with(options)
    options.skeleton = skeleton
    return options
  end
  motion(format, "retime", function(doc) return doc:retime { speed = 2 } end)
  motion(format, "scale", function(doc) return doc:scale(2) end)
  motion(format, "trim", function(doc) return doc:trim(0, clip(doc).duration / 2) end)
  motion(format, "reverse", function(doc) return doc:reverse() end)
  motion(format, "resample", function(doc) return doc:resample(15) end)
  motion(format, "concat", function(doc) return doc:concat(doc) end)
  motion(format, "mirror", function(doc) return doc:mirror(with {}) end)
  motion(format, "root_motion", function(doc) return doc:root_motion(with { extract = true }) end, extracts)
  motion(format, "extract_root_motion", function(doc) return doc:extract_root_motion(with {}) end, extracts)
  motion(format, "bake_root_motion", function(doc)
    assert(doc:extract_root_motion(with {}))
    return doc:bake_root_motion(with {})
  end, own)
  motion(format, "retarget", function(doc) return doc:retarget { to = OTHER, from = skeleton } end)
  motion(format, "offset", function(doc) return doc:offset(with { bone = 1, t = { 1, 2, 3 } }) end)
  motion(format, "loop", function(doc) return doc:loop(4) end)
  motion(format, "blend", function(doc) return doc:blend(doc, 0.5) end, { changed = false })
  motion(format, "encode", function(doc) return clip(doc):encode() end, { changed = format == "hkx" })
  motion(format, "write", function(doc) return clip(doc):write(clip(doc):decode()) end, { changed = false })
end
motion("hkx", "additive", function(doc) return doc:additive { against = "first" } end)
motion("hkx", "normal", function(doc, other)
  assert(doc:additive { pose = other })
  return doc:normal { pose = other }
end, { with = MAKE.hkx })
motion("anm", "rename", function(doc) return doc:rename("step", "jump") end)
motion("anm", "centre", function(doc) return doc:centre() end)
motion("anm", "uncentre", function(doc) return doc:uncentre() end, { make = "centred" })
motion("anm", "set_version", function(doc) return doc:set_version(10) end)

line("bphsh", "set_mesh", function(doc, with) return doc:set_mesh(with) end, { sizes = FIELD, with = function(n)
  local mesh = field(n)
  mesh.positions[1] = { 0.5, 1, 0.5 }
  return mesh
end })
line("bphsh", "set_materials", function(doc) return doc:set_materials("*", "Wood") end, { sizes = FIELD })
line("bphsh", "scale", function(doc) return doc:scale(2) end, { sizes = FIELD })
line("bphsh", "transform", function(doc) return doc:transform { translation = { 1, 2, 3 } } end, { sizes = FIELD })

line("nif", "scale", function(doc) return doc:scale(2) end, { make = "shape" })
line("nif", "recompute", function(doc) return doc:recompute "normals" end, { make = "shape", changed = false })
line("nif", "set_materials", function(doc) return doc:set_materials("a*.dds", "b*.dds") end)
line("nif", "remove_unused_strings", function(doc) return doc:remove_unused_strings() end)
line("nif", "transform", function(doc) return doc:transform { translation = { 1, 2, 3 } } end, { make = "packed" })
line("nif", "convert", function(doc, with) return doc:convert { to = "shared", into = with } end, { make = "packed",
  with = function() return assert(lathe.new("geometry", {}, { path = "Some - Geometry.csg" })) end })

line("save", "rename", function(doc) return doc:rename("old 7", "new 7") end, { sizes = SHORT })
line("save", "set_version", function(doc) return doc:set_version(1) end, { sizes = SHORT })
line("fzx", "scale", function(doc) return doc:scale(2) end)
line("fzx", "mirror", function(doc) return doc:mirror() end)
line("fzx", "rename", function(doc) return doc:rename("L Arm 7 capsule ", "M Arm 7 capsule ") end)
line("phxbn", "scale", function(doc) return doc:scale(2) end)
line("phxbn", "set_version", function(doc) return doc:set_version(9) end)
line("solid", "scale", function(doc) return doc:scale(2) end, { sizes = SHORT })
line("solid", "bounding_sphere", function(doc) return doc:bounding_sphere() end, { sizes = SHORT, changed = false,
  open = "positions are sorted, three times and more" })

return lines
