/* Triangles of shapes of rigid bodies, in the file's units and in the space of the body, whose place stands beside
 * them. */
#include "havok/physics/rigid_shapes.h"

#include "model/hull.h"
#include "model/round.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct maker {
    rec_at shape;
    model_put put;
    model_mesh *mesh;
    uint32_t sub;
    lathe_error *err;
} maker;

/* It is no error, but the mesh says why it is not drawn. */
static lathe_result leave_out(const maker *m, const char *why)
{
    char path[256], text[160];
    rec_path(&m->shape, REC_NO_SLOT, REC_NO_ITEM, path, sizeof path);
    const char *class_name = hk_object_class(m->shape.doc, m->shape.part);
    snprintf(text, sizeof text, "%.80s: %s", class_name ? class_name : "a shape", why);
    m->mesh->path = model_mesh_text(m->mesh, path, strlen(path));
    m->mesh->left_out = model_mesh_text(m->mesh, text, strlen(text));
    return m->mesh->path && m->mesh->left_out ? LATHE_OK : rec_no_memory(m->err);
}

static const char not_to_be_read[] = "its members are not what lathe knows of the class";

/* A point that a member holds. */
static bool point_of(const rec_at *at, const char *name, vec3 *out)
{
    double v[4];
    if (!hk_floats(at, name, 4, v))
        return false;
    *out = (vec3){v[0], v[1], v[2]};
    return true;
}

/* ---- simple ones ------------------------------------------------------------------------------------------- */

static lathe_result make_capsule(const maker *m)
{
    vec3 a, b;
    if (!point_of(&m->shape, "vertex_a", &a) || !point_of(&m->shape, "vertex_b", &b))
        return leave_out(m, not_to_be_read);
    return model_put_round(&m->put, a, b, hk_number(&m->shape, "radius"), 0, m->err);
}

static lathe_result make_sphere(const maker *m)
{
    const vec3 center = {0, 0, 0};
    return model_put_round(&m->put, center, center, hk_number(&m->shape, "radius"), 0, m->err);
}

static lathe_result make_cylinder(const maker *m)
{
    vec3 a, b;
    if (!point_of(&m->shape, "vertex_a", &a) || !point_of(&m->shape, "vertex_b", &b))
        return leave_out(m, not_to_be_read);
    return model_put_cylinder(&m->put, a, b, hk_number(&m->shape, "cyl_radius"), 0, m->err);
}

static lathe_result make_box(const maker *m)
{
    vec3 half;
    if (!point_of(&m->shape, "half_extents", &half))
        return leave_out(m, not_to_be_read);
    return model_put_box(&m->put, vec3_scale(half, -1), half, 0, m->err);
}

static lathe_result make_triangle(const maker *m)
{
    vec3 v[3];
    if (!point_of(&m->shape, "vertex_a", &v[0]) || !point_of(&m->shape, "vertex_b", &v[1]) ||
        !point_of(&m->shape, "vertex_c", &v[2]))
        return leave_out(m, not_to_be_read);
    lathe_result r = model_mesh_alloc(m->mesh, 3, 3, 0, m->err);
    for (uint32_t i = 0; r == LATHE_OK && i < 3; i++)
        model_put_vertex(&m->put, i, v[i]);
    if (r == LATHE_OK)
        model_put_triangle(&m->put, 0, 0, 1, 2);
    return r;
}

/* ---- hulls ------------------------------------------------------------------------------------------------- */

static lathe_result put_hull(const maker *m, const hull *h)
{
    size_t triangles = 0, n = 0;
    for (size_t i = 0; i < h->face_count; i++)
        triangles += h->faces[i].count > 2 ? h->faces[i].count - 2 : 0;
    lathe_result r = model_mesh_alloc(m->mesh, h->vertex_count, 3 * triangles, 0, m->err);
    for (size_t i = 0; r == LATHE_OK && i < h->vertex_count; i++)
        model_put_vertex(&m->put, i,
                         (vec3){(double)h->vertices[i][0], (double)h->vertices[i][1],
                                (double)h->vertices[i][2]});
    for (size_t i = 0; r == LATHE_OK && i < h->face_count; i++) {
        const uint32_t *v = h->indices + h->faces[i].first;
        for (uint32_t k = 2; k < h->faces[i].count; k++)
            model_put_triangle(&m->put, n++, v[0], v[k - 1], v[k]);
    }
    return r;
}

/* Corners are kept four at a time: their x, their y, their z. */
static void read_corners(const maker *m, const bytes_array *fours, uint64_t n, float *out)
{
    bool big = hk_is_big(&m->shape);
    for (uint64_t i = 0; i < n; i++)
        for (unsigned axis = 0; axis < 3; axis++) {
            const uint8_t *p = fours->bytes + 48 * (i / 4) + 16 * axis + 4 * (i % 4);
            out[3 * i + axis] = (float)bytes_f32_widen(bytes_ld32(p, big));
        }
}

static lathe_result make_hull(const maker *m)
{
    bytes_array fours;
    hull h;
    lathe_error why = {.code = LATHE_OK};
    const mem *memory = &m->shape.doc->mem;
    int64_t n = rec_int(&m->shape, "num_vertices");
    lathe_result r = hk_elements(&m->shape, "rotated_vertices", 48, &fours, NULL);
    if (r != LATHE_OK || n < 1 || (uint64_t)n > 4 * fours.count)
        return leave_out(m, not_to_be_read);
    size_t size = (size_t)n * 3 * sizeof(float);
    float *corners = mem_alloc(memory, size);
    if (!corners)
        return rec_no_memory(m->err);
    read_corners(m, &fours, (uint64_t)n, corners);
    r = hull_build(&h, corners, (size_t)n, NULL, memory, &why);
    mem_free(memory, corners, size);
    if (r == LATHE_ERR_MEMORY)
        return rec_no_memory(m->err);
    if (r != LATHE_OK)
        return leave_out(m, why.message);
    r = put_hull(m, &h);
    hull_free(&h);
    return r;
}

/* ---- stored triangles -------------------------------------------------------------------------------------- */

typedef struct soup {
    bytes_array vertices, indices;
    unsigned width; /* of an index */
    bool big, flips;
} soup;

static uint32_t corner(const soup *s, uint64_t triangle, unsigned k)
{
    const uint8_t *p = s->indices.bytes + (4 * triangle + k) * s->width;
    return s->width == 1 ? *p : s->width == 2 ? bytes_ld16(p, s->big) : bytes_ld32(p, s->big);
}

/* Numbers of corners are of one width, four a triangle. */
static bool read_soup(const rec_at *stored, soup *s)
{
    static const struct {
        const char *name;
        unsigned width;
    } lists[] = {{"indices8", 1}, {"indices16", 2}, {"indices32", 4}};
    *s = (soup){.big = hk_is_big(stored)};
    if (hk_elements(stored, "vertices", 16, &s->vertices, NULL) != LATHE_OK)
        return false;
    for (size_t i = 0; i < REC_COUNT_OF(lists); i++) {
        bytes_array some;
        if (hk_elements(stored, lists[i].name, lists[i].width, &some, NULL) != LATHE_OK ||
            (some.count && s->width))
            return false;
        if (some.count) {
            s->indices = some;
            s->width = lists[i].width;
        }
    }
    return true;
}

static lathe_result put_soup(const maker *m, const soup *s)
{
    uint64_t triangles = s->indices.count / 4;
    lathe_result r =
        model_mesh_alloc(m->mesh, (size_t)s->vertices.count, (size_t)(3 * triangles), 0, m->err);
    for (uint64_t i = 0; r == LATHE_OK && i < s->vertices.count; i++) {
        const uint8_t *p = s->vertices.bytes + 16 * i;
        model_put_vertex(&m->put, (size_t)i,
                         (vec3){bytes_f32_widen(bytes_ld32(p, s->big)),
                                bytes_f32_widen(bytes_ld32(p + 4, s->big)),
                                bytes_f32_widen(bytes_ld32(p + 8, s->big))});
    }
    for (uint64_t i = 0; r == LATHE_OK && i < triangles; i++) {
        bool turned = s->flips && i % 2;
        model_put_triangle(&m->put, (size_t)i, corner(s, i, 0), corner(s, i, turned ? 2 : 1),
                           corner(s, i, turned ? 1 : 2));
    }
    return r;
}

static lathe_result make_mesh(const maker *m)
{
    soup s;
    rec_at part, turned;
    maker at = *m;
    uint32_t number = hk_target(&m->shape, "meshstorage", m->sub);
    rec_at stored = number == REC_NO_PART ? m->shape : hk_object(m->shape.doc, number);
    if (number == REC_NO_PART)
        return leave_out(m, "its triangles are not stored in the file");
    if (!stored.layout || !hk_object_opens(stored.doc, number) || !read_soup(&stored, &s))
        return leave_out(m, not_to_be_read);
    for (uint64_t i = 0; i + 3 < s.indices.count; i += 4)
        for (unsigned k = 0; k < 3; k++)
            if (corner(&s, i / 4, k) >= s.vertices.count)
                return leave_out(m, "a triangle has a corner that is not there");
    mat4 place = *m->put.place;
    if (hk_record_at(&m->shape, "triangles_subparts", m->sub, &part)) {
        s.flips = rec_int(&part, "flip_alternate_triangles") != 0;
        if (hk_record_at(&part, "transform", 0, &turned)) {
            mat4 by = hk_rigid_turned(&turned);
            place = mat4_mul(&place, &by);
        }
    }
    at.put = model_put_at(m->mesh, &place, 1);
    return put_soup(&at, &s);
}

/* ---- a mesh ------------------------------------------------------------------------------------------------ */

static const struct {
    const char *class_name, *word;
    lathe_result (*make)(const maker *m);
} kinds[] = {
    {"hkpCapsuleShape", "capsule", make_capsule},    {"hkpSphereShape", "sphere", make_sphere},
    {"hkpCylinderShape", "cylinder", make_cylinder}, {"hkpBoxShape", "box", make_box},
    {"hkpTriangleShape", "triangle", make_triangle}, {"hkpConvexVerticesShape", "hull", make_hull},
    {"hkpExtendedMeshShape", "mesh", make_mesh},
};

static lathe_result place_body(const maker *m, uint64_t number, const rec_at *body)
{
    const char *name;
    uint64_t n;
    lathe_result r = hk_read_text(body, "name", &name, &n, m->err);
    hk_rigid_place(body, &m->mesh->transform);
    m->mesh->body = number + 1;
    if (r != LATHE_OK || !name)
        return r;
    m->mesh->name = model_mesh_text(m->mesh, name, (size_t)n);
    return m->mesh->name ? LATHE_OK : rec_no_memory(m->err);
}

/* What has corners that are nowhere is left out. */
static lathe_result check_corners(const maker *m)
{
    for (size_t i = 0; i < 3 * m->mesh->vertex_count; i++)
        if (!isfinite(m->mesh->positions[i]))
            return leave_out(m, "a corner is no finite number");
    return LATHE_OK;
}

static lathe_result make_one(const maker *m)
{
    bool opens;
    lathe_result r = hk_object_look(m->shape.doc, m->shape.part, &opens, m->err);
    size_t k = 0;
    while (k < REC_COUNT_OF(kinds) && !hk_is(&m->shape, kinds[k].class_name))
        k++;
    if (r != LATHE_OK)
        return r;
    if (k == REC_COUNT_OF(kinds))
        return leave_out(m, "lathe does not know this shape");
    m->mesh->shape = kinds[k].word;
    if (!opens)
        return leave_out(m, not_to_be_read);
    r = kinds[k].make(m);
    return r == LATHE_OK && !m->mesh->left_out ? check_corners(m) : r;
}

lathe_result hk_rigid_collision(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err)
{
    const hk_leaves *leaves;
    const hk_rigids *bodies = hk_rigids_of(doc, 0, err);
    lathe_result r = bodies ? hk_rigid_leaves(doc, 0, &leaves, err) : LATHE_ERR_MEMORY;
    if (r != LATHE_OK)
        return r;
    if (i >= leaves->count)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no more shapes");
    const hk_leaf leaf = leaves->list[i];
    const mat4 place = leaves->places[leaf.place];
    const rec_at body = hk_object(doc, bodies->parts[leaf.body]);
    const maker m = {.shape = hk_object(doc, leaf.part),
                     .put = model_put_at(mesh, &place, 1),
                     .mesh = mesh,
                     .sub = leaf.sub,
                     .err = err};
    mesh->z_up = hk_is_rigid(doc, 0); /* … of the games, and in their units */
    mesh->metres = mesh->z_up ? HK_GAME_METRES : 1;
    mesh->front =
        mesh->z_up ? (vec3){0, 1, 0} : (vec3){0, 0, -1}; /* tagfile.c tells of the latter */
    r = place_body(&m, leaf.body, &body);
    return r == LATHE_OK ? make_one(&m) : r;
}
