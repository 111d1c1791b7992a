/* Cuts: bytes come or go in a part, and every stored position of the container follows. A first
 * pass only checks, so that a refused cut has changed nothing; a second one writes. */
#include "record/record.h"

typedef struct cut {
    lathe_doc *doc;
    uint32_t part;
    uint64_t at, remove, insert, keep_site;
    buf runs; /* of rec_refs */
} cut;

static lathe_result collect(void *user, const rec_refs *run, lathe_error *err)
{
    cut *c = user;
    const rec_part *p = &c->doc->parts[run->site_part];
    uint64_t last;
    if (!run->count || (run->target_part != c->part && !(run->self && run->site_part == c->part)))
        return LATHE_OK;
    last = run->count - 1;
    if (run->width > p->size || run->site > p->size - run->width ||
        (last && run->stride > (p->size - run->width - run->site) / last))
        return error_set(err, LATHE_ERR_BOUNDS, rec_encoded(c->doc, run->site_part, run->site),
                         "%llu stored positions do not fit", (unsigned long long)run->count);
    return buf_put(&c->runs, run, sizeof *run) ? LATHE_OK : rec_no_memory(err);
}

static uint64_t moved(const cut *c, uint64_t off)
{
    return off >= c->at + c->remove ? off - c->remove + c->insert : off;
}

/* What must be stored at a site after the cut. */
static lathe_result follow(const cut *c, const rec_refs *run, uint64_t site, uint64_t raw,
                           uint64_t *out, lathe_error *err)
{
    unsigned bits = 8 * run->width;
    uint64_t base = run->self ? site : run->base, target;
    if (run->is_signed && bits < 64 && raw >> (bits - 1) & 1)
        raw |= ~(uint64_t)0 << bits;
    target = raw + base;
    bool kept = run->site_part == c->part && site == c->keep_site;
    if (run->target_part == c->part && !(kept && target == c->at)) {
        if (c->remove && target >= c->at && target < c->at + c->remove) {
            if (!run->has_null)
                return error_set(err, LATHE_ERR_INVALID, rec_encoded(c->doc, run->site_part, site),
                                 "a position stored here points into what would be removed");
            *out = run->null;
            return LATHE_OK;
        }
        target = moved(c, target);
    }
    if (run->self && run->site_part == c->part)
        base = moved(c, site);
    uint64_t value = target - base, limit = bits < 64 ? (uint64_t)1 << bits : 0;
    bool fits = !limit || (run->is_signed ? value + limit / 2 < limit : value < limit);
    if (!fits)
        return error_set(err, LATHE_ERR_RANGE, rec_encoded(c->doc, run->site_part, site),
                         "the position stored here would no longer fit into %u bits", bits);
    *out = limit ? value & (limit - 1) : value;
    return LATHE_OK;
}

static lathe_result follow_run(const cut *c, const rec_refs *run, bool write, lathe_error *err)
{
    bool big = c->doc->containers[c->doc->parts[run->site_part].container].big;
    for (uint64_t i = 0; i < run->count; i++) {
        uint64_t site = run->site + i * run->stride, now = 0;
        uint64_t raw = bytes_ld(c->doc->parts[run->site_part].data + site, run->width, big);
        uint8_t bytes[8];
        if (run->has_null && raw == run->null)
            continue;
        if (run->site_part == c->part && site >= c->at && site < c->at + c->remove)
            continue; /* goes with what is removed */
        lathe_result r = follow(c, run, site, raw, &now, err);
        if (r == LATHE_OK && write && now != raw) {
            bytes_st(bytes, now, run->width, big);
            r = rec_splice(c->doc, run->site_part, site, run->width, bytes, run->width, err);
        }
        if (r != LATHE_OK)
            return r;
    }
    return LATHE_OK;
}

static lathe_result follow_all(const cut *c, bool write, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < c->runs.size; i += sizeof(rec_refs)) {
        rec_refs run;
        memcpy(&run, c->runs.data + i, sizeof run);
        r = follow_run(c, &run, write, err);
    }
    return r;
}

lathe_result rec_cut_bytes(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t remove,
                           const void *bytes, uint64_t insert, uint64_t keep_site, lathe_error *err)
{
    const rec_part *p = &doc->parts[part];
    uint32_t container = p->container;
    const lathe_format *format = doc->containers[container].format;
    if (p->scratch || !format->refs || (remove == insert && keep_site == LATHE_NO_OFFSET))
        return rec_splice(doc, part, at, remove, bytes, insert, err);
    cut c = {doc, part, at, remove, insert, keep_site, {0}};
    buf_init(&c.runs, &doc->mem);
    lathe_result r = format->refs(doc, container, part, collect, &c, err);
    if (r == LATHE_OK)
        r = follow_all(&c, false, err);
    if (r == LATHE_OK)
        r = follow_all(&c, true, err);
    if (r == LATHE_OK)
        r = rec_splice(doc, part, at, remove, bytes, insert, err);
    buf_free(&c.runs);
    return r;
}
