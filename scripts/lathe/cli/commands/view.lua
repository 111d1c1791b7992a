--- `lathe view`: a page to look around in.
-- @module lathe.cli.commands.view

local core = require "lathe.core"
local batch = require "lathe.cli.batch"
local folders = require "lathe.cli.batch.folders"
local inputs = require "lathe.cli.batch.inputs"
local lfs = require "lfs"
local opening = require "lathe.cli.opening"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"
local records = require "lathe.cli.pages.records"
local report = require "lathe.cli.batch.report"
local text = require "lathe.tree.text"
local viewer = require "lathe.view"

local view = {
  name = "view",
  summary = "Make a page to look around in: the model in 3D, its clips, and all fields.",
  description = [[
Write one HTML page that any browser opens, without a network. It shows shapes, collision, bones and clips,
which can be turned, zoomed and played, beside the tree of fields. Selecting a row highlights what it
describes; clicking a shape selects its row. Several files are listed at the top of the page.

A clip needs the skeleton that it moves (--skeleton), and may move a model (--mesh). Long arrays are cut, and
say so: `lathe dump --all` has all of them. Without -o, the page is a temporary file, and
its path is printed.]],
  examples = {
    "lathe view stock.nif -o stock.html",
    "lathe view wave.hkx --skeleton skeleton.hkx -o wave.html",
    "lathe view Crate.nif --open",
  },
}

--- Adds the options.
-- @param command an argparse command
function view.options(command)
  command:argument("files", "Files, folders (searched for known extensions), or - for stdin.")
    :argname "<file>":args "*"
  batch.shared_options(command, true)
  command:flag("-q --quiet", "Print failures only.")
  command:option("-o --output", "Page to write, which ends in .html (default: a temporary file).")
    :argname "<out>"
  command:option("--mesh", "File with the meshes whose skins follow the bones."):argname "<file>"
  command:option("--lod", "Show the levels of detail 0 to N: 0, 1 or 2 (default: all levels).")
    :argname "<n>":choices { "0", "1", "2" }
  command:option("--data", "Folder with the textures (DDS) of the game; case does not matter\n"
    .. "(default: no textures, a plain colour for each material)."):argname "<folder>"
  command:option("--title", "Title of the page (default: name of the first file)."):argname "<text>"
  command:flag("--open", "Open the page in the browser.")
end

-- Where the page goes.
local function target_of(args)
  local path = args.output
  if not path then
    local temporary = os.tmpname()
    os.remove(temporary)
    return temporary .. ".html"
  end
  local extension = paths.extension(path)
  if extension ~= "html" and extension ~= "htm" or lfs.attributes(path, "mode") == "directory" then
    out.usage "-o names one page: -o OUT.html"
  end
  return path
end

-- Opens a page with the program of the system. The shell leaves that program running when lathe ends.
local OPEN <const> = [[for open in xdg-open open; do
  if command -v "$open" >/dev/null; then "$open" "$0" >/dev/null 2>&1 </dev/null & exit 0; fi
done
exit 127]]

local function open_page(path)
  local real = paths.real(path) or path
  local windows = package.config:sub(1, 1) == "\\"
  local words = windows and { "explorer", (real:gsub("/", "\\")) } or { "sh", "-c", OPEN, real }
  local process, err = core.process.start(words)
  if not process then return nil, tostring(err) end
  local how, code = process:ended(10)
  if not windows and how == "exit" and code ~= 0 then
    return nil, "--open found no program that opens pages (xdg-open): open " .. path
  end
  return true
end

local function counts(found)
  local parts = {}
  if found.clips > 0 then parts[#parts + 1] = text.count(found.clips, "animation") end
  if found.bones > 0 then parts[#parts + 1] = text.count(found.bones, "bone") end
  if found.meshes > 0 then
    parts[#parts + 1] = text.count(found.meshes, "mesh", "meshes")
    parts[#parts + 1] = text.count(found.triangles, "triangle")
  end
  return #parts > 0 and table.concat(parts, ", ") or "fields only"
end

local Job = {}
Job.__index = Job

function Job:apply(doc, result, item)
  local found, err = self.page:add(doc, not item.stdin and item.path or nil)
  if not found then return nil, err end
  local notes = {}
  result.status, result.lines = "shown", { item.path .. ": " .. counts(found) }
  for i, note in ipairs(found.notes) do
    notes[i] = { path = note.path, reason = note.reason }
    local place = note.path ~= "" and note.path .. ": " or ""
    table.insert(result.lines, "  " .. text.printable(place .. note.reason))
  end
  result.json.meshes, result.json.triangles = found.meshes, found.triangles
  result.json.animations, result.json.bones = found.clips, found.bones
  result.json.notes = records.list_of("place", notes)
  self.done = true
  return true
end

function Job:write()
  local path = self.path
  local bytes, err = self.page:encode()
  if not bytes then return nil, tostring(err) end
  local real, why = self.originals:place(path)
  if not real then return nil, path .. ": " .. why end
  local ready, reason = folders.prepare(path, paths.folder(path))
  if not ready then return nil, tostring(reason) end
  local ok, wrong = core.write(path, bytes)
  if not ok then return nil, tostring(wrong) end
  if self.args.json then
    out.json(report.name({ ok = true, written = path, bytes = #bytes }, path),
      { "file", "file_bytes", "ok", "written", "bytes" })
  elseif not self.args.output then
    out.write(path .. "\n")
  elseif not self.args.quiet then
    out.line(("wrote %s (%.1f MB)"):format(path, #bytes / 1e6))
  end
  if self.args.open then return open_page(path) end
  return true
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function view.run(args)
  local path = target_of(args)
  local options, why = opening.of(args)
  if not options then out.fail(tostring(why)) return 1 end
  local mesh
  if args.mesh then
    options.format, options.skeleton = nil, nil
    mesh, why = core.open(args.mesh, options)
    if not mesh then out.fail(tostring(why)) return 1 end
  end
  local skeletons = opening.skeletons(args)
  local page
  page, why = viewer.begin { skeleton = skeletons[1] and skeletons, mesh = mesh, title = args.title,
    data = args.data, lod = args.lod and math.tointeger(args.lod) }
  if not page then out.fail(tostring(why)) return 1 end
  local job = setmetatable({ args = args, path = path, page = page }, Job)
  local code = batch.run {
    args = args, serial = true, counts = { "shown", "skipped", "failed" },
    begin = function(items) job.originals = inputs.originals(items) end,
    apply = function(doc, result, item) return job:apply(doc, result, item) end,
  }
  if not job.done then return code == 0 and 1 or code end
  local ok, err = job:write()
  if ok then return code end
  out.fail(err)
  return 1
end

return view
