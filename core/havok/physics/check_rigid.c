/* What is wrong with rigid bodies, their shapes and ragdolls, by the names of classes and members. */
#include "havok/physics/check.h"
#include "havok/physics/rigid_shapes.h"

#include <math.h>

#define WARN LATHE_LEVEL_WARNING

/* ---- bodies -------------------------------------------------------------------------------------------- */

/* A rotation turns no lengths into others. */
static bool is_rotation(const mat4 *m)
{
    for (int a = 0; a < 3; a++)
        for (int b = 0; b <= a; b++) {
            double dot = 0;
            for (int i = 0; i < 3; i++)
                dot += m->m[a][i] * m->m[b][i];
            if (!(fabs(dot - (a == b)) <= 0.01))
                return false;
        }
    return true;
}

static void check_body(rec_report *report, const rec_at *body)
{
    rec_at state;
    mat4 place;
    if (hk_rigid_shape(body) == REC_NO_PART)
        rec_finding(report, WARN, body, REC_NO_SLOT, REC_NO_ITEM, "a body without a shape");
    if (hk_within(body, "motion.motion_state", &state) && hk_matrix(&state, "transform", &place) &&
        !is_rotation(&place))
        HK_FINDING(report, WARN, &state, "transform", REC_NO_ITEM,
                   "its columns are no rotation: not of length 1 and at right angles");
}

/* ---- ragdolls ------------------------------------------------------------------------------------------ */

static void check_ragdoll(rec_report *report, const rec_at *at)
{
    bytes_array map;
    uint64_t bodies = hk_length(at, "rigid_bodies");
    if (hk_elements(at, "bone_to_rigid_body_map", 4, &map, NULL) != LATHE_OK)
        return;
    for (uint64_t i = 0; i < map.count && !report->stopped; i++) {
        int32_t body = (int32_t)bytes_ld32(map.bytes + 4 * i, hk_is_big(at));
        if (body < -1 || body >= (int64_t)bodies)
            HK_FINDING(report, WARN, at, "bone_to_rigid_body_map", i, "body %d, of %llu", (int)body,
                       (unsigned long long)bodies);
    }
}

/* ---- shapes -------------------------------------------------------------------------------------------- */

/* Numbers of corners of an array, four a triangle of which three count. */
static void check_corners(rec_report *report, const rec_at *at, const char *name, unsigned width)
{
    bytes_array all;
    uint64_t corners = hk_length(at, "vertices");
    bool big = hk_is_big(at);
    if (hk_elements(at, name, width, &all, NULL) != LATHE_OK)
        return;
    if (all.count % 4)
        HK_FINDING(report, WARN, at, name, REC_NO_ITEM, "%llu numbers are no whole triangles",
                   (unsigned long long)all.count);
    for (uint64_t i = 0; i < all.count && !report->stopped; i++) {
        const uint8_t *p = all.bytes + i * width;
        uint32_t corner = width == 1 ? *p : width == 2 ? bytes_ld16(p, big) : bytes_ld32(p, big);
        if (i % 4 < 3 && corner >= corners)
            HK_FINDING(report, LATHE_LEVEL_ERROR, at, name, i, "corner %u, of %llu", corner,
                       (unsigned long long)corners);
    }
}

static void check_shape(rec_report *report, const rec_at *at)
{
    if (hk_is(at, "hkpStorageExtendedMeshShape::MeshSubpartStorage")) {
        check_corners(report, at, "indices8", 1);
        check_corners(report, at, "indices16", 2);
        check_corners(report, at, "indices32", 4);
    } else if ((hk_is(at, "hkpSphereShape") || hk_is(at, "hkpCapsuleShape")) &&
               !(hk_number(at, "radius") > 0)) {
        HK_FINDING(report, WARN, at, "radius", REC_NO_ITEM, "%.6g m: it has no extent",
                   hk_number(at, "radius"));
    }
}

void hk_check_rigid(rec_report *report, lathe_doc *doc, uint32_t c)
{
    uint64_t n;
    const hk_leaves *leaves;
    lathe_error why;
    const uint32_t *objects = hk_object_list(doc, c, &n);
    for (uint64_t i = 0; i < n && !report->stopped; i++) {
        if (!hk_object_opens(doc, objects[i]))
            continue;
        rec_at at = hk_object(doc, objects[i]);
        if (hk_is(&at, "hkpRigidBody"))
            check_body(report, &at);
        else if (hk_is(&at, "hkaRagdollInstance"))
            check_ragdoll(report, &at);
        else
            check_shape(report, &at);
    }
    lathe_result r = hk_rigid_leaves(doc, c, &leaves, &why);
    if (r != LATHE_OK && r != LATHE_ERR_MEMORY)
        rec_found(report, LATHE_LEVEL_ERROR, &why);
}
