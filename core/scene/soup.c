#include "scene/soup.h"

#include "base/vec.h"

#include <math.h>

void scene_soup_open(scene_soup *soup)
{
    buf_init(&soup->positions, soup->mem);
    buf_init(&soup->triangles, soup->mem);
    buf_init(&soup->of, soup->mem);
    buf_init(&soup->materials, soup->mem);
}

void scene_soup_close(scene_soup *soup)
{
    buf_free(&soup->positions);
    buf_free(&soup->triangles);
    buf_free(&soup->of);
    buf_free(&soup->materials);
}

/* ---- reading the source ---------------------------------------------------------------------------------- */

static lathe_value ask(const scene_soup *c, const void *node, const char *name, uint64_t i,
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

/* Whether a value is a list of meshes, not one mesh. */
static bool is_list(const lathe_source *source, const lathe_value *leaf, const void *node)
{
    const void *child = NULL, *deep = NULL;
    lathe_value first = {.kind = LATHE_KIND_NONE}, inner = {.kind = LATHE_KIND_NONE};
    if (!node || leaf->kind != LATHE_KIND_ARRAY ||
        !source->get(source->user, node, NULL, 0, &first, &child))
        return false;
    if (first.kind == LATHE_KIND_RECORD)
        return true;
    /* a mesh as a list consists of positions: lists or numbers */
    return child && first.kind == LATHE_KIND_ARRAY &&
           source->get(source->user, child, NULL, 0, &inner, &deep) && deep;
}

bool scene_read_matrix(const lathe_source *source, const void *node, mat4 *out)
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

/* Reads numbers in sequence, from rows of three or from a flat list. */
typedef struct reader {
    const scene_soup *soup;
    const void *list, *row;
    bool rows;
    uint64_t count; /* number of rows */
} reader;

static bool open_list(reader *r, const scene_soup *c, const void *list)
{
    const void *child;
    *r = (reader){.soup = c, .list = list};
    lathe_value first = ask(c, list, NULL, 0, &child);
    uint64_t n = c->source->count(c->source->user, list);
    r->rows = first.kind == LATHE_KIND_ARRAY && child;
    r->count = r->rows ? n : n / 3;
    return r->rows || n % 3 == 0;
}

static bool read_row(reader *r, uint64_t i, double out[3])
{
    const lathe_source *s = r->soup->source;
    const void *child;
    if (r->rows) {
        lathe_value row = ask(r->soup, r->list, NULL, i, &r->row);
        if (row.kind != LATHE_KIND_ARRAY || !r->row || s->count(s->user, r->row) != 3)
            return false;
    }
    for (uint64_t k = 0; k < 3; k++) {
        lathe_value v = r->rows ? ask(r->soup, r->row, NULL, k, &child)
                                : ask(r->soup, r->list, NULL, 3 * i + k, &child);
        if (!rec_number(&v, &out[k]))
            return false;
    }
    return true;
}

static lathe_result put_point(scene_soup *c, uint64_t i, const mat4 *place, const double p[3],
                              lathe_error *err)
{
    vec3 at = mat4_point(place, (vec3){p[0], p[1], p[2]});
    float f[3] = {(float)(at.x / c->unit), (float)(at.y / c->unit), (float)(at.z / c->unit)};
    if (!isfinite(f[0]) || !isfinite(f[1]) || !isfinite(f[2]))
        return bad(err, "position", i, "a place that is not as far away");
    return buf_put(&c->positions, f, sizeof f) ? LATHE_OK : rec_no_memory(err);
}

static lathe_result add_points(scene_soup *c, const void *list, const mat4 *place, lathe_error *err)
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

/* Adds triangles, whose indices count from point number `first`. */
static lathe_result add_triangles(scene_soup *c, const void *list, size_t first, bool mirrored,
                                  lathe_error *err)
{
    reader r;
    size_t points = scene_soup_points(c) - first;
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

/* Adds the index of a material to `of`, and the material to the list if it is new. Lists are short. */
static lathe_result put_material(scene_soup *c, uint32_t id, lathe_error *err)
{
    const uint32_t *ids = (const uint32_t *)(const void *)c->materials.data;
    size_t n = c->materials.size / sizeof id, i = 0;
    if (c->last < n && ids[c->last] == id)
        i = c->last;
    while (i < n && ids[i] != id)
        i++;
    c->last = i;
    uint16_t number = (uint16_t)i;
    if (i >= 0x7FFF)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "more than 32767 materials");
    return (i < n || buf_put(&c->materials, &id, sizeof id)) &&
                   buf_put(&c->of, &number, sizeof number)
               ? LATHE_OK
               : rec_no_memory(err);
}

/* Adds the materials of the triangles from number `first` on. The callback is asked once for each item of the mesh's
 * list. */
static lathe_result add_materials(scene_soup *c, const void *mesh, size_t first, lathe_error *err)
{
    enum { MANY = 65536 };
    const void *list, *numbers, *child;
    lathe_value one = ask(c, mesh, "material", 0, &child);
    ask(c, mesh, "materials", 0, &list);
    ask(c, mesh, "triangle_materials", 0, &numbers);
    size_t n = scene_soup_triangles(c),
           known_n = list && numbers ? (size_t)c->source->count(c->source->user, list) : 0;
    known_n = known_n < MANY ? known_n : MANY;
    uint64_t *known = known_n ? mem_zalloc(c->mem, known_n * sizeof *known)
                              : NULL; /* 0, or 1 + the id, once asked */
    lathe_result r = known_n && !known ? rec_no_memory(err) : LATHE_OK;
    for (size_t i = first; r == LATHE_OK && i < n; i++) {
        lathe_value v = one;
        double k = 0;
        uint32_t id = 0;
        if (list && numbers) {
            lathe_value at = ask(c, numbers, NULL, i - first, &child);
            if (!rec_number(&at, &k) || !(k >= 0) || k != floor(k) || k > UINT32_MAX)
                r = bad(err, "triangle", i - first, "a number among its materials, from 0,");
        }
        size_t number = r == LATHE_OK ? (size_t)k : 0;
        if (r == LATHE_OK && number < known_n && known[number]) {
            id = (uint32_t)(known[number] - 1);
        } else if (r == LATHE_OK) {
            if (list)
                v = ask(c, list, NULL, numbers ? number : i - first, &child);
            r = c->material(c->user, &v, list && numbers ? number : REC_NO_ITEM, &id, err);
            if (number < known_n)
                known[number] = (uint64_t)id + 1;
        }
        if (r == LATHE_OK)
            r = put_material(c, id, err);
    }
    mem_free(c->mem, known, known_n * sizeof *known);
    return r;
}

/* ---- meshes ----------------------------------------------------------------------------------------------- */

/* Adds a mesh in the form that doc:meshes gives. */
static lathe_result add_table(scene_soup *c, const void *mesh, lathe_error *err)
{
    const void *positions, *indices, *matrix, *child;
    mat4 place = mat4_identity(), own;
    size_t point = scene_soup_points(c), triangle = scene_soup_triangles(c);
    ask(c, mesh, "positions", 0, &positions);
    ask(c, mesh, "indices", 0, &indices);
    ask(c, mesh, "transform", 0, &matrix);
    bool collides = ask(c, mesh, "shape", 0, &child).kind == LATHE_KIND_STRING;
    if (!positions)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "a mesh needs positions, as doc:meshes gives them");
    if (matrix && !collides) {
        if (!scene_read_matrix(c->source, matrix, &own))
            return error_set(
                err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                "transform of a mesh: 16 finite numbers expected, column after column, the last "
                "row 0, 0, 0, 1");
        place = c->own ? own : mat4_mul(&c->place, &own);
    }
    lathe_result r = add_points(c, positions, &place, err);
    if (r == LATHE_OK && indices)
        r = add_triangles(c, indices, point, is_mirror(&place), err);
    return r == LATHE_OK ? add_materials(c, mesh, triangle, err) : r;
}

static lathe_result put_model_material(scene_soup *c, const model_mesh *mesh, size_t triangle,
                                       lathe_error *err)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    uint64_t number = REC_NO_ITEM;
    uint32_t id;
    const char *name = mesh->material;
    if (mesh->material_of && mesh->material_of[triangle] < mesh->material_count) {
        number = mesh->material_of[triangle];
        name = mesh->materials[number];
    }
    if (name)
        v = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {name, strlen(name)}};
    lathe_result r = c->material(c->user, &v, number, &id, err);
    return r == LATHE_OK ? put_material(c, id, err) : r;
}

lathe_result scene_soup_add_mesh(scene_soup *c, const model_mesh *mesh, lathe_error *err)
{
    mat4 place = c->own ? mesh->transform : mat4_mul(&c->place, &mesh->transform);
    bool mirrored = is_mirror(&place);
    uint32_t first = (uint32_t)scene_soup_points(c);
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
        r = put_model_material(c, mesh, i / 3, err);
    }
    return r;
}

lathe_result scene_soup_add(scene_soup *soup, const lathe_value *leaf, const void *node,
                            lathe_error *err)
{
    const lathe_source *s = soup->source;
    lathe_result r = LATHE_OK;
    if (leaf->kind == LATHE_KIND_RECORD && !node)
        return soup->view(soup, leaf->as.v, err);
    if (leaf->kind == LATHE_KIND_RECORD)
        return add_table(soup, node, err);
    if (leaf->kind != LATHE_KIND_ARRAY || !node)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "a mesh, a shape, a list of meshes or of positions expected");
    if (!is_list(s, leaf, node)) {
        mat4 place = mat4_identity();
        return add_points(soup, node, &place, err);
    }
    uint64_t n = s->count(s->user, node);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        const void *child;
        lathe_value one = ask(soup, node, NULL, i, &child);
        bool nested = is_list(s, &one, child);
        r = nested ? error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                               "mesh %llu of a list: a mesh expected", (unsigned long long)i + 1)
                   : scene_soup_add(soup, &one, child, err);
    }
    return r;
}
