/* core/model/hull: convex hulls. What must hold is tried on many clouds; what is refused, by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/hull_parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 100000 };

/* A face that is flat but for HULL_FLATNESS bends that often, once faces of faces are joined. */
#define NEAR (8 * HULL_FLATNESS)

static float cloud[POINTS][3];

/* ---- clouds ---------------------------------------------------------------------------------------- */

static uint32_t seed;

/* From -1 to 1, the same everywhere. */
static float chance(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (float)((double)(seed >> 8) / 8388607.5 - 1);
}

static size_t put(size_t n, double x, double y, double z)
{
    cloud[n][0] = (float)x;
    cloud[n][1] = (float)y;
    cloud[n][2] = (float)z;
    return n + 1;
}

static size_t cube_of_chance(size_t count)
{
    for (size_t n = 0; n < count;)
        n = put(n, (double)chance(), (double)chance(), (double)chance());
    return count;
}

static size_t ball_surface(size_t count)
{
    for (size_t n = 0; n < count;) {
        const double x = (double)chance(), y = (double)chance(), z = (double)chance();
        const double length = sqrt(x * x + y * y + z * z);
        if (length > 0.1)
            n = put(n, x / length, y / length, z / length);
    }
    return count;
}

/* The points of a grid within a box: most of them inside, on its faces or on its sides. */
static size_t grid(int side)
{
    size_t n = 0;
    for (int i = 0; i < side * side * side; i++)
        n = put(n, i % side, i / side % side * 0.3, i / side / side * 2);
    return n;
}

/* A prism with `corners` corners at each end, and rings of points along its sides. */
static size_t prism(int corners, int rings)
{
    size_t n = 0;
    for (int ring = 0; ring < rings; ring++)
        for (int i = 0; i < corners; i++)
            n = put(n, cos(i * 6.283185307179586 / corners), sin(i * 6.283185307179586 / corners),
                    ring * 0.25);
    return n;
}

static size_t icosahedron(void)
{
    const double golden = (1 + sqrt(5)) / 2;
    size_t n = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 4; i++) {
            const double p[3] = {0, i & 1 ? 1 : -1, i & 2 ? golden : -golden};
            n = put(n, p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]);
        }
    return n;
}

static size_t tetrahedron(void)
{
    size_t n = put(0, 0, 0, 0);
    n = put(n, 1, 0, 0);
    n = put(n, 0, 1, 0);
    return put(n, 0, 0, 1);
}

static void turn_and_move(size_t count, double angle, double move)
{
    for (size_t i = 0; i < count; i++) {
        const double x = (double)cloud[i][0], y = (double)cloud[i][1], z = (double)cloud[i][2];
        const double u = x * cos(angle) - y * sin(angle), v = x * sin(angle) + y * cos(angle);
        put(i, u + move, v * cos(angle) - z * sin(angle) - move, v * sin(angle) + z * cos(angle));
    }
}

/* ---- what holds of every hull ----------------------------------------------------------------------- */

static double height(const hull_plane *plane, const float p[3])
{
    return plane->n[0] * (double)p[0] + plane->n[1] * (double)p[1] + plane->n[2] * (double)p[2] +
           plane->d;
}

static double size_of(size_t count)
{
    double size = 0;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            size = fmax(size, fabs((double)cloud[i][k]));
    return size;
}

/* Faces are flat, and run counter-clockwise around their plane's normal. */
static void look_at_face(const hull *h, size_t f, double near)
{
    const hull_face face = h->faces[f];
    const hull_plane *plane = &h->planes[f];
    assert_true(face.count >= 3);
    assert_true(fabs(plane->n[0] * plane->n[0] + plane->n[1] * plane->n[1] +
                     plane->n[2] * plane->n[2] - 1) < 1e-12);
    const uint32_t *loop = h->indices + face.first;
    const float *a = h->vertices[loop[0]];
    double area[3] = {0, 0, 0};
    for (uint32_t i = 0; i < face.count; i++) {
        assert_true(loop[i] < h->vertex_count && (i == 0 || loop[i] > loop[0]));
        const float *b = h->vertices[loop[i]], *c = h->vertices[loop[(i + 1) % face.count]];
        assert_true(fabs(height(plane, b)) <= near);
        for (int k = 0; k < 3; k++) {
            const int m = (k + 1) % 3, n = (k + 2) % 3;
            area[k] += ((double)b[m] - (double)a[m]) * ((double)c[n] - (double)a[n]) -
                       ((double)b[n] - (double)a[n]) * ((double)c[m] - (double)a[m]);
        }
    }
    assert_true(area[0] * plane->n[0] + area[1] * plane->n[1] + area[2] * plane->n[2] > 0);
}

/* Every side is there once each way. */
static void look_at_sides(const hull *h)
{
    const size_t n = h->vertex_count;
    uint8_t *seen = calloc(n * n, 1);
    assert_non_null(seen);
    for (size_t f = 0; f < h->face_count; f++)
        for (uint32_t i = 0; i < h->faces[f].count; i++) {
            const uint32_t *loop = h->indices + h->faces[f].first;
            uint8_t *side = &seen[loop[i] * n + loop[(i + 1) % h->faces[f].count]];
            assert_int_equal(0, *side);
            *side = 1;
        }
    for (size_t i = 0; i < n * n; i++)
        assert_int_equal(seen[i], seen[i % n * n + i / n]);
    free(seen);
}

static void look_at(const hull *h, size_t count, double flatness)
{
    const double size = size_of(count), tiny = size * 1e-14;
    assert_int_equal(h->vertex_count + h->face_count, h->index_count / 2 + 2); /* Euler */
    for (size_t f = 0; f < h->face_count; f++) {
        look_at_face(h, f, size * flatness);
        for (size_t i = 0; i < h->vertex_count; i++)
            assert_true(height(&h->planes[f], h->vertices[i]) <= tiny);
        for (size_t i = 0; i < count; i++)
            assert_true(height(&h->planes[f], cloud[i]) <= h->lost + tiny);
    }
    for (size_t i = 0; i < h->vertex_count; i++) {
        assert_true(i == 0 || h->points[i - 1] < h->points[i]);
        assert_memory_equal(cloud[h->points[i]], h->vertices[i], sizeof *h->vertices);
    }
    if (h->vertex_count < 2000)
        look_at_sides(h);
}

static void assert_same_hull(const hull *a, const hull *b)
{
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->face_count, b->face_count);
    assert_int_equal(a->index_count, b->index_count);
    assert_memory_equal(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices);
    assert_memory_equal(a->faces, b->faces, a->face_count * sizeof *a->faces);
    assert_memory_equal(a->indices, b->indices, a->index_count * sizeof *a->indices);
}

static hull built(size_t count, size_t max)
{
    const mem m = mem_default();
    const hull_options options = {.max_vertices = max};
    lathe_error err;
    hull h;
    if (hull_build(&h, cloud[0], count, &options, &m, &err) != LATHE_OK)
        fail_msg("%s", err.message);
    return h;
}

/* The hull of so many points of the cloud, looked at, and that of its corners the same. */
static void try_cloud(size_t count, size_t vertices, size_t faces)
{
    hull h = built(count, 0);
    look_at(&h, count, NEAR);
    if (vertices > 0)
        assert_int_equal(vertices, h.vertex_count);
    if (faces > 0)
        assert_int_equal(faces, h.face_count);
    const mem m = mem_default();
    hull again;
    assert_int_equal(LATHE_OK, hull_build(&again, h.vertices[0], h.vertex_count, NULL, &m, NULL));
    assert_same_hull(&h, &again);
    hull_free(&again);
    hull_free(&h);
    hull_free(&h); /* fine twice */
}

/* ---- tests ------------------------------------------------------------------------------------------ */

static void solids_are_themselves(void **state)
{
    (void)state;
    try_cloud(tetrahedron(), 4, 4);
    try_cloud(icosahedron(), 12, 20);
    try_cloud(grid(2), 8, 6);
    try_cloud(grid(7), 8, 6);
    for (int corners = 3; corners < 40; corners += 4)
        try_cloud(prism(corners, 5), 2 * (size_t)corners, (size_t)corners + 2);
}

static void turned_solids_are_the_same(void **state)
{
    (void)state;
    for (int i = 1; i < 30; i++) {
        const double angle = i * 0.21, move = i % 3 * 5.0;
        size_t n = grid(4);
        turn_and_move(n, angle, move);
        try_cloud(n, 8, 6);
        n = prism(12, 4);
        turn_and_move(n, angle, move);
        try_cloud(n, 24, 14);
        n = icosahedron();
        turn_and_move(n, angle, move);
        try_cloud(n, 12, 20);
    }
}

static void a_box_is_six_quads(void **state)
{
    (void)state;
    static const uint32_t loops[] = {0, 1, 5, 4, 0, 2, 3, 1, 0, 4, 6, 2,
                                     1, 3, 7, 5, 2, 6, 7, 3, 4, 5, 7, 6};
    const size_t n = grid(2); /* 1 by 0.3 by 2 */
    hull h = built(n, 0);
    assert_int_equal(24, h.index_count);
    assert_memory_equal(loops, h.indices, sizeof loops);
    for (size_t f = 0; f < 6; f++)
        assert_int_equal(4, h.faces[f].count);
    assert_true(h.planes[0].n[1] == -1 && h.planes[0].d == 0);
    assert_true(h.planes[3].n[0] == 1 && h.planes[3].d == -1);
    assert_true(h.planes[5].n[2] == 1 && h.planes[5].d == -2);
    assert_true(h.lost < 1e-15);
    double cosines[24];
    assert_int_equal(LATHE_OK, hull_edge_cosines(&h, cosines, NULL));
    for (int i = 0; i < 24; i++)
        assert_true(fabs(cosines[i]) < 1e-15);
    hull_free(&h);
}

static void clouds_of_chance_are_contained(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 60; i++) {
        seed = i;
        try_cloud(cube_of_chance(4 + i * i / 4), 0, 0);
        try_cloud(ball_surface(4 + i * 7), 0, 0);
    }
    try_cloud(cube_of_chance(POINTS), 0, 0);
}

/* The numbers of f32 near its ends, and clouds that are small and far away. */
static void size_and_place_do_not_matter(void **state)
{
    (void)state;
    static const double sizes[] = {3e38, 1e30, 1e-30, 1e-38, 1e-42};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        seed = 7;
        const size_t n = cube_of_chance(300);
        for (size_t i = 0; i < n; i++)
            put(i, (double)cloud[i][0] * sizes[s], (double)cloud[i][1] * sizes[s],
                (double)cloud[i][2] * sizes[s]);
        try_cloud(n, 0, 0);
    }
    const size_t n = grid(3);
    for (size_t i = 0; i < n; i++)
        cloud[i][0] += 10000;
    try_cloud(n, 8, 6);
}

static void doubled_points_change_nothing(void **state)
{
    (void)state;
    seed = 11;
    const size_t n = ball_surface(200);
    hull once = built(n, 0);
    memcpy(cloud[n], cloud[0], n * sizeof *cloud);
    memcpy(cloud[2 * n], cloud[0], n * sizeof *cloud);
    hull thrice = built(3 * n, 0);
    look_at(&thrice, 3 * n, NEAR);
    assert_int_equal(once.vertex_count, thrice.vertex_count);
    assert_int_equal(once.face_count, thrice.face_count);
    hull_free(&once);
    hull_free(&thrice);
}

static void thin_clouds_have_hulls(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 20; i++) {
        seed = i;
        const size_t n = cube_of_chance(200);
        for (size_t p = 0; p < n; p++)
            cloud[p][i % 3] *= 5e-5f;
        turn_and_move(n, i * 0.3, 0);
        hull h = built(n, 0);
        look_at(&h, n, 3e-5);
        hull_free(&h);
    }
}

static void fewer_corners_say_what_they_lose(void **state)
{
    (void)state;
    static const size_t most[] = {4, 5, 8, 16, 100, 252};
    seed = 3;
    const size_t n = ball_surface(3000);
    double last = 2;
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        hull h = built(n, most[i]);
        assert_int_equal(most[i], h.vertex_count);
        look_at(&h, n, NEAR);
        assert_true(h.lost < last);
        last = h.lost;
        hull_free(&h);
    }
    assert_true(last < 0.03);
    hull all = built(n, 3000), whole = built(n, 0);
    assert_same_hull(&all, &whole);
    hull_free(&all);
    hull_free(&whole);
    hull few = built(prism(300, 3), 252);
    assert_int_equal(252, few.vertex_count);
    look_at(&few, 900, NEAR);
    hull_free(&few);
}

/* Faces as flat as the caller likes. */
static void flatness_joins_faces(void **state)
{
    (void)state;
    const size_t n = prism(64, 2);
    const mem m = mem_default();
    const hull_options options = {.flatness = 0.01};
    hull h;
    assert_int_equal(LATHE_OK, hull_build(&h, cloud[0], n, &options, &m, NULL));
    assert_true(h.face_count < 40);
    look_at(&h, n, 0.1);
    assert_true(h.lost < 0.1);
    hull_free(&h);
}

static void refuse(size_t count, size_t max, lathe_result code, const char *message)
{
    const mem m = mem_default();
    const hull_options options = {.max_vertices = max};
    lathe_error err;
    hull h;
    assert_int_equal(code, hull_build(&h, cloud[0], count, &options, &m, &err));
    assert_string_equal(message, err.message);
    assert_int_equal(code, err.code);
    assert_null(h.vertices);
}

static void no_hulls_are_refused_by_name(void **state)
{
    (void)state;
    const size_t n = grid(5);
    refuse(0, 0, LATHE_ERR_INVALID, "a hull needs 4 points, not 0");
    refuse(3, 0, LATHE_ERR_INVALID, "a hull needs 4 points, not 3");
    refuse(n, 3, LATHE_ERR_RANGE, "a hull needs 4 vertices, not 3");
    refuse(5, 0, LATHE_ERR_INVALID, "all points are on one line: no hull");
    refuse(25, 0, LATHE_ERR_INVALID, "all points are in one plane: no hull");
    turn_and_move(n, 0.4, 3);
    refuse(5, 0, LATHE_ERR_INVALID, "all points are on one line: no hull");
    refuse(25, 0, LATHE_ERR_INVALID, "all points are in one plane: no hull");
    refuse(HULL_POINTS_MAX + 1, 0, LATHE_ERR_LIMIT, "1048577 points: more than 1048576 for a hull");
    cloud[7][2] = INFINITY;
    refuse(n, 0, LATHE_ERR_INVALID, "point 7 is not finite: no hull");
    cloud[6][0] = NAN;
    refuse(n, 0, LATHE_ERR_INVALID, "point 6 is not finite: no hull");
    memset(cloud, 0, sizeof cloud);
    refuse(n, 0, LATHE_ERR_INVALID, "all points are at one place: no hull");
    for (size_t i = 0; i < n; i++) /* as near as their numbers can be */
        put(i, 1000 + 1e-4 * (double)(i % 2), 1000 + 1e-4 * (double)(i / 2 % 2),
            1000 + 1e-4 * (double)(i / 4));
    refuse(8, 0, LATHE_ERR_INVALID, "all points are at one place: no hull");
}

/* ---- memory ----------------------------------------------------------------------------------------- */

typedef struct short_memory {
    size_t left, used;
} short_memory;

static void *give(void *user, void *ptr, size_t old_size, size_t new_size)
{
    short_memory *s = user;
    if (new_size > 0 && new_size > old_size) {
        if (s->left == 0)
            return NULL;
        s->left--;
    }
    s->used += new_size - old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

static void without_memory_nothing_is_left(void **state)
{
    (void)state;
    seed = 5;
    const size_t n = ball_surface(200);
    const hull_options options = {.max_vertices = 50};
    lathe_result result = LATHE_ERR_MEMORY;
    for (size_t calls = 0; result != LATHE_OK; calls++) {
        short_memory s = {calls, 0};
        const mem m = {give, &s};
        lathe_error err;
        hull h;
        assert_true(calls < 2000);
        result = hull_build(&h, cloud[0], n, &options, &m, &err);
        if (result == LATHE_OK)
            hull_free(&h);
        else
            assert_int_equal(LATHE_ERR_MEMORY, result);
        assert_int_equal(0, s.used);
    }
}

/* hull_build finds flat clouds itself; this is what comes of them where it does not. */
static void what_qhull_says_is_in_the_error(void **state)
{
    (void)state;
    double flat[25][3];
    for (int i = 0; i < 25; i++) {
        flat[i][0] = i % 5 * 0.2;
        flat[i][1] = 0.5;
        flat[i][2] = i / 5 * 0.2;
    }
    hull_loops loops = {.mem = mem_default()};
    lathe_error err;
    for (int i = 0; i < 3; i++) { /* it has nothing left from the time before */
        assert_int_equal(LATHE_ERR_INVALID, hull_find_loops(&loops, flat, 25, 1e-6, &err));
        assert_non_null(strstr(err.message, "qhull found no hull: QH6154"));
        assert_null(loops.indices);
    }
}

static void built_without_qhull(void **state)
{
    (void)state;
    refuse(grid(2), 0, LATHE_ERR_UNSUPPORTED,
           "no convex hulls: this lathe was built without qhull");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_are_themselves),
        cmocka_unit_test(turned_solids_are_the_same),
        cmocka_unit_test(a_box_is_six_quads),
        cmocka_unit_test(clouds_of_chance_are_contained),
        cmocka_unit_test(size_and_place_do_not_matter),
        cmocka_unit_test(doubled_points_change_nothing),
        cmocka_unit_test(thin_clouds_have_hulls),
        cmocka_unit_test(fewer_corners_say_what_they_lose),
        cmocka_unit_test(flatness_joins_faces),
        cmocka_unit_test(no_hulls_are_refused_by_name),
        cmocka_unit_test(without_memory_nothing_is_left),
        cmocka_unit_test(what_qhull_says_is_in_the_error),
    };
    const struct CMUnitTest without[] = {cmocka_unit_test(built_without_qhull)};
    return hull_built_in() ? cmocka_run_group_tests(tests, NULL, NULL)
                           : cmocka_run_group_tests(without, NULL, NULL);
}
