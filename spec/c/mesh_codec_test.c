/* core/havok/physics/mesh_codec: made-up meshes built, checked and decoded again, and faults found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "havok/physics/mesh_codec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sources ---- */

typedef struct source {
    float (*positions)[3];
    uint32_t (*triangles)[3];
    uint16_t *materials;
    size_t n_positions, n_triangles;
} source;

static uint64_t seed;

static uint32_t random_to(uint32_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((seed >> 33) * n >> 31);
}
static float random_float(float size)
{
    return ((float)random_to(1 << 24) / (1 << 24) - 0.5f) * size;
}

static void *room(size_t n, size_t size)
{
    void *p = calloc(n + 1, size);
    assert_non_null(p);
    return p;
}

static source source_of(size_t n_positions, size_t n_triangles)
{
    return (source){room(n_positions, sizeof(float[3])), room(n_triangles, sizeof(uint32_t[3])),
                    room(n_triangles, sizeof(uint16_t)), n_positions, n_triangles};
}

static void source_free(source *s)
{
    free(s->positions);
    free(s->triangles);
    free(s->materials);
}

static hk_mesh_source given(const source *s)
{
    return (hk_mesh_source){.positions = (const float(*)[3])s->positions,
                            .n_positions = s->n_positions,
                            .triangles = (const uint32_t(*)[3])s->triangles,
                            .n_triangles = s->n_triangles,
                            .materials = s->materials};
}

/* Ground of side * side squares, flat where `height` is 0. */
static source ground(uint32_t side, float height)
{
    source s = source_of((size_t)(side + 1) * (side + 1), (size_t)side * side * 2);
    for (uint32_t i = 0; i < s.n_positions; i++) {
        s.positions[i][0] = (float)(i % (side + 1)) * 0.5f - 7;
        s.positions[i][1] = (float)(i / (side + 1)) * 0.75f + 3;
        s.positions[i][2] = random_float(height);
    }
    for (uint32_t i = 0; i < side * side; i++) {
        uint32_t a = i / side * (side + 1) + i % side;
        uint32_t square[6] = {a, a + 1, a + side + 2, a, a + side + 2, a + side + 1};
        memcpy(s.triangles[2 * i], square, sizeof square);
        s.materials[2 * i] = s.materials[2 * i + 1] = (uint16_t)(i / 5 % 3);
    }
    return s;
}

/* Triangles anywhere, with `shared` vertices between them, or their own each. */
static source soup(uint32_t n, uint32_t vertices, float size)
{
    source s = source_of(vertices ? vertices : n * 3, n);
    for (size_t i = 0; i < s.n_positions; i++)
        for (unsigned k = 0; k < 3; k++)
            s.positions[i][k] = random_float(size) + size;
    for (uint32_t t = 0; t < n; t++) {
        uint32_t v = vertices ? random_to(vertices - 2) : 3 * t;
        uint32_t corners[3] = {v, vertices ? (v + 1 + random_to(vertices - 2)) % vertices : v + 1,
                               v + 2};
        memcpy(s.triangles[t], corners, sizeof corners);
        s.materials[t] = (uint16_t)random_to(4);
    }
    return s;
}

/* A ball: closed, curved, all quads. */
static source ball(uint32_t rings, uint32_t sides)
{
    source s = source_of((size_t)(rings + 1) * sides, (size_t)rings * sides * 2);
    for (uint32_t i = 0; i < s.n_positions; i++) {
        double up = 3.14159265358979 * (i / sides + 0.5) / (rings + 1),
               round = 6.28318530717959 * (i % sides) / sides;
        s.positions[i][0] = (float)(sin(up) * cos(round));
        s.positions[i][1] = (float)(sin(up) * sin(round));
        s.positions[i][2] = (float)-cos(up);
    }
    for (uint32_t i = 0; i < rings * sides; i++) {
        uint32_t a = i, b = i / sides * sides + (i + 1) % sides;
        uint32_t quad[6] = {a, b, b + sides, a, b + sides, a + sides};
        memcpy(s.triangles[2 * i], quad, sizeof quad);
    }
    return s;
}

typedef struct found {
    char text[8192];
} found;

static bool note(void *user, int64_t section, const char *what)
{
    found *f = user;
    size_t n = strlen(f->text);
    snprintf(f->text + n, sizeof f->text - n, "%lld: %s\n", (long long)section, what);
    return true;
}

/* ---- what must hold of every mesh ---- */

static bool no_fault(void *user, int64_t section, const char *what)
{
    (void)user;
    fail_msg("section %lld: %s", (long long)section, what);
    return false;
}

static void check_ok(const hk_mesh *mesh)
{
    mem m = mem_default();
    assert_int_equal(hk_mesh_check(mesh, &m, no_fault, NULL), LATHE_OK);
}

static hk_mesh build(const source *s, hk_mesh_dropped *dropped)
{
    hk_mesh mesh;
    lathe_error err;
    mem m = mem_default();
    hk_mesh_source from = given(s);
    if (hk_mesh_build(&from, &m, &mesh, dropped, &err) != LATHE_OK)
        fail_msg("%s", err.message);
    return mesh;
}

static hk_mesh_triangles decode(const hk_mesh *mesh)
{
    hk_mesh_triangles t;
    lathe_error err;
    mem m = mem_default();
    if (hk_mesh_decode(mesh, &m, &t, &err) != LATHE_OK)
        fail_msg("%s", err.message);
    return t;
}

/* Half a step of its section or of what is shared, whichever is more, and what float rounds. */
static double tolerance(const hk_mesh *mesh, uint32_t key, unsigned axis)
{
    const hk_mesh_section *s = &mesh->sections[key >> 8];
    double extent = (double)mesh->max[axis] - (double)mesh->min[axis];
    double step = fmax((double)s->parms[3 + axis], extent / (axis < 2 ? 0x1fffff : 0x3fffff));
    double size = fmax(fabs((double)mesh->min[axis]), fabs((double)mesh->max[axis]));
    return 0.501 * step + 3e-7 * size;
}

static bool same_triangle(const hk_mesh *mesh, const hk_mesh_triangles *got, size_t i,
                          const source *s, size_t t)
{
    const hk_mesh_triangle *g = &got->triangles[i];
    for (unsigned turn = 0; turn < 3; turn++) {
        bool same = true;
        for (unsigned n = 0; n < 9; n++) {
            const float *a = got->positions[g->vertex[(n / 3 + turn) % 3]];
            const float *b = s->positions[s->triangles[t][n / 3]];
            double off = fabs((double)a[n % 3] - (double)b[n % 3]);
            same = same && off <= tolerance(mesh, g->key, n % 3);
        }
        if (same)
            return true;
    }
    return false;
}

/* Each triangle of the source is in the mesh once, with its winding and its material. Quadratic in the
 * triangles of a material. */
static void same_triangles(const source *s, const hk_mesh *mesh, size_t left_out)
{
    hk_mesh_triangles got = decode(mesh);
    size_t n_lost = 0, *next = room(got.n_triangles, sizeof *next), first[65536];
    assert_int_equal(got.n_triangles + left_out, s->n_triangles);
    assert_int_equal(mesh->primitive_keys, got.n_triangles);
    memset(first, 0xff, sizeof first);
    for (size_t i = got.n_triangles; i-- > 0;) {
        assert_in_range(got.triangles[i].material, 0, 65535);
        next[i] = first[got.triangles[i].material];
        first[got.triangles[i].material] = i;
    }
    for (size_t t = 0; t < s->n_triangles; t++) {
        size_t *at = &first[s->materials[t]];
        while (*at != SIZE_MAX && !same_triangle(mesh, &got, *at, s, t))
            at = &next[*at];
        if (*at == SIZE_MAX)
            n_lost++;
        else
            *at = next[*at];
    }
    assert_int_equal(n_lost, left_out);
    free(next);
    hk_mesh_triangles_free(&got);
}

/* Positions and keys of a mesh that is twice as large are exactly twice those. */
static void doubles(const hk_mesh *mesh)
{
    hk_mesh large = *mesh;
    hk_mesh_section *sections = room(mesh->n_sections, sizeof *sections);
    memcpy(sections, mesh->sections, mesh->n_sections * sizeof *sections);
    large.sections = sections;
    for (unsigned k = 0; k < 3; k++) {
        large.min[k] *= 2;
        large.max[k] *= 2;
    }
    for (size_t i = 0; i < mesh->n_sections; i++)
        for (unsigned k = 0; k < 6; k++) {
            sections[i].parms[k] *= 2;
            *(k < 3 ? &sections[i].min[k] : &sections[i].max[k - 3]) *= 2;
        }
    check_ok(&large);
    hk_mesh_triangles a = decode(mesh), b = decode(&large);
    assert_int_equal(a.n_positions, b.n_positions);
    for (size_t i = 0; i < a.n_positions * 3; i++)
        assert_true(a.positions[i / 3][i % 3] * 2 == b.positions[i / 3][i % 3]);
    assert_memory_equal(a.triangles, b.triangles, a.n_triangles * sizeof *a.triangles);
    hk_mesh_triangles_free(&a);
    hk_mesh_triangles_free(&b);
    free(sections);
}

static void same_array(const void *a, size_t n, const void *b, size_t n2, size_t size)
{
    assert_int_equal(n, n2);
    assert_memory_equal(a, b, n * size);
}

static void same_mesh(const hk_mesh *a, const hk_mesh *b)
{
    same_array(a->nodes, a->n_nodes, b->nodes, b->n_nodes, HK_MESH_TOP_NODE);
    same_array(a->primitives, a->n_primitives, b->primitives, b->n_primitives, 4);
    same_array(a->shared_index, a->n_shared_index, b->shared_index, b->n_shared_index, 2);
    same_array(a->packed, a->n_packed, b->packed, b->n_packed, 4);
    same_array(a->shared, a->n_shared, b->shared, b->n_shared, 8);
    same_array(a->runs, a->n_runs, b->runs, b->n_runs, sizeof(hk_mesh_run));
    same_array(a->flat.words, a->flat.n_words, b->flat.words, b->flat.n_words, 4);
    same_array(a->min, 6, b->min, 6, sizeof(float));
    assert_int_equal(a->n_sections, b->n_sections);
    for (size_t i = 0; i < a->n_sections; i++) {
        const hk_mesh_section *s = &a->sections[i], *t = &b->sections[i];
        same_array(s->nodes, s->n_nodes, t->nodes, t->n_nodes, HK_MESH_NODE);
        same_array(s->parms, 6, t->parms, 6, sizeof(float));
        assert_int_equal(s->leaf, t->leaf);
    }
}

static void holds(source s, size_t left_out)
{
    hk_mesh_dropped dropped;
    hk_mesh mesh = build(&s, &dropped), again = build(&s, NULL);
    assert_int_equal(dropped.flat + dropped.collapsed, left_out);
    check_ok(&mesh);
    same_triangles(&s, &mesh, left_out);
    same_mesh(&mesh, &again);
    doubles(&mesh);
    hk_mesh_free(&mesh);
    hk_mesh_free(&again);
    source_free(&s);
}

static void test_shapes(void **state)
{
    (void)state;
    seed = 1;
    holds(soup(1, 0, 2), 0);
    holds(ground(1, 0), 0);
    holds(ground(13, 0), 0);
    holds(ground(20, 3), 0);
    holds(ball(9, 24), 0);
    for (unsigned i = 0; i < 6; i++)
        holds(soup(2 + random_to(700), 0, 10), 0);
    for (unsigned i = 0; i < 3; i++)
        holds(soup(200 + random_to(500), 0, 1e-6f), 0);
    holds(soup(300, 0, 1e6f), 0);
}

/* Every vertex is of many sections. */
static void test_tangle(void **state)
{
    (void)state;
    seed = 7;
    for (unsigned i = 0; i < 5; i++) {
        source s = soup(600, 40 + random_to(60), 5);
        hk_mesh_dropped dropped;
        hk_mesh mesh = build(&s, &dropped);
        check_ok(&mesh);
        assert_true(mesh.n_shared > 30);
        same_triangles(&s, &mesh, dropped.flat + dropped.collapsed);
        hk_mesh_free(&mesh);
        source_free(&s);
    }
}

static void test_twenty_thousand(void **state)
{
    (void)state;
    seed = 3;
    source s = ground(100, 2);
    for (uint32_t t = 0; t < s.n_triangles; t++)
        s.materials[t] = (uint16_t)(t / 4);
    hk_mesh mesh = build(&s, NULL);
    assert_in_range(mesh.n_sections, 79, 110);
    assert_in_range(mesh.n_primitives, 10000, 11200);
    hk_mesh_free(&mesh);
    holds(s, 0);
}

/* What no material, sharp edge or limit keeps apart becomes quads, flat ones marked. */
static void test_quads(void **state)
{
    (void)state;
    source s = ground(8, 0);
    memset(s.materials, 0, s.n_triangles * sizeof *s.materials);
    hk_mesh mesh = build(&s, NULL);
    assert_int_equal(mesh.n_primitives, 64);
    assert_int_equal(mesh.n_sections, 1);
    assert_int_equal(mesh.n_runs, 1);
    assert_int_equal(mesh.max_key, 127);
    assert_int_equal(mesh.bits_per_key, 8);
    assert_int_equal(mesh.flat.bits, 64);
    assert_int_equal(mesh.interior.bits, 128);
    assert_true(mesh.flat.words[0] == UINT32_MAX && mesh.flat.words[1] == UINT32_MAX);
    found f = {{0}};
    mem m = mem_default();
    mesh.min[0] -= 1;
    assert_int_equal(hk_mesh_check(&mesh, &m, note, &f), LATHE_OK);
    assert_string_equal(f.text, "-1: its domain is larger than its triangles\n");
    hk_mesh_free(&mesh);
    for (uint32_t t = 0; t < s.n_triangles; t++)
        s.materials[t] = t % 2;
    mesh = build(&s, NULL);
    assert_int_equal(mesh.n_primitives, 128);
    assert_int_equal(mesh.n_runs, 2);
    assert_int_equal(mesh.max_key, 254);
    assert_int_equal(mesh.flat.words[0], 0);
    hk_mesh_free(&mesh);
    source_free(&s);
}

static void test_left_out(void **state)
{
    (void)state;
    /* a corner twice; three in a line; an equal position under another number; too thin for its section */
    static const float positions[][3] = {{0, 0, 0},          {1, 0, 0},         {1, 1, 0},
                                         {2, 0, 0},          {-0.0f, 0, 0},     {100, 100, 0},
                                         {100.001f, 100, 0}, {100, 100.001f, 0}};
    static const uint32_t triangles[][3] = {{0, 1, 2}, {1, 1, 2}, {0, 1, 3}, {0, 4, 2}, {5, 6, 7}};
    hk_mesh_source s = {positions, 8, triangles, 5, NULL};
    hk_mesh mesh;
    hk_mesh_dropped dropped;
    mem m = mem_default();
    assert_int_equal(hk_mesh_build(&s, &m, &mesh, &dropped, NULL), LATHE_OK);
    assert_int_equal(dropped.flat, 3);
    assert_int_equal(dropped.collapsed, 1);
    assert_int_equal(mesh.primitive_keys, 1);
    assert_true(mesh.max[0] == 1);
    check_ok(&mesh);
    hk_mesh_free(&mesh);
}

/* ---- what is refused ---- */

static void refused(const hk_mesh_source *s, lathe_result want, const char *message)
{
    hk_mesh mesh;
    lathe_error err;
    mem m = mem_default();
    assert_int_equal(hk_mesh_build(s, &m, &mesh, NULL, &err), want);
    assert_string_equal(err.message, message);
    assert_null(mesh.sections);
}

static void test_refused(void **state)
{
    (void)state;
    float positions[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}, {NAN, 0, 0}};
    uint32_t triangles[][3] = {{0, 1, 2}, {0, 1, 3}};
    hk_mesh_source s = {(const float(*)[3])positions, 5, (const uint32_t(*)[3])triangles, 0, NULL};
    refused(&s, LATHE_ERR_INVALID, "no triangle has an area that is left");
    s.n_triangles = 2;
    triangles[0][2] = 3;
    refused(&s, LATHE_ERR_INVALID, "no triangle has an area that is left");
    triangles[1][1] = 4;
    refused(&s, LATHE_ERR_INVALID, "vertex 4 of triangle 1 has a number that is none");
    triangles[1][1] = 5;
    refused(&s, LATHE_ERR_BOUNDS, "triangle 1 has vertex 5, but there are 5");
    seed = 5;
    source many = soup(110000, 70000, 100);
    s = given(&many);
    hk_mesh mesh;
    lathe_error err;
    mem m = mem_default();
    assert_int_equal(hk_mesh_build(&s, &m, &mesh, NULL, &err), LATHE_ERR_LIMIT);
    unsigned shared, most;
    assert_int_equal(
        sscanf(err.message, "sections share %u vertices, but %u are the most", &shared, &most), 2);
    assert_true(shared > 65536 && most == 65536);
    source_free(&many);
}

typedef struct limited {
    size_t bytes, calls, fail_at; /* 0: never */
} limited;

static void *limited_alloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    limited *l = user;
    if (new_size == 0) {
        l->bytes -= old_size;
        free(ptr);
        return NULL;
    }
    if (++l->calls == l->fail_at)
        return NULL;
    l->bytes += new_size - old_size;
    return realloc(ptr, new_size);
}

static bool keep_on(void *user, int64_t section, const char *what)
{
    (void)user, (void)section, (void)what;
    return true;
}

static void test_memory(void **state)
{
    (void)state;
    seed = 9;
    source s = ground(14, 2);
    hk_mesh_source from = given(&s);
    limited l = {0};
    mem m = {limited_alloc, &l};
    lathe_result built = LATHE_ERR_MEMORY, read = built, checked = built;
    for (size_t i = 1; built || read || checked; i++) {
        hk_mesh mesh;
        hk_mesh_triangles t = {0};
        l.calls = 0;
        l.fail_at = built ? i : 0;
        lathe_result r = hk_mesh_build(&from, &m, &mesh, NULL, NULL);
        if (r == LATHE_OK) {
            i = built ? 1 : i;
            built = r;
            l.calls = 0;
            l.fail_at = i;
            read = hk_mesh_decode(&mesh, &m, &t, NULL);
            l.calls = 0;
            checked = hk_mesh_check(&mesh, &m, keep_on, NULL);
        }
        hk_mesh_triangles_free(&t);
        hk_mesh_free(&mesh);
        assert_int_equal(l.bytes, 0);
        assert_in_range(i, 1, 2000);
        assert_true(r == LATHE_OK || r == LATHE_ERR_MEMORY);
    }
    source_free(&s);
}

/* ---- faults ---- */

typedef struct copy {
    hk_mesh mesh;
    hk_mesh_section *sections;
    uint8_t *nodes, *section_nodes, (*primitives)[4];
    uint16_t *shared_index;
    uint32_t *packed;
    hk_mesh_run *runs;
} copy;

static void *copied(const void *from, size_t n, size_t size)
{
    return memcpy(room(n, size), from, n * size);
}

/* All of it can be written to; nodes of section 1 only. */
static copy copy_of(const hk_mesh *m)
{
    copy c = {.mesh = *m,
              .sections = copied(m->sections, m->n_sections, sizeof *m->sections),
              .nodes = copied(m->nodes, m->n_nodes, HK_MESH_TOP_NODE),
              .section_nodes = copied(m->sections[1].nodes, m->sections[1].n_nodes, HK_MESH_NODE),
              .primitives = copied(m->primitives, m->n_primitives, 4),
              .shared_index = copied(m->shared_index, m->n_shared_index, 2),
              .packed = copied(m->packed, m->n_packed, 4),
              .runs = copied(m->runs, m->n_runs, sizeof *m->runs)};
    c.sections[1].nodes = c.section_nodes;
    c.mesh.sections = c.sections;
    c.mesh.nodes = c.nodes;
    c.mesh.primitives = (const uint8_t(*)[4])c.primitives;
    c.mesh.shared_index = c.shared_index;
    c.mesh.packed = c.packed;
    c.mesh.runs = c.runs;
    return c;
}

static void copy_free(copy *c)
{
    free(c->sections);
    free(c->nodes);
    free(c->section_nodes);
    free(c->primitives);
    free(c->shared_index);
    free(c->packed);
    free(c->runs);
}

/* The copy's fault is told in these words. */
static void told(copy *c, const char *words)
{
    found f = {{0}};
    mem m = mem_default();
    assert_int_equal(hk_mesh_check(&c->mesh, &m, note, &f), LATHE_OK);
    if (!strstr(f.text, words))
        fail_msg("not told: %s\nbut:\n%s", words, f.text);
    copy_free(c);
}

#define FAULT(change, words)                                                                       \
    do {                                                                                           \
        copy c = copy_of(&mesh);                                                                   \
        hk_mesh_section *s = &c.sections[1];                                                       \
        (void)s;                                                                                   \
        change;                                                                                    \
        told(&c, words);                                                                           \
    } while (0)

static void test_faults(void **state)
{
    (void)state;
    seed = 11;
    source from = ground(20, 2);
    hk_mesh mesh = build(&from, NULL);
    assert_true(mesh.n_sections > 2 && mesh.n_shared > 0);
    /* trees */
    FAULT(s->nodes = c.section_nodes;
          c.section_nodes[3] = 0, "1: no node of the tree leads to primitive");
    FAULT(c.section_nodes[3] = 1,
          "1: node 0 of the tree leads to node 0, which is another's or its own");
    FAULT(c.section_nodes[3] = 0xff, "1: node 0 of the tree leads to node 254, which there is not");
    FAULT(s->n_nodes -= 2, "1: the tree has ");
    FAULT(c.section_nodes[0] |= 0x90, " looks out of the box of its node ");
    FAULT(c.nodes[3] = c.nodes[4] = 0, "-1: no node of the tree leads to section 1");
    FAULT(c.nodes[0] |= 0x0f, ": it looks out of the box of its node ");
    FAULT(s->leaf++, "1: its leaf is node ");
    /* bounds */
    FAULT(s->max[2] -= 0.1f, "1: triangles look out of its domain");
    FAULT(s->max[2] += 0.1f, "1: its domain is larger than its triangles");
    FAULT(c.mesh.max[1] -= 1,
          "-1: triangles look out of its domain"); /* it moves shared ones, too */
    FAULT(s->parms[3] = NAN, "1: triangles look out of its domain");
    /* counts */
    FAULT(s->n_packed_again++, "in one place and ");
    FAULT(s->n_primitives--, "1: data run ");
    FAULT(s->first_primitive = UINT32_MAX, "1: its primitives are ");
    FAULT(s->first_packed++, "1: its packed vertices begin at ");
    FAULT(s->n_shared = 255, "vertices, but 255 are the most");
    FAULT(c.mesh.n_runs++, "-1: sections have ");
    FAULT(c.mesh.n_sections = 0, "-1: it has no sections");
    /* runs, indices */
    FAULT(c.runs[s->first_run].count--, "1: ");
    FAULT(c.runs[s->first_run].index = 9, "1: data run 0 is of primitives 9 to ");
    FAULT(c.primitives[s->first_primitive][1] = 254,
          "1: primitive 0 has vertex 254, but there are ");
    FAULT(c.shared_index[s->first_shared] = 65535,
          "1: shared vertex 0 is number 65535, but there are ");
    FAULT(c.primitives[s->first_primitive][1] = c.primitives[s->first_primitive][0],
          "1: a triangle of primitive 0 has no area");
    /* keys */
    FAULT(c.mesh.primitive_keys--, "-1: numPrimitiveKeys is 799, but there are 800 triangles");
    FAULT(c.mesh.max_key ^= 1, "-1: maxKeyValue is ");
    FAULT(c.mesh.bits_per_key++, "-1: bitsPerKey is 11 instead of 10");
    FAULT(c.mesh.flat.bits++, "-1: quadIsFlat has ");
    FAULT(c.mesh.interior.bits = -1, "-1: triangleIsInterior has -1 bits instead of ");
    FAULT(c.mesh.interior.n_words--, "-1: triangleIsInterior has ");
    hk_mesh_free(&mesh);
    source_free(&from);
}

static bool stop(void *user, int64_t section, const char *what)
{
    (void)section, (void)what;
    ++*(int *)user;
    return false;
}

/* Bytes at random: whatever is read, nothing is read that is not there, and no walk goes on for ever. */
static void test_hostile(void **state)
{
    (void)state;
    seed = 13;
    source from = ground(20, 2);
    hk_mesh mesh = build(&from, NULL);
    mem m = mem_default();
    for (unsigned round = 0; round < 2000; round++) {
        copy c = copy_of(&mesh);
        struct {
            void *at;
            size_t size;
        } parts[] = {{c.nodes, mesh.n_nodes * HK_MESH_TOP_NODE},
                     {c.section_nodes, mesh.sections[1].n_nodes * HK_MESH_NODE},
                     {c.primitives, mesh.n_primitives * 4},
                     {c.shared_index, mesh.n_shared_index * 2},
                     {c.runs, mesh.n_runs * sizeof *c.runs},
                     {c.sections[1].min, sizeof *c.sections - offsetof(hk_mesh_section, min)}};
        unsigned p = random_to(sizeof parts / sizeof *parts), n = 1 + random_to(4);
        for (unsigned i = 0; i < n; i++)
            ((uint8_t *)parts[p].at)[random_to((uint32_t)parts[p].size)] = (uint8_t)random_to(256);
        hk_mesh_triangles t;
        lathe_error err = {0};
        lathe_result r = hk_mesh_decode(&c.mesh, &m, &t, &err);
        assert_true((r == LATHE_OK) == (err.message[0] == '\0'));
        hk_mesh_triangles_free(&t);
        int calls = 0;
        assert_int_equal(hk_mesh_check(&c.mesh, &m, stop, &calls), LATHE_OK);
        assert_in_range(calls, 0, 1);
        assert_int_equal(hk_mesh_check(&c.mesh, &m, keep_on, NULL), LATHE_OK);
        copy_free(&c);
    }
    hk_mesh_free(&mesh);
    source_free(&from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),          cmocka_unit_test(test_tangle),
        cmocka_unit_test(test_twenty_thousand), cmocka_unit_test(test_quads),
        cmocka_unit_test(test_left_out),        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_memory),          cmocka_unit_test(test_faults),
        cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
