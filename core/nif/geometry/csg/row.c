/* Rows of a geometry file: the range and form of their data, and changing them. */
#include "nif/geometry/csg/csg.h"
#include "nif/geometry/vertices/vertices.h"

void csg_load(lathe_doc *doc, uint64_t i, csg_row *row)
{
    const uint8_t *p = doc->parts[doc->containers[0].root].data + csg_rows_at(doc) + CSG_ROW * i;
    *row = (csg_row){.index = i,
                     .offset = bytes_ld32(p, false),
                     .desc = bytes_ld64(p + 4, false),
                     .vertices = bytes_ld32(p + 12, false),
                     .indices = bytes_ld32(p + 16, false)};
}

/* A descriptor for positions as halves: everything behind them begins 8 bytes earlier. */
uint64_t csg_halved(uint64_t desc)
{
    desc = (desc & ~NIF_FULL_PRECISION) - 2;
    for (unsigned bit = 8; bit < 40; bit += 4)
        if ((desc >> bit & 15) >= 2)
            desc -= (uint64_t)2 << bit;
    return desc;
}

/* The size of the data decides: the vertex size in the descriptor or, with full precision, 8 bytes less. */
bool csg_fits(csg_row *row)
{
    uint64_t stride = (row->desc & 15) * 4, indices = (uint64_t)row->indices * 2;
    row->half = false;
    row->layout = NIF_DESCRIPTOR(row->desc);
    row->stride = (uint32_t)stride;
    if (row->vertices * stride + indices == row->size)
        return stride || !row->vertices;
    if (!(row->desc & NIF_FULL_PRECISION) || stride <= 8 ||
        row->vertices * (stride - 8) + indices != row->size)
        return false;
    row->half = true;
    row->layout = csg_halved(NIF_DESCRIPTOR(row->desc));
    row->stride = (uint32_t)stride - 8;
    return true;
}

/* The range of row i in the stream, independent of its counts. */
static lathe_result extent_of(lathe_doc *doc, uint64_t i, uint64_t *off, uint64_t *end,
                              lathe_error *err)
{
    csg_row row, next;
    uint64_t size = csg_stream_most(doc);
    csg_load(doc, i, &row);
    if (i + 1 < csg_count(doc)) {
        csg_load(doc, i + 1, &next);
    } else {
        lathe_result r = csg_stream_size(doc, &size, err);
        if (r != LATHE_OK)
            return r;
        next.offset = size;
    }
    if (next.offset < row.offset && row.offset <= size)
        return csg_row_fail(doc, i, CSG_DATA_OFFSET, err, LATHE_ERR_INVALID,
                            "it begins at byte %llu of the stream, behind the next row at %llu",
                            (unsigned long long)row.offset, (unsigned long long)next.offset);
    if (row.offset > size || next.offset > size)
        return csg_row_fail(doc, i, CSG_DATA_OFFSET, err, LATHE_ERR_BOUNDS,
                            "its data, bytes %llu .. %llu, leave the stream of %llu bytes",
                            (unsigned long long)row.offset, (unsigned long long)next.offset,
                            (unsigned long long)size);
    *off = row.offset;
    *end = next.offset;
    return LATHE_OK;
}

static lathe_result misfit(lathe_doc *doc, const csg_row *row, lathe_error *err)
{
    uint64_t stride = (row->desc & 15) * 4;
    return csg_row_fail(doc, row->index, CSG_VERTEX_DESC, err, LATHE_ERR_INVALID,
                        "%lu vertices of %llu bytes (descriptor 0x%016llx) and %lu indices are "
                        "%llu bytes, its data "
                        "have %llu",
                        (unsigned long)row->vertices, (unsigned long long)stride,
                        (unsigned long long)row->desc, (unsigned long)row->indices,
                        (unsigned long long)(row->vertices * stride + (uint64_t)row->indices * 2),
                        (unsigned long long)row->size);
}

lathe_result csg_row_at(lathe_doc *doc, uint64_t i, csg_row *row, lathe_error *err)
{
    uint64_t off, end;
    if (i >= csg_count(doc))
        return error_set(err, LATHE_ERR_BOUNDS, LATHE_NO_OFFSET, "there is no row %llu of %llu",
                         (unsigned long long)i + 1, (unsigned long long)csg_count(doc));
    lathe_result r = extent_of(doc, i, &off, &end, err);
    if (r != LATHE_OK)
        return r;
    csg_load(doc, i, row);
    row->size = end - off;
    return csg_fits(row) ? LATHE_OK : misfit(doc, row, err);
}

lathe_result csg_row_find(lathe_doc *doc, uint64_t offset, csg_row *row, lathe_error *err)
{
    uint64_t lo = 0, hi = csg_count(doc);
    while (lo < hi) {
        uint64_t mid = lo + (hi - lo) / 2;
        csg_load(doc, mid, row);
        if (row->offset < offset)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo < csg_count(doc))
        csg_load(doc, lo, row);
    if (lo >= csg_count(doc) || row->offset != offset) {
        error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no row begins at byte %llu of the stream",
                  (unsigned long long)offset);
        error_path(err, doc->path);
        return LATHE_ERR_NAME;
    }
    return csg_row_at(doc, lo, row, err);
}

lathe_result csg_row_read(lathe_doc *doc, const csg_row *row, uint8_t *vertices, uint8_t *indices,
                          lathe_error *err)
{
    uint64_t n = (uint64_t)row->vertices * row->stride;
    lathe_result r = vertices ? csg_read(doc, row->offset, vertices, n, err) : LATHE_OK;
    if (r == LATHE_OK && indices)
        r = csg_read(doc, row->offset + n, indices, (uint64_t)row->indices * 2, err);
    return r;
}

/* ---- changing -------------------------------------------------------------------------------------------- */

static uint64_t index_of(const rec_at *at)
{
    return (at->off - csg_rows_at(at->doc)) / CSG_ROW;
}

static lathe_result set(const rec_at *at, uint32_t slot, uint64_t value, lathe_error *err)
{
    lathe_value v = {.kind = LATHE_KIND_UINT, .as.u = value};
    return rec_set(at, slot, &v, err);
}

static lathe_result may_put(lathe_doc *doc, uint64_t i, uint64_t off, uint64_t end, uint64_t size,
                            lathe_error *err)
{
    bool last = i + 1 == csg_count(doc);
    lathe_result r = csg_may_edit(doc, err);
    if (r == LATHE_OK && !last && size != end - off)
        return csg_row_fail(
            doc, i, CSG_DATA, err, LATHE_ERR_UNSUPPORTED,
            "%llu bytes of data expected, got %llu: only the last row can change its size, as a "
            "row's offset is its name in other files; append a row, or convert the group files to "
            "another geometry file",
            (unsigned long long)(end - off), (unsigned long long)size);
    if (r == LATHE_OK && last && size > UINT32_MAX - off)
        return csg_row_fail(
            doc, i, CSG_DATA, err, LATHE_ERR_RANGE,
            "the stream would be larger than 4 GiB, which row offsets cannot address");
    return r;
}

lathe_result csg_put(const rec_at *at, uint64_t desc, uint64_t vertices, uint64_t indices,
                     const uint8_t *data, uint64_t size, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint64_t i = index_of(at), off, end, stream;
    lathe_result r = extent_of(doc, i, &off, &end, err);
    if (r == LATHE_OK)
        r = may_put(doc, i, off, end, size, err);
    if (r == LATHE_OK)
        r = csg_stream_size(doc, &stream, err);
    if (r == LATHE_OK)
        r = csg_write(doc, off, data, size, i + 1 == csg_count(doc) ? off + size : stream, err);
    if (r == LATHE_OK)
        r = set(at, CSG_VERTEX_DESC, desc, err);
    if (r == LATHE_OK)
        r = set(at, CSG_NUM_VERTICES, vertices, err);
    return r == LATHE_OK ? set(at, CSG_NUM_INDICES, indices, err) : r;
}

int64_t csg_next_offset(const rec_at *at)
{
    uint64_t size;
    return csg_is(at->doc) && csg_of(at->doc) && csg_stream_size(at->doc, &size, NULL) == LATHE_OK
               ? (int64_t)size
               : 0;
}

lathe_result csg_append(lathe_doc *doc, uint64_t desc, uint32_t vertices, uint32_t indices,
                        const uint8_t *data, uint64_t size, csg_row *row, lathe_error *err)
{
    rec_at root = csg_root(doc), at;
    uint64_t n = csg_count(doc);
    bool indexed = csg_index_stands(doc);
    lathe_result r = rec_insert(&root, CSG_ROWS, n, 1, NULL, 0, err);
    if (r == LATHE_OK)
        r = rec_sub(&root, CSG_ROWS, n, &at, err);
    if (r == LATHE_OK)
        r = csg_put(&at, desc, vertices, indices, data, size, err);
    if (r != LATHE_OK)
        return r;
    csg_index_keep(doc, indexed);
    return csg_row_at(doc, n, row, err);
}

/* ---- as bytes -------------------------------------------------------------------------------------------- */

lathe_result csg_get_data(const rec_at *at, const rec_field *row, lathe_value *out,
                          lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint64_t off, end;
    (void)row;
    out->kind = LATHE_KIND_NONE;
    if (doc->parts[at->part].scratch || extent_of(doc, index_of(at), &off, &end, NULL) != LATHE_OK)
        return LATHE_OK; /* unknown range: check reports it */
    uint8_t *bytes = mem_alloc(&doc->mem, (size_t)(end - off) + 1);
    if (!bytes)
        return rec_no_memory(err);
    lathe_result r = csg_met(at, CSG_DATA, csg_read(doc, off, bytes, end - off, err), err);
    if (r == LATHE_OK)
        r = rec_text(at, (const char *)bytes, (size_t)(end - off), out, err);
    mem_free(&doc->mem, bytes, (size_t)(end - off) + 1);
    return r;
}

lathe_result csg_set_data(const rec_at *at, const rec_field *row, const lathe_value *value,
                          lathe_error *err)
{
    lathe_doc *doc = at->doc;
    csg_row now = {0};
    (void)row;
    if (doc->parts[at->part].scratch)
        return rec_fail(at, CSG_DATA, at->off, err, LATHE_ERR_UNSUPPORTED,
                        "assign it after the row was added: rows:append{ … }");
    if (value->kind != LATHE_KIND_STRING)
        return rec_fail(at, CSG_DATA, at->off, err, LATHE_ERR_TYPE, "a string expected");
    csg_load(doc, index_of(at), &now);
    now.size = value->as.s.n;
    if (!csg_fits(&now))
        return misfit(doc, &now, err);
    return csg_put(at, now.desc, now.vertices, now.indices, (const uint8_t *)value->as.s.p,
                   now.size, err);
}
