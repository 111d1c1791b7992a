--- Collects a skeleton and the clips for it from documents and tables.
-- @module lathe.export.rig

local clip = require "lathe.export.clip"
local core = require "lathe.core"
local nodes = require "lathe.export.nodes"

local Rig = {}
Rig.__index = Rig

local rig = {}

local SHOWN = 8 -- maximum number of names in a message
local VIEWS = { animation = true, skeleton = true }

--- Whether a value is a clip or a skeleton without its document: a view, or a table.
-- @param what
-- @treturn boolean
function rig.is_part(what)
  if VIEWS[core.type(what)] then return true end
  return type(what) == "table" and not core.type(what) and (what.samples ~= nil or what.bones ~= nil)
end

--- Whether an entry of a scene contains clips or skeletons.
-- @tparam table entry
-- @treturn boolean
function rig.is_entry(entry)
  if entry.part then return true end
  return entry.doc ~= nil and (#entry.doc.animations > 0 or #entry.doc.skeletons > 0)
end

-- Adds a given skeleton, or the bones of a given scene.
local function sort_out(one, to)
  local kind = core.type(one)
  if not kind or kind == "skeleton" or #one.skeletons > 0 then
    to.given = to.given or one
    return
  end
  to.placed = to.placed or {}
  for key, node in pairs(nodes.of(one)) do to.placed[key] = to.placed[key] or node end
end

--- Creates an empty rig.
-- @param skeleton the skeleton of all clips: see `clip.skeleton`; a model whose nodes have more bones; a list
--   of both; nil: from the clips
-- @tparam boolean plain whether tracks without a skeleton are enough
-- @treturn Rig `skeleton`, `clips`, `placed`
function rig.new(skeleton, plain)
  local self = setmetatable({ plain = plain, clips = {}, names = {} }, Rig)
  local is_list = type(skeleton) == "table" and not core.type(skeleton) and not skeleton.bones
  for _, one in ipairs(is_list and skeleton or { skeleton }) do sort_out(one, self) end
  return self
end

-- A skeleton of unconnected bones, posed as in the first frame: for clips in model space without a skeleton.
local function loose_skeleton(one)
  local bones = {}
  for i, name in ipairs(one.bones) do
    local row = one.frame_count > 0 and { one.samples:row(i) } or { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 }
    bones[i] = { name = name, parent = -1, pose = {
      t = { table.unpack(row, 1, 3) }, q = { table.unpack(row, 4, 7) }, s = { table.unpack(row, 8, 10) },
    } }
  end
  return { bones = bones, up = "y" }
end

local function clips_of(entry, given)
  local part = entry.part
  if not part then return clip.all(entry.doc, { skeleton = given, name = entry.name }) end
  if core.type(part) == "animation" then
    local one, err = clip.of(part, { skeleton = given, name = entry.name })
    if not one then return nil, err end
    return { one }
  end
  return { part.samples and part or nil }
end

local function skeleton_of(entry, given, clips)
  if given then return clip.skeleton(given) end
  for _, one in ipairs(clips) do
    if one.skeleton then return one.skeleton end
    if one.absolute then return loose_skeleton(one) end
  end
  if entry.doc then return clip.skeleton(entry.doc) end
  return not entry.part.samples and core.type(entry.part) ~= "animation" and clip.skeleton(entry.part) or nil
end

-- A unique name for a clip.
local function name_of(self, one)
  local base = one.name and one.name ~= "" and one.name or "clip"
  local name, n = base, 1
  while self.names[name] do
    n = n + 1
    name = ("%s %d"):format(base, n)
  end
  self.names[name] = true
  return name
end

-- Notes tracks without a bone in the skeleton; nil and a reason if all are.
local function note_unknown(self, one, known, note)
  local unknown, n = {}, 0
  for _, name in ipairs(one.bones) do
    if not known[name] then
      n = n + 1
      if n <= SHOWN then unknown[n] = ("'%s'"):format(name) end
    end
  end
  if n > 0 and n == #one.bones then
    return nil, ("clip '%s' moves no bone of the skeleton '%s': it is another one's")
      :format(one.name, self.skeleton.name or "")
  end
  if n > SHOWN then unknown[#unknown + 1] = ("%d more"):format(n - SHOWN) end
  if n > 0 then
    note(("clip '%s' moves what the skeleton does not have: %s")
      :format(one.name, table.concat(unknown, ", ")))
  end
  return true
end

--- Adds the clips of an entry, or its skeleton if it has no clips.
-- @tparam table entry
-- @tparam table said whose counts grow
-- @tparam function note receives notes
-- @treturn ?boolean
-- @return why not
function Rig:add(entry, said, note)
  local clips, err = clips_of(entry, self.given)
  if not clips then return nil, err end
  if not self.skeleton then
    self.skeleton = skeleton_of(entry, self.given, clips) or self.plain and loose_skeleton(clips[1])
    if not self.skeleton then
      return nil, "its tracks have no bone names: give a skeleton (--skeleton FILE)"
    end
    said.bones = #self.skeleton.bones
  end
  local known = {}
  for _, bone in ipairs(self.skeleton.bones) do known[bone.name] = true end
  for _, one in ipairs(clips) do
    one = setmetatable({ name = name_of(self, one) }, { __index = one })
    local fits, why = note_unknown(self, one, known, note)
    if not fits then return nil, why end
    self.clips[#self.clips + 1] = one
  end
  said.clips = said.clips + #clips
  return true
end

return rig
