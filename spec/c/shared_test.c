/* lathe_options.geometry: where geometry in other files is found, who keeps a document open; memory that runs out. */
#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "lathe.h"
#include "short_memory.h"
#include "test_folder.h"

#define DESC ((uint64_t)1 << 44 | 2) /* half positions, nothing else */
#define HASH 0xDDF19A67u             /* of "Fallout4 - Geometry" */

/* ---- files ----------------------------------------------------------------------------------------------- */

/* A geometry file of one row: three vertices at (1, 2, 3), one triangle. */
static size_t make_geometry(uint8_t *p)
{
    static const uint16_t halves[4] = {0x3C00, 0x4000, 0x4200, 0};
    memcpy(p, "bpsg\1\0\0\0", 8);
    bytes_st32(p + 8, 0, false);
    bytes_st64(p + 12, DESC, false);
    bytes_st32(p + 20, 3, false);
    bytes_st32(p + 24, 3, false);
    for (size_t i = 0; i < 12; i++)
        bytes_st16(p + 28 + 2 * i, halves[i % 4], false);
    for (size_t i = 0; i < 3; i++)
        bytes_st16(p + 52 + 2 * i, (uint16_t)i, false);
    return 58;
}

typedef struct file {
    size_t n;
    uint8_t p[512];
} file;

static void put(file *f, const void *raw, size_t n)
{
    memcpy(f->p + f->n, raw, n);
    f->n += n;
}

static void put_number(file *f, uint64_t v, size_t n)
{
    uint8_t raw[8];
    bytes_st64(raw, v, false);
    put(f, raw, n);
}

static void put_text(file *f, const char *text, size_t prefix)
{
    put_number(f, strlen(text), prefix);
    put(f, text, strlen(text));
}

/* A NIF of Fallout 4 with one block, whose one object is at byte 0 of that file. */
static void make_nif(file *f, uint32_t vertices)
{
    enum { SIZE = 32 + 8 + 36 + 8 };
    f->n = 0;
    put(f, "Gamebryo File Format, Version 20.2.0.7\n", 39);
    put_number(f, 0x14020007, 4);
    put_number(f, 1, 1);
    put_number(f, 12, 4);
    put_number(f, 1, 4);
    put_number(f, 130, 4);
    for (int i = 0; i < 4; i++) /* author and scripts */
        put_number(f, 0, 1);
    put_number(f, 1, 2);
    put_text(f, "BSPackedCombinedSharedGeomDataExtra", 4);
    put_number(f, 0, 2);
    put_number(f, SIZE, 4);
    put_number(f, 0, 4); /* strings */
    put_number(f, 0, 4);
    put_number(f, 0, 4); /* groups */
    put_number(f, UINT32_MAX, 4);
    put_number(f, DESC, 8);
    put_number(f, 0, 8);
    put_number(f, 0, 8);
    put_number(f, 1, 4);
    put_number(f, HASH, 4);
    put_number(f, 0, 4);
    put_number(f, vertices, 4);
    put_number(f, 3, 4);
    put_number(f, 1, 8);
    put_number(f, 3ull << 32, 8);
    put_number(f, 3ull << 32, 8);
    put_number(f, 0, 4);
    put_number(f, DESC, 8);
    put_number(f, 0, 4); /* roots */
}

static void write_file(const char *path, const void *raw, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(raw, 1, n, f), n);
    fclose(f);
}

/* ---- looking --------------------------------------------------------------------------------------------- */

static lathe_doc *open_nif(uint32_t vertices, const lathe_geometry *geometry, size_t n, memory *few)
{
    lathe_options o = {.size = sizeof o, .geometry = geometry, .geometry_count = n};
    lathe_doc *doc = NULL;
    file f;
    make_nif(&f, vertices);
    if (few) {
        o.alloc = take;
        o.alloc_user = few;
    }
    lathe_result r = lathe_doc_parse(f.p, f.n, &o, &doc, NULL);
    assert_true(r == LATHE_OK || (few && r == LATHE_ERR_MEMORY));
    return doc;
}

static lathe_result read_positions(lathe_doc *doc, float *to, lathe_error *e)
{
    lathe_value v;
    lathe_result r = lathe_view_at(lathe_doc_root(doc), "blocks[1].data[1].positions", &v, e);
    if (r != LATHE_OK)
        return r;
    if (v.kind != LATHE_KIND_ARRAY) /* the object could not be looked at */
        return LATHE_ERR_MEMORY;
    return lathe_view_read(v.as.v, NULL, 0, lathe_view_count(v.as.v), LATHE_ELEM_F32, to, 0, e);
}

static void assert_reads(lathe_doc *doc)
{
    float to[9] = {0};
    lathe_error e = {.message = ""};
    assert_int_equal(read_positions(doc, to, &e), LATHE_OK);
    for (int i = 0; i < 9; i++)
        assert_true((double)to[i] == i % 3 + 1);
}

static void assert_refused(lathe_doc *doc, const char *message)
{
    float to[9];
    lathe_error e;
    assert_int_not_equal(read_positions(doc, to, &e), LATHE_OK);
    assert_string_equal(e.where, "blocks[1].data[1]");
    if (!strstr(e.message, message))
        fail_msg("%s, not %s", e.message, message);
}

static void files_and_folders_are_looked_into(void **state)
{
    (void)state;
    uint8_t raw[64];
    char path[600];
    size_t n = make_geometry(raw);
    snprintf(path, sizeof path, "%s/FALLOUT4 - geometry.PSG", root);
    write_file(path, raw, n);
    const lathe_geometry at_file = {.path = path}, in_folder = {.path = root};
    const lathe_geometry both[] = {{.path = "no such folder"}, in_folder};
    lathe_doc *doc = open_nif(3, &at_file, 1, NULL);
    assert_reads(doc);
    lathe_doc_close(doc);
    doc = open_nif(3, both, 2, NULL);
    assert_reads(doc);
    remove(path);
    assert_refused(doc, "the file on disk has changed since it was opened");
    lathe_doc_close(doc);
    doc = open_nif(3, both, 2, NULL);
    assert_refused(doc, "no .csg or .psg whose name has the hash 0xDDF19A67 (Fallout4 - Geometry) "
                        "in 'no such folder' (cannot list: No such file or directory), '");
    lathe_doc_close(doc);
}

static lathe_doc *geometry_doc(const char *path)
{
    uint8_t raw[64];
    const lathe_options o = {.size = sizeof o, .path = path};
    lathe_doc *doc = NULL;
    assert_int_equal(lathe_doc_parse(raw, make_geometry(raw), &o, &doc, NULL), LATHE_OK);
    return doc;
}

static void a_document_stays_while_it_is_used(void **state)
{
    (void)state;
    const lathe_geometry own = {.doc = geometry_doc("Fallout4 - Geometry.psg")};
    lathe_doc *doc = open_nif(3, &own, 1, NULL), *other = open_nif(3, &own, 1, NULL);
    assert_reads(doc);
    lathe_doc_close(own.doc);
    lathe_doc_close(doc);
    assert_reads(other); /* which had not asked for it before */
    lathe_doc_close(other);
}

static void another_name_needs_its_hash(void **state)
{
    (void)state;
    const lathe_geometry plain = {.doc = geometry_doc("b.psg")};
    const lathe_geometry renamed = {.doc = plain.doc, .hash = HASH, .renamed = true};
    lathe_doc *doc = open_nif(3, &plain, 1, NULL);
    assert_refused(doc, "; 'b.psg' has 0x");
    lathe_doc_close(doc);
    doc = open_nif(3, &renamed, 1, NULL);
    assert_reads(doc);
    lathe_doc_close(doc);
    doc = open_nif(4, &renamed, 1, NULL);
    assert_refused(doc, "its 4 vertices and 3 indices are not at byte 0 of the stream of 'b.psg', "
                        "where there are 3 and 3: name hash 0xDDF19A67 wanted, the file has 0x");
    lathe_doc_close(doc);
    doc = open_nif(UINT32_MAX, &renamed, 1, NULL);
    lathe_value v;
    assert_int_equal(lathe_view_at(lathe_doc_root(doc), "blocks[1].data[1].positions", &v, NULL),
                     LATHE_OK);
    assert_int_equal(lathe_view_count(v.as.v), 0); /* nobody proves that there are so many */
    assert_refused(doc, "its 4294967295 vertices");
    lathe_doc_close(doc);
    lathe_doc_close(plain.doc);
}

static void memory_runs_out_anywhere(void **state)
{
    (void)state;
    uint8_t raw[64];
    char path[600];
    size_t n = make_geometry(raw);
    snprintf(path, sizeof path, "%s/Fallout4 - Geometry.psg", root);
    write_file(path, raw, n);
    const lathe_geometry given = {.path = root};
    bool done = false;
    for (long left = 0; !done; left++) {
        memory few = {left, 0};
        float to[9];
        lathe_error e;
        lathe_doc *doc = open_nif(3, &given, 1, &few);
        if (doc) {
            lathe_result r = read_positions(doc, to, &e);
            done = r == LATHE_OK;
            assert_true(done || r == LATHE_ERR_MEMORY);
            few.left = -1;
            assert_reads(doc);
            lathe_doc_close(doc);
        }
        assert_int_equal(few.blocks, 0);
        assert_true(left < 500);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_and_folders_are_looked_into),
        cmocka_unit_test(a_document_stays_while_it_is_used),
        cmocka_unit_test(another_name_needs_its_hash),
        cmocka_unit_test(memory_runs_out_anywhere),
    };
    return cmocka_run_group_tests(tests, make_root, remove_root);
}
