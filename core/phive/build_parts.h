/* Between the files of the builder. */
#ifndef LATHE_PHIVE_BUILD_PARTS_H
#define LATHE_PHIVE_BUILD_PARTS_H

#include "base/error.h"
#include "phive/build.h"

#include <math.h>
#include <string.h>

#define BUILD_NONE UINT32_MAX

/* ---- triangles (build_spots.c, build_edges.c, build_quads.c) ----------------------------------------- */

/* A corner's place on the grid is its spot: vertices of one spot are one vertex. */
typedef struct build_triangle {
    uint32_t spot[3];
    uint32_t number; /* in the mesh */
    bool is_float;
    uint8_t interior; /* 0 or 1 */
} build_triangle;

/* A triangle, or two that share the edge a c. */
typedef struct build_primitive {
    uint32_t corner
        [4]; /* spots; of a float primitive, vertices of the mesh. A triangle's last is its third */
    uint16_t tag;
    uint8_t interior; /* bit k: its triangle k */
    bool is_float;
} build_primitive;

typedef struct build_section {
    uint32_t first, count; /* primitives, in the order of the sweep */
    uint32_t vertices;
    bool is_float, leaf_group;
} build_section;

/* Ways to cut a set of boxes in two that keep the boxes of both parts small. A range of it is a set: its boxes are
 * order[axis][first ..], the same ones for each axis, sorted by their middle along it. */
typedef struct build_sweep {
    const float (*boxes)[6]; /* lx hx ly hy lz hz */
    uint32_t *order[3], *scratch;
    double *areas;
    uint8_t *left;
    size_t room; /* boxes that there is memory for */
} build_sweep;

typedef struct build {
    mem mem;
    lathe_error *err;
    const phive_mesh *mesh;
    const phive_build_options *options;
    float scale[3], scale_inv[3];

    uint32_t *spot_of;   /* of each vertex of the mesh */
    int32_t (*spots)[3]; /* steps of the grid from the origin, of each spot; junk beyond the grid */
    uint32_t *spot_from; /* a vertex that is there, of each spot */
    size_t spot_count, spot_room;
    build_triangle *triangles;
    size_t triangle_count;
    /* of each edge (3 * triangle + number), the same of a neighbour, or BUILD_NONE */
    uint32_t *mates;
    /* of each triangle, its edge that became the middle of a quad, or BUILD_NONE */
    uint32_t *joints;
    build_primitive *primitives; /* on the grid first, then float ones */
    size_t primitive_count, grid_count;
    float (*boxes)[6];
    build_sweep sweep;
    build_section *sections;
    size_t section_count, section_room;
    uint32_t *stamps; /* of each spot, the number of the set that it was last counted in */
    uint8_t *locals;  /* and its number there */
    uint32_t stamp;
} build;

lathe_result build_no_memory(lathe_error *err);

/* Where the mesh has vertex v. */
static inline const float *build_position(const build *b, uint32_t v)
{
    return b->mesh->positions + (size_t)v * 3;
}
static inline bool build_on_grid(const int32_t q[3])
{
    return q[0] != INT32_MIN;
}
/* What a reader makes of `steps`. */
static inline float build_decode(const build *b, int32_t steps, int axis)
{
    return (float)steps * b->scale_inv[axis];
}
static inline uint16_t build_tag(const build *b, uint32_t triangle)
{
    return b->mesh->tags ? b->mesh->tags[triangle] : 0;
}
/* Where a spot is: that of a vertex beyond the grid, exactly. */
void build_spot_position(const build *b, uint32_t spot, double out[3]);
void build_corner(const build *b, const build_primitive *p, int corner, float out[3]);

/* Checks the mesh, finds spots and triangles. */
lathe_result build_find_triangles(build *b, size_t *dropped);
/* Finds neighbours. */
lathe_result build_find_mates(build *b);
/* Finds which triangles become quads. */
lathe_result build_find_quads(build *b);
/* Sets the interior bits of triangles. */
void build_find_interior(build *b);
lathe_result build_find_primitives(build *b);

/* ---- sorting and cutting (build_sweep.c) -------------------------------------------------------------- */

/* Sorts n ids by keys[id * stride], stably. */
void build_sort(uint32_t *ids, uint32_t *scratch, size_t n, const uint32_t *keys, size_t stride);
/* Numbers in the order of the floats, none of them a NaN. */
static inline uint32_t build_float_key(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

bool build_sweep_room(build_sweep *s, const mem *m, size_t boxes);
void build_sweep_free(build_sweep *s, const mem *m);
/* Makes the boxes first .. first + count one set. `keys` has room for all boxes up to these. */
void build_sweep_sort(build_sweep *s, uint32_t *keys, const float (*boxes)[6], size_t first,
                      size_t count);
/* Cuts a set of two boxes or more in two: gives the number of those in the first part, a multiple of `step`, so that
 * neither part has more than `most`. The caller sees to it that there is such a number. */
size_t build_sweep_cut(build_sweep *s, size_t first, size_t count, size_t step, size_t most);
/* The most elements that a tree of four lanes may have below each of its lanes, so that no such tree of `count` elements
 * is more than a level deeper than it has to be: what a walk needs of stack is bounded. */
size_t build_tree_room(size_t count);

/* ---- sections (build_sections.c, build_fill.c, build_top.c) ------------------------------------------- */

lathe_result build_find_sections(build *b);
/* Fills sections and their arrays; boxes[i] becomes that of the vertices of section i, tags[i] the tag of primitive i. */
lathe_result build_fill_sections(build *b, phive_built *out, float (*boxes)[6], uint16_t *tags);
/* The tree over sections with these boxes. */
lathe_result build_top_tree(build *b, phive_built *out, const float (*boxes)[6]);
/* The tag table. */
lathe_result build_tags(build *b, phive_built *out, const uint16_t *tags);

/* A section's own tree (build_tree.c). */
typedef struct build_cells {
    double per_unit[3];
    float cell[3];
    int16_t origin[3];
} build_cells;
void build_choose_cells(build_cells *c, const float box[6]);
/* A box of bytes around a box. */
void build_box_bytes(const build_cells *c, const float box[6], uint8_t out[6]);
/* Nodes of the tree over `count` boxes of a section, at most build_box_nodes(count) of them. Gives how many. Leaves lead
 * to sweep.order[0][first + data], which only then is as it stays. */
size_t build_box_tree(build_sweep *s, const build_cells *c, size_t first, size_t count,
                      phive_box_node *nodes);
static inline size_t build_box_nodes(size_t count)
{
    return 2 * ((count + 3) / 4) -
           1; /* all leaves but one are full, and no other node has one lane */
}
/* Makes leaves lead to number[data]. */
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
