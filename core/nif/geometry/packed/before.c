/* Restores the state of a part at the start of the open edit in copies, by reading its journal backwards. */
#include "nif/geometry/packed/before.h"

static const nif_stretch *stretches_of(const nif_before *b, size_t *n)
{
    *n = b->stretches.size / sizeof(nif_stretch);
    return (const nif_stretch *)(const void *)b->stretches.data;
}

/* ---- undoing one step ------------------------------------------------------------------------------------ */

/* Undoes a replacement by as many bytes: they stay the same bytes with other values. */
static void put_back(nif_before *b, const rec_edit *e, const uint8_t *old)
{
    size_t n;
    const nif_stretch *s = stretches_of(b, &n);
    memcpy(b->image.data + e->at, old, (size_t)e->removed);
    for (size_t i = 0; e->removed < b->whole && i < n; i++) {
        uint64_t from = e->at > s[i].was ? e->at : s[i].was, end = s[i].was + s[i].size;
        uint64_t to = e->at + e->removed < end ? e->at + e->removed : end;
        if (from < to)
            memcpy(b->born.data + s[i].now + (from - s[i].was), old + (from - e->at),
                   (size_t)(to - from));
    }
}

static bool keep(buf *to, uint64_t now, uint64_t was, uint64_t size)
{
    nif_stretch s = {now, was, size};
    return !size || buf_put(to, &s, sizeof s);
}

/* Undoes an insertion: bytes in [at, at + inserted) have no former place, and those behind them move. */
static bool close_up(nif_before *b, const rec_edit *e)
{
    size_t n;
    const nif_stretch *s = stretches_of(b, &n);
    uint64_t end = e->at + e->inserted;
    buf whole = b->stretches;
    b->spare.size = 0;
    for (size_t i = 0; i < n; i++, s++) {
        uint64_t stop = s->was + s->size, front = stop < e->at ? stop : e->at,
                 from = s->was > end ? s->was : end;
        if (s->was < front && !keep(&b->spare, s->now, s->was, front - s->was))
            return false;
        if (from < stop && !keep(&b->spare, s->now + (from - s->was),
                                 from + e->removed - e->inserted, stop - from))
            return false;
    }
    b->stretches = b->spare;
    b->spare = whole;
    return true;
}

static bool step_back(nif_before *b, const rec_edit *e, const uint8_t *old)
{
    buf *image = &b->image;
    uint64_t tail = image->size - e->at - e->inserted;
    if (!e->removed && !e->inserted)
        return true;
    if (e->removed == e->inserted) {
        b->rewritten = b->rewritten || (!e->at && e->removed == image->size);
        put_back(b, e, old);
        return true;
    }
    if (e->removed > e->inserted && !buf_reserve(image, (size_t)(e->removed - e->inserted)))
        return false;
    memmove(image->data + e->at + e->removed, image->data + e->at + e->inserted, (size_t)tail);
    if (e->removed)
        memcpy(image->data + e->at, old, (size_t)e->removed);
    image->size = (size_t)(e->at + e->removed + tail);
    return close_up(b, e);
}

/* ---- a part ---------------------------------------------------------------------------------------------- */

bool nif_before_read(lathe_doc *doc, uint32_t part, uint64_t whole, nif_before *out)
{
    const rec_part *p = &doc->parts[part];
    nif_stretch all = {0, 0, p->size};
    *out = (nif_before){.doc = doc, .whole = whole};
    buf_init(&out->image, &doc->mem);
    buf_init(&out->born, &doc->mem);
    buf_init(&out->stretches, &doc->mem);
    buf_init(&out->spare, &doc->mem);
    if (!buf_put(&out->image, p->data, (size_t)p->size) ||
        !buf_put(&out->born, p->data, (size_t)p->size) ||
        !buf_put(&out->stretches, &all, sizeof all))
        return false;
    for (const rec_edit *e = rec_edit_last(doc, part); e; e = rec_edit_earlier(doc, e)) {
        if (e->kind != EDIT_BYTES && e->kind != EDIT_PART_ADD)
            continue;
        out->made = e->kind == EDIT_PART_ADD;
        const uint8_t *old = e->removed ? doc->journal.data.data + e->data : NULL;
        if (!out->made && !step_back(out, e, old))
            return false;
    }
    return true;
}

void nif_before_free(nif_before *b)
{
    buf_free(&b->image);
    buf_free(&b->born);
    buf_free(&b->stretches);
    buf_free(&b->spare);
}

uint64_t nif_before_place(const nif_before *b, uint64_t now, uint64_t size)
{
    size_t lo = 0, n, hi;
    const nif_stretch *s = stretches_of(b, &n);
    hi = n;
    while (lo < hi) { /* the first one that ends behind it */
        size_t mid = lo + (hi - lo) / 2;
        if (s[mid].now + s[mid].size <= now)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == n || s[lo].now > now || s[lo].now + s[lo].size - now < size)
        return NIF_NEW;
    return s[lo].was + (now - s[lo].now);
}

/* ---- a row ----------------------------------------------------------------------------------------------- */

bool nif_before_row(const rec_at *at, const char *row, uint8_t *out, uint64_t size)
{
    lathe_doc *doc = at->doc;
    uint32_t slot = rec_slot_find(at->layout, row);
    rec_loc loc;
    if (slot == REC_NO_SLOT || rec_find(at, slot, &loc, NULL) != LATHE_OK || !loc.present ||
        loc.size != size)
        return false;
    memcpy(out, rec_part_of(doc, loc.part)->data + loc.off, (size_t)size);
    uint64_t start = loc.off;
    for (const rec_edit *e = rec_edit_last(doc, loc.part); e; e = rec_edit_earlier(doc, e)) {
        if (e->kind != EDIT_BYTES)
            continue;
        if (e->removed != e->inserted) {
            start += e->at + e->inserted <= start ? e->removed - e->inserted : 0;
            continue;
        }
        for (uint64_t k = 0; k < size; k++)
            if (start + k >= e->at && start + k < e->at + e->removed)
                out[k] = doc->journal.data.data[e->data + (start + k - e->at)];
    }
    return true;
}
