/* Where a body is. What its motion says of its centre of mass is in the same space, so it goes along. */
#include "havok/physics/rigid.h"

#include <float.h>
#include <math.h>

/* Vectors of a swept transform, which are members or elements: centre of mass twice, rotation twice, local centre. */
static const char *const swept_names[] = {"center_of_mass0", "center_of_mass1", "rotation0",
                                          "rotation1", "center_of_mass_local"};

/* ---- members ------------------------------------------------------------------------------------------- */

static lathe_result missing(const rec_at *at, lathe_error *err)
{
    return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_UNSUPPORTED,
                    "the body's class has no such member");
}

static lathe_result state_of(const rec_at *at, rec_at *state, mat4 *place, lathe_error *err)
{
    rec_at object = hk_rigid_object(at);
    bool found =
        hk_within(&object, "motion.motion_state", state) && hk_matrix(state, "transform", place);
    return found ? LATHE_OK : missing(at, err);
}

/* Numbers that a float can hold. */
static lathe_result check(const rec_at *at, const double *lanes, uint32_t n, lathe_error *err)
{
    for (uint32_t i = 0; i < n; i++)
        if (!(fabs(lanes[i]) <= FLT_MAX))
            return rec_fail(at, i, at->off, err, LATHE_ERR_RANGE, "a finite number expected");
    return LATHE_OK;
}

/* Vector i of the swept transform; false: there is none. */
static bool swept(const rec_at *state, uint64_t i, rec_at *out)
{
    rec_at members;
    bool found = hk_length(state, "swept_transform") == REC_COUNT_OF(swept_names)
                     ? hk_record_at(state, "swept_transform", i, out)
                     : hk_record_at(state, "swept_transform", 0, &members) &&
                           hk_record_at(&members, swept_names[i], 0, out);
    return found && rec_lanes(out->layout->type) == 4;
}

static lathe_result set_lanes(const rec_at *vector, uint32_t n, const double *lanes,
                              lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint32_t i = 0; r == LATHE_OK && i < n; i++) {
        const lathe_value v = {.kind = LATHE_KIND_REAL, .as.f = lanes[i]};
        r = rec_set(vector, i, &v, err);
    }
    return r;
}

/* The centre of mass, before and now, and the rotation, of a body that is at `place` now. */
static lathe_result sweep(const rec_at *state, const mat4 *place, const quat *turn,
                          lathe_error *err)
{
    rec_at v;
    double local[4] = {0};
    lathe_result r = LATHE_OK;
    if (!swept(state, 4, &v))
        return LATHE_OK;
    for (uint32_t i = 0; i < 3; i++)
        local[i] = rec_slot_real(&v, i);
    vec3 center = mat4_point(place, (vec3){local[0], local[1], local[2]});
    const double to[] = {center.x, center.y, center.z};
    for (uint64_t i = 0; r == LATHE_OK && i < 2; i++)
        r = swept(state, i, &v) ? set_lanes(&v, 3, to, err) : LATHE_OK;
    if (!turn)
        return r;
    const double q[] = {turn->x, turn->y, turn->z, turn->w};
    for (uint64_t i = 2; r == LATHE_OK && i < 4; i++)
        r = swept(state, i, &v) ? set_lanes(&v, 4, q, err) : LATHE_OK;
    return r;
}

bool hk_rigid_swept(const rec_at *state, uint64_t i, vec3 *out)
{
    rec_at v;
    if (!swept(state, i, &v))
        return false;
    *out = (vec3){rec_slot_real(&v, 0), rec_slot_real(&v, 1), rec_slot_real(&v, 2)};
    return true;
}

/* ---- position ------------------------------------------------------------------------------------------ */

lathe_result hk_rigid_load_position(const rec_at *at, double *lanes, lathe_error *err)
{
    rec_at state;
    mat4 place;
    lathe_result r = state_of(at, &state, &place, err);
    for (int i = 0; r == LATHE_OK && i < 3; i++)
        lanes[i] = place.m[3][i];
    return r;
}

lathe_result hk_rigid_store_position(const rec_at *at, const double *lanes, lathe_error *err)
{
    rec_at state;
    mat4 place;
    lathe_result r = check(at, lanes, 3, err);
    if (r == LATHE_OK)
        r = state_of(at, &state, &place, err);
    for (int i = 0; r == LATHE_OK && i < 3; i++)
        place.m[3][i] = lanes[i];
    if (r == LATHE_OK)
        r = hk_set_matrix(&state, "transform", &place, err);
    return r == LATHE_OK ? sweep(&state, &place, NULL, err) : r;
}

/* ---- orientation --------------------------------------------------------------------------------------- */

lathe_result hk_rigid_load_orientation(const rec_at *at, double *lanes, lathe_error *err)
{
    rec_at state;
    mat4 place;
    lathe_result r = state_of(at, &state, &place, err);
    if (r != LATHE_OK)
        return r;
    quat q = quat_from_mat4(&place);
    lanes[0] = q.x;
    lanes[1] = q.y;
    lanes[2] = q.z;
    lanes[3] = q.w;
    return LATHE_OK;
}

lathe_result hk_rigid_store_orientation(const rec_at *at, const double *lanes, lathe_error *err)
{
    rec_at state;
    mat4 place;
    lathe_result r = check(at, lanes, 4, err);
    if (r == LATHE_OK)
        r = state_of(at, &state, &place, err);
    if (r != LATHE_OK)
        return r;
    quat q = quat_normalize((quat){lanes[0], lanes[1], lanes[2], lanes[3]});
    vec3 p = {place.m[3][0], place.m[3][1], place.m[3][2]};
    place = mat4_compose(p, q, (vec3){1, 1, 1});
    r = hk_set_matrix(&state, "transform", &place, err);
    return r == LATHE_OK ? sweep(&state, &place, &q, err) : r;
}
