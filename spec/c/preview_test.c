/* Pictures of documents that the test makes: sizes, refusals, cells of a sheet, hostile positions. */
#include "lathe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct told {
    uint64_t width, height, triangles;
    char first_note[256], notes[256], skipped[512];
    int skips;
} told;

typedef struct bytes {
    unsigned char *p;
    size_t n;
} bytes;

static void take_result(void *user, const char *name, const lathe_value *value)
{
    told *t = user;
    if (strcmp(name, "width") == 0)
        t->width = value->as.u;
    if (strcmp(name, "height") == 0)
        t->height = value->as.u;
    if (strcmp(name, "triangles") == 0)
        t->triangles = value->as.u;
    if (strcmp(name, "notes") == 0 && !t->first_note[0])
        snprintf(t->first_note, sizeof t->first_note, "%.*s", (int)value->as.s.n, value->as.s.p);
    if (strcmp(name, "notes") == 0)
        snprintf(t->notes, sizeof t->notes, "%.*s", (int)value->as.s.n, value->as.s.p);
}

static void take_skip(void *user, const char *path, const char *reason)
{
    told *t = user;
    t->skips++;
    snprintf(t->skipped, sizeof t->skipped, "%s: %s", path ? path : "-", reason);
}

static bool keep(void *user, const void *p, size_t n)
{
    bytes *b = user;
    unsigned char *more = realloc(b->p, b->n + n);
    if (!more)
        return false;
    memcpy(more + b->n, p, n);
    b->p = more;
    b->n += n;
    return true;
}

static lathe_result draw(const lathe_preview_document *list, size_t n,
                         const lathe_preview_options *o, told *t, bytes *b, lathe_error *err)
{
    memset(t, 0, sizeof *t);
    free(b->p);
    *b = (bytes){NULL, 0};
    lathe_report report = {
        .size = sizeof report, .user = t, .skipped = take_skip, .result = take_result};
    return lathe_preview(list, n, o, keep, b, &report, err);
}

/* ---- a .solid of four corners, in big-endian bytes ------------------------------------------------ */

static unsigned char *put16(unsigned char *p, int value)
{
    *p++ = (unsigned char)(value >> 8);
    *p++ = (unsigned char)value;
    return p;
}

static unsigned char *put32(unsigned char *p, float value)
{
    uint32_t u;
    memcpy(&u, &value, sizeof u);
    for (int shift = 24; shift >= 0; shift -= 8)
        *p++ = (unsigned char)(u >> shift);
    return p;
}

static lathe_doc *tetrahedron(const float corners[4][3], int triangles)
{
    static const int faces[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    unsigned char file[4 + 48 + 4 * 36], *p = put16(put16(file, 4), triangles);
    lathe_doc *doc = NULL;
    lathe_error err;
    const lathe_options options = {.size = sizeof options, .format = "solid", .path = "t.solid"};
    for (int i = 0; i < 12; i++)
        p = put32(p, corners[i / 3][i % 3]);
    for (int t = 0; t < triangles; t++) {
        for (int k = 0; k < 3; k++)
            p = put16(put16(p, faces[t][k]), 0);
        for (int k = 0; k < 6; k++)
            p = put32(p, 0);
    }
    if (lathe_doc_parse(file, (size_t)(p - file), &options, &doc, &err) != LATHE_OK)
        fail_msg("%s", err.message);
    return doc;
}

/* So many large triangles at one place. */
static lathe_doc *stack_of(int triangles)
{
    static const float corners[3][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    size_t size = 4 + 36 + 36 * (size_t)triangles;
    unsigned char *file = calloc(1, size), *p = file;
    lathe_doc *doc = NULL;
    lathe_error err;
    const lathe_options options = {.size = sizeof options, .format = "solid", .path = "t.solid"};
    assert_non_null(file);
    p = put16(put16(p, 3), triangles);
    for (int i = 0; i < 9; i++)
        p = put32(p, corners[i / 3][i % 3]);
    for (int t = 0; t < triangles; t++, p += 24)
        for (int k = 0; k < 3; k++)
            p = put16(put16(p, k), 0);
    if (lathe_doc_parse(file, size, &options, &doc, &err) != LATHE_OK)
        fail_msg("%s", err.message);
    free(file);
    return doc;
}

static const float sound[4][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}};

/* ---- tests --------------------------------------------------------------------------------------- */

static void one_document(void **state)
{
    told t;
    bytes b = {NULL, 0}, again = {NULL, 0};
    (void)state;
    lathe_preview_document one = {tetrahedron(sound, 4), "four"};
    lathe_preview_options o = {.size = sizeof o, .width = 320, .height = 200};
    assert_int_equal(draw(&one, 1, &o, &t, &b, NULL), LATHE_OK);
    assert_int_equal(t.width, 320);
    assert_int_equal(t.height, 200);
    assert_int_equal(t.triangles, 4);
    assert_int_equal(t.skips, 0);
    assert_memory_equal(b.p, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(draw(&one, 1, &o, &t, &again, NULL), LATHE_OK);
    assert_int_equal(again.n, b.n);
    assert_memory_equal(again.p, b.p, b.n);
    o.svg = true;
    assert_int_equal(draw(&one, 1, &o, &t, &b, NULL), LATHE_OK);
    assert_true(keep(&b, "", 1));
    assert_non_null(strstr((const char *)b.p, "<svg"));
    assert_int_equal(draw(&one, 1, NULL, &t, &b, NULL), LATHE_OK);
    assert_int_equal(t.width, 1024);
    lathe_doc_close(one.doc);
    free(b.p);
    free(again.p);
}

static void refusals(void **state)
{
    told t;
    bytes b = {NULL, 0};
    lathe_error err;
    (void)state;
    lathe_preview_document one = {tetrahedron(sound, 4), "four"};
    const struct {
        lathe_preview_options options;
        lathe_result code;
        const char *message;
    } cases[] = {
        {{.width = 63, .height = 64}, LATHE_ERR_RANGE, "at least 64 x 64"},
        {{.width = 65535, .height = 65535}, LATHE_ERR_LIMIT, "more than 16777216"},
        {{.width = 4294967295U, .height = 4294967295U}, LATHE_ERR_LIMIT, "more than"},
        {{.what = LATHE_PREVIEW_WHAT_COUNT}, LATHE_ERR_RANGE, "no such kind"},
        {{.view = LATHE_PREVIEW_VIEW_COUNT}, LATHE_ERR_RANGE, "no such kind"},
        {{.fit = "soild"}, LATHE_ERR_NAME, "did you mean 'solid'?"},
        {{.what = LATHE_PREVIEW_SKELETON}, LATHE_ERR_NAME, "there is no skeleton"},
        {{.what = LATHE_PREVIEW_POSE}, LATHE_ERR_NAME, "there is no clip"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lathe_preview_options o = cases[i].options;
        o.size = sizeof o;
        assert_int_equal(draw(&one, 1, &o, &t, &b, &err), cases[i].code);
        if (!strstr(err.message, cases[i].message))
            fail_msg("%s, without: %s", err.message, cases[i].message);
        assert_int_equal(b.n, 0);
    }
    assert_int_equal(draw(&one, 0, NULL, &t, &b, &err), LATHE_ERR_RANGE);
    lathe_doc_close(one.doc);
}

/* Corners that are no numbers, far away, at one point, and none at all: a picture all the same. */
static void hostile_positions(void **state)
{
    static const float odd[][4][3] = {
        {{0, 0, 0}, {1e30F, 0, 0}, {0, 1e30F, 0}, {0, 0, 1e30F}},
        {{-3e38F, 0, 0}, {3e38F, 0, 0}, {0, 3e38F, 0}, {0, 0, 3e38F}},
        {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
        {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {4, 4, 0}},
        {{1e-30F, 0, 0}, {0, 1e-30F, 0}, {0, 0, 1e-30F}, {0, 0, 0}},
    };
    told t;
    bytes b = {NULL, 0};
    lathe_error err;
    (void)state;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        for (int view = 0; view < LATHE_PREVIEW_VIEW_COUNT; view++) {
            lathe_preview_document one = {tetrahedron(odd[i], 4), "odd"};
            lathe_preview_options o = {.size = sizeof o, .view = (lathe_preview_view)view};
            o.width = o.height = 100;
            lathe_result r = draw(&one, 1, &o, &t, &b, &err);
            if (r != LATHE_OK)
                fail_msg("case %zu, view %d: %s", i, view, err.message);
            lathe_doc_close(one.doc);
        }
    lathe_preview_document none = {tetrahedron(sound, 0), "none"};
    assert_int_equal(draw(&none, 1, NULL, &t, &b, NULL), LATHE_OK);
    assert_string_equal(t.notes, "no geometry");
    assert_int_equal(t.triangles, 0);
    lathe_doc_close(none.doc);
    free(b.p);
}

static void triangle_limit(void **state)
{
    told t;
    bytes b = {NULL, 0};
    (void)state;
    lathe_preview_document one = {tetrahedron(sound, 4), "four"};
    lathe_preview_options o = {.size = sizeof o, .triangles = 3};
    assert_int_equal(draw(&one, 1, &o, &t, &b, NULL), LATHE_OK);
    assert_string_equal(t.skipped, "four: 4 triangles beyond the limit of 3 are not drawn");
    assert_string_equal(t.notes, "no geometry");
    lathe_doc_close(one.doc);
    free(b.p);
}

/* Triangles that would take too long are left out, and counted. */
static void work_limit(void **state)
{
    enum { ALL = 32000 };
    told t;
    bytes b = {NULL, 0};
    char expected[256];
    (void)state;
    lathe_preview_document one = {stack_of(ALL), "stack"};
    lathe_preview_options o = {.size = sizeof o, .width = 160, .height = 240};
    o.view = LATHE_PREVIEW_FRONT;
    assert_int_equal(draw(&one, 1, &o, &t, &b, NULL), LATHE_OK);
    assert_in_range(t.triangles, 1, ALL - 1);
    snprintf(expected, sizeof expected,
             "stack: %d triangles are not drawn: those before them cover too many pixels",
             ALL - (int)t.triangles);
    assert_string_equal(t.skipped, expected);
    lathe_doc_close(one.doc);
    free(b.p);
}

/* ---- sheets -------------------------------------------------------------------------------------- */

typedef struct opening {
    int open, most, opened;
} opening;

static lathe_result open_cell(void *user, size_t i, lathe_doc **doc, lathe_error *err)
{
    opening *o = user;
    if (i == 1) {
        const lathe_options options = {.size = sizeof options, .format = "solid"};
        return lathe_doc_parse("x", 1, &options, doc, err);
    }
    *doc = tetrahedron(sound, 4);
    o->opened++;
    o->most = ++o->open > o->most ? o->open : o->most;
    return LATHE_OK;
}

static void close_cell(void *user, size_t i, lathe_doc *doc)
{
    opening *o = user;
    (void)i;
    o->open--;
    lathe_doc_close(doc);
}

static void a_sheet(void **state)
{
    told t;
    bytes b = {NULL, 0};
    opening count = {0, 0, 0};
    lathe_error err;
    (void)state;
    lathe_preview_document list[3] = {{NULL, "first"}, {NULL, "bad"}, {NULL, "last"}};
    lathe_preview_options o = {
        .size = sizeof o, .open = open_cell, .close = close_cell, .user = &count};
    assert_int_equal(draw(list, 3, &o, &t, &b, NULL), LATHE_OK);
    assert_int_equal(count.opened, 2);
    assert_int_equal(count.most, 1); /* one at a time */
    assert_int_equal(count.open, 0);
    assert_int_equal(t.triangles, 8);
    assert_int_equal(t.skips, 1);
    assert_int_equal(strncmp(t.skipped, "bad: ", 5), 0);
    assert_int_equal(draw(&list[1], 1, &(lathe_preview_options){.size = sizeof o}, &t, &b, &err),
                     LATHE_ERR_STATE);
    o.width = o.height = 100;
    assert_int_equal(draw(list, 3, &o, &t, &b, &err), LATHE_ERR_RANGE);
    free(b.p);
}

/* ---- two documents side by side ------------------------------------------------------------------ */

static void compare(const float left[4][3], int lefts, const float right[4][3], int rights,
                    const char *expected)
{
    told t;
    bytes b = {NULL, 0};
    lathe_error err;
    lathe_preview_document one = {tetrahedron(left, lefts), "left"};
    lathe_preview_document two = {tetrahedron(right, rights), "right"};
    lathe_preview_options o = {.size = sizeof o, .against = &two};
    if (draw(&one, 1, &o, &t, &b, &err) != LATHE_OK)
        fail_msg("%s", err.message);
    assert_string_equal(t.first_note, expected);
    assert_int_equal(t.skips, 0);
    assert_int_equal(t.triangles, lefts + rights);
    lathe_doc_close(one.doc);
    lathe_doc_close(two.doc);
    free(b.p);
}

static void what_differs(void **state)
{
    static const float moved[4][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4.01F}};
    static const float rounded[4][3] = {{0, 0, 0}, {4.0000005F, 0, 0}, {0, 4, 0}, {0, 0, 4}};
    /* The corners in another order: 0, 2, 3, 1. The same four faces, all but one with another number. */
    static const float turned[4][3] = {{0, 0, 0}, {0, 4, 0}, {0, 0, 4}, {4, 0, 0}};
    (void)state;
    compare(sound, 4, sound, 4, "nothing differs: no triangle moved or looks different");
    compare(sound, 4, rounded, 4, "nothing differs: no triangle moved or looks different");
    compare(sound, 4, turned, 4, "nothing differs: no triangle moved or looks different");
    compare(sound, 4, moved, 4, "3 of 4 triangles differ"); /* all but the one of 0, 1 and 2 */
    compare(sound, 4, sound, 3,
            "1 of 4 triangles on the left, 0 of 3 triangles on the right differ");
    compare(sound, 1, sound, 4,
            "0 of 1 triangle on the left, 3 of 4 triangles on the right differ");
}

static size_t occurrences(const bytes *svg, const char *text)
{
    size_t n = 0;
    for (const char *at = (const char *)svg->p; (at = strstr(at, text)); at++)
        n++;
    return n;
}

/* The key of marks is there if and only if something is marked. */
static void key_of_marks(void **state)
{
    static const float moved[4][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 5}};
    told t;
    bytes b = {NULL, 0};
    (void)state;
    for (int same = 0; same < 2; same++) {
        lathe_preview_document one = {tetrahedron(sound, 4), "left"};
        lathe_preview_document two = {tetrahedron(same ? sound : moved, 4), "right"};
        lathe_preview_options o = {.size = sizeof o, .svg = true, .against = &two};
        assert_int_equal(draw(&one, 1, &o, &t, &b, NULL), LATHE_OK);
        assert_true(keep(&b, "", 1));
        assert_int_equal(occurrences(&b, "#e6008c"), same ? 0 : 1);
        assert_int_equal(occurrences(&b, "<image"), 2);
        lathe_doc_close(one.doc);
        lathe_doc_close(two.doc);
    }
    free(b.p);
}

static void hostile_comparisons(void **state)
{
    static const float odd[][4][3] = {
        {{0, 0, 0}, {1e30F, 0, 0}, {0, 1e30F, 0}, {0, 0, 1e30F}},
        {{-3e38F, 0, 0}, {3e38F, 0, 0}, {0, 3e38F, 0}, {0, 0, 3e38F}},
        {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
        {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}},
        {{0, 0, 0}, {NAN, 0, 0}, {0, 4, 0}, {0, 0, 4}},
        {{0, 0, 0}, {INFINITY, 0, 0}, {0, 4, 0}, {0, 0, 4}},
    };
    enum { ODD = sizeof odd / sizeof *odd };
    told t;
    bytes b = {NULL, 0};
    lathe_error err;
    (void)state;
    for (size_t i = 0; i < ODD * ODD; i++) {
        lathe_preview_document one = {tetrahedron(odd[i / ODD], 4), "left"};
        lathe_preview_document two = {tetrahedron(odd[i % ODD], 4), "right"};
        lathe_preview_options o = {.size = sizeof o, .against = &two};
        o.width = o.height = 64 + (uint32_t)(i % 3) * 100;
        if (draw(&one, 1, &o, &t, &b, &err) != LATHE_OK)
            fail_msg("case %zu: %s", i, err.message);
        bool same = strncmp(t.first_note, "nothing differs", 15) == 0;
        if (same != (i / ODD == i % ODD))
            fail_msg("case %zu: %s", i, t.first_note);
        lathe_doc_close(one.doc);
        lathe_doc_close(two.doc);
    }
    free(b.p);
}

static void refused_comparisons(void **state)
{
    told t;
    bytes b = {NULL, 0};
    lathe_error err;
    (void)state;
    lathe_preview_document list[2] = {{tetrahedron(sound, 4), "a"}, {NULL, "b"}};
    lathe_preview_options o = {.size = sizeof o, .against = &list[1]};
    assert_int_equal(draw(list, 1, &o, &t, &b, &err), LATHE_ERR_STATE);
    o.against = &list[0];
    assert_int_equal(draw(list, 2, &o, &t, &b, &err), LATHE_ERR_RANGE);
    assert_string_equal(err.message, "one document is compared with another, not 2");
    o.what = LATHE_PREVIEW_STRIP;
    assert_int_equal(draw(list, 1, &o, &t, &b, &err), LATHE_ERR_UNSUPPORTED);
    o.what = LATHE_PREVIEW_SKELETON;
    assert_int_equal(draw(list, 1, &o, &t, &b, &err), LATHE_ERR_NAME);
    assert_string_equal(err.message, "a: there is no skeleton in it");
    lathe_doc_close(list[0].doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_document),        cmocka_unit_test(refusals),
        cmocka_unit_test(hostile_positions),   cmocka_unit_test(triangle_limit),
        cmocka_unit_test(work_limit),          cmocka_unit_test(a_sheet),
        cmocka_unit_test(what_differs),        cmocka_unit_test(key_of_marks),
        cmocka_unit_test(hostile_comparisons), cmocka_unit_test(refused_comparisons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
