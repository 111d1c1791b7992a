--- `lathe run`: runs a mod script on files.
-- @module lathe.cli.run

local batch = require "lathe.cli.batch"
local catalog = require "lathe.cli.catalog"
local dry_run = require "lathe.cli.dry_run"
local folders = require "lathe.cli.folders"
local geometry = require "lathe.cli.geometry"
local inputs = require "lathe.cli.inputs"
local limits = require "lathe.cli.limits"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"
local policy = require "lathe.cli.policy"
local sandbox = require "lathe.cli.sandbox"
local target = require "lathe.cli.target"
local text = require "lathe.tree.text"

local run = {
  name = "run",
  summary = "Run a script over files.",
  description = [[
Run a script over files. The script returns a function:

   return function(doc, ctx)
     doc.vertices[1].x = tonumber(ctx.args[1])
   end

lathe calls it for each file and writes the files that it changed. ctx.path is the file's path, ctx.args
the arguments behind --, ctx.output the folder of -o; ctx.log(...) writes to stderr. The module is the
global lathe, as at the prompt. If the script raises an error or closes the document, that file fails and
the next one is processed.

print and ctx.log show control characters as escapes such as \x1b, so that no file can send commands to the
terminal. io.write writes bytes as they are if stdout is not a terminal.

Scripts run in a sandbox: they may read below the folders of the inputs and of the script, and what
--geometry, --dictionary and --skeleton name; they may write below the folder of -o, but not to an input; they
cannot start programs. --trusted lifts that: read the script first.

--dry-run lists the files that the script would write, with their sizes, and keeps them in memory, where
the script can read them. With --trusted, a script can still write through Lua's io and os.

If the script exceeds --max-memory or --max-seconds, that file fails and the next one is processed.
After exceeding --max-memory the script is loaded again, so its variables are reset. Memory that qhull
uses to make a convex hull, and zstd to compress, is not counted. A call into C, such as a slow pattern
search, is stopped when it returns. With --trusted the limits do not stop finalizers (__gc) and debug hooks.
Ctrl-C stops the script and the run, with exit code 130. A second Ctrl-C ends the process at once.]],
  examples = {
    "lathe run flip_v.lua Models/ -o flipped/",
    "lathe run raise_model.lua Box.solid --in-place -- 0.5",
  },
}

--- Adds the options.
-- @param command an argparse command
function run.options(command)
  command:argument("script", "Lua file that returns the function, or @NAME: a script of `lathe examples`.")
    :argname "<script>":convert(catalog.path)
  batch.options(command)
  target.options(command, "Folder to write to, with the tree of the inputs; or a file, for one input.")
  limits.options(command)
  command:flag("--trusted", "Run without a sandbox: the script may do everything that you may.")
end

local function read_script(path)
  local file <close>, why = io.open(path, "rb")
  if not file then out.usage(why) end
  local source = file:read "a"
  if not source then out.usage(path .. ": not a file") end
  return (source:gsub("^#[^\n]*", "")) -- a shebang line
end

-- The folder in which a script may write. A single file named with -o is written by lathe.
local function output_folder(args)
  if args.output and not target.is_file(args) then return args.output end
end

-- The policy. A trusted script has none, but in a dry run lathe's own functions still have one.
local function make_policy(args, items)
  if args.trusted and not args.dry_run then return nil end
  local readable = inputs.folders(args.files)
  readable[#readable + 1] = paths.folder(args.script)
  readable[#readable + 1] = args.dictionary
  readable[#readable + 1] = args.skeleton
  table.move(geometry.paths(args.geometry), 1, #args.geometry, #readable + 1, readable)
  return policy.new(readable, { output_folder(args) }, {
    originals = inputs.originals(items),
    dry_run = args.dry_run and dry_run.new(not args.trusted, args.trusted and output_folder(args)),
    trusted = args.trusted,
  })
end

local function make_world(args, rules, bounds)
  local folder = args.trusted and not args.dry_run and output_folder(args)
  -- The sandbox creates it on demand.
  if folder then folders.prepare(paths.join(folder, "."), folder) end
  local busy = args.json or args.output == "-" -- stdout is used otherwise
  return sandbox.new {
    policy = rules,
    folder = paths.folder(args.script),
    trusted = args.trusted,
    limits = bounds,
    say = busy and out.note or out.text,
    write = busy and out.script_note or out.script,
  }
end

local function logger(path, result, with_json)
  return function(...)
    local parts = table.pack(...)
    for i = 1, parts.n do parts[i] = tostring(parts[i]) end
    local line = table.concat(parts, "\t")
    if with_json then
      result.json.log = result.json.log or setmetatable({}, { __jsontype = "array" })
      table.insert(result.json.log, line)
    else
      out.note(text.printable(path) .. ": " .. line)
    end
  end
end

local CLOSED = "the script closed its document: leave that to lathe, which still has to look at it"

local function is_closed(doc)
  return not pcall(function() return doc.modified end)
end

-- Calls the script's function. `script` is the only reference to its environment, so that all its memory is
-- released when it ran out of memory; then `begin` loads the script again.
local function applier(args, begin, script)
  return function(doc, result, item)
    local ctx = {
      path = item.path,
      args = table.move(args.script_args, 1, #args.script_args, 1, {}),
      output = output_folder(args),
      log = logger(item.path, result, args.json),
    }
    local ok, failure
    if not script then script, failure = begin() end
    if script then ok, failure = script.world:call(script.fn, doc, ctx) end
    if ok then
      if is_closed(doc) then return nil, CLOSED end
      return true
    end
    if script and script.world.spent then
      script = nil
      collectgarbage()
    end
    return nil, failure
  end
end

-- Lists the files that the script would have written.
local function list_writes(changes, result)
  if #changes == 0 then return end
  result.lines, result.json = result.lines or {}, result.json or {}
  local list = setmetatable({}, { __jsontype = "array" })
  for i, file in ipairs(changes) do
    list[i] = setmetatable(file, { __jsonorder = { "path", "size" } })
    table.insert(result.lines, ("%s: would write %s"):format(file.path, text.count(file.size, "byte")))
  end
  result.json.would_write = list
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function run.run(args)
  local source = read_script(args.script)
  local items = inputs.collect(args.files, args.output, args.in_place, args)
  local rules = make_policy(args, items)
  local bounds = limits.new(args)
  if rules then rules:enforce() end
  local function begin()
    local world = make_world(args, rules, bounds)
    local fn, why = world:start(source, args.script)
    if not fn then return nil, why end
    return { world = world, fn = fn }
  end
  local function first()
    local script, why = begin()
    if not script then out.usage(tostring(why)) end
    return script
  end
  local dry = rules and rules.dry_run
  local code = batch.run {
    args = args,
    items = items,
    finish = dry and function(result)
      list_writes(dry:take_changes(), result)
      bounds:allow(dry.kept)
    end,
    writes = "maybe",
    summary = "always",
    quiet_unchanged = true,
    host = rules and function(...) return rules:as_host(...) end,
    order = { "written", "log", "changes", "would_write" },
    begin = function() bounds:fit(items) end,
    apply = applier(args, begin, first()),
  }
  if rules then rules:lift() end
  return code
end

return run
