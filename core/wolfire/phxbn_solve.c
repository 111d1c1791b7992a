/* Finds the number of face corners with weights in files below version 11, which do not store it.
 * formats/wolfire.md#3.4 */
#include "wolfire/phxbn.h"

#include <math.h>

enum {
    ROW = 32,
    STEPS = 16
}; /* size of a corner's weights and ids; maximum number of reads per word */

static int32_t word(const phxbn_tail *t, uint64_t at)
{
    return (int32_t)bytes_ld32(t->p + at, false);
}

static bool is_bone(const phxbn_tail *t, int32_t id)
{
    return id >= 0 && (uint64_t)id < t->bones;
}

/* ---- parsing behind the weights -------------------------------------------------------------------- */

static bool skip_joint(const phxbn_tail *t, uint64_t *at)
{
    if (t->size - *at < 12)
        return false;
    int32_t type = word(t, *at);
    uint64_t stops = type == PHXBN_HINGE ? 8 : type == PHXBN_AMOTOR ? 24 : 0;
    uint64_t size = 12 + stops + (type == PHXBN_HINGE ? 12 : 0);
    if (type < PHXBN_HINGE || type > PHXBN_FIXED || t->size - *at < size ||
        !is_bone(t, word(t, *at + 4 + stops)) || !is_bone(t, word(t, *at + 8 + stops)))
        return false;
    *at += size;
    return true;
}

static bool skip_ik(const phxbn_tail *t, uint64_t *at)
{
    if (t->size - *at < 12)
        return false;
    int32_t n = word(t, *at + 8);
    if (n < 0 || (uint64_t)n > t->size - *at - 12)
        return false;
    *at += 12 + (uint64_t)n;
    return true;
}

/* Skips a count at *at and as many elements with `skip`. Decrements *steps for each. */
static bool skip_list(const phxbn_tail *t, uint64_t *at, uint64_t *steps,
                      bool (*skip)(const phxbn_tail *t, uint64_t *at))
{
    if (t->size - *at < 4)
        return false;
    int32_t n = word(t, *at);
    *at += 4;
    if (n < 0 || (uint64_t)n > (t->size - *at) / 12)
        return false;
    for (; n > 0; n--, --*steps)
        if (*steps == 0 || !skip(t, at))
            return false;
    return true;
}

/* Skips joints and IK bones from *at on. */
static bool skip_rest(const phxbn_tail *t, uint64_t *at, uint64_t *steps)
{
    return skip_list(t, at, steps, skip_joint) && (!t->ik || skip_list(t, at, steps, skip_ik));
}

bool phxbn_fits(const phxbn_tail *t, uint64_t corners, bool exact)
{
    uint64_t steps = UINT64_MAX;
    if (corners > t->size / ROW || t->bones > (t->size - ROW * corners) / 4)
        return false;
    uint64_t at = ROW * corners;
    for (uint64_t i = 0; i < t->bones; i++, at += 4)
        if (word(t, at) != -1 && !is_bone(t, word(t, at)))
            return false;
    return skip_rest(t, &at, &steps) && (!exact || at == t->size);
}

/* ---- solving ---------------------------------------------------------------------------------------- */

static bool weights_make_sense(const phxbn_tail *t, uint64_t corners, uint64_t *steps)
{
    for (uint64_t i = 0; i < 4 * corners; i++, --*steps) {
        double weight = bytes_f32_widen(bytes_ld32(t->p + 4 * i, false));
        double id = bytes_f32_widen(bytes_ld32(t->p + 16 * corners + 4 * i, false));
        if (*steps == 0 || !(weight >= 0 && weight <= 1) || !(id >= 0 && id < (double)t->bones) ||
            id != floor(id))
            return false;
    }
    return true;
}

/* Tries all numbers of corners, from the largest to 0. The number of consecutive valid parents is carried
 * over from one candidate to the next. All other reads are counted, so that no file can take a long time. */
phxbn_answer phxbn_solve(const phxbn_tail *t, uint64_t *corners)
{
    uint64_t words = t->size / 4, known = words, run = 0, steps = STEPS * words + STEPS;
    phxbn_answer answer = PHXBN_NONE;
    for (uint64_t n = t->size / ROW + 1; n-- > 0;) {
        uint64_t at = ROW * n;
        while (known > at / 4) {
            int32_t parent = word(t, 4 * --known);
            run = parent == -1 || is_bone(t, parent) ? run + 1 : 0;
        }
        if (run < t->bones)
            continue;
        at += 4 * t->bones;
        bool fits = skip_rest(t, &at, &steps) && at == t->size && weights_make_sense(t, n, &steps);
        if (steps == 0 || (fits && answer != PHXBN_NONE))
            return PHXBN_SEVERAL;
        if (fits) {
            answer = PHXBN_ONE;
            *corners = n;
        }
    }
    return answer;
}

lathe_result phxbn_tail_of(const rec_at *root, phxbn_tail *tail, lathe_error *err)
{
    const rec_container *c = &root->doc->containers[root->layout->container];
    rec_loc loc;
    lathe_result r = rec_find(root, rec_slot_find(root->layout, "num_vertices"), &loc, err);
    const rec_part *p = rec_part_of(root->doc, root->part);
    uint64_t start = loc.off + loc.size;
    if (r == LATHE_OK && start > p->size)
        r = rec_fail(root, REC_NO_SLOT, p->size, err, LATHE_ERR_BOUNDS, "truncated");
    if (r != LATHE_OK)
        return r;
    *tail = (phxbn_tail){.p = p->data + start,
                         .size = p->size - start,
                         .bones = (uint64_t)rec_int(root, "num_bones"),
                         .ik = c->version >= 10};
    return LATHE_OK;
}
