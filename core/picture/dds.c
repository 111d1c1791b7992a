#include "picture/dds.h"

#include "base/bytes.h"
#include "base/error.h"

#include <string.h>

enum {
    HEADER = 128,    /* with the four letters before it */
    HEADER_10 = 148, /* with the extension of Direct3D 10 */
    SIDE_MAX = 65535,
    /* pixels of a level that is reduced since the file has no smaller one */
    REDUCE_MAX = 1 << 26
};

typedef struct dds_file {
    const uint8_t *bytes;
    size_t size, at; /* where the levels begin */
    uint32_t width, height, depth, levels;
    dds_format format;
} dds_file;

static uint32_t half(uint32_t side, unsigned times)
{
    return side >> times ? side >> times : 1;
}

static uint32_t levels_of(uint32_t width, uint32_t height)
{
    uint32_t n = 1, side = width > height ? width : height;
    while (side >>= 1)
        n++;
    return n;
}

static lathe_result invalid(lathe_error *err, const char *what)
{
    return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "%s", what);
}

static lathe_result read_extension(dds_file *f, lathe_error *err)
{
    enum { VOLUME = 4, PREMULTIPLIED = 2, OPAQUE = 3 };
    if (f->size < HEADER_10)
        return invalid(err, "DDS file cut in its header");
    const uint32_t dimension = bytes_ld32(f->bytes + 132, false),
                   alpha = bytes_ld32(f->bytes + 144, false) & 7;
    lathe_result r = dds_format_dxgi(bytes_ld32(f->bytes + 128, false), &f->format, err);
    f->format.premultiplied = alpha == PREMULTIPLIED;
    f->format.opaque = alpha == OPAQUE;
    if (dimension != VOLUME)
        f->depth = 1;
    f->at = HEADER_10;
    return r;
}

static lathe_result read_header(dds_file *f, lathe_error *err)
{
    enum { VOLUME = 0x200000 };
    if (f->size < 4 || memcmp(f->bytes, "DDS ", 4) != 0)
        return error_set(err, LATHE_ERR_FORMAT, LATHE_NO_OFFSET, "not a DDS file");
    if (f->size < HEADER)
        return invalid(err, "DDS file cut in its header");
    if (bytes_ld32(f->bytes + 4, false) != 124)
        return invalid(err, "DDS file whose header does not have 124 bytes");
    f->height = bytes_ld32(f->bytes + 12, false);
    f->width = bytes_ld32(f->bytes + 16, false);
    f->depth = bytes_ld32(f->bytes + 24, false);
    f->levels = bytes_ld32(f->bytes + 28, false);
    f->at = HEADER;
    lathe_result r;
    if (bytes_ld32(f->bytes + 80, false) & 4 && memcmp(f->bytes + 84, "DX10", 4) == 0) {
        r = read_extension(f, err);
    } else {
        r = dds_format_read(f->bytes + 76, &f->format, err);
        if (!(bytes_ld32(f->bytes + 112, false) & VOLUME))
            f->depth = 1;
    }
    if (r != LATHE_OK)
        return r;
    if (!f->width || !f->height)
        return invalid(err, "DDS file without pixels");
    if (f->width > SIDE_MAX || f->height > SIDE_MAX || f->depth > SIDE_MAX)
        return error_set(
            err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
            "DDS file of %u x %u x %u pixels; lathe reads at most %d in each direction",
            (unsigned)f->width, (unsigned)f->height, (unsigned)f->depth, SIDE_MAX);
    /* Some programs write 0 for one level, others count levels below 1 x 1. */
    const uint32_t most = levels_of(f->width, f->height);
    f->levels = f->levels == 0 ? 1 : f->levels > most ? most : f->levels;
    f->depth = f->depth ? f->depth : 1;
    return LATHE_OK;
}

/* A row of blocks, or of uncompressed pixels. */
static uint64_t row_bytes(const dds_file *f, uint32_t width)
{
    return (uint64_t)(f->format.kind == DDS_PIXELS ? width : (width + 3) / 4) * f->format.unit;
}

static uint64_t level_bytes(const dds_file *f, unsigned level)
{
    const uint32_t height = half(f->height, level);
    return row_bytes(f, half(f->width, level)) *
           (f->format.kind == DDS_PIXELS ? height : (height + 3) / 4);
}

/* Where the first slice of a level begins. Not beyond 2^53: sides are limited. */
static uint64_t level_at(const dds_file *f, unsigned level)
{
    uint64_t at = f->at;
    for (unsigned i = 0; i < level; i++)
        at += level_bytes(f, i) * half(f->depth, i);
    return at;
}

static bool fits(const dds_file *f, unsigned level, uint32_t largest)
{
    const uint32_t w = half(f->width, level), h = half(f->height, level);
    return w <= largest && h <= largest && (uint64_t)w * h <= PICTURE_PIXELS_MAX;
}

static void correct_alpha(const dds_format *f, uint8_t *rgba, size_t n)
{
    for (size_t i = 0; i < n; i++, rgba += 4) {
        const unsigned alpha = rgba[3];
        for (unsigned c = 0; c < 3 && f->premultiplied && alpha; c++) {
            unsigned v = (rgba[c] * 255u + alpha / 2) / alpha;
            rgba[c] = (uint8_t)(v > 255 ? 255 : v);
        }
        if (f->opaque)
            rgba[3] = 255;
    }
}

/* Decodes a row of blocks to four rows of `stride` pixels. */
static void decode_blocks(const dds_file *f, const uint8_t *from, uint32_t stride, uint8_t *rows)
{
    uint8_t rgba[64];
    for (uint32_t x = 0; x < stride; x += 4, from += f->format.unit) {
        dds_block(f->format.kind, from, rgba);
        for (size_t y = 0; y < 4; y++)
            memcpy(rows + (y * stride + x) * 4, rgba + 16 * y, 16);
    }
}

/* Decodes a level from its bytes and hands its rows to `to`. */
static lathe_result decode(const mem *m, const dds_file *f, const uint8_t *from, dds_reduce *to,
                           lathe_error *err)
{
    const bool blocks = f->format.kind != DDS_PIXELS;
    const uint32_t band = blocks ? 4 : 1, stride = (to->width + band - 1) / band * band;
    const size_t size = (size_t)stride * 4 * band;
    uint8_t *rows = mem_alloc(m, size);
    if (!rows)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    while (to->row < to->height) {
        if (blocks)
            decode_blocks(f, from, stride, rows);
        else
            dds_pixels(&f->format, from, stride, rows);
        from += row_bytes(f, to->width);
        if (f->format.premultiplied || f->format.opaque)
            correct_alpha(&f->format, rows, (size_t)stride * band);
        for (uint32_t y = 0; y < band && to->row < to->height; y++)
            dds_reduce_row(to, rows + (size_t)y * stride * 4);
    }
    mem_free(m, rows, size);
    return LATHE_OK;
}

/* Decodes a level of the file as the next level of the texture, with its sides halved as often as `times` says. */
static lathe_result add_level(const mem *m, const dds_file *f, unsigned level, unsigned times,
                              picture_texture *out, lathe_error *err)
{
    const uint32_t width = half(f->width, level), height = half(f->height, level);
    const uint64_t at = level_at(f, level), size = level_bytes(f, level);
    if (at > f->size || size > f->size - at)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "DDS file cut: %u x %u pixels need %llu bytes at 0x%llx, %llu are left",
                         (unsigned)width, (unsigned)height, (unsigned long long)size,
                         (unsigned long long)at,
                         (unsigned long long)(at > f->size ? 0 : f->size - at));
    picture_pixels *to = &out->levels[out->level_count];
    lathe_result r = picture_pixels_new(m, half(width, times), half(height, times), 0, to, err);
    if (r != LATHE_OK)
        return r;
    out->level_count++;
    dds_reduce reduce;
    r = dds_reduce_begin(m, width, height, to, &reduce, err);
    if (r == LATHE_OK)
        r = decode(m, f, f->bytes + at, &reduce, err);
    dds_reduce_end(m, &reduce);
    return r;
}

static lathe_result add_half(const mem *m, picture_texture *out, lathe_error *err)
{
    const picture_pixels from = out->levels[out->level_count - 1];
    picture_pixels *to = &out->levels[out->level_count];
    lathe_result r = picture_pixels_new(m, half(from.width, 1), half(from.height, 1), 0, to, err);
    if (r != LATHE_OK)
        return r;
    out->level_count++;
    dds_reduce reduce;
    r = dds_reduce_begin(m, from.width, from.height, to, &reduce, err);
    for (uint32_t y = 0; r == LATHE_OK && y < from.height; y++)
        dds_reduce_row(&reduce, from.rgba + (size_t)y * from.width * 4);
    dds_reduce_end(m, &reduce);
    return r;
}

static lathe_result read_levels(const mem *m, const dds_file *f, uint32_t largest,
                                picture_texture *out, lathe_error *err)
{
    unsigned level = 0, times = 0;
    while (level + 1 < f->levels && !fits(f, level, largest))
        level++;
    while (!fits(f, level + times, largest))
        times++;
    const uint32_t width = half(f->width, level), height = half(f->height, level);
    if (times && (uint64_t)width * height > REDUCE_MAX)
        return error_set(
            err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
            "DDS file whose smallest level has %u x %u pixels; lathe reduces at most %d pixels",
            (unsigned)width, (unsigned)height, REDUCE_MAX);
    lathe_result r = add_level(m, f, level++, times, out, err);
    for (; r == LATHE_OK && level < f->levels && !times; level++)
        r = add_level(m, f, level, 0, out, err);
    if (r == LATHE_OK)
        out->has_alpha = !picture_is_opaque(&out->levels[0]);
    while (r == LATHE_OK && (out->levels[out->level_count - 1].width > 1 ||
                             out->levels[out->level_count - 1].height > 1))
        r = add_half(m, out, err);
    return r;
}

lathe_result picture_dds_read(const mem *m, const void *bytes, size_t n, uint32_t largest,
                              picture_texture *out, lathe_error *err)
{
    dds_file f = {.bytes = bytes, .size = n};
    *out = (picture_texture){.level_count = 0};
    lathe_result r = read_header(&f, err);
    if (r == LATHE_OK)
        r = read_levels(m, &f, largest ? largest : 1, out, err);
    if (r != LATHE_OK)
        picture_texture_free(m, out);
    return r;
}

void picture_texture_free(const mem *m, picture_texture *texture)
{
    for (unsigned i = 0; i < texture->level_count; i++)
        picture_pixels_free(m, &texture->levels[i]);
    *texture = (picture_texture){.level_count = 0};
}
