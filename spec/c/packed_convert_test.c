/* core/nif/geometry/packed/convert.c: memory that runs out at every single call, in either of the two documents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "nif/geometry/csg/csg.h"
#include "short_memory.h"

enum { OBJECTS = 3, VERTICES = 3, STRIDE = 8 };
#define DESC ((uint64_t)1 << 44 | STRIDE / 4)

/* ---- a NIF of one block ---------------------------------------------------------------------------------- */

static void put(bytes *b, uint64_t v, unsigned width)
{
    bytes_st(b->data + b->n, v, width, false);
    b->n += width;
}

static void put_text(bytes *b, const char *text)
{
    memcpy(b->data + b->n, text, strlen(text));
    b->n += strlen(text);
}

static void put_object(bytes *b, uint64_t seed)
{
    const uint64_t head[] = {VERTICES, 3, 1, 0, 0, 0, 0, 0, 0};
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        put(b, head[i], 4);
    put(b, DESC, 8);
    for (uint64_t i = 0; i < VERTICES; i++)
        put(b, seed << 32 | i, STRIDE);
    for (uint64_t i = 0; i < 3; i++)
        put(b, i, 2);
}

static bytes scene(void)
{
    static const char type[] = "BSPackedCombinedGeomDataExtra";
    bytes b = {.n = 0}, block = {.n = 0};
    put(&block, UINT32_MAX, 4);
    put(&block, DESC, 8);
    for (int i = 0; i < 4; i++)
        put(&block, 0, 4);
    put(&block, OBJECTS, 4);
    for (uint64_t i = 0; i < OBJECTS; i++)
        put_object(&block, i / 2); /* the first two are equal */
    put_text(&b, "Gamebryo File Format, Version 20.2.0.7\n");
    put(&b, 0x14020007, 4);
    put(&b, 1, 1);
    put(&b, 12, 4);
    put(&b, 1, 4);
    put(&b, 130, 4);
    for (int i = 0; i < 4; i++) /* author, scripts, file path */
        put(&b, 1, 2);
    put(&b, 1, 2);
    put(&b, sizeof type - 1, 4);
    put_text(&b, type);
    put(&b, 0, 2);
    put(&b, block.n, 4);
    for (int i = 0; i < 3; i++) /* texts, the longest, groups */
        put(&b, 0, 4);
    memcpy(b.data + b.n, block.data, block.n);
    b.n += block.n;
    put(&b, 0, 4); /* roots */
    return b;
}

/* ---- documents ------------------------------------------------------------------------------------------- */

static lathe_doc *open_bytes(memory *few, const char *format, const void *p, size_t n)
{
    lathe_options o = {.size = sizeof o,
                       .format = format,
                       .path = strcmp(format, "nif") == 0 ? NULL : "Some - Geometry.psg",
                       .alloc = take,
                       .alloc_user = few};
    lathe_doc *doc = NULL;
    lathe_error e;
    assert_int_equal(lathe_doc_parse(p, n, &o, &doc, &e), LATHE_OK);
    return doc;
}

static bytes encode(lathe_doc *doc)
{
    bytes b = {.n = 0};
    lathe_error e;
    assert_int_equal(lathe_doc_encode(doc, keep, &b, &e), LATHE_OK);
    return b;
}

static bool same(const bytes *a, const bytes *b)
{
    return a->n == b->n && memcmp(a->data, b->data, a->n) == 0;
}

/* ---- the verb -------------------------------------------------------------------------------------------- */

typedef struct options {
    const char *to;
    lathe_doc *into;
} options;

static bool get(void *user, const void *node, const char *name, uint64_t index, lathe_value *leaf,
                const void **child)
{
    const options *o = user;
    (void)node, (void)index;
    *child = NULL;
    if (name && strcmp(name, "to") == 0) {
        *leaf = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {o->to, strlen(o->to)}};
        return true;
    }
    if (!name || strcmp(name, "into") != 0 || !o->into)
        return false;
    *leaf = (lathe_value){.kind = LATHE_KIND_RECORD};
    leaf->as.v = lathe_doc_root(o->into);
    return true;
}

static uint64_t count(void *user, const void *node)
{
    (void)user, (void)node;
    return 0;
}

static lathe_result convert(lathe_doc *doc, const char *to, lathe_doc *into)
{
    options o = {to, into};
    const lathe_source args = {.size = sizeof args, .user = &o, .get = get, .count = count};
    lathe_report report = {.size = sizeof report};
    lathe_error e;
    return lathe_view_call(lathe_doc_root(doc), "convert", &args, &report, &e);
}

/* Both documents are changed, or neither is; whether they were. */
static bool with(const char *to, long left, bool in_store)
{
    static const uint8_t empty[8] = {'b', 'p', 's', 'g'};
    memory few[2] = {{.left = -1}, {.left = -1}};
    bytes first = scene();
    lathe_doc *doc = open_bytes(&few[0], "nif", first.data, first.n),
              *store = open_bytes(&few[1], "geometry", empty, sizeof empty);
    few[in_store].left = left;
    lathe_result r = convert(doc, to, store);
    few[in_store].left = -1;
    bytes now = encode(doc), rows = encode(store);
    assert_true(r == LATHE_OK || r == LATHE_ERR_MEMORY);
    assert_int_equal(doc->depth, 0);
    assert_int_equal(store->depth, 0);
    assert_int_equal(csg_count(store), r == LATHE_OK ? 2 : 0);
    assert_int_equal(same(&now, &first), r != LATHE_OK);
    if (r != LATHE_OK)
        assert_true(rows.n == sizeof empty && memcmp(rows.data, empty, sizeof empty) == 0);
    assert_int_equal(convert(doc, to, store),
                     LATHE_OK); /* what there was no room for is done now */
    assert_int_equal(csg_count(store), 2);
    assert_int_equal(convert(doc, "inline", NULL), LATHE_OK);
    now = encode(doc);
    assert_true(same(&now, &first));
    lathe_doc_close(doc);
    lathe_doc_close(store);
    assert_int_equal(few[0].blocks, 0);
    assert_int_equal(few[1].blocks, 0);
    return r == LATHE_OK;
}

static void memory_may_run_out(void **state)
{
    static const char *const layouts[] = {"shared", "inline+table"};
    (void)state;
    for (int i = 0; i < 4; i++) {
        long left = 0;
        while (!with(layouts[i & 1], left, i > 1))
            left++;
        assert_true(left > 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_may_run_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
