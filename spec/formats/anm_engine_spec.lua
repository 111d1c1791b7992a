-- Maths of .anm against the game's own: what its loader makes of files, what it shows between key frames,
-- what it writes back. #corpus: pending, loudly, where there is none.

local figures = require "wolfire_figures"
local helper = require "helper"
local lathe = require "lathe"

local each, near = figures.each, figures.near

-- Quaternions of either sign stand for one rotation.
local function near_turn(wanted, got, label)
  local dot = 0
  for i = 1, 4 do dot = dot + wanted[i] * got[i] end
  local sign = dot < 0 and -1 or 1
  near(wanted, { sign * got[1], sign * got[2], sign * got[3], sign * got[4] }, label)
end

local function near_poses(wanted, list, member, label)
  assert.equal(#wanted, #(list or {}), label)
  for i, pose in ipairs(wanted) do
    local m = member and list[i][member] or list[i]
    near(pose.t, m.translation, ("%s %d: place"):format(label, i))
    near_turn(pose.q_xyzw, m.rotation, ("%s %d: rotation"):format(label, i))
  end
end

local function near_keys(wanted, keys, label)
  assert.equal(#wanted, #(keys or {}), label)
  for i, key in ipairs(wanted) do
    assert.equal(figures.bytes(key.label), keys[i].label, label)
    near({ key.weight }, { keys[i].weight }, label)
  end
end

-- The columns of a mobility matrix as the game has them in memory.
local function mobility(m)
  local out = {}
  for i = 1, 4 do out[i], out[12 + i] = m[i], m[12 + i] end
  for i = 1, 4 do out[4 + i], out[8 + i] = m[8 + i], -m[4 + i] end
  return out
end

local function near_frame(wanted, frame, start, label)
  assert.equal(wanted.time, frame.time - start, label)
  near(wanted.weights, frame.weights or {}, label .. ": weights")
  near_poses(wanted.bones, frame.bone_matrices, nil, label .. ": bone")
  near_poses(wanted.weapons, frame.weapon_matrices, "matrix", label .. ": weapon")
  assert.equal(wanted.use_mobility, frame.use_mobility, label)
  if wanted.mobility then near(wanted.mobility, mobility(frame.mobility_matrix), label .. ": mobility") end
  near_keys(wanted.shape_keys, frame.shape_keys, label .. ": shape")
  near_keys(wanted.status_keys, frame.status_keys, label .. ": status")
  near({ wanted.rotation }, { frame.rotation }, label .. ": heading")
  near(wanted.center_offset, frame.center_offset, label .. ": offset")
end

-- Times that many times longer: what was a fraction of the duration is whole ms.
local function stretch(doc, times)
  doc:edit(function()
    for _, frame in ipairs(doc.frames) do frame.time = frame.time * times end
    if doc.start then doc.start = doc.start * times end
    doc.length = doc.length * times
  end)
end

local function relative(skeleton, matrices)
  local list = {}
  for i, parent in ipairs(skeleton) do
    local m = matrices[i]
    local t, q = { m.translation.x, m.translation.y, m.translation.z }, m.rotation
    local own = { q.x, q.y, q.z, q.w }
    if parent >= 0 then
      local p = matrices[parent + 1]
      local r = p.rotation
      local x, y, z, w = -r.x, -r.y, -r.z, r.w
      local vx, vy, vz = t[1] - p.translation.x, t[2] - p.translation.y, t[3] - p.translation.z
      local cx, cy, cz = 2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)
      t = { vx + w * cx + y * cz - z * cy, vy + w * cy + z * cx - x * cz, vz + w * cz + x * cy - y * cx }
      own = { w * q.x + x * q.w + y * q.z - z * q.y, w * q.y - x * q.z + y * q.w + z * q.x,
        w * q.z + x * q.y - y * q.x + z * q.w, w * q.w - x * q.x - y * q.y - z * q.z }
    end
    list[i] = { t = t, q = own }
  end
  return list
end

local function unit(q)
  local length = math.sqrt(q[1] ^ 2 + q[2] ^ 2 + q[3] ^ 2 + q[4] ^ 2)
  return { q[1] / length, q[2] / length, q[3] / length, q[4] / length }
end

describe("the game's own figures of .anm #corpus", function()
  it("are those of centred files", function()
    each(pending, "wolfire/anm", "anm", function(doc, name, path)
      local wanted = figures.read(path, name, "engine")
      assert(doc:centre())
      local start = doc.start or 0
      assert.equal(wanted.length, doc.length - start)
      assert.equal(wanted.looping, doc.looping)
      assert.equal(#wanted.keyframes, #doc.frames)
      for i, frame in ipairs(wanted.keyframes) do
        near_frame(frame, doc.frames[i], start, ("frames[%d]"):format(i))
      end
    end)
  end)

  it("are those of its rewritten files, also in size", function()
    local pairs_seen = 0
    each(pending, "wolfire/anm/engine_rewrite", "anm", function(theirs, name, path)
      local source = path:gsub("/engine_rewrite$", "") .. "/" .. name:gsub("%.engine", "")
      local ours <close> = assert(lathe.open(source))
      assert(ours:centre())
      assert(ours:set_version(11))
      assert.equal(theirs.size, ours.size)
      assert.same({ theirs.version, theirs.centered, theirs.looping, theirs.length },
        { ours.version, ours.centered, ours.looping, ours.length })
      for i, frame in ipairs(theirs.frames) do
        local own, label = ours.frames[i], ("frames[%d]"):format(i)
        assert.equal(frame.time, own.time)
        near(frame.weights:totable(), own.weights, label)
        for b, m in ipairs(frame.bone_matrices) do
          near({ table.unpack(m, 1, 16) }, own.bone_matrices[b], label .. ": bone " .. b)
        end
        for w, weapon in ipairs(frame.weapon_matrices) do
          local mine = own.weapon_matrices[w]
          near({ table.unpack(weapon.matrix, 1, 16) }, mine.matrix, label .. ": weapon")
          assert.same({ weapon.relative_id, weapon.relative_weight }, { mine.relative_id, mine.relative_weight })
        end
        assert.equal(frame.use_mobility, own.use_mobility)
        if frame.use_mobility then
          near({ table.unpack(frame.mobility_matrix, 1, 16) }, own.mobility_matrix, label .. ": mobility")
        end
        assert.same(frame.events:totable(), own.events:totable())
        for k, chain in ipairs(frame.ik_bones) do
          assert.same({ chain.label, chain.path:totable() },
            { own.ik_bones[k].label, own.ik_bones[k].path:totable() })
        end
        near_keys(frame.shape_keys:totable(), own.shape_keys, label)
        near_keys(frame.status_keys:totable(), own.status_keys, label)
        near({ frame.rotation }, { own.rotation }, label .. ": heading")
        near({ table.unpack(frame.center_offset, 1, 3) }, own.center_offset, label .. ": offset")
      end
      pairs_seen = pairs_seen + 1
    end)
    if helper.corpus_root then assert.equal(13, pairs_seen) end
  end)

  it("are those of samples between key frames", function()
    local seen = 0
    each(pending, "wolfire/anm", "anm", function(doc, name, path)
      if not figures.exist(path, name, "samples") then return end
      local wanted, buffer = figures.read(path, name, "samples"), nil
      assert(doc:centre())
      local anim = doc.animations[1]
      for _, s in ipairs(wanted.samples) do
        buffer = anim:sample({ time = s.normalized * anim.duration }, buffer, { skeleton = wanted.parents })
        for i, bone in ipairs(s.bones) do
          local row, label = { buffer:row(i) }, ("%.3f, bone %d"):format(s.normalized, i - 1)
          near(bone.t, { row[1], row[2], row[3] }, label)
          near_turn(bone.q_xyzw, { row[4], row[5], row[6], row[7] }, label)
          near({ 1, 1, 1 }, { row[8], row[9], row[10] }, label)
        end
      end
      seen = seen + 1
    end)
    if helper.corpus_root then assert.equal(4, seen) end
  end)

  it("are those of resampled files", function()
    each(pending, "wolfire/anm", "anm", function(doc, name, path)
      if not figures.exist(path, name, "samples") then return end
      local wanted = figures.read(path, name, "samples")
      assert(doc:centre())
      stretch(doc, #wanted.samples)
      local report = assert(doc:resample(1000 / wanted.length, { skeleton = wanted.parents }))
      assert.same({}, report.skipped)
      for k, s in ipairs(wanted.samples) do
        local frame, label = doc.frames[k], ("%s, frame %d"):format(name, k)
        assert.equal((k - 1) * wanted.length, frame.time - (doc.start or 0))
        near(s.weights, frame.weights, label .. ": weights")
        near({ s.rotation }, { frame.rotation }, label .. ": heading")
        near(s.center_offset, frame.center_offset, label .. ": offset")
        near_keys(s.shape_keys, frame.shape_keys, label .. ": shape")
        near_keys(s.status_keys, frame.status_keys, label .. ": status")
        for i, pose in ipairs(relative(wanted.parents, frame.bone_matrices)) do
          near(s.bones[i].t, pose.t, ("%s: bone %d"):format(label, i - 1))
          near_turn(unit(s.bones[i].q_xyzw), pose.q, ("%s: bone %d"):format(label, i - 1))
        end
      end
    end)
  end)

  it("come back from centring", function()
    each(pending, "wolfire/anm", "anm", function(doc)
      if doc.centered then return end
      local before = doc:totable()
      assert(doc:centre())
      assert.is_true(doc.centered)
      assert(doc:uncentre())
      assert.is_false(doc.centered)
      for i, frame in ipairs(before.frames) do
        for b, m in ipairs(frame.bone_matrices) do
          near({ table.unpack(m, 1, 16) }, doc.frames[i].bone_matrices[b], ("frames[%d], bone %d"):format(i, b))
        end
      end
    end)
  end)

  it("stay through reversing twice", function()
    each(pending, "wolfire/anm", "anm", function(doc)
      local before = doc:encode()
      assert(doc:reverse())
      assert(doc:reverse())
      if not doc.centered then return assert.equal(before, doc:encode()) end
      local first <close> = assert(lathe.parse(before, { format = "anm" }))
      for i, frame in ipairs(first.frames) do
        near({ table.unpack(frame.center_offset, 1, 3) }, doc.frames[i].center_offset, ("frames[%d]"):format(i))
      end
    end)
  end)
end)
