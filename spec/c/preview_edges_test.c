/* Edges in pictures: how opaque they are by how dense they are. */
#include "preview/preview.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "short_memory.h"

enum { SIDE = 24, POINTS = (SIDE + 1) * (SIDE + 1), EDGES = 2 * SIDE * (SIDE + 1) };

/* A flat grid of squares of one unit, with an edge along each side of a square. */
typedef struct grid {
    float positions[3 * POINTS];
    uint32_t indices[6 * SIDE * SIDE], segments[2 * EDGES], colors[EDGES];
    model_mesh mesh;
    preview_part part;
} grid;

static grid *new_grid(void)
{
    grid *g = calloc(1, sizeof *g);
    size_t n = 0, e = 0;
    assert_non_null(g);
    for (uint32_t i = 0; i < POINTS; i++) {
        uint32_t x = i % (SIDE + 1), y = i / (SIDE + 1);
        g->positions[3 * i] = (float)x;
        g->positions[3 * i + 1] = (float)y;
        if (x < SIDE && y < SIDE) {
            const uint32_t two[6] = {i, i + 1, i + SIDE + 2, i, i + SIDE + 2, i + SIDE + 1};
            for (int k = 0; k < 6; k++)
                g->indices[n++] = two[k];
        }
        for (uint32_t down = 0; down < 2; down++) {
            if (down ? y == SIDE : x == SIDE)
                continue;
            g->segments[e++] = i;
            g->segments[e++] = down ? i + SIDE + 1 : i + 1;
        }
    }
    assert_int_equal(e, 2 * EDGES);
    g->mesh.positions = g->positions;
    g->mesh.indices = g->indices;
    g->mesh.vertex_count = POINTS;
    g->mesh.index_count = n;
    g->part.mesh = &g->mesh;
    g->part.place = mat4_identity();
    return g;
}

static uint32_t opacity(grid *g, size_t edges, double pixels)
{
    const preview_edges list = {.segments = g->segments, .count = edges};
    const picture_camera camera = {.view = mat4_identity(), .scale = pixels, .centre = {100, 100}};
    return preview_edges_opacity(&g->part, &list, &camera);
}

/* Edges of 1.5 pixels may cover three tenths of the area: (SIDE + 1) / SIDE lines in two directions for each square. */
static void fewer_pixels_a_square_fainter_edges(void **state)
{
    grid *g = new_grid();
    const double lines = 2.0 * (SIDE + 1) / SIDE;
    (void)state;
    assert_int_equal(opacity(g, EDGES, 20), 255);
    assert_int_equal(opacity(g, EDGES, 11), 255);
    for (int pixels = 1; pixels < 10; pixels++)
        assert_int_equal(opacity(g, EDGES, pixels),
                         (uint32_t)(255 * 0.3 * pixels / (1.5 * lines) + 1e-9));
    assert_int_equal(opacity(g, EDGES, 0.01), 12);
    assert_int_equal(opacity(g, 63, 1), 255); /* a few edges are never faint */
    free(g);
}

/* Corners that do not exist, or are no numbers, count for nothing. */
static void odd_corners_are_left_out(void **state)
{
    grid *g = new_grid();
    (void)state;
    uint32_t before = opacity(g, EDGES, 4);
    g->indices[0] = POINTS;
    g->positions[3 * (POINTS - 1)] = NAN;
    uint32_t now = opacity(g, EDGES, 4);
    assert_true(now > before / 2 && now <= before + before / 4);
    free(g);
}

/* Edges of a flat grid: its border, and those of a marked triangle. With memory for fewer calls it says so. */
static void edges_with_memory_that_runs_out(void **state)
{
    grid *g = new_grid();
    memory m = {.left = -1};
    const preview p = {.mem = {take, &m}};
    uint8_t marks[2 * SIDE * SIDE] = {0};
    bool done = false;
    (void)state;
    g->part.marks = marks;
    marks[2 * SIDE + 2] = 1; /* of a square that is not at the border */
    for (long calls = 0; !done; calls++) {
        preview_edges out = {.count = 0};
        lathe_error err;
        m.left = calls;
        done = preview_edges_of(&p, &g->part, &out, &err) == LATHE_OK;
        m.left = -1;
        if (done)
            assert_int_equal(out.count, 4 * SIDE + 3);
        else
            assert_int_equal(err.code, LATHE_ERR_MEMORY);
        mem_free(&p.mem, out.segments, out.room * 2 * sizeof *out.segments);
        mem_free(&p.mem, out.colors, out.color_room * sizeof *out.colors);
        assert_int_equal(m.blocks, 0);
        assert_true(done || calls < 100);
    }
    free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fewer_pixels_a_square_fainter_edges),
        cmocka_unit_test(odd_corners_are_left_out),
        cmocka_unit_test(edges_with_memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
