-- --shard: each file is in exactly one part, whatever the order and the place of the folder; and GNU parallel with it.

local helper = require "helper"
local inputs = require "lathe.cli.batch.inputs"
local listing = require "lathe.cli.commands.listing"
local transcript = dofile "spec/cli/transcript.lua"

local function random_name()
  local parts = {}
  for i = 1, math.random(1, 3) do
    local bytes = {}
    for k = 1, math.random(1, 12) do bytes[k] = string.char(math.random(1, 255)) end
    parts[i] = table.concat(bytes):gsub("/", "_")
  end
  return table.concat(parts, "/")
end

describe("--shard", function()
  it("has each of 4,000 names in one part, and parts of about equal size", function()
    math.randomseed(20)
    local names = {}
    for i = 1, 4000 do names[i] = random_name() .. i end
    for _, count in ipairs { 1, 2, 3, 7, 40 } do
      local sizes = {}
      for index = 1, count do sizes[index] = 0 end
      for _, name in ipairs(names) do
        local held = 0
        for index = 1, count do
          if listing.holds({ index = index, count = count }, name) then
            held, sizes[index] = held + 1, sizes[index] + 1
          end
        end
        assert.equal(1, held, name)
      end
      local mean = #names / count
      for index, size in ipairs(sizes) do -- 6 standard deviations
        assert.is_true(math.abs(size - mean) <= 6 * math.sqrt(mean), ("%d/%d: %d"):format(index, count, size))
      end
    end
  end)

  it("does not depend on the folder, nor on the order", function()
    local first, second = helper.tmpdir(), helper.tmpdir() .. "/deeper/down"
    os.execute(("mkdir -p %s/sub %s/sub"):format(helper.quote(first), helper.quote(second)))
    local there = {}
    for i = 1, 30 do
      local name = (i % 3 == 0 and "sub/" or "") .. i .. ".solid"
      helper.write(first .. "/" .. name, "x")
      helper.write(second .. "/" .. name, "x")
      table.insert(there, 1, second .. "/" .. name)
    end
    local function taken(args, index)
      local list = {}
      local items = inputs.collect(args, nil, nil, { shard = { index = index, count = 4 } })
      for i, item in ipairs(items) do list[i] = item.below end
      table.sort(list)
      assert.equal(30, items.all)
      return list
    end
    local all = 0
    for index = 1, 4 do
      local list = taken({ first }, index)
      assert.same(list, taken({ second }, index))
      assert.same(list, taken(there, index))
      all = all + #list
    end
    assert.equal(30, all)
  end)

  it("lets GNU parallel share a folder among processes #tools", function()
    if helper.run("command -v parallel").code ~= 0 then return pending "GNU parallel is not installed" end
    local folder, env = transcript.folder()
    for i = 1, 8 do
      os.execute(("mkdir -p %s/in/%d"):format(helper.quote(folder), i % 2))
      helper.write(("%s/in/%d/%d.solid"):format(folder, i % 2, i), helper.read(folder .. "/tri.solid"))
    end
    local result = helper.run("lathe scale 2 in -o whole >/dev/null 2>&1 && "
      .. "seq 3 | parallel lathe scale 2 in -o parts --resume --shard {}/3 2>/dev/null | sort && "
      .. "lathe scale 2 in -o parts --resume --json | grep -c already_done && rm parts/lathe-manifest.jsonl && "
      .. "diff -r whole parts",
      { cwd = folder, env = env })
    local expected = {}
    for i = 1, 8 do
      expected[i] = ("in/%d/%d.solid: 3 changes -> parts/%d/%d.solid\n"):format(i % 2, i, i % 2, i)
    end
    table.sort(expected)
    expected[9] = "8\n"
    assert.same({ 0, table.concat(expected) }, { result.code, result.out })
  end)
end)
