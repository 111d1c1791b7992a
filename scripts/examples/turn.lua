-- summary: Turns a round bar into a pawn, like a wood turner.
-- when: you want to change vertices, and make collision that fits
-- files: the sample stock.nif
-- try: lathe run @turn stock.nif -o turned
-- try: lathe preview stock.nif turned/stock.nif -o turned.png
-- try: lathe export turned/stock.nif -o pawn.glb

-- Computes the radius of each vertex from its height; then normals, bounds and collision.
local function radius(h) -- h: 0 at the foot, 1 at the top
  if h < 0.1 then return 1 - 12 * h * h end
  if h < 0.56 then return 0.32 + 0.5 * ((0.56 - h) / 0.46) ^ 2 end
  if h < 0.62 then return 0.6 end
  return math.sqrt(math.max(0, 0.2 ^ 2 - (h - 0.8) ^ 2)) / 0.25 -- a ball on top
end

return function(doc, ctx)
  local shape = doc.blocks[2]
  local height = 2 * shape.bounds.center.z
  for _, vertex in ipairs(shape.vertices) do
    local p = vertex.position
    local r = radius(p.z / height)
    p.x, p.y = r * p.x, r * p.y
  end
  assert(doc:recompute "normals")
  assert(doc:recompute "bounds")
  local body = doc.bodies[1]
  assert(doc:set_collision(body.node, { kind = "hull", mesh = shape, material = body.material,
    motion = body.motion, mass = body.mass / 2 }))
  ctx.log(("now %g kg of %s"):format(doc.bodies[1].mass, doc.bodies[1].material))
end
