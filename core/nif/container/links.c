/* References by block number and string number: resolves them, finds them, and updates them when blocks are
 * inserted, removed or moved. */
#include "nif/container/container.h"

/* ---- blocks -------------------------------------------------------------------------------------------- */

static lathe_result resolve(const rec_at *at, const rec_field *row, uint64_t raw, lathe_view *out,
                            lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = at->layout->container, part = nif_block(doc, c, raw);
    rec_at root = rec_root(doc, c);
    uint64_t total = part == REC_NO_PART ? (uint64_t)rec_slot_int(&root, NIF_NUM_BLOCKS) : 0;
    if (raw < total)
        return rec_fail(
            at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err, LATHE_ERR_UNSUPPORTED,
            "blocks[%llu] is not known, as one in front of it is not", (unsigned long long)raw + 1);
    if (part == REC_NO_PART)
        return rec_fail(
            at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err, LATHE_ERR_BOUNDS,
            (int32_t)raw < 0 ? "%lld is not the number of a block" : "blocks[%lld] of %llu",
            (long long)(int32_t)raw + ((int32_t)raw >= 0), (unsigned long long)total);
    rec_at block = nif_at(doc, part);
    if (!block.layout)
        return rec_no_memory(err);
    *out = rec_view(&block);
    return LATHE_OK;
}

static lathe_result store(const rec_at *at, const rec_field *row, lathe_view target, uint64_t *raw,
                          lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = at->layout->container;
    const rec_part *p = rec_part_of(doc, target.part);
    if (target.off || target.flags & REC_VIEW_ARRAY || p->container != c ||
        p->owner != doc->containers[c].root || p->slot != NIF_BLOCKS)
        return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                        LATHE_ERR_TYPE, "a reference leads to a block");
    *raw = nif_number(doc, target.part);
    return LATHE_OK;
}

const rec_ref nif_ref = {.null = 0xFFFFFFFF, .inside = true, .resolve = resolve, .store = store};
const rec_ref nif_ptr = {.null = 0xFFFFFFFF, .inside = true, .resolve = resolve, .store = store};

/* ---- all links of a block ------------------------------------------------------------------------------ */

typedef struct visit {
    lathe_result (*each)(void *user, const nif_link *link, lathe_error *err);
    /* Called for an array of block numbers as a whole; NULL: one call for each. */
    lathe_result (*all)(void *user, const rec_at *at, const rec_loc *loc, lathe_error *err);
    void *user;
    bool texts; /* also string numbers */
} visit;

static lathe_result visit_record(const visit *v, const rec_at *at, int depth, lathe_error *err);

/* Visits a number or an array of numbers. */
static lathe_result visit_numbers(const visit *v, const rec_at *at, uint32_t slot,
                                  const rec_loc *loc, lathe_error *err)
{
    const rec_slot *s = &at->layout->slots[slot];
    lathe_result r = LATHE_OK;
    uint64_t n = s->array ? loc->count : 1;
    if (v->all && s->array)
        return v->all(v->user, at, loc, err);
    nif_link link = {.at = at,
                     .slot = slot,
                     .text = rec_row_codec(s->row) != NULL,
                     .back = rec_row_ref(s->row) == &nif_ptr};
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        link.item = s->array ? i : REC_NO_ITEM;
        link.off = (s->array ? loc->data : loc->off) + 4 * i;
        link.value = bytes_ld32(rec_part_of(at->doc, at->part)->data + link.off, false);
        r = v->each(v->user, &link, err);
    }
    return r;
}

static lathe_result visit_row(const visit *v, const rec_at *at, uint32_t slot, int depth,
                              lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    rec_loc loc;
    bool numbers = s->row->ref || (v->texts && rec_row_codec(s->row) == &nif_string);
    if (!numbers && !(s->sub && s->sub->has_references))
        return LATHE_OK;
    lathe_result r = rec_find(at, slot, &loc, err);
    if (r != LATHE_OK || !loc.present)
        return r;
    if (numbers)
        return visit_numbers(v, at, slot, &loc, err);
    uint64_t n = s->array ? loc.count : 1;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at sub;
        r = rec_sub(at, slot, i, &sub, err);
        if (r == LATHE_OK)
            r = visit_record(v, &sub, depth + 1, err);
    }
    return r;
}

static lathe_result visit_record(const visit *v, const rec_at *at, int depth, lathe_error *err)
{
    rec_offsets known;
    rec_at here = *at;
    lathe_result r = LATHE_OK;
    known.n = 0;
    here.known = &known;
    if (depth > REC_DEPTH)
        return LATHE_OK; /* packfiles are opened, so there is none */
    for (uint32_t slot = 0; r == LATHE_OK && slot < at->layout->count; slot++)
        if (!at->layout->slots[slot].never && !rec_unstored(at->layout->slots[slot].row))
            r = visit_row(v, &here, slot, depth, err);
    return r;
}

static lathe_result visit_block(const visit *v, lathe_doc *doc, uint32_t part, lathe_error *err)
{
    rec_at block = nif_at(doc, part);
    if (!block.layout)
        return rec_no_memory(err);
    return rec_opaque(doc, part, NULL) ? LATHE_OK : visit_record(v, &block, 0, err);
}

lathe_result nif_each_link(lathe_doc *doc, uint32_t part,
                           lathe_result (*each)(void *user, const nif_link *link, lathe_error *err),
                           void *user, lathe_error *err)
{
    const visit v = {.each = each, .user = user, .texts = true};
    return visit_block(&v, doc, part, err);
}

/* ---- inserting and removing blocks --------------------------------------------------------------------- */

/* Where references to blocks go: some were removed and others inserted at a number, or (moved) one was moved
 * to another. */
typedef struct change {
    uint64_t at, removed, inserted;
    bool moved;
    uint64_t to;
    rec_shift shift; /* for all references except those to removed or moved blocks */
    uint64_t beyond; /* greatest new reference in the current block plus 1; 0: it has none */
} change;

/* HELD marks references to the moving block while the others are shifted. */
#define NO_BLOCK UINT32_MAX
#define HELD (UINT32_MAX - 1)

/* References in [from, below) get `by` added. None may become NO_BLOCK, since undo could not tell it from null. */
static void set_shift(change *c)
{
    c->shift = (rec_shift){.stride = 4, .width = 4};
    if (!c->moved) {
        c->shift.from = c->at + c->removed;
        c->shift.below = NO_BLOCK - c->inserted;
        c->shift.by = c->inserted - c->removed;
    } else if (c->at < c->to) {
        c->shift.from = c->at + 1;
        c->shift.below = c->to + 1;
        c->shift.by = UINT64_MAX;
    } else {
        c->shift.from = c->to;
        c->shift.below = c->at;
        c->shift.by = 1;
    }
}

static bool shifts(const change *c, uint32_t number)
{
    return number >= c->shift.from && number < c->shift.below;
}

/* True if a reference points to a removed block, or to the moved one. */
static bool leads_away(const change *c, uint32_t number)
{
    return c->moved ? number == c->at : number >= c->at && number - c->at < c->removed;
}

static uint32_t follow(const change *c, uint32_t number)
{
    if (shifts(c, number))
        return (uint32_t)(number + c->shift.by);
    return !leads_away(c, number) ? number : c->moved ? (uint32_t)c->to : NO_BLOCK;
}

static void count(change *c, uint32_t number)
{
    if (number != NO_BLOCK && number >= c->beyond)
        c->beyond = (uint64_t)number + 1;
}

static lathe_result put_number(const rec_at *at, uint64_t off, uint32_t number, lathe_error *err)
{
    uint8_t bytes[4];
    bytes_st32(bytes, number, false);
    return rec_splice(at->doc, at->part, off, 4, bytes, 4, err);
}

static lathe_result renumber_link(void *user, const nif_link *link, lathe_error *err)
{
    change *c = user;
    uint32_t now = follow(c, link->value);
    count(c, now);
    return now == link->value ? LATHE_OK : put_number(link->at, link->off, now, err);
}

/* Stores NO_BLOCK or HELD in references to removed or moved blocks; (back) replaces HELD by the new number. */
static lathe_result exchange(const change *c, const rec_at *at, const rec_loc *loc, bool back,
                             lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < loc->count; i++) {
        uint64_t off = loc->data + 4 * i;
        uint32_t number = bytes_ld32(rec_part_of(at->doc, at->part)->data + off, false);
        if (back && number == HELD)
            r = put_number(at, off, (uint32_t)c->to, err);
        else if (!back && leads_away(c, number))
            r = put_number(at, off, c->moved ? HELD : NO_BLOCK, err);
    }
    return r;
}

static lathe_result renumber_each(change *c, const rec_at *at, const rec_loc *loc, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < loc->count; i++) {
        uint64_t off = loc->data + 4 * i;
        uint32_t number = bytes_ld32(rec_part_of(at->doc, at->part)->data + off, false);
        if (follow(c, number) != number)
            r = put_number(at, off, follow(c, number), err);
    }
    return r;
}

/* An array of references: one entry in the journal shifts all of them. */
static lathe_result renumber_array(void *user, const rec_at *at, const rec_loc *loc,
                                   lathe_error *err)
{
    change *c = user;
    const uint8_t *p = rec_part_of(at->doc, at->part)->data + loc->data;
    bool any = false, away = false, odd = false;
    for (uint64_t i = 0; i < loc->count; i++, p += 4) {
        uint32_t number = bytes_ld32(p, false);
        any = any || shifts(c, number);
        away = away || leads_away(c, number);
        odd = odd || number == HELD;
        count(c, follow(c, number));
    }
    if (odd) /* not a block number, but stored: one by one */
        return renumber_each(c, at, loc, err);
    lathe_result r = away ? exchange(c, at, loc, false, err) : LATHE_OK;
    rec_shift shift = c->shift;
    shift.site = loc->data;
    shift.count = loc->count;
    if (r == LATHE_OK && any)
        r = rec_shift_all(at->doc, at->part, &shift, err);
    return r == LATHE_OK && away && c->moved ? exchange(c, at, loc, true, err) : r;
}

/* A part's memo holds `beyond` + 1, so that blocks with only smaller references need not be visited. */
static lathe_result renumber_block(const visit *v, change *c, lathe_doc *doc, uint32_t part,
                                   lathe_error *err)
{
    uint64_t least = c->moved && c->to < c->at ? c->to : c->at, memo = doc->parts[part].memo;
    if (memo && memo - 1 <= least)
        return LATHE_OK;
    c->beyond = 0;
    lathe_result r = visit_block(v, doc, part, err);
    if (r == LATHE_OK && !rec_opaque(doc, part, NULL))
        doc->parts[part].memo = c->beyond + 1;
    return r;
}

static lathe_result renumber(const rec_at *at, change *by, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    const visit v = {.each = renumber_link, .all = renumber_array, .user = by};
    lathe_result r = LATHE_OK;
    uint64_t n;
    const uint32_t *blocks = rec_kid_list(doc, at->part, NIF_BLOCKS, &n);
    set_shift(by);
    for (uint64_t k = 0; r == LATHE_OK && k < n; k++)
        r = renumber_block(&v, by, doc, blocks[k], err);
    uint32_t footer = rec_kid(doc, at->part, NIF_FOOTER, 0);
    rec_at end = {.doc = doc, .part = footer, .slot = REC_NO_SLOT};
    if (footer == REC_NO_PART || r != LATHE_OK)
        return r;
    end.layout = rec_part_root(doc, footer);
    return end.layout ? visit_record(&v, &end, 0, err) : rec_no_memory(err);
}

lathe_result nif_renumber(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                          uint64_t inserted, lathe_error *err)
{
    change by = {.at = i, .removed = removed, .inserted = inserted};
    (void)row;
    return renumber(at, &by, err);
}

lathe_result nif_renumber_moved(const rec_at *at, const rec_field *row, uint64_t from, uint64_t to,
                                lathe_error *err)
{
    change by = {.at = from, .moved = true, .to = to};
    (void)row;
    return renumber(at, &by, err);
}

/* Finds a block whose references are unknown. */
static uint32_t unknown_block(lathe_doc *doc, uint32_t c)
{
    uint64_t n;
    const uint32_t *blocks = rec_kid_list(doc, doc->containers[c].root, NIF_BLOCKS, &n);
    for (uint64_t i = 0; i < n; i++) {
        if (doc->parts[blocks[i]].memo) /* they were updated before */
            continue;
        const rec_layout *root = rec_part_root(doc, blocks[i]);
        if (!root || root->type == &nif_opaque || rec_opaque(doc, blocks[i], NULL))
            return blocks[i];
    }
    return REC_NO_PART;
}

lathe_result nif_knows_all(const rec_at *root, const char *why, lathe_error *err)
{
    uint32_t unknown = unknown_block(root->doc, root->layout->container);
    if (unknown == REC_NO_PART)
        return LATHE_OK;
    rec_at block = nif_at(root->doc, unknown);
    return rec_fail(block.layout ? &block : root, REC_NO_SLOT, 0, err, LATHE_ERR_UNSUPPORTED, "%s",
                    why);
}

lathe_result nif_may_resize(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                            uint64_t inserted, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = at->layout->container, rest = rec_kid(doc, at->part, NIF_REST, 0);
    uint64_t n = nif_total(doc, c);
    (void)row;
    (void)inserted;
    if (n != (uint64_t)rec_slot_int(at, NIF_NUM_BLOCKS))
        return rec_fail(at, NIF_BLOCKS, rec_encoded(doc, rest, 0), err, LATHE_ERR_UNSUPPORTED,
                        "blocks[%llu] and what follows (at 0x%llx) are not understood: blocks "
                        "cannot be added or removed",
                        (unsigned long long)n + 1, (unsigned long long)rec_encoded(doc, rest, 0));
    if (i == n && !removed)
        return LATHE_OK;
    return nif_knows_all(at, "nobody knows its references: blocks can only be appended", err);
}

/* ---- inserting and removing strings -------------------------------------------------------------------- */

static lathe_result not_behind(void *user, const nif_link *link, lathe_error *err)
{
    const uint64_t *i = user;
    if (!link->text || link->value == 0xFFFFFFFF || link->value < *i)
        return LATHE_OK;
    return rec_fail(link->at, link->slot, link->off, err, LATHE_ERR_UNSUPPORTED,
                    "it names strings[%llu]: strings from there on keep their numbers",
                    (unsigned long long)link->value + 1);
}

/* Fails for strings that are in use, or in front of one that is: their numbers must not change. */
lathe_result nif_may_resize_strings(const rec_at *at, const rec_field *row, uint64_t i,
                                    uint64_t removed, uint64_t inserted, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = at->layout->container;
    rec_loc strings;
    (void)row;
    (void)inserted;
    lathe_result r = rec_find(at, NIF_STRINGS, &strings, err);
    if (r != LATHE_OK || (i >= strings.count && !removed))
        return r;
    r = nif_knows_all(at, "nobody knows its strings: strings can only be appended", err);
    for (uint64_t k = 0; r == LATHE_OK && k < nif_total(doc, c); k++)
        r = nif_each_link(doc, nif_block(doc, c, k), not_behind, &i, err);
    return r;
}
