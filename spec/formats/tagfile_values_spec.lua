-- Names of what integers stand for, which no file has: of a shape's type, of how collisions with it are found, of its flags.
-- They go by the class and by the SDK, so that a made-up class of that name has them wherever its members lie. The corpus of
-- mesh shapes is #corpus: pending, loudly, where there is none.

local helper = require "helper"
local lathe = require "lathe"
local sample = require "sample_tagfile"
local tree = require "lathe.tree"
local writer = require "sample_tagfile_write"

-- A file of one shape, whose members lie elsewhere than in any game. more: members instead of those of the same names.
local function file(sdk, values, more)
  local l = sample.library ""
  local function small(name, of, number)
    return l:add { name = name,
      arguments = { { "tENUM", l:add { name = of, bare = true } }, { "tSTORAGE", l:number(number) } },
      format = number == "ubyte" and 0x2004 or 0x4004, size = number == "ubyte" and 1 or 2,
      align = number == "ubyte" and 1 or 2, members = { { "storage", l:number(number), 0, flags = 0x24 } } }
  end
  local base = l:record("hkReferencedObject", 24, {})
  local members = {
    { "flags", small("hkFlags", "hknpShape::FlagsEnum", "ushort"), 28 },
    { "dispatchType", small("hkEnum", "hknpCollisionDispatchType::Enum", "ubyte"), 31 },
    { "type", small("hkEnum", "hknpShapeType::Enum", "ubyte"), 33 },
    { "convexRadius", l:number "float", 36 },
  }
  for _, row in ipairs(more and more(l) or {}) do
    for i, member in ipairs(members) do
      if member[1] == row[1] then members[i] = row end
    end
  end
  local shape = l:record("hknpShape", 48, members, { parent = base })
  local derived = l:record("myShape", 56, { { "color", l:number "uint", 48 } }, { parent = shape })
  return writer.build { types = l.types, char = l:number "char", root = { type = derived, values = values }, sdk = sdk,
    new_names = sdk >= "2021", padding = sdk >= "2021" and "\xFF" or nil, no_patches = sdk >= "2021" }
end

local function open(bytes) return assert(lathe.parse(bytes, { path = "made-up.hkx" })) end

local function shape_of(sdk, values, more)
  local doc = open(file(sdk, values, more))
  return doc.objects[1], doc
end

describe("values with names", function()
  it("have those of their SDK; what has none stays a number", function()
    local rows = {
      -- type, dispatch type: before 2021, 2021 and 2022, since 2023
      { 0, 0, { 0, 0 }, { "convex", "none" }, { "convex", "none" } },
      { 5, 1, { 5, 1 }, { "box", "debris" }, { "box", "convex" } },
      { 6, 2, { 6, 2 }, { "debris", "convex" }, { "composite", "composite" } },
      { 7, 3, { 7, 3 }, { "composite", "composite" }, { "mesh", 3 } },
      { 8, 4, { 8, 4 }, { "mesh", "distance_field" }, { 8, 4 } },
      { 16, 5, { 16, 5 }, { "scaled_convex", "user_0" }, { 16, 5 } },
      { 26, 12, { 26, 12 }, { "user_3", "user_7" }, { "user_5", 12 } },
      { 30, 13, { 30, 13 }, { "user_7", 13 }, { 30, 13 } },
      { 255, 255, { 255, 255 }, { 255, 255 }, { 255, 255 } },
    }
    local sdks = { ["20180100"] = 3, ["20210100"] = 4, ["20220100"] = 4, ["20230200"] = 5, ["20240200"] = 5 }
    for sdk, column in pairs(sdks) do
      for _, row in ipairs(rows) do
        local shape, doc = shape_of(sdk, { type = row[1], dispatchType = row[2] })
        assert.same(row[column], { shape.type, shape.dispatch_type }, sdk)
        local _, found = doc:check()
        for _, finding in ipairs(found) do assert.is_nil(finding.path:find("type", 1, true), finding.path) end
      end
    end
  end)

  it("are the flags of their SDK", function()
    local function names(sdk, flags)
      local shape = shape_of(sdk, { flags = flags })
      assert.equal(flags, shape.flags)
      return table.concat(lathe.names(shape, "flags"), " ")
    end
    assert.equal("is_composite_shape is_triangle_or_quad_shape has_surface_velocity", names("20210100", 0x8204))
    assert.equal("is_quad_shape is_sdf_edge_collision_enabled user_flag_0", names("20220100", 0x1D00))
    assert.equal("is_composite_shape is_quad_shape", names("20230200", 0x8204))
    assert.equal("is_triangle_or_quad_shape is_sdf_edge_collision_enabled has_surface_velocity", names("20230200", 0x1D00))
  end)

  it("are set by name, or by number", function()
    for sdk, mesh in pairs { ["20210100"] = 8, ["20230200"] = 7 } do
      local shape, doc = shape_of(sdk, {})
      shape.type = "mesh"
      shape.flags = { "is_composite_shape", "is_quad_shape" }
      assert.equal(file(sdk, { type = mesh, flags = mesh == 8 and 0x404 or 0x204 }), doc:encode())
      shape.type = 200
      assert.equal(200, shape.type)
      assert.has_error(function() shape.type = "scaled_mesh" end)
      assert.equal(200, shape.type)
      assert.equal(file(sdk, { type = 200, flags = mesh == 8 and 0x404 or 0x204 }), doc:encode())
    end
  end)

  it("are described with the names of the file's SDK", function()
    local function names(sdk)
      for _, row in ipairs(lathe.describe((shape_of(sdk, {})))) do
        if row.name == "type" then return row.names and table.concat(row.names, " ") end
      end
    end
    assert.matches("^convex sphere .* box debris composite mesh compressed_mesh_deprecated .* user_7$", names "20220100")
    assert.equal("convex sphere capsule cylinder triangle box composite mesh user_0 user_1 user_2 user_3 user_4 user_5 "
      .. "user_6 user_7", names "20230200")
    assert.is_nil(names "20180100")
  end)

  it("come back from tables and JSON, whatever they are", function()
    for _, sdk in ipairs { "20180100", "20210100", "20230200" } do
      for value = 0, 255, 5 do
        local bytes = file(sdk, { type = value, dispatchType = 255 - value, flags = value * 257, convexRadius = 0.5 })
        local doc <close> = open(bytes)
        local made <close> = assert(lathe.new("tagfile", doc:totable()))
        assert.equal(made:encode(), doc:serialize())
        local read <close> = assert(lathe.new("tagfile", (assert(tree.from_json(tree.to_json(doc), doc.format)))))
        assert.equal(made:encode(), read:encode())
        assert.equal(value * 257, read.objects[1].flags)
        assert.equal(doc.objects[1].type, read.objects[1].type)
      end
    end
  end)

  it("keep what they mean where the SDK numbers them otherwise", function()
    local _, doc = shape_of("20220100", { type = 8, dispatchType = 3 })
    local fields = doc:totable()
    fields.sdk_version, fields.type_bytes = "20230200", nil
    local made <close> = assert(lathe.new("tagfile", fields))
    assert.same({ "mesh", "composite" }, { made.objects[1].type, made.objects[1].dispatch_type })
    local plain <close> = assert(lathe.parse(made:encode():gsub("20230200", "20180100"), { path = "old.hkx" }))
    assert.same({ 7, 2 }, { plain.objects[1].type, plain.objects[1].dispatch_type })
  end)

  it("are left alone where a file has something else of that name", function()
    local others = {
      function(l) return { { "type", l:number "float", 40 }, { "dispatchType", l:inline(l:number "ubyte", 4), 28 },
        { "flags", l:number "bool", 33 } } end,
      function(l) return { { "type", l:number "text", 40 }, { "dispatchType", l:array(l:number "ubyte"), 24 } } end,
      function(l) return { { "type", l:vector("hkVector4f", 2), 40 }, { "dispatchType", l:view(l:number "ubyte"), 24 } } end,
    }
    for _, more in ipairs(others) do
      local bytes = file("20210100", {}, more)
      local doc <close> = open(bytes)
      local rows = 0
      for _, row in ipairs(lathe.describe(doc.objects[1])) do
        if row.name == "type" or row.name == "dispatch_type" then
          assert.is_nil(row.names)
          rows = rows + 1
        end
      end
      assert.equal(2, rows)
      assert.equal(bytes, doc:encode())
      local made <close> = assert(lathe.new("tagfile", doc:totable()))
      assert.equal(made:encode(), doc:serialize())
    end
  end)
end)

-- ---- the corpus -----------------------------------------------------------------------------------------

local FILES <const> = 15

-- The tagfile in a file of the corpus: TAG0 says how long it is.
local function tagfile_of(path)
  local bytes = helper.read(path)
  local size = string.unpack(">I4", bytes, 0x31)
  return bytes:sub(0x31, 0x30 + size)
end

describe("mesh shapes #corpus", function()
  local function each(test)
    local root = helper.need_corpus("bphsh", pending)
    local n = 0
    for _, name in ipairs(helper.list(root, "%.bphsh$")) do
      local bytes = tagfile_of(root .. "/" .. name)
      local doc <close> = open(bytes)
      test(doc, bytes, (name:gsub("%.bphsh$", "")))
      n = n + 1
    end
    assert(n >= FILES, n)
  end

  it("have names for type, dispatch type and flags", function()
    each(function(doc, _, name)
      local shape, old = doc.objects[1], name:find "^v23" and name ~= "v23_type7"
      assert.same({ old and 8 or "mesh", old and 3 or "composite", 4, "is_composite_shape" },
        { shape.type, shape.dispatch_type, shape.flags, lathe.names(shape, "flags")[1] }, name)
      local sound, found = doc:check()
      assert.is_true(sound, name)
      assert.same({}, found, name)
    end)
  end)

  it("come back from tables and JSON to the byte", function()
    each(function(doc, bytes, name)
      assert.is_true(doc:encode() == bytes and doc:serialize() == bytes, name)
      local made <close> = assert(lathe.new("tagfile", doc:totable()))
      assert.is_true(made:encode() == bytes, name)
      if #bytes < 100000 then
        local read <close> = assert(lathe.new("tagfile", (assert(tree.from_json(tree.to_json(doc), doc.format)))))
        assert.is_true(read:encode() == bytes, name)
      end
    end)
  end)

  it("scale as a twin in the corpus was scaled, but for corners that are floats", function()
    local root = helper.need_corpus("bphsh", pending)
    local doc <close> = open(tagfile_of(root .. "/v22_box.bphsh"))
    -- four vectors' three lanes and a length; boxes; a cell
    assert.same({}, doc:scale(2.5).skipped)
    assert.is_true(doc:encode() == tagfile_of(root .. "/v22_box_scaled.bphsh"))
    doc:scale(0.4)
    assert.is_true(doc:encode() == tagfile_of(root .. "/v22_box.bphsh"))

    local floats = tagfile_of(root .. "/v22_float.bphsh")
    local other <close> = open(floats)
    assert.same({ changed = 0, skipped = { { path = "objects[1]",
      reason = "a mesh with corners that are floats stays as it is" } } }, other:scale(0.5))
    assert.is_true(other:encode() == floats)
  end)

  it("have a unit and a line for each member", function()
    each(function(doc)
      local shape = doc.objects[1]
      local views = { shape, shape.vertex_conversion_util, shape.shape_tag_table[1], shape.top_level_tree,
        shape.top_level_tree.nodes[1], shape.geometry_sections[1], shape.geometry_sections[1].section_bvh[1],
        shape.geometry_sections[1].primitives[1] }
      for _, view in ipairs(views) do
        for _, row in ipairs(lathe.describe(view)) do
          assert.is_true(row.doc ~= nil and row.doc ~= "", lathe.type(view) .. "." .. row.name)
        end
      end
    end)
  end)
end)
