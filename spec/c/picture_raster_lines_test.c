/* The rasteriser: lines, what is left out, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "raster_scene.h"
#include "short_memory.h"

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
        cmocka_unit_test(lines_have_width_and_depth), cmocka_unit_test(bad_input_is_counted),
        cmocka_unit_test(cameras_are_checked),        cmocka_unit_test(work_is_bounded),
        cmocka_unit_test(memory_may_run_out),         cmocka_unit_test(points_are_projected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
