-- Objects of packfiles that come and go: appended, made where a pointer is set, copied, removed and pruned.

local edits = require "hkx_edits"
local helper = require "helper"
local lathe = require "lathe"
local walker = require "hkx_walker"

local same_bytes = edits.same_bytes

local CORPUS = os.getenv("LATHE_CORPUS") or "../shared/corpus"

local function open(name)
  local path = helper.need_corpus("hkx-behavior/" .. name .. ".hkx", pending)
  return path and assert(lathe.open(path, { history = 1000 }))
end

-- What a file without gaps is: it opens again, and is the same when written anew after it was tidied by that.
local function walks(doc, game)
  local bytes = doc:encode()
  local tables = walker.tables(CORPUS .. "/../formats", game or "skyrim")
  if tables then assert.equal(#doc.objects, (walker.walk(bytes, tables))) end
  local again <close> = assert(lathe.parse(bytes, { format = "hkx" }))
  assert.equal(#doc.objects, #again.objects)
  return bytes
end

-- Runs fn, which must raise exactly this and leave the document as it is.
local function refuses(doc, message, fn)
  local before = doc:encode()
  local ok, err = pcall(fn)
  assert.is_false(ok, "nothing raised")
  local text = tostring(err):gsub("^[^:]*%.%a+:%d+: ", ""):gsub("^[^:]*%.hkx: ", ""):gsub(" at 0x%x+", "")
  assert.equal(message, (text:gsub(" %(%w+%)$", "")))
  same_bytes(before, doc:encode())
end

local function first(doc, class)
  return edits.objects_of(doc, class)[1]
end

local GAMES = {
  { "skyrim-le/1st_idlebehavior", "skyrim" }, { "skyrim-se/1st_idlebehavior", "skyrim" },
  { "fo4/deathclaw_character", "fallout4" },
}

describe("an object of a packfile #corpus", function()
  it("is appended by its class, with the objects that its values make", function()
    for _, game in ipairs(GAMES) do
      local doc <close> = open(game[1])
      if not doc then return end
      local before, n = doc:encode(), #doc.objects
      local state = doc.objects:append { type = "hkbStateMachineStateInfo", name = "Wait", state_id = 7,
        generator = { type = "hkbClipGenerator", name = "clip", animation_name = "wait.hkx" },
        transitions = { transitions = { { to_state_id = 3 } } } }
      assert.equal("hkbStateMachineStateInfo", lathe.type(state))
      assert.equal("hkbClipGenerator", lathe.type(state.generator))
      assert.equal("hkbStateMachineTransitionInfoArray", lathe.type(state.transitions))
      assert.same({ n + 3, "wait.hkx", 3, 7 },
        { #doc.objects, state.generator.animation_name, state.transitions.transitions[1].to_state_id, state.state_id })
      walks(doc, game[2])
      local list = first(doc, "hkbStateMachine")
        or doc.objects:append { type = "hkbStateMachine", name = "all" }
      local had = #list.states
      list.states:append { name = "made in the list" }
      list.states:append(state)
      assert.same({ "made in the list", "Wait" }, { list.states[had + 1].name, list.states[had + 2].name })
      walks(doc, game[2])
      while doc:undo() do end
      same_bytes(before, doc:encode())
    end
  end)

  it("is named by `class` or by `type`, which may be a member, too", function()
    local doc <close> = open("skyrim-se/1st_idlebehavior")
    if not doc then return end
    local by_class = doc.objects:append { class = "hkaSplineCompressedAnimation", type = "unknown" }
    local by_type = doc.objects:append { type = "hkaSplineCompressedAnimation", duration = 2 }
    assert.same({ "hkaSplineCompressedAnimation", "hkaSplineCompressedAnimation", 2 },
      { lathe.type(by_class), lathe.type(by_type), by_type.duration })
    local binding = doc.objects:append { type = "hkaAnimationBinding",
      animation = { type = "hkaInterleavedUncompressedAnimation", duration = 3 } }
    assert.same({ "hkaInterleavedUncompressedAnimation", 3 },
      { lathe.type(binding.animation), binding.animation.duration })
    walks(doc)
  end)

  it("is refused by name where its class does not fit", function()
    local doc <close> = open("skyrim-se/1st_idlebehavior")
    if not doc then return end
    local other <close> = open("skyrim-le/1st_idlebehavior")
    local fallout <close> = open("fo4/deathclaw_character")
    local machine = first(doc, "hkbStateMachine")
    local state = machine.states[1]
    local function at(object, field) return lathe.path(object) .. "." .. field .. ": " end
    refuses(doc, at(state, "generator") .. "say which class derived from hkbGenerator: { type = \"…\", … }",
      function() state.generator = { name = "x" } end)
    refuses(doc, at(state, "generator") .. "no class 'hkbClipGeneratr' is known; did you mean 'hkbClipGenerator'?",
      function() state.generator = { type = "hkbClipGeneratr" } end)
    refuses(doc, at(state, "generator") .. "hkbGenerator expected, got a class that does not derive from it: "
      .. "hkbStateMachineStateInfo", function() state.generator = { type = "hkbStateMachineStateInfo" } end)
    refuses(doc, at(state, "generator") .. "files of this game have no class 'BSBehaviorGraphSwapGenerator'",
      function() state.generator = { type = "BSBehaviorGraphSwapGenerator" } end)
    refuses(doc, at(state, "generator") .. "hkbGenerator expected, object 1 is of class hkRootLevelContainer",
      function() state.generator = doc.objects[1] end)
    refuses(doc, at(machine, "states") .. "hkbStateMachineStateInfo expected, object 2 is of class hkbBehaviorGraph",
      function() machine.states:append(doc.objects[2]) end)
    refuses(doc, at(state, "generator") .. "a reference can only point into its own document: "
      .. "doc.objects:copy(object) makes a copy in this one", function() state.generator = other.objects[2] end)
    refuses(doc, ("objects[%d]: no field 'speed' in hkbClipGenerator"):format(#doc.objects + 1),
      function() state.generator = { type = "hkbClipGenerator", speed = 1 } end)
    refuses(doc, ("objects[%d]: an object of Fallout 4 cannot be copied to a file of Skyrim SE: "
      .. "convert its document first"):format(2), function() doc.objects:copy(fallout.objects[2]) end)
    refuses(doc, "objects: an object of a packfile expected",
      function() doc.objects:copy(doc.objects[1].named_variants[1]) end)
    refuses(doc, "objects: the root object cannot be removed", function() doc.objects:remove(1) end)
    local own = { type = "hkbManualSelectorGenerator" }
    own.generators = { own }
    local before = doc:encode()
    assert.is_false((pcall(function() state.generator = own end)))
    same_bytes(before, doc:encode())
  end)
end)

describe("copies of objects #corpus", function()
  it("have all that they lead to, once each, between Skyrim LE and SE and within a document", function()
    for _, from in ipairs { "skyrim-le/0_master", "skyrim-se/0_master", "skyrim-se/weapequip" } do
      local doc <close> = open("skyrim-se/1st_idlebehavior")
      if not doc then return end
      local source <close> = open(from)
      local before, theirs, n = doc:encode(), source:encode(), #doc.objects
      local graph = doc.objects:copy(first(source, "hkbBehaviorGraph"))
      assert.equal(n + #source.objects - 1, #doc.objects)
      assert.equal(doc.objects[n + 1], graph)
      walks(doc)
      doc.objects[1].named_variants[1].variant = graph
      local report = doc:prune {}
      assert.equal(n - 1, report.changed)
      -- but for the order of class names, that is the other file
      local se <close> = open((from:gsub("%-le", "-se")))
      assert.same(#se.objects, #doc.objects)
      same_bytes(assert(se:serialize()), assert(assert(lathe.parse(doc:serialize())):serialize()))
      walks(doc)
      same_bytes(theirs, source:encode())
      for _ = 1, 3 do assert.is_true(doc:undo()) end
      same_bytes(before, doc:encode())
    end
  end)

  it("of cycles end", function()
    local doc <close> = open("skyrim-le/1st_idlebehavior")
    if not doc then return end
    local a = doc.objects:append { type = "hkbManualSelectorGenerator", name = "a" }
    local b = doc.objects:append { type = "hkbManualSelectorGenerator", name = "b", generators = { a } }
    a.generators = { b, b, a }
    local n = #doc.objects
    local copy = doc.objects:copy(a)
    assert.equal(n + 2, #doc.objects)
    assert.equal(copy, copy.generators[1].generators[1])
    assert.equal(copy, copy.generators[3])
    assert.equal(copy.generators[1], copy.generators[2])
    walks(doc)
    assert.same({ 4, { "hkbManualSelectorGenerator" } }, (function()
      local report = doc:prune {}
      return { report.changed, report.classes }
    end)())
    walks(doc)
    assert.same({ 0, nil }, { doc:prune {}.changed, doc:prune {}.classes })
  end)
end)

-- ---- objects that go --------------------------------------------------------------------------------------

describe("objects of every behaviour file #corpus", function()
  it("are removed, and what nothing leads to is pruned", function()
    for _, name in ipairs { "skyrim-le/weapequip", "skyrim-se/horsebehavior", "skyrim-se/wisp_skeleton",
      "skyrim-le/defaultfemale", "fo4/deathclaw_character" } do
      local doc <close> = open(name)
      if not doc then return end
      local game, before = name:match "^fo4" and "fallout4" or "skyrim", doc:encode()
      assert.equal(0, doc:prune {}.changed)
      same_bytes(before, doc:encode())
      local dice, edits_made = #before, 0
      while #doc.objects > 1 do
        dice = (dice * 1103515245 + 12345) % 2147483648
        local i = 2 + dice // 64 % (#doc.objects - 1)
        doc.objects:remove(i)
        edits_made = edits_made + 1
        if doc:prune {}.changed > 0 then edits_made = edits_made + 1 end
        walks(doc, game)
      end
      for _ = 1, edits_made do assert.is_true(doc:undo()) end
      same_bytes(before, doc:encode())
    end
  end)
end)

-- ---- edits by chance -----------------------------------------------------------------------------------------

local random = math.random

local CLASSES = { "hkbClipGenerator", "hkbStateMachine", "hkbStateMachineStateInfo", "hkbManualSelectorGenerator",
  "hkbBlenderGenerator", "hkbVariableBindingSet", "hkbModifierGenerator", "hkbStringEventPayload" }

local function any(doc)
  return doc.objects[random(2, #doc.objects)]
end

-- Sets, appends or removes something on a row that has pointers.
local function point(doc)
  local machine, clip = first(doc, "hkbStateMachine"), first(doc, "hkbClipGenerator")
  if machine and random(2) == 1 then
    machine.states:append { name = ("s"):rep(random(0, 40)), generator = random(2) == 1 and clip or
      { type = "hkbClipGenerator", name = "made" } }
  elseif machine and #machine.states > 0 then
    machine.states:remove(random(1, #machine.states))
  end
end

local ACTIONS = {
  function(doc) doc.objects:append { type = CLASSES[random(#CLASSES)] } end,
  function(doc, other) if #doc.objects < 400 then doc.objects:copy(any(other)) end end,
  function(doc) if #doc.objects < 400 then doc.objects:copy(any(doc)) end end,
  function(doc) if #doc.objects > 4 then doc.objects:remove(random(2, #doc.objects)) end end,
  function(doc) if random(6) == 1 then doc:prune {} end end,
  point, point,
  function(doc)
    local object = any(doc)
    if pcall(function() return object.name end) then object.name = ("text "):rep(random(0, 12)) end
  end,
  function(doc)
    local root = doc.objects[1]
    if random(2) == 1 then
      root.named_variants:append { name = "n", class_name = ("c"):rep(random(30)), variant = any(doc) }
    elseif #root.named_variants > 1 then
      root.named_variants:remove(#root.named_variants)
    end
  end,
}

describe("edits by chance of a behaviour file #corpus", function()
  it("leave no gap, and are taken back", function()
    if not walker.tables(CORPUS .. "/../formats", "skyrim") then
      return pending("the reference's tables of classes are missing: " .. CORPUS .. "/../formats")
    end
    for seed, name in ipairs { "skyrim-le/1st_idlebehavior", "skyrim-se/1st_idlebehavior", "skyrim-se/sprintbehavior" } do
      local doc <close> = open(name)
      if not doc then return end
      local other <close> = open "skyrim-le/bashbehavior"
      math.randomseed(seed)
      local states = { doc:encode() }
      for _ = 1, 60 do
        doc:edit(function()
          for _ = 1, random(1, 3) do ACTIONS[random(#ACTIONS)](doc, other) end
        end)
        local bytes = walks(doc)
        if bytes ~= states[#states] then states[#states + 1] = bytes end
      end
      local plain = assert(doc:serialize())
      same_bytes(plain, assert(assert(lathe.parse(plain, { format = "hkx" })):serialize()))
      while doc:undo() do
        local bytes = doc:encode()
        while #states > 1 and bytes ~= states[#states] do table.remove(states) end
        same_bytes(states[#states], bytes)
      end
      assert.equal(1, #states)
    end
  end)
end)
