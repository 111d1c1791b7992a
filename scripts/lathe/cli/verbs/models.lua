--- Commands for meshes and collision: verbs of scenes, shapes and models.
-- @module lathe.cli.verbs.models

local verb = require "lathe.cli.verbs"

local SKIPPED = "Files of other formats are skipped."
local POINT = "Three numbers, such as 1,0,0."
local A_MESH = "a table of many numbers; --mesh FILE supplies it"
local OMIT = { positions = A_MESH, triangles = A_MESH, normals = A_MESH, tangents = A_MESH, uvs = A_MESH,
  colors = A_MESH, into = "a second file that would be written, too: `lathe convert --to shared --into` "
    .. "writes it" }
local SHARE = "inline: if the geometry is in a geometry file, the block gets the geometry of all its "
  .. "objects. "
  .. "`lathe convert --to shared --into FILE` moves it to a geometry file again."
local ONE_MESH = "File with the mesh: .obj, .glb, .gltf, or a file of a game. z points up in NIFs: .obj and "
  .. ".glb files, where y does, are turned. Normals, texture coordinates and colors come along."
local UNKNOWN = "warn: report collision materials that lathe does not know, with the nearest known name. "
  .. "allow: do not. Default: warn."

local ABOUT = {
  {
    name = "transform",
    summary = "Move, turn and scale all of a shape or of precombined meshes.",
    description = [[
Move, turn and scale all of a file as one: precombined meshes of Fallout 4 (NIF) with everything below their
nodes, or a Phive shape (.bphsh), which cannot be turned. ]] .. SKIPPED,
    kinds = { matrix = "list", translation = "list", rotation = "list" },
    docs = {
      matrix = "16 numbers, column after column; it may turn, move and scale, but not mirror or shear.",
      translation = "Where the origin goes: three numbers, such as 0,0,64. Units: game units; of .bphsh "
        .. "metres, "
        .. "rounded to whole steps of its grid.",
      rotation = "Rotation about the origin: a quaternion x,y,z,w, or nine numbers of a matrix in three "
        .. "rows. "
        .. "It comes before the translation.",
      scale = "Factor about the origin, above 0; it comes first. Of .bphsh also three, for x, y and z.",
    },
    examples = {
      "lathe transform --translation 0,0,64 group.nif -o raised.nif",
      "lathe transform --scale 2 --translation 1,0,0 floor.bphsh -o moved.bphsh",
    },
  },
  {
    name = "recompute",
    summary = "Compute normals, tangents or bounding spheres of all shapes again.",
    description = [[
Compute normals, tangents or bounding spheres of all shapes of scenes again, from vertices and triangles:
after a script moved vertices, for example. ]] .. SKIPPED,
    examples = {
      "lathe recompute normals stock.nif -o smooth.nif",
      "lathe recompute --what tangents Meshes/ --dry-run",
    },
  },
  {
    name = "set_collision",
    summary = "Make the collision of a node from a mesh, or of a simple shape (Fallout 4).",
    description = [[
Give a node of a Fallout 4 scene new collision: a shape with its material and mass, and a body. Its old
collision is removed. --mesh supplies the points that a shape of --kind encloses; a box, sphere or capsule
can be given by its measures instead. A file with several meshes and --kind compound make a hull for each.
]] .. SKIPPED,
    kinds = { node = "node", mesh = "meshes", size = "numbers", center = "list", a = "list", b = "list",
      material = "id", layer = "id", system = "node" },
    needs = {},
    docs = {
      node = "Name of the node, its number among the blocks, or its path, such as 'blocks[1]'. Default: the "
        .. "first block.",
      kind = "hull: around all points. mesh: the triangles as they are, for bodies that are not dynamic. "
        .. "box, "
        .. "sphere, capsule: around all points, or as the measures say. compound: a hull for each mesh.",
      mesh = "File with the mesh: .obj, .glb, .gltf, or a file of a game. z points up in NIFs: .obj and .glb "
        .. "files, where y does, are turned.",
      size = "Size of a box: one number, or three such as 64,64,128.",
      center = "Center of a box or sphere in the node's space. Default: 0,0,0.",
      radius = "Radius of a sphere or capsule.",
      a = "Start of the axis of a capsule. " .. POINT,
      b = "End of the axis of a capsule. " .. POINT,
      convex_radius = "Thickness of the shell around hulls and boxes. Default: 0.6999125, which is 0.01 m.",
      max_vertices = "Maximum number of corners of a hull, 4 to 252. Default: 252.",
      material = "Name or number of the collision material. Default: that of the mesh, else metal.",
      restitution = "How much it bounces, 0 to 1. Default: 0.4.",
      layer = "Name or number of the collision layer. Default: static, animstatic (keyframed) or clutter "
        .. "(dynamic).",
      motion = "static: never moves. keyframed: animations move it. dynamic: physics move it. Default: "
        .. "static, "
        .. "or dynamic if --mass or --density is given.",
      mass = "Mass of a dynamic body. Default: 9, or by --density.",
      density = "Density of a dynamic body, instead of --mass.",
      system = "Number or path of a bhkPhysicsSystem that gets the body. Default: a new one.",
      space = "Space of the meshes: document or node. Default: document.",
      unknown = UNKNOWN,
    },
    examples = {
      "lathe set-collision --kind hull --mesh bar.obj --material wood --mass 12 stock.nif -o hull.nif",
      "lathe set-collision --kind box --node Stock --size 48,48,96 --center 0,0,48 stock.nif --dry-run",
    },
  },
  {
    name = "remove_collision",
    summary = "Remove the collision of a node.",
    description = [[
Remove the collision of a node, with the body, shapes and materials that nothing else uses. ]] .. SKIPPED,
    kinds = { node = "node" },
    docs = {
      node = "Name of the node or shape, its number among the blocks, or its path, such as 'blocks[1]'; "
        .. "also of "
        .. "a body, such as 'bodies[1]'.",
    },
    examples = {
      "lathe remove-collision Stock stock.nif -o bare.nif",
      "lathe remove-collision --node 'bodies[1]' stock.nif --dry-run",
    },
  },
  {
    name = "set_triangle_materials",
    summary = "Set what each triangle of collision is made of.",
    description = [[
Set the material of each triangle of a collision mesh, or of all: a Phive shape (.bphsh), or a compressed
mesh of Fallout 4, which --at names. ]] .. SKIPPED,
    at = "a hknpCompressedMeshShape, such as 'bodies[2].shape'",
    kinds = { materials = "names", triangle_materials = "list" },
    needs = { materials = true },
    docs = {
      materials = "Name or number of the material of all triangles; or several, such as wood,metal, one for "
        .. "each "
        .. "triangle, or as --triangle-materials chooses.",
      quads = "Two triangles that are stored as one quad have one material. refuse: an error if they would "
        .. "differ. "
        .. "first: the quad gets that of its first triangle. cut: the quad is cut in two. Default: refuse.",
      triangle_materials = "For each triangle, its number in that list, from 0: 0,0,1,0.",
      unknown = UNKNOWN,
    },
    examples = {
      "lathe set-triangle-materials Stone floor.bphsh -o stone.bphsh",
      "lathe set-triangle-materials wood floor.nif --at 'bodies[2].shape' -o wooden.nif",
    },
  },
  {
    name = "set_mesh",
    summary = "Replace the triangles of a Phive shape.",
    description = [[
Replace the triangles of a Phive shape (.bphsh) by those of another file, in metres with y up. Materials are
matched by name. ]] .. SKIPPED,
    kinds = { mesh = "meshes", materials = "names" },
    docs = {
      mesh = "File with the mesh: .obj, .glb, .gltf, or another .bphsh.",
      materials = "Materials of the mesh, in its order, or one for all: names or numbers, such as "
        .. "Stone,Wood. "
        .. "Default: those of the mesh.",
      quads = "Store pairs of triangles as quads where possible, as the game's own tools do.",
      flat_quads = "Mark quads that are flat and convex as one face of four corners.",
      interior = "Mark triangles whose edges need no test, which is faster in the game.",
    },
    examples = {
      "lathe set-mesh bar.obj floor.bphsh --materials Stone -o bar.bphsh",
      "lathe set-mesh --mesh other.bphsh floor.bphsh --dry-run",
    },
  },
  {
    name = "set_geometry",
    summary = "Replace the geometry of a precombined object (Fallout 4).",
    description = [[
Replace the vertices and triangles of an object of precombined meshes; where it is drawn stays. ]] .. SKIPPED,
    at = "a PackedGeom, such as 'blocks[4].data[1]'",
    kinds = { mesh = "mesh" },
    omit = OMIT,
    needs = { mesh = true },
    values = { share = { "inline" } },
    docs = { mesh = ONE_MESH, share = SHARE },
    examples = {
      "lathe set-geometry --mesh bar.obj --at 'blocks[4].data[1]' group.nif -o changed.nif",
      "lathe set-geometry --mesh crate.obj --at 'blocks[4].data[2]' group.nif --dry-run",
    },
  },
  {
    name = "add_object",
    summary = "Add an object to precombined meshes (Fallout 4).",
    description = [[
Add an object with its geometry to a block of precombined meshes, and the places where it is drawn. To make a
group from whole models, use `lathe precombine`. ]] .. SKIPPED,
    at = "a block with precombined geometry, such as 'blocks[4]'",
    kinds = { mesh = "mesh", combined = "literal" },
    omit = OMIT,
    needs = { mesh = true },
    values = { share = { "inline" } },
    docs = {
      mesh = ONE_MESH,
      share = SHARE,
      combined = "The places where it is drawn, as a list: {{transform={translation={0,0,64}, scale=2}}}. "
        .. "Default: none.",
    },
    examples = {
      "lathe add-object --mesh bar.obj --combined '{{transform={translation={0,0,64}}}}' group.nif -o "
        .. "more.nif",
      "lathe add-object --mesh crate.obj --at 'blocks[4]' group.nif --dry-run",
    },
  },
  {
    name = "bounding_sphere",
    summary = "Print the bounding sphere that the game computes for a model (Lugaru).",
    description = "Print center and radius of the bounding sphere that the game computes for a model. " ..
      SKIPPED,
    results = { "center", "radius" },
    examples = { "lathe bounding-sphere crate.solid", "lathe bounding-sphere crate.solid --json" },
  },
}

return verb.commands(ABOUT)
