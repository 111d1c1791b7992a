-- All of it: from texts to texts.

local model = require "generate.model"
local schema = require "generate.schema"
local writer = require "generate.writer"

local tables = {}

--- C sources by name from files of the schema, { { name = path, text = … }, … } in order; nil and a list of
--- "file:line: text" where there are problems. documented: a row or type without documentation is one.
function tables.from(files, documented)
  local problems, sections = {}, {}
  for _, file in ipairs(files) do
    file.stem = file.name:match("([^/]+)%.nifspec$")
    file.sections = schema.parse(file.text, file.name, problems)
    table.move(file.sections, 1, #file.sections, #sections + 1, sections)
  end
  if #problems > 0 then return nil, problems end
  local m = model.build(sections, problems, documented)
  if #problems > 0 then return nil, problems end
  return writer.write(m, files), m
end

return tables
