-- Tagfiles whose tables are not as the SDK writes them: edits keep what others count on.

local judge = require "tagfile_judge"
local lathe = require "lathe"
local sample = require "sample_tagfile"

local function open(bytes) return assert(lathe.parse(bytes, { format = "tagfile", history = 10 })) end

-- Offsets in PTCH, each group turned around.
local function turned(bytes)
  local at = bytes:find("PTCH", 1, true) - 4
  local stop, from = at + (string.unpack(">I4", bytes, at) & 0x3FFFFFFF), at + 8
  while from < stop do
    local count, back = string.unpack("<I4", bytes, from + 4), {}
    for i = 1, count do back[i] = bytes:sub(from + 8 + 4 * (count - i), from + 11 + 4 * (count - i)) end
    bytes = bytes:sub(1, from + 7) .. table.concat(back) .. bytes:sub(from + 8 + 4 * count)
    from = from + 8 + 4 * count
  end
  return bytes
end

local function unpatched(bytes)
  local n = 0
  for _, problem in ipairs(judge.problems(bytes)) do
    if problem:find("no patch", 1, true) then n = n + 1 end
  end
  return n
end

describe("tagfiles with patches in another order", function()
  local bytes = turned(sample.named "nested")

  it("lose no patches but those of what goes", function()
    local doc <close> = open(bytes)
    assert.equal(0, unpatched(doc:encode()))
    doc.root.texts[1] = false
    assert.equal(0, unpatched(doc:encode()))
    assert.is_true(doc:undo())
    assert.is_true(doc:encode() == bytes)
  end)

  it("let objects go", function()
    local doc <close> = open(bytes)
    local count = #doc.objects
    if count > 1 then doc.objects:remove(count) end
    assert.equal(math.max(1, count - 1), #doc.objects)
    assert.equal(0, unpatched(doc:encode()))
  end)
end)

describe("a relative pointer of 4 bytes", function()
  it("is bytes, which nobody changes beyond their end", function()
    local l = sample.library()
    local int = l:number "int"
    local other = l:record("Other", 16, { { "v", int, 4 } }, { align = 4 })
    local pointer = l:add { name = "hkRelPtr", arguments = { { "tT", other } }, format = 6, sub = other, size = 4, align = 4,
      flags = 0x2000 }
    local root = l:record("Root", 16, { { "p", pointer, 0 }, { "after", int, 4 } }, { align = 4 })
    local bytes = sample.build(l, sample.object(root, { after = 0 }), { no_patches = true, sdk = "20210100" })
    local doc <close> = open(bytes)
    assert.equal(("\0"):rep(4), doc.root.p)
    assert.has_error(function() doc.root.p = false end)
    assert.is_true(doc:encode() == bytes)
  end)
end)
