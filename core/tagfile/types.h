/* The TYPE section of a tagfile: what it says of each type, read at open. Reference: formats/havok-tagfile.md#5.
 *
 * It lives in the document's arena and never changes. Type ids count from 1; 0 is none. Texts are borrowed from the
 * document's input, which stays as long as the document. */
#ifndef LATHE_TAGFILE_TYPES_H
#define LATHE_TAGFILE_TYPES_H

#include "record/record.h"

enum { /* tag_type.opt: what the body of a type says. The rest comes from its parents. */
       TAG_FORMAT = 0x01,
       TAG_SUB_TYPE = 0x02,
       TAG_VERSION = 0x04,
       TAG_SIZE = 0x08, /* and alignment */
       TAG_FLAGS = 0x10,
       TAG_MEMBERS = 0x20, /* and properties */
       TAG_INTERFACES = 0x40,
       TAG_ATTRIBUTE = 0x80,
       TAG_MUTABLE = 0x100,
       TAG_OPTIONS = 0x1FF
};

typedef enum tag_kind { /* the low bits of a format word */
                        TAG_VOID = 0,
                        TAG_OPAQUE,
                        TAG_BOOL,
                        TAG_STRING,
                        TAG_INT,
                        TAG_FLOAT,
                        TAG_POINTER,
                        TAG_RECORD,
                        TAG_ARRAY,
                        TAG_KIND_MASK = 0x1F,
                        TAG_INLINE =
                            0x20, /* of an array: T[N], N in bits 8 and up; else its elements lie elsewhere */
                        TAG_BIG_ENDIAN = 0x100, /* of integers */
                        TAG_SIGNED = 0x200
} tag_kind;

enum {
    TAG_RELATIVE = 0x2000
}; /* class flag: the storage is found by an offset from the field, not by an item */
enum { TAG_NOT_SERIALISED = 0x01, TAG_EXTRA = 0x80 }; /* member flags */

typedef struct
    tag_arg { /* of a template: a name that begins with t has a type, one with v a number */
    const char *name;
    uint64_t value;
} tag_arg;

typedef struct tag_member {
    const char *name;
    uint32_t flags, extra; /* extra: where flags have TAG_EXTRA */
    uint32_t offset;       /* from the start of the complete object */
    uint32_t type;
} tag_member;

typedef struct tag_interface {
    uint32_t type, offset;
} tag_interface;

typedef struct tag_record tag_record; /* what it is as rows: rows.h */

typedef struct tag_type {
    const char *name;
    const tag_arg *args;
    uint32_t args_n;
    uint32_t body; /* number of its body in TBOD, from 1; 0: it has none */
    uint32_t at;   /* where that is, from the start of TYPE; where there is none: 0 */
    uint32_t parent, opt;
    uint32_t format, sub_type, version, size, alignment, flags, mutable_;
    const tag_member *members; /* its own, and behind them its properties */
    uint32_t members_n, properties_n;
    const tag_interface *interfaces;
    uint32_t interfaces_n;
    const char *attribute;
    uint32_t hash, hashed; /* hashed: its number in THSH, from 1; 0: it has none */
    /* What counts for it, its own or that of the first parent that says it. */
    struct {
        uint32_t format, sub_type, size, alignment, flags;
        bool has_format, has_size;
    } is;
    tag_record *record; /* made when it is first needed */
} tag_type;

/* A child of TYPE, for what is written anew. */
typedef struct tag_piece {
    char name[4];
    uint64_t at, size; /* its payload, from the start of the TYPE section; at 0: there is none */
} tag_piece;

typedef enum tag_piece_number {
    TAG_TPTR,
    TAG_TSTR,
    TAG_TNAM,
    TAG_FSTR,
    TAG_ASTR,
    TAG_TBOD,
    TAG_THSH,
    TAG_TPAD,
    TAG_PIECES
} tag_piece_number;

typedef struct tag_types {
    tag_type *all; /* [0] is none; [1] … [count - 1] */
    uint32_t count;
    uint32_t *bodies, bodies_n;   /* type ids in the order of TBOD */
    uint32_t *hashes, hashes_n;   /* … and of THSH */
    uint32_t *records, records_n; /* … and of all that are records, in the order of their ids */
    const char **texts[3];        /* all of TSTR, FSTR, ASTR in their order */
    uint32_t texts_n[3];
    tag_piece pieces[TAG_PIECES];
    uint32_t slots;     /* of TPTR, where it is made; 0: as many as the SDK would */
    bool relative;      /* some type holds offsets from itself … */
    bool crossing;      /* … which may lead to another object */
    bool odd;           /* it has children that lathe does not know, or in another order */
    uint64_t rows_left; /* how many rows may still be made of it: rows.h */
    int nested;         /* records that are being made, one for the rows of another */
} tag_types;

/* Reads the TYPE section of `size` bytes at `bytes` (its header first), which begins at `start` of the encoded document. The
 * texts stay where they are. *err names the section, the type and the offset. */
lathe_result tag_types_read(lathe_doc *doc, const uint8_t *bytes, uint64_t size, uint64_t start,
                            tag_types **out, lathe_error *err);

/* The types of a container. */
tag_types *tag_types_of(const lathe_doc *doc, uint32_t c);

static inline tag_kind tag_kind_of(const tag_type *t)
{
    return (tag_kind)(t->is.format & TAG_KIND_MASK);
}

/* The name with its template arguments: "hkArray<hkaBone, hkContainerHeapAllocator>", "T[N]<hkReal, 2>". Like snprintf. */
size_t tag_display(const tag_types *types, uint32_t id, char *to, size_t cap);

/* Whether its storage is found by an offset from the field. */
bool tag_is_relative(const tag_type *t);

/* The plain alignment; 1 where the type has none. */
uint32_t tag_alignment(const tag_type *t);

/* Whether a type is another one, an alias of it, or derived from it. */
bool tag_is_a(const tag_types *types, uint32_t id, uint32_t base);

#endif
