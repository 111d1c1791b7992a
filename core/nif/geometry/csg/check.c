/* doc:check() of a geometry file: its tables; and, unless only those are requested, the contents of its
 * chunks and the indices of its triangles, one chunk after the other. */
#include "nif/geometry/csg/csg.h"

#include "base/deflate.h"
#include "nif/geometry/vertices/vertices.h"

enum { PIECE = 16384, MOST_VERTICES = 65536 };

static void tell(lathe_doc *doc, rec_report *report, const lathe_error *e)
{
    lathe_error found = *e;
    if (doc->path)
        error_path(&found, doc->path);
    rec_found(report, LATHE_LEVEL_ERROR, &found);
}

static void warn_row(lathe_doc *doc, rec_report *report, uint64_t i, uint32_t slot,
                     const char *what)
{
    rec_at root = csg_root(doc), row;
    if (rec_sub(&root, CSG_ROWS, i, &row, NULL) == LATHE_OK)
        rec_finding(report, LATHE_LEVEL_WARNING, &row, slot, REC_NO_ITEM, "%s", what);
}

/* ---- tables ---------------------------------------------------------------------------------------------- */

/* Reports chunks that are not contiguous up to the end of the file. */
static void check_table(lathe_doc *doc, rec_report *report)
{
    uint64_t n = csg_chunks(doc), at = csg_head_size(doc);
    rec_at root = csg_root(doc);
    for (uint64_t k = 0; k < n && !report->stopped; k++) {
        uint64_t entry = csg_table(doc) + CSG_ENTRY * k, off = csg_u32(doc, entry + 4);
        lathe_error e;
        size_t size;
        if (csg_entry(doc, k, &off, &size, &e) != LATHE_OK)
            tell(doc, report, &e);
        else if (off < at)
            rec_finding(report, LATHE_LEVEL_ERROR, &root, CSG_CHUNKS, k,
                        "it begins at 0x%llx, inside of the chunk in front of it, which ends at "
                        "0x%llx",
                        (unsigned long long)off, (unsigned long long)at);
        else if (off > at)
            rec_finding(report, LATHE_LEVEL_WARNING, &root, CSG_CHUNKS, k,
                        "%llu bytes in front of it belong to no chunk",
                        (unsigned long long)(off - at));
        at = off + csg_u32(doc, entry);
    }
    if (at < rec_input_size(doc))
        rec_finding(report, LATHE_LEVEL_WARNING, &root, CSG_CHUNKS, REC_NO_ITEM,
                    "%llu bytes behind the last chunk belong to none",
                    (unsigned long long)(rec_input_size(doc) - at));
}

/* Reports problems of a row. True: its data are where they should be. */
static bool tell_row(lathe_doc *doc, rec_report *report, uint64_t i)
{
    lathe_error e;
    nif_vertex layout;
    csg_row row;
    if (csg_of(doc)->last_bad && i + 1 == csg_count(doc))
        return false; /* check_start has reported the chunk */
    if (csg_row_at(doc, i, &row, &e) != LATHE_OK) {
        tell(doc, report, &e);
        return false;
    }
    if (!row.size)
        warn_row(doc, report, i, CSG_NUM_VERTICES, "a row without data");
    if (row.vertices && !nif_vertex_layout(row.layout, &layout))
        warn_row(doc, report, i, CSG_VERTEX_DESC,
                 "what the descriptor names does not fill a vertex");
    if (row.indices % 3)
        warn_row(doc, report, i, CSG_NUM_INDICES, "no whole number of triangles");
    if (row.vertices > MOST_VERTICES)
        warn_row(doc, report, i, CSG_NUM_VERTICES,
                 "more vertices than indices of 16 bits can name");
    return true;
}

/* Checks all rows. Most are valid, and few descriptors are in use, so valid ones are recognised quickly by
 * their numbers. */
static void check_rows(lathe_doc *doc, rec_report *report, bool *good)
{
    uint64_t n = csg_count(doc), size = csg_stream_most(doc), known = 0;
    const uint8_t *p = doc->parts[doc->containers[0].root].data + csg_rows_at(doc);
    bool ends = !csg_of(doc)->last_bad;
    nif_vertex layout;
    for (uint64_t i = 0; i < n && !report->stopped; i++, p += CSG_ROW) {
        uint64_t off = bytes_ld32(p, false), desc = bytes_ld64(p + 4, false);
        uint64_t vertices = bytes_ld32(p + 12, false), indices = bytes_ld32(p + 16, false);
        uint64_t end = i + 1 < n ? bytes_ld32(p + CSG_ROW, false) : size;
        if (desc != known && nif_vertex_layout(desc, &layout))
            known = desc;
        bool fine = off < end && end <= size && (ends || i + 1 < n) && desc == known &&
                    vertices * ((desc & 15) * 4) + indices * 2 == end - off &&
                    vertices <= MOST_VERTICES && indices % 3 == 0;
        if (!fine)
            fine = tell_row(doc, report, i);
        if (good)
            good[i] = fine;
    }
}

/* True if check_table has reported that there is no such chunk. */
static bool is_told(lathe_doc *doc, uint64_t k)
{
    uint64_t off;
    size_t size;
    return csg_form(doc) == CSG_UNTIDY && csg_entry(doc, k, &off, &size, NULL) != LATHE_OK;
}

static void check_start(lathe_doc *doc, rec_report *report)
{
    csg_row row;
    uint64_t size;
    rec_at root = csg_root(doc);
    lathe_error e;
    if (csg_stream_size(doc, &size, &e) != LATHE_OK) {
        if (!is_told(doc, csg_chunks(doc) - 1))
            tell(doc, report, &e);
        return;
    }
    if (csg_count(doc))
        csg_load(doc, 0, &row);
    uint64_t unowned = csg_count(doc) ? row.offset : size;
    if (unowned)
        rec_finding(report, LATHE_LEVEL_WARNING, &root, CSG_ROWS, REC_NO_ITEM,
                    "the first %llu bytes of the stream belong to no row",
                    (unsigned long long)unowned);
}

/* ---- data ------------------------------------------------------------------------------------------------ */

/* Checks one chunk of the input; false if its bytes cannot be used. */
static bool check_chunk(lathe_doc *doc, rec_report *report, uint64_t k, uint8_t *room)
{
    const uint8_t *bytes, *packed;
    size_t size, n, used;
    lathe_error e;
    if (is_told(doc, k) || (csg_of(doc)->last_bad && k + 1 == csg_of(doc)->input_chunks))
        return false;
    if (csg_chunk(doc, k, &bytes, &size, &e) != LATHE_OK) {
        tell(doc, report, &e);
        return false;
    }
    if (!room || csg_stored(doc, k, &packed, &n, NULL) != LATHE_OK ||
        deflate_unpack(csg_of(doc)->zlib, packed, n, room, CSG_CHUNK, &size, &used, NULL) !=
            LATHE_OK)
        return true;
    rec_at root = csg_root(doc);
    if (used < n)
        rec_finding(report, LATHE_LEVEL_WARNING, &root, CSG_CHUNKS, k,
                    "%llu bytes behind the end of its zlib stream", (unsigned long long)(n - used));
    return true;
}

/* Reports the first triangle with an index that is not a vertex. False: the data cannot be read. */
static bool check_triangles(lathe_doc *doc, rec_report *report, const csg_row *row)
{
    uint8_t some[PIECE];
    uint64_t at = row->offset + (uint64_t)row->vertices * row->stride,
             left = (uint64_t)row->indices * 2;
    rec_at root = csg_root(doc), place;
    for (uint64_t first = 0; left; first += PIECE / 2) {
        uint64_t n = left < PIECE ? left : PIECE;
        if (csg_read(doc, at, some, n, NULL) != LATHE_OK)
            return false;
        for (uint64_t i = 0; i < n / 2; i++) {
            unsigned v = bytes_ld16(some + 2 * i, false);
            if (v < row->vertices)
                continue;
            if (rec_sub(&root, CSG_ROWS, row->index, &place, NULL) == LATHE_OK)
                rec_finding(report, LATHE_LEVEL_ERROR, &place, REC_NO_SLOT, REC_NO_ITEM,
                            "triangle %llu: there is no vertex %u (from 0) of %lu",
                            (unsigned long long)(first + i) / 3 + 1, v,
                            (unsigned long)row->vertices);
            return true;
        }
        at += n;
        left -= n;
    }
    return true;
}

static void check_data(lathe_doc *doc, rec_report *report, const bool *good)
{
    uint64_t size, row = 0, rows = csg_count(doc);
    bool packed = csg_form(doc) != CSG_PLAIN;
    if (csg_stream_size(doc, &size, NULL) != LATHE_OK)
        size = csg_chunks(doc) * CSG_CHUNK;
    uint8_t *room = packed ? mem_alloc(&doc->mem, CSG_CHUNK) : NULL;
    uint64_t bad_until = 0; /* rows that begin in front of it have bytes in a damaged chunk */
    for (uint64_t k = 0; k * CSG_CHUNK < size && !report->stopped; k++) {
        if (!check_chunk(doc, report, k, room))
            bad_until = (k + 1) * CSG_CHUNK;
        for (csg_row r; row < rows && !report->stopped; row++) {
            if (!good[row])
                continue;
            if (csg_row_at(doc, row, &r, NULL) != LATHE_OK)
                continue;
            if (r.offset + r.size > (k + 1) * CSG_CHUNK)
                break;
            if (r.offset >= bad_until)
                check_triangles(doc, report, &r);
        }
    }
    mem_free(&doc->mem, room, CSG_CHUNK);
}

void csg_check(lathe_doc *doc, uint32_t c, rec_report *report)
{
    lathe_value v;
    const void *child;
    size_t n = (size_t)csg_count(doc) + 1;
    (void)c;
    if (csg_form(doc) == CSG_UNTIDY)
        check_table(doc, report);
    check_start(doc, report);
    if (rec_option(doc, "tables", &v, &child) && v.kind == LATHE_KIND_BOOL && v.as.b) {
        check_rows(doc, report, NULL);
        return;
    }
    bool *good = mem_zalloc(&doc->mem, n);
    check_rows(doc, report, good);
    if (good && !report->stopped)
        check_data(doc, report, good);
    mem_free(&doc->mem, good, n);
}
