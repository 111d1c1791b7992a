--- What code of the user prints: collected for the reply, and told while it runs.
-- @module service.printed

local out = require "lathe.cli.out"
local text = require "lathe.tree.text"

local printed = {}

local MOST <const> = 1 << 20    -- bytes of a reply
local PIECE <const> = 4096      -- bytes after which an event is sent
local SECONDS <const> = 0.1     -- after which one is sent in any case

--- Collects what is printed, up to a limit.
-- @tparam ?integer columns for wrapping
-- @tparam[opt] function say (bytes): gets it, too
-- @treturn function ends that, and returns the text, which says what was cut
function printed.collect(columns, say)
  local parts, size, left = {}, 0, 0
  out.keep(function(_, bytes)
    if size + #bytes > MOST then
      left = left + #bytes
      return
    end
    parts[#parts + 1], size = bytes, size + #bytes
    if say then say(bytes) end
  end, columns)
  return function()
    out.keep(nil)
    if left > 0 then parts[#parts + 1] = ("… %s more\n"):format(text.count(left, "byte")) end
    return text.printable(table.concat(parts), true)
  end
end

--- Sends what is printed as events, in pieces: an event for each line would take longer than most scripts.
-- @tparam function emit
-- @treturn function (bytes) adds to the piece
-- @treturn function sends what there is
function printed.events(emit)
  local parts, size, last = {}, 0, os.clock()
  local function flush()
    if size > 0 then emit { event = "output", text = text.printable(table.concat(parts), true) } end
    parts, size, last = {}, 0, os.clock()
  end
  local function add(bytes)
    parts[#parts + 1], size = bytes, size + #bytes
    if size >= PIECE or os.clock() - last >= SECONDS then flush() end
  end
  return add, flush
end

return printed
