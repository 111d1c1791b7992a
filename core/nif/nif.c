/* The format NIF: its hooks and verbs. */
#include "nif/nif.h"

#include "gen/nif_types.h"
#include "havok/physics/names/material_rule.h"
#include "nif/collision/collide.h"
#include "nif/collision/collision.h"
#include "nif/geometry/packed/convert.h"
#include "nif/geometry/packed/set_geometry.h"
#include "nif/geometry/transform.h"
#include "nif/scale.h"
#include "scene/hooks.h"

static const char *game(const lathe_doc *doc)
{
    static const struct {
        int64_t bs;
        const char *name;
    } games[] = {{155, "Fallout 76"}, {130, "Fallout 4"}, {100, "Skyrim SE"},
                 {83, "Skyrim"},      {14, "Fallout 3"},  {1, "Oblivion"}};
    int64_t version = doc->containers[0].version, bs = version & 0xFFFF;
    if (bs >= 170)
        return "Starfield";
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++)
        if (bs >= games[i].bs)
            return games[i].name;
    return version >> 32 <= 0x04000002 ? "Morrowind" : "Oblivion";
}

static const rec_type *types(size_t i)
{
    return i < nif_block_count ? &nif_unit.types[i] : NULL;
}

static const char *const extensions[] = {"nif", "bto", "btr", "kf", NULL};
static const char *const games[] = {"Skyrim",    "Skyrim SE",  "Fallout 4", "Fallout 3", "Oblivion",
                                    "Morrowind", "Fallout 76", "Starfield", NULL};

/* clang-format off */
static const rec_verb verbs[] = {
    {.name = "scale", .doc = nif_scale_doc, .params = nif_scale_params, .run = nif_scale},
    {.name = "transform", .doc = nif_transform_doc, .params = nif_transform_params, .run = nif_transform_verb},
    {.name = "recompute", .doc = "Works normals, tangents or bounding spheres of all shapes out anew.", .params = nif_recompute_params,
     .run = nif_recompute},
    {.name = "set_materials", .doc = "Replaces names of texture and material files wherever shaders and textures name one, or a collision material.",
     .params = hk_set_materials_params, .run = nif_set_materials},
    {.name = "set_collision", .doc = nif_set_collision_doc, .params = nif_set_collision_params, .run = nif_set_collision},
    {.name = "remove_collision", .doc = nif_remove_collision_doc, .params = nif_remove_collision_params, .run = nif_remove_collision},
    {.name = "convert", .doc = nif_convert_doc, .params = nif_convert_params, .run = nif_convert},
    {.name = "precombine", .doc = "Adds what is drawn of other models to a group of precombined meshes (Fallout 4), a shape for each material.",
     .params = nif_precombine_params, .run = nif_precombine},
    {.name = "remove_unused_strings", .doc = "Removes texts of the header that no block names; the others get new numbers, which blocks follow.",
     .run = nif_remove_unused_strings},
    {.name = "block", .doc = "Finds the first block with a name; nil where none has it.", .params = nif_find_block_params,
     .query = true, .single = true, .run = nif_find_block},
    {.name = "set_geometry", .type = &nif_PackedGeom, .doc = nif_set_geometry_doc, .params = nif_set_geometry_params, .run = nif_set_geometry},
    {.name = "add_object", .type = &nif_BSPackedCombinedGeomDataExtra, .doc = nif_add_object_doc, .params = nif_add_object_params, .run = nif_add_object},
    {.name = "add_object", .type = &nif_BSPackedCombinedSharedGeomDataExtra, .doc = nif_add_object_doc, .params = nif_add_object_params, .run = nif_add_object},
    {0},
};
/* clang-format on */

static lathe_result nif_count(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err)
{
    switch (list) {
    case LATHE_MESHES: return nif_mesh_count(doc, n, err);
    case LATHE_COLLISION: return nif_collision_count(doc, n, err);
    case LATHE_MATERIALS: return nif_material_count(doc, n, err);
    case LATHE_BODIES: return nif_body_count(doc, n, err);
    default: return LATHE_OK;
    }
}

static const scene_hooks nif_hooks = {
    .count = nif_count,
    .mesh = nif_mesh,
    .nodes = nif_nodes,
    .material = nif_material,
    .look = nif_material_look,
    .body = nif_body,
    .collision = nif_collision,
    .body_owner = nif_body_owner,
    .body_moves = nif_body_moves,
};

static const char *const compared_with[] = {"bones", NULL};

const lathe_format format_nif = {
    .name = "nif",
    .doc = "scene of NetImmerse, Gamebryo or the Creation Engine: meshes, materials, collision",
    .extensions = extensions,
    .games = games,
    .compared_with = compared_with,
    .root = &nif_root,
    .types = types,
    .derives = true,
    .arranges = true,
    .sniff = nif_sniff,
    .open = nif_open,
    .begin = nif_begin,
    .part_type = nif_part_type,
    .part_arg = nif_part_arg,
    .type_named = nif_type_named,
    .settle = nif_settle,
    .relayout = nif_relayout,
    .check = nif_check,
    .game = game,
    .scene = &nif_hooks,
    .verbs = verbs,
};
