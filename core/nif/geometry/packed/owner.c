/* Updates the shape that owns precombined geometry at the end of an edit: totals, vertex descriptor and
 * bounding sphere. formats/precombined.md#2 */
#include "gen/nif_types.h"
#include "nif/geometry/packed/packed.h"

#include <math.h>
#include <stdlib.h>

/* ---- fields ---------------------------------------------------------------------------------------------- */

/* A field before and after the edit; `size` bytes. */
typedef struct row_change {
    uint8_t was[16], now[16];
    bool there, same;
} row_change;

static row_change look(const rec_at *at, const char *row, uint64_t size)
{
    row_change c = {.there = false};
    rec_loc loc;
    if (!nif_before_row(at, row, c.was, size) ||
        rec_find(at, rec_slot_find(at->layout, row), &loc, NULL) != LATHE_OK)
        return c;
    memcpy(c.now, rec_part_of(at->doc, loc.part)->data + loc.off, (size_t)size);
    c.there = true;
    c.same = memcmp(c.was, c.now, (size_t)size) == 0;
    return c;
}

static lathe_result store(const rec_at *at, const char *row, const uint8_t *bytes, uint64_t size,
                          lathe_error *err)
{
    rec_loc loc;
    lathe_result r = rec_find_present(at, rec_slot_find(at->layout, row), &loc, err);
    if (r == LATHE_OK && loc.size == size)
        r = rec_splice(at->doc, loc.part, loc.off, size, bytes, size, err);
    rec_forget(at->doc, at->part, at->off);
    return r;
}

/* ---- totals ---------------------------------------------------------------------------------------------- */

/* Updates a total. 0 means that it is not set yet. A value that the edit sets itself is kept. */
static lathe_result follow_total(const rec_at *shape, const char *row, unsigned width, uint64_t was,
                                 uint64_t now, lathe_error *err)
{
    uint8_t bytes[8];
    row_change c = look(shape, row, width);
    uint64_t mine = bytes_ld(c.was, width, false);
    if (!c.there || !c.same || (mine && mine != was) || mine == now || now >> (8 * width))
        return LATHE_OK;
    bytes_st(bytes, now, width, false);
    return store(shape, row, bytes, width, err);
}

static lathe_result follow_totals(const rec_at *shape, const nif_packed_change *c, lathe_error *err)
{
    static const char *const bands[] = {"lod0_triangles", "lod1_triangles", "lod2_triangles"};
    lathe_result r = follow_total(shape, "num_vertices", 2, c->was.vertices, c->now.vertices, err);
    if (r == LATHE_OK)
        r = follow_total(shape, "num_triangles", 4, c->was.triangles, c->now.triangles, err);
    for (int k = 0; r == LATHE_OK && !c->still && k < 3; k++)
        if (rec_slot_find(shape->layout, bands[k]) != REC_NO_SLOT)
            r = follow_total(shape, bands[k], 4, c->was.bands[k], c->now.bands[k], err);
    return r;
}

/* Shape and block have the same vertex descriptor: if one was set, the other is updated. */
static lathe_result follow_desc(const rec_at *shape, const rec_at *block,
                                const nif_packed_change *change, lathe_error *err)
{
    uint8_t bytes[8];
    row_change c = look(shape, "vertex_desc", sizeof bytes);
    uint64_t was = bytes_ld64(c.was, false), now = bytes_ld64(c.now, false);
    const nif_packed_totals *b = &change->was;
    if (!c.there || now == change->now.desc || (was && was != b->desc))
        return LATHE_OK;
    bytes_st64(bytes, c.same ? change->now.desc : now, false);
    if (c.same)
        return store(shape, "vertex_desc", bytes, sizeof bytes, err);
    return b->desc == change->now.desc ? store(block, "vertex_desc", bytes, sizeof bytes, err)
                                       : LATHE_OK;
}

/* ---- the sphere ------------------------------------------------------------------------------------------ */

/* Position and sphere of a shape. Nodes above it are ignored, because they only recentre it. */
static bool sphere_of_shape(const row_change *place, const row_change *bounds, nif_sphere *out,
                            double off[3])
{
    for (size_t k = 0; k < 3; k++) {
        off[k] = bytes_f32_widen(bytes_ld32(bounds->was + 4 * k, false));
        out->center[k] = bytes_f32_widen(bytes_ld32(place->was + 4 * k, false)) + off[k];
    }
    out->radius = bytes_f32_widen(bytes_ld32(bounds->was + 12, false));
    return isfinite(out->center[0] + out->center[1] + out->center[2] + out->radius);
}

/* Compares with a tolerance for programs that write files. */
static bool close_to(double a, double b, const nif_sphere *s)
{
    double far = fmax(fmax(fabs(s->center[0]), fabs(s->center[1])), fabs(s->center[2]));
    return fabs(a - b) <= 1e-3 + 2e-6 * (far + s->radius);
}

static bool sphere_agreed(const nif_sphere *shape, const double off[3], const nif_sphere *s)
{
    bool agrees = close_to(shape->radius, s->radius, s);
    for (int k = 0; k < 3; k++)
        agrees = agrees && close_to(off[k], 0, s) && close_to(shape->center[k], s->center[k], s);
    return agrees;
}

static lathe_result put_sphere(const rec_at *shape, const nif_sphere *s, lathe_error *err)
{
    uint8_t place[12], bounds[16] = {0};
    for (size_t k = 0; k < 3; k++)
        bytes_st32(place + 4 * k, bytes_f32_narrow(s->center[k]), false);
    bytes_st32(bounds + 12, bytes_f32_narrow(s->radius), false);
    lathe_result r = store(shape, "translation", place, sizeof place, err);
    return r == LATHE_OK ? store(shape, "bounds", bounds, sizeof bounds, err) : r;
}

/* If the vertices are unknown, or the sphere was not the computed one: extends it to contain what was added
 * or moved. */
static lathe_result widen(const rec_at *shape, const nif_packed_change *c, const nif_sphere *is,
                          const row_change *bounds, lathe_error *err)
{
    uint8_t bytes[16];
    const nif_sphere *s = (const nif_sphere *)(const void *)c->touched.data;
    double most = is->radius;
    for (size_t i = 0; i < c->touched.size / sizeof *s; i++) {
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += (s[i].center[k] - is->center[k]) * (s[i].center[k] - is->center[k]);
        most = fmax(most, sqrt(sum) + s[i].radius);
    }
    float radius = nif_float_of(bytes_f32_narrow(most));
    if (!(most > is->radius) || !isfinite((double)radius))
        return LATHE_OK;
    if ((double)radius < most)
        radius = nextafterf(radius, HUGE_VALF);
    memcpy(bytes, bounds->was, sizeof bytes);
    bytes_st32(bytes + 12, bytes_f32_narrow((double)radius), false);
    return store(shape, "bounds", bytes, sizeof bytes, err);
}

static lathe_result follow_sphere(const rec_at *shape, const nif_packed_change *c, lathe_error *err)
{
    static const uint8_t zeros[16] = {0}; /* no sphere yet, as for a shape made from a table */
    row_change place = look(shape, "translation", 12), bounds = look(shape, "bounds", 16);
    nif_sphere is;
    double off[3];
    if ((!c->moved && !c->touched.size) || !place.there || !bounds.there || !place.same ||
        !bounds.same)
        return LATHE_OK;
    if (memcmp(bounds.was, zeros, 16) == 0)
        return c->bounded ? put_sphere(shape, &c->around, err) : LATHE_OK;
    if (!sphere_of_shape(&place, &bounds, &is, off))
        return LATHE_OK;
    if (c->was_bounded && c->bounded && sphere_agreed(&is, off, &c->was_around))
        return c->moved ? put_sphere(shape, &c->around, err) : LATHE_OK;
    return widen(shape, c, &is, &bounds, err);
}

/* ---- all shapes ------------------------------------------------------------------------------------------ */

/* Updates one shape. A shape with vertices of its own is determined by these. */
static lathe_result settle_one(const rec_at *shape, const nif_packed_change *change,
                               lathe_error *err)
{
    rec_at block = nif_at(shape->doc, change->part);
    if (!block.layout || rec_int(shape, "data_size"))
        return LATHE_OK;
    lathe_result r = follow_totals(shape, change, err);
    if (r == LATHE_OK)
        r = follow_desc(shape, &block, change, err);
    return r == LATHE_OK ? follow_sphere(shape, change, err) : r;
}

static int by_part(const void *a, const void *b)
{
    uint32_t x = ((const nif_packed_change *)a)->part, y = ((const nif_packed_change *)b)->part;
    return x < y ? -1 : x > y;
}

/* … and puts changes of the block itself before changes by its shape. */
static int by_weight(const void *a, const void *b)
{
    int order = by_part(a, b);
    const nif_packed_change *x = a, *y = b;
    return order ? order : (int)x->still - (int)y->still;
}

/* Keeps one change per block. */
static void sort_changes(buf *changes)
{
    nif_packed_change *all = (nif_packed_change *)(void *)changes->data;
    size_t n = changes->size / sizeof *all, kept = 0;
    qsort(all, n, sizeof *all, by_weight);
    for (size_t i = 0; i < n; i++) {
        if (kept && all[kept - 1].part == all[i].part)
            nif_packed_change_free(&all[i]);
        else
            all[kept++] = all[i];
    }
    changes->size = kept * sizeof *all;
}

static const nif_packed_change *change_of(const buf *changes, uint32_t part)
{
    const nif_packed_change key = {.part = part};
    return bsearch(&key, changes->data, changes->size / sizeof key, sizeof key, by_part);
}

lathe_result nif_settle_owner(lathe_doc *doc, uint32_t shape, buf *changes, lathe_error *err)
{
    rec_at at = nif_at(doc, shape);
    uint32_t part = at.layout ? nif_packed_of(&at) : REC_NO_PART;
    if (part == REC_NO_PART || doc->parts[part].size < 32)
        return LATHE_OK;
    nif_packed_change c = {.part = part, .still = true};
    c.was = c.now = nif_packed_stored(doc->parts[part].data);
    buf_init(&c.touched, &doc->mem);
    return buf_put(changes, &c, sizeof c) ? LATHE_OK : rec_no_memory(err);
}

lathe_result nif_settle_owners(lathe_doc *doc, uint32_t c, buf *changes, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    uint64_t total = nif_total(doc, c);
    sort_changes(changes);
    for (uint64_t i = 0; r == LATHE_OK && i < total; i++) {
        uint32_t shape = nif_block(doc, c, i);
        if (!nif_block_is(doc, shape, &nif_BSTriShape))
            continue;
        rec_at at = nif_at(doc, shape);
        uint32_t part = nif_packed_of(&at);
        const nif_packed_change *change = part == REC_NO_PART ? NULL : change_of(changes, part);
        if (change)
            r = settle_one(&at, change, err);
    }
    return r;
}
