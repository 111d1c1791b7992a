--- Calls: the prompt of the shell. What is typed has the rights of a script in the sandbox, also save() and
-- open().
-- @module service.prompt

local complete = require "lathe.repl.complete"
local choices = require "lathe.repl.choices"
local change = require "service.change"
local json = require "service.json"
local limits = require "lathe.cli.sandbox.limits"
local out = require "lathe.cli.out"
local printed = require "service.printed"
local refuse = require "service.refuse"
local repl = require "lathe.repl"
local rights = require "service.rights"
local sandbox = require "lathe.cli.sandbox"
local store = require "service.store"
local text = require "lathe.tree.text"

local prompt = { calls = {} }
local calls = prompt.calls

local MOST_LINES <const> = 1000     -- of the history
local WIDEST <const> = 1000         -- columns
local ROWS <const> = 1000           -- candidates that are listed with their types
local SPARE <const> = 512 << 20     -- bytes that code may allocate beyond twice the open files

local history = json.list {}

sandbox.set_hint " here"
limits.set_advice { memory = "", time = "; a longer limit for each file allows more" }
local world = sandbox.new { policy = rights.rules(), folder = store.root }
local session = repl.session(store.docs, out.text, world.env)

--- The memory that code of the user may allocate, in bytes.
-- @treturn integer
function prompt.memory() return 2 * store.bytes() + SPARE end

--- Calls a function that runs code of the user, within its rights and limits.
-- @tparam function fn
-- @param ... its arguments
-- @return what it returns; raises an error that names the limit
function prompt.call(fn, ...)
  local function stopped()
    return refuse.new("memory", ("it wants more than %d MiB of memory"):format(prompt.memory() >> 20))
  end
  local bounds = limits.new { max_memory = prompt.memory() } -- the host of the service limits time
  local results = table.pack(bounds:call(rights.as_user, function(err) return err end, stopped, fn, ...))
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end

local function remember(line)
  if line:find "%S" and history[#history] ~= line then history[#history + 1] = line end
  if #history > MOST_LINES then table.remove(history, 1) end
end

-- The entry of the document that the prompt calls `doc`.
local function current(args)
  if args.id ~= nil then return store.entry(args.id) end
  local doc = rawget(store.docs.env, "doc")
  for _, entry in ipairs(store.entries) do
    if rawequal(entry.doc, doc) then return entry end
  end
  return store.entries[1]
end

local function columns_of(args)
  return args.columns ~= nil and refuse.integer(args, "columns", nil, 1, WIDEST) or nil
end

function calls.prompt(args)
  local line, columns = refuse.text(args, "line"), columns_of(args)
  store.offer(current(args))
  args.label = change.label(session.pending and session.pending .. " " .. line or line)
  remember(line)
  local output = printed.collect(columns)
  session.failed, session.interrupted, session.done = false, false, false
  local ok, err = pcall(prompt.call, session.line, session, line)
  if not ok then
    session.pending = nil
    error(err, 0)
  end
  return {
    output = output(), more = session.pending ~= nil, failed = session.failed,
    interrupted = session.interrupted or nil, left = session.done == true,
  }
end

function calls.abandon()
  session.pending = nil
  return {}
end

function calls.history() return { lines = table.move(history, 1, #history, 1, json.list {}) } end

-- ---- completion ----------------------------------------------------------------------------------------

local function common_prefix(a, b)
  local n = 0
  while n < #a and n < #b and a:byte(n + 1) == b:byte(n + 1) do n = n + 1 end
  return a:sub(1, n)
end

-- The part of a text that is made of whole characters.
local function whole(value)
  while value ~= "" and not utf8.len(value) do value = value:sub(1, -2) end
  return value
end

function calls.complete(args)
  local line, columns = refuse.text(args, "line"), columns_of(args)
  store.offer(current(args))
  local typed = session.pending and session.pending .. "\n" .. line or line
  local found, more = prompt.call(complete.candidates, typed, 1, #typed, session.env)
  local skip = #typed - #line
  local common
  for _, one in ipairs(found) do
    one.line = one.word:sub(skip + 1)
    common = common and common_prefix(common, one.line) or one.line
  end
  local keep = whole(common_prefix(common or line, line):match "^(.-)[%w_]*$")
  local list = json.list {}
  for i, one in ipairs(found) do
    list[i] = {
      word = one.line:sub(#keep + 1), label = text.printable(one.label), type = one.type,
      doc = one.doc and text.printable(one.doc),
    }
  end
  return {
    keep = keep, common = whole((common or line):sub(#keep + 1)), candidates = list,
    lines = json.lines(choices.lines(found, columns or 100, ROWS, more)), more = more or false,
  }
end

return prompt
