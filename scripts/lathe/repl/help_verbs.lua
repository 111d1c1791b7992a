--- Help for verbs, methods and functions.
-- @module lathe.repl.help_verbs

local core = require "lathe.core"
local help_fields = require "lathe.repl.help_fields"
local kinds = require "lathe.repl.kinds"
local members = require "lathe.members"
local values = require "lathe.repl.values"
local verbs = require "lathe.tree.verbs"

local help_verbs = {}

local LARGEST = 1 << 18 -- bytes of a document on which examples are tried

-- ---- examples ----------------------------------------------------------------------------------------

-- A skeleton that is open, as it is typed.
local function skeleton_text(context)
  for i, doc in ipairs(context.documents) do
    local skeletons = values.member(doc, "skeletons")
    if skeletons and #skeletons > 0 then return ("docs[%d].skeletons[1]"):format(i) end
  end
end

local function clip_text(context)
  for i, doc in ipairs(context.documents) do
    local animations = values.member(doc, "animations")
    if animations and #animations > 0 then return ("docs[%d].animations[1]"):format(i) end
  end
end

-- Texts to try for a parameter.
local function arguments(param, context)
  if param.values then
    local list = {}
    for i, value in ipairs(param.values) do list[i] = ("%q"):format(value) end
    return list
  end
  local kind = param.kind
  if kind == "number" or kind == "numbers" then return { "2", "0.5" } end
  if kind == "integer" then return { "1", "2", "0" } end
  if kind == "boolean" then return { "true" } end
  if kind == "skeleton" then return { skeleton_text(context) } end
  if kind == "clip" then return { clip_text(context) } end
  if kind == "string" then return { "\"NAME\"", "\"0.1\"" } end
  return { "1" }
end

local function call_text(path, verb, positional, named)
  local list = { table.unpack(positional) }
  if #named > 0 then list[#list + 1] = ("{ %s }"):format(table.concat(named, ", ")) end
  return ("%s:%s(%s)"):format(path, verb.name, table.concat(list, ", "))
end

-- The arguments that are needed; nil: there is nothing to give for one.
local function needed_arguments(verb, context)
  local positional, named = {}, {}
  for _, param in ipairs(verb.params) do
    local value = param.needed and arguments(param, context)[1]
    if param.needed and not value then return nil end
    if value and param.positional then positional[#positional + 1] = value end
    if value and not param.positional then named[#named + 1] = ("%s = %s"):format(param.name, value) end
  end
  return positional, named
end

-- Adds the calls with one more argument than is needed.
local function add_calls(list, verb, path, positional, named, context)
  local first = #positional == 0
  for _, param in ipairs(verb.params) do
    for _, value in ipairs(not param.needed and arguments(param, context) or {}) do
      if not param.positional then
        local more = table.move(named, 1, #named, 1, {})
        more[#more + 1] = ("%s = %s"):format(param.name, value)
        list[#list + 1] = call_text(path, verb, positional, more)
      elseif first then
        list[#list + 1] = call_text(path, verb, { value }, named)
      end
    end
    first = first and not param.positional
  end
end

-- Calls to try: with what is needed alone; where that is nothing, with one more first.
local function calls(verb, path, context)
  local list = {}
  local positional, named = needed_arguments(verb, context)
  if not positional then return list end
  if #positional + #named == 0 then add_calls(list, verb, path, positional, named, context) end
  list[#list + 1] = call_text(path, verb, positional, named)
  if #positional + #named > 0 then add_calls(list, verb, path, positional, named, context) end
  return list
end

-- An example of a verb that works; nil: none was found, or the document is too large to try.
local function example(verb, path, doc, context)
  if not doc or doc.size > LARGEST then return nil end
  for _, call in ipairs(calls(verb, path, context)) do
    local chunk = load("return " .. call, "=example", "t", context.env)
    local works = chunk and help_fields.works(doc, function() assert(chunk()) end)
    if works then return call end
  end
end

-- ---- pages -------------------------------------------------------------------------------------------

local function names_of(params)
  local names = {}
  for i, param in ipairs(params) do names[i] = param.name end
  return names
end

local function result_of(verb)
  if verb.single then return "what it finds, or nil" end
  if verb.list then return "a list of what it finds" end
  if verb.query then return "a table of what it answers, or nil and an error" end
  return "a report with the number changed and what was skipped, or nil and an error, after which nothing "
    .. "has changed; undo() takes it back"
end

--- Fills a page about a verb.
-- @tparam Page page
-- @tparam table verb a row of `lathe.verbs`
-- @tparam string path how what has the verb is typed
-- @tparam ?Document doc
-- @tparam table context `documents` (a list), `env`
function help_verbs.fill(page, verb, path, doc, context)
  page:line(("%s:%s"):format(path, verbs.signature(verb)))
  page:text(verb.doc)
  page:fit(names_of(verb.params))
  for _, param in ipairs(verb.params) do
    page:row(param.name, ("%s. %s"):format(verbs.kind(param), param.doc))
  end
  page:row("gives", result_of(verb))
  page:example(example(verb, path, doc, context))
end

-- The result of a function as one text.
local function results(member)
  local list = {}
  for i, result in ipairs(member.returns) do
    list[i] = kinds.of_member(result) .. (result.doc and (" (%s)"):format(result.doc) or "")
  end
  return table.concat(list, ", ")
end

--- Fills a page about a function or method of lathe.
-- @tparam Page page
-- @tparam table member of `lathe.members`
-- @tparam string path what stands in front of its name: "lathe.", "doc:"
function help_verbs.fill_member(page, member, path)
  page:line(path .. member.name .. kinds.params(member.params))
  page:text(member.doc)
  if member.some then page:text(("Only %s."):format(member.some)) end
  if member.more then page:text(member.more) end
  page:fit(names_of(member.params))
  for _, param in ipairs(member.params) do
    page:row(param.name, kinds.of_member(param) .. (param.doc and (". " .. param.doc) or ""))
  end
  page:row("gives", results(member))
  for _, usage in ipairs(member.usage) do
    for line in usage:gmatch "[^\n]+" do page:example(line) end
  end
end

--- The function of lathe with a value.
-- @tparam function fn
-- @treturn ?table its member
-- @treturn ?string what stands in front of its name
function help_verbs.find_function(fn)
  for _, owner in ipairs { "lathe", "lathe.tree" } do
    local module = package.loaded[owner]
    for _, member in ipairs(members.of(owner).members) do
      if rawequal(module[member.name], fn) then return member, owner .. "." end
    end
  end
  for owner, found in pairs(core.members()) do
    for name, value in pairs(found) do
      local member = rawequal(value, fn) and members.of(owner) and members.of(owner).by_name[name]
      if member then return member, owner .. ":" end
    end
  end
end

return help_verbs
