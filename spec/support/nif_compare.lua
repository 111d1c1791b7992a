--- Tells where two nested tables of one block differ: what nif_reader or sample_nif_random has, and what lathe gives
-- (a record, or its totable()).
--
--    local where = compare.difference(block.values, doc.blocks[1]:totable())      -- nil: nowhere
--    assert.is_nil(where, where)                    -- "vertices[2].normal.x: 0.5 instead of 1"
--
-- Numbers may be off by what f32 takes away. A null text is false, nil or absent. Vectors may have lanes by name or by
-- number, and matrices rows: what is a list of numbers on the one side is compared number by number in the order
-- of lanes (x y z w, r g b a, u v; others by name). Of fields that only `got` has nothing is said: they are computed.

local compare = {}

local LANES = { x = 1, y = 2, z = 3, w = 4, r = 1, g = 2, b = 3, a = 4, u = 1, v = 2 }

local function is_table(value)
  return type(value) == "table" or type(value) == "userdata"
end

local function near(wanted, got)
  if wanted == got then return true end
  if wanted ~= wanted then return got ~= got end
  if math.type(wanted) == "integer" and math.type(got) == "integer" then return false end
  return math.abs(wanted - got) <= 1e-6 * math.max(math.abs(wanted), 1e-3)
end

-- Keys of a record in the order of their lanes, then by name; a b c are corners, not colours.
local function ordered(value)
  local keys, lanes = {}, LANES
  for key in pairs(value) do
    keys[#keys + 1] = key
    if key == "c" then lanes = {} end
  end
  table.sort(keys, function(a, b)
    local la, lb = lanes[a] or 9, lanes[b] or 9
    if la ~= lb then return la < lb end
    if type(a) == type(b) then return a < b end
    return type(a) == "number"
  end)
  return keys
end

-- All numbers of a vector or matrix.
local function flat(value, out)
  if not is_table(value) then
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
  local any = false
  for key, number in pairs(value) do
    if type(number) ~= "number" or not (LANES[key] or math.type(key) == "integer") then return false end
    any = true
  end
  return any
end

local function shown(value)
  return type(value) == "string" and ("%q"):format(value) or tostring(value)
end

local difference

local function vector_difference(wanted, got, path)
  local a, b = flat(wanted, {}), flat(got, {})
  if #a ~= #b then return ("%s: %d numbers instead of %d"):format(path, #b, #a) end
  for i, number in ipairs(a) do
    local where = difference(number, b[i], ("%s(%d)"):format(path, i))
    if where then return where end
  end
  return nil
end

function difference(wanted, got, path)
  if (wanted == false or wanted == nil) and (got == false or got == nil) then return nil end
  if type(wanted) == "number" and type(got) == "number" then
    return not near(wanted, got) and ("%s: %s instead of %s"):format(path, got, wanted) or nil
  end
  if not is_table(wanted) or not is_table(got) then
    return wanted ~= got and ("%s: %s instead of %s"):format(path, shown(got), shown(wanted)) or nil
  end
  if is_vector(wanted) then return vector_difference(wanted, got, path) end
  if #wanted ~= #got then return ("%s: %d elements instead of %d"):format(path, #got, #wanted) end
  for _, key in ipairs(ordered(wanted)) do
    local inner = math.type(key) and ("%s[%d]"):format(path, key) or (path == "" and key or path .. "." .. key)
    local where = difference(wanted[key], got[key], inner)
    if where then return where end
  end
  return nil
end

--- The first difference as a text, or nil.
function compare.difference(wanted, got)
  return difference(wanted, got, "")
end

return compare
