--- Damaged .bphsh files, made of good ones by sample_phive: every kind of corpus/bphsh/bad/INDEX.tsv under its name
-- there, and more.
--
--    for _, bad in ipairs(list()) do print(bad.name, bad.bytes, bad.says, bad.means) end
--
-- says: a pattern of what phive_judge says. means: "error" (a reader cannot go on, or `check` names an error), "warning"
-- (it opens, and `check` warns), "either".

local sample = require "sample_phive"
local writer = require "sample_tagfile_write"

local pack = string.pack

local function at(bytes, offset, new)
  assert(offset >= 0 and offset + #new <= #bytes)
  return bytes:sub(1, offset) .. new .. bytes:sub(offset + #new + 1)
end

local function u32(n) return pack("<I4", n & 0xFFFFFFFF) end

-- The offset of a section's signature in the file.
local function signature(bytes, name)
  return (bytes:find(name, 0x30, true)) - 1
end

local function spoiled(name, change)
  local spec = sample.spec(name)
  change(spec)
  return (sample.write(spec))
end

-- ---- header and tagfile ------------------------------------------------------------------------------------

local function of_header(add, good, made)
  add("empty", "", "too short for a Phive header %(0 of 48", "error")
  add("short_header", good:sub(1, 32), "too short for a Phive header %(32 of 48", "error")
  add("bom_big", at(good, 8, "\xFE\xFF"), "byte%-order mark 0xFFFE", "error")
  add("type_navmesh", at(good, 10, "\1"), "file type 1 %(NavMesh%)", "error")
  add("type_cloth", at(good, 10, "\3"), "file type 3 %(Cloth%)", "error")
  add("three_sections", at(good, 11, "\3"), "room for 3 sections", "error")
  add("tag_offset_out", at(good, 12, u32(0x40000000)), "tagfile outside the file", "error")
  add("tag_offset_in_header", at(good, 12, u32(8)), "tagfile outside the file", "error")
  add("mat_offset_out", at(good, 16, u32(0x7FFFFFF0)), "material table outside the file", "error")
  add("mat_size_out", at(good, 0x20, u32(0xFFFFFFF0)), "material table runs past the end", "error")
  add("mat_overlaps", at(good, 16, u32(0x40)), "material table overlaps", "error")
  add("filesize_wrong", at(good, 24, u32(#good + 4)), "file size %d+ of", "warning")
  add("truncated_tables", good:sub(1, -9), "hit%-mask table runs past the end", "error")
  add("tag0_sig", at(good, 0x34, "TAGX"), "no TAG0", "error")
  add("tag0_size_huge", at(good, 0x30, pack(">I4", 0x3FFFFFF0)), "TAG0 larger than", "error")
  add("sdkv_unknown", at(good, 0x40, "20990100"), "unknown SDK version 20990100", "warning")
  add("type_missing", at(good, signature(good, "TYPE"), "TPAD"), "no TYPE", "either")
  local names = signature(good, "TNA1") + 4
  add("tna1_count", at(good, names, writer.packed(0x3FFE, 2)), "TNA1", "error")
  local items = signature(good, "ITEM") + 4
  add("item_type_out", at(good, items + 12, u32(0x10FFFFFF)), "item 1 has type 16777215", "error")
  add("root_of_another_class", at(good, items + 12, good:sub(items + 25, items + 28)), "not hknpMeshShape", "error")
  add("mask_rows_missing", at(good, 0x24, u32(0)):sub(1, made.offset[3]), "0 hit%-mask rows for 2 materials", "warning")
end

-- ---- the root ------------------------------------------------------------------------------------------------

local function of_root(add, good, made)
  local root = made.at.root
  add("shape_type_box", at(good, root + 0x18, "\5"), "shape type 5, not a mesh", "error")
  add("properties_present", at(good, root + 0x38, u32(3)), "properties are not empty", "error")
  add("properties_far", at(good, root + 0x30, pack("<i8i4", 1 << 62, 0x7FFFFFFF)), "properties are not empty", "error")
  add("tags_out", at(good, root + 0x70, u32(0x40000000)), "shapeTagTable: .* outside DATA", "error")
  add("tags_in_front", at(good, root + 0x70, u32(-0x1000)), "shapeTagTable: .* outside DATA", "error")
  add("tags_negative", at(good, root + 0x74, u32(-1)), "%-1 elements", "error")
  add("tags_empty", at(good, root + 0x74, u32(0)), "empty shape tag table", "either")
  add("nodes_overflow", at(good, root + 0x80, u32(0x7FFFFFFF)), "nodes: .* outside DATA", "error")
  add("nodes_far", at(good, root + 0x78, pack("<i8", math.maxinteger)), "nodes: .* outside DATA", "error")
  add("nodes_one", at(good, root + 0x80, u32(1)), "the tree has 1 nodes", "error")
  add("sections_count", at(good, root + 0x94, u32(100000)), "geometrySections: .* outside DATA", "error")
  add("scale_zero", at(good, root + 0x60, pack("<f", 0)), "bitScale16Inv.x is zero", "warning")
  add("scale_nan", at(good, root + 0x64, pack("<f", 0 / 0)), "bitScale16Inv.y is ", "warning")
  add("scale_infinite", at(good, root + 0x68, pack("<f", math.huge)), "bitScale16Inv.z is inf", "warning")
  add("scale_negative", at(good, root + 0x60, pack("<f", -1 / 512)), "bitScale16Inv.x is %-", "warning")
  add("scales_disagree", at(good, root + 0x50, pack("<f", 100)), "bitScale16.x is 100", "warning")
  add("key_bits_large", at(good, root + 0x1C, "\xFF"), "numShapeKeyBits 255: more than 32", "either")
  add("key_bits_zero", at(good, root + 0x1C, "\0"), "primitives in keys of 0 bits", "either")
end

-- ---- tags ------------------------------------------------------------------------------------------------------

local function of_tags(add, good, made)
  local tags = made.at.tags
  add("tag_row_out", at(good, tags + 4, "\77\0"), "shape tag 77 has no material row", "warning")
  add("tag_descends", at(good, tags + 8, u32(0)), "key 0 comes after 0", "either")
  add("tag_first_key", at(good, tags, u32(4)), "the first key is 4", "either")
  add("tag_no_sentinel", at(good, tags + 20, "\0\0"), "no sentinel", "either")
  add("tag_sentinel_key", at(good, tags + 16, u32(0x3FF)), "the sentinel's key is 1023, not 1022", "either")
  add("tag_key_out", at(good, tags + 8, u32(240)), "entry 1 is of primitive 120 of section 0", "warning")
  add("tag_key_overflows", at(good, tags + 16, u32(0xFFFFFFFE)), "the sentinel's key is 4294967294", "either")
end

-- ---- the top-level tree ------------------------------------------------------------------------------------------

local function of_tree(add, good, made)
  local nodes = made.at.nodes
  local function node(i, offset) return nodes + 0x80 * i + offset end
  local strip, other = sample.named "v22_many"
  local function lane(i, offset) return other.at.nodes + 0x80 * i + offset end
  add("node_section_out", at(good, node(2, 0x60), u32(999)), "leaf names section 999 of 1", "error")
  add("node_child_out", at(good, node(1, 0x60), u32(3)), "tree node 1: child 3 of 3", "error")
  add("node_child_far", at(good, node(1, 0x60), u32(0xFFFFFFF0)), "child 4294967280 of 3", "error")
  add("tree_cycle", at(good, node(1, 0x60), u32(1)), "tree node 1: a cycle", "error")
  add("tree_long_cycle", at(strip, lane(2, 0x60), u32(1)), "tree node 2: a cycle", "error")
  add("tree_second_way", at(strip, lane(1, 0x64), strip:sub(lane(1, 0x60) + 1, lane(1, 0x64))), "tree node 1: a cycle, or",
    "error")
  add("section_twice", at(strip, lane(3, 0x60), strip:sub(lane(3, 0x64) + 1, lane(3, 0x68))), "is in the tree twice",
    "either")
  add("section_lost", at(strip, lane(3, 0x60), u32(0xFFFFFFFF)), "is in no leaf of the tree", "either")
  add("tree_box_small", at(good, node(2, 0x10), pack("<f", 0)), "lane 0 does not hold section 0", "either")
  add("tree_box_large", at(good, node(2, 0x10), pack("<f", 1000)), "does not hold its child", "either")
  add("tree_box_loose", spoiled("v22_grid", function(spec)
    function spec.tree(list)
      for i = 2, 3 do
        local old = list[i].lanes[1]
        list[i].lanes[1] = { min = old.min, max = { 99, 99, 99 }, data = old.data }
      end
    end
  end), "larger than what it holds", "warning")
  add("tree_box_nan", at(good, node(1, 0x20), pack("<f", 0 / 0)), "lane 0: y is no number", "either")
  add("lane_order", spoiled("v22_strip", function(spec)
    function spec.tree(list)
      local l = list[2].lanes
      l[1], l[#l] = l[#l], l[1]
    end
  end), "is larger than the one in front of it", "warning")
  add("root_is_leaf", at(good, node(1, 0x70), "\1"), "tree node 1, the root, is a leaf", "either")
end

-- ---- sections --------------------------------------------------------------------------------------------------

local function of_sections(add, good, made)
  local section, bvh = made.at.sections[1], made.at.bvh[1]
  local primitives = made.at.primitives[1]
  add("prims_over", at(good, section + 0xC, u32(5000)), "section 0 primitives", "error")
  add("prims_far", at(good, section + 8, u32(0x7FFFFFFF)), "section 0 primitives: .* outside DATA", "error")
  add("prim_vertex_out", at(good, primitives, "\xFF"), "primitive 0 uses vertex 255 of 99", "error")
  add("bits_short", at(good, section + 0x1C, u32(1)), "1 bytes of interior bits for", "warning")
  add("bits_behind", at(good, made.at.interior[1] + good:byte(section + 0x1D) - 1, "\xFF"),
    "interior bits behind the last", "warning")
  add("bits_of_no_triangle", spoiled("v22_single", function(s) s.sections[1].interior = { [1] = true } end),
    "one triangle, but two interior bits", "warning")
  add("bvh_cycle", at(good, bvh + 0x18, "\0"), "section 0: tree node 0: a cycle", "error")
  add("bvh_child_out", at(good, bvh + 0x18, "\xFE"), "section 0: tree node 0: child 254 of", "error")
  add("bvh_primitive_out", spoiled("v22_single", function(s)
    function s.section(own) own.bvh[1].lanes[1].data = 9 end
  end), "leaf names primitive 9 of 1", "error")
  add("bvh_primitive_twice", spoiled("v22_box", function(s)
    function s.section(own) own.bvh[2].lanes[1].data = 1 end
  end), "primitive 1 is in the tree twice", "either")
  add("bvh_box_small", at(good, bvh, "\x70"), "section 0: tree node 0: lane 0 does not hold its child", "either")
  add("bvh_none", at(good, section + 4, u32(0)), "section 0: no tree", "either")
  add("cell_zero", at(good, section + 0x2C, u32(0)), "bitScale8Inv.x is 0", "warning")
  add("cell_nan", at(good, section + 0x30, pack("<f", 0 / 0)), "bitScale8Inv.y is ", "warning")
  add("origin_far", at(good, section + 0x20, u32(0x7FFFFFF0)), "sectionOffset.x is 2147483632", "warning")
  local float, other = sample.named "v22_float"
  add("float_mixed_axes", at(float, other.at.sections[2] + 0x24, u32(5)),
    "section 1: the mark of float vertices on axis x only", "either")
  add("float_vertex_nan", at(float, other.at.vertices[2], pack("<f", 0 / 0)), "section 1: vertex 0 is no number", "either")
  add("vertices_ragged", at(good, section + 0x14, u32(6 * 90 + 5)), "5 bytes behind its vertices", "either")
end

-- ---- layout -----------------------------------------------------------------------------------------------------

local function of_layout(add, good, made)
  add("gap_not_zero", at(good, made.at.nodes - 1, "\1"), "bytes in front of nodes are not zero", "warning")
  add("item_count", spoiled("v22_grid", function(s) function s.items(list) list[2][4] = 2 end end),
    "item 2 has 2 elements, shapeTagTable 3", "either")
  add("item_order", spoiled("v22_grid", function(s)
    function s.items(list) list[2], list[3] = list[3], list[2] end
  end), "item 2 is of type", "warning")
  add("item_missing", spoiled("v22_grid", function(s) function s.items(list) list[#list] = nil end end),
    "7 items for the root and 7 arrays", "either")
  local box = sample.named "v22_box"
  add("masks_padding", at(box, #box - 1, "\1"), "the hit masks' padding is not zero", "either")
end

--- All of them.
return function()
  local list = {}
  local good, made = sample.named "v22_grid"
  local function add(name, bytes, says, means)
    list[#list + 1] = { name = name, bytes = bytes, says = says, means = means }
  end
  of_header(add, good, made)
  of_root(add, good, made)
  of_tags(add, good, made)
  of_tree(add, good, made)
  of_sections(add, good, made)
  of_layout(add, good, made)
  return list
end
