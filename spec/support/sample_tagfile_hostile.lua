--- Tagfiles that mean no good, of about so many bytes: each is made so that something naive takes time or memory that grows
-- faster than the file. { { name =, build = function(bytes) return file end } }

local sample = require "sample_tagfile"

local hostile = {}

local function add(name, build) hostile[#hostile + 1] = { name = name, build = build } end

local function built(l, root, values, more)
  return sample.build(l, sample.object(root, values or {}), more)
end

add("chains of parents", function(size)
  local l, before = sample.library "p", nil
  for i = 1, size // 40 do
    before = l:record("c" .. i, 8 + i % 60 * 4, { { "m" .. i, l:number "int", 4 + i % 60 * 4 } },
      { parent = i % 60 ~= 0 and before or nil, align = 4 })
  end
  return built(l, before)
end)

add("many members", function(size)
  local l, members = sample.library "p", {}
  local int = l:number "int"
  for i = 1, math.min(60000, size // 12) do members[i] = { "m" .. i, int, 4 * i } end
  return built(l, l:record("Root", 4 * #members + 8, members))
end)

add("many records of many members", function(size)
  local l, list = sample.library "p", {}
  local int = l:number "int"
  local members = {}
  for i = 1, 2000 do members[i] = { "m" .. i, int, 4 * i } end
  local root = l:record("Root", 8 * (size // 12000 + 1), {})
  for i = 1, size // 12000 do
    root.members[i] = { "p" .. i, l:pointer(l:record("R" .. i, 8008, members)), 8 * i - 8 }
  end
  root.values = list
  return built(l, root)
end)

add("members of one name", function(size)
  local l = sample.library "p"
  local int, last = l:number "int", nil
  for i = 1, math.max(1, size // 16000) do
    local members = {}
    for k = 1, 4000 do members[k] = { "same", int, 4 * k } end
    last = l:record("R" .. i, 16004, members)
  end
  return built(l, last)
end)

add("names that end in numbers", function(size)
  local l = sample.library "p"
  local int, last = l:number "int", nil
  for i = 1, math.max(1, size // 32000) do
    local members = {}
    for k = 1, 2000 do
      members[2 * k - 1] = { "same_" .. k + 1, int, 8 * k - 4 }
      members[2 * k] = { "same", int, 8 * k }
    end
    last = l:record("R" .. i, 16012, members)
  end
  return built(l, last)
end)

add("records in records", function(size)
  local l = sample.library "p"
  local before = l:record("c0", 8, { { "x", l:number "int", 0 } })
  for i = 1, size // 40 do before = l:record("c" .. i, 8, { { "in" .. i, before, 0 } }) end
  return built(l, before)
end)

-- Each lies over itself twice: 2^30 in all. The writer is not told before it has filled them.
add("records that lie over each other", function(size)
  local l = sample.library "p"
  local first, int = l:record("c0", 8, {}), l:number "int"
  local before, all = first, {}
  for i = 1, 30 do
    all[i] = { l:record("c" .. i, 8, {}), before }
    before = all[i][1]
  end
  local root = l:record("Root", 16, { { "list", l:array(before), 0 } })
  local list = {}
  for i = 1, size // 8 do list[i] = {} end
  return built(l, root, { list = list }, { items = function()
    first.members = { { "x", int, 0 } }
    for _, pair in ipairs(all) do pair[1].members = { { "a", pair[2], 0 }, { "b", pair[2], 0 } } end
  end })
end)

add("a root of records that lie over each other", function()
  local l = sample.library "p"
  local before = l:record("c0", 8, { { "x", l:number "int", 0 } })
  for i = 1, 14 do before = l:record("c" .. i, 8, { { "a", before, 0 }, { "b", before, 0 } }) end
  local list = {}
  for i = 1, 17 do list[i] = { "deep" .. i, before, 8 } end
  return built(l, l:record("Root", 16, list))
end)

-- An array of records with 4000 members at one place; the writer knows nothing of these while it fills the records.
local function piled(size, kind)
  local l, members = sample.library "p", {}
  for i = 1, 4000 do members[i] = { "m" .. i, l:number(kind), 0 } end
  local one = l:record("One", 8, {})
  local root = l:record("Root", 16, { { "list", l:array(one), 0 } })
  local list = {}
  for i = 1, size // 16 do list[i] = {} end
  return built(l, root, { list = list }, { items = function() one.members = members end })
end

add("an array of members that lie over each other", function(size) return piled(size, "int") end)

add("an array of references that lie over each other", function(size) return piled(size, "text") end)

add("templates of templates", function(size)
  local l = sample.library "p"
  local before = l:record("t", 8, {})
  for _ = 1, size // 50 do
    before = l:record("t", 8, {}, { arguments = { { "tA", before }, { "tB", before }, { "tC", before } } })
  end
  return built(l, before)
end)

add("many types", function(size)
  local l, last = sample.library "", nil
  for i = 1, size // 30 do last = l:record("t" .. i, 8, {}) end
  return built(l, last)
end)

add("many objects of many types", function(size)
  local l = sample.library "p"
  local root, base = sample.container(l, {})
  local list = {}
  for i = 1, size // 200 do
    list[i] = { variant = sample.object(l:record("c" .. i, 24, { { "m", l:number "int", 16 } }, { parent = base }), {}) }
  end
  return built(l, root, { namedVariants = list })
end)

add("arrays of themselves", function(size)
  local l = sample.library "p"
  local array = l:add { name = "Array", format = 8, size = 16, align = 8 }
  array.sub, array.arguments = array, { { "tT", array } }
  local root = l:record("Root", 16, { { "list", array, 0 } })
  local list = {}
  for i = 1, size // 96 do list[i] = { {}, { {}, {} } } end
  return built(l, root, { list = list })
end)

-- Every head of a kind leads to the first one's item.
local function shared(l, root, values, kind)
  local bytes = built(l, root, values)
  local file, first, out, at = require "tagfile_reader".read(bytes), nil, {}, 1
  local data = file:section("DATA").offset + 8
  local sites = {}
  file:references(function(offset, type, item)
    if item ~= 0 and file:kind(type) == kind then sites[#sites + 1] = { offset, item } end
  end)
  table.sort(sites, function(a, b) return a[1] < b[1] end)
  for _, site in ipairs(sites) do
    if site[1] >= 16 then                         -- those of elements
      first = first or site[2]
      out[#out + 1] = bytes:sub(at, data + site[1]) .. string.pack("<I4", first)
      at = data + site[1] + 5
    end
  end
  out[#out + 1] = bytes:sub(at)
  return table.concat(out)
end

local function many_heads(size, field, first, rest, kind)
  local l = sample.library "p"
  local one = l:record("One", 16, { { "head", field(l), 0 } })
  local root = l:record("Root", 16, { { "list", l:array(one), 0 } })
  local list = { { head = first(size // 2) } }
  for i = 2, size // 100 do list[i] = { head = rest } end
  return shared(l, root, { list = list }, kind)
end

local function ones(n)
  local list = {}
  for i = 1, n do list[i] = 1 end
  return list
end

add("arrays that share their storage", function(size)
  return many_heads(size, function(l) return l:array(l:number "ubyte") end, ones, { 1 }, "array")
end)

add("texts that share their storage", function(size)
  return many_heads(size, function(l) return l:number "text" end, function(n) return ("x"):rep(n) end, "", "string")
end)

-- Items at one place, each of them with a head of its own.
add("items at one place", function(size)
  local l = sample.library "p"
  local one = l:record("One", 16, { { "head", l:array(l:number "ubyte"), 0 } })
  local root = l:record("Root", 16, { { "list", l:array(one), 0 } })
  local n, list = size // 2, { { head = nil } }
  list[1].head = ones(n)
  for i = 2, size // 100 do list[i] = { head = { 1 } } end
  return built(l, root, { list = list }, { items = function(items)
    local place
    for _, row in ipairs(items) do place = row[4] == n and row[3] or place end
    for _, row in ipairs(items) do
      if row[4] == 1 and row[2] == 0x20 and row[3] > 100 then row[3], row[4] = place, n end
    end
  end })
end)

local function relatives(size, change)
  local l = sample.library "p"
  local view = l:view(l:number "ubyte")
  local one = l:record("One", 8, { { "head", view, 0 } })
  local root = l:record("Root", 8, { { "list", l:view(one), 0 } })
  local list = {}
  local n = size // 24
  for i = 1, n do list[i] = { head = { 1 } } end
  local bytes = built(l, root, { list = list }, { sdk = "20210100", no_patches = true,
    items = function(items) for i = #items, 3, -1 do items[i] = nil end end })
  local data = require "tagfile_reader".read(bytes):section("DATA").offset + 8
  local out = { bytes:sub(1, data + 16) }
  for i = 1, n do out[i + 1] = string.pack("<i4i4", change(16 + 8 * i - 8, n)) end
  out[#out + 1] = bytes:sub(data + 16 + 8 * n + 1)
  return table.concat(out)
end

add("views that share their storage", function(size)
  return relatives(size, function(at, n) return 16 + 8 * n - at, 16 * n - 64 end)
end)

add("views that overlap", function(size)
  return relatives(size, function(at, n)
    return 16 + 8 * n - at + (at - 16) // 8, 16 * n - 64 - (at - 16) // 8
  end)
end)

-- Views of views, all of whose elements lie in the same few bytes.
add("views that lead into each other", function(size)
  local l = sample.library "p"
  local view = l:add { name = "hkRelArrayView", format = 8, size = 8, align = 4, flags = 0x2000 }
  local one = l:record("One", 8, { { "head", view, 0 } })
  view.sub = one
  local root = l:record("Root", 8, { { "list", l:view(one), 0 } })
  local n, list = size // 8, {}
  for i = 1, n do list[i] = {} end
  local bytes = built(l, root, { list = list }, { sdk = "20210100", no_patches = true })
  local data = require "tagfile_reader".read(bytes):section("DATA").offset + 8
  local out = { bytes:sub(1, data + 16) }
  for i = 1, n do out[i + 1] = i < n and string.pack("<i4i4", 8, math.min(n - i, 64)) or ("\0"):rep(8) end
  out[#out + 1] = bytes:sub(data + 16 + 8 * n + 1)
  return table.concat(out)
end)

-- Items that reach over all that follows.
add("items over items", function(size)
  local l = sample.library "p"
  local root = l:record("Root", 16, { { "list", l:array(l:number "text"), 0 } })
  local list = {}
  for i = 1, size // 40 do list[i] = "x" end
  return built(l, root, { list = list }, { items = function(items)
    local last = items[#items]
    for i = 4, #items do items[i][4] = last[3] - items[i][3] end
  end })
end)

return hostile
