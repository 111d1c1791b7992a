/* The index of texts when memory runs out: a value is found by its key all the same, or there is a clean error. */
#include "lathe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "short_memory.h"

enum { KEYS = 100 };

/* A save of version 3 with one level, which has so many values. */
static size_t make(uint8_t *p)
{
    static const uint8_t head[] = "Overgrowth Save\3\0\1\0\0\0\0\0\0";
    size_t n = sizeof head; /* with the literal's NUL: three empty names */
    memcpy(p, head, sizeof head);
    memset(p + n, 0, 16);
    n += 16;
    p[n++] = KEYS;
    p[n++] = 0;
    for (int i = 0; i < KEYS; i++) {
        p[n++] = 4;
        p[n++] = 0;
        n += (size_t)sprintf((char *)p + n, "k%03d", i);
        p[n++] = 3;
        p[n++] = 0;
        n += (size_t)sprintf((char *)p + n, "%03d", i);
    }
    memset(p + n, 0, 4);
    return n + 4;
}

static lathe_result values_of(lathe_doc *doc, lathe_view *values, lathe_error *err)
{
    lathe_value v;
    lathe_result r = lathe_view_get(lathe_doc_root(doc), "levels", &v, err);
    if (r == LATHE_OK)
        r = lathe_view_item(v.as.v, 0, &v, err);
    if (r == LATHE_OK)
        r = lathe_view_get(v.as.v, "values", &v, err);
    *values = v.as.v;
    return r;
}

/* All keys are asked for, one of them gets another value, and all are asked for again. */
static lathe_result work(lathe_doc *doc, lathe_error *err)
{
    lathe_view values;
    lathe_result r = values_of(doc, &values, err);
    for (int pass = 0; r == LATHE_OK && pass < 2; pass++) {
        for (int i = 0; r == LATHE_OK && i < KEYS; i++) {
            char key[8], want[8];
            lathe_value v;
            snprintf(key, sizeof key, "k%03d", i);
            snprintf(want, sizeof want, pass && i == 7 ? "longer" : "%03d", i);
            r = lathe_view_key(values, key, 4, &v, err);
            if (r == LATHE_OK) {
                assert_int_equal(LATHE_KIND_STRING, v.kind);
                assert_int_equal(strlen(want), v.as.s.n);
                assert_memory_equal(want, v.as.s.p, v.as.s.n);
            }
        }
        lathe_value item, text = {.kind = LATHE_KIND_STRING, .as.s = {"longer", 6}};
        if (r == LATHE_OK && !pass)
            r = lathe_view_item(values, 7, &item, err);
        if (r == LATHE_OK && !pass)
            r = lathe_view_set(item.as.v, "value", &text, err);
    }
    return r;
}

static void an_index_survives_refusals(void **state)
{
    (void)state;
    static uint8_t bytes_of_file[8192];
    size_t size = make(bytes_of_file);
    bool done = false;
    long refusals = 0;
    for (long k = 0; !done; k++) {
        memory m = {.left = -1};
        lathe_options options = {
            .size = sizeof options, .format = "save", .alloc = take, .alloc_user = &m};
        lathe_doc *doc = NULL;
        lathe_error err;
        assert_int_equal(LATHE_OK, lathe_doc_parse(bytes_of_file, size, &options, &doc, &err));
        m.left = k;
        lathe_result r = work(doc, &err);
        assert_true(r == LATHE_OK || r == LATHE_ERR_MEMORY);
        done = r == LATHE_OK && m.left > 0; /* none was refused */
        refusals += !done;
        m.left = -1;
        lathe_doc_close(doc);
        assert_int_equal(0, m.blocks);
    }
    assert_true(refusals > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_index_survives_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
