/* Havok XML with memory that runs out at each of its allocations: opened, changed and written, converted and taken back. What
 * fails leaves nothing behind, and the document as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lathe.h"

#include "given.h"
#include "short_memory.h"

static const char FILE_TEXT[] =
    "<?xml version=\"1.0\" encoding=\"ascii\"?>\n"
    "<hkpackfile classversion=\"8\" contentsversion=\"hk_2010.2.0-r1\" "
    "toplevelobject=\"#01&#48;\">\n"
    "<hksection name=\"__data__\">\n"
    "<hkobject name=\"#011\" class=\"hkaSkeleton\" signature=\"0x366e8220\">\n"
    "<hkparam name=\"name\">A &amp; B</hkparam>\n"
    "<hkparam name=\"parentIndices\" numelements=\"1\">-1</hkparam>\n"
    "<hkparam name=\"bones\" numelements=\"1\"><hkobject><hkparam "
    "name=\"name\">A</hkparam></hkobject></hkparam>\n"
    "<hkparam name=\"referencePose\" numelements=\"1\">(0 0 0)(0 0 0 1)(1 1 1)</hkparam>\n"
    "<hkparam name=\"floatSlots\" numelements=\"1\"><hkcstring>a&lt;b</hkcstring></hkparam>\n"
    "</hkobject>\n"
    "<hkobject name=\"#010\" class=\"hkRootLevelContainer\">\n"
    "<hkparam name=\"namedVariants\" numelements=\"1\"><hkobject>\n"
    "<hkparam name=\"name\">x</hkparam><hkparam name=\"variant\">#011</hkparam>\n"
    "</hkobject></hkparam>\n"
    "</hkobject>\n"
    "</hksection>\n"
    "</hkpackfile>\n";

static lathe_doc *open_with(memory *m, lathe_error *err)
{
    lathe_options o = {
        .size = sizeof o, .format = "hkx", .history = 4, .alloc = take, .alloc_user = m};
    lathe_doc *doc = NULL;
    lathe_result r = lathe_doc_parse(FILE_TEXT, sizeof FILE_TEXT - 1, &o, &doc, err);
    assert_true((r == LATHE_OK) == (doc != NULL));
    return doc;
}

static bytes encoded(lathe_doc *doc)
{
    bytes b = {.n = 0};
    assert_int_equal(lathe_doc_encode(doc, keep, &b, NULL), LATHE_OK);
    return b;
}

static bool is_same(const bytes *a, const bytes *b)
{
    return a->n == b->n && memcmp(a->data, b->data, a->n) == 0;
}

static void opens(void **state)
{
    (void)state;
    for (long left = 0;; left++) {
        memory m = {.left = left};
        lathe_error err;
        lathe_doc *doc = open_with(&m, &err);
        if (!doc)
            assert_int_equal(err.code, LATHE_ERR_MEMORY);
        bool done = doc != NULL;
        m.left = -1;
        lathe_doc_close(doc);
        assert_int_equal(m.blocks, 0);
        if (done)
            break;
        assert_true(left < 100000);
    }
}

/* Changes it, then encodes it with so little memory. */
static void writes(void **state)
{
    const lathe_value name = GIVEN_TEXT("changed");
    lathe_value skeleton;
    (void)state;
    for (long left = 0;; left++) {
        memory m = {.left = -1};
        bytes b = {.n = 0};
        lathe_doc *doc = open_with(&m, NULL);
        bytes opened = encoded(doc);
        assert_int_equal(lathe_view_at(lathe_doc_root(doc), "objects[2]", &skeleton, NULL),
                         LATHE_OK);
        assert_int_equal(lathe_view_set(skeleton.as.v, "name", &name, NULL), LATHE_OK);
        m.left = left;
        lathe_result r = lathe_doc_encode(doc, keep, &b, NULL);
        m.left = -1;
        assert_true(r == LATHE_OK || r == LATHE_ERR_MEMORY);
        bytes after = encoded(doc);
        assert_true(r != LATHE_OK || is_same(&b, &after));
        after.data[after.n < sizeof after.data ? after.n : sizeof after.data - 1] = 0;
        assert_non_null(strstr((const char *)after.data, ">changed</hkparam>"));
        assert_true(lathe_edit_undo(doc, 1));
        after = encoded(doc);
        assert_true(is_same(&after, &opened));
        lathe_doc_close(doc);
        assert_int_equal(m.blocks, 0);
        if (r == LATHE_OK)
            break;
        assert_true(left < 100000);
    }
}

/* Converts it with so little memory: all of it, or nothing. */
static void converts_to(const char *form)
{
    given to[] = {{.name = "to", .v = {.kind = LATHE_KIND_STRING, .as.s = {form, strlen(form)}}}};
    given top = {.list = to, .n = 1};
    const lathe_source args = given_source(&top);
    for (long left = 0;; left++) {
        memory m = {.left = -1};
        lathe_doc *doc = open_with(&m, NULL);
        bytes opened = encoded(doc);
        m.left = left;
        lathe_result r = lathe_view_call(lathe_doc_root(doc), "convert", &args, NULL, NULL);
        m.left = -1;
        assert_true(r == LATHE_OK || r == LATHE_ERR_MEMORY);
        assert_string_equal(lathe_doc_info(doc, "container"), r == LATHE_OK ? "binary" : "xml");
        if (r == LATHE_OK)
            lathe_edit_undo(doc, 1); /* history may be what memory was short for */
        bytes after = encoded(doc);
        assert_true(is_same(&after, &opened) || r == LATHE_OK);
        lathe_doc_close(doc);
        assert_int_equal(m.blocks, 0);
        if (r == LATHE_OK)
            break;
        assert_true(left < 100000);
    }
}

static void converts(void **state)
{
    (void)state;
    converts_to("skyrim-se");
    converts_to("skyrim-le");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(opens), cmocka_unit_test(writes),
                                       cmocka_unit_test(converts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
