/* A Havok XML file as a tree: objects, their parameters, elements of those. Reference: formats/havok-xml.md#1 and #5.
 *
 * A strict reader of what such files are made of. It knows no document type and no entities but XML's five, so there is
 * nothing to expand; it takes time and memory in proportion to the text, and nests no deeper than HK_XML_DEPTH. */
#ifndef LATHE_HAVOK_XML_TREE_H
#define LATHE_HAVOK_XML_TREE_H

#include "havok/xml/text.h"

enum { HK_XML_DEPTH = 64 };

typedef enum hk_xml_kind { HK_XML_OBJECT, HK_XML_PARAM, HK_XML_STRING } hk_xml_kind;

/* hkobject, hkparam or hkcstring. */
typedef struct hk_xml_node {
    hk_xml_span name;     /* the attribute; of a parameter it is there */
    const char *text;     /* what is between its tags; of an object: where its tag begins */
    uint32_t text_n;      /* bytes of that */
    uint32_t child, next; /* numbers of nodes, from 1; 0: there is none */
    uint32_t count;       /* children */
    uint32_t seen,
        seen_i; /* a child that was asked for and its number, or a place in the text: see read.c */
    uint8_t kind;
    bool plain; /* no references, comments or CR in its text */
} hk_xml_node;

/* An object of the section. */
typedef struct hk_xml_object {
    uint32_t node; /* its number */
    uint32_t signature;
    hk_xml_span class_name;
    bool has_signature;
} hk_xml_object;

typedef struct hk_xml_tree {
    const mem *mem;
    hk_xml_text text;
    hk_xml_node *nodes;
    size_t nodes_n, nodes_cap;
    hk_xml_object *objects;
    size_t objects_n, objects_cap;
    arena arena;                        /* attributes with references */
    hk_xml_span version, contents, top; /* attributes of hkpackfile; p is NULL where it has none */
    uint32_t comments;                  /* besides those that a writer puts for members */
} hk_xml_tree;

/* The text is borrowed. To be closed in either case. */
lathe_result hk_xml_tree_open(hk_xml_tree *tree, const mem *m, const char *p, size_t n,
                              lathe_error *err);
void hk_xml_tree_close(hk_xml_tree *tree);

static inline hk_xml_node *hk_xml_node_of(const hk_xml_tree *tree, uint32_t number)
{
    return number ? &tree->nodes[number - 1] : NULL;
}

/* Child i, which is there. Asked for one after the other, that takes no search. */
hk_xml_node *hk_xml_child(const hk_xml_tree *tree, hk_xml_node *of, uint32_t i);

#endif
