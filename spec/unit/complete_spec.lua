-- Completion, without a terminal.

local choices = require "lathe.repl.choices"
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

  -- The possible words at the end of a line, without what stands before the quote.
  local function in_quotes(line)
    local found = {}
    for i, word in ipairs(complete.words(line, 1, #line, env)) do found[i] = word:sub(#line:match "^.*[\"']" + 1) end
    return found
  end

  it("gives the values of enumerations", function()
    env.nif = assert(lathe.open "scripts/examples/stock.nif")
    assert.same({ 'static"' }, in_quotes 'nif.bodies[1].layer = "stat')
    assert.same({ "stair_helper'", "static'" }, in_quotes "if nif.bodies[1].layer == 'sta")
    assert.same({ 'static"' }, in_quotes 'x = nif.bodies[1].layer ~= "stat')
    assert.same({ 'woodbarrel"' }, in_quotes 'nif.bodies[1].material = "woodb')
    assert.same({}, in_quotes 'nif.bodies[1].name = "S')
    assert.same({}, in_quotes 'nif.blocks = "')
    assert.same({}, in_quotes 'x = "')
  end)

  it("gives the values of a verb's options", function()
    assert.same({ 'density"', 'keep"' }, in_quotes 'nif:scale(2, { mass = "')
    assert.same({ 'keep"' }, in_quotes 'nif:scale { factor = 2, mass = "k')
    assert.same({ 'normals"' }, in_quotes 'nif:recompute("n')
    assert.same({}, in_quotes 'nif:scale(2, { nothing = "')
    assert.same({}, in_quotes 'nowhere:scale(2, { mass = "')
  end)

  it("gives paths of files in arguments that are texts", function()
    local folder = helper.tmpdir()
    os.execute("mkdir " .. folder .. "/sub")
    for _, name in ipairs { "one.nif", "one two.nif", 'it"s.nif', ".hidden", "sub/three.nif" } do
      helper.write(folder .. "/" .. name, "12345")
    end
    local function files(line) return in_quotes(line:gsub("@", function() return folder .. "/" end)) end
    local function full(...)
      local names = { ... }
      for i, name in ipairs(names) do names[i] = folder .. "/" .. name end
      return names
    end
    assert.same(full('it\\"s.nif"', 'one two.nif"', 'one.nif"', "sub/"), files 'open "@')
    assert.same(full("one two.nif'", "one.nif'"), files "lathe.open('@one")
    assert.same(full 'sub/three.nif"', files 'doc:save("@sub/t')
    assert.same(full '.hidden"', files 'doc:save("@.h')
    assert.same(full 'one.nif"', files 'lathe.export(doc, "@one.')
    assert.same({}, files 'open "@none/x')
    assert.same({}, files 'x = "@one')
    assert.same({}, files 'open "@one\0')
  end)

  it("gives topics of the help", function()
    assert.same({ 'undo"', 'units"' }, in_quotes 'help "un')
    assert.same({ 'units"' }, in_quotes 'help("uni')
    assert.same({ "units'" }, in_quotes "?'uni")
    assert.same({ "?doc.vertices" }, words "?doc.vertic")
  end)

  it("says type, unit and meaning of each", function()
    local function about(line)
      local found = {}
      for i, one in ipairs(complete.candidates(line, 1, #line, env)) do found[i] = { one.label, one.type, one.doc } end
      return found
    end
    assert.same({ { "mass", "number [kg]", "Mass of a dynamic body. Setting it scales inertia and density." } },
      about "nif.bodies[1].mas")
    assert.same({ { "layer", "one of 45",
      "Collision layer, which tells the kind of object: the lowest bits of filter_info." } },
      about "nif.bodies[1].lay")
    assert.same({ { "shape", "-> hknpShape" } }, { { table.unpack(about("nif.bodies[1].sha")[1], 1, 2) } })
    assert.same({ { "save", "(path?, opts?)",
      "Writes the document: a temporary file beside the target, flushed, renamed over it." } }, about "doc:sav")
    assert.same({ { "undo", "(steps?)", "Takes back the last edit. Needs the option `history`." } }, about "doc:und")
    assert.same({ { "scale", "(factor, { what =, mass = })" } }, { { table.unpack(about("nif:scal")[1], 1, 2) } })
    assert.same({ { "keep", "" } }, about 'nif:scale(2, { mass = "k')
    assert.same({ { "i", "number" } }, { about("i")[1] })
    env.lathe = lathe
    assert.same({ { "open", "(path, opts?)", "Opens a file." } }, about "lathe.ope")
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

describe("a loop that is one step", function()
  local steps = require "lathe.repl.steps"

  it("assigns to fields, and calls nothing that an edit refuses", function()
    for _, line in ipairs { "for _, v in ipairs(doc.vertices) do v.x = v.x * 2 end", "for i = 1, 9 do doc.list[i] = i end",
      "while a do b.c = math.min(1, 2) a = nil end",
      "for _, b in ipairs(doc.bodies) do if b.mass == 2 then b.mass = 3 end end" } do
      assert.is_true(steps.is_one(line), line)
    end
    for _, line in ipairs { "doc.x = 1", "for i = 1, 2 do print(i) end", "for _, d in ipairs(docs) do d.x = 1 d:save() end",
      "for i = 1, 2 do fix(doc) doc.x = i end", "for i = 1, 2 do undo() doc.x = 1 end", "x = 1 for i = 1, 2 do end",
      "for i = 1, 2 do if doc.x == 1 then end end", "for i = 1, 2 do doc.x = dofile 'y' end" } do
      assert.is_false(steps.is_one(line), line)
    end
  end)
end)

describe("choices", function()
  local list = {
    { label = "friction", type = "number", doc = "Coefficient of dynamic friction." },
    { label = "mass", type = "number [kg]", doc = "Of what is dynamic." }, { label = "x\27", type = "" },
  }

  it("are a line each while there is room", function()
    assert.same({
      "  friction  number       Coefficient of dynamic friction.",
      "  mass      number [kg]  Of what is dynamic.",
      "  x\\x1b",
    }, choices.lines(list, 80, 20))
    assert.same({
      "  friction  number       Coefficient of dyna…",
      "  mass      number [kg]  Of what is dynamic.",
      "  x\\x1b",
    }, choices.lines(list, 45, 3, false))
  end)

  it("are side by side where they are more than a screen", function()
    assert.same({ "  friction number       x\\x1b", "  mass     number [kg]" }, choices.lines(list, 50, 2))
    local many = {}
    for i = 1, 1000 do many[i] = { label = ("name %04d"):format(i), type = "text" } end
    local lines = choices.lines(many, 80, 20, true)
    assert.equal("  name 0001  name 0059  name 0117  name 0175  name 0233  name 0291  name 0349", lines[1])
    assert.same({ "  ... 600 more: type more letters", "  ... there are so many that not all were searched" },
      { lines[#lines - 1], lines[#lines] })
    assert.equal(60, #lines)
  end)
end)

describe("a list of 100,000 elements #tools", function()
  it("is searched and printed in part, and says so", function()
    local show = require "lathe.repl.show"
    local events = assert(lathe.new("hkx", require("sample_graph").fields { events = 100000 }))
    local begun = os.clock()
    local line = 'doc.events["Event99'
    local found, more = complete.candidates(line, 1, #line, { doc = events })
    assert.equal(111, #found) -- Event99, Event990 … and Event9900 …, of the first 10,000
    assert.is_true(more)
    assert.equal("  ... 99980 more: dump(doc.events) prints all", show.lines(events.events, { source = "doc.events" })[23])
    assert.is_true(os.clock() - begun < 3) -- it takes a tenth of that
  end)
end)
