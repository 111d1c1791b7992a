/* Offsets of the members of a mesh shape, found by name in the file's TYPE section. So the code contains no
 * offsets of any game. Reference: formats/bphsh.md#3. */
#ifndef LATHE_PHIVE_LAYOUT_H
#define LATHE_PHIVE_LAYOUT_H

#include "tagfile/types.h"

#define PHIVE_ABSENT UINT32_MAX /* a member that the file's types do not have */

typedef enum phive_variant {
    PHIVE_NO_VARIANT = 0,
    PHIVE_V21 = 21, /* Splatoon 3 */
    PHIVE_V22 = 22, /* Tears of the Kingdom */
    PHIVE_V23 = 23
} phive_variant;

/* The elements of an array: number of their type, and size in bytes. */
typedef struct phive_element {
    uint32_t type, size;
} phive_element;

/* Offsets of members in their records. Headers of relative arrays take 8 bytes (32-bit offset and count),
 * except that of `nodes`: 16 (64-bit offset, count, capacity). */
typedef struct phive_layout {
    phive_variant variant;
    phive_element shape; /* the root */
    uint32_t type, dispatch_type, flags, key_bits, convex_radius, user_data, properties, codec_info;
    uint32_t scale, scale_inv; /* four floats each: steps per unit, and units per step */
    uint32_t tags, nodes, first_free, compact, sections,
        mapping; /* first_free: V23; mapping: not V21 */

    phive_element tag;
    uint32_t tag_key, tag_tag;

    phive_element node;
    uint32_t lanes[6]; /* lx hx ly hy lz hz: four floats each */
    uint32_t node_data;
    uint32_t leaf;                                     /* V21 and V22: a byte, 0 or 1 */
    uint32_t masks, node_flags, depth, parent, leaves; /* V23 */

    phive_element section;
    uint32_t bvh, primitives, vertices, bits; /* headers of arrays */
    uint32_t origin, cell, cell_origin;       /* sectionOffset, bitScale8Inv, bitOffset */

    phive_element box_node;
    uint32_t bytes[6]; /* as lanes, but four bytes each */
    uint32_t box_data;

    phive_element primitive; /* four bytes: a b c d */
    phive_element vertex;    /* V21: three 16-bit integers; else bytes */
    phive_element bit;
} phive_layout;

/* Reads the layout of mesh shapes of type `shape`. Fails if a member is missing or has another size; *err
 * then names type and member. */
lathe_result phive_layout_read(const tag_types *types, uint32_t shape, phive_layout *out,
                               lathe_error *err);

#endif
