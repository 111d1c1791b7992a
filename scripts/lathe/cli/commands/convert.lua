--- `lathe convert`: converts files to another form.
-- @module lathe.cli.commands.convert

local containers = require "lathe.cli.batch.containers"
local core = require "lathe.core"
local formats = require "lathe.formats"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"
local report = require "lathe.cli.batch.report"
local text = require "lathe.tree.text"
local transform = require "lathe.cli.verbs.transform"

local convert = {
  name = "convert",
  summary = "Convert files to another layout, or to another game.",
  description = [[
Convert files to another layout, or to another game. Files of other formats are skipped.

   csg, psg             geometry files: csg is compressed with zlib, as the game reads it; psg is not. Rows
                        keep their offsets, so NIFs that use them stay valid. The output gets that
                        extension.
   inline               precombined meshes: all geometry is in the NIF
   shared               … all geometry is in a geometry file
   inline+table         … geometry is in the NIF, with a table of places in a geometry file
   skyrim-le, skyrim-se, fallout4
                        Havok packfiles (.hkx), also from XML: what the other game's files cannot hold is
                        left out and listed; a file with a class that has no known counterpart is refused
   xml                  … as Havok XML, as hkxcmd writes it. What it does not say is counted: decimals behind
                        the sixth, the fourth numbers of rotations. The output gets the extension .xml

--into names the geometry file of shared and inline+table. It is created, or extended at its end (FILE.bak
keeps the original), and written before the NIFs. Equal geometry is stored once. NIFs find the file by its
name, so do not rename it afterwards.]],
  examples = {
    "lathe convert 'Some Mod - Geometry.psg' --to csg -o 'Data/Some Mod - Geometry.csg'",
    "lathe convert Data/ --to psg -o plain/",
    "lathe convert Data/Meshes/PreCombined --to inline -o inline/",
    "lathe convert inline/ --to shared --into 'out/Some Mod - Geometry.csg' -o out/Meshes/PreCombined",
    "lathe convert animations/ --to skyrim-se -o Data/Meshes/actors/character/animations",
    "lathe convert 0_master.hkx --to xml -o 0_master.xml",
    "lathe convert 0_master.xml --to skyrim-le -o 0_master.hkx",
  },
}

-- ---- forms ---------------------------------------------------------------------------------------------

-- The parameter of a verb with a name; nil if it has none.
local function param_named(verb, name)
  for _, param in ipairs(verb.params) do
    if param.name == name then return param end
  end
end

local function is_extension(format, form)
  for _, extension in ipairs(format.extensions) do
    if extension == form then return true end
  end
  return false
end

-- The forms into which documents of each format can be converted, in the order of the formats. For each: the
-- format, whether it is an extension of it, and whether another document can receive the data that leave the
-- files. A word that needs quotes on a command line has an alias without.
local function read_forms()
  local forms = {}
  for _, format in ipairs(core.formats()) do
    for _, verb in ipairs(format.can.convert and core.verbs(format.name) or {}) do
      for _, form in ipairs(verb.name == "convert" and param_named(verb, "to").values or {}) do
        if form:find "^[%l%d+-]+$" then
          forms[#forms + 1] = form
          forms[form] = { format = format.name, extension = is_extension(format, form),
            usual = format.extensions[1], into = param_named(verb, "into") ~= nil }
        end
      end
    end
  end
  return forms
end

local FORMS <const> = read_forms()

--- Adds the options.
-- @param command an argparse command
function convert.options(command)
  transform.options(command)
  command:option("--to", "Target: csg, psg, inline, shared, inline+table, skyrim-le, skyrim-se, fallout4\n"
    .. "or xml.")
    :argname "<form>":choices(FORMS)
  command:option("--into", "Geometry file (.csg, .psg) for --to shared and inline+table.")
    :argname "<file>"
end

local function check_usage(args)
  if not args.to then
    out.usage("say what to convert to: --to " .. table.concat(FORMS, ", "))
  end
  local form = FORMS[args.to]
  if form.extension and args.in_place then
    out.usage(("--in-place would leave a .%s in a file of another name: give -o"):format(args.to))
  elseif args.into and (not form.into or args.to == "inline") then
    out.usage(("--into goes with --to shared and --to inline+table, not with --to %s"):format(args.to))
  elseif args.to == "shared" and not args.into then
    out.usage "say which geometry file shared meshes go to: --into OUT.csg"
  end
end

-- "2 blocks with 5 objects, 1 row found, 4 rows added"
local function describe(done)
  local objects, found = report.total(done.objects), report.total(done.found)
  local appended = report.total(done.appended)
  local parts = { ("%s with %s"):format(text.count(done.changed, "block"), text.count(objects, "object")) }
  if found > 0 then parts[#parts + 1] = text.count(found, "row") .. " found" end
  if appended > 0 then parts[#parts + 1] = text.count(appended, "row") .. " added" end
  if done.changed > 0 then done.detail = table.concat(parts, ", ") end
  done.counts = { { "blocks", done.changed }, { "objects", objects }, { "found", found },
    { "appended", appended } }
  return done
end

-- Accepts only files of the format that has the form.
local function takes(args)
  local format = FORMS[args.to].format
  return function(doc)
    return doc.format == format, ("%s files cannot be converted to %s"):format(doc.format, args.to)
  end
end

local function convert_meshes(args)
  local store = args.into and formats.of(FORMS[args.to].format).into(args)
  return transform.run(args, "convert", function(doc, item)
    local done, err
    if store then
      done, err = store:convert(doc, item)
    else
      done, err = doc:convert { to = args.to }
    end
    return done and describe(done), err
  end, {
    takes = takes(args),
    prepare = store and function(items) return store:prepare(items) end,
    serial = store ~= nil, -- each file adds rows to the geometry file, which the next one may find there
    no_resume = store and "--into: the geometry file is the result of all files together" or nil,
  })
end

-- A file's game, or the name of the container that it is in where that is not the usual one.
local function form_of(doc)
  return containers.is_other(doc.container) and doc.container:upper() or doc.game
end

-- The end of a name says a container, whatever was asked for.
local function check_names(args)
  local kind = args.output and paths.kind(args.output)
  if kind and containers.is_other(kind) and args.to ~= kind then
    out.usage(("-o %s would be %s, whatever it is converted to: give it another name"):format(args.output,
      kind:upper()))
  end
  args.output_is_file = kind ~= nil and paths.kind(args.files[1]) ~= ""
    and containers.usual(kind) == FORMS[args.to].usual
end

-- "Skyrim SE -> Fallout 4, 6 objects"
local function convert_games(args)
  check_names(args)
  return transform.run(args, "convert", function(doc, item)
    local from, kind = form_of(doc), paths.kind(item.path)
    if args.in_place and containers.is_other(kind) and args.to ~= kind then
      return nil, ("--in-place would leave another file under the name of %s: give -o"):format(kind:upper())
    end
    local done, err = doc:convert { to = args.to }
    if done and done.changed > 0 then
      done.detail = ("%s -> %s, %s"):format(from, form_of(doc), text.count(done.changed, "object"))
      done.counts = { { "from", from }, { "to", form_of(doc) } }
    end
    item.extension = containers.is_other(args.to) and args.to or containers.usual(kind)
    return done, err
  end, { takes = takes(args), skipped = "lost" })
end

local function convert_files(args)
  args.output_is_file = args.output ~= nil and paths.kind(args.output) == args.to
  return transform.run(args, "convert", function(doc, item)
    item.extension = args.to
    return doc:convert { to = args.to }
  end, { takes = takes(args) })
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function convert.run(args)
  check_usage(args)
  local form = FORMS[args.to]
  if form.into then return convert_meshes(args) end
  return form.extension and convert_files(args) or convert_games(args)
end

return convert
