/* core/havok/physics/maths/mesh_codec: faults are named, and bytes at random do no harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "made_mesh.h"

typedef struct copy {
    hk_mesh mesh;
    hk_packed_section *sections;
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
        hk_packed_section *s = &c.sections[1];                                                     \
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
    FAULT(c.section_nodes[0] |= 0x90, " protrudes from the box of its node ");
    FAULT(c.nodes[3] = c.nodes[4] = 0, "-1: no node of the tree leads to section 1");
    FAULT(c.nodes[0] |= 0x0f, "-1: section 0 protrudes from the box of its node ");
    FAULT(s->leaf++, "1: its leaf is node ");
    /* bounds */
    FAULT(s->max[2] -= 0.1f, "1: triangles protrude from its domain");
    FAULT(s->max[2] += 0.1f, "1: its domain is larger than its triangles");
    FAULT(c.mesh.max[1] -= 1,
          "-1: triangles protrude from its domain"); /* it moves shared ones, too */
    FAULT(s->parms[3] = NAN, "1: triangles protrude from its domain");
    /* counts */
    FAULT(s->n_packed_again++, "in one place and ");
    FAULT(s->n_primitives--, "-1: run ");
    FAULT(s->first_primitive = UINT32_MAX, "1: its primitives are ");
    FAULT(s->first_packed++, "1: its packed vertices begin at ");
    FAULT(s->n_shared = 255, "vertices, but 255 are the most");
    FAULT(c.mesh.n_runs++, "-1: sections have ");
    FAULT(c.mesh.n_sections = 0, "-1: it has no sections");
    /* runs, indices */
    FAULT(c.runs[s->first_run].count--, "1");
    FAULT(c.runs[s->first_run].index = 9, "-1: run 0 of section 1 is of ");
    FAULT(c.primitives[s->first_primitive][1] = 254,
          "-1: primitive 0 of section 1 has vertex 254, but there are ");
    FAULT(c.shared_index[s->first_shared] = 65535,
          "-1: section 1 has shared vertex 65535, but there are ");
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

static bool stop(void *user, const hk_mesh_flaw *flaw)
{
    (void)flaw;
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
                     {c.sections[1].min, sizeof *c.sections - offsetof(hk_packed_section, min)}};
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
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
