/* Objects of packfiles come and go from C: made where a pointer is set, copied, removed and pruned; also with memory that
 * runs out at every single call: what fails has changed nothing, what is done is as with all the memory in the world. */
#include "lathe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "short_memory.h"
#include "small_hkx.h"

/* ---- values --------------------------------------------------------------------------------------------- */

typedef struct node { /* a text, or what has others */
    const char *name, *text;
    const struct node *kids;
    size_t n;
} node;

#define LIST(...)                                                                                  \
    .kids = (const node[]){__VA_ARGS__}, .n = sizeof(const node[]){__VA_ARGS__} / sizeof(node)

static bool get(void *user, const void *at, const char *name, uint64_t i, lathe_value *leaf,
                const void **child)
{
    const node *in = at ? at : user, *found = NULL;
    for (size_t k = 0; k < in->n; k++)
        if (name ? in->kids[k].name && strcmp(in->kids[k].name, name) == 0 : k == i)
            found = &in->kids[k];
    *child = NULL;
    if (!found)
        return false;
    if (found->text)
        *leaf =
            (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {found->text, strlen(found->text)}};
    else
        leaf->kind = found->kids->name ? LATHE_KIND_RECORD : LATHE_KIND_ARRAY;
    *child = found->kids ? found : NULL;
    return true;
}

static uint64_t count(void *user, const void *at)
{
    return ((const node *)(at ? at : user))->n;
}

#define CLIP LIST({.name = "type", .text = "hkaInterleavedUncompressedAnimation"})

static const node clip = {CLIP};
static const node container = {LIST(
    {.name = "skeletons",
     LIST({LIST({.name = "name", .text = "one"})}, {LIST({.name = "name", .text = "two"})})},
    {.name = "bindings",
     LIST(
         {LIST({.name = "original_skeleton_name", .text = "one"}, {.name = "animation", CLIP})})})};
static const node skeleton = {
    LIST({.name = "class", .text = "hkaSkeleton"}, {.name = "name", .text = "third"})};
static const node wrong = {LIST({.name = "type", .text = "hkaSkeleton"})};

static lathe_source source_of(const node *values)
{
    node *user; /* nobody writes to it */
    memcpy(&user, &values, sizeof user);
    return (lathe_source){
        .size = offsetof(lathe_source, name), .user = user, .get = get, .count = count};
}

/* ---- what is done ----------------------------------------------------------------------------------------- */

typedef lathe_result doing(lathe_doc *doc, lathe_error *err);

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
    const lathe_source source = source_of(&container);
    lathe_view place;
    lathe_result r = find(doc, "objects[2]", &place, err);
    return r == LATHE_OK ? lathe_view_build(place, &source, err) : r;
}

/* A new element, filled in. */
static lathe_result add(lathe_doc *doc, const char *path, const node *values, lathe_error *err)
{
    const lathe_source source = source_of(values);
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

static lathe_doc *open_doc(memory *m)
{
    lathe_options options = {
        .size = sizeof options, .format = "hkx", .history = 4, .alloc = take, .alloc_user = m};
    lathe_doc *doc = NULL;
    lathe_error err;
    m->left = -1;
    assert_int_equal(lathe_doc_parse(small_hkx, sizeof small_hkx, &options, &doc, &err), LATHE_OK);
    return doc;
}

static void encode(lathe_doc *doc, bytes *out)
{
    lathe_error err;
    out->n = 0;
    assert_int_equal(lathe_doc_encode(doc, keep, out, &err), LATHE_OK);
}

static void assert_first(const bytes *now)
{
    assert_int_equal(now->n, sizeof small_hkx);
    assert_memory_equal(now->data, small_hkx, now->n);
}

static void must(doing *what, bytes *out)
{
    memory m = {-1, 0};
    lathe_error err = {.code = LATHE_OK};
    lathe_doc *doc = open_doc(&m), *again = NULL;
    if (what(doc, &err) != LATHE_OK)
        fail_msg("%s: %s", err.where, err.message);
    encode(doc, out);
    lathe_doc_close(doc);
    assert_int_equal(m.blocks, 0);
    if (lathe_doc_parse(out->data, out->n, NULL, &again, &err) != LATHE_OK)
        fail_msg("it does not open again: %s", err.message);
    lathe_doc_close(again);
}

/* False: it got along with what there was. */
static bool attempt(doing *what, const bytes *want, long n)
{
    static bytes now;
    memory m = {-1, 0};
    lathe_error err;
    lathe_doc *doc = open_doc(&m);
    m.left = n;
    lathe_result r = what(doc, &err);
    bool ran_out = m.left == 0;
    m.left = -1;
    encode(doc, &now);
    if (r != LATHE_OK) {
        if (r != LATHE_ERR_MEMORY)
            fail_msg("with memory for %ld calls: %s", n, err.message);
        assert_first(&now);
        assert_int_equal(what(doc, &err), LATHE_OK); /* nothing is half done */
        encode(doc, &now);
    }
    assert_int_equal(now.n, want->n);
    assert_memory_equal(now.data, want->data, now.n);
    if (r == LATHE_OK && !ran_out) { /* there was memory to note the step */
        assert_true(lathe_edit_undo(doc, 1));
        encode(doc, &now);
        assert_first(&now);
    }
    lathe_doc_close(doc);
    assert_int_equal(m.blocks, 0);
    return ran_out;
}

static void sweep(doing *what)
{
    static bytes want;
    long n = 0;
    must(what, &want);
    while (attempt(what, &want, n))
        n++;
    assert_true(n > 2);
}

static void test_make(void **state)
{
    (void)state;
    sweep(make_targets);
    sweep(make_item);
    sweep(append);
}

static void test_copy(void **state)
{
    (void)state;
    sweep(copy);
    sweep(copy_opaque);
}

static void test_go(void **state)
{
    (void)state;
    sweep(remove_one);
    sweep(prune);
}

/* ---- what is refused ----------------------------------------------------------------------------------------- */

static void test_refused(void **state)
{
    (void)state;
    memory m = {-1, 0};
    lathe_error err;
    lathe_view out = {0};
    static bytes now;
    lathe_doc *doc = open_doc(&m);
    const lathe_source source = source_of(&wrong);
    lathe_view clips = at(doc, "objects[2].animations"), names = at(doc, "objects[3].float_slots");
    assert_int_equal(lathe_view_build_item(clips, 9, &source, &err), LATHE_ERR_BOUNDS);
    assert_int_equal(lathe_view_build_item(names, 0, &source, &err), LATHE_ERR_TYPE);
    assert_int_equal(lathe_view_copy(clips, at(doc, "objects[1]"), &out, &err),
                     LATHE_ERR_UNSUPPORTED);
    assert_int_equal(lathe_view_copy(at(doc, "objects"), names, &out, &err), LATHE_ERR_TYPE);
    assert_null(out.doc);
    encode(doc, &now);
    assert_first(&now);
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
    return cmocka_run_group_tests(tests, NULL, NULL);
}
