-- Documents, their records and arrays.

local OPTS_GAME = { "opts?", "{ game?: string, as?: \"xml\"|\"binary\" }", "`game`: the one whose layout is "
  .. "written; default: as it is; `as`: the container, of formats that have both; default: with a `game` "
  .. "binary, else as it is" }
local INDEXED = "A C program reads and writes fields with lathe_view_get and lathe_view_set."

-- Methods of arrays that are functions of the module, called with a colon.
local function array_method(name, c)
  return { name, as = "lathe." .. name, sandbox = "as is", c = c }
end

return {
  {
    owner = "document", class = "lathe.Document", parent = "lathe.Record",
    doc = "An open file of any format.",
    more = [[
The fields of its top record are fields of the document: `doc.vertices`. Its format's verbs are methods:
`doc:scale(2)`. The page of each format lists both.]],
    fields = {
      { "format", "string", "The name of its format.", sandbox = "as is", c = "lathe_doc_info" },
      { "path?", "string", "Where it was opened.", sandbox = "as is", c = "lathe_doc_info" },
      { "game?", "string", "The game that its file is for.", sandbox = "as is", c = "lathe_doc_info" },
      { "size", "integer", "How many bytes it has when it is "
        .. "encoded.", sandbox = "as is", c = "lathe_doc_size" },
      { "modified", "boolean", "Whether it was changed since it was opened or saved.", sandbox = "as is",
        c = "lathe_doc_modified" },
      { "compression?", "\"zstd\"", "How it is compressed when it is encoded and saved; can be "
        .. "set.", sandbox = "as is",
        c = { "lathe_doc_info", "lathe_doc_set_compression" } },
      { "container?", "\"xml\"|\"binary\"", "What its file is, of formats whose files are either; "
        .. "`lathe.span` and `doc:at` give nil where it is a text. `convert` changes it.", sandbox = "as is",
        c = "lathe_doc_info" },
      -- The following are hidden by a field of the format with the same name.
      { "skeletons", "lathe.Skeleton[]", "Its skeletons.", yields = true, sandbox = "as is",
        c = { "lathe_list_count", "lathe_list_item" } },
      { "animations", "lathe.Animation[]", "Its animations.", yields = true, sandbox = "as is",
        c = { "lathe_list_count", "lathe_list_item" } },
      { "materials", "lathe.Record[]", "What its meshes are made of.", yields = true, sandbox = "as is",
        c = { "lathe_list_count", "lathe_list_item" } },
      { "bodies", "lathe.Record[]", "Rigid bodies: its collision.", yields = true, sandbox = "as is",
        c = { "lathe_list_count", "lathe_list_item" } },
      { "graph?", "lathe.Graph", "Its behavior graph.", yields = true, sandbox = "as is",
        c = { "lathe_list_count", "lathe_list_item" } },
      { "events", "table<integer|string, lathe.Record>", "The events of its behavior graph, by id, from 0, "
        .. "and by name.",
        yields = true, sandbox = "as is", c = { "lathe_list_item", "lathe_list_find" } },
      { "variables", "table<integer|string, lathe.Record>", "The variables of its behavior graph, by id, "
        .. "from 0, and by name.",
        yields = true, sandbox = "as is", c = { "lathe_list_item", "lathe_list_find" } },
      { "animation_files", "string[]", "The animations that a character or a project lists.",
        sandbox = "as is", c = { "lathe_list_count", "lathe_list_name" } },
    },
    methods = {
      { "save", "Writes the document: a temporary file beside the target, flushed, renamed over it.",
        params = {
          { "path?", "string", "default: where the document came from" },
          { "opts?", "{ backup?: boolean, as?: \"xml\"|\"binary\" }", "`backup` keeps what was there as "
            .. "\"path.bak\"; `as`: the container of the file, of formats that have both; default: \"xml\" "
            .. "where the name ends in .xml, else the document's own" },
        },
        returns = { { "true?" }, { "(lathe.Error | string[])?", "why not; the old file is intact then. Of a "
          .. "file that is written: what it does not keep, such as the comments of XML that was changed" } },
        sandbox = "policy", c = "lathe_doc_save" },
      { "encode", "The bytes that `save` would write.",
        more = [[
Of a document that nobody changed, they are the input. One that was changed and whose `compression` is "zstd"
is compressed anew, at level 19 and with the dictionary that it was opened with; so is one whose `size` is
asked for. `doc.compression = "zstd"` or `nil` decides whether it is, whatever the file was and whatever it is
called.]],
        returns = { { "string?" }, { "lathe.Error?" } },
        sandbox = "as is", c = "lathe_doc_encode" },
      { "serialize", as = "lathe.serialize", params = { OPTS_GAME }, some = "of formats that can",
        sandbox = "as is", c = "lathe_doc_serialize" },
      { "totable", as = "lathe.totable", sandbox = "as is",
        no_c = "A table is a thing of Lua; lathe_view_get and lathe_view_read give the values." },
      { "close", "Closes the document; views of it raise from then on.",
        more = "Also done by the collector, and at the end of a block that declares it `<close>`.",
        sandbox = "as is", c = "lathe_doc_close" },
      { "edit", "Calls a function and takes its changes as one step.",
        more = "If it raises, all of them are undone and the error goes on.",
        params = { { "fn", "fun(doc: lathe.Document): ...", "called with the document" } },
        returns = { { "any ...", "what it returns" } },
        usage = "doc:edit(function() for _, v in ipairs(doc.vertices) do v.y = -v.y end end)",
        sandbox = "as is", c = { "lathe_edit_begin", "lathe_edit_end" } },
      { "undo", "Takes back the last edit. Needs the option `history`.",
        params = { { "steps?", "integer", "default: 1" } },
        returns = { { "boolean", "whether there were that many" } },
        sandbox = "as is", c = "lathe_edit_undo" },
      { "redo", "Does again what `undo` took back.",
        params = { { "steps?", "integer", "default: 1" } },
        returns = { { "boolean", "whether there were that many" } },
        sandbox = "as is", c = "lathe_edit_undo" },
      { "check", "Checks everything, also what opening did not have to read.",
        params = {
          { "opts?", "table", "what formats ask for beside the file: `skeleton`, `corners` …; with `unknown "
            .. "= \"allow\"` collision materials that are not known are no finding; `tables`: of a file that "
            .. "is read on demand only what is in memory" },
        },
        returns = {
          { "true?", "where nothing breaks the file" },
          { "lathe.Error[]", "what was found; `level` is \"error\" or \"warning\"" },
        },
        sandbox = "as is", c = { "lathe_doc_check", "lathe_doc_check_with" } },
      { "get", "What stands at a path.",
        params = {
          { "path", "string", "as `lathe.path` gives it, or with keys: `levels[\"name\"]`; \"\" is the top "
            .. "record. It may begin with an item of `doc.bodies`, `doc.materials`, `doc.skeletons` or "
            .. "`doc.animations`, which means the record that this is a view of: `bodies[1].friction`" },
        },
        returns = { { "any", "the value; nil where it is absent" }, { "lathe.Error?", "why there is none" } },
        usage = "print(doc:get(\"vertices[2].x\"))",
        sandbox = "as is", c = { "lathe_view_at", "lathe_view_get" } },
      { "set", "Sets what stands at a path.",
        params = { { "path", "string" }, { "value", "any", "as for an assignment" } },
        returns = {
          { "any", "the value as it reads now; true where that is nothing or false, so that `assert` takes "
            .. "it" },
          { "lathe.Error?", "why it was not set" },
        },
        usage = "assert(doc:set(\"vertices[2].x\", 1.5))",
        sandbox = "as is", c = { "lathe_view_at", "lathe_view_set" } },
      { "at", "What holds a byte of the encoded document.",
        params = { { "offset", "integer", "from 0" } },
        returns = { { "any", "the innermost record" }, { "string?", "the name of the field in it" } },
        usage = "print(doc:at(0x1a40))",
        sandbox = "as is", c = "lathe_doc_at" },
      { "describe", "As `lathe.describe`, for the document's own record or for a record type by its name.",
        more = [[
The name is looked up in the types that the file itself describes, which `lathe.describe` does not know, then
in those of the document's format, then in all.]],
        params = { { "name?", "string" } },
        returns = { { "table[]?" }, { "lathe.Error?" } },
        sandbox = "as is", c = { "lathe_doc_type_describe", "lathe_doc_type" } },
      { "meshes", "What is drawn, or what collides, mesh by mesh.",
        more = "A mesh whose transform has a number that is not finite is left out; `doc:check()` reports "
          .. "it.",
        params = {
          { "opts?", "{ what?: \"geometry\"|\"collision\", lod?: 0|1|2, once?: boolean, left_out?: table[] }",
            "`what`: \"geometry\", the default, which is drawn; or \"collision\", of which there is none in "
              .. "formats without it. `lod`: triangles of the bands of detail 0 to lod, for geometry in "
              .. "bands; default: all bands. `once`: true: `positions` and the other buffers of an object "
              .. "come with its first mesh only. `left_out`: a list that gets { path =, reason =, instances "
              .. "= (how many) } of what is left out, also of objects that cannot be read, such as when "
              .. "their geometry file is missing: a reason that several have is told once, with the first "
              .. "one's path. Without this list, reading such an object raises an error" },
        },
        returns = { { "fun(): lathe.Mesh?", "an iterator" } },
        usage = "for mesh in doc:meshes() do print(mesh.name, mesh.positions.rows) end",
        sandbox = "as is",
        c = { "lathe_mesh_open", "lathe_mesh_describe", "lathe_mesh_count", "lathe_mesh_read",
          "lathe_mesh_joint", "lathe_mesh_material", "lathe_mesh_surface", "lathe_mesh_texture",
          "lathe_mesh_close" } },
    },
  },
  {
    owner = "record", class = "lathe.Record",
    doc = "A view of a record. Its fields are those of its type: `lathe.describe` lists them.",
    more = [[
A field of the type goes before a method of the same name; every method is also a function of the module.
Verbs of the type are methods, too.]],
    methods = {
      { "totable", as = "lathe.totable", sandbox = "as is", no_c = INDEXED },
      { "serialize", as = "lathe.serialize", params = { OPTS_GAME }, some = "of documents inside of others",
        sandbox = "as is", c = "lathe_doc_serialize" },
    },
  },
  {
    owner = "array", class = "lathe.Array",
    doc = "A view of an array: elements by number from 1.",
    more = [[
Where `lathe.describe` gives a `key`, a string index is a key and never a method: `values.time` is the value
under it or nil, `values.time = "x"` sets or appends it, `values.time = nil` removes it. There the methods are
called as functions of the module: `lathe.append(values, {…})`.]],
    methods = {
      array_method("insert", "lathe_view_insert"),
      array_method("append", { "lathe_view_insert", "lathe_view_build_item" }),
      { "copy", "Appends a copy of an object of any document, with all objects that it leads to.",
        more = [[
Only `doc.objects` of Havok packfiles. Pointers in the copies lead to the copies; an object that several
lead to is copied once. Skyrim LE and SE can copy from each other; other versions refuse it. An object whose
class is not described is copied with its bytes and pointers, between files of the same layout.]],
        params = { { "object", "lathe.Record", "a view of the object" } },
        returns = { { "lathe.Record", "the copy" } },
        usage = "doc.objects[3].generator = doc.objects:copy(other.objects[7])",
        sandbox = "as is", c = "lathe_view_copy" },
      array_method("remove", "lathe_view_remove"),
      array_method("move", "lathe_view_move"),
      array_method("resize", { "lathe_view_insert", "lathe_view_remove" }),
      array_method("assign", { "lathe_view_build", "lathe_view_write" }),
      array_method("pack", "lathe_view_read"),
      array_method("tobuffer", { "lathe_view_read", "lathe_view_lanes" }),
      { "totable", as = "lathe.totable", sandbox = "as is", no_c = INDEXED },
    },
  },
}
