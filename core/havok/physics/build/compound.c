/* Compounds as objects, with the tree of boxes over their instances. Reference: formats/fo4-collision.md#3.5. */
#include "havok/physics/build/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 0x3F000000, FLAGS_COMPOUND = 4, MESH_SIZE = 0x90 };

/* ---- the tree --------------------------------------------------------------------------------------------- */

typedef struct box {
    vec3 low, high;
    uint32_t instance;
} box;

typedef struct node {
    vec3 low, high;
    uint32_t parent, left, right;
} node;

typedef struct tree {
    node *nodes; /* number 0 and the last one are not used */
    size_t count;
    uint32_t *leaves; /* of each instance its node */
} tree;

static vec3 least(vec3 a, vec3 b)
{
    return (vec3){fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)};
}

static vec3 greatest(vec3 a, vec3 b)
{
    return (vec3){fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)};
}

static double middle(const box *b, int axis)
{
    return axis == 0   ? b->low.x + b->high.x
           : axis == 1 ? b->low.y + b->high.y
                       : b->low.z + b->high.z;
}

/* qsort knows no axis: one comparison for each. Equal ones stay in the order of the instances. */
static int compare(const void *a, const void *b, int axis)
{
    const box *p = a, *q = b;
    double x = middle(p, axis), y = middle(q, axis);
    if (x != y)
        return x < y ? -1 : 1;
    return p->instance < q->instance ? -1 : p->instance > q->instance;
}

static int by_x(const void *a, const void *b)
{
    return compare(a, b, 0);
}

static int by_y(const void *a, const void *b)
{
    return compare(a, b, 1);
}

static int by_z(const void *a, const void *b)
{
    return compare(a, b, 2);
}

/* A node for n boxes, and those below it right behind it: halves along the longest side, so it is as deep as n has
 * bits. */
static uint32_t put_boxes(tree *t, box *boxes, size_t n, uint32_t parent)
{
    uint32_t number = (uint32_t)++t->count;
    node *at = &t->nodes[number];
    *at = (node){boxes[0].low, boxes[0].high, parent, 0, 0};
    for (size_t i = 1; i < n; i++) {
        at->low = least(at->low, boxes[i].low);
        at->high = greatest(at->high, boxes[i].high);
    }
    if (n == 1) {
        at->right = boxes[0].instance;
        t->leaves[boxes[0].instance] = number;
        return number;
    }
    vec3 size = vec3_sub(at->high, at->low);
    bool x = size.x >= size.y && size.x >= size.z;
    qsort(boxes, n, sizeof *boxes, x ? by_x : size.y >= size.z ? by_y : by_z);
    at->left = put_boxes(t, boxes, n / 2, number);
    at->right = put_boxes(t, boxes + n / 2, n - n / 2, number);
    return number;
}

static bool make_tree(hk_values *v, const hk_solid *s, tree *t)
{
    box *boxes = arena_zalloc(&v->arena, s->count * sizeof *boxes);
    *t = (tree){.nodes = arena_zalloc(&v->arena, (2 * s->count + 1) * sizeof *t->nodes),
                .leaves = arena_zalloc(&v->arena, s->count * sizeof *t->leaves)};
    if (!boxes || !t->nodes || !t->leaves) {
        v->failed = true;
        return false;
    }
    for (size_t i = 0; i < s->count; i++) {
        hk_solid_reach(&s->children[i], &boxes[i].low, &boxes[i].high);
        boxes[i].instance = (uint32_t)i;
    }
    put_boxes(t, boxes, s->count, 0);
    return true;
}

/* Down or up to the next float, where it is none: what is in the box stays in it. */
static double outward(double f, bool up)
{
    float near = (float)f;
    if (up ? (double)near < f : (double)near > f)
        near = nextafterf(near, up ? INFINITY : -INFINITY);
    return (double)near;
}

static void put_corner(hk_values *v, hk_node *to, const char *name, vec3 p, bool up)
{
    hk_node *list = hk_put_list(v, to, name);
    hk_put_real(v, list, NULL, outward(p.x, up));
    hk_put_real(v, list, NULL, outward(p.y, up));
    hk_put_real(v, list, NULL, outward(p.z, up));
}

static int64_t put_tree(hk_builder *b, const tree *t, size_t leaves)
{
    hk_values *v = &b->values;
    int64_t number;
    hk_node *data = hk_build_object(b, "hknpDynamicCompoundShapeData", &number);
    hk_node *list = hk_put_list(v, data, "nodes");
    for (size_t i = 0; i < 2 * leaves + 1; i++) {
        const node *n = &t->nodes[i];
        hk_node *to = hk_put_table(v, list, NULL), *low;
        if (i == 0 || i == 2 * leaves)
            continue;
        low = hk_put_table(v, to, "min");
        hk_put_real(v, low, "x", outward(n->low.x, false));
        hk_put_real(v, low, "y", outward(n->low.y, false));
        hk_put_real(v, low, "z", outward(n->low.z, false));
        hk_put_int(v, low, "w", TAG | (int64_t)n->parent);
        put_corner(v, to, "max", n->high, true);
        hk_put_int(v, to, "left", n->left);
        hk_put_int(v, to, "right", n->right);
    }
    hk_put_int(v, data, "first_free", (int64_t)(2 * leaves));
    hk_put_int(v, data, "num_leaves", (int64_t)leaves);
    return number;
}

/* ---- instances -------------------------------------------------------------------------------------------- */

static size_t up_to(size_t n, size_t align)
{
    return (n + align - 1) / align * align;
}

/* Bytes of a shape as it is stored. */
static size_t size_of(const hk_solid *s)
{
    const hk_convex *c = &s->convex;
    switch (s->kind) {
    case HK_SOLID_HULL: break;
    case HK_SOLID_SPHERE: return 0x80;
    case HK_SOLID_CAPSULE: return 0x1B0;
    default: return MESH_SIZE;
    }
    size_t faces = 0x50 + 16 * (c->vertex_count + c->plane_count) + 4 * c->face_count;
    return up_to(up_to(faces, 16) + c->index_count, 16);
}

static void put_column(hk_values *v, hk_node *transform, const char *name, vec3 p, int64_t w)
{
    hk_node *to = hk_put_list(v, transform, name);
    hk_put_real(v, to, NULL, p.x);
    hk_put_real(v, to, NULL, p.y);
    hk_put_real(v, to, NULL, p.z);
    hk_put_int(v, to, NULL, w);
}

static void put_instance(hk_builder *b, hk_node *list, const hk_solid *child, uint32_t leaf)
{
    enum { REST = 0x40, MOVED = 0x42, TURNED = 0x46 };
    hk_values *v = &b->values;
    quat q = child->turn;
    bool turned = q.x != 0 || q.y != 0 || q.z != 0, moved = vec3_length(child->move) > 0;
    hk_node *to = hk_put_table(v, list, NULL), *transform = hk_put_table(v, to, "transform");
    put_column(v, transform, "column0", quat_rotate(q, (vec3){1, 0, 0}),
               TAG | (turned  ? TURNED
                      : moved ? MOVED
                              : REST));
    put_column(v, transform, "column1", quat_rotate(q, (vec3){0, 1, 0}), 0);
    put_column(v, transform, "column2", quat_rotate(q, (vec3){0, 0, 1}),
               TAG | (int64_t)size_of(child));
    put_column(v, transform, "translation", child->move, TAG | (int64_t)leaf);
    hk_put_int(v, to, "shape", hk_build_shape(b, child));
}

static int64_t bits_of(size_t n)
{
    int64_t bits = 0;
    for (; n; n >>= 1)
        bits++;
    return bits;
}

/* The number in w of the box is not decoded: 1 for 2 and 3 instances, 2 for 4, 3 for 10. */
static void put_box(hk_values *v, hk_node *shape, const hk_solid *s)
{
    hk_node *to = hk_put_table(v, shape, "aabb"), *low = hk_put_list(v, to, "min");
    const double high[] = {outward(s->high.x, true), outward(s->high.y, true),
                           outward(s->high.z, true), 0};
    hk_put_real(v, low, NULL, outward(s->low.x, false));
    hk_put_real(v, low, NULL, outward(s->low.y, false));
    hk_put_real(v, low, NULL, outward(s->low.z, false));
    hk_put_int(v, low, NULL, TAG | (bits_of(s->count) - 1));
    hk_put_reals(v, to, "max", high, 4);
}

int64_t hk_build_compound(hk_builder *b, const hk_solid *s)
{
    hk_values *v = &b->values;
    int64_t number;
    tree t;
    hk_node *shape = hk_build_base(b, s, "hknpDynamicCompoundShape", FLAGS_COMPOUND, &number);
    if (!make_tree(v, s, &t))
        return number;
    hk_put_int(v, shape, "num_shape_key_bits", bits_of(s->count));
    hk_build_composite(b, shape);
    hk_node *instances = hk_put_list(v, shape, "instances");
    for (size_t i = 0; i < s->count; i++)
        put_instance(b, instances, &s->children[i], t.leaves[i]);
    put_box(v, shape, s);
    hk_put_int(v, shape, "data", put_tree(b, &t, s->count));
    return number;
}
