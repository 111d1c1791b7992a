--- Random numbers that are the same everywhere: math.random differs between builds.
--
--    local pick = dice(7)
--    pick(6)                                        -- 1 .. 6

return function(seed)
  local state = seed * 2654435761 % 2 ^ 32 // 1 | 1
  return function(n)
    state = (state * 1103515245 + 12345) & 0x7FFFFFFF
    return (state >> 8) % n + 1
  end
end
