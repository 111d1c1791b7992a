/* Whole columns against the same numbers one by one, in both byte orders. */
#include "made_up_test.h"

#include <math.h>

enum { POINTS = 50 };

static const struct {
    const char *member;
    uint32_t lanes;
    lathe_elem closest;
} columns[] = {
    {"id", 1, LATHE_ELEM_U32},     {"pos", 3, LATHE_ELEM_F32},    {"weights", 4, LATHE_ELEM_U8},
    {"half", 1, LATHE_ELEM_F32},   {"upper", 1, LATHE_ELEM_F32},  {"big", 1, LATHE_ELEM_I16},
    {"wide", 1, LATHE_ELEM_U64},   {"ranged", 1, LATHE_ELEM_I16}, {"colour", 1, LATHE_ELEM_U8},
    {"locked", 1, LATHE_ELEM_U16},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static lathe_doc *points_doc(bool big)
{
    lathe_doc *doc = new_doc(big ? "nested_big" : "nested", "{}");
    lathe_view points = view_at(doc, "points");
    OK(lathe_view_insert(points, 0, POINTS, err));
    for (int i = 0; i < POINTS; i++) {
        lathe_view p = item_view(points, (uint64_t)i), w = array_of(p, "weights");
        lathe_value pos;
        OK(lathe_view_get(p, "pos", &pos, err));
        set_value(p, "id", v_uint(4000000000u + (uint32_t)i));
        set_value(pos.as.v, "x", v_real(i + 0.25));
        set_value(pos.as.v, "y", v_real(-i));
        set_value(pos.as.v, "z", v_real(i * 1e10));
        for (uint64_t k = 0; k < 4; k++)
            OK(try_item(w, k, v_int((i + 50 * (int)k) % 256), err));
        set_value(p, "half", v_real(i / 8.0));
        set_value(p, "upper", v_real(-i * 2.0));
        set_value(p, "big", v_int(-i * 3));
        set_value(p, "wide", i % 2 ? v_uint(UINT64_MAX - (uint64_t)i) : v_int(i));
        set_value(p, "ranged", v_int(i % 21 - 10));
        set_value(p, "colour", v_int(i));
    }
    return doc;
}

/* The stored number of a lane, read alone. */
static lathe_value lane(lathe_view points, uint64_t i, const char *member, uint64_t k)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    rec_at at;
    uint32_t slot;
    lathe_view p = item_view(points, i);
    OK(rec_enter(&p, &at, &slot, err));
    OK(rec_get(&at, rec_slot_find(at.layout, member), true, &v, err));
    if (v.kind == LATHE_KIND_ARRAY || v.kind == LATHE_KIND_RECORD)
        OK(lathe_view_item(v.as.v, k, &v, err));
    if (v.kind == LATHE_KIND_STRING) { /* a name: see what number it has */
        uint64_t raw = 0;
        OK(rec_raw(&at, rec_slot_find(at.layout, member), 0, &raw, err));
        v = v_int((int64_t)raw);
    }
    return v;
}

static double as_double(lathe_value v)
{
    return v.kind == LATHE_KIND_REAL   ? v.as.f
           : v.kind == LATHE_KIND_UINT ? (double)v.as.u
                                       : (double)v.as.i;
}

static void doubles_equal_items(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++) {
        lathe_doc *doc = points_doc(big);
        lathe_view points = view_at(doc, "points");
        for (size_t c = 0; c < COLUMNS; c++) {
            uint32_t lanes = columns[c].lanes;
            double got[POINTS * 4 + 1];
            lathe_elem closest;
            assert_int_equal(lathe_view_lanes(points, columns[c].member, &closest), lanes);
            assert_int_equal(closest, columns[c].closest);
            got[POINTS * lanes] = 12345;
            OK(lathe_view_read(points, columns[c].member, 0, POINTS, LATHE_ELEM_F64, got, 0, err));
            for (uint64_t i = 0; i < POINTS; i++)
                for (uint64_t k = 0; k < lanes; k++)
                    if (got[i * lanes + k] != as_double(lane(points, i, columns[c].member, k)))
                        fail_msg("%s[%d].%d: %g", columns[c].member, (int)i, (int)k,
                                 got[i * lanes + k]);
            assert_true(got[POINTS * lanes] == 12345);
        }
        lathe_doc_close(doc);
    }
}

/* As the closest elem, with a stride and from the middle: the same bits. */
static void closest_equal_items(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++) {
        lathe_doc *doc = points_doc(big);
        lathe_view points = view_at(doc, "points");
        for (size_t c = 0; c < COLUMNS; c++) {
            uint8_t got[64 * POINTS];
            memset(got, 0xee, sizeof got);
            OK(lathe_view_read(points, columns[c].member, 10, 30, columns[c].closest, got, 64,
                               err));
            static const unsigned widths[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
            unsigned w = widths[columns[c].closest];
            for (uint64_t i = 0; i < 30; i++)
                for (uint64_t k = 0; k < columns[c].lanes; k++) {
                    lathe_value v = lane(points, i + 10, columns[c].member, k);
                    const uint8_t *p = got + 64 * i + w * k;
                    uint16_t one = 1;
                    uint64_t raw = bytes_ld(p, w, *(uint8_t *)&one == 0);
                    if (columns[c].closest == LATHE_ELEM_F32)
                        assert_true(bytes_f32_widen((uint32_t)raw) == v.as.f);
                    else
                        assert_int_equal(raw, v.as.u & (UINT64_MAX >> (64 - 8 * w)));
                    assert_int_equal(got[64 * i + w * columns[c].lanes], 0xee);
                }
        }
        lathe_doc_close(doc);
    }
}

/* What is written in one go is what would be written one by one. */
static void written_equals_items(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++)
        for (size_t c = 0; c < COLUMNS - 1; c++) { /* the last one is read-only */
            uint32_t lanes = columns[c].lanes;
            lathe_doc *a = points_doc(big), *b = points_doc(big);
            lathe_view from = view_at(a, "points"), to = view_at(b, "points");
            double values[POINTS * 4];
            OK(lathe_view_read(from, columns[c].member, 0, POINTS, LATHE_ELEM_F64, values, 0, err));
            for (uint64_t i = 0; i < POINTS * lanes / 2; i++) { /* backwards */
                double v = values[i];
                values[i] = values[POINTS * lanes - 1 - i];
                values[POINTS * lanes - 1 - i] = v;
            }
            if (columns[c].closest == LATHE_ELEM_U64)
                for (uint64_t i = 0; i < POINTS; i++)
                    values[i] = (double)i; /* what a double can hold */
            OK(lathe_view_write(to, columns[c].member, 0, POINTS, LATHE_ELEM_F64, values, 0, err));
            for (uint64_t i = 0; i < POINTS; i++)
                for (uint64_t k = 0; k < lanes; k++) {
                    lathe_view p = item_view(from, i);
                    lathe_value v, number = v_real(values[i * lanes + k]);
                    OK(lathe_view_get(p, columns[c].member, &v, err));
                    if (lanes > 1)
                        OK(lathe_view_set_item(v.as.v, k, &number, err));
                    else
                        OK(lathe_view_set(p, columns[c].member, &number, err));
                }
            bytes_copy expected = encode(a);
            if (!same_as(b, expected))
                fail_msg("%s differs", columns[c].member);
            free(expected.p);
            lathe_doc_close(a);
            lathe_doc_close(b);
        }
}

/* A column read as its own kind and written back is no change, NaNs included. */
static void back_and_forth(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++) {
        lathe_doc *made = points_doc(big);
        uint64_t off, size;
        OK(lathe_view_span(view_at(made, "points"), NULL, &off, &size, err));
        bytes_copy b = encode(made);
        lathe_doc_close(made);
        uint64_t random = 3;
        for (uint64_t i = 0; i < size; i++)
            b.p[off + i] = (uint8_t)below(&random, 256);
        lathe_doc *doc = parse_doc(b.p, b.n, NULL);
        lathe_view points = view_at(doc, "points");
        for (size_t c = 0; c < 7; c++) {
            uint8_t bytes[64 * POINTS];
            OK(lathe_view_read(points, columns[c].member, 0, POINTS, columns[c].closest, bytes, 32,
                               err));
            OK(lathe_view_write(points, columns[c].member, 0, POINTS, columns[c].closest, bytes, 32,
                                err));
        }
        assert_false(lathe_doc_modified(doc));
        free(b.p);
        lathe_doc_close(doc);
    }
}

static void columns_are_checked(void **state)
{
    (void)state;
    lathe_doc *doc = points_doc(false);
    lathe_view points = view_at(doc, "points"), groups = view_at(doc, "groups");
    bytes_copy before = encode(doc);
    uint64_t held = lathe_view_count(points);
    int32_t values[POINTS + 1] = {0};
    double reals[3] = {0.5, 0, 0};
    values[49] = 11;
    FAILS(LATHE_ERR_RANGE,
          lathe_view_write(points, "ranged", 0, POINTS, LATHE_ELEM_I32, values, 0, err));
    values[49] = -32769;
    FAILS(LATHE_ERR_RANGE,
          lathe_view_write(points, "big", 0, POINTS, LATHE_ELEM_I32, values, 0, err));
    values[49] = -1;
    FAILS(LATHE_ERR_RANGE,
          lathe_view_write(points, "id", 0, POINTS, LATHE_ELEM_I32, values, 0, err));
    FAILS(LATHE_ERR_RANGE,
          lathe_view_write(points, "colour", 0, POINTS, LATHE_ELEM_I32, values, 0, err));
    FAILS(LATHE_ERR_TYPE, lathe_view_write(points, "id", 0, 1, LATHE_ELEM_F64, reals, 0, err));
    reals[0] = 1e40;
    FAILS(LATHE_ERR_RANGE, lathe_view_write(points, "pos", 0, 1, LATHE_ELEM_F64, reals, 0, err));
    FAILS(LATHE_ERR_READONLY,
          lathe_view_write(points, "locked", 0, 2, LATHE_ELEM_I32, values, 0, err));
    FAILS(LATHE_ERR_BOUNDS,
          lathe_view_read(points, "id", 0, held + 1, LATHE_ELEM_U32, values, 0, err));
    FAILS(LATHE_ERR_BOUNDS,
          lathe_view_read(points, "id", 1, UINT64_MAX, LATHE_ELEM_U32, values, 0, err));
    FAILS(LATHE_ERR_BOUNDS,
          lathe_view_write(points, "id", held, 1, LATHE_ELEM_U32, values, 0, err));
    FAILS(LATHE_ERR_TYPE, lathe_view_read(points, "nothing", 0, 1, LATHE_ELEM_U32, values, 0, err));
    FAILS(LATHE_ERR_TYPE, lathe_view_read(points, NULL, 0, 1, LATHE_ELEM_U32, values, 0, err));
    FAILS(LATHE_ERR_TYPE, lathe_view_read(groups, "id", 0, 0, LATHE_ELEM_U32, values, 0, err));
    FAILS(LATHE_ERR_TYPE,
          lathe_view_read(lathe_doc_root(doc), "three", 0, 1, LATHE_ELEM_U32, values, 0, err));
    OK(lathe_view_read(points, "id", held, 0, LATHE_ELEM_U32, values, 0, err));
    assert_int_equal(lathe_view_lanes(groups, "id", &(lathe_elem){0}), 0);
    assert_true(same_as(doc, before));
    free(before.p);
    lathe_doc_close(doc);
}

/* The stored size of a chunk's place follows; a column of them can't be written either. */
static void read_only_arrays(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("parts", PARTS_SAMPLE);
    lathe_view places = view_at(doc, "places");
    uint32_t value = 1;
    bytes_copy before = encode(doc);
    FAILS(LATHE_ERR_READONLY,
          lathe_view_write(places, "size", 0, 1, LATHE_ELEM_U32, &value, 0, err));
    OK(lathe_view_read(places, "size", 0, 1, LATHE_ELEM_U32, &value, 0, err));
    assert_int_equal(value, int_at(doc, "places[1].size"));
    assert_true(same_as(doc, before));
    float x[3] = {1, 2, 3};
    OK(lathe_view_write(view_at(doc, "chunks[2].cells"), "x", 0, 3, LATHE_ELEM_F32, x, 0, err));
    assert_true(at_path(doc, "chunks[2].cells[3].x").as.f == 3);
    free(before.p);
    lathe_doc_close(doc);
}

static void plain_arrays(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++) {
        lathe_doc *doc = new_doc(big ? "nested_big" : "nested", NESTED_SAMPLE);
        uint16_t rest[3], more[2] = {513, 7};
        double three[3];
        OK(lathe_view_read(view_at(doc, "rest"), NULL, 0, 3, LATHE_ELEM_U16, rest, 0, err));
        assert_int_equal(rest[0], 65535);
        assert_int_equal(rest[2], 1);
        OK(lathe_view_write(view_at(doc, "rest"), NULL, 1, 2, LATHE_ELEM_U16, more, 0, err));
        assert_int_equal(int_at(doc, "rest[1]"), 65535);
        assert_int_equal(int_at(doc, "rest[2]"), 513);
        assert_int_equal(int_at(doc, "rest[3]"), 7);
        OK(lathe_view_read(view_at(doc, "three"), NULL, 0, 3, LATHE_ELEM_F64, three, 0, err));
        assert_true(three[0] == 0.5 && three[2] == 2.5);
        lathe_doc_close(doc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_equal_items),  cmocka_unit_test(closest_equal_items),
        cmocka_unit_test(written_equals_items), cmocka_unit_test(back_and_forth),
        cmocka_unit_test(columns_are_checked),  cmocka_unit_test(read_only_arrays),
        cmocka_unit_test(plain_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
