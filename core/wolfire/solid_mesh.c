/* Geometry of a .solid as the game works it out, and its verbs. formats/wolfire.md#1 */
#include "model/farthest.h"
#include "model/mesh.h"
#include "wolfire/solid.h"

#include <math.h>
#include <stdio.h>

typedef struct model {
    float (*positions)[3];
    int16_t (*corners)[3];
    size_t vertices, triangles;
} model;

static void model_free(lathe_doc *doc, model *m)
{
    mem_free(&doc->mem, m->positions, m->vertices * sizeof *m->positions);
    mem_free(&doc->mem, m->corners, m->triangles * sizeof *m->corners);
}

/* Positions and corners as flat lists; a corner that points at no vertex is an error here. */
static lathe_result model_read(lathe_doc *doc, model *m, lathe_error *err)
{
    static const char *const names[] = {"a", "b", "c"};
    lathe_view vertices, triangles;
    *m = (model){0};
    lathe_result r = wolfire_array(doc, "vertices", &vertices, err);
    if (r == LATHE_OK)
        r = wolfire_array(doc, "triangles", &triangles, err);
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
        r = lathe_view_read(triangles, names[k], 0, m->triangles, LATHE_ELEM_I16, &m->corners[0][k],
                            sizeof *m->corners, err);
    for (size_t i = 0; r == LATHE_OK && i < 3 * m->triangles; i++) {
        int v = m->corners[i / 3][i % 3];
        if (v < 0 || (size_t)v >= m->vertices) {
            r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "vertex index %d of %zu", v,
                          m->vertices);
            if (err)
                snprintf(err->where, sizeof err->where, "triangles[%zu].%s", i / 3 + 1,
                         names[i % 3]);
        }
    }
    if (r != LATHE_OK)
        model_free(doc, m);
    return r;
}

static vec3 vertex(const model *m, int i)
{
    const float *p = m->positions[i];
    return (vec3){p[0], p[1], p[2]};
}

/* Area-weighted sums of face normals, turned round: what the game stores for everything but props,
 * whose normals it negates once more after loading. */
static lathe_result vertex_normals(lathe_doc *doc, const model *m, vec3 **out, lathe_error *err)
{
    vec3 *sum = mem_zalloc(&doc->mem, m->vertices * sizeof *sum);
    if (!sum)
        return rec_no_memory(err);
    for (size_t t = 0; t < m->triangles; t++) {
        const int16_t *c = m->corners[t];
        vec3 a = vertex(m, c[0]);
        vec3 n = vec3_cross(vec3_sub(vertex(m, c[1]), a), vec3_sub(vertex(m, c[2]), a));
        for (int k = 0; k < 3; k++)
            sum[c[k]] = vec3_add(sum[c[k]], n);
    }
    for (size_t i = 0; i < m->vertices; i++)
        sum[i] = vec3_sub((vec3){0, 0, 0}, vec3_normalize(sum[i])); /* and no negative zeros */
    *out = sum;
    return LATHE_OK;
}

/* Corners have texture coordinates of their own, so every corner becomes a vertex. */
static lathe_result fill_mesh(lathe_doc *doc, const model *m, const vec3 *normals, model_mesh *mesh,
                              lathe_error *err)
{
    lathe_view triangles;
    size_t corners = 3 * m->triangles;
    lathe_result r =
        model_mesh_alloc(mesh, corners, corners, MODEL_MESH_NORMALS | MODEL_MESH_UVS, err);
    if (r != LATHE_OK || !corners)
        return r;
    for (size_t i = 0; i < corners; i++) {
        int v = m->corners[i / 3][i % 3];
        const float n[3] = {(float)normals[v].x, (float)normals[v].y, (float)normals[v].z};
        memcpy(mesh->positions + 3 * i, m->positions[v], sizeof m->positions[v]);
        memcpy(mesh->normals + 3 * i, n, sizeof n);
        mesh->indices[i] = (uint32_t)i;
    }
    r = wolfire_array(doc, "triangles", &triangles, err);
    float *column = r == LATHE_OK ? mem_alloc(&doc->mem, corners * sizeof *column) : NULL;
    if (r == LATHE_OK && !column)
        r = rec_no_memory(err);
    for (int k = 0; r == LATHE_OK && k < 2; k++) {
        r = lathe_view_read(triangles, k ? "gy" : "gx", 0, m->triangles, LATHE_ELEM_F32, column, 0,
                            err);
        for (size_t i = 0; r == LATHE_OK && i < corners; i++)
            mesh->uvs[2 * i + (size_t)k] = column[i];
    }
    mem_free(&doc->mem, column, corners * sizeof *column);
    return r;
}

lathe_result solid_mesh(lathe_doc *doc, uint64_t i, struct model_mesh *mesh, lathe_error *err)
{
    model m;
    vec3 *normals = NULL;
    if (i > 0)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "one mesh is all there is");
    lathe_result r = model_read(doc, &m, err);
    if (r != LATHE_OK)
        return r;
    r = vertex_normals(doc, &m, &normals, err);
    if (r == LATHE_OK)
        r = fill_mesh(doc, &m, normals, mesh, err);
    mem_free(&doc->mem, normals, m.vertices * sizeof *normals);
    model_free(doc, &m);
    mesh->name = "solid";
    mesh->v_up = true; /* but characters: the game turns theirs over after loading. #1 */
    return r;
}

/* ---- verbs --------------------------------------------------------------------------------------- */

static lathe_result scale(lathe_view self, const lathe_source *args, lathe_report *report,
                          lathe_error *err)
{
    static const scene_scale_rule rules[] = {{"vertices", 1, 1}, {NULL, 0, 0}};
    return scene_scale_rules(self, rules, MODEL_GEOMETRY, args, report, err);
}

static void answer(lathe_report *report, const char *name, double value)
{
    lathe_value v = {.kind = LATHE_KIND_REAL, .as.f = value};
    if (report && report->result)
        report->result(report->user, name, &v);
}

/* The game's own: over all pairs, half the largest squared distance is the squared radius (so it is
 * wider than need be), the pair's middle the centre. */
static lathe_result bounding_sphere(lathe_view self, const lathe_source *args, lathe_report *report,
                                    lathe_error *err)
{
    model m;
    model_pair pair;
    vec3 centre = {0, 0, 0};
    (void)args;
    lathe_result r = model_read(self.doc, &m, err);
    if (r != LATHE_OK)
        return r;
    vec3 *points = mem_alloc(&self.doc->mem, (m.vertices + 1) * sizeof *points);
    for (size_t i = 0; points && i < m.vertices; i++)
        points[i] = vertex(&m, (int)i);
    bool ok = points && model_farthest(&self.doc->mem, points, m.vertices, &pair);
    if (ok && pair.b)
        centre = vec3_scale(vec3_add(points[pair.a], points[pair.b]), 0.5);
    mem_free(&self.doc->mem, points, (m.vertices + 1) * sizeof *points);
    model_free(self.doc, &m);
    if (!ok)
        return rec_no_memory(err);
    answer(report, "center", centre.x);
    answer(report, "center", centre.y);
    answer(report, "center", centre.z);
    answer(report, "radius", sqrt(pair.squared / 2));
    return LATHE_OK;
}

const rec_verb solid_verbs[] = {
    {.name = "scale",
     .doc = "Multiplies every position.",
     .params = wolfire_scale_params,
     .run = scale},
    {.name = "bounding_sphere",
     .doc = "The game's bounding sphere: center {x, y, z}, radius.",
     .query = true,
     .run = bounding_sphere},
    {0},
};
