--- What must hold where one bone of an animation is set at one frame, whatever the format.

local assert = require "luassert"

local track_set = {}

local function rows(anim)
  return assert(anim:decode()):totable()
end

--- The numbers of frame and track (from 1) in a list of all rows.
local function row_at(anim, list, frame, track)
  local first = (frame * #anim.tracks + track - 1) * 10
  return table.move(list, first + 1, first + 10, 1, {})
end

--- All rows of one track.
local function of_track(anim, list, track)
  local out = {}
  for frame = 0, anim.frame_count - 1 do
    for _, v in ipairs(row_at(anim, list, frame, track)) do out[#out + 1] = v end
  end
  return out
end

local function same(a, b, label)
  assert.equal(#a, #b, label)
  for i, v in ipairs(a) do
    if v ~= b[i] and (v == v or b[i] == b[i]) then error(("%s: number %d is %s, was %s"):format(label, i, b[i], v), 0) end
  end
end

local function near(wanted, got, tolerance, label)
  local sign = 0
  for i = 4, 7 do sign = sign + wanted[i] * got[i] end
  for i, v in ipairs(wanted) do
    local other = i >= 4 and i <= 7 and sign < 0 and -got[i] or got[i]
    assert(math.abs(v - other) <= tolerance, ("%s: number %d is %s, not %s"):format(label, i, got[i], v))
  end
end

local function unit(q)
  local l = math.sqrt(q[1] ^ 2 + q[2] ^ 2 + q[3] ^ 2 + q[4] ^ 2)
  return { q[1] / l, q[2] / l, q[3] / l, q[4] / l }
end

--- A pose that is not there: moved and turned a little.
local function another(row)
  local q = unit { row[4] + 0.2, row[5] - 0.1, row[6] + 0.05, row[7] + 0.3 }
  return { t = { row[1] + 0.5, row[2] - 0.25, row[3] + 1 }, q = q, s = { row[8], row[9], row[10] } }
end

local function flat(pose)
  local out = {}
  for _, part in ipairs { pose.t, pose.q, pose.s } do table.move(part, 1, #part, #out + 1, out) end
  return out
end

local function findings(doc)
  local _, list = doc:check()
  local out = {}
  for i, e in ipairs(list or {}) do out[i] = ("%s: %s"):format(e.where, e.message) end
  return out
end

--- Sets one track at one frame: all others stay to the bit, the row is there, undo gives the first bytes.
function track_set.one(doc, number, frame, track, opts)
  local label = ("%s, animation %d, frame %d, track %d"):format(opts.label, number, frame, track)
  local anim, before = doc.animations[number], doc:encode()
  local had, found = rows(anim), findings(doc)
  local pose = another(row_at(anim, had, frame, track))
  assert.equal(frame, anim.tracks[track]:set(frame, pose), label)
  local now = rows(anim)
  for other = 1, #anim.tracks do
    if other ~= track and not opts.all_anew then
      same(of_track(anim, had, other), of_track(anim, now, other), label .. ": track " .. other)
    end
  end
  near(flat(pose), row_at(anim, now, frame, track), opts.tolerance, label)
  for f = 0, anim.frame_count - 1 do
    if f ~= frame then
      near(row_at(anim, had, f, track), row_at(anim, now, f, track), opts.others or opts.tolerance, label .. " at " .. f)
    end
  end
  assert.same(found, findings(doc), label)
  local after = doc:encode()
  assert(after ~= before, label)
  if opts.bytes then opts.bytes(before, after, label) end
  assert.is_true(doc:undo())
  assert(doc:encode() == before, label .. ": undone")
  same(had, rows(anim), label .. ": undone")
  assert.is_true(doc:redo())
  assert(doc:encode() == after, label .. ": done again")
  same(now, rows(anim), label .. ": done again")
  assert.is_true(doc:undo())
end

--- The same row again changes no byte.
function track_set.same_row(doc, number, label)
  local anim, before = doc.animations[number], doc:encode()
  local t, q, s = anim.tracks[1]:sample(0)
  assert(anim.tracks[1]:set(0, { t = t }))
  assert(anim.tracks[1]:set(0, { s = s }))
  assert(anim.tracks[1]:set(0, {}))
  assert(doc:encode() == before, label)
  return q
end

--- Edits in edits: one that fails takes back its own.
function track_set.nested(doc, number, label)
  local anim, before = doc.animations[number], doc:encode()
  local track, last = anim.tracks[#anim.tracks], anim.frame_count - 1
  local function x(frame) return (track:sample(frame))[1] end
  local first = x(0)
  doc:edit(function()
    track:set(0, { t = { 1, 2, 3 } })
    assert.equal(1, x(0), label)
    local ok, why = pcall(doc.edit, doc, function()
      track:set(0, { t = { 7, 8, 9 } })
      track:set(last, { t = { 4, 5, 6 } })
      assert.equal(last == 0 and 4 or 7, x(0), label)
      assert.equal(4, x(last), label)
      error("enough", 0)
    end)
    assert.is_false(ok)
    assert.equal("enough", why)
    assert.equal(1, x(0), label)
    local inside = assert(require("lathe").parse(doc:encode(), { format = doc.format }))
    local t = inside.animations[number].tracks[#anim.tracks]:sample(0)
    for i = 1, 3 do assert(math.abs(t[i] - i) <= 0.011, label) end
    track:set(0, { t = { 1.5, 2, 3 } })
    assert.equal(1.5, x(0), label)
  end)
  assert(math.abs(x(0) - 1.5) <= 0.011, label)
  assert.is_true(doc:undo())
  assert(doc:encode() == before, label)
  assert.equal(first, x(0), label)
  -- the outer one fails, too: nothing stays, written in between or not
  assert.is_false((pcall(doc.edit, doc, function()
    track:set(0, { t = { 1, 2, 3 } })
    doc:encode()
    doc:edit(function() track:set(last, { t = { 3, 2, 1 } }) end)
    error("no", 0)
  end)))
  assert(doc:encode() == before, label)
  assert.equal(first, x(0), label)
end

--- What is refused, and leaves the document as it was.
function track_set.refused(doc, number, label)
  local anim, before = doc.animations[number], doc:encode()
  local track, n = anim.tracks[1], anim.frame_count
  local nan = 0 / 0
  for _, case in ipairs {
    { n, {}, ("frame %d is not in 0 .. %d"):format(n, n - 1) }, { -1, {}, "frame -1 is not in" },
    { 0, { t = { nan, 0, 0 } }, "t: 3 finite numbers expected" },
    { 0, { s = { 1, 1 / 0, 1 } }, "s: 3 finite numbers expected" },
    { 0, { t = { 1e300, 0, 0 } }, "t: 3 finite numbers expected" },
    { 0, { q = { 0, 0, 0, 0 } }, "q: a rotation other than 0 0 0 0 expected" },
    { 0, { q = { 0, 0, 1 } }, "q: 4 finite numbers expected" }, { 0, { t = 1 }, "t: 3 numbers expected" },
    { 0, { rotation = { 0, 0, 0, 1 } }, "no 'rotation' in a pose: t, q and s" }, { 0, { [1] = 2 }, "no '1' in a pose" },
    { { time = nan }, {}, "a frame or {time = seconds} expected" }, { {}, {}, "a frame or {time = seconds} expected" },
    { 0.5, {}, "number has no integer representation" }, { "x", {}, "number expected, got string" },
  } do
    local ok, why = pcall(track.set, track, case[1], case[2])
    assert.is_false(ok, label .. ": " .. case[3])
    assert.truthy(tostring(why):find(case[3], 1, true), ("%s: %s"):format(label, why))
  end
  assert.has_error(function() track:set(0) end)
  assert(doc:encode() == before, label)
end

--- Views of tracks and animations outlive the edits, also those that are taken back.
function track_set.views(doc, number, label)
  local anim = doc.animations[number]
  local track, source, before = anim.tracks[1], anim.source, doc:encode()
  track:set(0, { t = { 2, 2, 2 } })
  assert(math.abs(track:sample(0)[1] - 2) <= 0.011, label)
  assert.is_true(anim.source == source, label)
  assert.is_true(doc:undo())
  pcall(doc.edit, doc, function()
    track:set(0, { t = { 2, 2, 2 } })
    error "no"
  end)
  assert(doc:encode() == before, label)
  assert.is_true(anim.source == source, label)
  assert.equal(0, track:set({ time = 0 }, {}), label)
  assert.equal(anim.frame_count - 1, track:set({ time = anim.duration + 1000 }, {}), label)
  assert(doc:encode() == before, label)
end

--- All of them.
function track_set.all(doc, number, label)
  track_set.same_row(doc, number, label)
  track_set.nested(doc, number, label)
  track_set.refused(doc, number, label)
  track_set.views(doc, number, label)
end

return track_set
