#include "picture/dds.h"

#include "base/error.h"

#include <string.h>

/* Pixel i of `small` ones covers those of `large` from here to where i + 1 begins. */
static uint32_t begin_of(uint32_t i, uint32_t small, uint32_t large)
{
    return (uint32_t)((uint64_t)i * large / small);
}

lathe_result dds_reduce_begin(const mem *m, uint32_t width, uint32_t height, picture_pixels *to,
                              dds_reduce *out, lathe_error *err)
{
    *out = (dds_reduce){.width = width, .height = height, .to = to};
    out->sums = mem_zalloc(m, (size_t)to->width * 4 * sizeof *out->sums);
    return out->sums ? LATHE_OK
                     : error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

void dds_reduce_end(const mem *m, dds_reduce *r)
{
    if (r->to)
        mem_free(m, r->sums, (size_t)r->to->width * 4 * sizeof *r->sums);
    *r = (dds_reduce){.to = NULL};
}

static void add_row(dds_reduce *r, const uint8_t *rgba)
{
    const uint32_t small = r->to->width;
    uint64_t *sum = r->sums;
    for (uint32_t i = 0, x = 0; i < small; i++, sum += 4)
        for (uint32_t end = begin_of(i + 1, small, r->width); x < end; x++, rgba += 4)
            for (unsigned c = 0; c < 4; c++)
                sum[c] += rgba[c];
}

static void write_row(dds_reduce *r, uint32_t rows)
{
    const uint32_t small = r->to->width;
    uint8_t *to = r->to->rgba + (size_t)r->to_row * small * 4;
    for (uint32_t i = 0; i < small; i++) {
        uint64_t covered =
            (uint64_t)rows * (begin_of(i + 1, small, r->width) - begin_of(i, small, r->width));
        for (unsigned c = 0; c < 4; c++)
            *to++ = (uint8_t)((r->sums[i * 4 + c] + covered / 2) / covered);
    }
    memset(r->sums, 0, (size_t)small * 4 * sizeof *r->sums);
}

void dds_reduce_row(dds_reduce *r, const uint8_t *rgba)
{
    const uint32_t first = begin_of(r->to_row, r->to->height, r->height),
                   end = begin_of(r->to_row + 1, r->to->height, r->height);
    r->row++;
    if (r->width == r->to->width && r->height == r->to->height) {
        memcpy(r->to->rgba + (size_t)r->to_row++ * r->width * 4, rgba, (size_t)r->width * 4);
        return;
    }
    add_row(r, rgba);
    if (r->row == end) {
        write_row(r, end - first);
        r->to_row++;
    }
}
