/* The format nested, in both byte orders. */
#include "base/half.h"
#include "made_up.h"
#include "record/types.h"

#include <stdio.h>

/* ---- hooks --------------------------------------------------------------------------------------- */

/* Shown: the lower 12 bits in tenths. The upper 4 bits are nobody's business and lost in between. */
static lathe_result packed_decode(const rec_at *at, const rec_field *row, uint64_t raw,
                                  lathe_value *out, lathe_error *err)
{
    (void)at;
    (void)row;
    (void)err;
    out->kind = LATHE_KIND_REAL;
    out->as.f = (double)(raw & 0xfff) / 10;
    return LATHE_OK;
}

static lathe_result packed_encode(const rec_at *at, const rec_field *row, const lathe_value *value,
                                  uint64_t *raw, lathe_error *err)
{
    double f = value->kind == LATHE_KIND_REAL  ? value->as.f
               : value->kind == LATHE_KIND_INT ? (double)value->as.i
                                               : -1;
    if (!(f >= 0 && f <= 409.5))
        return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                        LATHE_ERR_RANGE, "%.9g is not in 0 .. 409.5", f);
    *raw = (uint64_t)(f * 10 + 0.5);
    return LATHE_OK;
}

static const rec_codec packed = {
    .kind = LATHE_KIND_REAL, .decode = packed_decode, .encode = packed_encode};

static bool has_extra(const rec_at *at)
{
    return rec_int(at, "mode") >= 3;
}

static uint64_t count_cells(const rec_at *at)
{
    uint64_t side = (uint64_t)rec_int(at, "side");
    return side * side;
}

static int64_t init_reserved(const rec_at *at)
{
    return rec_int(at, "version") * 0x11;
}

static bool derive_items(const rec_at *at, int64_t *out)
{
    uint32_t slot = rec_slot_find(at->layout, "groups");
    rec_loc loc;
    *out = 0;
    if (rec_find(at, slot, &loc, NULL) != LATHE_OK)
        return false;
    for (uint64_t i = 0; i < loc.count; i++) {
        rec_at group;
        if (rec_sub(at, slot, i, &group, NULL) != LATHE_OK)
            return false;
        *out += rec_int(&group, "item_count");
    }
    return true;
}

static bool derive_text(const rec_at *at, int64_t *out)
{
    lathe_value v;
    if (rec_get(at, rec_slot_find(at->layout, "name"), false, &v, NULL) != LATHE_OK)
        return false;
    *out = (int64_t)v.as.s.n;
    return true;
}

static lathe_result get_summary(const rec_at *at, const rec_field *row, lathe_value *out,
                                lathe_error *err)
{
    char text[48];
    (void)row;
    int n = snprintf(text, sizeof text, "%lld groups", (long long)rec_int(at, "group_count"));
    return rec_text(at, text, (size_t)n, out, err);
}

static lathe_result get_twice(const rec_at *at, const rec_field *row, lathe_value *out,
                              lathe_error *err)
{
    (void)row;
    (void)err;
    out->kind = LATHE_KIND_INT;
    out->as.i = 2 * rec_int(at, "id");
    return LATHE_OK;
}

static lathe_result set_twice(const rec_at *at, const rec_field *row, const lathe_value *value,
                              lathe_error *err)
{
    lathe_value half = {.kind = LATHE_KIND_INT, .as.i = value->as.i / 2};
    if (value->kind != LATHE_KIND_INT || value->as.i % 2)
        return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                        LATHE_ERR_TYPE, "an even integer expected");
    return rec_set_name(at, "id", &half, err);
}

/* ---- types --------------------------------------------------------------------------------------- */

/* clang-format off */
static const rec_name colour_rows[] = {{"red", 0}, {"green", 1}, {"blue", 200}, {0}};
static const rec_names colours = {"colour", colour_rows};
static const rec_name bit_rows[] = {{"hot", 1}, {"wet", 2}, {"loud", 0x8000}, {0}};
static const rec_names bits = {"bit", bit_rows};

static const rec_field numbers_rows[] = {
    {.name = "u8", .kind = REC_U8, .doc = "8 bits."},
    {.name = "i8", .kind = REC_I8, .doc = "8 bits, signed."},
    {.name = "u16", .kind = REC_U16, .doc = "16 bits."},
    {.name = "i16", .kind = REC_I16, .doc = "16 bits, signed."},
    {.name = "u32", .kind = REC_U32, .doc = "32 bits."},
    {.name = "i32", .kind = REC_I32, .doc = "32 bits, signed."},
    {.name = "u64", .kind = REC_U64, .doc = "64 bits."},
    {.name = "i64", .kind = REC_I64, .doc = "64 bits, signed."},
    {.name = "f16", .kind = REC_F16, .doc = "A half."},
    {.name = "upper", .kind = REC_F16_UPPER, .doc = "The upper half of a float."},
    {.name = "f32", .kind = REC_F32, .unit = "m", .doc = "A float."},
    {.name = "f64", .kind = REC_F64, .doc = "A double.", .init = 0.5},
    {.name = "big_u16", .kind = REC_U16, .flags = REC_BIG, .doc = "Always big-endian."},
    {.name = "big_i32", .kind = REC_I32, .flags = REC_BIG, .doc = "Always big-endian."},
    {.name = "big_f64", .kind = REC_F64, .flags = REC_BIG, .doc = "Always big-endian."},
    {.name = "little_u16", .kind = REC_U16, .flags = REC_LITTLE, .doc = "Always little-endian."},
    {.name = "little_u64", .kind = REC_U64, .flags = REC_LITTLE, .doc = "Always little-endian."},
    {.name = "little_f16", .kind = REC_F16, .flags = REC_LITTLE, .doc = "Always little-endian."},
    {.name = "on", .kind = REC_U8, .shown = REC_BOOL, .doc = "Whether."},
    {.name = "colour", .kind = REC_U8, .shown = REC_ENUM, .names = &colours, .init = 1,
     .doc = "Which."},
    {.name = "bits", .kind = REC_U16, .shown = REC_FLAGS, .names = &bits, .doc = "Which ones."},
    {.name = "ranged", .kind = REC_I16, .range = {-10, 10}, .doc = "From -10 to 10."},
    {.name = "ratio", .kind = REC_F32, .range = {0, 1}, .doc = "From 0 to 1."},
    {.name = "wide", .kind = REC_U64, .range = {0, 1000}, .doc = "From 0 to 1000."},
    {.name = "packed", .kind = REC_U16, .codec = &packed, .doc = "Tenths, in 12 bits."},
};
static const rec_type numbers = {.name = "numbers", .doc = "All scalars.", REC_ROWS(numbers_rows)};

static const rec_field texts_rows[] = {
    {.name = "fixed", .kind = REC_STR, .size = 8, .doc = "8 bytes."},
    {.name = "s8", .kind = REC_STR, .prefix = 1, .doc = "u8 before it."},
    {.name = "i8", .kind = REC_STR, .prefix = -1, .doc = "i8 before it."},
    {.name = "s16", .kind = REC_STR, .prefix = 2, .doc = "u16 before it."},
    {.name = "i16", .kind = REC_STR, .prefix = -2, .doc = "i16 before it."},
    {.name = "s32", .kind = REC_STR, .prefix = 4, .init_bytes = "first", .doc = "u32 before it."},
    {.name = "i32", .kind = REC_STR, .prefix = -4, .doc = "i32 before it."},
    {.name = "s64", .kind = REC_STR, .prefix = 8, .doc = "u64 before it."},
    {.name = "i64", .kind = REC_STR, .prefix = -8, .doc = "i64 before it."},
    {.name = "zero", .kind = REC_STR, .doc = "Ended by a zero."},
    {.name = "line", .kind = REC_STR, .term = '\n', .limit = 20, .doc = "Ended by a line feed."},
    {.name = "short_text", .kind = REC_STR, .prefix = 4, .limit = 5, .doc = "At most 5 bytes."},
};
static const rec_type texts = {.name = "texts", .doc = "All strings.", REC_ROWS(texts_rows)};

static const rec_field point_rows[] = {
    {.name = "id", .kind = REC_U32, .doc = "Which."},
    {.name = "pos", .kind = REC_RECORD, .type = &rec_vec3, .unit = "m", .doc = "Where."},
    {.name = "weights", .kind = REC_U8, .n = 4, .doc = "Four of them."},
    {.name = "half", .kind = REC_F16, .doc = "A half."},
    {.name = "upper", .kind = REC_F16_UPPER, .doc = "An upper half."},
    {.name = "big", .kind = REC_I16, .flags = REC_BIG, .doc = "Big-endian."},
    {.name = "wide", .kind = REC_U64, .doc = "64 bits."},
    {.name = "ranged", .kind = REC_I16, .range = {-10, 10}, .doc = "From -10 to 10."},
    {.name = "colour", .kind = REC_U8, .shown = REC_ENUM, .names = &colours, .doc = "Which."},
    {.name = "locked", .kind = REC_U16, .flags = REC_READONLY, .why = "tests want one", .init = 7,
     .doc = "Not to be set."},
};
const rec_type made_up_point = {.name = "point", .doc = "Of one size.", REC_ROWS(point_rows)};

static const rec_field item_rows[] = {
    {.name = "id", .kind = REC_U16, .doc = "Which."},
    {.name = "text", .kind = REC_STR, .prefix = 2, .doc = "What."},
    {.name = "value_count", .kind = REC_U8, .doc = "Number of values."},
    {.name = "values", .kind = REC_I32, .by = "value_count", .max = 200, .doc = "Numbers."},
    {.name = "twice", .shown = REC_INTEGER, .get = get_twice, .set = set_twice,
     .doc = "Two times the id."},
};
static const rec_type item = {.name = "item", .doc = "Of any size.", REC_ROWS(item_rows)};

static const rec_field group_rows[] = {
    {.name = "id", .kind = REC_U32, .doc = "Which."},
    {.name = "name_size", .kind = REC_U8, .derive = derive_text, .doc = "Length of the name."},
    {.name = "name", .kind = REC_STR, .prefix = 1, .doc = "What."},
    {.name = "item_count", .kind = REC_I16, .doc = "Number of items."},
    {.name = "items", .kind = REC_RECORD, .type = &item, .by = "item_count", .doc = "Items."},
};
static const rec_type group = {.name = "group", .doc = "Of items.", REC_ROWS(group_rows)};

static const rec_field shared_rows[] = {
    {.name = "pair_count", .kind = REC_U8, .doc = "Number of all three."},
    {.name = "left", .kind = REC_U16, .by = "pair_count", .max = 6, .doc = "Numbers."},
    {.name = "between", .kind = REC_U8, .doc = "Something between."},
    {.name = "names", .kind = REC_STR, .prefix = 1, .by = "pair_count", .doc = "Texts."},
    {.name = "right", .kind = REC_RECORD, .type = &rec_vec2, .by = "pair_count", .doc = "Vectors."},
};
static const rec_type shared = {.name = "shared", .doc = "Arrays of one length.",
                                REC_ROWS(shared_rows)};

static const rec_field choice_rows[] = {
    {.name = "mode", .kind = REC_U8, .doc = "What there is."},
    {.name = "any", .kind = REC_U32, .when = "mode", .init = 9, .doc = "Unless mode is 0."},
    {.name = "two", .kind = REC_STR, .prefix = 1, .when = "mode", .when_eq = true, .when_value = 2,
     .init_bytes = "two", .doc = "Where mode is 2."},
    {.name = "extra", .kind = REC_RECORD, .type = &rec_quat, .when_fn = has_extra, .uses = "mode",
     .doc = "From mode 3 on."},
    {.name = "side", .kind = REC_U8, .doc = "Side of the square."},
    {.name = "cells", .kind = REC_F32, .count = count_cells, .uses = "side", .doc = "A square."},
    {.name = "tail", .kind = REC_U16, .init = 0xabcd, .doc = "Behind all that."},
};
static const rec_type choice = {.name = "choice", .doc = "Fields that come and go.",
                                REC_ROWS(choice_rows)};

static const rec_type tree;
static const rec_field tree_rows[] = {
    {.name = "value", .kind = REC_U8, .doc = "A number."},
    {.name = "child_count", .kind = REC_U8, .doc = "Number of children."},
    {.name = "children", .kind = REC_RECORD, .type = &tree, .by = "child_count", .doc = "Below."},
};
static const rec_type tree = {.name = "tree", .doc = "Holds its own kind.", REC_ROWS(tree_rows)};

static const rec_field root_rows[] = {
    {.name = "mark", .kind = REC_BYTES, .n = 4, .flags = REC_READONLY, .init_bytes = "NEST",
     .init_size = 4, .why = "it shows the format", .doc = "The letters NEST."},
    {.name = "version", .kind = REC_U16, .init = 2, .flags = REC_READONLY,
     .why = "the verb upgrade changes it", .doc = "2 or 3."},
    {.name = "old", .kind = REC_U16, .before = 3, .doc = "Until version 3."},
    {.name = "fresh", .kind = REC_U32, .since = 3, .init = 33, .doc = "Since version 3."},
    {.name = "pad", .kind = REC_BYTES, .n = 3, .flags = REC_PAD, .doc = "Padding."},
    {.name = "reserved", .kind = REC_U16, .flags = REC_PAD, .init_fn = init_reserved,
     .doc = "Version times 17."},
    {.name = "item_total", .kind = REC_U32, .derive = derive_items, .doc = "Items of all groups."},
    {.name = "numbers", .kind = REC_RECORD, .type = &numbers, .doc = "All scalars."},
    {.name = "texts", .kind = REC_RECORD, .type = &texts, .doc = "All strings."},
    {.name = "blob_size", .kind = REC_U16, .doc = "Length of blob."},
    {.name = "blob", .kind = REC_BYTES, .by = "blob_size", .doc = "Opaque."},
    {.name = "group_count", .kind = REC_U16, .doc = "Number of groups."},
    {.name = "groups", .kind = REC_RECORD, .type = &group, .by = "group_count", .max = 1000,
     .doc = "Groups of items."},
    {.name = "point_count", .kind = REC_U32, .doc = "Number of points."},
    {.name = "points", .kind = REC_RECORD, .type = &made_up_point, .by = "point_count",
     .doc = "Columns."},
    {.name = "three", .kind = REC_F32, .n = 3, .doc = "Three numbers."},
    {.name = "shared", .kind = REC_RECORD, .type = &shared, .doc = "Arrays of one length."},
    {.name = "choice", .kind = REC_RECORD, .type = &choice, .doc = "Fields that come and go."},
    {.name = "word_count", .kind = REC_I8, .doc = "Number of words."},
    {.name = "words", .kind = REC_STR, .term = ' ', .by = "word_count", .doc = "Words."},
    {.name = "tree", .kind = REC_RECORD, .type = &tree, .doc = "Nested as deep as you like."},
    {.name = "summary", .shown = REC_TEXT, .get = get_summary, .doc = "In words."},
    {.name = "rest", .kind = REC_U16, .flags = REC_REST, .doc = "Up to the end."},
};
static const rec_type root = {.name = "nested", .doc = "Everything in one part.",
                              REC_ROWS(root_rows)};
/* clang-format on */

/* ---- the formats ---------------------------------------------------------------------------------- */

static int sniff_order(const uint8_t *bytes, size_t n, bool big)
{
    if (n < 6 || memcmp(bytes, "NEST", 4) != 0)
        return REC_SNIFF_NO;
    uint16_t version = bytes_ld16(bytes + 4, big);
    return version == 2 || version == 3 ? REC_SNIFF_SURE : REC_SNIFF_NO;
}

static int sniff_little(const uint8_t *bytes, size_t n)
{
    return sniff_order(bytes, n, false);
}

static int sniff_big(const uint8_t *bytes, size_t n)
{
    return sniff_order(bytes, n, true);
}

static lathe_result open_nested(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at at = rec_root(doc, c);
    const rec_part *p = rec_part_of(doc, at.part);
    uint64_t size, have = p->size;
    rec_loc mark;
    lathe_result r = rec_find(&at, 0, &mark, err);
    if (r == LATHE_OK && memcmp(p->data, "NEST", 4) != 0)
        return rec_fail(&at, 0, 0, err, LATHE_ERR_FORMAT, "wrong mark");
    int64_t version = rec_int(&at, "version");
    if (r == LATHE_OK)
        r = rec_find(&at, 1, &mark, err);
    if (r == LATHE_OK && version != 2 && version != 3)
        return rec_fail(&at, 1, 4, err, LATHE_ERR_UNSUPPORTED,
                        "version %lld, only 2 and 3 are known", (long long)version);
    if (r == LATHE_OK)
        r = rec_set_version(doc, c, version, err);
    if (r == LATHE_OK)
        r = rec_measure(&at, &size, err);
    if (r == LATHE_OK && size != have)
        r = rec_fail(&at, REC_NO_SLOT, size, err, LATHE_ERR_INVALID, "%llu bytes after the end",
                     (unsigned long long)(have - size));
    return r;
}

/* From version 2 to 3: a field goes and another one comes. */
static lathe_result upgrade(lathe_view self, const lathe_source *args, lathe_report *report,
                            lathe_error *err)
{
    static const uint8_t fresh[4] = {0x21, 0x43, 0x65, 0x87};
    lathe_doc *doc = self.doc;
    rec_at at = rec_root(doc, 0);
    uint32_t version = rec_slot_find(at.layout, "version");
    uint32_t old = rec_slot_find(at.layout, "old");
    rec_loc loc;
    (void)args;
    lathe_result r = rec_find(&at, old, &loc, err);
    if (r != LATHE_OK || !loc.present)
        return r;
    rec_quiet(&at);
    r = rec_cut_bytes(doc, loc.part, loc.off, loc.size, fresh, sizeof fresh, LATHE_NO_OFFSET, err);
    if (r == LATHE_OK)
        r = rec_set_version(doc, 0, 3, err);
    if (r == LATHE_OK)
        r = rec_put_raw(&at, version, 0, 3, err);
    doc->quiet--;
    if (r == LATHE_OK && report)
        report->changed++;
    return r;
}

static const rec_verb verbs[] = {
    {.name = "upgrade", .doc = "From version 2 to 3.", .run = upgrade},
    {0},
};
static const char *const extensions[] = {"nested", NULL};
static const char *const games[] = {NULL};

const lathe_format made_up_nested = {
    .name = "nested",
    .doc = "Every word of the schema",
    .extensions = extensions,
    .games = games,
    .root = &root,
    .derives = true,
    .sniff = sniff_little,
    .open = open_nested,
    .verbs = verbs,
};
const lathe_format made_up_nested_big = {
    .name = "nested_big",
    .doc = "Every word of the schema, big-endian",
    .extensions = extensions,
    .games = games,
    .root = &root,
    .big = true,
    .derives = true,
    .sniff = sniff_big,
    .open = open_nested,
    .verbs = verbs,
};
