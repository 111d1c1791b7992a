/* Checks the placement of packed geometry: instances, their spheres, and the sphere of the shape.
 * formats/precombined.md#3 */
#include "nif/geometry/check.h"

#include "gen/nif_types.h"
#include "nif/geometry/packed/packed.h"

#include <math.h>

enum { ROTATION_SLACK = 1000 }; /* in millionths */

typedef unsigned long long number;

/* ---- reporting ------------------------------------------------------------------------------------------- */

static bool object_at(const rec_at *block, uint64_t i, rec_at *out)
{
    return rec_sub(block, rec_slot_find(block->layout, "data"), i, out, NULL) == LATHE_OK;
}

/* Reports a field of an instance, or of a record in it. */
static void say(const nif_checks *k, const rec_at *object, uint64_t i, const char *in,
                const char *row, const char *text)
{
    rec_at instance, inner;
    if (rec_sub(object, rec_slot_find(object->layout, "combined"), i, &instance, NULL) != LATHE_OK)
        return;
    uint32_t slot = rec_slot_find(instance.layout, in);
    if (rec_sub(&instance, slot, 0, &inner, NULL) == LATHE_OK)
        rec_finding(k->report, LATHE_LEVEL_WARNING, &inner, rec_slot_find(inner.layout, row),
                    REC_NO_ITEM, "%s", text);
}

/* ---- instances ------------------------------------------------------------------------------------------- */

/* True if the rows are orthonormal and do not mirror. */
static bool turns(const nif_placement *t)
{
    const double *r = t->rotation, slack = ROTATION_SLACK * 1e-6;
    double det = r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) +
                 r[2] * (r[3] * r[7] - r[4] * r[6]);
    for (int a = 0; a < 3; a++)
        for (int b = a; b < 3; b++) {
            double dot =
                r[3 * a] * r[3 * b] + r[3 * a + 1] * r[3 * b + 1] + r[3 * a + 2] * r[3 * b + 2];
            if (fabs(dot - (a == b)) > slack)
                return false;
        }
    return det > 0;
}

/* Compares spheres with a tolerance: far from the origin, stored floats are less exact, and a sphere may be
 * computed from them. */
static bool near_to(const nif_sphere *a, const nif_sphere *b)
{
    double far = 1, off = fabs(a->radius - b->radius);
    for (int i = 0; i < 3; i++) {
        far = fmax(far, fabs(a->center[i]) + fabs(b->center[i]));
        off = fmax(off, fabs(a->center[i] - b->center[i]));
    }
    return off <= 2e-2 + 1e-6 * (far + a->radius);
}

/* The object's own sphere: from its vertices if they are here, else from its first instance. */
typedef struct own {
    bool vertices, known;
    nif_sphere sphere;
} own;

static bool holds(const nif_sphere *s, const float *p, uint64_t n, const nif_placement *t)
{
    double far = 0;
    for (uint64_t i = 0; i < n; i++, p += 3) {
        double at[3], sum = 0;
        nif_placement_apply(t, (const double[3]){(double)p[0], (double)p[1], (double)p[2]}, at);
        for (int k = 0; k < 3; k++)
            sum += (at[k] - s->center[k]) * (at[k] - s->center[k]);
        far = fmax(far, sum);
    }
    double size = fabs(s->center[0]) + fabs(s->center[1]) + fabs(s->center[2]) + s->radius;
    return sqrt(far) <= s->radius + 1e-2 + 2e-6 * size;
}

/* The problem of an instance, and its field; NULL: none. */
static const char *wrong_with(const uint8_t *instance, own *o, const float *positions,
                              uint64_t vertices, const char **in, const char **row)
{
    nif_placement t;
    nif_sphere s, should;
    uint8_t bytes[NIF_INSTANCE] = {0};
    *in = "transform", *row = "rotation";
    if (!nif_placement_read(instance, &t))
        return NULL; /* NaN: reported separately */
    if (!turns(&t))
        return "it is not a rotation: its rows are not orthonormal, or it mirrors";
    *row = "scale";
    if (t.scale == 0)
        return "0: nothing is drawn";
    *in = "bounds", *row = "radius";
    if (!nif_sphere_read(instance, &s))
        return "it has no bounding sphere, so the game cannot tell whether it is in view";
    if (s.radius < 0)
        return "its radius is negative";
    if (!o->known)
        o->known = nif_sphere_back(&t, &s, &o->sphere);
    if (o->known && nif_sphere_put(&t, &o->sphere, bytes + NIF_INSTANCE - 16) &&
        nif_sphere_read(bytes, &should) && !near_to(&s, &should)) {
        *row = fabs(s.radius - should.radius) > 2e-2 + 1e-6 * s.radius ? "radius" : "center";
        return "it does not follow from the transform as those of other instances do";
    }
    return positions && !holds(&s, positions, vertices, &t)
               ? "the sphere does not hold the object's vertices"
               : NULL;
}

/* Reports the first invalid instance of an object. Vertices are compared with the first instance only; the
 * other instances are compared with it. */
static void check_object(const nif_checks *k, const rec_at *block, const nif_packed_place *o,
                         uint64_t i)
{
    bool lost = false;
    const uint8_t *data = rec_part_of(k->doc, block->part)->data;
    const char *in, *row, *text = NULL;
    own known = {.known = false};
    rec_at object;
    float *p = o->instances ? nif_packed_positions(&k->doc->mem, data, o, &lost) : NULL;
    for (uint64_t n = 0; n < o->instances && !text; n++) {
        text = wrong_with(data + o->instances_at + NIF_INSTANCE * n, &known, n ? NULL : p,
                          o->vertices, &in, &row);
        if (text && object_at(block, i, &object))
            say(k, &object, n, in, row, text);
    }
    nif_packed_positions_free(&k->doc->mem, o, p);
}

/* Checks that the attributes of all objects are the same. */
static void check_desc(const nif_checks *k, const rec_at *block, const nif_packed_place *o,
                       uint64_t i)
{
    rec_at object;
    if (!o->vertices || (o->adds_up && o->layout.position >= 0) || !object_at(block, i, &object))
        return;
    rec_finding(k->report, LATHE_LEVEL_WARNING, &object,
                rec_slot_find(object.layout, "vertex_desc"), REC_NO_ITEM,
                o->adds_up ? "0x%llX: vertices without positions"
                           : "0x%llX: what it names does not fill a vertex",
                (number)o->desc);
}

/* Checks the table; 0 is the hash of a file without a name. */
static void check_rows(const nif_checks *k, const rec_at *block)
{
    nif_column rows;
    if (block->layout->arg & NIF_PACKED_INLINE || !nif_column_find(block, "objects", 8, &rows))
        return;
    for (uint64_t i = 0; i < rows.count; i++) {
        rec_at row;
        if (bytes_ld32(rows.p + 8 * i, false) ||
            rec_sub(block, rec_slot_find(block->layout, "objects"), i, &row, NULL) != LATHE_OK)
            continue;
        rec_finding(k->report, LATHE_LEVEL_ERROR, &row,
                    rec_slot_find(row.layout, "geometry_file_hash"), REC_NO_ITEM,
                    "0 names no geometry file, and the object's geometry is not here");
        return;
    }
}

static bool scan(const nif_checks *k, const rec_at *block, buf *places)
{
    bool lost = false;
    const rec_part *p = rec_part_of(k->doc, block->part);
    buf_init(places, &k->doc->mem);
    return nif_packed_scan(p->data, p->size, block->layout->arg, places, &lost);
}

void nif_check_placed(const nif_checks *k, const rec_at *block)
{
    buf places;
    if (scan(k, block, &places)) {
        size_t n = places.size / sizeof(nif_packed_place);
        const nif_packed_place *o = (const nif_packed_place *)(const void *)places.data;
        nif_packed_totals t = nif_packed_count(o, n);
        uint64_t desc = (uint64_t)rec_int(block, "vertex_desc");
        if (t.desc && t.desc != desc)
            rec_finding(k->report, LATHE_LEVEL_WARNING, block,
                        rec_slot_find(block->layout, "vertex_desc"), REC_NO_ITEM,
                        "0x%llX, but what the objects' vertices have makes 0x%llX", (number)desc,
                        (number)t.desc);
        for (size_t i = 0; i < n && !k->report->stopped; i++) {
            check_desc(k, block, &o[i], i);
            check_object(k, block, &o[i], i);
        }
        check_rows(k, block);
    }
    buf_free(&places);
}

/* ---- the shape ------------------------------------------------------------------------------------------- */

static void check_bands(const nif_checks *k, const rec_at *shape, const nif_packed_totals *t)
{
    static const char *const bands[] = {"lod0_triangles", "lod1_triangles", "lod2_triangles"};
    for (int i = 0; i < 3; i++) {
        uint32_t slot = rec_slot_find(shape->layout, bands[i]);
        if (slot != REC_NO_SLOT && (uint64_t)rec_int(shape, bands[i]) != t->bands[i])
            rec_finding(k->report, LATHE_LEVEL_WARNING, shape, slot, REC_NO_ITEM,
                        "%llu, but the instances of the objects have %llu triangles in this band",
                        (number)rec_int(shape, bands[i]), (number)t->bands[i]);
    }
}

static double distance(const nif_sphere *a, const nif_sphere *b)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (a->center[i] - b->center[i]) * (a->center[i] - b->center[i]);
    return sqrt(sum);
}

/* Finds an instance whose sphere does not even touch that of the shape; returns its number among all. */
static bool far_away(const uint8_t *data, const nif_packed_place *o, size_t n, const nif_sphere *is,
                     double tolerance, uint64_t *object, uint64_t *instance)
{
    nif_sphere s;
    for (size_t i = 0; i < n; i++)
        for (uint64_t m = 0; m < o[i].instances; m++)
            if (nif_sphere_read(data + o[i].instances_at + NIF_INSTANCE * m, &s) &&
                distance(&s, is) > is->radius + s.radius + tolerance) {
                *object = i;
                *instance = m;
                return true;
            }
    return false;
}

static bool sphere_of(const rec_at *shape, nif_sphere *out)
{
    const uint8_t *t = nif_floats(shape, "translation", 3), *b = nif_floats(shape, "bounds", 4);
    if (!t || !b)
        return false;
    for (size_t i = 0; i < 3; i++)
        out->center[i] = (double)nif_float_at(t + 4 * i) + (double)nif_float_at(b + 4 * i);
    out->radius = (double)nif_float_at(b + 12);
    return isfinite(out->center[0] + out->center[1] + out->center[2] + out->radius);
}

static void check_sphere(const nif_checks *k, const rec_at *shape, const rec_at *block,
                         const nif_packed_place *o, size_t n)
{
    const uint8_t *data = rec_part_of(k->doc, block->part)->data;
    nif_sphere is;
    uint64_t object, instance;
    bool lost = false;
    uint32_t slot = rec_slot_find(shape->layout, "bounds");
    if (!sphere_of(shape, &is))
        return;
    double far = fabs(is.center[0]) + fabs(is.center[1]) + fabs(is.center[2]) + is.radius;
    double tolerance = 1e-2 + 2e-6 * far; /* rounding of floats of that size */
    if (far_away(data, o, n, &is, tolerance, &object, &instance)) {
        rec_finding(k->report, LATHE_LEVEL_WARNING, shape, slot, REC_NO_ITEM,
                    "it does not reach blocks[%llu].data[%llu].combined[%llu]",
                    (number)nif_number(k->doc, block->part) + 1, (number)object + 1,
                    (number)instance + 1);
        return;
    }
    nif_sphere reach = is;
    if (nif_packed_reach(&k->doc->mem, data, o, n, &reach, &lost) &&
        reach.radius > is.radius + tolerance)
        rec_finding(k->report, LATHE_LEVEL_WARNING, shape, slot, REC_NO_ITEM,
                    "its radius is %.9g, but a vertex is %.9g away from its centre", is.radius,
                    reach.radius);
}

void nif_check_around(const nif_checks *k, const rec_at *shape, const rec_at *block)
{
    static const uint8_t turn[] = {0,   0,  128, 63, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,   0,
                                   128, 63, 0,   0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 63};
    const uint8_t *r = nif_floats(shape, "rotation", 9), *s = nif_floats(shape, "scale", 1);
    buf places;
    if (r && memcmp(r, turn, sizeof turn) != 0)
        rec_finding(k->report, LATHE_LEVEL_WARNING, shape, rec_slot_find(shape->layout, "rotation"),
                    REC_NO_ITEM,
                    "the shape is rotated, but its instances are not rotated along with it");
    if (s && nif_float_at(s) != 1)
        rec_finding(k->report, LATHE_LEVEL_WARNING, shape, rec_slot_find(shape->layout, "scale"),
                    REC_NO_ITEM,
                    "the shape is scaled, but its instances are not scaled along with it");
    if (scan(k, block, &places)) {
        size_t n = places.size / sizeof(nif_packed_place);
        const nif_packed_place *o = (const nif_packed_place *)(const void *)places.data;
        nif_packed_totals t = nif_packed_count(o, n);
        check_bands(k, shape, &t);
        check_sphere(k, shape, block, o, n);
    }
    buf_free(&places);
}
