/* A mesh shape as read-only tables of numbers, for access to all of it at once. */
#include "phive/mesh.h"

typedef struct counts {
    phive_reading r;
    uint64_t vertices, triangles;
} counts;

static lathe_result count(const rec_at *at, counts *c, lathe_error *err)
{
    lathe_result done = phive_read(at->doc, at->layout->container, &c->r, err);
    return done == LATHE_OK ? phive_count(&c->r, &c->vertices, &c->triangles, err) : done;
}

/* ---- vertices ------------------------------------------------------------------------------------------------ */

static bool vertex_rows(const rec_at *at, const rec_field *row, uint64_t *n)
{
    counts c = {.vertices = 0};
    (void)row;
    bool there = count(at, &c, NULL) == LATHE_OK;
    *n = c.vertices;
    return there;
}

static lathe_result read_vertices(const rec_at *at, const rec_field *row, void *to,
                                  lathe_error *err)
{
    float *out = to;
    phive_section s;
    counts c;
    (void)row;
    lathe_result done = count(at, &c, err);
    for (uint32_t i = 0; done == LATHE_OK && i < c.r.sections.count; i++) {
        phive_read_points(&c.r, i, &s);
        phive_vertices(&c.r, &s, 0, s.vertex_count, out);
        out += 3 * (size_t)s.vertex_count;
    }
    return done;
}

/* ---- boxes --------------------------------------------------------------------------------------------------- */

static bool section_rows(const rec_at *at, const rec_field *row, uint64_t *n)
{
    counts c = {.vertices = 0};
    (void)row;
    bool there = count(at, &c, NULL) == LATHE_OK;
    *n = there ? c.r.sections.count : 0;
    return there;
}

/* Bounding box of quantised vertices, computed from their integers. */
static void grid_box(const phive_reading *r, const phive_section *s, float out[6])
{
    uint16_t lo[3] = {0xFFFF, 0xFFFF, 0xFFFF}, hi[3] = {0};
    const uint8_t *p = s->vertices.p;
    for (uint32_t i = 0; i < s->vertex_count; i++, p += 6)
        for (unsigned k = 0; k < 3; k++) {
            uint16_t q = bytes_ld16(p + 2 * k, false);
            lo[k] = q < lo[k] ? q : lo[k];
            hi[k] = q > hi[k] ? q : hi[k];
        }
    for (unsigned k = 0; k < 3; k++) {
        float a = phive_grid(r, s, k, lo[k]), b = phive_grid(r, s, k, hi[k]);
        out[k] = a < b ? a : b; /* inverted if the scale is negative or the sum overflows */
        out[3 + k] = a < b ? b : a;
    }
}

static void section_box(const phive_reading *r, const phive_section *s, float out[6])
{
    float rows[3 * 256]; /* corners have 8-bit indices, but there may be more */
    float lo[3], hi[3];
    for (unsigned k = 0; k < 6; k++)
        out[k] = 0;
    if (!s->vertex_count)
        return;
    if (!s->floats) {
        grid_box(r, s, out);
        return;
    }
    for (uint32_t from = 0; from < s->vertex_count; from += 256) {
        uint32_t n = s->vertex_count - from < 256 ? s->vertex_count - from : 256;
        phive_vertices(r, s, from, n, rows);
        phive_box(rows, n, lo, hi);
        for (unsigned k = 0; k < 3; k++) {
            out[k] = !from || lo[k] < out[k] ? lo[k] : out[k];
            out[3 + k] = !from || hi[k] > out[3 + k] ? hi[k] : out[3 + k];
        }
    }
}

static lathe_result read_boxes(const rec_at *at, const rec_field *row, void *to, lathe_error *err)
{
    float *out = to;
    phive_section s;
    counts c;
    (void)row;
    lathe_result done = count(at, &c, err);
    for (uint32_t i = 0; done == LATHE_OK && i < c.r.sections.count; i++) {
        phive_read_points(&c.r, i, &s);
        section_box(&c.r, &s, out + 6 * (size_t)i);
    }
    return done;
}

/* ---- triangles ------------------------------------------------------------------------------------------------ */

static bool triangle_rows(const rec_at *at, const rec_field *row, uint64_t *n)
{
    counts c = {.vertices = 0};
    (void)row;
    bool there = count(at, &c, NULL) == LATHE_OK;
    *n = c.triangles;
    return there;
}

/* Either may be NULL. */
static lathe_result read_all(const rec_at *at, uint32_t *indices, uint32_t *materials,
                             lathe_error *err)
{
    size_t vertex = 0, triangle = 0;
    uint32_t hint = 0;
    counts c;
    lathe_result done = count(at, &c, err);
    for (uint32_t i = 0; done == LATHE_OK && i < c.r.sections.count; i++)
        done = phive_triangles(&c.r, i, indices, materials, &vertex, &triangle, &hint, err);
    return done;
}

static lathe_result read_triangles(const rec_at *at, const rec_field *row, void *to,
                                   lathe_error *err)
{
    (void)row;
    return read_all(at, to, NULL, err);
}

static lathe_result read_materials(const rec_at *at, const rec_field *row, void *to,
                                   lathe_error *err)
{
    (void)row;
    return read_all(at, NULL, to, err);
}

const rec_numbers phive_vertex_numbers = {
    .elem = LATHE_ELEM_F32, .columns = 3, .rows = vertex_rows, .read = read_vertices};
const rec_numbers phive_box_numbers = {
    .elem = LATHE_ELEM_F32, .columns = 6, .rows = section_rows, .read = read_boxes};
const rec_numbers phive_corner_numbers = {
    .elem = LATHE_ELEM_U32, .columns = 3, .rows = triangle_rows, .read = read_triangles};
const rec_numbers phive_material_numbers = {
    .elem = LATHE_ELEM_U32, .columns = 1, .rows = triangle_rows, .read = read_materials};
