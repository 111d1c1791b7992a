/* Shapes as objects: hulls, spheres, capsules, compounds. Reference: formats/fo4-collision.md#3. */
#include "havok/physics/build/build.h"
#include "havok/physics/packed.h"

static void put_packed(hk_values *v, hk_node *to, const char *name, const uint16_t packed[4])
{
    const double numbers[] = {packed[0], packed[1], packed[2], packed[3]};
    hk_put_reals(v, hk_put_table(v, to, name), "packed", numbers, 4);
}

static void put_mass(hk_builder *b, hk_node *shape, const hk_mass *mass)
{
    hk_values *v = &b->values;
    /* e of a vector of zeros is any: 0x1980 is what games' files have. */
    uint16_t center[4] = {0, 0, 0, 0x1980}, inertia[4] = {0, 0, 0, 0x1980}, turn[4] = {0};
    hk_node *to = hk_build_property(b, shape, "mass_properties", "hknpShapeMassProperties");
    hk_pack_vector3((const double[]){mass->center.x, mass->center.y, mass->center.z}, center);
    hk_pack_vector3(mass->inertia, inertia);
    hk_pack_quaternion((const double[]){mass->axes.x, mass->axes.y, mass->axes.z, mass->axes.w},
                       turn);
    put_packed(v, to, "center_of_mass", center);
    put_packed(v, to, "inertia", inertia);
    put_packed(v, to, "major_axis_space", turn);
    hk_put_real(v, to, "mass", mass->volume);
    hk_put_real(v, to, "volume", mass->volume);
}

/* ---- convex shapes ---------------------------------------------------------------------------------------- */

static void put_vertices(hk_values *v, hk_node *shape, const hk_convex *c)
{
    hk_node *list = hk_put_list(v, shape, "vertices");
    for (size_t i = 0; i < c->vertex_count; i++) {
        hk_node *at = hk_put_list(v, list, NULL);
        hk_put_real(v, at, NULL, (double)c->vertices[i].x);
        hk_put_real(v, at, NULL, (double)c->vertices[i].y);
        hk_put_real(v, at, NULL, (double)c->vertices[i].z);
        hk_put_int(v, at, NULL, c->vertices[i].w);
    }
}

static void put_faces(hk_values *v, hk_node *shape, const hk_convex *c)
{
    hk_node *planes = hk_put_list(v, shape, "planes"), *faces = hk_put_list(v, shape, "faces"),
            *indices = hk_put_list(v, shape, "indices");
    for (size_t i = 0; i < c->plane_count; i++) {
        const hk_convex_plane *p = &c->planes[i];
        const double lanes[] = {(double)p->x, (double)p->y, (double)p->z, (double)p->w};
        hk_put_reals(v, planes, NULL, lanes, 4);
    }
    for (size_t i = 0; i < c->face_count; i++) {
        hk_node *face = hk_put_table(v, faces, NULL);
        hk_put_int(v, face, "first_index", c->faces[i].first_index);
        hk_put_int(v, face, "num_indices", c->faces[i].num_indices);
        hk_put_int(v, face, "min_half_angle", c->faces[i].min_half_angle);
    }
    for (size_t i = 0; i < c->index_count; i++)
        hk_put_int(v, indices, NULL, c->indices[i]);
}

static int64_t put_hull(hk_builder *b, const hk_solid *s)
{
    int64_t number;
    hk_node *shape = hk_build_base(b, s, "hknpConvexPolytopeShape", HK_POLYTOPE_FLAGS, &number);
    put_vertices(&b->values, shape, &s->convex);
    put_faces(&b->values, shape, &s->convex);
    put_mass(b, shape, &s->mass);
    return number;
}

static int64_t put_sphere(hk_builder *b, const hk_solid *s)
{
    int64_t number;
    hk_node *shape = hk_build_base(b, s, "hknpSphereShape", HK_SPHERE_FLAGS, &number);
    put_vertices(&b->values, shape, &s->convex);
    return number;
}

static void put_end(hk_values *v, hk_node *shape, const char *name, vec3 p)
{
    const double lanes[] = {p.x, p.y, p.z, 1};
    hk_put_reals(v, shape, name, lanes, 4);
}

static int64_t put_capsule(hk_builder *b, const hk_solid *s)
{
    int64_t number;
    hk_node *shape = hk_build_base(b, s, "hknpCapsuleShape", HK_CAPSULE_FLAGS, &number);
    put_vertices(&b->values, shape, &s->convex);
    put_faces(&b->values, shape, &s->convex);
    put_end(&b->values, shape, "a", s->a);
    put_end(&b->values, shape, "b", s->b);
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
