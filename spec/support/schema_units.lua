--- Small units for the tests of core/schema: a text as a file of the unit `nif`, beside its real unit.schema and small
-- records, or of a unit of its own.

local helper = require "helper"

local schema_units = {}

--- The generator.
function schema_units.tables()
  package.path = "core/schema/?.lua;" .. package.path
  return require "generate.tables"
end

local function files_of(folder, names)
  local files = {}
  for i, name in ipairs(names) do
    files[i] = { name = folder .. "/" .. name, text = helper.read(folder .. "/" .. name) }
  end
  return files
end

--- The files of a folder, all of them.
function schema_units.folder(folder)
  return files_of(folder, helper.list(folder, "%.schema$"))
end

--- The units record and nif, the latter with a text as the file t.schema.
function schema_units.nif(text)
  local files = files_of("core/nif/schema", { "unit.schema", "records.schema", "vertex.schema" })
  files[#files + 1] = { name = "schema/t.schema", text = text }
  return { { name = "record", files = schema_units.folder("core/record/schema") }, { name = "nif", files = files } }
end

--- The unit record, and a unit `u` of two texts: u/schema/unit.schema begins with `unit u`.
function schema_units.own(lines, text)
  local files = { { name = "unit.schema", text = "unit u\n" .. lines }, { name = "t.schema", text = text } }
  return { { name = "record", files = schema_units.folder("core/record/schema") }, { name = "u", files = files } }
end

return schema_units
