/* Between the objects of a Havok XML file that become a packfile (read.c) and their members (feed.c). */
#ifndef LATHE_HAVOK_XML_READER_H
#define LATHE_HAVOK_XML_READER_H

#include "havok/packfile/serialize.h"
#include "havok/xml/plan.h"
#include "havok/xml/tree.h"

typedef struct hk_xml_reader {
    hk_xml_tree *tree;
    hk_xml_plans plans;
    uint32_t *by_name; /* numbers of objects, from 1, hashed by their names */
    size_t slots;
    uint32_t *order; /* of the objects as they were written … */
    uint64_t done;   /* … so many */
    uint32_t root;
    buf given; /* a byte for each member of a record: whether it was given */
} hk_xml_reader;

static inline hk_xml_reader *hk_xml_reader_of(const hk_writer *w)
{
    return w->objects->user;
}

/* The number, from 1, of the object of that name; 0: there is none. */
uint32_t hk_xml_object_named(const hk_xml_reader *rd, hk_xml_span name);

/* Records of a tree: hk_record.from.node is the <hkobject>, or NULL for defaults. */
extern const hk_feed hk_xml_feed;

#endif
