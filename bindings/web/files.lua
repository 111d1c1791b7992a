--- Packs lathe's scripts and texts for web.c: `lua5.4 files.lua OUT SOURCE=PLACE ...`, where a folder
-- stands for all files below it. Of each file: its place, a NUL, its size as 32 bits, and its bytes. In
-- the order of their places, so that the result depends on nothing else. Lua modules are packed without
-- comments and indentation, which are a third of them; lines keep their numbers. Examples are texts to
-- read, and stay as they are.
local lfs = require "lfs"

local function read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read "a"
end

-- The end of the string that begins at `from`.
local function end_of_string(text, from)
  local long = text:match("^%[(=*)%[", from)
  if long then return select(2, text:find("]" .. long .. "]", from, true)) end
  local quote, at = text:sub(from, from), from + 1
  while text:sub(at, at) ~= quote do at = at + (text:sub(at, at) == "\\" and 2 or 1) end
  return at
end

-- The end of the comment that begins at `from`, and the line breaks in it.
local function end_of_comment(text, from)
  if not text:find("^%-%-%[=*%[", from) then return text:find("\n", from, true) - 1, "" end
  local last = end_of_string(text, from + 2)
  return last, (text:sub(from, last):gsub("[^\n]", ""))
end

-- Lua code that does the same, line by line.
local function shortened(text)
  local parts, from = {}, 1
  local function code(last)
    parts[#parts + 1] = text:sub(from, last):gsub("\n +", "\n"):gsub(" +\n", "\n")
  end
  local at = 1
  while true do
    at = text:find("[\"'%-%[]", at)
    if not at then break end
    if text:find("^%-%-", at) then
      code(at - 1)
      local last, breaks = end_of_comment(text, at)
      parts[#parts + 1] = breaks
      from, at = last + 1, last + 1
    elseif text:find("^[\"']", at) or text:find("^%[=*%[", at) then
      code(at - 1)
      local last = end_of_string(text, at)
      parts[#parts + 1] = text:sub(at, last)
      from, at = last + 1, last + 1
    else
      at = at + 1
    end
  end
  code(#text)
  local short = table.concat(parts)
  assert(load(short))
  return short
end

local function add(files, source, place)
  if lfs.attributes(source, "mode") ~= "directory" then
    files[#files + 1] = { source = source, place = place }
    return
  end
  for name in lfs.dir(source) do
    if not name:find "^%." then add(files, source .. "/" .. name, place .. "/" .. name) end
  end
end

local files = {}
for i = 2, #arg do
  local source, place = arg[i]:match "^(.-)=(.*)$"
  add(files, source, place)
end
table.sort(files, function(a, b) return a.place < b.place end)

local out <close> = assert(io.open(arg[1], "wb"))
for _, file in ipairs(files) do
  local text = read(file.source)
  if file.place:find "%.lua$" and not file.place:find "/examples/" then text = shortened(text) end
  assert(out:write(file.place, "\0", ("<I4"):pack(#text), text))
end
