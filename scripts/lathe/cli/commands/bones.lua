--- Compares the bones of a model with those of a skeleton, by name.
-- @module lathe.cli.commands.bones

local schema = require "lathe.tree.schema"
local text = require "lathe.tree.text"

local bones = {}

local SHOWN = 8 -- maximum number of names per line

-- Names of the bones that skins use, without duplicates.
local function of_skins(doc)
  local names, seen = {}, {}
  local function look()
    for mesh in doc:meshes() do
      for _, bone in ipairs(mesh.skin and mesh.skin.bones or {}) do
        if bone.name and not seen[bone.name] then
          seen[bone.name] = true
          names[#names + 1] = bone.name
        end
      end
    end
  end
  pcall(look) -- other findings report what cannot be computed
  return names
end

-- Names of items with children, such as nodes of a scene, without duplicates.
local function of_nodes(doc)
  local names, seen, cache = {}, {}, schema.new()
  for _, row in ipairs(cache:rows(doc)) do
    for _, item in ipairs(row.tag and doc[row.name] or {}) do
      local is_node = cache:row(item, "children") and cache:row(item, "name")
      local name = is_node and item.name
      if type(name) == "string" and name ~= "" and not seen[name] then
        seen[name] = true
        names[#names + 1] = name
      end
    end
  end
  return names
end

-- Names that are not in the other list. Games ignore case.
local function missing(names, others)
  local known, list = {}, {}
  for _, name in ipairs(others) do known[name:lower()] = true end
  for _, name in ipairs(names) do
    if not known[name:lower()] then list[#list + 1] = name end
  end
  return list
end

local function listed(names)
  local parts = {}
  for i = 1, math.min(#names, SHOWN) do parts[i] = text.quote(names[i]) end
  if #names > SHOWN then parts[#parts + 1] = ("... %d more"):format(#names - SHOWN) end
  return table.concat(parts, ", ")
end

local function names_of(skeleton)
  local names = {}
  for _, bone in ipairs(skeleton.bones) do names[#names + 1] = bone.name end
  return names
end

--- Compares model and skeleton. A bone that a skin uses and the skeleton lacks is a warning: animations do
-- not move it.
-- @param doc a model
-- @param skeleton
-- @treturn {table,...} findings
-- @treturn {string,...} lines about what one has and the other may well lack
function bones.compare(doc, skeleton)
  local rig, skinned, nodes = names_of(skeleton), of_skins(doc), of_nodes(doc)
  local findings, lines = {}, {}
  for _, name in ipairs(missing(skinned, rig)) do
    findings[#findings + 1] = { level = "warning", code = "invalid",
      message = ("a skin is bound to %s, which is no bone of the skeleton"):format(text.quote(name)) }
  end
  local only_here = #skinned == 0 and missing(nodes, rig) or {}
  local only_there = missing(rig, nodes)
  if #only_here > 0 then
    lines[1] = ("%s of the skeleton: %s"):format(
      #only_here == 1 and "1 node is no bone" or #only_here .. " nodes are no bones", listed(only_here))
  end
  if #only_there > 0 then
    lines[#lines + 1] = ("%s of the skeleton %s not in this file: %s"):format(
      text.count(#only_there, "bone"), #only_there == 1 and "is" or "are", listed(only_there))
  end
  return findings, lines
end

return bones
