/* doc:check() of an animation: problems in the game that do not prevent opening. Reference:
 * formats/wolfire.md#2.3. */
#include "scene/clip.h"
#include "wolfire/anm.h"

/* Arrays that must have the same length in all frames: the game uses the count of the first frame. */
static const struct same_count {
    const char *count, *things, *keys; /* keys: an array whose labels must be the same too */
} same_counts[] = {
    {"num_bone_matrices", "bones", NULL},
    {"num_weights", "weights", NULL},
    {"num_weapon_matrices", "weapons", NULL},
    {"num_shape_keys", "shape keys", "shape_keys"},
    {"num_status_keys", "status keys", "status_keys"},
};

/* Gets element i of an array of records, by name. */
static bool item(const rec_at *at, const char *array, uint64_t i, rec_at *out)
{
    return rec_sub(at, rec_slot_find(at->layout, array), i, out, NULL) == LATHE_OK;
}

static bool text_of(const rec_at *at, const char *name, lathe_value *out)
{
    return rec_get(at, rec_slot_find(at->layout, name), false, out, NULL) == LATHE_OK &&
           out->kind == LATHE_KIND_STRING;
}

static void check_labels(rec_report *r, const rec_at *first, const rec_at *frame, const char *keys,
                         int64_t n)
{
    for (int64_t i = 0; i < n && !r->stopped; i++) {
        rec_at a, b;
        lathe_value was, is;
        if (item(first, keys, (uint64_t)i, &a) && item(frame, keys, (uint64_t)i, &b) &&
            text_of(&a, "label", &was) && text_of(&b, "label", &is) &&
            (was.as.s.n != is.as.s.n || memcmp(was.as.s.p, is.as.s.p, is.as.s.n) != 0))
            rec_finding(r, LATHE_LEVEL_WARNING, &b, rec_slot_find(b.layout, "label"), REC_NO_ITEM,
                        "another label than in the first frame: the game goes by their order");
    }
}

static void check_same(rec_report *r, const rec_at *first, const rec_at *frame)
{
    for (size_t k = 0; k < sizeof same_counts / sizeof same_counts[0] && !r->stopped; k++) {
        const struct same_count *s = &same_counts[k];
        int64_t was = rec_int(first, s->count), is = rec_int(frame, s->count);
        if (was != is)
            rec_finding(r, LATHE_LEVEL_WARNING, frame, rec_slot_find(frame->layout, s->count),
                        REC_NO_ITEM,
                        "%lld %s, %lld in the first frame: the game goes by the first frame's",
                        (long long)is, s->things, (long long)was);
        if (s->keys)
            check_labels(r, first, frame, s->keys, was < is ? was : is);
    }
}

static void check_time(rec_report *r, const rec_at *frame, int64_t before)
{
    int64_t now = rec_int(frame, "time");
    if (now == before)
        rec_finding(r, LATHE_LEVEL_WARNING, frame, rec_slot_find(frame->layout, "time"),
                    REC_NO_ITEM, "at the same time as the frame before it");
    else if (now < before)
        rec_finding(r, LATHE_LEVEL_WARNING, frame, rec_slot_find(frame->layout, "time"),
                    REC_NO_ITEM,
                    "at %lld ms, before the frame in front of it: the game goes by their order",
                    (long long)now);
}

/* Reports a bone that does not exist: the game does not check bone indices. */
static void check_bone(rec_report *r, const rec_at *at, const char *name, uint64_t i, int64_t bone,
                       int64_t bones)
{
    if (bone < 0 || bone >= bones)
        rec_finding(r, LATHE_LEVEL_ERROR, at, rec_slot_find(at->layout, name), i,
                    "bone %lld of %lld: the game writes outside of its memory", (long long)bone,
                    (long long)bones);
}

static void check_path(rec_report *r, const rec_at *ik, int64_t bones)
{
    uint32_t slot = rec_slot_find(ik->layout, "path");
    int64_t n = rec_int(ik, "num_path");
    lathe_value v;
    if (n == 0)
        rec_finding(r, LATHE_LEVEL_WARNING, ik, slot, REC_NO_ITEM,
                    "empty path: the game looks at its last bone all the same");
    for (int64_t i = 0; i < n && !r->stopped; i++)
        if (rec_get_item(ik, slot, (uint64_t)i, false, &v, NULL) == LATHE_OK)
            check_bone(r, ik, "path", (uint64_t)i, v.as.i, bones);
}

static void check_bones(rec_report *r, const rec_at *frame)
{
    int64_t bones = rec_int(frame, "num_bone_matrices");
    int64_t weapons = rec_int(frame, "num_weapon_matrices");
    int64_t events = rec_int(frame, "num_events"), chains = rec_int(frame, "num_ik_bones");
    rec_at at;
    for (int64_t i = 0; i < weapons && !r->stopped; i++)
        if (item(frame, "weapon_matrices", (uint64_t)i, &at)) {
            int64_t bone = rec_int(&at, "relative_id"); /* 0 if there is none */
            if (bone != -1 && at.doc->containers[0].version >= ANM_WEAPON_IDS)
                check_bone(r, &at, "relative_id", REC_NO_ITEM, bone, bones);
        }
    for (int64_t i = 0; i < events && !r->stopped; i++)
        if (item(frame, "events", (uint64_t)i, &at))
            check_bone(r, &at, "bone", REC_NO_ITEM, rec_int(&at, "bone"), bones);
    for (int64_t i = 0; i < chains && !r->stopped; i++)
        if (item(frame, "ik_bones", (uint64_t)i, &at))
            check_path(r, &at, bones);
}

static void check_trailing(rec_report *r, const rec_at *root)
{
    uint32_t tail = rec_slot_find(root->layout, "trailing");
    rec_loc loc;
    if (rec_find(root, tail, &loc, NULL) == LATHE_OK && loc.count)
        rec_finding(r, LATHE_LEVEL_WARNING, root, tail, REC_NO_ITEM,
                    "%llu trailing bytes, which the game ignores", (unsigned long long)loc.count);
}

/* Compares the file with the skeleton passed to check, if any: the game maps bones by index. */
static void check_skeleton(rec_report *r, const rec_at *first)
{
    int64_t bones = rec_int(first, "num_bone_matrices");
    uint32_t slot = rec_slot_find(first->layout, "num_bone_matrices");
    model_skeleton skeleton;
    bool given = false;
    lathe_error why;
    lathe_result r_arg =
        scene_skeleton_arg(first->doc, first->doc->extra, "skeleton", &skeleton, &given, &why);
    if (r_arg != LATHE_OK)
        rec_finding(r, LATHE_LEVEL_ERROR, first, REC_NO_SLOT, REC_NO_ITEM, "the skeleton: %s",
                    why.message);
    const model_skeleton *with = given ? &skeleton : scene_linked(first->doc);
    if (r_arg == LATHE_OK && with && with->bone_count != (uint64_t)bones)
        rec_finding(r, LATHE_LEVEL_ERROR, first, slot, REC_NO_ITEM,
                    "%lld bones, the skeleton has %zu", (long long)bones, with->bone_count);
    if (r_arg == LATHE_OK && given)
        model_skeleton_free(&skeleton);
}

void anm_check(lathe_doc *doc, uint32_t c, rec_report *r)
{
    rec_at root = rec_root(doc, c), first, frame;
    int64_t before = INT64_MIN, n = rec_int(&root, "frame_count");
    bool centered = rec_int(&root, "centered") != 0;
    if (n < 1 || !item(&root, "frames", 0, &first))
        return;
    check_skeleton(r, &first);
    for (int64_t i = 0; i < n && !r->stopped; i++) {
        if (!item(&root, "frames", (uint64_t)i, &frame))
            continue;
        check_time(r, &frame, before);
        check_same(r, &first, &frame);
        check_bones(r, &frame);
        if (!centered && !rec_int(&frame, "num_bone_matrices") && !rec_int(&frame, "use_mobility"))
            rec_finding(r, LATHE_LEVEL_WARNING, &frame, REC_NO_SLOT, REC_NO_ITEM,
                        "neither bones nor mobility: the game fails when it centres the frame");
        before = rec_int(&frame, "time");
    }
    check_trailing(r, &root);
}
