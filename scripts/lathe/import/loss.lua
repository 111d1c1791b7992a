--- The errors of a written clip from compression: the largest differences from the given samples.
-- @module lathe.import.loss

local loss = {}

local function turn_between(a, b)
  local dot, one, other = 0, 0, 0
  for k = 4, 7 do
    dot, one, other = dot + a[k] * b[k], one + a[k] * a[k], other + b[k] * b[k]
  end
  local cross = math.sqrt(math.max(0, one * other - dot * dot))
  return 2 * math.atan(cross, math.abs(dot))
end

--- The largest differences between samples.
-- @tparam Buffer wanted a row of 10 for each track of each frame
-- @tparam Buffer got as many rows
-- @treturn {translation=number,rotation=number,scale=number} rotations in radians
function loss.between(wanted, got)
  local most = { translation = 0.0, rotation = 0.0, scale = 0.0 }
  for i = 1, wanted.rows do
    local a, b = { wanted:row(i) }, { got:row(i) }
    for k = 1, 3 do
      most.translation = math.max(most.translation, math.abs(a[k] - b[k]))
      most.scale = math.max(most.scale, math.abs(a[7 + k] - b[7 + k]))
    end
    most.rotation = math.max(most.rotation, turn_between(a, b))
  end
  return most
end

return loss
