-- Calls all that lathe offers with tables that have nothing themselves: `__index` collects all garbage and then
-- gives a new string, which nothing else holds. What C keeps of such a string must be anchored, or a sanitizer
-- sees that freed memory is read. The working folder is one to write into.
-- Prints how many functions were called, and how many values were asked for.

local lathe = require "lathe"
local small = require "small_documents"

local asked, counted = 0, 0
local is_integer = {} -- options that refused a string
local called = {}

-- Long, so that Lua does not keep it with its short strings.
local function fresh(key)
  return ("%s %d "):format(key, asked):rep(5)
end

local function trap(fields)
  return setmetatable(fields or {}, { __index = function(_, key)
    asked = asked + 1
    collectgarbage()
    collectgarbage()
    if is_integer[key] then return asked % 7 end
    return fresh(tostring(key))
  end, __tostring = function()
    collectgarbage()
    return fresh "text"
  end })
end

-- Once more where an option wants a number, which only its message tells.
local function call(f, ...)
  local _, why = pcall(f, ...)
  local name = tostring(why):match "option '(%w+)': an integer"
  if name and not is_integer[name] then
    is_integer[name] = true
    pcall(f, ...)
  end
  if not called[f] then counted = counted + 1 end
  called[f] = true
end

-- ---- what there is ---------------------------------------------------------------------------------

-- The functions among the values of a table that is hidden in a metatable.
local function methods(object)
  local index = debug.getmetatable(object).__index
  local _, names = debug.getupvalue(index, 1)
  local list = {}
  for name, f in pairs(names) do
    if type(name) == "string" and type(f) == "function" then list[#list + 1] = f end
  end
  return list
end

-- A document's object of each kind, each time of a document of its own: a method may close it.
local function first_record(doc)
  for _, value in pairs(doc) do
    if lathe.type(value) == "array" and lathe.type(value[1]) then return value[1] end
  end
end

local function first_array(doc)
  for _, value in pairs(doc) do
    if lathe.type(value) == "array" then return value end
  end
end

local KINDS = {
  function(doc) return doc end,
  first_record,
  first_array,
  function(doc) return doc.bodies[1] end,
  function(doc) return doc.skeletons[1] end,
  function(doc) return doc.animations[1] end,
  function(doc) return doc.animations[1] and doc.animations[1].tracks[1] end,
  function(doc) return doc.animations[1] and doc.animations[1].float_tracks[1] end,
  function() return lathe.buffer("f32", 2, 3) end,
}

-- ---- calls -----------------------------------------------------------------------------------------

local function call_methods(open, kind)
  local example = kind(open())
  for _, f in ipairs(example ~= nil and methods(example) or {}) do
    for _, arguments in ipairs { { trap() }, { "out", trap() }, { 1, trap() }, { 1, 1, trap() }, { 0, nil, trap() },
      { trap { skeleton = trap() } } } do
      local doc = open()
      call(f, kind(doc), table.unpack(arguments, 1, 3))
      pcall(doc.close, doc)
    end
  end
end

-- With each parameter in turn, by name, and all others from __index.
local function call_verbs(open, kind)
  local example = kind(open())
  local ok, verbs = pcall(lathe.verbs, example)
  for _, verb in ipairs(ok and verbs or {}) do
    local shadowed = type(example[verb.name]) ~= "function" -- by a member: anim.root_motion
    if not shadowed then call(example[verb.name], kind(open()), trap()) end
    for _, param in ipairs(shadowed and {} or verb.params) do
      for _, value in ipairs { trap(), 1, fresh "word" } do
        local object = kind(open())
        call(object[verb.name], object, trap { [param.name] = value })
      end
    end
  end
end

local function call_functions(format, bytes)
  local file <close> = assert(io.open("file." .. format, "wb"))
  file:write(bytes)
  file:flush()
  for _, f in pairs(lathe) do
    local doc = assert(lathe.parse(bytes, { format = format }))
    for _, first in ipairs { trap(), format, "file." .. format, bytes, "nothing", doc, first_record(doc) or doc,
      first_array(doc), lathe.buffer("u8", 3) } do
      if type(f) == "function" then
        call(f, first, trap())
        call(f, first, trap { format = format })
        call(f, first, nil, trap())
        call(f, first, {}, trap())
        call(f, first, "out", trap())
        call(f, first, 1, 1, trap())
      end
    end
  end
end

for format, bytes in pairs(small.documents()) do
  local function open() return assert(lathe.parse(bytes, { format = format, history = 2 })) end
  call_functions(format, bytes)
  for _, kind in ipairs(KINDS) do
    call_methods(open, kind)
    call_verbs(open, kind)
  end
end
print(("%d functions, %d values"):format(counted, asked))
