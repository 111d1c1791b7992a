-- Unlocks levels of a campaign in saved games: lathe run unlock_levels.lua savefile.sav3 -i -- village cats
return function(doc, ctx)
  if doc.format ~= "save" then return end
  for _, level in ipairs(doc.levels) do
    local unlocked = level.arrays.unlocked_levels
    for _, name in ipairs(unlocked and ctx.args or {}) do
      local known = false
      for _, other in ipairs(unlocked) do known = known or other == name end
      if not known then unlocked:append(name) end
    end
  end
end
