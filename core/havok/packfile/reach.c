/* How far data reach, of which a file says only where they begin: up to where other data do. No array and no
 * text may reach further; then all that a walk through the objects meets has about the size of the file,
 * unless it shares data so often that reading it would never end. */
#include "havok/packfile/rel_array.h"

static const uint64_t END = (uint64_t)UINT32_MAX + 1; /* of all positions */

uint64_t hk_reach(lathe_doc *doc, uint32_t part, uint64_t off)
{
    const rec_part *p = rec_part_of(doc, part);
    uint64_t base = hk_position(doc, part, 0), size = hk_rel_start(doc, part, off + 1, 0, p->size);
    uint32_t first;
    if (!hk_fixup_targets(doc, p->container, HK_LOCAL, base + off + 1, base + size, &first))
        return size;
    return hk_fixup_by_target(doc, p->container, HK_LOCAL, first).target - base;
}

/* ---- shared data ------------------------------------------------------------------------------------- */

typedef struct sums { /* of the local fixups */
    lathe_doc *doc;
    uint32_t c, n;
    uint64_t *weight; /* by number: bytes that a walk meets from there on, so many levels deep */
    uint64_t *before; /* in the order of sources: weights of those in front */
} sums;

/* Adds up the weights of what lies in described objects; others are not walked. */
static void add_up(const sums *s)
{
    uint32_t part = REC_NO_PART;
    uint64_t from = 0, to = 0, off;
    s->before[0] = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        hk_fixup f = hk_fixup_by_source(s->doc, s->c, HK_LOCAL, i);
        if (f.source < from || f.source >= to) {
            bool placed = hk_place(s->doc, s->c, f.source, &part, &off);
            from = placed ? f.source - off : f.source;
            to = placed ? from + rec_part_of(s->doc, part)->size : from;
        }
        bool walked = f.source < to && rec_part_of(s->doc, part)->root &&
                      rec_part_of(s->doc, part)->root->type != &hk_opaque;
        s->before[i + 1] = s->before[i] + (walked ? s->weight[f.number] : 0);
    }
}

/* One level more: what lies between a target and the next, and what heads in there lead to. */
static void go_deeper(const sums *s, uint64_t size)
{
    uint32_t lo = 0, hi = 0;
    for (uint32_t i = 0; i < s->n;) {
        uint64_t from = hk_fixup_by_target(s->doc, s->c, HK_LOCAL, i).target, to = size;
        uint32_t k = i + 1;
        while (k < s->n && hk_fixup_by_target(s->doc, s->c, HK_LOCAL, k).target == from)
            k++;
        if (k < s->n)
            to = hk_fixup_by_target(s->doc, s->c, HK_LOCAL, k).target;
        to = to > size ? size : to;
        while (lo < s->n && hk_fixup_by_source(s->doc, s->c, HK_LOCAL, lo).source < from)
            lo++;
        hi = hi < lo ? lo : hi;
        while (hi < s->n && hk_fixup_by_source(s->doc, s->c, HK_LOCAL, hi).source < to)
            hi++;
        uint64_t weight = (to > from ? to - from : 0) + s->before[hi] - s->before[lo];
        for (; i < k; i++)
            s->weight[hk_fixup_by_target(s->doc, s->c, HK_LOCAL, i).number] = weight;
    }
}

/* Where no two heads share, a walk meets everything once a level. */
static bool some_share(lathe_doc *doc, uint32_t c, uint32_t n)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t target = hk_fixup_by_target(doc, c, HK_LOCAL, i).target;
        if (i && target == last)
            return true;
        last = target;
    }
    return false;
}

lathe_result hk_check_sharing(lathe_doc *doc, uint32_t c, uint64_t size, lathe_error *err)
{
    enum { DEEP = 6, OFTEN = 64, FEW = 1 << 16 };
    sums s = {.doc = doc, .c = c, .n = hk_fixup_count(doc, c, HK_LOCAL)};
    uint32_t first;
    if (!s.n)
        return LATHE_OK;
    if (!rec_places(doc) || hk_fixup_targets(doc, c, HK_LOCAL, 0, END, &first) != s.n)
        return rec_no_memory(err); /* no index */
    if (!some_share(doc, c, s.n))
        return LATHE_OK;
    size_t bytes = (2 * (size_t)s.n + 1) * sizeof *s.weight;
    s.weight = mem_zalloc(&doc->mem, bytes);
    if (!s.weight)
        return rec_no_memory(err);
    s.before = s.weight + s.n;
    lathe_result r = LATHE_OK;
    for (int depth = 0; r == LATHE_OK && depth < DEEP; depth++) {
        add_up(&s);
        if (s.before[s.n] > FEW + OFTEN * size)
            r = error_set(
                err, LATHE_ERR_LIMIT, rec_encoded(doc, hk_part_of(doc, c, HK_LOCAL), 0),
                "local fixups share data so often that %llu bytes would be read as more than "
                "%llu",
                (unsigned long long)size, (unsigned long long)(FEW + OFTEN * size));
        else
            go_deeper(&s, size);
    }
    mem_free(&doc->mem, s.weight, bytes);
    return r;
}
