--- Golden pictures: { name, documents, options of lathe.preview, skipped = what the report lists }. Names of files are
-- those of golden_files and of scripts/examples; `data` is the folder with the textures.

return {
  -- meshes
  { "plain", { "plain.nif" }, {} },
  { "view_front", { "plain.nif" }, { view = "front" } },
  { "view_side", { "plain.nif" }, { view = "side" } },
  { "view_top", { "plain.nif" }, { view = "top" } },
  { "vertex_colors", { "colors.nif" }, {} },
  { "textured", { "painted.nif" }, { data = "textures" } },
  { "holes", { "fence.nif" }, { data = "textures" } },
  { "crossing", { "cross.nif" }, {} },
  { "near_plane", { "room.nif" }, { fit = "Pebble:0" } },
  { "letters", { "crate.solid" }, { size = "480x220",
    title = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ" } },
  { "letters_large", { "crate.solid" }, { size = "640x220", title = "Tür, Stützbalken, Ça où él år ñ ß Ærø" } },
  { "crate_of_lugaru", { "crate.solid" }, { view = "iso", title = "A title" } },
  -- collision
  { "bodies", { "bodies.nif" }, {} },
  { "bodies_front", { "bodies.nif" }, { view = "front" } },
  { "collision_alone", { "bodies.nif" }, { what = "collision" } },
  { "meshes_alone", { "bodies.nif" }, { what = "meshes", fit = "Crate:0" } },
  { "stock", { "stock.nif" }, {} },
  { "bphsh", { "field.bphsh" }, {} },
  { "bphsh_top", { "field.bphsh" }, { view = "top" } },
  { "volumes", { "volumes.fzx" }, {} },
  -- skeletons
  { "skeleton", { "biped.hkx" }, { view = "front" } },
  { "skeleton_names", { "biped.hkx" }, { view = "front", names = true, size = "320x240" },
    skipped = { { path = "biped.hkx", reason = "3 names of bones have no room" } } },
  { "skeleton_iso", { "dummy.phxbn" }, {} },
  { "skinned", { "body.nif" }, {} },
  { "pose", { "wave.hkx" }, { time = 0.25, skeleton = "skeleton.hkx", view = "front" } },
  { "skinned_pose", { "body.nif" }, { clip = "wave.hkx", skeleton = "skeleton.hkx", time = 0.5, view = "front" } },
  { "skinned_pose_iso", { "wave.hkx" }, { mesh = "body.nif", skeleton = "skeleton.hkx", time = 0.25 } },
  { "strip", { "wave.hkx" }, { frames = 4, skeleton = "skeleton.hkx", size = "480x240" } },
  { "curves", { "wave.hkx" }, { track = "NPC R UpperArm", skeleton = "skeleton.hkx", size = "480x360" } },
  { "strip_overgrowth", { "lift.anm" }, { frames = 3, skeleton = "dummy.phxbn", size = "480x240" } },
  { "strip_skinned", { "wave.hkx" }, { frames = 3, mesh = "body.nif", skeleton = "skeleton.hkx", size = "480x240" } },
  -- objects that are placed many times
  { "cell", { "0000E2DB_00000B1A_OC.nif" }, { size = "240x180" } },
  { "placed", { "0000E2DB_00000B1A_OC.nif" }, { what = "meshes", view = "iso", size = "240x180" } },
  -- two files
  { "against", { "plain.nif" }, { against = "moved.nif", size = "480x240" } },
  { "against_front", { "plain.nif" }, { against = "moved.nif", view = "front", size = "480x240" } },
  { "against_curves", { "wave.hkx" }, { against = "waved.hkx", track = "NPC R Hand", skeleton = "skeleton.hkx",
    size = "480x360" } },
  -- sheets
  { "sheet", { "plain.nif", "bodies.nif", "field.bphsh", "biped.hkx" }, { size = "320x240" } },
}
