-- Every .phxbn of the corpus against its figures, and every malformed one.
-- #corpus: pending, loudly, where there is none.

local figures = require "wolfire_figures"
local helper = require "helper"
local json = require "dkjson"
local lathe = require "lathe"

local each, exactly = figures.each, figures.exactly

local STAGES = { nothing = -1, create_bones = 0, control_joints = 1, animate = 2, pose_weights = 3 }
local JOINTS = { hinge = 0, amotor = 1, fixed = 2 }

-- Rows of numbers, or nothing in both.
local function rows(wanted, got, label)
  if not wanted then return assert.is_nil(got, label) end
  assert.equal(#wanted, #got, label)
  for i, row in ipairs(wanted) do exactly(row, got[i]) end
end

local function numbers(wanted, got, label)
  if not wanted then return assert.is_nil(got, label) end
  assert.same(wanted, got:totable(), label)
end

local function joints(wanted, got)
  if not wanted then return assert.is_nil(got) end
  assert.equal(#wanted, #got)
  for i, joint in ipairs(wanted) do
    assert.equal(joint.type, JOINTS[got[i].type])
    assert.same(joint.bones, got[i].bone:totable())
    exactly(joint.stop or {}, got[i].stop or {})
    exactly(joint.axis or {}, got[i].axis or {})
  end
end

local function chains(wanted, got)
  if not wanted then return assert.is_nil(got) end
  assert.equal(#wanted, #got)
  for i, ik in ipairs(wanted) do
    assert.same({ ik.bone, ik.chain, figures.bytes(ik.name) },
      { got[i].bone_id, got[i].chain_length, got[i].name })
  end
end

describe("the corpus of .phxbn #corpus", function()
  it("is kept to the byte", function()
    each(pending, "wolfire/phxbn", "phxbn", figures.keeps)
  end)

  it("reads as it is stored", function()
    each(pending, "wolfire/phxbn", "phxbn", function(doc, name, path)
      local raw = figures.read(path, name, "raw")
      assert.same({ raw.version, raw.rigging_stage, raw.trailing_bytes },
        { doc.version, STAGES[doc.rigging_stage], #doc.trailing })
      for _, field in ipairs { "points", "bone_ends", "bone_com", "bone_mats", "weights" } do
        rows(raw[field], doc[field], field)
      end
      rows(raw.weight_bone_ids, doc.bone_ids, "bone_ids")
      for _, field in ipairs { "point_parents", "bone_parents", "hier_parents" } do
        numbers(raw[field], doc[field], field)
      end
      if raw.bone_mass then exactly(raw.bone_mass, doc.bone_mass) else assert.is_nil(doc.bone_mass) end
      joints(raw.joints, doc.joints)
      chains(raw.ik, doc.ik_bones)
      helper.count("phxbn", name)
    end)
  end)

  it("has as many face corners as its models, also where no file says so", function()
    local solved = 0
    each(pending, "wolfire/phxbn", "phxbn", function(doc, name, path)
      local corners = assert(json.decode(helper.read(path .. "/corners.json")))[name]
      if not doc.weights then return assert.is_nil(doc.num_vertices) end
      assert.equal(corners, doc.num_vertices)
      if doc.version >= 11 then return end
      solved = solved + 1
      local told <close> = assert(lathe.open(path .. "/" .. name, { num_vertices = corners }))
      assert.equal(corners, told.num_vertices)
    end)
    assert.equal(13, solved)
  end)

  it("means what the game makes of it", function()
    each(pending, "wolfire/phxbn", "phxbn", function(doc, name, path)
      local engine = figures.read(path, name, "engine")
      local bones = doc.skeletons[1].bones
      for i, mirror in ipairs(engine.symmetry) do assert.equal(mirror, bones[i].mirror) end
      assert.equal(#engine.symmetry, #bones)
      for i, parent in ipairs(engine.hier_parents or {}) do assert.equal(parent, bones[i].parent) end
      for ik, chain in pairs(engine.simple_ik_bones) do -- a repeated name counts once, as the last
        assert(bones[chain.bone + 1].name, ik)
      end
    end)
  end)

  it("has the matrices and centres of the game once it is of version 11", function()
    each(pending, "wolfire/phxbn", "phxbn", function(doc, name, path)
      if doc.version >= 9 then return end
      local engine, version = figures.read(path, name, "engine"), doc.version
      assert(doc:set_version(11))
      for i, want in ipairs(engine.bone_mats) do
        local have = { table.unpack(doc.bone_mats[i]) }
        for lane = 13, 15 do have[lane] = want[lane] end -- the middle, which files leave out
        figures.near(want, have, "matrix of bone " .. i)
      end
      if version < 7 then rows(engine.bone_com, doc.bone_com, "centres") end
      if #engine.point_parents > 0 then numbers(engine.point_parents, doc.point_parents) end
      if doc.hier_parents then assert.same(doc.hier_parents:totable(), doc.bone_parents:totable()) end
      assert.is_true(doc:check())
    end)
  end)

  it("goes to every version and back", function()
    each(pending, "wolfire/phxbn", "phxbn", function(doc, name, path)
      local bytes, from = helper.read(path .. "/" .. name), doc.version
      if from > 11 then return end
      for to = from, 11 do
        assert(doc:set_version(to))
        local again <close> = assert(lathe.parse(doc:encode(), { format = "phxbn" }))
        assert.same({ to, doc.num_vertices }, { again.version, again.num_vertices })
      end
      assert(doc:set_version(from))
      assert.equal(bytes, doc:encode())
    end)
  end)
end)

local OUTSIDE = ": the game looks outside of its memory"
local UNKNOWN = "error trailing at 0x8fc: no one number of face corners makes sense of the %d bytes behind the bones"

local BAD = {
  ["phxbn_bone_end_range.phxbn"] = {
    "error bone_ends[1].start at 0x170: point 500 of 22" .. OUTSIDE,
    "error bone_ends[1].finish at 0x174: point -3 of 22" .. OUTSIDE,
  },
  ["phxbn_empty.phxbn"] = "rigging_stage at 0x0: truncated: 0 bytes",
  ["phxbn_huge_points.phxbn"] =
    "points at 0xc: 357913942 elements of at least 12 bytes do not fit into 3489 bytes",
  ["phxbn_joint_type.phxbn"] = "joints[1].type at 0xad8: unknown joint type 77",
  ["phxbn_neg_bones.phxbn"] = "num_bones at 0x16c: negative count -7",
  ["phxbn_neg_points.phxbn"] = "num_points at 0x8: negative count -1",
  ["phxbn_stage5_v5.phxbn"] = { "warning rigging_stage at 0x0: 5 is no known rigging_stage" },
  ["phxbn_trunc_points.phxbn"] = "points at 0xc: 22 elements of at least 12 bytes do not fit into 48 bytes",
  ["phxbn_trunc_tail.phxbn"] = "ik_bones[6].name at 0xda8: 5 bytes needed, 0 left",
  ["phxbn_v11_body_labelled_v10.phxbn"] = {
    "warning version at 0x0: labelled 10, laid out as 11: the game reads weights from the wrong place",
  },
  ["phxbn_v9_extra.phxbn"] = { UNKNOWN:format(1081) },
  ["phxbn_v9_trunc.phxbn"] = { UNKNOWN:format(1078) },
  ["phxbn_version_only.phxbn"] = "rigging_stage at 0x4: 4 bytes needed, 0 left",
  ["phxbn_vertex_count_off3.phxbn"] = "joints[1].type at 0xa78: unknown joint type 1097859072",
  ["phxbn_vertex_count_wrong.phxbn"] =
    "weights at 0x900: 9999 elements of at least 16 bytes do not fit into 1197 bytes",
}

describe("the bad files of phxbn #corpus", function()
  for _, case in ipairs(figures.bad_files({ "phxbn" }, BAD)) do
    it(case.title, function() case.run(pending) end)
  end
end)
