--- Says in a few words what a value is, for messages at the prompt.
-- @module lathe.repl.values

local core = require "lathe.core"
local spelling = require "lathe.spelling"
local text = require "lathe.tree.text"

local values = {}

local ALIKE = 3 -- letters
local SHORT = 40 -- characters of a text in a message

local WORDS = { boolean = "a boolean", ["function"] = "a function", table = "a table", thread = "a coroutine",
  userdata = "an object" }

-- An article for a word of lathe.
local function with_article(word)
  return (word:find "^[aeiou]" and "an " or "a ") .. word
end

--- What a value is: `a number (0.5)`, `a text ("wood")`, `nil`, `a list of 3`.
-- @param value
-- @treturn string
function values.words(value)
  local kind = core.type(value)
  if value == nil then return "nil" end
  if kind == "list" or kind == "array" then return ("%s of %d"):format(with_article(kind), #value) end
  if kind then return with_article(getmetatable(value) == "lathe.Document" and "document" or kind) end
  if type(value) == "number" then return ("a number (%s)"):format(text.number(value)) end
  if type(value) == "string" then
    local short = #value > SHORT and value:sub(1, SHORT) .. "..." or value
    return ("a text (%s)"):format(text.quote(short))
  end
  if type(value) == "boolean" then return tostring(value) end
  return WORDS[type(value)] or type(value)
end

--- "; did you mean 'x'?": the most similar name, else the first one that begins alike; "" if there is none.
-- @tparam string typed
-- @tparam {string,...} names
-- @treturn string
function values.hint(typed, names)
  local near = spelling.nearest(typed, names)
  local begin = typed:sub(1, ALIKE)
  for _, name in ipairs(#typed >= ALIKE and not near and names or {}) do
    if name:sub(1, ALIKE) == begin and #name <= 2 * #typed then near = near or name end
  end
  return near and ("; did you mean '%s'?"):format(near) or ""
end

--- A field of an object, or nil if it has none of that name.
-- @param object
-- @param name
-- @return the value
function values.member(object, name)
  local ok, value = pcall(function() return object[name] end)
  if not ok then return nil end
  return value
end

--- Whether a value is a document.
-- @param value
-- @treturn boolean
function values.is_document(value)
  return core.type(value) ~= nil and getmetatable(value) == "lathe.Document"
end

--- Whether a value is an open document.
-- @param value
-- @treturn boolean
function values.is_open(value)
  return values.is_document(value) and (pcall(function() return value.modified end))
end

return values
