/* Edits the data stream. Changed blocks are kept uncompressed in hidden parts, whose changes the journal
 * records like all others. */
#include "nif/geometry/csg/csg.h"

#include "base/deflate.h"
#include "record/journal.h"

enum { MARK = 1 }; /* size of the flag in front of a block: whether it differs from the file */
enum {
    MOST_FRESH = 16 * 1024 * 1024
}; /* limit of compressed chunks that are kept until they are written */

/* ---- blocks ---------------------------------------------------------------------------------------------- */

static size_t block_position(const csg *g, uint64_t number)
{
    size_t lo = 0, hi = g->blocks_n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (g->blocks[mid].number < number)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

csg_block *csg_block_find(csg *g, uint64_t number)
{
    size_t i = block_position(g, number);
    return i < g->blocks_n && g->blocks[i].number == number ? &g->blocks[i] : NULL;
}

static bool block_changed(const lathe_doc *doc, const csg_block *b)
{
    return doc->parts[b->part].data[0] != 0;
}

const uint8_t *csg_block_bytes(const lathe_doc *doc, const csg_block *b, size_t *size)
{
    const rec_part *p = &doc->parts[b->part];
    *size = (size_t)p->size - MARK;
    return p->data + MARK;
}

/* Fills a block with what the input has there, uncompressed and compressed. */
static lathe_result fill_block(lathe_doc *doc, csg_block *b, lathe_error *err)
{
    csg *g = csg_of(doc);
    uint64_t size, n = b->number;
    const uint8_t *bytes = NULL;
    size_t have = 0;
    lathe_result r = csg_stream_size(doc, &size, err);
    if (r == LATHE_OK && n * CSG_CHUNK < size)
        r = csg_chunk(doc, n, &bytes, &have, err);
    rec_part *p = &doc->parts[b->part];
    if (r == LATHE_OK && !rec_part_own(doc, p, MARK + have))
        r = rec_no_memory(err);
    if (r != LATHE_OK)
        return r;
    p->data[0] = 0;
    if (have)
        memcpy(p->data + MARK, bytes, have);
    p->size = MARK + have;
    if (!have || !g->input_packed || n >= g->input_chunks)
        return LATHE_OK;
    r = csg_packed(doc, n, &bytes, &have, err);
    if (r != LATHE_OK)
        return r;
    b->packed = mem_alloc(&doc->mem, have);
    b->packed_size = b->packed ? have : 0;
    if (!b->packed)
        return rec_no_memory(err);
    memcpy(b->packed, bytes, have);
    return LATHE_OK;
}

/* Finds or makes the block of that number. Making it is no change of the document and is not undone. */
static lathe_result touch(lathe_doc *doc, uint64_t number, csg_block **out, lathe_error *err)
{
    csg *g = csg_of(doc);
    size_t i = block_position(g, number);
    void *blocks = g->blocks;
    if (i < g->blocks_n && g->blocks[i].number == number) {
        *out = &g->blocks[i];
        return LATHE_OK;
    }
    csg_block b = {.number = number, .part = rec_part_hidden(doc, 0)};
    if (b.part == REC_NO_PART ||
        !mem_reserve(&doc->mem, &blocks, &g->blocks_cap, g->blocks_n + 1, sizeof *g->blocks))
        return rec_no_memory(err);
    g->blocks = blocks;
    lathe_result r = fill_block(doc, &b, err);
    if (r != LATHE_OK) { /* the part stays, empty and without a block */
        mem_free(&doc->mem, b.packed, b.packed_size);
        return r;
    }
    doc->parts[b.part].slot = (uint32_t)number;
    memmove(g->blocks + i + 1, g->blocks + i, (g->blocks_n - i) * sizeof *g->blocks);
    g->blocks[i] = b;
    g->blocks_n++;
    *out = &g->blocks[i];
    return LATHE_OK;
}

/* ---- writing --------------------------------------------------------------------------------------------- */

static lathe_result splice(lathe_doc *doc, const csg_block *b, uint64_t at, uint64_t remove,
                           const uint8_t *bytes, uint64_t insert, bool *changed, lathe_error *err)
{
    const rec_part *p = &doc->parts[b->part];
    if (remove == insert && (!insert || memcmp(p->data + MARK + at, bytes, (size_t)insert) == 0))
        return LATHE_OK;
    *changed = true;
    return rec_splice(doc, b->part, MARK + at, remove, bytes, insert, err);
}

/* Writes to one block of [off, off + n); from `end` on the stream is empty. */
static lathe_result write_block(lathe_doc *doc, uint64_t number, uint64_t off, const uint8_t *bytes,
                                uint64_t n, uint64_t end, lathe_error *err)
{
    csg_block *b = NULL;
    bool changed = false;
    uint64_t start = number * CSG_CHUNK, left = end > start ? end - start : 0;
    lathe_result r = touch(doc, number, &b, err);
    if (r != LATHE_OK)
        return r;
    uint64_t have = doc->parts[b->part].size - MARK, most = left < CSG_CHUNK ? left : CSG_CHUNK;
    if (have > most) {
        r = splice(doc, b, most, have - most, NULL, 0, &changed, err);
        have = most;
    }
    uint64_t from = off > start ? off - start : 0, to = off + n > start ? off + n - start : 0;
    to = to < CSG_CHUNK ? to : CSG_CHUNK;
    if (r == LATHE_OK && from < to) {
        uint64_t common = from < have ? (to < have ? to : have) - from : 0;
        bytes += start + from - off;
        r = splice(doc, b, from, common, bytes, common, &changed, err);
        if (r == LATHE_OK && from + common < to)
            r = splice(doc, b, from + common, 0, bytes + common, to - from - common, &changed, err);
    }
    const uint8_t mark = 1;
    return r == LATHE_OK && changed ? rec_splice(doc, b->part, 0, MARK, &mark, MARK, err) : r;
}

lathe_result csg_write(lathe_doc *doc, uint64_t off, const void *bytes, uint64_t n, uint64_t end,
                       lathe_error *err)
{
    uint64_t size, last = off + n;
    lathe_result r = csg_stream_size(doc, &size, err);
    if (r != LATHE_OK)
        return r;
    if (size != end) {
        last = last > size ? last : size;
        last = last > end ? last : end;
    }
    for (uint64_t k = off / CSG_CHUNK; r == LATHE_OK && k * CSG_CHUNK < last; k++)
        r = write_block(doc, k, off, bytes, n, end, err);
    if (r == LATHE_OK)
        r = rec_set_param(doc, 0, (int64_t)end + 1, err);
    rec_mark_dirty(doc, doc->containers[0].root); /* also if no length changed */
    return r;
}

/* ---- inserting and removing rows ------------------------------------------------------------------------- */

#define CONVERT "; to leave rows out, convert the group files to another geometry file"

lathe_result csg_may_edit(lathe_doc *doc, lathe_error *err)
{
    rec_at root = csg_root(doc);
    if (csg_form(doc) != CSG_UNTIDY)
        return LATHE_OK;
    return rec_fail(
        &root, CSG_CHUNKS, 0, err, LATHE_ERR_UNSUPPORTED,
        "the chunks do not lie one behind the other up to the file's end, so it is kept as "
        "it is: doc:convert{ to = \"csg\" } puts them in order");
}

lathe_result csg_may_resize(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                            uint64_t inserted, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint64_t n = csg_count(doc), size;
    csg_row first, before = {.offset = 0};
    (void)row;
    lathe_result r = csg_may_edit(doc, err);
    if (r == LATHE_OK)
        r = csg_stream_size(doc, &size, err);
    if (r != LATHE_OK)
        return r;
    if (removed == inserted)
        return rec_fail(at, CSG_ROWS, 0, err, LATHE_ERR_UNSUPPORTED,
                        "rows keep their order: other files know each by its place in the stream");
    if (i + removed != n)
        return rec_fail(at, CSG_ROWS, 0, err, LATHE_ERR_UNSUPPORTED,
                        inserted
                            ? "rows can only be appended: a row's offset is its name "
                              "in other files"
                            : "only the last row can be removed: a row's offset is its name in "
                              "other files" CONVERT);
    if (!removed)
        return LATHE_OK;
    csg_load(doc, i, &first);
    if (i)
        csg_load(doc, i - 1, &before);
    if (first.offset > size || (i && before.offset >= first.offset))
        return csg_row_fail(doc, i, CSG_DATA_OFFSET, err, LATHE_ERR_UNSUPPORTED,
                            "it lies behind the stream's end, or before the row in front of it: "
                            "what would be removed with it is not known");
    return csg_write(doc, first.offset, NULL, 0, first.offset, err);
}

/* Fails if a descriptor or count that an edit wrote does not fit the row's data. */
static lathe_result settle_row(lathe_doc *doc, uint64_t i, lathe_error *err)
{
    csg_row row, before;
    if (i) {
        csg_load(doc, i, &row);
        csg_load(doc, i - 1, &before);
        if (row.offset <= before.offset)
            return csg_row_fail(doc, i, CSG_DATA_OFFSET, err, LATHE_ERR_INVALID,
                                "it begins where the row in front of it does: give that one data "
                                "first");
    }
    return csg_row_at(doc, i, &row, err);
}

/* Checks changed rows: reads the journal backwards, because the table in front of the rows may have changed
 * its length in between. Rows keep their numbers. Changes before a conversion were checked then. */
lathe_result csg_settle(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    const rec_journal *j = &doc->journal;
    uint32_t root = doc->containers[c].root;
    uint64_t start = csg_rows_at(doc), n = csg_count(doc);
    lathe_result r = LATHE_OK;
    for (size_t i = j->n; r == LATHE_OK && i-- > 0;) {
        const rec_edit *e = &j->edits[i];
        if (e->kind == EDIT_VERSION)
            break;
        if (e->kind != EDIT_BYTES || e->part != root)
            continue;
        if (e->at < start) {
            start = start + e->removed - e->inserted;
            continue;
        }
        uint64_t k = (e->at - start) / CSG_ROW, end = e->at - start + e->inserted;
        for (; r == LATHE_OK && e->inserted && k < n && k * CSG_ROW < end; k++)
            r = settle_row(doc, k, err);
    }
    return r;
}

/* ---- the chunk table ------------------------------------------------------------------------------------- */

static lathe_result pack(lathe_doc *doc, uint64_t k, const uint8_t **bytes, size_t *size,
                         lathe_error *err)
{
    csg *g = csg_of(doc);
    const uint8_t *plain;
    size_t n;
    lathe_result r = csg_room(doc, err);
    if (r == LATHE_OK)
        r = csg_chunk(doc, k, &plain, &n, err);
    if (r == LATHE_OK)
        r = deflate_pack(g->zlib, plain, n, g->packed, size, err);
    *bytes = g->packed;
    return r;
}

/* Keeps a compressed chunk until it is written, if there is room, so that it is not compressed twice. */
static void keep_fresh(lathe_doc *doc, csg_block *b, const uint8_t *bytes, size_t size)
{
    csg *g = csg_of(doc);
    if (g->fresh_size + size > MOST_FRESH || !(b->fresh = mem_alloc(&doc->mem, size)))
        return;
    memcpy(b->fresh, bytes, size);
    b->fresh_size = size;
    g->fresh_size += size;
}

static void drop_fresh(lathe_doc *doc)
{
    csg *g = csg_of(doc);
    for (size_t i = 0; i < g->blocks_n && g->fresh_size; i++) {
        csg_block *b = &g->blocks[i];
        mem_free(&doc->mem, b->fresh, b->fresh_size);
        b->fresh = NULL;
        g->fresh_size -= b->fresh_size;
        b->fresh_size = 0;
    }
}

lathe_result csg_stored(lathe_doc *doc, uint64_t k, const uint8_t **bytes, size_t *size,
                        lathe_error *err)
{
    csg *g = csg_of(doc);
    const csg_block *b = csg_block_find(g, k);
    if (b && b->packed && !block_changed(doc, b)) {
        *bytes = b->packed;
        *size = b->packed_size;
        return LATHE_OK;
    }
    if (b && b->fresh && g->fresh_at == doc->changes) {
        *bytes = b->fresh;
        *size = b->fresh_size;
        return LATHE_OK;
    }
    return !b && g->input_packed ? csg_packed(doc, k, bytes, size, err)
                                 : pack(doc, k, bytes, size, err);
}

static lathe_result packed_size(lathe_doc *doc, uint64_t k, size_t *size, lathe_error *err)
{
    csg *g = csg_of(doc);
    csg_block *b = csg_block_find(g, k);
    const uint8_t *bytes;
    uint64_t off;
    if (!b && g->input_packed)
        return csg_entry(doc, k, &off, size, err);
    lathe_result r = csg_stored(doc, k, &bytes, size, err);
    if (r == LATHE_OK && b && bytes == g->packed)
        keep_fresh(doc, b, bytes, *size);
    return r;
}

/* Marks the blocks that the ending edit changed. True: all of them, because the form changed. */
static bool mark_touched(lathe_doc *doc)
{
    csg *g = csg_of(doc);
    const rec_journal *j = &doc->journal;
    bool all = false;
    for (size_t i = 0; i < g->blocks_n; i++)
        g->blocks[i].touched = false;
    for (size_t i = 0; i < j->n; i++) {
        const rec_edit *e = &j->edits[i];
        const rec_part *p = e->kind == EDIT_BYTES ? &doc->parts[e->part] : NULL;
        csg_block *b = p && p->hidden ? csg_block_find(g, p->slot) : NULL;
        if (b)
            b->touched = true;
        all = all || e->kind == EDIT_VERSION;
    }
    return all;
}

/* Fills the entries of n chunks; unchanged ones keep their length. */
static lathe_result fill_table(lathe_doc *doc, uint8_t *table, uint64_t n, lathe_error *err)
{
    csg *g = csg_of(doc);
    bool all = mark_touched(doc);
    uint64_t had = csg_chunks(doc);
    uint64_t off = csg_head_size(doc) + CSG_ENTRY * n - CSG_ENTRY * had;
    lathe_result r = LATHE_OK;
    for (uint64_t k = 0; r == LATHE_OK && k < n; k++) {
        const csg_block *b = csg_block_find(g, k);
        size_t size = k < had ? csg_u32(doc, csg_table(doc) + CSG_ENTRY * k) : 0;
        if (all || k >= had || (b && b->touched))
            r = packed_size(doc, k, &size, err);
        bytes_st32(table + CSG_ENTRY * k, (uint32_t)size, false);
        bytes_st32(table + CSG_ENTRY * k + 4, (uint32_t)off, false);
        off += size;
        if (r == LATHE_OK && off > UINT32_MAX) {
            rec_at root = csg_root(doc);
            r = rec_fail(&root, CSG_CHUNKS, 12, err, LATHE_ERR_RANGE,
                         "the file would be larger than 4 GiB, which chunk offsets cannot address");
        }
    }
    return r;
}

static lathe_result put_table(lathe_doc *doc, const uint8_t *table, uint64_t n, lathe_error *err)
{
    uint32_t root = doc->containers[0].root;
    uint64_t had = csg_chunks(doc), at = csg_table(doc);
    uint8_t count[4];
    bytes_st32(count, (uint32_t)n, false);
    lathe_result r = rec_splice(doc, root, at, had * CSG_ENTRY, table, n * CSG_ENTRY, err);
    if (r == LATHE_OK)
        r = rec_splice(doc, root, at - sizeof count, sizeof count, count, sizeof count, err);
    rec_forget(doc, root, 0);
    return r;
}

/* Compressing takes time, so changes of nested edits are compressed once, at the end of the outermost one. */
lathe_result csg_relayout(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    return doc->depth > 1 ? LATHE_OK : csg_ready(doc, c, err);
}

lathe_result csg_ready(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    uint64_t size;
    (void)c;
    bool indexed = csg_index_stands(doc);
    if (csg_form(doc) != CSG_PACKED)
        return LATHE_OK;
    drop_fresh(doc);
    lathe_result r = csg_stream_size(doc, &size, err);
    if (r != LATHE_OK)
        return r;
    uint64_t n = (size + CSG_CHUNK - 1) / CSG_CHUNK;
    uint8_t *table = mem_alloc(&doc->mem, (size_t)(n * CSG_ENTRY) + 1);
    if (!table)
        return rec_no_memory(err);
    r = fill_table(doc, table, n, err);
    if (r == LATHE_OK)
        r = put_table(doc, table, n, err);
    mem_free(&doc->mem, table, (size_t)(n * CSG_ENTRY) + 1);
    csg_of(doc)->fresh_at = doc->changes;
    csg_index_keep(doc, indexed && r == LATHE_OK);
    return r;
}
