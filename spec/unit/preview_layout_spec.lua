-- What stands around a picture: nothing lies over the drawing of a small one, and names stay whole where there is room.

local helper = require "helper"
local lathe = require "lathe"

local EXAMPLES <const> = "scripts/examples/"

describe("layout of small pictures", function()
  local folder
  setup(function() folder = helper.tmpdir() end)

  local function drawn(what, opts)
    local path = folder .. "/a.svg"
    assert(lathe.preview(type(what) == "string" and { what } or what, path, opts))
    return helper.read(path)
  end

  -- The texts of a picture, in order: x, y, size of the font, width, text.
  local function texts(svg)
    local list = {}
    for x, y, size, width, text in
      svg:gmatch '<text x="([%d.-]+)" y="([%d.-]+)" font%-size="([%d.]+)" textLength="([%d.]+)"[^>]*>([^<]*)<' do
      list[#list + 1] = { x = tonumber(x), y = tonumber(y), size = tonumber(size), width = tonumber(width), text = text }
    end
    return list
  end

  local function find(list, pattern)
    for _, one in ipairs(list) do
      if one.text:find(pattern) then return one end
    end
    return nil
  end

  it("keeps axes and scale bar off the drawing", function()
    for _, size in ipairs { "100x100", "160x120", "200x150", "240x180", "320x240", "400x200", "640x200" } do
      local svg = drawn(EXAMPLES .. "stock.nif", { size = size, what = "meshes" })
      local top = tonumber(svg:match '<image x="[%d.]+" y="([%d.]+)"')
      for _, one in ipairs(texts(svg)) do assert(one.y <= top + 2, ("%s at %s"):format(one.text, size)) end
      for points in svg:gmatch '<polyline[^>]*points="([^"]+)"' do
        for y in points:gmatch ",([%d.-]+)" do assert.is_true(tonumber(y) <= top, size) end
      end
    end
    local large = drawn(EXAMPLES .. "stock.nif", { size = "640x480", what = "meshes" })
    assert.truthy(find(texts(large), "^x$"))
  end)

  it("draws the axes where title and size leave room", function()
    local function axes(title)
      return find(texts(drawn(EXAMPLES .. "crate.solid", { size = "240x180", title = title })), "^x$")
    end
    assert.truthy(axes "Short")
    assert.is_nil(axes "A title of such a length")
  end)

  it("writes a long name in two lines, which break where a part of it ends", function()
    local function lines(title, size)
      local found = {}
      for _, one in ipairs(texts(drawn(EXAMPLES .. "crate.solid", { size = size, title = title }))) do
        if one.x == 10 then found[#found + 1] = one.text end
      end
      return found
    end
    assert.same({ "short.solid", "50 × 50 × 50 units" }, lines("short.solid", "160x120"))
    assert.same({ "folder/of_a_crate_", "that_is_old.solid", "50 × 50 × 50 units" },
      lines("folder/of_a_crate_that_is_old.solid", "160x120"))
    assert.same({ "abcdefghijklmnopqrst", "uvwxyz0123456789" }, { table.unpack(
      lines("abcdefghijklmnopqrstuvwxyz0123456789", "160x120"), 1, 2) })
    local three = lines(("abcdefgh-"):rep(8), "160x120")
    assert.equal("abcdefgh-abcdefgh-", three[1])
    assert.matches("^abcdefg.*….*abcdefgh%-$", three[2])
    -- Never within a character.
    for n = 20, 30 do
      local two = lines(("a"):rep(n) .. ("\u{d7}"):rep(12), "200x150")
      assert.equal(("a"):rep(n) .. ("×"):rep(12), two[2]:find "units" and two[1] or two[1] .. two[2])
    end
  end)

  it("never cuts the size in the middle", function()
    for width = 100, 420, 12 do
      for _, name in ipairs { "stock.nif", "crate.solid", "biped.hkx" } do
        local list = texts(drawn(EXAMPLES .. name, { size = width .. "x200", title = "A" }))
        local size = find(list, "×")
        if width >= 160 then assert.truthy(size, name .. " " .. width) end
        if size then
          assert.is_nil(size.text:find "…")
          assert.matches("^[xyz× :=%d.e+-]+ [um].*$", size.text)
          assert.is_true(size.x + size.width <= width)
        end
      end
    end
  end)

  it("says that a shape has no material where a hash of zero is stored", function()
    local doc = assert(lathe.open(EXAMPLES .. "stock.nif"))
    assert(doc:set_collision("Stock", { kind = "box", size = { 8, 8, 8 }, material = 0, motion = "dynamic", mass = 1 }))
    local svg = drawn(doc, { size = "480x360", what = "collision" })
    assert.truthy(find(texts(svg), "^no material$"), svg)
    assert.is_nil(svg:find("0x00000000", 1, true))
    doc:close()
  end)

  it("writes the letters of U+00C0 to U+00FF as they are, as wide as what they are made of", function()
    local function width(title)
      local one = texts(drawn(EXAMPLES .. "crate.solid", { size = "900x300", title = title }))[1]
      assert.equal(title, one.text)
      return one.width
    end
    local letters = {}
    for code = 0xc0, 0xff do letters[#letters + 1] = utf8.char(code) end
    assert.equal(64, utf8.len(table.concat(letters)))
    width(table.concat(letters, "", 1, 32))
    width(table.concat(letters, "", 33))
    assert.equal(width "AOUaou", width "ÄÖÜäöü")
    assert.equal(width "CEcNn", width "ÇÉçÑñ")
    local svg = drawn(EXAMPLES .. "crate.solid", { size = "900x300", title = "T\xfcr \u{100}" })
    assert.truthy(svg:find(">T\\xFCr \\u{0100}<", 1, true), svg)
  end)

  -- ---- key and notes -------------------------------------------------------------------------------

  -- Boxes side by side, each of its own material.
  local function boxes(materials)
    local blocks = { { type = "BSFadeNode", name = "Root", children = {} } }
    for i = 1, #materials do
      blocks[1].children[i] = i
      blocks[i + 1] = { type = "NiNode", name = "N" .. i, children = {}, translation = { x = 40 * i, y = 0, z = 0 } }
    end
    local doc = assert(lathe.new("nif", { bs_version = 130, blocks = blocks, footer = { roots = { 0 } } }))
    for i, material in ipairs(materials) do
      assert(doc:set_collision("N" .. i, { kind = "box", size = { 16, 16, 16 }, material = material }))
    end
    return doc
  end

  -- A scene of nodes: its picture has a note that says so, and a key of sides.
  local function nodes()
    return assert(lathe.new("nif", { bs_version = 100, blocks = {
      { type = "NiNode", name = "Root", children = { 1, 2 } },
      { type = "NiNode", name = "L Hand", children = {}, translation = { x = 30, y = 0, z = 30 } },
      { type = "NiNode", name = "R Foot", children = {}, translation = { x = -30, y = 0, z = -30 } } } }))
  end

  -- The texts of key and notes, those below the title and its size: from the top to the bottom.
  local function below(list)
    local found = {}
    for _, one in ipairs(list) do
      if one.size > 13 and one.y > 75 and #one.text > 1 and not one.text:find " units?" then found[#found + 1] = one end
    end
    return found
  end

  it("breaks a note into lines between words, and draws above them", function()
    local doc <close> = nodes()
    local whole = lathe.preview(doc, folder .. "/a.svg", { size = "900x300" }).notes[1]
    for _, size in ipairs { "200x300", "240x240", "320x300", "480x360", "900x300" } do
      local wide, high = size:match "(%d+)x(%d+)"
      local lines, words, top = {}, {}, math.huge
      local svg = drawn(doc, { size = size })
      for _, one in ipairs(below(texts(svg))) do
        assert.is_true(one.x + one.width <= wide - 10, size .. ": " .. one.text)
        assert.is_true(one.y <= high - 10, size)
        if whole:find(one.text, 1, true) then
          words[#words + 1] = one.text
          lines[#lines + 1], top = one.y, math.min(top, one.y)
        end
      end
      assert.equal(whole, table.concat(words, " "), size)
      for i = 2, #lines do assert.equal(18, lines[i] - lines[i - 1]) end
      for y, r in svg:gmatch '<circle cx="[%d.-]+" cy="([%d.-]+)" r="([%d.]+)"' do
        assert.is_true(y + r < top - 10, size .. ": a bone lies over the notes")
      end
    end
  end)

  it("says how many notes and colours have no room in a small picture", function()
    local doc <close> = nodes()
    local function told(size)
      local one = find(texts(drawn(doc, { size = size })), "no room")
      return one and one.text
    end
    assert.equal("no room: 3 colours, 1 note", told "200x150")
    assert.equal("no room: 1 note", told "200x180")
    assert.is_nil(told "300x110") -- a line would take too much of it
    assert.is_nil(told "300x240")
  end)

  it("shows all colours of the key with whole names, or says how many more there are", function()
    local names = { "0x00000001", "stone", "0x00000003", "metal", "0x00000005", "wood", "0x00000007", "0x00000008",
      "0x00000009", "0x0000000A", "0x0000000B", "0x0000000C", "0x0000000D", "0x0000000E" }
    local materials, known = {}, {}
    for i, name in ipairs(names) do
      materials[i], known[name] = tonumber(name) or name, true
    end
    local doc <close> = boxes(materials)
    local all, cut = 0, 0
    for _, size in ipairs { "200x130", "200x200", "240x240", "300x400", "400x240", "640x200", "640x480", "900x700" } do
      local wide, high = size:match "(%d+)x(%d+)"
      local shown, more = 0, 0
      local svg = drawn(doc, { size = size, what = "collision" })
      for _, one in ipairs(texts(svg)) do
        if known[one.text] then
          shown = shown + 1
          assert.is_true(one.x + one.width <= wide - 5, size)
          assert.is_true(one.y <= high - 10, size)
        end
        more = tonumber(one.text:match "^… and (%d+) more$" or one.text:match "^no room: (%d+) colours$") or more
      end
      local _, squares = svg:gsub('width="11" height="11"', "")
      assert.equal(shown, squares, size)
      assert.equal(#names, shown + more, size)
      all, cut = all + (more == 0 and 1 or 0), cut + (more > 0 and 1 or 0)
    end
    assert.is_true(all >= 2 and cut >= 2, ("%d whole, %d cut"):format(all, cut))
  end)

  it("leaves key and notes to the report in a small cell of a sheet", function()
    local bones <close> = nodes()
    local solid <close> = boxes { "stone", "wood" }
    local report = assert(lathe.preview({ bones, solid }, folder .. "/a.svg", { size = "400x150" }))
    assert.equal(1, #report.notes)
    assert.is_nil(helper.read(folder .. "/a.svg"):find("no room", 1, true))
    assert.is_nil(helper.read(folder .. "/a.svg"):find(">stone<", 1, true))
    assert(lathe.preview({ bones, solid }, folder .. "/a.svg", { size = "800x300" }))
    assert.truthy(helper.read(folder .. "/a.svg"):find(">stone<", 1, true))
  end)
end)
