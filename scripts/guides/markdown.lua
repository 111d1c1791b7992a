-- Converts Markdown to HTML for the manual: config.ld sets this file as ldoc's formatter. It supports what
-- the guides use: headings, paragraphs, lists, tables, code, links, pictures, bold and italic text. ldoc has
-- already coloured fenced code and replaced backticks; it may run under an older Lua. Because ldoc colours
-- all code as Lua, the colours are removed from shell commands and from the output of programs.

local function inline(text)
  text = text:gsub("!%[([^%]]*)%]%(([^%)]*)%)", '<img src="%2" alt="%1">')
  text = text:gsub("%[([^%]]*)%]%(([^%)]*)%)", function(label, target)
    local guide = target:match "^([%w-]+%.md)$"
    return ('<a href="%s">%s</a>'):format(guide and guide .. ".html" or target, label)
  end)
  text = text:gsub("`([^`]+)`", function(code)
    return "<code>" .. code:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;") .. "</code>"
  end)
  text = text:gsub("%*%*(.-)%*%*", "<b>%1</b>")
  return (text:gsub("%*(%w[^*]-)%*", "<i>%1</i>"))
end

local function row(line, tag)
  local cells = {}
  for cell in line:gsub("^|", ""):gmatch "([^|]*)|" do
    cells[#cells + 1] = ("<%s>%s</%s>"):format(tag, inline(cell:match "^%s*(.-)%s*$"), tag)
  end
  return "<tr>" .. table.concat(cells) .. "</tr>"
end

-- Patterns of list items, and the tag of their list.
local LISTS = { { "^[-*] +(.*)$", "ul" }, { "^%d+%. +(.*)$", "ol" } }

return function(text)
  -- `open` is the tag of the current paragraph, list or table; `lines` are those of its last element.
  local out, open, lines = {}, nil, nil

  local function flush()
    if lines then out[#out + 1] = inline(table.concat(lines, "\n")) end
    lines = nil
  end
  local function close()
    flush()
    if open then out[#out + 1] = (open:match "l$" and "</li>" or "") .. "</" .. open .. ">" end
    open = nil
  end
  local function begin(tag, element)
    if open ~= tag then
      close()
      out[#out + 1] = "<" .. tag .. ">"
    else
      flush()
      if element then out[#out + 1] = "</li>" end
    end
    open = tag
    if element then out[#out + 1] = "<li>" end
  end

  local code, plain -- the lines of a <pre>; whether to remove its colours
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    local level, title = line:match "^(#+) +(.*)$"
    local item, list
    for _, kind in ipairs(LISTS) do
      item, list = line:match(kind[1]), kind[2]
      if item then break end
    end
    if code then
      plain = plain or #code == 1 and line:match "^%s*%$ "
      code[#code + 1] = line
      if line:find("</pre>", 1, true) then
        local block = table.concat(code, "\n")
        out[#out + 1] = plain and block:gsub("</?span[^>]*>", "") or block
        code = nil
      end
    elseif line:match "^<pre" then
      close()
      plain = (out[#out] or ""):match "<span.*</pre>%s*$"
      code = { line }
    elseif line:match "^<!%-%-" then
      close()
    elseif level then
      close()
      out[#out + 1] = ("<h%d>%s</h%d>"):format(#level, inline(title), #level)
    elseif line:match "^|[%s|:-]+|$" then -- the line below a table's header
      out[#out] = out[#out]:gsub("td>", "th>")
    elseif line:match "^|" then
      begin "table"
      out[#out + 1] = row(line, "td")
    elseif item then
      begin(list, true)
      lines = { item }
    elseif not line:match "%S" then
      if open == "p" or open == "table" then close() end
    elseif (open == "ul" or open == "ol") and line:match "^%s" then
      lines = lines or {}
      lines[#lines + 1] = line
    else
      if open ~= "p" then begin "p" end
      lines = lines or {}
      lines[#lines + 1] = line
    end
  end
  close()
  return table.concat(out, "\n")
end
