/* Finds the neighbours of triangles across edges, and sets the interior bits. */
#include "phive/build_parts.h"

/* ---- neighbours ---------------------------------------------------------------------------------------- */

/* An edge of a triangle goes from the corner of the same number to the next. */
static void edge_ends(const build *b, uint32_t edge, uint32_t *from, uint32_t *to)
{
    const build_triangle *t = &b->triangles[edge / 3];
    *from = t->spot[edge % 3];
    *to = t->spot[(edge % 3 + 1) % 3];
}

/* Pairs `n` edges between the same two spots: the first of one direction with the first of the other, and so
 * on. */
static void marry(build *b, const uint32_t *edges, size_t n)
{
    size_t there = 0, back = 0;
    for (;;) {
        uint32_t from, to;
        for (; there < n; there++) {
            edge_ends(b, edges[there], &from, &to);
            if (from < to)
                break;
        }
        for (; back < n; back++) {
            edge_ends(b, edges[back], &from, &to);
            if (from > to)
                break;
        }
        if (there == n || back == n)
            return;
        b->mates[edges[there]] = edges[back];
        b->mates[edges[back]] = edges[there];
        there++;
        back++;
    }
}

static void marry_all(build *b, const uint32_t *edges, size_t n, const uint32_t (*keys)[2])
{
    for (size_t i = 0, end; i < n; i = end) {
        const uint32_t *key = keys[edges[i]];
        for (end = i + 1; end < n && memcmp(keys[edges[end]], key, sizeof keys[0]) == 0;)
            end++;
        if (key[0] != key[1]) /* both ends of an edge of a float triangle may be at one spot */
            marry(b, edges + i, end - i);
    }
}

lathe_result build_find_mates(build *b)
{
    const mem *m = &b->mem;
    const size_t n = b->triangle_count * 3;
    b->mates = mem_alloc(m, b->mesh->triangle_count * 3 * sizeof *b->mates);
    uint32_t(*keys)[2] = mem_alloc(m, n * sizeof *keys);
    uint32_t *edges = mem_alloc(m, n * sizeof *edges), *scratch = mem_alloc(m, n * sizeof *scratch);
    const bool ok = b->mates && keys && edges && scratch;
    if (ok) {
        for (uint32_t e = 0; e < n; e++) {
            uint32_t from, to;
            edge_ends(b, e, &from, &to);
            keys[e][0] = from < to ? from : to;
            keys[e][1] = from < to ? to : from;
            edges[e] = e;
            b->mates[e] = BUILD_NONE;
        }
        build_sort(edges, scratch, n, &keys[0][1], 2);
        build_sort(edges, scratch, n, &keys[0][0], 2);
        marry_all(b, edges, n, (const uint32_t(*)[2])keys);
    }
    mem_free(m, keys, n * sizeof *keys);
    mem_free(m, edges, n * sizeof *edges);
    mem_free(m, scratch, n * sizeof *scratch);
    return ok ? LATHE_OK : build_no_memory(b->err);
}

/* ---- interior bits --------------------------------------------------------------------------------------- */

#define IN_PLANE 0.01 /* tolerance for a corner below a plane, in units */

enum edges { OPEN, CONCAVE, CONVEX };

typedef struct plane {
    double normal[3], at[3];
} plane;

/* False: the triangle is degenerate. */
static bool plane_of(const build *b, const build_triangle *t, plane *out)
{
    double p[3][3], u[3], v[3];
    for (int i = 0; i < 3; i++)
        build_spot_position(b, t->spot[i], p[i]);
    for (int k = 0; k < 3; k++) {
        u[k] = p[1][k] - p[0][k];
        v[k] = p[2][k] - p[0][k];
        out->at[k] = p[0][k];
    }
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out->normal[k] = u[i] * v[j] - u[j] * v[i];
        square += out->normal[k] * out->normal[k];
    }
    if (!(square > 0))
        return false;
    for (int k = 0; k < 3; k++)
        out->normal[k] /= sqrt(square);
    return true;
}

static enum edges edge_kind(const build *b, const plane *p, uint32_t mate)
{
    if (mate == BUILD_NONE)
        return OPEN;
    double apex[3], above = 0;
    build_spot_position(b, b->triangles[mate / 3].spot[(mate % 3 + 2) % 3], apex);
    for (int k = 0; k < 3; k++)
        above += p->normal[k] * (apex[k] - p->at[k]);
    return above >= -IN_PLANE ? CONCAVE : CONVEX;
}

static bool all_edges(const build *b, size_t triangle, enum edges kind)
{
    plane p;
    if (!plane_of(b, &b->triangles[triangle], &p))
        return false;
    for (size_t i = 0; i < 3; i++)
        if (edge_kind(b, &p, b->mates[triangle * 3 + i]) != kind)
            return false;
    return true;
}

static bool has_interior_neighbour(const build *b, size_t triangle)
{
    for (size_t i = 0; i < 3; i++) {
        const uint32_t mate = b->mates[triangle * 3 + i];
        if (mate != BUILD_NONE && b->triangles[mate / 3].interior)
            return true;
    }
    return false;
}

/* Sets the interior bits. The second rule visits the triangles one by one, so that no two neighbours get the
 * bit by it: one of two triangles at a convex edge must still test it. */
void build_find_interior(build *b)
{
    if (b->options->interior == PHIVE_INTERIOR_NONE)
        return;
    for (size_t i = 0; i < b->triangle_count; i++)
        b->triangles[i].interior = all_edges(b, i, CONCAVE);
    if (b->options->interior == PHIVE_INTERIOR_CONCAVE)
        return;
    for (size_t i = 0; i < b->triangle_count; i++)
        if (b->joints[i] == BUILD_NONE && !has_interior_neighbour(b, i) && all_edges(b, i, CONVEX))
            b->triangles[i].interior = 1;
}
