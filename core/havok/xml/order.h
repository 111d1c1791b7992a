/* The order of objects in a Havok XML file, and their numbers. Reference: formats/havok-xml.md#2. */
#ifndef LATHE_HAVOK_XML_ORDER_H
#define LATHE_HAVOK_XML_ORDER_H

#include "base/mem.h"

/* Objects 0 .. n - 1, and which lead to which: object i to to[first[i]] .. to[first[i + 1]], in the order of its members. */
typedef struct hk_xml_graph {
    uint32_t n, root;
    const uint32_t *first; /* n + 1 of them */
    const uint32_t *to;
} hk_xml_graph;

/* As Havok's tools write them: order[i] gets the object that stands there, number[i] that of object i; the root's is `top`, and
 * the others count up from there. Those that nothing leads to come first. False: no memory. */
bool hk_xml_order(const mem *m, const hk_xml_graph *graph, uint32_t top, uint32_t *order,
                  uint32_t *number);
/* Of objects of which kept_n had names, and stood in the order `kept`: these stay in it. number[i] is UINT32_MAX for them and
 * counts from `next` for new ones, each of which stands in front of the first object that leads to it. */
bool hk_xml_order_kept(const mem *m, const hk_xml_graph *graph, const uint32_t *kept,
                       uint32_t kept_n, uint32_t next, uint32_t *order, uint32_t *number);

#endif
