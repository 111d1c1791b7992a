/* Havok's own small structs, and the words that its classes are described in.
 *
 * A class is a list of its members in their order: offsets for either pointer size and version follow
 * from it. HK_REFERENCED begins every class that objects can be of, but for hkRootLevelContainer. */
#ifndef LATHE_HAVOK_TYPES_H
#define LATHE_HAVOK_TYPES_H

#include "havok/packfile/rel_array.h"

extern const rec_type hk_vector4, hk_quaternion;
extern const rec_type hk_qs_transform; /* translation, rotation x y z w, scale */

/* clang-format off */
#define HK_REFERENCED                                                                              \
    {.name = "vtable", .kind = REC_POINTER, .ref = &hk_pointer_ref, .flags = REC_PAD,                  \
     .doc = "Filled by the game."},                                                                \
    {.name = "mem_size_and_flags", .kind = REC_U16, .flags = REC_PAD, .doc = "0."},                \
    {.name = "ref_count", .kind = REC_U16, .flags = REC_PAD, .doc = "0."}

#define HK_POINTER(to) .kind = REC_POINTER, .ref = &hk_pointer_ref, .type = &(to)
#define HK_STRING .kind = REC_STR, .text = &hk_string_body
#define HK_ARRAY .body = &hk_array_body
#define HK_STRUCTS(of) .kind = REC_RECORD, .type = &(of), .body = &hk_array_body
#define HK_REL_ARRAY .body = &hk_rel_body, .max = HK_REL_MOST, .resizes = hk_rel_resizes
#define HK_POINTERS(to) .kind = REC_POINTER, .ref = &hk_pointer_ref, .type = &(to), .body = &hk_array_body
/* clang-format on */

#endif
