-- Verbs of all animations on .anm files, where bones are in model space, one track for each, and loops last on behind their
-- last key frame.

local lathe = require "lathe"

local function moved(x, y, z)
  return { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1 }
end

-- Bone 1 stands at the start, 2 a metre above it, 3 a metre beside that one.
local function made(opts)
  local version, frames = opts.version or 11, {}
  for f = 1, 4 do
    frames[f] = { time = 100 * (f - 1), bone_matrices = { moved(f, 0, 0), moved(f, 1, 0), moved(f, 1, 1) } }
    if version >= 2 then frames[f].events = { { bone = f % 3, name = "step" .. f } } end
    if version >= 4 then frames[f].weights = { 1, 0.5, 0.25 } end
  end
  local new = assert(lathe.new("anm", { version = version, length = opts.length or 400, frames = frames }))
  return assert(lathe.parse(new:encode(), { format = "anm", history = 8 }))
end

local function times(doc)
  local out = {}
  for i, frame in ipairs(doc.frames) do out[i] = frame.time end
  return out
end

local function x_of(doc, bone)
  local out = {}
  for i, frame in ipairs(doc.frames) do out[i] = frame.bone_matrices[bone].translation.x end
  return out
end

local function events(doc)
  local out = {}
  for i, one in ipairs(doc.animations[1].annotations) do out[i] = ("%g %s"):format(one.time, one.text) end
  return table.concat(out, ", ")
end

local function bone(name, parent, t)
  return { name = name, parent = parent, pose = { t = t } }
end

local BODY = { bones = { bone("hip", -1, { 0, 0, 0 }), bone("chest", 0, { 0, 1, 0 }), bone("arm", 1, { 0, 0, 1 }) } }
-- The same bones in another order, and a tail.
local OTHER = { bones = { bone("tail", 3, { 0, 0, -2 }), bone("arm", 2, { 0, 0, 1 }), bone("chest", 3, { 0, 1, 0 }),
  bone("hip", -1, { 0, 0, 0 }) } }

describe("concat of .anm files", function()
  it("keeps the last key frame of a loop that lasts on behind it", function()
    local doc = made {}
    local before = doc:encode()
    local report = assert(doc:concat(made {}))
    assert.same({ 0, 100, 200, 300, 400, 500, 600, 700 }, times(doc))
    assert.same({ 1, 2, 3, 4, 1, 2, 3, 4 }, x_of(doc, 3))
    assert.equal(800, doc.length)
    assert.equal("0 step1, 0.1 step2, 0.2 step3, 0.3 step4, 0.4 step1, 0.5 step2, 0.6 step3, 0.7 step4", events(doc))
    assert.same({}, report.skipped)
    assert.is_true(doc:undo())
    assert(doc:encode() == before)
  end)

  it("makes one of the frames at the seam where the first ends with a key frame", function()
    local doc = made { length = 300 }
    assert(doc:concat(made { length = 300 }))
    assert.same({ 0, 100, 200, 300, 400, 500, 600 }, times(doc))
    assert.same({ 1, 2, 3, 1, 2, 3, 4 }, x_of(doc, 1))
    assert.equal(600, doc.length)
  end)
end)

describe("retarget of .anm files", function()
  it("has a matrix for each bone of the other skeleton, in its order", function()
    for version = 0, 11 do
      local doc = made { version = version }
      local before = doc:encode()
      local report = assert(doc:retarget { to = OTHER, from = BODY })
      assert.equal("bone numbers changed: other data that use them did not", report.skipped[1].reason)
      for i, frame in ipairs(doc.frames) do
        local at = {}
        for b, m in ipairs(frame.bone_matrices) do
          at[b] = { m.translation.x, m.translation.y, m.translation.z }
        end
        assert.same({ { i, 0, -2 }, { i, 1, 1 }, { i, 1, 0 }, { i, 0, 0 } }, at)
        if version >= 4 then assert.equal(4, frame.num_weights) end
      end
      if version >= 2 then assert.equal(2, doc.frames[1].events[1].bone) end
      local after = doc:encode()
      assert(assert(lathe.parse(after, { format = "anm" })):encode() == after)
      assert.is_true(doc:undo())
      assert(doc:encode() == before)
    end
  end)

  it("to its own skeleton changes no pose", function()
    local doc = made {}
    local before = doc.animations[1]:decode():totable()
    assert.same({}, assert(doc:retarget { to = BODY, from = BODY }).skipped)
    assert.same(before, doc.animations[1]:decode():totable())
  end)
end)

describe("what an .anm cannot hold", function()
  it("is refused, and nothing changes", function()
    local doc = made {}
    local before = doc:encode()
    local function refused(why, ...)
      assert.is_nil((...))
      assert.truthy(tostring((select(2, ...))):find(why, 1, true), tostring((select(2, ...))))
      assert(doc:encode() == before)
    end
    refused("the clip is in model space", doc:additive { against = "first" })
    refused("centre takes it out of them", doc:extract_root_motion { skeleton = BODY })
    refused("no bone that the clip moves is in the other skeleton",
      doc:retarget { to = { bones = { bone("wheel", -1, { 0, 0, 0 }) } }, from = BODY })
  end)
end)
