/* The flat canvas: coverage, texts, SVG. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "picture/canvas.h"
#include "picture/canvas_fill.h"
#include "picture/font.h"
#include "preview/frame.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static mem memory;

static picture_canvas *new_canvas(picture_kind kind, uint32_t width, uint32_t height)
{
    picture_canvas *canvas = NULL;
    memory = mem_default();
    assert_int_equal(picture_canvas_new(&memory, kind, width, height, 0xffffffff, &canvas, NULL),
                     LATHE_OK);
    return canvas;
}

/* ---- coverage: shapes in black on white, and the sum of the darkness of all pixels ---- */

enum { SIDE = 40 };

typedef struct painting {
    picture_pixels pixels;
    fill_shape shape;
} painting;

static void begin(painting *p)
{
    memory = mem_default();
    assert_int_equal(picture_pixels_new(&memory, SIDE, SIDE, 0xffffffff, &p->pixels, NULL),
                     LATHE_OK);
    fill_begin(&p->shape, &memory, SIDE, SIDE);
}

static const fill_clip everything = {0, 0, SIDE *FILL_SAMPLES, SIDE *FILL_SAMPLES};

static double area(painting *p, const fill_clip *clip)
{
    assert_true(fill_paint(&p->shape, &p->pixels, clip, 0x000000ff));
    uint64_t dark = 0;
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++)
        dark += 255U - p->pixels.rgba[4 * i];
    picture_pixels_free(&memory, &p->pixels);
    fill_free(&p->shape);
    return (double)dark / 255;
}

static double polygon_area(const double *xy, size_t n)
{
    painting p;
    begin(&p);
    stroke_polygon(&p.shape, xy, n);
    return area(&p, &everything);
}

static void areas_are_exact(void **state)
{
    (void)state;
    const double pixels[] = {3, 4, 10, 4, 10, 9, 3, 9};
    assert_true(polygon_area(pixels, 4) == 7 * 5);
    const double backwards[] = {3, 9, 10, 9, 10, 4, 3, 4};
    assert_true(polygon_area(backwards, 4) == 7 * 5);
    /* sixteenths: each pixel's darkness is rounded to one of 255 */
    const double parts[] = {3.25, 4.5, 10.75, 4.5, 10.75, 9.0625, 3.25, 9.0625};
    assert_true(fabs(polygon_area(parts, 4) - 7.5 * 4.5625) < 0.05);
    const double triangle[] = {2, 2, 33, 7, 11, 37};
    assert_true(fabs(polygon_area(triangle, 3) - (31 * 35 - 9 * 5) / 2.0) < 0.5);
    /* what is beside the picture is cut off, near or far */
    const double beyond[] = {-1e30, -1e30, 20, -1e30, 20, 1e30, -1e30, 1e30};
    assert_true(polygon_area(beyond, 4) == 20 * SIDE);
    const double right[] = {50, 0, 1e300, 0, 1e300, 40, 50, 40};
    assert_true(polygon_area(right, 4) == 0);
    /* as far as numbers go, where sums and differences are infinite */
    const double most = 1.7e308;
    const double widest[] = {-most, -most, most, -most, most, most, -most, most};
    assert_true(polygon_area(widest, 4) == SIDE * SIDE);
}

static void overlaps_count_once_and_rings_have_no_hole_of_the_same_direction(void **state)
{
    (void)state;
    painting p;
    begin(&p);
    const double one[] = {2, 2, 22, 2, 22, 22, 2, 22},
                 two[] = {12.5, 12.5, 30, 12.5, 30, 30, 12.5, 30};
    stroke_polygon(&p.shape, one, 4);
    stroke_polygon(&p.shape, two, 4);
    stroke_polygon(&p.shape, two, 4);
    assert_true(fabs(area(&p, &everything) - (400 + 17.5 * 17.5 - 9.5 * 9.5)) < 0.5);
    begin(&p);
    const double hole[] = {5, 5, 5, 10, 10, 10, 10, 5};
    stroke_polygon(&p.shape, one, 4);
    stroke_polygon(&p.shape, hole, 4);
    assert_true(area(&p, &everything) == 400 - 25);
}

/* Many crossings in a row are counted by another function than few: both find the same. */
static void few_and_many_edges_agree(void **state)
{
    (void)state;
    for (unsigned bars = 1; bars <= 60; bars += 59) {
        painting p;
        begin(&p);
        for (unsigned i = 0; i < bars; i++) {
            double x = 1 + i * 0.625;
            const double bar[] = {x, 3, x + 0.3125, 3, x + 0.3125, 35, x, 35};
            stroke_polygon(&p.shape, bar, 4);
        }
        assert_true(fabs(area(&p, &everything) - bars * 0.3125 * 32) < 2);
    }
}

static void clips_are_exact(void **state)
{
    (void)state;
    painting p;
    begin(&p);
    const double all[] = {-5, -5, 50, -5, 50, 50, -5, 50};
    stroke_polygon(&p.shape, all, 4);
    const fill_clip clip = {5 * 16 + 8, 6 * 16, 20 * 16, 10 * 16};
    assert_true(fabs(area(&p, &clip) - 14.5 * 4) < 0.02);
}

static void lines_have_their_width(void **state)
{
    (void)state;
    painting p;
    begin(&p);
    const double line[] = {5, 10, 15, 20, 25, 10};
    stroke_line(&p.shape, line, 3, 3);
    double length = 2 * sqrt(200);
    /* both ends and the outer side of the corner are round; the inner side overlaps */
    double expected = length * 3 + 3.14159 * 2.25 - 2.25 + 3.14159 * 2.25 / 4;
    assert_true(fabs(area(&p, &everything) - expected) < 1);
    begin(&p);
    stroke_disc(&p.shape, 20, 20, 15);
    assert_true(fabs(area(&p, &everything) - 3.14159 * 225) < 6);
    /* nothing comes from a line that is not finite, and a line of 1e30 crosses the picture */
    begin(&p);
    const double wild[] = {NAN, 1, 5, INFINITY, -1e30, 20, 1e30, 20, NAN, NAN};
    stroke_line(&p.shape, wild, 5, 2);
    assert_true(area(&p, &everything) == 2 * SIDE);
    begin(&p);
    const double tiny[] = {20, 20, 20 + 1e-30, 20 - 1e-30};
    stroke_line(&p.shape, tiny, 2, 1e-30);
    assert_true(area(&p, &everything) == 0);
}

static void long_lines_are_quick(void **state)
{
    (void)state;
    enum { POINTS = 100000 };
    static double xy[2 * POINTS];
    uint32_t random = 1;
    for (size_t i = 0; i < 2 * POINTS; i++) {
        random = random * 1664525 + 1013904223;
        xy[i] = (double)(random >> 8) / (1 << 24) * 800;
    }
    picture_canvas *canvas = new_canvas(PICTURE_PNG, 800, 800);
    picture_polyline(canvas, xy, POINTS, 1.5, 0x336699ff);
    for (size_t i = 0; i < POINTS; i++) {
        xy[2 * i] = 800.0 * (double)i / POINTS;
        xy[2 * i + 1] = (double)(i % 7) * 20;
    }
    picture_polyline(canvas, xy, POINTS, 1.5, 0x33669980);
    picture_canvas_free(canvas);
}

static void colors_blend(void **state)
{
    (void)state;
    uint8_t pixel[4] = {100, 0, 255, 255};
    fill_blend(pixel, 0x00ff0080, 256);
    assert_memory_equal(pixel, ((uint8_t[]){50, 128, 127, 255}), 4);
    uint8_t empty[4] = {9, 9, 9, 0};
    fill_blend(empty, 0x10203040, 256);
    assert_memory_equal(empty, ((uint8_t[]){0x10, 0x20, 0x30, 0x40}), 4);
    fill_blend(empty, 0xffffff00, 256);
    assert_memory_equal(empty, ((uint8_t[]){0x10, 0x20, 0x30, 0x40}), 4);
}

/* ---- texts ---- */

static bool collect(void *user, const void *bytes, size_t n)
{
    return buf_put(user, bytes, n);
}

/* The SVG of one text, from its ">" to "</text>". */
static void assert_shown(const char *text, size_t n, const char *expected)
{
    picture_canvas *canvas = new_canvas(PICTURE_SVG, 100, 50);
    picture_text(canvas, 0, 20, 12, PICTURE_LEFT, 0x000000ff, text, n);
    buf svg;
    buf_init(&svg, &memory);
    assert_int_equal(picture_canvas_write(canvas, collect, &svg, NULL), LATHE_OK);
    assert_true(buf_put(&svg, "", 1));
    const char *from = strstr((const char *)svg.data, "<text");
    assert_non_null(from);
    from = strchr(from, '>') + 1;
    const char *to = strstr(from, "</text>\n</svg>\n");
    assert_non_null(to);
    assert_int_equal(to - from, strlen(expected));
    assert_memory_equal(from, expected, strlen(expected));
    buf_free(&svg);
    picture_canvas_free(canvas);
}

#define SHOWN(text, expected) assert_shown(text, sizeof text - 1, expected)

static void texts_are_only_texts(void **state)
{
    (void)state;
    SHOWN("</script><&\"'", "&lt;/script&gt;&lt;&amp;&quot;'");
    SHOWN("a\0b\n\x7f", "a\\x00b\\x0A\\x7F");
    SHOWN("\xe2\x80\xa8|\xe2\x80\xae|\xef\xbb\xbf|\xc2\xa0|\xc2\x85",
          "\\u{2028}|\\u{202E}|\\u{FEFF}|\\u{00A0}|\\u{0085}");
    SHOWN("\xf0\x9f\x98\x80", "\\u{1F600}");
    /* no UTF-8: alone, cut, overlong, surrogate, beyond the last one */
    SHOWN("\x80\xff\xe2\x80", "\\x80\\xFF\\xE2\\x80");
    SHOWN("\xc0\xbc\xe0\x80\xbc\xf0\x80\x80\xbc", "\\xC0\\xBC\\xE0\\x80\\xBC\\xF0\\x80\\x80\\xBC");
    SHOWN("\xed\xa0\x80\xf4\x90\x80\x80\xf5", "\\xED\\xA0\\x80\\xF4\\x90\\x80\\x80\\xF5");
    SHOWN("\xe2\x80\xa6\xc3\x97\xc2\xb0\xc2\xb1\xe2\x80\x93",
          "\xe2\x80\xa6\xc3\x97\xc2\xb0\xc2\xb1\xe2\x80\x93");
}

static void widths_add_up(void **state)
{
    (void)state;
    char all[96];
    size_t n = 0;
    double sum = 0;
    for (int c = ' '; c <= '~'; c++, n++) {
        all[n] = (char)c;
        assert_non_null(font_find((uint32_t)c));
        sum += picture_text_width(20, all + n, 1);
    }
    assert_true(sum == picture_text_width(20, all, n));
    assert_true(picture_text_width(40, all, n) == 2 * sum);
    assert_true(picture_text_width(12, "\x01", 1) == picture_text_width(12, "\\x01", 4));
}

/* Ink stays between the place of a text and its width. */
static void letters_stay_in_their_room(void **state)
{
    (void)state;
    for (int c = '!'; c <= '~'; c++) {
        char text = (char)c;
        painting p;
        begin(&p);
        double width = picture_text_width(20, &text, 1);
        font_draw(&p.shape, 4, 24, 20, &text, 1);
        assert_true(fill_paint(&p.shape, &p.pixels, &everything, 0x000000ff));
        bool ink = false;
        for (uint32_t y = 0; y < SIDE; y++)
            for (uint32_t x = 0; x < SIDE; x++)
                if (p.pixels.rgba[(y * SIDE + x) * 4] < 200) {
                    ink = true;
                    assert_true(x >= 4 && x <= 4 + width && y >= 6 && y < 32);
                }
        assert_true(ink);
        picture_pixels_free(&memory, &p.pixels);
        fill_free(&p.shape);
    }
}

static void long_texts_are_shortened(void **state)
{
    (void)state;
    static const char text[] = "meshes\\actors\\character\\\x01"
                               "behaviors\\0_master.hkx";
    for (double room = 1; room < 400; room += 7) {
        picture_canvas *canvas = new_canvas(PICTURE_SVG, 500, 50);
        picture_text_fit(canvas, 0, 20, 12, PICTURE_LEFT, 0x000000ff, room, text, sizeof text - 1);
        buf svg;
        buf_init(&svg, &memory);
        assert_int_equal(picture_canvas_write(canvas, collect, &svg, NULL), LATHE_OK);
        assert_true(buf_put(&svg, "", 1));
        const char *at = strstr((const char *)svg.data, "textLength=\"");
        double width = 0;
        bool fits = picture_text_width(12, text, sizeof text - 1) <= room;
        if (at) {
            assert_int_equal(sscanf(at + 12, "%lf", &width), 1);
            assert_true(width <= room + 0.01);
            assert_int_equal(strstr(at, "\xe2\x80\xa6") == NULL, fits);
        } else {
            assert_true(room < picture_text_width(12, "\xe2\x80\xa6", 3));
        }
        buf_free(&svg);
        picture_canvas_free(canvas);
    }
}

/* ---- numbers of labels ---- */

static void assert_number(double number, unsigned digits, const char *expected)
{
    char text[FRAME_NUMBER];
    assert_int_equal(frame_short_number(text, number, digits), strlen(expected));
    assert_string_equal(text, expected);
}

static void numbers_are_short(void **state)
{
    (void)state;
    assert_number(0, 4, "0");
    assert_number(-1.5, 4, "-1.5");
    assert_number(123.456, 4, "123.5");
    assert_number(100, 4, "100");
    assert_number(1234567, 4, "1234567");
    assert_number(0.00123456, 3, "0.00123");
    assert_number(1e30, 4, "1.000e+30");
    assert_number(-1e-30, 3, "-1.00e-30");
    assert_number(NAN, 3, "NaN");
    assert_number(-INFINITY, 3, "-inf");
    assert_number(9.9996, 4, "10");
    char text[FRAME_NUMBER];
    frame_number(text, -0.04, 1);
    assert_string_equal(text, "0.0");
    frame_number(text, 12.25, 2);
    assert_string_equal(text, "12.25");
    unsigned decimals;
    assert_true(frame_step(10, 5, &decimals) == 2 && decimals == 0);
    assert_true(frame_step(1, 5, &decimals) == 0.2 && decimals == 1);
    assert_true(frame_step(7, 1, &decimals) == 10 && decimals == 0);
    assert_true(frame_step(0.0007, 5, &decimals) == 0.0002 && decimals == 4);
}

static void sizes_are_limited(void **state)
{
    (void)state;
    memory = mem_default();
    const uint32_t sides[][2] = {{0, 5}, {5, 0}, {40000, 10}, {8192, 8192}};
    for (size_t i = 0; i < 4; i++) {
        picture_canvas *canvas;
        assert_int_equal(picture_canvas_new(&memory, PICTURE_SVG, sides[i][0], sides[i][1],
                                            0xffffffff, &canvas, NULL),
                         LATHE_ERR_LIMIT);
        assert_null(canvas);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(areas_are_exact),
        cmocka_unit_test(overlaps_count_once_and_rings_have_no_hole_of_the_same_direction),
        cmocka_unit_test(few_and_many_edges_agree),
        cmocka_unit_test(clips_are_exact),
        cmocka_unit_test(lines_have_their_width),
        cmocka_unit_test(long_lines_are_quick),
        cmocka_unit_test(colors_blend),
        cmocka_unit_test(texts_are_only_texts),
        cmocka_unit_test(widths_add_up),
        cmocka_unit_test(letters_stay_in_their_room),
        cmocka_unit_test(long_texts_are_shortened),
        cmocka_unit_test(numbers_are_short),
        cmocka_unit_test(sizes_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
