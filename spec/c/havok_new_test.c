/* Packfiles made of a skeleton and an animation with memory that runs out: there is none, or the whole file. And of a
 * host's source, which does not tell the names of its fields. */
#include "lathe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "given.h"
#include "short_memory.h"

/* ---- a description ------------------------------------------------------------------------------- */

#define POSE(x, w)                                                                                 \
    {                                                                                              \
        GIVEN_FLOATS(x, 0, 2, 0, 0, 1, w, 1, 1, 1)                                                 \
    }

static const given description = {GIVEN_LIST(
    {.name = "game", .v = GIVEN_TEXT("fallout4")},
    {.name = "skeleton",
     GIVEN_LIST({.name = "bones",
                 GIVEN_LIST({GIVEN_LIST({.name = "name", .v = GIVEN_TEXT("Root")})},
                            {GIVEN_LIST({.name = "name", .v = GIVEN_TEXT("Arm")},
                                        {.name = "parent", .v = GIVEN_REAL(0)})})},
                {.name = "float_slots", GIVEN_LIST({.v = GIVEN_TEXT("hkVis:Weapon")})})},
    {.name = "animation",
     GIVEN_LIST(
         {.name = "bones", GIVEN_LIST({.v = GIVEN_TEXT("Arm")}, {.v = GIVEN_REAL(0)})},
         {.name = "samples",
          GIVEN_LIST(POSE(0, 0), POSE(1, 2), POSE(3, 1), POSE(1, 1), POSE(2, 5), POSE(4, 3))},
         {.name = "annotations",
          GIVEN_LIST({GIVEN_LIST({.name = "time", .v = GIVEN_REAL(0.05)},
                                 {.name = "text", .v = GIVEN_TEXT("FootLeft")})})},
         {.name = "tolerance", GIVEN_LIST({.name = "rotation", GIVEN_FLOATS(0.01F, 0.02F)})},
         {.name = "root_motion", GIVEN_FLOATS(0, 0, 0, 0, 1, 2, 0, 0.5F, 2, 4, 0, 1)},
         {.name = "float_tracks",
          GIVEN_LIST({.name = "samples", GIVEN_FLOATS(0, 1, 0)},
                     {.name = "slots", GIVEN_LIST({.v = GIVEN_TEXT("hkVis:Weapon")})})})})};

static void note_bytes(void *user, const char *name, const lathe_value *value)
{
    if (strcmp(name, "bytes") == 0)
        *(int64_t *)user = value->as.i;
}

static lathe_result make(memory *m, lathe_doc **doc, lathe_error *err)
{
    int64_t told = 0;
    lathe_report report = {.size = sizeof report, .user = &told, .result = note_bytes};
    const lathe_source source = given_nameless(&description);
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
