--- Checks that lathe writes a file back byte for byte, and builds the same file from its values.
-- @module lathe.cli.commands.round_trip

local containers = require "lathe.cli.batch.containers"
local core = require "lathe.core"
local inputs = require "lathe.cli.batch.inputs"
local schema = require "lathe.tree.schema"

local round_trip = {}

-- Tables of a file take several times its memory, so larger files are not rebuilt.
local MOST_BUILT = 64 << 20

local OTHER_LAYOUT = "its layout is not the format's own: serialize() writes other bytes from here on"

-- The formats with serialize(), by name.
local function serializing()
  local names = {}
  for _, format in ipairs(core.formats()) do names[format.name] = format.can.serialize end
  return names
end

local function first_difference(a, b)
  for i = 1, math.min(#a, #b) do
    if a:byte(i) ~= b:byte(i) then return i - 1 end
  end
  return math.min(#a, #b)
end

-- A difference between two ways of writing a file is a bug in lathe.
local function compare(findings, bytes, original, what, where)
  if bytes == original then return end
  findings[#findings + 1] = { level = "error", code = "invalid", where = where,
    message = ("%s differs from the file at 0x%x"):format(what, first_difference(bytes, original)) }
end

-- Adds an error caused by the data, with the wording of doc:check().
local function add_error(findings, err)
  findings[#findings + 1] = { level = "error", code = err.code, where = err.where, offset = err.offset,
    message = err.message }
end

-- All values of a document; nil if some cannot be read.
local function values_of(findings, doc)
  local ok, values = pcall(doc.totable, doc)
  if ok then return values end
  if type(values) ~= "table" or not values.code then error(values, 0) end
  add_error(findings, values)
end

-- The result of serialize() for a document, which is at `where` of another one, from `start` on. nil: it
-- failed. Other programs have their own layouts and use features that serialize() does not support: these are
-- warnings.
local function serialized(findings, doc, bytes, where, start)
  local anew, err = doc:serialize()
  if not anew and err.code == "unsupported" then
    findings[#findings + 1] = { level = "warning", code = err.code, where = err.where, offset = err.offset,
      message = "serialize() cannot write it: " .. err.message }
  elseif not anew then
    add_error(findings, err)
  elseif anew ~= bytes then
    findings[#findings + 1] = { level = "warning", code = "invalid", where = where,
      offset = start + first_difference(anew, bytes), message = OTHER_LAYOUT }
  end
  return anew
end

local function build(findings, format, values, expected, where)
  local built, err = core.new(format, values)
  if not built then
    findings[#findings + 1] = { level = "error", code = err.code, where = where,
      message = "cannot be built from its values: " .. tostring(err) }
    return
  end
  compare(findings, assert(built:encode()), expected, "the file built from its values", where)
  built:close()
end

-- The rows of an element that hold embedded documents, such as a packfile in a block.
local function document_rows(cache, item, can)
  local list = {}
  for _, row in ipairs(core.problem(item) and {} or cache:rows(item)) do
    if row.kind == "record" and can[row.type] and not row.own then list[#list + 1] = row end
  end
  return list
end

-- All embedded documents that can be opened: { array, i, row name, format, view }.
local function inner_documents(doc)
  local cache, can, list = schema.new(), serializing(), {}
  for _, row in ipairs(cache:rows(doc)) do
    local array = row.tag and doc[row.name]
    for i = 1, array and #array or 0 do
      for _, inner in ipairs(document_rows(cache, array[i], can)) do
        local view = array[i][inner.name]
        if view and not core.problem(view) then
          list[#list + 1] = { array = row.name, i = i, row = inner.name, format = inner.type, view = view }
        end
      end
    end
  end
  return list
end

-- Rebuilds an embedded document. If it has another layout, its bytes replace its values, and it is rebuilt
-- separately.
local function build_inner(findings, doc, values)
  for _, inner in ipairs(inner_documents(doc)) do
    local view = inner.view
    local bytes, where = core.bytes(view), core.path(view)
    local anew = serialized(findings, view, bytes, where, (core.span(view)))
    if anew ~= bytes then
      values[inner.array][inner.i][inner.row] = { bytes = bytes }
      if anew then build(findings, inner.format, view:totable(), anew, where) end
    end
  end
end

-- A file in another container than its format's usual one (XML): what is built of its values must be what it
-- means, and its text, once written anew, must not change any more.
local function examine_other(findings, doc)
  local means, err = doc:serialize { as = core.containers(doc.format)[1] }
  local text = means and assert(doc:serialize { as = doc.container })
  if not means then return add_error(findings, err) end
  local anew <close> = assert(core.parse(text, { format = doc.format }))
  compare(findings, assert(anew:serialize()), text, "the text written twice")
  local values = values_of(findings, doc)
  if values then build(findings, doc.format, values, means) end
end

--- Adds problems to a list.
-- @tparam {table,...} findings each { level, message, code, where, offset }
-- @param doc the document
-- @tparam table item its source
function round_trip.examine(findings, doc, item)
  local original, why = inputs.bytes(item)
  if not original then error(why, 0) end
  local bytes, err = doc:encode()
  if not bytes then error(err, 0) end
  compare(findings, bytes, original, "what lathe writes")
  if doc.compression then original = inputs.content(doc) end
  if #original > MOST_BUILT then return end
  if containers.is_other(doc.container) then return examine_other(findings, doc) end
  if serializing()[doc.format] then
    -- The result has the format's own order; a file with another order is valid all the same.
    local anew = serialized(findings, doc, original, nil, 0)
    local values = anew and values_of(findings, doc)
    if values then build(findings, doc.format, values, anew) end
    return
  end
  local values = values_of(findings, doc)
  if not values then return end
  build_inner(findings, doc, values)
  build(findings, doc.format, values, original)
end

return round_trip
