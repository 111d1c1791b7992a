--- How the shapes of a scene are drawn: its shaders, and the files that these name.
-- @module lathe.materials

local core = require "lathe.core"

local materials = {}

-- Old textures: NiTexturingProperty's slots lead to a NiSourceTexture.
local OLD_SLOTS = {
  base = true, dark = true, detail = true, gloss = true, glow = true, bump = true, normal = true,
  parallax = true, decal0 = true, decal1 = true,
}

local function put(list, slot, file)
  if type(file) == "string" and file ~= "" then list[#list + 1] = { slot = slot, file = file } end
end

local function put_all(list, files)
  for i = 1, #files do put(list, i, files[i]) end
end

local function index(record, name) return record[name] end

-- A field; nil where it is a reference to a block that is not there.
local function field(record, name)
  local ok, value = pcall(index, record, name)
  return ok and value or nil
end

-- The files that a record's own fields name, in their order. What does not parse has no fields.
local function collect(record, list)
  for _, row in ipairs(core.describe(record)) do
    local name = row.name
    local value = field(record, name)
    if name == "texture_set" and value then
      if not core.problem(value) and core.type(value) == "BSShaderTextureSet" then
        put_all(list, value.textures)
      end
    elseif name == "body" and value then
      collect(value, list)
    elseif name == "file_name" or name:match "_texture$" then
      put(list, name, value)
    elseif OLD_SLOTS[name] and core.type(value) == "TexDesc" then
      local source = field(value, "source")
      if source and core.type(source) == "NiSourceTexture" and not core.problem(source) then
        put(list, name, source.file_name)
      end
    end
  end
  return list
end

local function is_material(name)
  return name:match "Shader.*Property$" or name == "NiTexturingProperty"
end

--- Lists the shaders of a document.
-- @param doc
-- @treturn {table,...} in the order of their blocks: `kind` ("shader"), `name` (nil where it has none),
--   `source` (its view) and `textures`, a list of `{ slot =, file = }` without the empty ones. A slot is a
--   number in a set of textures, else the name of a field. Empty where the format has none.
function materials.list(doc)
  local list = {}
  if doc.format ~= "nif" then return list end
  for _, block in ipairs(doc.blocks) do
    if is_material(core.type(block)) and not core.problem(block) then
      local name = block.name
      list[#list + 1] = {
        kind = "shader",
        name = type(name) == "string" and name ~= "" and name or nil,
        source = block,
        textures = collect(block, {}),
      }
    end
  end
  return list
end

return materials
