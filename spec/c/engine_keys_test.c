/* Keyed arrays from C: lookups, names in place of lists, and memory that runs out on the way. */
#include "made_up_test.h"

#define DOC                                                                                        \
    "{groups = {b = {values = {x = \"1\", a = \"2\"}, lists = {l = {\"p\", \"q\"}}}, "             \
    "a = {id = 7, numbers = {n = -3}}}, tags = {{name = \"t\", bits = 4}}}"

static lathe_value by_key(lathe_doc *doc, const char *path, const char *key, size_t n)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    OK(lathe_view_key(view_at(doc, path), key, n, &v, err));
    return v;
}

static void lookups(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("keys", DOC);
    lathe_value v = v_int(5), group = by_key(doc, "groups", "b", 1);
    assert_true(text_is(at_path(doc, "groups[1].name"), "a"));
    assert_true(lathe_view_same(group.as.v, view_at(doc, "groups[2]")));
    assert_true(text_is(by_key(doc, "groups[2].values", "x", 1), "1"));
    assert_int_equal(by_key(doc, "groups[1].numbers", "n", 1).as.i, -3);
    assert_int_equal(by_key(doc, "groups[1].numbers", "n\0", 2).kind, LATHE_KIND_NONE);
    assert_int_equal(by_key(doc, "groups[1].numbers", "", 0).kind, LATHE_KIND_NONE);
    assert_int_equal(by_key(doc, "groups[1].numbers", NULL, 0).kind, LATHE_KIND_NONE);
    assert_true(text_is(at_path(doc, "groups[\"b\"].lists[\"l\"][2]"), "q"));
    FAILS(LATHE_ERR_TYPE, lathe_view_key(lathe_doc_root(doc), "x", 1, &v, err));
    FAILS(LATHE_ERR_TYPE,
          lathe_view_key(view_at(doc, "groups[2].lists[1].texts"), "x", 1, &v, err));
    OK(lathe_view_insert(view_at(doc, "groups[2].lists"), 1, 1, err));
    set_value(view_at(doc, "groups[2].lists[2]"), "key", v_text("l"));
    FAILS(LATHE_ERR_INVALID, lathe_view_key(view_at(doc, "groups[2].lists"), "l", 1, &v, err));
    assert_int_equal(v.kind, LATHE_KIND_INT); /* untouched */
    lathe_field_info info = {.size = sizeof info};
    assert_true(lathe_view_describe(view_at(doc, "groups[2].values"), 0, &info));
    assert_string_equal(info.key, "key");
    assert_string_equal(info.value, "value");
    assert_opens(doc);
    lathe_doc_close(doc);
}

static lathe_result assign(lathe_doc *doc, lathe_error *err)
{
    static const char text[] = "{z = \"26\", y = \"a somewhat longer text\", x = \"24\"}";
    made_up_text t;
    lathe_value v;
    assert_true(made_up_text_read(&t, text));
    lathe_result r = lathe_view_at(lathe_doc_root(doc), "groups[\"b\"].values", &v, err);
    if (r == LATHE_OK)
        r = lathe_view_build(v.as.v, &t.source, err);
    made_up_text_free(&t);
    return r;
}

static lathe_result build(const lathe_options *o, lathe_doc **doc, lathe_error *err)
{
    made_up_text t;
    assert_true(made_up_text_read(&t, DOC));
    lathe_result r = lathe_doc_new("keys", &t.source, o, doc, err);
    made_up_text_free(&t);
    return r;
}

/* One document, made and edited, with memory that runs out at call n of one of both; true where that
 * many calls were made. Some of them may fail: what they would have remembered is found again. */
static bool runs_out(bool edit, size_t n)
{
    made_up_memory memory = {.fail_at = edit ? 0 : n};
    lathe_options o = {.size = sizeof o, .alloc = made_up_alloc, .alloc_user = &memory};
    lathe_doc *doc = NULL;
    lathe_error err;
    lathe_result r = build(&o, &doc, &err);
    if (edit) {
        bytes_copy before = encode(doc);
        memory.calls = 0;
        memory.fail_at = n;
        r = assign(doc, &err);
        memory.fail_at = 0;
        if (r != LATHE_OK)
            assert_true(same_as(doc, before));
        else
            assert_true(text_is(at_path(doc, "groups.b.values.z"), "26"));
        free(before.p);
    }
    bool reached = memory.calls >= n;
    if (r != LATHE_OK)
        assert_int_equal(r, LATHE_ERR_MEMORY);
    lathe_doc_close(doc);
    assert_int_equal(memory.bytes, 0);
    assert_false(memory.wrong_size);
    return reached;
}

static void memory_runs_out(void **state)
{
    (void)state;
    for (int edit = 0; edit < 2; edit++) {
        size_t n = 1;
        while (runs_out(edit, n))
            n++;
        assert_true(n > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lookups),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
