/* Record types that files describe themselves: each document has its own. */
#include "made_up_test.h"

/* u8, f32 and record rows are kinds 0, 4 and 7. */
#define XY                                                                                         \
    "{types = {{name = \"own_spot\", rows = {{name = \"x\"}, {name = \"y\"}}}},"                   \
    " objects = {{class = \"own_spot\", x = 1, y = 2}}}"
#define YX                                                                                         \
    "{types = {{name = \"own_spot\", rows = {{name = \"y\"}, {name = \"x\"}}}},"                   \
    " objects = {{class = \"own_spot\", x = 3, y = 4}}}"
static const char *field_name(lathe_doc *doc, const char *type, uint64_t i)
{
    lathe_field_info info = {.size = sizeof info};
    return lathe_doc_type_describe(doc, type, i, &info) ? info.name : "(none)";
}

static void found_by_name(void **state)
{
    (void)state;
    lathe_doc *a = new_doc("own", XY), *b = new_doc("own", YX), *c = new_doc("own", OWN_SAMPLE);
    lathe_field_info info = {.size = sizeof info};
    assert_string_equal(field_name(a, "own_spot", 0), "x");
    assert_string_equal(field_name(b, "own_spot", 0), "y");
    assert_string_equal(field_name(b, "own_spot", 2), "(none)");
    assert_string_equal(field_name(c, "own_spot", 0), "(none)");
    assert_string_equal(field_name(c, "node", 0), "id"); /* of its base */
    assert_string_equal(field_name(c, "own_row", 0), "name");
    assert_string_equal(field_name(c, "solid", 0), "type"); /* of another format */
    assert_false(lathe_type_describe("own_spot", 0, &info));
    assert_string_equal(lathe_doc_type(c, 0), "base");
    assert_string_equal(lathe_doc_type(c, 2), "node");
    assert_null(lathe_doc_type(c, 3));
    assert_true(lathe_doc_type_describe(c, "node", 1, &info));
    assert_string_equal(info.type, "vec");
    assert_int_equal(info.offset, 4);
    assert_int_equal(info.span, 8);
    assert_int_equal(info.flags, LATHE_FIELD_OWN);
    assert_true(lathe_view_describe(lathe_doc_root(c), 5, &info));
    assert_string_equal(info.name, "objects");
    assert_true(info.flags & LATHE_FIELD_OWN);
    assert_true(lathe_view_describe(lathe_doc_root(c), 0, &info));
    assert_false(info.flags & LATHE_FIELD_OWN);
    lathe_doc *none = new_doc("blocks", "{}");
    assert_null(lathe_doc_type(none, 0));
    assert_string_equal(field_name(none, "solid", 0), "type");
    lathe_doc_close(none);
    lathe_doc_close(a);
    lathe_doc_close(b);
    lathe_doc_close(c);
}

static const rec_type *type_in(lathe_doc *doc, const char *name)
{
    const rec_type *type = rec_doc_type_find(doc, name);
    assert_non_null(type);
    assert_true(type->flags & REC_OWN);
    return type;
}

static void compared(void **state)
{
    (void)state;
    lathe_doc *a = new_doc("own", OWN_SAMPLE), *b = new_doc("own", OWN_SAMPLE),
              *xy = new_doc("own", XY), *yx = new_doc("own", YX);
    const rec_type *one = type_in(a, "node"), *other = type_in(b, "node");
    assert_ptr_not_equal(one, other);
    assert_true(rec_same_type(one, other));
    assert_false(rec_same_type(one, type_in(b, "base")));
    assert_false(rec_same_type(type_in(xy, "own_spot"), type_in(yx, "own_spot")));
    assert_true(rec_takes_type(type_in(xy, "own_spot"), type_in(yx, "own_spot")));
    assert_false(rec_takes_type(type_in(xy, "own_spot"), one));
    assert_null(rec_misfit(one, other));
    assert_string_equal(rec_misfit(one, type_in(xy, "own_spot")), "x");
    assert_true(rec_type_name_taken("array"));
    assert_true(rec_type_name_taken("blocks"));
    assert_true(rec_type_name_taken(""));
    assert_false(rec_type_name_taken("node"));
    lathe_doc_close(a);
    lathe_doc_close(b);
    lathe_doc_close(xy);
    lathe_doc_close(yx);
}

static void copied(void **state)
{
    (void)state;
    lathe_doc *xy = new_doc("own", XY), *yx = new_doc("own", YX);
    lathe_view to = view_at(xy, "objects[1]"), objects = view_at(xy, "objects");
    assert_opens(xy);
    bytes_copy before = encode(xy);
    OK(try_item(objects, 0, v_record(view_at(yx, "objects[1]")), err));
    assert_int_equal(get_int(to, "x"), 3);
    assert_int_equal(get_int(to, "y"), 4);
    lathe_doc_close(yx); /* nothing of it is used any more */
    assert_int_equal(get_int(view_at(xy, "objects[1]"), "x"), 3);
    assert_opens(xy);
    assert_true(lathe_edit_undo(xy, 1));
    assert_true(same_as(xy, before));
    lathe_doc *nested = new_doc("own", OWN_SAMPLE);
    FAILS(LATHE_ERR_NAME, try_item(objects, 0, v_record(view_at(nested, "objects[1]")), err));
    FAILS(LATHE_ERR_TYPE,
          try_set(view_at(nested, "objects[1]"), "at", v_record(view_at(xy, "objects[1]")), err));
    assert_true(same_as(xy, before));
    free(before.p);
    lathe_doc_close(nested);
    lathe_doc_close(xy);
}

/* A document made of another, and one of alike types: numbers of objects mean the same, or nothing. */
static void whole(void **state)
{
    (void)state;
    lathe_doc *a = new_doc("own", OWN_SAMPLE), *b = new_doc("own", OWN_SAMPLE);
    lathe_view to = view_at(b, "objects[1]");
    OK(try_build(to, "{id = 9, list = {{0, 0}, {1, 1}}, few = {0, 0, 0}}", err));
    OK(try_item(view_at(b, "objects"), 0, v_record(view_at(a, "objects[1]")), err));
    assert_int_equal(get_int(view_at(b, "objects[1]"), "id"), 5);
    lathe_value next;
    OK(lathe_view_get(view_at(b, "objects[1]"), "next", &next, err));
    assert_int_equal(next.kind, LATHE_KIND_NULL);
    OK(lathe_view_get(view_at(a, "objects[1]"), "next", &next, err));
    assert_int_equal(next.kind, LATHE_KIND_RECORD);
    assert_opens(b);
    lathe_doc_close(a);
    lathe_doc_close(b);
}

/* Each allocation fails in turn. */
static void short_memory(void **state)
{
    (void)state;
    lathe_doc *from = new_doc("own", YX);
    lathe_doc *made = new_doc("own", XY);
    bytes_copy bytes = encode(made);
    lathe_doc_close(made);
    bool done = false;
    for (size_t fail = 1; !done; fail++) {
        made_up_memory memory = {.fail_at = fail};
        const lathe_options o = {.size = sizeof o, .alloc = made_up_alloc, .alloc_user = &memory};
        lathe_doc *doc = NULL;
        lathe_field_info info = {.size = sizeof info};
        lathe_value objects;
        const lathe_value object = v_record(view_at(from, "objects[1]"));
        lathe_result r = lathe_doc_parse(bytes.p, bytes.n, &o, &doc, NULL);
        if (r == LATHE_OK) {
            lathe_doc_type_describe(doc, "own_spot", 1, &info);
            r = lathe_view_at(lathe_doc_root(doc), "objects", &objects, NULL);
        }
        if (r == LATHE_OK)
            r = lathe_view_set_item(objects.as.v, 0, &object, NULL);
        if (r == LATHE_OK)
            assert_int_equal(int_at(doc, "objects[1].x"), 3);
        lathe_doc_close(doc);
        assert_int_equal(memory.bytes, 0);
        assert_false(memory.wrong_size);
        done = memory.calls < fail;
        assert_true(r == LATHE_OK || !done);
    }
    free(bytes.p);
    lathe_doc_close(from);
}

static void no_sense(void **state)
{
    (void)state;
    lathe_doc *doc = NULL;
    static const char *const bad[] = {
        "OWNT\1\1a\0\0\1\1x\7\0\0\0",   /* a record of its own type */
        "OWNT\1\1a\2\0\0\0",            /* a base behind it */
        "OWNT\1\1a\0\0\1\1x\x63\0\0\0", /* a row of no kind */
    };
    static const size_t sizes[] = {16, 11, 16};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        FAILS(LATHE_ERR_INVALID, lathe_doc_parse(bad[i], sizes[i], NULL, &doc, err));
    lathe_doc *lone =
        parse_doc("OWNT\1\1a\0\0\0\1\5", 12, "own"); /* an object of a type that is not there */
    assert_string_equal(lathe_view_type(view_at(lone, "objects[1]")), "own_opaque");
    lathe_doc_close(lone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found_by_name), cmocka_unit_test(compared),     cmocka_unit_test(copied),
        cmocka_unit_test(whole),         cmocka_unit_test(short_memory), cmocka_unit_test(no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
