-- Values that do not fit are refused: lists with too few or too many numbers for a vector, numbers for texts.

local lathe = require "lathe.core"

local SCENES = {
  skyrim = { version = 0x14020007, user_version = 12, bs_version = 83 },
  fallout4 = { version = 0x14020007, user_version = 12, bs_version = 130 },
}

-- Documents with every type of block that can be made of nothing, and one of each other format.
local function documents()
  local list = {}
  for game, header in pairs(SCENES) do
    for _, format in ipairs(lathe.formats()) do
      for _, type in ipairs(format.name == "nif" and format.types or {}) do
        local doc = lathe.new("nif", { version = header.version, user_version = header.user_version,
          bs_version = header.bs_version, blocks = { { type = type } } })
        if doc then list[#list + 1] = { doc, game .. " " .. type } end
      end
    end
  end
  local pose = { { translation = { 0, 1, 0 } } }
  list[#list + 1] = { assert(lathe.new("anm", { length = 10, frames = {
    { time = 0, bone_matrices = pose, events = { { bone = 0, name = "a" } } } } })), "anm" }
  list[#list + 1] = { assert(lathe.new("save", { levels = { { save_name = "a", values = { time = "1" } } } })), "save" }
  list[#list + 1] = { assert(lathe.new("fzx", { objects = { { label = "a" } } })), "fzx" }
  list[#list + 1] = { assert(lathe.new("solid", { vertices = { { 1, 2, 3 } },
    triangles = { { gx = { 1, 2, 3 } } } })), "solid" }
  list[#list + 1] = { assert(lathe.new("hkx", { game = "skyrim-se", objects = {
    { class = "hkaSkeleton", name = "a", bones = { { name = "b" } }, reference_pose = { {} } } } })), "hkx" }
  return list
end

-- Rows that take a name or the number that stands for it; `mode` is bits of numbers that have names.
local BY_NUMBER = { material = true, layer = true, mode = true }

local function is_text(row, value)
  return not row.enum and not row.bits_of and row.type ~= "bytes" and
    (type(value) == "string" or value == nil and row.type == "text")
end

local function lanes_of(view)
  local n = 0
  while n < 20 and select(2, pcall(function() return type(view[n + 1]) end)) == "number" do n = n + 1 end
  return n
end

local seen_texts, seen_vectors

local function refuses(set, pattern, where)
  local ok, err = pcall(set)
  assert.is_false(ok, where .. " was set")
  assert.matches(pattern, tostring(err), 1, true)
end

local function check_vector(place, key, view, where)
  local n = lanes_of(view)
  if n < 2 then return end
  seen_vectors = seen_vectors + 1
  for _, count in ipairs { n - 1, n + 1, 1 } do
    local list = {}
    for i = 1, count do list[i] = view[1] end
    local message = count <= n and ("has %d numbers, got %d"):format(n, count) or "numbers"
    refuses(function() place[key] = list end, message, where)
  end
end

local function visit(place, key, row, where, depth)
  local ok, value = pcall(function() return place[key] end)
  if not ok or row.readonly or row.ref or BY_NUMBER[row.name] then return end
  local kind = lathe.type(value)
  if is_text(row, value) then
    seen_texts = seen_texts + 1
    for _, wrong in ipairs { 5, 0.5, true } do
      refuses(function() place[key] = wrong end, "", where)
    end
  elseif kind == "array" and #value > 0 and not row.computed then
    visit(value, 1, row, where .. "[1]", depth)
  elseif kind and kind ~= "array" and depth < 4 then
    check_vector(place, key, value, where)
    for _, sub in ipairs(lathe.describe(value)) do
      visit(value, sub.name, sub, where .. "." .. sub.name, depth + 1)
    end
  end
end

describe("what does not fit", function()
  it("is refused by every vector and every text of every type", function()
    seen_texts, seen_vectors = 0, 0
    for _, entry in ipairs(documents()) do
      local doc <close> = entry[1]
      local before = doc:encode()
      for _, row in ipairs(lathe.describe(doc)) do visit(doc, row.name, row, entry[2] .. ": " .. row.name, 0) end
      assert.equal(before, doc:encode(), entry[2])
    end
    assert.is_true(seen_vectors > 400, seen_vectors)
    assert.is_true(seen_texts > 3000, seen_texts)
  end)

  local function scene()
    return assert(lathe.new("nif", { strings = { "Root", "Scene" }, blocks = {
      { type = "NiNode", name = "Root", translation = { 1, 2, 3 } }, { type = "BSTriShape" } } }))
  end

  local function raises(message, f)
    local ok, err = pcall(f)
    assert.is_false(ok)
    assert.equal(message, (tostring(err):gsub("^[^:]*:%d+: ", "")))
  end

  it("is told with what there is and what was given", function()
    local doc <close> = scene()
    local node = doc.blocks[1]
    raises("blocks[1].translation: vec3 has 3 numbers, got 2", function() node.translation = { 1, 2 } end)
    raises("blocks[1].translation: vec3 has 3 numbers, got 4", function() node.translation = { 1, 2, 3, 4 } end)
    raises("blocks[1].rotation: mat33 has 9 numbers, got 3", function() node.rotation = { 1, 0, 0 } end)
    raises("blocks[1].name: a text expected, got an integer (NiNode)", function() node.name = 1 end)
    raises("blocks[1].name: a text expected, got an integer (NiNode)", function() node.name = 5 end)
    raises("blocks[2].bounds: bound has fields by name, got a list of 4", function()
      doc.blocks[2].bounds = { 0, 0, 0, 1 }
    end)
    assert.equal("Root", node.name)
    assert.same({ 1, 2, 3 }, { node.translation.x, node.translation.y, node.translation.z })
    assert.is_false(doc:undo())
  end)

  it("is refused in tables, too", function()
    local doc <close> = scene()
    local before = doc:encode()
    for text, block in pairs {
      ["vec3 has 3 numbers, got 2"] = { type = "NiNode", translation = { 1, 2 } },
      ["a text expected, got an integer"] = { type = "NiNode", name = 0 },
    } do
      local new, err = lathe.new("nif", { blocks = { block } })
      assert.is_nil(new)
      assert.matches(text, tostring(err), 1, true)
      assert.has_error(function() doc.blocks:append(block) end)
      assert.has_error(function() doc.blocks[1] = block end)
      assert.equal(before, doc:encode())
    end
    local new, err = lathe.new("solid", { vertices = { { 1, 2 } } })
    assert.is_nil(new)
    assert.matches("vertices[1] at 0x4: vec3 has 3 numbers, got 2", tostring(err), 1, true)
  end)

  it("is not what has names: numbers that are not given stay, or are the default", function()
    local doc <close> = scene()
    doc.blocks[1].translation = { y = 5 }
    assert.same({ 1, 5, 3 }, { doc.blocks[1].translation.x, doc.blocks[1].translation.y, doc.blocks[1].translation.z })
    local other <close> = assert(lathe.new("nif", { blocks = { { type = "NiNode", translation = { y = 5 } } } }))
    assert.same({ 0, 5 }, { other.blocks[1].translation.x, other.blocks[1].translation.y })
  end)

  it("is what a file has: a number that names no text goes through a table and back", function()
    local doc <close> = scene()
    local bytes = doc:encode()
    local at = lathe.span(doc.blocks[1], "name")
    local damaged = bytes:sub(1, at) .. ("<I4"):pack(77) .. bytes:sub(at + 5)
    local odd <close> = assert(lathe.parse(damaged))
    assert.equal(77, odd.blocks[1].name)
    local again <close> = assert(lathe.new("nif", odd:totable()))
    assert.equal(damaged, again:encode())
    raises("blocks[1].name: a text expected, got an integer (NiNode)", function() again.blocks[1].name = 78 end)
  end)
end)
