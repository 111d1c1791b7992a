/* Texts around pictures, and which plots of tracks are shown and what they tell. */
#include "preview/foot.h"
#include "preview/plots.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* ---- texts --------------------------------------------------------------------------------------- */

static void long_texts_end_at_whole_characters(void **state)
{
    static const char *const characters[] = {"a", "\xc3\xa9", "\xe2\x80\xa6", "\xf0\x9f\x8e\xa8"};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        const size_t bytes = strlen(characters[i]);
        char text[600] = "";
        for (size_t n = 0; n + bytes < sizeof text; n += bytes)
            memcpy(text + n, characters[i], bytes + 1);
        for (size_t room = 2; room < 40; room++) {
            char out[40] = "-";
            frame_append(out, room, text);
            assert_int_equal(strlen(out), 1 + (room - 2) / bytes * bytes);
            assert_memory_equal(out + 1, text, strlen(out) - 1);
        }
    }
}

/* Bytes that are no UTF-8 are kept: they are shown as numbers. */
static void other_bytes_are_kept(void **state)
{
    char out[8] = "";
    (void)state;
    frame_append(out, sizeof out, "ab\xff");
    assert_string_equal(out, "ab\xff");
    memset(out, 0, sizeof out);
    frame_append(out, sizeof out, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80");
    assert_string_equal(out, "\x80\x80\x80\x80\x80\x80\x80");
}

static void counts_have_a_singular(void **state)
{
    static const struct {
        uint64_t n;
        const char *text;
    } cases[] = {{0, "0 bones"},
                 {1, "1 bone"},
                 {2, "2 bones"},
                 {1000000001, "1000000001 bones"},
                 {UINT64_MAX, "18446744073709551615 bones"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[64] = "";
        frame_append_count(out, sizeof out, cases[i].n, " bone", " bones");
        assert_string_equal(out, cases[i].text);
    }
}

static void lines_do_not_end_after_a_nul(void **state)
{
    static const char text[] = "aaaaaaaaaaaaaaa\0aaaaaaaaaaaaaaaaaaaaaaaaa";
    size_t next;
    (void)state;
    const double room = picture_text_width(13, text, 20);
    const size_t fits = picture_text_prefix(13, text, sizeof text - 1, room);
    assert_in_range(fits, 17, sizeof text - 2);
    assert_int_equal(frame_break((frame_text){text, sizeof text - 1}, 13, room, &next), fits);
    char other[sizeof text];
    memcpy(other, text, sizeof text);
    other[15] = '/'; /* a place for a break */
    assert_int_equal(frame_break((frame_text){other, sizeof text - 1}, 13, room, &next), 16);
}

/* ---- plots --------------------------------------------------------------------------------------- */

enum { FRAMES = 3 };

typedef struct track {
    double times[FRAMES];
    float rows[FRAMES * MODEL_POSE];
    preview_track track;
} track;

static void make(track *t)
{
    memset(t, 0, sizeof *t);
    for (int i = 0; i < FRAMES; i++) {
        t->times[i] = i;
        t->rows[i * MODEL_POSE + 6] = 1;
        for (int k = 7; k < MODEL_POSE; k++)
            t->rows[i * MODEL_POSE + k] = 1;
    }
    t->track = (preview_track){.times = t->times, .rows = t->rows, .frames = FRAMES, .duration = 2};
}

/* Of a rotation that moves and a translation that does not, there is room for one. */
static void a_number_that_is_none_hides_no_change(void **state)
{
    static const float odd[] = {NAN, INFINITY, -INFINITY};
    (void)state;
    for (int frame = 0; frame < FRAMES; frame++)
        for (int i = 0; i < 3; i++) {
            track t;
            plot plots[PLOT_LIMIT];
            make(&t);
            t.rows[((frame + 1) % FRAMES) * MODEL_POSE + 3] = 0.5F;
            t.rows[frame * MODEL_POSE + 3] = odd[i];
            const preview_track *const one[2] = {&t.track, NULL};
            unsigned n = plot_list(one, plots);
            assert_int_equal(n, 2);
            plot_choose(plots, &n, 1);
            assert_int_equal(n, 1);
            assert_string_equal(plots[0].name, "rotation");
        }
}

static const char *told(const track *a, const track *b, unsigned number)
{
    static char text[PLOT_TEXT];
    plot plots[PLOT_LIMIT];
    const preview_track *const both[2] = {&a->track, &b->track};
    assert_int_equal(plot_list(both, plots), 2);
    const plot_change change = plot_compare(&plots[number]);
    plot_tell(&plots[number], &change, text);
    return text;
}

/* A quaternion of zero is no rotation: it differs by no angle, and the text says that it was not compared. */
static void what_cannot_be_compared_is_told(void **state)
{
    track a, b;
    (void)state;
    make(&a), make(&b);
    assert_string_equal(told(&a, &b, 1), "no difference");
    b.rows[6] = 0;
    assert_string_equal(told(&a, &b, 1), "cannot be compared at 1 time");
    a.rows[6] = 0; /* both have none */
    assert_string_equal(told(&a, &b, 1), "no difference");
    b.rows[MODEL_POSE + 6] = NAN;
    a.rows[2 * MODEL_POSE + 6] = INFINITY;
    assert_string_equal(told(&a, &b, 1), "cannot be compared at 2 times");
    b.rows[2 * MODEL_POSE + 6] = INFINITY;
    a.rows[MODEL_POSE + 6] = NAN;
    assert_string_equal(told(&a, &b, 1), "no difference");
    assert_string_equal(told(&a, &b, 0), "no difference");
    b.rows[0] = 3;
    assert_string_equal(told(&a, &b, 0), "differs by up to 3 units, at 0 s");
    b.rows[MODEL_POSE] = -INFINITY;
    assert_string_equal(told(&a, &b, 0),
                        "differs by up to 3 units, at 0 s; cannot be compared at 1 time");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_texts_end_at_whole_characters),
        cmocka_unit_test(other_bytes_are_kept),
        cmocka_unit_test(counts_have_a_singular),
        cmocka_unit_test(lines_do_not_end_after_a_nul),
        cmocka_unit_test(a_number_that_is_none_hides_no_change),
        cmocka_unit_test(what_cannot_be_compared_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
