--- `lathe materials`: lists and renames textures, material files and collision materials of a scene.
-- @module lathe.cli.commands.materials

local core = require "lathe.core"
local batch = require "lathe.cli.batch"
local list_materials = require("lathe.materials").list
local out = require "lathe.cli.out"
local records = require "lathe.cli.pages.records"
local report = require "lathe.cli.batch.report"
local target = require "lathe.cli.batch.target"
local text = require "lathe.tree.text"

local materials = {
  name = "materials",
  summary = "List or rename textures, material files and collision materials.",
  description = [[
List the shaders of files with their texture and material files, and the materials of collision, including
those of single triangles in Fallout 4 meshes. Files of formats without such names are skipped.

--set OLD=NEW renames what matches the whole of OLD. * matches any characters; case, and / or \, make no
difference. The first * of NEW stands for what the first * of OLD matched (as little as possible), and so on.
Several --set are applied in order; stderr lists those that changed nothing in any file. A collision material
is renamed if OLD and NEW are names or numbers without * . / and \. A path that would lose its extension fails
the file.

--textures, --collision and --files rename names of these kinds only; * then also matches names of collision
materials (one without a name is written 0x0123ABCD). Without them, a file fails if OLD matches several kinds.
For a collision material that lathe does not know there is a warning with the nearest known name; mods may
define their own: --allow-unknown.

--normalise then writes paths as the games expect them: single backslashes, nothing in front of Textures\ or
Materials\ (such as Data\ or a drive), that folder added if it is missing, no blanks or line ends around the
path. Morrowind's textures get no folder. Names without a dot, and absolute paths without that folder, stay as
they are.

With --json, the list also has the flags, colours and opacity of shaders.]],
  examples = {
    "lathe materials Meshes/",
    [[lathe materials Meshes/ --set 'textures\old\*=textures\new\*' -o out/]],
    "lathe materials Meshes/ --set stone=wood --normalise --in-place",
    "lathe materials Meshes/ --collision --set '*=wood' -o out/",
  },
}

--- Adds the options.
-- @param command an argparse command
function materials.options(command)
  batch.options(command)
  command:option("--set", "Names to change, and into what. May be given several times.")
    :argname "<old>=<new>":count "*"
  command:flag("--normalise", "Write paths as the games look for them.")
  command:flag("--textures", "Change paths of textures only."):target "only_textures"
  command:flag("--collision", "Change collision materials only."):target "only_collision"
  command:flag("--files", "Change paths of material files (.bgsm, .bgem, .mat) only."):target "only_files"
  command:flag("--allow-unknown", "Do not warn about collision materials that lathe does not know.")
  target.options(command, "Folder to write to, with the tree of the inputs; or a file, for one input.", true)
end

local function parse_changes(list)
  local changes = {}
  for i, change in ipairs(list) do
    local from, to = change:match "^([^=]+)=(.*)$"
    if not from then out.usage(("'%s' is not OLD=NEW"):format(change)) end
    changes[i] = { from = from, to = to }
  end
  return changes
end

-- Makes an empty document of the format that has all kinds of names: with visible geometry, it has textures.
local function new_nothing()
  for _, format in ipairs(core.formats()) do
    if format.can.meshes and format.can.set_materials then return assert(core.new(format.name, {})) end
  end
end

-- Checks the changes once, before any file, with an empty document.
local function check_changes(changes, list)
  local nothing <close> = new_nothing()
  for i, change in ipairs(changes) do
    local ok, err = nothing:set_materials(change)
    if not ok then out.usage(("--set '%s': %s"):format(list[i], err)) end
  end
end

-- A name without quotes if the terminal shows it unchanged.
local function bare(name)
  if utf8.len(name) and not name:find "%c" then return name end
  return text.quote(name)
end

-- Shows numbers of collision materials in hexadecimal, as modders write them.
local function shown_name(name)
  return type(name) == "number" and ("0x%08X"):format(name) or bare(name)
end

local function list_lines(path, list)
  local lines = { ("%s: %s"):format(path, text.count(#list, "material")) }
  for _, material in ipairs(list) do
    local label = ("  %s %s"):format(core.path(material.material), core.type(material.source))
    lines[#lines + 1] = label .. (material.name and " " .. shown_name(material.name) or "")
    for _, texture in ipairs(material.textures) do
      lines[#lines + 1] = ("    %s: %s"):format(texture.slot, bare(texture.file))
    end
  end
  return lines
end

local function json_colors(colors)
  local names = {}
  for name in pairs(colors) do names[#names + 1] = name end
  table.sort(names)
  return setmetatable(colors, { __jsontype = "object", __jsonorder = names })
end

local function json_list(list)
  local result = {}
  for i, material in ipairs(list) do
    local textures = {}
    for k, texture in ipairs(material.textures) do
      textures[k] = { slot = texture.slot, file = texture.file }
    end
    result[i] = {
      path = core.path(material.material),
      kind = material.kind,
      type = core.type(material.source),
      name = material.name,
      textures = records.list_of("texture", textures),
      flags = material.flags and records.list(material.flags),
      colors = material.colors and json_colors(material.colors),
      alpha = material.alpha,
    }
  end
  return records.list_of("material", result)
end

local function show(args)
  if args.output or args.in_place or args.no_backup or args.dry_run then
    out.usage "nothing is written without --set or --normalise"
  end
  for _, name in ipairs { "only_textures", "only_collision", "only_files", "allow_unknown" } do
    if args[name] then
      out.usage(("--%s goes with --set"):format((name:gsub("^only_", ""):gsub("_", "-"))))
    end
  end
  return batch.run {
    args = args,
    verb = "set_materials",
    apply = function(doc, result, item)
      local list = list_materials(doc)
      result.lines, result.json.materials = list_lines(item.path, list), json_list(list)
      return true
    end,
  }
end

local KINDS = { "textures", "collision", "files" }

-- Expands each change to the selected kinds of names. They can be applied one by one because kinds share no
-- names. `rule` is the number of the change.
local function limited(changes, args)
  local list, chosen = {}, {}
  for _, kind in ipairs(KINDS) do chosen[#chosen + 1] = args["only_" .. kind] and kind or nil end
  for i, change in ipairs(changes) do
    for k = 1, math.max(1, #chosen) do
      list[#list + 1] = { rule = i, options = { from = change.from, to = change.to,
        normalise = change.normalise, what = chosen[k], unknown = args.allow_unknown and "allow" or nil } }
    end
  end
  return list
end

-- Adds warnings to a list, without duplicates; creates it if it is nil.
local function add_warnings(list, warnings)
  list = list or warnings[1] and records.list {}
  for _, warning in ipairs(warnings) do
    local there = false
    for _, other in ipairs(list) do there = there or other == warning end
    if not there then list[#list + 1] = warning end
  end
  return list
end

-- Applies all changes to a document. `tally` counts for each rule. Returns the report, and the warnings of
-- rules that changed something. Those of the others would appear for most files of a batch, so the last of
-- them is stored in `idle`.
local function change_all(doc, changes, tally, idle)
  local total, told = { changed = 0 }, nil
  for _, change in ipairs(changes) do
    local done, err = doc:set_materials(change.options)
    if not done then return nil, err end
    tally[change.rule] = (tally[change.rule] or 0) + done.changed
    total.changed, total.skipped = total.changed + done.changed, done.skipped
    local warnings = done.warnings or {}
    total.warnings = add_warnings(total.warnings, warnings)
    if done.changed > 0 then told = add_warnings(told, warnings) end
    idle[change.rule] = warnings[1] or idle[change.rule]
  end
  return total, told
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function materials.run(args)
  if #args.set == 0 and not args.normalise then return show(args) end
  local changes, tally, idle = parse_changes(args.set), {}, {}
  check_changes(changes, args.set)
  if args.normalise then changes[#changes + 1] = { normalise = true } end
  changes = limited(changes, args)
  local code = batch.run {
    args = args,
    verb = "set_materials",
    writes = "needed",
    apply = function(doc, result)
      local counted, unused = {}, {}
      local done, told = change_all(doc, changes, counted, unused)
      result.value = { tally = counted, idle = unused }
      if not done then return nil, told end
      result.detail = report.changes(done.changed)
      result.lines = report.warning_lines(told, report.skipped_lines(done.skipped))
      result.json.report = report.verb_json(done)
      return true
    end,
    gather = function(record)
      local value = record.value or { tally = {}, idle = {} }
      for i, n in pairs(value.tally) do tally[i] = (tally[i] or 0) + n end
      for i, warning in pairs(value.idle) do idle[i] = warning end
    end,
  }
  for i, change in ipairs(args.set) do
    if tally[i] == 0 then
      out.message(("lathe materials: --set '%s' matched no name that it would change%s"):format(change,
        idle[i] and ": " .. idle[i] or ""))
    end
  end
  return code
end

return materials
