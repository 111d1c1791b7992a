/* PHXSAVE (.sav, .sav3): saved games of Overgrowth. Reference: formats/wolfire.md#5. */
#include "wolfire/save.h"

#define MARK "Overgrowth Save"
enum {
    MARK_SIZE = sizeof MARK - 1,
    HEAD = MARK_SIZE + 4,
    LEAST_OLD = 20, /* bytes of a level that holds nothing */
    LEAST = 28
};

/* clang-format off */
static const rec_field value_rows[] = {
    {.name = "key", .kind = REC_STR, .prefix = 2, .doc = "What scripts ask for."},
    {.name = "value", .kind = REC_STR, .prefix = 2,
     .doc = "Text; also numbers (\"12.375\"), booleans (\"true\") and JSON are written as text."},
};
static const rec_type save_value = {.name = "save_value", .doc = "A saved value.",
                                    REC_ROWS(value_rows)};

static const rec_field array_rows[] = {
    {.name = "key", .kind = REC_STR, .prefix = 2, .doc = "What scripts ask for."},
    {.name = "num_values", .kind = REC_U16, .doc = "Number of texts."},
    {.name = "values", .kind = REC_STR, .prefix = 2, .by = "num_values",
     .doc = "Texts. The game drops an array that has none."},
};
static const rec_type save_array = {.name = "save_array", .doc = "A saved list of texts.",
                                    REC_ROWS(array_rows)};

static const rec_field int32_rows[] = {
    {.name = "key", .kind = REC_STR, .prefix = 2, .doc = "What scripts ask for."},
    {.name = "value", .kind = REC_I32, .doc = "A number."},
};
static const rec_type save_int32 = {.name = "save_int32", .doc = "A saved number.",
                                    REC_ROWS(int32_rows)};

static const rec_field level_rows[] = {
    {.name = "campaign_id", .kind = REC_STR, .prefix = 2, .since = 3,
     .doc = "The campaign or mod, or nothing."},
    {.name = "save_category", .kind = REC_STR, .prefix = 2, .since = 3,
     .doc = "\"global\", \"linear_campaign\", \"challenge_level\" …, or nothing."},
    {.name = "save_name", .original = "name in version 1", .kind = REC_STR, .prefix = 2,
     .doc = "The level, or nothing."},
    {.name = "md5", .kind = REC_BYTES, .n = 16,
     .doc = "Meant for the level's MD5. The game ignores it and writes whatever lies in its memory."},
    {.name = "value_count", .kind = REC_U16, .doc = "Number of values."},
    {.name = "values", .kind = REC_RECORD, .type = &save_value, .by = "value_count", .key = "key",
     .value = "value", .doc = "Texts by key; of a repeated key the last counts."},
    {.name = "array_count", .kind = REC_U16, .since = 3, .doc = "Number of arrays."},
    {.name = "arrays", .kind = REC_RECORD, .type = &save_array, .by = "array_count", .since = 3,
     .key = "key", .value = "values", .flags = REC_MERGED,
     .doc = "Lists of texts by key; those of a repeated key are joined."},
    {.name = "int_count", .kind = REC_U16, .since = 3, .doc = "Number of int32 values."},
    {.name = "int32_values", .kind = REC_RECORD, .type = &save_int32, .by = "int_count",
     .since = 3, .key = "key", .value = "value",
     .doc = "Numbers by key; of a repeated key the last counts."},
};
static const rec_type save_level = {.name = "save_level", .doc = "What was saved for one level.",
                                    REC_ROWS(level_rows)};

static const rec_field save_rows[] = {
    {.name = "marker", .kind = REC_BYTES, .n = MARK_SIZE, .flags = REC_READONLY,
     .init_bytes = MARK, .init_size = MARK_SIZE, .why = "the game refuses any other",
     .doc = "The letters \"Overgrowth Save\"."},
    {.name = "version", .kind = REC_U16, .init = SAVE_NEWEST, .flags = REC_READONLY,
     .why = "doc:set_version(n) changes it", .doc = "1 or 3; the game as published reads 3 alone."},
    {.name = "level_count", .kind = REC_U16, .doc = "Number of levels."},
    {.name = "levels", .kind = REC_RECORD, .type = &save_level, .by = "level_count",
     .flags = REC_PART | REC_FIRST, .key = "save_name",
     .doc = "The levels. The game knows each by campaign, category and name, and takes the first."},
    {.name = "trailing", .kind = REC_BYTES, .flags = REC_PART | REC_REST | REC_PAD,
     .doc = "Bytes behind the last level, which the game ignores. Kept."},
};
static const rec_type save_root = {.name = "save", .doc = "A saved game.", REC_ROWS(save_rows)};
/* clang-format on */

/* ---- places -------------------------------------------------------------------------------------- */

lathe_result save_level_at(lathe_doc *doc, uint64_t i, rec_at *level, lathe_error *err)
{
    rec_at root = rec_root(doc, 0);
    return rec_sub(&root, rec_slot_find(root.layout, "levels"), i, level, err);
}

uint64_t save_levels(lathe_doc *doc)
{
    rec_at root = rec_root(doc, 0);
    return (uint64_t)rec_int(&root, "level_count");
}

uint64_t save_count(const rec_at *level, uint32_t slot)
{
    rec_loc loc;
    return rec_find(level, slot, &loc, NULL) == LATHE_OK && loc.present ? loc.count : 0;
}

lathe_result save_element(const rec_at *level, uint32_t slot, uint64_t i, rec_at *element,
                          rec_key *key, lathe_error *err)
{
    lathe_value v;
    lathe_result r = rec_sub(level, slot, i, element, err);
    if (r == LATHE_OK)
        r = rec_get(element, level->layout->slots[slot].key, true, &v, err);
    if (r == LATHE_OK)
        *key = (rec_key){v.as.s.p, v.as.s.n};
    return r;
}

/* ---- opening ------------------------------------------------------------------------------------- */

lathe_result save_check_version(const rec_at *root, int64_t version, lathe_error *err)
{
    uint32_t slot = rec_slot_find(root->layout, "version");
    if (version == SAVE_OLD || version == SAVE_NEWEST)
        return LATHE_OK;
    if (version == 0)
        return rec_fail(root, slot, MARK_SIZE, err, LATHE_ERR_UNSUPPORTED,
                        "version 0: nothing writes it, though the game would read it as version 3");
    if (version == 2)
        return rec_fail(root, slot, MARK_SIZE, err, LATHE_ERR_UNSUPPORTED,
                        "version 2: its layout is unknown");
    return rec_fail(root, slot, MARK_SIZE, err, LATHE_ERR_UNSUPPORTED,
                    version > SAVE_NEWEST ? "version %lld: newer than %d, the newest that is known"
                                          : "version %lld: only 1 and %d are known",
                    (long long)version, SAVE_NEWEST);
}

/* Nothing is made for a count that cannot be. */
static lathe_result check_count(const rec_at *root, lathe_error *err)
{
    const rec_part *p = rec_part_of(root->doc, root->part);
    uint64_t n = (uint64_t)rec_int(root, "level_count"), left = p->size - HEAD;
    unsigned least = rec_int(root, "version") < SAVE_NEWEST ? LEAST_OLD : LEAST;
    if (n <= left / least)
        return LATHE_OK;
    return rec_fail(root, rec_slot_find(root->layout, "level_count"), HEAD - 2, err,
                    LATHE_ERR_BOUNDS,
                    "truncated: %llu levels of at least %u bytes do not fit into %llu bytes",
                    (unsigned long long)n, least, (unsigned long long)left);
}

static lathe_result check_head(const rec_at *root, lathe_error *err)
{
    const rec_part *p = rec_part_of(root->doc, root->part);
    if (p->size < MARK_SIZE)
        return rec_fail(root, REC_NO_SLOT, p->size, err, LATHE_ERR_BOUNDS,
                        "truncated: %llu bytes, at least %d needed", (unsigned long long)p->size,
                        HEAD);
    if (memcmp(p->data, MARK, MARK_SIZE) != 0)
        return rec_fail(root, 0, 0, err, LATHE_ERR_FORMAT, "wrong marker");
    if (p->size < HEAD)
        return rec_fail(root, REC_NO_SLOT, p->size, err, LATHE_ERR_BOUNDS,
                        "truncated: %llu bytes, at least %d needed", (unsigned long long)p->size,
                        HEAD);
    lathe_result r = save_check_version(root, rec_int(root, "version"), err);
    return r == LATHE_OK ? check_count(root, err) : r;
}

static lathe_result open_save(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    uint64_t end;
    lathe_result r = check_head(&root, err);
    if (r == LATHE_OK)
        r = rec_set_version(doc, c, rec_int(&root, "version"), err);
    if (r == LATHE_OK)
        r = rec_split_run(doc, root.part, HEAD, rec_slot_find(root.layout, "levels"),
                          (uint64_t)rec_int(&root, "level_count"), &end, err);
    return r == LATHE_OK ? rec_split_tail(doc, root.part, HEAD, end,
                                          rec_slot_find(root.layout, "trailing"), err)
                         : r;
}

static lathe_result begin_save(lathe_doc *doc, uint32_t c, const rec_from *from, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    int64_t version = SAVE_NEWEST;
    wolfire_given_version(from, &root, &version);
    lathe_result r = save_check_version(&root, version, err);
    return r == LATHE_OK ? rec_set_version(doc, c, version, err) : r;
}

static int sniff_save(const uint8_t *bytes, size_t n)
{
    return n >= MARK_SIZE && memcmp(bytes, MARK, MARK_SIZE) == 0 ? REC_SNIFF_SURE : REC_SNIFF_NO;
}

static const char *game_save(const lathe_doc *doc)
{
    (void)doc;
    return "Overgrowth";
}

static const char *const extensions[] = {"sav", "sav2", "sav3", NULL};
static const char *const games[] = {"Overgrowth", NULL};

const lathe_format format_save = {
    .name = "save",
    .doc = "Overgrowth saved game",
    .extensions = extensions,
    .games = games,
    .root = &save_root,
    .sniff = sniff_save,
    .open = open_save,
    .begin = begin_save,
    .check = save_check,
    .game = game_save,
    .verbs = save_verbs,
};
