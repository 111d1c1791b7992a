--- Pictures of documents: `lathe.preview`.
-- @module lathe.preview

local core = require "lathe.core"
local errors = require "lathe.errors"
local lfs = require "lfs"
local paths = require "lathe.paths"
local spelling = require "lathe.spelling"

local preview = {}

--- What a picture shows, in the order of `lathe_preview_what`.
preview.WHAT = { "auto", "meshes", "collision", "skeleton", "pose", "strip", "track", "cell" }
--- From where, in the order of `lathe_preview_view`.
preview.VIEWS = { "iso", "front", "side", "top" }

local LEAST, MOST = 64, 1 << 24 -- of a side in pixels; of all pixels
local MOST_FRAMES = 1000
local KINDS = { png = true, svg = true }

local function is_document(x)
  return type(x) == "userdata" and getmetatable(x) == "lathe.Document"
end

local function choice(names)
  return function(value)
    for i, name in ipairs(names) do
      if name == value then return i - 1 end
    end
    local hint = type(value) == "string" and spelling.hint(value, names) or ""
    local all = table.concat(names, "', '")
    return nil, ("one of '%s' expected, not '%s'%s"):format(all, tostring(value), hint)
  end
end

local function of_type(name, word)
  return function(value)
    if type(value) == name then return value end
    return nil, ("%s expected, got %s"):format(word, core.type(value) or type(value))
  end
end

local function whole(least, most)
  return function(value)
    local n = math.type(value) and math.tointeger(value)
    if n and n >= least and n <= most then return n end
    return nil, ("a whole number from %d to %d expected, not '%s'"):format(least, most, tostring(value))
  end
end

local function seconds(value)
  if math.type(value) and value == value and value >= 0 and value < math.huge then return value end
  return nil, ("seconds from 0 expected, not '%s'"):format(tostring(value))
end

-- A path, a document, or an object of one of the types.
local function source(...)
  local allowed = { ... }
  return function(value)
    if type(value) == "string" or is_document(value) then return value end
    for _, name in ipairs(allowed) do
      if core.type(value) == name then return value end
    end
    local word = allowed[1] and "a path, a document or a" .. (allowed[1]:find "^[aeiou]" and "n " or " ")
      .. allowed[1] or "a path or a document"
    return nil, ("%s expected, got %s"):format(word, core.type(value) or type(value))
  end
end

--- Reads a size in pixels, such as "1024x768".
-- @tparam string text
-- @treturn ?{integer,integer} width and height
-- @treturn ?string why it is none
function preview.size(text)
  local w, h = tostring(text):match "^(%d+)[xX](%d+)$"
  w, h = math.tointeger(tonumber(w)), math.tointeger(tonumber(h))
  if not (w and h) then
    return nil, ("the size is WIDTHxHEIGHT in pixels, such as 1024x768, not '%s'"):format(text)
  end
  if w < LEAST or h < LEAST or w > MOST or h > MOST or w * h > MOST then
    local limits = ("at least %dx%d and at most %d pixels in all"):format(LEAST, LEAST, MOST)
    return nil, ("the size is %s, not '%s'"):format(limits, text)
  end
  return { w, h }
end

-- A skeleton, or a list of one and of a model whose nodes have more bones, in any order.
local function skeletons(value)
  local one = source "skeleton"
  if type(value) ~= "table" or core.type(value) then return one(value) end
  if #value < 1 or #value > 2 then
    return nil, ("a list of a skeleton and a model expected, got %d items"):format(#value)
  end
  local list = {}
  for i = 1, #value do
    local good, why = one(value[i])
    if good == nil then return nil, ("[%d]: %s"):format(i, why) end
    list[i] = good
  end
  return list
end

local OPTIONS = {
  against = source(), clip = source "animation", data = function(value)
    if type(value) == "string" or type(value) == "function" then return value end
    return nil, ("a folder or a function expected, got %s"):format(core.type(value) or type(value))
  end,
  fit = of_type("string", "a name"), frames = whole(1, MOST_FRAMES), height = whole(LEAST, MOST),
  mesh = source(), names = of_type("boolean", "true or false"), size = preview.size,
  skeleton = skeletons, time = seconds, title = of_type("string", "a text"),
  track = of_type("string", "a name"), view = choice(preview.VIEWS),
  what = choice(preview.WHAT), width = whole(LEAST, MOST),
}

local NAMES = {}
for name in pairs(OPTIONS) do NAMES[#NAMES + 1] = name end
table.sort(NAMES)

local OF_WHAT = { frames = { strip = true }, time = { pose = true }, track = { track = true } }

--- Why options contradict each other; nil if they do not.
-- @tparam table opts
-- @tparam[opt] string sign in front of the names of options: "--" on the command line
-- @treturn ?string
function preview.contradiction(opts, sign)
  local function shown(name) return sign and sign .. name or ("'%s'"):format(name) end
  local used
  for _, name in ipairs { "frames", "time", "track" } do
    if opts[name] ~= nil then
      local of = next(OF_WHAT[name])
      if used then
        return ("%s and %s do not go together: give one of them"):format(shown(used), shown(name))
      end
      if (opts.what or "auto") ~= "auto" and not OF_WHAT[name][opts.what] then
        return ("%s is for %s %s, not for %s"):format(shown(name), shown "what", of, opts.what)
      end
      used = name
    end
  end
end

-- The options for core.draw. Raises what only a mistake in the program can be.
local function checked(opts)
  local o, mistake = {}, preview.contradiction(opts)
  if mistake then error(mistake, 0) end
  for name, value in pairs(opts) do
    local check = OPTIONS[name]
    if not check then
      error(("no option '%s' of preview%s"):format(tostring(name), spelling.hint(tostring(name), NAMES)), 0)
    end
    local good, why = check(value)
    if good == nil then error(("option '%s': %s"):format(name, why), 0) end
    o[name] = good
  end
  if o.size then
    if o.width or o.height then error("option 'size': width and height say it too", 0) end
    o.width, o.height = o.size[1], o.size[2]
  end
  if (o.what or 0) == 0 then
    o.what = o.time and 4 or o.frames and 5 or o.track and 6 or 0 -- as numbered by lathe_preview_what
  end
  if (o.width or 1) * (o.height or 1) > MOST then
    error(("options 'width' and 'height': at most %d pixels in all"):format(MOST), 0)
  end
  return o
end

-- ---- documents ----------------------------------------------------------------------------------

local Drawing = {}
Drawing.__index = Drawing

-- Opens the path of an option. The document is closed when the picture is done.
function Drawing:open(path, opts)
  local doc, err = core.open(path, opts)
  if doc then self.opened[#self.opened + 1] = doc end
  return doc, err
end

function Drawing:close()
  for _, doc in ipairs(self.opened) do doc:close() end
end

-- Where games and tools put the skeleton of a clip, from the clip's folder.
local BESIDE = { "skeleton.hkx", "../character assets/skeleton.hkx", "../characterassets/skeleton.hkx",
  "../CharacterAssets/skeleton.hkx", "skeleton.nif" }

-- The skeleton beside a clip that has none: looked for under the usual names.
function Drawing:beside(doc)
  if not doc.path or #doc.animations == 0 or #doc.skeletons > 0 then return nil end
  for _, name in ipairs(BESIDE) do
    local path = paths.join(paths.folder(doc.path), name)
    if lfs.attributes(path, "mode") == "file" and core.may_read(path) then
      local found = self.found[path] or self:open(path)
      if found and #found.skeletons > 0 then
        if not self.found[path] then
          self.notes[#self.notes + 1] = ("skeleton: %s, found beside the clip"):format(path)
        end
        self.found[path] = found
        return found
      end
    end
  end
end

-- A clip of a sheet, opened again with the skeleton beside it; what has none, or cannot be, stays as it is.
function Drawing:linked(doc)
  local skeleton = self:beside(doc)
  local again = skeleton and core.open(doc.path, { skeleton = skeleton, format = doc.format })
  return again or doc -- documents cannot be closed while one is drawn: the first is left to the collector
end

-- The skeleton and the model in a list of both.
function Drawing:both_skeletons(o)
  local given = o.skeleton
  if type(given) ~= "table" then return true end
  o.skeleton = nil
  for _, one in ipairs(given) do
    local doc, err = one, nil
    if type(one) == "string" then doc, err = self:open(one) end
    if not doc then return nil, err end
    if not o.skeleton and (not is_document(doc) or #doc.skeletons > 0) then
      o.skeleton = doc
    elseif not o.nodes then
      o.nodes = doc
    end
  end
  if o.skeleton then return true end
  local first = given[1]
  local path = type(first) == "string" and first or is_document(first) and first.path or nil
  return nil, errors.new("invalid", "it contains no skeleton", path)
end

-- Opens what the options name by paths.
function Drawing:companions(o, list)
  local sorted, wrong_one = self:both_skeletons(o)
  if not sorted then return nil, wrong_one end
  for _, name in ipairs { "clip", "mesh", "skeleton", "against" } do
    if type(o[name]) == "string" then
      if name == "against" then o.against_name = paths.base(o.against) end
      local doc, err = self:open(o[name])
      if not doc then return nil, err end
      o[name] = doc
    end
  end
  local clip = o.clip or #list == 1 and is_document(list[1]) and list[1]
  if clip and not o.skeleton and is_document(clip) then
    o.skeleton = self:beside(clip)
  end
  return true
end

-- The list for core.draw. A single path is opened here, so that its error is the result.
function Drawing:documents(what, o)
  if is_document(what) then return { what } end
  local list = {}
  for i = 1, #what do list[i] = what[i] end
  if #list == 0 then return nil, errors.new("invalid", "there is no document to draw") end
  o.labels = {}
  for i, one in ipairs(list) do
    o.labels[i] = type(one) == "string" and paths.base(one) or one.path and paths.base(one.path) or nil
  end
  if #list == 1 and type(list[1]) == "string" then
    local doc, err = self:open(list[1], self.how)
    if not doc then return nil, err end
    list[1] = doc
  end
  o.open = function(i) return core.open(list[i], self.how) end
  return list
end

-- Widths of cells in pixels, from the one for a few. Heights are 3/4 of them.
local FEW, CELLS = 4, { 512, 320, 240, 160 }

-- The size of a sheet of n cells: they get smaller where a picture of larger ones would have too many pixels.
local function sheet_size(n)
  local columns = math.ceil(math.sqrt(n))
  local rows = math.ceil(n / columns)
  for i = n <= FEW and 1 or 2, #CELLS do
    local width, height = columns * CELLS[i], rows * CELLS[i] * 3 // 4
    if width * height <= MOST then return width, height end
  end
end

function Drawing:draw(what, path, o)
  o.svg = paths.extension(path) == "svg"
  local list, err = self:documents(what, o)
  if not list then return nil, err end
  if #list > 1 and not o.width and not o.height then
    o.width, o.height = sheet_size(#list)
    if not o.width then
      local why = ("%d files are too many for one picture without a size"):format(#list)
      return nil, errors.new("limit", why, path)
    end
  end
  for name, given in pairs(self.inner) do o[name] = given end
  local ok
  ok, err = self:companions(o, list)
  if not ok then return nil, err end
  if type(o.data) == "string" then
    o.texture, err = require("lathe.preview.textures").of(o.data)
    if not o.texture then return nil, err end
  else
    o.texture = o.data
  end
  local open = o.open
  if open and not o.skeleton then
    o.open = function(i)
      local doc, why = open(i)
      return doc and self:linked(doc), why
    end
  end
  local bytes, report = core.draw(list, o)
  if not bytes then return nil, report end
  report.notes = report.notes or {}
  table.move(self.notes, 1, #self.notes, #report.notes + 1, report.notes)
  return bytes, report
end

local function wrong(what, path)
  if type(path) ~= "string" then return ("the path of a picture expected, got %s"):format(type(path)) end
  if is_document(what) then return nil end
  if type(what) ~= "table" then
    return "a document or a list of documents and paths expected, got " .. (core.type(what) or type(what))
  end
  for i = 1, #what do -- not ipairs: a list with a metatable may never end
    local one = what[i]
    if type(one) ~= "string" and not is_document(one) then
      local got = core.type(one) or type(one)
      return ("list of documents: [%d]: a document or a path expected, got %s"):format(i, got)
    end
  end
end

--- Draws a picture without writing it.
-- @param what a document or a list of documents and paths
-- @tparam string path its extension says which kind
-- @tparam table opts as those of `lathe.preview`
-- @tparam[opt] table inner options for `core.draw` that replace others: `labels`, `open`
-- @tparam[opt] table how options for opening paths
-- @treturn ?string the bytes
-- @treturn table the report, or the error
function preview.encode(what, path, opts, inner, how)
  local o = checked(opts or {})
  if not KINDS[paths.extension(path)] then
    return nil, errors.new("unsupported", "a .png or an .svg is what can be drawn", path)
  end
  local drawing = { opened = {}, found = {}, notes = {}, inner = inner or {}, how = how }
  setmetatable(drawing, Drawing)
  local results = table.pack(pcall(drawing.draw, drawing, what, path, o))
  drawing:close()
  if not results[1] then error(results[2], 0) end
  return results[2], results[3]
end

--- Draws documents into a file. See the manual of `lathe.preview`.
-- @param what a document or a list of documents and paths
-- @tparam string path ends in .png or .svg
-- @tparam[opt] table opts
-- @treturn ?table the report
-- @treturn ?Error
function preview.preview(what, path, opts)
  local mistake = wrong(what, path)
  if mistake then error(mistake, 2) end
  local ok, why = pcall(checked, opts or {})
  if not ok then error(why, 2) end
  local bytes, report = preview.encode(what, path, opts)
  if not bytes then return nil, report end
  local written, err = core.write(path, bytes)
  if not written then return nil, err end
  return report
end

return preview
