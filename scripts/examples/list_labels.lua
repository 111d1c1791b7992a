-- Lists ragdoll volumes: lathe run list_labels.lua Characters/
return function(doc, ctx)
  print(ctx.path)
  for i, volume in ipairs(doc.objects) do
    local part = volume.part or "(no part)"
    local side = volume.side and " " .. volume.side or ""
    local mirrored = volume.mirrored and ", mirrored" or ""
    print(("  %d  %s%s, %s%s"):format(i, part, side, volume.shape or "(no shape)", mirrored))
  end
end
