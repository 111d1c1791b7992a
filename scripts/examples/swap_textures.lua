-- summary: Replaces paths of textures, as after a folder was renamed.
-- when: a mod moves its textures, or uses those of another mod
-- files: .nif of all games
-- argument: OLD path to replace; * stands for any text. Case does not matter, nor does / or \
-- argument: NEW path to put there; * stands for what the * of OLD stood for. More pairs may follow
-- try: lathe run @swap-textures stock.nif -o swapped -- 'textures\workshop\*' 'textures\my mod\*'
-- try: lathe materials swapped/stock.nif
local names = { ... } -- the arguments behind --
assert(#names > 0 and #names % 2 == 0, "OLD and NEW expected behind --: an even number of paths")

return function(doc, ctx)
  if doc.format ~= "nif" then return end
  local changed = 0
  for i = 1, #names, 2 do
    local report = assert(doc:set_materials(names[i], names[i + 1], { what = "textures" }))
    changed = changed + report.changed
  end
  if changed > 0 then ctx.log(("paths replaced: %d"):format(changed)) end
end
