--- `lathe convert`: gives files another form.
-- @module lathe.cli.convert

local out = require "lathe.cli.out"
local paths = require "lathe.paths"
local transform = require "lathe.cli.transform"

local convert = {
  name = "convert",
  summary = "Give files another form.",
  description = [[
Give files another form. Geometry files become plain (psg) or packed in chunks by zlib (csg, which the game
reads); no row moves in them, so the group files that use them stay as they are. Results are named by their
form. Files of formats that have one form are skipped.]],
  examples = {
    "lathe convert 'Some Mod - Geometry.psg' --to csg -o 'Data/Some Mod - Geometry.csg'",
    "lathe convert Data/ --to psg -o plain/",
  },
}

--- Adds the options.
-- @param command an argparse command
function convert.options(command)
  transform.options(command)
  command:option("--to", "The form: csg or psg."):argname "<form>":choices { "csg", "psg" }
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function convert.run(args)
  if not args.to then out.usage "say what to convert to: --to csg or --to psg" end
  if args.in_place then
    out.usage(("--in-place would leave a .%s in a file of another name: give -o"):format(args.to))
  end
  args.output_is_file = args.output ~= nil and paths.extension(args.output) == args.to
  return transform.run(args, "convert", function(doc, item)
    item.extension = args.to
    return doc:convert { to = args.to }
  end)
end

return convert
