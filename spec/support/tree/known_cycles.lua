--- Files that may call each other in a circle, and why: each entry is one concern. All other files may not.

return {
  {
    folder = "core/record",
    why = "The engine: a record holds arrays, texts, parts and records, each of which is read, made and " ..
      "edited by going back to records.",
    "array", "build", "bulk", "chain", "companions", "compressed", "cut", "derive", "doc", "edit", "embed",
    "emit", "emit_count", "finish", "foreign", "form", "history", "index", "input", "journal", "layout", "lazy", "map",
    "numbers", "out_of_line", "own_types", "part", "path", "place", "polymorphic", "save", "source", "target", "types",
    "unstored", "value", "view", "walk",
  },
  {
    folder = "core/scene",
    why = "Animations: what was changed of one and is not stored yet is asked for first, and is itself made " ..
      "of what is stored.",
    "annotations", "clip", "draft", "motion", "rigs", "state",
  },
  {
    folder = "bindings",
    why = "Values of Lua: views hold buffers, copies and objects of the scene, which give back views.",
    "animation", "animation_write", "annotations", "bones", "buffer", "copy", "graph", "handle", "hold", "numbers",
    "object", "pack", "report", "sample", "serialize", "skeleton", "source", "store", "text", "totable", "verb", "view",
  },
  {
    folder = "bindings",
    why = "Opening a document opens its companions (skeleton, geometry, dictionaries), in the same way.",
    "companions", "document",
  },
  {
    folder = "core/havok/physics/build",
    why = "Compounds hold shapes, compounds among them.",
    "compound", "shape",
  },
  {
    folder = "core/nif/geometry/csg",
    why = "Rows lie in chunks that are read on demand and held while they are edited; an edit of a row looks " ..
      "for rows and chunks.",
    "edit", "find", "row", "stream",
  },
  {
    folder = "core/tagfile",
    why = "Heads in objects: setting one adds and drops items and objects, whose types and owners are found " ..
      "by their heads.",
    "edit", "edit_objects", "heads", "objects", "relative", "rows",
  },
  {
    folder = "core/wolfire",
    why = "Centring an animation may need a newer version, and an older version needs it uncentred.",
    "anm_centre", "anm_version",
  },
}
