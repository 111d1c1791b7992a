/* Bad input: an error with its place, or a document that encodes to what was read. Never a crash, a
 * hang, or memory beyond a small multiple of the file. */
#include "made_up_test.h"

#include <time.h>

enum { MEMORY_FACTOR = 64, MEMORY_BASE = 1 << 17 };

/* A whole array in one go, where its elements are numbers. */
static void read_column(lathe_view array, const char *member)
{
    lathe_elem elem;
    uint32_t lanes = lathe_view_lanes(array, member, &elem);
    uint64_t n = lathe_view_count(array);
    uint8_t *to = lanes && n < 1000000 ? malloc((size_t)n * lanes * 8 + 1) : NULL;
    if (to)
        lathe_view_read(array, member, 0, n, elem, to, 0, NULL);
    free(to);
}

/* Reads every field of everything (of long arrays, some elements); failing is fine. */
static void look(lathe_view view, int depth)
{
    bool array = view.flags & REC_VIEW_ARRAY;
    uint64_t n = lathe_view_count(view);
    char path[64];
    lathe_view_path(view, NULL, path, sizeof path);
    if (array) {
        read_column(view, NULL);
        read_column(view, "id");
        read_column(view, "x");
    }
    for (uint64_t i = 0; i < n && i < 40 && depth < 12; i++) {
        lathe_field_info info = {.size = sizeof info};
        lathe_value v = {.kind = LATHE_KIND_NONE};
        lathe_result r = array ? lathe_view_item(view, i, &v, NULL) : LATHE_ERR_NAME;
        if (!array && lathe_view_describe(view, i, &info))
            r = lathe_view_get(view, info.name, &v, NULL);
        bool down = v.kind == LATHE_KIND_RECORD || v.kind == LATHE_KIND_ARRAY;
        if (r == LATHE_OK && v.kind == LATHE_KIND_STRING && v.as.s.n)
            assert_in_range((uint8_t)v.as.s.p[0] | (uint8_t)v.as.s.p[v.as.s.n - 1], 0, 255);
        if (r == LATHE_OK && down && !(info.flags & LATHE_FIELD_REF))
            look(v.as.v, depth + 1);
    }
}

/* Opens, looks at everything, checks, encodes. True where it opened. */
static bool survives(const void *bytes, size_t n, const char *format)
{
    made_up_memory m = {0};
    lathe_options o = {
        .size = sizeof o, .format = format, .alloc = made_up_alloc, .alloc_user = &m};
    lathe_doc *doc = NULL;
    lathe_error e = {.code = LATHE_OK};
    lathe_result r = lathe_doc_parse(bytes, n, &o, &doc, &e);
    assert_true(m.bytes < MEMORY_FACTOR * n + MEMORY_BASE);
    if (r != LATHE_OK) {
        assert_int_equal(r, e.code);
        assert_true(e.message[0] != 0);
        bool unknown = r == LATHE_ERR_FORMAT && !format; /* nobody's: no place in it is wrong */
        if (!unknown && (e.offset == LATHE_NO_OFFSET || e.offset > n)) {
            show_error(&e);
            fail_msg("no place in %zu bytes", n);
        }
        assert_null(doc);
    } else {
        bytes_copy b = {(uint8_t *)(uintptr_t)bytes, n};
        lathe_doc_check(doc, NULL, NULL);
        look(lathe_doc_root(doc), 0);
        assert_true(same_as(doc, b));
        assert_false(lathe_doc_modified(doc));
        lathe_doc_close(doc);
    }
    assert_int_equal(m.blocks, 0);
    return r == LATHE_OK;
}

static bytes_copy sample(size_t i)
{
    lathe_doc *doc = new_doc(samples[i].format, samples[i].text);
    bytes_copy b = encode(doc);
    lathe_doc_close(doc);
    return b;
}

static void every_prefix(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        bytes_copy b = sample(i);
        for (size_t n = 0; n < b.n; n++) {
            uint8_t *exact =
                malloc(n ? n : 1); /* of just that size, so that reading on is noticed */
            memcpy(exact, b.p, n);
            bool opened = survives(exact, n, samples[i].format);
            uint64_t rest = strncmp(samples[i].format, "nested", 6) == 0 ? 6
                            : strcmp(samples[i].format, "words") == 0    ? 4
                            : strcmp(samples[i].format, "blocks") == 0   ? 4
                                                                         : 0;
            assert_true(!opened || n + rest >= b.n); /* what the last row takes may be less */
            survives(exact, n, NULL);
            free(exact);
        }
        free(b.p);
    }
}

/* Every 1, 2 and 4 bytes as a count would be: 0, the most, -1, one more, one less. */
static void every_count(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        bytes_copy b = sample(i);
        uint8_t *bad = malloc(b.n);
        for (unsigned width = 1; width <= 8; width *= 2)
            for (size_t at = 0; at + width <= b.n; at++)
                for (int k = 0; k < 5; k++) {
                    uint64_t now = bytes_ld(b.p + at, width, false),
                             top = UINT64_MAX >> (64 - 8 * width);
                    uint64_t values[] = {0, top, top / 2, now + 1, now - 1};
                    memcpy(bad, b.p, b.n);
                    bytes_st(bad + at, values[k] & top, width, false);
                    survives(bad, b.n, samples[i].format);
                }
        free(bad);
        free(b.p);
    }
}

static void random_flips(void **state)
{
    (void)state;
    uint64_t random = 99;
    for (size_t i = 0; i < SAMPLES; i++) {
        bytes_copy b = sample(i);
        uint8_t *bad = malloc(b.n);
        for (int k = 0; k < 3000; k++) {
            memcpy(bad, b.p, b.n);
            for (uint64_t flips = 1 + below(&random, 5); flips > 0; flips--)
                bad[below(&random, b.n)] ^= (uint8_t)(1 << below(&random, 8));
            if (k % 3 == 0)
                bad[below(&random, b.n)] = (uint8_t)below(&random, 256);
            survives(bad, b.n, k % 2 ? samples[i].format : NULL);
        }
        free(bad);
        free(b.p);
    }
}

/* What opened although it is odd can be edited, undone, and does not lose a byte. */
static void edits_of_odd_files(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (size_t i = 0; i < SAMPLES; i++) {
        bytes_copy b = sample(i);
        uint8_t *bad = malloc(b.n);
        for (int k = 0; k < 800; k++) {
            memcpy(bad, b.p, b.n);
            bad[below(&random, b.n)] ^= (uint8_t)(1 << below(&random, 8));
            lathe_options o = {.size = sizeof o, .format = samples[i].format, .history = 9};
            lathe_doc *doc = NULL;
            if (lathe_doc_parse(bad, b.n, &o, &doc, NULL) != LATHE_OK)
                continue;
            bytes_copy was = {bad, b.n};
            int steps = 0;
            for (int tries = 0; tries < 8; tries++) {
                lathe_view view;
                const char *field;
                lathe_value v;
                OK(lathe_doc_at(doc, below(&random, lathe_doc_size(doc)), &view, &field, err));
                uint64_t before = doc->state;
                if (!field || lathe_view_get(view, field, &v, NULL) != LATHE_OK)
                    continue;
                if (v.kind == LATHE_KIND_ARRAY && below(&random, 2))
                    lathe_view_insert(v.as.v, 0, 1 + below(&random, 3), NULL);
                else if (v.kind == LATHE_KIND_ARRAY)
                    lathe_view_remove(v.as.v, 0, 1, NULL);
                else if (v.kind == LATHE_KIND_STRING)
                    try_set(view, field, v_text("odd"), NULL);
                else
                    try_set(view, field, v_int((int64_t)below(&random, 5)), NULL);
                steps += doc->state != before;
            }
            assert_opens(doc);
            if (steps)
                assert_true(lathe_edit_undo(doc, steps));
            assert_true(same_as(doc, was));
            lathe_doc_close(doc);
        }
        free(bad);
        free(b.p);
    }
}

/* ---- depth and size ------------------------------------------------------------------------------- */

/* The sample with the tree replaced by one of so many levels, each with one child. */
static uint8_t *deep(size_t levels, size_t *n)
{
    lathe_doc *doc = new_doc("nested", "{}");
    uint64_t off, size;
    OK(lathe_view_span(lathe_doc_root(doc), "tree", &off, &size, err));
    bytes_copy b = encode(doc);
    lathe_doc_close(doc);
    *n = b.n + 2 * levels;
    uint8_t *p = malloc(*n);
    memcpy(p, b.p, off);
    for (size_t i = 0; i < levels; i++) {
        p[off + 2 * i] = 0;
        p[off + 2 * i + 1] = 1;
    }
    memcpy(p + off + 2 * levels, b.p + off, b.n - off);
    free(b.p);
    return p;
}

static void deep_nesting(void **state)
{
    (void)state;
    size_t n;
    for (size_t levels = 1; levels < 200000; levels *= 3) {
        uint8_t *p = deep(levels, &n);
        assert_int_equal(survives(p, n, "nested"), levels < REC_DEPTH - 1);
        free(p);
    }
}

/* No edit makes a document that would not open again. */
static void depth_by_edits(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", "{}");
    lathe_view children = view_at(doc, "tree.children");
    int levels = 0;
    for (; levels < 3 * REC_DEPTH; levels++) {
        lathe_error e;
        lathe_result r = lathe_view_insert(children, 0, 1, &e);
        assert_true(r == LATHE_OK || r == LATHE_ERR_LIMIT);
        if (r != LATHE_OK)
            break;
        children = array_of(item_view(children, 0), "children");
    }
    assert_true(levels > REC_DEPTH / 2);
    assert_opens(doc);
    lathe_doc_close(doc);
}

/* The same with whole trees put together. */
static void depth_by_copies(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", "{tree = {children = {{children = {{}}}}}}");
    for (int i = 0; i < 12; i++) {
        lathe_value tree = at_path(doc, "tree");
        lathe_view leaf = tree.as.v;
        while (get_int(leaf, "child_count"))
            leaf = item_view(array_of(leaf, "children"), 0);
        OK(lathe_edit_begin(doc, err));
        lathe_error e = {.code = LATHE_OK};
        lathe_result r = lathe_view_insert(array_of(leaf, "children"), 0, 1, &e);
        if (r == LATHE_OK)
            r = lathe_view_set_item(array_of(leaf, "children"), 0, &tree, &e);
        if (r != LATHE_OK && r != LATHE_ERR_LIMIT)
            show_error(&e);
        assert_true(r == LATHE_OK || r == LATHE_ERR_LIMIT);
        lathe_edit_end(doc, r == LATHE_OK, NULL);
        assert_opens(doc);
    }
    lathe_doc_close(doc);
}

/* Counts that the file can't hold cost nothing, whatever the elements are. */
static void count_bombs(void **state)
{
    (void)state;
    static const char *const counts[] = {"group_count", "point_count", "word_count", "blob_size"};
    clock_t start = clock();
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    bytes_copy b = encode(doc);
    size_t big = 4 << 20;
    uint8_t *p = calloc(1, big);
    for (int i = 0; i < 4; i++) {
        uint64_t off, size;
        OK(lathe_view_span(lathe_doc_root(doc), counts[i], &off, &size, err));
        memcpy(p, b.p, b.n);
        memset(p + b.n, i == 3 ? 0xff : 0, big - b.n);
        memset(p + off, 0x7f, size);
        survives(p, big, "nested");
        survives(p, b.n + 100, "nested");
    }
    lathe_doc_close(doc);
    free(b.p);
    uint8_t *tree = deep(1, &b.n); /* 255 children each, of 255 children each … */
    memcpy(p, tree, b.n);
    memset(p + b.n - 4, 0xff, big - b.n);
    survives(p, big, "nested");
    survives(p, 20000, "nested");
    free(tree);
    free(p);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 20);
}

/* ---- what is handed in -------------------------------------------------------------------------------- */

static void input_is_not_touched(void **state)
{
    (void)state;
    bytes_copy b = sample(2);
    uint8_t *given = malloc(b.n);
    memcpy(given, b.p, b.n);
    lathe_doc *doc = parse_doc(given, b.n, NULL), *untouched = parse_doc(b.p, b.n, NULL);
    set_value(view_at(doc, "chunks[2]"), "name", v_text("another name"));
    set_value(view_at(doc, "chunks[1]"), "id", v_int(7));
    OK(lathe_view_remove(view_at(doc, "chunks"), 3, 1, err));
    assert_memory_equal(given, b.p, b.n);
    assert_memory_equal(untouched->input, b.p, b.n);
    assert_int_equal(doc->input_size, b.n);
    assert_memory_equal(doc->input, b.p, b.n); /* only copies of parts are written */
    memset(given, 0, b.n);                     /* it was copied */
    free(given);
    assert_true(lathe_edit_undo(doc, 3));
    assert_true(same_as(doc, b));
    lathe_doc_close(doc);
    lathe_doc_close(untouched);
    free(b.p);
}

static void limits_of_size(void **state)
{
    (void)state;
    bytes_copy b = sample(0);
    lathe_doc *doc = NULL;
    lathe_options o = {.size = sizeof o, .limit = b.n - 1, .path = "in.nested"};
    lathe_error e;
    assert_int_equal(lathe_doc_parse(b.p, b.n, &o, &doc, &e), LATHE_ERR_LIMIT);
    assert_string_equal(e.path, "in.nested");
    o.limit = b.n;
    OK(lathe_doc_parse(b.p, b.n, &o, &doc, err));
    lathe_doc_close(doc);
    assert_int_equal(lathe_doc_parse("nothing at all", 14, NULL, &doc, &e), LATHE_ERR_FORMAT);
    assert_int_equal(lathe_doc_parse(NULL, 0, NULL, &doc, &e), LATHE_ERR_FORMAT);
    o.path = "x.pack";
    assert_int_equal(lathe_doc_parse("nothing at all and more", 23, &o, &doc, &e),
                     LATHE_ERR_FORMAT);
    assert_non_null(strstr(e.message, "mark")); /* the extension had named it */
    free(b.p);
}

/* Text that does not fit ends in "...", in messages and places alike. */
static void long_error_texts(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", "{}");
    char name[600], path[700];
    lathe_error e;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = 0;
    assert_int_equal(try_set(view_at(doc, "numbers"), name, v_int(1), &e), LATHE_ERR_NAME);
    assert_string_equal(e.message + strlen(e.message) - 3, "...");
    assert_int_equal(strlen(e.message), sizeof e.message - 1);
    assert_int_equal(try_set(view_at(doc, "numbers"), "colour", v_text(name), &e), LATHE_ERR_RANGE);
    lathe_view children = view_at(doc, "tree.children");
    for (int i = 0; i < 40; i++) {
        OK(lathe_view_insert(children, 0, 1, err));
        children = array_of(item_view(children, 0), "children");
    }
    assert_int_equal(lathe_view_insert(children, 5, 1, &e), LATHE_ERR_BOUNDS);
    assert_int_equal(strlen(e.where), sizeof e.where - 1);
    assert_string_equal(e.where + strlen(e.where) - 3, "...");
    lathe_doc_close(doc);
    lathe_options o = {.size = sizeof o, .format = "pack", .path = path};
    assert_int_equal(lathe_doc_parse("NOPE", 4, &o, &doc, &e), LATHE_ERR_BOUNDS);
    assert_string_equal(e.path + strlen(e.path) - 3, "...");
}

/* The message of an error that the engine puts a place to is cut the same way. */
static void long_messages_with_a_place(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", "{}");
    rec_at at = rec_root(doc, 0);
    char text[600];
    lathe_error e;
    memset(text, 'm', sizeof text - 1);
    text[sizeof text - 1] = 0;
    rec_fail(&at, 0, 0, &e, LATHE_ERR_INVALID, "%s", text);
    assert_int_equal(strlen(e.message), sizeof e.message - 1);
    assert_string_equal(e.message + strlen(e.message) - 3, "...");
    lathe_doc_close(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_prefix),         cmocka_unit_test(every_count),
        cmocka_unit_test(random_flips),         cmocka_unit_test(edits_of_odd_files),
        cmocka_unit_test(deep_nesting),         cmocka_unit_test(depth_by_edits),
        cmocka_unit_test(depth_by_copies),      cmocka_unit_test(count_bombs),
        cmocka_unit_test(input_is_not_touched), cmocka_unit_test(limits_of_size),
        cmocka_unit_test(long_error_texts),     cmocka_unit_test(long_messages_with_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
