/* Builds the tree in a section: quantised boxes over its primitives. */
#include "phive/build_parts.h"

#include <float.h>

#define GRID_ERROR 1e-3

/* ---- quantisation ----------------------------------------------------------------------------------------- */

static float dequantise(const build_cells *c, int axis, int byte)
{
    return (float)(c->origin[axis] + byte) * c->cell[axis];
}

/* formats/bphsh.md#6, 7: the fraction of |low| keeps the origin within 16 bits. */
static void cells_of_axis(build_cells *c, int axis, double low, double high, double share)
{
    if (low >= high)
        high = low + (double)FLT_EPSILON;
    const double grow = fmax((high - low) / 255, fabs(low) / 255) * share;
    low -= grow;
    high += grow;
    c->per_unit[axis] = 255 / (high - low);
    c->origin[axis] = (int16_t)floor(low * c->per_unit[axis] + 0.5);
    c->cell[axis] = (float)(1 / c->per_unit[axis]);
}

void build_choose_cells(build_cells *c, const float box[6])
{
    for (int k = 0; k < 3; k++) {
        const float low = box[2 * k], high = box[2 * k + 1];
        double share = 1; /* increased if rounding should leave an end outside */
        do {
            cells_of_axis(c, k, (double)low - GRID_ERROR, (double)high + GRID_ERROR, share);
            share *= 1.5;
        } while ((dequantise(c, k, 0) > low || dequantise(c, k, 255) < high) && share < 100);
    }
}

static uint8_t byte_of(int n)
{
    return (uint8_t)(n < 0 ? 0 : n > 255 ? 255 : n);
}

void build_box_bytes(const build_cells *c, const float box[6], uint8_t out[6])
{
    for (int k = 0; k < 3; k++) {
        const float low = box[2 * k], high = box[2 * k + 1];
        int from = (int)floor((double)low * c->per_unit[k]) - c->origin[k];
        int to = (int)ceil((double)high * c->per_unit[k]) - c->origin[k];
        from -= dequantise(c, k, from) > low;
        to += dequantise(c, k, to) < high;
        out[2 * k] = byte_of(from);
        out[2 * k + 1] = byte_of(to);
    }
}

/* ---- nodes ---------------------------------------------------------------------------------------------- */

typedef struct growing {
    build_sweep *sweep;
    const build_cells *cells;
    size_t base; /* number of the section's first primitive in the sweep */
    phive_box_node *nodes;
    size_t count;
} growing;

static void clear_node(phive_box_node *node)
{
    for (int k = 0; k < 6; k++)
        memset(node->box[k], k % 2 ? 0 : 0xFF, 4);
    memset(node->data, 0, sizeof node->data);
}

static void swap_lanes(phive_box_node *node, int i, int j)
{
    for (int k = 0; k < 7; k++) {
        uint8_t *row = k < 6 ? node->box[k] : node->data;
        const uint8_t kept = row[i];
        row[i] = row[j];
        row[j] = kept;
    }
}

/* A node is a leaf if data[2] > data[3]. formats/bphsh.md#3.9 */
static void mark_node(phive_box_node *node, int lanes, bool leaf)
{
    uint8_t *data = node->data;
    if (lanes == 4) {
        if ((data[2] > data[3]) != leaf)
            swap_lanes(node, 2, 3);
    } else if (lanes == 3) {
        if (leaf && data[2] == 0)
            swap_lanes(node, 1, 2);
        data[3] = (uint8_t)(leaf ? data[2] - 1 : data[2]);
    } else if (leaf) {
        data[2] = 1;
    }
}

static void set_lane(phive_box_node *node, int lane, const uint8_t box[6], uint8_t data)
{
    for (int k = 0; k < 6; k++)
        node->box[k][lane] = box[k];
    node->data[lane] = data;
}

static void box_of_node(const phive_box_node *node, int lanes, uint8_t out[6])
{
    for (int k = 0; k < 6; k++) {
        out[k] = node->box[k][0];
        for (int lane = 1; lane < lanes; lane++) {
            const uint8_t more = node->box[k][lane];
            if (k % 2 ? more > out[k] : more < out[k])
                out[k] = more;
        }
    }
}

/* Builds the node of a set and everything below. Children have at most `room` primitives (build_tree_room),
 * so recursion is at most six deep. Returns its number and its box. */
static uint8_t grow(growing *g, size_t first, size_t count, size_t room, uint8_t box[6])
{
    const size_t number = g->count++;
    phive_box_node *node = &g->nodes[number];
    clear_node(node);
    int lanes = 0;
    if (count <= 4) {
        for (size_t i = 0; i < count; i++) {
            build_box_bytes(g->cells, g->sweep->boxes[g->sweep->order[0][first + i]], box);
            set_lane(node, lanes++, box, (uint8_t)(first + i - g->base));
        }
    } else {
        const size_t lefts = build_sweep_cut(g->sweep, first, count, 4, 2 * room);
        const size_t halves[3] = {0, lefts, count};
        for (int h = 0; h < 2; h++) {
            const size_t n = halves[h + 1] - halves[h], at = first + halves[h];
            const size_t part = n > 4 ? build_sweep_cut(g->sweep, at, n, 4, room) : n;
            const uint8_t child = grow(g, at, part, room / 4, box);
            set_lane(node, lanes++, box, child);
            if (part < n) {
                const uint8_t other = grow(g, at + part, n - part, room / 4, box);
                set_lane(node, lanes++, box, other);
            }
        }
    }
    mark_node(node, lanes, count <= 4);
    box_of_node(node, lanes, box);
    return (uint8_t)number;
}

size_t build_box_tree(build_sweep *s, const build_cells *c, size_t first, size_t count,
                      phive_box_node *nodes)
{
    growing g = {.sweep = s, .cells = c, .base = first, .nodes = nodes};
    uint8_t box[6];
    grow(&g, first, count, build_tree_room(count), box);
    return g.count;
}

void build_number_leaves(phive_box_node *nodes, size_t count, const uint8_t *number)
{
    for (size_t i = 0; i < count; i++) {
        phive_box_node *node = &nodes[i];
        if (node->data[2] <= node->data[3])
            continue;
        int lanes = 0;
        for (; lanes < 4 && node->box[0][lanes] <= node->box[1][lanes]; lanes++)
            node->data[lanes] = number[node->data[lanes]];
        for (int lane = lanes; lane < 4; lane++)
            node->data[lane] = 0;
        mark_node(node, lanes, true);
    }
}
