/* Finds blocks by name (doc:block). A list of blocks sorted by name is cached and updated after edits. */
#include "nif/container/container.h"
#include "record/recent.h"

#include <stdlib.h>

typedef struct text {
    const char *p; /* NULL: no name */
    size_t n;
} text;

typedef struct known {
    uint32_t part;
    bool listed;
} known;

/* The list stores block numbers, not names: the bytes of a name move with every edit, so names are read when needed. */
typedef struct nif_names {
    rec_cached cached;
    lathe_doc *doc;
    uint32_t container;
    /* blocks that have names and can be parsed, sorted by name, then by number */
    uint32_t *order;
    size_t n, cap;
    known *blocks;
    size_t blocks_n, blocks_cap;
    uint64_t followed; /* number of the first change that is not included yet */
    uint64_t strings_at,
        strings_end; /* where strings are in the header; both 0: names are in the blocks */
} nif_names;

/* ---- names ----------------------------------------------------------------------------------------------- */

/* False: out of memory. */
static bool name_of(const nif_names *names, uint64_t block, text *out)
{
    rec_at at = nif_at(names->doc, nif_block(names->doc, names->container, block));
    uint32_t slot = at.layout ? rec_slot_find(at.layout, "name") : REC_NO_SLOT;
    lathe_value v = {.kind = LATHE_KIND_NONE};
    *out = (text){NULL, 0};
    if (at.layout && slot != REC_NO_SLOT && !rec_opaque(names->doc, at.part, NULL) &&
        rec_get(&at, slot, false, &v, NULL) == LATHE_OK && v.kind == LATHE_KIND_STRING)
        *out = (text){v.as.s.p, v.as.s.n};
    return at.layout != NULL;
}

static int compare_texts(text a, text b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int c = n ? memcmp(a.p, b.p, n) : 0;
    return c ? c : a.n < b.n ? -1 : a.n > b.n;
}

static int compare(text a, uint64_t a_block, text b, uint64_t b_block)
{
    int c = compare_texts(a, b);
    return c ? c : a_block < b_block ? -1 : a_block > b_block;
}

/* Lower bound: the first place in the list that is not before (name, block number). */
static size_t place_of(const nif_names *names, text name, uint64_t block)
{
    size_t lo = 0, hi = names->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        text there;
        name_of(names, names->order[mid], &there);
        if (compare(there, names->order[mid], name, block) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* ---- the list -------------------------------------------------------------------------------------------- */

static void release(lathe_doc *doc, rec_cached *kept)
{
    nif_names *names = (nif_names *)kept;
    mem_free(&doc->mem, names->order, names->cap * sizeof *names->order);
    mem_free(&doc->mem, names->blocks, names->blocks_cap * sizeof *names->blocks);
    mem_free(&doc->mem, names, sizeof *names);
}

static const rec_cache name_lists = {.lasts = true, .release = release};

/* False: out of memory. */
static bool find_strings(nif_names *names)
{
    rec_at root = rec_root(names->doc, names->container);
    rec_loc strings;
    names->strings_at = names->strings_end = 0;
    if (rec_find(&root, NIF_STRINGS, &strings, NULL) != LATHE_OK)
        return false;
    if (strings.present) {
        names->strings_at = strings.data;
        names->strings_end = strings.off + strings.size;
    }
    return true;
}

static bool put(nif_names *names, size_t at, uint32_t block)
{
    void *order = names->order;
    if (!mem_reserve(&names->doc->mem, &order, &names->cap, names->n + 1, sizeof *names->order))
        return false;
    names->order = order;
    memmove(names->order + at + 1, names->order + at, (names->n++ - at) * sizeof *names->order);
    names->order[at] = block;
    return names->blocks[block].listed = true;
}

/* Adds blocks that were appended. */
static bool take_in(nif_names *names)
{
    uint64_t total = nif_total(names->doc, names->container);
    void *blocks = names->blocks;
    if (total >= UINT32_MAX ||
        !mem_reserve(&names->doc->mem, &blocks, &names->blocks_cap, (size_t)total, sizeof(known)))
        return false;
    names->blocks = blocks;
    for (size_t i = names->blocks_n; i < total; i++)
        names->blocks[i] = (known){nif_block(names->doc, names->container, i), false};
    names->blocks_n = (size_t)total;
    return true;
}

typedef struct entry { /* for sorting: names do not move while nothing is written */
    text name;
    uint32_t block;
} entry;

static int by_name(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return compare(x->name, x->block, y->name, y->block);
}

static bool list_all(nif_names *names)
{
    buf list;
    bool ok = take_in(names);
    buf_init(&list, &names->doc->mem);
    for (size_t i = 0; ok && i < names->blocks_n; i++) {
        entry one = {.block = (uint32_t)i};
        ok = name_of(names, i, &one.name) && (!one.name.p || buf_put(&list, &one, sizeof one));
    }
    const entry *entries = (const entry *)(const void *)list.data;
    size_t n = list.size / sizeof(entry);
    if (ok && n)
        qsort(list.data, n, sizeof(entry), by_name);
    for (size_t i = 0; ok && i < n; i++)
        ok = put(names, i, entries[i].block);
    buf_free(&list);
    names->followed = rec_recent_next(names->doc);
    return find_strings(names) && ok;
}

/* ---- following changes ----------------------------------------------------------------------------------- */

typedef struct touched { /* changed and new blocks */
    uint32_t list[REC_RECENT];
    size_t n;
} touched;

static bool is_touched(const touched *t, uint32_t block)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->list[i] == block)
            return true;
    return false;
}

/* In the header only the string table matters. A string appended to it names only blocks that changed, too. */
static bool follow_root(nif_names *names, const rec_change *change)
{
    uint64_t by = change->inserted - change->removed;
    bool before =
        change->at < names->strings_at && change->at + change->removed <= names->strings_at;
    if (!names->strings_end || change->at >= names->strings_end ||
        (!change->removed && !change->inserted))
        return true;
    if (before) {
        names->strings_at += by;
        names->strings_end += by;
    }
    return before;
}

static bool follow_one(nif_names *names, const rec_change *change, touched *t)
{
    lathe_doc *doc = names->doc;
    uint32_t root = doc->containers[names->container].root;
    if (change->part == REC_NO_PART)
        return false;
    if (doc->parts[change->part].container != names->container)
        return true;
    if (change->part == root)
        return follow_root(names, change);
    uint32_t part = nif_block_around(doc, root, change->part);
    uint64_t block = part == REC_NO_PART ? UINT64_MAX : nif_number(doc, part);
    if (part == REC_NO_PART || is_touched(t, (uint32_t)block))
        return true;
    t->list[t->n++] = (uint32_t)block;
    return block >= names->blocks_n || names->blocks[block].part == part;
}

/* Whether a block is still sorted between its neighbours in the list. */
static bool in_order(const nif_names *names, uint32_t block)
{
    text name, other;
    if (!name_of(names, block, &name) || !name.p)
        return !names->blocks[block].listed;
    if (!names->blocks[block].listed)
        return true;
    size_t at = place_of(names, name, block);
    if (at == names->n || names->order[at] != block)
        return false;
    if (at && (!name_of(names, names->order[at - 1], &other) ||
               compare(other, names->order[at - 1], name, block) > 0))
        return false;
    return at + 1 == names->n || (name_of(names, names->order[at + 1], &other) &&
                                  compare(name, block, other, names->order[at + 1]) < 0);
}

static void take_out(nif_names *names, const touched *t)
{
    size_t n = 0;
    for (size_t i = 0; i < names->n; i++)
        if (is_touched(t, names->order[i]))
            names->blocks[names->order[i]].listed = false;
        else
            names->order[n++] = names->order[i];
    names->n = n;
}

static bool follow(nif_names *names)
{
    lathe_doc *doc = names->doc;
    touched t = {.n = 0};
    uint64_t next = rec_recent_next(doc);
    bool ok = rec_recent_knows(doc, names->followed) &&
              nif_total(doc, names->container) >= names->blocks_n,
         sorted = true;
    for (uint64_t i = names->followed; ok && i != next; i++)
        ok = follow_one(names, rec_recent_at(doc, i), &t);
    if (!ok || !take_in(names))
        return false;
    names->followed = next;
    for (size_t i = 0; sorted && i < t.n; i++)
        sorted = in_order(names, t.list[i]);
    if (!sorted)
        take_out(names, &t);
    for (size_t i = 0; ok && i < t.n; i++) {
        text name;
        ok = name_of(names, t.list[i], &name);
        if (ok && name.p && !names->blocks[t.list[i]].listed)
            ok = put(names, place_of(names, name, t.list[i]), t.list[i]);
    }
    return find_strings(names) && ok;
}

static nif_names *names_of(lathe_doc *doc, uint32_t c)
{
    nif_names *names = rec_cache_find(doc, c, &name_lists);
    if (names && follow(names))
        return names;
    rec_cache_drop(doc, c, &name_lists);
    names = mem_zalloc(&doc->mem, sizeof *names);
    if (!names)
        return NULL;
    names->doc = doc;
    names->container = c;
    if (list_all(names)) {
        rec_cache_put(doc, c, &name_lists, &names->cached);
        return names;
    }
    release(doc, &names->cached);
    return NULL;
}

/* ---- lookup ---------------------------------------------------------------------------------------------- */

lathe_result nif_block_named(lathe_doc *doc, uint32_t c, const lathe_value *name,
                             const rec_type *type, uint32_t *part, lathe_error *err)
{
    nif_names *names = names_of(doc, c);
    const text wanted = {name->as.s.p, name->as.s.n};
    text found;
    *part = REC_NO_PART;
    if (!names)
        return rec_no_memory(err);
    for (size_t i = place_of(names, wanted, 0); i < names->n; i++) {
        uint32_t here = nif_block(doc, c, names->order[i]);
        if (!name_of(names, names->order[i], &found))
            return rec_no_memory(err);
        if (!found.p || compare_texts(found, wanted) != 0)
            break;
        if (type && !nif_block_is(doc, here, type))
            continue;
        *part = here;
        break;
    }
    return LATHE_OK;
}

lathe_result nif_find_block(lathe_view self, const lathe_source *args, lathe_report *report,
                            lathe_error *err)
{
    lathe_value name = {.kind = LATHE_KIND_NONE}, found = {.kind = LATHE_KIND_RECORD};
    uint32_t part;
    rec_arg(args, "name", &name);
    lathe_result r = nif_block_named(self.doc, ((const rec_layout *)self.type)->container, &name,
                                     NULL, &part, err);
    if (r != LATHE_OK || part == REC_NO_PART)
        return r;
    rec_at block = nif_at(self.doc, part);
    found.as.v = rec_view(&block);
    if (report && report->result)
        report->result(report->user, "block", &found);
    return LATHE_OK;
}

static const rec_param name_param = {.name = "name",
                                     .doc = "The name, as the file has it.",
                                     .kind = LATHE_PARAM_TEXT,
                                     .positional = true,
                                     .needed = true};
const rec_param *const nif_find_block_params[] = {&name_param, NULL};
