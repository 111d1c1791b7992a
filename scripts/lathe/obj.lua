--- What an .obj says of its faces. Only they are read: how many corners its triangles have is what a
-- skeleton's weights must agree with.
-- @module lathe.obj

local obj = {}

--- The corners of all triangles; a face of more than three corners counts as the triangles it is cut
-- into.
-- @tparam string text the whole file
-- @treturn ?integer
-- @treturn ?string what is wrong, with the line
function obj.corners(text)
  local total, number = 0, 0
  local held = ""                                 -- a line that goes on in the next one
  for line in (text .. "\n"):gmatch "(.-)\r?\n" do
    number = number + 1
    line = held .. line
    held = line:match "^(.*)\\$" or ""
    local faces = held == "" and line:match "^%s*f%s+(.*)"
    if faces then
      local n = select(2, faces:gsub("%S+", ""))
      if n < 3 then return nil, ("line %d: a face of %d corners"):format(number, n) end
      total = total + 3 * (n - 2)
    end
  end
  return total
end

return obj
