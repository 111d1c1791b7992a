--- Determines which files on the command line belong to one character: a skeleton, files bound to it, and the
-- model whose face corners its weights are for, or whose skins use its bones.
-- @module lathe.cli.commands.rig

local core = require "lathe.core"
local fail = require "lathe.import.fail"
local obj = require "lathe.import.obj"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"

local Rig = {}
Rig.__index = Rig

local rig = {}

-- The kinds of files by extension, from the capabilities of their formats.
local function read_kinds()
  local kinds = {}
  for _, format in ipairs(core.formats()) do
    local extension, can = format.extensions[1], format.can
    local kind = kinds[extension] or {}
    kinds[extension] = kind
    kind.skeleton = kind.skeleton or can.skeletons and not can.animations
    kind.any = kind.any or can.skeletons and can.animations -- the content decides
    for _, what in ipairs(core.compared_with(format.name)) do kind[what .. "_of"] = true end
  end
  return kinds
end

local KINDS, NO_KIND = read_kinds(), {}

local function kind_of(path) return KINDS[paths.kind(path)] or NO_KIND end

local function stem(path) return paths.with_extension(path) end

local function read_model(path)
  local file <close>, why = io.open(path, "rb")
  if not file then out.usage(why) end
  local corners, wrong = fail.catch(path, obj.corners, file:read "a" or "")
  if not corners then out.usage(tostring(wrong)) end
  return { path = path, corners = corners }
end

--- Extracts the models from the files on the command line.
-- @tparam {string,...} files
-- @treturn {string,...} the others
-- @treturn Rig
function rig.new(files)
  local others, models, named = {}, {}, {}
  for _, path in ipairs(files) do
    if paths.extension(path) == "obj" then
      models[#models + 1] = read_model(path)
    else
      others[#others + 1] = path
      named[path] = true
    end
  end
  if #others == 0 then out.usage "a model alone cannot be checked: name its skeleton, too" end
  return others, setmetatable({
    models = models, skeletons = {}, named = named,
    rigs = {},  -- items of files that hold only skeletons
    clips = {}, -- path -> name of the skeleton for the file's animations, or ""
  }, Rig)
end

--- Registers the files.
-- @tparam {table,...} items from `inputs.collect`
-- @tparam[opt] table found what this function returned in another process: no file is opened then
-- @treturn table plain values: what was found in the files
function Rig:learn(items, found)
  for _, item in ipairs(items) do
    local kind = kind_of(item.path)
    if kind.skeleton then self.skeletons[#self.skeletons + 1] = item end
    if not found and #items > 1 and self.named[item.path] and kind.any then self:look(item) end
  end
  if found then self.rigs, self.clips = found.rigs, found.clips end
  return { rigs = self.rigs, clips = self.clips }
end

-- Finds out whether a file has a skeleton or animations. A file with both needs no other one.
function Rig:look(item)
  local doc <close> = core.open(item.path)
  local anim, skeleton = doc and doc.animations[1], doc and doc.skeletons[1]
  if anim and not skeleton then self.clips[item.path] = anim.skeleton_name or "" end
  if skeleton and not anim then self.rigs[#self.rigs + 1] = item end
end

-- The skeleton of a document with this name, or its first one: others are ragdolls.
local function skeleton_named(doc, name)
  for _, skeleton in ipairs(doc.skeletons) do
    if skeleton.name == name then return skeleton end
  end
  return doc.skeletons[1]
end

-- Options for an animation or a model: the skeleton named with it.
function Rig:rig_options(item, name, key)
  local other = self:mate(self.rigs, item.path, true)
  if not other then return self:no_mate(self.rigs, item.path, "skeleton") end
  local doc = core.open(other.path)
  if not doc then return nil, ("%s cannot be read"):format(other.path) end
  return { [key] = skeleton_named(doc, name) }, other.path, doc
end

-- The file of the same base name; or, among files that were named one by one, the only one. Files in a folder
-- need not belong together.
function Rig:mate(list, path, alone)
  for _, other in ipairs(list) do
    if stem(other.path) == stem(path) then return other end
  end
  local only = alone and #list == 1 and self.named[path] and list[1]
  return only and (only.corners or self.named[only.path]) and only or nil
end

-- Why a file has no match although others were named; nil: it needs none.
function Rig:no_mate(list, path, what)
  for _, other in ipairs(self.named[path] and list or {}) do
    if other.corners or self.named[other.path] then
      return nil, ("no %s is called %s"):format(what, stem(paths.base(path)))
    end
  end
end

--- Options for checking a file against another one.
-- @tparam table item
-- @treturn ?table options for `doc:check`; or `bones`, a skeleton for comparing names
-- @treturn ?string the name of the other file; or why there is none although one was expected
-- @treturn ?Document the caller closes it
function Rig:options(item)
  local kind = kind_of(item.path)
  if kind.corners_of then
    local model = self:mate(self.models, item.path, #self.skeletons == 1)
    if model then return { corners = model.corners }, model.path end
    return self:no_mate(self.models, item.path, "model")
  elseif kind.skeleton_of and not kind.any then
    local other = self:mate(self.skeletons, item.path, true)
    if not other then return self:no_mate(self.skeletons, item.path, "skeleton") end
    local doc = core.open(other.path)
    if not doc then return nil, ("%s cannot be read"):format(other.path) end
    return { skeleton = doc }, other.path, doc
  elseif self.clips[item.path] then
    return self:rig_options(item, self.clips[item.path], "skeleton")
  elseif kind.bones_of and #self.rigs > 0 and self.named[item.path] then
    return self:rig_options(item, nil, "bones")
  end
end

return rig
