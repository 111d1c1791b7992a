/* What is wrong with rigid bodies, their shapes and ragdolls, by the names of classes and members. */
#include "havok/physics/check.h"
#include "havok/physics/joint.h"
#include "havok/physics/rigid_shapes.h"

#include <math.h>
#include <string.h>

#define WARN LATHE_LEVEL_WARNING

enum {
    TIMES = 16,
    SPARE = 1 << 24 /* so often may ragdolls look at all of a file, and at so many bytes more */
};

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

/* The distance between two places of a centre of mass that is a fault, in radii of the body. The games' files have less
 * than 1e-6. */
static const double OFF = 0.01;

/* The centre of mass and the rotation at the start and the end of a step are those of the body at rest. */
static void check_swept(rec_report *report, const rec_at *state, const mat4 *place)
{
    vec3 local, center;
    double radius = hk_number(state, "object_radius");
    if (!(radius > 0) || !hk_rigid_swept(state, 4, &local))
        return;
    local = mat4_point(place, local);
    for (uint64_t i = 0; i < 2; i++)
        if (hk_rigid_swept(state, i, &center) &&
            !(vec3_length(vec3_sub(center, local)) <= OFF * radius)) {
            HK_FINDING(report, WARN, state, "swept_transform", REC_NO_ITEM,
                       "its centre of mass is %.6g away from that of the body's transform",
                       vec3_length(vec3_sub(center, local)));
            return;
        }
}

/* hkpMotion::MotionType; 0: it says nothing. */
enum { KEYFRAMED = 4, FIXED = 5, CHARACTER = 7, MOTIONS = 8 };

/* 1 / moments of inertia, and 1 / the mass. */
static void check_inverses(rec_report *report, const rec_at *motion, int64_t type)
{
    double v[4], moment[3];
    static const char row[] = "inertia_and_mass_inv";
    if (!hk_floats(motion, row, 4, v))
        return;
    for (unsigned i = 0; i < 4; i++)
        if (!(v[i] >= 0 && isfinite(v[i]))) {
            HK_FINDING(report, LATHE_LEVEL_ERROR, motion, row, REC_NO_ITEM,
                       "%.6g is no inverse of a %s: a finite number of at least 0 expected", v[i],
                       i < 3 ? "moment of inertia" : "mass");
            return;
        }
    bool turns = v[0] > 0 && v[1] > 0 && v[2] > 0;
    if (type == FIXED && (v[3] > 0 || turns))
        HK_FINDING(report, WARN, motion, row, REC_NO_ITEM, "a mass, though the body never moves");
    if (type == 0 || type == FIXED || type == KEYFRAMED)
        return;
    if (!(v[3] > 0))
        HK_FINDING(report, LATHE_LEVEL_ERROR, motion, row, REC_NO_ITEM,
                   "a dynamic body without a mass");
    else if (!turns && type != CHARACTER)
        HK_FINDING(report, WARN, motion, row, REC_NO_ITEM,
                   "%.6g, %.6g, %.6g: it has a mass, but does not rotate about each axis", v[0],
                   v[1], v[2]);
    for (unsigned i = 0; i < 3; i++)
        moment[i] = 1 / v[i];
    for (unsigned i = 0; turns && i < 3; i++)
        if (moment[i] > 1.001 * (moment[(i + 1) % 3] + moment[(i + 2) % 3]))
            HK_FINDING(
                report, WARN, motion, row, REC_NO_ITEM,
                "not the inertia of a solid: the moment about %c exceeds the sum of the others",
                "xyz"[i]);
}

static void check_motion(rec_report *report, const rec_at *motion)
{
    rec_at state;
    mat4 place;
    int64_t type = rec_int(motion, "type");
    if (type < 0 || type >= MOTIONS)
        HK_FINDING(report, WARN, motion, "type", REC_NO_ITEM, "%lld is no known type of motion",
                   (long long)type);
    else
        check_inverses(report, motion, type);
    if (!hk_within(motion, "motion_state", &state) || !hk_matrix(&state, "transform", &place))
        return;
    if (!is_rotation(&place))
        HK_FINDING(report, WARN, &state, "transform", REC_NO_ITEM,
                   "its columns are no rotation: not of length 1 and at right angles");
    check_swept(report, &state, &place);
}

static void check_body(rec_report *report, const rec_at *body)
{
    rec_at motion;
    if (hk_rigid_shape(body) == REC_NO_PART)
        rec_finding(report, WARN, body, REC_NO_SLOT, REC_NO_ITEM, "a body without a shape");
    if (hk_within(body, "motion", &motion))
        check_motion(report, &motion);
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

/* A hull: its corners, as many as it says, within its sides. */
static void check_hull(rec_report *report, const rec_at *at)
{
    bytes_array fours, planes;
    bool big = hk_is_big(at);
    int64_t n = rec_int(at, "num_vertices");
    if (hk_elements(at, "rotated_vertices", 48, &fours, NULL) != LATHE_OK ||
        hk_elements(at, "plane_equations", 16, &planes, NULL) != LATHE_OK)
        return;
    if (n < 1 || (uint64_t)n > 4 * fours.count)
        HK_FINDING(report, LATHE_LEVEL_ERROR, at, "num_vertices", REC_NO_ITEM,
                   "%lld, but there is room for %llu", (long long)n,
                   (unsigned long long)(4 * fours.count));
    for (uint64_t i = 0; i < planes.count && !report->stopped; i++) {
        double sum = 0;
        for (unsigned k = 0; k < 3; k++) {
            double v = bytes_f32_widen(bytes_ld32(planes.bytes + 16 * i + 4 * k, big));
            sum += v * v;
        }
        if (!(fabs(sum - 1) <= 0.01))
            HK_FINDING(report, WARN, at, "plane_equations", i, "its normal is not of length 1");
    }
}

/* Of a capsule the radius stands in both ends, too: files of Skyrim. */
static void check_ends(rec_report *report, const rec_at *at)
{
    static const char *const ends[] = {"vertex_a", "vertex_b"};
    double v[4], radius = hk_number(at, "radius");
    for (size_t i = 0; i < REC_COUNT_OF(ends); i++)
        if (hk_floats(at, ends[i], 4, v) && !(v[3] == radius))
            HK_FINDING(report, WARN, at, ends[i], REC_NO_ITEM, "w is %.6g, the radius %.6g", v[3],
                       radius);
}

static void check_shape(rec_report *report, const rec_at *at)
{
    if (hk_is(at, "hkpStorageExtendedMeshShape::MeshSubpartStorage")) {
        check_corners(report, at, "indices8", 1);
        check_corners(report, at, "indices16", 2);
        check_corners(report, at, "indices32", 4);
    } else if ((hk_is(at, "hkpSphereShape") || hk_is(at, "hkpCapsuleShape")) &&
               !(hk_number(at, "radius") > 0)) {
        HK_FINDING(report, WARN, at, "radius", REC_NO_ITEM, "%.6g: it has no extent",
                   hk_number(at, "radius"));
    } else if (hk_is(at, "hkpConvexVerticesShape")) {
        check_hull(report, at);
    }
    if (hk_is(at, "hkpCapsuleShape") && hk_is_rigid(at->doc, at->layout->container))
        check_ends(report, at);
}

/* ---- all of them ----------------------------------------------------------------------------------------- */

static void check_object(hk_ragdolls *k, const rec_at *at)
{
    if (hk_is(at, "hkpRigidBody"))
        check_body(k->report, at);
    else if (hk_is(at, "hkpConstraintInstance"))
        hk_check_joint(k->report, at);
    else if (hk_is(at, "hkaRagdollInstance"))
        hk_check_ragdoll(k, at);
    else if (hk_is(at, "hkpShape") || hk_is(at, "hkpStorageExtendedMeshShape::MeshSubpartStorage"))
        check_shape(k->report, at);
    else
        hk_check_joint_data(k->report, at);
}

void hk_check_rigid(rec_report *report, lathe_doc *doc, uint32_t c)
{
    uint64_t n;
    const hk_leaves *leaves;
    lathe_error why;
    const uint32_t *objects = hk_object_list(doc, c, &n);
    hk_ragdolls k = {.report = report, .parts = doc->parts_n, .left = TIMES * doc->size + SPARE};
    k.of = mem_alloc(&doc->mem, k.parts * sizeof *k.of);
    if (!k.of)
        return;
    memset(k.of, 0xFF, k.parts * sizeof *k.of); /* REC_NO_PART */
    for (uint64_t i = 0; i < n && !report->stopped; i++) {
        if (!hk_object_opens(doc, objects[i]))
            continue;
        rec_at at = hk_object(doc, objects[i]);
        check_object(&k, &at);
    }
    mem_free(&doc->mem, k.of, k.parts * sizeof *k.of);
    lathe_result r = hk_rigid_leaves(doc, c, &leaves, &why);
    if (r != LATHE_OK && r != LATHE_ERR_MEMORY)
        rec_found(report, LATHE_LEVEL_ERROR, &why);
}
