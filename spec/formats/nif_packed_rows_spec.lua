-- Random edits of precombined meshes and of the geometry file that some of them lie in: whatever they do, each object that
-- is shared has a row of its counts, and meshes are what a reader in plain Lua makes of the bytes. Undo gives the first
-- bytes of the scene back; rows only come.

local dice = require "dice"
local compare_meshes = require "packed_meshes"
local helper = require "helper"
local judge = require "packed_judge"
local lathe = require "lathe"
local reader = require "packed_reader"
local sp = require "sample_boxes"

local SEQUENCES <const>, STEPS <const> = 10, 9
local STORE <const> = "Some Mod - Geometry.psg"

local function place(pick)
  local at = sp.place { pick(900) - 450, pick(900) - 450, pick(90), turn = pick(360), scale = pick(4) / 2 }
  return { transform = at.transform }
end

-- A few shapes only, so that some come again.
local function geometry(pick, block, store)
  local n = 2 + pick(4)
  local what = { positions = {}, triangles = { { 0, 1, 2 }, { 0, 2, n - 1 } } }
  for i = 1, n do what.positions[i] = { i, i * i % 7, -i } end
  if block.layout == "shared" then
    what.share = pick(4) == 1 and "inline" or "append"
    what.into = what.share == "append" and store or nil
  end
  return what
end

local steps = {
  function(pick, block)
    local object = block.data[pick(#block.data)]
    if block.num_vertices + object.num_vertices > 65534 or #object.combined == 0 then return false end
    object.combined:append(place(pick))
  end,
  function(pick, block)
    local object = block.data[pick(#block.data)]
    if #object.combined < 2 then return false end
    object.combined:remove(pick(#object.combined))
  end,
  function(pick, block)
    if #block.data < 2 then return false end
    block.data:remove(pick(#block.data))
  end,
  function(pick, block, _, store)
    if block.num_vertices > 65000 then return false end
    local object = block.data[pick(#block.data)]
    if #object.combined > 80 then return false end
    assert(object:set_geometry(geometry(pick, block, store)))
  end,
  function(pick, block, _, store)
    if block.num_vertices > 65000 then return false end
    local what = geometry(pick, block, store)
    what.combined = { place(pick), place(pick) }
    assert(block:add_object(what))
  end,
  function(_, _, doc, store) assert(doc:convert { to = "shared", into = store }) end,
  function(_, _, doc, store) assert(doc:convert { to = "inline+table", into = store }) end,
  function(_, _, doc) assert(doc:convert "inline") end,
}

local function blocks_of(doc)
  local list = {}
  for i, block in ipairs(doc.blocks) do
    if block.type:find "^BSPackedCombined" and block.data and #block.data > 0 then list[#list + 1] = i end
  end
  return list
end

-- Everything that is wrong with the scene, its rows and its meshes.
local function told(doc, store, files)
  local bytes = doc:encode()
  files[reader.hash(STORE)] = reader.file(store:encode())
  local list = judge.problems(bytes, true)
  for _, block in ipairs(reader.read(bytes, files)) do
    for i, object in ipairs(block and block.objects or {}) do
      if object.problem then list[#list + 1] = ("object %d: %s"):format(i, object.problem) end
    end
  end
  for _, one in ipairs { doc, store } do
    local _, found = one:check()
    for _, finding in ipairs(found or {}) do list[#list + 1] = tostring(finding) end
  end
  local fine, why = pcall(compare_meshes, doc, bytes, files)
  if not fine then list[#list + 1] = tostring(why) end
  return table.concat(list, "\n")
end

local function reopened(doc, store, places)
  local again = assert(lathe.parse(store:encode(), { path = STORE }))
  return assert(lathe.parse(doc:encode(), { geometry = { again, table.unpack(places) } })), again
end

local function sequence(bytes, seed, what, places, files)
  local pick = dice(seed)
  local store <close> = assert(lathe.new("geometry", { form = "psg" }, { path = STORE }))
  local doc <close> = assert(lathe.parse(bytes, { history = 2 * STEPS, geometry = { store, table.unpack(places) } }))
  local done = {}
  for step = 1, STEPS do
    local blocks, rows = blocks_of(doc), #store.rows
    local kind = pick(#steps)
    if steps[kind](pick, doc.blocks[blocks[pick(#blocks)]], doc, store) ~= false then done[#done + 1] = kind end
    local said = ("%s, sequence %d: %s"):format(what, seed, table.concat(done, " "))
    assert(#store.rows >= rows, said)
    if step % 3 == 0 then assert.equal("", told(doc, store, files), said) end
    if step == 6 then
      local again, its_store = reopened(doc, store, places)
      assert.equal("", told(again, its_store, files), said)
      local now = doc:encode()
      if doc:undo() then assert(doc:redo()) end
      assert.equal(now, doc:encode(), said)
    end
  end
  while doc:undo() do end
  assert.equal(bytes, doc:encode(), what)
  return #done
end

describe("random edits of precombined meshes and rows", function()
  it("keep each object what it was made", function()
    local done = 0
    for _, layout in ipairs { "inline", "inline+table" } do
      local bytes = sp.group { layout = layout, buckets = { { lod = true, objects = {
        sp.box { size = { 2, 4, 6 }, at = { 1, 0, 2 }, bands = { 4, 0, 8 }, instances = { sp.place { 10, 0, 0 } } },
        sp.box { desc = sp.LONG, instances = { sp.place { -20, 0, 0 }, sp.place { 5, 5, 5, turn = 90 } } } } } } }
      for seed = 1, SEQUENCES do done = done + sequence(bytes, seed, layout, {}, {}) end
    end
    assert(done > 8 * SEQUENCES)
  end)

  it("of the corpus, too #corpus", function()
    local folder = helper.need_corpus("precombined", pending)
    local paths = {}
    for i, name in ipairs(helper.list(folder, "%.psg$")) do paths[i] = folder .. "/" .. name end
    local places, files = {}, reader.files(paths)
    for i, path in ipairs(paths) do places[i] = assert(lathe.open(path)) end
    for _, name in ipairs(helper.list(folder, "%.nif$")) do
      local bytes = helper.read(folder .. "/" .. name)
      local doc = assert(lathe.parse(bytes))
      local vertices = 0
      for _, i in ipairs(blocks_of(doc)) do vertices = vertices + doc.blocks[i].num_vertices end
      if vertices > 0 and vertices < 10000 then
        for seed = 1, SEQUENCES do sequence(bytes, 100 + seed, name, places, files) end
      end
    end
  end)
end)
