-- summary: Slows down animations to half their speed.
-- when: you want the shortest example of a script
-- files: .hkx of Skyrim and Fallout 4, .anm of Overgrowth
-- try: lathe run @half-speed wave.hkx lift.anm -o slow
return function(doc)
  for _, anim in ipairs(doc.animations) do
    assert(anim:retime { speed = 0.5 })
  end
end
