/* Shared geometry files of Fallout 4's precombined meshes: .psg (plain) and .csg (zlib chunks). Reference:
 * formats/precombined.md#5
 *
 * A file has a header (counts, chunk table, rows), which is the only part of the document, and a data stream,
 * which is read on demand. A row describes a range of the stream: vertices, then indices. Other files
 * identify the row by the offset of this range, so edits never move one.
 *
 * Other code may use the functions up to "inside". They take a document of format_geometry, opened by
 * lathe_doc_open with .format = "geometry". Errors name the file and the row or chunk. A csg_row is valid
 * until the next write. */
#ifndef LATHE_NIF_CSG_H
#define LATHE_NIF_CSG_H

#include "gen/csg_types.h"
#include "record/record.h"
#include "record/types.h"

extern const lathe_format format_geometry;

enum { CSG_CHUNK = 65536 }; /* uncompressed size of a chunk; the last one may be smaller */

/* A row, and how its data are stored. `layout` is the descriptor of the stored vertices, for
 * nif_vertex_layout. It equals `desc` unless `half` is set: then desc says full precision, but the size of
 * the data shows that positions are halves. */
typedef struct csg_row {
    uint64_t index;        /* from 0 */
    uint64_t offset, size; /* of its data in the stream */
    uint64_t desc, layout;
    uint32_t vertices, indices, stride; /* stride: bytes of a stored vertex */
    bool half;
} csg_row;

/* True if a document is a geometry file. */
bool csg_is(const lathe_doc *doc);
uint64_t csg_count(lathe_doc *doc);
/* Reads row i (from 0). LATHE_ERR_INVALID: descriptor and counts do not fit the size of its data. */
lathe_result csg_row_at(lathe_doc *doc, uint64_t i, csg_row *row, lathe_error *err);
/* Finds the row that begins at an offset of the stream, by binary search. LATHE_ERR_NAME: there is none. */
lathe_result csg_row_find(lathe_doc *doc, uint64_t offset, csg_row *row, lathe_error *err);
/* Copies a row's vertices (row->vertices * row->stride bytes) and indices (row->indices of u16,
 * little-endian) as they are stored; either may be NULL. Decompresses only the chunks that they span. */
lathe_result csg_row_read(lathe_doc *doc, const csg_row *row, uint8_t *vertices, uint8_t *indices,
                          lathe_error *err);
/* True if a row's data can have size .size. Then sets .layout, .stride and .half. */
bool csg_fits(csg_row *row);
/* Bytes [off, off + n) of the stream, borrowed until the next write or call. No row needs to begin there. */
lathe_result csg_run(lathe_doc *doc, uint64_t off, uint64_t n, const uint8_t **bytes,
                     lathe_error *err);
/* Inside an edit: appends a row with these data. `data`: vertices, then indices. */
lathe_result csg_append(lathe_doc *doc, uint64_t desc, uint32_t vertices, uint32_t indices,
                        const uint8_t *data, uint64_t size, csg_row *row, lathe_error *err);
/* Finds the first row with equal counts and data, and with this descriptor or another one of the same
 * .layout: a descriptor may or may not say that positions are halves. LATHE_ERR_NAME: there is none. Rows are
 * indexed once, and the data of each are read once, until the document changes in another way than by
 * csg_append. */
lathe_result csg_find_equal(lathe_doc *doc, uint64_t desc, uint32_t vertices, uint32_t indices,
                            const uint8_t *data, uint64_t size, csg_row *row, lathe_error *err);
/* Compares the data of a row. */
lathe_result csg_row_equals(lathe_doc *doc, const csg_row *row, const uint8_t *data, uint64_t size,
                            bool *equal, lathe_error *err);
/* The hash by which group files refer to a geometry file: BSCRC32 of its lower-case name without folder and
 * extension. */
uint32_t csg_hash(const char *path);

/* ---- inside ---------------------------------------------------------------------------------------------- */

enum { CSG_ROW = 20, CSG_ENTRY = 8, CSG_SLOTS = 16 };
enum { CSG_MOST_PACKED = 2 * CSG_CHUNK }; /* largest possible compressed size of a chunk */

/* A block of the stream that an edit has changed, of the size of a chunk. A hidden part holds a byte that
 * says whether it differs from the file (BLOCK_CHANGED), then its bytes. It stays when the edit is undone. */
typedef struct csg_block {
    uint64_t number;
    uint32_t part;
    uint8_t *packed; /* the compressed chunk of the file, until it changed; NULL: none */
    size_t packed_size;
    uint8_t *fresh; /* the compressed chunk of today, valid while csg.fresh_at is current */
    size_t fresh_size;
    bool touched; /* by the edit that is ending */
} csg_block;

/* A decompressed chunk. */
typedef struct csg_slot {
    uint64_t chunk, used;
    size_t size;
    uint8_t *bytes; /* NULL: the slot is empty */
} csg_slot;

/* The data of the container. */
struct deflater;
typedef struct csg {
    bool input_packed;
    uint64_t input_head;   /* bytes of the input in front of the stream */
    uint64_t input_chunks; /* of a compressed input */
    bool last_bad;         /* the last chunk is known to be damaged */
    csg_slot slots[CSG_SLOTS];
    uint64_t clock;
    uint8_t *packed; /* buffer for one compressed chunk */
    struct deflater *zlib;
    csg_block *blocks; /* sorted by number */
    size_t blocks_n, blocks_cap;
    uint8_t *run;                            /* last result of csg_run … */
    uint64_t run_off, run_size, run_changes; /* … its range, and doc->changes at the time */
    uint64_t fresh_at;       /* doc->changes when the fresh chunks were compressed … */
    size_t fresh_size;       /* … and their size */
    struct csg_index *index; /* rows by content, made on first use: find.c */
} csg;

csg *csg_of(const lathe_doc *doc);
int csg_form(const lathe_doc *doc);
rec_at csg_root(lathe_doc *doc);
/* Where the chunk table and the rows begin in the root part. */
uint64_t csg_table(const lathe_doc *doc);
uint64_t csg_rows_at(const lathe_doc *doc);
uint64_t csg_chunks(const lathe_doc *doc);
uint64_t csg_head_size(const lathe_doc *doc);
/* Reads a number of the root part that is known to be there. */
uint32_t csg_u32(const lathe_doc *doc, uint64_t off);
/* Sets an error at row i or at chunk k (from 0). */
lathe_result csg_row_fail(lathe_doc *doc, uint64_t i, uint32_t slot, lathe_error *err,
                          lathe_result code, const char *fmt, ...) ERROR_PRINTF(6, 7);

/* stream.c: the data stream. */

/* Size of the stream; decompresses the last chunk of a compressed file once. */
lathe_result csg_stream_size(lathe_doc *doc, uint64_t *size, lathe_error *err);
/* Upper limit of that size: if the last chunk is damaged, it counts as full. */
uint64_t csg_stream_most(lathe_doc *doc);
lathe_result csg_read(lathe_doc *doc, uint64_t off, void *to, uint64_t n, lathe_error *err);
/* Chunk k of the stream, decompressed; valid until the next call. */
lathe_result csg_chunk(lathe_doc *doc, uint64_t k, const uint8_t **bytes, size_t *size,
                       lathe_error *err);
/* Where chunk k of the input is. Fails if it is outside of the input or has an impossible size. */
lathe_result csg_entry(lathe_doc *doc, uint64_t k, uint64_t *off, size_t *size, lathe_error *err);
/* The compressed bytes of a chunk, borrowed until the next call. */
lathe_result csg_packed(lathe_doc *doc, uint64_t k, const uint8_t **bytes, size_t *size,
                        lathe_error *err);
/* True if the chunks of a table are contiguous between two offsets and none is too large. */
bool csg_tidy(const uint8_t *table, uint64_t n, uint64_t from, uint64_t end);
void csg_forget(lathe_doc *doc); /* drops all decompressed chunks */
void csg_close_stream(lathe_doc *doc);
lathe_result csg_room(lathe_doc *doc, lathe_error *err);

/* edit.c */

csg_block *csg_block_find(csg *g, uint64_t number);
const uint8_t *csg_block_bytes(const lathe_doc *doc, const csg_block *b, size_t *size);
/* Inside an edit: writes bytes [off, off + n) of the stream, which then ends at `end`. */
lathe_result csg_write(lathe_doc *doc, uint64_t off, const void *bytes, uint64_t n, uint64_t end,
                       lathe_error *err);
/* Fails for files that are kept as they are. */
lathe_result csg_may_edit(lathe_doc *doc, lathe_error *err);
lathe_result csg_settle(lathe_doc *doc, uint32_t c, lathe_error *err);
lathe_result csg_relayout(lathe_doc *doc, uint32_t c, lathe_error *err);
lathe_result csg_ready(lathe_doc *doc, uint32_t c, lathe_error *err);
/* Chunk k of a compressed document as it will be stored: from the file, or compressed again. Borrowed until
 * the next call. */
lathe_result csg_stored(lathe_doc *doc, uint64_t k, const uint8_t **bytes, size_t *size,
                        lathe_error *err);

/* encode.c */

uint64_t csg_rest_size(lathe_doc *doc, uint32_t c);
lathe_result csg_rest(lathe_doc *doc, uint32_t c, lathe_sink sink, void *user, lathe_error *err);
/* find.c: index of rows by content. It is valid until the document changes; edits that only add rows or move
 * none keep it. */

bool csg_index_stands(const lathe_doc *doc);
void csg_index_keep(lathe_doc *doc, bool stood);
void csg_index_drop(lathe_doc *doc);

/* row.c, tables.c */

/* Inside an edit: gives row i another descriptor, counts and data. */
lathe_result csg_put(const rec_at *at, uint64_t desc, uint64_t vertices, uint64_t indices,
                     const uint8_t *data, uint64_t size, lathe_error *err);
/* The descriptor for positions as halves that corresponds to one with full precision. */
uint64_t csg_halved(uint64_t desc);
void csg_load(lathe_doc *doc, uint64_t i, csg_row *row);
/* Adds the path of the field that was being read to an error of the stream. */
lathe_result csg_met(const rec_at *at, uint32_t slot, lathe_result r, lathe_error *err);

void csg_check(lathe_doc *doc, uint32_t c, rec_report *report);
lathe_result csg_make(lathe_doc *maker, const lathe_source *fields, buf *out, lathe_error *err);
lathe_result csg_convert(lathe_view self, const lathe_source *args, lathe_report *report,
                         lathe_error *err);
extern const rec_param *const csg_convert_params[];

#endif
