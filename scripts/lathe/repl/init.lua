--- The prompt: inspects and changes files, one line at a time.
-- @module lathe.repl

local lathe = require "lathe"
local choices = require "lathe.repl.choices"
local complete = require "lathe.repl.complete"
local core = require "lathe.core"
local documents = require "lathe.repl.documents"
local dump = require "lathe.tree.dump"
local help = require "lathe.repl.help"
local input = require "lathe.repl.input"
local out = require "lathe.cli.out"
local pager = require "lathe.repl.pager"
local problems = require "lathe.repl.problems"
local show = require "lathe.repl.show"
local steps = require "lathe.repl.steps"
local values = require "lathe.repl.values"

local repl = {}

local ROWS_BESIDE = 4 -- of the screen: not for a list of candidates

local INTERRUPTED = 130 -- the exit code after Ctrl-C

local PROMPT, MORE_PROMPT = "lathe> ", "    .. "

local Session = {}
Session.__index = Session

-- ---- what is printed ---------------------------------------------------------------------------------

local function print_error(session, note, source)
  local message, line, hint = problems.explain(note, source or "", session.env)
  local lines = { out.style("red", "error: ") .. message }
  if line ~= "" then lines[2] = "  in: " .. line end
  if hint then lines[#lines + 1] = "  " .. hint end
  session.say(table.concat(lines, "\n"))
  session.failed = true
end

local function print_results(session, results, source)
  if results.n == 3 and results[2] == nil and show.is_error(results[3]) then
    return print_error(session, results[3], source)
  end
  for i = 2, results.n do
    if results[i] == nil or not rawequal(results[i], session.documents.told) then
      show.emit(results[i], out.line, session:context(results.n == 2 and source))
    end
  end
  session.documents.told = nil
  local hint = results.n == 2 and results[2] == nil and problems.of_nothing(source, session.env)
  if hint then out.note("  " .. hint) end
end

-- What is known about a value beside itself. source: what was typed to get it.
function Session:context(source)
  return {
    source = source or nil, env = self.env, documents = function() return self.documents:all() end,
  }
end

-- Compiles a line: an expression is shown; otherwise it is a statement. `more` if the text is incomplete.
local function compile(source, env)
  local expression = load("return " .. source:gsub("^%s*=", "", 1), "=input", "t", env)
  if expression then return expression end
  local chunk, why = load(source, "=input", "t", env)
  if chunk then return chunk end
  return nil, why, why:match "<eof>$" ~= nil
end

-- Runs a chunk. Errors are described while their variables still exist.
local function call(session, chunk, source)
  local edited = steps.is_one(source) and session.documents:all() or {}
  local results = table.pack(steps.call(edited, chunk, problems.note))
  return table.unpack(results, 1, results.n) -- no tail call: a pending Ctrl-C is raised here at the latest
end

function Session:evaluate(chunk, source)
  local results = table.pack(core.catch_interrupt(call, self, chunk, source))
  local stopped = not results[1]
  if not stopped then table.move(results, 2, results.n, 1) results.n = results.n - 1 end
  self.interrupted = stopped and results[2] == "interrupted!"
  if self.interrupted and self.input.interactive then out.line "" end -- the terminal shows ^C
  if results[1] then
    local ok, err = core.catch_interrupt(print_results, self, results, source)
    if not ok then print_error(self, err) end
  elseif not core.catch_interrupt(print_error, self, results[2], source) then
    print_error(self, "an error that cannot be printed")
  end
end

-- ---- functions of the prompt -------------------------------------------------------------------------

-- Prints all of a value: a document, record or array as its tree, page by page on a terminal.
local function dump_all(session, value)
  if value == nil then error("dump takes what to print: dump(doc)", 0) end
  pager.show(function(emit)
    local kind = core.type(value)
    local is_tree = kind and (values.is_document(value) or pcall(core.path, value))
    if is_tree then return dump.dump(value, { all = true, emit = emit }) end
    local context = session:context(nil)
    context.all = true
    show.emit(value, emit, context)
  end, session.input.interactive)
end

-- The functions that the prompt has beside those of Lua. Their name alone on a line calls them.
local function functions_of(session)
  local functions = session.documents:functions()
  functions.help = function(...)
    local value, count = ..., select("#", ...)
    pager.show(function(emit)
      help.value(value, count, emit, session:help_context())
    end, session.input.interactive)
  end
  functions.dump = function(...) return dump_all(session, ...) end
  functions.exit = function() session:leave() end
  functions.quit = functions.exit
  return functions
end

function Session:help_context()
  return {
    env = self.env, documents = self.documents:all(), functions = self.functions, width = out.columns(),
  }
end

-- Assigning to a name of the prompt replaces it, as everywhere in Lua.
local function environment_of(session)
  session.functions = functions_of(session)
  local list = session.documents.list
  local shared = setmetatable(session.functions, { __index = _G })
  return setmetatable({ doc = list[1], docs = list, lathe = lathe }, { __index = shared })
end

-- The same with the global variables of a script in place of Lua's: what is assigned is the script's. The
-- script cannot reach the functions of the prompt.
local function environment_with(session, globals)
  local env = environment_of(session)
  local functions = session.functions
  env.lathe = nil -- the script has its own
  getmetatable(functions).__index = globals
  getmetatable(env).__newindex = function(_, name, value)
    functions[name] = nil
    globals[name] = value
  end
  return env
end

-- Warns once about unsaved changes.
function Session:leave()
  local names = self.documents:unsaved()
  if #names > 0 and self.input.interactive and not self.warned then
    self.warned = true
    out.line(("%s: changed and not saved. save() saves, exit again leaves.")
      :format(table.concat(names, ", ")))
  else
    self.done = true
  end
end

-- ---- lines -------------------------------------------------------------------------------------------

-- A word such as `undo`, alone on a line, calls the function of the prompt.
function Session:is_command(line)
  local word = line:match "^%s*(%l+)%s*$"
  local fn = word and rawget(self.functions, word)
  return fn ~= nil and rawequal(self.env[word], fn) and fn or nil
end

-- Explains what a line such as "?doc.bodies" asks for.
function Session:explain(source, line)
  self:evaluate(function()
    pager.show(function(emit) help.typed(source, emit, self:help_context()) end, self.input.interactive)
  end, line)
end

function Session:line(line)
  local source = self.pending and self.pending .. "\n" .. line or line
  if not self.pending then
    local asked = help.asked(line)
    local own = rawget(self.functions, "help")
    local is_own = asked and (line:find "^%s*%?" or own and rawequal(self.env.help, own))
    if is_own then return self:explain(asked, line) end
    local command = self:is_command(line)
    if command then return self:evaluate(command, line) end
    if line:match "^%s*$" then return end
  end
  local chunk, why, more = compile(source, self.env)
  self.pending = nil
  if chunk then
    self.warned = false
    self:evaluate(chunk, source)
  elseif more then
    self.pending = source
  else
    print_error(self, why, source)
  end
end

-- Reports a chunk that ends too early.
function Session:give_up()
  local _, why = compile(self.pending, self.env)
  print_error(self, why, self.pending)
  self.pending = nil
end

function Session:read()
  local line = self.input:read(self.pending and MORE_PROMPT or PROMPT)
  if not line then
    self.pending = nil
    if self.input.interactive or line == false then out.line "" end
    if line == nil then self:leave() end
    return
  end
  line = line:gsub("\n$", "")
  self.input:remember(line)
  self:line(line)
end

local function banner(docs)
  local what = "No file is open: open \"FILE\" opens one."
  if #docs > 0 then
    what = ("doc is %s%s."):format(documents.summary(docs[1]),
      #docs > 1 and (", docs are all %d"):format(#docs) or "")
  end
  out.line(("lathe %s. %s"):format(lathe.VERSION, what))
  out.line "Tab completes, help explains, exit leaves."
end

--- A prompt without its input.
-- @tparam Documents docs
-- @tparam function say function(text) that receives errors
-- @tparam[opt] table globals the global variables of a script, in place of Lua's
-- @treturn Session with `line(text)`, which does what is typed
function repl.session(docs, say, globals)
  local session = setmetatable({ documents = docs, say = say }, Session)
  session.env = globals and environment_with(session, globals) or environment_of(session)
  docs.script_env = globals
  session.input = { interactive = false }
  docs.env = session.env
  return session
end

--- Prompts until the user quits.
-- @tparam Documents docs
-- @tparam ?table globals the global variables of a script, in place of Lua's
-- @tparam function greet prints the first lines, on a terminal
-- @treturn integer the exit code
function repl.prompt(docs, globals, greet)
  local session = repl.session(docs, out.text, globals)
  session.input = input.new {
    candidates = function(line, from, to) return complete.candidates(line, from, to, session.env) end,
    lines = function(list, more)
      return choices.lines(list, out.columns(), out.rows() - ROWS_BESIDE, more)
    end,
  }
  docs.interactive = session.input.interactive
  if docs.interactive then greet() end
  core.hold_interrupt(function()
    while not session.done do
      session:read()
      out.flush()
    end
  end)
  return 0
end

--- Opens files and prompts.
-- @tparam {string,...} files
-- @tparam table options for `lathe.open`
-- @treturn integer the exit code
function repl.run(files, options)
  local docs = documents.new(options)
  local failed = docs:open_all(files)
  if failed > 0 and #docs.list == 0 then return 1 end
  local code = repl.prompt(docs, nil, function() banner(docs.list) end)
  return failed > 0 and 1 or code
end

--- Runs chunks as if they were typed, and prints their results. Nothing runs if a file cannot be opened: its
-- place in `docs` would be another file's.
-- @tparam {string,...} chunks
-- @tparam {string,...} files
-- @tparam table options for `lathe.open`
-- @treturn integer the exit code: 1 after an error and 130 after Ctrl-C, which end the run
function repl.execute(chunks, files, options)
  local docs = documents.new(options)
  if docs:open_all(files) > 0 then return 1 end
  local session = repl.session(docs, out.note)
  for _, chunk in ipairs(chunks) do
    session:line(chunk)
    if session.pending then session:give_up() end
    if session.done or session.failed then break end
  end
  local names = docs:unsaved()
  if #names > 0 then out.fail(table.concat(names, ", ") .. ": changed and not saved: save() saves") end
  return session.interrupted and INTERRUPTED or session.failed and 1 or 0
end

return repl
