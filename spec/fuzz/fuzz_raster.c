/* The rasteriser with any numbers: pixels outside of the bounds of memory would show under the sanitizers; every triangle and
 * line is counted once; the bands do not show. */
#include "picture/raster_parts.h"

#include "promise.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 24, VERTICES = 24, TRIANGLES = 40, TEXELS = 4 };

typedef struct input {
    const uint8_t *data;
    size_t left;
} input;

static uint8_t byte(input *in)
{
    return in->left ? in->data[--in->left] : 0;
}

/* Small numbers, for triangles that are seen, or any bits at all. */
static float number(input *in)
{
    uint8_t kind = byte(in);
    uint32_t bits = 0;
    float v;
    if (kind % 4)
        return (float)((int)byte(in) - 128) / (float)(1 << kind % 8);
    for (int i = 0; i < 4; i++)
        bits = bits << 8 | byte(in);
    memcpy(&v, &bits, sizeof v);
    return v;
}

static void numbers(input *in, float *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = number(in);
}

static picture_camera camera_of(input *in)
{
    uint8_t kind = byte(in);
    picture_camera c = {mat4_identity(), kind & 1, 0.5, 300, 20, {SIDE / 2, SIDE / 2}};
    c.view.m[3][2] = -(double)(kind >> 2);
    if (kind & 2) {
        c.near = (double)number(in);
        c.far = (double)number(in);
        c.scale = (double)number(in);
        c.centre[0] = (double)number(in);
        for (int i = 0; i < 16; i++)
            c.view.m[i / 4][i % 4] += (double)number(in);
    }
    return c;
}

static float position[3 * VERTICES], normal[3 * VERTICES], uv[2 * VERTICES], color[4 * VERTICES];
static uint32_t corner[3 * TRIANGLES], own[TRIANGLES];
static uint8_t texel[TEXELS * TEXELS * 4], small_texel[4];

static void add(picture_raster *r, input in, const picture_texture *texture)
{
    picture_left_out left = {0};
    lathe_error err;
    uint8_t kind = byte(&in);
    picture_mesh m = {.positions = position,
                      .normals = kind & 1 ? normal : NULL,
                      .uvs = kind & 2 ? uv : NULL,
                      .colors = kind & 4 ? color : NULL,
                      .indices = corner,
                      .triangle_colors = kind & 8 ? own : NULL,
                      .vertex_count = VERTICES,
                      .triangle_count = TRIANGLES,
                      .transform = mat4_identity(),
                      .color = 0xffffffff,
                      .texture = kind & 16 ? texture : NULL,
                      .alpha = (picture_alpha)(byte(&in) % 3),
                      .cutoff = byte(&in),
                      .double_sided = kind & 32,
                      .flat = kind & 64};
    m.transform.m[1][0] = (double)number(&in);
    numbers(&in, position, 3 * VERTICES);
    for (size_t i = 0; i < 3 * (size_t)TRIANGLES; i++)
        corner[i] = byte(&in) % (VERTICES + 1);
    for (size_t i = 0; i < TRIANGLES; i++)
        own[i] = (uint32_t)byte(&in) * 0x01010101;
    numbers(&in, uv, 2 * VERTICES);
    numbers(&in, color, 4 * VERTICES);
    numbers(&in, normal, 3 * VERTICES);
    PROMISE(picture_raster_mesh(r, &m, &left, &err) == LATHE_OK);
    picture_lines l = {.points = position,
                       .segments = corner,
                       .colors = m.triangle_colors,
                       .point_count = VERTICES,
                       .segment_count = TRIANGLES,
                       .transform = m.transform,
                       .color = 0x80,
                       .width = (double)number(&in),
                       .bias = (double)number(&in)};
    PROMISE(picture_raster_lines(r, &l, &left, &err) == LATHE_OK);
    PROMISE(left.drawn + left.not_finite + left.no_vertex + left.degenerate + left.too_much ==
            2 * TRIANGLES);
}

static bool draw(input in, uint32_t rows, picture_pixels *pixels)
{
    mem m = mem_default();
    lathe_error err;
    picture_raster *r;
    picture_texture texture = {{{TEXELS, TEXELS, texel}, {1, 1, small_texel}}, 2, true};
    picture_camera camera = camera_of(&in);
    for (size_t i = 0; i < sizeof texel; i++)
        texel[i] = (uint8_t)(i * 37);
    if (picture_raster_new(&m, pixels, &camera, &r, &err) != LATHE_OK)
        return false;
    add(r, in, &texture);
    PROMISE(raster_fill(r, rows, &err) == LATHE_OK);
    picture_raster_free(r);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t one[SIDE * SIDE * 4], other[SIDE * SIDE * 4];
    picture_pixels a = {SIDE, SIDE, one}, b = {SIDE, SIDE, other};
    input in = {data, size};
    memset(one, size ? data[0] : 0, sizeof one);
    memcpy(other, one, sizeof one);
    if (draw(in, SIDE, &a)) {
        draw(in, 5, &b);
        PROMISE(memcmp(one, other, sizeof one) == 0);
    }
    return 0;
}
