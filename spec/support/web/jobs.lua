--- What is asked of lathe in the browser and of the native one, file by file: native.lua and node.mjs do it, and their
-- answers must be the same.
--
-- The files of a folder are stored together, because documents find others beside them; then each is looked at.
-- usage: lua5.4 jobs.lua FOLDER [SHARE]  (SHARE: only every n-th file)
local lfs = require "lfs"
local json = require "dkjson"

local root, share = arg[1], tonumber(arg[2] or 1)

local function folders(path, found)
  local files, below = {}, {}
  for name in lfs.dir(path) do
    local mode = name:find "^%." and "" or lfs.attributes(path .. "/" .. name, "mode")
    if mode == "directory" then below[#below + 1] = name end
    if mode == "file" then files[#files + 1] = name end
  end
  table.sort(files)
  table.sort(below)
  if #files > 0 then found[#found + 1] = { path = path, files = files } end
  for _, name in ipairs(below) do folders(path .. "/" .. name, found) end
  return found
end

--- The requests for one file: `command` compares what is printed, `file` and `encode` bytes.
local function requests(name)
  local function command(...) return { name = "command", args = { argv = { ... } } } end
  return {
    command("info", "--json", name),
    command("check", "--json", name),
    command("dump", "--json", name),
    command("scale", name, "1.5", "-o", "scaled"),
    { name = "file", args = { name = "scaled/" .. name }, remove = true },
    { name = "open", args = { name = name } },
    { name = "encode", args = { id = "$id" } },
    { name = "export", args = { id = "$id", format = "glb" } },
    { name = "close", args = { id = "$id", keep = true } },
  }
end

local number = 0
for _, folder in ipairs(folders(root, {})) do
  local chosen = {}
  for _, name in ipairs(folder.files) do
    number = number + 1
    if number % share == 0 then chosen[#chosen + 1] = { file = name, requests = requests(name) } end
  end
  if #chosen > 0 then
    print(json.encode({ folder = folder.path, beside = folder.files, files = chosen }))
  end
end
