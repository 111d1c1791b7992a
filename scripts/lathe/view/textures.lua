--- Pictures of a page: the base colours of materials as PNG.
-- @module lathe.view.textures

local base64 = require "lathe.tree.base64"
local core = require "lathe.core"
local scene = require "lathe.export.scene"

local textures = {}

local LARGEST <const> = 512     -- pixels in width and height
local MOST_BYTES <const> = 8e6  -- of all pictures of a document

-- The paths of base colours of a scene's parts, in their order.
local function paths_of(groups)
  local list, known = {}, {}
  for _, group in ipairs(groups) do
    for _, part in ipairs(group.parts) do
      local path = part.surface and part.surface.textures and part.surface.textures.base_color
      if type(path) == "string" and path ~= "" and not known[path] then
        known[path] = true
        list[#list + 1] = path
      end
    end
  end
  return list
end

local function picture_of(path, data)
  local bytes, why = data(path)
  if not bytes then return nil, why or "it was not found" end
  if type(bytes) ~= "string" then
    error("the function of option 'data' returns bytes, or nil and a reason", 0)
  end
  return core.dds_png(bytes, LARGEST)
end

--- The pictures of a scene.
-- @tparam {table,...} groups of the scene
-- @tparam function data gives the bytes of a texture (DDS) by its path as stored; or nil and why not
-- @tparam {table,...} notes gets what is left out
-- @treturn {[string]=string,...} data: URLs by path, as materials have them
function textures.of(groups, data, notes)
  local urls, left = {}, MOST_BYTES
  for _, path in ipairs(paths_of(groups)) do
    local png, why = picture_of(path, data)
    if png and #png > left then png, why = nil, "the page has enough pictures" end
    if png then
      left = left - #png
      urls[scene.utf8(path)] = "data:image/png;base64," .. base64.encode(png)
    else
      local reason = type(why) == "table" and why.message or tostring(why)
      notes[#notes + 1] = { path = path, reason = "drawn without its texture: " .. reason }
    end
  end
  return urls
end

return textures
