--- Damaged files: each is refused by nil and an error that says where, or opens and is kept to the byte.

local assert = require "luassert"
local lathe = require "lathe"

local damage = {}

local function hex(bytes)
  return (bytes:gsub(".", function(c) return ("%02x"):format(c:byte()) end))
end

-- What a look at bad data may do: give a value, or raise an error that belongs to the file.
local function look(what, ...)
  local ok, err = pcall(...)
  if not ok then
    assert(type(err) == "table" and err.code and err.message, what .. " raised " .. tostring(err))
  end
  return ok, err
end

local function walk(doc)
  local place = doc:at(0)
  if place then lathe.path(place) end
  return doc:totable()
end

--- Asserts the promise for one input; gives true where it opened. only_read: nothing is made of what was read,
-- as formats do that are written anew in an order of their own.
function damage.judge(format, bytes, how, only_read)
  local where = ("%s: %s"):format(how, #bytes <= 200 and hex(bytes) or #bytes .. " bytes")
  local ran, doc, err = pcall(lathe.parse, bytes, { format = format, path = "bad." .. format })
  assert(ran, where .. ": raised " .. tostring(doc))
  if not doc then
    assert(type(err) == "table", where)
    assert(err.path == "bad." .. format, where .. ": no path in the error")
    assert(math.type(err.offset) == "integer" and err.offset >= 0 and err.offset <= #bytes,
      where .. ": no offset inside the file: " .. tostring(err))
    assert(err.message and err.code, where)
    assert(tostring(err):find("^bad%." .. format .. ": .*at 0x%x+: "), where .. ": " .. tostring(err))
    return false
  end
  assert(doc:encode() == bytes, where .. ": not kept")
  local fine, list = doc:check()
  assert((fine == true or fine == nil) and type(list) == "table", where)
  local ok, plain = look(where, walk, doc)
  if ok and not only_read then
    local again, why = lathe.new(format, plain)
    assert(again, where .. ": new(totable()): " .. tostring(why))
    assert(again:encode() == bytes, where .. ": new(totable()) differs")
    again:close()
  end
  assert(doc:encode() == bytes, where .. ": reading changed it")
  doc:close()
  return true
end

--- Every prefix, the empty one included.
function damage.prefixes(format, bytes, only_read)
  for n = 0, #bytes - 1 do damage.judge(format, bytes:sub(1, n), "prefix of " .. n, only_read) end
end

local EXTREMES = {
  "\0", "\1", "\x7f", "\x80", "\xff",
  "\0\0", "\0\1", "\1\0", "\x7f\xff", "\xff\x7f", "\x80\0", "\0\x80", "\xff\xff",
  "\0\0\0\0", "\0\0\0\1", "\1\0\0\0", "\x7f\xff\xff\xff", "\xff\xff\xff\x7f", "\x80\0\0\0", "\0\0\0\x80",
  "\xff\xff\xff\xff", "\0\0\1\0", "\0\1\0\0", "\xff\xff\xff\x3f", "\x3f\xff\xff\xff",
}

--- 0, 1, the largest and -1 of every width and byte order at every offset: so in every count, wherever
-- it stands.
function damage.extremes(format, bytes)
  for at = 0, #bytes - 1 do
    for _, value in ipairs(EXTREMES) do
      if at + #value <= #bytes then
        local bad = bytes:sub(1, at) .. value .. bytes:sub(at + #value + 1)
        if bad ~= bytes then damage.judge(format, bad, ("%d bytes at %d"):format(#value, at)) end
      end
    end
  end
end

--- Each of `values` (of 4 bytes) in place of each aligned word.
function damage.words(format, bytes, values, only_read)
  for at = 0, #bytes - 4, 4 do
    for _, value in ipairs(values) do
      local bad = bytes:sub(1, at) .. value .. bytes:sub(at + 5)
      if bad ~= bytes then damage.judge(format, bad, ("word at 0x%x"):format(at), only_read) end
    end
  end
end

-- xorshift: the same numbers everywhere, unlike math.random between releases.
local function generator(seed)
  local x = seed
  return function(n)                              -- 0 .. n - 1
    x = x ~ (x << 13)
    x = x ~ (x >> 7)
    x = x ~ (x << 17)
    return (x >> 11) % n
  end
end

--- `n` inputs with 1 to 8 bytes changed, and now and then some cut out or doubled.
function damage.flips(format, bytes, n, seed, only_read)
  local random = generator(seed)
  local opened = 0
  for i = 1, n do
    local list = { bytes:byte(1, -1) }
    for _ = 0, random(8) do list[random(#list) + 1] = random(256) end
    local bad = string.char(table.unpack(list))
    local at, length = random(#bytes), random(9)
    local kind = random(8)
    if kind == 0 then bad = bad:sub(1, at) .. bad:sub(at + length + 1) end
    if kind == 1 then bad = bad:sub(1, at + length) .. bad:sub(at + 1) end
    if damage.judge(format, bad, "flip " .. i, only_read) then opened = opened + 1 end
  end
  return opened
end

return damage
