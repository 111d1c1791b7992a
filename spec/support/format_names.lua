-- Where scripts know a format by its name: in code, they ask schemas, verbs and the parts below scripts/lathe/formats; in
-- what they say to users, a format may be named with a reason. Gives the problems as texts. For check_tree.lua.

-- Names that the contract also uses for something else (doc:save, what = "geometry").
local CONTRACT_WORDS <const> = { save = true, geometry = true }

-- Files whose texts for users name formats, and why. File names, such as "walk.hkx", may be anywhere.
local NAMED_IN_TEXT <const> = {
  ["scripts/lathe/cli/commands/check.lua"] = "its help says which files are compared with each other",
  ["scripts/lathe/cli/commands/convert.lua"] = "its help says which files have which forms",
  ["scripts/lathe/cli/commands/formats.lua"] = "an example of its help shows the fields of a format",
  ["scripts/lathe/cli/commands/import.lua"] = "its help says which files meshes become",
  ["scripts/lathe/cli/verbs/models.lua"] = "its help says which files the commands are for",
  ["scripts/lathe/cli/verbs/upkeep.lua"] = "its help says which files the commands are for",
  ["scripts/lathe/export/init.lua"] = "the manual says which frame rate Blender needs for a format",
}

-- The parts of formats in Lua.
local FREE <const> = "^scripts/lathe/formats/"

-- ---- words of Lua ----------------------------------------------------------------------------------------------

-- Where a string in quotes ends that begins at `at`.
local function end_of_string(source, at)
  local quote, i = source:sub(at, at), at + 1
  while true do
    local stop = source:find("[\\\n" .. quote .. "]", i) or #source
    if source:sub(stop, stop) ~= "\\" then return stop end
    i = stop + 2
  end
end

-- The kind of what begins at `at` ("comment", "text", "code"), and its last character.
local function scan(source, at)
  local after_word = source:match("^[%w_]+()", at)
  if after_word then return "code", after_word - 1 end
  local level = source:match("^%-%-%[(=*)%[", at) or source:match("^%[(=*)%[", at)
  local kind = source:find("^%-%-", at) and "comment" or "text"
  if level then return kind, select(2, source:find("]" .. level .. "]", at, true)) or #source end
  if kind == "comment" then return kind, (source:find("\n", at, true) or #source) end
  if source:find("^[\"']", at) then return "text", end_of_string(source, at) end
  return "code", at
end

-- Calls each(kind, text, where it begins) for all words, strings and comments.
local function each_piece(source, each)
  local at = source:find "[%w_\"'%[-]"
  while at do
    local kind, stop = scan(source, at)
    each(kind, source:sub(at, stop), at)
    at = source:find("[%w_\"'%[-]", stop + 1)
  end
end

local function line_of(source, at)
  return 1 + select(2, source:sub(1, at - 1):gsub("\n", ""))
end

-- ---- names -----------------------------------------------------------------------------------------------------

local function add_types(set, lathe, type)
  if set[type] ~= nil then return end
  set[type] = false -- asked for once, also where it has no rows
  for _, row in ipairs(lathe.describe(type) or {}) do
    set[type] = true
    if row.kind == "record" then add_types(set, lathe, row.type) end
  end
end

-- Formats by lower-case name, and types of records whose names are no plain words.
local function names_of(lathe)
  local formats, all, types = {}, {}, {}
  for _, format in ipairs(lathe.formats()) do
    if not CONTRACT_WORDS[format.name] then formats[format.name] = true end
    add_types(all, lathe, format.type)
    for _, type in ipairs(format.types or {}) do add_types(all, lathe, type) end
  end
  for type, has_rows in pairs(all) do
    if has_rows and type:find "%l%u" then types[type] = true end
  end
  return formats, types
end

-- The first name in a comment or a text that is no extension of a file's name.
local function named_in(text, formats, types)
  for before, word in (" " .. text):gmatch "([^%w_]+)([%w_]+)" do
    local is_file = before == "." and text:find("[%w_)%]*]%." .. word)
    if types[word] or formats[word:lower()] and not is_file then return word end
  end
end

-- The name that a piece of a file must not have.
local function wrong_in(kind, text, formats, types)
  if kind == "code" then
    return (formats[text] or types[text]) and text
  elseif kind == "text" and #text > 2 and (formats[text:sub(2, -2)] or types[text:sub(2, -2)]) then
    return text:sub(2, -2)
  end
end

--- What is wrong in files of Lua.
-- @tparam table lathe the module
-- @tparam {string,...} paths
-- @treturn {string,...}
return function(lathe, paths)
  local formats, types = names_of(lathe)
  local problems, used = {}, {}
  local function look(path, source)
    each_piece(source, function(kind, text, at)
      local name = wrong_in(kind, text, formats, types)
      local told = not name and kind ~= "code" and named_in(text, formats, types)
      used[path] = used[path] or told
      if name or told and not NAMED_IN_TEXT[path] then
        problems[#problems + 1] = ("%s:%d: scripts do without the name of a format: %s"):format(path,
          line_of(source, at), name or told)
      end
    end)
  end
  for _, path in ipairs(paths) do
    local file <close> = assert(io.open(path))
    if not path:find(FREE) then look(path, file:read "a") end
  end
  for path in pairs(NAMED_IN_TEXT) do
    if not used[path] then
      problems[#problems + 1] = path .. ": it names no format, and needs no reason in spec/support/format_names.lua"
    end
  end
  table.sort(problems)
  return problems
end
