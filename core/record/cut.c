/* Cuts: replaces bytes by another number of bytes, and updates every stored position of the container. A first pass
 * checks all positions, so that a refused cut has changed nothing. The second pass writes them. */
#include "record/recent.h"
#include "record/record.h"

/* A run of positions that cuts of `part` must update. */
typedef struct held {
    uint32_t part;
    rec_refs run;
} held;

typedef struct gatherer {
    lathe_doc *doc;
    uint32_t part;
    buf *to;
} gatherer;

typedef struct cut {
    lathe_doc *doc;
    uint32_t part;
    uint64_t at, remove, insert, keep_site;
    const buf *runs;
    uint64_t idle; /* a bit for each of the first runs: the check found nothing to update */
} cut;

static lathe_result gather_one(void *user, const rec_refs *run, lathe_error *err)
{
    const gatherer *g = user;
    const rec_part *p = &g->doc->parts[run->site_part];
    held h = {g->part, *run};
    uint64_t last;
    if (!run->count ||
        (!run->space && run->target_part != g->part && !(run->self && run->site_part == g->part)))
        return LATHE_OK;
    last = run->count - 1;
    if (run->width > p->size || run->site > p->size - run->width ||
        (last && run->stride > (p->size - run->width - run->site) / last))
        return error_set(err, LATHE_ERR_BOUNDS, rec_encoded(g->doc, run->site_part, run->site),
                         "%llu stored positions do not fit", (unsigned long long)run->count);
    return buf_put(g->to, &h, sizeof h) ? LATHE_OK : rec_no_memory(err);
}

/* Collects all runs that cuts of the part must update, after an empty run that marks the part as collected. */
static lathe_result gather(lathe_doc *doc, uint32_t part, buf *to, lathe_error *err)
{
    uint32_t container = doc->parts[part].container;
    gatherer g = {doc, part, to};
    held none = {.part = part, .run.site_part = part};
    if (!buf_put(to, &none, sizeof none))
        return rec_no_memory(err);
    return doc->containers[container].format->refs(doc, container, part, gather_one, &g, err);
}

/* ---- positions held during a change of several cuts ------------------------------------------------- */

/* Between two cuts of one change, counts and lengths contradict the bytes, so stored positions cannot be found. So
 * they are collected once, before the first write, and the list is updated with each splice. */

static bool is_held(const lathe_doc *doc, uint32_t part)
{
    bool valid = doc->held_at > 0 && doc->held_at <= doc->changing; /* that change is not over */
    for (size_t i = 0; valid && i < doc->held.size; i += sizeof(held)) {
        held h;
        memcpy(&h, doc->held.data + i, sizeof h);
        if (h.part == part)
            return true;
    }
    return false;
}

lathe_result rec_hold(lathe_doc *doc, uint32_t part, lathe_error *err)
{
    const rec_part *p = &doc->parts[part];
    const lathe_format *format = doc->containers[p->container].format;
    if (p->scratch || !format->refs || format->drop || is_held(doc, part))
        return LATHE_OK; /* positions in tables can always be read */
    if (!doc->held_at || doc->held_at > doc->changing) {
        doc->held_at = doc->changing;
        doc->held.size = 0;
    }
    size_t n = doc->held.size;
    lathe_result r = gather(doc, part, &doc->held, err);
    if (r != LATHE_OK)
        doc->held.size = n;
    return r;
}

void rec_let_go(lathe_doc *doc)
{
    doc->held_at = 0;
    buf_free(&doc->held);
    buf_init(&doc->held, &doc->mem);
}

/* The number of sites of a run that begin before `off`. */
static uint64_t sites_before(const rec_refs *run, uint64_t off)
{
    if (run->site >= off)
        return 0;
    uint64_t n = run->stride ? (off - 1 - run->site) / run->stride + 1 : run->count;
    return n < run->count ? n : run->count;
}

/* Splits a run at a splice: the sites before it stay in *run, those behind it are returned. */
static rec_refs split(rec_refs *run, uint64_t at, uint64_t remove, uint64_t insert)
{
    rec_refs behind = *run;
    uint64_t skip = sites_before(run, at + remove);
    behind.site = run->site + skip * run->stride - remove + insert;
    behind.count = run->count - skip;
    run->count = at < run->width ? 0 : sites_before(run, at - run->width + 1);
    return behind;
}

lathe_result rec_hold_move(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t remove,
                           uint64_t insert, lathe_error *err)
{
    size_t n = remove != insert && doc->held_at ? doc->held.size : 0;
    for (size_t i = 0; i < n; i += sizeof(held)) {
        held h;
        memcpy(&h, doc->held.data + i, sizeof h);
        if (h.run.site_part != part || !h.run.count)
            continue;
        held behind = {h.part, split(&h.run, at, remove, insert)};
        bool both = h.run.count && behind.run.count;
        memcpy(doc->held.data + i, h.run.count ? &h : &behind, sizeof h);
        if (both && !buf_put(&doc->held, &behind, sizeof behind))
            return rec_no_memory(err);
    }
    return LATHE_OK;
}

/* ---- cuts ------------------------------------------------------------------------------------------ */

static uint64_t moved(const cut *c, uint64_t off)
{
    return off >= c->at + c->remove ? off - c->remove + c->insert : off;
}

/* The distance from the start of the space in which a run's positions count to the cut part. */
static uint64_t space_shift(const cut *c, const rec_refs *run)
{
    return run->space ? rec_encoded(c->doc, c->part, 0) - rec_encoded(c->doc, run->target_part, 0)
                      : 0;
}

/* Computes the number to store at a site after the cut. */
static lathe_result follow(const cut *c, const rec_refs *run, uint64_t shift, uint64_t site,
                           uint64_t raw, uint64_t *out, lathe_error *err)
{
    unsigned bits = 8 * run->width;
    uint64_t head = site - run->lead, base = run->self ? head : run->base, target;
    if (run->is_signed && bits < 64 && raw >> (bits - 1) & 1)
        raw |= ~(uint64_t)0 << bits;
    /* a target before the part gives a huge number, and is not moved */
    target = raw + base - shift;
    bool kept = run->site_part == c->part && head == c->keep_site;
    bool here = run->space ? target < (uint64_t)1 << 63 : run->target_part == c->part;
    if (here && !(kept && target == c->at)) {
        if (c->remove && target >= c->at && target < c->at + c->remove) {
            if (!run->has_null)
                return error_set(err, LATHE_ERR_INVALID, rec_encoded(c->doc, run->site_part, site),
                                 "a position stored here points into the data to be removed");
            *out = run->null;
            return LATHE_OK;
        }
        target = moved(c, target);
    }
    if (run->self && run->site_part == c->part)
        base = moved(c, head);
    uint64_t value = target + shift - base, limit = bits < 64 ? (uint64_t)1 << bits : 0;
    bool fits = !limit || (run->is_signed ? value + limit / 2 < limit : value < limit);
    if (!fits)
        return error_set(err, LATHE_ERR_RANGE, rec_encoded(c->doc, run->site_part, site),
                         "the position stored here would no longer fit into %u bits", bits);
    *out = limit ? value & (limit - 1) : value;
    return LATHE_OK;
}

/* ---- positions in a table -------------------------------------------------------------------------- */

/* The common case of 32 bits. */
static void shift_words(uint8_t *p, const rec_shift *shift, bool big)
{
    uint64_t last = shift->below - 1; /* if `below` is 0: the largest number */
    for (uint64_t i = 0; i < shift->count; i++, p += shift->stride) {
        uint32_t v = bytes_ld32(p, big);
        if (v >= shift->from && v <= last)
            bytes_st32(p, v + (uint32_t)shift->by, big);
    }
}

void rec_shift_apply(lathe_doc *doc, uint32_t part, const rec_shift *shift)
{
    rec_part *p = &doc->parts[part];
    bool big = doc->containers[p->container].big;
    uint64_t off = shift->site;
    p->memo = 0;
    if (shift->width == 4 && big)
        shift_words(p->data + off, shift, true);
    else if (shift->width == 4)
        shift_words(p->data + off, shift, false);
    for (uint64_t i = 0; shift->width != 4 && i < shift->count; i++, off += shift->stride) {
        uint64_t v = bytes_ld(p->data + off, shift->width, big);
        if (v >= shift->from && v <= shift->below - 1)
            bytes_st(p->data + off, v + shift->by, shift->width, big);
    }
}

rec_shift rec_shift_back(const void *noted)
{
    rec_shift shift;
    memcpy(&shift, noted, sizeof shift);
    shift.from += shift.by;
    shift.below += shift.below ? shift.by : 0;
    shift.by = 0 - shift.by;
    return shift;
}

lathe_result rec_shift_all(lathe_doc *doc, uint32_t part, const rec_shift *shift, lathe_error *err)
{
    rec_part *p = &doc->parts[part];
    rec_edit edit = {.kind = EDIT_SHIFT, .part = part};
    if (!doc->relaying && !doc->changing)
        rec_derive_note(doc, part, shift->site, true);
    lathe_result r = rec_part_own(doc, p, p->size) ? LATHE_OK : rec_no_memory(err);
    if (r == LATHE_OK && doc->depth)
        r = rec_note(doc, edit, shift, sizeof *shift, err);
    if (r == LATHE_OK) {
        rec_shift_apply(doc, part, shift);
        rec_recent_note(doc, (rec_change){part, 0, p->size, p->size});
    }
    return r;
}

/* Finds the largest position, and counts those in [from, to). */
static void survey(const uint8_t *p, const rec_refs *run, bool big, uint64_t from, uint64_t to,
                   uint64_t *greatest, uint64_t *inside)
{
    bool narrow = run->width == 4;
    uint64_t most = 0, n = 0;
    for (uint64_t i = 0; i < run->count; i++, p += run->stride) {
        uint64_t v = narrow ? bytes_ld32(p, big) : bytes_ld(p, run->width, big);
        most = v > most ? v : most;
        n += v >= from && v < to;
    }
    *greatest = most;
    *inside = n;
}

/* Whether a run consists of plain positions outside of the cut part, which are shifted by one journal entry. */
static bool is_table(const cut *c, const rec_refs *run)
{
    return run->space && run->site_part != c->part && !run->self && !run->is_signed &&
           !run->has_null && !run->base;
}

/* Refuses positions into removed bytes, and those that would no longer fit into their field. */
static lathe_result may_shift(const cut *c, const rec_refs *run, const rec_shift *shift, bool *any,
                              lathe_error *err)
{
    const rec_part *p = &c->doc->parts[run->site_part];
    bool big = c->doc->containers[p->container].big;
    uint64_t limit = run->width < 8 ? ((uint64_t)1 << 8 * run->width) - 1 : UINT64_MAX;
    uint64_t greatest, inside, site = rec_encoded(c->doc, run->site_part, run->site);
    survey(p->data + run->site, run, big, shift->from - c->remove, shift->from, &greatest, &inside);
    *any = greatest >= shift->from;
    if (inside)
        return error_set(err, LATHE_ERR_INVALID, site,
                         "a position stored here points into the data to be removed");
    if (*any && c->insert > c->remove && (shift->by > limit || greatest > limit - shift->by))
        return error_set(err, LATHE_ERR_RANGE, site,
                         "the position stored here would no longer fit into %u bits",
                         8 * run->width);
    return LATHE_OK;
}

static lathe_result follow_table(cut *c, const rec_refs *run, size_t number, bool write,
                                 lathe_error *err)
{
    uint64_t bit = number < 64 ? (uint64_t)1 << number : 0;
    if (c->remove == c->insert)
        return LATHE_OK;
    rec_shift shift = {.site = run->site,
                       .stride = run->stride,
                       .count = run->count,
                       .width = run->width,
                       .from = space_shift(c, run) + c->at + c->remove,
                       .by = c->insert - c->remove};
    bool any = false;
    rec_refs behind = *run;
    uint64_t below = run->below ? run->below(c->doc, run, shift.from - c->remove) : 0;
    behind.site = shift.site += below * run->stride;
    behind.count = shift.count -= below;
    if (write)
        return c->idle & bit ? LATHE_OK : rec_shift_all(c->doc, run->site_part, &shift, err);
    lathe_result r = may_shift(c, &behind, &shift, &any, err);
    if (!any)
        c->idle |= bit;
    return r;
}

/* ---- one run ---------------------------------------------------------------------------------------- */

static lathe_result follow_run(cut *c, const rec_refs *run, size_t number, bool write,
                               lathe_error *err)
{
    if (is_table(c, run))
        return c->doc->parts[run->site_part].alive ? follow_table(c, run, number, write, err)
                                                   : LATHE_OK;
    const rec_part *p = &c->doc->parts[run->site_part];
    bool big = c->doc->containers[p->container].big;
    uint64_t shift = space_shift(c, run);
    for (uint64_t i = 0; p->alive && i < run->count; i++) {
        uint64_t site = run->site + i * run->stride, now = 0;
        uint64_t raw = bytes_ld(p->data + site, run->width, big);
        uint8_t bytes[8];
        if (run->has_null && raw == run->null)
            continue;
        if (run->site_part == c->part && site >= c->at && site < c->at + c->remove)
            continue; /* it is removed together with the bytes */
        lathe_result r = follow(c, run, shift, site, raw, &now, err);
        if (r == LATHE_OK && write && now != raw) {
            bytes_st(bytes, now, run->width, big);
            r = rec_splice(c->doc, run->site_part, site, run->width, bytes, run->width, err);
        }
        if (r != LATHE_OK)
            return r;
    }
    return LATHE_OK;
}

static lathe_result follow_all(cut *c, bool write, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < c->runs->size; i += sizeof(held)) {
        held h;
        memcpy(&h, c->runs->data + i, sizeof h);
        if (h.part == c->part)
            r = follow_run(c, &h.run, i / sizeof(held), write, err);
    }
    return r;
}

lathe_result rec_cut_bytes(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t remove,
                           const void *bytes, uint64_t insert, uint64_t keep_site, lathe_error *err)
{
    const rec_part *p = &doc->parts[part];
    if (p->scratch || !doc->containers[p->container].format->refs ||
        (remove == insert && keep_site == LATHE_NO_OFFSET))
        return rec_splice(doc, part, at, remove, bytes, insert, err);
    buf own;
    buf_init(&own, &doc->mem);
    bool kept = is_held(doc, part);
    cut c = {doc, part, at, remove, insert, keep_site, kept ? &doc->held : &own, 0};
    const lathe_format *format = doc->containers[p->container].format;
    lathe_result r = LATHE_OK;
    if (remove && format->drop)
        r = format->drop(doc, p->container, part, at, remove, err);
    if (r == LATHE_OK && !kept)
        r = gather(doc, part, &own, err);
    if (r == LATHE_OK)
        r = follow_all(&c, false, err);
    if (r == LATHE_OK)
        r = follow_all(&c, true, err);
    if (r == LATHE_OK)
        r = rec_splice(doc, part, at, remove, bytes, insert, err);
    buf_free(&own);
    return r;
}
