--- What a command that is a verb is called on: the document, or the records that the option `at` names.
-- @module lathe.cli.verbs.targets

local core = require "lathe.core"
local place = require "lathe.cli.verbs.place"
local text = require "lathe.tree.text"

local verb_targets = {}

local NAMED = 8 -- maximum number of paths in a message
local ANIMATION = "animation" -- is no type of records

--- Adds `--at`.
-- @param command an argparse command
-- @tparam string of what it names: "an animation, such as animations[2]"
-- @tparam boolean whole whether the verb applies to whole files, too
function verb_targets.option(command, of, whole)
  local default = whole and "the whole file" or "the only one that the file has"
  command:option("--at", ("Path of %s.\nGive it again for several. Default: %s."):format(of, default))
    :argname "<path>":count "*"
end

-- ---- searching ----------------------------------------------------------------------------------

local element_types = {} -- by type of records: the types of the elements of its arrays

-- Describing a type takes most of the time of a search. Types that only a file has are not kept: there is no
-- end of them.
local function elements_of(type_name)
  if element_types[type_name] then return element_types[type_name] end
  local rows, list = core.describe(type_name), {}
  for _, row in ipairs(rows or {}) do
    if row.array and not row.ref then list[#list + 1] = row.type end
  end
  if rows then element_types[type_name] = list end
  return list
end

-- Whether records of a type have arrays of the wanted types, however deep. `known` keeps the answers.
local function leads(type_name, wanted, known)
  if known[type_name] ~= nil then return known[type_name] end
  known[type_name] = false -- while it is looked at
  for _, element in ipairs(elements_of(type_name)) do
    if wanted[element] or leads(element, wanted, known) then
      known[type_name] = true
      break
    end
  end
  return known[type_name]
end

-- Collects the paths of records of the wanted types in the arrays of a record.
local function search(view, wanted, known, found)
  for _, row in ipairs(core.describe(view)) do
    local list = row.array and not row.ref and view[row.name]
    for i = 1, core.type(list) == "array" and #list or 0 do
      local element = list[i]
      local type_name = core.type(element)
      if not type_name then break end
      if wanted[type_name] then found[#found + 1] = core.path(element) end
      if leads(type_name, wanted, known) then
        search(element, wanted, known, found)
      elseif not wanted[type_name] and row.type == type_name then
        break -- the others are of the same type
      end
    end
  end
end

-- The paths of all records that alone have the verb.
local function candidates(doc, types)
  local found, wanted = {}, {}
  for _, name in ipairs(types) do wanted[name] = true end
  for i = 1, wanted[ANIMATION] and #doc.animations or 0 do found[i] = ("animations[%d]"):format(i) end
  wanted[ANIMATION] = nil
  if next(wanted) then search(doc, wanted, {}, found) end
  return found
end

local function listed(list)
  local some = table.move(list, 1, math.min(#list, NAMED), 1, {})
  if #list > NAMED then some[#some + 1] = ("%d more"):format(#list - NAMED) end
  return table.concat(some, ", ")
end

-- ---- choosing -----------------------------------------------------------------------------------

local function row_of(record, name)
  for _, row in ipairs(core.verbs(record)) do
    if row.name == name then return row end
  end
end

local function at(doc, path, about)
  local record, why = place.value(doc, path)
  if record == nil then return nil, why end
  local is_record, row = pcall(row_of, record, about.name)
  if not is_record or not row then
    return nil, ("%s has no %s: --at is the path of %s"):format(path, about.name:gsub("_", "-"), about.at)
  end
  return { record = record, row = row, path = path }
end

-- What a verb is called on: each with `record`, the `row` of its verb, and `path` if it is not the document.
local function chosen(doc, given, about, all)
  if not given or #given == 0 then
    local row = all.documents[doc.format]
    if row then return { { record = doc, row = row } } end
    given = candidates(doc, all.types[doc.format] or {})
    if #given ~= 1 then
      return nil, ("it has %s with this verb: say with --at which one is meant: %s"):format(
        text.count(#given, "record"), listed(given))
    end
  end
  local list = {}
  for i, path in ipairs(given) do
    local target, why = at(doc, path, about)
    if not target then return nil, why end
    list[i] = target
  end
  return list
end

-- The reports of several records as one.
local function merged(done, more)
  if not done then return more end
  done.changed = done.changed + more.changed
  for _, name in ipairs { "skipped", "warnings", "notes" } do
    if more[name] then
      done[name] = done[name] or {}
      table.move(more[name], 1, #more[name], #done[name] + 1, done[name])
    end
  end
  return done
end

--- Calls a verb on the document, or on the records that `--at` names.
-- @param doc
-- @tparam ?{string,...} given the paths of `--at`
-- @tparam table about the command, see `lathe.cli.verbs`
-- @tparam table all from `verb_options.look_up`
-- @tparam function call (target) -> report | nil, err. A target has `record`, the `row` of its verb, and
--   `path`
--   unless it is the document
-- @return[1] the report; of several, their sum
-- @treturn[2] nil
-- @return[2] the error
function verb_targets.each(doc, given, about, all, call)
  local list, why = chosen(doc, given, about, all)
  if not list then return nil, why end
  if #list == 1 then return call(list[1]) end
  local sum
  for _, target in ipairs(list) do
    local done, err = call(target)
    if not done then return nil, err end
    sum = merged(sum, done)
  end
  return sum
end

--- Whether a file has something to call a verb on, where only records have it.
-- @param doc
-- @tparam ?{string,...} given the paths of `--at`
-- @tparam table all from `verb_options.look_up`
-- @treturn boolean
-- @treturn ?string why the file is skipped
function verb_targets.has(doc, given, all)
  local types = all.types[doc.format]
  if given and #given > 0 or all.documents[doc.format] or not types then return true end
  if #candidates(doc, types) > 0 then return true end
  return false, "it has no " .. table.concat(types, " and no ")
end

return verb_targets
