/* PNG: W3C's "Portable Network Graphics Specification", second edition. */
#include "base/deflate.h"
#include "base/error.h"
#include "picture/pixels.h"

#include <string.h>

enum { FILTERS = 5, RGB = 2, RGBA = 6 }; /* colour types: 12.1 */

typedef struct png {
    lathe_sink sink;
    void *user;
    uint32_t table[256]; /* of CRC-32, one byte at a time */
} png;

static void make_table(uint32_t table[256])
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320 ^ c >> 1 : c >> 1;
        table[i] = c;
    }
}

static uint32_t crc(const png *p, uint32_t c, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        c = p->table[(c ^ bytes[i]) & 0xff] ^ c >> 8;
    return c;
}

static void put_u32(uint8_t *to, uint32_t v)
{
    to[0] = (uint8_t)(v >> 24);
    to[1] = (uint8_t)(v >> 16);
    to[2] = (uint8_t)(v >> 8);
    to[3] = (uint8_t)v;
}

static bool chunk(const png *p, const char *kind, const void *bytes, size_t n)
{
    uint8_t head[8], tail[4];
    put_u32(head, (uint32_t)n);
    memcpy(head + 4, kind, 4);
    put_u32(tail, ~crc(p, crc(p, 0xffffffff, head + 4, 4), bytes, n));
    return p->sink(p->user, head, sizeof head) && (n == 0 || p->sink(p->user, bytes, n)) &&
           p->sink(p->user, tail, sizeof tail);
}

static bool data_chunk(void *user, const void *bytes, size_t n)
{
    return chunk(user, "IDAT", bytes, n);
}

static unsigned distance(int a, int b)
{
    return (unsigned)(a > b ? a - b : b - a);
}

static uint8_t paeth(uint8_t left, uint8_t up, uint8_t corner)
{
    int guess = left + up - corner;
    unsigned a = distance(guess, left), b = distance(guess, up), c = distance(guess, corner);
    return a <= b && a <= c ? left : b <= c ? up : corner;
}

/* Filters a row of n bytes, with `step` bytes a pixel, into out. `up` is the row above. Both have `step` zeros in front. */
static void filter(int kind, const uint8_t *row, const uint8_t *up, size_t n, size_t step,
                   uint8_t *out)
{
    const uint8_t *left = row - step, *corner = up - step;
    for (size_t i = 0; i < n; i++) {
        unsigned from = 0;
        switch (kind) {
        case 1: from = left[i]; break;
        case 2: from = up[i]; break;
        case 3: from = ((unsigned)left[i] + up[i]) / 2; break;
        case 4: from = paeth(left[i], up[i], corner[i]); break;
        default: break;
        }
        out[i] = (uint8_t)(row[i] - from);
    }
}

/* The sum of the filtered bytes' distances from 0: the smaller, the better they will pack. */
static uint64_t cost(const uint8_t *bytes, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += bytes[i] < 128 ? bytes[i] : 256u - bytes[i];
    return sum;
}

typedef struct rows {
    uint8_t *row, *up, *best, *other; /* best and other begin with the number of the filter */
    size_t n, step;
} rows;

static void choose_filter(rows *r)
{
    uint64_t least = UINT64_MAX;
    for (int kind = 0; kind < FILTERS; kind++) {
        filter(kind, r->row, r->up, r->n, r->step, r->other + 1);
        r->other[0] = (uint8_t)kind;
        uint64_t c = cost(r->other + 1, r->n);
        if (c >= least)
            continue;
        uint8_t *swap = r->best;
        r->best = r->other;
        r->other = swap;
        least = c;
        if (c == 0)
            return;
    }
}

static lathe_result put_rows(const picture_pixels *pixels, deflate_stream *stream, rows *r,
                             lathe_error *err)
{
    lathe_result result = LATHE_OK;
    for (uint32_t y = 0; y < pixels->height && result == LATHE_OK; y++) {
        const uint8_t *from = pixels->rgba + (size_t)y * pixels->width * 4;
        for (size_t x = 0; x < pixels->width; x++)
            memcpy(r->row + x * r->step, from + x * 4, r->step);
        choose_filter(r);
        result = deflate_stream_put(stream, r->best, r->n + 1, err);
        uint8_t *swap = r->row;
        r->row = r->up;
        r->up = swap;
    }
    return result == LATHE_OK ? deflate_stream_end(stream, err) : result;
}

static lathe_result put_data(const mem *m, png *p, const picture_pixels *pixels, size_t step,
                             lathe_error *err)
{
    size_t n = pixels->width * step, room = n + step;
    uint8_t *block = mem_zalloc(m, 4 * room);
    deflate_stream *stream = NULL;
    if (!block)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    rows r = {block + step, block + room + step, block + 2 * room, block + 3 * room, n, step};
    lathe_result result = deflate_stream_new(m, data_chunk, p, &stream, err);
    if (result == LATHE_OK)
        result = put_rows(pixels, stream, &r, err);
    deflate_stream_free(stream);
    mem_free(m, block, 4 * room);
    return result;
}

lathe_result picture_png_write(const mem *m, const picture_pixels *pixels, lathe_sink sink,
                               void *user, lathe_error *err)
{
    png p = {.sink = sink, .user = user};
    size_t step = picture_is_opaque(pixels) ? 3 : 4;
    uint8_t head[13] = {0};
    make_table(p.table);
    put_u32(head, pixels->width);
    put_u32(head + 4, pixels->height);
    head[8] = 8; /* bits a channel */
    head[9] = step == 3 ? RGB : RGBA;
    bool ok = sink(user, "\x89PNG\r\n\x1a\n", 8) && chunk(&p, "IHDR", head, sizeof head);
    if (ok) {
        lathe_result r = put_data(m, &p, pixels, step, err);
        if (r != LATHE_OK)
            return r;
        ok = chunk(&p, "IEND", NULL, 0);
    }
    return ok ? LATHE_OK
              : error_set(err, LATHE_ERR_IO, LATHE_NO_OFFSET, "the sink refused the bytes");
}
