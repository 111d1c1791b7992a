-- `lathe import MESH --like FILE`: what was exported comes back to where it was, in the space of its shape.
-- #tools: the verbs and assignments that it uses have specs of their own, which run under sanitizers.

local helper = require "helper"
local lathe = require "lathe"
local transcript = dofile "spec/cli/transcript.lua"

describe("a mesh that went out and came back #tools", function()
  local folder, env

  before_each(function() folder, env = transcript.folder() end)

  -- The largest difference of positions between two files.
  local function difference(a, b)
    local one <close>, meshes = assert(lathe.open(a)), {}
    local other <close> = assert(lathe.open(b))
    for mesh in other:meshes() do meshes[#meshes + 1] = mesh end
    local worst, count = 0, 0
    for mesh in one:meshes() do
      count = count + 1
      local now = meshes[count]
      assert.equal(mesh.positions.rows, now.positions.rows)
      for i = 1, mesh.positions.rows * 3 do
        worst = math.max(worst, math.abs(mesh.positions[i] - now.positions[i]))
      end
    end
    assert.equal(count, #meshes)
    return worst, count
  end

  local function there_and_back(path)
    return helper.run(("lathe export %s -o x.glb && lathe import x.glb --like %s -o back.nif"):format(helper.quote(path),
      helper.quote(path)), { cwd = folder, env = env })
  end

  it("is where it was below a node that is moved, turned and larger", function()
    local path = folder .. "/moved.nif"
    local doc <close> = assert(lathe.open "scripts/examples/stock.nif")
    local node = doc.blocks[1]
    node.translation, node.scale = { 100, -20, 3 }, 2
    node.rotation = { 0, 1, 0, -1, 0, 0, 0, 0, 1 }
    doc.blocks[2].translation = { 1, 2, 3 }
    assert(doc:save(path))
    local r = there_and_back(path)
    assert.equal(0, r.code, r.err)
    assert.is_true(difference(path, folder .. "/back.nif") < 1e-4)
    local back <close> = assert(lathe.open(folder .. "/back.nif"))
    for i = 1, 9 do -- normals are stored in bytes
      assert.is_near(doc.blocks[2].normals[i], back.blocks[2].normals[i], 1 / 120)
    end
  end)

  it("is where it was in files of games #corpus", function()
    local corpus = helper.need_corpus("nif", pending)
    if corpus:sub(1, 1) ~= "/" then corpus = helper.root .. "/" .. corpus end
    for _, name in ipairs { "le_volendrung", "le_noblecrate01", "sse_TestNifFile_OrderedNode_SE" } do
      local path = helper.run(("find %s -name %s.nif"):format(helper.quote(corpus), name)).out:match "[^\n]+"
      assert.is_string(path, name)
      local r = there_and_back(path)
      assert.equal(0, r.code, r.err)
      local worst, count = difference(path, folder .. "/back.nif")
      assert.is_true(worst < 1e-4 and count > 0, ("%s: %g"):format(name, worst))
    end
    local skinned = helper.run(("find %s -name fo4_BaseMaleHead.nif"):format(helper.quote(corpus))).out:match "[^\n]+"
    local r = there_and_back(skinned)
    assert.equal(1, r.code)
    assert.equal("lathe: x.glb: shape 'BaseMaleHead:0' has a skin: only shapes without one can be replaced\n", r.err)
  end)
end)
