/* Finds and adds rows of the tables for triangles that get a material. */
#include "phive/rows.h"

#include "phive/tags.h"

#include <stdlib.h>

enum {
    SLOTS = 4 * (PHIVE_ROWS_MOST + 1)
}; /* size of the hash table: a power of two, at most a quarter full */

/* ---- reading ------------------------------------------------------------------------------------------------ */

static const uint8_t *bytes_of(const phive_rows *rows, uint32_t i, const uint8_t **mask)
{
    const rec_part *p =
        rec_part_of(rows->doc, phive_part_of(rows->doc, rows->container, PHIVE_TABLES));
    phive_counts counts = phive_counts_of(rows->doc, rows->container);
    uint64_t masks = (uint64_t)counts.rows * PHIVE_MATERIAL + counts.rest;
    *mask = p->data + masks + (uint64_t)i * phive_mask_size(rows->doc, rows->container);
    return p->data + (uint64_t)i * PHIVE_MATERIAL;
}

/* Compares by material, then by the other values, then by number. */
static int order(const void *a, const void *b)
{
    const phive_row_of *x = a, *y = b;
    int rest = memcmp(x->rest, y->rest, sizeof x->rest);
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return rest ? rest : x->row < y->row ? -1 : x->row > y->row;
}

/* The slot of a material in the hash table. */
static uint32_t *first_of(const phive_rows *rows, uint32_t id)
{
    uint32_t i = id * 2654435761u >> 7 & (SLOTS - 1);
    while (rows->firsts[i] && rows->all[rows->firsts[i] - 1].id != id)
        i = (i + 1) & (SLOTS - 1);
    return &rows->firsts[i];
}

static lathe_result too_many(lathe_error *err)
{
    return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                     "more than %d materials: tags have no room for more", PHIVE_ROWS_MOST);
}

lathe_result phive_rows_read(lathe_doc *doc, uint32_t c, phive_rows *rows, lathe_error *err)
{
    uint32_t mask_size = phive_mask_size(doc, c), n = phive_counts_of(doc, c).rows;
    void *all = NULL;
    *rows = (phive_rows){.doc = doc, .container = c};
    if (n > PHIVE_ROWS_MOST)
        n = PHIVE_ROWS_MOST; /* tags cannot refer to more */
    rows->firsts = mem_zalloc(&doc->mem, SLOTS * sizeof *rows->firsts);
    rows->sorted = mem_alloc(&doc->mem, (n + 1) * sizeof(phive_row_of));
    if (!rows->firsts || !rows->sorted ||
        !mem_reserve(&doc->mem, &all, &rows->cap, n + 1, sizeof *rows->all))
        return rec_no_memory(err);
    rows->all = all;
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t *mask, *p = bytes_of(rows, i, &mask);
        phive_row_of *row = &rows->all[i];
        *row = (phive_row_of){.id = bytes_ld32(p, false), .row = i, .like = PHIVE_NO_ROW};
        memcpy(row->rest, p + 4, 12);
        memcpy(row->rest + 12, mask, mask_size);
        uint32_t *first = first_of(rows, row->id);
        *first = *first ? *first : i + 1;
    }
    rows->n = rows->stored = n;
    memcpy(rows->sorted, rows->all, n * sizeof *rows->all);
    qsort(rows->sorted, n, sizeof *rows->sorted, order);
    return LATHE_OK;
}

void phive_rows_free(phive_rows *rows)
{
    if (!rows->doc)
        return;
    const mem *m = &rows->doc->mem;
    mem_free(m, rows->sorted, (rows->stored + 1) * sizeof *rows->sorted);
    mem_free(m, rows->firsts, SLOTS * sizeof *rows->firsts);
    mem_free(m, rows->all, rows->cap * sizeof *rows->all);
}

/* ---- finding ------------------------------------------------------------------------------------------------- */

/* The first existing row of a material whose other values equal those of row `was`. */
static uint32_t same(const phive_rows *rows, uint32_t id, uint32_t was)
{
    phive_row_of key = rows->all[was];
    uint32_t lo = 0, hi = rows->stored;
    key.id = id;
    key.row = 0;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (order(&rows->sorted[mid], &key) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == rows->stored || rows->sorted[lo].id != id ||
        memcmp(rows->sorted[lo].rest, key.rest, sizeof key.rest) != 0)
        return PHIVE_NO_ROW;
    return rows->sorted[lo].row;
}

static lathe_result add(phive_rows *rows, uint32_t id, uint32_t was, lathe_error *err)
{
    void *all = rows->all;
    if (rows->n >= PHIVE_ROWS_MOST)
        return too_many(err);
    if (!mem_reserve(&rows->doc->mem, &all, &rows->cap, rows->n + 1, sizeof *rows->all))
        return rec_no_memory(err);
    rows->all = all;
    phive_row_of *row = &rows->all[rows->n];
    *row = (phive_row_of){.id = id, .row = rows->n, .like = PHIVE_NO_ROW};
    if (was < rows->n) {
        memcpy(row->rest, rows->all[was].rest, sizeof row->rest);
        row->like = was;
    } else {
        memset(row->rest + 12, 0xFF, 16); /* it collides with everything */
    }
    *first_of(rows, id) = ++rows->n;
    return LATHE_OK;
}

lathe_result phive_rows_find(phive_rows *rows, uint32_t id, uint32_t was, uint32_t *out,
                             lathe_error *err)
{
    *out = was;
    if (was < rows->n && rows->all[was].id == id)
        return LATHE_OK;
    uint32_t like = was < rows->stored ? same(rows, id, was) : PHIVE_NO_ROW;
    uint32_t first = *first_of(rows, id);
    lathe_result r = LATHE_OK;
    if (like == PHIVE_NO_ROW && !first)
        r = add(rows, id, was, err);
    *out = like != PHIVE_NO_ROW ? like : first ? first - 1 : rows->n - 1;
    return r;
}

/* ---- storing --------------------------------------------------------------------------------------------------- */

lathe_result phive_rows_store(const phive_rows *rows, lathe_error *err)
{
    lathe_doc *doc = rows->doc;
    uint32_t c = rows->container, part = phive_part_of(doc, c, PHIVE_TABLES);
    uint32_t n = rows->n - rows->stored, size = phive_mask_size(doc, c);
    rec_at tables = {
        .doc = doc, .layout = rec_part_root(doc, part), .part = part, .slot = REC_NO_SLOT};
    if (!n)
        return LATHE_OK;
    if (!tables.layout)
        return rec_no_memory(err);
    if (rows->stored < phive_counts_of(doc, c).rows)
        return too_many(err);
    buf bytes, masks;
    buf_init(&bytes, &doc->mem);
    buf_init(&masks, &doc->mem);
    bool ok = true;
    for (uint32_t i = rows->stored; ok && i < rows->n; i++) {
        uint8_t id[4];
        bytes_st32(id, rows->all[i].id, false);
        ok = buf_put(&bytes, id, 4) && buf_put(&bytes, rows->all[i].rest, 12) &&
             buf_put(&masks, rows->all[i].rest + 12, size);
    }
    rec_loc loc;
    uint32_t slot = rec_slot_find(tables.layout, "hit_masks");
    lathe_result r = ok ? rec_insert(&tables, rec_slot_find(tables.layout, "materials"),
                                     rows->stored, n, bytes.data, bytes.size, err)
                        : rec_no_memory(err);
    if (r == LATHE_OK)
        r = rec_find_present(&tables, slot, &loc, err);
    if (r == LATHE_OK)
        r = rec_put_items(&tables, slot, &loc, rows->stored, n, masks.data, err);
    buf_free(&bytes);
    buf_free(&masks);
    return r;
}
