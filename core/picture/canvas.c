/* The functions that draw, for both kinds of pictures. */
#include "picture/canvas.h"

#include "base/error.h"
#include "picture/font.h"
#include "picture/svg.h"

#include <math.h>

struct picture_canvas {
    mem mem;
    picture_kind kind;
    uint32_t width, height;
    picture_color background;
    lathe_result failed; /* the first failure */
    /* PNG */
    picture_pixels pixels;
    fill_shape shape;
    fill_clip clip;
    /* SVG */
    buf title, body;
    unsigned clip_count;
    bool clipped;
};

static void no_memory(picture_canvas *canvas, bool done)
{
    if (!done && canvas->failed == LATHE_OK)
        canvas->failed = LATHE_ERR_MEMORY;
}

static fill_clip whole(const picture_canvas *canvas)
{
    return (fill_clip){0, 0, (int32_t)canvas->width * FILL_SAMPLES,
                       (int32_t)canvas->height * FILL_SAMPLES};
}

lathe_result picture_canvas_new(const mem *m, picture_kind kind, uint32_t width, uint32_t height,
                                picture_color background, picture_canvas **out, lathe_error *err)
{
    *out = NULL;
    if (width == 0 || height == 0 || width > FILL_SIDE || height > FILL_SIDE ||
        (uint64_t)width * height > PICTURE_PIXELS_MAX)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "a picture of %u x %u pixels: sides are 1 to %d, and at most %d pixels",
                         width, height, FILL_SIDE, PICTURE_PIXELS_MAX);
    picture_canvas *canvas = mem_zalloc(m, sizeof *canvas);
    if (!canvas)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    canvas->mem = *m;
    canvas->kind = kind;
    canvas->width = width;
    canvas->height = height;
    canvas->background = background;
    fill_begin(&canvas->shape, &canvas->mem, width, height);
    canvas->clip = whole(canvas);
    buf_init(&canvas->title, &canvas->mem);
    buf_init(&canvas->body, &canvas->mem);
    lathe_result r = LATHE_OK;
    if (kind == PICTURE_PNG)
        r = picture_pixels_new(&canvas->mem, width, height, background, &canvas->pixels, err);
    if (r != LATHE_OK)
        picture_canvas_free(canvas);
    else
        *out = canvas;
    return r;
}

void picture_canvas_free(picture_canvas *canvas)
{
    if (!canvas)
        return;
    mem m = canvas->mem;
    picture_pixels_free(&m, &canvas->pixels);
    fill_free(&canvas->shape);
    buf_free(&canvas->title);
    buf_free(&canvas->body);
    mem_free(&m, canvas, sizeof *canvas);
}

void picture_title(picture_canvas *canvas, const char *text, size_t n)
{
    canvas->title.size = 0;
    no_memory(canvas, svg_text(&canvas->title, text, n));
}

/* Paints what was added to the shape. */
static void paint(picture_canvas *canvas, picture_color color)
{
    no_memory(canvas, fill_paint(&canvas->shape, &canvas->pixels, &canvas->clip, color));
    canvas->shape.failed = false;
}

static bool all_finite(const double *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(numbers[i]))
            return false;
    return true;
}

static bool rect_tag(buf *out, double x, double y, double width, double height)
{
    return svg_put(out, "<rect") && (x == 0 || svg_attribute(out, "x", x)) &&
           (y == 0 || svg_attribute(out, "y", y)) && svg_attribute(out, "width", width) &&
           svg_attribute(out, "height", height);
}

void picture_rect(picture_canvas *canvas, double x, double y, double width, double height,
                  picture_color color)
{
    const double corners[8] = {x, y, x + width, y, x + width, y + height, x, y + height};
    if (!all_finite(corners, 8) || !(width > 0) || !(height > 0) || !(color & 255))
        return;
    if (canvas->kind == PICTURE_PNG) {
        stroke_polygon(&canvas->shape, corners, 4);
        paint(canvas, color);
        return;
    }
    buf *out = &canvas->body;
    no_memory(canvas, rect_tag(out, x, y, width, height) && svg_color(out, "fill", color) &&
                          svg_put(out, "/>\n"));
}

/* The points from `from` up to one that is not finite, or a number of them. */
static size_t finite_run(const double *xy, size_t n, size_t from)
{
    size_t end = from;
    while (end < n && isfinite(xy[2 * end]) && isfinite(xy[2 * end + 1]))
        end++;
    return end - from;
}

void picture_polyline(picture_canvas *canvas, const double *xy, size_t n, double width,
                      picture_color color)
{
    if (!isfinite(width) || !(width > 0) || !(color & 255))
        return;
    if (canvas->kind == PICTURE_PNG) {
        stroke_line(&canvas->shape, xy, n, width);
        paint(canvas, color);
        return;
    }
    buf *out = &canvas->body;
    for (size_t i = 0; i < n; i++) {
        size_t run = finite_run(xy, n, i);
        if (run == 1)
            picture_disc(canvas, xy[2 * i], xy[2 * i + 1], width / 2, color);
        if (run > 1)
            no_memory(canvas, svg_put(out, "<polyline fill=\"none\"") &&
                                  svg_color(out, "stroke", color) &&
                                  svg_attribute(out, "stroke-width", width) &&
                                  svg_points(out, xy + 2 * i, run) && svg_put(out, "/>\n"));
        i += run;
    }
}

void picture_polygon(picture_canvas *canvas, const double *xy, size_t n, picture_color color)
{
    if (n < 3 || !all_finite(xy, 2 * n) || !(color & 255))
        return;
    if (canvas->kind == PICTURE_PNG) {
        stroke_polygon(&canvas->shape, xy, n);
        paint(canvas, color);
        return;
    }
    buf *out = &canvas->body;
    no_memory(canvas, svg_put(out, "<polygon") && svg_color(out, "fill", color) &&
                          svg_points(out, xy, n) && svg_put(out, "/>\n"));
}

void picture_disc(picture_canvas *canvas, double x, double y, double radius, picture_color color)
{
    if (!all_finite((const double[]){x, y, radius}, 3) || !(radius > 0) || !(color & 255))
        return;
    if (canvas->kind == PICTURE_PNG) {
        stroke_disc(&canvas->shape, x, y, radius);
        paint(canvas, color);
        return;
    }
    buf *out = &canvas->body;
    no_memory(canvas, svg_put(out, "<circle") && svg_attribute(out, "cx", x) &&
                          svg_attribute(out, "cy", y) && svg_attribute(out, "r", radius) &&
                          svg_color(out, "fill", color) && svg_put(out, "/>\n"));
}

double picture_text_width(double size, const char *text, size_t n)
{
    font_shown shown;
    int64_t units = 0;
    for (size_t i = 0; i < n;) {
        i = font_next(text, n, i, &shown);
        units += font_shown_width(&shown);
    }
    return (double)units * size / FONT_SIZE;
}

size_t picture_text_prefix(double size, const char *text, size_t n, double room)
{
    font_shown shown;
    int64_t units = 0;
    size_t end = 0;
    for (size_t i = 0; i < n; end = i) {
        i = font_next(text, n, i, &shown);
        units += font_shown_width(&shown);
        if (end && (double)units * size / FONT_SIZE > room)
            break;
    }
    return end;
}

/* The width is told, so that another font takes the same room. */
static bool text_tag(buf *out, double x, double y, double size, double width, picture_color color)
{
    const double em = 1.07; /* usual fonts: height of an "l" and a "g" to the size of the font */
    return svg_put(out, "<text") && svg_attribute(out, "x", x) && svg_attribute(out, "y", y) &&
           svg_attribute(out, "font-size", size * em) && svg_attribute(out, "textLength", width) &&
           svg_put(out, " lengthAdjust=\"spacingAndGlyphs\"") && svg_color(out, "fill", color) &&
           svg_put(out, ">");
}

void picture_text(picture_canvas *canvas, double x, double y, double size, picture_anchor anchor,
                  picture_color color, const char *text, size_t n)
{
    if (!all_finite((const double[]){x, y, size}, 3) || !(size > 0) || !(color & 255) || n == 0)
        return;
    double width = picture_text_width(size, text, n);
    if (anchor != PICTURE_LEFT)
        x -= anchor == PICTURE_CENTRE ? width / 2 : width;
    if (canvas->kind == PICTURE_PNG) {
        font_draw(&canvas->shape, x, y, size, text, n);
        paint(canvas, color);
        return;
    }
    buf *out = &canvas->body;
    no_memory(canvas, text_tag(out, x, y, size, width, color) && svg_text(out, text, n) &&
                          svg_put(out, "</text>\n"));
}

/* Chooses bytes of the start and of the end that fit, with "…" between. */
static void shorten(const char *text, size_t n, double units, size_t *head, size_t *tail)
{
    const int64_t dots = font_find(0x2026)->width;
    int64_t all = 0, before = 0;
    font_shown shown;
    for (size_t i = 0; i < n;) {
        i = font_next(text, n, i, &shown);
        all += font_shown_width(&shown);
    }
    *head = 0;
    *tail = n;
    double half = (units - (double)dots) / 2;
    int64_t head_width = 0;
    for (size_t i = 0; i < n && *tail == n;) {
        size_t next = font_next(text, n, i, &shown);
        before += font_shown_width(&shown);
        if ((double)before <= half) {
            *head = next;
            head_width = before;
        } else if ((double)(all - before + head_width + dots) <= units) {
            *tail = next;
        }
        i = next;
    }
}

void picture_text_fit(picture_canvas *canvas, double x, double y, double size,
                      picture_anchor anchor, picture_color color, double room, const char *text,
                      size_t n)
{
    if (!(room > 0) || !(size > 0))
        return;
    if (picture_text_width(size, text, n) <= room) {
        picture_text(canvas, x, y, size, anchor, color, text, n);
        return;
    }
    static const char dots[] = "\xe2\x80\xa6";
    if (picture_text_width(size, dots, 3) > room)
        return;
    size_t head, tail;
    shorten(text, n, room / size * FONT_SIZE, &head, &tail);
    buf short_text;
    buf_init(&short_text, &canvas->mem);
    if (buf_put(&short_text, text, head) && buf_put(&short_text, dots, 3) &&
        buf_put(&short_text, text + tail, n - tail))
        picture_text(canvas, x, y, size, anchor, color, (const char *)short_text.data,
                     short_text.size);
    else
        no_memory(canvas, false);
    buf_free(&short_text);
}

static void copy_pixels(picture_canvas *canvas, int32_t x, int32_t y, const picture_pixels *from)
{
    const fill_clip *clip = &canvas->clip;
    const int32_t half = FILL_SAMPLES / 2;
    for (uint32_t row = 0; row < from->height; row++) {
        int64_t to_y = (int64_t)y + row, middle_y = to_y * FILL_SAMPLES + half;
        if (middle_y < clip->top || middle_y >= clip->bottom)
            continue;
        for (uint32_t column = 0; column < from->width; column++) {
            int64_t to_x = (int64_t)x + column, middle_x = to_x * FILL_SAMPLES + half;
            if (middle_x < clip->left || middle_x >= clip->right)
                continue;
            const uint8_t *p = from->rgba + ((size_t)row * from->width + column) * 4;
            picture_color color =
                (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
            size_t at = (size_t)to_y * canvas->width + (size_t)to_x;
            fill_blend(canvas->pixels.rgba + at * 4, color, 256);
        }
    }
}

void picture_image(picture_canvas *canvas, int32_t x, int32_t y, const picture_pixels *pixels)
{
    if (canvas->kind == PICTURE_PNG) {
        copy_pixels(canvas, x, y, pixels);
        return;
    }
    buf *out = &canvas->body;
    bool done = svg_put(out, "<image") && svg_attribute(out, "x", x) &&
                svg_attribute(out, "y", y) && svg_attribute(out, "width", pixels->width) &&
                svg_attribute(out, "height", pixels->height) &&
                svg_put(out, " href=\"data:image/png;base64,");
    lathe_result r = done ? svg_png(out, &canvas->mem, pixels, NULL) : LATHE_ERR_MEMORY;
    if (r == LATHE_OK && !svg_put(out, "\"/>\n"))
        r = LATHE_ERR_MEMORY;
    if (canvas->failed == LATHE_OK)
        canvas->failed = r;
}

static int32_t to_samples(double v, int32_t most)
{
    double at = v * FILL_SAMPLES + 0.5;
    return at < 0 ? 0 : at > most ? most : (int32_t)at;
}

void picture_clip(picture_canvas *canvas, double x, double y, double width, double height)
{
    picture_clip_end(canvas);
    if (!all_finite((const double[]){x + width, y + height}, 2) || !(width > 0) || !(height > 0))
        x = y = width = height = 0;
    canvas->clipped = true;
    fill_clip all = whole(canvas);
    canvas->clip =
        (fill_clip){to_samples(x, all.right), to_samples(y, all.bottom),
                    to_samples(x + width, all.right), to_samples(y + height, all.bottom)};
    buf *out = &canvas->body;
    if (canvas->kind == PICTURE_SVG) {
        double id = ++canvas->clip_count;
        no_memory(canvas, svg_put(out, "<clipPath id=\"clip") && svg_number(out, id) &&
                              svg_put(out, "\">") && rect_tag(out, x, y, width, height) &&
                              svg_put(out, "/></clipPath>\n<g clip-path=\"url(#clip") &&
                              svg_number(out, id) && svg_put(out, ")\">\n"));
    }
}

void picture_clip_end(picture_canvas *canvas)
{
    if (canvas->clipped && canvas->kind == PICTURE_SVG)
        no_memory(canvas, svg_put(&canvas->body, "</g>\n"));
    canvas->clipped = false;
    canvas->clip = whole(canvas);
}

static bool svg_head(picture_canvas *canvas, buf *out)
{
    bool ok =
        svg_put(out, "<svg xmlns=\"http://www.w3.org/2000/svg\"") &&
        svg_attribute(out, "width", canvas->width) &&
        svg_attribute(out, "height", canvas->height) && svg_put(out, " viewBox=\"0 0 ") &&
        svg_number(out, canvas->width) && svg_put(out, " ") && svg_number(out, canvas->height) &&
        svg_put(out, "\" font-family=\"Helvetica, Arial, sans-serif\" stroke-linecap=\"round\""
                     " stroke-linejoin=\"round\" xml:space=\"preserve\">\n");
    if (ok && canvas->title.size)
        ok = svg_put(out, "<title>") && buf_put(out, canvas->title.data, canvas->title.size) &&
             svg_put(out, "</title>\n");
    if (ok && (canvas->background & 255))
        ok = rect_tag(out, 0, 0, canvas->width, canvas->height) &&
             svg_color(out, "fill", canvas->background) && svg_put(out, "/>\n");
    return ok;
}

lathe_result picture_canvas_write(picture_canvas *canvas, lathe_sink sink, void *user,
                                  lathe_error *err)
{
    buf head;
    buf_init(&head, &canvas->mem);
    picture_clip_end(canvas);
    lathe_result r = canvas->failed;
    if (canvas->kind == PICTURE_SVG && r == LATHE_OK) {
        if (!svg_head(canvas, &head))
            r = LATHE_ERR_MEMORY;
        else if (!sink(user, head.data, head.size) ||
                 (canvas->body.size && !sink(user, canvas->body.data, canvas->body.size)) ||
                 !sink(user, "</svg>\n", 7))
            r = error_set(err, LATHE_ERR_IO, LATHE_NO_OFFSET, "the picture was not taken");
    } else if (r == LATHE_OK) {
        r = picture_png_write(&canvas->mem, &canvas->pixels, sink, user, err);
    }
    if (r == LATHE_ERR_MEMORY)
        error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    buf_free(&head);
    return r;
}
