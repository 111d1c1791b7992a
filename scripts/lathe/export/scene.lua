--- The content of an export: groups of meshes, one per document, cleaned for all file types.
-- @module lathe.export.scene

local core = require "lathe.core"
local geometry = require "lathe.export.geometry"
local matrix = require "lathe.export.matrix"
local paths = require "lathe.paths"
local rig = require "lathe.export.rig"

local scene = {}

--- Converts text to UTF-8: invalid text is taken for Latin-1.
-- @tparam string text
-- @treturn string
function scene.utf8(text)
  if utf8.len(text) then return text end
  return (text:gsub("[\x80-\xff]", function(byte) return utf8.char(byte:byte()) end))
end

-- ---- meshes ---------------------------------------------------------------------------------------

local function name_of(doc)
  local base = doc.path and paths.base(doc.path) or ""
  return base:match "^(.+)%.[^.]*$" or base ~= "" and base or doc.format
end

local function entry_of(doc) return { name = name_of(doc), doc = doc } end

-- Converts the argument of an export to a list of { name =, meshes = } and { name =, doc = }.
local function entries_of(what)
  if rig.is_part(what) then return { { name = what.name, part = what } } end
  if core.type(what) then return { entry_of(what) } end
  if type(what) ~= "table" then error("a document or a list of meshes expected, got " .. type(what), 0) end
  local entries, alone = {}, nil
  for _, item in ipairs(what) do
    if rig.is_part(item) then
      entries[#entries + 1] = { name = item.name, part = item }
      alone = nil
    elseif core.type(item) or type(item) == "table" and item.meshes then
      entries[#entries + 1] = core.type(item) and entry_of(item) or { name = item.name, meshes = item.meshes }
      alone = nil
    elseif type(item) == "table" then
      if not alone then
        alone = { meshes = {} }
        entries[#entries + 1] = alone
      end
      table.insert(alone.meshes, item)
    else
      error("a list of meshes expected, with a " .. type(item) .. " in it", 0)
    end
  end
  return entries
end

local Scene = {}
Scene.__index = Scene

-- The attributes that `bake` changes.
local BAKED = { "positions", "normals", "tangents", "indices" }

-- Applies a transform that is not a translation, rotation and scale to the vertices. The shared object stays
-- unchanged: this part gets its own lists.
local function bake(part, m)
  for _, name in ipairs(part.object and BAKED or {}) do
    part[name] = part[name] and table.move(part[name], 1, #part[name], 1, {})
  end
  part.object = nil
  local normal = matrix.for_normals(m)
  for i = 1, 3 * part.count, 3 do
    local p, n = part.positions, part.normals
    p[i], p[i + 1], p[i + 2] = matrix.point(m, p[i], p[i + 1], p[i + 2])
    if n then n[i], n[i + 1], n[i + 2] = matrix.direction(normal, n[i], n[i + 1], n[i + 2]) end
  end
  for i = 1, part.tangents and #part.tangents or 0, 4 do
    local t = part.tangents
    t[i], t[i + 1], t[i + 2] = matrix.direction(m, t[i], t[i + 1], t[i + 2])
  end
  if matrix.determinant(m) < 0 then
    geometry.reverse(part.indices)
    for i = 4, part.tangents and #part.tangents or 0, 4 do part.tangents[i] = -part.tangents[i] end
  end
  geometry.refresh(part)
end

local function place(part, mesh, say)
  local m = mesh.node_transform or mesh.transform or matrix.IDENTITY
  if not matrix.is_affine(m) then return "its transform is not a valid affine matrix" end
  if math.abs(matrix.determinant(m)) < 1e-30 then return "its transform flattens it" end
  part.transform = m
  if part.bones then return nil end -- bones replace the transform
  part.trs = matrix.decompose(m)
  if not part.trs then
    bake(part, m)
    if not geometry.is_finite(part) then return "its transform is not a valid affine matrix" end
    part.transform, part.trs = matrix.IDENTITY, matrix.decompose(matrix.IDENTITY)
    say "its transform shears, and was applied to its vertices"
  end
end

function Scene:group(entry, mesh)
  local up, metres = mesh.up or "y", mesh.metres
  if up ~= "y" and up ~= "z" then error("up of a mesh is 'y' or 'z'", 0) end
  if entry.group then return entry.group end
  local last = self.groups[#self.groups]
  if last and last.entry == entry and last.up == up and last.metres == metres then return last end
  local group = { entry = entry, name = entry.name, up = up, metres = metres, parts = {} }
  self.groups[#self.groups + 1] = group
  return group
end

local function text_or_nil(text)
  return type(text) == "string" and text ~= "" and text or nil
end

-- The geometry of a mesh with its material; nil and a reason if there is none.
local function shape_of(mesh, say, leave_out)
  local part, why = geometry.part(mesh, say, leave_out)
  if not part then return nil, why end
  part.material, part.surface = text_or_nil(mesh.material), mesh.surface
  part.v_up, part.source = mesh.uv_origin == "bottom", mesh.source
  return part
end

-- An object that is drawn in several places: its meshes from the second on have no buffers, and use those of
-- the first part. If it cannot be drawn, this is reported once.
local function instance_of(entry, mesh, label, say, leave_out)
  entry.objects = entry.objects or {}
  local object = entry.objects[mesh.object]
  if mesh.positions or not object then
    local told = {}
    local shape, why = shape_of(mesh, say, leave_out)
    if why then
      told = { path = label, reason = why, instances = 0 }
      leave_out(told)
    end
    object = { told = told, meta = shape and { __index = shape } }
    entry.objects[mesh.object] = object
  end
  if object.meta then return setmetatable({ object = object }, object.meta) end
  object.told.instances = object.told.instances + 1
  return nil
end

function Scene:add(entry, mesh, label, said)
  if type(mesh) ~= "table" then error("a list of meshes expected, with a " .. type(mesh) .. " in it", 0) end
  local function into(list)
    return function(reason)
      list[#list + 1] = type(reason) == "table" and reason or { path = label, reason = reason }
    end
  end
  local say, leave_out = into(said.notes), into(said.skipped)
  local part, why
  if mesh.object then
    part = instance_of(entry, mesh, label, say, leave_out)
    if not part then return end
  else
    part, why = shape_of(mesh, say, leave_out)
  end
  why = why or place(part, mesh, say)
  if why then return leave_out(why) end
  part.name = text_or_nil(mesh.name)
  if self.place_of then part.place, part.also, part.array = self.place_of(entry.doc, mesh) end
  said.meshes, said.triangles = said.meshes + 1, said.triangles + #part.indices // 3
  table.insert(self:group(entry, mesh).parts, part)
end

local function label_in(entry, label, several)
  return several and entry.name and entry.name .. ": " .. label or label
end

local function label_of(entry, mesh, i, several)
  if type(mesh) == "table" and mesh.path and mesh.object then return label_in(entry, mesh.path, several) end
  local name = type(mesh) == "table" and text_or_nil(mesh.name)
  return label_in(entry, ("mesh %d%s"):format(i, name and " '" .. name .. "'" or ""), several)
end

-- The default kind: collision for files without visible geometry.
local function kind_of(doc)
  for _, format in ipairs(core.formats()) do
    if format.name == doc.format then
      return not format.can.meshes and format.can.bodies and "collision" or "geometry"
    end
  end
end

-- Adds a document. Objects drawn in several places that cannot be read are skipped; nil and an error if
-- something else cannot.
function Scene:add_document(entry, several, said)
  local left_out = {}
  local ok, next_mesh = pcall(entry.doc.meshes, entry.doc,
    { what = self.kind or kind_of(entry.doc), lod = self.lod, once = true, left_out = left_out })
  if not ok then return nil, next_mesh end
  for i = 1, math.huge do
    local fine, mesh = pcall(next_mesh)
    if not fine then return nil, mesh end
    if not mesh then break end
    self:add(entry, mesh, label_of(entry, mesh, i, several), said)
  end
  for _, one in ipairs(left_out) do
    one.path = label_in(entry, one.path or "meshes", several)
    table.insert(said.skipped, one)
  end
  return true
end

-- The group with the animated bones: clips and skeletons of all documents are added there, and the meshes of
-- one.
function Scene:rig_group(entry)
  if not self.rig then
    self.rig = { entry = entry, name = entry.name, parts = {}, rig = rig.new(self.skeleton, self.plain) }
    self.groups[#self.groups + 1] = self.rig
  end
  return self.rig
end

function Scene:add_rig(entry, several, said)
  local group = self:rig_group(entry)
  local function note(reason)
    table.insert(said.notes, { path = label_in(entry, "clips", several), reason = reason })
  end
  local added, err = group.rig:add(entry, said, note)
  if not added then return nil, err end
  local skeleton = group.rig.skeleton
  group.up, group.metres = skeleton.up or "y", skeleton.metres
  if not self.mesh then return true end
  local mesh = self.mesh
  self.mesh = nil
  mesh.group = group
  return self:add_entry(mesh, several, said)
end

function Scene:add_entry(entry, several, said)
  if self.rigs and not entry.group and rig.is_entry(entry) then return self:add_rig(entry, several, said) end
  if entry.doc then return self:add_document(entry, several, said) end
  for i, mesh in ipairs(entry.meshes) do
    self:add(entry, mesh, label_of(entry, mesh, i, several), said)
  end
  return true
end

-- Merges the notes of instances with the same reason, with their number.
local function counted(skipped)
  for _, one in ipairs(skipped) do
    if (one.instances or 1) > 1 then one.reason = ("%s (%d instances)"):format(one.reason, one.instances) end
  end
end

-- The factor from the units of a group to those of the file.
local function factor_of(group, scale)
  if scale ~= "metres" then return scale end
  local metres = group.metres
  if type(metres) == "number" and metres > 0 and metres < math.huge then return metres end
  return nil, ("the length of a unit%s is not known: give the scale as a number")
    :format(group.name and " in " .. group.name or "")
end

-- A quarter turn about x that moves z to y: as a quaternion, and as a matrix without rounding.
local HALF = math.sqrt(0.5)
local TURN = { -HALF, 0, 0, HALF }
local TURNED = { 1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1 }

local function to_file(group, factor)
  local turned = group.up == "z"
  group.trs = { t = { 0, 0, 0 }, q = turned and TURN or { 0, 0, 0, 1 }, s = { factor, factor, factor } }
  group.transform = {}
  for i, v in ipairs(turned and TURNED or matrix.IDENTITY) do
    group.transform[i] = i < 16 and v ~= 0 and factor * v or v
  end
end

-- Removes the groups behind the first ones.
function Scene:cut(groups)
  for i = #self.groups, groups + 1, -1 do
    if self.groups[i] == self.rig then self.rig = nil end
    self.groups[i] = nil
  end
end

--- Adds a document, a list of meshes, or a list of documents and `{ name =, meshes = }`.
-- @param what
-- @treturn ?table `meshes`, `triangles`, `clips`, `bones`, and lists of `path` and `reason`: `skipped`,
--   `notes`
-- @return the error
function Scene:include(what)
  local entries = entries_of(what)
  local said = { meshes = 0, triangles = 0, clips = 0, bones = 0, skipped = {}, notes = {} }
  local before = #self.groups
  for _, entry in ipairs(entries) do
    local added, err = self:add_entry(entry, #entries > 1, said)
    if not added then
      self:cut(before)
      return nil, err
    end
  end
  for i = before + 1, #self.groups do
    local factor, why = factor_of(self.groups[i], self.scale)
    if not factor then
      self:cut(before)
      return nil, why
    end
    to_file(self.groups[i], factor)
  end
  counted(said.skipped)
  return said
end

--- Enables the export of clips and skeletons.
-- @tparam table opts `skeleton`: the skeleton of clips whose documents have none; `mesh`: a document or a
--   list of meshes to bind to the skeleton
function Scene:allow_rigs(opts)
  self.rigs, self.skeleton = true, opts.skeleton
  if opts.mesh then self.mesh = core.type(opts.mesh) and entry_of(opts.mesh) or { meshes = opts.mesh } end
end

--- Creates an empty scene.
-- @tparam number|string scale a factor, or "metres"
-- @tparam[opt] string kind "geometry" or "collision", for documents; default: geometry, if the format has any
-- @tparam[opt] integer lod for documents: bands of detail 0 to lod; default: all
-- @treturn Scene with `groups` of `parts`, each with `name`, `trs` and `transform` to a space where y is up.
--   Parts with the same `object` differ in these alone. If its field `place_of` is set to a function, it is
--   called with the document and a mesh, and returns the path of what draws the mesh, a list of further paths
--   of it, and the path of the array that has its triangles
function scene.new(scale, kind, lod)
  return setmetatable({ groups = {}, scale = scale, kind = kind, lod = lod }, Scene)
end

return scene
