-- Runs the C tests and all specs, and closes with one line that counts both: N passed, N failed, N skipped.
-- usage: run_tests.lua [--exclude-tags=TAGS] C_TEST...
-- environment: LATHE_BUILD    the build to test (default: build)
--              LATHE_PRELOAD  libraries to load before everything that runs lathe (sanitizers)
--              LATHE_RUNNER   a command to run Lua under (valgrind)
-- A run that leaves nothing out must reach the numbers in expected.lua.

local expected = dofile("spec/support/expected.lua")
local build = os.getenv("LATHE_BUILD") or "build"
local preload, runner = os.getenv("LATHE_PRELOAD"), os.getenv("LATHE_RUNNER")
local total = { passed = 0, failed = 0, skipped = 0 }
local c_tests, options = {}, {}
for _, a in ipairs(arg) do
  table.insert(a:match("^%-%-") and options or c_tests, a)
end
local whole = #options == 0 and not preload and not runner

io.stdout:setvbuf("line")
assert(_VERSION == "Lua 5.4", "lathe is for Lua 5.4, this is " .. _VERSION)
print(_VERSION .. " (" .. (arg[-1] or "?") .. ")")

local function capture(command)
  local p = assert(io.popen(command))
  local out = p:read("a")
  local _, how, code = p:close()
  return out, how == "exit" and code or 128 + code
end

local function quote(s)
  return "'" .. s:gsub("'", [['\'']]) .. "'"
end

local function count(passed, failed, skipped)
  total.passed = total.passed + passed
  total.failed = total.failed + failed
  total.skipped = total.skipped + skipped
end

-- cmocka speaks TAP: only what failed is shown. A program that dies counts as one failure.
for _, program in ipairs(c_tests) do
  local out, code = capture("CMOCKA_MESSAGE_OUTPUT=TAP " .. quote(program) .. " 2>&1")
  local passed, failed, skipped = 0, 0, 0
  for line in out:gmatch("[^\n]+") do
    if line:match("^n?o?t? ?ok %d+ # SKIP") then
      skipped = skipped + 1
    elseif line:match("^ok %d") then
      passed = passed + 1
    elseif line:match("^not ok %d") then
      failed = failed + 1
    end
  end
  if failed == 0 and (code ~= 0 or passed + skipped == 0) then failed = 1 end
  count(passed, failed, skipped)
  print(("%-36s %d passed, %d failed, %d skipped; exit %d"):format(program:match("[^/]+$") .. ":",
    passed, failed, skipped, code))
  if failed > 0 then print((out:gsub("[^\n]+", "    %0"))) end
end

-- Specs named engine* or made_up* run on formats that no game has: another build of the module, which
-- wants a process of its own.
local ours, made_up = {}, {}
for path in capture("find spec -name '*_spec.lua' | LC_ALL=C sort"):gmatch("[^\n]+") do
  local name = path:match("[^/]+$")
  table.insert((name:match("^engine") or name:match("^made_up")) and made_up or ours, path)
end

local busted = capture("command -v busted"):match("[^\n]+")
if not busted then
  print("busted is not there: make setup")
  os.exit(1)
end

local function command_for(specs, cpath, counts)
  local command = { "env", "LATHE_COUNTS=" .. quote(counts) }
  if preload then                                 -- the module too, or leaks in it have no names
    command[#command + 1] = "LD_PRELOAD=" .. quote(preload .. ":" .. cpath .. "/lathe/core.so")
  end
  if cpath ~= build then command[#command + 1] = "LATHE_MADE_UP=1" end
  -- A spec that waits for ever is a failure, not a stop.
  table.insert(command, 1, "timeout --foreground -k 10 " .. (runner and 7200 or 2400))
  for _, word in ipairs { runner or "", "lua5.4", busted, "--ignore-lua", "--cpath=" .. cpath .. "/?.so" } do
    command[#command + 1] = word
  end
  table.move(options, 1, #options, #command + 1, command)
  table.move(specs, 1, #specs, #command + 1, command)
  return table.concat(command, " ")
end

local met = {}                                    -- how many files of each kind of the corpus tests met

-- What a process of busted left behind.
local function take_counts(title, path, code)
  local passed
  local f = io.open(path)
  for line in (f and f:read("a") or ""):gmatch("[^\n]+") do
    if not passed then
      local failed, skipped
      passed, failed, skipped = line:match("^(%d+) (%d+) (%d+)$")
      failed = tonumber(failed)
      if code ~= 0 and failed == 0 then
        print(("%s left with %d"):format(title, code))
        failed = 1
      end
      if passed then count(tonumber(passed), failed, tonumber(skipped)) end
    elseif line == "corpus absent" then
      met.absent = true
    else
      local n, kind = line:match("^(%d+) (.+)$")
      met[kind] = (met[kind] or 0) + tonumber(n)
    end
  end
  if f then f:close() end
  if not passed then
    print(("%s died (%d)"):format(title, code))
    count(0, 1, 0)
  end
end

-- Each list of specs in a process of its own, all at the same time; what they say comes one after the other.
local function run_busted(title, lists, cpath)
  local script, files = {}, {}
  for i, specs in ipairs(lists) do
    local base = os.tmpname()
    files[i] = base
    script[#script + 1] = ("(%s >%s.out 2>&1 </dev/null; echo $? >%s.code) &"):format(
      command_for(specs, cpath, base), base, base)
  end
  os.execute(table.concat(script, "\n") .. "\nwait")
  for i, base in ipairs(files) do
    local name = ("%s, %d of %d"):format(title, i, #lists)
    print(("\n%s: %d files"):format(name, #lists[i]))
    for line in io.lines(base .. ".out") do print(line) end
    local f <close> = io.open(base .. ".code")
    take_counts(name, base, f and f:read("n") or 1)
    for _, suffix in ipairs { "", ".out", ".code" } do os.remove(base .. suffix) end
  end
end

-- The files of each kind that a whole run must have met.
local function report_corpus()
  if met.absent then return print("corpus: absent") end
  local parts = {}
  for _, row in ipairs(expected.corpus) do
    local kind, least = row[1], row[2]
    local n = met[kind] or 0
    parts[#parts + 1] = ("%d %s"):format(n, kind)
    if n < least then
      print(("corpus too small: %d %s, expected %d"):format(n, kind, least))
      total.failed = total.failed + 1
    end
  end
  print("\ncorpus: " .. table.concat(parts, ", "))
end

-- Every other file: those that take long stand side by side. Packaging, which compiles everything once more, goes to
-- those that are done first otherwise.
local halves = { {}, {} }
for i, path in ipairs(ours) do
  local other = path:find("packaging_spec", 1, true) and 1 or 0
  table.insert(halves[(i + other) % 2 + 1], path)
end
run_busted("made-up formats", { made_up }, build .. "/spec")
run_busted("specs", halves, build)
if whole then report_corpus() end

local ran = total.passed + total.failed
if ran == 0 or whole and ran < expected.tests then
  print(("only %d tests ran, expected at least %d"):format(ran, whole and expected.tests or 1))
  total.failed = total.failed + 1
end
print(("\n%d passed, %d failed, %d skipped"):format(total.passed, total.failed, total.skipped))
os.exit(total.failed == 0)
