/* Data of an object in Havok's order, with Havok's gaps: whether it stands so, where what is new belongs, and
 * the gaps put right after an edit. Objects that were not so stay as they are, but for what is edited. */
#include "havok/packfile/layout_rules.h"
#include "havok/packfile/rel_array.h"

/* ---- a walk over the data in their order ------------------------------------------------------------- */

/* Zeros in front of some data, or behind the last: as many as `want` shall become of `had`. */
typedef struct gap {
    uint64_t at, had, want;
} gap;

typedef struct walker {
    lathe_doc *doc;
    const rec_part *p;
    uint32_t c, at,
        n; /* the next of the object's fixups in the order of their targets, and how many remain */
    uint64_t base;    /* the object's position */
    uint64_t end, to; /* where what was seen ends, and where it will; … */
    uint64_t next;    /* … and what of that the rules ask for in front of the next */
    buf *gaps;        /* NULL: gaps must be as the rules want them */
    bool failed;      /* … or no memory */
} walker;

/* The gap in front of data that begin at `start` and shall begin at `to`. */
static bool mind_gap(walker *w, uint64_t start, uint64_t to)
{
    gap g = {w->end, start - w->end, to - w->to};
    if (start < w->end || start > w->p->size)
        return false;
    for (uint64_t i = w->end; i < start; i++)
        if (w->p->data[i])
            return false;
    if (g.had == g.want)
        return true;
    w->failed = w->gaps && !buf_put(w->gaps, &g, sizeof g);
    return w->gaps && !w->failed;
}

/* The data that a head leads to: where they begin; false where they are not the next. */
static bool next_data(walker *w, uint64_t site, const hk_where *where, uint64_t *start)
{
    if (!w->n)
        return false;
    hk_fixup f = hk_fixup_by_target(w->doc, w->c, HK_LOCAL, w->at);
    uint64_t to = hk_data_start(where, w->next);
    if (f.source != w->base + site || !mind_gap(w, f.target - w->base, to))
        return false;
    w->at++;
    w->n--;
    *start = w->end = f.target - w->base;
    w->to = to;
    return true;
}

static bool take(walker *w, uint64_t size)
{
    if (size > w->p->size - w->end)
        return false;
    w->end += size;
    w->to += size;
    w->next = w->to;
    return true;
}

/* A text, or none. */
static bool walk_text(walker *w, uint64_t site, const hk_where *where, uint8_t term)
{
    uint64_t start;
    if (!w->n || hk_fixup_by_target(w->doc, w->c, HK_LOCAL, w->at).source != w->base + site)
        return true;
    if (!next_data(w, site, where, &start) || start >= w->p->size)
        return false;
    const uint8_t *text = w->p->data + start,
                  *end = memchr(text, term, (size_t)(w->p->size - start));
    if (!end || !take(w, (uint64_t)(end - text) + 1))
        return false;
    w->next = hk_data_end(where, w->next);
    return true;
}

/* Elements that no fixup tells of, and that have nothing elsewhere. */
static bool walk_rel(walker *w, const rec_slot *s, uint64_t site)
{
    hk_where where = hk_where_of(s, false);
    hk_rel rel = hk_rel_at(w->doc, w->p, s, site);
    uint64_t to = hk_data_start(&where, w->next);
    if (!rel.count)
        return true;
    if (!mind_gap(w, rel.start, to))
        return false;
    w->end = rel.start;
    w->to = to;
    if (!take(w, rel.end - rel.start))
        return false;
    w->next = hk_data_end(&where, w->next);
    return true;
}

static bool walk_record(walker *w, const rec_layout *l, uint64_t off, bool inside, int depth);

static bool walk_array(walker *w, const rec_slot *s, uint64_t site, bool inside, int depth)
{
    hk_where where = hk_where_of(s, inside), item = hk_where_item();
    uint8_t pointer = w->doc->containers[w->c].pointer;
    bool ok = true;
    if (pointer + 8u > w->p->size || site > w->p->size - pointer - 8)
        return false;
    int32_t count = (int32_t)bytes_ld32(w->p->data + site + pointer, w->doc->containers[w->c].big);
    uint64_t start, n = count > 0 ? (uint64_t)count : 0;
    if (!n)
        return count == 0;
    if (!next_data(w, site, &where, &start) || !s->elem || s->elem == REC_DYNAMIC ||
        n > w->p->size / s->elem || !take(w, n * s->elem))
        return false;
    w->next = hk_elements_end(&where, w->next);
    bool leads = s->row->text || (s->row->kind == REC_RECORD && s->sub->has_out_of_line);
    for (uint64_t i = 0; ok && leads && i < n; i++)
        ok = s->row->text ? walk_text(w, start + i * s->elem, &item, s->row->term)
                          : walk_record(w, s->sub, start + i * s->elem, true, depth + 1);
    w->next = hk_data_end(&where, w->next);
    return ok;
}

static bool walk_record(walker *w, const rec_layout *l, uint64_t off, bool inside, int depth)
{
    int64_t version = w->doc->containers[w->c].version;
    bool ok = depth < REC_DEPTH;
    for (uint32_t slot = 0; ok && slot < l->count; slot++) {
        const rec_slot *s = &l->slots[slot];
        if (rec_unstored(s->row) || !rec_in_version(s->row, version) || s->off == REC_DYNAMIC)
            continue;
        uint64_t site = off + s->off;
        if (rec_row_body(s->row) == &hk_rel_body) {
            ok = walk_rel(w, s, site);
        } else if (s->row->body) {
            ok = walk_array(w, s, site, inside, depth);
        } else if (s->row->text) {
            hk_where where = hk_where_of(s, inside);
            ok = walk_text(w, site, &where, s->row->term);
        } else if (s->sub && s->sub->has_out_of_line && !s->array) {
            ok = walk_record(w, s->sub, site, inside, depth + 1);
        }
    }
    return ok;
}

/* All data of an object; `gaps` takes those that are to change. False where they are not in Havok's order, or
 * nobody knows it. */
static bool walk_object(lathe_doc *doc, uint32_t c, uint32_t part, buf *gaps, bool *no_memory)
{
    const rec_part *p = rec_part_of(doc, part);
    walker w = {.doc = doc, .p = p, .c = c, .gaps = gaps};
    *no_memory = false;
    if (p->root->size == REC_DYNAMIC || p->root->size > p->size)
        return false;
    uint32_t first;
    w.base = hk_position(doc, part, 0);
    w.end = w.to = w.next = p->root->size;
    w.n = hk_fixup_targets(doc, c, HK_LOCAL, w.base, w.base + p->size, &w.at);
    if (hk_fixup_sources(doc, c, HK_LOCAL, w.base, w.base + p->size, &first) != w.n)
        return false;
    bool ok = walk_record(&w, p->root, 0, false, 0) && w.n == 0 &&
              mind_gap(&w, p->size, hk_struct_end(w.next));
    *no_memory = w.failed;
    return ok;
}

/* ---- objects in another order ---------------------------------------------------------------------------- */

/* Whether data at `start` that the head at `site` of `from` leads to end at `next` at the latest. Of what is not
 * described one byte is all that is known. *known: where a text begins that does. */
static bool ends_by(lathe_doc *doc, uint32_t from, uint64_t site, const rec_part *p, uint64_t start,
                    uint64_t next, uint64_t *known)
{
    rec_at chain[REC_DEPTH];
    const rec_at *at = &chain[rec_chain(doc, from, site, chain) - 1];
    bool text = at->layout->size != REC_DYNAMIC && site >= at->off + at->layout->size, ends;
    uint64_t n = 0, elem = 1;
    for (uint32_t slot = 0; !text && slot < at->layout->count; slot++) {
        const rec_slot *s = &at->layout->slots[slot];
        bool present = !rec_unstored(s->row) && at->off + s->off == site;
        if (!present || rec_present(at, slot, &present, NULL) != LATHE_OK || !present)
            continue;
        text = s->row->text && !s->array;
        elem = s->row->body && s->elem != REC_DYNAMIC ? s->elem : 1;
        if (s->row->body && rec_row_body(s->row)->count(at, s->row, site, &n, NULL) != LATHE_OK)
            n = 0;
    }
    if (!text)
        return n <= (next - start) / elem;
    ends = *known == start || memchr(p->data + start, 0, (size_t)(next - start));
    *known = ends ? start : *known;
    return ends;
}

/* Whether all that lies in a part begins behind the end of what begins in front of it, or with that. */
static bool is_disjoint(lathe_doc *doc, uint32_t c, uint32_t part)
{
    const rec_part *p = rec_part_of(doc, part);
    uint64_t base = hk_position(doc, part, 0), site, next = p->size;
    uint32_t first, from, n = hk_fixup_targets(doc, c, HK_LOCAL, base, base + p->size, &first);
    uint64_t seen = p->size, known = UINT64_MAX; /* begins here, and was found to end */
    if (!hk_rels_disjoint(doc, part))
        return false;
    for (uint32_t i = n; i-- > 0;) { /* from the back */
        hk_fixup f = hk_fixup_by_target(doc, c, HK_LOCAL, first + i);
        uint64_t start = f.target - base;
        if (start < seen)
            next = hk_rel_start(doc, part, start + 1, 0, seen);
        seen = start;
        if (hk_rels_within(doc, part, start, start + 1))
            return false;
        if (!hk_place(doc, c, f.source, &from, &site) ||
            !ends_by(doc, from, site, p, start, next, &known))
            return false;
    }
    return true;
}

/* ---- before and after an edit --------------------------------------------------------------------------- */

/* Of an object that is not described only the end is known. */
static lathe_result tidy_opaque(lathe_doc *doc, uint32_t part, lathe_error *err)
{
    uint64_t size = rec_part_of(doc, part)->size, want = hk_struct_end(size ? size : 1);
    return rec_cut_bytes(doc, part, size, 0, NULL, want - size, LATHE_NO_OFFSET, err);
}

static bool is_opaque(const rec_part *p)
{
    return p->root->type == &hk_opaque;
}

static void look_before(lathe_doc *doc, uint32_t c, uint32_t part)
{
    const rec_part *p = rec_part_of(doc, part);
    bool no_memory; /* not where nothing is noted */
    bool tidy = p->slot == hk_row(HK_OBJECTS) && p->owner == doc->containers[c].root && p->root;
    if (tidy)
        tidy = is_opaque(p) ? p->size % HK_ALIGN == 0 : walk_object(doc, c, part, NULL, &no_memory);
    rec_part_of(doc, part)->tidy = tidy                        ? PART_TIDY
                                   : is_disjoint(doc, c, part) ? PART_UNTIDY
                                                               : PART_TANGLED;
}

lathe_result hk_tidy(lathe_doc *doc, uint32_t c, uint32_t part, bool before, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    buf gaps;
    bool no_memory;
    if (!hk_ready(doc, c))
        return rec_no_memory(err);
    if (before) {
        look_before(doc, c, part);
        return LATHE_OK;
    }
    if (is_opaque(rec_part_of(doc, part)))
        return tidy_opaque(doc, part, err);
    buf_init(&gaps, &doc->mem);
    if (!walk_object(doc, c, part, &gaps, &no_memory))
        r = no_memory ? rec_no_memory(err)
                      : error_set(err, LATHE_ERR_STATE, rec_encoded(doc, part, 0),
                                  "data out of order after an edit");
    for (size_t i = gaps.size; r == LATHE_OK && i > 0; i -= sizeof(gap)) { /* from the back */
        gap g;
        memcpy(&g, gaps.data + i - sizeof g, sizeof g);
        r = g.want > g.had ? rec_cut_bytes(doc, part, g.at + g.had, 0, NULL, g.want - g.had,
                                           LATHE_NO_OFFSET, err)
                           : rec_cut_bytes(doc, part, g.at + g.want, g.had - g.want, NULL, 0,
                                           LATHE_NO_OFFSET, err);
    }
    buf_free(&gaps);
    return r;
}

/* ---- the order of heads ------------------------------------------------------------------------------------ */

/* A head, the head of the array that it is in, and so on up to one of the object's struct. */
typedef struct lineage {
    uint64_t sites[REC_DEPTH];
    int n;
} lineage;

static lineage lineage_of(lathe_doc *doc, uint32_t part, uint64_t site)
{
    lineage l = {.n = 0};
    uint64_t from;
    uint32_t in;
    const rec_part *p = rec_part_of(doc, part);
    l.sites[l.n++] = site;
    while (l.n < REC_DEPTH && site >= p->root->size && hk_owner(doc, part, site, 0, &in, &from) &&
           in == part && from < site) {
        site = from;
        l.sites[l.n++] = site;
    }
    return l;
}

/* Whether the data of head `a` come before those of head `b`: members in their order, what an array's elements
 * lead to behind the array. */
static bool comes_before(const lineage *a, const lineage *b)
{
    int i = a->n, j = b->n;
    while (i > 0 && j > 0) {
        i--;
        j--;
        if (a->sites[i] != b->sites[j])
            return a->sites[i] < b->sites[j];
    }
    return i < j;
}

bool hk_site_before(lathe_doc *doc, uint32_t part, uint64_t a, uint64_t b)
{
    lineage x = lineage_of(doc, part, a), y = lineage_of(doc, part, b);
    return comes_before(&x, &y);
}

uint64_t hk_place_for(lathe_doc *doc, uint32_t c, uint32_t part, uint64_t site)
{
    const rec_part *p = rec_part_of(doc, part);
    uint64_t base = hk_position(doc, part, 0);
    uint32_t first, lo = 0;
    uint32_t hi = hk_fixup_targets(doc, c, HK_LOCAL, base, base + p->size, &first);
    lineage mine = lineage_of(doc, part, site);
    while (lo < hi) { /* the data that stand there have this order */
        uint32_t mid = lo + (hi - lo) / 2;
        hk_fixup f = hk_fixup_by_target(doc, c, HK_LOCAL, first + mid);
        lineage other = lineage_of(doc, part, f.source - base);
        if (comes_before(&other, &mine))
            lo = mid + 1;
        else
            hi = mid;
    }
    uint32_t n = hk_fixup_targets(doc, c, HK_LOCAL, base, base + p->size, &first);
    uint64_t most =
        lo < n ? hk_fixup_by_target(doc, c, HK_LOCAL, first + lo).target - base : p->size;
    return hk_rel_start(doc, part, 0, mine.sites[mine.n - 1], most);
}

bool hk_owned_range(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t n, uint64_t *from,
                    uint64_t *to)
{
    const rec_part *p = rec_part_of(doc, part);
    uint32_t c = p->container, first, i = 0;
    if (p->tidy != PART_TIDY || is_opaque(p) || !hk_ready(doc, c))
        return false;
    uint64_t base = hk_position(doc, part, 0), heads = base + at;
    if (!hk_fixup_sources(doc, c, HK_LOCAL, heads, heads + n, &first))
        return false;
    uint64_t start = hk_fixup_by_source(doc, c, HK_LOCAL, first).target;
    uint32_t have = hk_fixup_targets(doc, c, HK_LOCAL, start, base + p->size, &first);
    *from = start - base;
    *to = p->size;
    for (; i < have; i++) {
        hk_fixup f = hk_fixup_by_target(doc, c, HK_LOCAL, first + i);
        if ((f.source >= heads && f.source < heads + n) || f.source >= start)
            continue;
        *to = f.target - base;
        break;
    }
    *to = hk_rel_start(doc, part, *from, 0, *to);
    return true;
}
