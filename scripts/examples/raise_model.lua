-- summary: Moves models along an axis.
-- when: a prop sinks into the ground or floats above it
-- files: .solid of Lugaru
-- argument: DISTANCE how far
-- argument: [AXIS] x, y or z (default: y, which points up)
-- try: lathe run @raise-model crate.solid -o raised -- 10
-- try: lathe diff crate.solid raised/crate.solid
return function(doc, ctx)
  local distance = assert(tonumber(ctx.args[1]), "DISTANCE: a number expected behind --")
  local axis = ctx.args[2] or "y"
  assert(axis:find "^[xyz]$", "the axis is x, y or z")
  if doc.format ~= "solid" then return end
  for _, vertex in ipairs(doc.vertices) do
    vertex[axis] = vertex[axis] + distance
  end
end
