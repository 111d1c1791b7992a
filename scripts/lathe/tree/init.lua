--- Walkers over any document or view, whatever its format: `lathe.tree`.
-- @module lathe.tree

local diff = require "lathe.tree.diff"
local dump = require "lathe.tree.dump"
local json = require "lathe.tree.json"

return {
  dump = dump.dump,
  diff = function(a, b, opts) return (diff.diff(a, b, opts)) end,
  diff_line = diff.line,
  to_json = json.encode,
  from_json = json.decode,
}
