-- Every file of the corpus with meshes, collision, a skeleton or a clip has a picture that is not empty, or is refused as
-- documented. #corpus #tools: pending, loudly, where there is no corpus.

local helper = require "helper"
local lathe = require "lathe"
local lfs = require "lfs"
local png_reader = require "png_reader"

-- Folders, and how many of their documents are drawn, have nothing to draw, and are refused: clips without a skeleton
-- beside them, animations of NIF files (.kf), and damaged files.
local FOLDERS <const> = {
  bphsh = { 25, 11, 0 },
  hkx = { 16, 1, 0 },
  nif = { 107, 8, 0 },
  ["nif-animation"] = { 7, 1, 9 },
  ["nif-fo4-collision"] = { 40, 0, 0 },
  precombined = { 17, 10, 0 },
  tagfile = { 3, 0, 1 },
  wolfire = { 74, 18, 49 },
}
-- The share of pixels that the emptiest picture has, at least: five small marks, or a thin lamp below a title of two lines.
local LEAST <const> = 0.0125
local WIDTH <const>, HEIGHT <const> = 160, 120
local NO_SKELETON <const> = "the clip has no skeleton"

-- Where the thing itself is drawn: below the title, inside the margins.
local LEFT <const>, TOP <const> = 10, 56

local function share_of(path)
  local picture = png_reader.read(helper.read(path))
  assert.same({ WIDTH, HEIGHT }, { picture.width, picture.height })
  return png_reader.share(picture, LEFT, TOP, WIDTH - 2 * LEFT, HEIGHT - TOP - LEFT)
end

-- The number of triangles of a document; 0 where it has none, or none that can be read.
local function triangles_of(doc, what)
  local n = 0
  pcall(function()
    for mesh in doc:meshes { what = what } do n = n + mesh.indices.rows end
  end)
  return n
end

local function has_note(report, text)
  for _, one in ipairs(report.notes or {}) do
    if one == text then return true end
  end
  return false
end

-- What is wrong with the picture of a document, or nil.
local function fault_of(doc, path, out)
  local report, err = lathe.preview(doc, out, { size = WIDTH .. "x" .. HEIGHT })
  if not report then
    local clip = tostring(err):find(NO_SKELETON, 1, true) and doc.animations and #doc.animations > 0
    clip = clip or path:find "%.kf$" and tostring(err):find("animation without a skeleton", 1, true)
    return not clip and not path:find("/bad/", 1, true) and tostring(err) or nil, "refused"
  end
  if has_note(report, "no geometry") then
    local seen = report.triangles > 0 or (doc.skeletons and #doc.skeletons > 0)
    local missing = #report.skipped == 0 and triangles_of(doc) + triangles_of(doc, "collision") > 0
    return (seen or missing) and "drawn without geometry" or nil, "empty"
  end
  local share = share_of(out)
  return share < LEAST and ("nearly empty: %.4f"):format(share) or nil, "drawn"
end

-- The files in a folder and those below, in order.
local function files_of(folder, list)
  local names = {}
  for name in lfs.dir(folder) do
    if not name:find "^%." then names[#names + 1] = folder .. "/" .. name end
  end
  table.sort(names)
  for _, path in ipairs(names) do
    if lfs.attributes(path, "mode") == "directory" then
      files_of(path, list)
    elseif not path:find "%.json$" then
      list[#list + 1] = path
    end
  end
  return list
end

describe("pictures of the corpus #corpus #tools", function()
  for folder, expected in pairs(FOLDERS) do
    it("are not empty: " .. folder, function()
      local root, out = helper.need_corpus(folder, pending), helper.tmpdir() .. "/a.png"
      local kinds, faults = { drawn = 0, empty = 0, refused = 0 }, {}
      for _, path in ipairs(files_of(root, {})) do
        local doc <close> = lathe.open(path)
        if doc then
          local fault, kind = fault_of(doc, path, out)
          kinds[kind] = kinds[kind] + 1
          if fault then faults[#faults + 1] = path .. ": " .. fault end
        end
      end
      assert.same({}, faults)
      assert.same(expected, { kinds.drawn, kinds.empty, kinds.refused })
    end)
  end
end)
