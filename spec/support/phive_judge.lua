--- What is wrong with a .bphsh file, said without lathe; for tests. Reference: formats/bphsh.md.
--
--    judge.problems(bytes)                          -- { "section 0: primitive 3 uses vertex 99 of 8", … }; empty: good
--    judge.shape_problems(shape)                    -- the same of a shape as phive_reader describes it: without what only
--                                                   --   bytes tell (header, items, gaps), which phive_judge_bytes says
--
-- Boxes may be off by a few units in the last place, as they are after a rescale in place; a box that is larger than
-- what it holds is a fault of the top-level tree only, where the reference says that it is the union.

local bytes_judge = require "phive_judge_bytes"
local reader = require "phive_reader"

local judge = {}

local AXES = { "x", "y", "z" }

local function slack(a, b)
  return 4 * 2.0 ^ -23 * math.max(math.abs(a), math.abs(b)) + 1e-37
end

local function finite(v) return v == v and v ~= math.huge and v ~= -math.huge end

-- Whether a is no more than b, but for rounding; what is no number never is.
local function at_most(a, b) return a <= b + slack(a, b) end

-- Whether a box holds another.
local function holds(outer, inner)
  for k = 1, 3 do
    local ok = at_most(outer.min[k], inner.min[k]) and at_most(inner.max[k], outer.max[k])
    if not ok then return false end
  end
  return true
end

local function meets(a, b)
  for k = 1, 3 do
    local ok = at_most(a.min[k], b.max[k]) and at_most(b.min[k], a.max[k])
    if not ok then return false end
  end
  return true
end

-- The box of some points; nil: of none.
local function box_of(points)
  local box
  for _, v in ipairs(points) do
    box = box or { min = { v[1], v[2], v[3] }, max = { v[1], v[2], v[3] } }
    for k = 1, 3 do box.min[k], box.max[k] = math.min(box.min[k], v[k]), math.max(box.max[k], v[k]) end
  end
  return box
end

local function union(boxes)
  local points = {}
  for _, box in ipairs(boxes) do
    points[#points + 1] = box.min
    points[#points + 1] = box.max
  end
  return box_of(points)
end

local function volume(box)
  local v = 1
  for k = 1, 3 do v = v * (box.max[k] - box.min[k]) end
  return v
end

-- ---- the root ----------------------------------------------------------------------------------------------

local SDK = { ["2021"] = "v21", ["2022"] = "v22", ["2023"] = "v23" }

local function root(shape, say)
  local named = SDK[(shape.sdk or ""):sub(1, 4)]
  if not named then
    say("unknown SDK version %s", shape.sdk)
  elseif named ~= shape.variant then
    say("SDK version %s, but the types are those of %s", shape.sdk, shape.variant)
  end
  if shape.type ~= 8 and not (shape.type == 7 and shape.variant == "v23") then
    say("shape type %d, not a mesh", shape.type)
  end
  local newer = shape.variant == "v23" and shape.dispatch == 2
  if shape.dispatch ~= 3 and not newer then say("dispatch type %d", shape.dispatch) end
  if shape.flags and shape.flags & 4 == 0 then say("flags 0x%x: not a composite shape", shape.flags) end
  if shape.codec and shape.codec ~= 0xFFFFFFFF then say("shapeTagCodecInfo 0x%x", shape.codec) end
  for k = 1, 3 do
    local inverse, scale = shape.scale_inv[k], shape.scale and shape.scale[k]
    if not finite(inverse) or inverse <= 0 then
      say("bitScale16Inv.%s is %s", AXES[k], inverse == 0 and "zero" or inverse)
    elseif scale and (not finite(scale) or math.abs(scale * inverse - 1) >= 1e-5) then
      say("bitScale16.%s is %.9g, bitScale16Inv.%s %.9g", AXES[k], scale, AXES[k], inverse)
    end
  end
  for _, list in ipairs { shape.scale_inv, shape.scale or {} } do
    if list[4] and list[4] ~= 0 then say("the fourth lane of bitScale16 is %.9g", list[4]) end
  end
end

-- ---- keys and tags -------------------------------------------------------------------------------------------

local function key_bits(shape, say)
  local n, shift = #shape.sections, shape.shift
  if n == 0 then
    if shape.key_bits ~= 0 then say("numShapeKeyBits %d without sections", shape.key_bits) end
    return false
  end
  if shape.key_bits > 32 then say("numShapeKeyBits %d: more than 32", shape.key_bits) end
  if shift < 0 or shift > 9 then
    say("numShapeKeyBits %d of %d sections: primitives have %d bits", shape.key_bits, n, shift)
    return false
  end
  for i, section in ipairs(shape.sections) do
    if #section.primitives << 1 > 1 << shift then
      say("section %d: %d primitives in keys of %d bits", i - 1, #section.primitives, shift)
    end
  end
  return true
end

local function tags(shape, say)
  local list, n = shape.tag_table, #shape.sections
  if #list == 0 then
    if n > 0 then say("empty shape tag table") end
    return
  end
  for i = 2, #list do
    if list[i][1] <= list[i - 1][1] then say("tag table: key %d comes after %d", list[i][1], list[i - 1][1]) end
    if list[i][2] == list[i - 1][2] then say("tag table: entry %d has the tag of the one before it", i - 1) end
  end
  if not key_bits(shape, say) then return end
  if list[1][1] ~= 0 then say("tag table: the first key is %d", list[1][1]) end
  local last, sentinel = list[#list], n << shape.shift | 255 << 1
  if last[2] ~= 0xFFFF then say("tag table: the last tag is %d, no sentinel", last[2]) end
  if last[1] ~= sentinel then say("tag table: the sentinel's key is %d, not %d", last[1], sentinel) end
  for i = 1, #list - 1 do
    local section = shape.sections[(list[i][1] >> shape.shift) + 1]
    local primitive = (list[i][1] & (1 << shape.shift) - 1) >> 1
    if not section or primitive >= #section.primitives then
      say("tag table: entry %d is of primitive %d of section %d, which is not there", i - 1, primitive,
        list[i][1] >> shape.shift)
    end
  end
end

-- What a binary search finds is what a run through the table finds, and is a row of the materials.
local function look_ups(shape, say)
  local list, at = shape.tag_table, 0
  local rows = #shape.materials
  local told = {}
  for s, section in ipairs(shape.sections) do
    for p, primitive in ipairs(section.primitives) do
      for sub = 0, primitive[3] == primitive[4] and 0 or 1 do
        local key = reader.key(shape, s - 1, p - 1, sub)
        while list[at + 1] and list[at + 1][1] <= key do at = at + 1 end
        local tag = reader.tag_of(shape, s - 1, p - 1, sub)
        local run = list[at] and list[at][2]
        if tag ~= run then
          say("section %d: primitive %d: a search finds tag %s, a run %s", s - 1, p - 1, tag, run)
        elseif not tag then
          say("section %d: primitive %d has no tag", s - 1, p - 1)
        elseif tag & 0x1FFF >= rows and not told[tag] then
          told[tag] = true
          say("section %d: primitive %d: shape tag %d has no material row of %d", s - 1, p - 1, tag, rows)
        end
      end
    end
  end
end

-- ---- trees ---------------------------------------------------------------------------------------------------

local function order_of_lanes(node, say, what)
  local before
  for i, lane in ipairs(node.lanes) do
    if lane.lane ~= i then
      say("%s: lane %d is in use behind one that is not", what, lane.lane - 1)
      break
    end
    local size = volume(lane)
    if before and size > before * (1 + 1e-4) + 1e-30 then
      say("%s: lane %d is larger than the one in front of it", what, lane.lane - 1)
    end
    before = size
  end
end

local function lane_numbers(node, say, what)
  for _, lane in ipairs(node.lanes) do
    for k = 1, 3 do
      if not (finite(lane.min[k]) and finite(lane.max[k])) then
        say("%s: lane %d: %s is no number", what, lane.lane - 1, AXES[k])
      elseif lane.min[k] > lane.max[k] then
        say("%s: lane %d: %s from %.9g to %.9g", what, lane.lane - 1, AXES[k], lane.min[k], lane.max[k])
      end
    end
  end
end

-- Walks a tree from a node: each node and each leaf are met once, and boxes hold what is in their child.
-- leaf(lane, what) is called with what a leaf names.
local function walk(nodes, first, say, name, leaf)
  local seen, stack, order = {}, { first }, {}
  seen[first] = true
  while #stack > 0 do
    local number = table.remove(stack)
    order[#order + 1] = number
    local node, what = nodes[number + 1], ("%s node %d"):format(name, number)
    for _, lane in ipairs(node.lanes) do
      if node.leaf then
        leaf(lane, what)
      elseif not nodes[lane.data + 1] then
        say("%s: child %d of %d", what, lane.data, #nodes)
      elseif seen[lane.data] then
        say("%s: a cycle, or a second way to node %d", what, lane.data)
      else
        seen[lane.data] = true
        stack[#stack + 1] = lane.data
        local inside = union(nodes[lane.data + 1].lanes)
        if not inside then
          say("%s: node %d is empty", what, lane.data)
        elseif not holds(lane, inside) then
          say("%s: lane %d does not hold its child", what, lane.lane - 1)
        end
        lane.inside = inside
      end
    end
  end
  return seen, order
end

local function tight(lane, inside, say, what)
  if inside and holds(lane, inside) and not holds(inside, lane) then
    say("%s: lane %d is larger than what it holds", what, lane.lane - 1)
  end
end

-- V23's nodes tell their parent, and how many leaves are below them. order: of the walk, parents first.
local function numbers_of(nodes, order, say)
  local leaves = {}
  for i = #order, 1, -1 do
    local number = order[i]
    local node, sum = nodes[number + 1], 0
    for _, lane in ipairs(node.lanes) do
      local child = nodes[lane.data + 1]
      if node.leaf then
        sum = sum + 1
      elseif child then
        sum = sum + (leaves[lane.data] or 0)
        if child.parent and child.parent ~= number then
          say("tree node %d: its parent is %d, not %d", lane.data, child.parent, number)
        end
      end
    end
    leaves[number] = sum
    if node.leaves and node.leaves ~= sum then say("tree node %d: %d leaves, not %d", number, node.leaves, sum) end
  end
end

local function top_tree(shape, say, boxes)
  local nodes = shape.tree
  if #nodes < 2 then return say("the tree has %d nodes", #nodes) end
  if #nodes[1].lanes > 0 then say("tree node 0 is in use") end
  if nodes[2].leaf then say("tree node 1, the root, is a leaf") end
  local met = {}
  local seen, order = walk(nodes, 1, say, "tree", function(lane, what)
    local box = boxes[lane.data + 1]
    if not shape.sections[lane.data + 1] then
      say("%s: leaf names section %d of %d", what, lane.data, #shape.sections)
    elseif met[lane.data] then
      say("%s: section %d is in the tree twice", what, lane.data)
    elseif box and not holds(lane, box) then
      say("%s: lane %d does not hold section %d", what, lane.lane - 1, lane.data)
    else
      tight(lane, box, say, what)
    end
    met[lane.data] = true
  end)
  for i, node in ipairs(nodes) do
    local what = ("tree node %d"):format(i - 1)
    local free = node.flags and node.flags & 2 ~= 0
    if i > 1 and not seen[i - 1] and not free then say("%s: no way leads to it", what) end
    if seen[i - 1] then
      lane_numbers(node, say, what)
      order_of_lanes(node, say, what)
      for _, lane in ipairs(node.lanes) do tight(lane, lane.inside, say, what) end
      for _, lane in ipairs(node.empty or {}) do
        local cleared = lane.min[1] > lane.max[1]
        if not cleared then say("%s: lane %d is empty, but has a box", what, lane.lane - 1) end
      end
    end
  end
  for i = 1, #shape.sections do
    if not met[i - 1] then say("section %d is in no leaf of the tree", i - 1) end
  end
  numbers_of(nodes, order, say)
end

local function section_tree(section, say, what, boxes)
  local nodes, met = section.bvh, {}
  if #nodes == 0 then
    if #section.primitives > 0 then say("%s: no tree", what) end
    return
  end
  local seen = walk(nodes, 0, say, what .. ": tree", function(lane, where)
    local box = boxes[lane.data + 1]
    if lane.data >= #section.primitives then
      say("%s: leaf names primitive %d of %d", where, lane.data, #section.primitives)
    elseif met[lane.data] then
      say("%s: primitive %d is in the tree twice", where, lane.data)
    elseif box and not holds(lane, box) then
      say("%s: lane %d does not hold primitive %d", where, lane.lane - 1, lane.data)
    end
    met[lane.data] = true
  end)
  for i, node in ipairs(nodes) do
    if not seen[i - 1] then say("%s: tree node %d: no way leads to it", what, i - 1) end
    for _, lane in ipairs(node.lanes) do
      if not node.leaf and lane.data <= i - 1 then
        say("%s: tree node %d: child %d is not behind it", what, i - 1, lane.data)
      end
    end
  end
  for p = 1, #section.primitives do
    if not met[p - 1] then say("%s: primitive %d is in no leaf", what, p - 1) end
  end
end

-- ---- sections --------------------------------------------------------------------------------------------------

local FLOAT = 0x7FFFFFFF

local function quantiser(section, say, what)
  for k = 1, 3 do
    local cell = section.cell[k]
    if not finite(cell) or cell <= 0 then say("%s: bitScale8Inv.%s is %s", what, AXES[k], cell) end
    if section.offset[k] == FLOAT and not section.float then
      say("%s: the mark of float vertices on axis %s only", what, AXES[k])
    elseif not section.float and math.abs(section.offset[k] + 65535) >= 1 << 24 then
      say("%s: sectionOffset.%s is %d: too far for exact vertices", what, AXES[k], section.offset[k])
    end
  end
end

local function primitives(section, say, what)
  local boxes, n = {}, #section.vertices
  for p, primitive in ipairs(section.primitives) do
    local corners = {}
    for _, number in ipairs(primitive) do
      corners[#corners + 1] = section.vertices[number + 1]
      if number >= n then say("%s: primitive %d uses vertex %d of %d", what, p - 1, number, n) end
    end
    boxes[p] = box_of(corners)
  end
  return boxes
end

local function interior(shape, section, say, what)
  local n = #section.primitives
  local bits = shape.variant == "v21" and n or 2 * n
  if #section.interior ~= (bits + 7) // 8 then
    return say("%s: %d bytes of interior bits for %d primitives", what, #section.interior, n)
  end
  for bit = bits, 8 * #section.interior - 1 do
    if section.interior:byte((bit >> 3) + 1) >> (bit & 7) & 1 ~= 0 then
      return say("%s: interior bits behind the last primitive", what)
    end
  end
  for p, v in ipairs(section.primitives) do
    if bits ~= n and v[3] == v[4] and reader.interior_of(shape, section, p - 1, 1) ~= 0 then
      say("%s: primitive %d has one triangle, but two interior bits", what, p - 1)
    end
  end
end

local function one_section(shape, i, say)
  local section, what = shape.sections[i], ("section %d"):format(i - 1)
  if #section.primitives == 0 then say("%s: no primitives", what) end
  if #section.primitives > 256 then say("%s: %d primitives, more than 256", what, #section.primitives) end
  if #section.vertices > 256 then say("%s: %d vertices, more than 256", what, #section.vertices) end
  quantiser(section, say, what)
  for j, v in ipairs(section.vertices) do
    if not (finite(v[1]) and finite(v[2]) and finite(v[3])) then say("%s: vertex %d is no number", what, j - 1) end
  end
  local boxes = primitives(section, say, what)
  interior(shape, section, say, what)
  section_tree(section, say, what, boxes)
  return boxes
end

-- ---- queries ---------------------------------------------------------------------------------------------------

-- All leaves of a tree that a box meets: found(data). Bounded by the nodes, so that a cycle ends.
local function query(nodes, first, box, found)
  local stack, steps = { first }, 0
  while #stack > 0 do
    local node = nodes[table.remove(stack) + 1]
    steps = steps + 1
    if not node or steps > #nodes then return end
    for _, lane in ipairs(node.lanes) do
      if meets(lane, box) then
        if node.leaf then found(lane.data) else stack[#stack + 1] = lane.data end
      end
    end
  end
end

-- A query with the box of each primitive reaches that primitive.
local function queries(shape, say, boxes_of)
  for s, boxes in ipairs(boxes_of) do
    for p, box in ipairs(boxes) do
      local here = false
      query(shape.tree, 1, box, function(section) here = here or section == s - 1 end)
      if not here then
        say("section %d: primitive %d: a query with its box does not reach the section", s - 1, p - 1)
      else
        local reached = false
        query(shape.sections[s].bvh, 0, box, function(number) reached = reached or number == p - 1 end)
        if not reached then say("section %d: primitive %d: a query with its box does not reach it", s - 1, p - 1) end
      end
    end
  end
end

-- ---- all ---------------------------------------------------------------------------------------------------------

--- Of a shape, however it was read.
function judge.shape_problems(shape)
  local list = {}
  local say = function(...) list[#list + 1] = string.format(...) end
  root(shape, say)
  tags(shape, say)
  local primitives_of, boxes = {}, {}
  for i, section in ipairs(shape.sections) do
    primitives_of[i] = one_section(shape, i, say)
    boxes[i] = box_of(section.vertices)
  end
  top_tree(shape, say, boxes)
  if shape.shift >= 0 and #shape.tag_table > 0 then look_ups(shape, say) end
  if #shape.tree >= 2 then queries(shape, say, primitives_of) end
  if #shape.masks < #shape.materials then say("%d hit-mask rows for %d materials", #shape.masks, #shape.materials) end
  return list
end

--- Of the bytes of a file.
function judge.problems(bytes)
  local ok, shape = pcall(reader.read, bytes)
  if not ok then return { shape } end
  local list = judge.shape_problems(shape)
  for _, text in ipairs(bytes_judge.problems(shape)) do list[#list + 1] = text end
  return list, shape
end

return judge
