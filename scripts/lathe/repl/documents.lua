--- The documents of the prompt: opens them, saves them, and says what has changed.
-- @module lathe.repl.documents

local lathe = require "lathe"
local lfs = require "lfs"
local core = require "lathe.core"
local inputs = require "lathe.cli.batch.inputs"
local out = require "lathe.cli.out"
local pager = require "lathe.repl.pager"
local paths = require "lathe.paths"
local text = require "lathe.tree.text"
local tree = require "lathe.tree.diff"
local values = require "lathe.repl.values"

local Documents = {}
Documents.__index = Documents

local documents = {}

local HISTORY = 100 -- maximum number of undo steps

--- Starts without documents.
-- @tparam table options for `lathe.open`
-- @treturn Documents with `list`, which is `docs` at the prompt
function documents.new(options)
  options.history = HISTORY
  return setmetatable({ options = options, list = {} }, Documents)
end

-- Calls a function that opens or saves a file. In the sandbox of a script this is replaced: what is asked for
-- at the prompt may read and write other files than the script.
function Documents.host(fn, ...) return fn(...) end

--- Opens files and adds them to the list.
-- @tparam {string,...} files
-- @treturn integer how many could not be opened; stderr says why
function Documents:open_all(files)
  return self:open_items(inputs.collect(files))
end

--- Opens items of `inputs.collect`.
-- @tparam {table,...} items
-- @treturn integer how many could not be opened; stderr says why
function Documents:open_items(items)
  local failed = 0
  for _, item in ipairs(items) do
    local doc, err
    if item.error then
      err = item.path .. ": " .. item.error
    else
      doc, err = self.host(lathe.open, item.path, self.options)
    end
    if doc then
      self.list[#self.list + 1] = doc
    else
      failed = failed + 1
      out.fail(tostring(err))
    end
  end
  return failed
end

-- The name of a document at the prompt, such as docs[2]; nil: none.
local function name_of(self, doc)
  local env = self.env
  if rawequal(env.doc, doc) then return "doc" end
  for i, other in ipairs(self.list) do
    if rawequal(other, doc) then return ("docs[%d]"):format(i) end
  end
  for name, value in pairs(self:globals()) do
    if rawequal(value, doc) then return name end
  end
end

-- The global variables with values of lathe: of the prompt, and of the script that ran before.
function Documents:globals()
  local found = {}
  for _, env in ipairs { self.script_env or {}, self.env } do
    for name, value in next, env do
      if type(name) == "string" and core.type(value) then found[name] = value end
    end
  end
  return found
end

--- All open documents: those of the list, and those in global variables.
-- @treturn {Document,...}
function Documents:all()
  local all, seen, names = {}, {}, {}
  local function add(value)
    if values.is_open(value) and not seen[value] then
      seen[value] = true
      all[#all + 1] = value
    end
  end
  for _, doc in ipairs(self.list) do add(doc) end
  local globals = self:globals()
  for name in pairs(globals) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do add(globals[name]) end
  return all
end

local function title(doc)
  return doc.path or ("a new %s document"):format(doc.format)
end

--- The names of all documents that were changed and not saved.
-- @treturn {string,...}
function Documents:unsaved()
  local names = {}
  for _, doc in ipairs(self:all()) do
    if doc.modified then names[#names + 1] = title(doc) end
  end
  return names
end

-- A document that was given to a function of the prompt, or the current one.
local function one(self, given)
  local doc = given
  if doc == nil then doc = self.env.doc end
  if doc == nil then error("no file is open: open \"FILE\" opens one", 0) end
  if not values.is_document(doc) then
    error(("%s is not a document"):format(given == nil and "doc" or values.words(given)), 0)
  end
  if not values.is_open(doc) then error("document is closed", 0) end
  return doc
end

-- ---- undo --------------------------------------------------------------------------------------------

-- What another document has that this one has not: something to take back.
local function others(self, doc)
  local names = {}
  for _, other in ipairs(self:all()) do
    if not rawequal(other, doc) and other.modified then names[#names + 1] = name_of(self, other) end
  end
  if not names[1] then return "" end
  return ("; %s was changed, too: undo(%s)"):format(names[1], names[1])
end

local function step(self, method, words, given, steps)
  if math.type(given) == "integer" then given, steps = nil, given end
  local doc = one(self, given)
  steps = steps or 1
  if math.type(steps) ~= "integer" or steps < 1 then
    error(("%s takes a number of steps, from 1; not %s"):format(method, values.words(steps)), 0)
  end
  local done = 0
  while done < steps and doc[method](doc) do done = done + 1 end
  if done == 0 then
    out.line("nothing to " .. method .. (method == "undo" and others(self, doc) or ""))
  elseif steps == 1 then
    out.line(words)
  else
    out.line(("%s %s"):format(words, text.count(done, "step"))
      .. (done < steps and "; there were no more" or ""))
  end
end

-- ---- changes -----------------------------------------------------------------------------------------

-- The lines that say how a document differs from its file.
local function changed_lines(self, doc)
  local path = doc.path
  if not path then return { title(doc) .. ": it has no file yet; save(\"FILE\") writes doc to one" } end
  local options = {}
  for name, value in pairs(self.options) do options[name] = value end
  options.history, options.format = nil, doc.format
  local old <close>, err = self.host(lathe.open, path, options)
  if not old then return { ("%s: it cannot be compared with its file: %s"):format(path, err) } end
  local list = tree.told(old, doc)
  local lines = { ("%s: %s"):format(path, text.count(#list, "difference")) }
  if #list == 0 then lines[1] = path .. ": no field differs from the file" end
  for _, change in ipairs(list) do lines[#lines + 1] = "  " .. tree.line(change) end
  return lines
end

local function changes(self, given)
  local changed = given ~= nil and { one(self, given) } or {}
  if given == nil then
    for _, doc in ipairs(self:all()) do
      if doc.modified then changed[#changed + 1] = doc end
    end
  end
  if #changed == 0 then return out.line "nothing has changed" end
  pager.show(function(emit)
    for _, doc in ipairs(changed) do
      for _, line in ipairs(changed_lines(self, doc)) do emit(line) end
    end
  end, self.interactive)
end

-- ---- save --------------------------------------------------------------------------------------------

--- Writes a document.
-- @tparam Document doc
-- @tparam string path
-- @tparam boolean backup whether the original is kept as FILE.bak; one of an earlier save stays as it is
-- @treturn ?table `lost`, a list of what the file does not keep; `backup`: whether FILE.bak is there, and
--   `older`: whether it was there before
-- @return the error
function Documents:write(doc, path, backup)
  local bak = (paths.real(path) or path) .. ".bak" -- beside the target of a link
  local has_older = lfs.symlinkattributes(bak, "mode") ~= nil -- the original, of an earlier save
  local was_there = lfs.attributes(path, "mode") ~= nil
  local done, said = self.host(doc.save, doc, path, { backup = backup and not has_older })
  if not done then return nil, said end
  return { lost = said or {}, backup = backup and (was_there or has_older), older = has_older }
end

-- Writes one document. Returns whether that worked.
local function save_one(self, doc, path, backup)
  if not path then
    out.line(("%s: not saved, as it has no file yet; save(\"FILE\") writes doc to one"):format(title(doc)))
    return true
  end
  local done, err = self:write(doc, path, backup)
  if not done then return nil, err end
  local kept = path .. (done.older and ".bak stays as it was" or ".bak is what was there")
  local note = done.backup and "; " .. kept or ""
  out.line(("saved %s (%s)%s"):format(path, text.count(doc.size, "byte"), note))
  for _, lost in ipairs(done.lost) do out.line("  " .. tostring(lost)) end
  return true
end

local SAVE = "save() writes each changed document to its own file; save(doc) that one; save(\"FILE\") writes "
  .. "doc to another file; { backup = false } at the end keeps no backup"

-- The document, path and options that save was called with.
local function save_arguments(self, ...)
  local given = { ... }
  local doc = values.is_document(given[1]) and one(self, table.remove(given, 1)) or nil
  local path = type(given[1]) == "string" and table.remove(given, 1) or nil
  local opts = type(given[1]) == "table" and not core.type(given[1]) and table.remove(given, 1) or {}
  if next(given) ~= nil then error(SAVE, 0) end
  for name, value in next, opts do
    if name ~= "backup" or type(value) ~= "boolean" then error(SAVE, 0) end
  end
  return doc, path, rawget(opts, "backup") ~= false
end

local function save(self, ...)
  local doc, path, backup = save_arguments(self, ...)
  if path then
    local done, err = save_one(self, one(self, doc), path, backup)
    if not done then error(err, 0) end
    return
  end
  local any, problem = false, nil
  for _, changed in ipairs(doc and { doc } or self:all()) do
    if changed.modified then
      any = true
      local done, err = save_one(self, changed, changed.path, backup)
      if not done then
        problem = problem or err
        out.line(("%s: not saved: %s"):format(title(changed), err))
      end
    end
  end
  if not any then out.line "nothing to save: no document has changed" end
  if problem then error(problem, 0) end
end

-- ---- open --------------------------------------------------------------------------------------------

local function opened(self, path, options)
  if type(path) ~= "string" then error("open takes the path of a file: open \"FILE\"", 0) end
  local all = {}
  for name, value in pairs(self.options) do all[name] = value end
  for name, value in pairs(options or {}) do all[name] = value end
  local doc, err = self.host(lathe.open, path, all)
  if not doc then return nil, err end
  self.list[#self.list + 1] = doc
  self.env.doc = doc
  self.told = doc
  out.line(("doc and docs[%d] are %s"):format(#self.list, documents.summary(doc)))
  return doc
end

--- A document in a few words: its path, format and size.
-- @tparam Document doc
-- @treturn string
function documents.summary(doc)
  return ("%s (%s, %s)"):format(doc.path, doc.format, text.count(doc.size, "byte"))
end

--- The functions for the prompt.
-- @treturn table by name
function Documents:functions()
  return {
    open = function(...) return opened(self, ...) end,
    save = function(...) return save(self, ...) end,
    changes = function(...) return changes(self, ...) end,
    undo = function(...) return step(self, "undo", "undone", ...) end,
    redo = function(...) return step(self, "redo", "redone", ...) end,
  }
end

return documents
