-- What lathe says of damaged Phive shapes: those of the corpus, and those that sample_phive_bad makes. Good ones have
-- nothing wrong.

local bad_list = require "sample_phive_bad"
local helper = require "helper"
local lathe = require "lathe"
local sample = require "sample_phive"

-- What must be said, in whatever words; the case of letters does not matter.
local WORDS = {
  empty = "too short for a phive header %(0", short_header = "too short for a phive header %(32", bom_big = "byte order",
  type_navmesh = "navmesh", type_cloth = "cloth", three_sections = "3 sections", tag_offset_out = "tagfile offset",
  mat_offset_out = "material table", mat_size_out = "material table", truncated_tables = "hit%-mask table",
  filesize_wrong = "file.?size", tag0_sig = "tag", tag0_size_huge = "tag0", sdkv_unknown = "20990100",
  type_missing = "type", tna1_count = "tna1", item_type_out = "16777215", shape_type_box = "shape type 5",
  properties_present = "propert", tags_out = "tag", tags_empty = "tag", tag_row_out = "tag 77",
  nodes_overflow = "nodes", node_section_out = "section 999", node_child_out = "node.* 3", sections_count = "sections",
  prims_over = "primitives", prim_vertex_out = "section 0.*vertex 255 of 99", bits_short = "interior",
  scale_zero = "bit_?scale16_?inv", scale_nan = "bit_?scale16_?inv", float_mixed_axes = "float",
  tree_cycle = "cycle", tree_long_cycle = "cycle", bvh_cycle = "cycle.*section 0", tag_no_sentinel = "sentinel",
  tag_descends = "key", key_bits_large = "key", key_bits_zero = "key", section_lost = "section", bvh_none = "without nodes",
  bvh_primitive_out = "primitive 9",
}

local function answer(bytes)
  local doc <close>, problem = lathe.parse(bytes, { path = "bad.bphsh" })
  if not doc then return "error", tostring(problem) end
  local ok, list = doc:check()
  local texts = {}
  for i, said in ipairs(list or {}) do texts[i] = tostring(said) end
  return not ok and "error" or #texts > 0 and "warning" or "nothing", table.concat(texts, "; ")
end

-- Notes where the answer is not the one that was wanted.
local function judge(name, bytes, means, missed)
  local how, text = answer(bytes)
  local right = means == "either" and how ~= "nothing" or means == how
  if not right then
    missed[#missed + 1] = ("%s: wanted %s, got %s: %s"):format(name, means, how, text)
  elseif WORDS[name] and not text:lower():find(WORDS[name]) then
    missed[#missed + 1] = ("%s: says nothing of '%s': %s"):format(name, WORDS[name], text)
  end
end

describe("damaged Phive shapes", function()
  it("that are made here are refused, or checked, as their faults ask", function()
    local missed = {}
    for _, bad in ipairs(bad_list()) do judge(bad.name, bad.bytes, bad.means, missed) end
    assert.same({}, missed)
  end)

  it("of the corpus get the answer of INDEX.tsv #corpus", function()
    local folder, missed = helper.need_corpus("bphsh/bad", pending), {}
    for name, wants in helper.read(folder .. "/INDEX.tsv"):gmatch "([%w_]+)%.bphsh\t([^\n:]+):" do
      judge(name, helper.read(("%s/%s.bphsh"):format(folder, name)), wants:find " or " and "either" or wants, missed)
      helper.count("phive bad", name)
    end
    assert.same({}, missed)
  end)

  it("are no good ones: these have nothing wrong", function()
    for _, entry in ipairs(sample.all()) do
      local doc <close> = assert(lathe.parse(entry.bytes))
      assert.same({ true, {} }, { doc:check() }, entry.name)
    end
  end)

  it("are no good ones: those of the corpus have nothing wrong #corpus", function()
    local folder = helper.need_corpus("bphsh", pending)
    for _, name in ipairs(helper.list(folder, "%.bphsh$")) do
      local doc <close> = assert(lathe.open(folder .. "/" .. name))
      assert.same({ true, {} }, { doc:check() }, name)
    end
  end)
end)
