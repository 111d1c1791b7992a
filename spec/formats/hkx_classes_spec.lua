-- The tables of classes: every member where the reference has it, signatures worked out from members, and every object of
-- the corpus by the names and values of the reference. #corpus: pending, loudly, where there is none.

local dkjson = require "dkjson"
local helper = require "helper"
local lathe = require "lathe"

-- ---- the reference's tables ----------------------------------------------------------------------------------

local GAMES = { { "skyrim", "havok-classes-skyrim.json" }, { "fallout4", "havok-classes-fallout4.json" } }
local KINDS = {}
for i, name in ipairs { "VOID", "BOOL", "CHAR", "INT8", "UINT8", "INT16", "UINT16", "INT32", "UINT32", "INT64", "UINT64",
  "REAL", "VECTOR4", "QUATERNION", "MATRIX3", "ROTATION", "QSTRANSFORM", "MATRIX4", "TRANSFORM", "ZERO", "POINTER",
  "FUNCTIONPOINTER", "ARRAY", "INPLACEARRAY", "ENUM", "STRUCT", "SIMPLEARRAY", "HOMOGENEOUSARRAY", "VARIANT", "CSTRING",
  "ULONG", "FLAGS", "HALF", "STRINGPTR", "RELARRAY" } do
  KINDS[i - 1] = name
end

local tables = {}

-- The classes of a game by name; nil where the reference is not beside the corpus.
local function classes_of(game)
  local file = GAMES[game][2]
  local path = helper.corpus_root and helper.corpus_root .. "/../formats/" .. file
  if not tables[game] and path and helper.exists(path) then
    local by_name = {}
    for _, class in ipairs(assert(dkjson.decode(helper.read(path), 1, nil)).classes) do by_name[class.name] = class end
    tables[game] = by_name
  end
  return tables[game]
end

local function need_classes(game)
  local classes = classes_of(game)
  if not classes then pending("NOT TESTED: no " .. GAMES[game][2] .. " in formats/ beside the corpus") end
  return classes
end

-- What lathe's tables say, as the test in C lists it: { ["skyrim/4/hkpMotion"] = { size =, { name, offset, … }, … } }.
local listed
local function list()
  if listed then return listed end
  local program = helper.build .. "/spec/c/havok_classes_test"
  if not helper.exists(program) then return nil end
  local result = helper.run { program, "--list" }
  assert.equal(0, result.code)
  listed = { signatures = {} }
  local class
  for line in result.out:gmatch "[^\n]+" do
    local words = {}
    for word in (line .. "\t"):gmatch "(.-)\t" do words[#words + 1] = word end
    if words[1] == "class" then
      class = { size = math.tointeger(tonumber(words[5])) }
      listed[table.concat(words, "/", 2, 4)] = class
    elseif words[1] == "member" then
      class[#class + 1] = table.move(words, 2, #words, 1, {})
    else
      listed.signatures[words[2]] = { tonumber(words[3]), tonumber(words[4]) }
    end
  end
  return listed
end

local function has_flag(member, flag)
  for _, one in ipairs(member.f or {}) do
    if one == flag then return true end
  end
  return false
end

-- A member as one text, of either side.
local function text_of(name, offset, kind, sub, fixed, class, enum, ignored)
  return ("%s at %s: %s %s [%d] %s %s%s"):format(name, offset, kind, sub, fixed, class, enum, ignored and " ignored" or "")
end

local function wanted_text(member, column)
  return text_of(member.n, member.o[column], member.t, member.t ~= "STRUCT" and member.s or "VOID", member.k or 0,
    member.c or "", member.e or "", has_flag(member, "SERIALIZE_IGNORED"))
end

local function listed_text(row)
  local name, offset, kind, sub, fixed, class, enum, ignored = table.unpack(row)
  return text_of(name, offset, KINDS[tonumber(kind)], KINDS[tonumber(sub)], fixed, class, enum, ignored == "1")
end

describe("the tables of classes #corpus", function()
  local function compare(game, pointer)
    local wanted, have = need_classes(game), list()
    if not have then pending("NOT TESTED: no havok_classes_test") end
    local column, n = pointer == 4 and 1 or 2, 0
    for name, class in pairs(wanted) do
      local got = have[("%s/%d/%s"):format(GAMES[game][1], pointer, name)]
      assert(got, name .. " is missing")
      assert.equal(#class.members, #got, name)
      if class.size[column] then assert.equal(class.size[column], got.size, name) end
      for i, member in ipairs(class.members) do
        assert.equal(wanted_text(member, column), listed_text(got[i]), name)
        n = n + 1
      end
    end
    helper.count("class members", nil, n)
    return n
  end

  it("have every member of Skyrim LE where the reference has it", function() assert.equal(3457, compare(1, 4)) end)
  it("have every member of Skyrim SE where the reference has it", function() assert.equal(3457, compare(1, 8)) end)
  it("have every member of Fallout 4 where the reference has it", function() assert.equal(3687, compare(2, 8)) end)

  it("give the signatures that files state", function()
    local have = list()
    if not have then pending("NOT TESTED: no havok_classes_test") end
    -- The others are listed in havok_classes_test.c: what they leave out is not known.
    assert.same({ skyrim = { 678, 678 }, fallout4 = { 896, 816 } }, have.signatures)
    helper.count("class signatures", nil, 678 + 816)
  end)
end)

-- ---- objects of the corpus -----------------------------------------------------------------------------------

local FOLDERS = { "fo4", "skyrim-le", "skyrim-se" }

local function each_packfile(test)
  local root, n = helper.need_corpus("hkx-behavior", pending), 0
  for _, folder in ipairs(FOLDERS) do
    for _, name in ipairs(helper.list(root .. "/" .. folder, "%.hkx$")) do
      local path = folder .. "/" .. name
      local expected = helper.read(("%s/expected/%s__%s.json"):format(root, folder, name))
      local doc <close> = assert(lathe.open(root .. "/" .. path))
      test(doc, assert(dkjson.decode(expected, 1, nil)), path, folder == "fo4" and 2 or 1)
      n = n + 1
    end
  end
  return n
end

-- The value of an enumeration's item, or of flags with "|" between them, of any of these classes.
local function number_of(text, member, owner, classes)
  local class = member.ec or owner
  while class and not (classes[class].enums and classes[class].enums[member.e]) do class = classes[class].parent end
  local number = 0
  for item in text:gmatch "[^|]+" do number = number | assert(classes[class].enums[member.e][item], item) end
  return number
end

-- All members of a class by name, those of its parents, too, each with the class that has it.
local function members_of(name, classes)
  local all = {}
  while name do
    for _, member in ipairs(classes[name].members) do all[member.n] = { member, name } end
    name = classes[name].parent
  end
  return all
end

local function rows_of(view)
  local rows = {}
  for _, row in ipairs(lathe.describe(view)) do rows[row.original or row.name] = row end
  return rows
end

-- The numbers of a vector, or of a transform's vectors.
local function flat(view, out)
  for _, row in ipairs(lathe.describe(view)) do
    if row.kind == "record" then flat(view[row.name], out) else out[#out + 1] = view[row.name] end
  end
  return out
end

local compare_record

local function compare_value(wanted, view, key, row, member, owner, walk, label)
  local got = view[key]
  if wanted == dkjson.null or wanted == nil then
    assert.falsy(got, label)
  elseif type(wanted) == "string" and row.ref then
    assert.equal(("objects[%d]"):format(tonumber(wanted:sub(2)) + 1), got and lathe.path(got), label)
  elseif type(wanted) == "string" and member.e then
    assert.equal(number_of(wanted, member, owner, walk.classes), lathe.raw(view, key), label)
  elseif type(wanted) ~= "table" then
    assert.equal(wanted, type(wanted) == "number" and type(got) == "string" and lathe.raw(view, key) or got, label)
  elseif lathe.type(got) == "array" then
    local all = tostring(wanted[#wanted]):match "^%.%.%. (%d+) in all$" -- the rest is left out
    assert.equal(tonumber(all) or #wanted, #got, label)
    for i, one in ipairs(wanted) do
      if all and i == #wanted then break end
      compare_value(one, got, i, row, member, owner, walk, ("%s[%d]"):format(label, i))
    end
  elseif type(wanted[1]) == "number" then
    assert.same(wanted, flat(got, {}), label)
  else
    compare_record(wanted, got, member.c, walk, label)
  end
  walk.values = walk.values + 1
end

function compare_record(wanted, view, class, walk, label)
  local rows, members = rows_of(view), members_of(class, walk.classes)
  for name, value in pairs(wanted) do
    local member = assert(members[name], name)
    local row = assert(rows[name], label .. " lacks " .. name)
    compare_value(value, view, row.name, row, member[1], member[2], walk, label .. "." .. name)
  end
end

-- How many members, texts and arrays there are in a record, but for what files do not keep.
local function count_members(view, n)
  for _, row in ipairs(lathe.describe(view)) do
    if not row.computed and not row.padding then
      local value = view[row.name]
      n.members = n.members + 1
      if row.type == "cstr" and not row.array and value then n.strings = n.strings + 1 end
      if lathe.type(value) == "array" and row.resizable then
        n.arrays = n.arrays + (#value > 0 and 1 or 0)
        for i = 1, row.type == "cstr" and #value or 0 do n.strings = n.strings + (value[i] and 1 or 0) end
      end
      if row.kind == "record" and not row.ref and not row.type:find "^hkVector4" and not row.type:find "^hkQ"
        and not row.type:find "Transform$" then
        if lathe.type(value) == "array" then
          for _, one in ipairs(value) do count_members(one, n) end
        elseif value then
          count_members(value, n)
        end
      end
    end
  end
end

describe("behaviours of the corpus #corpus", function()
  it("have the objects of the reference, and all are described", function()
    local objects = 0
    assert.equal(30, each_packfile(function(doc, wanted, path)
      local start = lathe.span(doc.objects[1])
      assert.equal(#wanted.objects, #doc.objects, path)
      for i, object in ipairs(doc.objects) do
        assert.same(wanted.objects[i], { lathe.span(object) - start, lathe.type(object) }, path)
        assert.is_nil(lathe.problem(object))
        assert.is_nil(object:totable().bytes, path)
      end
      objects = objects + #doc.objects
      helper.count("behaviour files", path)
    end))
    helper.count("behaviour objects", nil, objects)
  end)

  it("have as many pointers, texts and arrays as the reference counts", function()
    each_packfile(function(doc, wanted, path)
      local n = { members = 0, strings = 0, arrays = 0 }
      for _, object in ipairs(doc.objects) do count_members(object, n) end
      assert.same({ wanted.counts["local"], wanted.counts.global, wanted.counts.strings, wanted.counts.arrays },
        { #doc.local_fixups.fixups, #doc.global_fixups.fixups, n.strings, n.arrays }, path)
    end)
  end)

  it("have the values of the reference", function()
    local values = 0
    each_packfile(function(doc, wanted, path, game)
      local walk = { classes = need_classes(game), values = 0 }
      for _, one in ipairs(wanted.values) do
        local object = doc.objects[one.object + 1]
        assert.equal(one.class, lathe.type(object))
        compare_record(one.fields, object, one.class, walk, ("%s %d %s"):format(path, one.object, one.class))
      end
      values = values + walk.values
    end)
    helper.count("behaviour values", nil, values)
  end)

  it("of another signature stay bytes, with the reason", function()
    local path = helper.need_corpus("hkx-behavior", pending) .. "/skyrim-se/staggerbehavior.hkx"
    local bytes = helper.read(path)
    local at = bytes:find("\9hkbClipGenerator\0", 1, true)
    local doc <close> = assert(lathe.parse(bytes:sub(1, at - 5) .. "\1\2\3\4" .. bytes:sub(at)))
    local clip = doc.objects[5]
    assert.equal("hkbClipGenerator", lathe.type(clip))
    assert.equal("another version of hkbClipGenerator: the file has the signature 0x04030201, lathe knows 0x333b85b9",
      lathe.problem(clip).message)
    assert.equal("string", type(clip.bytes))
    local ok, findings = doc:check()
    assert.is_true(ok)
    assert.equal(1, #findings)
    assert.equal("0x04030201 is another version of hkbClipGenerator, which is known as 0x333b85b9", findings[1].message)
    assert.is_nil(doc:convert "skyrim-le")
    assert.is_true(doc:encode() == doc:serialize())
    local function append() doc.objects:append { class = "hkbClipGenerator" } end
    assert.error_matches(append, "the file has hkbClipGenerator of another version")
  end)

  local SCALAR <const> = { boolean = true, integer = true, number = true }

  -- Sets every number and truth value of a record, and of what lies in it; gives how many there are.
  local function set_each(doc, view, before)
    local n = 0
    for _, row in ipairs(lathe.describe(view)) do
      local value = view[row.name]
      local at, size
      if value ~= nil and not row.computed then at, size = lathe.span(view, row.name) end
      if row.kind == "record" and not row.ref and not row.computed and value then
        local many = lathe.type(value) == "array"
        for i = 1, many and math.min(#value, 2) or 1 do n = n + set_each(doc, many and value[i] or value, before) end
      elseif size and SCALAR[row.kind] and not row.array and not row.ref and not row.computed then
        local old = row.kind == "integer" and lathe.raw(view, row.name) or value
        if row.kind == "boolean" then
          view[row.name] = not old
        else
          view[row.name] = row.kind == "integer" and (old ~= 1 and 1 or 2) or old == 1 and 2 or 1
        end
        local after = doc:encode()
        local label = lathe.path(view) .. "." .. row.name
        assert.equal(#before, #after, label)
        assert.is_true(before:sub(1, at) == after:sub(1, at) and before:sub(at + size + 1) == after:sub(at + size + 1)
          and before ~= after, label)
        view[row.name] = old
        assert.is_true(before == doc:encode(), label)
        n = n + 1
      end
    end
    return n
  end

  it("change where a number is set, and nowhere else", function()
    local root, n = helper.need_corpus("hkx-behavior", pending), 0
    for _, file in ipairs { "skyrim-se/staggerbehavior.hkx", "skyrim-le/defaultmale_project.hkx",
      "skyrim-se/defaultfemale.hkx", "skyrim-le/wisp_skeleton.hkx", "fo4/deathclaw_character.hkx" } do
      local doc <close> = assert(lathe.open(root .. "/" .. file))
      local before, met = doc:encode(), {}
      for _, object in ipairs(doc.objects) do
        local class = lathe.type(object)
        met[class] = (met[class] or 0) + 1
        if met[class] <= 2 then n = n + set_each(doc, object, before) end
      end
    end
    assert(n > 1200, n)
  end)

  it("show run-time state only where it is not zero, and make it zero", function()
    local path = helper.need_corpus("hkx-behavior", pending) .. "/skyrim-se/staggerbehavior.hkx"
    local doc <close> = assert(lathe.open(path))
    local clip = doc.objects[5]
    local copy = clip:totable()
    for _, name in ipairs { "anim_datas", "extracted_motion", "local_time", "binding", "at_end", "cached_bindables" } do
      assert.is_nil(copy[name], name)
    end
    assert.is_nil(lathe.tree.dump(clip):find "extracted_motion")
    clip.extracted_motion.rotation.w = 1
    assert.equal(1.0, clip:totable().extracted_motion.rotation.w)
    assert.is_true(doc:encode() == assert(lathe.new("hkx", doc:totable())):encode())
    assert.is_true(doc:encode() == doc:serialize())
    local made <close> = assert(lathe.new("hkx", { game = "skyrim-se", objects = { { class = "hkbClipGenerator" } } }))
    assert.equal(0.0, made.objects[1].extracted_motion.rotation.w)
    assert.equal(272, select(2, lathe.span(made.objects[1])))
  end)

  it("have no materials", function()
    each_packfile(function(doc) assert.equal(0, #doc.materials) end)
  end)

  it("are healthy", function()
    each_packfile(function(doc, _, path)
      local ok, findings = doc:check()
      for _, finding in ipairs(findings) do
        if finding.level == "error" then error(path .. ": " .. tostring(finding)) end
      end
      assert.is_true(ok, path)
    end)
  end)
end)
