-- Reports vertices at the same position: lathe run weld_report.lua Models/
-- Changes nothing, so no files are written.
return function(doc, ctx)
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
