--- Calls: scripts over open documents, the examples, and commands over the files below the root.
-- @module service.scripts

local catalog = require "lathe.cli.sandbox.catalog"
local change = require "service.change"
local cli = require "lathe.cli"
local files = require "service.files"
local json = require "service.json"
local out = require "lathe.cli.out"
local printed = require "service.printed"
local prompt = require "service.prompt"
local refuse = require "service.refuse"
local store = require "service.store"
local text = require "lathe.tree.text"
local core = require "lathe.core"
local verbs = require "service.verbs"

local scripts = { calls = {} }
local calls = scripts.calls

-- ---- examples ------------------------------------------------------------------------------------------

function calls.examples()
  local list = json.list {}
  for i, script in ipairs(catalog.all()) do
    list[i] = {
      name = script.name, file = script.file, summary = script.summary, when = script.when,
      files = script.files, note = script.note, arguments = json.list(script.arguments),
      try = json.list(script.try), text = files.read(script.path),
    }
  end
  return { scripts = list }
end

-- ---- run -----------------------------------------------------------------------------------------------

local OUTPUT <const> = "output" -- the folder in which scripts may write

-- The source of a script, and what it is called.
local function script_of(args)
  local given = refuse.text(args, "script")
  if given:sub(1, 1) == "@" and not given:find "\n" then
    local script, why = catalog.find(given)
    if not script then refuse.usage("%s", why) end
    return files.read(script.path), script.path, given
  end
  local name = refuse.text(args, "name", "script.lua")
  return given, files.clean(name), name
end

local function entries_of(args)
  if args.ids == nil then return table.move(store.entries, 1, #store.entries, 1, {}) end
  local list, seen = {}, {}
  for _, id in ipairs(refuse.table(args, "ids")) do
    local entry = store.entry(id)
    if not seen[entry] then list[#list + 1] = entry end
    seen[entry] = true
  end
  return list
end

-- Does the work on an item as one step of its document: what a script did before it failed is taken back.
local function in_step(item)
  return function(work, job, one, doc)
    item.begin()
    local result
    local ok, err = pcall(doc.edit, doc, function()
      result = work(job, one, doc)
      if result.error ~= nil then error(result.error, 0) end
    end)
    if not ok and result and result.error == nil then result = { status = "failed", error = err } end
    if not ok and not result then error(err, 0) end
    return result
  end
end

-- The items of a run; with `preview` they have copies of the documents.
local function items_of(entries, is_preview, begin)
  local items = {}
  for i, entry in ipairs(entries) do
    local doc, err = entry.doc, nil
    if is_preview then doc, err = store.copy(entry) end
    local item = { doc = doc, path = entry.path, below = entry.path, entry = entry }
    if not doc then item.error = tostring(err) end
    item.before = core.history(entry.doc)
    item.begin = function() begin(i, item) end
    item.around = in_step(item)
    items[i] = item
  end
  return items
end

-- What a reply says of a document.
local function told(item, is_preview)
  local result, entry = item.result or { status = "failed", error = "it was not processed" }, item.entry
  local failed = result.error ~= nil
  local changed = not failed and core.history(item.doc) ~= (is_preview and 0 or item.before)
  local one = {
    id = entry.id, name = text.utf8(entry.path), lines = json.lines(result.lines),
    status = failed and "failed" or changed and "changed" or "unchanged",
    error = failed and text.printable(tostring(result.error), true) or nil,
  }
  if is_preview and changed then one.diff = verbs.difference(entry.doc, item.doc, entry.path) end
  return one
end

function calls.run(args, _, emit)
  local source, path, name = script_of(args)
  local entries, words = entries_of(args), refuse.texts(args, "arguments")
  local seconds = refuse.seconds(args, "max_seconds")
  if #entries == 0 then refuse.usage "there is no open document" end
  args.label, store.user_ran = change.label("run " .. name), true
  local say, flush = printed.events(emit)
  local items = items_of(entries, args.preview == true, function(i, item)
    flush()
    emit { event = "progress", done = i - 1, total = #entries, name = text.utf8(item.path) }
  end)
  local output = printed.collect(nil, say)
  local code, err = cli.on(items, { "run", "-", cli.FILES }, {
    script = path, source = source, script_args = words, output = OUTPUT,
    max_memory = prompt.memory(), max_seconds = seconds,
  })
  flush()
  local all = output()
  local results, failed = json.list {}, 0
  for i, item in ipairs(code and items or {}) do
    results[i] = told(item, args.preview == true)
    failed = failed + (results[i].status == "failed" and 1 or 0)
  end
  for _, item in ipairs(args.preview and items or {}) do
    if item.doc then item.doc:close() end
  end
  if not code then return nil, err end
  return { results = results, output = all, failed = failed, ok = code == 0 }
end

-- ---- commands ------------------------------------------------------------------------------------------

local UNSAFE <const> = { ["--trusted"] = "scripts run in the sandbox here" }

local function check_words(argv)
  local first = argv[1]
  if not first then refuse.usage "a command is missing" end
  for _, word in ipairs(argv) do
    if UNSAFE[word] then refuse.usage("%s: %s", word, UNSAFE[word]) end
  end
  if first:find "^%-" then
    if first ~= "--help" and first ~= "--version" and first ~= "-h" then
      refuse.usage("%s: use the prompt for this", text.printable(first))
    end
  elseif not cli.is_command(first) then
    refuse.usage("'%s' is not a command: use the prompt to open files", text.printable(first))
  end
end

function calls.command(args)
  local argv = refuse.texts(args, "argv")
  check_words(argv)
  local streams = { o = {}, e = {} }
  out.keep(function(kind, bytes) table.insert(streams[kind], bytes) end,
    args.columns ~= nil and refuse.integer(args, "columns", nil, 1, 1000) or nil)
  local code = cli.run(argv)
  out.keep(nil)
  local stdout, stderr = table.concat(streams.o), table.concat(streams.e)
  return { code = code, stdout = text.utf8(stdout), stderr = text.utf8(stderr) }, { stdout, stderr }
end

return scripts
