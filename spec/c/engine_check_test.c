/* What doc:check finds in files, and what the lint finds in schemas: each mistake planted once. */
#include "made_up_adhoc.h"
#include "made_up_test.h"
#include "record/types.h"

#include <math.h>

/* ---- check ------------------------------------------------------------------------------------------ */

typedef struct findings {
    lathe_error list[16];
    int n, stop_after;
} findings;

static bool gather(void *user, const lathe_error *finding)
{
    findings *f = user;
    assert_true(f->n < 16);
    f->list[f->n++] = *finding;
    return f->n != f->stop_after;
}

static lathe_result check(lathe_doc *doc, findings *f)
{
    *f = (findings){.stop_after = f->stop_after};
    return lathe_doc_check(doc, gather, f);
}

/* Exactly one finding, at one place, whose offset leads back to it. */
static void finds(lathe_doc *doc, const char *where, lathe_level level, const char *text)
{
    findings f = {.n = 0};
    lathe_result r = check(doc, &f);
    if (f.n != 1 || strcmp(f.list[0].where, where) != 0 || !strstr(f.list[0].message, text)) {
        for (int i = 0; i < f.n; i++)
            show_error(&f.list[i]);
        fail_msg("%d findings; expected %s: %s", f.n, where, text);
    }
    assert_int_equal(f.list[0].level, level);
    assert_int_equal(r, level == LATHE_LEVEL_ERROR ? LATHE_ERR_INVALID : LATHE_OK);
    char path[256];
    lathe_view view;
    const char *field;
    OK(lathe_doc_at(doc, f.list[0].offset, &view, &field, err));
    lathe_view_path(view, field, path, sizeof path);
    assert_int_equal(strncmp(path, where, strlen(path)), 0);
}

static void clean_samples(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        lathe_doc *doc = new_doc(samples[i].format, samples[i].text);
        findings f = {.n = 0};
        assert_int_equal(check(doc, &f), LATHE_OK);
        if (strcmp(samples[i].format, "pack") == 0) /* a section without a text: see below */
            assert_int_equal(f.n, 1);
        else
            assert_int_equal(f.n, 0);
        lathe_doc_close(doc);
    }
}

/* Writes a stored number past the checks of lathe_view_set. */
static void plant(lathe_doc *doc, const char *record, const char *field, uint64_t raw)
{
    lathe_view view = view_at(doc, record);
    rec_at at;
    uint32_t slot;
    OK(rec_enter(&view, &at, &slot, err));
    OK(rec_begin(doc, err));
    doc->changing++; /* totals are not noted, so a lie stays */
    lathe_result r = rec_put_raw(&at, rec_slot_find(at.layout, field), 0, raw, NULL);
    doc->changing--;
    OK(rec_end(doc, r, err));
}

static void numbers_are_looked_at(void **state)
{
    (void)state;
    static const struct {
        const char *record, *field;
        uint64_t raw;
        const char *text;
    } rows[] = {
        {"numbers", "ranged", 11, "-10 .. 10"},
        {"numbers", "ranged", 0xfff5, "-11 is not"},
        {"numbers", "ratio", 0x40000000, "2 is not"},
        {"numbers", "wide", 1001, "1001"},
        {"numbers", "wide", UINT64_MAX, "1.84467"},
        {"numbers", "f32", 0x7fc00000, "finite"},
        {"numbers", "f64", UINT64_C(0xfff0000000000000), "finite"},
        {"numbers", "f16", 0x7c00, "finite"},
        {"numbers", "upper", 0xff80, "finite"},
        {"numbers", "big_f64", UINT64_C(0x7ff0000000000000), "finite"},
        {"numbers", "colour", 3, "3 is no known colour"},
        {"points[2]", "colour", 99, "99 is no known colour"},
        {"points[2].pos", "y", 0x7f800000, "finite"},
        {"", "item_total", 5, "5 is stored, 4 would agree"},
        {"groups[1]", "name_size", 9, "9 is stored, 5 would agree"},
    };
    for (int big = 0; big < 2; big++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            lathe_doc *doc = new_doc(big ? "nested_big" : "nested", NESTED_SAMPLE);
            char where[64];
            snprintf(where, sizeof where, "%s%s%s", rows[i].record, rows[i].record[0] ? "." : "",
                     rows[i].field);
            plant(doc, rows[i].record, rows[i].field, rows[i].raw);
            finds(doc, where, LATHE_LEVEL_WARNING, rows[i].text);
            lathe_doc_close(doc);
        }
}

static void values_in_range_are_fine(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    findings f = {.n = 0};
    plant(doc, "numbers", "wide", 1000);
    plant(doc, "numbers", "ranged", 0xfff6);
    plant(doc, "numbers", "on", 7);
    plant(doc, "numbers", "bits", 0xffff);
    assert_int_equal(check(doc, &f), LATHE_OK);
    assert_int_equal(f.n, 0);
    lathe_doc_close(doc);
}

static void references_are_looked_at(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("parts", PARTS_SAMPLE);
    plant(doc, "chunks[2]", "link", 5);
    finds(doc, "chunks[2].link", LATHE_LEVEL_ERROR, "points to no cell");
    plant(doc, "chunks[2]", "link", 0);
    plant(doc, "chunks[2].cells[2]", "next", 4);
    finds(doc, "chunks[2].cells[2].next", LATHE_LEVEL_ERROR, "points to no cell");
    lathe_doc_close(doc);
}

static void formats_look_too(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("parts", PARTS_SAMPLE);
    findings f = {.n = 0};
    lathe_view section = view_at(doc, "chunks[3].inner.sections[2]");
    set_value(section, "text", v_text("")); /* a check of the format inside */
    finds(doc, "chunks[3].inner.sections[2].text", LATHE_LEVEL_WARNING, "no text");
    set_value(section, "text", v_text("bad"));
    finds(doc, "chunks[3].inner.sections[2].text", LATHE_LEVEL_ERROR, "a bad text");
    set_value(view_at(doc, "chunks[3].inner.sections[1]"), "text", v_text("bad"));
    set_value(view_at(doc, "chunks[3].inner.sections[3]"), "text", v_text(""));
    assert_int_equal(check(doc, &f), LATHE_ERR_INVALID);
    assert_int_equal(f.n, 3);
    f.stop_after = 2; /* who has seen enough says so */
    assert_int_equal(check(doc, &f), LATHE_ERR_INVALID);
    assert_int_equal(f.n, 2);
    assert_int_equal(lathe_doc_check(doc, NULL, NULL), LATHE_ERR_INVALID);
    OK(lathe_view_remove(view_at(doc, "chunks"), 2, 1, err)); /* what is gone is not looked at */
    assert_int_equal(lathe_doc_check(doc, NULL, NULL), LATHE_OK);
    lathe_doc_close(doc);
}

/* ---- lint -------------------------------------------------------------------------------------------- */

typedef struct said {
    char text[2000];
} said;

static void say(void *user, const char *problem)
{
    said *s = user;
    size_t n = strlen(s->text);
    snprintf(s->text + n, sizeof s->text - n, "%s\n", problem);
}

static uint64_t some_count(const rec_at *at)
{
    (void)at;
    return 1;
}

static bool some_derive(const rec_at *at, int64_t *out)
{
    (void)at;
    *out = 1;
    return true;
}

static const rec_name twice_rows[] = {{"a", 0}, {"a", 1}};
static const rec_name same_rows[] = {{"a", 0}, {"b", 0}};
static const rec_name large_rows[] = {{"a", 0}, {"b", 256}};
static const rec_listed_names twice = {{.count = 2}, "twice", twice_rows};
static const rec_listed_names same = {{.count = 2}, "same", same_rows};
static const rec_listed_names large = {{.count = 2}, "large", large_rows};
static const rec_body no_body = {.width = 4};
static const rec_ref no_ref = {0};
static const double some_lanes[] = {1, 2, 3};

/* clang-format off */
#define FIRST {.name = "first", .kind = REC_U8, .doc = "d"}
static const adhoc_row start_rows[] = {
    {.name = "x", .kind = REC_STR, .doc = "d"}, FIRST,
};
static const adhoc_row start_when_rows[] = {
    {.name = "x", .kind = REC_RECORD, .of = &rec_vec3, .since = 3, .doc = "d"}, FIRST,
};
static const adhoc_type start = {.name = "s", .doc = "d", ADHOC_ROWS(start_rows)};
static const adhoc_type start_when = {.name = "s", .doc = "d", ADHOC_ROWS(start_when_rows)};
static const adhoc_row key_rows[] = {
    FIRST, {.name = "text", .kind = REC_STR, .prefix = 1, .doc = "d"},
    {.name = "since", .kind = REC_STR, .prefix = 1, .since = 2, .doc = "d"},
};
static const adhoc_type keyed = {.name = "k", .doc = "d", ADHOC_ROWS(key_rows)};
static const struct planted {
    adhoc_row row; /* the second row of the type; the first is an integer */
    const char *says;
} planted[] = {
    {{.name = "Camel", .kind = REC_U8, .doc = "d"}, "'Camel' is not snake_case"},
    {{.name = "_x", .kind = REC_U8, .doc = "d"}, "not snake_case"},
    {{.name = "2x", .kind = REC_U8, .doc = "d"}, "not snake_case"},
    {{.kind = REC_U8, .doc = "d"}, "(none)"},
    {{.name = "x", .kind = REC_U8}, "t.x: no doc"},
    {{.name = "first", .kind = REC_U8, .doc = "d"}, "t.first: twice"},
    {{.name = "totable", .kind = REC_U8, .doc = "d"}, "t.totable: the name of a method"},
    {{.name = "save", .kind = REC_U8, .doc = "d"}, "t.save: the name of a method"},
    {{.name = "x", .doc = "d"}, "without .get"},
    {{.name = "x", .kind = REC_RECORD, .doc = "d"}, "no type"},
    {{.name = "x", .kind = REC_U8, .flags = REC_READONLY, .doc = "d"}, "without .why"},
    {{.name = "x", .kind = REC_BYTES, .doc = "d"}, "how many bytes"},
    {{.name = "x", .kind = REC_U8, .by = "later", .doc = "d"}, "'later' is no earlier integer"},
    {{.name = "x", .kind = REC_U8, .by = "x", .doc = "d"}, "no earlier integer"},
    {{.name = "x", .kind = REC_U8, .when = "later", .doc = "d"}, "no earlier integer"},
    {{.name = "x", .kind = REC_U8, .count = some_count, .doc = "d"}, "without .uses"},
    {{.name = "x", .kind = REC_U8, .count = some_count, .uses_top = "first", .doc = "d"},
     "'first' is no read-only row of the top record"},
    {{.name = "x", .kind = REC_RECORD, .type = &keyed, .init_lanes = some_lanes, .doc = "d"}, "but no vector"},
    {{.name = "x", .kind = REC_U8, .shown = REC_ENUM, .doc = "d"}, "no names"},
    {{.name = "x", .kind = REC_U8, .shown = REC_ENUM, .names = &twice.names, .doc = "d"}, "'a' twice"},
    {{.name = "x", .kind = REC_U8, .shown = REC_ENUM, .names = &same.names, .doc = "d"}, "'b' twice"},
    {{.name = "x", .kind = REC_U8, .shown = REC_ENUM, .names = &large.names, .doc = "d"}, "'b' does not fit"},
    {{.name = "x", .kind = REC_U32, .derive = some_derive, .doc = "d"}, ".derives is not set"},
    {{.name = "x", .kind = REC_F32, .derive = some_derive, .doc = "d"}, "derived, but no integer"},
    {{.name = "x", .kind = REC_STR, .prefix = 3, .doc = "d"}, "a length of 3 bytes"},
    {{.name = "x", .kind = REC_U8, .range = {2, 1}, .doc = "d"}, "its range is empty"},
    {{.name = "x", .kind = REC_U8, .range = {5, 9}, .doc = "d"}, "its default is out of range"},
    {{.name = "x", .kind = REC_U8, .flags = REC_PART, .doc = "d"}, "a part, but no record"},
    {{.name = "x", .kind = REC_U8, .by = "first", .body = &no_body, .doc = "d"}, "without .locate"},
    {{.name = "x", .kind = REC_U32, .ref = &no_ref, .doc = "d"}, "without .resolve"},
    {{.name = "x", .kind = REC_STR, .prefix = 1, .flags = REC_REST, .doc = "d"}, "of any size"},
    {{.name = "x", .kind = REC_RECORD, .type = &start, .doc = "d"},
     "s has a field that can grow or go at its very start"},
    {{.name = "x", .kind = REC_RECORD, .type = &start_when, .by = "first", .doc = "d"}, "at its very start"},
    {{.name = "x", .kind = REC_RECORD, .type = &keyed, .key = "text", .doc = "d"}, "but no array of records"},
    {{.name = "x", .kind = REC_U8, .by = "first", .key = "text", .doc = "d"}, "but no array of records"},
    {{.name = "x", .kind = REC_RECORD, .type = &keyed, .by = "first", .key = "none", .doc = "d"},
     "the key 'none' is no text of k"},
    {{.name = "x", .kind = REC_RECORD, .type = &keyed, .by = "first", .key = "first", .doc = "d"},
     "the key 'first' is no text of k"},
    {{.name = "x", .kind = REC_RECORD, .type = &keyed, .by = "first", .key = "since", .doc = "d"},
     "the key 'since' is no text of k"},
    {{.name = "x", .kind = REC_RECORD, .type = &keyed, .by = "first", .key = "text", .value = "none", .doc = "d"},
     "the value 'none' is no row of k"},
    {{.name = "x", .kind = REC_RECORD, .type = &keyed, .by = "first", .value = "first", .doc = "d"}, "but no .key"},
    {{.name = "x", .kind = REC_RECORD, .type = &keyed, .by = "first", .flags = REC_FIRST, .doc = "d"}, "but no .key"},
    {{.name = "x", .kind = REC_RECORD, .type = &keyed, .by = "first", .key = "text", .value = "first",
      .flags = REC_MERGED, .doc = "d"}, "merged, but no array"},
};

static const adhoc_row rest_rows[] = {
    FIRST, {.name = "x", .kind = REC_U8, .flags = REC_REST, .doc = "d"},
    {.name = "y", .kind = REC_U8, .doc = "d"},
};
static const adhoc_row overlap_rows[] = {
    {.name = "x", .kind = REC_U32, .doc = "d"}, {.name = "y", .kind = REC_U32, .off = 2, .doc = "d"},
};
static const adhoc_row vector_rows[] = {
    {.name = "x", .kind = REC_RECORD, .of = &rec_vec3, .doc = "d"},
    {.name = "y", .kind = REC_U32, .off = 8, .doc = "d"},
};
static const adhoc_row outside_rows[] = {{.name = "x", .kind = REC_U32, .off = 14, .doc = "d"}};
static const adhoc_row any_size_rows[] = {
    {.name = "x", .kind = REC_U8, .doc = "d"},
    {.name = "y", .kind = REC_STR, .prefix = 1, .off = 4, .doc = "d"},
};
static const struct {
    adhoc_type type;
    const char *says;
} types[] = {
    {{.name = "t", ADHOC_ROWS(outside_rows)}, "t: no doc"},
    {{.name = "t", .doc = "d", ADHOC_ROWS(rest_rows)}, "t.y: behind the rest"},
    {{.name = "t", .doc = "d", .flags = REC_OFFSETS, .size = 16, ADHOC_ROWS(overlap_rows)},
     "t.y: overlaps"},
    {{.name = "t", .doc = "d", .flags = REC_OFFSETS, .size = 16, ADHOC_ROWS(vector_rows)},
     "t.y: overlaps"},
    {{.name = "t", .doc = "d", .flags = REC_OFFSETS, .size = 16, ADHOC_ROWS(outside_rows)},
     "t.x: outside"},
    {{.name = "t", .doc = "d", .flags = REC_OFFSETS, .size = 16, ADHOC_ROWS(any_size_rows)},
     "t.y: of any size"},
};
/* clang-format on */

/* Rows that take no bytes. */
#define COUNTED                                                                                    \
    FIRST,                                                                                         \
    {                                                                                              \
        .name = "a", .kind = REC_U8, .by = "first", .doc = "d"                                     \
    }
#define GROUP(of)                                                                                  \
    {                                                                                              \
        .name = "g", .kind = REC_RECORD, .type = &of, .group = "a", .doc = "d"                     \
    }
static const adhoc_row column_rows[] = {
    {.name = "x", .kind = REC_U8, .column = "a", .doc = "d"},
};
static const adhoc_type columns = {.name = "columns", .doc = "d", ADHOC_ROWS(column_rows)};
static const adhoc_row shown_rows[] = {
    {.name = "x", .kind = REC_U8, .shown = REC_BOOL, .column = "a", .doc = "d"},
};
static const adhoc_type shown_column = {.name = "columns", .doc = "d", ADHOC_ROWS(shown_rows)};
static const adhoc_row bytes_column_rows[] = {
    {.name = "x", .kind = REC_BYTES, .column = "b", .doc = "d"},
};
static const adhoc_type bytes_column = {
    .name = "columns", .doc = "d", ADHOC_ROWS(bytes_column_rows)};
static const adhoc_row text_column_rows[] = {
    {.name = "x", .kind = REC_STR, .prefix = 1, .column = "a", .doc = "d"},
};
static const adhoc_type text_column = {.name = "columns", .doc = "d", ADHOC_ROWS(text_column_rows)};
static lathe_result some_lane_load(const rec_at *at, double *lanes, lathe_error *err)
{
    (void)at, (void)lanes, (void)err;
    return LATHE_OK;
}
static lathe_result some_lane_store(const rec_at *at, const double *lanes, lathe_error *err)
{
    (void)at, (void)lanes, (void)err;
    return LATHE_OK;
}
static lathe_result some_get(const rec_at *at, const rec_field *row, lathe_value *out,
                             lathe_error *err)
{
    (void)at, (void)row, (void)out, (void)err;
    return LATHE_OK;
}

static const adhoc_row ungrouped_rows[] = {
    COUNTED,
    {.name = "g", .kind = REC_RECORD, .type = &columns, .n = 2, .doc = "d"},
};
static const adhoc_row bytes_group_rows[] = {
    COUNTED,
    {.name = "b", .kind = REC_BYTES, .by = "first", .doc = "d"},
    GROUP(bytes_column),
};
static const adhoc_row text_group_rows[] = {
    FIRST,
    {.name = "a", .kind = REC_STR, .prefix = 1, .by = "first", .doc = "d"},
    GROUP(text_column),
};
static const adhoc_row shown_group_rows[] = {COUNTED, GROUP(shown_column)};
static const adhoc_row when_overlay_rows[] = {
    FIRST,
    {.name = "v", .kind = REC_RECORD, .of = &rec_vec3, .doc = "d"},
    {.name = "x",
     .kind = REC_RECORD,
     .of = &rec_vec2,
     .flags = REC_OVERLAY,
     .off = 1,
     .when = "first",
     .doc = "d"},
};
static const adhoc_row count_overlay_rows[] = {
    FIRST,
    {.name = "v", .kind = REC_RECORD, .of = &rec_vec3, .doc = "d"},
    {.name = "x", .kind = REC_RECORD, .of = &rec_vec2, .flags = REC_OVERLAY, .doc = "d"},
    {.name = "y", .kind = REC_U8, .by = "first", .doc = "d"},
};
static const adhoc_row many_overlay_rows[] = {
    FIRST,
    {.name = "v", .kind = REC_RECORD, .of = &rec_vec3, .doc = "d"},
    {.name = "x", .kind = REC_RECORD, .of = &rec_vec2, .flags = REC_OVERLAY, .n = 2, .doc = "d"},
};
static const adhoc_row behind_overlay_rows[] = {
    FIRST,
    {.name = "v", .kind = REC_STR, .prefix = 1, .doc = "d"},
    {.name = "w", .kind = REC_RECORD, .of = &rec_vec3, .doc = "d"},
    {.name = "x", .kind = REC_RECORD, .of = &rec_vec2, .flags = REC_OVERLAY, .off = 1, .doc = "d"},
};
static const adhoc_row text_rows[] = {FIRST,
                                      {.name = "v", .kind = REC_STR, .prefix = 1, .doc = "d"}};
static const adhoc_type with_text = {.name = "with_text", .doc = "d", ADHOC_ROWS(text_rows)};
static const adhoc_row text_overlay_rows[] = {
    {.name = "w", .kind = REC_RECORD, .of = &rec_vec3, .doc = "d"},
    {.name = "x", .kind = REC_RECORD, .type = &with_text, .flags = REC_OVERLAY, .doc = "d"},
};
static const adhoc_row many_lane_rows[] = {
    {.name = "a", .doc = "d"}, {.name = "b", .doc = "d"}, {.name = "c", .doc = "d"},
    {.name = "e", .doc = "d"}, {.name = "f", .doc = "d"}, {.name = "g", .doc = "d"},
    {.name = "h", .doc = "d"}, {.name = "i", .doc = "d"}, {.name = "j", .doc = "d"},
    {.name = "k", .doc = "d"}, {.name = "l", .doc = "d"}, {.name = "m", .doc = "d"},
    {.name = "n", .doc = "d"}, {.name = "o", .doc = "d"}, {.name = "p", .doc = "d"},
    {.name = "q", .doc = "d"}, {.name = "r", .doc = "d"},
};
static const adhoc_row got_lane_rows[] = {
    {.name = "a", .doc = "d"}, {.name = "b", .get = some_get, .doc = "d"}, FIRST};
static const adhoc_row kept_rows[] = {
    FIRST,
    {.name = "x", .kind = REC_U8, .get = some_get, .since = 2, .doc = "d"},
};
static const struct {
    adhoc_type type;
    const char *says;
} unstored[] = {
    {{.name = "t", .doc = "d", ADHOC_ROWS(ungrouped_rows)}, "t.g: of a type with columns"},
    {{.name = "t", .doc = "d", ADHOC_ROWS(bytes_group_rows)},
     "columns.x: no such array beside 'a'"},
    {{.name = "t", .doc = "d", ADHOC_ROWS(text_group_rows)},
     "t.g: the elements of 'a' have no one size"},
    {{.name = "t", .doc = "d", ADHOC_ROWS(shown_group_rows)}, "columns.x: its array shows"},
    {{.name = "t", .doc = "d", ADHOC_ROWS(when_overlay_rows)},
     "t.x: nobody looks at the condition"},
    {{.name = "t", .doc = "d", ADHOC_ROWS(count_overlay_rows)}, "t.x: over 'first'"},
    {{.name = "t", .doc = "d", ADHOC_ROWS(many_overlay_rows)}, "t.x: an overlay is no array"},
    {{.name = "t", .doc = "d", ADHOC_ROWS(behind_overlay_rows)}, "t.x: outside of the record"},
    {{.name = "t", .doc = "d", ADHOC_ROWS(text_overlay_rows)}, "t.x: an overlay of any size"},
    {{.name = "t",
      .doc = "d",
      .flags = REC_VECTOR,
      .load = some_lane_load,
      .store = some_lane_store,
      ADHOC_ROWS(many_lane_rows)},
     "t: .load and .store, of at most 16"},
    {{.name = "t",
      .doc = "d",
      .flags = REC_VECTOR,
      .load = some_lane_load,
      ADHOC_ROWS(got_lane_rows)},
     "t: .load and .store"},
    {{.name = "t",
      .doc = "d",
      .flags = REC_VECTOR,
      .load = some_lane_load,
      .store = some_lane_store,
      ADHOC_ROWS(got_lane_rows)},
     "t.b: it is worked out"},
    {{.name = "t", .doc = "d", .flags = REC_VECTOR, ADHOC_ROWS(column_rows)},
     "t: a vector without numbers"},
    {{.name = "t", .doc = "d", ADHOC_ROWS(kept_rows)}, "t.x: stored, with .get or .set alone"},
};

static void lint_says(const adhoc_type *type, const char *says)
{
    static const char *const extensions[] = {"x", NULL};
    adhoc_types made = {.n = 0};
    lathe_format format = {
        .name = "f", .doc = "d", .extensions = extensions, .root = adhoc_type_of(&made, type)};
    said s = {.text = ""};
    size_t n = rec_lint(&format, say, &s);
    adhoc_types_free(&made);
    if (n == 0 || !strstr(s.text, says))
        fail_msg("'%s' instead of '%s'", s.text, says);
}

static void mistakes_in_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof planted / sizeof planted[0]; i++) {
        adhoc_row rows[] = {
            FIRST, planted[i].row, {.name = "y", .kind = REC_U8, .when = "first", .doc = "d"}};
        adhoc_type type = {.name = "t", .doc = "d", ADHOC_ROWS(rows)};
        if (planted[i].row.flags & REC_REST)
            type.count = 2;
        lint_says(&type, planted[i].says);
    }
}

static void mistakes_in_types(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        lint_says(&types[i].type, types[i].says);
    for (size_t i = 0; i < sizeof unstored / sizeof unstored[0]; i++)
        lint_says(&unstored[i].type, unstored[i].says);
}

/* ---- words of blocks ------------------------------------------------------------------------------- */

static bool some_only(const rec_setting *in)
{
    return in->arg;
}

static uint64_t some_place(const rec_setting *in)
{
    return in->arg;
}

static uint64_t some_number(const rec_at *at)
{
    return at->off;
}

static lathe_result some_resizes(const rec_at *at, const rec_field *row, uint64_t i,
                                 uint64_t removed, uint64_t inserted, lathe_error *err)
{
    (void)at, (void)row, (void)i, (void)removed, (void)inserted, (void)err;
    return LATHE_OK;
}

static const char *some_type_name(lathe_doc *doc, uint32_t part)
{
    (void)doc, (void)part;
    return NULL;
}

static lathe_result some_decode(const rec_at *at, const rec_field *row, uint64_t raw,
                                lathe_value *out, lathe_error *err)
{
    (void)at, (void)row, (void)raw, (void)out, (void)err;
    return LATHE_OK;
}

static lathe_result some_encode(const rec_at *at, const rec_field *row, const lathe_value *value,
                                uint64_t *raw, lathe_error *err)
{
    (void)at, (void)row, (void)value, (void)raw, (void)err;
    return LATHE_OK;
}

static const rec_codec half_codec = {.kind = LATHE_KIND_REAL, .decode = some_decode};
static const rec_codec wide_codec = {
    .kind = LATHE_KIND_REAL, .decode = some_decode, .encode = some_encode, .none = 256};
/* clang-format off */
static const rec_name two_bits_rows[] = {{"one", 1}, {"two", 2}};
static const rec_listed_names two_bits = {{.count = 2}, "bit", two_bits_rows};
static const struct {
    adhoc_row row;
    const char *says;
} settings[] = {
    {{.name = "x", .kind = REC_U8, .arg = some_number, .uses = "first"}, "t.x: an argument, but no record"},
    {{.name = "x", .kind = REC_RECORD, .of = &rec_vec3, .arg = some_number}, "t.x: a hook without .uses"},
    {{.name = "x", .kind = REC_RECORD, .of = &rec_vec3, .by = "first", .flags = REC_PART, .arg = some_number, .uses = "first"},
     "t.x: an argument, but no record"},
    {{.name = "x", .kind = REC_RECORD, .of = &rec_vec3, .arg = some_number, .uses = "first later"}, "t.x: 'later' is no earlier"},
    {{.name = "x", .kind = REC_U8, .only = some_only, .place = some_place}, "t.x: a place, in a record without offsets"},
    {{.name = "x", .kind = REC_U8, .n = 2, .flags = REC_BY_ARG}, "t.x: REC_BY_ARG is of .count alone"},
    {{.name = "x", .kind = REC_BYTES, .count = some_number, .uses = "first", .flags = REC_BY_ARG}, "t.x: REC_BY_ARG is of .count"},
    {{.name = "x", .kind = REC_STR, .prefix = 1, .power = 1}, "t.x: a power, but no number"},
    {{.name = "x", .kind = REC_U8, .codec = &half_codec}, "t.x: a codec without .decode or .encode"},
    {{.name = "x", .kind = REC_U8, .codec = &wide_codec}, "t.x: the default of its codec does not fit"},
    {{.name = "x", .kind = REC_RECORD, .of = &rec_vec3, .by = "first", .tag = "type"}, "t.x: of several types, but no array of"},
    {{.name = "x", .kind = REC_RECORD, .of = &rec_vec3, .by = "first", .flags = REC_PART, .type_name = some_type_name},
     "t.x: of several types, but no .tag"},
    {{.name = "x", .kind = REC_RECORD, .of = &rec_vec3, .by = "first", .flags = REC_SOME}, "t.x: REC_SOME, but no counted"},
    {{.name = "x", .kind = REC_U8, .n = 3, .resizes = some_resizes}, "t.x: told what comes and goes, but nothing"},
    {{.name = "x", .kind = REC_U8, .renumber = some_resizes}, "t.x: told what comes and goes, but nothing"},
    {{.name = "first", .kind = REC_U8, .only = some_only}, "t.first: twice"},
    {{.name = "x", .bits_of = "later", .bits = 1}, "t.x: 'later' is no earlier unsigned integer"},
    {{.name = "x", .bits_of = "first", .low = 7, .bits = 2}, "t.x: bits that 'first' has not"},
    {{.name = "x", .bits_of = "first"}, "t.x: bits that 'first' has not"},
    {{.name = "x", .kind = REC_U8, .bits_of = "first", .bits = 1}, "t.x: bits, but stored"},
    {{.name = "x", .shown = REC_NUMBER, .bits_of = "first", .bits = 1}, "t.x: bits, but stored, or no integer"},
    {{.name = "x", .shown = REC_ENUM, .bits_of = "first", .bits = 1}, "t.x: no names"},
    {{.name = "x", .shown = REC_ENUM, .names = &two_bits.names, .bits_of = "first", .bits = 1}, "t.x: 'two' does not fit"},
};
/* clang-format on */

static void mistakes_in_settings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        adhoc_row rows[] = {FIRST, settings[i].row};
        const adhoc_type type = {.name = "t", .doc = "d", ADHOC_ROWS(rows)};
        rows[1].doc = "d";
        lint_says(&type, settings[i].says);
    }
    adhoc_row row = {.name = "x", .kind = REC_U8, .place = some_place, .off = 1, .doc = "d"};
    const adhoc_type placed = {.name = "t",
                               .doc = "d",
                               .flags = REC_OFFSETS,
                               .extent = some_place,
                               .rows = &row,
                               .count = 1};
    lint_says(&placed, "t.x: .place and .off");
}

static void mistakes_in_bases(void **state)
{
    (void)state;
    static const adhoc_row rows[] = {FIRST};
    const adhoc_type base = {
        .name = "b", .doc = "d", .flags = REC_OFFSETS, .size = 1, ADHOC_ROWS(rows)};
    const adhoc_type derived = {.name = "t", .doc = "d", .base = &base};
    lint_says(&derived, "t: laid out otherwise than its base b");
    const adhoc_type plain = {.name = "b", .doc = "d", ADHOC_ROWS(rows)};
    const adhoc_type again = {.name = "t", .doc = "d", .base = &plain, ADHOC_ROWS(rows)};
    lint_says(&again, "t.first: twice");
    adhoc_type ring = {.name = "t", .doc = "d", ADHOC_ROWS(rows)};
    ring.base = &ring;
    lint_says(&ring, "t: its bases lead back to it");
    const adhoc_type extent = {.name = "t", .doc = "d", .extent = some_place, ADHOC_ROWS(rows)};
    lint_says(&extent, "t: an extent, but no offsets");
}

static lathe_result some_refs(lathe_doc *doc, uint32_t c, uint32_t part,
                              lathe_result (*emit)(void *user, const rec_refs *run,
                                                   lathe_error *err),
                              void *user, lathe_error *err)
{
    (void)doc, (void)c, (void)part, (void)emit, (void)user, (void)err;
    return LATHE_OK;
}

/* In front of what begins a part there is nothing; but stored positions may point there. */
static void starts_of_parts(void **state)
{
    (void)state;
    static const adhoc_row rows[] = {FIRST,
                                     {.name = "x",
                                      .kind = REC_RECORD,
                                      .type = &start_when,
                                      .by = "first",
                                      .flags = REC_PART,
                                      .doc = "d"}};
    static const adhoc_type parts = {.name = "t", .doc = "d", ADHOC_ROWS(rows)};
    static const char *const extensions[] = {"x", NULL};
    adhoc_types made = {.n = 0};
    const rec_type *whole = adhoc_type_of(&made, &parts), *alone = adhoc_type_of(&made, &start);
    said s = {.text = ""};
    lathe_format format = {.name = "f", .doc = "d", .extensions = extensions, .root = whole};
    assert_int_equal(rec_lint(&format, say, &s), 0);
    format.root = alone;
    assert_int_equal(rec_lint(&format, say, &s), 0);
    format.refs = some_refs;
    assert_int_equal(rec_lint(&format, say, &s), 1);
    format.root = whole;
    assert_int_equal(rec_lint(&format, say, &s), 1);
    adhoc_types_free(&made);
}

static void mistakes_in_formats(void **state)
{
    (void)state;
    static const adhoc_row good_rows[] = {FIRST};
    static const adhoc_type good = {.name = "t", .doc = "d", ADHOC_ROWS(good_rows)};
    static const char *const extensions[] = {"x", NULL};
    adhoc_types made = {.n = 0};
    said s = {.text = ""};
    lathe_format format = {
        .name = "f", .doc = "d", .extensions = extensions, .root = adhoc_type_of(&made, &good)};
    assert_int_equal(rec_lint(&format, say, &s), 0);
    format.extensions = NULL;
    assert_int_equal(rec_lint(&format, say, &s), 1);
    format.extensions = extensions;
    format.doc = NULL;
    assert_int_equal(rec_lint(&format, say, &s), 1);
    adhoc_types_free(&made);
    /* two types of one name, one below the other */
    const adhoc_type other = {.name = "t", .doc = "d", ADHOC_ROWS(good_rows)};
    const adhoc_row rows[] = {FIRST, {.name = "x", .kind = REC_RECORD, .type = &other, .doc = "d"}};
    const adhoc_type outer = {.name = "t", .doc = "d", ADHOC_ROWS(rows)};
    lint_says(&outer, "two types of that name");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clean_samples),
        cmocka_unit_test(numbers_are_looked_at),
        cmocka_unit_test(values_in_range_are_fine),
        cmocka_unit_test(references_are_looked_at),
        cmocka_unit_test(formats_look_too),
        cmocka_unit_test(mistakes_in_rows),
        cmocka_unit_test(mistakes_in_types),
        cmocka_unit_test(mistakes_in_settings),
        cmocka_unit_test(mistakes_in_bases),
        cmocka_unit_test(starts_of_parts),
        cmocka_unit_test(mistakes_in_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
