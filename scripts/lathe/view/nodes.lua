--- The nodes of a scene in place of a skeleton, for files without meshes.
-- @module lathe.view.nodes

local clip = require "lathe.export.clip"
local core = require "lathe.core"

local nodes = {}

nodes.NOTE = "the file lists no skeleton: the nodes of its scene are drawn as bones"

-- Whether bones are in more than one place.
local function has_extent(bones)
  local root
  for _, bone in ipairs(bones) do
    local t = bone.pose.t
    if bone.parent >= 0 then
      if t[1] ~= 0 or t[2] ~= 0 or t[3] ~= 0 then return true end
    elseif root and (t[1] ~= root[1] or t[2] ~= root[2] or t[3] ~= root[3]) then
      return true
    else
      root = t
    end
  end
  return false
end

--- The nodes of a document.
-- @param doc
-- @treturn ?table a skeleton as in `lathe.export.clip`; nil: there are none, or all are in one place
function nodes.of(doc)
  local rig = core.nodes(doc)
  if not rig then return nil end
  local bones, names = rig.bones, {}
  if not has_extent(bones) then return nil end
  for i, bone in ipairs(bones) do names[i] = bone.name end
  local unique, made = clip.unique(names, #bones, "node")
  for i, bone in ipairs(bones) do bone.name, bone.made_up = unique[i], made[i] end
  return rig
end

return nodes
