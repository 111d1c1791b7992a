/* Mappers: their skeletons and bones, and whether their transforms fit the rest poses. */
#include "havok/animation/mapper.h"

#include <inttypes.h>
#include <math.h>

enum {
    TIMES = 16,
    SPARE = 1 << 24 /* so often may rest poses be worked out anew, and so many bytes more */
};

/* A mapping's transform leads from the rest pose of bone A to that of bone B. Distance and angle by which it may miss; the
 * distance in sizes of the larger skeleton. The games' files miss by less than 1e-5 and 0.005 radians. */
static const double FAR = 1e-3, TURNED = 0.02;

typedef struct checker {
    rec_report *report;
    lathe_doc *doc;
    uint64_t left; /* bytes of rest poses that may still be worked out */
    bool spent;
    uint32_t parts[2]; /* of the skeletons whose poses are here */
    hk_pose poses[2];
} checker;

/* ---- poses ------------------------------------------------------------------------------------------------- */

/* Before n bones are looked at. False: no more of them. */
static bool may_look(checker *k, const rec_at *mapper, uint64_t n)
{
    if (!k->spent && n >= k->left / sizeof(mat4)) {
        rec_finding(k->report, LATHE_LEVEL_WARNING, mapper, REC_NO_SLOT, REC_NO_ITEM,
                    "mappers share too much data: the rest is not checked");
        k->spent = true;
    }
    if (!k->spent)
        k->left -= n * sizeof(mat4);
    return !k->spent;
}

/* Those of the last two skeletons stay: mappers come in pairs, there and back. */
static const hk_pose *pose_of(checker *k, const rec_at *mapper, uint32_t part, uint32_t other)
{
    lathe_error err;
    rec_at skeleton = hk_object(k->doc, part);
    for (int i = 0; i < 2; i++)
        if (k->parts[i] == part)
            return &k->poses[i];
    int to = k->parts[0] == other;
    if (!may_look(k, mapper, hk_length(&skeleton, "reference_pose")))
        return NULL;
    hk_pose_free(&k->poses[to]);
    k->parts[to] = REC_NO_PART;
    if (hk_rest_pose(&skeleton, &k->poses[to], &err) != LATHE_OK)
        return NULL;
    k->parts[to] = part;
    return &k->poses[to];
}

/* The farthest bone from the origin. */
static double size_of(const hk_pose *pose)
{
    double most = 0;
    for (size_t i = 0; i < pose->count; i++)
        most = fmax(most, vec3_length(hk_place_of(&pose->places[i])));
    return most;
}

/* ---- transforms -------------------------------------------------------------------------------------------- */

static bool transform_at(const rec_at *at, const char *name, mat4 *out)
{
    rec_at t;
    double p[4], q[4], s[4];
    if (!hk_record_at(at, name, 0, &t) || !hk_floats(&t, "translation", 4, p) ||
        !hk_floats(&t, "rotation", 4, q) || !hk_floats(&t, "scale", 4, s))
        return false;
    *out = mat4_compose((vec3){p[0], p[1], p[2]}, quat_normalize((quat){q[0], q[1], q[2], q[3]}),
                        (vec3){s[0], s[1], s[2]});
    return true;
}

/* What to look at of an element: a transform, and the bones that it is between. */
typedef struct between {
    const char *transform, *bone_a, *bone_b;
} between;

typedef struct worst {
    rec_at at;
    const char *member;
    double off, apart, turned; /* off: by which the worst one is chosen */
} worst;

static void look(const between *b, const rec_at *at, const hk_pose *const poses[2], double size,
                 worst *w)
{
    mat4 by, led;
    double a = hk_number(at, b->bone_a), to = hk_number(at, b->bone_b);
    if (!(a >= 0 && a < (double)poses[0]->count && to >= 0 && to < (double)poses[1]->count) ||
        !transform_at(at, b->transform, &by))
        return;
    const mat4 *is = &poses[1]->places[(size_t)to];
    led = mat4_mul(&poses[0]->places[(size_t)a], &by);
    double apart = vec3_length(vec3_sub(hk_place_of(&led), hk_place_of(is)));
    double turned = hk_turned_by(&led, is);
    double off = fmax(apart / (FAR * size), turned / TURNED);
    if (isnan(apart) || isnan(turned))
        off = INFINITY;
    if (off > w->off)
        *w = (worst){*at, b->transform, off, apart, turned};
}

static void look_at_all(const rec_at *mapping, const hk_pose *const poses[2], worst *w)
{
    static const struct {
        const char *list;
        between what[2];
    } lists[] = {
        {"simple_mappings", {{"a_from_b_transform", "bone_a", "bone_b"}, {NULL, NULL, NULL}}},
        {"chain_mappings",
         {{"start_a_from_b_transform", "start_bone_a", "start_bone_b"},
          {"end_a_from_b_transform", "end_bone_a", "end_bone_b"}}}};
    double size = fmax(size_of(poses[0]), size_of(poses[1]));
    for (size_t k = 0; k < REC_COUNT_OF(lists); k++) {
        uint32_t slot;
        uint64_t n;
        rec_at one;
        if (hk_find_records(mapping, lists[k].list, &slot, &n, NULL) != LATHE_OK)
            continue;
        for (uint64_t i = 0; i < n && rec_sub(mapping, slot, i, &one, NULL) == LATHE_OK; i++)
            for (int j = 0; j < 2 && lists[k].what[j].transform; j++)
                look(&lists[k].what[j], &one, poses, size, w);
    }
}

/* ---- mappers ----------------------------------------------------------------------------------------------- */

/* Of a ragdoll: what retargets may map bones of other proportions. */
static void check_transforms(checker *k, const rec_at *mapper)
{
    rec_at mapping;
    uint32_t ends[2];
    worst w = {.off = 1};
    if (k->spent || !hk_mapper_ends(mapper, &mapping, ends) || ends[0] == REC_NO_PART ||
        ends[1] == REC_NO_PART || rec_int(&mapping, "mapping_type") != 0)
        return;
    if (ends[0] == ends[1]) {
        HK_FINDING(k->report, LATHE_LEVEL_WARNING, &mapping, "skeleton_b", REC_NO_ITEM,
                   "the same skeleton as skeleton_a");
        return;
    }
    const hk_pose *a = pose_of(k, mapper, ends[0], ends[1]),
                  *b = a ? pose_of(k, mapper, ends[1], ends[0]) : NULL;
    const hk_pose *const poses[2] = {a, b};
    if (!b)
        return;
    look_at_all(&mapping, poses, &w);
    if (w.off > 1)
        HK_FINDING(
            k->report, LATHE_LEVEL_WARNING, &w.at, w.member, REC_NO_ITEM,
            "it misses the rest pose of the bone in skeleton_b by %.6g units and %.3g radians: "
            "made for another skeleton?",
            w.apart, w.turned);
}

void hk_check_mappers(rec_report *report, lathe_doc *doc, uint32_t c)
{
    uint64_t n;
    const uint32_t *objects = hk_object_list(doc, c, &n);
    checker k = {.report = report,
                 .doc = doc,
                 .left = TIMES * doc->size + SPARE,
                 .parts = {REC_NO_PART, REC_NO_PART}};
    for (int i = 0; i < 2; i++)
        k.poses[i].memory = &doc->mem;
    for (uint64_t i = 0; i < n && !report->stopped; i++) {
        if (!hk_object_is(doc, objects[i], "hkaSkeletonMapper"))
            continue;
        rec_at mapper = hk_object(doc, objects[i]), mapping;
        hk_faults faults = {.tell = hk_fault_found, .report = report};
        if (!hk_record_at(&mapper, "mapping", 0, &mapping) ||
            !may_look(&k, &mapper,
                      hk_length(&mapping, "simple_mappings") +
                          hk_length(&mapping, "chain_mappings") +
                          hk_length(&mapping, "unmapped_bones")))
            continue;
        hk_mapper_faults(&mapper, &faults);
        if (!report->stopped)
            check_transforms(&k, &mapper);
    }
    for (int i = 0; i < 2; i++)
        hk_pose_free(&k.poses[i]);
}
