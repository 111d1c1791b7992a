/* How many classes and enumerations the objects of a file need: formats/havok-xml.md#2. */
#ifndef LATHE_HAVOK_XML_REACH_H
#define LATHE_HAVOK_XML_REACH_H

#include "record/record.h"

/* Pointers, each once. */
typedef struct hk_xml_set {
    const void **table;
    size_t n, cap;
} hk_xml_set;

typedef struct hk_xml_reach {
    const mem *mem;
    int64_t version;
    hk_xml_set types, names;
    const rec_type **left; /* that are still to be looked at */
    size_t left_n, left_cap;
} hk_xml_reach;

void hk_xml_reach_open(hk_xml_reach *reach, const mem *m, int64_t version);
void hk_xml_reach_close(hk_xml_reach *reach);
/* The class of an object, with all that its members and parents lead to. False: no memory. */
bool hk_xml_reach_add(hk_xml_reach *reach, const rec_type *type);
/* The number of the top object. */
uint32_t hk_xml_reach_top(const hk_xml_reach *reach);

#endif
