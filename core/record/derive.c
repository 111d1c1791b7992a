/* .derive rows: a size or total that agrees with its record before an edit is recomputed after it. A value that does
 * not agree is kept. */
#include "record/record.h"

static lathe_result raw_signed(const rec_at *at, uint32_t slot, int64_t *out)
{
    lathe_value v;
    lathe_result r = rec_get(at, slot, true, &v, NULL);
    if (r == LATHE_OK && v.kind != LATHE_KIND_INT && v.kind != LATHE_KIND_UINT)
        r = LATHE_ERR_TYPE;
    if (r == LATHE_OK)
        *out = v.as.i;
    return r;
}

/* ---- noted rows, sorted by place ------------------------------------------------------------------- */

static int compare(const rec_derived *d, const lathe_view *view, uint32_t slot)
{
    uintptr_t a = (uintptr_t)d->view.type, b = (uintptr_t)view->type;
    if (d->view.part != view->part)
        return d->view.part < view->part ? -1 : 1;
    if (d->slot != slot)
        return d->slot < slot ? -1 : 1;
    if (a != b)
        return a < b ? -1 : 1;
    return d->view.off < view->off ? -1 : d->view.off > view->off;
}

static void move_places(lathe_doc *doc, size_t from, size_t to)
{
    memmove(doc->by_place + to, doc->by_place + from,
            (doc->by_place_n - from) * sizeof *doc->by_place);
    doc->by_place_n = doc->by_place_n - from + to;
}

/* Finds a row in by_place, or the index where it belongs. Rows of removed records cannot be sorted: they are left out
 * until a rollback restores them. */
static bool search(lathe_doc *doc, const lathe_view *view, uint32_t slot, size_t *pos)
{
    size_t lo = 0, hi = doc->by_place_n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        rec_derived *d = &doc->derived[doc->by_place[mid]];
        bool gone = rec_sync(&d->view, NULL) != LATHE_OK;
        int order = gone ? 1 : compare(d, view, slot);
        *pos = mid;
        if (gone)
            move_places(doc, mid + 1, mid);
        if (order == 0)
            return true;
        if (order < 0)
            lo = mid + 1;
        else
            hi = gone ? hi - 1 : mid;
    }
    *pos = lo;
    return false;
}

static void put_place(lathe_doc *doc, size_t pos, size_t i)
{
    move_places(doc, pos, pos + 1);
    doc->by_place[pos] = (uint32_t)i;
}

static bool find(lathe_doc *doc, const lathe_view *view, uint32_t slot, size_t *pos)
{
    if (doc->by_place_stale) {
        doc->by_place_n = 0;
        for (size_t i = 0; i < doc->derived_n; i++) {
            rec_derived *d = &doc->derived[i];
            if (rec_sync(&d->view, NULL) == LATHE_OK && !search(doc, &d->view, d->slot, pos))
                put_place(doc, *pos, i);
        }
        doc->by_place_stale = false;
    }
    return search(doc, view, slot, pos);
}

static bool room(lathe_doc *doc)
{
    void *list = doc->derived, *places = doc->by_place;
    bool ok = doc->derived_n < UINT32_MAX && mem_reserve(&doc->mem, &list, &doc->derived_cap,
                                                         doc->derived_n + 1, sizeof *doc->derived);
    doc->derived = list;
    ok = ok && mem_reserve(&doc->mem, &places, &doc->by_place_cap, doc->derived_n + 1,
                           sizeof *doc->by_place);
    doc->by_place = places;
    return ok;
}

/* ---- noting -------------------------------------------------------------------------------------- */

static void note(const rec_at *at, uint32_t depth)
{
    lathe_doc *doc = at->doc;
    for (uint32_t slot = 0; slot < at->layout->count; slot++) {
        const rec_field *row = at->layout->slots[slot].row;
        lathe_view view = rec_view(at);
        int64_t stored, derived;
        size_t pos;
        if (!rec_row_rare(row)->derive || find(doc, &view, slot, &pos))
            continue;
        if (!room(doc)) {
            doc->derived_lost = true; /* makes the edit fail at its end */
            return;
        }
        bool agreed = raw_signed(at, slot, &stored) == LATHE_OK &&
                      rec_row_rare(row)->derive(at, &derived) && stored == derived;
        put_place(doc, pos, doc->derived_n);
        doc->derived[doc->derived_n++] = (rec_derived){view, slot, depth, agreed};
    }
}

void rec_derive_release(const rec_at *at, uint32_t slot)
{
    lathe_view view = rec_view(at);
    size_t pos;
    if (find(at->doc, &view, slot, &pos))
        at->doc->derived[at->doc->by_place[pos]].agreed = false;
}

void rec_derive_note(lathe_doc *doc, uint32_t part, uint64_t off, bool inside)
{
    uint32_t level = 0;
    for (uint32_t p = part; doc->parts[p].owner != REC_NO_PART; p = doc->parts[p].owner)
        level++;
    for (; part != REC_NO_PART; part = doc->parts[part].owner, level--) {
        const rec_part *p = &doc->parts[part];
        const lathe_format *format = doc->containers[p->container].format;
        rec_at chain[REC_DEPTH];
        bool derives = format->derives && p->root && p->root->derives;
        int n = derives ? rec_chain(doc, part, off, chain) : 0;
        while (n-- > 0)
            note(&chain[n], level * REC_DEPTH + (uint32_t)n + 1);
        if (inside)
            return;
        off = 0; /* the row that it is attached to is in the first record of the owner */
    }
}

/* ---- applying ------------------------------------------------------------------------------------ */

static lathe_result apply(rec_derived *d, lathe_error *err)
{
    rec_at at;
    uint32_t none;
    int64_t value;
    uint64_t raw;
    bool present;
    if (!d->agreed || rec_enter(&d->view, &at, &none, NULL) != LATHE_OK)
        return LATHE_OK;
    if (rec_present(&at, d->slot, &present, NULL) != LATHE_OK || !present)
        return LATHE_OK; /* it was removed */
    if (!rec_row_rare(at.layout->slots[d->slot].row)->derive(&at, &value))
        return LATHE_OK;
    lathe_value v = {.kind = LATHE_KIND_INT, .as.i = value};
    lathe_result r = rec_encode(&at, d->slot, &v, &raw, err);
    return r == LATHE_OK ? rec_put_raw(&at, d->slot, 0, raw, err) : r;
}

/* The next smaller depth at which rows were noted; 0: none. */
static uint32_t next_above(const lathe_doc *doc, uint32_t depth)
{
    uint32_t next = 0;
    for (size_t i = 0; i < doc->derived_n; i++)
        if (doc->derived[i].depth < depth && doc->derived[i].depth > next)
            next = doc->derived[i].depth;
    return next;
}

/* Recomputes inner totals first, because outer ones may add them up. There are few depths, however many rows. */
lathe_result rec_derive_apply(lathe_doc *doc, lathe_error *err)
{
    lathe_result r = doc->derived_lost ? rec_no_memory(err) : LATHE_OK;
    uint32_t depth = UINT32_MAX;
    while (r == LATHE_OK && (depth = next_above(doc, depth)) > 0)
        for (size_t i = 0; r == LATHE_OK && i < doc->derived_n; i++)
            if (doc->derived[i].depth == depth)
                r = apply(&doc->derived[i], err);
    return r;
}

void rec_derive_forget(lathe_doc *doc, size_t mark)
{
    doc->derived_n = mark;
    doc->derived_lost = false;
    doc->by_place_n = 0;
    doc->by_place_stale = mark > 0;
}
