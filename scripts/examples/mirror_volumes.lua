-- summary: Adds a mirrored copy on the right for each volume of a ragdoll on the left.
-- when: a ragdoll is complete on the left side only
-- files: .fzx of Overgrowth
-- try: lathe run @mirror-volumes volumes.fzx -o both
-- try: lathe run @list-labels both/volumes.fzx
-- try: lathe preview volumes.fzx both/volumes.fzx -o both.png --view front

-- Skips volumes that the game mirrors by their label, and those that already have a copy.
local function key(volume)
  return ("%s %s"):format(volume.part, volume.shape)
end

return function(doc, ctx)
  if doc.format ~= "fzx" then return end
  local right = {}
  for _, volume in ipairs(doc.objects) do
    if volume.side == "r" then right[key(volume)] = true end
  end
  local added = 0
  for i = 1, #doc.objects do
    local left = doc.objects[i]
    if left.side == "l" and not left.mirrored and not right[key(left)] then
      local twin = doc.objects:append(left)
      twin.side = "r"
      twin.location.x = -left.location.x
      twin.rotation.y = -left.rotation.y
      twin.rotation.z = -left.rotation.z
      added = added + 1
    end
  end
  if added > 0 then ctx.log(("mirrored: %d"):format(added)) end
end
