/* The rasteriser: which samples a triangle has, depth, clipping, colours, and what it leaves out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "picture/raster_parts.h"
#include "short_memory.h"

enum { SIDE = 64, MOST = 4000 };

/* A picture in which one unit is one pixel, y up, and the middle is the origin; the camera is at z = 100. */
typedef struct scene {
    mem m;
    picture_pixels pixels;
    picture_camera camera;
    picture_raster *raster;
    picture_left_out left;
    picture_mesh mesh;
    float position[3 * MOST], color[4 * MOST], uv[2 * MOST];
    uint32_t index[3 * MOST], own_color[MOST];
} scene;

static scene s;

static void begin(void)
{
    memset(&s, 0, sizeof s);
    s.m = mem_default();
    s.camera = (picture_camera){mat4_identity(), false, 1, 200, 1, {SIDE / 2, SIDE / 2}};
    s.camera.view.m[3][2] = -100;
    s.mesh = (picture_mesh){.positions = s.position,
                            .indices = s.index,
                            .transform = mat4_identity(),
                            .color = 0xffffffff,
                            .flat = true};
    assert_int_equal(picture_pixels_new(&s.m, SIDE, SIDE, 0x000000ff, &s.pixels, NULL), LATHE_OK);
}

static void start(void)
{
    assert_int_equal(picture_raster_new(&s.m, &s.pixels, &s.camera, &s.raster, NULL), LATHE_OK);
}

static void add(void)
{
    if (!s.raster)
        start();
    assert_int_equal(picture_raster_mesh(s.raster, &s.mesh, &s.left, NULL), LATHE_OK);
    s.mesh.vertex_count = s.mesh.triangle_count = 0;
}

static void draw(void)
{
    add();
    assert_int_equal(picture_raster_draw(s.raster, NULL), LATHE_OK);
}

static void end(void)
{
    picture_raster_free(s.raster);
    picture_pixels_free(&s.m, &s.pixels);
}

static uint32_t vertex(double x, double y, double z)
{
    float *p = s.position + 3 * s.mesh.vertex_count;
    p[0] = (float)x, p[1] = (float)y, p[2] = (float)z;
    return (uint32_t)s.mesh.vertex_count++;
}

static void triangle(uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t corners[3] = {a, b, c};
    memcpy(s.index + 3 * s.mesh.triangle_count++, corners, sizeof corners);
}

static void rectangle(double left, double bottom, double right, double top, double z)
{
    uint32_t a = vertex(left, bottom, z);
    vertex(right, bottom, z);
    vertex(right, top, z);
    vertex(left, top, z);
    triangle(a, a + 1, a + 2);
    triangle(a, a + 2, a + 3);
}

static uint32_t at(int x, int y)
{
    const uint8_t *p = s.pixels.rgba + 4 * (y * SIDE + x);
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static size_t count_of(uint32_t color)
{
    size_t n = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        n += at(i % SIDE, i / SIDE) == color;
    return n;
}

static uint32_t state = 7;

static double any(double least, double most)
{
    state = state * 1664525 + 1013904223;
    return least + (most - least) * (state >> 8) / 16777216.0;
}

/* ---- coverage --------------------------------------------------------------------------------- */

/* Blended triangles that share edges cover the whole picture: a sample that two of them had, or none, would show. Corners are
 * moved at random, on the grid of samples or off it; half of the triangles turn the other way. */
static void neighbours_share_no_sample(void **unused)
{
    (void)unused;
    enum { CELLS = 20 };
    for (int round = 0; round < 40; round++) {
        double step = round % 2 ? 4 : 3.6, jitter = round % 4 < 2 ? 0.8 : 0;
        begin();
        s.mesh.alpha = PICTURE_BLEND;
        s.mesh.color = 0xffffff80;
        for (int i = 0; i <= CELLS; i++)
            for (int j = 0; j <= CELLS; j++) {
                double x = any(-jitter, jitter), y = any(-jitter, jitter);
                if (round % 8 >= 4) /* onto samples */
                    x = floor(x * 8) / 8, y = floor(y * 8) / 8;
                vertex((j - CELLS / 2) * step + x, (i - CELLS / 2) * step + y, any(-9, 9));
            }
        for (uint32_t i = 0; i < CELLS; i++)
            for (uint32_t j = 0; j < CELLS; j++) {
                uint32_t a = i * (CELLS + 1) + j, b = a + 1, c = b + CELLS + 1, d = c - 1;
                triangle(a, b, c);
                if (any(0, 1) < 0.5)
                    triangle(a, c, d);
                else
                    triangle(a, d, c);
            }
        draw();
        assert_int_equal(count_of(0x808080ff), SIDE * SIDE);
        end();
    }
}

/* A rectangle on whole pixels has these; one on samples has them at its left and top. */
static void edges_at_the_left_and_the_top_own_their_samples(void **unused)
{
    (void)unused;
    begin();
    rectangle(-10, -5, 10, 5, 0);
    draw();
    assert_int_equal(count_of(0xffffffff), 20 * 10);
    assert_int_equal(count_of(0x000000ff), SIDE * SIDE - 20 * 10);
    assert_int_equal(at(22, 27), 0xffffffff);
    assert_int_equal(at(41, 36), 0xffffffff);
    end();
    /* From a column and a row of samples to the next ones of these: of two lines of samples, it has the left and the upper. */
    static const double line[RASTER_SAMPLES + 1] = {0.125, 0.375, 0.625, 0.875, 1.125};
    size_t samples = 0;
    for (int i = 0; i < RASTER_SAMPLES; i++)
        for (int k = 0; k < RASTER_SAMPLES; k++) {
            begin();
            rectangle(line[i], -line[k + 1], line[i + 1], -line[k], 0);
            draw();
            uint32_t red = at(32, 32) >> 24;
            assert_true(red == 0 || red == 64);
            samples += red == 64;
            assert_int_equal(count_of(0x000000ff), SIDE * SIDE - (red == 64));
            end();
        }
    assert_int_equal(samples, RASTER_SAMPLES);
}

static void bands_do_not_show(void **unused)
{
    (void)unused;
    static uint8_t whole[SIDE * SIDE * 4];
    static const uint32_t rows[] = {SIDE, 1, 2, 7, 33};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        begin();
        s.camera.perspective = true;
        s.camera.scale = 90;
        s.camera.view.m[3][2] = -6;
        state = 99;
        s.mesh.colors = s.color;
        for (uint32_t i = 0; i < 120; i++) {
            for (int c = 0; c < 4; c++)
                s.color[4 * s.mesh.vertex_count + (size_t)c] = (float)any(0, 1);
            vertex(any(-4, 4), any(-4, 4), any(-4, 8));
            triangle(i, (i + 1) % 120, (i + 2) % 120);
        }
        picture_mesh kept = s.mesh;
        add();
        s.mesh = kept;
        s.mesh.alpha = PICTURE_BLEND;
        add();
        assert_true(s.raster->solid.count > 60 && s.raster->blended.count > 60);
        assert_int_equal(raster_fill(s.raster, rows[k], NULL), LATHE_OK);
        if (k == 0)
            memcpy(whole, s.pixels.rgba, sizeof whole);
        assert_memory_equal(whole, s.pixels.rgba, sizeof whole);
        assert_true(count_of(0x000000ff) < SIDE * SIDE / 2);
        end();
    }
}

/* ---- depth and clipping --------------------------------------------------------------------- */

/* Two rectangles that cross in the middle: each is in front on one side. */
static void crossing_triangles_change_in_the_middle(void **unused)
{
    (void)unused;
    for (int perspective = 0; perspective < 2; perspective++)
        for (int order = 0; order < 2; order++) {
            begin();
            s.camera.perspective = perspective;
            s.camera.scale = perspective ? 100 : 1;
            s.mesh.triangle_colors = s.own_color;
            for (int i = 0; i < 2; i++) {
                double z = i == order ? 20 : -20;
                uint32_t a = vertex(-60, -60, z);
                vertex(60, -60, -z), vertex(60, 60, -z), vertex(-60, 60, z);
                triangle(a, a + 1, a + 2);
                triangle(a, a + 2, a + 3);
                s.own_color[2 * i] = s.own_color[2 * i + 1] = i == order ? 0xff0000ff : 0x0000ffff;
            }
            draw();
            assert_int_equal(count_of(0xff0000ff), SIDE * SIDE / 2);
            assert_int_equal(count_of(0x0000ffff), SIDE * SIDE / 2);
            assert_int_equal(at(31, 5), 0xff0000ff);
            end();
        }
}

/* A floor that runs through the camera, and 1e30 far: all below the horizon, nothing above it. */
static void a_floor_fills_up_to_the_horizon(void **unused)
{
    (void)unused;
    static const double sizes[] = {1e4, 1e8, 1e30};
    for (size_t i = 0; i < 3; i++) {
        begin();
        double z = sizes[i];
        s.camera.perspective = true;
        s.camera.near = 0.1;
        s.camera.far = 1e6;
        s.camera.scale = 40;
        s.camera.view.m[3][2] = 0;
        uint32_t a = vertex(-z, -2, z);
        vertex(z, -2, z), vertex(z, -2, -z), vertex(-z, -2, -z);
        triangle(a, a + 1, a + 2);
        triangle(a, a + 2, a + 3);
        draw();
        assert_int_equal(s.left.drawn, 2);
        assert_int_equal(count_of(0xffffffff), SIDE * SIDE / 2);
        assert_int_equal(at(0, SIDE / 2), 0xffffffff);
        end();
    }
}

static void nothing_outside_of_near_and_far(void **unused)
{
    (void)unused;
    for (int perspective = 0; perspective < 2; perspective++) {
        begin();
        s.camera.perspective = perspective;
        s.camera.near = 90, s.camera.far = 110;
        s.camera.scale = perspective ? 100 : 1;
        rectangle(-50, -50, 50, 50, 10.5);
        rectangle(-50, -50, 50, 50, -10.5);
        rectangle(-50, -50, 50, 50, 300);
        draw();
        assert_int_equal(count_of(0x000000ff), SIDE * SIDE);
        assert_int_equal(s.left.drawn, 6);
        end();
    }
}

/* ---- colours -------------------------------------------------------------------------------- */

/* A quarter in front of the middle of its depth is not at the middle of its height in the picture. */
static void colours_run_along_the_surface(void **unused)
{
    (void)unused;
    begin();
    s.camera = (picture_camera){mat4_identity(), true, 1, 100, 30, {32, 10}};
    s.mesh.colors = s.color;
    static const double z[] = {-2, -2, -50, -50};
    for (int i = 0; i < 4; i++) {
        for (int c = 0; c < 4; c++)
            s.color[4 * i + c] = c == 3 || i > 1;
        vertex(i == 0 || i == 3 ? -60 : 60, -2, z[i]);
    }
    triangle(0, 1, 2);
    triangle(0, 2, 3);
    draw();
    for (int y = 13; y < 39; y++) {
        double distance = 60 / (y + 0.5 - 10), expected = 255 * (distance - 2) / 48;
        double got = at(32, y) >> 24;
        double slack = 60 / (y - 9.9) / (y - 9.9) * 255 / 48 + 1; /* half a pixel, and rounding */
        assert_true(fabs(got - expected) <= slack);
        assert_true(fabs(got - expected) <= 2);
    }
    end();
}

static void make_texture(picture_texture *t, const uint32_t *colors, uint32_t side)
{
    memset(t, 0, sizeof *t);
    assert_int_equal(picture_pixels_new(&s.m, side, side, 0, &t->levels[0], NULL), LATHE_OK);
    t->level_count = 1;
    for (uint32_t i = 0; i < side * side; i++)
        for (uint32_t c = 0; c < 4; c++)
            t->levels[0].rgba[4 * i + c] = (uint8_t)(colors[i] >> (24 - 8 * c));
}

static void textured(const picture_texture *t, double u)
{
    /* the corners of a square of 64 pixels, in the middles of pixels; one triangle has all of it */
    const float uv[6] = {0, (float)u, 2 * (float)u, (float)u, 0, -(float)u};
    uint32_t a = vertex(-31.5, -32.5, 0);
    vertex(96.5, -32.5, 0), vertex(-31.5, 95.5, 0);
    triangle(a, a + 1, a + 2);
    memcpy(s.uv, uv, sizeof uv);
    s.mesh.uvs = s.uv;
    s.mesh.texture = t;
}

/* Two by two texels over 64 pixels: the middles of texels have their colours, those between them are mixed. */
static void textures_are_filtered_and_repeat(void **unused)
{
    (void)unused;
    static const uint32_t colors[] = {0xff0000ff, 0x00ff00ff, 0x0000ffff, 0xffffffff};
    picture_texture t;
    begin();
    make_texture(&t, colors, 2);
    textured(&t, 1);
    draw();
    assert_int_equal(at(16, 16), 0xff0000ff);
    assert_int_equal(at(48, 16), 0x00ff00ff);
    assert_int_equal(at(16, 48), 0x0000ffff);
    assert_int_equal(at(48, 48), 0xffffffff);
    assert_int_equal(at(32, 16), 0x808000ff);
    assert_int_equal(at(63, 16), 0x788700ff); /* the texture repeats */
    picture_pixels_free(&s.m, &t.levels[0]);
    end();
}

/* Levels of one colour each: which one is drawn shows how many texels a pixel was held to cover. */
static void small_pixels_use_small_levels(void **unused)
{
    (void)unused;
    static const struct {
        double repeats;
        uint32_t color;
    } cases[] = {{0.5, 0x640000ff}, {1, 0x640000ff}, {1.3, 0x640000ff}, {2, 0x650000ff},
                 {4, 0x660000ff},   {7, 0x670000ff}, {64, 0x6a0000ff},  {900, 0x6a0000ff}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        picture_texture t = {.level_count = 0};
        begin();
        for (uint32_t side = SIDE; side; side /= 2, t.level_count++)
            assert_int_equal(picture_pixels_new(&s.m, side, side,
                                                (0x64 + t.level_count) << 24 | 0xff,
                                                &t.levels[t.level_count], NULL),
                             LATHE_OK);
        textured(&t, cases[i].repeats);
        draw();
        assert_int_equal(count_of(cases[i].color), SIDE * (SIDE - 1));
        for (unsigned k = 0; k < t.level_count; k++)
            picture_pixels_free(&s.m, &t.levels[k]);
        end();
    }
}

static void masked_pixels_are_holes(void **unused)
{
    (void)unused;
    static const uint32_t colors[] = {0xff0000ff, 0x00ff007f, 0x0000ff80, 0xffffff00};
    picture_texture t;
    begin();
    make_texture(&t, colors, 2);
    rectangle(-40, -40, 40, 40, -5); /* behind: white */
    add();
    textured(&t, 1);
    s.mesh.alpha = PICTURE_MASK;
    s.mesh.cutoff = 128;
    draw();
    assert_int_equal(at(16, 16), 0xff0000ff);
    assert_int_equal(at(48, 16), 0xffffffff);
    assert_int_equal(at(16, 48), 0x0000ffff); /* what is not a hole is opaque */
    assert_int_equal(at(48, 48), 0xffffffff);
    picture_pixels_free(&s.m, &t.levels[0]);
    end();
}

/* Red at the back, green, blue at the front, added in every order. */
static void blended_triangles_are_drawn_from_far_to_near(void **unused)
{
    (void)unused;
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int i = 0; i < 6; i++) {
        begin();
        s.mesh.alpha = PICTURE_BLEND;
        for (int k = 0; k < 3; k++) {
            static const uint32_t colors[] = {0xff000080, 0x00ff0080, 0x0000ff80};
            s.mesh.color = colors[orders[i][k]];
            rectangle(-40, -40, 40, 40, orders[i][k] * 10 - 15);
            add();
        }
        s.mesh.alpha = PICTURE_OPAQUE;
        s.mesh.color = 0x00ff00ff;
        rectangle(-40, -40, 0, 40, 50); /* hides them all */
        rectangle(0, -40, 40, 40, -50); /* hides none */
        draw();
        assert_int_equal(count_of(0x00ff00ff), SIDE * SIDE / 2);
        assert_int_equal(count_of(0x205f80ff), SIDE * SIDE / 2);
        end();
    }
}

static void light_of(float nx, float ny, float nz, bool turned, bool both, uint32_t *color)
{
    const float normal[9] = {nx, ny, nz, nx, ny, nz, nx, ny, nz};
    begin();
    s.mesh.flat = false;
    s.mesh.double_sided = both;
    s.mesh.normals = isnan(ny) && isnan(nx) && isnan(nz) ? NULL : normal;
    vertex(-90, -90, 0), vertex(90, -90, 0), vertex(0, 200, 0);
    triangle(0, turned ? 2 : 1, turned ? 1 : 2);
    draw();
    *color = at(32, 32);
    end();
}

static void normals_give_the_light(void **unused)
{
    (void)unused;
    uint32_t own, other;
    light_of(NAN, NAN, NAN, false, false, &own);
    assert_in_range(own >> 24, 240, 255);
    static const float bad[][3] = {{0, 0, 0}, {0, NAN, 1}, {INFINITY, 0, 1}};
    for (int i = 0; i < 3; i++) {
        light_of(bad[i][0], bad[i][1], bad[i][2], false, false, &other);
        assert_int_equal(other, own);
    }
    light_of(0, 0, 1e-30f, false, false, &other); /* of any length */
    assert_int_equal(other, own);
    light_of(NAN, NAN, NAN, true, true, &other); /* from behind */
    assert_int_equal(other, own);
    light_of(NAN, NAN, NAN, true, false, &other);
    assert_int_equal(other >> 24, (own >> 24) * 5 / 8);
    light_of(0, -1, 0, false, false, &other); /* away from all light */
    assert_int_equal(other >> 24, 62);
    light_of(-1, 1, 0, false, false, &own); /* brighter from the left than from the right */
    light_of(1, 1, 0, false, false, &other);
    assert_true(own > other && other >> 24 > 62);
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void line(double width, double bias, double z, uint32_t color)
{
    const float points[] = {-20, 0, (float)z, 20, 0, (float)z};
    static const uint32_t segment[] = {0, 1};
    picture_lines l = {.points = points,
                       .segments = segment,
                       .point_count = 2,
                       .segment_count = 1,
                       .transform = mat4_identity(),
                       .color = color,
                       .width = width,
                       .bias = bias};
    if (!s.raster)
        start();
    assert_int_equal(picture_raster_lines(s.raster, &l, &s.left, NULL), LATHE_OK);
}

static void lines_have_width_and_depth(void **unused)
{
    (void)unused;
    begin();
    line(2, 0, 0, 0xff0000ff); /* 40 long, and 1 more at each end */
    draw();
    assert_int_equal(count_of(0xff0000ff), 42 * 2);
    assert_int_equal(count_of(0x000000ff), SIDE * SIDE - 42 * 2);
    end();
    begin();
    line(10, 0, 0, 0xff0000ff); /* round ends: less than 50 long */
    draw();
    assert_in_range(count_of(0xff0000ff), 440, 475);
    assert_int_equal(at(32 - 25, 32 - 4), 0x000000ff);
    assert_int_equal(at(32 - 25, 31) & 0xff, 255);
    end();
    static const struct {
        double z, bias;
        bool seen;
    } cases[] = {
        {-1, 0, false}, {1, 0, true}, {0, 0.001, true}, {-1, 0.02, true}, {-1, 0.005, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        rectangle(-40, -40, 40, 40, 0);
        add();
        line(2, cases[i].bias, cases[i].z, 0xff0000ff);
        draw();
        assert_int_equal(count_of(0xff0000ff), cases[i].seen ? 84 : 0);
        end();
    }
    begin();
    line(2, 0, 0, 0xff000080); /* blended */
    draw();
    assert_int_equal(count_of(0x800000ff), 84);
    end();
}

/* ---- what is left out ----------------------------------------------------------------------- */

static void bad_input_is_counted(void **unused)
{
    (void)unused;
    begin();
    vertex(0, 0, 0), vertex(9, 0, 0), vertex(0, 9, 0), vertex(NAN, 0, 0), vertex(0, INFINITY, 0);
    vertex(18, 0, 0);
    triangle(0, 1, 2);
    triangle(0, 1, 3);
    triangle(4, 1, 2);
    triangle(0, 1, 6);
    triangle(0xffffffff, 1, 2);
    triangle(0, 1, 1);
    triangle(0, 1, 5);
    draw();
    assert_int_equal(s.left.drawn, 1);
    assert_int_equal(s.left.not_finite, 2);
    assert_int_equal(s.left.no_vertex, 2);
    assert_int_equal(s.left.degenerate, 2);
    assert_int_equal(s.left.too_much, 0);
    end();
    begin();
    s.mesh.transform.m[0][0] = 1e200;
    rectangle(-1, -1, 1, 1, 0);
    draw();
    assert_int_equal(s.left.not_finite, 2);
    end();
}

static void cameras_are_checked(void **unused)
{
    (void)unused;
    begin();
    picture_camera bad[6];
    for (int i = 0; i < 6; i++)
        bad[i] = s.camera;
    bad[0].near = NAN;
    bad[1].far = INFINITY;
    bad[2].scale = INFINITY;
    bad[3].near = bad[3].far;
    bad[4].view.m[2][1] = NAN;
    bad[5].perspective = true, bad[5].near = 0;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(picture_raster_new(&s.m, &s.pixels, &bad[i], &s.raster, NULL),
                         LATHE_ERR_RANGE);
        assert_null(s.raster);
    }
    picture_pixels wide = {PICTURE_RASTER_SIDE + 1, 1, s.pixels.rgba};
    assert_int_equal(picture_raster_new(&s.m, &wide, &s.camera, &s.raster, NULL), LATHE_ERR_LIMIT);
    end();
}

/* Each fills the picture: they are taken until they are too much work, the same ones each time. */
static void work_is_bounded(void **unused)
{
    (void)unused;
    begin();
    rectangle(-90, -90, 90, 90, 0);
    for (size_t i = 0; i < 20 * MOST; i++) {
        s.mesh.vertex_count = 4, s.mesh.triangle_count = 2;
        add();
    }
    size_t most = PICTURE_RASTER_WORK / (SIDE * SIDE) + 8 + 2;
    assert_int_equal(s.left.drawn + s.left.too_much, 40 * MOST);
    assert_in_range(s.left.drawn, most / 2, 2 * most);
    end();
}

static void memory_may_run_out(void **unused)
{
    (void)unused;
    lathe_result r = LATHE_ERR_MEMORY;
    for (long i = 0; r != LATHE_OK; i++) {
        begin();
        memory left = {i, 0};
        mem m = {take, &left};
        assert_true(i < 100);
        rectangle(-9, -9, 9, 9, 0);
        r = picture_raster_new(&m, &s.pixels, &s.camera, &s.raster, NULL);
        for (int k = 0; k < 60 && r == LATHE_OK; k++) {
            s.mesh.alpha = k % 2 ? PICTURE_BLEND : PICTURE_OPAQUE;
            r = picture_raster_mesh(s.raster, &s.mesh, NULL, NULL);
        }
        if (r == LATHE_OK)
            r = picture_raster_draw(s.raster, NULL);
        assert_true(r == LATHE_OK || r == LATHE_ERR_MEMORY);
        assert_int_equal(count_of(0xffffffff), r == LATHE_OK ? 18 * 18 : 0);
        picture_raster_free(s.raster);
        s.raster = NULL;
        assert_int_equal(left.blocks, 0);
        end();
    }
}

static void points_are_projected(void **unused)
{
    (void)unused;
    vec3 out;
    begin();
    assert_true(picture_project(&s.camera, (vec3){3, 4, 60}, &out));
    assert_true(out.x == 35 && out.y == 28 && out.z == 40);
    s.camera.perspective = true;
    s.camera.scale = 80;
    assert_true(picture_project(&s.camera, (vec3){3, 4, 60}, &out));
    assert_true(out.x == 38 && out.y == 24 && out.z == 40);
    assert_false(picture_project(&s.camera, (vec3){3, 4, 100}, &out));
    assert_false(picture_project(&s.camera, (vec3){3, NAN, 0}, &out));
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_share_no_sample),
        cmocka_unit_test(edges_at_the_left_and_the_top_own_their_samples),
        cmocka_unit_test(bands_do_not_show),
        cmocka_unit_test(crossing_triangles_change_in_the_middle),
        cmocka_unit_test(a_floor_fills_up_to_the_horizon),
        cmocka_unit_test(nothing_outside_of_near_and_far),
        cmocka_unit_test(colours_run_along_the_surface),
        cmocka_unit_test(textures_are_filtered_and_repeat),
        cmocka_unit_test(small_pixels_use_small_levels),
        cmocka_unit_test(masked_pixels_are_holes),
        cmocka_unit_test(blended_triangles_are_drawn_from_far_to_near),
        cmocka_unit_test(normals_give_the_light),
        cmocka_unit_test(lines_have_width_and_depth),
        cmocka_unit_test(bad_input_is_counted),
        cmocka_unit_test(cameras_are_checked),
        cmocka_unit_test(work_is_bounded),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(points_are_projected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
