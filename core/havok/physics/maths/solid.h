/* Shapes that are yet to be written: what they are made of, how far they reach, what they weigh. Lengths are
 * Havok's metres. Knows no document. */
#ifndef LATHE_HAVOK_PHYSICS_SOLID_H
#define LATHE_HAVOK_PHYSICS_SOLID_H

#include "havok/physics/maths/convex_build.h"
#include "havok/physics/maths/mesh_codec.h"
#include "havok/physics/maths/shape_mass.h"

typedef enum hk_solid_kind {
    HK_SOLID_HULL,
    HK_SOLID_SPHERE,
    HK_SOLID_CAPSULE,
    HK_SOLID_MESH,
    HK_SOLID_COMPOUND
} hk_solid_kind;

enum {
    HK_COMPOUND_MOST = 0x7000
}; /* instances: nodes of the tree have numbers of 16 bits, two a leaf */

typedef struct hk_solid hk_solid;
struct hk_solid {
    hk_solid_kind kind;
    double radius;             /* of the shell around a hull; of a sphere or capsule */
    uint32_t material;         /* CRC-32 of its name */
    hk_convex convex;          /* HULL, SPHERE, CAPSULE */
    vec3 a, b;                 /* SPHERE: a is the centre; CAPSULE: the ends of the axis */
    hk_mesh mesh;              /* MESH */
    const uint32_t *materials; /* … and what its runs' values stand for; borrowed */
    size_t material_count;
    hk_solid *children; /* COMPOUND; borrowed, and freed with it */
    size_t count;
    quat turn; /* a child's place in its compound: turned, then moved */
    vec3 move;
    hk_mass mass;   /* at a density of 1; of meshes and compounds that of the box around them */
    vec3 low, high; /* the box around it, with its shell */
};

/* Each leaves *s to be freed by hk_solid_free, also where it fails. Radii and ends must be finite and not negative
 * where that makes sense: LATHE_ERR_INVALID. */
lathe_result hk_solid_box(hk_solid *s, vec3 low, vec3 high, double radius, const mem *m,
                          lathe_error *err);
/* Around rows of x, y, z; fails as hull_build does. */
lathe_result hk_solid_hull(hk_solid *s, const float *points, size_t count, double radius,
                           size_t most, const mem *m, lathe_error *err);
lathe_result hk_solid_sphere(hk_solid *s, vec3 center, double radius, const mem *m,
                             lathe_error *err);
lathe_result hk_solid_capsule(hk_solid *s, vec3 a, vec3 b, double radius, const mem *m,
                              lathe_error *err);
/* Fails as hk_mesh_build does. */
lathe_result hk_solid_mesh(hk_solid *s, const hk_mesh_source *source, const uint32_t *materials,
                           size_t material_count, const mem *m, hk_mesh_dropped *dropped,
                           lathe_error *err);
/* Of children that are made and have their places. */
lathe_result hk_solid_compound(hk_solid *s, hk_solid *children, size_t count, lathe_error *err);
void hk_solid_free(hk_solid *s); /* fine on a zeroed one */

/* The box around a child in its compound's space. */
void hk_solid_reach(const hk_solid *child, vec3 *low, vec3 *high);

#endif
