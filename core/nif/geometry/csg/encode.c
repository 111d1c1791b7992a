/* Writes what follows the tables of a geometry file: the data stream, compressed or plain. */
#include "nif/geometry/csg/csg.h"

#include "base/deflate.h"

enum { PIECE = CSG_CHUNK };

static lathe_result refused(lathe_error *err)
{
    return error_set(err, LATHE_ERR_IO, LATHE_NO_OFFSET, "the sink refused the bytes");
}

uint64_t csg_rest_size(lathe_doc *doc, uint32_t c)
{
    uint64_t size = 0, n = csg_chunks(doc), last = csg_table(doc) + CSG_ENTRY * (n - 1);
    (void)c;
    if (csg_form(doc) == CSG_UNTIDY)
        return rec_input_size(doc) - csg_of(doc)->input_head;
    if (csg_form(doc) == CSG_PACKED)
        return n ? (uint64_t)csg_u32(doc, last + 4) + csg_u32(doc, last) - csg_head_size(doc) : 0;
    return csg_stream_size(doc, &size, NULL) == LATHE_OK ? size : 0;
}

static lathe_result put_input(lathe_doc *doc, lathe_sink sink, void *user, lathe_error *err)
{
    uint64_t at = csg_of(doc)->input_head, end = rec_input_size(doc);
    uint8_t *room = mem_alloc(&doc->mem, PIECE);
    lathe_result r = room ? LATHE_OK : rec_no_memory(err);
    while (r == LATHE_OK && at < end) {
        size_t n = end - at < PIECE ? (size_t)(end - at) : PIECE;
        r = rec_input_read(doc, at, room, n, err);
        if (r == LATHE_OK && !sink(user, room, n))
            r = refused(err);
        at += n;
    }
    mem_free(&doc->mem, room, PIECE);
    return r;
}

static lathe_result put_plain(lathe_doc *doc, lathe_sink sink, void *user, lathe_error *err)
{
    uint64_t size;
    lathe_result r = csg_stream_size(doc, &size, err);
    for (uint64_t k = 0; r == LATHE_OK && k * CSG_CHUNK < size; k++) {
        const uint8_t *bytes;
        size_t n;
        r = csg_chunk(doc, k, &bytes, &n, err);
        if (r == LATHE_OK && !sink(user, bytes, n))
            r = refused(err);
    }
    return r;
}

/* Writes the compressed chunks, each of the length in the table, which was made from the same chunks. */
static lathe_result put_packed(lathe_doc *doc, lathe_sink sink, void *user, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint64_t k = 0, n = csg_chunks(doc); r == LATHE_OK && k < n; k++) {
        const uint8_t *bytes;
        size_t size;
        r = csg_stored(doc, k, &bytes, &size, err);
        if (r == LATHE_OK && size != csg_u32(doc, csg_table(doc) + CSG_ENTRY * k))
            r = error_set(
                err, LATHE_ERR_STATE, LATHE_NO_OFFSET,
                "chunk %llu is packed in another number of bytes than when it was changed",
                (unsigned long long)k + 1);
        if (r == LATHE_OK && !sink(user, bytes, size))
            r = refused(err);
    }
    return r;
}

lathe_result csg_rest(lathe_doc *doc, uint32_t c, lathe_sink sink, void *user, lathe_error *err)
{
    (void)c;
    lathe_result r = rec_input_check(doc, err); /* chunks may have been cached */
    if (r != LATHE_OK)
        return r;
    if (csg_form(doc) == CSG_UNTIDY)
        return put_input(doc, sink, user, err);
    return csg_form(doc) == CSG_PACKED ? put_packed(doc, sink, user, err)
                                       : put_plain(doc, sink, user, err);
}

/* ---- bytes that rows do not determine -------------------------------------------------------------------- */

/* True if the rows, written one after the other, would get the same offsets. */
static bool rows_tile(lathe_doc *doc)
{
    csg_row row;
    uint64_t at = 0, size;
    for (uint64_t i = 0; i < csg_count(doc); i++) {
        if (csg_row_at(doc, i, &row, NULL) != LATHE_OK || row.offset != at ||
            (!row.size && i + 1 < csg_count(doc)))
            return false;
        at += row.size;
    }
    return csg_stream_size(doc, &size, NULL) == LATHE_OK && at == size;
}

/* True if a chunk, compressed again, has the same bytes. */
static bool packs_alike(lathe_doc *doc, uint64_t k, uint8_t *room)
{
    const uint8_t *plain, *packed;
    size_t n, size, have;
    return csg_chunk(doc, k, &plain, &n, NULL) == LATHE_OK &&
           deflate_pack(csg_of(doc)->zlib, plain, n, room, &size, NULL) == LATHE_OK &&
           csg_stored(doc, k, &packed, &have, NULL) == LATHE_OK && have == size &&
           memcmp(packed, room, size) == 0;
}

static lathe_result is_plain(lathe_doc *doc, bool *yes, lathe_error *err)
{
    size_t room_size = deflate_bound(CSG_CHUNK);
    *yes = csg_form(doc) != CSG_UNTIDY && rows_tile(doc);
    if (!*yes || csg_form(doc) == CSG_PLAIN)
        return LATHE_OK;
    uint8_t *room = mem_alloc(&doc->mem, room_size);
    lathe_result r = room ? csg_room(doc, err) : rec_no_memory(err);
    for (uint64_t k = 0, n = csg_chunks(doc); r == LATHE_OK && *yes && k < n; k++)
        *yes = packs_alike(doc, k, room);
    mem_free(&doc->mem, room, room_size);
    return r;
}

typedef struct to_memory {
    buf *bytes;
    bool full;
} to_memory;

static bool put_memory(void *user, const void *bytes, size_t n)
{
    to_memory *to = user;
    to->full = to->full || !buf_put(to->bytes, bytes, n);
    return !to->full;
}

lathe_result csg_get_raw(const rec_at *at, const rec_field *row, lathe_value *out, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    const rec_part *root = &doc->parts[doc->containers[0].root];
    bool plain = true;
    buf bytes;
    (void)row;
    out->kind = LATHE_KIND_NONE;
    lathe_result r = root->scratch || !csg_of(doc) ? LATHE_OK : is_plain(doc, &plain, err);
    if (r != LATHE_OK || plain)
        return r;
    buf_init(&bytes, &doc->mem);
    static const uint8_t none[4];
    bool packed = csg_form(doc) != CSG_PLAIN; /* the table with its count; never empty */
    bool ok =
        buf_put(&bytes, packed ? root->data + 8 : none, sizeof none) &&
        (!packed || buf_put(&bytes, root->data + 12, (size_t)(csg_rows_at(doc) - csg_table(doc))));
    to_memory to = {.bytes = &bytes, .full = !ok};
    r = ok ? csg_rest(doc, 0, put_memory, &to, err) : LATHE_ERR_MEMORY;
    if (to.full)
        r = rec_no_memory(err);
    if (r == LATHE_OK)
        r = rec_text(at, (const char *)bytes.data, bytes.size, out, err);
    buf_free(&bytes);
    return r;
}
