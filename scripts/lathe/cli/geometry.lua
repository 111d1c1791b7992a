--- Option with the locations of geometry files: `--geometry [HASH=]PATH`.
-- @module lathe.cli.geometry

local geometry = {}

local OPTION = "--geometry"
local VALUE = "[HASH=]PATH"

-- Parses 0xDDF19A67=path, DDF19A67=path, or as in JSON 3723598439=path. A later "=" belongs to the path.
local function split(value)
  local digits, path = value:match "^(%w+)=(.+)$"
  local hex = digits and (digits:match "^0[xX](%x+)$" or digits:match "^%x%x%x%x%x%x%x%x$")
  local hash = hex and #hex <= 8 and tonumber(hex, 16)
  if digits and not hex and digits:find "^%d%d%d%d%d%d%d%d%d%d?$" then
    hash = math.tointeger(tonumber(digits))
  end
  if hash and hash <= 0xFFFFFFFF then return path, hash end
  return value
end

--- Adds the option, which may be repeated.
-- @param command an argparse command
function geometry.option(command)
  command:option(OPTION, "Geometry file (.csg, .psg) of precombined meshes, or folder with such\n"
    .. "files (default: the file's folder, then the folder above Meshes).\n"
    .. "HASH=PATH: the file whose original name has that hash.")
    :argname("<" .. VALUE .. ">"):count "*"
end

--- Converts the option for `lathe.open`.
-- @tparam ?{string,...} values of the option
-- @treturn ?table nil: there are none
function geometry.places(values)
  if not values or #values == 0 then return nil end
  local places = {}
  for _, value in ipairs(values) do
    local path, hash = split(value)
    if hash then places[hash] = path else places[#places + 1] = path end
  end
  return places
end

--- Only the paths, for the sandbox.
-- @tparam ?{string,...} values of the option
-- @treturn {string,...}
function geometry.paths(values)
  local list = {}
  for i, value in ipairs(values or {}) do list[i] = split(value) end
  return list
end

return geometry
