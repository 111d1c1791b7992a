-- What touching a document from Lua costs, in nanoseconds, beside what plain Lua would pay for the same.

local lathe = require "lathe"

-- The best of five: nanoseconds a call of fn(n), which does n of them.
local function ns(n, fn, again)
  local best = math.huge
  for _ = 1, again or 5 do
    collectgarbage()
    collectgarbage("stop")
    local start = os.clock()
    fn(n)
    best = math.min(best, os.clock() - start)
    collectgarbage("restart")
  end
  return best * 1e9 / n
end

local function line(what, value, base, name)
  print(("  %-52s %10.1f ns %s"):format(what, value, base and ("%8.2f x %s"):format(value / base, name) or ""))
end

local function big(count)
  local vertices, triangles = {}, {}
  for i = 1, count do
    vertices[i] = { i, i / 3, -i }
    triangles[i] = { a = i % count, b = (i + 1) % count, c = (i + 2) % count, gx = { 0, 1, i }, gy = { i, 0, 1 } }
  end
  return assert(lathe.new("solid", { vertices = vertices, triangles = triangles }))
end

local COUNT = 32767
local doc = big(COUNT)
local bytes = doc:encode()

print "one value"
do
  local N = 500000
  local v, vertices, t = doc.vertices[1], doc.vertices, { x = 1, y = 2, z = 3 }
  local unpack, sink = string.unpack, nil
  local plain = ns(N, function(n) for _ = 1, n do sink = t.x end end)
  local packed = ns(N, function(n) for _ = 1, n do sink = unpack(">f", bytes, 5) end end)
  line("table field", plain)
  line("string.unpack of a float", packed, plain, "table field")
  local read = ns(N, function(n) for _ = 1, n do sink = v.x end end)
  line("read a field", read, packed, "string.unpack")
  line("", read, plain, "table field")
  line("read an element (a new view)", ns(N, function(n) for _ = 1, n do sink = vertices[7] end end), plain,
    "table field")
  line("read doc.vertices[i].x", ns(N, function(n) for _ = 1, n do sink = doc.vertices[7].x end end), packed,
    "string.unpack")
  line("write a field (another value)", ns(N, function(n) for i = 1, n do v.x = i end end), plain, "table field")
  line("write a field (the same value)", ns(N, function(n) for _ = 1, n do v.x = 3 end end), plain, "table field")
  line("write inside doc:edit", ns(N, function(n)
    doc:edit(function() for i = 1, n do v.x = i end end)
  end), plain, "table field")
  line("write a vector {1, 2, 3}", ns(N // 4, function(n) for i = 1, n do vertices[7] = { i, 2, 3 } end end))
  line("lathe.path", ns(N // 4, function(n) for _ = 1, n do sink = lathe.path(v) end end))
  assert(sink)
end

print(("\na whole file of %.2f MB"):format(#bytes / 1e6))
do
  local copy = ns(20, function(n) for i = 1, n do local _ = bytes:sub(1, -1 - i % 2 - 1) end end)
  line("copy of the bytes (string.sub)", copy)
  line("parse and one field", ns(20, function(n)
    for _ = 1, n do
      local d <close> = lathe.parse(bytes, { format = "solid" })
      assert(d.vertex_count == COUNT)
    end
  end), copy, "copy")
  local d = lathe.parse(bytes, { format = "solid" })
  line("encode, nothing edited", ns(20, function(n) for _ = 1, n do d:encode() end end), copy, "copy")
  line("one edit and encode", ns(20, function(n)
    for i = 1, n do
      d.vertices[9].x = i
      d:encode()
    end
  end), copy, "copy")
  line("scale", ns(10, function(n) for _ = 1, n do d:scale(1.0001) end end), copy, "copy")
  line("check", ns(3, function(n) for _ = 1, n do d:check() end end, 2), copy, "copy")
  line("meshes", ns(5, function(n) for _ = 1, n do for _ in d:meshes() do end end end, 2), copy, "copy")
  line("totable", ns(1, function() d:totable() end, 2), copy, "copy")
  local plain = d:totable()
  line("new(totable())", ns(1, function() lathe.new("solid", plain) end, 2), copy, "copy")
end

print(("\n%d vertices, ns a vertex"):format(COUNT))
do
  local vertices = doc.vertices
  local function each(n, fn)
    return ns(n, function() for _ = 1, n // COUNT do fn() end end)
  end
  local buffer = each(COUNT * 10, function() vertices:tobuffer() end)
  line("tobuffer", buffer)
  line("tobuffer and its totable", each(COUNT, function() vertices:tobuffer():totable() end), buffer, "tobuffer")
  line("totable", each(COUNT, function() vertices:totable() end), buffer, "tobuffer")
  line("pack", each(COUNT * 10, function() vertices:pack() end), buffer, "tobuffer")
  line("for _, v in ipairs: read v.x", each(COUNT, function()
    local sum = 0
    for _, v in ipairs(vertices) do sum = sum + v.x end
  end), buffer, "tobuffer")
  local b = vertices:tobuffer()
  line("assign a buffer", each(COUNT * 10, function() vertices:assign(b) end), buffer, "tobuffer")
  local list = vertices:totable()
  line("assign a list of tables", each(COUNT, function() vertices:assign(list) end), buffer, "tobuffer")
end

print "\n10,000 held views, ns a view"
do
  local HELD = 10000
  local held, vertices = {}, doc.vertices
  vertices:resize(COUNT - 1000)
  for i = 1, HELD do held[i] = vertices[i] end
  local function read() for i = 1, HELD do local _ = held[i].x end end
  local still = ns(HELD, read)
  line("read a field of each", still)
  local worst = 0
  for _ = 1, 5 do
    vertices:insert(1)
    collectgarbage()
    local start = os.clock()
    read()
    worst = math.max(worst, (os.clock() - start) * 1e9 / HELD)
  end
  line("… right after a cut in front of all", worst, still, "before")
  for _ = 1, 100 do vertices:insert(1) end
  local start = os.clock()
  read()
  local many = (os.clock() - start) * 1e9 / HELD
  line("… 100 cuts behind", many, still, "before")
  line("    a cut", (many - still) / 100)
  line("insert in front of them", ns(100, function(n) for _ = 1, n do vertices:insert(1) end end, 1))
end
