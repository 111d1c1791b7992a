#include "nif/cloud.h"

#include "havok/physics/leaves.h"
#include "model/material_name.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void nif_cloud_open(nif_cloud *cloud)
{
    const mem *m = &cloud->doc->mem;
    buf_init(&cloud->positions, m);
    buf_init(&cloud->triangles, m);
    buf_init(&cloud->of, m);
    buf_init(&cloud->materials, m);
}

void nif_cloud_close(nif_cloud *cloud)
{
    buf_free(&cloud->positions);
    buf_free(&cloud->triangles);
    buf_free(&cloud->of);
    buf_free(&cloud->materials);
}

/* ---- looking at what is given ----------------------------------------------------------------------------- */

static lathe_value ask(const nif_cloud *c, const void *node, const char *name, uint64_t i,
                       const void **child)
{
    lathe_value leaf = {.kind = LATHE_KIND_NONE};
    *child = NULL;
    if (!c->source->get(c->source->user, node, name, i, &leaf, child))
        leaf.kind = LATHE_KIND_NONE;
    return leaf;
}

static lathe_result bad(lathe_error *err, const char *what, uint64_t i, const char *wanted)
{
    return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "%s %llu of a mesh: %s expected",
                     what, (unsigned long long)i + 1, wanted);
}

bool nif_cloud_is_list(const lathe_source *source, const lathe_value *leaf, const void *node)
{
    const void *child = NULL, *deep = NULL;
    lathe_value first = {.kind = LATHE_KIND_NONE}, inner = {.kind = LATHE_KIND_NONE};
    if (!node || leaf->kind != LATHE_KIND_ARRAY ||
        !source->get(source->user, node, NULL, 0, &first, &child))
        return false;
    if (first.kind == LATHE_KIND_RECORD)
        return true;
    /* a mesh that is a list: of positions, which are lists or numbers */
    return child && first.kind == LATHE_KIND_ARRAY &&
           source->get(source->user, child, NULL, 0, &inner, &deep) && deep;
}

bool nif_read_matrix(const lathe_source *source, const void *node, mat4 *out)
{
    if (!node || source->count(source->user, node) != 16)
        return false;
    for (uint64_t i = 0; i < 16; i++) {
        lathe_value v = {.kind = LATHE_KIND_NONE};
        const void *child;
        double f;
        if (!source->get(source->user, node, NULL, i, &v, &child) || !rec_number(&v, &f) ||
            !isfinite(f))
            return false;
        out->m[i / 4][i % 4] = f;
    }
    return out->m[0][3] == 0 && out->m[1][3] == 0 && out->m[2][3] == 0 && out->m[3][3] == 1;
}

/* ---- numbers ---------------------------------------------------------------------------------------------- */

/* One number after the other, of rows of three or of none. False: one is no number. */
typedef struct reader {
    const nif_cloud *cloud;
    const void *list, *row;
    bool rows;
    uint64_t count; /* of rows */
} reader;

static bool open_list(reader *r, const nif_cloud *c, const void *list)
{
    const void *child;
    *r = (reader){.cloud = c, .list = list};
    lathe_value first = ask(c, list, NULL, 0, &child);
    uint64_t n = c->source->count(c->source->user, list);
    r->rows = first.kind == LATHE_KIND_ARRAY && child;
    r->count = r->rows ? n : n / 3;
    return r->rows || n % 3 == 0;
}

static bool read_row(reader *r, uint64_t i, double out[3])
{
    const lathe_source *s = r->cloud->source;
    const void *child;
    if (r->rows) {
        lathe_value row = ask(r->cloud, r->list, NULL, i, &r->row);
        if (row.kind != LATHE_KIND_ARRAY || !r->row || s->count(s->user, r->row) != 3)
            return false;
    }
    for (uint64_t k = 0; k < 3; k++) {
        lathe_value v = r->rows ? ask(r->cloud, r->row, NULL, k, &child)
                                : ask(r->cloud, r->list, NULL, 3 * i + k, &child);
        if (!rec_number(&v, &out[k]))
            return false;
    }
    return true;
}

static lathe_result put_point(nif_cloud *c, uint64_t i, const mat4 *place, const double p[3],
                              lathe_error *err)
{
    vec3 at = mat4_point(place, (vec3){p[0], p[1], p[2]});
    float f[3] = {(float)(at.x / HK_GAME_UNITS), (float)(at.y / HK_GAME_UNITS),
                  (float)(at.z / HK_GAME_UNITS)};
    if (!isfinite(f[0]) || !isfinite(f[1]) || !isfinite(f[2]))
        return bad(err, "position", i, "a place that is not as far away");
    return buf_put(&c->positions, f, sizeof f) ? LATHE_OK : rec_no_memory(err);
}

static lathe_result add_points(nif_cloud *c, const void *list, const mat4 *place, lathe_error *err)
{
    reader r;
    if (!open_list(&r, c, list))
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "positions of a mesh: three numbers each expected");
    lathe_result result = LATHE_OK;
    for (uint64_t i = 0; result == LATHE_OK && i < r.count; i++) {
        double p[3];
        if (!read_row(&r, i, p) || !isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
            return bad(err, "position", i, "three finite numbers");
        result = put_point(c, i, place, p, err);
    }
    return result;
}

static bool is_mirror(const mat4 *m)
{
    vec3 x = mat4_direction(m, (vec3){1, 0, 0}), y = mat4_direction(m, (vec3){0, 1, 0});
    return vec3_dot(vec3_cross(x, y), mat4_direction(m, (vec3){0, 0, 1})) < 0;
}

/* Triangles of points from number `first` on. */
static lathe_result add_triangles(nif_cloud *c, const void *list, size_t first, bool mirrored,
                                  lathe_error *err)
{
    reader r;
    size_t points = nif_cloud_points(c) - first;
    if (!open_list(&r, c, list))
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "indices of a mesh: three numbers each expected");
    for (uint64_t i = 0; i < r.count; i++) {
        double v[3];
        uint32_t t[3];
        if (!read_row(&r, i, v))
            return bad(err, "triangle", i, "three numbers of positions");
        for (int k = 0; k < 3; k++) {
            if (!(v[k] >= 0 && v[k] < (double)points) || v[k] != floor(v[k]))
                return bad(err, "triangle", i, "numbers of positions, from 0,");
            t[mirrored && k ? 3 - k : k] = (uint32_t)(first + (size_t)v[k]);
        }
        if (!buf_put(&c->triangles, t, sizeof t))
            return rec_no_memory(err);
    }
    return LATHE_OK;
}

/* ---- materials -------------------------------------------------------------------------------------------- */

lathe_result nif_read_material(const lathe_value *v, uint32_t *id, bool *known, lathe_error *err)
{
    char text[12] = "", *end;
    double number;
    *known = true;
    if (v->kind == LATHE_KIND_STRING) {
        *id = model_material_hash(v->as.s.p, v->as.s.n);
        *known = model_material_name(*id) != NULL;
        if (v->as.s.n == 10 && v->as.s.p[0] == '0' && (v->as.s.p[1] | 0x20) == 'x') {
            memcpy(text, v->as.s.p, 10);
            unsigned long n = strtoul(text + 2, &end, 16);
            if (!*end) {
                *id = (uint32_t)n;
                *known = true;
            }
        }
        return LATHE_OK;
    }
    if (rec_number(v, &number) && number >= 0 && number <= UINT32_MAX && number == floor(number)) {
        *id = (uint32_t)number;
        return LATHE_OK;
    }
    return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                     "material: a name or a number of 32 bits expected");
}

/* Its number in the list, added where it is new. Lists are short. */
static lathe_result put_material(nif_cloud *c, uint32_t id, lathe_error *err)
{
    const uint32_t *ids = (const uint32_t *)(const void *)c->materials.data;
    size_t n = c->materials.size / sizeof id, i = 0;
    while (i < n && ids[i] != id)
        i++;
    uint16_t number = (uint16_t)i;
    if (i >= 0x7FFF)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "more than 32767 materials");
    return (i < n || buf_put(&c->materials, &id, sizeof id)) &&
                   buf_put(&c->of, &number, sizeof number)
               ? LATHE_OK
               : rec_no_memory(err);
}

/* Whether it names what geometry is drawn with, which says nothing of collision. */
static bool is_drawn(const lathe_value *v)
{
    static const char *const ends[] = {".bgsm", ".bgem"};
    enum { LENGTH = 5 };
    if (v->kind != LATHE_KIND_STRING)
        return false;
    for (size_t i = 0; i < 2 && v->as.s.n >= LENGTH; i++) {
        size_t k = 0;
        while (k < LENGTH && (v->as.s.p[v->as.s.n - LENGTH + k] | 0x20) == (ends[i][k] | 0x20))
            k++;
        if (k == LENGTH)
            return true;
    }
    return v->as.s.n == 0;
}

/* What a mesh calls a material: one of collision, or that of what says none. */
static uint32_t material_of(nif_cloud *c, const lathe_value *v)
{
    uint32_t id;
    bool known;
    if (c->one_material || v->kind == LATHE_KIND_NONE || v->kind == LATHE_KIND_BOOL)
        return c->material;
    if (nif_read_material(v, &id, &known, NULL) == LATHE_OK && known)
        return id;
    c->unknown = c->unknown || !is_drawn(v);
    return c->material;
}

/* Of all triangles from number `first` on. */
static lathe_result add_materials(nif_cloud *c, const void *mesh, size_t first, lathe_error *err)
{
    const void *list, *numbers, *child;
    lathe_value one = ask(c, mesh, "material", 0, &child);
    ask(c, mesh, "materials", 0, &list);
    ask(c, mesh, "triangle_materials", 0, &numbers);
    size_t n = nif_cloud_triangles(c);
    for (size_t i = first; i < n; i++) {
        lathe_value v = one;
        if (list && numbers) {
            lathe_value at = ask(c, numbers, NULL, i - first, &child);
            double k = -1;
            if (!rec_number(&at, &k) || !(k >= 0))
                return bad(err, "triangle", i - first, "a number among its materials, from 0,");
            v = ask(c, list, NULL, (uint64_t)k, &child);
        } else if (list) {
            v = ask(c, list, NULL, i - first, &child);
        }
        lathe_result r = put_material(c, material_of(c, &v), err);
        if (r != LATHE_OK)
            return r;
    }
    return LATHE_OK;
}

/* ---- meshes ----------------------------------------------------------------------------------------------- */

/* A table as doc:meshes gives it. */
static lathe_result add_table(nif_cloud *c, const void *mesh, lathe_error *err)
{
    const void *positions, *indices, *matrix, *child;
    mat4 place = mat4_identity(), own;
    size_t point = nif_cloud_points(c), triangle = nif_cloud_triangles(c);
    ask(c, mesh, "positions", 0, &positions);
    ask(c, mesh, "indices", 0, &indices);
    ask(c, mesh, "transform", 0, &matrix);
    bool collides = ask(c, mesh, "shape", 0, &child).kind == LATHE_KIND_STRING;
    if (!positions)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "a mesh needs positions, as doc:meshes gives them");
    if (matrix && !collides) {
        if (!nif_read_matrix(c->source, matrix, &own))
            return error_set(
                err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                "transform of a mesh: 16 finite numbers expected, column after column, the last "
                "row 0, 0, 0, 1");
        place = c->own ? own : mat4_mul(&c->to_node, &own);
    }
    lathe_result r = add_points(c, positions, &place, err);
    if (r == LATHE_OK && indices)
        r = add_triangles(c, indices, point, is_mirror(&place), err);
    return r == LATHE_OK ? add_materials(c, mesh, triangle, err) : r;
}

static lathe_result add_model(nif_cloud *c, const model_mesh *mesh, lathe_error *err)
{
    mat4 place = c->own ? mesh->transform : mat4_mul(&c->to_node, &mesh->transform);
    bool mirrored = is_mirror(&place);
    uint32_t first = (uint32_t)nif_cloud_points(c);
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < mesh->vertex_count; i++) {
        const float *f = mesh->positions + 3 * i;
        const double p[3] = {(double)f[0], (double)f[1], (double)f[2]};
        r = put_point(c, i, &place, p, err);
    }
    for (size_t i = 0; r == LATHE_OK && i + 2 < mesh->index_count; i += 3) {
        const uint32_t *v = mesh->indices + i;
        const uint32_t t[3] = {first + v[0], first + v[mirrored ? 2 : 1],
                               first + v[mirrored ? 1 : 2]};
        if (!buf_put(&c->triangles, t, sizeof t))
            return rec_no_memory(err);
        r = put_material(c, c->material, err);
    }
    return r;
}

static lathe_result add_shape(nif_cloud *c, lathe_doc *doc, uint64_t i, lathe_error *err)
{
    model_mesh mesh;
    model_mesh_init(&mesh, &c->doc->mem);
    lathe_result r = nif_mesh(doc, i, &mesh, err);
    if (r == LATHE_OK)
        r = add_model(c, &mesh, err);
    model_mesh_free(&mesh);
    return r;
}

/* A shape of a NIF, or all of them. */
static lathe_result add_view(nif_cloud *c, lathe_view view, lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    bool found = false;
    lathe_result r = rec_enter(&view, &at, &slot, err);
    if (r != LATHE_OK)
        return r;
    bool nif = at.doc->containers[at.layout->container].format == &format_nif && !at.off;
    bool all = nif && at.part == at.doc->containers[0].root;
    const nif_scene *scene = nif ? nif_scene_of(at.doc, 0, err) : NULL;
    if (nif && !scene)
        return LATHE_ERR_MEMORY;
    for (uint64_t i = 0; r == LATHE_OK && scene && i < scene->shape_count; i++)
        if (all || nif_block(at.doc, 0, scene->shapes[i]) == at.part) {
            found = true;
            r = add_shape(c, at.doc, i, err);
        }
    if (r == LATHE_OK && !found)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "%s has no triangles of its own",
                         at.layout->type->name);
    return r;
}

lathe_result nif_cloud_add(nif_cloud *cloud, const lathe_value *leaf, const void *node,
                           lathe_error *err)
{
    const lathe_source *s = cloud->source;
    lathe_result r = LATHE_OK;
    if (leaf->kind == LATHE_KIND_RECORD && !node)
        return add_view(cloud, leaf->as.v, err);
    if (leaf->kind == LATHE_KIND_RECORD)
        return add_table(cloud, node, err);
    if (leaf->kind != LATHE_KIND_ARRAY || !node)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "a mesh, a shape, a list of meshes or of positions expected");
    if (!nif_cloud_is_list(s, leaf, node)) {
        mat4 place = mat4_identity();
        return add_points(cloud, node, &place, err);
    }
    uint64_t n = s->count(s->user, node);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        const void *child;
        lathe_value one = ask(cloud, node, NULL, i, &child);
        bool nested = nif_cloud_is_list(s, &one, child);
        r = nested ? error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                               "mesh %llu of a list: a mesh expected", (unsigned long long)i + 1)
                   : nif_cloud_add(cloud, &one, child, err);
    }
    return r;
}
