/* Boxes of shapes, for those who must hold them. */
#include "havok/physics/check.h"

#include "havok/physics/convex.h"
#include "havok/physics/mesh_read.h"

#include <math.h>

/* Half a thousandth of a unit of the games; and what floats lose far away. */
static const double SLACK = 1e-4, SHARE = 1e-5;

static double lane(const uint8_t *p, bool big)
{
    return (double)bytes_f32_widen(bytes_ld32(p, big));
}

hk_bounds hk_bounds_at(const uint8_t *p, unsigned stride, bool big)
{
    hk_bounds b;
    for (unsigned i = 0; i < 3; i++) {
        b.min[i] = lane(p + 4 * i, big);
        b.max[i] = lane(p + stride + 4 * i, big);
    }
    return b;
}

double hk_looks_out(const hk_bounds *outer, const hk_bounds *inner)
{
    double most = 0;
    for (unsigned i = 0; i < 3; i++) {
        double low = outer->min[i] - inner->min[i], high = inner->max[i] - outer->max[i];
        double slack = SLACK + SHARE * fmax(fabs(inner->min[i]), fabs(inner->max[i]));
        if (!(low <= 1e300 && high <= 1e300))
            return INFINITY;
        if (low > slack || high > slack)
            most = fmax(most, fmax(low, high));
    }
    return most;
}

static void add(hk_bounds *b, const mat4 *place, double x, double y, double z)
{
    vec3 p = mat4_point(place, (vec3){x, y, z});
    const double lanes[3] = {p.x, p.y, p.z};
    for (unsigned i = 0; i < 3; i++) {
        if (!(b->min[i] <= lanes[i])) /* so that what is no number stays */
            b->min[i] = lanes[i];
        if (!(b->max[i] >= lanes[i]))
            b->max[i] = lanes[i];
    }
}

/* How much it makes a length shorter, at most. */
static double least_scale(const mat4 *place)
{
    double least = HUGE_VAL;
    for (unsigned c = 0; c < 3; c++)
        least = fmin(least, vec3_length((vec3){place->m[c][0], place->m[c][1], place->m[c][2]}));
    return least;
}

static bool is_upright(const mat4 *place)
{
    for (unsigned c = 0; c < 3; c++)
        for (unsigned r = 0; r < 3; r++)
            if (c != r && place->m[c][r] != 0)
                return false;
    return true;
}

static void add_corners(hk_bounds *b, const mat4 *place, const hk_bounds *box)
{
    for (unsigned i = 0; i < 8; i++)
        add(b, place, i & 1 ? box->max[0] : box->min[0], i & 2 ? box->max[1] : box->min[1],
            i & 4 ? box->max[2] : box->min[2]);
}

/* ---- kinds ------------------------------------------------------------------------------------------------ */

static bool add_vertices(hk_looker *k, const rec_at *shape, const mat4 *place, hk_bounds *b)
{
    bytes_array vertices;
    bool big = k->doc->containers[k->c].big;
    if (hk_array_of(shape, "vertices", &vertices, NULL) != LATHE_OK || !vertices.count ||
        !hk_may_look(k, shape, 16 * vertices.count))
        return false;
    for (uint64_t i = 0; i < vertices.count; i++) {
        const uint8_t *p = vertices.bytes + 16 * i;
        add(b, place, lane(p, big), lane(p + 4, big), lane(p + 8, big));
    }
    return true;
}

static bool add_axis(const rec_at *shape, const mat4 *place, hk_bounds *b)
{
    double p[3], q[3];
    if (hk_get_lanes(shape, "a", 3, p, NULL) != LATHE_OK ||
        hk_get_lanes(shape, "b", 3, q, NULL) != LATHE_OK)
        return false;
    add(b, place, p[0], p[1], p[2]);
    add(b, place, q[0], q[1], q[2]);
    return true;
}

/* Turned, the corners of its box may look out where its triangles do not. */
static bool add_mesh(hk_looker *k, const rec_at *shape, const mat4 *place, hk_bounds *b)
{
    arena room;
    hk_mesh mesh;
    hk_mesh_triangles triangles;
    lathe_error err;
    uint32_t data = hk_target(shape, "data", 0);
    if (data == REC_NO_PART || !hk_may_look(k, shape, k->doc->parts[data].size))
        return false;
    arena_init(&room, &k->doc->mem);
    bool ok = hk_mesh_read(shape, &room, &mesh, &err) == LATHE_OK &&
              hk_mesh_decode(&mesh, &k->doc->mem, &triangles, &err) == LATHE_OK;
    if (ok) {
        for (size_t i = 0; i < triangles.n_positions; i++) {
            const float *p = triangles.positions[i];
            add(b, place, (double)p[0], (double)p[1], (double)p[2]);
        }
        ok = triangles.n_positions > 0;
        hk_mesh_triangles_free(&triangles);
    }
    arena_free(&room);
    return ok;
}

static bool add_box(const rec_at *at, const char *row, const mat4 *place, hk_bounds *b)
{
    const uint8_t *p = at->doc->parts[at->part].data + at->off;
    hk_bounds box = hk_bounds_at(p + at->layout->slots[rec_slot_find(at->layout, row)].off, 16,
                                 at->doc->containers[at->layout->container].big);
    if (!is_upright(place))
        return false;
    add_corners(b, place, &box);
    return true;
}

static bool add_data(hk_looker *k, const rec_at *shape, const mat4 *place, hk_bounds *b)
{
    uint32_t part = hk_target(shape, "data", 0);
    if (part == REC_NO_PART || k->doc->parts[part].root->type != &hknp_compressed_mesh_shape_data)
        return false;
    rec_at data = hk_object(k->doc, part);
    return is_upright(place) ? add_box(&data, "domain", place, b) : add_mesh(k, shape, place, b);
}

bool hk_shape_bounds(hk_looker *k, const rec_at *shape, const mat4 *place, hk_bounds *out)
{
    const rec_type *type = shape->layout->type;
    double radius = 0;
    *out = (hk_bounds){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    if (type == &hknp_compressed_mesh_shape)
        return add_data(k, shape, place, out);
    if (type == &hknp_dynamic_compound_shape)
        return add_box(shape, "aabb", place, out);
    if (type == &hknp_capsule_shape ? !add_axis(shape, place, out)
        : type == &hknp_sphere_shape || type == &hknp_convex_polytope_shape
            ? !add_vertices(k, shape, place, out)
            : true)
        return false;
    radius = hk_number(shape, "convex_radius") * least_scale(place);
    for (unsigned i = 0; i < 3; i++) {
        out->min[i] -= radius;
        out->max[i] += radius;
    }
    return true;
}
