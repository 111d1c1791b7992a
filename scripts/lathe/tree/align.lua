--- Aligns two lists: finds which elements of one correspond to which of the other, in order. The cost is that
-- of sorting: n log n and a bounded amount more.
-- @module lathe.tree.align

local align = {}

local DEEPEST = 12   -- levels of anchors between anchors
local MOST_EDITS = 64 -- insertions and deletions between two anchors that are searched for
local PAIRS = 2500   -- pairs of elements whose likeness is computed, in one gap

-- The positions of the tokens that occur once in a range; false for those that occur more often.
local function once(tokens, from, to)
  local at = {}
  for i = from, to do
    local token = tokens[i]
    at[token] = at[token] == nil and i
  end
  return at
end

-- The longest subsequence of anchors in which the positions in b rise, by patience sorting.
local function rising(anchors)
  local tops, before = {}, {}
  for i, anchor in ipairs(anchors) do
    local low, high = 1, #tops + 1
    while low < high do
      local middle = (low + high) // 2
      if anchors[tops[middle]][2] < anchor[2] then low = middle + 1 else high = middle end
    end
    before[i], tops[low] = tops[low - 1], i
  end
  local list, at = {}, tops[#tops]
  for i = #tops, 1, -1 do list[i], at = anchors[at], before[at] end
  return list
end

-- Walks along equal tokens from a point; positions are counted from the start of the range.
local function slide(state, x, y)
  local a, b, range = state.a, state.b, state.range
  local a0, b0 = range[1] - 1, range[3] - 1
  while x < state.n and y < state.m and a[a0 + x + 1] == b[b0 + y + 1] do x, y = x + 1, y + 1 end
  return x
end

-- One more insertion or deletion; true if the ends are reached.
local function extend(state, d)
  local reach, old = {}, state.trace[d] or {}
  for k = -d, d, 2 do
    local down = k == -d or k ~= d and (old[k - 1] or -1) < (old[k + 1] or -1)
    local x = d == 0 and 0 or down and old[k + 1] or (old[k - 1] or 0) + 1
    local y = x - k
    if x <= state.n and y <= state.m and y >= 0 then
      x = slide(state, x, y)
      reach[k] = x
      if x >= state.n and x - k >= state.m then
        state.trace[d + 1] = reach
        return true
      end
    end
  end
  state.trace[d + 1] = reach
  return false
end

-- Follows the trace back, and notes the equal tokens on the way.
local function walk_back(state, d, match)
  local x, y = state.n, state.m
  local a0, b0 = state.range[1] - 1, state.range[3] - 1
  for step = d, 0, -1 do
    local k, old = x - y, state.trace[step] or {}
    local from_x, from_y = 0, 0
    if step > 0 then
      local down = k == -step or k ~= step and (old[k - 1] or -1) < (old[k + 1] or -1)
      local before = down and k + 1 or k - 1
      from_x = old[before]
      from_y = from_x - before
    end
    while x > from_x and y > from_y do
      match[a0 + x] = b0 + y
      x, y = x - 1, y - 1
    end
    x, y = from_x, from_y
  end
end

-- Finds the longest common subsequence of a range if few edits lead from one side to the other; false if not.
local function common(a, b, range, match)
  local state = { a = a, b = b, range = range, n = range[2] - range[1] + 1, m = range[4] - range[3] + 1,
    trace = {} }
  if math.abs(state.n - state.m) > MOST_EDITS then return false end
  for d = 0, MOST_EDITS do
    if extend(state, d) then
      walk_back(state, d, match)
      return true
    end
  end
  return false
end

local function trim(a, b, range, match)
  local a1, a2, b1, b2 = table.unpack(range)
  while a1 <= a2 and b1 <= b2 and a[a1] == b[b1] do
    match[a1] = b1
    a1, b1 = a1 + 1, b1 + 1
  end
  while a1 <= a2 and b1 <= b2 and a[a2] == b[b2] do
    match[a2] = b2
    a2, b2 = a2 - 1, b2 - 1
  end
  return { a1, a2, b1, b2 }
end

local function anchors_of(a, b, range)
  local in_a, in_b = once(a, range[1], range[2]), once(b, range[3], range[4])
  local anchors = {}
  for i = range[1], range[2] do
    local k = in_a[a[i]] and in_b[a[i]]
    if k then anchors[#anchors + 1] = { i, k } end
  end
  return rising(anchors)
end

local function solve(a, b, whole, match, depth)
  local range = trim(a, b, whole, match)
  if range[1] > range[2] or range[3] > range[4] then return true end
  if common(a, b, range, match) then return true end
  local anchors = depth <= DEEPEST and anchors_of(a, b, range) or {}
  if #anchors == 0 then return false end
  local complete = true
  local from_a, from_b = range[1], range[3]
  anchors[#anchors + 1] = { range[2] + 1, range[4] + 1 }
  for i, anchor in ipairs(anchors) do
    local done = solve(a, b, { from_a, anchor[1] - 1, from_b, anchor[2] - 1 }, match, depth + 1)
    complete = complete and done
    if i < #anchors then match[anchor[1]] = anchor[2] end
    from_a, from_b = anchor[1] + 1, anchor[2] + 1
  end
  return complete
end

--- Finds the elements that both lists have, in order.
-- @tparam table a tokens: values that are equal for equal elements
-- @tparam table b
-- @treturn table the position in b for positions in a that have one, rising
-- @treturn boolean whether the search was complete: false if it was given up between some elements, where too
--   much differs
function align.match(a, b)
  local match = {}
  return match, solve(a, b, { 1, #a, 1, #b }, match, 1)
end

--- Calls a function for each gap between matched elements.
-- @tparam table match
-- @tparam integer n length of a
-- @tparam integer m length of b
-- @tparam function fn (first and last position in a, first and last in b)
function align.gaps(match, n, m, fn)
  local from_a, from_b = 1, 1
  for i = 1, n + 1 do
    local k = i > n and m + 1 or match[i]
    if k then
      if i > from_a or k > from_b then fn(from_a, i - 1, from_b, k - 1) end
      from_a, from_b = i + 1, k + 1
    end
  end
end

-- Pairs by position, from the front.
local function in_order(match, a1, a2, b1, b2)
  for i = 0, math.min(a2 - a1, b2 - b1) do match[a1 + i] = b1 + i end
end

-- The best sums of likeness for all pairs of beginnings.
local function likeness_sums(a1, a2, b1, b2, alike)
  local best = {}
  for i = a1 - 1, a2 do
    best[i] = {}
    for k = b1 - 1, b2 do
      local sum = 0
      if i >= a1 and k >= b1 then
        sum = math.max(best[i - 1][k], best[i][k - 1], best[i - 1][k - 1] + alike(i, k))
      end
      best[i][k] = sum
    end
  end
  return best
end

--- Pairs the elements of a gap that are most alike; in order if there are too many, or as many on both sides.
-- @tparam table match gets the pairs
-- @tparam integer a1 first position in a
-- @tparam integer a2 last one
-- @tparam integer b1 first position in b
-- @tparam integer b2 last one
-- @tparam function alike (i, k) -> likeness from 0; elements with 0 are not paired
-- @treturn boolean false if they were paired by position as there are too many
function align.likest(match, a1, a2, b1, b2, alike)
  local n, m = a2 - a1 + 1, b2 - b1 + 1
  if n == 0 or m == 0 then return true end
  if n == m or n * m > PAIRS then
    in_order(match, a1, a2, b1, b2)
    return n == m
  end
  local best = likeness_sums(a1, a2, b1, b2, alike)
  local i, k = a2, b2
  while i >= a1 and k >= b1 do
    if best[i][k] == best[i - 1][k] then
      i = i - 1
    elseif best[i][k] == best[i][k - 1] then
      k = k - 1
    else
      match[i] = k
      i, k = i - 1, k - 1
    end
  end
  return true
end

return align
