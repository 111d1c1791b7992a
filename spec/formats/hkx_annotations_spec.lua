-- Annotations as views that write: in packfiles, tagfiles and .anm.

local complete = require "lathe.repl.complete"
local dkjson = require "dkjson"
local helper = require "helper"
local lathe = require "lathe"
local sample = require "sample_hkx"
local show = require "lathe.repl.show"
local small = require "small_documents"

local bytes = small.documents()

local function open(format)
  return assert(lathe.parse(bytes[format], { format = format, history = 99 }))
end

local function raises(message, f, ...)
  local ok, err = pcall(f, ...)
  assert.is_false(ok)
  assert.equal(message, (tostring(err):gsub("^[^ ]*:%d+: ", "")))
end

local function assign(t, key, value) t[key] = value end

-- "time text track" of each, with the record where `paths` is given.
local function told(notes, paths)
  local list = {}
  for i, note in ipairs(notes) do
    list[i] = ("%.9g %s %d"):format(note.time, note.text, note.track)
      .. (paths and " " .. lathe.path(note.source):gsub("^.*annotation_tracks", "") or "")
  end
  return list
end

-- A clip of 1 s and two tracks.
local function clip(annotations, opts)
  opts = opts or {}
  local file = sample.clip { game = opts.game or "skyrim-se", frames = 31, tracks = opts.tracks or 2,
    annotations = annotations or {} }
  return assert(lathe.parse(file, { history = opts.history or 99 }))
end

local A = { track = 0, time = 0.25, text = "A" }
local B = { track = 0, time = 0.5, text = "B" }
local C = { track = 1, time = 0.75, text = "C" }

describe("annotations", function()
  local doc = clip { C, A, B }
  local notes = doc.animations[1].annotations

  it("read like tables", function()
    assert.equal("list", lathe.type(notes))
    assert.equal("annotation", lathe.type(notes[1]))
    assert.same({ "0.25 A 0", "0.5 B 0", "0.75 C 1" }, told(notes))
    assert.equal(3, #notes)
    assert.is_nil(notes[4])
    assert.is_nil(notes[0])
    assert.equal(notes[1], doc.animations[1].annotations[1])
    assert.are_not.equal(notes[1], notes[2])
    assert.equal("hkaAnnotationTrackAnnotation", lathe.type(notes[1].source))
    local names = {}
    for name in pairs(notes[1]) do names[#names + 1] = name end
    assert.same({ "time", "text", "track", "source" }, names)
    local seen = {}
    for i, note in pairs(notes) do seen[i] = note.text end
    assert.same({ "A", "B", "C" }, seen)
    local plain = lathe.totable(notes)
    assert.equal(notes[3].source, plain[3].source)
    plain[3].source = nil
    assert.same({ time = 0.75, text = "C", track = 1 }, plain[3])
    assert.same({ "3 annotations", 'annotation "A": 0.25 s, track 0' }, { tostring(notes), tostring(notes[1]) })
    raises("no field 'name' in annotation", function() return notes[1].name end)
    for _, name in ipairs { "insert", "add" } do
      raises(("no method '%s' of annotations, which have append, remove; they have numbers, in time order"):format(name),
        function() return notes[name] end)
    end
  end)

  it("are shown, completed and written as JSON", function()
    assert.same({
      "3 annotations",
      "       time [s]  text  track",
      '  [1]      0.25  "A"       0',
      '  [2]       0.5  "B"       0',
      '  [3]      0.75  "C"       1',
    }, show.lines(notes))
    assert.same({
      'annotation "A": 0.25 s, track 0',
      "  time   = 0.25 s",
      '  text   = "A"',
      "  track  = 0",
      "  source = -> objects[3].annotation_tracks[1].annotations[1]",
    }, show.lines(notes[1]))
    assert.same({ "0 annotations" }, show.lines(clip().animations[1].annotations))
    local written = { source = "objects[3].annotation_tracks[1].annotations[1]", text = "A", time = 0.25, track = 0 }
    assert.same(written, dkjson.decode(lathe.tree.to_json(notes))[1])
    assert.same(written, dkjson.decode(lathe.tree.to_json { notes = notes }).notes[1])
    local env = { doc = doc }
    local function words(line) return complete.words(line, 1, #line, env) end
    assert.same({ "doc.animations[1].annotations[1].text", "doc.animations[1].annotations[1].time",
      "doc.animations[1].annotations[1].track" }, words "doc.animations[1].annotations[1].t")
    assert.same({ "doc.animations[1].annotations:append", "doc.animations[1].annotations:remove" },
      words "doc.animations[1].annotations:")
  end)
end)

for _, game in ipairs { "skyrim-le", "skyrim-se", "fallout4" } do
  describe("an assignment to an annotation of " .. game, function()
    it("is stored", function()
      local doc = clip({ C, A, B }, { game = game })
      local anim = doc.animations[1]
      local note = anim.annotations[2]
      note.text = "a longer text than it was"
      assert.equal("a longer text than it was", note.source.text)
      note.text = ""
      note.time = 0.3
      assert.equal(0.30000001192092896, note.time)
      assert.equal(0.30000001192092896, anim.source.annotation_tracks[1].annotations[2].time)
      assert.same({ "0.25 A 0", "0.300000012  0", "0.75 C 1" }, told(anim.annotations))
      local again = assert(lathe.parse(assert(doc:encode())))
      assert.same(told(anim.annotations), told(again.animations[1].annotations))
      assert.equal(doc:serialize(), doc:encode())
      for _ = 1, 3 do doc:undo() end
      assert.same({ "0.25 A 0", "0.5 B 0", "0.75 C 1" }, told(anim.annotations))
      assert.is_false(doc.modified)
    end)

    it("puts one that passes its neighbours behind them, and it stays the same", function()
      local doc = clip({ A, B, { track = 0, time = 0.6, text = "D" }, C }, { game = game })
      local notes = doc.animations[1].annotations
      local a, b, d = notes[1], notes[2], notes[3]
      local before = told(notes, true)
      a.time = 0.9
      assert.same({ "0.5 B 0 [1].annotations[1]", "0.600000024 D 0 [1].annotations[2]", "0.75 C 1 [2].annotations[1]",
        "0.899999976 A 0 [1].annotations[3]" }, told(notes, true))
      assert.same({ "A", "B", "D" }, { a.text, b.text, d.text })
      assert.same({ true, true, true }, { a == notes[4], b == notes[1], d == notes[2] })
      d.time = 0
      assert.same({ "0 D 0 [1].annotations[1]", "0.5 B 0 [1].annotations[2]", "0.75 C 1 [2].annotations[1]",
        "0.899999976 A 0 [1].annotations[3]" }, told(notes, true))
      assert.equal(d, notes[1])
      doc:undo()
      assert.equal(d, notes[2])
      doc:undo()
      assert.same(before, told(notes, true))
      assert.same({ true, true, true, 0.25 }, { a == notes[1], b == notes[2], d == notes[3], a.time })
      doc:redo()
      assert.same({ true, 0.89999997615814209 }, { a == notes[4], a.time })
      a.time = 0.1
      assert.equal(a, notes[1])
      local again = assert(lathe.parse(assert(doc:encode())))
      assert.same(told(notes), told(again.animations[1].annotations))
      assert.equal(doc:serialize(), doc:encode())
    end)

    it("moves one to another track", function()
      local doc = clip({ A, B, C }, { game = game })
      local notes = doc.animations[1].annotations
      local a, c = notes[1], notes[3]
      a.track = 1
      assert.same({ "0.25 A 1 [2].annotations[1]", "0.5 B 0 [1].annotations[1]", "0.75 C 1 [2].annotations[2]" },
        told(notes, true))
      assert.same({ 1, a }, { a.track, notes[1] })
      c.track = 0
      a.track = 0
      assert.same({ "0.25 A 0 [1].annotations[1]", "0.5 B 0 [1].annotations[2]", "0.75 C 0 [1].annotations[3]" },
        told(notes, true))
      for _ = 1, 3 do doc:undo() end
      assert.same({ "0.25 A 0 [1].annotations[1]", "0.5 B 0 [1].annotations[2]", "0.75 C 1 [2].annotations[1]" },
        told(notes, true))
      assert.same({ 0, 1, a, c }, { a.track, c.track, notes[1], notes[3] })
      assert.is_false(doc.modified)
    end)

    it("adds and removes", function()
      local doc = clip(nil, { game = game })
      local notes = doc.animations[1].annotations
      notes:append { time = 0.5, text = "B" }
      notes:append { time = 0.25, text = "A" }
      notes:append { time = 1, text = "last", track = 1 }
      notes:append { time = 0.5, text = "B too", track = 0 }
      assert.same({ "0.25 A 0 [1].annotations[1]", "0.5 B 0 [1].annotations[2]", "0.5 B too 0 [1].annotations[3]",
        "1 last 1 [2].annotations[1]" }, told(notes, true))
      local again = assert(lathe.parse(assert(doc:encode())))
      assert.same(told(notes), told(again.animations[1].annotations))
      assert.equal(doc:serialize(), doc:encode())
      local b = notes[2]
      notes:remove(2)
      raises("the annotation was removed", function() return b.text end)
      raises("the annotation was removed", assign, b, "text", "x")
      raises("the annotation was removed", assign, b, "time", 0)
      assert.equal("annotation (unreadable)", tostring(b))
      notes:remove()
      assert.same({ "0.25 A 0", "0.5 B too 0" }, told(notes))
      doc:undo()
      doc:undo()
      assert.same({ "B", b }, { b.text, notes[2] })
      notes:append(notes[1])
      assert.same({ "0.25 A 0", "0.25 A 0", "0.5 B 0", "0.5 B too 0", "1 last 1" }, told(notes))
      for _ = 1, 5 do doc:undo() end
      assert.same({}, told(notes))
      assert.is_false(doc.modified)
    end)
  end)
end

describe("an edit of annotations", function()
  it("that makes no sense is refused, and nothing changes", function()
    local doc = clip { A, B, C }
    local notes = doc.animations[1].annotations
    local note = notes[1]
    local function refused(message, f, ...)
      raises(message, f, ...)
      assert.is_false(doc.modified)
    end
    refused("time: 1.01 s is outside of the animation's 0 to 1", assign, note, "time", 1.01)
    refused("time: -0.001 s is outside of the animation's 0 to 1", assign, note, "time", -0.001)
    refused("time: nan s is outside of the animation's 0 to 1", assign, note, "time", math.abs(0 / 0))
    refused("track: no track 2: there are 2, from 0", assign, note, "track", 2)
    refused("track: no track -1: there are 2, from 0", assign, note, "track", -1)
    refused("text: it holds a NUL byte", assign, note, "text", "a\0b")
    refused("'text' of an annotation: a string expected, got number", assign, note, "text", 5)
    refused("'time' of an annotation: a number expected, got string", assign, note, "time", "0.5")
    refused("'track' of an annotation: an integer expected, got 0.5", assign, note, "track", 0.5)
    refused("'source' of an annotation cannot be set", assign, note, "source", notes[2].source)
    refused("no field 'name' in annotation", assign, note, "name", "x")
    refused("'1' of anim.annotations cannot be set: set its time, text or track, append or remove", assign, notes, 1, {})
    refused("time: 2 s is outside of the animation's 0 to 1", notes.append, notes, { time = 2, text = "x" })
    refused("track: no track 2: there are 2, from 0", notes.append, notes, { time = 0, text = "x", track = 2 })
    refused("text: it holds a NUL byte", notes.append, notes, { time = 0, text = "\0" })
    refused("bad argument #1 to 'append' (no time)", function() notes:append { text = "x" } end)
    refused("bad argument #1 to 'append' (no text)", function() notes:append { time = 0 } end)
    refused("no field 'name' in an annotation", notes.append, notes, { time = 0, text = "x", name = "y" })
    refused("bad argument #1 to 'append' (table expected, got string)", function() notes:append "x" end)
    refused("bad argument #1 to 'remove' (no annotation of that number)", function() notes:remove(4) end)
    refused("bad argument #1 to 'remove' (no annotation of that number)", function() notes:remove(0) end)
    refused("bad argument #1 to '?' (list of annotations expected, got lathe.List)", notes.append,
      doc.animations[1].tracks, {})
    note.source.text = "A"
    doc.animations[1].source.annotation_tracks:remove(2)
    refused = raises
    refused("objects[3].annotation_tracks at 0x" .. ("%x"):format(lathe.span(doc.animations[1].source,
      "annotation_tracks")) .. ": 1 of them: track 1 has none (hkaSplineCompressedAnimation)", notes.append, notes,
      { time = 0, text = "x", track = 1 })
  end)

  it("that fails is rolled back with the edit around it", function()
    local doc = clip { A, B, C }
    local notes = doc.animations[1].annotations
    local a, b = notes[1], notes[2]
    assert.is_false(pcall(doc.edit, doc, function()
      a.time = 0.9
      b.text = "changed"
      notes:append { time = 0.1, text = "new" }
      notes:remove(4)
      assert.same({ "0.100000001 new 0", "0.5 changed 0", "0.75 C 1" }, told(notes))
      error "no"
    end))
    assert.same({ "0.25 A 0", "0.5 B 0", "0.75 C 1" }, told(notes))
    assert.same({ true, true, "A", "B" }, { a == notes[1], b == notes[2], a.text, b.text })
    assert.is_false(doc.modified)
    doc:edit(function()
      a.time = 0.9
      notes:append { time = 0.1, text = "new" }
    end)
    assert.same({ "0.100000001 new 0", "0.5 B 0", "0.75 C 1", "0.899999976 A 0" }, told(notes))
    doc:undo()
    assert.same({ "0.25 A 0", "0.5 B 0", "0.75 C 1" }, told(notes))
    assert.equal(a, notes[1])
  end)

  it("by their records shows in them", function()
    local doc = clip { A, B, C }
    local notes = doc.animations[1].annotations
    local a, b = notes[1], notes[2]
    b.source.time = 0.125
    assert.same({ "0.125 B 0", "0.25 A 0", "0.75 C 1" }, told(notes))
    assert.same({ true, true }, { b == notes[1], a == notes[2] })
    a.source.text = "by its record"
    assert.equal("by its record", a.text)
    doc.animations[1].source.annotation_tracks[1].annotations:remove(1)
    raises("the annotation was removed", function() return a.time end)
    assert.same({ "0.125 B 0", "0.75 C 1" }, told(notes))
    doc.animations[1].source.annotation_tracks[1].annotations:insert(1, { time = 0.5, text = "E" })
    assert.same({ "0.125 B 0", "0.5 E 0", "0.75 C 1" }, told(notes))
    raises("the annotation was removed", function() return a.time end)
    doc:close()
    raises("document is closed", function() return b.text end)
    raises("document is closed", function() return #notes end)
    raises("document is closed", assign, b, "text", "x")
  end)

  it("keeps those without a text as they are", function()
    local doc = clip { A, B }
    doc.animations[1].annotations[1].source.text = false
    local note = doc.animations[1].annotations[1]
    assert.equal("", note.text)
    note.time = 0.3
    assert.is_falsy(note.source.text)
    note.time = 0.6
    assert.same({ "0.5 B 0", "0.600000024  0" }, told(doc.animations[1].annotations))
  end)
end)

describe("annotations of a tagfile", function()
  local path = helper.corpus "tagfile/DSR_a00_0000.hkx"

  it("are written like those of a packfile", function()
    if not path then return helper.need_corpus("tagfile", pending) end
    local doc = assert(lathe.open(path, { history = 99 }))
    local notes = doc.animations[1].annotations
    local before = assert(doc:encode())
    notes:append { time = 0.5, text = "B", track = 3 }
    notes:append { time = 0.25, text = "A", track = 3 }
    local a = notes[1]
    a.time = 0.75
    assert.same({ "0.5 B 3", "0.75 A 3" }, told(notes))
    assert.equal(a, notes[2])
    a.text = "a longer text than it was"
    local again = assert(lathe.parse(assert(doc:encode())))
    assert.same({ "0.5 B 3", "0.75 a longer text than it was 3" }, told(again.animations[1].annotations))
    notes:remove(1)
    for _ = 1, 5 do doc:undo() end
    assert.equal(before, doc:encode())
  end)
end)

describe("events of an .anm", function()
  it("are annotations that happen at key frames", function()
    local doc = open "anm"
    local notes = doc.animations[1].annotations
    assert.same({ "0 leftrunstep 1", "0 turn 0" }, told(notes))
    local step = notes[1]
    step.text = "rightrunstep"
    step.track = 0
    assert.same({ "rightrunstep", 0 }, { doc.frames[1].events[1].name, doc.frames[1].events[1].bone })
    step.time = 0.5
    assert.same({ "0 turn 0", "0.5 rightrunstep 0" }, told(notes))
    assert.same({ 1, 1, true }, { doc.frames[1].num_events, doc.frames[2].num_events, step == notes[2] })
    notes:append { time = 0, text = "golimp", track = 1 }
    assert.same({ "0 turn 0", "0 golimp 1", "0.5 rightrunstep 0" }, told(notes))
    notes:remove(1)
    local again = assert(lathe.parse(assert(doc:encode()), { format = "anm" }))
    assert.same({ "0 golimp 1", "0.5 rightrunstep 0" }, told(again.animations[1].annotations))
    for _ = 1, 5 do doc:undo() end
    assert.same({ "0 leftrunstep 1", "0 turn 0" }, told(notes))
    assert.equal(step, notes[1])
    assert.is_false(doc.modified)
  end)

  it("are refused elsewhere", function()
    local doc = open "anm"
    local notes = doc.animations[1].annotations
    raises("time: events happen at key frames, and none is at 0.3 s: the nearest is frame 1, at 0.5 s", assign, notes[1],
      "time", 0.3)
    raises("time: events happen at key frames, and none is at 1 s: the nearest is frame 1, at 0.5 s", notes.append,
      notes, { time = 1, text = "x" })
    raises("track: no track 2: there are 2, from 0", assign, notes[1], "track", 2)
    assert.is_false(doc.modified)
    local old = assert(lathe.new("anm", { version = 1, length = 100, frames = { { bone_matrices = { {} } } } }))
    raises("animations of version 1 have no events", old.animations[1].annotations.append, old.animations[1].annotations,
      { time = 0, text = "x" })
  end)
end)

describe("many annotations", function()
  local function seconds(n)
    local doc = clip(nil, { history = 0 })
    local notes = doc.animations[1].annotations
    doc:edit(function()
      for i = 1, n do notes:append { time = i / (n + 1), text = "x" } end
    end)
    local start = os.clock()
    for _ = 1, 3 do
      local sum = 0
      for _, note in ipairs(notes) do sum = sum + #note.text end
      assert.equal(n, sum)
    end
    doc:edit(function()
      for i = 1, n do notes[i].time = notes[i].time end
      for i = n, 1, -1 do notes[i].time = (i + 0.25) / (n + 1) end
    end)
    return os.clock() - start
  end

  it("are read and set in time that grows with their number", function()
    seconds(100)
    local few, many = math.huge, math.huge
    for _ = 1, 3 do
      few, many = math.min(few, seconds(200)), math.min(many, seconds(1600))
    end
    assert.is_true(many < 24 * few + 0.05, ("%.3f s for 200, %.3f s for 1,600"):format(few, many))
  end)
end)

describe("finalizers while annotations are used", function()
  it("may close the document or change it", function()
    for _, act in ipairs { "close", "remove" } do
      local doc = clip { A, B, C }
      local notes = doc.animations[1].annotations
      collectgarbage "generational"
      for i = 1, 300 do
        setmetatable({}, { __gc = function()
          if act == "close" and i > 20 then doc:close() end
          if act == "remove" and #notes > 2 then notes:remove(1) end
        end })
        local ok = pcall(function()
          notes:append { time = 0.5, text = ("x"):rep(i) }
          notes[1].time = i % 10 / 10
          return lathe.totable(notes), notes[#notes].source, tostring(notes[1])
        end)
        if not ok and act == "close" and i > 20 then break end
      end
      collectgarbage "incremental"
    end
  end)
end)
