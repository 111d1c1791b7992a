--- Calls: the fields of a document as rows, a level at a time.
-- @module service.rows

local brief = require "lathe.tree.brief"
local core = require "lathe.core"
local help_fields = require "lathe.repl.help_fields"
local json = require "service.json"
local kinds = require "lathe.repl.kinds"
local lists = require "service.lists"
local pages = require "lathe.repl.pages"
local place = require "lathe.cli.verbs.place"
local refuse = require "service.refuse"
local schema = require "lathe.tree.schema"
local store = require "service.store"
local text = require "lathe.tree.text"

local rows = { calls = {} }
local calls = rows.calls

local MOST <const> = 1000       -- rows of a reply
local WIDTH <const> = 100      -- columns of help
local MANY_NAMES <const> = 100  -- more names are told of a single row only
local LONGEST <const> = 2000    -- bytes of a text that is shown

-- ---- texts to edit -----------------------------------------------------------------------------------

-- Words that `lathe set` does not read as text.
local SPECIAL <const> = { ["nil"] = true, null = true }

local function quoted(value)
  return '"' .. text.printable((value:gsub('[\\"]', "\\%0"))) .. '"'
end

-- A text as it is typed.
local function edit_text(value)
  local is_plain = utf8.len(value) and text.printable(value) == value and not value:find "^[\"']"
    and not value:find "^%s" and not value:find "%s$" and not SPECIAL[value]
  return is_plain and value or quoted(value)
end

lists.edit_text = edit_text

local function edit_scalar(value, row)
  if core.type(value) then return core.path(value) end
  if value == false and row.ref then return "null" end
  if type(value) == "number" then return text.number(value, row.type) end
  if value == false and row.kind == "string" then return "" end -- no text at all
  if type(value) ~= "string" then return tostring(value) end
  return row.enum and value or edit_text(value)
end

-- A list as it is typed; in lists of texts all have quotes.
local function edit_list(count, value_of)
  local parts = {}
  for i = 1, count do
    local value, row = value_of(i)
    parts[i] = type(value) == "string" and not row.enum and quoted(value) or edit_scalar(value, row)
  end
  return "{" .. table.concat(parts, ", ") .. "}"
end

-- ---- rows --------------------------------------------------------------------------------------------

local function shown(value)
  value = text.utf8(value)
  if #value <= LONGEST then return value end
  local cut = utf8.offset(value, 0, LONGEST) - 1
  return ("%s… (%d bytes)"):format(value:sub(1, cut), #value)
end

-- What all elements of an array have in common, and a field has of its own.
local function add_kind(row, given, all)
  local least, most = help_fields.limits(given)
  local names, is_open = kinds.names(given)
  names = given.flags and given.names or names
  row.type, row.unit = given.type and text.utf8(given.type), given.unit
  row.min, row.max = least and json.number(least), most and json.number(most)
  row.doc = given.doc ~= "" and given.doc and text.utf8(given.doc) or nil
  if names and (all or #names <= MANY_NAMES) then
    row.names = json.list(table.move(names, 1, #names, 1, {}))
    if is_open then table.sort(row.names) end
  end
  row.flags, row.open = given.flags or nil, is_open or nil
  row.computed, row.padding, row.inside = given.computed or nil, given.padding or nil, given.inside or nil
end

-- Why a value cannot be edited; nil: it can.
local function why_not(given)
  if given.readonly then return "it is read-only" end
  if given.inside then return "lathe maintains this bookkeeping field itself" end
  if text.is_bytes(given) then return "raw bytes: scripts can change them" end
end

local function set_editable(row, why, edit)
  row.editable, row.why = why == nil, why
  if not why then row.edit = text.utf8(edit) end
end

local Level = {}
Level.__index = Level

function Level:array(row, value, given)
  local element = self.cache:element(value, given)
  row.kind, row.resizable, row.children = "array", given.resizable or nil, #value
  row.type = ("%s[%d]"):format(text.utf8(given.type or ""), #value)
  if brief.has_records(value, given) then
    return set_editable(row, "a list of records: edit their fields")
  end
  row.value = shown((brief.scalars(value, element)))
  local why = why_not(given)
  if not why and given.ref then why = "a list of references: edit its elements" end
  if not why and #value > brief.LINE_ITEMS then why = "a long list: edit its elements" end
  set_editable(row, why, why or edit_list(#value, function(i) return value[i], element end))
end

function Level:record(row, value, given)
  row.kind, row.type, row.children = "record", text.utf8(core.type(value)), #self:fields(value)
  if not self.cache:is_vector(value) then
    row.value = brief.name(value, self.cache)
    row.value = row.value and shown(row.value)
    return set_editable(row, "a record: edit its fields")
  end
  local fields = self.cache:rows(value)
  row.value = shown(brief.vector(value, self.cache))
  local parts = {}
  for i, field in ipairs(fields) do
    parts[i] = ("%s=%s"):format(field.name, edit_scalar(value[field.name], field))
  end
  set_editable(row, why_not(given), "{" .. table.concat(parts, ", ") .. "}")
end

-- The names of the bits that are set.
local function bits_of(owner, key)
  local ok, names = pcall(core.names, owner, key)
  return ok and json.list(names) or nil
end

-- A row for a value.
function Level:row(name, path, value, given, owner, key)
  local row = { name = text.utf8(name), path = path, kind = "value" }
  if not self.common then add_kind(row, given, self.all_names) end
  local kind = core.type(value)
  if kind == "array" then
    self:array(row, value, given)
  elseif kind and not given.ref then
    self:record(row, value, given)
  else
    if given.ref then
      row.kind, row.target = "reference", kind and core.path(value) or nil
      row.target_type = kind
    end
    row.value, row.meaning = shown(brief.value(value, given)), text.meaning(value, given)
    row.on = given.flags and bits_of(owner, key) or nil
    local why = why_not(given)
    set_editable(row, why, why or edit_scalar(value, given))
  end
  return row
end

local function problem_text(problem) return "not understood: " .. text.utf8(tostring(problem)) end

-- A row for what cannot be read.
local function damaged(name, path, problem)
  return {
    name = text.utf8(name), path = path, kind = "value", value = problem_text(problem), editable = false,
    why = "the file is damaged here", problem = text.utf8(tostring(problem)),
  }
end

-- The fields of a record that are shown: each with `row`, and `value` or `problem`.
function Level:fields(view)
  local list, hidden = {}, self.all and {} or self.cache:defaults(view)
  for _, row in ipairs(self.all and self.cache:rows(view) or self.cache:shown_rows(view)) do
    if self.all or not row.inside and not hidden[row.name] then
      local value, problem = brief.try(schema.value, view, row.name, row)
      if problem or value ~= nil and (self.all or not (row.padding and value == "")) then
        list[#list + 1] = { row = row, value = value, problem = problem }
      end
    end
  end
  return list
end

local function join(path, name) return path == "" and name or path .. "." .. name end

function Level:of_record(view, path, from, count)
  local fields, list = self:fields(view), json.list {}
  for i = from, math.min(from + count - 1, #fields) do
    local field = fields[i]
    local name = field.row.name
    local here = join(path, name)
    list[#list + 1] = field.problem and damaged(name, here, field.problem)
      or self:row(name, here, field.value, field.row, view, name)
  end
  return list, #fields
end

function Level:of_array(array, row, path, from, count)
  local element, list = self.cache:element(array, row), json.list {}
  local common = {}
  add_kind(common, element, self.all_names)
  self.common = true
  for i = from, math.min(from + count - 1, #array) do
    local value, problem = brief.try(function() return array[i] end)
    local name = ("[%d]"):format(i)
    list[#list + 1] = problem and damaged(name, path .. name, problem)
      or self:row(name, path .. name, value, element, array, i)
  end
  self.common = nil
  return list, #array, common
end

-- ---- calls -------------------------------------------------------------------------------------------

local function level_of(entry, args)
  return setmetatable({ doc = entry.doc, cache = schema.new(entry.doc), all = args.all == true }, Level)
end

-- The value at a path, its row, and the path of the field itself.
local function located(entry, path, cache)
  if path == "" then return entry.doc, {} end
  local own, why = place.of(entry.doc, path)
  if not own then error(why, 0) end
  local value, row = cache:locate(entry.doc, own)
  if value == nil then
    if type(row) == "table" and row.code then error(row, 0) end
    refuse.with("name", "%s is absent", text.printable(path))
  end
  return value, row or {}, own
end

-- The rows of a document: its lists, then its fields.
function Level:of_document(from, count)
  local before, list = lists.top(self.doc), json.list {}
  for i = from, math.min(from + count - 1, #before) do list[#list + 1] = before[i] end
  local fields, total = self:of_record(self.doc, "", math.max(from - #before, 1), count - #list)
  return table.move(fields, 1, #fields, #list + 1, list), #before + total
end

-- The elements of such a list.
function Level:of_list(elements, path, from, count)
  local list = json.list {}
  for i = from, math.min(from + count - 1, #elements) do
    local name, value = elements[i][1], elements[i][2]
    list[#list + 1] = place.is_record(value) and self:row(name, path .. name, value, {})
      or lists.row(self.doc, path .. name, value)
  end
  return list, #elements
end

-- The level of a path that is no field; nil: it is one.
local function level_beside(level, path, from, count)
  local elements = lists.elements(level.doc, path)
  if elements then
    local found, total = level:of_list(elements, path, from, count)
    return { path = path, from = from, kind = "array", rows = found, total = total }
  end
  local object = lists.object(level.doc, path)
  if object == nil then return nil end
  local found, total = lists.level(level.doc, path, object, from, count)
  return { path = path, from = from, kind = "record", type = core.type(object), rows = found, total = total }
end

function calls.tree(args)
  local entry, path = store.of(args), place.typed(refuse.text(args, "path", ""))
  local from = refuse.integer(args, "from", 1, 1, math.maxinteger >> 8)
  local count = refuse.integer(args, "count", 100, 0, MOST)
  local level = level_of(entry, args)
  local beside = level_beside(level, path, from, count)
  if beside then return beside end
  local value, row = located(entry, path, level.cache)
  local kind = core.type(value)
  local result = { path = path, from = from, type = kind and text.utf8(kind) }
  if kind == "array" then
    result.kind = "array"
    result.rows, result.total, result.element = level:of_array(value, row, path, from, count)
  elseif kind and kind ~= "buffer" then
    result.kind = "record"
    if path == "" then
      result.rows, result.total = level:of_document(from, count)
    else
      result.rows, result.total = level:of_record(value, path, from, count)
    end
    local problem = core.problem(value)
    result.problem = problem and problem_text(problem) or nil
  else
    result.kind, result.rows, result.total = "value", json.list {}, 0
  end
  return result
end

-- The paths of what a path is in, outermost first.
local function parents_of(path)
  local list = json.list {}
  for at in path:gmatch "()[.%[]" do
    if at > 1 then list[#list + 1] = path:sub(1, at - 1) end
  end
  return list
end

-- The view and the key of the field at a path.
local function owner_of(doc, own)
  local parent, number = own:match "^(.*)%[(%d+)%]$"
  if parent then return doc:get(parent), math.tointeger(tonumber(number)) end
  local before, name = own:match "^(.*)%.([%a_][%w_]*)$"
  if before then return doc:get(before), name end
  return doc, own
end

--- The row of a path.
-- @tparam table entry of the document
-- @tparam string path
-- @treturn table
-- @return the record that has the field
-- @treturn ?table the field's row in the schema
function rows.of(entry, path)
  local level = level_of(entry, { all = true })
  level.all_names = true
  local object = lists.object(entry.doc, path, true)
  if object ~= nil then return lists.row(entry.doc, path, object) end
  for _, row in ipairs(lists.top(entry.doc)) do
    if row.path == path then return row end
  end
  local value, row, own = located(entry, path, level.cache)
  local owner, key = owner_of(entry.doc, own)
  local name = path:match "%[[^%[]*%]$" or path:match "[^.]*$"
  return level:row(name, path, value, row, owner, key), owner, type(key) == "string" and row or nil
end

-- What `?doc.path` shows at the prompt.
local function help_lines(entry, path, owner, row)
  local page = pages.new(WIDTH)
  local ok = pcall(help_fields.fill, page, owner, row, "doc." .. path, entry.doc)
  return json.lines(ok and page.lines or {})
end

function calls.row(args)
  local entry, path = store.of(args), place.typed(refuse.text(args, "path"))
  if path == "" then refuse.usage "argument 'path': the path of a field expected" end
  local row, owner, given = rows.of(entry, path)
  return {
    row = row, lines = given and given.name and help_lines(entry, path, owner, given) or json.list {},
    parents = parents_of(row.path),
  }
end

return rows
