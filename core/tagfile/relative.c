/* Relative arrays and pointers of newer SDKs, which hold an offset from themselves: hkRelArray,
 * hkRelArrayView, hkRelPtr. They have no patches, so those of an object are found by walking it. Reference:
 * formats/havok-tagfile.md#8. */
#include "tagfile/relative.h"

#include "tagfile/heads.h"

#include <stdlib.h>

enum {
    SHORT = 8,
    LONG = 16
}; /* size of a view's header: 32-bit offset and size; of an array's: 64-bit offset, 32-bit size and
    * capacity */

/* ---- one header ---------------------------------------------------------------------------------------- */

/* Size of the offset in bytes; the size follows it. */
static uint32_t offset_width(const rec_body *body)
{
    return body->width < LONG ? 4 : 8;
}

static int64_t offset_at(const uint8_t *p, uint32_t width)
{
    return width == 4 ? (int32_t)bytes_ld32(p, false) : (int64_t)bytes_ld64(p, false);
}

/* Start of the storage; LATHE_NO_OFFSET if it is outside of the part. */
static uint64_t start_of(uint64_t site, int64_t offset, uint64_t size)
{
    if (offset < 0 ? (uint64_t) - (offset + 1) >= site : (uint64_t)offset > size - site)
        return LATHE_NO_OFFSET;
    return site + (uint64_t)offset;
}

static uint64_t count_at(const uint8_t *p, const rec_body *body)
{
    int32_t n = (int32_t)bytes_ld32(p + offset_width(body), false);
    return n > 0 ? (uint64_t)n : 0;
}

/* ---- all of an object ---------------------------------------------------------------------------------- */

typedef struct walk {
    lathe_doc *doc;
    tag_state *state;
    const rec_part *p;
    uint32_t part;
    uint64_t left; /* size of the elements that may still be visited */
    bool failed;   /* out of memory */
} walk;

static void walk_record(walk *w, const rec_layout *l, uint64_t off, int depth);

static void walk_elements(walk *w, const rec_slot *s, uint64_t start, uint64_t n, int depth)
{
    if (!s->sub || !s->sub->has_out_of_line || !s->elem || s->elem == REC_DYNAMIC)
        return;
    if (depth >= REC_DEPTH || n > (w->p->size - start) / s->elem || n * s->elem > w->left) {
        w->state->rels_tangled = true;
        return;
    }
    w->left -= n * s->elem;
    for (uint64_t i = 0; i < n; i++)
        walk_record(w, s->sub, start + i * s->elem, depth + 1);
}

/* False: out of memory. */
static bool take(walk *w, const tag_rel *rel)
{
    void *rels = w->state->rels;
    if (!mem_reserve(&w->doc->mem, &rels, &w->state->rels_cap, w->state->rels_n + 1, sizeof *rel)) {
        w->failed = true;
        return false;
    }
    w->state->rels = rels;
    w->state->rels[w->state->rels_n++] = *rel;
    return true;
}

static void walk_pointer(walk *w, const rec_slot *s, uint64_t site)
{
    int64_t offset = offset_at(w->p->data + site, 8);
    const tag_rel rel = {.site = site,
                         .width = 8,
                         .elem = s->elem,
                         .count = 1,
                         .start = start_of(site, offset, w->p->size)};
    if (offset)
        take(w, &rel);
}

static bool is_relative_pointer(const rec_slot *s)
{
    return s->row->kind == REC_POINTER && rec_row_ref(s->row) == &tag_relative_ref;
}

/* Visits the elements of an array, wherever they are. */
static void walk_storage(walk *w, const rec_slot *s, uint64_t start, uint64_t n, int depth)
{
    if (!is_relative_pointer(s)) {
        walk_elements(w, s, start, n, depth);
        return;
    }
    if (n > (w->p->size - start) / 8 || n * 8 > w->left) {
        w->state->rels_tangled = true;
        return;
    }
    w->left -= n * 8;
    for (uint64_t i = 0; !w->failed && i < n; i++)
        walk_pointer(w, s, start + i * 8);
}

static void walk_head(walk *w, const rec_slot *s, uint64_t site, int depth)
{
    const rec_body *body = rec_row_body(s->row);
    const uint8_t *p = w->p->data + site;
    tag_rel rel = {.site = site, .width = offset_width(body), .elem = s->elem, .array = true};
    rel.count = count_at(p, body);
    rel.start = start_of(site, offset_at(p, rel.width), w->p->size);
    if (rel.count && take(w, &rel) && rel.start != LATHE_NO_OFFSET && rel.start > site)
        walk_storage(w, s, rel.start, rel.count, depth);
}

/* Visits an array with an item, if its elements are in the same part. */
static void walk_item(walk *w, const rec_slot *s, uint64_t site, int depth)
{
    uint32_t part, c = w->p->container;
    uint64_t off;
    bool points = (s->sub && s->sub->has_out_of_line) || is_relative_pointer(s);
    tag_item item = tag_item_get(w->doc, c, tag_number_at(w->doc, w->part, site));
    if (item.kind && points && tag_place(w->doc, c, item.offset, &part, &off) && part == w->part &&
        off > site)
        walk_storage(w, s, off, item.count, depth);
}

static bool is_relative_body(const rec_body *body)
{
    return body == tag_relative_body(SHORT) || body == tag_relative_body(LONG);
}

static void walk_row(walk *w, const rec_slot *s, uint64_t site, int depth)
{
    if (s->row->body && is_relative_body(rec_row_body(s->row)))
        walk_head(w, s, site, depth);
    else if (is_relative_pointer(s) && !s->row->body)
        walk_pointer(w, s, site);
    else if (s->row->body)
        walk_item(w, s, site, depth);
    else if (s->sub)
        walk_elements(w, s, site, s->row->n ? s->row->n : 1, depth);
}

static void walk_record(walk *w, const rec_layout *l, uint64_t off, int depth)
{
    for (uint32_t slot = 0; !w->failed && slot < l->count; slot++) {
        const rec_slot *s = &l->slots[slot];
        bool out_of_line =
            s->row->body || s->row->kind == REC_POINTER || (s->sub && s->sub->has_out_of_line);
        if (!out_of_line || rec_unstored(s->row))
            continue;
        uint64_t each = s->row->kind == REC_POINTER && s->row->n ? s->row->n : 1;
        for (uint64_t i = 0; i < each; i++)
            walk_row(w, s, off + s->off + i * s->elem, depth);
    }
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Marks arrays whose elements overlap: reading all of them could take many times their bytes. */
static bool mark_shared(walk *w)
{
    tag_state *s = w->state;
    size_t n = s->rels_n, last = 0;
    uint64_t *keys;
    void *p = s->rels_sites;
    if (!mem_reserve(&w->doc->mem, &p, &s->sites_cap, n + 1, sizeof *keys))
        return false;
    keys = s->rels_sites = p;
    for (size_t i = 0; i < n; i++) /* parts are smaller than 2^30 bytes */
        keys[i] = (s->rels[i].start & UINT32_MAX) << 32 | i;
    if (n)
        qsort(keys, n, sizeof *keys, by_key);
    uint64_t end = 0;
    for (size_t i = 0; i < n; i++) {
        tag_rel *r = &s->rels[(uint32_t)keys[i]];
        if (!r->array || r->start == LATHE_NO_OFFSET || !r->elem)
            continue;
        if (r->start < end && r->site != s->rels[last].site)
            r->shared = s->rels[last].shared = true;
        uint64_t to = r->count > (w->p->size - r->start) / r->elem ? w->p->size
                                                                   : r->start + r->count * r->elem;
        if (to > end) {
            end = to;
            last = (uint32_t)keys[i];
        }
    }
    for (size_t i = 0; i < n; i++)
        keys[i] = s->rels[i].site << 32 | i;
    if (n)
        qsort(keys, n, sizeof *keys, by_key);
    return true;
}

/* The header at a place; NULL: the walk did not visit it. */
static const tag_rel *rel_at(const tag_state *s, uint64_t site)
{
    size_t lo = 0, hi = s->rels_n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (s->rels_sites[mid] >> 32 < site)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < s->rels_n && s->rels_sites[lo] >> 32 == site ? &s->rels[(uint32_t)s->rels_sites[lo]]
                                                             : NULL;
}

static const tag_rel no_rel = {0};

const tag_rel *tag_rels(lathe_doc *doc, uint32_t part, size_t *n)
{
    rec_part *p = rec_part_of(doc, part);
    tag_state *s = tag_state_of(doc, p->container);
    *n = 0;
    if (!s->types->relative || p->slot != tag_row(TAG_OBJECTS))
        return s->rels ? s->rels : &no_rel;
    if (s->rels_part != part || s->rels_at != doc->changes || !s->rels_good) {
        const rec_layout *root = rec_part_root(doc, part);
        if (!root || !rec_places(doc))
            return NULL;
        walk w = {.doc = doc,
                  .state = s,
                  .p = rec_part_of(doc, part),
                  .part = part,
                  .left = 4 * p->size + 4096};
        s->rels_n = 0;
        s->rels_tangled = false;
        if (root->type != &tag_opaque && root->size <= p->size)
            walk_record(&w, root, 0, 0);
        w.failed = w.failed || !mark_shared(&w);
        s->rels_good = !w.failed;
        s->rels_part = part;
        s->rels_at = doc->changes;
        if (w.failed)
            return NULL;
    }
    *n = s->rels_n;
    return s->rels ? s->rels : &no_rel;
}

/* The array with the greatest start up to `off`; the k-th of several. */
bool tag_relative_owner(lathe_doc *doc, uint32_t part, uint64_t off, uint32_t k, uint32_t *from,
                        uint64_t *site)
{
    size_t n;
    const tag_rel *rels = tag_rels(doc, part, &n), *best = NULL;
    for (size_t i = 0; rels && i < n; i++)
        if (rels[i].elem && rels[i].start <= off && (!best || rels[i].start > best->start))
            best = &rels[i];
    for (size_t i = 0; best && i < n; i++) {
        if (rels[i].start != best->start || k-- > 0)
            continue;
        *from = part;
        *site = rels[i].site;
        return off < rels[i].start + rels[i].count * rels[i].elem;
    }
    return false;
}

/* ---- functions of the row type ------------------------------------------------------------------------- */

static lathe_result count(const rec_at *at, const rec_field *row, uint64_t site, uint64_t *n,
                          lathe_error *err)
{
    const uint8_t *p =
        rec_part_of(at->doc, at->part)->data + site + offset_width(rec_row_body(row));
    int32_t size = (int32_t)bytes_ld32(p, false);
    *n = size < 0 ? 0 : (uint64_t)size;
    return size >= 0 ? LATHE_OK
                     : rec_fail(at, tag_slot_of(at, row), site, err, LATHE_ERR_INVALID,
                                "negative count %d", size);
}

/* Fails if elements with headers belong to several arrays, or many elements without headers do: a walk could
 * take too long. */
static lathe_result check_alone(const rec_at *at, const rec_field *row, uint64_t site,
                                uint64_t start, bool out_of_line, lathe_error *err)
{
    size_t n;
    const tag_state *s = tag_state_of(at->doc, at->layout->container);
    const char *wrong = NULL;
    if (!tag_rels(at->doc, at->part, &n))
        return rec_no_memory(err);
    const tag_rel *own = rel_at(s, site);
    if (out_of_line && start <= site)
        wrong = "its elements lie in front of it";
    else if (!own || own->shared || (out_of_line && s->rels_tangled))
        wrong = "other arrays have elements there, too";
    return wrong ? rec_fail(at, tag_slot_of(at, row), site, err, LATHE_ERR_UNSUPPORTED, "%s", wrong)
                 : LATHE_OK;
}

static lathe_result locate(const rec_at *at, const rec_field *row, uint64_t site, uint64_t n,
                           uint32_t *part, uint64_t *off, lathe_error *err)
{
    const rec_part *p = rec_part_of(at->doc, *part);
    uint32_t slot = tag_slot_of(at, row);
    const rec_slot *s = &at->layout->slots[slot];
    uint64_t start =
        start_of(site, offset_at(p->data + site, offset_width(rec_row_body(row))), p->size);
    *off = start;
    if (p->scratch || !n) {
        *off = start == LATHE_NO_OFFSET ? p->size : start;
        return LATHE_OK;
    }
    if (start == LATHE_NO_OFFSET)
        return rec_fail(at, slot, site, err, LATHE_ERR_BOUNDS,
                        "an offset of %lld, which leads out of the object's 0x%llx bytes",
                        (long long)offset_at(p->data + site, offset_width(rec_row_body(row))),
                        (unsigned long long)p->size);
    if (p->root && p->root->size != REC_DYNAMIC && start < p->root->size)
        return rec_fail(at, slot, site, err, LATHE_ERR_INVALID,
                        "an offset that leads into the object's own members");
    uint64_t left = tag_reach(at->doc, *part, start) - start;
    if (s->elem == REC_DYNAMIC || (s->elem && n > left / s->elem))
        return rec_fail(at, slot, site, err, LATHE_ERR_BOUNDS,
                        "%llu elements of %llu bytes do not fit into %llu bytes",
                        (unsigned long long)n, (unsigned long long)s->elem,
                        (unsigned long long)left);
    bool out_of_line = s->sub && s->sub->has_out_of_line;
    return out_of_line || n * s->elem > TAG_SHARED_MOST
               ? check_alone(at, row, site, start, out_of_line, err)
               : LATHE_OK;
}

static lathe_result load(const rec_at *at, const rec_field *row, uint32_t part, uint64_t site,
                         uint64_t *raw, lathe_error *err)
{
    const rec_part *p = rec_part_of(at->doc, part);
    int64_t offset = offset_at(p->data + site, 8);
    *raw = 0;
    if (!offset || p->scratch)
        return LATHE_OK;
    uint64_t position = tag_position(at->doc, part, site) + (uint64_t)offset;
    *raw = tag_object_at(at->doc, at->layout->container, position);
    return *raw ? LATHE_OK
                : rec_fail(at, tag_slot_of(at, row), site, err, LATHE_ERR_UNSUPPORTED,
                           "an offset of %lld, where no object begins", (long long)offset);
}

const rec_ref tag_relative_ref = {
    .resolve = tag_resolve, .store = tag_store, .load = load, .put = tag_put_relative};

#define RELATIVE_BODY(bytes)                                                                       \
    {                                                                                              \
        .align = 16, .width = (bytes), .locate = locate, .place = tag_place_data,                  \
        .point = tag_point_relative, .clear = tag_clear_relative, .count = count,                  \
        .recount = tag_recount_relative, .shared = tag_data_shared, .room = tag_data_room          \
    }

static const rec_body bodies[] = {RELATIVE_BODY(SHORT), RELATIVE_BODY(LONG)};

const rec_body *tag_relative_body(uint32_t size)
{
    return size < SHORT ? NULL : &bodies[size >= LONG];
}

uint32_t tag_relative_offset_width(const rec_body *body)
{
    return offset_width(body);
}
