/* core/nif/geometry/csg/find.c: rows found by what they hold, while rows come, change and go; many rows of one kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/deflate.h"
#include "nif/geometry/csg/csg.h"
#include "nif/nif.h"
#include "short_memory.h"

enum { VERTICES = 24, SIZE = 8 * VERTICES + 6 };
#define DESC ((uint64_t)1 << 44 | 2)

/* The data of box number `which`. */
static const uint8_t *box(uint32_t which)
{
    static uint8_t data[SIZE];
    memset(data, 0, sizeof data);
    bytes_st32(data + SIZE - 10, which, false);
    return data;
}

static lathe_doc *open_empty(memory *few)
{
    static const uint8_t packed[12] = {'b', 'c', 's', 'g'}, plain[8] = {'b', 'p', 's', 'g'};
    bool zlib = deflate_built_in();
    lathe_options o = {.size = sizeof o, .format = "geometry", .history = 5};
    lathe_doc *doc = NULL;
    if (few) {
        o.alloc = take;
        o.alloc_user = few;
    }
    assert_int_equal(lathe_doc_parse(zlib ? packed : plain, zlib ? 12 : 8, &o, &doc, NULL),
                     LATHE_OK);
    return doc;
}

static lathe_result add(lathe_doc *doc, uint64_t desc, uint32_t which)
{
    csg_row row;
    return csg_append(doc, desc, VERTICES, 3, box(which), SIZE, &row, NULL);
}

/* The number of the row that has them (from 0); -1: none has. */
static int find(lathe_doc *doc, uint64_t desc, uint32_t which)
{
    csg_row row;
    lathe_error e;
    lathe_result r = csg_find_equal(doc, desc, VERTICES, 3, box(which), SIZE, &row, &e);
    assert_true(r == LATHE_OK || r == LATHE_ERR_NAME);
    return r == LATHE_OK ? (int)row.index : -1;
}

static lathe_doc *open_boxes(const uint32_t *which, size_t n)
{
    lathe_doc *doc = open_empty(NULL);
    lathe_result r = rec_begin(doc, NULL);
    for (size_t i = 0; r == LATHE_OK && i < n; i++)
        r = add(doc, DESC, which[i]);
    assert_int_equal(rec_end(doc, r, NULL), LATHE_OK);
    return doc;
}

static void the_first_of_equal_rows_is_found(void **state)
{
    static const uint32_t boxes[] = {7, 5, 7, 5};
    (void)state;
    lathe_doc *doc = open_boxes(boxes, 4);
    assert_int_equal(find(doc, DESC, 5), 1);
    assert_int_equal(find(doc, DESC, 7), 0);
    assert_int_equal(find(doc, DESC, 8), -1);
    assert_int_equal(find(doc, DESC | 1 << 8, 7), -1);
    assert_int_equal(rec_begin(doc, NULL),
                     LATHE_OK); /* equal ones that come while nobody read the first */
    assert_int_equal(add(doc, DESC | 1 << 8, 1), LATHE_OK);
    assert_int_equal(add(doc, DESC | 1 << 8, 1), LATHE_OK);
    assert_int_equal(add(doc, DESC, 7), LATHE_OK);
    assert_int_equal(rec_end(doc, LATHE_OK, NULL), LATHE_OK);
    assert_int_equal(find(doc, DESC | 1 << 8, 1), 4);
    assert_int_equal(find(doc, DESC, 7), 0);
    lathe_doc_close(doc);
}

/* The two highest bits of a descriptor mean nothing in a file. */
static void bits_without_a_meaning_do_not_count(void **state)
{
    static const uint64_t bits[] = {0, NIF_FULL_POSITIONS, NIF_HALF_POSITIONS};
    (void)state;
    for (size_t of_row = 0; of_row < 3; of_row++)
        for (size_t wanted = 0; wanted < 3; wanted++) {
            lathe_doc *doc = open_empty(NULL);
            assert_int_equal(rec_begin(doc, NULL), LATHE_OK);
            assert_int_equal(rec_end(doc, add(doc, DESC | bits[of_row], 7), NULL), LATHE_OK);
            assert_int_equal(find(doc, DESC | bits[wanted], 7), 0);
            assert_int_equal(find(doc, DESC | bits[wanted], 8), -1);
            lathe_doc_close(doc);
        }
}

static void set_data(lathe_doc *doc, uint64_t i, uint32_t which)
{
    rec_at root = csg_root(doc), at;
    assert_int_equal(rec_sub(&root, CSG_ROWS, i, &at, NULL), LATHE_OK);
    assert_int_equal(rec_begin(doc, NULL), LATHE_OK);
    lathe_result r = csg_put(&at, DESC, VERTICES, 3, box(which), SIZE, NULL);
    assert_int_equal(rec_end(doc, r, NULL), LATHE_OK);
}

static void rows_that_change_are_found_as_they_are(void **state)
{
    static const uint32_t boxes[] = {1, 2, 3};
    (void)state;
    lathe_doc *doc = open_boxes(boxes, 3);
    assert_int_equal(find(doc, DESC, 2), 1);
    set_data(doc, 1, 9);
    assert_int_equal(find(doc, DESC, 2), -1);
    assert_int_equal(find(doc, DESC, 9), 1);
    assert_true(lathe_edit_undo(doc, 1));
    assert_int_equal(find(doc, DESC, 2), 1);
    assert_int_equal(find(doc, DESC, 9), -1);
    assert_int_equal(rec_begin(doc, NULL), LATHE_OK); /* an edit that fails */
    assert_int_equal(add(doc, DESC, 4), LATHE_OK);
    assert_int_equal(find(doc, DESC, 4), 3);
    rec_end(doc, LATHE_ERR_STATE, NULL);
    assert_int_equal(find(doc, DESC, 4), -1);
    lathe_value rows;
    assert_int_equal(lathe_view_get(lathe_doc_root(doc), "rows", &rows, NULL), LATHE_OK);
    assert_int_equal(lathe_view_remove(rows.as.v, 2, 1, NULL), LATHE_OK);
    assert_int_equal(find(doc, DESC, 3), -1);
    assert_int_equal(find(doc, DESC, 1), 0);
    lathe_doc_close(doc);
}

static void appending_keeps_what_is_known(void **state)
{
    static const uint32_t boxes[] = {1, 2};
    (void)state;
    lathe_doc *doc = open_boxes(boxes, 2);
    assert_int_equal(find(doc, DESC, 2), 1);
    assert_true(csg_index_stands(doc));
    for (uint32_t which = 10; which < 13;
         which++) { /* edits of their own, whose ends pack chunks */
        assert_int_equal(rec_begin(doc, NULL), LATHE_OK);
        assert_int_equal(rec_end(doc, add(doc, DESC, which), NULL), LATHE_OK);
        assert_true(csg_index_stands(doc));
    }
    assert_int_equal(find(doc, DESC, 12), 4);
    set_data(doc, 0, 3);
    assert_false(csg_index_stands(doc));
    lathe_doc_close(doc);
}

/* Quadratic, these would be 4 * 10^8 comparisons. */
static void many_rows_of_one_kind_are_found_at_once(void **state)
{
    enum { MANY = 20000 };
    (void)state;
    lathe_doc *doc = open_empty(NULL);
    lathe_result r = rec_begin(doc, NULL);
    for (uint32_t i = 0; r == LATHE_OK && i < MANY; i++) {
        assert_int_equal(find(doc, DESC, i), -1);
        r = add(doc, DESC, i);
    }
    assert_int_equal(rec_end(doc, r, NULL), LATHE_OK);
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(find(doc, DESC, i), i);
    csg_index_drop(doc);
    for (uint32_t i = MANY; i-- > 0;)
        assert_int_equal(find(doc, DESC, i), i);
    lathe_doc_close(doc);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    bool done = false;
    for (long left = 0; !done; left++) {
        memory few = {.left = -1};
        lathe_error e;
        csg_row row;
        lathe_doc *doc = open_empty(&few);
        lathe_result r = rec_begin(doc, NULL);
        for (uint32_t i = 0; r == LATHE_OK && i < 100; i++)
            r = add(doc, DESC, i);
        assert_int_equal(rec_end(doc, r, NULL), LATHE_OK);
        few.left = left;
        r = csg_find_equal(doc, DESC, VERTICES, 3, box(99), SIZE, &row, &e);
        few.left = -1;
        assert_true(r == LATHE_OK || r == LATHE_ERR_MEMORY);
        done = r == LATHE_OK;
        assert_int_equal(find(doc, DESC, 99), 99); /* what there was no room for is done now */
        lathe_doc_close(doc);
        assert_int_equal(few.blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_of_equal_rows_is_found),
        cmocka_unit_test(bits_without_a_meaning_do_not_count),
        cmocka_unit_test(rows_that_change_are_found_as_they_are),
        cmocka_unit_test(appending_keeps_what_is_known),
        cmocka_unit_test(many_rows_of_one_kind_are_found_at_once),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
