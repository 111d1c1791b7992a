#include "picture/dds.h"

#include "base/bytes.h"
#include "base/error.h"

#include <string.h>

/* What each letter code of a header means. */
static const struct named {
    char code[5];
    dds_kind kind;
    bool premultiplied;
} named[] = {
    {"DXT1", DDS_BC1, false}, {"DXT2", DDS_BC2, true},         {"DXT3", DDS_BC2, false},
    {"DXT4", DDS_BC3, true},  {"DXT5", DDS_BC3, false},        {"ATI1", DDS_BC4, false},
    {"BC4U", DDS_BC4, false}, {"BC4S", DDS_BC4_SIGNED, false}, {"ATI2", DDS_BC5, false},
    {"BC5U", DDS_BC5, false}, {"BC5S", DDS_BC5_SIGNED, false},
};

/* Ranges of DXGI_FORMAT: a typeless format and the sRGB variant decode like the plain one. */
static const struct ranged {
    uint8_t first, last;
    dds_format format;
} ranged[] = {
    {23, 24, {.unit = 4, .masks = {0x3ff, 0x3ff << 10, 0x3ff << 20, 0xc0000000}}},
    {27, 29, {.unit = 4, .masks = {0xff, 0xff00, 0xff0000, 0xff000000}}},
    {33, 33, {.unit = 4, .masks = {0xffff, 0xffff0000}}},
    {35, 35, {.unit = 4, .masks = {0xffff, 0xffff0000}}},
    {48, 49, {.unit = 2, .masks = {0xff, 0xff00}}},
    {53, 53, {.unit = 2, .masks = {0xffff}, .grey = true}},
    {56, 56, {.unit = 2, .masks = {0xffff}, .grey = true}},
    {60, 61, {.unit = 1, .masks = {0xff}, .grey = true}},
    {65, 65, {.unit = 1, .masks = {0, 0, 0, 0xff}}},
    {70, 72, {.kind = DDS_BC1}},
    {73, 75, {.kind = DDS_BC2}},
    {76, 78, {.kind = DDS_BC3}},
    {79, 80, {.kind = DDS_BC4}},
    {81, 81, {.kind = DDS_BC4_SIGNED}},
    {82, 83, {.kind = DDS_BC5}},
    {84, 84, {.kind = DDS_BC5_SIGNED}},
    {85, 85, {.unit = 2, .masks = {0xf800, 0x7e0, 0x1f}}},
    {86, 86, {.unit = 2, .masks = {0x7c00, 0x3e0, 0x1f, 0x8000}}},
    {87, 87, {.unit = 4, .masks = {0xff0000, 0xff00, 0xff, 0xff000000}}},
    {88, 88, {.unit = 4, .masks = {0xff0000, 0xff00, 0xff}}},
    {90, 91, {.unit = 4, .masks = {0xff0000, 0xff00, 0xff, 0xff000000}}},
    {92, 93, {.unit = 4, .masks = {0xff0000, 0xff00, 0xff}}},
    {97, 99, {.kind = DDS_BC7}},
    {115, 115, {.unit = 2, .masks = {0xf00, 0xf0, 0xf, 0xf000}}},
};

static void set_unit(dds_format *f)
{
    if (f->kind != DDS_PIXELS)
        f->unit = f->kind == DDS_BC1 || f->kind == DDS_BC4 || f->kind == DDS_BC4_SIGNED ? 8 : 16;
}

lathe_result dds_format_dxgi(uint32_t number, dds_format *out, lathe_error *err)
{
    for (size_t i = 0; i < sizeof ranged / sizeof *ranged; i++)
        if (number >= ranged[i].first && number <= ranged[i].last) {
            *out = ranged[i].format;
            set_unit(out);
            return LATHE_OK;
        }
    return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                     "DDS file with pixels of DXGI format %u, which lathe cannot decode%s",
                     (unsigned)number, number == 95 || number == 96 ? " (BC6H)" : "");
}

static lathe_result by_code(const uint8_t *code, dds_format *out, lathe_error *err)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (memcmp(code, named[i].code, 4) == 0) {
            *out = (dds_format){.kind = named[i].kind, .premultiplied = named[i].premultiplied};
            set_unit(out);
            return LATHE_OK;
        }
    bool letters = true;
    for (unsigned i = 0; i < 4; i++)
        letters = letters && code[i] >= ' ' && code[i] < 127;
    if (letters)
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "DDS file with pixels of format \"%.4s\", which lathe cannot decode",
                         (const char *)code);
    return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                     "DDS file with pixels of Direct3D format %u, which lathe cannot decode",
                     (unsigned)bytes_ld32(code, false));
}

/* The set bits of a mask are neighbours and inside of the pixel. */
static bool mask_ok(uint32_t mask, unsigned bits)
{
    if (bits < 32 && mask >> bits)
        return false;
    while (mask && !(mask & 1))
        mask >>= 1;
    return !(mask & (mask + 1));
}

enum {
    HAS_ALPHA = 1,
    ALPHA_ONLY = 2,
    HAS_CODE = 4,
    HAS_RGB = 0x40,
    HAS_GREY = 0x20000 /* luminance */
};

lathe_result dds_format_read(const uint8_t *pixel_format, dds_format *out, lathe_error *err)
{
    const uint32_t flags = bytes_ld32(pixel_format + 4, false),
                   bits = bytes_ld32(pixel_format + 12, false);
    if (flags & HAS_CODE)
        return by_code(pixel_format + 8, out, err);
    if (!(flags & (HAS_RGB | HAS_GREY | ALPHA_ONLY)))
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "DDS file with pixels of unknown kind (flags 0x%x)", (unsigned)flags);
    if (bits != 8 && bits != 16 && bits != 24 && bits != 32)
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "DDS file with %u bits for each pixel; lathe decodes 8, 16, 24 and 32",
                         (unsigned)bits);
    *out = (dds_format){.kind = DDS_PIXELS, .unit = bits / 8, .grey = !(flags & HAS_RGB)};
    for (unsigned c = 0; c < 4; c++) {
        bool stored = c == 3             ? (flags & (HAS_ALPHA | ALPHA_ONLY)) != 0
                      : flags & HAS_RGB  ? true
                      : flags & HAS_GREY ? c == 0
                                         : false;
        out->masks[c] = stored ? bytes_ld32(pixel_format + 16 + 4 * c, false) : 0;
        if (!mask_ok(out->masks[c], bits))
            return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                             "DDS file whose pixels of %u bits have a channel with mask 0x%x",
                             (unsigned)bits, (unsigned)out->masks[c]);
    }
    return LATHE_OK;
}
