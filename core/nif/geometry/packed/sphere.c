/* Bounding spheres of precombined geometry: of objects, instances and whole blocks. */
#include "nif/geometry/packed/packed.h"

#include <math.h>

enum { ROTATION = 4, TRANSLATION = 40, SCALE = 52, CENTER = 56, RADIUS = 68 };

static double number_at(const uint8_t *p)
{
    return bytes_f32_widen(bytes_ld32(p, false));
}

/* ---- instances ------------------------------------------------------------------------------------------- */

bool nif_placement_read(const uint8_t *instance, nif_placement *out)
{
    bool good = true;
    for (size_t i = 0; i < 9; i++) {
        out->rotation[i] = number_at(instance + ROTATION + 4 * i);
        good = good && isfinite(out->rotation[i]);
    }
    for (size_t i = 0; i < 3; i++) {
        out->translation[i] = number_at(instance + TRANSLATION + 4 * i);
        good = good && isfinite(out->translation[i]);
    }
    out->scale = number_at(instance + SCALE);
    return good && isfinite(out->scale);
}

void nif_placement_apply(const nif_placement *t, const double p[3], double out[3])
{
    const double *r = t->rotation;
    for (int i = 0; i < 3; i++)
        out[i] = t->scale * (r[3 * i] * p[0] + r[3 * i + 1] * p[1] + r[3 * i + 2] * p[2]) +
                 t->translation[i];
}

bool nif_sphere_read(const uint8_t *instance, nif_sphere *out)
{
    bool good = true, some = false;
    for (size_t i = 0; i < 3; i++) {
        out->center[i] = number_at(instance + CENTER + 4 * i);
        good = good && isfinite(out->center[i]);
        some = some || out->center[i] != 0;
    }
    out->radius = number_at(instance + RADIUS);
    return good && isfinite(out->radius) && (some || out->radius != 0);
}

bool nif_sphere_put(const nif_placement *t, const nif_sphere *s, uint8_t bytes[16])
{
    double at[4];
    nif_placement_apply(t, s->center, at);
    at[3] = s->radius * fabs(t->scale);
    for (size_t i = 0; i < 4; i++) {
        uint32_t raw = bytes_f32_narrow(at[i]);
        if (!isfinite(bytes_f32_widen(raw)))
            return false;
        bytes_st32(bytes + 4 * i, raw, false);
    }
    return true;
}

/* Fails unless the rotation is orthonormal. */
bool nif_sphere_back(const nif_placement *t, const nif_sphere *s, nif_sphere *out)
{
    if (!(fabs(t->scale) > 0) || !(s->radius >= 0))
        return false;
    for (int i = 0; i < 3; i++) {
        out->center[i] = 0;
        for (int k = 0; k < 3; k++)
            out->center[i] += t->rotation[3 * k + i] * (s->center[k] - t->translation[k]);
        out->center[i] /= t->scale;
    }
    out->radius = s->radius / fabs(t->scale);
    return isfinite(out->center[0] + out->center[1] + out->center[2] + out->radius);
}

/* ---- vertices -------------------------------------------------------------------------------------------- */

float *nif_packed_positions(const mem *m, const uint8_t *data, const nif_packed_place *o,
                            bool *lost)
{
    nif_shape s = {.vertices = o->vertices, .layout = o->layout};
    nif_lanes lanes;
    if (!o->is_here || !o->adds_up || !o->vertices)
        return NULL;
    s.packed = (nif_column){data + o->vertices_at, o->vertices, o->vertices_at, 0};
    if (!nif_lanes_find(&s, NIF_POSITION, &lanes))
        return NULL;
    float *p = mem_alloc(m, (size_t)o->vertices * 3 * sizeof *p);
    if (p)
        nif_lanes_read(&lanes, p);
    *lost = *lost || !p;
    return p;
}

void nif_packed_positions_free(const mem *m, const nif_packed_place *o, float *positions)
{
    mem_free(m, positions, positions ? (size_t)o->vertices * 3 * sizeof *positions : 0);
}

/* Bounding box of all vertices of all instances, and the largest squared distance. */
typedef struct around {
    double low[3], high[3], center[3], most;
    bool good;
} around;

static void look_at(around *a, const double p[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        a->good = a->good && isfinite(p[k]);
        a->low[k] = fmin(a->low[k], p[k]);
        a->high[k] = fmax(a->high[k], p[k]);
        sum += (p[k] - a->center[k]) * (p[k] - a->center[k]);
    }
    a->most = fmax(a->most, sum);
}

static bool look_at_object(around *a, const mem *m, const uint8_t *data, const nif_packed_place *o,
                           bool *lost)
{
    nif_placement t;
    float *positions = nif_packed_positions(m, data, o, lost);
    if (!positions)
        return false;
    for (uint64_t i = 0; a->good && i < o->instances; i++) {
        a->good = nif_placement_read(data + o->instances_at + NIF_INSTANCE * i, &t);
        for (uint64_t v = 0; a->good && v < o->vertices; v++) {
            const float *from = positions + 3 * v;
            double at[3], p[3] = {(double)from[0], (double)from[1], (double)from[2]};
            nif_placement_apply(&t, p, at);
            look_at(a, at);
        }
    }
    nif_packed_positions_free(m, o, positions);
    return a->good;
}

/* False: geometry is elsewhere, has more vertices than a bucket may have, or is not finite. */
static bool look_at_all(around *a, const mem *m, const uint8_t *data, const nif_packed_place *o,
                        size_t n, bool *lost)
{
    for (size_t i = 0; i < n; i++)
        if (o[i].instances && o[i].vertices && !look_at_object(a, m, data, &o[i], lost))
            return false;
    return true;
}

static bool fits_bucket(const nif_packed_place *o, size_t n)
{
    uint64_t vertices = 0;
    for (size_t i = 0; i < n; i++) {
        if (o[i].instances && o[i].vertices > NIF_BUCKET_VERTICES / o[i].instances)
            return false;
        vertices += o[i].vertices * o[i].instances;
        if (vertices > NIF_BUCKET_VERTICES)
            return false;
    }
    return vertices > 0;
}

bool nif_packed_reach(const mem *m, const uint8_t *data, const nif_packed_place *places, size_t n,
                      nif_sphere *sphere, bool *lost)
{
    around a = {.good = true};
    memcpy(a.center, sphere->center, sizeof a.center);
    if (!fits_bucket(places, n) || !look_at_all(&a, m, data, places, n, lost))
        return false;
    sphere->radius = sqrt(a.most);
    return true;
}

/* The centre is rounded as a shape stores it, so that the stored sphere contains all vertices. */
bool nif_packed_bucket(const mem *m, const uint8_t *data, const nif_packed_place *places, size_t n,
                       nif_sphere *out, bool *lost)
{
    around a = {.good = true};
    for (int k = 0; k < 3; k++)
        a.low[k] = HUGE_VAL, a.high[k] = -HUGE_VAL;
    if (!fits_bucket(places, n) || !look_at_all(&a, m, data, places, n, lost))
        return false;
    for (int k = 0; k < 3; k++)
        out->center[k] = bytes_f32_widen(bytes_f32_narrow(a.low[k] / 2 + a.high[k] / 2));
    return nif_packed_reach(m, data, places, n, out, lost);
}
