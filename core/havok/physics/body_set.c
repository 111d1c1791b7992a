/* body:set{friction = 0.9}: several rows at once, and who else they are of. */
#include "havok/physics/bodies.h"
#include "havok/physics/names/material_names.h"

/* clang-format off */
#define PARAM(row, of, ...) \
    static const rec_param row = {.name = #row, .kind = LATHE_PARAM_##of, __VA_ARGS__}
static const char *const motions[] = {"static", "keyframed", "dynamic", NULL};
PARAM(name, TEXT, .doc = "What it belongs to, or itself, is called so.");
PARAM(shape, ANY, .doc = "What collides: another shape of the packfile.");
PARAM(motion, TEXT, .values = motions, .doc = "How it moves. Set before all that hangs on it, wherever it stands.");
PARAM(friction, NUMBER, .doc = "Coefficients of dynamic and static friction.");
PARAM(restitution, NUMBER, .doc = "Coefficient of restitution.");
PARAM(density, NUMBER, .unit = "kg/m^3", .doc = "Its mass and inertia go along.");
PARAM(mass, NUMBER, .unit = "kg", .doc = "Its density and inertia go along.");
PARAM(linear_damping, NUMBER, .unit = "1/s", .doc = "Linear damping: share of the velocity lost in a second.");
PARAM(angular_damping, NUMBER, .unit = "1/s", .doc = "Angular damping: share of the angular velocity lost in a second.");
PARAM(max_linear_speed, NUMBER, .unit = "m/s", .doc = "Limit of its velocity.");
PARAM(max_angular_speed, NUMBER, .unit = "radians/s", .doc = "Limit of its angular velocity.");
PARAM(gravity_factor, NUMBER, .doc = "Factor of gravity for the body.");
PARAM(filter_info, INTEGER, .doc = "What it collides with: layer, and groups.");
PARAM(layer, ANY, .doc = "What kind of thing it is, by name or number: the lowest bits of filter_info.");
PARAM(material, ANY, .doc = "What it is made of, by name or number.");

const rec_param *const hk_body_params[] = {
    &name, &shape, &motion, &friction, &restitution, &density, &mass, &linear_damping, &angular_damping, &max_linear_speed,
    &max_angular_speed, &gravity_factor, &filter_info, &layer, &material, &hk_unknown_param, NULL,
};
/* clang-format on */

/* Whether another body has the same record there. */
static bool shares(const hk_body_of *a, const hk_body_of *b, hk_body_side side)
{
    rec_at mine, theirs;
    return side != HK_SIDE_CINFO && hk_body_side_of(a, side, &mine) &&
           hk_body_side_of(b, side, &theirs) && mine.part == theirs.part && mine.off == theirs.off;
}

static bool shares_any(const hk_body_of *a, const hk_body_of *b, const bool *sides)
{
    for (int side = 0; side < HK_SIDE_COUNT; side++)
        if (sides[side] && shares(a, b, (hk_body_side)side))
            return true;
    return false;
}

/* Tells the others of its system whose values changed with its own. */
static lathe_result tell_shared(const hk_body_of *body, const bool *sides, lathe_report *report,
                                lathe_error *err)
{
    uint64_t n = hk_body_count(&body->system);
    lathe_result r = LATHE_OK;
    if (!report || !report->result)
        return LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        hk_body_of other;
        rec_at at;
        r = i == body->number ? LATHE_OK : hk_body_in(&body->system, i, &other, err);
        if (r != LATHE_OK || i == body->number || !shares_any(body, &other, sides))
            continue;
        r = rec_sub(&other.cinfo, rec_slot_find(other.cinfo.layout, "body"), 0, &at, err);
        const lathe_value v = {.kind = LATHE_KIND_RECORD, .as.v = rec_view(&at)};
        if (r == LATHE_OK)
            report->result(report->user, "shared", &v);
    }
    return r;
}

/* Where it is now: rows in front of it may have come or gone. */
static lathe_result find_again(hk_body_of *body, rec_at *at, lathe_error *err)
{
    const rec_at system = body->system;
    lathe_result r = hk_body_in(&system, body->number, body, err);
    return r == LATHE_OK
               ? rec_sub(&body->cinfo, rec_slot_find(body->cinfo.layout, "body"), 0, at, err)
               : r;
}

lathe_result hk_body_set(lathe_view self, const lathe_source *args, lathe_report *report,
                         lathe_error *err)
{
    rec_at at;
    uint32_t none;
    hk_body_of body;
    bool sides[HK_SIDE_COUNT] = {false};
    hk_names names = hk_names_of(args, report);
    lathe_result r = rec_enter(&self, &at, &none, err);
    if (r == LATHE_OK)
        r = hk_body_at(&at, &body, err);
    for (size_t i = 0; r == LATHE_OK && hk_body_params[i]; i++) {
        lathe_value value;
        const char *word = hk_body_params[i]->name;
        if (hk_body_params[i] == &hk_unknown_param || !rec_arg(args, word, &value))
            continue;
        if (strcmp(word, "material") == 0)
            hk_names_check_arg(&names, &value);
        r = find_again(&body, &at, err);
        if (r == LATHE_OK)
            r = rec_set(&at, rec_slot_find(at.layout, word), &value, err);
        sides[hk_body_row_side(word)] = true;
        if (r == LATHE_OK && report)
            report->changed++;
    }
    if (r == LATHE_OK)
        r = find_again(&body, &at, err);
    return r == LATHE_OK ? tell_shared(&body, sides, report, err) : r;
}
