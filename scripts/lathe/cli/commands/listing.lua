--- Which files a command works on, besides those it names: `--files-from`, `--null`, `--shard`.
-- @module lathe.cli.commands.listing

local core = require "lathe.core"
local out = require "lathe.cli.out"

local listing = {}

--- The name of the manifest of --resume in an output folder.
listing.MANIFEST = "lathe-manifest.jsonl"

local MAX_SHARDS = 1000000
local HASH_DIGITS = 13 -- hexadecimal digits of the hash that select the shard: 52 bits

--- Parses `--shard`.
-- @tparam string given such as 2/8
-- @treturn ?table with `index` and `count`
-- @treturn ?string the problem
function listing.shard(given)
  local index, count = given:match "^(%d+)/(%d+)$"
  index, count = math.tointeger(tonumber(index)), math.tointeger(tonumber(count))
  if index and count and index >= 1 and index <= count and count <= MAX_SHARDS then
    return { index = index, count = count }
  end
  return nil, ("'%s' is not a shard: I/N expected, with I from 1 to N, such as 2/8"):format(given)
end

--- Adds the options.
-- @param command an argparse command
function listing.options(command)
  command:option("--files-from", "Also take the files and folders that this file names, one a line; - for\n"
    .. "stdin."):argname "<file>"
  command:flag("-0 --null", "Names in --files-from end with NUL instead of line ends, as from find -print0.")
  command:option("--shard", "Take only part I of N of the files, such as 2/8: for several processes or\n"
    .. "computers. A hash of the path below the common folder selects the part.")
    :argname "<i/n>":convert(listing.shard)
end

local function read_list(path)
  if path == "-" then return io.stdin:read "a" end
  local file <close>, why = io.open(path, "rb")
  local bytes = file and file:read "a"
  if not bytes then out.usage(("--files-from %s"):format(why or path .. ": not a file")) end
  return bytes
end

local function check_name(name, place)
  if name == "" then out.usage(place .. ": an empty name") end
  if name == "-" then out.usage(place .. ": '-' names no file; for a file of that name write ./-") end
  if name:find "\0" then
    out.usage(place .. ": a NUL byte in a name. If NUL ends the names, add -0; if the list is UTF-16, as "
      .. "PowerShell writes it, convert it to UTF-8")
  end
end

-- Calls each(name, place) for each name of a list.
local function split(path, bytes, null, each)
  local label = path == "-" and "stdin" or path
  if bytes:sub(1, 3) == "\u{feff}" then bytes = bytes:sub(4) end
  local n = 0
  for name in bytes:gmatch(null and "([^%z]*)%z?" or "([^\n]*)\n?") do
    n = n + 1
    local place = (null and "%s: name %d" or "%s:%d"):format(label, n)
    if not null then name = name:gsub("\r$", "") end
    if name ~= "" or null then each(name, place) end
  end
end

--- Adds the names of `--files-from` to the files of the command line. Stops with a usage error if there are
-- none.
-- @tparam table args the parsed arguments; `listed` becomes a table with the place in the list by name
function listing.complete(args)
  local path = args.files_from
  if args.null and not path then out.usage "--null goes with --files-from" end
  if path then
    for _, name in ipairs(args.files) do
      if name == "-" and path == "-" then out.usage "stdin is either a file or the list of --files-from" end
    end
    args.listed = {}
    local bytes = read_list(path)
    split(path, args.null and bytes:gsub("%z$", "") or bytes, args.null and #bytes > 0, function(name, place)
      check_name(name, place)
      args.files[#args.files + 1] = name
      args.listed[name] = args.listed[name] or place
    end)
    if #args.files == 0 then out.usage(("--files-from %s names no file"):format(path)) end
  elseif #args.files == 0 then
    out.usage "missing argument 'files'"
  end
end

--- Whether a file is in a shard. Only its path below the common folder counts, so neither the order of the
-- files nor the place of the folder matters.
-- @tparam table shard from `listing.shard`
-- @tparam string below the path
-- @treturn boolean
function listing.holds(shard, below)
  local hash = tonumber(core.sha256(below):sub(1, HASH_DIGITS), 16)
  return hash % shard.count == shard.index - 1
end

return listing
