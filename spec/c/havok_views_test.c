/* Bones and annotations are changed, and skeletons linked, with memory that runs out at every single call: what fails has
 * changed nothing, what is done is the same as with all the memory in the world. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene/annotations.h"
#include "scene/rigs.h"
#include "short_memory.h"
#include "small_clip.h"

/* ---- edits -------------------------------------------------------------------------------------------- */

typedef lathe_result step(lathe_doc *doc, lathe_error *err);

static lathe_result set_note(lathe_doc *doc, uint64_t i, unsigned what, double time,
                             const char *text, int64_t track, lathe_error *err)
{
    uint64_t id = 0;
    const model_annotation values = {
        .time = time, .text = text, .length = text ? strlen(text) : 0, .track = track};
    lathe_result r = scene_notes_id(doc, 0, i, &id, err);
    return r == LATHE_OK ? scene_clip_annotation_set(doc, 0, id, what, &values, err) : r;
}

static lathe_result text(lathe_doc *doc, lathe_error *err)
{
    return set_note(doc, 0, SCENE_NOTE_TEXT, 0, "a longer text than before", 0, err);
}

static lathe_result time_stays(lathe_doc *doc, lathe_error *err)
{
    return set_note(doc, 0, SCENE_NOTE_TIME, 0.375, NULL, 0, err);
}

static lathe_result time_moves(lathe_doc *doc, lathe_error *err)
{
    return set_note(doc, 0, SCENE_NOTE_TIME, 1, NULL, 0, err);
}

static lathe_result track(lathe_doc *doc, lathe_error *err)
{
    return set_note(doc, 1, SCENE_NOTE_TRACK, 0, NULL, 1, err);
}

static lathe_result add(lathe_doc *doc, lathe_error *err)
{
    const model_annotation values = {.time = 0.5, .text = "new", .length = 3, .track = 1};
    return scene_clip_annotation_add(doc, 0, &values, err);
}

static lathe_result take_away(lathe_doc *doc, lathe_error *err)
{
    uint64_t id = 0;
    lathe_result r = scene_notes_id(doc, 0, 1, &id, err);
    return r == LATHE_OK ? scene_clip_annotation_remove(doc, 0, id, err) : r;
}

static lathe_result pose(lathe_doc *doc, lathe_error *err)
{
    const model_bone bone = {.pose = {1, 2, 3, 0, 1, 0, 0, 4, 5, 6}};
    return scene_bone_set(doc, 0, 1, MODEL_BONE_T | MODEL_BONE_Q | MODEL_BONE_S, &bone, err);
}

static lathe_result name(lathe_doc *doc, lathe_error *err)
{
    const model_bone bone = {.name = "a longer name than before", .parent = -1};
    return scene_bone_set(doc, 0, 1, MODEL_BONE_NAME | MODEL_BONE_PARENT, &bone, err);
}

static step *const steps[] = {text, time_stays, time_moves, track, add, take_away, pose, name};

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

static lathe_doc *open_clip(memory *m)
{
    lathe_options o = {.size = sizeof o, .alloc = take, .alloc_user = m, .history = 4};
    lathe_doc *doc = NULL;
    assert_int_equal(LATHE_OK, lathe_doc_parse(small_clip, sizeof small_clip, &o, &doc, NULL));
    return doc;
}

/* All that the views tell: it is what an encoded copy tells. */
static void agrees(lathe_doc *doc)
{
    memory m = {.left = -1};
    bytes now = encoded(doc);
    lathe_options o = {.size = sizeof o, .alloc = take, .alloc_user = &m};
    lathe_doc *copy = NULL;
    uint64_t n = 0, wanted = 0;
    const model_skeleton *rig, *other;
    assert_int_equal(LATHE_OK, lathe_doc_parse(now.data, now.n, &o, &copy, NULL));
    assert_int_equal(LATHE_OK, scene_notes_count(doc, 0, &n, NULL));
    assert_int_equal(LATHE_OK, scene_notes_count(copy, 0, &wanted, NULL));
    assert_int_equal(wanted, n);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t a = 0, b = 0;
        model_annotation one, two;
        assert_int_equal(LATHE_OK, scene_notes_id(doc, 0, i, &a, NULL));
        assert_int_equal(LATHE_OK, scene_notes_id(copy, 0, i, &b, NULL));
        assert_int_equal(LATHE_OK, scene_note_read(doc, 0, a, &one, NULL));
        assert_int_equal(LATHE_OK, scene_note_read(copy, 0, b, &two, NULL));
        assert_true(one.time == two.time && one.track == two.track && one.length == two.length);
        assert_memory_equal(one.text, two.text, one.length);
    }
    assert_int_equal(LATHE_OK, scene_rig(doc, 0, &rig, NULL));
    assert_int_equal(LATHE_OK, scene_rig(copy, 0, &other, NULL));
    assert_int_equal(other->bone_count, rig->bone_count);
    for (size_t i = 0; i < rig->bone_count; i++) {
        assert_string_equal(other->bones[i].name, rig->bones[i].name);
        assert_int_equal(other->bones[i].parent, rig->bones[i].parent);
        assert_memory_equal(other->bones[i].pose, rig->bones[i].pose, sizeof rig->bones[i].pose);
    }
    lathe_doc_close(copy);
}

/* The edit with `left` calls that get memory, once more with all of it if need be, and back. True: it was enough. */
static bool try_step(step *s, long left, bool known, const bytes *was, const bytes *wanted)
{
    memory m = {.left = -1};
    lathe_doc *doc = open_clip(&m);
    lathe_error err;
    if (known)
        agrees(doc);
    m.left = left;
    lathe_result r = s(doc, &err);
    bool enough = m.left != 0;
    m.left = -1;
    agrees(doc);
    bytes now = encoded(doc);
    if (r != LATHE_OK) {
        assert_int_equal(LATHE_ERR_MEMORY, r);
        same(was, &now);
        assert_int_equal(LATHE_OK, s(doc, &err));
        now = encoded(doc);
    }
    same(wanted, &now);
    agrees(doc);
    if (lathe_edit_undo(doc, 1)) {
        now = encoded(doc);
        same(was, &now);
        agrees(doc);
    }
    lathe_doc_close(doc);
    assert_int_equal(0, m.blocks);
    return enough;
}

static void edits_fail_cleanly(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        memory m = {.left = -1};
        lathe_doc *doc = open_clip(&m);
        bytes was = encoded(doc);
        assert_int_equal(LATHE_OK, steps[i](doc, NULL));
        bytes wanted = encoded(doc);
        lathe_doc_close(doc);
        for (int known = 0; known < 2; known++)
            for (long left = 0; !try_step(steps[i], left, known, &was, &wanted); left++)
                assert_true(left < 10000);
    }
}

/* ---- linked skeletons ----------------------------------------------------------------------------------- */

static lathe_result link_to(lathe_doc *rig, uint32_t i, memory *m, lathe_doc **doc,
                            lathe_error *err)
{
    lathe_options o = {
        .size = sizeof o, .alloc = take, .alloc_user = m, .skeleton = rig, .skeleton_index = i};
    return lathe_doc_parse(small_clip, sizeof small_clip, &o, doc, err);
}

static void skeletons_are_copied(void **state)
{
    memory of_rig = {.left = -1}, m = {.left = 0};
    lathe_doc *rig = open_clip(&of_rig), *doc = NULL;
    lathe_error err;
    long left = 0;
    (void)state;
    for (; (m.left = left, link_to(rig, 0, &m, &doc, &err)) != LATHE_OK; left++) {
        assert_int_equal(LATHE_ERR_MEMORY, err.code);
        assert_int_equal(0, m.blocks);
        assert_true(left < 10000);
    }
    m.left = -1;
    lathe_doc_close(rig);
    assert_int_equal(0, of_rig.blocks);
    const model_skeleton *linked = scene_linked(doc);
    assert_non_null(linked);
    assert_int_equal(2, linked->bone_count);
    assert_string_equal("Bone1", linked->bones[1].name);
    lathe_doc_close(doc);
    assert_int_equal(0, m.blocks);
}

static void skeletons_that_are_not_there(void **state)
{
    memory m = {.left = -1};
    lathe_doc *rig = open_clip(&m), *doc = NULL;
    lathe_error err;
    (void)state;
    assert_int_equal(LATHE_ERR_INVALID, link_to(rig, 7, &m, &doc, &err));
    assert_string_equal("skeleton: the document has no skeleton of that number any more",
                        err.message);
    assert_null(doc);
    lathe_doc_close(rig);
    assert_int_equal(0, m.blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_fail_cleanly),
        cmocka_unit_test(skeletons_are_copied),
        cmocka_unit_test(skeletons_that_are_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
