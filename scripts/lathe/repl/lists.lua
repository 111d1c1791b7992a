--- What lists, arrays and buffers have for columns at the prompt.
-- @module lathe.repl.lists

local core = require "lathe.core"
local columns = require "lathe.repl.columns"
local members = require "lathe.members"
local schema = require "lathe.tree.schema"
local text = require "lathe.tree.text"
local tokens = require "lathe.repl.tokens"
local turns = require "lathe.repl.turns"
local values = require "lathe.repl.values"

local lists = {}

local COMPARED = 30 -- elements that must be of one type
local LANES_OF_POSE = 10 -- translation 3, rotation 4, scale 3

-- ---- cells -------------------------------------------------------------------------------------------

local function numbers(...)
  local parts = { ... }
  for i, value in ipairs(parts) do parts[i] = columns.number(value) end
  return parts
end

local function vector_cell(view, rows)
  local parts = {}
  for i, row in ipairs(rows) do parts[i] = columns.number(view[row.name], row.type) end
  return parts
end

-- What a reference leads to: its name, else its path.
local function reference(value)
  if not value then return "" end
  local name = values.member(value, "name")
  if type(name) == "string" and name ~= "" then return text.quote(name) end
  local ok, path = pcall(core.path, value)
  return ok and path ~= "" and "-> " .. path or tostring(value)
end

local function scalar_cell(value, row)
  if math.type(value) == "float" then return columns.number(value) end
  return text.scalar(value, row)
end

-- The cell of a field; nil where it is absent.
local function cell_of(value, row, cache)
  local kind = core.type(value)
  if value == nil then return nil end
  if kind == "array" then return #value > 0 and ("[%d]"):format(#value) or nil end
  if row.ref then return reference(value) end
  if kind == nil then return scalar_cell(value, row) end
  if kind == "buffer" then return nil end
  if cache:is_vector(value) then return vector_cell(value, cache:rows(value)) end
  return ""
end

-- ---- records -----------------------------------------------------------------------------------------

-- Whether the elements that are shown have the same fields.
local function are_alike(item, first, last)
  local kind = core.type(item(first))
  for i = first + 1, math.min(last, first + COMPARED) do
    if core.type(item(i)) ~= kind then return false end
  end
  return kind ~= nil
end

local function record_columns(record, cache)
  local list = {}
  if cache:is_vector(record) then
    for _, row in ipairs(cache:rows(record)) do
      list[#list + 1] = { name = row.name, unit = row.unit, get = function(item)
        return columns.number(item[row.name], row.type)
      end }
    end
    return list
  end
  local hidden = cache:defaults(record)
  for _, row in ipairs(cache:listed_rows(record)) do
    if not hidden[row.name] and not row.count then
      local place = row.name == "name" and 1 or #list + 1
      table.insert(list, place, { name = row.name, unit = row.unit, get = function(item)
        return cell_of(schema.value(item, row.name, row), row, cache)
      end })
    end
  end
  return list
end

-- For elements of several types: what each is called, what it is, and where.
local function mixed_columns()
  return {
    { name = "name", get = function(item)
      local name = values.member(item, "name")
      return type(name) == "string" and text.quote(name) or nil
    end },
    { name = "type", get = function(item) return core.type(item) or type(item) end },
    { name = "place", get = function(item) return core.path(item) end },
  }
end

-- ---- objects -----------------------------------------------------------------------------------------

-- The columns of objects that are no records: members with simple values; of lists their length.
local function member_columns(kind)
  local list = {}
  for _, member in ipairs(members.of(kind).members) do
    if member.kind == "field" and member.name ~= "source" then
      list[#list + 1] = { name = member.name, unit = member.doc:match "%[(.-)%]", get = function(item)
        local value = values.member(item, member.name)
        local is_list = core.type(value) == "list" or core.type(value) == "copy" or type(value) == "table"
        if is_list then return tostring(#value) end
        if core.type(value) or value == nil then return nil end
        return scalar_cell(value)
      end }
    end
  end
  return list
end

-- The columns of a translation, a rotation and, if it is not 1 everywhere, a scale. at(item, i) gives the ten
-- numbers.
local function pose_columns(at, is_scaled)
  local list = {
    { name = "t", get = function(...)
      local x, y, z = at(...)
      return numbers(x, y, z)
    end },
    { name = "q", get = function(...)
      local _, _, _, x, y, z, w = at(...)
      return numbers(x, y, z, w)
    end },
    { name = "turn", unit = "degrees about x y z", get = function(...)
      local _, _, _, x, y, z, w = at(...)
      return turns.texts(x, y, z, w)
    end },
  }
  if is_scaled then
    list[#list + 1] = { name = "s", get = function(...) return numbers(select(8, at(...))) end }
  end
  return list
end

local function bone_columns(list)
  local function at(bone)
    local pose = bone.pose
    local t, q, s = pose.t, pose.q, pose.s
    return t.x, t.y, t.z, q.x, q.y, q.z, q.w, s.x, s.y, s.z
  end
  local scaled = false
  for i = 1, math.min(#list, COMPARED) do
    local s = list[i].pose.s
    scaled = scaled or s.x ~= 1 or s.y ~= 1 or s.z ~= 1
  end
  local result = {
    { name = "name", get = function(bone) return bone.name and text.quote(bone.name) end },
    { name = "parent", get = function(bone)
      local parent = bone.parent >= 0 and list[bone.parent + 1]
      return parent and (parent.name and text.quote(parent.name) or tostring(bone.parent)) or "-"
    end },
  }
  return table.move(pose_columns(at, scaled), 1, scaled and 4 or 3, 3, result)
end

-- Transitions by where they lead.
local function transition_columns()
  local function name_of(item, field)
    local state = values.member(item, field)
    return state and reference(state) or nil
  end
  return {
    { name = "from", get = function(item) return name_of(item, "from") or "every state" end },
    { name = "event", get = function(item)
      local event = values.member(item, "event")
      return type(event) == "string" and text.quote(event) or event and tostring(event) or nil
    end },
    { name = "to", get = function(item) return name_of(item, "to") end },
    { name = "machine", get = function(item) return name_of(item, "machine") end },
  }
end

local function list_columns(list, first, cache)
  local item = list[first]
  local kind = core.type(item)
  if kind == "bone" then return bone_columns(list) end
  if members.of(kind) then return member_columns(kind) end
  local is_transition = pcall(function() return item.to, item.event, item.from_nested_state_id end)
  if is_transition then return transition_columns() end
  local function at(i) return list[i] end
  if are_alike(at, first, first + #list - 1) then return record_columns(item, cache) end
  return mixed_columns()
end

-- ---- samples -----------------------------------------------------------------------------------------

-- The animation that a buffer was taken of: the one that is named in "anim:sample(0)", or the first one with
-- so many tracks, which is a guess.
local function animation_of(buffer, context)
  local list = tokens.of(context.source or "")
  for i, token in ipairs(list) do
    local is_call = token.kind == "name" and (token.text == "sample" or token.text == "decode")
    if is_call and tokens.is(list[i - 1], ":") then
      local animation = tokens.value_at(list, i - 2, context.env)
      if core.type(animation) == "animation" then return animation, false end
    end
  end
  for _, doc in ipairs(context.documents and context.documents() or {}) do
    for i, animation in ipairs(values.member(doc, "animations") or {}) do
      local n = #animation.tracks
      local fits = buffer.rows == n or n > 0 and buffer.rows == n * animation.frame_count
      if fits then return animation, ("animations[%d] of %s"):format(i, doc.path or doc.format) end
    end
  end
end

local function sample_columns(buffer, context)
  local animation, guess = animation_of(buffer, context)
  local tracks = animation and animation.tracks
  local n = tracks and #tracks or 0
  if n == 0 or buffer.rows % n ~= 0 then tracks, n = nil, buffer.rows end
  local scaled = false
  for i = 1, math.min(buffer.rows, COMPARED) do
    for lane = 8, LANES_OF_POSE do scaled = scaled or buffer:at(i, lane) ~= 1 end
  end
  local list = {}
  if tracks and buffer.rows > n then
    list[1] = { name = "frame", get = function(_, i) return tostring((i - 1) // n) end }
  end
  if tracks then
    list[#list + 1] = { name = "bone", get = function(_, i)
      local track = tracks[(i - 1) % n + 1]
      return track.bone and text.quote(track.bone) or ("track %d"):format((i - 1) % n + 1)
    end }
  end
  local pose = pose_columns(function(_, i) return buffer:row(i) end, scaled)
  table.move(pose, 1, #pose, #list + 1, list)
  return list, tracks and guess and ("bones of %s, which has as many tracks"):format(guess) or nil
end

local function buffer_columns(buffer, context)
  if buffer.columns == LANES_OF_POSE and buffer.type == "f32" then return sample_columns(buffer, context) end
  local list = {}
  for k = 1, buffer.columns do
    list[k] = { name = tostring(k), get = function(_, i) return columns.number(buffer:at(i, k)) end }
  end
  return list
end

-- ---- tables ------------------------------------------------------------------------------------------

local FIRST_KEYS = { "name", "type", "kind", "unit" }

-- A list of documents, such as docs.
local function document_columns(list)
  for i = 1, #list do
    if not values.is_open(list[i]) then return nil end
  end
  local result = {}
  for i, name in ipairs { "path", "format", "game", "size", "modified" } do
    result[i] = { name = name, unit = name == "size" and "bytes" or nil, get = function(doc)
      local value = doc[name]
      return name == "path" and text.printable(value or "-") or value ~= nil and tostring(value) or nil
    end }
  end
  return result
end

-- Tables with names, such as the rows of lathe.describe.
local function table_columns(list)
  local keys, seen, names = {}, {}, {}
  for i = 1, math.min(#list, COMPARED) do
    local item = list[i]
    if type(item) ~= "table" or type(item.name) ~= "string" then return nil end
    for key, value in pairs(item) do
      local is_simple = type(value) ~= "table" and type(value) ~= "userdata"
      if type(key) == "string" and is_simple then seen[key] = true end
    end
  end
  for _, key in ipairs(FIRST_KEYS) do
    if seen[key] then keys[#keys + 1] = key end
    seen[key] = nil
  end
  for key in pairs(seen) do names[#names + 1] = key end
  table.sort(names, function(a, b)
    if a == "doc" or b == "doc" then return b == "doc" and a ~= "doc" end -- the longest one last
    return a < b
  end)
  table.move(names, 1, #names, #keys + 1, keys)
  for i, key in ipairs(keys) do
    keys[i] = { name = key, wide = key == "doc", get = function(item)
      local value = item[key]
      if type(value) == "string" then return text.printable(value) end
      return type(value) == "number" and columns.number(value) or value ~= nil and tostring(value) or nil
    end }
  end
  return keys
end

-- ---- all ---------------------------------------------------------------------------------------------

local function array_columns(array, cache)
  local first = #array > 0 and array[1]
  local element = cache:element(array)
  if not core.type(first) or core.type(first) == "array" or element.ref then return nil end
  if not are_alike(function(i) return array[i] end, 1, #array) then return nil end
  local list = record_columns(first, cache)
  for _, column in ipairs(list) do
    local ok, cell = pcall(column.get, first)
    if ok and cell and cell ~= "" then return list end
  end
  return nil -- matrices and the like
end

--- What to print a value in columns with.
-- @param value a list, an array, a buffer, or a table of tables
-- @tparam table context `source` (what was typed), `env`, `documents()`
-- @treturn ?table for `columns.emit`, with `title`; nil: it is not for columns
function lists.of(value, context)
  local kind, cache = core.type(value), schema.new()
  local found, note, first, n = nil, nil, 1, nil
  if kind == "list" then
    if values.member(value, 0) ~= nil then first = 0 end -- events and variables have ids from 0
    n = #value
    local simple = n > 0 and core.type(value[first]) == nil
    found = n > 0 and not simple and list_columns(value, first, cache) or nil
    local is_nameless = n > 0 and core.type(value[first]) == "track" and not value[first].bone
    note = is_nameless and "--skeleton FILE gives the names of their bones" or nil
  elseif kind == "array" then
    n, found = #value, array_columns(value, cache)
  elseif kind == "buffer" then
    n = value.rows
    if n > 0 then found, note = buffer_columns(value, context) end
  elseif kind == nil and type(value) == "table" and getmetatable(value) == nil and #value > 1 then
    n, found = #value, document_columns(value) or table_columns(value)
  end
  if not found then return nil end
  local item = kind == "buffer" and function() return nil end or function(i) return value[i] end
  return { columns = found, item = item, first = first, last = first + n - 1, count = n, note = note }
end

return lists
