-- All of it: from texts to texts.

local c_types = require "generate.c_types"
local model = require "generate.model"
local reader = require "generate.reader"

local tables = {}

--- C by file name of units, { { name, files = { { name = path, text = … }, … } }, … } in order, and their
--- model; nil and a list of "file:line: text" where there are problems. documented: a row or type without
--- documentation is one.
function tables.from(units, documented)
  local problems, texts = {}, {}
  for _, u in ipairs(units) do
    for _, file in ipairs(u.files) do reader.read(file, problems) end
  end
  if #problems > 0 then return nil, problems end
  local m = model.build(units, problems, documented)
  if #problems > 0 then return nil, problems end
  for _, u in ipairs(m.units) do c_types.write(u, texts, problems) end
  if #problems > 0 then return nil, problems end
  return texts, m
end

return tables
