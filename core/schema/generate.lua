-- The engine's tables, from the texts of all units to C (README.md). The build runs it:
--
--    lua5.4 core/schema/generate.lua OUTPUT-FOLDER core/nif/schema/*.schema core/record/schema/*.schema …
--
-- The unit of a file is the folder that its folder `schema` lies in. Each FILE.schema becomes UNIT_FILE.c,
-- each unit gets UNIT_types.h. A file whose text is as it was is not touched, so that it is not compiled
-- again. Problems go to standard error as "file:line: text"; then nothing is written, and the exit code is
-- 1.

package.path = (arg[0]:match("^(.*/)") or "") .. "?.lua;" .. package.path

local tables = require "generate.tables"

local function read(path)
  local f = assert(io.open(path, "rb"))
  local text = assert(f:read("a"))
  f:close()
  return text
end

local function write(path, text)
  local old = io.open(path, "rb")
  local same = old and old:read("a") == text
  if old then old:close() end
  if same then return end
  local f = assert(io.open(path, "wb"))
  assert(f:write(text))
  assert(f:close())
end

local units, by_name = {}, {}
for i = 2, #arg do
  local name = arg[i]:match("([^/]+)/schema/[^/]+%.schema$")
  if not name then
    io.stderr:write(arg[i], ": no file of a unit, UNIT/schema/FILE.schema\n")
    os.exit(1)
  end
  if not by_name[name] then
    by_name[name] = { name = name, files = {} }
    units[#units + 1] = by_name[name]
  end
  table.insert(by_name[name].files, { name = arg[i], text = read(arg[i]) })
end

local texts, problems = tables.from(units, true)
if not texts then
  io.stderr:write(table.concat(problems, "\n"), "\n")
  os.exit(1)
end
for name, text in pairs(texts) do write(arg[1] .. "/" .. name, text) end
