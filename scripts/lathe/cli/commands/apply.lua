--- `lathe apply`: applies a patch of `lathe diff --json` to files.
-- @module lathe.cli.commands.apply

local core = require "lathe.core"
local inputs = require "lathe.cli.batch.inputs"
local out = require "lathe.cli.out"
local patches = require "lathe.tree.patch"
local transform = require "lathe.cli.verbs.transform"
local worker = require "lathe.cli.batch.worker"

local apply = {
  name = "apply",
  summary = "Apply the differences that diff found to other files.",
  description = [[
Apply a patch, which `lathe diff --json A B` wrote, to other files. Each file gets all changes, or stays as it
is: it fails if a place is missing, or holds another value than A had there. The message names the place and
both values. A patch for another format or another game is refused.

Changes are found by their paths, such as objects[3].name. If diff said that the patch is not complete, notes
tell what is left out.]],
  examples = {
    "lathe diff old.nif new.nif --json > new.patch",
    "lathe apply new.patch Meshes/ -o patched/",
    "lathe apply new.patch other.nif --force --dry-run",
  },
}

--- Adds the options.
-- @param command an argparse command
function apply.options(command)
  command:argument("patch", "Patch, or - for stdin."):argname "<patch>"
  transform.options(command)
  command:flag("--force", "Apply changes whatever the old values are, and without those that diff could\n"
    .. "not make.")
end

local function check_usage(args)
  if args.patch ~= "-" then return end
  for _, path in ipairs(args.files) do
    if path == "-" then out.usage "only the patch or the file can be stdin" end
  end
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function apply.run(args)
  check_usage(args)
  local source, why, patch
  if worker.is_one() then
    source = worker.settings().shared
  else
    source, why = inputs.text(args.patch)
  end
  if source then patch, why = patches.read(source) end
  if not patch then
    out.fail(("%s: %s"):format(args.patch == "-" and "stdin" or args.patch, why))
    return 1
  end
  return transform.run(args, nil, function(doc)
    return patches.apply(patch, doc, { force = args.force })
  end, { shared = source, covers = core.sha256(source) })
end

return apply
