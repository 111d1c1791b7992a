/* Rows of classes in terms of Havok's own reflection (members.c).
 * Reference: formats/havok-classes.md#2. */
#ifndef LATHE_HAVOK_MEMBERS_H
#define LATHE_HAVOK_MEMBERS_H

#include "gen/objects_types.h"
#include "record/record.h"

typedef struct hk_member {
    const char *name; /* in Havok's spelling */
    uint8_t kind;     /* HK_KIND_… */
    /* Of an array: the kind of its elements, VOID if unknown. Of an enumeration or flags: the kind of the stored number.
     * Of a pointer: STRUCT, or VOID if it has no type. Else VOID. */
    uint8_t sub;
    uint32_t fixed; /* so many of them in the record itself; 0: one */
    const rec_type
        *type; /* of STRUCT, also of elements, and of what pointers lead to; NULL: none */
    const rec_names *names; /* of an enumeration or flags, as that version has them; NULL: none */
} hk_member;

/* Describes a row of a class in files of a version; does not test the row's own conditions. False: the row is not a member in
 * Havok's reflection (hidden pointer, filler, computed). */
bool hk_member_of(const rec_field *row, int64_t version, hk_member *out);

/* The number of hidden pointers that a class adds before its members: a vtable, or one for each interface. */
uint32_t hk_hidden_pointers(const rec_type *type, int64_t version);

/* The variant of an enumeration that files of a version have. */
const rec_names *hk_names_in_version(const rec_names *names, int64_t version);

#endif
