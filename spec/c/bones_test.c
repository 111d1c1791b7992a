/* Skeletons in poses, and tracks, as pictures have them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "preview/bones.h"
#include "preview/pose.h"
#include "preview/track.h"
#include "small_clips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static mem memory;

static void names_tell_sides(void **state)
{
    (void)state;
    static const char *const left[] = {"NPC L Hand [LHnd]", "LeftArm", "arm_left", "hand.l", "L",
                                       "LArm_Hand"};
    static const char *const right[] = {"NPC R Hand [RHnd]", "RightArm", "Bip01 R Calf", "hand_r",
                                        "RLeg_Foot"};
    static const char *const middle[] = {"NPC Spine", "Pelvis", "", "Lower", "Roll", "LOD"};
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(preview_side_of(left[i]), PREVIEW_LEFT);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(preview_side_of(right[i]), PREVIEW_RIGHT);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(preview_side_of(middle[i]), PREVIEW_MIDDLE);
    assert_int_equal(preview_side_of(NULL), PREVIEW_MIDDLE);
}

/* ---- animations ---- */

static lathe_doc *open_clip(const uint8_t *bytes, size_t n, const char *name)
{
    lathe_doc *doc = NULL;
    lathe_options options = {.size = sizeof options, .path = name};
    assert_int_equal(lathe_doc_parse(bytes, n, &options, &doc, NULL), LATHE_OK);
    return doc;
}

static bool count_bytes(void *user, const void *bytes, size_t n)
{
    (void)bytes;
    *(size_t *)user += n;
    return true;
}

static void draw_track(const preview_track *track, size_t *bytes)
{
    for (picture_kind kind = PICTURE_PNG; kind <= PICTURE_SVG; kind++) {
        picture_canvas *canvas;
        assert_int_equal(picture_canvas_new(&memory, kind, 400, 300, 0xffffffff, &canvas, NULL),
                         LATHE_OK);
        preview_curves curves = {.tracks = {track}};
        assert_int_equal(preview_track_draw(canvas, &curves, (frame_rect){10, 10, 380, 280}, NULL),
                         LATHE_OK);
        assert_int_equal(picture_canvas_write(canvas, count_bytes, bytes, NULL), LATHE_OK);
        picture_canvas_free(canvas);
    }
}

static void tracks_are_those_of_the_animation(void **state)
{
    (void)state;
    memory = mem_default();
    lathe_doc *doc = open_clip(small_spline, sizeof small_spline, "a.hkx");
    preview_track t;
    for (uint64_t track = 0; track < 2; track++) {
        size_t bytes = 0;
        assert_int_equal(preview_track_read(&memory, doc, 0, track, false, &t, NULL), LATHE_OK);
        assert_int_equal(t.frames, 4);
        assert_int_equal(t.event_count, 1);
        for (uint64_t i = 0; i < t.frames; i++) {
            float row[MODEL_POSE];
            const lathe_sampling how = {.size = sizeof how, .at = (double)i};
            assert_int_equal(lathe_clip_sample(doc, 0, &how, track, 1, row, MODEL_POSE, NULL),
                             LATHE_OK);
            assert_memory_equal(row, t.rows + i * MODEL_POSE, sizeof row);
        }
        draw_track(&t, &bytes);
        preview_track_free(&t);
    }
    assert_int_equal(preview_track_read(&memory, doc, 0, 2, false, &t, NULL), LATHE_ERR_NAME);
    preview_track_free(&t);
    lathe_doc_close(doc);
}

static void wild_numbers_are_drawn(void **state)
{
    (void)state;
    memory = mem_default();
    enum { N = 40 };
    float rows[N * MODEL_POSE], floats[N], moves[N * MODEL_MOVE];
    double times[N];
    static const float wild[] = {0, 1e30f, -1e30f, NAN, INFINITY, 1e-30f, 3.4e38f};
    for (size_t i = 0; i < N; i++) {
        times[i] = (double)i / 30;
        floats[i] = wild[i % 7];
        for (size_t k = 0; k < MODEL_POSE; k++)
            rows[i * MODEL_POSE + k] = wild[(i * 3 + k) % 7];
        for (size_t k = 0; k < MODEL_MOVE; k++)
            moves[i * MODEL_MOVE + k] = wild[(i + k) % 7];
    }
    model_event events[] = {
        {NAN, "nan", 3, 0}, {0.5, "\xff</script>", 10, 0}, {1e300, "far", 3, 0}};
    preview_track t = {&memory, times, N, 39.0 / 30, rows, floats, moves, events, 3};
    size_t bytes = 0;
    draw_track(&t, &bytes);
    for (unsigned k = 0; k < 4; k++) {
        t.duration = (const double[]){0, NAN, 1e300, -1}[k];
        draw_track(&t, &bytes);
    }
    t.frames = 0;
    draw_track(&t, &bytes);
}

/* Bones of any numbers are drawn, and names that have no room are counted. */
static void bones_are_drawn_and_names_counted(void **state)
{
    (void)state;
    enum { N = 2000 };
    static vec3 points[N];
    static int32_t parents[N];
    memory = mem_default();
    model_skeleton s;
    model_skeleton_init(&s, &memory);
    assert_int_equal(model_skeleton_alloc(&s, N, NULL), LATHE_OK);
    for (int32_t i = 0; i < N; i++) {
        s.bones[i].name = "NPC </script> [Hand]";
        parents[i] = i - 1;
        points[i] = (vec3){i % 40, i / 40.0, 0};
    }
    points[7] = (vec3){NAN, 0, 0};
    points[8] = (vec3){1e30, -1e30, 1e30};
    points[9] = (vec3){0, 0, INFINITY};
    const preview_bones b = {&s, parents, points, N, NULL};
    const picture_camera camera = {
        .view = mat4_identity(), .scale = 4, .centre = {20, 250}, .near = -10, .far = 10};
    for (picture_kind kind = PICTURE_PNG; kind <= PICTURE_SVG; kind++) {
        picture_canvas *canvas;
        size_t bytes = 0, hidden = 0, again = 0;
        assert_int_equal(picture_canvas_new(&memory, kind, 400, 300, 0xffffffff, &canvas, NULL),
                         LATHE_OK);
        const frame_rect box = {0, 0, 400, 300};
        assert_int_equal(preview_bones_draw(&memory, canvas, &b, &camera, box, true, &hidden, NULL),
                         LATHE_OK);
        assert_true(hidden > N / 2 && hidden < N - 10);
        preview_bones_draw(&memory, canvas, &b, &camera, box, true, &again, NULL);
        assert_int_equal(hidden, again);
        assert_int_equal(picture_canvas_write(canvas, count_bytes, &bytes, NULL), LATHE_OK);
        assert_true(bytes > 1000);
        picture_canvas_free(canvas);
    }
    model_skeleton_free(&s);
}

/* ---- parents ---- */

enum { MANY = 1000000 };

/* Orders a skeleton, and checks that parents come first and only `cut` links are left out. */
static void order(const model_skeleton *s, size_t cut)
{
    size_t n = s->bone_count, missing = 0;
    int32_t *parents = malloc(n * sizeof *parents);
    uint32_t *bones = malloc(n * sizeof *bones);
    bool *seen = calloc(n, 1);
    assert_int_equal(preview_order_bones(s, parents, bones), cut);
    for (size_t k = 0; k < n; k++) {
        size_t i = bones[k];
        assert_true(i < n && !seen[i]);
        seen[i] = true;
        if (parents[i] != s->bones[i].parent) {
            assert_int_equal(parents[i], -1);
            missing++;
        } else if (parents[i] >= 0) {
            assert_true(seen[parents[i]]);
        }
    }
    assert_int_equal(missing, cut);
    free(parents);
    free(bones);
    free(seen);
}

/* Takes minutes if anything in it is quadratic. */
static void parents_in_any_order(void **state)
{
    (void)state;
    memory = mem_default();
    model_skeleton s;
    model_skeleton_init(&s, &memory);
    assert_int_equal(model_skeleton_alloc(&s, MANY, NULL), LATHE_OK);
    for (int32_t i = 0; i < MANY; i++)
        s.bones[i].parent = i - 1;
    order(&s, 0);
    for (int32_t i = 0; i < MANY; i++)
        s.bones[i].parent = i + 1; /* the last one is no bone */
    order(&s, 1);
    s.bones[MANY - 1].parent = 0; /* one circle */
    order(&s, 1);
    s.bones[MANY - 1].parent = MANY / 2; /* a long way to a circle */
    order(&s, 1);
    for (int32_t i = 0; i < MANY; i++)
        s.bones[i].parent = i; /* each its own parent */
    order(&s, MANY);
    uint32_t random = 1;
    for (int32_t i = 0; i < MANY; i++) {
        random = random * 1664525 + 1013904223;
        s.bones[i].parent = i ? (int32_t)(random % (uint32_t)i) : INT32_MIN;
    }
    order(&s, 1);
    for (int32_t i = 0; i + 1 < MANY; i += 2) { /* pairs */
        s.bones[i].parent = i + 1;
        s.bones[i + 1].parent = i;
    }
    order(&s, MANY / 2);
    model_skeleton_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bones_are_drawn_and_names_counted),
        cmocka_unit_test(names_tell_sides),
        cmocka_unit_test(parents_in_any_order),
        cmocka_unit_test(tracks_are_those_of_the_animation),
        cmocka_unit_test(wild_numbers_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
