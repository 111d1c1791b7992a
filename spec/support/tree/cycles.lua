--- Files that call each other in a circle.

local M = {}

local function sorted(set)
  local list = {}
  for key in pairs(set) do list[#list + 1] = key end
  table.sort(list)
  return list
end

--- The strongly connected components of { file → { file → … } } that have more than one file, each a sorted list (Tarjan).
function M.find(graph)
  local index, low, on_stack, stack, count, found = {}, {}, {}, {}, 0, {}
  local function visit(v)
    count = count + 1
    index[v], low[v] = count, count
    stack[#stack + 1] = v
    on_stack[v] = true
    for _, w in ipairs(sorted(graph[v] or {})) do
      if not index[w] then
        visit(w)
        low[v] = math.min(low[v], low[w])
      elseif on_stack[w] then
        low[v] = math.min(low[v], index[w])
      end
    end
    if low[v] < index[v] then return end
    local component = {}
    repeat
      local w = table.remove(stack)
      on_stack[w] = nil
      component[#component + 1] = w
    until w == v
    if #component > 1 then
      table.sort(component)
      found[#found + 1] = component
    end
  end
  for _, v in ipairs(sorted(graph)) do
    if not index[v] then visit(v) end
  end
  table.sort(found, function(a, b) return a[1] < b[1] end)
  return found
end

--- A shortest way from a file of a component back to it: "a.c calls f of b.c, that g of a.c".
function M.tell(graph, component)
  local inside, from = {}, component[1]
  for _, file in ipairs(component) do inside[file] = true end
  local before, queue, at = {}, { from }, 1
  while queue[at] and not before[from] do
    for _, w in ipairs(sorted(graph[queue[at]])) do
      if inside[w] and not before[w] then
        before[w] = queue[at]
        queue[#queue + 1] = w
      end
    end
    at = at + 1
  end
  local way, w = {}, from
  repeat
    table.insert(way, 1, ("%s of %s"):format(graph[before[w]][w], w))
    w = before[w]
  until w == from
  return ("%s calls %s"):format(from, table.concat(way, ", that "))
end

return M
