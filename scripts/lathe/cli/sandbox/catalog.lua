--- The example scripts that come with lathe. The comments at the head of each script describe it:
--
--    -- summary: Slows down idle animations.
--    -- when: characters fidget while they wait
--    -- files: animations of Skyrim
--    -- argument: [PERCENT] how much slower (default: 20)
--    -- try: lathe run @slow-idles idle.anm -o slow -- 50
--
-- A line `--   text` continues the one above. `argument` and `try` may be repeated, or be absent; `note` may
-- say more. A Lua file without `summary` is no example.
-- @module lathe.cli.sandbox.catalog

local lfs = require "lfs"
local paths = require "lathe.paths"
local spelling = require "lathe.spelling"

local catalog = {}

local SIGN = "@" -- in front of a script's name on the command line

-- The folder of the scripts: `examples` beside the module's files, or in a checkout beside their folder.
local function find_folder()
  local here = paths.folder(debug.getinfo(1, "S").source:sub(2)) -- …/lathe/cli/sandbox
  local root = paths.folder(paths.folder(here))
  for _, folder in ipairs { paths.join(root, "examples"), paths.join(paths.folder(root), "examples") } do
    if lfs.attributes(folder, "mode") == "directory" then return paths.real(folder) end
  end
  return nil
end

-- The lines of the head, as a list of { key, text }.
local function head_of(path)
  local entries = {}
  local file <close> = io.open(path)
  for line in file and file:lines() or function() end do
    local key, text = line:match "^%-%- (%l+): (.*)$"
    local more = line:match "^%-%-   +(.*)$"
    if key then
      entries[#entries + 1] = { key, text }
    elseif more and #entries > 0 then
      entries[#entries][2] = entries[#entries][2] .. " " .. more
    else
      break
    end
  end
  return entries
end

local function argument_of(text)
  local name, doc = text:match "^(%S+) +(.*)$"
  return { name = name, doc = doc }
end

-- The sample files that the commands to try name.
local function samples_of(folder, commands)
  local list, seen = {}, {}
  for _, command in ipairs(commands) do
    for word in command:gmatch "%S+" do
      local is_sample = word:find "^[%w_]+%.%w+$"
        and lfs.attributes(paths.join(folder, word), "mode") == "file"
      if is_sample and not seen[word] then
        list[#list + 1], seen[word] = word, true
      end
    end
  end
  return list
end

local function name_of(file)
  return (file:gsub("%.lua$", ""):gsub("_", "-"))
end

local function read_script(folder, file)
  local path = paths.join(folder, file)
  local script = { name = name_of(file), file = file, path = path, arguments = {}, try = {} }
  for _, entry in ipairs(head_of(path)) do
    local key, text = entry[1], entry[2]
    if key == "argument" then
      table.insert(script.arguments, argument_of(text))
    elseif key == "try" then
      table.insert(script.try, text)
    else
      script[key] = text
    end
  end
  if not script.summary then return nil end
  script.samples = samples_of(folder, script.try)
  return script
end

--- The folder of the example scripts and their sample files.
-- @treturn ?string nil if they are not installed
function catalog.folder()
  if catalog.found == nil then catalog.found = find_folder() or false end
  return catalog.found or nil
end

--- All files of the folder, in alphabetical order.
-- @treturn {string,...} names
function catalog.files()
  local names, folder = {}, catalog.folder()
  if not folder then return names end
  for name in lfs.dir(folder) do
    if lfs.attributes(paths.join(folder, name), "mode") == "file" then names[#names + 1] = name end
  end
  table.sort(names)
  return names
end

--- All example scripts, in alphabetical order.
-- @treturn {table,...} scripts with `name` ("slow-idles"), `file` ("slow_idles.lua"), `path`, `summary`,
--   `when` (it is useful), `files` (that it is for), `note` (may be nil), `arguments` (each with `name` and
--   `doc`), `try` (commands) and `samples` (names of files)
function catalog.all()
  local list = {}
  for _, file in ipairs(catalog.files()) do
    list[#list + 1] = file:find "%.lua$" and read_script(catalog.folder(), file) or nil
  end
  return list
end

--- Finds a script by its name, which may be spelled as its file: `slow_idles`, `slow_idles.lua`.
-- @tparam string name
-- @treturn ?table the script
-- @treturn ?string a message if there is none
function catalog.find(name)
  local wanted = name_of(name:gsub("^" .. SIGN, ""))
  local names = {}
  for i, script in ipairs(catalog.all()) do
    if script.name == wanted then return script end
    names[i] = script.name
  end
  if not catalog.folder() then return nil, "the example scripts are not installed" end
  local hint = spelling.hint(wanted, names)
  return nil, ("no example script '%s'%s"):format(name:gsub("^" .. SIGN, ""),
    hint ~= "" and hint or "; `lathe examples` lists them")
end

--- How to show a script's path: @NAME if it is an example.
-- @tparam string path
-- @treturn string
function catalog.shown(path)
  local folder, file = catalog.folder(), paths.base(path)
  if not folder or path ~= paths.join(folder, file) then return path end
  return SIGN .. name_of(file)
end

--- Converts the script argument of `lathe run`: @NAME is an example, anything else a path.
-- @tparam string word
-- @treturn ?string the path
-- @treturn ?string why there is no such example
function catalog.path(word)
  if word:sub(1, 1) ~= SIGN then
    local example = not lfs.attributes(word, "mode") and catalog.find(word)
    if not example then return word end
    return nil, ("no file '%s'; did you mean '%s%s'?"):format(word, SIGN, example.name)
  end
  local script, why = catalog.find(word)
  return script and script.path, why
end

return catalog
