-- summary: Counts vertices that lie on another one.
-- when: a model has more vertices than it needs
-- files: .solid of Lugaru
-- note: Changes nothing.
-- try: lathe run @weld-report crate.solid
return function(doc, ctx)
  if doc.format ~= "solid" then return end
  local first_at, doubles = {}, 0
  for i, vertex in ipairs(doc.vertices) do
    local place = ("%.9g %.9g %.9g"):format(vertex.x, vertex.y, vertex.z)
    if first_at[place] then
      doubles = doubles + 1
    else
      first_at[place] = i
    end
  end
  print(("%s: %d of %d vertices lie on another one"):format(ctx.path, doubles, #doc.vertices))
end
