--- Precombined meshes of Fallout 4: makes a group from models and their placements.
-- @module lathe.formats.nif.precombine

local core = require "lathe.core"
local blocks = require "lathe.formats.nif.precombine.blocks"
local bucket = require "lathe.formats.nif.precombine.bucket"
local errors = require "lathe.errors"
local place = require "lathe.formats.nif.precombine.place"
local source = require "lathe.formats.nif.precombine.source"
local spelling = require "lathe.spelling"

local precombine = {}

local OPTIONS = { "sources", "cell", "key" }
local FIELDS = { "nif", "position", "rotation", "scale", "grayscale_to_palette", "leaf" }
local FALLOUT_4 <const> = 130

-- ---- arguments -----------------------------------------------------------------------------------------

local function mistake(format, ...) error(format:format(...), 0) end

local function check_names(given, known, what)
  local set = {}
  for _, name in ipairs(known) do set[name] = true end
  for name in pairs(given) do
    if not set[name] then
      local hint = type(name) == "string" and spelling.hint(name, known) or ""
      mistake("no option '%s' of %s%s, which takes %s", tostring(name), what, hint, table.concat(known, ", "))
    end
  end
end

-- Eight hex digits, from text or a number.
local function id_of(value, name)
  if value == nil then return nil end
  local is_id = math.type(value) == "integer" and value >= 0 and value <= 0xFFFFFFFF
  if is_id then return ("%08X"):format(value) end
  if type(value) == "string" and value:find "^%x%x%x%x%x%x%x%x$" then return value:upper() end
  mistake("'%s' of precombine: eight hex digits expected, got %s", name, tostring(value))
end

local function numbers(value, count, default, what)
  if value == nil then return default end
  if type(value) ~= "table" and type(value) ~= "userdata" then
    mistake("%s: a list of %d numbers expected, got %s", what, count, type(value))
  end
  local list = {}
  for i = 1, count do
    list[i] = value[i]
    if type(list[i]) ~= "number" then mistake("%s: a list of %d numbers expected", what, count) end
  end
  return list
end

local function number(value, default, what)
  if value == nil then return default end
  if type(value) ~= "number" then mistake("%s: a number expected, got %s", what, type(value)) end
  return value
end

-- A checked source: `nif`, `name`, `place`, `grayscale_to_palette`, `leaf`.
local function placement(given, i)
  local what = ("sources[%d]"):format(i)
  if type(given) ~= "table" then mistake("%s: a table expected, got %s", what, type(given)) end
  check_names(given, FIELDS, what)
  if type(given.nif) ~= "string" and core.type(given.nif) == nil then
    mistake("%s.nif: a path or a document expected, got %s", what, type(given.nif))
  end
  local x, y, z = table.unpack(numbers(given.position, 3, { 0, 0, 0 }, what .. ".position"))
  local a, b, c = table.unpack(numbers(given.rotation, 3, { 0, 0, 0 }, what .. ".rotation"))
  return {
    nif = given.nif, what = what,
    place = place.new(place.rotation(a, b, c), number(given.scale, 1, what .. ".scale"), x, y, z),
    grayscale_to_palette = number(given.grayscale_to_palette, nil, what .. ".grayscale_to_palette"),
    leaf = numbers(given.leaf, 2, { 0, 0 }, what .. ".leaf"),
  }
end

local function read_arguments(doc, list, options)
  if options == nil and type(list) == "table" and list[1] == nil then
    options, list = list, list.sources
  elseif type(options) == "table" and options.sources then
    mistake "'sources' of precombine is given twice"
  end
  options = options or {}
  check_names(options, OPTIONS, "precombine")
  if type(list) ~= "table" then mistake "'sources' of precombine: a list of models and places expected" end
  local cell, key = id_of(options.cell, "cell"), id_of(options.key, "key")
  if (cell == nil) ~= (key == nil) or cell == nil and #doc.blocks == 0 then
    mistake "precombine needs 'cell' and 'key': together they are the name of the group"
  end
  local placements = {}
  for i, given in ipairs(list) do placements[i] = placement(given, i) end
  return placements, cell and ("%s_%s_OC"):format(cell, key)
end

-- ---- models --------------------------------------------------------------------------------------------

local function name_of(nif)
  return type(nif) == "string" and nif or nif.path or "a document without a path"
end

-- Reads a document, or returns why it cannot be combined.
local function read_document(doc, name)
  if doc.format ~= "nif" or doc.bs_version ~= FALLOUT_4 then
    local found = doc.format == "nif" and ("bs_version %d, %s"):format(doc.bs_version, doc.game) or doc.format
    local message = ("a model of Fallout 4 (bs_version %d) expected, got %s"):format(FALLOUT_4, found)
    return nil, errors.new("unsupported", message, name)
  end
  return source.read(doc, name)
end

local function read_model(nif)
  local name = name_of(nif)
  if type(nif) ~= "string" then return read_document(nif, name) end
  local doc <close>, err = core.open(nif)
  if not doc then return nil, err end
  return read_document(doc, name)
end

-- Reads the models, each once for all its placements.
local function read_models(placements, target)
  local models = {}
  for _, one in ipairs(placements) do
    local err
    if one.nif == target then mistake("%s.nif: a group cannot be made of itself", one.what) end
    if not models[one.nif] then
      models[one.nif], err = read_model(one.nif)
      if not models[one.nif] then return nil, err end
      models[#models + 1] = models[one.nif]
    end
  end
  return models
end

local LARGEST <const> = 3.4028234e38 -- of f32

-- The problem of a placement that an instance cannot store.
local function placement_problem(one)
  for _, v in ipairs { one.leaf[1], one.leaf[2], one.grayscale_to_palette } do
    local fits = math.abs(v) <= LARGEST -- false for NaN
    if not fits then return ("%.9g is no number that fits into a float"):format(v) end
  end
  return place.problem(one.place)
end

local function fill(placements, models)
  local buckets = bucket.list()
  for _, one in ipairs(placements) do
    local why = placement_problem(one)
    for _, part in ipairs(models[one.nif].parts) do
      local where = place.compose(one.place, part.place)
      why = why or place.problem(where)
      if why then break end
      buckets:add(part.object, place.stored(where), one)
    end
    if why then return nil, errors.new("range", ("%s: %s"):format(one.what, why)) end
  end
  return buckets
end

-- ---- reports -------------------------------------------------------------------------------------------

local function plural(n, word) return ("%d %s%s"):format(n, word, n == 1 and "" or "s") end

local function warnings_of(models)
  local list, collision, rounded, off, segments = {}, 0, 0, 0.0, 0
  for _, model in ipairs(models) do
    if model.collision then collision = collision + 1 end
    for _, part in ipairs(model.parts) do
      if part.object.off > 0 then rounded, off = rounded + 1, math.max(off, part.object.off) end
      if part.object.segments then segments = segments + 1 end
    end
  end
  if collision > 0 then
    list[#list + 1] = ("the collision of %s does not come along"):format(plural(collision, "model"))
  end
  if rounded > 0 then
    list[#list + 1] = ("positions of %s are rounded to half floats, by up to %.3g game units"):format(
      plural(rounded, "shape"), off)
  end
  if segments > 0 then
    list[#list + 1] = ("the segments of %s do not come along"):format(plural(segments, "shape"))
  end
  return list[1] and list or nil
end

local function report_of(buckets, models)
  local report = { shapes = #buckets, objects = 0, instances = 0, vertices = 0, triangles = 0, skipped = {},
    warnings = warnings_of(models) }
  for _, one in ipairs(buckets) do
    report.objects = report.objects + #one.objects
    report.vertices = report.vertices + one.num_vertices
    report.triangles = report.triangles + one.num_triangles
    for _, entry in ipairs(one.objects) do report.instances = report.instances + #entry.instances end
  end
  for _, model in ipairs(models) do
    table.move(model.skipped, 1, #model.skipped, #report.skipped + 1, report.skipped)
  end
  return report
end

-- ---- the verb ------------------------------------------------------------------------------------------

local function nothing(report)
  local first = report.skipped[1]
  return errors.new("invalid", "there is nothing to combine"
    .. (first and (": %s: %s"):format(first.path, first.reason) or ""))
end

local function run(doc, list, options)
  if doc.bs_version ~= FALLOUT_4 then
    return nil, errors.new("unsupported", ("precombined meshes are of Fallout 4 (bs_version %d), not of %s")
      :format(FALLOUT_4, doc.game), doc.path)
  end
  local placements, name = read_arguments(doc, list, options)
  local models, err = read_models(placements, doc)
  if not models then return nil, err end
  local buckets
  buckets, err = fill(placements, models)
  if not buckets then return nil, err end
  local report = report_of(buckets, models)
  if #buckets == 0 then return nil, nothing(report) end
  local before = #doc.blocks
  doc:edit(function()
    local ok, why = blocks.write(doc, buckets, name)
    if not ok then error(errors.new("invalid", why, doc.path), 0) end
  end)
  report.changed = #doc.blocks - before
  return report
end

--- Adds models to a group of precombined meshes: their visible shapes, as one shape for each material.
-- @param doc a NIF of Fallout 4 that is empty, or a group
-- @tparam table list `sources`, or a table with the key `sources` and the options
-- @tparam[opt] table options `cell` and `key`
-- @treturn ?table the report: `changed` (number of added blocks), `shapes`, `objects`, `instances`,
--   `vertices`, `triangles`, `skipped` and `warnings`
-- @treturn ?Error why not
function precombine.run(doc, list, options)
  local ok, report, err = pcall(run, doc, list, options)
  if ok then return report, err end
  if errors.is(report) then return nil, report end
  error(report, 2)
end

return precombine
