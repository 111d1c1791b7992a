/* core/phive/build: triangles as sections, trees and a tag table. What must hold of every shape is tried on many; figures
 * that the reference gives are asserted as they are there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "phive/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "short_memory.h"

/* ---- meshes ------------------------------------------------------------------------------------------ */

enum { VERTICES = 40000, TRIANGLES = 80000 };

static float points[VERTICES][3];
static uint32_t indices[TRIANGLES][3];
static uint16_t tags[TRIANGLES];
static size_t vertex_n, triangle_n;
static uint32_t seed;

static uint32_t chance(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed >> 4) * below >> 28);
}

static void start(void)
{
    vertex_n = triangle_n = 0;
    seed = 1;
}

static uint32_t point(double x, double y, double z)
{
    assert_true(vertex_n < VERTICES);
    points[vertex_n][0] = (float)x;
    points[vertex_n][1] = (float)y;
    points[vertex_n][2] = (float)z;
    return (uint32_t)vertex_n++;
}

static void triangle(uint32_t a, uint32_t b, uint32_t c, uint16_t tag)
{
    assert_true(triangle_n < TRIANGLES);
    indices[triangle_n][0] = a;
    indices[triangle_n][1] = b;
    indices[triangle_n][2] = c;
    tags[triangle_n++] = tag;
}

static void lone(double x, double y, double z, double size, uint16_t tag)
{
    const uint32_t a = point(x, y, z), b = point(x, y, z + size), c = point(x + size, y, z);
    triangle(a, b, c, tag);
}

/* Hills of n * n squares, each of side `side`, in `kinds` materials. */
static void hills(uint32_t n, double side, double height, uint16_t kinds)
{
    const uint32_t first = (uint32_t)vertex_n;
    for (uint32_t z = 0; z <= n; z++)
        for (uint32_t x = 0; x <= n; x++)
            point(x * side, height * chance(1000) / 1000, z * side);
    for (uint32_t z = 0; z < n; z++)
        for (uint32_t x = 0; x < n; x++) {
            const uint32_t at = first + z * (n + 1) + x, below = at + n + 1;
            triangle(at, below, below + 1, (uint16_t)chance(kinds));
            triangle(at, below + 1, at + 1, (uint16_t)chance(kinds));
        }
}

/* A box of 12 triangles, seen from outside, or from inside. */
static void box(double size, bool inside)
{
    static const uint8_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    uint32_t v[8];
    for (int i = 0; i < 8; i++)
        v[i] = point(i & 1 ? size : 0, i & 2 ? size : 0, i & 4 ? size : 0);
    for (int i = 0; i < 6; i++) {
        const uint8_t *f = faces[i];
        triangle(v[f[0]], v[f[inside ? 2 : 1]], v[f[inside ? 1 : 2]], 0);
        triangle(v[f[0]], v[f[inside ? 3 : 2]], v[f[inside ? 2 : 3]], 0);
    }
}

/* ---- what must hold --------------------------------------------------------------------------------------- */

static const phive_build_options v22 = {.variant = PHIVE_V22, .quads = true};

static float decoded(const phive_built *b, const phive_built_section *s, uint32_t vertex, int axis)
{
    const uint8_t *at = b->vertices + s->first_vertex_byte;
    if (s->is_float)
        return (float)bytes_f32_widen(bytes_ld32(at + vertex * 12 + (size_t)axis * 4, false));
    const int32_t q = bytes_ld16(at + vertex * 6 + (size_t)axis * 2, false);
    return (float)(s->origin[axis] + q) * b->scale_inv[axis];
}

/* A triangle with its corners in one order, however they were turned. */
typedef struct stored {
    float at[9];
    uint16_t tag;
} stored;

static stored sorted_out[TRIANGLES], sorted_in[TRIANGLES];

static stored turned(const float at[3][3], uint16_t tag)
{
    stored s = {.tag = tag};
    int first = 0;
    for (int i = 1; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (at[i][k] < at[first][k] || at[i][k] > at[first][k]) {
                first = at[i][k] < at[first][k] ? i : first;
                break;
            }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            s.at[i * 3 + k] = at[(first + i) % 3][k] + 0.0F;
    return s;
}

static int compare(const void *a, const void *b)
{
    const stored *p = a, *q = b;
    for (int i = 0; i < 9; i++)
        if (p->at[i] < q->at[i] || p->at[i] > q->at[i])
            return p->at[i] < q->at[i] ? -1 : 1;
    return (p->tag > q->tag) - (p->tag < q->tag);
}

static bool on_grid(const phive_built *b, const uint32_t *v)
{
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < 3; i++) {
            const double q = floor((double)points[v[i]][k] / (double)b->scale_inv[k] + 0.5);
            low = fmin(low, q);
            high = fmax(high, q);
        }
        if (low < -PHIVE_GRID_STEPS || high > PHIVE_GRID_STEPS || high - low > PHIVE_SECTION_STEPS)
            return false;
    }
    return true;
}

static bool same(const float *p, const float *q)
{
    return memcmp(p, q, 3 * sizeof *p) == 0;
}

/* The mesh as it has to come out; gives how many triangles. */
static size_t expected(const phive_built *b)
{
    size_t n = 0;
    for (size_t i = 0; i < triangle_n; i++) {
        float at[3][3];
        const bool grid = on_grid(b, indices[i]);
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++) {
                const float v = points[indices[i][c]][k], inv = b->scale_inv[k];
                at[c][k] = grid ? (float)(int32_t)floor((double)v / (double)inv + 0.5) * inv : v;
            }
        if (!same(at[0], at[1]) && !same(at[1], at[2]) && !same(at[2], at[0]))
            sorted_in[n++] = turned((const float(*)[3])at, tags[i]);
    }
    return n;
}

static uint16_t tag_at(const phive_built *b, uint32_t key)
{
    size_t low = 0, high = b->tag_count;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (b->tags[middle].key <= key)
            low = middle;
        else
            high = middle;
    }
    return b->tags[low].tag;
}

static void check_tags(const phive_built *b)
{
    assert_int_equal(b->tags[b->tag_count - 1].tag, 0xFFFF);
    assert_int_equal(b->tags[b->tag_count - 1].key, b->section_count << 9 | 510);
    for (size_t i = 1; i < b->tag_count; i++) {
        assert_true(b->tags[i].key > b->tags[i - 1].key);
        assert_int_not_equal(b->tags[i].tag, b->tags[i - 1].tag);
    }
    if (b->section_count)
        assert_int_equal(b->tags[0].key, 0);
}

static void check_triangles(const phive_built *b)
{
    const size_t n = expected(b);
    size_t got = 0;
    for (size_t i = 0; i < b->section_count; i++) {
        const phive_built_section *s = &b->sections[i];
        for (uint32_t p = 0; p < s->primitive_count; p++) {
            const uint8_t *v = b->primitives[s->first_primitive + p];
            float at[4][3];
            for (int c = 0; c < 4; c++) {
                assert_true(v[c] < s->vertex_count);
                for (int k = 0; k < 3; k++)
                    at[c][k] = decoded(b, s, v[c], k);
            }
            for (uint32_t t = 0; t < (v[2] == v[3] ? 1u : 2u); t++) {
                float one[3][3];
                memcpy(one[0], at[0], sizeof one[0]);
                memcpy(one[1], at[1 + t], 2 * sizeof one[0]);
                assert_true(got < TRIANGLES);
                sorted_out[got++] =
                    turned((const float(*)[3])one, tag_at(b, (uint32_t)i << 9 | p << 1 | t));
            }
        }
    }
    assert_int_equal(got, n);
    assert_int_equal(b->triangle_count, n);
    assert_int_equal(b->dropped, triangle_n - n);
    qsort(sorted_in, n, sizeof *sorted_in, compare);
    qsort(sorted_out, n, sizeof *sorted_out, compare);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(compare(&sorted_in[i], &sorted_out[i]), 0);
}

/* Walks a section's tree; each primitive is in a leaf once, and boxes hold what is below. */
static unsigned walk_boxes(const phive_built *b, const phive_built_section *s, uint32_t node,
                           const uint8_t *around, uint8_t *found, unsigned *deepest)
{
    assert_true(node < s->node_count);
    const phive_box_node *n = &b->nodes[s->first_node + node];
    const bool leaf = n->data[2] > n->data[3];
    unsigned nodes = 1, below = 0;
    for (int lane = 0; lane < 4; lane++) {
        if (n->box[0][lane] > n->box[1][lane]) {
            for (int k = 0; k < 6; k++)
                assert_int_equal(n->box[k][lane], k % 2 ? 0 : 255);
            continue;
        }
        uint8_t here[6];
        for (int k = 0; k < 6; k++) {
            here[k] = n->box[k][lane];
            if (around)
                assert_true(k % 2 ? here[k] <= around[k] : here[k] >= around[k]);
        }
        if (!leaf) {
            unsigned depth = 0;
            assert_true(n->data[lane] == node + nodes ||
                        lane > 1); /* depth first; lanes 2, 3 swap */
            nodes += walk_boxes(b, s, n->data[lane], here, found, &depth);
            below = depth > below ? depth : below;
            continue;
        }
        assert_true(n->data[lane] < s->primitive_count);
        found[n->data[lane]]++;
        const uint8_t *v = b->primitives[s->first_primitive + n->data[lane]];
        for (int c = 0; c < 4; c++)
            for (int k = 0; k < 3; k++) {
                const float at = decoded(b, s, v[c], k);
                assert_true((float)(s->cell_origin[k] + here[2 * k]) * s->cell[k] <= at);
                assert_true((float)(s->cell_origin[k] + here[2 * k + 1]) * s->cell[k] >= at);
            }
    }
    *deepest = below + 1;
    return nodes;
}

static void check_section(const phive_built *b, const phive_built_section *s, bool last)
{
    uint8_t found[256] = {0};
    unsigned deepest;
    assert_in_range(s->primitive_count, 1, 233);
    assert_in_range(s->vertex_count, 1, 256);
    assert_int_equal(walk_boxes(b, s, 0, NULL, found, &deepest), s->node_count);
    assert_true(deepest <= 5);
    for (uint32_t p = 0; p < s->primitive_count; p++)
        assert_int_equal(found[p], 1);
    const bool pad = last && b->variant != PHIVE_V21 && !s->is_float && !s->leaf_group;
    assert_int_equal(s->vertex_bytes, s->vertex_count * (s->is_float ? 12 : 6) + (pad ? 2 : 0));
    assert_int_equal(s->bit_bytes,
                     (s->primitive_count * (b->variant == PHIVE_V21 ? 1 : 2) + 7) / 8);
    for (int k = 0; k < 3; k++) {
        assert_true(isfinite(s->cell[k]) && s->cell[k] > 0);
        assert_true((s->origin[k] == 0x7FFFFFFF) == s->is_float);
        assert_true(s->is_float || abs(s->origin[k] + 65535) < 1 << 24);
    }
    for (uint32_t i = 0; i < s->vertex_count && !s->is_float; i++)
        for (uint32_t j = 0; j < i; j++)
            assert_memory_not_equal(b->vertices + s->first_vertex_byte + i * 6,
                                    b->vertices + s->first_vertex_byte + j * 6, 6);
}

static double volume(const phive_top_node *n, int lane)
{
    double v = 1;
    for (int k = 0; k < 6; k += 2)
        v *= (double)n->box[k + 1][lane] - (double)n->box[k][lane];
    return v;
}

static uint32_t walk_top(const phive_built *b, uint32_t node, uint32_t parent, uint8_t *found,
                         float around[6], unsigned *depth)
{
    assert_true(node > 0 && node < b->top_count);
    const phive_top_node *n = &b->top[node];
    uint32_t leaves = 0;
    unsigned deepest = 0;
    assert_int_equal(n->parent, parent);
    for (int k = 0; k < 6; k++)
        around[k] = k % 2 ? -INFINITY : INFINITY;
    for (int lane = 0; lane < 4; lane++) {
        if (lane >= n->used) {
            assert_int_equal(n->data[lane], n->leaf ? 0xFFFFFFFF : 0);
            for (int k = 0; k < 6; k++) {
                uint32_t bits;
                memcpy(&bits, &n->box[k][lane], 4);
                assert_int_equal(bits, k % 2 ? 0xFF7FFFEE : 0x7F7FFFEE);
            }
            continue;
        }
        if (lane > 0)
            assert_true(volume(n, lane) <= volume(n, lane - 1));
        float below[6] = {INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY, -INFINITY};
        if (n->leaf) {
            assert_true(n->data[lane] < b->section_count);
            const phive_built_section *s = &b->sections[n->data[lane]];
            found[n->data[lane]]++;
            leaves++;
            for (uint32_t v = 0; v < s->vertex_count; v++)
                for (int k = 0; k < 3; k++) {
                    below[2 * k] = fminf(below[2 * k], decoded(b, s, v, k));
                    below[2 * k + 1] = fmaxf(below[2 * k + 1], decoded(b, s, v, k));
                }
        } else {
            unsigned d;
            leaves += walk_top(b, n->data[lane], node, found, below, &d);
            deepest = d + 1 > deepest ? d + 1 : deepest;
        }
        for (int k = 0; k < 6; k++) {
            assert_true(n->box[k][lane] == below[k]);
            around[k] = k % 2 ? fmaxf(around[k], below[k]) : fminf(around[k], below[k]);
        }
    }
    assert_int_equal(n->leaves, leaves);
    assert_int_equal(n->depth, deepest);
    *depth = deepest;
    return leaves;
}

static void check(const phive_built *b)
{
    uint8_t *found = calloc(b->section_count + 1, 1);
    float around[6];
    unsigned depth;
    assert_int_equal(walk_top(b, 1, 0, found, around, &depth), b->section_count);
    assert_false(b->top[1].leaf);
    unsigned deepest = 2;
    for (size_t room = 16; room < b->section_count; room *= 4)
        deepest++;
    assert_true(depth <= deepest);
    for (size_t i = 0; i < b->section_count; i++) {
        assert_int_equal(found[i], 1);
        check_section(b, &b->sections[i], i + 1 == b->section_count);
    }
    free(found);
    if (b->section_count)
        for (int k = 0; k < 6; k++)
            assert_true(b->bounds[k % 2][k / 2] == around[k]);
    check_tags(b);
    check_triangles(b);
}

static lathe_result build_with(phive_built *b, const phive_build_options *options, lathe_error *err)
{
    const mem m = mem_default();
    const phive_mesh mesh = {points[0], vertex_n, indices[0], triangle_n, tags};
    return phive_build(b, &mesh, options, &m, err);
}

static void build(phive_built *b, const phive_build_options *options)
{
    lathe_error err;
    if (build_with(b, options, &err) != LATHE_OK)
        fail_msg("%s", err.message);
    check(b);
}

/* ---- tests ---------------------------------------------------------------------------------------------- */

static void nothing(void **state)
{
    (void)state;
    phive_built b;
    start();
    build(&b, &v22);
    assert_int_equal(b.section_count, 0);
    assert_int_equal(b.top_count, 2);
    assert_int_equal(b.tag_count, 1);
    assert_int_equal(b.tags[0].key, 510);
    assert_int_equal(b.key_bits, 0);
    phive_built_free(&b);
    phive_built_free(&b);
}

/* As v22_onetri of the corpus. */
static void one_triangle(void **state)
{
    (void)state;
    static const uint8_t vertices[20] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2};
    phive_built b;
    start();
    lone(0, 0, 0, 1, 0);
    build(&b, &v22);
    assert_int_equal(b.section_count, 1);
    assert_int_equal(b.key_bits, 9);
    assert_int_equal(b.top_count, 3);
    assert_int_equal(b.top[1].data[0], 2);
    assert_int_equal(b.tag_count, 2);
    assert_int_equal(b.tags[1].key, 1022);
    const phive_built_section *s = &b.sections[0];
    assert_int_equal(s->vertex_bytes, 20);
    assert_memory_equal(b.vertices, vertices, 20);
    assert_memory_equal(b.primitives[0], ((uint8_t[4]){0, 1, 2, 2}), 4);
    assert_true(s->cell[0] == 0.003960230853408575F);
    assert_true(s->cell[1] == 7.904652193246875e-06F);
    assert_int_equal(s->cell_origin[0], -1);
    assert_int_equal(s->cell_origin[1], -127);
    assert_memory_equal(&b.nodes[0],
                        "\1\377\377\377\376\0\0\0\177\377\377\377\177\0\0\0\1\377\377\377\376\0\0\0"
                        "\0\0\1\0",
                        28);
    phive_built_free(&b);
}

static void boxes(void **state)
{
    (void)state;
    phive_built b;
    start();
    box(2, false);
    build(&b, &v22);
    assert_int_equal(b.quad_count, 6);
    assert_int_equal(b.sections[0].vertex_count, 8);
    assert_int_equal(b.sections[0].node_count, 3);
    assert_int_equal(b.interior_count, 0);
    assert_int_equal(b.flat_quad_count, 0);
    for (int i = 0; i < 6; i++)
        assert_true(b.primitives[i][1] < b.primitives[i][3]);
    phive_built_free(&b);

    build(&b, &(phive_build_options){.variant = PHIVE_V22, .quads = true, .flat_quads = true});
    assert_int_equal(b.flat_quad_count, 6);
    for (int i = 0; i < 6; i++)
        assert_true(b.primitives[i][1] > b.primitives[i][3]);
    phive_built_free(&b);

    build(&b, &(phive_build_options){.variant = PHIVE_V22});
    assert_int_equal(b.quad_count, 0);
    assert_int_equal(b.primitive_count, 12);
    assert_int_equal(b.interior_count, 0); /* diagonals are in plane: no edges are all convex */
    phive_built_free(&b);

    start(); /* a room: nothing of it can be touched at an edge */
    box(2, true);
    build(&b, &(phive_build_options){.variant = PHIVE_V22});
    assert_int_equal(b.interior_count, 12);
    assert_memory_equal(b.bits, "\x55\x55\x55", 3);
    phive_built_free(&b);
    build(&b, &(phive_build_options){.variant = PHIVE_V21, .quads = true});
    assert_int_equal(b.interior_count, 6);
    assert_memory_equal(b.bits, "\x3F", 1);
    phive_built_free(&b);
    build(&b, &(phive_build_options){.variant = PHIVE_V23, .quads = true});
    assert_memory_equal(b.bits, "\xFF\x0F", 2);
    phive_built_free(&b);
}

/* A roof of four sides: each triangle is convex to its neighbours. Of two neighbours one gets the bit. */
static void cascade(void **state)
{
    (void)state;
    phive_built b;
    start();
    const uint32_t v[4] = {point(0, 0, 0), point(4, 0, 0), point(0, 4, 0), point(0, 0, 4)};
    triangle(v[0], v[2], v[1], 0);
    triangle(v[0], v[3], v[2], 0);
    triangle(v[0], v[1], v[3], 0);
    triangle(v[1], v[2], v[3], 0);
    build(&b, &(phive_build_options){.variant = PHIVE_V22});
    assert_int_equal(b.interior_count, 1);
    phive_built_free(&b);
    build(&b, &(phive_build_options){.variant = PHIVE_V22, .interior = PHIVE_INTERIOR_CONCAVE});
    assert_int_equal(b.interior_count, 0);
    phive_built_free(&b);
    start();
    box(2, true);
    build(&b, &(phive_build_options){.variant = PHIVE_V22, .interior = PHIVE_INTERIOR_NONE});
    assert_int_equal(b.interior_count, 0);
    phive_built_free(&b);
}

static void hilly(void **state)
{
    (void)state;
    static const uint16_t kinds[] = {1, 3, 300};
    for (int variant = 21; variant <= 23; variant++)
        for (size_t i = 0; i < 3; i++)
            for (int quads = 0; quads < 2; quads++) {
                phive_built b;
                start();
                hills(60, 0.75, 2, kinds[i]);
                build(&b, &(phive_build_options){.variant = (phive_variant)variant,
                                                 .quads = quads == 1});
                assert_int_equal(b.triangle_count, 7200);
                assert_true(b.section_count <= (quads && i == 0 ? 32 : 64));
                assert_int_equal(b.float_sections, 0);
                phive_built_free(&b);
            }
}

/* Each triangle is 100 from the next: none shares a section with another. */
static void many_sections(void **state)
{
    (void)state;
    phive_built b;
    start();
    for (int i = 0; i < 1025; i++)
        lone(i % 32 * 150.0, 7 * i, i / 32 * 150.0, 1, (uint16_t)(i % 5));
    build(&b, &v22);
    assert_int_equal(b.key_bits, 9 + 11);
    assert_true(b.section_count > 1024 && b.section_count <= 1025);
    phive_built_free(&b);
}

static void grid_edges(void **state)
{
    (void)state;
    phive_built b;
    const double longest = 65534.0 / 512;
    start();
    lone(-3, 1, 2, longest, 0);
    build(&b, &v22);
    assert_int_equal(b.float_sections, 0);
    phive_built_free(&b);
    start();
    lone(-3, 1, 2, longest + 1.0 / 512, 7);
    lone(40, 1, 2, 1, 3);
    build(&b, &v22);
    assert_int_equal(b.float_sections, 1);
    assert_int_equal(b.section_count, 2);
    phive_built_free(&b);
    start(); /* four to a float section */
    for (int i = 0; i < 41; i++)
        lone(i * 300.0, 0, i % 7, 200, 0);
    build(&b, &v22);
    assert_int_equal(b.float_sections, 11);
    phive_built_free(&b);
    start();
    lone(16777214.0 / 512, 0, 0, 1.0 / 512, 0);
    lone(-16777215.0 / 512, 0, 0, 1.0 / 512, 0);
    build(&b, &v22);
    assert_int_equal(b.float_sections, 0);
    phive_built_free(&b);
    start();
    lone(32768, 0, 0, 1, 0);
    lone(0, -32768, 0, 1, 0);
    build(&b, &v22);
    assert_int_equal(b.float_sections, 1);
    assert_int_equal(b.section_count, 1);
    phive_built_free(&b);
}

static void far_out(void **state)
{
    (void)state;
    phive_built b;
    static const double at[] = {100, -100, 32000, -32000, 1e6, -1e9, 1e30, -9e35};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        for (int axis = 0; axis < 3; axis++) {
            const double size = fmax(1, fabs(at[i]) / 1e6);
            start();
            for (int k = 0; k < 20; k++) {
                double p[3][3];
                for (int c = 0; c < 9; c++)
                    p[c / 3][c % 3] = size * chance(1000) / 100 + (c % 3 == axis ? at[i] : 0);
                triangle(point(p[0][0], p[0][1], p[0][2]), point(p[1][0], p[1][1], p[1][2]),
                         point(p[2][0], p[2][1], p[2][2]), 1);
            }
            build(&b, &v22);
            phive_built_free(&b);
        }
}

static void odd_shapes(void **state)
{
    (void)state;
    phive_built b;
    start(); /* all at one point */
    for (int i = 0; i < 5000; i++)
        lone(3, 4, 5, 0, 0);
    build(&b, &v22);
    assert_int_equal(b.dropped, 5000);
    assert_int_equal(b.section_count, 0);
    phive_built_free(&b);

    start(); /* all the same */
    for (int i = 0; i < 5000; i++)
        lone(3, 4, 5, 1, 0);
    build(&b, &v22);
    assert_int_equal(b.section_count, 32);
    phive_built_free(&b);

    start(); /* around one middle, in halves of halves: the best cut takes few off */
    for (int i = 0; i < 3000; i++) {
        const double r = pow(1.01, i % 1000);
        triangle(point(-r, -r, -r), point(r, r, -r), point(0, 0, 2 * r), (uint16_t)(i % 2));
    }
    build(&b, &v22);
    phive_built_free(&b);

    start(); /* on a line: three corners, no surface */
    for (int i = 0; i < 2000; i++)
        triangle(point(0, 0, i), point(0, 0, i + 1), point(0, 0, i + 3), 0);
    build(&b, &v22);
    assert_int_equal(b.interior_count, 0);
    phive_built_free(&b);

    start(); /* all over one edge */
    point(0, 0, 0), point(0, 0, 1);
    for (int i = 0; i < 4000; i++)
        triangle((uint32_t)(i & 1), (uint32_t)(~i & 1), point(cos(i) * 9, sin(i) * 9, i % 7), 0);
    build(&b, &v22);
    assert_true(b.quad_count > 1000);
    phive_built_free(&b);

    start(); /* back to back: no quad folds onto itself */
    const uint32_t v[3] = {point(0, 0, 0), point(1, 0, 0), point(0, 1, 0)};
    triangle(v[0], v[1], v[2], 0);
    triangle(v[0], v[2], v[1], 0);
    build(&b, &v22);
    assert_int_equal(b.quad_count, 0);
    phive_built_free(&b);
}

static void soup(void **state)
{
    (void)state;
    for (uint32_t round_ = 0; round_ < 40; round_++) {
        phive_built b;
        start();
        seed = round_ * 77 + 5;
        const uint32_t n = 1 + chance(600), reach = 1 + chance(300), side = 1 + chance(160);
        for (uint32_t i = 0; i < n; i++) {
            double p[9];
            for (int k = 0; k < 3; k++) {
                const double middle = (double)chance(1000) * reach / 100;
                for (int c = 0; c < 3; c++)
                    p[c * 3 + k] = middle + (double)chance(8) * side / 8;
            }
            triangle(point(p[0], p[1], p[2]), point(p[3], p[4], p[5]), point(p[6], p[7], p[8]),
                     (uint16_t)chance(4));
        }
        build(&b, &(phive_build_options){.variant = round_ % 2 ? PHIVE_V22 : PHIVE_V23,
                                         .quads = true,
                                         .flat_quads = round_ % 3 == 0});
        phive_built_free(&b);
    }
}

static void other_grids(void **state)
{
    (void)state;
    static const float scales[][3] = {{1024, 1024, 1024}, {512 / 2.5F, 512 / 3.0F, 100}, {1, 1, 1}};
    for (size_t i = 0; i < 3; i++) {
        phive_built b;
        phive_build_options o = v22;
        memcpy(o.scale, scales[i], sizeof o.scale);
        start();
        hills(40, 2.5, 20, 2);
        build(&b, &o);
        assert_true(b.scale[0] == scales[i][0]);
        phive_built_free(&b);
    }
}

/* ---- what is refused -------------------------------------------------------------------------------------- */

static void refused(const phive_build_options *o, lathe_result code, const char *message)
{
    phive_built b;
    lathe_error err;
    assert_int_equal(build_with(&b, o, &err), code);
    assert_string_equal(err.message, message);
    assert_true(err.offset == LATHE_NO_OFFSET);
    assert_null(b.sections);
}

static void refusals(void **state)
{
    (void)state;
    const phive_build_options v21 = {.variant = PHIVE_V21};
    start();
    lone(0, 0, 0, 1, 0);
    lone(0, 0, 0, 1, 0);
    points[4][1] = NAN;
    refused(&v22, LATHE_ERR_RANGE, "triangle 1: y of vertex 4 is nan, not a number up to 1e+36");
    points[4][1] = -INFINITY;
    refused(&v22, LATHE_ERR_RANGE, "triangle 1: y of vertex 4 is -inf, not a number up to 1e+36");
    points[4][1] = 2e36F;
    refused(&v22, LATHE_ERR_RANGE, "triangle 1: y of vertex 4 is 2e+36, not a number up to 1e+36");
    points[4][1] = 200;
    refused(&v21, LATHE_ERR_UNSUPPORTED,
            "triangle 1 is 200 long in y, and a section at most 127.996; a v21 shape has no float "
            "vertices");
    points[4][1] = 40000;
    refused(
        &v21, LATHE_ERR_UNSUPPORTED,
        "triangle 1 is beyond the grid, which ends at 32768; a v21 shape has no float vertices");
    points[4][1] = 0;
    indices[1][2] = 6;
    refused(&v22, LATHE_ERR_INVALID, "triangle 1: corner 2 is vertex 6 of 6 vertices");
    indices[1][2] = 5;
    tags[0] = 0x2000;
    refused(&v22, LATHE_ERR_RANGE, "triangle 0: tag 8192, more than 8191");
    tags[0] = 0;
    refused(&(phive_build_options){.variant = PHIVE_V22, .scale = {1, NAN, 1}}, LATHE_ERR_RANGE,
            "the grid has nan steps to a unit in y, not 1e-12 to 1.67772e+07");
    refused(&(phive_build_options){.scale = {1, 1, 1}}, LATHE_ERR_UNSUPPORTED,
            "no shape has the version 0");
}

static void short_memory(void **state)
{
    (void)state;
    start();
    hills(30, 2, 2, 3);
    lone(0, 0, 0, 500, 1);
    const phive_mesh mesh = {points[0], vertex_n, indices[0], triangle_n, tags};
    long calls = 0;
    for (;; calls++) {
        memory left = {.left = calls};
        const mem m = {.fn = take, .user = &left};
        phive_built b;
        lathe_error err;
        const lathe_result r = phive_build(&b, &mesh, &v22, &m, &err);
        if (r == LATHE_OK) {
            phive_built_free(&b);
            assert_int_equal(left.blocks, 0);
            break;
        }
        assert_int_equal(r, LATHE_ERR_MEMORY);
        assert_int_equal(left.blocks, 0);
    }
    assert_true(calls > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing),      cmocka_unit_test(one_triangle),
        cmocka_unit_test(boxes),        cmocka_unit_test(cascade),
        cmocka_unit_test(hilly),        cmocka_unit_test(many_sections),
        cmocka_unit_test(grid_edges),   cmocka_unit_test(far_out),
        cmocka_unit_test(odd_shapes),   cmocka_unit_test(soup),
        cmocka_unit_test(other_grids),  cmocka_unit_test(refusals),
        cmocka_unit_test(short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
