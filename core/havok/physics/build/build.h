/* A body as a packfile of its own: its shape, what it is made of, how it moves, in Havok's own order.
 * Reference: formats/fo4-collision.md. What games' files have where nobody knows what it means: README.md. */
#ifndef LATHE_HAVOK_PHYSICS_BUILD_H
#define LATHE_HAVOK_PHYSICS_BUILD_H

#include "havok/packfile/values.h"
#include "havok/physics/maths/solid.h"

typedef enum hk_motion { HK_STATIC, HK_KEYFRAMED, HK_DYNAMIC } hk_motion;

typedef struct hk_body_plan {
    const hk_solid *shape;
    hk_motion motion;
    double friction, restitution;
    uint32_t filter; /* the layer, and groups */
    double mass;     /* of what is dynamic, in kg */
    vec3 position;   /* of the shape in the file, in metres */
    quat orientation;
} hk_body_plan;

/* Appends the packfile. LATHE_ERR_INVALID: a mass or a number that a file cannot hold; LATHE_ERR_MEMORY. */
lathe_result hk_body_build(const hk_body_plan *plan, const mem *m, buf *out, lathe_error *err);

/* Inside an edit: appends the body of such a packfile, with all that it has, to the system in container `c` (join.c).
 * *number: that of the new body, from 0. The packfile may lose Havok's order: hk_in_order.
 * LATHE_ERR_UNSUPPORTED: the container has another root than a system, or further systems; LATHE_ERR_LIMIT: the system is
 * full. */
lathe_result hk_body_join(lathe_doc *doc, uint32_t c, const buf *packfile, uint64_t *number,
                          lathe_error *err);

/* ---- inside (build_shape.c, build_mesh.c) -------------------------------------------------------------- */

typedef struct hk_builder {
    hk_values values;
    hk_node *objects;
    int64_t count; /* of these: an object's number is what this is once it was put */
    uint32_t filter;
} hk_builder;

/* A new object of a class; *number is by what pointers name it. */
hk_node *hk_build_object(hk_builder *b, const char *class_name, int64_t *number);
/* A shape with all that it leads to: its number. */
int64_t hk_build_shape(hk_builder *b, const hk_solid *s);
hk_node *hk_build_base(hk_builder *b, const hk_solid *s, const char *class_name, int64_t flags,
                       int64_t *number);
/* A list of entries of hkRefCountedProperties with one object of that class, which is given back. */
hk_node *hk_build_property(hk_builder *b, hk_node *shape, const char *key, const char *class_name);
int64_t hk_build_mesh(hk_builder *b, const hk_solid *s);
int64_t hk_build_compound(hk_builder *b, const hk_solid *s);
void hk_build_composite(hk_builder *b, hk_node *shape);

#endif
