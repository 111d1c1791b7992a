/* Verbs of a skeleton: scale, rename, set_version. formats/wolfire.md#6 */
#include "wolfire/phxbn.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* A copy of a field's bytes, to be changed and stored in one step; empty if the field is absent. */
typedef struct row_copy {
    buf bytes;
    rec_loc loc;
} row_copy;

static lathe_result take_row(const rec_at *root, const char *name, row_copy *row, lathe_error *err)
{
    buf_init(&row->bytes, &root->doc->mem);
    lathe_result r = rec_find(root, rec_slot_find(root->layout, name), &row->loc, err);
    if (r != LATHE_OK || !row->loc.present || !row->loc.size)
        return r;
    const uint8_t *p = rec_part_of(root->doc, row->loc.part)->data + row->loc.data;
    return buf_put(&row->bytes, p, (size_t)row->loc.size) ? LATHE_OK : rec_no_memory(err);
}

static lathe_result put_row(const rec_at *root, row_copy *row, lathe_result r, lathe_error *err)
{
    if (r == LATHE_OK && row->bytes.size)
        r = rec_splice(root->doc, row->loc.part, row->loc.data, row->bytes.size, row->bytes.data,
                       row->bytes.size, err);
    buf_free(&row->bytes);
    return r;
}

/* ---- scale ------------------------------------------------------------------------------------------ */

static lathe_result scale(lathe_view self, const lathe_source *args, lathe_report *report,
                          lathe_error *err)
{
    static const scene_scale_rule rules[] = {{"points", 1, 1},
                                             {"bone_com", 1, 1},
                                             {"bone_mats", 1, 1},
                                             {"bone_mass", 3, 1},
                                             {NULL, 0, 0}};
    return scene_scale_rules(self, rules, MODEL_SKELETON, args, report, err);
}

/* ---- rename ----------------------------------------------------------------------------------------- */

static lathe_result rename_ik(lathe_view self, const lathe_source *args, lathe_report *report,
                              lathe_error *err)
{
    rec_at root = rec_root(self.doc, 0);
    uint32_t slot = rec_slot_find(root.layout, "ik_bones");
    wolfire_rename names;
    rec_loc loc = {.present = false};
    wolfire_rename_args(args, &names);
    if (!wolfire_renames(&names, "bones") && !wolfire_renames(&names, "labels"))
        return LATHE_OK;
    lathe_result r = rec_find(&root, slot, &loc, err);
    for (uint64_t i = 0; r == LATHE_OK && loc.present && i < loc.count; i++) {
        rec_at ik;
        r = rec_sub(&root, slot, i, &ik, err);
        if (r == LATHE_OK)
            r = wolfire_rename_field(&names, &ik, "name", report, err);
    }
    return r;
}

/* ---- set_version: fields that the old version did not have ------------------------------------------ */

static void tell(lathe_report *report, const char *path, const char *reason)
{
    if (report && report->skipped)
        report->skipped(report->user, path, reason);
}

static void put_i32(row_copy *row, uint64_t i, int32_t value)
{
    bytes_st32(row->bytes.data + 4 * i, (uint32_t)value, false);
}

static void put_f32(row_copy *row, uint64_t i, double value)
{
    bytes_st32(row->bytes.data + 4 * i, bytes_f32_narrow(value), false);
}

/* Sets the parent of each point: the point at the other end of the bone that ends there. */
static void fill_point_parents(const phxbn_rig *rig, const int32_t *ending, row_copy *row)
{
    for (uint64_t i = 0; i < rig->point_count; i++)
        if (ending[i] >= 0)
            put_i32(row, i, phxbn_i32(rig->ends, 2 * (uint64_t)ending[i]));
}

static void fill_bone_parents(const phxbn_rig *rig, const int32_t *ending, row_copy *row)
{
    phxbn_rig old = *rig;
    old.parents = NULL; /* it is to be filled */
    for (uint64_t i = 0; i < rig->bone_count; i++)
        put_i32(row, i, phxbn_parent(&old, ending, i));
}

/* Computes in single precision, as the game does for a file without the field. */
static double middle(double a, double b)
{
    return bytes_f32_widen(bytes_f32_narrow(a + b)) * 0.5;
}

static void fill_com(const phxbn_rig *rig, const int32_t *ending, row_copy *row)
{
    vec3 a, b;
    (void)ending;
    for (uint64_t i = 0; i < rig->bone_count; i++)
        if (phxbn_ends_of(rig, i, &a, &b)) {
            put_f32(row, 3 * i, middle(a.x, b.x));
            put_f32(row, 3 * i + 1, middle(a.y, b.y));
            put_f32(row, 3 * i + 2, middle(a.z, b.z));
        }
}

/* Fills matrices without a translation, as the add-ons do. */
static void fill_mats(const phxbn_rig *rig, const int32_t *ending, row_copy *row)
{
    vec3 a, b;
    (void)ending;
    for (uint64_t i = 0; i < rig->bone_count; i++)
        if (phxbn_ends_of(rig, i, &a, &b)) {
            mat4 m = phxbn_matrix(a, b);
            for (uint64_t n = 0; n < 12; n++)
                put_f32(row, 16 * i + n, m.m[n / 4][n % 4]);
        }
}

typedef struct addition {
    const char *row;
    int since;
    void (*fill)(const phxbn_rig *rig, const int32_t *ending, row_copy *row);
    const char *reason; /* note for the user */
} addition;

static const addition additions[] = {
    {"bone_mass", 6, NULL, "invented: 1 kg for each bone"},
    {"bone_com", 7, fill_com, NULL}, /* the game's default */
    {"point_parents", 8, fill_point_parents, NULL},
    {"bone_parents", 8, fill_bone_parents, NULL},
    {"bone_mats", 9, fill_mats, NULL}, /* the game ignores it */
    {"ik_bones", 10, NULL, "empty: the game finds no limbs"},
};

static lathe_result fill_row(const rec_at *root, const addition *a, const phxbn_rig *rig,
                             const int32_t *ending, lathe_error *err)
{
    row_copy row;
    lathe_result r = take_row(root, a->row, &row, err);
    if (r == LATHE_OK && row.bytes.size)
        a->fill(rig, ending, &row);
    return put_row(root, &row, r, err);
}

static lathe_result fill_rows(const rec_at *root, int64_t from, int64_t to, lathe_report *report,
                              lathe_error *err)
{
    lathe_doc *doc = root->doc;
    phxbn_rig rig;
    lathe_result r = phxbn_rig_of(doc, root->layout->container, &rig, err);
    if (r != LATHE_OK)
        return r;
    size_t size = (size_t)(rig.point_count + 1) * sizeof(int32_t);
    int32_t *ending = mem_alloc(&doc->mem, size);
    if (!ending)
        return rec_no_memory(err);
    phxbn_ending(&rig, ending);
    for (size_t i = 0; r == LATHE_OK && i < sizeof additions / sizeof additions[0]; i++) {
        const addition *a = &additions[i];
        if (from >= a->since || to < a->since)
            continue;
        if (a->fill)
            r = fill_row(root, a, &rig, ending, err);
        if (a->reason)
            tell(report, a->row, a->reason);
        if (r == LATHE_OK) /* writing may have moved the arrays to memory of the document */
            r = phxbn_rig_of(doc, root->layout->container, &rig, err);
    }
    mem_free(&doc->mem, ending, size);
    return r;
}

/* ---- set_version ------------------------------------------------------------------------------------- */

typedef struct going {
    lathe_report *report;
    int64_t to;
} going;

static void note_dropped(void *user, const rec_at *at, uint32_t slot)
{
    const going *g = user;
    char reason[64];
    rec_loc loc;
    if (!at->layout->slots[slot].array || rec_find(at, slot, &loc, NULL) != LATHE_OK || !loc.count)
        return;
    snprintf(reason, sizeof reason, "dropped: version %lld has none", (long long)g->to);
    tell(g->report, at->layout->slots[slot].name, reason);
}

static lathe_result version_arg(const lathe_source *args, int64_t *out, lathe_error *err)
{
    rec_arg_integer(args, "version", out);
    if (*out < PHXBN_OLDEST || *out > PHXBN_NEWEST)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "version %lld is not in %d .. %d",
                         (long long)*out, PHXBN_OLDEST, PHXBN_NEWEST);
    return LATHE_OK;
}

static lathe_result may_go(const rec_at *root, int64_t to, lathe_error *err)
{
    const rec_container *c = &root->doc->containers[root->layout->container];
    int64_t stage = rec_int(root, "rigging_stage");
    if (c->version < PHXBN_NEWEST && c->param == PHXBN_OPAQUE)
        return rec_fail(
            root, rec_slot_find(root->layout, "trailing"), 0, err, LATHE_ERR_UNSUPPORTED,
            "what follows the bones was not understood: open the file with num_vertices");
    if (to == PHXBN_OLDEST && stage > PHXBN_OLDEST)
        return rec_fail(root, rec_slot_find(root->layout, "rigging_stage"), 0, err, LATHE_ERR_RANGE,
                        "version 5 has no stage %lld: it would be read as a version",
                        (long long)stage);
    return LATHE_OK;
}

/* Warns if the file no longer stores the number of face corners and it cannot be determined from the data. */
static void note_unsolvable(const rec_at *root, lathe_report *report)
{
    const rec_container *c = &root->doc->containers[root->layout->container];
    phxbn_tail tail;
    uint64_t n;
    if (c->version < PHXBN_NEWEST && phxbn_weighted(root) &&
        phxbn_tail_of(root, &tail, NULL) == LATHE_OK && phxbn_solve(&tail, &n) != PHXBN_ONE)
        tell(report, "num_vertices",
             "the file does not tell it any more: open it with num_vertices");
}

static lathe_result set_version(lathe_view self, const lathe_source *args, lathe_report *report,
                                lathe_error *err)
{
    rec_at root = rec_root(self.doc, 0);
    int64_t from = self.doc->containers[0].version, stored = rec_int(&root, "version");
    going g = {.report = report};
    lathe_result r = version_arg(args, &g.to, err);
    if (r == LATHE_OK)
        r = may_go(&root, g.to, err);
    if (r != LATHE_OK || (g.to == from && g.to == stored))
        return r;
    r = rec_convert(self.doc, 0, g.to, note_dropped, &g, err);
    if (r == LATHE_OK && g.to > PHXBN_OLDEST)
        r = rec_put_raw(&root, 0, 0, (uint64_t)g.to, err);
    if (r == LATHE_OK)
        r = fill_rows(&root, from, g.to, report, err);
    if (r == LATHE_OK)
        note_unsolvable(&root, report);
    if (report)
        report->changed++;
    return r;
}

static const rec_param version = {.name = "version",
                                  .doc = "The new version. 5 to 11.",
                                  .kind = LATHE_PARAM_INTEGER,
                                  .positional = true,
                                  .needed = true};
static const rec_param *const version_params[] = {&version, NULL};

const rec_verb phxbn_verbs[] = {
    {.name = "scale",
     .doc = "Multiplies points, centres of mass, translations and masses.",
     .params = scene_scale_params,
     .run = scale},
    {.name = "rename",
     .counts = "name",
     .doc = "Gives IK bones another name.",
     .params = wolfire_rename_params,
     .run = rename_ik},
    {.name = "set_version",
     .doc = "Makes it a file of another version; tells what is invented or dropped.",
     .params = version_params,
     .run = set_version},
    {0},
};
