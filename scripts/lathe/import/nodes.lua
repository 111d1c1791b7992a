--- The nodes of a glTF file: their parents, their transforms at rest, and which are bones.
-- @module lathe.import.nodes

local fail = require "lathe.import.fail"
local json = require "lathe.import.json"
local matrix = require "lathe.export.matrix"
local order = require "lathe.export.order"

local nodes = {}

local MOST_BONES = 32767 -- limit of bone numbers in Havok files
local ZERO, NO_TURN, ONE = { 0, 0, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 }

local function trs_of(node, where)
  local m = json.numbers(node, "matrix", where, 16)
  if m then
    local trs = matrix.is_affine(m) and matrix.decompose(m)
    if not trs then fail.at(where, "its matrix is no translation, rotation and scale") end
    return trs
  end
  local q = json.numbers(node, "rotation", where, 4) or NO_TURN
  local square = q[1] * q[1] + q[2] * q[2] + q[3] * q[3] + q[4] * q[4]
  if square < 1e-24 then fail.at(where, "its rotation is none") end
  return {
    t = json.numbers(node, "translation", where, 3) or ZERO, q = q,
    s = json.numbers(node, "scale", where, 3) or ONE,
  }
end

local function link(all, node, i, where)
  for _, child in ipairs(json.counts(node, "children", where)) do
    local below = all[child]
    if not below then fail.at(where, "there is no nodes[%d]", child) end
    if below.parent then fail.at(("nodes[%d]"):format(child), "it stands in two places") end
    below.parent = i
  end
end

--- Reads all nodes; they are numbered from 0.
-- @tparam File file of `lathe.import.glb`
-- @treturn {table,...} `name`, `parent`, `rest` (`t`, `q`, `s`), `extras`; `n`, their number; `order`, their
--   numbers with parents first
-- @raise errors for `fail.catch`
function nodes.read(file)
  local list, all = json.table(file.json, "nodes", "JSON") or {}, { n = 0 }
  for i = 0, #list - 1 do
    local node, where = json.item(file.json, "nodes", i, "JSON")
    local extras = type(node.extras) == "table" and node.extras.lathe
    all[i] = {
      name = json.text(node, "name", where), rest = trs_of(node, where),
      extras = type(extras) == "table" and extras or nil,
    }
  end
  all.n = #list
  for i = 0, #list - 1 do link(all, list[i + 1], i, ("nodes[%d]"):format(i)) end
  local circle
  all.order, circle = order.parents_first(0, all.n - 1, function(i) return all[i].parent end)
  if circle then fail.at(("nodes[%d]"):format(circle), "it is its own ancestor") end
  return all
end

local function add_bone(all, found, i, where)
  local node = all[i]
  if not node then fail.at(where, "there is no nodes[%d]", i) end
  if node.bone then return end
  local name = node.name
  if not name or name == "" then fail.at(("nodes[%d]"):format(i), "a bone without a name") end
  if found.by_name[name] then
    fail.at(("nodes[%d]"):format(i), "a second bone named '%s': nodes[%d] is the other one",
      name:sub(1, 80), found.by_name[name])
  end
  node.bone, found.by_name[name] = true, i
  found[#found + 1] = i
end

--- The bones: joints of skins; without skins, nodes with the requested names.
-- @tparam File file
-- @tparam {table,...} all from `nodes.read`
-- @tparam {[string]=any,...} wanted
-- @treturn {integer,...} numbers of nodes, and `by_name`
-- @raise errors for `fail.catch`
function nodes.bones(file, all, wanted)
  local found = { by_name = {} }
  local skins = json.table(file.json, "skins", "JSON") or {}
  for k = 0, #skins - 1 do
    local skin, where = json.item(file.json, "skins", k, "JSON")
    local joints = json.counts(skin, "joints", where)
    if #joints > MOST_BONES then
      fail.at(where .. ".joints", "%d bones, of which there may be %d", #joints, MOST_BONES)
    end
    for _, i in ipairs(joints) do add_bone(all, found, i, where .. ".joints") end
  end
  for i = 0, #skins == 0 and all.n - 1 or -1 do
    if all[i].name and wanted[all[i].name] then add_bone(all, found, i, "nodes") end
  end
  if #found > MOST_BONES then fail.at("skins", "%d bones, of which there may be %d", #found, MOST_BONES) end
  return found
end

return nodes
