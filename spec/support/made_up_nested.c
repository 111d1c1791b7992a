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

const rec_codec made_up_packed = {
    .kind = LATHE_KIND_REAL, .decode = packed_decode, .encode = packed_encode};

bool made_up_has_extra(const rec_at *at)
{
    return rec_int(at, "mode") >= 3;
}

uint64_t made_up_count_cells(const rec_at *at)
{
    uint64_t side = (uint64_t)rec_int(at, "side");
    return side * side;
}

int64_t made_up_init_reserved(const rec_at *at)
{
    return rec_int(at, "version") * 0x11;
}

bool made_up_derive_items(const rec_at *at, int64_t *out)
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

bool made_up_derive_text(const rec_at *at, int64_t *out)
{
    lathe_value v;
    if (rec_get(at, rec_slot_find(at->layout, "name"), false, &v, NULL) != LATHE_OK)
        return false;
    *out = (int64_t)v.as.s.n;
    return true;
}

lathe_result made_up_get_summary(const rec_at *at, const rec_field *row, lathe_value *out,
                                 lathe_error *err)
{
    char text[48];
    (void)row;
    int n = snprintf(text, sizeof text, "%lld groups", (long long)rec_int(at, "group_count"));
    return rec_text(at, text, (size_t)n, out, err);
}

lathe_result made_up_get_twice(const rec_at *at, const rec_field *row, lathe_value *out,
                               lathe_error *err)
{
    (void)row;
    (void)err;
    out->kind = LATHE_KIND_INT;
    out->as.i = 2 * rec_int(at, "id");
    return LATHE_OK;
}

lathe_result made_up_set_twice(const rec_at *at, const rec_field *row, const lathe_value *value,
                               lathe_error *err)
{
    lathe_value half = {.kind = LATHE_KIND_INT, .as.i = value->as.i / 2};
    if (value->kind != LATHE_KIND_INT || value->as.i % 2)
        return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                        LATHE_ERR_TYPE, "an even integer expected");
    return rec_set_name(at, "id", &half, err);
}

/* ---- types --------------------------------------------------------------------------------------- */

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
    rec_change_begin(&at);
    r = rec_cut_bytes(doc, loc.part, loc.off, loc.size, fresh, sizeof fresh, LATHE_NO_OFFSET, err);
    if (r == LATHE_OK)
        r = rec_set_version(doc, 0, 3, err);
    if (r == LATHE_OK)
        r = rec_put_raw(&at, version, 0, 3, err);
    doc->changing--;
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
    .root = &made_up_nested_root,
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
    .root = &made_up_nested_root,
    .big = true,
    .derives = true,
    .sniff = sniff_big,
    .open = open_nested,
    .verbs = verbs,
};
