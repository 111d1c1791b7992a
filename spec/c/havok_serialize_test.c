/* Packfiles are made and serialized with memory that runs out at every single call: nothing leaks, nothing
 * is given then, and what is given in the end is the same as with all the memory in the world. */
#include "lathe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "short_memory.h"

/* ---- values ------------------------------------------------------------------------------------------ */

/* A table: names with texts, numbers or tables; a list where there are no names. */
typedef struct value {
    const char *name, *text;
    double number;
    const struct value *items;
} value;

static const value wheel_name[] = {
    {.name = "name", .text = "hkWheel"}, {.name = "signature", .number = 7}, {0}};
static const value class_names[] = {{.items = wheel_name}, {0}};
static const value slots[] = {{.text = "hkVis:Weapon"}, {.text = ""}, {0}};
static const value root_bone[] = {{.name = "name", .text = "Root"}, {0}};
static const value arm_bone[] = {{.name = "name", .text = "an arm with a name"}, {0}};
static const value bones[] = {{.items = root_bone}, {.items = arm_bone}, {0}};
static const value parents[] = {{.number = -1}, {.number = 0}, {0}};
static const value skeleton[] = {
    {.name = "class", .text = "hkaSkeleton"}, {.name = "name", .text = "Root"},
    {.name = "bones", .items = bones},        {.name = "parent_indices", .items = parents},
    {.name = "float_slots", .items = slots},  {0}};
static const value skeletons[] = {{.number = 3}, {0}};
static const value container[] = {{.name = "class", .text = "hkaAnimationContainer"},
                                  {.name = "skeletons", .items = skeletons},
                                  {0}};
static const value wheel[] = {{.name = "class", .text = "hkWheel"},
                              {.name = "bytes", .text = "0123456789abcdef"},
                              {.name = "pointers", .text = "0x0=0x8 0x4=#1"},
                              {0}};
static const value variant[] = {
    {.name = "name", .text = "a"}, {.name = "variant", .number = 2}, {0}};
static const value variants[] = {{.items = variant}, {0}};
static const value root[] = {{.name = "class", .text = "hkRootLevelContainer"},
                             {.name = "named_variants", .items = variants},
                             {0}};
static const value all_objects[] = {
    {.items = root}, {.items = container}, {.items = skeleton}, {.items = wheel}, {0}};
static const value described[] = {{.items = root}, {.items = container}, {.items = skeleton}, {0}};
static const value with_wheel[] = {
    {.name = "class_names", .items = class_names}, {.name = "objects", .items = all_objects}, {0}};
static const value without[] = {{.name = "objects", .items = described}, {0}};
static const value se[] = {{.name = "game", .text = "skyrim-se"}, {0}};
static const value to_le[] = {{.name = "to", .text = "skyrim-le"}, {0}};

static bool last(const value *v)
{
    return !v->name && !v->text && !v->items && v->number == 0;
}

/* In a list of numbers 0 would end it: the last one of `parents` does, which is what a default is. */
static uint64_t source_count(void *user, const void *node)
{
    const value *v = node ? node : user;
    uint64_t n = 0;
    while (!v->name && !last(&v[n]))
        n++;
    return n;
}

static bool source_get(void *user, const void *node, const char *name, uint64_t index,
                       lathe_value *leaf, const void **child)
{
    const value *v = node ? node : user;
    *child = NULL;
    if (name)
        while (!last(v) && (!v->name || strcmp(v->name, name) != 0))
            v++;
    else if (index >= source_count(user, node))
        return false;
    else
        v += index;
    if (last(v))
        return false;
    if (v->items) {
        leaf->kind = source_count(user, v->items) ? LATHE_KIND_ARRAY : LATHE_KIND_RECORD;
        *child = v->items;
    } else if (v->text) {
        leaf->kind = LATHE_KIND_STRING;
        leaf->as.s.p = v->text;
        leaf->as.s.n = strlen(v->text);
    } else {
        leaf->kind = LATHE_KIND_INT;
        leaf->as.i = (int64_t)v->number;
    }
    return true;
}

static lathe_source source_of(const value *v)
{
    value *user;
    memcpy(&user, &v, sizeof user); /* nobody writes to it */
    return (lathe_source){
        .size = sizeof(lathe_source), .user = user, .get = source_get, .count = source_count};
}

/* ---- with too little memory --------------------------------------------------------------------------- */

/* Makes a document, serializes it and the file of another game. */
static lathe_result run(memory *m, const value *fields, const value *game, bytes *out,
                        lathe_error *err)
{
    lathe_options o = {.size = sizeof o, .alloc = take, .alloc_user = m};
    lathe_source from = source_of(fields), args = source_of(se);
    lathe_doc *doc = NULL;
    out->n = 0;
    lathe_result r = lathe_doc_new("hkx", &from, &o, &doc, err);
    if (r == LATHE_OK)
        r = lathe_doc_serialize(lathe_doc_root(doc), game ? &args : NULL, keep, out, err);
    lathe_doc_close(doc);
    return r;
}

static void fails_cleanly(const value *fields, const value *game)
{
    memory plenty = {.left = -1};
    bytes wanted, got;
    lathe_error err;
    assert_int_equal(LATHE_OK, run(&plenty, fields, game, &wanted, &err));
    assert_int_equal(0, plenty.blocks);
    assert_true(wanted.n > 500);
    for (long n = 0;; n++) {
        memory m = {.left = n};
        lathe_result r = run(&m, fields, game, &got, &err);
        assert_int_equal(0, m.blocks);
        if (r == LATHE_OK) {
            assert_true(n > 50);
            break;
        }
        assert_int_equal(LATHE_ERR_MEMORY, r);
        assert_int_equal(LATHE_ERR_MEMORY, err.code);
        assert_int_equal(0, got.n);
    }
    assert_int_equal(wanted.n, got.n);
    assert_memory_equal(wanted.data, got.data, wanted.n);
}

static void making_and_serializing(void **state)
{
    (void)state;
    fails_cleanly(with_wheel, NULL);
}

static void for_another_game(void **state)
{
    (void)state;
    fails_cleanly(without, se);
}

/* ---- the document itself becomes that of another game ---------------------------------------------------- */

/* Whether it could be converted, with memory for so many calls; else its bytes are what they were. */
static bool convert(lathe_doc *doc, memory *m, long left, const bytes *first)
{
    bytes now = {.n = 0};
    lathe_error err;
    lathe_source args = source_of(to_le);
    m->left = left;
    lathe_result r = lathe_view_call(lathe_doc_root(doc), "convert", &args, NULL, &err);
    m->left = -1;
    assert_true(r == LATHE_OK || err.code == LATHE_ERR_MEMORY);
    assert_int_equal(LATHE_OK, lathe_doc_encode(doc, keep, &now, &err));
    bool same = now.n == first->n && memcmp(now.data, first->data, now.n) == 0;
    assert_int_equal(r != LATHE_OK, same);
    return r == LATHE_OK;
}

/* What memory is too short to remember cannot be undone. */
static void undo(lathe_doc *doc, bool must, const bytes *first)
{
    bytes now = {.n = 0};
    lathe_error err;
    bool done = lathe_edit_undo(doc, 1);
    assert_true(done || !must);
    assert_int_equal(LATHE_OK, lathe_doc_encode(doc, keep, &now, &err));
    assert_int_equal(done, now.n == first->n && memcmp(now.data, first->data, now.n) == 0);
}

static void converting(void **state)
{
    bytes first = {.n = 0};
    bool done = false;
    (void)state;
    for (long n = 0; !done; n++) {
        memory m = {.left = -1};
        lathe_options o = {.size = sizeof o, .alloc = take, .alloc_user = &m, .history = 3};
        lathe_source from = source_of(without);
        lathe_doc *doc = NULL;
        lathe_error err;
        assert_int_equal(LATHE_OK, lathe_doc_new("hkx", &from, &o, &doc, &err));
        if (n == 0)
            assert_int_equal(LATHE_OK, lathe_doc_encode(doc, keep, &first, &err));
        done = convert(doc, &m, n, &first);
        assert_true(!done || n > 50);
        if (done)
            undo(doc, false, &first);
        else if (n % 16 == 0) { /* and then, with all the memory in the world */
            assert_true(convert(doc, &m, -1, &first));
            undo(doc, true, &first);
        }
        lathe_doc_close(doc);
        assert_int_equal(0, m.blocks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(making_and_serializing),
        cmocka_unit_test(for_another_game),
        cmocka_unit_test(converting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
