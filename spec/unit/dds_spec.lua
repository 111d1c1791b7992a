-- Textures: pixels are those of another decoder and those of the formulas in the specifications; what lies about its
-- size or is cut is an error, in bounded memory.

local helper = require "helper"
local dice = require "dice"
local dds = require "sample_dds"

local folder

local function decode(files, largest)
  local words = { helper.build .. "/spec/c/dds_host", tostring(largest or 65535) }
  for i, bytes in ipairs(files) do
    words[#words + 1] = ("%s/%d.dds"):format(folder, i)
    helper.write(words[#words], bytes)
  end
  local r = helper.run(words)
  assert.equal(0, r.code, r.err)
  local list = dds.decoded(r.out)
  assert.equal(#files, #list)
  for _, one in ipairs(list) do assert.equal(0, one.left) end
  return list
end

local function one_of(bytes, largest) return decode({ bytes }, largest)[1] end

local function random_bytes(pick, n)
  local t = {}
  for i = 1, n do t[i] = string.char(pick(256) - 1) end
  return table.concat(t)
end

local function bytes_of(list) return string.char(table.unpack(list)) end

-- Blocks of BC7 in which each of the eight modes is as likely.
local function bc7_blocks(pick, n)
  local t = {}
  for i = 1, n do
    local mode, bytes = (i - 1) % 8, random_bytes(pick, 16)
    t[i] = string.char((bytes:byte() >> mode | 1) << mode & 255) .. bytes:sub(2)
  end
  return table.concat(t)
end

describe("the reader of DDS files", function()
  lazy_setup(function() folder = helper.tmpdir() end)

  it("decodes random blocks to the pixels of Pillow #tools", function()
    local python = "/usr/bin/python3"
    local r = helper.run { python, "-c", "import PIL" }
    if r.code ~= 0 then pending "python3-pil is not installed" end
    local pick = dice(24)
    local files, blocks = {}, 90 * 64
    for _, format in ipairs { { "DXT1", 8 }, { "DXT3", 16 }, { "DXT5", 16 }, { "ATI1", 8 }, { "ATI2", 16 } } do
      files[#files + 1] = dds.code(format[1], 96, 96, random_bytes(pick, 24 * 24 * format[2]))
    end
    files[#files + 1] = dds.dxgi(98, 360, 256, bc7_blocks(pick, blocks))
    files[#files + 1] = dds.dxgi(28, 32, 32, random_bytes(pick, 4096))
    files[#files + 1] = dds.masks(32, { 0xff0000, 0xff00, 0xff, 0xff000000 }, 32, 32, random_bytes(pick, 4096))
    local ours = decode(files)
    local paths = { python, "spec/support/dds_pixels.py" }
    for i = 1, #files do paths[#paths + 1] = ("%s/%d.dds"):format(folder, i) end
    local theirs, at = helper.run(paths), 1
    assert.equal(0, theirs.code, theirs.err)
    for i, one in ipairs(ours) do
      local rgba = one.levels[1].rgba
      local other = theirs.out:sub(at, at + #rgba - 1)
      at = at + #rgba
      if rgba ~= other then
        local k = 1
        while rgba:byte(k) == other:byte(k) do k = k + 1 end
        error(("file %d differs at byte %d: %d, Pillow %d"):format(i, k, rgba:byte(k), other:byte(k)))
      end
    end
    assert.equal(#theirs.out + 1, at)
  end)

  -- Pillow 9.4 gives an opaque black.
  it("decodes the reserved mode of BC7 to zeros, as Direct3D demands", function()
    local one = one_of(dds.dxgi(98, 4, 4, "\0" .. random_bytes(dice(3), 15)))
    assert.equal(("\0"):rep(64), one.levels[1].rgba)
  end)

  -- Pillow 9.4 maps -1 to 64 and 1 to 191, but the values 6 and 7 of a block to 0 and 255.
  it("decodes signed blocks by the formulas of the specification", function()
    local pick = dice(5)
    local n = 64
    local data = random_bytes(pick, n * 8)
    local rgba = one_of(dds.code("BC4S", 4 * n, 4, data)).levels[1].rgba
    local both = one_of(dds.dxgi(84, 4 * n, 4, (data:gsub(("."):rep(8), "%0%0")))).levels[1].rgba
    for i = 0, n - 1 do
      local a, b, low, high = ("<i1i1I4I2"):unpack(data, i * 8 + 1)
      local bits = low | high << 32
      for k = 0, 15 do
        local index = bits >> 3 * k & 7
        local x, y = math.max(a, -127) / 127, math.max(b, -127) / 127
        local v
        if index < 2 then v = index == 0 and x or y
        elseif a > b then v = ((8 - index) * x + (index - 1) * y) / 7
        elseif index < 6 then v = ((6 - index) * x + (index - 1) * y) / 5
        else v = index == 6 and -1 or 1 end
        local want = (v + 1) / 2 * 255
        local at = ((k // 4) * 4 * n + 4 * i + k % 4) * 4 + 1
        local got = rgba:byte(at)
        assert.is_true(math.abs(got - want) <= 0.5 + 1e-9, ("block %d pixel %d: %d, not %g"):format(i, k, got, want))
        assert.same({ got, got, got, 255 }, { rgba:byte(at, at + 3) })
        assert.same({ got, got, 0, 255 }, { both:byte(at, at + 3) })
      end
    end
  end)

  it("decodes uncompressed pixels of any masks", function()
    local pick = dice(9)
    local cases = {
      { 16, { 0xf800, 0x7e0, 0x1f } }, { 16, { 0x7c00, 0x3e0, 0x1f, 0x8000 } }, { 16, { 0xf00, 0xf0, 0xf, 0xf000 } },
      { 24, { 0xff0000, 0xff00, 0xff } }, { 32, { 0x3ff, 0xffc00, 0x3ff00000, 0xc0000000 } },
      { 32, { 0xff, 0xff00, 0xff0000 } }, { 8, { 0xe0, 0x1c, 0x3 } }, { 32, { 0xffffffff } },
      { 32, { 0xffff, 0xffff0000 } }, { 16, { 0xff, 0xff, 0xff, 0xff00 } },
    }
    local files = {}
    for i, case in ipairs(cases) do
      files[i] = dds.masks(case[1], case[2], 5, 3, random_bytes(pick, 15 * case[1] // 8))
    end
    for i, one in ipairs(decode(files)) do
      local size, masks, want = cases[i][1] // 8, cases[i][2], {}
      for k = 0, 14 do
        local pixel = ("<I" .. size):unpack(files[i], 129 + k * size)
        for c = 1, 4 do
          local mask = masks[c] or 0
          want[#want + 1] = mask == 0 and (c == 4 and 255 or 0) or math.floor((pixel & mask) / mask * 255 + 0.5)
        end
      end
      assert.equal(bytes_of(want), one.levels[1].rgba, "case " .. i)
    end
  end)

  it("knows grey, alpha alone, and what alpha means", function()
    local list = decode {
      dds.masks(8, { 0xff }, 2, 1, "\1\2", { flags = 0x20000 }),
      dds.masks(16, { 0xff, 0, 0, 0xff00 }, 1, 1, "\7\9", { flags = 0x20001 }),
      dds.masks(8, { 0, 0, 0, 0xff }, 1, 1, "\8", { flags = 2 }),
      dds.dxgi(61, 1, 1, "\5"), dds.dxgi(65, 1, 1, "\6"), dds.dxgi(49, 1, 1, "\5\6"),
      dds.dxgi(91, 1, 1, "\1\2\3\4"), dds.dxgi(93, 1, 1, "\1\2\3\4"), dds.dxgi(29, 1, 1, "\1\2\3\4"),
      dds.dxgi(28, 2, 1, "\50\100\20\100\9\9\9\0", { alpha = 2 }), dds.dxgi(28, 1, 1, "\1\2\3\4", { alpha = 3 }),
      dds.code("DXT2", 4, 4, ("\x88"):rep(8) .. "\xff\xff\0\0\0\0\0\0"),
    }
    local want = { "\1\1\1\255\2\2\2\255", "\7\7\7\9", "\0\0\0\8", "\5\5\5\255", "\0\0\0\6", "\5\6\0\255", "\3\2\1\4",
      "\3\2\1\255", "\1\2\3\4", "\128\255\51\100\9\9\9\0", "\1\2\3\255", ("\255\255\255\136"):rep(16) }
    for i, one in ipairs(list) do
      assert.equal(want[i], one.levels and one.levels[1].rgba, i .. ": " .. (one.message or ""))
      assert.equal(want[i]:gsub("...(.)", "%1"):find "[^\255]" ~= nil, one.alpha)
    end
  end)

  it("reads levels, computes those that are missing, and skips or reduces large ones", function()
    local function plain(w, h, value) return string.char(value):rep(w * h) end
    local data = plain(8, 5, 10) .. plain(4, 2, 20) .. plain(2, 1, 30) .. plain(1, 1, 40)
    local grey = { flags = 0x20000, levels = 4 }
    local function sizes(one)
      local t = {}
      for i, level in ipairs(one.levels) do t[i] = ("%dx%d=%d"):format(level.width, level.height, level.rgba:byte()) end
      return table.concat(t, " ")
    end
    assert.equal("8x5=10 4x2=20 2x1=30 1x1=40", sizes(one_of(dds.masks(8, { 255 }, 8, 5, data, grey))))
    assert.equal("4x2=20 2x1=30 1x1=40", sizes(one_of(dds.masks(8, { 255 }, 8, 5, data, grey), 7)))
    assert.equal("1x1=40", sizes(one_of(dds.masks(8, { 255 }, 8, 5, data, grey), 1)))
    grey.levels = 2
    assert.equal("2x1=20 1x1=20", sizes(one_of(dds.masks(8, { 255 }, 8, 5, data, grey), 2)))
    -- A volume has as many slices of each level as its depth, halved, says.
    local volume = plain(2, 2, 1) .. plain(2, 2, 2) .. plain(2, 2, 3) .. plain(1, 1, 9)
    assert.equal("2x2=1 1x1=9", sizes(one_of(dds.masks(8, { 255 }, 2, 2, volume,
      { flags = 0x20000, levels = 2, depth = 3, caps2 = 0x200000 }))))
    -- Of faces and arrays, the first one is read.
    assert.equal("2x2=1 1x1=2", sizes(one_of(dds.dxgi(61, 2, 2, plain(2, 2, 1) .. plain(1, 1, 2) .. plain(2, 2, 7) ..
      plain(1, 1, 8), { levels = 2, array = 2 }))))
    local mean = one_of(dds.masks(8, { 255 }, 3, 2, "\1\2\4\5\6\8", { flags = 0x20000 }))
    assert.equal("3x2=1 1x1=4", sizes(mean))       -- 26 / 6, rounded
  end)

  it("refuses what lies about its size, or is cut, in little memory", function()
    local blocks = ("\0"):rep(64)
    local whole = dds.dxgi(98, 8, 8, blocks)
    local files = {}
    for n = 0, #whole - 1, 3 do files[#files + 1] = whole:sub(1, n) end
    local cut = #files
    local function add(bytes) files[#files + 1] = bytes end
    add(dds.code("DXT1", 65535, 65535, blocks))
    add(dds.code("DXT1", 65535, 65535, blocks, { levels = 16 }))
    add(dds.code("DXT1", 0xffffffff, 0xffffffff, blocks, { levels = 0xffffffff }))
    add(dds.code("DXT1", 0, 4, blocks))
    add(dds.code("DXT1", 4, 4, blocks, { header = 125 }))
    add(dds.code("DXT1", 8, 8, blocks, { depth = 0xffffffff, caps2 = 0x200000, levels = 4 }))
    add(dds.code("DXT1", 8, 8, blocks, { depth = 65535, caps2 = 0x200000, levels = 4 }))
    add(dds.masks(32, { 0xff00ff }, 4, 4, blocks))
    add(dds.masks(16, { 0xff0000 }, 4, 4, blocks))
    add(dds.masks(12, { 0xf }, 4, 4, blocks))
    add(dds.masks(32, { 0xff }, 4, 4, blocks, { flags = 0x20 }))
    add(dds.code("RXGB", 4, 4, blocks))
    add(dds.code("t\0\0\0", 4, 4, blocks))
    add(dds.dxgi(95, 4, 4, blocks))
    add(dds.dxgi(0xffffffff, 4, 4, blocks))
    local list = decode(files, 1024)
    for i, one in ipairs(list) do
      assert.is_nil(one.levels, i)
      assert.is_true(one.most < 100000, i .. " took " .. one.most)
    end
    assert.equal("not a DDS file", list[1].message)
    assert.equal("DDS file cut in its header", list[10].message)
    assert.equal("DDS file cut: 8 x 8 pixels need 64 bytes at 0x94, 62 are left", list[cut].message)
    local messages = {}
    for i = cut + 1, #list do messages[#messages + 1] = list[i].message end
    assert.same({
      "DDS file whose smallest level has 65535 x 65535 pixels; lathe reduces at most 67108864 pixels",
      "DDS file cut: 1023 x 1023 pixels need 524288 bytes at 0xaaa00080, 0 are left",
      "DDS file of 4294967295 x 4294967295 x 1 pixels; lathe reads at most 65535 in each direction",
      "DDS file without pixels",
      "DDS file whose header does not have 124 bytes",
      "DDS file of 8 x 8 x 4294967295 pixels; lathe reads at most 65535 in each direction",
      "DDS file cut: 4 x 4 pixels need 8 bytes at 0x200060, 0 are left",
      "DDS file whose pixels of 32 bits have a channel with mask 0xff00ff",
      "DDS file whose pixels of 16 bits have a channel with mask 0xff0000",
      "DDS file with 12 bits for each pixel; lathe decodes 8, 16, 24 and 32",
      "DDS file with pixels of unknown kind (flags 0x20)",
      'DDS file with pixels of format "RXGB", which lathe cannot decode',
      "DDS file with pixels of Direct3D format 116, which lathe cannot decode",
      "DDS file with pixels of DXGI format 95, which lathe cannot decode (BC6H)",
      "DDS file with pixels of DXGI format 4294967295, which lathe cannot decode",
    }, messages)
  end)

  it("makes a file without levels smaller row by row", function()
    local one = one_of(dds.code("DXT1", 4096, 2048, ("\xff\xff\0\0\0\0\0\0"):rep(1024 * 512)), 64)
    assert.same({ 64, 32, 7 }, { one.levels[1].width, one.levels[1].height, #one.levels })
    assert.is_nil(one.levels[1].rgba:find "[^\255]")
    assert.is_true(one.most < 200000, one.most)
  end)
end)
