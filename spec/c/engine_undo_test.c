/* Edits as transactions: undo and redo to the byte, views from every stage, edits inside edits,
 * failure at the last of many steps. */
#include "made_up_test.h"

#include "record/record.h"

enum { STEPS = 30 };

static lathe_doc *open_sample(const char *format, const char *text, uint32_t history)
{
    lathe_doc *made = new_doc(format, text);
    bytes_copy b = encode(made);
    lathe_doc_close(made);
    lathe_doc *doc =
        parse_with(b.p, b.n, &(lathe_options){.size = sizeof(lathe_options), .history = history});
    free(b.p);
    return doc;
}

/* One step of many kinds; returns the view of something that it made. */
static lathe_view nested_step(lathe_doc *doc, int i)
{
    lathe_view groups = view_at(doc, "groups"), points = view_at(doc, "points");
    static const char text[STEPS] = "x";
    uint64_t n = (uint64_t)i % 3;
    switch (i % 5) {
    case 0: OK(lathe_view_insert(groups, n, 1, err)); return item_view(groups, n);
    case 1:
        set_value(item_view(groups, 0), "name", v_bytes(text, (size_t)i));
        return item_view(groups, 0);
    case 2: OK(lathe_view_insert(points, 0, 2, err)); return item_view(points, 1);
    case 3: OK(lathe_view_remove(points, 0, 1, err)); return item_view(points, 0);
    default: set_value(view_at(doc, "choice"), "mode", v_int(i % 4)); return view_at(doc, "tree");
    }
}

static lathe_view parts_step(lathe_doc *doc, int i)
{
    lathe_view chunks = view_at(doc, "chunks");
    lathe_view cells = array_of(item_view(chunks, 1), "cells");
    switch (i % 5) {
    case 0: OK(lathe_view_insert(cells, (uint64_t)i % 3, 2, err)); return item_view(cells, 0);
    case 1: OK(lathe_view_insert(chunks, 3, 1, err)); return item_view(chunks, 3);
    case 2:
        set_value(item_view(chunks, 1), "note", v_text(i % 2 ? "a" : "a longer note"));
        return item_view(cells, 1);
    case 3: OK(lathe_view_remove(chunks, 3, 1, err)); return item_view(chunks, 2);
    default:
        OK(lathe_view_insert(view_at(doc, "chunks[3].inner.sections"), 1, 1, err));
        return view_at(doc, "chunks[3].inner.sections[2]");
    }
}

/* The number of the content that is `steps` undo steps away. */
static uint64_t number_at(const lathe_doc *doc, int steps)
{
    uint64_t number = 0;
    assert_true(rec_history_state(doc, steps, &number));
    return number;
}

/* A view made at stage i shows the same bytes whenever the document is at stage i. */
static void there_and_back(const char *format, const char *text,
                           lathe_view (*step)(lathe_doc *doc, int i))
{
    lathe_doc *doc = open_sample(format, text, STEPS);
    bytes_copy stages[STEPS + 1];
    lathe_view views[STEPS + 1];
    char paths[STEPS + 1][128], now[128];
    uint64_t numbers[STEPS + 1] = {number_at(doc, 0)};
    views[0] = lathe_doc_root(doc);
    paths[0][0] = 0;
    stages[0] = encode(doc);
    for (int i = 1; i <= STEPS; i++) {
        views[i] = step(doc, i - 1);
        lathe_view_path(views[i], NULL, paths[i], sizeof paths[i]);
        stages[i] = encode(doc);
        numbers[i] = number_at(doc, 0);
        for (int k = 0; k < i; k++)
            assert_true(numbers[k] != numbers[i]);
    }
    int at = STEPS;
    uint64_t random = 7;
    for (int move = 0; move < 200; move++) {
        int to = (int)below(&random, STEPS + 1);
        if (to == at)
            continue;
        assert_true(lathe_edit_undo(doc, at - to));
        at = to;
        assert_true(same_as(doc, stages[at]));
        assert_int_equal(lathe_doc_modified(doc), at != 0);
        lathe_view_path(views[at], NULL, now, sizeof now);
        assert_string_equal(now, paths[at]);
        for (int i = 0; i <= STEPS; i++)
            assert_true(number_at(doc, at - i) == numbers[i]);
    }
    assert_false(rec_history_state(doc, at + 1, &random));
    assert_false(rec_history_state(doc, at - STEPS - 1, &random));
    assert_false(lathe_edit_undo(doc, at + 1));
    assert_false(lathe_edit_undo(doc, at - STEPS - 1));
    assert_true(same_as(doc, stages[at]));
    for (int i = 0; i <= STEPS; i++)
        free(stages[i].p);
    lathe_doc_close(doc);
}

static void undo_nested(void **state)
{
    (void)state;
    there_and_back("nested", NESTED_SAMPLE, nested_step);
    there_and_back("nested_big", NESTED_SAMPLE, nested_step);
}

static void undo_parts(void **state)
{
    (void)state;
    there_and_back("parts", PARTS_SAMPLE, parts_step);
}

static void undo_of_a_version(void **state)
{
    (void)state;
    lathe_doc *doc = open_sample("nested", NESTED_SAMPLE, 2);
    bytes_copy before = encode(doc);
    OK(lathe_view_call(lathe_doc_root(doc), "upgrade", NULL, NULL, err));
    assert_int_equal(int_at(doc, "version"), 3);
    assert_int_equal(int_at(doc, "fresh"), (int64_t)0x87654321);
    assert_int_equal(at_path(doc, "old").kind, LATHE_KIND_NONE);
    assert_opens(doc);
    assert_true(lathe_edit_undo(doc, 1));
    assert_true(same_as(doc, before));
    assert_int_equal(at_path(doc, "fresh").kind, LATHE_KIND_NONE);
    assert_int_equal(at_path(doc, "old").kind, LATHE_KIND_INT);
    assert_true(lathe_edit_undo(doc, -1));
    assert_int_equal(int_at(doc, "fresh"), (int64_t)0x87654321);
    free(before.p);
    lathe_doc_close(doc);
}

static void removed_views_come_back(void **state)
{
    (void)state;
    lathe_doc *doc = open_sample("parts", PARTS_SAMPLE, 8);
    lathe_view chunk = view_at(doc, "chunks[2]"), cell = view_at(doc, "chunks[2].cells[3]");
    lathe_view cells = view_at(doc, "chunks[2].cells"), inner = view_at(doc, "chunks[3].inner");
    lathe_view section = view_at(doc, "chunks[3].inner.sections[3]");
    lathe_value v;
    OK(lathe_view_remove(view_at(doc, "chunks"), 1, 2, err));
    FAILS(LATHE_ERR_REMOVED, lathe_view_get(chunk, "id", &v, err));
    FAILS(LATHE_ERR_REMOVED, lathe_view_get(cell, "id", &v, err));
    FAILS(LATHE_ERR_REMOVED, lathe_view_get(inner, "length", &v, err));
    FAILS(LATHE_ERR_REMOVED, lathe_view_get(section, "text", &v, err));
    FAILS(LATHE_ERR_REMOVED, lathe_view_insert(cells, 0, 1, err));
    FAILS(LATHE_ERR_REMOVED, try_set(section, "text", v_text("x"), err));
    assert_int_equal(lathe_view_count(cells), 0);
    assert_true(lathe_edit_undo(doc, 1));
    assert_int_equal(get_int(cell, "id"), 22);
    OK(lathe_view_get(section, "text", &v, err));
    assert_true(text_is(v, "s3"));
    OK(lathe_view_remove(cells, 0, 1, err));
    assert_int_equal(get_int(cell, "id"), 22);
    OK(lathe_view_remove(cells, 1, 1, err));
    FAILS(LATHE_ERR_REMOVED, lathe_view_get(cell, "id", &v, err));
    assert_true(lathe_edit_undo(doc, 2));
    assert_int_equal(get_int(cell, "id"), 22);
    lathe_doc_close(doc);
}

/* ---- edits in edits -------------------------------------------------------------------------------- */

static void nested_edits(void **state)
{
    (void)state;
    lathe_doc *doc = open_sample("nested", NESTED_SAMPLE, 8);
    lathe_view numbers = view_at(doc, "numbers"), groups = view_at(doc, "groups");
    bytes_copy before = encode(doc);
    OK(lathe_edit_begin(doc, err));
    set_value(numbers, "u8", v_int(50));
    OK(lathe_edit_begin(doc, err));
    set_value(numbers, "u8", v_int(60));
    OK(lathe_view_remove(groups, 0, 3, err));
    OK(lathe_edit_begin(doc, err));
    OK(lathe_view_insert(groups, 0, 5, err));
    lathe_edit_end(doc, true, NULL);
    lathe_edit_end(doc, false, NULL);
    assert_int_equal(get_int(numbers, "u8"), 50);
    assert_int_equal(lathe_view_count(groups), 3);
    FAILS(LATHE_ERR_RANGE, try_set(numbers, "u8", v_int(256), err));
    assert_false(lathe_edit_undo(doc, 1)); /* not in the middle */
    lathe_edit_end(doc, true, NULL);
    assert_true(lathe_edit_undo(doc, 1)); /* all of it is one step */
    assert_true(same_as(doc, before));
    assert_false(lathe_edit_undo(doc, 1));
    lathe_edit_end(doc, true, NULL); /* one too many does nothing */
    lathe_edit_end(doc, false, NULL);
    assert_true(same_as(doc, before));
    free(before.p);
    lathe_doc_close(doc);
}

static void edits_nest_to_a_limit(void **state)
{
    (void)state;
    lathe_doc *doc = open_sample("nested", "{}", 0);
    int n = 0;
    while (lathe_edit_begin(doc, NULL) == LATHE_OK)
        n++;
    assert_int_equal(n, REC_DEPTH);
    FAILS(LATHE_ERR_LIMIT, try_set(view_at(doc, "numbers"), "u8", v_int(1), err));
    while (n-- > 0)
        lathe_edit_end(doc, true, NULL);
    assert_false(lathe_doc_modified(doc));
    lathe_doc_close(doc);
}

static void failure_at_the_last_step(void **state)
{
    (void)state;
    lathe_doc *doc = open_sample("nested", NESTED_SAMPLE, 4);
    lathe_view groups = view_at(doc, "groups"), points = view_at(doc, "points");
    lathe_view held[] = {item_view(groups, 0), item_view(groups, 2), item_view(points, 2),
                         view_at(doc, "tree.children[2]")};
    char paths[4][64], now[64];
    for (int i = 0; i < 4; i++)
        lathe_view_path(held[i], NULL, paths[i], sizeof paths[i]);
    bytes_copy before = encode(doc);
    OK(lathe_edit_begin(doc, err));
    for (int i = 0; i < 899; i++)
        switch (i % 4) {
        case 0: OK(lathe_view_insert(groups, 0, 1, err)); break;
        case 1:
            set_value(item_view(groups, 0), "name", v_bytes("0123456789", (size_t)i % 10));
            break;
        case 2: OK(lathe_view_insert(points, (uint64_t)i % 3, 2, err)); break;
        default: OK(lathe_view_remove(points, (uint64_t)i % 2, 1, err)); break;
        }
    FAILS(LATHE_ERR_RANGE, lathe_view_insert(groups, 0, 1000, err));
    lathe_edit_end(doc, false, NULL);
    assert_true(same_as(doc, before));
    assert_false(lathe_doc_modified(doc));
    assert_false(lathe_edit_undo(doc, 1));
    for (int i = 0; i < 4; i++) {
        lathe_view_path(held[i], NULL, now, sizeof now);
        assert_string_equal(now, paths[i]);
    }
    free(before.p);
    lathe_doc_close(doc);
}

/* ---- a verb that takes some of its steps back --------------------------------------------------------- */

typedef struct skips {
    int n;
} skips;

static void skipped(void *user, const char *path, const char *reason)
{
    ((skips *)user)->n++;
    assert_string_equal(path, "chunk");
    assert_string_equal(reason, "its id is odd");
}

static void verbs_skip_and_fail(void **state)
{
    (void)state;
    lathe_doc *doc = open_sample("parts", PARTS_SAMPLE, 4);
    skips s = {0};
    lathe_report report = {.size = sizeof report, .user = &s, .skipped = skipped};
    made_up_text fail;
    bytes_copy before = encode(doc);
    assert_true(made_up_text_read(&fail, "{fail = true}"));
    FAILS(LATHE_ERR_INVALID,
          lathe_view_call(lathe_doc_root(doc), "rename_all", &fail.source, &report, err));
    assert_true(same_as(doc, before));
    report.changed = 0;
    s.n = 0;
    OK(lathe_view_call(lathe_doc_root(doc), "rename_all", NULL, &report, err));
    assert_int_equal(report.changed, 2);
    assert_int_equal(s.n, 2);
    assert_int_equal(int_at(doc, "chunks[2].weight"), 17 + 24 + 6); /* derived, not forgotten */
    assert_int_equal(int_at(doc, "chunks[3].weight"), 0);
    assert_opens(doc); /* sizes are right */
    assert_true(lathe_edit_undo(doc, 1));
    assert_true(same_as(doc, before));
    set_value(view_at(doc, "chunks[4]"), "id", v_int(5)); /* now the last one is skipped */
    OK(lathe_view_call(lathe_doc_root(doc), "rename_all", NULL, &report, err));
    assert_int_equal(int_at(doc, "total"), lathe_doc_size(doc));
    assert_opens(doc);
    assert_true(lathe_edit_undo(doc, 2));
    assert_true(same_as(doc, before));
    FAILS(LATHE_ERR_NAME, lathe_view_call(lathe_doc_root(doc), "rename_al", NULL, &report, err));
    FAILS(LATHE_ERR_NAME,
          lathe_view_call(view_at(doc, "chunks[1]"), "rename_all", NULL, NULL, err));
    made_up_text_free(&fail);
    free(before.p);
    lathe_doc_close(doc);
}

/* ---- history ------------------------------------------------------------------------------------- */

static void history_is_limited(void **state)
{
    (void)state;
    lathe_doc *doc = open_sample("nested", NESTED_SAMPLE, 3);
    lathe_view numbers = view_at(doc, "numbers");
    for (int i = 10; i < 20; i++)
        set_value(numbers, "u8", v_int(i));
    assert_false(lathe_edit_undo(doc, 4));
    assert_int_equal(get_int(numbers, "u8"), 19);
    assert_true(lathe_edit_undo(doc, 3));
    assert_int_equal(get_int(numbers, "u8"), 16);
    assert_false(lathe_edit_undo(doc, 1));
    assert_false(lathe_edit_undo(doc, 0));
    assert_true(lathe_edit_undo(doc, -2));
    assert_int_equal(get_int(numbers, "u8"), 18);
    set_value(numbers, "u8", v_int(99)); /* what was undone is gone */
    assert_false(lathe_edit_undo(doc, -1));
    assert_true(lathe_edit_undo(doc, 1));
    assert_int_equal(get_int(numbers, "u8"), 18);
    assert_false(lathe_edit_undo(doc, INT32_MIN));
    assert_false(lathe_edit_undo(doc, INT32_MAX));
    lathe_doc_close(doc);
    doc = open_sample("nested", NESTED_SAMPLE, 0);
    set_value(view_at(doc, "numbers"), "u8", v_int(42));
    assert_false(lathe_edit_undo(doc, 1));
    lathe_doc_close(doc);
}

/* Parts that come and go and are forgotten by history give their memory up. */
static void forgotten_parts(void **state)
{
    (void)state;
    made_up_memory m = {0};
    lathe_options o = {.size = sizeof o, .history = 2, .alloc = made_up_alloc, .alloc_user = &m};
    lathe_doc *doc = new_doc_with("parts", PARTS_SAMPLE, &o);
    lathe_view chunks = view_at(doc, "chunks");
    char *text = calloc(1, 60000);
    size_t most = 0;
    for (int i = 0; i < 100; i++) {
        OK(lathe_view_insert(chunks, 1, 1, err));
        set_value(item_view(chunks, 1), "name", v_bytes(text, 60000));
        OK(lathe_view_remove(chunks, 1, 1, err));
        if (i < 50)
            most = m.bytes;
    }
    assert_true(m.bytes < most + 50000); /* some bytes a step: logs and numbers, no texts */
    free(text);
    lathe_doc_close(doc);
    assert_int_equal(m.blocks, 0);
}

static void equal_values_are_no_change(void **state)
{
    (void)state;
    lathe_doc *doc = open_sample("nested", NESTED_SAMPLE, 4);
    set_value(view_at(doc, "numbers"), "u8", v_int(1));
    set_value(view_at(doc, "numbers"), "f32", v_real(0.25));
    set_value(view_at(doc, "numbers"), "colour", v_text("blue"));
    set_value(view_at(doc, "texts"), "s16", v_text("three"));
    set_value(view_at(doc, "texts"), "fixed", v_text("fix"));
    set_value(view_at(doc, "choice"), "mode", v_int(2));
    set_value(lathe_doc_root(doc), "blob", v_bytes("\0blob\n", 6));
    set_value(lathe_doc_root(doc), "groups", v_array(view_at(doc, "groups")));
    set_value(lathe_doc_root(doc), "numbers", v_record(view_at(doc, "numbers")));
    OK(try_build(lathe_doc_root(doc), NESTED_SAMPLE, err));
    assert_false(lathe_doc_modified(doc));
    assert_false(lathe_edit_undo(doc, 1));
    lathe_doc_close(doc);
}

/* An edit of one document that carries one of another along; each sets a number to `to`. */
static void change_both(lathe_doc *doc, lathe_doc *other, int to)
{
    OK(rec_begin(doc, err));
    OK(rec_join(doc, other, err));
    set_value(view_at(doc, "numbers"), "u8", v_int(to));
    set_value(view_at(other, "numbers"), "u8", v_int(to));
    OK(rec_end(doc, LATHE_OK, err));
}

static int number_in(lathe_doc *doc)
{
    return (int)get_int(view_at(doc, "numbers"), "u8");
}

static void joined_edits_end_together(void **state)
{
    (void)state;
    lathe_doc *doc = open_sample("nested", NESTED_SAMPLE, 4),
              *other = open_sample("nested", NESTED_SAMPLE, 4);
    for (int outer = 0; outer < 2; outer++) {
        OK(rec_begin(doc, err));
        change_both(doc, other, 10 + outer);
        assert_int_equal(other->depth, 1); /* it waits for the whole edit */
        OK(rec_join(doc, other, err));
        assert_int_equal(other->depth, 1);
        lathe_result wanted = outer ? LATHE_OK : LATHE_ERR_STATE;
        assert_int_equal(rec_end(doc, wanted, NULL), wanted);
        assert_int_equal(other->depth, 0);
        assert_int_equal(number_in(doc), outer ? 11 : 1);
        assert_int_equal(number_in(other), outer ? 11 : 1);
    }
    assert_true(lathe_edit_undo(other, 1)); /* one step, of its own */
    assert_int_equal(number_in(other), 1);
    assert_int_equal(number_in(doc), 11);
    lathe_doc_close(other);
    lathe_doc_close(doc);
}

/* It cannot end together with two edits. */
static void joining_a_document_in_another_edit_is_refused(void **state)
{
    (void)state;
    lathe_doc *doc = open_sample("nested", NESTED_SAMPLE, 4),
              *other = open_sample("nested", NESTED_SAMPLE, 4),
              *second = open_sample("nested", NESTED_SAMPLE, 4);
    for (int led = 0; led < 2; led++) {
        OK(rec_begin(led ? second : other, err));
        if (led)
            OK(rec_join(second, other, err));
        OK(rec_begin(doc, err));
        lathe_error why;
        assert_int_equal(rec_join(doc, other, &why), LATHE_ERR_STATE);
        assert_string_equal(why.message,
                            "the geometry document is in another edit: end that first");
        rec_end(doc, LATHE_ERR_STATE, NULL);
        assert_int_equal(other->depth, 1);
        rec_end(led ? second : other, LATHE_ERR_STATE, NULL);
        assert_int_equal(other->depth, 0);
    }
    lathe_doc_close(second);
    lathe_doc_close(other);
    lathe_doc_close(doc);
}

/* An inner edit that fails takes the other document back as far; what is outside of it stays. */
static void joined_edits_nest(void **state)
{
    (void)state;
    for (int before = 0; before < 2; before++) {
        lathe_doc *doc = open_sample("nested", NESTED_SAMPLE, 4),
                  *other = open_sample("nested", NESTED_SAMPLE, 4);
        OK(rec_begin(doc, err));
        if (before)
            change_both(doc, other, 5);
        OK(rec_begin(doc, err));
        change_both(doc, other, 6);
        change_both(doc, other, 7);
        assert_int_equal(rec_end(doc, LATHE_ERR_STATE, NULL), LATHE_ERR_STATE);
        assert_int_equal(number_in(doc), before ? 5 : 1);
        assert_int_equal(number_in(other), before ? 5 : 1);
        assert_int_equal(other->depth, 1);
        OK(rec_end(doc, LATHE_OK, err));
        assert_int_equal(other->depth, 0);
        assert_int_equal(number_in(other), before ? 5 : 1);
        assert_int_equal(lathe_edit_undo(other, 1), before);
        lathe_doc_close(other);
        lathe_doc_close(doc);
    }
}

/* Edits nest to a limit in the other document, too: it is left as it was. */
static void joined_edits_nest_to_a_limit(void **state)
{
    (void)state;
    lathe_doc *doc = open_sample("nested", NESTED_SAMPLE, 4),
              *other = open_sample("nested", NESTED_SAMPLE, 4);
    for (int i = 0; i < REC_DEPTH; i++)
        OK(rec_begin(doc, err));
    OK(rec_join(doc, other, err));
    assert_int_equal(rec_begin(other, NULL), LATHE_ERR_LIMIT);
    for (int i = 0; i < REC_DEPTH; i++)
        OK(rec_end(doc, LATHE_OK, err));
    assert_int_equal(other->depth, 0);
    assert_int_equal(number_in(other), 1);
    lathe_doc_close(other);
    lathe_doc_close(doc);
}

static void joined_edits_outlive_either_document(void **state)
{
    (void)state;
    for (int first = 0; first < 2; first++) {
        lathe_doc *doc = open_sample("nested", NESTED_SAMPLE, 4),
                  *other = open_sample("nested", NESTED_SAMPLE, 4),
                  *third = open_sample("nested", NESTED_SAMPLE, 4);
        OK(rec_begin(doc, err));
        change_both(doc, third, 8);
        change_both(doc, other, 9);
        lathe_doc_close(first ? doc : other);
        if (!first) {
            OK(rec_end(doc, LATHE_OK, err));
            assert_int_equal(number_in(doc), 9);
        }
        assert_int_equal(number_in(third), first ? 1 : 8); /* what was never ended is rolled back */
        assert_int_equal(third->depth, 0);
        lathe_doc_close(first ? other : doc);
        lathe_doc_close(third);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undo_nested),
        cmocka_unit_test(undo_parts),
        cmocka_unit_test(undo_of_a_version),
        cmocka_unit_test(removed_views_come_back),
        cmocka_unit_test(nested_edits),
        cmocka_unit_test(edits_nest_to_a_limit),
        cmocka_unit_test(failure_at_the_last_step),
        cmocka_unit_test(verbs_skip_and_fail),
        cmocka_unit_test(history_is_limited),
        cmocka_unit_test(forgotten_parts),
        cmocka_unit_test(equal_values_are_no_change),
        cmocka_unit_test(joined_edits_end_together),
        cmocka_unit_test(joining_a_document_in_another_edit_is_refused),
        cmocka_unit_test(joined_edits_nest),
        cmocka_unit_test(joined_edits_nest_to_a_limit),
        cmocka_unit_test(joined_edits_outlive_either_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
