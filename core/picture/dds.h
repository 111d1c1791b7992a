/* Inside of the reader of DDS files: dds.c reads the header and the levels, dds_format.c knows the pixel formats, dds_block.c
 * and dds_bc7.c decode compressed blocks, dds_pixel.c decodes uncompressed pixels, dds_reduce.c makes pictures smaller. */
#ifndef LATHE_PICTURE_DDS_H
#define LATHE_PICTURE_DDS_H

#include "picture/pixels.h"

typedef enum dds_kind {
    DDS_PIXELS, /* uncompressed */
    DDS_BC1,
    DDS_BC2,
    DDS_BC3,
    DDS_BC4,
    DDS_BC4_SIGNED,
    DDS_BC5,
    DDS_BC5_SIGNED,
    DDS_BC7
} dds_kind;

typedef struct dds_format {
    dds_kind kind;
    unsigned unit; /* bytes of a block of 4 x 4 pixels, or of an uncompressed pixel */
    uint32_t masks
        [4];   /* of DDS_PIXELS: the bits of r, g, b and a in a pixel; 0: the channel is missing */
    bool grey; /* of DDS_PIXELS: masks[0] is for r, g and b */
    bool premultiplied, opaque; /* what alpha means, if it is not plain alpha */
} dds_format;

/* The pixel format of a header's 32 bytes, or the one of a number of DXGI_FORMAT. */
lathe_result dds_format_read(const uint8_t *pixel_format, dds_format *out, lathe_error *err);
lathe_result dds_format_dxgi(uint32_t number, dds_format *out, lathe_error *err);

/* Decodes a block to four rows of four pixels. */
void dds_block(dds_kind kind, const uint8_t *block, uint8_t rgba[64]);
void dds_bc7(const uint8_t *block, uint8_t rgba[64]);
/* Decodes n pixels of DDS_PIXELS. */
void dds_pixels(const dds_format *format, const uint8_t *from, size_t n, uint8_t *rgba);

/* Makes a picture smaller: each pixel becomes the mean of those that it covers, channel by channel. Rows of the large picture
 * are handed over from the top, so that it never needs to be in memory. */
typedef struct dds_reduce {
    uint32_t width, height; /* of the large picture; at least as large as the small one */
    uint32_t row;           /* the next one */
    picture_pixels *to;
    uint32_t to_row;
    uint64_t *sums; /* of to->width pixels, four each */
} dds_reduce;

lathe_result dds_reduce_begin(const mem *m, uint32_t width, uint32_t height, picture_pixels *to,
                              dds_reduce *out, lathe_error *err);
void dds_reduce_row(dds_reduce *r, const uint8_t *rgba);
void dds_reduce_end(const mem *m, dds_reduce *r);

#endif
