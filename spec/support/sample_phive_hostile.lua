--- Phive shapes that say more than they hold: each builds a file that grows with n.

local sample = require "sample_phive"

local pack = string.pack

local BOX <const> = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }

local function triangle(x)
  return { vertices = { { x, 0, 0 }, { x + 1, 0, 0 }, { x, 0, 1 } }, primitives = { { 0, 1, 2, 2 } } }
end

-- n small sections in a row; change(spec) before it is written.
local function row(n, change)
  local spec = { variant = "v22", materials = { { id = 1 } }, sections = {} }
  for i = 1, n do spec.sections[i] = triangle(i % 1000) end
  if change then change(spec) end
  return sample.write(spec)
end

-- The nodes of a tree, from its root on: lanes(i) are the numbers that node i leads to.
local function tree(n, lanes)
  return function(spec)
    function spec.tree(nodes)
      for i = #nodes, 2, -1 do nodes[i] = nil end
      for i = 1, n do
        nodes[i + 1] = { lanes = {}, parent = i - 1, leaves = 1, depth = 0 }
        for k, to in ipairs(lanes(i)) do nodes[i + 1].lanes[k] = { min = BOX.min, max = BOX.max, data = to } end
      end
      nodes[n + 1].leaf = true
      nodes[n + 1].lanes = { { min = BOX.min, max = BOX.max, data = 0 } }
    end
  end
end

local function with_nodes(lanes)
  return function(n) return (row(1, tree(n, function(i) return lanes(i, n) end))) end
end

-- The heads of all sections lead to the arrays of the first one, which is a large one.
local function shared(n, heads)
  local big = { vertices = {}, primitives = {} }
  for i = 0, 249 do big.vertices[i + 1] = { i / 4, 0, i % 2 } end
  for i = 0, 247 do big.primitives[i + 1] = { i, i + 1, i + 2, i + 2 } end
  local bytes, made = row(n, function(spec) table.insert(spec.sections, 1, big) end)
  local first, parts, last = made.at.sections[1], {}, 1
  for i = 2, n + 1 do
    local at = made.at.sections[i]
    for _, head in ipairs(heads) do
      local offset, count = string.unpack("<i4i4", bytes, first + head + 1)
      parts[#parts + 1] = bytes:sub(last, at + head) .. pack("<i4i4", offset + first - at, count)
      last = at + head + 9
    end
  end
  return table.concat(parts) .. bytes:sub(last)
end

-- Sections with a tree of 40 nodes, each of which leads to the next one four times.
local function doubling(n)
  return (row(n, function(spec)
    function spec.section(own)
      local box = own.bvh[1].lanes[1]
      own.bvh = {}
      for i = 1, 40 do
        local to = i < 40 and i or 39
        own.bvh[i] = { leaf = false, lanes = {} }
        for lane = 1, 4 do own.bvh[i].lanes[lane] = { min = box.min, max = box.max, data = to } end
      end
    end
  end))
end

return {
  { name = "sections that share all arrays", build = function(n) return shared(n // 4, { 0, 8, 16, 24 }) end },
  { name = "sections that share vertices", build = function(n) return shared(n // 4, { 16 }) end },
  { name = "sections that share their trees", build = function(n) return shared(n // 4, { 0 }) end },
  { name = "a tree that is a chain", build = with_nodes(function(i) return { i + 1 } end) },
  { name = "a tree that doubles twice a node", build = with_nodes(function(i) return { i + 1, i + 1, i + 1, i + 1 } end) },
  { name = "a tree that is one cycle", build = with_nodes(function(i, n) return { i + 1 < n and i + 1 or 1 } end) },
  { name = "a tree of which all lead back", build = with_nodes(function(i) return { i + 1, 1, i, (i + 1) // 2 } end) },
  { name = "a tree without leaves", build = with_nodes(function(_, n) return { n, n, n, n } end) },
  { name = "sections whose trees double", build = function(n) return doubling(n // 40) end },
}
