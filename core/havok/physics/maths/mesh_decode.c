/* From sections to triangles. All arithmetic is double, rounded once at its end. */
#include "havok/physics/maths/mesh_parts.h"

#include <inttypes.h>
#include <math.h>

void hk_mesh_unpack(const float parms[6], uint32_t packed, float out[3])
{
    static const unsigned shift[3] = {0, 11, 22};
    static const uint32_t mask[3] = {0x7ff, 0x7ff, 0x3ff};
    for (unsigned i = 0; i < 3; i++) {
        double q = packed >> shift[i] & mask[i];
        out[i] = (float)((double)parms[i] + q * (double)parms[3 + i]);
    }
}

double hk_mesh_shared_steps(unsigned axis)
{
    return axis < 2 ? 0x1fffff : 0x3fffff;
}

void hk_mesh_unshare(const float min[3], const float max[3], uint64_t shared, float out[3])
{
    for (unsigned i = 0; i < 3; i++) {
        uint64_t mask = i < 2 ? 0x1fffff : 0x3fffff;
        double q = (double)(shared >> 21 * i & mask), low = (double)min[i];
        out[i] = (float)(low + q * ((double)max[i] - low) / hk_mesh_shared_steps(i));
    }
}

uint32_t hk_mesh_last_key(const hk_mesh *mesh, size_t section)
{
    const hk_packed_section *s = &mesh->sections[section];
    uint32_t last = s->n_primitives ? s->n_primitives - 1u : 0;
    bool quad = s->n_primitives > 0 && hk_mesh_is_quad(mesh->primitives[s->first_primitive + last]);
    return (uint32_t)section << 8 | last << 1 | quad;
}

int32_t hk_mesh_key_bits(uint32_t max_key)
{
    int32_t n = 0;
    for (uint64_t left = (uint64_t)max_key + 1; left > 0; left >>= 1)
        n++;
    return n;
}

bool hk_mesh_no_area(const float a[3], const float b[3], const float c[3])
{
    double e[3][3], longest = 0, cross = 0;
    for (unsigned i = 0; i < 3; i++) {
        e[0][i] = (double)b[i] - (double)a[i];
        e[1][i] = (double)c[i] - (double)b[i];
        e[2][i] = (double)a[i] - (double)c[i];
    }
    for (unsigned i = 0; i < 3; i++) {
        double length = e[i][0] * e[i][0] + e[i][1] * e[i][1] + e[i][2] * e[i][2];
        longest = length > longest ? length : longest;
        unsigned j = (i + 1) % 3, k = (i + 2) % 3;
        double n = e[0][j] * e[1][k] - e[0][k] * e[1][j];
        cross += n * n;
    }
    return !(sqrt(cross) > 1e-7 * longest);
}

static bool finite3(const float v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

static lathe_result out_of(lathe_error *err, size_t section, const char *what, uint64_t first,
                           uint64_t n, uint64_t size)
{
    if (n == 0 || (first < size && n <= size - first))
        return LATHE_OK;
    return error_set(err, LATHE_ERR_BOUNDS, LATHE_NO_OFFSET,
                     "section %zu: its %s are %" PRIu64 " from %" PRIu64
                     " on, but there are %" PRIu64,
                     section, what, n, first, size);
}

/* Everything of a section lies in the mesh's arrays, and its parms are numbers. */
static lathe_result section_fits(const hk_mesh *mesh, size_t i, lathe_error *err)
{
    const hk_packed_section *s = &mesh->sections[i];
    lathe_result r =
        out_of(err, i, "packed vertices", s->first_packed, s->n_packed, mesh->n_packed);
    if (r == LATHE_OK)
        r = out_of(err, i, "shared vertices", s->first_shared, s->n_shared, mesh->n_shared_index);
    if (r == LATHE_OK)
        r = out_of(err, i, "primitives", s->first_primitive, s->n_primitives, mesh->n_primitives);
    if (r == LATHE_OK)
        r = out_of(err, i, "data runs", s->first_run, s->n_runs, mesh->n_runs);
    for (size_t k = 0; r == LATHE_OK && k < s->n_shared; k++)
        r = out_of(err, i, "shared vertices", mesh->shared_index[s->first_shared + k], 1,
                   mesh->n_shared);
    if (r == LATHE_OK && s->n_primitives > HK_MESH_PRIMITIVES)
        r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                      "section %zu: %u primitives, but keys count to %d", i, s->n_primitives,
                      HK_MESH_PRIMITIVES);
    if (r == LATHE_OK && !(finite3(s->parms) && finite3(s->parms + 3)))
        r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                      "section %zu: one of its codec parameters is not finite", i);
    return r;
}

static lathe_result corners_fit(const hk_mesh *mesh, size_t i, lathe_error *err)
{
    const hk_packed_section *s = &mesh->sections[i];
    unsigned n = s->n_packed + s->n_shared;
    for (unsigned p = 0; p < s->n_primitives; p++)
        for (unsigned k = 0; k < 4; k++) {
            unsigned v = mesh->primitives[s->first_primitive + p][k];
            if (v >= n)
                return error_set(err, LATHE_ERR_BOUNDS, LATHE_NO_OFFSET,
                                 "section %zu: primitive %u has vertex %u, but there are %u", i, p,
                                 v, n);
        }
    return LATHE_OK;
}

typedef struct totals {
    size_t packed, primitives, triangles;
} totals;

/* Sections that claimed the same data again and again would ask for far more memory than they are. */
static lathe_result count_all(const hk_mesh *mesh, totals *t, lathe_error *err)
{
    if (mesh->n_sections > (size_t)1 << 24)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "%zu sections, but keys count to %d", mesh->n_sections, 1 << 24);
    if (mesh->n_shared > 0 && !(finite3(mesh->min) && finite3(mesh->max)))
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "a number of the domain is not finite");
    for (size_t i = 0; i < mesh->n_sections; i++) {
        const hk_packed_section *s = &mesh->sections[i];
        lathe_result r = section_fits(mesh, i, err);
        if (r == LATHE_OK)
            r = corners_fit(mesh, i, err);
        if (r != LATHE_OK)
            return r;
        t->packed += s->n_packed;
        t->primitives += s->n_primitives;
        for (unsigned p = 0; p < s->n_primitives; p++)
            t->triangles += 1u + hk_mesh_is_quad(mesh->primitives[s->first_primitive + p]);
        if (t->packed > mesh->n_packed || t->primitives > mesh->n_primitives)
            return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                             "section %zu: its data are those of others, too", i);
    }
    if (t->packed + mesh->n_shared > UINT32_MAX)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "too many vertices");
    return LATHE_OK;
}

static int32_t material_of(const hk_mesh *mesh, const hk_packed_section *s, unsigned primitive)
{
    for (unsigned i = 0; i < s->n_runs; i++) {
        const hk_mesh_run *r = &mesh->runs[s->first_run + i];
        if (primitive >= r->index && primitive - r->index < r->count)
            return r->value;
    }
    return HK_MESH_NO_RUN;
}

/* base: of the section's packed vertices among the positions, whose shared ones begin at `shared`. */
static void add_triangles(const hk_mesh *mesh, size_t i, size_t base, size_t shared,
                          hk_mesh_triangles *out)
{
    const hk_packed_section *s = &mesh->sections[i];
    for (unsigned p = 0; p < s->n_primitives; p++) {
        const uint8_t *corner = mesh->primitives[s->first_primitive + p];
        uint32_t v[4];
        for (unsigned k = 0; k < 4; k++)
            v[k] = corner[k] < s->n_packed
                       ? (uint32_t)(base + corner[k])
                       : (uint32_t)(shared +
                                    mesh->shared_index[s->first_shared + corner[k] - s->n_packed]);
        hk_mesh_triangle t = {.vertex = {v[0], v[1], v[2]},
                              .key = (uint32_t)i << 8 | p << 1,
                              .material = material_of(mesh, s, p)};
        out->triangles[out->n_triangles++] = t;
        if (!hk_mesh_is_quad(corner))
            continue;
        t.key |= 1;
        t.vertex[1] = v[2];
        t.vertex[2] = v[3];
        out->triangles[out->n_triangles++] = t;
    }
}

static lathe_result fill(const hk_mesh *mesh, const totals *t, hk_mesh_triangles *out,
                         lathe_error *err)
{
    size_t n = 0;
    for (size_t i = 0; i < mesh->n_sections; i++) {
        const hk_packed_section *s = &mesh->sections[i];
        add_triangles(mesh, i, n, t->packed, out);
        for (size_t k = 0; k < s->n_packed; k++, n++) {
            hk_mesh_unpack(s->parms, mesh->packed[s->first_packed + k], out->positions[n]);
            if (!finite3(out->positions[n]))
                return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                                 "section %zu: its codec parms lead out of what a float can hold",
                                 i);
        }
    }
    for (size_t k = 0; k < mesh->n_shared; k++, n++)
        hk_mesh_unshare(mesh->min, mesh->max, mesh->shared[k], out->positions[n]);
    out->n_positions = n;
    return LATHE_OK;
}

lathe_result hk_mesh_decode(const hk_mesh *mesh, const mem *m, hk_mesh_triangles *out,
                            lathe_error *err)
{
    totals t = {0};
    *out = (hk_mesh_triangles){.mem = *m};
    arena_init(&out->owned, m);
    lathe_result r = count_all(mesh, &t, err);
    if (r == LATHE_OK) {
        out->positions =
            arena_zalloc(&out->owned, (t.packed + mesh->n_shared) * sizeof *out->positions);
        out->triangles = arena_zalloc(&out->owned, t.triangles * sizeof *out->triangles);
        r = out->positions && out->triangles
                ? fill(mesh, &t, out, err)
                : error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    }
    if (r != LATHE_OK)
        hk_mesh_triangles_free(out);
    return r;
}

void hk_mesh_triangles_free(hk_mesh_triangles *t)
{
    t->owned.mem = &t->mem; /* the caller's may be gone, and *t may have moved */
    arena_free(&t->owned);
    *t = (hk_mesh_triangles){0};
}
