-- Skeletons of Overgrowth as doc.skeletons gives those of every format.

local checks = require "format_checks"
local lathe = require "lathe"
local rigs = require "phxbn_rigs"
local sample = require "sample_phxbn"

describe("phxbn skeletons", function()
  it("have parents, the other side, names and poses", function()
    for version = 5, 11 do
      for _, stage in ipairs { "control_joints", "create_bones" } do
        local doc <close> = assert(lathe.new("phxbn", rigs.biped(version, stage)))
        assert.equal(1, #doc.skeletons)
        local bones = doc.skeletons[1].bones
        local parents, mirrors = {}, {}
        for i, bone in ipairs(bones) do parents[i], mirrors[i] = bone.parent, bone.mirror end
        assert.same({ -1, 0, 1, 1, 1 }, parents, version .. stage)
        assert.same({ 0, 1, 2, 4, 3 }, mirrors)
        assert.equal(version >= 10 and "head" or nil, bones[3].name)
        local pose = bones[2].pose                 -- straight up, a metre above the first one
        for i, want in ipairs { 0, 0, 1 } do assert.near(want, pose.t[i], 1e-6) end
        for i, want in ipairs { 0, 0, 0, 1 } do assert.near(want, pose.q[i], 1e-6) end
      end
    end
  end)

  it("are not to be had from bones between points that are not there", function()
    local doc <close> = checks.open("phxbn", sample.v11)
    doc.bone_ends[2].finish = 7
    local ok, err = pcall(function() return doc.skeletons[1].bones end)
    assert.is_false(ok)
    assert.truthy(tostring(err):find("bone 1 lies between points that are not there", 1, true))
  end)
end)
