--- `lathe preview`: pictures of meshes, collision, skeletons and animations.
-- @module lathe.cli.commands.preview

local core = require "lathe.core"
local batch = require "lathe.cli.batch"
local folders = require "lathe.cli.batch.folders"
local inputs = require "lathe.cli.batch.inputs"
local lfs = require "lfs"
local opening = require "lathe.cli.opening"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"
local pictures = require "lathe.preview"
local records = require "lathe.cli.pages.records"
local report = require "lathe.cli.batch.report"
local text = require "lathe.tree.text"

local preview = {
  name = "preview",
  summary = "Draw pictures of meshes, collision, skeletons and animations as .png or .svg.",
  description = [[
Draw what files hold. With -o OUT.png or OUT.svg, one file fills the picture, and several files or a folder
become a sheet with a cell and a name for each. With -o FOLDER/, each file becomes a picture of its own. In an
.svg, lines and texts are vectors, and a shaded mesh is an image.

Without --what, the file decides: a precombined cell is drawn from above, meshes with the collision over them
(a key names its materials), animations as a strip of poses, else the skeleton. An animation needs a skeleton:
its own, that of --skeleton, or a file skeleton.hkx beside it. Meshes have a color for each material, or with
--data their textures (.dds). What cannot be drawn or found is listed.]],
  examples = {
    "lathe preview stock.nif -o stock.png",
    "lathe preview crate.solid stock.nif -o sheet.png --view front",
    "lathe preview Meshes/ -o pictures/ --size 512x512",
    "lathe preview stock.nif -o front.png --view front --fit collision",
    "lathe preview wave.hkx --skeleton skeleton.hkx -o wave.svg --frames 8",
    "lathe preview wave.hkx --skeleton skeleton.hkx -o head.svg --track 'NPC Head'",
    "lathe preview stock.nif --against renamed.nif -o compared.png",
  },
}

--- The error message for a word that argparse takes for an option.
-- @tparam string word
-- @tparam ?string option the preceding word
-- @treturn string
function preview.wrong_number(word, option)
  if option == "--frames" then return ("a number of poses from 1 to 1000 expected, not '%s'"):format(word) end
  return ("seconds from 0 expected, not '%s'"):format(word)
end

local function frames_of(word)
  local n = word:find "^%d+$" and math.tointeger(tonumber(word))
  if n and n >= 1 and n <= 1000 then return n end
  return nil, preview.wrong_number(word, "--frames")
end

local function seconds_of(word)
  local n = tonumber(word)
  if n and n >= 0 and n < math.huge then return n end
  return nil, preview.wrong_number(word, "--time")
end

-- "WxH" is checked here, so that the error comes before anything is opened.
local function size_of(word)
  local size, why = pictures.size(word)
  return size and word, why
end

--- Adds the options.
-- @param command an argparse command
function preview.options(command)
  batch.options(command, true)
  command:option("-o --output", ".png or .svg for all files, or a folder for one picture each: one that\n"
    .. "exists, or a name that ends in /."):argname "<out>"
  command:option("--to", "Kind of pictures if -o is a folder: png or svg (default: png)."):argname "<kind>"
    :choices { "png", "svg" }
  command:option("--what", "What to draw: auto, meshes, collision, skeleton, pose, strip (of poses), track\n"
    .. "(curves) or cell (from above) (default: auto, by the file)."):argname "<what>":choices(pictures.WHAT)
  command:option("--view", "From where: iso, front, side or top (default: iso). front shows the side to\n"
    .. "which the game's characters look."):argname "<view>":choices(pictures.VIEWS)
  command:option("--fit", "What fills the picture: mesh, collision, skeleton, or the name of a mesh or\n"
    .. "bone (default: all that is drawn)."):argname "<name>"
  command:option("--size", "Width and height in pixels, at least 64x64 (default: 1024x768; of a sheet\n"
    .. "by the number of its cells)."):argname "<wxh>"
    :convert(size_of)
  command:option("--data", "Folder with the textures as loose files (default: no textures). Names are\n"
    .. "compared without case, with or without Data and textures in front."):argname "<dir>"
  command:option("--clip", "File with the animation whose poses are drawn (default: the file itself).")
    :argname "<file>"
  command:option("--mesh", "File with the skinned mesh to draw in the poses (default: bones alone).")
    :argname "<file>"
  command:option("--frames", "Number of poses in a strip, 1 to 1000 (default: 6)."):argname "<n>"
    :convert(frames_of)
  command:option("--time", "Draw the pose at this time, in seconds (default: a strip)."):argname "<s>"
    :convert(seconds_of)
  command:option("--track", "Draw the curves of the bone with this name (default: none)."):argname "<name>"
  command:flag("--bone-names", "Write the names of bones beside them.")
  command:option("--against", "File to draw beside the only one, with what differs marked (default: none).")
    :argname "<file>"
  command:option("--title", "Title of the picture (default: names of the files)."):argname "<text>"
  command:flag("-n --dry-run", "Print what would be drawn; write nothing.")
end

local KINDS = { png = true, svg = true }

-- Where pictures go: `single` for one of all files, or a folder.
local function target_of(args)
  local output = args.output
  if not output then out.usage "say where to write: -o OUT.png, OUT.svg or FOLDER/" end
  local folder = output:find "[/\\]$" or lfs.attributes(output, "mode") == "directory"
  local kind = paths.extension(output)
  if folder then
    if args.against then out.usage "--against goes with one picture: -o OUT.png or OUT.svg" end
    return { kind = args.to or "png" }
  elseif not KINDS[kind] then
    out.usage(("-o names a .png, an .svg or a folder (ending in /), not '%s'"):format(output))
  elseif args.to and args.to ~= kind then
    out.usage(("-o says .%s and --to says %s: one of them is enough"):format(kind, args.to))
  elseif args.shard then
    out.usage "--shard goes with -o FOLDER/: all parts would write the same file"
  end
  return { single = true, kind = kind }
end

-- Options that contradict each other.
local function check_usage(args)
  local mistake = pictures.contradiction(args, "--")
  if mistake then out.usage(mistake) end
end

local function measures(said)
  return ("%d x %d, %s"):format(said.width, said.height, text.count(said.triangles, "triangle"))
end

-- The lines below a picture's own.
local function details(said)
  local lines = report.skipped_lines(said.skipped, "left out")
  for _, note in ipairs(said.notes) do lines[#lines + 1] = "  " .. note end
  return lines
end

local Job = {}
Job.__index = Job

function Job:write(bytes, path)
  local real, why = self.originals:place(path)
  if not real then return nil, why end
  local ready, reason = folders.prepare(path, self.target.single and paths.folder(path) or self.args.output)
  if not ready then return nil, reason end
  return core.write(path, bytes)
end

function Job:can_write(path)
  local real, why = self.originals:place(path)
  if not real then return nil, why end
  return core.can_write(real, path, true)
end

function Job:draw(what, path, inner)
  local bytes, said = pictures.encode(what, path, self.opts, inner)
  if not bytes then return nil, said end
  local written, err = self:write(bytes, path)
  if not written then return nil, err end
  return said
end

-- Draws one file into a picture of its own.
function Job:alone(doc, result, item)
  local path, why = folders.path_for(self, item)
  if not path then return nil, why end
  local could, err = self:can_write(path)
  if not could then return nil, err end
  if self.args.dry_run then
    result.status, result.wrote = "would draw", path
    result.lines = { ("%s: would draw -> %s"):format(item.path, path) }
    return true
  end
  local said
  said, err = self:draw({ doc }, path, { labels = { paths.base(item.path) } })
  if not said then return nil, err end
  result.status, result.wrote = "drawn", path
  result.lines = details(said)
  table.insert(result.lines, 1, ("%s: %s -> %s"):format(item.path, measures(said), path))
  result.json.written, result.json.width, result.json.height = path, said.width, said.height
  result.json.triangles, result.json.notes = said.triangles, said.notes
  result.json.left_out = records.places(said.skipped)
  return true
end

function Job:apply(doc, result, item)
  if not self.cells then return self:alone(doc, result, item) end
  table.insert(self.cells, item)
  result.status = self.args.dry_run and "would draw" or "drawn"
  return true
end

-- Draws the sheet. Its files are opened again, one at a time.
function Job:finish()
  local path, args = self.args.output, self.args
  if #self.cells == 0 then return nil, path .. ": there is nothing to draw" end
  local could, err = self:can_write(path)
  if not could then return nil, err end
  local said
  if not args.dry_run then
    local names, labels = {}, {}
    for i, item in ipairs(self.cells) do
      names[i], labels[i] = item.path, item.below or item.path
    end
    said, err = self:draw(names, path, { labels = labels,
      open = function(i) return inputs.open(self.cells[i], args) end })
    if not said then return nil, err end
  end
  if args.json then
    out.json(report.name({ ok = true, written = said and path, width = said and said.width,
      height = said and said.height, triangles = said and said.triangles,
      left_out = said and records.places(said.skipped), notes = said and said.notes }, path),
      { "file", "file_bytes", "ok", "written", "width", "height", "triangles", "left_out", "notes" })
  elseif said then
    out.line(("%s: %s, %s"):format(path, text.count(#self.cells, "file"), measures(said)))
    for _, line in ipairs(details(said)) do out.line(line) end
  else
    out.line(("%s: would draw %s"):format(path, text.count(#self.cells, "file")))
  end
  return true
end

-- The options for lathe.preview.
local function options_of(args)
  local skeletons = opening.skeletons(args)
  if #skeletons > 2 then out.usage "--skeleton names a skeleton, and once more a model with bones" end
  local opts = { names = args.bone_names, skeleton = skeletons[2] and skeletons or skeletons[1] }
  for _, name in ipairs { "what", "view", "fit", "size", "clip", "mesh", "frames", "time", "track", "against",
    "title" } do
    opts[name] = args[name]
  end
  if args.data then
    local found, why = require("lathe.preview.textures").of(args.data)
    if not found then return nil, why end
    opts.data = found
  end
  return opts
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function preview.run(args)
  local job = setmetatable({ args = args, target = target_of(args) }, Job)
  check_usage(args)
  local opened, why = opening.of(args)
  if opened then job.opts, why = options_of(args) end
  if not job.opts then
    out.fail(tostring(why))
    return 1
  end
  if core.ignore_sigpipe then core.ignore_sigpipe() end
  job.batch = {
    args = args,
    serial = job.target.single,
    verb = "meshes",
    or_verbs = { "bodies", "animations", "skeletons" },
    counts = { args.dry_run and "would draw" or "drawn", "skipped", "failed" },
    begin = function(items)
      if job.target.single and #items > 1 then
        if args.against then out.usage "--against takes one file to compare with" end
        job.cells = {}
      end
      job.originals = inputs.originals(items)
    end,
    apply = function(doc, result, item) return job:apply(doc, result, item) end,
  }
  local code = batch.run(job.batch)
  if job.cells then
    local ok, err = job:finish()
    if not ok then
      out.fail(tostring(err))
      return 1
    end
  end
  return code
end

return preview
