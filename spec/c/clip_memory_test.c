/* Animations are edited with memory that runs out at every single call: an edit that fails has changed nothing and loses
 * nothing, one that is done is what it is with all the memory in the world. */
#include "lathe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene/motion.h"
#include "short_memory.h"
#include "small_clips.h"

typedef lathe_result act(lathe_doc *doc, lathe_error *err);

static lathe_result set_row(lathe_doc *doc, uint64_t frame, float x, lathe_error *err)
{
    const float row[MODEL_POSE] = {x, 1, 2, 0, 0, 0, 1, 1, 1, 1};
    scene_clip clip;
    lathe_result r = scene_clip_open(doc, 0, &clip, err);
    return r == LATHE_OK ? scene_motion_set_row(&clip, frame, 1, row, err) : r;
}

static lathe_result set_one(lathe_doc *doc, lathe_error *err)
{
    return set_row(doc, 1, 7, err);
}

static bool forget(void *user, const void *p, size_t n)
{
    (void)user, (void)p, (void)n;
    return true;
}

/* An edit in the edit, and bytes that are asked for in between. */
static lathe_result set_two(lathe_doc *doc, lathe_error *err)
{
    lathe_result r = set_row(doc, 1, 7, err);
    if (r == LATHE_OK)
        r = lathe_doc_encode(doc, forget, NULL, err);
    if (r == LATHE_OK)
        r = lathe_edit_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    r = set_row(doc, 0, -3, err);
    if (r == LATHE_OK)
        return lathe_edit_end(doc, true, err);
    lathe_edit_end(doc, false, NULL);
    return r;
}

/* A whole animation: one frame more, an annotation more. */
static lathe_result grow(lathe_doc *doc, lathe_error *err)
{
    model_motion m, to;
    scene_clip clip;
    lathe_result r = scene_clip_open(doc, 0, &clip, err);
    if (r != LATHE_OK)
        return r;
    model_motion_init(&m, &doc->mem);
    model_motion_init(&to, &doc->mem);
    r = scene_motion_take(&clip, NULL, &m, err);
    if (r == LATHE_OK)
        r = model_motion_alloc(&to, m.frame_count + 1, m.track_count, m.float_count,
                               m.moves != NULL, err);
    if (r == LATHE_OK)
        r = model_motion_facts(&to, &m, true, err);
    if (r == LATHE_OK)
        r = model_motion_event(&to, 0, 1, "new", 3, err);
    if (r == LATHE_OK) {
        model_motion_even(&to);
        r = scene_motion_put(&clip, &to, NULL, err);
    }
    model_motion_free(&m);
    model_motion_free(&to);
    return r;
}

/* ---- objects --------------------------------------------------------------------------------------------- */

static bool get_class(void *user, const void *node, const char *name, uint64_t index,
                      lathe_value *leaf, const void **child)
{
    static const char class[] = "hkaDefaultAnimatedReferenceFrame";
    (void)user, (void)node, (void)index, (void)child;
    if (!name || strcmp(name, "class") != 0)
        return false;
    *leaf = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {class, sizeof class - 1}};
    return true;
}

static uint64_t count_none(void *user, const void *node)
{
    (void)user, (void)node;
    return 0;
}

static lathe_result objects_of(lathe_doc *doc, lathe_value *objects, lathe_error *err)
{
    return lathe_view_get(lathe_doc_root(doc), "objects", objects, err);
}

/* A new object, which the animation moves by. */
static lathe_result append(lathe_doc *doc, lathe_error *err)
{
    const lathe_source fields = {
        .size = offsetof(lathe_source, name), .get = get_class, .count = count_none};
    lathe_value objects, object;
    scene_clip clip;
    lathe_result r = objects_of(doc, &objects, err);
    uint64_t n = r == LATHE_OK ? lathe_view_count(objects.as.v) : 0;
    if (r == LATHE_OK)
        r = lathe_view_insert(objects.as.v, n, 1, err);
    if (r == LATHE_OK)
        r = lathe_view_item(objects.as.v, n, &object, err);
    if (r == LATHE_OK)
        r = lathe_view_build(object.as.v, &fields, err);
    if (r == LATHE_OK)
        r = lathe_view_item(objects.as.v, n, &object, err);
    if (r == LATHE_OK)
        r = scene_clip_open(doc, 0, &clip, err);
    return r == LATHE_OK ? lathe_view_set(clip.source, "extracted_motion", &object, err) : r;
}

static lathe_result take_out(lathe_doc *doc, lathe_error *err)
{
    lathe_value objects;
    lathe_result r = objects_of(doc, &objects, err);
    return r == LATHE_OK ? lathe_view_remove(objects.as.v, 1, 1, err) : r;
}

static lathe_result whole(lathe_doc *doc, act *run, lathe_error *err)
{
    lathe_result r = lathe_edit_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    r = run(doc, err);
    if (r == LATHE_OK)
        return lathe_edit_end(doc, true, err);
    lathe_edit_end(doc, false, NULL);
    return r;
}

static lathe_doc *open_with(const uint8_t *data, size_t n, const char *format, memory *m)
{
    lathe_options options = {
        .size = sizeof options, .format = format, .history = 4, .alloc = take, .alloc_user = m};
    lathe_doc *doc = NULL;
    lathe_error err;
    assert_int_equal(lathe_doc_parse(data, n, &options, &doc, &err), LATHE_OK);
    return doc;
}

static void same_bytes(lathe_doc *doc, const void *data, size_t n)
{
    static bytes now;
    lathe_error err;
    now.n = 0;
    assert_int_equal(lathe_doc_encode(doc, keep, &now, &err), LATHE_OK);
    assert_int_equal(now.n, n);
    assert_memory_equal(now.data, data, n);
}

static void at_every_call(const uint8_t *data, size_t n, const char *format, act *run)
{
    static bytes wanted;
    memory m = {.left = -1};
    lathe_error err;
    lathe_doc *doc = open_with(data, n, format, &m);
    assert_int_equal(whole(doc, run, &err), LATHE_OK);
    wanted.n = 0;
    assert_int_equal(lathe_doc_encode(doc, keep, &wanted, &err), LATHE_OK);
    assert_false(wanted.n == n && memcmp(wanted.data, data, n) == 0);
    lathe_doc_close(doc);
    assert_int_equal(m.blocks, 0);
    bool done = false;
    for (long calls = 0; !done; calls++) {
        doc = open_with(data, n, format, &m);
        m.left = calls;
        lathe_result r = whole(doc, run, &err);
        m.left = -1;
        done = r == LATHE_OK;
        if (!done)
            assert_int_equal(r, LATHE_ERR_MEMORY);
        same_bytes(doc, done ? wanted.data : data, done ? wanted.n : n);
        bool undone = lathe_edit_undo(doc, 1); /* the last call that fails may be of the history */
        assert_true(done || !undone);
        same_bytes(doc, done && !undone ? wanted.data : data, done && !undone ? wanted.n : n);
        if (undone || !done)
            assert_int_equal(whole(doc, run, &err), LATHE_OK);
        same_bytes(doc, wanted.data, wanted.n);
        lathe_doc_close(doc);
        assert_int_equal(m.blocks, 0);
    }
}

static void splines(void **state)
{
    (void)state;
    at_every_call(small_spline, sizeof small_spline, "hkx", set_one);
    at_every_call(small_spline, sizeof small_spline, "hkx", set_two);
    at_every_call(small_spline, sizeof small_spline, "hkx", grow);
}

static void objects(void **state)
{
    (void)state;
    at_every_call(small_spline, sizeof small_spline, "hkx", append);
    at_every_call(small_spline, sizeof small_spline, "hkx", take_out);
}

static void matrices(void **state)
{
    (void)state;
    at_every_call(small_anm, sizeof small_anm, "anm", set_one);
    at_every_call(small_anm, sizeof small_anm, "anm", set_two);
    at_every_call(small_anm, sizeof small_anm, "anm", grow);
}

/* ---- edits in edits ---------------------------------------------------------------------------------------- */

enum { FRAMES = 2, TRACKS = 2, ALL = FRAMES * TRACKS * MODEL_POSE };

static void look(lathe_doc *doc, float *rows)
{
    lathe_error err;
    scene_clip clip;
    assert_int_equal(scene_clip_open(doc, 0, &clip, &err), LATHE_OK);
    for (int i = 0; i < FRAMES; i++) {
        const model_when when = {.at = i};
        assert_int_equal(
            scene_clip_sample(&clip, &when, NULL, 0, TRACKS, rows + i * TRACKS * MODEL_POSE, &err),
            LATHE_OK);
    }
}

/* Another animation: all of it is farther to the side. */
static void put_all(lathe_doc *doc)
{
    lathe_error err;
    model_motion m;
    scene_clip clip;
    model_motion_init(&m, &doc->mem);
    assert_int_equal(scene_clip_open(doc, 0, &clip, &err), LATHE_OK);
    assert_int_equal(scene_motion_take(&clip, NULL, &m, &err), LATHE_OK);
    for (uint64_t i = 0; i < m.frame_count; i++)
        model_motion_row(&m, i, 1)[0] += 1;
    assert_int_equal(scene_motion_put(&clip, &m, NULL, &err), LATHE_OK);
}

static unsigned roll(uint32_t *dice, unsigned n)
{
    *dice = *dice * 1664525 + 1013904223;
    return (*dice >> 8) % n;
}

static void any_edit(uint32_t *dice, lathe_doc *doc, int depth)
{
    lathe_error err;
    float before[ALL], inside[ALL], after[ALL];
    look(doc, before);
    assert_int_equal(lathe_edit_begin(doc, &err), LATHE_OK);
    for (unsigned n = roll(dice, 5); n > 0; n--)
        switch (roll(dice, depth < 4 ? 6 : 4)) {
        case 0:
        case 1: put_all(doc); break;
        case 2:
            assert_int_equal(set_row(doc, roll(dice, FRAMES), (float)roll(dice, 50), &err),
                             LATHE_OK);
            break;
        case 3:
            look(doc, inside);
            assert_int_equal(lathe_doc_encode(doc, forget, NULL, &err), LATHE_OK);
            look(doc, after);
            assert_memory_equal(inside, after, sizeof after);
            break;
        default: any_edit(dice, doc, depth + 1); break;
        }
    look(doc, inside);
    bool kept = roll(dice, 2) != 0;
    lathe_edit_end(doc, kept, &err);
    look(doc, after);
    if (!kept)
        assert_memory_equal(before, after, sizeof after);
    else if (depth > 0) /* at the end of all edits samples are encoded, to within the tolerance */
        assert_memory_equal(inside, after, sizeof after);
}

static void dropped_edits(void **state)
{
    uint32_t dice = 20261123;
    (void)state;
    for (int i = 0; i < 400; i++) {
        memory m = {.left = -1};
        lathe_doc *doc = i % 2 ? open_with(small_anm, sizeof small_anm, "anm", &m)
                               : open_with(small_spline, sizeof small_spline, "hkx", &m);
        for (int k = 0; k < 3; k++)
            any_edit(&dice, doc, 0);
        while (lathe_edit_undo(doc, 1))
            ;
        same_bytes(doc, i % 2 ? small_anm : small_spline,
                   i % 2 ? sizeof small_anm : sizeof small_spline);
        lathe_doc_close(doc);
        assert_int_equal(m.blocks, 0);
    }
}

/* What an edit holds does not grow with the edits in it that went well. */
static void many_in_one(void **state)
{
    memory m = {.left = -1};
    lathe_error err;
    long blocks = 0;
    (void)state;
    lathe_doc *doc = open_with(small_spline, sizeof small_spline, "hkx", &m);
    assert_int_equal(lathe_edit_begin(doc, &err), LATHE_OK);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(lathe_edit_begin(doc, &err), LATHE_OK);
        put_all(doc);
        put_all(doc);
        assert_int_equal(lathe_edit_end(doc, true, &err), LATHE_OK);
        blocks = i == 4 ? m.blocks : blocks;
    }
    assert_in_range(m.blocks, 1, blocks);
    assert_int_equal(lathe_edit_end(doc, false, &err), LATHE_OK);
    same_bytes(doc, small_spline, sizeof small_spline);
    lathe_doc_close(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(splines), cmocka_unit_test(objects),
                                       cmocka_unit_test(matrices), cmocka_unit_test(dropped_edits),
                                       cmocka_unit_test(many_in_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
