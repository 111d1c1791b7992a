-- Elements by their texts: what an index says after any edit, undo and redo is what a fresh parse of the bytes says.

local damaged_import = require "damaged_import"
local large = require "sample_large"
local lathe = require "lathe"

local random

local function one_of(list) return list[random(#list)] end

local function word() return one_of { "", "a", "b", "name ", "Node ", "x" } .. random(60) end

-- ---- a save ---------------------------------------------------------------------------------------

local function save(n)
  local values, numbers = {}, {}
  for i = 1, n do
    values[i], numbers[i] = { key = "name " .. i % 50, value = "v" .. i }, { key = "a" .. i, value = i }
  end
  return assert(lathe.new("save", { version = 3, levels = { { values = values, int32_values = numbers } } }))
end

-- What counts of each key, as the elements themselves say.
local function by_hand(list, field)
  local out = {}
  for i = 1, #list do out[list[i].key] = list[i][field] end
  return out
end

local function agrees(list, field)
  local want = by_hand(list, field)
  for key, value in pairs(want) do assert.equal(value, list[key], key) end
  for _ = 1, 8 do
    local key = word()
    assert.equal(want[key], list[key], key)
  end
end

local function edit_values(values)
  local i = random(#values)
  local kind = random(9)
  if kind == 1 then values[word()] = "new " .. random(1000)
  elseif kind == 2 then values[word()] = nil
  elseif kind == 3 then values[i].key = word()
  elseif kind == 4 then values[i].value = ("long "):rep(random(6))
  elseif kind == 5 then lathe.append(values, { key = word(), value = "appended" })
  elseif kind == 6 then lathe.insert(values, i, { key = word(), value = "inserted" })
  elseif kind == 7 then lathe.remove(values, i)
  elseif kind == 8 then lathe.move(values, i, random(#values))
  else values[values[i].key] = "set" end
end

local function edit_save(doc)
  local level = doc.levels[#doc.levels] -- undo may leave another one in front
  local numbers = level.int32_values
  local kind = random(6)
  if kind == 1 then level.campaign_id = word()
  elseif kind == 2 then numbers[numbers[random(#numbers)].key] = random(1000)
  elseif kind == 3 then lathe.insert(doc.levels, 1, { save_name = word() }) lathe.remove(doc.levels, 1)
  else edit_values(level.values) end
end

-- ---- a NIF ------------------------------------------------------------------------------------------

local function edit_nif(doc)
  local block = doc.blocks[random(#doc.blocks)]
  local kind = random(8)
  if kind == 1 then doc.strings[random(#doc.strings)] = word()
  elseif kind == 2 then doc.strings:append(word())
  elseif kind == 3 then doc.blocks:append { type = "NiNode", name = word() }
  elseif kind == 4 then doc.blocks:insert(random(#doc.blocks), { type = "BSXFlags", name = word() })
  elseif kind == 5 and #doc.blocks > 20 then doc.blocks:remove(random(#doc.blocks))
  elseif kind == 6 then doc.author = word()
  elseif kind == 7 then doc.blocks:move(random(#doc.blocks), random(#doc.blocks))
  else block.name = word() end
end

local function nif_agrees(doc)
  local longest, first = 0, {}
  for i = 1, #doc.strings do
    local text = doc.strings[i]
    longest, first[text] = math.max(longest, #text), first[text] or i
  end
  assert.equal(longest, doc.max_string_length)
  local block = doc.blocks[random(#doc.blocks)]
  local text = doc.strings[random(#doc.strings)]
  doc:edit(function()
    block.name = text
    assert.equal(first[text] - 1, lathe.raw(block, "name"))
  end)
  assert.equal(#doc.blocks, #doc.block_sizes)
  for i = 1, #doc.blocks do
    local _, size = lathe.span(doc.blocks[i])
    assert.equal(size, doc.block_sizes[i])
  end
end

-- ---- both ---------------------------------------------------------------------------------------------

local function walk(make, edit, check, format, seed)
  random = damaged_import.random(seed)
  local doc <close> = assert(lathe.parse(make(30 + seed % 40):encode(), { format = format, history = 20 }))
  local done = 0
  for _ = 1, 60 do
    local kind = random(8)
    if kind == 1 then doc:undo()
    elseif kind == 2 then doc:redo()
    elseif kind == 3 then
      pcall(doc.edit, doc, function()
        for _ = 1, random(4) do edit(doc) end
        if random(2) == 1 then error "no" end
      end)
    elseif pcall(edit, doc) then done = done + 1 end
    check(doc)
    local fresh <close> = assert(lathe.parse(doc:encode(), { format = format }))
    check(fresh)
  end
  assert.is_true(done > 20)
end

describe("an index of texts", function()
  it("agrees with the elements of a save after any edit", function()
    for seed = 1, 12 do
      walk(save, edit_save, function(doc)
        local level = doc.levels[#doc.levels]
        agrees(level.values, "value")
        agrees(level.int32_values, "value")
      end, "save", seed)
    end
  end)

  it("agrees with the strings of a NIF after any edit", function()
    for seed = 1, 12 do walk(large.nodes, edit_nif, nif_agrees, "nif", seed) end
  end)

  it("is not made slow by keys whose hashes agree #kept", function()
    -- Pairs with the same hash (FNV-1a, 32 bits), after which it goes on alike: 14 of them give 16,384 keys.
    local same, other = { "costarring", "declinate", "altarage" }, { "liquid", "macallums", "zinke" }
    local values, n = {}, 10000
    for i = 0, n - 1 do
      local text = {}
      for bit = 0, 13 do
        local k = bit % 3 + 1
        text[bit + 1] = (i >> bit & 1 == 1 and same or other)[k]
      end
      values[i + 1] = { key = table.concat(text), value = tostring(i) }
    end
    local doc <close> = assert(lathe.new("save", { version = 3, levels = { { values = values } } }))
    local list = doc.levels[1].values
    for i = 1, n do assert.equal(values[i].value, list[values[i].key]) end
  end)
end)
