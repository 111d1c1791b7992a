--- Wavefront .obj with a .mtl: all transforms applied, y up, v from the bottom.
-- @module lathe.export.obj

local geometry = require "lathe.export.geometry"
local matrix = require "lathe.export.matrix"
local scene = require "lathe.export.scene"
local skin = require "lathe.export.skin"

local obj = {}

-- ---- names ----------------------------------------------------------------------------------------

-- Replaces characters of a name: most readers end a name at a blank, and some take # for a comment.
local function plain(name, default)
  name = scene.utf8(name or ""):gsub("[%c%s#]+", "_")
  return name ~= "" and name or default
end

-- Makes a name unique; `taken` stores the last number for each name.
local function unique(taken, name)
  local given = name
  while taken[given] do
    taken[name] = taken[name] + 1
    given = ("%s_%d"):format(name, taken[name])
  end
  taken[given] = 1
  return given
end

-- ---- places ---------------------------------------------------------------------------------------

local function blend(mats, part, v)
  local m = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
  local held = false
  for k = 4 * v + 1, 4 * v + 4 do
    local w = part.weights[k]
    if w > 0 then
      local bone = mats[part.joints[k] + 1]
      for i = 1, 16 do m[i] = m[i] + w * bone[i] end
      held = true
    end
  end
  return held and m or nil
end

-- The transform of vertex v from the mesh's space to the file's.
local function mover(group, part)
  local fixed = matrix.mul(group.transform, part.transform)
  if not part.bones then return function() return fixed end end
  local mats = {}
  for i, bone in ipairs(part.bones) do
    mats[i] = matrix.mul(group.transform, skin.posed(bone) or part.transform)
  end
  return function(v) return blend(mats, part, v) or fixed end
end

-- Positions and normals in the file's space, and triangles with the right winding there.
local function placed(group, part)
  local at, mirrored = mover(group, part), 0
  local p, n = part.positions, part.normals
  local out = { count = part.count, positions = {}, normals = n and {} }
  local last, upright
  for v = 0, part.count - 1 do
    local i, m = 3 * v + 1, at(v)
    local q = out.positions
    q[i], q[i + 1], q[i + 2] = matrix.point(m, p[i], p[i + 1], p[i + 2])
    if m ~= last then
      last, upright = m, matrix.for_normals(m)
      if matrix.determinant(m) < 0 then mirrored = mirrored + 1 end
    elseif mirrored > 0 then
      mirrored = mirrored + 1
    end
    if n then
      local t = out.normals
      t[i], t[i + 1], t[i + 2] = matrix.direction(upright, n[i], n[i + 1], n[i + 2])
    end
  end
  out.indices = table.move(part.indices, 1, #part.indices, 1, {})
  if mirrored > part.count / 2 then geometry.reverse(out.indices) end
  geometry.refresh(out)
  return out
end

-- ---- lines ----------------------------------------------------------------------------------------

local function rows(lines, word, list, columns)
  local form = word .. (" %.9g"):rep(columns)
  for i = 1, #list, columns do
    lines[#lines + 1] = form:format(table.unpack(list, i, i + columns - 1))
  end
end

local function from_bottom(part)
  if part.v_up then return part.uvs end
  local uvs = {}
  for i = 1, #part.uvs, 2 do uvs[i], uvs[i + 1] = part.uvs[i], 1 - part.uvs[i + 1] end
  return uvs
end

-- Writes faces. Numbers of vertices, texture coordinates and normals are counted separately through the whole
-- file.
local function faces(lines, indices, part, base)
  local form = part.uvs and (part.normals and "%d/%d/%d" or "%d/%d") or part.normals and "%d//%d" or "%d"
  local function corner(v)
    if part.uvs then return form:format(base.v + v, base.vt + v, base.vn + v) end
    return form:format(base.v + v, base.vn + v)
  end
  for i = 1, #indices, 3 do
    lines[#lines + 1] = ("f %s %s %s"):format(corner(indices[i]), corner(indices[i + 1]),
      corner(indices[i + 2]))
  end
end

local function move_on(base, part)
  base.v = base.v + part.count
  if part.uvs then base.vt = base.vt + part.count end
  if part.normals then base.vn = base.vn + part.count end
end

-- ---- materials ------------------------------------------------------------------------------------

-- The keys of maps in an .mtl by role, in file order.
local MAPS = { { "base_color", "map_Kd" }, { "normal", "map_Bump" }, { "emissive", "map_Ke" } }

local function colour(lines, word, list)
  lines[#lines + 1] = ("%s %.9g %.9g %.9g"):format(word, list[1] or 0, list[2] or 0, list[3] or 0)
end

local function looks_of(surface)
  local lines = {}
  surface = surface or {}
  colour(lines, "Kd", surface.base_color or { 1, 1, 1 })
  local light = surface.emissive
  if light and (light[1] ~= 0 or light[2] ~= 0 or light[3] ~= 0) then colour(lines, "Ke", light) end
  local alpha = surface.alpha == "blend" and surface.base_color and surface.base_color[4] or 1
  if alpha < 1 then lines[#lines + 1] = ("d %.9g"):format(alpha) end
  for _, map in ipairs(MAPS) do
    local path = surface.textures and surface.textures[map[1]]
    if path and path ~= "" then
      lines[#lines + 1] = map[2] .. " " .. scene.utf8(path):gsub("\\", "/"):gsub("%c", "_")
    end
  end
  return table.concat(lines, "\n")
end

local Materials = {}
Materials.__index = Materials

local function has_material(part) return part.material or part.surface or part.made_of end

-- Whether any part has a material. The others need one too then, because a face gets the last material before
-- it.
local function any_material(what)
  for _, group in ipairs(what.groups) do
    for _, part in ipairs(group.parts) do
      if has_material(part) then return true end
    end
  end
  return false
end

-- A name for a material. The same name with another appearance becomes another one.
function Materials:name(material, surface)
  local looks = looks_of(surface)
  local key = (material or surface and "\0" or "") .. "\0" .. looks
  if not self.names[key] then
    self.names[key] = unique(self.taken, plain(material, surface and "material" or "none"))
    self.lines[#self.lines + 1] = ("newmtl %s\n%s\n"):format(self.names[key], looks)
  end
  return self.names[key]
end

--- The bytes of an .obj, and of its .mtl.
-- @tparam table what from `lathe.export.scene`
-- @tparam string library the name of the .mtl
-- @tparam string generator for the first line
-- @treturn string
-- @treturn ?string nil: there are no materials
function obj.encode(what, library, generator)
  local lines, base, taken = {}, { v = 1, vt = 1, vn = 1 }, {}
  local materials = setmetatable({ names = {}, taken = {}, lines = {} }, Materials)
  local with = any_material(what)
  for _, group in ipairs(what.groups) do
    for _, part in ipairs(group.parts) do
      local out = placed(group, part)
      lines[#lines + 1] = "o " .. unique(taken, plain(part.name or group.name, "mesh"))
      if group.name then lines[#lines + 1] = "g " .. plain(group.name, "mesh") end
      rows(lines, "v", out.positions, 3)
      if part.uvs then rows(lines, "vt", from_bottom(part), 2) end
      if out.normals then rows(lines, "vn", out.normals, 3) end
      for _, run in ipairs(geometry.runs(part, out.indices)) do
        if with then lines[#lines + 1] = "usemtl " .. materials:name(run.material, part.surface) end
        faces(lines, run.indices, part, base)
      end
      move_on(base, part)
    end
  end
  local head = "# " .. generator .. "\n"
  if with then table.insert(lines, 1, "mtllib " .. library) end
  lines[#lines + 1] = ""
  return head .. table.concat(lines, "\n"), with and head .. table.concat(materials.lines, "\n") or nil
end

return obj
