--- Makes one step for `undo` of all that a loop changes.
-- @module lathe.repl.steps

local tokens = require "lathe.repl.tokens"

local steps = {}

local MOST_DOCUMENTS = 50 -- edits are nested, one for each document

local LOOPS = { ["for"] = true, ["while"] = true, ["repeat"] = true }

-- Functions that may be called in an edit. Others may save or undo, which an open edit refuses.
local SAFE = {
  assert = true, error = true, ipairs = true, math = true, next = true, pairs = true, print = true,
  select = true, string = true, table = true, tonumber = true, tostring = true, type = true,
}
local UNSAFE = { close = true, edit = true, encode = true, redo = true, save = true, undo = true }

local function is_call(token)
  return token ~= nil and (tokens.is(token, "(") or tokens.is(token, "{") or token.kind == "string")
end

local function calls_others(list)
  for _, chain in ipairs(tokens.chains(list)) do
    if is_call(list[chain.last + 1]) and not SAFE[list[chain.first].text] then return true end
  end
  return false
end

--- Whether a line is a loop that assigns to fields, and calls nothing that an edit must not hold.
-- @tparam string source
-- @treturn boolean
function steps.is_one(source)
  local list = tokens.of(source)
  local loops, assigns = false, false
  for i, token in ipairs(list) do
    local is_name = token.kind == "name"
    if is_name and UNSAFE[token.text] then return false end
    loops = loops or is_name and LOOPS[token.text] or false
    local is_field = tokens.is(list[i - 1], ".") or tokens.is(token, "]")
    local is_set = tokens.is(list[i + 1], "=") and not tokens.is(list[i + 2], "=")
    assigns = assigns or is_field and is_set
  end
  return loops and assigns and not calls_others(list)
end

--- Calls a function in one edit of each document. What it changes before it raises an error stays.
-- @tparam {Document,...} documents
-- @tparam function fn
-- @tparam function handler of errors
-- @return what `xpcall` returns
function steps.call(documents, fn, handler)
  local results
  local function run(i)
    if documents[i] then return documents[i]:edit(function() return run(i + 1) end) end
    results = table.pack(xpcall(fn, handler))
  end
  if #documents > MOST_DOCUMENTS then documents = {} end
  local ok, err = xpcall(run, handler, 1)
  if not ok then return false, err end
  return table.unpack(results, 1, results.n)
end

return steps
