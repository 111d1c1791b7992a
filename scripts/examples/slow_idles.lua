-- summary: Slows down idle animations, and leaves all others as they are.
-- when: characters fidget while they wait
-- files: .hkx of Skyrim and Fallout 4, .anm of Overgrowth
-- note: Takes files whose names contain "idle".
-- argument: [PERCENT] how much slower, above 0 and below 100 (default: 20)
-- try: lathe run @slow-idles idle_breathe.hkx wave.hkx -o slow
-- try: lathe run @slow-idles idle_breathe.hkx -o half -- 50
local percent = tonumber((...) or 20) -- ... are the arguments behind --
assert(percent and percent > 0 and percent < 100, "PERCENT: a number above 0 and below 100 expected")

return function(doc, ctx)
  local name = ctx.path:match "[^/\\]*$"
  if not name:lower():find("idle", 1, true) then return end
  for _, anim in ipairs(doc.animations) do
    local before = anim.duration
    assert(anim:retime { speed = 1 - percent / 100 }) -- annotations and root motion follow
    ctx.log(("%.3g s, was %.3g s"):format(anim.duration, before))
  end
end
