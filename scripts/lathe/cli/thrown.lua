--- What a script raises may be any value, with metamethods that raise in turn. This makes plain data of it.
-- @module lathe.cli.thrown

local thrown = {}

local LONGEST = 4000 -- bytes of a message

local function field(err, name)
  local ok, value = pcall(function() return err[name] end)
  return ok and value or nil
end

local function shortened(message)
  if #message <= LONGEST then return message end
  local start = message:sub(1, LONGEST):gsub("[\xc2-\xf4][\x80-\xbf]*$", "") -- no half character
  return ("%s ... (%d bytes)"):format(start, #message)
end

-- A table that does not say how it is shown.
local function is_bare(err)
  if type(err) ~= "table" then return false end
  local meta = debug.getmetatable(err)
  return type(meta) ~= "table" or rawget(meta, "__tostring") == nil
end

local function text_of(err)
  if is_bare(err) then
    local message = field(err, "message")
    if message == nil then return "an error table without a message" end
    if is_bare(message) then return "an error table whose message is a table" end
    err = message
  end
  local ok, message = pcall(tostring, err)
  return ok and shortened(message) or "an error that cannot be printed"
end

local function of_type(value, kind)
  return (math.type(value) or type(value)) == kind and value or nil
end

--- Describes a value that was raised. Code of the script may run: its __tostring and __index.
-- @param err
-- @treturn table `text`; and of error tables `code` and `where` (texts) and `offset` (an integer), where they
--   are that
function thrown.describe(err)
  local said = { text = text_of(err) }
  if type(err) == "table" then
    local code, where = of_type(field(err, "code"), "string"), of_type(field(err, "where"), "string")
    said.code, said.where = code and shortened(code), where and shortened(where)
    said.offset = of_type(field(err, "offset"), "integer")
  end
  return said
end

return thrown
