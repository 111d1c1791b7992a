--- `lathe scale`: makes what files hold larger or smaller.
-- @module lathe.cli.scale

local transform = require "lathe.cli.transform"

local scale = {
  name = "scale",
  summary = "Make what files hold larger or smaller.",
  description = "Multiply every length in files by a factor. Files of formats that have no lengths "
    .. "are skipped.",
  examples = {
    "lathe scale 2 Box.solid -o bigger/",
    "lathe scale 0.5 Models/ --dry-run",
  },
}

local function read_factor(source)
  local factor = tonumber(source)
  if factor then return factor end
  return nil, ("the factor is a number, not '%s'"):format(source)
end

--- Adds the options.
-- @param command an argparse command
function scale.options(command)
  command:argument("factor", "2 doubles, 0.5 halves."):argname "<factor>":convert(read_factor)
  transform.options(command)
  command:option("--what", "What to scale: collision, geometry, skeleton, animation or all.")
    :argname "<part>":choices { "collision", "geometry", "skeleton", "animation", "all" }
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function scale.run(args)
  return transform.run(args, "scale", function(doc)
    return doc:scale(args.factor, { what = args.what })
  end)
end

return scale
