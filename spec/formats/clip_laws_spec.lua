-- What verbs of animations do and undo, as laws over every clip: of packfiles, of a tagfile, of Overgrowth, and of made-up
-- ones. Inside one doc:edit no encoding is in between: samples are equal to the rounding of floats. Behind it they are
-- equal within the tolerances that they were encoded with.

local dice = require "dice"
local helper = require "helper"
local judge = require "clip_judge"
local lathe = require "lathe"
local made = require "sample_clip"

-- ---- helpers --------------------------------------------------------------------------------------

local function told(ok, err)
  if not ok then error(tostring(err), 0) end
  return ok
end

-- All that a clip says but its samples, as plain tables.
local function facts(anim)
  local motion, floats = anim.root_motion, anim:decode_floats()
  local bones, events = {}, {}
  for i, track in ipairs(anim.tracks) do bones[i] = track.bone_index or false end
  for i, e in ipairs(anim.annotations) do events[i] = { e.time, e.text, e.track or false } end
  return { frames = anim.frame_count, duration = anim.duration, hint = anim.blend_hint or false, bones = bones,
    events = events, moves = motion and motion:totable() or false, floats = floats and floats:totable() or false }
end

-- Where two values differ, in words; nil: nowhere.
local function differ(a, b, limit, at)
  if type(a) == "number" and type(b) == "number" then
    if math.abs(a - b) <= limit * math.max(1, math.abs(a)) then return nil end
  elseif type(a) == "table" and type(b) == "table" then
    for k, v in pairs(a) do
      local wrong = differ(v, b[k], limit, ("%s[%s]"):format(at, k))
      if wrong then return wrong end
    end
    return #a ~= #b and ("%s: %d instead of %d"):format(at, #b, #a) or nil
  elseif a == b then
    return nil
  end
  return ("%s: %s instead of %s"):format(at, b, a)
end

-- Texts, tracks and counts exactly; numbers to the rounding of floats.
local function same_facts(want, got, label)
  for k, v in pairs(want) do
    -- root motion turns about points far away
    local wrong = differ(v, got[k], k == "moves" and 1e-3 or 2e-6, k)
    if wrong then error(("%s: %s"):format(label, wrong), 0) end
  end
end

local ROUNDING = { 2e-4, 2e-4, 2e-5 }               -- of poses that went through model space and back, in floats

local function same_samples(want, got, limits, label)
  assert.equal(want.rows, got.rows, label)
  for i = 1, want.rows do
    local a = judge.row(want, i)
    local size = math.max(1, math.abs(a[1]), math.abs(a[2]), math.abs(a[3]))
    for k, off in ipairs { judge.apart(a, judge.row(got, i)) } do
      if off > limits[k] * (k == 1 and limits == ROUNDING and size / 100 + 1 or 1) or off ~= off then
        error(("%s: row %d of %d: %g off (%d)"):format(label, i, want.rows, off, k), 0)
      end
    end
  end
end

-- ---- the clips ------------------------------------------------------------------------------------

local HKX = { "hkx/fo4/CoughingAfterCryo", "hkx/fo4/Death1", "hkx/fo4/SneakIdle", "hkx/fo4/run_forward_to_idle",
  "hkx/skyrim-le/1hm_staggerbacksmallest", "hkx/skyrim-le/SOSFastErect", "hkx/skyrim-se/bow_drawlight",
  "hkx/skyrim-se/chair_idlearmscrossedvar1", "hkx/skyrim-se/sneak_1hmattackintro", "hkx/skyrim-se/sneakmtidle",
  "tagfile/DSR_a00_0000" }

-- The others are the first bones of another skeleton than the games' own.
local SKELETONS = { ["hkx/fo4"] = "hkx/fo4/skeleton.hkx", ["hkx/skyrim-le"] = "hkx/skyrim-le/skeleton.hkx",
  ["hkx/skyrim-se"] = "hkx/skyrim-se/skeleton.hkx", ["tagfile"] = "tagfile/DSR_Skeleton.hkx" }

-- fn(bytes, label, skeleton, kind) for clips of each kind that is asked for; those made up need no corpus.
local function each_clip(kinds, pending, fn)
  if kinds.made then
    for name, clip in pairs(made.clips()) do fn(clip.bytes, name, clip.skeleton, "made") end
  end
  if not helper.corpus_root then return end
  for _, name in ipairs(kinds.hkx and HKX or {}) do
    local folder = name:match "^(.*)/"
    local skeleton = assert(lathe.open(helper.corpus(SKELETONS[folder])))
    fn(helper.read(helper.need_corpus(name .. ".hkx", pending)), name, skeleton, "hkx")
    skeleton:close()
  end
  local folder = kinds.anm and helper.need_corpus("wolfire/anm", pending)
  for _, name in ipairs(folder and helper.list(folder, "%.anm$") or {}) do
    fn(helper.read(folder .. "/" .. name), name, nil, "anm")
  end
end

local ALL, BONES = { made = true, hkx = true, anm = true }, { made = true, hkx = true }

local function open(bytes, skeleton)
  return assert(lathe.parse(bytes, { history = 8, skeleton = skeleton }))
end

-- Does `work` inside an edit, looks at the samples there and behind it, and undoes it.
local function law(bytes, label, skeleton, limits, work)
  local doc <close> = open(bytes, skeleton)
  local anim = doc.animations[1]
  local before, want = anim:decode(), facts(anim)
  if not before or before.rows == 0 then return end
  told(doc:edit(function()
    work(anim, doc)
    same_samples(before, anim:decode(), limits or ROUNDING, label .. ", in the edit")
    same_facts(want, facts(anim), label .. ", in the edit")
    return true
  end))
  anim = doc.animations[1]
  local behind = { 0.0101, 0.00201, 0.00101 }
  for k, v in ipairs(limits or ROUNDING) do behind[k] = behind[k] + v end
  same_samples(before, anim:decode(), behind, label .. ", behind it")
  local ok, findings = doc:check()
  if not ok then error(label .. ": " .. tostring(findings[1]), 0) end
  if doc:encode() ~= bytes then
    assert(doc:undo(), label)
    assert.is_true(doc:encode() == bytes, label .. ": undo")
  end
end

-- ---- laws -----------------------------------------------------------------------------------------

local EXACT = { 0, 1e-7, 0 }

describe("a clip is what it was #corpus", function()
  it("after trim to the whole, to the byte", function()
    each_clip(ALL, pending, function(bytes, label)
      local doc <close> = open(bytes)
      local anim = doc.animations[1]
      told(anim:trim())
      told(anim:trim(0, anim.duration))
      told(doc:trim { t0 = 0 })
      assert.is_true(doc:encode() == bytes, label)
    end)
  end)

  it("after two times reverse", function()
    each_clip(ALL, pending, function(bytes, label)
      law(bytes, label, nil, nil, function(anim)
        told(anim:reverse())
        told(anim:reverse())
      end)
    end)
  end)

  it("after retime there and back", function()
    each_clip(ALL, pending, function(bytes, label)
      law(bytes, label, nil, EXACT, function(anim)
        told(anim:retime { speed = 2 })
        told(anim:retime { speed = 0.5 })
      end)
    end)
  end)

  it("after two times mirror", function()
    each_clip(BONES, pending, function(bytes, label, skeleton)
      if label:find "SOS" then return end             -- of bones of another skeleton than the one that there is
      law(bytes, label, skeleton, { 2e-3, 1e-3, 1e-4 }, function(anim)
        local report = told(anim:mirror())
        assert.equal(0, #report.skipped, label)
        told(anim:mirror())
      end)
    end)
  end)

  it("after retarget to the same bones", function()
    each_clip(BONES, pending, function(bytes, label, skeleton)
      law(bytes, label, skeleton, { 2e-3, 1e-3, 1e-4 }, function(anim)
        local report = told(anim:retarget(skeleton))
        assert.equal(0, #report.skipped, label)
      end)
    end)
  end)

  it("after additive there and back", function()
    each_clip(BONES, pending, function(bytes, label, skeleton)
      law(bytes, label, skeleton, nil, function(anim)
        local first, second = "additive", "normal"
        if anim.blend_hint == "additive" then first, second = second, first end
        told(anim[first](anim, { against = "rest" }))
        assert.equal(first, anim.blend_hint)
        told(anim[second](anim, { against = "rest" }))
      end)
    end)
  end)

  -- The first frame is nothing then: the way back is onto that of the clip as it was.
  it("after additive against the first frame there and back", function()
    local how_many = 0
    each_clip(BONES, pending, function(bytes, label)
      local was <close> = open(bytes)
      law(bytes, label, nil, nil, function(anim)
        if anim.blend_hint == "additive" then
          told(anim:normal { pose = was })
          told(anim:additive { pose = was })
          return
        end
        how_many = how_many + 1
        told(anim:additive { against = "first" })
        assert.equal("additive", anim.blend_hint)
        for k = 1, #anim.tracks do
          local t, q, s = judge.apart({ anim:sample(0):row(k) }, { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 })
          assert.is_true(t <= 1e-4 and q <= 1e-3 and s <= 1e-5, label)
        end
        told(anim:normal { pose = was })
      end)
    end)
    assert.is_true(how_many >= 3, how_many)
  end)

  it("after trim in two and concat", function()
    each_clip(ALL, pending, function(bytes, label)
      local second <close> = open(bytes)
      local anim = second.animations[1]
      local at = made.middle(second)
      if not at then return end
      told(second:edit(function()
        told(anim:trim(at, anim.duration))
        law(bytes, label, nil, nil, function(first)
          told(first:trim(0, at))
          told(first:concat(anim))
        end)
        return true
      end))
    end)
  end)

  -- Behind the last frame of a loop the game goes on to its first one. A half does not have that: what is shown at the end
  -- becomes a key frame, and stays one.
  it("after trim in two and concat, but for a frame at the end of one that lasts on", function()
    local how_many = 0
    each_clip({ anm = true }, pending, function(bytes, label)
      local doc <close> = open(bytes)
      local second <close> = open(bytes)
      local anim, n = doc.animations[1], #doc.frames
      local lasts = anim.duration
      if n < 3 or not doc.centered and doc.animations[1].root_motion then return end
      local at, last = (doc.frames[2].time - (doc.start or 0)) / 1000, (doc.frames[n].time - (doc.start or 0)) / 1000
      if last > lasts - 0.0005 then return end
      how_many = how_many + 1
      local before, want, shown = anim:decode(), facts(anim), anim:sample { time = lasts }
      told(second:trim(at, lasts))
      told(doc:trim(0, at))
      told(doc:concat(second))
      anim = doc.animations[1]
      local rows = anim:decode()
      assert.same({ n + 1, lasts }, { anim.frame_count, anim.duration }, label)
      local tracks = #anim.tracks
      for i = 1, tracks * (n + 1) do
        local old = i <= tracks * n and judge.row(before, i) or judge.row(shown, i - tracks * n)
        local t, q, s = judge.apart(old, judge.row(rows, i))
        assert.is_true(t <= 2e-4 and q <= 2e-3 and s <= 1e-4, ("%s: row %d: %g %g %g"):format(label, i, t, q, s))
      end
      want.frames, want.moves = n + 1, nil
      same_facts(want, facts(anim), label)
    end)
    assert.is_true(not helper.corpus_root or how_many >= 20, how_many)
  end)

  it("after root motion is extracted and baked", function()
    local moved = 0
    each_clip(BONES, pending, function(bytes, label)
      local doc <close> = open(bytes)
      local anim = doc.animations[1]
      if anim.blend_hint == "additive" then return end
      local function baked(work)
        local copy <close> = open(bytes)
        local rows
        told(copy:edit(function()
          work(copy.animations[1])
          rows = copy.animations[1]:decode()
          return true
        end))
        return rows
      end
      local want = baked(function(a) told(a:bake_root_motion()) end)
      for _, how in ipairs { {}, { vertical = true }, { turn = true }, { vertical = true, turn = true } } do
        local got = baked(function(a)
          told(a:extract_root_motion(how))
          moved = moved + (a.root_motion and 1 or 0) -- of one that stands there is nothing to extract
          told(a:bake_root_motion())
        end)
        same_samples(want, got, { 2e-3, 1e-3, 0 }, label)
      end
    end)
    assert.is_true(moved > 20, moved)
  end)
end)

describe("root motion, extracted and baked in edits of their own #corpus", function()
  -- In Skyrim's files an object comes and goes, in Fallout 4's there always is one.
  it("leaves nothing behind in files without it", function()
    local n = 0
    for _, game in ipairs { "skyrim-le", "skyrim-se" } do
      local folder = helper.need_corpus("hkx/" .. game, pending)
      for _, name in ipairs(helper.list(folder, "%.hkx$")) do
        local doc <close> = lathe.open(folder .. "/" .. name, { history = 2 }) -- one is of XML
        local anim = doc and doc.animations and doc.animations[1]
        if anim and anim.blend_hint ~= "additive" then
          local before, objects = doc:encode(), #doc.objects
          told(doc:extract_root_motion { vertical = true, turn = true })
          local moved = anim.root_motion ~= nil
          assert.equal(moved and objects + 1 or objects, #doc.objects)
          assert.same({ true, {} }, { doc:check() })
          local again <close> = assert(lathe.parse(doc:encode()))
          same_facts(facts(anim), facts(again.animations[1]), name)
          if moved then told(doc:bake_root_motion()) end
          assert.same({ objects, false }, { #doc.objects, anim.root_motion or false })
          doc:undo()
          if moved then doc:undo() end
          assert.is_true(before == doc:encode(), name)
          n = n + 1
        end
      end
    end
    assert.equal(5, n)
  end)
end)

-- ---- exact figures, on a clip of five frames ------------------------------------------------------

describe("on a small clip", function()
  local function clip(more)
    return assert(lathe.new("hkx", { game = "skyrim-se", skeleton = made.skeleton(), animation = made.fields(more) }))
  end

  local function xs(anim, track)
    local rows, out, n = anim:decode(), {}, #anim.tracks
    for f = 0, anim.frame_count - 1 do out[f + 1] = math.floor(({ rows:row(f * n + track) })[1] * 100 + 0.5) / 100 end
    return out
  end

  local function events(anim)
    local out = {}
    for i, e in ipairs(anim.annotations) do out[i] = ("%.3f %s %d"):format(e.time, e.text, e.track) end
    return out
  end

  local function round(list)
    local out = {}
    for i, v in ipairs(list) do out[i] = math.floor(v * 1000 + 0.5) / 1000 + 0.0 end
    return out
  end

  -- Inside an edit, before anything is encoded.
  local function does(work, check)
    local doc <close> = clip()
    local anim = doc.animations[1]
    told(doc:edit(function()
      work(anim, doc)
      check(anim)
      return true
    end))
    local ok, findings = doc:check()
    if not ok then error(tostring(findings[1]), 0) end
    return doc
  end

  it("trim takes poses, floats, root motion and annotations along", function()
    does(function(a) told(a:trim(0.25, 0.75)) end, function(a)
      assert.same({ 1, 2, 3 }, xs(a, 1))
      assert.same({ 0.5, 3 }, { a.duration, a.frame_count })
      assert.same({ 0.1, 0.2, 0.3 }, round(a:decode_floats():totable()))
      assert.same({ "0.000 FootLeft 0", "0.250 WeaponRight 2" }, events(a))
      assert.same({ 0, 0, 0, 0, 10, 0, 0, 0, 20, 0, 0, 0 }, round(a.root_motion:totable()))
    end)
  end)

  it("reverse runs all of it back", function()
    does(function(a) told(a:reverse()) end, function(a)
      assert.same({ 4, 3, 2, 1, 0 }, xs(a, 1))
      assert.same({ 0.4, 0.3, 0.2, 0.1, 0 }, round(a:decode_floats():totable()))
      assert.same({ "0.000 end 0", "0.500 WeaponRight 2", "0.750 FootLeft 0" }, events(a))
      assert.same({ 0, -10, -20, -30, -40 }, round { a.root_motion[1], a.root_motion[5], a.root_motion[9],
        a.root_motion[13], a.root_motion[17] })
    end)
  end)

  it("retime moves the annotations, and no pose", function()
    does(function(a) told(a:retime { speed = 2 }) end, function(a)
      assert.same({ 0, 1, 2, 3, 4 }, xs(a, 1))
      assert.equal(0.5, a.duration)
      assert.same({ "0.125 FootLeft 0", "0.250 WeaponRight 2", "0.500 end 0" }, events(a))
    end)
  end)

  it("resample puts frames between", function()
    does(function(a) told(a:resample(8)) end, function(a)
      assert.same({ 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4 }, xs(a, 1))
      assert.same({ 9, 1.0, 9 * 4 }, { a.frame_count, a.duration, #a.root_motion })
      assert.same({ "0.250 FootLeft 0", "0.500 WeaponRight 2", "1.000 end 0" }, events(a))
    end)
  end)

  it("concat goes on where root motion ended", function()
    local other <close> = clip()
    does(function(a) told(a:concat(other)) end, function(a)
      assert.same({ 0, 1, 2, 3, 0, 1, 2, 3, 4 }, xs(a, 1))
      assert.same({ 2.0, 9, 80.0 }, { a.duration, a.frame_count, a.root_motion[33] })
      assert.same({ "0.250 FootLeft 0", "0.500 WeaponRight 2", "1.000 end 0", "1.250 FootLeft 0",
        "1.500 WeaponRight 2", "2.000 end 0" }, events(a))
    end)
  end)

  it("mirror changes sides of bones, root motion and annotations", function()
    does(function(a) told(a:mirror()) end, function(a)
      assert.same({ 0, -1, -2, -3, -4 }, xs(a, 1))
      assert.same({ "0.250 FootRight 0", "0.500 WeaponLeft 1", "1.000 end 0" }, events(a))
      assert.equal(-40, round { a.root_motion[17] }[1])
      local rows = a:decode()
      assert.same({ -5.0, 0.0, 0.0 }, round { ({ rows:row(2) })[1], ({ rows:row(2) })[2], ({ rows:row(2) })[3] })
    end)
  end)

  it("rename leaves all else", function()
    local doc <close> = clip()
    local before = doc.animations[1]:decode():totable()
    told(doc:rename("FootLeft", "Step"))
    assert.same({ "0.250 Step 0", "0.500 WeaponRight 2", "1.000 end 0" }, events(doc.animations[1]))
    assert.same(before, doc.animations[1]:decode():totable())
  end)

  it("offset moves one bone at every frame, and no other", function()
    does(function(a) told(a:offset("Arm.L", { 1, 0, 0 }, { 0, 0, 1, 0 })) end, function(a)
      assert.same({ 0, 1, 2, 3, 4 }, xs(a, 1))
      assert.same({ -4, -4, -4, -4, -4 }, xs(a, 2))
      assert.same({ 0, 0, 1, 0 }, round { table.unpack({ a:decode():row(2) }, 4, 7) })
    end)
  end)

  it("extract takes the root's way, bake gives it back", function()
    does(function(a) told(a:extract_root_motion()) end, function(a)
      assert.same({ 0, 0, 0, 0, 0 }, xs(a, 1))
      assert.same({ 0, 11, 22, 33, 44 }, round { a.root_motion[1], a.root_motion[5], a.root_motion[9],
        a.root_motion[13], a.root_motion[17] })
    end)
    does(function(a) told(a:bake_root_motion()) end, function(a)
      assert.same({ 0, 11, 22, 33, 44 }, xs(a, 1))
    end)
  end)

  it("loop ends as it began; blend takes a share", function()
    does(function(a) told(a:loop(2)) end, function(a)
      local x = xs(a, 1)
      assert.same({ 0, 1, 2, 0 }, { x[1], x[2], x[3], x[5] })
      assert.is_true(x[4] > 0 and x[4] < 3)
    end)
    local other <close> = clip { samples = made.samples(function(f) return 10 * f end) }
    does(function(a) told(a:blend(other, 0.5)) end, function(a)
      assert.same({ 0, 5.5, 11, 16.5, 22 }, xs(a, 1))
    end)
  end)
end)

-- ---- what is refused ------------------------------------------------------------------------------

describe("a verb refuses, and changes nothing:", function()
  local other = assert(lathe.new("hkx", { game = "skyrim-se", animation = { bones = { 7 },
    samples = { { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 }, { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 } } } }))

  for _, case in ipairs(made.refusals(other)) do
    it(case[1] .. " " .. case[2], function()
      local doc <close> = assert(lathe.new("hkx", { game = "skyrim-se",
        skeleton = not case.bare and made.skeleton() or nil, animation = made.fields(case.bare and { bare = true }) }))
      local before, anim = doc:encode(), doc.animations[1]
      local ran, got, err = pcall(anim[case[1]], anim, table.unpack(case, 4))
      assert.is_true(not ran or not got, "it did not refuse")
      local text = tostring(ran and err or got):gsub("^[^:]*%.lua:%d+: ", ""):gsub(" at 0x%x+:", ":")
      assert.equal(case[3], text)
      assert.is_true(before == doc:encode())
    end)
  end
end)

-- ---- damage ---------------------------------------------------------------------------------------

describe("on damaged clips", function()
  local VERBS = {
    function(a) return a:trim(0.01, 0.1) end, function(a) return a:reverse() end,
    function(a) return a:resample(12) end, function(a) return a:retime { speed = 2 } end,
    function(a) return a:mirror() end, function(a) return a:extract_root_motion { turn = true } end,
    function(a) return a:bake_root_motion() end, function(a) return a:additive { against = "first" } end,
    function(a, s) return a:retarget(s) end, function(a) return a:offset(0, { 1, 2, 3 }) end,
    function(a) return a:loop(3) end, function(a) return a:concat(a) end, function(a) return a:blend(a, 0.5) end,
    function(a) return a:encode() end, function(a) return a:scale(2) end,
  }

  local function damaged(bytes, pick)
    local list = {}
    for _ = 1, pick(6) do
      local at, byte = pick(#bytes), string.char(pick(256) - 1)
      list[#list + 1] = at
      bytes = bytes:sub(1, at - 1) .. byte .. bytes:sub(at + 1)
    end
    return bytes, table.concat(list, " ")
  end

  local function try(bytes, skeleton, label)
    local doc = lathe.parse(bytes, { skeleton = skeleton })
    local anim = doc and doc.animations and doc.animations[1]
    if not anim then return 0 end
    local worked = 0
    for i, verb in ipairs(VERBS) do
      local before = doc:encode()
      local ran, got, err = pcall(verb, anim, skeleton)
      if not ran then
        assert(type(got) == "table" or type(got) == "string", label)
      elseif not got then
        assert(err and err.message, ("%s: verb %d: nil without an error"):format(label, i))
      end
      if ran and got then worked = worked + 1 end
      if not (ran and got) then assert(doc:encode() == before, ("%s: verb %d half changed it"):format(label, i)) end
      doc:check()
      anim = doc.animations[1]
      if not anim then break end
    end
    doc:close()
    return worked
  end

  for name, clip in pairs(made.clips()) do
    it("nothing is half changed: " .. name, function()
      local pick, worked = dice(41), 0
      for i = 1, 120 do
        local bytes, where = damaged(clip.bytes, pick)
        worked = worked + try(bytes, clip.skeleton, ("copy %d (%s)"):format(i, where))
      end
      assert.is_true(worked > 120, worked)
    end)
  end
end)
