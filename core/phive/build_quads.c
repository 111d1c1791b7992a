/* Decides which two triangles become a quad, and lists the resulting primitives. */
#include "phive/build_parts.h"

/* ---- pairs --------------------------------------------------------------------------------------------- */

typedef struct pairs {
    uint32_t *edges;   /* the shared edge of each pair: the lower of its two edge numbers */
    uint32_t *quality; /* as build_float_key; lower is better */
    size_t count;
} pairs;

static uint32_t apex_of(const build *b, uint32_t edge)
{
    return b->triangles[edge / 3].spot[(edge % 3 + 2) % 3];
}

/* The corners a b c d of a pair: its triangles are a b c, which has the edge, and a c d. */
static void pair_corners(const build *b, uint32_t edge, uint32_t corner[4])
{
    const build_triangle *t = &b->triangles[edge / 3];
    corner[0] = t->spot[(edge % 3 + 1) % 3];
    corner[1] = t->spot[(edge % 3 + 2) % 3];
    corner[2] = t->spot[edge % 3];
    corner[3] = apex_of(b, b->mates[edge]);
}

static double area_of(double p[4][3], int i, int j, int k)
{
    double square = 0;
    for (int x = 0; x < 3; x++) {
        const int y = (x + 1) % 3, z = (x + 2) % 3;
        const double c =
            (p[j][y] - p[i][y]) * (p[k][z] - p[i][z]) - (p[j][z] - p[i][z]) * (p[k][y] - p[i][y]);
        square += c * c;
    }
    return sqrt(square) / 2;
}

/* The fraction of the pair's box that its triangles do not cover: 0 if it is flat along two axes, at most 1.
 * False: it is too large for the grid, or folded. formats/bphsh.md#6, 3 */
static bool pair_quality(const build *b, uint32_t edge, float *out)
{
    uint32_t corner[4];
    double p[4][3], sides[3];
    pair_corners(b, edge, corner);
    if (corner[1] == corner[3])
        return false;
    for (int i = 0; i < 4; i++)
        build_spot_position(b, corner[i], p[i]);
    for (int k = 0; k < 3; k++) {
        int32_t low = INT32_MAX, high = INT32_MIN;
        for (int i = 0; i < 4; i++) {
            const int32_t q = b->spots[corner[i]][k];
            low = q < low ? q : low;
            high = q > high ? q : high;
        }
        if (high - low > PHIVE_SECTION_STEPS)
            return false;
        sides[k] = (double)(high - low) * (double)b->scale_inv[k];
    }
    const double box = 2 * (sides[0] * sides[1] + sides[1] * sides[2] + sides[2] * sides[0]);
    const double areas = area_of(p, 0, 1, 2) + area_of(p, 0, 2, 3);
    *out = box > 0 ? (float)((box - 2 * areas) / box) : 1;
    return true;
}

static bool may_pair(const build *b, uint32_t edge)
{
    const uint32_t mate = b->mates[edge];
    if (mate == BUILD_NONE || mate < edge)
        return false;
    const build_triangle *s = &b->triangles[edge / 3], *t = &b->triangles[mate / 3];
    return s != t && !s->is_float && !t->is_float &&
           build_tag(b, s->number) == build_tag(b, t->number);
}

static void list_pairs(const build *b, pairs *p)
{
    for (size_t e = 0; e < b->triangle_count * 3; e++) {
        float quality;
        if (!may_pair(b, (uint32_t)e) || !pair_quality(b, (uint32_t)e, &quality))
            continue;
        p->edges[p->count] = (uint32_t)e;
        p->quality[p->count++] = build_float_key(quality);
    }
}

lathe_result build_find_quads(build *b)
{
    const mem *m = &b->mem;
    const size_t n = b->triangle_count;
    b->joints = mem_alloc(m, b->mesh->triangle_count * sizeof *b->joints);
    if (!b->joints)
        return build_no_memory(b->err);
    for (size_t i = 0; i < n; i++)
        b->joints[i] = BUILD_NONE;
    if (!b->options->quads)
        return LATHE_OK;
    const size_t most = n * 3 / 2; /* an edge has at most one mate */
    pairs p = {.edges = mem_alloc(m, most * sizeof *p.edges),
               .quality = mem_alloc(m, most * sizeof *p.quality)};
    uint32_t *order = mem_alloc(m, most * sizeof *order),
             *scratch = mem_alloc(m, most * sizeof *scratch);
    const bool ok = p.edges && p.quality && order && scratch;
    if (ok) {
        list_pairs(b, &p);
        for (size_t i = 0; i < p.count; i++)
            order[i] = (uint32_t)i;
        build_sort(order, scratch, p.count, p.quality, 1);
        for (size_t i = 0; i < p.count; i++) {
            const uint32_t edge = p.edges[order[i]], mate = b->mates[edge];
            if (b->joints[edge / 3] != BUILD_NONE || b->joints[mate / 3] != BUILD_NONE)
                continue;
            b->joints[edge / 3] = edge;
            b->joints[mate / 3] = mate;
        }
    }
    mem_free(m, p.edges, most * sizeof *p.edges);
    mem_free(m, p.quality, most * sizeof *p.quality);
    mem_free(m, order, most * sizeof *order);
    mem_free(m, scratch, most * sizeof *scratch);
    return ok ? LATHE_OK : build_no_memory(b->err);
}

/* ---- primitives ------------------------------------------------------------------------------------------ */

/* False: the triangle is the second one of its quad. */
static bool make_primitive(const build *b, size_t triangle, build_primitive *out)
{
    const build_triangle *t = &b->triangles[triangle];
    const uint32_t joint = b->joints[triangle];
    *out = (build_primitive){
        .tag = build_tag(b, t->number), .is_float = t->is_float, .interior = t->interior};
    if (joint != BUILD_NONE) {
        const uint32_t mate = b->mates[joint];
        if (mate < joint)
            return false;
        pair_corners(b, joint, out->corner);
        out->interior = (uint8_t)(t->interior | b->triangles[mate / 3].interior << 1);
        return true;
    }
    for (int k = 0; k < 3; k++)
        out->corner[k] =
            t->is_float ? b->mesh->indices[(size_t)t->number * 3 + (size_t)k] : t->spot[k];
    out->corner[3] = out->corner[2];
    return true;
}

static void box_of(const build *b, const build_primitive *p, float box[6])
{
    build_box_empty(box);
    for (int i = 0; i < 4; i++) {
        float at[3];
        build_corner(b, p, i, at);
        build_box_add(box, (const float[6]){at[0], at[0], at[1], at[1], at[2], at[2]});
    }
}

lathe_result build_find_primitives(build *b)
{
    build_primitive p;
    for (size_t i = 0; i < b->triangle_count; i++)
        b->primitive_count += make_primitive(b, i, &p);
    b->primitives = mem_alloc(&b->mem, b->primitive_count * sizeof *b->primitives);
    b->boxes = mem_alloc(&b->mem, b->primitive_count * sizeof *b->boxes);
    if (!b->primitives || !b->boxes)
        return build_no_memory(b->err);
    size_t at = 0;
    for (int floats = 0; floats < 2; floats++) {
        for (size_t i = 0; i < b->triangle_count; i++) {
            if (b->triangles[i].is_float != (floats == 1) || !make_primitive(b, i, &p))
                continue;
            b->primitives[at] = p;
            box_of(b, &p, b->boxes[at++]);
        }
        b->grid_count = floats ? b->grid_count : at;
    }
    return LATHE_OK;
}
