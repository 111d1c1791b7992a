-- The rules that no compiler knows: rooms know only what lies below them, files do not call each other in circles, bindings
-- and scripts know no format, files stay short. Run with the module on Lua's path (make check sets it); LATHE_BUILD is where
-- the objects are.

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path

local cycles = require "tree.cycles"
local known_cycles = require "tree.known_cycles"
local rooms = require "tree.rooms"
local sources = require "tree.sources"
local symbols = require "tree.symbols"

local problems, notes = {}, {}

local function problem(...)
  problems[#problems + 1] = string.format(...)
end

local files = sources.list()

-- ---- includes -----------------------------------------------------------------------------------

local PUBLIC = "core/lathe.h" -- for all

for _, path in ipairs(files) do
  local folder = path:match("^(.*)/")
  sources.includes(path, function(line, name)
    -- "gen/nif_types.h" is made by the build, for the folder nif.
    local target = name:match("^gen/") and name
    for _, candidate in ipairs { folder .. "/" .. name, "core/" .. name } do
      if not target and sources.exists(candidate) then target = candidate end
    end
    if name:match("%.%.") then
      problem("%s:%d: write %s from core down", path, line, name)
    elseif not target then
      problem("%s:%d: no %s beside it or in core", path, line, name)
    elseif target ~= PUBLIC and not rooms.may(path, target) then
      problem("%s:%d: %s must not include %s", path, line, rooms.of(path), name)
    end
  end)
end

for _, folder in ipairs(rooms.unknown(files)) do
  problem("%s: say in spec/support/tree/rooms.lua what it may include", folder)
end

-- ---- what objects use, and what sources declare -----------------------------------------------------

local built, missing = symbols.read(os.getenv("LATHE_BUILD") or "build", files)
for _, path in ipairs(missing) do problem("%s: it was not built: what it uses cannot be looked at", path) end

for file, used in pairs(built.uses) do
  for _, symbol in ipairs(used) do
    local other = built.defined[symbol]
    local public = rooms.of(file) == "bindings" and symbol:match("^lathe_")
    if other and not public and not rooms.may(file, other) and
      not rooms.asks_above(symbol, other) then
      problem("%s: %s must not use %s of %s", file, rooms.of(file), symbol, other)
    end
  end
end

-- A header says what its own room has. A .c file says nothing of others: who wants more includes a header.
for _, path in ipairs(files) do
  local is_header = path:match("%.h$")
  sources.declared(sources.bare(sources.read(path)), function(name, line)
    local other = built.defined[name]
    if not other or other == path or path == PUBLIC or rooms.asks_above(name, other) then return end
    if not is_header then
      problem("%s:%d: %s is declared here, and defined in %s: include its header", path, line, name, other)
    elseif rooms.of(other) ~= rooms.of(path) and not other:match("^gen/") then
      problem("%s:%d: %s is declared here, and defined in %s: it belongs in a header of %s", path, line, name, other,
        rooms.of(other))
    end
  end)
end

-- ---- files that call each other -----------------------------------------------------------------

local concerns = {}
for i, concern in ipairs(known_cycles) do
  concerns[i] = {}
  for _, name in ipairs(concern) do
    local path = ("%s/%s.c"):format(concern.folder, name)
    concerns[i][path] = true
    if not sources.exists(path) then notes[#notes + 1] = path .. ": gone, and still in tree/known_cycles.lua" end
  end
end

local function is_known(component)
  for _, concern in ipairs(concerns) do
    local all = true
    for _, path in ipairs(component) do all = all and concern[path] end
    if all then return true end
  end
  return false
end

local calls = symbols.calls(built)
for _, component in ipairs(cycles.find(calls)) do
  if not is_known(component) then
    problem("%d files call each other in a circle: %s\n    %s", #component, table.concat(component, " "),
      cycles.tell(calls, component))
  end
end

-- ---- tables of rows -------------------------------------------------------------------------------------

-- They are generated from text (core/schema/README.md), and so are types and names. Files that describe their own types
-- fill rows at open; tests plant mistakes in types.
local rows = { "%f[%w_]rec_field%s+[%w_]+%s*%[.*=", "^[^#]*%f[%w_]REC_ROWS%(" }
local types = { "^[%w ]*const rec_type%s+[%w_]+[%[%w%]]*%s*=", "^[%w ]*const rec_names%s+[%w_]+[%[%w%]]*%s*=" }
for _, path in ipairs(sources.lines_of("find core bindings spec -name '*.[ch]' | LC_ALL=C sort")) do
  local number = 0
  for line in io.lines(path) do
    number = number + 1
    local may_match = line:find("rec_", 1, true) or line:find("REC_ROWS", 1, true) -- patterns take longer
    for _, patterns in ipairs(may_match and { rows, path:find("^spec/c/") and {} or types } or {}) do
      for _, pattern in ipairs(patterns) do
        if line:find(pattern) then problem("%s:%d: rows are described in a schema text", path, number) end
      end
    end
  end
end

-- ---- format names in bindings and scripts -------------------------------------------------------------------

-- Names that the contract also uses for something else (doc:save, what = "geometry").
local contract_words = { save = true, geometry = true }

local formats = 0
local found, lathe = pcall(require, "lathe")
if found then
  for _, format in ipairs(lathe.formats()) do
    formats = formats + 1
    if not contract_words[format.name] then
      for _, hit in ipairs(sources.lines_of(("grep -nwi -e %s bindings/*.[ch]"):format(format.name))) do
        problem("%s  <- bindings know no format, and this says %s", hit, format.name)
      end
    end
  end
  local scripts = sources.lines_of("find scripts/bin scripts/lathe -type f | LC_ALL=C sort")
  for _, text in ipairs(require "format_names"(lathe, scripts)) do problem("%s", text) end
  if formats == 0 then problem("lathe.formats() is empty") end
else
  problem("cannot ask for the formats: %s", lathe)
end

-- ---- length -------------------------------------------------------------------------------------

for _, path in ipairs(sources.lines_of("find core bindings scripts spec -name '*.[ch]' -o -name '*.lua'")) do
  local n = 0
  for _ in io.lines(path) do n = n + 1 end
  if n > 600 and not path:match("/schema[^/]*%.c$") then
    notes[#notes + 1] = ("%s: %d lines, past 600 wants a second name"):format(path, n)
  end
end

for _, note in ipairs(notes) do print("note: " .. note) end
for _, text in ipairs(problems) do io.stderr:write(text, "\n") end
print(("tree: %d C files, %d formats, %d problems"):format(#files, formats, #problems))
os.exit(#problems == 0)
