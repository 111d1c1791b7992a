-- Pieces of C: literals and numbers.

local c_text = {}

--- A text as a literal. Hexadecimal escapes would go on into digits behind them; octal ones end.
function c_text.literal(text)
  return '"' .. text:gsub('[%c"\\?\x80-\xff]', function(c)
    if c == '"' or c == "\\" then return "\\" .. c end
    return c == "?" and "\\?" or ("\\%03o"):format(c:byte())
  end) .. '"'
end

--- A number of a double or an integer.
function c_text.number(number)
  if math.type(number) ~= "integer" then return ("%.17g"):format(number) end
  return number > 0x7FFFFFFFFFFFFFF0 and ("INT64_C(%d)"):format(number) or ("%d"):format(number)
end

return c_text
