-- What a schema means: record types with the rows that C gets, each with what names in it stand for.
-- A line of text becomes one row, or two of the same name where its width depends on the version.

local c_expression = require "generate.c_expression"
local expression = require "generate.expression"
local problem = require "generate.problem"

local model = {}

-- ---- types of rows ------------------------------------------------------------------------------

local function number(kind) return { { kind = "REC_" .. kind, integer = kind:sub(1, 1) ~= "F" } } end
local function record(c_name) return { { kind = "REC_RECORD", record = c_name } } end
local function text(prefix) return { { kind = "REC_STR", prefix = prefix } } end

-- What each becomes; with `only` where that depends on the version.
local simple = {
  u8 = number "U8", i8 = number "I8", u16 = number "U16", i16 = number "I16", u32 = number "U32",
  i32 = number "I32", u64 = number "U64", f16 = number "F16", f32 = number "F32",
  bool = {
    { kind = "REC_U8", integer = true, shown = "REC_BOOL", only = "V > 0x04000002" },
    { kind = "REC_U32", integer = true, shown = "REC_BOOL", only = "V <= 0x04000002" },
  },
  ref = { { kind = "REC_I32", integer = true, ref = "nif_ref" } },
  ptr = { { kind = "REC_I32", integer = true, ref = "nif_ptr" } },
  -- What other rows look for is the last row of a name: the number, which can be empty and be set.
  str = {
    { kind = "REC_STR", prefix = 4, only = "V < 0x14010003" },
    { kind = "REC_U32", integer = true, shown = "REC_TEXT", codec = "nif_string", only = "V >= 0x14010003" },
  },
  -- Takes no bytes: another look at the record, or what a function of C tells.
  look = { { kind = "REC_RECORD", look = true } }, told = { { kind = "REC_COMPUTED", look = true } },
  -- Bits of the number that the record's layout is made with: no bytes, either.
  argument = { { kind = "REC_COMPUTED", integer = true } },
  sstr = text(4), sstr16 = text(2), bytes = { { kind = "REC_BYTES" } },
  -- A document of its own up to the block's end, as many bytes as an earlier row says.
  packfile = { { kind = "REC_RECORD", embed = "format_hkx" } },
  vec2 = record "rec_vec2", vec3 = record "rec_vec3", vec4 = record "rec_vec4", mat44 = record "rec_mat4",
  quat = record "rec_quat_wxyz", hkquat = record "rec_quat", mat33 = record "nif_mat33",
  hvec3 = record "nif_hvec3", tri = record "nif_tri", col3 = record "nif_col3", col4 = record "nif_col4",
  bound = record "nif_bound", xform = record "nif_xform",
  numbers = { { kind = "REC_COMPUTED", shown = "REC_NUMBER" } },
}
-- How many numbers an @init is for.
local lanes = { vec2 = 2, vec3 = 3, vec4 = 4, hvec3 = 3, col3 = 3, col4 = 4 }
-- Written by hand: a struct with two arguments; blocks, of which the schema has no rows, but C has these.
local VERTICES <const> = "BSVertexData"
local by_hand = { NiObject = { "type", "type_name", "zero" } }

local function c_name(name)
  return "nif_" .. name:gsub("::", "__")
end

-- The one number that a count, an argument or a condition is, or nil.
local function constant(node)
  return node and node.op == "number" and not node.real and node.value or nil
end

-- ---- what names mean ----------------------------------------------------------------------------

-- Words that stand for something outside of the record. Static: known when its layout is made.
local static_words = { V = "V", B = "B" }
for word in pairs(c_expression.blocks) do static_words[word] = word end

local function named(t, name)
  local found = {}
  for _, field in ipairs(t.all) do
    if field.name == name then found[#found + 1] = field end
  end
  return found
end

local function stated_later(t, name)
  for _, row in ipairs(t.section.rows) do
    if row.name == name then return true end
  end
  return false
end

local function bind_row(t, node)
  local fields = named(t, node.name)
  local field = fields[1]
  if not field and stated_later(t, node.name) then
    problem.raise("'%s' comes later", node.name)
  elseif not field then
    problem.raise("'%s' is no earlier row of %s", node.name, t.name)
  elseif node.op == "sum" and not (field.counted and field.integer) then
    problem.raise("sum(%s): it is no array of integers", node.name)
  elseif node.op == "name" and (field.counted or not (field.integer or field.real)) then
    problem.raise("'%s' is not one number", node.name)
  elseif #fields > 1 and not (node.op == "name" and field.integer) then
    problem.raise("'%s' is the name of several rows: only integers are found by it", node.name)
  end
  node.fields, node.real, node.static = fields, field.real, false
end

local function leaf_of(t)
  return function(node)
    local name = node.name
    if name == "U" then
      problem.raise("U is of the header: no block depends on it")
    elseif name == "INF" then
      node.op, node.value, node.text = "number", math.huge, "(double)INFINITY"
      node.real, node.static = true, true
    elseif node.op == "sum" then
      bind_row(t, node)
    elseif name == t.section.parameter then
      node.word, node.static = "argument", true
    elseif static_words[name] then
      if c_expression.blocks[name] and not t.types[c_expression.blocks[name]] then
        problem.raise("'%s' without a block %s", name, c_expression.blocks[name])
      end
      node.word, node.static = name, true
    elseif name == "name_nonempty" then
      if #named(t, "name") == 0 then problem.raise("%s has no name", t.name) end
      node.word, node.static = name, false
    else
      bind_row(t, node)
    end
  end
end

-- ---- conditions ---------------------------------------------------------------------------------

-- Of a conjunct about one integer row: its name, and what it equals (nil: anything but 0).
local function simple_test(node)
  local a, b = node[1], node[2]
  local function plain(leaf)
    return leaf and leaf.op == "name" and leaf.fields and leaf.fields[1].integer
  end
  if plain(node) then
    return node.name
  elseif node.op == "not" and plain(a) then
    return a.name, 0
  elseif not plain(a) or not constant(b) then
    return nil
  elseif node.op == "==" then
    return a.name, b.value
  elseif b.value == 0 and (node.op == "!=" or node.op == ">" and a.fields[1].kind:find("^REC_U")) then
    return a.name
  end
end

-- Parts of a condition: what a layout is made with, one row's number, and what is left.
local function split_condition(t, node)
  local static, left, split = {}, {}, {}
  expression.bind(node, leaf_of(t))
  for _, one in ipairs(expression.conjuncts(node)) do
    local name, value
    if not one.static and not split.when then name, value = simple_test(one) end
    if one.static then
      static[#static + 1] = one
    elseif name then
      split.when, split.when_value = name, value
    else
      left[#left + 1] = one
    end
  end
  split.only, split.when_fn = expression.all(static), expression.all(left)
  return split
end

-- What holds where both do; nil where one says it all. False: never.
local function both(t, only, more)
  local extra = expression.bind(expression.parse(more), leaf_of(t))
  if not only then return extra end
  local function excludes(a, b)
    return not expression.satisfied_by(expression.all { a, b })
  end
  local function opposite(a)
    return { op = "not", a, static = true }
  end
  if excludes(only, extra) then return false end
  if excludes(only, opposite(extra)) then return only end
  if excludes(extra, opposite(only)) then return extra end
  return expression.all { only, extra }
end

-- Values as a problem tells them.
local function shown(values)
  local list = {}
  for name, value in pairs(values) do
    list[#list + 1] = ("%s %s"):format(name, name == "V" and ("0x%08X"):format(value) or value)
  end
  table.sort(list)
  return table.concat(list, ", ")
end

-- Rows of one name are in no record together.
local function check_twice(field, others)
  for _, other in ipairs(others) do
    if not field.only or not other.only then
      problem.raise("'%s' again, and one of them has no condition on V, B or an argument", field.name)
    end
    local values = expression.satisfied_by(expression.all { field.only, other.only })
    if values then problem.raise("'%s' again, and both are there with %s", field.name, shown(values)) end
  end
end

-- ---- rows ---------------------------------------------------------------------------------------

local function add_uses(field, node)
  if not node then return end
  expression.each_name(node, function(leaf)
    local name = leaf.fields and leaf.name or leaf.word == "name_nonempty" and "name"
    if name and not field.uses[name] then
      field.uses[name] = true
      field.uses[#field.uses + 1] = name
    end
  end)
end

-- What a row of the record tells: that row cannot be set.
local function read_embedded(t, row, field)
  local node = row.count and expression.bind(row.count, leaf_of(t))
  if not node or node.op ~= "name" or not node.fields or row.condition then
    problem.raise("a document without the row of its size, or with a condition")
  end
  field.bytes_by, node.fields[1].follows, field.counted = node.name, row.name, nil
end

local function read_count(t, row, field)
  if field.embed then return read_embedded(t, row, field) end
  field.rest = row.rest
  if not row.count then
    if field.kind == "REC_BYTES" and not row.rest then problem.raise("how many bytes?") end
    return
  end
  local node = expression.bind(row.count, leaf_of(t))
  if node.real then problem.raise("a count that is no integer") end
  field.n = constant(node)
  if field.n == 0 then problem.raise("a count of 0") end
  if node.op == "name" and node.fields then
    field.by = node.name
  elseif not field.n then
    field.count = node
    add_uses(field, node)
  end
  field.pad = field.kind == "REC_BYTES" and field.n and field.name:find("^unused") and true
end

local function read_arguments(t, row, field, wanted, most)
  local given = row.arguments and #row.arguments or 0
  if given < wanted or given > (most or wanted) then
    problem.raise("%s takes %d arguments, not %d", row.type, wanted, given)
  end
  for i, node in ipairs(row.arguments or {}) do
    expression.bind(node, leaf_of(t))
    if node.real then problem.raise("argument %d is no integer", i) end
    add_uses(field, node)
  end
  field.arg, field.vertices = row.arguments, row.type == VERTICES
  local descriptor = field.vertices and row.arguments[1].fields
  if descriptor then descriptor[1].may = "nif_may_describe" end
end

local function read_names(t, row, field)
  local name, kind = row.names or row.flags, row.names and "enum" or "flags"
  if not name then return end
  local names = t.names[name]
  if not names or names.kind ~= kind then problem.raise("'%s' is no %s", name, kind) end
  if not field.integer or field.shown or field.ref or row.names and row.flags then
    problem.raise("names of what is no plain integer")
  end
  field.names, field.shown = c_name(names.name), "REC_" .. kind:upper()
end

local function read_codec(row, field)
  if not row.codec then return end
  if not field.integer or field.shown or field.ref or field.codec then
    problem.raise("a codec of what is no plain integer")
  end
  field.codec, field.shown = c_name(row.codec), "REC_TEXT"
end

-- Of a vector, a number for all of its lanes.
local function read_init(row, field)
  if not row.init or field.kind ~= "REC_RECORD" then return end
  field.init, field.init_lanes = nil, lanes[row.type]
  if not field.init_lanes or row.count or row.rest then
    problem.raise("@init of what is no number or vector")
  end
end

-- Rows without bytes: their names are those of C.
local function read_look(row, field, shape)
  if (row.get or row.view) and not shape.look then
    problem.raise("@get and @view are of rows that take no bytes")
  elseif not shape.look then
    return
  elseif row.count or row.rest or row.condition then
    problem.raise("a count or condition of what takes no bytes")
  elseif (row.type == "told") ~= (row.get ~= nil) or row.type == "look" and not row.view then
    problem.raise("told has @get, look has @view")
  end
  field.look, field.get, field.record = shape.look, row.get and c_name(row.get), row.view and c_name(row.view)
  field.shown = row.get and not row.view and "REC_TEXT" or nil
end

-- Rows that show the argument of a block are not found by expressions: these name the argument.
local function read_argument(t, row, field)
  if row.bits and row.type ~= "argument" then problem.raise("@bits of what is no argument") end
  if row.type ~= "argument" then return end
  if row.condition or row.count or not row.bits then
    problem.raise("an argument has @bits, no count and no condition")
  elseif t.section.kind ~= "block" or not t.section.parameter then
    problem.raise("%s has no argument", t.name)
  elseif not field.shown then
    field.shown = row.bits == 1 and "REC_BOOL" or nil
  end
  field.argument, field.integer = true, nil
end

-- What a row's type is in C: one or two shapes, and how many arguments it takes at least and at most.
local function shapes_of(t, row)
  if simple[row.type] then return simple[row.type], 0 end
  if row.type == VERTICES then return record "nif_BSVertexData", 2, 3 end
  local of = t.types[row.type]
  if not of or of.section.kind ~= "struct" then problem.raise("'%s' is no type", row.type) end
  return record(of.c_name), of.section.parameter and 1 or 0
end

local function make_field(t, row, shape, split, arguments, most)
  local field = {
    name = row.name, doc = row.doc, unit = row.unit, init = row.init, power = row.power, row = row, uses = {},
    kind = shape.kind, shown = shape.shown, record = shape.record, ref = shape.ref, codec = shape.codec,
    prefix = shape.prefix, embed = shape.embed,
    integer = shape.integer, real = shape.kind:find("^REC_F") and true or nil,
    only = split.only, when = split.when, when_value = split.when_value, when_fn = split.when_fn,
    counted = row.count or row.rest,
  }
  read_count(t, row, field)
  read_arguments(t, row, field, arguments, most)
  read_names(t, row, field)
  read_argument(t, row, field)
  read_codec(row, field)
  read_init(row, field)
  read_look(row, field, shape)
  if row.type == "numbers" then
    if row.condition or row.count then problem.raise("numbers with a count or condition: C knows them") end
    field.numbers = "nif_" .. row.name
  end
  add_uses(field, field.when_fn)
  return field
end

local function read_row(t, row)
  if t.by_hand then problem.raise("the rows of %s are written in C", t.name) end
  local shapes, arguments, most = shapes_of(t, row)
  local split = row.condition and split_condition(t, row.condition) or {}
  local others, new = named(t, row.name), {}
  if row.name == t.section.parameter then problem.raise("'%s' is the argument's name", row.name) end
  for _, shape in ipairs(shapes) do
    local field = make_field(t, row, shape, split, arguments, most)
    if shape.only then field.only = both(t, field.only, shape.only) end
    if field.only ~= false then
      check_twice(field, others)
      new[#new + 1] = field
    end
  end
  for _, field in ipairs(new) do
    field.slot = #t.all
    t.all[#t.all + 1] = field
    t.fields[#t.fields + 1] = field
  end
  return true
end

-- What is recomputed may follow from any row of its record.
local function read_derived(t, field)
  local node = field.row.derive
  if not node then return end
  if not field.integer or field.counted then problem.raise("@derive of what is not one integer") end
  field.derive = expression.bind(node, leaf_of(t))
  if node.real then problem.raise("@derive is no integer") end
end

-- A record in line does not begin with what can grow or go: an insertion there could not be told from one
-- in front of the record. What counts by the argument alone does not change by itself.
local function check_start(t, field)
  local before = {}
  for i = 1, field.slot do
    local only = t.all[i].only
    if not only then return end
    before[i] = { op = "not", only, static = true }
  end
  before[#before + 1] = field.only
  local always = { op = "number", value = 1, static = true }
  local values = expression.satisfied_by(expression.all(before) or always)
  local changes = field.by or field.rest or field.when or field.when_fn or field.count and field.uses[1]
  if values and changes then
    problem.raise("'%s' can grow or go, and is the first of %s%s%s", field.name, t.name,
                  next(values) and " with " or "", shown(values))
  end
end

-- ---- types --------------------------------------------------------------------------------------

local fill

local function take_parent(m, t)
  local section = t.section
  local parent = m.types[section.parent]
  if not parent or parent.section.kind ~= "block" then problem.raise("'%s' is no block", section.parent) end
  fill(m, parent)
  if parent.state ~= "full" then problem.raise("%s derives from itself", t.name) end
  t.parent = parent
  table.move(parent.all, 1, #parent.all, 1, t.all)
  return true
end

-- Of each type the first problem is told: what follows may be its consequence.
function fill(m, t)
  if t.state then return end
  local section, good = t.section, true
  t.state, t.all, t.fields, t.by_hand = "filling", {}, {}, by_hand[t.name] ~= nil
  for i, name in ipairs(by_hand[t.name] or {}) do t.all[i] = { name = name, slot = i - 1 } end
  if section.parent then good = problem.at(m.problems, section.file, section.line, take_parent, m, t) end
  for _, row in ipairs(good and section.rows or {}) do
    good = good and problem.at(m.problems, section.file, row.line, read_row, t, row)
  end
  for _, field in ipairs(good and t.fields or {}) do
    problem.at(m.problems, section.file, field.row.line, read_derived, t, field)
    if section.kind == "struct" then
      problem.at(m.problems, section.file, field.row.line, check_start, t, field)
    end
  end
  t.state = "full"
end

local function check_names(m, section)
  local names, values = {}, {}
  for _, row in ipairs(section.rows) do
    problem.at(m.problems, section.file, row.line, function()
      if names[row.name] or values[row.value] then problem.raise("'%s' twice", row.name) end
      if section.kind == "flags" and (row.value < 0 or row.value > 63) then
        problem.raise("there is no bit %d", row.value)
      end
    end)
    names[row.name], values[row.value] = true, true
  end
end

local function add_section(m, section)
  if m.types[section.name] or m.names[section.name] or simple[section.name] or section.name == VERTICES then
    problem.raise("'%s' twice", section.name)
  elseif section.kind == "enum" or section.kind == "flags" then
    m.names[section.name] = section
    check_names(m, section)
  else
    local t = { name = section.name, c_name = c_name(section.name), section = section, types = m.types,
                names = m.names }
    m.types[section.name] = t
    m.list[#m.list + 1] = t
  end
end

local function check_docs(m, section)
  local function undocumented(line, what)
    m.problems[#m.problems + 1] = ("%s:%d: no documentation of %s"):format(section.file, line, what)
  end
  if (section.doc or "") == "" then undocumented(section.line, section.name) end
  for _, row in ipairs(section.rows) do
    if (row.doc or "") == "" and row.type then undocumented(row.line, row.name) end
  end
end

--- The model of sections: .list of types in order, .types by name, .names of enums and flags by name.
--- A type has name, c_name, section, parent, .fields of its own and .all with those of its parents. One
--- that is .by_hand has no .fields, and in .all only names.
--- Problems go to the list; where there are any, the model is not to be used. docs: their lack is one.
function model.build(sections, problems, docs)
  local m = { list = {}, types = {}, names = {}, problems = problems }
  for _, section in ipairs(sections) do
    problem.at(problems, section.file, section.line, add_section, m, section)
    if docs then check_docs(m, section) end
  end
  for _, t in ipairs(m.list) do fill(m, t) end
  return m
end

return model
