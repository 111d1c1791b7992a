-- Lugaru's models as other programs see them: files that the glTF validator accepts, right side out.

local glb = require "glb"
local helper = require "helper"
local lathe = require "lathe"
local seen = require "seen"

local MODELS = "/usr/share/games/lugaru/Models" -- Debian's lugaru-data

-- Export of all models in a folder; their paths without an extension.
local function export_all(from, names)
  local folder, out = helper.tmpdir(), {}
  for i, name in ipairs(names) do
    local doc <close> = assert(lathe.open(from .. "/" .. name))
    out[i] = folder .. "/" .. name:gsub("%.solid$", "")
    local report = assert(lathe.export(doc, out[i] .. ".glb"))
    assert.same({}, report.skipped)
    assert.equal(#doc.triangles, report.triangles)
    assert(lathe.export(doc, out[i] .. ".obj"))
    assert.equal(3 * #doc.triangles, require("lathe.import.obj").corners(helper.read(out[i] .. ".obj")))
  end
  return out
end

-- The share of what is seen that is seen from behind.
local function backs(path, turn)
  local back, all = seen.backs(glb.parse(helper.read(path .. ".glb")), turn, 10)
  assert.is_true(all > 200)
  return back / all
end

describe("every model", function()
  it("of the corpus is exported #corpus", function()
    local from = helper.need_corpus("wolfire/solid", pending)
    local paths = export_all(from, helper.list(from, "%.solid$"))
    for i, path in ipairs(paths) do paths[i] = path .. ".glb" end
    glb.validate(paths, { " info ACCESSOR_INDEX_TRIANGLE_DEGENERATE " })
  end)

  it("of the game is exported, right side out", function()
    if not helper.exists(MODELS) then pending "NOT TESTED: the package lugaru-data is not installed" end
    local paths = export_all(MODELS, helper.list(MODELS, "%.solid$"))
    for _, path in ipairs(paths) do
      local name = path:match "[^/]+$"
      if name:match "^Body" or name:match "^Wolf" or name == "Box" or name == "Sword" or name == "Rabbit" then
        for turn = 0, 270, 90 do
          local share = backs(path, turn)
          assert.is_true(share < 0.02, ("%s at %d: %g from behind"):format(name, turn, share))
        end
      end
    end
    for i, path in ipairs(paths) do paths[i] = path .. ".glb" end
    glb.validate(paths)
  end)
end)
