-- The tables of NIF's blocks, from the text in schema/ to C. The build runs it:
--
--    lua5.4 core/nif/generate.lua [--documented] OUTPUT-FOLDER core/nif/schema/*.nifspec
--
-- Each file NAME.nifspec becomes nif_NAME.c; nif_tables.c has the list of all blocks, nif_types.h declares
-- what there is. A file whose text is as it was is not touched, so that it is not compiled again.
-- Problems go to standard error as "file:line: text"; then nothing is written, and the exit code is 1.

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

local documented = arg[1] == "--documented"
if documented then table.remove(arg, 1) end
local files = {}
for i = 2, #arg do files[i - 1] = { name = arg[i], text = read(arg[i]) } end

local texts, problems = tables.from(files, documented)
if not texts then
  io.stderr:write(table.concat(problems, "\n"), "\n")
  os.exit(1)
end
for name, text in pairs(texts) do write(arg[1] .. "/" .. name, text) end
