/* The format "hkx": what packfiles are, and what one can do with them. */
#include "havok/animation/clip.h"
#include "havok/packfile/object_list.h"
#include "havok/packfile/serialize.h"
#include "havok/physics/leaves.h"
#include "havok/physics/materials.h"
#include "scene/clip_verbs.h"
#include "scene/hooks.h"

static const char *game(const lathe_doc *doc)
{
    const rec_container *c = &doc->containers[0];
    return hk_game_of(c->version, c->pointer);
}

/* The games' z is up. */
static lathe_result game_skeleton(lathe_doc *doc, uint64_t i, model_skeleton *out, lathe_error *err)
{
    out->z_up = true;
    out->metres = HK_GAME_METRES;
    return hk_skeleton(doc, i, out, err);
}

static const char *const extensions[] = {"hkx", NULL};
static const char *const games[] = {"Skyrim LE", "Skyrim SE", "Fallout 4", NULL};

static lathe_result count(lathe_doc *doc, scene_list list, uint64_t *n, lathe_error *err)
{
    const hk_leaves *leaves;
    const hk_clips *clips = hk_clips_of(doc, 0, err);
    lathe_result r = clips ? LATHE_OK : LATHE_ERR_MEMORY;
    if (r != LATHE_OK)
        return r;
    switch (list) {
    case SCENE_SKELETONS: *n = clips->skeleton_count; break;
    case SCENE_CLIPS: *n = clips->count; break;
    case SCENE_MATERIALS: return hk_material_count(doc, n, err);
    case SCENE_BODIES: *n = hk_body_total(doc, 0); break;
    case SCENE_COLLISION:
        r = hk_leaves_of(doc, 0, &leaves, err);
        *n = r == LATHE_OK ? leaves->count : 0;
        break;
    default: break;
    }
    return r;
}

static const scene_hooks hkx_scene = {
    .count = count,
    .skeleton = game_skeleton,
    .skeleton_set = hk_skeleton_set,
    .material = hk_material,
    .body = hk_body,
    .collision = hk_collision,
    .clips = &hk_clip_hooks,
};

const lathe_format format_hkx = {
    .name = "hkx",
    .doc = "Havok packfile: skeletons, animations and other objects",
    .extensions = extensions,
    .games = games,
    .root = &hk_root,
    .types = hk_type,
    .sniff = hk_sniff,
    .open = hk_open,
    .type_named = hk_type_named,
    .relayout = hk_relayout,
    .refs = hk_refs,
    .owner = hk_owner,
    .drop = hk_drop,
    .led = hk_led,
    .tidy = hk_tidy,
    .make = hk_new,
    .serialize = hk_serialize,
    .serialize_params = hk_serialize_params,
    .game = game,
    .check = hk_check,
    .scene = &hkx_scene,
    .shared = scene_clip_verbs,
    .verbs = hk_verbs,
};
