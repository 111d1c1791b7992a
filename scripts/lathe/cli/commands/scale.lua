--- `lathe scale`: scales the content of files.
-- @module lathe.cli.commands.scale

local lfs = require "lfs"
local out = require "lathe.cli.out"
local transform = require "lathe.cli.verbs.transform"

local scale = {
  name = "scale",
  summary = "Scale meshes, collision, skeletons and animations.",
  description = "Multiply every length in files by a factor. Files of formats without lengths are skipped.",
  examples = {
    "lathe scale 2 Box.solid -o bigger/",
    "lathe scale 0.5 Models/ --dry-run",
    "lathe scale 2 Lamp.nif --what collision --mass keep -o bigger/",
    "lathe scale 1,1,2 Crate.nif --what collision -o taller/",
  },
}

local NAMED = { nan = 0 / 0, inf = math.huge, infinity = math.huge }

-- The problem of a factor; nil: it is valid.
local function wrong_with(source)
  local sign, word = source:match "^%s*([-+]?)(.-)%s*$"
  local factor = tonumber(source) or NAMED[word:lower()]
  if not factor or factor ~= factor then return "is not a number" end
  if sign == "-" and factor ~= 0 then return "is negative" end
  if factor == 0 then return "is zero" end
  return factor == math.huge and "is infinite" or nil
end

-- Parses a number, or three separated by commas.
local function read_factor(source)
  local axes = {}
  for axis in (source .. ","):gmatch "([^,]*)," do axes[#axes + 1] = axis end
  if #axes ~= 3 then axes = { source } end
  for i, axis in ipairs(axes) do
    local wrong = wrong_with(axis)
    if wrong then
      local three = source:find "[,;]" and #axes == 1 and ", or three as in 1,1,2" or ""
      return nil, ("the factor is a number above 0%s: '%s' %s"):format(three, axis, wrong)
    end
    axes[i] = tonumber(axis)
  end
  return axes[2] and axes or axes[1]
end

--- The error message for a number that argparse takes for an option.
-- @tparam string word
-- @treturn string
function scale.wrong_number(word) return select(2, read_factor(word)) end

--- Adds the options.
-- @param command an argparse command
function scale.options(command)
  command:argument("factor", "2 doubles lengths, 0.5 halves them; 1,1,2 scales x, y and z (collision only).")
    :argname "<factor>":convert(read_factor)
  transform.options(command)
  command:option("--what", "Scale only collision, geometry, skeleton or animation (default: all).")
    :argname "<part>":choices { "collision", "geometry", "skeleton", "animation", "all" }
  command:option("--mass", "Keep the density, so that mass grows with volume, or keep the mass: density or\n"
    .. "keep (default: density).")
    :argname "<what>":choices { "density", "keep" }
end

-- Detects factors for x, y and z separated by blanks, which would be taken for files.
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
