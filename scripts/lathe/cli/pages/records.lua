--- The JSON values that commands print with --json: their members, in the order in which they are written.
-- `json_schema.lua` makes the JSON Schema from these tables.
--
-- A member is `{ name, type, description }`. Types: `string`, `integer`, `boolean`; `number` (the strings
-- "nan", "inf" and "-inf" included); `value` (any JSON value); the name of a shape; `TYPE[]`, a list;
-- `TYPE{}`, an object with any names. `"a" "b"` are the only possible strings. `?` at the end: may be absent.
-- @module lathe.cli.pages.records

local text = require "lathe.tree.text"

local records = {}

--- Parts of records, by name: `about`, then members. `others` is the type of members with any other name.
records.shapes = {
  place = { about = "Something that was left out or left alone.",
    { "path", "string", "Where it is." },
    { "reason", "string", "Why." },
  },
  report = { about = "What a verb did.",
    { "changed", "integer", "Number of changes." },
    { "skipped", "place[]", "What it left as it was." },
    { "warnings", "string[]?", "What may not be wanted." },
    { "notes", "string[]?", "What else is worth knowing." },
    others = "value", -- counts of the verb, such as the id of a new state
  },
  precombine_report = { about = "What precombine made.",
    { "changed", "integer", "Number of changes." },
    { "shapes", "integer", "Number of shapes." },
    { "objects", "integer", "Number of objects." },
    { "instances", "integer", "Number of instances." },
    { "vertices", "integer", "Number of vertices." },
    { "triangles", "integer", "Number of triangles." },
    { "skipped", "place[]", "What was left out." },
    { "warnings", "string[]?", "What may not be wanted." },
  },
  change = { about = "A difference between two files.",
    { "path", "string", "Path of the field or element; of a removed one in the first file." },
    { "at", "string?", "Path at which apply finds it, after the changes before it, if it is another one." },
    { "length", "integer?", "Number of elements in the array before an element is added or removed." },
    { "old", "value?", "Old value." },
    { "old_name", "string?", "Name of the old number." },
    { "new", "value?", "New value." },
    { "new_name", "string?", "Name of the new number." },
    { "added", "value?", "New element." },
    { "removed", "value?", "Removed element." },
    { "whole", "boolean?", "True if a whole array is replaced, because too much in it differs." },
    { "late", "boolean?", "True if apply sets it after the others." },
    { "follows", "boolean?", "True if it follows from other changes: apply leaves it to them." },
    { "cannot", "string?", "Why apply cannot do it." },
    { "name", "value?", "Key of the element, such as the name of a bone." },
    { "frames", "integer?", "Number of frames in which a track differs." },
    { "translation", "number?", "Largest difference of translations." },
    { "translation_frame", "number?", "Frame of that difference." },
    { "rotation", "number?", "Largest difference of rotations, in radians." },
    { "rotation_frame", "number?", "Frame of that difference." },
    { "scale", "number?", "Largest difference of scales." },
    { "scale_frame", "number?", "Frame of that difference." },
    { "value", "number?", "Largest difference of float values." },
    { "value_frame", "number?", "Frame of that difference." },
  },
  missing_change = { about = "Something that a patch cannot do.",
    { "path", "string?", "Path of the field or element." },
    { "reason", "string", "Why." },
  },
  finding = { about = "A problem that check found.",
    { "level", '"error" "warning"', "How bad it is." },
    { "code", "string?", "Kind of problem." },
    { "where", "string?", "Path of the field." },
    { "offset", "integer?", "Offset in the file, in bytes." },
    { "message", "string", "The problem." },
  },
  script_argument = { about = "An argument of a script, behind --.",
    { "name", "string", "Name, in brackets if it is optional." },
    { "doc", "string", "What it means." },
  },
  missing_file = { about = "A geometry file that was not found.",
    { "hash", "integer", "Hash in its name." },
    { "objects", "integer", "Number of objects that need it." },
    { "reason", "string", "Why it was not opened." },
  },
  detail = { about = "What is known about a field.",
    { "type", "string?", "Type; of an array, that of its elements." },
    { "unit", "string?", "Unit." },
    { "meaning", "string?", "The number in words, such as 20.2.0.7 for a version." },
  },
  link = { about = "Target of a reference; each list in it by name.",
    { "type", "string", "Type of the target." },
    { "path", "string", "Path of the target." },
    others = "link_element[]",
  },
  link_element = { about = "Element of a list in the target of a reference.",
    { "name", "string?", "Its name." },
    { "refs", "link_reference[]", "Its own references." },
  },
  link_reference = { about = "Reference of such an element.",
    { "field", "string", "Field." },
    { "type", "string", "Type of the target." },
    { "path", "string", "Path of the target." },
  },
  type_count = { about = "Elements of one type.",
    { "name", "string", "Type." },
    { "count", "integer", "Number of elements." },
    { "opaque", "boolean", "True if lathe does not know the type." },
  },
  mesh = { about = "A mesh.",
    { "name", "string?", "Name." },
    { "positions", "integer?", "Number of positions." },
    { "triangles", "integer?", "Number of triangles." },
    { "extent", "number[]?", "Size of the bounding box." },
    { "turned", "string?", "How the game turns it when it loads the file, as pictures and exports do." },
    { "problem", "string?", "Why it cannot be computed." },
  },
  geometry_file = { about = "A shared geometry file.",
    { "hash", "integer", "Hash in its name." },
    { "objects", "integer", "Number of objects that need it." },
    { "problem", "string?", "Why it cannot be opened." },
  },
  undrawn = { about = "Precombined geometry that cannot be drawn.",
    { "path", "string", "Where it is." },
    { "reason", "string", "Why." },
    { "instances", "integer?", "Number of instances." },
  },
  precombined = { about = "Precombined geometry of a cell.",
    { "cell", "string?", "Form id of the cell." },
    { "key", "string?", "Key in the file name." },
    { "groups", "integer", "Number of shapes with packed geometry." },
    { "objects", "integer", "Number of objects." },
    { "instances", "integer", "Number of instances." },
    { "triangles", "integer", "Triangles of the objects." },
    { "expanded_triangles", "integer", "Triangles of all instances." },
    { "geometry_files", "geometry_file[]", "Shared geometry files." },
    { "left_out", "undrawn[]", "What cannot be drawn." },
  },
  named_count = { about = "A name and how often it occurs.",
    { "name", "value?", "Name; a number if it is unknown." },
    { "count", "integer", "How often." },
  },
  material_count = { about = "Numbers of materials.",
    { "shaders", "integer", "Number of shaders." },
    { "textures", "integer", "Number of textures." },
    { "collision", "named_count[]", "Materials of collision." },
  },
  motion_count = { about = "Bodies of one kind of motion.",
    { "motion", "string", "Kind of motion." },
    { "count", "integer", "Number of bodies." },
  },
  collision = { about = "Collision of a file without visible meshes.",
    { "meshes", "integer?", "Number of meshes." },
    { "triangles", "integer?", "Number of triangles." },
    { "extent", "number[]?", "Size of the bounding box." },
    { "problem", "string?", "Why it cannot be computed." },
  },
  skeleton = { about = "A skeleton.",
    { "name", "string?", "Name." },
    { "bones", "integer", "Number of bones." },
    { "float_slots", "integer?", "Number of float slots." },
  },
  animation = { about = "An animation.",
    { "name", "string?", "Name." },
    { "type", "string?", "Type." },
    { "duration", "number?", "Duration in seconds." },
    { "frame_count", "integer?", "Number of frames." },
    { "tracks", "integer?", "Number of tracks." },
    { "float_tracks", "integer?", "Number of float tracks." },
    { "annotations", "integer?", "Number of annotations." },
    { "looping", "boolean?", "Whether it loops." },
    { "blend_hint", "string?", "How it blends: normal, additive …" },
  },
  graph = { about = "A behavior graph.",
    { "name", "string?", "Name." },
    { "path", "string?", "Path of the graph." },
    { "events", "string[]?", "Names of the events." },
    { "variables", "string[]?", "Names of the variables." },
    { "states", "integer?", "Number of states." },
    { "transitions", "integer?", "Number of transitions." },
    { "clips", "integer?", "Number of clips." },
    { "root", "string?", "Path of the root node." },
    { "nodes", "graph_node[]?", "Nodes that the root leads to." },
    { "problem", "string?", "Why it cannot be read." },
  },
  graph_node = { about = "A node of a behavior graph.",
    { "type", "string", "Type." },
    { "name", "string?", "Name." },
    { "path", "string", "Path." },
    { "animation", "string?", "Animation that a clip plays." },
    { "behavior", "string?", "Behavior file that it refers to." },
    { "start_state_id", "integer?", "Id of the first state." },
    { "transitions", "graph_transition[]?", "Transitions from any state." },
    { "states", "graph_state[]?", "States of a state machine." },
    { "children", "string[]?", "Paths of the nodes below." },
  },
  graph_state = { about = "A state.",
    { "id", "integer", "Id." },
    { "name", "string?", "Name." },
    { "path", "string", "Path." },
    { "generator", "string?", "Path of what it plays." },
    { "transitions", "graph_transition[]", "Transitions from this state." },
  },
  graph_transition = { about = "A transition.",
    { "event", "string?", "Name of the event." },
    { "to", "value?", "State to which it leads." },
  },
  character = { about = "A character or project file.",
    { "kind", "string?", "Kind of file." },
    { "name", "string?", "Name." },
    { "path", "string?", "Path of the object." },
    { "files", "character_files[]?", "Files that it names, by member." },
    { "animations", "integer?", "Number of animations." },
    { "problem", "string?", "Why it cannot be read." },
  },
  character_files = { about = "Files that a character or project names.",
    { "name", "string", "Member." },
    { "files", "string[]", "File names." },
  },
  texture = { about = "A texture of a shader.",
    { "slot", "string", "Slot, such as diffuse." },
    { "file", "string", "File name." },
  },
  material = { about = "A shader or a material of collision.",
    { "path", "string", "Path." },
    { "kind", '"shader" "collision"', "Kind." },
    { "type", "string", "Type of the record." },
    { "name", "value?", "Name; a number if it is unknown." },
    { "textures", "texture[]", "Textures." },
    { "flags", "string[]?", "Names of the flags that are set." },
    { "colors", "number[]{}?", "Colors, by name." },
    { "alpha", "number?", "Opacity from 0 to 1." },
  },
  written_file = { about = "A file that a script would write.",
    { "path", "string", "Path." },
    { "size", "integer", "Size in bytes." },
  },
  verb = { about = "A verb.",
    { "name", "string", "Name in Lua." },
    { "doc", "string", "What it does." },
    { "type", "string?", "Record type that has it, if it is not the document." },
    { "query", "boolean?", "True if it changes nothing." },
    { "single", "boolean?", "True if it returns one record." },
    { "params", "param[]", "Arguments." },
  },
  param = { about = "An argument of a verb.",
    { "name", "string", "Name." },
    { "doc", "string", "Meaning." },
    { "kind", "string", "Kind of value." },
    { "unit", "string?", "Unit." },
    { "values", "string[]?", "Possible words." },
    { "positional", "boolean?", "True if it may be given without its name." },
    { "needed", "boolean?", "True if it has no default." },
  },
  field = { about = "A field of a record.",
    { "name", "string", "Name." },
    { "type", "string?", "Type." },
    { "array", "boolean?", "True for an array." },
    { "ref", "value?", "Type of the targets of a reference." },
    { "unit", "string?", "Unit." },
    { "doc", "string?", "Meaning." },
    { "readonly", "boolean?", "True if it cannot be set." },
    { "computed", "boolean?", "True if it is computed." },
    { "inside", "boolean?", "True for container bookkeeping." },
  },
  record_type = { about = "A record type.",
    { "name", "string", "Name." },
    { "fields", "field[]", "Fields." },
  },
}

--- Members at the start of each line of a command over files.
records.of_file = {
  { "file", "string", "Path of the file; bytes that are no UTF-8 are U+FFFD." },
  { "file_bytes", "string?", "The path in base64, if it is not UTF-8." },
  { "ok", "boolean", "False if the file failed." },
  { "skipped", "string?", "Why the file was skipped." },
  { "error", "string?", "Why the file failed." },
  { "code", "string?", "Kind of error." },
  { "where", "string?", "Path of the field at fault." },
  { "offset", "integer?", "Offset of the fault in bytes." },
  { "format", "string?", "Format." },
}

local WRITTEN = { "written", "string?", "Path of the result." }
local DONE = { "already_done", "boolean?", "With --resume: true if an earlier run made the result." }
local CHANGES = { "changes", "change[]?", "With --dry-run: differences between result and input." }

--- Members that commands over files add to those; commands that are not listed here are verbs.
records.commands = {
  info = {
    { "path", "string?", "With --at: the path." },
    { "value", "value?", "With --at: the value." },
    { "description", "string?", "Name of the format." },
    { "game", "string?", "Game." },
    { "size", "integer?", "Size in bytes." },
    { "container", "string?", "Container, such as xml." },
    { "compression", "string?", "Compression." },
    { "fields", "value{}?", "Fields of the document; of an array, its number of elements." },
    { "details", "detail{}?", "What is known about fields, by name." },
    { "links", "link{}?", "Fields that are references." },
    { "types", "type_count[]{}?", "Of arrays with elements of several types." },
    { "meshes", "mesh[]?", "Meshes, without instances of precombined objects." },
    { "precombined", "precombined?", "Precombined geometry." },
    { "materials", "material_count?", "Numbers of materials." },
    { "bodies", "motion_count[]?", "Bodies by kind of motion." },
    { "collision", "collision?", "Collision, if there are no visible meshes." },
    { "skeletons", "skeleton[]?", "Skeletons." },
    { "animations", "animation[]?", "Animations." },
    { "graph", "graph?", "Behavior graph." },
    { "character", "character?", "Character or project." },
  },
  dump = {
    { "path", "string?", "Path of the record." },
    { "value", "value?", "Its content." },
    { "kept", "value?", "What the values of the file do not tell: for `lathe build`." },
  },
  get = { { "path", "string?", "Path." }, { "value", "value?", "Value; absent for nil." } },
  set = {
    WRITTEN, CHANGES,
    { "along", "string[]?", "Paths of elements that share the value and changed with it." },
    { "warnings", "string[]?", "What may not be wanted." },
  },
  diff = {
    { "other", "string?", "Path of the second file." },
    { "same", "boolean?", "True if the files are equal." },
    { "only", '"first" "second"?', "The only folder that has the file." },
    { "differ_at", "integer?", "Offset of the first different byte, if no field differs." },
    { "patch", "integer?", "Version of the form of patches." },
    { "game", "string?", "Game of the files." },
    { "tolerance", "number?", "Differences of floats up to this are left out." },
    { "complete", "boolean?", "True if apply makes the second file of the first one, byte for byte." },
    { "missing", "missing_change[]?", "What apply cannot do." },
    { "notes", "place[]?", "Arrays in which inserted elements cannot be told from edited ones." },
    { "changes", "change[]?", "Differences." },
  },
  check = {
    { "decoded", "integer?", "Number of objects that lathe knows." },
    { "undecoded", "string[]?", "Paths of objects that it does not know." },
    { "findings", "finding[]?", "Problems." },
    { "missing", "missing_file[]?", "Geometry files that were not found." },
  },
  materials = {
    WRITTEN, DONE,
    { "materials", "material[]?", "Materials, if nothing is set." },
    { "report", "report?", "What was done." },
    CHANGES,
  },
  export = {
    WRITTEN, DONE,
    { "animations", "integer?", "Number of animations." },
    { "bones", "integer?", "Number of bones." },
    { "meshes", "integer?", "Number of meshes." },
    { "triangles", "integer?", "Number of triangles." },
    { "left_out", "place[]?", "What was left out." },
    { "notes", "place[]?", "What else is worth knowing." },
  },
  view = {
    WRITTEN,
    { "bytes", "integer?", "Of the page: its size." },
    { "animations", "integer?", "Number of animations." },
    { "bones", "integer?", "Number of bones." },
    { "meshes", "integer?", "Number of meshes, with those of collision." },
    { "triangles", "integer?", "Number of triangles." },
    { "notes", "place[]?", "What the page leaves out or guesses." },
  },
  preview = {
    WRITTEN, DONE,
    { "width", "integer?", "Width in pixels." },
    { "height", "integer?", "Height in pixels." },
    { "triangles", "integer?", "Number of triangles that were drawn." },
    { "left_out", "place[]?", "What was left out." },
    { "notes", "string[]?", "What was guessed." },
  },
  run = {
    { "finish", "boolean?", "True for the line of the script's function `finish`." },
    WRITTEN, DONE,
    { "log", "string[]?", "Lines of ctx.log." },
    CHANGES,
    { "would_write", "written_file[]?", "With --dry-run: files that the script would write." },
  },
  convert = {
    WRITTEN, DONE,
    { "rows", "integer?", "Of a shared geometry file: number of its objects." },
    { "appended", "integer?", "Of a shared geometry file: number of objects that were added." },
    { "report", "report?", "What was done." },
    CHANGES,
  },
  precombine = {
    WRITTEN,
    { "report", "precombine_report?", "What was made." },
    { "line", "integer?", "Line of the list at fault." },
  },
  undo = {
    { "put_back", "string?", "Path of the backup." },
    { "would_put_back", "string?", "With --dry-run: path of the backup." },
  },
  apply = { WRITTEN, DONE, { "report", "report?", "What was done." }, CHANGES },
  build = { WRITTEN },
  find = {
    { "path", "string?", "Place in the file; empty if the whole file meets the conditions." },
    { "condition", '"texture" "material" "bone" "type" "where"?', "Condition that the place meets." },
    { "value", "value?", "Name that it found: of the texture, material, bone or type." },
  },
  verb = { WRITTEN, DONE, { "report", "report?", "What the verb did." }, CHANGES },
}

--- Lines of commands that are not over files.
records.lines = {
  examples = {
    { "name", "string", "Name of the script." },
    { "summary", "string", "What it does." },
    { "when", "string", "When it is useful." },
    { "files", "string", "Files that it is for." },
    { "note", "string?", "What else is worth knowing." },
    { "arguments", "script_argument[]", "Its arguments." },
    { "try", "string[]", "Commands to try it with." },
    { "samples", "string[]", "Names of the sample files in these commands." },
    { "path", "string", "Path of the script." },
  },
  formats = {
    { "name", "string", "Name of the format, or of the type." },
    { "doc", "string?", "What it is." },
    { "extensions", "string[]?", "Extensions of its files." },
    { "games", "string[]?", "Games." },
    { "read", "boolean?", "Whether lathe reads its files." },
    { "write", "boolean?", "Whether lathe writes its files." },
    { "new", "boolean?", "Whether lathe makes new files." },
    { "export", "boolean?", "Whether `lathe export` takes its files." },
    { "import", "value{}?", "By game, a list of what `lathe import` reads: meshes, animations, skeletons." },
    { "can", "string[]?", "What lathe can do with it." },
    { "commands", "string[]?", "Commands for its verbs." },
    { "fields", "field[]?", "Fields." },
    { "types", "record_type[]?", "Its other record types." },
    { "verbs", "verb[]?", "Verbs." },
  },
}

--- Names of members in order, for `__jsonorder`.
-- @tparam {table,...} members
-- @treturn {string,...}
function records.names(members)
  local names = {}
  for i, member in ipairs(members) do names[i] = member[1] end
  return names
end

--- Marks a table as a record of a shape, so that its members are written in order.
-- @tparam string shape
-- @tparam table fields
-- @treturn table the same table
function records.of(shape, fields)
  local order = records.names(records.shapes[shape])
  return setmetatable(fields, { __jsonorder = order, __jsontype = "object" })
end

--- Marks each element of a list as a record of a shape, and the list as one even if it is empty.
-- @tparam string shape
-- @tparam {table,...} list
-- @treturn {table,...} the same list
function records.list_of(shape, list)
  for _, fields in ipairs(list) do records.of(shape, fields) end
  return records.list(list)
end

--- Marks a list, so that it is written as `[]` if it is empty.
-- @tparam table list
-- @treturn table the same list
function records.list(list)
  return setmetatable(list, { __jsontype = "array" })
end

local LABEL, WIDTH = 16, 105 -- columns of the help

-- Appends words to lines that are indented as option descriptions are.
local function fill(lines, label, words)
  local first = ("   %-" .. LABEL .. "s"):format(label)
  for _, line in ipairs(text.fill(first, words, WIDTH)) do lines[#lines + 1] = line end
end

--- Lists the members of a command's lines for its help, and those of the shapes in them.
-- @tparam string command
-- @treturn string
function records.help(command)
  local lines = {}
  for _, member in ipairs(records.commands[command]) do
    local shape = records.shapes[member[2]:match "^[%l_]+"]
    local inner = shape and (" Members: %s."):format(table.concat(records.names(shape), ", ")) or ""
    fill(lines, member[1], member[3] .. inner)
  end
  return table.concat(lines, "\n")
end

--- Names of the members of a command's line, in order.
-- @tparam string command its name
-- @treturn {string,...}
function records.order(command)
  local order = records.names(records.of_file)
  for _, name in ipairs(records.names(records.commands[command] or records.commands.verb)) do
    order[#order + 1] = name
  end
  return order
end

--- Entries of a report in the form that they have in JSON: `path` and `reason`.
-- @tparam table entries
-- @treturn table
function records.places(entries)
  local list = {}
  for i, entry in ipairs(entries) do list[i] = { path = entry.path, reason = entry.reason } end
  return records.list_of("place", list)
end

return records
