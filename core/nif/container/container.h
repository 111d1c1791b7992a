/* The container: the header of a NIF, its blocks, and the references between blocks. Reference:
 * formats/nif.md. The tables of the blocks are generated from nif/schema/; hooks are in C. The meaning of
 * blocks is left to the other rooms. */
#ifndef LATHE_NIF_CONTAINER_H
#define LATHE_NIF_CONTAINER_H

#include "base/vec.h"
#include "gen/nif_types.h"
#include "record/record.h"
#include "record/types.h"

/* Versions: 20.2.0.7 is 0x14020007; Bethesda's stream version identifies the game (34, 83, 100, 130 …). The
 * version of a container combines both. */
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

const rec_type *nif_block_type(const char *name, size_t n); /* NULL: unknown */
const rec_type *nif_part_type(lathe_doc *doc, uint32_t part);
/* Name of a block's type in the file. Valid until the next write. */
const char *nif_type_name(lathe_doc *doc, uint32_t part);
const rec_type *nif_type_named(lathe_doc *doc, uint32_t part, const char *name, size_t n);

/* Block numbers (ref: references to children, ptr: references to parents) and numbers of the header's string
 * table. */
extern const rec_ref nif_ref, nif_ptr;
extern const rec_codec nif_string;
/* Parameter of a container that is being made from a table that contains all strings of the header. */
enum { NIF_ALL_STRINGS = 1 };
/* True if NiObjectNET.name is not empty. */
bool nif_named(const rec_at *at);

/* A stored block number or string number. */
typedef struct nif_link {
    const rec_at *at; /* the record that holds it */
    uint32_t slot;
    uint64_t item;  /* element of an array, else REC_NO_ITEM */
    uint64_t off;   /* offset in the part */
    uint32_t value; /* as stored */
    bool text;      /* a string number */
    bool back;      /* a ptr */
} nif_link;
/* Calls `each` for all links of a block, in file order. A block that cannot be parsed has none. */
lathe_result nif_each_link(lathe_doc *doc, uint32_t part,
                           lathe_result (*each)(void *user, const nif_link *link, lathe_error *err),
                           void *user, lathe_error *err);
/* Fails with the reason `why` if a block exists whose links are unknown. */
lathe_result nif_knows_all(const rec_at *root, const char *why, lathe_error *err);
/* Finds the first block with a name and, if type is not NULL, of that type. *part is REC_NO_PART if there is
 * none (named.c). */
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

/* nif_block: the part of block i (from 0), or REC_NO_PART if there is none. nif_number: the number of a
 * block's part. */
uint32_t nif_block(lathe_doc *doc, uint32_t c, uint64_t i);
uint64_t nif_number(lathe_doc *doc, uint32_t part);
/* The block that is or contains a part; REC_NO_PART for the header, the footer and parts that belong to no
 * container. */
uint32_t nif_block_around(const lathe_doc *doc, uint32_t root, uint32_t part);
uint64_t nif_total(lathe_doc *doc, uint32_t c);
rec_at nif_at(lathe_doc *doc, uint32_t part); /* record of a block */

/* The type numbers that do not follow from the types of the blocks, as text (numbers.c). */
lathe_result nif_get_type_numbers(const rec_at *at, const rec_field *row, lathe_value *out,
                                  lathe_error *err);
lathe_result nif_set_type_numbers(const rec_at *at, const rec_field *row, const lathe_value *value,
                                  lathe_error *err);

int nif_sniff(const uint8_t *bytes, size_t n);
lathe_result nif_open(lathe_doc *doc, uint32_t c, lathe_error *err);
lathe_result nif_begin(lathe_doc *doc, uint32_t c, const rec_from *from, lathe_error *err);
/* At the end of an edit: updates block numbers, type names and sizes in the header. */
lathe_result nif_relayout(lathe_doc *doc, uint32_t c, lathe_error *err);
/* Before that: if all blocks of one type of packed geometry were converted to the other type, replaces its
 * name in the header in place. So converting back gives the same header (rename.c). */
lathe_result nif_packed_rename(const rec_at *root, lathe_error *err);
/* Cache entry for the type of a block, valid until the next change; NULL: not cached (known.c). */
const rec_type **nif_known_type(lathe_doc *doc, uint32_t part);
/* True if blocks of the type hold precombined geometry, which has several layouts. */
bool nif_is_packed(const rec_type *block);
/* Whether the root record has certain fields, by version and user version. */
bool nif_has_endian(int64_t v);
bool nif_has_user(int64_t v);
bool nif_has_bs(int64_t v, int64_t user);

/* ---- reading blocks (look.c) --------------------------------------------------------------------------- */

/* Elements of an array in a file, such as one for each vertex. p NULL: there are none. */
typedef struct nif_column {
    const uint8_t *p;
    uint64_t count;
    uint64_t off; /* offset of p in its part */
    uint32_t part;
} nif_column;

/* The bytes of a field of n floats, or of a record of n floats, which all blocks of the type have. NULL: not
 * there. */
const uint8_t *nif_floats(const rec_at *at, const char *row, uint64_t n);

/* Reads numbers from the bytes of a file. */
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

/* Converts a half exactly: a multiplication adjusts the exponent, also of subnormal numbers. */
static inline float nif_half_at(const uint8_t *p)
{
    uint32_t h = bytes_ld16(p, false), sign = (h & 0x8000) << 16, rest = (h & 0x7FFF) << 13;
    if (rest >= 0x7C00U << 13)
        return nif_float_of(sign | 0x7F800000 | rest);
    return nif_float_of(rest | sign) * 0x1p112F;
}

/* The block that a field (its element i) refers to; REC_NO_PART: none, or it cannot be parsed. */
uint32_t nif_target(const rec_at *at, const char *row, uint64_t i);
/* True if a block can be parsed and is of a type or of one derived from it. */
bool nif_block_is(lathe_doc *doc, uint32_t part, const rec_type *type);
/* True if a part can be parsed. Sets *ok to false if memory ran out. */
bool nif_block_reads(lathe_doc *doc, uint32_t part, bool *ok);
/* Finds the elements of a field, `size` bytes each; false if they are not completely there. */
bool nif_column_find(const rec_at *at, const char *row, uint64_t size, nif_column *out);

#endif
