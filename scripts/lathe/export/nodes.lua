--- The nodes of a model's file, which may be attached to bones of a skeleton that lacks them.
-- @module lathe.export.nodes

local matrix = require "lathe.export.matrix"
local schema = require "lathe.tree.schema"

local nodes = {}

-- Rows of the rotation matrix; nil if the item has none.
local function turn_of(item)
  local ok, r = pcall(function() return item.rotation end)
  if not ok or not r then return nil end
  local m = {}
  for row = 0, 2 do
    for column, axis in ipairs { "x", "y", "z" } do
      local fine, v = pcall(function() return r[("row%d_%s"):format(row, axis)] end)
      if not fine or type(v) ~= "number" then return nil end
      m[4 * (column - 1) + row + 1] = v
    end
  end
  return m
end

-- The transform of a node relative to its parent; nil if its file has none, or it is invalid.
local function pose_of(item, cache)
  if not (cache:row(item, "translation") and cache:row(item, "scale")) then return nil end
  local m, t, s = turn_of(item), item.translation, item.scale
  if not m or type(s) ~= "number" then return nil end
  for i = 1, 11 do m[i] = (m[i] or 0) * s end
  m[4], m[8], m[12] = 0, 0, 0
  m[13], m[14], m[15], m[16] = t.x, t.y, t.z, 1
  return matrix.is_affine(m) and matrix.decompose(m) or nil
end

local function name_of(item)
  return type(item.name) == "string" and item.name ~= "" and item.name or nil
end

local function take(item, cache, out)
  if not (cache:row(item, "children") and cache:row(item, "name")) then return end
  local children = item.children
  for i = 1, #children do
    local child = children[i]
    local name = child and cache:row(child, "name") and name_of(child)
    local pose = name and pose_of(child, cache)
    local key = name and name:lower()
    if pose and not out[key] then out[key] = { name = name, parent = name_of(item), pose = pose } end
  end
end

--- The nodes with their parents.
-- @param doc a document whose items have names and children
-- @treturn {[string]=table,...} by lower-case name: `name`, `parent` (a name or nil), `pose`
function nodes.of(doc)
  local out, cache = {}, schema.new()
  for _, row in ipairs(cache:rows(doc)) do
    local items = row.tag and doc[row.name]
    for i = 1, items and #items or 0 do
      pcall(take, items[i], cache, out) -- items that cannot be read are skipped
    end
  end
  return out
end

return nodes
