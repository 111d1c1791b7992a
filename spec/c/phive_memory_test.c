/* Edits of mesh shapes with memory that runs out. What fails says so, loses nothing and has changed nothing; what is done is
 * what it is with all the memory in the world. */
#include "lathe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "record/record.h"
#include "short_memory.h"

/* ---- arguments --------------------------------------------------------------------------------- */

typedef struct node { /* a number, a text, or what has others */
    const char *name, *text;
    double number;
    const struct node *kids;
    size_t n;
} node;

#define LIST(...)                                                                                  \
    .kids = (const node[]){__VA_ARGS__}, .n = sizeof(const node[]){__VA_ARGS__} / sizeof(node)
#define N(f)                                                                                       \
    {                                                                                              \
        .number = (f)                                                                              \
    }

static bool get(void *user, const void *at, const char *name, uint64_t i, lathe_value *leaf,
                const void **child)
{
    const node *in = at ? at : user, *found = NULL;
    for (size_t k = 0; k < in->n; k++)
        if (name ? in->kids[k].name && strcmp(in->kids[k].name, name) == 0 : k == i)
            found = &in->kids[k];
    *child = NULL;
    if (!found)
        return false;
    if (found->text)
        *leaf =
            (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {found->text, strlen(found->text)}};
    else if (!found->kids)
        *leaf = (lathe_value){.kind = LATHE_KIND_REAL, .as.f = found->number};
    else
        leaf->kind = found->kids->name ? LATHE_KIND_RECORD : LATHE_KIND_ARRAY;
    *child = found->kids ? found : NULL;
    return true;
}

static uint64_t count(void *user, const void *at)
{
    return ((const node *)(at ? at : user))->n;
}

static const node made = {
    LIST({.name = "variant", .text = "v22"},
         {.name = "mesh",
          LIST({.name = "positions",
                LIST(N(0), N(0), N(0), N(0), N(0), N(4), N(4), N(0), N(4), N(4), N(0), N(0), N(2),
                     N(3), N(2))},
               {.name = "indices", LIST(N(0), N(1), N(2), N(0), N(2), N(3), N(0), N(1), N(4))})})};
static const node factors = {LIST({.name = "factor", LIST(N(2), N(0.3), N(1.7))})};
static const node place = {LIST({.name = "translation", LIST(N(2), N(0.3), N(-7))})};
static const node names = {LIST({.name = "from", .text = "*"}, {.name = "to", .text = "Wood"})};
static const node painted = {
    LIST({.name = "materials", LIST({.text = "Wood"}, {.text = "Stone"}, {.text = "Sand"})})};

/* ---- what is done ------------------------------------------------------------------------------ */

typedef lathe_result doing(lathe_doc *doc, lathe_error *err);

static lathe_source source_of(node *args)
{
    return (lathe_source){
        .size = offsetof(lathe_source, name), .user = args, .get = get, .count = count};
}

static lathe_result call(lathe_doc *doc, const char *verb, const node *args, lathe_error *err)
{
    node copy = *args;
    lathe_source source = source_of(&copy);
    return lathe_view_call(lathe_doc_root(doc), verb, &source, NULL, err);
}

static lathe_result scale(lathe_doc *doc, lathe_error *err)
{
    return call(doc, "scale", &factors, err);
}

static lathe_result move(lathe_doc *doc, lathe_error *err)
{
    return call(doc, "transform", &place, err);
}

static lathe_result rename_all(lathe_doc *doc, lathe_error *err)
{
    return call(doc, "set_materials", &names, err);
}

static lathe_result paint(lathe_doc *doc, lathe_error *err)
{
    return call(doc, "set_triangle_materials", &painted, err);
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

static lathe_doc *open_doc(const bytes *from, memory *m)
{
    lathe_options options = {
        .size = sizeof options, .format = "bphsh", .history = 4, .alloc = take, .alloc_user = m};
    lathe_doc *doc = NULL;
    lathe_error err;
    m->left = -1;
    assert_int_equal(lathe_doc_parse(from->data, from->n, &options, &doc, &err), LATHE_OK);
    return doc;
}

static void encode(lathe_doc *doc, bytes *out)
{
    lathe_error err;
    out->n = 0;
    assert_int_equal(lathe_doc_encode(doc, keep, out, &err), LATHE_OK);
}

static void assert_same(const bytes *a, const bytes *b)
{
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->data, b->data, a->n);
}

/* Gives what comes of it. */
static void must(doing *what, const bytes *from, bytes *out)
{
    memory m = {-1, 0};
    lathe_error err = {.code = LATHE_OK};
    lathe_doc *doc = open_doc(from, &m);
    lathe_result r = what(doc, &err);
    if (r != LATHE_OK)
        fail_msg("%s", err.message);
    encode(doc, out);
    lathe_doc_close(doc);
    assert_int_equal(m.blocks, 0);
}

/* False: it got along with what there was. */
static bool attempt(doing *what, const bytes *from, const bytes *want, long n)
{
    static bytes now;
    memory m = {-1, 0};
    lathe_error err;
    lathe_doc *doc = open_doc(from, &m);
    m.left = n;
    lathe_result r = what(doc, &err);
    bool ran_out = m.left == 0;
    m.left = -1;
    encode(doc, &now);
    assert_same(&now, r == LATHE_OK ? want : from);
    if (r != LATHE_OK && r != LATHE_ERR_MEMORY)
        fail_msg("with memory for %ld calls: %s", n, err.message);
    if (r != LATHE_OK) { /* nothing is half done */
        assert_int_equal(what(doc, &err), LATHE_OK);
        encode(doc, &now);
        assert_same(&now, want);
    }
    while (lathe_edit_undo(doc, 1))
        ;
    encode(doc, &now);
    if (r != LATHE_OK) /* else there may have been no room for the step back */
        assert_same(&now, from);
    lathe_doc_close(doc);
    assert_int_equal(m.blocks, 0);
    return ran_out;
}

/* Every call of the first ones, then ever fewer. */
static void sweep(doing *what, const bytes *from)
{
    static bytes want;
    must(what, from, &want);
    long n = 0;
    while (attempt(what, from, &want, n))
        n += 1 + n / 40;
    assert_true(n > 8);
}

static bytes start;

static int make_start(void **state)
{
    node copy = made;
    lathe_source source = source_of(&copy);
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
