-- Slows down animations of any format to half their speed: lathe run half_speed.lua Animations/ -o slow/
return function(doc)
  for _, anim in ipairs(doc.animations) do
    assert(anim:retime { speed = 0.5 })
  end
end
