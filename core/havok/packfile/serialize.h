/* Packfiles written from scratch, in Havok's own order. Inside of havok/.
 *
 *   head      the layout that is written, and what headers hold beyond what follows from the objects
 *   objects   where they come from: a document (from_doc.c) or nested values (make.c), by number from 0
 *   feed      how the walk over one object (walk.c) asks either of these for what is in a record
 *   writer    what comes of it: data, fixups, classes; put together by hk_write (serialize.c) */
#ifndef LATHE_HAVOK_SERIALIZE_H
#define LATHE_HAVOK_SERIALIZE_H

#include "havok/packfile/layout_rules.h"
#include "havok/packfile/packfile.h"

enum { HK_VERSION_SIZE = 16 };

typedef struct hk_head {
    int64_t version;
    uint8_t pointer;
    bool big;
    uint8_t empty_base;
    int32_t user_tag, flags;
    int16_t max_predicate, predicate_size;
    uint8_t contents_version[HK_VERSION_SIZE];
    const uint8_t *predicates; /* predicate_size bytes in version 11, where that is not negative */
} hk_head;

/* A class of the objects. Its name is the writer's own. */
typedef struct hk_kind {
    const char *name;
    const rec_type *type;     /* NULL: it is not described */
    const rec_layout *layout; /* of what is described, as it is written */
    uint32_t signature;       /* as it was told … */
    bool told;                /* … if it was */
    uint32_t offset;          /* of its name in the file, once it was met; else 0 */
    uint32_t there;           /* for who makes something of it: of its name in another file */
} hk_kind;

typedef struct hk_writer hk_writer;
typedef struct hk_feed hk_feed;

/* A record that is being written. */
typedef struct hk_record {
    const hk_feed *feed;
    rec_at to;      /* as it is written */
    rec_at at;      /* in a document … */
    uint64_t place; /* … and its position there */
    rec_from from;  /* or out of values */
} hk_record;

/* The data behind a head: an array, or the text or bytes p[0 .. count], NULL: none. */
typedef struct hk_list {
    uint64_t count;
    const char *p;
    rec_at at; /* the first element, in a document … */
    uint64_t place;
    rec_items items; /* or in values */
    rec_at storage;
} hk_list;

struct hk_feed {
    /* Writes the struct of a record to where it belongs, at the end of the data: heads as zeros. */
    lathe_result (*put)(hk_writer *w, const hk_record *r, lathe_error *err);
    /* A record in line. */
    lathe_result (*sub)(hk_writer *w, const hk_record *r, uint32_t slot, hk_record *out,
                        lathe_error *err);
    /* What a row's head leads to. */
    lathe_result (*list)(hk_writer *w, const hk_record *r, uint32_t slot, hk_list *out,
                         lathe_error *err);
    /* The number of a pointer's object from 1, or 0; `i`: of an array's element, with its list. */
    lathe_result (*pointer)(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *list,
                            uint64_t i, uint64_t *number, lathe_error *err);
    /* Of an array of texts, element i: p and count of *out. */
    lathe_result (*text)(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *list,
                         uint64_t i, hk_list *out, lathe_error *err);
    /* Of an array of records, element i, whose struct is written at `to`. */
    lathe_result (*item)(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *list,
                         uint64_t i, uint64_t to, hk_record *out, lathe_error *err);
    /* Writes all elements of an array that have nothing elsewhere. */
    lathe_result (*plain)(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *list,
                          lathe_error *err);
};

typedef struct hk_objects {
    const lathe_format *format; /* whose classes are described */
    void *user;
    uint64_t count;
    uint64_t root; /* the number that comes first */
    uint64_t size; /* of their data, as far as is known */
    /* Makes known what is told of classes. */
    lathe_result (*begin)(hk_writer *w, lathe_error *err);
    lathe_result (*kind)(hk_writer *w, uint64_t i, hk_kind **kind, lathe_error *err);
    /* Writes object i and all of its data at the end of the data. */
    lathe_result (*put)(hk_writer *w, uint64_t i, const hk_kind *kind, lathe_error *err);
    /* Refuses it, in the words of error_set. */
    lathe_result (*refuse)(hk_writer *w, uint64_t i, const char *why, lathe_error *err);
    bool reached; /* those that nothing leads to are left out */
} hk_objects;

typedef struct hk_global {
    uint32_t source;
    uint32_t object; /* from 0 */
} hk_global;

struct hk_writer {
    lathe_doc *maker; /* whose container `c` has the layout that is written … */
    uint32_t c, data; /* … and all data in that part */
    const hk_head *head;
    int64_t from_version; /* of what is read: its own signatures count where it is the same */
    const hk_objects *objects;
    buf locals, globals, virtuals; /* uint32_t[2], hk_global, uint32_t[2]: position and kind */
    uint32_t *starts;              /* of each object its position in the data + 1; 0: not yet */
    hk_kind *kinds;
    size_t kinds_n, kinds_cap;
    uint32_t *kind_table; /* hashed by name: number + 1 */
    size_t kind_slots;
    buf names; /* the section of class names */
};

/* ---- serialize.c ------------------------------------------------------------------------------------ */

/* The layout of a game, by either spelling of its name; false: no such game. */
bool hk_head_of_game(const lathe_value *game, hk_head *head);
/* What doc.game says of files of that layout. */
const char *hk_game_of(int64_t version, uint8_t pointer);
/* What such a file has in its header. */
void hk_head_defaults(hk_head *head);
/* Writes all objects and gives them to `finish`, which makes something of them. `maker` is a document to put things into. */
typedef lathe_result (*hk_finish)(void *user, hk_writer *w, lathe_error *err);
lathe_result hk_write_to(lathe_doc *maker, const hk_head *head, int64_t from_version,
                         const hk_objects *objects, hk_finish finish, void *user, lathe_error *err);
/* Appends the file of all objects to `out`. */
lathe_result hk_write(lathe_doc *maker, const hk_head *head, int64_t from_version,
                      const hk_objects *objects, buf *out, lathe_error *err);
/* The class of that name; NULL: out of memory. */
hk_kind *hk_kind_of(hk_writer *w, const char *name, size_t n);

/* Hooks of the format. */
extern const rec_param hk_game_param;
lathe_result hk_serialize(lathe_doc *doc, uint32_t c, const lathe_source *args, buf *out,
                          lathe_error *err);
/* `format`: that of packfiles, whose classes are described. */
lathe_result hk_make(const lathe_format *format, lathe_doc *maker, const lathe_source *fields,
                     buf *out, lathe_error *err);

/* ---- walk.c ------------------------------------------------------------------------------------------- */

/* The struct at the end of the data, then all that its heads lead to. */
lathe_result hk_walk(hk_writer *w, const hk_record *r, lathe_error *err);
uint64_t hk_size(const hk_writer *w); /* of the data so far */
/* Room for n more bytes, zeros; NULL: out of memory, or more than a packfile can hold. */
uint8_t *hk_room(hk_writer *w, uint64_t n);
lathe_result hk_append(hk_writer *w, const void *bytes, uint64_t n, lathe_error *err);
lathe_result hk_full(const hk_writer *w, lathe_error *err); /* says which of these */
/* Zeros up to a position that is not in front of the end. */
lathe_result hk_pad(hk_writer *w, uint64_t to, lathe_error *err);
lathe_result hk_put_local(hk_writer *w, uint64_t source, uint64_t target, lathe_error *err);
lathe_result hk_put_global(hk_writer *w, uint64_t source, uint64_t number, lathe_error *err);

/* ---- from_doc.c ----------------------------------------------------------------------------------------- */

/* Writes the packfile in container `c` of a document in the layout of `head`, whose other members are
 * those of the document where its version is the same. */
lathe_result hk_write_doc(lathe_doc *maker, lathe_doc *doc, uint32_t c, hk_head *head, buf *out,
                          lathe_error *err);
/* The same for another game, in a document of its own; what such files have no place for is left out and told
 * (report->skipped). */
lathe_result hk_write_for(lathe_doc *doc, uint32_t c, hk_head *head, lathe_report *report, buf *out,
                          lathe_error *err);
/* The packfile in container `c` of a document as it is, without objects that nothing leads to. */
lathe_result hk_write_reached(lathe_doc *doc, uint32_t c, buf *out, lathe_error *err);
/* Inside an edit: removes the objects that nothing leads to, appends the packfile in Havok's order to `out`, and tells
 * whether it has that order already (order.c). Otherwise the caller may replace it. */
lathe_result hk_in_order(lathe_doc *doc, uint32_t c, bool *is, buf *out, lathe_error *err);
/* Object number `root` from 0 and whatever it leads to, in the layout of `head`. */
lathe_result hk_write_from(lathe_doc *doc, uint32_t c, uint64_t root, const hk_head *head,
                           hk_finish finish, void *user, lathe_error *err);

#endif
