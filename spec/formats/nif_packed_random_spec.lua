-- Random edits of precombined meshes: whatever they do, totals, bands and spheres are right at the end, and undo gives
-- the first bytes back. Judged by readers in plain Lua, and by check.

local dice = require "dice"
local helper = require "helper"
local judge = require "packed_judge"
local lathe = require "lathe"
local sp = require "sample_boxes"

local SEQUENCES <const>, STEPS <const> = 10, 12

local function place(pick)
  local angle = pick(360)
  local one = sp.place { pick(2000) - 1000, pick(2000) - 1000, pick(200), turn = angle, scale = pick(4) / 2 }
  return { grayscale_to_palette = pick(4) / 4, transform = one.transform }
end

local function points(pick)
  local list = {}
  for i = 1, 3 + pick(5) do list[i] = { pick(32) - 16, pick(32) - 16, pick(32) / 2 } end
  return list
end

local function faces(pick, n, count)
  local list = {}
  for i = 1, count do list[i] = { pick(n) - 1, pick(n) - 1, pick(n) - 1 } end
  return list
end

-- What one step does to a block; false where it cannot here. `here`: geometry is in the block.
local steps = {
  function(pick, block)
    local object = block.data[pick(#block.data)]
    if block.num_vertices + object.num_vertices > 65534 then return false end
    if #object.combined == 0 and not object.vertices then return false end
    lathe.append(object.combined, place(pick))
  end,
  function(pick, block)
    local object = block.data[pick(#block.data)]
    if #object.combined < 2 then return false end
    lathe.remove(object.combined, pick(#object.combined))
  end,
  function(pick, block)
    local object = block.data[pick(#block.data)]
    if #object.combined == 0 then return false end
    object.combined[pick(#object.combined)].transform = place(pick).transform
  end,
  function(pick, block)
    local object = block.data[pick(#block.data)]
    if #object.combined == 0 then return false end
    object.combined[pick(#object.combined)].transform.translation.x = pick(500)
  end,
  function(pick, block)
    if #block.data < 2 then return false end
    lathe.remove(block.data, pick(#block.data))
  end,
  function(_, block)
    if block.num_vertices + 200 > 65534 then return false end
    lathe.append(block.data, block.data[1])         -- a copy, with its places
  end,
  function(pick, block, here)
    if not here or block.num_vertices + 20 > 65534 then return false end
    local list = points(pick)
    lathe.append(block.data, { positions = list, triangles = faces(pick, #list, pick(6)), combined = { place(pick), {} } })
  end,
  function(pick, block, here)
    local object = block.data[pick(#block.data)]
    if not here or object.tri_count1 + object.tri_count2 > 0 then return false end
    object.triangles = faces(pick, object.num_vertices, pick(9))
  end,
  function(pick, block, here)
    local object = block.data[pick(#block.data)]
    if not here or object.num_vertices == 0 then return false end
    object.vertices[pick(#object.vertices)].position.y = pick(40) - 20
  end,
  function(pick, block, here, doc)
    local object = block.data[pick(#block.data)]
    if not here or object.tri_count1 + object.tri_count2 > 0 then return false end
    local list = points(pick)
    if block.num_vertices + #list * #object.combined > 65534 then return false end
    doc:edit(function()
      object.triangles = {}
      object.positions = list
      object.triangles = faces(pick, #list, pick(5))
    end)
  end,
  function(pick, _, _, doc) assert(doc:scale(({ 0.5, 2 })[pick(2)])) end,
  function(pick, _, _, doc) assert(doc:transform { translation = { pick(100), -pick(100), pick(9) } }) end,
}

local function blocks_of(doc)
  local list = {}
  for i, block in ipairs(doc.blocks) do
    if block.type:find("^BSPackedCombined") and block.data and #block.data > 0 then list[#list + 1] = i end
  end
  return list
end

local function told(doc)
  local list = judge.problems(doc:encode())
  local _, found = doc:check()
  for _, one in ipairs(found or {}) do list[#list + 1] = tostring(one) end
  return table.concat(list, "\n")
end

local function sequence(bytes, seed, what)
  local pick = dice(seed)
  local doc = assert(lathe.parse(bytes, { history = 2 * STEPS }))
  local done = {}
  for step = 1, STEPS do
    local blocks = blocks_of(doc)
    local block, kind = doc.blocks[blocks[pick(#blocks)]], pick(#steps)
    if steps[kind](pick, block, block.layout ~= "shared", doc) ~= false then done[#done + 1] = kind end
    if step % 4 == 0 then
      assert.equal("", told(doc), ("%s, sequence %d: %s"):format(what, seed, table.concat(done, " ")))
    end
    if step == 6 then
      local now = doc:encode()
      local again = assert(lathe.parse(now))
      assert.equal("", told(again))
      if doc:undo() then assert(doc:redo()) end
      assert.equal(now, doc:encode())
    end
  end
  while doc:undo() do end
  assert.equal(bytes, doc:encode(), what)
  return #done
end

local function group(layout)
  return sp.group { layout = layout, buckets = {
    { lod = true, objects = { sp.box { size = { 2, 4, 6 }, at = { 1, 0, 2 }, bands = { 4, 0, 8 },
      instances = { sp.place { 10, 0, 0 }, sp.place { 0, 50, 1, turn = 90, scale = 2 } } },
      sp.box { desc = sp.LONG, instances = { sp.place { -20, 0, 0 } } } } },
    { objects = { sp.box { at = { 3, 0, 0 }, instances = { sp.place { 1, 2, 3 }, sp.place { 4, 5, 6 } } } } } } }
end

describe("random edits of precombined meshes", function()
  for _, layout in ipairs { "inline", "shared", "inline+table" } do
    it("keep totals, bands and spheres: " .. layout, function()
      local done = 0
      for seed = 1, SEQUENCES do done = done + sequence(group(layout), seed, layout) end
      assert(done > 4 * SEQUENCES)
    end)
  end

  it("of the corpus, too #corpus", function()
    local folder = helper.need_corpus("precombined", pending)
    for _, name in ipairs(helper.list(folder, "%.nif$")) do
      local bytes = helper.read(folder .. "/" .. name)
      local doc = assert(lathe.parse(bytes))
      if #blocks_of(doc) > 0 and #bytes < 100000 then
        for seed = 1, SEQUENCES do sequence(bytes, 100 + seed, name) end
      end
    end
  end)
end)
