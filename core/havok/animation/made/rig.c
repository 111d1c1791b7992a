/* A skeleton of a document or of a table, as hkaSkeleton. */
#include "havok/animation/made/made.h"
#include "havok/objects/objects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hk_rig_open(hk_rig *rig, const mem *m)
{
    *rig = (hk_rig){.mem = m};
    model_skeleton_init(&rig->bones, m);
    buf_init(&rig->floats.floats, m);
}

void hk_rig_close(hk_rig *rig)
{
    mem_free(rig->mem, rig->locked, rig->bones.bone_count);
    mem_free(rig->mem, rig->names.all, rig->names.room * sizeof *rig->names.all);
    mem_free(rig->mem, rig->slot_names.all, rig->slot_names.room * sizeof *rig->slot_names.all);
    buf_free(&rig->floats.floats);
    model_skeleton_free(&rig->bones);
}

/* ---- bones and slots by name ---------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    const hk_name *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order ? order : (x->i > y->i) - (x->i < y->i);
}

static void put_name(hk_bone_names *names, const char *text, size_t i)
{
    if (text && *text)
        names->all[names->n++] = (hk_name){text, i};
}

static bool make_room(hk_bone_names *names, const mem *m, size_t n)
{
    names->all = n ? mem_zalloc(m, n * sizeof *names->all) : NULL;
    names->room = names->all ? n : 0;
    return !n || names->all;
}

static lathe_result sort_names(hk_rig *rig, lathe_error *err)
{
    size_t bones = rig->bones.bone_count, slots = rig->bones.slot_count;
    if (!make_room(&rig->names, rig->mem, bones) || !make_room(&rig->slot_names, rig->mem, slots))
        return rec_no_memory(err);
    for (size_t i = 0; i < bones; i++)
        put_name(&rig->names, rig->bones.bones[i].name, i);
    for (size_t i = 0; i < slots; i++)
        put_name(&rig->slot_names, rig->bones.slots[i], i);
    if (rig->names.n)
        qsort(rig->names.all, rig->names.n, sizeof *rig->names.all, by_text);
    if (rig->slot_names.n)
        qsort(rig->slot_names.all, rig->slot_names.n, sizeof *rig->slot_names.all, by_text);
    return LATHE_OK;
}

static const char *next_name(void *user, size_t i)
{
    const hk_bone_names *names = user;
    return i < names->n ? names->all[i].text : NULL;
}

/* As strcmp; `a` need not end in a NUL, and holds none. */
static int compare(rec_key a, const char *b)
{
    int order = strncmp(a.p, b, a.n);
    return order ? order : b[a.n] ? -1 : 0;
}

bool hk_bone_names_find(const hk_bone_names *names, rec_key name, size_t *i, const char **near)
{
    char text[64];
    size_t lo = 0, hi = names->n;
    *near = NULL;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (compare(name, names->all[mid].text) > 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo < names->n && name.n && compare(name, names->all[lo].text) == 0) {
        *i = names->all[lo].i;
        return true;
    }
    if (name.n >= sizeof text)
        return false;
    memcpy(text, name.p, name.n);
    text[name.n] = 0;
    *near = error_nearest(text, next_name, (void *)(uintptr_t)names);
    return false;
}

/* ---- of a table ---------------------------------------------------------------------------------------- */

static lathe_result read_lock(hk_rig *rig, const rec_table *in, const void *bone, size_t i,
                              lathe_error *err)
{
    const void *child;
    lathe_value v = rec_table_value(in, bone, "lock_translation", 0, &child);
    if (v.kind == LATHE_KIND_NONE)
        return LATHE_OK;
    if (v.kind != LATHE_KIND_BOOL)
        return rec_table_at(
            in, error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "true or false expected"), err,
            "bones[%llu].lock_translation", (unsigned long long)i + 1);
    if (!rig->locked && !(rig->locked = mem_zalloc(rig->mem, rig->bones.bone_count)))
        return rec_no_memory(err);
    rig->locked[i] = v.as.b;
    return LATHE_OK;
}

/* What the skeletons of all formats have was read: here is what this one has besides. */
static lathe_result read_bone(hk_rig *rig, const rec_table *in, const void *bone, size_t i,
                              lathe_error *err)
{
    static const char *const known[] = {"name", "parent",           "mirror",
                                        "pose", "lock_translation", NULL};
    static const char *const parts[] = {"t", "q", "s", NULL};
    const void *pose, *child;
    rec_key text;
    unsigned long long number = (unsigned long long)i + 1;
    lathe_result r = rec_table_names(in, bone, "a bone", known, err);
    lathe_value v = rec_table_value(in, bone, "name", 0, &child);
    if (r == LATHE_OK && v.kind != LATHE_KIND_NONE)
        r = rec_plain_text(&v, &text, err);
    rec_table_value(in, bone, "pose", 0, &pose);
    if (r == LATHE_OK && pose)
        r = rec_table_names(in, pose, "a pose", parts, err);
    r = rec_table_at(in, r, err, "bones[%llu]", number);
    return r == LATHE_OK ? read_lock(rig, in, bone, i, err) : r;
}

static lathe_result read_slots(hk_rig *rig, const rec_table *in, lathe_error *err)
{
    const void *list, *child;
    lathe_value v = rec_table_value(in, NULL, "float_slots", 0, &list);
    if (v.kind == LATHE_KIND_NONE)
        return LATHE_OK;
    if (!list)
        return rec_table_at(
            in, error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "a list of names expected"), err,
            "float_slots");
    uint64_t n = rec_table_count(in, list);
    lathe_result r =
        n < SIZE_MAX ? model_skeleton_slots(&rig->bones, (size_t)n, err) : rec_no_memory(err);
    for (size_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_key text;
        v = rec_table_value(in, list, NULL, i, &child);
        r = rec_table_at(in, rec_plain_text(&v, &text, err), err, "float_slots[%zu]", i + 1);
        const char *copy = r == LATHE_OK ? model_skeleton_text(&rig->bones, text.p, text.n) : "";
        if (!copy)
            return rec_no_memory(err);
        rig->bones.slots[i] = copy;
    }
    return r;
}

static lathe_result read_table(hk_rig *rig, const rec_table *in, lathe_error *err)
{
    static const char *const known[] = {"name", "bones", "float_slots", "reference_floats", NULL};
    const void *bones, *child;
    rec_key name;
    lathe_result r = rec_table_names(in, NULL, "a skeleton", known, err);
    if (r != LATHE_OK)
        error_where(err, in->where);
    rec_table_value(in, NULL, "bones", 0, &bones);
    if (!bones)
        bones = in->node; /* the list itself */
    if (r == LATHE_OK)
        r = rec_table_text(in, "name", &name, err);
    for (size_t i = 0; r == LATHE_OK && i < rig->bones.bone_count; i++) {
        rec_table_value(in, bones, NULL, i, &child);
        if (child) /* else the number of its parent */
            r = read_bone(rig, in, child, i, err);
    }
    if (r == LATHE_OK)
        r = read_slots(rig, in, err);
    return r == LATHE_OK ? rec_table_numbers(in, "reference_floats", 1, &rig->floats, err) : r;
}

/* ---- of a document ------------------------------------------------------------------------------------- */

/* What the record has besides, where it is hkaSkeleton in whatever file. */
static lathe_result read_record(hk_rig *rig, lathe_error *err)
{
    rec_at at, bone;
    uint32_t slot;
    lathe_view view = rig->bones.source;
    bytes_array floats;
    if (!view.doc || rec_enter(&view, &at, &slot, NULL) != LATHE_OK || !hk_is(&at, "hkaSkeleton"))
        return LATHE_OK;
    size_t n = rig->bones.bone_count;
    if (n && !(rig->locked = mem_zalloc(rig->mem, n)))
        return rec_no_memory(err);
    for (size_t i = 0; i < n; i++)
        if (hk_record_at(&at, "bones", i, &bone))
            rig->locked[i] = rec_int(&bone, "lock_translation") != 0;
    lathe_result r = hk_elements(&at, "reference_floats", sizeof(float), &floats, err);
    for (uint64_t i = 0; r == LATHE_OK && i < floats.count && i < rig->bones.slot_count; i++) {
        float f = (float)bytes_f32_widen(bytes_ld32(floats.bytes + 4 * i, hk_is_big(&at)));
        rig->floats.count++;
        if (!buf_put(&rig->floats.floats, &f, sizeof f))
            return rec_no_memory(err);
    }
    return r;
}

lathe_result hk_rig_read(hk_rig *rig, lathe_doc *doc, const rec_table *g, lathe_error *err)
{
    const void *node;
    rec_table in;
    lathe_result r = scene_skeleton_arg(doc, &g->api, "skeleton", &rig->bones, &rig->is, err);
    if (r != LATHE_OK)
        error_where(err, g->where);
    if (r != LATHE_OK || !rig->is)
        return r;
    rec_table_value(g, NULL, "skeleton", 0, &node);
    if (node)
        r = rec_table_in(g, "skeleton", g->where ? "animation.skeleton" : "skeleton", &in, &rig->is,
                         err);
    if (r == LATHE_OK)
        r = node ? read_table(rig, &in, err) : read_record(rig, err);
    return r == LATHE_OK ? sort_names(rig, err) : r;
}

/* ---- what a file can hold ------------------------------------------------------------------------------ */

static lathe_result bad(const rec_table *g, lathe_error *err, lathe_result code, size_t bone,
                        const char *what)
{
    return rec_table_at(g, error_set(err, code, LATHE_NO_OFFSET, "%s", what), err,
                        "skeleton.bones[%zu]", bone + 1);
}

static lathe_result check_pose(const rec_table *g, model_bone *bone, size_t i, lathe_error *err)
{
    enum { Q = 3, LANES = 4 };
    double sum = 0;
    for (size_t k = 0; k < MODEL_POSE; k++)
        if (!isfinite((float)bone->pose[k]))
            return bad(g, err, LATHE_ERR_INVALID, i, "a pose of what are no finite numbers");
    for (size_t k = Q; k < Q + LANES; k++)
        sum += bone->pose[k] * bone->pose[k];
    if (!(sum > 0))
        return bad(g, err, LATHE_ERR_INVALID, i, "a rotation of length 0");
    for (size_t k = Q; (sum < 0.99 || sum > 1.01) && k < Q + LANES; k++)
        bone->pose[k] /= sqrt(sum);
    return LATHE_OK;
}

/* The second one of a name that two have; NULL: there is none. The first one is in front of it. */
static const hk_name *find_twice(const hk_bone_names *names)
{
    for (size_t i = 1; i < names->n; i++)
        if (strcmp(names->all[i - 1].text, names->all[i].text) == 0)
            return &names->all[i];
    return NULL;
}

static lathe_result check_names(const hk_rig *rig, const rec_table *g, lathe_error *err)
{
    char text[160];
    const hk_name *twice = find_twice(&rig->names);
    if (twice) {
        snprintf(text, sizeof text, "bone %zu has the name '%.80s', too", twice[-1].i, twice->text);
        return bad(g, err, LATHE_ERR_INVALID, twice->i, text);
    }
    twice = find_twice(&rig->slot_names);
    if (twice)
        return rec_table_at(g,
                            error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                                      "slot %zu has the name '%.80s', too", twice[-1].i,
                                      twice->text),
                            err, "skeleton.float_slots[%zu]", twice->i + 1);
    for (size_t i = 0; rig->names.n && i < rig->bones.bone_count; i++)
        if (!rig->bones.bones[i].name || !*rig->bones.bones[i].name)
            return bad(g, err, LATHE_ERR_INVALID, i, "a bone without a name");
    return LATHE_OK;
}

static lathe_result check_floats(const hk_rig *rig, const rec_table *g, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    if (rig->floats.count && rig->floats.count != rig->bones.slot_count)
        r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "%llu of them for %zu float slots",
                      (unsigned long long)rig->floats.count, rig->bones.slot_count);
    for (uint64_t i = 0; r == LATHE_OK && i < rig->floats.count; i++)
        if (!isfinite(rec_table_floats(&rig->floats)[i]))
            r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "number %llu is not finite",
                          (unsigned long long)i + 1);
    return rec_table_at(g, r, err, "skeleton.reference_floats");
}

lathe_result hk_rig_check(hk_rig *rig, const rec_table *g, lathe_error *err)
{
    size_t n = rig->bones.bone_count;
    lathe_result r = LATHE_OK;
    if (n == 0 || n >= HK_INDICES || rig->bones.slot_count >= HK_INDICES)
        return rec_table_at(g,
                            error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                                      "%zu bones and %zu float slots: 1 to %d bones can be, and as "
                                      "many slots",
                                      n, rig->bones.slot_count, HK_INDICES - 1),
                            err, "skeleton");
    for (size_t i = 0; r == LATHE_OK && i < n; i++) {
        model_bone *bone = &rig->bones.bones[i];
        if (bone->parent >= (int64_t)i)
            return bad(g, err, LATHE_ERR_INVALID, i,
                       "its parent comes behind it: parents stand in front of their children");
        r = check_pose(g, bone, i, err);
    }
    if (r == LATHE_OK)
        r = check_names(rig, g, err);
    return r == LATHE_OK ? check_floats(rig, g, err) : r;
}

/* ---- the object ---------------------------------------------------------------------------------------- */

/* Three numbers and an unused one, or four. */
static void put_vector(hk_values *v, hk_node *to, const char *name, const double *f, size_t n)
{
    double lanes[4] = {0};
    memcpy(lanes, f, n * sizeof *f);
    hk_put_reals(v, to, name, lanes, 4);
}

static void put_bones(const hk_rig *rig, hk_values *v, hk_node *to)
{
    hk_node *parents = hk_put_list(v, to, "parent_indices");
    hk_node *bones = hk_put_list(v, to, "bones");
    hk_node *poses = hk_put_list(v, to, "reference_pose");
    for (size_t i = 0; i < rig->bones.bone_count; i++) {
        const model_bone *bone = &rig->bones.bones[i];
        hk_node *one = hk_put_table(v, bones, NULL), *pose = hk_put_table(v, poses, NULL);
        hk_put_int(v, parents, NULL, bone->parent);
        hk_put_word(v, one, "name", bone->name ? bone->name : "");
        hk_put_int(v, one, "lock_translation", rig->locked && rig->locked[i]);
        put_vector(v, pose, "translation", bone->pose, 3);
        put_vector(v, pose, "rotation", bone->pose + 3, 4);
        put_vector(v, pose, "scale", bone->pose + 7, 3);
    }
}

/* Without one: that of its root, as in the games' files. */
const char *hk_rig_name(const hk_rig *rig)
{
    if (rig->bones.name)
        return rig->bones.name;
    return rig->bones.bone_count ? rig->bones.bones[0].name : NULL;
}

void hk_rig_put(const hk_rig *rig, hk_values *v, hk_node *to)
{
    const char *name = hk_rig_name(rig);
    hk_put_word(v, to, "name", name ? name : "");
    put_bones(rig, v, to);
    hk_node *floats = hk_put_list(v, to, "reference_floats");
    hk_node *slots = hk_put_list(v, to, "float_slots");
    for (size_t i = 0; i < rig->bones.slot_count; i++) {
        hk_put_real(v, floats, NULL,
                    i < rig->floats.count ? (double)rec_table_floats(&rig->floats)[i] : 0);
        hk_put_word(v, slots, NULL, rig->bones.slots[i]);
    }
}
