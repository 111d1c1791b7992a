-- The walkers: dump, diff and JSON, on documents of two formats.

local lathe = require "lathe"
local helper = require "helper"
local write_fixtures = dofile "spec/cli/fixtures.lua"

describe("tree", function()
  local folder, tree = nil, lathe.tree

  before_each(function()
    folder = helper.tmpdir()
    write_fixtures(folder)
  end)

  local function open(name)
    return assert(lathe.open(folder .. "/" .. name))
  end

  describe("dump", function()
    it("shows what `lathe dump` shows", function()
      local lines = tree.dump(open "tri.solid", { depth = 1 })
      assert.matches("0x000004  vertices        vec3[3]  (model units)\n", lines, 1, true)
    end)

    it("leaves the offsets out where asked", function()
      assert.equal("x 0  y 1.5  z 0.25", tree.dump(open("tri.solid").vertices[3], { offsets = false }))
    end)

    it("shortens long arrays and says so", function()
      local doc = open "tri.solid"
      doc.vertices:resize(100)
      assert.matches("... 92 more", tree.dump(doc.vertices), 1, true)
      local _, lines = tree.dump(doc.vertices, { all = true }):gsub("[^\n]+", "")
      assert.equal(100, lines)
    end)
  end)

  it("dump shows every file of the corpus whole #corpus", function()
    local root = helper.need_corpus("", pending)
    local files, lines = 0, 0
    for name in io.popen(("find %s -type f -size -64k"):format(helper.quote(root))):lines() do
      local doc <close> = lathe.open(name)
      if doc then
        files = files + 1
        tree.dump(doc, { all = true, emit = function() lines = lines + 1 end })
      end
    end
    assert(files > 300 and lines > 100 * files, ("%d files, %d lines"):format(files, lines))
  end)

  describe("diff", function()
    local function lines(a, b)
      local list = {}
      for i, change in ipairs(tree.diff(a, b)) do list[i] = tree.diff_line(change) end
      return list
    end

    it("is empty for equal documents", function()
      assert.same({}, lines(open "tri.solid", open "tri.solid"))
    end)

    it("names each changed field", function()
      local doc = open "rig.fzx"
      doc.objects[2].location.y = 0.5
      doc.objects[3].label = "hip box"
      assert.same({
        "objects[2].location.y: 0 -> 0.5",
        'objects[3].label: "chest box m" -> "hip box"',
        "footer.size: 185 -> 181",
      }, lines(open "rig.fzx", doc))
    end)

    it("tells 0 from -0, and not one NaN from another", function()
      local a, b = open "tri.solid", open "tri.solid"
      a.vertices[1].x, b.vertices[1].x = 0, -0.0
      assert.same({ "vertices[1].x: 0 -> -0" }, lines(a, b))
      a.vertices[1].x, b.vertices[1].x = 0 / 0, 0 / 0
      assert.same({}, lines(a, b))
    end)

    it("tells bytes and texts that differ far behind their start", function()
      local a, b = open "tri.solid", open "tri.solid"
      a.trailing, b.trailing = ("a"):rep(16) .. "bcd", ("a"):rep(16) .. "bxd"
      local shown = "19 bytes:" .. (" 61"):rep(16) .. " ..."
      assert.same({ ("trailing: %s -> %s (from byte 17 on)"):format(shown, shown) }, lines(a, b))
      a, b = open "rig.fzx", open "rig.fzx"
      a.objects[1].label, b.objects[1].label = ("a"):rep(210) .. "y", ("a"):rep(210) .. "z"
      shown = ('"%s..." (211 bytes)'):format(("a"):rep(200))
      assert.same({ ("objects[1].label: %s -> %s (from byte 210 on)"):format(shown, shown) }, lines(a, b))
    end)

    it("finds what was inserted or removed in the middle", function()
      local doc = open "rig.fzx"
      doc.objects:remove(2)
      assert.same({ "objects[2]: removed fzx_object" }, lines(open "rig.fzx", doc)) -- counts follow from it
      assert.same({ "objects[2]: added fzx_object" }, lines(doc, open "rig.fzx"))
    end)

    it("carries whole values", function()
      local doc = open "tri.solid"
      doc.vertices:append { 7, 8, 9 }
      local changes = tree.diff(open "tri.solid", doc)
      assert.same({ { path = "vertices[4]", added = { x = 7, y = 8, z = 9 }, type = "vec3", length = 3 } }, changes)
      doc = open "tri.solid"
      doc.vertices[2].y = 4
      assert.same({ { path = "vertices[2].y", old = 0, new = 4, type = "f32" } }, tree.diff(open "tri.solid", doc))
    end)

    it("refuses documents of different formats", function()
      assert.has_error(function() tree.diff(open "tri.solid", open "rig.fzx") end,
        "cannot compare solid with fzx")
    end)
  end)

  describe("JSON", function()
    it("keeps the order of the file and every bit", function()
      assert.equal('{"x":0,"y":1.5,"z":0.25}', tree.to_json(open("tri.solid").vertices[3]))
      local doc = open "tri.solid"
      doc.vertices[1] = { 0.1, 0 / 0, -math.huge }
      assert.equal('{"x":0.100000001,"y":"nan","z":"-inf"}', tree.to_json(doc.vertices[1]))
    end)

    it("keeps the bits of a NaN", function()
      local doc = open "tri.solid"
      local vertex = doc.vertices[1]
      for _, bits in ipairs { 0x7F800001, 0xFF800001, 0x7FC00000, 0xFFC00000, 0x7FFFFFFF, 0xFFFFFFFF } do
        local wide = (bits & 0x80000000) << 32 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29
        vertex.y = (("<d"):unpack(("<i8"):pack(wide)))
        local from = lathe.span(vertex, "y")
        local stored = (">I4"):unpack(doc:encode(), from + 1)
        assert.equal(bits, stored)
        local fields = assert(tree.from_json(tree.to_json(doc), "solid"))
        assert.equal(doc:encode(), lathe.new("solid", fields):encode())
      end
      assert.matches('"y":"nan(0xffffffffe0000000)"', tree.to_json(vertex), 1, true)
      for _, bad in ipairs { "nan(0x0000000000000001)", "nan(0x7ff)", "nan()", "nan(0x7ff8000000000000" } do
        local fields = assert(tree.from_json((tree.to_json(doc):gsub("nan%b()", bad, 1)), "solid"))
        assert.is_nil((lathe.new("solid", fields)), bad)
      end
    end)

    it("comes back as the same file", function()
      for _, name in ipairs { "tri.solid", "tail.solid", "rig.fzx" } do
        local doc = open(name)
        local fields = assert(tree.from_json(tree.to_json(doc), doc.format))
        assert.equal(doc:encode(), assert(lathe.new(doc.format, fields)):encode())
      end
      local doc = open "tri.solid"
      doc.vertices[1] = { 0.1, math.huge, -math.huge }
      local fields = assert(tree.from_json(tree.to_json(doc), "solid"))
      assert.equal(doc:encode(), lathe.new("solid", fields):encode())
    end)

    it("keeps strings that are no UTF-8", function()
      local doc = open "rig.fzx"
      doc.objects[1].label = "sch\xf6n"
      assert.matches('"label":{"length":5,"base64":"c2No9m4="}', tree.to_json(doc), 1, true)
      local fields = assert(tree.from_json(tree.to_json(doc), "fzx"))
      assert.equal(doc:encode(), lathe.new("fzx", fields):encode())
    end)

    it("says where text is no JSON", function()
      local fields, why = tree.from_json("{", "solid")
      assert.is_nil(fields)
      assert.is_string(why)
    end)
  end)
end)
