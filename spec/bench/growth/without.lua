-- What has no line in the growth bench, and why.

local NO_LIST = "it goes through nothing that grows with the document"
local SCHEMA = "it tells of the schema, not of a document"
local OBJECT = "one object, whose vertices are written once; nif:convert has the list of objects"
local SAME = "the code of hkx, on the same numbers"

local LISTS = "doc.bodies, doc:meshes and the verbs of animations have lines, and ask for lists and items as this does"
local ONE = "one mesh or clip, read or sampled as a whole; doc:meshes and hkx:write have lines"

local without = {
  lathe_annotation_add = LISTS,
  lathe_annotation_count = LISTS,
  lathe_annotation_id = LISTS,
  lathe_annotation_read = LISTS,
  lathe_annotation_remove = LISTS,
  lathe_annotation_set = LISTS,
  lathe_clip_axes = ONE,
  lathe_clip_binding = LISTS,
  lathe_clip_decode = ONE,
  lathe_clip_describe = LISTS,
  lathe_clip_find = LISTS,
  lathe_clip_frame_at = ONE,
  lathe_clip_motion = ONE,
  lathe_clip_ready = ONE,
  lathe_clip_sample = ONE,
  lathe_clip_set = LISTS,
  lathe_clip_times = ONE,
  lathe_clip_track = LISTS,
  lathe_format_has = SCHEMA,
  lathe_material_name = SCHEMA,
  lathe_list_count = LISTS,
  lathe_material_look = LISTS,
  lathe_list_value = LISTS,
  lathe_mesh_close = ONE,
  lathe_mesh_count = ONE,
  lathe_mesh_describe = ONE,
  lathe_mesh_joint = ONE,
  lathe_mesh_material = ONE,
  lathe_mesh_open = ONE,
  lathe_mesh_read = ONE,
  lathe_mesh_surface = ONE,
  lathe_mesh_texture = ONE,
  lathe_skeleton_bone = LISTS,
  lathe_skeleton_describe = LISTS,
  lathe_skeleton_find = LISTS,
  lathe_skeleton_set = LISTS,
  lathe_skeleton_slot = LISTS,
  lathe_clip_encode = "hkx:write and anm:write call it",
  lathe_doc_info = NO_LIST,
  lathe_doc_set_compression = NO_LIST,
  lathe_doc_type = SCHEMA,
  lathe_doc_type_describe = SCHEMA,
  lathe_error_text = NO_LIST,
  lathe_format_describe = SCHEMA,
  lathe_format_type = SCHEMA,
  lathe_format_verb = SCHEMA,
  lathe_formats = SCHEMA,
  lathe_free = NO_LIST,
  lathe_result_name = NO_LIST,
  lathe_type_describe = SCHEMA,
  lathe_verb_describe = SCHEMA,
  lathe_version = NO_LIST,
  lathe_view_call = "each verb has a line",
  lathe_view_describe = SCHEMA,
  ["anm:additive"] = "refused: the clip is in model space",
  ["anm:normal"] = "refused: the clip is in model space",
  ["bphsh:set_triangle_materials"] = "bphsh:set_mesh writes them, and spec/formats/bphsh_growth_spec.lua has a line",
  ["geometry:convert"] = "from one container to another, of bytes alone",
  ["hkx:convert"] = "it writes all objects anew, as lathe_doc_new does",
  ["hkx:set"] = "of one body",
  ["hkx:set_materials"] = "nif:set_materials goes through it for each packfile",
  ["hkx:set_triangle_materials"] = "of one mesh, which has at most 65,536 triangles",
  ["nif:add_object"] = OBJECT,
  ["nif:set_geometry"] = OBJECT,
  ["nif:precombine"] = "Lua does it: make bench has its line",
  ["phxbn:rename"] = "names of IK bones, of which there are at most some dozens",
}

for _, verb in ipairs { "retime", "scale", "rename", "trim", "reverse", "resample", "concat", "mirror", "root_motion",
  "extract_root_motion", "bake_root_motion", "additive", "normal", "retarget", "offset", "loop", "blend", "encode",
  "write" } do
  without["tagfile:" .. verb] = SAME
end

return without
