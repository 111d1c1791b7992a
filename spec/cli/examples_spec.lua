-- The example scripts, run by their names on the sample files. Each has a figure that other readers check: those in
-- spec/support, which share nothing with lathe, or arithmetic on bytes.
-- #tools: the verbs that scripts call have specs of their own, which run under sanitizers.

local catalog = require "lathe.cli.sandbox.catalog"
local fo4 = require "fo4_collision"
local glb = require "glb"
local helper = require "helper"
local hkx_reader = require "hkx_reader"
local nif_reader = require "nif_reader"
local packed_reader = require "packed_reader"
local reference = require "spline_reference"
local transcript = dofile "spec/cli/transcript.lua"

local folder, env

local function run(command)
  return helper.run(command, { cwd = folder, env = env })
end

-- Runs a command that must succeed; gives stdout and stderr.
local function must(command)
  local r = run(command)
  assert(r.code == 0, ("%s\nexit %d\n%s%s"):format(command, r.code, r.out, r.err))
  return r.out, r.err
end

-- The bytes of a sample, and of what a script made of it.
local function sample(name) return helper.read("scripts/examples/" .. name) end
local function result(name) return helper.read(folder .. "/" .. name) end

-- ---- other readers ----------------------------------------------------------------------------------------

local function members_of(bytes, class)
  local file = hkx_reader.read(bytes)
  for _, object in ipairs(file.objects) do
    if object.class == class then return file:members(object), file end
  end
  error("no " .. class)
end

local function clip_of(bytes) return members_of(bytes, "hkaSplineCompressedAnimation") end

local function texts_of(clip)
  local texts = {}
  for _, track in ipairs(clip.annotation_tracks) do
    for _, note in ipairs(track.annotations) do texts[#texts + 1] = ("%g %s"):format(note.time, note.text) end
  end
  return texts
end

local function blocks_of(bytes, type)
  local list = {}
  for _, block in ipairs(nif_reader.read(bytes).blocks) do
    if block.type == type then list[#list + 1] = block.values end
  end
  return list
end

local function system_of(bytes)
  return fo4.read(blocks_of(bytes, "bhkPhysicsSystem")[1].system)
end

local function three(bytes, at)
  local x, y, z = string.unpack(">fff", bytes, at)
  return { x, y, z }
end

-- The numbers of a .solid: coordinates of vertices, and of each triangle u and v of its corners.
local function solid_of(bytes)
  local vertices, triangles = string.unpack(">i2i2", bytes)
  local positions, uvs = {}, {}
  for i = 1, vertices do positions[i] = three(bytes, 5 + 12 * (i - 1)) end
  local at = 5 + 12 * vertices
  for i = 1, triangles do uvs[i] = { three(bytes, at + 36 * (i - 1) + 12), three(bytes, at + 36 * (i - 1) + 24) } end
  return positions, uvs
end

-- The volumes of an .fzx: label, where they are, and their size.
local function volumes_of(bytes)
  local _, count, at = string.unpack("<i4i4", bytes, 9)
  local list = {}
  for i = 1, count do
    local label, w, qx, qy, qz, x, y, z, sx, sy, sz
    label, w, qx, qy, qz, x, y, z, sx, sy, sz, at = string.unpack("<s4ffffffffff", bytes, at)
    list[i] = { label = label, rotation = { w, qx, qy, qz }, location = { x, y, z }, scale = { sx, sy, sz } }
  end
  return list
end

local function f32(value) return (string.unpack("<f", string.pack("<f", value))) end

-- ---- figures ------------------------------------------------------------------------------------------------

local figures = {}

figures["rescale-collision"] = function()
  must "lathe run @rescale-collision stock.nif careless.nif volumes.fzx -o out -- 1.5"
  local before, after = system_of(sample "stock.nif"), system_of(result "out/stock.nif")
  local points, larger = fo4.geometry(before.bodies[1].shape), fo4.geometry(after.bodies[1].shape)
  assert.equal(8, #points)
  for i, point in ipairs(points) do
    for axis = 1, 3 do assert.is_near(1.5 * point[axis], larger[i][axis], 1e-6) end
  end
  local old_mass, new_mass = before.bodies[1].motion.inverse_mass, after.bodies[1].motion.inverse_mass
  assert.is_near(1.5 ^ 3, old_mass / new_mass, 1e-5)
  for i, vertex in ipairs(blocks_of(sample "stock.nif", "BSTriShape")[1].vertices) do -- what is drawn stays
    assert.same(vertex.position, blocks_of(result "out/stock.nif", "BSTriShape")[1].vertices[i].position)
    if i == 50 then break end
  end
  assert.same({ 0, 0, 1.5 * 0.75 }, volumes_of(result "out/volumes.fzx")[1].location)

  must "lathe run @rescale-collision stock.nif -o kept -- 1.5 keep"
  assert.equal(old_mass, system_of(result "kept/stock.nif").bodies[1].motion.inverse_mass)
end

figures["slow-idles"] = function()
  must "lathe run @slow-idles idle_breathe.hkx wave.hkx -o out"
  local clip = clip_of(result "out/idle_breathe.hkx")
  assert.equal(2.5, clip.duration)                -- 2 s at 0.8 of the speed
  assert.equal(61, clip.num_frames)
  assert.same({ "0.625 SoundPlay.BreathIn", "1.875 SoundPlay.BreathOut" }, texts_of(clip))
  assert.equal(clip_of(sample "idle_breathe.hkx").data, clip.data)
  assert.is_false(helper.exists(folder .. "/out/wave.hkx"))
  must "lathe run @slow-idles idle_breathe.hkx -o half -- 50"
  assert.equal(4, clip_of(result "half/idle_breathe.hkx").duration)
end

figures["half-speed"] = function()
  must "lathe run @half-speed wave.hkx -o out"
  assert.equal(2, clip_of(result "out/wave.hkx").duration)
end

figures["swap-textures"] = function()
  must [[lathe run @swap-textures stock.nif -o out -- 'TEXTURES/workshop/*_d.dds' 'textures\new\*_c.dds']]
  assert.same({ [[textures\new\ash_c.dds]], [[textures\workshop\ash_n.dds]] },
    blocks_of(result "out/stock.nif", "BSShaderTextureSet")[1].textures)
end

figures["collision-material"] = function()
  must "lathe run @collision-material stock.nif -o out -- metal"
  local system = system_of(result "out/stock.nif")
  assert.equal(fo4.material_id "metal", system.bodies[1].shape.material)
  local r = run "lathe run @collision-material stock.nif -o other -- metal stone" -- the bar is not of stone
  assert.equal("0 changed, 1 unchanged, 0 failed\n", r.err)
end

figures["rename-annotations"] = function()
  must "lathe run @rename-annotations idle_breathe.hkx -o out -- 'SoundPlay.Breath*' 'SoundPlay.Sigh*'"
  assert.same({ "0.5 SoundPlay.SighIn", "1.5 SoundPlay.SighOut" }, texts_of(clip_of(result "out/idle_breathe.hkx")))
  must "lathe run @rename-annotations wave.hkx -o out -- WaveTop Hello"
  assert.same({ "0.5 Hello" }, texts_of(clip_of(result "out/wave.hkx")))
  must "lathe run @rename-annotations lift.anm -o out -- handclap cheer"
  assert.truthy(result "out/lift.anm":find("\5\0\0\0cheer", 1, true))
end

figures["broken-rules"] = function()
  local found = must "lathe run @broken-rules careless.nif stock.nif wave.hkx"
  local texture = blocks_of(sample "careless.nif", "BSShaderTextureSet")[1].textures[1]
  assert.equal([[C:\Work\My Mod\crate_d.dds]], texture)
  assert.equal(0, system_of(sample "careless.nif").bodies[1].shape.material)
  assert.equal("careless.nif: absolute-textures: blocks[3]: the diffuse texture has an absolute path: " .. texture ..
    "\ncareless.nif: collision-without-material: blocks[5].system.objects[2]: the shape has no material\n", found)
end

figures["mirror-clips"] = function()
  must "lathe run @mirror-clips idle_breathe.hkx --skeleton biped.hkx -o out"
  local skeleton = members_of(sample "biped.hkx", "hkaSkeleton")
  local number = {}
  for i, bone in ipairs(skeleton.bones) do number[bone.name] = i end
  local left, right = number["NPC L UpperArm [LUar]"], number["NPC R UpperArm [RUar]"]
  local before = reference.new(clip_of(sample "idle_breathe.hkx"))
  local after = reference.new(clip_of(result "out/idle_breathe.hkx"))
  for frame = 0, 60, 10 do
    local was, is, rest = before:at_frame(left, frame), after:at_frame(right, frame), after:at_frame(left, frame)
    for i, wanted in ipairs { -was[1], was[2], was[3], was[4], -was[5], -was[6], was[7] } do -- across the plane x = 0
      assert.is_near(wanted, is[i], 0.003)
    end
    assert.is_near(1, rest[7], 0.003)             -- the left arm rests now
  end
end

figures["raise-volumes"] = function()
  must "lathe run @raise-volumes volumes.fzx -o out -- 0.125 head"
  local before, after = volumes_of(sample "volumes.fzx"), volumes_of(result "out/volumes.fzx")
  assert.equal(3, #after)
  for i, volume in ipairs(after) do
    local rise = before[i].label == "head sphere" and 0.125 or 0
    assert.same({ before[i].location[1], before[i].location[2], f32(before[i].location[3] + rise) }, volume.location)
  end
  local _, err = must "lathe run @raise-volumes volumes.fzx -n -- 0.125 haed Chest"
  assert.equal("volumes.fzx: no volume of the part haed\n1 would change, 0 unchanged, 0 failed\n", err)
end

figures["le-to-se"] = function()
  must "lathe run @le-to-se wave_le.hkx skeleton.hkx -o out"
  local clip, file = clip_of(result "out/wave_le.hkx")
  assert.equal(8, file.pointer_size)
  local old, old_file = clip_of(sample "wave_le.hkx")
  assert.equal(4, old_file.pointer_size)
  assert.equal(old.data, clip.data)
  assert.equal(sample "wave.hkx", result "out/wave_le.hkx") -- which it was made of
  assert.is_false(helper.exists(folder .. "/out/skeleton.hkx"))
end

figures["triangle-counts"] = function()
  local function count(name) return blocks_of(sample(name), "BSTriShape")[1] end
  local stock, careless = count "stock.nif", count "careless.nif"
  local vertices, triangles = string.unpack(">i2i2", sample "crate.solid")
  assert.same({ 8, 12 }, { vertices, triangles })
  os.execute(("cp %s/careless.nif '%s/a, b \"c\".nif'"):format(helper.quote(folder), folder))
  local wanted = ("file,mesh,vertices,triangles\nstock.nif,Stock:0,%d,%d\n\"a, b \"\"c\"\".nif\",Crate:0,%d,%d\n" ..
    "crate.solid,solid,%d,%d\n"):format(stock.num_vertices, stock.num_triangles, careless.num_vertices,
    careless.num_triangles, 3 * triangles, triangles) -- each corner of a .solid has texture coordinates of its own
  local files = [[stock.nif wave.hkx 'a, b "c".nif' crate.solid]]
  assert.equal(wanted, must("lathe run @triangle-counts " .. files))
  must("lathe run @triangle-counts -o out " .. files .. " -- counts.csv")
  assert.equal(wanted, result "out/counts.csv")
end

-- A point as text, to a tenth.
local function spot(...)
  local parts = {}
  for i, value in ipairs { ... } do parts[i] = math.floor(10 * value + 0.5) end
  return table.concat(parts, " ")
end

figures["groups-to-glb"] = function()
  must "lathe run @groups-to-glb 0000E2DB_00000B1A_OC.nif stock.nif 0000E2DB_00000B1B_OC.nif -o out"
  local corners = {}
  for _, name in ipairs { "0000E2DB_00000B1A_OC.nif", "0000E2DB_00000B1B_OC.nif" } do
    for _, object in ipairs(packed_reader.read(sample(name))[1].objects) do
      for _, instance in ipairs(object.instances) do
        for _, triangle in ipairs(packed_reader.world(object, instance)) do
          for _, p in ipairs(triangle) do corners[#corners + 1] = spot(p[1], p[3], -p[2]) end -- y is up
        end
      end
    end
  end
  local drawn = {}
  for _, mesh in ipairs(glb.parse(result "out/groups.glb"):drawn()) do
    for _, i in ipairs(mesh.indices) do
      drawn[#drawn + 1] = spot(table.unpack(mesh.positions, 3 * i + 1, 3 * i + 3))
    end
  end
  assert.equal(5 * 12 * 3, #drawn)
  table.sort(corners)
  table.sort(drawn)
  assert.same(corners, drawn)
end

figures["missing-textures"] = function()
  -- Beside the files, some of the textures in a spelling of Windows.
  must "mkdir -p Data/Textures/WORKSHOP && touch Data/Textures/WORKSHOP/Ash_D.DDS Data/Textures/WORKSHOP/crate_n.dds"
  local named = {}
  for _, name in ipairs { "stock.nif", "careless.nif", "0000E2DB_00000B1A_OC.nif" } do
    for _, texture in ipairs(blocks_of(sample(name), "BSShaderTextureSet")[1].textures) do
      if texture ~= "" then named[texture] = name end
    end
  end
  for _, there in ipairs { [[textures\workshop\ash_d.dds]], [[textures\workshop\crate_n.dds]] } do
    assert.is_string(named[there])
    named[there] = nil
  end
  local lines = {}
  for texture, name in pairs(named) do lines[#lines + 1] = ("%s: %s\n"):format(texture, name) end
  table.sort(lines)
  assert.equal(3, #lines)
  local files = "stock.nif careless.nif 0000E2DB_00000B1A_OC.nif"
  assert.equal(table.concat(lines), must(("lathe run @missing-textures %s -- Data"):format(files)))
end

figures["flip-v"] = function()
  must "lathe run @flip-v crate.solid -o out"
  local _, before = solid_of(sample "crate.solid")
  local _, after = solid_of(result "out/crate.solid")
  for i, uv in ipairs(before) do
    assert.same({ uv[1], { 1 - uv[2][1], 1 - uv[2][2], 1 - uv[2][3] } }, after[i])
  end
end

figures["raise-model"] = function()
  must "lathe run @raise-model crate.solid -o out -- 10 z"
  local before, after = solid_of(sample "crate.solid"), solid_of(result "out/crate.solid")
  for i, p in ipairs(before) do assert.same({ p[1], p[2], p[3] + 10 }, after[i]) end
end

figures["list-labels"] = function()
  assert.equal("volumes.fzx\n  1  chest, box\n  2  head, sphere\n  3  upperarm l, capsule\n",
    must "lathe run @list-labels volumes.fzx")
end

figures["mirror-volumes"] = function()
  must "lathe run @mirror-volumes volumes.fzx -o out"
  local list = volumes_of(result "out/volumes.fzx")
  assert.equal(4, #list)
  assert.equal("R upperarm capsule", list[4].label)
  assert.same({ -list[3].location[1], list[3].location[2], list[3].location[3] }, list[4].location)
  local w, x, y, z = table.unpack(list[3].rotation)
  assert.same({ w, x, -y, -z }, list[4].rotation)
end

figures["turn"] = function()
  must "lathe run @turn stock.nif -o out"
  local height, widest, narrowest = 96, 0, math.huge
  for _, vertex in ipairs(blocks_of(result "out/stock.nif", "BSTriShape")[1].vertices) do
    local p = vertex.position
    local x, y, z = p.x or p[1], p.y or p[2], p.z or p[3]
    local radius = math.sqrt(x * x + y * y)
    if z == 0 then widest = math.max(widest, radius) end
    if math.abs(z - 0.55 * height) < 1 and radius > 0 then narrowest = math.min(narrowest, radius) end
  end
  assert.is_near(24, widest, 0.02)                -- the foot keeps its radius
  assert.is_near(24 * 0.32, narrowest, 0.1)       -- the neck below the collar has a third of it
  assert.is_near(1 / 6, system_of(result "out/stock.nif").bodies[1].motion.inverse_mass, 1e-6)
end

figures["unlock-levels"] = function()
  must "lathe run @unlock-levels progress.sav3 -o out -- castle village"
  local before, after = sample "progress.sav3", result "out/progress.sav3"
  assert.equal(1, select(2, after:gsub("village", "")))
  assert.equal(#before + 2 + #"castle", #after)    -- texts have 16 bits of length
  assert.truthy(after:find("village\6\0castle", 1, true))
end

figures["weld-report"] = function()
  local positions = solid_of(sample "crate.solid")
  assert.equal(("crate.solid: 0 of %d vertices lie on another one\n"):format(#positions),
    must "lathe run @weld-report crate.solid")
end

-- -------------------------------------------------------------------------------------------------------------

describe("example scripts #tools", function()
  local scripts = catalog.all()

  before_each(function()
    folder, env = transcript.folder()
    os.execute("rm " .. helper.quote(folder) .. "/*.*")
    os.execute(("cp %s/scripts/examples/*.* %s"):format(helper.quote(helper.root), helper.quote(folder)))
  end)

  for _, script in ipairs(scripts) do
    it(script.name .. " does what it says", function()
      assert(figures[script.name], "no figure")()
    end)
  end

  it("are told by their heads", function()
    local names = {}
    for _, script in ipairs(scripts) do
      names[script.name] = true
      for _, key in ipairs { "summary", "when", "files" } do
        assert.is_string(script[key], script.name)
        assert.is_nil(script[key]:match "^%l* ?$", script.name)
      end
      assert.matches("^%u%l+s .*%.$", script.summary, script.name)
      assert.is_true(#script.try > 0 and #script.samples > 0, script.name)
      assert.matches("lathe run @" .. script.name:gsub("%-", "%%-") .. " ", script.try[1])
      for _, argument in ipairs(script.arguments) do assert.is_truthy(argument.name and argument.doc, script.name) end
      local lines = select(2, helper.read(script.path):gsub("\n", ""))
      assert.is_true(lines <= 60, ("%s has %d lines"):format(script.file, lines))
    end
    for name in pairs(figures) do assert.is_true(names[name], name) end
  end)

  it("are all Lua files of the folder but the one that makes the samples", function()
    local others = {}
    for _, file in ipairs(helper.list("scripts/examples", "%.lua$")) do others[file] = true end
    for _, script in ipairs(scripts) do others[script.file] = nil end
    assert.same({ ["make.lua"] = true }, others)
  end)

  it("are copied with all that their commands to try need", function()
    for _, script in ipairs(scripts) do
      local try = helper.tmpdir()
      local lines = { "set -e", ("lathe examples %s -o ."):format(script.name) }
      for _, command in ipairs(script.try) do
        -- lathe diff exits with 1 because something differs
        lines[#lines + 1] = command:find "^lathe diff" and ("! %s || exit 9"):format(command) or command
      end
      local r = helper.run(table.concat(lines, "\n"), { cwd = try, env = env })
      assert(r.code == 0, ("%s: exit %d\n%s%s"):format(script.name, r.code, r.out, r.err))
    end
  end)

  it("leave files of other kinds alone", function()
    -- Of the arguments, any that the script takes.
    local arguments = { ["rescale-collision"] = "2", ["swap-textures"] = "a.dds b.dds", ["collision-material"] = "metal",
      ["rename-annotations"] = "a b", ["raise-volumes"] = "1", ["raise-model"] = "1", ["unlock-levels"] = "castle",
      ["missing-textures"] = "." }
    local only_its_sample = { turn = true, ["mirror-clips"] = true } -- one skeleton does not fit all animations
    for _, script in ipairs(scripts) do
      if not only_its_sample[script.name] then
        must(("lathe run @%s *.nif *.hkx *.anm *.phxbn *.fzx *.solid *.sav3 --skeleton biped.hkx -o out -n -- %s"):format(
          script.name, arguments[script.name] or ""))
      end
    end
  end)
end)

describe("example scripts on files of games #corpus #tools", function()
  before_each(function() folder, env = transcript.folder() end)

  local function absolute(path) return path:sub(1, 1) == "/" and path or helper.root .. "/" .. path end

  it("groups-to-glb draws all triangles of all groups", function()
    local corpus = absolute(helper.need_corpus("precombined", pending))
    local wanted = 0
    for _, name in ipairs(helper.list(corpus, "%.nif$")) do
      for _, block in ipairs((packed_reader.read(helper.read(corpus .. "/" .. name), {}))) do
        if block then wanted = wanted + select(2, packed_reader.totals(block)) end
      end
    end
    must(("lathe run @groups-to-glb %s -o out"):format(helper.quote(corpus)))
    local json, drawn = glb.parse(result "out/groups.glb").json, 0
    for _, node in ipairs(json.nodes) do
      for _, primitive in ipairs(node.mesh and json.meshes[node.mesh + 1].primitives or {}) do
        drawn = drawn + json.accessors[primitive.indices + 1].count // 3
      end
    end
    assert.is_true(wanted > 100000)
    assert.equal(wanted, drawn)
  end)

  it("le-to-se writes the same objects with pointers of eight bytes", function()
    local corpus = absolute(helper.need_corpus("hkx/skyrim-le", pending))
    must(("lathe run @le-to-se %s -o out"):format(helper.quote(corpus)))
    local names = helper.list(folder .. "/out")
    assert.is_true(#names > 3)
    for _, name in ipairs(names) do
      local old, new = hkx_reader.read(helper.read(corpus .. "/" .. name)), hkx_reader.read(result("out/" .. name))
      local classes = { {}, {} }
      for i, file in ipairs { old, new } do
        for k, object in ipairs(file.objects) do classes[i][k] = object.class end
        table.sort(classes[i])
      end
      assert.same({ 4, 8 }, { old.pointer_size, new.pointer_size }, name)
      assert.same(classes[1], classes[2], name)
    end
  end)
end)
