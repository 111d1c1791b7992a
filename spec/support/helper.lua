--- What specs share: the corpus, temporary folders, files, and running programs. busted loads it first
-- (see .busted); a spec says `local helper = require "helper"`.
-- The working folder of every spec is the top of the tree.

local lfs = require "lfs"

local helper = {}
package.loaded.helper = helper                    -- one table for all specs: it counts

assert(_VERSION == "Lua 5.4", "lathe is for Lua 5.4, this is " .. _VERSION .. ": busted --lua=lua5.4")

--- The top of the tree, and the build under test; both absolute.
helper.root = lfs.currentdir()
helper.build = os.getenv("LATHE_BUILD") or "build"
if helper.build:sub(1, 1) ~= "/" then helper.build = helper.root .. "/" .. helper.build end

--- Sanitizers that must be loaded before Lua is, in programs that specs start; nil in a plain run.
helper.preload = os.getenv("LATHE_PRELOAD")
if helper.preload then
  -- Shells, mktemp and others are not under test: without this they would load the sanitizers as this process did.
  assert(package.loadlib(helper.build .. "/spec/lua_pool.so", "lua_pool_preload_no_more"))()
end

-- ---- files --------------------------------------------------------------------------------------

function helper.exists(path)
  return lfs.attributes(path, "mode") ~= nil
end

--- All bytes of a file; raises where it cannot be read.
function helper.read(path)
  local f = assert(io.open(path, "rb"))
  local bytes = assert(f:read("a"))
  f:close()
  return bytes
end

--- Writes a file and gives its path.
function helper.write(path, bytes)
  local f = assert(io.open(path, "wb"))
  assert(f:write(bytes))
  assert(f:close())
  return path
end

--- The names in a folder that match a Lua pattern (all without one), sorted.
function helper.list(folder, pattern)
  local names = {}
  for name in lfs.dir(folder) do
    if name ~= "." and name ~= ".." and name:find(pattern or "") then names[#names + 1] = name end
  end
  table.sort(names)
  return names
end

local temporary = {}

--- A new empty folder, removed with all in it when the run ends.
function helper.tmpdir()
  local p = assert(io.popen("mktemp -d -t lathe-spec.XXXXXX"))
  local path = p:read("l")
  assert(p:close() and path, "no temporary folder")
  temporary[#temporary + 1] = path
  return path
end

-- ---- programs -----------------------------------------------------------------------------------

--- Quotes one word for the shell.
function helper.quote(word)
  return "'" .. tostring(word):gsub("'", [['\'']]) .. "'"
end

local function words(command)
  if type(command) == "string" then return command end
  local quoted = {}
  for i, word in ipairs(command) do quoted[i] = helper.quote(word) end
  return table.concat(quoted, " ")
end

--- Runs a command: a line for the shell, or a list of words, which are taken as they are.
-- opts: stdin = bytes, cwd = folder, env = { NAME = value | false (unset) }, timeout = seconds (240).
-- Gives { code =, out =, err = }; a signal counts as 128 + its number, a timeout as 124.
function helper.run(command, opts)
  opts = opts or {}
  local folder = helper.tmpdir()
  local input, script = "/dev/null", { "unset MAKEFLAGS MAKELEVEL" }
  if opts.stdin then input = helper.write(folder .. "/in", opts.stdin) end
  local names = {}
  for name in pairs(opts.env or {}) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local value = opts.env[name]
    script[#script + 1] = value and ("export %s=%s"):format(name, helper.quote(value)) or "unset " .. name
  end
  if opts.cwd then script[#script + 1] = "cd " .. helper.quote(opts.cwd) .. " || exit 125" end
  script[#script + 1] = words(command)
  helper.write(folder .. "/run.sh", table.concat(script, "\n") .. "\n")
  local _, how, code = os.execute(("exec timeout -k 5 %d sh %s/run.sh <%s >%s/out 2>%s/err")
    :format(opts.timeout or 240, folder, helper.quote(input), folder, folder))
  return {
    code = how == "exit" and code or 128 + code,
    out = helper.read(folder .. "/out"),
    err = helper.read(folder .. "/err"),
  }
end

--- Runs a Lua script, named from the top of the tree, with the module under test, as helper.run does: in a
-- state of its own, in which a full collection takes no time.
function helper.script(path, args, opts)
  opts = opts or {}
  local command = { "lua5.4", helper.root .. "/" .. path }
  table.move(args or {}, 1, #(args or {}), 3, command)
  local lua = helper.root .. "/%s/?.lua;"
  opts.env = opts.env or {}
  opts.env.LUA_CPATH_5_4 = helper.build .. "/?.so;;"
  opts.env.LUA_PATH_5_4 = lua:format "scripts" .. lua:format "spec/support" .. helper.root .. "/scripts/?/init.lua;;"
  opts.env.LD_PRELOAD = helper.preload or false
  return helper.run(command, opts)
end

--- Runs the tool of this tree with a list of arguments (or a line of them), as helper.run does. Another
-- build than the tree's own puts its module in first, since scripts/bin/lathe looks in build/.
function helper.lathe(args, opts)
  local line = { "lua5.4" }
  if helper.preload then
    table.insert(line, 1, "LD_PRELOAD=" .. helper.quote(helper.preload) .. "${LD_PRELOAD:+:$LD_PRELOAD}")
  end
  if helper.build ~= helper.root .. "/build" then
    line[#line + 1] = "-e " .. helper.quote(
      ("package.preload['lathe.core'] = package.loadlib(%q, 'luaopen_lathe_core')"):format(
        helper.build .. "/lathe/core.so"))
  end
  line[#line + 1] = helper.quote(helper.root .. "/scripts/bin/lathe")
  line[#line + 1] = words(args)
  return helper.run(table.concat(line, " "), opts)
end

-- ---- the corpus ---------------------------------------------------------------------------------

local corpus = os.getenv("LATHE_CORPUS")          -- "-": take it for absent
if corpus == "-" then
  corpus = "/nonexistent"
elseif corpus and corpus ~= "" then
  assert(helper.exists(corpus), "LATHE_CORPUS names no folder: " .. corpus)
else
  corpus = "../shared/corpus"
end

--- Where the corpus is; nil where there is none.
helper.corpus_root = helper.exists(corpus) and corpus or nil

--- The path of something in the corpus ("wolfire/solid"), or nil where it is not there.
function helper.corpus(sub)
  local path = corpus .. "/" .. (sub or "")
  return helper.exists(path) and path or nil
end

--- The same, inside an `it` (whose `pending` it is given): without a corpus the test is pending, and
-- says so.
function helper.need_corpus(sub, pending)
  local path = helper.corpus(sub)
  if path then return path end
  assert(not helper.corpus_root, ("the corpus has no %s"):format(sub))
  pending("NOT TESTED: no corpus; set LATHE_CORPUS to its folder")
end

--- What tests met of the corpus; run_tests.lua adds up what all specs met.
helper.counts = {}

--- Notes that a file of the corpus was met by a test of its kind ("solid", "fzx", "bad"), or n things in it; a name
-- counts once. A whole run asserts how many (expected.lua).
function helper.count(kind, name, n)
  local last = helper.counts[#helper.counts]
  if not name and last and last.kind == kind and not last.name then
    last.n = last.n + (n or 1)
  else
    table.insert(helper.counts, { kind = kind, name = name, n = n or 1 })
  end
end

-- -------------------------------------------------------------------------------------------------

-- In a spec each use of a global, such as `ipairs`, makes busted search the environments of all enclosing blocks, which
-- took most of the time of long loops. What no block redefines goes into the table in which the search begins.
local STANDARD <const> = [[_VERSION assert collectgarbage coroutine debug dofile error getmetatable io ipairs load
  loadfile math next os package pairs pcall print rawequal rawget rawlen rawset require select setmetatable string table
  tonumber tostring type utf8 warn xpcall]]

local function environment_of(f)
  for i = 1, math.huge do
    local name, value = debug.getupvalue(f, i)
    if not name or name == "_ENV" then return value end
  end
end

require("busted").subscribe({ "describe", "start" }, function(block)
  local env = environment_of(block.run)
  if env and not rawget(env, "assert") then
    for name in STANDARD:gmatch "%S+" do rawset(env, name, env[name]) end
  end
  return nil, true
end)

require("busted").subscribe({ "exit" }, function()
  for _, path in ipairs(temporary) do os.execute("rm -rf " .. helper.quote(path)) end
  -- Lua calls no finalizers of objects that other finalizers make while the state closes, which the sanitizers report
  -- as leaks. So all finalizers run before.
  collectgarbage()
  collectgarbage()
  return nil, true
end)

print(_VERSION .. ", " .. helper.build)
return helper
