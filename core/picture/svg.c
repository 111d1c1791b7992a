/* Numbers are written without printf, which uses the decimal sign of the locale. */
#include "picture/svg.h"

#include "base/error.h"
#include "picture/font.h"

#include <string.h>

bool svg_put(buf *out, const char *text)
{
    return buf_put(out, text, strlen(text));
}

static bool put_integer(buf *out, uint64_t number)
{
    char digits[20];
    size_t n = sizeof digits;
    do
        digits[--n] = (char)('0' + number % 10);
    while (number /= 10);
    return buf_put(out, digits + n, sizeof digits - n);
}

bool svg_number(buf *out, double number)
{
    const double most = 1e7;
    double size = number < 0 ? -number : number;
    uint64_t hundredths = (uint64_t)((size < most ? size : most) * 100 + 0.5);
    bool ok =
        (number < 0 && hundredths ? svg_put(out, "-") : true) && put_integer(out, hundredths / 100);
    if (ok && hundredths % 100) {
        char decimals[3] = {'.', (char)('0' + hundredths / 10 % 10), (char)('0' + hundredths % 10)};
        ok = buf_put(out, decimals, hundredths % 10 ? 3 : 2);
    }
    return ok;
}

bool svg_attribute(buf *out, const char *name, double number)
{
    return svg_put(out, " ") && svg_put(out, name) && svg_put(out, "=\"") &&
           svg_number(out, number) && svg_put(out, "\"");
}

bool svg_color(buf *out, const char *name, picture_color color)
{
    char hex[7] = "#";
    for (unsigned i = 0; i < 6; i++)
        hex[1 + i] = "0123456789abcdef"[color >> (28 - 4 * i) & 15];
    bool ok = svg_put(out, " ") && svg_put(out, name) && svg_put(out, "=\"") &&
              buf_put(out, hex, sizeof hex) && svg_put(out, "\"");
    if (ok && (color & 255) != 255)
        ok = svg_put(out, " ") && svg_put(out, name) && svg_put(out, "-opacity=\"") &&
             svg_number(out, (double)(color & 255) / 255) && svg_put(out, "\"");
    return ok;
}

bool svg_points(buf *out, const double *xy, size_t n)
{
    bool ok = svg_put(out, " points=\"");
    for (size_t i = 0; ok && i < n; i++)
        ok = (i == 0 || svg_put(out, " ")) && svg_number(out, xy[2 * i]) && svg_put(out, ",") &&
             svg_number(out, xy[2 * i + 1]);
    return ok && svg_put(out, "\"");
}

static bool put_character(buf *out, uint32_t code)
{
    switch (code) {
    case '<': return svg_put(out, "&lt;");
    case '>': return svg_put(out, "&gt;");
    case '&': return svg_put(out, "&amp;");
    case '"': return svg_put(out, "&quot;");
    default: break;
    }
    uint8_t bytes[3];
    size_t n = 0;
    if (code < 0x80) {
        bytes[n++] = (uint8_t)code;
    } else if (code < 0x800) {
        bytes[n++] = (uint8_t)(0xc0 | code >> 6);
        bytes[n++] = (uint8_t)(0x80 | (code & 0x3f));
    } else {
        bytes[n++] = (uint8_t)(0xe0 | code >> 12); /* the font has none above U+FFFF */
        bytes[n++] = (uint8_t)(0x80 | (code >> 6 & 0x3f));
        bytes[n++] = (uint8_t)(0x80 | (code & 0x3f));
    }
    return buf_put(out, bytes, n);
}

bool svg_text(buf *out, const char *text, size_t n)
{
    font_shown shown;
    for (size_t i = 0; i < n;) {
        i = font_next(text, n, i, &shown);
        for (unsigned k = 0; k < shown.count; k++)
            if (!put_character(out, shown.codes[k]))
                return false;
    }
    return true;
}

typedef struct base64 {
    buf *out;
    uint8_t kept[3];
    unsigned count;
} base64;

static bool put_three(base64 *b)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = (uint32_t)b->kept[0] << 16 | (uint32_t)b->kept[1] << 8 | b->kept[2];
    char text[4];
    for (unsigned i = 0; i < 4; i++)
        text[i] = i > b->count ? '=' : digits[bits >> (18 - 6 * i) & 63];
    memset(b->kept, 0, sizeof b->kept);
    b->count = 0;
    return buf_put(b->out, text, sizeof text);
}

static bool take(void *user, const void *bytes, size_t n)
{
    base64 *b = user;
    for (size_t i = 0; i < n; i++) {
        b->kept[b->count++] = ((const uint8_t *)bytes)[i];
        if (b->count == 3 && !put_three(b))
            return false;
    }
    return true;
}

lathe_result svg_png(buf *out, const mem *m, const picture_pixels *pixels, lathe_error *err)
{
    base64 b = {.out = out};
    lathe_result r = picture_png_write(m, pixels, take, &b, err);
    if (r == LATHE_ERR_IO || (r == LATHE_OK && b.count && !put_three(&b)))
        r = error_set(err, LATHE_ERR_MEMORY, 0, "out of memory");
    return r;
}
