--- `help`: what a value, a field, a verb, a function or a word is, and what can be done with it.
-- The texts are those of the schemas and of `lathe.members`.
-- @module lathe.repl.help

local core = require "lathe.core"
local candidates = require "lathe.repl.candidates"
local help_fields = require "lathe.repl.help_fields"
local help_search = require "lathe.repl.help_search"
local help_verbs = require "lathe.repl.help_verbs"
local kinds = require "lathe.repl.kinds"
local members = require "lathe.members"
local pages = require "lathe.repl.pages"
local problems = require "lathe.repl.problems"
local spelling = require "lathe.spelling"
local text = require "lathe.tree.text"
local tokens = require "lathe.repl.tokens"
local topics = require "lathe.repl.topics"
local values = require "lathe.repl.values"

local help = {}

local MOST_MEANINGS = 12 -- of a word

-- ---- topics ------------------------------------------------------------------------------------------

local function fill_formats(page)
  page:line "The formats that lathe reads and writes."
  local list = {}
  for i, format in ipairs(core.formats()) do
    list[i] = { name = format.name, type = "." .. table.concat(format.extensions, " ."), doc = format.doc }
  end
  page:list(nil, list)
  page:line "  help \"NAME\" tells more; so does `lathe formats NAME`, with all fields and verbs."
end

local function verb_list(owner)
  local list = {}
  local ok, own = pcall(core.verbs, owner)
  for _, verb in ipairs(ok and own or {}) do
    if not verb.type or not values.is_document(owner) then
      list[#list + 1] = candidates.of_verb(verb)
    end
  end
  return list
end

local function fill_verbs(page, context)
  page:line "Verbs change a document as a whole; all or nothing of one is done, and undo() takes it back."
  for i, doc in ipairs(context.documents) do
    page:list(("docs[%d], a %s document"):format(i, doc.format), verb_list(doc))
  end
  page:line "  ?doc:VERB explains one. Animations and records have verbs, too: ?doc.animations[1]"
end

local SPECIAL = { formats = fill_formats, verbs = fill_verbs }

local function topic_names()
  local names = {}
  for i, topic in ipairs(topics.list()) do names[i] = topic.name end
  return table.concat(names, ", ")
end

local function fill_function(page, fn)
  page:line(fn.name .. fn.type)
  page:text(fn.doc)
  if fn.more then page:text(fn.more) end
  page:example(fn.example)
end

local function fill_overview(page, context)
  page:list("Functions of the prompt", topics.functions)
  local doc = context.documents[1]
  page:list("Try", {
    doc and { name = "doc", doc = "the first file; docs are all of them" }
      or { name = "open \"FILE\"", doc = "opens a file" },
    { name = "?doc", doc = "what it has, and what can be done with it" },
    { name = "doc.<Tab>", doc = "its fields; doc:<Tab> its methods and verbs" },
    { name = "doc.FIELD = 2.5", doc = "changes a value" },
  })
  page:line "Topics, and the name of every field, type, verb and function: help \"units\", help \"friction\""
  page:text(topic_names())
end

-- What the page of a function of the prompt and of a topic of the same name say.
local function fill_word(page, name, context)
  if SPECIAL[name] then
    SPECIAL[name](page, context)
    return true
  end
  local known = false
  for _, fn in ipairs(topics.functions) do
    if fn.name == name then
      fill_function(page, fn)
      known = true
    end
  end
  for _, topic in ipairs(topics.texts) do
    if topic[1] == name then
      if not known then page:line(topic[2]) end
      page:text(topic[3])
      known = true
    end
  end
  return known
end

local function all_words()
  local words = help_search.words()
  for _, one in ipairs(topics.words()) do words[#words + 1] = one.name end
  return words
end

-- The page of a word that nothing has as its name: what mentions it.
local function fill_mentions(page, word, context)
  local found = help_search.mentioning(word, context.documents, MOST_MEANINGS)
  page:line(("nothing is called '%s'%s"):format(text.printable(word), spelling.hint(word, all_words())))
  page:list("These mention it", found)
  page:row("topics", topic_names())
end

-- The page of a word: a topic, or all that has that name.
local function fill_topic(page, name, context)
  local known = fill_word(page, name, context)
  local found = help_search.find(name, context.documents)
  if known then return end
  if #found == 0 then return fill_mentions(page, name, context) end
  local shown = table.move(found, 1, math.min(#found, MOST_MEANINGS), 1, {})
  for _, one in ipairs(shown) do
    page:line(("%s: %s"):format(one.name, one.type))
    if one.doc then page:text(one.doc) end
  end
  if #found > #shown then page:line(("  ... and %d more"):format(#found - #shown)) end
  local fields = core.describe(name)
  if fields and #fields > 0 then
    local list = {}
    for i, row in ipairs(fields) do list[i] = { name = row.name, type = kinds.of(row), doc = row.doc } end
    page:list("fields", list)
  end
end

-- ---- values ------------------------------------------------------------------------------------------

local function method_list(value, kind)
  local list, is_verb = {}, {}
  for _, verb in ipairs(verb_list(value)) do is_verb[verb.name] = true end
  for _, one in ipairs(candidates.methods(value, kind)) do
    if not is_verb[one.name] then list[#list + 1] = one end
  end
  return list
end

-- The fields of a document that its format has, without counts; and the lists that hold something, with those
-- first that an example can be made of.
local function document_fields(doc)
  local own, lists, others = {}, {}, {}
  for _, row in ipairs(core.describe(doc)) do
    local field = { name = row.name, type = kinds.of(row), doc = row.doc }
    if not row.count and not row.inside and values.member(doc, row.name) ~= nil then own[#own + 1] = field end
  end
  for _, member in ipairs(members.of("document").members) do
    local is_own = member.kind ~= "field" or kinds.row(doc, member.name) ~= nil
    local value = not is_own and values.member(doc, member.name)
    local one = value and { name = member.name, type = kinds.of_member(member), doc = member.doc }
    if one and (core.type(value) == "graph" or core.type(value) == "list" and #value > 0) then
      one.type = tostring(value):match "^[^\n:]*"
      lists[#lists + 1] = one
    elseif one and not core.type(value) then
      others[#others + 1] = one
    end
  end
  return own, lists, others
end

-- An example with an element of a list or array, or with a field of the document.
local function document_example(doc, path, lists, fields)
  for _, names in ipairs { lists, fields } do
    for _, one in ipairs(names) do
      local list = doc[one.name]
      local is_list = core.type(list) == "list" or core.type(list) == "array"
      local item = is_list and #list > 0 and list[1]
      local place = ("%s.%s[1]"):format(path, one.name)
      local example = core.type(item) and help_fields.first_example(item, place, doc)
      if example then return example end
    end
    if names == lists and lists[1] then return ("%s.%s[1]"):format(path, lists[1].name) end
  end
  return help_fields.first_example(doc, path, doc)
end

local function fill_document(page, doc, path)
  page:line(tostring(doc))
  for _, format in ipairs(core.formats()) do
    if format.name == doc.format then page:text(format.doc .. ".") end
  end
  page:row("game", doc.game)
  local own, lists, others = document_fields(doc)
  page:list("lists", lists)
  page:list("fields", own)
  page:list("verbs", verb_list(doc))
  page:list("methods", method_list(doc, core.type(doc)))
  page:list("of every document", others)
  page:row("more", ("?%s.FIELD, ?%s:VERB, ?%s:METHOD"):format(path, path, path))
  page:example(document_example(doc, path, lists, own))
end

local function fill_record(page, record, path, context)
  local ok, place = pcall(core.path, record)
  page:line(("%s: record %s%s"):format(path, core.type(record), ok and " at " .. place or ""))
  page:list("fields", (candidates.behind(record, ".")))
  page:list("verbs", verb_list(record))
  page:list("methods", method_list(record, core.type(record)))
  local doc = help_fields.document_of(record, context.documents)
  page:example(help_fields.first_example(record, path, doc))
end

local function element_fields(item)
  return core.type(item) and (candidates.behind(item, ".")) or {}
end

local function fill_array(page, array, path)
  local row = (core.describe(array) or {})[1] or {}
  local kind, count = kinds.of(row):gsub("%[%]", ""), text.count(#array, "element")
  page:line(("%s: array of %s, %s"):format(path, kind, count))
  page:text(row.doc or "")
  if row.key then
    page:row("key", ("%s: %s[\"NAME\"] finds an element by it"):format(row.key, path))
  end
  page:row("one of", row.names and table.concat(row.names, ", "))
  local fields = #array > 0 and element_fields(array[1]) or {}
  page:list(("fields of an element, such as %s[1]"):format(path), fields)
  page:list("methods", method_list(array, "array"))
  page:example(#array > 0 and path .. "[1]" or "#" .. path)
end

local function fill_list(page, list, path)
  local first = values.member(list, 0) ~= nil and 0 or 1
  local item = list[first]
  page:line(("%s: %s, by number from %d"):format(path, tostring(list), first))
  local names = candidates.names(list)
  local example = ("%s[%d]"):format(path, first)
  if names and names[1] then
    page:row("names", ("%s[%s] finds one by its name"):format(path, text.quote(names[1].name)))
  end
  page:list("fields of an element, such as " .. example, element_fields(item))
  page:list("verbs of an element", verb_list(item))
  if item == nil or core.type(item) == "annotation" then page:list("methods", method_list(list, "list")) end
  page:example(item ~= nil and example or "#" .. path)
end

local function fill_object(page, object, path, kind)
  local owner = members.of(kind)
  page:line(("%s: %s"):format(path, tostring(object)))
  page:text(owner.doc)
  if owner.more then page:text(owner.more) end
  page:list("fields", (candidates.behind(object, ".")))
  page:list("verbs", verb_list(object))
  page:list("methods", method_list(object, kind))
  for _, member in ipairs(owner.members) do
    local there = member.kind == "field" and values.member(object, member.name) ~= nil
    if there then return page:example(path .. "." .. member.name) end
  end
end

-- Fills a page about a value. path: how it was typed.
local function fill_value(page, value, path, context)
  local kind = core.type(value)
  if kind and tostring(value):find "closed%)$" then
    page:line(tostring(value))
  elseif values.is_document(value) then
    fill_document(page, value, path)
  elseif kind == "array" then
    fill_array(page, value, path)
  elseif kind == "list" then
    fill_list(page, value, path)
  elseif kind and members.of(kind) then
    fill_object(page, value, path, kind)
  elseif kind and kind ~= "copy" then
    fill_record(page, value, path, context)
  elseif type(value) == "function" then
    local member, before = help_verbs.find_function(value)
    if member then return help_verbs.fill_member(page, member, before) end
    page:line(path .. ": a function of Lua or of yours")
  else
    page:line(("%s: %s"):format(path, values.words(value)))
    local fields = type(value) == "table" and candidates.behind(value, ".") or {}
    table.sort(fields, function(a, b) return a.name < b.name end)
    page:list("fields", fields)
  end
end

-- The same with a text below the first line.
local function fill_value_with(page, doc, value, path, context)
  local one, intro = pages.new(context.width), pages.new(context.width)
  fill_value(one, value, path, context)
  intro:text(doc)
  page:line(one.lines[1])
  table.move(intro.lines, 1, #intro.lines, #page.lines + 1, page.lines)
  table.move(one.lines, 2, #one.lines, #page.lines + 1, page.lines)
end

-- ---- places ------------------------------------------------------------------------------------------

local function unknown(page, owner, owner_text, name)
  local names = {}
  for _, separator in ipairs { ".", ":" } do
    for _, one in ipairs((candidates.behind(owner, separator))) do names[#names + 1] = one.name end
  end
  page:line(("%s has no '%s'%s"):format(owner_text, name, values.hint(name, names)))
end

-- The member of an object with a name.
local function member_of(owner, name)
  local kind = values.is_document(owner) and "document" or core.type(owner)
  for _, word in ipairs { kind, "record" } do
    local member = members.of(word) and members.of(word).by_name[name]
    if member and values.member(owner, name) ~= nil then return member end
  end
end

-- The verbs that a field can be changed with: those of its record, and of the document.
local function verb_names(owner, owner_text, doc, context)
  local names = {}
  local function put(what, path)
    for _, one in ipairs(verb_list(what)) do names[#names + 1] = path .. ":" .. one.name end
  end
  if not values.is_document(owner) then put(owner, owner_text) end
  for i, other in ipairs(doc and context.documents or {}) do
    local path = rawequal(context.env.doc, doc) and "doc" or ("docs[%d]"):format(i)
    if rawequal(other, doc) then put(doc, path) end
  end
  return #names > 0 and table.concat(names, ", ") or nil
end

-- Fills a page about what stands behind a dot or colon: `owner_text`.name.
local function fill_member(page, owner, owner_text, name, context)
  local kind = core.type(owner)
  local is_placed = kind and kind ~= "list" and kind ~= "buffer"
  local doc = is_placed and help_fields.document_of(owner, context.documents)
  local row = kind and kinds.row(owner, name)
  if row then
    help_fields.fill(page, owner, row, ("%s.%s"):format(owner_text, name), doc)
    local value = values.member(owner, name)
    local fields = core.type(value) and not row.ref and element_fields(core.type(value) == "array"
      and value[1] or value)
    page:list("fields", fields or {})
    page:row("verbs", verb_names(owner, owner_text, doc, context))
    return
  end
  local verb = kind and kinds.verb(owner, name)
  if verb then return help_verbs.fill(page, verb, owner_text, doc, context) end
  local member = kind and member_of(owner, name)
  if member and member.kind ~= "field" then
    return help_verbs.fill_member(page, member, owner_text .. ":")
  elseif member then
    local value, path = values.member(owner, name), ("%s.%s"):format(owner_text, name)
    if core.type(value) then return fill_value_with(page, member.doc, value, path, context) end
    page:line(("%s: %s"):format(path, kinds.of_member(member)))
    page:text(member.doc)
    page:row("now", text.scalar(value))
    page:example(path)
    return
  end
  local value = values.member(owner, name)
  if value == nil then return unknown(page, owner, owner_text, name) end
  fill_value(page, value, ("%s.%s"):format(owner_text, name), context)
end

-- The tokens of "owner.name" or "owner:name"; nil: the text is something else.
local function split(list)
  local n = #list
  local name, separator = list[n], list[n - 1]
  if n < 3 or name.kind ~= "name" then return nil end
  local is_member = tokens.is(separator, ".") or tokens.is(separator, ":")
  if is_member and tokens.chain_start(list, n - 2) == 1 then return n - 2 end
end

-- Evaluates an expression that is no chain, such as a call.
local function evaluate(source, env)
  local chunk, why = load("return " .. source, "=input", "t", env)
  if not chunk then error(why, 0) end
  return chunk()
end

local function fill_typed(page, source, context)
  local list = tokens.of(source)
  if #list == 1 and list[1].kind == "string" then
    return fill_topic(page, tokens.follow(list, 1, 1, context.env), context)
  end
  local last = split(list)
  if last then
    local owner = tokens.value_at(list, last, context.env)
    local owner_text = tokens.text(source, list, 1, last)
    if owner == nil then
      page:line(problems.of_nothing(owner_text, context.env) or owner_text .. " is nil")
      return
    end
    return fill_member(page, owner, owner_text, list[#list].text, context)
  end
  if #list == 1 and list[1].kind == "name" then
    local value = rawget(context.env, source)
    if value == nil or type(value) == "function" then value = context.env[source] end
    if value == nil and source == "doc" then return fill_overview(page, context) end
    local is_own = value ~= nil and rawequal(rawget(context.functions, source), value)
    if value == nil or is_own then return fill_topic(page, source, context) end
  end
  fill_value(page, evaluate(source, context.env), source, context)
end

-- ---- all ---------------------------------------------------------------------------------------------

--- The help that a line asks for: "?x", "help(x)", "help x" or "help"; nil: it is another line.
-- @tparam string line
-- @treturn ?string the text that is to be explained, "" for an overview
function help.asked(line)
  local source = line:match "^%s*%?%s*(.-)%s*$" or line:match "^%s*help%s*%(%s*(.-)%s*%)%s*$"
    or line:match "^%s*help%s+([%a_\"'].-)%s*$" or line:match "^%s*help%s*$" and ""
  return source and (source:gsub("%s*%?$", "")) or nil
end

--- Prints help.
-- @tparam string source what was typed behind "?"
-- @tparam function emit receives each line
-- @tparam table context `env`, `documents` (a list), `functions` (of the prompt), `width`
function help.typed(source, emit, context)
  local page = pages.new(context.width)
  if source == "" then fill_overview(page, context) else fill_typed(page, source, context) end
  for _, line in ipairs(page.lines) do emit(line) end
end

--- Prints help for a value: for `help(x)` in a script. A text is a topic.
-- @param value
-- @tparam integer count how many arguments there are; 0: an overview
-- @tparam function emit
-- @tparam table context
function help.value(value, count, emit, context)
  local page = pages.new(context.width)
  if count == 0 then
    fill_overview(page, context)
  elseif type(value) == "string" then
    fill_topic(page, value, context)
  else
    fill_value(page, value, core.type(value) and "x" or "it", context)
  end
  for _, line in ipairs(page.lines) do emit(line) end
end

return help
