--- The list of all members of the Lua API: functions of the module, and methods and fields of its objects.
-- Anything else is not part of the API: a test compares the list with the existing members.
--
-- The list determines which members scripts in the sandbox get (`lathe.cli.sandbox`), completion at the
-- prompt (`lathe.repl.complete`), the type stubs (`lathe.tree.stubs`), the manual (`lathe.tree.manual`), the
-- names that schemas must not use (core/record/reserved.lua), and the comparison with core/lathe.h. Fields of
-- records and verbs are not in it: they come from the schemas.
--
-- Each file here returns a list of owners. An owner has
--
-- * `owner`, the word for it: what `lathe.type` gives, "document", "record", or the name of a module
-- * `class`, its name in the stubs, and maybe `parent`, the class whose members it has, too
-- * `doc`, one line, and maybe `more`
-- * `functions` (of a module), `methods` and `fields`: lists of members
-- * `index`: the type of what it has by number
-- * `plain = true`: a plain table, whose fields are just values
--
-- A field is `{ name, type, doc }`, a method or function `{ name, doc, params =, returns = }`, where a
-- parameter is `{ name, type, doc }` and a result `{ type, doc }`. Types are those of LuaLS. A name that ends
-- in "?" is optional. Members also have
--
-- * `sandbox`: "as is"; "policy" (it asks for each path whether it may be read or written); or "refused".
--   Scripts in the sandbox do not get what has no word.
-- * `c`: the functions of core/lathe.h that do the same; or `no_c`: why there is none
-- * `more`, `usage` (one, or a list): of functions and methods
-- * `as`: of a method, the function of a module that it is, called with a colon; texts, parameters and
--   results are those
-- * `some`: which objects of the owner have it, where not all do
-- * `yields = true`: of a document's field, that it gives way to a field of the format
-- @module lathe.members

local members = {}

local FILES = { "module", "document", "data", "motion", "graph", "hooks" }
local KINDS = { fields = "field", functions = "function", methods = "method" }

local function list_of(value)
  return type(value) == "table" and value or { value }
end

-- Parses "path?", the optional name "path".
local function named(name)
  local bare = name:match "^(.*)%?$"
  return bare or name, bare ~= nil
end

local function param_of(given)
  local name, optional = named(given[1])
  return { name = name, optional = optional, type = given[2], doc = given[3] }
end

local function results_of(given)
  local list = {}
  for i, one in ipairs(given or {}) do list[i] = { type = one[1], doc = one[2] } end
  return list
end

local function member_of(given, kind)
  local name, optional = named(given[1])
  local field = kind == "field"
  local member = {
    name = name, optional = optional, kind = kind, some = given.some, yields = given.yields,
    type = field and given[2] or nil, doc = given[field and 3 or 2], more = given.more,
    params = {}, returns = results_of(given.returns), usage = list_of(given.usage),
    sandbox = given.sandbox, c = list_of(given.c), no_c = given.no_c,
  }
  for i, param in ipairs(given.params or {}) do member.params[i] = param_of(param) end
  return member
end

local by_owner = {}

-- Completes a method from the function of a module that it is.
local function fill_in(method, as)
  local owner, name = as:match "^(.*)%.([^.]*)$"
  local from = by_owner[owner].by_name[name]
  method.doc, method.more, method.as = from.doc, from.more, as
  if #method.params == 0 then method.params = table.move(from.params, 2, #from.params, 1, {}) end
  if #method.returns == 0 then method.returns = from.returns end
end

local function add_owner(given)
  local owner = {
    name = given.owner, class = given.class, parent = given.parent, doc = given.doc, more = given.more,
    index = given.index, plain = given.plain, members = {}, by_name = {},
  }
  by_owner[owner.name] = owner
  members[#members + 1] = owner
  for _, group in ipairs { "fields", "functions", "methods" } do
    for _, one in ipairs(given[group] or {}) do
      local member = member_of(one, KINDS[group])
      if one.as then fill_in(member, one.as) end
      owner.members[#owner.members + 1] = member
      owner.by_name[member.name] = member
    end
  end
end

for _, file in ipairs(FILES) do
  for _, owner in ipairs(require("lathe.members." .. file)) do add_owner(owner) end
end

--- An owner: `name`, `class`, `doc` …, `members` in order and `by_name`.
-- @tparam string name
-- @treturn ?table
function members.of(name) return by_owner[name] end

--- The names of an owner's members.
-- @tparam string name of the owner; an unknown owner has none
-- @tparam[opt] string kind "field", "function" or "method"; default: all
-- @treturn {string,...}
function members.names(name, kind)
  local names = {}
  for _, member in ipairs(by_owner[name] and by_owner[name].members or {}) do
    if not kind or member.kind == kind then names[#names + 1] = member.name end
  end
  return names
end

--- Whether scripts in the sandbox get a member.
-- @tparam string owner
-- @tparam string name
-- @treturn boolean false if it is not in the list
function members.is_allowed(owner, name)
  local member = by_owner[owner] and by_owner[owner].by_name[name]
  return member ~= nil and (member.sandbox == "as is" or member.sandbox == "policy")
end

return members
