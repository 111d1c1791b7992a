/* core/model/motion: a whole animation in memory, and what lies between its frames. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void close_to(double want, double got, double tolerance)
{
    if (!(fabs(want - got) <= tolerance))
        fail_msg("%.17g instead of %.17g", got, want);
}

static void ok(lathe_result r)
{
    assert_int_equal(r, LATHE_OK);
}

/* Three frames at 0, 1 and 3 s of two tracks, a float and root motion. */
static void make(model_motion *m, const mem *memory)
{
    static const double turn[3] = {0, 2.0, 4.0}; /* about z: the shorter arc from 2 to 4 is 2 */
    model_motion_init(m, memory);
    ok(model_motion_alloc(m, 3, 2, 1, true, NULL));
    for (uint64_t i = 0; i < 3; i++) {
        float *row = model_motion_row(m, i, 1);
        m->times[i] = (double)i * (double)(i + 1) / 2;
        row[0] = (float)(10 * i);
        row[5] = (float)sin(turn[i] / 2) * (i == 2 ? -1 : 1); /* the other half of the sphere */
        row[6] = (float)cos(turn[i] / 2) * (i == 2 ? -1 : 1);
        row[7] = (float)(1 + i);
        m->floats[i] = (float)i;
        m->moves[i * MODEL_MOVE + 1] = (float)(100 * i);
        m->moves[i * MODEL_MOVE + 3] = (float)(4 * i);
    }
    m->duration = 4;
    m->looping = true;
    m->tracks[1] = (model_track){model_motion_text(m, "Bone", 4), 7};
    m->float_tracks[0] = (model_float_track){model_motion_text(m, "Slot", 4), 3};
}

static void new_ones_are_at_rest(void **state)
{
    const mem memory = mem_default();
    model_motion m;
    (void)state;
    model_motion_init(&m, &memory);
    model_motion_free(&m); /* needs none, and bears it */
    ok(model_motion_alloc(&m, 2, 3, 1, false, NULL));
    assert_null(m.moves);
    assert_int_equal(m.tracks[2].bone_index, -1);
    assert_int_equal(m.float_tracks[0].slot_index, -1);
    for (uint64_t i = 0; i < 6; i++) {
        static const float rest[MODEL_POSE] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
        assert_memory_equal(m.rows + i * MODEL_POSE, rest, sizeof rest);
    }
    assert_true(m.times[1] == 0);
    model_motion_free(&m);
}

static void sizes_that_no_memory_holds(void **state)
{
    const mem memory = mem_default();
    model_motion m;
    lathe_error err;
    (void)state;
    model_motion_init(&m, &memory);
    assert_int_equal(model_motion_alloc(&m, UINT64_MAX, UINT64_MAX, 0, false, &err),
                     LATHE_ERR_MEMORY);
    assert_string_equal(err.message, "out of memory");
    model_motion_free(&m);
    assert_int_equal(model_motion_alloc(&m, 1, 1ull << 61, 0, false, &err), LATHE_ERR_MEMORY);
    model_motion_free(&m);
}

static void frames_are_found(void **state)
{
    static const struct {
        double time, share;
        uint64_t frame;
    } cases[] = {{-1, 0, 0}, {0, 0, 0},      {0.25, 0.25, 0}, {1, 0, 1},
                 {2, .5, 1}, {2.5, 0.75, 1}, {3, 0, 2},       {9, 0, 2}};
    const mem memory = mem_default();
    model_motion m;
    uint64_t frame;
    double share;
    (void)state;
    make(&m, &memory);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        model_motion_find(&m, cases[i].time, &frame, &share);
        assert_int_equal(frame, cases[i].frame);
        close_to(cases[i].share, share, 0);
    }
    model_motion_find(&m, NAN, &frame, &share);
    assert_int_equal(frame, 0);
    close_to(0, share, 0);
    model_motion_free(&m);
    model_motion_find(&m, 1, &frame, &share); /* of no frames */
    assert_int_equal(frame, 0);
    close_to(0, share, 0);
}

static void frames_are_given_bit_for_bit(void **state)
{
    const mem memory = mem_default();
    model_motion m;
    float rows[2 * MODEL_POSE], one, move[MODEL_MOVE];
    (void)state;
    make(&m, &memory);
    *model_motion_row(&m, 1, 0) = NAN;
    for (uint64_t i = 0; i < 3; i++) {
        model_motion_rows(&m, m.times[i], 0, 2, rows);
        assert_memory_equal(rows, model_motion_row(&m, i, 0), sizeof rows);
        model_motion_floats(&m, m.times[i], 0, 1, &one);
        assert_memory_equal(&one, m.floats + i, sizeof one);
        model_motion_move(&m, m.times[i], move);
        assert_memory_equal(move, m.moves + i * MODEL_MOVE, sizeof move);
    }
    model_motion_free(&m);
}

static void between_frames(void **state)
{
    const mem memory = mem_default();
    model_motion m;
    float row[MODEL_POSE], one, move[MODEL_MOVE];
    (void)state;
    make(&m, &memory);
    model_motion_rows(&m, 1.5, 1, 1, row); /* a quarter of the way from 2 to 4 radians */
    close_to(12.5, (double)row[0], 1e-6);
    close_to(sin(2.5 / 2), fabs((double)row[5]), 1e-6);
    close_to(cos(2.5 / 2), fabs((double)row[6]), 1e-6);
    close_to(2.25, (double)row[7], 1e-6);
    model_motion_floats(&m, 0.25, 0, 1, &one);
    close_to(0.25, (double)one, 1e-7);
    model_motion_move(&m, 2, move);
    close_to(150, (double)move[1], 1e-4);
    close_to(6, (double)move[3], 1e-6); /* not wrapped */
    model_motion_free(&m);
    model_motion_rows(&m, 1, 0, 1, row); /* of no frames: at rest */
    close_to(1, (double)row[6], 0);
    model_motion_move(&m, 1, move);
    close_to(0, (double)move[0], 0);
}

static void half_turns_stay_rotations(void **state)
{
    const mem memory = mem_default();
    model_motion m;
    float row[MODEL_POSE];
    (void)state;
    model_motion_init(&m, &memory);
    ok(model_motion_alloc(&m, 2, 1, 0, false, NULL));
    m.times[1] = m.duration = 1;
    model_motion_row(&m, 1, 0)[3] = 1; /* half a turn about x */
    model_motion_row(&m, 1, 0)[6] = 0;
    model_motion_rows(&m, 0.5, 0, 1, row);
    close_to(sqrt(0.5), (double)row[3], 1e-7);
    close_to(sqrt(0.5), (double)row[6], 1e-7);
    model_motion_free(&m);
}

static void copies_are_apart(void **state)
{
    const mem memory = mem_default();
    model_motion m, copy;
    (void)state;
    make(&m, &memory);
    ok(model_motion_event(&m, 2, 1, "b\0c", 3, NULL));
    ok(model_motion_event(&m, 1, 0, "a", 1, NULL));
    model_motion_init(&copy, &memory);
    ok(model_motion_copy(&copy, &m, NULL));
    assert_memory_equal(copy.rows, m.rows, 6 * MODEL_POSE * sizeof(float));
    assert_memory_equal(copy.moves, m.moves, 3 * MODEL_MOVE * sizeof(float));
    assert_memory_equal(copy.floats, m.floats, 3 * sizeof(float));
    assert_memory_equal(copy.times, m.times, 3 * sizeof(double));
    model_motion_free(&m);
    assert_string_equal(copy.tracks[1].bone, "Bone");
    assert_int_equal(copy.tracks[1].bone_index, 7);
    assert_string_equal(copy.float_tracks[0].name, "Slot");
    assert_true(copy.looping);
    assert_int_equal(copy.event_count, 2);
    assert_string_equal(copy.events[0].text, "a");
    assert_memory_equal(copy.events[1].text, "b\0c", 4);
    assert_int_equal(copy.events[1].length, 3);
    model_motion_free(&copy);
}

static void swapped_motions_work_on(void **state)
{
    const mem memory = mem_default();
    model_motion a, b;
    (void)state;
    make(&a, &memory);
    model_motion_init(&b, &memory);
    model_motion_swap(&a, &b);
    assert_int_equal(a.frame_count, 0);
    assert_ptr_equal(b.texts.mem, &b.mem);
    assert_ptr_equal(a.texts.mem, &a.mem);
    ok(model_motion_event(&a, 0, 0, "x", 1, NULL));
    ok(model_motion_event(&b, 0, 0, "y", 1, NULL));
    model_motion_free(&a);
    assert_string_equal(b.tracks[1].bone, "Bone");
    model_motion_free(&b);
}

static void annotations_are_in_time_order(void **state)
{
    static const char *const texts[] = {"0", "1", "2", "3", "4", "5", "6"};
    static const double times[] = {3, 1, 2, 1, 0, 3, 1};
    const mem memory = mem_default();
    model_motion m;
    char got[8] = "";
    (void)state;
    model_motion_init(&m, &memory);
    for (size_t i = 0; i < 7; i++)
        ok(model_motion_event(&m, times[i], (int64_t)i, texts[i], 1, NULL));
    for (size_t i = 0; i < 7; i++)
        got[i] = m.events[i].text[0];
    assert_string_equal(got, "4136205");
    for (size_t i = 0; i < 7; i++) /* turned round: those at one time stay in the order they have */
        m.events[i].time = 3 - m.events[i].time;
    model_motion_sort(&m);
    for (size_t i = 0; i < 7; i++)
        got[i] = m.events[i].text[0];
    assert_string_equal(got, "0521364");
    model_motion_sort(&m);
    assert_int_equal(m.events[3].text[0], '1');
    model_motion_free(&m);
}

static void even_times(void **state)
{
    const mem memory = mem_default();
    model_motion m;
    (void)state;
    make(&m, &memory);
    model_motion_even(&m);
    close_to(0, m.times[0], 0);
    close_to(2, m.times[1], 0);
    close_to(4, m.times[2], 0);
    model_motion_free(&m);
    ok(model_motion_alloc(&m, 1, 0, 0, false, NULL));
    m.duration = 5;
    model_motion_even(&m);
    close_to(0, m.times[0], 0);
    model_motion_free(&m);
}

/* ---- memory that runs out ---------------------------------------------------------------------------- */

static long calls_left, held;

static void *scarce(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void)user;
    if (new_size == 0) {
        held -= (long)old_size;
        free(ptr);
        return NULL;
    }
    if (calls_left-- <= 0)
        return NULL;
    held += (long)new_size - (long)old_size;
    return realloc(ptr, new_size);
}

static void copies_without_memory(void **state)
{
    const mem plenty = mem_default(), short_of = {scarce, NULL};
    model_motion m, copy;
    lathe_result r = LATHE_ERR_MEMORY;
    (void)state;
    make(&m, &plenty);
    ok(model_motion_event(&m, 1, 0, "a", 1, NULL));
    for (long n = 0; r == LATHE_ERR_MEMORY; n++) {
        calls_left = n;
        model_motion_init(&copy, &short_of);
        r = model_motion_copy(&copy, &m, NULL);
        model_motion_free(&copy);
        assert_int_equal(held, 0);
    }
    ok(r);
    model_motion_free(&m);
}

static void sorting_without_memory(void **state)
{
    const mem short_of = {scarce, NULL};
    model_motion m;
    (void)state;
    calls_left = 100;
    model_motion_init(&m, &short_of);
    for (int i = 0; i < 5; i++)
        ok(model_motion_event(&m, i, i, "a", 1, NULL));
    for (int i = 0; i < 5; i++)
        m.events[i].time = (double)(-i / 2);
    calls_left = 0;
    model_motion_sort(&m);
    static const int64_t want[5] = {4, 2, 3, 0, 1};
    for (int i = 0; i < 5; i++)
        assert_int_equal(m.events[i].track, want[i]);
    model_motion_free(&m);
    assert_int_equal(held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_ones_are_at_rest),
        cmocka_unit_test(sizes_that_no_memory_holds),
        cmocka_unit_test(frames_are_found),
        cmocka_unit_test(frames_are_given_bit_for_bit),
        cmocka_unit_test(between_frames),
        cmocka_unit_test(half_turns_stay_rotations),
        cmocka_unit_test(copies_are_apart),
        cmocka_unit_test(swapped_motions_work_on),
        cmocka_unit_test(annotations_are_in_time_order),
        cmocka_unit_test(even_times),
        cmocka_unit_test(copies_without_memory),
        cmocka_unit_test(sorting_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
