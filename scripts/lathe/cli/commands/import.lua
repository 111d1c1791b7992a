--- `lathe import`: imports meshes, clips and skeletons from other programs.
-- @module lathe.cli.commands.import

local apply = require "lathe.import.apply"
local core = require "lathe.core"
local folders = require "lathe.cli.batch.folders"
local import_mesh = require "lathe.cli.commands.import_mesh"
local importer = require "lathe.import"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"
local report = require "lathe.cli.batch.report"
local text = require "lathe.tree.text"

local import = {
  name = "import",
  summary = "Read meshes, animations and skeletons that other programs wrote.",
  description = [[
Read the meshes of an .obj, .glb or .gltf and make a model of a game (.nif, .solid) or a collision shape
(.bphsh) of them: a new one for --game, or with --like a copy of a file whose shapes of the same names get
the new geometry and keep everything else; shapes with a skin are refused. y points up in such files; they
are turned where z does in the
game (NIFs). Missing normals, tangents and bounds are computed.

Read an animation of a glTF file (.glb, .gltf) or a .csv and write it as a file of the game. --like names a
file of the game, usually the one that was exported: it supplies the game, tracks, compression, annotations
and everything else that the animation lacks. Bones are matched by name; bones that the animation lacks keep
their rest pose and are listed. Keys at the frames of the original keep their values; other curves are
sampled at its frame rate, or at --fps. To import a skeleton, give --like SKELETON, which gets the new poses,
or --game, which makes a new file.]],
  examples = {
    "lathe import walk.glb --like walk.hkx --skeleton skeleton.hkx -o new/walk.hkx",
    "lathe import walk.csv --like walk.hkx --skeleton skeleton.hkx -o new/walk.hkx",
    "lathe import rig.glb -o skeleton.hkx --game skyrim-se",
    "lathe import crate.obj -o crate.nif --game fallout4",
    "lathe import bar.glb --like stock.nif -o stock_new.nif",
  },
}

local IMPORTED = { obj = true, glb = true, gltf = true, csv = true }
local SHOWN = 12 -- maximum number of names per line

local function positive(source)
  local number = tonumber(source)
  if number and number > 1e-3 and number < 1e6 then return number end
  return nil, ("a number above 0 expected, got '%s'"):format(source)
end

local function read_scale(source)
  local scale = source == "metres" and source or tonumber(source)
  if scale == "metres" or scale and scale >= 1e-20 and scale <= 1e20 then return scale end
  return nil, ("the scale is 'metres' or a number from 1e-20 to 1e20, not '%s'"):format(source)
end

--- The error message for a number that argparse takes for an option.
-- @tparam string word
-- @tparam ?string option the preceding word
-- @treturn string
function import.wrong_number(word, option)
  if option == "--scale" then return select(2, read_scale(word)) end
  return select(2, positive(word))
end

--- Adds the options.
-- @param command an argparse command
function import.options(command)
  command:argument("file", "An .obj, .glb, .gltf or .csv."):argname "FILE"
  command:option("-o --output", "File to write."):argname "<out>":target "output"
  command:option("--like", "File of the game that supplies what the animation lacks."):argname "<file>"
  command:option("--skeleton", "File with the skeleton that names the bones."):argname "<file>"
  command:option("--clip", "Name of the animation to import, if the file has several."):argname "<name>"
  command:option("--fps", "Frame rate, in frames per second (default: that of --like)."):argname "<n>"
    :convert(positive)
  command:option("--scale", "Factor that `lathe export` was given: a number, or metres (default: 1 for "
    .. "meshes;\n"
    .. "else from the lengths of bones).")
    :argname "<factor>":convert(read_scale)
  command:option("--game", "Game of a new model or skeleton: skyrim-le, skyrim-se or fallout4; of a new\n"
    .. "collision shape splatoon-3 or tears-of-the-kingdom.")
    :argname "<game>":choices { "skyrim-le", "skyrim-se", "fallout4", "splatoon-3", "tears-of-the-kingdom" }
  command:option("--material", "Material of all meshes: of a collision shape its name, of Fallout 4 a path "
    .. "such as\n"
    .. "Materials\\Mine.bgsm (default: the names that the file has).")
    :argname "<name>"
  command:option("--up", "Axis that points up in the new model: y or z (default: that of the format).")
    :argname "<axis>":choices { "y", "z" }
  command:flag("-n --dry-run", "Print what would be written; write nothing.")
end

-- ---- reports --------------------------------------------------------------------------------------

local function names_line(label, names)
  if #names == 0 then return end
  local shown = table.move(names, 1, math.min(#names, SHOWN), 1, {})
  if #names > SHOWN then shown[#shown + 1] = ("%d more"):format(#names - SHOWN) end
  out.line(("  %s: %s"):format(label, table.concat(shown, ", ")))
end

local function tell_rig(said)
  if (said.turned or 0) > 0 then
    out.line(("  bone axes: %s had those that Blender's importer gives; restored"):format(
      text.count(said.turned, "bone")))
  end
  if said.rests_elsewhere then
    out.line("  rest pose: it differs from the skeleton's; rotations are taken as they are")
  end
  names_line("at rest, as the file lacks them", said.missing)
  names_line("not taken, as no track has them", said.extra)
end

local function tell_clip(clip, done)
  local said = clip.report
  tell_rig(said)
  if done.unchanged then
    local all = text.count(#clip.bones, "track")
    out.line(("  not edited: %d of %s, which keep their samples"):format(done.unchanged, all))
  end
  if said.resampled > 0 then
    out.line(("  resampled: %s with keys between frames, at %.6g frames a second"):format(
      text.count(said.resampled, "curve"), clip.fps))
  end
  if said.late then
    out.line(("  the first key is at %.6g s: the pose stands still until then"):format(said.late))
  end
  local loss = done.loss
  if loss and math.max(loss.translation, loss.rotation, loss.scale) > 0 then
    out.line(("  compression: off by at most %.3g in translations, %.3g rad in rotations, %.3g in scales")
      :format(loss.translation, loss.rotation, loss.scale))
  end
  if said.factor ~= 1 then out.line(("  lengths: times %.6g"):format(said.factor)) end
  names_line("ignored", said.ignored)
  for _, note in ipairs(done.notes) do out.line("  " .. note) end
  if clip.note then out.line("  " .. clip.note) end
  for _, line in ipairs(report.skipped_lines(done.said and done.said.skipped or {})) do out.line(line) end
end

-- ---- running --------------------------------------------------------------------------------------

local function failed(err)
  out.fail(tostring(err))
  return 1
end

local function check_usage(args)
  if not args.output then out.usage "say where to write: -o OUT" end
  if args.output == "-" then out.usage "-o names a file" end
  if args.like and args.game then out.usage "give --like or --game, not both" end
  if import_mesh.is_meant(args) then return end
  if args.up or args.material then out.usage "--up and --material are for meshes" end
  if not IMPORTED[paths.extension(args.file)] then
    out.usage(("'%s': an .obj, .glb, .gltf or .csv expected"):format(args.file))
  end
  if not args.like and not args.game then
    out.usage "give --like FILE, or --game for a skeleton"
  end
end

-- Selects the animation.
local function one_of(clips, path)
  if #clips == 1 then return clips[1] end
  local names = {}
  for i, clip in ipairs(clips) do names[i] = "'" .. clip.name .. "'" end
  return nil, ("%s: %d animations are in it: say which with --clip: %s"):format(path, #clips,
    table.concat(names, ", ", 1, math.min(#names, SHOWN)))
end

local function write(args, doc)
  local real, why = paths.real(args.output)
  if not real then return nil, ("%s: %s"):format(args.output, why) end
  for _, input in ipairs { args.file, args.like or args.file, args.skeleton or args.file } do
    local same = core.identity(real)
    if real == paths.real(input) or same and same == core.identity(input) then
      return nil, ("%s: would overwrite the input %s"):format(args.output, input)
    end
  end
  if args.dry_run then return core.can_write(real, args.output, true) end
  local ready, err = folders.prepare(args.output, paths.folder(args.output))
  if not ready then return nil, err end
  return doc:save(args.output)
end

local function import_clip(args, like, skeleton)
  local clips, err = importer.import(args.file, { what = "clips", like = like, skeleton = skeleton,
    clip = args.clip, fps = args.fps, scale = args.scale })
  if not clips then return failed(err) end
  local clip, doc, done, ok
  clip, err = one_of(clips, args.file)
  if not clip then return failed(err) end
  doc, done = apply.clip(like, clip, {})
  if not doc then return failed(done) end
  ok, err = write(args, doc)
  if not ok then return failed(err) end
  out.line(("%s: '%s', %s of %s, %.6g s -> %s"):format(args.file, clip.name or "clip",
    text.count(clip.frame_count, "frame"), text.count(#clip.bones, "bone"), clip.duration, args.output))
  tell_clip(clip, done)
  return 0
end

-- The format of an extension in a game. The option --game spells "Skyrim SE" as skyrim-se.
local function format_for(path, game)
  local extension = paths.extension(path)
  local function plain(name) return (name:lower():gsub("[ -]", "")) end
  for _, format in ipairs(core.formats()) do
    local fits = false
    for _, own in ipairs(format.extensions) do fits = fits or own == extension end
    for _, own in ipairs(fits and format.games or {}) do
      if plain(own) == plain(game) then return format.name end
    end
  end
end

local function import_skeleton(args, like)
  local skeleton, err = importer.import(args.file, { what = "skeleton", like = like, scale = args.scale,
    up = not like and "z" or nil })
  if not skeleton then return failed(err) end
  local doc, ok
  if like then
    doc, err = apply.skeleton(like, skeleton)
  else
    local format = format_for(args.output, args.game)
    if not format then
      return failed(("%s: %s has no format with this extension"):format(args.output, args.game))
    end
    doc, err = apply.new_skeleton(format, args.game, skeleton)
  end
  if not doc then return failed(err) end
  ok, err = write(args, doc)
  if not ok then return failed(err) end
  out.line(("%s: a skeleton of %s -> %s"):format(args.file, text.count(#skeleton.bones, "bone"), args.output))
  tell_rig(skeleton.report)
  return 0
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function import.run(args)
  check_usage(args)
  if import_mesh.is_meant(args) then
    local done, why = import_mesh.run(args, write)
    return done and 0 or failed(why)
  end
  local like, skeleton, err
  if args.skeleton then
    skeleton, err = core.open(args.skeleton)
    if not skeleton then return failed(err) end
    if not skeleton.skeletons[1] then return failed(args.skeleton .. ": it contains no skeleton") end
  end
  if args.like then
    like, err = core.open(args.like, skeleton and { skeleton = skeleton } or nil)
    if not like then return failed(err) end
    if #like.animations > 1 then
      return failed(("%s: it has %d animations; only a file with one can be written over"):format(args.like,
        #like.animations))
    end
    if #like.animations > 0 then return import_clip(args, like, skeleton) end
    if not like.skeletons[1] then
      return failed(args.like .. ": neither an animation nor a skeleton is in it")
    end
  end
  return import_skeleton(args, like)
end

return import
