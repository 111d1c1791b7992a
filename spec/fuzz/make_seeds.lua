-- Writes what the fuzz targets start from: make_seeds.lua FOLDER makes FOLDER/solid, /fzx, /anm …
-- Samples in hex, and what our own writers make; the same bytes on every run.

package.path = package.path .. ";spec/support/?.lua"

local lathe = require "lathe"
local lfs = require "lfs"

local out = assert(arg[1], "usage: make_seeds.lua FOLDER")

local function folder(name)
  lfs.mkdir(out)
  lfs.mkdir(out .. "/" .. name)
  return function(seed, bytes)
    local f = assert(io.open(("%s/%s/%s"):format(out, name, seed), "wb"))
    f:write(bytes)
    f:close()
  end
end

-- Behavior graphs of all layouts, each behind the length of a script and in front of the script.
local function graphs(put, programs_of)
  local sample_graph, program = require "sample_graph", programs_of(29)
  for _, game in ipairs { "skyrim-le", "skyrim-se", "fallout4" } do
    for i, states in ipairs { 0, 1, 3 } do
      local fields = sample_graph.fields { game = game, states = states, events = 3, variables = i - 1 }
      local doc <close> = assert(lathe.new("hkx", fields))
      for k = 1, 4 do put(("%s_%d_%d"):format(game, states, k), "\24" .. doc:encode() .. program(24)) end
    end
  end
end

-- Gives a function that gives n bytes by chance: the same ones on every run.
local function programs(state)
  return function(n)
    local bytes = {}
    for i = 1, n do
      state = state * 6364136223846793005 + 1442695040888963407
      bytes[i] = string.char(state >> 56 & 255)
    end
    return table.concat(bytes)
  end
end

local function samples(put, name)
  for seed, bytes in pairs(require("sample_" .. name)) do put(seed, bytes) end
end

-- Textures of all kinds, behind a byte that limits their size.
local function textures(put, program)
  local dds = require "sample_dds"
  for _, code in ipairs { "DXT1", "DXT2", "DXT3", "DXT4", "DXT5", "BC4U", "BC4S", "BC5U", "BC5S" } do
    put(code, "\7" .. dds.code(code, 8, 8, program(128), { levels = 4 }))
  end
  for mode = 0, 7 do put("bc7_" .. mode, "\7" .. dds.dxgi(98, 4, 4, string.char(1 << mode) .. program(15))) end
  for _, number in ipairs { 24, 28, 49, 61, 65, 85, 87, 115 } do
    put("dxgi_" .. number, "\3" .. dds.dxgi(number, 5, 3, program(60), { alpha = number % 4 }))
  end
  put("masks", "\1" .. dds.masks(24, { 0xff, 0xff00, 0xff0000 }, 7, 3, program(63)))
  put("volume", "\9" .. dds.masks(8, { 255 }, 4, 4, program(40),
    { flags = 0x20000, depth = 2, caps2 = 0x200000, levels = 3 }))
  put("large", "\9" .. dds.code("DXT1", 65535, 65535, program(64), { levels = 16 }))
end

-- Compressed, with so many bytes of a dictionary in front.
local function compressed(put)
  local zstd, square = require "sample_zstd", require("sample_solid").square
  local function seed(name, bytes, dictionary)
    put(name, string.pack("<s1", dictionary or "") .. bytes)
  end
  seed("raw", zstd.frame(square, { sum = true }))
  seed("unsized", zstd.frame(square, { size = false, piece = 7 }))
  seed("several", zstd.frame(square:sub(1, 20), { single = true }) .. zstd.skippable "x" .. zstd.frame(square:sub(21)))
  seed("bomb", zstd.bomb(400000))
  seed("sized_bomb", zstd.bomb(250000, true))
  for name, dictionary in pairs { plain = false, raw_dictionary = square, dictionary = zstd.dictionary:sub(1, 255) } do
    local doc <close> = assert(lathe.parse(square, { dictionary = dictionary and { bytes = dictionary } or nil }))
    doc.compression = "zstd"
    seed("packed_" .. name, doc:encode(), dictionary or nil)
  end
end

-- Frames, tracks, options, how samples are made, and bytes that they are made of.
local function encodings(put)
  local bytes = programs(17)
  for how = 0, 7 do
    for i = 0, 3 do
      local head = string.pack("BBBBBBBBBBBB", 17 * i + 1 + how, i == 3 and 7 or 0, 1 + i % 3, how % 3,
        i == 1 and 5 or 0, how, 0, how, 5, how, how + 1, how & 2 | (i == 0 and how & 5 or 0))
      put(("samples_%d_%d"):format(how, i), head .. bytes(100))
    end
  end
end

local function solids(put)
  local grid = { vertices = {}, triangles = {} }
  for i = 0, 8 do grid.vertices[i + 1] = { i % 3, 0, i // 3 } end
  for i = 0, 3 do
    local a = i + i // 2
    table.insert(grid.triangles, { a = a, b = a + 1, c = a + 3, gx = { 0, 1, 0 } })
    table.insert(grid.triangles, { a = a + 4, b = a + 3, c = a + 1, gy = { 0.5, 0.25, 2 } })
  end
  put("grid", lathe.new("solid", grid):encode())
  grid.trailing = "behind the end"
  put("grid_trailing", lathe.new("solid", grid):encode())
  put("points", lathe.new("solid", { vertices = grid.vertices }):encode())
end

local function volumes(put)
  local objects = {}
  for _, label in ipairs { "L UpperArm Capsule M", "head sphere", "", "R  foot BOX x .001", ("x"):rep(255) } do
    objects[#objects + 1] = { label = label, location = { #objects, 0.5, -1 }, scale = { 1, 2, 3 } }
  end
  put("labels", lathe.new("fzx", { objects = objects }):encode())
  put("trailing", lathe.new("fzx", { objects = { objects[1] }, trailing = "\0\1\2FZX" }):encode())
end

local function animations(put)
  for version = 0, 11 do
    local frame = { bone_matrices = { {}, { translation = { 1, 2, 3 } } } }
    local since = {
      [2] = { "events", { { bone = 1, name = "golimp" }, {} } },
      [3] = { "ik_bones", { { path = { 0, 1 }, label = "leg" } } },
      [4] = { "weights", { 1, 0.5 } }, [5] = { "shape_keys", { { weight = 1, label = "ear" } } },
      [6] = { "status_keys", { { label = "fall" } } }, [7] = { "weapon_matrices", { {} } }, [9] = { "use_mobility", true },
    }
    for v, field in pairs(since) do
      if version >= v then frame[field[1]] = field[2] end
    end
    local fields = { version = version, length = 100, frames = { frame, { time = 50 } } }
    put("made_v" .. version, lathe.new("anm", fields):encode())
    if version >= 10 then
      fields.centered, frame.rotation, frame.center_offset, fields.trailing = true, 1, { 1, 2, 3 }, "end"
      put(("made_v%d_centered"):format(version), lathe.new("anm", fields):encode())
    end
  end
end

local function saves(put)
  local levels = {}
  for i, name in ipairs { "a", "b", "a", "" } do
    levels[i] = { save_name = name, values = { { key = "x", value = "1" }, { key = "x", value = "22" } } }
  end
  put("levels_v1", lathe.new("save", { version = 1, levels = levels }):encode())
  for i, level in ipairs(levels) do
    level.campaign_id, level.save_category = ("c"):rep(i), "linear_campaign"
    level.arrays = { { key = "l", values = { "one", "two" } }, { key = "l" }, { key = "m", values = { "" } } }
    level.int32_values = { p = i, q = -i }
  end
  put("levels_v3", lathe.new("save", { levels = levels, trailing = "\0\1" }):encode())
end

local function skeletons(put)
  local rigs = require "phxbn_rigs"
  for version = 5, 11 do
    for _, stage in ipairs { "control_joints", "create_bones" } do
      put(("made_v%d_%s"):format(version, stage), lathe.new("phxbn", rigs.biped(version, stage)):encode())
    end
  end
  local fields = rigs.biped(11, "control_joints")
  fields.version, fields.laid_out_as = 10, 11
  put("made_v10_as_v11", lathe.new("phxbn", fields):encode())
  put("made_v8_unknown", lathe.new("phxbn", rigs.biped(8, "animate")):encode() .. "x")
end

-- Packfiles of every layout: skeletons, clips of every kind, objects that nobody knows. They are small.
local function packfiles(put)
  local hkx = require "sample_hkx"
  local layouts = {
    le = { game = "skyrim-le" }, se = { game = "skyrim-se" }, fo4 = { game = "fallout4" },
    embedded = { game = "fallout4", embedded = true }, le_big = { game = "skyrim-le", endian = ">" },
    fo4_big = { game = "fallout4", endian = ">" },
  }
  for name, layout in pairs(layouts) do
    local function with(opts)
      for key, value in pairs(layout) do opts[key] = value end
      return opts
    end
    local last = hkx.opaque("hkThing", 1, ("z"):rep(16))
    put(name .. "_opaque", (hkx.build(hkx.root { { "x", "hkThing", hkx.opaque("hkThing", 1, ("\0"):rep(32),
      { { 0, 16 } }, { { 8, last } }) }, { "y", "hkThing", last }, { "none", "hkThing" } }, layout)))
    put(name .. "_skeleton", (hkx.skeleton(with { bones = { "A", { name = "B", lock = 1 } }, float_slots = { "f", "" },
      mappers = { { 1, 1, { chains = { { 0, 1, 0, 1 } }, unmapped = { 1 } } } } })))
    put(name .. "_clip", (hkx.clip(with { tracks = 2, frames = 4, floats = { 1 }, motion = true, resource = false,
      annotations = { { time = 0, text = "t" }, { track = 1, time = 1, text = "" } }, track_names = { "x", false } })))
    put(name .. "_plain", (hkx.clip(with { kind = "interleaved", tracks = 1, frames = 2, resource = false })))
  end
  put("fo4_collision", require "hkx_every_class".new(lathe, 1):encode())
  local convex = require "convex_hex"
  for _, name in ipairs { "box", "sphere", "capsule" } do put("fo4_" .. name, convex[name]) end
  put("fo4_lossless", (hkx.clip { kind = "lossless", frames = 2, resource = false,
    tracks = { { translation = { x = 1, z = { 1, 2 } }, rotation = { 0, 0, 0, 1 }, scale = { z = { 3, 4 } } } } }))
end

-- The same as Havok XML, and what other writers do.
local function texts(put)
  local hkx = require "sample_hkx"
  for name, layout in pairs { se = { game = "skyrim-se" }, fo4 = { game = "fallout4" } } do
    local function text(seed, bytes)
      local doc <close> = assert(lathe.parse(bytes))
      local xml = assert(doc:serialize { as = "xml" })
      put(name .. seed, xml)
      put(name .. seed .. "_bare", (xml:gsub("<!%-%-.-%-%->", ""):gsub("\n\t*", ""):gsub(' numelements="%d+"', "")))
    end
    text("_skeleton", (hkx.skeleton { game = layout.game, bones = { "A", { name = "B", lock = 1 } },
      float_slots = { "f", "" }, mappers = { { 1, 1, { chains = { { 0, 1, 0, 1 } }, unmapped = { 1 } } } } }))
    text("_clip", (hkx.clip { game = layout.game, tracks = 1, frames = 2, resource = false,
      annotations = { { time = 0, text = "a<b" } } }))
    text("_graph", lathe.new("hkx", { game = layout.game, objects = {
      { class = "hkRootLevelContainer", named_variants = { { name = "hkbBehaviorGraph", variant = 2 } } },
      { class = "hkbBehaviorGraph", name = "Graph.hkb", root_generator = 3, data = 4 },
      { class = "hkbStateMachine", name = "Machine", states = { 5 } },
      { class = "hkbBehaviorGraphData", event_infos = { {} }, variable_infos = { {} } },
      { class = "hkbStateMachineStateInfo", name = "State", state_id = 1, enable = true },
    } }):encode())
  end
end

-- Collision of Fallout 4, every kind of shape, and a ragdoll of Skyrim's.
local function collision(put)
  for _, game in ipairs { "skyrim-le", "skyrim-se" } do
    put("ragdoll_" .. game, require("sample_ragdoll").new(lathe, game):encode())
  end
  for name, blob in pairs((require("sample_collision").blobs())) do put("hknp_" .. name, blob) end
end

-- The same and scenes of it, each as it is and with a few damages: its last bytes say what.
local function damaged(put)
  local program = programs(7)
  local files, sample = (require("sample_collision").blobs()), require "sample_collision"
  for _, name in ipairs { "box", "everything" } do
    files[name .. "_nif"] = sample.nif({ { name = "Root", body = 0 } }, files[name])
  end
  files.scene_nif = sample.scene()
  files.ground = sample.system { { shape = sample.ground(3) } }
  files.ragdoll = require("sample_ragdoll").new(lathe):encode()
  local names = {}
  for name in pairs(files) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    put(name, files[name] .. ("\0"):rep(24))
    for i = 1, 3 do put(name .. "_" .. i, files[name] .. program(24)) end
  end
end

-- Scenes of every game: the blocks of everyday, and others by chance. They are small.
local function scenes(put)
  local nif = require "sample_nif"
  put("fo4_collision", (require("sample_collision").scene()))
  for name, bytes in pairs(require "nif_hex") do put(name .. "_hex", bytes) end
  local usual = { "NiNode", "BSTriShape", "NiTriShape", "NiTriShapeData", "BSLightingShaderProperty",
    "BSShaderTextureSet", "NiAlphaProperty", "NiSkinInstance", "NiSkinPartition", "bhkRigidBody", "bhkBoxShape",
    "BSConnectPoint::Parents", "NiTransformData", "NiPSysData", "BSSubIndexTriShape", "bhkConvexVerticesShape",
    "BSFurnitureMarkerNode" }
  for _, game in ipairs(nif.all_names) do
    for i = 1, #usual, 4 do
      local names = table.move(usual, i, math.min(i + 3, #usual), 1, {})
      local opts = nif.random_file(names, nif.setting(game), nif.rng(i))
      put(("%s_%d"):format(game, i), (nif.build(opts)))
    end
    put(game .. "_nodes", (nif.build { game = game, trailing = "x", blocks = {
      { type = "NiNode", name = "a", children = { 1, 2 } }, { type = "NiNode", name = "b" },
      { type = "NiNobody", bytes = "0123" } } }))
  end
end

-- Shared geometry: both forms, chunks that are stored, gaps, and rows over several chunks.
local function geometry(put)
  local reader, sample = require "geometry_reader", require "sample_geometry"
  for _, name in ipairs { "plain", "packed", "empty_plain", "empty_packed" } do put(name, sample[name]) end
  local file = reader.read(sample.plain)
  put("stored", reader.packed(file))
  file.gap, file.tail = "gap", "tail"
  put("untidy", reader.packed(file))
  local long = { rows = { { 0, 0x0000100000000002, 12000, 0 }, { 96000, 0x0000100000000002, 1000, 3 } } }
  long.stream = ("\0<\0\0\0@\0\0"):rep(13000) .. "\0\0\1\0\2\0"
  put("long", lathe.parse(reader.plain(long)):encode())
  local doc = lathe.parse(reader.plain(long))
  doc:convert { to = "csg" }
  put("long_packed", doc:encode())
end

-- Blocks of precombined geometry of every layout, each with a few scripts of edits: choices (also of the type), length of
-- the script, block, script.
local function packed_blocks(put)
  local made, nif, program = require "sample_packed", require "sample_nif", programs(5)
  local setting = nif.setting("fo4", { strings = { "PCD" } })
  for _, layout in ipairs { "inline", "shared", "inline+table" } do
    for i, name in ipairs { made.INLINE, made.SHARED } do
      for half = 0, layout == "shared" and 0 or 1 do
        local block = made.block(name, layout, { made.object(made.FULL, 3), made.object(made.LONG, 4),
          made.object(made.SHORT, 3) }, half == 1)
        local bytes = nif.record(name, block, setting, { arg = block.layout_bits })
        for k = 0, 3 do
          put(("%s_%d_%d_%d"):format(layout, i, half, k),
            string.pack("BB", i - 1 | 2 * k, 40 * k) .. bytes .. program(40 * k))
        end
      end
    end
  end
  put("none", string.pack("BB", 0, 40) .. nif.record(made.INLINE, made.block(made.INLINE, "inline", {}), setting,
    { arg = 1 }) .. program(40))
  put("short", "\0\0" .. ("\0"):rep(31))
end

-- Tagfiles of classes that no game has; put_edits gets the same with scripts of edits behind them.
local function tagfiles(put, put_edits)
  local sample, random_file, program = require "sample_tagfile", require "sample_tagfile_random", programs(3)
  local function both(name, bytes)
    put(name, bytes)
    for i = 0, 2 do put_edits(("%s_%d"):format(name, i), string.char(80 * i) .. bytes .. program(80 * i)) end
  end
  for _, entry in ipairs(sample.all()) do
    if #entry.bytes < 8000 then both(entry.name, entry.bytes) end
  end
  for seed = 1, 12 do both("random_" .. seed, random_file(seed)) end
  for _, bad in ipairs(sample.damaged()) do put("bad_" .. bad.name:gsub("%W", "_"), bad.bytes) end
  put("compendium", (sample.compendium()))
end

-- Phive shapes of every variant, with damages of every kind, and small ones that say more than they hold.
local function phive_shapes(put, put_edits)
  local program = programs(5)
  for _, good in ipairs(require("sample_phive").all()) do
    if #good.bytes < 10000 then
      put(good.name, good.bytes)
      put_edits(good.name, string.char(200) .. good.bytes .. program(200))
    end
  end
  for _, list in ipairs { require "sample_phive_bad"(), require "sample_phive_faults"() } do
    for _, bad in ipairs(list) do put("bad_" .. bad.name, bad.bytes) end
  end
  for i, one in ipairs(require "sample_phive_hostile") do put("hostile_" .. i, one.build(8)) end
end

-- Something in every corner of the made-up formats.
local RICH = {
  nested = {
    texts = { fixed = "eight", zero = "z", line = "a line", short_text = "12345" },
    blob = "opaque",
    points = { { id = 1, pos = { 1, 2, 3 } }, { id = 2, colour = "blue" } },
    shared = { left = { 1, 2 }, names = { "a", "b" }, right = { { 1, 2 }, { 3, 4 } } },
    groups = { { id = 1, name = "g", items = { { id = 2, text = "t", values = { 3, 4 } }, { id = 5 } } } },
    choice = { mode = 3, side = 2 },
    tree = { value = 1, children = { { value = 2, children = { { value = 3 } } }, { value = 4 } } },
  },
  pack = { sections = { { text = "a", values = { 1, 2 } }, { text = "bad" } } },
  parts = { chunks = {
    { id = 1, name = "first", cells = { { id = 1, x = 0.5 }, { id = 2 } }, note = "a note" },
    { id = 2, has_inner = 1, inner = { sections = { { text = "in", values = { 7 } } } } },
  } },
  keys = {
    tags = { a = { bits = 1 }, b = {} },
    groups = { { name = "g", note = "n", values = { { key = "k", value = "1" }, { key = "k", value = "2" } },
      lists = { { key = "l", texts = { "x", "y" } }, { key = "l", texts = { "z" } } }, numbers = { p = 1, q = -1 } },
      { name = "g" } },
  },
  laid = { aligned_list = { { a = 1 } }, placed_list = { { a = 2 } } },
}
RICH.nested_big = RICH.nested

-- The first byte is twice the format's number, and 1 more for a new document that the rest edits.
local function made_up(put)
  local program = programs(1)
  for number = 0, 9 do
    for length = 0, 40, 20 do
      put(("new_%d_%d"):format(number, length), string.char(2 * number + 1) .. program(length))
    end
  end
  local module = (os.getenv("LATHE_BUILD") or "build") .. "/spec/lathe/core.so"
  local open = package.loadlib(module, "luaopen_lathe_core")
  if not open then return end                     -- only with the module of the made-up formats
  local core = open()
  for i, format in ipairs(core.formats()) do
    put("default_" .. format.name, string.char(2 * (i - 1)) .. core.new(format.name):encode())
    local doc, why = core.new(format.name, RICH[format.name])
    if not doc then io.stderr:write("make_seeds: no rich ", format.name, ": ", tostring(why), "\n") end
    if doc then put("rich_" .. format.name, string.char(2 * (i - 1)) .. doc:encode()) end
  end
end

--- Dice for descriptions of packfiles: what they are does not matter, only that they differ.
local function dice(put)
  local state = 1
  for i = 1, 24 do
    local bytes = {}
    for k = 1, 100 * i do
      state = (state * 1103515245 + 12345) % 2147483648
      bytes[k] = string.char(state // 65536 % 256)
    end
    put("dice_" .. i, table.concat(bytes))
  end
end

-- Animations of each format that writes them, and scripts.
local function clip_edits(put)
  local hkx, program = require "sample_hkx", programs(7)
  local function add(number, name, bytes)
    for i = 0, 2 do put(("%s_%d"):format(name, i), string.char(number, 80 * i) .. bytes .. program(80 * i)) end
  end
  animations(function(name, bytes) add(0, "anm_" .. name, bytes) end)
  for _, game in ipairs { "skyrim-le", "skyrim-se", "fallout4" } do
    for _, kind in ipairs { "spline", "interleaved", game == "fallout4" and "lossless" or nil } do
      add(1, ("%s_%s"):format(game, kind), (hkx.clip { game = game, kind = kind, tracks = 3, frames = 6,
        floats = { 1 }, motion = true, resource = false, annotations = { { time = 0.1, track = 1, text = "t" } } }))
    end
  end
  tagfiles(function() end, function(name, bytes) put("tag_" .. name, "\2" .. bytes) end)
end

-- Documents of all formats that have a scene, behind the number of their format.
local function all_scenes(put)
  local hkx, number = require "sample_hkx", {}
  for i, format in ipairs(lathe.formats()) do number[format.name] = string.char(i - 1) end
  local function of(format)
    return function(seed, bytes) put(format .. "_" .. seed, number[format] .. bytes) end
  end
  solids(of "solid")
  volumes(of "fzx")
  animations(of "anm")
  skeletons(of "phxbn")
  packfiles(of "hkx")
  collision(of "hkx")
  scenes(of "nif")
  tagfiles(of "tagfile", function() end)
  phive_shapes(of "bphsh", function() end)
  for _, kind in ipairs { "spline", "interleaved" } do
    of "hkx"("clip_" .. kind, (hkx.clip { game = "skyrim-se", kind = kind, tracks = 3, frames = 6, floats = { 1 },
      motion = true, annotations = { { time = 0.1, track = 1, text = "t" } } }))
  end
end

local put = folder "solid"
samples(put, "solid")
solids(put)
compressed(folder "zstd")
textures(folder "dds", programs(11))
put = folder "raster"
for i = 1, 6 do put(i, programs(i)(1500)) end
put = folder "fzx"
samples(put, "fzx")
volumes(put)
put = folder "save"
samples(put, "save")
saves(put)
put = folder "anm"
samples(put, "anm")
animations(put)
put = folder "phxbn"
samples(put, "phxbn")
skeletons(put)
graphs(folder "graph", programs)
put = folder "hkx"
packfiles(put)
texts(folder "xml")
dice(folder "hkx_new")
collision(put)
damaged(folder "collision")
scenes(folder "nif")
geometry(folder "geometry")
packed_blocks(folder "packed")
tagfiles(folder "tagfile", folder "tagfile_edit")
phive_shapes(folder "bphsh", folder "bphsh_edit")
clip_edits(folder "clip_edit")
encodings(folder "encode")
all_scenes(folder "scene")
made_up(folder "engine")
