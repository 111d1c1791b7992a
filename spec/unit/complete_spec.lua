-- Completion, without a terminal.

local complete = require "lathe.repl.complete"
local helper = require "helper"
local lathe = require "lathe"
local write_fixtures = dofile "spec/cli/fixtures.lua"

describe("complete", function()
  local env

  setup(function()
    local folder = helper.tmpdir()
    write_fixtures(folder)
    env = setmetatable({
      doc = assert(lathe.open(folder .. "/tri.solid")),
      rig = assert(lathe.open(folder .. "/rig.fzx")),
      i = 2,
    }, { __index = _G })
    env.docs = { env.doc, env.rig }
  end)

  -- As readline asks: words break at spaces, brackets of calls, quotes and "=".
  local function words(line)
    local from = line:match ".*[ (='\"{>]()" or 1
    return complete.words(line, from, #line, env)
  end

  it("gives whole dotted paths", function()
    assert.same({ "doc.vertex_count", "doc.vertices" }, words "doc.vert")
    assert.same({ "doc.vertices[1].x", "doc.vertices[1].y", "doc.vertices[1].z" },
      words "doc.vertices[1].")
  end)

  it("follows indices, variables and documents", function()
    assert.same({ "rig.objects[i].label" }, words "rig.objects[i].la")
    assert.same({ "docs[2].footer" }, words "docs[2].foo")
    assert.same({ "doc.vertices[doc.vertex_count" }, words "doc.vertices[doc.vertex_c")
  end)

  it("keeps what stands before the name", function()
    assert.same({ "doc.vertices" }, words "x = doc.vertic")
    assert.same({ "doc.vertices" }, words "print(doc.vertic")
    assert.same({ "1+doc.vertices" }, words "1+doc.vertic")
    assert.same({ "#doc.vertices" }, words "#doc.vertic")
  end)

  it("gives methods behind a colon", function()
    assert.same({ "doc:save", "doc:scale", "doc:set" }, words "doc:s")
    env.clip = assert(lathe.new("hkx"))
    assert.same({ "clip:serialize", "clip:set", "clip:set_materials" }, words "clip:se")
    assert.same({ "doc.vertices:append", "doc.vertices:assign" }, words "doc.vertices:a")
    assert.same({ "doc.vertices[1]:totable" }, words "doc.vertices[1]:")
  end)

  it("gives the options of a verb", function()
    env.anim = assert(lathe.new("anm", { frames = { {} } }))
    assert.same({ "fps = ", "skeleton = " }, words "anim:resample { ")
    assert.same({ "fps = " }, words "anim:resample{f")
    assert.same({ "skeleton = " }, words "assert(anim:resample { fps = 30, ")
    assert.same({ "30,skeleton = " }, words "anim:resample{fps=30,sk")
    assert.same({ "t0 = ", "t1 = " }, words "anim.animations[1]:trim { t")
    assert.same({ "what = " }, words "doc:scale(2, { w")
    assert.same({ "doc.vertices" }, words "doc:scale { factor = doc.vertic") -- a value
    assert.same({ "what = " }, words "doc:scale { factor = doc.vertices[1].x, wh")
    assert.same({ "mass = ", "what = " }, words "doc:scale({ factor = f(1, { 2 }), ")
    assert.same({}, words "doc:scale { nothing")
    assert.same({ "while" }, words "doc:vertices { whi") -- no verb
    assert.same({ "while" }, words "nowhere:scale { whi")
  end)

  it("gives what documents have beside fields", function()
    assert.same({ "doc.format" }, words "doc.for")
    assert.same({ "doc.modified" }, words "doc.mod")
  end)

  it("gives names, keys of tables and words of Lua", function()
    assert.same({ "i", "if", "in", "io", "ipairs" }, words "i")
    assert.same({ "string.upper" }, words "string.up")
    assert.same({ "math.maxinteger" }, words "math.maxi")
  end)

  it("sees which brackets and quotes are a text's own", function()
    assert.same({ "doc.vertices[1].x" }, { words("f('(', \"it's ]\", doc.vertices[1].")[1] })
    assert.same({ "doc.vertices" }, words "print([[ [\"]], doc.vertic")
    assert.same({ "]].label" }, words "rig.objects[rig['object_count']].la")
    assert.same({}, words "print('doc.vertic")
    assert.same({}, words "x = 1 -- doc.vertic")
    assert.same({}, words "x = [[ doc.vertic")
  end)

  it("calls nothing, and is silent where there is nothing", function()
    env.trap = function() error "called" end
    env.loop = setmetatable({}, { __index = function() while true do end end })
    env.ring = setmetatable({ name = 1 }, {})
    getmetatable(env.ring).__index = env.ring
    for _, line in ipairs { "trap().", "loop.x.", "ring.x.", "doc.nothing.", "doc.vertices[99].", "nothing.x", "1.", "a..b",
      "doc.vertices[1].q", "env.", "(doc).ver", "]." } do
      assert.same({}, words(line))
    end
  end)
end)
