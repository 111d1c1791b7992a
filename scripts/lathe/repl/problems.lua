--- Explains an error at the prompt: the line, the value at fault, and what to do.
-- @module lathe.repl.problems

local candidates = require "lathe.repl.candidates"
local core = require "lathe.core"
local spelling = require "lathe.spelling"
local thrown = require "lathe.cli.sandbox.thrown"
local tokens = require "lathe.repl.tokens"
local values = require "lathe.repl.values"

local problems = {}

local MOST_LEVELS = 200 -- depth of the call stack that is searched for the typed line
local MOST_LOCALS = 200
local SHOWN_NAMES = 8 -- of an enumeration

local CHUNK = "=input"
local NO_FILE = "no file is open: open \"FILE\" opens one"
local NOTE = {} -- the key that marks what `problems.note` made

local is = tokens.is

-- ---- where it happened -----------------------------------------------------------------------------

-- Adds the local variables of a level of the stack, and those of functions around it.
local function add_variables(variables, level, fn)
  for i = 1, MOST_LOCALS do
    local name, value = debug.getupvalue(fn, i)
    if not name then break end
    if name:match "^[%a_]" and name ~= "_ENV" then variables[name] = value end
  end
  for i = 1, MOST_LOCALS do
    local name, value = debug.getlocal(level + 1, i)
    if not name then break end
    if name:match "^[%a_]" then variables[name] = value end
  end
end

--- An error handler that keeps where in the typed lines an error was raised.
-- @param err
-- @treturn table `err`, and `line` and `variables` of the innermost typed function
function problems.note(err)
  local found = { [NOTE] = true, err = err }
  if core.limits.stopping() then return found end
  for level = 2, MOST_LEVELS do
    local frame = debug.getinfo(level, "Slf")
    if not frame then break end
    if frame.source == CHUNK then
      found.line, found.variables = frame.currentline, {}
      add_variables(found.variables, level, frame.func)
      break
    end
  end
  return found
end

-- ---- what is nil -------------------------------------------------------------------------------------

local function names_of(env)
  local names = {}
  while type(env) == "table" do
    for name in next, env do
      if type(name) == "string" then names[#names + 1] = name end
    end
    env = (debug.getmetatable(env) or {}).__index
  end
  table.sort(names)
  return names
end

-- Names of a table or an object that a mistyped one may stand for.
local function members_of(owner)
  if type(owner) ~= "table" then return {} end
  return names_of(owner)
end

-- Says why `text` is nil: a variable, an element or a field that does not exist.
local function missing(where, env)
  local list, last, first = where.list, where.stop, where.first
  if first == last then
    local name = list[last].text
    if name == "doc" then return NO_FILE end
    local is_field = values.member(values.member(env, "doc"), name) ~= nil
    local hint = is_field and ("; did you mean 'doc.%s'?"):format(name) or values.hint(name, names_of(env))
    return ("there is no '%s'%s"):format(name, hint)
  end
  local before = is(list[last], "]") and where.bracket - 1 or last - 2
  local owner = tokens.value_at(list, before, env)
  local owner_text = tokens.text(where.line, list, first, before)
  local whole = tokens.text(where.line, list, first, last)
  local kind = core.type(owner)
  local is_numbered = kind == "list" or kind == "array" or type(owner) == "table" and #owner > 0
  if is(list[last], "]") and is_numbered then
    local n = #owner
    local from = whole:find "%[%s*0%s*%]$" and n > 0 and "; the first is [1]" or ""
    return ("%s has %s: there is no %s%s"):format(owner_text,
      n == 0 and "no elements" or n == 1 and "1 element" or n .. " elements", whole, from)
  end
  local name = list[last].text
  return ("%s is nil%s"):format(whole, values.hint(name, members_of(owner)))
end

-- The parts of chains in a line with the tokens behind them: those that are indexed or called.
local function each_part(line, list)
  local parts = {}
  for _, chain in ipairs(tokens.chains(list)) do
    for i, stop in ipairs(chain.ends) do
      parts[#parts + 1] = { line = line, list = list, first = chain.first, stop = stop,
        bracket = i > 1 and chain.ends[i - 1] + 1, after = list[stop + 1] }
    end
  end
  return parts
end

local function is_indexed(part)
  return is(part.after, ".") or is(part.after, "[") or is(part.after, ":")
end

local function is_called(part)
  local after = part.after
  local is_text = after ~= nil and (after.kind == "string" or after.kind == "long")
  return is_text or is(after, "(") or is(after, "{")
end

local function value_of(part, env)
  local ok, value = pcall(tokens.follow, part.list, part.first, part.stop, env)
  return ok, value
end

-- The first part of a line that was indexed and has no fields.
local function not_indexable(parts, env)
  for _, part in ipairs(parts) do
    local ok, value = value_of(part, env)
    if is_indexed(part) and ok and (value == nil or not core.type(value) and type(value) ~= "table"
      and type(value) ~= "string") then
      if value == nil then return missing(part, env) end
      return ("%s is %s: it has no fields"):format(
        tokens.text(part.line, part.list, part.first, part.stop), values.words(value))
    end
  end
end

-- The first part that was called and is no function.
local function not_callable(parts, env)
  for _, part in ipairs(parts) do
    local ok, value = value_of(part, env)
    if is_called(part) and ok and type(value) ~= "function" and type(value) ~= "table" then
      if value == nil then return missing(part, env) end
      return ("%s is %s, not a function"):format(
        tokens.text(part.line, part.list, part.first, part.stop), values.words(value))
    end
  end
end

local function names_behind(owner)
  local names = {}
  for i, one in ipairs(owner ~= nil and (candidates.behind(owner, ".")) or {}) do names[i] = one.name end
  return names
end

-- Puts the place in front of lathe's message about a field that does not exist.
local function unknown_field(parts, name, message, env)
  for _, part in ipairs(parts) do
    if part.list[part.stop].text == name and not value_of(part, env) then
      local said, hint = message:match "no field '.*$", ""
      if not said:find("did you mean", 1, true) then
        hint = values.hint(name, names_behind(tokens.value_at(part.list, part.stop - 2, env)))
      end
      return ("%s: %s%s"):format(tokens.text(part.line, part.list, part.first, part.stop), said, hint)
    end
  end
end

-- ---- operators ---------------------------------------------------------------------------------------

local COMPARES = { ["<"] = true, [">"] = true }

-- The first and last token of the value that begins at token `first`: a literal or a chain; nil: neither.
local function value_from(list, chains, first)
  local token = list[first]
  if not token then return nil end
  if token.kind == "number" or token.kind == "string" then return first, first end
  for _, chain in ipairs(chains) do
    local after = list[chain.last + 1]
    if chain.first == first and not is(after, "(") and not is(after, ":") then return first, chain.last end
  end
end

-- The same for the value that ends at token `last`.
local function value_to(list, chains, last)
  local token = list[last]
  if not token then return nil end
  if token.kind == "number" or token.kind == "string" then return last, last end
  for _, chain in ipairs(chains) do
    if chain.last == last then return chain.first, last end
  end
end

local function operand(line, list, first, last, env)
  if not first then return nil end
  local ok, value = pcall(tokens.follow, list, first, last, env)
  if not ok then return nil end
  local is_literal = first == last and list[first].kind ~= "name"
  local name = tokens.text(line, list, first, last)
  local words = is_literal and "a " .. (type(value) == "string" and "text" or "number") or values.words(value)
  return { value = value, words = ("%s is %s"):format(name, words) }
end

local WHAT_TO_DO = "tonumber(x) makes a number of a text"

-- Names both sides of a comparison that Lua refused.
local function not_comparable(line, list, env)
  local chains = tokens.chains(list)
  for i, token in ipairs(list) do
    if token.kind == "symbol" and COMPARES[token.text] then
      local right = is(list[i + 1], "=") and i + 2 or i + 1
      local a_first, a_last = value_to(list, chains, i - 1)
      local b_first, b_last = value_from(list, chains, right)
      local a = operand(line, list, a_first, a_last, env)
      local b = operand(line, list, b_first, b_last, env)
      if a and b and type(a.value) ~= type(b.value) then
        local texts = type(a.value) == "string" or type(b.value) == "string"
        local said = ("%s, and %s: these cannot be compared"):format(a.words, b.words)
        return said, texts and WHAT_TO_DO
      end
    end
  end
end

-- The first chain whose value has a type that an operator refused.
local function wrong_operand(parts, env, kind)
  for _, part in ipairs(parts) do
    local ok, value = value_of(part, env)
    local is_target = is(part.after, "=") and not is(part.list[part.stop + 2], "=")
    local is_last = not is_indexed(part) and not is_called(part) and not is_target
    if is_last and ok and type(value) == kind and tonumber(value) == nil then
      if value == nil then return missing(part, env) end
      local name = tokens.text(part.line, part.list, part.first, part.stop)
      return ("%s is %s"):format(name, values.words(value))
    end
  end
end

-- ---- assignments -------------------------------------------------------------------------------------

-- The object and the row of a field that a line assigns to: "doc.bodies[1].friction = …".
local function target(list, env)
  for _, chain in ipairs(tokens.chains(list)) do
    local last = chain.last
    if is(list[last + 1], "=") and not is(list[last + 2], "=") and is(list[last - 1], ".") then
      local owner = tokens.value_at(list, last - 2, env)
      local ok, rows = pcall(core.describe, owner)
      for _, row in ipairs(ok and rows or {}) do
        if row.name == list[last].text then return row, chain end
      end
    end
  end
end

local function some_names(names)
  if #names <= SHOWN_NAMES then return table.concat(names, ", ") end
  return ("%s … (%d in all)"):format(table.concat(names, ", ", 1, SHOWN_NAMES), #names)
end

-- What a field takes: its names, or its unit and limits.
local function accepts(row)
  if row.names and row.enum then return "one of " .. some_names(row.names) end
  if row.kind == "record" or row.array then return nil end
  local kind = row.kind == "string" and "a text" or row.kind == "boolean" and "true or false"
    or row.kind == "integer" and "an integer" or row.kind == "number" and "a number" or nil
  if not kind then return nil end
  if row.unit then kind = ("%s [%s]"):format(kind, row.unit) end
  if row.min and (row.kind == "number" or row.kind == "integer") then
    kind = ("%s, %.9g to %.9g"):format(kind, row.min, row.max)
  end
  return kind
end

-- The value that a line assigns, where it is a literal or a chain.
local function assigned(line, list, chain, env)
  local first, last = value_from(list, tokens.chains(list), chain.last + 2)
  local given = operand(line, list, first, last, env)
  return given and given.value
end

local function about_target(line, list, env, has_near)
  local row, chain = target(list, env)
  if not row then return nil end
  local path = tokens.text(line, list, chain.first, chain.last)
  local takes, value = accepts(row), assigned(line, list, chain, env)
  if not takes then return ("?%s explains it"):format(path) end
  local near = not has_near and type(value) == "string" and row.names and spelling.nearest(value, row.names)
  local fits = value == nil or type(value) == row.kind or type(value) == "number" and row.kind == "integer"
  local other = fits and "" or ", not " .. values.words(value)
  return ("%s takes %s%s%s; ?%s explains it"):format(row.name, takes, other,
    near and (" (did you mean %q?)"):format(near) or "", path)
end

-- ---- messages ----------------------------------------------------------------------------------------

-- Removes the position of an error unless it is in the typed lines or in a script; positions in lathe's own
-- files are not helpful.
local function without_place(message)
  local own = message:match "^[^\n:]-lathe/([%w_/]+)%.lua:%d+: "
  if own and package.loaded["lathe." .. own:gsub("/init$", ""):gsub("/", ".")] then
    return (message:gsub("^[^\n]-%.lua:%d+: ", "", 1))
  end
  return (message:gsub("^input:1: ", ""):gsub("^input:(%d+: )", "line %1"))
end

local PATH_FUNCTIONS = { open = true, save = true }

-- What to do if a path was typed without quotes: open crate.nif
local function unquoted(message, line)
  local name, path = line:match "^%s*(%l+)%s+([%w_./\\~][^\"'=(]*)$"
  if not PATH_FUNCTIONS[name] or not message:find "near '" then return nil end
  return ("a path takes quotes: %s %q"):format(name, (path:gsub("%s+$", "")))
end

-- What replaces a message of Lua, and what to do; nil: the message is fine.
local function improve(message, line, list, env)
  local hint = unquoted(message, line)
  if hint then return nil, hint end
  local variable = message:match "attempt to %l+ a nil value %(local '([%w_]+)'%)"
    or message:match "attempt to %l+ a nil value %(upvalue '([%w_]+)'%)"
  if variable then return variable .. " is nil" end
  local parts = each_part(line, list)
  if message:find "attempt to index a " then return not_indexable(parts, env) end
  if message:find "attempt to call a " then return not_callable(parts, env) end
  if message:find "attempt to compare " then return not_comparable(line, list, env) end
  local name = message:match "no field '([%w_]+)' in "
  if name then return unknown_field(parts, name, message, env) end
  local kind = message:match "attempt to perform arithmetic on an? (%l+) value"
    or message:match "attempt to concatenate an? (%l+) value"
    or message:match "attempt to %l+ an? '(%l+)' with "
  if kind then return wrong_operand(parts, env, kind) end
  return nil, about_target(line, list, env, message:find("did you mean", 1, true) ~= nil)
end

-- An environment with the local variables of the typed lines.
local function environment(note, env)
  return setmetatable(note.variables or {}, { __index = env })
end

local function line_of(source, number)
  local at = 0
  for line in (source .. "\n"):gmatch "([^\n]*)\n" do
    at = at + 1
    if at == number then return line end
  end
end

--- Explains an error.
-- @param note what `problems.note` made of the error, or the error itself
-- @tparam string source the typed lines
-- @tparam table env the environment of the prompt
-- @treturn string the message
-- @treturn string the line that is at fault, or ""
-- @treturn ?string what to do
function problems.explain(note, source, env)
  if type(note) ~= "table" or not rawget(note, NOTE) then note = { err = note } end
  local message = thrown.describe(note.err).text
  local place = message:match "^input:(%d+): "
  local number = note.line or math.tointeger(place) or 1
  local line = line_of(source, number) or source
  local ok, better, hint = pcall(improve, message, line, tokens.of(line), environment(note, env))
  if not ok then better, hint = nil, nil end -- what is at fault cannot be found out
  local said = without_place(message)
  if better then said = (said:match "^line %d+: " or "") .. better end
  return said, line:match "^%s*(.-)%s*$", hint
end

--- What to say of a line that is nothing but a name without a value.
-- @tparam string source
-- @tparam table env
-- @treturn ?string
function problems.of_nothing(source, env)
  local list = tokens.of(source)
  local chains = tokens.chains(list)
  local chain = chains[1]
  if not chain or chain.first ~= 1 or chain.last ~= #list then return nil end
  local part = { line = source, list = list, first = 1, stop = chain.last,
    bracket = #chain.ends > 1 and chain.ends[#chain.ends - 1] + 1 }
  local ok, said = pcall(missing, part, env)
  return ok and not said:find " is nil$" and said or nil -- that says no more than the value
end

return problems
