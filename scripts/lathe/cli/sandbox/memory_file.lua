--- Files in memory for scripts that write in a dry run: their handles have the methods of Lua's own.
-- @module lathe.cli.sandbox.memory_file

local memory_file = {}

-- ---- bytes ---------------------------------------------------------------------------------------

local PAGE = 4096
local MOST_WAITING = 16 * PAGE -- size of appended data that are not in pages yet
local MOST = 1 << 53 -- maximum file size

local Content = {}
Content.__index = Content

--- The content of a file. It is stored in pages, so that a write changes only a few; appended data are
-- collected in a list first.
-- @tparam string bytes initial content
-- @tparam function touched called when they change
-- @treturn Content
function memory_file.content(bytes, touched)
  local self = setmetatable({ pages = {}, stored = 0, tail = {}, waiting = 0, touched = touched }, Content)
  self:store(0, bytes)
  return self
end

--- The size in bytes.
-- @treturn integer
function Content:size() return self.stored + self.waiting end

local function padded(page, size)
  return #page < size and page .. ("\0"):rep(size - #page) or page
end

-- Writes bytes to the pages. A gap before them reads as zeros: its pages are missing or short.
function Content:store(at, bytes)
  local from = 1
  while from <= #bytes do
    local number, offset = (at + from - 1) // PAGE + 1, (at + from - 1) % PAGE
    local part = bytes:sub(from, from + PAGE - offset - 1)
    local page = padded(self.pages[number] or "", offset)
    self.pages[number] = page:sub(1, offset) .. part .. page:sub(offset + #part + 1)
    from = from + #part
  end
  self.stored = math.max(self.stored, at + #bytes)
end

function Content:settle()
  if self.waiting == 0 then return end
  local bytes = table.concat(self.tail)
  self.tail, self.waiting = {}, 0
  self:store(self.stored, bytes)
end

--- Writes bytes; a gap before `at` reads as zeros.
-- @tparam integer at from 0
-- @tparam string bytes
function Content:write(at, bytes)
  if #bytes == 0 then return end
  self.touched()
  if at == self:size() then
    self.tail[#self.tail + 1] = bytes
    self.waiting = self.waiting + #bytes
    if self.waiting >= MOST_WAITING then self:settle() end
  else
    self:settle()
    self:store(at, bytes)
  end
end

--- Reads.
-- @tparam integer at from 0
-- @tparam integer n at most so many bytes
-- @treturn string
function Content:read(at, n)
  self:settle()
  local last = math.min(at + n, self.stored)
  if at >= last then return "" end
  local parts = {}
  for number = at // PAGE + 1, (last - 1) // PAGE + 1 do
    parts[#parts + 1] = padded(self.pages[number] or "", PAGE)
  end
  return table.concat(parts):sub(at % PAGE + 1, at % PAGE + last - at)
end

--- Removes all bytes.
function Content:truncate()
  self.touched()
  self.pages, self.stored, self.tail, self.waiting = {}, 0, {}, 0
end

-- ---- handles -------------------------------------------------------------------------------------

local states = setmetatable({}, { __mode = "k" }) -- of handles; stored here so that scripts have no access
local methods = {}

local function open_state(handle, method)
  local state = states[handle]
  if not state then
    error(("bad argument #1 to '%s' (FILE* expected, got %s)"):format(method, type(handle)), 3)
  elseif state.closed then
    error("attempt to use a closed file", 3)
  end
  return state
end

local function wrong_mode() return nil, "Bad file descriptor", 9 end

local function take(state, n)
  local bytes = state.content:read(state.at, n)
  state.at = state.at + #bytes
  return bytes
end

local function read_count(state, n)
  if n == 0 then return state.at < state.content:size() and "" or nil end
  local bytes = take(state, n)
  return #bytes > 0 and bytes or nil
end

-- Reads a line page by page, so that long lines and short lines are both fast.
local function read_line(state, with_end)
  local parts, step = {}, 128
  repeat
    local bytes = take(state, step)
    local stop = bytes:find("\n", 1, true)
    if stop then
      state.at = state.at - #bytes + stop
      parts[#parts + 1] = bytes:sub(1, with_end and stop or stop - 1)
      return table.concat(parts)
    end
    parts[#parts + 1] = bytes
    step = math.min(step * 2, MOST_WAITING)
  until #bytes == 0
  local line = table.concat(parts)
  return #line > 0 and line or nil
end

local MOST_DIGITS = 200 -- Lua's limit for a number

-- The longest prefix that may be a number, as in Lua's own files.
local function number_text(bytes)
  local at = bytes:match "^%s*[+-]?()"
  local hex = bytes:match("^0[xX]()", at)
  local digits = hex and "^%x*()" or "^%d*()"
  local first = hex or at
  at = bytes:match(digits, first)
  local point = bytes:match("^%.()", at)
  local any = at > first
  if point then
    at = bytes:match(digits, point)
    any = any or at > point
  end
  local power = any and bytes:match(hex and "^[pP][+-]?()" or "^[eE][+-]?()", at)
  if power then at = bytes:match("^%d*()", power) end
  return bytes:sub(1, at - 1)
end

local function read_number(state)
  while true do -- there may be many blanks
    local blanks = state.content:read(state.at, PAGE):match "^%s*"
    state.at = state.at + #blanks
    if #blanks < PAGE then break end
  end
  local text = number_text(state.content:read(state.at, MOST_DIGITS))
  state.at = state.at + #text
  return tonumber(text)
end

local READERS = {
  n = read_number,
  l = function(state) return read_line(state, false) end,
  L = function(state) return read_line(state, true) end,
  a = function(state) return take(state, math.max(state.content:size() - state.at, 0)) end,
}

local function reader_of(format, i)
  if math.type(format) == "integer" then return read_count end
  local reader = type(format) == "string" and READERS[format:match "^%*?(.?)"]
  if not reader then error(("bad argument #%d to 'read' (invalid format)"):format(i), 4) end
  return reader
end

local function read_all(state, ...)
  local formats = select("#", ...) > 0 and table.pack(...) or { "l", n = 1 }
  local results, n = {}, 0
  for i = 1, formats.n do
    local reader = reader_of(formats[i], i)
    if not state.readable then return wrong_mode() end
    n = i
    results[i] = reader(state, formats[i])
    if results[i] == nil then break end
  end
  return table.unpack(results, 1, n)
end

function methods.read(handle, ...) return read_all(open_state(handle, "read"), ...) end

function methods.lines(handle, ...)
  open_state(handle, "lines")
  local formats = table.pack(...)
  return function() return read_all(open_state(handle, "lines"), table.unpack(formats, 1, formats.n)) end
end

function methods.write(handle, ...)
  local state = open_state(handle, "write")
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    if type(value) ~= "string" and type(value) ~= "number" then
      error(("bad argument #%d to 'write' (string expected, got %s)"):format(i, type(value)), 2)
    end
    local bytes = tostring(value)
    if state.appends then state.at = state.content:size() end
    if state.at + #bytes > MOST then return nil, "File too large", 27 end
    if state.writable then
      state.content:write(state.at, bytes)
      state.at = state.at + #bytes
    end
  end
  if not state.writable then return wrong_mode() end
  return handle
end

function methods.seek(handle, whence, offset)
  local state = open_state(handle, "seek")
  local starts = { set = 0, cur = state.at, ["end"] = state.content:size() }
  local start = starts[whence or "cur"]
  if not start then error(("bad argument #1 to 'seek' (invalid option '%s')"):format(tostring(whence)), 2) end
  local at = math.tointeger(offset or 0)
  if not at then error("bad argument #2 to 'seek' (number has no integer representation)", 2) end
  if start + at < 0 or at > MOST then return nil, "Invalid argument", 22 end
  state.at = start + at
  return state.at
end

function methods.flush(handle)
  open_state(handle, "flush")
  return true
end

function methods.setvbuf(handle)
  open_state(handle, "setvbuf")
  return true
end

function methods.close(handle)
  open_state(handle, "close").closed = true
  return true
end

local META = {
  __index = methods,
  __name = "FILE*",
  __metatable = false,
  __tostring = function(handle)
    local state = states[handle]
    return state.closed and "file (closed)" or ("file (%s)"):format(state.name)
  end,
  __close = function(handle) states[handle].closed = true end,
}

--- Opens a handle.
-- @tparam Content content
-- @tparam string mode as that of io.open; "w" truncates
-- @treturn table a handle
function memory_file.open(content, mode)
  local handle = {}
  local both = mode:find("+", 1, true) ~= nil
  local kind = mode:sub(1, 1)
  if kind == "w" then content:truncate() end
  states[handle] = {
    content = content,
    at = 0,
    readable = both or kind == "r",
    writable = both or kind ~= "r",
    appends = kind == "a",
    name = ("%p"):format(handle),
  }
  return setmetatable(handle, META)
end

--- The result of io.type for a handle.
-- @param value
-- @treturn ?string "file", "closed file", or nil for other values
function memory_file.type(value)
  local state = states[value]
  if not state then return nil end
  return state.closed and "closed file" or "file"
end

return memory_file
