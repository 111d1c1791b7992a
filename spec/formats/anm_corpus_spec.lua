-- Every .anm of the corpus against its figures, what the game wrote, and every malformed one.
-- #corpus: pending, loudly, where there is none.

local figures = require "wolfire_figures"
local helper = require "helper"
local lathe = require "lathe"

local each, exactly = figures.each, figures.exactly

-- The figures of a list that a version does not know are an empty list, or nothing.
local function list(values)
  return values or {}
end

local function keys(wanted, got)
  assert.equal(#list(wanted), #(got or {}))
  for i, key in ipairs(list(wanted)) do
    exactly({ key.weight }, { got[i].weight })
    assert.equal(figures.bytes(key.label), got[i].label)
  end
end

local function weapons(wanted, got, version)
  assert.equal(#list(wanted), #(got or {}))
  for i, weapon in ipairs(list(wanted)) do
    exactly(weapon.matrix, got[i].matrix)
    if version >= 8 then
      assert.equal(weapon.relative_id, got[i].relative_id)
      exactly({ weapon.relative_weight }, { got[i].relative_weight })
    end
  end
end

local function chains(wanted, got)
  assert.equal(#list(wanted), #(got or {}))
  for i, ik in ipairs(list(wanted)) do
    exactly(ik.ignored1, got[i].ignored1)
    exactly(ik.ignored2, got[i].ignored2)
    assert.same(ik.path, got[i].path:totable())
    assert.equal(figures.bytes(ik.label), got[i].label)
  end
end

local function frame(wanted, got, version)
  assert.equal(wanted.time, got.time)
  exactly(list(wanted.weights), got.weights or {})
  assert.equal(#wanted.bone_matrices, #got.bone_matrices)
  for i, matrix in ipairs(wanted.bone_matrices) do exactly(matrix, got.bone_matrices[i]) end
  weapons(wanted.weapon_matrices, got.weapon_matrices, version)
  if version >= 9 then
    assert.equal(wanted.use_mobility ~= 0, got.use_mobility)
    assert.equal(wanted.mobility_matrix ~= nil, got.mobility_matrix ~= nil)
    if wanted.mobility_matrix then exactly(wanted.mobility_matrix, got.mobility_matrix) end
  end
  assert.equal(#list(wanted.events), #(got.events or {}))
  for i, event in ipairs(list(wanted.events)) do
    assert.same({ event.bone, figures.bytes(event.name) }, { got.events[i].bone, got.events[i].name })
  end
  chains(wanted.ik_bones, got.ik_bones)
  keys(wanted.shape_keys, got.shape_keys)
  keys(wanted.status_keys, got.status_keys)
  assert.equal(wanted.rotation ~= nil, got.rotation ~= nil)
  if wanted.rotation then exactly({ wanted.rotation }, { got.rotation }) end
  if wanted.center_offset then exactly(wanted.center_offset, got.center_offset) end
end

describe("the corpus of .anm #corpus", function()
  it("is kept to the byte", function()
    each(pending, "wolfire/anm", "anm", figures.keeps)
    each(pending, "wolfire/anm/engine_rewrite", "anm", figures.keeps)
  end)

  it("reads as it is stored", function()
    each(pending, "wolfire/anm", "anm", function(doc, name, path)
      local raw = figures.read(path, name, "raw")
      assert.same({ raw.version, raw.length, #raw.keyframes, raw.trailing_bytes },
        { doc.version, doc.length, #doc.frames, #doc.trailing })
      assert.equal(doc.version >= 1 and doc.version <= 10 and raw.start or nil, doc.start)
      if doc.version >= 1 then assert.equal(raw.looping ~= 0, doc.looping) end
      if doc.version >= 10 then assert.equal(raw.centered ~= 0, doc.centered) end
      for i, wanted in ipairs(raw.keyframes) do frame(wanted, doc.frames[i], doc.version) end
      helper.count("anm", name)
    end)
  end)

  it("is retimed there and back", function()
    each(pending, "wolfire/anm", "anm", function(doc)
      local before, start, last = doc:encode(), doc.start or 0, doc.frames[#doc.frames]
      local time, length = last.time, doc.length
      assert(doc:retime { speed = 0.5 })
      assert.same({ start + 2 * (time - start), start + 2 * (length - start) }, { last.time, doc.length })
      assert(doc:retime { speed = 2 })
      assert.equal(before, doc:encode())
    end)
  end)

  it("is scaled there and back", function()
    each(pending, "wolfire/anm", "anm", function(doc)
      local before = doc:encode()
      assert(doc:scale(2))
      assert.are_not.equal(before, doc:encode())
      assert(doc:scale(0.5))
      assert.equal(before, doc:encode())
    end)
  end)

  it("goes up to the newest version, and back where that loses nothing", function()
    each(pending, "wolfire/anm", "anm", function(doc)
      local before, version, start = doc:encode(), doc.version, doc.start or 0
      local report = assert(doc:set_version(11))
      assert.equal(start ~= 0 and 1 or 0, #report.skipped)
      local new <close> = assert(lathe.parse(doc:encode()))
      assert.equal("anm", new.format)
      if start == 0 and version > 0 then
        assert.same({}, assert(doc:set_version(version)).skipped)
        assert.equal(#before, doc.size)
      end
    end)
  end)
end)

-- What lathe says of each bad file: the error, or the findings of check() for those that open.
local BAD = {
  ["anm_be.anm"] = "version at 0x0: version 184549376, only 0 to 11 are known (byte-swapped?)",
  ["anm_bone_count_differs.anm"] = {
    "warning frames[2].num_bone_matrices at 0x781: 20 bones, 21 in the first frame: the game "
      .. "goes by the first frame's",
  },
  ["anm_empty.anm"] = "version at 0x0: 4 bytes needed, 0 left",
  ["anm_huge_keys.anm"] = "frame_count at 0xa: 2147483647 key frames of at least 49 bytes do not fit into 3412 bytes",
  ["anm_huge_weights.anm"] = "frames[1].weights at 0x16: 1073741824 elements of at least 4 bytes do not fit "
    .. "into 3404 bytes",
  ["anm_ik_path_empty.anm"] = {
    "warning frames[1].ik_bones[1].path at 0x632: empty path: the game looks at its last bone "
      .. "all the same",
  },
  ["anm_ik_path_range.anm"] = {
    "error frames[1].ik_bones[1].path[1] at 0x632: bone 999 of 21: the game writes outside of "
      .. "its memory",
  },
  ["anm_nan_matrix.anm"] = { "warning frames[1].bone_matrices[1].col0_x at 0x6e: not a finite number" },
  ["anm_neg_bones.anm"] = "frames[1].num_bone_matrices at 0x6a: negative count -2",
  ["anm_neg_keys.anm"] = "frame_count at 0xa: negative count -5",
  ["anm_no_bones_uncentered.anm"] = {
    "warning frames[1] at 0x11: neither bones nor mobility: the game fails when it centres the "
      .. "frame",
  },
  ["anm_string_len_huge.anm"] = "frames[1].events[1].name at 0x607: 2147483632 bytes needed, 1873 left",
  ["anm_string_len_neg.anm"] = "frames[1].events[1].name at 0x603: negative length -1",
  ["anm_trunc_1.anm"] = "frames[2].center_offset at 0xd56: 12 bytes needed, 11 left",
  ["anm_trunc_frame2.anm"] = "frames[1].ik_bones[3].label at 0x6a3: 4 bytes needed, 1 left",
  ["anm_trunc_half.anm"] = "frames[1].ik_bones[4].ignored1 at 0x6a9: 12 bytes needed, 8 left",
  ["anm_version12.anm"] = "version at 0x0: version 12, only 0 to 11 are known",
  ["anm_version_neg.anm"] = "version at 0x0: version -1, only 0 to 11 are known",
  ["anm_version_only.anm"] = "centered at 0x4: 1 bytes needed, 0 left",
  ["anm_zero_keys.anm"] = "frame_count at 0xa: no key frames: the game refuses the file (corrupt, sub error 1)",
}

describe("the bad files of anm #corpus", function()
  for _, case in ipairs(figures.bad_files({ "anm" }, BAD)) do
    it(case.title, function() case.run(pending) end)
  end
end)
