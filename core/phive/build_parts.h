/* Shared by the files of the builder. */
#ifndef LATHE_PHIVE_BUILD_PARTS_H
#define LATHE_PHIVE_BUILD_PARTS_H

#include "base/error.h"
#include "phive/build.h"

#include <math.h>
#include <string.h>

#define BUILD_NONE UINT32_MAX

/* ---- triangles (build_spots.c, build_edges.c, build_quads.c) ----------------------------------------- */

/* A triangle. A spot is a position on the grid; vertices at the same spot are one vertex. */
typedef struct build_triangle {
    uint32_t spot[3];
    uint32_t number; /* number in the mesh */
    bool is_float;
    uint8_t interior; /* 0 or 1 */
} build_triangle;

/* A triangle, or two that share the edge a c. */
typedef struct build_primitive {
    uint32_t corner
        [4]; /* spots; of a float primitive, mesh vertices. In a triangle the last equals the third */
    uint16_t tag;
    uint8_t interior; /* bit k: of its triangle k */
    bool is_float;
} build_primitive;

typedef struct build_section {
    uint32_t first, count; /* primitives, in sweep order */
    uint32_t vertices;
    bool is_float, leaf_group;
} build_section;

/* Splits a set of boxes in two so that the boxes of both halves are small. A set is a range:
 * order[axis][first ..] holds the same boxes for each axis, sorted by their centre along it. */
typedef struct build_sweep {
    const float (*boxes)[6]; /* lx hx ly hy lz hz */
    uint32_t *order[3], *scratch;
    double *areas;
    uint8_t *left;
    size_t room; /* number of boxes that fit into the allocated memory */
} build_sweep;

typedef struct build {
    mem mem;
    lathe_error *err;
    const phive_mesh *mesh;
    const phive_build_options *options;
    float scale[3], scale_inv[3];

    uint32_t *spot_of;   /* of each mesh vertex */
    int32_t (*spots)[3]; /* grid steps from the origin, of each spot; undefined beyond the grid */
    uint32_t *spot_from; /* a vertex at each spot */
    size_t spot_count, spot_room;
    build_triangle *triangles;
    size_t triangle_count;
    /* for each edge (3 * triangle + number) the matching edge of a neighbour, or BUILD_NONE */
    uint32_t *mates;
    /* for each triangle its edge that became the diagonal of a quad, or BUILD_NONE */
    uint32_t *joints;
    build_primitive *primitives; /* those on the grid first, then float ones */
    size_t primitive_count, grid_count;
    float (*boxes)[6];
    build_sweep sweep;
    build_section *sections;
    size_t section_count, section_room;
    uint32_t *stamps; /* for each spot, the last set in which it was counted */
    uint8_t *locals;  /* and its number in that set */
    uint32_t stamp;
} build;

lathe_result build_no_memory(lathe_error *err);

/* Position of mesh vertex v. */
static inline const float *build_position(const build *b, uint32_t v)
{
    return b->mesh->positions + (size_t)v * 3;
}
static inline bool build_on_grid(const int32_t q[3])
{
    return q[0] != INT32_MIN;
}
/* Decodes a coordinate as readers do. */
static inline float build_decode(const build *b, int32_t steps, int axis)
{
    return (float)steps * b->scale_inv[axis];
}
static inline uint16_t build_tag(const build *b, uint32_t triangle)
{
    return b->mesh->tags ? b->mesh->tags[triangle] : 0;
}
/* Position of a spot; for a vertex beyond the grid its exact position. */
void build_spot_position(const build *b, uint32_t spot, double out[3]);
void build_corner(const build *b, const build_primitive *p, int corner, float out[3]);

/* Checks the mesh; finds spots and triangles. */
lathe_result build_find_triangles(build *b, size_t *dropped);
/* Finds the neighbours of each triangle. */
lathe_result build_find_mates(build *b);
/* Decides which triangles become quads. */
lathe_result build_find_quads(build *b);
/* Sets the interior bits of the triangles. */
void build_find_interior(build *b);
lathe_result build_find_primitives(build *b);

/* ---- sorting and splitting (build_sweep.c) ------------------------------------------------------------ */

/* Stable sort of n ids by keys[id * stride]. */
void build_sort(uint32_t *ids, uint32_t *scratch, size_t n, const uint32_t *keys, size_t stride);
/* Maps floats to integers of the same order. NaN is not allowed. */
static inline uint32_t build_float_key(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

bool build_sweep_room(build_sweep *s, const mem *m, size_t boxes);
void build_sweep_free(build_sweep *s, const mem *m);
/* Makes the boxes first .. first + count one set. `keys` must have room for all boxes up to these. */
void build_sweep_sort(build_sweep *s, uint32_t *keys, const float (*boxes)[6], size_t first,
                      size_t count);
/* Splits a set of at least two boxes. Returns the number of boxes in the first half, a multiple of `step`,
 * such that neither half has more than `most`. The caller makes sure that such a number exists. */
size_t build_sweep_cut(build_sweep *s, size_t first, size_t count, size_t step, size_t most);
/* The maximum number of elements below each lane, so that a tree of `count` elements with four lanes is at
 * most one level deeper than necessary. This limits the stack that a walk needs. */
size_t build_tree_room(size_t count);

/* ---- sections (build_sections.c, build_fill.c, build_top.c) ------------------------------------------- */

lathe_result build_find_sections(build *b);
/* Fills sections and their arrays. boxes[i] becomes the box of section i's vertices, tags[i] the tag of
 * primitive i. */
lathe_result build_fill_sections(build *b, phive_built *out, float (*boxes)[6], uint16_t *tags);
/* Builds the tree over sections with these boxes. */
lathe_result build_top_tree(build *b, phive_built *out, const float (*boxes)[6]);
/* Builds the tag table. */
lathe_result build_tags(build *b, phive_built *out, const uint16_t *tags);

/* Quantisation of the boxes in a section's tree (build_tree.c). */
typedef struct build_cells {
    double per_unit[3];
    float cell[3];
    int16_t origin[3];
} build_cells;
void build_choose_cells(build_cells *c, const float box[6]);
/* Quantises a box outwards to bytes. */
void build_box_bytes(const build_cells *c, const float box[6], uint8_t out[6]);
/* Builds the tree over `count` boxes of a section, with at most build_box_nodes(count) nodes. Returns the
 * number of nodes. Leaves refer to sweep.order[0][first + data], which is final only then. */
size_t build_box_tree(build_sweep *s, const build_cells *c, size_t first, size_t count,
                      phive_box_node *nodes);
static inline size_t build_box_nodes(size_t count)
{
    return 2 * ((count + 3) / 4) -
           1; /* all leaves except one are full, and no other node has a single lane */
}
/* Replaces the data of leaves with number[data]. */
void build_number_leaves(phive_box_node *nodes, size_t count, const uint8_t *number);

static inline void build_box_empty(float box[6])
{
    for (int k = 0; k < 3; k++) {
        box[2 * k] = INFINITY;
        box[2 * k + 1] = -INFINITY;
    }
}
static inline void build_box_add(float box[6], const float more[6])
{
    for (int k = 0; k < 6; k += 2) {
        box[k] = more[k] < box[k] ? more[k] : box[k];
        box[k + 1] = more[k + 1] > box[k + 1] ? more[k + 1] : box[k + 1];
    }
}

#endif
