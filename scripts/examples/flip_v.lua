-- summary: Turns textures upside down.
-- when: a model from another program has its textures upside down
-- files: .solid of Lugaru
-- try: lathe run @flip-v crate.solid -o flipped
-- try: lathe diff crate.solid flipped/crate.solid

-- In props v starts at the bottom of the image, in characters at the top.
return function(doc)
  if doc.format ~= "solid" then return end
  for _, triangle in ipairs(doc.triangles) do
    local v = triangle.gy
    for corner = 1, #v do v[corner] = 1 - v[corner] end
  end
end
