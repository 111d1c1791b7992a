/* Copies the geometry of a document into flat arrays. */
#include "lugaru/solid.h"

#include <stdio.h>

static const char *const corner_names[] = {"a", "b", "c"};

lathe_result solid_array(lathe_doc *doc, const char *name, lathe_view *array, lathe_error *err)
{
    lathe_value v;
    lathe_result r = lathe_view_get(lathe_doc_root(doc), name, &v, err);
    if (r == LATHE_OK)
        *array = v.as.v;
    return r;
}

void solid_free(lathe_doc *doc, solid_model *m)
{
    mem_free(&doc->mem, m->positions, m->vertices * sizeof *m->positions);
    mem_free(&doc->mem, m->corners, m->triangles * sizeof *m->corners);
}

/* Checks the vertex indices of all triangles. The game does not, and reads positions by them. */
static lathe_result check_corners(const solid_model *m, lathe_error *err)
{
    for (size_t i = 0; i < 3 * m->triangles; i++) {
        int v = m->corners[i / 3][i % 3];
        if (v >= 0 && (size_t)v < m->vertices)
            continue;
        lathe_result r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                                   "vertex index %d of %zu", v, m->vertices);
        if (err)
            snprintf(err->where, sizeof err->where, "triangles[%zu].%s", i / 3 + 1,
                     corner_names[i % 3]);
        return r;
    }
    return LATHE_OK;
}

lathe_result solid_read(lathe_doc *doc, solid_model *m, lathe_error *err)
{
    lathe_view vertices, triangles;
    *m = (solid_model){0};
    lathe_result r = solid_array(doc, "vertices", &vertices, err);
    if (r == LATHE_OK)
        r = solid_array(doc, "triangles", &triangles, err);
    if (r != LATHE_OK)
        return r;
    m->vertices = (size_t)lathe_view_count(vertices);
    m->triangles = (size_t)lathe_view_count(triangles);
    m->positions = mem_zalloc(&doc->mem, m->vertices * sizeof *m->positions);
    m->corners = mem_zalloc(&doc->mem, m->triangles * sizeof *m->corners);
    if (!m->positions || !m->corners)
        r = rec_no_memory(err);
    if (r == LATHE_OK)
        r = lathe_view_read(vertices, NULL, 0, m->vertices, LATHE_ELEM_F32, m->positions, 0, err);
    for (int k = 0; r == LATHE_OK && m->triangles && k < 3; k++)
        r = lathe_view_read(triangles, corner_names[k], 0, m->triangles, LATHE_ELEM_I16,
                            &m->corners[0][k], sizeof *m->corners, err);
    if (r == LATHE_OK)
        r = check_corners(m, err);
    if (r != LATHE_OK)
        solid_free(doc, m);
    return r;
}
