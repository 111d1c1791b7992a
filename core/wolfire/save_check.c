/* doc:check() of a saved game: repeated keys and levels, lists that the game drops, versions that it refuses.
 * Reference: formats/wolfire.md#5. */
#include "wolfire/save.h"

#include <stdlib.h>

enum { NAMES = 3 };

/* The key of an element, or the three names of a level; and its number. */
typedef struct ident {
    rec_key name[NAMES];
    uint64_t i;
} ident;

static int by_bytes(const rec_key *a, const rec_key *b)
{
    size_t n = a->n < b->n ? a->n : b->n;
    int order = n ? memcmp(a->p, b->p, n) : 0;
    return order ? order : (a->n > b->n) - (a->n < b->n);
}

static int by_names(const ident *a, const ident *b)
{
    int order = 0;
    for (int k = 0; k < NAMES && !order; k++)
        order = by_bytes(&a->name[k], &b->name[k]);
    return order;
}

static int by_names_then_number(const void *a, const void *b)
{
    const ident *x = a, *y = b;
    int order = by_names(x, y);
    return order ? order : (x->i > y->i) - (x->i < y->i);
}

/* Number of elements at the start that are equal to the first. */
static size_t run_of(const ident *list, size_t n)
{
    size_t k = 1;
    while (k < n && by_names(&list[0], &list[k]) == 0)
        k++;
    return k;
}

/* ---- keys ---------------------------------------------------------------------------------------- */

/* The elements of a level's array, sorted by key; NULL: out of memory. */
static ident *sorted_keys(const rec_at *level, uint32_t slot, size_t n)
{
    ident *list = mem_zalloc(&level->doc->mem, n * sizeof *list);
    for (size_t i = 0; list && i < n; i++) {
        rec_at element;
        list[i].i = i;
        save_element(level, slot, i, &element, &list[i].name[0], NULL);
    }
    if (list)
        qsort(list, n, sizeof *list, by_names_then_number);
    return list;
}

static void check_repeated(rec_report *r, const rec_at *level, uint32_t slot, const ident *run,
                           size_t n)
{
    char text[80];
    bool merged = level->layout->slots[slot].row->flags & REC_MERGED;
    if (n > 1)
        rec_finding(r, LATHE_LEVEL_WARNING, level, slot, run[n - 1].i,
                    "the key %s is there %llu times: the game %s",
                    rec_key_text(run[0].name[0], text, sizeof text), (unsigned long long)n,
                    merged ? "joins their values" : "takes the last");
}

/* Reports arrays of one key that are all empty. */
static void check_empty(rec_report *r, const rec_at *level, uint32_t slot, const ident *run,
                        size_t n)
{
    for (size_t k = 0; k < n; k++) {
        rec_at element;
        rec_key key;
        if (save_element(level, slot, run[k].i, &element, &key, NULL) != LATHE_OK ||
            rec_int(&element, "num_values"))
            return;
    }
    rec_finding(r, LATHE_LEVEL_WARNING, level, slot, run[0].i,
                "without values: the game drops it when it loads the file");
}

static void check_keys(rec_report *r, const rec_at *level, uint32_t slot)
{
    size_t n = (size_t)save_count(level, slot);
    ident *list = n ? sorted_keys(level, slot, n) : NULL;
    bool merged = level->layout->slots[slot].row->flags & REC_MERGED;
    for (size_t k = 0, run; list && k < n && !r->stopped; k += run) {
        run = run_of(list + k, n - k);
        check_repeated(r, level, slot, list + k, run);
        if (merged)
            check_empty(r, level, slot, list + k, run);
    }
    mem_free(&level->doc->mem, list, n * sizeof *list);
}

/* ---- levels -------------------------------------------------------------------------------------- */

static void names_of(const rec_at *level, ident *out)
{
    static const char *const rows[NAMES] = {"campaign_id", "save_category", "save_name"};
    for (int k = 0; k < NAMES; k++) {
        lathe_value v;
        if (rec_get(level, rec_slot_find(level->layout, rows[k]), true, &v, NULL) == LATHE_OK &&
            v.kind == LATHE_KIND_STRING)
            out->name[k] = (rec_key){v.as.s.p, v.as.s.n};
    }
}

static void check_levels(lathe_doc *doc, rec_report *r)
{
    size_t n = (size_t)save_levels(doc);
    rec_at root = rec_root(doc, 0), level;
    uint32_t slot = rec_slot_find(root.layout, "levels");
    ident *list = n ? mem_zalloc(&doc->mem, n * sizeof *list) : NULL;
    for (size_t i = 0; list && i < n; i++) {
        list[i].i = i;
        if (save_level_at(doc, i, &level, NULL) == LATHE_OK)
            names_of(&level, &list[i]);
    }
    if (list)
        qsort(list, n, sizeof *list, by_names_then_number);
    for (size_t k = 0, run; list && k < n && !r->stopped; k += run) {
        run = run_of(list + k, n - k);
        for (size_t i = 1; i < run; i++)
            rec_finding(r, LATHE_LEVEL_WARNING, &root, slot, list[k + i].i,
                        "the same campaign, category and name as level %llu, which the game finds "
                        "first",
                        (unsigned long long)list[k].i + 1);
    }
    mem_free(&doc->mem, list, n * sizeof *list);
}

void save_check(lathe_doc *doc, uint32_t c, rec_report *r)
{
    rec_at root = rec_root(doc, c), level;
    uint32_t tail = rec_slot_find(root.layout, "trailing");
    uint64_t n = save_levels(doc);
    rec_loc loc;
    if (rec_int(&root, "version") < SAVE_NEWEST)
        rec_finding(r, LATHE_LEVEL_WARNING, &root, rec_slot_find(root.layout, "version"),
                    REC_NO_ITEM, "version 1: the game as published refuses it");
    check_levels(doc, r);
    for (uint64_t i = 0; i < n && !r->stopped; i++) {
        if (save_level_at(doc, i, &level, NULL) != LATHE_OK)
            continue;
        for (uint32_t slot = 0; slot < level.layout->count; slot++)
            if (rec_keyed(&level.layout->slots[slot]))
                check_keys(r, &level, slot);
    }
    if (rec_find(&root, tail, &loc, NULL) == LATHE_OK && loc.count)
        rec_finding(r, LATHE_LEVEL_WARNING, &root, tail, REC_NO_ITEM,
                    "%llu trailing bytes, which the game ignores", (unsigned long long)loc.count);
}
