/* Skeletons and animations between formats and callers: options of verbs, counting, and memory that runs
 * out at every single call. */
#include "made_up_test.h"
#include "scene/clip.h"

static const char moves[] = "{bones = {{name = \"root\"}, {parent = 0, mirror = 1, name = "
                            "\"tip\"}}, clips = {{frame_count = 2,"
                            " bones = {0, 1}, length = 1, title = \"x\", absolute = true, keys = "
                            "{0, 0, 0, 0, 0, 0, 1, 1, 1, 1,"
                            " 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 10, 0, 0, 0, 0, 0, 1, 1, 1, 1, 11, 0, "
                            "0, 0, 0, 0, 1, 1, 1, 1}}}}";

typedef struct args {
    made_up_text text;
    lathe_source source;
    lathe_value skeleton; /* NONE: the text's own */
} args;

/* Options as the text has them, but for a document's or skeleton's view. */
static bool get_arg(void *user, const void *node, const char *name, uint64_t index,
                    lathe_value *leaf, const void **child)
{
    args *a = user;
    const lathe_source *s = &a->text.source;
    *child = NULL;
    if (!node && name && strcmp(name, "skeleton") == 0 && a->skeleton.kind != LATHE_KIND_NONE) {
        *leaf = a->skeleton;
        return true;
    }
    return s->get(s->user, node, name, index, leaf, child);
}

static uint64_t count_arg(void *user, const void *node)
{
    args *a = user;
    return a->text.source.count(a->text.source.user, node);
}

static args *args_of(const char *text, const lathe_value *skeleton)
{
    args *a = calloc(1, sizeof *a);
    assert_non_null(a);
    assert_true(made_up_text_read(&a->text, text));
    a->source =
        (lathe_source){.size = sizeof a->source, .user = a, .get = get_arg, .count = count_arg};
    if (skeleton)
        a->skeleton = *skeleton;
    return a;
}

static void args_free(args *a)
{
    made_up_text_free(&a->text);
    free(a);
}

/* ---- options ------------------------------------------------------------------------------------- */

static void tables_are_skeletons(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{skeleton = {-1, 0, 1}}",
        "{skeleton = {bones = {-1, 0, 1}}}",
        "{skeleton = {{}, {parent = 0}, {parent = 1.0}}}",
        "{skeleton = {bones = {{name = \"a\"}, {parent = 0}, {parent = 1}}, name = \"b\"}}",
    };
    lathe_doc *doc = new_doc("moves", moves);
    for (size_t i = 0; i < 4; i++) {
        model_skeleton skeleton;
        bool given = false;
        args *a = args_of(texts[i], NULL);
        OK(scene_skeleton_arg(doc, &a->source, "skeleton", &skeleton, &given, err));
        args_free(a); /* nothing of it is borrowed */
        assert_true(given);
        assert_int_equal(skeleton.bone_count, 3);
        for (int32_t k = 0; k < 3; k++) {
            assert_int_equal(skeleton.bones[k].parent, k - 1);
            assert_int_equal(skeleton.bones[k].mirror, -1);
            assert_true(skeleton.bones[k].pose[6] == 1 && skeleton.bones[k].pose[0] == 0);
        }
        if (i == 3) {
            assert_string_equal(skeleton.name, "b");
            assert_string_equal(skeleton.bones[0].name, "a");
            assert_null(skeleton.bones[1].name);
        }
        model_skeleton_free(&skeleton);
    }
    lathe_doc_close(doc);
}

static void nothing_is_given(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("moves", moves);
    model_skeleton skeleton;
    bool given = true;
    args *a = args_of("{other = 1}", NULL);
    OK(scene_skeleton_arg(doc, &a->source, "skeleton", &skeleton, &given, err));
    assert_false(given);
    assert_int_equal(skeleton.bone_count, 0);
    given = true;
    OK(scene_skeleton_arg(doc, NULL, "skeleton", &skeleton, &given, err));
    assert_false(given);
    args_free(a);
    lathe_doc_close(doc);
}

static void documents_are_skeletons(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("moves", moves), *bare = new_doc("pack", "{}");
    lathe_value values[] = {scene_skeleton_value(doc, 0), v_record(lathe_doc_root(doc)),
                            scene_skeleton_value(doc, 1), v_record(lathe_doc_root(bare)),
                            scene_skeleton_value(bare, 0)};
    for (size_t i = 0; i < 5; i++) {
        model_skeleton skeleton;
        bool given = false;
        args *a = args_of("{}", &values[i]);
        if (i < 2) {
            OK(scene_skeleton_arg(bare, &a->source, "skeleton", &skeleton, &given, err));
            assert_int_equal(skeleton.bone_count, 2);
            assert_string_equal(skeleton.bones[1].name, "tip");
            assert_int_equal(skeleton.bones[1].mirror, 1);
        } else {
            FAILS(LATHE_ERR_INVALID,
                  scene_skeleton_arg(bare, &a->source, "skeleton", &skeleton, &given, err));
        }
        assert_true(given);
        model_skeleton_free(&skeleton); /* also where it failed */
        args_free(a);
    }
    lathe_doc_close(doc);
    lathe_doc_close(bare);
}

/* Such a view is good for that, and for nothing else. */
static void skeletons_are_no_records(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("moves", moves);
    lathe_value skeleton = scene_skeleton_value(doc, 0), v;
    FAILS(LATHE_ERR_TYPE, lathe_view_get(skeleton.as.v, "bones", &v, err));
    FAILS(LATHE_ERR_TYPE, lathe_view_set(lathe_doc_root(doc), "bones", &skeleton, err));
    assert_int_equal(lathe_view_count(skeleton.as.v), 0);
    OK(lathe_view_at(lathe_doc_root(doc), "bones", &v, err));
    FAILS(LATHE_ERR_TYPE, lathe_view_set_item(v.as.v, 0, &skeleton, err));
    lathe_doc_close(doc);
}

/* ---- memory -------------------------------------------------------------------------------------- */

/* Everything that allocates, with call number k refused. Returns whether it was met. */
static bool run_without(const uint8_t *bytes, size_t n, const args *a, size_t k, bool on)
{
    made_up_memory m = {0};
    lathe_options options = {
        .size = sizeof options, .format = "moves", .alloc = made_up_alloc, .alloc_user = &m};
    lathe_doc *doc = parse_with(bytes, n, &options);
    model_skeleton skeleton;
    scene_clip clip;
    bool given, met;
    uint64_t count = 99;
    float rows[4 * MODEL_POSE];
    lathe_error e;
    m.fail_at = m.calls + k;
    m.fail_on = on;
    lathe_result r = scene_skeleton_arg(doc, &a->source, "skeleton", &skeleton, &given, &e);
    if (r == LATHE_OK)
        r = scene_count(doc, LATHE_SKELETONS, &count, &e);
    if (r == LATHE_OK && count != 1)
        fail_msg("call %zu: %d skeletons", k, (int)count);
    if (r == LATHE_OK)
        r = scene_count(doc, LATHE_ANIMATIONS, &count, &e);
    if (r == LATHE_OK && count != 1)
        fail_msg("call %zu: %d animations", k, (int)count);
    if (r == LATHE_OK)
        r = scene_clip_open(doc, 0, &clip, &e);
    if (r == LATHE_OK)
        r = scene_clip_decode(&clip, &skeleton, rows, &e);
    if (r == LATHE_OK)
        assert_true(rows[MODEL_POSE] == 1 && rows[3 * MODEL_POSE] == 1);
    model_skeleton_free(&skeleton);
    met = m.calls >= m.fail_at;
    m.fail_at = 0;
    if (r != LATHE_OK && (r != LATHE_ERR_MEMORY || !met)) {
        show_error(&e);
        fail_msg("call %zu: %s", k, lathe_result_name(r));
    }
    lathe_doc_close(doc);
    assert_int_equal(m.blocks, 0);
    assert_int_equal(m.bytes, 0);
    assert_false(m.wrong_size);
    return met;
}

static void memory_runs_out(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("moves", moves);
    bytes_copy b = encode(doc);
    lathe_value own = scene_skeleton_value(doc, 0);
    args *both[] = {
        args_of("{skeleton = {bones = {{name = \"a\"}, {parent = 0}}, name = \"b\"}}", NULL),
        args_of("{}", &own)};
    for (int i = 0; i < 4; i++)
        for (size_t k = 1; run_without(b.p, b.n, both[i / 2], k, i % 2); k++)
            assert_true(k < 1000);
    args_free(both[0]);
    args_free(both[1]);
    free(b.p);
    lathe_doc_close(doc);
}

/* ---- samples ------------------------------------------------------------------------------------- */

static void samples_are_checked(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("moves", moves);
    scene_clip clip;
    model_track track;
    float rows[2 * MODEL_POSE];
    OK(scene_clip_open(doc, 0, &clip, err));
    model_when half = {.is_time = true, .at = 0.5};
    OK(scene_clip_sample(&clip, &half, NULL, 0, 2, rows, err));
    assert_true(rows[0] == 5 && rows[MODEL_POSE] == 6);
    OK(scene_clip_sample(&clip, &half, NULL, 2, 0, rows, err));
    FAILS(LATHE_ERR_NAME, scene_clip_sample(&clip, &half, NULL, 1, 2, rows, err));
    FAILS(LATHE_ERR_NAME, scene_clip_sample(&clip, &half, NULL, UINT64_MAX, 2, rows, err));
    FAILS(LATHE_ERR_NAME, scene_clip_sample(&clip, &(model_when){.at = 2}, NULL, 0, 2, rows, err));
    FAILS(LATHE_ERR_NAME, scene_clip_track(&clip, 2, &track, err));
    OK(scene_clip_track(&clip, 1, &track, err));
    assert_string_equal(track.bone, "tip");
    FAILS(LATHE_ERR_NAME, scene_clip_open(doc, 1, &clip, err));
    lathe_doc_close(doc);
}

/* ---- what is kept of a document ---------------------------------------------------------------------- */

static int released;

typedef struct worth {
    rec_cached cached;
    int n;
} worth;

static void note_release(lathe_doc *doc, rec_cached *what)
{
    assert_non_null(doc);
    released += ((worth *)what)->n;
}

static const rec_cache worths = {.release = note_release};

static void kept_until_changes(void **state)
{
    (void)state;
    worth one = {.n = 1}, ten = {.n = 10};
    lathe_doc *doc = new_doc("moves", moves);
    const lathe_value same = v_int(0), other = v_int(-1);
    released = 0;
    assert_null(rec_cache_find(doc, 0, &worths));
    rec_cache_put(doc, 0, &worths, &one.cached);
    assert_ptr_equal(rec_cache_find(doc, 0, &worths), &one);
    rec_cache_put(doc, 0, &worths, &ten.cached);
    assert_int_equal(released, 1);
    lathe_view bone = view_at(doc, "bones[2]");
    OK(lathe_view_set(bone, "parent", &same, err)); /* which it was */
    assert_ptr_equal(rec_cache_find(doc, 0, &worths), &ten);
    OK(lathe_view_set(bone, "parent", &other, err));
    assert_null(rec_cache_find(doc, 0, &worths));
    assert_int_equal(released, 11);
    rec_cache_put(doc, 0, &worths, &one.cached);
    assert_true(lathe_edit_undo(doc, 1));
    assert_null(rec_cache_find(doc, 0, &worths));
    rec_cache_put(doc, 0, &worths, &one.cached);
    assert_true(lathe_edit_undo(doc, -1));
    assert_null(rec_cache_find(doc, 0, &worths));
    rec_cache_put(doc, 0, &worths, &one.cached);
    OK(lathe_edit_begin(doc, err));
    OK(lathe_view_set(bone, "parent", &same, err));
    assert_null(rec_cache_find(doc, 0, &worths));
    rec_cache_put(doc, 0, &worths, &one.cached);
    lathe_edit_end(doc, false, NULL);
    assert_null(rec_cache_find(doc, 0, &worths));
    assert_int_equal(released, 15);
    rec_cache_put(doc, 0, &worths, &ten.cached);
    lathe_doc_close(doc);
    assert_int_equal(released, 25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_skeletons),    cmocka_unit_test(nothing_is_given),
        cmocka_unit_test(documents_are_skeletons), cmocka_unit_test(skeletons_are_no_records),
        cmocka_unit_test(memory_runs_out),         cmocka_unit_test(samples_are_checked),
        cmocka_unit_test(kept_until_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
