/* The rasteriser: colours, textures, transparency and light. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "raster_scene.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_run_along_the_surface),
        cmocka_unit_test(textures_are_filtered_and_repeat),
        cmocka_unit_test(small_pixels_use_small_levels),
        cmocka_unit_test(masked_pixels_are_holes),
        cmocka_unit_test(blended_triangles_are_drawn_from_far_to_near),
        cmocka_unit_test(normals_give_the_light),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
