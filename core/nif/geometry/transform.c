/* doc:transform: transforms instances of precombined meshes with their spheres, the shapes that own them, and
 * other blocks below the nodes of a group. formats/precombined.md#3 */
#include "nif/geometry/transform.h"

#include "gen/nif_types.h"
#include "nif/geometry/packed/packed.h"

#include <math.h>

enum { ROTATION = 4, TRANSLATION = 40, SCALE = 52, CENTER = 56, RADIUS = 68 };

typedef struct moving {
    lathe_doc *doc;
    lathe_report *report;
    nif_similarity by;
    mat4 matrix;
    nif_scene *scene;
    /* for each node of the scene: it is a root, or an ancestor of shapes of precombined meshes */
    uint8_t *stays;
} moving;

static void tell(const moving *m, const rec_at *at, const char *reason)
{
    char path[256];
    if (!m->report || !m->report->skipped)
        return;
    rec_path(at, REC_NO_SLOT, REC_NO_ITEM, path, sizeof path);
    m->report->skipped(m->report->user, path, reason);
}

static void count(const moving *m)
{
    if (m->report)
        m->report->changed++;
}

/* ---- floats ---------------------------------------------------------------------------------------------- */

static void read_floats(const uint8_t *p, double *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = bytes_f32_widen(bytes_ld32(p + 4 * i, false));
}

/* Writes floats. Unchanged values keep their bits, zeros their sign. False: one is too large. */
static bool write_floats(uint8_t *p, const double *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t raw = bytes_f32_narrow(from[i]);
        if (!isfinite(bytes_f32_widen(raw)))
            return false;
        if (bytes_f32_widen(bytes_ld32(p + 4 * i, false)) != bytes_f32_widen(raw))
            bytes_st32(p + 4 * i, raw, false);
    }
    return true;
}

static lathe_result too_far(const rec_at *at, lathe_error *err)
{
    return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_RANGE,
                    "its coordinates would exceed the range of a float");
}

/* ---- instances ------------------------------------------------------------------------------------------- */

typedef enum outcome { MOVED, NO_NUMBER, TOO_FAR } outcome;

static outcome move_instance(const nif_similarity *by, uint8_t *p)
{
    nif_placement t;
    double rows[9], at[3];
    if (!nif_placement_read(p, &t))
        return NO_NUMBER;
    nif_similarity_rows(by, t.rotation, rows);
    nif_similarity_point(by, t.translation, at);
    t.scale *= by->scale;
    if (!write_floats(p + ROTATION, rows, 9) || !write_floats(p + TRANSLATION, at, 3) ||
        !write_floats(p + SCALE, &t.scale, 1))
        return TOO_FAR;
    nif_sphere s;
    if (!nif_sphere_read(p, &s))
        return MOVED; /* it has none */
    nif_similarity_point(by, s.center, at);
    s.radius *= by->scale;
    return write_floats(p + CENTER, at, 3) && write_floats(p + RADIUS, &s.radius, 1) ? MOVED
                                                                                     : TOO_FAR;
}

static lathe_result move_instances(const moving *m, const rec_at *block, const buf *places,
                                   uint8_t *copy, lathe_error *err)
{
    const nif_packed_place *o = (const nif_packed_place *)(const void *)places->data;
    rec_at object, instance;
    for (size_t i = 0; i < places->size / sizeof *o; i++)
        for (uint64_t k = 0; k < o[i].instances; k++) {
            outcome out = move_instance(&m->by, copy + o[i].instances_at + NIF_INSTANCE * k);
            if (out == MOVED) {
                count(m);
                continue;
            }
            lathe_result r = rec_sub(block, rec_slot_find(block->layout, "data"), i, &object, err);
            if (r == LATHE_OK)
                r = rec_sub(&object, rec_slot_find(object.layout, "combined"), k, &instance, err);
            if (r != LATHE_OK || out == TOO_FAR)
                return r != LATHE_OK ? r : too_far(&instance, err);
            tell(m, &instance, "its transform is not finite, so it stays as it is");
        }
    return LATHE_OK;
}

static lathe_result move_block(const moving *m, const rec_at *block, lathe_error *err)
{
    const rec_part *p = rec_part_of(m->doc, block->part);
    const size_t size = (size_t)p->size;
    bool lost = false;
    buf places;
    buf_init(&places, &m->doc->mem);
    uint8_t *copy = mem_alloc(&m->doc->mem, size + 1);
    lathe_result r = copy ? LATHE_OK : rec_no_memory(err);
    if (r == LATHE_OK)
        memcpy(copy, p->data, size);
    if (r == LATHE_OK && !nif_packed_scan(copy, size, block->layout->arg, &places, &lost)) {
        tell(m, block, "it fits no layout, and stays as it is");
        r = lost ? rec_no_memory(err) : LATHE_OK;
    } else if (r == LATHE_OK) {
        r = move_instances(m, block, &places, copy, err);
        if (r == LATHE_OK) /* in one step, so that nothing else is derived */
            r = rec_splice(m->doc, block->part, 0, size, copy, size, err);
    }
    mem_free(&m->doc->mem, copy, size + 1);
    buf_free(&places);
    return r;
}

/* ---- nodes and shapes ------------------------------------------------------------------------------------ */

static lathe_result put(const rec_at *at, const char *row, const double *numbers, uint32_t n,
                        lathe_error *err)
{
    uint8_t bytes[36];
    rec_loc loc;
    lathe_result r = rec_find_present(at, rec_slot_find(at->layout, row), &loc, err);
    if (r != LATHE_OK || loc.size != 4 * n)
        return r;
    memcpy(bytes, rec_part_of(at->doc, loc.part)->data + loc.off, 4 * n);
    return write_floats(bytes, numbers, n)
               ? rec_splice(at->doc, loc.part, loc.off, loc.size, bytes, loc.size, err)
               : too_far(at, err);
}

/* Converts the transform from the document's space to that of a block's node. */
static bool in_node(const moving *m, uint64_t number, nif_similarity *out)
{
    uint32_t parent = m->scene->places[number].parent;
    const mat4 *world = parent ? &m->scene->nodes[parent - 1].world : NULL, same = mat4_identity();
    mat4 back, here;
    *out = m->by;
    if (!world || memcmp(world, &same, sizeof same) == 0)
        return true;
    if (!mat4_invert(world, &back))
        return false;
    here = mat4_mul(&m->matrix, world);
    here = mat4_mul(&back, &here);
    here.m[0][3] = here.m[1][3] = here.m[2][3] = 0;
    here.m[3][3] = 1;
    return nif_similarity_of(&here, "a node", out, NULL) == LATHE_OK;
}

/* Moves a shape of precombined meshes. It stores the centre of the meshes in world space, without a rotation;
 * transforms of nodes are not applied. */
static lathe_result move_shape(const nif_similarity *by, const rec_at *at, lathe_error *err)
{
    double place[3], to[3], bounds[4];
    const uint8_t *p = nif_floats(at, "translation", 3), *q = nif_floats(at, "bounds", 4);
    if (!p || !q)
        return LATHE_OK;
    read_floats(p, place, 3);
    read_floats(q, bounds, 4);
    nif_similarity_point(by, place, to);
    if (by->turns) { /* about the shape's own origin, as its derived values */
        const nif_similarity turn = {.scale = 1, .turns = true};
        nif_similarity own = turn;
        memcpy(own.turn, by->turn, sizeof own.turn);
        nif_similarity_point(&own, (const double[3]){bounds[0], bounds[1], bounds[2]}, bounds);
    }
    for (int i = 0; i < 4; i++)
        bounds[i] *= by->scale;
    lathe_result r = put(at, "translation", to, 3, err);
    return r == LATHE_OK ? put(at, "bounds", bounds, 4, err) : r;
}

static lathe_result move_object(const nif_similarity *by, const rec_at *at, lathe_error *err)
{
    double place[3], to[3], rows[9], turned[9], scale;
    const uint8_t *t = nif_floats(at, "translation", 3), *r = nif_floats(at, "rotation", 9),
                  *s = nif_floats(at, "scale", 1);
    if (!t || !r || !s)
        return LATHE_OK;
    read_floats(t, place, 3);
    read_floats(r, rows, 9);
    read_floats(s, &scale, 1);
    nif_similarity_point(by, place, to);
    nif_similarity_rows(by, rows, turned);
    scale *= by->scale;
    lathe_result result = put(at, "translation", to, 3, err);
    if (result == LATHE_OK)
        result = put(at, "rotation", turned, 9, err);
    return result == LATHE_OK ? put(at, "scale", &scale, 1, err) : result;
}

/* True if the block itself is moved: its parent node stays, or it has none. */
static bool is_top(const moving *m, uint64_t number)
{
    uint32_t parent = m->scene->places[number].parent, node = m->scene->places[number].node;
    return (!node || !m->stays[node - 1]) && (!parent || m->stays[parent - 1]);
}

static lathe_result move_top(const moving *m, const rec_at *at, uint64_t number, lathe_error *err)
{
    nif_similarity by;
    if (nif_block_is(m->doc, at->part, &nif_BSTriShape) && nif_packed_of(at) != REC_NO_PART) {
        count(m);
        return move_shape(&m->by, at, err);
    }
    if (!in_node(m, number, &by)) {
        tell(m, at, "the node that it hangs below has no transform to undo: it stays as it is");
        return LATHE_OK;
    }
    count(m);
    if (nif_target(at, "controller", 0) != REC_NO_PART)
        tell(m, at, "it was moved, but the animation that says where it is was not");
    return move_object(&by, at, err);
}

/* ---- nodes that stay ------------------------------------------------------------------------------------- */

static void mark_above(const moving *m, uint64_t number)
{
    for (uint32_t i = m->scene->places[number].parent; i && !m->stays[i - 1];
         i = m->scene->places[m->scene->nodes[i - 1].block].parent)
        m->stays[i - 1] = 1;
}

/* Marks nodes that must not move: roots, because the game places them, and nodes above shapes of precombined
 * meshes. These are not applied to instances, so their effect on other children must not change either. */
static void mark_staying(const moving *m)
{
    for (uint64_t i = 0; i < m->scene->count; i++) {
        uint32_t part = nif_block(m->doc, 0, i), node = m->scene->places[i].node;
        if (node && !m->scene->places[i].parent)
            m->stays[node - 1] = 1;
        if (!nif_block_is(m->doc, part, &nif_BSTriShape))
            continue;
        rec_at at = nif_at(m->doc, part);
        if (nif_packed_of(&at) != REC_NO_PART)
            mark_above(m, i);
    }
}

/* ---- the verb -------------------------------------------------------------------------------------------- */

static lathe_result move_any(const moving *m, uint32_t part, uint64_t number, lathe_error *err)
{
    rec_at at = nif_at(m->doc, part);
    if (!at.layout)
        return rec_no_memory(err);
    const rec_type *type = at.layout->type;
    if (rec_opaque(m->doc, part, NULL)) {
        if (nif_is_packed(type) || rec_is_a(type, &nif_NiAVObject) || type == &nif_opaque)
            tell(m, &at, "it does not parse, and stays as it is");
        return LATHE_OK;
    }
    if (rec_is_a(type, &nif_NiCollisionObject))
        tell(m, &at, "bodies have places of their own: what collides stays where it is");
    if (nif_is_packed(type))
        return move_block(m, &at, err);
    return rec_is_a(type, &nif_NiAVObject) && is_top(m, number) ? move_top(m, &at, number, err)
                                                                : LATHE_OK;
}

/* Copies the required parts of the scene, because the cached one is dropped when something moves. */
static bool copy_scene(const nif_scene *from, nif_scene *to, const mem *m)
{
    size_t blocks = (size_t)from->count + 1, nodes = (size_t)from->node_count + 1;
    *to = (nif_scene){.count = from->count, .node_count = from->node_count};
    to->places = mem_zalloc(m, blocks * sizeof *to->places);
    to->nodes = mem_zalloc(m, nodes * sizeof *to->nodes);
    if (!to->places || !to->nodes)
        return false;
    if (from->count)
        memcpy(to->places, from->places, (blocks - 1) * sizeof *to->places);
    if (from->node_count)
        memcpy(to->nodes, from->nodes, (nodes - 1) * sizeof *to->nodes);
    return true;
}

static void free_scene(nif_scene *s, const mem *m)
{
    mem_free(m, s->places, ((size_t)s->count + 1) * sizeof *s->places);
    mem_free(m, s->nodes, ((size_t)s->node_count + 1) * sizeof *s->nodes);
}

lathe_result nif_transform_verb(lathe_view self, const lathe_source *args, lathe_report *report,
                                lathe_error *err)
{
    const mem *memory = &self.doc->mem;
    nif_scene scene;
    moving m = {.doc = self.doc, .report = report, .scene = &scene};
    lathe_result r = nif_transform_args(args, &m.by, err);
    if (r != LATHE_OK)
        return r;
    m.matrix = nif_similarity_matrix(&m.by);
    const nif_scene *all = nif_scene_of(self.doc, 0, err);
    if (!all)
        return LATHE_ERR_MEMORY;
    size_t nodes = (size_t)all->node_count + 1;
    bool copied = copy_scene(all, &scene, memory);
    m.stays = mem_zalloc(memory, nodes);
    if (!copied || !m.stays)
        r = rec_no_memory(err);
    else
        mark_staying(&m);
    for (uint64_t i = 0; r == LATHE_OK && i < scene.count; i++)
        r = move_any(&m, nif_block(self.doc, 0, i), i, err);
    mem_free(memory, m.stays, nodes);
    free_scene(&scene, memory);
    return r;
}

const char nif_transform_doc[] =
    "Turns, moves and scales a group of precombined meshes as one: instances with their spheres, "
    "the shapes that own them, and what else hangs below its nodes. What stays is told.";
