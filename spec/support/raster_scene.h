/* A small picture, and a mesh to be drawn in it. Include it after cmocka.h. */
#ifndef RASTER_SCENE_H
#define RASTER_SCENE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture/raster_parts.h"

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

static inline void begin(void)
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

static inline void start(void)
{
    assert_int_equal(picture_raster_new(&s.m, &s.pixels, &s.camera, &s.raster, NULL), LATHE_OK);
}

static inline void add(void)
{
    if (!s.raster)
        start();
    assert_int_equal(picture_raster_mesh(s.raster, &s.mesh, &s.left, NULL), LATHE_OK);
    s.mesh.vertex_count = s.mesh.triangle_count = 0;
}

static inline void draw(void)
{
    add();
    assert_int_equal(picture_raster_draw(s.raster, NULL), LATHE_OK);
}

static inline void end(void)
{
    picture_raster_free(s.raster);
    picture_pixels_free(&s.m, &s.pixels);
}

static inline uint32_t vertex(double x, double y, double z)
{
    float *p = s.position + 3 * s.mesh.vertex_count;
    p[0] = (float)x, p[1] = (float)y, p[2] = (float)z;
    return (uint32_t)s.mesh.vertex_count++;
}

static inline void triangle(uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t corners[3] = {a, b, c};
    memcpy(s.index + 3 * s.mesh.triangle_count++, corners, sizeof corners);
}

static inline void rectangle(double left, double bottom, double right, double top, double z)
{
    uint32_t a = vertex(left, bottom, z);
    vertex(right, bottom, z);
    vertex(right, top, z);
    vertex(left, top, z);
    triangle(a, a + 1, a + 2);
    triangle(a, a + 2, a + 3);
}

static inline uint32_t at(int x, int y)
{
    const uint8_t *p = s.pixels.rgba + 4 * (y * SIDE + x);
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline size_t count_of(uint32_t color)
{
    size_t n = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        n += at(i % SIDE, i / SIDE) == color;
    return n;
}

static uint32_t scene_state = 7;

static inline double any(double least, double most)
{
    scene_state = scene_state * 1664525 + 1013904223;
    return least + (most - least) * (scene_state >> 8) / 16777216.0;
}

#endif
