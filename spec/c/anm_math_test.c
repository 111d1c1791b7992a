/* core/wolfire: maths of poses; and the verbs of animations when memory runs out at every single call. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wolfire/anm_pose.h"

#include <math.h>
#include <stdlib.h>

/* cmocka's own looks at floats only. */
static void close_to(double want, double got)
{
    if (!(fabs(want - got) < 1e-12))
        fail_msg("%.17g instead of %.17g", got, want);
}

/* ---- maths ----------------------------------------------------------------------------------------- */

static anm_pose pose_at(double x, double angle)
{
    return (anm_pose){{x, 1, -x}, {0, sin(angle / 2), 0, cos(angle / 2)}, {1, 1, 1}};
}

static void assert_pose(anm_pose want, anm_pose got)
{
    double sign = want.q.y * got.q.y + want.q.w * got.q.w < 0 ? -1 : 1;
    close_to(want.t.x, got.t.x);
    close_to(want.t.y, got.t.y);
    close_to(want.t.z, got.t.z);
    close_to(want.q.y, sign * got.q.y);
    close_to(want.q.w, sign * got.q.w);
    close_to(want.s.x, got.s.x);
}

static void weights_meet_the_keys(void **state)
{
    double w[4];
    (void)state;
    for (int i = 0; i <= 16; i++) {
        double p = i / 16.0;
        anm_weights(p, w);
        close_to(1, w[0] + w[1] + w[2] + w[3]);
        /* A straight line stays one, whatever lies between its points. */
        close_to(p, -w[0] + w[2] + 2 * w[3]);
    }
    anm_weights(0, w);
    assert_true(w[0] == 0 && w[1] == 1 && w[2] == 0 && w[3] == 0);
    anm_weights(1, w);
    assert_true(w[0] == 0 && w[1] == 0 && w[2] == 1 && w[3] == 0);
}

static void blending_meets_the_keys(void **state)
{
    const anm_pose four[4] = {pose_at(0, 0), pose_at(1, 0.9), pose_at(3, 4.5), pose_at(4, 1)};
    double w[4];
    (void)state;
    anm_weights(0, w);
    assert_pose(four[1], anm_blend(four, w));
    anm_weights(1, w);
    assert_pose(four[2], anm_blend(four, w));
}

/* Turns by even steps about one axis, far enough apart for slerp: halfway is half the way. */
static void blending_is_even(void **state)
{
    const anm_pose four[4] = {pose_at(0, 0), pose_at(1, 0.5), pose_at(2, 1), pose_at(3, 1.5)};
    anm_pose other[4];
    double w[4];
    (void)state;
    anm_weights(0.5, w);
    assert_pose(pose_at(1.5, 0.75), anm_blend(four, w));
    for (int i = 0; i < 4; i++) { /* the sign of a quaternion says nothing */
        double sign = i % 2 ? -1 : 1;
        quat q = four[i].q;
        other[i] = four[i];
        other[i].q = (quat){sign * q.x, sign * q.y, sign * q.z, sign * q.w};
    }
    assert_pose(pose_at(1.5, 0.75), anm_blend(other, w));
}

static void poses_go_through_parents(void **state)
{
    anm_pose parent = pose_at(2, 1), child = pose_at(-1, 2.5);
    anm_pose relative = anm_pose_relative(&parent, &child);
    (void)state;
    assert_pose(child, anm_pose_absolute(&parent, &relative));
    close_to(sqrt(18), vec3_length(relative.t));
}

static void mirrors_and_turns(void **state)
{
    mat4 m =
        mat4_compose((vec3){1, 2, 3}, quat_normalize((quat){0.1, -0.2, 0.3, 1}), (vec3){1, 1, 1});
    mat4 r = anm_reflect(&m), back = anm_reflect(&r);
    anm_pose pose = anm_pose_of(&m), seen = anm_pose_of(&r);
    vec3 v = anm_turn((vec3){0, 5, 1}, 0.5);
    (void)state;
    assert_memory_equal(&m, &back, sizeof m);
    close_to(-pose.t.x, seen.t.x);
    close_to(pose.q.x, seen.q.x);
    close_to(-pose.q.y, seen.q.y);
    close_to(-pose.q.z, seen.q.z);
    close_to(sin(0.5), v.x);
    close_to(5, v.y);
    close_to(cos(0.5), v.z);
    assert_true(signbit(anm_negated(-0.0)) && !signbit(anm_negated(0.0)));
}

static void steps_make_a_path(void **state)
{
    anm_place places[3] = {{0, {1, 0, 2}}, {0.5, {2, 1, 2}}, {7, {2, 1, 5}}}, copy[3];
    (void)state;
    memcpy(copy, places, sizeof copy);
    anm_from_world(copy, 3);
    close_to(3, vec3_length(vec3_sub(copy[2].offset, copy[1].offset)));
    anm_to_world(copy, 3);
    for (int i = 0; i < 3; i++)
        close_to(0, vec3_length(vec3_sub(places[i].offset, copy[i].offset)));
}

/* ---- a document ------------------------------------------------------------------------------------- */

enum { BONES = 3, FRAMES = 3, ROOM = 4096 };

typedef struct file {
    uint8_t p[ROOM];
    size_t n;
} file;

static void put_int(file *f, uint32_t v)
{
    assert_true(f->n + 4 <= ROOM);
    bytes_st32(f->p + f->n, v, false);
    f->n += 4;
}

static void put_matrix(file *f, double x, double angle)
{
    anm_pose pose = pose_at(x, angle);
    mat4 m = mat4_compose(pose.t, pose.q, pose.s);
    for (int k = 0; k < 16; k++)
        put_int(f, bytes_f32_narrow(m.m[k / 4][k % 4]));
}

/* Version 6: with everything that a verb may have to copy or to rename, and centring raises it. */
static file sample(void)
{
    static const uint32_t left[] = {4, 0x7466656c}; /* "left" */
    file f = {.n = 0};
    put_int(&f, 6);
    f.p[f.n++] = 0;
    put_int(&f, 100);
    put_int(&f, 300);
    put_int(&f, FRAMES);
    for (uint32_t i = 0; i < FRAMES; i++) {
        put_int(&f, 100 + 100 * i);
        put_int(&f, BONES);
        for (int k = 0; k < BONES; k++)
            put_int(&f, bytes_f32_narrow(k));
        put_int(&f, BONES);
        for (int k = 0; k < BONES; k++)
            put_matrix(&f, k + (double)i, 0.4 * i * k);
        put_int(&f, 1); /* an event */
        put_int(&f, 2);
        put_int(&f, left[0]);
        put_int(&f, left[1]);
        put_int(&f, 1); /* a chain */
        for (int k = 0; k < 6; k++)
            put_int(&f, 0);
        put_int(&f, 1);
        put_int(&f, 1);
        put_int(&f, left[0]);
        put_int(&f, left[1]);
        for (int k = 0; k < 2; k++) { /* a shape key and a status key */
            put_int(&f, 1);
            put_int(&f, 0);
            put_int(&f, left[0]);
            put_int(&f, left[1]);
        }
    }
    return f;
}

/* ---- arguments --------------------------------------------------------------------------------------- */

typedef struct body { /* a bone of the skeleton */
    int64_t parent, mirror;
} body;

static const body bones[BONES] = {{-1, 0}, {0, 2}, {0, 1}};

static bool get_arg(void *user, const void *node, const char *name, uint64_t i, lathe_value *leaf,
                    const void **child)
{
    static const char skeleton, list;
    const body *bone = node;
    (void)user;
    *leaf = (lathe_value){.kind = LATHE_KIND_INT};
    *child = NULL;
    if (node == &list) {
        leaf->kind = LATHE_KIND_RECORD;
        *child = &bones[i];
    } else if (node == &skeleton) {
        leaf->kind = LATHE_KIND_ARRAY;
        *child = &list;
        return strcmp(name, "bones") == 0;
    } else if (node) {
        leaf->as.i = strcmp(name, "parent") == 0 ? bone->parent : bone->mirror;
        return strcmp(name, "parent") == 0 || strcmp(name, "mirror") == 0;
    } else if (strcmp(name, "skeleton") == 0) {
        leaf->kind = LATHE_KIND_RECORD;
        *child = &skeleton;
    } else {
        leaf->kind = LATHE_KIND_REAL;
        leaf->as.f = strcmp(name, "t0") == 0 ? 0.05 : strcmp(name, "t1") == 0 ? 0.15 : 15;
    }
    return true;
}

static uint64_t count_arg(void *user, const void *node)
{
    (void)user;
    (void)node;
    return BONES;
}

static const lathe_source args = {.size = sizeof args, .get = get_arg, .count = count_arg};

/* ---- memory that runs out ------------------------------------------------------------------------------ */

typedef struct ledger {
    size_t bytes, calls, fail_at; /* 0: never */
} ledger;

static void *ledger_alloc(void *user, void *p, size_t old_size, size_t new_size)
{
    ledger *l = user;
    if (new_size == 0) {
        l->bytes -= p ? old_size : 0;
        free(p);
        return NULL;
    }
    if (++l->calls == l->fail_at)
        return NULL;
    l->bytes += new_size - (p ? old_size : 0);
    return realloc(p, new_size);
}

static bool keep(void *user, const void *bytes, size_t n)
{
    file *f = user;
    if (n > ROOM - f->n)
        return false;
    memcpy(f->p + f->n, bytes, n);
    f->n += n;
    return true;
}

static file encoded(lathe_doc *doc)
{
    file f = {.n = 0};
    assert_int_equal(lathe_doc_encode(doc, keep, &f, NULL), LATHE_OK);
    return f;
}

static lathe_doc *opened(const file *f, ledger *l)
{
    lathe_options options = {
        .size = sizeof options, .format = "anm", .alloc = ledger_alloc, .alloc_user = l};
    lathe_doc *doc = NULL;
    assert_int_equal(lathe_doc_parse(f->p, f->n, &options, &doc, NULL), LATHE_OK);
    return doc;
}

static lathe_result run(lathe_doc *doc, const char *verb)
{
    return lathe_view_call(lathe_doc_root(doc), verb, &args, NULL, NULL);
}

/* The verb with call number k refused. Returns whether there still was one. */
static bool run_without(const file *before, const file *after, const char *verb, size_t k)
{
    ledger l = {.bytes = 0};
    lathe_doc *doc = opened(before, &l);
    l.fail_at = l.calls + k;
    lathe_result r = run(doc, verb);
    bool met = l.calls >= l.fail_at;
    l.fail_at = 0;
    file now = encoded(doc);
    const file *want = r == LATHE_OK ? after : before;
    assert_true(r == LATHE_OK || r == LATHE_ERR_MEMORY);
    assert_int_equal(want->n, now.n);
    assert_memory_equal(want->p, now.p, now.n);
    lathe_doc_close(doc);
    assert_int_equal(l.bytes, 0);
    return met;
}

static void verbs_without_memory(void **state)
{
    static const char *const verbs[] = {"centre",  "uncentre", "trim",
                                        "reverse", "resample", "mirror"};
    (void)state;
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        for (int centred = 0; centred < 2; centred++) {
            ledger l = {.bytes = 0};
            file before = sample();
            lathe_doc *doc = opened(&before, &l);
            if (centred)
                assert_int_equal(run(doc, "centre"), LATHE_OK);
            before = encoded(doc);
            assert_int_equal(run(doc, verbs[i]), LATHE_OK);
            file after = encoded(doc);
            lathe_doc_close(doc);
            for (size_t k = 1; run_without(&before, &after, verbs[i], k); k++)
                assert_true(k < 10000);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_meet_the_keys), cmocka_unit_test(blending_meets_the_keys),
        cmocka_unit_test(blending_is_even),      cmocka_unit_test(poses_go_through_parents),
        cmocka_unit_test(mirrors_and_turns),     cmocka_unit_test(steps_make_a_path),
        cmocka_unit_test(verbs_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
