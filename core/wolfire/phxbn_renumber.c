/* Updates references to bones and points, which are numbers, when some are inserted or removed. */
#include "wolfire/phxbn.h"

#include <math.h>

typedef struct renumbered {
    uint64_t first, removed, inserted;
} renumbered;

/* Maps an old number to the new one. False if it was removed. */
static bool follow(const renumbered *by, int64_t *number)
{
    if (*number < 0 || (uint64_t)*number < by->first)
        return true;
    if ((uint64_t)*number < by->first + by->removed)
        return false;
    *number += (int64_t)by->inserted - (int64_t)by->removed;
    return true;
}

/* Copies the bytes of a field, to be changed and stored in one step. An absent field has no bytes. */
static lathe_result copy_row(const rec_at *root, const char *name, rec_loc *loc, buf *bytes,
                             lathe_error *err)
{
    lathe_result r = rec_find(root, rec_slot_find(root->layout, name), loc, err);
    bytes->size = 0;
    if (r != LATHE_OK || !loc->present || !loc->size)
        return r;
    return buf_put(bytes, rec_part_of(root->doc, loc->part)->data + loc->data, (size_t)loc->size)
               ? LATHE_OK
               : rec_no_memory(err);
}

static lathe_result put_row(const rec_at *root, const rec_loc *loc, const buf *bytes,
                            lathe_error *err)
{
    return bytes->size ? rec_splice(root->doc, loc->part, loc->data, bytes->size, bytes->data,
                                    bytes->size, err)
                       : LATHE_OK;
}

/* Updates a field of numbers; references to removed elements become `none`. */
static lathe_result renumber_row(const rec_at *root, const char *name, const renumbered *by,
                                 int32_t none, buf *bytes, lathe_error *err)
{
    rec_loc loc;
    lathe_result r = copy_row(root, name, &loc, bytes, err);
    for (size_t i = 0; r == LATHE_OK && i + 4 <= bytes->size; i += 4) {
        int64_t number = (int32_t)bytes_ld32(bytes->data + i, false);
        int32_t now = follow(by, &number) ? (int32_t)number : none;
        bytes_st32(bytes->data + i, (uint32_t)now, false);
    }
    return r == LATHE_OK ? put_row(root, &loc, bytes, err) : r;
}

/* Updates bone ids, which are stored as floats. If a bone was removed, the weight and id of its lane become
 * 0, and the other lanes stay. */
static lathe_result renumber_weights(const rec_at *root, const renumbered *by, buf *ids,
                                     buf *weights, lathe_error *err)
{
    rec_loc where, weight_where;
    lathe_result r = copy_row(root, "bone_ids", &where, ids, err);
    if (r == LATHE_OK)
        r = copy_row(root, "weights", &weight_where, weights, err);
    for (size_t i = 0; r == LATHE_OK && i + 4 <= ids->size; i += 4) {
        double id = bytes_f32_widen(bytes_ld32(ids->data + i, false));
        int64_t number = id >= 0 && id < INT32_MAX ? (int64_t)id : -1;
        if (number < 0 || (double)number != id)
            continue;
        if (follow(by, &number)) {
            bytes_st32(ids->data + i, bytes_f32_narrow((double)number), false);
        } else {
            bytes_st32(ids->data + i, 0, false);
            bytes_st32(weights->data + i, 0, false);
        }
    }
    if (r == LATHE_OK)
        r = put_row(root, &where, ids, err);
    return r == LATHE_OK ? put_row(root, &weight_where, weights, err) : r;
}

/* ---- joints and IK bones ---------------------------------------------------------------------------- */

/* Updates a number in element i of an array of records. Fails if it was removed: a joint without its bone or
 * a chain without its tip would crash the game, and removing them too was not requested. */
static lathe_result renumber_one(const rec_at *record, const char *field, uint64_t item,
                                 const char *what, const renumbered *by, lathe_error *err)
{
    uint32_t slot = rec_slot_find(record->layout, field);
    uint64_t raw;
    lathe_result r = rec_raw(record, slot, item, &raw, err);
    if (r != LATHE_OK)
        return r;
    int64_t number = (int32_t)(uint32_t)raw, was = number;
    if (!follow(by, &number))
        return rec_fail(record, slot, record->off, err, LATHE_ERR_STATE,
                        "%s still names bone %lld: remove or change it first", what,
                        (long long)was);
    return number == was ? LATHE_OK : rec_put_raw(record, slot, item, (uint32_t)number, err);
}

static lathe_result renumber_list(const rec_at *root, const char *list, const char *field,
                                  uint64_t items, const char *what, const renumbered *by,
                                  lathe_error *err)
{
    uint32_t slot = rec_slot_find(root->layout, list);
    rec_loc loc;
    lathe_result r = rec_find(root, slot, &loc, err);
    for (uint64_t i = 0; r == LATHE_OK && loc.present && i < loc.count; i++) {
        rec_at record;
        r = rec_sub(root, slot, i, &record, err);
        for (uint64_t k = 0; r == LATHE_OK && k < items; k++)
            r = renumber_one(&record, field, k, what, by, err);
    }
    return r;
}

/* ---- the hooks ---------------------------------------------------------------------------------------- */

lathe_result phxbn_renumber_bones(const rec_at *at, const rec_field *row, uint64_t i,
                                  uint64_t removed, uint64_t inserted, lathe_error *err)
{
    const renumbered by = {i, removed, inserted};
    buf ids, weights;
    (void)row;
    buf_init(&ids, &at->doc->mem);
    buf_init(&weights, &at->doc->mem);
    lathe_result r = renumber_list(at, "joints", "bone", 2, "the joint", &by, err);
    if (r == LATHE_OK)
        r = renumber_list(at, "ik_bones", "bone_id", 1, "the IK bone", &by, err);
    if (r == LATHE_OK)
        r = renumber_row(at, "bone_parents", &by, -1, &ids, err);
    if (r == LATHE_OK)
        r = renumber_row(at, "hier_parents", &by, -1, &ids, err);
    if (r == LATHE_OK)
        r = renumber_weights(at, &by, &ids, &weights, err);
    buf_free(&ids);
    buf_free(&weights);
    return r;
}

/* Fails if a bone lost one of its points: only the user knows a replacement. */
static lathe_result check_ends(const rec_at *root, const renumbered *by, lathe_error *err)
{
    uint32_t slot = rec_slot_find(root->layout, "bone_ends");
    const rec_part *p = rec_part_of(root->doc, root->part);
    rec_loc loc;
    lathe_result r = rec_find(root, slot, &loc, err);
    for (uint64_t i = 0; r == LATHE_OK && i < 2 * loc.count; i++) {
        int64_t number = (int32_t)bytes_ld32(p->data + loc.data + 4 * i, false), was = number;
        rec_at ends;
        if (!follow(by, &number) && (r = rec_sub(root, slot, i / 2, &ends, err)) == LATHE_OK)
            r = rec_fail(&ends, (uint32_t)(i % 2), ends.off, err, LATHE_ERR_STATE,
                         "the bone still needs point %lld: remove or change it first",
                         (long long)was);
    }
    return r;
}

lathe_result phxbn_renumber_points(const rec_at *at, const rec_field *row, uint64_t i,
                                   uint64_t removed, uint64_t inserted, lathe_error *err)
{
    const renumbered by = {i, removed, inserted};
    buf bytes;
    (void)row;
    buf_init(&bytes, &at->doc->mem);
    lathe_result r = check_ends(at, &by, err);
    if (r == LATHE_OK)
        r = renumber_row(at, "bone_ends", &by, -1, &bytes, err);
    if (r == LATHE_OK)
        r = renumber_row(at, "point_parents", &by, -1, &bytes, err);
    buf_free(&bytes);
    return r;
}
