/* Animations are changed with memory that runs out at every single call, up to the end of the edit, which writes them: what fails
 * has changed nothing, what is done is the same as with all the memory in the world. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene/motion.h"
#include "short_memory.h"
#include "small_clip.h"
#include "small_tagfile.h"

/* ---- files ---------------------------------------------------------------------------------------------- */

#define WORD(v) (v) & 255, (v) >> 8 & 255, (v) >> 16 & 255, (v) >> 24 & 255
#define ONE WORD(0x3F800000)
#define NONE WORD(0)
#define MATRIX(x)                                                                                  \
    ONE, NONE, NONE, NONE, NONE, ONE, NONE, NONE, NONE, NONE, ONE, NONE, WORD(x), ONE, NONE, ONE
#define FRAME(time, x, event, heading)                                                             \
    WORD(time), WORD(2), ONE, NONE, WORD(2), MATRIX(x), MATRIX(0x40000000), NONE, 0, WORD(1),      \
        WORD(1), WORD(3), 'h', 'i', event, NONE, NONE, NONE, WORD(heading), ONE, NONE,             \
        WORD(heading)

/* An animation of Overgrowth: version 10, centered, three key frames of two bones and an event each. */
static const unsigned char small_anm[] = {
    WORD(10),
    1,
    1,
    WORD(100),
    WORD(400),
    WORD(3),
    FRAME(100, 0x3F000000, '1', 0),
    FRAME(200, 0x3F800000, '2', 0x3F000000),
    FRAME(300, 0x40400000, '3', 0x3E800000),
};

typedef struct file {
    const char *name, *format;
    const unsigned char *data;
    size_t n;
} file;

static const file files[] = {
    {"a packfile", "hkx", small_clip, sizeof small_clip},
    {"a tagfile", "tagfile", small_tagfile, sizeof small_tagfile},
    {"an .anm", "anm", small_anm, sizeof small_anm},
};

static lathe_doc *open_file(const file *f, memory *m)
{
    lathe_options o = {
        .size = sizeof o, .format = f->format, .alloc = take, .alloc_user = m, .history = 4};
    lathe_doc *doc = NULL;
    assert_int_equal(LATHE_OK, lathe_doc_parse(f->data, f->n, &o, &doc, NULL));
    return doc;
}

/* ---- edits ---------------------------------------------------------------------------------------------- */

typedef lathe_result step(lathe_doc *doc, lathe_error *err);

static lathe_result set_row(lathe_doc *doc, uint64_t frame, uint64_t track, float x,
                            lathe_error *err)
{
    scene_clip clip;
    float row[MODEL_POSE];
    const model_when when = {.at = (double)frame};
    lathe_result r = scene_clip_open(doc, 0, &clip, err);
    if (r == LATHE_OK)
        r = scene_clip_sample(&clip, &when, NULL, track, 1, row, err);
    row[0] = x;
    return r == LATHE_OK ? scene_motion_set_row(&clip, frame, track, row, err) : r;
}

static lathe_result one_row(lathe_doc *doc, lathe_error *err)
{
    lathe_result r = rec_begin(doc, err);
    return r == LATHE_OK ? rec_end(doc, set_row(doc, 1, 1, 5.5f, err), err) : r;
}

/* Annotations of the document beside rows of the draft; the inner edit is kept, or taken back. */
static lathe_result in_edits(lathe_doc *doc, bool kept, lathe_error *err)
{
    lathe_result r = rec_begin(doc, err), inner;
    if (r != LATHE_OK)
        return r;
    r = set_row(doc, 0, 0, 3, err);
    if (r == LATHE_OK)
        r = rec_begin(doc, err);
    if (r != LATHE_OK)
        return rec_end(doc, r, err);
    inner = set_row(doc, 0, 0, 4, err);
    if (inner == LATHE_OK)
        inner = set_row(doc, 1, 0, 2, err);
    if (kept || inner != LATHE_OK)
        r = rec_end(doc, inner, err);
    else
        rec_end(doc, LATHE_ERR_STATE, NULL);
    if (r == LATHE_OK)
        r = set_row(doc, 1, 1, 2.5f, err);
    return rec_end(doc, r, err);
}

static lathe_result both(lathe_doc *doc, lathe_error *err)
{
    return in_edits(doc, true, err);
}

static lathe_result inner_fails(lathe_doc *doc, lathe_error *err)
{
    return in_edits(doc, false, err);
}

static lathe_result encoded_between(lathe_doc *doc, lathe_error *err)
{
    bytes between = {.n = 0};
    lathe_result r = rec_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    r = set_row(doc, 0, 1, 3, err);
    if (r == LATHE_OK)
        r = lathe_doc_encode(doc, keep, &between, err);
    if (r == LATHE_OK)
        r = set_row(doc, 1, 1, 2.25f, err);
    return rec_end(doc, r, err);
}

/* Frames, root motion (where there is some), annotations and times, all of it. */
static lathe_result change(const scene_clip *clip, const model_motion *was, lathe_error *err)
{
    model_motion m;
    uint64_t n = was->frame_count, tracks = was->track_count;
    model_motion_init(&m, &clip->source.doc->mem);
    lathe_result r = model_motion_alloc(&m, n + 2, tracks, 0, was->moves != NULL, err);
    if (r == LATHE_OK)
        r = model_motion_facts(&m, was, true, err);
    if (r == LATHE_OK)
        r = model_motion_event(&m, 0, 0, "and another one", 15, err);
    if (r != LATHE_OK) {
        model_motion_free(&m);
        return r;
    }
    model_motion_sort(&m);
    m.duration = 0.1 * (double)(n + 1);
    for (uint64_t i = 0; i < n + 2; i++) {
        uint64_t from = n - 1 - i % n;
        m.times[i] = 0.1 * (double)i;
        memcpy(model_motion_row(&m, i, 0), model_motion_row(was, from, 0),
               (size_t)tracks * MODEL_POSE * sizeof(float));
        if (m.moves)
            m.moves[i * MODEL_MOVE] = (float)i / 2;
    }
    return scene_motion_put(clip, &m, NULL, err);
}

static lathe_result whole(lathe_doc *doc, lathe_error *err)
{
    scene_clip clip;
    model_motion m;
    lathe_result r = rec_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    model_motion_init(&m, &doc->mem);
    r = scene_clip_open(doc, 0, &clip, err);
    if (r == LATHE_OK)
        r = scene_motion_take(&clip, NULL, &m, err);
    if (r == LATHE_OK)
        r = change(&clip, &m, err);
    model_motion_free(&m);
    if (r == LATHE_OK)
        r = set_row(doc, 1, 1, -1, err);
    return rec_end(doc, r, err);
}

static const struct edit {
    step *run;
    float first[2],
        second[2]; /* where the two tracks are then, in x, at frames 0 and 1; 0: as they were */
} edits[] = {
    {one_row, {0, 0}, {0, 5.5f}},     {both, {4, 2}, {0, 2.5f}},
    {inner_fails, {3, 0}, {0, 2.5f}}, {encoded_between, {0, 0}, {3, 2.25f}},
    {whole, {0, 0}, {0, -1}},
};

/* ---- what must hold -------------------------------------------------------------------------------------- */

static bytes encoded(lathe_doc *doc)
{
    bytes b = {.n = 0};
    assert_int_equal(LATHE_OK, lathe_doc_encode(doc, keep, &b, NULL));
    return b;
}

static void same(const bytes *a, const bytes *b)
{
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->data, b->data, a->n);
}

static void taken(lathe_doc *doc, model_motion *m)
{
    scene_clip clip;
    model_motion_init(m, &doc->mem);
    assert_int_equal(LATHE_OK, scene_clip_open(doc, 0, &clip, NULL));
    assert_int_equal(LATHE_OK, scene_motion_take(&clip, NULL, m, NULL));
}

/* All that the animation tells: it is what an encoded copy tells. */
static void agrees(const file *f, lathe_doc *doc)
{
    memory m = {.left = -1};
    bytes now = encoded(doc);
    const file as = {f->name, f->format, now.data, now.n};
    lathe_doc *copy = open_file(&as, &m);
    model_motion one, two;
    taken(doc, &one);
    taken(copy, &two);
    assert_int_equal(two.frame_count, one.frame_count);
    assert_int_equal(two.track_count, one.track_count);
    assert_int_equal(two.event_count, one.event_count);
    assert_true(two.duration == one.duration);
    assert_memory_equal(two.times, one.times, (size_t)one.frame_count * sizeof *one.times);
    assert_memory_equal(two.rows, one.rows,
                        (size_t)(one.frame_count * one.track_count) * MODEL_POSE * sizeof(float));
    for (size_t i = 0; i < one.event_count; i++)
        assert_string_equal(two.events[i].text, one.events[i].text);
    model_motion_free(&one);
    model_motion_free(&two);
    lathe_doc_close(copy);
}

static void is_at(lathe_doc *doc, const struct edit *e)
{
    model_motion m;
    taken(doc, &m);
    for (uint64_t i = 0; i < 2; i++) {
        const float x[] = {e->first[i], e->second[i]};
        for (uint64_t track = 0; track < 2; track++) {
            float got = model_motion_row(&m, i, track)[0];
            if (x[track] != 0 && !(got - x[track] <= 0.0101f && x[track] - got <= 0.0101f))
                fail_msg("%.9g instead of %.9g", got, x[track]);
        }
    }
    model_motion_free(&m);
}

/* The edit with `left` calls that get memory, once more with all of it if need be, and back. True: it was enough. */
static bool try_step(const file *f, step *s, long left, const bytes *was, const bytes *wanted)
{
    memory m = {.left = -1};
    lathe_doc *doc = open_file(f, &m);
    lathe_error err;
    m.left = left;
    lathe_result r = s(doc, &err);
    bool enough = m.left != 0;
    m.left = -1;
    agrees(f, doc);
    bytes now = encoded(doc);
    if (r != LATHE_OK) {
        assert_int_equal(LATHE_ERR_MEMORY, r);
        assert_int_equal(LATHE_ERR_MEMORY, err.code);
        same(was, &now);
        assert_int_equal(LATHE_OK, s(doc, &err));
        now = encoded(doc);
    }
    same(wanted, &now);
    if (lathe_edit_undo(doc, 1)) {
        now = encoded(doc);
        same(was, &now);
        agrees(f, doc);
    }
    lathe_doc_close(doc);
    assert_int_equal(0, m.blocks);
    return enough;
}

static void edits_fail_cleanly(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
            memory m = {.left = -1};
            lathe_doc *doc = open_file(&files[k], &m);
            bytes was = encoded(doc);
            lathe_error err;
            if (edits[i].run(doc, &err) != LATHE_OK)
                fail_msg("%s, step %zu: %s", files[k].name, i, err.message);
            bytes wanted = encoded(doc);
            is_at(doc, &edits[i]);
            assert_true(wanted.n != was.n || memcmp(wanted.data, was.data, was.n) != 0);
            lathe_doc_close(doc);
            for (long left = 0; !try_step(&files[k], edits[i].run, left, &was, &wanted); left++)
                assert_true(left < 10000);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_fail_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
