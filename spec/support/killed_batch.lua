-- Kills batches with --resume at random moments, looks at what is there, resumes them, and compares with an undisturbed
-- run.

local helper = require "helper"
local lfs = require "lfs"

local killed_batch = {}

local quote = helper.quote

local function shell(line, ...) return os.execute(line:format(...)) end

local function read(path)
  local file <close> = io.open(path, "rb")
  return file and file:read "a"
end

local function output_of(line, ...)
  local p <close> = io.popen(line:format(...))
  return p:read "a"
end

-- A model of Lugaru with one triangle that is different in each file.
local function model(i)
  return (">i2i2"):pack(3, 1) .. (">fff fff fff"):pack(0, 0, 0, i, 0, 0, 0, 1.5, 0.25)
    .. (">i2i2i2i2i2i2"):pack(0, 1, 1, 2, 2, 0) .. (">fff fff"):pack(0, 1, 0, 0, 0, 1)
end

local Trial = {}
Trial.__index = Trial

function Trial:at(i) return ("%s/%d/%d.solid"):format(self.result, i % 10, i) end

function Trial:complain(...) self.wrong[#self.wrong + 1] = string.format(...) end

-- Writes the inputs again, and removes results.
function Trial:fresh()
  shell("rm -rf %s %s", quote(self.output), quote(self.manifest))
  if self.in_place or not helper.exists(self.input) then
    shell("rm -rf %s", quote(self.input))
    lfs.mkdir(self.input)
    for i = 0, 9 do lfs.mkdir(("%s/%d"):format(self.input, i)) end
    for i = 1, self.count do
      helper.write(("%s/%d/%d.solid"):format(self.input, i % 10, i), self.originals[i])
    end
  end
end

-- Each file is absent or old, or complete. Returns how many are complete.
function Trial:look()
  local done = 0
  for i = 1, self.count do
    local bytes = read(self:at(i))
    if bytes == self.results[i] then
      done = done + 1
    elseif bytes ~= (self.in_place and self.originals[i] or nil) then
      self:complain("%s is neither old nor complete", self:at(i))
    end
    local backup = self.in_place and read(self:at(i) .. ".bak")
    if backup and backup ~= self.originals[i] then self:complain("%s.bak is not the original", self:at(i)) end
  end
  return done
end

-- The processes that still run: the folder's name is in all of their command lines.
function Trial:running()
  return output_of("ps -e -o stat=,args= | grep -v '^Z' | grep -F %s | grep -v grep", quote(self.folder))
end

-- Waits until workers have noticed that the main process is gone: they finish their file.
function Trial:no_process_is_left()
  for _ = 1, 600 do
    if self:running() == "" then return end
    shell "sleep 0.1"
  end
  self:complain("still running: %s", self:running())
end

-- Starts the batch and kills its main process. True if it was still running.
function Trial:kill_after(seconds)
  local code = select(3, shell("%s >/dev/null 2>&1 & pid=$!; sleep %.4f; kill -9 $pid 2>/dev/null; wait $pid 2>/dev/null",
    self.command, seconds))
  return code == 137
end

-- What must not be there: files beside results, backups, the manifest, and temporary files that a kill left.
function Trial:others()
  local pattern = self.in_place and [[\.solid(\.bak)?$]] or [[\.solid$|/lathe-manifest\.jsonl$]]
  return output_of([[find %s -type f | grep -v -E '%s|/\.lathe-[0-9a-f]*\.tmp$']], quote(self.result), pattern)
end

function Trial:resume()
  if not shell("%s >%s 2>&1", self.command, quote(self.folder .. "/log")) then
    self:complain("resuming fails: %s", read(self.folder .. "/log"))
  end
  local done = self:look()
  if done ~= self.count then self:complain("only %d files are done after resuming", done) end
  local others = self:others()
  if others ~= "" then self:complain("other files: %s", others) end
end

function Trial:undisturbed()
  self:fresh()
  local began = tonumber(output_of "date +%%s.%%N")
  assert(shell("%s >/dev/null 2>%s", self.command, quote(self.folder .. "/log")), read(self.folder .. "/log"))
  self.seconds = tonumber(output_of "date +%%s.%%N") - began
  for i = 1, self.count do
    self.results[i] = assert(read(self:at(i)))
    assert(self.results[i] ~= self.originals[i])
  end
end

--- Kills batches. A third of those that are resumed are killed again meanwhile.
-- kills: how many batches; count: of files; way: "-o" or "--in-place".
-- Gives { wrong = what is wrong (a list), killed = how many were killed while they ran, least =, most = files that were
-- done when one was killed }.
function killed_batch.run(kills, count, way)
  local folder = helper.tmpdir()
  local self = setmetatable({
    folder = folder, count = count, in_place = way == "--in-place",
    input = folder .. "/in", output = folder .. "/out", manifest = folder .. "/manifest.jsonl",
    originals = {}, results = {}, wrong = {},
  }, Trial)
  assert(shell "command -v ps >/dev/null", "ps is not there: make setup")
  self.result = self.in_place and self.input or self.output
  local where = self.in_place and "--in-place --manifest " .. quote(self.manifest) or "-o " .. quote(self.output)
  self.command = ("%s scale 2 %s %s --resume -j 2"):format(quote(helper.build .. "/bin/lathe"), quote(self.input), where)
  for i = 1, count do self.originals[i] = model(i) end
  self:undisturbed()
  local killed, least, most = 0, count, 0
  for _ = 1, kills do
    self:fresh()
    local longest = self.seconds
    repeat
      if self:kill_after(math.random() * longest) then killed = killed + 1 end
      self:no_process_is_left()
      local done = self:look()
      least, most = math.min(least, done), math.max(most, done)
      longest = longest / 2
    until math.random() < 2 / 3
    self:resume()
  end
  return { wrong = self.wrong, killed = killed, least = least, most = most }
end

return killed_batch
