/* Index of array elements by their texts.
 *
 * An index is a list of element numbers, sorted by the hash of the text, then by the text. It consists of sorted
 * runs: a new element is a run of its own, and runs of similar size are merged. So insertion takes O(log n), and a
 * search at most O(log² n) comparisons of hashes, whatever the texts are. Texts are not copied: if hashes agree, the
 * elements are read.
 *
 * An index covers the first `n` elements, whose bytes are from..to of a part. Changes outside of them move it.
 * Changes inside drop it, unless the caller declares that no key changes. Appended elements are added on next use. */
#include "record/index.h"

#include "base/mem.h"

enum {
    SMALL = 24, /* arrays with fewer elements are not indexed: reading them is as fast */
    RUNS = 40,
    MOST = 16 /* maximum number of indexes of a document; the oldest is dropped */
};

typedef struct entry {
    uint32_t hash, i;
} entry;

typedef struct index {
    const rec_layout *layout; /* of the record that contains the array */
    uint32_t part, slot;
    uint64_t off;      /* of that record */
    uint64_t from, to; /* range of the elements' bytes */
    uint64_t n;        /* number of elements covered */
    uint64_t last;     /* size of the last one in bytes */
    uint64_t former;   /* value of `longest` without the last one */
    uint64_t longest;  /* length of the longest text */
    bool searched;     /* it was searched once: sort it on the next search */
    entry *entries;    /* of the first `entries_n` elements, in sorted runs */
    size_t entries_n, cap;
    size_t runs[RUNS];
    int runs_n;
    entry *spare; /* buffer for merging */
    size_t spare_cap;
} index;

struct rec_indexes {
    index *list[MOST];
    size_t n;
    bool stand; /* the change in progress affects no key */
};

/* ---- texts of elements --------------------------------------------------------------------------- */

/* *end: the end of the element. */
static bool text_of(const rec_at *at, uint32_t slot, uint64_t i, rec_key *out, uint64_t *end)
{
    const rec_slot *s = &at->layout->slots[slot];
    rec_at element;
    lathe_value v;
    rec_loc item;
    uint64_t size;
    if (s->row->kind == REC_STR) {
        if (rec_find_item(at, slot, i, &item, NULL) != LATHE_OK)
            return false;
        *out =
            (rec_key){(const char *)at->doc->parts[item.part].data + item.data, (size_t)item.count};
        *end = item.off + item.size;
        return true;
    }
    if (rec_sub(at, slot, i, &element, NULL) != LATHE_OK ||
        rec_get(&element, s->key, true, &v, NULL) != LATHE_OK || v.kind != LATHE_KIND_STRING ||
        (end && rec_measure(&element, &size, NULL) != LATHE_OK))
        return false;
    *out = (rec_key){v.as.s.p, v.as.s.n};
    if (end)
        *end = element.off + size;
    return true;
}

static uint32_t hash_of(rec_key key)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < key.n; i++)
        h = (h ^ (uint8_t)key.p[i]) * 16777619u;
    return h;
}

static int compare_texts(rec_key a, rec_key b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int c = n ? memcmp(a.p, b.p, n) : 0;
    return c ? c : a.n < b.n ? -1 : a.n > b.n;
}

/* ---- runs ------------------------------------------------------------------------------------------ */

typedef struct use { /* an index in use, with the array */
    index *x;
    const rec_at *at;
    uint32_t slot;
    bool ok; /* all elements could be read */
} use;

static rec_key element_text(use *u, uint32_t i)
{
    rec_key key = {"", 0};
    uint64_t end;
    u->ok = text_of(u->at, u->slot, i, &key, &end) && u->ok;
    return key;
}

/* Compares two stored texts. */
static int compare(use *u, const entry *a, const entry *b)
{
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return compare_texts(element_text(u, a->i), element_text(u, b->i));
}

static bool merge(use *u)
{
    index *x = u->x;
    size_t right = x->runs[x->runs_n - 1], left = x->runs[x->runs_n - 2];
    entry *base = x->entries + x->entries_n - left - right;
    void *spare = x->spare;
    if (!mem_reserve(&u->at->doc->mem, &spare, &x->spare_cap, left, sizeof *x->spare))
        return false;
    x->spare = spare;
    memcpy(x->spare, base, left * sizeof *base);
    size_t a = 0, b = left, to = 0;
    while (a < left && b < left + right)
        base[to++] = compare(u, &x->spare[a], &base[b]) <= 0 ? x->spare[a++] : base[b++];
    while (a < left)
        base[to++] = x->spare[a++];
    x->runs[--x->runs_n - 1] = left + right;
    return u->ok;
}

static bool push(use *u, uint32_t hash, uint32_t i)
{
    index *x = u->x;
    void *entries = x->entries;
    if (x->runs_n == RUNS ||
        !mem_reserve(&u->at->doc->mem, &entries, &x->cap, x->entries_n + 1, sizeof *x->entries))
        return false;
    x->entries = entries;
    x->entries[x->entries_n++] = (entry){hash, i};
    x->runs[x->runs_n++] = 1;
    while (x->runs_n > 1 && x->runs[x->runs_n - 2] <= x->runs[x->runs_n - 1])
        if (!merge(u))
            return false;
    return true;
}

/* The first entry of a run that is not less than a text; past: that is greater. */
static size_t bound(use *u, const entry *run, size_t n, uint32_t hash, rec_key key, bool past)
{
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        int c = run[mid].hash < hash ? -1 : run[mid].hash > hash;
        if (c == 0)
            c = compare_texts(element_text(u, run[mid].i), key);
        if (c < 0 || (past && c == 0))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* ---- indexes of a document ------------------------------------------------------------------------- */

static void free_index(lathe_doc *doc, index *x)
{
    mem_free(&doc->mem, x->entries, x->cap * sizeof *x->entries);
    mem_free(&doc->mem, x->spare, x->spare_cap * sizeof *x->spare);
    mem_free(&doc->mem, x, sizeof *x);
}

static void drop(lathe_doc *doc, size_t i)
{
    struct rec_indexes *all = doc->indexes;
    free_index(doc, all->list[i]);
    memmove(all->list + i, all->list + i + 1, (--all->n - i) * sizeof *all->list);
}

void rec_index_drop(lathe_doc *doc)
{
    if (!doc->indexes)
        return;
    while (doc->indexes->n)
        drop(doc, 0);
    mem_free(&doc->mem, doc->indexes, sizeof *doc->indexes);
    doc->indexes = NULL;
}

static bool is_of(const index *x, const rec_at *at, uint32_t slot)
{
    return x->part == at->part && x->off == at->off && x->slot == slot && x->layout == at->layout;
}

static index *make(const rec_at *at, uint32_t slot, const rec_loc *loc)
{
    lathe_doc *doc = at->doc;
    index *x = mem_zalloc(&doc->mem, sizeof *x);
    if (x && !doc->indexes)
        doc->indexes = mem_zalloc(&doc->mem, sizeof *doc->indexes);
    if (!x || !doc->indexes) {
        mem_free(&doc->mem, x, sizeof *x);
        return NULL;
    }
    if (doc->indexes->n == MOST)
        drop(doc, 0);
    *x = (index){.layout = at->layout,
                 .part = at->part,
                 .slot = slot,
                 .off = at->off,
                 .from = loc->data,
                 .to = loc->data};
    return doc->indexes->list[doc->indexes->n++] = x;
}

/* Whether elements are strings, or records with a stored string as their key. */
static bool has_texts(const rec_slot *s)
{
    if (s->row->kind == REC_STR)
        return !s->row->body && !s->row->text;
    if (s->row->kind != REC_RECORD || s->row->flags & REC_PART || !s->sub || s->key == REC_NO_SLOT)
        return false;
    const rec_field *key = s->sub->slots[s->key].row;
    return key->kind == REC_STR && !key->body && !key->text;
}

/* The index of an array, made if there is none. It may not cover appended elements yet. */
static index *open_index(const rec_at *at, uint32_t slot, rec_loc *loc)
{
    lathe_doc *doc = at->doc;
    if (REC_FORGETS || !has_texts(&at->layout->slots[slot]) ||
        rec_find(at, slot, loc, NULL) != LATHE_OK || !loc->present || loc->count < SMALL ||
        loc->count > UINT32_MAX || loc->data_part != at->part)
        return NULL;
    for (size_t i = doc->indexes ? doc->indexes->n : 0; i-- > 0;) {
        const index *x = doc->indexes->list[i];
        if (!is_of(x, at, slot))
            continue;
        if (x->n <= loc->count && x->from == loc->data)
            return doc->indexes->list[i];
        drop(doc, i);
    }
    return make(at, slot, loc);
}

static void take_in(index *x, rec_key key, uint64_t end)
{
    x->former = x->longest;
    x->longest = key.n > x->longest ? key.n : x->longest;
    x->last = end - x->to;
    x->to = end;
}

/* Adds elements that the index does not cover, and sorts if `sorted` is set. */
static bool complete(use *u, uint64_t count, bool sorted)
{
    index *x = u->x;
    rec_key key;
    uint64_t end;
    for (; x->n < count; x->n++) {
        if (!text_of(u->at, u->slot, x->n, &key, &end))
            return false;
        take_in(x, key, end);
        if (sorted && x->entries_n == x->n && !push(u, hash_of(key), (uint32_t)x->n))
            return false;
    }
    while (sorted && x->entries_n < x->n) {
        uint64_t i = x->entries_n;
        if (!text_of(u->at, u->slot, i, &key, &end) || !push(u, hash_of(key), (uint32_t)i))
            return false;
    }
    return true;
}

/* The first search compares all elements, which is cheaper than sorting: most scripts search only once. */
static bool scan(use *u, uint64_t count, rec_key key, rec_hits *out)
{
    index *x = u->x;
    rec_key text;
    uint64_t end;
    for (uint64_t i = 0; i < count; i++) {
        if (!text_of(u->at, u->slot, i, &text, &end))
            return false;
        if (i == x->n) {
            take_in(x, text, end);
            x->n++;
        }
        if (text.n != key.n || (key.n && memcmp(text.p, key.p, key.n) != 0))
            continue;
        out->first = out->count ? out->first : i;
        out->last = i;
        out->count++;
    }
    x->searched = true;
    return true;
}

static bool open_use(use *u, uint64_t *count)
{
    rec_loc loc;
    u->ok = true;
    u->x = open_index(u->at, u->slot, &loc);
    *count = u->x ? loc.count : 0;
    return u->x != NULL;
}

static bool ready(use *u, uint64_t count, bool sorted)
{
    if (complete(u, count, sorted))
        return true;
    rec_index_drop(u->at->doc); /* it may be half sorted */
    return false;
}

bool rec_index_find(const rec_at *at, uint32_t slot, rec_key key, rec_hits *out)
{
    use u = {.at = at, .slot = slot};
    uint64_t count;
    *out = (rec_hits){0};
    if (!open_use(&u, &count))
        return false;
    if (!u.x->searched && !u.x->entries_n) {
        if (scan(&u, count, key, out))
            return true;
        rec_index_drop(at->doc);
        return false;
    }
    if (!ready(&u, count, true))
        return false;
    const entry *run = u.x->entries;
    uint32_t hash = hash_of(key);
    for (int i = 0; i < u.x->runs_n; run += u.x->runs[i++]) {
        size_t lo = bound(&u, run, u.x->runs[i], hash, key, false);
        size_t hi = lo + bound(&u, run + lo, u.x->runs[i] - lo, hash, key, true);
        if (lo == hi)
            continue;
        if (!out->count)
            out->first = run[lo].i;
        out->last = run[hi - 1].i;
        out->count += hi - lo;
    }
    return u.ok;
}

bool rec_index_longest(const rec_at *at, uint32_t slot, uint64_t *out)
{
    use u = {.at = at, .slot = slot};
    uint64_t count;
    if (!open_use(&u, &count) || !ready(&u, count, false))
        return false;
    *out = u.x->longest;
    return true;
}

/* ---- changes ------------------------------------------------------------------------------------------- */

/* The element appended last changes its text: removes it from the index, which adds it again on next use. */
static bool forget_last(index *x, uint64_t off)
{
    if (!x->last || off < x->to - x->last || x->entries_n == x->n)
        return false;
    x->to -= x->last;
    x->last = 0;
    x->longest = x->former;
    x->n--;
    return true;
}

void rec_index_changes(const rec_at *at, uint32_t slot, uint64_t off)
{
    struct rec_indexes *all = at->doc->indexes;
    if (!all)
        return;
    for (size_t i = all->n; i-- > 0;) {
        const index *x = all->list[i];
        bool item = is_of(x, at, slot);
        bool key = x->layout->slots[x->slot].key == slot && at->off >= x->from;
        bool concerned = x->part == at->part && off >= x->from && off < x->to && (item || key);
        if (concerned && !forget_last(all->list[i], off))
            drop(at->doc, i);
    }
    all->stand = true;
}

void rec_index_changed(lathe_doc *doc)
{
    if (doc->indexes)
        doc->indexes->stand = false;
}

void rec_index_move(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t removed, uint64_t inserted)
{
    struct rec_indexes *all = doc->indexes;
    for (size_t i = all ? all->n : 0; i-- > 0;) {
        index *x = all->list[i];
        uint64_t by = inserted - removed;
        bool grows = removed != inserted;
        if (x->part != part || at > x->to || (at == x->to && !(all->stand && grows)))
            continue;
        bool before = at + removed <= x->from && at < x->from;
        if (!before && !all->stand) {
            drop(doc, i);
            continue;
        }
        if (before && at + removed <= x->off && at < x->off)
            x->off += by;
        else if (
            before && at <= x->off &&
            /* it is unclear whether bytes are inserted before the record or in its first row */
            grows) {
            drop(doc, i);
            continue;
        }
        if (before)
            x->from += by;
        else if (at >= x->to - x->last)
            x->last += by;
        x->to += by;
    }
}
