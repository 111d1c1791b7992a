--- Writes man pages, completions and the schema of JSON output for `make install`.
-- @module lathe.cli.pages

local completions = require "lathe.cli.pages.completions"
local json_schema = require "lathe.cli.pages.json_schema"
local lfs = require "lfs"
local man = require "lathe.cli.pages.man"

local pages = {}

local function write(path, text)
  local file <close> = assert(io.open(path, "wb"))
  assert(file:write(text))
end

--- Writes the pages to `man1`, the completions to `bash`, `zsh` and `fish`, and `output.schema.json`.
-- @tparam string folder
function pages.write(folder)
  for _, name in ipairs { "man1", "bash", "zsh", "fish" } do lfs.mkdir(folder .. "/" .. name) end
  for name, text in pairs(man.pages()) do write(("%s/man1/%s"):format(folder, name), text) end
  for shell, file in pairs(completions.all()) do
    write(("%s/%s/%s"):format(folder, shell, file.name), file.text)
  end
  write(folder .. "/output.schema.json", json_schema.text() .. "\n")
end

return pages
