-- Every row that the reference marks as scaled is, in blocks of every game that has it; and scaling by 3 and back.

local lathe = require "lathe"
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
