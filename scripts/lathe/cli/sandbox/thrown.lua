--- A script can raise any value, with metamethods that raise errors again. This converts it to plain data.
-- @module lathe.cli.sandbox.thrown

local thrown = {}

local LONGEST = 4000 -- maximum length of a message in bytes

local function field(err, name)
  local ok, value = pcall(function() return err[name] end)
  return ok and value or nil
end

local function shortened(message)
  if #message <= LONGEST then return message end
  local start = message:sub(1, LONGEST):gsub("[\xc2-\xf4][\x80-\xbf]*$", "") -- no incomplete character
  return ("%s ... (%d bytes)"):format(start, #message)
end

-- A table without a text representation.
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

--- Describes a raised value. This may run code of the script: its __tostring and __index.
-- @param err
-- @treturn table `text`; and of error tables `code` and `where` (texts) and `offset` (an integer), if they
--   have these types
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
