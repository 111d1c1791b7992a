-- summary: Raises or lowers the volumes of ragdolls.
-- when: bones of a character were moved up or down
-- files: .fzx of Overgrowth
-- argument: HEIGHT how far, in metres; negative numbers lower
-- argument: [PART...] only volumes of these parts of the body, such as head and chest (default: all)
-- try: lathe run @raise-volumes volumes.fzx -o raised -- 0.1 head
-- try: lathe diff volumes.fzx raised/volumes.fzx
local height = tonumber((...)) -- ... are the arguments behind --
assert(height, "HEIGHT: a number of metres expected behind --, such as 0.1")
local parts = { select(2, ...) }
local wanted = {}
for _, part in ipairs(parts) do wanted[part:lower()] = true end

return function(doc, ctx)
  if doc.format ~= "fzx" then return end
  local found = {}
  for _, volume in ipairs(doc.objects) do
    local part = volume.part or "" -- as the label says: "chest box" is a box of the part chest
    if #parts == 0 or wanted[part] then
      volume.location.z = volume.location.z + height -- z points up in these files
      found[part] = true
    end
  end
  for _, part in ipairs(parts) do
    if not found[part:lower()] then ctx.log("no volume of the part " .. part) end
  end
end
