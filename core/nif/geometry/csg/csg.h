/* Shared geometry files of Fallout 4's precombined meshes: .psg (plain) and .csg (in zlib chunks). Reference:
 * formats/precombined.md#5
 *
 * A file has a head (counts, chunk table, rows), which is the document's one part, and behind it a data stream, which is
 * read on demand. A row names a run of the stream: vertices, then indices. The offset of that run is what other files know
 * the row by, so no edit moves one.
 *
 * Other code may use the functions down to "inside". They take a document of format_geometry, opened by lathe_doc_open with
 * .format = "geometry". Errors name the file and the row or chunk. A csg_row is good until the next write. */
#ifndef LATHE_NIF_CSG_H
#define LATHE_NIF_CSG_H

#include "gen/csg_types.h"
#include "record/record.h"
#include "record/types.h"

extern const lathe_format format_geometry;

enum { CSG_CHUNK = 65536 }; /* bytes of the stream in a chunk; the last one may have fewer */

/* A row, and how its data are stored. `layout` is the descriptor of its vertices as they are stored, for
 * nif_vertex_layout. It is `desc` unless `half`: then desc says full precision, but the size of the data says halves. */
typedef struct csg_row {
    uint64_t index;        /* from 0 */
    uint64_t offset, size; /* of its data in the stream */
    uint64_t desc, layout;
    uint32_t vertices, indices, stride; /* stride: bytes of a vertex as it is stored */
    bool half;
} csg_row;

/* Whether a document is one of these. */
bool csg_is(const lathe_doc *doc);
uint64_t csg_count(lathe_doc *doc);
/* Row number i (from 0). LATHE_ERR_INVALID: its descriptor and counts are not those of its data. */
lathe_result csg_row_at(lathe_doc *doc, uint64_t i, csg_row *row, lathe_error *err);
/* The row that begins at an offset of the stream, found by binary search. LATHE_ERR_NAME: none does. */
lathe_result csg_row_find(lathe_doc *doc, uint64_t offset, csg_row *row, lathe_error *err);
/* Its vertices (row->vertices * row->stride bytes) and indices (row->indices of u16, little-endian), as they are stored;
 * either may be NULL. Only the chunks that they span are unpacked. */
lathe_result csg_row_read(lathe_doc *doc, const csg_row *row, uint8_t *vertices, uint8_t *indices,
                          lathe_error *err);
/* Whether a row's data can be of that many bytes (.size); how they are stored then: .layout, .stride and .half follow. */
bool csg_fits(csg_row *row);
/* Bytes [off, off + n) of the stream, borrowed until the next write or call. No row needs to begin there. */
lathe_result csg_run(lathe_doc *doc, uint64_t off, uint64_t n, const uint8_t **bytes,
                     lathe_error *err);
/* Inside an edit: a row with these data behind the last one. `data`: vertices, then indices. */
lathe_result csg_append(lathe_doc *doc, uint64_t desc, uint32_t vertices, uint32_t indices,
                        const uint8_t *data, uint64_t size, csg_row *row, lathe_error *err);
/* The first row that has these counts and these data, with this descriptor or another one of the same layout (.layout):
 * halves may be told as what they are, or as floats. LATHE_ERR_NAME: none has. Rows are listed once,
 * and the data of each are read once, until the document changes otherwise than by csg_append. */
lathe_result csg_find_equal(lathe_doc *doc, uint64_t desc, uint32_t vertices, uint32_t indices,
                            const uint8_t *data, uint64_t size, csg_row *row, lathe_error *err);
/* Whether a row has these data. */
lathe_result csg_row_equals(lathe_doc *doc, const csg_row *row, const uint8_t *data, uint64_t size,
                            bool *equal, lathe_error *err);
/* What group files know a geometry file by: BSCRC32 of its name, without folder and extension, in small letters. */
uint32_t csg_hash(const char *path);

/* ---- inside ---------------------------------------------------------------------------------------------- */

enum { CSG_ROW = 20, CSG_ENTRY = 8, CSG_SLOTS = 16 };
enum { CSG_MOST_PACKED = 2 * CSG_CHUNK }; /* bytes that a chunk may be packed in */

/* A piece of the stream that an edit has touched, as large as a chunk: a hidden part holds a byte that tells whether it
 * differs from the file (BLOCK_CHANGED), then its bytes. It stays when the edit is undone. */
typedef struct csg_block {
    uint64_t number;
    uint32_t part;
    uint8_t *packed; /* the chunk as the file had it, until it changed; NULL: it had none */
    size_t packed_size;
    uint8_t *fresh; /* the chunk as it is now, packed: good while csg.fresh_at is */
    size_t fresh_size;
    bool touched; /* by the edit that ends */
} csg_block;

/* A chunk as it was unpacked. */
typedef struct csg_slot {
    uint64_t chunk, used;
    size_t size;
    uint8_t *bytes; /* NULL: nothing is there */
} csg_slot;

/* What the container's index is. */
struct deflater;
typedef struct csg {
    bool input_packed;
    uint64_t input_head;   /* bytes in front of the input's stream */
    uint64_t input_chunks; /* of a packed one */
    bool last_bad;         /* the last one was found to be damaged */
    csg_slot slots[CSG_SLOTS];
    uint64_t clock;
    uint8_t *packed; /* room for one chunk, packed */
    struct deflater *zlib;
    csg_block *blocks; /* by number */
    size_t blocks_n, blocks_cap;
    uint8_t *run;                            /* what csg_run gave last … */
    uint64_t run_off, run_size, run_changes; /* … where, and doc->changes then */
    uint64_t fresh_at;       /* doc->changes when the fresh chunks were packed … */
    size_t fresh_size;       /* … and their bytes */
    struct csg_index *index; /* rows by what they hold, once one was asked for: find.c */
} csg;

csg *csg_of(const lathe_doc *doc);
int csg_form(const lathe_doc *doc);
rec_at csg_root(lathe_doc *doc);
/* Where the chunk table and the rows begin in the root part. */
uint64_t csg_table(const lathe_doc *doc);
uint64_t csg_rows_at(const lathe_doc *doc);
uint64_t csg_chunks(const lathe_doc *doc);
uint64_t csg_head_size(const lathe_doc *doc);
/* A number of the root part that was checked to be there. */
uint32_t csg_u32(const lathe_doc *doc, uint64_t off);
/* An error of row i or of chunk k (from 0), at its place. */
lathe_result csg_row_fail(lathe_doc *doc, uint64_t i, uint32_t slot, lathe_error *err,
                          lathe_result code, const char *fmt, ...) ERROR_PRINTF(6, 7);

/* stream.c: the data stream. */

/* Bytes of the stream; a packed file's last chunk is unpacked for it, once. */
lathe_result csg_stream_size(lathe_doc *doc, uint64_t *size, lathe_error *err);
/* The most bytes that it can have: where that chunk is damaged, as if it were full. */
uint64_t csg_stream_most(lathe_doc *doc);
lathe_result csg_read(lathe_doc *doc, uint64_t off, void *to, uint64_t n, lathe_error *err);
/* Chunk k of the stream as bytes, good until the next call. */
lathe_result csg_chunk(lathe_doc *doc, uint64_t k, const uint8_t **bytes, size_t *size,
                       lathe_error *err);
/* Where chunk k of the input lies. Refuses one outside of it, or of no possible size. */
lathe_result csg_entry(lathe_doc *doc, uint64_t k, uint64_t *off, size_t *size, lathe_error *err);
/* Its packed bytes, borrowed until the next call. */
lathe_result csg_packed(lathe_doc *doc, uint64_t k, const uint8_t **bytes, size_t *size,
                        lathe_error *err);
/* Whether the chunks of a table lie one behind the other between two places, none larger than it can be. */
bool csg_tidy(const uint8_t *table, uint64_t n, uint64_t from, uint64_t end);
void csg_forget(lathe_doc *doc); /* all that was unpacked */
void csg_close_stream(lathe_doc *doc);
lathe_result csg_room(lathe_doc *doc, lathe_error *err);

/* edit.c */

csg_block *csg_block_find(csg *g, uint64_t number);
const uint8_t *csg_block_bytes(const lathe_doc *doc, const csg_block *b, size_t *size);
/* Inside an edit: bytes [off, off + n) of the stream become these; the stream ends at `end` from now on. */
lathe_result csg_write(lathe_doc *doc, uint64_t off, const void *bytes, uint64_t n, uint64_t end,
                       lathe_error *err);
/* Refuses files that are kept as they are. */
lathe_result csg_may_edit(lathe_doc *doc, lathe_error *err);
lathe_result csg_settle(lathe_doc *doc, uint32_t c, lathe_error *err);
lathe_result csg_relayout(lathe_doc *doc, uint32_t c, lathe_error *err);
lathe_result csg_ready(lathe_doc *doc, uint32_t c, lathe_error *err);
/* Chunk k of a packed document as it is stored: as the file has it, or packed anew. Borrowed until the next call. */
lathe_result csg_stored(lathe_doc *doc, uint64_t k, const uint8_t **bytes, size_t *size,
                        lathe_error *err);

/* encode.c */

uint64_t csg_rest_size(lathe_doc *doc, uint32_t c);
lathe_result csg_rest(lathe_doc *doc, uint32_t c, lathe_sink sink, void *user, lathe_error *err);
/* find.c: rows by what they hold. It stands until the document changes; what adds rows alone, or moves none, keeps it. */

bool csg_index_stands(const lathe_doc *doc);
void csg_index_keep(lathe_doc *doc, bool stood);
void csg_index_drop(lathe_doc *doc);

/* row.c, tables.c */

/* Inside an edit: row i gets another descriptor, counts and data. */
lathe_result csg_put(const rec_at *at, uint64_t desc, uint64_t vertices, uint64_t indices,
                     const uint8_t *data, uint64_t size, lathe_error *err);
/* What a descriptor that says floats would say of halves. */
uint64_t csg_halved(uint64_t desc);
void csg_load(lathe_doc *doc, uint64_t i, csg_row *row);
/* An error of the stream that reading a field of a row has met: it gets the field's path. */
lathe_result csg_met(const rec_at *at, uint32_t slot, lathe_result r, lathe_error *err);

void csg_check(lathe_doc *doc, uint32_t c, rec_report *report);
lathe_result csg_make(lathe_doc *maker, const lathe_source *fields, buf *out, lathe_error *err);
lathe_result csg_convert(lathe_view self, const lathe_source *args, lathe_report *report,
                         lathe_error *err);
extern const rec_param *const csg_convert_params[];

#endif
