--- Runs a script over files, then prompts with the documents and with the script's global variables: the
-- option `prompt` of `lathe run`.
--
-- All files share one state of the script, since the prompt has that, too. What is typed stays in the
-- script's sandbox; only the functions of the prompt, which scripts cannot reach, open and save other files.
-- @module lathe.repl.script

local documents = require "lathe.repl.documents"
local opening = require "lathe.cli.opening"
local out = require "lathe.cli.out"
local repl = require "lathe.repl"
local text = require "lathe.tree.text"

local script = {}

-- Options that do not go together with a prompt.
local REFUSED = {
  { "output", "-o" }, { "in_place", "--in-place" }, { "dry_run", "--dry-run" }, { "json", "--json" },
  { "quiet", "-q" }, { "resume", "--resume" }, { "shard", "--shard" },
}

--- Stops with a usage error if options contradict --prompt.
-- @tparam table args
function script.check(args)
  for _, option in ipairs(REFUSED) do
    if args[option[1]] then
      out.usage(("--prompt does not go with %s: nothing is written until save()"):format(option[2]))
    end
  end
  for _, file in ipairs(args.files) do
    if file == "-" then out.usage "--prompt reads stdin itself: no file can be -" end
  end
  if args.script == "-" then out.usage "--prompt reads stdin itself: the script must be a file" end
end

-- Calls the script's function for a document, as one edit: all or nothing.
local function call_each(run, world, each, doc, path)
  local ctx = run:context(path, {})
  ctx.path = path
  local value, why
  local edited, err = pcall(doc.edit, doc, function()
    local ok, result = world:call(each, doc, ctx)
    if not ok then
      why = result
      error(result, 0)
    end
    value = result
  end)
  if edited then return true, value end
  return nil, why or err
end

-- Runs the script over all documents. Returns how many it has changed, and how many failed.
local function run_over(run, world, docs)
  local each, finish = run:load(world, run.name)
  if not each then out.usage(tostring(finish)) end
  local changed, failed, results = 0, 0, {}
  for i, doc in ipairs(docs.list) do
    local path = doc.path
    local ok, value = call_each(run, world, each, doc, path)
    results[i] = { path = path, value = ok and value or nil, error = not ok and tostring(value) or nil }
    if not ok then
      failed = failed + 1
      out.fail(("%s: %s"):format(path, value))
    elseif doc.modified then
      changed = changed + 1
    end
  end
  if finish then
    local ok, why = world:call(finish, results, run:context(run.name, {}))
    if not ok then
      failed = failed + 1
      out.fail(tostring(why))
    end
  end
  return changed, failed
end

--- Runs the script, then the prompt.
-- @tparam table run the command's script: `args`, `name`, `rules`, `load`, `new_world`, `context`
-- @tparam {table,...} items as from `inputs.collect`
-- @treturn integer the exit code
function script.run(run, items)
  local options, wrong = opening.of(run.args)
  if not options then out.usage(tostring(wrong)) end
  local docs = documents.new(options)
  if run.rules then
    function docs.host(...) return run.rules:as_host(...) end
  end
  local unopened = docs:open_items(items)
  if unopened > 0 and #docs.list == 0 then return 1 end
  local world = run:new_world()
  local changed, failed = run_over(run, world, docs)
  local code = repl.prompt(docs, world.env, function()
    out.line(("%s: %d changed, %d unchanged, %d failed. save() writes what has changed."):format(
      text.printable(run.name), changed, #docs.list - changed - failed, failed + unopened))
  end)
  world:close()
  return failed + unopened > 0 and 1 or code
end

return script
