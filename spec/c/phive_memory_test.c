/* Edits of mesh shapes with memory that runs out. What fails says so, loses nothing and has changed nothing; what is done is
 * what it is with all the memory in the world. */
#include "lathe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "given.h"
#include "record/record.h"
#include "short_memory.h"

#define SWEEP_FORMAT "bphsh"
#include "memory_sweep.h"

/* ---- arguments --------------------------------------------------------------------------------- */

static const given made = {GIVEN_LIST(
    {.name = "variant", .v = GIVEN_TEXT("v22")},
    {.name = "mesh",
     GIVEN_LIST({.name = "positions", GIVEN_FLOATS(0, 0, 0, 0, 0, 4, 4, 0, 4, 4, 0, 0, 2, 3, 2)},
                {.name = "indices", GIVEN_FLOATS(0, 1, 2, 0, 2, 3, 0, 1, 4)})})};
static const given factors = {GIVEN_LIST({.name = "factor", GIVEN_FLOATS(2, 0.3F, 1.7F)})};
static const given place = {GIVEN_LIST({.name = "translation", GIVEN_FLOATS(2, 0.3F, -7)})};
static const given names = {
    GIVEN_LIST({.name = "from", .v = GIVEN_TEXT("*")}, {.name = "to", .v = GIVEN_TEXT("Wood")})};
static const given painted = {
    GIVEN_LIST({.name = "materials",
                GIVEN_LIST({.v = GIVEN_TEXT("Wood")}, {.v = GIVEN_TEXT("Stone")},
                           {.v = GIVEN_TEXT("Sand")})})};

/* ---- what is done ------------------------------------------------------------------------------ */

static lathe_result scale(lathe_doc *doc, lathe_error *err)
{
    return given_call(doc, "scale", &factors, err);
}

static lathe_result move(lathe_doc *doc, lathe_error *err)
{
    return given_call(doc, "transform", &place, err);
}

static lathe_result rename_all(lathe_doc *doc, lathe_error *err)
{
    return given_call(doc, "set_materials", &names, err);
}

static lathe_result paint(lathe_doc *doc, lathe_error *err)
{
    return given_call(doc, "set_triangle_materials", &painted, err);
}

static lathe_result rows_of(lathe_doc *doc, lathe_view *out, lathe_error *err)
{
    lathe_value v;
    lathe_result r = lathe_view_at(lathe_doc_root(doc), "tables.materials", &v, err);
    *out = v.as.v;
    return r;
}

static lathe_result insert_row(lathe_doc *doc, lathe_error *err)
{
    lathe_view rows;
    lathe_result r = rows_of(doc, &rows, err);
    return r == LATHE_OK ? lathe_view_insert(rows, 0, 1, err) : r;
}

static lathe_result remove_row(lathe_doc *doc, lathe_error *err)
{
    lathe_view rows;
    lathe_result r = rows_of(doc, &rows, err);
    return r == LATHE_OK ? lathe_view_remove(rows, 0, 1, err) : r;
}

/* Triangles of the first row are given to the last. */
static lathe_result give(lathe_doc *doc, lathe_error *err)
{
    static const uint32_t all[] = {0, 1, 2};
    lathe_value v;
    lathe_result r = lathe_view_at(lathe_doc_root(doc), "tables.materials[1].triangles", &v, err);
    if (r != LATHE_OK)
        return r;
    rec_at at;
    uint32_t slot;
    r = rec_enter(&v.as.v, &at, &slot, err);
    return r == LATHE_OK ? rec_numbers_write(&at, slot, 3, LATHE_ELEM_U32, all, 0, err) : r;
}

/* ---- with ever more memory --------------------------------------------------------------------- */

static bytes start;

static int make_start(void **state)
{
    const lathe_source source = given_nameless(&made);
    lathe_doc *doc = NULL;
    lathe_error err;
    (void)state;
    if (lathe_doc_new("bphsh", &source, NULL, &doc, &err) != LATHE_OK)
        fail_msg("%s", err.message);
    encode(doc, &start);
    lathe_doc_close(doc);
    return 0;
}

static void places(void **state)
{
    (void)state;
    sweep(scale, &start);
    sweep(move, &start);
}

static void materials(void **state)
{
    static bytes from;
    (void)state;
    sweep(rename_all, &start);
    sweep(paint, &start);
    must(paint, &start, &from);
    sweep(rename_all, &from);
    sweep(give, &from);
}

static void rows(void **state)
{
    static bytes from;
    (void)state;
    sweep(insert_row, &start);
    must(insert_row, &start, &from);
    sweep(remove_row, &from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places),
        cmocka_unit_test(materials),
        cmocka_unit_test(rows),
    };
    return cmocka_run_group_tests(tests, make_start, NULL);
}
