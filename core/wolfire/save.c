/* PHXSAVE (.sav, .sav3): saved games of Overgrowth. Reference: formats/wolfire.md#5. */
#include "wolfire/save.h"

#define MARK "Overgrowth Save"
enum {
    MARK_SIZE = sizeof MARK - 1,
    HEAD = MARK_SIZE + 4,
    LEAST_OLD = 20, /* minimum size of a level */
    LEAST = 28
};

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

/* Fails for a number of levels that cannot fit into the file, before anything is allocated for it. */
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
