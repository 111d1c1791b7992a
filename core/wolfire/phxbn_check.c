/* doc:check() of a skeleton: what the game refuses, crashes on, or reads in an unexpected way.
 * formats/wolfire.md#3.2, #3.3, #3.5 */
#include "wolfire/phxbn.h"

#include <math.h>
#include <stdio.h>

typedef struct checking {
    rec_report *r;
    rec_at root;
    phxbn_rig rig;
    int32_t *ending, *mirror, *depth; /* depth: number of bones from one up to its root; -1: there
                                       * is a cycle */
} checking;

static uint32_t slot_of(const checking *k, const char *name)
{
    return rec_slot_find(k->root.layout, name);
}

static bool is_bone(const checking *k, int64_t id)
{
    return id >= 0 && (uint64_t)id < k->rig.bone_count;
}

/* ---- the file as a whole ---------------------------------------------------------------------------- */

static void check_layout(checking *k)
{
    const rec_container *c = &k->r->doc->containers[k->root.layout->container];
    uint32_t trailing = slot_of(k, "trailing");
    rec_loc loc;
    bool rest = rec_find(&k->root, trailing, &loc, NULL) == LATHE_OK && loc.count;
    if (c->version < PHXBN_NEWEST && c->param == PHXBN_OPAQUE)
        rec_finding(k->r, LATHE_LEVEL_ERROR, &k->root, trailing, REC_NO_ITEM,
                    "no one number of face corners makes sense of the %llu bytes behind the bones",
                    (unsigned long long)loc.count);
    else if (rest)
        rec_finding(k->r, LATHE_LEVEL_WARNING, &k->root, trailing, REC_NO_ITEM,
                    "%llu trailing bytes, which the game ignores", (unsigned long long)loc.count);
    if (rec_int(&k->root, "version") != c->version)
        rec_finding(k->r, LATHE_LEVEL_WARNING, &k->root, 0, REC_NO_ITEM,
                    "labelled %lld, laid out as %lld: the game reads weights from the wrong place",
                    (long long)rec_int(&k->root, "version"), (long long)c->version);
}

/* Checks that the number of corners fits the model, and that an old file can be read again with it. */
static void check_corners(checking *k)
{
    lathe_doc *doc = k->r->doc;
    const rec_container *c = &doc->containers[k->root.layout->container];
    uint32_t slot = slot_of(k, "num_vertices");
    int64_t have = (int64_t)k->rig.corner_count, want;
    lathe_value v;
    const void *child;
    phxbn_tail tail;
    uint64_t n = 0;
    if (have % 3)
        rec_finding(k->r, LATHE_LEVEL_WARNING, &k->root, slot, REC_NO_ITEM,
                    "%lld face corners, which is no number of whole triangles", (long long)have);
    if (rec_option(doc, "corners", &v, &child)) {
        if (!wolfire_whole(&v, &want) || want < 0)
            rec_finding(k->r, LATHE_LEVEL_ERROR, &k->root, slot, REC_NO_ITEM,
                        "corners is the number of the model's face corners");
        else if (want != have)
            rec_finding(k->r, LATHE_LEVEL_ERROR, &k->root, slot, REC_NO_ITEM,
                        c->version >= PHXBN_NEWEST
                            ? "weights for %lld face corners, the model has %lld: the game refuses "
                              "the skeleton (sub error 4)"
                            : "weights for %lld face corners, the model has %lld: the game reads "
                              "what follows from the wrong place",
                        (long long)have, (long long)want);
    }
    if (c->version >= PHXBN_NEWEST || phxbn_tail_of(&k->root, &tail, NULL) != LATHE_OK)
        return;
    phxbn_answer answer = phxbn_solve(&tail, &n);
    if (answer == PHXBN_ONE && (int64_t)n != have)
        rec_finding(k->r, LATHE_LEVEL_ERROR, &k->root, slot, REC_NO_ITEM,
                    "saved like this it would be read with %llu face corners, not %lld",
                    (unsigned long long)n, (long long)have);
    else if (answer != PHXBN_ONE)
        rec_finding(k->r, LATHE_LEVEL_WARNING, &k->root, slot, REC_NO_ITEM,
                    "saved like this the file does not tell that it has %lld face corners: open it "
                    "with num_vertices",
                    (long long)have);
}

/* ---- points and bones ------------------------------------------------------------------------------- */

/* Checks that all numbers of a list are -1, or from 0 to count - 1. */
static void check_numbers(checking *k, const char *name, const uint8_t *list, uint64_t n,
                          const char *what, uint64_t count)
{
    for (uint64_t i = 0; list && i < n && !k->r->stopped; i++) {
        int32_t number = phxbn_i32(list, i);
        if (number < -1 || (number >= 0 && (uint64_t)number >= count))
            rec_finding(k->r, LATHE_LEVEL_ERROR, &k->root, slot_of(k, name), i,
                        "%s %ld of %llu: the game looks outside of its memory", what, (long)number,
                        (unsigned long long)count);
    }
}

static void check_ends(checking *k)
{
    uint32_t slot = slot_of(k, "bone_ends");
    for (uint64_t i = 0; i < 2 * k->rig.bone_count && !k->r->stopped; i++) {
        int32_t point = phxbn_i32(k->rig.ends, i);
        rec_at ends;
        if ((point < 0 || (uint64_t)point >= k->rig.point_count) &&
            rec_sub(&k->root, slot, i / 2, &ends, NULL) == LATHE_OK)
            rec_finding(k->r, LATHE_LEVEL_ERROR, &ends, (uint32_t)(i % 2), REC_NO_ITEM,
                        "point %ld of %llu: the game looks outside of its memory", (long)point,
                        (unsigned long long)k->rig.point_count);
    }
}

static void check_symmetry(checking *k)
{
    uint32_t slot = slot_of(k, "bone_ends");
    vec3 start, finish;
    if (k->rig.bone_count > PHXBN_MANY) {
        rec_finding(k->r, LATHE_LEVEL_WARNING, &k->root, slot, REC_NO_ITEM,
                    "%llu bones: too many to look for the other side of each",
                    (unsigned long long)k->rig.bone_count);
        return;
    }
    for (uint64_t i = 0; i < k->rig.bone_count && !k->r->stopped; i++)
        if (k->mirror[i] < 0 && phxbn_ends_of(&k->rig, i, &start, &finish))
            rec_finding(k->r, LATHE_LEVEL_ERROR, &k->root, slot, i,
                        "not symmetrical: no bone is its mirror image in X, and the game refuses "
                        "the skeleton (sub error 3)");
}

static void check_mass(checking *k)
{
    for (uint64_t i = 0; k->rig.mass && i < k->rig.bone_count && !k->r->stopped; i++) {
        double mass = phxbn_f32(k->rig.mass, i);
        if (mass <= 0)
            rec_finding(k->r, LATHE_LEVEL_WARNING, &k->root, slot_of(k, "bone_mass"), i,
                        "a mass of %.9g", mass);
    }
}

/* Computes all depths: walks up from each bone to the first known depth, and marks bones on the way. */
static void find_depths(checking *k)
{
    const phxbn_rig *rig = &k->rig;
    for (uint64_t i = 0; i < rig->bone_count; i++) {
        int32_t mark = -2 - (int32_t)i, bone = (int32_t)i, n = 0, above = 0;
        for (; is_bone(k, bone) && k->depth[bone] == 0; n++) {
            k->depth[bone] = mark;
            bone = phxbn_parent(rig, k->ending, (uint64_t)bone);
        }
        if (is_bone(k, bone))
            above = k->depth[bone] == mark ? -1 : k->depth[bone];
        for (bone = (int32_t)i; n > 0; n--) {
            k->depth[bone] = above < 0 ? -1 : above + n;
            bone = phxbn_parent(rig, k->ending, (uint64_t)bone);
        }
    }
}

static void check_hierarchy(checking *k)
{
    const char *name = k->rig.hier ? "hier_parents" : k->rig.parents ? "bone_parents" : "bone_ends";
    uint64_t points = k->rig.point_count, bones = k->rig.bone_count;
    check_numbers(k, "point_parents", k->rig.point_parents, points, "point", points);
    check_numbers(k, "bone_parents", k->rig.parents, bones, "bone", bones);
    check_numbers(k, "hier_parents", k->rig.hier, bones, "bone", bones);
    for (uint64_t i = 0; i < bones && !k->r->stopped; i++)
        if (k->depth[i] < 0)
            rec_finding(k->r, LATHE_LEVEL_ERROR, &k->root, slot_of(k, name), i,
                        "the bone is among its own ancestors, or below such bones");
}

/* ---- weights ---------------------------------------------------------------------------------------- */

/* Checks weights. Thousands of rows may have the same problem, so the first is reported and the others are
 * counted. */
static void check_weights(checking *k)
{
    uint64_t light = 0, first_light = 0, lost = 0, first_lost = 0;
    for (uint64_t i = 0; k->rig.ids && i < k->rig.corner_count; i++) {
        double sum = 0;
        bool wrong = false;
        for (uint64_t lane = 4 * i; lane < 4 * i + 4; lane++) {
            double id = phxbn_f32(k->rig.ids, lane);
            sum += phxbn_f32(k->rig.weights, lane);
            wrong = wrong || !(id >= 0 && id < (double)k->rig.bone_count) || id != floor(id);
        }
        if (!(sum >= 0.99) && light++ == 0)
            first_light = i;
        if (wrong && lost++ == 0)
            first_lost = i;
    }
    if (lost)
        rec_finding(k->r, LATHE_LEVEL_ERROR, &k->root, slot_of(k, "bone_ids"), first_lost,
                    "no numbers of bones, here and in %llu rows in all", (unsigned long long)lost);
    if (light)
        rec_finding(k->r, LATHE_LEVEL_WARNING, &k->root, slot_of(k, "weights"), first_light,
                    "less than 0.99 in all, here and in %llu rows in all: the game takes the "
                    "nearest bone",
                    (unsigned long long)light);
}

/* ---- joints and IK bones ---------------------------------------------------------------------------- */

static void check_joints(checking *k)
{
    uint32_t slot = slot_of(k, "joints");
    rec_loc loc;
    if (rec_find(&k->root, slot, &loc, NULL) != LATHE_OK || !loc.present)
        return;
    for (uint64_t i = 0; i < loc.count && !k->r->stopped; i++) {
        rec_at joint;
        uint64_t raw[2] = {0, 0};
        if (rec_sub(&k->root, slot, i, &joint, NULL) != LATHE_OK)
            return;
        uint32_t bones = rec_slot_find(joint.layout, "bone");
        for (uint64_t b = 0; b < 2; b++)
            if (rec_raw(&joint, bones, b, &raw[b], NULL) == LATHE_OK &&
                !is_bone(k, (int32_t)(uint32_t)raw[b]))
                rec_finding(k->r, LATHE_LEVEL_ERROR, &joint, bones, b,
                            "bone %ld of %llu: the game looks outside of its memory",
                            (long)(int32_t)(uint32_t)raw[b], (unsigned long long)k->rig.bone_count);
        if (raw[0] == raw[1])
            rec_finding(k->r, LATHE_LEVEL_WARNING, &joint, bones, REC_NO_ITEM,
                        "a joint of a bone with itself, which the game leaves out");
    }
}

static void check_chain(checking *k, const phxbn_ik *ik, uint64_t i)
{
    rec_at record;
    if (rec_sub(&k->root, slot_of(k, "ik_bones"), i, &record, NULL) != LATHE_OK)
        return;
    if (!is_bone(k, ik->bone))
        rec_finding(k->r, LATHE_LEVEL_ERROR, &record, 0, REC_NO_ITEM,
                    "bone %ld of %llu: the game looks outside of its memory", (long)ik->bone,
                    (unsigned long long)k->rig.bone_count);
    else if (ik->chain < 1)
        rec_finding(k->r, LATHE_LEVEL_WARNING, &record, 1, REC_NO_ITEM, "a chain of %ld bones",
                    (long)ik->chain);
    else if (k->depth[ik->bone] >= 0 && ik->chain > k->depth[ik->bone])
        rec_finding(k->r, LATHE_LEVEL_ERROR, &record, 1, REC_NO_ITEM,
                    "a chain of %ld bones, but there are only %ld up to the root", (long)ik->chain,
                    (long)k->depth[ik->bone]);
}

static void check_repeated(checking *k, const phxbn_ik *list, uint64_t n, uint64_t i)
{
    rec_at record;
    uint64_t last = i;
    for (uint64_t j = i + 1; n <= PHXBN_MANY && j < n; j++)
        if (list[j].size == list[i].size && memcmp(list[j].name, list[i].name, list[i].size) == 0)
            last = j;
    if (last != i && rec_sub(&k->root, slot_of(k, "ik_bones"), i, &record, NULL) == LATHE_OK)
        rec_finding(k->r, LATHE_LEVEL_WARNING, &record, 2, REC_NO_ITEM,
                    "'%.*s' comes again at ik_bones[%llu]: the game takes the last one",
                    (int)(list[i].size < 64 ? list[i].size : 64), list[i].name,
                    (unsigned long long)last + 1);
}

static void check_needed(checking *k, const phxbn_ik *list, uint64_t n)
{
    static const char *const needed[] = {"leftarm",   "rightarm", "left_leg",
                                         "right_leg", "head",     "torso"};
    char missing[96] = "";
    size_t used = 0;
    for (size_t name = 0; name < sizeof needed / sizeof needed[0]; name++) {
        uint64_t i = 0;
        while (i < n && (list[i].size != strlen(needed[name]) ||
                         memcmp(list[i].name, needed[name], list[i].size) != 0))
            i++;
        if (i == n && used < sizeof missing)
            used += (size_t)snprintf(missing + used, sizeof missing - used, used ? ", %s" : "%s",
                                     needed[name]);
    }
    if (used)
        rec_finding(k->r, LATHE_LEVEL_WARNING, &k->root, slot_of(k, "num_ik"), REC_NO_ITEM,
                    "a biped also needs the IK bones %s", missing);
}

static void check_ik(checking *k)
{
    const mem *m = &k->r->doc->mem;
    uint32_t c = k->root.layout->container;
    rec_loc loc;
    uint64_t n = 0;
    if (rec_find(&k->root, slot_of(k, "ik_bones"), &loc, NULL) != LATHE_OK || !loc.present)
        return;
    size_t size = (size_t)(loc.count + 1) * sizeof(phxbn_ik);
    phxbn_ik *list = mem_alloc(m, size);
    if (!list)
        return;
    while (n < loc.count && phxbn_ik_at(k->r->doc, c, n, &list[n]))
        n++;
    for (uint64_t i = 0; i < n && !k->r->stopped; i++) {
        check_chain(k, &list[i], i);
        check_repeated(k, list, n, i);
    }
    check_needed(k, list, n);
    mem_free(m, list, size);
}

/* ---- all checks ------------------------------------------------------------------------------------- */

void phxbn_check(lathe_doc *doc, uint32_t c, rec_report *r)
{
    checking k = {.r = r, .root = rec_root(doc, c)};
    if (phxbn_rig_of(doc, c, &k.rig, NULL) != LATHE_OK)
        return;
    uint64_t points = k.rig.point_count, bones = k.rig.bone_count;
    size_t size = (size_t)(points + 2 * bones + 1) * sizeof(int32_t);
    k.ending = mem_zalloc(&doc->mem, size);
    if (!k.ending)
        return;
    k.mirror = k.ending + points;
    k.depth = k.mirror + bones;
    phxbn_ending(&k.rig, k.ending);
    phxbn_symmetry(&k.rig, k.mirror);
    find_depths(&k);
    check_layout(&k);
    if (k.rig.weights)
        check_corners(&k);
    check_ends(&k);
    check_symmetry(&k);
    check_hierarchy(&k);
    check_mass(&k);
    check_weights(&k);
    check_joints(&k);
    check_ik(&k);
    mem_free(&doc->mem, k.ending, size);
}
