-- Lines of the other formats, and of what all documents have.

local growth = require "growth"
local large = require "sample_large"
local lathe = require "lathe"
local lfs = require "lfs"
local packed = require "sample_packed"
local textures = require "lathe.preview.textures"

local function save(n)
  local values = {}
  for i = 1, n do values[i] = { key = "key " .. i, value = "value " .. i } end
  return assert(lathe.new("save", { version = 3, levels = { { values = values } } }))
end

local function anm(n)
  local frames = {}
  for i = 1, n do frames[i] = { time = i } end
  return assert(lathe.new("anm", { length = n, frames = frames }))
end

local function opener(format, make)
  return function(n) return assert(lathe.parse(growth.bytes(format, n, make), { format = format })) end
end
local open_solid, open_save, open_anm = opener("solid", large.solid), opener("save", save), opener("anm", anm)

local SOLIDS = { 1000, 4000, 16000, 32000 } -- their numbers have 16 bits

-- An object of three vertices at n places.
local function cell(n)
  local one = packed.object(packed.SHORT, 3)
  one.num_combined = n
  for i = 1, n do
    one.combined[i] = packed.instance(i, 3)
    one.combined[i].transform.translation = { i % 100 * 9, i // 100 * 9, 0 }
  end
  return packed.scene { packed.block(packed.INLINE, "inline", { one }) }
end

-- A new folder with n files, in folders of 100.
local function data(n)
  local folder = os.tmpname()
  os.remove(folder)
  lfs.mkdir(folder)
  local inner
  for i = 0, n - 1 do
    if i % 100 == 0 then
      inner = ("%s/%d"):format(folder, i // 100)
      lfs.mkdir(inner)
    end
    assert(io.open(("%s/%d.dds"):format(inner, i), "wb")):close()
  end
  return folder
end

local function remove(folder)
  for name in lfs.dir(folder) do
    local path = folder .. "/" .. name
    if name ~= "." and name ~= ".." and not os.remove(path) then remove(path) end
  end
  lfs.rmdir(folder)
end

-- Begins pages without the viewer, which may not have been built.
local function pages()
  local page = require "lathe.view.page"
  page.viewer = function() return { template = "@DATA@", script = "", style = "" } end
  return require("lathe.view").begin
end

return {
  {
    name = "save: a value by its key, n times",
    covers = { "lathe_view_key" },
    make = open_save,
    run = function(doc, n)
      local values, sum = doc.levels[1].values, 0
      for i = 1, n do sum = sum + #values["key " .. i] end
      return sum
    end,
    check = function(sum, _, n) assert(sum > 6 * n) end,
  },
  {
    name = "save: set a value by its key, n times, in an edit",
    open = "bytes behind a longer text are moved",
    covers = { "lathe_view_key" },
    make = open_save,
    run = function(doc, n)
      local values = doc.levels[1].values
      doc:edit(function() for i = 1, n do values["key " .. i] = "other value " .. i end end)
    end,
    check = function(_, doc, n) assert(doc.levels[1].values["key " .. n] == "other value " .. n) end,
  },
  {
    name = "save: n new keys, in an edit",
    sizes = { 1000, 4000, 16000, 32000 }, -- their number has 16 bits
    covers = { "lathe_view_key" },
    make = open_save,
    run = function(doc, n)
      local values = doc.levels[1].values
      doc:edit(function() for i = 1, n do values["new " .. i] = "value" end end)
    end,
    check = function(_, doc, n) assert(doc.levels[1].values["new " .. n] == "value") end,
  },
  {
    name = "anm: parse, n frames",
    covers = { "lathe_doc_parse" },
    make = function(n) return growth.bytes("anm", n, anm) end,
    run = function(bytes) return assert(lathe.parse(bytes, { format = "anm" })) end,
    check = function(doc, _, n) assert(#doc.frames == n) end,
  },
  {
    name = "anm: time of each frame, an edit each",
    covers = { "lathe_view_set" },
    make = open_anm,
    run = function(doc, n) for i = 1, n do doc.frames[i].time = i + 1 end end,
    check = function(_, doc, n) assert(doc.frames[n].time == n + 1) end,
  },
  {
    name = "solid: each vertex, an edit each",
    covers = { "lathe_view_set" },
    sizes = SOLIDS,
    make = open_solid,
    run = function(doc, n) for i = 1, n do doc.vertices[i].y = 1 end end,
    check = function(_, doc, n) assert(doc.vertices[n].y == 1) end,
  },
  {
    name = "solid: a picture of n triangles",
    covers = { "lathe_preview" },
    sizes = SOLIDS,
    make = function(n) return { doc = open_solid(n), path = os.tmpname() } end,
    run = function(at) return assert(lathe.preview(at.doc, at.path .. ".png", { size = "256x256" })) end,
    check = function(_, at)
      os.remove(at.path)
      os.remove(at.path .. ".png")
    end,
  },
  {
    name = "nif: a picture of an object at n places",
    covers = { "lathe_preview" },
    make = function(n) return { doc = assert(lathe.parse(growth.bytes("cell", n, cell))), path = os.tmpname() } end,
    run = function(at) return assert(lathe.preview(at.doc, at.path .. ".svg", { size = "256x256" })) end,
    check = function(report, at, n)
      os.remove(at.path)
      os.remove(at.path .. ".svg")
      assert(report.triangles == 2 * math.min(n, 50000))
      at.doc:close()
    end,
  },
  {
    name = "the index of a folder of n textures",
    sizes = { 1000, 2000, 4000, 8000 }, -- making the files takes longer
    make = function(n) return { folder = data(n) } end,
    run = function(at) return assert(textures.of(at.folder)) end,
    check = function(find, at, n)
      assert(find(("%d/%d.dds"):format((n - 1) // 100, n - 1)) == "")
      remove(at.folder)
    end,
  },
  {
    name = "solid: a page of n triangles",
    sizes = SOLIDS,
    make = function(n) return { doc = open_solid(n), begin = pages() } end,
    run = function(at)
      local page = at.begin {}
      page:add(at.doc)
      return page:encode()
    end,
    check = function(html) assert(html:find("glb-1", 1, true)) end,
  },
  {
    name = "solid: append n/8 vertices, in an edit",
    open = "bytes behind an element are moved",
    covers = { "append" },
    sizes = { 1000, 4000, 16000, 28000 },
    make = open_solid,
    run = function(doc, n) doc:edit(function() for _ = 1, n // 8 do doc.vertices:append { 1, 2, 3 } end end) end,
    check = function(_, doc, n) assert(#doc.vertices == n + n // 8) end,
  },
}
