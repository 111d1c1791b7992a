/* Scene hooks of a mesh shape: computed fields, the body, and triangles with their materials. */
#include "phive/mesh.h"

#include <stdio.h>

/* ---- computed fields --------------------------------------------------------------------------------------- */

/* Reads the shape that a record in the tagfile of a Phive file belongs to. */
static lathe_result read_around(const rec_at *at, phive_reading *r, lathe_error *err)
{
    return phive_read(at->doc, at->doc->containers[at->layout->container].outer, r, err);
}

static lathe_result section_at(const rec_at *at, phive_reading *r, phive_section *s,
                               lathe_error *err)
{
    lathe_result done = read_around(at, r, err);
    uint64_t i = done == LATHE_OK && at->off >= r->sections.at
                     ? (at->off - r->sections.at) / r->l->section.size
                     : 0;
    if (done == LATHE_OK && (at->part != r->part || i >= r->sections.count))
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no section of the shape");
    return done == LATHE_OK ? phive_read_section(r, (uint32_t)i, s, err) : done;
}

static bool count_vertices(const rec_at *at, const rec_field *row, uint64_t *n)
{
    phive_reading r;
    phive_section s;
    (void)row;
    bool there = section_at(at, &r, &s, NULL) == LATHE_OK;
    *n = there ? s.vertex_count : 0;
    return there;
}

static lathe_result read_vertices(const rec_at *at, const rec_field *row, void *to,
                                  lathe_error *err)
{
    phive_reading r;
    phive_section s;
    (void)row;
    lathe_result done = section_at(at, &r, &s, err);
    if (done == LATHE_OK)
        phive_vertices(&r, &s, 0, s.vertex_count, to);
    return done;
}

lathe_result phive_get_no_name(const rec_at *at, const rec_field *row, lathe_value *out,
                               lathe_error *err)
{
    (void)at;
    (void)row;
    (void)err;
    out->kind = LATHE_KIND_NONE;
    return LATHE_OK;
}

lathe_result phive_get_motion(const rec_at *at, const rec_field *row, lathe_value *out,
                              lathe_error *err)
{
    (void)row;
    return rec_text(at, "static", 6, out, err);
}

/* Bounding box of all vertices. LATHE_ERR_NAME: there are none. */
static lathe_result bounds_of(lathe_doc *doc, uint32_t c, float lo[3], float hi[3],
                              lathe_error *err)
{
    enum { AT_ONCE = 64 };
    float rows[3 * AT_ONCE], low[3], high[3];
    phive_reading r;
    phive_section s;
    bool any = false;
    lathe_result done = phive_read(doc, c, &r, err);
    for (uint32_t i = 0; done == LATHE_OK && i < r.sections.count; i++) {
        done = phive_read_section(&r, i, &s, err);
        for (uint32_t from = 0; done == LATHE_OK && from < s.vertex_count; from += AT_ONCE) {
            uint32_t n = s.vertex_count - from < AT_ONCE ? s.vertex_count - from : AT_ONCE;
            phive_vertices(&r, &s, from, n, rows);
            phive_box(rows, n, low, high);
            for (unsigned k = 0; k < 3; k++) {
                lo[k] = !any || low[k] < lo[k] ? low[k] : lo[k];
                hi[k] = !any || high[k] > hi[k] ? high[k] : hi[k];
            }
            any = true;
        }
    }
    if (done == LATHE_OK && !any)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                         "a shape without vertices has no bounds");
    return done;
}

static bool count_bounds(const rec_at *at, const rec_field *row, uint64_t *n)
{
    float lo[3], hi[3];
    (void)row;
    *n = 2;
    return bounds_of(at->doc, at->layout->container, lo, hi, NULL) == LATHE_OK;
}

static lathe_result read_bounds(const rec_at *at, const rec_field *row, void *to, lathe_error *err)
{
    float *out = to;
    (void)row;
    return bounds_of(at->doc, at->layout->container, out, out + 3, err);
}

const rec_numbers phive_bounds_numbers = {
    .elem = LATHE_ELEM_F32, .columns = 3, .rows = count_bounds, .read = read_bounds};

const rec_numbers phive_section_vertex_numbers = {
    .elem = LATHE_ELEM_F32,
    .columns = 3,
    .rows = count_vertices,
    .read = read_vertices,
    .fixed = "they follow from the stored vertices; doc:set_mesh builds others"};

const rec_type *phive_derived(const char *class_name)
{
    return strcmp(class_name, "hknpMeshShape") == 0                    ? &phive_shape_extras
           : strcmp(class_name, "hknpMeshShape::GeometrySection") == 0 ? &phive_section_extras
                                                                       : NULL;
}

/* ---- the body ------------------------------------------------------------------------------------------------ */

lathe_result phive_body(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err)
{
    rec_at shape;
    const phive_layout *layout;
    uint32_t container;
    if (i)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there is one body");
    lathe_result r = phive_shape(doc, 0, &shape, &layout, &container, err);
    if (r == LATHE_OK)
        *out = rec_view(&shape);
    return r == LATHE_ERR_MEMORY || r == LATHE_OK
               ? r
               : error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there is no body");
}

/* ---- triangles ------------------------------------------------------------------------------------------------ */

static lathe_result put_materials(lathe_doc *doc, model_mesh *mesh, lathe_error *err)
{
    char text[96];
    lathe_result r = LATHE_OK;
    uint32_t n = phive_counts_of(doc, 0).rows;
    for (uint32_t i = 0; r == LATHE_OK && i < n; i++) {
        size_t length = phive_material_text(doc, 0, i, text, sizeof text);
        r = model_mesh_material(mesh, text, length, err);
    }
    return r;
}

lathe_result phive_triangles(const phive_reading *r, uint32_t i, uint32_t *indices,
                             uint32_t *materials, size_t *vertex, size_t *triangle, uint32_t *hint,
                             lathe_error *err)
{
    phive_section s;
    uint32_t rows = phive_counts_of(r->doc, r->doc->containers[r->container].outer).rows;
    lathe_result done = phive_read_section(r, i, &s, err);
    for (uint32_t p = 0; done == LATHE_OK && p < s.primitives.count; p++) {
        const uint8_t *c = phive_primitive(&s, p);
        for (unsigned k = 0; k < 4; k++)
            if (c[k] >= s.vertex_count)
                return error_set(err, LATHE_ERR_RANGE,
                                 rec_encoded(r->doc, r->part, s.primitives.at + 4 * (uint64_t)p),
                                 "section %u primitive %u uses vertex %u of %u", i, p, c[k],
                                 s.vertex_count);
        for (unsigned sub = 0; sub < (c[2] == c[3] ? 1u : 2u); sub++, ++*triangle) {
            uint32_t *to = indices ? indices + 3 * *triangle : NULL, first = (uint32_t)*vertex;
            if (to) {
                to[0] = first + c[0];
                to[1] = first + c[1 + sub];
                to[2] = first + c[2 + sub];
            }
            if (!materials)
                continue;
            uint32_t tag = phive_tag_of(r, phive_key(r, i, p, sub), hint) & PHIVE_TAG_MASK;
            materials[*triangle] = tag < rows ? tag : rows;
        }
    }
    *vertex += done == LATHE_OK ? s.vertex_count : 0;
    return done;
}

static lathe_result put_section(const phive_reading *r, uint32_t i, model_mesh *mesh,
                                size_t *vertex, size_t *triangle, uint32_t *hint, lathe_error *err)
{
    phive_section s;
    lathe_result done = phive_read_section(r, i, &s, err);
    if (done != LATHE_OK)
        return done;
    if (s.vertex_count) /* without vertices there may be no positions */
        phive_vertices(r, &s, 0, s.vertex_count, mesh->positions + 3 * *vertex);
    return phive_triangles(r, i, mesh->indices, mesh->material_of, vertex, triangle, hint, err);
}

static lathe_result put_all(const phive_reading *r, model_mesh *mesh, lathe_error *err)
{
    uint64_t vertices, triangles;
    size_t vertex = 0, triangle = 0;
    uint32_t hint = 0;
    bool strays = false;
    lathe_result done = phive_count(r, &vertices, &triangles, err);
    if (done == LATHE_OK)
        done = model_mesh_alloc(mesh, (size_t)vertices, (size_t)(3 * triangles),
                                MODEL_MESH_MATERIALS, err);
    for (uint32_t i = 0; done == LATHE_OK && i < r->sections.count; i++)
        done = put_section(r, i, mesh, &vertex, &triangle, &hint, err);
    if (done == LATHE_OK)
        done = put_materials(r->doc, mesh, err);
    for (size_t i = 0; done == LATHE_OK && i < triangle; i++)
        strays = strays || mesh->material_of[i] >= mesh->material_count;
    return done == LATHE_OK && strays ? model_mesh_material(mesh, "none", 4, err) : done;
}

lathe_result phive_collision(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err)
{
    phive_reading r;
    if (i)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there is one shape");
    mesh->metres = 1;
    mesh->front = (vec3){0, 0, 1}; /* shapes show no front; this is how the game's models stand */
    mesh->body = 1;
    mesh->shape = "mesh";
    lathe_result done = phive_read(doc, 0, &r, err);
    return done == LATHE_OK ? put_all(&r, mesh, err) : done;
}
