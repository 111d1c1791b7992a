-- Skeletons that come back into Overgrowth's .phxbn, whose bones lie between points.

local apply = require "lathe.import.apply"
local clip = require "lathe.export.clip"
local figures = require "wolfire_figures"
local helper = require "helper"
local lathe = require "lathe"
local rigs = require "phxbn_rigs"

local folder

local function biped() return assert(lathe.new("phxbn", rigs.biped(11, "control_joints"))) end

local function point(doc, i)
  local p = doc.points[i]
  return { p.x, p.y, p.z }
end

local function near(want, got, most)
  for k, v in ipairs(want) do assert.near(v, got[k], most or 1e-6) end
end

describe("a skeleton into .phxbn", function()
  before_each(function() folder = helper.tmpdir() end)

  local function check(doc)
    local before = doc:encode()
    assert(lathe.export(doc, folder .. "/rig.glb"))
    local rig = assert(lathe.import(folder .. "/rig.glb", { what = "skeleton", like = doc }))
    assert.same({}, rig.report.missing)
    assert(apply.skeleton(doc, rig))
    assert.is_true(before == doc:encode())
  end

  it("comes back as it was, to the byte", function()
    for version = 5, 11 do check(assert(lathe.new("phxbn", rigs.biped(version, "control_joints")))) end
  end)

  it("of the corpus comes back, to the byte #corpus", function()
    figures.each(pending, "wolfire/phxbn", "phxbn", check)
  end)

  it("takes a scale as doc:scale does", function()
    local doc <close> = biped()
    local scaled <close> = biped()
    assert(scaled:scale { factor = 0.5, mass = "keep" })
    assert(apply.skeleton(doc, clip.skeleton(scaled)))
    for i = 1, #doc.points do near(point(scaled, i), point(doc, i)) end
    for i = 1, #doc.bone_com do
      local a, b = scaled.bone_com[i], doc.bone_com[i]
      near({ a.x, a.y, a.z }, { b.x, b.y, b.z })
    end
  end)

  it("turns a bone about the point that it hangs on, its centre of mass with it", function()
    local doc <close> = biped()
    local rig = clip.skeleton(doc)
    -- The left arm, from 0, 2, 0 along x: down now. Its middle hangs on the chest's, half a metre lower.
    local chest = biped()
    chest.points[5] = { 0, 1.5, 0 }
    rig.bones[4].pose = clip.skeleton(chest).bones[4].pose
    assert(apply.skeleton(doc, rig))
    near({ 0, 1.5, 0 }, point(doc, 5))
    near({ 0, 2, 0 }, point(doc, 3))
    near({ -0.5, 2, 0 }, point(doc, 6))
    near({ 0, 1.75, 0 }, { doc.bone_com[4].x, doc.bone_com[4].y, doc.bone_com[4].z })
  end)

  it("is refused, and nothing changes, where bones no longer meet", function()
    local doc <close> = biped()
    local before, rig = doc:encode(), clip.skeleton(doc)
    rig.bones[3].pose.t[1] = rig.bones[3].pose.t[1] + 0.25
    local made, err = apply.skeleton(doc, rig)
    assert.is_nil(made)
    assert.equal("bones 1 and 2 ('head') meet in point 2, and stand 0.25 apart in the file", err.message)
    assert.is_true(before == doc:encode())
  end)

  it("comes in by the command", function()
    local doc <close> = biped()
    local like = folder .. "/a.phxbn"
    assert(doc:save(like))
    doc:scale { factor = 3 }
    assert(lathe.export(doc, folder .. "/a.glb"))
    local r = helper.lathe({ "import", folder .. "/a.glb", "--like", like, "--scale", "1", "-o", folder .. "/b.phxbn" })
    assert.same({ 0, "" }, { r.code, r.err })
    local made <close> = assert(lathe.open(folder .. "/b.phxbn"))
    near({ 0, 9, 0 }, point(made, 4))
    assert.same({ 0.0, 0.0, 0.0 }, point(made, 1))
    assert.equal(5, made.bone_mass[1])
  end)
end)
