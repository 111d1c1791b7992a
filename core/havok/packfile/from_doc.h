/* Between the objects of a document that is written anew (from_doc.c) and their fields (from_fields.c). */
#ifndef LATHE_HAVOK_FROM_DOC_H
#define LATHE_HAVOK_FROM_DOC_H

#include "havok/packfile/links.h"
#include "havok/packfile/serialize.h"

typedef struct hk_doc_reader {
    lathe_doc *doc;
    uint32_t c;
    bool same_layout;
    const rec_container *layout;
    const uint32_t *parts; /* of the objects */
    uint32_t *starts;      /* their positions in the data */
    uint64_t count, data;  /* data: bytes of it */
    hk_links local, global, virtual;
    const char *names; /* the section of class names */
    uint64_t names_size;
    lathe_report *report; /* where what gets lost is told; NULL: it is refused */
    uint64_t left; /* bytes that may still be read: what is shared is written apart, not for ever */
    buf run;       /* scratch: links of one object */
} hk_doc_reader;

static inline hk_doc_reader *hk_doc_reader_of(const hk_writer *w)
{
    return w->objects->user;
}

/* The object that holds a position, from 0; count: none. Its last one also holds the data's end. */
uint64_t hk_object_of(const hk_doc_reader *r, uint64_t position);

/* Reads the objects and tables of rd->doc, whose container is rd->c; *root gets the number of the first object, from 0. To be
 * closed in either case. What lies beside the objects is not looked at. */
lathe_result hk_doc_reader_open(hk_doc_reader *rd, uint64_t *root, lathe_error *err);
void hk_doc_reader_close(hk_doc_reader *rd);
/* The class of object i as its file names it, and *signature, which may be NULL. NULL: it has none. */
const char *hk_doc_reader_class(hk_doc_reader *rd, uint64_t i, uint32_t *signature);

/* Records of described objects. */
extern const hk_feed hk_doc_feed;

#endif
