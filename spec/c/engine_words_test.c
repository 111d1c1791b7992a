/* What the made-up format words has, from C: counts that are kept elsewhere, parts that move. */
#include "made_up_test.h"

static const char source[] = "{version = 1, corners = {129, 130, 131}, "
                             "frames = {{time = 1, name = \"a\"}, {time = 2}, {time = 3}}}";

static void counts_kept_elsewhere(void **state)
{
    (void)state;
    static const char *const lists[] = {"{}", "{1, 2}", "{4, 5, 6}", "{1, 2, 3, 4, 5}"};
    static const uint64_t counts[] = {0, 2, 3, 5};
    for (size_t i = 0; i < 4; i++) {
        char text[80];
        lathe_options o = {.size = sizeof o, .history = 4};
        lathe_doc *doc = new_doc_with("words", source, &o);
        bytes_copy before = encode(doc);
        snprintf(text, sizeof text, "{corners = %s}", lists[i]);
        OK(try_build(lathe_doc_root(doc), text, err));
        assert_int_equal(int_at(doc, "corner_count"), counts[i]);
        assert_int_equal(lathe_view_count(view_at(doc, "corners")), counts[i]);
        assert_int_equal(lathe_doc_size(doc), before.n + counts[i] - 3);
        assert_int_equal(int_at(doc, "frames[2].time"), 2);
        assert_int_equal(int_at(doc, "frame_count"), 3);
        FAILS(LATHE_ERR_INVALID,
              try_build(lathe_doc_root(doc), "{corner_count = 9, corners = {1}}", err));
        FAILS(LATHE_ERR_TYPE, try_build(lathe_doc_root(doc), "{corners = {1, \"x\"}}", err));
        assert_int_equal(int_at(doc, "corner_count"), counts[i]);
        OK(try_build(lathe_doc_root(doc), "{mood = 7}", err));
        assert_int_equal(int_at(doc, "mood"), 7);
        while (lathe_edit_undo(doc, 1))
            ;
        assert_true(same_as(doc, before));
        free(before.p);
        lathe_doc_close(doc);
    }
}

static lathe_result move(lathe_doc *doc, uint64_t from, uint64_t to, lathe_error *err)
{
    lathe_result r = rec_begin(doc, err);
    return r == LATHE_OK ? rec_end(doc, made_up_move(doc, "frames", from, to, err), err) : r;
}

/* A part that was moved, and then removed, comes back whole, however short the history is. */
static void moved_parts_come_back(void **state)
{
    (void)state;
    lathe_options o = {.size = sizeof o, .history = 1};
    lathe_doc *doc = new_doc_with("words", source, &o);
    set_value(view_at(doc, "frames[1]"), "name", v_text("its own bytes"));
    lathe_view held = view_at(doc, "frames[1]");
    OK(move(doc, 0, 2, err));
    assert_int_equal(int_at(doc, "frames[1].time"), 2);
    assert_int_equal(int_at(doc, "frames[3].time"), 1);
    assert_int_equal(get_int(held, "time"), 1);
    bytes_copy moved = encode(doc);
    OK(lathe_view_remove(view_at(doc, "frames"), 2, 1, err));
    assert_true(lathe_edit_undo(doc, 1));
    assert_true(same_as(doc, moved));
    assert_int_equal(int_at(doc, "frames[3].time"), 1);
    FAILS(LATHE_ERR_BOUNDS, move(doc, 0, 3, err));
    assert_true(same_as(doc, moved));
    /* the same behind a move that was undone */
    OK(move(doc, 2, 0, err));
    assert_true(lathe_edit_undo(doc, 1));
    assert_true(same_as(doc, moved));
    assert_true(lathe_edit_undo(doc, -1));
    assert_int_equal(int_at(doc, "frames[1].time"), 1);
    assert_true(lathe_edit_undo(doc, 1));
    OK(lathe_view_remove(view_at(doc, "frames"), 2, 1, err));
    assert_true(lathe_edit_undo(doc, 1));
    assert_true(same_as(doc, moved));
    free(moved.p);
    lathe_doc_close(doc);
}

static bool note_offset(void *user, const lathe_error *finding)
{
    *(uint64_t *)user = finding->offset;
    return true;
}

/* Bytes that are a part of their own lie where they lie. */
static void findings_in_bytes(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("words", "{frames = {{}}, trailing = \"tail\"}");
    uint64_t off = 0;
    rec_report report = {.doc = doc, .each = note_offset, .user = &off};
    rec_at root = rec_root(doc, 0);
    rec_finding(&report, LATHE_LEVEL_WARNING, &root, rec_slot_find(root.layout, "trailing"),
                REC_NO_ITEM, "here");
    assert_int_equal(off, lathe_doc_size(doc) - 4);
    lathe_doc_close(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_kept_elsewhere),
        cmocka_unit_test(moved_parts_come_back),
        cmocka_unit_test(findings_in_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
