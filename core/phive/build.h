/* Builds the sections, trees and tag table of a mesh shape from triangles: plain arrays, without documents or
 * file bytes. Reference: formats/bphsh.md#3.5 to #3.10, #4 and #6.
 *
 * Takes O(n log n) time and at most about 200 bytes of working memory per triangle for any input. */
#ifndef LATHE_PHIVE_BUILD_H
#define LATHE_PHIVE_BUILD_H

#include "base/mem.h"
#include "phive/layout.h"

enum {
    PHIVE_SECTION_VERTICES = 256,
    PHIVE_SECTION_PRIMITIVES = 233,   /* (int)(1.1 * n) <= 256 */
    PHIVE_SECTION_STEPS = 65534,      /* grid steps along each axis */
    PHIVE_GRID_STEPS = (1 << 24) - 1, /* beyond this distance from the origin, floats cannot
                                       * represent every step */
    PHIVE_TAG_MAX = 0x1FFF,           /* the engine uses no more bits of a tag */
    PHIVE_TAG_END = 0xFFFF,           /* tag of the last entry of the tag table */
    PHIVE_KEY_SHIFT = 9,
    PHIVE_SECTIONS_MAX = (1 << 23) - 1, /* keys have 32 bits */
    PHIVE_TRIANGLES_MAX = 1 << 27,
    PHIVE_FLOAT_ORIGIN = 0x7FFFFFFF /* sectionOffset where the vertices are floats */
};
#define PHIVE_STEPS_TO_A_UNIT 512.0F
#define PHIVE_COORDINATE_MAX 1e36F /* up to this limit bounding boxes stay finite */

/* Which triangles get an interior bit. None is always correct for the engine, but sliding over the mesh is
 * slower. */
typedef enum phive_interior {
    PHIVE_INTERIOR_ALL, /* those of the next line, and then single triangles with only convex edges
                         * and no neighbour with the bit: their edges are tested with the neighbours */
    PHIVE_INTERIOR_CONCAVE, /* no neighbour across an edge lies below the plane of the triangle */
    PHIVE_INTERIOR_NONE
} phive_interior;

typedef struct phive_mesh {
    const float *positions; /* vertex_count rows of x, y, z */
    size_t vertex_count;
    const uint32_t *indices; /* three per triangle, counter-clockwise seen from outside */
    size_t triangle_count;
    /* one per triangle: its row in the tables of materials and hit masks; NULL: all 0 */
    const uint16_t *tags;
} phive_mesh;

typedef struct phive_build_options {
    phive_variant variant;
    float scale[3];     /* grid steps per unit; 0: 512 */
    float scale_inv[3]; /* units per step, used by readers; 0: 1 / scale */
    bool quads;         /* joins two triangles to one primitive if they share an edge and the tag */
    bool flat_quads;    /* and marks flat, convex ones (b > d) */
    phive_interior interior;
} phive_build_options;

/* A node of a section's tree. Unused lanes have lo 0xFF and hi 0. */
typedef struct phive_box_node {
    uint8_t box[6][4]; /* lx hx ly hy lz hz of the four lanes */
    uint8_t data[4];   /* data[2] > data[3]: primitives of a leaf; else nodes of this section */
} phive_box_node;

typedef struct phive_built_section {
    bool is_float;   /* vertices are three floats, and origin is PHIVE_FLOAT_ORIGIN */
    bool leaf_group; /* made from at most four primitives that fit into no section together */
    int32_t origin[3];
    float cell[3]; /* units per step of the boxes */
    int16_t cell_origin[3];
    uint32_t vertex_count;
    /* Ranges of the arrays in phive_built. */
    uint32_t first_node, node_count;
    uint32_t first_primitive, primitive_count;
    size_t first_vertex_byte,
        vertex_bytes; /* 6 or 12 per vertex, and two at the end of the last section */
    size_t first_bit_byte, bit_bytes;
} phive_built_section;

/* A node of the tree over the sections. Used lanes come first. */
typedef struct phive_top_node {
    float box[6][4];  /* lx hx ly hy lz hz of the four lanes */
    uint32_t data[4]; /* leaf: sections, 0xFFFFFFFF if unused; else nodes, 0 if unused */
    bool leaf;
    uint8_t used;            /* number of lanes */
    uint8_t depth;           /* number of nodes below, on the longest path to a leaf */
    uint32_t parent, leaves; /* leaves: number of sections below */
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
    phive_top_node *top; /* entry 0 is unused, entry 1 is the root */
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
    /* Statistics of the build. */
    size_t triangle_count, dropped; /* dropped: two corners coincide */
    size_t quad_count, flat_quad_count, float_sections, vertex_count, interior_count;
    float bounds[2][3]; /* of all stored corners; zeros if there are none */
    mem mem;
    arena arena; /* owns the arrays; it holds a pointer to mem, so a phive_built must not move */
} phive_built;

/* Builds sections, trees and tag table of a mesh, which may be empty. Each triangle that is not dropped is
 * stored once, with its corners on the grid in the given order up to rotation. A triangle that does not fit
 * on the grid (larger than PHIVE_SECTION_STEPS, or too far from the origin) is stored exactly, in a float
 * section.
 *
 * On success the caller frees *out with phive_built_free; on failure there is nothing to free.
 * LATHE_ERR_RANGE: a coordinate is not finite or is beyond PHIVE_COORDINATE_MAX, a tag is beyond
 * PHIVE_TAG_MAX, or a scale is not positive. LATHE_ERR_INVALID: an index is not a vertex.
 * LATHE_ERR_UNSUPPORTED: a triangle does not fit on the grid, and the variant is V21, which has no float
 * sections. LATHE_ERR_LIMIT: too many triangles or sections. */
lathe_result phive_build(phive_built *out, const phive_mesh *mesh,
                         const phive_build_options *options, const mem *m, lathe_error *err);
void phive_built_free(phive_built *b); /* accepts a zeroed one */

#endif
