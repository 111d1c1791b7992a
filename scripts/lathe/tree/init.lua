--- Walkers over any document or view, whatever its format.
--
--    local lathe = require "lathe"
--    local doc = assert(lathe.open "Box.solid")
--    print(lathe.tree.dump(doc, { depth = 1 }))
--
-- @module lathe.tree

local diff = require "lathe.tree.diff"
local dump = require "lathe.tree.dump"
local json = require "lathe.tree.json"

return {
  --- A readable tree. See `lathe.tree.dump`.
  dump = dump.dump,
  --- The differences between two documents. See `lathe.tree.diff`.
  diff = diff.diff,
  --- One difference as a line of text.
  diff_line = diff.line,
  --- A view as JSON text. See `lathe.tree.json`.
  to_json = json.encode,
  --- JSON text as a plain table, for `lathe.new`.
  from_json = json.decode,
}
