--- Documents of as many elements as one wants, for what grows with them.

local lathe = require "lathe"

local large = {}

--- Fields of a NIF: a root with n nodes, each with a name of its own.
function large.node_fields(n)
  local blocks, children = {}, {}
  for i = 1, n do
    blocks[i + 1], children[i] = { type = "NiNode", name = "Node " .. i }, i
  end
  blocks[1] = { type = "NiNode", name = "Root", children = children }
  return { bs_version = 100, blocks = blocks, footer = { roots = { 0 } } }
end

function large.nodes(n) return assert(lathe.new("nif", large.node_fields(n))) end

--- A NIF with a root and a strip of n vertices.
function large.shape(n)
  local doc = assert(lathe.new("nif", { bs_version = 100, blocks = { { type = "NiNode", name = "Root", children = { 1 } },
    { type = "BSTriShape", name = "Shape" } }, footer = { roots = { 0 } } }))
  local positions, triangles = {}, {}
  for i = 1, n do positions[i] = { i % 37, i % 41, i % 43 } end
  for i = 1, n - 2 do triangles[i] = { i - 1, i, i + 1 } end
  doc.blocks[2].positions = positions
  doc.blocks[2].triangles = triangles
  return doc
end

--- A .solid of n vertices and triangles; its numbers have 16 bits.
function large.solid(n)
  local vertices, triangles = {}, {}
  for i = 1, n do
    vertices[i] = { i, i / 3, -i }
    triangles[i] = { a = i - 1, b = i % n, c = (i + 1) % n }
  end
  return assert(lathe.new("solid", { vertices = vertices, triangles = triangles }))
end

return large
