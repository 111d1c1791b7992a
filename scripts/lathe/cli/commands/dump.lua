--- `lathe dump`: the tree of a file, or of a part of it.
-- @module lathe.cli.commands.dump

local core = require "lathe.core"
local batch = require "lathe.cli.batch"
local dump_tree = require "lathe.tree.dump"
local get = require "lathe.cli.commands.get"
local json = require "lathe.tree.json"
local out = require "lathe.cli.out"
local places = require "lathe.cli.verbs.place"
local rebuild = require "lathe.tree.rebuild"
local schema = require "lathe.tree.schema"
local text = require "lathe.tree.text"

local dump = {
  name = "dump",
  summary = "Show the tree of a file, with offsets and units.",
  description = [[
Show the tree of a file, or of one place in it: offset, name, value and unit of every field. Long arrays are
cut after their first elements, and padding is shown only if it is not what it usually is; --all shows all.

With --json, the values of the whole file, or of one place. `lathe build` makes the same file of it again:
`kept` has what the values do not tell, such as the compression, XML as it was written, or bytes of an unusual
layout.]],
  examples = { "lathe dump Box.solid --depth 1", "lathe dump Box.solid 'triangles[2]'" },
}

local function levels(word)
  local n = math.tointeger(tonumber(word))
  if n and n >= 0 then return n end
  return nil, ("--depth takes a number of levels, not '%s'"):format(word)
end

--- Adds the options.
-- @param command an argparse command
function dump.options(command)
  batch.options_for_one(command)
  command:argument("path", "Path of a place in the file, such as objects[2].rotation (default: all).")
    :argname "<path>":args "?":convert(places.typed)
  command:option("-d --depth", "Show N levels of the tree (default: all)."):argname "<n>"
    :convert(levels)
  command:flag("--no-offsets", "Leave out offsets, which differ behind everything that was inserted.")
  command:flag("-a --all", "Show all array elements, padding, and bookkeeping such as offset tables.")
end

local function style(name, s)
  return out.style(name, s)
end

local function describe(doc, result, args)
  local place, row = doc, nil
  if args.path then
    local path, why = places.of(doc, args.path)
    place = nil
    if path then place, row = schema.new(doc):locate(doc, path) end
    if place == nil then
      local other, wrong = places.value(doc, args.path) -- a member that is no field: doc.animations
      if other ~= nil then return get.print(other, result, args, "--all shows all") end
      return nil, path and places.is_member(doc, args.path) and wrong or why or row
        or args.path .. " is absent"
    end
  end
  if args.json then
    result.json = { format = doc.format, path = args.path, value = json.value(place, row) }
    if not args.path then result.json.kept = rebuild.kept(doc, json.encode(result.json.value)) end
  elseif core.type(place) then
    dump_tree.dump(place, { depth = args.depth, all = args.all, offsets = not args.no_offsets,
      emit = out.line, style = style })
  else
    out.line(text.explained(place, row) .. (row and row.unit and " " .. row.unit or ""))
  end
  return true
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function dump.run(args)
  return batch.run {
    args = args,
    apply = function(doc, result) return describe(doc, result, args) end,
  }
end

return dump
