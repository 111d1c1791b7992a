--- `lathe run`: runs a mod script on files.
-- @module lathe.cli.commands.run

local batch = require "lathe.cli.batch"
local core = require "lathe.core"
local catalog = require "lathe.cli.sandbox.catalog"
local dry_run = require "lathe.cli.sandbox.dry_run"
local files_below = require "lathe.cli.sandbox.files_below"
local folders = require "lathe.cli.batch.folders"
local geometry = require "lathe.cli.geometry"
local inputs = require "lathe.cli.batch.inputs"
local limits = require "lathe.cli.sandbox.limits"
local opening = require "lathe.cli.opening"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"
local plain = require "lathe.cli.batch.plain"
local policy = require "lathe.cli.sandbox.policy"
local records = require "lathe.cli.pages.records"
local report = require "lathe.cli.batch.report"
local resume = require "lathe.cli.batch.resume"
local sandbox = require "lathe.cli.sandbox"
local target = require "lathe.cli.batch.target"
local text = require "lathe.tree.text"
local worker = require "lathe.cli.batch.worker"

local run = {
  name = "run",
  summary = "Run a script over files.",
  description = [[
Run a script over files. The script returns a function:

   return function(doc, ctx)
     doc.vertices[1].x = tonumber(ctx.args[1])
   end

lathe loads the script anew for each file, calls the function, and writes the files that it changed.
ctx.path is the file's path, ctx.args the arguments behind --, ctx.output the folder of -o; ctx.log(...)
writes to stderr. The module is the global lathe, as at the prompt. If the script raises an error or closes
the document, that file fails and the next one is processed. No variable is seen by the next file, and the
numbers of math.random depend only on the file's path.

The script itself gets the arguments as `...`. It can check them there, in front of its function: lathe loads
it once before the first file, and if it raises an error then, nothing is done (exit code 2).

For totals the script returns two functions:

   return {
     each = function(doc, ctx) return #doc.vertices end,
     finish = function(results, ctx)
       for _, file in ipairs(results) do print(file.path, file.value or file.error or file.skipped) end
     end,
   }

finish is called once, after the last file, in a script state of its own. results has an element for each
file, in the order of the input: `path`, and `value`, which is what each returned (nil, booleans, numbers,
strings and tables of these), or `error` or `skipped`, the reason why there is none. It can write files below
ctx.output, such as one that is made of all inputs.

print and ctx.log show control characters as escapes such as \x1b, so that no file can send commands to the
terminal. io.write writes bytes as they are if stdout is not a terminal.

Scripts run in a sandbox: they may read below the folders of the inputs and of the script, and what --read,
--geometry, --dictionary and --skeleton name; they may write below the folder of -o, but not to an input; they
cannot start programs. ctx.files(folder) lists the files below a folder that they may read, as paths relative
to it. --trusted lifts that: read the script first.

--prompt runs the script over the files, then prompts with them. All files share one state of the script
there, whose global variables the prompt has. What is typed is in the sandbox, too, except save() and open().
Nothing is written until save(), which writes each changed file and keeps a .bak.

--dry-run lists the files that the script would write, with their sizes, and keeps them in memory, where
the script can read them. It works on one file at a time. With --trusted, a script can still write through
Lua's io and os.

--resume does all files again if the script has changed, or a module that it loads before the first file. It
does not notice changes of other files that the script reads, nor of those that it writes itself. What each
returned is kept in the manifest for finish.

If the script exceeds --max-memory or --max-seconds, that file fails and the next one is processed. Memory
that qhull uses to make a convex hull, and zstd to compress, is not counted. A call into C, such as a slow
pattern search, is stopped when it returns. With --trusted the limits do not stop finalizers (__gc) and debug
hooks. Ctrl-C stops the script and the run, with exit code 130. A second Ctrl-C ends the process at once.]],
  examples = {
    "lathe run @slow-idles Animations/ -o slow/ -- 20",
    "lathe run flip_v.lua Models/ -o flipped/",
    "lathe run flip_v.lua Box.solid --prompt",
    "lathe run raise_model.lua Box.solid --in-place -- 0.5",
  },
}

--- Adds the options.
-- @param command an argparse command
function run.options(command)
  command:argument("script", "Lua file that returns the function, - for stdin, or @NAME: a script of\n"
    .. "`lathe examples`.")
    :argname "<script>":convert(catalog.path)
  batch.options(command)
  target.options(command, "Folder to write to, with the tree of the inputs; or a file, for one input.", true)
  limits.options(command)
  command:option("--read", "Folder that the script may read, besides those of the inputs. May be repeated.")
    :argname "<dir>":count "*"
  command:flag("--prompt", "Run the script over the files, then prompt with them: save() writes them.")
  command:flag("--trusted", "Run without a sandbox: the script may do everything that you may.")
end

-- The script `-` is stdin, so no file can be.
local function read_stdin(args)
  for _, file in ipairs(args.files) do
    if file == "-" then out.usage "stdin is the script: no file can be -" end
  end
  if args.files_from == "-" then out.usage "stdin is the script: --files-from cannot read it" end
  return io.read "a"
end

local function read_script(args)
  local path = args.script
  if args.source then return (args.source:gsub("^#[^\n]*", "")) end -- a host has read it
  if path == "-" then return (read_stdin(args):gsub("^#[^\n]*", "")) end
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
  table.move(args.read, 1, #args.read, #readable + 1, readable)
  return policy.new(readable, { output_folder(args) }, {
    originals = inputs.originals(items),
    dry_run = args.dry_run and dry_run.new(not args.trusted, args.trusted and output_folder(args)),
    trusted = args.trusted,
    hint = "; see --read",
    manifest = resume.path(args),
  })
end

-- Where the script prints to. stdout may be used otherwise.
local function printers(args)
  if args.json or args.output == "-" then return out.script_line, out.script_note end
  return out.text, out.script
end

local Script = {}
Script.__index = Script

-- The environment for a file, or for `finish`.
function Script:new_world()
  local args = self.args
  local folder = args.trusted and not args.dry_run and output_folder(args)
  -- The sandbox creates it on demand.
  if folder then folders.prepare(paths.join(folder, "."), folder) end
  local world = sandbox.new {
    policy = self.rules,
    folder = paths.folder(args.script),
    trusted = args.trusted,
    limits = self.bounds,
    say = function(line) self.say(line) end,
    write = function(bytes) self.write(bytes) end,
  }
  if args.skeleton then opening.forget() end
  return world
end

-- Numbers of math.random depend on the path only, so that results do not depend on other files.
local function seed(path)
  local hash = 0
  for i = 1, #path do hash = hash * 31 + path:byte(i) end
  math.randomseed(hash)
end

-- Loads the script in a world of its own. Its two functions, or nil and the error.
function Script:load(world, path)
  seed(path)
  return world:start(self.source, self.name, table.unpack(self.args.script_args))
end

-- Loads the script before the first file, to find out what it returns. What it prints is shown only if it
-- fails, because it is loaded again for each file. The world is kept for `finish`.
function Script:look()
  local printed = {}
  self.say = function(line) printed[#printed + 1] = { out.script_line, line } end
  self.write = function(bytes) printed[#printed + 1] = { out.script_note, bytes } end
  local world = self:new_world()
  local each, finish = self:load(world, self.name)
  if not each then
    for _, one in ipairs(printed) do one[1](one[2]) end
    out.usage(tostring(finish))
  end
  self.say, self.write = printers(self.args)
  world:close()
  self.world, self.finish = finish and world, finish
  self.covers = core.sha256(world.covered)
end

local function logger(path, result, with_json)
  return function(...)
    local parts = table.pack(...)
    for i = 1, parts.n do parts[i] = tostring(parts[i]) end
    local line = table.concat(parts, "\t")
    if with_json then
      result.json.log = result.json.log or records.list {}
      table.insert(result.json.log, line)
    else
      out.note(text.printable(path) .. ": " .. line)
    end
  end
end

function Script:context(path, result)
  local args = self.args
  local folder = output_folder(args)
  return {
    args = table.move(args.script_args, 1, #args.script_args, 1, {}),
    output = folder and folder:gsub("([^/])/+$", "%1") or nil, -- scripts add "/name"
    log = logger(path, result, args.json),
    files = function(below) return files_below.of(below, self.rules) end,
  }
end

local CLOSED = "the script closed its document: leave that to lathe, which still has to look at it"

local function is_closed(doc)
  return not pcall(function() return doc.modified end)
end

-- The value of `each` for `finish`, as bytes: so it has nothing of the world where it was made.
local function pack_value(value)
  local bytes, what = plain.pack(value, plain.LARGEST)
  if bytes then return bytes end
  return nil, ("`each` returned %s: `finish` gets nil, booleans, numbers, strings and tables of these")
    :format(what)
end

-- Loads the script and calls its function for a file.
function Script:call_each(world, doc, result, item)
  local each, finish = self:load(world, item.below or item.path)
  if not each then return nil, finish end
  local ctx = self:context(item.path, result)
  ctx.path = item.path
  local ok, value = world:call(each, doc, ctx)
  if not ok then return nil, value end
  if is_closed(doc) then return nil, CLOSED end
  if not finish then return true end
  local why
  result.value, why = pack_value(value)
  return result.value ~= nil, why
end

function Script:apply(doc, result, item)
  local world = self:new_world()
  local ok, why = self:call_each(world, doc, result, item)
  world:close()
  if world.spent then
    world = nil -- luacheck: ignore 311 (all that the script has kept is garbage now)
    collectgarbage()
  end
  return ok, why
end

-- Lists the files that the script would have written.
local function list_writes(changes, result)
  if #changes == 0 then return end
  result.lines, result.json = result.lines or {}, result.json or {}
  for _, file in ipairs(changes) do
    table.insert(result.lines, ("%s: would write %s"):format(file.path, text.count(file.size, "byte")))
  end
  result.json.would_write = records.list_of("written_file", changes)
end

function Script:list_writes(result)
  local dry = self.rules and self.rules.dry_run
  if not dry then return end
  list_writes(dry:take_changes(), result)
  self.bounds:allow(dry.kept)
end

-- ---- the end of a batch --------------------------------------------------------------------------

local MOST_RESULTS = 256 << 20 -- bytes of all values of `each`

-- Keeps the result of a file for `finish`.
function Script:gather(record, item)
  local value = record.value
  self.size = self.size + #(value or "")
  if self.size > MOST_RESULTS then value = nil end
  self.results[#self.results + 1] = { path = item.path, value = value, error = record.failure,
    skipped = record.status == "skipped" and record.reason or nil }
end

-- The list for `finish`. Its memory is not counted as the script's.
function Script:list_results()
  local before = collectgarbage "count"
  for _, one in ipairs(self.results) do
    if one.value then one.value = plain.unpack(one.value) end
  end
  local dry = self.rules and self.rules.dry_run
  local size = math.max(math.ceil((collectgarbage "count" - before) * 1024), 0)
  self.bounds:allow((dry and dry.kept or 0) + size)
  return self.results
end

function Script:call_finish(result)
  if self.size > MOST_RESULTS then
    return nil, ("what `each` returned is larger than %dM: `finish` is not called"):format(MOST_RESULTS >> 20)
  end
  collectgarbage() -- closes files that `each` left open
  local world = self.args.trusted and self:new_world() or self.world
  seed(self.name)
  local results = self:list_results()
  local finish = self.finish
  if self.args.trusted then finish = select(2, self:load(world, self.name)) end
  local ok, why = world:call(finish, results, self:context(self.name, result))
  world:close()
  return ok, why
end

-- Calls `finish` of the script, and reports it.
function Script:conclude(summary)
  local script = self.name
  local result = { status = "done", json = { finish = true } }
  local ok, why = self:call_finish(result)
  if not ok then
    result.status, result.error = "failed", why
    summary:fail(script, why)
  end
  self:list_writes(result)
  if self.args.json or result.lines then report.show(summary, { path = script }, result) end
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function run.run(args)
  if args.quiet then out.be_quiet() end
  if args.prompt then require("lathe.repl.script").check(args) end
  local source = worker.is_one() and worker.settings().shared or read_script(args)
  local items = batch.collect(args)
  local rules, bounds = make_policy(args, items), limits.new(args)
  local script = setmetatable({
    args = args, name = catalog.shown(args.script), source = source,
    rules = rules, bounds = bounds, results = {}, size = 0,
  }, Script)
  script.say, script.write = printers(args)
  if rules then rules:enforce() end
  if args.prompt then return require("lathe.repl.script").run(script, items) end
  if not worker.is_one() then script:look() end
  local code = batch.run {
    args = args,
    items = items,
    shared = source,
    serial = args.dry_run, -- the files that scripts would write are kept in memory
    complete = function(result) script:list_writes(result) end,
    writes = "maybe",
    summary = "always",
    quiet_unchanged = true,
    host = rules and function(...) return rules:as_host(...) end,
    begin = function() bounds:fit(items) end,
    apply = function(doc, result, item) return script:apply(doc, result, item) end,
    gather = script.finish and function(record, item) script:gather(record, item) end,
    conclude = script.finish and function(summary) script:conclude(summary) end,
    covers = script.covers,
  }
  if rules then rules:lift() end
  return code
end

return run
