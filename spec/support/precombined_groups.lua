--- Groups of precombined meshes for tests: made by doc:precombine, and looked at.

local assert = require "luassert"
local compare_meshes = require "packed_meshes"
local lathe = require "lathe"
local model = require "sample_model"

local groups = {}

--- An empty document.
function groups.document() return assert(lathe.new("nif", { bs_version = 130 })) end

--- A model that is opened; as model.build takes it.
function groups.opened(shapes, root, more) return assert(lathe.parse(model.build(shapes, root, more))) end

--- A new group of these sources, and the report.
function groups.make(sources)
  local doc = groups.document()
  local report, err = doc:precombine { sources = sources, cell = "0000E2DB", key = "02BE5E11" }
  return report and doc, report or err
end

--- Each left out shape's path and reason, a line each.
function groups.skipped(report)
  local lines = {}
  for i, one in ipairs(report.skipped) do lines[i] = ("%s: %s"):format(one.path, one.reason) end
  return table.concat(lines, "\n")
end

--- Asserts that a group has nothing to be told of, is the same from its bytes and from tables, and reads alike in plain
-- Lua. Gives its bytes.
function groups.assert_sound(doc)
  local ok, list = doc:check()
  assert.same({ true, {} }, { ok, list })
  local bytes = doc:encode()
  assert.equal(bytes, assert(lathe.parse(bytes)):encode())
  assert.equal(bytes, assert(lathe.new("nif", doc:totable())):encode())
  compare_meshes(doc, bytes)
  return bytes
end

return groups
