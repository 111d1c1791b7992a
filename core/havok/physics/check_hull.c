/* Convex shapes that are none, or not closed. Reference: formats/fo4-collision.md#3.2. */
#include "havok/physics/check.h"

#include "havok/physics/convex.h"

#include <math.h>

enum { VERTEX = 16, PLANE = 16, FACE = 4, NUMBERS = 256 /* that an index can have */ };
enum { WHOLE_FACES = 0x40 }; /* where it is missing faces are not whole: README.md */

/* Flat faces and convex hulls are this exact in all of the games' files, as shares of their size and in metres. */
static const double SHARE = 2e-3, NEAR = 1e-3, UNIT = 1e-3;

static vec3 vector_at(const hk_hull *h, const uint8_t *p)
{
    return (vec3){(double)bytes_f32_widen(bytes_ld32(p, h->big)),
                  (double)bytes_f32_widen(bytes_ld32(p + 4, h->big)),
                  (double)bytes_f32_widen(bytes_ld32(p + 8, h->big))};
}

static vec3 vertex_of(const hk_hull *h, uint64_t i)
{
    return vector_at(h, h->vertices.bytes + VERTEX * i);
}

static double above(const hk_hull *h, const uint8_t *plane, vec3 p)
{
    return vec3_dot(vector_at(h, plane), p) +
           (double)bytes_f32_widen(bytes_ld32(plane + 12, h->big));
}

/* ---- sides ------------------------------------------------------------------------------------------------ */

/* Twice the area of a face along its normal; faces need not be quite flat. */
static vec3 area_of(const hk_hull *h, const uint8_t *v, unsigned n)
{
    vec3 sum = {0, 0, 0};
    for (unsigned k = 2; k < n; k++) {
        vec3 first = vertex_of(h, v[0]);
        vec3 b = vec3_sub(vertex_of(h, v[k - 1]), first), c = vec3_sub(vertex_of(h, v[k]), first);
        sum = vec3_add(sum, vec3_cross(b, c));
    }
    return sum;
}

void hk_check_side(const hk_hull *h, uint64_t i)
{
    const uint8_t *plane = h->planes.bytes + PLANE * i, *face = h->faces.bytes + FACE * i;
    const uint8_t *v = h->indices.bytes + bytes_ld16(face, h->big);
    vec3 normal = vector_at(h, plane);
    double worst = 0, most = 0;
    uint64_t which = 0, n = h->vertices.count < NUMBERS ? h->vertices.count : NUMBERS;
    for (uint64_t k = 0; k < n; k++) {
        vec3 p = vertex_of(h, k);
        double out = above(h, plane, p);
        most = fmax(most, vec3_length(p));
        if (out > worst) {
            worst = out;
            which = k;
        }
    }
    if (!(fabs(vec3_dot(normal, normal) - 1) <= UNIT))
        HK_FINDING(h->report, LATHE_LEVEL_WARNING, h->at, "planes", i,
                   "a normal of length %.3g, not 1", vec3_length(normal));
    else if (worst > NEAR + SHARE * most)
        HK_FINDING(h->report, LATHE_LEVEL_WARNING, h->at, "planes", i,
                   "it cuts off vertex %u, which is %.3g m outside", (unsigned)which, worst);
    if (face[2] > 2 && vec3_dot(area_of(h, v, face[2]), normal) < 0)
        HK_FINDING(h->report, LATHE_LEVEL_WARNING, h->at, "faces", i,
                   "its vertices go around clockwise, seen from outside");
}

/* ---- edges ------------------------------------------------------------------------------------------------- */

typedef struct edges {
    uint8_t bits[NUMBERS * NUMBERS / 8];
} edges;

static bool has(const edges *e, unsigned from, unsigned to)
{
    unsigned bit = from * NUMBERS + to;
    return e->bits[bit / 8] >> bit % 8 & 1;
}

/* The edges of a face, in the face's own direction. */
static void add_face(const hk_hull *h, edges *e, const uint8_t *face)
{
    uint64_t first = bytes_ld16(face, h->big), n = face[2];
    if (first > h->indices.count || n > h->indices.count - first)
        return;
    for (uint64_t k = 0; k < n; k++) {
        unsigned from = h->indices.bytes[first + k], to = h->indices.bytes[first + (k + 1) % n];
        e->bits[(from * NUMBERS + to) / 8] |= (uint8_t)(1u << to % 8);
    }
}

void hk_check_edges(const hk_hull *h)
{
    edges e = {{0}};
    if (!(rec_int(h->at, "flags") & WHOLE_FACES))
        return;
    for (uint64_t i = 0; i < h->faces.count; i++)
        add_face(h, &e, h->faces.bytes + FACE * i);
    for (unsigned from = 0; from < NUMBERS; from++)
        for (unsigned to = 0; to < NUMBERS; to++)
            if (has(&e, from, to) && !has(&e, to, from)) {
                HK_FINDING(h->report, LATHE_LEVEL_WARNING, h->at, "faces", REC_NO_ITEM,
                           "the hull is open: no face on the other side of the edge from vertex %u "
                           "to %u",
                           from, to);
                return;
            }
}

/* ---- radius and axis ----------------------------------------------------------------------------------------- */

void hk_check_radius(const hk_hull *h)
{
    double radius = hk_number(h->at, "convex_radius");
    bool hull = h->at->layout->type == &hknp_convex_polytope_shape;
    if (!(hull ? radius >= 0 : radius > 0))
        HK_FINDING(h->report, LATHE_LEVEL_ERROR, h->at, "convex_radius", REC_NO_ITEM,
                   "a radius of %.6g m", radius);
    if (h->at->layout->type != &hknp_sphere_shape)
        return;
    for (uint64_t i = 1; i < h->vertices.count; i++)
        if (memcmp(h->vertices.bytes + VERTEX * i, h->vertices.bytes, 12) != 0) {
            HK_FINDING(h->report, LATHE_LEVEL_WARNING, h->at, "vertices", i,
                       "not the sphere's centre, as the first one is");
            return;
        }
}

/* From a point to a line between two others. */
static double away(vec3 p, vec3 a, vec3 b)
{
    vec3 axis = vec3_sub(b, a);
    double length = vec3_dot(axis, axis);
    double t = length > 0 ? vec3_dot(vec3_sub(p, a), axis) / length : 0;
    t = fmax(0, fmin(1, t));
    return vec3_length(vec3_sub(p, vec3_add(a, vec3_scale(axis, t))));
}

/* A capsule's hull is a thin box around its axis. */
void hk_check_axis(const hk_hull *h)
{
    static const char *const names[] = {"a", "b"};
    vec3 ends[2];
    double radius = hk_number(h->at, "convex_radius");
    for (unsigned i = 0; i < 2; i++) {
        double p[3];
        if (hk_get_lanes(h->at, names[i], 3, p, NULL) != LATHE_OK)
            return;
        ends[i] = (vec3){p[0], p[1], p[2]};
    }
    for (unsigned i = 0; i < 2; i++)
        for (uint64_t k = 0; k < h->faces.count && k < h->planes.count; k++) {
            double out = above(h, h->planes.bytes + PLANE * k, ends[i]);
            if (out > NEAR + SHARE * vec3_length(ends[i])) {
                HK_FINDING(h->report, LATHE_LEVEL_WARNING, h->at, names[i], REC_NO_ITEM,
                           "%.3g m outside of the hull, which is around the axis", out);
                break;
            }
        }
    for (uint64_t i = 0; i < h->vertices.count; i++) {
        vec3 p = vertex_of(h, i);
        double off = away(p, ends[0], ends[1]);
        if (off > radius + NEAR + SHARE * vec3_length(p)) {
            HK_FINDING(h->report, LATHE_LEVEL_WARNING, h->at, "vertices", i,
                       "%.3g m away from the axis, further than the radius", off);
            return;
        }
    }
}
