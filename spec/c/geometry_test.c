/* core/nif/geometry/csg: what resolving of shared blocks asks of a geometry file; memory that runs out at every single call. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/deflate.h"
#include "nif/geometry/csg/csg.h"
#include "short_memory.h"

enum { VERTICES = 9000, SIZE = 8 * VERTICES + 6 };
#define DESC ((uint64_t)1 << 44 | 2)

/* A plain file of two rows of halves: a small one, and one that goes on into a second chunk. */
static uint8_t file[8 + 40 + 30 + SIZE];
static size_t file_size;

static void put_row(uint8_t *p, uint64_t offset, uint32_t vertices)
{
    bytes_st32(p, (uint32_t)offset, false);
    bytes_st64(p + 4, DESC, false);
    bytes_st32(p + 12, vertices, false);
    bytes_st32(p + 16, 3, false);
}

static void put_data(uint8_t *p, uint32_t vertices, uint32_t seed)
{
    for (uint32_t i = 0; i < 4 * vertices; i++)
        bytes_st16(p + 2 * (size_t)i, (uint16_t)(0x3C00 + (i * 7 + seed) % 1000), false);
    for (uint32_t i = 0; i < 3; i++)
        bytes_st16(p + 8 * (size_t)vertices + 2 * (size_t)i, (uint16_t)i, false);
}

static int make_file(void **state)
{
    (void)state;
    memcpy(file, "bpsg\2\0\0\0", 8);
    put_row(file + 8, 0, 3);
    put_row(file + 28, 30, VERTICES);
    put_data(file + 48, 3, 1);
    put_data(file + 78, VERTICES, 2);
    file_size = 78 + SIZE;
    return 0;
}

static lathe_doc *open_file(memory *few, lathe_result *r)
{
    lathe_options o = {.size = sizeof o, .format = "geometry", .history = 5};
    lathe_doc *doc = NULL;
    lathe_error e;
    if (few) {
        o.alloc = take;
        o.alloc_user = few;
    }
    *r = lathe_doc_parse(file, file_size, &o, &doc, &e);
    return doc;
}

static bool to_packed(void *user, const void *node, const char *name, uint64_t i, lathe_value *leaf,
                      const void **child)
{
    (void)user, (void)node, (void)i, (void)child;
    *leaf = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {"csg", 3}};
    return name && strcmp(name, "to") == 0;
}

static uint64_t count_none(void *user, const void *node)
{
    (void)user, (void)node;
    return 0;
}

static lathe_result pack(lathe_doc *doc, lathe_error *e)
{
    lathe_source args = {sizeof args, NULL, to_packed, count_none, NULL};
    return lathe_view_call(lathe_doc_root(doc), "convert", &args, NULL, e);
}

static void finds(lathe_doc *doc)
{
    csg_row row;
    lathe_error e;
    uint8_t *vertices = malloc(8 * VERTICES), indices[6];
    assert_true(csg_is(doc));
    assert_int_equal(csg_count(doc), 2);
    assert_int_equal(csg_row_find(doc, 30, &row, &e), LATHE_OK);
    assert_int_equal(row.index, 1);
    assert_int_equal(row.size, SIZE);
    assert_int_equal(row.vertices, VERTICES);
    assert_int_equal(row.indices, 3);
    assert_int_equal(row.stride, 8);
    assert_true(row.desc == DESC && row.layout == DESC && !row.half);
    assert_int_equal(csg_row_read(doc, &row, vertices, indices, &e), LATHE_OK);
    assert_memory_equal(vertices, file + 78, 8 * VERTICES);
    assert_memory_equal(indices, file + 78 + 8 * VERTICES, 6);
    assert_int_equal(csg_row_read(doc, &row, NULL, indices, &e), LATHE_OK);
    for (uint64_t off = 1; off < 100; off++)
        if (off != 30) {
            assert_int_equal(csg_row_find(doc, off, &row, &e), LATHE_ERR_NAME);
            assert_non_null(strstr(e.message, "no row begins at byte"));
        }
    assert_int_equal(csg_row_find(doc, UINT64_MAX, &row, &e), LATHE_ERR_NAME);
    assert_int_equal(csg_row_at(doc, 2, &row, &e), LATHE_ERR_BOUNDS);
    assert_string_equal(e.message, "there is no row 3 of 2");
    free(vertices);
}

static void rows_are_found_and_read(void **state)
{
    (void)state;
    lathe_result r;
    lathe_error e;
    lathe_doc *doc = open_file(NULL, &r);
    assert_int_equal(r, LATHE_OK);
    finds(doc);
    if (deflate_built_in()) {
        assert_int_equal(pack(doc, &e), LATHE_OK);
        finds(doc);
    } else {
        assert_int_equal(pack(doc, &e), LATHE_ERR_UNSUPPORTED);
        assert_string_equal(e.message,
                            "no packed geometry file: this lathe was built without zlib");
    }
    lathe_doc_close(doc);
}

static void rows_are_appended_and_found_again(void **state)
{
    (void)state;
    lathe_result r;
    lathe_error e;
    csg_row row, same;
    static uint8_t data[SIZE];
    lathe_doc *doc = open_file(NULL, &r);
    put_data(data, VERTICES, 2);
    assert_int_equal(csg_find_equal(doc, DESC, VERTICES, 3, data, SIZE, &same, &e), LATHE_OK);
    assert_int_equal(same.offset, 30);
    data[SIZE - 7]++;
    assert_int_equal(csg_find_equal(doc, DESC, VERTICES, 3, data, SIZE, &same, &e), LATHE_ERR_NAME);
    assert_int_equal(csg_find_equal(doc, DESC + 1, VERTICES, 3, data, SIZE, &same, &e),
                     LATHE_ERR_NAME);
    assert_int_equal(rec_begin(doc, &e), LATHE_OK);
    r = csg_append(doc, DESC, VERTICES, 3, data, SIZE, &row, &e);
    assert_int_equal(rec_end(doc, r, &e), LATHE_OK);
    assert_int_equal(row.offset, 30 + SIZE);
    assert_int_equal(row.index, 2);
    assert_int_equal(csg_find_equal(doc, DESC, VERTICES, 3, data, SIZE, &same, &e), LATHE_OK);
    assert_int_equal(same.offset, row.offset);
    assert_int_equal(rec_begin(doc, &e), LATHE_OK);
    r = csg_append(doc, DESC, VERTICES + 1, 3, data, SIZE, &row, &e);
    assert_int_equal(rec_end(doc, r, &e), LATHE_ERR_INVALID);
    assert_int_equal(csg_count(doc), 3);
    lathe_doc_close(doc);
}

static void names_have_hashes(void **state)
{
    (void)state;
    assert_int_equal(csg_hash("Fallout4 - Geometry.csg"), 0xDDF19A67);
    assert_int_equal(csg_hash("/data.d\\B21_CKRE_Interior - Geometry.PSG"), 0xEBFF1469);
    assert_int_equal(csg_hash(""), 0);
    assert_int_equal(csg_hash("folder/.csg"), 0);
}

/* ---- short memory ---------------------------------------------------------------------------------------- */

typedef struct sum { /* of all bytes, in their order */
    uint64_t n, hash;
} sum;

static bool add(void *user, const void *p, size_t n)
{
    sum *s = user;
    for (size_t i = 0; i < n; i++)
        s->hash = (s->hash ^ ((const uint8_t *)p)[i]) * 0x100000001b3u;
    s->n += n;
    return true;
}

static sum sum_of(lathe_doc *doc)
{
    sum s = {0, 1469598103934665603u};
    lathe_error e;
    assert_int_equal(lathe_doc_encode(doc, add, &s, &e), LATHE_OK);
    assert_int_equal(s.n, lathe_doc_size(doc));
    return s;
}

static lathe_result append(lathe_doc *doc, lathe_error *e)
{
    static uint8_t data[SIZE];
    csg_row row;
    put_data(data, VERTICES, 3);
    lathe_result r = rec_begin(doc, e);
    return r == LATHE_OK ? rec_end(doc, csg_append(doc, DESC, VERTICES, 3, data, SIZE, &row, e), e)
                         : r;
}

static lathe_view row_of(lathe_doc *doc, uint64_t i, lathe_view *rows)
{
    lathe_value v;
    assert_int_equal(lathe_view_get(lathe_doc_root(doc), "rows", &v, NULL), LATHE_OK);
    *rows = v.as.v;
    assert_int_equal(lathe_view_item(*rows, i, &v, NULL), LATHE_OK);
    return v.as.v;
}

static lathe_result set_positions(lathe_doc *doc, lathe_error *e)
{
    static const float positions[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    lathe_view rows, row = row_of(doc, 0, &rows);
    lathe_value v;
    lathe_result r = lathe_view_get(row, "positions", &v, e);
    if (r == LATHE_OK && v.kind != LATHE_KIND_ARRAY)
        return LATHE_ERR_MEMORY;
    return r == LATHE_OK ? lathe_view_write(v.as.v, NULL, 0, 3, LATHE_ELEM_F32, positions, 0, e)
                         : r;
}

static lathe_result remove_last(lathe_doc *doc, lathe_error *e)
{
    lathe_view rows;
    row_of(doc, 0, &rows);
    return lathe_view_remove(rows, 1, 1, e);
}

static lathe_result copy_row(lathe_doc *doc, lathe_error *e)
{
    lathe_view rows;
    lathe_value v = {.kind = LATHE_KIND_RECORD};
    v.as.v = row_of(doc, 0, &rows);
    return lathe_view_set_item(rows, 1, &v, e);
}

/* Either it is done, or nothing is; and steps back work. */
static bool with(long left, bool packed, lathe_result (*run)(lathe_doc *, lathe_error *))
{
    memory few = {.left = -1};
    lathe_result r;
    lathe_error e;
    lathe_doc *doc = open_file(&few, &r);
    assert_int_equal(r, LATHE_OK);
    if (packed)
        assert_int_equal(pack(doc, &e), LATHE_OK);
    sum before = sum_of(doc);
    few.left = left;
    r = run(doc, &e);
    few.left = -1;
    sum after = sum_of(doc);
    bool done = r == LATHE_OK;
    if (done) {
        assert_true(after.hash != before.hash);
        if (lathe_edit_undo(doc, 1)) { /* for which there may have been no room */
            assert_true(sum_of(doc).hash == before.hash);
            assert_true(lathe_edit_undo(doc, -1));
        }
        assert_true(sum_of(doc).hash == after.hash);
    } else {
        assert_int_equal(r, LATHE_ERR_MEMORY);
        assert_true(after.hash == before.hash && after.n == before.n);
    }
    lathe_doc_close(doc);
    assert_int_equal(few.blocks, 0);
    return done;
}

static void memory_may_run_out(void **state)
{
    static lathe_result (*const runs[])(lathe_doc *, lathe_error *) = {append, set_positions,
                                                                       remove_last, copy_row};
    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        for (int packed = 0; packed < 1 + deflate_built_in(); packed++) {
            long left = 0;
            while (!with(left, packed, runs[i]))
                assert_true(++left < 500);
            assert_true(left > 3);
        }
    if (deflate_built_in())
        for (long left = 0; !with(left, false, pack); left++)
            assert_true(left < 500);
}

static void opening_may_run_out_of_memory(void **state)
{
    (void)state;
    for (long left = 0;; left++) {
        memory few = {.left = left};
        lathe_result r;
        lathe_doc *doc = open_file(&few, &r);
        lathe_doc_close(doc);
        assert_int_equal(few.blocks, 0);
        if (r == LATHE_OK)
            break;
        assert_int_equal(r, LATHE_ERR_MEMORY);
        assert_true(left < 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_found_and_read),
        cmocka_unit_test(rows_are_appended_and_found_again),
        cmocka_unit_test(names_have_hashes),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(opening_may_run_out_of_memory),
    };
    return cmocka_run_group_tests(tests, make_file, NULL);
}
