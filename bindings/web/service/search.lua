--- Call: searching names, types and values of a document, a part at a time.
-- @module service.search

local brief = require "lathe.tree.brief"
local core = require "lathe.core"
local json = require "service.json"
local refuse = require "service.refuse"
local schema = require "lathe.tree.schema"
local store = require "service.store"
local text = require "lathe.tree.text"

local search = { calls = {} }

local SECONDS <const> = 0.5     -- for one part
local LOOK_EVERY <const> = 256  -- places between looks at the clock
local MOST <const> = 1000       -- rows of a reply
local DEEPEST <const> = 64
local LONGEST <const> = 200     -- bytes of a value that is shown

-- ---- walking -------------------------------------------------------------------------------------------

local Walk = {}
Walk.__index = Walk

-- Gives a place to the search: its path, name, type and text.
function Walk:give(path, name, kind, value) coroutine.yield { path, name, kind, value } end

function Walk:array(array, row, path, depth)
  local element = self.cache:element(array, row)
  local goes_down = brief.has_records(array, row) and depth < DEEPEST
  if not goes_down and element.kind ~= "string" and not row.ref and #array > brief.LINE_ITEMS then return end
  for i = 1, #array do
    local value, problem = brief.try(function() return array[i] end)
    if not problem then self:value(value, element, ("%s[%d]"):format(path, i), ("[%d]"):format(i), depth) end
  end
end

function Walk:value(value, row, path, name, depth)
  local kind = core.type(value)
  if not kind or row.ref and kind ~= "array" then
    return self:give(path, name, row.type, brief.value(value, row))
  end
  if kind == "array" then
    self:give(path, name, row.type)
    return self:array(value, row, path, depth + 1)
  end
  if self.cache:is_vector(value) then return self:give(path, name, kind, brief.vector(value, self.cache)) end
  self:give(path, name, kind, brief.name(value, self.cache))
  if depth < DEEPEST then self:record(value, path, depth + 1) end
end

function Walk:record(view, path, depth)
  for _, row in ipairs(self.cache:shown_rows(view)) do
    if not row.inside and not row.padding then
      local value, problem = brief.try(schema.value, view, row.name, row)
      if not problem and value ~= nil then
        self:value(value, row, path == "" and row.name or path .. "." .. row.name, row.name, depth)
      end
    end
  end
end

local function begin(entry, wanted)
  local walk = setmetatable({ cache = schema.new(entry.doc) }, Walk)
  return {
    wanted = wanted:lower(), state = core.history(entry.doc), looked_at = 0,
    next = coroutine.wrap(function()
      walk:record(entry.doc, "", 0)
      return nil
    end),
  }
end

-- ---- call ----------------------------------------------------------------------------------------------

local function holds(value, wanted)
  return value ~= nil and value:lower():find(wanted, 1, true) ~= nil
end

local function row_of(found)
  local value = found[4] and text.utf8(found[4])
  if value and #value > LONGEST then value = value:sub(1, utf8.offset(value, 0, LONGEST) - 1) .. "…" end
  return {
    path = found[1], name = text.utf8(found[2]), type = found[3] and text.utf8(found[3]), value = value,
  }
end

-- The search that goes on, or a new one.
local function search_of(args, entry)
  local wanted = refuse.text(args, "text")
  if wanted == "" then refuse.usage "argument 'text': a text expected; it is empty" end
  if args.cursor == nil then return begin(entry, wanted) end
  local running = entry.search
  if not running or running.cursor ~= args.cursor or running.state ~= core.history(entry.doc) then
    refuse.with("stale", "the document has changed, or another search began: search again")
  end
  return running
end

local last = 0 -- number of cursors

function search.calls.search(args)
  local entry = store.of(args)
  local count = refuse.integer(args, "count", 50, 1, MOST)
  local running = search_of(args, entry)
  entry.search = nil
  local rows, ends, done = json.list {}, os.clock() + SECONDS, false
  while #rows < count do
    if running.looked_at % LOOK_EVERY == 0 and os.clock() >= ends then break end
    local found = running.next()
    if not found then
      done = true
      break
    end
    running.looked_at = running.looked_at + 1
    local hit = holds(found[2], running.wanted) or holds(found[4], running.wanted)
    if hit or holds(found[3], running.wanted) then rows[#rows + 1] = row_of(found) end
  end
  if not done then
    last = last + 1
    running.cursor = ("search %d"):format(last)
    entry.search = running
  end
  return { rows = rows, cursor = running.cursor ~= nil and not done and running.cursor or nil, done = done,
    looked_at = running.looked_at }
end

return search
