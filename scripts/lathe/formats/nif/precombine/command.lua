--- `lathe precombine`: makes a group of precombined meshes from models and their placements.
-- @module lathe.formats.nif.precombine.command

local lfs = require "lfs"
local core = require "lathe.core"
local builder = require "lathe.formats.nif.precombine"
local folders = require "lathe.cli.batch.folders"
local inputs = require "lathe.cli.batch.inputs"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"
local placements = require "lathe.formats.nif.precombine.placements"
local records = require "lathe.cli.pages.records"
local report = require "lathe.cli.batch.report"
local text = require "lathe.tree.text"

local precombine = {
  name = "precombine",
  summary = "Make a group of precombined meshes from models and placements (Fallout 4).",
  description = [[
Make a group NIF of precombined meshes (Fallout 4) from models and their placements, with one shape for each
material. LIST has comma-separated values, one placement a line; its first line names the columns:

   file,x,y,z,a,b,c,scale
   Architecture/Wall.nif,1024,-512,0,0,0,1.5707963,1

`file` is a model of Fallout 4, relative to the folder of LIST; a, b and c are rotations about x, y and z in
radians, as in records of the game (default 0); scale is a factor (default 1). Other columns are
grayscale_to_palette (default: that of the shader), leaf_amplitude and leaf_frequency (default 0). Empty lines
and lines that begin with # are ignored.
What cannot be combined is listed with the reason: shapes that are skinned, animated or hidden, shaders for
effects, vertices that do not fit into half floats. Collision is left out.]],
  examples = {
    "lathe precombine wall.csv -o 0000E2DB_02BE5E11_OC.nif",
    "lathe precombine wall.csv -o Meshes/PreCombined/ --cell 0000E2DB --key 02BE5E11 --degrees",
  },
}


local function read_id(source)
  if source:find "^%x%x%x%x%x%x%x%x$" then return source:upper() end
  return nil, ("'%s' is not an id: eight hex digits expected"):format(source)
end

--- Adds the options.
-- @param command an argparse command
function precombine.options(command)
  command:argument("list", "List of models and placements, or - for stdin."):argname "<list>"
  command:option("-o --output", "File to write, folder (--cell and --key name the file), or - for stdout.")
    :argname "<out>"
  command:option("--cell", "Id of the cell, eight hex digits (default: from the file name).")
    :argname "<id>":convert(read_id)
  command:option("--key", "Id of the group, eight hex digits (default: from the file name).")
    :argname "<id>":convert(read_id)
  command:flag("--degrees", "Read angles as degrees (default: radians).")
  command:flag("-n --dry-run", "Print what would be made; write nothing.")
  command:flag("--json", "Print one JSON value a line, for other programs.")
end

-- ---- output --------------------------------------------------------------------------------------------

-- The group IDs in the name of a file.
local function ids_of(path)
  local digits = ("%x"):rep(8)
  local cell, key = paths.base(path):lower():match(("^(%s)_(%s)_oc%%.nif$"):format(digits, digits))
  if cell then return cell:upper(), key:upper() end
end

-- The output file, and the IDs of the group.
local function target_of(args)
  if not args.output and not args.dry_run then
    out.usage "say where to write: -o OUT.nif (or look first with --dry-run)"
  end
  local output = args.output or ""
  local cell, key = ids_of(output)
  cell, key = args.cell or cell, args.key or key
  if not cell or not key then
    out.usage "say which group it is: --cell ID and --key ID, or -o CELL_KEY_OC.nif"
  end
  if output:match "[/\\]$" or lfs.attributes(output, "mode") == "directory" then
    output = paths.join(output, ("%s_%s_OC.nif"):format(cell, key))
  end
  if args.json and output == "-" then out.usage "-o - and --json both write to stdout: give one of them" end
  return output, cell, key
end

-- Whether the result may be written there; nil and the reason.
local function check_target(path, list, sources)
  if path == "" or path == "-" then return true end
  local items, seen = {}, {}
  if list ~= "-" then items[1] = { path = list, real = paths.real(list) } end
  for _, source in ipairs(sources) do
    if not seen[source.nif] then items[#items + 1] = { path = source.nif, real = paths.real(source.nif) } end
    seen[source.nif] = true
  end
  local real, why = inputs.originals(items):place(path)
  if not real then return nil, why end
  return core.can_write(real, path, true)
end

local function write(doc, path)
  if path == "-" then
    local bytes, err = doc:encode()
    if not bytes then return nil, err end
    out.write(bytes)
    return true
  end
  local ready, why = folders.prepare(path, paths.folder(path))
  if not ready then return nil, why end
  return doc:save(path)
end

-- ---- the list ------------------------------------------------------------------------------------------

local function read_list(path)
  if path == "-" then return io.stdin:read "a" end
  return core.read(path)
end

-- The sources in a list, and all problems of the list.
local function read_sources(args)
  local bytes, err = read_list(args.list)
  if not bytes then return nil, { { message = err } } end
  local folder = args.list == "-" and "." or paths.folder(args.list)
  local sources, lines, problems = placements.read(bytes, folder, args.degrees)
  local modes = {}
  for i, source in ipairs(sources) do
    local path = source.nif
    if modes[path] == nil then modes[path] = lfs.attributes(path, "mode") or false end
    if modes[path] ~= "file" then
      local what = modes[path] and "'%s' is no file" or "there is no file '%s'"
      problems[#problems + 1] = { line = lines[i], message = what:format(path) }
    end
  end
  table.sort(problems, function(a, b) return a.line < b.line end)
  return sources, problems
end

-- ---- messages ------------------------------------------------------------------------------------------

local function fail(summary, args, problems)
  for _, problem in ipairs(problems) do
    local err = problem.message
    if problem.line then err = ("%s:%d: %s"):format(args.list, problem.line, err) end
    summary:add({ path = args.list }, { status = "failed", error = err, json = { line = problem.line } })
  end
  return summary:finish()
end

local function json_report(done)
  local json = report.verb_json(done)
  for _, name in ipairs { "shapes", "objects", "instances", "vertices", "triangles" } do
    json[name] = done[name]
  end
  return records.of("precombine_report", json)
end

local function counts(done)
  local instances, objects = text.count(done.instances, "instance"), text.count(done.objects, "object")
  return ("%s of %s in %s, %s"):format(instances, objects, text.count(done.shapes, "shape"),
    text.count(done.triangles, "triangle"))
end

local function lines_of(args, done, path)
  if path == "-" then return {} end
  local lines = report.warning_lines(done.warnings, report.skipped_lines(done.skipped))
  local where = args.dry_run and " (nothing is written)" or " -> " .. path
  table.insert(lines, 1, ("%s: %s%s"):format(args.list, counts(done), where))
  return lines
end

-- ---- running -------------------------------------------------------------------------------------------

local function make(args, sources, path, cell, key)
  local doc <close>, err = core.new("nif", { bs_version = 130 })
  if not doc then return nil, err end
  local done
  done, err = builder.run(doc, sources, { cell = cell, key = key })
  if not done then return nil, err end
  local ok
  ok, err = check_target(path, args.list, sources)
  if ok and not args.dry_run then ok, err = write(doc, path) end
  if not ok then return nil, err end
  return done
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function precombine.run(args)
  local path, cell, key = target_of(args)
  local summary = report.new { json = args.json, command = args.command }
  local sources, problems = read_sources(args)
  if #problems > 0 then return fail(summary, args, problems) end
  local done, err = make(args, sources, path, cell, key)
  if not done then return fail(summary, args, { { message = err } }) end
  summary:add({ path = args.list }, { status = "done", lines = lines_of(args, done, path),
    json = { written = not args.dry_run and path or nil, report = json_report(done) } })
  return summary:finish()
end

return precombine
