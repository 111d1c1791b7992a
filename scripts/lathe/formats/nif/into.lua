--- The geometry file of `lathe convert --into`. It is written before the files that refer to its rows, so
-- that no file refers to a missing row. Therefore all files are converted twice: once to collect the rows,
-- then to be written.
-- @module lathe.formats.nif.into

local core = require "lathe.core"
local folders = require "lathe.cli.batch.folders"
local inputs = require "lathe.cli.batch.inputs"
local lfs = require "lfs"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"
local records = require "lathe.cli.pages.records"
local report = require "lathe.cli.batch.report"
local text = require "lathe.tree.text"

local Into = {}
Into.__index = Into

local into = {}

local OTHER <const> = { csg = "psg", psg = "csg" }

local function names_in(dir)
  local names = {}
  if lfs.attributes(dir, "mode") ~= "directory" then return names end
  pcall(function() -- some folders cannot be listed
    for name in lfs.dir(dir) do names[name] = true end
  end)
  return names
end

-- NIFs refer to a geometry file by its name without extension, ignoring case, so a second file of that name
-- would be ambiguous.
local function check_twin(path, form)
  local dir, base = paths.folder(path), paths.base(path)
  local names, stem = names_in(dir), base:sub(1, -#form - 1):lower()
  -- If the file system ignores case, the file may be listed with another spelling.
  local same = not names[base] and lfs.attributes(path, "mode")
  for name in pairs(names) do
    local lower = name:lower()
    if lower == stem .. OTHER[form] or lower == stem .. form and name ~= base and not same then
      out.usage(("files could not tell '%s' and '%s' apart: they name a geometry file without its extension, "
        .. "and case does not count"):format(path, paths.join(dir, name)))
    end
  end
end

--- Reads `--into`; stops with a usage error if it makes no sense. Opens nothing.
-- @tparam table args `into`, `to`, `no_backup`, `dry_run`, `json`
-- @treturn Into
function into.new(args)
  local form = paths.extension(args.into)
  if not OTHER[form] then out.usage(("--into names a .csg or .psg, not '%s'"):format(args.into)) end
  local self = setmetatable({ path = args.into, form = form, args = args }, Into)
  self.there = lfs.attributes(self.path, "mode") ~= nil
  check_twin(self.path, form)
  return self
end

function Into:open()
  local err
  if self.there then
    self.doc, err = core.open(self.path, { format = "geometry" })
  else
    self.doc, err = core.new("geometry", { form = self.form, rows = {} }, { path = self.path })
  end
  return self.doc, err
end

-- The rows that a document refers to; a second conversion must give the same.
local function rows_of(doc)
  local list = {}
  for _, block in ipairs(doc.blocks) do
    if core.type(block):find "^BSPackedCombined" and block.objects then
      for _, entry in ipairs(block.objects) do list[#list + 1] = string.pack("<I4", entry.data_offset) end
    end
  end
  return table.concat(list)
end

-- Collects the rows of one file; errors are reported when it is written.
function Into:gather(item)
  local doc = not item.skipped and inputs.open(item, self.args)
  if not doc then return end
  if doc.format == "nif" then
    local done, err = doc:convert { to = self.args.to, into = self.doc }
    if done then
      item.rows = rows_of(doc)
      item.found, item.appended = report.total(done.found), report.total(done.appended)
    else
      item.refused = err
    end
  end
  doc:close()
end

local function has_backup(path)
  local real = paths.real(path)
  return real ~= nil and lfs.symlinkattributes(real .. ".bak", "mode") ~= nil
end

function Into:save()
  local ready, why = folders.prepare(self.path, paths.folder(self.path))
  if not ready then return nil, why end
  local backup = self.there and not self.args.no_backup and not has_backup(self.path)
  return self.doc:save(self.path, { backup = backup })
end

function Into:could_save()
  local real, why = paths.real(self.path)
  if not real then return nil, why end
  return core.can_write(real, self.path, true)
end

function Into:tell(appended)
  if self.args.json then
    local record = { ok = true, written = not self.args.dry_run and self.path or nil, rows = #self.doc.rows,
      appended = appended }
    return out.json(report.name(record, self.path), records.order "convert")
  end
  local rows = text.count(appended, "row")
  local said = self.args.dry_run and "would get %s" or self.there and "%s added" or "made, with %s"
  local tell = self.args.output == "-" and out.note or out.line -- stdout is reserved for the file
  tell(("%s: " .. said):format(self.path, rows))
end

--- Converts all files to collect their rows, and writes the geometry file if it got any.
-- @tparam {table,...} items
-- @treturn ?boolean
-- @return the error
function Into:prepare(items)
  local ok, err = self:open()
  if not ok then return nil, err end
  local rows = #self.doc.rows
  for i, item in ipairs(items) do
    out.progress(i, #items, item.path)
    self:gather(item)
  end
  local appended = #self.doc.rows - rows
  if appended == 0 then return true end
  if self.args.dry_run then
    ok, err = self:could_save()
  else
    ok, err = self:save()
  end
  if not ok then return nil, err end
  self:tell(appended)
  return true
end

--- Converts a file whose rows are already stored.
-- @param doc
-- @tparam table item
-- @treturn ?table the verb's report, with `found` and `appended` of the first conversion
-- @return the error
function Into:convert(doc, item)
  if item.refused then return nil, item.refused end
  local done, err = doc:convert { to = self.args.to, into = self.doc }
  if not done then return nil, err end
  if report.total(done.appended) > 0 or rows_of(doc) ~= item.rows then
    return nil, "it, or its geometry, is another one than when its rows were gathered: it is not written"
  end
  done.found, done.appended = { item.found }, { item.appended }
  return done
end

return into
