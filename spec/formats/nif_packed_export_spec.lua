-- Precombined geometry as a model: meshes by bands of detail, what tells that they are one object, exports. Places are
-- compared with spec/support/packed_reader.lua, which shares no code with lathe.

local corpus = require "precombined_corpus"
local geometry_reader = require "geometry_reader"
local glb = require "glb"
local helper = require "helper"
local lathe = require "lathe"
local reader = require "packed_reader"
local sample = require "sample_nif"
local sample_packed = require "sample_packed"
local groups = require "packed_groups"

local group, missing, object, place = groups.example, groups.missing, groups.object, groups.place
local NAN <const> = 0 / 0
local FINITE <const> = "its transform has a number that is not finite"

-- A rotation that shears.
local SHEARED = { 1, 0.5, 0, 0, 1, 0, 0, 0, 1 }

local function parse(what) return assert(lathe.parse((groups.build(what)))) end

local function rows_of(doc, opts)
  local rows = {}
  for mesh in doc:meshes(opts) do rows[#rows + 1] = mesh.indices and mesh.indices.rows or "none" end
  return rows
end

local function raises(message, fn, ...)
  local ok, err = pcall(fn, ...)
  assert.is_false(ok)
  assert.equal(message, (tostring(err):gsub("^[^:]+:%d+: ", "")))
end

-- ---- what the plain reader says -----------------------------------------------------------------------

-- Whether an instance turns triangles round.
local function is_mirrored(instance)
  local r = instance.rotation
  local det = r[1] * (r[5] * r[9] - r[6] * r[8]) - r[2] * (r[4] * r[9] - r[6] * r[7])
    + r[3] * (r[4] * r[8] - r[5] * r[7])
  return det * instance.scale < 0
end

-- Each instance of a file: its triangles in the space of files where y is up, seen from outside; those without any
-- are left out.
local function expected(bytes, bands, files)
  local list = {}
  for _, block in ipairs((reader.read(bytes, files))) do
    for _, one in ipairs(block and block.objects or {}) do
      for _, instance in ipairs(one.instances) do
        local triangles = reader.world(one, instance, bands)
        for _, t in ipairs(triangles) do
          for k, p in ipairs(t) do t[k] = { p[1], p[3], -p[2] } end
          if is_mirrored(instance) then t[2], t[3] = t[3], t[2] end
        end
        if #triangles > 0 then list[#list + 1] = { triangles = triangles, object = one, instance = instance } end
      end
    end
  end
  return list
end

local function near(wanted, got, what, number, most)
  for k = 1, 3 do
    local off = math.abs(wanted[k] - got[k])
    if off > (most or 1e-3 + 1e-6 * math.abs(wanted[k])) or off ~= off then
      error(("%s %d: %.9g instead of %.9g"):format(what, number, got[k], wanted[k]), 0)
    end
  end
end

local function compare(wanted, got, what)
  assert.equal(#wanted.triangles, #got, what)
  for i, triangle in ipairs(wanted.triangles) do
    for k = 1, 3 do near(triangle[k], got[i][k], what, i) end
  end
end

-- ---- .obj ---------------------------------------------------------------------------------------------

-- Objects of an .obj: lists of triangles, and normals where there are some.
local function read_obj(text)
  local points, normals, list = {}, {}, {}
  for line in text:gmatch "[^\n]+" do
    local word, rest = line:match "^(%S+) (.*)$"
    local numbers = {}
    if word == "v" or word == "vn" then
      for n in rest:gmatch "%S+" do numbers[#numbers + 1] = tonumber(n) end
      table.insert(word == "v" and points or normals, numbers)
    elseif word == "o" then
      list[#list + 1] = { normals = {} }
    elseif word == "f" then
      local triangle, facing = {}, {}
      for corner in rest:gmatch "%S+" do
        triangle[#triangle + 1] = points[tonumber(corner:match "^%d+")]
        facing[#facing + 1] = normals[tonumber(corner:match "/(%d+)$")]
      end
      table.insert(list[#list], triangle)
      table.insert(list[#list].normals, facing)
    end
  end
  return list
end

local function compare_obj(wanted, text)
  local got = read_obj(text)
  assert.equal(#wanted, #got)
  local triangles = 0
  for i, one in ipairs(wanted) do
    compare(one, got[i], "triangle of object " .. i)
    triangles = triangles + #got[i]
  end
  return triangles, got
end

-- ---- .glb ---------------------------------------------------------------------------------------------

local function triangles_of(drawn)
  local list, p = {}, drawn.positions
  for i = 1, #drawn.indices, 3 do
    local triangle = {}
    for k = 0, 2 do
      local v = 3 * drawn.indices[i + k]
      triangle[k + 1] = { p[v + 1], p[v + 2], p[v + 3] }
    end
    -- Viewers turn them round themselves.
    if drawn.mirrored then triangle[2], triangle[3] = triangle[3], triangle[2] end
    list[#list + 1] = triangle
  end
  return list
end

local function compare_glb(wanted, file)
  local drawn = file:drawn()
  assert.equal(#wanted, #drawn)
  local objects, seen = 0, {}
  for i, one in ipairs(wanted) do
    compare(one, triangles_of(drawn[i]), "triangle of node " .. i)
    if not seen[one.object] then objects, seen[one.object] = objects + 1, true end
  end
  assert.equal(objects, #file.json.meshes)
end

local function export(doc, name, opts)
  local path = helper.tmpdir() .. "/" .. name
  local report = assert(lathe.export(doc, path, opts))
  return helper.read(path), report, path
end

-- ---- the model ----------------------------------------------------------------------------------------

describe("meshes of precombined objects", function()
  it("have triangles of the bands that are asked for", function()
    local doc = parse(group())
    assert.same({ 6, 6, 6, 6, 2 }, rows_of(doc))
    assert.same({ 2, 2, 2, 2, 0 }, rows_of(doc, { lod = 0 }))
    assert.same({ 3, 3, 3, 3, 2 }, rows_of(doc, { lod = 1 }))
    assert.same({ 6, 6, 6, 6, 2 }, rows_of(doc, { lod = 2.0 }))
    local all, first = doc:meshes()(), doc:meshes { lod = 1 }()
    assert.same({ table.unpack(all.indices:totable(), 1, 9) }, first.indices:totable())
    assert.equal(5, first.positions.rows)
  end)

  it("are asked for with options that can be parsed", function()
    local doc = parse(group())
    for _, lod in ipairs { 3, -1, 1.5, "1", true, NAN, math.huge } do
      raises("'lod' of meshes is one of 0, 1, 2", doc.meshes, doc, { lod = lod })
    end
    raises("'once' of meshes is true or false", doc.meshes, doc, { once = 1 })
    raises("'left_out' of meshes is a table", doc.meshes, doc, { left_out = true })
    raises("no option 'lods' of meshes, which takes what, lod, once and left_out", doc.meshes, doc, { lods = 1 })
  end)

  it("tell of which object they are, and where that is", function()
    for _, layout in ipairs { "inline", "inline+table" } do
      local what = group(layout)
      what.groups = { what.objects, { object { vertices = 3, offset = 40, places = { place { 0, 0, 0 } } } } }
      local objects, paths, sources = {}, {}, {}
      for mesh in parse(what):meshes() do
        objects[#objects + 1], paths[#paths + 1] = mesh.object, mesh.path
        sources[#sources + 1] = mesh.source or "none"
      end
      assert.same({ 1, 1, 1, 1, 2, 3 }, objects)
      assert.same({ "blocks[3].data[1].combined[1]", "blocks[3].data[1].combined[4]",
        "blocks[3].data[2].combined[1]", "blocks[8].data[1].combined[1]" }, { paths[1], paths[4], paths[5], paths[6] })
      local function source(offset) return { geometry_file_hash = 0xDDF19A67, data_offset = offset } end
      assert.same(layout == "inline" and { "none", "none", "none" } or { source(40), source(300), source(40) },
        { sources[4], sources[5], sources[6] })
    end
    local alone = assert(lathe.parse((sample.build { game = "fo4", blocks = { { type = "BSTriShape", name = "",
      skin = -1, vertex_desc = groups.PLAIN, vertices = { { position = { x = 0, y = 0, z = 0 }, bitangent_x = 0 } },
      triangles = { { 0, 0, 0 } } } } })))
    local mesh = alone:meshes { lod = 0, once = true }()
    assert.same({ 1, nil, "blocks[1]" }, { mesh.indices.rows, mesh.object, mesh.path, mesh.source })
  end)

  it("have their buffers once where that is asked for", function()
    local doc, meshes = parse(group()), {}
    for mesh in doc:meshes { once = true, lod = 1 } do meshes[#meshes + 1] = mesh end
    local rows = {}
    for i, mesh in ipairs(meshes) do rows[i] = mesh.positions and mesh.positions.rows or "none" end
    assert.same({ 5, "none", "none", "none", 4 }, rows)
    assert.same({ 3, "z", 1, "Materials\\bucket1.BGSM" },
      { meshes[1].indices.rows, meshes[3].up, meshes[3].object, meshes[3].material })
    assert.is_nil(meshes[2].normals or meshes[2].indices)
    assert.equal(-130000.25, meshes[2].transform[13])
  end)

  it("are left out where they cannot be drawn: the list says why, once for what several have", function()
    local what, left_out = group "shared", {}
    what.objects[3] = object { vertices = 3, hash = 0x12345678, places = { place { NAN, 0, 0 }, place { 0, 0, 0 } } }
    local doc = parse(what)
    assert.same({}, rows_of(doc, { left_out = left_out }))
    assert.same({ { path = "blocks[3].data[1]", reason = missing(0xDDF19A67, "Fallout4"), instances = 5 },
      { path = "blocks[3].data[3].combined[1]", reason = FINITE, instances = 1 },
      { path = "blocks[3].data[3]", reason = missing(0x12345678), instances = 1 } }, left_out)
    assert.has_error(function() rows_of(doc) end)
  end)

  it("of blocks that fit no layout are left out", function()
    local what, left_out = group(), {}
    what.groups = { what.objects, { object { vertices = 3, places = { place { 0, 0, 0 } } } } }
    local bytes, info = groups.build(what)
    local doc = assert(lathe.parse(sample.patch(bytes, info.blocks[8].at + 28, "\9")))
    assert.same({ 6, 6, 6, 6, 2 }, rows_of(doc))
    rows_of(doc, { left_out = left_out })
    assert.same({ 1, "blocks[8]" }, { #left_out, left_out[1].path })
    assert.matches("unrecognised packed geometry", left_out[1].reason, 1, true)
  end)

  it("of a senseless descriptor are left out, wherever the vertices are", function()
    local what = { objects = { object { vertices = 3, places = { place { 0, 0, 0 }, place { 1, 0, 0 } } } } }
    local rows = geometry_reader.plain(sample_packed.geometry(what.objects))
    local geometry = helper.write(helper.tmpdir() .. "/Fallout4 - Geometry.psg", rows)
    for _, layout in ipairs { "inline", "shared" } do
      local type_name = layout == "inline" and sample_packed.INLINE or sample_packed.SHARED
      what.layout = layout
      local bytes, left_out = groups.build(what), {}
      local at = bytes:find(string.pack("<I8", groups.PLAIN), 1, true) - 1
      local doc = assert(lathe.parse(sample.patch(bytes, at, string.pack("<I8", groups.PLAIN & ~(1 << 44))),
        { geometry = geometry }))
      assert.same({}, rows_of(doc, { left_out = left_out }))
      assert.same({ { path = "blocks[3].data[1]", instances = 2, reason = "its vertices have no positions that can be "
        .. "read: vertex_desc is 0x40000000000004 (" .. type_name .. ")" } }, left_out)
      assert.has_error(function() rows_of(doc) end)
    end
  end)

  it("are drawn by the first of several shapes that have their block", function()
    local what = group()
    what.groups = { what.objects, { object { vertices = 3, places = { place { 0, 0, 0 } } } } }
    local doc = parse(what)
    doc.blocks[7].extra_data_list[1] = doc.blocks[3]
    assert.same({ 6, 6, 6, 6, 2 }, rows_of(doc))
  end)

  it("of a shape with bands have those that are asked for, too", function()
    for _, type_name in ipairs { "BSMeshLODTriShape", "BSLODTriShape" } do
      local blocks = { { type = type_name, name = "", skin = -1, vertex_desc = groups.PLAIN, data = 1,
        vertices = {}, triangles = {}, lod0_triangles = 1, lod1_triangles = 0, lod2_triangles = 2 },
        { type = "NiTriShapeData", has_vertices = true, vertices = {}, has_triangles = true, num_triangles = 3,
          num_triangle_points = 9, triangles = {} } }
      local owner = type_name == "BSLODTriShape" and blocks[2] or blocks[1]
      for i = 1, 4 do
        local p = { x = i, y = i * i, z = 0 }
        owner.vertices[i] = owner == blocks[1] and { position = p, bitangent_x = 0 } or { i, i * i, 0 }
      end
      owner.num_vertices, owner.num_triangles = 4, 3
      owner.triangles = { { 0, 1, 2 }, { 1, 2, 3 }, { 0, 2, 3 } }
      if owner == blocks[1] then blocks[2] = nil end
      local game = owner == blocks[1] and "fo4" or "sse"
      local doc = assert(lathe.parse((sample.build { game = game, blocks = blocks })))
      assert.same({ 3, 1, 1, 3 }, { rows_of(doc)[1], rows_of(doc, { lod = 0 })[1], rows_of(doc, { lod = 1 })[1],
        rows_of(doc, { lod = 2 })[1] }, type_name)
    end
  end)
end)

-- ---- files ----------------------------------------------------------------------------------------------

describe("the .obj of precombined geometry", function()
  it("has every instance where the plain reader puts it", function()
    local bytes = groups.build(group())
    local doc = assert(lathe.parse(bytes))
    for lod, count in pairs { [0] = 8, 14, 26 } do
      local text, report = export(doc, "a.obj", { lod = lod })
      assert.equal(count, (compare_obj(expected(bytes, lod + 1), text)))
      assert.same({ count, lod == 0 and 4 or 5 }, { report.triangles, report.meshes })
    end
    local text = export(doc, "a.obj")
    assert.matches("v -130002.75 7002.625 -129992\n", text, 1, true) -- nine digits of where a worldspace has it
  end)

  it("has normals that agree with the triangles where an instance mirrors", function()
    local bytes = groups.build(group())
    local _, got = compare_obj(expected(bytes), (export(assert(lathe.parse(bytes)), "a.obj")))
    -- (0, 0, 1) by the rotation, z up; where the scale is negative, to the other side.
    for i, normal in ipairs { { 0, 1, 0 }, { 0, 0, 1 }, { 0, 1, 0 }, { 0, -1, 0 } } do
      for _, corners in ipairs(got[i].normals) do
        for k = 1, 3 do near(normal, corners[k], "normal of object", i, 0.01) end
      end
    end
  end)

  it("has the same as what is in a list of meshes", function()
    local doc, list = parse(group()), {}
    for mesh in doc:meshes { once = true } do list[#list + 1] = mesh end
    local function lines(text) return text:gsub("\ng [^\n]*", ""):gsub("\no [^\n]*", "") end
    assert.equal(lines(export(doc, "a.obj")), lines(export(list, "a.obj")))
  end)
end)

describe("the .glb of precombined geometry", function()
  it("has one mesh an object and one node an instance, where the plain reader puts it", function()
    local bytes = groups.build(group "inline+table")
    local doc = assert(lathe.parse(bytes))
    local paths = {}
    for lod = 0, 2 do
      local out, _, path = export(doc, "a.glb", { lod = lod })
      paths[#paths + 1] = path
      compare_glb(expected(bytes, lod + 1), glb.parse(out))
    end
    glb.validate(paths)
    local file = glb.parse(export(doc, "a.glb")).json
    assert.same({ 2, 6, 1, 5 }, { #file.meshes, #file.nodes, #file.scenes[1].nodes, #file.nodes[1].children })
    assert.same({ { 0, 0, 0, 0, 1 } }, { { file.nodes[2].mesh, file.nodes[3].mesh, file.nodes[4].mesh,
      file.nodes[5].mesh, file.nodes[6].mesh } })
    assert.same({ -130000.25, 129999.5, 7000.125 }, file.nodes[3].translation)
    assert.same({ { geometry_file_hash = 0xDDF19A67, data_offset = 40 },
      { geometry_file_hash = 0xDDF19A67, data_offset = 300 } }, { file.meshes[1].extras, file.meshes[2].extras })
    assert.is_nil(glb.parse(export(parse(group()), "a.glb")).json.meshes[1].extras)
  end)

  it("has the same of objects in a geometry file", function()
    local what, folder = group "shared", helper.tmpdir()
    local rows = geometry_reader.plain(sample_packed.geometry(what.objects))
    local geometry = helper.write(folder .. "/Fallout4 - Geometry.psg", rows)
    local bytes, files = groups.build(what), reader.files { geometry }
    local doc = assert(lathe.parse(bytes, { geometry = geometry }))
    for lod = 0, 2 do
      local wanted = expected(bytes, lod + 1, files)
      compare_glb(wanted, glb.parse((export(doc, "a.glb", { lod = lod }))))
      compare_obj(wanted, (export(doc, "a.obj", { lod = lod })))
    end
    local offset = 5 * 20 + 6 * 6
    assert.same({ geometry_file_hash = 0xDDF19A67, data_offset = offset },
      glb.parse(export(doc, "a.glb")).json.meshes[2].extras)
    local path = helper.write(folder .. "/a.nif", bytes)
    assert.equal(("%s: 5 meshes, 26 triangles -> %s/a.glb\n"):format(path, folder),
      helper.lathe({ "export", path, "-o", folder .. "/a.glb" }).out)
    what.objects[1].combined[1] = place { NAN, 0, 0 } -- the buffers come with the second one
    doc = assert(lathe.parse((groups.build(what)), { geometry = geometry }))
    assert.same({ 6, "none", "none", 2 }, rows_of(doc, { once = true }))
  end)

  it("has an instance whose transform shears as a mesh of its own, and says so", function()
    local what = group()
    table.insert(what.objects[1].combined, 2, place({ 3, 3, 3 }, 1, SHEARED))
    what.objects[1].num_combined = 5
    local bytes = groups.build(what)
    local out, report, path = export(assert(lathe.parse(bytes)), "a.glb")
    local file = glb.parse(out)
    assert.same({ 3, 7 }, { #file.json.meshes, #file.json.nodes })
    for i, one in ipairs(expected(bytes)) do compare(one, triangles_of(file:drawn()[i]), "triangle of node " .. i) end
    assert.same({ { path = "blocks[3].data[1].combined[2]",
      reason = "its transform shears, and was applied to its vertices" } }, report.notes)
    glb.validate { path }
    compare_obj(expected(bytes), (export(assert(lathe.parse(bytes)), "a.obj")))
  end)

  it("does not grow with the vertices of each of ten thousand instances", function()
    local places = {}
    for i = 1, 10000 do places[i] = place { i, 0, 0 } end
    local doc = parse { layout = "inline", objects = { object { vertices = 600, places = places } } }
    local out, report = export(doc, "a.glb")
    local file = glb.parse(out).json
    assert.same({ 10000, 1, 10001, 600 }, { report.meshes, #file.meshes, #file.nodes,
      file.accessors[file.meshes[1].primitives[1].attributes.POSITION + 1].count })
    assert.is_true(#out < 1000000, #out .. " bytes") -- as vertices they would be 72 MB
  end)
end)

describe("an export", function()
  -- Two instances that cannot be placed, an object without triangles in band 0, and one in another file.
  local function odd()
    return { layout = "inline", objects = {
      object { vertices = 4, places = { place { 0, 0, 0 }, place({ 0, 0, 0 }, NAN), place { 0, math.huge, 0 } } },
      object { vertices = 4, bands = { 0, 1, 0 }, places = { place { 1, 0, 0 }, place { 2, 0, 0 } } } } }
  end
  it("tells what it leaves out, by block, object and instance", function()
    local doc = parse(odd())
    for _, name in ipairs { "a.obj", "a.glb" } do
      local _, report = export(doc, name, { lod = 0 })
      local told = {}
      for i, one in ipairs(report.skipped) do told[i] = one.path .. ": " .. one.reason end
      assert.same({ "blocks[3].data[2].combined[1]: no triangles (2 instances)",
        "blocks[3].data[1].combined[2]: " .. FINITE, "blocks[3].data[1].combined[3]: " .. FINITE }, told)
      assert.equal(1, report.meshes)
    end
  end)

  it("tells of a missing geometry file once, and writes the rest", function()
    local what = group "shared"
    local shared, inline = parse(what), parse(group())
    local path = helper.tmpdir() .. "/a.glb"
    local report = assert(lathe.export({ shared, inline }, path))
    local why = missing(0xDDF19A67, "Fallout4") .. " (5 instances)"
    assert.same({ { 5, 1 }, "nif: blocks[3].data[1]", why },
      { { report.meshes, #report.skipped }, report.skipped[1].path, report.skipped[1].reason })
    local none, err = lathe.export(shared, path)
    assert.is_nil(none)
    assert.equal(path .. ": there is no mesh to export: blocks[3].data[1]: " .. why, tostring(err))
  end)

  it("takes bands that exist", function()
    local doc = parse(group())
    for _, lod in ipairs { 3, -1, "0", true } do
      raises("option 'lod': 0, 1 or 2 expected", lathe.export, doc, "a.glb", { lod = lod })
    end
  end)

  it("is done by the command in the same way", function()
    local folder = helper.tmpdir()
    local path = helper.write(folder .. "/a.nif", (groups.build(odd())))
    local told = "  left alone: blocks[3].data[1].combined[2]: " .. FINITE .. "\n  left alone: "
      .. "blocks[3].data[1].combined[3]: " .. FINITE .. "\n"
    local r = helper.lathe { "export", path, "-o", folder .. "/a.obj", "--lod", "1" }
    assert.same({ ("%s: 3 meshes, 4 triangles -> %s/a.obj\n%s"):format(path, folder, told), "", 0 },
      { r.out, r.err, r.code })
    assert.equal(4, (select(2, helper.read(folder .. "/a.obj"):gsub("\nf ", ""))))
    r = helper.lathe { "export", path, "-o", "-", "--to", "obj" }
    assert.equal(told:gsub("  left", path .. ": left"), r.err)
    assert.equal(helper.read(folder .. "/a.obj"):match "\no .*", r.out:match "\no .*")
    r = helper.lathe { "export", path, "-o", folder .. "/b.obj", "--lod", "-1" }
    assert.same({ 2, "lathe export: the level of detail is 0, 1 or 2, not '-1'\n" }, { r.code, r.err })
    r = helper.lathe { "export", path, "-o", folder .. "/b.obj", "--lod", "3" }
    assert.same({ 2, "" }, { r.code, r.out })
    assert.matches("'--lod' must be one of '0', '1', '2'", r.err, 1, true)
  end)
end)

describe("precombined files of the corpus #corpus", function()
  it("are exported where an independent program puts them", function()
    local paths, count = {}, 0
    local folder = helper.need_corpus("precombined", pending)
    local files = reader.files { folder .. "/Synth - Geometry.psg", folder .. "/Other Mod - Geometry.psg" }
    corpus.each(pending, function(_, path, figures)
      if not figures.layout then return end
      local bytes, doc <close> = helper.read(path), assert(lathe.open(path))
      for bands = #bytes > 100000 and 3 or 1, 3 do
        local wanted = expected(bytes, bands, files)
        local text, report = export(doc, "a.obj", { lod = bands - 1 })
        assert.equal(report.triangles, (compare_obj(wanted, text)))
        local out, _, where = export(doc, "a.glb", { lod = bands - 1 })
        compare_glb(wanted, glb.parse(out))
        paths[#paths + 1] = where
      end
      count = count + 1
    end)
    assert.equal(17, count)
    glb.validate(paths)
  end)
end)
