/* Members of a class as Havok XML has them, worked out once for each layout. Reference: formats/havok-xml.md#3 and #4. */
#ifndef LATHE_HAVOK_XML_PLAN_H
#define LATHE_HAVOK_XML_PLAN_H

#include "havok/packfile/packfile.h"

/* What one value of a member is. */
typedef enum hk_xml_op {
    HK_XML_IGNORED, /* it is not saved: a comment tells of it */
    HK_XML_BOOL,
    HK_XML_INT,
    HK_XML_UINT,
    HK_XML_REAL,
    HK_XML_HALF, /* the upper half of a real */
    HK_XML_ENUM,
    HK_XML_FLAGS,
    HK_XML_TUPLE, /* vectors and what is made of them */
    HK_XML_POINTER,
    HK_XML_TEXT,
    HK_XML_STRUCT,
    HK_XML_NONE /* XML has no form for it */
} hk_xml_op;

typedef enum hk_xml_many { HK_XML_ONE, HK_XML_FIXED, HK_XML_ARRAY } hk_xml_many;

typedef struct hk_xml_plan hk_xml_plan;

typedef struct hk_xml_member {
    const char *name; /* Havok's own */
    uint32_t name_n, slot;
    uint8_t op, many;
    uint8_t width; /* of numbers: bytes of one */
    const char
        *lanes; /* of a tuple: how many numbers each group of four has, a digit each: "343" */
    const rec_slot *as;
    const rec_names *names; /* of an enumeration, or of flags */
    const hk_xml_plan *sub; /* of a struct */
} hk_xml_member;

struct hk_xml_plan {
    const rec_layout *layout;
    const char *name; /* of the class */
    uint32_t n;
    bool points;       /* some member of it, at any depth, is a pointer */
    uint32_t *by_slot; /* the number of a slot's member, from 1; 0: it is none */
    hk_xml_member members[];
};

/* All plans of a document's container. */
typedef struct hk_xml_plans {
    lathe_doc *doc;
    uint32_t c;
    arena arena;
    const hk_xml_plan **table; /* hashed by layout */
    size_t n, cap;
} hk_xml_plans;

void hk_xml_plans_open(hk_xml_plans *plans, lathe_doc *doc, uint32_t c);
void hk_xml_plans_close(hk_xml_plans *plans);
/* NULL: no memory. */
const hk_xml_plan *hk_xml_plan_of(hk_xml_plans *plans, const rec_layout *layout);

/* The layout of a record with Havok's own members. NULL: no memory. */
const rec_layout *hk_xml_layout(const hk_xml_plans *plans, const rec_layout *layout);

/* Name number i, as Havok spells it, and its value; NULL past the last. names may be NULL. */
const char *hk_xml_name(const rec_names *names, uint32_t i, int64_t *value);

#endif
