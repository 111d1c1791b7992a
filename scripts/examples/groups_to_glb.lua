-- summary: Writes groups of precombined meshes into one .glb, to look at a cell in Blender.
-- when: you want to see what the precombined meshes of a cell show
-- files: .nif of Fallout 4 whose names end in _OC
-- note: Changes nothing.
-- argument: [NAME] file to write below the folder of -o (default: groups.glb)
-- argument: [GEOMETRY] the .csg or .psg file with shared geometry, unless it is where lathe looks for it
-- try: lathe run @groups-to-glb 0000E2DB_00000B1A_OC.nif 0000E2DB_00000B1B_OC.nif -o cell
local lathe = require "lathe"

local name, geometry = ... -- the arguments behind --

local function each(doc)
  if doc.format ~= "nif" then return false end
  for _, block in ipairs(doc.blocks) do
    if block.type:find "^BSPackedCombined" then return true end
  end
  return false
end

local function finish(results, ctx)
  assert(ctx.output, "name a folder with -o for the .glb")
  local groups = {}
  for _, file in ipairs(results) do
    if file.value then table.insert(groups, assert(lathe.open(file.path, { geometry = geometry }))) end
  end
  assert(#groups > 0, "none of the files is a group of precombined meshes")

  local path = ctx.output .. "/" .. (name or "groups.glb")
  local done = assert(lathe.export(groups, path))
  for _, left in ipairs(done.skipped) do ctx.log(("left out: %s: %s"):format(left.path, left.reason)) end
  ctx.log(("%d groups, %d triangles -> %s"):format(#groups, done.triangles, path))
end

return { each = each, finish = finish }
