-- summary: Moves models along an axis.
-- when: a prop sinks into the ground or floats above it
-- files: .solid of Lugaru
-- argument: DISTANCE how far
-- argument: [AXIS] x, y or z (default: y, which points up)
-- try: lathe run @raise-model crate.solid -o raised -- 10
-- try: lathe diff crate.solid raised/crate.solid
local distance, axis = ... -- the arguments behind --
distance, axis = tonumber(distance), axis or "y"
assert(distance, "DISTANCE: a number expected behind --")
assert(axis:find "^[xyz]$", "AXIS: x, y or z expected")

return function(doc)
  if doc.format ~= "solid" then return end
  for _, vertex in ipairs(doc.vertices) do
    vertex[axis] = vertex[axis] + distance
  end
end
