/* Blocks of BC1 to BC5. Colours between two others are computed from 8 bits a channel, and fractions are cut off; the
 * specifications of these formats leave rounding open, and graphics processors differ in the last bit. */
#include "picture/dds.h"

#include "base/bytes.h"

static void color_of(unsigned rgb565, uint8_t *rgba)
{
    unsigned r = rgb565 >> 11, g = rgb565 >> 5 & 63, b = rgb565 & 31;
    rgba[0] = (uint8_t)(r << 3 | r >> 2);
    rgba[1] = (uint8_t)(g << 2 | g >> 4);
    rgba[2] = (uint8_t)(b << 3 | b >> 2);
    rgba[3] = 255;
}

/* `holes`: a block whose first colour is not the larger one has three colours and a transparent black. */
static void colors(const uint8_t *block, bool holes, uint8_t rgba[64])
{
    const unsigned c0 = bytes_ld16(block, false), c1 = bytes_ld16(block + 2, false);
    const bool four = c0 > c1 || !holes;
    uint8_t palette[4][4];
    color_of(c0, palette[0]);
    color_of(c1, palette[1]);
    for (unsigned c = 0; c < 3; c++) {
        unsigned a = palette[0][c], b = palette[1][c];
        palette[2][c] = (uint8_t)(four ? (2 * a + b) / 3 : (a + b) / 2);
        palette[3][c] = (uint8_t)(four ? (a + 2 * b) / 3 : 0);
    }
    palette[2][3] = 255;
    palette[3][3] = four ? 255 : 0;
    uint32_t indices = bytes_ld32(block + 4, false);
    for (unsigned i = 0; i < 16; i++, indices >>= 2)
        for (unsigned c = 0; c < 4; c++)
            rgba[i * 4 + c] = palette[indices & 3][c];
}

/* A signed value in steps of 1 / steps, from -127 to 127 (-128 means -127), to 0 to 255. */
static uint8_t from_signed(int sum, int steps)
{
    return (uint8_t)(((sum + 127 * steps) * 255 + 127 * steps) / (254 * steps));
}

static void values_of(int a, int b, bool is_signed, uint8_t values[8])
{
    const int steps = a > b ? 7 : 5;
    if (is_signed) {
        a = a < -127 ? -127 : a;
        b = b < -127 ? -127 : b;
    }
    for (int i = 0; i <= steps; i++) {
        int sum = (steps - i) * a + i * b;
        values[i == 0       ? 0
               : i == steps ? 1
                            : i + 1] = is_signed ? from_signed(sum, steps) : (uint8_t)(sum / steps);
    }
    if (steps == 5) {
        values[6] = 0;
        values[7] = 255;
    }
}

/* One channel: sixteen values for the bytes rgba[0], rgba[4], … */
static void channel(const uint8_t *block, bool is_signed, uint8_t *rgba)
{
    uint8_t values[8];
    if (is_signed)
        values_of(block[0] < 128 ? block[0] : block[0] - 256,
                  block[1] < 128 ? block[1] : block[1] - 256, true, values);
    else
        values_of(block[0], block[1], false, values);
    uint64_t indices = bytes_ld32(block + 2, false) | (uint64_t)bytes_ld16(block + 6, false) << 32;
    for (unsigned i = 0; i < 16; i++, indices >>= 3)
        rgba[i * 4] = values[indices & 7];
}

static void plain_alpha(const uint8_t *block, uint8_t rgba[64])
{
    for (unsigned i = 0; i < 16; i++)
        rgba[i * 4 + 3] = (uint8_t)((block[i / 2] >> i % 2 * 4 & 15) * 17);
}

static void grey(uint8_t rgba[64])
{
    for (unsigned i = 0; i < 64; i += 4) {
        rgba[i + 1] = rgba[i + 2] = rgba[i];
        rgba[i + 3] = 255;
    }
}

static void without_blue(uint8_t rgba[64])
{
    for (unsigned i = 0; i < 64; i += 4) {
        rgba[i + 2] = 0;
        rgba[i + 3] = 255;
    }
}

void dds_block(dds_kind kind, const uint8_t *block, uint8_t rgba[64])
{
    switch (kind) {
    case DDS_BC1: colors(block, true, rgba); break;
    case DDS_BC2:
        colors(block + 8, false, rgba);
        plain_alpha(block, rgba);
        break;
    case DDS_BC3:
        colors(block + 8, false, rgba);
        channel(block, false, rgba + 3);
        break;
    case DDS_BC4:
    case DDS_BC4_SIGNED:
        channel(block, kind == DDS_BC4_SIGNED, rgba);
        grey(rgba);
        break;
    case DDS_BC5:
    case DDS_BC5_SIGNED:
        channel(block, kind == DDS_BC5_SIGNED, rgba);
        channel(block + 8, kind == DDS_BC5_SIGNED, rgba + 1);
        without_blue(rgba);
        break;
    case DDS_BC7: dds_bc7(block, rgba); break;
    case DDS_PIXELS: break;
    }
}
