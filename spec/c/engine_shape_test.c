/* Rows that come and go, arrays of one length, records with offsets; paths, spans, describe. */
#include "made_up_test.h"

/* ---- selectors ------------------------------------------------------------------------------------- */

static void selectors_rebuild(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    lathe_view choice = view_at(doc, "choice"), tree = view_at(doc, "tree.children[1]");
    bytes_copy before = encode(doc);
    for (int64_t mode = 0; mode < 5; mode++) {
        set_value(choice, "mode", v_int(mode));
        assert_int_equal(at_path(doc, "choice.any").kind, mode ? LATHE_KIND_INT : LATHE_KIND_NONE);
        assert_int_equal(at_path(doc, "choice.two").kind,
                         mode == 2 ? LATHE_KIND_STRING : LATHE_KIND_NONE);
        assert_int_equal(at_path(doc, "choice.extra").kind,
                         mode >= 3 ? LATHE_KIND_RECORD : LATHE_KIND_NONE);
        assert_int_equal(int_at(doc, "choice.tail"), 0xabcd);
        assert_int_equal(lathe_view_count(view_at(doc, "choice.cells")), 4);
        assert_true(at_path(doc, "choice.cells[4]").as.f == 4);
        assert_int_equal(get_int(tree, "value"), 2);
        assert_opens(doc);
    }
    assert_int_equal(int_at(doc, "choice.any"), 9); /* a default, since it was away */
    assert_true(at_path(doc, "choice.extra.w").as.f == 1);
    FAILS(LATHE_ERR_NAME, try_set(choice, "two", v_text("x"), err)); /* absent */
    set_value(choice, "mode", v_int(2));
    assert_true(text_is(at_path(doc, "choice.two"), "two"));
    assert_int_equal(int_at(doc, "choice.any"), 9);
    set_value(choice, "any", v_int(5));
    set_value(choice, "two", v_text("II"));
    assert_true(same_as(doc, before)); /* there and back */
    free(before.p);
    lathe_doc_close(doc);
}

static void views_of_rows_that_go(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    lathe_view choice = view_at(doc, "choice");
    lathe_value v;
    set_value(choice, "mode", v_int(4));
    lathe_view extra = view_at(doc, "choice.extra");
    set_value(extra, "x", v_real(3));
    set_value(choice, "side", v_int(5));
    OK(lathe_view_get(extra, "x", &v, err));
    assert_true(v.as.f == 3);
    set_value(choice, "mode", v_int(1));
    FAILS(LATHE_ERR_REMOVED, lathe_view_get(extra, "x", &v, err));
    assert_true(lathe_edit_undo(doc, 1));
    OK(lathe_view_get(extra, "x", &v, err));
    assert_true(v.as.f == 3);
    lathe_doc_close(doc);
}

static void counted_by_a_hook(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    lathe_view choice = view_at(doc, "choice"), cells = view_at(doc, "choice.cells");
    static const int sides[] = {3, 1, 0, 4};
    for (int i = 0; i < 4; i++) {
        set_value(choice, "side", v_int(sides[i]));
        assert_int_equal(lathe_view_count(cells), sides[i] * sides[i]);
        assert_int_equal(get_int(choice, "tail"), 0xabcd);
        assert_opens(doc);
    }
    FAILS(LATHE_ERR_READONLY, lathe_view_insert(cells, 0, 1, err));
    FAILS(LATHE_ERR_READONLY, lathe_view_remove(cells, 0, 1, err));
    lathe_doc_close(doc);
}

/* Building a record with another selector: what is new gets defaults, what stays is kept. */
static void built_with_another_mode(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    lathe_view choice = view_at(doc, "choice");
    OK(try_build(choice, "{mode = 3}", err));
    assert_int_equal(int_at(doc, "choice.any"), 5);
    assert_true(at_path(doc, "choice.extra.w").as.f == 1);
    assert_opens(doc);
    OK(try_build(choice, "{mode = 2, two = \"zwei\"}", err));
    assert_true(text_is(at_path(doc, "choice.two"), "zwei"));
    OK(try_build(choice, "{side = 3, cells = {1, 2, 3, 4, 5, 6, 7, 8, 9}}", err));
    assert_int_equal(lathe_view_count(view_at(doc, "choice.cells")), 9);
    OK(try_build(choice, "{side = 1}", err));
    assert_int_equal(lathe_view_count(view_at(doc, "choice.cells")), 1);
    assert_true(at_path(doc, "choice.cells[1]").as.f == 1);
    OK(try_build(choice, "{side = 2}", err));
    assert_true(at_path(doc, "choice.cells[1]").as.f == 1);
    assert_true(at_path(doc, "choice.cells[4]").as.f == 0);
    assert_opens(doc);
    FAILS(LATHE_ERR_NAME, try_build(choice, "{mode = 0, two = \"x\"}", err));
    FAILS(LATHE_ERR_INVALID, try_build(choice, "{side = 2, cells = {1, 2, 3}}", err));
    lathe_doc_close(doc);
}

/* ---- arrays of one length -------------------------------------------------------------------------- */

static void shared_counts(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    lathe_view left = view_at(doc, "shared.left"), names = view_at(doc, "shared.names");
    lathe_view right = view_at(doc, "shared.right"), second = item_view(right, 1);
    lathe_value v;
    OK(lathe_view_insert(names, 1, 2, err));
    assert_int_equal(lathe_view_count(left), 4);
    assert_int_equal(lathe_view_count(names), 4);
    assert_int_equal(lathe_view_count(right), 4);
    assert_int_equal(int_at(doc, "shared.left[4]"), 2);
    assert_true(text_is(at_path(doc, "shared.names[4]"), "nn"));
    assert_true(text_is(at_path(doc, "shared.names[2]"), ""));
    OK(lathe_view_get(second, "y", &v, err));
    assert_true(v.as.f == 4);
    assert_int_equal(int_at(doc, "shared.between"), 9);
    FAILS(LATHE_ERR_RANGE, lathe_view_insert(left, 0, 3, err)); /* at most 6 */
    OK(lathe_view_remove(right, 0, 3, err));
    assert_true(text_is(at_path(doc, "shared.names[1]"), "nn"));
    assert_int_equal(int_at(doc, "shared.left[1]"), 2);
    OK(lathe_view_get(second, "x", &v, err));
    assert_true(v.as.f == 3);
    OK(lathe_view_remove(left, 0, 1, err));
    FAILS(LATHE_ERR_REMOVED, lathe_view_get(second, "x", &v, err));
    assert_opens(doc);
    lathe_doc_close(doc);
}

/* Building one of them makes the others as long; building two of different lengths is refused. */
static void shared_and_built(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    lathe_view shared = view_at(doc, "shared");
    OK(try_build(shared, "{left = {7, 8, 9}}", err));
    assert_true(text_is(at_path(doc, "shared.names[2]"), "nn"));
    assert_true(text_is(at_path(doc, "shared.names[3]"), ""));
    assert_true(at_path(doc, "shared.right[2].y").as.f == 4);
    OK(try_build(shared, "{right = {{5, 6}}}", err));
    assert_int_equal(int_at(doc, "shared.left[1]"), 7);
    assert_int_equal(lathe_view_count(view_at(doc, "shared.names")), 1);
    OK(try_build(shared, "{left = {1, 2}, names = {\"x\", \"y\"}, pair_count = 2}", err));
    FAILS(LATHE_ERR_INVALID, try_build(shared, "{left = {1, 2}, names = {\"x\"}}", err));
    FAILS(LATHE_ERR_INVALID, try_build(shared, "{left = {1, 2}, pair_count = 3}", err));
    FAILS(LATHE_ERR_INVALID, try_build(shared, "{pair_count = 3}", err));
    FAILS(LATHE_ERR_RANGE, try_build(shared, "{left = {1, 2, 3, 4, 5, 6, 7}}", err));
    OK(try_build(shared, "{left = {1, 2}, pair_count = 2.0}", err));
    assert_opens(doc);
    lathe_doc_close(doc);
}

/* `max` of one of them holds for all: whichever is resized. */
static void shared_maximum(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    bytes_copy before = encode(doc);
    FAILS(LATHE_ERR_RANGE, lathe_view_insert(view_at(doc, "shared.names"), 0, 5, err));
    FAILS(LATHE_ERR_RANGE, lathe_view_insert(view_at(doc, "shared.right"), 0, 5, err));
    assert_true(same_as(doc, before));
    free(before.p);
    lathe_doc_close(doc);
}

static void bounds_of_arrays(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    lathe_view groups = view_at(doc, "groups");
    lathe_value v;
    bytes_copy before = encode(doc);
    FAILS(LATHE_ERR_BOUNDS, lathe_view_insert(groups, 4, 1, err));
    FAILS(LATHE_ERR_BOUNDS, lathe_view_insert(groups, UINT64_MAX, 1, err));
    FAILS(LATHE_ERR_BOUNDS, lathe_view_insert(groups, 0, UINT64_MAX, err));
    FAILS(LATHE_ERR_RANGE, lathe_view_insert(groups, 0, 998, err));
    FAILS(LATHE_ERR_RANGE, lathe_view_insert(view_at(doc, "points"), 0, UINT32_MAX, err));
    FAILS(LATHE_ERR_BOUNDS, lathe_view_remove(groups, 2, 2, err));
    FAILS(LATHE_ERR_BOUNDS, lathe_view_remove(groups, 4, 1, err));
    FAILS(LATHE_ERR_BOUNDS, lathe_view_remove(groups, 1, UINT64_MAX, err));
    FAILS(LATHE_ERR_BOUNDS, lathe_view_item(groups, 3, &v, err));
    FAILS(LATHE_ERR_BOUNDS, lathe_view_item(groups, UINT64_MAX, &v, err));
    FAILS(LATHE_ERR_BOUNDS, try_item(view_at(doc, "three"), 3, v_real(1), err));
    OK(lathe_view_insert(groups, 3, 0, err));
    OK(lathe_view_remove(groups, 3, 0, err));
    assert_true(same_as(doc, before));
    OK(lathe_view_insert(groups, 3, 997, err)); /* the most there may be */
    assert_opens(doc);
    free(before.p);
    lathe_doc_close(doc);
}

/* ---- offsets ----------------------------------------------------------------------------------------- */

static void laid_out_records(void **state)
{
    (void)state;
    static const struct {
        const char *record, *field;
        uint64_t off;
    } rows[] = {{"aligned", "a", 0},  {"aligned", "b", 4},  {"aligned", "c", 8},
                {"aligned", "d", 16}, {"aligned", "e", 24}, {"aligned", "f", 28},
                {"aligned", "g", 40}, {"placed", "a", 2},   {"placed", "b", 8},
                {"placed", "c", 12},  {"placed", "d", 26}};
    lathe_doc *doc = new_doc("laid", LAID_SAMPLE);
    uint64_t start, off, size;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lathe_view view = view_at(doc, rows[i].record);
        OK(lathe_view_span(view, NULL, &start, &size, err));
        assert_int_equal(size, rows[i].record[0] == 'a' ? 48 : 32);
        OK(lathe_view_span(view, rows[i].field, &off, &size, err));
        assert_int_equal(off - start, rows[i].off);
    }
    lathe_doc_close(doc);
}

/* What lies between the rows is nobody's, and survives whatever is done around it. */
static void gaps_survive(void **state)
{
    (void)state;
    lathe_doc *made = new_doc("laid", LAID_SAMPLE);
    bytes_copy b = encode(made);
    lathe_doc_close(made);
    for (size_t i = 8; i < b.n; i++)
        if (b.p[i] == 0)
            b.p[i] = (uint8_t)(i | 1);
    lathe_doc *doc = parse_doc(b.p, b.n, "laid");
    lathe_view placed = view_at(doc, "placed_list[1]");
    set_value(placed, "a", v_int(1234));
    OK(try_build(placed, "{b = 5}", err));
    set_value(lathe_doc_root(doc), "placed", v_record(placed));
    OK(lathe_view_insert(view_at(doc, "aligned_list"), 0, 1, err));
    OK(lathe_view_remove(view_at(doc, "placed_list"), 0, 1, err));
    uint64_t from, to, size;
    OK(lathe_view_span(placed, NULL, &from, &size, err));
    OK(lathe_view_span(view_at(doc, "placed"), NULL, &to, &size, err));
    bytes_copy now = encode(doc);
    static const int gaps[] = {0, 1, 4, 5, 6, 7, 24, 25, 29, 30, 31};
    for (int i = 0; i < 11; i++) {
        assert_int_equal(now.p[from + (uint64_t)gaps[i]], b.p[from + (uint64_t)gaps[i]]);
        assert_int_equal(now.p[to + (uint64_t)gaps[i]], now.p[from + (uint64_t)gaps[i]]);
    }
    assert_memory_equal(now.p + to, now.p + from, 32);
    free(now.p);
    free(b.p);
    lathe_doc_close(doc);
}

/* ---- places ----------------------------------------------------------------------------------------- */

/* Every byte: the record that doc_at gives spans it, and no smaller one does. */
static void every_byte_has_a_place(void **state)
{
    (void)state;
    for (size_t s = 0; s < SAMPLES; s++) {
        lathe_doc *doc = new_doc(samples[s].format, samples[s].text);
        uint64_t size = lathe_doc_size(doc);
        for (uint64_t i = 0; i < size; i++) {
            lathe_view view;
            lathe_value back;
            const char *field;
            uint64_t off, n;
            char path[256];
            OK(lathe_doc_at(doc, i, &view, &field, err));
            lathe_view_path(view, NULL, path, sizeof path);
            OK(lathe_view_at(lathe_doc_root(doc), path, &back, err));
            assert_true(lathe_view_same(view, back.as.v));
            OK(lathe_view_span(view, NULL, &off, &n, err));
            assert_true(i >= off && i - off < n);
            if (!field)
                continue;
            OK(lathe_view_span(view, field, &off, &n, err));
            assert_true(i >= off && i - off < n);
        }
        FAILS(LATHE_ERR_BOUNDS, lathe_doc_at(doc, size, &(lathe_view){0}, NULL, err));
        lathe_doc_close(doc);
    }
}

static void walk_paths(lathe_doc *doc, lathe_view view, int depth)
{
    char path[256];
    lathe_value back;
    lathe_view_path(view, NULL, path, sizeof path);
    OK(lathe_view_at(lathe_doc_root(doc), path, &back, err));
    assert_true(lathe_view_same(view, back.as.v));
    bool array = view.flags & REC_VIEW_ARRAY;
    uint64_t n = lathe_view_count(view);
    for (uint64_t i = 0; i < n && depth < 12; i++) {
        lathe_value v = {.kind = LATHE_KIND_NONE};
        lathe_field_info info = {.size = sizeof info};
        if (array) {
            OK(lathe_view_item(view, i, &v, err));
        } else {
            assert_true(lathe_view_describe(view, i, &info));
            OK(lathe_view_get(view, info.name, &v, err));
            lathe_view_path(view, info.name, path, sizeof path);
            lathe_value again = at_path(doc, path);
            assert_int_equal(again.kind, v.kind);
        }
        if ((v.kind == LATHE_KIND_RECORD || v.kind == LATHE_KIND_ARRAY) &&
            !(info.flags & LATHE_FIELD_REF))
            walk_paths(doc, v.as.v, depth + 1);
    }
}

static void paths_lead_back(void **state)
{
    (void)state;
    for (size_t s = 0; s < SAMPLES; s++) {
        lathe_doc *doc = new_doc(samples[s].format, samples[s].text);
        walk_paths(doc, lathe_doc_root(doc), 0);
        lathe_doc_close(doc);
    }
}

static void paths_are_canonical(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("parts", PARTS_SAMPLE);
    lathe_view cells = view_at(doc, "chunks[2].cells");
    char path[64];
    set_value(view_at(doc, "chunks[2]"), "link", v_record(item_view(cells, 2)));
    lathe_view_path(view_at(doc, "chunks[2].link"), NULL, path, sizeof path);
    assert_string_equal(path, "chunks[2].cells[3]"); /* one place, one path, however reached */
    assert_true(lathe_view_same(view_at(doc, "chunks[2].link"), item_view(cells, 2)));
    lathe_view_path(view_at(doc, "chunks[3].inner.sections[1]"), "text", path, sizeof path);
    assert_string_equal(path, "chunks[3].inner.sections[1].text");
    assert_int_equal(lathe_view_path(cells, NULL, NULL, 0), 15);
    assert_int_equal(lathe_view_path(cells, NULL, path, 7), 15);
    assert_string_equal(path, "chunks");
    assert_int_equal(lathe_view_path(lathe_doc_root(doc), NULL, path, sizeof path), 0);
    assert_string_equal(path, "");
    lathe_doc_close(doc);
}

static void bad_paths(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "nothing",    "groups[0]",    "groups[", "groups[]",           "groups[1",
        "groups[1]x", ".groups",      "groups.", "groups..id",         "[1]",
        "groups[-1]", "numbers.u8.x", "pad[1]",  "groups[1].items.id", "groups[+1]",
        "numbers[1]", "fresh.x",
    };
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    lathe_value v;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        lathe_error e;
        lathe_result r = lathe_view_at(lathe_doc_root(doc), paths[i], &v, &e);
        if (r != LATHE_ERR_NAME && r != LATHE_ERR_TYPE)
            fail_msg("%s: %s", paths[i], lathe_result_name(r));
    }
    FAILS(LATHE_ERR_BOUNDS, lathe_view_at(lathe_doc_root(doc), "groups[4]", &v, err));
    FAILS(LATHE_ERR_NAME,
          lathe_view_at(lathe_doc_root(doc), "groups[99999999999999999999999]", &v, err));
    OK(lathe_view_at(view_at(doc, "groups"), "[2].items", &v, err));
    OK(lathe_view_at(view_at(doc, "points"), "[1].pos[2]", &v, err));
    assert_true(v.as.f == 2);
    lathe_doc_close(doc);
}

/* ---- describe ---------------------------------------------------------------------------------------- */

static void described(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    lathe_field_info info = {.size = sizeof info};
    lathe_view numbers = view_at(doc, "numbers");
    assert_true(lathe_view_describe(numbers, 21, &info));
    assert_string_equal(info.name, "ranged");
    assert_string_equal(info.type, "i16");
    assert_true(info.min == -10 && info.max == 10 && info.kind == LATHE_KIND_INT);
    assert_true(lathe_view_describe(numbers, 19, &info));
    assert_true(info.flags & LATHE_FIELD_ENUM && info.names_count == 3);
    assert_string_equal(info.names[2].name, "blue");
    assert_true(lathe_view_describe(numbers, 10, &info));
    assert_string_equal(info.unit, "m");
    assert_int_equal(info.offset, 34);
    assert_int_equal(info.span, 4);
    assert_true(info.min > info.max);
    assert_false(lathe_view_describe(numbers, 25, &info));
    assert_true(lathe_view_describe(view_at(doc, "groups"), 0, &info));
    assert_true(info.flags & LATHE_FIELD_ARRAY && info.flags & LATHE_FIELD_RESIZABLE);
    assert_string_equal(info.type, "group");
    assert_false(lathe_view_describe(view_at(doc, "groups"), 1, &info));
    assert_true(lathe_type_describe("texts", 7, &info));
    assert_string_equal(info.type, "str64");
    assert_int_equal(info.offset, LATHE_NO_OFFSET);
    assert_true(lathe_type_describe("section", 0, &info)); /* known through pack alone */
    assert_true(info.flags & LATHE_FIELD_READONLY);
    assert_false(lathe_type_describe("sections", 0, &info));
    /* an older caller's struct is shorter */
    lathe_field_info old = {.size = offsetof(lathe_field_info, doc), .doc = "untouched"};
    assert_true(lathe_view_describe(numbers, 0, &old));
    assert_string_equal(old.doc, "untouched");
    assert_string_equal(lathe_view_type(view_at(doc, "groups[1].items")), "item");
    assert_null(lathe_view_type(view_at(doc, "three")));
    lathe_doc_close(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selectors_rebuild),
        cmocka_unit_test(views_of_rows_that_go),
        cmocka_unit_test(counted_by_a_hook),
        cmocka_unit_test(built_with_another_mode),
        cmocka_unit_test(shared_counts),
        cmocka_unit_test(shared_and_built),
        cmocka_unit_test(shared_maximum),
        cmocka_unit_test(bounds_of_arrays),
        cmocka_unit_test(laid_out_records),
        cmocka_unit_test(gaps_survive),
        cmocka_unit_test(every_byte_has_a_place),
        cmocka_unit_test(paths_lead_back),
        cmocka_unit_test(paths_are_canonical),
        cmocka_unit_test(bad_paths),
        cmocka_unit_test(described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
