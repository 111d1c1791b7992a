-- Every block that is described, for every game, filled by chance: what is read is what plain Lua wrote, and its
-- fields alone make the same bytes.

local compare = require "nif_compare"
local lathe = require "lathe"
local nif_schema = require "nif_schema"
local sample = require "sample_nif"

local SEEDS = 3

local schema = nif_schema.load()

-- Names of enumerations as numbers, as plain Lua has them; that they are the right ones show the bytes that are made
-- of the table. Second uvs and matrices of 16 are named in another way there.
local function as_wanted(wanted, got, key)
  if math.type(wanted) == "integer" and type(got) == "string" then return wanted end
  if type(wanted) == "string" and type(got) == "table" then return got.bytes end -- no packfile
  if type(wanted) ~= "table" or type(got) ~= "table" then return got end
  if key == "transform" and #wanted == 16 then return wanted end
  local out = {}
  for k, value in pairs(got) do out[k] = as_wanted(wanted[k], value, k) end
  if wanted.uv1 then out.uv1 = out.uv2 end
  return out
end

local function try(name, game, seed)
  local setting = sample.setting(game)
  local opts = sample.random_file({ name }, setting, sample.rng(seed))
  local bytes = sample.build(opts)
  local doc <close> = assert(lathe.parse(bytes, { format = "nif" }))
  local block = doc.blocks[1]
  local problem = lathe.problem(block)
  assert(not problem, problem)
  assert.equal(name, lathe.type(block))
  local values = opts.blocks[1].values
  local where = compare.difference(values, as_wanted(values, block:totable()))
  assert(not where, where)
  assert(bytes == doc:encode(), "encode")
  local again <close> = assert(lathe.new("nif", doc:totable()))
  assert(bytes == again:encode(), "new(totable())")
end

describe("every described block", function()
  for _, game in ipairs(sample.all_names) do
    it("comes back by chance: " .. game, function()
      local wrong = {}
      for _, name in ipairs(schema.blocks) do
        for seed = 1, SEEDS do
          local ok, why = pcall(try, name, game, seed)
          if not ok then wrong[#wrong + 1] = ("%s/%d: %s"):format(name, seed, tostring(why)) end
        end
      end
      assert.equal("", table.concat(wrong, "\n"))
    end)
  end
end)
