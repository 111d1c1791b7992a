--- Patches: the differences of two documents, as data that can be applied to other documents.
-- @module lathe.tree.patch

local core = require "lathe.core"
local diff = require "lathe.tree.diff"
local errors = require "lathe.errors"
local json = require "lathe.tree.json"
local rebuild = require "lathe.tree.rebuild"
local schema = require "lathe.tree.schema"
local structure = require "lathe.tree.structure"
local text = require "lathe.tree.text"
local tokens = require "lathe.tree.tokens"

local patch = {}

--- The version of the form of patches.
patch.VERSION = 1

-- ---- one change -------------------------------------------------------------------------------------

-- The number of the element that a path ends with, and the path of its array.
local function element_of(path)
  local array, number = path:match "^(.*)%[(%d+)%]$"
  return math.tointeger(tonumber(number)), array
end

local function refuse(path, reason, ...)
  error({ place = path, reason = reason:format(...) }, 0)
end

-- Whether a change inserts or removes an element. A field that only one side has is none.
local function is_step(change)
  return (change.added ~= nil or change.removed ~= nil) and change.path:sub(-1) == "]" or change.whole
end

local Run = {}
Run.__index = Run

local function new_run(doc, from_json, force)
  local cache = schema.new(doc)
  return setmetatable({
    doc = doc, schema = cache, maker = structure.maker(cache), from_json = from_json, force = force,
    changed = 0,
  }, Run)
end

-- A value of a change as Lua has it.
function Run:value(value, row)
  return self.from_json and json.decoded(value, row, self.schema) or value
end

local function shown(value, row)
  if type(value) ~= "table" then
    return row and row.ref and tostring(value) or text.scalar(value, row or {})
  end
  return #value > 0 and ("a list of %d"):format(#value) or row and row.type or "a record"
end

-- What is stored, in the form of changes.
local function current_of(value, row)
  if row and row.ref and core.type(value) and core.type(value) ~= "array" then return core.path(value) end
  return core.type(value) and core.totable(value) or value
end

local function is_equal(a, b, row)
  if a == nil or b == nil then return a == b end
  if type(a) == "number" and type(b) == "number" and row and row.kind == "number" then
    return text.scalar(a, row) == text.scalar(b, row) -- as it is written in patches
  end
  return tokens.text(a) == tokens.text(b) and (a ~= 0 or 1 / a == 1 / b)
end

function Run:expect(path, current, wanted, row)
  if self.force or is_equal(current, wanted, row) then return end
  local found, expected = shown(current, row), shown(wanted, row)
  if found == expected then
    refuse(path, "another %s expected than the one found", row and row.type or "value")
  end
  refuse(path, "%s expected, %s found", expected, found)
end

function Run:array_of(path)
  local array, row = self.schema:locate(self.doc, path)
  if core.type(array) ~= "array" then refuse(path, "missing: no array is there") end
  return array, self.schema:element(array, type(row) == "table" and row.name and row or nil), row
end

-- Inserts, removes, or replaces a whole array.
function Run:step(change)
  local at = change.at or change.path
  if change.whole then
    local array, element, row = self:array_of(at)
    local list = type(row) == "table" and row.name and row or core.describe(array)[1]
    self:expect(at, core.totable(array), self:value(change.old, list), element)
    core.assign(array, self:value(change.new, list))
    return
  end
  local i, path = element_of(at)
  if not i then refuse(at, "no place of an element") end
  local array, element = self:array_of(path)
  if not self.force and change.length and #array ~= change.length then
    refuse(path, "%s expected, %d found", text.count(change.length, "element"), #array)
  end
  if change.added ~= nil then
    if i > #array + 1 then refuse(at, "missing: %s has %s", path, text.count(#array, "element")) end
    local row = json.element_row(element, change.added, self.schema)
    self.maker:insert(array, i, self:value(change.added, row), element)
  else
    if i > #array then refuse(at, "missing: %s has %s", path, text.count(#array, "element")) end
    local wanted = self:value(change.removed, json.element_row(element, change.removed, self.schema))
    self:expect(at, current_of(array[i], element), wanted, element)
    core.remove(array, i)
  end
end

-- The value at a path, and its row. The values of keyed arrays are elements here.
function Run:place(path)
  local value, row = self.schema:locate(self.doc, path)
  if type(row) ~= "table" or not row.name then
    if value == nil then refuse(path, "missing") end
    row = {}
  end
  local i, array = element_of(path)
  local owner = i and self.doc:get(array)
  if i and core.type(owner) == "array" then return schema.stored(owner, i, row), row, owner, i end
  if value == nil or core.type(value) then return value, row end
  local parent, name = path:match "^(.*)%.([%a_][%w_]*)$"
  local record = parent and self.doc:get(parent) or not path:find "[.%[]" and self.doc
  if record and core.type(record) then return schema.stored(record, name or path, row), row end
  return value, row
end

-- Compares the old value of a change with what is stored.
function Run:compare(change)
  local path = change.at or change.path
  local current, row = self:place(path)
  local old = change.old
  if change.removed ~= nil then old = change.removed end
  if old ~= nil then self:expect(path, current_of(current, row), self:value(old, row), row) end
end

-- Assigns the new value of a change.
function Run:assign(change)
  local path = change.at or change.path
  local _, row, owner, i = self:place(path)
  local new = change.new
  if change.added ~= nil then new = change.added end
  if new == nil then refuse(path, "it goes only with other changes") end
  new = self:value(new, row)
  if row.ref and not row.array then new = structure.target(self.doc, new) end
  if owner then
    owner[i] = new
    return
  end
  local done, why = self.doc:set(path, new)
  if done == nil and why then error(why, 0) end
end

-- The reason of a raised value, and the place that it names.
local function reason_of(err, change)
  local path = change.at or change.path
  if type(err) == "table" and err.reason then return err.reason, err.place end
  if errors.is(err) then return err.message, path end
  return (tostring(err):gsub("^[^\n]-%.lua:%d+: ", "")), path
end

-- Calls fn(what to do, change) for the changes in the order in which they are applied: elements first, then
-- values, then values that have to wait for others. All old values are compared before the first one is set,
-- as some values are changed by setting others.
local function in_order(list, elements_done, fn)
  for _, change in ipairs(list) do
    if is_step(change) and not change.follows then fn("step", change) end
  end
  elements_done()
  local function values(what, late)
    for _, change in ipairs(list) do
      local is_value = not is_step(change) and not change.frames and not change.follows
      if is_value and (change.late or false) == late then fn(what, change) end
    end
  end
  values("compare", false)
  values("assign", false)
  values("assign", true)
end

-- ---- applying ---------------------------------------------------------------------------------------

local function failed(reason, place, doc)
  local err = errors.new("invalid", place and ("%s: %s"):format(place, reason) or reason, doc and doc.path)
  return nil, err
end

--- Whether a value is a patch, and one for this document.
-- @param list
-- @param doc
-- @treturn boolean
-- @treturn ?string why not
local function fits(list, doc)
  local good, why = patch.check(list)
  if not good then return false, why end
  if list.format ~= doc.format then
    return false, ("the patch is for another format: %s, not %s"):format(list.format, doc.format)
  end
  if list.game and doc.game and list.game ~= doc.game then
    return false, ("the patch is for another game: %s, not %s"):format(list.game, doc.game)
  end
  return true
end

local VALUES = { "old", "new", "added", "removed" }

-- Members of a change that decide how it is applied: a value of another type would leave it out.
local TYPES = { at = "string", late = "boolean", follows = "boolean", whole = "boolean", cannot = "string" }

local function check_change(change, i)
  local at = ("change %d"):format(i)
  if type(change) ~= "table" then return at .. " is no object" end
  if type(change.path) ~= "string" then return at .. " has no path" end
  for key, wanted in pairs(TYPES) do
    if change[key] ~= nil and type(change[key]) ~= wanted then
      return ("%s: %s is not a %s"):format(at, key, wanted)
    end
  end
  if change.length ~= nil and math.type(change.length) ~= "integer" then
    return at .. ": length is not a number"
  end
  if change.frames then return nil end
  for _, key in ipairs(VALUES) do
    if change[key] ~= nil then return nil end
  end
  return at .. " says neither old, new, added nor removed"
end

-- Whether what a patch lacks is told as it should be, as it is shown.
local function is_missing_list(missing)
  if type(missing) ~= "table" then return false end
  for _, one in ipairs(missing) do
    local good = type(one) == "table" and type(one.reason) == "string"
      and (one.path == nil or type(one.path) == "string")
    if not good then return false end
  end
  return true
end

--- Whether a value has the form of a patch.
-- @param list
-- @treturn boolean
-- @treturn ?string why not
function patch.check(list)
  if type(list) ~= "table" then return false, "it is not a patch: a table expected" end
  if list.patch == nil then return false, "it is not a patch: it has no member 'patch'" end
  if list.patch ~= patch.VERSION then
    return false, ("it is a patch of another version: %s, not %d"):format(tostring(list.patch), patch.VERSION)
  end
  if type(list.format) ~= "string" then
    return false, "it is not a patch: it does not say for which format"
  end
  if list.game ~= nil and type(list.game) ~= "string" then
    return false, "it is not a patch: game is not a string"
  end
  if list.missing ~= nil and not is_missing_list(list.missing) then
    return false, "it is not a patch: missing is not a list of what it leaves out"
  end
  for i, change in ipairs(list) do
    local why = check_change(change, i)
    if why then return false, "it is not a patch: " .. why end
  end
  return true
end

-- The report of a patch that was applied.
local function report_of(run, list)
  local notes = {}
  for _, missing in ipairs(list.missing or {}) do
    notes[#notes + 1] = ("the patch leaves out %s%s"):format(missing.path and missing.path .. ": " or "",
      missing.reason)
  end
  return { changed = run.changed, notes = #notes > 0 and notes or nil }
end

--- `lathe.apply`: see `lathe.members`.
function patch.apply(list, doc, opts)
  local good, why
  if type(list) == "string" then
    list, why = patch.read(list)
    if not list then return failed(why, nil, doc) end
  end
  good, why = fits(list, doc)
  if not good then return failed(why, nil, doc) end
  local run = new_run(doc, list.from_json, opts and opts.force)
  local reason, place
  local done, err = pcall(doc.edit, doc, function()
    in_order(list, function() run.maker:finish(doc) end, function(kind, change)
      if change.cannot and not run.force then
        reason, place = "it cannot be applied: " .. tostring(change.cannot), change.path
        error("refused", 0)
      elseif not change.cannot then
        local ok, raised = pcall(run[kind], run, change)
        if not ok then
          reason, place = reason_of(raised, change)
          error("refused", 0)
        end
        if kind ~= "compare" then run.changed = run.changed + 1 end
      end
    end)
  end)
  if done then return report_of(run, list) end
  if not reason then reason, place = reason_of(err, { path = "" }) end
  return failed(reason, place ~= "" and place or nil, doc)
end

-- ---- text -------------------------------------------------------------------------------------------

local ORDER = { "path", "at", "length", "old", "old_name", "new", "new_name", "added", "removed", "whole",
  "late", "follows", "cannot" }
local MEASURES = { "frames", "translation", "translation_frame", "rotation", "rotation_frame", "scale",
  "scale_frame", "value", "value_frame" }

local change_order = table.move(MEASURES, 1, #MEASURES, #ORDER + 2, table.move(ORDER, 1, #ORDER, 1, {}))
change_order[#ORDER + 1] = "name"

--- A change for JSON.
-- @tparam table change
-- @treturn table
function patch.change_json(change)
  local record = {}
  for _, key in ipairs(ORDER) do record[key] = change[key] end
  for _, key in ipairs(VALUES) do
    if change[key] ~= nil then record[key] = json.plain(change[key], change.type, change.own) end
  end
  if change.frames then
    record.name = change.key and json.plain(change.key)
    for _, key in ipairs(MEASURES) do record[key] = change[key] end
  end
  return setmetatable(record, { __jsonorder = change_order, __jsontype = "object" })
end

local function list_json(list, convert)
  local records = setmetatable({}, { __jsontype = "array" })
  for i, item in ipairs(list) do records[i] = convert(item) end
  return records
end

local function missing_json(missing)
  return setmetatable({ path = missing.path, reason = missing.reason },
    { __jsonorder = { "path", "reason" }, __jsontype = "object" })
end

--- The order of the members of a patch in JSON.
patch.ORDER = { "patch", "format", "game", "tolerance", "complete", "missing", "notes", "changes" }

--- The members of a patch for JSON.
-- @tparam table list
-- @treturn table
function patch.json(list)
  local missing = list.missing and #list.missing > 0 and list_json(list.missing, missing_json) or nil
  local notes = list.notes and #list.notes > 0 and list_json(list.notes, missing_json) or nil
  return setmetatable({
    patch = list.patch, format = list.format, game = list.game, tolerance = list.tolerance,
    complete = list.complete, missing = missing, notes = notes,
    changes = list_json(list, patch.change_json),
  }, { __jsonorder = patch.ORDER, __jsontype = "object" })
end

--- Reads a patch from its JSON text.
-- @tparam string source
-- @treturn ?table
-- @treturn ?string what is wrong with it
function patch.read(source)
  local value, why = json.parse(source)
  if why then return nil, "it is not JSON: " .. why end
  if type(value) ~= "table" or value.patch == nil then
    return nil, "it is not a patch, as `lathe diff --json` writes them: it has no member \"patch\""
  end
  if type(value.changes) ~= "table" then return nil, "it is not a patch: it has no list of changes" end
  local list = { from_json = true }
  for key, item in pairs(value) do
    if key ~= "changes" and type(key) == "string" then list[key] = item end
  end
  for i, change in ipairs(value.changes) do list[i] = change end
  local good, problem = patch.check(list)
  if not good then return nil, problem end
  return list
end

-- ---- making -----------------------------------------------------------------------------------------

-- Applies what can be applied, and gives the changes that failed with their reasons.
local function try_all(list, doc)
  local run = new_run(doc, false, true)
  local fails, unfinished = {}, nil
  doc:edit(function()
    in_order(list, function()
      local done, why = pcall(run.maker.finish, run.maker, doc)
      if not done then unfinished = reason_of(why, { path = "" }) end
    end, function(kind, change)
      local ok, why = pcall(run[kind], run, change)
      if not ok then fails[#fails + 1] = { change = change, reason = reason_of(why, change), kind = kind } end
    end)
    for _, fail in ipairs(fails) do -- once more, behind the others
      if fail.kind == "assign" and pcall(run.assign, run, fail.change) then
        fail.change.late, fail.done = true, true
      end
    end
  end)
  return fails, unfinished, run
end

-- Whether a document already has what a change would set, after all others.
local function is_there(run, change)
  local ok, value = pcall(run.place, run, change.path)
  if change.removed ~= nil then return not ok or value == nil end
  local new = change.new
  if change.added ~= nil then new = change.added end
  if not ok then return false end
  local located, row = run.schema:locate(run.doc, change.path)
  return located ~= nil and is_equal(current_of(value, row), new, row)
end

-- Notes which changes follow from others, and which cannot be applied.
local function sort_out(list, fails, run)
  for _, fail in ipairs(fails) do
    local change = fail.change
    if not fail.done and is_there(run, change) then
      change.follows = true
    elseif not fail.done then
      change.cannot = fail.reason
      list.missing[#list.missing + 1] = { path = change.path, reason = fail.reason }
    end
  end
end

-- Applies a patch to a copy of the old document, and notes what it lacks.
local function try(list, a, b, options)
  local bytes, wanted = rebuild.content(a), rebuild.content(b)
  if not bytes or not wanted then
    list.missing[1] = { reason = "the file cannot be encoded, so the patch was not tried" }
    return
  end
  options = options or {}
  options.format, options.path = a.format, options.path or a.path
  local copy <close>, why = core.parse(bytes, options)
  if not copy then
    list.missing[1] = { reason = tostring(why) }
    return
  end
  local fails, unfinished, run = try_all(list, copy)
  sort_out(list, fails, run)
  if unfinished then list.missing[#list.missing + 1] = { reason = unfinished } end
  local result = rebuild.content(copy)
  if result ~= wanted and #list.missing == 0 then
    local at = result and diff.first_difference(result, wanted)
    list.missing[1] = { reason = at and ("bytes from 0x%x on, which no field shows"):format(at)
      or "the result cannot be encoded" }
  end
end

local function start(list, doc)
  list.patch, list.format, list.game = patch.VERSION, doc.format, doc.game
  list.missing, list.complete = {}, true
  return list
end

--- A patch without changes.
-- @param doc a document
-- @treturn table
function patch.empty(doc) return start({}, doc) end

--- `lathe.diff`: see `lathe.members`.
-- @param a a document
-- @param b another of the same format
-- @tparam[opt] table opts
-- @tparam[opt] table options for `lathe.parse`, with which a copy of `a` is opened
-- @treturn ?table the patch
-- @treturn ?Error why a document cannot be read
function patch.make(a, b, opts, options)
  local done, list, notes = pcall(diff.diff, a, b, opts)
  if not done then
    if errors.is(list) then return nil, list end
    error(list, 0)
  end
  start(list, a)
  if notes and #notes > 0 then list.notes = notes end
  if opts and opts.tolerance and opts.tolerance > 0 then
    list.missing[1] = { reason = ("differences of at most %.9g"):format(opts.tolerance) }
    list.tolerance = opts.tolerance
  end
  if not rawequal(a, b) and not (opts and opts.try == false) then try(list, a, b, options) end
  list.complete = #list.missing == 0
  return list
end

return patch
