-- doc:check() of precombined geometry: each fault that is planted is named, what is right is not.

local lathe = require "lathe"
local sp = require "sample_boxes"

local LAYOUTS <const> = { "inline", "shared", "inline+table" }

-- Two objects in three places; 24 vertices and 36 triangles in all.
local function scene(layout, change, more)
  local bytes = sp.group { layout = layout, change = change, more = more, buckets = { { lod = true, objects = {
    sp.box { size = { 2, 4, 6 }, at = { 1, 0, 2 }, bands = { 4, 0, 8 },
      instances = { sp.place { 10, 0, 0 }, sp.place { 0, 50, 1, turn = 90, scale = 2 } } },
    sp.box { desc = sp.LONG, instances = { sp.place { -20, 0, 0 } } } } } } }
  return assert(lathe.parse(bytes))
end

local function findings(doc)
  local _, list = doc:check()
  local told = {}
  for i, found in ipairs(list or {}) do told[i] = ("%s: %s: %s"):format(found.level, found.where, found.message) end
  return told
end

describe("check of packed geometry", function()
  it("tells nothing of what agrees", function()
    for _, layout in ipairs(LAYOUTS) do assert.same({}, findings(scene(layout))) end
  end)

  local NEITHER <const> = { 2, 0, 0, 0, 1, 0, 0, 0, 1 }
  for _, case in ipairs {
    { "too few vertices", function(s, b) b.num_vertices, s.num_vertices = 23, 23 end,
      "error: blocks[4].num_vertices: 23, but the instances of the objects have 24 vertices" },
    { "too many triangles", function(s, b) b.num_triangles, s.num_triangles = 37, 37 end,
      "warning: blocks[4].num_triangles: 37, but the instances of the objects have 36 triangles" },
    { "a band that begins elsewhere", function(_, b) b.data[1].tri_offset2 = 15 end,
      "warning: blocks[4].data[1].tri_offset2: 15, but 12 indices come before this band" },
    { "a triangle without a vertex", function(_, b)
        local list = { table.unpack(b.data[2].triangles) }
        list[3] = { 0, 8, 1 }
        b.data[2].triangles = list
      end, "error: blocks[4].data[2].triangles[3]: there is no vertex 8 (from 0) of 8", here = true },
    { "a shape of other vertices", function(s) s.num_vertices = 26 end,
      "error: blocks[3].num_vertices: 26, but blocks[4].num_vertices is 24" },
    { "a shape of other triangles", function(s) s.num_triangles = 17 end,
      "error: blocks[3].num_triangles: 17, but blocks[4].num_triangles is 36" },
    { "a shape of another descriptor", function(s) s.vertex_desc = sp.LONG end,
      "error: blocks[3].vertex_desc: 0x1B00000430205, but blocks[4].vertex_desc is 0x41B00000650407" },
    { "a descriptor that objects do not have", function(s, b) s.vertex_desc, b.vertex_desc = sp.LONG, sp.LONG end,
      "warning: blocks[4].vertex_desc: 0x1B00000430205, but what the objects' vertices have makes 0x41B00000650407" },
    { "other levels of detail", function(s) s.lod2_triangles = 5 end,
      "warning: blocks[3].lod2_triangles: 5, but the instances of the objects have 16 triangles in this band" },
    { "a turned shape", function(s) s.rotation = { 0, -1, 0, 1, 0, 0, 0, 0, 1 } end,
      "warning: blocks[3].rotation: the shape is rotated, but its instances are not rotated along with it" },
    { "a scaled shape", function(s) s.scale = 2 end,
      "warning: blocks[3].scale: the shape is scaled, but its instances are not scaled along with it" },
    { "a place that is no number", function(_, b) b.data[2].combined[1].transform.scale = 0 / 0 end,
      "warning: blocks[4].data[2].combined[1].transform.scale: not a finite number" },
    { "a place far too large", function(_, b) b.data[1].combined[1].transform.translation[2] = 1 / 0 end,
      "blocks[4].data[1].combined[1].transform.translation.y: not a finite number" },
    { "scale 0", function(_, b) b.data[1].combined[2].transform.scale = 0 end,
      "warning: blocks[4].data[1].combined[2].transform.scale: 0: nothing is drawn" },
    { "a rotation that is none", function(_, b) b.data[1].combined[2].transform.rotation = NEITHER end,
      "warning: blocks[4].data[1].combined[2].transform.rotation: it is not a rotation: its rows "
        .. "are not orthonormal, or it mirrors" },
    { "no sphere", function(_, b) b.data[2].combined[1].bounds = { center = { 0, 0, 0 }, radius = 0 } end,
      "warning: blocks[4].data[2].combined[1].bounds.radius: it has no bounding sphere, so the game "
        .. "cannot tell whether it is in view" },
    { "a negative radius", function(_, b) b.data[2].combined[1].bounds.radius = -2 end,
      "warning: blocks[4].data[2].combined[1].bounds.radius: its radius is negative" },
    { "a sphere elsewhere", function(_, b) b.data[1].combined[2].bounds.center[3] = 5.5 end,
      "warning: blocks[4].data[1].combined[2].bounds.center: it does not follow from the transform as those of other " },
    { "a sphere of another size", function(_, b) b.data[1].combined[2].bounds.radius = 8 end,
      "warning: blocks[4].data[1].combined[2].bounds.radius: it does not follow from the transform as those of other " },
    { "a sphere that is too small", function(_, b) b.data[2].combined[1].bounds.radius = 1 end,
      "warning: blocks[4].data[2].combined[1].bounds.radius: the sphere does not hold the object's vertices", here = true },
    { "a shape elsewhere", function(s) s.translation[1] = s.translation[1] + 500 end,
      "warning: blocks[3].bounds: it does not reach blocks[4].data[1].combined[1]" },
    { "a shape that is too small", function(s) s.bounds.radius = s.bounds.radius - 2 end,
      "warning: blocks[3].bounds: its radius is ", here = true },
    { "a row of no file", function(_, b) b.objects[2].geometry_file_hash = 0 end,
      "error: blocks[4].objects[2].geometry_file_hash: 0 names no geometry file", elsewhere = true },
    { "vertices without positions", function(_, b) b.data[1].vertex_desc = 0x0000800000000001 end,
      "warning: blocks[4].data[1].vertex_desc: 0x800000000001: vertices without positions", elsewhere = true },
    { "a shape with vertices", function(s) s.data_size = 0 s.bounds.radius = 0 / 0 end,
      "warning: blocks[3].bounds.radius: not a finite number" },
    { "nobody's geometry", function(s) s.extra_data_list = {} end,
      "warning: blocks[4]: no shape has it among its extra data, so it is not drawn" },
  } do
    for _, layout in ipairs(LAYOUTS) do
      if not (case.here and layout == "shared") and not (case.elsewhere and layout ~= "shared") then
        it(("tells of %s: %s"):format(case[1], layout), function()
          local told = findings(scene(layout, case[2]))
          assert(#told >= 1 and #told <= 2, table.concat(told, "\n"))
          local found
          for _, one in ipairs(told) do found = found or one:find(case[3], 1, true) end
          assert.truthy(found, table.concat(told, "\n"))
        end)
      end
    end
  end

  it("tells of geometry that two shapes own", function()
    local told = findings(scene("inline", nil, { { type = "BSTriShape", extra_data_list = { 3 }, num_vertices = 24,
      num_triangles = 36, vertex_desc = sp.FULL_LONG, data_size = 0 } }))
    assert.same({ "warning: blocks[5].extra_data_list: blocks[4] also belongs to blocks[3]" }, told)
  end)

  it("tells of more vertices than a bucket may have", function()
    local told = findings(scene("shared", function(shape, block)
      local one = block.data[1]
      one.num_combined = 9000
      for i = 3, 9000 do one.combined[i] = one.combined[1] end
      block.num_vertices, block.num_triangles = 8 * 9001, 12 * 9001
      shape.num_vertices, shape.num_triangles = block.num_vertices & 0xFFFF, block.num_triangles
    end))
    assert.matches("error: blocks[4].num_vertices: the instances of the objects have 72008 vertices, more than 65534",
      table.concat(told, "\n"), 1, true)
  end)
end)
