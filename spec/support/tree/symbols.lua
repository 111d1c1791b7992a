--- What the built objects define and use, by nm: which file calls which.

local sources = require "tree.sources"

local M = {}

--- Reads the objects of a build. `files` are the C files of the tree, of which each .c has an object, but for a twin for
--- another system. Returns { defined = { symbol → file }, called = { symbol → true where it is a function },
--- uses = { file → { symbol, … } } }, and a list of sources that were not built.
function M.read(build, files)
  local known, objects, missing = {}, {}, {}
  for _, path in ipairs(files) do
    local object = ("%s/obj/%s.o"):format(build, path:sub(1, -3))
    if path:match("%.c$") and sources.exists(object) then
      known[object] = path
      objects[#objects + 1] = object
    elseif path:match("%.c$") and not path:match("/os_%l+[%w_]*%.c$") then
      missing[#missing + 1] = path
    end
  end
  for _, path in ipairs(sources.lines_of(("find '%s/gen' -name '*.c' 2>/dev/null | LC_ALL=C sort"):format(build))) do
    local name = path:match("([^/]+)%.c$")
    local object = ("%s/obj/gen/%s.o"):format(build, name)
    known[object] = ("gen/%s.c"):format(name)
    if sources.exists(object) then objects[#objects + 1] = object end
  end

  local all = { defined = {}, called = {}, uses = {} }
  if #objects == 0 then return all, missing end
  local list = os.tmpname()
  local f = assert(io.open(list, "w"))
  f:write(table.concat(objects, "\n"))
  f:close()
  for _, line in ipairs(sources.lines_of(("xargs nm -A -P <'%s'"):format(list))) do
    local object, symbol, kind = line:match("^(.-%.o): (%S+) (%a)")
    local file = known[object]
    if kind == "U" then
      all.uses[file] = all.uses[file] or {}
      table.insert(all.uses[file], symbol)
    elseif kind and kind:match("[TDRBVWC]") then
      all.defined[symbol] = file
      all.called[symbol] = kind == "T" or kind == "W"
    end
  end
  os.remove(list)
  return all, missing
end

--- Which file calls functions of which other ones: { file → { file → a function's name } }.
function M.calls(all)
  local graph = {}
  for file, symbols in pairs(all.uses) do
    graph[file] = {}
    for _, symbol in ipairs(symbols) do
      local other = all.called[symbol] and all.defined[symbol]
      local first = graph[file][other]
      if other and other ~= file and (not first or symbol < first) then graph[file][other] = symbol end
    end
  end
  return graph
end

return M
