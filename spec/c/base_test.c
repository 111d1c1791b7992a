/* core/base: memory, errors, vectors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A sequence that is the same on every machine. */
static uint64_t next_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = *state;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static double random_unit(uint64_t *state) /* -1 … 1 */
{
    return (double)(next_random(state) >> 11) * 0x1p-52 - 1;
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Checks that every size given back is the size that was asked for, and refuses on demand. */
typedef struct ledger {
    size_t bytes, blocks, calls, refuse_above;
} ledger;

typedef union ledger_block {
    size_t size;
    max_align_t align;
} ledger_block;

static void *ledger_alloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    ledger *l = user;
    ledger_block *block = ptr ? (ledger_block *)ptr - 1 : NULL;
    l->calls++;
    assert_int_equal(old_size, block ? block->size : 0);
    if (new_size > 0 && new_size > l->refuse_above)
        return NULL;
    l->bytes = l->bytes - old_size + new_size;
    if (new_size == 0) {
        l->blocks -= block != NULL;
        free(block);
        return NULL;
    }
    l->blocks += block == NULL;
    block = realloc(block, sizeof *block + new_size);
    assert_non_null(block);
    block->size = new_size;
    return block + 1;
}

static mem ledger_mem(ledger *l)
{
    return (mem){ledger_alloc, l};
}

static void mem_blocks(void **state)
{
    (void)state;
    ledger l = {.refuse_above = 1 << 20};
    mem m = ledger_mem(&l), d = mem_default();
    unsigned char *p = mem_zalloc(&m, 100);
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(p[i], 0);
    p[99] = 7;
    p = mem_resize(&m, p, 100, 200);
    assert_int_equal(p[99], 7);
    assert_null(mem_resize(&m, p, 200, 2 << 20));
    assert_int_equal(p[99], 7); /* still good */
    assert_null(mem_resize(&m, p, 200, 0));
    assert_null(mem_alloc(&m, SIZE_MAX));
    void *nothing = mem_alloc(&m, 0);
    assert_non_null(nothing);
    mem_free(&m, nothing, 0);
    mem_free(&m, NULL, 5);
    assert_int_equal(l.blocks, 0);
    assert_int_equal(l.bytes, 0);
    assert_null(mem_alloc(&d, SIZE_MAX));
    mem_free(&d, mem_zalloc(&d, 0), 0);
}

static void mem_reserve_grows_and_refuses(void **state)
{
    (void)state;
    ledger l = {.refuse_above = 100000};
    mem m = ledger_mem(&l);
    void *p = NULL;
    size_t cap = 0;
    assert_true(mem_reserve(&m, &p, &cap, 0, 12));
    assert_null(p);
    for (size_t n = 1; n <= 5000; n++)
        assert_true(mem_reserve(&m, &p, &cap, n, 12));
    assert_true(l.calls < 20); /* geometric */
    void *before = p;
    size_t cap_before = cap;
    assert_false(mem_reserve(&m, &p, &cap, 10000, 12));
    assert_false(mem_reserve(&m, &p, &cap, SIZE_MAX, 12));
    assert_false(mem_reserve(&m, &p, &cap, SIZE_MAX / 12 + 2, 12)); /* product wraps to 12 */
    assert_false(mem_reserve(&m, &p, &cap, SIZE_MAX, 1));
    assert_false(mem_reserve(&m, &p, &cap, SIZE_MAX, 0));
    assert_ptr_equal(p, before);
    assert_int_equal(cap, cap_before);
    assert_true(mem_reserve(&m, &p, &cap, 100000 / 12, 12)); /* exactly, where half more is not */
    assert_int_equal(cap, 100000 / 12);
    mem_free(&m, p, cap * 12);
    assert_int_equal(l.blocks, 0);
}

static void buffers(void **state)
{
    (void)state;
    ledger l = {.refuse_above = 4096};
    mem m = ledger_mem(&l);
    buf b;
    buf_init(&b, &m);
    assert_true(buf_put(&b, NULL, 0));
    assert_true(buf_put(&b, "abc", 3));
    assert_true(buf_fill(&b, 0xee, 2));
    assert_true(buf_put(&b, "z", 1));
    assert_int_equal(b.size, 6);
    assert_memory_equal(b.data, "abc\xee\xeez", 6);
    assert_false(buf_fill(&b, 0, 5000));
    assert_false(buf_reserve(&b, SIZE_MAX));
    assert_false(buf_put(&b, "x", SIZE_MAX - 3));
    assert_int_equal(b.size, 6);
    assert_memory_equal(b.data, "abc\xee\xeez", 6);
    buf_free(&b);
    assert_null(b.data);
    buf_free(&b);
    assert_int_equal(l.blocks, 0);
}

static void arenas(void **state)
{
    (void)state;
    ledger l = {.refuse_above = 1 << 20};
    mem m = ledger_mem(&l);
    arena a;
    arena_init(&a, &m);
    uint64_t seed = 1;
    unsigned char *blocks[500];
    size_t sizes[500];
    for (size_t i = 0; i < 500; i++) {
        sizes[i] = next_random(&seed) % (i % 50 == 0 ? 70000 : 300);
        blocks[i] = arena_zalloc(&a, sizes[i]);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % _Alignof(max_align_t), 0);
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(blocks[i][k], 0);
        memset(blocks[i], (int)(i & 0xff), sizes[i]);
    }
    for (size_t i = 0; i < 500; i++)
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(blocks[i][k], i & 0xff);
    assert_null(arena_zalloc(&a, SIZE_MAX));
    assert_null(arena_zalloc(&a, SIZE_MAX / 2));
    assert_null(arena_zalloc(&a, 2 << 20));
    assert_true(l.blocks < 40);
    arena_free(&a);
    assert_int_equal(l.blocks, 0);
    assert_non_null(arena_zalloc(&a, 5000)); /* the first of all in a block of its own */
    assert_non_null(arena_zalloc(&a, 8));
    arena_free(&a);
    assert_int_equal(l.bytes, 0);
}

/* ---- errors --------------------------------------------------------------------------------- */

static void result_names(void **state)
{
    (void)state;
    for (int i = 0; i < LATHE_RESULT_COUNT; i++)
        assert_string_not_equal(lathe_result_name((lathe_result)i), "unknown");
    assert_string_equal(lathe_result_name(LATHE_OK), "ok");
    assert_string_equal(lathe_result_name(LATHE_ERR_BOUNDS), "bounds");
    assert_string_equal(lathe_result_name(LATHE_ERR_STATE), "state");
    assert_string_equal(lathe_result_name(LATHE_RESULT_COUNT), "unknown");
}

static void error_texts(void **state)
{
    (void)state;
    lathe_error e;
    char text[64];
    memset(&e, 'x', sizeof e);
    assert_int_equal(error_set(&e, LATHE_ERR_BOUNDS, 0x1c, "%d of %s", 4, "five"),
                     LATHE_ERR_BOUNDS);
    assert_int_equal(e.level, LATHE_LEVEL_ERROR);
    assert_string_equal(e.path, "");
    assert_int_equal(lathe_error_text(&e, text, sizeof text), 18);
    assert_string_equal(text, "at 0x1c: 4 of five");
    error_where(&e, "blocks[4]");
    error_where(&e, "elsewhere"); /* the first one stands */
    error_path(&e, "a.nif");
    error_path(&e, "b.nif");
    lathe_error_text(&e, text, sizeof text);
    assert_string_equal(text, "a.nif: blocks[4] at 0x1c: 4 of five");
    assert_int_equal(lathe_error_text(&e, text, 9), 35); /* like snprintf */
    assert_string_equal(text, "a.nif: b");
    assert_int_equal(lathe_error_text(&e, NULL, 0), 35);
    e.offset = LATHE_NO_OFFSET;
    lathe_error_text(&e, text, sizeof text);
    assert_string_equal(text, "a.nif: blocks[4]: 4 of five");
    error_set(&e, LATHE_ERR_IO, LATHE_NO_OFFSET, "again: %s", e.message); /* its own text */
    lathe_error_text(&e, text, sizeof text);
    assert_string_equal(text, "again: 4 of five");
    error_clear(&e);
    assert_int_equal(e.offset, LATHE_NO_OFFSET);
    lathe_error_text(&e, text, sizeof text);
    assert_string_equal(text, "ok");
    assert_int_equal(lathe_error_text(NULL, text, sizeof text), 0);
    error_clear(NULL);
    error_path(NULL, "p");
    error_where(&e, NULL);
}

static void error_truncation(void **state)
{
    (void)state;
    lathe_error e;
    char text[2000];
    memset(text, 'm', sizeof text);
    text[sizeof text - 1] = '\0';
    error_set(&e, LATHE_ERR_IO, LATHE_NO_OFFSET, "%s", text);
    assert_int_equal(strlen(e.message), sizeof e.message - 1);
    assert_string_equal(e.message + sizeof e.message - 5, "m...");
    error_path(&e, text);
    assert_int_equal(strlen(e.path), sizeof e.path - 1);
    assert_string_equal(e.path + sizeof e.path - 5, "m...");
    error_where(&e, text);
    assert_string_equal(e.where + sizeof e.where - 5, "m...");
    text[sizeof e.message - 1] = '\0'; /* what just fits is whole */
    error_set(&e, LATHE_ERR_IO, LATHE_NO_OFFSET, "%s", text);
    assert_string_equal(e.message, text);
    for (size_t shift = 0; shift < 3; shift++) { /* UTF-8 is not cut inside a sequence */
        memset(text, 'm', shift);
        for (size_t i = 0; i < 300; i++)
            memcpy(text + shift + 3 * i, "\xe2\x80\xa6", 4);
        error_set(&e, LATHE_ERR_IO, LATHE_NO_OFFSET, "%s", text);
        size_t n = strlen(e.message);
        assert_true(n >= sizeof e.message - 3);
        assert_int_equal((n - 3 - shift) % 3, 0);
        assert_string_equal(e.message + n - 6, "\xe2\x80\xa6...");
    }
}

static const char *name_at(void *user, size_t i)
{
    return ((const char *const *)user)[i];
}

static void nearest_names(void **state)
{
    (void)state;
    const char *names[] = {"friction", "restitution", "num_vertices", "x",     "y",
                           "position", "translation", "id",           "bones", NULL};
    const char *tries[][2] = {
        {"friciton", "friction"},
        {"boens", "bones"},
        {"di", NULL},
        {"Friction", "friction"},
        {"numVertices", "num_vertices"},
        {"bone", "bones"},
        {"postion", "position"},
        {"idx", "id"},
        {"numvertices", "num_vertices"},
        {"transltaion", "translation"},
        {"friction", "friction"},
        {"z", NULL},
        {"velocity", NULL},
        {"", NULL},
        {"ab", NULL},
    };
    void *list = names;
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        const char *found = error_nearest(tries[i][0], name_at, list);
        if (tries[i][1])
            assert_string_equal(found ? found : tries[i][0], tries[i][1]);
        else
            assert_null(found);
    }
    char lengthy[200];
    memset(lengthy, 'f', sizeof lengthy);
    lengthy[sizeof lengthy - 1] = '\0';
    assert_null(error_nearest(lengthy, name_at, list));
    names[0] = lengthy;
    assert_string_equal(error_nearest("position", name_at, list), "position");
    assert_null(error_nearest(NULL, name_at, list));
}

/* ---- vectors -------------------------------------------------------------------------------- */

#define NEAR(a, b) assert_true(fabs((a) - (b)) <= 1e-9)

static void near3(vec3 a, vec3 b)
{
    NEAR(a.x, b.x);
    NEAR(a.y, b.y);
    NEAR(a.z, b.z);
}

static void near_mat(const mat4 *a, const mat4 *b)
{
    for (size_t i = 0; i < 16; i++)
        NEAR(a->m[i / 4][i % 4], b->m[i / 4][i % 4]);
}

static vec3 random_vec(uint64_t *seed)
{
    return (vec3){random_unit(seed), random_unit(seed), random_unit(seed)};
}

static quat random_quat(uint64_t *seed, int i)
{
    quat q = {random_unit(seed), random_unit(seed), random_unit(seed), random_unit(seed)};
    double *lanes[] = {&q.x, &q.y, &q.z, &q.w};
    if (i % 5 < 4)
        *lanes[i % 5] *= 1e-9; /* half turns and the like, on each branch of the conversion */
    return quat_normalize(q);
}

static void quaternions(void **state)
{
    (void)state;
    uint64_t seed = 4;
    near3(quat_rotate((quat){0, 0, sqrt(0.5), sqrt(0.5)}, (vec3){1, 0, 0}), (vec3){0, 1, 0});
    near3(vec3_cross((vec3){1, 0, 0}, (vec3){0, 1, 0}), (vec3){0, 0, 1});
    for (int i = 0; i < 2000; i++) {
        quat a = random_quat(&seed, i), b = random_quat(&seed, i / 5);
        vec3 v = random_vec(&seed), zero = {0, 0, 0}, one = {1, 1, 1};
        near3(quat_rotate(quat_mul(a, b), v), quat_rotate(a, quat_rotate(b, v)));
        near3(quat_rotate(quat_conjugate(a), quat_rotate(a, v)), v);
        NEAR(vec3_length(quat_rotate(a, v)), vec3_length(v));
        mat4 m = mat4_compose(zero, a, one);
        near3(mat4_point(&m, v), quat_rotate(a, v));
        quat back = quat_from_mat4(&m);
        NEAR(fabs(a.x * back.x + a.y * back.y + a.z * back.z + a.w * back.w), 1);
        near3(vec3_sub(vec3_add(v, one), one), v);
        NEAR(vec3_dot(vec3_cross(v, one), v), 0);
    }
    near3(vec3_normalize((vec3){0, 0, 0}), (vec3){0, 0, 0});
    near3(vec3_normalize((vec3){0, -3, 0}), (vec3){0, -1, 0});
    NEAR(quat_normalize((quat){0, 0, 0, 0}).w, 1);
    NEAR(quat_identity().w, 1);
}

static void matrices(void **state)
{
    (void)state;
    uint64_t seed = 5;
    mat4 one = mat4_identity();
    for (int i = 0; i < 2000; i++) {
        vec3 t = vec3_scale(random_vec(&seed), 100), s = random_vec(&seed), v = random_vec(&seed);
        s.x += s.x < 0 ? -0.1 : 0.1; /* of either sign: mirrored once, twice, three times */
        s.y += s.y < 0 ? -0.1 : 0.1;
        s.z += s.z < 0 ? -0.1 : 0.1;
        quat q = random_quat(&seed, i);
        mat4 m = mat4_compose(t, q, s), inverse, product;
        vec3 sv = {s.x * v.x, s.y * v.y, s.z * v.z};
        near3(mat4_point(&m, v), vec3_add(t, quat_rotate(q, sv)));
        near3(mat4_direction(&m, v), quat_rotate(q, sv));
        vec3 t2, s2;
        quat q2;
        mat4_decompose(&m, &t2, &q2, &s2);
        assert_true(s2.y > 0 && s2.z > 0 && (s2.x < 0) == (s.x * s.y * s.z < 0));
        mat4 again = mat4_compose(t2, q2, s2);
        near_mat(&again, &m);
        assert_true(mat4_invert(&m, &inverse));
        product = mat4_mul(&m, &inverse);
        near_mat(&product, &one);
        mat4 n = mat4_compose(random_vec(&seed), random_quat(&seed, i + 1), s);
        product = mat4_mul(&m, &n);
        near3(mat4_point(&product, v), mat4_point(&m, mat4_point(&n, v)));
    }
}

static void flat_and_singular_matrices(void **state)
{
    (void)state;
    uint64_t seed = 6;
    vec3 t, s, move = {1, 2, 3};
    for (int i = 0; i < 70; i++) {
        vec3 flat = {i & 1 ? 2 : 0, i & 2 ? 3 : 0, i & 4 ? 4 : 0};
        quat q;
        mat4 m = mat4_compose(move, random_quat(&seed, i), flat), out = mat4_identity();
        mat4_decompose(&m, &t, &q, &s);
        near3(s, flat);
        NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1);
        mat4 again = mat4_compose(t, q, s), one = mat4_identity();
        near_mat(&again, &m);
        assert_int_equal(mat4_invert(&m, &out), (i & 7) == 7);
        if ((i & 7) != 7)
            near_mat(&out, &one); /* untouched */
    }
    mat4 m = mat4_compose((vec3){1e5, -1e5, 1e5}, random_quat(&seed, 4), (vec3){1e-5, 1e-5, 1e-5});
    mat4 out;
    assert_true(mat4_invert(&m, &out)); /* small is not singular */
    m = mat4_identity();
    m.m[1][0] = 0.3;
    m.m[1][1] = 0.7;
    memcpy(m.m[2], m.m[1], sizeof m.m[2]);
    assert_false(mat4_invert(&m, &out));
    m = mat4_identity();
    m.m[3][1] = (double)NAN;
    assert_false(mat4_invert(&m, &out));
    m.m[3][1] = 0;
    m.m[0][0] = (double)INFINITY;
    assert_false(mat4_invert(&m, &out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mem_blocks),
        cmocka_unit_test(mem_reserve_grows_and_refuses),
        cmocka_unit_test(buffers),
        cmocka_unit_test(arenas),
        cmocka_unit_test(result_names),
        cmocka_unit_test(error_texts),
        cmocka_unit_test(error_truncation),
        cmocka_unit_test(nearest_names),
        cmocka_unit_test(quaternions),
        cmocka_unit_test(matrices),
        cmocka_unit_test(flat_and_singular_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
