/* core/model/mass: solids whose figures are known, and what holds however they are turned or cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/mass_sums.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static uint32_t seed;

static double chance(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / 8388607.5 - 1;
}

static quat some_turn(void)
{
    return quat_normalize((quat){chance(), chance(), chance(), chance()});
}

static void near_to(double want, double got, double off)
{
    if (!(fabs(want - got) <= off))
        fail_msg("%.17g instead of %.17g", got, want);
}

/* ---- what masses are compared with ------------------------------------------------------------------- */

/* Of a closed surface of triangles, counter-clockwise seen from outside. */
static mass_props mass_of_mesh(const float *positions, const uint32_t *indices, size_t index_count)
{
    mass_sums s = {.volume = 0};
    mass_props out;
    double p[3][3];
    for (size_t i = 0; i + 3 <= index_count; i += 3) {
        for (size_t k = 0; k < 9; k++)
            p[k / 3][k % 3] = (double)positions[3 * (size_t)indices[i + k / 3] + k % 3];
        if (i == 0) /* near, so that sums of a solid far away keep their digits */
            memcpy(s.origin, p[0], sizeof s.origin);
        mass_add_triangle(&s, p);
    }
    assert_true(mass_finish(&out, &s));
    return out;
}

/* R inertia R^T. */
static void turn_tensor(double out[3][3], const double inertia[3][3], double r[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            out[i][j] = 0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    out[i][j] += r[i][k] * inertia[k][l] * r[j][l];
        }
}

/* The solid turned, then moved. */
static mass_props mass_moved(const mass_props *p, quat turn, vec3 move)
{
    const vec3 x = quat_rotate(turn, (vec3){1, 0, 0}), y = quat_rotate(turn, (vec3){0, 1, 0});
    const vec3 z = quat_rotate(turn, (vec3){0, 0, 1});
    double r[3][3] = {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
    mass_props out = *p;
    turn_tensor(out.inertia, p->inertia, r);
    out.center = vec3_add(quat_rotate(turn, p->center), move);
    return out;
}

/* Within one part in 1 / `part` of the largest number there. */
static void assert_mass(const mass_props *want, const mass_props *got, double part)
{
    double most = 0;
    const double size = 1 + vec3_length(want->center);
    near_to(want->volume, got->volume, part * want->volume);
    near_to(want->center.x, got->center.x, part * size);
    near_to(want->center.y, got->center.y, part * size);
    near_to(want->center.z, got->center.z, part * size);
    for (int k = 0; k < 3; k++)
        most = fmax(most, fabs(want->inertia[k][k]));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            near_to(want->inertia[i][j], got->inertia[i][j], part * most);
}

/* ---- simple solids ---------------------------------------------------------------------------------- */

static void balls_capsules_and_boxes(void **state)
{
    (void)state;
    const vec3 a = {1, 2, 3}, b = {1, 2, 8};
    const mass_props ball = mass_of_sphere(a, 2);
    near_to(32 * PI / 3, ball.volume, 1e-13);
    near_to(0.4 * ball.volume * 4, ball.inertia[1][1], 1e-12);
    const mass_props none = mass_of_capsule(a, a, 2);
    assert_mass(&ball, &none, 1e-15);

    const mass_props capsule = mass_of_capsule(a, b, 0.5);
    near_to(PI * 0.25 * 5 + PI / 6, capsule.volume, 1e-13);
    near_to(5.5, capsule.center.z, 1e-15);
    /* A long thin one is nearly a rod. */
    const mass_props rod = mass_of_capsule((vec3){-5, 0, 0}, (vec3){5, 0, 0}, 1e-4);
    near_to(100.0 / 12, rod.inertia[2][2] / rod.volume, 1e-3);
    near_to(0.5e-8, rod.inertia[0][0] / rod.volume, 1e-12);

    const mass_props box = mass_of_box((vec3){-1, 0, 0}, (vec3){1, 3, 4});
    near_to(24, box.volume, 0);
    near_to(1.5, box.center.y, 0);
    near_to(2.0 * 25, box.inertia[0][0], 1e-13);
    near_to(2.0 * 20, box.inertia[1][1], 1e-13);
    near_to(2.0 * 13, box.inertia[2][2], 1e-13);
}

/* A capsule is what its turned self turned back is. */
static void turning_capsules_turns_their_tensors(void **state)
{
    (void)state;
    seed = 1;
    for (int i = 0; i < 100; i++) {
        const vec3 a = {chance(), chance(), chance()}, b = {chance(), chance(), chance()};
        const quat turn = some_turn();
        const vec3 move = {chance() * 9, chance() * 9, chance() * 9};
        const mass_props before = mass_of_capsule(a, b, 0.3);
        const mass_props moved = mass_moved(&before, turn, move);
        const mass_props there = mass_of_capsule(vec3_add(quat_rotate(turn, a), move),
                                                 vec3_add(quat_rotate(turn, b), move), 0.3);
        assert_mass(&there, &moved, 1e-13);
    }
}

/* ---- surfaces --------------------------------------------------------------------------------------- */

enum {
    ROUND = 64,
    ROWS = 32,
    SPHERE_VERTICES = ROUND * (ROWS - 1) + 2,
    SPHERE_INDICES = 6 * ROUND * (ROWS - 1)
};

static float positions[SPHERE_VERTICES][3];
static uint32_t indices[SPHERE_INDICES];

/* A ball of radius 1 about `at`, in as many flat triangles. */
static void ball_mesh(vec3 at)
{
    size_t v = 0, n = 0;
    for (int row = 1; row < ROWS; row++)
        for (int i = 0; i < ROUND; i++, v++) {
            const double up = PI * row / ROWS, around = 2 * PI * i / ROUND;
            positions[v][0] = (float)(at.x + sin(up) * cos(around));
            positions[v][1] = (float)(at.y + sin(up) * sin(around));
            positions[v][2] = (float)(at.z + cos(up));
        }
    const uint32_t top = (uint32_t)v, bottom = top + 1;
    for (uint32_t k = 0; k < 2; k++) {
        positions[top + k][0] = (float)at.x;
        positions[top + k][1] = (float)at.y;
        positions[top + k][2] = (float)(at.z + (k ? -1 : 1));
    }
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t i = 0; i < ROUND; i++) {
            const uint32_t next = (i + 1) % ROUND;
            const uint32_t a = (row - 1) * ROUND + i, b = (row - 1) * ROUND + next;
            const uint32_t c = row * ROUND + i, d = row * ROUND + next;
            const uint32_t quad[] = {row ? a : top, c, d, a, d, b};
            const uint32_t last[] = {a, bottom, b};
            const uint32_t *from = row == ROWS - 1 ? last : quad;
            const size_t count = row == 0 || row == ROWS - 1 ? 3 : 6;
            memcpy(indices + n, from, count * sizeof *from);
            n += count;
        }
    assert_int_equal(SPHERE_INDICES, n);
}

static mass_props mass_of_ball_mesh(void)
{
    return mass_of_mesh(positions[0], indices, SPHERE_INDICES);
}

static void meshes_come_near_to_the_ball(void **state)
{
    (void)state;
    ball_mesh((vec3){0, 0, 0});
    const mass_props here = mass_of_ball_mesh(), ball = mass_of_sphere((vec3){0, 0, 0}, 1);
    assert_true(here.volume < ball.volume);
    assert_mass(&ball, &here, 0.01);
    /* Far away its positions have fewer digits, the sums do not. */
    const vec3 far = {1000, -2000, 500};
    ball_mesh(far);
    const mass_props there = mass_of_ball_mesh();
    const mass_props moved = mass_moved(&here, quat_identity(), far);
    assert_mass(&moved, &there, 3e-4);
}

/* A tetrahedron of sides 1, 1, 1 along the axes. */
static const float corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const uint32_t corner_faces[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static void a_tetrahedron_is_exact(void **state)
{
    (void)state;
    const mass_props p = mass_of_mesh(corner[0], corner_faces, 12);
    near_to(1.0 / 6, p.volume, 1e-16);
    near_to(0.25, p.center.x, 1e-16);
    near_to(1.0 / 80, p.inertia[0][0], 1e-16);
    near_to(1.0 / 480, p.inertia[0][1], 1e-16);
    near_to(1.0 / 480, p.inertia[2][1], 1e-16);
}

/* ---- sums and axes ---------------------------------------------------------------------------------- */

/* R diag(moments) R^T. */
static mass_props from_axes(const mass_props *like, const double moments[3], quat axes)
{
    mass_props p = {.volume = like->volume, .center = {0, 0, 0}};
    for (int k = 0; k < 3; k++)
        p.inertia[k][k] = moments[k];
    p = mass_moved(&p, axes, (vec3){0, 0, 0});
    p.center = like->center;
    return p;
}

static void axes_of_turned_boxes(void **state)
{
    (void)state;
    seed = 2;
    for (int i = 0; i < 300; i++) {
        const vec3 side = {0.1 + fabs(chance()), i % 3 ? 0.5 : 0.1 + fabs(chance()),
                           i % 5 ? 0.5 : 1e-3};
        const mass_props box = mass_of_box((vec3){0, 0, 0}, side);
        const mass_props turned = mass_moved(&box, some_turn(), (vec3){1, 2, 3});
        double moments[3];
        quat axes;
        mass_principal(&turned, moments, &axes);
        const mass_props back = from_axes(&turned, moments, axes);
        assert_mass(&turned, &back, 1e-13);
        /* The same three moments, in whatever order. */
        double sum = 0, product = 1;
        for (int k = 0; k < 3; k++) {
            sum += moments[k] - box.inertia[k][k];
            product *= moments[k] / box.inertia[k][k];
        }
        near_to(0, sum, 1e-14);
        near_to(1, product, 1e-9);
        assert_true(axes.w >= 0);
    }
}

/* Nearly diagonal tensors keep their order, those with rounding only are left alone. */
static void small_turns_stay_small(void **state)
{
    (void)state;
    const mass_props box = mass_of_box((vec3){0, 0, 0}, (vec3){1, 2, 3});
    const double half = 0.15;
    const quat turn = {0, sin(half), 0, cos(half)};
    const mass_props turned = mass_moved(&box, turn, (vec3){0, 0, 0});
    double moments[3];
    quat axes;
    mass_principal(&turned, moments, &axes);
    near_to(turn.y, axes.y, 1e-15);
    near_to(turn.w, axes.w, 1e-15);
    for (int k = 0; k < 3; k++)
        near_to(box.inertia[k][k], moments[k], 1e-14);
    mass_props cube = mass_of_box((vec3){0, 0, 0}, (vec3){1, 1, 1});
    cube.inertia[0][1] = cube.inertia[1][0] = 1e-9;
    mass_principal(&cube, moments, &axes);
    assert_true(axes.x == 0 && axes.y == 0 && axes.z == 0 && axes.w == 1);
    const mass_props nothing = {.volume = 0};
    mass_principal(&nothing, moments, &axes);
    assert_true(axes.w == 1 && moments[0] == 0);
}

/* ---- hulls ------------------------------------------------------------------------------------------ */

static hull hull_of(const float *points, size_t count)
{
    const mem m = mem_default();
    hull h;
    lathe_error err;
    if (hull_build(&h, points, count, NULL, &m, &err) != LATHE_OK)
        fail_msg("%s", err.message);
    return h;
}

static void hulls_of_boxes_grow_to_boxes(void **state)
{
    (void)state;
    seed = 3;
    for (int i = 0; i < 100; i++) {
        const float size[3] = {(float)(0.01 + fabs(chance())), (float)(0.01 + fabs(chance())),
                               i % 4 ? 1 : 1e-3f};
        const vec3 half = {(double)size[0], (double)size[1], (double)size[2]};
        const double grow = i % 3 * 0.02;
        const vec3 more = {half.x + grow, half.y + grow, half.z + grow};
        const quat turn = i % 2 ? some_turn() : quat_identity();
        float p[8][3];
        for (int v = 0; v < 8; v++) {
            const vec3 at =
                quat_rotate(turn, (vec3){v & 1 ? half.x : -half.x, v & 2 ? half.y : -half.y,
                                         v & 4 ? half.z : -half.z});
            p[v][0] = (float)at.x + 1;
            p[v][1] = (float)at.y;
            p[v][2] = (float)at.z;
        }
        hull h = hull_of(p[0], 8);
        mass_props got, want = mass_of_box(vec3_scale(more, -1), more);
        want = mass_moved(&want, turn, (vec3){1, 0, 0});
        assert_int_equal(LATHE_OK, mass_of_hull(&got, &h, grow, NULL));
        assert_mass(&want, &got, 2e-4); /* its corners are floats */
        hull_free(&h);
    }
}

/* A tetrahedron grows to a larger one, with its inner ball's radius larger by as much. */
static void corners_stay_sharp(void **state)
{
    (void)state;
    hull h = hull_of(corner[0], 4);
    const mass_props as_mesh = mass_of_mesh(corner[0], corner_faces, 12);
    mass_props as_hull, grown;
    assert_int_equal(LATHE_OK, mass_of_hull(&as_hull, &h, 0, NULL));
    assert_mass(&as_mesh, &as_hull, 1e-15);
    const double radius = 1 / (3 + sqrt(3)), grow = 0.1, scale = (radius + grow) / radius;
    assert_int_equal(LATHE_OK, mass_of_hull(&grown, &h, grow, NULL));
    mass_props want = mass_scaled(&as_mesh, scale);
    const double move = radius * (1 - scale); /* about the ball's middle */
    want = mass_moved(&want, quat_identity(), (vec3){move, move, move});
    assert_mass(&want, &grown, 1e-12);
    hull_free(&h);
}

/* More faces at a corner than three: it is cut to small ones, or not, by rounding. */
static void round_hulls_grow_evenly(void **state)
{
    (void)state;
    ball_mesh((vec3){0, 0, 0});
    hull h = hull_of(positions[0], SPHERE_VERTICES);
    mass_props small, large;
    assert_int_equal(LATHE_OK, mass_of_hull(&small, &h, 0, NULL));
    assert_int_equal(LATHE_OK, mass_of_hull(&large, &h, 0.5, NULL));
    const mass_props about = mass_scaled(&small, 1.5);
    assert_mass(&about, &large, 0.01);
    hull_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_capsules_and_boxes),
        cmocka_unit_test(turning_capsules_turns_their_tensors),
        cmocka_unit_test(meshes_come_near_to_the_ball),
        cmocka_unit_test(a_tetrahedron_is_exact),
        cmocka_unit_test(axes_of_turned_boxes),
        cmocka_unit_test(small_turns_stay_small),
    };
    const struct CMUnitTest hulls[] = {
        cmocka_unit_test(hulls_of_boxes_grow_to_boxes),
        cmocka_unit_test(corners_stay_sharp),
        cmocka_unit_test(round_hulls_grow_evenly),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return hull_built_in() ? failed + cmocka_run_group_tests(hulls, NULL, NULL) : failed;
}
