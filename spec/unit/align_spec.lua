-- The alignment of lists: against the plain algorithm, and on lists that are long or have nothing in common.

local align = require "lathe.tree.align"

-- The length of the longest common subsequence, by the table of all beginnings.
local function longest(a, b)
  local best = { [0] = {} }
  for k = 0, #b do best[0][k] = 0 end
  for i = 1, #a do
    best[i] = { [0] = 0 }
    for k = 1, #b do
      best[i][k] = a[i] == b[k] and best[i - 1][k - 1] + 1 or math.max(best[i - 1][k], best[i][k - 1])
    end
  end
  return best[#a][#b]
end

local function edited(a, edits, letters)
  local b = table.move(a, 1, #a, 1, {})
  for _ = 1, edits do
    local what = math.random(3)
    if what == 1 or #b == 0 then
      table.insert(b, math.random(#b + 1), math.random(letters))
    elseif what == 2 then
      table.remove(b, math.random(#b))
    else
      b[math.random(#b)] = math.random(letters)
    end
  end
  return b
end

-- The number of pairs, which must be equal and rise.
local function pairs_of(match, a, b)
  local n, last = 0, 0
  for i = 1, #a do
    local k = match[i]
    if k then
      assert(k > last and a[i] == b[k])
      n, last = n + 1, k
    end
  end
  return n
end

describe("align", function()
  it("finds a longest common subsequence where few elements came and went", function()
    math.randomseed(7)
    for _ = 1, 1500 do
      local letters, a = math.random(2, 30), {}
      for i = 1, math.random(0, 25) do a[i] = math.random(letters) end
      local b = edited(a, math.random(0, 10), letters)
      local match, complete = align.match(a, b)
      assert.equal(longest(a, b), pairs_of(match, a, b))
      assert.is_true(complete)
    end
  end)

  it("finds one insertion among 100,000 elements that are alike", function()
    local a, b = {}, {}
    for i = 1, 100000 do a[i], b[i] = i % 3, i % 3 end
    table.insert(b, 50000, "new")
    local match, complete = align.match(a, b)
    assert.is_true(complete)
    assert.same({ 49999, 50001, 100001 }, { match[49999], match[50000], match[100000] })
  end)

  it("gives up where nothing fits, in little time, and says so", function()
    math.randomseed(3)
    local lists = { { {}, {} }, { {}, {} } }
    for i = 1, 50000 do
      lists[1][1][i], lists[1][2][i] = i, -i
      lists[2][1][i], lists[2][2][i] = math.random(0, 4), math.random(0, 4)
    end
    for _, pair in ipairs(lists) do
      local before = os.clock()
      local match, complete = align.match(pair[1], pair[2])
      assert.is_false(complete)
      pairs_of(match, pair[1], pair[2])
      assert(os.clock() - before < 2)
    end
  end)

  it("pairs the elements of a gap that are most alike", function()
    local likeness = { { 0, 0.9, 0.1 }, { 0.2, 0, 0.8 } }
    local match = {}
    assert.is_true(align.likest(match, 1, 2, 1, 3, function(i, k) return likeness[i][k] end))
    assert.same({ 2, 3 }, match)
    match = {}
    assert.is_false(align.likest(match, 1, 100, 1, 200, error)) -- too many: in order
    assert.same({ 1, 100 }, { match[1], match[100] })
  end)
end)
