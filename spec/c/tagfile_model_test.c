/* Skeletons, clips, bodies and shapes of a tagfile with memory that runs out at every single call: what fails says so,
 * loses nothing and has changed nothing. */
#include "lathe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/mesh.h"
#include "scene/clip.h"
#include "scene/hooks.h"
#include "short_memory.h"
#include "small_tagfile.h"

/* ---- what is asked ------------------------------------------------------------------------------------ */

/* Each gives what it found, in a number, or fails; -1: it has failed. */
static double skeleton(lathe_doc *doc, lathe_error *err)
{
    model_skeleton s;
    model_skeleton_init(&s, &doc->mem);
    if (scene_skeleton(doc, 0, &s, err) != LATHE_OK)
        return -1;
    double x = s.bones[2].pose[0];
    model_skeleton_free(&s);
    return x;
}

static double clip(lathe_doc *doc, lathe_error *err)
{
    scene_clip c;
    float row[10];
    const model_when when = {.is_time = true, .at = 1};
    if (scene_clip_open(doc, 0, &c, err) != LATHE_OK ||
        scene_clip_sample(&c, &when, NULL, 2, 1, row, err) != LATHE_OK)
        return -1;
    return (double)row[0];
}

static double body(lathe_doc *doc, lathe_error *err)
{
    lathe_view view;
    lathe_value v;
    if (scene_body(doc, 0, &view, err) != LATHE_OK ||
        lathe_view_get(view, "mass", &v, err) != LATHE_OK)
        return -1;
    return v.as.f;
}

static double mesh(lathe_doc *doc, lathe_error *err)
{
    model_mesh m;
    model_mesh_init(&m, &doc->mem);
    const lathe_format *format = doc->containers[0].format;
    bool ok = format->scene->collision(doc, 0, &m, err) == LATHE_OK;
    double n = (double)m.vertex_count;
    model_mesh_free(&m);
    return ok ? n : -1;
}

static bool next_finding(void *user, const lathe_error *finding)
{
    ++*(int *)user;
    (void)finding;
    return true;
}

/* Nothing is wrong that memory could hide: a check goes on without what it has no memory for. */
static double check(lathe_doc *doc, lathe_error *err)
{
    int n = 0;
    lathe_result r = lathe_doc_check(doc, next_finding, &n);
    err->code = r;
    return r == LATHE_ERR_MEMORY ? -1 : 0;
}

static bool factor(void *user, const void *at, const char *name, uint64_t i, lathe_value *leaf,
                   const void **child)
{
    (void)i;
    *child = NULL;
    if (at || !name || strcmp(name, user) != 0)
        return false;
    *leaf = (lathe_value){.kind = LATHE_KIND_REAL, .as.f = 2};
    return true;
}

static uint64_t count(void *user, const void *at)
{
    (void)user;
    (void)at;
    return 0;
}

static double changed_by(lathe_doc *doc, const char *verb, char *option, lathe_error *err)
{
    const lathe_source args = {.get = factor, .count = count, .user = option};
    lathe_report report = {.size = sizeof report};
    return lathe_view_call(lathe_doc_root(doc), verb, &args, &report, err) == LATHE_OK
               ? (double)report.changed
               : -1;
}

static double scale(lathe_doc *doc, lathe_error *err)
{
    char option[] = "factor";
    return changed_by(doc, "scale", option, err);
}

static double retime(lathe_doc *doc, lathe_error *err)
{
    char option[] = "speed";
    return changed_by(doc, "retime", option, err);
}

/* ---- with so much memory ------------------------------------------------------------------------------ */

typedef double asking(lathe_doc *doc, lathe_error *err);

/* Opens the file with all memory, and asks with so many calls of it. True: it was enough. */
static bool ask(asking *what, long calls, double wanted)
{
    memory m = {.left = -1};
    bytes before = {0}, after = {0};
    const lathe_options options = {
        .size = sizeof options, .format = "tagfile", .alloc = take, .alloc_user = &m};
    lathe_doc *doc;
    lathe_error err = {.code = LATHE_OK};
    assert_int_equal(lathe_doc_parse(small_tagfile, sizeof small_tagfile, &options, &doc, &err),
                     LATHE_OK);
    assert_int_equal(lathe_doc_encode(doc, keep, &before, &err), LATHE_OK);
    m.left = calls;
    double got = what(doc, &err);
    bool enough = m.left != 0 || calls < 0;
    m.left = -1;
    if (got < 0) {
        assert_int_equal(err.code, LATHE_ERR_MEMORY);
        assert_int_equal(lathe_doc_encode(doc, keep, &after, &err), LATHE_OK);
        assert_int_equal(before.n, after.n);
        assert_memory_equal(before.data, after.data, before.n);
        assert_true(what(doc, &err) == wanted); /* and goes, once there is some */
    } else {
        assert_true(got == wanted);
    }
    lathe_doc_close(doc);
    assert_int_equal(m.blocks, 0);
    return enough && got >= 0;
}

static void until_enough(asking *what, double wanted)
{
    long calls = 0;
    assert_true(ask(what, -1, wanted));
    while (!ask(what, calls, wanted))
        calls++;
    assert_true(calls > 0);
}

static void test_skeleton(void **state)
{
    (void)state;
    until_enough(skeleton, 3);
}

static void test_clip(void **state)
{
    (void)state;
    until_enough(clip, 4.5);
}

static void test_body(void **state)
{
    (void)state;
    until_enough(body, 2);
}

static void test_mesh(void **state)
{
    (void)state;
    until_enough(mesh, 8);
}

static void test_check(void **state)
{
    (void)state;
    until_enough(check, 0);
}

static void test_scale(void **state)
{
    (void)state;
    until_enough(scale, 34);
}

static void test_retime(void **state)
{
    (void)state;
    until_enough(retime, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_skeleton), cmocka_unit_test(test_clip),  cmocka_unit_test(test_body),
        cmocka_unit_test(test_mesh),     cmocka_unit_test(test_check), cmocka_unit_test(test_scale),
        cmocka_unit_test(test_retime),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
