/* Compounds and the trees over their instances. Reference: formats/fo4-collision.md#3.5. */
#include "havok/physics/check.h"

#include "havok/physics/convex.h"

#include <inttypes.h>
#include <math.h>

enum { NODE = 32, TAG = 0x3F000000, MESH_SIZE = 0x90 };
enum { AT_REST = 0x40, MOVED = 0x42, TURNED = 0x46 };

typedef struct compound {
    hk_looker *k;
    const rec_at *shape;
    rec_at data;
    bytes_array nodes;
    uint64_t instances;
    bool big;
    uint32_t *node_of; /* of each instance: its leaf, 0 where none was found */
    uint8_t *seen;     /* of each node */
    uint32_t *stack;
    bool lost; /* an instance has no leaf, which was told */
} compound;

typedef struct node {
    hk_bounds box;
    uint32_t parent, left, right;
} node;

#define TREE(of, level, i, ...)                                                                    \
    HK_FINDING((of)->k->report, level, &(of)->data, "nodes", i, __VA_ARGS__)

static node node_at(const compound *c, uint32_t i)
{
    const uint8_t *p = c->nodes.bytes + (size_t)NODE * i;
    return (node){.box = hk_bounds_at(p, 16, c->big),
                  .parent = bytes_ld32(p + 12, c->big),
                  .left = bytes_ld16(p + 28, c->big),
                  .right = bytes_ld16(p + 30, c->big)};
}

/* ---- the tree --------------------------------------------------------------------------------------------- */

/* Whether a child can be followed. */
static bool check_child(compound *c, uint32_t i, uint32_t child)
{
    if (child >= c->nodes.count || !child || c->seen[child]) {
        TREE(c, LATHE_LEVEL_ERROR, i, "its child is node %" PRIu32 ", which %s", child,
             child >= c->nodes.count ? "there is not"
             : child                 ? "is another's or its own"
                                     : "is no node of the tree");
        return false;
    }
    node above = node_at(c, i), below = node_at(c, child);
    c->seen[child] = 1;
    if (below.parent != (TAG | i))
        TREE(c, LATHE_LEVEL_ERROR, child,
             "node %" PRIu32 " leads to it, but w of its min says 0x%08" PRIx32, i, below.parent);
    double out = hk_looks_out(&above.box, &below.box);
    if (out > 0)
        TREE(c, LATHE_LEVEL_ERROR, child,
             "it protrudes from the box of its parent, node %" PRIu32 ", by %.3g m", i, out);
    return true;
}

static void check_leaf(const compound *c, uint32_t i, uint32_t instance)
{
    if (instance >= c->instances)
        TREE(c, LATHE_LEVEL_ERROR, i, "it is of instance %" PRIu32 ", but there are %" PRIu64,
             instance, c->instances);
    else if (c->node_of[instance])
        TREE(c, LATHE_LEVEL_ERROR, i, "it is of instance %" PRIu32 ", as node %" PRIu32 " is",
             instance, c->node_of[instance]);
    else
        c->node_of[instance] = i;
}

/* Each node once: without recursion, as files say how deep it goes. */
static void walk(compound *c, uint32_t root)
{
    uint32_t top = 0;
    c->stack[top++] = root;
    c->seen[root] = 1;
    while (top && !c->k->report->stopped) {
        uint32_t i = c->stack[--top];
        node n = node_at(c, i);
        if (!n.left) {
            check_leaf(c, i, n.right);
            continue;
        }
        if (check_child(c, i, n.right))
            c->stack[top++] = n.right;
        if (check_child(c, i, n.left))
            c->stack[top++] = n.left;
    }
}

static void check_box(const compound *c, uint32_t root)
{
    uint32_t slot = rec_slot_find(c->shape->layout, "aabb");
    const uint8_t *p = c->k->doc->parts[c->shape->part].data + c->shape->off;
    hk_bounds box = hk_bounds_at(p + c->shape->layout->slots[slot].off, 16, c->big);
    node n = node_at(c, root);
    double out = hk_looks_out(&box, &n.box);
    if (out > 0)
        HK_FINDING(c->k->report, LATHE_LEVEL_ERROR, c->shape, "aabb", REC_NO_ITEM,
                   "the tree protrudes from it by %.3g m", out);
}

static void check_counts(const compound *c)
{
    uint64_t want = 2 * c->instances + 1;
    uint32_t leaves = (uint32_t)rec_int(&c->data, "num_leaves");
    uint64_t unused = (uint64_t)rec_int(&c->data, "first_free");
    if (c->nodes.count != want)
        HK_FINDING(c->k->report, c->nodes.count < want ? LATHE_LEVEL_ERROR : LATHE_LEVEL_WARNING,
                   &c->data, "nodes", REC_NO_ITEM,
                   "%" PRIu64 " nodes, but %" PRIu64 " instances need %" PRIu64, c->nodes.count,
                   c->instances, want);
    else if (unused != want - 1)
        HK_FINDING(c->k->report, LATHE_LEVEL_WARNING, &c->data, "first_free", REC_NO_ITEM,
                   "node %" PRIu64 " instead of the last one, %" PRIu64, unused, want - 1);
    if (leaves != c->instances)
        HK_FINDING(c->k->report, LATHE_LEVEL_ERROR, &c->data, "num_leaves", REC_NO_ITEM,
                   "%" PRIu32 " leaves for %" PRIu64 " instances", leaves, c->instances);
}

static void check_tree(compound *c)
{
    uint32_t root = (uint32_t)rec_int(&c->data, "root");
    check_counts(c);
    if (!c->instances)
        return;
    if (!root || root >= c->nodes.count) {
        HK_FINDING(c->k->report, LATHE_LEVEL_ERROR, &c->data, "root", REC_NO_ITEM,
                   "node %" PRIu32 " is no node of the tree", root);
        return;
    }
    walk(c, root);
    check_box(c, root);
}

/* ---- instances -------------------------------------------------------------------------------------------- */

static bool is_scaled(const rec_at *instance)
{
    double scale[3] = {1, 1, 1};
    lathe_result r = hk_get_lanes(instance, "scale", 3, scale, NULL);
    return r == LATHE_OK && (scale[0] != 1 || scale[1] != 1 || scale[2] != 1);
}

static bool unit_columns(const mat4 *m)
{
    vec3 x = {m->m[0][0], m->m[0][1], m->m[0][2]}, y = {m->m[1][0], m->m[1][1], m->m[1][2]},
         z = {m->m[2][0], m->m[2][1], m->m[2][2]};
    const double lanes[] = {vec3_dot(x, x) - 1, vec3_dot(y, y) - 1, vec3_dot(z, z) - 1,
                            vec3_dot(x, y),     vec3_dot(y, z),     vec3_dot(z, x)};
    for (unsigned i = 0; i < 6; i++)
        if (!(fabs(lanes[i]) < 1e-3))
            return false;
    return true;
}

static uint32_t kind_of(const mat4 *m)
{
    mat4 none = mat4_identity();
    uint32_t kind = AT_REST;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned r = 0; r < 3; r++)
            if (m->m[c][r] != none.m[c][r] && kind != TURNED)
                kind = c < 3 ? TURNED : MOVED;
    return kind;
}

/* Whole numbers in w of the transform: 0 column0, 2 column2, 3 translation. */
static uint32_t word_at(const compound *c, const rec_at *instance, unsigned column)
{
    const uint8_t *p = c->k->doc->parts[instance->part].data + instance->off;
    uint32_t slot = rec_slot_find(instance->layout, "transform");
    return bytes_ld32(p + instance->layout->slots[slot].off + 16 * (size_t)column + 12, c->big);
}

static void check_words(const compound *c, const rec_at *instance, const rec_at *child,
                        const mat4 *place)
{
    const rec_type *type = child->layout->type;
    uint32_t size = type == &hknp_compressed_mesh_shape
                        ? MESH_SIZE
                        : (uint32_t)c->k->doc->parts[child->part].size;
    uint32_t said = word_at(c, instance, 2), kind = word_at(c, instance, 0);
    bool known =
        hk_object_described(c->k->doc, child->part) && type != &hknp_dynamic_compound_shape;
    if (known && said != (TAG | size))
        HK_FINDING(c->k->report, LATHE_LEVEL_WARNING, instance, "transform", REC_NO_ITEM,
                   "w of column2 is 0x%08" PRIx32 ", but its shape has 0x%" PRIx32 " bytes", said,
                   size);
    if (kind != (TAG | kind_of(place)))
        HK_FINDING(c->k->report, LATHE_LEVEL_WARNING, instance, "transform", REC_NO_ITEM,
                   "w of column0 is 0x%08" PRIx32 " where it would be 0x%08" PRIx32, kind,
                   TAG | kind_of(place));
}

static void check_place(const compound *c, const rec_at *instance, uint32_t leaf,
                        const rec_at *child, const mat4 *place)
{
    hk_bounds box;
    if (!leaf || !hk_shape_bounds(c->k, child, place, &box))
        return;
    node n = node_at(c, leaf);
    double out = hk_looks_out(&n.box, &box);
    if (out > 0)
        TREE(c, LATHE_LEVEL_ERROR, leaf,
             "its instance, number %" PRIu64 ", protrudes from its box by %.3g m", instance->index,
             out);
}

static void check_instance(compound *c, uint64_t i)
{
    rec_at instance;
    uint32_t slot = rec_slot_find(c->shape->layout, "instances");
    if (rec_sub(c->shape, slot, i, &instance, NULL) != LATHE_OK)
        return;
    uint32_t part = hk_target(&instance, "shape", 0), leaf = c->node_of ? c->node_of[i] : 0;
    if (part == REC_NO_PART) {
        HK_FINDING(c->k->report, LATHE_LEVEL_ERROR, &instance, "shape", REC_NO_ITEM, "no shape");
        return;
    }
    mat4 place = hk_instance_place(&instance);
    rec_at child = hk_object(c->k->doc, part);
    if (is_scaled(&instance))
        HK_FINDING(c->k->report, LATHE_LEVEL_WARNING, &instance, "scale", REC_NO_ITEM,
                   "it is not 1: no file that was looked at has such");
    else if (!unit_columns(&place))
        HK_FINDING(c->k->report, LATHE_LEVEL_WARNING, &instance, "transform", REC_NO_ITEM,
                   "its columns are not those of a rotation alone");
    else
        check_words(c, &instance, &child, &place);
    check_place(c, &instance, leaf, &child, &place);
    if (!c->node_of)
        return;
    if (!leaf && !c->lost)
        HK_FINDING(c->k->report, LATHE_LEVEL_ERROR, c->shape, "instances", i,
                   "no node of the tree leads to it");
    c->lost = c->lost || !leaf;
    if (leaf && word_at(c, &instance, 3) != (TAG | leaf))
        HK_FINDING(c->k->report, LATHE_LEVEL_ERROR, &instance, "transform", REC_NO_ITEM,
                   "its leaf is node %" PRIu32 ", but w of translation says 0x%08" PRIx32, leaf,
                   word_at(c, &instance, 3));
}

/* ---- the whole -------------------------------------------------------------------------------------------- */

static void check_key_bits(const compound *c)
{
    int64_t bits = rec_int(c->shape, "num_shape_key_bits"), want = 0;
    while (c->instances >> want)
        want++;
    if (bits != want)
        HK_FINDING(c->k->report, LATHE_LEVEL_ERROR, c->shape, "num_shape_key_bits", REC_NO_ITEM,
                   "%lld bits for keys of %" PRIu64 " instances, which take %lld", (long long)bits,
                   c->instances, (long long)want);
}

static bool find_nodes(compound *c)
{
    uint32_t part = hk_target(c->shape, "data", 0);
    if (part == REC_NO_PART) {
        HK_FINDING(c->k->report, LATHE_LEVEL_ERROR, c->shape, "data", REC_NO_ITEM, "no tree");
        return false;
    }
    c->data = hk_object(c->k->doc, part);
    if (c->data.layout->type != &hknp_dynamic_compound_shape_data)
        return false;
    uint32_t slot = rec_slot_find(c->data.layout, "nodes");
    return rec_slot_of(&c->data, slot)->elem == NODE &&
           hk_array_of(&c->data, "nodes", &c->nodes, NULL) == LATHE_OK &&
           hk_may_look(c->k, c->shape, NODE * c->nodes.count);
}

void hk_check_compound(hk_looker *k, const rec_at *shape)
{
    arena room;
    compound c = {.k = k,
                  .shape = shape,
                  .instances = hk_length(shape, "instances"),
                  .big = k->doc->containers[k->c].big};
    arena_init(&room, &k->doc->mem);
    check_key_bits(&c);
    if (!c.instances)
        HK_FINDING(k->report, LATHE_LEVEL_ERROR, shape, "instances", REC_NO_ITEM,
                   "a compound of nothing");
    if (find_nodes(&c)) {
        c.seen = arena_zalloc(&room, (size_t)c.nodes.count + 1);
        c.stack = arena_zalloc(&room, ((size_t)c.nodes.count + 2) * sizeof *c.stack);
        uint32_t *node_of = arena_zalloc(&room, ((size_t)c.instances + 1) * sizeof *node_of);
        if (c.seen && c.stack && node_of) {
            c.node_of = node_of;
            check_tree(&c);
        }
    }
    for (uint64_t i = 0; i < c.instances && !k->report->stopped; i++)
        check_instance(&c, i);
    arena_free(&room);
}
