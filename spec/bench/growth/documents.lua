-- Lines of what all documents, arrays and buffers have, on many vertices (.solid, NIF) and many blocks.

local growth = require "growth"
local large = require "sample_large"
local lathe = require "lathe"

local VERTICES = { 1000, 4000, 16000, 32000 } -- numbers of 16 bits

local function opener(key, format, make)
  return function(n) return assert(lathe.parse(growth.bytes(key, n, make), { format = format, history = 100 })) end
end
local open_solid, open_nodes = opener("solid", "solid", large.solid), opener("made nodes", "nif", large.nodes)

local function floats(n)
  local list = {}
  for i = 1, 3 * n do list[i] = i end
  return lathe.buffer("f32", n, 3, list)
end

local lines = {}

-- ok: what is true afterwards of the result, what `make` gave, and n.
local function line(name, covers, make, run, ok, sizes, open)
  lines[#lines + 1] = { name = name, covers = covers, make = make, run = run, sizes = sizes, open = open,
    check = function(result, it, n) assert(ok(result, it, n)) end }
end

local function path_of(n)
  local path = os.tmpname()
  local file <close> = assert(io.open(path, "wb"))
  assert(file:write(growth.bytes("made nodes", n, large.nodes)))
  return path
end

local function is_whole(bytes, _, n) return bytes == growth.bytes("made nodes", n, large.nodes) end

-- ---- documents ---------------------------------------------------------------------------------------

line("nif: open, encode", { "lathe_doc_open", "lathe_doc_encode" }, path_of,
  function(path)
    local doc <close> = assert(lathe.open(path))
    return doc:encode()
  end, function(bytes, path, n) return os.remove(path) and is_whole(bytes, nil, n) end)
line("nif: save", { "lathe_doc_save" }, function(n) return { doc = open_nodes(n), path = os.tmpname() } end,
  function(it) return assert(it.doc:save(it.path)) end,
  function(_, it) return os.remove(it.path) end)
line("nif: size, modified, close", { "lathe_doc_size", "lathe_doc_modified", "lathe_doc_close" }, open_nodes,
  function(doc)
    local size = not doc.modified and doc.size
    doc:close()
    return size
  end, function(size, _, n) return size == #growth.bytes("made nodes", n, large.nodes) end)
line("nif: check", { "lathe_doc_check", "lathe_doc_check_with" }, open_nodes,
  function(doc) return doc:check() end, function(fine) return fine end)
line("nif: totable", { "totable" }, open_nodes, function(doc) return doc:totable() end,
  function(table, _, n) return #table.blocks == n + 1 and table.blocks[n + 1].name == "Node " .. n end)
line("nif: totable of the blocks alone", { "totable" }, open_nodes, function(doc) return lathe.totable(doc.blocks) end,
  function(table, _, n) return #table == n + 1 end)
line("nif: 64 edits undone and done again", { "lathe_edit_undo" }, open_nodes,
  function(doc)
    for i = 1, 64 do doc.blocks[i].flags = i end
    return doc:undo(64) and doc:redo(64)
  end, function(_, doc) return doc.blocks[64].flags == 64 end)
line("nif: an edit of n undone", { "lathe_edit_undo" },
  function(n)
    local doc = open_nodes(n)
    doc:edit(function() for i = 1, n do doc.blocks[i].flags = i end end)
    return doc
  end, function(doc) return doc:undo() end, function(undone, doc, n) return undone and is_whole(doc:encode(), nil, n) end,
  nil, "64,000 blocks and their journal are more than the caches of processors hold")
line("nif: n edits in one", { "lathe_edit_begin", "lathe_edit_end" }, open_nodes,
  function(doc, n)
    doc:edit(function()
      for i = 1, n do doc:edit(function() doc.blocks[i].flags = i end) end
    end)
  end, function(_, doc, n) return doc.blocks[n].flags == n end)

-- ---- views ---------------------------------------------------------------------------------------------

line("nif: n fields by path", { "lathe_view_at", "lathe_doc_root" }, open_nodes,
  function(doc, n)
    local sum = 0
    for i = 1, n do sum = sum + doc:get(("blocks[%d].flags"):format(i)) end
    return sum
  end, function(sum, _, n) return sum == 14 * n or sum == 0 end)
line("nif: path, span and type of n blocks", { "lathe_view_path", "lathe_view_span", "lathe_view_type" }, open_nodes,
  function(doc, n)
    local sum = 0
    for i = 1, n do
      local block = doc.blocks[i]
      local _, size = lathe.span(block)
      sum = sum + #lathe.path(block) + size + #lathe.type(block)
    end
    return sum
  end, function(sum, _, n) return sum > 40 * n end)
line("nif: what is at n offsets", { "lathe_doc_at" }, open_nodes,
  function(doc, n)
    local found, step = 0, doc.size // n
    for i = 0, n - 1 do found = found + (doc:at(i * step) and 1 or 0) end
    return found
  end, function(found, _, n) return found > n // 2 end)
line("nif: problem of n blocks, and whether they are the same", { "lathe_view_problem", "lathe_view_same", "lathe_view_item",
  "lathe_view_count" }, open_nodes,
  function(doc, n)
    local same = 0
    for i = 1, #doc.blocks do
      if not lathe.problem(doc.blocks[i]) and doc.blocks[i] == doc.blocks[n] then same = same + 1 end
    end
    return same
  end, function(same) return same == 1 end)
line("solid: n vertices are given", { "lathe_view_build", "assign" },
  function(n)
    local list = {}
    for i = 1, n do list[i] = { 1, 2, i } end
    return { doc = open_solid(n), list = list }
  end, function(it) it.doc.vertices = it.list end, function(_, it, n) return it.doc.vertices[n].z == n end, VERTICES)

-- ---- arrays ------------------------------------------------------------------------------------------------

line("nif: each child is set", { "lathe_view_set_item" }, open_nodes,
  function(doc, n)
    local children = doc.blocks[1].children
    for i = 1, n do children[i] = doc.blocks[3] end
  end, function(_, doc, n) return lathe.raw(doc.blocks[1].children, n) == 2 end)
line("nif: insert, remove and move children, in an edit", { "lathe_view_insert", "lathe_view_remove", "lathe_view_move",
  "insert", "remove", "move", "append" }, open_nodes,
  function(doc, n)
    local children = doc.blocks[1].children
    doc:edit(function()
      for _ = 1, 64 do
        children:append(doc.blocks[3])
        children:insert(n // 2, doc.blocks[3])
        children:remove(n // 4)
        children:move(1, n // 2)
      end
    end)
  end, function(_, doc, n) return #doc.blocks[1].children == n + 64 end)
line("nif: resize children, 64 times", { "resize" }, open_nodes,
  function(doc, n)
    local children = doc.blocks[1].children
    for i = 1, 64 do children:resize(n - i) end
  end, function(_, doc, n) return #doc.blocks[1].children == n - 64 end)
line("solid: pack, tobuffer and assign vertices", { "pack", "tobuffer", "assign", "lathe_view_read", "lathe_view_write",
  "lathe_view_lanes" }, open_solid,
  function(doc)
    local buffer = doc.vertices:tobuffer()
    local bytes = doc.vertices:pack "fff"
    buffer:transform { { 2, 0, 0, 0 }, { 0, 2, 0, 0 }, { 0, 0, 2, 0 }, { 0, 0, 0, 1 } }
    doc.vertices:assign(buffer)
    return #bytes
  end, function(size, doc, n) return size == 12 * n and doc.vertices[n].x == 2 * n end, VERTICES)

-- ---- buffers -----------------------------------------------------------------------------------------------

line("buffer: rows, numbers, totable", { "row", "at" }, floats,
  function(buffer, n)
    local sum = 0
    for i = 1, n do
      local x = buffer:row(i)
      sum = sum + x + buffer:at(i, 1)
    end
    return sum, buffer:totable()
  end, function(sum, _, n) return sum > n end)
line("buffer: bounds, transform, pack", { "bounds", "transform" }, floats,
  function(buffer)
    buffer:transform { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 }, { 0, 0, 0, 1 } }
    buffer:bounds()
    return buffer:pack "<f"
  end, function(bytes, _, n) return #bytes == 12 * n end)

return lines
