--- `lathe export`: geometry, skeletons and animations for other programs.
-- @module lathe.cli.commands.export

local core = require "lathe.core"
local batch = require "lathe.cli.batch"
local exporter = require "lathe.export"
local folders = require "lathe.cli.batch.folders"
local inputs = require "lathe.cli.batch.inputs"
local lfs = require "lfs"
local opening = require "lathe.cli.opening"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"
local records = require "lathe.cli.pages.records"
local report = require "lathe.cli.batch.report"
local resume = require "lathe.cli.batch.resume"
local text = require "lathe.tree.text"

local export = {
  name = "export",
  summary = "Write geometry and animations as .glb, .obj or .csv, behavior graphs as .dot.",
  description = [[
Write the meshes of files as binary glTF (.glb) or Wavefront .obj with its .mtl. With -o OUT.glb or OUT.obj,
several files become one scene with a node a file; with -o FOLDER and --to, each file becomes a scene of its
own. In the output y is up, and lengths are those of the game unless --scale is given. Left out and listed are
meshes without triangles, triangles or instances with numbers that are not finite, and objects whose geometry
cannot be read. A .glb has one mesh for each precombined object and a node for each of its instances.

Write animations and skeletons as bones of a .glb, with skins from the meshes of --mesh, or as curves in a
.csv. With -o OUT.glb, several animations of one skeleton go into one file, each named after its own file.
--skeleton names the file with the bones that the tracks move.

Write the state machines of a behavior graph as a drawing for Graphviz (.dot).]],
  examples = {
    "lathe export Box.solid -o box.glb",
    "lathe export Models/ -o out/ --to obj",
    "lathe export body.nif head.nif -o character.glb --scale metres --textures reference",
    "lathe export Crate.nif -o crate.obj --what collision",
    "lathe export 0000E2DB_02BE5E11_OC.nif -o cell.glb --lod 0",
    "lathe export walk.hkx run.hkx --skeleton skeleton.hkx --mesh body.nif -o moves.glb",
    "lathe export jump.hkx --skeleton skeleton.hkx --skeleton skeleton.nif --mesh body.nif -o jump.glb",
    "lathe export walk.hkx --skeleton skeleton.hkx -o walk.csv --euler XYZ",
    "lathe export 0_master.hkx -o 0_master.dot",
  },
}

local function read_scale(source)
  local scale = source == "metres" and source or tonumber(source)
  if scale == "metres" or scale and scale >= 1e-20 and scale <= 1e20 then return scale end
  return nil, ("the scale is 'metres' or a number from 1e-20 to 1e20, not '%s'"):format(source)
end

--- The error message for a number that argparse takes for an option.
-- @tparam string word
-- @tparam ?string option the preceding word
-- @treturn string
function export.wrong_number(word, option)
  if option == "--lod" then return ("the level of detail is 0, 1 or 2, not '%s'"):format(word) end
  return select(2, read_scale(word))
end

--- Adds the options.
-- @param command an argparse command
function export.options(command)
  batch.options(command, true)
  command:option("-o --output", ".glb, .obj, .csv or .dot for all, folder for one each, or - for stdout.")
    :argname "<out>"
  command:option("--to", "Kind of output if -o is a folder or -: glb, obj, csv or dot."):argname "<kind>"
    :choices { "csv", "dot", "glb", "obj" }
  command:option("--mesh", "File with the meshes whose skins follow the bones."):argname "<file>"
  command:option("--euler", "Add rotations as angles in degrees to a .csv: XYZ turns about x, then y,\n"
    .. "then z (default: quaternions only)."):argname "<order>"
    :choices { "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX" }
  command:option("--scale", "Factor for all lengths, or metres if the format's unit is known (default: 1).")
    :argname "<factor>":convert(read_scale)
  command:option("--what", "geometry (visible meshes) or collision (default: geometry;\n"
    .. "collision for files without visible meshes)."):argname "<what>"
    :choices { "geometry", "collision" }
  command:option("--lod", "Export the levels of detail 0 to N: 0, 1 or 2 (default: all levels).")
    :argname "<n>":choices { "0", "1", "2" }
  command:option("--textures", "How a .glb stores textures: names (in extras) or reference (images with\n"
    .. "paths relative to the .glb) (default: names)."):argname "<how>":choices { "names", "reference" }
  command:flag("-n --dry-run", "Print what would be written; write nothing.")
  resume.flag(command)
end

local KINDS = { csv = true, dot = true, glb = true, obj = true }

-- The output: `single` for one scene, or a folder.
local function target_of(args)
  local output = args.output
  if not output then
    out.usage "say where to write: -o OUT.glb, OUT.obj, OUT.csv or OUT.dot, or -o FOLDER with --to"
  end
  local kind = paths.extension(output)
  local folder = output:match "[/\\]$" or lfs.attributes(output, "mode") == "directory"
  if output == "-" then
    if not args.to then out.usage "-o - goes with --to glb, obj, csv or dot" end
    if args.json then out.usage "-o - and --json both write to stdout: give one of them" end
    return { single = true, kind = args.to }
  elseif KINDS[kind] and not folder then
    if args.to and args.to ~= kind then
      out.usage(("-o says .%s and --to says %s: one of them is enough"):format(kind, args.to))
    end
    return { single = true, kind = kind }
  elseif not args.to then
    out.usage "-o names a .glb, an .obj, a .csv, a .dot, or a folder with --to glb, obj, csv or dot"
  end
  return { kind = args.to }
end

-- Result line: bones if there are any, and meshes.
local function counts(said)
  local parts = {}
  if said.states then
    return text.count(said.states, "state") .. ", " .. text.count(said.transitions, "transition")
  end
  if said.bones > 0 or said.clips > 0 then
    if said.clips > 0 then parts[1] = text.count(said.clips, "animation") end
    if said.bones > 0 then parts[#parts + 1] = text.count(said.bones, "bone") end
  end
  if said.meshes > 0 or #parts == 0 then
    parts[#parts + 1] = text.count(said.meshes, "mesh", "meshes")
    parts[#parts + 1] = text.count(said.triangles, "triangle")
  end
  return table.concat(parts, ", ")
end

local Job = {}
Job.__index = Job

-- What `write` would do, as far as this is known without writing.
function Job:check(path)
  if path == "-" then return true end
  local real, why = self.originals:place(path)
  if not real then return nil, why end
  return core.can_write(real, path, true)
end

function Job:write(scene, path)
  if path == "-" then
    local bytes, err = exporter.encode(scene, path, self.opts)
    if not bytes then return nil, err end
    out.write(bytes)
    return { path }
  end
  local ready, why = folders.prepare(path, self.target.single and paths.folder(path) or self.args.output)
  if not ready then return nil, why end
  return exporter.finish(scene, path, self.opts)
end

-- Notes a file for --resume. In a folder, that may be done after it is written: if the process is killed
-- between, the file is written again.
function Job:record(item, path)
  if not self.batch.resume then return true end
  local hash, err = core.sha256(nil, path)
  if not hash then return nil, err end
  return self.batch.resume:record(item, hash, path)
end

-- Writes one file for one input.
function Job:alone(scene, result, item, said)
  local path, why = folders.path_for(self, item)
  if not path then return nil, why end
  local line = item.path .. ": " .. counts(said)
  local could, err = self:check(path)
  if not could then return nil, err end
  if not self.args.dry_run then
    local files
    files, err = self:write(scene, path)
    if not files then return nil, err end
    local noted, reason = self:record(item, path)
    if not noted then return nil, reason end
    exporter.note(scene, said.notes)
    result.json.written, result.json.notes = path, records.places(said.notes)
  end
  result.wrote = path
  result.lines = report.skipped_lines(said.skipped)
  for _, note in ipairs(said.bones > 0 and said.notes or {}) do -- for meshes only --json has them
    table.insert(result.lines, ("  %s: %s"):format(note.path, note.reason))
  end
  if path == "-" then -- stdout has the bytes
    for _, skipped in ipairs(result.lines) do out.note(item.path .. ":" .. skipped:sub(2)) end
    result.lines = {}
  else
    table.insert(result.lines, 1, line .. " -> " .. path)
  end
  return true
end

function Job:apply(doc, result, item)
  local scene = self.all or exporter.begin(self.opts)
  local said, err = scene:include(doc)
  if not said then return nil, err end
  result.json.meshes, result.json.triangles = said.meshes, said.triangles
  if said.bones > 0 or said.clips > 0 then
    result.json.animations, result.json.bones = said.clips, said.bones
  end
  result.json.left_out, result.json.notes = records.places(said.skipped), records.places(said.notes)
  if said.meshes + said.clips + said.bones + (said.states or 0) == 0 then
    local first = said.skipped[1]
    result.status = "skipped"
    result.reason = first and ("%s: %s"):format(first.path, first.reason) or "no meshes"
    return true
  end
  result.status = self.args.dry_run and "would export" or "exported"
  if not self.all then return self:alone(scene, result, item, said) end
  for _, name in ipairs { "meshes", "triangles", "clips", "bones" } do
    self[name] = self[name] + said[name]
  end
  result.lines = report.skipped_lines(said.skipped)
  table.insert(result.lines, 1, item.path .. ": " .. counts(said))
  return true
end

-- Writes the one result of several inputs.
function Job:finish()
  local path, args = self.args.output, self.args
  if self.meshes + self.clips + self.bones == 0 then return nil, path .. ": there is no mesh to export" end
  local files
  local could, err = self:check(path)
  if not could then return nil, err end
  if not args.dry_run then
    files, err = self:write(self.all, path)
    if not files then return nil, err end
  end
  if args.json then
    out.json(report.name({ ok = true, written = files and path, meshes = self.meshes,
      triangles = self.triangles, animations = self.bones > 0 and self.clips or nil,
      bones = self.bones > 0 and self.bones or nil }, path),
      { "file", "file_bytes", "ok", "written", "animations", "bones", "meshes", "triangles" })
  elseif path ~= "-" then
    out.line(("%s: %s"):format(path, counts(self)))
  end
  return true
end

-- The document of --mesh, opened with the same options as others.
local function mesh_of(args)
  if not args.mesh then return nil end
  if args.what then out.usage "--mesh and --what do not go together: --what is of files without bones" end
  local options, why = opening.of(args)
  if not options then return nil, why end
  options.format, options.skeleton = nil, nil
  return core.open(args.mesh, options)
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function export.run(args)
  local target = target_of(args)
  if target.single and args.shard then
    out.usage "--shard goes with -o FOLDER and --to: all parts would write the same file"
  end
  local mesh, why = mesh_of(args)
  if why then
    out.fail(tostring(why))
    return 1
  end
  local job = setmetatable({
    args = args, target = target, meshes = 0, triangles = 0, clips = 0, bones = 0,
  }, Job)
  job.opts = { format = target.kind, scale = args.scale, textures = args.textures, what = args.what,
    lod = args.lod and math.tointeger(args.lod), euler = args.euler, mesh = mesh,
    skeleton = opening.skeletons(args) }
  if core.ignore_sigpipe then core.ignore_sigpipe() end
  job.batch = {
    args = args,
    serial = target.single, -- one scene of all files
    to_folder = not target.single,
    verb = args.what == "collision" and "bodies" or target.kind == "dot" and "graph" or "meshes",
    or_verbs = not args.what and target.kind ~= "dot" and { "bodies", "animations", "skeletons" } or nil,
    counts = { args.dry_run and "would export" or "exported", "skipped", "failed" },
    begin = function(items)
      if args.output == "-" and #items ~= 1 then out.usage "-o - takes one file" end
      if target.kind == "dot" and target.single and #items > 1 then out.usage "a .dot holds one graph" end
      if target.single and #items > 1 then job.all = exporter.begin(job.opts) end
      job.originals = inputs.originals(items)
    end,
    apply = function(doc, result, item) return job:apply(doc, result, item) end,
    gather = function(record) job.done = job.done or record.wrote ~= nil end,
  }
  local code = batch.run(job.batch)
  if job.all then
    local ok, err = job:finish()
    if not ok then
      out.fail(tostring(err))
      return 1
    end
  elseif not job.done and not args.dry_run and code == 0 then
    out.fail(args.output .. ": there is nothing to export")
    return 1
  end
  return code
end

return export
