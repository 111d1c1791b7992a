-- The rules that no compiler knows: includes point down, bindings know no format, files stay short.
-- Run with the module on Lua's path (make check sets it).

local problems, notes = {}, {}

local function lines_of(command)
  local list = {}
  local p = assert(io.popen(command))
  for line in p:lines() do list[#list + 1] = line end
  p:close()
  return list
end

local function exists(path)
  local f = io.open(path)
  if f then f:close() end
  return f ~= nil
end

local function problem(...)
  problems[#problems + 1] = string.format(...)
end

-- ---- includes -----------------------------------------------------------------------------------

-- The layer of a source: its folder below core, "top" for core/*.c, "bindings". core/lathe.h is for all.
local function layer_of(path)
  if path:match("^bindings/") then return "bindings" end
  return path:match("^core/([^/]+)/") or "top"
end

-- Any other folder below core holds formats. NIF has packfiles inside.
local may_include = {
  base = { base = true },
  record = { base = true, record = true },
  model = { base = true, model = true },
  scene = { base = true, record = true, model = true, scene = true },
  api = { base = true, record = true, model = true, scene = true, api = true },
  bindings = { base = true, record = true, bindings = true }, -- of the scene they use core/lathe.h alone
}

local function allowed(from, to)
  if from == "top" then return true end
  local set = may_include[from]
  if set then return set[to] end
  if from == "nif" and to == "havok" then return true end
  if from == "tagfile" and to == "havok" then return true end -- what either container holds: clips, collision
  if from == "phive" and (to == "tagfile" or to == "havok") then return true end -- a shape is a tagfile with tables
  return to == from or may_include.scene[to]
end

-- Folders of units of schema texts, by the unit's name.
local units = {}
for _, path in ipairs(lines_of("find core -path '*/schema/unit.schema'")) do
  units[path:match("([^/]+)/schema/")] = path:match("^(.*/)schema/")
end

local sources = lines_of("find core bindings -name '*.[ch]' | LC_ALL=C sort")
for _, path in ipairs(sources) do
  local folder, number = path:match("^(.*)/"), 0
  for line in io.lines(path) do
    number = number + 1
    local name = line:match('^%s*#%s*include%s*"([^"]+)"')
    if name then
      -- "gen/nif_types.h" is made by the build, from the texts of the unit nif.
      local made_of = units[name:match("^gen/([%l_]+)_%l+%.h$")]
      local target = made_of and made_of .. name
      for _, candidate in ipairs { folder .. "/" .. name, "core/" .. name } do
        if not target and exists(candidate) then target = candidate end
      end
      if not target then
        problem("%s:%d: no %s beside it or in core", path, number, name)
      elseif target ~= "core/lathe.h" and not name:match("%.%.") then
        local from, to = layer_of(path), layer_of(target)
        if not allowed(from, to) then
          problem("%s:%d: %s must not include %s", path, number, from, name)
        end
      elseif name:match("%.%.") then
        problem("%s:%d: write %s from core down", path, number, name)
      end
    end
  end
end

-- ---- tables of rows -------------------------------------------------------------------------------------

-- They are generated from text (core/schema/README.md), and so are types and names. Files that describe their own types
-- fill rows at open; tests plant mistakes in types.
local rows = { "%f[%w_]rec_field%s+[%w_]+%s*%[.*=", "^[^#]*%f[%w_]REC_ROWS%(" }
local types = { "^[%w ]*const rec_type%s+[%w_]+[%[%w%]]*%s*=", "^[%w ]*const rec_names%s+[%w_]+[%[%w%]]*%s*=" }
for _, path in ipairs(lines_of("find core bindings spec -name '*.[ch]' | LC_ALL=C sort")) do
  local number = 0
  for line in io.lines(path) do
    number = number + 1
    for _, patterns in ipairs { rows, path:find("^spec/c/") and {} or types } do
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
      for _, hit in ipairs(lines_of(("grep -nwi -e %s bindings/*.[ch]"):format(format.name))) do
        problem("%s  <- bindings know no format, and this says %s", hit, format.name)
      end
    end
  end
  local scripts = lines_of("find scripts/bin scripts/lathe -type f | LC_ALL=C sort")
  for _, text in ipairs(dofile "spec/support/format_names.lua"(lathe, scripts)) do problem("%s", text) end
  if formats == 0 then problem("lathe.formats() is empty") end
else
  problem("cannot ask for the formats: %s", lathe)
end

-- ---- length -------------------------------------------------------------------------------------

for _, path in ipairs(lines_of("find core bindings scripts spec -name '*.[ch]' -o -name '*.lua'")) do
  local n = 0
  for _ in io.lines(path) do n = n + 1 end
  if n > 600 and not path:match("/schema[^/]*%.c$") then
    notes[#notes + 1] = ("%s: %d lines, past 600 wants a second name"):format(path, n)
  end
end

for _, note in ipairs(notes) do print("note: " .. note) end
for _, text in ipairs(problems) do io.stderr:write(text, "\n") end
print(("tree: %d C files, %d formats, %d problems"):format(#sources, formats, #problems))
os.exit(#problems == 0)
