/* Finding hkpRigidBody, and the rows that one has. */
#include "havok/physics/rigid.h"

#include "record/recent.h"

#include <float.h>
#include <string.h>

/* ---- members ------------------------------------------------------------------------------------------- */

rec_at hk_rigid_object(const rec_at *at)
{
    return hk_object(at->doc, at->part);
}

bool hk_within(const rec_at *at, const char *path, rec_at *out)
{
    rec_at here = *at;
    while (*path) {
        char name[64];
        rec_at next;
        size_t n = strcspn(path, ".");
        if (!here.layout || n >= sizeof name)
            return false;
        memcpy(name, path, n);
        name[n] = 0;
        path += path[n] ? n + 1 : n;
        if (!hk_record_at(&here, name, 0, &next))
            return false;
        here = next;
    }
    *out = here;
    return here.layout != NULL;
}

uint32_t hk_rigid_shape(const rec_at *object)
{
    rec_at collidable;
    return hk_within(object, "collidable", &collidable) ? hk_target(&collidable, "shape", 0)
                                                        : REC_NO_PART;
}

bool hk_rigid_place(const rec_at *object, mat4 *out)
{
    rec_at state;
    return hk_within(object, "motion.motion_state", &state) && hk_matrix(&state, "transform", out);
}

/* ---- how it moves -------------------------------------------------------------------------------------- */

/* By hkpMotion::MotionType; NULL: it says nothing. */
static const char *motion_of(const rec_at *object)
{
    static const char *const words[] = {NULL,        "dynamic", "dynamic", "dynamic",
                                        "keyframed", "static",  "dynamic", "dynamic"};
    rec_at motion;
    int64_t type = hk_within(object, "motion", &motion) ? rec_int(&motion, "type") : 0;
    return type >= 0 && type < (int64_t)REC_COUNT_OF(words) ? words[type] : NULL;
}

lathe_result hk_rigid_get_motion(const rec_at *at, const rec_field *row, lathe_value *out,
                                 lathe_error *err)
{
    rec_at object = hk_rigid_object(at);
    const char *word = motion_of(&object);
    (void)row;
    out->kind = LATHE_KIND_NONE;
    return word ? rec_text(at, word, strlen(word), out, err) : LATHE_OK;
}

/* Where forces move it: 1 / inertia about each axis, and 1 / its mass. */
static bool inverses_of(const rec_at *object, rec_at *motion, double inverse[4])
{
    const char *word = motion_of(object);
    return word && strcmp(word, "dynamic") == 0 && hk_within(object, "motion", motion) &&
           hk_floats(motion, "inertia_and_mass_inv", 4, inverse) && inverse[3] > 0;
}

lathe_result hk_rigid_get_mass(const rec_at *at, const rec_field *row, lathe_value *out,
                               lathe_error *err)
{
    rec_at object = hk_rigid_object(at), motion;
    double inverse[4];
    (void)row;
    (void)err;
    out->kind = LATHE_KIND_NONE;
    if (inverses_of(&object, &motion, inverse)) {
        out->kind = LATHE_KIND_REAL;
        out->as.f = hk_mass_from(inverse[3]);
    }
    return LATHE_OK;
}

/* Inertia goes along, as that of the same shape with another density. */
lathe_result hk_rigid_set_mass(const rec_at *at, const rec_field *row, const lathe_value *value,
                               lathe_error *err)
{
    static const double least = 1e-30; /* what is 1 / it is a float, too */
    rec_at object = hk_rigid_object(at), motion;
    double inverse[4], mass;
    if (!inverses_of(&object, &motion, inverse))
        return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                        LATHE_ERR_UNSUPPORTED, "only what is dynamic has a mass");
    lathe_result r = hk_body_value(at, row, value, least, 1 / least, &mass, err);
    if (r != LATHE_OK || mass == hk_mass_from(inverse[3]))
        return r;
    double by = 1 / (mass * inverse[3]);
    for (int i = 0; i < 3; i++)
        inverse[i] *= by;
    inverse[3] = 1 / mass;
    return hk_set_lanes(&motion, "inertia_and_mass_inv", 4, inverse, err);
}

/* ---- rows that are members ------------------------------------------------------------------------------- */

static const struct {
    const char *name, *in, *member;
    double low, high;
} simple[] = {
    {"friction", "material", "friction", 0, FLT_MAX},
    {"restitution", "material", "restitution", 0, FLT_MAX},
    {"linear_damping", "motion.motion_state", "linear_damping", 0, FLT_MAX},
    {"angular_damping", "motion.motion_state", "angular_damping", 0, FLT_MAX},
    {"gravity_factor", "motion", "gravity_factor", -FLT_MAX, FLT_MAX},
    {"filter_info", "collidable.broad_phase_handle", "collision_filter_info", 0, 4294967295.0},
    {"layer", "collidable.broad_phase_handle", "layer", 0, 31},
    {"subsystem_id", "collidable.broad_phase_handle", "subsystem_id", 0, 31},
    {"subsystem_dont_collide_with", "collidable.broad_phase_handle", "subsystem_dont_collide_with",
     0, 31},
    {"system_group", "collidable.broad_phase_handle", "system_group", 0, 65535},
};

/* A value by its name: only packfiles have a row with any. */
static bool is_named(const rec_at *in, size_t k)
{
    return in->layout->slots[rec_slot_find(in->layout, simple[k].member)].row->names != 0;
}

/* Member number k of the body; false: the object has none such. */
static bool simple_of(const rec_at *at, const rec_field *row, size_t *k, rec_at *in)
{
    rec_at object = hk_rigid_object(at);
    for (*k = 0; strcmp(simple[*k].name, rec_row_name(row)) != 0;)
        ++*k;
    return hk_within(&object, simple[*k].in, in) &&
           rec_slot_find(in->layout, simple[*k].member) != REC_NO_SLOT;
}

lathe_result hk_rigid_get_simple(const rec_at *at, const rec_field *row, lathe_value *out,
                                 lathe_error *err)
{
    size_t k;
    rec_at in;
    out->kind = LATHE_KIND_NONE;
    if (!simple_of(at, row, &k, &in))
        return LATHE_OK;
    lathe_result r = rec_get(&in, rec_slot_find(in.layout, simple[k].member), false, out, err);
    double number;
    if (r == LATHE_OK && !rec_number(out, &number) && !is_named(&in, k))
        out->kind = LATHE_KIND_NONE;
    return r;
}

lathe_result hk_rigid_set_simple(const rec_at *at, const rec_field *row, const lathe_value *value,
                                 lathe_error *err)
{
    size_t k;
    rec_at in;
    double number;
    if (!simple_of(at, row, &k, &in))
        return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                        LATHE_ERR_UNSUPPORTED, "the body's class has no such member");
    lathe_result r = LATHE_OK;
    if (value->kind != LATHE_KIND_STRING || !is_named(&in, k))
        r = hk_body_value(at, row, value, simple[k].low, simple[k].high, &number, err);
    return r == LATHE_OK ? rec_set_name(&in, simple[k].member, value, err) : r;
}

/* ---- names and records ----------------------------------------------------------------------------------- */

lathe_result hk_rigid_get_name(const rec_at *at, const rec_field *row, lathe_value *out,
                               lathe_error *err)
{
    rec_at object = hk_rigid_object(at);
    const char *name;
    uint64_t n;
    (void)row;
    out->kind = LATHE_KIND_NONE;
    lathe_result r = hk_read_text(&object, "name", &name, &n, err);
    return r == LATHE_OK && name ? rec_text(at, name, (size_t)n, out, err) : r;
}

lathe_result hk_rigid_set_name(const rec_at *at, const rec_field *row, const lathe_value *value,
                               lathe_error *err)
{
    rec_at object = hk_rigid_object(at);
    if (rec_slot_find(object.layout, "name") != REC_NO_SLOT)
        return rec_set_name(&object, "name", value, err);
    return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                    LATHE_ERR_UNSUPPORTED, "the body's class has no such member");
}

static void show(lathe_value *out, const rec_at *object)
{
    out->kind = LATHE_KIND_NONE;
    if (!object->layout)
        return;
    out->kind = LATHE_KIND_RECORD;
    out->as.v = rec_view(object);
}

lathe_result hk_rigid_get_shape(const rec_at *at, const rec_field *row, lathe_value *out,
                                lathe_error *err)
{
    rec_at object = hk_rigid_object(at);
    uint32_t part = hk_rigid_shape(&object);
    (void)row;
    (void)err;
    out->kind = LATHE_KIND_NONE;
    if (part == REC_NO_PART)
        return LATHE_OK;
    object = hk_object(at->doc, part);
    show(out, &object);
    return LATHE_OK;
}

lathe_result hk_rigid_get_source(const rec_at *at, const rec_field *row, lathe_value *out,
                                 lathe_error *err)
{
    rec_at object = hk_rigid_object(at);
    (void)row;
    (void)err;
    show(out, &object);
    return LATHE_OK;
}

/* ---- the type -------------------------------------------------------------------------------------------- */

const rec_type *hk_computed_rows(const char *class_name)
{
    return strcmp(class_name, "hkpRigidBody") == 0 ? &hk_rigid_extras : NULL;
}

/* Whether an object is a body, and its type has that row. */
static bool is_rigid(lathe_doc *doc, uint32_t part)
{
    if (!hk_object_is(doc, part, "hkpRigidBody"))
        return false;
    const rec_layout *l = rec_part_root(doc, part);
    uint32_t slot = rec_slot_find(l, "body");
    return slot != REC_NO_SLOT && rec_row_type(l->slots[slot].row) == &hk_rigid_body;
}

/* ---- the list -------------------------------------------------------------------------------------------- */

static void release(lathe_doc *doc, rec_cached *what)
{
    hk_rigids *bodies = (hk_rigids *)what;
    mem_free(&doc->mem, bodies->parts, bodies->room * sizeof *bodies->parts);
    mem_free(&doc->mem, bodies->numbers, bodies->numbers_n * sizeof *bodies->numbers);
    mem_free(&doc->mem, bodies, sizeof *bodies);
}

static const rec_cache lists = {.lasts = true, .release = release};

/* Whether the list is still right: edits in an object that change no length leave its class as it was. */
static bool follow(hk_rigids *bodies, lathe_doc *doc, uint32_t c)
{
    uint64_t next = rec_recent_next(doc);
    bool ok = rec_recent_knows(doc, bodies->followed);
    uint32_t root = doc->containers[c].root, row = hk_object_row(doc, c);
    for (uint64_t i = bodies->followed; ok && i != next; i++) {
        const rec_change *change = rec_recent_at(doc, i);
        const rec_part *part = change->part == REC_NO_PART ? NULL : rec_part_of(doc, change->part);
        ok = part && part->owner == root && part->slot == row && change->removed &&
             change->removed == change->inserted;
    }
    bodies->followed = next;
    return ok;
}

static bool list_all(hk_rigids *bodies, lathe_doc *doc, const uint32_t *objects, uint64_t n)
{
    bodies->room = (size_t)n + 1;
    bodies->parts = mem_zalloc(&doc->mem, bodies->room * sizeof *bodies->parts);
    bodies->numbers_n = doc->parts_n;
    bodies->numbers = mem_zalloc(&doc->mem, bodies->numbers_n * sizeof *bodies->numbers);
    if (!bodies->parts || !bodies->numbers)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        bool opens;
        if (hk_object_look(doc, objects[i], &opens, NULL) != LATHE_OK)
            return false;
        if (!is_rigid(doc, objects[i]))
            continue;
        bodies->parts[bodies->count++] = objects[i];
        bodies->numbers[objects[i]] = (uint32_t)bodies->count;
    }
    return true;
}

uint32_t hk_rigid_number(const hk_rigids *bodies, uint32_t part)
{
    return part < bodies->numbers_n ? bodies->numbers[part] : 0;
}

bool hk_is_rigid(lathe_doc *doc, uint32_t c)
{
    return doc->containers[c].version < HK_2014;
}

const hk_rigids *hk_rigids_of(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    uint64_t n;
    hk_rigids *bodies = rec_cache_find(doc, c, &lists);
    if (bodies && follow(bodies, doc, c))
        return bodies;
    rec_cache_drop(doc, c, &lists);
    const uint32_t *objects = hk_object_list(doc, c, &n);
    bodies = rec_places(doc) ? mem_zalloc(&doc->mem, sizeof *bodies) : NULL;
    if (bodies && list_all(bodies, doc, objects, n)) {
        bodies->followed = rec_recent_next(doc);
        rec_cache_put(doc, c, &lists, &bodies->cached);
        return bodies;
    }
    if (bodies)
        release(doc, &bodies->cached);
    rec_no_memory(err);
    return NULL;
}

/* ---- the hook -------------------------------------------------------------------------------------------- */

lathe_result hk_rigid(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err)
{
    rec_at at;
    const hk_rigids *bodies = hk_rigids_of(doc, 0, err);
    if (!bodies)
        return LATHE_ERR_MEMORY;
    if (i >= bodies->count)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there are %zu bodies",
                         bodies->count);
    rec_at object = hk_object(doc, bodies->parts[i]);
    uint32_t slot = rec_slot_find(object.layout, "body");
    lathe_result r = rec_sub(&object, slot, 0, &at, err);
    if (r == LATHE_OK)
        *out = rec_view(&at);
    return r;
}
