-- Lines of what compares documents: an array of n elements with one insertion, and n edits.

local growth = require "growth"
local large = require "sample_large"
local lathe = require "lathe"

-- Comparing takes long: the usual sizes would take a minute.
local VERTICES, BLOCKS = { 500, 1000, 2000, 4000 }, { 250, 500, 1000, 2000 }

local function open_solid(n)
  return assert(lathe.parse(growth.bytes("solid", n, large.solid), { format = "solid" }))
end

local function open_nodes(n)
  return assert(lathe.parse(growth.bytes("made nodes", n, large.nodes), { format = "nif" }))
end

local function with_insertion(n)
  local old, new = open_solid(n), open_solid(n)
  new.vertices:insert(n // 2, { 0.5, 0.25, 0.125 })
  return { old = old, new = new }
end

-- About n values of n vertices are edited.
local function with_edits(n)
  local old, new = open_solid(n), open_solid(n)
  math.randomseed(n)
  new:edit(function()
    for _ = 1, n do new.vertices[math.random(n)].y = math.random() end
  end)
  return { old = old, new = new }
end

local lines = {}

local function line(name, make, run, check, sizes)
  lines[#lines + 1] = { name = name, make = make, run = run, check = check, sizes = sizes }
end

local function diff(it) return assert(lathe.diff(it.old, it.new)) end

line("solid: diff, one vertex inserted", with_insertion, diff,
  function(patch) assert(#patch == 1 and patch.complete) end, VERTICES)
line("solid: diff, n random edits", with_edits, diff,
  function(patch, _, n) assert(#patch > n / 2 and patch.complete) end, VERTICES)
line("nif: diff, one block inserted",
  function(n)
    local old, new = open_nodes(n), open_nodes(n)
    lathe.insert(new.blocks, n // 2, { type = "NiNode" })
    return { old = old, new = new }
  end, diff, function(patch) assert(#patch == 1 and patch.complete) end, BLOCKS)
line("solid: apply, one vertex inserted",
  function(n)
    local it = with_insertion(n)
    return { patch = diff(it), doc = it.old }
  end,
  function(it) return lathe.apply(it.patch, it.doc) end,
  function(done) assert(done.changed == 1) end, VERTICES)
line("solid: apply, n random edits",
  function(n)
    local it = with_edits(n)
    return { patch = diff(it), doc = it.old }
  end,
  function(it) return lathe.apply(it.patch, it.doc) end,
  function(done, _, n) assert(done.changed > n / 2) end, VERTICES)
line("nif: find a type", open_nodes,
  function(doc) return lathe.find(doc, { type = "NiNode" }) end,
  function(places, _, n) assert(#places >= n) end)

return lines
