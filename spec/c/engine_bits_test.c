/* Rows that are bits of an integer, and vectors that are worked out from rows of their own. */
#include "made_up_test.h"

static void bits_read_and_are_set(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("bits", "{word = 2147504257, wide = 4294967298}"); /* 0x80005081 */
    lathe_view root = lathe_doc_root(doc);
    assert_int_equal(int_at(doc, "low"), 0x081);
    assert_true(text_is(at_path(doc, "mode"), "fast"));
    assert_true(at_path(doc, "loud").as.b);
    assert_int_equal(int_at(doc, "top"), 1);
    set_value(root, "low", v_int(0xFFF));
    set_value(root, "mode", v_text("slow"));
    set_value(root, "loud", v_bool(false));
    set_value(root, "top", v_int(0xFFFFFFFF));
    assert_int_equal(int_at(doc, "word"), 0x1FFF);
    assert_int_equal(at_path(doc, "wide").as.u, UINT64_C(0xFFFFFFFF00000002));
    set_value(root, "mode", v_int(7)); /* has no name */
    assert_int_equal(int_at(doc, "mode"), 7);
    FAILS(LATHE_ERR_RANGE, try_set(root, "low", v_int(0x1000), err));
    FAILS(LATHE_ERR_RANGE, try_set(root, "low", v_int(-1), err));
    FAILS(LATHE_ERR_RANGE, try_set(root, "mode", v_int(8), err));
    FAILS(LATHE_ERR_RANGE, try_set(root, "mode", v_text("sloe"), err));
    FAILS(LATHE_ERR_TYPE, try_set(root, "low", v_text("slow"), err));
    assert_int_equal(int_at(doc, "word"), 0x7FFF);
    assert_true(lathe_edit_undo(doc, 1));
    assert_true(text_is(at_path(doc, "mode"), "slow"));
    lathe_doc_close(doc);
}

static void bits_go_with_their_integer(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("bits", "{some = 0xA5}");
    lathe_view root = lathe_doc_root(doc);
    uint64_t off, size, of, bytes;
    assert_int_equal(int_at(doc, "nibble"), 0xA);
    OK(lathe_view_span(root, "nibble", &off, &size, err));
    OK(lathe_view_span(root, "some", &of, &bytes, err));
    assert_true(off == of && size == bytes && size == 1);
    set_value(root, "word", v_int(0)); /* it selects `some` */
    assert_int_equal(at_path(doc, "nibble").kind, LATHE_KIND_NONE);
    FAILS(LATHE_ERR_NAME, try_set(root, "nibble", v_int(1), err));
    FAILS(LATHE_ERR_NAME, lathe_view_span(root, "nibble", &off, &size, err));
    lathe_doc_close(doc);
}

/* What is given of them counts more than what is given of the integer. */
static void bits_are_given(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("bits", "{mode = \"fast\", word = 3, low = 9}");
    assert_int_equal(int_at(doc, "word"), 0x5009);
    OK(try_build(lathe_doc_root(doc), "{loud = true}", err));
    assert_int_equal(int_at(doc, "word"), 0x80005009);
    FAILS(LATHE_ERR_RANGE, try_build(lathe_doc_root(doc), "{word = 1, low = 4096}", err));
    assert_int_equal(int_at(doc, "word"), 0x80005009);
    lathe_doc_close(doc);
}

static void vectors_of_their_own_rows(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc(
        "bits",
        "{pair = {a = 3, b = 4, beside = -1}, pairs = {{5, 6}, {packed = 0x87, beside = 2}}}");
    lathe_view pair = view_at(doc, "pair");
    uint64_t off, size;
    lathe_value v;
    assert_int_equal(int_at(doc, "pair.packed"), 0x43);
    assert_int_equal(int_at(doc, "pair.beside"), -1);
    assert_int_equal(int_at(doc, "pairs[1].packed"), 0x65);
    assert_int_equal(int_at(doc, "pairs[2].a"), 7);
    OK(lathe_view_item(pair, 1, &v, err));
    assert_true(v.kind == LATHE_KIND_INT && v.as.i == 4);
    FAILS(LATHE_ERR_TYPE, lathe_view_item(pair, 2, &v, err)); /* no number of the vector */
    set_value(pair, "a", v_int(15));
    assert_int_equal(int_at(doc, "pair.packed"), 0x4F);
    set_value(pair, "packed", v_int(0x21));
    assert_int_equal(int_at(doc, "pair.b"), 2);
    OK(try_build(pair, "{7, 8}", err)); /* both at once, and the rest stays */
    assert_int_equal(int_at(doc, "pair.packed"), 0x87);
    assert_int_equal(int_at(doc, "pair.beside"), -1);
    OK(try_build(pair, "{packed = 0x11, beside = 5}", err));
    assert_int_equal(int_at(doc, "pair.a"), 1);
    OK(try_build(pair, "{packed = 0x11, b = 9}", err));
    assert_int_equal(int_at(doc, "pair.packed"), 0x91);
    FAILS(LATHE_ERR_RANGE, try_build(pair, "{1, 16}", err));
    FAILS(LATHE_ERR_TYPE, try_build(pair, "{1, \"x\"}", err));
    FAILS(LATHE_ERR_TYPE, try_build(pair, "{1, 2, 3}", err));
    assert_int_equal(int_at(doc, "pair.packed"), 0x91);
    OK(lathe_view_span(pair, "a", &off, &size, err));
    assert_int_equal(size, 2);
    lathe_doc_close(doc);
}

static void vectors_begin_with_their_defaults(void **state)
{
    (void)state;
    static const struct {
        const char *given;
        int packed;
    } rows[] = {{"{}", 0x76},
                {"{pair = {}}", 0x76},
                {"{pair = {a = 1}}", 0x71},
                {"{pair = {packed = 0}}", 0},
                {"{pair = {packed = 0, b = 2}}", 0x20},
                {"{pair = {beside = 1}}", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lathe_doc *doc = new_doc("bits", rows[i].given);
        assert_int_equal(int_at(doc, "pair.packed"), rows[i].packed);
        OK(try_build(view_at(doc, "pair"), "{}", err)); /* which stands */
        assert_int_equal(int_at(doc, "pair.packed"), rows[i].packed);
        lathe_doc_close(doc);
    }
}

static void vectors_are_copied_whole(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("bits", "{pair = {1, 2, beside = 3}, pairs = {{4, 5, beside = 6}}}");
    lathe_value v = v_record(view_at(doc, "pairs[1]"));
    set_value(lathe_doc_root(doc), "pair", v);
    assert_int_equal(int_at(doc, "pair.packed"), 0x54);
    assert_int_equal(int_at(doc, "pair.beside"), 6);
    OK(lathe_view_insert(view_at(doc, "pairs"), 0, 1, err));
    OK(try_item(view_at(doc, "pairs"), 0, v, err));
    assert_int_equal(int_at(doc, "pairs[1].packed"), 0x54);
    bytes_copy whole = encode(doc);
    lathe_doc *again = parse_doc(whole.p, whole.n, "bits");
    assert_true(same_as(again, whole));
    lathe_doc_close(again);
    free(whole.p);
    lathe_doc_close(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_read_and_are_set),
        cmocka_unit_test(bits_go_with_their_integer),
        cmocka_unit_test(bits_are_given),
        cmocka_unit_test(vectors_of_their_own_rows),
        cmocka_unit_test(vectors_begin_with_their_defaults),
        cmocka_unit_test(vectors_are_copied_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
