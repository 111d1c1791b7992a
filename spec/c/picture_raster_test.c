/* The rasteriser: which samples a triangle has, depth and clipping. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "raster_scene.h"

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
        scene_state = 99;
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

/* Few values of depth, so that many triangles have the same sum. */
static void triangles_are_sorted_from_far_to_near(void **unused)
{
    (void)unused;
    enum { ALL = 5000 };
    static const uint32_t largest = 0x7fffffff;
    mem m = mem_default();
    for (size_t n = 0; n <= ALL; n = n ? n * 5 : 1) {
        raster_list list = {calloc(n + 1, sizeof *list.items), n, n};
        assert_non_null(list.items);
        for (size_t i = 0; i < n; i++) {
            for (int k = 0; k < 3; k++)
                list.items[i].depth[k] = largest - (uint32_t)any(0, 8) * (largest / 7);
            list.items[i].material = (uint32_t)i; /* as a number */
        }
        assert_true(raster_sort_by_depth(&m, &list));
        uint64_t before = 0, sum = 0, numbers = 0;
        for (size_t i = 0; i < n; i++, before = sum) {
            const raster_triangle *t = &list.items[i];
            sum = (uint64_t)t->depth[0] + t->depth[1] + t->depth[2];
            assert_true(sum >= before);
            assert_true(i == 0 || sum > before || t->material > t[-1].material);
            numbers += t->material;
        }
        assert_int_equal(numbers, n * (n - 1) / 2 * (n > 0));
        free(list.items);
    }
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
        cmocka_unit_test(triangles_are_sorted_from_far_to_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
