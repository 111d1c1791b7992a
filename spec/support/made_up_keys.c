/* Arrays with keys: the last one counts, the first one, or all of them joined; elements in line and in
 * parts. The parts begin with a field that version 1 does not have. */
#include "made_up.h"

static lathe_result begin_keys(lathe_doc *doc, uint32_t c, const rec_from *from, lathe_error *err)
{
    rec_at at = rec_root(doc, c);
    lathe_value leaf;
    const void *child;
    int64_t version = 2;
    if (rec_source_value(from, &at, 1, &leaf, &child) && leaf.kind == LATHE_KIND_INT)
        version = leaf.as.i;
    return rec_set_version(doc, c, version, err);
}

static lathe_result open_keys(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at at = rec_root(doc, c);
    uint32_t groups = rec_slot_find(at.layout, "groups");
    uint64_t end, size;
    rec_loc loc;
    lathe_result r = rec_find(&at, groups - 1, &loc, err);
    if (r == LATHE_OK && memcmp(rec_part_of(doc, at.part)->data, "KEYS", 4) != 0)
        r = rec_fail(&at, 0, 0, err, LATHE_ERR_FORMAT, "wrong mark");
    if (r == LATHE_OK)
        r = rec_set_version(doc, c, rec_int(&at, "version"), err);
    if (r != LATHE_OK)
        return r;
    size = loc.off + loc.size;
    r = rec_split_run(doc, at.part, size, groups, (uint64_t)rec_int(&at, "group_count"), &end, err);
    if (r == LATHE_OK && end != rec_part_of(doc, at.part)->size)
        r = rec_fail(&at, groups, end, err, LATHE_ERR_INVALID, "bytes behind the last group");
    rec_part_of(doc, at.part)->size = size;
    return r;
}

static int sniff_keys(const uint8_t *bytes, size_t n)
{
    return n >= 4 && memcmp(bytes, "KEYS", 4) == 0 ? REC_SNIFF_SURE : REC_SNIFF_NO;
}

static void note_dropped(void *user, const rec_at *at, uint32_t slot)
{
    lathe_report *report = user;
    char path[256];
    rec_path(at, slot, REC_NO_ITEM, path, sizeof path);
    if (report && report->skipped)
        report->skipped(report->user, path, "version 1 has none");
}

static lathe_result set_version(lathe_view self, const lathe_source *args, lathe_report *report,
                                lathe_error *err)
{
    rec_at root_at = rec_root(self.doc, 0);
    int64_t to = 0;
    rec_arg_integer(args, "version", &to);
    lathe_result r = rec_convert(self.doc, 0, to, note_dropped, report, err);
    return r == LATHE_OK ? rec_put_raw(&root_at, 1, 0, (uint64_t)to, err) : r;
}

static const rec_param version = {.name = "version",
                                  .doc = "1 or 2.",
                                  .kind = LATHE_PARAM_INTEGER,
                                  .positional = true,
                                  .needed = true};
static const rec_param *const version_params[] = {&version, NULL};
static const rec_verb verbs[] = {
    {.name = "set_version",
     .doc = "Another version.",
     .params = version_params,
     .run = set_version},
    {0},
};

static const char *const extensions[] = {"keys", NULL};
static const char *const games[] = {NULL};

const lathe_format made_up_keys = {
    .name = "keys",
    .doc = "Arrays with keys",
    .extensions = extensions,
    .games = games,
    .root = &made_up_keys_root,
    .sniff = sniff_keys,
    .begin = begin_keys,
    .open = open_keys,
    .verbs = verbs,
};
