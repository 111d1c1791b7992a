/* The format words: what the others have no example of. Parallel arrays as a group, a count that old
 * files do not store, records seen as something else, parts that follow from a walk, bytes in a part. */
#include "made_up.h"

#include "record/types.h"

#include <math.h>

/* ---- a count that version 1 does not store -------------------------------------------------------- */

static int64_t param_of(const rec_at *at)
{
    return at->doc->containers[at->layout->container].param;
}

lathe_result made_up_get_corners(const rec_at *at, const rec_field *row, lathe_value *out,
                                 lathe_error *err)
{
    (void)row;
    (void)err;
    *out = (lathe_value){.kind = LATHE_KIND_INT, .as.i = param_of(at) & 0xffff};
    return LATHE_OK;
}

lathe_result made_up_set_corners(const rec_at *at, const rec_field *row, const lathe_value *value,
                                 lathe_error *err)
{
    (void)row;
    return rec_set_param(at->doc, at->layout->container,
                         (param_of(at) & ~(int64_t)0xffff) | value->as.i, err);
}

/* A number that is kept beside it. */
lathe_result made_up_get_mood(const rec_at *at, const rec_field *row, lathe_value *out,
                              lathe_error *err)
{
    (void)row;
    (void)err;
    *out = (lathe_value){.kind = LATHE_KIND_INT, .as.i = param_of(at) >> 16};
    return LATHE_OK;
}

lathe_result made_up_set_mood(const rec_at *at, const rec_field *row, const lathe_value *value,
                              lathe_error *err)
{
    (void)row;
    return rec_set_param(at->doc, at->layout->container,
                         (param_of(at) & 0xffff) | value->as.i << 16, err);
}

/* ---- parents are numbers of bones ----------------------------------------------------------------- */

lathe_result made_up_renumber_bones(const rec_at *at, const rec_field *row, uint64_t i,
                                    uint64_t removed, uint64_t inserted, lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, "parents");
    rec_loc loc;
    lathe_result r = rec_find(at, slot, &loc, err);
    (void)row;
    for (uint64_t k = 0; r == LATHE_OK && k < loc.count; k++) {
        lathe_value v;
        r = rec_get_item(at, slot, k, false, &v, err);
        if (r != LATHE_OK || v.as.i < (int64_t)i)
            continue;
        v.as.i =
            (uint64_t)v.as.i < i + removed ? -1 : v.as.i + (int64_t)inserted - (int64_t)removed;
        r = rec_set_item(at, slot, k, &v, err);
    }
    return r;
}

/* ---- a number that no file could be read back with --------------------------------------------------- */

lathe_result made_up_may_be_time(const rec_at *at, const rec_field *row, int64_t value,
                                 lathe_error *err)
{
    return value != 0xCAFE ? LATHE_OK
                           : rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off,
                                      err, LATHE_ERR_RANGE, "would be read as something else");
}

/* ---- a vector as length and angle ----------------------------------------------------------------- */

lathe_result made_up_load_polar(const rec_at *at, double *lanes, lathe_error *err)
{
    const rec_part *p = rec_part_of(at->doc, at->part);
    if (p->size < 8 || at->off > p->size - 8)
        return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_BOUNDS, "no room");
    double x = bytes_f32_widen(bytes_ld32(p->data + at->off, false));
    double y = bytes_f32_widen(bytes_ld32(p->data + at->off + 4, false));
    lanes[0] = sqrt(x * x + y * y);
    lanes[1] = atan2(y, x);
    return LATHE_OK;
}

lathe_result made_up_store_polar(const rec_at *at, const double *lanes, lathe_error *err)
{
    uint8_t bytes[8];
    if (lanes[0] < 0)
        return rec_fail(at, 0, at->off, err, LATHE_ERR_RANGE, "a length is not negative");
    bytes_st32(bytes, bytes_f32_narrow(lanes[0] * cos(lanes[1])), false);
    bytes_st32(bytes + 4, bytes_f32_narrow(lanes[0] * sin(lanes[1])), false);
    return rec_splice(at->doc, at->part, at->off, 8, bytes, 8, err);
}

/* ---- a total, and a number that old versions keep elsewhere --------------------------------------- */

/* Bytes of text in a frame. */
bool made_up_word_weight(const rec_at *at, int64_t *out)
{
    rec_loc loc;
    uint32_t name = rec_slot_find(at->layout, "name"), tags = rec_slot_find(at->layout, "tags");
    if (rec_find(at, name, &loc, NULL) != LATHE_OK)
        return false;
    *out = (int64_t)loc.count;
    for (uint64_t i = 0; i < 2; i++) {
        rec_at tag;
        if (rec_sub(at, tags, i, &tag, NULL) != LATHE_OK ||
            rec_find(&tag, rec_slot_find(tag.layout, "text"), &loc, NULL) != LATHE_OK)
            return false;
        *out += loc.present ? (int64_t)loc.count : 0;
    }
    return true;
}

static lathe_result begin_words(lathe_doc *doc, uint32_t c, const rec_from *from, lathe_error *err)
{
    rec_at at = rec_root(doc, c);
    lathe_value leaf;
    const void *child;
    int64_t version = 2;
    if (rec_source_value(from, &at, rec_slot_find(at.layout, "version"), &leaf, &child) &&
        leaf.kind == LATHE_KIND_INT)
        version = leaf.as.i;
    return rec_set_version(doc, c, version, err);
}

/* In version 1 corners go on as long as their highest bit is set. */
static int64_t solve(const rec_at *at)
{
    rec_loc loc;
    const rec_part *p = rec_part_of(at->doc, at->part);
    int64_t n = 0;
    if (at->doc->param)
        return *at->doc->param;
    if (rec_int(at, "version") < 2 &&
        rec_find(at, rec_slot_find(at->layout, "corners"), &loc, NULL) == LATHE_OK)
        while (loc.off + (uint64_t)n < p->size && p->data[loc.off + (uint64_t)n] & 0x80)
            n++;
    return n;
}

static lathe_result open_words(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at at = rec_root(doc, c);
    uint64_t end, size;
    rec_loc loc;
    lathe_result r = rec_find(&at, 1, &loc, err);
    if (r == LATHE_OK && memcmp(rec_part_of(doc, at.part)->data, "WRDS", 4) != 0)
        r = rec_fail(&at, 0, 0, err, LATHE_ERR_FORMAT, "wrong mark");
    if (r == LATHE_OK)
        r = rec_set_version(doc, c, rec_int(&at, "version"), err);
    if (r == LATHE_OK && rec_int(&at, "version") < 4)
        r = rec_set_param(doc, c, solve(&at), err);
    if (r == LATHE_OK)
        r = rec_find(&at, rec_slot_find(at.layout, "frame_count"), &loc, err);
    if (r != LATHE_OK)
        return r;
    size = loc.off + loc.size;
    r = rec_split_run(doc, at.part, size, rec_slot_find(at.layout, "frames"),
                      (uint64_t)rec_int(&at, "frame_count"), &end, err);
    return r == LATHE_OK
               ? rec_split_tail(doc, at.part, size, end, rec_slot_find(at.layout, "trailing"), err)
               : r;
}

static int sniff_words(const uint8_t *bytes, size_t n)
{
    return n >= 4 && memcmp(bytes, "WRDS", 4) == 0 ? REC_SNIFF_SURE : REC_SNIFF_NO;
}

static void note_dropped(void *user, const rec_at *at, uint32_t slot)
{
    lathe_report *report = user;
    char path[64];
    rec_path(at, slot, REC_NO_ITEM, path, sizeof path);
    if (report && report->skipped)
        report->skipped(report->user, path, "dropped");
}

static lathe_result set_version(lathe_view self, const lathe_source *args, lathe_report *report,
                                lathe_error *err)
{
    int64_t to = 0;
    rec_at at = rec_root(self.doc, 0);
    rec_arg_integer(args, "version", &to);
    if (to < 1 || to > 5)
        return rec_fail(&at, 1, 0, err, LATHE_ERR_RANGE, "a version from 1 to 5 expected");
    lathe_result r = rec_convert(self.doc, 0, to, note_dropped, report, err);
    return r == LATHE_OK ? rec_put_raw(&at, 1, 0, (uint64_t)to, err) : r;
}

static const rec_param version = {.name = "version",
                                  .doc = "1 to 5.",
                                  .kind = LATHE_PARAM_INTEGER,
                                  .positional = true,
                                  .needed = true};
static const rec_param *const version_params[] = {&version, NULL};
static const rec_verb verbs[] = {
    {.name = "set_version", .doc = "To another one.", .params = version_params, .run = set_version},
    {0},
};
static const char *const extensions[] = {"words", NULL};
static const char *const games[] = {NULL};

const lathe_format made_up_words = {
    .name = "words",
    .doc = "More words of the schema",
    .extensions = extensions,
    .games = games,
    .root = &made_up_words_root,
    .derives = true,
    .sniff = sniff_words,
    .begin = begin_words,
    .open = open_words,
    .verbs = verbs,
};
