--- Sources as text: which there are, what they include and name, and what they declare.

local M = {}

function M.lines_of(command)
  local list = {}
  local p = assert(io.popen(command))
  for line in p:lines() do list[#list + 1] = line end
  p:close()
  return list
end

function M.read(path)
  local f = io.open(path, "rb")
  if not f then return nil end
  local text = f:read("a")
  f:close()
  return text
end

function M.exists(path)
  local f = io.open(path)
  if f then f:close() end
  return f ~= nil
end

--- All C files of core and bindings but those of the web, which are compiled for another machine.
function M.list()
  return M.lines_of("find core bindings -name '*.[ch]' -not -path 'bindings/web/*' | LC_ALL=C sort")
end

--- Calls each(line number, name) for what a file includes by quotes.
function M.includes(path, each)
  local number = 0
  for line in io.lines(path) do
    number = number + 1
    local name = line:match('^%s*#%s*include%s*"([^"]+)"')
    if name then each(number, name) end
  end
end

--- Where the comment, text or character that begins at a place ends; nil: it is a slash.
function M.end_of_mark(text, from)
  local mark, quote = text:sub(from, from + 1), text:sub(from, from)
  if mark == "/*" then return select(2, text:find("*/", from + 2, true)) or #text end
  if mark == "//" then return (text:find("\n", from, true) or #text + 1) - 1 end
  if quote == "/" then return nil end
  local stop = from + 1
  while stop <= #text and text:sub(stop, stop) ~= quote do
    stop = stop + (text:sub(stop, stop) == "\\" and 2 or 1)
  end
  return stop
end

--- C without comments, texts and directives; lines stay where they were.
function M.bare(text)
  local out, at = {}, 1
  while at <= #text do
    local from, to = text:find("[/\"']", at)
    if not from then break end
    out[#out + 1] = text:sub(at, from - 1)
    local stop = M.end_of_mark(text, from)
    out[#out + 1] = stop and text:sub(from, stop):gsub("[^\n]", "") .. " " or "/"
    at = (stop or to) + 1
  end
  out[#out + 1] = text:sub(at)
  local lines, directive = {}, false
  for line in (table.concat(out) .. "\n"):gmatch("(.-)\n") do
    directive = directive or line:match("^%s*#") ~= nil
    lines[#lines + 1] = directive and "" or line
    directive = directive and line:match("\\$") ~= nil
  end
  return table.concat(lines, "\n")
end

--- Calls each(name, line) for every name in the declarations of a file that define nothing: prototypes, extern objects.
--- Names in parameter lists, in braces and in typedefs are left out. `text` is bare.
function M.declared(text, each)
  local depth, line = 0, 1
  local words, start, called -- of the statement: its words, where it begins, whether parentheses were in it
  local function begin() words, start, called = {}, nil, false end
  local function finish()
    local first = words[1]
    if first ~= "typedef" and first ~= "static" then
      for _, name in ipairs(words) do each(name, start) end
    end
    begin()
  end
  begin()
  for before, mark in (text .. ";"):gmatch("([^;{}()%[%]=\n]*)([;{}()%[%]=\n])") do
    if depth == 0 then
      for word in before:gmatch("[%a_][%w_]*") do
        words[#words + 1] = word
        start = start or line
      end
    end
    if mark == "\n" then
      line = line + 1
    elseif mark == "=" then
      if depth == 0 then words = { "static" } end -- a value: it is defined here
    elseif mark == ";" then
      if depth == 0 then finish() end
    elseif mark == "{" or mark == "(" or mark == "[" then
      called = called or depth == 0 and mark == "("
      depth = depth + 1
    else
      depth = depth > 0 and depth - 1 or 0
      if mark == "}" and depth == 0 and called then begin() end -- a function's body
    end
  end
end

return M
