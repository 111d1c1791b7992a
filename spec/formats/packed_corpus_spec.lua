-- Precombined geometry of the corpus: every figure of every file, by lathe and by a reader in plain Lua; the damaged
-- blocks; whole files kept to the byte. #corpus: pending, loudly, where there is none.

local compare_meshes = require "packed_meshes"
local corpus = require "precombined_corpus"
local figures = require "packed_figures"
local helper = require "helper"
local lathe = require "lathe"
local reader = require "packed_reader"

local FORMS = { "psg", "csg" }

-- Every file: its name, bytes, figures and folder.
local function each(pending, run)
  corpus.each(pending, function(name, path, wanted, folder) run(name, helper.read(path), wanted, folder) end)
end

local function geometry_paths(folder, form)
  local paths = {}
  for i, name in ipairs(helper.list(folder, "%." .. form .. "$")) do paths[i] = folder .. "/" .. name end
  return paths
end

-- The plain reader's files of either form: read once.
local read_files = {}
local function files_of(folder, form)
  read_files[form] = read_files[form] or reader.files(geometry_paths(folder, form))
  return read_files[form]
end

-- A function that gives the row of a geometry file, as lathe reads it.
local function rows_of(folder, form)
  local docs = {}
  for _, path in ipairs(geometry_paths(folder, form)) do docs[reader.hash(path)] = assert(lathe.open(path)) end
  return function(hash, offset)
    for _, row in ipairs(docs[hash].rows) do
      if row.data_offset == offset then return row end
    end
    error("no row at " .. offset)
  end
end

-- Geometry files are read in both forms, where the file has its geometry there.
local function forms_of(wanted)
  return wanted.layout == "shared" and FORMS or { "psg" }
end

-- Calls run(figures of a shape) for each of a file; gives the sums of what it gives.
local function shapes(wanted, run)
  local objects, instances, triangles = 0, 0, 0
  for _, shape in ipairs(wanted.shapes) do
    local a, b, c = run(shape)
    objects, instances, triangles = objects + a, instances + b, triangles + c
  end
  return objects, instances, triangles
end

describe("precombined geometry of the corpus #corpus", function()
  it("has its figures for a reader in plain Lua", function()
    each(pending, function(_, bytes, wanted, folder)
      if not wanted.layout then return end
      for _, form in ipairs(forms_of(wanted)) do
        local by_number = {}
        local blocks, owners = reader.read(bytes, files_of(folder, form))
        for _, block in ipairs(blocks) do by_number[block.number] = block end
        shapes(wanted, function(shape)
          local owner = owners[shape.packed_block]
          assert.equal(shape.shape_block, owner.number)
          return figures.compare(shape, wanted.layout, figures.of_reader(by_number[shape.packed_block], owner))
        end)
      end
    end)
  end)

  it("has its figures for lathe", function()
    local row_of = {}
    each(pending, function(name, bytes, wanted, folder)
      if not wanted.layout then return end
      local doc <close> = assert(lathe.parse(bytes))
      assert.equal(wanted.root_name, doc.blocks[1].name)
      for _, form in ipairs(forms_of(wanted)) do
        row_of[form] = row_of[form] or rows_of(folder, form)
        local objects, instances, triangles = shapes(wanted, function(shape)
          return figures.compare(shape, wanted.layout,
            figures.of_lathe(doc, shape.packed_block + 1, shape.shape_block + 1, row_of[form]))
        end)
        helper.count("precombined", name)
        helper.count("precombined objects", name, objects)
        helper.count("instances", name, instances)
        helper.count("triangles", name, triangles)
      end
    end)
  end)

  it("has no faults, and is kept to the byte, also from its tables", function()
    each(pending, function(name, bytes, wanted, folder)
      for _, doc in ipairs { assert(lathe.parse(bytes)), assert(lathe.open(folder .. "/" .. name)) } do
        if wanted.layout then assert.same({ true, {} }, { doc:check() }, name) end
        assert.is_true(bytes == doc:encode(), name)
        local built <close> = assert(lathe.new("nif", doc:totable()))
        assert.is_true(bytes == built:encode(), name)
        assert.is_false(doc.modified)
        doc:close()
      end
    end)
  end)

  it("is opaque where it is damaged, and the rest of the file is there", function()
    local damaged = 0
    each(pending, function(name, bytes, wanted)
      if wanted.layout then return end
      local doc <close> = assert(lathe.parse(bytes))
      assert.same({ false }, reader.read(bytes))
      for i, block in ipairs(doc.blocks) do
        local problem = lathe.problem(block)
        if i == wanted.packed_block + 1 then
          assert.matches(("blocks[%d] at 0x%x: unrecognised packed geometry"):format(i, (lathe.span(block))),
            tostring(problem), 1, true)
          assert.same({}, { block.layout, block.data, block.num_vertices })
        else
          assert.is_nil(problem)
          assert.is_true(#block:totable().type > 0)
        end
      end
      damaged = damaged + 1
      helper.count("precombined", name)
    end)
    assert.equal(6, damaged)
  end)

  -- How many instances and triangles the figures of a file tell.
  local function drawn(wanted)
    local _, instances, triangles = shapes(wanted, function(shape)
      local n = 0
      for _, object in ipairs(shape.objects) do n = n + #object.instances end
      return 0, n, shape.baked.triangles
    end)
    return instances, triangles
  end

  it("is drawn where the reader in plain Lua draws it", function()
    each(pending, function(name, bytes, wanted, folder)
      if not wanted.layout then return end
      local instances, triangles = drawn(wanted)
      for _, geometry in ipairs { false, folder, geometry_paths(folder, "psg"), geometry_paths(folder, "csg") } do
        local doc <close> = assert(lathe.open(folder .. "/" .. name, { geometry = geometry or nil }))
        assert.same({ instances, triangles },
          { select(2, compare_meshes(doc, bytes, files_of(folder, "csg"))) }, name)
      end
    end)
  end)

  it("has the numbers of all vertices and triangles that the reader in plain Lua finds, in every layout", function()
    each(pending, function(name, bytes, wanted, folder)
      if not wanted.layout then return end
      local doc <close> = assert(lathe.open(folder .. "/" .. name))
      for _, block in ipairs(reader.read(bytes, files_of(folder, "psg"))) do
        for i, object in ipairs(block.objects) do
          figures.compare_buffers(object, doc.blocks[block.number + 1].data[i])
        end
      end
    end)
  end)

  it("is drawn in the bands that are asked for", function()
    each(pending, function(name, bytes, wanted, folder)
      if not wanted.layout then return end
      local doc <close> = assert(lathe.open(folder .. "/" .. name))
      for lod = 0, 2 do compare_meshes(doc, bytes, files_of(folder, "psg"), lod) end
    end)
  end)

  -- All that a reader in plain Lua finds of objects, whatever layout they are in.
  local function found(bytes, files)
    local list = {}
    for _, block in ipairs(reader.read(bytes, files)) do
      for _, object in ipairs(block.objects) do
        assert.is_nil(object.problem)
        list[#list + 1] = { object.vertex_bytes, object.triangle_bytes, object.desc, object.stride, object.instances,
          object.bands, object.band_offsets, object.lod_levels, block.number, block.vertex_desc, block.num_vertices,
          block.num_triangles, block.leaf }
      end
    end
    return list
  end

  it("is the same in every layout for the reader in plain Lua, and comes back to the byte", function()
    each(pending, function(name, bytes, wanted, folder)
      if not wanted.layout then return end
      local first = found(bytes, files_of(folder, "psg"))
      for _, to in ipairs { "inline", "shared", "inline+table" } do
        local doc <close> = assert(lathe.open(folder .. "/" .. name))
        local into <close> = assert(lathe.new("geometry", { rows = {} }, { path = "Corpus - Geometry.csg" }))
        assert(doc:convert { to = to, into = to ~= "inline" and into or nil })
        local files = {}
        for hash, file in pairs(files_of(folder, "psg")) do files[hash] = file end
        files[reader.hash "Corpus - Geometry"] = reader.file(into:encode())
        local made = doc:encode()
        for _, block in ipairs(reader.read(made)) do assert.equal(to, block.layout) end
        assert.same(first, found(made, files), name .. " to " .. to)
        compare_meshes(doc, made, files)
        if wanted.layout == "inline" then
          assert(doc:convert { to = "inline" })
          assert.is_true(bytes == doc:encode(), name .. " to " .. to .. " and back")
        end
      end
    end)
  end)

  it("that was shared finds its rows again in the old file, to which nothing is added", function()
    each(pending, function(name, bytes, wanted, folder)
      if wanted.layout ~= "shared" then return end
      for _, form in ipairs(FORMS) do
        local hash = wanted.shapes[1].objects[1].file_hash
        for _, path in ipairs(geometry_paths(folder, form)) do
          if reader.hash(path) == hash then
            local doc <close> = assert(lathe.open(folder .. "/" .. name))
            local old <close> = assert(lathe.open(path))
            assert(doc:convert { to = "inline" })
            assert.is_true(doc:convert { to = "shared", into = old } ~= nil)
            assert.is_true(bytes == doc:encode(), name)
            assert.is_true(helper.read(path) == old:encode(), path)
            assert.is_false(old.modified)
          end
        end
      end
    end)
  end)
end)
