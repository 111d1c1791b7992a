/* Checks the tree over the sections of a mesh shape. */
#include "phive/check.h"

#include <math.h>

enum { ROOT = 1, LEAF = 1, FREE = 2 }; /* node 0 is unused; flags of V23 */

typedef struct tree {
    phive_checker *k;
    const phive_layout *l;
    uint32_t count, entered;
    uint32_t *leaves; /* number of sections below each node, for V23 */
} tree;

static const char *const axes = "xyz";

static const uint8_t *node_at(const tree *t, uint32_t node)
{
    return t->k->r.nodes.p + (size_t)node * t->l->node.size;
}

static phive_spot spot(const tree *t, uint32_t node, uint32_t at)
{
    return (phive_spot){t->k->r.nodes.at + (uint64_t)node * t->l->node.size + at,
                        "top_level_tree.nodes", PHIVE_NONE, node};
}

static bool is_leaf(const tree *t, uint32_t node)
{
    const uint8_t *p = node_at(t, node);
    return t->l->leaf != PHIVE_ABSENT ? p[t->l->leaf] != 0 : p[t->l->node_flags] & LEAF;
}

static bool is_free(const tree *t, uint32_t node)
{
    return t->l->node_flags != PHIVE_ABSENT && node_at(t, node)[t->l->node_flags] & FREE;
}

static uint32_t data_of(const tree *t, uint32_t node, unsigned lane)
{
    return bytes_ld32(node_at(t, node) + t->l->node_data + 4 * lane, false);
}

static bool used(const tree *t, uint32_t node, unsigned lane)
{
    return data_of(t, node, lane) != (is_leaf(t, node) ? UINT32_MAX : 0);
}

static phive_box3 box_of(const tree *t, uint32_t node, unsigned lane)
{
    phive_box3 box;
    for (unsigned i = 0; i < 3; i++) {
        box.lo[i] = phive_f32(node_at(t, node) + t->l->lanes[2 * i] + 4 * lane);
        box.hi[i] = phive_f32(node_at(t, node) + t->l->lanes[2 * i + 1] + 4 * lane);
    }
    return box;
}

/* The axis on which a box is inverted; -1: none. */
static int turned(const phive_box3 *box)
{
    for (int i = 0; i < 3; i++)
        if (!(box->lo[i] <= box->hi[i]))
            return i;
    return -1;
}

/* ---- lanes ------------------------------------------------------------------------------------------------- */

static void check_inside(const tree *t, uint32_t node, unsigned lane, const phive_box3 *inner,
                         const char *what, uint32_t number)
{
    phive_box3 box = box_of(t, node, lane);
    int axis = phive_leaves(inner, &box);
    if (axis >= 0)
        phive_finding(t->k, LATHE_LEVEL_WARNING, spot(t, node, t->l->lanes[2 * axis] + 4 * lane),
                      "tree node %u lane %u: %s %u leaves its box on %c: %.9g .. %.9g of %.9g .. "
                      "%.9g",
                      node, lane, what, number, axes[axis], (double)inner->lo[axis],
                      (double)inner->hi[axis], (double)box.lo[axis], (double)box.hi[axis]);
    else if (phive_loose(inner, &box))
        phive_finding(t->k, LATHE_LEVEL_WARNING, spot(t, node, t->l->lanes[0] + 4 * lane),
                      "tree node %u lane %u: its box is larger than %s %u", node, lane, what,
                      number);
}

static void check_section(const tree *t, uint32_t node, unsigned lane, uint32_t section)
{
    phive_looked *looked = &t->k->sections[section];
    if (looked->reached)
        phive_finding(t->k, LATHE_LEVEL_WARNING, spot(t, node, t->l->node_data + 4 * lane),
                      "tree node %u lane %u: section %u is reached twice", node, lane, section);
    looked->reached = true;
    if (looked->boxed)
        check_inside(t, node, lane, &looked->box, "section", section);
}

static void check_child(const tree *t, uint32_t node, unsigned lane, uint32_t child)
{
    phive_box3 all = {.lo = {INFINITY, INFINITY, INFINITY},
                      .hi = {-INFINITY, -INFINITY, -INFINITY}};
    for (unsigned i = 0; i < PHIVE_LANES; i++) {
        phive_box3 box = box_of(t, child, i);
        if (!used(t, child, i) || turned(&box) >= 0)
            continue;
        for (unsigned axis = 0; axis < 3; axis++) {
            all.lo[axis] = fminf(all.lo[axis], box.lo[axis]);
            all.hi[axis] = fmaxf(all.hi[axis], box.hi[axis]);
        }
    }
    if (turned(&all) < 0)
        check_inside(t, node, lane, &all, "node", child);
}

static void check_used(const tree *t, uint32_t node, unsigned lane)
{
    bool leaf = is_leaf(t, node);
    uint32_t data = data_of(t, node, lane), n = leaf ? t->k->r.sections.count : t->count;
    phive_box3 box = box_of(t, node, lane);
    int axis = turned(&box);
    if (axis >= 0)
        phive_finding(t->k, LATHE_LEVEL_WARNING, spot(t, node, t->l->lanes[2 * axis] + 4 * lane),
                      "tree node %u lane %u: its box is inside out on %c", node, lane, axes[axis]);
    if (data >= n)
        phive_finding(t->k, LATHE_LEVEL_ERROR, spot(t, node, t->l->node_data + 4 * lane),
                      "tree node %u lane %u names %s %u, there are %u", node, lane,
                      leaf ? "section" : "node", data, n);
    else if (leaf)
        check_section(t, node, lane, data);
    else if (data != node)
        check_child(t, node, lane, data);
}

static void check_empty(const tree *t, uint32_t node, unsigned lane)
{
    phive_box3 box = box_of(t, node, lane);
    if (turned(&box) < 0)
        phive_finding(t->k, LATHE_LEVEL_WARNING, spot(t, node, t->l->lanes[0] + 4 * lane),
                      "tree node %u lane %u is empty, but has a box", node, lane);
}

/* Checks that used lanes come first, the largest box in front. */
static void check_order(const tree *t, uint32_t node)
{
    double before = INFINITY;
    bool empty = false;
    for (unsigned lane = 0; lane < PHIVE_LANES; lane++) {
        phive_box3 box = box_of(t, node, lane);
        double volume = 1;
        if (!used(t, node, lane)) {
            empty = true;
            continue;
        }
        if (empty)
            phive_finding(t->k, LATHE_LEVEL_WARNING, spot(t, node, t->l->node_data + 4 * lane),
                          "tree node %u lane %u is used behind one that is empty", node, lane);
        for (unsigned i = 0; i < 3; i++)
            volume *= (double)box.hi[i] - (double)box.lo[i];
        if (volume > before * 1.0001)
            phive_finding(t->k, LATHE_LEVEL_WARNING, spot(t, node, t->l->lanes[0] + 4 * lane),
                          "tree node %u lane %u: its box is greater than the one in front of it",
                          node, lane);
        before = volume;
    }
}

/* ---- nodes ------------------------------------------------------------------------------------------------- */

static void check_flags(const tree *t, uint32_t node, uint32_t parent)
{
    const uint8_t *p = node_at(t, node);
    if (t->l->leaf != PHIVE_ABSENT && p[t->l->leaf] > 1)
        phive_finding(t->k, LATHE_LEVEL_WARNING, spot(t, node, t->l->leaf),
                      "tree node %u: isLeaf is %u, 0 or 1 expected", node, p[t->l->leaf]);
    if (is_free(t, node))
        phive_finding(t->k, LATHE_LEVEL_WARNING, spot(t, node, t->l->node_flags),
                      "tree node %u is marked as free, and reached", node);
    if (t->l->parent == PHIVE_ABSENT)
        return;
    uint32_t says = bytes_ld32(p + t->l->parent, false), is = parent == PHIVE_NONE ? 0 : parent;
    if (says != is)
        phive_finding(t->k, LATHE_LEVEL_WARNING, spot(t, node, t->l->parent),
                      "tree node %u: its parent is %u, %u is stored", node, is, says);
}

static void enter(void *user, uint32_t node, uint32_t parent)
{
    tree *t = user;
    t->entered++;
    check_flags(t, node, parent);
    check_order(t, node);
    for (unsigned lane = 0; lane < PHIVE_LANES; lane++)
        if (used(t, node, lane))
            check_used(t, node, lane);
        else
            check_empty(t, node, lane);
}

static uint32_t child_of(void *user, uint32_t node, unsigned lane)
{
    tree *t = user;
    uint32_t data = data_of(t, node, lane);
    return !is_leaf(t, node) && used(t, node, lane) && data < t->count ? data : PHIVE_NONE;
}

static void again(void *user, uint32_t node, unsigned lane, uint32_t child, bool cycle)
{
    tree *t = user;
    phive_spot at = spot(t, node, t->l->node_data + 4 * lane);
    if (node == child)
        phive_finding(t->k, LATHE_LEVEL_ERROR, at,
                      "cycle or self reference in the tree: node %u lane %u leads to itself", node,
                      lane);
    else if (cycle)
        phive_finding(t->k, LATHE_LEVEL_ERROR, at,
                      "cycle or self reference in the tree: node %u lane %u leads back to node %u",
                      node, lane, child);
    else
        phive_finding(t->k, LATHE_LEVEL_ERROR, at,
                      "tree node %u lane %u leads to node %u, as another one does", node, lane,
                      child);
}

static void leave(void *user, uint32_t node)
{
    tree *t = user;
    uint64_t sum = 0;
    for (unsigned lane = 0; lane < PHIVE_LANES; lane++) {
        uint32_t child = child_of(user, node, lane);
        sum += is_leaf(t, node) ? used(t, node, lane) : child != PHIVE_NONE ? t->leaves[child] : 0;
    }
    t->leaves[node] = sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
    uint32_t says = bytes_ld32(node_at(t, node) + t->l->leaves, false);
    if (says != t->leaves[node])
        phive_finding(t->k, LATHE_LEVEL_WARNING, spot(t, node, t->l->leaves),
                      "tree node %u: numLeaves is %u, %u are below it", node, says,
                      t->leaves[node]);
}

/* ---- all checks -------------------------------------------------------------------------------------------- */

static void check_reached(const tree *t, const uint8_t *state)
{
    uint32_t nodes = 0, first = 0, sections = 0, first_section = 0;
    for (uint32_t i = t->count; i-- > ROOT + 1;)
        if (!state[i] && !is_free(t, i)) {
            nodes++;
            first = i;
        }
    for (uint32_t i = t->k->r.sections.count; i-- > 0;)
        if (!t->k->sections[i].reached) {
            sections++;
            first_section = i;
        }
    if (nodes)
        phive_finding(t->k, LATHE_LEVEL_WARNING, spot(t, first, 0),
                      "tree: %u of %u nodes are not reached, %u is the first", nodes, t->count,
                      first);
    if (sections)
        phive_finding(
            t->k, LATHE_LEVEL_WARNING,
            (phive_spot){t->k->r.sections.at + (uint64_t)first_section * t->l->section.size, NULL,
                         first_section, PHIVE_NONE},
            "tree: %u of %u sections are not reached, section %u is the first", sections,
            t->k->r.sections.count, first_section);
}

static void check_first(const tree *t)
{
    for (unsigned lane = 0; lane < PHIVE_LANES; lane++)
        if (used(t, 0, lane)) {
            phive_finding(t->k, LATHE_LEVEL_WARNING, spot(t, 0, t->l->node_data + 4 * lane),
                          "tree node 0 is none, but its lane %u is used", lane);
            break;
        }
    if (is_leaf(t, ROOT))
        phive_finding(t->k, LATHE_LEVEL_WARNING,
                      spot(t, ROOT, t->l->leaf != PHIVE_ABSENT ? t->l->leaf : t->l->node_flags),
                      "tree node 1 is the root, and marked as a leaf");
}

static void walk(tree *t)
{
    const mem *m = &t->k->doc->mem;
    size_t n = t->count;
    uint8_t *state = mem_zalloc(m, n);
    phive_step *stack = mem_zalloc(m, n * sizeof *stack);
    t->leaves = mem_zalloc(m, n * sizeof *t->leaves);
    phive_walk w = {
        t, state, stack, enter, child_of, again, t->l->leaves != PHIVE_ABSENT ? leave : NULL};
    if (state && stack && t->leaves) {
        check_first(t);
        phive_walk_from(&w, ROOT);
        check_reached(t, state);
    }
    mem_free(m, state, n);
    mem_free(m, stack, n * sizeof *stack);
    mem_free(m, t->leaves, n * sizeof *t->leaves);
}

void phive_check_tree(phive_checker *k)
{
    tree t = {.k = k, .l = k->r.l, .count = k->r.nodes.count};
    if (t.count > ROOT)
        walk(&t);
    else if (k->r.sections.count)
        phive_finding(k, LATHE_LEVEL_ERROR,
                      (phive_spot){t.l->nodes, "top_level_tree.nodes", PHIVE_NONE, PHIVE_NONE},
                      "tree: %u nodes, where node 1 is the root", t.count);
}
