/* Lists the blocks that have geometry. The list belongs to the scene and is updated with it. */
#include "nif/geometry/mesh.h"
#include "record/recent.h"

static void release(lathe_doc *doc, rec_cached *what)
{
    nif_shapes *s = (nif_shapes *)what;
    mem_free(&doc->mem, s->blocks, s->room * sizeof *s->blocks);
    mem_free(&doc->mem, s, sizeof *s);
}

static const rec_cache lists = {.lasts = true, .release = release};

static bool has_geometry(const nif_scene *scene, lathe_doc *doc, uint64_t block)
{
    nif_shape shape;
    return !scene->places[block].node && nif_shape_find(doc, scene->places[block].part, &shape);
}

static bool is_listed(const nif_shapes *s, uint64_t block)
{
    uint64_t lo = 0, hi = s->count;
    while (lo < hi) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (s->blocks[mid] == block)
            return true;
        if (s->blocks[mid] < block)
            lo = mid + 1;
        else
            hi = mid;
    }
    return false;
}

/* Adds blocks that were appended. */
static bool take_in(nif_shapes *s, const nif_scene *scene, lathe_doc *doc)
{
    for (; s->looked < scene->count; s->looked++) {
        void *blocks = s->blocks;
        if (!has_geometry(scene, doc, s->looked))
            continue;
        if (!mem_reserve(&doc->mem, &blocks, &s->room, (size_t)s->count + 1, sizeof *s->blocks))
            return false;
        s->blocks = blocks;
        s->blocks[s->count++] = (uint32_t)s->looked;
    }
    return true;
}

/* True if a changed block is listed correctly. Its number is unchanged: otherwise the scene would be rebuilt. */
static bool follow_one(const nif_shapes *s, const nif_scene *scene, lathe_doc *doc,
                       const rec_change *change)
{
    uint32_t root = doc->containers[scene->container].root, part = change->part;
    if (part == REC_NO_PART)
        return false;
    if (doc->parts[part].container != scene->container || part == root)
        return true;
    part = nif_block_around(doc, root, part);
    uint64_t i = part == REC_NO_PART ? s->looked : nif_number(doc, part);
    return i >= s->looked || has_geometry(scene, doc, i) == is_listed(s, i);
}

static bool follow(nif_shapes *s, const nif_scene *scene, lathe_doc *doc)
{
    uint64_t next = rec_recent_next(doc);
    bool ok = s->made == scene->made && rec_recent_knows(doc, s->followed);
    for (uint64_t i = s->followed; ok && i != next; i++)
        ok = follow_one(s, scene, doc, rec_recent_at(doc, i));
    s->followed = next;
    return ok && take_in(s, scene, doc);
}

const nif_shapes *nif_shapes_of(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    nif_shapes *s = rec_cache_find(doc, c, &lists);
    if (s && s->seen == doc->changes)
        return s;
    const nif_scene *scene = nif_scene_of(doc, c, err);
    if (!scene)
        return NULL;
    if (s && follow(s, scene, doc)) {
        s->seen = doc->changes;
        return s;
    }
    rec_cache_drop(doc, c, &lists);
    s = mem_zalloc(&doc->mem, sizeof *s);
    if (s && take_in(s, scene, doc)) {
        s->made = scene->made;
        s->followed = rec_recent_next(doc);
        s->seen = doc->changes;
        rec_cache_put(doc, c, &lists, &s->cached);
        return s;
    }
    if (s)
        release(doc, &s->cached);
    rec_no_memory(err);
    return NULL;
}
