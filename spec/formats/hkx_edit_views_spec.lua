-- Packfiles edited in place: pointers, what arrays take, views that are held, all or nothing, places.

local edits = require "hkx_edits"
local lathe = require "lathe"
local sample = require "sample_hkx"

local same_bytes, judge, open = edits.same_bytes, edits.judge, edits.open

local CLIP = "hkaSplineCompressedAnimation"

local function built(name, layout)
  return edits.make(name, edits.samples(layout)[name])
end

-- Runs fn, which must raise exactly this and leave the document as it is.
local function refuses(doc, message, fn, ...)
  local before = doc:encode()
  local ok, err = pcall(fn, ...)
  assert.is_false(ok, "nothing raised")
  local text = tostring(err):gsub("^[^:]*%.lua:%d+: ", ""):gsub("^at 0x%x+", ""):gsub(" at 0x%x+", "")
  assert.equal(message, (text:gsub(" %(hka%w+%)$", "")))
  same_bytes(before, doc:encode())
end

local function each_layout(test)
  for _, layout in ipairs(edits.LAYOUTS) do test(layout) end
end

-- ---- pointers -------------------------------------------------------------------------------------

describe("pointers of a packfile", function()
  it("are taken and given back, in the order that Havok writes", function()
    each_layout(function(layout)
      local doc <close> = open(edits.make("clip", sample.with(layout,
        { frames = 2, clips = { { tracks = 1 }, { tracks = 2 } }, skeletons = { { bones = 1 } } })))
      local bytes = doc:encode()
      local c = edits.objects_of(doc, "hkaAnimationContainer")[1]
      local clips, skeleton = edits.objects_of(doc, CLIP), edits.objects_of(doc, "hkaSkeleton")[1]
      assert.same({ 1, 2, 2 }, { #c.skeletons, #c.animations, #c.bindings })
      assert.equal(clips[1], c.animations[1])
      c.animations:append(clips[1])
      judge(doc, layout)
      c.animations:append(clips[2])
      judge(doc, layout)
      c.skeletons:append(skeleton)
      judge(doc, layout)
      c.skeletons = { false, skeleton, skeleton }
      judge(doc, layout)
      assert.same({ false, skeleton }, { c.skeletons[1] or false, c.skeletons[2] })
      c.skeletons:insert(1, skeleton)
      judge(doc, layout)
      refuses(doc, ("objects[2].attachments: hkaBoneAttachment expected, object %d is of class hkaSkeleton")
        :format(lathe.raw(c.skeletons, 1)), function() c.attachments:append(skeleton) end)
      c.animations:remove(3)
      judge(doc, layout)
      c.animations[3] = false
      judge(doc, layout)
      c.animations[3] = clips[1]
      judge(doc, layout)
      c.skeletons:remove(1)
      c.skeletons = {}
      c.skeletons = { skeleton }
      c.animations[#c.animations] = nil
      same_bytes(bytes, judge(doc, layout))
    end)
  end)

  it("come back where they were", function()
    each_layout(function(layout)
      local doc <close> = open(built("skeleton", layout))
      local bytes = doc:encode()
      for i, object in ipairs(doc.objects) do
        for _, row in ipairs(lathe.describe(object)) do
          local target = row.ref and not row.array and object[row.name]
          if target then
            object[row.name] = false
            assert.falsy(object[row.name])
            object[row.name] = target
            same_bytes(bytes, doc:encode(), ("%s %d.%s"):format(layout.game, i, row.name))
          end
        end
      end
      local variants = doc.objects[1].named_variants
      for i = 1, #variants do
        local target = variants[i].variant
        variants[i].variant = nil
        variants[i].variant = target
      end
      for _, c in ipairs(edits.objects_of(doc, "hkaAnimationContainer")) do
        local all = {}
        for i, s in ipairs(c.skeletons) do all[i] = s end
        c.skeletons = {}
        c.skeletons = all
        c.skeletons:insert(1, all[2])
        c.skeletons:remove(1)
      end
      same_bytes(bytes, doc:encode())
    end)
  end)

  it("only lead to objects of the same file", function()
    local doc <close> = open(built("clip", { game = "fallout4" }))
    local other <close> = open(built("clip", { game = "fallout4" }))
    local c = edits.objects_of(doc, "hkaAnimationContainer")[1]
    local clip = edits.objects_of(doc, CLIP)[1]
    refuses(doc, "objects[2].animations: a reference can only point into its own document: "
      .. "doc.objects:copy(object) makes a copy in this one",
      function() c.animations:append(other.objects[3]) end)
    refuses(doc, "objects[2].animations: an object of the file expected",
      function() c.animations[1] = clip.annotation_tracks[1] end)
    refuses(doc, "objects[2].animations: hkaAnimation expected, got a string",
      function() c.animations[1] = "clip" end)
    refuses(doc, "objects[2].animations: no object 99", function() c.animations[1] = 99 end)
    refuses(doc, "objects[2].animations: no object 18446744073709551615", function() c.animations:append(-1) end)
  end)
end)

-- ---- arrays ---------------------------------------------------------------------------------------

describe("an array of a packfile", function()
  it("takes lists, tables, buffers, bytes, and views of this and other documents", function()
    each_layout(function(layout)
      local doc <close> = open(built("clip", layout))
      local other <close> = open(built("clip", { game = "skyrim-se" }))
      local clip, theirs = edits.objects_of(doc, CLIP)[1], edits.objects_of(other, CLIP)[1]
      clip.block_offsets = { 1, 2, 3 }
      assert.same({ 1, 2, 3 }, clip.block_offsets:totable())
      judge(doc, layout)
      clip.transform_offsets = clip.block_offsets
      assert.same({ 1, 2, 3 }, clip.transform_offsets:totable())
      clip.block_offsets = theirs.block_offsets
      assert.same(theirs.block_offsets:totable(), clip.block_offsets:totable())
      clip.float_offsets:assign(clip.transform_offsets)
      judge(doc, layout)
      local numbers = lathe.buffer("u32", 5)
      for i = 1, 5 do numbers[i] = 6 + i end
      clip.float_offsets = numbers
      assert.same({ 7, 8, 9, 10, 11 }, clip.float_offsets:totable())
      judge(doc, layout)
      clip.data = theirs.data .. "more"
      assert.equal(theirs.data .. "more", clip.data)
      clip.data = ""
      judge(doc, layout)
      clip.annotation_tracks = theirs.annotation_tracks
      assert.same(theirs.annotation_tracks:totable(), clip.annotation_tracks:totable())
      judge(doc, layout)
      clip.annotation_tracks = clip.annotation_tracks
      clip.annotation_tracks[2] = clip.annotation_tracks[1]
      assert.same(clip.annotation_tracks[1]:totable(), clip.annotation_tracks[2]:totable())
      judge(doc, layout)
      clip.annotation_tracks = { clip.annotation_tracks[3], clip.annotation_tracks[1], { track_name = "mine" } }
      assert.same({ "Bone", "", "mine" }, { clip.annotation_tracks[1].track_name,
        clip.annotation_tracks[2].track_name, clip.annotation_tracks[3].track_name })
      judge(doc, layout)
      clip.annotation_tracks[1].annotations = clip.annotation_tracks[2].annotations
      assert.same(clip.annotation_tracks[2].annotations:totable(), clip.annotation_tracks[1].annotations:totable())
      table.insert(clip.annotation_tracks[1].annotations, 1, { time = 3, text = "by table.insert" })
      table.remove(clip.annotation_tracks[1].annotations)
      judge(doc, layout)
      table.sort(clip.annotation_tracks[1].annotations, function(a, b) return a.time < b.time end)
      judge(doc, layout)
    end)
  end)

  it("begins elements as Havok would", function()
    each_layout(function(layout)
      local doc <close> = open(built("clip", layout))
      local clip = edits.objects_of(doc, CLIP)[1]
      clip.annotation_tracks:resize(5)
      assert.same({ track_name = "", annotations = {} }, clip.annotation_tracks[5]:totable())
      judge(doc, layout)
      clip.annotation_tracks[4].annotations:resize(3)
      assert.same({ time = 0, text = "" }, clip.annotation_tracks[4].annotations[3]:totable())
      judge(doc, layout)
      clip.annotation_tracks[5].annotations:append {}
      clip.annotation_tracks[5].annotations:append { text = false }
      assert.equal("", clip.annotation_tracks[5].annotations[1].text)
      assert.falsy(clip.annotation_tracks[5].annotations[2].text)
      judge(doc, layout)

      local skeletons <close> = open(built("skeleton", layout))
      local s = edits.objects_of(skeletons, "hkaSkeleton")[1]
      s.reference_pose:resize(6)
      assert.same({ translation = { x = 0, y = 0, z = 0, w = 0 }, rotation = { x = 0, y = 0, z = 0, w = 1 },
        scale = { x = 1, y = 1, z = 1, w = 0 } }, s.reference_pose[6]:totable())
      s.float_slots:resize(6)
      s.bones:resize(6)
      assert.falsy(s.float_slots[6])
      assert.falsy(s.bones[6].name)
      s.float_slots[6] = ""
      assert.equal("", s.float_slots[6])
      judge(skeletons, layout)
    end)
  end)

  it("refuses what no file can hold", function()
    local doc <close> = open(built("skeleton", { game = "skyrim-se" }))
    local s = edits.objects_of(doc, "hkaSkeleton")[1]
    local p = lathe.path(s)
    refuses(doc, p .. ".bones[1].name: text that contains its terminator, the byte 0x00",
      function() s.bones[1].name = "a\0b" end)
    refuses(doc, p .. ".float_slots: text that contains its terminator, the byte 0x00",
      function() s.float_slots[2] = "a\0b" end)
    refuses(doc, p .. ".name: a string expected", function() s.name = 5 end)
    refuses(doc, p .. ".parent_indices: 40000 is not in -32768 .. 32767",
      function() s.parent_indices = { 1, 2, 40000 } end)
    for _, n in ipairs { -1, 1 << 31, 1 << 40, math.maxinteger } do
      assert.is_false(pcall(function() s.parent_indices:resize(n) end))
    end
    refuses(doc, p .. ".bones[2]: hkaBone expected", function() s.bones = { { name = "x" }, 7 } end)
    judge(doc, { game = "skyrim-se" })
  end)

  it("with a count that is no count stays as it is", function()
    local bytes, parts = sample.skeleton { game = "skyrim-se" }
    for _, count in ipairs { 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 1000 } do
      local at = parts.info:place(parts.skeletons[1], "bones")
      local doc <close> = open(sample.patch(bytes, at + 8, string.pack("<I4", count)))
      local before = doc:encode()
      assert.is_false(pcall(function() doc.objects[3].bones:append { name = "x" } end))
      assert.is_false(pcall(function() doc.objects[3].bones = {} end))
      same_bytes(before, doc:encode())
      doc.objects[3].name = "a longer name than it was before" -- which leaves the bones alone
      assert.equal("a longer name than it was before", doc.objects[3].name)
      assert.is_true(doc:undo())
      same_bytes(before, doc:encode())
    end
  end)
end)

-- ---- objects without a description ----------------------------------------------------------------

describe("an object that is not described", function()
  it("moves with its pointers, and keeps its bytes", function()
    each_layout(function(layout)
      local doc <close> = open(built("clip", layout))
      local thing = edits.objects_of(doc, "hkpThing")[1]
      local bytes, clip = thing.bytes, edits.objects_of(doc, CLIP)[1]
      clip.annotation_tracks[1].track_name = ("x"):rep(100)
      assert.equal(bytes, thing.bytes)
      judge(doc, layout)
    end)
  end)

  it("takes other bytes, and ends on a multiple of 16", function()
    each_layout(function(layout)
      local doc <close> = open(built("clip", layout))
      local before = doc:encode()
      local thing = edits.objects_of(doc, "hkpThing")[1]
      local bytes = thing.bytes
      for _, new in ipairs { bytes .. "x", bytes .. ("y"):rep(40), bytes:sub(1, 37), bytes } do
        thing.bytes = new
        assert.equal(new .. ("\0"):rep(-#new % 16), thing.bytes)
        judge(doc, layout)
      end
      same_bytes(before, doc:encode())
      refuses(doc, ": a position stored here points into the data to be removed", function() thing.bytes = "" end)
      thing.bytes = "x" -- its fixups go, it and what points to it stay
      assert.equal("x" .. ("\0"):rep(15), thing.bytes)
      assert.equal(thing, doc.objects[1].named_variants[2].variant)
      judge(doc, layout)
      doc:undo()
      same_bytes(before, doc:encode())
    end)
  end)

  it("stays in Havok's order after an edit that was taken back", function()
    local doc <close> = open(built("skeleton", { game = "skyrim-le" }))
    local before = doc:encode()
    pcall(doc.edit, doc, function()
      doc.objects[3].name = doc.objects[3].name .. "longer by some" -- what is behind lies askew until the end
      doc.objects[4].name = "abcdefghi"
      error "taken back"
    end)
    same_bytes(before, doc:encode())
    doc.objects[4].name = "a name that is longer than it was"
    doc.objects[3].bones:insert(2, { name = "abcdefghijk" })
    same_bytes(doc:serialize(), doc:encode())
  end)

  it("points to objects of the right class", function()
    local doc <close> = open(built("clip", { game = "fallout4" }))
    local animation = doc.root.named_variants[1].variant.animations[1]
    local name = lathe.path(animation)
    refuses(doc, name .. ".extracted_motion: hkaAnimatedReferenceFrame expected, object 2 is of class "
      .. "hkaAnimationContainer", function() animation.extracted_motion = doc.objects[2] end)
    refuses(doc, name .. ".extracted_motion: hkaAnimatedReferenceFrame expected, object 1 is of class "
      .. "hkRootLevelContainer", function() animation.extracted_motion = 1 end)
    doc.root.named_variants[1].variant.animations:append(animation) -- a class derived from the member's
    assert.equal(animation, doc.root.named_variants[1].variant.animations[2])
  end)

  it("and what frames the data stay", function()
    local doc <close> = open(built("clip", { game = "fallout4" }))
    refuses(doc, "types: read-only: it is kept as it was", function() doc.types = "x" end)
    refuses(doc, "lead: read-only: it is kept as it was", function() doc.lead = "x" end)
    refuses(doc, "class_names_padding: read-only: it follows from what the file holds",
      function() doc.class_names_padding = "" end)
    refuses(doc, "local_fixups.padding: read-only: it follows from what the file holds",
      function() doc.local_fixups.padding = ("\0"):rep(16) end)
  end)
end)

-- ---- views ----------------------------------------------------------------------------------------

describe("a view into a packfile", function()
  it("follows what it shows", function()
    each_layout(function(layout)
      local doc <close> = open(built("clip", layout))
      local clip, binding = edits.objects_of(doc, CLIP)[1], edits.objects_of(doc, "hkaAnimationBinding")[1]
      local first, last = clip.annotation_tracks[1], clip.annotation_tracks[3]
      local a, b = first.annotations[1], first.annotations[2]
      local motion = edits.objects_of(doc, "hkaDefaultAnimatedReferenceFrame")[1].reference_frame_samples[2]
      local shown = motion:totable()
      clip.annotation_tracks:insert(1, { track_name = "new", annotations = { { text = "n" }, {} } })
      first.annotations:insert(2, { time = 9, text = "between" })
      first.track_name = "a name of some length"
      assert.same({ "a", "bcd", "Bone" }, { a.text, b.text, last.track_name })
      assert.same({ "annotation_tracks[2].annotations[1]", "annotation_tracks[2].annotations[3]",
        "annotation_tracks[4]" }, { lathe.path(a):match("annot.*"), lathe.path(b):match("annot.*"),
        lathe.path(last):match("annot.*") })
      assert.same(shown, motion:totable())
      assert.equal(clip, binding.animation)
      first.annotations:remove(1)
      refuses(doc, "hkaAnnotationTrackAnnotation was removed", function() return a.text end)
      assert.equal("bcd", b.text)
      clip.annotation_tracks:remove(2)
      refuses(doc, "hkaAnnotationTrackAnnotation was removed", function() return b.text end)
      refuses(doc, "hkaAnnotationTrack was removed", function() first.track_name = "x" end)
      assert.equal("Bone", last.track_name)
      judge(doc, layout)
      while doc:undo() do end
      assert.same({ "a", "bcd", "Bone" }, { a.text, b.text, last.track_name })
      while doc:redo() do end
      refuses(doc, "hkaAnnotationTrackAnnotation was removed", function() return a.text end)
      assert.same({ "Bone", shown }, { last.track_name, motion:totable() })
    end)
  end)

  it("sees all or nothing of an edit", function()
    each_layout(function(layout)
      local doc <close> = open(built("clip", layout))
      local before = doc:encode()
      local clip = edits.objects_of(doc, CLIP)[1]
      local a = clip.annotation_tracks[1].annotations[2]
      assert.is_false(pcall(doc.edit, doc, function()
        a.text = "changed, and longer than it was"
        clip.annotation_tracks[2].annotations:append { text = "new" }
        clip.block_offsets = {}
        pcall(function() clip.annotation_tracks[1].annotations = { {}, {}, { text = "a\0b" } } end)
        assert.equal("changed, and longer than it was", a.text)
        assert.equal(2, #clip.annotation_tracks[1].annotations)
        error "no"
      end))
      same_bytes(before, doc:encode())
      assert.equal("bcd", a.text)
      doc:edit(function()
        a.text = "changed, and longer than it was"
        pcall(function() clip.annotation_tracks[1].annotations = { {}, {}, { text = "a\0b" } } end)
        clip.annotation_tracks[2].annotations:append { text = "new" }
        local middle <close> = open(doc:encode()) -- a file at any time
        assert.same(doc:totable(), middle:totable())
      end)
      judge(doc, layout)
      assert.equal("changed, and longer than it was", a.text)
      assert.is_true(doc:undo())
      same_bytes(before, doc:encode())
    end)
  end)
end)

-- ---- places ---------------------------------------------------------------------------------------

-- Every row of every record: its span leads back to it, and its path to the same.
local function check_places(doc, covered)
  local function record(view)
    local path = lathe.path(view)
    assert.equal(view, doc:get(path), path)
    local off = lathe.span(view)
    covered(off, select(2, lathe.span(view)))
    for _, row in ipairs(lathe.describe(view)) do
      local value = view[row.name]
      local stored, at, size = pcall(lathe.span, view, row.name)
      if stored and size > 0 and value ~= nil and not row.computed then
        local found, field = doc:at(at)
        if row.kind == "string" then
          assert.same({ path, row.name }, { lathe.path(found), field }, path .. "." .. row.name)
        end
        covered(at, size)
      end
      if row.array and value then
        local data, length = lathe.span(value)
        if #value > 0 then covered(data, length) end
        for i, item in ipairs(value) do
          if type(item) == "userdata" and not row.ref and lathe.type(item) then
            local inside = lathe.span(item)
            local found = doc:at(inside)
            assert.truthy(lathe.path(found):find(lathe.path(item), 1, true), lathe.path(item))
            record(item)
          elseif type(item) == "string" then
            local begins, n = lathe.span(value, i)
            covered(begins, n)
          end
        end
      elseif type(value) == "userdata" and not row.ref and not row.array then
        record(value)
      end
    end
  end
  for _, object in ipairs(doc.objects) do record(object) end
end

describe("places in a packfile", function()
  local function check(doc, label)
    local bytes = doc:encode()
    local marks = {}
    check_places(doc, function(off, size) for i = off + 1, off + size do marks[i] = true end end)
    local from = lathe.span(doc.objects[1])
    local last = doc.objects[#doc.objects]
    local till = select(2, lathe.span(last)) + lathe.span(last)
    for i = from + 1, till do
      assert.truthy(marks[i] or bytes:byte(i) == 0, ("%s: nobody has 0x%x"):format(label, i - 1))
    end
    for off = from, till - 1, 7 do
      local view = doc:at(off)
      local start, size = lathe.span(doc:get(lathe.path(view):match("^objects%[%d+%]")))
      assert.truthy(off >= start and off < start + size, ("%s: at 0x%x is %s"):format(label, off, lathe.path(view)))
    end
  end

  it("lead there and back, before and after edits", function()
    each_layout(function(layout)
      for name, opts in pairs(edits.samples(layout)) do
        local doc <close> = open(edits.make(name, opts))
        check(doc, name)
        local plain = doc:totable()
        math.randomseed(3)
        for _ = 1, 20 do edits.random_edit(doc, plain) end
        check(doc, name .. " edited")
      end
    end)
  end)
end)

-- ---- lists of what other elements hold ---------------------------------------------------------------

describe("a list that is given", function()
  it("may hold views of what later elements of the array have", function()
    local tracks = {}
    for i = 1, 24 do
      local annotations = {}
      for k = 1, i % 5 do annotations[k] = { time = k, text = ("x"):rep(3 * i + k) } end
      tracks[i] = { track_name = "track " .. i, annotations = annotations }
    end
    local made <close> = assert(lathe.new("hkx", { game = "skyrim-se", objects = {
      { class = "hkRootLevelContainer", named_variants = { { name = "clip", variant = 2 } } },
      { class = "hkaInterleavedUncompressedAnimation", annotation_tracks = tracks } } }))
    local doc <close> = assert(lathe.parse(made:encode()))
    local list, given = doc.objects[2].annotation_tracks, {}
    for i = 1, 23 do given[i] = { track_name = "another name " .. i, annotations = list[i + 1].annotations } end
    given[24] = { track_name = "last" }
    doc.objects[2].annotation_tracks = given
    for i = 1, 24 do
      local want = i < 24 and tracks[i + 1].annotations or {}
      assert.equal(#want, #list[i].annotations)
      for k, one in ipairs(want) do assert.equal(one.text, list[i].annotations[k].text) end
    end
    same_bytes(assert(doc:serialize()), doc:encode())
  end)

  it("gives texts that are shorter, longer or absent, as written one by one", function()
    for _, game in ipairs { "skyrim-le", "skyrim-se", "fallout4" } do
      local function clip()
        local annotations = {}
        for i = 1, 40 do annotations[i] = { time = i, text = ("y"):rep(i % 23) } end
        local made <close> = assert(lathe.new("hkx", { game = game, objects = {
          { class = "hkRootLevelContainer", named_variants = { { name = "clip", variant = 2 } } },
          { class = "hkaInterleavedUncompressedAnimation", annotation_tracks = { { annotations = annotations } } } } }))
        return assert(lathe.parse(made:encode(), { history = 4 }))
      end
      local whole <close> = clip()
      local each <close> = clip()
      local given = {}
      for i = 1, 40 do given[i] = { time = i, text = i % 7 > 0 and ("z"):rep(i * 5 % 61) or nil } end
      local before = whole:encode()
      whole.objects[2].annotation_tracks[1].annotations = given
      for i, one in ipairs(given) do -- what an element is not given stays
        each.objects[2].annotation_tracks[1].annotations[i] = { time = i, text = one.text or "" }
      end
      assert.is_true(whole:encode() == each:encode(), game)
      assert.is_true(whole:encode() == assert(whole:serialize()), game)
      whole:undo()
      same_bytes(before, whole:encode())
    end
  end)
end)
