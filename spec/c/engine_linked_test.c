/* Stored positions through changes of several splices: whoever asks for them sees a record that reads. */
#include "made_up_test.h"

enum { GOALS = 9 }; /* in the sample */

static lathe_value goal(lathe_doc *doc, int64_t id)
{
    return v_record(item_view(view_at(doc, "goals"), (uint64_t)id - 1));
}

/* Entry i of all arrays says `id`, and points there. */
static void fill_entry(lathe_doc *doc, uint64_t i, int64_t id)
{
    char name[16];
    snprintf(name, sizeof name, "n%d%.*s", (int)id, (int)id, "----------");
    OK(try_item(view_at(doc, "names"), i, v_text(name), err));
    set_value(item_view(view_at(doc, "spots"), i), "id", v_int(id));
    set_value(item_view(view_at(doc, "spots"), i), "to", goal(doc, id));
    OK(try_item(view_at(doc, "ends"), i, goal(doc, id), err));
    OK(try_item(view_at(doc, "cells"), i, v_int(id), err));
    OK(try_item(view_at(doc, "dots"), i, v_int(id), err));
}

static lathe_doc *linked_doc(uint64_t entries)
{
    lathe_doc *doc = new_doc("linked", LINKED_SAMPLE);
    lathe_view top = lathe_doc_root(doc);
    set_value(top, "first", goal(doc, 1));
    set_value(top, "between", goal(doc, 2));
    set_value(top, "last", goal(doc, 3));
    OK(lathe_view_insert(view_at(doc, "dots"), 0, entries, err));
    for (uint64_t i = 0; i < entries; i++)
        fill_entry(doc, i, (int64_t)(i % GOALS) + 1);
    return doc;
}

static int64_t item_int(lathe_view array, uint64_t i)
{
    lathe_value v;
    OK(lathe_view_item(array, i, &v, err));
    return v.as.i;
}

static void assert_entry(lathe_doc *doc, uint64_t i)
{
    lathe_view one = item_view(view_at(doc, "spots"), i);
    int64_t id = get_int(one, "id");
    lathe_value end, to;
    OK(lathe_view_get(one, "to", &to, err));
    OK(lathe_view_item(view_at(doc, "ends"), i, &end, err));
    assert_int_equal(item_int(view_at(doc, "cells"), i), id);
    assert_int_equal(item_int(view_at(doc, "dots"), i), id);
    assert_int_equal(to.kind, id ? LATHE_KIND_RECORD : LATHE_KIND_NULL);
    assert_int_equal(end.kind, to.kind);
    if (id) {
        assert_int_equal(get_int(to.as.v, "id"), id);
        assert_int_equal(get_int(end.as.v, "id"), id);
    }
}

static void assert_links(lathe_doc *doc, uint64_t entries)
{
    assert_int_equal(int_at(doc, "first.id"), 1);
    assert_int_equal(int_at(doc, "between.id"), 2);
    assert_int_equal(int_at(doc, "last.id"), 3);
    assert_int_equal(int_at(doc, "entry_count"), entries);
    for (uint64_t i = 0; i < entries; i++)
        assert_entry(doc, i);
    assert_opens(doc);
}

/* ---- one change each -------------------------------------------------------------------------------- */

static void behind_a_text(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "a text that is longer than it was", "some text"};
    lathe_doc *doc = linked_doc(3);
    bytes_copy before = encode(doc);
    for (int i = 0; i < 3; i++) {
        set_value(lathe_doc_root(doc), "text", v_text(texts[i]));
        assert_links(doc, 3);
    }
    for (int i = 0; i < 3; i++) {
        OK(try_item(view_at(doc, "names"), 1, v_text(texts[i]), err));
        assert_links(doc, 3);
    }
    assert_true(lathe_edit_undo(doc, 6));
    assert_true(same_as(doc, before));
    free(before.p);
    lathe_doc_close(doc);
}

static void behind_conditions(void **state)
{
    (void)state;
    static const int modes[] = {1, 2, 0, 2, 1, 0}, sides[] = {5, 1, 2, 0, 4, 3};
    lathe_doc *doc = linked_doc(2);
    bytes_copy before = encode(doc);
    for (int i = 0; i < 6; i++) { /* one field goes and another one comes */
        set_value(lathe_doc_root(doc), "mode", v_int(modes[i]));
        assert_links(doc, 2);
    }
    for (int i = 0; i < 6; i++) {
        set_value(lathe_doc_root(doc), "side", v_int(sides[i]));
        assert_links(doc, 2);
    }
    assert_true(lathe_edit_undo(doc, 12));
    assert_true(same_as(doc, before));
    free(before.p);
    lathe_doc_close(doc);
}

static void behind_arrays_of_one_count(void **state)
{
    (void)state;
    static const char *const arrays[] = {"ends", "names", "spots", "cells", "dots"};
    for (int k = 0; k < 5; k++) {
        lathe_doc *doc = linked_doc(4);
        bytes_copy before = encode(doc);
        lathe_view array = view_at(doc, arrays[k]);
        assert_links(doc, 4);
        OK(lathe_view_insert(array, 2, 3, err));
        for (uint64_t i = 2; i < 5; i++)
            fill_entry(doc, i, 5);
        assert_links(doc, 7);
        OK(lathe_view_insert(array, 0, 1, err));
        OK(try_item(view_at(doc, "names"), 0, v_text("new"), err));
        assert_links(doc, 8);
        OK(lathe_view_remove(array, 1, 2, err));
        assert_links(doc, 6);
        OK(lathe_view_remove(array, 4, 2, err));
        assert_links(doc, 4);
        OK(lathe_view_remove(array, 0, 4, err));
        assert_links(doc, 0);
        OK(lathe_view_insert(array, 0, 2, err)); /* from nothing */
        fill_entry(doc, 0, 6);
        fill_entry(doc, 1, 7);
        assert_links(doc, 2);
        while (lathe_edit_undo(doc, 1))
            continue;
        assert_true(lathe_doc_size(doc) < before.n); /* back to an empty one */
        free(before.p);
        lathe_doc_close(doc);
    }
}

/* Bodies that both begin where the part ends keep their alignment and their order. */
static void bodies_begin_together(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("linked", LINKED_SAMPLE);
    rec_at at = rec_root(doc, 0);
    for (uint64_t n = 1; n < 40; n++) {
        rec_loc lefts, rights;
        OK(lathe_view_insert(view_at(doc, "lefts"), 0, n, err));
        OK(rec_find(&at, rec_slot_find(at.layout, "lefts"), &lefts, err));
        OK(rec_find(&at, rec_slot_find(at.layout, "rights"), &rights, err));
        assert_int_equal(lefts.data % 8, 0);
        assert_true(rights.data + n <= lefts.data);
        assert_true(lefts.data + 2 * n <= lathe_doc_size(doc));
        assert_opens(doc);
        assert_true(lathe_edit_undo(doc, 1));
    }
    lathe_doc_close(doc);
}

/* A row that is there because a count is not zero, behind the arrays that it counts. */
static void counts_select_too(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("linked", LINKED_SAMPLE);
    lathe_view top = lathe_doc_root(doc);
    set_value(top, "last", goal(doc, 3));
    assert_int_equal(at_path(doc, "filled").kind, LATHE_KIND_NONE);
    OK(lathe_view_insert(view_at(doc, "names"), 0, 2, err));
    assert_int_equal(int_at(doc, "filled"), 0);
    assert_int_equal(int_at(doc, "last.id"), 3);
    set_value(top, "filled", v_int(77));
    OK(lathe_view_insert(view_at(doc, "names"), 1, 3, err));
    OK(lathe_view_remove(view_at(doc, "names"), 0, 4, err));
    assert_int_equal(int_at(doc, "filled"), 77);
    OK(lathe_view_remove(view_at(doc, "ends"), 0, 1, err));
    assert_int_equal(at_path(doc, "filled").kind, LATHE_KIND_NONE);
    assert_int_equal(int_at(doc, "last.id"), 3);
    assert_opens(doc);
    lathe_doc_close(doc);
}

/* A record made equal to what is given keeps the positions that are not, wherever they went. */
static void built_around(void **state)
{
    (void)state;
    lathe_doc *doc = linked_doc(0);
    lathe_view top = lathe_doc_root(doc);
    OK(lathe_view_insert(view_at(doc, "stops"), 0, 3, err));
    set_value(view_at(doc, "stops[1]"), "to", goal(doc, 4));
    set_value(view_at(doc, "stops[3]"), "to", goal(doc, 9));
    bytes_copy before = encode(doc);
    OK(try_build(top, "{text = \"a text that is longer than it was\"}", err));
    assert_links(doc, 0);
    OK(try_build(top, "{mode = 2, side = 3, text = \"\"}", err));
    assert_links(doc, 0);
    assert_int_equal(int_at(doc, "stops[1].to.id"), 4);
    assert_int_equal(int_at(doc, "stops[3].to.id"), 9);
    OK(try_build(view_at(doc, "stops[3]"), "{id = 5}", err));
    assert_int_equal(int_at(doc, "stops[3].to.id"), 9);
    assert_true(lathe_edit_undo(doc, 3));
    assert_true(same_as(doc, before));
    free(before.p);
    lathe_doc_close(doc);
}

/* ---- many changes ----------------------------------------------------------------------------------- */

static void change(lathe_doc *doc, uint64_t *seed, uint64_t *entries)
{
    static const char *const arrays[] = {"ends", "names", "spots", "cells", "dots"};
    lathe_view top = lathe_doc_root(doc), array = view_at(doc, arrays[below(seed, 5)]);
    uint64_t i = below(seed, *entries + 1), n = below(seed, 4), k;
    static const char text[] = "0123456789012345678901234567890123456789";
    switch (below(seed, 6)) {
    case 0: set_value(top, "text", v_bytes(text, (size_t)below(seed, 40))); break;
    case 1: set_value(top, "mode", v_int((int64_t)below(seed, 4))); break;
    case 2: set_value(top, "side", v_int((int64_t)below(seed, 5))); break;
    case 3:
        if (*entries < 30)
            OK(lathe_view_insert(array, i, n, err));
        for (k = 0; *entries < 30 && k < n; k++)
            fill_entry(doc, i + k, (int64_t)below(seed, GOALS) + 1);
        *entries += *entries < 30 ? n : 0;
        break;
    case 4:
        n = n > *entries - i ? *entries - i : n;
        OK(lathe_view_remove(array, i, n, err));
        *entries -= n;
        break;
    default:
        if (i < *entries)
            OK(try_item(view_at(doc, "names"), i, v_bytes(text, (size_t)below(seed, 40)), err));
        break;
    }
}

static void any_change(void **state)
{
    (void)state;
    for (uint64_t run = 1; run <= 20; run++) {
        uint64_t seed = run, entries = run % 5;
        lathe_doc *doc = linked_doc(entries);
        for (int i = 0; i < 60; i++) {
            change(doc, &seed, &entries);
            assert_links(doc, entries);
        }
        lathe_doc_close(doc);
    }
}

/* Nothing is left half done, whatever call for memory fails. */
static void memory_runs_out(void **state)
{
    (void)state;
    lathe_doc *whole = linked_doc(3);
    bytes_copy before = encode(whole);
    int failures = 0;
    for (size_t fail = 0; fail < 60; fail++) {
        made_up_memory m = {0};
        lathe_options o = {.size = sizeof o, .alloc = made_up_alloc, .alloc_user = &m};
        lathe_doc *doc = parse_with(before.p, before.n, &o);
        lathe_view ends = view_at(doc, "ends");
        m.fail_at = m.calls + 1 + fail;
        bool done = lathe_view_insert(ends, 1, 2, NULL) == LATHE_OK;
        m.fail_at = 0;
        assert_true(done != same_as(doc, before)); /* what is only remembered may be lost */
        failures += !done;
        assert_int_equal(int_at(doc, "last.id"), 3);
        lathe_doc_close(doc);
        assert_int_equal(m.blocks, 0);
    }
    assert_true(failures > 5);
    free(before.p);
    lathe_doc_close(whole);
}

/* A change made of several others: each of them looks for itself, what came in between included. */
static void changes_in_a_change(void **state)
{
    (void)state;
    lathe_doc *doc = linked_doc(2);
    rec_at at = rec_root(doc, 0);
    OK(lathe_edit_begin(doc, err));
    rec_change_begin(&at);
    OK(lathe_view_insert(view_at(doc, "names"), 1, 2, err));
    fill_entry(doc, 1, 8);
    fill_entry(doc, 2, 9);
    set_value(lathe_doc_root(doc), "text", v_text("in the middle of something larger"));
    OK(lathe_view_remove(view_at(doc, "ends"), 0, 1, err));
    doc->changing--;
    lathe_edit_end(doc, true, NULL);
    assert_links(doc, 3);
    lathe_doc_close(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(behind_a_text),
        cmocka_unit_test(behind_conditions),
        cmocka_unit_test(behind_arrays_of_one_count),
        cmocka_unit_test(bodies_begin_together),
        cmocka_unit_test(counts_select_too),
        cmocka_unit_test(any_change),
        cmocka_unit_test(built_around),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(changes_in_a_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
