-- Objects of packfiles that come and go.

local lathe = require "lathe"
local sample = require "sample_hkx"

local FRAME = "hkaDefaultAnimatedReferenceFrame"
local GAMES = { "skyrim-le", "skyrim-se", "fallout4" }

local function clip(game, more)
  local opts = { game = game, kind = "interleaved", tracks = 2, frames = 3 }
  for k, v in pairs(more or {}) do opts[k] = v end
  return assert(lathe.parse((sample.clip(opts)), { history = 20 }))
end

local function classes(doc)
  local list = {}
  for i, object in ipairs(doc.objects) do list[i] = lathe.type(object) end
  return list
end

local function names(doc)
  local list = {}
  for i, class in ipairs(doc.class_names) do list[i] = class.name end
  return list
end

local function refuses(doc, message, fn)
  local bytes = doc:encode()
  local ok, err = pcall(fn)
  assert.is_false(ok)
  assert.equal(message, (tostring(err):gsub("^.-spec%.lua:%d+: ", "")))
  assert.is_true(bytes == doc:encode())
end

-- What was written opens as the same objects, which nothing is wrong with.
local function sound(doc)
  local bytes = doc:encode()
  local again <close> = assert(lathe.parse(bytes))
  assert.same(classes(doc), classes(again))
  assert.same(names(doc), names(again))
  assert.same({ true, {} }, { doc:check() })
  assert.same({ true, {} }, { again:check() })
  assert.equal(0, #bytes % 16)
  assert.same(doc:totable(), again:totable())
end

local function with_frame(doc, more)
  local fields = { class = FRAME, duration = doc.animations[1].duration,
    reference_frame_samples = { { 0, 0, 0, 0 }, { 1, 2, 3, 0.5 }, { 2, 4, 6, 1 } } }
  for k, v in pairs(more or {}) do fields[k] = v end
  doc:edit(function()
    local frame = doc.objects:append(fields)
    doc.animations[1].source.extracted_motion = frame
  end)
end

describe("an object of a packfile", function()
  for _, game in ipairs(GAMES) do
    it("comes behind the others, with its class's name, and goes, in " .. game, function()
      local doc <close> = clip(game)
      local before, had, named = doc:encode(), classes(doc), names(doc)
      with_frame(doc)
      had[#had + 1] = FRAME
      assert.same(had, classes(doc))
      named[#named + 1] = FRAME
      assert.same(named, names(doc))
      sound(doc)
      assert.same({ 0, 0, 0, 0, 1, 2, 3, 0.5, 2, 4, 6, 1 }, doc.animations[1].root_motion:totable())
      local after = doc:encode()
      local whole <close> = assert(lathe.parse(assert(doc:serialize())))
      assert.equal(#after, #whole:encode())
      table.sort(had)
      local sorted = classes(whole)
      table.sort(sorted)
      assert.same(had, sorted)

      doc.objects:remove(#doc.objects)
      assert.is_false(doc.animations[1].source.extracted_motion)
      assert.is_true(before == doc:encode())
      doc:undo()
      assert.is_true(after == doc:encode())
      doc:undo()
      assert.is_true(before == doc:encode())
      doc:redo()
      assert.is_true(after == doc:encode())
    end)
  end

  it("shares its class's name with others", function()
    local doc <close> = clip "skyrim-se"
    with_frame(doc)
    local named, first = names(doc), doc:encode()
    doc.objects:append { class = FRAME, reference_frame_samples = { { 0, 0, 0, 0 } } }
    assert.same(named, names(doc))
    sound(doc)
    assert.equal(2, doc.objects[#doc.objects].up.z + doc.objects[#doc.objects - 1].up.z)
    doc.objects:remove(#doc.objects)
    assert.same(named, names(doc))
    assert.is_true(first == doc:encode())
  end)

  it("leaves its class's name where a damaged file has another object's name begin inside of it", function()
    local doc <close> = clip("fallout4")
    with_frame(doc)
    local bytes = doc:encode()
    local function section(tag)                   -- where its header tells of its data
      return ("<I4I4I4I4"):unpack(bytes, bytes:find(tag, 1, true) + 20)
    end
    local name = bytes:find(FRAME .. "\0", 1, true) - 1 - section "__classnames__"
    local start, _, _, virtual = section "__data__"
    local target = start + virtual + 8            -- of the first object
    bytes = bytes:sub(1, target) .. ("<I4"):pack(name + 3) .. bytes:sub(target + 5)
    bytes = bytes:gsub(FRAME, "hk\9" .. FRAME:sub(4)) -- the mark in front of a name
    local bad <close> = assert(lathe.parse(bytes))
    assert.match("^DefaultAnimatedReferenceFrame objects%[1%]", tostring(bad.objects[1]))
    bad.objects:remove(#bad.objects)
    assert.same(classes(bad), classes(assert(lathe.parse(bad:encode()))))
  end)

  it("goes from the middle; what is behind it moves by a multiple of 16", function()
    for _, game in ipairs(GAMES) do
      local doc <close> = clip(game)
      with_frame(doc)
      local bytes, frame, at = doc:encode(), doc.objects[#doc.objects], nil
      for i, class in ipairs(classes(doc)) do
        if class == "hkaAnimationBinding" then at = i end
      end
      local binding, from = doc.objects[at], lathe.span(frame)
      local size = lathe.span(doc.objects[at + 1]) - lathe.span(binding)
      doc.objects:remove(at)
      assert.equal(from - size, (lathe.span(frame)))
      assert.equal(0, size % 16)
      assert.same({ FRAME, 6.0 }, { lathe.type(frame), frame.reference_frame_samples[3].z })
      assert.is_false(pcall(function() return binding.blend_hint end))
      local again <close> = assert(lathe.parse(doc:encode()))
      assert.same(classes(doc), classes(again))
      doc:undo()
      assert.is_true(bytes == doc:encode())
      assert.equal(from, (lathe.span(frame)))
    end
  end)

  it("is copied from another document", function()
    local doc <close> = clip "fallout4"
    local other <close> = clip("fallout4", { frames = 5 })
    with_frame(other)
    doc.objects:append(other.objects[#other.objects])
    assert.same(other.objects[#other.objects]:totable(), doc.objects[#doc.objects]:totable())
    doc.objects:append(doc.objects[#doc.objects])
    local again <close> = assert(lathe.parse(doc:encode()))
    assert.same(doc:totable(), again:totable())
  end)

  it("comes and goes with others in one edit, which may fail", function()
    local doc <close> = clip "skyrim-se"
    local before = doc:encode()
    local ok = pcall(function()
      doc:edit(function()
        for _ = 1, 20 do doc.objects:append { class = FRAME, reference_frame_samples = { { 1, 2, 3, 4 } } } end
        doc.objects:remove(#doc.objects - 3, 3)
        doc.objects:append { class = "hkaAnimationBinding", animation = doc.animations[1].source }
        error "enough"
      end)
    end)
    assert.is_false(ok)
    assert.is_true(before == doc:encode())
    doc:edit(function()
      for i = 1, 20 do doc.objects:append { class = FRAME, duration = i } end
      for _ = 1, 20 do doc.objects:remove(#doc.objects) end
    end)
    assert.is_true(before == doc:encode())
  end)

  it("is refused in clear words", function()
    local doc <close> = clip "skyrim-se"
    local n, past = #doc.objects, doc.sections[3].absolute_data_start + doc.sections[3].local_fixups_offset
    refuses(doc, "objects at 0x1b0: a new object can only be appended", function()
      doc.objects:insert(2, { class = FRAME })
    end)
    refuses(doc, "objects at 0x1b0: the root object cannot be removed", function() doc.objects:remove(1) end)
    refuses(doc, "objects at 0x1b0: elements of it cannot be moved: the file has positions of its elements", function()
      doc.objects:move(2, 3)
    end)
    refuses(doc, ("objects[%d] at 0x%x: it needs a class that is described in such files: { class = \"…\" } (hkObject)")
      :format(n + 1, past), function() doc.objects:append { class = "hkbWheelGenerator" } end)
    refuses(doc, ("objects[%d] at 0x%x: it needs a class that is described in such files: { class = \"…\" } (hkObject)")
      :format(n + 1, past), function() doc.objects:insert(n + 1) end)
    refuses(doc, ("objects[%d]: no field 'durations' in %s; did you mean 'duration'?"):format(n + 1, FRAME), function()
      doc.objects:append { class = FRAME, durations = 1 }
    end)
    local at = lathe.span(doc.objects[3])
    local class = lathe.type(doc.objects[3])
    for _, other in ipairs { { class = FRAME }, doc.objects[2] } do
      refuses(doc, ("objects[3] at 0x%x: it is of class %s and cannot change: append another element"):format(at, class),
        function() doc.objects[3] = other end)
    end
  end)

  it("comes and goes by the hundred", function()
    local doc <close> = clip "skyrim-le"
    local before = doc:encode()
    doc:edit(function()
      for i = 1, 300 do
        local even = i % 2 == 0
        doc.objects:append { class = even and FRAME or "hkaAnimationBinding", duration = even and i or nil }
      end
    end)
    local again <close> = assert(lathe.parse(doc:encode()))
    assert.same(doc:totable(), again:totable())
    assert.equal(300.0, again.objects[#again.objects].duration)
    for _ = 1, 300 do doc.objects:remove(#doc.objects) end
    assert.is_true(before == doc:encode())
  end)
end)
