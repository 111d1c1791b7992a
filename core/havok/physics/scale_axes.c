#include "havok/physics/scale_axes.h"

#include "havok/objects/objects.h"
#include "havok/physics/bodies.h"
#include "havok/physics/convex.h"
#include "havok/physics/leaves.h"

#include <math.h>

enum { MOST_DEPTH = 16, COMPONENTS = 4 };

/* Turns by right angles are stored as exactly as their numbers can be. */
static const double TURNED = 1e-4;

/* ---- what each shape is scaled by --------------------------------------------------------------------------- */

static lathe_result refuse(const rec_at *at, const char *row, const char *why, lathe_error *err)
{
    uint32_t slot = row ? rec_slot_find(at->layout, row) : REC_NO_SLOT;
    return rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED,
                    "%s: cannot be scaled by different factors", why);
}

/* Which axis of the world each axis is, of a turn by right angles; false: of another one. */
static bool axes_of(double turn[3][3], int out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = -1;
        for (int i = 0; i < 3; i++) {
            double size = fabs(turn[i][k]);
            if (fabs(size - 1) <= TURNED)
                out[k] = i;
            else if (!(size <= TURNED))
                return false;
        }
        if (out[k] < 0)
            return false;
    }
    return true;
}

static bool body_axes(const hk_body_of *body, int out[3])
{
    double q[4];
    if (hk_get_lanes(&body->cinfo, "orientation", 4, q, NULL) != LATHE_OK)
        return false;
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double turn[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                         {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                         {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    return axes_of(turn, out);
}

static lathe_result plan(hk_axes *a, const rec_at *object, const double by[3], lathe_error *err)
{
    if (a->known[object->part] && memcmp(a->of[object->part], by, sizeof a->of[0]) != 0)
        return refuse(object, NULL, "bodies with different rotations share it", err);
    a->known[object->part] = 1;
    memcpy(a->of[object->part], by, sizeof a->of[0]);
    return LATHE_OK;
}

static lathe_result plan_data(hk_axes *a, const rec_at *shape, const double by[3], lathe_error *err)
{
    uint32_t part = hk_target(shape, "data", 0);
    if (part == REC_NO_PART)
        return LATHE_OK;
    rec_at data = hk_object(a->doc, part);
    return plan(a, &data, by, err);
}

static lathe_result plan_shape(hk_axes *a, uint32_t part, const double by[3], int depth,
                               lathe_error *err);

static bool is_turned(const rec_at *instance)
{
    static const char *const columns[] = {"column0", "column1", "column2"};
    rec_at transform;
    double lanes[3];
    if (rec_sub(instance, rec_slot_find(instance->layout, "transform"), 0, &transform, NULL) !=
        LATHE_OK)
        return true;
    for (int k = 0; k < 3; k++) {
        if (hk_get_lanes(&transform, columns[k], 3, lanes, NULL) != LATHE_OK)
            return true;
        for (int i = 0; i < 3; i++)
            if (!(fabs(lanes[i] - (i == k)) <= TURNED))
                return true;
    }
    return false;
}

static lathe_result plan_instances(hk_axes *a, const rec_at *shape, const double by[3], int depth,
                                   lathe_error *err)
{
    rec_loc loc;
    uint32_t slot = rec_slot_find(shape->layout, "instances");
    lathe_result r = rec_find(shape, slot, &loc, err);
    for (uint64_t i = 0; r == LATHE_OK && loc.present && i < loc.count; i++) {
        rec_at instance;
        r = rec_sub(shape, slot, i, &instance, err);
        if (r == LATHE_OK && is_turned(&instance))
            r = refuse(&instance, "transform", "a shape that is turned", err);
        uint32_t part = r == LATHE_OK ? hk_target(&instance, "shape", 0) : REC_NO_PART;
        if (part != REC_NO_PART)
            r = plan_shape(a, part, by, depth + 1, err);
    }
    return r;
}

static lathe_result plan_shape(hk_axes *a, uint32_t part, const double by[3], int depth,
                               lathe_error *err)
{
    rec_at shape = hk_object(a->doc, part);
    const rec_type *type = shape.layout->type;
    bool known = a->known[part];
    if (depth > MOST_DEPTH)
        return rec_fail(&shape, REC_NO_SLOT, 0, err, LATHE_ERR_INVALID,
                        "compounds in compounds, more than %d deep", MOST_DEPTH);
    lathe_result r = plan(a, &shape, by, err);
    if (r != LATHE_OK || known)
        return r;
    if (type == &hknp_sphere_shape)
        return refuse(&shape, NULL, "a sphere", err);
    if (type == &hknp_capsule_shape)
        return refuse(&shape, NULL, "a capsule", err);
    if (type == &hknp_compressed_mesh_shape)
        return plan_data(a, &shape, by, err);
    if (type != &hknp_dynamic_compound_shape)
        return LATHE_OK;
    r = plan_data(a, &shape, by, err);
    return r == LATHE_OK ? plan_instances(a, &shape, by, depth, err) : r;
}

static lathe_result plan_body(hk_axes *a, const hk_body_of *body, lathe_error *err)
{
    rec_at motion, shape;
    int axes[3];
    double by[3], value = 0;
    if (hk_body_side_of(body, HK_SIDE_MOTION, &motion) &&
        hk_get_real(&motion, "inverse_mass", &value, NULL) == LATHE_OK && value != 0)
        return refuse(&body->cinfo, NULL, "a dynamic body, whose inertia would be another", err);
    if (hk_get_real(&body->cinfo, "collision_look_ahead_distance", &value, NULL) == LATHE_OK &&
        value != 0)
        return refuse(&body->cinfo, "collision_look_ahead_distance", "a distance in any direction",
                      err);
    if (!body_axes(body, axes))
        return refuse(&body->cinfo, "orientation", "not turned by right angles", err);
    for (int k = 0; k < 3; k++)
        by[k] = a->world[axes[k]];
    return hk_body_side_of(body, HK_SIDE_SHAPE, &shape) ? plan_shape(a, shape.part, by, 0, err)
                                                        : LATHE_OK;
}

static lathe_result plan_system(hk_axes *a, const rec_at *system, lathe_error *err)
{
    rec_loc joints;
    lathe_result r =
        rec_find(system, rec_slot_find(system->layout, "constraint_cinfos"), &joints, err);
    if (r == LATHE_OK && joints.present && joints.count)
        return refuse(system, "constraint_cinfos", "joints", err);
    if (r == LATHE_OK && system->layout->type == &hknp_ragdoll_data)
        return refuse(system, NULL, "a ragdoll", err);
    uint64_t n = r == LATHE_OK ? hk_body_count(system) : 0;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        hk_body_of body;
        r = hk_body_in(system, i, &body, err);
        if (r == LATHE_OK)
            r = plan_body(a, &body, err);
    }
    return r;
}

/* Bodies of Skyrim, with all that belongs to them. */
static lathe_result refuse_rigid(lathe_doc *doc, const uint32_t *objects, uint64_t n,
                                 lathe_error *err)
{
    for (uint64_t i = 0; i < n; i++) {
        rec_at object = hk_object(doc, objects[i]);
        if (hk_is(&object, "hkpRigidBody") || hk_is(&object, "hkpShape") ||
            hk_is(&object, "hkpConstraintInstance"))
            return refuse(&object, NULL, "collision of Skyrim", err);
    }
    return LATHE_OK;
}

static bool is_shape(const rec_type *type)
{
    return type == &hknp_convex_polytope_shape || type == &hknp_sphere_shape ||
           type == &hknp_capsule_shape || type == &hknp_compressed_mesh_shape ||
           type == &hknp_dynamic_compound_shape;
}

lathe_result hk_axes_begin(hk_axes *a, lathe_doc *doc, uint32_t c, const double world[3],
                           lathe_error *err)
{
    uint64_t n;
    lathe_result r = LATHE_OK;
    *a = (hk_axes){.doc = doc, .parts = doc->parts_n};
    memcpy(a->world, world, sizeof a->world);
    a->of = mem_alloc(&doc->mem, a->parts * sizeof *a->of);
    a->known = mem_zalloc(&doc->mem, a->parts);
    if (!a->of || !a->known)
        return rec_no_memory(err);
    const uint32_t *objects = hk_object_list(doc, c, &n);
    r = refuse_rigid(doc, objects, n, err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++)
        if (hk_is_system(doc, objects[i])) {
            rec_at system = hk_object(doc, objects[i]);
            r = plan_system(a, &system, err);
        }
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) /* those that no body has */
        if (is_shape(doc->parts[objects[i]].root->type) && !a->known[objects[i]])
            r = plan_shape(a, objects[i], world, 0, err);
    return r;
}

void hk_axes_end(hk_axes *a)
{
    mem_free(&a->doc->mem, a->of, a->parts * sizeof *a->of);
    mem_free(&a->doc->mem, a->known, a->parts);
}

/* ---- rows --------------------------------------------------------------------------------------------------- */

static double load(const uint8_t *p, bool big)
{
    return bytes_f32_widen(bytes_ld32(p, big));
}

static bool store(uint8_t *p, double v, bool big)
{
    uint32_t raw = bytes_f32_narrow(v);
    bytes_st(p, raw, 4, big);
    return isfinite(v) && isfinite(bytes_f32_widen(raw));
}

/* Where points are multiplied by something, normals are divided by it. */
static bool turn_plane(const uint8_t *from, uint8_t *to, const double *by, bool big)
{
    double n[4], size = 0;
    for (int i = 0; i < 4; i++)
        n[i] = load(from + 4 * i, big);
    for (int i = 0; i < 3; i++) {
        n[i] /= by[i];
        size += n[i] * n[i];
    }
    size = sqrt(size);
    if (!(size > 0) || !isfinite(size))
        return true; /* stays */
    bool ok = true;
    for (int i = 0; i < 4; i++)
        ok = store(to + 4 * i, n[i] / size, big) && ok;
    return ok;
}

/* A box around shapes and the radius that goes around these, which stays: by has the factors and, behind them, of each
 * axis that radius. Nodes that are not used are all zeros. */
static bool turn_box(const uint8_t *from, uint8_t *to, const double *by, bool big)
{
    bool used = false, ok = true;
    for (int i = 0; i < 3; i++)
        used = used || load(from + 4 * i, big) != 0 || load(from + 16 + 4 * i, big) != 0;
    for (int i = 0; used && i < 3; i++) {
        double low = load(from + 4 * i, big), high = load(from + 16 + 4 * i, big);
        double radius = high - low >= 2 * by[3 + i] ? by[3 + i] : 0;
        ok = store(to + 4 * i, (low + radius) * by[i] - radius, big) && ok;
        ok = store(to + 16 + 4 * i, (high - radius) * by[i] + radius, big) && ok;
    }
    return ok;
}

/* The radius around a compound's shapes that leaves no box too small: of several the least where it grows, the
 * largest where it shrinks. */
static void radii_of(const rec_at *compound, const double by[3], double radii[3])
{
    rec_loc loc;
    rec_at instance;
    double least = HUGE_VAL, most = 0, radius;
    uint32_t slot = rec_slot_find(compound->layout, "instances");
    bool there = rec_find(compound, slot, &loc, NULL) == LATHE_OK && loc.present;
    for (uint64_t i = 0; there && i < loc.count; i++) {
        uint32_t part = rec_sub(compound, slot, i, &instance, NULL) == LATHE_OK
                            ? hk_target(&instance, "shape", 0)
                            : REC_NO_PART;
        if (part == REC_NO_PART)
            continue;
        rec_at child = hk_object(compound->doc, part);
        if (hk_get_real(&child, "convex_radius", &radius, NULL) == LATHE_OK && radius >= 0) {
            least = fmin(least, radius);
            most = fmax(most, radius);
        }
    }
    for (int i = 0; i < 3; i++)
        radii[i] = by[i] < 1 ? most : isfinite(least) ? least : 0;
}

static void turns(scene_scale_row *out, unsigned width,
                  bool (*turn)(const uint8_t *from, uint8_t *to, const double *by, bool big))
{
    out->leaf = true;
    out->turn = turn;
    out->width = width;
}

/* Of what tree the data are: the compound that leads to them. */
static bool compound_of(const rec_at *data, rec_at *out)
{
    uint64_t n;
    uint32_t c = data->layout->container;
    const uint32_t *objects = hk_object_list(data->doc, c, &n);
    for (uint64_t i = 0; i < n; i++) {
        *out = hk_object(data->doc, objects[i]);
        if (out->layout->type == &hknp_dynamic_compound_shape &&
            hk_target(out, "data", 0) == data->part)
            return true;
    }
    return false;
}

static bool box_row(const rec_at *at, const double by[3], scene_scale_row *out)
{
    rec_at compound = *at;
    turns(out, 32, turn_box);
    memcpy(out->by, by, 3 * sizeof *by);
    if (at->layout->type == &hknp_dynamic_compound_shape_data && !compound_of(at, &compound))
        return false;
    radii_of(&compound, by, out->by + 3);
    return true;
}

bool hk_axes_row(const hk_axes *a, const scene_scaling *s, const rec_at *at, uint32_t slot,
                 int outer, scene_scale_row *out)
{
    const rec_slot *sl = rec_slot_of(at, slot);
    const rec_field *row = sl->row;
    const rec_type *type = at->layout->type;
    const double *by = at->part < a->parts && a->known[at->part] ? a->of[at->part] : a->world;
    int power = scene_scale_power(row, outer);
    if (row->kind == REC_F32 && row->n == 6 && power) {
        out->leaf = true;
        out->kind = REC_F32;
        out->lanes = 1;
        out->period = 6;
        for (int i = 0; i < 6; i++)
            out->by[i] = by[i % 3];
        return true;
    }
    if (row->kind != REC_RECORD || power < 0)
        return false; /* radii stay, and the masses of what cannot move are 0 */
    if ((type == &hknp_dynamic_compound_shape && strcmp(rec_row_name(row), "aabb") == 0) ||
        (type == &hknp_dynamic_compound_shape_data && strcmp(rec_row_name(row), "nodes") == 0))
        return box_row(at, by, out);
    if (rec_row_type(row) == &hknp_convex_plane) {
        turns(out, 16, turn_plane);
        memcpy(out->by, by, 3 * sizeof *by);
        return true;
    }
    out->power = power;
    if (!scene_scale_flat(s, sl->sub, power, out))
        return true;
    bool simd = rec_row_type(row) == &hkcd_simd_tree_node; /* four x, four x … */
    for (unsigned i = 0; i < out->lanes; i++)
        if (out->by[i] != 1)
            out->by[i] = by[simd ? i / 8 % 3 : i % COMPONENTS % 3];
    return out->counted > 0;
}
