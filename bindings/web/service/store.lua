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
  by_path = {},
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

--- The entry of a path; of several, one.
-- @tparam string path
-- @treturn ?table
function store.at(path) return store.by_path[path] end

local numbers = {} -- the last number that was put behind a path

--- A path that no open document has: the given one; or with a number, one without a file.
-- @tparam string path
-- @tparam[opt] boolean is_new whether the given one must not have a file either
-- @treturn string
function store.free_path(path, is_new)
  if not store.at(path) and not (is_new and files.size(path)) then
    numbers[path] = nil
    return path
  end
  local stem, extension = paths.with_extension(path), path:match "%.[^./]*$" or ""
  for n = (numbers[path] or 1) + 1, math.huge do
    local free = ("%s (%d)%s"):format(stem, n, extension)
    if not store.at(free) and not files.size(free) then
      numbers[path] = n
      return free
    end
  end
end

-- The prompt can open a file twice: then one of the documents is found by the path.
local function forget_path(entry)
  local path = entry.path
  if not path or store.by_path[path] ~= entry then return end
  store.by_path[path] = nil
  for _, other in ipairs(store.entries) do
    if other ~= entry and other.path == path then store.by_path[path] = other end
  end
end

local function set_path(entry, path)
  forget_path(entry)
  entry.path, store.by_path[path] = path, entry
end

--- Gives a document another path; with a number if another document has that one.
-- @tparam table entry
-- @tparam string path
function store.rename(entry, path)
  if path ~= entry.path then set_path(entry, store.free_path(path)) end
end

--- The bytes of all open files.
-- @treturn integer
function store.bytes()
  local sum = 0
  for _, entry in ipairs(store.entries) do sum = sum + entry.size end
  return sum
end

--- Notes that the user stored a file, which may be called like the backup of an open document.
-- @tparam string path
function store.stored(path)
  local entry = store.at(path:match "^(.*)%.bak$" or "")
  if entry then entry.has_other_backup = true end
end

--- The file that has a document as it was opened.
-- @tparam table entry
-- @treturn string
function store.opened_file(entry)
  local backup = entry.file .. ".bak"
  return entry.opened or not entry.has_other_backup and files.size(backup) and backup or entry.file
end

--- Keeps the bytes of a document as it was opened. Saving keeps them in a backup, but not if the document was
-- renamed, or if the user has a file of the backup's name.
-- @tparam table entry
function store.keep_opened(entry)
  if entry.opened or not files.size(entry.file) then return end
  if entry.file ~= entry.path then
    entry.opened = store.opened_file(entry)
  elseif entry.has_other_backup then
    entry.opened = store.free_path(entry.path .. ".bak", true)
    files.write(entry.opened, files.read(entry.file))
  end
end

--- Adds an open document.
-- @param doc
-- @tparam string path
-- @tparam table options those that it was opened with
-- @treturn table its entry
function store.add(doc, path, options)
  store.last = store.last + 1
  local entry = { id = store.last, doc = doc, size = files.size(path) or 0, options = options, labels = {},
    file = path, has_other_backup = files.size(path .. ".bak") ~= nil }
  set_path(entry, path)
  table.insert(store.entries, entry)
  store.by_id[entry.id] = entry
  return entry
end

local function drop(entry)
  for i, one in ipairs(store.entries) do
    if one == entry then table.remove(store.entries, i) break end
  end
  store.by_id[entry.id] = nil
  forget_path(entry)
  store.closed[#store.closed + 1] = entry.id
end

-- Removes the files of a document, but none that another one has.
local function remove_files(entry)
  local backup = not entry.has_other_backup and entry.path .. ".bak" or nil
  for _, path in pairs { entry.path, entry.file, entry.opened, backup = backup } do
    if not store.at(path) then files.remove(path) end
  end
end

--- Closes a document.
-- @tparam table entry
-- @tparam boolean keep whether its file stays
function store.close(entry, keep)
  pcall(function() entry.doc:close() end) -- a script may have closed it
  drop(entry)
  if not keep then remove_files(entry) end
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

-- The path of a document that the prompt has opened: below the root, or a new one.
local function path_of(doc)
  local real = doc.path and core.real_path(doc.path)
  if real and paths.below(real, store.root) then return real:sub(#store.root + 2) end
  return store.free_path(("new %d.%s"):format(store.last + 1, doc.format), true)
end

-- Documents that the prompt has opened, and that it has closed. The user may have given its list a metatable:
-- its functions must not run with the rights of the service.
local function adopt()
  local known = {}
  for i = #store.entries, 1, -1 do
    local entry = store.entries[i]
    if values.is_open(entry.doc) then known[entry.doc] = true else store.close(entry, true) end
  end
  local list = store.docs.list
  for i = 1, rawlen(list) do
    local doc = rawget(list, i)
    if values.is_open(doc) and not known[doc] then
      known[doc] = true
      store.add(doc, path_of(doc), store.docs.options)
    end
  end
end

--- Puts the documents into the list that the prompt has.
-- @tparam ?table current the entry of `doc`
function store.offer(current)
  local list = store.docs.list
  for i = rawlen(list), 1, -1 do rawset(list, i, nil) end
  for i, entry in ipairs(store.entries) do rawset(list, i, entry.doc) end
  rawset(store.docs.env, "doc", current and current.doc or nil)
end

--- What changed since this was last called.
-- @tparam string label the name of steps that were made meanwhile
-- @treturn ?table `documents`, `closed`; nil: nothing
function store.changes(label)
  local ran = store.user_ran
  store.user_ran = false
  if ran then adopt() end
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
