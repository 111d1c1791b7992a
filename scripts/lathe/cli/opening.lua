--- Options for opening files: `--format`, `--geometry`, `--dictionary`, `--names`, `--skeleton`.
-- @module lathe.cli.opening

local core = require "lathe.core"
local geometry = require "lathe.cli.geometry"
local names = require "lathe.cli.names"

local opening = {}

-- The options that the prompt takes too, by the word before "=".
local NAMES = {
  ["--geometry"] = "geometry", ["--dictionary"] = "dictionary", ["--names"] = "names",
  ["--skeleton"] = "skeleton", ["-e"] = "chunks",
}

local opened = {} -- skeletons by path: a command opens many files with the same one

--- Adds the options.
-- @param command an argparse command
-- @tparam[opt] boolean several whether it takes --skeleton more than once
function opening.add(command, several)
  command:option("--format", "Format to read the files as (default: detected from their content).")
    :argname "<name>"
  geometry.option(command)
  command:option("--dictionary", "zstd dictionary that the compressed files (.zs) need.")
    :argname "<file>"
  command:option("--names", "Names for numbers in files: a Lua or JSON table with lists materials,\n"
    .. "layers, user_tags and so on. They replace the built-in names.")
    :argname "<file>"
  local skeleton = command:option("--skeleton", "File with the skeleton that names the bones of animations."
    .. (several and "\nGive it again for a model with bones that only a skin uses." or ""))
    :argname "<file>"
  if several then skeleton:count "*" end
end

-- The document of a path, which stays open.
local function document_of(path)
  local doc, why = opened[path], nil
  if not doc then
    doc, why = core.open(path)
    opened[path] = doc
  end
  return doc, why
end

-- The first document with a skeleton among a path or a list of paths.
local function skeleton_of(given)
  local paths = type(given) == "table" and given or { given }
  local first
  for _, path in ipairs(paths) do
    local doc, why = document_of(path)
    if not doc then return nil, why end
    if not first and #doc.skeletons > 0 then first = doc end
  end
  if not first and paths[1] then return nil, paths[1] .. ": it contains no skeleton" end
  return first
end

--- Drops the documents of --skeleton, which a script may have changed: the next file gets them as they are
-- on disk.
function opening.forget() opened = {} end

--- All documents of --skeleton.
-- @tparam table args of the command line
-- @treturn {table,...}
function opening.skeletons(args)
  local list = {}
  for _, path in ipairs(type(args.skeleton) == "table" and args.skeleton or { args.skeleton }) do
    list[#list + 1] = document_of(path)
  end
  return list
end

--- Converts the options for `lathe.open`.
-- @tparam table args of the command line
-- @treturn ?table
-- @return why a file of names or a skeleton cannot be used
function opening.of(args)
  local given, why = names.of(args.names)
  if why then return nil, why end
  local skeleton
  skeleton, why = skeleton_of(args.skeleton)
  if why then return nil, why end
  return {
    format = args.format,
    geometry = geometry.places(args.geometry),
    dictionary = args.dictionary,
    names = given,
    skeleton = skeleton,
  }
end

--- Whether a word starts such an option on the command line of the prompt.
-- @tparam string word
-- @treturn boolean
function opening.begins(word)
  return NAMES[word:match "^[^=]*"] ~= nil
end

--- Extracts the options from arguments that are not parsed by argparse.
-- @tparam {string,...} argv
-- @treturn ?{string,...} the other arguments
-- @return a table as from argparse; or the problem
function opening.take(argv)
  local rest, args, i = {}, { geometry = {}, chunks = {} }, 1
  while i <= #argv do
    local option, value = argv[i]:match "^(%-%-%a+)=(.+)$"
    local name = NAMES[option or argv[i]]
    if not name then
      rest[#rest + 1] = argv[i]
    else
      if not option then
        i = i + 1
        value = argv[i]
        if not value then return nil, ("option '%s' requires an argument"):format(argv[i - 1]) end
      end
      local list = args[name]
      if type(list) == "table" then list[#list + 1] = value else args[name] = value end
    end
    i = i + 1
  end
  return rest, args
end

return opening
