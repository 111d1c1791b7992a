/* The TYPE section of a tagfile as read at open. Reference: formats/havok-tagfile.md#5.
 *
 * It lives in the document's arena and never changes. Type ids count from 1; 0: none. Texts are borrowed from
 * the document's input, which lives as long as the document. */
#ifndef LATHE_TAGFILE_TYPES_H
#define LATHE_TAGFILE_TYPES_H

#include "record/record.h"

enum { /* tag_type.opt: which parts the body of a type has. The others are inherited. */
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
                            0x20, /* of an array: T[N], N in bits 8 and up; otherwise its elements
                                   * are out of line */
                        TAG_BIG_ENDIAN = 0x100, /* of integers */
                        TAG_SIGNED = 0x200
} tag_kind;

enum {
    TAG_RELATIVE = 0x2000
}; /* class flag: the storage is found by an offset from the field, not by an item */
enum { TAG_NOT_SERIALISED = 0x01, TAG_EXTRA = 0x80 }; /* member flags */

typedef struct
    tag_arg { /* of a template: if the name begins with t, the value is a type, with v a number */
    const char *name;
    uint64_t value;
} tag_arg;

typedef struct tag_member {
    const char *name;
    uint32_t flags, extra; /* extra: if flags have TAG_EXTRA */
    uint32_t offset;       /* from the start of the complete object */
    uint32_t type;
} tag_member;

typedef struct tag_interface {
    uint32_t type, offset;
} tag_interface;

typedef struct tag_record tag_record; /* as a record type: rows.h */

typedef struct tag_type {
    const char *name;
    const tag_arg *args;
    uint32_t args_n;
    uint32_t body; /* number of its body in TBOD, from 1; 0: none */
    uint32_t at;   /* offset of the body in TYPE; 0: none */
    uint32_t parent, opt;
    uint32_t format, sub_type, version, size, alignment, flags, mutable_;
    const tag_member *members; /* its own members, then its properties */
    uint32_t members_n, properties_n;
    const tag_interface *interfaces;
    uint32_t interfaces_n;
    const char *attribute;
    uint32_t hash, hashed; /* hashed: its number in THSH, from 1; 0: none */
    /* Effective values: its own, or those of the nearest parent that has them. */
    struct {
        uint32_t format, sub_type, size, alignment, flags;
        bool has_format, has_size;
    } is;
    tag_record *record; /* made on first use */
} tag_type;

/* A child section of TYPE, for writing it again. */
typedef struct tag_piece {
    char name[4];
    uint64_t at, size; /* its payload, from the start of TYPE; at 0: not there */
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
    tag_type *all; /* [0] is unused; [1] … [count - 1] */
    uint32_t count;
    uint32_t *bodies, bodies_n;   /* type ids in the order of TBOD */
    uint32_t *hashes, hashes_n;   /* … and of THSH */
    uint32_t *records, records_n; /* … and of all records, in the order of their ids */
    const char **texts[3];        /* all of TSTR, FSTR, ASTR in their order */
    uint32_t texts_n[3];
    tag_piece pieces[TAG_PIECES];
    uint32_t slots;     /* of TPTR, when it is made; 0: as many as the SDK would */
    bool relative;      /* some type has relative arrays … */
    bool crossing;      /* … which may point to another object */
    bool odd;           /* it has unknown children, or another order */
    uint64_t rows_left; /* how many rows may still be made: rows.h */
    int nested;         /* number of records being made, one inside the other */
} tag_types;

/* Reads the TYPE section of `size` bytes at `bytes` (header first), which begins at `start` of the encoded
 * document. Texts are not copied. *err names the section, the type and the offset. */
lathe_result tag_types_read(lathe_doc *doc, const uint8_t *bytes, uint64_t size, uint64_t start,
                            tag_types **out, lathe_error *err);

/* The types of a container. */
tag_types *tag_types_of(const lathe_doc *doc, uint32_t c);

static inline tag_kind tag_kind_of(const tag_type *t)
{
    return (tag_kind)(t->is.format & TAG_KIND_MASK);
}

/* Writes the name with template arguments: "hkArray<hkaBone, hkContainerHeapAllocator>", "T[N]<hkReal, 2>".
 * Works like snprintf. */
size_t tag_display(const tag_types *types, uint32_t id, char *to, size_t cap);

/* True if its storage is found by an offset from the field. */
bool tag_is_relative(const tag_type *t);

/* The alignment in bytes, without flags; 1 if the type has none. */
uint32_t tag_alignment(const tag_type *t);

/* True if a type is `base`, an alias of it, or derived from it. */
bool tag_is_a(const tag_types *types, uint32_t id, uint32_t base);

#endif
