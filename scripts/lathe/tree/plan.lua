--- Decides which elements of two arrays correspond: those with equal content, else those with the same name,
-- else those that are most alike.
-- @module lathe.tree.plan

local align = require "lathe.tree.align"
local core = require "lathe.core"
local schema = require "lathe.tree.schema"

local plan = {}

local FEW = 16 -- arrays with fewer elements are aligned even by single matches

local function tokens_of(maker, array, element)
  local list = {}
  maker:start()
  for i = 1, #array do
    local value = schema.stored(array, i, element)
    if value == nil then value = false end
    local is_reference = element.ref and core.type(value) and core.type(value) ~= "array"
    list[i] = is_reference and core.path(value) or maker:of(value, element)
  end
  return list
end

local function names_of(maker, array, element, from, to)
  local list = {}
  for i = from, to do
    local name = maker:name(array[i], element)
    if not name then return nil end
    list[#list + 1] = name
  end
  return list
end

-- Whether elements at the same positions have the same names.
local function same_names(maker, a, b, element)
  for i = 1, #a do
    local name = maker:name(a[i], element)
    if not name or name ~= maker:name(b[i], element) then return false end
  end
  return true
end

-- How alike two elements are: 0 if they are of different types.
local function likeness(maker, a, b, element)
  local fields = { {}, {} }
  local function of(side, array, i)
    local found = fields[side][i]
    if not found then
      local value = array[i]
      maker:start()
      local record = core.type(value) and core.type(value) ~= "array" and not element.ref
      found = record and maker:fields(value) or {}
      fields[side][i] = found
    end
    return found
  end
  return function(i, k)
    if core.type(a[i]) ~= core.type(b[k]) then return 0 end
    local of_a, of_b, same = of(1, a, i), of(2, b, k), 0
    for at, field in ipairs(of_a) do
      if field == of_b[at] then same = same + 1 end
    end
    return same / math.max(#of_a, #of_b, 1) + 0.01
  end
end

-- Pairs elements of a gap: by name, then by likeness.
local function fill_gap(maker, a, b, element, match, a1, a2, b1, b2)
  if a1 > a2 or b1 > b2 then return true end
  local complete, inner = true, {}
  local in_a = names_of(maker, a, element, a1, a2)
  local in_b = in_a and names_of(maker, b, element, b1, b2)
  if in_b then inner, complete = align.match(in_a, in_b) end
  local alike = likeness(maker, a, b, element)
  for i, k in pairs(inner) do match[a1 + i - 1] = b1 + k - 1 end
  align.gaps(inner, a2 - a1 + 1, b2 - b1 + 1, function(i1, i2, k1, k2)
    local done = align.likest(match, a1 + i1 - 1, a1 + i2 - 1, b1 + k1 - 1, b1 + k2 - 1, alike)
    complete = complete and done
  end)
  return complete
end

local function count(match)
  local n = 0
  for _ in pairs(match) do n = n + 1 end
  return n
end

-- Equal numbers in arrays in which nearly all differ are chance.
local function is_chance(match, n, m, first)
  local plain = not core.type(first)
  local least = math.min(n, m)
  return plain and least > FEW and count(match) * 4 < least
end

local function aligned(maker, a, b, element, of_a, of_b)
  local match = align.match(of_a, of_b)
  if is_chance(match, #a, #b, a[1]) then match = {} end
  local complete, gaps = true, {}
  align.gaps(match, #a, #b, function(...) gaps[#gaps + 1] = { ... } end)
  for _, gap in ipairs(gaps) do
    local done = fill_gap(maker, a, b, element, match, table.unpack(gap))
    complete = complete and done
  end
  return match, complete
end

-- The number of elements that differ by position. One of another type counts as a removal and an insertion.
local function cost_by_position(a, b, of_a, of_b)
  local n = 0
  for i = 1, #of_a do
    if of_a[i] ~= of_b[i] then n = n + (core.type(a[i]) == core.type(b[i]) and 1 or 2) end
  end
  return n
end

-- The number of elements that differ under a pairing, counting those without a partner.
local function cost(match, of_a, of_b)
  local n = 0
  for i = 1, #of_a do
    if not match[i] or of_a[i] ~= of_b[match[i]] then n = n + 1 end
  end
  return n + #of_b - count(match)
end

--- What to say of arrays that could not be aligned.
-- @tparam string path
-- @treturn table
function plan.note(path)
  return { path = path, reason = "too much differs to tell which elements were inserted or removed" }
end

--- Pairs the elements of two arrays.
-- @tparam Tokens maker
-- @param a an array
-- @param b another of the same kind of elements
-- @tparam table element the row of the elements
-- @treturn ?table the position in b of each element of a that has one there, rising; nil: the arrays are
-- equally   long, and elements at the same position belong together
-- @treturn boolean false if too much differs to tell which elements were inserted or removed
function plan.pairs(maker, a, b, element)
  local n, m = #a, #b
  if n == m and n > 0 and core.type(a[1]) and same_names(maker, a, b, element) then return nil, true end
  if n == 0 or m == 0 then
    if n == m then return nil, true end
    return {}, true
  end
  local of_a, of_b = tokens_of(maker, a, element), tokens_of(maker, b, element)
  if n ~= m then return aligned(maker, a, b, element, of_a, of_b) end
  local differ = cost_by_position(a, b, of_a, of_b)
  if differ < 3 then return nil, true end
  local match = aligned(maker, a, b, element, of_a, of_b)
  if cost(match, of_a, of_b) * 2 > differ then return nil, true end
  return match, true
end

return plan
