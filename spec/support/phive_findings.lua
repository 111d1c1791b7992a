--- What doc:check() says of the files of sample_phive_bad (those that open) and sample_phive_faults, to the word. "@" stands
-- for the path of the shape.
return {
  filesize_wrong = {
    "warning file_size 0x18: header file size does not match: 0x17a4 is stored, the file has 0x17a0 bytes",
  },
  tag0_sig = {
    "error tagfile 0x30: not a Havok tagfile",
  },
  tag0_size_huge = {
    "error tagfile 0x30: TAG0: the file is cut off: it says 1073741808 bytes, 5952 are there",
  },
  sdkv_unknown = {
    "warning tagfile.sdk_version 0x40: unknown SDK version 20990100: the types are those of v22",
  },
  type_missing = {
    "error tagfile 0x30: there is no section TYPE",
  },
  tna1_count = {
    "error tagfile 0x118e: TNA1: 16381 types do not fit into 170 bytes",
  },
  item_type_out = {
    "error tagfile 0x1708: ITEM: item 1: it is of type 16777215, there are 56",
  },
  root_of_another_class = {
    "error tagfile.item_section.items[2] 0x1708: ITEM: item 1: no object: the file has no root",
    "warning tagfile.item_section.items[3] 0x1714: ITEM: item 2: nothing leads to it",
    "warning tagfile.item_section.items[4] 0x1720: ITEM: item 3: nothing leads to it",
    "warning tagfile.item_section.items[5] 0x172c: ITEM: item 4: nothing leads to it",
  },
  mask_rows_missing = {
    "warning file_size 0x18: header file size does not match: 0x17a0 is stored, the file has 0x1790 bytes",
    "warning tables.material_rest 0x1770: 2 materials have no hit masks: the game ignores them",
    "warning @shape_tag_table[1] 0xf0: tag table row 0: shape tag 0 has no material row, there are 0",
    "warning @shape_tag_table[2] 0xf8: tag table row 1: shape tag 1 has no material row, there are 0",
  },
  shape_type_box = {
    "error @type 0x68: shape type 5, not a mesh",
  },
  properties_present = {
    "error @properties 0x80: shape properties are not supported: there are 3",
    "warning @ 0x80: the array at 0x30: no item tells of its 3 elements at 0x30",
  },
  properties_far = {
    "error @properties 0x80: shape properties are not supported: there are 2147483647",
  },
  tags_out = {
    "error @shape_tag_table 0xc0: an offset of 1073741824, which leads out of the object's 0xc7b bytes (hknpMeshShape)",
    "error @shape_tag_table 0xc0: shape tag table outside DATA: 3 elements of 8 bytes at 0x70+1073741824 of 0xc7b",
    "warning tagfile.item_section.items[3] 0x1714: ITEM: item 2: nothing leads to it",
  },
  tags_in_front = {
    "error @shape_tag_table 0xc0: an offset of -4096, which leads out of the object's 0xc7b bytes (hknpMeshShape)",
    "error @shape_tag_table 0xc0: shape tag table outside DATA: 3 elements of 8 bytes at 0x70-4096 of 0xc7b",
    "warning tagfile.item_section.items[3] 0x1714: ITEM: item 2: nothing leads to it",
  },
  tags_negative = {
    "error @shape_tag_table 0xc0: negative count -1 (hknpMeshShape)",
    "error @shape_tag_table 0xc0: shape tag table outside DATA: -1 elements of 8 bytes at 0x70+48 of 0xc7b",
    "warning tagfile.item_section.items[3] 0x1714: ITEM: item 2: nothing leads to it",
  },
  tags_empty = {
    "error @shape_tag_table 0xc0: empty shape tag table: no primitive has a material",
    "warning tagfile.item_section.items[3] 0x1714: ITEM: item 2: nothing leads to it",
  },
  nodes_overflow = {
    "error @top_level_tree.nodes 0xc8: 2147483647 elements of 128 bytes do not fit into 384 bytes (hknpMeshShape)",
    "error @geometry_sections 0xe0: other arrays have elements there, too (hknpMeshShape)",
    "error @top_level_tree.nodes 0xc8: tree nodes outside DATA: 2147483647 elements of 128 bytes at 0x78+72 of 0xc7b",
    "warning tagfile.item_section.items[4] 0x1720: ITEM: item 3: nothing leads to it",
  },
  nodes_far = {
    "error @top_level_tree.nodes 0xc8: an offset of 9223372036854775807, which leads out of the object's 0xc7b " ..
      "bytes (hknpMeshShape)",
    "error @top_level_tree.nodes 0xc8: tree nodes outside DATA: 3 elements of 128 bytes at " ..
      "0x78+9223372036854775807 of 0xc7b",
    "warning tagfile.item_section.items[4] 0x1720: ITEM: item 3: nothing leads to it",
  },
  nodes_one = {
    "error @top_level_tree.nodes 0xc8: tree: 1 nodes, where node 1 is the root",
    "warning @ 0xc8: the array at 0x78: no item tells of its 1 elements at 0xc0",
    "warning tagfile.item_section.items[4] 0x1720: ITEM: item 3: nothing leads to it",
  },
  sections_count = {
    "error @geometry_sections 0xe0: 100000 elements of 64 bytes do not fit into 64 bytes (hknpMeshShape)",
    "error @geometry_sections 0xe0: geometry sections outside DATA: 100000 elements of 64 bytes at 0x90+432 of 0xc7b",
    "warning tagfile.item_section.items[5] 0x172c: ITEM: item 4: nothing leads to it",
  },
  scale_zero = {
    "warning @vertex_conversion_util.bit_scale16_inv 0xb0: bitScale16Inv is zero on x",
  },
  scale_nan = {
    "warning @vertex_conversion_util.bit_scale16_inv.y 0xb4: not a finite number",
  },
  scale_infinite = {
    "warning @vertex_conversion_util.bit_scale16_inv.z 0xb8: not a finite number",
  },
  scale_negative = {
    "warning @vertex_conversion_util.bit_scale16_inv 0xb0: bitScale16Inv is negative on x: a mirror",
  },
  scales_disagree = {
    "warning @vertex_conversion_util.bit_scale16 0xa0: bitScale16 times bitScale16Inv is 0.1953125 on x, 1 expected",
  },
  key_bits_large = {
    "error @num_shape_key_bits 0x6c: numShapeKeyBits 255: a key has 32 bits",
  },
  key_bits_zero = {
    "error @num_shape_key_bits 0x6c: numShapeKeyBits 0: numbers of 1 sections take 0, and primitives some more",
  },
  tag_row_out = {
    "warning @shape_tag_table[1] 0xf0: tag table row 0: shape tag 77 has no material row, there are 2",
  },
  tag_descends = {
    "warning @shape_tag_table[2] 0xf8: tag table row 1: key 0x0, as the row in front of it",
  },
  tag_first_key = {
    "error @shape_tag_table[1] 0xf0: tag table row 0: key 0x4, 0 expected",
  },
  tag_no_sentinel = {
    "error @shape_tag_table[3] 0x100: tag table row 2: no sentinel: the last one has tag 0, 65535 expected",
  },
  tag_sentinel_key = {
    "warning @shape_tag_table[3] 0x100: tag table row 2: the sentinel has key 0x3ff, 0x3fe expected",
  },
  tag_key_out = {
    "warning @shape_tag_table[2] 0xf8: tag table row 1: key 0xf0 is of section 0 primitive 120, it has 107",
  },
  tag_key_overflows = {
    "warning @shape_tag_table[3] 0x100: tag table row 2: the sentinel has key 0xfffffffe, 0x3fe expected",
  },
  node_section_out = {
    "error @top_level_tree.nodes[3] 0x270: tree node 2 lane 0 names section 999, there are 1",
    "warning @geometry_sections[1] 0x290: tree: 1 of 1 sections are not reached, section 0 is the first",
  },
  node_child_out = {
    "error @top_level_tree.nodes[2] 0x1f0: tree node 1 lane 0 names node 3, there are 3",
    "warning @top_level_tree.nodes[3] 0x210: tree: 1 of 3 nodes are not reached, 2 is the first",
    "warning @geometry_sections[1] 0x290: tree: 1 of 1 sections are not reached, section 0 is the first",
  },
  node_child_far = {
    "error @top_level_tree.nodes[2] 0x1f0: tree node 1 lane 0 names node 4294967280, there are 3",
    "warning @top_level_tree.nodes[3] 0x210: tree: 1 of 3 nodes are not reached, 2 is the first",
    "warning @geometry_sections[1] 0x290: tree: 1 of 1 sections are not reached, section 0 is the first",
  },
  tree_cycle = {
    "error @top_level_tree.nodes[2] 0x1f0: cycle or self reference in the tree: node 1 lane 0 leads to itself",
    "warning @top_level_tree.nodes[3] 0x210: tree: 1 of 3 nodes are not reached, 2 is the first",
    "warning @geometry_sections[1] 0x290: tree: 1 of 1 sections are not reached, section 0 is the first",
  },
  tree_long_cycle = {
    "warning @top_level_tree.nodes[3] 0x230: tree node 2 lane 0: node 1 leaves its box on x: 0 .. 16 of 0 .. 8",
    "error @top_level_tree.nodes[3] 0x290: cycle or self reference in the tree: node 2 lane 0 leads back to node 1",
    "warning @top_level_tree.nodes[4] 0x2b0: tree: 1 of 18 nodes are not reached, 3 is the first",
    "warning @geometry_sections[1] 0xa30: tree: 4 of 40 sections are not reached, section 0 is the first",
  },
  tree_second_way = {
    "warning @top_level_tree.nodes[2] 0x1f4: tree node 1 lane 1: node 2 leaves its box on z: 0 .. 6 of 3 .. 9",
    "error @top_level_tree.nodes[2] 0x214: tree node 1 lane 1 leads to node 2, as another one does",
    "warning @top_level_tree.nodes[7] 0x430: tree: 4 of 18 nodes are not reached, 6 is the first",
    "warning @geometry_sections[11] 0xcb0: tree: 10 of 40 sections are not reached, section 10 is the first",
  },
  section_twice = {
    "warning @top_level_tree.nodes[4] 0x2b0: tree node 3 lane 0: section 0 leaves its box on x: 0 .. 2 of 4 .. 6",
    "warning @top_level_tree.nodes[4] 0x314: tree node 3 lane 1: section 0 is reached twice",
    "warning @geometry_sections[3] 0xab0: tree: 1 of 40 sections are not reached, section 2 is the first",
  },
  section_lost = {
    "warning @top_level_tree.nodes[4] 0x314: tree node 3 lane 1 is used behind one that is empty",
    "warning @top_level_tree.nodes[4] 0x318: tree node 3 lane 2 is used behind one that is empty",
    "warning @top_level_tree.nodes[4] 0x31c: tree node 3 lane 3 is used behind one that is empty",
    "warning @top_level_tree.nodes[4] 0x2b0: tree node 3 lane 0 is empty, but has a box",
    "warning @geometry_sections[3] 0xab0: tree: 1 of 40 sections are not reached, section 2 is the first",
  },
  tree_box_small = {
    "warning @top_level_tree.nodes[2] 0x190: tree node 1 lane 0: its box is larger than node 2",
    "warning @top_level_tree.nodes[3] 0x210: tree node 2 lane 0: section 0 leaves its box on x: -7 .. 3 of -7 .. 0",
  },
  tree_box_large = {
    "warning @top_level_tree.nodes[2] 0x190: tree node 1 lane 0: node 2 leaves its box on x: -7 .. 1000 of -7 .. 3",
    "warning @top_level_tree.nodes[3] 0x210: tree node 2 lane 0: its box is larger than section 0",
  },
  tree_box_loose = {
    "warning @top_level_tree.nodes[3] 0x210: tree node 2 lane 0: its box is larger than section 0",
  },
  tree_box_nan = {
    "warning @top_level_tree.nodes[2].ly.x 0x1b0: not a finite number",
    "warning @top_level_tree.nodes[2] 0x1b0: tree node 1 lane 0: its box is inside out on y",
  },
  lane_order = {
    "warning @top_level_tree.nodes[2] 0x244: tree node 1 lane 1: its box is greater than the one in front of it",
  },
  prims_over = {
    "error @geometry_sections[1].primitives 0x298: 5000 elements of 4 bytes do not fit into 432 bytes (hknpMeshShape)",
    "error @geometry_sections[1].vertex_buffer 0x2a0: other arrays have elements there, too (hknpMeshShape)",
    "error @geometry_sections[1] 0x298: section 0: primitives outside DATA: 5000 elements of 4 bytes at " ..
      "0x248+1544 of 0xc7b",
    "warning tagfile.item_section.items[7] 0x1744: ITEM: item 6: nothing leads to it",
  },
  prims_far = {
    "error @geometry_sections[1].primitives 0x298: an offset of 2147483647, which leads out of the object's " ..
      "0xc7b bytes (hknpMeshShape)",
    "error @geometry_sections[1] 0x298: section 0: primitives outside DATA: 107 elements of 4 bytes at " ..
      "0x248+2147483647 of 0xc7b",
    "warning tagfile.item_section.items[7] 0x1744: ITEM: item 6: nothing leads to it",
  },
  prim_vertex_out = {
    "error @geometry_sections[1].primitives[1] 0x8a0: section 0 primitive 0 uses vertex 255 of 99",
  },
  bits_short = {
    "warning @geometry_sections[1].interior_primitive_bit_field 0x2a8: section 0: interior bit field has 1 " ..
      "byte for 107 primitives, 27 expected",
    "warning @ 0x2a8: the array at 0x258: no item tells of its 1 elements at 0xc60",
    "warning tagfile.item_section.items[9] 0x175c: ITEM: item 8: nothing leads to it",
  },
  bits_behind = {
    "warning @geometry_sections[1].interior_primitive_bit_field[27] 0xcca: section 0: interior bits behind the " ..
      "last primitive",
    "warning @geometry_sections[1].interior_primitive_bit_field[27] 0xcca: section 0 primitive 104: a second " ..
      "interior bit, it is one triangle",
    "warning @geometry_sections[1].interior_primitive_bit_field[27] 0xcca: section 0 primitive 105: a second " ..
      "interior bit, it is one triangle",
  },
  bits_of_no_triangle = {
    "warning @geometry_sections[1].interior_primitive_bit_field[1] 0x310: section 0 primitive 0: a second " ..
      "interior bit, it is one triangle",
  },
  bvh_cycle = {
    "error @geometry_sections[1].section_bvh[1] 0x2e8: cycle or self reference in section 0 BVH: node 0 lane 0 " ..
      "leads to itself",
    "warning @geometry_sections[1].section_bvh 0x290: section 0 BVH: 13 of 53 nodes are not reached",
    "warning @geometry_sections[1].primitives[1] 0x8a0: section 0 BVH: 27 of 107 primitives are not reached, 0 " ..
      "is the first",
  },
  bvh_child_out = {
    "error @geometry_sections[1].section_bvh[1] 0x2e8: section 0 BVH node 0 lane 0 names node 254, there are 53",
    "warning @geometry_sections[1].section_bvh 0x290: section 0 BVH: 13 of 53 nodes are not reached",
    "warning @geometry_sections[1].primitives[1] 0x8a0: section 0 BVH: 27 of 107 primitives are not reached, 0 " ..
      "is the first",
  },
  bvh_primitive_out = {
    "error @geometry_sections[1].section_bvh[1] 0x2d8: section 0 BVH node 0 lane 0 names primitive 9, there are 1",
    "warning @geometry_sections[1].primitives[1] 0x2e0: section 0 BVH: 1 of 1 primitives are not reached, 0 is " ..
      "the first",
  },
  bvh_primitive_twice = {
    "warning @geometry_sections[1].section_bvh[2] 0x2ec: section 0 BVH node 1 lane 0: primitive 1 leaves its " ..
      "box on z: 4 .. 4 of 0 .. 0",
    "warning @geometry_sections[1].section_bvh[2] 0x2f5: section 0 BVH node 1 lane 1: primitive 1 is reached twice",
    "warning @geometry_sections[1].primitives[1] 0x320: section 0 BVH: 1 of 6 primitives are not reached, 0 is " ..
      "the first",
  },
  bvh_box_small = {
    "warning @geometry_sections[1].section_bvh[1] 0x2d0: section 0 BVH node 0 lane 0: lane 0 of node 1 leaves " ..
      "its box on x",
  },
  bvh_none = {
    "error @geometry_sections[1].section_bvh 0x290: section 0: a BVH without nodes, of 107 primitives",
    "warning tagfile.item_section.items[6] 0x1738: ITEM: item 5: nothing leads to it",
  },
  cell_zero = {
    "warning @geometry_sections[1].bit_scale8_inv 0x2bc: section 0: bitScale8Inv is zero on x",
  },
  cell_nan = {
    "warning @geometry_sections[1].bit_scale8_inv.y 0x2c0: not a finite number",
  },
  float_mixed_axes = {
    "error @geometry_sections[2] 0x420: section 1: sectionOffset is that of floats on some axes only",
  },
  float_vertex_nan = {
    "error @geometry_sections[2].vertex_buffer 0x11c0: section 1: vertex 0 is no finite number",
  },
  gap_not_zero = {
    "warning @ 0x10f: DATA: 8 bytes that nothing takes are not all zero",
  },
  item_count = {
    "warning @ 0xc0: the array at 0x70: no item tells of its 3 elements at 0xa0",
    "warning tagfile.item_section.items[3] 0x1714: ITEM: item 2: nothing leads to it",
  },
  item_order = {
    "warning tagfile.item_section.items[4] 0x1720: ITEM: item 3: it lies at 0xa0, in front of item 2 at 0xc0",
  },
  item_missing = {
    "warning @ 0x2a8: the array at 0x258: no item tells of its 27 elements at 0xc60",
  },
  masks_padding = {
    "warning tables.hit_mask_padding 0xe38: the padding behind the hit masks is not zero",
  },
  reserve_v21 = {
    "error reserve_1 0x6: bytes 2 0 behind the magic, 1 0 expected",
  },
  reserve_v22 = {
    "warning reserve_1 0x6: bytes 1 1 behind the magic, 1 0 expected",
  },
  fourth_section = {
    "warning reserve_size 0x28: the fourth section has 16 bytes, it is none",
  },
  header_padding = {
    "warning header_padding 0x2c: the header's padding is not zero",
  },
  behind_the_end = {
    "warning file_size 0x18: header file size does not match: 0x17a0 is stored, the file has 0x17a4 bytes",
  },
  behind_the_end_told = {
    "warning rest 0x17a0: 16 bytes behind the last section",
  },
  tagfile_padding = {
    "warning padding 0x1768: the padding behind the tagfile is not zero",
  },
  materials_shorter = {
    "warning hit_mask_offset 0x14: 0x1790, where what is in front of it ends at 0x1780",
    "warning tables.hit_mask_padding 0x1798: the padding behind the hit masks is not zero",
    "warning @shape_tag_table[2] 0xf8: tag table row 1: shape tag 1 has no material row, there are 1",
  },
  more_masks = {
    "warning tables.hit_masks 0x1790: hit-mask table: 4 rows for 2 materials",
  },
  other_sdk = {
    "warning tagfile.sdk_version 0x40: SDK version 20210100 is that of v21, the types are those of v22",
  },
  no_version = {
    "warning tagfile.sdk_version 0x40: unknown SDK version 0: the types are those of v22",
  },
  type_7 = {
    "warning @type 0x68: shape type 7, a mesh of v22 has 8",
  },
  dispatch = {
    "warning @dispatch_type 0x69: dispatch type 2, where 3 (composite) is usual",
  },
  flags = {
    "warning @flags 0x6a: flags 0x0 without that of composite shapes (4)",
  },
  codec = {
    "warning @shape_tag_codec_info 0x90: shapeTagCodecInfo 0x0, where 0xFFFFFFFF is usual",
  },
  not_compact = {
    "warning @top_level_tree.is_compact 0xd8: the tree is not marked as compact",
  },
  key_bits_of_7 = {
    "error @geometry_sections[1].primitives 0x298: section 0: 107 primitives, keys of 7 bits have room for 64",
    "warning @shape_tag_table[3] 0x100: tag table row 2: the sentinel has key 0x3fe, 0x1fe expected",
  },
  key_bits_of_sections = {
    "error @num_shape_key_bits 0x6c: numShapeKeyBits 6: numbers of 40 sections take 6, and primitives some more",
  },
  key_bits_overflow = {
    "error @num_shape_key_bits 0x6c: numShapeKeyBits 32: keys of 1 sections overflow 32 bits",
  },
  leaf_2 = {
    "warning @top_level_tree.nodes[4] 0x320: tree node 3: isLeaf is 2, 0 or 1 expected",
  },
  first_node_used = {
    "warning @top_level_tree.nodes[1] 0x190: tree node 0 is none, but its lane 0 is used",
  },
  free_node = {
    "warning @top_level_tree.nodes[4] 0x324: tree node 3 is marked as free, and reached",
  },
  parent = {
    "warning @top_level_tree.nodes[4] 0x328: tree node 3: its parent is 2, 9 is stored",
  },
  leaves = {
    "warning @top_level_tree.nodes[3] 0x2ac: tree node 2: numLeaves is 7, 10 are below it",
  },
  empty_lane_box = {
    "warning @top_level_tree.nodes[3] 0x214: tree node 2 lane 1 is empty, but has a box",
  },
  cell_negative = {
    "warning @geometry_sections[2].bit_scale8_inv 0x42c: section 1: bitScale8Inv is negative on x",
  },
  floats_in_v21 = {
    "error @geometry_sections[2] 0x420: section 1: this variant has no vertices of floats",
  },
  bits_too_long = {
    "warning @geometry_sections[2].interior_primitive_bit_field 0x418: section 1: interior bit field has 16 " ..
      "bytes for 32 primitives, 8 expected",
    "warning @ 0x418: the array at 0x3c8: no item tells of its 16 elements at 0x15e0",
    "warning tagfile.item_section.items[22] 0x2198: ITEM: item 21: nothing leads to it",
  },
  lane_inside_out = {
    "warning @geometry_sections[2].section_bvh[1] 0x678: section 1 BVH node 0 lane 0: its box is inside out on y",
    "warning @geometry_sections[2].section_bvh[1] 0x678: section 1 BVH node 0 lane 0: lane 0 of node 1 leaves " ..
      "its box on y",
  },
  vertex_moved = {
    "warning @geometry_sections[3].section_bvh[3] 0x818: section 2 BVH node 2 lane 0: primitive 0 leaves its " ..
      "box on x: 12 .. 139.998047 of 11.9770632 .. 13.0050344",
    "warning @geometry_sections[3].section_bvh[3] 0x819: section 2 BVH node 2 lane 1: primitive 1 leaves its " ..
      "box on x: 13 .. 139.998047 of 11.9770632 .. 13.0050344",
    "warning @top_level_tree.nodes[3] 0x2c4: tree node 2 lane 1: section 2 leaves its box on x: 12 .. " ..
      "139.998047 of 12 .. 18",
  },
  corner_of_another = {
    "warning @geometry_sections[1].section_bvh[3] 0x538: section 0 BVH node 2 lane 0: primitive 0 leaves its " ..
      "box on x: 0 .. 6 of 0 .. 1.02004004",
  },
}
