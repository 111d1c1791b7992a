--- Type stubs for the Lua language server: one class a record, one field a row of its schema.
--
-- An editor with these completes `doc.triangles[1].gx` and shows units and documentation. The build
-- writes them to build/types/lathe.lua; `make install` puts them beside the module.
-- @module lathe.tree.stubs

local core = require "lathe.core"
local verbs = require "lathe.tree.verbs"

local stubs = {}

-- What does not depend on a format. LDoc reads comments even in here: `---` is put in front later.
local FIXED = [[
@meta lathe

@class lathe.Error
@field path? string the file
@field where? string the place in it, as lathe.path writes it
@field offset? integer bytes from the start of the file
@field code string "bounds", "format", "io", "range" …
@field level "error"|"warning"
@field message string

@class lathe.Report
@field changed integer
@field skipped { path: string, reason: string }[]
@field warnings? string[]
@field notes? string[] why nothing changed, or what came out otherwise than one may think

@class lathe.Buffer
@field rows integer
@field columns integer
@field type string "f32", "u16" …
@field [integer] number
local Buffer = {}
@return number
function Buffer:at(row, column) end
@return number ...
function Buffer:row(i) end
@return number[]
function Buffer:totable() end
@return string
function Buffer:pack() end
@return number[] least, number[] most
function Buffer:bounds() end
function Buffer:transform(matrix) end

@class lathe.Pose
@field t number[] translation x, y, z
@field q number[] rotation x, y, z, w
@field s number[] scale x, y, z

@class lathe.Bone
@field name? string
@field parent integer number of a bone, from 0; -1: root
@field mirror? integer bone on the other side, from 0
@field pose lathe.Pose at rest, relative to the parent

@class lathe.Skeleton
@field name? string
@field bones table<integer|string, lathe.Bone> by number from 1, or by name
@field float_slots? string[] names of numbers that are animated beside bones; copies
@field source? lathe.Record what it was read from

@alias lathe.AnySkeleton lathe.Skeleton|lathe.Document|{ bones: table[] }|table[]|integer[]
@alias lathe.When number|{ time?: number, frame?: number, skeleton?: lathe.AnySkeleton }

@class lathe.Track
@field bone? string
@field bone_index integer from 0; -1: none
local Track = {}
@param when lathe.When a frame from 0, or { time = } in seconds
@param opts? { skeleton?: lathe.AnySkeleton }
@return number[]? translation, number[]|lathe.Error rotation, number[]? scale
function Track:sample(when, opts) end

@class lathe.FloatTrack
@field name? string of the slot that it drives
@field slot_index integer from 0; -1: none
local FloatTrack = {}
@param when number|{ time?: number, frame?: number }
@return number?, lathe.Error?
function FloatTrack:sample(when) end

@class lathe.Annotation
@field time number [s]
@field text string
@field track integer from 0
@field source? lathe.Record what it is stored as

@class lathe.Annotations
@field [integer] lathe.Annotation
local Annotations = {}
@param annotation { time: number, text: string, track?: integer }
function Annotations:append(annotation) end
@param i? integer the last one, where it is left out
function Annotations:remove(i) end

@class lathe.Animation
@field name? string
@field duration number [s]
@field frame_count integer
@field looping boolean
@field absolute boolean tracks are in the model's space, not relative to their parents
@field blend_hint? string "normal", "additive" …
@field skeleton_name? string
@field tracks table<integer|string, lathe.Track> by number from 1, or by a bone's name
@field float_tracks table<integer|string, lathe.FloatTrack> what is animated beside bones
@field annotations lathe.Annotations in time order
@field skeleton? lathe.Skeleton that the document is linked to
@field root_motion? lathe.Buffer rows of x, y, z and an angle
@field binding? lathe.Record what binds it to a skeleton
@field source lathe.Record what it is a view of; its verbs are methods here, too
local Animation = {}
@param when lathe.When
@param buffer? lathe.Buffer one that an earlier call gave, to be filled again
@param opts? { skeleton?: lathe.AnySkeleton }
@return lathe.Buffer? rows, lathe.Error?
function Animation:sample(when, buffer, opts) end
@param opts? { skeleton?: lathe.AnySkeleton }
@return lathe.Buffer? rows, lathe.Error?
function Animation:decode(opts) end
@param when number|{ time?: number, frame?: number }
@param buffer? lathe.Buffer one that an earlier call gave, to be filled again
@return lathe.Buffer? rows of one number for each float track, lathe.Error?
function Animation:sample_floats(when, buffer) end
@return lathe.Buffer? rows, lathe.Error?
function Animation:decode_floats() end

@class lathe.Record
local Record = {}
@return table
function Record:totable() end

@class lathe.Array
local Array = {}
function Array:insert(i, value) end
function Array:append(value) end
function Array:remove(i) end
function Array:move(from, to) end
function Array:resize(n) end
function Array:assign(values) end
@return table
function Array:totable() end
@return string
function Array:pack() end
@return lathe.Buffer
function Array:tobuffer(member) end

@class lathe.Document : lathe.Record
@field format string
@field path? string
@field game? string
@field size integer bytes when encoded
@field modified boolean
@field compression? "zstd" how it is encoded and saved; can be set
@field skeletons lathe.Skeleton[]
@field animations lathe.Animation[]
@field materials lathe.Record[]
@field bodies lathe.Record[] what collides
local Document = {}
@return true?, lathe.Error?
function Document:save(path, opts) end
@return string?, lathe.Error?
function Document:encode() end
@param opts? { game?: string } the game whose layout is written
@return string?, lathe.Error?
function Document:serialize(opts) end
function Document:close() end
function Document:edit(fn) end
@return boolean
function Document:undo() end
@return boolean
function Document:redo() end
@return true?, lathe.Error[]
function Document:check() end
function Document:get(path) end
function Document:set(path, value) end
function Document:at(offset) end
function Document:describe(name) end
@param opts? { what?: "geometry"|"collision", lod?: 0|1|2, once?: boolean, left_out?: table[] }
function Document:meshes(opts) end

@alias lathe.Geometry string|lathe.Document|table<integer, string|lathe.Document> where shared geometry is

@class lathe.Options
@field format? string
@field history? integer
@field limit? integer
@field geometry? lathe.Geometry
@field dictionary? string|{ bytes: string } of zstd: a path, or its bytes
@field names? table names of numbers in the game's own lists
@field skeleton? string|lathe.AnySkeleton names the bones of animations; a path, or one that is open

@class lathe
@field VERSION string
local lathe = {}
@param path string
@param opts? lathe.Options
@return lathe.Document?, lathe.Error?
function lathe.open(path, opts) end
@param bytes string
@return lathe.Document?, lathe.Error?
function lathe.parse(bytes, opts) end
@param format string
@param fields? table
@return lathe.Document?, (lathe.Error | table)? report what became of an animation's samples
function lathe.new(format, fields) end
function lathe.formats() end
@class lathe.Param
@field name string
@field doc string
@field unit? string
@field kind "number"|"integer"|"string"|"boolean"|"skeleton"|"clip"|"numbers"|"any"
@field positional? boolean may be given without its name
@field needed? boolean
@field values? string[] the words that it may be
@class lathe.Verb
@field name string
@field doc string
@field query? boolean answers and changes nothing
@field single? boolean its answer is one value, or nil
@field counts? string one of what a report's `changed` counts; nil: one change
@field type? string records that have it, where the document has not
@field params lathe.Param[]
@param what string|lathe.Record|lathe.Animation a format's name, or what has the verbs
@return lathe.Verb[]?, lathe.Error?
function lathe.verbs(what) end
@param view lathe.Record a document, or one inside of another
@param opts? { game?: string }
@return string?, lathe.Error?
function lathe.serialize(view, opts) end
@class lathe.Exported
@field files string[] what was written
@field meshes integer
@field triangles integer
@field skipped { path: string, reason: string }[]
@param what lathe.Document|table a document, a list of meshes, or a list of { name =, meshes = }
@param path string ends in .glb or .obj
@param opts? { format?: "glb"|"obj", scale?: number|"metres", textures?: "names"|"reference" }
@return lathe.Exported?, lathe.Error?
function lathe.export(what, path, opts) end
@class lathe.Imported
@field name? string
@field positions lathe.Buffer rows of x, y, z
@field indices lathe.Buffer a row a triangle, from 0
@field normals? lathe.Buffer
@field uvs? lathe.Buffer
@field uv_origin "top"|"bottom"
@field material? string of all triangles
@field materials? string[] names of what its triangles are made of
@field triangle_materials? lathe.Buffer of each triangle its number in that list, from 0; behind it: none
@field up "y"|"z"
@field metres? number length of a unit
@field transform number[] the identity
@param path string ends in .glb, .gltf or .obj
@param opts? { format?: "glb"|"gltf"|"obj", up?: "y"|"z", scale?: number|"metres", metres?: number }
@return lathe.Imported[]?, lathe.Error?
function lathe.import(path, opts) end
@param path string
@return string?, lathe.Error?
function lathe.read(path) end
@param path string
@param bytes string
@return true?, lathe.Error?
function lathe.write(path, bytes) end
@return string?
function lathe.type(x) end
function lathe.describe(view) end
@return string
function lathe.path(view, field) end
@return integer offset, integer size
function lathe.span(view, field) end
@return lathe.Buffer
function lathe.buffer(type, rows, columns, values) end
]]

local KINDS = { integer = "integer", number = "number", string = "string", boolean = "boolean" }

-- What a string index gives, where strings are keys.
local function key_type(row)
  if not row.key then return "" end
  local found = row.type
  for _, field in ipairs(core.describe(row.type)) do
    if field.name == row.value then
      found = KINDS[field.kind] or field.type
      if field.array then found = ("(%s)[]|lathe.Array"):format(found) end
    end
  end
  return ("|table<string, %s>"):format(found)
end

-- Elements of several types: any of those that the format has no other place for.
local function any_of(row, format)
  local names = { row.type }
  table.move(format.types or {}, 1, #(format.types or {}), 2, names)
  return "(" .. table.concat(names, "|") .. ")"
end

local function lua_type(row, format)
  if row.tag then return any_of(row, format) .. "[]|lathe.Array" end
  local name = row.enum and "string|integer" or KINDS[row.kind] or row.type
  if row.ref and row.kind == "record" then
    name = (name == "pointer" or name == "record") and "lathe.Record" or name
    return row.array and ("(%s|false)[]|lathe.Array"):format(name) or name .. "|false"
  end
  if row.array and row.computed and row.inside then return "lathe.Buffer" end
  if row.array then
    return (row.kind == "record" and name .. "[]" or ("(%s)[]"):format(name)) .. "|lathe.Array"
      .. key_type(row)
  end
  return name
end

local function field_line(row, format)
  local doc = row.doc or ""
  if row.unit then doc = ("%s [%s]"):format(doc, row.unit) end
  if row.readonly then doc = doc .. " Read-only." end
  if row.key then doc = ("%s A string index is a %s."):format(doc, row.key) end
  return ("---@field %s %s %s"):format(row.name, lua_type(row, format), doc)
end

-- The verbs that records of a type have, as methods of its class.
local function add_methods(lines, format, type)
  for _, verb in ipairs(core.verbs(format.name)) do
    if (verb.type or format.type) == type then
      if #lines == 0 then lines[1] = ("local %s = {}"):format(type) end
      lines[#lines + 1] = verbs.stub(verb, type, type)
    end
  end
end

-- The verbs of all formats that have animations, each once, with the arguments that any of them takes.
local function animation_verbs(formats)
  local list, known = {}, {}
  for _, format in ipairs(formats) do
    for _, verb in ipairs(format.can.animations and core.verbs(format.name) or {}) do
      if not known[verb.name] then
        known[verb.name] = { params = {} }
        local merged = setmetatable({ params = {} }, { __index = verb })
        list[#list + 1], known[verb.name].merged = merged, merged
      end
      local entry = known[verb.name]
      for _, param in ipairs(verb.params) do
        if not entry.params[param.name] then table.insert(entry.merged.params, param) end
        entry.params[param.name] = true
      end
    end
  end
  return list
end

-- An animation has the verbs of what it is a view of: here those of all formats that have some.
local function add_animation_methods(out, formats)
  local lines = {}
  local class = table.concat(out):match "@class lathe%.Animation\n(.-)local Animation" or ""
  for _, verb in ipairs(animation_verbs(formats)) do
    local is_member = (class .. "\n"):find(("@field %s[?%%s]"):format(verb.name))
    if not is_member then lines[#lines + 1] = verbs.stub(verb, "Animation", "lathe.Animation") .. "\n" end
  end
  out[#out + 1] = table.concat(lines, "\n")
end

local function add_class(out, seen, format, name, parent)
  if seen[name] then return end
  seen[name] = true
  local rows = core.describe(name) or {}
  local lines = { ("---@class %s : %s"):format(name, parent) }
  for _, row in ipairs(rows) do
    lines[#lines + 1] = field_line(row, format)
    if row.kind == "record" and row.type ~= "pointer" and row.type ~= "record" then
      add_class(out, seen, format, row.type, "lathe.Record")
    end
  end
  local methods = {}
  add_methods(methods, format, name)
  if #methods > 0 then lines[#lines + 1] = table.concat(methods, "\n\n") end
  out[#out + 1] = table.concat(lines, "\n") .. "\n"
end

--- The text of the stub file.
-- @treturn string
function stubs.text()
  local out, seen = { (("\n" .. FIXED):gsub("\n@", "\n---@"):sub(2)) }, {}
  local formats = core.formats()
  add_animation_methods(out, formats)
  for _, format in ipairs(formats) do
    add_class(out, seen, format, format.type, "lathe.Document")
    for _, name in ipairs(format.types or {}) do add_class(out, seen, format, name, "lathe.Record") end
  end
  out[#out + 1] = "return lathe\n"
  return table.concat(out, "\n")
end

return stubs
