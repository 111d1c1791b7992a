/* Every kind of field: limits, both byte orders, strings, rows that come and go, shared counts. */
#include "made_up_test.h"

#include <math.h>

static const char *const both[] = {"nested", "nested_big"};

/* ---- numbers --------------------------------------------------------------------------------------- */

/* Sets, reads back, and looks at the very bytes. */
static void stores(lathe_doc *doc, const char *field, lathe_value v, uint64_t raw)
{
    lathe_view numbers = view_at(doc, "numbers");
    lathe_value back;
    uint64_t off, size;
    set_value(numbers, field, v);
    OK(lathe_view_get(numbers, field, &back, err));
    if (v.kind == LATHE_KIND_REAL)
        assert_true(back.kind == LATHE_KIND_REAL && (back.as.f == v.as.f || isnan(v.as.f)));
    else
        assert_int_equal(back.as.i, v.as.i);
    OK(lathe_view_span(numbers, field, &off, &size, err));
    bytes_copy b = encode(doc);
    bool big = strcmp(lathe_doc_info(doc, "format"), "nested_big") == 0;
    big = (big || strncmp(field, "big", 3) == 0) && strncmp(field, "little", 6) != 0;
    assert_int_equal(bytes_ld(b.p + off, (unsigned)size, big), raw);
    free(b.p);
}

static void refuses(lathe_doc *doc, const char *field, lathe_value v)
{
    lathe_view numbers = view_at(doc, "numbers");
    bytes_copy before = encode(doc);
    lathe_error e;
    char where[64];
    assert_int_equal(lathe_view_set(numbers, field, &v, &e), LATHE_ERR_RANGE);
    snprintf(where, sizeof where, "numbers.%s", field);
    assert_string_equal(e.where, where);
    assert_true(same_as(doc, before));
    free(before.p);
}

typedef struct limits {
    const char *field;
    unsigned bits;
    bool is_signed;
} limits;

static void integers(void **state)
{
    (void)state;
    static const limits rows[] = {
        {"u8", 8, false},       {"i8", 8, true},       {"u16", 16, false},
        {"i16", 16, true},      {"u32", 32, false},    {"i32", 32, true},
        {"big_u16", 16, false}, {"big_i32", 32, true}, {"little_u16", 16, false},
        {"bits", 16, false},
    };
    for (int b = 0; b < 2; b++) {
        lathe_doc *doc = new_doc(both[b], NESTED_SAMPLE);
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            const limits *l = &rows[i];
            int64_t lo = l->is_signed ? -(INT64_C(1) << (l->bits - 1)) : 0;
            int64_t hi = (INT64_C(1) << (l->bits - l->is_signed)) - 1;
            uint64_t mask = (UINT64_C(1) << l->bits) - 1;
            stores(doc, l->field, v_int(lo), (uint64_t)lo & mask);
            stores(doc, l->field, v_int(lo + 1), (uint64_t)(lo + 1) & mask);
            refuses(doc, l->field, v_int(lo - 1));
            stores(doc, l->field, v_int(hi - 1), (uint64_t)hi - 1);
            stores(doc, l->field, v_int(hi), (uint64_t)hi);
            refuses(doc, l->field, v_int(hi + 1));
            refuses(doc, l->field, v_int(INT64_MAX));
            refuses(doc, l->field, v_int(INT64_MIN));
            refuses(doc, l->field, v_uint(UINT64_MAX));
            refuses(doc, l->field, v_real((double)hi + 1));
            refuses(doc, l->field, v_real(1e300));
            set_value(view_at(doc, "numbers"), l->field, v_real((double)hi));
            assert_int_equal(get_int(view_at(doc, "numbers"), l->field), hi);
        }
        assert_opens(doc);
        lathe_doc_close(doc);
    }
}

static void wide_integers(void **state)
{
    (void)state;
    for (int b = 0; b < 2; b++) {
        lathe_doc *doc = new_doc(both[b], NESTED_SAMPLE);
        lathe_view numbers = view_at(doc, "numbers");
        stores(doc, "i64", v_int(INT64_MIN), (uint64_t)1 << 63);
        stores(doc, "i64", v_int(INT64_MAX), INT64_MAX);
        stores(doc, "u64", v_uint(UINT64_MAX), UINT64_MAX);
        stores(doc, "little_u64", v_uint(UINT64_MAX - 1), UINT64_MAX - 1);
        stores(doc, "u64", v_int(-1), UINT64_MAX); /* as Lua has it */
        refuses(doc, "u64", v_real(18446744073709551616.0));
        refuses(doc, "u64", v_real(-1));
        refuses(doc, "i64", v_real(9223372036854775808.0));
        refuses(doc, "i64", v_real(-9223372036854777856.0));
        set_value(numbers, "i64", v_real(-9223372036854775808.0));
        assert_int_equal(get_int(numbers, "i64"), INT64_MIN);
        set_value(numbers, "u64", v_real(18446744073709549568.0));
        assert_int_equal((uint64_t)get_int(numbers, "u64"), UINT64_C(18446744073709549568));
        stores(doc, "wide", v_int(1000), 1000);
        refuses(doc, "wide", v_int(1001));
        lathe_doc_close(doc);
    }
}

static void floats(void **state)
{
    (void)state;
    for (int b = 0; b < 2; b++) {
        lathe_doc *doc = new_doc(both[b], NESTED_SAMPLE);
        stores(doc, "f16", v_real(65504), 0x7bff);
        stores(doc, "f16", v_real(-0.0), 0x8000);
        stores(doc, "f16", v_real(INFINITY), 0x7c00);
        stores(doc, "little_f16", v_real(0x1p-24), 1);
        refuses(doc, "f16", v_real(65520));
        refuses(doc, "f16", v_real(-1e9));
        stores(doc, "upper", v_real(-2), 0xc000);
        stores(doc, "upper", v_real(INFINITY), 0x7f80);
        refuses(doc, "upper", v_real(3.4e38 * 2));
        stores(doc, "f32", v_real(0x1.fffffep127), 0x7f7fffff);
        stores(doc, "f32", v_real(0x1p-149), 1);
        refuses(doc, "f32", v_real(0x1p128));
        stores(doc, "f64", v_real(1.7976931348623157e308), UINT64_C(0x7fefffffffffffff));
        stores(doc, "big_f64", v_real(1), UINT64_C(0x3ff0000000000000));
        stores(doc, "f64", v_real(-INFINITY), UINT64_C(0xfff0000000000000));
        set_value(view_at(doc, "numbers"), "f32", v_int(16777217)); /* rounds, as floats do */
        assert_true(at_path(doc, "numbers.f32").as.f == 16777216);
        set_value(view_at(doc, "numbers"), "f64", v_uint(UINT64_MAX));
        assert_true(at_path(doc, "numbers.f64").as.f == 18446744073709551616.0);
        assert_opens(doc);
        lathe_doc_close(doc);
    }
}

static void ranges_and_codecs(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    stores(doc, "ranged", v_int(-10), 0xfff6);
    stores(doc, "ranged", v_int(10), 10);
    refuses(doc, "ranged", v_int(11));
    refuses(doc, "ranged", v_int(-11));
    stores(doc, "ratio", v_real(1), 0x3f800000);
    refuses(doc, "ratio", v_real(1.0000001));
    refuses(doc, "ratio", v_real(-1e-9));
    refuses(doc, "ratio", v_real(NAN));
    stores(doc, "packed", v_real(409.5), 0xfff);
    refuses(doc, "packed", v_real(409.6));
    lathe_doc_close(doc);
}

static void wrong_kinds(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    lathe_view numbers = view_at(doc, "numbers"), root = lathe_doc_root(doc);
    bytes_copy before = encode(doc);
    FAILS(LATHE_ERR_TYPE, try_set(numbers, "u8", v_text("1"), err));
    FAILS(LATHE_ERR_TYPE, try_set(numbers, "u8", v_bool(true), err));
    FAILS(LATHE_ERR_TYPE, try_set(numbers, "u8", v_real(0.5), err));
    FAILS(LATHE_ERR_TYPE, try_set(numbers, "u8", v_real(NAN), err));
    FAILS(LATHE_ERR_TYPE, try_set(numbers, "u8", v_record(numbers), err));
    FAILS(LATHE_ERR_TYPE, try_set(numbers, "f32", v_text("1"), err));
    FAILS(LATHE_ERR_TYPE, try_set(numbers, "u8", (lathe_value){.kind = LATHE_KIND_NULL}, err));
    FAILS(LATHE_ERR_TYPE, try_set(view_at(doc, "texts"), "s8", v_int(1), err));
    FAILS(LATHE_ERR_TYPE, try_set(root, "groups", v_int(1), err));
    FAILS(LATHE_ERR_TYPE, try_set(root, "numbers", v_int(1), err));
    FAILS(LATHE_ERR_TYPE, try_set(root, "numbers", v_record(view_at(doc, "texts")), err));
    FAILS(LATHE_ERR_TYPE, try_set(root, "blob", v_bool(true), err));
    FAILS(LATHE_ERR_TYPE, try_set(view_at(doc, "groups"), "id", v_int(1), err));
    FAILS(LATHE_ERR_TYPE, lathe_view_insert(numbers, 0, 1, err));
    FAILS(LATHE_ERR_TYPE, try_item(root, 0, v_int(1), err));
    FAILS(LATHE_ERR_NAME, try_set(numbers, "u9", v_int(1), err));
    FAILS(LATHE_ERR_READONLY, try_set(root, "mark", v_text("NEST"), err));
    FAILS(LATHE_ERR_READONLY, try_set(root, "version", v_int(3), err));
    FAILS(LATHE_ERR_READONLY, try_set(root, "group_count", v_int(3), err));
    FAILS(LATHE_ERR_READONLY, try_set(root, "summary", v_text("x"), err));
    FAILS(LATHE_ERR_READONLY, try_set(view_at(doc, "points[1]"), "locked", v_int(7), err));
    assert_true(same_as(doc, before));
    free(before.p);
    lathe_doc_close(doc);
}

static void names_of_values(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    lathe_view numbers = view_at(doc, "numbers");
    lathe_error e;
    assert_true(text_is(at_path(doc, "numbers.colour"), "blue"));
    set_value(numbers, "colour", v_text("green"));
    assert_true(text_is(at_path(doc, "numbers.colour"), "green"));
    set_value(numbers, "colour", v_int(77)); /* unknown ones are shown as they are */
    assert_int_equal(int_at(doc, "numbers.colour"), 77);
    set_value(numbers, "colour", v_int(200));
    assert_true(text_is(at_path(doc, "numbers.colour"), "blue"));
    assert_int_equal(lathe_view_set(numbers, "colour",
                                    &(lathe_value){.kind = LATHE_KIND_STRING, .as.s = {"gren", 4}},
                                    &e),
                     LATHE_ERR_RANGE);
    assert_non_null(strstr(e.message, "green"));
    FAILS(LATHE_ERR_RANGE, try_set(numbers, "colour", v_text("blue "), err));
    FAILS(LATHE_ERR_RANGE, try_set(numbers, "colour", v_int(256), err));
    assert_int_equal(int_at(doc, "numbers.bits"), 0x8001);
    set_value(numbers, "bits", v_text("wet"));
    assert_int_equal(int_at(doc, "numbers.bits"), 2);
    set_value(numbers, "on", v_int(2)); /* true, and stays 2 */
    assert_true(at_path(doc, "numbers.on").kind == LATHE_KIND_BOOL &&
                at_path(doc, "numbers.on").as.b);
    lathe_doc *other = new_doc("nested_big", "{}");
    set_value(lathe_doc_root(other), "numbers", v_record(numbers));
    uint64_t off, size;
    OK(lathe_view_span(view_at(other, "numbers"), "on", &off, &size, err));
    bytes_copy b = encode(other);
    assert_int_equal(b.p[off], 2);
    free(b.p);
    lathe_doc_close(other);
    lathe_doc_close(doc);
}

/* ---- strings --------------------------------------------------------------------------------------- */

static void string_limits(void **state)
{
    (void)state;
    static const struct {
        const char *field;
        size_t most;
    } rows[] = {{"s8", 255},    {"i8", 127},  {"s16", 65535},
                {"i16", 32767}, {"fixed", 8}, {"short_text", 5}};
    char *text = malloc(70000);
    memset(text, 'x', 70000);
    for (int b = 0; b < 2; b++) {
        lathe_doc *doc = new_doc(both[b], NESTED_SAMPLE);
        lathe_view texts = view_at(doc, "texts"), tree = view_at(doc, "tree.children[1]");
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            lathe_value back;
            for (size_t n = rows[i].most - 1; n <= rows[i].most; n++) {
                set_value(texts, rows[i].field, v_bytes(text, n));
                OK(lathe_view_get(texts, rows[i].field, &back, err));
                assert_int_equal(back.as.s.n, n);
            }
            FAILS(LATHE_ERR_RANGE,
                  try_set(texts, rows[i].field, v_bytes(text, rows[i].most + 1), err));
            assert_opens(doc);
            set_value(texts, rows[i].field, v_bytes(NULL, 0));
            OK(lathe_view_get(texts, rows[i].field, &back, err));
            assert_int_equal(back.as.s.n, 0);
            assert_int_equal(get_int(tree, "value"), 2);
        }
        set_value(texts, "s32", v_bytes(text, 70000));
        set_value(texts, "i32", v_bytes(text, 70000));
        set_value(texts, "s64", v_bytes(text, 70000));
        set_value(texts, "i64", v_bytes(text, 70000));
        set_value(texts, "zero", v_bytes(text, 70000));
        assert_int_equal(get_int(tree, "value"), 2);
        assert_opens(doc);
        lathe_doc_close(doc);
    }
    free(text);
}

static void string_ends(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    lathe_view texts = view_at(doc, "texts"), words = view_at(doc, "words");
    lathe_value v;
    FAILS(LATHE_ERR_RANGE, try_set(texts, "zero", v_bytes("a\0b", 3), err));
    FAILS(LATHE_ERR_RANGE, try_set(texts, "line", v_text("a\n"), err));
    FAILS(LATHE_ERR_RANGE, try_set(texts, "line", v_text("123456789012345678901"), err));
    FAILS(LATHE_ERR_RANGE, try_item(words, 0, v_text("two words"), err));
    set_value(texts, "line", v_bytes("a\0b", 3));
    set_value(texts, "zero", v_text("a\n"));
    set_value(texts, "s8", v_bytes("a\0b", 3));
    assert_int_equal(at_path(doc, "texts.line").as.s.n, 3);
    assert_int_equal(at_path(doc, "texts.s8").as.s.n, 3);
    v = v_text("more");
    OK(lathe_view_set_item(words, 1, &v, err));
    OK(lathe_view_insert(words, 0, 2, err));
    v = v_text("start");
    OK(lathe_view_set_item(words, 0, &v, err));
    assert_true(text_is(at_path(doc, "words[1]"), "start"));
    assert_true(text_is(at_path(doc, "words[4]"), "more"));
    assert_true(text_is(at_path(doc, "words[5]"), "words"));
    OK(lathe_view_remove(words, 1, 3, err));
    assert_true(text_is(at_path(doc, "words[2]"), "words"));
    FAILS(LATHE_ERR_RANGE, lathe_view_insert(words, 0, 126, err)); /* an i8 counts them */
    OK(lathe_view_insert(words, 0, 125, err));
    assert_opens(doc);
    lathe_doc_close(doc);
}

/* A text read from the document is a value for it, too: nothing moves under it. */
static void strings_from_the_document(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    lathe_view texts = view_at(doc, "texts"), groups = view_at(doc, "groups");
    set_value(texts, "i64", v_text("a rather long text for the others"));
    set_value(texts, "s8", at_path(doc, "texts.i64"));
    assert_true(text_is(at_path(doc, "texts.s8"), "a rather long text for the others"));
    set_value(item_view(groups, 0), "name", at_path(doc, "texts.s8"));
    assert_true(text_is(at_path(doc, "groups[1].name"), "a rather long text for the others"));
    set_value(texts, "i16", at_path(doc, "groups[1].name"));
    assert_true(text_is(at_path(doc, "texts.i16"), "a rather long text for the others"));
    lathe_value tail = at_path(doc, "texts.i16");
    tail.as.s.p += 9;
    tail.as.s.n -= 9;
    set_value(texts, "i16", tail);
    assert_true(text_is(at_path(doc, "texts.i16"), "long text for the others"));
    set_value(lathe_doc_root(doc), "blob", at_path(doc, "groups[1].name")); /* bytes that grow */
    assert_true(text_is(at_path(doc, "blob"), "a rather long text for the others"));
    assert_opens(doc);
    lathe_doc_close(doc);
}

/* ---- opaque bytes and padding ----------------------------------------------------------------------- */

static void bytes_and_padding(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    lathe_view root = lathe_doc_root(doc);
    rec_at at = rec_root(doc, 0);
    bool is_default = false;
    assert_int_equal(int_at(doc, "reserved"), 0x22);
    OK(rec_is_default(&at, rec_slot_find(at.layout, "reserved"), &is_default, err));
    assert_true(is_default);
    set_value(root, "reserved", v_int(5));
    OK(rec_is_default(&at, rec_slot_find(at.layout, "reserved"), &is_default, err));
    assert_false(is_default);
    FAILS(LATHE_ERR_RANGE, try_set(root, "pad", v_text("four"), err));
    set_value(root, "pad", v_text("abc"));
    OK(rec_is_default(&at, rec_slot_find(at.layout, "pad"), &is_default, err));
    assert_false(is_default);
    for (size_t n = 0; n < 9; n += 4) {
        set_value(root, "blob", v_bytes("01234567", n));
        assert_int_equal(at_path(doc, "blob").as.s.n, n);
        assert_int_equal(int_at(doc, "blob_size"), n);
        assert_opens(doc);
    }
    OK(lathe_view_insert(view_at(doc, "rest"), 1, 2, err)); /* counted by nothing but the end */
    assert_int_equal(lathe_view_count(view_at(doc, "rest")), 5);
    assert_int_equal(int_at(doc, "rest[1]"), 65535);
    assert_int_equal(int_at(doc, "rest[4]"), 0);
    assert_int_equal(int_at(doc, "rest[5]"), 1);
    OK(lathe_view_remove(view_at(doc, "rest"), 0, 5, err));
    assert_opens(doc);
    FAILS(LATHE_ERR_READONLY, lathe_view_insert(view_at(doc, "three"), 0, 1, err));
    FAILS(LATHE_ERR_READONLY, lathe_view_remove(view_at(doc, "three"), 0, 1, err));
    lathe_doc_close(doc);
}

static void computed_fields(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    lathe_view item = view_at(doc, "groups[1].items[3]");
    assert_true(text_is(at_path(doc, "summary"), "3 groups"));
    assert_int_equal(get_int(item, "twice"), 6);
    set_value(item, "twice", v_int(20));
    assert_int_equal(get_int(item, "id"), 10);
    FAILS(LATHE_ERR_TYPE, try_set(item, "twice", v_int(21), err));
    FAILS(LATHE_ERR_NAME, lathe_view_span(item, "twice", &(uint64_t){0}, &(uint64_t){0}, err));
    lathe_doc_close(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),
        cmocka_unit_test(wide_integers),
        cmocka_unit_test(floats),
        cmocka_unit_test(ranges_and_codecs),
        cmocka_unit_test(wrong_kinds),
        cmocka_unit_test(names_of_values),
        cmocka_unit_test(string_limits),
        cmocka_unit_test(string_ends),
        cmocka_unit_test(strings_from_the_document),
        cmocka_unit_test(bytes_and_padding),
        cmocka_unit_test(computed_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
