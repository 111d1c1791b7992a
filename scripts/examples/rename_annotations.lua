-- summary: Renames annotations, the events that an animation sends to the game.
-- when: animations are to play other sounds or effects
-- files: .hkx of Skyrim and Fallout 4, .anm of Overgrowth
-- argument: OLD text of the annotation, or its start and a *, as in 'SoundPlay.*'
-- argument: NEW text to put there; a * at its end stands for what the * of OLD stood for
-- try: lathe run @rename-annotations idle_breathe.hkx -o renamed -- 'SoundPlay.*' 'SoundPlay.Guard*'
-- try: lathe diff idle_breathe.hkx renamed/idle_breathe.hkx
local old, new = ... -- the arguments behind --
assert(old and new, "OLD and NEW expected behind --: the text to replace, and the new text")
local start, start_of_new = old:match "^(.*)%*$", new:match "^(.*)%*$"
assert(start or not start_of_new, "NEW ends in *, but OLD does not")

local function renamed(text)
  if text == old then return new end
  if not start or text:sub(1, #start) ~= start then return text end
  return start_of_new and start_of_new .. text:sub(#start + 1) or new
end

return function(doc, ctx)
  local count = 0
  for _, anim in ipairs(doc.animations) do
    for _, annotation in ipairs(anim.annotations) do
      local text = renamed(annotation.text)
      if text ~= annotation.text then
        annotation.text = text
        count = count + 1
      end
    end
  end
  if count > 0 then ctx.log(("annotations renamed: %d"):format(count)) end
end
