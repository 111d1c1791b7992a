/* The container: the header of a NIF, its blocks, and what their numbers lead to. What blocks mean is the matter of
 * others. Reference: formats/nif.md. The blocks' tables are generated from text (nif/schema/); what a table cannot say is
 * in C. */
#ifndef LATHE_NIF_CONTAINER_H
#define LATHE_NIF_CONTAINER_H

#include "base/vec.h"
#include "gen/nif_types.h"
#include "record/record.h"
#include "record/types.h"

/* Versions: 20.2.0.7 is 0x14020007; Bethesda's stream version counts the games (34, 83, 100, 130 …). A
 * container's version is both. */
enum {
    NIF_FALLOUT3 = 34,
    NIF_SKYRIM = 83,
    NIF_SKYRIM_SE = 100,
    NIF_FALLOUT4 = 130,
    NIF_STARFIELD = 172
};
#define NIF_VERSIONS(v, bs)                                                                        \
    ((int64_t)((uint64_t)(v) << 32 | (uint64_t)((bs) > 0xFFFF ? 0xFFFF : (bs))))
#define NIF_V(in) ((int64_t)((uint64_t)(in)->version >> 32))
#define NIF_B(in) ((in)->version & 0xFFFF)
#define NIF_AT_VERSION(at) ((at)->doc->containers[(at)->layout->container].version)
#define NIF_AT_V(at) ((int64_t)((uint64_t)NIF_AT_VERSION(at) >> 32))
#define NIF_AT_B(at) (NIF_AT_VERSION(at) & 0xFFFF)

const rec_type *nif_block_type(const char *name, size_t n); /* NULL: not described */
const rec_type *nif_part_type(lathe_doc *doc, uint32_t part);
/* A block's type as the file has it. Good until the next write. */
const char *nif_type_name(lathe_doc *doc, uint32_t part);
const rec_type *nif_type_named(lathe_doc *doc, uint32_t part, const char *name, size_t n);

/* Numbers of blocks (ref: what is below, ptr: what is above) and of texts in the header's table. */
extern const rec_ref nif_ref, nif_ptr;
extern const rec_codec nif_string;
/* A container's param while it is made of a table that has all of the header's texts. */
enum { NIF_ALL_STRINGS = 1 };
/* Whether NiObjectNET.name is a text that is not empty. */
bool nif_named(const rec_at *at);

/* A stored number of a block or text. */
typedef struct nif_link {
    const rec_at *at; /* the record that it is in */
    uint32_t slot;
    uint64_t item;  /* of an array, else REC_NO_ITEM */
    uint64_t off;   /* in the part */
    uint32_t value; /* as stored */
    bool text;      /* of a text, not of a block */
    bool back;      /* a ptr */
} nif_link;
/* Gives all links of a block to `each`, in file order. A block that does not parse has none. */
lathe_result nif_each_link(lathe_doc *doc, uint32_t part,
                           lathe_result (*each)(void *user, const nif_link *link, lathe_error *err),
                           void *user, lathe_error *err);
/* Refuses, with that reason, where a block is there whose links nobody knows. */
lathe_result nif_knows_all(const rec_at *root, const char *why, lathe_error *err);
/* The first block of a name, and (type not NULL) of that type. *part REC_NO_PART: there is none (named.c). */
lathe_result nif_block_named(lathe_doc *doc, uint32_t c, const lathe_value *name,
                             const rec_type *type, uint32_t *part, lathe_error *err);
extern const rec_param *const nif_find_block_params[];
lathe_result nif_find_block(lathe_view self, const lathe_source *args, lathe_report *report,
                            lathe_error *err);
lathe_result nif_remove_unused_strings(lathe_view self, const lathe_source *args,
                                       lathe_report *report, lathe_error *err);
lathe_result nif_renumber(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                          uint64_t inserted, lathe_error *err);
lathe_result nif_renumber_moved(const rec_at *at, const rec_field *row, uint64_t from, uint64_t to,
                                lathe_error *err);
lathe_result nif_may_resize(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                            uint64_t inserted, lathe_error *err);
lathe_result nif_may_resize_strings(const rec_at *at, const rec_field *row, uint64_t i,
                                    uint64_t removed, uint64_t inserted, lathe_error *err);

/* Block number i (from 0) as a part, REC_NO_PART past the last; and the number of one. */
uint32_t nif_block(lathe_doc *doc, uint32_t c, uint64_t i);
uint64_t nif_number(lathe_doc *doc, uint32_t part);
/* The block that a part is, or is in; REC_NO_PART for the header, the footer and what is in no tree. */
uint32_t nif_block_around(const lathe_doc *doc, uint32_t root, uint32_t part);
uint64_t nif_total(lathe_doc *doc, uint32_t c);
rec_at nif_at(lathe_doc *doc, uint32_t part); /* a block's record */

/* The numbers of types that do not follow from the blocks, as text (numbers.c). */
lathe_result nif_get_type_numbers(const rec_at *at, const rec_field *row, lathe_value *out,
                                  lathe_error *err);
lathe_result nif_set_type_numbers(const rec_at *at, const rec_field *row, const lathe_value *value,
                                  lathe_error *err);

int nif_sniff(const uint8_t *bytes, size_t n);
lathe_result nif_open(lathe_doc *doc, uint32_t c, lathe_error *err);
lathe_result nif_begin(lathe_doc *doc, uint32_t c, const rec_from *from, lathe_error *err);
/* At the end of an edit: numbers, names and sizes in the header follow the blocks. */
lathe_result nif_relayout(lathe_doc *doc, uint32_t c, lathe_error *err);
/* Before that: where all blocks of one type of packed geometry have become the other, the header names that in its place,
 * so that the way back leads to the same header (rename.c). */
lathe_result nif_packed_rename(const rec_at *root, lathe_error *err);
/* Where the type of a block is remembered while nothing changes; NULL: nowhere (known.c). */
const rec_type **nif_known_type(lathe_doc *doc, uint32_t part);
/* Whether blocks of a type hold precombined geometry, which is stored in several layouts. */
bool nif_is_packed(const rec_type *block);
/* Which rows the root record has, by its version and user version. */
bool nif_has_endian(int64_t v);
bool nif_has_user(int64_t v);
bool nif_has_bs(int64_t v, int64_t user);

/* ---- looking at blocks (look.c) ------------------------------------------------------------------------ */

/* Numbers that lie in a file, one vertex after the other. NULL: there are none. */
typedef struct nif_column {
    const uint8_t *p;
    uint64_t count;
    uint64_t off; /* where p is in its part */
    uint32_t part;
} nif_column;

/* Bytes of a row that holds n floats, which all blocks of its type have, or of a record of that many. NULL: it is not
 * there. */
const uint8_t *nif_floats(const rec_at *at, const char *row, uint64_t n);

/* Numbers as they lie in a file. */
static inline float nif_float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline float nif_float_at(const uint8_t *p)
{
    return nif_float_of(bytes_ld32(p, false));
}

/* Exact: the exponent is moved by a product, which small numbers need no case of their own for. */
static inline float nif_half_at(const uint8_t *p)
{
    uint32_t h = bytes_ld16(p, false), sign = (h & 0x8000) << 16, rest = (h & 0x7FFF) << 13;
    if (rest >= 0x7C00U << 13)
        return nif_float_of(sign | 0x7F800000 | rest);
    return nif_float_of(rest | sign) * 0x1p112F;
}

/* The block that a row (its element i) leads to; REC_NO_PART: none, or it does not parse. */
uint32_t nif_target(const rec_at *at, const char *row, uint64_t i);
/* Whether a block parses and is of a type or of one that derives from it. */
bool nif_block_is(lathe_doc *doc, uint32_t part, const rec_type *type);
/* Whether a part parses; *ok becomes false where there was no memory to look. */
bool nif_block_reads(lathe_doc *doc, uint32_t part, bool *ok);
/* Elements of a row, of `size` bytes each; false where they are not there in full. */
bool nif_column_find(const rec_at *at, const char *row, uint64_t size, nif_column *out);

#endif
