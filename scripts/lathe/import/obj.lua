--- Reads Wavefront .obj: objects, or groups where there are none, with the materials of their faces.
-- @module lathe.import.obj

local fail = require "lathe.import.fail"
local matrix = require "lathe.export.matrix"
local polygon = require "lathe.import.polygon"

local obj = {}

-- ---- lines ----------------------------------------------------------------------------------------

-- The lines with their numbers. A line that ends in \ is continued; its number is that of its end.
local function lines_of(text)
  local number, at = 0, 1
  return function()
    local held
    while at <= #text do
      local stop = text:find("\n", at, true) or #text + 1
      local line = text:sub(at, text:byte(stop - 1) == 13 and stop - 2 or stop - 1)
      number, at = number + 1, stop + 1
      if line:byte(-1) ~= 92 then -- \
        if not held then return number, line end
        held[#held + 1] = line
        return number, table.concat(held)
      end
      held = held or {}
      held[#held + 1] = line:sub(1, -2)
    end
    if held then return number, table.concat(held) end
  end
end

local function check_corners(number, n)
  if n < 3 then fail.at(("line %d"):format(number), "a face of %d corners", n) end
end

--- The number of corners of all triangles; polygons count as the triangles they are split into. Reads only
-- faces.
-- @tparam string text the whole file
-- @treturn integer
-- @raise errors for `fail.catch`
function obj.corners(text)
  local total = 0
  for number, line in lines_of(text) do
    local faces = line:match "^%s*f%s+([^#]*)"
    if faces then
      local n = select(2, faces:gsub("%S+", ""))
      check_corners(number, n)
      total = total + 3 * (n - 2)
    end
  end
  return total
end

-- ---- values ---------------------------------------------------------------------------------------

local File = {}
File.__index = File

function File:fail(...) fail.at(("line %d"):format(self.number), ...) end

function File:real(word)
  local value = word and not word:find "[xX]" and tonumber(word)
  local fits = value and value >= -matrix.LARGEST and value <= matrix.LARGEST
  if not fits then
    if not word then self:fail "a number is missing" end
    self:fail("'%s' is not a number that a 32-bit float can hold", word:sub(1, 40))
  end
  return value + 0.0
end

-- Appends the numbers of a line to a list; those from `needed` on are optional.
function File:add(list, rest, needed, columns)
  local next_word = rest:gmatch "%S+"
  for i = 1, columns do
    local word = next_word()
    list[#list + 1] = (word or i <= needed) and self:real(word) or 0.0
  end
end

local NAMES = { "vertex", "texture coordinate", "normal" }

-- Resolves an index, from 1; negative ones count from the end. 0: none.
function File:index(word, kind)
  if word == "" then return 0 end
  local list = self.lists[kind]
  local count = #list // (kind == 2 and 2 or 3)
  local i = math.tointeger(tonumber(word))
  if i and i < 0 then i = count + 1 + i end
  if not i or i < 1 or i > count then self:fail("no %s %s: there are %d so far", NAMES[kind], word, count) end
  return i
end

local FEW = 1 << 21

-- ---- meshes ---------------------------------------------------------------------------------------

-- The part that the following faces belong to.
function File:part()
  if not self.current then
    self.current = { name = self.name, corners = {}, known = {}, indices = {}, triangle_materials = {} }
    self.parts[#self.parts + 1] = self.current
  end
  return self.current
end

-- The index of a corner in its mesh, from 1: identical corners are merged.
function File:corner(part, word)
  local v, bar, vt, second, vn = word:match "^(%-?%d+)(/?)(%-?%d*)(/?)(%-?%d*)$"
  if not v or bar == "" and vt .. second .. vn ~= "" or second == "" and vn ~= "" then
    self:fail("'%s' is no corner", word:sub(1, 40))
  end
  local a, b, c = self:index(v, 1), self:index(vt, 2), self:index(vn, 3)
  local key = a < FEW and b < FEW and c < FEW and a << 42 | b << 21 | c or ("%d/%d/%d"):format(a, b, c)
  local id = part.known[key]
  if not id then
    id = #part.corners + 1
    part.known[key], part.corners[id] = id, { a, b, c }
  end
  return id
end

function File:face(rest)
  local part, ids, points = self:part(), {}, {}
  local v = self.lists[1]
  for word in rest:gmatch "%S+" do
    local id = self:corner(part, word)
    local at = 3 * part.corners[id][1]
    ids[#ids + 1], points[#points + 1] = id, { v[at - 2], v[at - 1], v[at] }
  end
  check_corners(self.number, #ids)
  for i, k in ipairs(polygon.triangles(points)) do
    part.indices[#part.indices + 1] = ids[k]
    if i % 3 == 0 then part.triangle_materials[#part.triangle_materials + 1] = self.material or false end
  end
end

-- Removes a comment, which begins with #. In names # may be part of the name.
local function without_remark(read)
  return function(self, rest) read(self, rest:match "^[^#]*") end
end

local function name_of(rest)
  local name = rest:gsub("%s+$", "")
  return name ~= "" and name or nil
end

local WORDS = {
  v = without_remark(function(self, rest) self:add(self.lists[1], rest, 3, 3) end),
  vt = without_remark(function(self, rest) self:add(self.lists[2], rest, 1, 2) end),
  vn = without_remark(function(self, rest) self:add(self.lists[3], rest, 3, 3) end),
  f = without_remark(File.face),
  usemtl = function(self, rest) self.material = name_of(rest) end,
}

local function start_part(self, rest) self.name, self.current = name_of(rest), nil end

-- ---- all of it ------------------------------------------------------------------------------------

local function before(a, b)
  for k = 1, 3 do
    if a[k] ~= b[k] then return a[k] < b[k] end
  end
  return false
end

-- Sorts vertices as in the file: faces may use them in any order.
local function in_order(part)
  local order, place = {}, {}
  for i = 1, #part.corners do order[i] = i end
  table.sort(order, function(i, k) return before(part.corners[i], part.corners[k]) end)
  for i, id in ipairs(order) do place[id] = i end
  local indices = part.indices
  for i, id in ipairs(indices) do indices[i] = place[id] - 1 end
  return order
end

-- The rows of a list that corners refer to; nil if a corner has none.
local function gathered(part, order, list, kind, columns)
  local out, n = {}, 0
  for _, id in ipairs(order) do
    local row = part.corners[id][kind]
    if row == 0 then return nil end
    table.move(list, columns * (row - 1) + 1, columns * row, n + 1, out)
    n = n + columns
  end
  return out
end

local function finish(self, part)
  local order = in_order(part)
  return {
    name = part.name,
    positions = gathered(part, order, self.lists[1], 1, 3),
    uvs = gathered(part, order, self.lists[2], 2, 2),
    normals = gathered(part, order, self.lists[3], 3, 3),
    indices = part.indices,
    triangle_materials = part.triangle_materials,
    uv_origin = "bottom",
  }
end

--- The meshes of a file.
-- @tparam string text
-- @treturn {table,...} `name`, flat lists `positions`, `indices` (from 0), `normals`, `uvs`,
--   `triangle_materials` (a name or false each), `uv_origin`
-- @raise errors for `fail.catch`
function obj.parse(text)
  local self = setmetatable({ number = 0, lists = { {}, {}, {} }, parts = {} }, File)
  local divider = (text:find "^%s*o%s" or text:find "\n%s*o%s") and "o" or "g"
  for number, line in lines_of(text) do
    self.number = number
    local word, rest = line:match "^%s*(%S+)%s*(.*)$"
    local read = word == divider and start_part or WORDS[word]
    if read then read(self, rest) end
  end
  for i, part in ipairs(self.parts) do self.parts[i] = finish(self, part) end
  return self.parts
end

return obj
