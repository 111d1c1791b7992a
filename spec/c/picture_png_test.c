/* PNG, read by a reader of the test's own: every chunk, filter and pixel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/deflate.h"
#include "picture/pixels.h"

#include "short_memory.h"

enum { ROOM = 1 << 19 };

typedef struct file {
    size_t n, pieces, refuse_at; /* the number of the piece that is refused; 0: none */
    uint8_t data[ROOM];
} file;

static file written;
static uint8_t packed[ROOM], rows[ROOM];

static bool receive(void *user, const void *p, size_t n)
{
    file *f = user;
    if (++f->pieces == f->refuse_at)
        return false;
    assert_true(n <= ROOM - f->n);
    memcpy(f->data + f->n, p, n);
    f->n += n;
    return true;
}

static uint32_t u32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint32_t crc_of(const uint8_t *p, size_t n)
{
    uint32_t c = 0xffffffff;
    for (size_t i = 0; i < 8 * n; i++) {
        uint32_t bit = (c ^ p[i / 8] >> i % 8) & 1;
        c = c >> 1 ^ (bit ? 0xedb88320 : 0);
    }
    return ~c;
}

/* Takes the chunk at *at: its bytes. */
static const uint8_t *chunk(size_t *at, const char *kind, size_t *n)
{
    const uint8_t *p = written.data + *at;
    assert_true(written.n - *at >= 12);
    *n = u32(p);
    assert_true(written.n - *at - 12 >= *n);
    assert_memory_equal(p + 4, kind, 4);
    assert_int_equal(u32(p + 8 + *n), crc_of(p + 4, *n + 4));
    *at += 12 + *n;
    return p + 8;
}

/* Blocks that are stored, and their checksum. */
static size_t unpack_stored(size_t n)
{
    size_t at = 2, size = 0;
    uint32_t a = 1, b = 0;
    for (bool last = false; !last; at += 5) {
        size_t some = packed[at + 1] | (size_t)packed[at + 2] << 8;
        last = packed[at] == 1;
        assert_true(packed[at] <= 1);
        assert_int_equal(some ^ 0xffff, packed[at + 3] | (size_t)packed[at + 4] << 8);
        for (size_t i = 0; i < some; i++) {
            rows[size++] = packed[at + 5 + i];
            a = (a + packed[at + 5 + i]) % 65521;
            b = (b + a) % 65521;
        }
        at += some;
    }
    assert_int_equal(u32(packed + at), b << 16 | a);
    assert_int_equal(n, at + 4);
    return size;
}

static void unpack(size_t n, size_t size)
{
    lathe_error err;
    size_t got, used;
    if (!deflate_built_in()) {
        assert_int_equal(unpack_stored(n), size);
        return;
    }
    mem m = mem_default();
    deflater *d;
    assert_int_equal(deflate_new(&m, &d, &err), LATHE_OK);
    assert_int_equal(deflate_unpack(d, packed, n, rows, ROOM, &got, &used, &err), LATHE_OK);
    assert_int_equal(got, size);
    assert_int_equal(used, n);
    deflate_free(d);
}

static int closest(int a, int b, int c)
{
    int p = a + b - c, da = abs(p - a), db = abs(p - b), dc = abs(p - c);
    if (da <= db && da <= dc)
        return a;
    return db <= dc ? b : c;
}

/* Undoes the filters in place: section 9 of the specification. Notes which of them were used. */
static void unfilter(size_t height, size_t n, size_t step, unsigned *used)
{
    for (size_t y = 0; y < height; y++) {
        uint8_t *row = rows + y * (n + 1);
        const uint8_t *up = y ? row - n - 1 : NULL;
        assert_true(row[0] < 5);
        *used |= 1u << row[0];
        for (size_t x = 1; x <= n; x++) {
            int a = x > step ? row[x - step] : 0, b = up ? up[x] : 0,
                c = up && x > step ? up[x - step] : 0;
            const int guess[] = {0, a, b, (a + b) / 2, closest(a, b, c)};
            row[x] = (uint8_t)(row[x] + guess[row[0]]);
        }
    }
}

/* Writes a picture and reads it back. Returns the bits of the filters that were used. */
static unsigned there_and_back(const picture_pixels *pixels, bool alpha)
{
    mem m = mem_default();
    lathe_error err;
    size_t at = 8, n = 0, total = 0, step = alpha ? 4 : 3;
    unsigned used = 0;
    written.n = written.pieces = written.refuse_at = 0;
    assert_int_equal(picture_png_write(&m, pixels, receive, &written, &err), LATHE_OK);
    assert_memory_equal(written.data, "\x89PNG\r\n\x1a\n", 8);
    const uint8_t *head = chunk(&at, "IHDR", &n);
    assert_int_equal(n, 13);
    assert_int_equal(u32(head), pixels->width);
    assert_int_equal(u32(head + 4), pixels->height);
    assert_memory_equal(head + 8, alpha ? "\x8\x6\0\0\0" : "\x8\x2\0\0\0", 5);
    while (memcmp(written.data + at + 4, "IDAT", 4) == 0) {
        const uint8_t *data = chunk(&at, "IDAT", &n);
        memcpy(packed + total, data, n);
        total += n;
    }
    chunk(&at, "IEND", &n);
    assert_int_equal(n, 0);
    assert_int_equal(at, written.n);
    n = pixels->width * step;
    unpack(total, pixels->height * (n + 1));
    unfilter(pixels->height, n, step, &used);
    for (size_t i = 0; i < (size_t)pixels->width * pixels->height; i++) {
        const uint8_t *row = rows + i / pixels->width * (n + 1) + 1;
        assert_memory_equal(pixels->rgba + 4 * i, row + i % pixels->width * step, step);
        if (!alpha)
            assert_int_equal(pixels->rgba[4 * i + 3], 255);
    }
    return used;
}

static picture_pixels made(const mem *m, uint32_t width, uint32_t height)
{
    picture_pixels p;
    lathe_error err;
    assert_int_equal(picture_pixels_new(m, width, height, 0x11223344, &p, &err), LATHE_OK);
    assert_memory_equal(p.rgba, "\x11\x22\x33\x44", 4);
    return p;
}

/* Kinds of pictures: 0 flat, 1 noise, 2 a slope to the right, 3 one down, 4 both with some noise. */
static void paint(picture_pixels *p, int kind, bool alpha)
{
    uint32_t state = 12345;
    for (size_t i = 0; i < (size_t)p->width * p->height * 4; i++) {
        size_t x = i / 4 % p->width, y = i / 4 / p->width;
        state = state * 1664525 + 1013904223;
        const size_t values[] = {77, state >> 24, 5 * x + x * x / 9, 3 * y + y * y / 7,
                                 2 * x + 3 * y + (state >> 30)};
        p->rgba[i] = i % 4 == 3 && !alpha ? 255 : (uint8_t)values[kind];
    }
}

static void pixels_come_back(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {1, 300}, {300, 1}, {7, 5}, {256, 256}, {257, 331}};
    mem m = mem_default();
    unsigned used = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int kind = 0; kind < 5; kind++)
            for (int alpha = 0; alpha < 2; alpha++) {
                picture_pixels p = made(&m, sizes[i][0], sizes[i][1]);
                paint(&p, kind, alpha);
                used |= there_and_back(&p, alpha);
                picture_pixels_free(&m, &p);
                assert_null(p.rgba);
            }
    assert_int_equal(used, 0x1f); /* every filter is the best of some row */
}

static void flat_pictures_are_small(void **state)
{
    (void)state;
    mem m = mem_default();
    picture_pixels p = made(&m, 300, 400);
    paint(&p, 2, false);
    there_and_back(&p, false);
    if (deflate_built_in())
        assert_true(written.n < 2000);
    picture_pixels_free(&m, &p);
}

static void a_sink_may_refuse_any_piece(void **state)
{
    (void)state;
    mem m = mem_default();
    picture_pixels p = made(&m, 200, 200);
    lathe_error err;
    paint(&p, 1, true);
    there_and_back(&p, true);
    size_t pieces = written.pieces;
    assert_true(pieces > 10);
    for (size_t i = 1; i <= pieces; i++) {
        written.n = written.pieces = 0;
        written.refuse_at = i;
        assert_int_equal(picture_png_write(&m, &p, receive, &written, &err), LATHE_ERR_IO);
        assert_string_equal(err.message, "the sink refused the bytes");
        assert_int_equal(written.pieces, i);
    }
    picture_pixels_free(&m, &p);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    mem plain = mem_default();
    picture_pixels p = made(&plain, 20, 20);
    lathe_error err;
    lathe_result r = LATHE_ERR_MEMORY;
    for (long i = 0; r != LATHE_OK; i++) {
        memory left = {i, 0};
        mem m = {take, &left};
        assert_true(i < 100);
        written.n = written.pieces = written.refuse_at = 0;
        r = picture_png_write(&m, &p, receive, &written, &err);
        assert_true(r == LATHE_OK || r == LATHE_ERR_MEMORY);
        assert_int_equal(left.blocks, 0);
    }
    picture_pixels_free(&plain, &p);
    memory none = {0, 0};
    mem m = {take, &none};
    assert_int_equal(picture_pixels_new(&m, 5, 5, 0, &p, &err), LATHE_ERR_MEMORY);
}

static void sizes_are_limited(void **state)
{
    (void)state;
    static const uint32_t wrong[][2] = {
        {0, 5}, {5, 0}, {4097, 4096}, {0xffffffff, 0xffffffff}, {1 << 16, 1 << 16}};
    mem m = mem_default();
    picture_pixels p;
    lathe_error err;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(picture_pixels_new(&m, wrong[i][0], wrong[i][1], 0, &p, &err),
                         LATHE_ERR_LIMIT);
        assert_null(p.rgba);
    }
    picture_pixels_new(&m, 0, 5, 0, &p, &err);
    assert_string_equal(err.message, "a picture of 0 x 5 pixels: it must have from 1 to 16777216");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_come_back),
        cmocka_unit_test(flat_pictures_are_small),
        cmocka_unit_test(a_sink_may_refuse_any_piece),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(sizes_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
