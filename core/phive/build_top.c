/* Builds the tree over the sections, and the tag table. */
#include "phive/build_parts.h"

#define LANE_LOW 0x1.ffffdcp+127F /* 0x7F7FFFEE */
#define NO_SECTION UINT32_MAX

/* ---- the tree ------------------------------------------------------------------------------------------- */

typedef struct top {
    phive_built *out;
    build_sweep *sweep;
} top;

static phive_top_node *add_node(top *t, uint32_t parent, bool leaf)
{
    phive_top_node *node = &t->out->top[t->out->top_count++];
    for (int k = 0; k < 6; k++)
        for (int lane = 0; lane < 4; lane++)
            node->box[k][lane] = k % 2 ? -LANE_LOW : LANE_LOW;
    for (int lane = 0; lane < 4; lane++)
        node->data[lane] = leaf ? NO_SECTION : 0;
    node->leaf = leaf;
    node->parent = parent;
    return node;
}

static double volume(const phive_top_node *node, int lane)
{
    double product = 1;
    for (int k = 0; k < 6; k += 2)
        product *= (double)node->box[k + 1][lane] - (double)node->box[k][lane];
    return product;
}

static void put_lane(phive_top_node *node, int lane, const float box[6], uint32_t data)
{
    for (int k = 0; k < 6; k++)
        node->box[k][lane] = box[k];
    node->data[lane] = data;
}

/* Inserts a lane before those of smaller volume. */
static void add_lane(phive_top_node *node, const float box[6], uint32_t data)
{
    int lane = node->used++;
    put_lane(node, lane, box, data);
    const double added = volume(node, lane);
    for (; lane > 0 && volume(node, lane - 1) < added; lane--) {
        float before[6];
        for (int k = 0; k < 6; k++)
            before[k] = node->box[k][lane - 1];
        put_lane(node, lane, before, node->data[lane - 1]);
        put_lane(node, lane - 1, box, data);
    }
}

static void box_of(const phive_top_node *node, float box[6])
{
    build_box_empty(box);
    for (int lane = 0; lane < node->used; lane++) {
        float one[6];
        for (int k = 0; k < 6; k++)
            one[k] = node->box[k][lane];
        build_box_add(box, one);
    }
}

static uint32_t grow(top *t, uint32_t parent, size_t first, size_t count, size_t room,
                     float box[6]);

static void add_child(top *t, phive_top_node *node, size_t first, size_t count, size_t room)
{
    const uint32_t number = (uint32_t)(node - t->out->top);
    float box[6];
    const uint32_t child = grow(t, number, first, count, room, box);
    const phive_top_node *below = &t->out->top[child];
    add_lane(node, box, child);
    node->leaves += below->leaves;
    if (node->depth <= below->depth)
        node->depth = (uint8_t)(below->depth + 1);
}

/* Builds a node as in build_tree.c. Recursion is at most 13 deep, because there are at most 4^12 sections. */
static uint32_t grow(top *t, uint32_t parent, size_t first, size_t count, size_t room, float box[6])
{
    const bool leaf = count <= 4;
    phive_top_node *node = add_node(t, parent, leaf);
    if (leaf) {
        for (size_t i = 0; i < count; i++) {
            const uint32_t section = t->sweep->order[0][first + i];
            add_lane(node, t->sweep->boxes[section], section);
        }
        node->leaves = (uint32_t)count;
    } else {
        const size_t lefts = build_sweep_cut(t->sweep, first, count, 4, 2 * room);
        const size_t halves[3] = {0, lefts, count};
        for (int h = 0; h < 2; h++) {
            const size_t n = halves[h + 1] - halves[h], at = first + halves[h];
            const size_t part = n > 4 ? build_sweep_cut(t->sweep, at, n, 4, room) : n;
            add_child(t, node, at, part, room / 4);
            if (part < n)
                add_child(t, node, at + part, n - part, room / 4);
        }
    }
    box_of(node, box);
    return (uint32_t)(node - t->out->top);
}

static lathe_result sort_boxes(build *b, build_sweep *s, const float (*boxes)[6], size_t n)
{
    uint32_t *keys = mem_alloc(&b->mem, n * sizeof *keys);
    const bool ok = build_sweep_room(s, &b->mem, n) && keys;
    if (ok)
        build_sweep_sort(s, keys, boxes, 0, n);
    mem_free(&b->mem, keys, n * sizeof *keys);
    return ok ? LATHE_OK : build_no_memory(b->err);
}

lathe_result build_top_tree(build *b, phive_built *out, const float (*boxes)[6])
{
    const size_t n = out->section_count;
    const size_t most =
        n > 4 ? 1 + 2 * ((n + 3) / 4) : 3; /* the null node; then as build_box_nodes */
    build_sweep sweep = {.room = 0};
    out->top = arena_zalloc(&out->arena, most * sizeof *out->top);
    lathe_result r = out->top ? sort_boxes(b, &sweep, boxes, n) : build_no_memory(b->err);
    if (r == LATHE_OK) {
        top t = {.out = out, .sweep = &sweep};
        add_node(&t, 0, false);
        if (n > 4) {
            float box[6];
            grow(&t, 0, 0, n, build_tree_room(n), box);
        } else { /* the root is not a leaf */
            phive_top_node *root = add_node(&t, 0, false);
            if (n > 0)
                add_child(&t, root, 0, n, 4);
        }
    }
    build_sweep_free(&sweep, &b->mem);
    return r;
}

/* ---- tags -------------------------------------------------------------------------------------------------- */

/* Writes the entries if `to` is not NULL; returns their number. */
static size_t list_tags(const phive_built *out, const uint16_t *tags, phive_tag_entry *to)
{
    size_t n = 0;
    for (size_t i = 0; i < out->section_count; i++) {
        const phive_built_section *s = &out->sections[i];
        for (uint32_t k = 0; k < s->primitive_count; k++) {
            const size_t p = s->first_primitive + k;
            if (p > 0 && tags[p] == tags[p - 1])
                continue;
            if (to)
                to[n] = (phive_tag_entry){(uint32_t)i << PHIVE_KEY_SHIFT | k << 1, tags[p]};
            n++;
        }
    }
    if (to)
        to[n] = (phive_tag_entry){(uint32_t)out->section_count << PHIVE_KEY_SHIFT | 255u << 1,
                                  PHIVE_TAG_END};
    return n + 1;
}

lathe_result build_tags(build *b, phive_built *out, const uint16_t *tags)
{
    out->tag_count = list_tags(out, tags, NULL);
    out->tags = arena_zalloc(&out->arena, out->tag_count * sizeof *out->tags);
    if (!out->tags)
        return build_no_memory(b->err);
    list_tags(out, tags, out->tags);
    return LATHE_OK;
}
