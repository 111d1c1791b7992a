#include "nif/collision/collision.h"

#include "gen/nif_types.h"
#include "havok/physics/leaves.h"
#include "nif/container/packfiles.h"
#include "record/recent.h"

#include <math.h>
#include <stdlib.h>

/* ---- systems and ties -------------------------------------------------------------------------------------- */

static bool put_system(nif_collisions *all, lathe_doc *doc, uint64_t i)
{
    lathe_error why;
    uint32_t part = nif_packfile_of(doc, nif_block(doc, 0, i), &why);
    size_t n = all->systems.size / sizeof(nif_system);
    nif_system last = {0};
    if (part == REC_NO_PART)
        return why.code != LATHE_ERR_MEMORY;
    if (n)
        memcpy(&last, all->systems.data + (n - 1) * sizeof last, sizeof last);
    nif_system one = {.block = (uint32_t)i, .container = doc->parts[part].container};
    one.first_body = last.first_body + last.bodies;
    one.bodies = hk_body_total(doc, one.container);
    return buf_put(&all->systems, &one, sizeof one);
}

static bool put_tie(nif_collisions *all, const rec_at *at, uint64_t i)
{
    lathe_error why;
    uint64_t target, data, body;
    if (rec_raw(at, rec_slot_find(at->layout, "target"), 0, &target, &why) != LATHE_OK ||
        rec_raw(at, rec_slot_find(at->layout, "data"), 0, &data, &why) != LATHE_OK ||
        rec_raw(at, rec_slot_find(at->layout, "body_id"), 0, &body, &why) != LATHE_OK)
        return why.code != LATHE_ERR_MEMORY;
    const nif_tie one = {(uint32_t)data, (uint32_t)body, (uint32_t)target, (uint32_t)i};
    return buf_put(&all->ties, &one, sizeof one);
}

static int by_body(const void *a, const void *b)
{
    const nif_tie *x = a, *y = b;
    if (x->data != y->data)
        return x->data < y->data ? -1 : 1;
    return x->body < y->body ? -1 : x->body > y->body;
}

static int by_body_then_block(const void *a, const void *b)
{
    const nif_tie *x = a, *y = b;
    int order = by_body(a, b);
    return order ? order : x->block < y->block ? -1 : x->block > y->block;
}

static bool list_all(nif_collisions *all, lathe_doc *doc)
{
    bool ok = true;
    for (uint64_t i = 0, n = nif_total(doc, 0); ok && i < n; i++) {
        uint32_t part = nif_block(doc, 0, i);
        const rec_type *type = nif_part_type(doc, part);
        if (rec_is_a(type, &nif_bhkSystem)) {
            ok = put_system(all, doc, i);
        } else if (rec_is_a(type, &nif_bhkNPCollisionObject)) {
            bool there = nif_block_reads(doc, part, &ok);
            rec_at at = nif_at(doc, part);
            ok = ok && (!there || put_tie(all, &at, i));
        }
    }
    if (ok && all->ties.size)
        qsort(all->ties.data, all->ties.size / sizeof(nif_tie), sizeof(nif_tie),
              by_body_then_block);
    return ok;
}

static void release(lathe_doc *doc, rec_cached *what)
{
    nif_collisions *all = (nif_collisions *)what;
    buf_free(&all->systems);
    buf_free(&all->ties);
    mem_free(&doc->mem, all, sizeof *all);
}

static const rec_cache lists = {.lasts = true, .release = release};

/* Updates the cached lists. They depend on the packfiles, but not on edits in them that change no length. */
static bool follow(nif_collisions *all, lathe_doc *doc)
{
    uint64_t next = rec_recent_next(doc);
    bool ok = rec_recent_knows(doc, all->followed);
    for (uint64_t i = all->followed; ok && i != next; i++) {
        const rec_change *change = rec_recent_at(doc, i);
        ok = change->part != REC_NO_PART && doc->parts[change->part].container != 0 &&
             change->removed == change->inserted && change->removed;
    }
    all->followed = next;
    return ok;
}

nif_collisions *nif_collisions_of(lathe_doc *doc, lathe_error *err)
{
    nif_collisions *all = rec_cache_find(doc, 0, &lists);
    if (all && follow(all, doc))
        return all;
    rec_cache_drop(doc, 0, &lists);
    all = nif_open_packfiles(doc) ? mem_zalloc(&doc->mem, sizeof *all) : NULL;
    if (all) {
        buf_init(&all->systems, &doc->mem);
        buf_init(&all->ties, &doc->mem);
    }
    if (all && list_all(all, doc)) {
        all->followed = rec_recent_next(doc);
        rec_cache_put(doc, 0, &lists, &all->cached);
        return all;
    }
    if (all)
        release(doc, &all->cached);
    rec_no_memory(err);
    return NULL;
}

static nif_system *system_at(const nif_collisions *all, size_t k)
{
    return k < all->systems.size / sizeof(nif_system) ? (nif_system *)(void *)all->systems.data + k
                                                      : NULL;
}

/* ---- bodies ------------------------------------------------------------------------------------------------ */

lathe_result nif_body_count(lathe_doc *doc, uint64_t *n, lathe_error *err)
{
    const nif_collisions *all = nif_collisions_of(doc, err);
    size_t systems = all ? all->systems.size / sizeof(nif_system) : 0;
    const nif_system *last = systems ? system_at(all, systems - 1) : NULL;
    *n = last ? last->first_body + last->bodies : 0;
    return all ? LATHE_OK : LATHE_ERR_MEMORY;
}

lathe_result nif_body(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err)
{
    const nif_collisions *all = nif_collisions_of(doc, err);
    uint64_t n = 0;
    if (!all)
        return LATHE_ERR_MEMORY;
    for (size_t k = 0; system_at(all, k); k++) {
        const nif_system *one = system_at(all, k);
        if (i - one->first_body < one->bodies)
            return hk_body_view(doc, one->container, i - one->first_body, out, err);
        n = one->first_body + one->bodies;
    }
    return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there are %llu bodies",
                     (unsigned long long)n);
}

/* The block of the node that a body is tied to; REC_NO_PART: none, or out of memory (then `ok` is false). */
static uint32_t owner_of(lathe_doc *doc, const nif_collisions *all, uint32_t c, uint64_t i,
                         bool *ok)
{
    uint32_t block = doc->parts[doc->containers[c].root].owner;
    nif_tie key = {.body = (uint32_t)i};
    if (block == REC_NO_PART || i > UINT32_MAX || !all->ties.size)
        return REC_NO_PART;
    key.data = (uint32_t)nif_number(doc, block);
    const nif_tie *tie =
        bsearch(&key, all->ties.data, all->ties.size / sizeof key, sizeof key, by_body);
    uint32_t part = tie ? nif_block(doc, 0, tie->target) : REC_NO_PART;
    bool there = part != REC_NO_PART && nif_block_reads(doc, part, ok);
    return there && nif_block_is(doc, part, &nif_NiAVObject) ? part : REC_NO_PART;
}

lathe_result nif_body_owner(lathe_doc *doc, uint32_t c, uint64_t i, lathe_view *out,
                            lathe_error *err)
{
    const nif_collisions *all = nif_collisions_of(doc, err);
    bool ok = true;
    *out = (lathe_view){0};
    if (!all)
        return LATHE_ERR_MEMORY;
    uint32_t part = owner_of(doc, all, c, i, &ok);
    if (!ok)
        return rec_no_memory(err);
    if (part != REC_NO_PART) {
        rec_at at = nif_at(doc, part);
        *out = rec_view(&at);
    }
    return LATHE_OK;
}

/* ---- meshes -------------------------------------------------------------------------------------------------- */

static lathe_result count_meshes(lathe_doc *doc, nif_collisions *all, lathe_error *err)
{
    const hk_leaves *leaves;
    uint64_t n = 0;
    for (size_t k = 0; !all->meshes_counted && system_at(all, k); k++) {
        nif_system *one = system_at(all, k);
        lathe_result r = hk_leaves_of(doc, one->container, &leaves, err);
        if (r != LATHE_OK)
            return r;
        one->first_mesh = n;
        one->meshes = leaves->count;
        n += leaves->count;
    }
    all->meshes_counted = true;
    return LATHE_OK;
}

/* Removes the scale: bodies follow the rotation and translation of their nodes only, and doc:set_collision
 * makes them accordingly. */
static mat4 without_scale(mat4 world)
{
    vec3 move, scale;
    quat turn;
    mat4_decompose(&world, &move, &turn, &scale);
    if (fabs(scale.x - 1) < 1e-4 && fabs(scale.y - 1) < 1e-4 && fabs(scale.z - 1) < 1e-4)
        return world; /* unchanged to the last bit */
    return mat4_compose(move, quat_normalize(turn), (vec3){1, 1, 1});
}

/* Shapes are in the space of the node, whatever the placement of the body says: in all inspected files of
 * Fallout 4 collision only matches the visible geometry this way. */
static lathe_result place(lathe_doc *doc, const nif_system *system, const nif_collisions *all,
                          model_mesh *mesh, lathe_error *err)
{
    bool ok = true;
    uint32_t part = owner_of(doc, all, system->container, mesh->body - 1, &ok);
    mesh->body += system->first_body;
    if (part == REC_NO_PART)
        return ok ? LATHE_OK : rec_no_memory(err);
    const nif_scene *scene = nif_scene_of(doc, 0, err);
    if (!scene)
        return LATHE_ERR_MEMORY;
    mesh->node_transform = without_scale(nif_world(scene, doc, part));
    mesh->has_node = true;
    return LATHE_OK;
}

lathe_result nif_collision_count(lathe_doc *doc, uint64_t *n, lathe_error *err)
{
    nif_collisions *all = nif_collisions_of(doc, err);
    lathe_result r = all ? count_meshes(doc, all, err) : LATHE_ERR_MEMORY;
    size_t systems = r == LATHE_OK ? all->systems.size / sizeof(nif_system) : 0;
    const nif_system *last = systems ? system_at(all, systems - 1) : NULL;
    *n = last ? last->first_mesh + last->meshes : 0;
    return r;
}

lathe_result nif_collision(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err)
{
    nif_collisions *all = nif_collisions_of(doc, err);
    lathe_result r = all ? count_meshes(doc, all, err) : LATHE_ERR_MEMORY;
    for (size_t k = 0; r == LATHE_OK && system_at(all, k); k++) {
        const nif_system *one = system_at(all, k);
        if (i - one->first_mesh >= one->meshes)
            continue;
        r = hk_collision_of(doc, one->container, i - one->first_mesh, mesh, err);
        return r == LATHE_OK ? place(doc, one, all, mesh, err) : r;
    }
    return r != LATHE_OK ? r : error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no more shapes");
}
