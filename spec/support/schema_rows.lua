--- The rows of a unit, read back from the C that the generator wrote: what each row says, wherever that lies. Tests
-- compare words with their values, so that they need not know how rows are packed.

local c_text = require "generate.c_text"
local words = require "generate.words"

local schema_rows = {}

-- ---- the lists of a unit ------------------------------------------------------------------------

local escapes = { ['\\"'] = '"', ["\\\\"] = "\\", ["\\?"] = "?" }

local function texts_of(c)
  local out = {}
  for line in c:match("\n} texts = {\n(.-)};\n"):gmatch("[^\n]+") do
    local ends = line:sub(-1) == "," and "\0" or ""
    local inner = line:match('^    "(.*)",?$'):gsub("\\%d%d%d", function(octal)
      return string.char(tonumber(octal:sub(2), 8))
    end):gsub('\\["\\?]', escapes)
    out[#out + 1] = inner .. ends
  end
  return table.concat(out)
end

local function entries_of(c, list)
  local entries, n = {}, 0
  for entry in c:match("\nstatic const [%w_ *]+ " .. list .. "%[%] = {\n(.-\n)};"):gmatch("    ([^\n]+),\n") do
    entries[n], n = entry, n + 1
  end
  return entries
end

-- { name = "2", … } of {.name = 2, …}, or of what is in front of the closing brace.
local function pairs_of(text)
  local found, rest = {}, text
  for word, value in rest:gmatch("%.([%w_]+) = (%b{})") do found[word] = value end
  for word, value in rest:gsub("%b{}", ""):gmatch("%.([%w_]+) = ([^,}]+)") do found[word] = found[word] or value end
  return found
end

local LISTS <const> = { "outside", "outside_names", "codecs", "refs", "bodies", "numbers", "conditions", "rares", "hooks" }

local function read_unit(c)
  local u = { texts = texts_of(c), types = {}, rows = {}, names = {} }
  for _, list in ipairs(LISTS) do u[list] = entries_of(c, list) end
  for given, name in c:gmatch("\n    {TYPE%(%d+%), ([^\n]*)}, /%* (%S+) %*/") do
    u.types[#u.types + 1] = pairs_of(given)
    u.types[#u.types].text_name = name
  end
  for given in c:gmatch("\n    {ROW%(%d+%), ([^\n]*)}, /%* %S+ %*/") do u.rows[#u.rows + 1] = pairs_of(given) end
  return u
end

--- The lists of a unit: .types and .rows with words and their values, .stated from 0, .by_name.
function schema_rows.unit(c)
  local u = read_unit(c)
  u.stated, u.by_name = entries_of(c, "stated"), {}
  for number in c:match("\nstatic const uint16_t by_name%[%] = {\n(.-)};"):gmatch("%d+") do
    u.by_name[#u.by_name + 1] = number
  end
  return u
end

-- ---- words and values ---------------------------------------------------------------------------

local texts <const> = {}
for word in ("name original doc unit by when uses uses_top bytes_by tag group column key value init_bytes shown_by why " ..
             "instead bits_of"):gmatch("%S+") do
  texts[word] = true
end
local lists <const> = { codec = "codecs", ref = "refs", body = "bodies", text = "bodies" }

local function text_at(u, at, size)
  at = tonumber(at)
  return size and u.texts:sub(at + 1, at + size) or u.texts:match("^[^\0]*", at + 1)
end

-- How many numbers a vector has: as many as its type has rows.
local function lanes_of(u, vectors, type)
  local own = u.types[tonumber(type)]
  local outside = not own and u.outside[tonumber(type) - #u.types]:sub(2)
  return tonumber(own and own.count or vectors[outside])
end

local function type_name(u, number)
  local own = u.types[tonumber(number)]
  return own and "&" .. own.c_name or u.outside[tonumber(number) - #u.types]
end

local function names_of(u, number)
  local own = u.names[tonumber(number)]
  return own and "&" .. own or u.outside_names[tonumber(number) - #u.names]
end

local function wide_row(u, vectors, row)
  local said = {}
  local function take(given)
    for word, value in pairs(given) do
      if texts[word] and tonumber(value) then
        local size = word == "init_bytes" and tonumber(given.init_size) or nil
        value = c_text.literal(text_at(u, value, size))
      elseif word == "bits_of" then
        value = "rec_argument"
      elseif word == "type" then
        value = type_name(u, value)
      elseif word == "names" then
        value = names_of(u, value)
      elseif lists[word] then
        value = u[lists[word]][tonumber(value)]
      elseif word == "init" and row.kind == "REC_RECORD" then
        local n, list = lanes_of(u, vectors, row.type), {}
        for i = 1, n do list[i] = u.numbers[tonumber(value) + i - 1] end
        word, value = "init_lanes", ("(const double[]){%s}"):format(table.concat(list, ", "))
      elseif word == "init" then
        value = u.numbers[tonumber(value)]
      end
      said[word] = value
    end
  end
  take(row)
  if row.condition then take(pairs_of(u.conditions[tonumber(row.condition)]:sub(2, -2))) end
  if row.rare then take(pairs_of(u.rares[tonumber(row.rare)]:sub(2, -2))) end
  local out = {}
  for _, word in ipairs(words.order) do
    if said[word] then out[#out + 1] = (".%s = %s"):format(word, said[word]) end
  end
  return "{" .. table.concat(out, ", ") .. "}"
end

--- Names of values: "E: zero 0, one ONE 1", where the reference has another spelling with that. texts: all that the
--- generator wrote, by file name.
function schema_rows.names(texts_by_name, unit)
  local c = texts_by_name[unit .. ".c"]
  local u, items, out = read_unit(c), {}, {}
  for value, name, original in c:match("\n%.items = {\n(.-)},\n};"):gmatch("    {(.-), (%d+), (%d+)}, /%*") do
    original = tonumber(original) ~= 0 and " " .. text_at(u, original) or ""
    items[#items + 1] = text_at(u, name) .. original .. " " .. value
  end
  for given in c:gmatch("\n    {NAMES%(%d+%), ([^\n]*)}, /%* %S+ %*/") do
    local words_of = pairs_of(given)
    local first = tonumber(words_of.first)
    out[#out + 1] = text_at(u, words_of.name) .. ": " ..
                    table.concat(items, ", ", first + 1, first + tonumber(words_of.count))
  end
  return out
end

-- ---- the unit as text ---------------------------------------------------------------------------

-- The C of a function by name, without the blank line behind it.
local function function_in(c, name)
  return c:match("\n(static [%w_]+ " .. name .. "%b()\n{.-\n}\n)")
end

local function wide_type(u, t)
  local out = { (".name = %s, .doc = %s"):format(c_text.literal(text_at(u, t.name)), c_text.literal(text_at(u, t.doc))) }
  local hooks = t.hooks and pairs_of(u.hooks[tonumber(t.hooks)]:sub(2, -2)) or {}
  local function word(name, v) if v then out[#out + 1] = (".%s = %s"):format(name, v) end end
  word("flags", t.flags)
  word("base", t.base and type_name(u, t.base))
  word("size", t.size)
  for _, hook in ipairs { "extent", "load", "store" } do word(hook, hooks[hook]) end
  if t.count ~= "0" then out[#out + 1] = ("REC_ROWS(%s_rows)"):format(t.c_name) end
  return ("const rec_type %s = {%s};\n"):format(t.c_name, table.concat(out, ", "))
end

--- The types of a unit, in the order of C, each with its rows as words in place of numbers, and in front of them the
--- functions that no type before it has asked. texts: all that the generator wrote, by file name.
function schema_rows.wide(texts_by_name, unit)
  local c, header = texts_by_name[unit .. ".c"], texts_by_name[unit .. "_types.h"]
  local u, vectors, seen, out = read_unit(c), {}, {}, {}
  for name, number in header:gmatch("#define (%S+) %(" .. unit .. "_unit%.types%[(%d+)%]%)") do
    u.types[tonumber(number) + 1].c_name = name
  end
  for name, number in header:gmatch("#define (%S+) %(" .. unit .. "_unit%.names%[(%d+)%]%)") do
    u.names[tonumber(number) + 1] = name
  end
  if unit ~= "record" and texts_by_name["record.c"] then
    local small = read_unit(texts_by_name["record.c"])
    for _, t in ipairs(small.types) do vectors["rec_" .. t.text_name] = t.count end
  end
  for _, t in ipairs(u.types) do
    out[#out + 1] = ("/* ---- %s ---- */\n"):format(t.text_name)
    local rows = {}
    for i = tonumber(t.first) + 1, tonumber(t.first) + tonumber(t.count) do
      rows[#rows + 1] = "    " .. wide_row(u, vectors, u.rows[i]) .. ",\n"
    end
    for name in table.concat(rows):gmatch("= ([%l_]+_%d+)%f[^%w_]") do
      if not seen[name] then out[#out + 1] = function_in(c, name) end
      seen[name] = true
    end
    if #rows > 0 then
      out[#out + 1] = ("static const rec_field %s_rows[] = {\n%s};\n"):format(t.c_name, table.concat(rows))
    end
    out[#out + 1] = wide_type(u, t) .. "\n"
  end
  return table.concat(out)
end

return schema_rows
