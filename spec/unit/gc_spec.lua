-- Garbage: what lives, what goes, and finalizers that meddle.

local lathe = require "lathe.core"
local helper = require "helper"

local function bytes_of(n)
  local vertices = {}
  for i = 1, n or 3 do vertices[i] = { i, 0, 0 } end
  return assert(lathe.new("solid", { vertices = vertices, triangles = { { gx = { 1, 2, 3 } } } })):encode()
end

local function model(n)
  return assert(lathe.parse(bytes_of(n), { format = "solid" }))
end

local function collect()
  collectgarbage()
  collectgarbage()
end

-- Resident memory in kB, where the system tells.
local function resident()
  local f = io.open("/proc/self/status")
  if not f then return nil end
  local kb = f:read("a"):match("VmRSS:%s*(%d+)")
  f:close()
  return tonumber(kb)
end

describe("views", function()
  it("keep their document alive", function()
    local v = model().vertices[2]
    local gx = model().triangles[1].gx
    collect()
    assert.equal(2, v.x)
    assert.same({ 1, 2, 3 }, gx:totable())
    local iterate, array, first = ipairs(model().vertices)
    collect()
    assert.equal(1, select(2, iterate(array, first)).x)
    local meshes = model():meshes()
    collect()
    assert.is_table(meshes())
  end)

  it("let it go with them", function()
    local alive = setmetatable({}, { __mode = "k" })
    do
      local doc = model()
      alive[doc] = true
      alive[doc.vertices] = true
      alive[doc.vertices[1]] = true
    end
    collect()
    assert.is_nil(next(alive))
  end)

  it("are made and dropped by the thousand", function()
    local doc = model(1000)
    collect()
    local before = collectgarbage("count")
    for _ = 1, 20 do
      for _, v in ipairs(doc.vertices) do v.y = v.x end
    end
    collect()
    assert.is_true(collectgarbage("count") - before < 100)
  end)
end)

describe("documents", function()
  it("are collected by their size, not by that of their handle", function()
    if helper.preload or not resident() then return end -- ASan keeps what is freed for a while
    local bytes = bytes_of(32000)
    local before = resident()
    for _ = 1, 300 do assert(lathe.parse(bytes, { format = "solid" })) end -- 115 MB in all
    assert.is_true(resident() - before < 40000, "documents pile up")
  end)

  it("respect a stopped collector", function()
    collect()
    collectgarbage("stop")
    local alive = setmetatable({}, { __mode = "k" })
    alive[model()] = true
    model().vertices[1] = { 1, 2, 3 }
    assert.is_false(collectgarbage("isrunning"))
    assert.is_not_nil(next(alive))
    collectgarbage("restart")
    collect()
    assert.is_nil(next(alive))
  end)

  -- How many collections end while `body` runs, with a large heap beside it.
  local function collections(mode, body)
    local heap, n, counting = {}, 0, true
    for i = 1, 20000 do heap[i] = { i } end
    local was = collectgarbage(mode)
    local function bell()
      setmetatable({}, { __gc = function()
        n = n + 1
        if counting then bell() end
      end })
    end
    bell()
    collect()
    n = 0
    body()
    counting = false
    collectgarbage(was)
    return n, heap
  end

  it("do not start a collection with each edit", function()
    local doc = model()
    for _, mode in ipairs { "incremental", "generational" } do
      local n = collections(mode, function()
        for i = 1, 5000 do doc.vertices[1] = { i, 0, 0 } end
      end)
      assert.is_true(n < 10, mode .. ": " .. n)
    end
  end)

  it("let garbage go between edits, too", function()
    if helper.preload or not resident() then return end
    local bytes, before = bytes_of(32000), resident()
    for mode, least in pairs { incremental = 8, generational = 8 } do
      local n = collections(mode, function()
        for i = 1, 300 do
          local doc = assert(lathe.parse(bytes, { format = "solid" }))
          doc.vertices[1] = { i, 0, 0 }
        end
      end)
      assert.is_true(n > least, mode .. ": " .. n)
    end
    assert.is_true(resident() - before < 40000, "documents pile up")
  end)

  it("leave the collector running, also after errors", function()
    local doc = model()
    assert.is_true(collectgarbage("isrunning"))
    pcall(function() doc.vertices[1] = { 1, 2, print } end)
    assert.is_true(collectgarbage("isrunning"))
    pcall(function() doc.vertices[1] = { 1, 2, "x" } end)
    pcall(lathe.new, "solid", { vertices = { { 1, 2, print } } }, { history = 1, extra = print })
    pcall(lathe.new, "solid", {}, { history = 1 })
    assert.is_true(collectgarbage("isrunning"))
  end)
end)

describe("documents that options name", function()
  it("may be closed by a finalizer while the options are read", function()
    local outcomes, bytes = {}, assert(lathe.new("nif", { bs_version = 130 })):encode()
    for nth = 1, 8 do
      local store = assert(lathe.new("geometry", { form = "psg" }, { path = "Store.psg" }))
      local calls, armed = 0, true
      local function arm()
        if armed then setmetatable({}, { __gc = function()
          calls = calls + 1
          if calls == nth then store:close() end
          arm()
        end }) end
      end
      collectgarbage("stop")
      local options = { geometry = store }
      arm()
      collectgarbage("incremental", 1, 1000, 24)
      collectgarbage("restart")
      local ok, doc = pcall(lathe.parse, bytes, options)
      armed = false
      outcomes[ok and lathe.type(doc) or tostring(doc)] = true
    end
    collectgarbage("incremental", 200, 100, 13)
    outcomes["nif document"], outcomes.nif, outcomes["document is closed"] = nil, nil, nil
    assert.is_nil(next(outcomes), next(outcomes))
  end)
end)

describe("strings that __index makes", function()
  it("are held while options are read", function()
    local asked = {}
    local options = setmetatable({ format = "solid", history = 0, limit = 0 }, { __index = function(_, key)
      asked[key] = true
      collectgarbage()
      local text = key .. (" of options"):rep(9)
      if key == "skeleton" then return { 0 * #text - 1 } end
      return key == "dictionary" and { bytes = text } or text
    end })
    local path = "path" .. (" of options"):rep(9)
    assert.equal(path, assert(lathe.parse(bytes_of(), options)).path)
    assert.equal(path, assert(lathe.new("solid", {}, options)).path)
    assert.is_true(asked.geometry and asked.dictionary and asked.skeleton)
    assert.equal("no format '" .. ("x"):rep(50) .. "'", select(2, lathe.parse("", setmetatable({}, {
      __index = function(_, key)
        collectgarbage()
        return key == "format" and ("x"):rep(50) or nil
      end }))).message:sub(1, 62))
  end)

  it("are held by all functions, methods and verbs", function()
    local result = helper.script("spec/support/hostile_options.lua", nil, { cwd = helper.tmpdir() })
    assert.equal("", result.err)
    assert.equal(0, result.code)
    assert.matches("^%d+ functions, %d+ values\n$", result.out)
  end)
end)

describe("finalizers", function()
  -- Every allocation may run one: the collector works all the time, and there is always garbage with
  -- a finalizer that calls `meddle`.
  local function with_finalizers(meddle, body)
    local stopped = false
    local function trap()
      setmetatable({}, { __gc = function()
        if stopped then return end
        pcall(meddle)
        trap()
      end })
    end
    local mode = collectgarbage("incremental", 100, 1000, 0)
    trap()
    local ok, err = pcall(body)
    stopped = true
    collectgarbage("incremental", 200, 100, 13)
    if mode == "generational" then collectgarbage(mode) end
    collect()
    assert(ok, err)
  end

  local function churn(doc)
    pcall(function()
      local _ = { doc:totable(), doc:encode(), lathe.bytes(doc.vertices), doc.vertices:pack() }
      for _, v in ipairs(doc.vertices) do v.x = v.x + 1 end
      for name in pairs(doc.triangles[1]) do lathe.span(doc.triangles[1], name) end
      for mesh in doc:meshes() do assert(mesh.positions) end
      doc.vertices:append { 1, 2, 3 }
      doc.vertices = doc.vertices:totable()
      doc.vertices[#doc.vertices + 1] = doc.vertices[1]
      doc.vertices:assign(doc.vertices:tobuffer())
      doc:edit(function() doc.vertices:insert(1, { x = 4 }) doc.triangles:append { gx = { 1, 2, 3 } } end)
      doc:set("vertices[1]", { 3, 2, 1 })
      doc:scale(2)
      doc:check()
      lathe.describe(doc)
      assert(lathe.new("solid", doc))
      local _ = tostring(doc.vertices[1]) .. tostring(doc)
    end)
  end

  it("may change the document at any time", function()
    local doc = model(20)
    local n = 0
    with_finalizers(function()
      n = n + 1
      if n % 3 == 0 then doc.vertices:insert(1, { n, n, n }) else doc.vertices:remove() end
    end, function()
      for _ = 1, 30 do churn(doc) end
    end)
    assert.is_true(n > 30)
    assert.truthy(lathe.parse(doc:encode(), { format = "solid" }))
  end)

  it("may close it at any time", function()
    for _ = 1, 100 do
      local doc = model(10)
      local countdown = math.random(1, 40)
      with_finalizers(function()
        countdown = countdown - 1
        if countdown == 0 then doc:close() end
      end, function()
        for _ = 1, 3 do churn(doc) end
      end)
      doc:close()
    end
  end)

  it("may close, change and undo while anything is read", function()
    local result = helper.script("spec/support/finalizer_stress.lua", nil, { timeout = 600 })
    assert.equal("", result.err)
    assert.matches("^%d%d%d+ readings disturbed\n$", result.out)
    assert.equal(0, result.code)
  end)

  it("see a document that went before them closed", function()
    local seen
    do
      local holder = setmetatable({}, { __gc = function(self)
        seen = { pcall(function() return self.view.x end) }
      end })
      holder.view = model().vertices[1] -- its document is younger: finalized first
    end
    collect()
    assert.is_false(seen[1])
    assert.matches("document is closed", seen[2])
  end)
end)
