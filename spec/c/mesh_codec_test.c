/* core/havok/physics/maths/mesh_codec: made-up meshes built, checked and decoded again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "made_mesh.h"

/* Half a step of its section or of what is shared, whichever is more, and what float rounds. */
static double tolerance(const hk_mesh *mesh, uint32_t key, unsigned axis)
{
    const hk_packed_section *s = &mesh->sections[key >> 8];
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
    hk_packed_section *sections = room(mesh->n_sections, sizeof *sections);
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
        const hk_packed_section *s = &a->sections[i], *t = &b->sections[i];
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
    refused(&s, LATHE_ERR_INVALID, "vertex 4 of triangle 1 has a coordinate that is not finite");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),          cmocka_unit_test(test_tangle),
        cmocka_unit_test(test_twenty_thousand), cmocka_unit_test(test_quads),
        cmocka_unit_test(test_left_out),        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
