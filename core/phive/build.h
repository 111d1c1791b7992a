/* Triangles as the sections, trees and tag table of a mesh shape: plain arrays, no document and no bytes of a file.
 * Reference: formats/bphsh.md#3.5 to #3.10, #4 and #6.
 *
 * The time is n log n and the working memory at most some 200 bytes a triangle, whatever the triangles are. */
#ifndef LATHE_PHIVE_BUILD_H
#define LATHE_PHIVE_BUILD_H

#include "base/mem.h"
#include "phive/layout.h"

enum {
    PHIVE_SECTION_VERTICES = 256,
    PHIVE_SECTION_PRIMITIVES = 233,   /* (int)(1.1 * n) <= 256 */
    PHIVE_SECTION_STEPS = 65534,      /* of the grid, along each axis */
    PHIVE_GRID_STEPS = (1 << 24) - 1, /* beyond these from the origin, floats skip steps */
    PHIVE_TAG_MAX = 0x1FFF,           /* the engine takes no more bits of a tag */
    PHIVE_TAG_END = 0xFFFF,           /* of the last entry of the tag table */
    PHIVE_KEY_SHIFT = 9,
    PHIVE_SECTIONS_MAX = (1 << 23) - 1, /* keys have 32 bits */
    PHIVE_TRIANGLES_MAX = 1 << 27,
    PHIVE_FLOAT_ORIGIN = 0x7FFFFFFF /* sectionOffset where the vertices are floats */
};
#define PHIVE_STEPS_TO_A_UNIT 512.0F
#define PHIVE_COORDINATE_MAX 1e36F /* boxes about it are still finite */

/* Which triangles get an interior bit; none is always right for the engine, and slower to slide over. */
typedef enum phive_interior {
    PHIVE_INTERIOR_ALL, /* those of the next line, and then single triangles with convex edges only, no neighbour of
                           which has the bit: its edges are tested with them */
    PHIVE_INTERIOR_CONCAVE, /* no neighbour over an edge lies below the plane of the triangle */
    PHIVE_INTERIOR_NONE
} phive_interior;

typedef struct phive_mesh {
    const float *positions; /* vertex_count rows of x, y, z */
    size_t vertex_count;
    const uint32_t *indices; /* three a triangle, counter-clockwise seen from outside */
    size_t triangle_count;
    /* one a triangle: its row in the tables of materials and hit masks; NULL: all 0 */
    const uint16_t *tags;
} phive_mesh;

typedef struct phive_build_options {
    phive_variant variant;
    float scale[3];     /* steps of the grid to a unit; 0: 512 */
    float scale_inv[3]; /* units to a step, which readers multiply by; 0: 1 / scale */
    bool quads;         /* two triangles become a primitive where they share an edge and the tag */
    bool flat_quads;    /* and those that are flat and convex are marked so (b > d) */
    phive_interior interior;
} phive_build_options;

/* A node of a section's tree. Lanes that are not used have lo 0xFF and hi 0. */
typedef struct phive_box_node {
    uint8_t box[6][4]; /* lx hx ly hy lz hz of the four lanes */
    uint8_t data[4]; /* data[2] > data[3]: leaf, data are primitives; else nodes of this section */
} phive_box_node;

typedef struct phive_built_section {
    bool is_float;   /* vertices are three floats, and origin is PHIVE_FLOAT_ORIGIN */
    bool leaf_group; /* cut out of at most four primitives that fit into no section together */
    int32_t origin[3];
    float cell[3]; /* units to a step of the boxes */
    int16_t cell_origin[3];
    uint32_t vertex_count;
    /* Places in the arrays of phive_built. */
    uint32_t first_node, node_count;
    uint32_t first_primitive, primitive_count;
    size_t first_vertex_byte,
        vertex_bytes; /* 6 or 12 a vertex, and two of the last section's end */
    size_t first_bit_byte, bit_bytes;
} phive_built_section;

/* A node of the tree over the sections. Used lanes come first. */
typedef struct phive_top_node {
    float box[6][4];  /* lx hx ly hy lz hz of the four lanes */
    uint32_t data[4]; /* leaf: sections, 0xFFFFFFFF where not used; else nodes, 0 where not used */
    bool leaf;
    uint8_t used;            /* lanes */
    uint8_t depth;           /* nodes below, on the longest way to a leaf */
    uint32_t parent, leaves; /* leaves: sections below */
} phive_top_node;

typedef struct phive_tag_entry {
    uint32_t key;
    uint16_t tag;
} phive_tag_entry;

typedef struct phive_built {
    phive_variant variant;
    float scale[3], scale_inv[3];
    phive_built_section *sections;
    size_t section_count;
    phive_top_node *top; /* number 0 is of no use, number 1 is the root */
    size_t top_count;
    phive_tag_entry *tags;
    size_t tag_count;
    phive_box_node *nodes;
    size_t node_count;
    uint8_t (*primitives)[4];
    size_t primitive_count;
    uint8_t *vertices, *bits;
    size_t vertex_bytes, bit_bytes;
    uint8_t key_bits; /* numShapeKeyBits */
    /* What became of the triangles. */
    size_t triangle_count, dropped; /* dropped: two corners are at one place */
    size_t quad_count, flat_quad_count, float_sections, vertex_count, interior_count;
    float bounds[2][3]; /* of all stored corners, zeroed where there are none */
    mem mem;
    arena arena; /* holds the arrays; knows where mem is: a phive_built stays where it was made */
} phive_built;

/* Sections, trees and tag table of a mesh, of no triangles too. Each triangle that is not dropped is there once, with its
 * corners on the grid in the order that they were given but for which is first; one that the grid cannot hold (larger
 * than PHIVE_SECTION_STEPS, or too far out) is in a float section, exactly.
 *
 * On success the caller frees *out with phive_built_free; on failure there is nothing to free. LATHE_ERR_RANGE: a
 * coordinate that is not finite or beyond PHIVE_COORDINATE_MAX, a tag beyond PHIVE_TAG_MAX, a scale that is no
 * positive number. LATHE_ERR_INVALID: an index that no vertex has. LATHE_ERR_UNSUPPORTED: the grid cannot hold a
 * triangle, and the variant is V21, which has no float sections. LATHE_ERR_LIMIT: too many triangles or sections. */
lathe_result phive_build(phive_built *out, const phive_mesh *mesh,
                         const phive_build_options *options, const mem *m, lathe_error *err);
void phive_built_free(phive_built *b); /* fine on a zeroed one */

#endif
