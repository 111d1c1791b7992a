-- doc:check() of Phive shapes: what it says of each planted fault, to the word; that it says nothing of good files; and that
-- files that say more than they hold take neither time nor memory.

local damaged = require "sample_phive_bad"
local expected = require "phive_findings"
local faults = require "sample_phive_faults"
local helper = require "helper"
local lathe = require "lathe"
local sample = require "sample_phive"

-- The value at a path: each finding names one that is there.
local function value_at(doc, path)
  return assert(load("return (...)." .. path))(doc)
end

local function found_in(bytes)
  local doc <close> = assert(lathe.parse(bytes, { format = "bphsh" }))
  local _, found = doc:check()
  for _, finding in ipairs(found) do
    local where = finding.where
    assert(not where or finding.level == "error" or value_at(doc, where) ~= nil, where)
    assert(not finding.offset or finding.offset <= #bytes, finding.message)
  end
  return found
end

-- Lines "level place offset: message"; "@" stands for the path of the shape.
local function findings(bytes)
  local list = {}
  for i, finding in ipairs(found_in(bytes)) do
    local where = finding.where and finding.where:gsub("^tagfile%.objects%[1%]%.?", "@") .. " " or ""
    list[i] = ("%s %s0x%x: %s"):format(finding.level, where, finding.offset, finding.message)
  end
  return list
end

local function replaced(bytes, at, new) return bytes:sub(1, at) .. new .. bytes:sub(at + #new + 1) end

describe("check of Phive shapes", function()
  it("finds nothing in good files", function()
    local all = sample.all()
    assert(#all >= 35)
    for _, good in ipairs(all) do assert.same({}, findings(good.bytes), good.name) end
  end)

  it("finds nothing in the corpus #corpus", function()
    local folder = helper.need_corpus("bphsh", pending)
    if not folder then return end
    local names = helper.list(folder, "%.bphsh$")
    assert(#names >= 15)
    for _, name in ipairs(names) do assert.same({}, findings(helper.read(folder .. "/" .. name)), name) end
  end)

  local met = {}
  for _, list in ipairs { damaged(), faults() } do
    for _, fault in ipairs(list) do
      met[fault.name] = true
      if expected[fault.name] then
        it("names the fault " .. fault.name, function() assert.same(expected[fault.name], findings(fault.bytes)) end)
      end
    end
  end

  it("was asked for every fault that is listed", function()
    for name in pairs(expected) do assert(met[name], name) end
    for _, fault in ipairs(faults()) do assert(expected[fault.name], fault.name) end
  end)

  it("tells one kind of finding a few times, and counts the rest", function()
    local good, made = sample.named "v22_strip"
    local list = findings(replaced(good, made.at.sections[3] + 0x20, "\1\0\0\0"))
    assert.equal(18, #list)
    assert.matches("^warning @geometry_sections%[3%]%.section_bvh%[8%] 0x8a5: 24 more like this: section 2 BVH node 7 " ..
      "lane 1: primitive 15 leaves its box on x", list[18])
  end)
end)

-- ---- the corpus' damaged files ---------------------------------------------------------------------------------

-- What opening or checking says, by INDEX.tsv; an error unless it begins with "warning".
local BAD <const> = {
  bits_short = "warning interior bit field has 1 byte for 111 primitives",
  bom_big = "unsupported byte order",
  bvh_cycle = "cycle or self reference in section 0 BVH: node 0 lane 0",
  empty = "too short for a Phive header %(0 bytes%)",
  filesize_wrong = "warning header file size does not match",
  float_mixed_axes = "section 0: sectionOffset is that of floats on some axes only",
  item_type_out = "ITEM: item 1: it is of type 16777215, there are 55",
  mat_offset_out = "material table offset 0x17b0 outside the file",
  node_section_out = "tree node 2 lane 0 names section 999, there are 1",
  nodes_overflow = "tree nodes outside DATA",
  prim_vertex_out = "section 0 primitive 0 uses vertex 255 of 99",
  prims_over = "section 0: primitives outside DATA",
  properties_present = "shape properties are not supported",
  scale_zero = "warning bitScale16Inv is zero",
  sdkv_unknown = "warning unknown SDK version 20990100",
  sections_count = "geometry sections outside DATA",
  shape_type_box = "shape type 5, not a mesh",
  short_header = "too short for a Phive header %(32 of 48 bytes%)",
  tag0_sig = "not a Havok tagfile",
  tag0_size_huge = "TAG0: the file is cut off",
  tag_offset_out = "tagfile offset 0x7ffffff0 outside the file",
  tag_row_out = "warning shape tag 77 has no material row",
  tags_empty = "empty shape tag table",
  tags_out = "shape tag table outside DATA",
  tna1_count = "TNA1: 16382 types do not fit into",
  truncated_tables = "hit%-mask table runs past the end of the file",
  type_missing = "there is no section TYPE",
  type_navmesh = "Phive file type 1 %(NavMesh%), not a shape",
}

local function all_that_is_said(bytes)
  local doc, err = lathe.parse(bytes, { format = "bphsh" })
  if not doc then return { { level = "error", message = tostring(err) } } end
  local _, found = doc:check()
  doc:close()
  return found
end

local function says(found, level, pattern)
  for _, finding in ipairs(found) do
    if finding.level == level and finding.message:find(pattern) then return true end
  end
end

describe("damaged Phive shapes of the corpus", function()
  it("are refused, or told of, as the index says #corpus", function()
    local folder = helper.need_corpus("bphsh/bad", pending)
    if not folder then return end
    local n = 0
    for name, expects in helper.read(folder .. "/INDEX.tsv"):gmatch "(%S+)%.bphsh\t(%C+)" do
      local found = all_that_is_said(helper.read(folder .. "/" .. name .. ".bphsh"))
      local pattern = assert(BAD[name], name)
      local level = pattern:match "^(warning) " or "error"
      n = n + 1
      assert(expects:match("^[%a ]*" .. level), name)
      assert(says(found, level, (pattern:gsub("^warning ", ""))), name)
      if level == "warning" then assert(not says(found, "error", ""), name) end
    end
    assert.equal(28, n)
  end)
end)
