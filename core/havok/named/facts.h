/* What is known of members that no reflection in a file tells: unit, how they are scaled, a line of documentation. By
 * the names of class and member alone: no layout, size or offset is here, so that files may have any. */
#ifndef LATHE_HAVOK_FACTS_H
#define LATHE_HAVOK_FACTS_H

#include "record/schema.h"

/* Names of what an integer stands for. They changed with the SDK, and those of an older one than `since` nobody knows. */
typedef struct hk_values {
    rec_shown shown;                                /* REC_ENUM or REC_FLAGS */
    int32_t since;                                  /* version of a container */
    const rec_names *names;                         /* as rec_field has them */
    const rec_names *(*names_in)(const rec_at *at); /* … NULL: the same in all versions */
} hk_values;

typedef struct hk_fact {
    const char *member;      /* as Havok spells it */
    const char *unit;        /* NULL: none */
    int8_t power;            /* as rec_field.power */
    const char *doc;         /* one line */
    uint32_t flags;          /* REC_UNSCALED, REC_ANYTHING */
    const hk_values *values; /* NULL: just a number */
} hk_fact;

/* What is known of the members that one class declares (those of its bases are known under their names). */
typedef struct hk_known {
    const hk_fact *facts;
    size_t count;
    const rec_type *described; /* the same class as packfiles have it; NULL: not described */
} hk_known;

/* "hkpMotion", "hkaSkeleton::Partition": a "::" in it does not matter. False: nothing is known. */
bool hk_known_class(const char *class_name, hk_known *out);
/* By the name that Havok spells ("parentIndices"). False: nothing is known, and *out is zero. */
bool hk_known_member(const hk_known *known, const char *member, hk_fact *out);

#endif
