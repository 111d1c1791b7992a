/* Bounding trees: built by the surface of what they enclose, stored in nibbles.
 * A node's byte of an axis moves both sides of its parent's box inwards, by n²/226 of the parent's
 * extent for a nibble n (formats/fo4-collision.md#3.4). */
#include "havok/physics/maths/mesh_parts.h"

#include <math.h>
#include <string.h>

hk_box hk_box_none(void)
{
    return (hk_box){.min = {INFINITY, INFINITY, INFINITY},
                    .max = {-INFINITY, -INFINITY, -INFINITY}};
}

void hk_box_add(hk_box *box, const float point[3])
{
    for (unsigned i = 0; i < 3; i++) {
        box->min[i] = point[i] < box->min[i] ? point[i] : box->min[i];
        box->max[i] = point[i] > box->max[i] ? point[i] : box->max[i];
    }
}

void hk_box_join(hk_box *box, const hk_box *other)
{
    hk_box_add(box, other->min);
    hk_box_add(box, other->max);
}

double hk_box_area(const hk_box *box)
{
    double e[3];
    for (unsigned i = 0; i < 3; i++)
        e[i] = (double)box->max[i] - (double)box->min[i];
    return e[0] < 0 ? 0 : e[0] * e[1] + e[1] * e[2] + e[2] * e[0];
}

/* ---- building ---- */

typedef struct builder {
    const hk_box *boxes;
    hk_sorted *sorted, *scratch, *best; /* room for all boxes */
    double *areas;                      /* of what lies right of each cut */
    hk_branch *nodes;
} builder;

typedef struct cut {
    double cost;
    uint32_t left;
} cut;

static uint32_t depth_of(uint32_t n)
{
    uint32_t depth = 0;
    while (((uint64_t)1 << depth) < n)
        depth++;
    return depth;
}

/* The middles of boxes along an axis; boxes in the same place keep their order. */
static void sort_middles(builder *b, uint32_t n, unsigned axis)
{
    for (uint32_t i = 0; i < n; i++) {
        const hk_box *box = &b->boxes[b->sorted[i].then];
        double middle = ((double)box->min[axis] + (double)box->max[axis]) / 2;
        b->sorted[i].key = hk_float_order((float)middle);
    }
    hk_sort(b->sorted, b->scratch, n);
}

/* The cheapest cut of what is sorted, with at most `most` boxes on either side. */
static cut cheapest(const builder *b, uint32_t n, uint64_t most)
{
    cut found = {.cost = INFINITY, .left = n / 2};
    hk_box side = hk_box_none();
    for (uint32_t i = n - 1; i > 0; i--) {
        hk_box_join(&side, &b->boxes[b->sorted[i].then]);
        b->areas[i] = hk_box_area(&side);
    }
    side = hk_box_none();
    for (uint32_t i = 1; i < n; i++) {
        hk_box_join(&side, &b->boxes[b->sorted[i - 1].then]);
        double cost = hk_box_area(&side) * i + b->areas[i] * (n - i);
        bool more_even = i <= n / 2 && cost <= found.cost;
        if ((cost < found.cost || more_even) && i <= most && n - i <= most)
            found = (cut){cost, i};
    }
    return found;
}

/* `room` is how deep the tree may still become, which recursion follows: at least depth_of(n). */
static void build(builder *b, uint32_t n, uint32_t room, hk_branch *node)
{
    node->box = hk_box_none();
    for (uint32_t i = 0; i < n; i++)
        hk_box_join(&node->box, &b->boxes[b->sorted[i].then]);
    node->leaf = n == 1 ? (uint32_t)b->sorted[0].then : HK_INNER;
    node->left = 0;
    if (n == 1)
        return;
    cut best = {.cost = INFINITY};
    for (unsigned axis = 0; axis < 3; axis++) {
        sort_middles(b, n, axis);
        cut c = cheapest(b, n, (uint64_t)1 << (room - 1));
        if (axis == 0 || c.cost < best.cost) {
            best = c;
            memcpy(b->best, b->sorted, n * sizeof *b->best);
        }
    }
    memcpy(b->sorted, b->best, n * sizeof *b->sorted);
    node->left = best.left;
    build(b, best.left, room - 1, node + 1);
    builder right = *b;
    right.sorted += best.left;
    build(&right, n - best.left, room - 1, node + 2 * (size_t)best.left);
}

bool hk_tree_build(const hk_box *boxes, uint32_t n, const mem *m, hk_branch *nodes)
{
    enum { SLACK = 4 }; /* deeper than a full tree by this much: so are the game's own */
    arena scratch;
    arena_init(&scratch, m);
    builder b = {.boxes = boxes,
                 .sorted = arena_zalloc(&scratch, n * sizeof *b.sorted),
                 .scratch = arena_zalloc(&scratch, n * sizeof *b.scratch),
                 .best = arena_zalloc(&scratch, n * sizeof *b.best),
                 .areas = arena_zalloc(&scratch, n * sizeof *b.areas)};
    bool ok = b.sorted && b.scratch && b.best && b.areas;
    for (uint32_t i = 0; ok && i < n; i++)
        b.sorted[i].then = i;
    if (ok)
        build(&b, n, depth_of(n) + SLACK, nodes);
    arena_free(&scratch);
    return ok;
}

/* ---- storing ---- */

#define NIBBLE_UNIT 226.0

hk_extent hk_extent_of(const float min[3], const float max[3])
{
    hk_extent e;
    for (unsigned i = 0; i < 3; i++) {
        e.min[i] = (double)min[i];
        e.max[i] = (double)max[i];
    }
    return e;
}

hk_extent hk_node_extent(const uint8_t *node, const hk_extent *parent)
{
    hk_extent e;
    for (unsigned i = 0; i < 3; i++) {
        double extent = parent->max[i] - parent->min[i];
        double low = node[i] >> 4, high = node[i] & 15;
        e.min[i] = parent->min[i] + low * low / NIBBLE_UNIT * extent;
        e.max[i] = parent->max[i] - high * high / NIBBLE_UNIT * extent;
    }
    return e;
}

/* The largest nibble that leaves `room` between the box and its parent's side. */
static unsigned nibble(double room, double extent)
{
    unsigned n = 0;
    while (n < 15 && (n + 1) * (n + 1) / NIBBLE_UNIT * extent <= room)
        n++;
    return n;
}

typedef struct packer {
    const hk_branch *nodes;
    const uint32_t *number;
    unsigned width;
    double margin[3]; /* games compute in float */
    uint8_t *out;
} packer;

static void pack(const packer *p, size_t at, const hk_extent *parent)
{
    const hk_branch *b = &p->nodes[at];
    uint8_t *node = p->out + at * p->width;
    for (unsigned i = 0; i < 3; i++) {
        double extent = parent->max[i] - parent->min[i];
        unsigned low = nibble((double)b->box.min[i] - p->margin[i] - parent->min[i], extent);
        unsigned high = nibble(parent->max[i] - p->margin[i] - (double)b->box.max[i], extent);
        node[i] = extent > 0 ? (uint8_t)(low << 4 | high) : 0;
    }
    uint32_t number = b->leaf == HK_INNER ? b->left : p->number[b->leaf];
    bool inner = b->leaf == HK_INNER;
    if (p->width == HK_MESH_NODE) {
        node[3] = (uint8_t)(number << 1 | inner);
    } else {
        node[3] = (uint8_t)((inner ? 0x80u : 0u) | number >> 8);
        node[4] = (uint8_t)number;
    }
    if (!inner)
        return;
    hk_extent here = hk_node_extent(node, parent);
    pack(p, at + 1, &here);
    pack(p, at + 2 * (size_t)b->left, &here);
}

void hk_tree_pack(const hk_branch *nodes, const hk_box *root, const uint32_t *number,
                  unsigned width, uint8_t *out)
{
    packer p = {.nodes = nodes, .number = number, .width = width, .out = out};
    hk_extent parent = hk_extent_of(root->min, root->max);
    for (unsigned i = 0; i < 3; i++)
        p.margin[i] = 1e-6 * fmax(parent.max[i] - parent.min[i],
                                  fmax(fabs(parent.min[i]), fabs(parent.max[i])));
    pack(&p, 0, &parent);
}
