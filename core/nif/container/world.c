/* The scene graph: parents and world transforms, from one pass over all nodes. It is cached. An edit that moves no
 * node and changes no list of children only updates it; any other edit drops it. */
#include "gen/nif_types.h"
#include "nif/container/scene.h"
#include "record/recent.h"

/* ---- transforms ------------------------------------------------------------------------------------------ */

static double real_at(const uint8_t *p)
{
    return bytes_f32_widen(bytes_ld32(p, false));
}

mat4 nif_transform(const rec_at *at)
{
    mat4 m = mat4_identity();
    const uint8_t *t = nif_floats(at, "translation", 3), *rows = nif_floats(at, "rotation", 9);
    const uint8_t *scale = nif_floats(at, "scale", 1);
    if (!t || !rows || !scale)
        return m;
    for (size_t r = 0; r < 3; r++) {
        for (size_t c = 0; c < 3; c++)
            m.m[c][r] = real_at(rows + 4 * (3 * r + c)) * real_at(scale);
        m.m[3][r] = real_at(t + 4 * r);
    }
    return m;
}

static mat4 local_transform(lathe_doc *doc, uint32_t part)
{
    rec_at at = nif_at(doc, part);
    return nif_transform(&at);
}

mat4 nif_world(const nif_scene *scene, lathe_doc *doc, uint32_t part)
{
    mat4 local = local_transform(doc, part);
    uint64_t i = nif_number(doc, part);
    uint32_t parent = i < scene->count ? scene->places[i].parent : 0;
    return parent ? mat4_mul(&scene->nodes[parent - 1].world, &local) : local;
}

/* ---- memory --------------------------------------------------------------------------------------------- */

static void release(lathe_doc *doc, rec_cached *kept)
{
    nif_scene *s = (nif_scene *)kept;
    mem_free(&doc->mem, s->places, s->places_cap * sizeof *s->places);
    mem_free(&doc->mem, s->nodes, s->nodes_cap * sizeof *s->nodes);
    buf_free(&s->children);
    mem_free(&doc->mem, s, sizeof *s);
}

static const rec_cache scenes = {.lasts = true, .release = release};

static bool room_for(lathe_doc *doc, nif_scene *s, uint64_t blocks)
{
    void *places = s->places;
    bool ok = blocks <= SIZE_MAX &&
              mem_reserve(&doc->mem, &places, &s->places_cap, (size_t)blocks, sizeof *s->places);
    s->places = places;
    return ok;
}

static bool put_node(lathe_doc *doc, nif_scene *s, uint32_t block)
{
    void *nodes = s->nodes;
    if (!mem_reserve(&doc->mem, &nodes, &s->nodes_cap, (size_t)s->node_count + 1, sizeof *s->nodes))
        return false;
    s->nodes = nodes;
    s->nodes[s->node_count++] = (nif_node){.block = block};
    s->places[block].node = (uint32_t)s->node_count;
    return true;
}

/* ---- the pass -------------------------------------------------------------------------------------------- */

static nif_column children_of(const nif_scene *s, lathe_doc *doc, const nif_node *node)
{
    rec_at at = nif_at(doc, s->places[node->block].part);
    nif_column children;
    nif_column_find(&at, "children", 4, &children);
    return children;
}

/* Adds the children of a node. A block is the child of the first node that refers to it. */
static bool hang_children(nif_scene *s, lathe_doc *doc, uint32_t number)
{
    nif_node *node = &s->nodes[number];
    const nif_column children = children_of(s, doc, node);
    node->first_child = s->children.size / 4;
    node->child_count = (size_t)children.count;
    for (uint64_t k = 0; k < children.count; k++) {
        uint32_t child = bytes_ld32(children.p + 4 * k, false);
        if (child < s->count && !s->places[child].parent)
            s->places[child].parent = number + 1;
        s->dangling = s->dangling || (child >= s->count && child != UINT32_MAX);
    }
    return !children.count || buf_put(&s->children, children.p, 4 * (size_t)children.count);
}

/* Breaks cycles, so that each path upwards ends. Marks: the walk that visited a node first. */
static void cut_rings(nif_scene *s, uint32_t *marks)
{
    for (uint32_t first = 0; first < s->node_count; first++) {
        uint32_t i = first;
        while (!marks[i]) {
            marks[i] = first + 1;
            uint32_t *above = &s->places[s->nodes[i].block].parent;
            if (!*above)
                break;
            if (marks[*above - 1] == first + 1)
                *above = 0;
            else
                i = *above - 1;
        }
    }
}

/* Computes world transforms from the top down: walks up from each node to the first known one. */
static void place_nodes(nif_scene *s, lathe_doc *doc, uint32_t *way, uint32_t *done)
{
    for (uint32_t first = 0; first < s->node_count; first++) {
        size_t n = 0;
        for (uint32_t i = first; !done[i];) {
            done[i] = 1;
            way[n++] = i;
            uint32_t above = s->places[s->nodes[i].block].parent;
            if (!above)
                break;
            i = above - 1;
        }
        while (n) {
            uint32_t i = way[--n];
            s->nodes[i].world = nif_world(s, doc, s->places[s->nodes[i].block].part);
        }
    }
}

static bool sort_block(nif_scene *s, lathe_doc *doc, uint32_t block)
{
    uint32_t part = nif_block(doc, s->container, block);
    s->places[block] = (nif_place){.part = part};
    if (!rec_part_root(doc, part))
        return false;
    return !nif_block_is(doc, part, &nif_NiNode) || put_node(doc, s, block);
}

static bool make_scene(nif_scene *s, lathe_doc *doc)
{
    bool ok = s->count <= UINT32_MAX && room_for(doc, s, s->count);
    for (uint32_t i = 0; ok && i < s->count; i++)
        ok = sort_block(s, doc, i);
    size_t nodes = (size_t)s->node_count + 1, room = 3 * nodes * sizeof(uint32_t);
    uint32_t *work = ok ? mem_zalloc(&doc->mem, room) : NULL;
    for (uint32_t i = 0; work && ok && i < s->node_count; i++)
        ok = hang_children(s, doc, i);
    if (work && ok) {
        cut_rings(s, work);
        place_nodes(s, doc, work + nodes, work + 2 * nodes);
    }
    ok = ok && work;
    mem_free(&doc->mem, work, room);
    return ok;
}

/* ---- updating -------------------------------------------------------------------------------------------- */

/* True if the cached data of a block are still valid: the same part, kind, transform and children. */
static bool stands(const nif_scene *s, lathe_doc *doc, uint32_t block)
{
    const nif_place *place = &s->places[block];
    uint32_t part = nif_block(doc, s->container, block);
    if (place->part != part || !rec_part_root(doc, part) ||
        nif_block_is(doc, part, &nif_NiNode) != (place->node != 0))
        return false;
    if (!place->node)
        return true;
    const nif_node *node = &s->nodes[place->node - 1];
    const nif_column children = children_of(s, doc, node);
    mat4 world = nif_world(s, doc, part);
    return memcmp(&world, &node->world, sizeof world) == 0 && children.count == node->child_count &&
           (!children.count || memcmp(children.p, s->children.data + 4 * node->first_child,
                                      4 * node->child_count) == 0);
}

/* Adds blocks that were appended. False: a node referred to one of them before it existed, or one has
 * children. */
static bool take_in(nif_scene *s, lathe_doc *doc)
{
    uint64_t total = nif_total(doc, s->container);
    if (total == s->count)
        return true;
    if (total < s->count || total > UINT32_MAX || s->dangling || !room_for(doc, s, total))
        return false;
    for (uint32_t i = (uint32_t)s->count; i < total; i++) {
        uint64_t nodes = s->node_count;
        if (!sort_block(s, doc, i))
            return false;
        s->count = (uint64_t)i + 1;
        if (nodes == s->node_count)
            continue;
        nif_node *node = &s->nodes[nodes];
        if (children_of(s, doc, node).count)
            return false;
        node->world = local_transform(doc, s->places[i].part);
    }
    return true;
}

static bool follow_one(nif_scene *s, lathe_doc *doc, const rec_change *change)
{
    if (change->part == REC_NO_PART)
        return false;
    const rec_part *p = &doc->parts[change->part];
    uint32_t root = doc->containers[s->container].root;
    if (p->container != s->container || change->part == root)
        return true;
    uint32_t part = nif_block_around(doc, root, change->part);
    uint64_t i = part == REC_NO_PART ? s->count : nif_number(doc, part);
    return i >= s->count || stands(s, doc, (uint32_t)i);
}

static bool follow(nif_scene *s, lathe_doc *doc)
{
    uint64_t next = rec_recent_next(doc);
    bool ok = rec_recent_knows(doc, s->followed);
    for (uint64_t i = s->followed; ok && i != next; i++)
        ok = follow_one(s, doc, rec_recent_at(doc, i));
    s->followed = next;
    return ok && take_in(s, doc);
}

/* NULL: there is none now. */
static nif_scene *find_cached(lathe_doc *doc, uint32_t c)
{
    nif_scene *s = rec_cache_find(doc, c, &scenes);
    if (!s || s->seen == doc->changes)
        return s;
    s->seen = doc->changes;
    if (follow(s, doc))
        return s;
    rec_cache_drop(doc, c, &scenes);
    return NULL;
}

nif_scene *nif_scene_of(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    nif_scene *s = find_cached(doc, c);
    if (s)
        return s;
    s = mem_zalloc(&doc->mem, sizeof *s);
    if (!s) {
        rec_no_memory(err);
        return NULL;
    }
    s->container = c;
    buf_init(&s->children, &doc->mem);
    s->count = nif_total(doc, c);
    if (make_scene(s, doc)) {
        s->made = s->seen = doc->changes;
        s->followed = rec_recent_next(doc);
        rec_cache_put(doc, c, &scenes, &s->cached);
        return s;
    }
    release(doc, &s->cached);
    rec_no_memory(err);
    return NULL;
}
