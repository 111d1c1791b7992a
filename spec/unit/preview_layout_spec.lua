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
end)
