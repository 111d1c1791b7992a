--- `lathe scale`: makes what files hold larger or smaller.
-- @module lathe.cli.scale

local lfs = require "lfs"
local out = require "lathe.cli.out"
local transform = require "lathe.cli.transform"

local scale = {
  name = "scale",
  summary = "Make what files hold larger or smaller.",
  description = "Multiply every length in files by a factor. Files of formats that have no lengths "
    .. "are skipped.",
  examples = {
    "lathe scale 2 Box.solid -o bigger/",
    "lathe scale 0.5 Models/ --dry-run",
    "lathe scale 2 Lamp.nif --what collision --mass keep -o bigger/",
    "lathe scale 1,1,2 Crate.nif --what collision -o taller/",
  },
}

-- A number, or three with commas between them.
local function read_factor(source)
  local factor = tonumber(source)
  if factor then return factor end
  local x, y, z = source:match "^([^,]+),([^,]+),([^,]+)$"
  local axes = { tonumber(x), tonumber(y), tonumber(z) }
  if axes[1] and axes[2] and axes[3] then return axes end
  local three = source:find("[,;]") and ", or three as in 1,1,2" or ""
  return nil, ("the factor is a number%s, not '%s'"):format(three, source)
end

--- Adds the options.
-- @param command an argparse command
function scale.options(command)
  command:argument("factor", "2 doubles, 0.5 halves; 1,1,2 makes collision of Fallout 4 taller.")
    :argname "<factor>":convert(read_factor)
  transform.options(command)
  command:option("--what", "What to scale: collision, geometry, skeleton, animation or all.")
    :argname "<part>":choices { "collision", "geometry", "skeleton", "animation", "all" }
  command:option("--mass", "Whether what grows keeps its density and so weighs more, or keeps its mass.")
    :argname "<what>":choices { "density", "keep" }
end

-- Factors for x, y and z that stand apart would be taken for files.
local function check_files(args)
  local y, z = args.files[1], args.files[2]
  if type(args.factor) ~= "number" or not tonumber(y) or not tonumber(z) or lfs.attributes(y) then return end
  out.usage(("factors for x, y and z are one word: %.14g,%s,%s"):format(args.factor, y, z))
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function scale.run(args)
  check_files(args)
  return transform.run(args, "scale", function(doc)
    return doc:scale(args.factor, { what = args.what, mass = args.mass })
  end)
end

return scale
