-- Bones of a mesh that the skeleton lacks: carried by the nodes of a second one, else told once; and collision that is left
-- out beside bones.

local golden_files = require "golden_files"
local helper = require "helper"
local lathe = require "lathe"

local SKELETON <const>, CLIP <const> = "scripts/examples/skeleton.hkx", "scripts/examples/wave.hkx"
local LACKS <const> = "the skeleton has no such bone: it stays at rest"

local function node(name, children, place)
  return { type = "NiNode", name = name, children = children, translation = place, scale = 1 }
end

describe("bones that the skeleton lacks", function()
  local folder
  before_each(function() folder = helper.tmpdir() end)

  local function body(rename)
    local doc = assert(lathe.parse(golden_files["body.nif"](), { format = "nif" }))
    for _, block in ipairs(doc.blocks) do
      if lathe.type(block) == "NiNode" and rename[block.name] then block.name = rename[block.name] end
    end
    return doc
  end

  -- Pixels of a pose, and its report.
  local function draw(mesh, skeleton, more)
    local opts = { clip = CLIP, skeleton = skeleton, time = 0.5, size = "200x150", view = "front", title = "pose" }
    for name, value in pairs(more or {}) do opts[name] = value end
    local path = folder .. "/a.png"
    local report = assert(lathe.preview(mesh, path, opts))
    return helper.read(path), report
  end

  -- As in skeleton.nif of Fallout 4: the bone of the skin is a child of the one that moves, at another place than it.
  local function extra()
    return assert(lathe.new("nif", { bs_version = 130, blocks = { node("Root", { 1 }, { 0, 0, 0 }),
      node("NPC R Hand", { 2 }, { 5, 5, 5 }), node("Hand_skin", {}, { 0, 0, 0 }) } }))
  end

  it("move with their parents among the nodes of a second one", function()
    local plain <close> = body {}
    local skinned <close> = body { ["NPC R Hand"] = "Hand_skin" }
    local nodes <close> = extra()
    local want = draw(plain, SKELETON)
    local lacking, report = draw(skinned, SKELETON)
    assert.is_false(want == lacking)
    assert.same({ { path = "Hand_skin", reason = LACKS } }, report.skipped)
    for _, list in ipairs { { SKELETON, nodes }, { nodes, SKELETON } } do
      local pixels, said = draw(skinned, list)
      assert.same({}, said.skipped)
      assert.is_true(want == pixels)
    end
    local path = folder .. "/strip.png"
    local said = assert(lathe.preview(skinned, path, { clip = CLIP, skeleton = SKELETON, frames = 3 }))
    assert.same({ { path = "Hand_skin", reason = LACKS } }, said.skipped)
  end)

  it("are found whatever the case of their letters", function()
    local plain <close> = body {}
    local shouted <close> = body { ["NPC R Hand"] = "npc r hAND" }
    local pixels, said = draw(shouted, SKELETON)
    assert.same({}, said.skipped)
    assert.is_true(draw(plain, SKELETON) == pixels)
  end)

  it("move with their parents among the mesh's own nodes", function()
    local plain <close> = body {}
    local own <close> = body { ["NPC R Hand"] = "Hand_skin" }
    own:edit(function() -- root, upper arm, a node for the hand, and the bone
      own.blocks:append(node("NPC R Hand", { 3 }, { 56, 0, 108 }))
      own.blocks[1].children = { 1, 2, #own.blocks - 1, 4 }
      own.blocks[4].translation = { 0, 0, 0 }
    end)
    local pixels, said = draw(own, SKELETON)
    assert.same({}, said.skipped)
    assert.is_true(draw(plain, SKELETON) == pixels)
  end)

  it("are told once, however many parts they move", function()
    local two <close> = body { ["NPC R Hand"] = "B", ["NPC R UpperArm"] = "A" }
    two:edit(function()
      local shape = two.blocks[5]:totable()
      shape.type = lathe.type(two.blocks[5])
      two.blocks:append(shape)
      two.blocks[1].children:append(#two.blocks - 1)
    end)
    local n = 0
    for _ in two:meshes() do n = n + 1 end
    assert.equal(2, n)
    local _, said = draw(two, SKELETON)
    assert.same({ { path = "A", reason = LACKS }, { path = "B", reason = LACKS } }, said.skipped)
  end)

  it("need lists of a skeleton and a model", function()
    local mesh <close> = body {}
    local nodes <close> = extra()
    local ok, err = lathe.preview(mesh, folder .. "/a.png", { clip = CLIP, skeleton = { nodes, nodes }, time = 0 })
    assert.is_nil(ok)
    assert.equal("it contains no skeleton", err.message)
    ok, err = lathe.preview(mesh, folder .. "/a.png", { clip = CLIP, skeleton = { SKELETON, SKELETON }, time = 0 })
    assert.is_nil(ok)
    assert.equal("the second skeleton has no nodes: a model is expected", err.message)
    for _, bad in ipairs { {}, { SKELETON, nodes, nodes }, { SKELETON, 7 } } do
      assert.has_error(function() lathe.preview(mesh, folder .. "/a.png", { skeleton = bad }) end)
    end
  end)

  it("of Fallout 4's body are those of skeleton.nif #corpus", function()
    local corpus = helper.need_corpus("hkx/fo4/Death1.hkx", pending):gsub("/hkx/fo4/Death1.hkx$", "")
    local opts = { mesh = corpus .. "/nif/fo4_VanillaMaleBody.nif", time = 1.3, size = "200x150",
      skeleton = corpus .. "/hkx/fo4/skeleton.hkx" }
    local doc <close> = assert(lathe.open(corpus .. "/hkx/fo4/Death1.hkx"))
    local alone = assert(lathe.preview(doc, folder .. "/a.png", opts))
    assert.is_true(#alone.skipped > 40)
    local seen = {}
    for _, one in ipairs(alone.skipped) do
      assert.is_nil(seen[one.path], one.path)
      seen[one.path] = true
    end
    opts.skeleton = { opts.skeleton, corpus .. "/nif-fo4-collision/skeleton.nif" }
    local both = assert(lathe.preview(doc, folder .. "/a.png", opts))
    assert.same({}, both.skipped)
    assert.same({}, both.notes)
  end)
end)

describe("the collision beside bones", function()
  it("is told to be left out #corpus", function()
    local doc <close> = assert(lathe.open(helper.need_corpus("hkx/skyrim-se/skeleton.hkx", pending)))
    local path = helper.tmpdir() .. "/a.png"
    local why = "the collision (19 shapes) is not drawn over bones: ask for 'collision'"
    assert.same({ { path = "skeleton.hkx", reason = why } }, assert(lathe.preview(doc, path)).skipped)
    assert.same({}, assert(lathe.preview(doc, path, { what = "skeleton" })).skipped)
    assert.same({}, assert(lathe.preview(doc, path, { what = "collision" })).skipped)
  end)
end)
