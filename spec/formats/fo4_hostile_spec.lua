-- Collision that nobody would write: compounds in circles and at many levels, shapes that thousands share, numbers and
-- pointers that lead anywhere. All of it ends soon, says what is wrong, and changes nothing where it fails.

local hknp = require "sample_hknp"
local lathe = require "lathe"
local outcome = require "outcome"
local sample = require "sample_collision"

local refuses = outcome.refuses
local sphere = hknp.sphere { radius = 1 }

-- A compound of n times a shape; `none`: its instances have no shape.
local function compound(n, shape, none)
  local parts = {}
  for i = 1, n do parts[i] = { shape = shape } end
  local made = hknp.compound(parts)
  for i = #made.globals, 1, -1 do
    if none and made.globals[i][2] == shape then table.remove(made.globals, i) end
  end
  return made
end

local function turned(object, from, to)
  for _, pointer in ipairs(object.globals) do
    if pointer[2] == from then pointer[2] = to end
  end
  return object
end

local function bodies_of(n, shape, kind)
  local bodies = {}
  for i = 1, n do bodies[i] = { shape = shape, kind = kind } end
  return bodies
end

-- Time of the processor: a busy machine changes nothing.
local function soon(fn, ...)
  local began = os.clock()
  local ok, a, b = pcall(fn, ...)
  assert.is_true(os.clock() - began < 4, "it takes too long")
  if not ok then error(a, 0) end
  return a, b
end

local function count_meshes(doc)
  local n = 0
  for _ in doc:meshes { what = "collision" } do n = n + 1 end
  return n
end

local function message_of(fn, ...)
  local ok, err = pcall(soon, fn, ...)
  assert.is_false(ok, "nothing raised")
  return tostring(err)
end

-- A packfile as it is, and in a NIF; what errors of the second have in front.
local function each_way(blob, fn)
  fn(assert(lathe.parse(blob)), "")
  fn(assert(lathe.parse(sample.nif({ { name = "Root", body = 0 } }, blob))), "blocks%[3%]%.system%.")
end

local SHARED = "its shapes are shared so often that they would take 16 times the file"
local CLASS = " %(hknpDynamicCompoundShape%)$"

describe("collision of many and of few", function()
  it("is counted where compounds share a shape at many levels", function()
    local shape = sphere
    for _ = 1, 12 do shape = compound(10, shape) end
    each_way(sample.system(bodies_of(2, shape)), function(doc, where)
      assert.matches("^" .. where .. "objects%[13%]%.instances%[%d+%] at 0x%x+: " .. SHARED .. CLASS,
        message_of(count_meshes, doc))
      assert.is_truthy(soon(doc.scale, doc, 2))
      soon(doc.check, doc)
      soon(function() doc.bodies[1].material = "wood" end)
      assert.equal("wood", doc.bodies[2].material)
    end)
  end)

  it("is counted where nothing is in it", function()
    local shape = compound(800, sphere, true)
    for _ = 1, 2 do shape = compound(250, shape) end
    each_way(sample.system(bodies_of(2, shape)), function(doc, where)
      assert.matches("^" .. where .. "objects%[4%]%.instances%[%d+%] at 0x%x+: " .. SHARED .. CLASS,
        message_of(count_meshes, doc))
      assert.is_nil(soon(function() return doc.bodies[1].material end))
      assert.is_truthy(soon(doc.scale, doc, 2))
    end)
    each_way(sample.system(bodies_of(2000, compound(400, sphere, true))), function(doc)
      assert.matches(SHARED, message_of(count_meshes, doc), 1, true)
      soon(doc.check, doc)
    end)
  end)

  it("may be one shape of thousands of bodies", function()
    each_way(sample.system(bodies_of(2000, sphere, "dynamic")), function(doc)
      assert.equal(2000, soon(count_meshes, doc))
      soon(function() for _, body in ipairs(doc.bodies) do body.mass = 3 end end)
      assert.equal(3, doc.bodies[2000].mass)
      assert.is_truthy(soon(doc.scale, doc, 2))
      soon(doc.check, doc)
    end)
  end)

  it("does not go in circles", function()
    local a, b = compound(2, sphere), compound(1, sphere)
    turned(a, sphere, b)
    turned(b, sphere, a)
    each_way(sample.system { { shape = a, kind = "dynamic" }, { shape = b } }, function(doc, where)
      local says = message_of(count_meshes, doc)
      assert.matches("^" .. where .. "objects%[2%] at 0x%x+: a compound that contains itself" .. CLASS, says)
      assert.equal(says, message_of(function() return doc.bodies[1].material end))
      refuses(doc, says, function() doc.bodies[1].material = "wood" end)
      soon(doc.check, doc)
      assert.is_truthy(soon(doc.scale, doc, 2))
      doc.bodies[1].mass = 5
      assert.equal(5, doc.bodies[1].mass)
    end)
  end)

  it("is no deeper than anybody needs", function()
    local shape = sphere
    for _ = 1, 40 do shape = compound(1, shape) end
    each_way(sample.system(bodies_of(2, shape)), function(doc, where)
      assert.matches("^" .. where .. "objects%[19%] at 0x%x+: compounds in compounds, more than 16 deep" .. CLASS,
        message_of(count_meshes, doc))
      assert.matches("more than 16 deep", message_of(function() return doc.bodies[1].material end), 1, true)
      soon(doc.check, doc)
      assert.is_truthy(soon(doc.scale, doc, 2))
    end)
  end)

  it("may be of the wrong class", function()
    local o = compound(2, sphere)
    turned(o, sphere, hknp.object("hknpPhysicsSystemData", 0x80):done())
    each_way(sample.system { { shape = o }, { shape = hknp.object("hkRefCountedProperties", 0x20):done() } }, function(doc)
      assert.equal(0, soon(count_meshes, doc))
      assert.is_nil(doc.bodies[2].material)
      soon(doc.check, doc)
      soon(doc.scale, doc, 2)
    end)
  end)
end)

-- ---- any word of it ---------------------------------------------------------------------------------

local ODD = { "\255\255\255\255", "\0\0\0\128", "\0\0\0\0", "\255\255\255\127", "\0\0\128\127" }

describe("collision with any number of it damaged", function()
  local function tried(blob, at, word)
    local bytes = blob:sub(1, at) .. word .. blob:sub(at + 5)
    local doc = lathe.parse(bytes, { history = 40 })
    if not doc then return end
    pcall(count_meshes, doc)
    doc:check()
    for _, body in ipairs(doc.bodies) do
      local _ = pcall(function() return body.material, body.mass, body.motion end)
      pcall(function() body.material = "wood" end)
      pcall(function() body.density = 5 end)
    end
    doc:scale(2)
    pcall(count_meshes, doc)
    while doc:undo() do end
    assert.equal(bytes, doc:encode(), ("byte %d"):format(at))
  end

  it("is read as far as it goes, and undo brings it back", function()
    local blobs = (sample.blobs())
    local step = 0
    for _, name in ipairs { "box", "mesh", "compound", "everything" } do
      local blob = blobs[name]
      for at = 0, #blob - 4, name == "everything" and 116 or 28 do
        step = step + 1
        tried(blob, at, ODD[1 + step % #ODD])
      end
    end
  end)
end)
