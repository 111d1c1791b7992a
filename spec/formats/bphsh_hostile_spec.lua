-- Phive shapes that say more than they hold: nothing that a file says makes time or memory grow faster than the file.

local helper = require "helper"
local hostile = require "sample_phive_hostile"
local lathe = require "lathe"
local tree = require "lathe.tree"

local function open(bytes) return lathe.parse(bytes, { format = "bphsh" }) end

local function touch(doc)
  for _, material in ipairs(doc.materials) do local _ = material.name end
  local _ = doc.bounds
  for _, section in ipairs(doc.shape.geometry_sections) do local _ = section.vertices end
end

-- All that anybody does with a file. What is refused on the way is no matter.
local function everything(bytes)
  local doc <close> = assert(open(bytes))
  local same <close> = assert(open(bytes))
  doc:check()
  pcall(lathe.describe, doc)
  pcall(doc.meshes, doc, { what = "collision" })
  pcall(touch, doc)
  pcall(tree.dump, doc)
  pcall(doc.totable, doc)
  pcall(tree.diff, doc, same)
  pcall(doc.serialize, doc)
end

local function seconds(bytes)
  local best = math.huge
  for _ = 1, 2 do
    collectgarbage()
    local from = os.clock()
    everything(bytes)
    best = math.min(best, os.clock() - from)
  end
  return best
end

-- The most memory that this program has had since it was last told to forget, in bytes; nil where no system tells.
local function peak(forget)
  local file = io.open(forget and "/proc/self/clear_refs" or "/proc/self/status", forget and "w" or "r")
  if not file then return end
  local text = forget and file:write "5" or file:read "a"
  file:close()
  return not forget and tonumber(text:match "VmHWM:%s*(%d+)") * 1024 or nil
end

describe("hostile Phive shapes", function()
  local FEW <const>, MANY <const> = 1000, 4000

  for _, one in ipairs(hostile) do
    local built = {}
    local function build(n)
      built[n] = built[n] or one.build(n)
      return built[n]
    end

    it("take no time that grows faster than the file: " .. one.name, function()
      local few, many = build(FEW), build(MANY)
      local growth = math.max(1, #many / #few) ^ 1.5
      local least, most = seconds(few), seconds(many)
      -- The half second is for what a limit makes jump; what grows with the square takes many seconds.
      assert(most < 0.5 + growth * (least + 0.02), ("%.3f s, %.3f s"):format(least, most))
    end)

    it("take memory of a small multiple of the file: " .. one.name, function()
      local bytes = build(MANY)
      collectgarbage()
      collectgarbage()
      peak(true)
      local before = peak()
      everything(bytes)
      local after = peak()
      if before and not helper.preload then -- sanitizers keep what was freed
        assert(after - before < 160 * #bytes + (16 << 20), (after - before) / #bytes)
      end
    end)

    it("are named by check: " .. one.name, function()
      local doc <close> = assert(open(build(FEW)))
      local _, found = doc:check()
      assert(#found > 0 and #found <= 20002, #found) -- no more of a level are told
    end)
  end
end)

-- What is written anew can be read and written again, to the same bytes; what cannot be is refused.
local function again(bytes)
  local doc <close> = open(bytes)
  local written = doc and doc:serialize()
  if not written then return end
  local other <close> = assert(open(written))
  assert.is_true(assert(other:serialize()) == written)
  return true
end

describe("damaged Phive shapes", function()
  it("are written anew as files that can be, or not at all", function()
    local n = 0
    for _, list in ipairs { require "sample_phive_bad"(), require "sample_phive_faults"() } do
      for _, bad in ipairs(list) do n = n + (again(bad.bytes) and 1 or 0) end
    end
    assert(n >= 60, n)
  end)

  it("are so in the corpus #corpus", function()
    local folder = helper.need_corpus("bphsh/bad", pending)
    for _, name in ipairs(helper.list(folder, "%.bphsh$")) do again(helper.read(folder .. "/" .. name)) end
  end)
end)
