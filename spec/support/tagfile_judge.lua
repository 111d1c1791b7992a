--- What is wrong with a tagfile, said by the plain reader; for tests. Shares nothing with the core.
--
--    judge.problems(bytes)                          -- { "item 4 lies outside DATA", … }; empty: a good file
--    judge.order(file)                              -- the numbers of the items, in the order in which the SDK gives them
--    judge.layout(file)                             -- and in the order in which it puts them into DATA
--
-- The SDK's order, which all files of the corpus have: what an object leads to is numbered before the next object's. Its
-- own fields first, then those of its arrays, one after the other; of one item the pointers and arrays, then the texts
-- (in no file of the corpus an array comes in front of a pointer that leads to something new); of an array of records
-- all elements' first member, then their second. In DATA each object is followed by its arrays and texts in the order
-- of their numbers; arrays lie on multiples of 16, texts of 2.

local reader = require "tagfile_reader"

local judge = {}

local LATE = { pointer = false, array = false, string = true }

-- Items that an item leads to, in the SDK's order; visited once.
local function led_to(file, item)
  local size, by_field, found = file:size(item.type), {}, {}
  for element = 0, size > 0 and item.count - 1 or -1 do
    local field = 0
    file:fields_of(item.type, item.offset + element * size, function(_, type, number)
      field = field + 1
      by_field[field] = by_field[field] or {}
      if number and number ~= 0 then
        table.insert(by_field[field], { kind = file:kind(type), number = number })
      end
    end, 0)
  end
  for _, late in ipairs { false, true } do
    for _, list in ipairs(by_field) do
      for _, reference in ipairs(list) do
        if LATE[reference.kind] == late then found[#found + 1] = reference.number end
      end
    end
  end
  return found
end

function judge.order(file)
  local order, seen, own, objects, owner = { 1 }, { true }, {}, { 1 }, { 1 }
  while own[1] or objects[1] do
    local from = table.remove(own[1] and own or objects, 1)
    for _, number in ipairs(led_to(file, file.items[from])) do
      if not seen[number] and file.items[number] then
        local queue = file.items[number].kind == 0x10 and objects or own
        seen[number], order[#order + 1], queue[#queue + 1] = true, number, number
        owner[number] = queue == own and owner[from] or number
      end
    end
  end
  return order, owner
end

function judge.layout(file)
  local order, owner = judge.order(file)
  local place = {}
  for i, number in ipairs(order) do place[number] = i end
  table.sort(order, function(a, b)
    if owner[a] ~= owner[b] then return place[owner[a]] < place[owner[b]] end
    if a == owner[a] or b == owner[b] then return a == owner[a] and a ~= b end
    return place[a] < place[b]
  end)
  return order
end

-- ---- what is wrong ----------------------------------------------------------------------------------------

local function say(list, ...)
  list[#list + 1] = string.format(...)
end

local function sections(file, list)
  for _, section in ipairs(file.sections) do
    if section.size % 4 ~= 0 then say(list, "%s has a size of %d", section.signature, section.size) end
    if section.leaf > 1 then say(list, "%s is of kind %d", section.signature, section.leaf) end
  end
  for _, section in ipairs(file.twice) do say(list, "%s comes twice", section.signature) end
  if file:section "ITEM" and (file:section "ITEM".size - 8) % 12 ~= 0 then say(list, "ITEM has bytes of no item") end
end

local function is_text(file, item)
  return file:kind(item.type) == "int" and file:size(item.type) == 1
end

local function aligned(file, item, texts)
  if texts[item.number] then return 2 end
  return item.kind == 0x20 and math.max(16, file:align(item.type)) or file:align(item.type)
end

-- Whether every item can be looked at.
local function items(file, list)
  local places, before = {}, #list
  local null = file.items[0]
  if not null or null.type | null.kind | null.offset | null.count ~= 0 then say(list, "item 0 is not null") end
  for number, item in ipairs(file.items) do
    local size = file.types[item.type] and file:size(item.type)
    if not size or item.type == 0 then
      say(list, "item %d is of type %d, of %d", number, item.type, #file.types)
    elseif item.kind ~= 0x10 and item.kind ~= 0x20 then
      say(list, "item %d is of kind 0x%02x", number, item.kind)
    elseif item.offset + item.count * size > #file.data then
      say(list, "item %d lies outside DATA", number)
    else
      if item.kind == 0x10 and item.count ~= 1 then say(list, "item %d is %d objects", number, item.count) end
      if item.count * size > 0 then places[#places + 1] = item end
    end
  end
  if not file.items[1] or file.items[1].kind ~= 0x10 then say(list, "item 1 is no object") end
  table.sort(places, function(a, b) return a.offset < b.offset end)
  for i = 2, #places do
    local last = places[i - 1]
    if last.offset + last.count * file:size(last.type) > places[i].offset then
      say(list, "items %d and %d overlap", last.number, places[i].number)
    end
  end
  return before == #list
end

-- One field that leads to an item: whether the item is what the field says.
local function reference(file, list, at, type, item)
  local kind, sub = file:kind(type), file:sub(type)
  local where = ("%s at 0x%x"):format(file:display(type), at)
  if kind == "string" then
    local text = file.data:sub(item.offset + 1, item.offset + item.count)
    if item.kind ~= 0x20 or not is_text(file, item) then
      say(list, "%s: item %d is no text", where, item.number)
    elseif text:find "\0" ~= #text then
      say(list, "%s: the text of item %d does not end where it says", where, item.number)
    end
  elseif kind == "array" then
    if item.kind ~= 0x20 or item.type ~= sub then
      say(list, "%s: item %d is %s", where, item.number, file:display(item.type))
    end
  elseif item.kind ~= 0x10 or file:kind(sub) == "record" and not file:is(item.type, sub) then
    say(list, "%s: item %d is %s", where, item.number, file:display(item.type))
  end
end

-- A relative one leads to an item of its place and length.
local function relative(file, type, target, count)
  for _, item in ipairs(file.items) do
    if item.offset == target and item.count == count and item.type == file:sub(type) then return item end
    if item.offset == target and file:kind(type) == "pointer" and file:is(item.type, file:sub(type)) then return item end
  end
  return nil
end

-- Fields that hold items; gives which are to be patched.
local function references(file, list)
  local patched, live, texts = {}, { true }, {}
  file:references(function(at, type, number, target, count)
    if target then
      local item = relative(file, type, target, count)
      if item then
        live[item.number] = true
      else
        say(list, "%s at 0x%x leads to no item at 0x%x", file:display(type), at, target)
      end
    elseif number ~= 0 then
      patched[type << 32 | at] = true
      if file.items[number] then
        live[number] = true
        if file:kind(type) == "string" then texts[number] = true end
        reference(file, list, at, type, file.items[number])
      else
        say(list, "%s at 0x%x: item %d of %d", file:display(type), at, number, #file.items)
      end
    end
  end)
  for number, item in ipairs(file.items) do
    if not live[number] then say(list, "item %d is led to by nothing", number) end
    local to = aligned(file, item, texts)
    if item.offset % to ~= 0 then say(list, "item %d lies at 0x%x, no multiple of %d", number, item.offset, to) end
  end
  return patched
end

local function patches(file, list, wanted)
  local last = -1
  for _, group in ipairs(file.patches) do
    for _, offset in ipairs(group[2]) do
      local key = group[1] << 32 | offset
      if key == last then say(list, "patch of type %d at 0x%x comes twice", group[1], offset) end
      if key < last then say(list, "patch of type %d at 0x%x is out of order", group[1], offset) end
      if wanted[key] == nil then say(list, "patch of type %d at 0x%x is of no reference", group[1], offset) end
      if wanted[key] then wanted[key] = false end
      last = key
    end
  end
  local missing = {}
  for key, open in pairs(wanted) do
    if open then missing[#missing + 1] = key end
  end
  table.sort(missing)
  for _, key in ipairs(missing) do
    say(list, "no patch for type %d at 0x%x", key >> 32, key & 0xFFFFFFFF)
  end
end

--- What is wrong with a file; the second result is the file, where it could be read.
function judge.problems(bytes, compendium)
  local list = {}
  local ok, file = pcall(reader.read, bytes, compendium)
  if not ok then return { tostring(file) } end
  sections(file, list)
  if file:section "TCM0" then return list, file end
  if items(file, list) then
    local fine, err = pcall(function()
      patches(file, list, references(file, list))
      for _, item in ipairs(file.items) do file:value(item) end
    end)
    if not fine then list[#list + 1] = tostring(err) end
  end
  return list, file
end

return judge
