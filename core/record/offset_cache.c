/* The offset cache: a small set-associative table with an entry for each record or array. */
#include "record/offset_cache.h"

enum {
    SETS = 32,
    WAYS = 4,  /* more if all entries of a set are held */
    EVERY = 16 /* of an array, every 16th element's offset is stored */
};

typedef struct cached {
    const rec_layout *layout; /* NULL: unused */
    /* slot: the array's, or REC_NO_SLOT for the offsets of the record's rows */
    uint32_t part, slot;
    uint64_t off;   /* of the record */
    uint64_t known; /* offs[0 .. known-1] are valid: of rows, or of every 16th element */
    uint64_t *offs;
    size_t cap;
    uint64_t last, last_off; /* of an array: the element found last (0: none) … */
    uint64_t far, far_off;   /* … and the last element reached, usually its end */
    /* time of last use: the least recently used entry of a set is replaced */
    uint32_t used;
    uint32_t held; /* number of walks that hold it */
} cached;

typedef struct set {
    cached *e;
    size_t n;
} set;

struct rec_offset_cache {
    set sets[SETS];
    cached *latest; /* found or made last, and probably needed next. NULL: none */
    uint32_t clock;
};

static set *set_of(rec_offset_cache *s, const rec_at *at, uint32_t slot)
{
    uint64_t h = at->off * 0x9E3779B97F4A7C15u ^ (uint64_t)at->part << 17 ^ (uintptr_t)at->layout ^
                 (uint64_t)slot * 0x85EBCA6Bu;
    h ^= h >> 29;
    return &s->sets[(h ^ h >> 11) % SETS];
}

static bool is_of(const cached *e, const rec_at *at, uint32_t slot)
{
    return e->off == at->off && e->layout == at->layout && e->part == at->part && e->slot == slot;
}

static cached *lookup(const rec_at *at, uint32_t slot)
{
    rec_offset_cache *all = at->doc->offset_cache;
    if (!all)
        return NULL;
    if (all->latest && is_of(all->latest, at, slot))
        return all->latest;
    const set *s = set_of(all, at, slot);
    for (size_t i = 0; i < s->n; i++)
        if (is_of(&s->e[i], at, slot)) {
            s->e[i].used = ++all->clock;
            return all->latest = &s->e[i];
        }
    return NULL;
}

/* The entry of a set to be replaced, or a new one if all are held. */
static cached *make_room(const mem *m, set *s)
{
    cached *best = NULL;
    for (size_t i = 0; i < s->n; i++) {
        cached *e = &s->e[i];
        if (!e->held && (!best || (e->layout ? best->layout && e->used < best->used : true)))
            best = e;
    }
    if (best)
        return best;
    cached *grown = mem_resize(m, s->e, s->n * sizeof *s->e, (s->n + WAYS) * sizeof *s->e);
    if (!grown)
        return NULL;
    memset(grown + s->n, 0, WAYS * sizeof *grown);
    s->e = grown;
    s->n += WAYS;
    return &grown[s->n - WAYS];
}

/* The entry of a record or array, made if there is none. NULL: no memory. */
static cached *entry(const rec_at *at, uint32_t slot, uint64_t first)
{
    cached *found = lookup(at, slot);
    if (found || REC_FORGETS)
        return found;
    if (!at->doc->offset_cache) {
        at->doc->offset_cache = mem_zalloc(&at->doc->mem, sizeof *at->doc->offset_cache);
        if (!at->doc->offset_cache)
            return NULL;
    }
    at->doc->offset_cache->latest = NULL; /* the set may be reallocated */
    cached *e = make_room(&at->doc->mem, set_of(at->doc->offset_cache, at, slot));
    if (!e)
        return NULL;
    *e = (cached){.layout = at->layout,
                  .part = at->part,
                  .slot = slot,
                  .off = at->off,
                  .offs = e->offs,
                  .cap = e->cap,
                  .used = ++at->doc->offset_cache->clock};
    void *offs = e->offs;
    if (!mem_reserve(&at->doc->mem, &offs, &e->cap, 1, sizeof *e->offs)) {
        e->layout = NULL;
        return NULL;
    }
    e->offs = offs;
    e->offs[0] = first;
    e->known = 1;
    return at->doc->offset_cache->latest = e;
}

static void append(const rec_at *at, cached *e, uint64_t off)
{
    if (e->known >= e->cap) {
        void *offs = e->offs;
        if (!mem_reserve(&at->doc->mem, &offs, &e->cap, (size_t)e->known + 1, sizeof *e->offs))
            return;
        e->offs = offs;
    }
    e->offs[e->known++] = off;
}

void rec_offset_hold(const rec_at *at, uint32_t slot, uint64_t first)
{
    cached *e = entry(at, slot, first);
    if (e)
        e->held++;
}

void rec_offset_release(const rec_at *at, uint32_t slot)
{
    cached *e = lookup(at, slot);
    if (e && e->held) /* 0 if the entry was dropped in between */
        e->held--;
}

void rec_offset_row(const rec_at *at, uint32_t slot, uint32_t *k, uint64_t *off)
{
    const cached *e = lookup(at, REC_NO_SLOT);
    if (!e || !e->known)
        return;
    uint64_t last = e->known - 1;
    *k = last < slot ? (uint32_t)last : slot;
    *off = e->offs[*k];
}

void rec_offset_note_row(const rec_at *at, uint32_t k, uint64_t off)
{
    cached *e = entry(at, REC_NO_SLOT, at->off);
    if (e && e->known == k)
        append(at, e, off);
}

void rec_offset_item(const rec_at *at, uint32_t slot, uint64_t i, uint64_t *k, uint64_t *off)
{
    const cached *e = lookup(at, slot);
    if (!e || !e->known || e->offs[0] != *off)
        return;
    uint64_t c = i / EVERY < e->known ? i / EVERY : e->known - 1;
    *k = c * EVERY;
    *off = e->offs[c];
    if (e->last > *k && e->last <= i) {
        *k = e->last;
        *off = e->last_off;
    }
    if (e->far > *k && e->far <= i) {
        *k = e->far;
        *off = e->far_off;
    }
}

void rec_offset_note_item(const rec_at *at, uint32_t slot, uint64_t data, uint64_t k, uint64_t off)
{
    cached *e = entry(at, slot, data);
    if (!e || e->offs[0] != data)
        return;
    e->last = k;
    e->last_off = off;
    if (k >= e->far) {
        e->far = k;
        e->far_off = off;
    }
    if (k == e->known * EVERY)
        append(at, e, off);
}

uint64_t rec_offset_before(const rec_at *at, uint32_t slot, uint64_t off)
{
    const cached *e = lookup(at, slot);
    uint64_t lo = 0, hi = e ? e->known : 0;
    while (lo < hi) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (e->offs[mid] <= off)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo ? (lo - 1) * EVERY : 0;
}

static void forget_entry(cached *e, uint64_t off)
{
    while (e->known && e->offs[e->known - 1] >= off)
        e->known--;
    if (e->last_off >= off)
        e->last = 0;
    if (e->far_off >= off)
        e->far = 0;
    if (e->off >= off || !e->known) {
        e->layout = NULL;
        e->held = 0;
    }
}

static uint64_t moved(uint64_t off, uint64_t end, uint64_t removed, uint64_t inserted)
{
    return off >= end ? off - removed + inserted : off;
}

void rec_offset_move(lathe_doc *doc, uint32_t part, uint64_t end, uint64_t removed,
                     uint64_t inserted)
{
    for (int s = 0; doc->offset_cache && s < SETS; s++)
        for (size_t i = 0; i < doc->offset_cache->sets[s].n; i++) {
            cached *e = &doc->offset_cache->sets[s].e[i];
            if (!e->layout || e->part != part)
                continue;
            if (e->off >= end) { /* its hash has changed */
                forget_entry(e, end);
                continue;
            }
            for (uint64_t k = e->known; k > 0 && e->offs[k - 1] >= end; k--)
                e->offs[k - 1] = e->offs[k - 1] - removed + inserted;
            e->last_off = moved(e->last_off, end, removed, inserted);
            e->far_off = moved(e->far_off, end, removed, inserted);
        }
}

/* Shifts the offsets of an entry from index `k` on. */
static void move_offs(cached *e, uint64_t k, uint64_t by)
{
    for (; k < e->known; k++)
        e->offs[k] += by;
}

/* Updates the entry of the record that contains the array. */
static void resize_own(cached *e, const rec_resizing *what, uint64_t by)
{
    if (e->slot == REC_NO_SLOT) {
        move_offs(e, what->slot + 1, by);
    } else if (e->slot == what->slot) {
        uint64_t good = what->i / EVERY + 1;
        e->known = e->known < good ? e->known : good;
        e->last = e->last <= what->i ? e->last : 0;
        e->far = e->far <= what->i ? e->far : 0;
    } else if (e->slot > what->slot) {
        move_offs(e, 0, by);
        e->last_off += by;
        e->far_off += by;
    }
}

void rec_offset_resize(const rec_resizing *what, uint64_t cut, uint64_t removed, uint64_t inserted)
{
    const rec_at *at = what->at;
    rec_offset_cache *all = at->doc->offset_cache;
    uint64_t end = cut + removed;
    for (int s = 0; all && s < SETS; s++)
        for (size_t i = 0; i < all->sets[s].n; i++) {
            cached *e = &all->sets[s].e[i];
            if (!e->layout || e->part != at->part)
                continue;
            /* During a version change, a record may be read with two layouts, of the old and the new version. */
            if (e->off == at->off && e->layout->type == at->layout->type) {
                resize_own(e, what, inserted - removed);
            } else if (e->off >= cut) { /* its hash has changed */
                forget_entry(e, cut);
            } else if (e->off <= at->off) { /* it encloses or precedes the record */
                uint64_t k = e->known;
                while (k > 0 && e->offs[k - 1] >= end)
                    k--;
                move_offs(e, k, inserted - removed);
                e->last_off = moved(e->last_off, end, removed, inserted);
                e->far_off = moved(e->far_off, end, removed, inserted);
            }
        }
}

void rec_forget(lathe_doc *doc, uint32_t part, uint64_t off)
{
    doc->parts[part].memo = 0;
    if (!doc->offset_cache)
        return;
    for (int s = 0; s < SETS; s++)
        for (size_t i = 0; i < doc->offset_cache->sets[s].n; i++) {
            cached *e = &doc->offset_cache->sets[s].e[i];
            if (e->layout && e->part == part)
                forget_entry(e, off);
        }
}

void rec_offset_cache_free(lathe_doc *doc)
{
    if (!doc->offset_cache)
        return;
    for (int s = 0; s < SETS; s++) {
        set *in = &doc->offset_cache->sets[s];
        for (size_t i = 0; i < in->n; i++)
            mem_free(&doc->mem, in->e[i].offs, in->e[i].cap * sizeof *in->e[i].offs);
        mem_free(&doc->mem, in->e, in->n * sizeof *in->e);
    }
    mem_free(&doc->mem, doc->offset_cache, sizeof *doc->offset_cache);
    doc->offset_cache = NULL;
}
