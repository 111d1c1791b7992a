-- Turns textures upside down: lathe run flip_v.lua Models/ -o flipped/
-- v runs from the image's bottom in props and from its top in characters.
return function(doc)
  for _, triangle in ipairs(doc.triangles) do
    local v = triangle.gy
    for corner = 1, #v do v[corner] = 1 - v[corner] end
  end
end
