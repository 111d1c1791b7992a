-- What is kept of a NIF follows changes: names of blocks, places of meshes and bodies agree after any edit, undo and
-- redo with the blocks themselves, and with a fresh parse of the bytes.

local damaged_import = require "damaged_import"
local lathe = require "lathe"

local random

local function one_of(list) return list[random(#list)] end

local function name() return one_of { "", "Node ", "Shape ", "z" } .. random(12) end

local function shape(i)
  return { type = "BSTriShape", name = "Shape " .. i, translation = { i, 0, 0 } }
end

local function make(bs_version, seed)
  random = damaged_import.random(seed)
  local blocks, children = {}, { 4 }
  for i = 1, 12 do
    blocks[i + 1], children[i] = { type = "NiNode", name = "Node " .. i % 7, translation = { 0, i, 0 } }, i
  end
  blocks[1] = { type = "NiNode", name = "Root", children = children }
  for i = 14, 20 do blocks[i] = shape(i) end
  blocks[3].children = { 14, 15 } -- numbers of blocks, from 0
  blocks[4].children = { 16, 17, 40 }
  local doc = assert(lathe.new("nif", { bs_version = bs_version, blocks = blocks, footer = { roots = { 0 } } }))
  for i = 14, 20 do
    doc.blocks[i].positions = { { 0, 0, 0 }, { i, 0, 0 }, { 0, 1, 0 } }
    doc.blocks[i].triangles = { { 0, 1, 2 } }
  end
  return doc
end

local function move_child(block)
  local children = block.children
  if children and #children > 0 then
    if random(2) == 1 then children:remove(random(#children)) else children:move(1, #children) end
  end
end

-- Some say nothing of names and places: those that are kept stand then.
local edits = {
  function(_, block) block.name = name() end,
  function(doc) doc.strings[random(#doc.strings)] = name() end,
  function(doc) doc.strings:append(name()) end,
  function(doc) doc.blocks:append { type = "NiNode", name = name(), translation = { 1, 2, 3 } } end,
  function(doc) doc.blocks:append(shape(random(50))) end,
  function(doc) doc.blocks:append { type = "BSXFlags", name = name() } end,
  function(doc) doc.blocks:insert(random(#doc.blocks), { type = "NiNode", name = name() }) end,
  function(doc) if #doc.blocks > 12 then doc.blocks:remove(random(#doc.blocks)) end end,
  function(doc) doc.blocks:move(random(#doc.blocks), random(#doc.blocks)) end,
  function(_, block) if block.translation then block.translation.x = random(100) end end,
  function(_, block) if block.flags then block.flags = random(100) end end,
  function(_, block) move_child(block) end,
  function(doc, block)
    local node = doc.blocks[random(#doc.blocks)]
    if block.children and node.translation then block.children:append(node) end
  end,
  function(_, block) if block.type == "NiNode" then block.type = "BSFadeNode" end end,
  function(_, block) if block.type == "BSFadeNode" then block.type = "NiNode" end end,
  function(doc) doc:scale(one_of { 0.5, 2 }) end,
  function(doc) doc.author = name() end,
  function(doc)
    doc:set_collision(random(#doc.blocks), { kind = "box", size = { 1, 2, 3 }, material = "wood" })
  end,
  function(doc)
    for i, block in ipairs(doc.blocks) do
      if block.type == "bhkPhysicsSystem" then
        doc:set_collision(random(#doc.blocks), { kind = "box", size = { 1, 2, 3 }, system = i })
        break
      end
    end
  end,
  function(doc) doc:remove_collision(random(#doc.blocks)) end,
  function(doc) if #doc.bodies > 0 then doc:remove_collision(doc.bodies[random(#doc.bodies)]) end end,
}

local function first_named(doc, text)
  for i = 1, #doc.blocks do
    local ok, now = pcall(function() return doc.blocks[i].name end)
    if ok and now == text then return lathe.path(doc.blocks[i]) end
  end
end

local function places(doc)
  local out = {}
  for mesh in doc:meshes() do out[#out + 1] = table.concat(mesh.transform, " ") .. " " .. #mesh.positions end
  return out
end

local function bodies(doc)
  local out = {}
  for i, body in ipairs(doc.bodies) do out[i] = body.node and body.node.name or "?" end
  return out
end

local function agrees(doc)
  for _ = 1, 4 do
    local text = name()
    local found = doc:block(text)
    assert.equal(first_named(doc, text), found and lathe.path(found), text)
  end
  local fresh <close> = assert(lathe.parse(doc:encode(), { format = "nif" }))
  assert.same(places(fresh), places(doc))
  assert.same(bodies(fresh), bodies(doc))
end

local function walk(bs_version, seed)
  local doc <close> = assert(lathe.parse(make(bs_version, seed):encode(), { format = "nif", history = 20 }))
  local done = 0
  for _ = 1, 80 do
    local kind = random(10)
    local function edit() one_of(edits)(doc, doc.blocks[random(#doc.blocks)]) end
    if kind == 1 then doc:undo()
    elseif kind == 2 then doc:redo()
    elseif kind == 3 then
      pcall(doc.edit, doc, function()
        for _ = 1, random(4) do edit() doc:block(name()) end
        if random(2) == 1 then error "no" end
      end)
    elseif pcall(edit) then done = done + 1 end
    if random(3) > 1 then agrees(doc) end
  end
  agrees(doc)
  return done
end

describe("what is kept of a NIF", function()
  it("agrees with the file after any edit", function()
    local done = 0
    for seed = 1, 16 do done = done + walk(({ 100, 130 })[seed % 2 + 1], seed) end
    assert.is_true(done > 500)
  end)

  it("has the bounds that all positions give, whichever of them changed", function()
    random = damaged_import.random(7)
    for _, n in ipairs { 1, 2, 3, 40, 300 } do
      local doc <close> = assert(lathe.new("nif", { bs_version = 100, blocks = { { type = "BSTriShape", name = "Shape" } },
        footer = { roots = { 0 } } }))
      local block, positions = doc.blocks[1], {}
      for i = 1, n do positions[i] = { random(9) - 5, random(5) - 3, 7 } end -- a sphere of zeros would be none
      block.positions = positions
      for _ = 1, 200 do
        local position = block.vertices[random(n)].position
        local kind = random(8)
        if kind == 1 then doc:undo()
        elseif kind == 2 then doc:redo()
        elseif kind == 3 then doc:edit(function()
          for _ = 1, random(100) do block.vertices[random(n)].position.y = random(12) - 6 end
        end)
        elseif kind == 4 then position[one_of { "x", "y" }] = one_of { -1.5, 0, -0.0, 1 / 3, 40 }
        else position[one_of { "x", "y" }] = random(9) - 5 end
        local fresh <close> = assert(lathe.parse(doc:encode(), { format = "nif" }))
        fresh.blocks[1].bounds.radius = -1 -- so that it is stored anew
        fresh:recompute { what = "bounds" }
        assert.same(fresh.blocks[1].bounds:totable(), block.bounds:totable())
      end
    end
  end)

  it("has bounds that a script set, until positions change", function()
    local doc <close> = make(100, 2)
    local block = doc.blocks[15]
    block.vertices[1].position.x = 3
    doc:edit(function()
      block.vertices[2].position.x = 77
      block.bounds.radius = 5
    end)
    assert.equal(5, block.bounds.radius)
    block.vertices[2].position.x = 78
    assert.equal((78 - 0) / 2, block.bounds.center.x)
  end)

  it("has more changes to follow than are remembered", function()
    local doc <close> = make(130, 1)
    assert.equal("Node 3", doc:block("Node 3").name)
    doc:edit(function()
      for i = 1, 60 do doc.blocks:append { type = "NiNode", name = "Late " .. i } end
    end)
    for i = 1, 60 do assert.equal("Late " .. i, doc:block("Late " .. i).name) end
    agrees(doc)
  end)
end)
