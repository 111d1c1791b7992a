-- The functions of the module: lathe.open …

local VIEW = { "view", "lathe.Document|lathe.Record|lathe.Array" }
local FIELD = { "field?", "string|integer", "the name of a field of it, or the number of an element" }
local ARRAY = { "array", "lathe.Array" }
local WHY_NOT = { "lathe.Error?", "why not" }
local IN_LUA = "It is written in Lua."

return {
  {
    owner = "lathe", class = "lathe",
    doc = "Opens, reads, changes and saves the binary files of games.",
    more = [[
    local lathe = require "lathe"
    local doc = assert(lathe.open "Box.solid")
    doc.vertices[1].x = 2.5
    assert(doc:save "Box.solid")

A function that fails because of a file returns nil and an `Error`. A mistake of the program, such as the name
of a field that does not exist, is raised.]],
    fields = {
      { "VERSION", "string", "The version of lathe.", sandbox = "as is", c = "lathe_version" },
      { "tree", "lathe.tree", "Functions that walk over any document or "
        .. "view.", sandbox = "as is", no_c = IN_LUA },
    },
    functions = {
      { "open", "Opens a file.",
        more = [[
The content tells the format where it can, else the extension does. A file that is compressed with zstd is
opened as what it holds; its extension is the one in front of ".zs" or ".zst". It stays compressed, and
`lathe.span`, `doc:at` and the offsets in errors count bytes of what it holds. `limit` applies to that, too;
without it, it may be 1,000 times as large as the file, or 64 MB.]],
        params = {
          { "path", "string" },
          { "opts?", "lathe.Options", "options by name" },
        },
        returns = { { "lathe.Document?" }, WHY_NOT },
        usage = "local doc = assert(lathe.open(path, { history = 10 }))",
        sandbox = "policy", c = "lathe_doc_open" },
      { "parse", "Opens a document that is in memory.",
        params = {
          { "bytes", "string" },
          { "opts?", "lathe.Options", "as for `open`; `path` is the name that errors use, and whose "
            .. "extension may tell the format" },
        },
        returns = { { "lathe.Document?" }, WHY_NOT },
        sandbox = "as is", c = "lathe_doc_parse" },
      { "new", "Makes a document.",
        params = {
          { "format", "string", "a format's name" },
          { "fields?", "table|lathe.Document|lathe.Record", "a nested table shaped like the format's "
            .. "records, as `totable` gives it, or a document or record; what it lacks gets its default" },
          { "opts?", "lathe.Options", "as for `open`" },
        },
        returns = {
          { "lathe.Document?" },
          { "(lathe.Error | table)?", "why not; or, where samples of an animation were compressed, what "
            .. "became of them: `bytes`, `skipped` (a list of `path` and `reason`: what could not be kept as "
            .. "exactly as asked for) and `notes`" },
        },
        usage = "local copy = assert(lathe.new(doc.format, doc:totable()))",
        sandbox = "as is", c = "lathe_doc_new" },
      { "formats", "What this library reads and writes.",
        returns = {
          { "table[]", "rows with `name`, `doc`, `type` (of the top record), `extensions`, `games`, "
            .. "`types` (of records that no field of another leads to, where there are such), and `can`: a "
            .. "set of \"open\", \"save\", \"new\" and verbs" },
        },
        usage = "for _, f in ipairs(lathe.formats()) do print(f.name, f.can.scale) end",
        sandbox = "as is", c = { "lathe_formats", "lathe_format_describe", "lathe_format_type" } },
      { "material_names", "The known names of collision materials of Skyrim and later games, which store "
        .. "hashes of names.",
        returns = { { "string[]", "mods may define others" } },
        usage = "for _, name in ipairs(lathe.material_names()) do print(name) end",
        sandbox = "as is", c = "lathe_material_name" },
      { "verbs", "The verbs of a format, a document, a record or an animation, and what each takes.",
        more = [[
A verb is called with a table of options by name; the positional ones may stand before it, or in its place:
`doc:trim(0.5, 2, { skeleton = rig })`.]],
        params = {
          { "what", "string|lathe.Document|lathe.Record|lathe.Animation", "a format's name, or what has the "
            .. "verbs" },
        },
        returns = { { "lathe.Verb[]?" }, { "lathe.Error?", "where there is no format of that name" } },
        usage = "for _, verb in ipairs(lathe.verbs(doc)) do print(verb.name, verb.doc) end",
        sandbox = "as is", c = { "lathe_format_verb", "lathe_verb_describe" } },
      { "describe", "The fields of a record type, in file order; of an array, one row that stands for each "
        .. "element.",
        params = {
          { "view", "lathe.Document|lathe.Record|lathe.Array|string", "or a record type's name" },
        },
        returns = {
          { "table[]?", "rows with `name`, `type`, `kind`, `doc`, and where they apply `unit`, `offset`, "
            .. "`size`, `min`, `max`, `names` and `values` (of an enumeration or flag set), `original`, "
            .. "`key` and `value` (of an array with keys: the field that a string index looks for, and what "
            .. "it gives), `tag` (of an array whose elements are of several types: the name that tells an "
            .. "element's type in tables), and as booleans `array`, `readonly`, `computed`, `copied` "
            .. "(computed, but part of copies), `resizable`, `padding`, `flags`, `enum`, `ref` (it stands "
            .. "for a view that lies elsewhere), `inside` (container bookkeeping: neither listed nor "
            .. "copied), `count` (it says how many elements other fields have), `version` (a byte a number: "
            .. "0x14020007 is 20.2.0.7), `own` (of a record type that the file itself describes, or an array "
            .. "of such)" },
          { "lathe.Error?", "where there is no type of that name" },
        },
        usage = "for _, row in ipairs(lathe.describe(doc)) do print(row.name, row.type, row.doc) end",
        sandbox = "as is", c = { "lathe_view_describe", "lathe_type_describe" } },
      { "type", "What something is.",
        params = { { "x", "any" } },
        returns = {
          { "string?", "a record's type name, a document's format, \"array\", \"buffer\", \"skeleton\", "
            .. "\"animation\", \"track\", \"float track\", \"bone\", \"pose\", \"vector\", \"annotation\", "
            .. "\"list\" (of these) or \"copy\" (a table that a skeleton or animation gives, which cannot be "
            .. "changed); nil for anything else" },
        },
        usage = "if lathe.type(x) == \"array\" then print(#x) end",
        sandbox = "as is", c = "lathe_view_type" },
      { "path", "The path of a view, or of a field or element in it: each place has one path, however it was "
        .. "reached.",
        params = { VIEW, FIELD },
        returns = { { "string", "\"\" for a document" } },
        usage = "print(lathe.path(doc.triangles[3], \"a\"))  --> triangles[3].a",
        sandbox = "as is", c = "lathe_view_path" },
      { "span", "Where something lies in the encoded document. `doc:at(offset)` is the way back.",
        params = { VIEW, FIELD },
        returns = { { "integer?", "the offset in bytes; nil where the document's `container` is a text" },
          { "integer?", "the size in bytes" } },
        usage = "local offset, size = lathe.span(doc.vertices[1], \"x\")",
        sandbox = "as is", c = "lathe_view_span" },
      { "bytes", "The stored bytes of a view, or of a field or element in it.",
        params = { VIEW, FIELD },
        returns = { { "string" } },
        sandbox = "as is", no_c = "lathe_doc_encode gives all bytes, and lathe_view_span says which of "
          .. "them." },
      { "raw", "What is stored in a field, before it is shown as a name, a boolean or the view that it "
        .. "points to.",
        params = { VIEW, { "field", "string|integer" } },
        returns = {
          { "integer|string|nil", "the stored number (the bits of a float as an integer) or string; nil "
            .. "where the field is absent" },
        },
        sandbox = "as is", no_c = "lathe_view_get gives numbers as they are stored." },
      { "index", "The number that an element has in its array as the file counts: from 0.",
        params = { VIEW },
        returns = { { "integer?", "nil where the view is not an element of an array" } },
        sandbox = "as is", no_c = "A C program counts from 0 itself." },
      { "names", "The names of the flags that are set.",
        params = { VIEW, { "field", "string|integer" } },
        returns = { { "string[]" } },
        usage = "for _, name in ipairs(lathe.names(block, \"flags\")) do print(name) end",
        sandbox = "as is", no_c = "lathe_view_get gives the bits, and lathe_view_describe their names." },
      { "problem", "Why a record could not be understood.",
        more = [[
Also which of its references lead to blocks that are not known, and so are numbers; `code` is "unsupported"
then.]],
        params = { VIEW },
        returns = { { "lathe.Error?", "nil where it was understood" } },
        sandbox = "as is", c = "lathe_view_problem" },
      { "totable", "A plain Lua copy: deep, and without losing a bit.",
        more = [[
`lathe.new`, or an assignment of the copy, gives the same bytes. It can be changed, also where it was made of
what a skeleton or animation tells in tables. Computed fields are left out, but for the few that `describe`
calls `copied` and those of a record in which all is computed (an element of a group, the rotation of a
matrix). Padding and unused lanes appear only where they hold something.]],
        params = {
          { "view", "lathe.Document|lathe.Record|lathe.Array|lathe.Buffer|lathe.Bone|lathe.Annotation|table",
            "also a list of bones or annotations" },
        },
        returns = { { "table" } },
        usage = "local bones = lathe.totable(doc.objects)",
        sandbox = "as is", no_c = "A table is a thing of Lua; lathe_view_get and lathe_view_read give the "
          .. "values." },
      { "serialize", "The bytes of a file that is written from scratch.",
        more = [[
Everything is in the order, alignment and padding that the format's own tools use, whatever the document's own
has, and never compressed. It changes nothing. Formats whose `can.serialize` is true have it.]],
        params = {
          { "view", "lathe.Document|lathe.Record", "a document, or one inside of another" },
          { "opts?", "{ game?: string, as?: \"xml\"|\"binary\" }", "`game`: the one whose layout is written; "
            .. "default: as it is; `as`: the container, of formats that have both; default: with a `game` "
            .. "binary, else as it is" },
        },
        returns = { { "string?" }, { "lathe.Error?", "why it cannot be written so" } },
        usage = [[
local doc = assert(lathe.open(path))
if lathe.serialize(doc) == doc:encode() then print "as its own tools write it" end]],
        sandbox = "as is", c = "lathe_doc_serialize" },
      { "buffer", "Makes a buffer.",
        params = {
          { "type", "string", "\"u8\", \"i8\", \"u16\" … \"f32\", \"f64\"" },
          { "rows", "integer" },
          { "columns?", "integer", "default: 1" },
          { "values?", "table|string", "a flat list, a list of rows, or bytes as `pack` gives them; default: "
            .. "zeros" },
        },
        returns = { { "lathe.Buffer" } },
        usage = "local b = lathe.buffer(\"f32\", 2, 3, { 0, 0, 0, 1, 0, 0 })",
        sandbox = "as is", no_c = "C has arrays." },
      { "insert", "Puts a new element before another one.",
        params = {
          ARRAY,
          { "i", "integer", "its index, from 1 to `#array + 1`" },
          { "value?", "any", "a table, a view of the same shape, or a scalar; default: an element of "
            .. "defaults" },
        },
        returns = { { "any", "the new element" } },
        usage = "lathe.insert(doc.objects, 1, { label = \"HEAD SPHERE\" })",
        sandbox = "as is", c = "lathe_view_insert" },
      { "append", "Puts a new element behind the last one.",
        params = { ARRAY, { "value?", "any", "as for `insert`" } },
        returns = { { "any", "the new element" } },
        usage = "lathe.append(doc.objects, { label = \"HEAD SPHERE\" })",
        sandbox = "as is", c = "lathe_view_insert" },
      { "remove", "Removes an element.",
        params = { ARRAY, { "i?", "integer", "its index; default: the last one" } },
        returns = { { "any", "a plain copy of it; nil where the array was empty and no index given" } },
        sandbox = "as is", c = "lathe_view_remove" },
      { "move", "Gives an element another place; the elements between close up.",
        more = [[
References to elements by number follow, and views stay on the elements that they show. Arrays of numbers and
texts, and of elements that are parts of their own, can do this; inline records (vertices, keys) cannot be
moved.]],
        params = {
          ARRAY,
          { "from", "integer", "its index" },
          { "to", "integer", "the index that it gets" },
        },
        usage = "lathe.move(doc.frames, 5, 2)",
        sandbox = "as is", c = "lathe_view_move" },
      { "resize", "Makes an array longer, by elements of default values, or shorter.",
        params = { ARRAY, { "n", "integer", "how many elements it gets" } },
        sandbox = "as is", c = { "lathe_view_insert", "lathe_view_remove" } },
      { "assign", "Replaces a whole array in one step.",
        params = {
          ARRAY,
          { "values", "table|string|lathe.Buffer|lathe.Array", "a list, bytes as `pack` gives them, a "
            .. "buffer, or an array of the same shape" },
          { "member?", "string", "with a buffer: only this member of the elements" },
        },
        usage = "lathe.assign(doc.vertices, positions)",
        sandbox = "as is", c = { "lathe_view_build", "lathe_view_write" } },
      { "pack", "The elements as they are stored, as little-endian bytes.",
        more = "For `string.unpack`, sockets and other libraries. All elements must have one size.",
        params = { { "array", "lathe.Array|lathe.Buffer" } },
        returns = { { "string" } },
        usage = "local a, b, c = string.unpack(\"<fff\", lathe.pack(doc.vertices))",
        sandbox = "as is", c = "lathe_view_read" },
      { "tobuffer", "A typed copy of an array of numbers or vectors, or of one member of its elements.",
        more = [[
A buffer is returned as it is: fields that are arrays in one file and buffers in another read alike.]],
        params = { { "array", "lathe.Array|lathe.Buffer" }, { "member?", "string" } },
        returns = { { "lathe.Buffer", "rows are elements; a vector's lanes are columns" } },
        usage = "local positions = lathe.tobuffer(doc.vertices)",
        sandbox = "as is", c = { "lathe_view_read", "lathe_view_lanes" } },
      { "read", "Reads any file, as documents are opened.",
        params = { { "path", "string" } },
        returns = { { "string?", "its bytes" }, WHY_NOT },
        sandbox = "policy", no_c = "A C program has its own ways to read files." },
      { "write", "Writes any bytes as documents are saved: the file appears whole or not at all.",
        params = { { "path", "string" }, { "bytes", "string" } },
        returns = { { "true?" }, { "lathe.Error?", "why not; what was there is intact then" } },
        sandbox = "policy", no_c = "A C program has its own ways to write files." },
      { "export", "Writes geometry, skeletons and animations for other programs: .glb, .obj and .csv; a "
        .. "behavior graph as a drawing: .dot.",
        more = [[
Meshes without triangles, triangles with corners that are not finite numbers, instances whose transforms are
not finite, and objects whose geometry cannot be read are left out and listed; where nothing is left, nothing
is written.

Of documents with animations or skeletons these are written, unless `what` says otherwise. The page of
`lathe.export` says how things look in each format.]],
        params = {
          { "what", "lathe.Document|table", "a document; or a list of meshes as `doc:meshes()` gives them; "
            .. "or, for several below a node each, a list of documents and of `{ name =, meshes = }`" },
          { "path", "string", "ends in .glb, .obj, .csv or .dot; beside an .obj with materials, an .mtl is "
            .. "written" },
          { "opts?", "lathe.ExportOptions" },
        },
        returns = { { "lathe.Exported?", "what was done" }, WHY_NOT },
        usage = {
          "assert(lathe.export(doc, \"box.glb\"))",
          "assert(lathe.export(walk, \"walk.glb\", { skeleton = lathe.open \"skeleton.hkx\", mesh = body }))",
        },
        sandbox = "policy", no_c = IN_LUA },
      { "view", "Writes one HTML page to look around in: the model in 3D, its clips, and the tree of fields.",
        more = [[
The page works without a network. Long arrays of the tree are cut, and say so. A lathe that was built without
the viewer returns an error; `make viewer` builds it.]],
        params = {
          { "what", "lathe.Document|lathe.Document[]", "a document, or several, of which the page shows "
            .. "one at a time" },
          { "path", "string", "what to write: a file that ends in .html" },
          { "opts?", "lathe.ViewOptions" },
        },
        returns = { { "lathe.Viewed?", "what the page shows" }, WHY_NOT },
        usage = "assert(lathe.view(doc, \"box.html\"))",
        sandbox = "policy", no_c = IN_LUA },
      { "preview", "Draws a picture of documents: .png or .svg.",
        more = [[
What is drawn follows from the documents, unless `what` says it: meshes with the collision over them, a
skeleton, poses of a clip, curves of a track, a precombined cell from above. A list gives a sheet with a cell
and a name for each document. Paths in it are opened one at a time; one that cannot be opened or drawn is told
in its cell and in `skipped`.

No other program and no graphics card is needed. The same documents give the same pixels on every machine.]],
        params = {
          { "what", "lathe.Document|(lathe.Document|string)[]", "a document, or a list of documents and "
            .. "paths" },
          { "path", "string", "ends in .png or .svg" },
          { "opts?", "lathe.PreviewOptions" },
        },
        returns = { { "lathe.Preview?", "what was drawn" },
          { "lathe.Error?", "why not; what was there is intact then" } },
        usage = {
          "assert(lathe.preview(doc, \"box.png\"))",
          "assert(lathe.preview({ \"crate.solid\", \"stock.nif\" }, \"both.png\", { view = \"front\" }))",
        },
        sandbox = "policy", c = "lathe_preview" },
      { "import", "Reads geometry, clips or a skeleton that another program wrote: .glb, .gltf, .obj and "
        .. ".csv.",
        more = "Each mesh is a table as `doc:meshes` gives it, so that `lathe.export` takes the list.",
        params = {
          { "path", "string", "ends in .glb, .gltf, .obj or .csv; what a .gltf names must lie beside it or "
            .. "below" },
          { "opts?", "lathe.ImportOptions" },
        },
        returns = {
          { "lathe.Imported[]|table[]|table|nil", "meshes; or clips, as `lathe.export` takes them, each with "
            .. "a `report`: `missing` (bones that the file lacks, which are at rest), `extra` (bones that no "
            .. "track moves), `resampled` (how many curves have keys between frames), `ignored`, `late`, "
            .. "`factor`, `turned` (how many bones had axes of Blender's, which were turned back), "
            .. "`rests_elsewhere` (true where the rest pose is not the skeleton's: rotations are taken as "
            .. "they are); or a skeleton, with `missing`, `extra` and `turned`" },
          WHY_NOT,
        },
        usage = {
          "local clips = assert(lathe.import(\"walk.glb\", { like = lathe.open \"walk.hkx\" }))",
          "local meshes = assert(lathe.import(\"crate.obj\", { up = \"z\" }))",
        },
        sandbox = "policy", no_c = IN_LUA },
      { "diff", "What differs between two documents of a format, as a patch.",
        more = [[
A patch is a list of changes in the order of the file. A change of a value has `path`, `old` and `new`; one of
an element `added` (`path` is that in `b`) or `removed` (that in `a`), with `key` if a key finds it. An
element that was inserted or removed is one change: counts and renumbered references that follow from it are
none. Where `at` is given, it is the path after the changes before it. A number that another field shows by
name has that as `old_name` and `new_name`.

The patch is tried on a copy of `a`: `complete` is true if that gives the bytes of `b`; else `missing` lists
what cannot be applied (`path`, `reason`), such as bytes that no field shows. `lathe.tree.to_json(patch)` is
its JSON text. It also has `patch` (the version of its form), `format` and `game`.]],
        params = {
          { "a", "lathe.Document" },
          { "b", "lathe.Document", "another of the same format" },
          { "opts?", "{ tolerance?: number, try?: boolean }", "`tolerance`: floats that differ by at most "
            .. "that, in the unit of the field, are equal; default: 0; `try = false`: does not try the "
            .. "patch" },
        },
        returns = { { "lathe.Patch?" }, WHY_NOT },
        usage = "local patch = assert(lathe.diff(old, new))",
        sandbox = "as is", no_c = IN_LUA },
      { "apply", "Applies a patch to a document: all of it, or nothing.",
        more = [[
It fails where a place is missing or has another value than the `old` or `removed` one of the change, or an
array another length; the error names the path and both values. A patch for another format or game is refused.
All changes are one step to undo.]],
        params = {
          { "patch", "lathe.Patch|string", "as `lathe.diff` gives it, or its JSON text, also as `lathe diff "
            .. "--json` writes it" },
          { "doc", "lathe.Document" },
          { "opts?", "{ force?: boolean }", "`force`: whatever the old values are, and without changes that "
            .. "cannot be applied" },
        },
        returns = { { "lathe.Report?", "`changed`, and `notes` if the patch is not complete" }, WHY_NOT },
        usage = "assert(lathe.apply(patch, doc))",
        sandbox = "as is", no_c = IN_LUA },
      { "find", "The places of a document that meet conditions.",
        more = [[
In patterns, `*` stands for any characters; the whole name must match; case, and / or \, make no
difference.]],
        params = {
          { "doc", "lathe.Document" },
          { "conditions", "{ texture?: string, material?: string, bone?: string, type?: string, where?: "
            .. "fun(doc: lathe.Document): any }", "patterns for paths of textures, names of materials and "
            .. "their files, names of bones, and types of records; and a function that is true for the "
            .. "document" },
        },
        returns = { { "table[]", "each with `path`, `condition` and the `value` found; empty if a condition "
          .. "does not hold" } },
        usage = "for _, place in ipairs(lathe.find(doc, { bone = \"*Head*\" })) do print(place.path) end",
        sandbox = "as is", no_c = IN_LUA },
      { "materials", "`doc.materials` as tables: shaders with the files that they name, and what collision "
        .. "is made of.",
        params = { { "doc", "lathe.Document" } },
        returns = {
          { "table[]", "each with `kind` (\"shader\" or \"collision\"), `name` (or nil), `source` (its "
            .. "view), `material` (the element of `doc.materials`) and `textures`, a list of `{ slot =, file "
            .. "= }`; shaders also `flags` (names), `colors` and `alpha`" },
        },
        sandbox = "as is", c = { "lathe_list_item", "lathe_material_look" } },
      { "set_materials", "Gives materials other names: of collision, of shaders and of textures.",
        params = {
          { "doc", "lathe.Document" },
          { "how", "table<string, string>|fun(name: string|integer, kind: string, source: lathe.Record, "
            .. "slot: string?): string?",
            "new names by old ones, whatever they are of, all at once, so that two may take each other's "
              .. "place; or a function that returns the new name, or nothing to leave it: `kind` is "
              .. "\"collision\" (`name` is a number where it is not known), \"shader\" (the name of a shader "
              .. "or of its material's file) or \"texture\" (`slot` is the texture's, such as \"diffuse\"); "
              .. "`source` is the block or object" },
          { "opts?", "{ unknown?: \"warn\"|\"allow\" }", "`unknown = \"allow\"`: no warnings of names of "
            .. "collision materials that are not known" },
        },
        returns = {
          { "lathe.Report?", "`changed`, and `warnings` where there are names that are not known" },
          { "lathe.Error?", "why not; nothing is changed then" },
        },
        usage = "lathe.set_materials(doc, function(name, kind) if kind == \"collision\" then return \"wood\" "
          .. "end end)",
        sandbox = "as is", no_c = IN_LUA },
    },
  },
  {
    owner = "lathe.tree", class = "lathe.tree",
    doc = "Functions that walk over any document or view, whatever its format.",
    more = [[
    local lathe = require "lathe"
    local doc = assert(lathe.open "Box.solid")
    print(lathe.tree.dump(doc, { depth = 1 }))]],
    functions = {
      { "dump", "Writes a view as a tree: a line for each field, with its offset, value and unit.",
        params = {
          VIEW,
          { "opts?", "{ depth?: integer, all?: boolean, offsets?: boolean, emit?: function, style?: function "
            .. "}",
            "`depth`: levels shown; `all`: arrays in full, padding and container bookkeeping; `offsets`: "
              .. "default true; `emit`: called with each line; `style`: `function(name, text)` that "
              .. "colours" },
        },
        returns = { { "string?", "the text, where no `emit` was given" } },
        usage = "print(lathe.tree.dump(lathe.open \"Box.solid\", { depth = 1 }))",
        sandbox = "as is", no_c = IN_LUA },
      { "diff", "The differences between two documents of a format.",
        more = [[
The list of changes of `lathe.diff`, which is not tried on a copy. Of records, arrays with elements that were
inserted or removed have counts and references that follow from it as changes, too.]],
        params = {
          { "a", "lathe.Document|lathe.Record" },
          { "b", "lathe.Document|lathe.Record", "another of the same format or type" },
          { "opts?", "{ tolerance?: number }", "as for `lathe.diff`" },
        },
        returns = { { "table[]", "in file order; empty where nothing differs" } },
        usage = "for _, change in ipairs(lathe.tree.diff(old, new)) do print(lathe.tree.diff_line(change)) "
          .. "end",
        sandbox = "as is", no_c = IN_LUA },
      { "diff_line", "One difference as a line of text.",
        params = { { "change", "table" } },
        returns = { { "string", "`vertices[1].x: 1 -> 2`" } },
        sandbox = "as is", no_c = IN_LUA },
      { "to_json", "JSON text of a view, or of any tree of plain values; a view in such a tree by its path.",
        params = { { "value", "any" } },
        returns = { { "string", "one line" } },
        usage = "io.write(lathe.tree.to_json(lathe.open \"Box.solid\"), \"\\n\")",
        sandbox = "as is", no_c = IN_LUA },
      { "from_json", "Reads what `to_json` wrote of a document or record: a plain table that `lathe.new` "
        .. "takes.",
        params = {
          { "source", "string" },
          { "type_name?", "string", "the record's type: the format's name for a document" },
        },
        returns = { { "table?" }, { "string?", "what is wrong with the text" } },
        usage = "local fields = lathe.tree.from_json(lathe.tree.to_json(doc), doc.format)",
        sandbox = "as is", no_c = IN_LUA },
    },
  },
}
