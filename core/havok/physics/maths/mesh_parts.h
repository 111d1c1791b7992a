/* Between the files of the mesh codec. */
#ifndef LATHE_HAVOK_PHYSICS_MESH_PARTS_H
#define LATHE_HAVOK_PHYSICS_MESH_PARTS_H

#include "base/error.h"
#include "havok/physics/maths/mesh_codec.h"

/* ---- vertices (mesh_decode.c) ---- */

void hk_mesh_unpack(const float parms[6], uint32_t packed, float out[3]);
void hk_mesh_unshare(const float min[3], const float max[3], uint64_t shared, float out[3]);
/* The steps of a shared vertex: 2^21 - 1 on x and y, 2^22 - 1 on z. */
double hk_mesh_shared_steps(unsigned axis);
/* c == d is a triangle; else a b c and a c d. */
static inline bool hk_mesh_is_quad(const uint8_t primitive[4])
{
    return primitive[2] != primitive[3];
}
/* The largest key that a mesh can have, which its last primitive has. */
uint32_t hk_mesh_last_key(const hk_mesh *mesh, size_t section);
/* How many bits a key takes, with one key left over that means none. */
int32_t hk_mesh_key_bits(uint32_t max_key);
/* No area that float could tell from none. */
bool hk_mesh_no_area(const float a[3], const float b[3], const float c[3]);

/* ---- sorting (mesh_sort.c) ---- */

typedef struct hk_sorted {
    uint64_t key, then; /* `then` settles what key leaves open: all that are sorted differ */
} hk_sorted;

/* scratch has room for n. */
void hk_sort(hk_sorted *items, hk_sorted *scratch, size_t n);
/* As an unsigned number in the order of floats; -0 is 0. */
uint32_t hk_float_order(float f);

/* ---- boxes and trees (mesh_tree.c) ---- */

typedef struct hk_box {
    float min[3], max[3];
} hk_box;

hk_box hk_box_none(void); /* the box of nothing */
void hk_box_add(hk_box *box, const float point[3]);
void hk_box_join(hk_box *box, const hk_box *other);
double hk_box_area(const hk_box *box); /* half of its surface; 0 of nothing */

/* A binary tree over boxes, as its nodes are stored: the left child follows its parent, the right one
 * comes 2 * left behind it. */
typedef struct hk_branch {
    hk_box box;
    uint32_t leaf; /* which box; HK_INNER of an inner node */
    uint32_t left; /* how many leaves are on the left */
} hk_branch;
#define HK_INNER UINT32_MAX

/* 2n - 1 nodes over n boxes, n > 0. False: memory. */
bool hk_tree_build(const hk_box *boxes, uint32_t n, const mem *m, hk_branch *nodes);
/* Stores nodes in `width` bytes each; the leaf of box i gets number[i]. Boxes are relative to their
 * parents', from `root` on, and never smaller than those of the branches. */
void hk_tree_pack(const hk_branch *nodes, const hk_box *root, const uint32_t *number,
                  unsigned width, uint8_t *out);

/* A stored node's box in double; start from the domain. */
typedef struct hk_extent {
    double min[3], max[3];
} hk_extent;
hk_extent hk_extent_of(const float min[3], const float max[3]);
hk_extent hk_node_extent(const uint8_t *node, const hk_extent *parent);
/* Its number: of its leaf, or of leaves on the left of an inner node. */
static inline bool hk_node_inner(const uint8_t *node, unsigned width, uint32_t *number)
{
    if (width == HK_MESH_NODE) {
        *number = node[3] >> 1;
        return node[3] & 1;
    }
    *number = (node[3] & 0x7fu) << 8 | node[4];
    return node[3] & 0x80;
}

/* ---- triangles to sections (mesh_join.c, mesh_split.c) ---- */

typedef struct hk_soup {
    float (*positions)[3]; /* all different */
    uint32_t n_positions;
    uint32_t (*triangles)[3]; /* all with an area */
    uint16_t *materials;
    uint32_t n_triangles;
} hk_soup;

typedef struct hk_primitive {
    uint32_t corner[4]; /* a b c d; c == d: a triangle */
    uint16_t material;
} hk_primitive;

/* Joins equal positions and leaves out triangles without area, which it counts. */
lathe_result hk_mesh_weld(const hk_mesh_source *source, arena *a, hk_soup *out, size_t *flat,
                          lathe_error *err);
/* Joins triangles to quads; out has room for as many as there are triangles. False: memory. */
bool hk_mesh_join(const hk_soup *soup, const mem *m, hk_primitive *out, uint32_t *n);
/* One that games may take for a flat, convex shape: what the bit in quadIsFlat says. */
bool hk_mesh_flat(const float a[3], const float b[3], const float c[3], const float d[3]);
/* Sorts primitives by section; ends[i] is where section i ends, with room for n. False: memory. */
bool hk_mesh_split(const hk_soup *soup, const mem *m, hk_primitive *primitives, uint32_t n,
                   uint32_t *ends, uint32_t *n_sections);

#endif
