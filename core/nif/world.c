/* What hangs where: one pass over all nodes, kept until the document changes. */
#include "gen/nif_types.h"
#include "nif/mesh.h"

/* ---- looking at blocks --------------------------------------------------------------------------------- */

bool nif_block_is(lathe_doc *doc, uint32_t part, const rec_type *type)
{
    const rec_layout *root = part == REC_NO_PART ? NULL : rec_part_root(doc, part);
    return root && rec_is_a(root->type, type) && !rec_opaque(doc, part, NULL);
}

bool nif_block_reads(lathe_doc *doc, uint32_t part, bool *ok)
{
    lathe_error why;
    const rec_layout *root = rec_part_root(doc, part);
    if (root && !rec_opaque(doc, part, &why))
        return true;
    if (!root || why.code == LATHE_ERR_MEMORY)
        *ok = false;
    return false;
}

uint32_t nif_target(const rec_at *at, const char *row, uint64_t i)
{
    uint32_t slot = rec_slot_find(at->layout, row), part;
    uint64_t raw;
    if (slot == REC_NO_SLOT || rec_raw(at, slot, i, &raw, NULL) != LATHE_OK)
        return REC_NO_PART;
    part = nif_block(at->doc, at->layout->container, raw & UINT32_MAX);
    return nif_block_is(at->doc, part, &nif_NiObject) ? part : REC_NO_PART;
}

bool nif_column_find(const rec_at *at, const char *row, uint64_t size, nif_column *out)
{
    rec_loc loc;
    uint32_t slot = rec_slot_find(at->layout, row);
    *out = (nif_column){0};
    if (slot == REC_NO_SLOT || rec_find(at, slot, &loc, NULL) != LATHE_OK || !loc.present)
        return false;
    const rec_part *p = rec_part_of(at->doc, loc.data_part);
    if (!size || !loc.count || loc.data > p->size || loc.count > (p->size - loc.data) / size)
        return false; /* size 0 is that of a damaged vertex descriptor */
    *out = (nif_column){p->data + loc.data, loc.count, loc.data, loc.data_part};
    return true;
}

/* ---- transforms ------------------------------------------------------------------------------------------ */

static double real_at(const uint8_t *p)
{
    return bytes_f32_widen(bytes_ld32(p, false));
}

const uint8_t *nif_floats(const rec_at *at, const char *row, uint64_t n)
{
    rec_loc loc;
    uint32_t slot = rec_slot_find(at->layout, row);
    if (slot == REC_NO_SLOT || rec_find(at, slot, &loc, NULL) != LATHE_OK || !loc.present)
        return NULL;
    const rec_part *p = rec_part_of(at->doc, loc.part);
    return loc.off <= p->size && 4 * n <= p->size - loc.off ? p->data + loc.off : NULL;
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
    uint32_t parent = i < scene->count ? scene->parents[i] : 0;
    return parent ? mat4_mul(&scene->worlds[parent - 1], &local) : local;
}

/* ---- the pass -------------------------------------------------------------------------------------------- */

static void drop_lists(lathe_doc *doc, nif_scene *s)
{
    mem_free(&doc->mem, s->partners, ((size_t)s->count + 1) * sizeof *s->partners);
    s->partners = NULL;
    buf_free(&s->materials);
    buf_free(&s->names);
    buf_free(&s->packed);
    s->packed_instances = 0;
    s->listed = s->named = s->packed_listed = s->collisions.meshes_counted = false;
}

static void release(lathe_doc *doc, void *kept)
{
    nif_scene *s = kept;
    size_t blocks = (size_t)s->count + 1, nodes = (size_t)s->node_count + 1;
    drop_lists(doc, s);
    mem_free(&doc->mem, s->parents, blocks * sizeof *s->parents);
    mem_free(&doc->mem, s->node_of, blocks * sizeof *s->node_of);
    mem_free(&doc->mem, s->shapes, blocks * sizeof *s->shapes);
    mem_free(&doc->mem, s->nodes, nodes * sizeof *s->nodes);
    mem_free(&doc->mem, s->worlds, nodes * sizeof *s->worlds);
    buf_free(&s->collisions.systems);
    buf_free(&s->collisions.ties);
    mem_free(&doc->mem, s, sizeof *s);
}

/* A block hangs below the first node that names it. */
static void hang_children(nif_scene *s, lathe_doc *doc, uint32_t node)
{
    rec_at at = nif_at(doc, nif_block(doc, s->container, s->nodes[node]));
    nif_column children;
    if (!nif_column_find(&at, "children", 4, &children))
        return;
    for (uint64_t k = 0; k < children.count; k++) {
        uint32_t child = bytes_ld32(children.p + 4 * k, false);
        if (child < s->count && !s->parents[child])
            s->parents[child] = node + 1;
    }
}

/* Cuts what hangs below itself, so that every way up ends. Marks: the walk that first came by. */
static void cut_rings(nif_scene *s, uint32_t *marks)
{
    for (uint32_t first = 0; first < s->node_count; first++) {
        uint32_t i = first;
        while (!marks[i]) {
            marks[i] = first + 1;
            uint32_t above = s->parents[s->nodes[i]];
            if (!above)
                break;
            if (marks[above - 1] == first + 1)
                s->parents[s->nodes[i]] = 0;
            else
                i = above - 1;
        }
    }
}

/* From the top down: the way up from each node is walked as far as it is not known. */
static void place_nodes(nif_scene *s, lathe_doc *doc, uint32_t *way, uint32_t *done)
{
    for (uint32_t first = 0; first < s->node_count; first++) {
        size_t n = 0;
        for (uint32_t i = first; !done[i];) {
            done[i] = 1;
            way[n++] = i;
            uint32_t above = s->parents[s->nodes[i]];
            if (!above)
                break;
            i = above - 1;
        }
        while (n) {
            uint32_t i = way[--n];
            s->worlds[i] = nif_world(s, doc, nif_block(doc, s->container, s->nodes[i]));
        }
    }
}

static bool sort_blocks(nif_scene *s, lathe_doc *doc)
{
    nif_shape shape;
    for (uint64_t i = 0; i < s->count; i++) {
        uint32_t part = nif_block(doc, s->container, i);
        if (!rec_part_root(doc, part))
            return false;
        if (nif_block_is(doc, part, &nif_NiNode))
            s->node_of[i] = (uint32_t)++s->node_count;
        else if (nif_shape_find(doc, part, &shape))
            s->shapes[s->shape_count++] = (uint32_t)i;
    }
    return true;
}

static bool make_scene(nif_scene *s, lathe_doc *doc)
{
    const mem *m = &doc->mem;
    size_t blocks = (size_t)s->count + 1;
    s->parents = mem_zalloc(m, blocks * sizeof *s->parents);
    s->node_of = mem_zalloc(m, blocks * sizeof *s->node_of);
    s->shapes = mem_zalloc(m, blocks * sizeof *s->shapes);
    if (!s->parents || !s->node_of || !s->shapes || !sort_blocks(s, doc))
        return false;
    size_t nodes = (size_t)s->node_count + 1, room = 3 * nodes * sizeof(uint32_t);
    s->nodes = mem_zalloc(m, nodes * sizeof *s->nodes);
    s->worlds = mem_zalloc(m, nodes * sizeof *s->worlds);
    uint32_t *work = mem_zalloc(m, room);
    bool ok = s->nodes && s->worlds && work;
    for (uint64_t i = 0; ok && i < s->count; i++)
        if (s->node_of[i])
            s->nodes[s->node_of[i] - 1] = (uint32_t)i;
    for (uint32_t i = 0; ok && i < s->node_count; i++)
        hang_children(s, doc, i);
    if (ok) {
        cut_rings(s, work);
        place_nodes(s, doc, work + nodes, work + 2 * nodes);
    }
    mem_free(m, work, room);
    return ok;
}

nif_scene *nif_scene_kept(lathe_doc *doc, uint32_t c)
{
    nif_scene *s = rec_kept(doc, c, REC_OWN_PARTS);
    if (s && s->lists_at != doc->changes)
        drop_lists(doc, s);
    if (s)
        s->lists_at = doc->changes;
    return s;
}

nif_scene *nif_scene_of(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    nif_scene *s = nif_scene_kept(doc, c);
    if (s)
        return s;
    s = mem_zalloc(&doc->mem, sizeof *s);
    if (!s) {
        rec_no_memory(err);
        return NULL;
    }
    s->container = c;
    buf_init(&s->materials, &doc->mem);
    buf_init(&s->names, &doc->mem);
    buf_init(&s->packed, &doc->mem);
    buf_init(&s->collisions.systems, &doc->mem);
    buf_init(&s->collisions.ties, &doc->mem);
    s->count = nif_total(doc, c);
    if (make_scene(s, doc)) {
        s->lists_at = doc->changes;
        rec_keep(doc, c, REC_OWN_PARTS, s, release);
        return s;
    }
    release(doc, s);
    rec_no_memory(err);
    return NULL;
}
