/* Shapes as objects: hulls, spheres, capsules, compounds. Reference: formats/fo4-collision.md#3. */
#include "havok/physics/build.h"
#include "havok/physics/packed.h"

#include <math.h>

enum { TAG = 0x3F000000, FOUR = 4 };

/* What nobody has decoded, as games' files have it. */
enum { FLAGS_HULL = 0x143, FLAGS_SPHERE = 0x111, FLAGS_CAPSULE = 0x1C3, ANGLE_CAPSULE = 4 };

hk_node *hk_build_base(hk_builder *b, const hk_solid *s, const char *class_name, int64_t flags,
                       int64_t *number)
{
    hk_values *v = &b->values;
    hk_node *shape = hk_build_object(b, class_name, number);
    bool composite = s->kind == HK_SOLID_MESH || s->kind == HK_SOLID_COMPOUND;
    hk_put_int(v, shape, "flags", flags);
    hk_put_word(v, shape, "dispatch_type", composite ? "composite" : "convex");
    hk_put_real(v, shape, "convex_radius", s->radius);
    hk_put_int(v, shape, "user_data", s->material);
    return shape;
}

hk_node *hk_build_property(hk_builder *b, hk_node *shape, const char *key, const char *class_name)
{
    hk_values *v = &b->values;
    int64_t number;
    hk_node *properties = hk_build_object(b, "hkRefCountedProperties", &number);
    hk_put_int(v, shape, "properties", number);
    hk_node *entry = hk_put_table(v, hk_put_list(v, properties, "entries"), NULL);
    hk_node *object = hk_build_object(b, class_name, &number);
    hk_put_int(v, entry, "object", number);
    hk_put_word(v, entry, "key", key);
    return object;
}

/* ---- mass ------------------------------------------------------------------------------------------------- */

static void put_packed(hk_values *v, hk_node *to, const char *name, const uint16_t packed[4])
{
    const double numbers[] = {packed[0], packed[1], packed[2], packed[3]};
    hk_put_reals(v, hk_put_table(v, to, name), "packed", numbers, 4);
}

static void put_mass(hk_builder *b, hk_node *shape, const mass_props *mass)
{
    hk_values *v = &b->values;
    double moments[3];
    quat axes;
    /* e of a vector of zeros is any: 0x1980 is what games' files have. */
    uint16_t center[4] = {0, 0, 0, 0x1980}, inertia[4] = {0, 0, 0, 0x1980}, turn[4] = {0};
    hk_node *to = hk_build_property(b, shape, "mass_properties", "hknpShapeMassProperties");
    mass_principal(mass, moments, &axes);
    for (int i = 0; i < 3; i++)
        moments[i] *= HK_INERTIA_FACTOR;
    hk_pack_vector3((const double[]){mass->center.x, mass->center.y, mass->center.z}, center);
    hk_pack_vector3(moments, inertia);
    hk_pack_quaternion((const double[]){axes.x, axes.y, axes.z, axes.w}, turn);
    put_packed(v, to, "center_of_mass", center);
    put_packed(v, to, "inertia", inertia);
    put_packed(v, to, "major_axis_space", turn);
    hk_put_real(v, to, "mass", mass->volume);
    hk_put_real(v, to, "volume", mass->volume);
}

/* ---- convex shapes ---------------------------------------------------------------------------------------- */

static void put_vertex(hk_values *v, hk_node *list, double x, double y, double z, int64_t w)
{
    hk_node *at = hk_put_list(v, list, NULL);
    hk_put_real(v, at, NULL, x);
    hk_put_real(v, at, NULL, y);
    hk_put_real(v, at, NULL, z);
    hk_put_int(v, at, NULL, w);
}

static void put_plane(hk_values *v, hk_node *list, const double n[3], double d)
{
    const double lanes[] = {n[0], n[1], n[2], d};
    hk_put_reals(v, list, NULL, lanes, FOUR);
}

static void put_face(hk_values *v, hk_node *list, uint32_t first, uint32_t n, int64_t angle)
{
    hk_node *face = hk_put_table(v, list, NULL);
    hk_put_int(v, face, "first_index", first);
    hk_put_int(v, face, "num_indices", n);
    hk_put_int(v, face, "min_half_angle", angle);
}

/* Half of the least angle to a neighbour, where 255 is a right angle: so it comes out on the hulls of games'
 * files, but for those that were simplified. */
static int64_t angle_of(const hull_face *face, const double *cosines)
{
    double most = -1;
    for (uint32_t k = 0; k < face->count; k++)
        most = fmax(most, cosines[face->first + k]);
    return lround(255 * acos(fmin(most, 1)) / acos(-1));
}

static void put_faces(hk_builder *b, hk_node *shape, const hull *h)
{
    hk_values *v = &b->values;
    hk_node *planes = hk_put_list(v, shape, "planes"), *faces = hk_put_list(v, shape, "faces"),
            *indices = hk_put_list(v, shape, "indices");
    double *cosines = arena_zalloc(&v->arena, h->index_count * sizeof *cosines);
    if (!cosines || hull_edge_cosines(h, cosines, NULL) != LATHE_OK) {
        v->failed = true;
        return;
    }
    for (size_t i = 0; i < h->face_count; i++) {
        put_plane(v, planes, h->planes[i].n, h->planes[i].d);
        put_face(v, faces, h->faces[i].first, h->faces[i].count, angle_of(&h->faces[i], cosines));
    }
    for (size_t i = h->face_count; i % FOUR; i++)
        put_plane(v, planes, (const double[]){0, 0, 0}, 0);
    for (size_t i = 0; i < h->index_count; i++)
        hk_put_int(v, indices, NULL, h->indices[i]);
}

static int64_t put_hull(hk_builder *b, const hk_solid *s)
{
    hk_values *v = &b->values;
    const hull *h = &s->hull;
    int64_t number;
    hk_node *shape = hk_build_base(b, s, "hknpConvexPolytopeShape", FLAGS_HULL, &number);
    hk_node *vertices = hk_put_list(v, shape, "vertices");
    for (size_t i = 0; i < h->vertex_count || i % FOUR; i++) {
        size_t k = i < h->vertex_count ? i : h->vertex_count - 1;
        const float *p = h->vertices[k];
        put_vertex(v, vertices, (double)p[0], (double)p[1], (double)p[2], TAG | (int64_t)k);
    }
    put_faces(b, shape, h);
    put_mass(b, shape, &s->mass);
    return number;
}

static int64_t put_sphere(hk_builder *b, const hk_solid *s)
{
    int64_t number;
    hk_node *shape = hk_build_base(b, s, "hknpSphereShape", FLAGS_SPHERE, &number);
    hk_node *vertices = hk_put_list(&b->values, shape, "vertices");
    for (int i = 0; i < FOUR; i++)
        put_vertex(&b->values, vertices, s->a.x, s->a.y, s->a.z, TAG);
    return number;
}

static void put_end(hk_values *v, hk_node *shape, const char *name, vec3 p)
{
    const double lanes[] = {p.x, p.y, p.z, 1};
    hk_put_reals(v, shape, name, lanes, FOUR);
}

static void put_capsule_faces(hk_values *v, hk_node *shape, const vec3 corners[8])
{
    static const double none = -0x1.FFFFDCp127;
    hk_node *planes = hk_put_list(v, shape, "planes"), *faces = hk_put_list(v, shape, "faces"),
            *indices = hk_put_list(v, shape, "indices");
    for (uint32_t f = 0; f < 6; f++) {
        const uint8_t *loop = hk_box_faces[f];
        vec3 n = vec3_cross(vec3_sub(corners[loop[1]], corners[loop[0]]),
                            vec3_sub(corners[loop[2]], corners[loop[1]]));
        n = vec3_normalize(n);
        put_plane(v, planes, (const double[]){n.x, n.y, n.z}, -vec3_dot(n, corners[loop[0]]));
        put_face(v, faces, 4 * f, 4, ANGLE_CAPSULE);
        for (int k = 0; k < 4; k++)
            hk_put_int(v, indices, NULL, loop[k]);
    }
    for (int i = 6; i < 8; i++)
        put_plane(v, planes, (const double[]){0, 0, 0}, none);
}

static int64_t put_capsule(hk_builder *b, const hk_solid *s)
{
    hk_values *v = &b->values;
    int64_t number;
    vec3 corners[8];
    hk_node *shape = hk_build_base(b, s, "hknpCapsuleShape", FLAGS_CAPSULE, &number);
    hk_node *vertices = hk_put_list(v, shape, "vertices");
    hk_capsule_corners(s, corners);
    for (int i = 0; i < 8; i++)
        put_vertex(v, vertices, corners[i].x, corners[i].y, corners[i].z, TAG | i);
    put_capsule_faces(v, shape, corners);
    put_end(v, shape, "a", s->a);
    put_end(v, shape, "b", s->b);
    return number;
}

int64_t hk_build_shape(hk_builder *b, const hk_solid *s)
{
    switch (s->kind) {
    case HK_SOLID_HULL: return put_hull(b, s);
    case HK_SOLID_SPHERE: return put_sphere(b, s);
    case HK_SOLID_CAPSULE: return put_capsule(b, s);
    case HK_SOLID_MESH: return hk_build_mesh(b, s);
    default: return hk_build_compound(b, s);
    }
}
