--- What every format must prove, whatever it holds. A spec gives samples and says what is special:
--
--    local checks = require "format_checks"
--    checks.describe_format {
--      format = "fzx",
--      samples = { two_objects = bytes, … },       -- made by hand, not by our writer
--      follows = { "footer.size" },                -- fields that change with the length of the file
--      computed = { ["fzx_object.part"] = { "head", "thigh" }, … },
--      selects = { ["anm_frame.use_mobility"] = true },   -- fields that others are chosen by
--      unseen = { "fzx.trailing", … },             -- fields that no sample has
--    }

local assert = require "luassert"
local busted = require "busted"
local lathe = require "lathe"
local damage = require "format_damage"
local write = require "format_write"

local checks = {}

--- A document of these bytes, which must open.
function checks.open(format, bytes, options)
  local all = { format = format, path = "sample." .. format }
  for k, v in pairs(options or {}) do all[k] = v end
  return assert(lathe.parse(bytes, all))
end

--- Where two strings of one length differ: offset (from 0) of the first byte, how many to the last, and
-- whether all in between differ. nil where they are equal.
checks.diff = write.diff

-- A table as text in which NaN equals NaN and -0 is not 0.
local function text(value)
  if math.type(value) == "float" then return string.pack("<d", value) end
  if type(value) ~= "table" then return ("%q"):format(value) end
  local keys, out = {}, {}
  for k in pairs(value) do keys[#keys + 1] = k end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for i, k in ipairs(keys) do out[i] = ("[%q]=%s"):format(k, text(value[k])) end
  return "{" .. table.concat(out, ",") .. "}"
end

--- Asserts that two plain tables hold the same, bit for bit.
function checks.same(expected, got, message)
  local a, b = text(expected), text(got)
  if a == b then return end
  assert.same(expected, got, message)             -- says where; it passes 0 for -0
  assert.equal(a, b, message)
end

--- Asserts that a document lives through every way of being written as it was read.
function checks.round_trip(format, bytes)
  local doc <close> = checks.open(format, bytes)
  assert.equal(bytes, doc:encode())
  assert.is_false(doc.modified)
  assert.equal(#bytes, doc.size)
  local plain = doc:totable()
  local again <close> = assert(lathe.new(format, plain))
  assert.equal(bytes, again:encode(), "new(totable())")
  local copied <close> = assert(lathe.new(format, doc))
  assert.equal(bytes, copied:encode(), "new(document)")
  checks.same(plain, again:totable())
  doc:check()
  assert.equal(bytes, doc:encode(), "after check()")
end

--- Names of the fields of a record type and of all types below it that the walk did not meet.
local function unseen_fields(type_name, seen, known, out)
  if known[type_name] then return end
  known[type_name] = true
  for _, row in ipairs(lathe.describe(type_name)) do
    local name = type_name .. "." .. row.name
    if not seen[name] then out[#out + 1] = name end
    if row.kind == "record" then unseen_fields(row.type, seen, known, out) end
  end
end

local function sorted_names(samples)
  local names = {}
  for name in pairs(samples) do names[#names + 1] = name end
  table.sort(names)
  return names
end

--- Defines the tests that are the same for all formats.
function checks.describe_format(opts)
  local describe, it = busted.describe, busted.it
  local names = sorted_names(opts.samples)

  describe("every sample", function()
    for _, name in ipairs(names) do
      it(name .. " comes back as it was read", function()
        checks.round_trip(opts.format, opts.samples[name])
      end)
    end

    it("has every field written: it reads back, and only its span changes", function()
      local seen = {}
      for _, name in ipairs(names) do write.every_field(opts, opts.samples[name], seen) end
      local missing = {}
      unseen_fields(opts.root or opts.format, seen, {}, missing)
      table.sort(missing)
      local expected = opts.unseen or {}
      table.sort(expected)
      assert.same(expected, missing)
    end)

    for _, name in ipairs(names) do
      it(name .. ": every prefix is refused with an offset, or read and kept", function()
        damage.prefixes(opts.format, opts.samples[name])
      end)
      it(name .. ": every number at its extremes", function()
        damage.extremes(opts.format, opts.samples[name])
      end)
      it(name .. ": random bytes", function()
        damage.flips(opts.format, opts.samples[name], opts.flips or 2000, 20261)
      end)
    end
  end)
end

return checks
