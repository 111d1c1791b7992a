--- Lays out the text of help: titles, wrapped paragraphs, rows with a label, and tables of names.
-- @module lathe.repl.pages

local choices = require "lathe.repl.choices"
local text = require "lathe.tree.text"

local Page = {}
Page.__index = Page

local pages = {}

local LABEL = 8 -- the width of labels
local MANY = math.maxinteger -- rows: one candidate a line, however many there are

--- Starts an empty page.
-- @tparam integer width
-- @treturn Page with `lines`
function pages.new(width)
  return setmetatable({ lines = {}, width = width, label = LABEL }, Page)
end

--- Makes room for labels.
-- @tparam {string,...} labels of the rows to come
function Page:fit(labels)
  for _, label in ipairs(labels) do self.label = math.max(self.label, #label) end
end

-- Quotes of code in texts for the manual.
local function bare(value) return (value:gsub("`", "")) end

-- Adds words, after `first` on the first line.
local function wrap(self, first, value)
  local lines = text.fill(first, text.printable(bare(value), true), self.width)
  table.move(lines, 1, #lines, #self.lines + 1, self.lines)
end

--- Adds a line as it is, except control characters.
-- @tparam string line
function Page:line(line)
  self.lines[#self.lines + 1] = text.printable(line)
end

--- Adds paragraphs. Lines that are indented are kept as they are.
-- @tparam string value
function Page:text(value)
  local words = {}
  local function flush()
    if #words > 0 then wrap(self, "  ", table.concat(words, " ")) end
    words = {}
  end
  for part in (value .. "\n"):gmatch "([^\n]*)\n" do
    if part == "" or part:find "^%s%s" then
      flush()
      self:line(part == "" and "" or "  " .. part)
    else
      words[#words + 1] = part
    end
  end
  flush()
end

--- Adds a text with a label in front.
-- @tparam string label
-- @tparam ?string value nil: nothing is added
function Page:row(label, value)
  if not value or value == "" then return end
  local first = "  " .. label .. (" "):rep(self.label - #label + 2)
  wrap(self, first, value)
end

--- Adds an example, which is not wrapped.
-- @tparam ?string value
function Page:example(value)
  if value then self:line("  example" .. (" "):rep(self.label - #"example" + 2) .. value) end
end

--- Adds a table of names.
-- @tparam ?string title
-- @tparam {table,...} list `name`, `type`, `doc`; nothing is added if it is empty
function Page:list(title, list)
  if #list == 0 then return end
  local shown = {}
  for i, one in ipairs(list) do
    shown[i] = { label = one.name, type = one.type, doc = one.doc and bare(one.doc) }
  end
  if title then self.lines[#self.lines + 1] = title end
  for _, line in ipairs(choices.lines(shown, self.width, MANY)) do self.lines[#self.lines + 1] = line end
end

return pages
