/* Tagfiles are made and serialized with memory that runs out at every single call: nothing leaks, nothing
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

#define NUMBER(of, n)                                                                              \
    {                                                                                              \
        .name = of, .number = n                                                                    \
    }
#define TEXT(of, what)                                                                             \
    {                                                                                              \
        .name = of, .text = what                                                                   \
    }
#define LIST(of, what)                                                                             \
    {                                                                                              \
        .name = of, .items = what                                                                  \
    }

/* A node has a text, a list of texts, one of numbers, one of structs that have such, too, and a pointer. */
static const value label[] = {
    TEXT("name", "label"), NUMBER("flags", 32), NUMBER("offset", 0), NUMBER("type", 2), {0}};
static const value words[] = {
    TEXT("name", "words"), NUMBER("flags", 32), NUMBER("offset", 8), NUMBER("type", 5), {0}};
static const value numbers[] = {
    TEXT("name", "numbers"), NUMBER("flags", 32), NUMBER("offset", 24), NUMBER("type", 6), {0}};
static const value kids[] = {
    TEXT("name", "kids"), NUMBER("flags", 32), NUMBER("offset", 40), NUMBER("type", 7), {0}};
static const value next[] = {TEXT("name", "next"), NUMBER("flags", 160), NUMBER("extra", 3),
                             NUMBER("offset", 56), NUMBER("type", 8),    {0}};
static const value members[] = {{.items = label}, {.items = words}, {.items = numbers},
                                {.items = kids},  {.items = next},  {0}};
static const value of_1[] = {TEXT("name", "tT"), NUMBER("value", 9), {0}};
static const value arguments[] = {{.items = of_1}, {0}};
static const value node_type[] = {TEXT("name", "Node"),     NUMBER("parent", 0),
                                  NUMBER("format", 7),      NUMBER("size", 64),
                                  NUMBER("alignment", 8),   NUMBER("version", 2),
                                  LIST("members", members), NUMBER("hash", 7),
                                  NUMBER("hash_number", 1), {0}};
static const value kid_members[] = {{.items = label}, {.items = words}, {.items = numbers}, {0}};
static const value kid_type[] = {
    TEXT("name", "Kid"),    NUMBER("parent", 0),          NUMBER("format", 7), NUMBER("size", 40),
    NUMBER("alignment", 8), LIST("members", kid_members), NUMBER("hash", 8),   {0}};
static const value text_type[] = {TEXT("name", "Text"), NUMBER("parent", 0),    NUMBER("format", 3),
                                  NUMBER("size", 8),    NUMBER("alignment", 8), {0}};
static const value char_type[] = {TEXT("name", "char"),
                                  NUMBER("parent", 0),
                                  NUMBER("format", 0x2004),
                                  NUMBER("size", 1),
                                  NUMBER("alignment", 1),
                                  NUMBER("hash", 9),
                                  {0}};
static const value int_type[] = {TEXT("name", "int"),
                                 NUMBER("parent", 0),
                                 NUMBER("format", 0x8204),
                                 NUMBER("size", 4),
                                 NUMBER("alignment", 4),
                                 TEXT("attribute", "kept"),
                                 {0}};
static const value words_type[] = {TEXT("name", "Array"),
                                   NUMBER("parent", 0),
                                   NUMBER("format", 8),
                                   NUMBER("sub_type", 2),
                                   NUMBER("size", 16),
                                   NUMBER("alignment", 8),
                                   {0}};
static const value numbers_type[] = {TEXT("name", "Array"),
                                     NUMBER("parent", 0),
                                     NUMBER("format", 8),
                                     NUMBER("sub_type", 4),
                                     NUMBER("size", 16),
                                     NUMBER("alignment", 8),
                                     {0}};
static const value kids_type[] = {TEXT("name", "Array"),        NUMBER("parent", 0),
                                  NUMBER("format", 8),          NUMBER("sub_type", 9),
                                  NUMBER("size", 16),           NUMBER("alignment", 8),
                                  LIST("arguments", arguments), {0}};
static const value pointer_type[] = {TEXT("name", "T*"),
                                     NUMBER("parent", 0),
                                     NUMBER("format", 6),
                                     NUMBER("sub_type", 1),
                                     NUMBER("size", 8),
                                     NUMBER("alignment", 8),
                                     {0}};
static const value types[] = {{.items = node_type},  {.items = text_type},
                              {.items = char_type},  {.items = int_type},
                              {.items = words_type}, {.items = numbers_type},
                              {.items = kids_type},  {.items = pointer_type},
                              {.items = kid_type},   {0}};

static const value some_words[] = {{.text = "one"}, {.text = ""}, {.text = "three"}, {0}};
static const value some_numbers[] = {{.number = 1}, {.number = -2}, {0}};
static const value kid[] = {TEXT("label", "a kid"),
                            LIST("numbers", some_numbers),
                            LIST("words", some_words),
                            NUMBER("next", 1),
                            {0}};
static const value some_kids[] = {{.items = kid}, {.items = kid}, {0}};
static const value root[] = {TEXT("class", "Node"),
                             TEXT("label", "the root"),
                             LIST("kids", some_kids),
                             NUMBER("next", 2),
                             {0}};
static const value other[] = {TEXT("class", "Node"), LIST("words", some_words), {0}};
static const value objects[] = {{.items = root}, {.items = other}, {0}};
static const value all[] = {
    TEXT("sdk_version", "20150100"), LIST("types", types), LIST("objects", objects), {0}};
static const value newer[] = {
    TEXT("sdk_version", "20210100"), LIST("types", types), LIST("objects", objects), {0}};

static bool last(const value *v)
{
    return !v->name && !v->text && !v->items && v->number == 0;
}

/* In a list of numbers 0 would end it. */
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

/* Makes a document, looks at its types and serializes it. */
static lathe_result run(memory *m, const value *fields, bytes *out, lathe_error *err)
{
    lathe_options o = {.size = sizeof o, .alloc = take, .alloc_user = m};
    lathe_source from = source_of(fields);
    lathe_doc *doc = NULL;
    lathe_value v;
    out->n = 0;
    lathe_result r = lathe_doc_new("tagfile", &from, &o, &doc, err);
    if (r == LATHE_OK)
        r = lathe_view_at(lathe_doc_root(doc), "types[1].members[5].extra", &v, err);
    if (r == LATHE_OK) {
        assert_int_equal(LATHE_KIND_INT, v.kind);
        assert_int_equal(3, v.as.i);
        r = lathe_view_at(lathe_doc_root(doc), "types[4].attribute", &v, err);
    }
    if (r == LATHE_OK)
        r = lathe_doc_serialize(lathe_doc_root(doc), NULL, keep, out, err);
    lathe_doc_close(doc);
    return r;
}

static void fails_cleanly(const value *fields)
{
    memory plenty = {.left = -1};
    bytes wanted, got;
    lathe_error err;
    lathe_result first = run(&plenty, fields, &wanted, &err);
    assert_string_equal("", first == LATHE_OK ? "" : err.message);
    assert_int_equal(0, plenty.blocks);
    assert_true(wanted.n > 500);
    for (long n = 0;; n++) {
        memory m = {.left = n};
        lathe_result r = run(&m, fields, &got, &err);
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
    fails_cleanly(all);
}

static void newer_sections(void **state)
{
    (void)state;
    fails_cleanly(newer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(making_and_serializing),
        cmocka_unit_test(newer_sections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
