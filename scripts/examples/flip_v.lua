-- Turns textures upside down: lathe run flip_v.lua Models/ -o flipped/
-- In props v starts at the bottom of the image, in characters at the top.
return function(doc)
  for _, triangle in ipairs(doc.triangles) do
    local v = triangle.gy
    for corner = 1, #v do v[corner] = 1 - v[corner] end
  end
end
