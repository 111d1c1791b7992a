/* Havok tagfiles (TAG0): parts, items, objects. Reference: formats/havok-tagfile.md.
 *
 *   root      everything up to DATA's header: the root record
 *   data      bytes of DATA in front of the first object (none in any real file)
 *   objects   one part for each object in ITEM: the object and all bytes up to the next one, mostly its own arrays
 *             and texts
 *   data_end  padding behind the last item
 *   types     TYPE, and everything else up to ITEM
 *   items     ITEM's header and its records
 *   between, patches, index_rest, rest, trailing: PTCH, and what is around it
 *
 * Positions in ITEM and PTCH count from the first byte behind DATA's header. The types of the objects are in TYPE:
 * types.h reads it, rows.h makes record types from it. */
#ifndef LATHE_TAGFILE_TAGFILE_H
#define LATHE_TAGFILE_TAGFILE_H

#include "gen/tagfile_types.h"
#include "tagfile/rows.h"
#include "tagfile/sections.h"

extern const lathe_format format_tagfile;

/* Fields of the root record that are parts. */
typedef enum tag_part {
    TAG_DATA,
    TAG_OBJECTS,
    TAG_DATA_END,
    TAG_TYPES,
    TAG_ITEMS,
    TAG_BETWEEN,
    TAG_PATCHES,
    TAG_INDEX_REST,
    TAG_REST,
    TAG_TRAILING
} tag_part;

/* slot in the root record */
static inline uint32_t tag_row(tag_part which)
{
    return TAG_ROW_LEAD + which;
}
uint32_t tag_part_of(lathe_doc *doc, uint32_t c, tag_part which); /* its part (not for objects) */

int tag_sniff(const uint8_t *bytes, size_t n); /* open.c */
lathe_result tag_open(lathe_doc *doc, uint32_t c, lathe_error *err);

/* ---- items (items.c) ------------------------------------------------------------------------------- */

enum { TAG_ITEM_SIZE = 12, TAG_OBJECT = 0x10, TAG_STORAGE = 0x20, TAG_ITEM_TYPE = 0xFFFFFF };

typedef struct tag_item {
    uint32_t type, kind, offset, count;
} tag_item;

typedef struct tag_item_use {
    uint32_t fields; /* number of patched fields that refer to the item … */
    uint32_t entry;  /* … and where in PTCH's part the first of them is */
} tag_item_use;

typedef struct tag_rel { /* a header that holds an offset from itself; all places are in its part */
    uint64_t site, start, count, elem; /* start: LATHE_NO_OFFSET if it points out of the part */
    uint32_t width;                    /* size of the offset in bytes */
    bool array, shared;                /* shared: the elements overlap those of other arrays */
} tag_rel;

/* Data of a container in addition to its bytes (rec_container.index). */
typedef struct tag_state {
    tag_types *types;
    uint64_t index_at; /* INDX's header, in the part `types` */
    uint32_t *order;   /* item numbers by offset (and number), without removed ones */
    uint32_t order_n;
    size_t order_cap;
    bool ordered;
    uint32_t list;               /* the hidden part of doc.types */
    uint64_t type_at, type_size; /* TYPE, in the part `types` */
    /* whether lathe would write its types as the same TYPE section: 1 yes, 2 no, 0 not known yet */
    uint8_t follows;
    enum { TAG_UNASKED = 0, TAG_SORTED, TAG_UNSORTED } sorting; /* of PTCH's offsets */
    tag_item_use *uses;                                         /* of each item */
    uint32_t uses_n;
    size_t uses_cap;
    bool uses_good;
    tag_rel *rels; /* of one part, at state rels_at of doc->changes */
    size_t rels_n, rels_cap;
    uint64_t *rels_sites; /* their sites and numbers, sorted */
    size_t sites_cap;
    uint32_t rels_part;
    bool rels_good,
        rels_tangled; /* tangled: storage is shared in such a way that elements have no clear owner */
    uint64_t rels_at;
} tag_state;

tag_state *tag_state_of(const lathe_doc *doc, uint32_t c);
void tag_fresh(lathe_doc *doc, uint32_t c);
void tag_close(lathe_doc *doc, uint32_t c);

uint32_t tag_item_count(lathe_doc *doc, uint32_t c);
/* Item i; all zeros past the last one. */
tag_item tag_item_get(lathe_doc *doc, uint32_t c, uint64_t i);
/* Size of all its elements in bytes. */
uint64_t tag_item_size(const tag_types *types, const tag_item *item);
/* Items in the order of their offsets; NULL: out of memory. */
const uint32_t *tag_items_by_offset(lathe_doc *doc, uint32_t c, uint32_t *n);
/* Number of items that begin in front of an offset. */
uint32_t tag_items_before(lathe_doc *doc, uint32_t c, uint64_t offset);

/* Convert a place to a position in DATA and back: false if no part holds it. A position between two objects
 * is the start of the later one. */
uint64_t tag_position(lathe_doc *doc, uint32_t part, uint64_t off);
bool tag_place(lathe_doc *doc, uint32_t c, uint64_t position, uint32_t *part, uint64_t *off);
/* Number of the object that begins there, from 1; 0: none. */
uint64_t tag_object_at(lathe_doc *doc, uint32_t c, uint64_t position);
/* The item of an object part; 0: none. */
uint32_t tag_item_of(lathe_doc *doc, uint32_t part);
/* Upper limit of the end of data that begin at `off` of a part: the next item, or the end of the part. */
uint64_t tag_reach(lathe_doc *doc, uint32_t part, uint64_t off);

/* ---- doc:check() (check.c) ---------------------------------------------------------------------------- */

void tag_check(lathe_doc *doc, uint32_t c, rec_report *report);

/* ---- words of the rows (heads.c, relative.c) --------------------------------------------------------- */

/* For headers of that many bytes; NULL: there are none of that size. */
const rec_body *tag_array_body(uint32_t size);
const rec_body *tag_text_body(uint32_t size);
const rec_body *tag_relative_body(uint32_t size);
extern const rec_ref tag_pointer_ref, tag_relative_ref;
/* The same for members that are not stored in files: always empty or null. */
extern const rec_ref tag_unstored_ref;
const rec_body *tag_unstored_body(const rec_body *body);
const rec_body *tag_unstored_text(const rec_body *text);
/* The record type of type `id`, possibly without rows yet: for its name. NULL: out of memory. */
const rec_type *tag_name_of(lathe_doc *doc, uint32_t c, uint32_t id);

/* ---- objects (objects.c) ----------------------------------------------------------------------------- */

/* Hooks of the format. */
const rec_type *tag_part_type(lathe_doc *doc, uint32_t part);
lathe_result tag_part_arg(lathe_doc *doc, uint32_t part, const rec_type *type, uint64_t *arg,
                          lathe_error *err);

#endif
