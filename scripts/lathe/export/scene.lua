--- What is exported: groups of meshes, one a document, put right for files of any kind.
-- @module lathe.export.scene

local core = require "lathe.core"
local geometry = require "lathe.export.geometry"
local matrix = require "lathe.export.matrix"
local paths = require "lathe.paths"

local scene = {}

--- Text as UTF-8: what is none is taken for Latin-1, byte by byte.
-- @tparam string text
-- @treturn string
function scene.utf8(text)
  if utf8.len(text) then return text end
  return (text:gsub("[\x80-\xff]", function(byte) return utf8.char(byte:byte()) end))
end

-- ---- meshes ---------------------------------------------------------------------------------------

-- Meshes of a document; nil and an error where it has none or they cannot be worked out.
local function meshes_of(doc, kind)
  local list = {}
  local ok, next_mesh = pcall(doc.meshes, doc, { what = kind })
  if not ok then return nil, next_mesh end
  while true do
    local fine, mesh = pcall(next_mesh)
    if not fine then return nil, mesh end
    if not mesh then return list end
    list[#list + 1] = mesh
  end
end

local function name_of(doc)
  local base = doc.path and paths.base(doc.path) or ""
  return base:match "^(.+)%.[^.]*$" or base ~= "" and base or doc.format
end

-- A list of { name =, meshes = } of whatever may be exported.
local function entries_of(what, kind)
  if core.type(what) then
    local meshes, err = meshes_of(what, kind)
    if not meshes then return nil, err end
    return { { name = name_of(what), meshes = meshes } }
  elseif type(what) ~= "table" then
    error("a document or a list of meshes expected, got " .. type(what), 0)
  end
  local entries, alone = {}, nil
  for _, item in ipairs(what) do
    if core.type(item) or type(item) == "table" and item.meshes then
      local list, err = item.meshes, nil
      if core.type(item) then list, err = meshes_of(item, kind) end
      if not list then return nil, err end
      entries[#entries + 1] = { name = core.type(item) and name_of(item) or item.name, meshes = list }
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

-- A transform that is no translation, rotation and scale is applied to what it moves.
local function bake(part, m)
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
  if not matrix.is_affine(m) then return "its transform is none" end
  if math.abs(matrix.determinant(m)) < 1e-30 then return "its transform flattens it" end
  part.transform = m
  if part.bones then return nil end -- they take its place
  part.trs = matrix.decompose(m)
  if not part.trs then
    bake(part, m)
    if not geometry.is_finite(part) then return "its transform is none" end
    part.transform, part.trs = matrix.IDENTITY, matrix.decompose(matrix.IDENTITY)
    say "its transform shears, and was applied to its vertices"
  end
end

function Scene:group(entry, mesh)
  local up, metres = mesh.up or "y", mesh.metres
  if up ~= "y" and up ~= "z" then error("up of a mesh is 'y' or 'z'", 0) end
  local last = self.groups[#self.groups]
  if last and last.entry == entry and last.up == up and last.metres == metres then return last end
  local group = { entry = entry, name = entry.name, up = up, metres = metres, parts = {} }
  self.groups[#self.groups + 1] = group
  return group
end

local function text_or_nil(text)
  return type(text) == "string" and text ~= "" and text or nil
end

function Scene:add(entry, mesh, label, said)
  if type(mesh) ~= "table" then error("a list of meshes expected, with a " .. type(mesh) .. " in it", 0) end
  local function into(list)
    return function(reason) list[#list + 1] = { path = label, reason = reason } end
  end
  local say, leave_out = into(said.notes), into(said.skipped)
  local part, why = geometry.part(mesh, say, leave_out)
  why = why or place(part, mesh, say)
  if why then return leave_out(why) end
  part.name, part.material, part.surface = text_or_nil(mesh.name), text_or_nil(mesh.material), mesh.surface
  part.v_up = mesh.uv_origin == "bottom"
  said.meshes, said.triangles = said.meshes + 1, said.triangles + #part.indices // 3
  table.insert(self:group(entry, mesh).parts, part)
end

local function label_of(entry, mesh, i, several)
  local name = type(mesh) == "table" and text_or_nil(mesh.name)
  local label = ("mesh %d%s"):format(i, name and " '" .. name .. "'" or "")
  return several and entry.name and entry.name .. ": " .. label or label
end

-- From the units of a group to those of the file.
local function factor_of(group, scale)
  if scale ~= "metres" then return scale end
  local metres = group.metres
  if type(metres) == "number" and metres > 0 and metres < math.huge then return metres end
  return nil, ("the length of a unit%s is not known: give the scale as a number")
    :format(group.name and " in " .. group.name or "")
end

-- A quarter turn about x makes z point up where y did: as a quaternion, and as a matrix without its
-- rounding.
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

--- Adds a document, a list of meshes, or a list of documents and `{ name =, meshes = }`.
-- @param what
-- @treturn ?table `meshes`, `triangles`, and lists of `path` and `reason`: `skipped`, `notes`
-- @return the error
function Scene:include(what)
  local entries, err = entries_of(what, self.kind)
  if not entries then return nil, err end
  local said = { meshes = 0, triangles = 0, skipped = {}, notes = {} }
  local before = #self.groups
  for _, entry in ipairs(entries) do
    for i, mesh in ipairs(entry.meshes) do
      self:add(entry, mesh, label_of(entry, mesh, i, #entries > 1), said)
    end
  end
  for i = before + 1, #self.groups do
    local factor, why = factor_of(self.groups[i], self.scale)
    if not factor then
      table.move(self.groups, #self.groups + 1, 2 * #self.groups - before, before + 1)
      return nil, why
    end
    to_file(self.groups[i], factor)
  end
  return said
end

--- An empty scene.
-- @tparam number|string scale a factor, or "metres"
-- @tparam[opt] string kind "geometry" or "collision", of documents
-- @treturn Scene with `groups` of `parts`, each with `name`, `trs` and `transform` to a space where y is
--   up
function scene.new(scale, kind)
  return setmetatable({ groups = {}, scale = scale, kind = kind }, Scene)
end

return scene
