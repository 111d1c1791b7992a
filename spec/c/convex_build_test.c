/* core/havok/physics: arrays of convex shapes, and what shapes weigh. Figures of the game's own shapes are
 * from files of its tools; boxes have every one of their bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "havok/physics/maths/convex_build.h"
#include "havok/physics/maths/shape_mass.h"

#include <math.h>
#include <string.h>

static void near_to(double want, double got, double off)
{
    if (!(fabs(want - got) <= off))
        fail_msg("%.17g instead of %.17g", got, want);
}

static vec3 at(const hk_convex *c, size_t i)
{
    return (vec3){(double)c->vertices[i].x, (double)c->vertices[i].y, (double)c->vertices[i].z};
}

static double height(const hk_convex_plane *p, vec3 v)
{
    return (double)p->x * v.x + (double)p->y * v.y + (double)p->z * v.z + (double)p->w;
}

/* What holds of all: fours, tags, planes on their faces and above all else, loops counter-clockwise. */
static void look_at(const hk_convex *c, size_t vertices, double near)
{
    assert_int_equal(0, c->vertex_count % 4);
    assert_int_equal(0, c->plane_count % 4);
    assert_true(c->vertex_count - vertices < 4 && c->plane_count - c->face_count < 4);
    for (size_t i = 0; i < c->vertex_count; i++) {
        const size_t same = i < vertices ? i : vertices - 1;
        assert_int_equal(0x3F000000 + same, c->vertices[i].w);
        assert_memory_equal(&c->vertices[same], &c->vertices[i], sizeof *c->vertices);
    }
    size_t first = 0;
    for (size_t f = 0; f < c->face_count; f++) {
        const hk_convex_face face = c->faces[f];
        vec3 area = {0, 0, 0};
        assert_int_equal(first, face.first_index);
        first += face.num_indices;
        for (size_t i = 0; i < c->vertex_count; i++)
            assert_true(height(&c->planes[f], at(c, i)) <= near);
        const uint8_t *loop = c->indices + face.first_index;
        for (size_t i = 0; i < face.num_indices; i++) {
            assert_true(loop[i] < vertices);
            near_to(0, height(&c->planes[f], at(c, loop[i])), near);
            area =
                vec3_add(area, vec3_cross(at(c, loop[i]), at(c, loop[(i + 1) % face.num_indices])));
        }
        assert_true(area.x * (double)c->planes[f].x + area.y * (double)c->planes[f].y +
                        area.z * (double)c->planes[f].z >
                    0);
    }
    assert_int_equal(c->index_count, first);
    for (size_t f = c->face_count; f < c->plane_count; f++)
        assert_true(c->planes[f].x == 0 && c->planes[f].w < -3e38F);
}

/* ---- boxes ------------------------------------------------------------------------------------------ */

static hk_convex box_of(vec3 low, vec3 high)
{
    const mem m = mem_default();
    hk_convex c;
    assert_int_equal(LATHE_OK, hk_convex_of_box(&c, low, high, &m, NULL));
    look_at(&c, 8, 0);
    return c;
}

/* AlarmClock.nif. */
static void a_box_is_that_of_the_game(void **state)
{
    (void)state;
    static const uint8_t indices[] = {0, 2, 5, 3, 7, 4, 1, 6, 2, 4, 7, 5,
                                      6, 1, 0, 3, 3, 5, 7, 6, 4, 2, 0, 1};
    static const float corners[8][3] = {
        {0.122841F, -0.00516121F, 0.175225F}, {0.122841F, -0.0750185F, 0.175225F},
        {0.122841F, -0.00516121F, 0.01F},     {-0.122841F, -0.00516121F, 0.175225F},
        {0.122841F, -0.0750185F, 0.01F},      {-0.122841F, -0.00516121F, 0.01F},
        {-0.122841F, -0.0750185F, 0.175225F}, {-0.122841F, -0.0750185F, 0.01F}};
    const vec3 low = {(double)corners[7][0], (double)corners[7][1], (double)corners[7][2]};
    const vec3 high = {(double)corners[0][0], (double)corners[0][1], (double)corners[0][2]};
    hk_convex c = box_of(low, high);
    for (size_t i = 0; i < 8; i++)
        assert_memory_equal(corners[i], &c.vertices[i], sizeof corners[i]);
    assert_memory_equal(indices, c.indices, sizeof indices);
    assert_true(c.planes[0].y == 1 && c.planes[0].w == 0.00516121F);
    assert_true(c.planes[2].z == -1 && c.planes[2].w == 0.01F);
    assert_int_equal(127, c.faces[3].min_half_angle);
    hk_convex_free(&c);
    hk_convex_free(&c); /* fine twice */

    const hk_mass m = hk_mass_of_box(low, high, 0.01);
    near_to(0.0044219, m.volume, 1e-7);
    near_to(-0.0400898, m.center.y, 1e-7);
    near_to(2.3426e-05, m.inertia[0], 5e-9);
    assert_true(m.axes.w == 1);
}

/* Which faces come first follows from their areas. */
static void boxes_of_all_proportions(void **state)
{
    (void)state;
    static const struct {
        vec3 size;
        uint8_t first[4], last[4];
    } rows[] = {
        {{1, 2, 3}, {4, 2, 0, 1}, {6, 1, 0, 3}}, {{1, 3, 2}, {4, 2, 0, 1}, {7, 4, 1, 6}},
        {{2, 1, 3}, {0, 2, 5, 3}, {6, 1, 0, 3}}, {{3, 1, 2}, {0, 2, 5, 3}, {4, 2, 0, 1}},
        {{2, 3, 1}, {0, 3, 6, 1}, {7, 4, 1, 6}}, {{3, 2, 1}, {0, 3, 6, 1}, {4, 2, 0, 1}},
        {{2, 2, 2}, {7, 5, 2, 4}, {0, 2, 5, 3}}, {{1, 2, 2}, {4, 2, 0, 1}, {6, 1, 0, 3}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hk_convex c = box_of((vec3){-1, -1, -1}, vec3_sub(rows[i].size, (vec3){1, 1, 1}));
        assert_memory_equal(rows[i].first, c.indices, 4);
        assert_memory_equal(rows[i].last, c.indices + 20, 4);
        hk_convex_free(&c);
    }
    const mem m = mem_default();
    lathe_error err;
    hk_convex c;
    assert_int_equal(LATHE_ERR_INVALID,
                     hk_convex_of_box(&c, (vec3){0, 0, 0}, (vec3){1, 0, 2}, &m, &err));
    assert_string_equal("a box of 1 by 0 by 2 m has no volume", err.message);
    assert_int_equal(LATHE_ERR_INVALID,
                     hk_convex_of_box(&c, (vec3){0, 0, 0}, (vec3){1, NAN, 2}, &m, &err));
}

/* ---- spheres and capsules --------------------------------------------------------------------------- */

static void spheres_are_four_points(void **state)
{
    (void)state;
    const mem m = mem_default();
    hk_convex c;
    assert_int_equal(LATHE_OK, hk_convex_of_sphere(&c, (vec3){1, -2, 0.5}, &m, NULL));
    assert_int_equal(4, c.vertex_count);
    look_at(&c, 1, 0);
    assert_true(c.vertices[3].y == -2 && c.vertices[3].w == 0x3F000000);
    assert_null(c.planes);
    hk_convex_free(&c);
    const hk_mass mass = hk_mass_of_sphere((vec3){1, -2, 0.5}, 0.5);
    near_to(0.5235987755982988, mass.volume, 1e-15);
    near_to(1.5 * 0.4 * mass.volume * 0.25, mass.inertia[2], 1e-16);
}

static void capsules_are_thin_boxes(void **state)
{
    (void)state;
    static const vec3 ends[][2] = {{{0, 0, 0}, {0, 0, 2}},
                                   {{1, 2, 3}, {1, 2.5, 3}},
                                   {{1, 2, 3}, {-1, 0, 2}},
                                   {{0.2, 0.9, 3}, {1, 1, 1}},
                                   {{1, 2, 3}, {1, 2, 3}}};
    const mem m = mem_default();
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        hk_convex c;
        assert_int_equal(LATHE_OK,
                         hk_convex_of_capsule(&c, ends[i][0], ends[i][1], 0.25, &m, NULL));
        look_at(&c, 8, 1e-6);
        const vec3 a = ends[i][0], b = ends[i][1];
        for (size_t v = 0; v < 8; v++) { /* odd corners are at a, just around it */
            const double off = vec3_length(vec3_sub(at(&c, v), v & 1 ? a : b));
            near_to(0.25 / 99 * sqrt(3), off, 1e-6);
        }
        assert_int_equal(4, c.faces[0].min_half_angle);
        hk_convex_free(&c);
        const hk_mass mass = hk_mass_of_capsule(a, b, 0.25);
        near_to((a.y + b.y) / 2, mass.center.y, 1e-15);
    }
}

/* ---- hulls ------------------------------------------------------------------------------------------ */

static hull hull_of(const float *points, size_t count, size_t max)
{
    const mem m = mem_default();
    const hull_options options = {.max_vertices = max};
    hull h;
    assert_int_equal(LATHE_OK, hull_build(&h, points, count, &options, &m, NULL));
    return h;
}

static hk_convex convex_of(const hull *h, double near)
{
    hk_convex c;
    assert_int_equal(LATHE_OK, hk_convex_of_hull(&c, h, NULL));
    look_at(&c, h->vertex_count, near);
    return c;
}

/* A ramp: its volume, planes moved outward by 0.1, is that of the larger ramp. */
static void a_prism_has_the_games_angles(void **state)
{
    (void)state;
    static const float ramp[6][3] = {{0, 0, 0},    {4, 0, 0},    {0, 0, 3},
                                     {0, 2.5F, 0}, {4, 2.5F, 0}, {0, 2.5F, 3}};
    hull h = hull_of(ramp[0], 6, 0);
    hk_convex c = convex_of(&h, 1e-6);
    assert_int_equal(8, c.vertex_count);
    assert_int_equal(5, c.face_count);
    assert_int_equal(8, c.plane_count);
    assert_int_equal(18, c.index_count);
    /* The slope comes first (12.5), then what is below (10), the side (7.5), the ends (6). */
    assert_true(c.planes[0].x > 0.59F && c.planes[1].z == -1 && c.planes[2].x == -1);
    assert_true(c.faces[3].num_indices == 3 && c.faces[4].num_indices == 3);
    for (size_t f = 0; f < 5; f++) /* all sides but two are between faces at right angles */
        assert_int_equal(127, c.faces[f].min_half_angle);
    hk_mass m;
    assert_int_equal(LATHE_OK, hk_mass_of_hull(&m, &h, 0.1, NULL));
    near_to(2.7 * 6 * pow(1.1, 2), m.volume, 1e-6); /* radius of the inner circle: 1 */
    near_to(1.25, m.center.y, 1e-7);
    near_to(0, m.axes.x, 1e-9);
    assert_true(m.axes.y != 0 && m.axes.w > 0.9);
    hk_convex_free(&c);
    hull_free(&h);
}

static void half_angles_round_to_the_nearest(void **state)
{
    (void)state;
    assert_int_equal(0, hk_half_angle(1));
    assert_int_equal(0, hk_half_angle(1.0000001));
    assert_int_equal(127, hk_half_angle(0));
    assert_int_equal(127, hk_half_angle(-1e-17));
    assert_int_equal(128, hk_half_angle(-0.01));
    assert_int_equal(64, hk_half_angle(sqrt(0.5)));
    assert_int_equal(255, hk_half_angle(-1));
    assert_int_equal(255, hk_half_angle(-2));
}

static void as_many_corners_as_bytes_can_count(void **state)
{
    (void)state;
    static float points[2000][3];
    for (size_t i = 0; i < 2000; i++) { /* a spiral around a ball */
        const double z = 1 - ((double)i + 0.5) / 1000, around = 2.399963229728653 * (double)i;
        points[i][0] = (float)(sqrt(1 - z * z) * cos(around));
        points[i][1] = (float)(sqrt(1 - z * z) * sin(around));
        points[i][2] = (float)z;
    }
    hull h = hull_of(points[0], 2000, HK_CONVEX_VERTICES);
    assert_int_equal(252, h.vertex_count);
    hk_convex c = convex_of(&h, 1e-6);
    assert_int_equal(252, c.vertex_count);
    hk_convex_free(&c);
    hull_free(&h);
    h = hull_of(points[0], 2000, HK_CONVEX_VERTICES + 1);
    lathe_error err;
    assert_int_equal(LATHE_ERR_LIMIT, hk_convex_of_hull(&c, &h, &err));
    assert_string_equal("253 vertices: a convex shape has at most 252", err.message);
    hull_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_is_that_of_the_game),
        cmocka_unit_test(boxes_of_all_proportions),
        cmocka_unit_test(spheres_are_four_points),
        cmocka_unit_test(capsules_are_thin_boxes),
        cmocka_unit_test(half_angles_round_to_the_nearest),
    };
    const struct CMUnitTest hulls[] = {
        cmocka_unit_test(a_prism_has_the_games_angles),
        cmocka_unit_test(as_many_corners_as_bytes_can_count),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return hull_built_in() ? failed + cmocka_run_group_tests(hulls, NULL, NULL) : failed;
}
