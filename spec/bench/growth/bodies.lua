-- Lines of collision: many bodies of Fallout 4, in one system and in one each.

local collision = require "sample_collision"
local growth = require "growth"
local hknp = require "sample_hknp"
local lathe = require "lathe"
local nif = require "sample_nif"

-- n nodes with a body each, all of one system.
local function one_system(n)
  local box = hknp.box { half = { 1, 2, 3 }, center = { 0, 0, 0 }, radius = 0.01, material = 0x1DD9C611 }
  local bodies, nodes, materials = {}, { { name = "Root" } }, {}
  for i = 1, n do
    bodies[i], materials[i] = { shape = box, material = i - 1 }, {}
    nodes[i + 1] = { name = "Node " .. i, body = i - 1 }
  end
  return collision.nif(nodes, (collision.system(bodies, { materials = materials })))
end

-- n nodes without collision.
local function bare(n)
  local nodes = { { name = "Root" } }
  for i = 1, n do nodes[i + 1] = { name = "Node " .. i } end
  return collision.nif(nodes, (collision.system {}))
end

-- n nodes with a body each, of n systems.
local function systems(n)
  local box = hknp.box { half = { 1, 2, 3 }, center = { 0, 0, 0 }, radius = 0.01, material = 0x1DD9C611 }
  local blob, blocks, children = collision.system { { shape = box } }, {}, {}
  for i = 1, n do
    blocks[i + 1] = { type = "NiNode", name = "Node " .. i, collision_object = n + i }
    blocks[n + i + 1] = { type = "bhkNPCollisionObject", bytes = string.pack("<i4I2i4I4", i, 0x80, 2 * n + i, 0), refs = {},
      string_refs = {} }
    blocks[2 * n + i + 1] = { type = "bhkPhysicsSystem", bytes = string.pack("<s4", blob), refs = {}, string_refs = {} }
    children[i] = i
  end
  blocks[1] = { type = "BSFadeNode", name = "Root", children = children }
  return nif.build { game = "fo4", blocks = blocks }
end

local function opener(key, make)
  return function(n) return assert(lathe.parse(growth.bytes(key, n, make), { format = "nif" })) end
end
local open_bodies, open_bare = opener("bodies", one_system), opener("bare", bare)
local open_systems = opener("systems", systems)

local function set_all(doc)
  for _, body in ipairs(doc.bodies) do body.friction = 0.75 end
end
local function all_set(_, doc, n) assert(#doc.bodies == n and doc.bodies[n].friction == 0.75) end

local function one_less(_, doc, n) assert(#doc.bodies == n - 1) end
local function one_more(_, doc, n) assert(#doc.bodies == n + 1) end
local function add(doc, node, system)
  assert(doc:set_collision(node, { kind = "box", size = { 1, 2, 3 }, material = "wood", system = system }))
end

-- The system of a document, which is its last block.
local function system_of(doc) return doc.blocks[#doc.blocks] end

local FEWER = { 250, 1000, 4000, 16000 } -- systems are large

return {
  {
    name = "bodies: the list of n",
    make = open_bodies,
    run = function(doc) return #doc.bodies end,
    check = function(count, _, n) assert(count == n) end,
  },
  {
    name = "bodies: the list of n, in as many systems",
    sizes = FEWER,
    make = open_systems,
    run = function(doc) return #doc.bodies end,
    check = function(count, _, n) assert(count == n) end,
  },
  {
    name = "bodies: friction of all, an edit each",
    make = open_bodies, run = set_all, check = all_set,
  },
  {
    name = "bodies: friction of all, in an edit",
    make = open_bodies,
    run = function(doc) doc:edit(set_all) end,
    check = all_set,
  },
  {
    name = "bodies: doc:meshes of what collides",
    make = open_bodies,
    run = function(doc)
      local count = 0
      for _ in doc:meshes { what = "collision" } do count = count + 1 end
      return count
    end,
    check = function(count, _, n) assert(count == n) end,
  },
  {
    name = "bodies: set_collision of n nodes, one after the other",
    open = "bytes of the header are moved",
    covers = { "nif:set_collision" },
    sizes = FEWER,
    make = open_bare,
    run = function(doc, n)
      for i = 1, n do assert(doc:set_collision("Node " .. i, { kind = "box", size = { 1, 2, 3 }, material = "wood" })) end
    end,
    check = function(_, doc, n) assert(#doc.bodies == n) end,
  },
  {
    name = "bodies: set_collision of n nodes, in an edit",
    open = "bytes of the header are moved",
    covers = { "nif:set_collision" },
    sizes = FEWER,
    make = open_bare,
    run = function(doc, n)
      doc:edit(function()
        for i = 1, n do assert(doc:set_collision("Node " .. i, { kind = "box", size = { 1, 2, 3 }, material = "wood" })) end
      end)
    end,
    check = function(_, doc, n) assert(#doc.bodies == n) end,
  },
  {
    name = "bodies: remove_collision of one of n that share a system",
    covers = { "nif:remove_collision" },
    sizes = FEWER,
    make = open_bodies,
    run = function(doc, n) assert(doc:remove_collision("Node " .. n // 2)) end,
    check = one_less,
  },
  {
    name = "bodies: remove_collision of one of n systems",
    covers = { "nif:remove_collision" },
    sizes = FEWER,
    make = open_systems,
    run = function(doc, n) assert(doc:remove_collision("Node " .. n // 2)) end,
    check = one_less,
  },
  {
    name = "bodies: set_collision adds one to a system of n",
    covers = { "nif:set_collision" },
    sizes = FEWER,
    make = open_bodies,
    run = function(doc) add(doc, "Root", system_of(doc)) end,
    check = one_more,
  },
  {
    name = "bodies: set_collision adds n to a system, one after the other",
    open = "each writes the system anew",
    covers = { "nif:set_collision" },
    sizes = { 50, 100, 200, 400 },
    make = open_bare,
    run = function(doc, n)
      local system = system_of(doc)
      for i = 1, n do add(doc, "Node " .. i, system) end
    end,
    check = function(_, doc, n) assert(#doc.bodies == n) end,
  },
}
