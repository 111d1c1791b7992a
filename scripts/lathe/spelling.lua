--- Finds the most similar name to a mistyped one.
-- @module lathe.spelling

local spelling = {}

-- Edit distance; swapping neighbours counts as one edit.
local function distance(a, b)
  local before, last, this = {}, {}, {}
  for j = 0, #b do last[j] = j end
  for i = 1, #a do
    this[0] = i
    for j = 1, #b do
      local cost = a:byte(i) == b:byte(j) and 0 or 1
      this[j] = math.min(last[j] + 1, this[j - 1] + 1, last[j - 1] + cost)
      if i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j) then
        this[j] = math.min(this[j], before[j - 2] + 1)
      end
    end
    before, last, this = last, this, before
  end
  return last[#b]
end

--- The most similar name, or nil.
-- @tparam string typed
-- @tparam {string,...} list
-- @treturn ?string
-- @usage spelling.nearest("chekc", { "check", "scale" }) --> "check"
function spelling.nearest(typed, list)
  local best, best_distance = nil, math.max(1, #typed // 3) + 1
  for _, name in ipairs(list) do
    local d = distance(typed, name)
    if d < best_distance then best, best_distance = name, d end
  end
  return best
end

--- "; did you mean 'x'?", or "" if no name is similar.
-- @tparam string typed
-- @tparam {string,...} list
-- @treturn string
function spelling.hint(typed, list)
  local near = spelling.nearest(typed, list)
  return near and ("; did you mean '%s'?"):format(near) or ""
end

return spelling
