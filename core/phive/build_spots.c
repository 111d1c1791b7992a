/* Places the corners of the triangles on the grid: merges vertices and drops degenerate triangles. */
#include "phive/build_parts.h"

lathe_result build_no_memory(lathe_error *err)
{
    return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

/* ---- checks ------------------------------------------------------------------------------------------- */

static lathe_result check_corner(const build *b, size_t triangle, int corner)
{
    const uint32_t v = b->mesh->indices[triangle * 3 + (size_t)corner];
    if (v >= b->mesh->vertex_count)
        return error_set(b->err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "triangle %zu: corner %d is vertex %lu of %zu vertices", triangle, corner,
                         (unsigned long)v, b->mesh->vertex_count);
    const float *p = build_position(b, v);
    for (int k = 0; k < 3; k++)
        if (!(p[k] >= -PHIVE_COORDINATE_MAX && p[k] <= PHIVE_COORDINATE_MAX))
            return error_set(b->err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                             "triangle %zu: %c of vertex %lu is %g, not a number up to %g",
                             triangle, "xyz"[k], (unsigned long)v, (double)p[k],
                             (double)PHIVE_COORDINATE_MAX);
    return LATHE_OK;
}

static lathe_result check_mesh(const build *b)
{
    const phive_mesh *mesh = b->mesh;
    if (mesh->triangle_count > PHIVE_TRIANGLES_MAX || mesh->vertex_count >= BUILD_NONE)
        return error_set(
            b->err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
            "%zu triangles over %zu vertices: a shape is built from at most %d triangles",
            mesh->triangle_count, mesh->vertex_count, (int)PHIVE_TRIANGLES_MAX);
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        for (int corner = 0; corner < 3; corner++) {
            const lathe_result r = check_corner(b, i, corner);
            if (r != LATHE_OK)
                return r;
        }
        if (build_tag(b, (uint32_t)i) > PHIVE_TAG_MAX)
            return error_set(b->err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                             "triangle %zu: tag %u, more than %d", i,
                             (unsigned)build_tag(b, (uint32_t)i), (int)PHIVE_TAG_MAX);
    }
    return LATHE_OK;
}

/* ---- spots ------------------------------------------------------------------------------------------- */

/* False: outside of the grid. */
static bool round_to_grid(const build *b, const float p[3], int32_t q[3])
{
    for (int k = 0; k < 3; k++) {
        const double steps = floor((double)p[k] / (double)b->scale_inv[k] + 0.5);
        if (!(steps >= -PHIVE_GRID_STEPS && steps <= PHIVE_GRID_STEPS))
            return false;
        q[k] = (int32_t)steps;
    }
    return true;
}

/* A key that is equal for two vertices exactly if they are to be merged: grid steps, or the bits of the
 * floats for a vertex outside of the grid. At least one of these is greater than any number of steps. */
static void key_of(const build *b, uint32_t v, uint32_t key[3])
{
    int32_t q[3];
    if (round_to_grid(b, build_position(b, v), q))
        for (int k = 0; k < 3; k++)
            key[k] = (uint32_t)(q[k] + PHIVE_GRID_STEPS);
    else
        memcpy(key, build_position(b, v), 3 * sizeof *key);
}

static void number_spots(build *b, const uint32_t *order, const uint32_t (*keys)[3])
{
    const size_t n = b->mesh->vertex_count;
    for (size_t i = 0; i < n; i++) {
        const uint32_t v = order[i];
        if (i == 0 || memcmp(keys[v], keys[order[i - 1]], sizeof keys[v]) != 0) {
            const size_t spot = b->spot_count++;
            b->spot_from[spot] = v;
            if (!round_to_grid(b, build_position(b, v), b->spots[spot]))
                b->spots[spot][0] = INT32_MIN;
        }
        b->spot_of[v] = (uint32_t)(b->spot_count - 1);
    }
}

static lathe_result find_spots(build *b)
{
    const mem *m = &b->mem;
    const size_t n = b->mesh->vertex_count;
    b->spot_room = n;
    b->spot_of = mem_alloc(m, n * sizeof *b->spot_of);
    b->spot_from = mem_alloc(m, n * sizeof *b->spot_from);
    b->spots = mem_alloc(m, n * sizeof *b->spots);
    uint32_t(*keys)[3] = mem_alloc(m, n * sizeof *keys);
    uint32_t *order = mem_alloc(m, n * sizeof *order), *scratch = mem_alloc(m, n * sizeof *scratch);
    const bool ok = b->spot_of && b->spot_from && b->spots && keys && order && scratch;
    if (ok) {
        for (size_t v = 0; v < n; v++) {
            key_of(b, (uint32_t)v, keys[v]);
            order[v] = (uint32_t)v;
        }
        for (int k = 0; k < 3; k++)
            build_sort(order, scratch, n, &keys[0][k], 3);
        number_spots(b, order, (const uint32_t(*)[3])keys);
    }
    mem_free(m, keys, n * sizeof *keys);
    mem_free(m, order, n * sizeof *order);
    mem_free(m, scratch, n * sizeof *scratch);
    return ok ? LATHE_OK : build_no_memory(b->err);
}

void build_spot_position(const build *b, uint32_t spot, double out[3])
{
    const bool on_grid = build_on_grid(b->spots[spot]);
    for (int k = 0; k < 3; k++)
        out[k] = on_grid ? (double)build_decode(b, b->spots[spot][k], k)
                         : (double)build_position(b, b->spot_from[spot])[k];
}

void build_corner(const build *b, const build_primitive *p, int corner, float out[3])
{
    if (p->is_float)
        memcpy(out, build_position(b, p->corner[corner]), 3 * sizeof *out);
    else
        for (int k = 0; k < 3; k++)
            out[k] = build_decode(b, b->spots[p->corner[corner]][k], k);
}

/* ---- triangles ---------------------------------------------------------------------------------------- */

typedef struct misfit {
    int axis;
    bool far_out;
} misfit;

/* True if a grid section can hold the triangle; otherwise fills *why. */
static bool fits_grid(const build *b, const uint32_t spot[3], misfit *why)
{
    for (int k = 0; k < 3; k++) {
        int32_t low = INT32_MAX, high = INT32_MIN;
        for (int corner = 0; corner < 3; corner++) {
            const int32_t *q = b->spots[spot[corner]];
            if (!build_on_grid(q)) {
                *why = (misfit){.axis = k, .far_out = true};
                return false;
            }
            low = q[k] < low ? q[k] : low;
            high = q[k] > high ? q[k] : high;
        }
        if (high - low > PHIVE_SECTION_STEPS) {
            *why = (misfit){.axis = k, .far_out = false};
            return false;
        }
    }
    return true;
}

static lathe_result refuse(const build *b, uint32_t triangle, const misfit *why)
{
    const int k = why->axis;
    const double step = (double)b->scale_inv[k];
    if (why->far_out)
        return error_set(
            b->err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
            "triangle %lu is beyond the grid, which ends at %g; a v21 shape has no float "
            "vertices",
            (unsigned long)triangle, PHIVE_GRID_STEPS * step);
    const uint32_t *v = b->mesh->indices + (size_t)triangle * 3;
    double low = INFINITY, high = -INFINITY;
    for (int corner = 0; corner < 3; corner++) {
        low = fmin(low, (double)build_position(b, v[corner])[k]);
        high = fmax(high, (double)build_position(b, v[corner])[k]);
    }
    return error_set(
        b->err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
        "triangle %lu is %g long in %c, and a section at most %g; a v21 shape has no float "
        "vertices",
        (unsigned long)triangle, high - low, "xyz"[k], PHIVE_SECTION_STEPS * step);
}

/* True if two corners coincide as they will be stored. */
static bool degenerate(const build *b, const uint32_t *v, const build_triangle *t)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        const float *p = build_position(b, v[i]), *q = build_position(b, v[j]);
        if (t->is_float ? p[0] == q[0] && p[1] == q[1] && p[2] == q[2] : t->spot[i] == t->spot[j])
            return true;
    }
    return false;
}

lathe_result build_find_triangles(build *b, size_t *dropped)
{
    lathe_result r = check_mesh(b);
    if (r == LATHE_OK)
        r = find_spots(b);
    if (r != LATHE_OK)
        return r;
    const size_t n = b->mesh->triangle_count;
    b->triangles = mem_alloc(&b->mem, n * sizeof *b->triangles);
    if (!b->triangles)
        return build_no_memory(b->err);
    for (size_t i = 0; i < n; i++) {
        const uint32_t *v = b->mesh->indices + i * 3;
        build_triangle t = {.number = (uint32_t)i};
        for (int k = 0; k < 3; k++)
            t.spot[k] = b->spot_of[v[k]];
        misfit why;
        t.is_float = !fits_grid(b, t.spot, &why);
        if (degenerate(b, v, &t))
            ++*dropped;
        else if (t.is_float && b->options->variant == PHIVE_V21)
            return refuse(b, t.number, &why);
        else
            b->triangles[b->triangle_count++] = t;
    }
    return LATHE_OK;
}
