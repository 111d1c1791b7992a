/* Checks volumes of a .fzx file against a skeleton: the game finds the bone of each by the name of an IK
 * chain, and crashes if it does not exist. formats/wolfire.md#4 */
#include "wolfire/fzx.h"
#include "wolfire/phxbn.h"

typedef struct target {
    const char *part, *ik[2]; /* left, right; central parts have only one */
    int up; /* number of parents above the tip; in a tail, number of the bone in the chain */
} target;

static const target targets[] = {
    {"eartip", {"leftear", "rightear"}, 0},
    {"earbase", {"leftear", "rightear"}, 1},
    {"upperarm", {"leftarm", "rightarm"}, 5},
    {"forearm", {"leftarm", "rightarm"}, 3},
    {"thigh", {"left_leg", "right_leg"}, 5},
    {"shin", {"left_leg", "right_leg"}, 3},
    {"foot", {"left_leg", "right_leg"}, 1},
    {"head", {"head", NULL}, 0},
    {"chest", {"torso", NULL}, 0},
    {"abdomen", {"torso", NULL}, 1},
    {"hip", {"torso", NULL}, 2},
    {"tail1", {"tail", NULL}, 1},
    {"tail2", {"tail", NULL}, 2},
    {"tail3", {"tail", NULL}, 3},
    {"tail4", {"tail", NULL}, 4},
    {"tail5", {"tail", NULL}, 5},
    {"tail6", {"tail", NULL}, 6},
};
enum { TARGETS = sizeof targets / sizeof targets[0] };

typedef enum answer { UNKNOWN = 0, FINE, NO_CHAIN, TOO_SHORT } answer;

typedef struct against {
    lathe_doc *skeleton;
    phxbn_rig rig;
    int32_t *ending;
    answer known[TARGETS][2]; /* cached, because there may be many volumes and chains */
} against;

static answer look(const against *a, const target *t, size_t side)
{
    phxbn_ik ik;
    bool tail = strncmp(t->part, "tail", 4) == 0;
    if (!phxbn_ik_find(a->skeleton, 0, t->ik[side], &ik))
        return NO_CHAIN;
    int64_t up = tail ? (int64_t)ik.chain - t->up : t->up;
    return up >= 0 && phxbn_has_above(&a->rig, a->ending, ik.bone, up) ? FINE : TOO_SHORT;
}

static void check_part(against *a, rec_report *r, const rec_at *object, const target *t,
                       size_t side)
{
    answer *known = &a->known[t - targets][side];
    lathe_value label;
    if (*known == UNKNOWN)
        *known = look(a, t, side);
    if (*known == FINE || rec_get(object, 0, false, &label, NULL) != LATHE_OK)
        return;
    int n = (int)(label.as.s.n < 80 ? label.as.s.n : 80);
    if (*known == NO_CHAIN)
        rec_finding(r, LATHE_LEVEL_ERROR, object, 0, REC_NO_ITEM,
                    "'%.*s' needs the IK bone '%s', which the skeleton does not have", n,
                    label.as.s.p, t->ik[side]);
    else
        rec_finding(r, LATHE_LEVEL_ERROR, object, 0, REC_NO_ITEM,
                    "'%.*s' needs more bones than the IK bone '%s' of the skeleton has", n,
                    label.as.s.p, t->ik[side]);
}

static void check_object(against *a, rec_report *r, const rec_at *object)
{
    fzx_label label;
    if (fzx_label_of(object, &label, NULL) != LATHE_OK || !label.shape || !label.part ||
        (label.part->sided && !label.side))
        return; /* the game ignores it */
    for (size_t i = 0; i < TARGETS; i++) {
        const target *t = &targets[i];
        if (strcmp(t->part, label.part->text) != 0)
            continue;
        size_t side = t->ik[1] && label.side->text[0] == 'r';
        check_part(a, r, object, t, side);
        if (t->ik[1] && label.mirrored)
            check_part(a, r, object, t, !side);
    }
}

static void check_objects(against *a, const rec_at *root, rec_report *r)
{
    uint32_t slot = rec_slot_find(root->layout, "objects");
    int64_t n = rec_int(root, "object_count");
    rec_at object;
    for (int64_t i = 0; i < n && !r->stopped; i++)
        if (rec_sub(root, slot, (uint64_t)i, &object, NULL) == LATHE_OK)
            check_object(a, r, &object);
}

void fzx_check_skeleton(const rec_at *root, rec_report *r)
{
    against a = {.skeleton = NULL};
    lathe_value v;
    const void *child;
    if (!rec_option(root->doc, "skeleton", &v, &child))
        return;
    if (v.kind == LATHE_KIND_RECORD && !child)
        a.skeleton = v.as.v.doc;
    if (!a.skeleton || a.skeleton->containers[0].format != &format_phxbn ||
        phxbn_rig_of(a.skeleton, 0, &a.rig, NULL) != LATHE_OK) {
        rec_finding(r, LATHE_LEVEL_ERROR, root, REC_NO_SLOT, REC_NO_ITEM,
                    "the skeleton to compare with is no document of a .phxbn");
        return;
    }
    size_t size = (size_t)(a.rig.point_count + 1) * sizeof(int32_t);
    a.ending = mem_alloc(&root->doc->mem, size);
    if (!a.ending)
        return;
    phxbn_ending(&a.rig, a.ending);
    check_objects(&a, root, r);
    mem_free(&root->doc->mem, a.ending, size);
}
