/* Between the file (write.c) and the members of its objects (members.c). */
#ifndef LATHE_HAVOK_XML_WRITER_H
#define LATHE_HAVOK_XML_WRITER_H

#include "havok/packfile/from_doc.h"
#include "havok/xml/plan.h"
#include "havok/xml/write.h"

typedef struct hk_xml_writer {
    lathe_doc *doc;
    uint32_t c;
    hk_doc_reader reader;
    hk_writer feed; /* what the feed of documents wants to be given: only the reader is asked for */
    hk_objects objects;
    hk_head head;
    uint64_t root;
    hk_xml_plans plans;
    const hk_xml_kept *kept;
    hk_xml_losses *losses;
    buf edges;       /* uint32_t: what each object leads to */
    uint32_t *first; /* where those of an object begin */
    uint32_t *order, *number;
    int depth; /* of the record that is being looked at */
    buf *out;
} hk_xml_writer;

/* Object i as a record; .layout is NULL where its class is not described (or no memory: *err tells). */
lathe_result hk_xml_record(hk_xml_writer *w, uint64_t i, hk_record *r, lathe_error *err);
/* Appends to w->edges what a record's pointers lead to. */
lathe_result hk_xml_follow(hk_xml_writer *w, const hk_record *r, lathe_error *err);
/* Appends the members of a record, so many tabs in. */
lathe_result hk_xml_put_members(hk_xml_writer *w, const hk_record *r, unsigned depth,
                                lathe_error *err);
/* Appends the name of an object. False: no memory. */
bool hk_xml_put_name(hk_xml_writer *w, uint64_t object);
/* The number of an object among those that had names, from 1; 0: it had none. */
uint32_t hk_xml_kept_of(const hk_xml_writer *w, uint64_t object);
/* Behind the greatest number that is a name. */
uint32_t hk_xml_next_number(const hk_xml_kept *kept);

#endif
