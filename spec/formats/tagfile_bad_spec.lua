-- Bad tagfiles: named errors with section, number and offset; what opens all the same is named by check; and nothing that
-- a file says makes time or memory grow faster than the file.

local lathe = require "lathe"
local helper = require "helper"
local hostile = require "sample_tagfile_hostile"
local sample = require "sample_tagfile"
local tree = require "lathe.tree"

local function open(bytes) return lathe.parse(bytes, { format = "tagfile" }) end

local REFUSED = {
  ["cut in a header"] = "at 0x0: TAG0: the file is cut off: it says 1348 bytes, 20 are there",
  ["no tagfile"] = "at 0x0: not a Havok tagfile",
  ["root too long"] = "at 0x0: TAG0: the file is cut off: it says 1352 bytes, 1348 are there",
  ["section of 7 bytes"] = "at 0x8: section SDKV: a size of 7 bytes, where 8 to 1340 are possible",
  ["section longer than its parent"] = "at 0x18: section DATA: a size of 1348 bytes, where 8 to 1324 are possible",
  ["child longer than TYPE"] = "at 0x30c: section TBOD: a size of 4280 bytes, where 8 to 276 are possible",
  ["child of no bytes behind the last"] = "at 0x418: section TPAD: a size of 1073741823 bytes, where 8 to 8 are possible",
  ["ITEM of odd length"] = "at 0x428: ITEM: 184 bytes, which is no multiple of 12",
  ["no DATA"] = "at 0x0: there is no section DATA",
  ["no INDX"] = "at 0x0: there is no section INDX",
  ["no ITEM"] = "at 0x420: there is no section ITEM",
  ["no TYPE"] = "at 0x0: there is no section TYPE",
  ["types elsewhere"] = "at 0x140: its types are in another file: it needs the compendium 1032547698BADCFE (?2Tv????)",
  ["packed number 0xFA"] = "at 0x24c: TNAM: no packed integer begins with the byte 0xFA",
  ["packed number 0xFB"] = "at 0x24c: TNAM: no packed integer begins with the byte 0xFB",
  ["packed number 0xFC"] = "at 0x24c: TNAM: no packed integer begins with the byte 0xFC",
  ["packed number 0xFD"] = "at 0x24c: TNAM: no packed integer begins with the byte 0xFD",
  ["packed number 0xFE"] = "at 0x24c: TNAM: no packed integer begins with the byte 0xFE",
  ["packed number 0xFF"] = "at 0x24c: TNAM: no packed integer begins with the byte 0xFF",
  ["packed number that does not end"] = "at 0x3c3: TBOD: a packed integer runs past the end of the section",
  ["too many types"] = "at 0x24e: TNAM: 16382 types do not fit into 42 bytes",
  ["name out of range"] = "at 0x24e: TNAM: type 1: its name is text 127, there are 16",
  ["texts without an end"] = "at 0x24e: TNAM: type 1: its name is text 0, there are 0",
  ["body of no type"] = "at 0x315: TBOD: a body is type 127, there are 15",
  ["hash of no type"] = "at 0x3ce: THSH: a hash is type 127, there are 15",
  ["hashes that are not there"] = "at 0x3cd: THSH: 127 hashes do not fit into 75 bytes",
  ["own parent"] = "at 0x194: TBOD: type 2: its parents lead in a circle, or there are over 64",
  ["parents in a circle"] = "at 0x20e: TBOD: type 10: its parents lead in a circle, or there are over 64",
  ["unknown parts of a body"] = "at 0x198: TBOD: type 2: a body with the parts 0x200: lathe knows those in 0x1ff",
  ["two bodies"] = "at 0x1fe: TBOD: type 10: a second body",
  ["argument out of range"] = "at 0x107: TNAM: type 2: its template argument tT is type 99, there are 10",
  ["more members than bytes"] = "at 0x19d: TBOD: type 2: 65535 members do not fit into 95 bytes",
  ["size of 4 GB"] = "at 0x25c: ITEM: item 1: it takes 0xffffffff bytes, DATA has 0x10 from there on",
  ["size of 36 bits"] = "at 0x1ea: TBOD: type 9: 0x1000000000 is no number of 32 bits",
  ["item outside DATA"] = "at 0x448: ITEM: item 2: it lies at 0x10000 of DATA's 0x120 bytes",
  ["item that reaches out of DATA"] = "at 0x448: ITEM: item 2: it takes 0x5dc0 bytes, DATA has 0x110 from there on",
  ["item of 4 G elements"] = "at 0x448: ITEM: item 2: it takes 0x17ffffffe8 bytes, DATA has 0x110 from there on",
  ["item of no type"] = "at 0x448: ITEM: item 2: it is of type 200, there are 15",
  ["more patches than bytes"] = "at 0x538: PTCH: the patches of type 12 do not fit into 12 bytes",
  ["4 G patches"] = "at 0x538: PTCH: the patches of type 12 do not fit into 12 bytes",
  ["patches without an end"] = "at 0x544: PTCH: the patches of type 7 do not fit into 4 bytes",
}

describe("bad tagfiles", function()
  local refused, opened = {}, {}
  for _, bad in ipairs(sample.damaged()) do table.insert(bad.opens and opened or refused, bad) end

  it("are refused by name, with the place", function()
    local said = {}
    for _, bad in ipairs(refused) do
      local doc, err = open(bad.bytes)
      assert.is_nil(doc, bad.name)
      said[bad.name] = tostring(err)
      assert.equal(REFUSED[bad.name], said[bad.name], bad.name)
    end
    for name in pairs(REFUSED) do assert(said[name], name) end
  end)

  it("are named by check where they open, and walk, dump and serialize without an accident", function()
    for _, bad in ipairs(opened) do
      local doc <close> = assert(open(bad.bytes), bad.name)
      local _, found = doc:check()
      assert(#found > 0, bad.name)
      assert.is_true(bad.bytes == doc:encode(), bad.name)
      tree.dump(doc)
      pcall(doc.totable, doc)
      local same <close> = assert(open(bad.bytes))
      pcall(tree.diff, doc, same)
      pcall(doc.serialize, doc)
    end
  end)

  it("may have packed integers of 9 bytes, and sections that nest", function()
    local doc <close> = assert(open(sample.named "wide_numbers"))
    local plain <close> = assert(open(sample.named "plain"))
    assert.same(plain.root:totable(), doc.root:totable())
    for _, bad in ipairs(opened) do
      if bad.name == "nested without end" then
        local nested <close> = assert(open(bad.bytes))
        assert.same(plain.root:totable(), nested.root:totable())
      end
    end
  end)

  it("are compendiums, and files that need one", function()
    local compendium, needs = sample.compendium()
    local _, err = open(compendium)
    assert.equal("at 0x0: a compendium (TCM0): it has types for other files, and no objects", tostring(err))
    _, err = open(needs)
    assert.matches("it needs the compendium 1032547698BADCFE", tostring(err))
  end)
end)

-- ---- bounds ---------------------------------------------------------------------------------------------

-- All that anybody does with a file. What is refused on the way is no matter.
local function everything(bytes)
  local doc = open(bytes)
  if not doc then return end
  local same = assert(open(bytes))
  pcall(lathe.describe, doc)
  pcall(doc.check, doc)
  pcall(tree.dump, doc)
  pcall(doc.totable, doc)
  pcall(tree.diff, doc, same)
  pcall(doc.serialize, doc)
  same:close()
  doc:close()
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

describe("hostile tagfiles", function()
  local FEW, MANY = 25000, 100000

  for _, one in ipairs(hostile) do
    it("take no time that grows faster than the file: " .. one.name, function()
      local few, many = one.build(FEW), one.build(MANY)
      local growth = math.max(1, #many / #few) ^ 1.5
      local least, most = seconds(few), seconds(many)
      -- The half second is for what a limit makes jump; what grows with the square takes many seconds.
      assert(most < 0.5 + growth * (least + 0.02), ("%.3f s, %.3f s"):format(least, most))
    end)

    it("take memory of a small multiple of the file: " .. one.name, function()
      local bytes = one.build(MANY)
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
  end
end)
