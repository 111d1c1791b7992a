--- Phive shapes with one fault each, beside those of sample_phive_bad: what only doc:check() tells.
--
--    for _, fault in ipairs(list()) do print(fault.name, fault.bytes) end

local sample = require "sample_phive"

local pack, unpack = string.pack, string.unpack

local function at(bytes, offset, new)
  assert(offset >= 0 and offset + #new <= #bytes)
  return bytes:sub(1, offset) .. new .. bytes:sub(offset + #new + 1)
end

local function u32(n) return pack("<I4", n) end

local function of_header(add)
  local good = sample.named "v22_grid"
  local v21 = sample.named "v21_grid"
  add("reserve_v21", at(v21, 6, "\2"))
  add("reserve_v22", at(good, 7, "\1"))
  add("fourth_section", at(good, 0x28, u32(16)))
  add("header_padding", at(good, 0x2C, u32(1)))
  add("behind_the_end", good .. "rest")
  add("behind_the_end_told", at(good .. ("\0"):rep(16), 0x18, u32(#good + 16)))
  local offset = unpack("<I4", good, 0x11)
  add("tagfile_padding", at(good, offset - 1, "\1"))
  add("materials_shorter", at(good, 0x20, u32(16)))
  add("more_masks", at(at(good .. ("\0"):rep(16), 0x18, u32(#good + 16)), 0x24, u32(32)))
  add("other_sdk", at(good, 0x40, "20210100"))
  add("no_version", at(good, 0x40, "2022-100"))
end

local function of_root(add)
  local good, made = sample.named "v22_grid"
  local root = made.at.root
  local many, strip = sample.named "v22_many"
  add("type_7", at(good, root + 0x18, "\7"))
  add("dispatch", at(good, root + 0x19, "\2"))
  add("flags", at(good, root + 0x1A, "\0\0"))
  add("codec", at(good, root + 0x40, u32(0)))
  add("not_compact", at(good, root + 0x88, "\0"))
  add("key_bits_of_7", at(good, root + 0x1C, "\7"))
  add("key_bits_of_sections", at(many, strip.at.root + 0x1C, "\6"))
  add("key_bits_overflow", at(good, root + 0x1C, "\32"))
end

local function of_tree(add)
  local many, made = sample.named "v22_many"
  local v23, other = sample.named "v23_many"
  local function node(i, offset) return other.at.nodes + 0x80 * i + offset end
  add("leaf_2", at(many, made.at.nodes + 0x80 * 3 + 0x70, "\2"))
  add("first_node_used", at(many, made.at.nodes + 0x60, u32(1)))
  add("free_node", at(v23, node(3, 0x74), "\3"))
  add("parent", at(v23, node(3, 0x78), u32(9)))
  add("leaves", at(v23, node(2, 0x7C), u32(7)))
  local bytes, grid = sample.named "v22_grid"
  for axis = 0, 2 do
    bytes = at(bytes, grid.at.nodes + 0x80 * 2 + 0x20 * axis + 4, pack("<f", 0))
    bytes = at(bytes, grid.at.nodes + 0x80 * 2 + 0x20 * axis + 0x14, pack("<f", 1))
  end
  add("empty_lane_box", bytes)
end

local function of_sections(add)
  local good, made = sample.named "v22_strip"
  local function section(i, offset) return made.at.sections[i] + offset end
  add("cell_negative", at(good, section(2, 0x2C), pack("<f", -1)))
  local v21, old = sample.named "v21_strip"
  add("floats_in_v21", at(v21, old.at.sections[2] + 0x20, pack("<i4i4i4", 0x7FFFFFFF, 0x7FFFFFFF, 0x7FFFFFFF)))
  add("bits_too_long", at(good, section(2, 0x1C), u32(16)))
  add("lane_inside_out", at(good, made.at.bvh[2] + 8, "\xFF"))
  add("vertex_moved", at(good, made.at.vertices[3], "\xFF\xFF"))
  add("corner_of_another", at(good, made.at.primitives[1] + 1, "\20"))
end

--- All of them.
return function()
  local list = {}
  local function add(name, bytes) list[#list + 1] = { name = name, bytes = bytes } end
  of_header(add)
  of_root(add)
  of_tree(add)
  of_sections(add)
  return list
end
