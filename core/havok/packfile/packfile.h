/* Havok packfiles (.hkx, and inside of NIF): parts, fixup tables, objects. Reference:
 * formats/havok-packfile.md.
 *
 *   header    file header, predicates, section headers, class names: the root record
 *   types     the bytes of __types__ (nearly always none)
 *   lead      bytes of __data__ in front of the first object (none in any real file)
 *   objects   one part each, by what the virtual fixups say: its struct, and its data behind it
 *   local, global, virtual fixups, exports, imports: one part each
 *
 * Positions in the tables count from the start of __data__, which is that of `lead`. */
#ifndef LATHE_HAVOK_PACKFILE_H
#define LATHE_HAVOK_PACKFILE_H

#include "gen/packfile_types.h"
#include "havok/objects/objects.h"

#define HK_MAGIC "\x57\xE0\xE0\x57\x10\xC0\xC0\x10"

enum {
    HK_MAGIC_SIZE = 8,
    HK_FILE_HEADER = 0x40,
    HK_CONTENTS_OFFSET = 0x1C, /* in it: the root object, from the start of its section */
    HK_NAME_MARK = 9           /* between a class's signature and its name */
};

/* Rows of the root record that are parts. */
typedef enum hk_part {
    HK_TYPES,
    HK_LEAD,
    HK_OBJECTS,
    HK_LOCAL,
    HK_GLOBAL,
    HK_VIRTUAL,
    HK_EXPORTS,
    HK_IMPORTS,
    HK_PARTS
} hk_part;

/* its slot in the root record */
static inline uint32_t hk_row(hk_part which)
{
    return HK_ROW_TYPES + which;
}
/* its part (not of objects) */
static inline uint32_t hk_part_of(lathe_doc *doc, uint32_t c, hk_part which)
{
    return rec_kid(doc, doc->containers[c].root, hk_row(which), 0);
}

/* Offset of section header number i in the root part. */
uint64_t hk_header_at(const rec_at *root, uint64_t i);

int hk_sniff(const uint8_t *bytes, size_t n); /* open.c */
/* Whether the first tags are those of a packfile as XML. */
bool hk_is_xml(const uint8_t *bytes, size_t n);
lathe_result hk_open(lathe_doc *doc, uint32_t c, lathe_error *err);
/* Sets the layout of an object's part, which has its bytes: that of its class, or of what is not described. `at`: its
 * position. */
lathe_result hk_look_at(lathe_doc *doc, uint32_t c, uint32_t part, uint64_t at, const char *class,
                        uint32_t signature, lathe_error *err);
/* The hook: after an edit, headers say how long data and tables are (relayout.c). */
lathe_result hk_relayout(lathe_doc *doc, uint32_t c, lathe_error *err);

/* ---- classes (signatures.c) ------------------------------------------------------------------------- */

/* hk_opaque is the type of an object of a class that is not described. */
/* The type of a class by name (lathe_format.type_in_version). NULL: files of that version have no such class, or its
 * members are unknown. */
const rec_type *hk_described(const lathe_format *format, const char *name, int64_t version);
/* The same for a file that states `signature` for the class. NULL also if the known members belong to another signature:
 * then *why is set. */
const rec_type *hk_described_as(const lathe_format *format, const char *name, int64_t version,
                                uint32_t signature, lathe_error *why);
/* The signature of a described class in files of that version; 0: unknown. */
uint32_t hk_signature(const lathe_format *format, const char *name, int64_t version);
/* Whether objects of the class can be converted from one version to another. */
bool hk_carries(const lathe_format *format, const char *name, int64_t from, int64_t to);

/* The class of an object part, as its file names it; borrowed until the next write. NULL: a new object that nobody
 * told the class of. */
const char *hk_class_of(lathe_doc *doc, uint32_t part);

/* The section that names classes: signature, 9, name … Borrowed until the next write. */
const char *hk_class_names(lathe_doc *doc, uint32_t c, uint64_t *size);

/* ---- tables (fixups.c) ------------------------------------------------------------------------------ */

/* Position in __data__ of a place, and the way back: false where no part holds it. A position between
 * two objects is the start of the later one. */
uint64_t hk_position(lathe_doc *doc, uint32_t part, uint64_t off);
bool hk_place(lathe_doc *doc, uint32_t c, uint64_t position, uint32_t *part, uint64_t *off);
/* Number of the object that begins there, from 1; 0: none does. */
uint64_t hk_object_at(lathe_doc *doc, uint32_t c, uint64_t position);

typedef struct hk_fixup {
    uint32_t number; /* of the record in its table */
    uint32_t source, section, target;
} hk_fixup;

/* Looks what there is to be looked at. False: no memory, and what follows would find nothing. */
bool hk_ready(lathe_doc *doc, uint32_t c);
uint32_t hk_fixup_count(lathe_doc *doc, uint32_t c,
                        hk_part table); /* records without the padding */
hk_fixup hk_fixup_get(lathe_doc *doc, uint32_t c, hk_part table, uint32_t number);
/* The record of a source; false where there is none (or no memory to look). */
bool hk_fixup_find(lathe_doc *doc, uint32_t c, hk_part table, uint64_t source, hk_fixup *out);
/* The local fixup with the greatest target up to `position`, the first of several. */
bool hk_fixup_before(lathe_doc *doc, uint32_t c, uint64_t position, hk_fixup *out);
/* How many records have their source, or target, in [from, to): they are number *first and on in the order of
 * sources, or targets (and numbers). 0, too, where memory is short. */
uint32_t hk_fixup_sources(lathe_doc *doc, uint32_t c, hk_part table, uint64_t from, uint64_t to,
                          uint32_t *first);
uint32_t hk_fixup_targets(lathe_doc *doc, uint32_t c, hk_part table, uint64_t from, uint64_t to,
                          uint32_t *first);
hk_fixup hk_fixup_by_source(lathe_doc *doc, uint32_t c, hk_part table, uint32_t i);
hk_fixup hk_fixup_by_target(lathe_doc *doc, uint32_t c, hk_part table, uint32_t i);
/* Where a local fixup of that target comes: they are in the order of their targets. */
uint32_t hk_fixup_local_number(lathe_doc *doc, uint32_t c, uint64_t target);
/* A number of fixups, counted from number 0, whose sources (or targets) all lie before a position; may be too small. */
uint32_t hk_fixups_below(lathe_doc *doc, uint32_t c, hk_part table, bool targets,
                         uint64_t position);

/* Inside an edit: a record comes in front of `number`, n of them go, one gets another target. */
lathe_result hk_fixup_insert(lathe_doc *doc, uint32_t c, hk_part table, uint32_t number,
                             uint64_t source, uint64_t target, lathe_error *err);
lathe_result hk_fixup_remove(lathe_doc *doc, uint32_t c, hk_part table, uint32_t number, uint32_t n,
                             lathe_error *err);
/* n records take the place of all from number `number` on. */
lathe_result hk_fixups_put(lathe_doc *doc, uint32_t c, hk_part table, uint32_t number,
                           const hk_fixup *records, uint32_t n, lathe_error *err);
/* Those with a source in [from, to), or a target in [target, to), go (pointers.c). */
lathe_result hk_fixups_drop(lathe_doc *doc, uint32_t c, hk_part table, uint64_t from,
                            uint64_t target, uint64_t to, lathe_error *err);
lathe_result hk_fixup_set_target(lathe_doc *doc, uint32_t c, hk_part table, uint32_t number,
                                 uint64_t target, lathe_error *err);

/* ---- how far data reach (reach.c) -------------------------------------------------------------------- */

/* Where data that begin at `off` of a part end at the latest: others begin there, or the part ends. */
uint64_t hk_reach(lathe_doc *doc, uint32_t part, uint64_t off);
/* Refuses files of `size` bytes of data that a walk would read again and again. */
lathe_result hk_check_sharing(lathe_doc *doc, uint32_t c, uint64_t size, lathe_error *err);

/* ---- words of the classes' tables (pointers.c) ---------------------------------------------------------- */

/* What bodies of all kinds have for .shared, .room and, as where an empty one begins, .place. */
lathe_result hk_data_shared(lathe_doc *doc, uint32_t part, uint64_t off, uint64_t end, bool *shared,
                            lathe_error *err);
uint64_t hk_data_room(lathe_doc *doc, uint32_t part, uint64_t end);
lathe_result hk_data_place(const rec_at *at, const rec_field *row, uint64_t site, uint64_t *off,
                           lathe_error *err);
/* What all of them have in common, in the initializer of a rec_body. */
#define HK_DATA_BODY                                                                               \
    .align = HK_ALIGN, .place = hk_data_place, .shared = hk_data_shared, .room = hk_data_room

/* The hook rec_ref.make: an object of the class that is told, else of the member's (object_make.c). */
lathe_result hk_make_target(const rec_at *at, const rec_field *row, const rec_from *from,
                            uint64_t *raw, lathe_error *err);

/* Hooks of the format. */
bool hk_owner(lathe_doc *doc, uint32_t part, uint64_t off, uint32_t k, uint32_t *from,
              uint64_t *site);
lathe_result hk_refs(lathe_doc *doc, uint32_t c, uint32_t part,
                     lathe_result (*emit)(void *user, const rec_refs *run, lathe_error *err),
                     void *user, lathe_error *err);
lathe_result hk_drop(lathe_doc *doc, uint32_t c, uint32_t part, uint64_t at, uint64_t n,
                     lathe_error *err);

/* ---- data in Havok's order (tidy.c) ----------------------------------------------------------------------- */

lathe_result hk_tidy(lathe_doc *doc, uint32_t c, uint32_t part, bool before, lathe_error *err);
bool hk_owned_range(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t n, uint64_t *from,
                    uint64_t *to);
/* Of two heads of an object: whether what `a` leads to comes first. */
bool hk_site_before(lathe_doc *doc, uint32_t part, uint64_t a, uint64_t b);
/* Where in a tidy object the data of a head begin that has none yet. */
uint64_t hk_place_for(lathe_doc *doc, uint32_t c, uint32_t part, uint64_t site);

#endif
