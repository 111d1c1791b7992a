/* Makes shapes for doc:set_collision from a mesh or from dimensions. */
#include "havok/physics/leaves.h"
#include "model/fit.h"
#include "nif/collision/collide.h"

#include <math.h>
#include <stdio.h>

#define CONVEX_RADIUS 0.01 /* in metres; the value of most hulls in the games' files */
#define METAL 0x064003D4   /* and their material */

/* ---- arguments -------------------------------------------------------------------------------------------- */

static lathe_value ask(const nif_shaping *s, const void *node, const char *name, const void **child)
{
    lathe_value leaf = {.kind = LATHE_KIND_NONE};
    *child = NULL;
    if (!s->source->get(s->source->user, node, name, 0, &leaf, child))
        leaf.kind = LATHE_KIND_NONE;
    return leaf;
}

static bool given(const nif_shaping *s, const void *node, const char *name)
{
    const void *child;
    return ask(s, node, name, &child).kind != LATHE_KIND_NONE;
}

static lathe_result expected(lathe_error *err, const char *name, const char *what)
{
    return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "'%s' of set_collision: %s expected",
                     name, what);
}

/* Reads a length in game units; *out, in metres, is unchanged if it is absent. */
static lathe_result length(const nif_shaping *s, const void *node, const char *name, double *out,
                           lathe_error *err)
{
    const void *child;
    double f;
    lathe_value v = ask(s, node, name, &child);
    if (v.kind == LATHE_KIND_NONE)
        return LATHE_OK;
    if (!rec_number(&v, &f) || !isfinite(f) || f < 0)
        return expected(err, name, "a number that is not negative");
    *out = f / HK_GAME_UNITS;
    return LATHE_OK;
}

/* Reads three lengths, or (size) one for all. */
static lathe_result point(const nif_shaping *s, const void *node, const char *name, vec3 *out,
                          lathe_error *err)
{
    const void *list, *child;
    double f[3];
    lathe_value v = ask(s, node, name, &list);
    if (v.kind == LATHE_KIND_NONE)
        return LATHE_OK;
    bool ok = list && v.kind == LATHE_KIND_ARRAY && s->source->count(s->source->user, list) == 3;
    for (uint64_t i = 0; ok && i < 3; i++)
        ok = s->source->get(s->source->user, list, NULL, i, &v, &child) && rec_number(&v, &f[i]) &&
             isfinite(f[i]);
    if (!ok)
        return expected(err, name, "a list of three finite numbers");
    *out = vec3_scale((vec3){f[0], f[1], f[2]}, 1 / HK_GAME_UNITS);
    return LATHE_OK;
}

/* ---- a cloud ---------------------------------------------------------------------------------------------- */

static void tell(const nif_shaping *s, const char *reason)
{
    if (s->report && s->report->skipped)
        s->report->skipped(s->report->user, s->path, reason);
}

static lathe_result read_material(nif_shaping *s, const void *node, nif_cloud *c, lathe_error *err)
{
    const void *child;
    bool known;
    lathe_value v = ask(s, node, "material", &child);
    c->material = METAL;
    c->one_material = v.kind != LATHE_KIND_NONE;
    if (!c->one_material)
        return LATHE_OK;
    hk_names_check_arg(&s->names, &v);
    return nif_read_material(&v, &c->material, &known, err);
}

/* `bare`: the node is the mesh itself. */
static lathe_result read_cloud(nif_shaping *s, const void *node, const lathe_value *bare,
                               nif_cloud *c, lathe_error *err)
{
    const void *child = node;
    lathe_value v;
    *c = (nif_cloud){.doc = s->doc,
                     .soup = {.source = s->source, .place = s->to_node, .own = s->own}};
    nif_cloud_open(c);
    c->material = METAL;
    lathe_result r = bare ? LATHE_OK : read_material(s, node, c, err);
    if (bare)
        v = *bare;
    else
        v = ask(s, node, "mesh", &child);
    if (r == LATHE_OK && v.kind != LATHE_KIND_NONE)
        r = scene_soup_add(&c->soup, &v, child, err);
    if (r == LATHE_OK && v.kind != LATHE_KIND_NONE && !scene_soup_points(&c->soup))
        r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "a mesh without vertices");
    if (r == LATHE_OK && c->unknown)
        tell(s, "materials of the mesh that are none of collision: it has metal there");
    return r;
}

static fit_points points_of(const nif_cloud *c)
{
    return (fit_points){(const float *)(const void *)c->soup.positions.data,
                        scene_soup_points(&c->soup)};
}

/* The material of a shape that has only one: that of all triangles if they agree, else the one passed for
 * all. */
static uint32_t only_material(const nif_cloud *c)
{
    uint32_t id;
    if (c->one_material || c->soup.materials.size != sizeof id)
        return c->material;
    memcpy(&id, c->soup.materials.data, sizeof id);
    return id;
}

/* Fails unless there is either a mesh or dimensions, but not both. */
static lathe_result one_of(const nif_shaping *s, const void *node, const nif_cloud *c,
                           const char *const *figures, const char *wanted, lathe_error *err)
{
    bool mesh = scene_soup_points(&c->soup) > 0;
    for (; *figures; figures++)
        if (mesh && given(s, node, *figures))
            return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                             "'mesh' and '%s' of set_collision: one of them, not both", *figures);
        else if (!mesh && given(s, node, *figures))
            return LATHE_OK;
    return mesh ? LATHE_OK
                : error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "set_collision needs %s", wanted);
}

/* ---- kinds ------------------------------------------------------------------------------------------------ */

static lathe_result make_box(const nif_shaping *s, const void *node, const nif_cloud *c,
                             double radius, hk_solid *out, lathe_error *err)
{
    static const char *const figures[] = {"size", "center", NULL};
    vec3 size = {0}, center = {0}, low, high;
    const void *child;
    double side;
    lathe_result r = one_of(s, node, c, figures, "'mesh' or the 'size' of a box", err);
    lathe_value v = ask(s, node, "size", &child);
    if (r == LATHE_OK && rec_number(&v, &side))
        size = vec3_scale((vec3){side, side, side}, 1 / HK_GAME_UNITS);
    else if (r == LATHE_OK)
        r = point(s, node, "size", &size, err);
    if (r == LATHE_OK)
        r = point(s, node, "center", &center, err);
    if (r != LATHE_OK)
        return r;
    low = vec3_sub(center, vec3_scale(size, 0.5));
    high = vec3_add(center, vec3_scale(size, 0.5));
    if (scene_soup_points(&c->soup))
        fit_box(points_of(c), &low, &high);
    return hk_solid_box(out, low, high, radius, &s->doc->mem, err);
}

static lathe_result make_sphere(const nif_shaping *s, const void *node, const nif_cloud *c,
                                hk_solid *out, lathe_error *err)
{
    static const char *const figures[] = {"radius", "center", NULL};
    vec3 center = {0};
    double radius = 0;
    lathe_result r = one_of(s, node, c, figures, "'mesh' or the 'radius' of a sphere", err);
    if (r == LATHE_OK)
        r = length(s, node, "radius", &radius, err);
    if (r == LATHE_OK)
        r = point(s, node, "center", &center, err);
    if (r == LATHE_OK && scene_soup_points(&c->soup))
        fit_sphere(points_of(c), &center, &radius);
    return r == LATHE_OK ? hk_solid_sphere(out, center, radius, &s->doc->mem, err) : r;
}

static lathe_result make_capsule(const nif_shaping *s, const void *node, const nif_cloud *c,
                                 hk_solid *out, lathe_error *err)
{
    static const char *const figures[] = {"a", "b", "radius", NULL};
    vec3 a = {0}, b = {0};
    double radius = 0;
    lathe_result r =
        one_of(s, node, c, figures, "'mesh', or 'a', 'b' and 'radius' of a capsule", err);
    if (r == LATHE_OK && !scene_soup_points(&c->soup) &&
        !(given(s, node, "a") && given(s, node, "b")))
        r = error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                      "set_collision needs 'a' and 'b', the ends of a capsule's axis");
    if (r == LATHE_OK)
        r = length(s, node, "radius", &radius, err);
    if (r == LATHE_OK)
        r = point(s, node, "a", &a, err);
    if (r == LATHE_OK)
        r = point(s, node, "b", &b, err);
    if (r == LATHE_OK && scene_soup_points(&c->soup))
        fit_capsule(points_of(c), &a, &b, &radius);
    return r == LATHE_OK ? hk_solid_capsule(out, a, b, radius, &s->doc->mem, err) : r;
}

static lathe_result make_hull(const nif_shaping *s, const void *node, const nif_cloud *c,
                              double radius, bool bare, hk_solid *out, lathe_error *err)
{
    const void *child;
    fit_points p = points_of(c);
    double most = HK_CONVEX_VERTICES;
    lathe_value v = {.kind = LATHE_KIND_NONE};
    if (!bare)
        v = ask(s, node, "max_vertices", &child);
    if (v.kind != LATHE_KIND_NONE &&
        (!rec_number(&v, &most) || !(most >= 4 && most <= HK_CONVEX_VERTICES) ||
         most != floor(most)))
        return expected(err, "max_vertices", "an integer from 4 to 252");
    if (!p.count)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "set_collision needs 'mesh'");
    return hk_solid_hull(out, p.xyz, p.count, radius, (size_t)most, &s->doc->mem, err);
}

static lathe_result make_mesh(nif_shaping *s, const nif_cloud *c, hk_solid *out, lathe_error *err)
{
    hk_mesh_dropped dropped = {0};
    void *positions = c->soup.positions.data, *triangles = c->soup.triangles.data,
         *of = c->soup.of.data;
    const hk_mesh_source source = {positions, scene_soup_points(&c->soup), triangles,
                                   scene_soup_triangles(&c->soup), of};
    if (!source.n_triangles)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "set_collision needs 'mesh' with triangles for a mesh");
    uint32_t *ids = arena_zalloc(&s->arena, c->soup.materials.size);
    if (!ids)
        return rec_no_memory(err);
    memcpy(ids, c->soup.materials.data, c->soup.materials.size);
    lathe_result r = hk_solid_mesh(out, &source, ids, c->soup.materials.size / sizeof *ids,
                                   &s->doc->mem, &dropped, err);
    if (r == LATHE_OK && dropped.flat + dropped.collapsed)
        tell(s, "triangles without area are left out");
    return r;
}

/* ---- compounds -------------------------------------------------------------------------------------------- */

/* Places a child: only translation and rotation. */
static lathe_result place_child(const nif_shaping *s, const void *node, hk_solid *child,
                                lathe_error *err)
{
    const void *list;
    mat4 m;
    vec3 scale;
    if (ask(s, node, "transform", &list).kind == LATHE_KIND_NONE)
        return LATHE_OK;
    if (!scene_read_matrix(s->source, list, &m))
        return expected(err, "transform", "16 finite numbers, column after column,");
    mat4_decompose(&m, &child->move, &child->turn, &scale);
    if (fabs(scale.x - 1) > 1e-4 || fabs(scale.y - 1) > 1e-4 || fabs(scale.z - 1) > 1e-4)
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "'transform' of a part of a compound scales or mirrors by %.6g, %.6g, "
                         "%.6g: parts are only turned and moved",
                         scale.x, scale.y, scale.z);
    child->turn = quat_normalize(child->turn);
    if (fabs(child->turn.x) + fabs(child->turn.y) + fabs(child->turn.z) < 1e-7)
        child->turn = quat_identity();
    child->move = vec3_scale(child->move, 1 / HK_GAME_UNITS);
    return LATHE_OK;
}

static lathe_result make_kind(nif_shaping *s, const void *node, const lathe_value *bare,
                              const char *kind, hk_solid *out, lathe_error *err);

static bool is_described(const nif_shaping *s, const lathe_value *v, const void *node)
{
    const void *child;
    return v->kind == LATHE_KIND_RECORD && node &&
           ask(s, node, "kind", &child).kind == LATHE_KIND_STRING;
}

/* Makes a part with a kind of its own. It has its own space, so its mesh is not transformed to the node's. */
static lathe_result make_described(nif_shaping *s, const void *node, hk_solid *out,
                                   lathe_error *err)
{
    static const char *const kinds[] = {"hull", "mesh", "box", "sphere", "capsule", NULL};
    const void *child;
    nif_shaping own = *s;
    lathe_value kind = ask(s, node, "kind", &child);
    size_t k = 0;
    while (kinds[k] && !rec_text_is(&kind, kinds[k]))
        k++;
    if (!kinds[k])
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "'kind' of a part of a compound is one of hull, mesh, box, sphere, "
                         "capsule");
    own.own = own.own || given(s, node, "transform");
    lathe_result r = make_kind(&own, node, NULL, kinds[k], out, err);
    s->arena = own.arena;
    return r == LATHE_OK ? place_child(s, node, out, err) : r;
}

static lathe_result make_compound(nif_shaping *s, const void *node, hk_solid *out, lathe_error *err)
{
    const void *list, *child;
    lathe_value one, v = ask(s, node, "mesh", &list);
    if (v.kind != LATHE_KIND_ARRAY || !list)
        return expected(err, "mesh", "a list of meshes or parts");
    uint64_t n = s->source->count(s->source->user, list);
    if (n < 1 || n > HK_COMPOUND_MOST)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "a compound of %llu parts: it has 1 to %d", (unsigned long long)n,
                         HK_COMPOUND_MOST);
    hk_solid *children = arena_zalloc(&s->arena, (size_t)n * sizeof *children);
    if (!children)
        return rec_no_memory(err);
    out->kind = HK_SOLID_COMPOUND;
    out->children = children;
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        char where[32];
        out->count = (size_t)i + 1; /* freed together with the compound from here on */
        one.kind = LATHE_KIND_NONE;
        s->source->get(s->source->user, list, NULL, i, &one, &child);
        r = is_described(s, &one, child) ? make_described(s, child, &children[i], err)
                                         : make_kind(s, child, &one, "hull", &children[i], err);
        snprintf(where, sizeof where, "mesh[%llu]", (unsigned long long)i + 1);
        if (r != LATHE_OK)
            error_where(err, where);
    }
    return r == LATHE_OK ? hk_solid_compound(out, children, (size_t)n, err) : r;
}

/* ---- all kinds -------------------------------------------------------------------------------------------- */

static lathe_result make_kind(nif_shaping *s, const void *node, const lathe_value *bare,
                              const char *kind, hk_solid *out, lathe_error *err)
{
    nif_cloud c;
    double radius = CONVEX_RADIUS;
    lathe_result r = bare ? LATHE_OK : length(s, node, "convex_radius", &radius, err);
    if (r != LATHE_OK)
        return r;
    r = read_cloud(s, node, bare, &c, err);
    if (r == LATHE_OK && strcmp(kind, "box") == 0)
        r = make_box(s, node, &c, radius, out, err);
    else if (r == LATHE_OK && strcmp(kind, "sphere") == 0)
        r = make_sphere(s, node, &c, out, err);
    else if (r == LATHE_OK && strcmp(kind, "capsule") == 0)
        r = make_capsule(s, node, &c, out, err);
    else if (r == LATHE_OK && strcmp(kind, "mesh") == 0)
        r = make_mesh(s, &c, out, err);
    else if (r == LATHE_OK)
        r = make_hull(s, node, &c, radius, bare != NULL, out, err);
    out->material = only_material(&c);
    scene_soup_close(&c.soup);
    return r;
}

lathe_result nif_make_solid(nif_shaping *s, const void *node, hk_solid *out, lathe_error *err)
{
    static const char *const kinds[] = {"hull", "mesh", "box", "sphere", "capsule"};
    const void *child;
    nif_cloud material = {.doc = s->doc};
    lathe_value kind = ask(s, node, "kind", &child);
    *out = (hk_solid){.kind = HK_SOLID_SPHERE};
    for (size_t i = 0; i < REC_COUNT_OF(kinds); i++)
        if (rec_text_is(&kind, kinds[i]))
            return make_kind(s, node, NULL, kinds[i], out, err);
    lathe_result r = read_material(s, node, &material, err);
    if (r == LATHE_OK)
        r = make_compound(s, node, out, err);
    out->material = material.material;
    return r;
}
