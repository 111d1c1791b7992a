--- One page to look around in: the model and the fields of documents, in a file that a browser opens without
-- a network.
-- @module lathe.view

local core = require "lathe.core"
local model = require "lathe.view.model"
local page = require "lathe.view.page"
local paths = require "lathe.paths"
local text = require "lathe.tree.text"
local tree = require "lathe.view.tree"

local view = {}

local OPTIONS <const> = { data = true, lod = true, mesh = true, skeleton = true, title = true }
local LOD <const> = { [0] = true, [1] = true, [2] = true }
local LIST <const> = { __jsontype = "array" }

local function check_options(opts)
  for name in pairs(opts) do
    if not OPTIONS[name] then
      error(("no option '%s' of view: it takes data, lod, mesh, skeleton and title")
        :format(tostring(name)), 0)
    end
  end
  if opts.lod ~= nil and not LOD[opts.lod] then error("option 'lod': 0, 1 or 2 expected", 0) end
  local data = type(opts.data)
  if data ~= "nil" and data ~= "function" and data ~= "string" then
    error("option 'data': a folder or a function expected", 0)
  end
  if opts.title ~= nil and type(opts.title) ~= "string" then error("option 'title': a text expected", 0) end
end

local function documents_of(what)
  local list = core.type(what) and { what } or what
  local good = type(list) == "table" and #list > 0
  for i = 1, good and #list or 0 do -- not ipairs: a list with a metatable may never end
    good = good and getmetatable(list[i]) == "lathe.Document"
  end
  if not good then error("a document or a list of documents expected", 0) end
  return list
end

-- The name of the file without its folders, which are nobody's business where a page goes.
local function name_of(path, doc)
  local base = path and paths.base(path)
  return text.printable(base and base ~= "" and base or doc.format)
end

local function list(items) return setmetatable(items, LIST) end

local function notes_of(found)
  local notes = list {}
  for i, note in ipairs(found.notes) do
    notes[i] = { path = text.utf8(note.path), reason = text.utf8(note.reason) }
  end
  return notes
end

local Page = {}
Page.__index = Page

local COUNTS <const> = { "meshes", "triangles", "clips", "bones" }

--- What the picture of a document needs, and facts about it.
-- @param doc
-- @tparam table opts `skeleton`, `mesh`, `lod` and `data`, as for `model.of`
-- @tparam[opt] string path default: that of its file
-- @treturn table the record of the file in the page, without its fields and its .glb
-- @treturn table from `lathe.view.model`: `glb` has the bytes
function view.picture(doc, opts, path)
  local found = model.of(doc, opts)
  local file = model.data(doc, found)
  file.name, file.format, file.game = name_of(path or doc.path, doc), doc.format, doc.game
  file.meshes, file.triangles, file.notes = found.meshes, found.triangles, notes_of(found)
  return file, found
end

--- Adds a document.
-- @param doc
-- @tparam[opt] string path default: that of its file
-- @treturn table from `lathe.view.model`
function Page:add(doc, path)
  local file, found = view.picture(doc, self.opts, path)
  local report = self.report
  local root, docs = tree.of(doc)
  file.tree, file.docs = root, list(docs)
  local files = self.data.files
  files[#files + 1] = file
  if found.glb then
    file.glb = "glb-" .. #files
    self.blocks[file.glb] = found.glb
  end
  for _, count in ipairs(COUNTS) do report[count] = report[count] + found[count] end
  for _, note in ipairs(found.notes) do
    report.notes[#report.notes + 1] = { path = note.path, reason = note.reason }
  end
  return found
end

--- The bytes of the page.
-- @treturn string
function Page:encode()
  local files = self.data.files
  local title = self.opts.title or files[1].name .. (#files > 1 and (" and %d more"):format(#files - 1) or "")
  return page.fill(self.viewer, text.utf8(title), self.data, self.blocks)
end

--- Starts a page.
-- @tparam table opts as for `lathe.view`
-- @treturn ?Page
-- @return the error: lathe was built without the viewer
function view.begin(opts)
  check_options(opts)
  local viewer, err = page.viewer()
  if not viewer then return nil, err end
  if type(opts.data) == "string" then
    local data, why = require("lathe.preview.textures").of(opts.data)
    if not data then return nil, why end
    opts = setmetatable({ data = data }, { __index = opts })
  end
  return setmetatable({
    opts = opts, viewer = viewer, blocks = {}, data = { version = core.VERSION, files = list {} },
    report = { meshes = 0, triangles = 0, clips = 0, bones = 0, notes = {} },
  }, Page)
end

local function write(what, path, opts)
  check_options(opts)
  local docs = documents_of(what)
  local one, err = view.begin(opts)
  if not one then return nil, err end
  for i = 1, #docs do one:add(docs[i]) end
  local bytes = one:encode()
  local ok, wrong = core.write(path, bytes)
  if not ok then return nil, wrong end
  one.report.bytes = #bytes
  return one.report
end

-- lathe.view
function view.view(what, path, opts)
  if type(path) ~= "string" then error("a path expected", 2) end
  if opts ~= nil and type(opts) ~= "table" then error("options are a table", 2) end
  local ok, report, err = pcall(write, what, path, opts or {})
  if ok then return report, err end
  error(report, type(report) == "string" and 2 or 0)
end

return view
