-- Tagfiles that are changed, in the eyes of the plain reader and its judge: every number alone, and at random texts and
-- arrays anywhere, each step of which can be taken back.

local figures = require "tagfile_figures"
local helper = require "helper"
local judge = require "tagfile_judge"
local lathe = require "lathe"
local reader = require "tagfile_reader"
local random_file = require "sample_tagfile_random"
local sample = require "sample_tagfile"

local function open(bytes)
  return assert(lathe.parse(bytes, { path = "sample.hkx", format = "tagfile", history = 10000 }))
end

local function corpus_files()
  local list = {}
  for i, name in ipairs(helper.list(helper.need_corpus("tagfile", pending), "%.hkx$")) do
    list[i] = { name = name, bytes = helper.read(helper.corpus "tagfile" .. "/" .. name) }
  end
  return list
end

-- ---- every number alone -----------------------------------------------------------------------------------

local FLOATS = { [7] = 2, [10] = 2, [23] = 4, [52] = 8 }

-- Another value of a number's type, and its bytes.
local function another(file, id, value)
  local format, kind = file:up(id, "format"), file:kind(id)
  if kind == "bool" then return not value, string.pack("<I" .. (format >> 10) // 8, value and 0 or 1) end
  if kind == "float" then
    local size = FLOATS[format >> 16 & 0xFF]
    local new = value == -2.0 and 0.5 or -2.0
    if size == 8 then return new, string.pack("<d", new) end
    if size == 4 then return new, string.pack("<f", new) end
    if format >> 16 & 0xFF == 7 then return new, string.pack("<f", new):sub(3) end
    return new, new == 0.5 and "\x00\x38" or "\x00\xC0"
  end
  local new = value == 1 and 2 or 1
  return new, string.pack((format & 0x100 ~= 0 and ">" or "<") .. "I" .. (format >> 10) // 8, new)
end

-- Sets every number and sets it back; gives how many there were.
local function each_number(bytes)
  local doc <close> = open(bytes)
  local file, count = reader.read(bytes), 0
  local start = file:section "DATA".offset + 8
  figures.values(lathe, doc, file, function(holder, key, id, at, where)
    local was = holder[key]
    local value, new = another(file, id, was)
    local from = start + at
    holder[key] = value
    local wanted = bytes:sub(1, from) .. new .. bytes:sub(from + #new + 1)
    assert(doc:encode() == wanted, where .. ": other bytes changed")
    holder[key] = was
    count = count + 1
  end)
  assert.is_true(doc:encode() == bytes)
  return count
end

describe("every number of a tagfile", function()
  it("of made-up classes changes its own bytes, and no others", function()
    local count = 0
    for _, entry in ipairs(sample.all()) do count = count + each_number(entry.bytes) end
    assert(count > 500, count)
  end)

  it("of the corpus changes its own bytes, and no others #corpus", function()
    local count = 0
    for _, entry in ipairs(corpus_files()) do count = count + each_number(entry.bytes) end
    assert(count > 14000, count)
  end)
end)

-- ---- random classes ---------------------------------------------------------------------------------------

describe("tagfiles of random classes", function()
  it("are read, kept, written anew, and made of tables", function()
    local values = 0
    for seed = 1, 300 do
      local bytes = random_file(seed)
      local list, file = judge.problems(bytes)
      assert.same({}, list, seed)
      local doc <close> = open(bytes)
      values = values + figures.values(lathe, doc, file)
      figures.types(doc, file)
      local made <close> = assert(lathe.new("tagfile", doc:totable()))
      assert.is_true(doc:encode() == bytes and doc:serialize() == bytes and made:encode() == bytes, seed)
      assert.is_true((doc:check()), seed)
    end
    assert(values > 5000, values)
  end)
end)

-- ---- texts and arrays -------------------------------------------------------------------------------------

local random = math.random

local TEXTS = { "", "a", "some text", ("long "):rep(30) }

-- Ways to change what is below a record: functions that say what they did.
local function ways(view, out, depth)
  local function array(list, name)
    out[#out + 1] = function()
      if #list > 0 and random(2) == 1 then
        list:remove(random(#list))
        return "remove from " .. name
      end
      list:insert(random(#list + 1))
      return "insert into " .. name
    end
    for i = 1, math.min(#list, 5) do
      if type(list[i]) == "userdata" and depth < 4 then ways(list[i], out, depth + 1) end
      if type(list[i]) == "string" then
        out[#out + 1] = function()
          list[i] = TEXTS[random(#TEXTS)]
          return "text of " .. name
        end
      end
    end
  end
  for _, row in ipairs(lathe.describe(view)) do
    local value = view[row.name]
    if row.kind == "string" and not row.name:find "^padding" and row.type ~= "bytes" then
      out[#out + 1] = function()
        view[row.name] = TEXTS[random(#TEXTS)]
        return "text " .. row.name
      end
    elseif type(value) == "userdata" and pcall(function() return value.insert and #value end) then
      array(value, row.name)
    elseif type(value) == "userdata" and row.kind == "record" and depth < 4 then
      ways(value, out, depth + 1)
    end
  end
end

-- What the judge says, but that nothing leads to an object: its pointer may have gone.
local function problems(bytes)
  local found, file = judge.problems(bytes)
  local list = {}
  for _, text in ipairs(found) do
    local number = text:match "^item (%d+) is led to by nothing"
    if not (number and file.items[tonumber(number)].kind == 0x10) then list[#list + 1] = text end
  end
  return list, file
end

local function judge_document(doc, label)
  local bytes = doc:encode()
  local list, file = problems(bytes)
  assert.same({}, list, label)
  figures.values(lathe, doc, file)
  local again <close> = open(bytes)
  figures.values(lathe, again, file)
  return bytes
end

-- That many changes, each judged; gives how many were made, and how many refused, which change nothing.
local function change(entry, count, seed)
  math.randomseed(seed)
  local doc <close> = open(entry.bytes)
  local made, refused, before = 0, 0, { [0] = entry.bytes }
  for step = 1, count do
    local out = {}
    ways(doc.objects[random(#doc.objects)], out, 0)
    local ok, what = false, nil
    if #out > 0 then ok, what = pcall(out[random(#out)]) end
    if ok then
      local label = ("%s, seed %d, step %d: %s"):format(entry.name, seed, step, what)
      local fine, why = pcall(judge_document, doc, label)
      if not fine then error(label .. ": " .. tostring(why), 0) end
      local bytes = doc:encode()
      if bytes ~= before[made] then
        made = made + 1
        before[made] = bytes
      end
    else
      refused = refused + 1
      assert.is_true(doc:encode() == before[made], tostring(what))
    end
  end
  for k = made - 1, 0, -1 do
    repeat assert.is_true(doc:undo(), entry.name) until doc:encode() ~= before[k + 1]
    assert.is_true(doc:encode() == before[k], ("%s, seed %d: undo to %d"):format(entry.name, seed, k))
  end
  return made, refused
end

describe("random changes of tagfiles", function()
  it("of made-up classes are seen by the plain reader, and taken back", function()
    local made = 0
    for seed = 1, 3 do
      for _, entry in ipairs(sample.all()) do made = made + change(entry, 12, seed) end
    end
    assert(made > 200, made)
  end)

  it("of the corpus are seen by the plain reader, and taken back #corpus", function()
    local made = 0
    for seed = 1, 2 do
      for _, entry in ipairs(corpus_files()) do made = made + change(entry, 10, seed) end
    end
    assert(made > 30, made)
  end)
end)
