/* Equal positions to one, pairs of triangles to quads. */
#include "havok/physics/maths/mesh_parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- positions ---- */

static bool look_at_triangles(const hk_mesh_source *s, lathe_error *err)
{
    for (size_t t = 0; t < s->n_triangles; t++)
        for (unsigned k = 0; k < 3; k++) {
            uint32_t v = s->triangles[t][k];
            if (v >= s->n_positions) {
                error_set(err, LATHE_ERR_BOUNDS, LATHE_NO_OFFSET,
                          "triangle %zu has vertex %" PRIu32 ", but there are %zu", t, v,
                          s->n_positions);
                return false;
            }
            const float *p = s->positions[v];
            if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) {
                error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                          "vertex %" PRIu32 " of triangle %zu has a coordinate that is not finite",
                          v, t);
                return false;
            }
        }
    return true;
}

/* Sorts positions, gives each different one a number, in `number`, and puts them into *out. */
static bool number_positions(const hk_mesh_source *s, arena *scratch, uint32_t *number,
                             hk_soup *out)
{
    size_t n = s->n_positions;
    hk_sorted *items = arena_zalloc(scratch, n * sizeof *items);
    hk_sorted *room = arena_zalloc(scratch, n * sizeof *room);
    if (!items || !room)
        return false;
    for (size_t i = 0; i < n; i++) {
        const float *p = s->positions[i];
        items[i].key = (uint64_t)hk_float_order(p[0]) << 32 | hk_float_order(p[1]);
        items[i].then = (uint64_t)hk_float_order(p[2]) << 32 | i;
    }
    hk_sort(items, room, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t at = (uint32_t)items[i].then;
        bool same = i > 0 && items[i].key == items[i - 1].key &&
                    items[i].then >> 32 == items[i - 1].then >> 32;
        if (!same) {
            for (unsigned k = 0; k < 3; k++)
                out->positions[out->n_positions][k] = s->positions[at][k] + 0.0f; /* no -0 */
            out->n_positions++;
        }
        number[at] = out->n_positions - 1;
    }
    return true;
}

static void take_triangles(const hk_mesh_source *s, const uint32_t *number, hk_soup *out)
{
    for (size_t t = 0; t < s->n_triangles; t++) {
        uint32_t *v = out->triangles[out->n_triangles];
        for (unsigned k = 0; k < 3; k++)
            v[k] = number[s->triangles[t][k]];
        if (hk_mesh_no_area(out->positions[v[0]], out->positions[v[1]], out->positions[v[2]]))
            continue;
        out->materials[out->n_triangles++] = s->materials ? s->materials[t] : 0;
    }
}

lathe_result hk_mesh_weld(const hk_mesh_source *source, arena *a, hk_soup *out, size_t *flat,
                          lathe_error *err)
{
    enum { MOST = 1 << 29 }; /* three edges of each have numbers */
    if (source->n_triangles > MOST || source->n_positions > MOST)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "%zu triangles with %zu vertices, but %d are the most",
                         source->n_triangles, source->n_positions, MOST);
    if (!look_at_triangles(source, err))
        return err ? err->code : LATHE_ERR_INVALID;
    *out =
        (hk_soup){.positions = arena_zalloc(a, source->n_positions * sizeof *out->positions),
                  .triangles = arena_zalloc(a, (source->n_triangles + 1) * sizeof *out->triangles),
                  .materials = arena_zalloc(a, source->n_triangles * sizeof *out->materials)};
    arena scratch;
    arena_init(&scratch, a->mem);
    uint32_t *number = arena_zalloc(&scratch, source->n_positions * sizeof *number);
    bool ok = out->positions && out->triangles && out->materials && number &&
              number_positions(source, &scratch, number, out);
    if (ok)
        take_triangles(source, number, out);
    arena_free(&scratch);
    *flat = source->n_triangles - out->n_triangles;
    return ok ? LATHE_OK : error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

/* ---- quads ---- */

typedef struct dvec {
    double v[3];
} dvec;

static dvec between(const float a[3], const float b[3])
{
    return (dvec){
        {(double)b[0] - (double)a[0], (double)b[1] - (double)a[1], (double)b[2] - (double)a[2]}};
}
static dvec cross(dvec a, dvec b)
{
    return (dvec){{a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2],
                   a.v[0] * b.v[1] - a.v[1] * b.v[0]}};
}
static double dot(dvec a, dvec b)
{
    return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}

bool hk_mesh_flat(const float a[3], const float b[3], const float c[3], const float d[3])
{
    const double most = 0.01; /* what the files of the game keep to, in metres */
    dvec normal = cross(between(a, b), between(a, c));
    if (!(fabs(dot(normal, between(a, d))) < most * sqrt(dot(normal, normal))))
        return false;
    dvec up = cross(between(a, c), between(b, d));
    double size = dot(up, up);
    const float *corner[4] = {a, b, c, d};
    for (unsigned i = 0; i < 4; i++) {
        const float *next = corner[(i + 1) % 4];
        dvec turn = cross(between(corner[i], next), between(next, corner[(i + 2) % 4]));
        if (!(dot(turn, up) > -1e-6 * size)) /* a corner on a line between two others will do */
            return false;
    }
    return true;
}

#define ALONE UINT32_MAX

typedef struct joiner {
    const hk_soup *soup;
    uint32_t *across; /* triangle * 3 + edge: the triangle * 4 + edge on its other side, or ALONE */
    uint32_t *partner; /* triangle * 4 + edge, or ALONE */
    uint32_t *stack;
    uint8_t *choices; /* how many triangles each could be joined with */
    bool only_flat;
} joiner;

/* The corners of the quad that a triangle is with the one across an edge. */
static void corners_of(const joiner *j, uint32_t t, unsigned edge, uint32_t out[4])
{
    const uint32_t *v = j->soup->triangles[t];
    uint32_t other = j->across[t * 3 + edge];
    out[0] = v[(edge + 1) % 3];
    out[1] = v[(edge + 2) % 3];
    out[2] = v[edge];
    out[3] = j->soup->triangles[other / 4][(other % 4 + 2) % 3];
}

static dvec normal_of(const joiner *j, uint32_t triangle)
{
    const uint32_t *v = j->soup->triangles[triangle];
    float(*p)[3] = j->soup->positions;
    dvec n = cross(between(p[v[0]], p[v[1]]), between(p[v[0]], p[v[2]]));
    double length = sqrt(dot(n, n));
    for (unsigned i = 0; i < 3; i++)
        n.v[i] /= length;
    return n;
}

/* How well two triangles would be one quad across their edges a and b: 1 in one plane, -1 folded up;
 * less where they must not. */
static double how_even(const joiner *j, uint32_t a, uint32_t b)
{
    const uint32_t *va = j->soup->triangles[a / 4], *vb = j->soup->triangles[b / 4];
    bool turned = va[a % 4] == vb[(b % 4 + 1) % 3];
    bool back = va[(a % 4 + 2) % 3] == vb[(b % 4 + 2) % 3]; /* two sides of one triangle */
    if (!turned || back || j->soup->materials[a / 4] != j->soup->materials[b / 4])
        return -2;
    return dot(normal_of(j, a / 4), normal_of(j, b / 4));
}

/* Each of the edges in one place with the one that goes on best. Of many, only the next few are
 * looked at. */
static void link_edges(joiner *j, const hk_sorted *edges, size_t n)
{
    enum { FEW = 8 };
    const double folded = -0.5;
    for (size_t i = 0; i < n; i++) {
        uint32_t a = (uint32_t)edges[i].then, best = ALONE;
        double most = folded;
        if (j->across[a / 4 * 3 + a % 4] != ALONE)
            continue;
        for (size_t k = i + 1; k < n && k < i + FEW && edges[k].key == edges[i].key; k++) {
            uint32_t b = (uint32_t)edges[k].then;
            double even = j->across[b / 4 * 3 + b % 4] == ALONE ? how_even(j, a, b) : -2;
            if (even > most) {
                most = even;
                best = b;
            }
        }
        if (best == ALONE)
            continue;
        j->across[a / 4 * 3 + a % 4] = best;
        j->across[best / 4 * 3 + best % 4] = a;
    }
}

static bool find_edges(joiner *j, arena *scratch)
{
    size_t n = (size_t)j->soup->n_triangles * 3;
    hk_sorted *edges = arena_zalloc(scratch, n * sizeof *edges);
    hk_sorted *room = arena_zalloc(scratch, n * sizeof *room);
    if (!edges || !room)
        return false;
    for (uint32_t t = 0; t < j->soup->n_triangles; t++)
        for (unsigned k = 0; k < 3; k++) {
            uint32_t u = j->soup->triangles[t][k], w = j->soup->triangles[t][(k + 1) % 3];
            uint64_t low = u < w ? u : w, high = u < w ? w : u;
            edges[t * 3 + k] = (hk_sorted){low << 32 | high, t * 4 + k};
            j->across[t * 3 + k] = ALONE;
        }
    hk_sort(edges, room, n);
    link_edges(j, edges, n);
    return true;
}

/* Neither side of the edge is joined yet, and they may be. */
static bool may_join(const joiner *j, uint32_t t, unsigned edge)
{
    uint32_t other = j->across[t * 3 + edge], v[4];
    if (other == ALONE || j->partner[t] != ALONE || j->partner[other / 4] != ALONE)
        return false;
    if (!j->only_flat)
        return true;
    float(*p)[3] = j->soup->positions;
    if (t < other / 4) /* the same question from either side, or counts would not agree */
        corners_of(j, t, edge, v);
    else
        corners_of(j, other / 4, other % 4, v);
    return hk_mesh_flat(p[v[0]], p[v[1]], p[v[2]], p[v[3]]);
}

static double edge_length(const joiner *j, uint32_t t, unsigned edge)
{
    const uint32_t *v = j->soup->triangles[t];
    dvec e = between(j->soup->positions[v[edge]], j->soup->positions[v[(edge + 1) % 3]]);
    return dot(e, e);
}

/* Joins t with the neighbour that has the fewest other choices; of several, across the longest edge.
 * Those whose last choice that leaves go onto the stack. */
static uint32_t join_one(joiner *j, uint32_t t, uint32_t top)
{
    unsigned best = 3, fewest = 4;
    for (unsigned e = 0; e < 3; e++) {
        if (!may_join(j, t, e))
            continue;
        unsigned choices = j->choices[j->across[t * 3 + e] / 4];
        if (choices < fewest ||
            (choices == fewest && edge_length(j, t, e) > edge_length(j, t, best))) {
            best = e;
            fewest = choices;
        }
    }
    if (best == 3)
        return top;
    uint32_t pair[2] = {t, j->across[t * 3 + best] / 4};
    bool open[2][3];
    for (unsigned i = 0; i < 2; i++)
        for (unsigned e = 0; e < 3; e++)
            open[i][e] = may_join(j, pair[i], e);
    j->partner[t] = j->across[t * 3 + best];
    j->partner[pair[1]] = t * 4 + best;
    for (unsigned i = 0; i < 2; i++)
        for (unsigned e = 0; e < 3; e++) {
            uint32_t next = open[i][e] ? j->across[pair[i] * 3 + e] / 4 : ALONE;
            if (next != ALONE && j->partner[next] == ALONE && --j->choices[next] == 1)
                j->stack[top++] = next;
        }
    return top;
}

/* Triangles with one choice left go first, or they would stay alone. */
static void join_all(joiner *j)
{
    uint32_t top = 0, n = j->soup->n_triangles;
    for (uint32_t t = n; t-- > 0;) {
        j->choices[t] = 0;
        for (unsigned e = 0; e < 3; e++)
            j->choices[t] = (uint8_t)(j->choices[t] + may_join(j, t, e));
        if (j->choices[t] == 1)
            j->stack[top++] = t;
    }
    for (uint32_t t = 0; t < n; t++) {
        while (top > 0) {
            uint32_t next = j->stack[--top];
            top = join_one(j, next, top);
        }
        top = join_one(j, t, top);
    }
    while (top > 0) {
        uint32_t next = j->stack[--top];
        top = join_one(j, next, top);
    }
}

static uint32_t take_primitives(const joiner *j, hk_primitive *out)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < j->soup->n_triangles; t++) {
        hk_primitive *p = &out[n];
        const uint32_t *v = j->soup->triangles[t];
        uint32_t other = j->partner[t];
        p->material = j->soup->materials[t];
        if (other == ALONE) {
            *p = (hk_primitive){{v[0], v[1], v[2], v[2]}, p->material};
            n++;
        } else if (t < other / 4) {
            corners_of(j, t, j->across[other / 4 * 3 + other % 4] % 4, p->corner);
            n++;
        }
    }
    return n;
}

bool hk_mesh_join(const hk_soup *soup, const mem *m, hk_primitive *out, uint32_t *n)
{
    arena scratch;
    arena_init(&scratch, m);
    size_t count = soup->n_triangles;
    joiner j = {.soup = soup,
                .across = arena_zalloc(&scratch, count * 3 * sizeof *j.across),
                .partner = arena_zalloc(&scratch, count * sizeof *j.partner),
                .stack = arena_zalloc(&scratch, count * sizeof *j.stack),
                .choices = arena_zalloc(&scratch, count)};
    bool ok = j.across && j.partner && j.stack && j.choices && find_edges(&j, &scratch);
    if (ok) {
        memset(j.partner, 0xff, count * sizeof *j.partner);
        j.only_flat = true;
        join_all(&j);
        j.only_flat = false;
        join_all(&j);
        *n = take_primitives(&j, out);
    }
    arena_free(&scratch);
    return ok;
}
