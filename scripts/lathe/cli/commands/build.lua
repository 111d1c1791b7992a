--- `lathe build`: makes files of the JSON that `lathe dump --json` wrote.
-- @module lathe.cli.commands.build

local lfs = require "lfs"
local core = require "lathe.core"
local folders = require "lathe.cli.batch.folders"
local inputs = require "lathe.cli.batch.inputs"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"
local rebuild = require "lathe.tree.rebuild"
local report = require "lathe.cli.batch.report"

local build = {
  name = "build",
  summary = "Make files of the JSON of dump.",
  description = [[
Make files of what `lathe dump --json` wrote, edited or not. If it was not edited, the file is the dumped one,
byte for byte. If it was, what values do not tell is written anew, such as the layout of an XML file; a note
says so.

A file in a folder that -o names is called like the JSON file without .json: crate.solid.json becomes
crate.solid. An -o FILE that adds or drops .zs compresses or decompresses.]],
  examples = {
    "lathe dump crate.solid --json > crate.solid.json",
    "lathe build crate.solid.json -o new.solid",
    "lathe build dumps/*.json -o built/",
  },
}

--- Adds the options.
-- @param command an argparse command
function build.options(command)
  command:argument("files", "JSON files, or - for stdin."):argname "<json>":args "+"
  command:option("-o --output", "File to write (- for stdout), or folder."):argname "<out>":target "output"
  command:flag("-n --dry-run", "Print what would be written; write nothing.")
  command:flag("--json", "Print one JSON value a line, for other programs.")
end

-- Whether -o names a file and not a folder.
local function names_file(args)
  if #args.files > 1 or args.output:find "[/\\]$" then return false end
  return lfs.attributes(args.output, "mode") ~= "directory"
end

local function check_usage(args)
  if not args.output then out.usage "say where to write: -o OUT" end
  if args.output == "-" and #args.files > 1 then out.usage "-o - takes one file" end
  for _, path in ipairs(args.files) do
    if path == "-" and not names_file(args) then out.usage "stdin has no name: -o must name a file" end
  end
end

-- The path of a file's result; nil and the reason if it would overwrite an input.
local function place_of(path, args, originals)
  if args.output == "-" then return "-" end
  local name = args.output
  if not names_file(args) then
    local base = paths.base(path):gsub("%.[jJ][sS][oO][nN]$", "")
    name = paths.join(args.output, base)
  end
  local real, why = originals:place(name)
  if not real then return nil, why end
  return name, real
end

-- Compresses a file if its name ends in .zs, and decompresses it if the name of the dumped one did.
local function compress(doc, name, dump)
  local is = paths.compression(name) ~= ""
  local was = type(dump.file) == "string" and paths.compression(dump.file) ~= ""
  if is and not doc.compression then doc.compression = "zstd" end
  if was and not is and name ~= "-" then doc.compression = nil end
end

local function write(doc, name, real, args)
  if args.dry_run then
    if name == "-" then return true end
    return core.can_write(real, name, true)
  end
  if name == "-" then
    local bytes, err = doc:encode()
    if not bytes then return nil, err end
    out.write(bytes)
    return true
  end
  local ready, why = folders.prepare(name, names_file(args) and paths.folder(name) or args.output)
  if not ready then return nil, why end
  return doc:save(name)
end

-- A note if the extension of a result is that of another format.
local function other_format(doc, name)
  local kind, owner = paths.kind(name), nil
  for _, format in ipairs(core.formats()) do
    for _, extension in ipairs(format.extensions) do
      if extension:gsub("^%.", ""):lower() == kind then
        if format.name == doc.format then return nil end
        owner = owner or format.name
      end
    end
  end
  return owner and ("it is a %s file, and .%s is an extension of %s files"):format(doc.format, kind, owner)
end

local function make(path, args, originals)
  local source, why = inputs.text(path)
  if not source then return nil, why end
  local doc <close>, note, dump = rebuild.make(source)
  if not doc then return nil, note end
  local name, real = place_of(path, args, originals)
  if not name then return nil, real end
  compress(doc, name, dump)
  local done, err = write(doc, name, real, args)
  if not done then return nil, err end
  local lines = { ("%s%s %s"):format(path, args.dry_run and ": would write" or " ->", name) }
  local notes = { note }
  notes[#notes + 1] = other_format(doc, name)
  report.note_lines(notes, lines)
  return { status = args.dry_run and "would write" or "written", lines = name ~= "-" and lines or {},
    json = { written = not args.dry_run and name or nil, format = doc.format } }
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function build.run(args)
  check_usage(args)
  local items = {}
  for i, path in ipairs(args.files) do
    items[i] = { path = path, real = path ~= "-" and paths.real(path), stdin = path == "-" }
  end
  local originals = inputs.originals(items)
  local summary = report.new {
    json = args.json, command = "build",
    counts = { args.dry_run and "would write" or "written", "failed" },
  }
  for _, item in ipairs(items) do
    local result, err = make(item.path, args, originals)
    summary:add(item, result or { status = "failed", error = err })
  end
  return summary:finish()
end

return build
