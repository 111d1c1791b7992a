/* The table behind facts.h. */
#ifndef LATHE_HAVOK_FACTS_TABLE_H
#define LATHE_HAVOK_FACTS_TABLE_H

#include "havok/named/facts.h"
#include "record/layout.h"

typedef struct hk_facts_of {
    const char *class_name;
    const hk_fact *facts;
    size_t count;
} hk_facts_of;

extern const hk_facts_of hk_facts_table[]; /* the last one has no name */
extern const hk_facts_of hk_facts_mesh[];  /* … of mesh shapes of 2021 and later (facts_mesh.c) */

#endif
