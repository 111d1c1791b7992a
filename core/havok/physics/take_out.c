/* A body goes from a system that has others: what only it has goes along, and numbers close up. */
#include "havok/physics/take_out.h"
#include "havok/objects/objects.h"

#include <stdio.h>
#include <string.h>

/* Element i of an array of records; false past the last. */
static bool element(const rec_at *at, const char *row, uint64_t i, rec_at *out)
{
    rec_loc loc;
    uint32_t slot = rec_slot_find(at->layout, row);
    return slot != REC_NO_SLOT && rec_find(at, slot, &loc, NULL) == LATHE_OK && loc.present &&
           i < loc.count && rec_sub(at, slot, i, out, NULL) == LATHE_OK;
}

static lathe_result remove_one(const rec_at *at, const char *row, uint64_t i, lathe_error *err)
{
    return rec_remove(at, rec_slot_find(at->layout, row), i, 1, err);
}

/* Records of `users` that name number `gone` of another list by their row: how many, and closing up. */
static uint64_t named(const rec_at *system, const char *users, const char *row, int64_t gone)
{
    rec_at at;
    uint64_t n = 0;
    for (uint64_t i = 0; element(system, users, i, &at); i++)
        n += rec_int(&at, row) == gone;
    return n;
}

static lathe_result close_up(const rec_at *system, const char *users, const char *row, int64_t gone,
                             int64_t none, lathe_error *err)
{
    rec_at at;
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && element(system, users, i, &at); i++) {
        int64_t now = rec_int(&at, row);
        if (now > gone && now != none)
            r = hk_set_int(&at, row, now - 1, err);
    }
    return r;
}

/* Number `which` of `list` goes where none of `users` names it any more. */
static lathe_result remove_unused(const rec_at *system, const char *list, const char *users,
                                  const char *row, int64_t which, int64_t none, lathe_error *err)
{
    rec_at at;
    if (which == none || !element(system, list, (uint64_t)which, &at) ||
        named(system, users, row, which))
        return LATHE_OK;
    lathe_result r = remove_one(system, list, (uint64_t)which, err);
    return r == LATHE_OK ? close_up(system, users, row, which, none, err) : r;
}

lathe_result hk_drop_properties(const rec_at *system, int64_t properties, lathe_error *err)
{
    return remove_unused(system, "motion_properties", "motion_cinfos", "motion_properties_id",
                         properties, HK_NO_PROPERTIES, err);
}

lathe_result hk_drop_motion(const rec_at *system, int64_t motion, lathe_error *err)
{
    rec_at at;
    int64_t properties = HK_NO_PROPERTIES;
    if (motion != HK_NO_MOTION && element(system, "motion_cinfos", (uint64_t)motion, &at))
        properties = rec_int(&at, "motion_properties_id");
    lathe_result r = remove_unused(system, "motion_cinfos", "body_cinfos", "motion_id", motion,
                                   HK_NO_MOTION, err);
    return r == LATHE_OK ? hk_drop_properties(system, properties, err) : r;
}

bool hk_motion_is_shared(const rec_at *system, int64_t motion)
{
    return named(system, "body_cinfos", "motion_id", motion) > 1;
}

/* ---- constraints ------------------------------------------------------------------------------------------ */

static bool holds(const rec_at *constraint, uint64_t body)
{
    return body == HK_ALL_BODIES || rec_int(constraint, "body_a") == (int64_t)body ||
           rec_int(constraint, "body_b") == (int64_t)body;
}

/* The number of a body that a constraint names must be that of a body, or none. */
static lathe_result check_end(const rec_at *constraint, const char *row, uint64_t bodies,
                              lathe_error *err)
{
    int64_t body = rec_int(constraint, row);
    if (body == HK_NO_BODY || (body >= 0 && (uint64_t)body < bodies))
        return LATHE_OK;
    return rec_fail(constraint, rec_slot_find(constraint->layout, row), constraint->off, err,
                    LATHE_ERR_INVALID, "the system has no body %lld: it has %llu", (long long)body,
                    (unsigned long long)bodies);
}

/* Renumbering a system whose constraints name bodies that do not exist could give them another meaning. */
static lathe_result check_ends(const rec_at *system, lathe_error *err)
{
    rec_at at;
    uint64_t bodies = hk_body_count(system);
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && element(system, "constraint_cinfos", i, &at); i++) {
        r = check_end(&at, "body_a", bodies, err);
        if (r == LATHE_OK)
            r = check_end(&at, "body_b", bodies, err);
        if (r == LATHE_OK && rec_int(&at, "body_a") == HK_NO_BODY &&
            rec_int(&at, "body_b") == HK_NO_BODY)
            r = rec_fail(&at, REC_NO_SLOT, at.off, err, LATHE_ERR_INVALID,
                         "a constraint without bodies");
    }
    return r;
}

lathe_result hk_check_unheld(const rec_at *system, uint64_t body, const char *advice,
                             lathe_error *err)
{
    enum { LISTED = 8 };
    rec_at at;
    char list[200] = "";
    size_t used = 0;
    uint64_t n = 0;
    for (uint64_t i = 0; element(system, "constraint_cinfos", i, &at); i++)
        if (holds(&at, body) && n++ < LISTED)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s[%llu]", n > 1 ? ", " : "",
                                     (unsigned long long)i + 1);
    if (!n)
        return LATHE_OK;
    if (n > LISTED)
        snprintf(list + used, sizeof list - used, " and %llu more", (unsigned long long)n - LISTED);
    return rec_fail(system, rec_slot_find(system->layout, "constraint_cinfos"), system->off, err,
                    LATHE_ERR_UNSUPPORTED, "constraints hold the body that would go: %s%s", list,
                    advice);
}

static void tell_constraint(const rec_at *constraint, lathe_report *report)
{
    char path[256];
    lathe_value v = {.kind = LATHE_KIND_STRING};
    if (report)
        report->changed++;
    if (!report || !report->result)
        return;
    rec_path(constraint, REC_NO_SLOT, REC_NO_ITEM, path, sizeof path);
    v.as.s.p = path;
    v.as.s.n = strlen(path);
    report->result(report->user, "constraints", &v);
}

void hk_tell_constraints(const rec_at *system, uint64_t body, lathe_report *report)
{
    rec_at at;
    for (uint64_t i = 0; element(system, "constraint_cinfos", i, &at); i++)
        if (holds(&at, body))
            tell_constraint(&at, report);
}

lathe_result hk_drop_constraints(const rec_at *system, uint64_t body, lathe_error *err)
{
    rec_at at;
    uint32_t slot = rec_slot_find(system->layout, "constraint_cinfos");
    uint64_t end = 0;
    lathe_result r = LATHE_OK;
    while (element(system, "constraint_cinfos", end, &at))
        end++;
    for (; r == LATHE_OK && end; end--) { /* from the end, a range at a time */
        uint64_t from = end;
        while (from && element(system, "constraint_cinfos", from - 1, &at) && holds(&at, body))
            from--;
        if (from < end)
            r = rec_remove(system, slot, from, end - from, err);
        end = from < end ? from + 1 : end;
    }
    return r;
}

/* ---- shapes ----------------------------------------------------------------------------------------------- */

bool hk_reference_spare(const rec_at *system, uint32_t shape, uint64_t goes)
{
    rec_at at;
    rec_loc loc;
    uint64_t users = 0, names = 0;
    uint32_t slot = rec_slot_find(system->layout, "referenced_objects");
    for (uint64_t i = 0; element(system, "body_cinfos", i, &at); i++)
        users += i != goes && hk_target(&at, "shape", 0) == shape;
    if (rec_find(system, slot, &loc, NULL) != LATHE_OK || !loc.present)
        return false;
    for (uint64_t i = 0; i < loc.count; i++)
        names += hk_target(system, "referenced_objects", i) == shape;
    return !users || names > users;
}

/* The list of shapes names each once for each body; or once for all, and then for those that stay. */
static lathe_result drop_reference(const hk_body_of *body, uint32_t shape, lathe_error *err)
{
    rec_loc loc;
    const rec_at *system = &body->system;
    uint32_t slot = rec_slot_find(system->layout, "referenced_objects");
    lathe_result r = rec_find(system, slot, &loc, err);
    if (r != LATHE_OK || !hk_reference_spare(system, shape, body->number))
        return r;
    for (uint64_t i = 0; loc.present && i < loc.count; i++)
        if (hk_target(system, "referenced_objects", i) == shape)
            return rec_remove(system, slot, i, 1, err);
    return r;
}

lathe_result hk_take_out(const hk_body_of *body, const char *advice, lathe_error *err)
{
    const rec_at *system = &body->system;
    int64_t number = (int64_t)body->number, material = rec_int(&body->cinfo, "material_id"),
            moves = rec_int(&body->cinfo, "motion_id");
    uint32_t shape = hk_target(&body->cinfo, "shape", 0);
    lathe_result r = check_ends(system, err);
    if (r == LATHE_OK)
        r = hk_check_unheld(system, body->number, advice, err);
    if (r == LATHE_OK && shape != REC_NO_PART)
        r = drop_reference(body, shape, err);
    if (r == LATHE_OK)
        r = remove_one(system, "body_cinfos", body->number, err);
    if (r == LATHE_OK)
        r = close_up(system, "constraint_cinfos", "body_a", number, HK_NO_BODY, err);
    if (r == LATHE_OK)
        r = close_up(system, "constraint_cinfos", "body_b", number, HK_NO_BODY, err);
    if (r == LATHE_OK)
        r = remove_unused(system, "materials", "body_cinfos", "material_id", material,
                          HK_NO_MATERIAL, err);
    return r == LATHE_OK ? hk_drop_motion(system, moves, err) : r;
}
