-- summary: Mirrors animations: what the left hand did, the right hand does.
-- when: left-handed characters need animations
-- files: .hkx of Skyrim and Fallout 4, .anm of Overgrowth, with --skeleton
-- argument: [LEFT=RIGHT...] pairs of bones whose names do not tell that they are a pair; only for .hkx
-- try: lathe run @mirror-clips idle_breathe.hkx --skeleton biped.hkx -o mirrored
-- try: lathe diff idle_breathe.hkx mirrored/idle_breathe.hkx --skeleton biped.hkx
return function(doc, ctx)
  local pairs_of_bones = {}
  for i, arg in ipairs(ctx.args) do
    local left, right = arg:match "^(.+)=(.+)$"
    assert(left, "LEFT=RIGHT expected: the names of two bones")
    pairs_of_bones[i] = { left = left, right = right }
  end
  for _, anim in ipairs(doc.animations) do
    local report = assert(anim:mirror { pairs = #pairs_of_bones > 0 and pairs_of_bones or nil })
    for _, left in ipairs(report.skipped) do
      ctx.log(("not mirrored: %s: %s"):format(left.path, left.reason))
    end
  end
end
