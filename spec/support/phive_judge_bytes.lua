--- What is wrong with the bytes of a .bphsh file around its shape: header, order of the items, places of the arrays, gaps,
-- padding. Part of phive_judge; takes what phive_reader.read gives.

local bytes_judge = {}

local function up16(n) return (n + 15) // 16 * 16 end

local function zeros(bytes, from, to)
  return not bytes:sub(from + 1, to):find "[^\0]"
end

local function header(shape, say)
  local h, size = shape.header, #shape.bytes
  if h.reserve ~= 1 or h.zero ~= 0 then say("header: bytes %d, %d behind the name", h.reserve, h.zero) end
  if h.offsets[1] ~= 0x30 then say("header: the tagfile is at 0x%x", h.offsets[1]) end
  for i = 1, 3 do
    if h.offsets[i + 1] ~= h.offsets[i] + h.sizes[i] then
      say("header: offset %d is 0x%x, not 0x%x", i, h.offsets[i + 1], h.offsets[i] + h.sizes[i])
    end
    if i < 3 and h.sizes[i] % 16 ~= 0 then say("header: size %d is %d, no multiple of 16", i - 1, h.sizes[i]) end
  end
  if h.offsets[4] ~= size then say("header: file size %d of %d", h.offsets[4], size) end
  if h.sizes[4] ~= 0 or h.padding ~= 0 then say("header: its end is not zero") end
  local total = shape.file.total
  if h.sizes[1] ~= up16(total) then say("header: %d bytes for a tagfile of %d", h.sizes[1], total) end
  if not zeros(shape.bytes, h.offsets[1] + total, h.offsets[2]) then say("bytes behind the tagfile are not zero") end
  local rows = #shape.materials * (shape.variant == "v23" and 16 or 8)
  if h.sizes[3] ~= up16(rows) and h.sizes[3] ~= rows then   -- one program writes no padding
    say("header: %d bytes of hit masks for %d materials", h.sizes[3], #shape.materials)
  elseif not zeros(shape.bytes, h.offsets[3] + rows, h.offsets[3] + h.sizes[3]) then
    say("the hit masks' padding is not zero")
  end
  if #shape.bytes > h.offsets[3] + h.sizes[3] then say("bytes behind the hit masks") end
end

local function root(shape, say)
  local extra = shape.extra
  if not zeros(extra.properties, 0, 16) then say("shape properties are not empty") end
  if extra.mapping and extra.mapping ~= 0 then say("primitiveMapping is not null") end
  if not extra.compact then say("the tree is not compact") end
end

-- Items: null, root, then the arrays in layout order.
local function items(shape, say)
  local list, arrays = shape.file.items, shape.arrays
  local null, first = list[0], list[1]
  if null.type ~= 0 or null.kind ~= 0 or null.offset ~= 0 or null.count ~= 0 then say("item 0 is not null") end
  if first.kind ~= 0x10 or first.offset ~= 0 or first.count ~= 1 then
    say("item 1 is of kind 0x%x, at 0x%x, %d times", first.kind, first.offset, first.count)
  end
  if #list ~= #arrays + 1 then say("%d items for the root and %d arrays", #list, #arrays) end
  for i, array in ipairs(arrays) do
    local item = list[i + 1]
    if not item then return end
    if item.kind ~= 0x20 then say("item %d (%s) is of kind 0x%x", i + 1, array.name, item.kind) end
    if item.type ~= array.type then say("item %d is of type %d, %s has %d", i + 1, item.type, array.name, array.type) end
    if item.count ~= array.count then say("item %d has %d elements, %s %d", i + 1, item.count, array.name, array.count) end
    if array.offset and item.offset ~= array.offset then
      say("item %d is at 0x%x, %s at 0x%x", i + 1, item.offset, array.name, array.offset)
    end
  end
end

-- Arrays follow each other at multiples of 16; what is between them is zero.
local function places(shape, say)
  local data = shape.file.data
  local at = shape.file:size(shape.file.items[1].type)
  for _, array in ipairs(shape.arrays) do
    if array.offset then
      if array.offset % 16 ~= 0 then say("%s is at 0x%x, no multiple of 16", array.name, array.offset) end
      if array.offset < at then
        say("%s at 0x%x overlaps what is in front of it", array.name, array.offset)
      elseif array.offset ~= up16(at) then
        say("%s is at 0x%x, not 0x%x", array.name, array.offset, up16(at))
      end
      if not zeros(data, at, array.offset) then say("bytes in front of %s are not zero", array.name) end
      at = math.max(at, array.offset + array.count * array.size)
    end
  end
  if #data % 16 ~= 0 then say("DATA has %d bytes, no multiple of 16", #data) end
  if #data ~= up16(at) then say("DATA has %d bytes, its arrays end at 0x%x", #data, at) end
  if not zeros(data, at, #data) then say("bytes behind the last array are not zero") end
end

-- What is left behind the last whole vertex: two bytes, in the last section only.
local function tails(shape, say)
  for i, section in ipairs(shape.sections) do
    local list, rest = section.arrays[3], section.vertex_rest
    if rest ~= 0 and not (rest == 2 and shape.variant ~= "v21") then
      say("section %d: %d bytes behind its vertices", i - 1, rest)
    elseif rest == 2 and i < #shape.sections then
      say("section %d: padding behind its vertices, but it is not the last", i - 1)
    elseif rest == 2 then
      local stop = list.offset + list.count
      if not zeros(shape.file.data, stop - 2, stop) then say("section %d: the padding is not zero", i - 1) end
    end
  end
end

local function sections_of_tagfile(shape, say)
  local file = shape.file
  if file:section "PTCH" then say("a mesh shape with patches") end
  for _, section in ipairs(file.twice) do say("%s comes twice", section.signature) end
end

function bytes_judge.problems(shape)
  local list = {}
  local say = function(...) list[#list + 1] = string.format(...) end
  header(shape, say)
  sections_of_tagfile(shape, say)
  root(shape, say)
  items(shape, say)
  places(shape, say)
  tails(shape, say)
  return list
end

return bytes_judge
