-- Patches: what diff finds, applied to the old file, gives the bytes of the new one, for all formats.

local helper = require "helper"
local lathe = require "lathe"
local random_edits = require "random_edits"
local small = require "small_documents"

local EXAMPLES = "scripts/examples/"

local function read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read "a"
end

local function parse(bytes, format) return assert(lathe.parse(bytes, { format = format })) end

-- Makes a patch of random edits, sends it through JSON, and applies it. Gives whether it is complete.
local function try(bytes, format, seed)
  math.randomseed(seed)
  local old, new <close> = parse(bytes, format), parse(bytes, format)
  random_edits.edit(new, math.random(5))
  local encoded, wanted = pcall(function() return assert(new:encode()) end)
  if not encoded then return nil end
  local patch, why = lathe.diff(old, new)
  assert(old:encode() == bytes and not old.modified, "diff changed its input")
  old:close()
  if not patch then return nil, why end
  local doc <close> = parse(bytes, format)
  local done, err = lathe.apply(lathe.tree.to_json(patch), doc)
  if not patch.complete then
    assert(#patch.missing > 0 and patch.missing[1].reason)
    return false
  end
  assert(done, tostring(err))
  assert(assert(doc:encode()) == wanted, "other bytes")
  return true
end

local function try_all(files, seeds)
  local complete, all = 0, 0
  for name, file in pairs(files) do
    for seed = 1, seeds do
      local ok, whole = pcall(try, file.bytes, file.format, seed)
      assert(ok, ("%s, seed %d: %s"):format(name, seed, tostring(whole)))
      if whole ~= nil then
        all = all + 1
        complete = complete + (whole and 1 or 0)
      end
    end
  end
  return complete, all
end

describe("a patch", function()
  it("makes the new file of the old one, in all formats", function()
    local files = {}
    for format, bytes in pairs(small.documents()) do files[format] = { bytes = bytes, format = format } end
    for _, name in ipairs { "stock.nif", "behavior.hkx", "volumes.fzx", "dummy.phxbn" } do
      local doc <close> = assert(lathe.open(EXAMPLES .. name))
      files[name] = { bytes = read(EXAMPLES .. name), format = doc.format }
    end
    local complete, all = try_all(files, 4)
    assert(all >= 40 and complete >= all - 4, ("%d of %d"):format(complete, all))
  end)

  it("makes the new file of the old one, of the corpus #corpus", function()
    local root = helper.need_corpus("", pending)
    local files, seen = {}, 0
    for path in io.popen(("find %s -type f -size -24k | sort"):format(helper.quote(root))):lines() do
      local doc <close> = lathe.open(path)
      if doc and not path:find "/bad/" then
        seen = seen + 1
        if seen % 8 == 0 then files[path] = { bytes = read(path), format = doc.format } end
      end
    end
    local complete, all = try_all(files, 1)
    assert(all > 20 and complete >= all * 0.9, ("%d of %d"):format(complete, all))
  end)

  local function stock() return assert(lathe.open(EXAMPLES .. "stock.nif")) end

  it("tells neither counts nor references that follow from an insertion", function()
    local old, new = stock(), stock()
    lathe.insert(new.blocks, 3, { type = "NiNode" })
    local patch = assert(lathe.diff(old, new))
    local paths = {}
    for _, change in ipairs(patch) do
      if not change.follows then paths[#paths + 1] = lathe.tree.diff_line(change) end
    end
    assert.same({ "blocks[3]: added NiNode" }, paths)
    assert.is_true(patch.complete)
  end)

  it("tells a bone that was inserted as one change", function()
    local old, new = parse(small.documents().phxbn, "phxbn"), parse(small.documents().phxbn, "phxbn")
    new.bones:insert(3, { parent = 0, mass = 2 })
    local patch = assert(lathe.diff(old, new))
    assert.same({ 1, "bones[3]", true }, { #patch, patch[1].path, patch.complete })
  end)

  it("tells what was inserted in front of edits", function()
    local solid = small.documents().solid
    local old, new = parse(solid, "solid"), parse(solid, "solid")
    old.vertices:resize(40)
    for i = 1, 40 do old.vertices[i] = { i, i * i, -i } end
    new.vertices:assign(old.vertices)
    new.vertices:insert(20, { 0.5, 0.5, 0.5 })
    new.vertices[31].y = 1000
    new.vertices:remove(38)
    local lines = {}
    for i, change in ipairs(assert(lathe.diff(old, new))) do lines[i] = lathe.tree.diff_line(change) end
    assert.same({ "vertices[20]: added vec3", "vertices[37]: removed vec3", "vertices[31].y: 900 -> 1000" }, lines)
  end)

  it("replaces an array in which nearly all differs, and says so", function()
    local function made(n, x)
      local vertices = {}
      for i = 1, n do vertices[i] = { x * i, i, 0 } end
      return parse(assert(lathe.new("solid", { vertices = vertices })):encode(), "solid")
    end
    local old, new = made(5000, 1), made(2500, -3.5)
    local patch = assert(lathe.diff(old, new))
    assert.same({ 1, true, true }, { #patch, patch[1].whole, patch.complete })
    assert.equal("vertices: 5000 elements -> 2500", lathe.tree.diff_line(patch[1]))
    assert.same({ { path = "vertices",
      reason = "too much differs to tell which elements were inserted or removed" } }, patch.notes)
    assert(lathe.apply(lathe.tree.to_json(patch), old))
    assert.equal(new:encode(), old:encode())
  end)

  it("is refused as a whole, by place and values", function()
    local old, new, other = stock(), stock(), stock()
    new.blocks[1].flags, new.blocks[2].translation.x = 15, 3
    other.blocks[2].translation.x = 9
    local patch, before = assert(lathe.diff(old, new)), other:encode()
    local done, err = lathe.apply(patch, other)
    assert.is_nil(done)
    assert.match("blocks%[2%]%.translation%.x: 0 expected, 9 found", tostring(err))
    assert.equal(before, other:encode())
    assert.same({ changed = 2 }, lathe.apply(patch, other, { force = true }))
    assert.same({ 15, 3 }, { other.blocks[1].flags, other.blocks[2].translation.x })
  end)

  it("is one step to undo", function()
    local old, new = stock(), stock()
    new.blocks[1].flags, new.blocks[2].translation.x = 15, 3
    local doc = assert(lathe.open(EXAMPLES .. "stock.nif", { history = 5 }))
    assert(lathe.apply(assert(lathe.diff(old, new)), doc))
    assert.is_true(doc:undo())
    assert.equal(old:encode(), doc:encode())
  end)

  it("leaves out small differences, and is not complete then", function()
    local old, new = stock(), stock()
    new.blocks[2].translation.x, new.blocks[2].translation.y = 0.25, 0.75
    local patch = assert(lathe.diff(old, new, { tolerance = 0.5 }))
    assert.same({ 1, "blocks[2].translation.y", false }, { #patch, patch[1].path, patch.complete })
    assert.same({ reason = "differences of at most 0.5" }, patch.missing[1])
  end)

  it("is refused where a member has another type, which would leave a change out", function()
    local bytes = read(EXAMPLES .. "crate.solid")
    local old <close> = parse(bytes, "solid")
    local new <close> = parse(bytes, "solid")
    new.vertices[1].x = 3
    local text = lathe.tree.to_json(assert(lathe.diff(old, new)))
    local change, list = '{"path":', '{"patch":1,'
    for _, odd in ipairs {
      { change, '{"late":"x","path":', "change 1: late is not a boolean" },
      { change, '{"follows":1,"path":', "change 1: follows is not a boolean" },
      { change, '{"whole":[],"path":', "change 1: whole is not a boolean" },
      { change, '{"at":1,"path":', "change 1: at is not a string" },
      { list, '{"patch":1,"missing":5,', "missing is not a list of what it leaves out" },
      { list, '{"patch":1,"missing":[5],', "missing is not a list of what it leaves out" },
      { list, '{"patch":1,"missing":[{"reason":{}}],', "missing is not a list of what it leaves out" },
    } do
      local at, stop = assert(text:find(odd[1], 1, true))
      local bad = text:sub(1, at - 1) .. odd[2] .. text:sub(stop + 1)
      local done, err = lathe.apply(bad, old)
      assert.same({ nil, "it is not a patch: " .. odd[3] }, { done, err and err.message })
      assert.is_false(old.modified)
    end
    local deep = ("["):rep(200000)
    assert.equal("it is not JSON: too many levels of lists and objects", select(2, lathe.apply(deep, old)).message)
  end)

  it("of odd values is an error, and never raised", function()
    local doc = stock()
    for i, odd in ipairs {
      {}, { patch = 1 }, { patch = 1, format = "nif", 5 }, { patch = 1, format = "nif", { path = 3, old = 1 } },
      { patch = 1, format = "nif", { path = "blocks[1", old = 1, new = 2 } },
      { patch = 1, format = "nif", { path = "", old = 1, new = 2 } },
      { patch = 1, format = "nif", { path = "blocks[0]", removed = {} } },
      { patch = 1, format = "nif", { path = "blocks[99999999999999999999]", removed = {} } },
      { patch = 1, format = "nif", { path = "blocks[1].flags[1]", added = 1 } },
      { patch = 1, format = "nif", { path = "blocks[2]", added = { type = "NiNode", nothing = 1 } } },
      { patch = 1, format = "nif", { path = "blocks", whole = true, old = 1, new = 2 } },
      { patch = 1, format = "nif", { path = "blocks[1].children[1]", old = "blocks[2]", new = "blocks[77]" } },
      '{"patch":1,"format":"nif","changes":[{"path":"blocks[1].translation.x","new":{"a":[1]}}]}', "", "[]", "null",
    } do
      local done, err = lathe.apply(odd, doc, { force = true })
      assert(done == nil, "odd value " .. i)
      assert.is_string(tostring(err))
    end
    assert.is_false(doc.modified)
  end)
end)

describe("a dump", function()
  local rebuild = require "lathe.tree.rebuild"
  local json = require "lathe.tree.json"

  local function again(bytes, format)
    local doc <close> = parse(bytes, format)
    local value = json.value(doc)
    local kept = rebuild.kept(doc, json.encode(value))
    local made <close> = assert(rebuild.make(json.encode { format = doc.format, value = value, kept = kept }))
    return made:encode()
  end

  it("builds the same bytes, in all formats", function()
    for format, bytes in pairs(small.documents()) do assert(again(bytes, format) == bytes, format) end
  end)

  it("builds the same bytes, of the corpus #corpus", function()
    local root = helper.need_corpus("", pending)
    local seen, built = 0, 0
    for path in io.popen(("find %s -type f -size -24k | sort"):format(helper.quote(root))):lines() do
      local doc <close> = lathe.open(path)
      seen = seen + (doc and 1 or 0)
      if doc and seen % 5 == 0 and not path:find "/bad/" then
        assert(again(read(path), doc.format) == read(path), path)
        built = built + 1
      end
    end
    assert(built > 40, built)
  end)
end)
