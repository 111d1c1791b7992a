-- Runs the C tests and all specs, each in a process of its own and several at a time, and closes with one line that
-- counts both: N passed, N failed, N skipped.
-- usage: run_tests.lua [--times] [--only=PATTERN] [--exclude-tags=TAGS] C_TEST...
--   --only   those alone whose path has this text, or one of several with commas between them
--   --times  writes down the processor time of each (spec/support/test_times.txt): those that take longest begin
-- environment: LATHE_BUILD    the build to test (default: build)
--              LATHE_PRELOAD  libraries to load before everything that runs lathe (sanitizers)
--              LATHE_RUNNER   a command to run Lua under (valgrind)
--              LATHE_WORKERS  how many run at the same time (default: one more than processors, for some wait: for
--                             browsers, terminals, files)
-- A run that leaves nothing out must reach the numbers in expected.lua.

local TIMES = "spec/support/test_times.txt"
local expected = dofile("spec/support/expected.lua")
local build = os.getenv("LATHE_BUILD") or "build"
local preload, runner = os.getenv("LATHE_PRELOAD"), os.getenv("LATHE_RUNNER")
local c_tests, options, write_times, only = {}, {}, false, nil -- only: a list of texts
for _, a in ipairs(arg) do
  if a == "--times" then
    write_times = true
  elseif a:match("^%-%-only=") then
    only = {}
    for text in a:match("=(.*)"):gmatch "[^,]+" do only[#only + 1] = text end
  else
    table.insert(a:match("^%-%-") and options or c_tests, a)
  end
end
local whole = #options == 0 and not preload and not runner and not only

io.stdout:setvbuf("line")
assert(_VERSION == "Lua 5.4", "lathe is for Lua 5.4, this is " .. _VERSION)
print(_VERSION .. " (" .. (arg[-1] or "?") .. ")")

local function quote(s)
  return "'" .. s:gsub("'", [['\'']]) .. "'"
end

local function first_line(command)
  local p <close> = assert(io.popen(command))
  return p:read("l")
end

local function read_all(path)
  local f <close> = assert(io.open(path, "rb"))
  return f:read("a")
end

local busted = first_line("command -v busted")
if not busted then
  print("busted is not there: make setup")
  os.exit(1)
end

-- ---- what there is to run -----------------------------------------------------------------------

-- A job: `title` (also its row in the table of times), `command`, and `take(out, code)`, which gives what passed, failed
-- and was skipped, and the lines that are worth a look.
local jobs = {}
local scratch = assert(first_line("mktemp -d -t lathe-tests.XXXXXX"))

-- cmocka speaks TAP: only what failed is shown. A program that dies counts as one failure.
local function take_tap(out, code)
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
  return passed, failed, skipped, failed > 0 and out or ""
end

local met = { counts = {} }                       -- what the tests met of the corpus, by kind and name
local skipped_for = {}                            -- how many tests were skipped, by the reason that they gave

-- A file may be met by several specs; it counts once. What has no name is counted by each.
local function meet(kind, n, name)
  local seen = met.counts[kind] or { n = 0 }
  met.counts[kind] = seen
  if name ~= "" and seen["/" .. name] then return end
  seen["/" .. name] = true
  seen.n = seen.n + n
end

-- What busted prints of itself when all is well.
local function worth_a_look(out)
  local lines = {}
  for line in out:gmatch("[^\n]+") do
    if not (line:match("^[+]+$") or line:match("^%d+ successes? / 0 failures / 0 errors / 0 pending")
      or line:match("^Lua 5%.4, ")) then
      lines[#lines + 1] = line
    end
  end
  return table.concat(lines, "\n")
end

-- What a process of busted left behind in the file of counts.
local function take_busted(counts)
  return function(out, code)
    local passed, failed, skipped
    local f <close> = io.open(counts)
    for line in (f and f:read("a") or ""):gmatch("[^\n]+") do
      if not passed then
        passed, failed, skipped = line:match("^(%d+) (%d+) (%d+)$")
        passed, failed, skipped = tonumber(passed), tonumber(failed), tonumber(skipped)
      elseif line == "corpus absent" then
        met.absent = true
      elseif line:match "^skipped\t" then
        local reason = line:match "\t(.*)"
        skipped_for[reason] = (skipped_for[reason] or 0) + 1
      else
        local n, kind, name = line:match("^(%d+)\t([^\t]*)\t(.*)$")
        meet(kind, tonumber(n), name)
      end
    end
    if not passed then return 0, 1, 0, ("%s\ndied (%d)"):format(out, code) end
    if code ~= 0 and failed == 0 then return passed, 1, skipped, ("%s\nleft with %d"):format(out, code) end
    return passed, failed, skipped, worth_a_look(out)
  end
end

local function busted_command(spec, cpath, counts)
  local command = { "env", "LATHE_COUNTS=" .. quote(counts) }
  if preload then                                 -- the module too, or leaks in it have no names
    command[#command + 1] = "LD_PRELOAD=" .. quote(preload .. ":" .. cpath .. "/lathe/core.so")
    command[#command + 1] = "LUA_INIT_5_4=" .. quote(("package.loadlib(%q, 'luaopen_lua_pool')()"):format(
      build .. "/spec/lua_pool.so"))
  end
  if cpath ~= build then command[#command + 1] = "LATHE_MADE_UP=1" end
  for _, word in ipairs { runner or "", "lua5.4", busted, "--ignore-lua", "--cpath=" .. cpath .. "/?.so" } do
    command[#command + 1] = word
  end
  table.move(options, 1, #options, #command + 1, command)
  command[#command + 1] = quote(spec)
  return table.concat(command, " ")
end

-- Programs in C look for the corpus where specs do (helper.lua).
local corpus = os.getenv("LATHE_CORPUS")
if not corpus or corpus == "" then
  local f <close> = io.open("../shared/corpus/hkx")
  corpus = f and "../shared/corpus" or "-"
end
corpus = corpus == "-" and "-u LATHE_CORPUS" or "LATHE_CORPUS=" .. quote(corpus)

for _, program in ipairs(c_tests) do
  jobs[#jobs + 1] = { title = program:match("[^/]+$"), take = take_tap,
    command = "env " .. corpus .. " CMOCKA_MESSAGE_OUTPUT=TAP " .. quote(program) }
end

-- Specs named engine* or made_up* run on formats that no game has: another build of the module.
for path in assert(io.popen("find spec -name '*_spec.lua' | LC_ALL=C sort")):lines() do
  local name = path:match("[^/]+$")
  local made_up = name:match("^engine") or name:match("^made_up")
  local counts = ("%s/%d.counts"):format(scratch, #jobs + 1)
  jobs[#jobs + 1] = { title = path, take = take_busted(counts),
    command = busted_command(path, made_up and build .. "/spec" or build, counts) }
end

local function is_wanted(title)
  for _, text in ipairs(only or { "" }) do
    if title:find(text, 1, true) then return true end
  end
  return false
end
for i = #jobs, 1, -1 do
  if not is_wanted(jobs[i].title) then table.remove(jobs, i) end
end

-- ---- running ------------------------------------------------------------------------------------

-- A stale row costs time, and nothing else. What has no row is new, and begins first: it may be long.
local function read_times()
  local times = {}
  local f <close> = io.open(TIMES)
  for line in (f and f:read("a") or ""):gmatch("[^\n]+") do
    local seconds, title = line:match("^([%d.]+) (%S+)$")
    if title then times[title] = tonumber(seconds) end
  end
  return times
end

local times = read_times()
local order = {}
for i = 1, #jobs do order[i] = i end
table.sort(order, function(a, b)
  local x, y = times[jobs[a].title] or math.huge, times[jobs[b].title] or math.huge
  if x ~= y then return x > y end
  return a < b
end)

local function write(path, text)
  local f <close> = assert(io.open(path, "w"))
  assert(f:write(text))
end

-- What a job's shell noted with `times`: the second line is of the programs that it ran, user and system time.
local function processor_seconds(text)
  local sum = 0
  for minutes, seconds in text:match("\n(.*)"):gmatch "(%d+)m([%d.]+)s" do
    sum = sum + 60 * tonumber(minutes) + tonumber(seconds)
  end
  return sum
end

-- A test that waits for ever is a failure, not a stop.
for i, job in ipairs(jobs) do
  write(("%s/%d.sh"):format(scratch, i), ([[
start=$(date +%%s%%N)
timeout --foreground -k 10 %d %s >%s/%d.out 2>&1 </dev/null
code=$?
times >%s/%d.times
echo "%d $code $(( ($(date +%%s%%N) - start) / 1000000 ))"
]]):format(runner and 7200 or 2400, job.command, scratch, i, scratch, i, i))
end
local list = {}
for k, i in ipairs(order) do list[k] = ("%s/%d.sh\n"):format(scratch, i) end
write(scratch .. "/list", table.concat(list))

local workers = os.getenv("LATHE_WORKERS") or tonumber(first_line("nproc")) + 1
local pool = assert(io.popen(("xargs -d '\\n' -n 1 -P %d sh <%s/list"):format(tonumber(workers) or 1, scratch)))
local total = { passed = 0, failed = 0, skipped = 0 }
local ended = 0
local failures = {}                               -- what failing programs printed, once more at the end
for line in pool:lines() do
  local i, code, ms = line:match("^(%d+) (%d+) (%d+)$")
  local job = jobs[tonumber(i)]
  local passed, failed, skipped, text = job.take(read_all(("%s/%s.out"):format(scratch, i)), tonumber(code))
  job.seconds, ended = processor_seconds(read_all(("%s/%s.times"):format(scratch, i))), ended + 1
  total.passed, total.failed = total.passed + passed, total.failed + failed
  total.skipped = total.skipped + skipped
  print(("%-52s %4d passed, %d failed, %d skipped; %.1f s, %.1f s of a processor"):format(job.title .. ":", passed,
    failed, skipped, tonumber(ms) / 1000, job.seconds))
  text = text:gsub("[^\n]+", "    %0")
  if text ~= "" then print(text) end
  if failed > 0 then failures[#failures + 1] = ("FAILED: %s\n%s"):format(job.title, text) end
end
pool:close()
if ended ~= #jobs then
  print(("%d of %d test programs ended"):format(ended, #jobs))
  total.failed = total.failed + 1
end
os.execute("rm -rf " .. quote(scratch))

-- ---- what all of them together met --------------------------------------------------------------

local function report_corpus()
  if met.absent then return print("corpus: absent") end
  local parts = {}
  for _, row in ipairs(expected.corpus) do
    local kind, least = row[1], row[2]
    local n = met.counts[kind] and met.counts[kind].n or 0
    parts[#parts + 1] = ("%d %s"):format(n, kind)
    if n < least then
      print(("corpus too small: %d %s, expected %d"):format(n, kind, least))
      total.failed = total.failed + 1
    end
  end
  print("\ncorpus: " .. table.concat(parts, ", "))
end

-- Each reason once, at the end, where it is seen: what was not built or installed is easily taken for tested.
local function report_skipped()
  local reasons = {}
  for reason, n in pairs(skipped_for) do
    reasons[#reasons + 1] = ("NOT TESTED, %d test%s: %s"):format(n, n == 1 and "" or "s", reason)
  end
  table.sort(reasons)
  if #reasons > 0 then print("\n" .. table.concat(reasons, "\n")) end
end

if whole then report_corpus() end
report_skipped()
if write_times then
  local rows = {}
  for _, job in ipairs(jobs) do
    rows[#rows + 1] = ("%.1f %s\n"):format(job.seconds, job.title)
  end
  table.sort(rows, function(a, b)
    local x, y = tonumber(a:match("^%S+")), tonumber(b:match("^%S+"))
    if x ~= y then return x > y end
    return a < b
  end)
  write(TIMES, table.concat(rows))
end

-- The end is what people look at, and what is kept of long outputs.
for _, text in ipairs(failures) do
  print("\n" .. (#text <= 4000 and text or text:sub(1, 2000) .. "\n    ...\n" .. text:sub(-2000)))
end

local ran = total.passed + total.failed
if ran == 0 or whole and ran < expected.tests then
  print(("only %d tests ran, expected at least %d"):format(ran, whole and expected.tests or 1))
  total.failed = total.failed + 1
end
print(("\n%d passed, %d failed, %d skipped"):format(total.passed, total.failed, total.skipped))
os.exit(total.failed == 0)
