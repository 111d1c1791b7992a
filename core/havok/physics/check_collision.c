/* doc:check() of what collides, object by object; and of what bodies and the meshes below them both say. */
#include "havok/physics/check.h"

#include "havok/physics/joint.h"
#include "havok/physics/materials.h"
#include "havok/physics/shapes.h"

#include <inttypes.h>

enum {
    TIMES = 16,
    SPARE = 1 << 24
}; /* so often may all of a file be looked at, and so many bytes more */

/* ---- filters ------------------------------------------------------------------------------------------------ */

static void check_filter(hk_looker *k, const hk_body_of *body, const rec_at *shape)
{
    rec_at surfaces, one;
    uint32_t wanted = (uint32_t)rec_int(&body->cinfo, "collision_filter_info");
    uint32_t properties = hk_target(shape, "properties", 0);
    if (properties == REC_NO_PART || !hk_may_look(k, shape, k->doc->parts[properties].size) ||
        !hk_surfaces_of(shape, &surfaces) ||
        !hk_may_look(k, &surfaces, k->doc->parts[surfaces.part].size))
        return;
    for (uint64_t i = 0; hk_surface(&surfaces, i, &one); i++) {
        uint32_t filter = (uint32_t)rec_int(&one, "collision_filter_info");
        if (filter == wanted)
            continue;
        HK_FINDING(k->report, LATHE_LEVEL_WARNING, &surfaces, "materials", i,
                   "its collision_filter_info is 0x%08" PRIx32 ", but that of body %" PRIu64
                   " is 0x%08" PRIx32,
                   filter, body->number, wanted);
        return; /* once is enough */
    }
}

/* Leaves come body by body, as systems do. */
static void check_filters(hk_looker *k, const uint32_t *objects, uint64_t n)
{
    const hk_leaves *leaves;
    lathe_error err;
    hk_body_of body;
    size_t at = 0;
    uint64_t first = 0;
    lathe_result r = hk_leaves_of(k->doc, k->c, &leaves, &err);
    if (r == LATHE_ERR_INVALID || r == LATHE_ERR_LIMIT)
        rec_found(k->report, LATHE_LEVEL_ERROR, &err);
    for (uint64_t o = 0; r == LATHE_OK && o < n; o++) {
        if (!hk_is_system(k->doc, objects[o]))
            continue;
        rec_at system = hk_object(k->doc, objects[o]);
        uint64_t bodies = hk_body_count(&system);
        for (; at < leaves->count && leaves->list[at].body - first < bodies; at++) {
            rec_at shape = hk_object(k->doc, leaves->list[at].part);
            if (k->report->stopped)
                return;
            if (shape.layout->type == &hknp_compressed_mesh_shape &&
                hk_body_in(&system, leaves->list[at].body - first, &body, NULL) == LATHE_OK)
                check_filter(k, &body, &shape);
        }
        first += bodies;
    }
}

/* ---- all of it ----------------------------------------------------------------------------------------------- */

static void check_object(hk_looker *k, const rec_at *at)
{
    const rec_type *type = at->layout->type;
    if (type == &hknp_compressed_mesh_shape)
        hk_check_mesh(k, at);
    else if (type == &hknp_dynamic_compound_shape)
        hk_check_compound(k, at);
    else if (type == &hknp_shape_mass_properties)
        hk_check_mass(k, at);
    else if (hk_is_system(k->doc, at->part))
        hk_check_system(k, at);
    if (rec_slot_find(at->layout, "convex_radius") != REC_NO_SLOT)
        hk_check_shape_mass(k, at);
    if (!hk_is_rigid(k->doc, k->c)) /* what those have, hk_check_rigid looks at */
        hk_check_joint_data(k->report, at);
}

static lathe_result check_material(void *user, const rec_at *at, lathe_error *err)
{
    (void)err;
    hk_check_material(user, at, hk_material_slot(at));
    return LATHE_OK;
}

void hk_check_collision(rec_report *report, lathe_doc *doc, uint32_t c)
{
    lathe_error err;
    uint64_t n;
    bool any = false;
    const uint32_t *objects = hk_object_list(doc, c, &n);
    hk_looker k = {.report = report, .doc = doc, .c = c, .left = TIMES * doc->size + SPARE};
    k.root = n ? objects[0] : REC_NO_PART;
    for (uint64_t i = 0; i < n && !report->stopped; i++) {
        rec_at at = hk_object(doc, objects[i]);
        check_object(&k, &at);
        any = any || hk_is_system(doc, objects[i]);
    }
    if (any && !report->stopped)
        check_filters(&k, objects, n);
    hk_each_material(doc, c, check_material, report, &err); /* what is unreadable was told */
}
