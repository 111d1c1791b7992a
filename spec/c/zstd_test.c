/* core/base/zstd and documents that are compressed with it: memory stays within bounds, and may run out anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/zstd.h"
#include "short_memory.h"

#define MB ((size_t)1 << 20)

/* A point of a .solid: one vertex, no triangles; in a frame of one raw block, its size in the header. */
static const uint8_t point[] = {0,    1, 0, 0, 0x3F, 0x80, 0, 0, /* 1 */
                                0x40, 0, 0, 0, 0x40, 0x40, 0, 0};
#define FRAME(type, size) 0x28, 0xB5, 0x2F, 0xFD, 0x20, size, (size) << 3 | (type) << 1 | 1, 0, 0
static const uint8_t frame[] = {FRAME(0, 16), 0, 1, 0, 0,    0x3F, 0x80, 0, 0,
                                0x40,         0, 0, 0, 0x40, 0x40, 0,    0};

/* ---- counted memory ---------------------------------------------------------------------------- */

typedef struct counted {
    size_t now, most;
} counted;

static void *count(void *user, void *ptr, size_t old_size, size_t new_size)
{
    counted *c = user;
    if (!new_size) {
        c->now -= ptr ? old_size : 0;
        free(ptr);
        return NULL;
    }
    void *to = realloc(ptr, new_size);
    if (to)
        c->now = c->now - (ptr ? old_size : 0) + new_size;
    c->most = c->now > c->most ? c->now : c->most;
    return to;
}

/* What unpacking bytes comes to, and the most memory that it takes meanwhile. */
static lathe_result unpack(const uint8_t *data, size_t n, uint64_t limit, size_t *most,
                           lathe_error *e)
{
    counted c = {0};
    const mem m = {count, &c};
    const zstd_bytes from = {data, n}, none = {NULL, 0};
    uint8_t *to = NULL;
    size_t size = 0;
    zstd_how how;
    lathe_result r = zstd_unpack(&m, from, none, limit, &to, &size, &how, e);
    if (r == LATHE_OK)
        mem_free(&m, to, size);
    assert_int_equal(c.now, 0);
    *most = c.most;
    return r;
}

/* A frame of n blocks, each one of `type` with `size` in its head and `used` data; `content` in its header (0: none). */
static uint8_t *blocks(size_t n, unsigned type, uint32_t size, size_t used, uint32_t content,
                       size_t *whole)
{
    uint8_t *data = calloc(1, 10 + n * (3 + used)), *p = data;
    assert_non_null(data);
    memcpy(p, "\x28\xB5\x2F\xFD", 4);
    p[4] = content ? 0x80 : 0;
    p[5] = 0x58; /* a window of 2 MB */
    for (int i = 0; content && i < 4; i++)
        p[6 + i] = (uint8_t)(content >> 8 * i);
    p += content ? 10 : 6;
    for (size_t i = 0; i < n; i++, p += 3 + used) {
        uint32_t head = size << 3 | type << 1 | (i + 1 == n);
        for (int k = 0; k < 3; k++)
            p[k] = (uint8_t)(head >> 8 * k);
        memset(p + 3, type == 2 ? 0xFF : 0, used);
    }
    *whole = (size_t)(p - data);
    return data;
}

static void bombs_take_no_more_than_the_limit(void **state)
{
    (void)state;
    lathe_error e;
    size_t n, most;
    for (int sized = 0; sized < 2; sized++) { /* 2,000 MB in 64 KB */
        uint8_t *bomb = blocks(16000, 1, 128 << 10, 1, sized ? (uint32_t)(2000 * MB) : 0, &n);
        assert_int_equal(n, (sized ? 10 : 6) + 64000);
        assert_int_equal(unpack(bomb, n, 0, &most, &e), LATHE_ERR_LIMIT);
        assert_true(most <= zstd_limit(n) + MB);
        assert_true(!sized || most == 0);
        assert_int_equal(unpack(bomb, n, 5 * MB, &most, &e), LATHE_ERR_LIMIT);
        assert_string_equal(e.message,
                            "zstd frame: it decompresses to more than the limit of 5242880 bytes");
        assert_int_equal(e.offset, 0);
        assert_true(most <= 8 * MB);
        free(bomb);
    }
}

static void nothing_is_taken_because_a_header_says_so(void **state)
{
    (void)state;
    lathe_error e;
    size_t n, most;
    uint8_t *data =
        blocks(480, 2, 4, 4, (uint32_t)(60 * MB), &n); /* damaged blocks, 60 MB they say */
    assert_int_equal(unpack(data, n, 0, &most, &e), LATHE_ERR_INVALID);
    assert_string_equal(e.message,
                        "zstd frame: its blocks are damaged, or need another dictionary");
    assert_true(most <= MB + 1);
    free(data);
    data = blocks(2, 0, 1000, 1000, (uint32_t)(3000 * MB), &n);
    assert_int_equal(unpack(data, n, 0, &most, &e), LATHE_ERR_INVALID);
    assert_string_equal(e.message,
                        "zstd frame: its header says 3145728000 bytes, but its blocks hold at "
                        "most 2000");
    assert_int_equal(most, 0);
    free(data);
}

static void large_content_is_exact(void **state)
{
    (void)state;
    lathe_error e;
    size_t n, most;
    for (int sized = 0; sized < 2;
         sized++) { /* more than what is tried at first, and its last block is full */
        uint8_t *data = blocks(40 * 8, 1, 128 << 10, 1, sized ? (uint32_t)(40 * MB) : 0, &n);
        assert_int_equal(unpack(data, n, 0, &most, &e), LATHE_OK);
        assert_in_range(most, 40 * MB, 60 * MB + 1);
        assert_int_equal(unpack(data, n, 40 * MB, &most, &e), LATHE_OK);
        assert_int_equal(unpack(data, n, 40 * MB - 1, &most, &e), LATHE_ERR_LIMIT);
        free(data);
    }
}

static void limits(void **state)
{
    (void)state;
    assert_int_equal(zstd_limit(0), 64 * MB);
    assert_int_equal(zstd_limit(67108), 64 * MB);
    assert_int_equal(zstd_limit(67109), 67109000);
    assert_int_equal(zstd_limit(2147483), 2147483000);
    assert_int_equal(zstd_limit(2147484), 2048 * MB);
    assert_int_equal(zstd_limit(SIZE_MAX), 2048 * MB);
}

static void packed_bytes_come_back(void **state)
{
    (void)state;
    const mem m = mem_default();
    static uint8_t plain[300000];
    lathe_error e;
    zstd_how how = {.checksum = true}, back_how;
    const zstd_bytes none = {NULL, 0};
    for (size_t i = 0; i < sizeof plain; i++)
        plain[i] = (uint8_t)(i * i >> 7);
    for (size_t n = 0; n <= sizeof plain; n = n * 7 + 1) {
        uint8_t *packed = NULL, *back = NULL;
        size_t size, back_size;
        assert_int_equal(zstd_pack(&m, (zstd_bytes){plain, n}, none, &how, &packed, &size, &e),
                         LATHE_OK);
        assert_true(zstd_is(packed, size));
        assert_int_equal(zstd_unpack(&m, (zstd_bytes){packed, size}, none, n ? n : 1, &back,
                                     &back_size, &back_how, &e),
                         LATHE_OK);
        assert_int_equal(back_size, n);
        assert_true(n ? memcmp(back, plain, n) == 0 : back == NULL);
        assert_true(back_how.checksum && !back_how.dictionary);
        mem_free(&m, packed, size);
        mem_free(&m, back, back_size);
    }
}

/* ---- documents --------------------------------------------------------------------------------- */

/* Opens, changes and encodes one: true where memory sufficed. */
static bool use(memory *m, const lathe_options *o)
{
    static bytes first, other;
    lathe_doc *doc = NULL;
    lathe_error e;
    lathe_value v;
    const lathe_value two = {.kind = LATHE_KIND_REAL, .as.f = 2};
    first.n = other.n = 0;
    lathe_result r = lathe_doc_parse(frame, sizeof frame, o, &doc, &e);
    if (r == LATHE_OK) {
        assert_string_equal(lathe_doc_info(doc, "compression"), "zstd");
        assert_int_equal(lathe_doc_size(doc), sizeof frame);
        assert_int_equal(lathe_doc_encode(doc, keep, &first, &e), LATHE_OK);
        assert_int_equal(first.n, sizeof frame);
        assert_memory_equal(first.data, frame, sizeof frame);
        r = lathe_view_at(lathe_doc_root(doc), "vertices[1]", &v, &e);
    }
    if (r == LATHE_OK)
        r = lathe_view_set(v.as.v, "x", &two, &e);
    if (r == LATHE_OK)
        r = lathe_doc_encode(doc, keep, &other, &e);
    if (r == LATHE_OK) {
        assert_int_equal(lathe_doc_size(doc), other.n);
        assert_memory_equal(other.data, frame, 4);
        r = lathe_doc_set_compression(doc, NULL, &e);
        other.n = 0;
        r = r == LATHE_OK ? lathe_doc_encode(doc, keep, &other, &e) : r;
    }
    if (r == LATHE_OK) {
        assert_int_equal(other.n, sizeof point);
        assert_memory_equal(other.data + 8, point + 8, sizeof point - 8);
        assert_memory_equal(other.data + 4, "\x40\0\0\0", 4);
        assert_int_equal(lathe_doc_size(doc), sizeof point);
    }
    lathe_doc_close(doc);
    assert_int_equal(m->blocks, 0);
    assert_true(r == LATHE_OK || r == LATHE_ERR_MEMORY);
    return r == LATHE_OK;
}

static void memory_runs_out_anywhere(void **state)
{
    (void)state;
    memory m = {0};
    const lathe_options plain = {
        .size = sizeof plain, .format = "solid", .alloc = take, .alloc_user = &m};
    lathe_options with = plain;
    long calls = 0;
    with.dictionary = point;
    with.dictionary_size = sizeof point;
    do
        m.left = calls;
    while (!use(&m, &plain) && ++calls < 1000);
    assert_in_range(calls, 5, 900);
    calls = 0;
    do
        m.left = calls;
    while (!use(&m, &with) && ++calls < 1000);
    assert_in_range(calls, 5, 900);
}

static void first_compressed_by_hand(void **state)
{
    (void)state;
    memory m = {.left = -1};
    const lathe_options o = {.size = sizeof o, .format = "solid", .alloc = take, .alloc_user = &m};
    lathe_doc *doc = NULL;
    lathe_error e;
    bytes out = {0};
    assert_int_equal(lathe_doc_parse(point, sizeof point, &o, &doc, &e), LATHE_OK);
    assert_null(lathe_doc_info(doc, "compression"));
    assert_int_equal(lathe_doc_set_compression(doc, "gzip", &e), LATHE_ERR_NAME);
    assert_string_equal(e.message, "no compression 'gzip': only \"zstd\", or none");
    assert_int_equal(lathe_doc_set_compression(doc, "zstd", &e), LATHE_OK);
    assert_true(lathe_doc_modified(doc));
    assert_int_equal(lathe_doc_encode(doc, keep, &out, &e), LATHE_OK);
    assert_int_equal(out.n, lathe_doc_size(doc));
    assert_memory_equal(out.data, frame, sizeof frame); /* nothing in it can be packed */
    lathe_doc_close(doc);
    assert_int_equal(m.blocks, 0);
}

/* An older host's options end before `dictionary`. */
static void older_options(void **state)
{
    (void)state;
    lathe_options o = {.size = offsetof(lathe_options, dictionary), .format = "solid"};
    lathe_doc *doc = NULL;
    o.dictionary = (const void *)1;
    o.dictionary_size = 5;
    assert_int_equal(lathe_doc_parse(point, sizeof point, &o, &doc, NULL), LATHE_OK);
    lathe_doc_close(doc);
}

/* ---- built without ----------------------------------------------------------------------------- */

static void without_zstd_it_says_so(void **state)
{
    (void)state;
    const lathe_options o = {.size = sizeof o, .path = "a.solid.zs"};
    lathe_doc *doc = NULL;
    lathe_error e;
    assert_int_equal(lathe_doc_parse(frame, sizeof frame, &o, &doc, &e), LATHE_ERR_UNSUPPORTED);
    assert_string_equal(e.message, "compressed with zstd, but this lathe was built without zstd");
    assert_string_equal(e.path, "a.solid.zs");
    assert_null(doc);
    assert_int_equal(lathe_doc_parse(point, sizeof point, &o, &doc, &e), LATHE_OK);
    assert_int_equal(lathe_doc_set_compression(doc, "zstd", &e), LATHE_ERR_UNSUPPORTED);
    assert_string_equal(e.message, "it cannot be compressed: this lathe was built without zstd");
    assert_int_equal(lathe_doc_set_compression(doc, NULL, &e), LATHE_OK);
    assert_int_equal(lathe_doc_size(doc), sizeof point);
    lathe_doc_close(doc);
}

int main(void)
{
    const struct CMUnitTest with[] = {
        cmocka_unit_test(bombs_take_no_more_than_the_limit),
        cmocka_unit_test(nothing_is_taken_because_a_header_says_so),
        cmocka_unit_test(large_content_is_exact),
        cmocka_unit_test(limits),
        cmocka_unit_test(packed_bytes_come_back),
        cmocka_unit_test(memory_runs_out_anywhere),
        cmocka_unit_test(first_compressed_by_hand),
        cmocka_unit_test(older_options),
    };
    const struct CMUnitTest without[] = {cmocka_unit_test(without_zstd_it_says_so)};
    return zstd_built_in() ? cmocka_run_group_tests(with, NULL, NULL)
                           : cmocka_run_group_tests(without, NULL, NULL);
}
