-- The tables of NIF's blocks, from the text in schema/ to C. The build runs it:
--
--    lua5.4 core/nif/generate.lua OUTPUT-FOLDER core/nif/schema/*.nifspec
--
-- Each file NAME.nifspec becomes nif_NAME.c; nif_tables.c has the list of all blocks, nif_types.h declares
-- what there is. A file whose text is as it was is not touched, so that it is not compiled again.
-- Problems go to standard error as "file:line: text"; then nothing is written, and the exit code is 1.

package.path = (arg[0]:match("^(.*/)") or "") .. "?.lua;" .. package.path

local model = require "generate.model"
local schema = require "generate.schema"
local writer = require "generate.writer"

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

local function stop_at(problems)
  if #problems == 0 then return end
  io.stderr:write(table.concat(problems, "\n"), "\n")
  os.exit(1)
end

local folder, problems, files, sections = arg[1], {}, {}, {}
for i = 2, #arg do
  local path = arg[i]
  local file = { name = path, stem = path:match("([^/]+)%.nifspec$"), sections = {} }
  file.sections = schema.parse(read(path), path, problems)
  table.move(file.sections, 1, #file.sections, #sections + 1, sections)
  files[i - 1] = file
end
stop_at(problems)
local m = model.build(sections, problems)
stop_at(problems)
for name, text in pairs(writer.write(m, files)) do write(folder .. "/" .. name, text) end
