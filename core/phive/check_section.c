/* Checks the sections of a mesh shape: vertices, primitives, interior bits, and the tree of each. */
#include "phive/check.h"

enum { AT_ONCE = 256, BOX_NODES = 256 }; /* node numbers are bytes */

typedef struct section {
    phive_checker *k;
    uint32_t i;
    phive_section s;
    float vertices[3 * AT_ONCE]; /* the first of them, which primitives can refer to */
    bool placed;                 /* all have a position, so boxes of the tree can be checked */
    uint8_t state[BOX_NODES], reached[PHIVE_PRIMITIVES];
    phive_step stack[BOX_NODES];
    uint32_t entered, primitives_left;
} section;

static const char *const axes = "xyz";

static phive_spot spot(const section *x, uint64_t at, const char *field, uint32_t item)
{
    return (phive_spot){at, field, x->i, item};
}

/* A field of the section's own record. */
static phive_spot own(const section *x, uint32_t at, const char *field)
{
    return spot(x, x->k->r.sections.at + (uint64_t)x->i * x->k->r.l->section.size + at, field,
                PHIVE_NONE);
}

static const char *vertices_name(const section *x)
{
    return x->k->r.l->variant == PHIVE_V21 ? "quantized_vertices" : "vertex_buffer";
}

/* ---- numbers --------------------------------------------------------------------------------------------- */

static void check_numbers(section *x)
{
    const phive_layout *l = x->k->r.l;
    x->placed = x->k->placed || x->s.floats;
    for (uint32_t i = 0; i < 3; i++) {
        phive_spot at = own(x, l->cell + 4 * i, "bit_scale8_inv");
        float cell = x->s.cell[i];
        x->placed = x->placed && phive_finite(cell) && cell > 0;
        if (phive_finite(cell) && cell <= 0) /* values that are not finite are reported elsewhere */
            phive_finding(x->k, LATHE_LEVEL_WARNING, at, "section %u: bitScale8Inv is %s on %c",
                          x->i, cell == 0 ? "zero" : "negative", axes[i]);
        if (!x->s.floats && x->s.origin[i] > INT32_MAX - UINT16_MAX)
            phive_finding(x->k, LATHE_LEVEL_WARNING, own(x, l->origin + 4 * i, "section_offset"),
                          "section %u: sectionOffset %d on %c: vertices overflow 32 bits", x->i,
                          (int)x->s.origin[i], axes[i]);
    }
}

/* ---- vertices ---------------------------------------------------------------------------------------------- */

static void check_finite(section *x, const float *rows, uint32_t from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const float *v = rows + 3 * (size_t)i;
        if (phive_finite(v[0]) && phive_finite(v[1]) && phive_finite(v[2]))
            continue;
        phive_finding(
            x->k, LATHE_LEVEL_ERROR,
            spot(x, x->s.vertices.at + 12 * (uint64_t)(from + i), vertices_name(x), PHIVE_NONE),
            "section %u: vertex %u is no finite number", x->i, from + i);
        x->placed = false;
        return;
    }
}

static void widen(phive_box3 *box, const float lo[3], const float hi[3])
{
    for (int i = 0; i < 3; i++) {
        box->lo[i] = lo[i] < box->lo[i] ? lo[i] : box->lo[i];
        box->hi[i] = hi[i] > box->hi[i] ? hi[i] : box->hi[i];
    }
}

/* Checks the bytes behind the last vertex: in some sections of V22 and V23 there are two, so that the last
 * vertex can be read as 8 bytes. */
static void check_rest(section *x)
{
    uint32_t elem = x->k->r.l->vertex.size, each = x->s.floats ? 12 : 6;
    uint64_t rest = (uint64_t)x->s.vertices.count * elem % each;
    if (elem == 1 && rest && rest != 2)
        phive_finding(x->k, LATHE_LEVEL_WARNING, own(x, x->k->r.l->vertices, vertices_name(x)),
                      "section %u: %u bytes of vertices, each takes %u: %llu are left over", x->i,
                      x->s.vertices.count, each, (unsigned long long)rest);
}

static void check_vertices(section *x)
{
    float rows[3 * AT_ONCE], lo[3], hi[3];
    phive_looked *looked = &x->k->sections[x->i];
    uint32_t n = x->s.vertex_count;
    check_rest(x);
    for (uint32_t from = 0; from < n; from += AT_ONCE) {
        uint32_t here = n - from < AT_ONCE ? n - from : AT_ONCE;
        float *to = from ? rows : x->vertices;
        phive_vertices(&x->k->r, &x->s, from, here, to);
        if (x->s.floats)
            check_finite(x, to, from, here);
        phive_box(to, here, lo, hi);
        if (!from)
            memcpy(looked->box.lo, lo, sizeof lo), memcpy(looked->box.hi, hi, sizeof hi);
        widen(&looked->box, lo, hi);
    }
    if (n > AT_ONCE)
        phive_finding(x->k, LATHE_LEVEL_WARNING, own(x, x->k->r.l->vertices, vertices_name(x)),
                      "section %u: %u vertices, primitives can name the first 256", x->i, n);
    looked->boxed = n && x->placed;
}

/* ---- primitives -------------------------------------------------------------------------------------------- */

static bool corners_there(const section *x, uint32_t p)
{
    const uint8_t *c = phive_primitive(&x->s, p);
    uint32_t n = x->s.vertex_count;
    return c[0] < n && c[1] < n && c[2] < n && c[3] < n;
}

static void check_primitives(section *x)
{
    for (uint32_t p = 0; p < x->s.primitives.count; p++) {
        const uint8_t *c = phive_primitive(&x->s, p);
        for (unsigned i = 0; i < 4; i++)
            if (c[i] >= x->s.vertex_count) {
                phive_finding(x->k, LATHE_LEVEL_ERROR,
                              spot(x, x->s.primitives.at + 4 * (uint64_t)p, "primitives", p),
                              "section %u primitive %u uses vertex %u of %u", x->i, p, c[i],
                              x->s.vertex_count);
                break;
            }
    }
}

/* Checks that keys have enough bits for the number of primitives. */
static void check_key(section *x)
{
    uint32_t n = x->s.primitives.count, room = 1u << (x->k->r.shift - 1);
    if (n > room)
        phive_finding(x->k, LATHE_LEVEL_ERROR, own(x, x->k->r.l->primitives, "primitives"),
                      "section %u: %u primitives, keys of %u bits have room for %u", x->i, n,
                      x->k->r.data[x->k->r.l->key_bits], room);
}

static void check_bits(section *x)
{
    uint32_t n = x->s.primitives.count, each = x->k->r.l->variant == PHIVE_V21 ? 1 : 2;
    uint32_t have = x->s.bits.count, should = (each * n + 7) / 8;
    if (have != should) {
        phive_finding(x->k, LATHE_LEVEL_WARNING,
                      own(x, x->k->r.l->bits, "interior_primitive_bit_field"),
                      "section %u: interior bit field has %u byte%s for %u primitives, %u expected",
                      x->i, have, have == 1 ? "" : "s", n, should);
        return;
    }
    if (each * n % 8 && x->s.bits.p[have - 1] >> each * n % 8)
        phive_finding(x->k, LATHE_LEVEL_WARNING,
                      spot(x, x->s.bits.at + have - 1, "interior_primitive_bit_field", have - 1),
                      "section %u: interior bits behind the last primitive", x->i);
    for (uint32_t p = 0; each == 2 && p < n; p++) {
        const uint8_t *c = phive_primitive(&x->s, p);
        unsigned bit = 2 * p + 1;
        if (c[2] == c[3] && x->s.bits.p[bit / 8] >> bit % 8 & 1)
            phive_finding(x->k, LATHE_LEVEL_WARNING,
                          spot(x, x->s.bits.at + bit / 8, "interior_primitive_bit_field", bit / 8),
                          "section %u primitive %u: a second interior bit, it is one triangle",
                          x->i, p);
    }
}

/* ---- the tree ---------------------------------------------------------------------------------------------- */

static const uint8_t *node_at(const section *x, uint32_t node)
{
    return x->s.nodes.p + (size_t)node * x->k->r.l->box_node.size;
}

static phive_spot node_spot(const section *x, uint32_t node, uint32_t at)
{
    return spot(x, x->s.nodes.at + (uint64_t)node * x->k->r.l->box_node.size + at, "section_bvh",
                node);
}

static bool is_leaf(const section *x, uint32_t node)
{
    const uint8_t *data = node_at(x, node) + x->k->r.l->box_data;
    return data[2] > data[3];
}

static uint8_t byte_of(const section *x, uint32_t node, unsigned side, unsigned lane)
{
    return node_at(x, node)[x->k->r.l->bytes[side] + lane];
}

static bool valid(const section *x, uint32_t node, unsigned lane)
{
    return byte_of(x, node, 0, lane) <= byte_of(x, node, 1, lane);
}

static void check_lane_primitive(section *x, uint32_t node, unsigned lane, uint32_t p)
{
    const phive_layout *l = x->k->r.l;
    phive_box3 box, corners;
    if (x->reached[p]++)
        phive_finding(x->k, LATHE_LEVEL_WARNING, node_spot(x, node, l->box_data + lane),
                      "section %u BVH node %u lane %u: primitive %u is reached twice", x->i, node,
                      lane, p);
    else
        x->primitives_left--;
    x->reached[p] = 1;
    if (!x->placed || !corners_there(x, p))
        return;
    const uint8_t *c = phive_primitive(&x->s, p);
    for (unsigned i = 0; i < 3; i++) {
        box.lo[i] = (float)(x->s.cell_origin[i] + byte_of(x, node, 2 * i, lane)) * x->s.cell[i];
        box.hi[i] = (float)(x->s.cell_origin[i] + byte_of(x, node, 2 * i + 1, lane)) * x->s.cell[i];
        corners.lo[i] = corners.hi[i] = x->vertices[3 * c[0] + i];
    }
    for (unsigned i = 1; i < 4; i++)
        widen(&corners, x->vertices + 3 * c[i], x->vertices + 3 * c[i]);
    int axis = phive_leaves(&corners, &box);
    if (axis >= 0)
        phive_finding(x->k, LATHE_LEVEL_WARNING, node_spot(x, node, l->bytes[2 * axis] + lane),
                      "section %u BVH node %u lane %u: primitive %u leaves its box on %c: %.9g .. "
                      "%.9g of %.9g .. %.9g",
                      x->i, node, lane, p, axes[axis], (double)corners.lo[axis],
                      (double)corners.hi[axis], (double)box.lo[axis], (double)box.hi[axis]);
}

/* Checks that a lane contains the lanes of the node that it refers to. */
static void check_lane_node(section *x, uint32_t node, unsigned lane, uint32_t child)
{
    for (unsigned i = 0; i < PHIVE_LANES; i++) {
        if (!valid(x, child, i))
            continue;
        for (unsigned axis = 0; axis < 3; axis++)
            if (byte_of(x, child, 2 * axis, i) < byte_of(x, node, 2 * axis, lane) ||
                byte_of(x, child, 2 * axis + 1, i) > byte_of(x, node, 2 * axis + 1, lane)) {
                phive_finding(
                    x->k, LATHE_LEVEL_WARNING,
                    node_spot(x, node, x->k->r.l->bytes[2 * axis] + lane),
                    "section %u BVH node %u lane %u: lane %u of node %u leaves its box on "
                    "%c",
                    x->i, node, lane, i, child, axes[axis]);
                return;
            }
    }
}

static void check_lane(section *x, uint32_t node, unsigned lane)
{
    const phive_layout *l = x->k->r.l;
    bool leaf = is_leaf(x, node);
    uint32_t data = node_at(x, node)[l->box_data + lane];
    uint32_t n = leaf ? x->s.primitives.count : x->s.nodes.count;
    for (unsigned axis = 1; axis < 3; axis++)
        if (byte_of(x, node, 2 * axis, lane) > byte_of(x, node, 2 * axis + 1, lane))
            phive_finding(x->k, LATHE_LEVEL_WARNING, node_spot(x, node, l->bytes[2 * axis] + lane),
                          "section %u BVH node %u lane %u: its box is inside out on %c", x->i, node,
                          lane, axes[axis]);
    if (data >= n)
        phive_finding(x->k, LATHE_LEVEL_ERROR, node_spot(x, node, l->box_data + lane),
                      "section %u BVH node %u lane %u names %s %u, there are %u", x->i, node, lane,
                      leaf ? "primitive" : "node", data, n);
    else if (leaf)
        check_lane_primitive(x, node, lane, data);
    else if (data != node)
        check_lane_node(x, node, lane, data);
}

static void enter(void *user, uint32_t node, uint32_t parent)
{
    section *x = user;
    (void)parent;
    x->entered++;
    for (unsigned lane = 0; lane < PHIVE_LANES; lane++)
        if (valid(x, node, lane))
            check_lane(x, node, lane);
}

static uint32_t child_of(void *user, uint32_t node, unsigned lane)
{
    section *x = user;
    uint32_t data = node_at(x, node)[x->k->r.l->box_data + lane];
    bool there = valid(x, node, lane) && !is_leaf(x, node) && data < x->s.nodes.count;
    return there ? data : PHIVE_NONE;
}

static void again(void *user, uint32_t node, unsigned lane, uint32_t child, bool cycle)
{
    section *x = user;
    phive_spot at = node_spot(x, node, x->k->r.l->box_data + lane);
    if (node == child)
        phive_finding(x->k, LATHE_LEVEL_ERROR, at,
                      "cycle or self reference in section %u BVH: node %u lane %u leads to itself",
                      x->i, node, lane);
    else if (cycle)
        phive_finding(
            x->k, LATHE_LEVEL_ERROR, at,
            "cycle or self reference in section %u BVH: node %u lane %u leads back to node "
            "%u",
            x->i, node, lane, child);
    else
        phive_finding(x->k, LATHE_LEVEL_ERROR, at,
                      "section %u BVH node %u lane %u leads to node %u, as another one does", x->i,
                      node, lane, child);
}

static void check_tree(section *x)
{
    phive_walk walk = {x, x->state, x->stack, enter, child_of, again, NULL};
    uint32_t n = x->s.nodes.count, primitives = x->s.primitives.count;
    phive_spot at = own(x, x->k->r.l->bvh, "section_bvh");
    memset(x->state, 0, sizeof x->state);
    memset(x->reached, 0, sizeof x->reached);
    x->entered = 0;
    x->primitives_left = primitives;
    if (!n && primitives)
        phive_finding(x->k, LATHE_LEVEL_ERROR, at,
                      "section %u: a BVH without nodes, of %u primitives", x->i, primitives);
    if (!n)
        return;
    phive_walk_from(&walk, 0);
    if (x->entered < n)
        phive_finding(x->k, LATHE_LEVEL_WARNING, at,
                      "section %u BVH: %u of %u nodes are not reached", x->i, n - x->entered, n);
    uint32_t first = 0;
    while (first < primitives && x->reached[first])
        first++;
    if (x->primitives_left)
        phive_finding(x->k, LATHE_LEVEL_WARNING,
                      spot(x, x->s.primitives.at + 4 * (uint64_t)first, "primitives", first),
                      "section %u BVH: %u of %u primitives are not reached, %u is the first", x->i,
                      x->primitives_left, primitives, first);
}

/* ---- all sections ------------------------------------------------------------------------------------------ */

/* False if sections use more bytes than there are. They share data then, and checking all of it could take
 * too long. */
static bool spend(section *x)
{
    const phive_layout *l = x->k->r.l;
    uint64_t bytes = (uint64_t)x->s.nodes.count * l->box_node.size +
                     (uint64_t)x->s.primitives.count * l->primitive.size +
                     (uint64_t)x->s.vertices.count * l->vertex.size + x->s.bits.count;
    if (bytes > x->k->left) {
        phive_finding(
            x->k, LATHE_LEVEL_ERROR, own(x, 0, NULL),
            "section %u: sections share their arrays: they take more bytes than DATA has. "
            "No later one is looked at",
            x->i);
        return false;
    }
    x->k->left -= bytes;
    return true;
}

/* Collects data for the checks of the tree, the tag table and the gaps. */
static void take(section *x)
{
    const phive_layout *l = x->k->r.l;
    x->k->sections[x->i].read = true;
    x->k->sections[x->i].primitives = x->s.primitives.count;
    phive_take(x->k, &x->s.nodes, l->box_node.size);
    phive_take(x->k, &x->s.primitives, l->primitive.size);
    phive_take(x->k, &x->s.vertices, l->vertex.size);
    phive_take(x->k, &x->s.bits, l->bit.size);
}

void phive_check_sections(phive_checker *k)
{
    section x = {.k = k};
    lathe_error e;
    for (x.i = 0; x.i < k->r.sections.count && !k->report->stopped; x.i++) {
        if (phive_read_section(&k->r, x.i, &x.s, &e) != LATHE_OK) {
            phive_error_finding(k, &e, own(&x, 0, NULL));
            k->whole = false;
            continue;
        }
        if (!spend(&x)) {
            k->whole = false;
            return;
        }
        take(&x);
        check_numbers(&x);
        check_vertices(&x);
        check_primitives(&x);
        check_key(&x);
        check_bits(&x);
        check_tree(&x);
    }
}
