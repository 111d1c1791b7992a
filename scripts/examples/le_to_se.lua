-- summary: Converts Havok files of the first Skyrim (LE) for Skyrim Special Edition.
-- when: an old mod is to run in Special Edition
-- files: .hkx of Skyrim LE: animations, skeletons, behavior graphs
-- try: lathe run @le-to-se wave_le.hkx skeleton.hkx -o se
-- try: lathe info se/wave_le.hkx
return function(doc, ctx)
  if doc.format ~= "hkx" then return end
  if doc.game ~= "Skyrim LE" then return ctx.log "is not for Skyrim LE, and stays as it is" end

  local report = assert(doc:convert "skyrim-se")
  for _, lost in ipairs(report.skipped) do -- what Special Edition has no place for
    ctx.log(("left out: %s: %s"):format(lost.path, lost.reason))
  end
end
