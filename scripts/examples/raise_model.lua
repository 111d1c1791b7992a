-- Moves models: lathe run raise_model.lua Models/ -o raised/ -- 10 [x|y|z]
-- The default axis is y.
return function(doc, ctx)
  local distance = assert(tonumber(ctx.args[1]), "how far? give a number behind --")
  local axis = ctx.args[2] or "y"
  for _, vertex in ipairs(doc.vertices) do
    vertex[axis] = vertex[axis] + distance
  end
end
