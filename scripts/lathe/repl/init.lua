--- The prompt: inspects and changes files, one line at a time.
-- @module lathe.repl

local lathe = require "lathe"
local complete = require "lathe.repl.complete"
local core = require "lathe.core"
local input = require "lathe.repl.input"
local inputs = require "lathe.cli.inputs"
local out = require "lathe.cli.out"
local show = require "lathe.repl.show"
local thrown = require "lathe.cli.thrown"
local text = require "lathe.tree.text"

local repl = {}

local HISTORY = 100 -- maximum number of undo steps

local PROMPT, MORE_PROMPT = "lathe> ", "    .. "

local HELP = [[
  doc                       the first file; docs[1], docs[2] ... are all of them
  doc.<Tab>                 its fields        doc:<Tab>   what can be done with it
  doc.vertices[1]           shows a record    doc.vertices[1].x = 2.5   changes it
  lathe.describe(view)      what a record's fields mean
  lathe.path(view)          where it is       lathe.span(view, "x")   in which bytes
  undo    redo              one step back, one forward
  doc:save()                writes the file; doc:save("other") writes another
  help    exit

Anything else is Lua. Ctrl-C stops what runs too long.]]

local Session = {}
Session.__index = Session

local function open_all(files, options)
  local docs, failed = {}, 0
  options.history = HISTORY
  for _, item in ipairs(inputs.collect(files)) do
    local doc, err
    if item.error then
      err = item.path .. ": " .. item.error
    else
      doc, err = lathe.open(item.path, options)
    end
    if doc then
      docs[#docs + 1] = doc
    else
      failed = failed + 1
      out.fail(tostring(err))
    end
  end
  return docs, failed
end

local function make_environment(docs)
  return setmetatable({ doc = docs[1], docs = docs, lathe = lathe }, { __index = _G })
end

-- Removes the position of an error unless it is in the typed lines or in a script; positions in lathe's own
-- files are not helpful.
local function without_place(message)
  local own = message:match "^[^\n:]-lathe/([%w_/]+)%.lua:%d+: "
  if own and package.loaded["lathe." .. own:gsub("/init$", ""):gsub("/", ".")] then
    return (message:gsub("^[^\n]-%.lua:%d+: ", "", 1))
  end
  return (message:gsub("^input:1: ", ""):gsub("^input:(%d+: )", "line %1"))
end

local function print_error(err)
  out.text(out.style("red", "error: ") .. without_place(thrown.describe(err).text))
end

-- Compiles a line: an expression is shown; otherwise it is a statement. `more` if the text is incomplete.
local function compile(source, env)
  local expression = load("return " .. source:gsub("^%s*=", "", 1), "=input", "t", env)
  if expression then return expression end
  local chunk, why = load(source, "=input", "t", env)
  if chunk then return chunk end
  return nil, why, why:match "<eof>$" ~= nil
end

local function print_results(results)
  if results.n == 3 and results[2] == nil and show.is_error(results[3]) then
    return print_error(results[3])
  end
  for i = 2, results.n do
    for _, line in ipairs(show.lines(results[i])) do out.line(line) end
  end
end

function Session:evaluate(chunk)
  local results = table.pack(core.catch_interrupt(chunk))
  if results[1] then
    local ok, err = core.catch_interrupt(print_results, results)
    if not ok then print_error(err) end
  elseif not core.catch_interrupt(print_error, results[2]) then
    print_error "an error that cannot be printed"
  end
end

local function step(session, method, done, none)
  local doc = rawget(session.env, "doc")
  if not core.type(doc) then return print_error "doc is not a document" end
  local ok, moved = pcall(function() return doc[method](doc) end)
  if not ok then return print_error(moved) end
  out.line(moved and done or none)
end

local WORDS = {
  help = function() out.text(HELP) end,
  undo = function(session) step(session, "undo", "undone", "nothing to undo") end,
  redo = function(session) step(session, "redo", "redone", "nothing to redo") end,
  exit = function(session) session:leave() end,
  quit = function(session) session:leave() end,
}

function Session:unsaved()
  local names = {}
  for _, doc in ipairs(self.docs) do
    local ok, modified = pcall(function() return doc.modified end)
    if ok and modified then names[#names + 1] = doc.path or doc.format end
  end
  return names
end

-- Warns once about unsaved changes.
function Session:leave()
  local names = self:unsaved()
  if #names > 0 and self.input.interactive and not self.warned then
    self.warned = true
    out.line(("%s: changed and not saved. doc:save() saves, exit again leaves.")
      :format(table.concat(names, ", ")))
  else
    self.done = true
  end
end

function Session:line(line)
  local source = self.pending and self.pending .. "\n" .. line or line
  if not self.pending then
    local word = WORDS[line:match "^%s*(%a+)%s*$"]
    if word then return word(self) end
    if line:match "^%s*$" then return end
  end
  local chunk, why, more = compile(source, self.env)
  self.pending = nil
  if chunk then
    self.warned = false
    self:evaluate(chunk)
  elseif more then
    self.pending = source
  else
    print_error(why)
  end
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
  local what = #docs == 0 and "No file is open: doc = lathe.open \"FILE\" opens one."
  if #docs > 0 then
    local first = docs[1]
    what = ("doc is %s (%s, %s)"):format(first.path, first.format, text.count(first.size, "byte"))
    what = what .. (#docs > 1 and (", docs are all %d."):format(#docs) or ".")
  end
  out.line(("lathe %s. %s"):format(lathe.VERSION, what))
  out.line "Tab completes, help explains, exit leaves."
end

--- Runs the prompt until the user quits.
-- @tparam {string,...} files
-- @tparam table options for `lathe.open`
-- @treturn integer the exit code
function repl.run(files, options)
  local docs, failed = open_all(files, options)
  if failed > 0 and #docs == 0 then return 1 end
  local env = make_environment(docs)
  local session = setmetatable({ docs = docs, env = env }, Session)
  session.input = input.new(function(line, from, to)
    return complete.words(line, from, to, env)
  end)
  if session.input.interactive then banner(docs) end
  core.hold_interrupt(function()
    while not session.done do
      session:read()
      out.flush()
    end
  end)
  return failed > 0 and 1 or 0
end

return repl
