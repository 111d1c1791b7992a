/* Packfiles made of a skeleton and an animation with memory that runs out: there is none, or the whole file. And of a
 * host's source, which does not tell the names of its fields. */
#include "lathe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "short_memory.h"

/* ---- a description ------------------------------------------------------------------------------- */

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
#define ROW(...)                                                                                   \
    {                                                                                              \
        LIST(__VA_ARGS__)                                                                          \
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
    const node *in = at ? at : user;
    return in->n && in->kids->name ? 0 : in->n;
}

#define POSE(x, w) ROW(N(x), N(0), N(2), N(0), N(0), N(1), N(w), N(1), N(1), N(1))

static const node description = {LIST(
    {.name = "game", .text = "fallout4"},
    {.name = "skeleton",
     LIST({.name = "bones",
           LIST({LIST({.name = "name", .text = "Root"})},
                {LIST({.name = "name", .text = "Arm"}, {.name = "parent", .number = 0})})},
          {.name = "float_slots", LIST({.text = "hkVis:Weapon"})})},
    {.name = "animation",
     LIST({.name = "bones", LIST({.text = "Arm"}, N(0))},
          {.name = "samples",
           LIST(POSE(0, 0), POSE(1, 2), POSE(3, 1), POSE(1, 1), POSE(2, 5), POSE(4, 3))},
          {.name = "annotations",
           LIST({LIST({.name = "time", .number = 0.05}, {.name = "text", .text = "FootLeft"})})},
          {.name = "tolerance", LIST({.name = "rotation", LIST(N(0.01), N(0.02))})},
          {.name = "root_motion",
           LIST(N(0), N(0), N(0), N(0), N(1), N(2), N(0), N(0.5), N(2), N(4), N(0), N(1))},
          {.name = "float_tracks",
           LIST({.name = "samples", LIST(N(0), N(1), N(0))},
                {.name = "slots", LIST({.text = "hkVis:Weapon"})})})})};

static void note_bytes(void *user, const char *name, const lathe_value *value)
{
    if (strcmp(name, "bytes") == 0)
        *(int64_t *)user = value->as.i;
}

static lathe_result make(memory *m, lathe_doc **doc, lathe_error *err)
{
    int64_t told = 0;
    lathe_report report = {.size = sizeof report, .user = &told, .result = note_bytes};
    node top = description;
    lathe_source source = {
        .size = offsetof(lathe_source, name), .user = &top, .get = get, .count = count};
    lathe_options options = {
        .size = sizeof options, .alloc = take, .alloc_user = m, .report = &report};
    *doc = NULL;
    lathe_result r = lathe_doc_new("hkx", &source, &options, doc, err);
    if (r == LATHE_OK)
        assert_true(told > 0); /* what the samples were packed into */
    return r;
}

static void encode(lathe_doc *doc, bytes *out)
{
    lathe_error err;
    out->n = 0;
    assert_int_equal(lathe_doc_encode(doc, keep, out, &err), LATHE_OK);
}

/* ---- with ever more memory ----------------------------------------------------------------------- */

static void runs_out(void **state)
{
    static bytes want, now;
    memory m = {-1, 0};
    lathe_error err;
    lathe_doc *doc;
    long n = 0;
    bool more = true;
    (void)state;
    if (make(&m, &doc, &err) != LATHE_OK)
        fail_msg("%s", err.message);
    encode(doc, &want);
    lathe_doc_close(doc);
    for (; more; n += 1 + n / 60) {
        m.left = n;
        lathe_result r = make(&m, &doc, &err);
        more = m.left == 0;
        m.left = -1;
        if (r == LATHE_OK) {
            encode(doc, &now);
            assert_int_equal(now.n, want.n);
            assert_memory_equal(now.data, want.data, want.n);
        } else if (r != LATHE_ERR_MEMORY) {
            fail_msg("with memory for %ld calls: %s", n, err.message);
        }
        lathe_doc_close(doc);
        assert_int_equal(m.blocks, 0);
    }
    assert_true(n > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
