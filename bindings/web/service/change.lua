--- Calls: changes of fields, undo and redo.
-- @module service.change

local cli = require "lathe.cli"
local core = require "lathe.core"
local json = require "service.json"
local look = require "service.look"
local refuse = require "service.refuse"
local rows = require "service.rows"
local store = require "service.store"
local text = require "lathe.tree.text"

local change = { calls = {} }
local calls = change.calls

local LONGEST <const> = 60 -- characters of the name of a step
local MOST_NEW <const> = 1000 -- elements that are inserted at once

--- The name of a step, on one line.
-- @tparam string words
-- @treturn string
function change.label(words)
  local label = text.printable((words:gsub("%s+", " ")))
  if (utf8.len(label) or 0) <= LONGEST then return label end
  return label:sub(1, utf8.offset(label, LONGEST) - 1) .. "…"
end

--- Does something with a document as one step: all or nothing.
-- @param doc
-- @tparam function fn returns what `one_step` returns; nil and an error takes everything back
function change.one_step(doc, fn)
  local failed, first, second
  local ok, err = pcall(doc.edit, doc, function()
    first, second = fn()
    failed = first == nil
    if failed then error(second, 0) end
  end)
  if ok then return first, second end
  return nil, failed and second or err
end

local function assignments_of(args)
  local list = args.values
  if list == nil then list = { { path = args.path, value = args.value } } end
  if type(list) ~= "table" then refuse.usage "argument 'values': a list expected" end
  local found = {}
  for i = 1, #list do
    local one = type(list[i]) == "table" and list[i] or {}
    found[i] = { path = refuse.text(one, "path"), value = refuse.text(one, "value") }
    if found[i].path:find "^%s*%-" or found[i].path == "" then
      refuse.usage("'%s' is not a path", text.printable(found[i].path))
    end
  end
  if #found == 0 then refuse.usage "there is no value to set" end
  return found
end

function calls.set(args)
  local entry, list = store.of(args), assignments_of(args)
  local argv = { "set", cli.FILES }
  for _, one in ipairs(list) do argv[#argv + 1] = one.path .. "=" .. one.value end
  args.label = change.label(#list == 1 and argv[3] or ("%s and %d more"):format(argv[3], #list - 1))
  local result, err = change.one_step(entry.doc, function()
    return look.command({ doc = entry.doc, path = entry.path }, argv)
  end)
  if not result then return nil, err end
  local found = json.list {}
  for _, one in ipairs(list) do
    local ok, row = pcall(rows.of, entry, one.path)
    found[#found + 1] = ok and row or nil
  end
  local along = json.list {}
  for i, path in ipairs(result.json.along or {}) do along[i] = path end
  return {
    rows = found, along = along, warnings = json.lines(result.json.warnings),
    lines = json.lines(result.lines),
  }
end

-- ---- elements ------------------------------------------------------------------------------------------

-- The array at a path.
local function array_at(entry, path)
  local array, err = entry.doc:get(path)
  if array == nil and err then error(err, 0) end
  if core.type(array) ~= "array" then refuse.with("name", "%s is no list", text.printable(path)) end
  return array
end

function calls.insert(args)
  local entry, path = store.of(args), refuse.text(args, "path")
  local array = array_at(entry, path)
  local at = refuse.integer(args, "at", #array + 1, 1, #array + 1)
  local count = refuse.integer(args, "count", 1, 1, MOST_NEW)
  args.label = change.label("insert in " .. path)
  local done, err = change.one_step(entry.doc, function()
    for i = 0, count - 1 do
      local ok, why = pcall(core.insert, array, at + i)
      if not ok then return nil, type(why) == "table" and why or refuse.new("usage", tostring(why)) end
    end
    return true
  end)
  if not done then return nil, err end
  return { path = ("%s[%d]"):format(path, at), total = #array }
end

function calls.delete(args)
  local entry, path = store.of(args), refuse.text(args, "path")
  local parent, number = path:match "^(.*)%[(%d+)%]$"
  if not parent then refuse.usage("'%s' is no element of a list", text.printable(path)) end
  local array = array_at(entry, parent)
  args.label = change.label("delete " .. path)
  local done, err = change.one_step(entry.doc, function()
    local ok, why = pcall(core.remove, array, math.tointeger(tonumber(number)))
    if not ok then return nil, type(why) == "table" and why or refuse.new("usage", tostring(why)) end
    return true
  end)
  if not done then return nil, err end
  return { path = path, total = #array }
end

-- ---- history -------------------------------------------------------------------------------------------

local function step(args, method)
  local doc = store.of(args).doc
  local steps = refuse.integer(args, "steps", 1, 1, 1 << 20)
  local done = 0
  while done < steps and doc[method](doc) do done = done + 1 end
  return { done = done }
end

function calls.undo(args) return step(args, "undo") end
function calls.redo(args) return step(args, "redo") end

function calls.steps(args)
  local entry = store.of(args)
  local state, undo, redo = core.history(entry.doc, true)
  local back, forth = json.list {}, json.list {}
  local after = state
  for i, before in ipairs(undo) do
    back[i] = entry.labels[after] or "a change"
    after = before
  end
  for i, to in ipairs(redo) do forth[i] = entry.labels[to] or "a change" end
  return { undo = back, redo = forth }
end

return change
