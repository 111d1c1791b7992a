/* The rasteriser: 50,000 triangles into 1024 x 1024 pixels, smooth, textured, blended, and as lines; and writing the PNG. With an
 * argument, the pictures go to files of that name with 1.png, 2.png ... behind it. */
#include "picture/raster.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIDE = 1024, AROUND = 250, ACROSS = 100, TRIANGLES = 2 * AROUND * ACROSS, ROUNDS = 3 };

static float position[3 * AROUND * ACROSS], normal[3 * AROUND * ACROSS], uv[2 * AROUND * ACROSS];
static uint32_t corner[3 * TRIANGLES], segment[2 * TRIANGLES];

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static uint32_t vertex(int i, int j)
{
    return (uint32_t)(i % AROUND * ACROSS + j % ACROSS);
}

static void make_ring(void)
{
    uint32_t *c = corner, *s = segment;
    for (int i = 0; i < AROUND; i++)
        for (int j = 0; j < ACROSS; j++) {
            double a = 6.283185307179586 * i / AROUND, b = 6.283185307179586 * j / ACROSS;
            double n[3] = {cos(a) * cos(b), sin(a) * cos(b), sin(b)};
            size_t v = vertex(i, j);
            for (int k = 0; k < 3; k++) {
                double middle = k == 0 ? cos(a) : k == 1 ? sin(a) : 0;
                normal[3 * v + (size_t)k] = (float)n[k];
                position[3 * v + (size_t)k] = (float)(3 * middle + 1.4 * n[k]);
            }
            uv[2 * v] = (float)i * 12 / AROUND;
            uv[2 * v + 1] = (float)j * 4 / ACROSS;
            const uint32_t quad[6] = {vertex(i, j), vertex(i + 1, j),     vertex(i + 1, j + 1),
                                      vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1)};
            memcpy(c, quad, sizeof quad);
            c += 6;
            *s++ = quad[0], *s++ = quad[1], *s++ = quad[0], *s++ = quad[5];
        }
}

static picture_camera camera_of(void)
{
    picture_camera c = {.perspective = true, .near = 1, .far = 100, .scale = 1200};
    /* turned by 50 degrees about x, then 8 back */
    const double m[4][4] = {{1, 0, 0, 0},
                            {0, 0.642787609687, -0.766044443119, 0},
                            {0, 0.766044443119, 0.642787609687, 0},
                            {0, 0, -10, 1}};
    memcpy(c.view.m, m, sizeof m);
    c.centre[0] = c.centre[1] = SIDE / 2;
    return c;
}

static void make_texture(const mem *m, picture_texture *t)
{
    lathe_error err;
    for (uint32_t side = 256; side; side /= 2, t->level_count++) {
        picture_pixels *p = &t->levels[t->level_count];
        if (picture_pixels_new(m, side, side, 0xf0f0e0ff, p, &err) != LATHE_OK)
            exit(1);
        for (uint32_t i = 0; i < side * side; i++)
            if (((i % side) * 8 / side + (i / side) * 8 / side) & 1 || side < 8)
                memcpy(p->rgba + 4 * i, side < 8 ? "\xb0\x90\x80\xff" : "\x70\x30\x20\xff", 4);
    }
}

static bool write_file(void *user, const void *bytes, size_t n)
{
    return !user || fwrite(bytes, 1, n, user) == n;
}

static size_t covered(const picture_pixels *pixels)
{
    size_t n = 0;
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++)
        n += memcmp(pixels->rgba + 4 * i, "\xff\xff\xff\xff", 4) != 0;
    return n;
}

static void run(const char *name, const picture_mesh *mesh, const picture_lines *lines,
                const char *base, int number)
{
    mem m = mem_default();
    lathe_error err;
    picture_camera camera = camera_of();
    picture_pixels pixels;
    double best = 1e9, packing = 1e9;
    size_t n = 0;
    for (int round = 0; round < ROUNDS; round++) {
        picture_raster *r;
        picture_left_out left = {0};
        double start = seconds();
        if (picture_pixels_new(&m, SIDE, SIDE, 0xffffffff, &pixels, &err) != LATHE_OK ||
            picture_raster_new(&m, &pixels, &camera, &r, &err) != LATHE_OK ||
            (mesh && picture_raster_mesh(r, mesh, &left, &err) != LATHE_OK) ||
            (lines && picture_raster_lines(r, lines, &left, &err) != LATHE_OK) ||
            picture_raster_draw(r, &err) != LATHE_OK)
            exit(1);
        double drawn = seconds();
        FILE *file = NULL;
        char path[400];
        snprintf(path, sizeof path, "%s%d.png", base ? base : "", number);
        if (base)
            file = fopen(path, "wb");
        if (picture_png_write(&m, &pixels, write_file, file, &err) != LATHE_OK)
            exit(1);
        if (file)
            fclose(file);
        double written = seconds();
        best = drawn - start < best ? drawn - start : best;
        packing = written - drawn < packing ? written - drawn : packing;
        n = left.drawn;
        picture_raster_free(r);
        if (round < ROUNDS - 1)
            picture_pixels_free(&m, &pixels);
    }
    printf("picture: %-8s %.3f s, %.2f million triangles/s, %.1f million pixels/s; PNG %.3f s\n",
           name, best, (double)n / 1e6 / best, (double)covered(&pixels) / 1e6 / best, packing);
    picture_pixels_free(&m, &pixels);
}

int main(int argc, char **argv)
{
    mem m = mem_default();
    const char *base = argc > 1 ? argv[1] : NULL;
    picture_texture texture = {.level_count = 0};
    make_ring();
    make_texture(&m, &texture);
    picture_mesh mesh = {.positions = position,
                         .normals = normal,
                         .uvs = uv,
                         .indices = corner,
                         .vertex_count = AROUND * ACROSS,
                         .triangle_count = TRIANGLES,
                         .transform = mat4_identity(),
                         .color = 0x7090c0ff};
    picture_lines lines = {.points = position,
                           .segments = segment,
                           .point_count = AROUND * ACROSS,
                           .segment_count = TRIANGLES,
                           .transform = mat4_identity(),
                           .color = 0x202020ff,
                           .width = 1,
                           .bias = 0.001};
    run("smooth", &mesh, NULL, base, 1);
    mesh.texture = &texture;
    mesh.color = 0xffffffff;
    run("textured", &mesh, NULL, base, 2);
    mesh.texture = NULL;
    mesh.alpha = PICTURE_BLEND;
    mesh.color = 0x7090c080;
    run("blended", &mesh, NULL, base, 3);
    mesh.alpha = PICTURE_OPAQUE;
    mesh.color = 0xc0c0b0ff;
    run("lines", &mesh, &lines, base, 4);
    for (unsigned i = 0; i < texture.level_count; i++)
        picture_pixels_free(&m, &texture.levels[i]);
    return 0;
}
