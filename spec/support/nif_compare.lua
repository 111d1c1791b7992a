--- Tells where two nested tables of one block differ: what nif_reader or sample_nif_random has, and the
-- totable() of what lathe has.
--
--    local where = compare.difference(block.values, doc.blocks[1]:totable(), block.type)      -- nil: nowhere
--    assert.is_nil(where, where)                    -- "vertices[2].normal.x: 0.5 instead of 1"
--
-- Numbers may be off by what f32 takes away. A null text is false, nil or absent. Vectors may have lanes by name or by
-- number, and matrices rows: what is a list of numbers on the one side is compared number by number in the order
-- of lanes (x y z w, r g b a, u v, row0_x row0_y …). With the type's name, what tables name by @names may be a name.
-- Of fields that only `got` has nothing is said: they are computed. As copies are, true may be a stored byte other than
-- 1, and padding of zeros absent.

local crc32 = require "crc32"
local nif_schema = require "nif_schema"

local compare = {}

local LANES = { x = 1, y = 2, z = 3, w = 4, r = 1, g = 2, b = 3, a = 4, u = 1, v = 2 }

local function near(wanted, got)
  if wanted == got then return true end
  if wanted ~= wanted then return got ~= got end
  if math.type(wanted) == "integer" and math.type(got) == "integer" then return false end
  return math.abs(wanted - got) <= 1e-6 * math.max(math.abs(wanted), 1e-3)
end

-- Something that sorts as the lanes of a record lie: a b c are corners, not colours; rows go before their lanes.
local function lane_key(key, corners)
  if math.type(key) then return ("0%9d"):format(key) end
  if LANES[key] and not corners then return "1" .. LANES[key] end
  return "2" .. key:gsub("_w$", "_~")
end

local function ordered(value)
  local keys, corners = {}, false
  for key in pairs(value) do
    keys[#keys + 1] = key
    corners = corners or key == "c"
  end
  table.sort(keys, function(a, b) return lane_key(a, corners) < lane_key(b, corners) end)
  return keys
end

-- All numbers of a vector or matrix.
local function flat(value, out)
  if type(value) ~= "table" then
    out[#out + 1] = value
  elseif #value > 0 then
    for i = 1, #value do flat(value[i], out) end
  else
    for _, key in ipairs(ordered(value)) do flat(value[key], out) end
  end
  return out
end

-- Nothing but numbers, by the names of lanes or by 1, 2, 3.
local function is_vector(value)
  local key, number = next(value)
  while key ~= nil do
    if type(number) ~= "number" or not (LANES[key] or math.type(key) == "integer") then return false end
    key, number = next(value, key)
  end
  return next(value) ~= nil
end

local function shown(value)
  return type(value) == "string" and ("%q"):format(value) or tostring(value)
end

-- All below give nil, or a text of how two values differ, the inner part of its path in front of it.

local function scalar_difference(wanted, got, names)
  if type(wanted) == "number" and type(got) == "number" then
    return not near(wanted, got) and (": %s instead of %s"):format(got, wanted) or nil
  end
  if wanted == got then return nil end
  if type(wanted) == "number" then
    for _, list in ipairs(names or {}) do
      if list[wanted] == got then return nil end
    end
  end
  -- A collision material: stored as the hash of its name.
  if type(wanted) == "number" and type(got) == "string" and crc32.name(got) == wanted then return nil end
  if wanted == true and type(got) == "number" and got ~= 0 then return nil end
  if got == nil and type(wanted) == "string" and wanted:find("^\0+$") then return nil end
  return (": %s instead of %s"):format(shown(got), shown(wanted))
end

local function vector_difference(wanted, got)
  local alike = true                              -- as nearly all are
  for key, number in pairs(wanted) do alike = alike and got[key] == number end
  if alike and #wanted == #got then return nil end
  local a, b = flat(wanted, {}), flat(got, {})
  if #a ~= #b then return (": %d numbers instead of %d"):format(#b, #a) end
  for i, number in ipairs(a) do
    local how = scalar_difference(number, b[i])
    if how then return ("(%d)%s"):format(i, how) end
  end
  return nil
end

local fields_of = setmetatable({}, { __mode = "k" })

-- The names that the tables have for a field's values (others in other versions), and the record that it holds.
local function field_of(entry, name)
  if not entry then return nil end
  local fields = fields_of[entry]
  if not fields then
    local schema = nif_schema.load()
    fields = {}
    for _, field in ipairs(entry.all) do
      local known = fields[field.name] or { names = {} }
      known.names[#known.names + 1] = schema.names[field.annotations.names]
      known.record = known.record or schema.types[field.type]
      fields[field.name] = known
    end
    fields_of[entry] = fields
  end
  local known = fields[name]
  if known then return known.names[1] and known.names, known.record end
  return nil
end

-- `entry`: the record's table; `names`: those of the value, or of its elements. Either may be unknown.
local function difference(wanted, got, entry, names)
  if (wanted == false or wanted == nil) and (got == false or got == nil) then return nil end
  if type(wanted) ~= "table" or type(got) ~= "table" then return scalar_difference(wanted, got, names) end
  if not names and is_vector(wanted) then return vector_difference(wanted, got) end
  if #wanted ~= #got then return (": %d elements instead of %d"):format(#got, #wanted) end
  for key, value in pairs(wanted) do
    if math.type(key) then
      local how = difference(value, got[key], entry, names)
      if how then return ("[%d]%s"):format(key, how) end
    else
      local of, record = field_of(entry, key)
      local how = difference(value, got[key], record, of)
      if how then return (".%s%s"):format(key, how) end
    end
  end
  return nil
end

--- The first difference found as a text, or nil. type_name: of a block or record of the tables, where it is known.
function compare.difference(wanted, got, type_name)
  local how = difference(wanted, got, nif_schema.load().types[type_name])
  return how and (how:gsub("^[.:] ?", ""))
end

return compare
