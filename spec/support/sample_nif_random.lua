--- Blocks and records of NIF by chance, valid by the tables, the same for the same seed.
--
--    local block = random.block("NiTriShapeData", setting, random.rng(12))
--    block.type, block.bytes, block.values, block.refs, block.string_refs     -- as nif_reader decodes them
--
-- setting: version, user_version, bs_version, strings (texts join it), num_blocks (references are -1 or less than
-- this; 8), max_count (of arrays; 3). What conditions compare a field with is where most of its values come from, so
-- that a few seeds see both sides of each.

local kinds = require "nif_kinds"
local nif_schema = require "nif_schema"
local vertices = require "sample_nif_vertices"
local write = require "sample_nif_write"

local random = {}

-- ---- chance ---------------------------------------------------------------------------------------

-- Neighbouring seeds must not give similar numbers.
local function scatter(n)
  n = (n ~ (n >> 30)) * 0xBF58476D1CE4E5B9
  n = (n ~ (n >> 27)) * 0x94D049BB133111EB
  return n ~ (n >> 31)
end

--- A source of numbers (xorshift64*): rng(n) gives 1 .. n, rng(a, b) a .. b, rng() 64 bits. The seed is a number or a
-- text.
function random.rng(seed)
  local state = 0x9E3779B97F4A7C15
  for _, byte in ipairs { tostring(seed):byte(1, -1) } do state = scatter(state + byte) end
  if state == 0 then state = 1 end
  return function(a, b)
    state = state ~ (state >> 12)
    state = state ~ (state << 25)
    state = state ~ (state >> 27)
    local bits = state * 0x2545F4914F6CDD1D
    if not a then return bits end
    if not b then a, b = 1, a end
    return a + (bits >> 33) % (b - a + 1)
  end
end

local function pick(rng, list) return list[rng(#list)] end
local function chance(rng, percent) return rng(100) <= percent end

-- ---- what tables say of a name --------------------------------------------------------------------

-- By type, then by the name of a field or argument: { count = true, values = { n, … }, mask = bits, desc = true }.
local roles_of_type = {}

local function role(roles, name)
  roles[name] = roles[name] or { values = {}, mask = 0 }
  return roles[name]
end

local function names_in(tree, out)
  if tree.op == "name" then out[#out + 1] = tree.name end
  for _, child in ipairs(tree) do names_in(child, out) end
  return out
end

local function numbers_in(tree, out)
  if tree.op == "number" then out[#out + 1] = tree.value end
  for _, child in ipairs(tree) do numbers_in(child, out) end
  return out
end

local COMPARE = { ["=="] = true, ["!="] = true, ["<"] = true, [">"] = true, ["<="] = true, [">="] = true }

local function note_compare(roles, name, other)
  local one = role(roles, name)
  if other.op == "name" then
    one.count, role(roles, other.name).count = true, true
    return
  end
  for _, n in ipairs(numbers_in(other, {})) do
    for _, near in ipairs(math.type(n) == "integer" and { n, n, n, n + 1, math.max(n - 1, 0) } or { n }) do
      table.insert(one.values, near)
    end
  end
end

-- Names in a condition: what they are compared with, which of their bits are asked for.
local function note_condition(roles, tree)
  local left, right = tree[1], tree[2]
  if tree.op == "name" then
    local values = role(roles, tree.name).values
    table.insert(values, 0)
    table.insert(values, 1)
  elseif tree.op == "&" and left.op == "name" and right.op == "number" then
    local one = role(roles, left.name)
    one.mask = one.mask | right.value
  elseif COMPARE[tree.op] and left.op == "name" then
    note_compare(roles, left.name, right)
  elseif tree.op ~= "number" then
    for _, child in ipairs(tree) do note_condition(roles, child) end
  end
end

local function note_count(roles, tree)
  if tree.op == "if" then
    note_condition(roles, tree[1])
    note_count(roles, tree[2])
    note_count(roles, tree[3])
  elseif tree.op == "&" and tree[1].op == "name" then
    note_condition(roles, tree)
  elseif tree.op == "name" then
    role(roles, tree.name).count = true
  else
    for _, child in ipairs(tree) do note_count(roles, child) end
  end
end

local type_roles

-- What a record does with an argument is what the outer one does with the names that it is made of.
local function note_arguments(roles, schema, field)
  if field.type == "BSVertexData" then
    role(roles, field.args_tree[1].name).desc = field
    return
  end
  local entry = schema.types[field.type]
  for i, tree in ipairs(field.args_tree) do
    local inner = type_roles(schema, entry)[entry.args[i]]
    note_condition(roles, tree)
    for _, name in ipairs(inner and tree.op == "name" and names_in(tree, {}) or {}) do
      local one = role(roles, name)
      one.count, one.mask = one.count or inner.count, one.mask | inner.mask
      table.move(inner.values, 1, #inner.values, #one.values + 1, one.values)
    end
  end
end

function type_roles(schema, entry)
  if roles_of_type[entry] then return roles_of_type[entry] end
  local roles = {}
  roles_of_type[entry] = roles
  for _, field in ipairs(entry.all) do
    if field.cond_tree then note_condition(roles, field.cond_tree) end
    if field.count_tree then note_count(roles, field.count_tree) end
    if #field.args > 0 then note_arguments(roles, schema, field) end
  end
  return roles
end

-- ---- values ---------------------------------------------------------------------------------------

local RANGES = { u8 = { 0, 0xFF }, i8 = { -0x80, 0x7F }, u16 = { 0, 0xFFFF }, i16 = { -0x8000, 0x7FFF },
  u32 = { 0, 0xFFFFFFFF }, i32 = { -0x80000000, 0x7FFFFFFF } }

local function random_int(g, kind)
  local range = RANGES[kind]
  if not range then return g.rng() end
  if chance(g.rng, 50) then return g.rng(0, 20) end
  if chance(g.rng, 20) then return pick(g.rng, range) end
  return range[1] + (g.rng() >> 20) % (range[2] - range[1] + 1)
end

local SOME_FLOATS = { 0.0, -0.0, 1.0, -1.0, 0.5, 1e-40, -1e-45, 3.4028234663852886e38, 1e10, 69.99125 }

local function random_f32(g)
  if chance(g.rng, 15) then return kinds.f32(pick(g.rng, SOME_FLOATS)) end
  return kinds.f32(g.rng(-100000, 100000) / pick(g.rng, { 1, 7, 64, 1000, 100000 }))
end

-- Any half that is a number.
local function random_half(g)
  local bits = g.rng(0, 0xFFFF)
  if bits & 0x7C00 == 0x7C00 then bits = bits & 0x83FF end
  return kinds.half(bits)
end

local SYLLABLES = { "Bip01 ", "Spine", "L ", "Hand", "textures\\", "a.dds", "\xE9\xE8", ":0", "x", "BSX", "~" }

local function random_text(g)
  local parts = {}
  for i = 1, g.rng(0, 4) do parts[i] = pick(g.rng, SYLLABLES) end
  return table.concat(parts)
end

local function random_bytes(g, n)
  local list = {}
  for i = 1, n do list[i] = string.char(g.rng(0, 255)) end
  return table.concat(list)
end

local make = {}

local function lanes_of(g, kind, number)
  local value = {}
  for _, lane in ipairs(kind.lanes) do value[lane] = number(g, "u16") end
  return value
end

function make.f32(g) return random_f32(g) end
function make.f16(g) return random_half(g) end
function make.bool(g) return chance(g.rng, 50) end
function make.sstr(g) return random_text(g) end
make.sstr16 = make.sstr
function make.hvec3(g) return lanes_of(g, kinds.fixed.hvec3, random_half) end
function make.tri(g) return lanes_of(g, kinds.fixed.tri, random_int) end

function make.ref(g)
  if chance(g.rng, 25) then return -1 end
  return g.rng(0, (g.setting.num_blocks or 8) - 1)
end
make.ptr = make.ref

function make.str(g)
  if g.indexed and chance(g.rng, 25) then return false end
  local known = g.setting.strings
  if #known > 0 and chance(g.rng, 60) then return pick(g.rng, known) end
  local text = random_text(g)
  if g.indexed then write.intern(known, text) end
  return text
end

function make.bound(g)
  return { center = lanes_of(g, kinds.fixed.vec3, random_f32), radius = math.abs(random_f32(g)) }
end

function make.xform(g)
  return { rotation = lanes_of(g, kinds.fixed.mat33, random_f32),
    translation = lanes_of(g, kinds.fixed.vec3, random_f32), scale = random_f32(g) }
end

local function random_unit_byte(g) return g.rng(0, 255) / 127.5 - 1 end

local function byte_vector(g)
  return { x = random_unit_byte(g), y = random_unit_byte(g), z = random_unit_byte(g) }
end

local function uv(g) return { u = random_half(g), v = random_half(g) } end

local VERTEX = {
  full_position = function(g, vertex)
    vertex.position, vertex.bitangent_x = lanes_of(g, kinds.fixed.vec3, random_f32), random_f32(g)
  end,
  position = function(g, vertex)
    vertex.position, vertex.bitangent_x = lanes_of(g, kinds.fixed.hvec3, random_half), random_half(g)
  end,
  uv = function(g, vertex) vertex.uv = uv(g) end,
  normal = function(g, vertex) vertex.normal, vertex.bitangent_y = byte_vector(g), random_unit_byte(g) end,
  tangent = function(g, vertex) vertex.tangent, vertex.bitangent_z = byte_vector(g), random_unit_byte(g) end,
  color = function(g, vertex)
    vertex.color = {}
    for _, lane in ipairs { "r", "g", "b", "a" } do vertex.color[lane] = g.rng(0, 255) / 255 end
  end,
  skin = function(g, vertex)
    vertex.weights, vertex.bones = {}, {}
    for i = 1, 4 do vertex.weights[i], vertex.bones[i] = random_half(g), g.rng(0, 255) end
  end,
  eye = function(g, vertex) vertex.eye = random_f32(g) end,
}

local function random_vertices(g, n, desc, sse, halves)
  local plan, list = kinds.vertex_plan(desc, sse, halves), {}
  for i = 1, n do
    list[i] = {}
    for _, step in ipairs(plan.steps) do VERTEX[step.name](g, list[i]) end
  end
  return list
end

-- ---- fields that hang together --------------------------------------------------------------------

local function small(g)
  return g.rng(0, g.setting.max_count or 3)
end

local function choose_desc(g, field, values, args)
  local sse = field.args[2](values, args, g.context) ~= 0
  return pick(g.rng, vertices.of_game(sse and "sse" or "fo4")).desc
end

-- By the name of a field, where it is not enough to be of its type. f(g, values, field, roles)
local WITH = {
  ["BSTriShape.data_size"] = function(g, v)
    if chance(g.rng, 30) then return 0 end
    return (v.vertex_desc & 15) * 4 * v.num_vertices + 6 * v.num_triangles
  end,
  ["BSDynamicTriShape.dynamic_data_size"] = function(_, v) return 16 * v.num_vertices end,
  -- Sizes come first here: the descriptor is chosen with them.
  ["NiSkinPartition.data_size"] = function(g)
    g.planned = pick(g.rng, vertices.of_game("sse"))
    return small(g) * g.planned.stride
  end,
  ["NiSkinPartition.vertex_size"] = function(g) return g.planned.stride end,
  ["NiSkinPartition.vertex_desc"] = function(g) return g.planned.desc end,
  ["NiGeometryData.data_flags"] = function(g)
    return small(g) | (chance(g.rng, 50) and 0x1000 or 0) | (g.rng() & 0xEFC0)
  end,
  ["SFMeshData.num_indices"] = function(g) return 3 * small(g) end,
  ["NiBV.kind"] = function(g)
    return pick(g.rng, g.depth < 3 and { 0, 1, 2, 4, 4, 5, 77 } or { 0, 1, 2, 5 })
  end,
}

local function random_number(g, field, values, args, roles)
  local known = roles[field.name]
  if not known then return random_int(g, field.type) end
  if known.desc then return choose_desc(g, known.desc, values, args) end
  if known.count then return small(g) end
  local number = random_int(g, field.type)
  if #known.values > 0 and chance(g.rng, 75) then number = pick(g.rng, known.values) end
  if known.mask ~= 0 then number = number & ~known.mask | g.rng() & known.mask end
  return RANGES[field.type] and number & RANGES.u32[2] & (RANGES[field.type][2] | 1) or number
end

local function random_float(g, field, roles)
  local known = roles[field.name]
  if known and #known.values > 0 and chance(g.rng, 60) then return kinds.f32(pick(g.rng, known.values)) end
  return random_f32(g)
end

-- ---- records --------------------------------------------------------------------------------------

local random_record

local function random_one(g, field, values, args, given, roles)
  if g.forced[field.name] ~= nil and g.depth == 0 then return g.forced[field.name] end
  local with = WITH[field.owner .. "." .. field.name]
  if with then return with(g, values) end
  if field.type == "f32" then return random_float(g, field, roles) end
  if make[field.type] then return make[field.type](g) end
  local kind = kinds.fixed[field.type]
  if kind and kind.lanes then return lanes_of(g, kind, random_f32) end
  if kind then return random_number(g, field, values, args, roles) end
  local entry = g.schema.types[field.type] or error("no type " .. field.type, 0)
  local named = {}
  for i, name in ipairs(entry.args) do named[name] = given[i] end
  g.depth = g.depth + 1
  local value = random_record(g, entry, named)
  g.depth = g.depth - 1
  return value
end

local function random_many(g, field, values, args, given, roles)
  local n = field.count == "rest" and g.rng(0, 5) or field.count(values, args, g.context)
  if field.type == "bytes" then return random_bytes(g, n) end
  if field.type == "BSVertexData" then
    return random_vertices(g, n, given[1], given[2] ~= 0, (given[3] or 0) ~= 0)
  end
  local list = {}
  for i = 1, n do list[i] = random_one(g, field, values, args, given, roles) end
  return list
end

-- Which table a field is of: each is of one, though derived types list it again.
local function name_owners(schema)
  if schema.owned then return end
  schema.owned = true
  for name, entry in pairs(schema.types) do
    for _, field in ipairs(entry.fields) do field.owner = name end
  end
end

function random_record(g, entry, args)
  local values, roles = {}, type_roles(g.schema, entry)
  for _, field in ipairs(entry.all) do
    if not field.cond or field.cond(values, args, g.context) then
      local given = {}
      for i, f in ipairs(field.args) do given[i] = f(values, args, g.context) end
      if field.count then
        values[field.name] = random_many(g, field, values, args, given, roles)
      else
        values[field.name] = random_one(g, field, values, args, given, roles)
      end
    end
  end
  return values
end

local function generate(type_name, setting, rng, args, forced)
  local schema = nif_schema.load()
  name_owners(schema)
  setting.strings = setting.strings or {}
  local g = { rng = rng, setting = setting, schema = schema, context = schema:context(type_name, setting), depth = 0,
    forced = forced or {}, indexed = kinds.has_string_table(setting.version) }
  return random_record(g, assert(schema.types[type_name], type_name), args), g
end

local function finish(type_name, values, g, args)
  local setting = setmetatable({ fill = function(n) return random_bytes(g, n) end }, { __index = g.setting })
  local bytes, links = write.record(type_name, values, setting, args)
  return { type = type_name, bytes = bytes, values = values, refs = links.refs, string_refs = links.string_refs }
end

-- Whether packed geometry has the bytes of another layout, too, which is tried first.
local function could_be_another(values, layout)
  for _, object in ipairs(values.data) do
    if layout == 2 or object.vertices[1] or object.triangles[1] then return false end
  end
  return true
end

--- A block; made.args has its argument, where it has one. forced: fields of its own (no array) whose values are not
--- left to chance.
function random.block(type_name, setting, rng, forced)
  local args, layouts = {}, kinds.layouts[type_name]
  if layouts then args.arg = setting.version >= 0x14020005 and rng(1, 3) or layouts[1] end
  local values, g = generate(type_name, setting, rng, args, forced)
  if layouts and could_be_another(values, args.arg) then
    args.arg = layouts[1]
    values, g = generate(type_name, setting, rng, args, forced)
  end
  local made = finish(type_name, values, g, args)
  made.args = args
  return made
end

--- A record that is part of blocks; its arguments, where it has any, are numbers in `args`.
function random.struct(type_name, setting, rng)
  local schema, args = nif_schema.load(), {}
  local entry = assert(schema.types[type_name], type_name)
  for _, name in ipairs(entry.args) do
    local known = type_roles(schema, entry)[name]
    args[name] = known and known.values[1] and pick(rng, known.values) or rng(0, 3)
  end
  local values, g = generate(type_name, setting, rng, args)
  local made = finish(type_name, values, g, args)
  made.args = args
  return made
end

--- What sample_nif.build wants, with blocks of the types of a list; their references stay in the file.
function random.file(types, setting, rng)
  setting.num_blocks = #types
  local opts = { version = setting.version, user_version = setting.user_version, bs_version = setting.bs_version,
    blocks = {}, strings = setting.strings }
  for i, type_name in ipairs(types) do opts.blocks[i] = random.block(type_name, setting, rng) end
  return opts
end

return random
