--- Files that are of one format, but in another container: an XML file that is a packfile.
-- @module lathe.cli.batch.containers

local core = require "lathe.core"

local containers = {}

-- Of each kind of name that says a container besides the usual one: the format, and its usual extension.
local function read_kinds()
  local kinds = {}
  for _, format in ipairs(core.formats()) do
    for i, name in ipairs(core.containers(format.name)) do
      if i > 1 then kinds[name] = { format = format.name, usual = format.extensions[1] } end
    end
  end
  return kinds
end

local KINDS <const> = read_kinds()

--- Whether names that end so say another container than the usual one.
-- @tparam ?string kind an extension, or a document's container
-- @treturn boolean
function containers.is_other(kind)
  return kind ~= nil and KINDS[kind] ~= nil
end

--- The usual extension of such a file; any other stays what it is.
-- @tparam string kind an extension
-- @treturn string
function containers.usual(kind)
  return KINDS[kind] and KINDS[kind].usual or kind
end

--- Whether a file of such a name is of the format: names do not tell.
-- @tparam string path
-- @tparam string kind its extension
-- @treturn boolean
function containers.holds(path, kind)
  local file = KINDS[kind] and io.open(path, "rb")
  if not file then return false end
  local start = file:read(1024)
  file:close()
  return start ~= nil and core.surely(start) == KINDS[kind].format
end

return containers
