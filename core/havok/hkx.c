/* The format "hkx": what packfiles are, and what one can do with them. */
#include "havok/hkx.h"

#include "havok/animation/clip.h"
#include "havok/animation/made/made.h"
#include "havok/animation/retime.h"
#include "havok/animation/types.h"
#include "havok/behavior/graph.h"
#include "havok/behavior/verbs.h"
#include "havok/check.h"
#include "havok/container.h"
#include "havok/convert.h"
#include "havok/named/classes.h"
#include "havok/named/scale.h"
#include "havok/packfile/object_list.h"
#include "havok/packfile/serialize.h"
#include "havok/physics/leaves.h"
#include "havok/physics/materials.h"
#include "havok/physics/rigid.h"
#include "havok/physics/rigid_shapes.h"
#include "havok/scale.h"
#include "scene/clip_verbs.h"
#include "scene/hooks.h"

/* XML of Skyrim is for either of its games. */
static const char *game(const lathe_doc *doc)
{
    const rec_container *c = &doc->containers[0];
    return c->version == HK_2010 && rec_in_form(doc) ? NULL : hk_game_of(c->version, c->pointer);
}

/* The games' z is up, and characters look along y: in the skeletons of Skyrim and Fallout 4, toes are 8 units ahead of
 * feet along y, and tails behind. */
static lathe_result game_skeleton(lathe_doc *doc, uint64_t i, model_skeleton *out, lathe_error *err)
{
    out->z_up = true;
    out->metres = HK_GAME_METRES;
    out->front = (vec3){0, 1, 0};
    return hk_skeleton(doc, i, out, err);
}

static lathe_result make(lathe_doc *maker, const lathe_source *fields, buf *out, lathe_error *err)
{
    return hk_new(&format_hkx, maker, fields, out, err);
}

/* ---- verbs -------------------------------------------------------------------------------------------------- */

static const rec_param *const rename_params[] = {&scene_rename_from, &scene_rename_to,
                                                 &hk_rename_what, NULL};

/* Files with animations and no graph have annotations alone to rename. */
static lathe_result rename(lathe_view self, const lathe_source *args, lathe_report *report,
                           lathe_error *err)
{
    lathe_value what;
    const hk_graph *g;
    bool given = rec_arg(args, "what", &what);
    lathe_result r = hk_graph_of(self.doc, 0, &g, err);
    if (r != LATHE_OK)
        return r;
    if (!given && g->graphs)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "option 'what' is needed: events, variables or states");
    return !given || rec_text_is(&what, "annotations") ? scene_rename(self, args, report, err)
                                                       : hk_graph_rename(self, args, report, err);
}

/* The verb of the scene, which the format's own one would hide. */
#define RENAME_CLIP(clip)                                                                          \
    {                                                                                              \
        .name = "rename", .type = &(clip), .counts = "annotation",                                 \
        .doc = "Renames annotations whose whole text matches.", .params = scene_rename_params,     \
        .run = scene_rename                                                                        \
    }

static const rec_verb verbs[] = {
    HK_RETIME(NULL),
    HK_RETIME(&hka_spline_compressed_animation),
    HK_RETIME(&hka_interleaved_uncompressed_animation),
    HK_RETIME(&hka_lossless_compressed_animation),
    {.name = "scale", .doc = hk_scale_doc, .params = hk_scale_params, .run = hk_scale},
    {.name = "prune", .doc = hk_prune_doc, .counts = "object", .run = hk_prune},
    {.name = "rename",
     .doc = "Gives an event, a variable or a state of the behavior graph another name, or renames "
            "annotations whose whole text matches. Ids stay; expressions that name it follow.",
     .params = rename_params,
     .run = rename},
    RENAME_CLIP(hka_spline_compressed_animation),
    RENAME_CLIP(hka_interleaved_uncompressed_animation),
    RENAME_CLIP(hka_lossless_compressed_animation),
    {.name = "replace_animation",
     .counts = "name",
     .doc = "Plays another animation: in clip generators, and in the lists of characters and "
            "projects.",
     .params = hk_replace_animation_params,
     .run = hk_replace_animation},
    {.name = "uses",
     .query = true,
     .list = true,
     .doc = "Lists the paths of all members that refer to an event, a variable or a state of the "
            "behavior graph, and of the expressions that name it.",
     .params = hk_uses_params,
     .run = hk_uses},
    {.name = "add_event",
     .doc = "Adds an event to the behavior graph. `id` is its number.",
     .params = hk_add_event_params,
     .run = hk_add_event},
    {.name = "remove_event",
     .doc = "Removes an event of the behavior graph that nothing refers to. Greater ids, and all "
            "members that have them, become one less.",
     .params = hk_remove_event_params,
     .run = hk_remove_event},
    {.name = "add_variable",
     .doc = "Adds a variable to the behavior graph. `id` is its number.",
     .params = hk_add_variable_params,
     .run = hk_add_variable},
    {.name = "remove_variable",
     .doc = "Removes a variable of the behavior graph, and its value, if nothing refers to it. "
            "Greater ids, and all members that have them, become one less.",
     .params = hk_remove_variable_params,
     .run = hk_remove_variable},
    {.name = "add_state",
     .doc = "Adds a state to a state machine of the behavior graph. `state` is its record, `id` "
            "its number.",
     .params = hk_add_state_params,
     .run = hk_add_state},
    {.name = "remove_state",
     .doc = "Removes a state that no transition enters, with all that it alone leads to.",
     .params = hk_remove_state_params,
     .run = hk_remove_state},
    {.name = "add_transition",
     .doc = "Adds a transition between states of a machine. `transition` is its record.",
     .params = hk_add_transition_params,
     .run = hk_add_transition},
    {.name = "remove_transition",
     .counts = "transition",
     .doc = "Removes the transitions of the behavior graph that match all options.",
     .params = hk_remove_transition_params,
     .run = hk_remove_transition},
    {.name = "add_clip",
     .doc = "Adds a clip generator, which plays an animation, below a node of the behavior graph. "
            "`clip` is its record.",
     .params = hk_add_clip_params,
     .run = hk_add_clip},
    {.name = "convert", .doc = hk_convert_doc, .params = hk_convert_params, .run = hk_convert},
    {.name = "set",
     .type = &hk_body_type,
     .params = hk_body_params,
     .run = hk_body_set,
     .doc =
         "Sets what is given, all or nothing; `shared` lists the bodies that it changed for, too."},
    {.name = "set_materials",
     .params = hk_set_materials_params,
     .run = hk_set_materials,
     .doc = "Replaces a material of collision, of shapes and of triangles, by name or number."},
    {.name = "set_triangle_materials",
     .type = &hknp_compressed_mesh_shape,
     .params = hk_triangle_materials_params,
     .run = hk_set_triangle_materials,
     .doc = "Sets what each triangle is made of, in the order of doc:meshes."},
    {0},
};

static const char *const extensions[] = {"hkx", NULL};
static const char *const games[] = {"Skyrim LE", "Skyrim SE", "Fallout 4", NULL};

static lathe_result count_bodies(lathe_doc *doc, uint64_t *n, lathe_error *err)
{
    if (!hk_is_rigid(doc, 0)) {
        *n = hk_body_total(doc, 0);
        return LATHE_OK;
    }
    const hk_rigids *bodies = hk_rigids_of(doc, 0, err);
    if (!bodies)
        return LATHE_ERR_MEMORY;
    *n = bodies->count;
    return LATHE_OK;
}

static lathe_result count(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err)
{
    const hk_leaves *leaves;
    lathe_result r;
    switch (list) {
    case LATHE_SKELETONS:
    case LATHE_ANIMATIONS: return hk_clip_count(doc, list, n, err);
    case LATHE_MATERIALS: return hk_material_count(doc, n, err);
    case LATHE_BODIES: return count_bodies(doc, n, err);
    case LATHE_COLLISION:
        r = hk_is_rigid(doc, 0) ? hk_rigid_leaves(doc, 0, &leaves, err)
                                : hk_leaves_of(doc, 0, &leaves, err);
        if (r == LATHE_OK)
            *n = leaves->count;
        return r;
    case LATHE_GRAPHS:
    case LATHE_EVENTS:
    case LATHE_VARIABLES:
    case LATHE_STATES:
    case LATHE_TRANSITIONS:
    case LATHE_CLIP_GENERATORS:
    case LATHE_ANIMATION_FILES: return hk_graph_count(doc, list, n, err);
    default: return LATHE_OK;
    }
}

static lathe_result body(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err)
{
    return hk_is_rigid(doc, 0) ? hk_rigid(doc, i, out, err) : hk_body(doc, i, out, err);
}

static lathe_result collision(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err)
{
    return hk_is_rigid(doc, 0) ? hk_rigid_collision(doc, i, mesh, err)
                               : hk_collision(doc, i, mesh, err);
}

static const scene_hooks scene_of_packfiles = {
    .count = count,
    .skeleton = game_skeleton,
    .skeleton_set = hk_skeleton_set,
    .material = hk_material,
    .body = body,
    .collision = collision,
    .clips = &hk_clip_hooks,
    .graph = &hk_graph_hooks,
};

static const char *const compared_with[] = {"skeleton", NULL};

const lathe_format format_hkx = {
    .name = "hkx",
    .doc = "Havok packfile: skeletons, animations and other objects",
    .extensions = extensions,
    .games = games,
    .compared_with = compared_with,
    .root = &hk_root,
    .types = hk_type,
    .type_any = hk_type_any,
    .type_in_version = hk_type_in_version,
    .sniff = hk_sniff,
    .open = hk_open,
    .type_named = hk_type_named,
    .other_tag = "type",
    .copy = hk_copy_object,
    .relayout = hk_relayout,
    .refs = hk_refs,
    .owner = hk_owner,
    .drop = hk_drop,
    .owned_range = hk_owned_range,
    .tidy = hk_tidy,
    .make = make,
    .serialize = hk_serialize_as,
    .serialize_params = hk_serialize_params,
    .game = game,
    .form = &hk_xml_form,
    .check = hk_check,
    .scene = &scene_of_packfiles,
    .shared = scene_clip_verbs,
    .verbs = verbs,
};
