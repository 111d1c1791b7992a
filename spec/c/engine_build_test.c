/* Building from nested values and copying between documents: what is given comes, what is not stays. */
#include "made_up_test.h"

#include <math.h>

/* ---- records ----------------------------------------------------------------------------------------- */

static void missing_fields_stay(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    OK(try_build(view_at(doc, "numbers"), "{u16 = 99}", err));
    assert_int_equal(int_at(doc, "numbers.u16"), 99);
    assert_int_equal(int_at(doc, "numbers.u32"), 5);
    OK(try_build(view_at(doc, "points[1]"), "{pos = {y = 9}}", err));
    assert_true(at_path(doc, "points[1].pos.x").as.f == 1);
    assert_true(at_path(doc, "points[1].pos.y").as.f == 9);
    assert_int_equal(int_at(doc, "points[1].weights[4]"), 4);
    OK(try_build(view_at(doc, "groups[1]"), "{name = \"new name\"}", err));
    assert_int_equal(int_at(doc, "groups[1].items[3].id"), 3);
    OK(try_build(lathe_doc_root(doc), "{choice = {tail = 1}, texts = {zero = \"0\"}}", err));
    assert_true(text_is(at_path(doc, "choice.two"), "II"));
    assert_true(text_is(at_path(doc, "texts.s64"), "seven"));
    assert_true(text_is(at_path(doc, "texts.zero"), "0"));
    OK(try_build(view_at(doc, "groups[1]"), "{items = {{}, {id = 77}}}", err));
    assert_int_equal(lathe_view_count(view_at(doc, "groups[1].items")), 2);
    assert_int_equal(int_at(doc, "groups[1].items[2].id"), 77);
    assert_opens(doc);
    lathe_doc_close(doc);
}

/* What a file holds against its own schema is not the business of an edit next to it. */
static void strange_values_stay(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++) {
        lathe_doc *made = new_doc(big ? "nested_big" : "nested", NESTED_SAMPLE);
        uint64_t ranged, packed, point, f32, size;
        OK(lathe_view_span(view_at(made, "numbers"), "ranged", &ranged, &size, err));
        OK(lathe_view_span(view_at(made, "numbers"), "packed", &packed, &size, err));
        OK(lathe_view_span(view_at(made, "numbers"), "f32", &f32, &size, err));
        OK(lathe_view_span(view_at(made, "points[2]"), "ranged", &point, &size, err));
        bytes_copy b = encode(made);
        lathe_doc_close(made);
        bytes_st16(b.p + ranged, 30000, big);
        bytes_st16(b.p + packed, 0xf123, big); /* its upper bits are not shown */
        bytes_st16(b.p + point, 30000, big);
        bytes_st32(b.p + f32, 0x7fa00001, big); /* a signalling NaN */
        lathe_doc *doc = parse_doc(b.p, b.n, NULL);
        OK(try_build(view_at(doc, "numbers"), "{u8 = 1}", err));
        OK(try_build(lathe_doc_root(doc), "{numbers = {u8 = 1}, blob = \"\\0blob\\n\"}", err));
        OK(try_build(view_at(doc, "points[2]"), "{id = 11}", err));
        assert_true(same_as(doc, b));
        assert_false(lathe_doc_modified(doc));
        /* and it is copied as it is, also into the other byte order */
        lathe_doc *other = new_doc(big ? "nested" : "nested_big", "{}");
        set_value(lathe_doc_root(other), "numbers", v_record(view_at(doc, "numbers")));
        set_value(lathe_doc_root(other), "points", v_array(view_at(doc, "points")));
        assert_int_equal(int_at(other, "numbers.ranged"), 30000);
        assert_int_equal(int_at(other, "points[2].ranged"), 30000);
        OK(lathe_view_span(view_at(other, "numbers"), "f32", &f32, &size, err));
        OK(lathe_view_span(view_at(other, "numbers"), "packed", &packed, &size, err));
        bytes_copy o = encode(other);
        assert_int_equal(bytes_ld32(o.p + f32, !big), 0x7fa00001);
        assert_int_equal(bytes_ld16(o.p + packed, !big), 0xf123);
        free(o.p);
        free(b.p);
        lathe_doc_close(other);
        lathe_doc_close(doc);
    }
}

static void unknown_names(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    bytes_copy before = encode(doc);
    made_up_text t;
    lathe_error e;
    assert_true(made_up_text_read(&t, "{numbers = {u9 = 1}, choice = {tail = 7}}"));
    assert_int_equal(lathe_view_build(lathe_doc_root(doc), &t.source, &e), LATHE_ERR_NAME);
    assert_non_null(strstr(e.message, "'u9'"));
    assert_string_equal(e.where, "numbers");
    t.source.name = NULL; /* who does not tell names is not told about them */
    OK(lathe_view_build(lathe_doc_root(doc), &t.source, err));
    assert_int_equal(int_at(doc, "choice.tail"), 7);
    assert_true(lathe_edit_undo(doc, 1));
    assert_true(same_as(doc, before));
    made_up_text_free(&t);
    FAILS(LATHE_ERR_NAME, try_build(view_at(doc, "groups"), "{{id = 1}, {idd = 2}}", err));
    FAILS(LATHE_ERR_NAME,
          try_build(view_at(doc, "points"), "{{pos = {1, 2, 3}}, {poss = 2}}", err));
    assert_true(same_as(doc, before));
    free(before.p);
    lathe_doc_close(doc);
}

static void built_values_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *at, *text;
        lathe_result result;
    } rows[] = {
        {"", "{numbers = {u8 = 256}}", LATHE_ERR_RANGE},
        {"", "{numbers = 1}", LATHE_ERR_TYPE},
        {"", "{numbers = {colour = \"pink\"}}", LATHE_ERR_RANGE},
        {"", "{numbers = {bits = {\"hot\", \"cold\"}}}", LATHE_ERR_RANGE},
        {"", "{groups = {{id = 1}, {items = {{id = 65536}}}}}", LATHE_ERR_RANGE},
        {"", "{groups = 1}", LATHE_ERR_TYPE},
        {"", "{groups = {1}}", LATHE_ERR_TYPE},
        {"", "{three = {1, 2}}", LATHE_ERR_INVALID},
        {"", "{three = {1, 2, \"x\"}}", LATHE_ERR_TYPE},
        {"", "{pad = \"ab\"}", LATHE_ERR_INVALID},
        {"", "{blob = 1}", LATHE_ERR_TYPE},
        {"", "{texts = {s8 = 1}}", LATHE_ERR_TYPE},
        {"", "{texts = {line = \"a\\nb\"}}", LATHE_ERR_RANGE},
        {"", "{words = {\"a b\"}}", LATHE_ERR_RANGE},
        {"", "{fresh = 3}", LATHE_ERR_NAME},
        {"", "{group_count = 4}", LATHE_ERR_INVALID},
        {"points[1]", "{weights = {1, 2, 3}}", LATHE_ERR_INVALID},
        {"groups[1].items[1]", "{twice = 3}", LATHE_ERR_TYPE},
        {"groups[1].items[1]", "{text = \"new\", twice = 3}", LATHE_ERR_TYPE},
    };
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    bytes_copy before = encode(doc);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lathe_error e = {.code = LATHE_OK};
        lathe_result r = try_build(view_at(doc, rows[i].at), rows[i].text, &e);
        if (r != rows[i].result) {
            show_error(&e);
            fail_msg("%s: %s", rows[i].text, lathe_result_name(r));
        }
        if (!same_as(doc, before))
            fail_msg("%s: changed", rows[i].text);
    }
    OK(try_build(lathe_doc_root(doc), "{version = 2, group_count = 3, mark = \"NEST\"}", err));
    OK(try_build(view_at(doc, "groups[1].items[1]"), "{text = \"new\", twice = 30}", err));
    assert_int_equal(int_at(doc, "groups[1].items[1].id"), 15);
    free(before.p);
    lathe_doc_close(doc);
}

/* ---- arrays ------------------------------------------------------------------------------------------ */

static void arrays_grow_and_shrink(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    lathe_view second = view_at(doc, "points[2]"), tree = view_at(doc, "tree.children[2]");
    OK(try_build(view_at(doc, "points"), "{{id = 1}, {id = 2}, {id = 3}, {id = 4}, {id = 5}}",
                 err));
    assert_int_equal(get_int(second, "id"), 2);
    assert_int_equal(get_int(tree, "value"), 4);
    OK(try_build(view_at(doc, "points"), "{{id = 9}}", err));
    FAILS(LATHE_ERR_REMOVED, lathe_view_get(second, "id", &(lathe_value){0}, err));
    assert_int_equal(get_int(tree, "value"), 4);
    OK(try_build(view_at(doc, "words"), "{\"a\", \"bb\", \"ccc\", \"dddd\"}", err));
    assert_true(text_is(at_path(doc, "words[4]"), "dddd"));
    OK(try_build(view_at(doc, "words"), "{}", err));
    assert_int_equal(lathe_view_count(view_at(doc, "words")), 0);
    OK(try_build(view_at(doc, "rest"), "{1, 2, 3, 4, 5, 6, 7}", err));
    assert_int_equal(int_at(doc, "rest[7]"), 7);
    assert_opens(doc);
    lathe_doc_close(doc);
}

/* What nobody may set is passed over, wherever it stands: tables read from one record fit another. */
static void read_only_fields_stay(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    bytes_copy before = encode(doc);
    OK(try_build(lathe_doc_root(doc), "{version = 3, mark = \"MARK\"}", err));
    OK(try_build(view_at(doc, "points[1]"), "{locked = 8}", err));
    assert_true(same_as(doc, before));
    OK(try_build(view_at(doc, "points"), "{{id = 5, locked = 8}, {}, {}}", err));
    assert_int_equal(int_at(doc, "points[1].id"), 5);
    assert_int_equal(int_at(doc, "points[1].locked"), 7);
    OK(try_build(lathe_doc_root(doc), "{points = {{id = 6, locked = 9}, {}, {}}}", err));
    assert_int_equal(int_at(doc, "points[1].id"), 6);
    assert_int_equal(int_at(doc, "points[1].locked"), 7);
    free(before.p);
    lathe_doc_close(doc);
}

/* A whole array is new: what its elements are not given is their default, whatever stood there. */
static void elements_start_afresh(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    OK(try_build(view_at(doc, "groups"), "{{id = 1}, {}, {name = \"x\", items = {{}}}}", err));
    assert_int_equal(lathe_view_count(view_at(doc, "groups[1].items")), 0);
    assert_int_equal(int_at(doc, "groups[2].id"), 0);
    OK(try_build(view_at(doc, "points"), "{{id = 1}, {}}", err));
    assert_true(at_path(doc, "points[1].pos.x").as.f == 0);
    assert_int_equal(int_at(doc, "points[2].id"), 0);
    assert_int_equal(int_at(doc, "item_total"), 1);
    assert_opens(doc);
    lathe_doc_close(doc);
}

/* The same in every field, wherever the data lie: built anew, both are the same bytes. */
static void assert_equal(lathe_doc *a, lathe_doc *b)
{
    made_up_copy *from = made_up_copy_of(lathe_doc_root(a)),
                 *to = made_up_copy_of(lathe_doc_root(b));
    lathe_doc *one = NULL, *two = NULL;
    OK(lathe_doc_new("parts", &from->source, NULL, &one, err));
    OK(lathe_doc_new("parts", &to->source, NULL, &two, err));
    bytes_copy expected = encode(one);
    assert_true(same_as(two, expected));
    made_up_copy_free(from);
    made_up_copy_free(to);
    free(expected.p);
    lathe_doc_close(one);
    lathe_doc_close(two);
}

/* An array from its own elements, in another order. */
typedef struct reversed { /* the elements of an array as they were, last one first */
    lathe_value items[8];
    uint64_t n;
} reversed;

static reversed reversed_of(lathe_view list)
{
    reversed r = {.n = lathe_view_count(list)};
    assert_true(r.n <= 8);
    for (uint64_t i = 0; i < r.n; i++)
        OK(lathe_view_item(list, r.n - 1 - i, &r.items[i], err));
    return r;
}

static bool reversed_get(void *user, const void *node, const char *name, uint64_t index,
                         lathe_value *leaf, const void **child)
{
    const reversed *r = user;
    (void)node;
    *child = NULL;
    if (name || index >= r->n)
        return false;
    *leaf = r->items[index];
    return true;
}

static uint64_t reversed_count(void *user, const void *node)
{
    (void)node;
    return ((const reversed *)user)->n;
}

static void reversed_in_place(void **state)
{
    (void)state;
    static const char *const lists[] = {"groups", "points", "words", "chunks"};
    for (int i = 0; i < 4; i++) {
        const char *format = i == 3 ? "parts" : "nested";
        const char *text = i == 3 ? PARTS_SAMPLE : NESTED_SAMPLE;
        lathe_doc *doc = new_doc(format, text), *other = new_doc(format, text);
        reversed r = reversed_of(view_at(other, lists[i]));
        lathe_source source = {
            .size = sizeof source, .user = &r, .get = reversed_get, .count = reversed_count};
        OK(lathe_view_build(view_at(doc, lists[i]), &source, err));
        if (i == 3) { /* what was moved lies elsewhere */
            OK(lathe_view_build(view_at(other, lists[i]), &source, err));
            assert_equal(doc, other);
            assert_opens(other);
            lathe_doc_close(other);
            lathe_doc_close(doc);
            continue;
        }
        bytes_copy expected = encode(doc);
        OK(lathe_view_build(view_at(other, lists[i]), &source, err)); /* from itself */
        if (!same_as(other, expected))
            fail_msg("%s from itself", lists[i]);
        free(expected.p);
        lathe_doc_close(other);
        lathe_doc_close(doc);
    }
}

/* ---- copies ------------------------------------------------------------------------------------------ */

static void copies_between_documents(void **state)
{
    (void)state;
    static const char *const fields[] = {"numbers", "texts", "groups", "points", "three", "shared",
                                         "words",   "tree",  "choice", "blob",   "rest"};
    lathe_doc *from = new_doc("nested", NESTED_SAMPLE), *to = new_doc("nested_big", "{}");
    lathe_doc *big = new_doc("nested_big", NESTED_SAMPLE);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        set_value(lathe_doc_root(to), fields[i], at_path(from, fields[i]));
        assert_opens(to);
    }
    bytes_copy expected = encode(big);
    assert_int_equal(int_at(to, "item_total"), 4);
    assert_true(same_as(to, expected));
    lathe_value item = at_path(from, "groups[1].items[1]");
    lathe_view items = view_at(to, "groups[3].items");
    OK(lathe_view_set_item(items, 0, &item, err));
    assert_int_equal(int_at(to, "groups[3].items[1].values[2]"), 2);
    FAILS(LATHE_ERR_TYPE, lathe_view_set_item(view_at(to, "groups"), 0, &item, err));
    FAILS(LATHE_ERR_TYPE, try_set(lathe_doc_root(to), "groups", at_path(from, "words"), err));
    FAILS(LATHE_ERR_RANGE, try_set(lathe_doc_root(to), "three", at_path(from, "shared.left"), err));
    free(expected.p);
    lathe_doc_close(big);
    lathe_doc_close(from);
    lathe_doc_close(to);
}

/* An element copied into the array that it is in, in front of itself and behind. */
static void copies_within(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    lathe_view groups = view_at(doc, "groups");
    lathe_value first = at_path(doc, "groups[1]"), last = at_path(doc, "groups[3]");
    OK(lathe_view_set_item(groups, 1, &first, err));
    assert_int_equal(int_at(doc, "groups[2].items[3].id"), 3);
    OK(lathe_view_set_item(groups, 0, &last, err));
    assert_int_equal(int_at(doc, "groups[1].items[1].id"), 4);
    assert_int_equal(int_at(doc, "groups[3].items[1].values[3]"), 9);
    lathe_value self = at_path(doc, "groups[2]");
    OK(lathe_view_set_item(groups, 1, &self, err));
    assert_int_equal(int_at(doc, "groups[2].items[3].id"), 3);
    assert_int_equal(int_at(doc, "item_total"), 1 + 3 + 1);
    lathe_value child = at_path(doc, "tree.children[1]"); /* a part of itself */
    set_value(lathe_doc_root(doc), "tree", child);
    assert_int_equal(int_at(doc, "tree.value"), 2);
    assert_int_equal(int_at(doc, "tree.children[1].value"), 3);
    assert_opens(doc);
    lathe_doc_close(doc);
}

static void copies_into_itself(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    lathe_value tree = at_path(doc, "tree");
    lathe_view children = view_at(doc, "tree.children");
    OK(lathe_view_set_item(children, 1, &tree, err)); /* the whole as a part of itself */
    assert_int_equal(int_at(doc, "tree.children[2].value"), 1);
    assert_int_equal(int_at(doc, "tree.children[2].children[1].value"), 2);
    assert_int_equal(int_at(doc, "tree.children[2].children[2].value"), 4);
    assert_int_equal(lathe_view_count(view_at(doc, "tree.children[2].children[2].children")), 0);
    assert_opens(doc);
    lathe_doc_close(doc);
}

/* Records whose data lie behind them, in parts of their own. */
static void parts_are_built(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("parts", PARTS_SAMPLE);
    lathe_view third = view_at(doc, "chunks[3]");
    OK(try_build(view_at(doc, "chunks[1]"),
                 "{name = \"n\", cells = {{id = 7}, {id = 8}}, note = \"!\"}", err));
    assert_int_equal(int_at(doc, "chunks[1].cells[2].id"), 8);
    assert_true(text_is(at_path(doc, "chunks[1].note"), "!"));
    assert_int_equal(int_at(doc, "chunks[1].weight"), 1 + 16 + 1);
    assert_opens(doc);
    OK(try_build(third, "{inner = {sections = {{text = \"only\"}}}}", err));
    assert_int_equal(lathe_view_count(view_at(doc, "chunks[3].inner.sections")), 1);
    assert_opens(doc);
    OK(try_build(view_at(doc, "chunks"), "{{id = 5}, {id = 6, cells = {{x = 1}}}}", err));
    assert_int_equal(lathe_view_count(view_at(doc, "chunks")), 2);
    assert_int_equal(int_at(doc, "chunks[2].id"), 6);
    assert_int_equal(lathe_view_count(view_at(doc, "chunks[2].cells")), 1);
    assert_opens(doc);
    lathe_doc_close(doc);
}

/* Records whose data lie apart are copied with them, however they are copied. */
static void parts_are_copied(void **state)
{
    (void)state;
    lathe_doc *from = new_doc("parts", PARTS_SAMPLE), *to = new_doc("parts", "{chunks = {{}, {}}}");
    lathe_view list = view_at(to, "chunks");
    for (uint64_t i = 0; i < 4; i++) {
        lathe_value chunk = v_record(item_view(view_at(from, "chunks"), i));
        OK(lathe_view_set_item(list, i % 2, &chunk, err));
        assert_opens(to);
        lathe_view copy = item_view(list, i % 2);
        assert_int_equal(get_int(copy, "id"), i + 1);
        assert_int_equal(lathe_view_count(array_of(copy, "cells")), i == 1 ? 3 : 0);
        assert_int_equal(get_int(copy, "note_size"), i == 1 ? 6 : i == 3 ? 1 : 0);
        assert_int_equal(get_int(copy, "has_inner"), i == 2);
    }
    set_value(lathe_doc_root(to), "chunks", at_path(from, "chunks"));
    assert_equal(to, from);
    lathe_doc_close(to);
    lathe_doc_close(from);
}

/* A list of views of another document is as good as a list of tables. */
static void new_from_views(void **state)
{
    (void)state;
    lathe_doc *from = new_doc("parts", PARTS_SAMPLE), *to = new_doc("parts", "{}");
    reversed r = reversed_of(view_at(from, "chunks"));
    lathe_source source = {
        .size = sizeof source, .user = &r, .get = reversed_get, .count = reversed_count};
    OK(lathe_view_build(view_at(to, "chunks"), &source, err));
    OK(lathe_view_build(view_at(from, "chunks"), &source, err));
    assert_int_equal(int_at(to, "chunks[3].cells[2].id"), 21);
    assert_true(text_is(at_path(to, "chunks[2].inner.sections[3].text"), "s3"));
    assert_equal(to, from);
    lathe_doc_close(to);
    lathe_doc_close(from);
}

static void parts_start_afresh(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("parts", PARTS_SAMPLE);
    OK(try_build(view_at(doc, "chunks"), "{{}, {id = 9}, {id = 8}, {note = \"n\"}}", err));
    assert_int_equal(lathe_view_count(view_at(doc, "chunks[2].cells")), 0);
    assert_int_equal(int_at(doc, "chunks[2].note_size"), 0);
    assert_int_equal(at_path(doc, "chunks[3].inner").kind, LATHE_KIND_NONE);
    assert_int_equal(int_at(doc, "chunks[4].note_size"), 1);
    assert_opens(doc);
    lathe_doc_close(doc);
}

static void new_keeps_its_word(void **state)
{
    (void)state;
    lathe_doc *doc = NULL;
    made_up_text t;
    assert_true(made_up_text_read(&t, "{numbers = {u8 = 300}}"));
    lathe_options o = {.size = sizeof o, .path = "made.nested"};
    lathe_error e;
    assert_int_equal(lathe_doc_new("nested", &t.source, &o, &doc, &e), LATHE_ERR_RANGE);
    assert_string_equal(e.path, "made.nested");
    assert_string_equal(e.where, "numbers.u8");
    assert_null(doc);
    assert_int_equal(lathe_doc_new("nestd", &t.source, &o, &doc, &e), LATHE_ERR_NAME);
    assert_non_null(strstr(e.message, "nested"));
    made_up_text_free(&t);
    doc = new_doc("nested", "{groups = {{}, {}}}");
    assert_true(text_is(at_path(doc, "texts.s32"), "first"));
    assert_true(text_is(at_path(doc, "numbers.colour"), "green"));
    assert_true(at_path(doc, "numbers.f64").as.f == 0.5);
    assert_int_equal(int_at(doc, "choice.tail"), 0xabcd);
    assert_int_equal(int_at(doc, "reserved"), 0x22);
    lathe_doc_close(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_fields_stay),
        cmocka_unit_test(strange_values_stay),
        cmocka_unit_test(unknown_names),
        cmocka_unit_test(built_values_are_checked),
        cmocka_unit_test(arrays_grow_and_shrink),
        cmocka_unit_test(read_only_fields_stay),
        cmocka_unit_test(elements_start_afresh),
        cmocka_unit_test(reversed_in_place),
        cmocka_unit_test(copies_between_documents),
        cmocka_unit_test(copies_within),
        cmocka_unit_test(copies_into_itself),
        cmocka_unit_test(parts_are_built),
        cmocka_unit_test(parts_are_copied),
        cmocka_unit_test(new_from_views),
        cmocka_unit_test(parts_start_afresh),
        cmocka_unit_test(new_keeps_its_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
