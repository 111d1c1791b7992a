-- Poses in pictures are those of anim:sample, and an SVG is XML whatever names are in it.

local helper = require "helper"
local lathe = require "lathe"

local EXAMPLES <const> = "scripts/examples/"

local function rotated(q, v)
  local x, y, z, w = q[1], q[2], q[3], q[4]
  local tx, ty, tz = 2 * (y * v[3] - z * v[2]), 2 * (z * v[1] - x * v[3]), 2 * (x * v[2] - y * v[1])
  return { v[1] + w * tx + y * tz - z * ty, v[2] + w * ty + z * tx - x * tz, v[3] + w * tz + x * ty - y * tx }
end

local function product(a, b)
  return { a[4] * b[1] + a[1] * b[4] + a[2] * b[3] - a[3] * b[2], a[4] * b[2] - a[1] * b[3] + a[2] * b[4] + a[3] * b[1],
    a[4] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[4], a[4] * b[4] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3] }
end

-- Where each bone is. The skeletons here have no scales.
local function places(skeleton, anim, time)
  local all = {}
  local function place(i)
    local bone = skeleton.bones[i]
    if all[i] then return all[i] end
    local track = anim.tracks[bone.name]
    local t, q = bone.pose.t, bone.pose.q
    if track then t, q = track:sample { time = time } end
    local one = { t = { t[1], t[2], t[3] }, q = { q[1], q[2], q[3], q[4] } }
    if bone.parent and bone.parent >= 0 then
      local up = place(bone.parent + 1)
      local v = rotated(up.q, one.t)
      one = { t = { up.t[1] + v[1], up.t[2] + v[2], up.t[3] + v[3] }, q = product(up.q, one.q) }
    end
    all[i] = one
    return one
  end
  for i = 1, #skeleton.bones do place(i) end
  return all
end

local function extent(points, k)
  local low, high = math.huge, -math.huge
  for _, p in ipairs(points) do low, high = math.min(low, p[k]), math.max(high, p[k]) end
  return low, high
end

-- Seen from the front of Havok's characters, which look along y with z up: x goes to the left.
local function check(clip, skeleton, time, folder)
  local bones = assert(lathe.open(skeleton))
  local doc = assert(lathe.open(clip, { skeleton = bones }))
  local path = folder .. "/pose.svg"
  assert(lathe.preview(doc, path, { skeleton = bones, time = time, view = "front" }))
  local circles = {}
  for x, y in helper.read(path):gmatch '<circle cx="([%d.-]+)" cy="([%d.-]+)" r="[^"]*" fill="#%x+"/>' do
    circles[#circles + 1] = { tonumber(x), tonumber(y) }
  end
  local points = {}
  for i, one in ipairs(places(bones.skeletons[1], doc.animations[1], time)) do points[i] = { -one.t[1], -one.t[3] } end
  assert(#circles >= #points)
  while #circles > #points do circles[#circles] = nil end -- the axis that points to the viewer
  local scale, shift = 0, {}
  for k = 1, 2 do
    local low, high = extent(points, k)
    local from, to = extent(circles, k)
    scale = math.max(scale, (to - from) / (high - low))
    shift[k] = { low, from }
  end
  for i, p in ipairs(points) do
    local nearest = math.huge
    for _, c in ipairs(circles) do
      local x, y = (p[1] - shift[1][1]) * scale + shift[1][2], (p[2] - shift[2][1]) * scale + shift[2][2]
      nearest = math.min(nearest, math.max(math.abs(x - c[1]), math.abs(y - c[2])))
    end
    assert(nearest < 1, ("bone %d is %.2f pixels from its place"):format(i, nearest))
  end
  doc:close()
  bones:close()
end

describe("poses in pictures", function()
  local folder
  before_each(function() folder = helper.tmpdir() end)

  it("are those of anim:sample in a made clip", function()
    for _, time in ipairs { 0, 0.31, 1 } do check(EXAMPLES .. "wave.hkx", EXAMPLES .. "skeleton.hkx", time, folder) end
  end)

  it("are those of anim:sample in clips of the corpus", function()
    local hkx = helper.need_corpus("hkx", pending)
    if not hkx then return end
    check(hkx .. "/skyrim-se/bow_drawlight.hkx", hkx .. "/skyrim-se/skeleton.hkx", 1, folder)
    check(hkx .. "/fo4/Death1.hkx", hkx .. "/fo4/skeleton.hkx", 1.3, folder)
  end)

  it("stand in XML whatever their names hold #tools", function()
    local python = "/usr/bin/python3"
    if helper.run({ python, "-c", "import xml.dom.minidom" }).code ~= 0 then pending "python3 is not installed" end
    local names = { "</script>", "\"'&<!-- ]]>",
      "a\u{2028}b\u{202e}c\u{200f}d", "\255\192\128\237\160\128", "\1\8\27" }
    local bones = {}
    for i, name in ipairs(names) do
      bones[i] = { name = name, parent = i > 1 and i - 2 or nil, pose = { t = { 10 * i, 0, 30 } } }
    end
    local doc = assert(lathe.new("hkx", { game = "skyrim-se", skeleton = { name = names[1], bones = bones } }))
    local path = folder .. "/names.svg"
    for _, title in ipairs(names) do
      assert(lathe.preview(doc, path, { what = "skeleton", names = true, view = "front", title = title }))
      local r = helper.run { python, "-c", "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])", path }
      assert.equal(0, r.code, r.err)
      local svg = helper.read(path)
      for _, shown in ipairs { "&lt;/script&gt;", "&quot;'&amp;&lt;!-- ]]&gt;", "a\\u{2028}b\\u{202E}c\\u{200F}d",
        "\\xFF\\xC0\\x80\\xED\\xA0\\x80", "\\x01\\x08\\x1B" } do
        assert.truthy(svg:find('font%-size="1[%d.]+"[^>]*>' .. shown:gsub("%p", "%%%0") .. "</text>"), shown)
      end
      for _, text in ipairs { "<script", "</script", "\u{2028}", "\u{202e}", "\u{200f}", "\255" } do
        assert.is_nil(svg:find(text, 1, true))
      end
    end
    doc:close()
  end)
end)
