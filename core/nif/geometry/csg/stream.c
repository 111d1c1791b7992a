/* The data stream of a geometry file: reads and decompresses chunks, and caches the last few. */
#include "nif/geometry/csg/csg.h"

#include "base/deflate.h"

#include <stdio.h>

bool csg_tidy(const uint8_t *table, uint64_t n, uint64_t from, uint64_t end)
{
    for (uint64_t k = 0; k < n; k++, table += CSG_ENTRY) {
        uint32_t size = bytes_ld32(table, false);
        if (bytes_ld32(table + 4, false) != from || size > CSG_MOST_PACKED)
            return false;
        from += size;
    }
    return from == end;
}

lathe_result csg_room(lathe_doc *doc, lathe_error *err)
{
    csg *g = csg_of(doc);
    if (!g->packed)
        g->packed = mem_alloc(&doc->mem, CSG_MOST_PACKED);
    if (!g->packed)
        return rec_no_memory(err);
    return g->zlib ? LATHE_OK : deflate_new(&doc->mem, &g->zlib, err);
}

/* ---- the input's chunks ---------------------------------------------------------------------------------- */

static lathe_result chunk_fail(lathe_doc *doc, uint64_t k, lathe_error *err, lathe_result code,
                               const char *why)
{
    uint64_t off = LATHE_NO_OFFSET;
    const csg *g = csg_of(doc);
    char text[384];
    snprintf(text, sizeof text, "%s", why); /* it may be part of *err */
    if (g->input_packed && k < g->input_chunks)
        off = bytes_ld32(doc->input + 12 + CSG_ENTRY * k + 4, false);
    error_set(err, code, off, "chunk %llu of %llu: %s", (unsigned long long)k + 1,
              (unsigned long long)g->input_chunks, text);
    snprintf(text, sizeof text, "chunks[%llu]", (unsigned long long)k + 1);
    error_where(err, text);
    error_path(err, doc->path);
    return code;
}

lathe_result csg_entry(lathe_doc *doc, uint64_t k, uint64_t *off, size_t *size, lathe_error *err)
{
    const csg *g = csg_of(doc);
    const uint8_t *entry = doc->input + 12 + CSG_ENTRY * k;
    uint64_t n = bytes_ld32(entry, false), at = bytes_ld32(entry + 4, false);
    uint64_t end = rec_input_size(doc);
    char why[160];
    if (at < g->input_head || at > end || n > end - at) {
        snprintf(why, sizeof why,
                 "the table puts %llu bytes at 0x%llx, outside of 0x%llx .. 0x%llx",
                 (unsigned long long)n, (unsigned long long)at, (unsigned long long)g->input_head,
                 (unsigned long long)end);
        return chunk_fail(doc, k, err, LATHE_ERR_BOUNDS, why);
    }
    if (n > CSG_MOST_PACKED) {
        snprintf(why, sizeof why, "%llu packed bytes, more than a chunk of %d can become",
                 (unsigned long long)n, CSG_CHUNK);
        return chunk_fail(doc, k, err, LATHE_ERR_INVALID, why);
    }
    *off = at;
    *size = (size_t)n;
    return LATHE_OK;
}

lathe_result csg_packed(lathe_doc *doc, uint64_t k, const uint8_t **bytes, size_t *size,
                        lathe_error *err)
{
    uint64_t off;
    lathe_result r = csg_room(doc, err);
    if (r == LATHE_OK)
        r = csg_entry(doc, k, &off, size, err);
    if (r == LATHE_OK)
        r = rec_input_read(doc, off, csg_of(doc)->packed, *size, err);
    *bytes = csg_of(doc)->packed;
    return r;
}

/* Decompresses a chunk. Bytes behind the end of its zlib stream are ignored here and reported by check. */
static lathe_result unpack(lathe_doc *doc, uint64_t k, csg_slot *slot, lathe_error *err)
{
    csg *g = csg_of(doc);
    const uint8_t *packed;
    size_t n, used;
    lathe_error why = {.code = LATHE_OK};
    lathe_result r = csg_packed(doc, k, &packed, &n, err);
    if (r != LATHE_OK)
        return r;
    r = deflate_unpack(g->zlib, packed, n, slot->bytes, CSG_CHUNK, &slot->size, &used, &why);
    if (r != LATHE_OK)
        return chunk_fail(doc, k, err, r, why.message);
    char text[96];
    snprintf(text, sizeof text, "it unpacks to %llu bytes instead of %d",
             (unsigned long long)slot->size, CSG_CHUNK);
    if (k + 1 < g->input_chunks ? slot->size != CSG_CHUNK : !slot->size)
        return chunk_fail(doc, k, err, LATHE_ERR_INVALID, text);
    return LATHE_OK;
}

static lathe_result copy_plain(lathe_doc *doc, uint64_t k, csg_slot *slot, lathe_error *err)
{
    uint64_t off = csg_of(doc)->input_head + k * CSG_CHUNK, left = rec_input_size(doc) - off;
    slot->size = left < CSG_CHUNK ? (size_t)left : CSG_CHUNK;
    return rec_input_read(doc, off, slot->bytes, slot->size, err);
}

/* ---- cached chunks --------------------------------------------------------------------------------------- */

/* The slot that holds the chunk, or else the least recently used one. */
static csg_slot *slot_for(csg *g, uint64_t k)
{
    csg_slot *oldest = &g->slots[0];
    for (size_t i = 0; i < CSG_SLOTS; i++) {
        csg_slot *s = &g->slots[i];
        if (s->bytes && s->size && s->chunk == k)
            return s;
        if (s->used < oldest->used)
            oldest = s;
    }
    return oldest;
}

void csg_forget(lathe_doc *doc)
{
    csg *g = csg_of(doc);
    for (size_t i = 0; i < CSG_SLOTS; i++)
        g->slots[i].size = 0;
}

static uint64_t input_chunks(const lathe_doc *doc)
{
    const csg *g = csg_of(doc);
    uint64_t size = rec_input_size(doc) - g->input_head;
    return g->input_packed ? g->input_chunks : (size + CSG_CHUNK - 1) / CSG_CHUNK;
}

static lathe_result input_chunk(lathe_doc *doc, uint64_t k, const uint8_t **bytes, size_t *size,
                                lathe_error *err)
{
    csg *g = csg_of(doc);
    if (k >= input_chunks(doc))
        return chunk_fail(doc, k, err, LATHE_ERR_BOUNDS, "the stream ends before it");
    csg_slot *s = slot_for(g, k);
    if (!(s->bytes && s->size && s->chunk == k)) {
        if (!s->bytes)
            s->bytes = mem_alloc(&doc->mem, CSG_CHUNK);
        if (!s->bytes)
            return rec_no_memory(err);
        s->size = 0;
        s->chunk = k;
        lathe_result r = g->input_packed ? unpack(doc, k, s, err) : copy_plain(doc, k, s, err);
        if (r != LATHE_OK) {
            s->size = 0;
            return r;
        }
    }
    s->used = ++g->clock;
    *bytes = s->bytes;
    *size = s->size;
    return LATHE_OK;
}

lathe_result csg_chunk(lathe_doc *doc, uint64_t k, const uint8_t **bytes, size_t *size,
                       lathe_error *err)
{
    const csg_block *b = csg_block_find(csg_of(doc), k);
    if (!b)
        return input_chunk(doc, k, bytes, size, err);
    *bytes = csg_block_bytes(doc, b, size);
    return LATHE_OK;
}

/* ---- the stream ------------------------------------------------------------------------------------------ */

/* The container's parameter is the size plus 1; 0: not known yet. */
lathe_result csg_stream_size(lathe_doc *doc, uint64_t *size, lathe_error *err)
{
    csg *g = csg_of(doc);
    rec_container *c = &doc->containers[0];
    const uint8_t *bytes;
    size_t last = 0;
    if (!c->param) {
        uint64_t n = g->input_chunks;
        lathe_result r = LATHE_OK;
        if (!g->input_packed)
            n = rec_input_size(doc) - g->input_head;
        else if (n && (r = input_chunk(doc, n - 1, &bytes, &last, err)) == LATHE_OK)
            n = (n - 1) * CSG_CHUNK + last;
        g->last_bad = r == LATHE_ERR_INVALID || r == LATHE_ERR_BOUNDS;
        if (r != LATHE_OK)
            return r;
        c->param = (int64_t)n + 1;
    }
    *size = (uint64_t)c->param - 1;
    return LATHE_OK;
}

uint64_t csg_stream_most(lathe_doc *doc)
{
    uint64_t size;
    if (!csg_of(doc)->last_bad && csg_stream_size(doc, &size, NULL) == LATHE_OK)
        return size;
    return csg_of(doc)->input_chunks * CSG_CHUNK;
}

lathe_result csg_read(lathe_doc *doc, uint64_t off, void *to, uint64_t n, lathe_error *err)
{
    uint8_t *q = to;
    lathe_result r = n ? rec_input_check(doc, err) : LATHE_OK; /* chunks may have been cached */
    while (r == LATHE_OK && n) {
        const uint8_t *p;
        size_t size;
        uint64_t in = off % CSG_CHUNK;
        r = csg_chunk(doc, off / CSG_CHUNK, &p, &size, err);
        if (r == LATHE_OK && in >= size)
            r = error_set(err, LATHE_ERR_BOUNDS, LATHE_NO_OFFSET,
                          "the stream ends at byte %llu, before byte %llu",
                          (unsigned long long)(off - in + size), (unsigned long long)off);
        if (r != LATHE_OK)
            return r;
        uint64_t some = size - in < n ? size - in : n;
        memcpy(q, p + in, (size_t)some);
        q += some;
        off += some;
        n -= some;
    }
    return r;
}

static void let_run_go(lathe_doc *doc)
{
    csg *g = csg_of(doc);
    mem_free(&doc->mem, g->run, (size_t)g->run_size);
    g->run = NULL;
    g->run_size = 0;
}

lathe_result csg_run(lathe_doc *doc, uint64_t off, uint64_t n, const uint8_t **bytes,
                     lathe_error *err)
{
    static const uint8_t nothing;
    csg *g = csg_of(doc);
    uint64_t size;
    lathe_result r = csg_stream_size(doc, &size, err);
    *bytes = g->run ? g->run : &nothing;
    if (r != LATHE_OK)
        return r;
    if (off > size || n > size - off)
        return error_set(err, LATHE_ERR_BOUNDS, LATHE_NO_OFFSET,
                         "bytes %llu .. %llu leave the stream of %llu bytes",
                         (unsigned long long)off, (unsigned long long)(off + n),
                         (unsigned long long)size);
    if (g->run && g->run_off == off && g->run_size == n && g->run_changes == doc->changes)
        return rec_input_check(doc, err);
    let_run_go(doc);
    g->run = n && n <= SIZE_MAX ? mem_alloc(&doc->mem, (size_t)n) : NULL;
    if (n && !g->run)
        return rec_no_memory(err);
    g->run_size = n;
    g->run_off = off;
    g->run_changes = doc->changes;
    r = csg_read(doc, off, g->run, n, err);
    if (r != LATHE_OK)
        let_run_go(doc);
    *bytes = g->run ? g->run : &nothing;
    return r;
}

void csg_close_stream(lathe_doc *doc)
{
    csg *g = csg_of(doc);
    for (size_t i = 0; i < CSG_SLOTS; i++)
        mem_free(&doc->mem, g->slots[i].bytes, CSG_CHUNK);
    let_run_go(doc);
}
