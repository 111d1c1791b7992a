/* Texts: which characters are shown, and their outlines. */
#include "picture/font.h"

#include <math.h>

static void show_ascii(font_shown *out, const char *text)
{
    for (; *text; text++)
        out->codes[out->count++] = (uint8_t)*text;
}

static void show_hex(font_shown *out, uint32_t number, unsigned digits)
{
    while (digits < 8 && number >> (4 * digits))
        digits++;
    while (digits-- > 0)
        out->codes[out->count++] = (uint8_t) "0123456789ABCDEF"[number >> (4 * digits) & 15];
}

/* Bytes of the UTF-8 character at p; 0: it is none, or an overlong one, or a surrogate. */
static size_t decode(const uint8_t *p, size_t n, uint32_t *code)
{
    size_t length = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    if (length == 0 || length > n || p[0] > 0xf4)
        return 0;
    uint32_t value = length == 1 ? p[0] : p[0] & (0x7fU >> length);
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (p[i] & 0x3fU);
    }
    if ((length == 3 && value < 0x800) || (length == 4 && value < 0x10000) || value > 0x10ffff ||
        (value >= 0xd800 && value < 0xe000))
        return 0;
    *code = value;
    return length;
}

size_t font_next(const char *text, size_t n, size_t at, font_shown *out)
{
    const uint8_t *p = (const uint8_t *)text + at;
    uint32_t code = 0;
    size_t length = decode(p, n - at, &code);
    out->count = 0;
    if (length == 0 || code < ' ' || code == 0x7f) {
        show_ascii(out, "\\x");
        show_hex(out, p[0], 2);
        return at + 1;
    }
    if (font_find(code)) {
        out->codes[out->count++] = code;
    } else {
        show_ascii(out, "\\u{");
        show_hex(out, code, 4);
        show_ascii(out, "}");
    }
    return at + length;
}

int32_t font_shown_width(const font_shown *shown)
{
    int32_t width = 0;
    for (unsigned i = 0; i < shown->count; i++)
        width += font_find(shown->codes[i])->width;
    return width;
}

/* Where units of the grid are in the picture. Lines at the heights of letters are moved to whole pixels, so that they are
 * sharp. */
typedef struct pen {
    fill_shape *shape;
    double x, scale, thick;
    double knots[5]; /* y of FONT_BELOW, 0, FONT_SMALL, FONT_CAPITAL, and one above all */
    double line[64]; /* rows of x, y */
    size_t count;
} pen;

static const double heights[5] = {FONT_BELOW, 0, FONT_SMALL, FONT_CAPITAL, FONT_CAPITAL + 12};

static double to_whole(double v)
{
    return v < 0 ? -to_whole(-v) : (double)(int64_t)(v + 0.5);
}

static void pen_begin(pen *p, fill_shape *shape, double x, double y, double size)
{
    p->shape = shape;
    p->x = x;
    p->scale = size / FONT_SIZE;
    p->thick = size * 0.088 < 1.1 ? 1.1 : size * 0.088;
    p->count = 0;
    bool snaps = size < 64 && y > -1e6 && y < 1e6;
    double base = (snaps ? to_whole(y) : y) - p->thick / 2;
    for (unsigned i = 0; i < 5; i++) {
        double rise = heights[i] * p->scale;
        p->knots[i] = base - (snaps && i < 4 ? to_whole(rise) : rise);
    }
}

static double pen_y(const pen *p, double y)
{
    unsigned i = 0;
    while (i < 3 && y > heights[i + 1])
        i++;
    double share = (y - heights[i]) / (heights[i + 1] - heights[i]);
    return p->knots[i] + (p->knots[i + 1] - p->knots[i]) * share;
}

static void pen_up(pen *p)
{
    if (p->count)
        stroke_line(p->shape, p->line, p->count, p->thick);
    p->count = 0;
}

static void pen_to(pen *p, double x, double y)
{
    if (p->count == sizeof p->line / sizeof *p->line / 2) {
        double last[2] = {p->line[2 * p->count - 2], p->line[2 * p->count - 1]};
        pen_up(p);
        p->line[0] = last[0];
        p->line[1] = last[1];
        p->count = 1;
    }
    p->line[2 * p->count] = p->x + x * p->scale;
    p->line[2 * p->count + 1] = pen_y(p, y);
    p->count++;
}

/* A Bezier curve of the third degree from a to d, without a. */
static void pen_curve(pen *p, const double a[2], const double b[2], const double c[2],
                      const double d[2])
{
    enum { STEPS = 8 };
    for (int i = 1; i <= STEPS; i++) {
        double t = (double)i / STEPS, s = 1 - t, at[2];
        for (unsigned k = 0; k < 2; k++)
            at[k] =
                s * s * s * a[k] + 3 * s * s * t * b[k] + 3 * s * t * t * c[k] + t * t * t * d[k];
        pen_to(p, at[0], at[1]);
    }
}

static double number(const char **text)
{
    const char *p = *text;
    bool minus = *p == '-';
    int value = 0;
    for (p += minus; *p >= '0' && *p <= '9'; p++)
        value = value * 10 + (*p - '0');
    *text = *p == ' ' ? p + 1 : p;
    return minus ? -value : value;
}

static void curve_to(pen *p, char command, const double from[2], const double bend[2],
                     const double to[2])
{
    const double arc = 0.5522847498; /* makes a quarter of a circle */
    double b[2], c[2];
    for (unsigned k = 0; k < 2; k++) {
        bool leaves = command == 'h' ? k == 0 : k == 1;
        b[k] = leaves ? from[k] + (to[k] - from[k]) * arc : from[k];
        c[k] = leaves ? to[k] : to[k] + (from[k] - to[k]) * arc;
        if (command == 'q') {
            b[k] = from[k] + (bend[k] - from[k]) * 2 / 3;
            c[k] = to[k] + (bend[k] - to[k]) * 2 / 3;
        }
    }
    pen_curve(p, from, b, c, to);
}

static void draw_path(pen *p, const font_glyph *glyph)
{
    double at[2] = {0, 0};
    for (const char *text = glyph->path; *text;) {
        char command = *text++;
        double bend[2] = {0, 0}, to[2];
        for (unsigned k = 0; command == 'q' && k < 2; k++)
            bend[k] = number(&text) + (k ? glyph->dy : glyph->dx);
        for (unsigned k = 0; k < 2; k++)
            to[k] = number(&text) + (k ? glyph->dy : glyph->dx);
        if (command == 'd')
            stroke_disc(p->shape, p->x + to[0] * p->scale, pen_y(p, to[1]), p->thick * 0.64);
        if (command == 'm' || command == 'd')
            pen_up(p);
        if (command == 'm' || command == 'l')
            pen_to(p, to[0], to[1]);
        if (command == 'h' || command == 'v' || command == 'q')
            curve_to(p, command, at, bend, to);
        at[0] = to[0];
        at[1] = to[1];
    }
    pen_up(p);
}

void font_draw(fill_shape *shape, double x, double y, double size, const char *text, size_t n)
{
    font_shown shown;
    pen p;
    pen_begin(&p, shape, x, y, size);
    int64_t at = 0;
    for (size_t i = 0; i < n;) {
        i = font_next(text, n, i, &shown);
        for (unsigned k = 0; k < shown.count; k++) {
            const font_glyph *glyph = font_find(shown.codes[k]);
            p.x = x + (double)(at + glyph->left) * p.scale;
            draw_path(&p, glyph);
            const font_glyph *base = glyph->base ? font_find(glyph->base) : NULL;
            if (base)
                draw_path(&p, base);
            at += glyph->width;
        }
    }
}
