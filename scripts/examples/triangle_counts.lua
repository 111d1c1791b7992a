-- summary: Counts vertices and triangles of all models, as a table for a spreadsheet.
-- when: you want to know which models of a mod cost the most
-- files: .nif of all games, .solid of Lugaru
-- note: Changes nothing.
-- argument: [NAME] file to write below the folder of -o (default: triangles.csv); without -o, the table
--   is printed
-- try: lathe run @triangle-counts stock.nif crate.solid
-- try: lathe run @triangle-counts stock.nif crate.solid -o counts
local lathe = require "lathe"

local name = (...) or "triangles.csv" -- ... are the arguments behind --

local WITH_MODELS = { nif = true, solid = true } -- formats

-- A field of a CSV table: quotes around what has a comma, a quote or a line end.
local function field(value)
  local text = tostring(value)
  if not text:find '[,"\r\n]' then return text end
  return '"' .. text:gsub('"', '""') .. '"'
end

-- Called for each file, in a state of its own. What it returns goes to `finish`.
local function each(doc, ctx)
  if not WITH_MODELS[doc.format] then return nil end
  local counts, left_out = {}, {}
  for mesh in doc:meshes { left_out = left_out } do
    table.insert(counts,
      { name = mesh.name or mesh.path, vertices = mesh.positions.rows, triangles = mesh.indices.rows })
  end
  for _, left in ipairs(left_out) do ctx.log(("not counted: %s: %s"):format(left.path, left.reason)) end
  return counts
end

-- Called once, with what `each` returned for each file; nothing for files that failed.
local function finish(results, ctx)
  local lines = { "file,mesh,vertices,triangles\n" }
  for _, file in ipairs(results) do
    for _, mesh in ipairs(file.value or {}) do
      table.insert(lines,
        ("%s,%s,%d,%d\n"):format(field(file.path), field(mesh.name), mesh.vertices, mesh.triangles))
    end
  end
  local csv = table.concat(lines)
  if not ctx.output then return io.write(csv) end
  local path = ctx.output .. "/" .. name
  assert(lathe.write(path, csv))
  ctx.log(("%s: %d %s"):format(path, #lines - 1, #lines == 2 and "row" or "rows"))
end

return { each = each, finish = finish }
