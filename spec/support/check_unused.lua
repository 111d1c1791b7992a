-- What nobody uses: functions and data of core and bindings that only their own file refers to, or nothing at all,
-- and names that occur once in all of the code. Objects must have been built (LATHE_BUILD; make check sets it).

local BUILD = os.getenv("LATHE_BUILD") or "build"

-- Names that only tests refer to, and why they are in the library all the same.
local FOR_TESTS = {
  hk_hidden_pointers = "what signatures are worked out from, which prove the tables of classes",
  hk_names_in_version = "the same",
  hull_built_in = "whether this build has qhull: without it tests of hulls are left out",
  phive_name_near = "the name that a message suggests",
  rec_lint = "what schema_lint runs over the formats and what the made-up bad rows must fail",
  rec_misfit = "the row that keeps a record of one document out of another",
  scene_fault = "what schema_lint asks of the hooks of the scene",
  zstd_limit = "how large a file may become when it is unpacked",
}
-- Names in headers that stand for a number, whether C mentions them or not: zeros of an enumeration, numbers of a file.
local NUMBERS = {
  FZX_NONE = true, PHIVE_PARTS = true, PHIVE_SUB_MATERIALS = true, TAG_OPAQUE = true, TAG_PARTS = true,
  TAG_UNASKED = true, TAG_VOID = true,
}
-- Macros that headers of the system look at.
local SWITCHES = { NOMINMAX = true, WIN32_LEAN_AND_MEAN = true }
-- Record types, and functions of rows, that only the rows of their own file name.
local IN_ROWS = {
  anm_event = true, anm_frame = true, anm_ik_bone = true, anm_root = true, hk_get_pointers = true,
  hk_set_pointers = true, hknp_convex_face = true, hknp_convex_vertex = true,
}
-- Names that nothing in core and bindings needs to refer to.
local ENTRY_POINTS = {
  luaopen_lathe_core = true, -- Lua's `require` calls it
}

local problems = {}

local function problem(...)
  problems[#problems + 1] = string.format(...)
end

local function lines_of(command)
  local list = {}
  local p = assert(io.popen(command))
  for line in p:lines() do list[#list + 1] = line end
  p:close()
  return list
end

local function read(path)
  local f = assert(io.open(path, "rb"))
  local text = f:read("a")
  f:close()
  return text
end

-- ---- symbols --------------------------------------------------------------------------------------

-- Objects of files that have moved may still lie about: only those of sources that there are count.
local sources = lines_of("find core bindings -name '*.c' | LC_ALL=C sort")
local generated = lines_of(("find %s/gen -name '*.c' | LC_ALL=C sort"):format(BUILD))
local objects = {}
for _, path in ipairs(sources) do objects[#objects + 1] = ("%s/obj/%s.o"):format(BUILD, path:sub(1, -3)) end
for _, path in ipairs(generated) do
  objects[#objects + 1] = ("%s/obj/gen/%s.o"):format(BUILD, path:match("([^/]+)%.c$"))
end

local defined, used = {}, {}
for _, line in ipairs(lines_of((os.getenv("NM") or "nm") .. " -A " .. table.concat(objects, " ") .. " 2>/dev/null")) do
  local object, kind, name = line:match("^(.-):.-([A-Za-z]) ([%w_.]+)$")
  if kind and name:match("^__") then -- a compiler's own
    goto continue
  elseif kind and kind:match("[TDRBC]") then
    defined[name] = object:sub(#BUILD + 6, -3)
  elseif kind == "U" then
    used[name] = true
  end
  ::continue::
end

local public = {}
for name in read("core/lathe.h"):gmatch("LATHE_API[^;(]-([%w_]+)%(") do public[name] = true end

local count = 0
for name, file in pairs(defined) do
  count = count + 1
  -- The generator names all types, whether C refers to them or not.
  local free = public[name] or ENTRY_POINTS[name] or IN_ROWS[name] or file:match("^gen/")
  if not free and not used[name] and not FOR_TESTS[name] then
    problem("%s.c: no other file refers to %s: static, or remove it", file, name)
  end
end
for name in pairs(FOR_TESTS) do
  if used[name] or not defined[name] then
    problem("spec/support/check_unused.lua: %s is listed as for tests alone, but %s", name,
            defined[name] and "used elsewhere" or "not defined")
  end
end
if count < 100 then problem("%s: %d symbols, far too few: is it built?", BUILD, count) end

-- ---- names ----------------------------------------------------------------------------------------

local function without_comments(text)
  return (text:gsub("/%*.-%*/", " "):gsub("//[^\n]*", " "))
end

-- Names that a text declares, as far as they stand outside of parentheses: parameters may be named for readers alone.
local function declared(text, each)
  for macro in text:gmatch("#%s*define%s+([%w_]+)") do each(macro) end
  text = text:gsub("\\\n", " "):gsub("#[^\n]*", ""):gsub('"[^"\n]*"', '""')
  text = text:gsub("%b()", "()"):gsub("%b[]", "[]")
  for word in text:gmatch("%f[%w_]([%a_][%w_]*)%s*%f[(%[;,=:}]") do each(word) end
end

local times, code = {}, {}
local files = lines_of(("find core bindings spec %s/gen -name '*.[ch]' | LC_ALL=C sort"):format(BUILD))
-- Generators write names into C as well.
for _, path in ipairs(lines_of("find core -name '*.lua'")) do
  for word in read(path):gmatch("[%a_][%w_]*") do times[word] = (times[word] or 0) + 1 end
end
for _, path in ipairs(files) do
  code[path] = without_comments(read(path))
  for word in code[path]:gmatch("[%a_][%w_]*") do times[word] = (times[word] or 0) + 1 end
end
for _, path in ipairs(files) do
  local inside = path:match("^core/") or path:match("^bindings/")
  if inside and path:match("%.h$") and path ~= "core/lathe.h" then
    declared(code[path], function(word)
      local free = NUMBERS[word] or SWITCHES[word] or word:match("^_%u")
      if times[word] == 1 and not free then problem("%s: %s occurs nowhere else: use or remove it", path, word) end
    end)
  end
end

-- ---- result ---------------------------------------------------------------------------------------

table.sort(problems)
for _, p in ipairs(problems) do io.stderr:write(p, "\n") end
if #problems > 0 then os.exit(1) end
print(("unused: none of %d symbols"):format(count))
