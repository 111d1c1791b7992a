--- Bytes from hex digits; blanks, line ends and comments from ; to the end of the line do not count.
return function(text)
  local digits = text:gsub(";[^\n]*", ""):gsub("%s+", "")
  assert(#digits % 2 == 0 and not digits:find("%X"), "no hex: " .. digits)
  return (digits:gsub("%x%x", function(h) return string.char(tonumber(h, 16)) end))
end
