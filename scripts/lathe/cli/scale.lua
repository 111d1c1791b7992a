--- `lathe scale`: makes what files hold larger or smaller.
-- @module lathe.cli.scale

local batch = require "lathe.cli.batch"
local report = require "lathe.cli.report"
local target = require "lathe.cli.target"

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
  batch.options(command)
  command:option("--what", "What to scale: collision, geometry, skeleton, animation or all.")
    :argname "<part>":choices { "collision", "geometry", "skeleton", "animation", "all" }
  target.options(command, "The folder to write to, the inputs' tree kept; a file where one is given.")
end

local function apply(doc, result, args)
  local done, err = doc:scale(args.factor, { what = args.what })
  if not done then return nil, err end
  result.detail = report.changes(done.changed)
  result.lines = report.skipped_lines(done.skipped)
  result.json.report = report.verb_json(done)
  return true
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function scale.run(args)
  return batch.run {
    args = args,
    verb = "scale",
    writes = "needed",
    order = { "written", "report", "changes" },
    apply = function(doc, result) return apply(doc, result, args) end,
  }
end

return scale
