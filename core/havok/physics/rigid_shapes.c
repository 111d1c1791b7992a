/* What each body is made of in the end: shapes that hold no others, each in its place. By the names of classes and
 * members: a shape that nobody knows is listed, too, so that who draws it says so. */
#include "havok/physics/rigid_shapes.h"

#include <string.h>

typedef lathe_result lister(hk_lister *l, const rec_at *shape, uint32_t place, int depth,
                            lathe_error *err);
static lister list_shape;

static lathe_result list_target(hk_lister *l, const rec_at *at, const char *member, uint64_t i,
                                uint32_t place, int depth, lathe_error *err)
{
    uint32_t part;
    lathe_result r = hk_list_time(l, at, sizeof(mat4), err); /* without a shape, too */
    if (r == LATHE_OK && hk_read_target(at, member, i, &part, NULL) == LATHE_ERR_MEMORY)
        r = rec_no_memory(err);
    if (r != LATHE_OK || part == REC_NO_PART)
        return r;
    rec_at child = hk_object(l->doc, part);
    return child.layout ? list_shape(l, &child, place, depth + 1, err) : rec_no_memory(err);
}

/* ---- where children are ---------------------------------------------------------------------------------- */

mat4 hk_rigid_turned(const rec_at *at)
{
    double t[4] = {0}, q[4] = {0, 0, 0, 1}, s[4] = {1, 1, 1, 1};
    hk_floats(at, "translation", 4, t);
    hk_floats(at, "rotation", 4, q);
    hk_floats(at, "scale", 4, s);
    return mat4_compose((vec3){t[0], t[1], t[2]}, quat_normalize((quat){q[0], q[1], q[2], q[3]}),
                        (vec3){s[0], s[1], s[2]});
}

/* A rotation's columns and a translation, or a translation, a quaternion and a scale. */
static mat4 transform_in(const rec_at *shape)
{
    mat4 m;
    rec_at parts;
    if (hk_matrix(shape, "transform", &m) || !hk_record_at(shape, "transform", 0, &parts))
        return m;
    return hk_rigid_turned(&parts);
}

static lathe_result list_moved(hk_lister *l, const rec_at *shape, const mat4 *by, uint32_t place,
                               int depth, lathe_error *err)
{
    rec_at container;
    uint32_t inner;
    lathe_result r = hk_list_place(l, place, by, &inner, err);
    if (r != LATHE_OK)
        return r;
    bool in = hk_record_at(shape, "child_shape", 0, &container); /* hkpSingleShapeContainer */
    return list_target(l, in ? &container : shape, "child_shape", 0, inner, depth, err);
}

static lathe_result list_transformed(hk_lister *l, const rec_at *shape, uint32_t place, int depth,
                                     lathe_error *err)
{
    mat4 by = transform_in(shape);
    return list_moved(l, shape, &by, place, depth, err);
}

static lathe_result list_translated(hk_lister *l, const rec_at *shape, uint32_t place, int depth,
                                    lathe_error *err)
{
    double t[4] = {0};
    hk_floats(shape, "translation", 4, t);
    mat4 by = mat4_compose((vec3){t[0], t[1], t[2]}, quat_identity(), (vec3){1, 1, 1});
    return list_moved(l, shape, &by, place, depth, err);
}

/* ---- shapes that hold others ------------------------------------------------------------------------------- */

static lathe_result list_tree(hk_lister *l, const rec_at *shape, uint32_t place, int depth,
                              lathe_error *err)
{
    rec_at container;
    if (!hk_record_at(shape, "child", 0, &container) &&
        !hk_record_at(shape, "child_shape", 0, &container))
        return LATHE_OK;
    return list_target(l, &container, "child_shape", 0, place, depth, err);
}

static lathe_result list_children(hk_lister *l, const rec_at *shape, uint32_t place, int depth,
                                  lathe_error *err)
{
    uint32_t slot;
    uint64_t n;
    lathe_result r = hk_find_records(shape, "child_info", &slot, &n, err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at child;
        r = rec_sub(shape, slot, i, &child, err);
        if (r == LATHE_OK)
            r = list_target(l, &child, "shape", 0, place, depth, err);
    }
    return r;
}

/* Convex shapes that stand in an array of pointers. */
static lathe_result list_pointers(hk_lister *l, const rec_at *shape, uint32_t place, int depth,
                                  lathe_error *err)
{
    uint64_t n;
    lathe_result r = hk_read_length(shape, "child_shapes", &n, err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++)
        r = list_target(l, shape, "child_shapes", i, place, depth, err);
    return r;
}

/* Convex shapes among the parts of a mesh. */
static lathe_result list_subpart(hk_lister *l, const rec_at *part, uint32_t place, int depth,
                                 lathe_error *err)
{
    uint32_t inner;
    mat4 by = hk_rigid_turned(part);
    lathe_result r = hk_list_place(l, place, &by, &inner, err);
    return r == LATHE_OK ? list_pointers(l, part, inner, depth, err) : r;
}

/* Bytes that the triangles of a part take. */
static uint64_t weight(const rec_at *shape, uint64_t i)
{
    uint32_t stored = hk_target(shape, "meshstorage", i);
    return 1 + (stored == REC_NO_PART ? 0 : shape->doc->parts[stored].size);
}

static lathe_result list_mesh(hk_lister *l, const rec_at *shape, uint32_t place, int depth,
                              lathe_error *err)
{
    uint64_t n, stored, shapes;
    uint32_t slot;
    lathe_result r = hk_read_length(shape, "triangles_subparts", &n, err);
    if (r == LATHE_OK)
        r = hk_read_length(shape, "meshstorage", &stored, err);
    n = r == LATHE_OK && n < stored ? stored : n;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++)
        r = i <= UINT32_MAX
                ? hk_list_leaf(l, shape, (uint32_t)i, sizeof(mat4) + weight(shape, i), place, err)
                : rec_no_memory(err);
    if (r == LATHE_OK)
        r = hk_find_records(shape, "shapes_subparts", &slot, &shapes, err);
    for (uint64_t i = 0; r == LATHE_OK && i < shapes; i++) {
        rec_at part;
        r = rec_sub(shape, slot, i, &part, err);
        if (r == LATHE_OK)
            r = list_subpart(l, &part, place, depth, err);
    }
    return r;
}

/* ---- all of them ------------------------------------------------------------------------------------------- */

static const struct {
    const char *class_name;
    lister *list;
} holders[] = {
    {"hkpMoppBvTreeShape", list_tree},
    {"hkpBvTreeShape", list_tree},
    {"hkpBvShape", list_tree},
    {"hkpConvexTransformShape", list_transformed},
    {"hkpTransformShape", list_transformed},
    {"hkpConvexTranslateShape", list_translated},
    {"hkpListShape", list_children},
    {"hkpConvexListShape", list_pointers},
    {"hkpExtendedMeshShape", list_mesh},
};

static lathe_result list_shape(hk_lister *l, const rec_at *shape, uint32_t place, int depth,
                               lathe_error *err)
{
    size_t k = 0;
    while (k < REC_COUNT_OF(holders) && !hk_is(shape, holders[k].class_name))
        k++;
    if (k == REC_COUNT_OF(holders))
        return hk_list_leaf(l, shape, 0, l->doc->parts[shape->part].size + 1, place, err);
    lathe_result r = hk_list_enter(l, shape, depth, err);
    if (r != LATHE_OK)
        return r;
    r = holders[k].list(l, shape, place, depth, err);
    hk_list_leave(l, shape);
    return r;
}

static lathe_result list_bodies(hk_lister *l, uint32_t c, lathe_error *err)
{
    const hk_rigids *bodies = hk_rigids_of(l->doc, c, err);
    lathe_result r = bodies ? LATHE_OK : LATHE_ERR_MEMORY;
    for (size_t i = 0; r == LATHE_OK && i < bodies->count; i++) {
        rec_at body = hk_object(l->doc, bodies->parts[i]);
        rec_at collidable;
        uint32_t part = REC_NO_PART;
        l->body = (uint32_t)i;
        if (hk_within(&body, "collidable", &collidable) &&
            hk_read_target(&collidable, "shape", 0, &part, NULL) == LATHE_ERR_MEMORY)
            r = rec_no_memory(err);
        if (r != LATHE_OK || part == REC_NO_PART)
            continue;
        rec_at shape = hk_object(l->doc, part);
        r = shape.layout ? list_shape(l, &shape, 0, 0, err) : rec_no_memory(err);
    }
    return r;
}

lathe_result hk_rigid_leaves(lathe_doc *doc, uint32_t c, const hk_leaves **out, lathe_error *err)
{
    return hk_leaves_by(doc, c, list_bodies, out, err);
}
