--- The worker processes of a batch (`lathe.cli.batch.worker`), seen from the main process. Files are
-- handed out in the order of the input; results and output are taken in that order, so that they do not
-- depend on the number of workers.
-- @module lathe.cli.batch.workers

local core = require "lathe.core"
local out = require "lathe.cli.out"
local plain = require "lathe.cli.batch.plain"
local worker = require "lathe.cli.batch.worker"

local Pool = {}
Pool.__index = Pool

local workers = {}

local AHEAD = 8 -- files for each worker that may be ahead of the one whose output is due
local MOST_BUFFERED = 64 << 20 -- bytes of output of files that are not due
local STEP = 0.25 -- seconds between updates of the progress line
local ENDING = 5 -- seconds that workers have to end by themselves
local FINISHING = 0.3 -- seconds after Ctrl-C in which workers may complete their files
local STOPPING = 1 -- … and then may stop in good order
local MOST_BAD_STARTS = 3

-- ---- one worker ----------------------------------------------------------------------------------

local Worker = {}
Worker.__index = Worker

-- The command line of a worker.
local function words()
  local command = worker.command()
  local first = -1
  while command[first - 1] do first = first - 1 end
  local list = table.move(command, first, 0, 1, {})
  list[#list + 1] = worker.WORD
  list[#list + 1] = ("%d"):format(core.process.id())
  return table.move(command, 1, #command, #list + 1, list)
end

local function new_worker(process)
  return setmetatable({ process = process, parts = {}, size = 0, wanted = 5, ready = false }, Worker)
end

function Worker:send(bytes)
  return self.process:send(("<s4"):pack(bytes))
end

-- Reads what the worker has sent, and calls `take` with each complete message. False at the end.
function Worker:receive(take)
  local bytes = self.process:receive()
  if not bytes then return false end
  self.parts[#self.parts + 1], self.size = bytes, self.size + #bytes
  if self.size < self.wanted then return true end
  bytes = table.concat(self.parts)
  local at = 1
  self.wanted = 5
  while #bytes - at + 1 >= 5 do
    self.wanted = 5 + ("<I4"):unpack(bytes, at + 1)
    if #bytes - at + 1 < self.wanted then break end
    take(bytes:sub(at, at), bytes:sub(at + 5, at + self.wanted - 1))
    at, self.wanted = at + self.wanted, 5
  end
  self.parts, self.size = { bytes:sub(at) }, #bytes - at + 1
  return true
end

local SIGNALS = { [4] = "illegal instruction", [6] = "abort", [7] = "bus error", [8] = "arithmetic error",
  [9] = "killed, perhaps because memory was short", [11] = "segmentation fault", [15] = "terminated" }

-- "ended by signal 11 (segmentation fault)"
local function how_ended(process)
  local how, number = process:ended(ENDING)
  if not how then return "closed its pipe" end
  if how == "exit" then return ("ended with exit code %d"):format(number) end
  if number < 0 then return ("crashed with code 0x%08X"):format(number & 0xFFFFFFFF) end -- Windows
  local name = SIGNALS[number]
  return ("ended by signal %d%s"):format(number, name and " (" .. name .. ")" or "")
end

-- ---- the pool ------------------------------------------------------------------------------------

--- Starts workers.
-- @tparam table options
--
-- * `count` of workers
-- * `items`, and the number of the `first` one to work on
-- * `settings`: what `worker.settings` returns in the workers
-- * `request`: function(i) -> what is sent to the worker that works on item i
-- * `waits`: function(i) -> the number of an earlier item that must be done first, or nil
-- * `done`: function(i, result), called when the result of an item arrives, in any order
-- * `here`: function(i) -> the result; works on an item without a worker
-- * `show`: function(), called several times a second
-- @treturn Pool
function workers.start(options)
  local self = setmetatable({
    options = options,
    items = options.items,
    settings = plain.pack(options.settings),
    list = {},       -- workers, or false where one is missing
    next = options.first,
    again = {},      -- items whose worker did not get ready
    memory = 0,      -- that the items that are worked on may need
    output = {},     -- of items that are not due: lists of messages
    buffered = 0,    -- size of `output`
    results = {},    -- of items that are done
    bad_starts = 0,
    broken = false,  -- whether no more workers are started
  }, Pool)
  for k = 1, options.count do self:add_worker(k) end
  return self
end

-- Works without workers from here on.
function Pool:give_up(why)
  if self.broken then return end
  self.broken = true
  out.note(("lathe: no worker processes: %s; files are worked on one by one"):format((why:gsub("%s+$", ""))))
end

function Pool:add_worker(k)
  self.list[k] = false
  local process, err = core.process.start(words())
  if not process then return self:give_up(tostring(err)) end
  self.list[k] = new_worker(process)
end

-- Whether an item may be handed out beside those that are worked on.
function Pool:may_start(i, due)
  if i == due then return true end
  if i >= due + AHEAD * #self.list or self.buffered > MOST_BUFFERED then return false end
  local needs = worker.MEMORY_PER_BYTE * (self.items[i].size or 0)
  if self.memory > 0 and self.memory + needs > worker.MOST_MEMORY then return false end
  local other = self.options.waits(i)
  return not other or other < due or self.results[other] ~= nil
end

-- Hands out an item. Settings are sent with the first one, so that several workers load at the same time.
function Pool:hand_to(one, i)
  if not one.settled then one:send(self.settings) end
  one.settled, one.item = true, i
  one.memory = worker.MEMORY_PER_BYTE * (self.items[i].size or 0)
  self.memory = self.memory + one.memory
  self.output[i] = self.output[i] or {}
  one:send(plain.pack(self.options.request(i)))
end

function Pool:hand_out(due)
  for k = 1, #self.list do
    local i = self.again[1] or self.next
    if self.broken or i > #self.items or not self:may_start(i, due) then return end
    if not self.list[k] then self:add_worker(k) end
    local one = self.list[k]
    if one and not one.item then
      if self.again[1] then table.remove(self.again, 1) else self.next = i + 1 end
      self:hand_to(one, i)
    end
  end
end

function Pool:done(one, record)
  self.results[one.item] = record
  self.options.done(one.item, record)
  self.memory = self.memory - one.memory
  one.item = nil
end

function Pool:take_message(one, kind, bytes, due)
  if kind == "r" then
    one.ready = true
  elseif kind == "d" then
    self:done(one, plain.unpack(bytes))
  elseif kind == "u" then
    one.problem = bytes
  elseif one.item == due then
    out.replay(kind, bytes)
  else
    table.insert(self.output[one.item], { kind, bytes })
    self.buffered = self.buffered + #bytes
  end
end

-- A worker has ended. Its item fails; if it never got ready, another one works on the item.
function Pool:lost(k)
  local one = self.list[k]
  self.list[k] = false
  local how = how_ended(one.process)
  if one.ready and one.item then return self:done(one, { lost = "its worker process " .. how }) end
  if one.item then
    table.insert(self.again, one.item)
    table.sort(self.again)
    self.memory = self.memory - one.memory
  end
  if not one.ready then self.bad_starts = self.bad_starts + 1 end
  if one.problem or self.bad_starts >= MOST_BAD_STARTS then self:give_up(one.problem or "they " .. how) end
end

-- Reads from workers until one has sent something or the time is over. Output that is not due yet stays in
-- the pipes when there is much of it; then its worker waits.
function Pool:wait(due, seconds)
  local list = {}
  for k, one in ipairs(self.list) do
    list[k] = one and (one.item == due or self.buffered <= MOST_BUFFERED) and one.process or false
  end
  for k, ready in ipairs(core.process.wait(list, seconds)) do
    local one = self.list[k]
    local function take(kind, bytes) self:take_message(one, kind, bytes, due) end
    if ready and not one:receive(take) then self:lost(k) end
  end
end

-- Writes what a worker has sent for an item.
function Pool:replay(i)
  for _, message in ipairs(self.output[i] or {}) do
    self.buffered = self.buffered - #message[2]
    out.replay(message[1], message[2])
  end
  self.output[i] = {}
end

--- The result of an item, which is now due: its output is written, too. Items are to be taken in order.
-- @tparam integer due
-- @treturn table what the worker's function returned; or a table with `lost`, the reason if the worker died
function Pool:take(due)
  self:replay(due)
  while self.results[due] == nil do
    self:hand_out(due)
    local waiting = self.again[1] == due or self.next == due
    if self.broken and waiting then
      if self.again[1] == due then table.remove(self.again, 1) else self.next = due + 1 end
      return self.options.here(due)
    end
    self.options.show()
    self:wait(due, STEP)
  end
  return self:taken(due)
end

function Pool:taken(i)
  self:replay(i)
  local result = self.results[i]
  self.output[i], self.results[i] = nil, nil
  return result
end

--- Lets the workers end, and waits for that.
function Pool:finish()
  for _, one in ipairs(self.list) do
    if one then one.process:end_input() end
  end
  for k, one in ipairs(self.list) do
    if one and not one.process:ended(ENDING) then one.process:stop(true) end
    self.list[k] = false
  end
end

-- Reads from workers, which get no more items, until they have ended, or are idle if `busy` is set, or the
-- time is over.
function Pool:wait_for_all(seconds, busy)
  local stop = core.process.seconds() + seconds
  local function is_waiting()
    for _, one in ipairs(self.list) do
      if one and (one.item or not busy) then return true end
    end
  end
  while is_waiting() and core.process.seconds() < stop do
    self:wait(0, math.max(stop - core.process.seconds(), 0))
  end
end

--- Stops the workers soon (Ctrl-C).
-- @tparam function each function(i, result), called in order for the items that are done and were not
--   taken; their output is written before
function Pool:stop(each)
  self.broken = true
  self:wait_for_all(FINISHING, true)
  for _, one in ipairs(self.list) do
    if one then one.process:stop(false) end
  end
  self:wait_for_all(STOPPING)
  for k, one in ipairs(self.list) do
    if one then one.process:stop(true) end
    self.list[k] = false
  end
  local done = {}
  for i, result in pairs(self.results) do
    if not result.lost then done[#done + 1] = i end
  end
  table.sort(done)
  for _, i in ipairs(done) do each(i, self:taken(i)) end
end

return workers
