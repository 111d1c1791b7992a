--- The open documents: their numbers, what was told about them, and the names of the steps that undo takes
-- back.
-- @module service.store

local core = require "lathe.core"
local documents = require "lathe.repl.documents"
local files = require "service.files"
local json = require "service.json"
local paths = require "lathe.paths"
local refuse = require "service.refuse"
local text = require "lathe.tree.text"
local values = require "lathe.repl.values"

local LARGE <const> = 1 << 20 -- bytes of a file

local store = {
  docs = documents.new {}, -- as the prompt has them
  entries = {},            -- in the order of their numbers
  by_id = {},
  last = 0,                -- the last number
  closed = {},             -- numbers of documents that were closed in this call
  user_ran = false,        -- whether code of the user ran in this call, which may open and close documents
}

-- ---- entries -----------------------------------------------------------------------------------------

--- The entry of a number: `id`, `doc`, `path`, `size`, `options`.
-- @param id
-- @treturn table
function store.entry(id)
  local number = type(id) == "number" and math.tointeger(id)
  local entry = number and store.by_id[number]
  if not entry then
    local given = type(id) == "number" and ("%.14g"):format(id) or "of the type " .. type(id)
    refuse.usage("there is no open document with the id %s", given)
  end
  return entry
end

--- The entry of the argument `id`.
-- @tparam table args
-- @treturn table
function store.of(args)
  if args.id == nil then refuse.usage "argument 'id': the id of a document expected; it is missing" end
  return store.entry(args.id)
end

--- The document of an optional argument that is an id; or documents, of a list of ids.
-- @tparam table args
-- @tparam string name
-- @treturn ?Document|{Document,...}
function store.optional(args, name)
  local given = args[name]
  if type(given) ~= "table" then return given ~= nil and store.entry(given).doc or nil end
  local docs = {}
  for i = 1, #given do docs[i] = store.entry(given[i]).doc end
  return docs[1] and docs or nil
end

--- The entry of a path.
-- @tparam string path
-- @treturn ?table
function store.at(path)
  for _, entry in ipairs(store.entries) do
    if entry.path == path then return entry end
  end
end

--- The bytes of all open files.
-- @treturn integer
function store.bytes()
  local sum = 0
  for _, entry in ipairs(store.entries) do sum = sum + entry.size end
  return sum
end

--- Adds an open document.
-- @param doc
-- @tparam string path
-- @tparam table options those that it was opened with
-- @treturn table its entry
function store.add(doc, path, options)
  store.last = store.last + 1
  local entry = { id = store.last, doc = doc, path = path, size = files.size(path) or 0, options = options,
    labels = {} }
  table.insert(store.entries, entry)
  store.by_id[entry.id] = entry
  return entry
end

local function drop(entry)
  for i, one in ipairs(store.entries) do
    if one == entry then table.remove(store.entries, i) break end
  end
  store.by_id[entry.id] = nil
  store.closed[#store.closed + 1] = entry.id
end

--- Closes a document.
-- @tparam table entry
-- @tparam boolean keep whether its file stays
function store.close(entry, keep)
  pcall(function() entry.doc:close() end) -- a script may have closed it
  drop(entry)
  if not keep and not store.at(entry.path) then
    files.remove(entry.path)
    files.remove(entry.path .. ".bak")
  end
  entry.doc = nil
  if entry.size >= LARGE then collectgarbage() end -- texts of it, such as pictures
end

--- A copy of a document in its present state, for comparing: the caller closes it.
-- @tparam table entry
-- @tparam[opt] string bytes those of another state
-- @treturn ?Document
-- @return the error
function store.copy(entry, bytes)
  local err
  if not bytes then bytes, err = entry.doc:encode() end
  if not bytes then return nil, err end
  local options = {}
  for name, value in pairs(entry.options) do options[name] = value end
  options.history, options.format, options.path = nil, entry.doc.format, entry.path
  return core.parse(bytes, options)
end

-- ---- what is told about them ---------------------------------------------------------------------------

-- Names the steps that were made since the last call.
local function name_steps(entry, label)
  local state, undo, redo = core.history(entry.doc, true)
  local labels, kept = entry.labels, {}
  local after = state
  for _, before in ipairs(undo) do
    kept[after] = labels[after] or label
    after = before
  end
  for _, to in ipairs(redo) do kept[to] = labels[to] or label end
  entry.labels, entry.state = kept, state
  entry.undo, entry.redo = undo[1] and kept[state] or nil, redo[1] and kept[redo[1]] or nil
end

local MEMBERS <const> = { "name", "format", "game", "size", "changed", "revision", "undo", "redo" }

local function tell(entry)
  local doc = entry.doc
  return {
    id = entry.id, name = text.utf8(entry.path), format = doc.format, game = doc.game, size = entry.size,
    changed = doc.modified, revision = entry.state, undo = entry.undo, redo = entry.redo,
  }
end

--- What a reply says of a document.
-- @tparam table entry
-- @treturn table
function store.told(entry) return tell(entry) end

local function is_new(entry, now)
  for _, name in ipairs(MEMBERS) do
    if not entry.told or entry.told[name] ~= now[name] then return true end
  end
  return false
end

-- Whether nothing can have changed: quick, as there may be thousands of documents.
local function is_same(entry, state)
  local told = entry.told
  return told ~= nil and entry.state == state and told.changed == entry.doc.modified
    and told.size == entry.size and entry.told_path == entry.path
end

-- Documents that the prompt has opened, and that it has closed.
local function adopt()
  local known = {}
  for i = #store.entries, 1, -1 do
    local entry = store.entries[i]
    if values.is_open(entry.doc) then known[entry.doc] = true else store.close(entry, true) end
  end
  local list = store.docs.list
  for i = 1, #list do
    local doc = list[i]
    if values.is_open(doc) and not known[doc] then
      known[doc] = true
      local path = doc.path and paths.below(core.real_path(doc.path), store.root) and doc.path
      store.add(doc, path or ("new %d.%s"):format(store.last + 1, doc.format), store.docs.options)
    end
  end
end

--- Puts the documents into the list that the prompt has.
-- @tparam ?table current the entry of `doc`
function store.offer(current)
  local list = store.docs.list
  for i = #list, 1, -1 do list[i] = nil end
  for i, entry in ipairs(store.entries) do list[i] = entry.doc end
  store.docs.env.doc = current and current.doc or nil
end

--- What changed since this was last called.
-- @tparam string label the name of steps that were made meanwhile
-- @treturn ?table `documents`, `closed`; nil: nothing
function store.changes(label)
  if store.user_ran then adopt() end
  store.user_ran = false
  local changed = json.list {}
  for _, entry in ipairs(store.entries) do
    local state = core.history(entry.doc)
    if not is_same(entry, state) then
      if entry.state ~= state then name_steps(entry, label) end
      local now = tell(entry)
      if is_new(entry, now) then changed[#changed + 1] = now end
      entry.told, entry.told_path = now, entry.path
    end
  end
  local closed = json.list(store.closed)
  store.closed = {}
  if #changed + #closed == 0 then return nil end
  table.sort(closed)
  return { documents = changed, closed = closed }
end

return store
