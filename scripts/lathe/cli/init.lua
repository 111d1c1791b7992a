--- The command line: finds the command, runs it, and converts the result to an exit code.
-- @module lathe.cli

local argparse = require "argparse"
local lfs = require "lfs"
local core = require "lathe.core"
local formats = require "lathe.formats"
local limits = require "lathe.cli.sandbox.limits"
local opening = require "lathe.cli.opening"
local out = require "lathe.cli.out"
local spelling = require "lathe.spelling"
local worker = require "lathe.cli.batch.worker"

local cli = {}

-- Commands by heading, in the order of the help. `module` of `lathe.cli.verbs` makes them from verbs; others
-- are modules of `lathe.cli.commands`, or of a format. A module is loaded when one of its commands is used.
local MODULES = {
  { heading = "Look into files", "info" }, { "preview" }, { "view" }, { "dump" }, { "get" }, { "find" },
  { "diff" },
  { "check" },
  { "formats" },
  { module = "graphs", "uses" }, { module = "upkeep", "block" }, { module = "models", "bounding-sphere" },
  { heading = "Change files", "set" }, { "scale" }, { module = "upkeep", "rename" }, { "materials" },
  { module = "upkeep", "set-materials" }, { "convert" },
  { module = "upkeep", "set-version", "prune", "remove-unused-strings" }, { "apply" }, { "build" }, { "run" },
  { "undo" },
  { heading = "Animations", "retime" },
  { module = "clips", "trim", "reverse", "resample", "concat", "mirror", "root-motion", "extract-root-motion",
    "bake-root-motion", "additive", "normal", "retarget", "offset", "loop", "blend", "encode", "write",
    "centre", "uncentre" },
  { heading = "Behavior graphs", module = "graphs", "replace-animation", "add-event", "remove-event",
    "add-variable", "remove-variable", "add-state", "remove-state", "add-transition", "remove-transition",
    "add-clip" },
  { heading = "Meshes and collision", module = "models", "transform", "recompute", "set-collision",
    "remove-collision", "set-triangle-materials", "set-mesh", "set-geometry", "add-object" },
  { "precombine" },
  { heading = "Other programs", "export" }, { "import" },
  { heading = "Help", "examples" }, { "help" },
}

local USAGE = [[
Usage: lathe [FILE...]                      open files at a prompt
       lathe --geometry [HASH=]PATH FILE...  … with a geometry file
       lathe --dictionary PATH FILE...       … with the zstd dictionary that they need
       lathe --names PATH FILE...            … with names for their numbers
       lathe --skeleton PATH FILE...         … with the skeleton that names their bones
       lathe -e CHUNK FILE...                run Lua on files: `doc` is the first one
       lathe COMMAND [options] FILE...      see `lathe help COMMAND`]]

local MARGIN = 32 -- the column where the descriptions of options begin

local OK, FAILED, USAGE_ERROR = 0, 1, 2
local INTERRUPTED = 130 -- the exit code that shells use after Ctrl-C

-- Names of all commands, in order, and the module of each.
local function all_names()
  local names = {}
  for _, of in ipairs(MODULES) do
    for _, name in ipairs(of) do
      names[#names + 1], names[name] = name, of
    end
  end
  return names
end

local function load_module(of, commands)
  local own = of.module and "verbs." .. of.module or "commands." .. of[1]
  local loaded = require(formats.command(of[1]) or "lathe.cli." .. own)
  for _, name in ipairs(of) do
    local command = of.module and loaded[name] or loaded
    assert(command.name == name, name)
    commands[#commands + 1], commands[name] = command, command
  end
  commands.headings = commands.headings or {}
  if of.heading then table.insert(commands.headings, { text = of.heading, first = of[1] }) end
end

-- Loads the requested command only; all commands for the help or without a command.
local function load_commands(names, first)
  local commands = {}
  if first and names[first] and first ~= "help" then
    load_module(names[first], commands)
    return { commands[first], [first] = commands[first] }
  end
  for _, of in ipairs(MODULES) do load_module(of, commands) end
  return commands
end

local function epilog(examples)
  local lines = { "Examples:" }
  for _, example in ipairs(examples) do lines[#lines + 1] = "   " .. example end
  return table.concat(lines, "\n")
end

-- argparse breaks the line inside "-o <out>, --output <out>"; this joins it again.
local function tidy_help(parser)
  local get_help = parser.get_help
  rawset(parser, "get_help", function(self)
    return (get_help(self):gsub("\n +(%-%a <%S+>,) +(%S[^\n]*)\n +(%-%-%S+ <%S+>) *([^\n]*)",
      function(short, description, long, second_line)
        local label = ("   %s %s"):format(short, long)
        local rest = second_line ~= "" and "\n" .. (" "):rep(MARGIN) .. second_line or ""
        return "\n" .. label .. (" "):rep(MARGIN - #label) .. description .. rest
      end))
  end)
end

-- Lists the commands under their headings.
local function group(parser, commands)
  local groups = {}
  for i, command in ipairs(commands) do
    for _, heading in ipairs(commands.headings or {}) do
      if heading.first == command.name then groups[#groups + 1] = { heading.text } end
    end
    if groups[1] then table.insert(groups[#groups], commands[i].parser) end
  end
  for _, list in ipairs(groups) do parser:group(table.unpack(list)) end
end

local function build_parser(commands, argv)
  local parser = argparse("lathe", "Show, edit, convert and save the binary files of games.")
  parser:usage(USAGE):command_target "command":require_command(false)
  parser:help_description_margin(MARGIN)
  parser:flag("--version", "Print the version and exit."):target "print_version"
  for _, command in ipairs(commands) do
    local sub = parser:command(command.name)
    sub:summary(command.summary):description(command.description or command.summary)
    sub:epilog(epilog(command.examples))
    command.options(sub, argv)
    tidy_help(sub)
    command.parser = sub
  end
  group(parser, commands)
  parser:epilog(epilog {
    "lathe Box.solid                       open a file at the prompt",
    "lathe info Models/                    show what each file of a folder holds",
    "lathe scale 2 Models/ -o bigger/      write results to a new folder",
  })
  return parser
end

-- The options of `lathe COMMAND`, for the hint at a mistyped option.
local function option_names(command)
  local names = { "--help", "--version" }
  local usage = command and command.parser:get_help() or ""
  for name in usage:gmatch "%-%-[%w-]+" do names[#names + 1] = name end
  return names
end

local function explain(message, command)
  message = message:match "^[^\n]*"
  local option = message:match "^unknown option '(.-)'"
  if option then message = message .. spelling.hint(option, option_names(command)) end
  return "lathe" .. (command and " " .. command.name or "") .. ": " .. message
end

-- Handles a negative number, which argparse takes for an option and no command accepts here.
local function negative_number(command, argv)
  for i, word in ipairs(command.wrong_number and argv or {}) do
    if word == "--" then return nil end
    if word == "-0" and table.concat(argv, "\0"):find("--files-from", 1, true) then goto next end
    if word:find "^%-%.?%d" or word:lower():find "^%-[in][na][fn]" then
      return command.wrong_number(word, argv[i - 1])
    end
    ::next::
  end
end

local function complain(message)
  out.message(message)
  return USAGE_ERROR
end

-- Unexpected errors keep their traceback.
local function handler(err)
  if type(err) == "table" then return err end
  return debug.traceback(tostring(err), 2)
end

local function run_command(command, args)
  if args.files and worker.is_one() then
    args.files = worker.settings().files
  elseif args.files then
    require("lathe.cli.commands.listing").complete(args)
  end
  args.named = args.files -- a command may replace args.files
  return command.run(args)
end

local function call(command, args)
  local ok, code = xpcall(run_command, handler, command, args)
  return ok, code -- no tail call: a pending Ctrl-C is raised here at the latest
end

local function interrupted(args)
  if worker.is_one() then return INTERRUPTED end -- the main process reports it
  if args.at_interrupt then args.at_interrupt() end
  out.fail "interrupted"
  return INTERRUPTED
end

local function run(command, args)
  local not_stopped, ok, code = core.catch_interrupt(call, command, args)
  if not not_stopped then return interrupted(args) end
  if ok then return code or OK end
  local err = code
  if type(err) == "table" and rawget(err, "usage") then
    return complain(("lathe %s: %s"):format(command.name, err.usage))
  end
  out.fail(type(err) == "table" and tostring(err) or "internal error: " .. err)
  return FAILED
end

local function start_repl(argv)
  local files, args = opening.take(argv)
  if not files then return complain("lathe: " .. args) end
  local options, wrong = opening.of(args)
  if not options then return complain(tostring(wrong)) end
  local repl = require "lathe.repl"
  if args.chunks[1] then return repl.execute(args.chunks, files, options) end
  return repl.run(files, options)
end

-- Without an option or command the arguments are files for the prompt, unless the first one looks like a
-- mistyped command.
local function no_command(first, argv, names)
  if first == nil then return start_repl {} end
  if first == "--" then return start_repl(table.move(argv, 2, #argv, 1, {})) end
  if lfs.attributes(first) or opening.begins(first) then return start_repl(argv) end
  return complain(("lathe: no command and no file '%s'%s"):format(first,
    spelling.hint(first, names)))
end

-- For `run`, arguments after `--` are passed to the script; for other commands `--` only ends the options.
local function split_script_args(argv)
  for i = 2, #argv do
    if argv[i] == "--" then
      return table.move(argv, 1, i - 1, 1, {}), table.move(argv, i + 1, #argv, 1, {})
    end
  end
  return argv, {}
end

local function dispatch(argv)
  local first, names = argv[1], all_names()
  local is_option = first and first:match "^%-." and first ~= "--" and not opening.begins(first)
  if not (first and names[first]) and not is_option then return no_command(first, argv, names) end
  local commands = load_commands(names, first)
  local command = commands[first]
  local parser = build_parser(commands, argv)
  local script_args
  if first == "run" then argv, script_args = split_script_args(argv) end
  local negative = command and negative_number(command, argv)
  if negative then return complain(("lathe %s: %s"):format(command.name, negative)) end
  local ok, args = parser:pparse(argv)
  if not ok then return complain(explain(args, command)) end
  if args.print_version then
    out.line("lathe " .. core.VERSION)
    return OK
  end
  if not args.command then return no_command(nil, argv) end
  args.script_args = script_args
  args.commands, args.parser = commands, parser
  return run(commands[args.command], args)
end

-- What a word of the command line that a host has made looks like: it is no option.
local function as_word(path) return path:sub(1, 1) == "-" and "./" .. path or path end

--- Stands for the files in a list of words.
cli.FILES = {}

local parsers = {} -- by command

-- The commands with one that a host runs, and their parser. Options of verbs depend on the words; of the
-- others the parser is kept.
local function hosted(name, words)
  local names = all_names()
  local commands = load_commands(names, name)
  local command = commands[name]
  if names[name].module then return commands, build_parser(commands, words) end
  parsers[name] = parsers[name] or build_parser(commands, words)
  return { command, [name] = command }, parsers[name]
end

--- Prepares a command that a host is going to run, so that it takes less time then.
-- @tparam string name
function cli.prepare(name) hosted(name, {}) end

--- Runs a command on documents that a host has open: nothing is read or written. What the command prints goes
-- to `out.keep`; what it did with a document is in `result` of its item (`lathe.cli.batch`).
-- @tparam {table,...} items with `doc`, `path`, and `bytes` unless the file at the path has them
-- @tparam {string,...} argv the name of the command, its options and arguments, with `cli.FILES` in place of
--   the files
-- @tparam[opt] table more further members of the parsed arguments
-- @treturn ?integer the exit code
-- @return the error: a table with `usage`, if the words are wrong
function cli.on(items, argv, more)
  local words = {}
  for _, word in ipairs(argv) do
    for _, item in ipairs(word == cli.FILES and items or {}) do words[#words + 1] = as_word(item.path) end
    if word ~= cli.FILES then words[#words + 1] = word end
  end
  local commands, parser = hosted(argv[1], words)
  local command = commands[argv[1]]
  local negative = negative_number(command, words)
  if negative then return nil, { usage = negative } end
  local ok, args = parser:pparse(words)
  if not ok then return nil, { usage = explain(args, command):gsub("^lathe [^:]*: ", "") } end
  args.commands, args.parser, args.items = commands, parser, items
  args.files, args.named = {}, {}
  for i, item in ipairs(items) do args.files[i], args.named[i] = item.path, item.path end
  for name, value in pairs(more or {}) do args[name] = value end
  local done, code = xpcall(command.run, handler, args)
  if done then return code or OK end
  return nil, code
end

--- Whether a word is the name of a command.
-- @tparam string word
-- @treturn boolean
function cli.is_command(word) return all_names()[word] ~= nil end

local PRINT <const>, EXIT <const> = print, os.exit

-- Calls a function in which `--help` of argparse neither prints to stdout nor ends the program.
local function without_exit(fn, ...)
  local ended
  function print(help) out.write(help .. "\n") end -- luacheck: ignore 121
  function os.exit(code) -- luacheck: ignore 122
    ended = code
    error "the program ends"
  end
  local results = table.pack(pcall(fn, ...))
  print, os.exit = PRINT, EXIT -- luacheck: ignore 121 122
  if results[1] then return table.unpack(results, 2, results.n) end
  return ended or error(results[2], 0)
end

--- Runs the program within a host, which gets what it prints by `out.keep`.
-- @tparam {string,...} argv
-- @treturn integer the exit code
function cli.run(argv)
  opening.forget()
  local code = without_exit(dispatch, table.move(argv, 1, #argv, 1, {}))
  out.flush()
  return code
end

--- All commands, in the order of the help, and by name; `headings` says which one begins a group of the help.
-- Loads them all.
-- @treturn table
function cli.commands() return load_commands(all_names()) end

--- What is known of the commands without loading them, in the order of the help.
-- @treturn {table,...} each with `name`, `heading`, and `is_verb`: whether it is made from a verb
function cli.outline()
  local list, heading = {}, nil
  for _, of in ipairs(MODULES) do
    heading = of.heading or heading
    for _, name in ipairs(of) do
      list[#list + 1] = { name = name, heading = heading, is_verb = of.module ~= nil }
    end
  end
  return list
end

--- A command. Loads its module only, and makes no parser.
-- @tparam string name one of `cli.outline`
-- @treturn table
function cli.command(name) return load_commands(all_names(), name)[name] end

--- The parser of all commands.
-- @tparam table commands from `cli.commands`
-- @tparam boolean options whether arguments that may be words or options are options
-- @return a parser of argparse
function cli.parser(commands, options) return build_parser(commands, options and { "" } or {}) end

--- Runs the program.
-- @tparam {string,...} argv as in the global `arg`
-- @treturn integer the exit code: 0 all done, 1 some file failed, 2 usage, 130 Ctrl-C
function cli.main(argv)
  limits.guard()
  if argv[1] == worker.WORD then return worker.main(argv, dispatch) end
  out.setup()
  worker.set_command(argv)
  local code = dispatch(table.move(argv, 1, #argv, 1, {}))
  out.flush()
  if out.problem() then
    out.fail("stdout: " .. out.problem())
    code = math.max(code, FAILED)
  end
  if code == INTERRUPTED then core.end_interrupted() end
  return code
end

return cli
