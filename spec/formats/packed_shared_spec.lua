-- Geometry of shared precombined objects: which file it is looked for in and when, what is read of it, and what is said
-- where something is wrong. A reader in plain Lua tells what is right.

local compare_meshes = require "packed_meshes"
local geometry_reader = require "geometry_reader"
local helper = require "helper"
local lathe = require "lathe"
local lfs = require "lfs"
local made = require "sample_packed"
local reader = require "packed_reader"

local NAME <const> = "Made Up - Geometry"
local HASH = reader.hash(NAME)
local SHOWN = ("0x%08X"):format(HASH)
local OBJECTS, INSTANCES, TRIANGLES <const> = 4, 15, 2 * 3 + 3 * 4 + 2 * 3 + 4 * 5

-- Objects of every precision, in one block or several; their geometry as a table for geometry_reader.
local function objects(hash)
  local list = { made.object(made.SHORT, 3), made.object(made.LONG, 4), made.object(made.FULL, 3),
    made.object(made.FULL, 5) }
  list[3].half = true                             -- says floats, but halves are stored
  for _, one in ipairs(list) do one.hash = hash or HASH end
  return list
end

local function sample(hash)
  local list = objects(hash)
  local file = made.geometry(list)
  local bytes = made.scene { made.block(made.SHARED, "shared", { list[1], list[2] }),
    made.block(made.SHARED, "shared", { list[3], list[4] }) }
  return bytes, file
end

-- The same geometry, elsewhere: what nobody must take for it.
local function other_file()
  local list = objects()
  for _, one in ipairs(list) do
    for _, v in ipairs(one.vertices) do v.position.x = v.position.x + 100 end
  end
  return made.geometry(list)
end

local BYTES, FILE = sample()
local PLAIN, PACKED = geometry_reader.plain(FILE), geometry_reader.packed(FILE)
local READ = { [HASH] = reader.file(PLAIN) }

local function agrees(doc, bytes, files)
  assert.same({ OBJECTS, INSTANCES, TRIANGLES }, { compare_meshes(doc, bytes or BYTES, files or READ) })
end

local function made_folder(path)
  local done = path:match "^/" and "/" or ""
  for part in path:gmatch "[^/]+" do
    done = done .. part .. "/"
    lfs.mkdir(done)
  end
  return path
end

-- A new folder with the scene in scene.nif, and files of these names and bytes.
local function folder_with(files, scene)
  local dir = helper.tmpdir()
  for name, bytes in pairs(files) do
    made_folder(dir .. "/" .. (name:match "^(.*)/" or ""))
    helper.write(dir .. "/" .. name, bytes)
  end
  made_folder((dir .. "/" .. (scene or "scene.nif")):match "^(.*)/")
  return dir, helper.write(dir .. "/" .. (scene or "scene.nif"), BYTES)
end

local function message(f, ...)
  local ok, err = pcall(f, ...)
  assert.is_false(ok, "nothing raised")
  assert.equal("table", type(err), tostring(err))
  return tostring(err)
end

local function first(doc) return doc.blocks[3].data[1] end
local function positions(doc) return first(doc).positions end

-- That a file is missing is remembered for a moment.
local function found_soon(doc)
  local stop = os.time() + 60
  repeat local found = pcall(positions, doc) until found or os.time() > stop
  agrees(doc)
end

describe("the geometry file of shared objects is found", function()
  local dir = helper.tmpdir()
  for _, form in ipairs { "psg", "csg" } do
    helper.write(("%s/%s.%s"):format(dir, NAME, form), form == "psg" and PLAIN or PACKED)
  end
  local psg, csg = ("%s/%s.psg"):format(dir, NAME), ("%s/%s.csg"):format(dir, NAME)
  local renamed = helper.write(helper.tmpdir() .. "/quite another name.bin", PACKED)
  local empty = helper.tmpdir()

  local WAYS = {
    ["by its path, packed"] = function() return csg end,
    ["by its path, plain"] = function() return psg end,
    ["in a folder"] = function() return dir end,
    ["in a folder with a slash behind it"] = function() return dir .. "/" end,
    ["as a document"] = function() return (assert(lathe.open(csg))) end,
    ["as a document of bytes that has a name"] = function()
      return (assert(lathe.parse(PLAIN, { path = NAME .. ".psg" })))
    end,
    ["in a list"] = function() return { empty, renamed, dir } end,
    ["in a list of documents"] = function() return { (assert(lathe.open(psg))) } end,
    ["under another name"] = function() return { [HASH] = renamed } end,
    ["as a document of another name"] = function() return { [HASH] = (assert(lathe.parse(PLAIN))) } end,
    ["in a list with hashes"] = function() return { empty, renamed, [HASH] = renamed } end,
  }
  for how, place in pairs(WAYS) do
    it(how, function()
      agrees(assert(lathe.parse(BYTES, { geometry = place() })))
      agrees(assert(lathe.open(helper.write(helper.tmpdir() .. "/a.nif", BYTES), { geometry = place() })))
    end)
  end

  it("by files of one folder for each hash", function()
    local bytes, file = sample(reader.hash "Second - Geometry")
    local both = helper.tmpdir()
    helper.write(both .. "/" .. NAME .. ".csg", PACKED)
    helper.write(both .. "/Second - Geometry.psg", geometry_reader.plain(file))
    local list = objects()
    made.geometry(list)
    list[1].hash = reader.hash "Second - Geometry"
    local mixed = made.scene { made.block(made.SHARED, "shared", list) }
    local files = reader.files { both .. "/" .. NAME .. ".csg", both .. "/Second - Geometry.psg" }
    agrees(assert(lathe.parse(mixed, { geometry = both })), mixed, files)
    agrees(assert(lathe.parse(bytes, { geometry = both })), bytes, files)
  end)

  it("whatever the case of its name", function()
    for _, name in ipairs { "MADE UP - GEOMETRY.CSG", "made up - geometry.psg", "Made up - GEOMETRY.Psg" } do
      local bytes = name:lower():find "csg$" and PACKED or PLAIN
      local _, scene = folder_with { [name] = bytes }
      agrees(assert(lathe.open(scene)))
      local folder = folder_with { [name] = bytes }
      agrees(assert(lathe.parse(BYTES, { geometry = folder })))
      agrees(assert(lathe.parse(BYTES, { geometry = folder .. "/" .. name })))
    end
  end)

  it("in the scene's own folder, packed before plain", function()
    local _, scene = folder_with { [NAME .. ".psg"] = PLAIN }
    agrees(assert(lathe.open(scene)))
    _, scene = folder_with { [NAME .. ".csg"] = PACKED, [NAME .. ".psg"] = geometry_reader.plain(other_file()) }
    agrees(assert(lathe.open(scene)))
    local folder = folder_with { [NAME .. ".csg"] = PACKED, [NAME .. ".PSG"] = geometry_reader.plain(other_file()) }
    agrees(assert(lathe.parse(BYTES, { geometry = folder })))
  end)

  it("in the folder above Meshes, which comes second", function()
    for _, meshes in ipairs { "Meshes", "meshes", "MESHES" } do
      local below = meshes .. "/PreCombined/Made Up.esp/scene.nif"
      local _, scene = folder_with({ ["Data/" .. NAME .. ".csg"] = PACKED }, "Data/" .. below)
      agrees(assert(lathe.open(scene)))
    end
    local _, scene = folder_with({ [NAME .. ".csg"] = geometry_reader.packed(other_file()),
      ["Meshes/" .. NAME .. ".psg"] = PLAIN }, "Meshes/scene.nif")
    agrees(assert(lathe.open(scene)))
  end)

  it("in the folder above Meshes of a path that says only its end", function()
    local top = folder_with({ [NAME .. ".csg"] = PACKED }, "Meshes/PreCombined/scene.nif")
    for _, case in ipairs { { "", "Meshes/PreCombined/scene.nif" }, { "/Meshes", "PreCombined/scene.nif" },
      { "/Meshes/PreCombined", "scene.nif" }, { "/Meshes/PreCombined", "./scene.nif" } } do
      local result = helper.lathe({ "export", case[2], "-o", top .. "/out.obj" }, { cwd = top .. case[1] })
      assert.equal(0, result.code, case[1] .. ": " .. result.err)
    end
  end)

  it("nowhere else, where the option says where", function()
    local _, scene = folder_with { [NAME .. ".psg"] = PLAIN }
    local doc = assert(lathe.open(scene, { geometry = empty }))
    assert.matches("its geometry file is missing", message(positions, doc), 1, true)
  end)

  it("and only a geometry file is one", function()
    for _, wrong in ipairs { 7, true, function() end, { [HASH] = 1 }, { a = psg }, { [-1] = psg },
      { [0x100000000] = psg }, (assert(lathe.parse(BYTES))) } do
      assert.has_error(function() lathe.parse(BYTES, { geometry = wrong }) end)
    end
    local _, scene = folder_with { [NAME .. ".csg"] = BYTES }
    local doc = assert(lathe.open(scene))
    assert.matches("Made Up - Geometry.csg", message(positions, doc), 1, true)
    assert.equal(BYTES, doc:encode())
  end)
end)

describe("shared geometry", function()
  it("reads as that of other layouts does", function()
    local list = objects()
    local half, full = { list[1], list[3] }, { list[1], list[2], list[4] }
    for _, case in ipairs { { half, true }, { full, false } } do
      local copies = {}
      for i, one in ipairs(case[1]) do
        copies[i] = table.move({ one }, 1, 1, 1, {})[1]
        one.half = case[2]
      end
      local file = made.geometry(copies)
      local inline = assert(lathe.parse(made.scene { made.block(made.INLINE, "inline", copies, case[2]) }))
      local shared = assert(lathe.parse(made.scene { made.block(made.SHARED, "shared", copies) },
        { geometry = { [HASH] = assert(lathe.parse(geometry_reader.plain(file))) } }))
      for i = 1, #copies do
        local a, b = inline.blocks[3].data[i], shared.blocks[3].data[i]
        for _, name in ipairs { "positions", "normals", "tangents", "bitangents", "uvs", "colors" } do
          assert.equal(a[name] == nil, b[name] == nil, name)
          if a[name] then assert.same(a[name]:totable(), b[name]:totable()) end
        end
        assert.equal(b.positions:pack(), a.positions:pack())
        local flat = {}
        for _, t in ipairs(a.triangles) do
          for k = 1, 3 do flat[#flat + 1] = t[k] end
        end
        assert.same(flat, b.triangles:totable())
      end
    end
  end)

  it("has its stride decided by the data, whatever the row's descriptor says", function()
    local list = objects()
    local file = made.geometry(list)
    file.rows[3][2], file.rows[4][2] = made.LONG, made.LONG -- the third is stored as that; the fourth is not
    local bytes = made.scene { made.block(made.SHARED, "shared", list) }
    local plain = geometry_reader.plain(file)
    agrees(assert(lathe.parse(bytes, { geometry = { [HASH] = assert(lathe.parse(plain)) } })), bytes,
      { [HASH] = reader.file(plain) })
  end)

  it("is found where no row begins, if its indices fit", function()
    for _, rows in ipairs { {}, { { 0, made.SHORT, 0, 0 } } } do
      local list = objects()
      local file = made.geometry(list)
      file.rows = rows
      if rows[1] then list[1].num_combined, list[1].combined = 0, {} end -- whose place the row takes
      local bytes = made.scene { made.block(made.SHARED, "shared", list) }
      local plain = geometry_reader.plain(file)
      local doc = assert(lathe.parse(bytes, { geometry = { [HASH] = assert(lathe.parse(plain)) } }))
      local read = reader.file(plain)
      local _, _, triangles = compare_meshes(doc, bytes, { [HASH] = read })
      assert.equal(rows[1] and TRIANGLES - 2 * 3 or TRIANGLES, triangles)
    end
  end)

  it("cannot be written", function()
    local _, scene = folder_with { [NAME .. ".psg"] = PLAIN }
    local doc = assert(lathe.open(scene))
    for _, field in ipairs { "positions", "normals", "triangles" } do
      assert.is_false(pcall(function() first(doc)[field] = first(doc)[field] end), field)
    end
    assert.equal(BYTES, doc:encode())
  end)

  it("is opened when it is touched, and not before", function()
    local _, scene = folder_with { [NAME .. ".csg"] = "bcsg\255\255\255\255" }
    local doc = assert(lathe.open(scene, { history = 3 }))
    local block = doc.blocks[3]
    assert.equal("shared", block.layout)
    assert.same({ 3, made.SHORT, HASH }, { block.data[1].num_vertices, block.data[1].vertex_desc,
      block.objects[1].geometry_file_hash })
    assert.equal(BYTES, assert(lathe.new("nif", doc:totable())):encode())
    block.data[1].combined[2].transform.translation.x = 9
    block.data[1].combined:remove(1)
    assert.is_true(doc:undo())
    assert.is_true(doc:undo())
    assert.equal(BYTES, doc:encode())
    local text = message(positions, doc)
    assert.matches(NAME .. ".csg", text, 1, true)
    assert.matches("blocks[3].data[1]", text, 1, true)
    assert.matches("blocks[3].data[1]", message(doc:meshes()), 1, true)
  end)

  it("missing, is missed where it is asked for", function()
    local dir, scene = folder_with {}
    local doc = assert(lathe.open(scene))
    local text = message(positions, doc)
    for _, part in ipairs { "blocks[3].data[1]", "its geometry file is missing", SHOWN, dir } do
      assert.matches(part, text, 1, true)
    end
    assert.matches(SHOWN, message(doc:meshes()), 1, true)
    doc.blocks[3].data[1].combined[1].transform.translation = { 5, 6, 7 }
    assert(doc:save())
    local again = assert(lathe.open(scene))
    assert.equal(6, again.blocks[3].data[1].combined[1].transform.translation.y)
    assert.equal(#BYTES, #again:encode())
  end)

  it("missing, names every place that was looked at", function()
    local _, scene = folder_with({}, "Data/Meshes/PreCombined/scene.nif")
    local text = message(positions, assert(lathe.open(scene)))
    assert.matches("Data/Meshes/PreCombined'", text, 1, true)
    assert.matches("Data'", text, 1, true)
    local one, other = helper.tmpdir(), helper.tmpdir()
    text = message(positions, assert(lathe.parse(BYTES, { geometry = { one, other } })))
    assert.matches(one, text, 1, true)
    assert.matches(other, text, 1, true)
    text = message(positions, assert(lathe.parse(BYTES)))
    assert.matches(SHOWN, text, 1, true)
  end)

  it("is not taken from a file of another name: both hashes are told", function()
    local path = helper.write(helper.tmpdir() .. "/Other - Geometry.psg", PLAIN)
    for _, place in ipairs { path, { path }, (assert(lathe.open(path))) } do
      local text = message(positions, assert(lathe.parse(BYTES, { geometry = place })))
      assert.matches(SHOWN, text, 1, true)
      assert.matches(("0x%08X"):format(reader.hash(path)), text, 1, true)
    end
  end)

  it("is found once the file is there", function()
    local dir, scene = folder_with {}
    local doc = assert(lathe.open(scene))
    message(positions, doc)
    helper.write(dir .. "/" .. NAME .. ".psg", PLAIN)
    found_soon(doc)
  end)
end)

describe("a geometry file that does not fit", function()
  -- Documents of the scene with a changed geometry file, and of a changed scene with the right one.
  local function with_file(change)
    local file = made.geometry(objects())
    change(file)
    local text = geometry_reader.plain(file)
    return assert(lathe.parse(BYTES, { geometry = { [HASH] = assert(lathe.parse(text, { path = "wrong.psg" })) } }))
  end

  local function with_objects(change)
    local list = objects()
    made.geometry(list)
    change(list)
    local bytes = made.scene { made.block(made.SHARED, "shared", list) }
    return assert(lathe.parse(bytes, { geometry = { [HASH] = assert(lathe.parse(PLAIN, { path = "wrong.psg" })) } }))
  end

  local BOTH = { SHOWN, ("0x%08X"):format(reader.hash "wrong.psg"), "wrong.psg", "blocks[3].data[1]" }

  local function refused(doc, parts)
    for _, f in ipairs { function() return first(doc).positions end, function() return first(doc).triangles end,
      doc:meshes() } do
      local text = message(f)
      for _, part in ipairs(parts) do assert.matches(part, text, 1, true) end
    end
    local bytes = doc:encode()
    assert.equal(bytes, assert(lathe.parse(bytes)):encode())
  end

  for what, change in pairs {
    ["has a row of fewer vertices"] = function(file) file.rows[1][3] = 2 end,
    ["has a row of more indices"] = function(file) file.rows[1][4] = 9 end,
    ["has a row of another size"] = function(file) file.rows[2][1] = file.rows[2][1] - 2 end,
    ["has no row there, and other data"] = function(file) file.rows, file.stream = {}, ("\255"):rep(#file.stream) end,
    ["ends in front of it"] = function(file) file.rows, file.stream = {}, "\0\0" end,
    ["has no stream"] = function(file) file.rows, file.stream = {}, "" end,
  } do
    it("is refused with both hashes: it " .. what, function() refused(with_file(change), BOTH) end)
  end

  for what, change in pairs {
    ["beyond the stream"] = function(list) list[1].offset = 0x7FFFFFFF end,
    ["at the last place there could be"] = function(list) list[1].offset = 0xFFFFFFFF end,
    ["inside of a row"] = function(list) list[1].offset = 1 end,
    ["of as many vertices as there could be"] = function(list) list[1].num_vertices = 0xFFFFFFFF end,
    ["of as many triangles as there could be"] = function(list) list[1].tri_count0 = 0xFFFFFFFE end,
    ["of both"] = function(list) list[1].num_vertices, list[1].tri_count0 = 0xFFFFFFFF, 0xFFFFFFFE end,
    ["of vertices without a byte"] = function(list) list[1].vertex_desc = 0x0000900000000000 end,
    ["of a wider descriptor"] = function(list) list[1].vertex_desc = made.LONG end,
  } do
    it("is refused for an object " .. what, function()
      local doc = with_objects(change)
      local before = collectgarbage "count"
      assert.matches("blocks[3].data[1]", message(doc:meshes()), 1, true)
      assert.matches("blocks[3].data[1]", message(function() return first(doc).triangles end), 1, true)
      local ok, buffer = pcall(positions, doc)
      assert.is_true(not ok or buffer == nil)
      assert.is_nil((doc:check()))
      assert.is_true(collectgarbage "count" - before < 20000)
      assert.equal(4, doc.blocks[3].data[2].positions.rows) -- the rest is there
    end)
  end

  it("has no positions for an object whose descriptor names more than its vertices hold", function()
    for _, desc in ipairs { 0x0000B00000020003, 0x0040900000020003, 0x0000000000000003, 0x03FF900000020003 } do
      local doc = with_objects(function(list) list[1].vertex_desc = desc end)
      assert.is_nil(first(doc).positions)
      assert.equal(6, #first(doc).triangles)
      local text = message(doc:meshes())
      assert.matches("blocks[3].data[1]", text, 1, true)
      assert.matches(("0x%X"):format(desc), text, 1, true)
    end
  end)

  it("names a vertex that is not there", function()
    local doc = with_file(function(file)
      local at = FILE.rows[1][1] + 3 * 12         -- the first index
      file.stream = file.stream:sub(1, at + 2) .. "\9\0" .. file.stream:sub(at + 5)
    end)
    assert.equal(3, positions(doc).rows)
    for mesh in doc:meshes() do                   -- and draws no triangle with it
      for i = 1, #mesh.indices do assert.is_true(mesh.indices[i] < mesh.positions.rows) end
    end
    local fine, list = doc:check()
    assert.same({ nil, 1 }, { fine, #list })
    assert.matches("blocks[3].data[1].shared_triangles[1]", tostring(list[1]), 1, true)
    assert.matches("there is no vertex 9 (from 0) of 3", tostring(list[1]), 1, true)
  end)

  it("is told of by check, but not where it is missing", function()
    local fine, list = with_file(function(file) file.rows[2][3] = 3 end):check()
    assert.same({ nil, 1 }, { fine, #list })
    assert.matches("blocks[3].data[2]", tostring(list[1]), 1, true)
    assert.matches(SHOWN, tostring(list[1]), 1, true)
    assert.same({ true, {} }, { assert(lathe.parse(BYTES)):check() })
    local _, scene = folder_with {}
    assert.same({ true, {} }, { assert(lathe.open(scene)):check() })
    _, scene = folder_with { [NAME .. ".csg"] = PACKED }
    assert.same({ true, {} }, { assert(lathe.open(scene)):check() })
  end)

  for what, change in pairs {
    ["points behind the file"] = function(entries) entries[1] = { nil, 0x7FFFFFFF } end,
    ["points into its head"] = function(entries) entries[1] = { nil, 4 } end,
    ["says that a chunk is empty"] = function(entries) entries[1] = { 0 } end,
    ["says that a chunk is huge"] = function(entries) entries[1] = { 0xFFFFFFFF } end,
    ["cuts a chunk"] = function(entries) entries[1] = { 40 } end,
  } do
    it("is told of by its name: its chunk table " .. what, function()
      local file = made.geometry(objects())
      file.entries = {}
      change(file.entries)
      local _, scene = folder_with { [NAME .. ".csg"] = geometry_reader.packed(file) }
      local doc = assert(lathe.open(scene))
      local text = message(positions, doc)
      assert.matches(NAME .. ".csg", text, 1, true)
      assert.matches("blocks[3].data[1]", text, 1, true)
      assert.equal(BYTES, doc:encode())
    end)
  end

  it("does not harm rows in its other chunks", function()
    local list = { made.object(made.SHORT, 3), made.object(made.SHORT, 3) }
    for _, one in ipairs(list) do one.hash = HASH end
    local file = made.geometry(list)
    local at = file.rows[2][1]
    list[2].offset = 70000
    file.rows[3] = { 70000, table.unpack(file.rows[2], 2) }
    file.rows[2] = { at, 0x0000100000000002, (70000 - at) // 8, 0 }
    local tail = file.stream:sub(at + 1)
    file.stream = file.stream:sub(1, at) .. ("\0"):rep(70000 - at) .. tail
    file.entries = { { 10 } }
    local bytes = made.scene { made.block(made.SHARED, "shared", list) }
    local dir = folder_with { [NAME .. ".csg"] = geometry_reader.packed(file) }
    local doc = assert(lathe.parse(bytes, { geometry = dir }))
    assert.is_false(pcall(positions, doc))
    assert.equal(3, doc.blocks[3].data[2].positions.rows)
  end)
end)

describe("a geometry document that a scene uses", function()
  it("may be closed by the script", function()
    local geometry = assert(lathe.parse(PLAIN, { path = NAME .. ".psg" }))
    local doc = assert(lathe.parse(BYTES, { geometry = geometry }))
    local next_mesh = doc:meshes()
    next_mesh()
    geometry:close()
    next_mesh()
    agrees(doc)
    assert.has_error(function() return geometry.rows end)
    doc:close()
  end)

  it("may be closed before it was touched, or collected", function()
    local doc
    do
      local geometry <close> = assert(lathe.parse(PLAIN, { path = NAME .. ".psg" }))
      doc = assert(lathe.parse(BYTES, { geometry = { geometry, [1 << 31] = geometry } }))
    end
    collectgarbage()
    collectgarbage()
    agrees(doc)
  end)

  it("outlives the scene, and may serve several", function()
    local geometry = assert(lathe.parse(PLAIN, { path = NAME .. ".psg" }))
    local one = assert(lathe.parse(BYTES, { geometry = geometry }))
    local two = assert(lathe.parse(BYTES, { geometry = geometry }))
    agrees(one)
    one:close()
    agrees(two)
    two:close()
    assert.equal(PLAIN, geometry:encode())
    assert.equal(3, geometry.rows[1].positions.rows)
    geometry:close()
  end)

  it("shows what was edited in it", function()
    local geometry = assert(lathe.parse(PLAIN, { path = NAME .. ".psg", history = 2 }))
    local doc = assert(lathe.parse(BYTES, { geometry = geometry }))
    local before = positions(doc):totable()
    geometry.rows[1].positions = { { 7, 8, 9 }, { 1, 2, 3 }, { 4, 5, 6 } }
    assert.same({ 7, 8, 9, 1, 2, 3, 4, 5, 6 }, positions(doc):totable())
    geometry:undo()
    assert.same(before, positions(doc):totable())
    while #geometry.rows > 0 do geometry.rows:remove(#geometry.rows) end
    assert.is_false(pcall(positions, doc))
  end)

  for _, form in ipairs { "psg", "csg" } do
    it("is refused once its file has changed: " .. form, function()
      local name = NAME .. "." .. form
      local dir, scene = folder_with { [name] = form == "psg" and PLAIN or PACKED }
      local doc = assert(lathe.open(scene))
      agrees(doc)
      helper.write(dir .. "/" .. name, geometry_reader[form == "psg" and "plain" or "packed"](other_file()))
      lfs.touch(dir .. "/" .. name, os.time() + 10)
      local text = message(positions, doc)
      assert.matches(name, text, 1, true)
      assert.matches("changed", text, 1, true)
      assert.equal(BYTES, doc:encode())
      agrees(assert(lathe.open(helper.write(helper.tmpdir() .. "/a.nif", BYTES), { geometry = dir })), BYTES,
        { [HASH] = reader.file(geometry_reader.plain(other_file())) })
    end)
  end
end)

describe("a scene whose geometry file is being opened", function()
  local core = require "lathe.core"

  after_each(function() core.set_guard() end)

  -- What is asked for leave to open the file does this first: also a finalizer that runs then could.
  local function opening(act, read)
    local dir, scene = folder_with { [NAME .. ".csg"] = PACKED }
    local into = assert(lathe.new("geometry", { rows = {} }, { path = "Into - Geometry.csg" }))
    local doc = assert(lathe.open(scene, { history = 9, geometry = dir .. "/" .. NAME .. ".csg" }))
    doc.blocks[3].leaf_amplitude = 2
    local said, came
    core.set_guard(function()
      if not came then
        came = true
        said = table.pack(pcall(act, doc, into))
      end
      return true
    end)
    local ok, value = pcall(read, doc, into)
    core.set_guard()
    assert.is_true(came)
    assert(ok, tostring(value))
    return said, doc
  end

  local READS = {
    positions = function(doc) return positions(doc) end,
    triangles = function(doc) return first(doc).triangles end,
    meshes = function(doc) for _ in doc:meshes() do end end,
    check = function(doc) return doc:check() end,
    ["to inline"] = function(doc) return assert(doc:convert { to = "inline" }) end,
    ["to another file"] = function(doc, into) return assert(doc:convert { to = "shared", into = into }) end,
  }
  local ACTS = {
    ["is not closed"] = function(doc) doc:close() end,
    ["keeps the file open that it is converted into"] = function(_, into) into:close() end,
    ["loses no block"] = function(doc) doc.blocks:remove(3) end,
    ["loses no object"] = function(doc) doc.blocks[3].data:remove(1) end,
    ["gets no row in the file that it is converted into"] = function(_, into)
      assert(into.rows:append { vertex_desc = made.SHORT, num_vertices = 1, data = ("\0"):rep(12) })
    end,
    ["is not saved"] = function(doc) assert(doc:save()) end,
    ["is not built anew"] = function(doc) doc.blocks[3] = { type = "NiNode" } end,
  }
  for name, act in pairs(ACTS) do
    for what, read in pairs(READS) do
      it(name .. ": " .. what, function()
        local said, doc = opening(act, read)
        assert.is_false(said[1])
        assert.matches("in use: a file is being opened", tostring(said[2]), 1, true)
        if what:find "^to" then assert.is_true(doc:undo()) end
        assert.is_true(doc:undo())
        assert.equal(BYTES, doc:encode())
        agrees(doc)
        doc:close()
        assert.has_error(function() return doc.blocks end)
      end)
    end
  end

  it("goes no step back", function()
    for _, read in pairs(READS) do
      local said = opening(function(doc) return doc:undo() end, read)
      assert.same({ true, false, n = 2 }, said)
    end
  end)

  it("may be read", function()
    for what, read in pairs(READS) do
      local said = opening(function(doc)
        if not what:find "^to" then agrees(doc) end
        return #doc:encode() > 0
      end, read)
      assert.same({ true, true, n = 2 }, said)
    end
  end)

  it("has an error of the guard as its own", function()
    local _, scene = folder_with { [NAME .. ".csg"] = PACKED }
    local doc = assert(lathe.open(scene))
    for _, act in ipairs { function() error "no way" end, function() coroutine.yield() end,
      function() return nil, "no way" end } do
      core.set_guard(act)
      local ok, err = coroutine.wrap(function() return pcall(positions, doc) end)()
      core.set_guard()
      assert.is_false(ok)
      assert.equal("table", type(err))
      assert.matches("blocks[3].data[1]", tostring(err), 1, true)
    end
    found_soon(doc)
  end)
end)

describe("shared geometry in the shell", function()
  local dir, scene, elsewhere, renamed, script, above

  setup(function()
    dir, scene = folder_with {}
    elsewhere = folder_with { [NAME .. ".csg"] = PACKED }
    renamed = folder_with { ["x.bin"] = PACKED } .. "/x.bin"
    script = helper.write(helper.tmpdir() .. "/count.lua", "return function(doc)\n"
      .. "  local n = 0\n  for mesh in doc:meshes() do n = n + mesh.indices.rows end\n  print(n)\nend\n")
    above = folder_with({ [NAME .. ".csg"] = PACKED }, "Meshes/scene.nif")
  end)

  local function run(...)
    return helper.lathe { "run", script, ... }
  end

  it("is looked for where --geometry says, also in the sandbox", function()
    for _, place in ipairs { elsewhere, elsewhere .. "/" .. NAME .. ".csg", ("0x%08X=%s"):format(HASH, renamed),
      ("%08x=%s"):format(HASH, renamed) } do
      for _, words in ipairs { { "--geometry", place }, { "--geometry=" .. place } } do
        local result = run(scene, table.unpack(words))
        assert.equal(0, result.code, result.err)
        assert.matches(tostring(TRIANGLES), result.out, 1, true)
      end
    end
  end)

  it("is not read outside of the folders that the sandbox gives", function()
    local result = run(above .. "/Meshes/scene.nif")
    assert.equal(1, result.code)
    assert.matches(SHOWN, result.err .. result.out, 1, true)
    result = run(above .. "/Meshes/scene.nif", "--trusted")
    assert.equal(0, result.code, result.err)
    for _, place in ipairs { ("%q"):format(elsewhere), ("%q"):format(elsewhere .. "/" .. NAME .. ".csg"),
      ("{ [%d] = %q }"):format(HASH, renamed), ("{ %q }"):format(elsewhere) } do
      local thief = helper.write(helper.tmpdir() .. "/thief.lua", ("return function(doc)\n"
        .. "  local other = assert(lathe.open(doc.path, { geometry = %s }))\n"
        .. "  print('got', #other.blocks[3].data[1].positions)\nend\n"):format(place))
      result = helper.lathe { "run", thief, scene }
      assert.equal(1, result.code, result.out)
      assert.is_nil(result.out:find("got", 1, true))
      result = helper.lathe { "run", thief, scene, "--geometry", elsewhere, "--geometry", renamed }
      assert.equal(0, result.code, result.err)
    end
  end)

  it("may lie in the folder of the inputs", function()
    local _, beside = folder_with { [NAME .. ".psg"] = PLAIN }
    local result = run(beside)
    assert.equal(0, result.code, result.err)
    assert.matches(tostring(TRIANGLES), result.out, 1, true)
  end)

  it("is no link out of the sandbox", function()
    local folder, beside = folder_with {}
    assert(lfs.link(elsewhere .. "/" .. NAME .. ".csg", folder .. "/" .. NAME .. ".csg", true))
    local result = run(beside)
    assert.equal(1, result.code, result.out)
    assert.equal(0, run(beside, "--trusted").code)
  end)

  it("is not needed to edit a scene", function()
    local _, alone = folder_with {}
    local result = helper.lathe { "scale", "2", alone, "-o", dir .. "/out" }
    assert.equal(0, result.code, result.err)
  end)
end)
