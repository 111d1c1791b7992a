/* Verbs of .fzx: mirror, and renaming of labels. formats/wolfire.md#6 */
#include "wolfire/fzx.h"

/* Flips the sign bit, which also works for NaN and restores the old bits when repeated. */
static lathe_result flip_sign(const rec_at *object, const char *vector, const char *lane,
                              lathe_error *err)
{
    rec_at v;
    uint64_t raw;
    lathe_result r = rec_sub(object, rec_slot_find(object->layout, vector), 0, &v, err);
    if (r != LATHE_OK)
        return r;
    uint32_t slot = rec_slot_find(v.layout, lane);
    r = rec_raw(&v, slot, 0, &raw, err);
    return r == LATHE_OK ? rec_put_raw(&v, slot, 0, raw ^ 0x80000000u, err) : r;
}

static lathe_result swap_label(const rec_at *object, lathe_error *err)
{
    uint32_t slot = rec_slot_find(object->layout, "label");
    char text[255]; /* the maximum of the format */
    lathe_value v;
    lathe_result r = rec_get(object, slot, true, &v, err);
    if (r != LATHE_OK || v.as.s.n > sizeof text)
        return r;
    memcpy(text, v.as.s.p, v.as.s.n);
    fzx_swap_sides(text, v.as.s.n);
    v.as.s.p = text;
    return rec_set_text(object, slot, &v, err);
}

lathe_result fzx_mirror(lathe_view self, const lathe_source *args, lathe_report *report,
                        lathe_error *err)
{
    static const char *const turned[][2] = {
        {"location", "x"}, {"rotation", "y"}, {"rotation", "z"}};
    rec_at root = rec_root(self.doc, 0), object;
    uint32_t slot = rec_slot_find(root.layout, "objects");
    int64_t n = rec_int(&root, "object_count");
    lathe_result r = LATHE_OK;
    (void)args;
    for (int64_t i = 0; r == LATHE_OK && i < n; i++) {
        r = rec_sub(&root, slot, (uint64_t)i, &object, err);
        for (size_t k = 0; r == LATHE_OK && k < sizeof turned / sizeof turned[0]; k++)
            r = flip_sign(&object, turned[k][0], turned[k][1], err);
        if (r == LATHE_OK)
            r = swap_label(&object, err);
        if (r == LATHE_OK && report)
            report->changed++;
    }
    return r;
}

lathe_result fzx_rename(lathe_view self, const lathe_source *args, lathe_report *report,
                        lathe_error *err)
{
    rec_at root = rec_root(self.doc, 0), object;
    uint32_t slot = rec_slot_find(root.layout, "objects");
    int64_t n = rec_int(&root, "object_count");
    wolfire_rename names;
    lathe_result r = LATHE_OK;
    wolfire_rename_args(args, &names);
    if (r != LATHE_OK || !wolfire_renames(&names, "labels"))
        return r;
    for (int64_t i = 0; r == LATHE_OK && i < n; i++) {
        r = rec_sub(&root, slot, (uint64_t)i, &object, err);
        if (r == LATHE_OK)
            r = wolfire_rename_field(&names, &object, "label", report, err);
    }
    return r;
}
