--- Writes blocks of NIF from nested tables by the tables of core/nif/schema, for tests: not by lathe.
--
--    local bytes, links = write.record("NiNode", { name = "Root", children = { 1, 2 } }, { version = 0x14020007,
--      bs_version = 100, strings = {} })
--    links.refs, links.string_refs          -- as nif_reader lists them
--
-- What is not given: counts and sizes follow from the arrays that are given (a count that is given is written as it
-- is, and then decides how many elements are), references are -1, texts null, rotations identity, scales 1, numbers 0.
-- A reference or a number of a text is written as it is, in range or not. A text joins setting.strings where it is
-- not there yet. Bools may be numbers. setting.fill(n), where given, makes the bytes of vertices that no attribute
-- has; setting.true_byte is what true is written as (1).

local kinds = require "nif_kinds"
local nif_schema = require "nif_schema"

local write = {}

local pack = string.pack

-- ---- single values --------------------------------------------------------------------------------

local IDENTITY = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }

local function lanes_of(kind, value, default)
  local list = {}
  for i, lane in ipairs(kind.lanes) do
    local number = value and (value[lane] or value[i]) or default and default[i] or 0
    list[i] = kind.half and kinds.to_half(number) or number
  end
  return list
end

local put = {}

function put.mat33(value)
  local kind = kinds.fixed.mat33
  return pack(kind.fmt, table.unpack(lanes_of(kind, value, IDENTITY)))
end

function put.quat(value)
  local kind = kinds.fixed.quat
  return pack(kind.fmt, table.unpack(lanes_of(kind, value, { 1, 0, 0, 0 })))
end

function put.hkquat(value)
  local kind = kinds.fixed.hkquat
  return pack(kind.fmt, table.unpack(lanes_of(kind, value, { 0, 0, 0, 1 })))
end

function put.bound(value)
  local x, y, z = table.unpack(lanes_of(kinds.fixed.vec3, value and value.center))
  return pack("<ffff", x, y, z, value and value.radius or 0)
end

function put.xform(value)
  value = value or {}
  local t = lanes_of(kinds.fixed.vec3, value.translation)
  return put.mat33(value.rotation) .. pack("<ffff", t[1], t[2], t[3], value.scale or 1)
end

local function put_fixed(name, value)
  if put[name] then return put[name](value) end
  local kind = kinds.fixed[name]
  if kind.lanes then return pack(kind.fmt, table.unpack(lanes_of(kind, value))) end
  if kind.half then return pack("<I2", kinds.to_half(value or 0)) end
  return pack(kind.fmt, value or 0)
end

local special = {}

function special.bool(w, value)
  if value == true then value = w.setting.true_byte or 1 end
  return pack(w.wide_bool and "<I4" or "B", value or 0)
end

local function put_ref(w, value, how)
  value = value or -1
  table.insert(w.refs, { value, how })
  return pack("<i4", value)
end

function special.ref(w, value) return put_ref(w, value, "ref") end
function special.ptr(w, value) return put_ref(w, value, "ptr") end

function special.sstr(_, value) return pack("<s4", value or "") end
function special.sstr16(_, value) return pack("<s2", value or "") end

--- The number of a text in a list, which it joins where it is not there.
function write.intern(strings, text)
  for i, known in ipairs(strings) do
    if known == text then return i - 1 end
  end
  table.insert(strings, text)
  return #strings - 1
end

function special.str(w, value)
  if not w.indexed then return pack("<s4", value or "") end
  local index = value or 0xFFFFFFFF
  if type(index) == "string" then index = write.intern(w.setting.strings, index) end
  table.insert(w.string_refs, index)
  return pack("<I4", index)
end

-- ---- vertices -------------------------------------------------------------------------------------

local function unsigned_byte(value)
  return math.floor(((value or 0) + 1) * 127.5 + 0.5)
end

local function normal_bytes(v, w)
  v = v or {}
  return pack("BBBB", unsigned_byte(v.x or v[1]), unsigned_byte(v.y or v[2]), unsigned_byte(v.z or v[3]),
    unsigned_byte(w))
end

local function uv_bytes(uv)
  uv = uv or {}
  return pack("<I2I2", kinds.to_half(uv.u or uv[1] or 0), kinds.to_half(uv.v or uv[2] or 0))
end

local function four(list, default)
  list = list or {}
  return list[1] or default, list[2] or default, list[3] or default, list[4] or default
end

local function position_lanes(vertex)
  local p = vertex.position or {}
  return p.x or p[1] or 0, p.y or p[2] or 0, p.z or p[3] or 0, vertex.bitangent_x or 0
end

local ATTRIBUTE = {
  full_position = function(vertex) return pack("<ffff", position_lanes(vertex)) end,
  position = function(vertex)
    local x, y, z, w = position_lanes(vertex)
    return pack("<I2I2I2I2", kinds.to_half(x), kinds.to_half(y), kinds.to_half(z), kinds.to_half(w))
  end,
  uv = function(vertex) return uv_bytes(vertex.uv) end,
  normal = function(vertex) return normal_bytes(vertex.normal, vertex.bitangent_y) end,
  tangent = function(vertex) return normal_bytes(vertex.tangent, vertex.bitangent_z) end,
  color = function(vertex)
    local c, list = vertex.color or {}, {}
    for i, lane in ipairs { "r", "g", "b", "a" } do list[i] = math.floor((c[lane] or c[i] or 0) * 255 + 0.5) end
    return pack("BBBB", table.unpack(list))
  end,
  skin = function(vertex)
    local a, b, c, d = four(vertex.weights, 0)
    return pack("<I2I2I2I2", kinds.to_half(a), kinds.to_half(b), kinds.to_half(c), kinds.to_half(d))
      .. pack("BBBB", four(vertex.bones, 0))
  end,
  eye = function(vertex) return pack("<f", vertex.eye or 0) end,
}

--- The bytes of one vertex. fill(n): makes the bytes that no attribute has (default: zeros).
function write.vertex(plan, vertex, fill)
  local bytes = fill and fill(plan.stride) or ("\0"):rep(plan.stride)
  for _, step in ipairs(plan.steps) do
    bytes = bytes:sub(1, step.at) .. ATTRIBUTE[step.name](vertex) .. bytes:sub(step.at + step.size + 1)
  end
  return bytes
end

-- ---- what follows from arrays ---------------------------------------------------------------------

-- The name that a count is, where it is nothing but a name.
local function count_name(field)
  return field.count_tree and field.count_tree.op == "name" and field.count_tree.name
end

local function stride_of(v)
  return ((v.vertex_desc or 0) & 15) * 4
end

-- Sizes that are more than a name, by the name of the field.
local DERIVED = {
  data_size = function(v)
    local n = v.vertices and #v.vertices or v.num_vertices or 0
    if not v.vertices then return nil end
    return n * stride_of(v) + (v.partitions and 0 or 6 * (v.triangles and #v.triangles or 0))
  end,
  vertex_size = function(v) return v.vertices and stride_of(v) end,
  dynamic_data_size = function(v) return v.dynamic_vertices and 16 * #v.dynamic_vertices end,
  num_triangle_points = function(v) return v.triangles and 3 * #v.triangles end,
  num_indices = function(v) return v.triangles and 3 * #v.triangles end,
  total_segments = function(v) return v.segments and #v.segments end,
  has_vertices = function(v) return v.vertices ~= nil and 1 or nil end,
  has_normals = function(v) return v.normals ~= nil and 1 or nil end,
  has_colors = function(v) return v.colors ~= nil and 1 or nil end,
  has_triangles = function(v) return v.triangles ~= nil and 1 or nil end,
  has_points = function(v) return v.points ~= nil and 1 or nil end,
}

-- A copy of the fields with what is not given and follows from them.
local function complete(entry, given)
  local values = {}
  for key, value in pairs(given) do values[key] = value end
  for _, field in ipairs(entry.all) do
    local name, array = count_name(field), given[field.name]
    if name and array and given[name] == nil then
      values[name] = math.max(values[name] or 0, #array)
    end
  end
  for name, derive in pairs(DERIVED) do
    if values[name] == nil then values[name] = derive(values) end
  end
  return values
end

-- ---- records --------------------------------------------------------------------------------------

local MANY = 10000000

local put_record

local function put_one(w, field, value, args, name)
  local own = special[field.type]
  if own then return own(w, value) end
  if kinds.fixed[field.type] then
    if value == nil and name == "scale" and field.type == "f32" then value = 1 end
    return put_fixed(field.type, value)
  end
  local entry = w.schema.types[field.type] or error("no type " .. field.type, 0)
  local named = {}
  for i, arg in ipairs(entry.args) do named[arg] = args[i] end
  return put_record(w, entry, value or {}, named)
end

local function put_many(w, field, values, args, given)
  local value = values[field.name] or (field.type == "bytes" and "" or {})
  if field.count == "rest" then return value end
  local n = field.count(values, args, w.context)
  if n > MANY then error(("%s: %d elements; a count that lies is planted by a patch"):format(field.name, n), 0) end
  if field.type == "bytes" then return value:sub(1, n) .. ("\0"):rep(n - #value) end
  local parts = {}
  if field.type == "BSVertexData" then
    local plan = kinds.vertex_plan(given[1], given[2] ~= 0, (given[3] or 0) ~= 0)
    for i = 1, n do parts[i] = write.vertex(plan, value[i] or {}, w.setting.fill) end
  else
    for i = 1, n do parts[i] = put_one(w, field, value[i], given) end
  end
  return table.concat(parts)
end

-- Conditions read what was written: absent fields are 0, and what was not given is its default.
local function seen_value(field, value)
  if value ~= nil then return value end
  if field.type == "ref" or field.type == "ptr" then return -1 end
  return nil
end

function put_record(w, entry, given_values, args)
  local given, values, parts = complete(entry, given_values), {}, {}
  for _, field in ipairs(entry.all) do
    if not field.cond or field.cond(values, args, w.context) then
      local list = {}
      for i, f in ipairs(field.args) do list[i] = f(values, args, w.context) end
      values[field.name] = seen_value(field, given[field.name])
      if field.count then
        parts[#parts + 1] = put_many(w, field, values, args, list)
      else
        parts[#parts + 1] = put_one(w, field, values[field.name], list, field.name)
      end
    end
  end
  return table.concat(parts)
end

--- The bytes of a record (a block, or a struct, whose arguments are `args` by name), and its links.
function write.record(type_name, fields, setting, args)
  local schema = nif_schema.load()
  local entry = schema.types[type_name] or error("not described: " .. type_name, 0)
  setting.strings = setting.strings or {}
  local w = { schema = schema, setting = setting, context = schema:context(type_name, setting), refs = {},
    string_refs = {}, wide_bool = kinds.bool_size(setting.version) == 4,
    indexed = kinds.has_string_table(setting.version) }
  local bytes = put_record(w, entry, fields, args or {})
  return bytes, { refs = w.refs, string_refs = w.string_refs }
end

return write
