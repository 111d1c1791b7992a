-- Curves of two clips in one picture: the differences that notes and the picture tell are those of the samples.

local helper = require "helper"
local lathe = require "lathe"

describe("curves of two clips", function()
  local folder, rig
  local docs = {}

  setup(function()
    folder = helper.tmpdir()
    rig = assert(lathe.new("hkx", { game = "skyrim-se", skeleton = { name = "Arm", bones = { { name = "Arm" },
      { name = "Hand", parent = 0 } } } }))
  end)
  teardown(function()
    for _, doc in ipairs(docs) do doc:close() end
    rig:close()
  end)

  -- A clip of 10 frames a second. rows(i): translation and rotation of the hand in frame i, from 0.
  local function clip(name, frames, rows, more)
    local samples = {}
    for i = 0, frames - 1 do
      local t, q = rows(i)
      q = q or { 0, 0, 0, 1 }
      samples[#samples + 1] = { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 }
      samples[#samples + 1] = { t[1], t[2], t[3], q[1], q[2], q[3], q[4], 1, 1, 1 }
    end
    local anim = { bones = { 0, 1 }, fps = 10, skeleton_name = "Arm", samples = samples }
    for key, value in pairs(more or {}) do anim[key] = value end
    local made = assert(lathe.new("hkx", { game = "skyrim-se", animation = anim }))
    local path = ("%s/%s.hkx"):format(folder, name)
    assert(made:save(path))
    made:close()
    docs[#docs + 1] = assert(lathe.open(path))
    return docs[#docs]
  end

  local function compared(a, b, opts)
    local given = { track = "Hand", skeleton = rig, against = b, size = "480x360" }
    for key, value in pairs(opts or {}) do given[key] = value end
    return lathe.preview(a, folder .. "/a.svg", given)
  end

  local function at(x, y, z) return function() return { x, y, z } end end

  it("tell the greatest difference of vectors, with its time", function()
    local a = clip("a", 11, at(10, 0, 0))
    local b = clip("b", 11, function(i) return { 10, i == 4 and 3 or 0, i == 4 and -4 or 0 } end)
    local report = assert(compared(a, b))
    assert.same({ "translation: differs by up to 5 units, at 0.4 s" }, report.notes)
    assert.same({}, report.skipped)
    local svg = helper.read(folder .. "/a.svg")
    for _, text in ipairs { ">differs by up to 5 units, at 0.4 s<", ">no difference<",
      ">Track &quot;Hand&quot; of a.hkx and b.hkx<", ">thin lines: a.hkx, wide pale lines: b.hkx<" } do
      assert.truthy(svg:find(text, 1, true), text)
    end
    local curve = svg:match 'stroke="#d13b3b" stroke%-width="1.5" points="([^"]+)"'
    local left, right = curve:match "^([%d.]+),", curve:match "([%d.]+),[%d.]+$"
    local line = svg:match 'stroke="#e6008c" stroke%-width="1.5" points="([%d.]+),'
    assert.is_near(left + 0.4 * (right - left), line, 1)
  end)

  it("tell one unit without a plural", function()
    local report = assert(compared(clip("one", 3, at(10, 0, 0)), clip("other", 3, at(11, 0, 0))))
    assert.same({ "translation: differs by up to 1 unit, at 0 s" }, report.notes)
  end)

  it("say that nothing differs, also where q is stored as -q", function()
    local a = clip("c", 11, function(i) return { i, 0, 0 }, { math.sin(i / 9), 0, 0, math.cos(i / 9) } end)
    local b = clip("d", 11, function(i) return { i, 0, 0 }, { -math.sin(i / 9), 0, 0, -math.cos(i / 9) } end)
    for _, other in ipairs { a, b } do
      assert.same({ "nothing differs: the curves are the same" }, assert(compared(a, other)).notes)
      assert.is_nil(helper.read(folder .. "/a.svg"):find("#e6008c", 1, true))
    end
  end)

  it("tell the angle between rotations", function()
    local a = clip("e", 21, function(i) return { 0, 0, 0 }, { math.sin(i / 40), 0, 0, math.cos(i / 40) } end)
    local b = clip("f", 21, function(i) return { 0, 0, 0 }, { 0, math.sin(i / 30), 0, math.cos(i / 30) } end)
    local most, when = 0, nil
    for i = 0, 20 do
      local _, p = a.animations[1].tracks[2]:sample { frame = i }
      local _, q = b.animations[1].tracks[2]:sample { frame = i }
      local dot = p[1] * q[1] + p[2] * q[2] + p[3] * q[3] + p[4] * q[4]
      local angle = math.deg(2 * math.acos(math.min(1, math.abs(dot))))
      if angle > most then most, when = angle, i / 10 end
    end
    assert.is_true(most > 40)
    assert.same({ ("rotation: differs by up to %.3g degrees, at %.4g s"):format(most, when) },
      assert(compared(a, b)).notes)
  end)

  -- The longer clip is packed otherwise: less than a thousandth of a unit.
  local function rounded(report)
    local notes = report.notes
    notes[1] = notes[1]:gsub("up to 0%.000%d+", "up to N")
    return notes
  end

  it("compare clips with other frames up to the end of the shorter one", function()
    -- Halfway between two frames of the first: it is at 0.5 there, the second at 1.
    local a = clip("g", 3, function(i) return { i, 0, 0 } end)
    local b = clip("h", 5, function(i) return { ({ 0, 1, 1, 2, 9 })[i + 1], 0, 0 } end, { fps = 20 })
    local longer = clip("i", 6, function(i) return { i < 3 and i or 50, 0, 0 } end)
    assert.same({ "translation: differs by up to 7 units, at 0.2 s", "g.hkx: 3 frames in 0.2 s, h.hkx: 5 frames in 0.2 s" },
      assert(compared(a, b)).notes)
    assert.same({ "translation: differs by up to N units, at 0 s",
      "g.hkx: 3 frames in 0.2 s, i.hkx: 6 frames in 0.5 s; compared up to the end of the shorter one" },
      assert(rounded(compared(a, longer))))
    local early = clip("j", 5, function(i) return { ({ 0, 1.5, 1, 1.5, 2 })[i + 1], 0, 0 } end, { fps = 20 })
    local function x(doc, frame) return doc.animations[1].tracks[2]:sample { frame = frame }[1] end
    assert.equal(("translation: differs by up to %.3g units, at 0.05 s"):format(x(early, 1) - (x(a, 0) + x(a, 1)) / 2),
      assert(compared(early, a)).notes[1])
  end)

  it("tell annotations that differ, and scales that only one has", function()
    local a = clip("k", 11, at(1, 0, 0), { annotations = { { time = 0.5, text = "One" }, { time = 0.7, text = "Two" } } })
    local b = clip("l", 11, at(1, 0, 0), { annotations = { { time = 0.5, text = "One" }, { time = 0.8, text = "Two" } } })
    local c = clip("m", 11, at(1, 0, 0), { annotations = { { time = 0.5, text = "One" } } })
    local same = "nothing differs: the curves are the same"
    local from = "annotations differ from \"Two\" at 0.7 s on; drawn are those of k.hkx"
    assert.same({ same, from }, assert(compared(a, b)).notes)
    assert.same({ same, from }, assert(compared(a, c)).notes)
    assert.same({ same, "annotations differ from \"Two\" at 0.7 s on; drawn are those of m.hkx" },
      assert(compared(c, a)).notes)
  end)

  it("name the clip that lacks the track", function()
    local a = clip("n", 3, at(0, 0, 0))
    local made = assert(lathe.new("hkx", { game = "skyrim-se", animation = { bones = { 0 }, fps = 10,
      skeleton_name = "Arm", samples = { { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 }, { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 } } } }))
    assert(made:save(folder .. "/o.hkx"))
    made:close()
    local b = assert(lathe.open(folder .. "/o.hkx"))
    docs[#docs + 1] = b
    local none, err = compared(a, b)
    assert.is_nil(none)
    assert.equal("o.hkx: the clip has no track of bone 'Hand'", err.message)
    none, err = compared(a, b, { track = "Hend" })
    assert.is_nil(none)
    assert.matches("^n.hkx: ", err.message)
  end)

  it("leave out plots, texts and numbers in small pictures, and say so", function()
    local a = clip("p", 11, function(i) return { i, 0, 0 } end, { annotations = { { time = 0.5, text = "Middle" } } })
    local b = clip("q", 11, function(i) return { i, 0, i } end)
    local function left(size, against)
      local report = assert(compared(a, against, { size = size }))
      local reasons = {}
      for i, one in ipairs(report.skipped) do reasons[i] = one.reason end
      return reasons, helper.read(folder .. "/a.svg")
    end
    local reasons, svg = left "300x300"
    assert.same({}, reasons)
    assert.truthy(svg:find(">frames<", 1, true) and svg:find(">Middle<", 1, true) and svg:find(">rotation<", 1, true))
    reasons, svg = left "300x180"
    assert.same({ "1 text of an annotation has no room", "1 plot has no room" }, reasons)
    assert.is_nil(svg:find(">frames<", 1, true) or svg:find(">rotation", 1, true)) -- the hand does not turn
    assert.truthy(svg:find(">translation", 1, true))
    reasons, svg = left("300x180", b)
    assert.equal("1 plot has no room", reasons[2])
    assert.truthy(svg:find(">translation", 1, true), svg)
    for _, size in ipairs { "64x64", "64x300", "300x64", "100x75", "128x128" } do
      assert.truthy(left(size) and left(size, b), size)
    end
  end)
end)
