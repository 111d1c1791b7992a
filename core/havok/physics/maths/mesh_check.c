/* What a game would stumble over in a mesh. What is out of its array is told and not followed; what is
 * told once of a section is not told of it again. */
#include "havok/physics/maths/mesh_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct checker {
    const hk_mesh *mesh;
    hk_mesh_fault *fault;
    void *user;
    bool enough;
    double slack[3]; /* games compute in float: formats/fo4-collision.md#3.4 */
    arena scratch;
} checker;

/* A place: a section, or HK_MESH_WHOLE, one of its members, one of that one's items. */
static hk_mesh_flaw in(int64_t section, const char *member, uint64_t item)
{
    return (hk_mesh_flaw){.section = section, .member = member, .item = item};
}

static hk_mesh_flaw of(int64_t section, const char *member)
{
    return in(section, member, HK_MESH_ALL);
}

static hk_mesh_flaw odd(int64_t section, const char *member)
{
    hk_mesh_flaw flaw = of(section, member);
    flaw.odd = true;
    return flaw;
}

ERROR_PRINTF(3, 4) static void tell(checker *c, hk_mesh_flaw flaw, const char *fmt, ...)
{
    char text[256];
    va_list args;
    if (c->enough)
        return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    flaw.what = text;
    c->enough = !c->fault(c->user, &flaw);
}

/* ---- trees ---- */

/* One tree, and where its nodes lie. */
typedef struct tree {
    const uint8_t *nodes;
    size_t n_nodes;
    unsigned width;
    uint32_t n_leaves;
    const char *leaf_name;
    int64_t section;
    uint32_t *node_of; /* of each leaf: node + 1, 0 where none was found */
    hk_extent *boxes;  /* of each leaf */
} tree;

typedef struct visit {
    size_t node;
    hk_extent parent;
} visit;

static bool tree_room(checker *c, tree *t, visit **stack, uint8_t **seen)
{
    t->node_of = arena_zalloc(&c->scratch, t->n_leaves * sizeof *t->node_of);
    t->boxes = arena_zalloc(&c->scratch, t->n_leaves * sizeof *t->boxes);
    *stack = arena_zalloc(&c->scratch, (t->n_nodes + 1) * sizeof **stack);
    *seen = arena_zalloc(&c->scratch, t->n_nodes);
    return t->node_of && t->boxes && *stack && *seen;
}

static void reach_leaf(checker *c, tree *t, size_t node, uint32_t leaf, const hk_extent *box)
{
    if (leaf >= t->n_leaves) {
        tell(c, in(t->section, "nodes", node),
             "node %zu of the tree is of %s %" PRIu32 ", but there are %" PRIu32, node,
             t->leaf_name, leaf, t->n_leaves);
    } else if (t->node_of[leaf]) {
        tell(c, in(t->section, "nodes", node),
             "nodes %" PRIu32 " and %zu of the tree are both of %s %" PRIu32, t->node_of[leaf] - 1,
             node, t->leaf_name, leaf);
    } else {
        t->node_of[leaf] = (uint32_t)node + 1;
        t->boxes[leaf] = *box;
    }
}

/* Follows a tree from its root, each node once, and none past those that it can need. False: memory. */
static bool walk(checker *c, tree *t, const hk_extent *root)
{
    visit *stack;
    uint8_t *seen;
    size_t top = 0, full = t->n_leaves > 0 ? 2 * (size_t)t->n_leaves - 1 : 0;
    if (t->n_nodes != full)
        tell(c, t->n_nodes > full ? odd(t->section, "nodes") : of(t->section, "nodes"),
             "the tree has %zu nodes instead of %zu", t->n_nodes, full);
    t->n_nodes = t->n_nodes < full ? t->n_nodes : full;
    if (!tree_room(c, t, &stack, &seen))
        return false;
    if (t->n_nodes > 0)
        stack[top++] = (visit){0, *root};
    while (top > 0 && !c->enough) {
        visit v = stack[--top];
        const uint8_t *node = t->nodes + v.node * t->width;
        hk_extent box = hk_node_extent(node, &v.parent);
        uint32_t number;
        if (!hk_node_inner(node, t->width, &number)) {
            reach_leaf(c, t, v.node, number, &box);
            continue;
        }
        size_t children[2] = {v.node + 2 * (size_t)number, v.node + 1};
        for (unsigned i = 0; i < 2; i++) {
            if (children[i] >= t->n_nodes || number == 0 || seen[children[i]]) {
                tell(c, in(t->section, "nodes", v.node),
                     "node %zu of the tree leads to node %zu, which %s", v.node, children[i],
                     children[i] >= t->n_nodes ? "there is not" : "is another's or its own");
                continue;
            }
            seen[children[i]] = 1; /* so each is on the stack once */
            stack[top++] = (visit){children[i], box};
        }
    }
    return true;
}

static void look_for_lost(checker *c, const tree *t)
{
    for (uint32_t i = 0; i < t->n_leaves; i++)
        if (!t->node_of[i]) {
            tell(c, of(t->section, "nodes"), "no node of the tree leads to %s %" PRIu32,
                 t->leaf_name, i);
            return;
        }
}

/* ---- boxes ---- */

static hk_box box_of(const hk_extent *e)
{
    hk_box b;
    for (unsigned i = 0; i < 3; i++) {
        b.min[i] = (float)e->min[i];
        b.max[i] = (float)e->max[i];
    }
    return b;
}

/* How far, in slacks, `inner` looks out of `outer`: up to 1 is nothing. Infinity for no numbers. */
static double overshoot(const checker *c, const hk_extent *outer, const hk_box *inner)
{
    double most = 0;
    for (unsigned i = 0; i < 3; i++) {
        double low = (outer->min[i] - (double)inner->min[i]) / c->slack[i];
        double high = ((double)inner->max[i] - outer->max[i]) / c->slack[i];
        if (!(low <= 1 && high <= 1))
            return INFINITY;
        most = fmax(most, fmax(low, high));
    }
    return most;
}

/* `what` has bounds; found are those of its vertices. */
static void compare_bounds(checker *c, int64_t section, const float min[3], const float max[3],
                           const hk_box *found)
{
    hk_extent stored = hk_extent_of(min, max), real = hk_extent_of(found->min, found->max);
    hk_box as_box = box_of(&stored);
    if (overshoot(c, &stored, found) > 1)
        tell(c, of(section, "domain"), "triangles protrude from its domain");
    else if (overshoot(c, &real, &as_box) > 1)
        tell(c, odd(section, "domain"), "its domain is larger than its triangles");
}

static void find_slack(checker *c)
{
    const hk_mesh *m = c->mesh;
    for (unsigned i = 0; i < 3; i++) {
        double min = (double)m->min[i], max = (double)m->max[i];
        c->slack[i] = 2e-6 * fmax(max - min, fmax(fabs(min), fabs(max)));
        if (!(c->slack[i] > 1e-30 && c->slack[i] < 1e38))
            c->slack[i] = 1e-30;
    }
}

/* ---- sections ---- */

static bool range_fits(checker *c, size_t section, const char *member, const char *what,
                       uint64_t first, uint64_t n, uint64_t behind, uint64_t size)
{
    if (n > 0 && (first >= size || n > size - first)) {
        tell(c, of((int64_t)section, member),
             "its %s are %" PRIu64 " from %" PRIu64 " on, but there are %" PRIu64, what, n, first,
             size);
        return false;
    }
    if (first != behind)
        tell(c, odd((int64_t)section, member), "its %s begin at %" PRIu64 " instead of %" PRIu64,
             what, first, behind);
    return true;
}

/* Where the section before ends: the game's sections follow each other. */
static bool ranges_fit(checker *c, size_t i)
{
    const hk_mesh *m = c->mesh;
    const hk_packed_section *s = &m->sections[i], none = {0}, *p = i > 0 ? s - 1 : &none;
    bool packed = range_fits(c, i, "first_packed_vertex", "packed vertices", s->first_packed,
                             s->n_packed, (uint64_t)p->first_packed + p->n_packed, m->n_packed);
    bool shared =
        range_fits(c, i, "shared_vertices", "shared vertices", s->first_shared, s->n_shared,
                   (uint64_t)p->first_shared + p->n_shared, m->n_shared_index);
    bool primitives =
        range_fits(c, i, "primitives", "primitives", s->first_primitive, s->n_primitives,
                   (uint64_t)p->first_primitive + p->n_primitives, m->n_primitives);
    bool runs = range_fits(c, i, "data_runs", "data runs", s->first_run, s->n_runs,
                           (uint64_t)p->first_run + p->n_runs, m->n_runs);
    return packed && shared && primitives && runs;
}

static void check_counts(checker *c, size_t i)
{
    const hk_packed_section *s = &c->mesh->sections[i];
    unsigned vertices = s->n_packed + s->n_shared;
    if (s->n_packed != s->n_packed_again)
        tell(c, of((int64_t)i, "num_packed_vertices"),
             "its packed vertices are %u in one place and %u in the other", s->n_packed,
             s->n_packed_again);
    if (vertices > HK_MESH_VERTICES)
        tell(c, of((int64_t)i, "num_shared_indices"), "%u vertices, but %d are the most", vertices,
             HK_MESH_VERTICES);
    if (s->n_primitives > HK_MESH_PRIMITIVES)
        tell(c, of((int64_t)i, "primitives"), "%u primitives, but %d are the most", s->n_primitives,
             HK_MESH_PRIMITIVES);
    if (s->n_primitives == 0)
        tell(c, of((int64_t)i, "primitives"), "it has no primitives");
}

static void check_runs(checker *c, size_t i)
{
    const hk_packed_section *s = &c->mesh->sections[i];
    unsigned next = 0;
    for (unsigned k = 0; k < s->n_runs; k++) {
        const hk_mesh_run *r = &c->mesh->runs[s->first_run + k];
        if (r->index != next || r->count == 0 || r->index + r->count > s->n_primitives) {
            tell(c, in(HK_MESH_WHOLE, "primitive_data_runs", s->first_run + k),
                 "run %u of section %zu is of %u primitives from %u on, where there are %u and %u "
                 "comes "
                 "next",
                 k, i, r->count, r->index, s->n_primitives, next);
            return;
        }
        next += r->count;
    }
    if (next < s->n_primitives)
        tell(c, of((int64_t)i, "data_runs"), "no data run has primitive %u", next);
}

/* The section's vertices; false where a shared one is none. */
static bool find_vertices(checker *c, size_t i, float (*out)[3])
{
    const hk_mesh *m = c->mesh;
    const hk_packed_section *s = &m->sections[i];
    for (unsigned k = 0; k < s->n_packed; k++)
        hk_mesh_unpack(s->parms, m->packed[s->first_packed + k], out[k]);
    for (unsigned k = 0; k < s->n_shared; k++) {
        uint32_t shared = m->shared_index[s->first_shared + k];
        if (shared >= m->n_shared) {
            tell(c, in(HK_MESH_WHOLE, "shared_vertices_index", s->first_shared + k),
                 "section %zu has shared vertex %" PRIu32 ", but there are %zu", i, shared,
                 m->n_shared);
            return false;
        }
        hk_mesh_unshare(m->min, m->max, m->shared[shared], out[s->n_packed + k]);
    }
    return true;
}

/* The boxes of primitives; false where one has a vertex that is none. */
static bool find_boxes(checker *c, size_t i, float (*vertices)[3], hk_box *boxes)
{
    const hk_packed_section *s = &c->mesh->sections[i];
    unsigned n = s->n_packed + s->n_shared;
    bool flat_told = false;
    for (unsigned p = 0; p < s->n_primitives; p++) {
        const uint8_t *q = c->mesh->primitives[s->first_primitive + p];
        boxes[p] = hk_box_none();
        for (unsigned k = 0; k < 4; k++) {
            if (q[k] >= n) {
                tell(c, in(HK_MESH_WHOLE, "primitives", s->first_primitive + p),
                     "primitive %u of section %zu has vertex %u, but there are %u", p, i, q[k], n);
                return false;
            }
            hk_box_add(&boxes[p], vertices[q[k]]);
        }
        bool flat =
            hk_mesh_no_area(vertices[q[0]], vertices[q[1]], vertices[q[2]]) ||
            (hk_mesh_is_quad(q) && hk_mesh_no_area(vertices[q[0]], vertices[q[2]], vertices[q[3]]));
        if (flat && !flat_told)
            tell(c, odd((int64_t)i, "primitives"), "a triangle of primitive %u has no area", p);
        flat_told = flat_told || flat;
    }
    return true;
}

static bool check_tree(checker *c, size_t i, const hk_box *boxes)
{
    const hk_packed_section *s = &c->mesh->sections[i];
    hk_extent root = hk_extent_of(s->min, s->max);
    tree t = {.nodes = s->nodes,
              .n_nodes = s->n_nodes,
              .width = HK_MESH_NODE,
              .n_leaves = s->n_primitives,
              .leaf_name = "primitive",
              .section = (int64_t)i};
    if (!walk(c, &t, &root))
        return false;
    look_for_lost(c, &t);
    for (uint32_t p = 0; p < t.n_leaves; p++)
        if (t.node_of[p] && overshoot(c, &t.boxes[p], &boxes[p]) > 1) {
            tell(c, in(t.section, "nodes", t.node_of[p] - 1),
                 "primitive %" PRIu32 " protrudes from the box of its node %" PRIu32, p,
                 t.node_of[p] - 1);
            break;
        }
    return true;
}

/* Joins what the section takes to *whole; *leaves that out where it is not known. */
static bool check_section(checker *c, size_t i, hk_box *whole)
{
    float vertices[2 * HK_MESH_VERTICES][3];
    hk_box boxes[UINT8_MAX], all = hk_box_none();
    const hk_packed_section *s = &c->mesh->sections[i];
    check_counts(c, i);
    if (!ranges_fit(c, i))
        return true;
    check_runs(c, i);
    if (!find_vertices(c, i, vertices) || !find_boxes(c, i, vertices, boxes))
        return true;
    for (unsigned p = 0; p < s->n_primitives; p++)
        hk_box_join(&all, &boxes[p]);
    hk_box_join(whole, &all);
    if (s->n_primitives > 0)
        compare_bounds(c, (int64_t)i, s->min, s->max, &all);
    return check_tree(c, i, boxes);
}

/* ---- the whole ---- */

static bool check_top(checker *c)
{
    const hk_mesh *m = c->mesh;
    hk_extent root = hk_extent_of(m->min, m->max);
    tree t = {.nodes = m->nodes,
              .n_nodes = m->n_nodes,
              .width = HK_MESH_TOP_NODE,
              .n_leaves = (uint32_t)m->n_sections,
              .leaf_name = "section",
              .section = HK_MESH_WHOLE};
    if (!walk(c, &t, &root))
        return false;
    look_for_lost(c, &t);
    for (uint32_t i = 0; i < t.n_leaves; i++) {
        const hk_packed_section *s = &m->sections[i];
        hk_extent domain = hk_extent_of(s->min, s->max);
        hk_box box = box_of(&domain);
        if (!t.node_of[i])
            continue;
        if (s->leaf != t.node_of[i] - 1)
            tell(c, of(i, "leaf_index"), "its leaf is node %" PRIu32 ", but leafIndex is %u",
                 t.node_of[i] - 1, s->leaf);
        if (overshoot(c, &t.boxes[i], &box) > 1)
            tell(c, in(HK_MESH_WHOLE, "nodes", t.node_of[i] - 1),
                 "section %" PRIu32 " protrudes from the box of its node %" PRIu32, i,
                 t.node_of[i] - 1);
    }
    return true;
}

static void check_bits(checker *c, const char *member, const char *name, const hk_mesh_bits *bits,
                       uint64_t want)
{
    if (bits->bits < 0 || (uint64_t)bits->bits != want)
        tell(c, of(HK_MESH_WHOLE, member), "%s has %" PRId32 " bits instead of %" PRIu64, name,
             bits->bits, want);
    else if (bits->n_words < (want + 31) / 32)
        tell(c, of(HK_MESH_WHOLE, member), "%s has %zu words for %" PRIu64 " bits", name,
             bits->n_words, want);
}

static void check_keys(checker *c)
{
    const hk_mesh *m = c->mesh;
    const hk_packed_section *last = &m->sections[m->n_sections - 1];
    int64_t triangles = 0;
    for (size_t i = 0; i < m->n_primitives; i++)
        triangles += 1 + hk_mesh_is_quad(m->primitives[i]);
    if (m->primitive_keys != triangles)
        tell(c, of(HK_MESH_WHOLE, "num_primitive_keys"),
             "numPrimitiveKeys is %" PRId32 ", but there are %" PRId64 " triangles",
             m->primitive_keys, triangles);
    if (last->n_primitives > m->n_primitives ||
        last->first_primitive > m->n_primitives - last->n_primitives)
        return;
    uint32_t key = last->n_primitives ? hk_mesh_last_key(m, m->n_sections - 1) : m->max_key;
    if (m->max_key != key)
        tell(c, of(HK_MESH_WHOLE, "max_key_value"),
             "maxKeyValue is %" PRIu32 ", but the last key is %" PRIu32, m->max_key, key);
    if (m->bits_per_key != hk_mesh_key_bits(key))
        tell(c, of(HK_MESH_WHOLE, "bits_per_key"), "bitsPerKey is %" PRId32 " instead of %" PRId32,
             m->bits_per_key, hk_mesh_key_bits(key));
    check_bits(c, "quad_is_flat", "quadIsFlat", &m->flat, ((uint64_t)key + 2) / 2);
    check_bits(c, "triangle_is_interior", "triangleIsInterior", &m->interior, (uint64_t)key + 1);
}

/* What no section has, since the last one ends before the array does. */
static void check_ends(checker *c)
{
    const hk_mesh *m = c->mesh;
    const hk_packed_section *s = &m->sections[m->n_sections - 1];
    struct {
        const char *member, *what;
        uint64_t end, size;
    } rows[] = {
        {"packed_vertices", "packed vertices", (uint64_t)s->first_packed + s->n_packed,
         m->n_packed},
        {"shared_vertices_index", "shared indices", (uint64_t)s->first_shared + s->n_shared,
         m->n_shared_index},
        {"primitives", "primitives", (uint64_t)s->first_primitive + s->n_primitives,
         m->n_primitives},
        {"primitive_data_runs", "data runs", (uint64_t)s->first_run + s->n_runs, m->n_runs}};
    for (unsigned i = 0; i < 4; i++)
        if (rows[i].end < rows[i].size)
            tell(c, odd(HK_MESH_WHOLE, rows[i].member),
                 "sections have %" PRIu64 " of %" PRIu64 " %s", rows[i].end, rows[i].size,
                 rows[i].what);
}

lathe_result hk_mesh_check(const hk_mesh *mesh, const mem *m, hk_mesh_fault *fault, void *user)
{
    checker c = {.mesh = mesh, .fault = fault, .user = user};
    hk_box whole = hk_box_none();
    bool ok = true;
    arena_init(&c.scratch, m);
    find_slack(&c);
    if (mesh->n_sections == 0) {
        tell(&c, of(HK_MESH_WHOLE, "sections"), "it has no sections");
        return LATHE_OK;
    }
    if (mesh->n_sections > HK_MESH_SECTIONS) {
        tell(&c, of(HK_MESH_WHOLE, "sections"), "%zu sections, but %d are the most",
             mesh->n_sections, HK_MESH_SECTIONS);
        return LATHE_OK;
    }
    for (size_t i = 0; ok && i < mesh->n_sections && !c.enough; i++) {
        ok = check_section(&c, i, &whole);
        arena_free(&c.scratch);
    }
    if (ok && whole.min[0] <= whole.max[0])
        compare_bounds(&c, HK_MESH_WHOLE, mesh->min, mesh->max, &whole);
    check_ends(&c);
    check_keys(&c);
    ok = ok && check_top(&c);
    arena_free(&c.scratch);
    return ok ? LATHE_OK : LATHE_ERR_MEMORY;
}
