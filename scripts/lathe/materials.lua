--- How the shapes of a scene are drawn, and what they are made of to those that touch them.
-- @module lathe.materials

local materials = {}

local function put(list, slot, file)
  if type(file) == "string" and file ~= "" then list[#list + 1] = { slot = slot, file = file } end
end

-- Lists of textures beside the named ones (Fallout 76): only some shaders have a body, and some bodies these.
local function arrays_of(source)
  local ok, arrays = pcall(function() return source.body.arrays end)
  return ok and arrays or {}
end

-- The files that a material names, in the order of its slots.
local function textures_of(material)
  local list, textures = {}, material.textures
  if not textures then return list end
  for slot, file in pairs(textures) do put(list, slot, file) end
  for i, array in ipairs(arrays_of(material.source)) do
    for k, file in ipairs(array.textures) do
      put(list, ("arrays[%d].textures[%d]"):format(i, k), file)
    end
  end
  return list
end

--- Lists the materials of a document as tables: `doc.materials` without the empty slots.
-- @param doc
-- @treturn {table,...} in the order of the file: `kind` ("shader" or "collision"), `name` (nil where it has
--   none; a number where that of a collision material is not known), `source` (the block), `material` (the
--   element of `doc.materials`) and `textures`, a list of `{ slot =, file = }`: the slot's name, such as
--   "diffuse". Empty where the format has none.
function materials.list(doc)
  local list = {}
  for i, material in ipairs(doc.materials) do
    local name = material.name
    list[i] = {
      kind = material.kind,
      name = name ~= "" and name or nil,
      source = material.source,
      material = material,
      textures = textures_of(material),
    }
  end
  return list
end

return materials
