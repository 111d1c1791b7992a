-- Every row that the reference marks as scaled is, in blocks of every game that has it; each row whose table says a
-- power is multiplied by just that; and scaling by 3 and by 1/3 gives what was, but for rounding.

local lathe = require "lathe"
local nif_reader = require "nif_reader"
local nif_schema = require "nif_schema"
local sample = require "sample_nif"

local REFERENCE = "../shared/formats/nif.md"

-- Rows of the tables in the reference that say S: marks[type][row] = the comment.
local function marked_rows(path)
  local marks, kind, fenced = {}, nil, false
  for line in io.lines(path) do
    if line:match("^```") then
      fenced = line == "```nifspec"
    elseif fenced then
      kind = line:match("^block (%w+)") or line:match("^struct (%w+)") or kind
      local row, comment = line:match("^  %S+ ([%a_][%w_]*).-//(.*)$")
      if row and comment:match("%f[%w]S%f[%W]") then
        marks[kind] = marks[kind] or {}
        marks[kind][row] = comment
      end
    end
  end
  return marks
end

-- The type in whose table a row stands, for a record of a type that may be derived from it.
local function mark_of(marks, schema, kind, row)
  while kind do
    if marks[kind] and marks[kind][row] then return kind end
    kind = schema.types[kind] and schema.types[kind].parent
  end
end

-- All numbers of a value, in order.
local function numbers(value, list)
  list = list or {}
  if type(value) == "number" then
    list[#list + 1] = value
  elseif type(value) == "userdata" and lathe.type(value) ~= nil then
    numbers(value:totable(), list)
  elseif type(value) == "table" then
    local keys = {}
    for key in pairs(value) do keys[#keys + 1] = key end
    table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
    for _, key in ipairs(keys) do numbers(value[key], list) end
  end
  return list
end

local collect

-- A record, or all of an array of them.
local function collect_below(value, field, ...)
  if value == nil then return end
  if not field.count then return collect(value, field.type, ...) end
  for i = 1, #value do collect(value[i], field.type, ...) end
end

-- Marked rows of a record and all below: out[path] = { mark, numbers }.
function collect(view, kind, marks, schema, out)
  kind = schema.types[lathe.type(view)] and lathe.type(view) or kind   -- several may share a name
  for _, field in ipairs(schema.types[kind].all) do
    local mark = mark_of(marks, schema, kind, field.name)
    local below = schema.types[field.type]
    if mark then
      local list = numbers(view[field.name])
      if #list > 0 then out[lathe.path(view) .. "." .. field.name] = { mark .. "." .. field.name, list } end
    elseif below and below.kind == "struct" then
      collect_below(view[field.name], field, marks, schema, out)
    end
  end
end

-- Whether there is a number that could change, and one that did.
local function changes(before, after)
  local could, did = false, false
  for k, v in ipairs(before) do
    could = could or (v == v and v ~= 0 and math.abs(v) < 1e30)
    did = did or (v == v and after[k] ~= v)
  end
  return could, did
end

describe("rows that the reference marks as scaled", function()
  it("are scaled in every game", function()
    local f = io.open(REFERENCE)
    if not f then return pending("no " .. REFERENCE) end
    f:close()
    local marks, schema = marked_rows(REFERENCE), nif_schema.load()
    local seen, wanted, missed = {}, {}, {}
    for kind, rows in pairs(marks) do
      for row in pairs(rows) do wanted[#wanted + 1] = kind .. "." .. row end
    end
    for g, game in ipairs(sample.game_names) do
      for i, name in ipairs(schema.blocks) do
        local setting = sample.setting(game)
        local made, block = pcall(sample.random_block, name, setting, sample.rng(77 * g + i))
        local doc = made and lathe.parse((sample.build { game = game, blocks = { block }, strings = setting.strings }))
        if doc then
          local before, after = {}, {}
          collect(doc.blocks[1], name, marks, schema, before)
          if next(before) and doc:scale(2) then
            collect(doc.blocks[1], name, marks, schema, after)
            for path, entry in pairs(before) do
              local could, did = changes(entry[2], after[path][2])
              if could and did then seen[entry[1]] = true end
              if could and not did then missed[#missed + 1] = entry[1] .. " in " .. name .. " of " .. game end
            end
          end
          doc:close()
        end
      end
    end
    local never = {}
    for _, mark in ipairs(wanted) do
      if not seen[mark] then never[#never + 1] = mark end
    end
    table.sort(never)
    assert.is_true(#wanted > 40, #wanted .. " rows are marked")
    assert.same({}, never)
    assert.same({}, missed)
  end)
end)

-- Of vectors with a fourth number that is not always a length only the others.
local function lengths(field, value)
  if field.type ~= "vec4" then return numbers(value) end
  local list = {}
  for i = 1, field.count and #value or 1 do
    local v = field.count and value[i] or value
    list[#list + 1], list[#list + 2], list[#list + 3] = v.x, v.y, v.z
  end
  return list
end

-- What the tables say is scaled, with the power, as an independent reader sees it: check(power, before, after, place).
local function each_power(schema, kind, before, after, check, place)
  for _, field in ipairs(schema.types[kind].all) do
    local a, b = before[field.name], after[field.name]
    local below = schema.types[field.type]
    local power = field.annotations.scale and tonumber(field.annotations.scale)
    local group = below and below.kind == "struct" and field.type:match("Group$")   -- keys, of which times stay
    if power and a ~= nil and not group then
      check(power, lengths(field, a), lengths(field, b), place .. "." .. field.name)
    elseif not power and type(a) == "table" and below and below.kind == "struct" and below.all[1] then
      for i = 1, field.count and #a or 1 do
        local x, y = field.count and a[i] or a, field.count and b[i] or b
        each_power(schema, field.type, x, y, check, place .. "." .. field.name)
      end
    end
  end
end

-- Halves, floats and whole numbers: their rounding, of what was multiplied twice at most.
local function near(wanted, got)
  return math.abs(got - wanted) <= math.max(1e-3 * math.abs(wanted), 1e-6) or wanted ~= wanted
end

describe("scale by 3", function()
  it("multiplies each row by its power, and 1/3 takes that back", function()
    local schema, rows, powers = nif_schema.load(), 0, {}
    for g, game in ipairs(sample.game_names) do
      for i, name in ipairs(schema.blocks) do
        local setting = sample.setting(game)
        local made, block = pcall(sample.random_block, name, setting, sample.rng(5000 * g + i))
        local bytes = made and sample.build { game = game, blocks = { block }, strings = setting.strings }
        local doc = bytes and lathe.parse(bytes)
        local report = doc and doc:scale(3)
        if report and #report.skipped == 0 then
          local before = nif_reader.read(bytes).blocks[1].values
          local after = nif_reader.read(doc:encode()).blocks[1].values
          assert.truthy(doc:scale(1 / 3), name)
          local back = nif_reader.read(doc:encode()).blocks[1].values
          local function check(power, a, b, place)
            for k, v in ipairs(a) do
              if v == v and math.abs(v) < 3e38 and math.abs(v) > 1e-3 then
                assert(near(v * 3 ^ power, b[k]), ("%s: %.9g became %.9g"):format(place, v, b[k]))
                rows, powers[power] = rows + 1, true
              end
            end
          end
          local function returned(_, a, b, place)
            for k, v in ipairs(a) do
              assert(near(v, b[k]) or math.abs(v) < 1e-3, ("%s: %.9g came back as %.9g"):format(place, v, b[k]))
            end
          end
          each_power(schema, name, before, after, check, game .. " " .. name)
          each_power(schema, name, before, back, returned, game .. " " .. name)
        end
        if doc then doc:close() end
      end
    end
    assert.is_true(rows > 1000, rows .. " numbers")
    for _, power in ipairs { 1, 3, 5 } do assert.is_true(powers[power], power .. " is a power of none") end
  end)
end)
