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

local function run_busted(title, specs, cpath, environment)
  if not specs[1] then return end
  print(("\n%s: %d files"):format(title, #specs))
  local counts = os.tmpname()
  local command = { "env", "LATHE_COUNTS=" .. quote(counts), environment }
  if preload then                                 -- the module too, or leaks in it have no names
    command[#command + 1] = "LD_PRELOAD=" .. quote(preload .. ":" .. cpath .. "/lathe/core.so")
  end
  -- A spec that waits for ever is a failure, not a stop.
  table.insert(command, 1, "timeout --foreground -k 10 " .. (runner and 7200 or 1200))
  for _, word in ipairs { runner or "", "lua5.4", busted, "--ignore-lua", "--cpath=" .. cpath .. "/?.so" } do
    command[#command + 1] = word
  end
  table.move(options, 1, #options, #command + 1, command)
  table.move(specs, 1, #specs, #command + 1, command)
  local ok, how, code = os.execute(table.concat(command, " "))
  local f = io.open(counts)
  local passed, failed, skipped = (f and f:read("a") or ""):match("(%d+) (%d+) (%d+)")
  if f then f:close() end
  os.remove(counts)
  if not passed then
    print(("%s died (%s %s)"):format(title, how, code))
    return count(0, 1, 0)
  end
  if not ok and tonumber(failed) == 0 then
    print(("%s left with %s %d"):format(title, how, code))
    failed = 1
  end
  count(tonumber(passed), tonumber(failed), tonumber(skipped))
end

run_busted("made-up formats", made_up, build .. "/spec", "LATHE_MADE_UP=1")
run_busted("specs", ours, build, whole and "LATHE_WHOLE=1" or "LATHE_PART=1")

local ran = total.passed + total.failed
if ran == 0 or whole and ran < expected.tests then
  print(("only %d tests ran, expected at least %d"):format(ran, whole and expected.tests or 1))
  total.failed = total.failed + 1
end
print(("\n%d passed, %d failed, %d skipped"):format(total.passed, total.failed, total.skipped))
os.exit(total.failed == 0)
