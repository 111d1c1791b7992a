/* Packfiles made of Havok XML. */
#ifndef LATHE_HAVOK_XML_READ_H
#define LATHE_HAVOK_XML_READ_H

#include "havok/xml/tree.h"

#include "record/record.h"

/* Appends to `out` the packfile of a tree, with 8-byte pointers. order[i] gets the number, from 0, of the tree's object that
 * is object i of the packfile; it has room for all of them. */
lathe_result hk_xml_to_packfile(const lathe_format *format, lathe_doc *maker, hk_xml_tree *tree,
                                uint32_t *order, buf *out, lathe_error *err);

#endif
