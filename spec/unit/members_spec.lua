-- The list of members is what there is: of the module, of objects, of plain tables, and of core/lathe.h.

local core = require "lathe.core"
local helper = require "helper"
local lathe = require "lathe"
local members = require "lathe.members"
local collision = require "sample_collision"
local groups = require "packed_groups"
local nif = require "sample_nif"
local packed = require "sample_packed"
local skins = require "sample_skin"

local SANDBOX <const> = { ["as is"] = true, policy = true, refused = true }

-- Functions of core/lathe.h that Lua says in other ways.
local IN_OTHER_WORDS <const> = {
  lathe_clip_encode = "anim:write{samples = …}, a verb",
  lathe_clip_ready = "what gives samples asks it first",
  lathe_doc_root = "a document is a view of its top record",
  lathe_error_text = "tostring(err)",
  lathe_format_has = "lathe.formats()[i].can",
  lathe_free = "Lua's collector frees",
  lathe_list_value = "a skeleton or an animation is an argument of verbs",
  lathe_result_name = "err.code",
  lathe_view_call = "verbs are methods",
  lathe_view_count = "#array",
  lathe_view_item = "array[i]",
  lathe_view_key = "array[\"key\"]",
  lathe_view_same = "a == b",
  lathe_view_set_item = "array[i] = value",
}

local function c_functions()
  local set = {}
  for name in helper.read("core/lathe.h"):gmatch "LATHE_API[^;]-(lathe_[%l_]+)%(" do set[name] = true end
  return set
end

-- An object of each owner that has some.
local function objects()
  local doc = assert(lathe.new("hkx", { game = "skyrim-se",
    skeleton = { name = "Root", bones = { { name = "Root", parent = -1 } } },
    animation = { bones = { 0 }, duration = 1, samples = lathe.buffer("f32", 2, 10, { { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 },
      { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 } }), annotations = { { time = 0.5, text = "a" } } } }))
  local clip, skeleton = doc.animations[1], doc.skeletons[1]
  local bone = skeleton.bones[1]
  return {
    document = doc, record = doc.objects[1], array = doc.objects, buffer = lathe.buffer("u8", 1), skeleton = skeleton,
    bone = bone, pose = bone.pose, vector = bone.pose.q, animation = clip, track = clip.tracks[1],
    annotation = clip.annotations[1], list = clip.annotations, lathe = lathe, ["lathe.tree"] = lathe.tree,
    ["lathe.core"] = core,
  }
end

-- The names in one table that another lacks.
local function without(all, some)
  local list = {}
  for name in pairs(all) do
    if some[name] == nil then list[#list + 1] = name end
  end
  return list
end

describe("the list of members", function()
  it("has what objects have, and nothing else", function()
    for owner, found in pairs(core.members()) do
      local listed = assert(members.of(owner), owner .. ": it is not in scripts/lathe/members").by_name
      for name, value in pairs(found) do
        local at = ("%s.%s"):format(owner, name)
        assert(listed[name], at .. ": it is not in scripts/lathe/members")
        assert.equal(listed[name].kind == "field", type(value) ~= "function", at)
      end
    end
    local all = core.members()
    all.lathe, all["lathe.tree"] = lathe, lathe.tree
    for _, owner in ipairs(members) do
      for _, member in ipairs(owner.plain and {} or owner.members) do
        local at = ("%s.%s"):format(owner.name, member.name)
        assert(all[owner.name][member.name] ~= nil, at .. ": it is in scripts/lathe/members, but does not exist")
      end
    end
  end)

  it("has all of the modules", function()
    for owner, module in pairs { lathe = lathe, ["lathe.tree"] = lathe.tree } do
      for name, value in pairs(module) do
        local at = ("%s.%s"):format(owner, name)
        local listed = assert(members.of(owner).by_name[name], at .. ": it is not in scripts/lathe/members")
        assert.equal(listed.kind == "function", type(value) == "function", name)
      end
    end
    for name in pairs(core) do
      local public, hook = members.of "lathe".by_name[name], members.of "lathe.core".by_name[name]
      assert((public == nil) ~= (hook == nil), name .. ": scripts/lathe/members has it as a function or as a hook")
    end
  end)

  it("tells what each object answers to", function()
    for owner, object in pairs(objects()) do
      for _, member in ipairs(members.of(owner).members) do
        if not member.some then
          local ok, value = pcall(function() return object[member.name] end)
          assert(ok, ("%s.%s: %s"):format(owner, member.name, value))
          if member.kind ~= "field" then assert.is_function(value, member.name) end
          if not member.optional then assert(value ~= nil, owner .. "." .. member.name) end
        end
      end
      local ok, value = pcall(function() return object.made_up end)
      assert(not ok or value == nil, owner)
    end
  end)

  it("has all fields of errors and meshes", function()
    local _, err = lathe.open "none.solid"
    for name in pairs(err) do assert(members.of "error".by_name[name], name) end
    local seen = {}
    for bytes, what in pairs {
      [collision.scene()] = "collision",
      [nif.build { game = "sse", blocks = skins.sse() }] = "geometry",
      [groups.build(groups.example "inline+table")] = "geometry",
      [packed.scene { packed.block(packed.INLINE, "inline", { packed.object(packed.LONG, 4) }) }] = "geometry",
    } do
      for mesh in assert(lathe.parse(bytes)):meshes { what = what } do
        for name in pairs(mesh) do seen[name] = true end
      end
    end
    assert.same({}, without(seen, members.of "mesh".by_name))
    assert.same({}, without(members.of "mesh".by_name, seen))
  end)

  it("says of each member what it is, and whether the sandbox has it", function()
    for _, owner in ipairs(members) do
      assert.matches("%.$", owner.doc, owner.name)
      for _, member in ipairs(owner.members) do
        local at = ("%s.%s"):format(owner.name, member.name)
        assert(member.doc:match "^%L" and (member.doc:match "%.$" or member.doc:match "…$"), at)
        if member.kind == "field" then assert.is_string(member.type, at) end
        assert(owner.plain or SANDBOX[member.sandbox], at .. ": 'sandbox' is none of its words")
        for _, param in ipairs(member.params) do assert.is_string(param.type, at) end
        for _, result in ipairs(member.returns) do assert.is_string(result.type, at) end
      end
    end
  end)

  it("names the function of core/lathe.h that does the same, or says why there is none", function()
    local there, named = c_functions(), {}
    for _, owner in ipairs(members) do
      for _, member in ipairs(owner.plain and {} or owner.members) do
        local at = ("%s.%s"):format(owner.name, member.name)
        assert((#member.c > 0) ~= (member.no_c ~= nil), at .. ": either 'c' or 'no_c'")
        for _, name in ipairs(member.c) do
          assert(there[name], ("%s: core/lathe.h has no %s"):format(at, name))
          named[name] = true
        end
      end
    end
    for name in pairs(there) do
      assert((named[name] == nil) ~= (IN_OTHER_WORDS[name] == nil), name
        .. ": a member in scripts/lathe/members does the same, or the test says how Lua does")
    end
    for name in pairs(IN_OTHER_WORDS) do assert(there[name], name) end
  end)
end)
