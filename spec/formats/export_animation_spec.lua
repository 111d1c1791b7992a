-- Skeletons and animations as glTF: figures of accessors against those of the documents.

local clip = require "lathe.export.clip"
local glb = require "glb"
local helper = require "helper"
local lathe = require "lathe"
local lfs = require "lfs"

local CORPUS = helper.corpus_root
local LANES = { translation = { 0, 3 }, rotation = { 3, 4 }, scale = { 7, 3 } }

local folder, docs

local function open(name, skeleton)
  local rig = skeleton and assert(lathe.open(CORPUS .. "/" .. skeleton))
  local doc = assert(lathe.open(CORPUS .. "/" .. name, { skeleton = rig }))
  docs[#docs + 1], docs[#docs + 2] = doc, rig
  return doc
end

local function export(what, name, opts)
  local path = folder .. "/" .. name
  local report = assert(lathe.export(what, path, opts))
  return glb.parse(helper.read(path)), report, path
end

-- Nodes by name, and the number of each.
local function nodes_of(file)
  local by_name, numbers = {}, {}
  for i, node in ipairs(file.json.nodes) do by_name[node.name], numbers[node.name] = node, i - 1 end
  return by_name, numbers
end

local function as_f32(v) return (string.unpack("<f", string.pack("<f", v))) end

local REST = { translation = { 0, 0, 0 }, rotation = { 0, 0, 0, 1 }, scale = { 1, 1, 1 } }

-- Every number of every key: those of channels, and the rest pose of nodes that have none.
local function same_as(file, animation, one)
  local channels, times = {}, nil
  for _, channel in ipairs(animation.channels) do
    local sampler = animation.samplers[channel.sampler + 1]
    assert.equal("LINEAR", sampler.interpolation)
    local keys = file:values(sampler.output)
    channels[channel.target.node .. channel.target.path] = keys
    local input = file:values(sampler.input)
    if #input > 1 then times = input end
  end
  local _, numbers = nodes_of(file)
  local n, checked = #one.bones, 0
  for i, name in ipairs(one.bones) do
    local node = file.json.nodes[numbers[name] + 1]
    for path, lane in pairs(LANES) do
      local first, width = lane[1], lane[2]
      local keys = channels[numbers[name] .. path] or node[path] or REST[path]
      for frame = 0, one.frame_count - 1 do
        local row = { one.samples:row(frame * n + i) }
        local at, sign = #keys > width and frame * width or 0, 1
        if path == "rotation" and not channels[numbers[name] .. path] then
          local dot = 0
          for k = 1, 4 do dot = dot + keys[k] * row[3 + k] end
          sign = dot < 0 and -1 or 1
        end
        for k = 1, width do
          local off = math.abs(as_f32(sign * keys[at + k]) - row[first + k])
          if off > 1e-6 then
            error(("%s %s frame %d: %g, not %g"):format(name, path, frame, keys[at + k], row[first + k]))
          end
          checked = checked + 1
        end
      end
    end
  end
  for i, time in ipairs(times or {}) do assert.equal(as_f32(one.times[i]), time) end
  return checked
end

-- Clips of the corpus, each with the skeleton that fits.
local function clips()
  local list = {}
  local rigs = { [21] = "wolfire/phxbn/lite_animate_v11.phxbn", [43] = "wolfire/phxbn/full_v10.phxbn" }
  for _, game in ipairs { "fo4", "skyrim-le", "skyrim-se" } do
    for file in lfs.dir(CORPUS .. "/hkx/" .. game) do
      local doc = file:match "%.hkx$" and lathe.open(CORPUS .. "/hkx/" .. game .. "/" .. file)
      if doc and #doc.animations > 0 then
        list[#list + 1] = { "hkx/" .. game .. "/" .. file, "hkx/" .. game .. "/skeleton.hkx" }
      end
      if doc then doc:close() end
    end
  end
  for file in lfs.dir(CORPUS .. "/wolfire/anm") do
    if file:match "%.anm$" then
      local doc <close> = assert(lathe.open(CORPUS .. "/wolfire/anm/" .. file))
      list[#list + 1] = { "wolfire/anm/" .. file, rigs[#doc.animations[1].tracks] }
    end
  end
  list[#list + 1] = { "tagfile/DSR_a00_0000.hkx", "tagfile/DSR_Skeleton.hkx" }
  table.sort(list, function(a, b) return a[1] < b[1] end)
  return list
end

describe("an exported animation #corpus", function()
  before_each(function()
    folder, docs = helper.tmpdir(), {}
  end)
  after_each(function()
    for _, doc in ipairs(docs) do doc:close() end
  end)

  it("has the numbers of every clip, and passes the validator", function()
    local paths, checked = {}, 0
    local list = clips()
    assert.equal(41, #list)
    for i, names in ipairs(list) do
      local doc = open(names[1], names[2])
      local file, report, path = export(doc, i .. ".glb")
      assert.same({ 1, 0 }, { report.clips, report.meshes })
      assert.equal(1, #file.json.animations)
      checked = checked + same_as(file, file.json.animations[1], assert(clip.of(doc.animations[1])))
      paths[#paths + 1] = path
    end
    assert.equal(2005000, checked)
    glb.validate(paths, { " info UNUSED_OBJECT /skins/0 " })
  end)

  it("has bones as they rest, one skin of all, and what glTF has no place for", function()
    local doc = open("hkx/fo4/Death1.hkx", "hkx/fo4/skeleton.hkx")
    local file = export(doc, "death.glb", { scale = "metres" })
    local nodes, numbers = nodes_of(file)
    local rig = clip.skeleton(doc.animations[1].skeleton)
    assert.same({ 95, 1 }, { #file.json.skins[1].joints, #file.json.skins })
    for i, bone in ipairs(rig.bones) do
      assert.equal(numbers[bone.name], file.json.skins[1].joints[i])
      for k = 1, 3 do assert.near(bone.pose.t[k], (nodes[bone.name].translation or { 0, 0, 0 })[k], 1e-9) end
    end
    local root = file.json.nodes[1]
    assert.same({ "Death1", 0.0142875, "Root" }, { root.name, root.scale[1], root.extras.lathe.skeleton })
    assert.same({ "z", 0.0142875, 95 },
      { root.extras.lathe.up, root.extras.lathe.metres, #root.extras.lathe.bones })
    assert.same({ numbers["root motion"] }, root.children)
    assert.same({ numbers.Root }, nodes["root motion"].children)
    local animation = file.json.animations[1]
    local extras = animation.extras.lathe
    assert.same({ "Death1", "hkx", "Fallout 4", "hkaSplineCompressedAnimation", 81, false, 5, 95, { 0, 0, 1 } },
      { animation.name, extras.format, extras.game, extras.class, extras.frame_count, extras.looping,
        #extras.annotations, #extras.tracks, extras.root_motion.up })
    assert.near(doc.animations[1].duration, extras.duration, 1e-12)
    assert.same(doc.animations[1].annotations[2].text, extras.annotations[2].text)
  end)

  it("moves a node of its own where there is root motion", function()
    local doc = open("hkx/fo4/run_forward_to_idle.hkx", "hkx/fo4/skeleton.hkx")
    local file = export(doc, "run.glb")
    local _, numbers = nodes_of(file)
    local motion = doc.animations[1].root_motion
    file:stand(1, doc.animations[1].duration)
    local pose = file.posed[numbers["root motion"]]
    local x, y, z, angle = motion:row(motion.rows)
    assert.is_true(math.abs(y) > 50)
    assert.same({ x, y, z }, pose.translation)
    assert.near(math.sin(angle / 2), pose.rotation[3], 1e-6)
  end)

  it("has float tracks and hints", function()
    local doc = open("hkx/skyrim-le/1hm_staggerbacksmallest.hkx", "hkx/skyrim-le/skeleton.hkx")
    local extras = export(doc, "a.glb").json.animations[1].extras.lathe
    assert.same({ 4, "hkVis:Shield", 38 },
      { #extras.float_tracks, extras.float_tracks[1].name, #extras.float_tracks[1].values })
    local added = open("hkx/skyrim-le/SOSFastErect.hkx", "hkx/skyrim-le/skeleton.hkx")
    assert.equal("additive", export(added, "b.glb").json.animations[1].extras.lathe.additive)
  end)

  it("is one of several in a file, which is the same to the byte every time", function()
    local first = open("hkx/fo4/Death1.hkx", "hkx/fo4/skeleton.hkx")
    local second = open "hkx/fo4/SneakIdle.hkx"
    local rig = open "hkx/fo4/skeleton.hkx"
    local file, report, path = export({ first, second }, "moves.glb", { skeleton = rig })
    assert.same({ 2, 95 }, { report.clips, report.bones })
    assert.same({ "Death1", "SneakIdle" }, { file.json.animations[1].name, file.json.animations[2].name })
    same_as(file, file.json.animations[2], clip.of(second.animations[1], { skeleton = rig }))
    local again = assert(lathe.export(first, folder .. "/again.glb",
      { skeleton = rig, clips = { second.animations[1], clip.of(second.animations[1], { skeleton = rig }) } }))
    assert.equal(3, again.clips)
    local bytes = helper.read(path)
    export({ first, second }, "moves.glb", { skeleton = rig })
    assert.equal(bytes, helper.read(path))
    glb.validate({ path, folder .. "/again.glb" }, { " info UNUSED_OBJECT /skins/0 " })
  end)

  it("may be a skeleton alone", function()
    local file, report = export(open "tagfile/DSR_Skeleton.hkx", "rig.glb")
    assert.same({ 0, 84 }, { report.clips, report.bones })
    assert.is_nil(file.json.animations)
    assert.equal(84, #file.json.skins[1].joints)
  end)

  it("says what is missing", function()
    local doc = open "hkx/fo4/Death1.hkx"
    local _, err = lathe.export(doc, folder .. "/x.glb")
    assert.equal(folder .. "/x.glb: its tracks have no bone names: give a skeleton (--skeleton FILE)", tostring(err))
    local rig = { bones = { { name = "a", parent = 1 }, { name = "b", parent = 0 } } }
    _, err = lathe.export(rig, folder .. "/x.glb")
    assert.equal(folder .. "/x.glb: bone 'a' is its own ancestor", tostring(err))
    assert.is_false(helper.exists(folder .. "/x.glb"))
  end)
end)

describe("a skinned body that an animation moves #corpus", function()
  before_each(function()
    folder, docs = helper.tmpdir(), {}
  end)
  after_each(function()
    for _, doc in ipairs(docs) do doc:close() end
  end)

  -- How far corners of both files are from each other at most.
  local function apart(a, b)
    local p, q, most = a:drawn()[1].positions, b:drawn()[1].positions, 0
    assert.equal(#p, #q)
    for i = 1, #p do most = math.max(most, math.abs(p[i] - q[i])) end
    return most
  end

  it("stands at rest as the mesh does, and moves with bones that only the mesh has", function()
    local doc = open("hkx/fo4/Death1.hkx", "hkx/fo4/skeleton.hkx")
    local body = open "nif/fo4_VanillaMaleBody.nif"
    local file, report, path = export(doc, "guessed.glb", { mesh = body })
    assert.same({ 1, 1, 2698 }, { report.clips, report.meshes, report.triangles })
    assert.equal("35 bones that the skeleton lacks are fixed to the bones whose names theirs extend: Chest_Rear_Skin, "
      .. "Chest_skin, Chest_Upper_skin, LArm_Collarbone_skin, LArm_ForeArm1_skin, LArm_ForeArm2_skin, "
      .. "LArm_ForeArm3_skin, LArm_UpperArm_skin, and 27 more; a second skeleton, the model's own, would place them",
      report.notes[1].reason)
    local told, knows, other = export(doc, "told.glb",
      { mesh = body, skeleton = { doc.animations[1].skeleton, open "nif-fo4-collision/skeleton.nif" } })
    assert.same({}, knows.notes)
    assert.near(0, apart(file, told), 0.01)
    file:stand(1, 0)
    told:stand(1, 0)
    assert.near(0, apart(file, told), 3) -- what is only near may hang from another bone
    glb.validate { path, other }
  end)

  it("falls, and lies", function()
    local doc = open("hkx/fo4/Death1.hkx", "hkx/fo4/skeleton.hkx")
    local file = export(doc, "death.glb", { mesh = open "nif/fo4_VanillaMaleBody.nif" })
    local heights = {}
    for i, time in ipairs { 0, 0.6, 1.2, 1.8, 2.6 } do
      file:stand("Death1", time)
      local list, low, high = file:drawn()[1].positions, math.huge, -math.huge
      for k = 2, #list, 3 do low, high = math.min(low, list[k]), math.max(high, list[k]) end
      heights[i] = math.floor(high - low)
      assert.is_true(low > -15 and low < 15)
    end
    assert.same({ 114, 108, 66, 63, 38 }, heights)
  end)
end)
