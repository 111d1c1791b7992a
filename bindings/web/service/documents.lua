--- Calls: files and documents.
-- @module service.documents

local core = require "lathe.core"
local files = require "service.files"
local json = require "service.json"
local lfs = require "lfs"
local refuse = require "service.refuse"
local store = require "service.store"
local text = require "lathe.tree.text"

local documents = { calls = {} }
local calls = documents.calls

-- ---- about -------------------------------------------------------------------------------------------

-- What a build may lack, and how that is found out.
local function lacks()
  local list = json.list {}
  local _, err = core.parse("\x28\xb5\x2f\xfd\x00\x00\x01\x00\x00", { path = "x.zs" })
  if err and tostring(err):find("without zstd", 1, true) then
    list[1] = "files compressed with zstd (.zs): lathe was built without zstd"
  end
  return list
end

function calls.about()
  local formats = json.list {}
  for i, format in ipairs(core.formats()) do
    local can = json.list {}
    for name, does in pairs(format.can) do can[#can + 1] = does and name or nil end
    table.sort(can)
    formats[i] = {
      name = format.name, doc = format.doc, extensions = json.list(format.extensions),
      games = json.list(format.games), can = can,
    }
  end
  return { version = core.VERSION, limits = files.limits, lacks = lacks(), formats = formats }
end

-- ---- opening -----------------------------------------------------------------------------------------

local OPTIONS <const> = { format = "string", dictionary = "string", geometry = "table", skeleton = "number" }

local function options_of(args)
  local options = { history = store.docs.options.history, limit = files.limits.file }
  for name, value in pairs(refuse.table(args, "options")) do
    if not OPTIONS[name] then
      refuse.usage("no option '%s' of open: it takes dictionary, format, geometry and skeleton",
        tostring(name))
    elseif type(value) ~= OPTIONS[name] then
      refuse.usage("option '%s': a %s expected", name, OPTIONS[name])
    end
    options[name] = name == "skeleton" and store.entry(value).doc or value
  end
  return options
end

-- Opens a file with other contents than its own: those of a document that was changed and not saved.
local function open_draft(path, options, draft)
  local saved = files.read(path)
  files.write(path, draft)
  local doc, err = core.open(path, options)
  files.write(path, saved)
  if doc then core.mark_modified(doc) end
  return doc, err
end

function calls.open(args, blobs)
  local wanted = files.clean(refuse.text(args, "name"))
  local options, bytes, draft, notes = options_of(args), blobs[1], blobs[2], json.list {}
  if bytes then files.check_size(wanted, #bytes, store.bytes()) end
  local path = bytes and store.free_path(wanted) or wanted
  if path ~= wanted then
    notes[1] = ("%s is open already: this one is %s"):format(text.printable(wanted), text.printable(path))
  end
  if not bytes and store.at(path) then refuse.usage("%s is open already", text.printable(path)) end
  local before = bytes and files.size(path) and files.read(path) -- of a file that `put` stored
  if bytes then files.write(path, bytes) end
  local doc, err
  if draft then doc, err = open_draft(path, options, draft) else doc, err = core.open(path, options) end
  if not doc then
    if before then files.write(path, before) elseif bytes then files.remove(path) end
    return nil, err
  end
  store.stored(path)
  local entry = store.add(doc, path, options)
  args.label = "opening"
  entry.state = core.history(doc)
  return { document = store.told(entry), notes = notes }
end

function calls.put(args, blobs)
  local path, bytes = files.clean(refuse.text(args, "name")), refuse.bytes(blobs)
  files.check_size(path, #bytes, store.bytes())
  if store.at(path) then refuse.usage("%s is open: close it first", text.printable(path)) end
  files.write(path, bytes)
  store.stored(path)
  return { name = path, size = #bytes }
end

function calls.files()
  local list = files.all()
  for _, file in ipairs(list) do
    local entry = store.at(file.name)
    file.id = entry and entry.id
  end
  return { files = list }
end

-- The path of a file that is there.
local function existing(args)
  local path = files.clean(refuse.text(args, "name"))
  if not files.size(path) then refuse.with("io", "%s: there is no such file", text.printable(path)) end
  return path
end

function calls.file(args)
  local path = existing(args)
  local bytes = files.read(path)
  return { name = path, size = #bytes }, { bytes }
end

function calls.remove(args)
  local path = existing(args)
  if store.at(path) then refuse.usage("%s is open: close it", text.printable(path)) end
  files.remove(path)
  return { name = path }
end

function calls.close(args)
  local entry = store.of(args)
  store.close(entry, args.keep == true)
  return { id = entry.id }
end

function calls.documents()
  local list = json.list {}
  for i, entry in ipairs(store.entries) do list[i] = store.told(entry) end
  return { documents = list }
end

-- ---- saving ------------------------------------------------------------------------------------------

function calls.encode(args)
  local entry = store.of(args)
  local bytes, err = entry.doc:encode()
  if not bytes then return nil, err end
  return { name = entry.path, size = #bytes }, { bytes }
end

-- Saves a document. Returns what is told of it, and the bytes; nil and the error.
local function save(entry)
  local path = entry.path
  store.keep_opened(entry)
  local done, err = store.docs:write(entry.doc, path, lfs.attributes(path, "mode") ~= nil)
  if not done then return nil, err end
  local bytes = files.read(path)
  entry.size, entry.file = #bytes, path
  local notes = json.list {}
  for i, lost in ipairs(done.lost) do notes[i] = text.printable(tostring(lost)) end
  return { id = entry.id, name = path, size = #bytes, notes = notes }, bytes
end

function calls.save(args)
  local saved, bytes = save(store.of(args))
  if not saved then return nil, bytes end
  return saved, { bytes }
end

function calls.save_all(_, _, emit)
  local saved, failed, blobs = json.list {}, json.list {}, {}
  for i, entry in ipairs(store.entries) do
    emit { event = "progress", done = i - 1, total = #store.entries, name = entry.path }
    if entry.doc.modified then
      local told, bytes = save(entry)
      if told then
        saved[#saved + 1], blobs[#blobs + 1] = told, bytes
      else
        failed[#failed + 1] = { id = entry.id, name = entry.path, error = refuse.told(bytes) }
      end
    end
  end
  return { saved = saved, failed = failed }, blobs
end

return documents
