/* Packfiles are edited with memory that runs out at every single call: an edit that fails has changed nothing, one
 * that is done is the same as with all the memory in the world, and so is undoing it. */
#include "lathe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "short_memory.h"
#include "small_hkx.h"

/* ---- edits -------------------------------------------------------------------------------------------- */

typedef struct step {
    enum { TEXT, ITEM, INSERT, REMOVE, POINT, COPY } what;
    const char *path, *field, *text; /* of the record or array; what is set, or where it is */
    uint64_t i, n;
} step;

#define BONES "objects[3].bones"
#define SLOTS "objects[3].float_slots"

static const step steps[] = {
    {TEXT, "objects[3]", "name", "a name that is much longer than it was before", 0, 0},
    {TEXT, "objects[3].bones[1]", "name", "", 0, 0},
    {TEXT, "objects[3].bones[2]", "name", NULL, 0, 0},
    {TEXT, "objects[1].named_variants[1]", "class_name", "sixteen letters!", 0, 0},
    {ITEM, SLOTS, NULL, "longer", 0, 0},
    {ITEM, SLOTS, NULL, NULL, 1, 0},
    {INSERT, BONES, NULL, NULL, 1, 3},
    {REMOVE, BONES, NULL, NULL, 0, 1},
    {REMOVE, BONES, NULL, NULL, 0, 2},
    {INSERT, SLOTS, NULL, NULL, 0, 2},
    {REMOVE, SLOTS, NULL, NULL, 0, 2},
    {INSERT, "objects[3].local_frames", NULL, NULL, 0, 2},
    {INSERT, "objects[3].reference_pose", NULL, NULL, 2, 40},
    {INSERT, "objects[2].animations", NULL, NULL, 0, 2},
    {REMOVE, "objects[2].skeletons", NULL, NULL, 0, 1},
    {POINT, "objects[1].named_variants[2]", "variant", "objects[3]", 0, 0},
    {TEXT, "objects[4]", "bytes", "another wheel, and a longer one", 0, 0},
    {COPY, "objects[3]", "bones", BONES, 0, 0},
    {COPY, BONES, NULL, "objects[3].bones[2]", 0, 0},
};

static lathe_result view_at(lathe_doc *doc, const char *path, lathe_value *v, lathe_error *err)
{
    return lathe_view_at(lathe_doc_root(doc), path, v, err);
}

static lathe_result do_step(lathe_doc *doc, const step *s, lathe_error *err)
{
    lathe_value place, v = {.kind = s->text ? LATHE_KIND_STRING : LATHE_KIND_NULL};
    lathe_result r = view_at(doc, s->path, &place, err);
    if (s->text && (s->what == POINT || s->what == COPY)) {
        r = r == LATHE_OK ? view_at(doc, s->text, &v, err) : r;
    } else if (s->text) {
        v.as.s.p = s->text;
        v.as.s.n = strlen(s->text);
    }
    if (r != LATHE_OK)
        return r;
    switch (s->what) {
    case ITEM: return lathe_view_set_item(place.as.v, s->i, &v, err);
    case INSERT: return lathe_view_insert(place.as.v, s->i, s->n, err);
    case REMOVE: return lathe_view_remove(place.as.v, s->i, s->n, err);
    default:
        return s->field ? lathe_view_set(place.as.v, s->field, &v, err)
                        : lathe_view_set_item(place.as.v, 0, &v, err);
    }
}

static bytes encoded(lathe_doc *doc)
{
    bytes b = {.n = 0};
    assert_int_equal(LATHE_OK, lathe_doc_encode(doc, keep, &b, NULL));
    return b;
}

static void same(const bytes *a, const bytes *b)
{
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->data, b->data, a->n);
}

static lathe_doc *open_small(memory *m)
{
    lathe_options o = {.size = sizeof o, .alloc = take, .alloc_user = m, .history = 4};
    lathe_doc *doc = NULL;
    lathe_error err;
    assert_int_equal(LATHE_OK, lathe_doc_parse(small_hkx, sizeof small_hkx, &o, &doc, &err));
    return doc;
}

/* Undoing it fails while memory is short, and then does nothing. */
static void undo(lathe_doc *doc, memory *m, const bytes *was, const bytes *wanted)
{
    bool done = false;
    if (!lathe_doc_modified(doc))
        return;
    for (long left = 0; !done; left++) {
        m->left = left;
        done = lathe_edit_undo(doc, 1);
        m->left = -1;
        bytes now = encoded(doc);
        same(done ? was : wanted, &now);
        assert_true(left < 100);
    }
}

/* The edit with `left` calls that get memory, once more with all of it if need be, and back. True: it was enough. */
static bool try_step(const step *s, long left, const bytes *was, const bytes *wanted)
{
    memory m = {.left = -1};
    lathe_doc *doc = open_small(&m);
    lathe_error err;
    m.left = left;
    lathe_result r = do_step(doc, s, &err);
    bool enough = m.left != 0;
    m.left = -1;
    bytes now = encoded(doc);
    if (r != LATHE_OK && r != LATHE_ERR_MEMORY)
        print_message("%s.%s: %s\n", s->path, s->field ? s->field : "", err.message);
    if (r != LATHE_OK) {
        assert_int_equal(LATHE_ERR_MEMORY, r);
        assert_int_equal(LATHE_ERR_MEMORY, err.code);
        same(was, &now);
        assert_int_equal(LATHE_OK, do_step(doc, s, &err));
        now = encoded(doc);
    }
    same(wanted, &now);
    if (enough)
        undo(doc, &m, was, wanted);
    lathe_doc_close(doc);
    assert_int_equal(0, m.blocks);
    return enough;
}

static void edits_fail_cleanly(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        memory m = {.left = -1};
        lathe_doc *doc = open_small(&m);
        lathe_error err;
        bytes was = encoded(doc);
        assert_int_equal(sizeof small_hkx, was.n);
        if (do_step(doc, &steps[i], &err) != LATHE_OK)
            print_message("%s.%s: %s\n", steps[i].path, steps[i].field ? steps[i].field : "",
                          err.message);
        bytes wanted = encoded(doc);
        lathe_doc_close(doc);
        for (long left = 0; !try_step(&steps[i], left, &was, &wanted); left++)
            assert_true(left < 10000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_fail_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
