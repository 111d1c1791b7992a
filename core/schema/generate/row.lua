-- A row of a section as fields of its record: one, or two where its type differs with the version. A field
-- has the words of a rec_field by name, as values (value.lua), and for the generator: .only, .when_fn,
-- .count, .arg, .derived (nodes), .integer, .real, .counted, .flags (a set), .uses, .slot.

local condition = require "generate.condition"
local expression = require "generate.expression"
local names = require "generate.names"
local note = require "generate.note"
local problem = require "generate.problem"
local types = require "generate.types"
local unit = require "generate.unit"
local value = require "generate.value"

local row = {}

local function add_use(field, name)
  if field.uses[name] then return end
  field.uses[name] = true
  field.uses[#field.uses + 1] = name
end

-- The rows that an expression reads. A hook's names follow from what it is given.
local function add_uses(field, node)
  if not node then return end
  expression.each_name(node, function(leaf)
    if leaf.op == "call" then
      for _, name in ipairs(leaf.rows) do add_use(field, name) end
      if leaf.top then field.uses_top = value.text(leaf.top) end
    elseif leaf.fields then
      add_use(field, leaf.name)
    end
  end)
end

-- ---- counts -------------------------------------------------------------------------------------

-- A document: the row that says its bytes cannot be set.
local function read_embedded(t, r, field)
  local lazy = field.flags.REC_LAZY
  if r.count == nil and not (lazy and t.section.kind == "block") then return end
  local node = r.count and r.count ~= "REST" and names.bind(t, expression.parse(r.count))
  if not lazy or not node or node.op ~= "name" or not node.fields or r.condition then
    problem.raise("a document without the row of its size, or with a condition")
  end
  local size = node.fields[1]
  field.bytes_by, field.counted = value.text(node.name), nil
  if not size.flags.REC_READONLY then
    size.flags.REC_READONLY, size.why = true, value.text("it follows from " .. field.name)
  end
end

local function read_count(t, r, field, is_array)
  if field.document then return read_embedded(t, r, field) end
  local text = not is_array and r.count
  field.rest = text == "REST"
  if not text or field.rest then
    local anywhere = is_array or field.rest or field.body
    if field.kind == "REC_BYTES" and not anywhere then problem.raise("how many bytes?") end
    return
  end
  if text == "" then problem.raise("'[]' is no count") end
  local node = names.bind(t, expression.parse(text))
  if node.real then problem.raise("a count that is no integer") end
  local n = condition.constant(node)
  if n == 0 then problem.raise("a count of 0") end
  field.n = n and value.number(n)
  if node.op == "name" and node.fields then
    field.by = value.text(node.name)
  elseif not n then
    field.count = node
    add_uses(field, node)
    if node.op == "call" and node.static then field.flags.REC_BY_ARG = true end
  end
  local unused = field.kind == "REC_BYTES" and n and field.name:find("^unused")
  field.flags.REC_PAD = field.flags.REC_PAD or unused and true
end

-- ---- arguments ----------------------------------------------------------------------------------

local function read_arguments(t, r, field)
  local wanted = field.of and field.of.section.parameters or {}
  local given = r.arguments or {}
  local inline = field.kind == "REC_RECORD" and not field.document and not field.flags.REC_PART
  local least = inline and math.min(#wanted, 1) or 0
  if #given < least or #given > #wanted then
    problem.raise("%s takes %d argument%s, not %d", r.type, #wanted, #wanted == 1 and "" or "s", #given)
  end
  for i, node in ipairs(given) do
    names.bind(t, node)
    if node.real then problem.raise("argument %d is no integer", i) end
    if node.op == "call" and #given > 1 then
      problem.raise("'%s()' stands for a whole argument", node.name)
    end
    add_uses(field, node)
  end
  field.arg = given[1] and given
end

-- ---- what notes say together --------------------------------------------------------------------

local function check_names(field)
  local by_name = field.shown and (field.shown.name == "REC_ENUM" or field.shown.name == "REC_FLAGS")
  if field.names then
    local stored = field.integer and not field.shown and not field.ref and not field.codec
    local integer = field.shown and field.shown.name == "REC_INTEGER"
    local told = field.kind == "REC_COMPUTED" and (by_name or integer)
    if not stored and not told then problem.raise("names of what is no plain integer") end
    if by_name and field.shown.name ~= field.names_kind then
      problem.raise("the row is '%s', its names are '%s'", field.shown.name:sub(5):lower(),
                    field.names_kind:sub(5):lower())
    end
    field.shown = value.constant(field.names_kind)
  elseif by_name then
    problem.raise("names are missing: @names=…")
  elseif field.names_in then
    problem.raise("@names_in without @names")
  end
end

local function check_codec(field)
  if field.codec and (not field.integer or field.ref) then
    problem.raise("a codec of what is no plain integer")
  end
end

-- How many numbers a vector is assigned with: its first rows, or those that C works out of the others.
local function lanes_of(of)
  if not of or not of.section.vector then return 0 end
  local n, told = 0, false
  for _, field in ipairs(of.all) do
    local stored = (field.integer or field.real) and not field.counted
    if field.kind == "REC_COMPUTED" then told = true end
    if field.kind ~= "REC_COMPUTED" and (told or not stored) then break end
    n = n + 1
  end
  return n
end

local function read_init(field, fill)
  local init = field.init
  if not init then return end
  if init.is == "text" then
    if field.kind ~= "REC_STR" and field.kind ~= "REC_BYTES" then
      problem.raise("@init is a text, the row is none")
    end
    field.init, field.init_bytes = nil, init
    local sized = field.kind == "REC_BYTES" or init.text:find("\0", 1, true)
    field.init_size = sized and value.number(#init.text) or nil
    return
  end
  if (field.integer or field.real or field.bits_row) and init.is == "number" then return end
  if field.of then fill(field.of) end
  local lanes = field.kind == "REC_RECORD" and lanes_of(field.of) or 0
  if lanes == 0 or field.counted then problem.raise("@init of what is no number or vector") end
  local list = init.list
  if init.is == "number" then
    list = {}
    for i = 1, lanes do list[i] = init.number end
  end
  if #list ~= lanes then problem.raise("@init of %d numbers, %s has %d", #list, field.of.name, lanes) end
  field.init, field.init_lanes = nil, value.numbers(list)
end

local function check_bits(t, field)
  if not field.bits_row then return end
  if field.kind ~= "REC_COMPUTED" then problem.raise("@bits of what is not computed") end
  if field.bits_row ~= "argument" then
    local of = names.fields(t, field.bits_row)[1]
    if not of or not of.integer or of.counted then
      problem.raise("'%s' is no earlier integer", field.bits_row)
    end
    field.bits_of = value.text(field.bits_row)
    return
  end
  if not t.parameter then problem.raise("%s has no argument", t.name) end
  field.bits_of = value.constant("rec_argument")
  field.flags.REC_COPIED = true
  field.why = field.why or value.text("it is how the block is laid out")
end

-- Rows that take no bytes.
local function check_unstored(r, field)
  if field.kind ~= "REC_COMPUTED" and not field.flags.REC_OVERLAY then return end
  if r.count or r.condition then problem.raise("a count or condition of what takes no bytes") end
  if field.table and field.get then problem.raise("@get of numbers: @numbers says how they are read") end
end

local function check_record(field)
  local of = field.kind == "REC_RECORD" and field.of
  if not of then return end
  if of.section.kind == "block" and not field.flags.REC_PART then
    problem.raise("'%s' is a block, which is a part of its own: @part", of.name)
  end
  if not field.flags.REC_PART and not field.body and not field.flags.REC_OVERLAY then of.in_line = true end
end

-- ---- rows ---------------------------------------------------------------------------------------

local function make(t, r, shape, is_array, split, fill)
  local u = t.unit
  local field = {
    name = u.camel and unit.snake(r.name) or r.name, row = r, doc = r.doc, unit = r.unit, flags = {},
    uses = {}, counted = r.count ~= nil, kind = shape.kind, of = shape.of,
    shown = shape.shown and value.constant(shape.shown), integer = shape.integer, real = shape.real,
    document = shape.document, table = shape.table,
    only = split.only, when = split.when and value.text(split.when), when_fn = split.when_fn,
    when_value = split.when_value and value.number(split.when_value.value),
  }
  local given = {}
  for _, notes in ipairs { shape.notes, t.section.row_notes, r.notes } do note.expand(notes, u, given) end
  note.apply(field, given, u)
  if field.name ~= r.name and not field.original then field.original = value.text(r.name) end
  field.type = field.of and value.object(field.of.c_name)
  read_count(t, r, field, is_array)
  read_arguments(t, r, field)
  check_names(field)
  check_codec(field)
  check_bits(t, field)
  read_init(field, fill)
  check_unstored(r, field)
  check_record(field)
  if field.document and not field.embed then problem.raise("a document without @embed") end
  if field.table then
    field.numbers = field.numbers or value.object(u.prefix .. field.name)
    field.flags.REC_INSIDE = true
  end
  add_uses(field, field.when_fn)
  return field
end

local function check_spelling(t, r)
  if t.unit.camel then return end
  if not r.name:find("^%l[%l%d_]*$") then problem.raise("'%s' is not snake_case", r.name) end
end

--- Adds the fields of a row to a record type. fill(t): makes another type ready.
function row.add(t, r, fill)
  check_spelling(t, r)
  if r.name == t.parameter then problem.raise("'%s' is the argument's name", r.name) end
  local shapes, is_array = types.shapes(t.unit, r)
  local split = r.condition and condition.split(t, r.condition) or {}
  local new = {}
  for _, shape in ipairs(shapes) do
    local field = make(t, r, shape, is_array, split, fill)
    local extra = types.condition(shape)
    if extra then field.only = condition.both(t, field.only, extra) end
    if field.only ~= false then new[#new + 1] = field end
  end
  for _, field in ipairs(new) do condition.check_twice(field, names.fields(t, field.name)) end
  for _, field in ipairs(new) do row.put(t, field) end
end

--- Adds a field that is ready.
function row.put(t, field)
  field.slot = #t.all
  t.all[#t.all + 1] = field
  t.fields[#t.fields + 1] = field
  t.by_name[field.name] = t.by_name[field.name] or {}
  table.insert(t.by_name[field.name], field)
end

-- Rows that notes name: of the record itself, or of the array's elements.
local of_record <const>, of_elements <const> = { "instead", "shown_by", "group" }, { "key", "value" }

--- Raises where a note names a row that there is not.
function row.check_links(t, field)
  local function check(words, of)
    for _, word in ipairs(words) do
      if field[word] and not of.by_name[field[word].text] then
        problem.raise("@%s=%s: %s has no such row", word, field[word].text, of.name)
      end
    end
  end
  check(of_record, t)
  check(of_elements, field.of or t)
end

--- What is recomputed may follow from any row of its record.
function row.read_derived(t, field)
  if not field.derived then return end
  if not field.integer or field.counted then problem.raise("@derive of what is not one integer") end
  local node = names.bind(t, field.derived)
  if node.real then problem.raise("@derive is no integer") end
  if node.op == "call" and #node.names > 0 then
    problem.raise("a hook of @derive is given nothing: %s()", node.name)
  end
end

return row
