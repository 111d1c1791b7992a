/* Members of classes as Havok's own description has them: what a row is, besides how it is stored and shown (members.c).
 * Reference: formats/havok-classes.md#2. */
#ifndef LATHE_HAVOK_MEMBERS_H
#define LATHE_HAVOK_MEMBERS_H

#include "gen/objects_types.h"
#include "record/record.h"

typedef struct hk_member {
    const char *name; /* in Havok's spelling */
    uint8_t kind;     /* HK_KIND_… */
    /* Of an array the kind of its elements, VOID where nobody knows; of an enumeration or flags that of the stored number;
     * of a pointer STRUCT, or VOID: to anything; else VOID. */
    uint8_t sub;
    uint32_t fixed; /* so many of them in the record itself; 0: one */
    const rec_type
        *type; /* of STRUCT, also of elements, and of what pointers lead to; NULL: none */
    const rec_names *names; /* of an enumeration or flags, as that version has them; NULL: none */
} hk_member;

/* Of a row of a class, in files of a version; its own .since and .before are not looked at. False: the row is no member of
 * Havok's, but room that the class has besides, or worked out. */
bool hk_member_of(const rec_field *row, int64_t version, hk_member *out);

/* How many pointers in front of its members a class has besides those of its base: a table of virtual functions, or one for
 * each interface. */
uint32_t hk_hidden_pointers(const rec_type *type, int64_t version);

/* The names of an enumeration in files of a version, where there are others of the same original name in its class. */
const rec_names *hk_names_in_version(const rec_names *names, int64_t version);

#endif
