/* Adds a body that was built as a packfile of its own to a system with other bodies. */
#include "havok/physics/build/build.h"

#include "havok/packfile/object_list.h"
#include "havok/physics/bodies.h"

/* The two systems, and the numbers of the new records. */
typedef struct joining {
    rec_at root, system; /* of the target: its root record, and the system in it */
    hk_body_of body;     /* the new body, in its own document */
    rec_at shape;        /* the copy of its shape in the target */
    uint64_t material, properties, motion, number;
} joining;

static lathe_result append(const joining *j, const char *row, const rec_at *from, uint64_t *i,
                           rec_at *out, lathe_error *err)
{
    uint32_t slot = rec_slot_find(j->system.layout, row);
    lathe_value v = {.kind = LATHE_KIND_RECORD};
    rec_loc loc;
    lathe_result r = rec_find_present(&j->system, slot, &loc, err);
    *i = r == LATHE_OK ? loc.count : 0;
    if (r == LATHE_OK)
        r = rec_insert(&j->system, slot, *i, 1, NULL, 0, err);
    v.as.v = rec_view(from);
    if (r == LATHE_OK)
        r = rec_set_item(&j->system, slot, *i, &v, err);
    return r == LATHE_OK ? rec_sub(&j->system, slot, *i, out, err) : r;
}

/* Numbers of materials and motion properties have 16 bits, of which one value means none. */
static lathe_result check_room(const rec_at *at, const char *row, uint64_t number, uint64_t none,
                               lathe_error *err)
{
    if (number < none)
        return LATHE_OK;
    return rec_fail(at, rec_slot_find(at->layout, row), at->off, err, LATHE_ERR_LIMIT,
                    "the system is full: it can have no more than %llu", (unsigned long long)none);
}

static lathe_result add_motion(joining *j, lathe_error *err)
{
    rec_at motion, properties, made, unused;
    if (!hk_body_side_of(&j->body, HK_SIDE_MOTION, &motion)) {
        j->motion = HK_NO_MOTION;
        return LATHE_OK;
    }
    bool dynamic = hk_body_side_of(&j->body, HK_SIDE_PROPERTIES, &properties);
    lathe_result r = LATHE_OK;
    j->properties = HK_NO_PROPERTIES;
    if (dynamic)
        r = append(j, "motion_properties", &properties, &j->properties, &unused, err);
    if (r == LATHE_OK && dynamic)
        r = check_room(&j->system, "motion_properties", j->properties, HK_NO_PROPERTIES, err);
    if (r == LATHE_OK)
        r = append(j, "motion_cinfos", &motion, &j->motion, &made, err);
    return r == LATHE_OK ? hk_set_int(&made, "motion_properties_id", (int64_t)j->properties, err)
                         : r;
}

static lathe_result point_at_shape(const rec_at *at, const char *row, uint64_t i,
                                   const rec_at *shape, lathe_error *err)
{
    lathe_value v = {.kind = LATHE_KIND_RECORD};
    v.as.v = rec_view(shape);
    uint32_t slot = rec_slot_find(at->layout, row);
    return i == REC_NO_ITEM ? rec_set(at, slot, &v, err) : rec_set_item(at, slot, i, &v, err);
}

/* Its own document lets go of the shape first: a pointer cannot be copied from one document to another. */
static lathe_result release_shape(const hk_body_of *body, lathe_error *err)
{
    lathe_doc *doc = body->cinfo.doc;
    lathe_result r = rec_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    r = rec_put_raw(&body->cinfo, rec_slot_find(body->cinfo.layout, "shape"), 0, 0, err);
    return rec_end(doc, r, err);
}

static lathe_result add_body(joining *j, lathe_error *err)
{
    rec_at made;
    lathe_result r = release_shape(&j->body, err);
    if (r == LATHE_OK)
        r = append(j, "body_cinfos", &j->body.cinfo, &j->number, &made, err);
    if (r == LATHE_OK)
        r = check_room(&j->system, "body_cinfos", j->number, HK_NO_BODY, err);
    if (r == LATHE_OK)
        r = hk_set_int(&made, "material_id", (int64_t)j->material, err);
    if (r == LATHE_OK)
        r = hk_set_int(&made, "motion_id", (int64_t)j->motion, err);
    return r == LATHE_OK ? point_at_shape(&made, "shape", REC_NO_ITEM, &j->shape, err) : r;
}

static lathe_result add_reference(const joining *j, lathe_error *err)
{
    uint32_t slot = rec_slot_find(j->system.layout, "referenced_objects");
    rec_loc loc;
    lathe_result r = rec_find_present(&j->system, slot, &loc, err);
    if (r == LATHE_OK)
        r = rec_insert(&j->system, slot, loc.count, 1, NULL, 0, err);
    return r == LATHE_OK
               ? point_at_shape(&j->system, "referenced_objects", loc.count, &j->shape, err)
               : r;
}

static lathe_result copy_shape(joining *j, lathe_error *err)
{
    rec_at shape;
    uint64_t i;
    if (!hk_body_side_of(&j->body, HK_SIDE_SHAPE, &shape))
        return rec_no_memory(err);
    lathe_result r = hk_copy_object(&j->root, hk_row(HK_OBJECTS), &shape, &i, err);
    return r == LATHE_OK ? rec_sub_item(&j->root, hk_row(HK_OBJECTS), i, &j->shape, err) : r;
}

static lathe_result join(joining *j, lathe_error *err)
{
    rec_at material, unused;
    lathe_result r = copy_shape(j, err);
    if (r == LATHE_OK && !hk_body_side_of(&j->body, HK_SIDE_MATERIAL, &material))
        r = rec_no_memory(err);
    if (r == LATHE_OK)
        r = append(j, "materials", &material, &j->material, &unused, err);
    if (r == LATHE_OK)
        r = check_room(&j->system, "materials", j->material, HK_NO_MATERIAL, err);
    if (r == LATHE_OK)
        r = add_motion(j, err);
    if (r == LATHE_OK)
        r = add_body(j, err);
    return r == LATHE_OK ? add_reference(j, err) : r;
}

lathe_result hk_body_join(lathe_doc *doc, uint32_t c, const buf *packfile, uint64_t *number,
                          lathe_error *err)
{
    joining j = {.root = rec_root(doc, c)};
    lathe_options o = {
        .size = sizeof o, .format = "hkx", .alloc = doc->mem.fn, .alloc_user = doc->mem.user};
    lathe_doc *own = NULL;
    lathe_result r = hk_only_system(doc, c, &j.system, err);
    if (r == LATHE_OK)
        r = lathe_doc_parse(packfile->data, packfile->size, &o, &own, err);
    if (r == LATHE_OK)
        r = hk_body_number(own, 0, 0, &j.body, err);
    if (r == LATHE_OK)
        r = join(&j, err);
    *number = j.number;
    lathe_doc_close(own);
    return r;
}
