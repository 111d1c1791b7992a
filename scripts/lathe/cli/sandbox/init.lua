--- The environment of a mod script. Scripts come from strangers, so each allowed name is listed: those of Lua
-- here, those of lathe in `lathe.members`. All other names are missing, or are functions that raise an error.
-- @module lathe.cli.sandbox

local lathe = require "lathe"
local core = require "lathe.core"
local limits = require "lathe.cli.sandbox.limits"
local members = require "lathe.members"
local memory_file = require "lathe.cli.sandbox.memory_file"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"
local thrown = require "lathe.cli.sandbox.thrown"

local Sandbox = {}
Sandbox.__index = Sandbox

local sandbox = {}

local MAX_LEVELS = 200 -- depth of the call stack that is searched for the script's line

local BASE = {
  "assert", "error", "ipairs", "next", "pairs", "pcall", "rawequal", "rawget", "rawlen", "rawset",
  "select", "tonumber", "tostring", "type", "xpcall", "_VERSION",
}

local LIBRARIES = {
  coroutine = { "close", "create", "isyieldable", "resume", "running", "status", "wrap", "yield" },
  math = {
    "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod", "huge", "log",
    "max", "maxinteger", "min", "mininteger", "modf", "pi", "rad", "random", "randomseed", "sin",
    "sqrt", "tan", "tointeger", "type", "ult",
  },
  os = { "clock", "date", "difftime", "time" },
  string = {
    "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match", "pack",
    "packsize", "rep", "reverse", "sub", "unpack", "upper",
  },
  table = { "concat", "insert", "move", "pack", "remove", "sort", "unpack" },
  utf8 = { "char", "charpattern", "codepoint", "codes", "len", "offset" },
}

-- Libraries with functions that scripts do not get.
local WITH_MORE = { "debug", "io", "os", "package", "string" }

local hint = ": see --trusted" -- what follows the reason why something is not allowed

--- Sets what follows the reason why something is not allowed; default: ": see --trusted".
-- @tparam string words
function sandbox.set_hint(words) hint = words end

-- Functions that only report that they are not available.
local function withheld(name)
  return function() error(name .. " is not allowed in the sandbox" .. hint, 2) end
end

local function withhold(from, to, prefix)
  for name, value in pairs(from) do
    if type(value) == "function" and to[name] == nil then to[name] = withheld(prefix .. name) end
  end
end

local function pick(source, names)
  local copy = {}
  for _, name in ipairs(names) do copy[name] = source[name] end
  return copy
end

-- A copy of a module with the allowed members.
local function allowed_copy(module, owner)
  local copy = {}
  for name, value in pairs(module) do
    if members.is_allowed(owner, name) then copy[name] = value end
  end
  return copy
end

local function lathe_copy()
  local copy = allowed_copy(lathe, "lathe")
  copy.tree = allowed_copy(lathe.tree, "lathe.tree")
  return copy
end

-- Objects of lathe are shared with the program, so forbidden members are hidden for everyone from here on.
local function hide_members()
  for owner, found in pairs(core.members()) do
    local is_module = owner:find "^lathe" -- scripts have copies
    for name in pairs(is_module and {} or found) do
      if not members.is_allowed(owner, name) then found[name] = nil end
    end
  end
end

-- `("x"):dump()` uses the metatable shared by all strings, not the environment. Its table must not be the
-- script's `string`, or the script could change it.
local function hide_string_library()
  local methods = pick(string, LIBRARIES.string)
  withhold(string, methods, "string.")
  getmetatable("").__index = methods
end

-- Functions for metatables. A script may access only metatables that it has set itself; all others (of
-- strings, views, errors, files) contain functions of the program.
local function metatable_functions(own)
  local function get(value)
    if type(value) ~= "table" then return nil end
    local meta = getmetatable(value)
    return own[meta] and meta or type(meta) ~= "table" and meta or nil
  end
  local function set(value, meta)
    if type(meta) == "table" then
      -- The collector can run a finalizer at any time, also inside code with other rights.
      if rawget(meta, "__gc") ~= nil then error("the sandbox has no __gc", 2) end
      own[meta] = true
    end
    return setmetatable(value, meta)
  end
  return get, set
end

function Sandbox:print(...)
  local parts = table.pack(...)
  for i = 1, parts.n do parts[i] = tostring(parts[i]) end
  self.say(table.concat(parts, "\t"))
end

-- Loads text only, with the script's environment unless another table is passed.
function Sandbox:load(chunk, name, _, ...)
  local env = self.env
  if select("#", ...) > 0 then env = ... end
  local fn, why = load(chunk, name, "t", env)
  if not fn and type(why) == "string" and why:find("attempt to load a binary chunk", 1, true) then
    why = "bytecode is not allowed in the sandbox" .. hint
  end
  return fn, why
end

function Sandbox:compile(source, path)
  local name = "@" .. path
  local chunk, why = load(source, name, "t", self.env)
  if chunk then self.sources[name] = debug.getinfo(chunk, "S").short_src end
  self.covered = self.covered .. core.sha256(source)
  return chunk, why
end

-- Loads modules beside the script, as text, with the same environment.
function Sandbox:require(name)
  if type(name) ~= "string" then error("require: a name expected", 3) end
  local loaded = self.loaded[name]
  if loaded ~= nil then return loaded end
  if not name:match "^[%w_]+[%w_.]*$" then error(("no module '%s'"):format(name), 3) end
  local path = paths.join(self.folder, name:gsub("%.", "/") .. ".lua")
  local source = core.read(path) -- the policy is asked
  if not source then
    error(("no module '%s': the sandbox has 'lathe' and the .lua files beside the script")
      :format(name), 3)
  end
  local chunk, why = self:compile(source, path)
  if not chunk then error(why, 3) end
  local value = chunk(name, path)
  if value == nil then value = true end
  self.loaded[name] = value
  return value
end

function Sandbox:open(path, mode)
  mode = mode or "r"
  if type(path) ~= "string" or type(mode) ~= "string" then
    error("io.open: a path and a mode expected", 2) -- the io functions of scripts end with this call
  elseif not mode:match "^[rwa]%+?b*$" then
    error("bad argument #2 to 'open' (invalid mode)", 2)
  end
  return self.policy:open(path, mode)
end

function Sandbox:lines(path, ...)
  local file, why = self:open(path, "r")
  if not file then error(why, 3) end
  return file:lines(...)
end

local function build(self)
  local env = pick(_G, BASE)
  for name, names in pairs(LIBRARIES) do env[name] = pick(_G[name], names) end
  env._G = env
  env.getmetatable, env.setmetatable = metatable_functions(setmetatable({}, { __mode = "k" }))
  env.print = function(...) self:print(...) end
  env.load = function(chunk, name, mode, ...) return self:load(chunk, name, mode, ...) end
  env.require = function(name) return self:require(name) end
  env.io = {
    open = function(path, mode) return self:open(path, mode) end,
    lines = function(path, ...) return self:lines(path, ...) end,
    type = function(value) return memory_file.type(value) or io.type(value) end,
    write = function(...) self.write(table.concat { ... }) end,
  }
  env.lathe = lathe_copy()
  self.loaded = { lathe = env.lathe }
  for name in pairs(LIBRARIES) do self.loaded[name] = env[name] end
  env.debug, env.package = {}, {}
  for _, name in ipairs(WITH_MORE) do withhold(_G[name], env[name], name .. ".") end
  withhold(_G, env, "")
  return env
end

local function copy_of(list)
  local copy = {}
  for key, value in next, list do copy[key] = value end
  return copy
end

-- Whether a trusted script may have changed a module. lathe's own modules are left alone: they keep what
-- they need.
local function is_shared(name, value)
  return type(value) == "table" and (name == "lathe" or not name:find "^lathe%.")
end

-- Remembers Lua's own tables: a trusted script gets them, and what it changes must not reach the next file.
local function remember()
  local saved = { tables = {}, strings = getmetatable("").__index }
  for name, value in pairs(package.loaded) do
    if is_shared(name, value) then saved.tables[value] = copy_of(value) end
  end
  saved.loaded = copy_of(package.loaded)
  return saved
end

-- Whether a module is one in C, which cannot be loaded twice.
local function is_in_c(name)
  return package.preload[name] ~= nil or package.searchpath(name, package.cpath) ~= nil
    or package.searchpath(name:match "^[^.]*", package.cpath) ~= nil
end

-- A module that was loaded since.
local function is_left_over(name, saved)
  if saved.loaded[name] ~= nil then return false end
  return type(name) ~= "string" or not (name:find "^lathe%f[.\0]" or is_in_c(name))
end

local function restore(saved)
  for name in pairs(copy_of(package.loaded)) do
    if is_left_over(name, saved) then package.loaded[name] = nil end
  end
  for name, value in pairs(saved.loaded) do package.loaded[name] = value end
  for list, before in pairs(saved.tables) do
    if list ~= package.loaded then
      for key in pairs(copy_of(list)) do
        if before[key] == nil then rawset(list, key, nil) end
      end
      for key, value in pairs(before) do rawset(list, key, value) end
    end
  end
  getmetatable("").__index = saved.strings
end

-- The environment with --trusted: everything, but print still goes through lathe's output.
local function open_world(self)
  self.saved = remember()
  package.path = paths.join(self.folder, "?.lua") .. ";" .. package.path
  local own = { lathe = lathe, print = function(...) self:print(...) end }
  return setmetatable(own, { __index = _G })
end

--- Creates an environment.
-- @tparam table options `policy` (file access), `folder` (of the script), `say` (receives printed lines),
--   `write` (receives printed bytes), `trusted` (the full environment instead), `limits` (for each call; see
--   `lathe.cli.sandbox.limits`)
-- @treturn Sandbox with `env`
function sandbox.new(options)
  local self = setmetatable({
    policy = options.policy,
    folder = options.folder,
    limits = options.limits,
    say = options.say or out.text,
    write = options.write or out.script,
    sources = {},
    covered = "", -- hashes of the script and of the modules that it has loaded
  }, Sandbox)
  if options.trusted then
    self.env = open_world(self)
  else
    self.env = build(self)
    hide_string_library()
    hide_members()
  end
  return self
end

--- Ends the environment: what a trusted script changed in Lua's libraries is undone.
function Sandbox:close()
  if self.saved then restore(self.saved) end
  self.saved = nil
end

local EXPECTED = "function(doc, ctx) or { each = function, finish = function }"

-- The functions of a script; nil and what it returned.
local function functions_of(value)
  if type(value) == "function" then return value end
  if type(value) ~= "table" then return nil, value == nil and "nothing" or "a " .. type(value) end
  for key, member in next, value do
    if key ~= "each" and key ~= "finish" then
      return nil, type(key) == "string" and ("a table with '%s'"):format(key) or "a list"
    elseif type(member) ~= "function" then
      return nil, ("a table whose '%s' is a %s"):format(key, type(member))
    end
  end
  local each = rawget(value, "each")
  if not each then return nil, "a table without 'each'" end
  return each, rawget(value, "finish")
end

--- Loads a script and runs its main chunk.
-- @tparam string source
-- @tparam string path
-- @param ... arguments for the main chunk
-- @treturn ?function the function for each file
-- @return the function for all results, or nil; or the error
function Sandbox:start(source, path, ...)
  self.path = path
  local chunk, why = self:compile(source, path)
  if not chunk then return nil, why end
  local ok, value = self:call(chunk, ...)
  if not ok then return nil, value end
  local each, finish = functions_of(value)
  if not each then return nil, ("%s: the script must return %s, not %s"):format(path, EXPECTED, finish) end
  return each, finish
end

-- The place of an error in the script: its innermost line, or only its name if a tail call removed the line.
function Sandbox:script_line()
  for level = 3, MAX_LEVELS do
    local frame = debug.getinfo(level, "Sl")
    if not frame then break end
    if self.sources[frame.source] then
      return ("%s:%d"):format(frame.source:sub(2), frame.currentline)
    end
  end
  return self.path
end

-- Removes the position from a message if it is in the script. Lua abbreviates long names.
function Sandbox:own_position(message)
  for source, short in pairs(self.sources) do
    local line, rest = message:match("^:(%d+): (.*)$", #short + 1)
    if line and message:sub(1, #short) == short then
      return ("%s:%s"):format(source:sub(2), line), rest
    end
  end
end

local ERROR = { __tostring = function(err) return err.text end }

-- Converts an error to a text, or to a table that prints as one if it has more fields. The conversion runs
-- with the script's rights and limits; the result contains no code of the script.
function Sandbox:explain(err)
  if limits.stopping() then return err end
  local line, said = self:script_line(), thrown.describe(err)
  if said.code then
    said.text = ("%s (%s)"):format(said.text, line)
    return setmetatable(said, ERROR)
  end
  local own, rest = self:own_position(said.text)
  return ("%s: %s"):format(own or line, rest or said.text)
end

-- The error of a script that exceeded a limit. One that ran out of memory must not be called again: its
-- variables may use nearly all of the allowed memory.
function Sandbox:stopped(reason, message, places)
  self.spent = self.spent or reason == "memory"
  local shorts = {}
  for source, short in pairs(self.sources) do shorts[short] = source:sub(2) end
  for _, place in ipairs(places) do
    local path = shorts[place[1]]
    if path then return ("%s:%d: %s"):format(path, place[2], message) end
  end
  return ("%s: %s"):format(self.path, message)
end

--- Calls a function of the script, within its limits. Sets `self.spent` if it ran out of memory.
-- @tparam function fn
-- @param ... its arguments
-- @treturn boolean whether it returned
-- @return what it returned, or the error: text, or a table with `code`, and possibly `where` and `offset`
function Sandbox:call(fn, ...)
  local function explain(err) return self:explain(err) end
  if not self.limits then return xpcall(fn, explain, ...) end
  return self.limits:call(fn, explain, function(...) return self:stopped(...) end, ...)
end

return sandbox
