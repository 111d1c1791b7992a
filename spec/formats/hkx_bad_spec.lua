-- Packfiles that are broken: refused with what is wrong and where, or read as far as they make sense. Nothing of
-- them may crash, hang or take memory without bound.

local checks = require "format_checks"
local damage = require "format_damage"
local lathe = require "lathe"
local pieces = require "hkx_pieces"
local sample = require "sample_hkx"

local LAYOUTS = {
  { game = "skyrim-le" }, { game = "skyrim-se" }, { game = "fallout4" }, { game = "fallout4", embedded = true },
  { game = "skyrim-le", endian = ">" }, { game = "fallout4", endian = ">" },
}

local function with(layout, opts)
  local all = {}
  for k, v in pairs(opts) do all[k] = v end
  for k, v in pairs(layout) do all[k] = v end
  return all
end

local function refused(bytes, path)
  local doc, err = lathe.parse(bytes, { format = "hkx", path = path })
  assert.is_nil(doc, "it opened")
  assert(math.type(err.offset) == "integer" and err.offset <= #bytes, tostring(err))
  return tostring(err)
end

-- What a look at something raises.
local function raises(says, fn, ...)
  local ok, err = pcall(fn, ...)
  assert.is_false(ok, "nothing raised")
  assert.equal("table", type(err), tostring(err))
  assert.equal("sample.hkx: " .. says, tostring(err))
end

local function field(name) return function(view) return view[name] end end

-- A skeleton as small as can be, and one with a clip.
local function small(layout)
  return sample.skeleton(with(layout, { bones = { "A", "B" }, float_slots = { "f" }, resource = false }))
end

local function clip(layout)
  return sample.clip(with(layout, { tracks = 1, frames = 2, resource = false, motion = true, floats = { 1 },
    annotations = { { time = 0, text = "t" } } }))
end

local function opaque(layout)
  local last = sample.opaque("hkThing", 1, ("z"):rep(16))
  return sample.build(sample.root { { "x", "hkThing",
    sample.opaque("hkThing", 1, ("\0"):rep(32), { { 0, 16 } }, { { 8, last } }) } }, layout)
end

describe("hkx damaged", function()
  for _, layout in ipairs(LAYOUTS) do
    local name = layout.game .. (layout.endian or "") .. (layout.embedded and " embedded" or "")
    local samples = { skeleton = small(layout), clip = clip(layout), opaque = opaque(layout) }
    for _, which in ipairs { "skeleton", "clip", "opaque" } do
      local bytes = samples[which]
      it(("%s %s: every prefix"):format(name, which), function()
        damage.prefixes("hkx", bytes, true)
      end)
      it(("%s %s: every word"):format(name, which), function()
        damage.words("hkx", bytes, { "\255\255\255\255", "\255\255\255\127", "\127\255\255\255", "\0\0\0\0",
          "\16\0\0\0", "\0\0\0\16" }, true)
      end)
      it(("%s %s: random bytes"):format(name, which), function()
        damage.flips("hkx", bytes, 1500, 81, true)
      end)
    end
  end
end)

describe("hkx refuses", function()
  local bytes = small { game = "fallout4" }

  local function patched(at, with_bytes) return refused(sample.patch(bytes, at, with_bytes)) end

  it("other versions, pointers and layouts, by their names", function()
    assert.equal("at 0xc: packfile version 9 (hk_2014.1.0-r1): lathe reads 8 and 11", patched(0x0C, "\9"))
    assert.equal("at 0xc: packfile version 12 (hk_2014.1.0-r1): lathe reads 8 and 11", patched(0x0C, "\12"))
    assert.equal("at 0xc: packfile version -1 (hk_2014.1.0-r1): lathe reads 8 and 11",
      patched(0x0C, "\255\255\255\255"))
    assert.equal("at 0x10: pointers of 2 bytes", patched(0x10, "\2"))
    assert.equal("at 0x12: a layout that uses the padding of base classes (PlayStation 4)", patched(0x12, "\1"))
    local old = small { game = "skyrim-le" }
    assert.equal("at 0xc: packfile version 9 (hk_2013.1.0-r1): lathe reads 8 and 11",
      refused(sample.patch(sample.patch(old, 0x0C, "\9"), 0x28, "hk_2013.1.0-r1")))
  end)

  it("what is no packfile", function()
    local tag = "\0\0\1\0TAG0\0\0\0\16SDKV20150100"
    local binary = "\xCA\xB0\x0D\xCE\x0D\xF0\x11\xD0" .. ("\0"):rep(64)
    local xml = '<?xml version="1.0" encoding="ascii"?>\n<hkpackfile classversion="8" contentsversion="hk_2010.2.0-r1">'
    local says = {
      [tag] = "a Havok tagfile (TAG0), not a packfile: lathe does not read these yet",
      [binary] = "a binary Havok tagfile of 2010..2014, not a packfile: lathe does not read these",
      [xml] = "an XML packfile: lathe reads binary ones; convert it with Havok's own tools or hkxcmd",
    }
    for text, message in pairs(says) do
      for _, path in ipairs { "a.hkx", "a.xml", "a.solid", "a" } do
        local doc, err = lathe.parse(text, { path = path })
        assert.is_nil(doc)
        assert.equal(("%s: at 0x0: %s"):format(path, message), tostring(err))
        assert.equal("unsupported", err.code)
      end
    end
    assert.equal("at 0x0: not a Havok packfile", refused(("x"):rep(100)))
    assert.equal("at 0x20: the header of a packfile takes 64 bytes", refused(bytes:sub(1, 32)))
  end)

  it("sections that are not where they must be", function()
    local start = 0x50
    local cases = {
      { 0x14, "\1", "num_sections at 0x14: 1 sections, not 2 to 16" },
      { 0x14, "\17", "num_sections at 0x14: 17 sections, not 2 to 16" },
      { 0x14, "\255\255\255\255", "num_sections at 0x14: -1 sections, not 2 to 16" },
      { 0x18, "\1", "contents_section_index at 0x18: sections in an order that lathe does not know" },
      { 0x20, "\1", "contents_class_name_section_index at 0x20: sections in an order that lathe does not know" },
      { start + 0x14, "\0", "sections[1].absolute_data_start at 0x64: section 1 at 0x100, expected at 0x110" },
      { start + 0x40 + 0x14, "\0\0", "" },
      { start + 0x80 + 0x14, "\0\0", "" },
      { start + 0x80 + 0x18, "\255\255\255\127", "" },
      { start + 0x80 + 0x1C, "\0\0\0\0", "" },
      { start + 0x80 + 0x2C, "\0\0\0\0", "" },
      { start + 0x2C, "\255\255\255\255", "" },
      { 0x3E, "\255\127", "" },
    }
    for _, case in ipairs(cases) do assert.equal(case[3], patched(case[1], case[2])) end
  end)
end)
