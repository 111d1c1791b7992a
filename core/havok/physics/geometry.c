/* Triangles of shapes, in the games' units and in the space of the body, whose placement stands beside them:
 * formats/fo4-collision.md#2.4 says why it is not applied. */
#include "havok/objects/objects.h"
#include "havok/physics/convex.h"
#include "havok/physics/leaves.h"
#include "havok/physics/mesh_read.h"
#include "havok/physics/shapes.h"
#include "model/material_name.h"
#include "model/round.h"

#include <stdio.h>

typedef struct maker {
    rec_at shape;
    model_put put;
    bool big;
    model_mesh *mesh;
    lathe_error *err;
} maker;

/* ---- vertices and triangles ------------------------------------------------------------------------------ */

static void put_vertex(const maker *m, size_t i, double x, double y, double z)
{
    model_put_vertex(&m->put, i, (vec3){x, y, z});
}

static void put_triangle(const maker *m, size_t i, uint32_t a, uint32_t b, uint32_t c)
{
    model_put_triangle(&m->put, i, a, b, c);
}

static double lane(const maker *m, const uint8_t *p)
{
    return (double)bytes_f32_widen(bytes_ld32(p, m->big));
}

static lathe_result make_room(const maker *m, size_t vertices, size_t triangles)
{
    return model_mesh_alloc(m->mesh, vertices, 3 * triangles, MODEL_MESH_MATERIALS, m->err);
}

/* ---- materials ------------------------------------------------------------------------------------------- */

static lathe_result put_material(const maker *m, uint32_t id)
{
    char number[16];
    const char *name = model_material_name(id);
    if (!name) {
        snprintf(number, sizeof number, "0x%08X", (unsigned)id);
        name = number;
    }
    return model_mesh_material(m->mesh, name, strlen(name), m->err);
}

static uint32_t own_material(const maker *m)
{
    return (uint32_t)rec_int(&m->shape, "user_data");
}

/* ---- hulls ----------------------------------------------------------------------------------------------- */

typedef struct hull {
    bytes_array vertices, faces, indices;
    const rec_slot *first, *count; /* of a face */
    uint64_t stride;               /* of faces */
} hull;

static lathe_result read_hull(const maker *m, hull *h)
{
    const rec_slot *faces = rec_slot_of(&m->shape, rec_slot_find(m->shape.layout, "faces"));
    lathe_result r = hk_array_of(&m->shape, "vertices", &h->vertices, m->err);
    if (r == LATHE_OK)
        r = hk_array_of(&m->shape, "faces", &h->faces, m->err);
    if (r == LATHE_OK)
        r = hk_array_of(&m->shape, "indices", &h->indices, m->err);
    h->first = &faces->sub->slots[rec_slot_find(faces->sub, "first_index")];
    h->count = &faces->sub->slots[rec_slot_find(faces->sub, "num_indices")];
    h->stride = faces->elem;
    return r;
}

/* The corners of a face; those that are not there are none. */
static uint64_t face_of(const maker *m, const hull *h, uint64_t i, uint64_t *first)
{
    const uint8_t *p = h->faces.bytes + i * h->stride;
    uint64_t n = p[h->count->off];
    *first = bytes_ld16(p + h->first->off, m->big);
    return *first <= h->indices.count && n <= h->indices.count - *first ? n : 0;
}

/* Corners that faces use: those behind only fill up fours. */
static uint64_t used_vertices(const maker *m, const hull *h)
{
    uint64_t used = 0, first;
    for (uint64_t i = 0; i < h->faces.count; i++)
        for (uint64_t k = 0, n = face_of(m, h, i, &first); k < n; k++)
            if (h->indices.bytes[first + k] >= used)
                used = h->indices.bytes[first + k] + 1U;
    return used;
}

static size_t hull_triangles(const maker *m, const hull *h, bool put)
{
    size_t n = 0;
    uint64_t first;
    for (uint64_t i = 0; i < h->faces.count; i++) {
        uint64_t corners = face_of(m, h, i, &first);
        const uint8_t *v = h->indices.bytes + first;
        for (uint64_t k = 2; k < corners; k++, n++)
            if (put)
                put_triangle(m, n, v[0], v[k - 1], v[k]);
    }
    return n;
}

static lathe_result make_hull(const maker *m)
{
    hull h;
    lathe_result r = read_hull(m, &h);
    if (r != LATHE_OK)
        return r;
    uint64_t used = used_vertices(m, &h);
    if (used > h.vertices.count)
        return rec_fail(&m->shape, rec_slot_find(m->shape.layout, "indices"), m->shape.off, m->err,
                        LATHE_ERR_BOUNDS, "vertex %llu of %llu", (unsigned long long)used,
                        (unsigned long long)h.vertices.count);
    r = make_room(m, (size_t)used, hull_triangles(m, &h, false));
    for (uint64_t i = 0; r == LATHE_OK && i < used; i++) {
        const uint8_t *p = h.vertices.bytes + 16 * i;
        put_vertex(m, (size_t)i, lane(m, p), lane(m, p + 4), lane(m, p + 8));
    }
    if (r != LATHE_OK)
        return r;
    hull_triangles(m, &h, true);
    return put_material(m, own_material(m));
}

/* ---- spheres and capsules ---------------------------------------------------------------------------------- */

static lathe_result make_round(const maker *m, vec3 a, vec3 b, double radius)
{
    lathe_result r = model_put_round(&m->put, a, b, radius, MODEL_MESH_MATERIALS, m->err);
    return r == LATHE_OK ? put_material(m, own_material(m)) : r;
}

static lathe_result make_sphere(const maker *m)
{
    bytes_array vertices;
    lathe_result r = hk_array_of(&m->shape, "vertices", &vertices, m->err);
    if (r == LATHE_OK && !vertices.count)
        return rec_fail(&m->shape, rec_slot_find(m->shape.layout, "vertices"), m->shape.off, m->err,
                        LATHE_ERR_INVALID, "a sphere without a centre");
    if (r != LATHE_OK)
        return r;
    const uint8_t *p = vertices.bytes;
    vec3 center = {lane(m, p), lane(m, p + 4), lane(m, p + 8)};
    return make_round(m, center, center, hk_number(&m->shape, "convex_radius"));
}

static lathe_result make_capsule(const maker *m)
{
    double a[3], b[3];
    lathe_result r = hk_get_lanes(&m->shape, "a", 3, a, m->err);
    if (r == LATHE_OK)
        r = hk_get_lanes(&m->shape, "b", 3, b, m->err);
    return r == LATHE_OK ? make_round(m, (vec3){a[0], a[1], a[2]}, (vec3){b[0], b[1], b[2]},
                                      hk_number(&m->shape, "convex_radius"))
                         : r;
}

/* ---- compressed meshes --------------------------------------------------------------------------------------- */

/* The number in the list of a triangle's material; `known` has those of the entries, plus 1. */
static lathe_result number_of(const maker *m, const rec_at *surfaces, int32_t entry,
                              uint32_t *known, size_t entries, uint32_t *number)
{
    rec_at surface;
    size_t at = entry >= 0 && (size_t)entry < entries ? (size_t)entry : entries;
    lathe_result r = LATHE_OK;
    if (!known[at]) {
        bool there = at < entries && hk_surface(surfaces, at, &surface);
        r = put_material(m, there ? (uint32_t)rec_int(&surface, "material_id") : own_material(m));
        known[at] = (uint32_t)m->mesh->material_count;
    }
    *number = known[at] - 1;
    return r;
}

static lathe_result put_materials(const maker *m, const hk_mesh_triangles *t)
{
    rec_at surfaces;
    rec_loc loc = {0};
    lathe_result r = LATHE_OK;
    const mem *memory = &m->shape.doc->mem;
    if (hk_surfaces_of(&m->shape, &surfaces))
        r = rec_find(&surfaces, rec_slot_find(surfaces.layout, "materials"), &loc, m->err);
    size_t n = r == LATHE_OK && loc.present ? (size_t)loc.count : 0;
    uint32_t *known = mem_zalloc(memory, (n + 1) * sizeof *known);
    if (!known)
        return rec_no_memory(m->err);
    for (size_t i = 0; r == LATHE_OK && i < t->n_triangles; i++)
        r = number_of(m, &surfaces, t->triangles[i].material, known, n, &m->mesh->material_of[i]);
    mem_free(memory, known, (n + 1) * sizeof *known);
    return r;
}

static lathe_result put_mesh(const maker *m, const hk_mesh_triangles *t)
{
    lathe_result r = make_room(m, t->n_positions, t->n_triangles);
    for (size_t i = 0; r == LATHE_OK && i < t->n_positions; i++)
        put_vertex(m, i, (double)t->positions[i][0], (double)t->positions[i][1],
                   (double)t->positions[i][2]);
    for (size_t i = 0; r == LATHE_OK && i < t->n_triangles; i++) {
        const uint32_t *v = t->triangles[i].vertex;
        put_triangle(m, i, v[0], v[1], v[2]);
    }
    return r == LATHE_OK ? put_materials(m, t) : r;
}

static lathe_result make_mesh(const maker *m)
{
    arena room;
    hk_mesh packed;
    hk_mesh_triangles triangles;
    const mem *memory = &m->shape.doc->mem;
    arena_init(&room, memory);
    lathe_result r = hk_mesh_read(&m->shape, &room, &packed, m->err);
    if (r == LATHE_OK)
        r = hk_mesh_decode(&packed, memory, &triangles, m->err);
    if (r == LATHE_OK) {
        r = put_mesh(m, &triangles);
        hk_mesh_triangles_free(&triangles);
    }
    arena_free(&room);
    return r;
}

/* ---- a mesh ------------------------------------------------------------------------------------------------- */

static const struct {
    const rec_type *type;
    const char *word;
    lathe_result (*make)(const maker *m);
} kinds[] = {
    {&hknp_convex_polytope_shape, "hull", make_hull},
    {&hknp_sphere_shape, "sphere", make_sphere},
    {&hknp_capsule_shape, "capsule", make_capsule},
    {&hknp_compressed_mesh_shape, "mesh", make_mesh},
};

static lathe_result place_body(const maker *m, uint32_t c, uint64_t number, double unit)
{
    hk_body_of body;
    rec_at view;
    lathe_value name;
    double p[3] = {0}, q[4] = {0};
    lathe_doc *doc = m->shape.doc;
    lathe_result r = hk_body_number(doc, c, number, &body, m->err);
    if (r == LATHE_OK)
        r = hk_get_lanes(&body.cinfo, "position", 3, p, m->err);
    if (r == LATHE_OK)
        r = hk_get_lanes(&body.cinfo, "orientation", 4, q, m->err);
    if (r == LATHE_OK)
        r = rec_sub(&body.cinfo, rec_slot_find(body.cinfo.layout, "body"), 0, &view, m->err);
    if (r == LATHE_OK)
        r = rec_get(&view, rec_slot_find(view.layout, "name"), false, &name, m->err);
    if (r != LATHE_OK)
        return r;
    vec3 at = vec3_scale((vec3){p[0], p[1], p[2]}, unit);
    m->mesh->transform =
        mat4_compose(at, quat_normalize((quat){q[0], q[1], q[2], q[3]}), (vec3){1, 1, 1});
    m->mesh->body = number + 1;
    if (name.kind != LATHE_KIND_STRING)
        return LATHE_OK;
    m->mesh->name = model_mesh_text(m->mesh, name.as.s.p, name.as.s.n);
    return m->mesh->name ? LATHE_OK : rec_no_memory(m->err);
}

lathe_result hk_collision_of(lathe_doc *doc, uint32_t c, uint64_t i, model_mesh *mesh,
                             lathe_error *err)
{
    const hk_leaves *leaves;
    lathe_result r = hk_leaves_of(doc, c, &leaves, err);
    if (r != LATHE_OK)
        return r;
    if (i >= leaves->count)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no more shapes");
    const hk_leaf leaf = leaves->list[i];
    const mat4 place = leaves->places[leaf.place];
    maker m = {.shape = hk_object(doc, leaf.part),
               .put = model_put_at(mesh, &place, leaves->unit),
               .mesh = mesh,
               .err = err};
    m.big = doc->containers[c].big;
    mesh->z_up = true;
    mesh->metres = HK_GAME_METRES;
    mesh->front = (vec3){0, 1, 0};
    r = place_body(&m, c, leaf.body, leaves->unit);
    for (size_t k = 0; r == LATHE_OK && k < REC_COUNT_OF(kinds); k++)
        if (kinds[k].type == m.shape.layout->type) {
            mesh->shape = kinds[k].word;
            r = kinds[k].make(&m);
        }
    if (r == LATHE_OK && mesh->material_count == 1)
        mesh->material = mesh->materials[0];
    return r;
}

lathe_result hk_collision(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err)
{
    return hk_collision_of(doc, 0, i, mesh, err);
}
