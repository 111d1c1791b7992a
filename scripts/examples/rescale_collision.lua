-- summary: Makes collision larger or smaller, and leaves models as they are.
-- when: the collision of a mod does not fit its models
-- files: .nif and .hkx of Skyrim and Fallout 4, .fzx of Overgrowth
-- argument: FACTOR by what lengths are multiplied: 1.1 is 10 % larger
-- argument: [keep] keep masses; otherwise they grow with the volume
-- try: lathe run @rescale-collision stock.nif -o larger -- 1.1
-- try: lathe diff stock.nif larger/stock.nif
-- try: lathe preview stock.nif larger/stock.nif -o larger.png --view front
local factor, mass = ... -- the arguments behind --
factor, mass = tonumber(factor), mass or "density"
assert(factor and factor > 0, "FACTOR: a number above 0 expected behind --, such as 1.1")
assert(mass == "density" or mass == "keep", "the second argument can only be the word keep")

return function(doc, ctx)
  if #doc.bodies == 0 then return end -- nothing in this file collides

  local report = assert(doc:scale(factor, { what = "collision", mass = mass }))
  for _, left in ipairs(report.skipped) do
    ctx.log(("not scaled: %s: %s"):format(left.path, left.reason))
  end
end
