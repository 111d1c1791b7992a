-- summary: Lists the volumes of ragdolls: which part of the body, which side, which shape.
-- when: you want to know what a ragdoll consists of
-- files: .fzx of Overgrowth
-- note: Changes nothing.
-- try: lathe run @list-labels volumes.fzx
return function(doc, ctx)
  if doc.format ~= "fzx" then return end
  print(ctx.path)
  for i, volume in ipairs(doc.objects) do
    local part = volume.part or "(no part)"
    local side = volume.side and " " .. volume.side or ""
    local mirrored = volume.mirrored and ", mirrored" or ""
    print(("  %d  %s%s, %s%s"):format(i, part, side, volume.shape or "(no shape)", mirrored))
  end
end
