/* Blocks of BC7: one of eight modes says how many subsets of pixels have a pair of colours of their own, and with how many
 * bits colours and indices are stored. */
#include "picture/dds.h"

#include "base/bytes.h"

#include <string.h>

typedef struct mode {
    uint8_t subsets, partition_bits, rotation_bits,
        choice_bits; /* choice: which indices are alpha's */
    uint8_t color_bits, alpha_bits;
    uint8_t low_bits; /* a lowest bit for all channels: 1: of each colour, 2: of both of a subset */
    uint8_t index_bits, second_bits; /* second: alpha has indices of its own */
} mode;

static const mode modes[8] = {
    {3, 4, 0, 0, 4, 0, 1, 3, 0}, {2, 6, 0, 0, 6, 0, 2, 3, 0}, {3, 6, 0, 0, 5, 0, 0, 2, 0},
    {2, 6, 0, 0, 7, 0, 1, 2, 0}, {1, 0, 2, 1, 5, 6, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 2, 2},
    {1, 0, 0, 0, 7, 7, 1, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 2, 0},
};

/* The subset of each pixel: one bit for each, from the lowest … */
static const uint16_t partitions_2[64] = {
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80,
    0xe800, 0xffe8, 0xff00, 0xfff0, 0xf000, 0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310,
    0x3100, 0x8cce, 0x088c, 0x3110, 0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c, 0xaaaa,
    0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a, 0x73ce, 0x13c8, 0x324c, 0x3bdc,
    0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4, 0x4e40, 0x2720, 0xc936, 0x936c, 0x39c6,
    0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
};
/* … and two bits. */
static const uint32_t partitions_3[64] = {
    0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
    0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
    0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
    0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
    0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
    0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
    0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
    0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
};
/* The pixel of each further subset whose index is stored without its highest bit, which is 0; of the first subset it is pixel
 * 0. A hexadecimal digit for each partition. */
static const char anchor_2[] = "fffffffffffffffff282288f28228822"
                               "ff6828ff28222ff66268ff22fffff22f";
static const char anchor_3_second[] = "33ff83ff88666533338f336a588685ff"
                                      "8f356a8ff3f5ffff3f55585a5a8dfc33";
static const char anchor_3_third[] = "f883ff38fffffff8f8f3f8f83f6affa8"
                                     "f3faa89a6f8f3668f3ffffffffff3ff8";

static const uint8_t weights_2[] = {0, 21, 43, 64}, weights_3[] = {0, 9, 18, 27, 37, 46, 55, 64},
                     weights_4[] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};

/* The bits of a block, from the lowest. */
typedef struct bits {
    uint64_t low, high;
} bits;

static unsigned take(bits *b, unsigned n) /* n <= 8 */
{
    unsigned v = (unsigned)(b->low & ((1u << n) - 1));
    if (n) {
        b->low = b->low >> n | b->high << (64 - n);
        b->high >>= n;
    }
    return v;
}

typedef struct colors {
    uint8_t ends[6][4]; /* two of each subset */
} colors;

static void read_colors(bits *b, const mode *m, colors *out)
{
    const unsigned n = m->subsets * 2u;
    unsigned width[4] = {m->color_bits, m->color_bits, m->color_bits, m->alpha_bits};
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < n; i++)
            out->ends[i][c] = (uint8_t)take(b, width[c]);
    unsigned low[6] = {0};
    for (unsigned i = 0; i < n && m->low_bits; i++)
        low[i] = m->low_bits == 2 && i % 2 ? low[i - 1] : take(b, 1);
    for (unsigned c = 0; c < 4; c++) {
        unsigned w = width[c];
        for (unsigned i = 0; i < n; i++) {
            unsigned v = out->ends[i][c], all = w;
            if (m->low_bits && w) {
                v = v << 1 | low[i];
                all = w + 1;
            }
            out->ends[i][c] = (uint8_t)(w ? v << (8 - all) | v >> (2 * all - 8) : 255);
        }
    }
}

static unsigned digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static unsigned subset_of(const mode *m, unsigned partition, unsigned pixel)
{
    return m->subsets == 2   ? partitions_2[partition] >> pixel & 1u
           : m->subsets == 3 ? partitions_3[partition] >> 2 * pixel & 3u
                             : 0;
}

static bool is_anchor(const mode *m, unsigned partition, unsigned pixel)
{
    if (pixel == 0 || m->subsets == 1)
        return pixel == 0;
    if (m->subsets == 2)
        return pixel == digit(anchor_2[partition]);
    return pixel == digit(anchor_3_second[partition]) || pixel == digit(anchor_3_third[partition]);
}

static void read_indices(bits *b, const mode *m, unsigned partition, unsigned width,
                         uint8_t indices[16])
{
    for (unsigned i = 0; i < 16; i++)
        indices[i] = (uint8_t)take(b, width - is_anchor(m, partition, i));
}

static uint8_t between(unsigned a, unsigned b, unsigned index, unsigned width)
{
    const uint8_t *weights = width == 2 ? weights_2 : width == 3 ? weights_3 : weights_4;
    return (uint8_t)(((64u - weights[index]) * a + weights[index] * b + 32) >> 6);
}

typedef struct block {
    const mode *mode;
    unsigned partition, rotation;
    colors colors;
    uint8_t color_index[16], alpha_index[16];
    unsigned color_width, alpha_width; /* bits of these */
} block;

static void draw(const block *b, uint8_t rgba[64])
{
    for (unsigned i = 0; i < 16; i++, rgba += 4) {
        const uint8_t(*ends)[4] = &b->colors.ends[2 * subset_of(b->mode, b->partition, i)];
        for (unsigned c = 0; c < 3; c++)
            rgba[c] = between(ends[0][c], ends[1][c], b->color_index[i], b->color_width);
        rgba[3] = between(ends[0][3], ends[1][3], b->alpha_index[i], b->alpha_width);
        if (b->rotation) { /* alpha was stored in place of a colour */
            uint8_t alpha = rgba[b->rotation - 1];
            rgba[b->rotation - 1] = rgba[3];
            rgba[3] = alpha;
        }
    }
}

void dds_bc7(const uint8_t *bytes, uint8_t rgba[64])
{
    bits in = {bytes_ld64(bytes, false), bytes_ld64(bytes + 8, false)};
    unsigned number = 0;
    while (number < 8 && !take(&in, 1))
        number++;
    if (number == 8) { /* reserved: all zeros by the specification */
        memset(rgba, 0, 64);
        return;
    }
    const mode *m = &modes[number];
    block b = {.mode = m, .color_width = m->index_bits, .alpha_width = m->index_bits};
    b.partition = take(&in, m->partition_bits);
    b.rotation = take(&in, m->rotation_bits);
    bool swapped = take(&in, m->choice_bits);
    read_colors(&in, m, &b.colors);
    read_indices(&in, m, b.partition, m->index_bits, b.color_index);
    memcpy(b.alpha_index, b.color_index, sizeof b.alpha_index);
    if (m->second_bits) {
        read_indices(&in, m, b.partition, m->second_bits, swapped ? b.color_index : b.alpha_index);
        *(swapped ? &b.color_width : &b.alpha_width) = m->second_bits;
    }
    draw(&b, rgba);
}
