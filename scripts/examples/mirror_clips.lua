-- summary: Mirrors animations: what the left hand did, the right hand does.
-- when: left-handed characters need animations
-- files: .hkx of Skyrim and Fallout 4, .anm of Overgrowth
-- note: Needs --skeleton FILE: the skeleton of the animations.
-- argument: [LEFT=RIGHT...] pairs of bones whose names do not tell that they are a pair; only for .hkx
-- try: lathe run @mirror-clips idle_breathe.hkx --skeleton biped.hkx -o mirrored
-- try: lathe diff idle_breathe.hkx mirrored/idle_breathe.hkx --skeleton biped.hkx
local bones = { ... } -- the arguments behind --
for i, arg in ipairs(bones) do
  local left, right = arg:match "^(.+)=(.+)$"
  assert(left, "LEFT=RIGHT expected: the names of two bones")
  bones[i] = { left = left, right = right }
end

return function(doc, ctx)
  for _, anim in ipairs(doc.animations) do
    local report = assert(anim:mirror { pairs = #bones > 0 and bones or nil })
    for _, left in ipairs(report.skipped) do
      ctx.log(("not mirrored: %s: %s"):format(left.path, left.reason))
    end
  end
end
