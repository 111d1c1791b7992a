--- What specs say of what came out: a text instead of a value, an error that leaves all as it was, numbers.

local assert = require "luassert"

local outcome = {}

--- The text of an error that was returned: nil, err.
function outcome.message(...)
  local value, err = ...
  assert.is_nil(value)
  return tostring(err)
end

--- f(...) must raise an error that says this somewhere.
function outcome.raises(message, f, ...)
  local ok, err = pcall(f, ...)
  assert.is_false(ok)
  assert.matches(message, tostring(err), 1, true)
end

--- fn() must raise exactly this, but for the place in a script, and leave the document as it is.
function outcome.refuses(doc, message, fn)
  local before = doc:encode()
  local ok, err = pcall(fn)
  assert.is_false(ok, "nothing raised")
  assert.equal(message, (tostring(err):gsub("^[^:]*%.lua:%d+: ", "")))
  assert.equal(before, doc:encode())
end

--- Two lists of numbers, the same but for what 32-bit floats lose.
function outcome.near(want, got)
  assert.equal(#want, #got)
  for i, v in ipairs(want) do assert.is_near(v, got[i], 1e-5 * math.max(1, math.abs(v)), "number " .. i) end
end

return outcome
