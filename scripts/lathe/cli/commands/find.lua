--- `lathe find`: finds files by what is in them.
-- @module lathe.cli.commands.find

local batch = require "lathe.cli.batch"
local find_in = require "lathe.tree.find"
local geometry = require "lathe.cli.geometry"
local inputs = require "lathe.cli.batch.inputs"
local limits = require "lathe.cli.sandbox.limits"
local out = require "lathe.cli.out"
local policy = require "lathe.cli.sandbox.policy"
local records = require "lathe.cli.pages.records"
local sandbox = require "lathe.cli.sandbox"
local text = require "lathe.tree.text"

local find = {
  name = "find",
  summary = "Find files by textures, materials, bones, types or an expression.",
  description = [[
Find files, and print the path of each in which all conditions hold. In patterns, * matches any characters; a
pattern must match the whole name; case, and / or \, make no difference.

--where takes an expression of Lua, in which doc is the file: doc.format, #doc.bodies, doc.materials[1].name.
It runs in a sandbox: it may read below the folders of the files, and writes nothing. If it raises an error,
the file counts as no match, and stderr says so.

Exit code: 0, also if no file was found; 1 if a file cannot be opened. With --json, there is a line for each
place that meets a condition. JSON members:

]] .. records.help "find",
  examples = {
    [[lathe find Meshes/ --texture 'textures\old\*']],
    "lathe find Meshes/ --material wood --where '#doc.bodies > 3 and doc.bodies[1].friction > 0.5'",
    "lathe find meshes/actors/ --bone 'NPC Head*' --json",
  },
}

--- Adds the options.
-- @param command an argparse command
function find.options(command)
  batch.options(command)
  command:option("--texture", "Pattern for the path of a texture."):argname "<pattern>"
  command:option("--material", "Pattern for the name of a shader or its material file, or of a material of\n"
    .. "collision (one without a name is written 0x0123ABCD)."):argname "<pattern>"
  command:option("--bone", "Pattern for the name of a bone of a skeleton, or of one that an animation moves\n"
    .. "(where the animation has no names, --skeleton gives them).")
    :argname "<pattern>"
  command:option("--type", "Pattern for the type of a record, such as bhk*.")
    :argname "<pattern>"
  command:option("--where", "Expression of Lua over doc that is true for the file."):argname "<expression>"
  limits.options(command)
end

local CHUNK = "--where"

-- Checks that the text is one expression: more of it would end the function around it.
local function check_expression(source)
  local chunk, why = load("return " .. source .. "\n", "=" .. CHUNK, "t", {})
  if not chunk then out.usage(why:gsub("^%-%-where:%d+: ", "--where: ")) end
end

-- A function that runs the expression on a document, each time in an environment of its own.
local function evaluator(source, rules, bounds)
  return function(doc)
    local world = sandbox.new { policy = rules, folder = ".", limits = bounds, say = out.note,
      write = out.script_note }
    local fn, why = world:start("return function(doc) return " .. source .. "\nend", CHUNK)
    if not fn then return nil, why end
    local ok, found = world:call(fn, doc)
    if not ok then return nil, (tostring(found):gsub(": see %-%-trusted", "")) end -- an option of `lathe run`
    return found and true or false
  end
end

-- The policy for --where: what lathe itself reads for the files, such as geometry files.
local function make_policy(args)
  local readable = inputs.folders(args.files)
  readable[#readable + 1] = args.dictionary
  table.move(geometry.paths(args.geometry), 1, #args.geometry, #readable + 1, readable)
  return policy.new(readable, {})
end

local function conditions_of(args)
  local conditions = {}
  for _, name in ipairs(find_in.CONDITIONS) do
    if name ~= "where" then conditions[name] = args[name] end
  end
  if next(conditions) == nil and not args.where then
    out.usage "say what to find: --texture, --material, --bone, --type or --where"
  end
  return conditions
end

-- The places in a document; none if a condition does not hold.
local function places_in(doc, item, conditions, where)
  local places = next(conditions) and find_in.find(doc, conditions) or {}
  if where and (#places > 0 or next(conditions) == nil) then
    local found, why = where(doc)
    if found == nil then
      out.message(("lathe: %s: no match, as the expression failed: %s"):format(text.printable(item.path),
        tostring(why)))
    end
    if not found then return {} end
    places[#places + 1] = { path = "", condition = "where" }
  end
  return places
end

-- What stderr says if no file was found. The usual mistake is a pattern for a part of a name.
local function none_found(conditions)
  for _, name in ipairs(find_in.CONDITIONS) do
    local pattern = conditions[name]
    if pattern and not pattern:find("*", 1, true) then
      return ("no file matches; a pattern must match the whole name: --%s '*%s*' finds a part of it")
        :format(name, pattern)
    end
  end
  return "no file matches"
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function find.run(args)
  local conditions, where, rules, found = conditions_of(args), nil, nil, nil
  local bounds = limits.new(args)
  if args.where then
    check_expression(args.where)
    rules = make_policy(args)
    rules:enforce()
    where = evaluator(args.where, rules, bounds)
  end
  local code = batch.run {
    args = args,
    host = rules and function(...) return rules:as_host(...) end,
    begin = function(items) bounds:fit(items) end,
    apply = function(doc, result, item)
      local places = places_in(doc, item, conditions, where)
      result.matches, result.value = places, #places > 0
      if #places > 0 then result.lines[1] = item.path end
      return true
    end,
    gather = function(record) found = found or record.value end,
    conclude = function() if not found then out.note(none_found(conditions)) end end,
  }
  if rules then rules:lift() end
  return code
end

return find
