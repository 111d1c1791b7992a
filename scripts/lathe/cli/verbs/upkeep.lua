--- Commands for files as a whole: names, versions, and what nothing uses.
-- @module lathe.cli.verbs.upkeep

local batch = require "lathe.cli.batch"
local verb = require "lathe.cli.verbs"

local SKIPPED = "Files of other formats are skipped."

local OF_GRAPHS = { events = true, variables = true, states = true }

-- Annotations and bones are in files of other kinds.
local function can_rename(doc, args)
  if OF_GRAPHS[args.what] and batch.can(doc.format, "graph") then return doc.graph ~= nil, "it has no "
    .. "behavior graph" end
  return true
end

local ABOUT = {
  {
    name = "rename",
    summary = "Rename events, variables, states, annotations, bones and the like.",
    description = [[
Rename an event, a variable or a state of behavior graphs, annotations of animations, or other names that
the format can rename: --what says which. The whole name must match. In a behavior graph, ids stay as they
are, expressions that name the event or variable follow, and a name that something else has is refused.]],
    at = "an animation, such as animations[2]",
    takes = can_rename,
    none = "no file has such names",
    examples = {
      "lathe rename gestureStart gestureBegin --what events behavior.hkx -o renamed.hkx",
      "lathe rename WaveTop WaveHigh wave.hkx -o high.hkx",
      "lathe rename --from handclap --to clap --what events Animations/ --dry-run",
    },
  },
  {
    name = "set_materials",
    summary = "Rename textures, material files and collision materials by a pattern.",
    description = [[
Rename the textures, material files and collision materials that match a pattern, where * stands for any
text. `lathe materials` lists them, and renames several at once. Files without materials are skipped.]],
    needs = { from = true, to = true },
    docs = {
      from = "The whole of the old name, or the number of a collision material. * stands for any text; "
        .. "upper and "
        .. "lower case, / and \\ make no difference.",
      to = "The new name. The first * stands for the text of the first * of the old name, and so on. A path "
        .. "needs its extension.",
      what = "Kind of names: textures, collision (materials), files (of materials) or all. Default: the "
        .. "kind that "
        .. "matches; if several do, it must be given.",
      normalise = "Also write paths as the games look for them: from textures\\ or materials\\ on, with "
        .. "single "
        .. "backslashes.",
      unknown = "warn: report collision materials that lathe does not know, with the nearest known name. "
        .. "allow: do "
        .. "not. Default: warn.",
    },
    examples = {
      [[lathe set-materials 'textures\workshop\*' 'textures\mine\*' stock.nif -o mine.nif]],
      "lathe set-materials wood metal Meshes/ --what collision --dry-run",
    },
  },
  {
    name = "set_version",
    summary = "Convert files to another version of their format (Overgrowth).",
    description = [[
Convert files to another version of their format: animations (.anm) 0 to 11, skeletons (.phxbn) 5 to 11, saved
games (.sav) 1 or 3. What the other version cannot store is dropped and listed. ]] .. SKIPPED,
    options = { version = "to" },
    docs = { version = "The new version: 0 to 11 of .anm, 5 to 11 of .phxbn, 1 or 3 of .sav files." },
    examples = {
      "lathe set-version 7 lift.anm -o old.anm",
      "lathe set-version --to 1 progress.sav3 --dry-run",
    },
  },
  {
    name = "prune",
    summary = "Remove objects that nothing refers to from Havok packfiles.",
    description = [[
Remove the objects that nothing refers to, directly or through others, from the root on, and the names of
classes that no object has any more. ]] .. SKIPPED,
    examples = { "lathe prune orphans.hkx -o pruned.hkx", "lathe prune orphans.hkx --dry-run" },
  },
  {
    name = "remove_unused_strings",
    summary = "Remove texts from the header of NIFs that no block uses.",
    description = [[
Remove texts from the header's list that no block uses; the others get new numbers, which blocks follow.
]] .. SKIPPED,
    examples = {
      "lathe remove-unused-strings renamed.nif -o smaller.nif",
      "lathe remove-unused-strings renamed.nif --dry-run",
    },
  },
  {
    name = "block",
    summary = "Find the first block of a NIF that has a name.",
    description = [[
Find the first block that has a name, and print its path and type; "none" if no block has it. Upper and
lower case make a difference. ]] .. SKIPPED,
    docs = { name = "The name, as the file has it." },
    examples = { "lathe block Stock:0 stock.nif", "lathe block --name Stock Meshes/ --json" },
  },
}

return verb.commands(ABOUT)
