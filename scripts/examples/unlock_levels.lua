-- summary: Unlocks levels of a campaign in saved games.
-- when: a campaign is to be tested from its middle
-- files: .sav and .sav3 of Overgrowth
-- argument: LEVEL... names of the levels
-- try: lathe run @unlock-levels progress.sav3 -o unlocked -- castle
-- try: lathe diff progress.sav3 unlocked/progress.sav3
local names = { ... } -- the arguments behind --
assert(#names > 0, "LEVEL: names of levels expected behind --")

return function(doc)
  if doc.format ~= "save" then return end
  for _, level in ipairs(doc.levels) do
    local unlocked = level.arrays.unlocked_levels
    for _, name in ipairs(unlocked and names or {}) do
      local known = false
      for _, other in ipairs(unlocked) do known = known or other == name end
      if not known then unlocked:append(name) end
    end
  end
end
