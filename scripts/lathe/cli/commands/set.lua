--- `lathe set`: assigns values.
-- @module lathe.cli.commands.set

local lfs = require "lfs"
local core = require "lathe.core"
local batch = require "lathe.cli.batch"
local literal = require "lathe.cli.verbs.literal"
local materials = require "lathe.materials"
local out = require "lathe.cli.out"
local place = require "lathe.cli.verbs.place"
local records = require "lathe.cli.pages.records"
local report = require "lathe.cli.batch.report"
local schema = require "lathe.tree.schema"
local target = require "lathe.cli.batch.target"

local set = {
  name = "set",
  summary = "Change values of a file.",
  description = [[
Change values of a file: all of them, or none if one fails. The type of the field decides how VALUE is read:

   a number          5, 0x1f, -2.5e3, nan, inf
   a boolean         true or false
   text              as typed; inside '…' or "…" with the escapes of Lua
   an enumeration    a name or a number
   flags             a list of names, or a number: {specular, skinned}
   vectors, lists    {1, 2, 3}, {x=1, y=2}, {key=value}, or a JSON array or object. In lists of text, words
                     need no quotes: {intro, village}
   a reference       the path of the target: objects[3]
   null, nil         clear a reference; nil also removes an element that has a key
                     (levels[1].values["mood"]=nil). For the text nil, write "nil"]],
  examples = {
    "lathe set Box.solid 'vertices[1].x=2.5' -o Box2.solid",
    "lathe set Box.solid 'vertices[1]={0, 1, 0}' 'vertices[2].y=-3' --in-place",
    "lathe set game.sav3 'levels[2].arrays[\"unlocked_levels\"]={intro, village}' -o new.sav3",
    "lathe set crate.nif 'bodies[1].friction=0.9' --in-place",
    [[lathe set sword.nif 'materials[1].textures.diffuse=textures\mine\sword.dds' --in-place]],
  },
}

local FOR_MANY = "`lathe run SCRIPT` changes many files (see `lathe help run`)"

--- Adds the options.
-- @param command an argparse command
function set.options(command)
  batch.options_for_one(command, FOR_MANY)
  command:argument("values", "Path and new value, such as objects[2].label=head."):argname "<path>=<value>"
    :args "+"
  command:flag("--allow-unknown", "Do not warn about collision materials that lathe does not know.")
  target.options(command, "File to write (- for stdout), or folder to write it to.")
end

-- Splits at the first "=" outside of brackets: keys may contain one.
local function split(assignment)
  local depth, quote, escaped = 0, nil, false
  for i = 1, #assignment do
    local char = assignment:sub(i, i)
    if escaped then
      escaped = false
    elseif quote then
      escaped = char == "\\"
      if char == quote then quote = nil end
    elseif depth > 0 and (char == '"' or char == "'") then
      quote = char
    elseif char == "[" then
      depth = depth + 1
    elseif char == "]" then
      depth = depth - 1
    elseif char == "=" and depth == 0 then
      return assignment:sub(1, i - 1), assignment:sub(i + 1)
    end
  end
end

local function parse_assignments(list)
  local assignments = {}
  for i, assignment in ipairs(list) do
    local path, value = split(assignment)
    if not path or path == "" then
      local is_file = not path and lfs.attributes(assignment, "mode") ~= nil
      out.usage(is_file and ("'%s' is a second file: set takes one; %s"):format(assignment, FOR_MANY)
        or ("'%s' is not PATH=VALUE"):format(assignment))
    end
    if path:find "%s$" then -- "a.b = 1"
      path, value = path:match "^(.-)%s*$", value:match "^%s*(.*)$"
    end
    assignments[i] = { path = place.typed(path), text = value }
  end
  return assignments
end

-- Whether a record's verb `set` takes a field; it returns more information than an assignment.
local function takes(element, field)
  for _, verb in ipairs(core.verbs(element) or {}) do
    for _, param in ipairs(verb.name == "set" and verb.params or {}) do
      if param.name == field and field ~= "unknown" then return true end
    end
  end
  return false
end

-- Warns about unknown names of collision materials, unless --allow-unknown is given.
local function warn(result, warnings)
  if result.allow_unknown or not warnings then return end
  report.warning_lines(warnings, result.lines)
  result.json.warnings = result.json.warnings or records.list {}
  table.move(warnings, 1, #warnings, #result.json.warnings + 1, result.json.warnings)
end

-- Sets a field of an element of doc.bodies and other lists, and reports other elements that changed with it.
local function set_element(doc, assignment, value, result)
  local element, rest = place.element(doc, assignment.path)
  local field = element and rest:match "^%.([%a_]+)$"
  if not field or value == nil or not takes(element, field) then return false end
  local done, err = element:set { [field] = value }
  if not done then -- an assignment is not a call of a verb
    local wanted = tostring(err):match("'" .. field .. "' of set (is one of .*)$")
    return nil, wanted and ("%s %s"):format(assignment.path, wanted) or err
  end
  warn(result, done.warnings)
  local list = assignment.path:match "^%a+"
  for i, other in ipairs(done.shared and doc[list] or {}) do
    for _, shared in ipairs(done.shared) do
      if shared == other then
        local path = ("%s[%d].%s"):format(list, i, field)
        result.lines[#result.lines + 1] = ("  %s is the same value and changed, too"):format(path)
        result.json.along = result.json.along or records.list {}
        table.insert(result.json.along, path)
      end
    end
  end
  return true
end

-- Assigns a member of a value that Lua has.
local function assign_to(owner, key, current, assignment)
  if core.type(current) then current = core.totable(current) end
  local value, why = literal.read(assignment.text, current)
  if why then return nil, ("%s: %s"):format(assignment.path, why) end
  local ok, err = pcall(function() owner[key] = value end)
  if ok then return true end
  if type(err) == "table" then return nil, err end
  return nil, ("%s: %s"):format(assignment.path, (err:gsub("^[^\n]-%.lua:%d+: ", "")))
end

-- Sets a value of a bone or an annotation; false if it is neither.
local function set_told(doc, assignment)
  local owner, key, current = place.told(doc, assignment.path)
  if owner == nil then return false end
  return assign_to(owner, key, current, assignment)
end

-- Assigns a member that is no field; false if the path leads to none.
local function set_member(doc, assignment)
  local owner, key = place.owner(doc, assignment.path)
  if owner == nil then return false end
  return assign_to(owner, key, owner[key], assignment)
end

local function assign(doc, assignment, cache, result)
  local told, refused = set_told(doc, assignment)
  if told ~= false then return told, refused end
  local path, why = place.of(doc, assignment.path)
  if not path then return nil, why end
  local current, row, keyed = cache:locate(doc, path)
  if current == nil and type(row) == "table" and row.message then
    local done, wrong = set_member(doc, assignment)
    if done ~= false then return done, wrong end
    return nil, row
  end
  local value
  local is_ref = row and row.ref and not row.array
  local there = is_ref and place.of(doc, assignment.text) -- for example bodies[2].shape
  if there and core.type(doc:get(there)) then
    value = doc:get(there)
  elseif is_ref and (assignment.text == "null" or assignment.text == "nil") then
    value = false -- nil would remove an element of a list
  elseif assignment.text ~= "nil" then
    value, why = literal.read(assignment.text, current, row, cache)
  elseif not keyed then
    why = 'nil removes what has a key; for the text write "nil"'
  end
  if why then return nil, ("%s: %s"):format(assignment.path, why) end
  local done
  done, why = set_element(doc, assignment, value, result)
  if done ~= false then return done, why end
  local shown
  shown, why = doc:set(path, value)
  if shown == nil then return nil, why end -- false may be the current value
  if materials.is_unknown(value, shown) then warn(result, materials.warnings(doc, { value })) end
  return true
end

local function assign_all(doc, result, assignments)
  local cache = schema.new(doc)
  for _, assignment in ipairs(assignments) do
    local ok, err = assign(doc, assignment, cache, result)
    if not ok then return nil, err end
  end
  result.detail = report.changes(#assignments)
  return true
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function set.run(args)
  local assignments = parse_assignments(args.values)
  args.output_is_file = true
  return batch.run {
    args = args,
    writes = "needed",
    apply = function(doc, result)
      result.allow_unknown = args.allow_unknown
      return assign_all(doc, result, assignments)
    end,
  }
end

return set
