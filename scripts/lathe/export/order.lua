--- Orders items by their parents.
-- @module lathe.export.order

local order = {}

--- Orders numbers so that parents come before their children, and keeps the order otherwise.
-- @tparam integer first
-- @tparam integer last
-- @tparam function parent_of returns the number of i's parent; nil or false: it has none
-- @treturn ?{integer,...} nil: one is its own ancestor
-- @treturn ?integer which
function order.parents_first(first, last, parent_of)
  local list, state = {}, {}
  for i = first, last do
    local chain, at = {}, i
    while at and not state[at] do
      state[at], chain[#chain + 1] = "open", at
      at = parent_of(at)
    end
    if at and state[at] == "open" then return nil, at end
    for k = #chain, 1, -1 do
      state[chain[k]], list[#list + 1] = "done", chain[k]
    end
  end
  return list
end

return order
