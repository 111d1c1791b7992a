--- The functions of the prompt and the topics of its help, which no other table describes.
-- @module lathe.repl.topics

local topics = {}

--- What the prompt has beside Lua and lathe.
topics.functions = {
  { name = "help", type = "(x)",
    doc = "Explains a value, a field, a verb, a function or a topic; ?x is short for it.",
    more = "help(doc.bodies[1].mass), help \"units\", ?doc:scale, ?\"undo\"", example = "?doc" },
  { name = "open", type = "(path, options?)",
    doc = "Opens a file: it is the last of docs, and doc from then on.",
    more = "Options are those of lathe.open, such as the skeleton that names the bones of an animation: "
      .. "open(\"walk.hkx\", { skeleton = docs[1] })", example = "open \"FILE\"" },
  { name = "changes", type = "(doc?)",
    doc = "Says what differs from the files, of each changed document or of one.", example = "changes()" },
  { name = "undo", type = "(steps?)",
    doc = "Takes back the last edit of doc; undo(docs[2]) of another document.", example = "undo()" },
  { name = "redo", type = "(steps?)", doc = "Does again what undo took back.", example = "redo()" },
  { name = "save", type = "(options?)",
    doc = "Writes each changed document to its own file. The old file stays as FILE.bak.",
    more = "save(docs[2]) writes that one, save(\"FILE\") writes doc to another file; { backup = false } at "
      .. "the end keeps no backup.", example = "save()" },
  { name = "dump", type = "(x)",
    doc = "Prints all of a value, page by page on a terminal.",
    more = "The pager is the program of LATHE_PAGER or PAGER, else less, else lathe itself.",
    example = "dump(doc)" },
  { name = "exit", type = "()", doc = "Ends the prompt; so do quit and Ctrl-D.", example = "exit" },
}

--- Texts by topic. Lines that begin with two blanks are kept as they are.
topics.texts = {
  { "prompt", "How to type at the prompt.", [[
A line is Lua. What it gives is printed; a line that is not complete goes on with the next one.
Tab completes names, fields, values in quotes and paths of files; a second Tab lists them with types and
units. The functions of the prompt, such as undo, can stand alone on a line. Ctrl-C stops what runs too long,
or drops the line. The arrow keys bring back earlier lines, also of earlier sessions.
  lathe -e 'CHUNK' FILE...         runs a line without a prompt
  lathe run SCRIPT FILE... --prompt   runs a script over the files first]] },
  { "undo", "How to take back edits.", [[
Each assignment and each verb is a step, and so is a loop that assigns; the last 100 can be taken back. undo()
and redo() act on doc, undo(docs[2]) on another document, undo(3) takes back three steps.
doc:edit(fn) makes one step of all that a function does, or none if it raises an error.
  changes()     what differs from the file]] },
  { "save", "How to write files.", [[
save() writes every changed document to its own file, and says so. What was in the file before stays beside
it as FILE.bak, unless there is a FILE.bak already: that holds the original. `lathe undo` puts it back.
A file is written completely or not at all.
  save { backup = false }     without a backup
  save "other.nif"            doc to another file
  changes()                   what would be written]] },
  { "scripts", "How to do the same to many files.", [[
A script is a Lua file that returns a function, which is called with each document:
  return function(doc, ctx)
    for _, body in ipairs(doc.bodies) do body.friction = 0.9 end
  end
  lathe run SCRIPT.lua FOLDER -o OUT     writes what it changed
  lathe run SCRIPT.lua FILE --prompt     runs it, then prompts
  lathe examples                         scripts that come with lathe]] },
  { "paths", "How places in a file are written.", [[
A path is what one types behind `doc.`: bodies[1].friction, levels["intro"].values.time. Elements count from
1, events and variables from 0.
  lathe.path(x)                 the path of a record or array
  lathe.path(x, "field")        … of a field in it
  doc:get "bodies[1].mass"      the value at a path
  doc:set("bodies[1].mass", 5)  sets it
  lathe.span(x, "field")        offset and size in bytes
  doc:at(0x1a40)                what holds a byte]] },
  { "units", "Units and rotations.", [[
Numbers have the unit that the file stores; it stands behind them, or in the title of a column. Lengths of
models are in game units, which for Skyrim and Fallout 4 are about 1.43 cm; Havok's collision is in metres.
Rotations are quaternions x y z w (column q). The column turn gives the same in degrees about x, then y,
then z, of axes that stay. Columns show six digits; a single value shows all.]] },
  { "errors", "What an error tells.", [[
An error names the file, the place and the reason, then the line that was typed, then what the field takes.
Nothing has changed after an error in a verb or an assignment.
Functions that depend on files give nil and an error: assert(lathe.open "x") raises it.
  doc:check()     all that is wrong with a document]] },
}

--- The topics of the help: those above, and those that other tables make.
-- @treturn {table,...} `name`, `doc`
function topics.list()
  local list = {
    { name = "formats", doc = "The formats that lathe reads and writes." },
    { name = "verbs", doc = "What can be done with the documents that are open." },
  }
  for _, topic in ipairs(topics.texts) do list[#list + 1] = { name = topic[1], doc = topic[2] } end
  return list
end

--- The topics, and the functions of the prompt.
-- @treturn {table,...} `name`, `type`, `doc`
function topics.words()
  local list, seen = topics.list(), {}
  for _, topic in ipairs(list) do seen[topic.name] = true end
  for _, fn in ipairs(topics.functions) do
    if not seen[fn.name] then list[#list + 1] = fn end
  end
  return list
end

return topics
