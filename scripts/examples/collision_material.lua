-- summary: Gives collision another material, which decides about sounds and sparks.
-- when: a wooden door sounds like metal
-- files: .nif and .hkx of Skyrim and Fallout 4
-- argument: NEW name of the new material, such as metal or wood
-- argument: [OLD] change only what is made of this material (default: everything)
-- try: lathe run @collision-material stock.nif -o metal -- metal
-- try: lathe get metal/stock.nif 'bodies[1].material'
local lathe = require "lathe"

local new, old = ... -- the arguments behind --
assert(new, "NEW: the name of a material expected behind --, such as metal")

return function(doc, ctx)
  if doc.format ~= "nif" and doc.format ~= "hkx" then return end

  -- Called for each name of a texture, shader or collision material; what it returns is the new name.
  local function rename(name, kind)
    if kind == "collision" and (not old or name == old) then return new end
  end
  local report = assert(lathe.set_materials(doc, rename))
  for _, warning in ipairs(report.warnings or {}) do ctx.log(warning) end -- such as a misspelt name
end
