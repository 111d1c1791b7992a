--- Which files on a command line belong to one character: a skeleton, what is bound to it, and the
-- model (.obj) whose corners its weights are for.
-- @module lathe.cli.rig

local core = require "lathe.core"
local obj = require "lathe.obj"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"

local Rig = {}
Rig.__index = Rig

local rig = {}

local SKELETONS = { phxbn = true } -- extensions
local BOUND = { fzx = true, anm = true }

local function stem(path) return (path:gsub("%.[^./]*$", "")) end

local function read_model(path)
  local file <close>, why = io.open(path, "rb")
  if not file then out.usage(why) end
  local corners, wrong = obj.corners(file:read "a" or "")
  if not corners then out.usage(("%s: %s"):format(path, wrong)) end
  return { path = path, corners = corners }
end

--- Takes the models out of the files on a command line.
-- @tparam {string,...} files
-- @treturn {string,...} the others
-- @treturn Rig
function rig.new(files)
  local others, models = {}, {}
  for _, path in ipairs(files) do
    if paths.extension(path) == "obj" then
      models[#models + 1] = read_model(path)
    else
      others[#others + 1] = path
    end
  end
  if #others == 0 then out.usage "a model alone says nothing: name its skeleton, too" end
  return others, setmetatable({ models = models, skeletons = {}, bound = 0 }, Rig)
end

--- Learns which files there are.
-- @tparam {table,...} items as `inputs.collect` gives them
function Rig:learn(items)
  for _, item in ipairs(items) do
    local extension = paths.extension(item.path)
    if SKELETONS[extension] then self.skeletons[#self.skeletons + 1] = item end
    if BOUND[extension] then self.bound = self.bound + 1 end
  end
end

-- The one of the same name, or the only one there is where no other pairing is possible.
local function mate(list, path, alone)
  for _, other in ipairs(list) do
    if stem(other.path) == stem(path) then return other end
  end
  return alone and #list == 1 and list[1] or nil
end

--- What a file is to agree with.
-- @tparam table item
-- @treturn ?table options for `doc:check`
-- @treturn ?string the name of the other file
function Rig:options(item)
  local extension = paths.extension(item.path)
  if SKELETONS[extension] then
    local model = mate(self.models, item.path, #self.skeletons == 1)
    if model then return { corners = model.corners }, model.path end
  elseif BOUND[extension] then
    local other = mate(self.skeletons, item.path, true)
    local doc = other and core.open(other.path)
    if doc then return { skeleton = doc }, other.path end
  end
end

return rig
