/* Objects of packfiles come and go from C: made where a pointer is set, copied, removed and pruned; also with memory that
 * runs out at every single call: what fails has changed nothing, what is done is as with all the memory in the world. */
#include "lathe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "given.h"
#include "short_memory.h"
#include "small_hkx.h"

#define SWEEP_FORMAT "hkx"
#define SWEEP_STEP(n) 1
#include "memory_sweep.h"

/* ---- values --------------------------------------------------------------------------------------------- */

#define CLIP GIVEN_LIST({.name = "type", .v = GIVEN_TEXT("hkaInterleavedUncompressedAnimation")})

static const given clip = {CLIP};
static const given container = {
    GIVEN_LIST({.name = "skeletons",
                GIVEN_LIST({GIVEN_LIST({.name = "name", .v = GIVEN_TEXT("one")})},
                           {GIVEN_LIST({.name = "name", .v = GIVEN_TEXT("two")})})},
               {.name = "bindings",
                GIVEN_LIST({GIVEN_LIST({.name = "original_skeleton_name", .v = GIVEN_TEXT("one")},
                                       {.name = "animation", CLIP})})})};
static const given skeleton = {GIVEN_LIST({.name = "class", .v = GIVEN_TEXT("hkaSkeleton")},
                                          {.name = "name", .v = GIVEN_TEXT("third")})};
static const given wrong = {GIVEN_LIST({.name = "type", .v = GIVEN_TEXT("hkaSkeleton")})};

/* ---- what is done ----------------------------------------------------------------------------------------- */

static lathe_result find(lathe_doc *doc, const char *path, lathe_view *out, lathe_error *err)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    lathe_result r = lathe_view_at(lathe_doc_root(doc), path, &v, err);
    *out = v.as.v;
    return r;
}

static lathe_view at(lathe_doc *doc, const char *path)
{
    lathe_view v;
    lathe_error err;
    if (find(doc, path, &v, &err) != LATHE_OK)
        fail_msg("%s: %s", path, err.message);
    return v;
}

/* The end of an edit, which is kept where all went well. */
static lathe_result end(lathe_doc *doc, lathe_result r, lathe_error *err)
{
    lathe_result ended = lathe_edit_end(doc, r == LATHE_OK, r == LATHE_OK ? err : NULL);
    return r == LATHE_OK ? ended : r;
}

/* Pointers and arrays of pointers, which make what they lead to. */
static lathe_result make_targets(lathe_doc *doc, lathe_error *err)
{
    const lathe_source source = given_nameless(&container);
    lathe_view place;
    lathe_result r = find(doc, "objects[2]", &place, err);
    return r == LATHE_OK ? lathe_view_build(place, &source, err) : r;
}

/* A new element, filled in. */
static lathe_result add(lathe_doc *doc, const char *path, const given *values, lathe_error *err)
{
    const lathe_source source = given_nameless(values);
    lathe_view array;
    lathe_result r = find(doc, path, &array, err);
    if (r != LATHE_OK || (r = lathe_edit_begin(doc, err)) != LATHE_OK)
        return r;
    uint64_t n = lathe_view_count(array);
    r = lathe_view_insert(array, n, 1, err);
    if (r == LATHE_OK)
        r = lathe_view_build_item(array, n, &source, err);
    return end(doc, r, err);
}

static lathe_result make_item(lathe_doc *doc, lathe_error *err)
{
    return add(doc, "objects[2].skeletons", &skeleton, err);
}

static lathe_result append(lathe_doc *doc, lathe_error *err)
{
    return add(doc, "objects", &clip, err);
}

static lathe_result copy_of(lathe_doc *doc, const char *path, lathe_error *err)
{
    lathe_view array, object, out;
    lathe_result r = find(doc, "objects", &array, err);
    if (r == LATHE_OK)
        r = find(doc, path, &object, err);
    return r == LATHE_OK ? lathe_view_copy(array, object, &out, err) : r;
}

static lathe_result copy(lathe_doc *doc, lathe_error *err)
{
    return copy_of(doc, "objects[1]", err);
}

static lathe_result copy_opaque(lathe_doc *doc, lathe_error *err)
{
    return copy_of(doc, "objects[4]", err);
}

static lathe_result remove_one(lathe_doc *doc, lathe_error *err)
{
    lathe_view array;
    lathe_result r = find(doc, "objects", &array, err);
    return r == LATHE_OK ? lathe_view_remove(array, 2, 1, err) : r;
}

static lathe_result prune(lathe_doc *doc, lathe_error *err)
{
    lathe_report report = {.size = sizeof report};
    const lathe_value nothing = {.kind = LATHE_KIND_NULL};
    lathe_view variant;
    lathe_result r = find(doc, "objects[1].named_variants[1]", &variant, err);
    if (r != LATHE_OK || (r = lathe_edit_begin(doc, err)) != LATHE_OK)
        return r;
    r = lathe_view_set(variant, "variant", &nothing, err);
    if (r == LATHE_OK)
        r = lathe_view_call(lathe_doc_root(doc), "prune", NULL, &report, err);
    if (r == LATHE_OK)
        assert_true(report.changed > 0);
    return end(doc, r, err);
}

/* ---- with ever more memory ---------------------------------------------------------------------------------- */

static bytes start;

static int make_start(void **state)
{
    (void)state;
    return !keep(&start, small_hkx, sizeof small_hkx);
}

static void test_make(void **state)
{
    (void)state;
    sweep(make_targets, &start);
    sweep(make_item, &start);
    sweep(append, &start);
}

static void test_copy(void **state)
{
    (void)state;
    sweep(copy, &start);
    sweep(copy_opaque, &start);
}

static void test_go(void **state)
{
    (void)state;
    sweep(remove_one, &start);
    sweep(prune, &start);
}

/* ---- what is refused ----------------------------------------------------------------------------------------- */

static void test_refused(void **state)
{
    (void)state;
    memory m = {-1, 0};
    lathe_error err;
    lathe_view out = {0};
    static bytes now;
    lathe_doc *doc = open_doc(&start, &m);
    const lathe_source source = given_nameless(&wrong);
    lathe_view clips = at(doc, "objects[2].animations"), names = at(doc, "objects[3].float_slots");
    assert_int_equal(lathe_view_build_item(clips, 9, &source, &err), LATHE_ERR_BOUNDS);
    assert_int_equal(lathe_view_build_item(names, 0, &source, &err), LATHE_ERR_TYPE);
    assert_int_equal(lathe_view_copy(clips, at(doc, "objects[1]"), &out, &err),
                     LATHE_ERR_UNSUPPORTED);
    assert_int_equal(lathe_view_copy(at(doc, "objects"), names, &out, &err), LATHE_ERR_TYPE);
    assert_null(out.doc);
    encode(doc, &now);
    assert_same(&now, &start);
    lathe_doc_close(doc);
    assert_int_equal(m.blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_make),
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_go),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, make_start, NULL);
}
