-- The page of `lathe view` without a browser: what its data hold, and that no name of a file escapes from them.

local base64 = require "lathe.tree.base64"
local dkjson = require "dkjson"
local glb = require "glb"
local helper = require "helper"
local lathe = require "lathe"
local made = require "sample_collision"
local page = require "lathe.view.page"

local VIEWER <const> = {
  template = "<meta content=\"@POLICY@\"><title>@TITLE@</title><style>@STYLE@</style>@DATA@<script>@SCRIPT@</script>",
  script = "run()", style = "p{}",
}

local found_viewer, folder
setup(function()
  found_viewer, folder = page.viewer, helper.tmpdir()
  page.viewer = function() return VIEWER end -- so that it works where there is no npm
end)
teardown(function() page.viewer = found_viewer end)

local function page_of(what, opts)
  local path = folder .. "/page.html"
  local report = assert(lathe.view(what, path, opts))
  local html = helper.read(path)
  local data = assert(dkjson.decode(html:match '<script type="application/json" id="lathe%-data">(.-)</script>'))
  local models = {}
  for i, file in ipairs(data.files) do
    local id = file.glb and file.glb:gsub("%-", "%%-")
    local block = id and html:match('<script type="text/plain" id="' .. id .. '">(.-)</script>')
    models[i] = block and glb.parse(base64.decode(block))
  end
  return html, data, models, report
end

local function example(name) return assert(lathe.open("scripts/examples/" .. name)) end

-- ---- triangles ------------------------------------------------------------------------------------

-- Counts a triangle by its corners, wherever it begins and whichever way it runs.
local function count(into, a, b, c)
  local corners = { a, b, c }
  table.sort(corners)
  local key = table.concat(corners)
  into[key] = (into[key] or 0) + 1
  into.n = (into.n or 0) + 1
end

local function finite(bytes)
  local x, y, z = string.unpack("<fff", bytes)
  local sum = x + y + z
  return sum - sum == 0
end

-- Triangles of the document, in the space of their meshes.
local function triangles_of(doc, what)
  local found = {}
  local left_out = {}
  local ok, next_mesh = pcall(doc.meshes, doc, { what = what, left_out = left_out })
  for mesh in ok and next_mesh or function() end do
    local bytes, rows = mesh.positions:pack(), mesh.positions.rows
    for i = 1, mesh.indices.rows do
      local corners, good = { mesh.indices:row(i) }, true
      for k, v in ipairs(corners) do
        corners[k] = v < rows and bytes:sub(12 * v + 1, 12 * v + 12) or ""
        good = good and corners[k] ~= "" and finite(corners[k])
      end
      if good then count(found, table.unpack(corners)) end
    end
  end
  return found
end

local function collides(json, number)
  local extras = json.nodes[number].extras
  return extras and extras.collision or false
end

local function triangles_in(model, collision)
  local found = {}
  for number, node in ipairs(model and model.json.nodes or {}) do
    if node.mesh and collides(model.json, number) == collision then
      for _, primitive in ipairs(model.json.meshes[node.mesh + 1].primitives) do
        local p, indices = model:values(primitive.attributes.POSITION), model:values(primitive.indices)
        local function corner(i)
          local v = 3 * indices[i]
          return string.pack("<fff", p[v + 1], p[v + 2], p[v + 3])
        end
        for i = 1, #indices, 3 do count(found, corner(i), corner(i + 1), corner(i + 2)) end
      end
    end
  end
  return found
end

-- Whether a mesh was changed on purpose: a transform that shears is applied to its vertices.
local function is_baked(data)
  for _, note in ipairs(data.files[1].notes) do
    if note.reason:find "shears" or note.reason:find "flattens" or note.reason:find "affine" then return true end
  end
end

local function compare(doc)
  local _, data, models = page_of(doc)
  if is_baked(data) then return 0 end
  local shapes = triangles_of(doc, "geometry")
  local hulls = triangles_of(doc, "collision")
  assert.same(shapes, triangles_in(models[1], false))
  assert.same(hulls, triangles_in(models[1], true))
  return (shapes.n or 0) + (hulls.n or 0)
end

-- The largest ones of games, with their triangles.
local LARGE <const> = {
  ["nif-fo4-collision/VltGearDoor01.nif"] = 37480, ["nif-animation/le_spriggan1.nif"] = 5915,
  ["precombined/0000A003_1369D035_OC.nif"] = 115212, ["bphsh/v22_chunk.bphsh"] = 8712,
}

describe("the data of a page", function()
  it("have the triangles of doc:meshes, of shapes and collision", function()
    assert.equal(2940, compare(example "stock.nif"))
    assert.equal(12, compare(example "crate.solid"))
    assert.is_true(compare(example "volumes.fzx") > 0)
  end)

  it("have them for files of games #corpus", function()
    if not helper.need_corpus("nif-fo4-collision", pending) then return end
    local files, triangles = 0, 0
    for _, sub in ipairs { "nif", "nif-fo4-collision", "bphsh", "precombined" } do
      for i, name in ipairs(helper.list(helper.corpus(sub))) do
        local path = helper.corpus(sub) .. "/" .. name
        local doc = i % 5 == 1 and #(helper.read(path) or "") < 150000 and lathe.open(path)
        local n = doc and compare(doc) or 0
        if n > 0 then files, triangles = files + 1, triangles + n end
      end
    end
    assert.is_true(files > 20 and triangles > 10000, ("%d files, %d triangles"):format(files, triangles))
  end)

  it("have them for large files #corpus", function()
    if not helper.need_corpus("nif-fo4-collision", pending) then return end
    for name, triangles in pairs(LARGE) do
      assert.equal(triangles, compare(assert(lathe.open(helper.corpus(name)))), name)
    end
  end)

  it("number triangles as the document does, whatever is left out or in another order", function()
    local broken = example "crate.solid"
    broken.vertices[1].x = 0 / 0
    local pieces = assert(lathe.parse(made.scene(), { format = "nif" }))
    local in_runs = 0
    for _, doc in ipairs { broken, pieces, example "stock.nif" } do
      local _, _, models = page_of(doc)
      local next_mesh = doc:meshes { what = doc == pieces and "collision" or "geometry" }
      for number, node in ipairs(models[1].json.nodes) do
        local mesh = node.mesh and collides(models[1].json, number) == (doc == pieces) and next_mesh()
        for _, primitive in ipairs(mesh and models[1].json.meshes[node.mesh + 1].primitives or {}) do
          local seen = models[1]:values(primitive.indices)
          local runs, at = primitive.extras.triangles or { 1, #seen // 3 }, 0
          if primitive.extras.triangles then in_runs = in_runs + 1 end
          for i = 1, #runs, 2 do
            for t = runs[i], runs[i] + runs[i + 1] - 1 do
              assert.same({ mesh.indices:row(t) }, table.move(seen, at + 1, at + 3, 1, {}))
              at = at + 3
            end
          end
          assert.equal(#seen, at)
        end
      end
    end
    assert.is_true(in_runs >= 2, in_runs)
    local _, _, models = page_of(broken)
    assert.equal("triangles", models[1].json.nodes[2].extras.triangles) -- the path of the array
    assert.same({ 3, 2, 7, 2, 11, 2 }, models[1].json.meshes[1].primitives[1].extras.triangles)
  end)

  it("stay small, with attributes that glTF's validator accepts", function()
    local html, _, models, report = page_of(example "stock.nif")
    assert.equal(#html, report.bytes)
    assert.is_true(#html < 150000, #html)
    local path = folder .. "/model.glb"
    local block = html:match '<script type="text/plain" id="glb%-1">(.-)</script>'
    helper.write(path, base64.decode(block))
    glb.validate({ path })
    local attributes = models[1].json.meshes[1].primitives[1].attributes
    assert.is_nil(attributes.TANGENT)
    local normals = models[1]:values(attributes.NORMAL)
    local mesh = example("stock.nif"):meshes()()
    for v = 1, mesh.normals.rows, 97 do
      local row = { mesh.normals:row(v) }
      for k = 1, 3 do assert.near(row[k], normals[3 * v - 3 + k] / 127, 0.005) end
    end
  end)

  it("have the clip with its annotations, and the paths of bones", function()
    local _, data, models, report = page_of(example "wave.hkx", { skeleton = example "skeleton.hkx" })
    assert.same({ 1, 6 }, { report.clips, report.bones })
    local clip = models[1].json.animations[1]
    assert.equal("WaveTop", clip.extras.lathe.annotations[1].text)
    assert.same({}, data.files[1].places) -- the skeleton is in another file
    _, data = page_of(example "skeleton.hkx")
    local bones = {}
    for _, place in ipairs(data.files[1].places) do bones[place[1]] = place[2] end
    assert.equal("NPC Root", bones["objects[3].bones[1]"])
  end)

  it("have textures as PNG, and say which they lack", function()
    local asked = {}
    local format = "<I4I4I4I4I4I4I4c44I4I4c4I4I4I4I4I4I4I4I4I4I4"
    local dds = "DDS " .. format:pack(124, 0x1007, 4, 4, 8, 0, 1, ("\0"):rep(44), 32, 4, "DXT1",
      0, 0, 0, 0, 0, 0x1000, 0, 0, 0, 0) .. ("<I2I2I4"):pack(0xf800, 0xf800, 0)
    local _, data, models, report = page_of(example "stock.nif", { data = function(path)
      asked[#asked + 1] = path
      return dds
    end })
    assert.is_true(#asked > 0)
    local url = data.files[1].textures[asked[1]]
    local png = base64.decode(url:match "^data:image/png;base64,(.*)$")
    local width, height = (">I4I4"):unpack(png, 17)
    assert.same({ "\137PNG\r\n\26\n", 4, 4 }, { png:sub(1, 8), width, height })
    assert.truthy(models[1].json.meshes[1].primitives[1].attributes.TEXCOORD_0)
    assert.equal(0, #report.notes)
    _, data, _, report = page_of(example "stock.nif", { data = function() return dds:sub(1, 130) end })
    assert.is_nil(next(data.files[1].textures))
    assert.matches("^drawn without its texture: ", report.notes[1].reason)
  end)

  it("tell why there is no picture", function()
    local _, data, models, report = page_of(example "wave.hkx")
    assert.is_nil(data.files[1].glb)
    assert.is_nil(models[1])
    assert.matches("no bone names: give a skeleton", report.notes[1].reason)
    assert.equal(report.notes[1].reason, data.files[1].notes[1].reason)
  end)

  -- The keys of pictures name materials: <rect fill="COLOUR"/> and their names.
  it("have the colours that pictures have for materials of collision", function()
    local doc = assert(lathe.parse(made.scene(), { format = "nif" }))
    assert(lathe.preview(doc, folder .. "/key.svg", { what = "collision" }))
    local key, seen = {}, {}
    for color, name in helper.read(folder .. "/key.svg"):gmatch '<rect [^>]-fill="(#%x+)"/>%s*<text [^>]*>([^<]*)</text>' do
      key[name] = color
    end
    local _, _, models = page_of(doc)
    for number, node in ipairs(models[1].json.nodes) do
      local mesh = collides(models[1].json, number) and models[1].json.meshes[node.mesh + 1]
      for _, primitive in ipairs(mesh and mesh.primitives or {}) do
        local name = models[1].json.materials[primitive.material + 1].name
        assert.equal(key[name], primitive.extras.color, name)
        seen[name] = true
      end
    end
    assert.same({ metal = true, stone = true, wood = true }, seen)
  end)

  it("name the path of each mesh, which is a row of the tree", function()
    local doc = example "stock.nif"
    local _, data, models = page_of(doc)
    local paths = {}
    for _, node in ipairs(models[1].json.nodes) do
      if node.mesh then paths[#paths + 1] = node.extras.path end
    end
    assert.same({ "blocks[2]", "blocks[5].system.objects[1].body_cinfos[1]" }, paths)
    for _, path in ipairs(paths) do assert.truthy(doc:get(path)) end
    assert.equal("Fallout 4", data.files[1].game)
  end)
end)

-- ---- the tree -------------------------------------------------------------------------------------

local function walk(nodes, parent, visit)
  for _, node in ipairs(nodes or {}) do
    local path = (parent == "" or node.n:sub(1, 1) == "[") and parent .. node.n or parent .. "." .. node.n
    visit(path, node)
    walk(node.c, path, visit)
  end
end

describe("the tree of a page", function()
  it("has the value at each path, as lathe get shows it", function()
    for _, name in ipairs { "stock.nif", "crate.solid", "behavior.hkx" } do
      local doc, n = example(name), 0
      local _, data = page_of(doc)
      walk(data.files[1].tree.c, "", function(path, node)
        local value, err = doc:get(path)
        assert.is_nil(err, path)
        if math.type(value) == "integer" and not node.v:find "[%(%a]" then
          assert.equal(("%d"):format(value), node.v, path)
          n = n + 1
        end
      end)
      assert.is_true(n > 10, name)
    end
  end)

  it("says what it leaves out", function()
    local doc = example "stock.nif"
    local _, data = page_of(doc)
    local file, cut = data.files[1], {}
    walk(file.tree.c, "", function(path, node) cut[path] = node.m end)
    assert.is_true(file.tree.k)
    assert.equal("1593 more of 1625 left out of this page", cut["blocks[2].vertices"])
  end)

  it("is bounded, whatever the file", function()
    local big = example "stock.nif"
    big:edit(function()
      for _ = 1, 600 do lathe.append(big.blocks, { type = "BSTriShape" }) end
    end)
    local tree = require "lathe.view.tree"
    local root = tree.of(big)
    local nodes, cut = 0, {}
    walk(root.c, "", function(path, node)
      nodes, cut[path] = nodes + 1, node.m
    end)
    assert.is_true(nodes > 5000 and nodes <= 10000, nodes)
    assert.matches("^%d+ fields left out of this page$", cut["blocks[607]"])
  end)

  it("describes fields", function()
    local _, data = page_of(example "stock.nif")
    local file, doc = data.files[1], nil
    walk(file.tree.c, "", function(path, node) if path == "num_blocks" then doc = file.docs[node.d] end end)
    for _, row in ipairs(lathe.describe(example "stock.nif")) do
      if row.name == "num_blocks" then assert.equal(row.doc, doc) end
    end
  end)
end)

-- ---- hostile names --------------------------------------------------------------------------------

describe("names in a page", function()
  local HOSTILE <const> = "</script><script>alert(1)</script><!--</style>\"'&\u{2028}\u{202e}\u{1f600}]]>"

  it("cannot end the element that they are in", function()
    local doc = example "stock.nif"
    doc.blocks[2].name = HOSTILE
    local html, data, models = page_of(doc, { title = HOSTILE })
    local _, ends = html:gsub("</[sS][cC][rR][iI][pP][tT]", "")
    assert.equal(3, ends) -- data, model, script
    local _, styles = html:gsub("</style", "")
    assert.equal(1, styles)
    assert.is_nil(html:find("<!--", 1, true))
    assert.is_nil(html:match "<script[^>]*>([^<]*)</script>":find "[^\x20-\x7e]")
    local seen
    walk(data.files[1].tree.c, "", function(path, node) if path == "blocks[2].name" then seen = node.v end end)
    assert.equal(HOSTILE, (seen:gsub('\\"', '"'):sub(2, -2)))
    assert.equal(HOSTILE, models[1].json.nodes[2].name)
  end)

  it("may be no UTF-8", function()
    local doc = example "stock.nif"
    doc.blocks[2].name = "a\xffb\xe2\x80"
    local _, data, models = page_of(doc)
    local seen
    walk(data.files[1].tree.c, "", function(path, node) if path == "blocks[2].name" then seen = node.v end end)
    assert.equal([["a\xffb\xe2\x80"]], seen)
    assert.truthy(utf8.len(models[1].json.nodes[2].name))
  end)

  it("are under a policy that allows the viewer's script alone", function()
    local html = page_of(example "crate.solid")
    local policy = html:match 'content="([^"]*)"'
    -- Hashes from another program: printf 'run()' | openssl dgst -sha256 -binary | base64
    assert.equal("default-src 'none'; script-src 'sha256-AvyuiL0SD1mVY3NNxR+V2uo+lhk6RMFrytWmRt6CrJQ='; "
      .. "style-src 'sha256-gG2yISYereRMiG2lMXrbiUgi0Ubw9p7QCeWcroOvy9Y='; img-src data:; "
      .. "base-uri 'none'; form-action 'none'", policy)
  end)
end)

describe("bones in a page", function()
  local NOTE <const> = "the file lists no skeleton: the nodes of its scene are drawn as bones"

  local function scene(list)
    local blocks = {}
    for i, one in ipairs(list) do
      blocks[i] = { type = "NiNode", name = one[1], children = one[2], translation = one[3] or { 0, 0, 0 }, scale = 1 }
    end
    return assert(lathe.new("nif", { bs_version = 100, blocks = blocks }))
  end

  local function reasons(report)
    local list = {}
    for i, note in ipairs(report.notes) do list[i] = note.reason end
    return list
  end

  it("are the nodes of a scene without meshes, each below its parent", function()
    local _, data, models, report = page_of(scene { { "Root", { 1, 2 } }, { "Spine", { 3 }, { 0, 5, 60 } },
      { "Spine", {}, { -12, 3, 0 } }, { "Head", {}, { 0, 0, 10 } } })
    assert.same({ NOTE }, reasons(report))
    assert.equal(4, report.bones)
    assert.equal("z", data.files[1].up)
    local json, parents, at = models[1].json, {}, {}
    for number, node in ipairs(json.nodes) do
      for _, child in ipairs(node.children or {}) do parents[json.nodes[child + 1].name] = node.name end
      at[node.name or number] = node.translation
    end
    assert.equal("Root", parents.Spine)
    assert.equal("Root", parents["Spine 2"])
    assert.equal("Spine", parents.Head)
    assert.same({ 0, 5, 60 }, at.Spine)
    assert.same({ 0, 0, 10 }, at.Head)
    assert.equal(4, #json.skins[1].joints)
    local paths = {}
    for _, place in ipairs(data.files[1].places) do paths[place[2]] = paths[place[2]] or place[1] end
    assert.equal("blocks[4]", paths.Head)
  end)

  it("are not drawn over meshes, nor where all nodes are in one place", function()
    local _, _, models, report = page_of(example "stock.nif")
    assert.same({}, reasons(report))
    assert.is_nil(models[1].json.skins)
    report = select(4, page_of(scene { { "Root", { 1 } }, { "Same", {} } }))
    assert.same({ 0, {} }, { report.bones, reasons(report) })
  end)

  it("that lead in a circle are drawn once each", function()
    local _, _, models, report = page_of(scene { { "A", { 1 }, { 1, 0, 0 } }, { "B", { 0, 2 }, { 0, 2, 0 } },
      { "C", { 3 }, { 0, 0, 3 } }, { "D", {}, { 4, 0, 0 } } })
    assert.equal(4, report.bones)
    assert.equal(4, #models[1].json.skins[1].joints)
    assert.same({ NOTE }, reasons(report))
  end)

  it("that are damaged leave a note in place of the picture", function()
    local bytes = require "sample_phxbn".v5_bare
    local damaged = bytes:sub(1, -17) .. ("<i4i4"):pack(0, 9) .. bytes:sub(-8)
    local doc = assert(lathe.parse(damaged, { format = "phxbn" }))
    local _, data, models, report = page_of(doc)
    assert.same({ "bone 0 lies between points that are not there" }, reasons(report))
    assert.same({ 0, 0 }, { report.bones, #models })
    assert.equal(1, #data.files[1].notes)
  end)
end)

describe("lathe.view", function()
  it("refuses what is wrong, and writes nothing", function()
    local doc, path = example "crate.solid", folder .. "/none.html"
    assert.has_error(function() lathe.view(doc, path, { what = 1 }) end,
      "no option 'what' of view: it takes data, lod, mesh, skeleton and title")
    assert.has_error(function() lathe.view({}, path) end, "a document or a list of documents expected")
    assert.has_error(function() lathe.view(doc) end, "a path expected")
    assert.is_false(helper.exists(path))
    local report, err = lathe.view(doc, folder .. "/none/none.html")
    assert.is_nil(report)
    assert.equal("io", err.code)
  end)

  it("says how to get the viewer where it is missing", function()
    page.viewer = found_viewer
    local open = io.open
    io.open = function(path, ...) -- luacheck: ignore
      if path:find "viewer%.js$" then return nil end
      return open(path, ...)
    end
    local report, err = lathe.view(example "crate.solid", folder .. "/none.html")
    io.open = open -- luacheck: ignore
    page.viewer = function() return VIEWER end
    assert.is_nil(report)
    assert.equal("unsupported", err.code)
    assert.matches("built without the viewer: `make viewer` builds it", tostring(err), 1, true)
  end)
end)
