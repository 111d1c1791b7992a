/* The format "hkx": what packfiles are, and what one can do with them. */
#include "havok/hkx.h"

#include "havok/animation/clip.h"
#include "havok/animation/made/made.h"
#include "havok/animation/retime.h"
#include "havok/animation/types.h"
#include "havok/check.h"
#include "havok/container.h"
#include "havok/convert.h"
#include "havok/named/classes.h"
#include "havok/named/scale.h"
#include "havok/packfile/object_list.h"
#include "havok/packfile/serialize.h"
#include "havok/physics/leaves.h"
#include "havok/physics/materials.h"
#include "havok/scale.h"
#include "scene/clip_verbs.h"
#include "scene/hooks.h"

/* XML of Skyrim is for either of its games. */
static const char *game(const lathe_doc *doc)
{
    const rec_container *c = &doc->containers[0];
    return c->version == HK_2010 && rec_in_form(doc) ? NULL : hk_game_of(c->version, c->pointer);
}

/* The games' z is up. */
static lathe_result game_skeleton(lathe_doc *doc, uint64_t i, model_skeleton *out, lathe_error *err)
{
    out->z_up = true;
    out->metres = HK_GAME_METRES;
    return hk_skeleton(doc, i, out, err);
}

static lathe_result make(lathe_doc *maker, const lathe_source *fields, buf *out, lathe_error *err)
{
    return hk_new(&format_hkx, maker, fields, out, err);
}

static const rec_verb verbs[] = {
    HK_RETIME(NULL),
    HK_RETIME(&hka_spline_compressed_animation),
    HK_RETIME(&hka_interleaved_uncompressed_animation),
    HK_RETIME(&hka_lossless_compressed_animation),
    {.name = "scale", .doc = hk_scale_doc, .params = hk_scale_params, .run = hk_scale},
    {.name = "prune", .doc = hk_prune_doc, .counts = "objects", .run = hk_prune},
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

static lathe_result count(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err)
{
    const hk_leaves *leaves;
    lathe_result r;
    switch (list) {
    case LATHE_SKELETONS:
    case LATHE_ANIMATIONS: return hk_clip_count(doc, list, n, err);
    case LATHE_MATERIALS: return hk_material_count(doc, n, err);
    case LATHE_BODIES: *n = hk_body_total(doc, 0); return LATHE_OK;
    case LATHE_COLLISION:
        r = hk_leaves_of(doc, 0, &leaves, err);
        if (r == LATHE_OK)
            *n = leaves->count;
        return r;
    default: return LATHE_OK;
    }
}

static const scene_hooks scene_of_packfiles = {
    .count = count,
    .skeleton = game_skeleton,
    .skeleton_set = hk_skeleton_set,
    .material = hk_material,
    .body = hk_body,
    .collision = hk_collision,
    .clips = &hk_clip_hooks,
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
