/* Draws scenes that are read as words, and writes their pixels: for specs that know what must be there.
 *   picture WIDTH HEIGHT BACKGROUND      begins a picture; colours are hexadecimal
 *   camera PERSPECTIVE NEAR FAR SCALE CENTRE_X CENTRE_Y VIEW (16 numbers)
 *   mesh FLAT DOUBLE_SIDED ALPHA CUTOFF COLOR VERTICES TRIANGLES TEXTURE HAS_COLORS
 *       then for each vertex: x y z u v (and r g b a), for each triangle: a b c COLOR;
 *       TEXTURE: 0, or the side of a texture of squares: white, and black that is transparent
 *   lines WIDTH BIAS COLOR POINTS SEGMENTS, then x y z of points, a b of segments
 *   end                                  writes "taken not_finite no_vertex degenerate too_much\n", then rows of r, g, b, a */
#include "base/error.h"
#include "picture/raster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

static mem memory;

static void fail(const char *what)
{
    fprintf(stderr, "raster_host: %s\n", what);
    exit(1);
}

static void must(lathe_result r, const lathe_error *err)
{
    if (r != LATHE_OK)
        fail(err->message);
}

static const char *word(void)
{
    static char text[64];
    if (scanf("%63s", text) != 1)
        fail("the input ends early");
    return text;
}

static double number(void)
{
    return strtod(word(), NULL);
}

static uint32_t whole(int base)
{
    return (uint32_t)strtoul(word(), NULL, base);
}

static void *room(size_t n)
{
    void *p = calloc(n ? n : 1, 1);
    if (!p)
        fail("out of memory");
    return p;
}

static void read_floats(float *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = strtof(word(), NULL);
}

static void make_texture(picture_texture *t, uint32_t side)
{
    lathe_error err;
    memset(t, 0, sizeof *t);
    for (; side; side /= 2) {
        picture_pixels *p = &t->levels[t->level_count++];
        must(picture_pixels_new(&memory, side, side, 0xffffffff, p, &err), &err);
        for (uint32_t i = 0; i < side * side; i++)
            if (((i % side) * 4 / side + i / side * 4 / side) & 1 || side < 4)
                memcpy(p->rgba + 4 * i, side < 4 ? "\x7f\x7f\x7f\x7f" : "\0\0\0", 4);
    }
    t->has_alpha = true;
}

static picture_camera read_camera(void)
{
    picture_camera c = {.perspective = whole(10) != 0};
    c.near = number();
    c.far = number();
    c.scale = number();
    c.centre[0] = number();
    c.centre[1] = number();
    for (int i = 0; i < 16; i++)
        c.view.m[i / 4][i % 4] = number();
    return c;
}

static void read_mesh(picture_raster *r, picture_texture *texture, picture_left_out *left)
{
    lathe_error err;
    picture_mesh m = {.transform = mat4_identity()};
    m.flat = whole(10) != 0;
    m.double_sided = whole(10) != 0;
    m.alpha = (picture_alpha)whole(10);
    m.cutoff = whole(10);
    m.color = whole(16);
    m.vertex_count = whole(10);
    m.triangle_count = whole(10);
    uint32_t side = whole(10), has_colors = whole(10);
    float *position = room(m.vertex_count * 12), *uv = room(m.vertex_count * 8),
          *color = room(m.vertex_count * 16);
    uint32_t *index = room(m.triangle_count * 12), *own = room(m.triangle_count * 4);
    for (size_t i = 0; i < m.vertex_count; i++) {
        read_floats(position + 3 * i, 3);
        read_floats(uv + 2 * i, 2);
        if (has_colors)
            read_floats(color + 4 * i, 4);
    }
    for (size_t i = 0; i < m.triangle_count; i++) {
        for (size_t k = 0; k < 3; k++)
            index[3 * i + k] = whole(10);
        own[i] = whole(16);
    }
    if (side)
        make_texture(texture, side);
    m.positions = position;
    m.uvs = uv;
    m.colors = has_colors ? color : NULL;
    m.indices = index;
    m.triangle_colors = own;
    m.texture = side ? texture : NULL;
    must(picture_raster_mesh(r, &m, left, &err), &err);
    free(position);
    free(uv);
    free(color);
    free(index);
    free(own);
}

static void read_lines(picture_raster *r, picture_left_out *left)
{
    lathe_error err;
    picture_lines l = {.transform = mat4_identity()};
    l.width = number();
    l.bias = number();
    l.color = whole(16);
    l.point_count = whole(10);
    l.segment_count = whole(10);
    float *point = room(l.point_count * 12);
    uint32_t *segment = room(l.segment_count * 8);
    read_floats(point, 3 * l.point_count);
    for (size_t i = 0; i < 2 * l.segment_count; i++)
        segment[i] = whole(10);
    l.points = point;
    l.segments = segment;
    must(picture_raster_lines(r, &l, left, &err), &err);
    free(point);
    free(segment);
}

static void read_picture(void)
{
    enum { TEXTURES = 8 };
    static picture_texture texture[TEXTURES];
    lathe_error err;
    picture_pixels pixels;
    picture_raster *r = NULL;
    picture_left_out left = {0};
    size_t textures = 0;
    uint32_t width = whole(10), height = whole(10);
    must(picture_pixels_new(&memory, width, height, whole(16), &pixels, &err), &err);
    for (const char *w = word(); strcmp(w, "end") != 0; w = word()) {
        if (strcmp(w, "camera") == 0) {
            picture_camera camera = read_camera();
            must(picture_raster_new(&memory, &pixels, &camera, &r, &err), &err);
        } else if (r && strcmp(w, "mesh") == 0 && textures < TEXTURES) {
            read_mesh(r, &texture[textures++], &left);
        } else if (r && strcmp(w, "lines") == 0) {
            read_lines(r, &left);
        } else {
            fail(w);
        }
    }
    must(picture_raster_draw(r, &err), &err);
    printf("%lu %lu %lu %lu %lu\n", (unsigned long)left.drawn, (unsigned long)left.not_finite,
           (unsigned long)left.no_vertex, (unsigned long)left.degenerate,
           (unsigned long)left.too_much);
    fwrite(pixels.rgba, 4, (size_t)width * height, stdout);
    picture_raster_free(r);
    picture_pixels_free(&memory, &pixels);
    for (size_t i = 0; i < textures; i++)
        for (unsigned k = 0; k < texture[i].level_count; k++)
            picture_pixels_free(&memory, &texture[i].levels[k]);
    memset(texture, 0, sizeof texture);
}

int main(void)
{
    char what[64];
#ifdef _WIN32
    _setmode(_fileno(stdout), _O_BINARY);
#endif
    memory = mem_default();
    while (scanf("%63s", what) == 1) {
        if (strcmp(what, "picture") != 0)
            fail(what);
        read_picture();
    }
    return 0;
}
