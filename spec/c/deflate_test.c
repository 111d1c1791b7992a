/* core/base/deflate: streams come back, and what is none is told, without more memory than was given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/deflate.h"
#include "short_memory.h"

enum { SIZE = 5000, ROOM = 8192 };

static uint8_t plain[SIZE], packed[ROOM], back[SIZE + 1];

static void fill(void)
{
    for (size_t i = 0; i < SIZE; i++)
        plain[i] = (uint8_t)(i * i >> 5);
}

static deflater *begin(const mem *m)
{
    deflater *d = NULL;
    lathe_error e;
    assert_true(deflate_bound(SIZE) <= ROOM);
    assert_int_equal(deflate_new(m, &d, &e), LATHE_OK);
    return d;
}

static void streams_come_back(void **state)
{
    (void)state;
    mem m = mem_default();
    lathe_error e;
    size_t n, size, used;
    deflater *d = begin(&m);
    fill();
    for (int again = 0; again < 3; again++) {
        assert_int_equal(deflate_pack(d, plain, SIZE, packed, &n, &e), LATHE_OK);
        assert_true(n < SIZE);
        assert_memory_equal(packed, "\x78\x9C", 2);
        assert_int_equal(deflate_unpack(d, packed, n, back, SIZE, &size, &used, &e), LATHE_OK);
        assert_int_equal(size, SIZE);
        assert_int_equal(used, n);
        assert_memory_equal(back, plain, SIZE);
        packed[n] = 7; /* what lies behind it */
        assert_int_equal(deflate_unpack(d, packed, n + 1, back, SIZE, &size, &used, &e), LATHE_OK);
        assert_int_equal(used, n);
    }
    assert_int_equal(deflate_pack(d, plain, 0, packed, &n, &e), LATHE_OK);
    assert_int_equal(deflate_unpack(d, packed, n, back, 0, &size, &used, &e), LATHE_OK);
    assert_int_equal(size, 0);
    deflate_free(d);
    deflate_free(NULL);
}

static void told(deflater *d, size_t n, size_t cap, const char *why)
{
    size_t size, used;
    lathe_error e;
    assert_int_equal(deflate_unpack(d, packed, n, back, cap, &size, &used, &e), LATHE_ERR_INVALID);
    assert_string_equal(e.message, why);
}

static void what_is_no_stream_is_told(void **state)
{
    (void)state;
    mem m = mem_default();
    lathe_error e;
    size_t n, size, used;
    deflater *d = begin(&m);
    fill();
    assert_int_equal(deflate_pack(d, plain, SIZE, packed, &n, &e), LATHE_OK);
    told(d, n, SIZE - 1, "it decompresses to more than 4999 bytes");
    told(d, n, 0, "it decompresses to more than 0 bytes");
    for (size_t k = 0; k < n; k++)
        told(d, k, SIZE, "it ends early");
    packed[n - 1] ^= 1;
    told(d, n, SIZE, "incorrect data check");
    packed[0] = 'x' + 1;
    told(d, n, SIZE, "incorrect header check");
    memcpy(packed, "\x78\xBB", 2); /* with a dictionary */
    told(d, n, SIZE, "it wants a dictionary");
    deflate_pack(d, plain, SIZE, packed, &n, &e); /* it is none the worse for it */
    assert_int_equal(deflate_unpack(d, packed, n, back, SIZE, &size, &used, &e), LATHE_OK);
    deflate_free(d);
}

static void short_memory_is_told(void **state)
{
    (void)state;
    lathe_error e;
    size_t n, size, used;
    fill();
    for (long left = 0;; left++) {
        memory few = {.left = left};
        mem m = {take, &few};
        deflater *d = NULL;
        lathe_result r = deflate_new(&m, &d, &e);
        if (r == LATHE_OK)
            r = deflate_pack(d, plain, SIZE, packed, &n, &e);
        if (r == LATHE_OK)
            r = deflate_unpack(d, packed, n, back, SIZE, &size, &used, &e);
        deflate_free(d);
        assert_int_equal(few.blocks, 0);
        if (r == LATHE_OK)
            break;
        assert_int_equal(r, LATHE_ERR_MEMORY);
        assert_true(left < 50);
    }
}

static void without_zlib_it_says_so(void **state)
{
    (void)state;
    mem m = mem_default();
    deflater *d = NULL;
    lathe_error e;
    assert_int_equal(deflate_new(&m, &d, &e), LATHE_ERR_UNSUPPORTED);
    assert_string_equal(e.message, "compressed data: this lathe was built without zlib");
}

int main(void)
{
    const struct CMUnitTest with[] = {
        cmocka_unit_test(streams_come_back),
        cmocka_unit_test(what_is_no_stream_is_told),
        cmocka_unit_test(short_memory_is_told),
    };
    const struct CMUnitTest without[] = {cmocka_unit_test(without_zlib_it_says_so)};
    return deflate_built_in() ? cmocka_run_group_tests(with, NULL, NULL)
                              : cmocka_run_group_tests(without, NULL, NULL);
}
