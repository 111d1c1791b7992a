-- Buffers, and plain tables that functions take and return. A plain table has no methods or metatable; its
-- fields are listed here.

local NO_NEED = "C has arrays."

local function of_buffer(name, type, doc)
  return { name, type, doc, sandbox = "as is", no_c = NO_NEED }
end

return {
  {
    owner = "buffer", class = "lathe.Buffer", index = "number",
    doc = "Typed rows and columns in Lua's memory; its numbers are b[1] …, row by row.",
    more = "Changing one changes no document until it is assigned.",
    fields = {
      of_buffer("rows", "integer", "How many rows it has."),
      of_buffer("columns", "integer", "How many columns it has."),
      of_buffer("type", "string", "What its numbers are: \"f32\", \"u16\" …"),
    },
    methods = {
      { "at", "One value.",
        params = { { "row", "integer", "from 1" }, { "column", "integer", "from 1" } },
        returns = { { "number" } },
        sandbox = "as is", no_c = NO_NEED },
      { "row", "All values of a row.",
        params = { { "i", "integer", "from 1" } },
        returns = { { "number ...", "as many as there are columns" } },
        usage = "local x, y, z = positions:row(1)",
        sandbox = "as is", no_c = NO_NEED },
      { "totable", as = "lathe.totable", returns = { { "number[]" } }, sandbox = "as is", no_c = NO_NEED },
      { "pack", as = "lathe.pack", sandbox = "as is", no_c = NO_NEED },
      { "bounds", "The least and the largest value of each column. NaNs do not count.",
        returns = { { "number[]?", "the least ones; nil where there are no "
          .. "rows" }, { "number[]?", "the largest ones" } },
        sandbox = "as is", no_c = NO_NEED },
      { "transform", "Moves each row, a point x, y, z.",
        params = {
          { "matrix", "number[]|number[][]", "what a mesh has as `transform`: 16 numbers, column after "
            .. "column, with the translation at 13 to 15; or 4 lists of 4, which are the columns" },
        },
        returns = { { "lathe.Buffer", "itself" } },
        sandbox = "as is", no_c = NO_NEED },
    },
  },
  {
    owner = "error", class = "lathe.Error", plain = true,
    doc = "What went wrong, and where. `tostring` and `..` make it a text.",
    fields = {
      { "path?", "string", "The file." },
      { "where?", "string", "The place in it, as `lathe.path` writes it." },
      { "offset?", "integer", "Bytes from the start of the file." },
      { "code", "string", "What kind of error it is: \"bounds\", \"format\", \"io\", \"range\" …" },
      { "level", "\"error\"|\"warning\"", "Whether it breaks the file." },
      { "message", "string", "What is wrong." },
    },
  },
  {
    owner = "report", class = "lathe.Report", plain = true,
    doc = "What a verb did. Some verbs add results of their own.",
    fields = {
      { "changed", "integer", "How many things it changed." },
      { "skipped?", "{ path: string, reason: string }[]", "What it left as it was, and why." },
      { "warnings?", "string[]", "What may be wrong with the result." },
      { "notes?", "string[]", "Why nothing changed, or what came out otherwise than one may expect." },
    },
  },
  {
    owner = "patch", class = "lathe.Patch", index = "lathe.Change", plain = true,
    doc = "What differs between two documents: see `lathe.diff`.",
    fields = {
      { "patch", "integer", "Version of the form of patches." },
      { "format", "string", "The format of both." },
      { "game?", "string", "The game that their files are for." },
      { "complete", "boolean", "Whether it makes the second of the first one, byte for byte." },
      { "missing", "table[]", "What it cannot do: each with `reason`, and the `path` where there is one." },
      { "tolerance?", "number", "Floats that differ by at most that are left out." },
      { "notes?", "table[]", "Arrays in which too much differs to align them: `path`, `reason`." },
    },
  },
  {
    owner = "change", class = "lathe.Change", plain = true,
    doc = "One difference of two documents.",
    fields = {
      { "path", "string", "Where it is; of a removed element, in the first document." },
      { "at?", "string", "The path after the changes before it, if that is another one." },
      { "old?", "any", "The old value; of a reference, the path of its target." },
      { "new?", "any", "The new value." },
      { "added?", "any", "The new element." },
      { "removed?", "any", "The removed element." },
      { "key?", "any", "The key of the element, if it has one." },
      { "length?", "integer", "Number of elements before this one was added or removed." },
      { "old_name?", "string", "The name of the old number." },
      { "new_name?", "string", "The name of the new number." },
      { "whole?", "boolean", "Whether a whole array is replaced, because too much in it differs." },
      { "follows?", "boolean", "Whether it follows from others, so that `lathe.apply` leaves it to them." },
      { "cannot?", "string", "Why `lathe.apply` cannot do it." },
    },
  },
  {
    owner = "mesh", class = "lathe.Mesh", plain = true,
    doc = "A mesh as `doc:meshes` gives it: copies of what the file has.",
    more = [[
A vertex at p of a mesh with a skin is drawn at the sum over its bones of weight * world * bind * p, and
`transform` has no part in it. Matrices are 16 numbers, column after column.

What a file has once and draws in several places, as precombined geometry of Fallout 4, is a mesh for each
place. These meshes have `object` and `source`. What collides has the fields from `body` to
`triangle_materials`; its `transform` is as the file places the body, which may not be where the body is:
tools often wrote the centre of mass.]],
    fields = {
      { "name?", "string", "Its name." },
      { "material?", "string", "The name of its material." },
      { "positions?", "lathe.Buffer", "Rows of x, y, z, in the format's units." },
      { "indices?", "lathe.Buffer", "Rows of three vertices, from 0." },
      { "transform", "number[]", "From the mesh's space to the document's." },
      { "normals?", "lathe.Buffer", "Rows of x, y, z." },
      { "tangents?", "lathe.Buffer", "Rows of x, y, z, along u, and the bitangent's side, 1 or -1: times "
        .. "that, normal x tangent points up the image." },
      { "uvs?", "lathe.Buffer", "Rows of u, v." },
      { "colors?", "lathe.Buffer", "Rows of r, g, b, a." },
      { "joints?", "lathe.Buffer", "Rows of four bones, from 0." },
      { "weights?", "lathe.Buffer", "Rows of the shares of these bones, whose sum is 1 or 0." },
      { "skin?", "{ bones: { name: string, parent: integer, bind: number[], world: number[] }[] }",
        "The bones that hold it; a parent is the number of a bone, from 0, or -1." },
      { "surface?", "table", "How the material looks: { base_color = {r, g, b, a}, emissive = {r, g, b}, "
        .. "alpha = \"opaque\", \"mask\" or \"blend\", cutoff = (of \"mask\"), double_sided =, textures = { "
        .. "base_color = path, normal = path, … } }." },
      { "up", "\"y\"|\"z\"", "The axis that points up in the document's space." },
      { "uv_origin", "\"top\"|\"bottom\"", "The side of the image where v is 0." },
      { "metres?", "number", "The length of a unit, where it is known." },
      { "body?", "integer", "The number of its body in `doc.bodies`, which may have several meshes." },
      { "node_transform?", "number[]", "Where the node is that it belongs to, in whose space it is, without "
        .. "its scale, as bodies have none." },
      { "shape?", "string", "What stands for it in the file: \"hull\", \"mesh\", \"sphere\" or \"capsule\"; "
        .. "in Havok's files since 2015 also \"box\", \"cylinder\" or \"triangle\"." },
      { "materials?", "string[]", "Names of what its triangles are made of; a number without a name is one "
        .. "as \"0x0123ABCD\"." },
      { "triangle_materials?", "lathe.Buffer", "Of each triangle its number in that list, from 0." },
      { "object?", "integer", "A number from 1, the same for all meshes of one object and of no other in the "
        .. "document." },
      { "path?", "string", "The place in a scene that draws it: \"blocks[5]\", or "
        .. "\"blocks[5].data[2].combined[7]\"." },
      { "source?", "{ geometry_file_hash: integer, data_offset: integer }", "Where the object is among the "
        .. "geometry files that documents share, where the document says so." },
    },
  },
  {
    owner = "options", class = "lathe.Options", plain = true,
    doc = "Options of `lathe.open`, `lathe.parse` and `lathe.new`. Formats may take more.",
    fields = {
      { "format?", "string", "Forces a format by its name." },
      { "path?", "string", "Of `parse` and `new`: the name that errors use." },
      { "history?", "integer", "How many undo steps are kept; default: 0." },
      { "limit?", "integer", "Refuses files of more bytes." },
      { "geometry?", "lathe.Geometry", "Where the geometry of precombined meshes is: the path of a geometry "
        .. "file, a folder of such, a document, or a list of these; `{ [0xDDF19A67] = path }` takes a file "
        .. "for the one whose name has that hash; without it, the file's own folder and the one above "
        .. "`Meshes` are searched; precombined meshes were tested with generated samples only." },
      { "dictionary?", "string|{ bytes: string }", "The zstd dictionary that a compressed file needs: a "
        .. "path, or its bytes." },
      { "names?", "table", "Names of numbers in the game's own lists." },
      { "skeleton?", "string|lathe.AnySkeleton", "Names the bones of animations where their own file does "
        .. "not: a path, a document, one of its skeletons, or a table of bones; it is copied." },
    },
  },
  {
    owner = "export options", class = "lathe.ExportOptions", plain = true,
    doc = "Options of `lathe.export`.",
    fields = {
      { "format?", "\"glb\"|\"obj\"|\"csv\"|\"dot\"", "Whatever the path ends in." },
      { "scale?", "number|\"metres\"", "A factor for all lengths; default: 1. \"metres\" where the document "
        .. "knows its unit." },
      { "textures?", "\"names\"|\"reference\"", "\"reference\" makes images of textures in a .glb, by their "
        .. "paths from where it lies; \"names\" only names them." },
      { "what?", "\"geometry\"|\"collision\"", "Of documents, what is drawn, or what collides." },
      { "lod?", "0|1|2", "Of documents with geometry in bands of detail: triangles of the bands 0 to lod; "
        .. "default: all." },
      { "skeleton?", "lathe.AnySkeleton", "Which the clips move, where their document is not linked to "
        .. "one." },
      { "mesh?", "lathe.Document|lathe.Mesh[]", "A document or a list of meshes whose skins are held by its "
        .. "bones, by name." },
      { "clips?", "table", "A list of more documents, animations or clip tables." },
      { "euler?", "string", "An order of axes (\"XYZ\"), for angles in a .csv." },
    },
  },
  {
    owner = "preview options", class = "lathe.PreviewOptions", plain = true,
    doc = "Options of `lathe.preview`.",
    fields = {
      { "what?", "\"auto\"|\"meshes\"|\"collision\"|\"skeleton\"|\"pose\"|\"strip\"|\"track\"|\"cell\"",
        "What is drawn; default: \"auto\", which chooses by the document." },
      { "view?", "\"iso\"|\"front\"|\"side\"|\"top\"", "From where; default: \"iso\". The front is the side "
        .. "to which the game's characters look." },
      { "fit?", "string", "What fills the picture: \"mesh\", \"collision\", \"skeleton\", or the name of a "
        .. "mesh or bone; default: all." },
      { "size?", "string", "Width and height in pixels, such as \"1024x768\", at least 64x64, at most "
        .. "16777216 pixels in all; default: 1024x768, of a list by the number of its cells." },
      { "width?", "integer", "Pixels, in place of `size`." },
      { "height?", "integer", "Pixels, in place of `size`." },
      { "title?", "string", "Default: the names of the files." },
      { "clip?", "string|lathe.Document|lathe.Animation", "Whose poses are drawn." },
      { "skeleton?", "string|lathe.Document|lathe.Skeleton|(string|lathe.Document|lathe.Skeleton)[]",
        "The bones of the clip, or a list of them and of a model whose nodes carry bones that they lack; "
        .. "default: the clip's own, or a file skeleton.hkx beside it." },
      { "mesh?", "string|lathe.Document", "The skinned mesh that is drawn in the poses of the clip." },
      { "frames?", "integer", "How many poses a strip has; default: 6." },
      { "time?", "number", "Of a pose, in seconds; default: 0." },
      { "track?", "string", "The bone or slot whose curves are drawn." },
      { "names?", "boolean", "Whether bones have their names beside them." },
      { "against?", "string|lathe.Document", "Drawn beside the only document in the same view, with what "
        .. "differs marked." },
      { "data?", "string|fun(path: string): string?, any", "The folder with the textures, or a function that "
        .. "gives the bytes of one by its path as stored, or nil and why not; default: without textures." },
    },
  },
  {
    owner = "preview", class = "lathe.Preview", plain = true,
    doc = "What `lathe.preview` drew.",
    fields = {
      { "width", "integer", "Pixels." },
      { "height", "integer", "Pixels." },
      { "triangles", "integer", "How many triangles were drawn." },
      { "skipped", "{ path: string, reason: string }[]", "What was left out, and why." },
      { "notes", "string[]", "What was guessed." },
    },
  },
  {
    owner = "import options", class = "lathe.ImportOptions", plain = true,
    doc = "Options of `lathe.import`.",
    fields = {
      { "format?", "\"glb\"|\"gltf\"|\"obj\"|\"csv\"", "Whatever the path ends in." },
      { "up?", "\"y\"|\"z\"", "\"z\" turns what is read, where y is up, to the axes of a game where z is; "
        .. "default: \"y\"." },
      { "scale?", "number|\"metres\"", "As it was given to `lathe.export`: a factor that all lengths of the "
        .. "file have, or \"metres\"; default: 1." },
      { "metres?", "number", "The length of a unit of the game, which `scale = \"metres\"` needs." },
      { "what?", "\"geometry\"|\"clips\"|\"skeleton\"", "What is read; default: \"geometry\", or \"clips\" "
        .. "of a .csv and where `like` is given." },
      { "like?", "lathe.Document|lathe.Animation|table", "Of clips: a document or an animation whose tracks, "
        .. "frame rate, axes and unit are meant. Of skeletons: whose bones are meant." },
      { "skeleton?", "lathe.AnySkeleton", "Of clips: of any document." },
      { "fps?", "number", "Of clips: frames a second." },
      { "clip?", "string", "The name of the clip that is wanted." },
    },
  },
  {
    owner = "exported", class = "lathe.Exported", plain = true,
    doc = "What `lathe.export` did.",
    fields = {
      { "files", "string[]", "What was written." },
      { "meshes", "integer", "How many meshes." },
      { "triangles", "integer", "How many triangles." },
      { "skipped", "{ path: string, reason: string }[]", "What was left out, and why." },
      { "clips?", "integer", "How many animations." },
      { "bones?", "integer", "How many bones." },
      { "notes?", "{ path: string, reason: string }[]", "What was put right." },
    },
  },
  {
    owner = "view options", class = "lathe.ViewOptions", plain = true,
    doc = "Options of `lathe.view`.",
    fields = {
      { "skeleton?", "lathe.AnySkeleton", "Which the clips move, where their document is not linked to "
        .. "one." },
      { "mesh?", "lathe.Document|lathe.Mesh[]", "A document or a list of meshes whose skins are held by its "
        .. "bones, by name." },
      { "lod?", "0|1|2", "Of documents with geometry in bands of detail: triangles of the bands 0 to lod; "
        .. "default: all." },
      { "data?", "string|fun(path: string): string?, string?", "A folder with textures (DDS), by the paths "
        .. "that materials have; or a function that gives the bytes of one by its path as stored, or nil and "
        .. "why not. Default: materials have plain colours." },
      { "title?", "string", "The title of the page; default: the name of the first file." },
    },
  },
  {
    owner = "viewed", class = "lathe.Viewed", plain = true,
    doc = "What a page of `lathe.view` shows.",
    fields = {
      { "bytes", "integer", "The size of the page." },
      { "meshes", "integer", "How many meshes, with those of collision." },
      { "triangles", "integer", "How many triangles." },
      { "clips", "integer", "How many animations." },
      { "bones", "integer", "How many bones." },
      { "notes", "{ path: string, reason: string }[]", "What was left out or put right, and why." },
    },
  },
  {
    owner = "imported", class = "lathe.Imported", plain = true,
    doc = "A mesh that `lathe.import` read.",
    fields = {
      { "name?", "string", "Its name." },
      { "positions", "lathe.Buffer", "Rows of x, y, z." },
      { "indices", "lathe.Buffer", "A row a triangle, from 0." },
      { "normals?", "lathe.Buffer", "Where all vertices have them." },
      { "uvs?", "lathe.Buffer", "Where all vertices have them." },
      { "uv_origin", "\"top\"|\"bottom\"", "The side of the image where v is 0." },
      { "material?", "string", "Of all triangles." },
      { "materials?", "string[]", "Names of what its triangles are made of." },
      { "triangle_materials?", "lathe.Buffer", "Of each triangle its number in that list, from 0; one more "
        .. "than there are: none." },
      { "up", "\"y\"|\"z\"", "The axis that points up." },
      { "metres?", "number", "The length of a unit." },
      { "transform", "number[]", "The identity." },
    },
  },
  {
    owner = "verb", class = "lathe.Verb", plain = true,
    doc = "A row of `lathe.verbs`.",
    fields = {
      { "name", "string", "Its name." },
      { "doc", "string", "What it does." },
      { "query?", "boolean", "It answers and changes nothing." },
      { "single?", "boolean", "Its answer is one value, or nil." },
      { "counts?", "string", "One of what its report's `changed` counts, such as \"pose\"; nil: one "
        .. "change." },
      { "type?", "string", "The type of records that have it, where the document has not." },
      { "params", "lathe.Param[]", "What it takes." },
    },
  },
  {
    owner = "param", class = "lathe.Param", plain = true,
    doc = "A parameter of a verb.",
    fields = {
      { "name", "string", "Its name." },
      { "doc", "string", "What it means." },
      { "unit?", "string", "Its unit." },
      { "kind", "\"number\"|\"integer\"|\"string\"|\"boolean\"|\"skeleton\"|\"clip\"|\"numbers\"|\"any\"",
        "What it may be; a \"clip\" is an animation, or a document." },
      { "positional?", "boolean", "It may be given without its name." },
      { "needed?", "boolean", "It must be given." },
      { "values?", "string[]", "The words that it may be." },
    },
  },
}
