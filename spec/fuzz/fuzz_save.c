/* Saved games, with edits by key, names in place of lists, other versions and other names. */
#include "fuzz_edits.h"

#include "record/record.h"

/* One argument for verbs and, as a map, a few names with the same text. */
typedef struct given {
    const char *names[4];
    size_t n;
    lathe_value version, text;
} given;

static bool given_get(void *user, const void *node, const char *name, uint64_t index,
                      lathe_value *leaf, const void **child)
{
    const given *g = user;
    (void)node, (void)index;
    *child = NULL;
    if (!name)
        return false;
    if (strcmp(name, "version") == 0)
        *leaf = g->version;
    else if (strcmp(name, "what") == 0)
        return false;
    else
        *leaf = g->text;
    return true;
}

static uint64_t given_count(void *user, const void *node)
{
    (void)user, (void)node;
    return 0;
}

static const char *given_name(void *user, const void *node, uint64_t i)
{
    const given *g = user;
    (void)node;
    return i < g->n ? g->names[i] : NULL;
}

/* Puts, finds or removes a key in an array of a level. */
static void by_key(fuzz_dice *d, lathe_doc *doc, lathe_view array, rec_key key)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    lathe_error err;
    rec_at at;
    uint32_t slot;
    uint64_t i = 0, before = lathe_view_count(array), repeats = 0;
    bool fresh = false, remove = fuzz_roll(d, 3) == 0;
    PROMISE(rec_enter(&array, &at, &slot, &err) == LATHE_OK);
    PROMISE(rec_begin(doc, &err) == LATHE_OK);
    lathe_result r = remove ? rec_key_remove(&at, slot, key, &err)
                            : rec_key_place(&at, slot, key, &i, &fresh, &err);
    r = rec_end(doc, r, &err);
    uint64_t now = lathe_view_count(array);
    if (r != LATHE_OK) {
        PROMISE(now == before);
        return;
    }
    PROMISE(rec_enter(&array, &at, &slot, &err) == LATHE_OK);
    PROMISE(rec_key_find(&at, slot, key, &i, &repeats, &err) == LATHE_OK);
    PROMISE(remove ? repeats == 0 && now <= before : repeats > 0 && now == before + fresh);
    r = lathe_view_key(array, key.p, key.n, &v, &err);
    PROMISE(r == LATHE_OK ? (v.kind == LATHE_KIND_NONE) == remove : r == LATHE_ERR_INVALID);
}

static void edit(fuzz_dice *d, lathe_doc *doc)
{
    static const char *const arrays[] = {"values", "arrays", "int32_values"};
    static const char *const texts[] = {"", "a", "b\0c", "\"]", "time", "append"};
    static const size_t sizes[] = {0, 1, 3, 2, 4, 6};
    uint32_t k = fuzz_roll(d, 6);
    given g = {.names = {"z", texts[1], "y", ""}, .n = fuzz_roll(d, 5)};
    g.version = (lathe_value){.kind = LATHE_KIND_INT, .as.i = 1 + 2 * (int64_t)fuzz_roll(d, 2)};
    g.text = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {texts[k], sizes[k]}};
    lathe_source source = {sizeof source, &g, given_get, given_count, given_name};
    lathe_report report = {.size = sizeof report, .skipped = fuzz_skipped};
    lathe_view root = lathe_doc_root(doc);
    lathe_value levels, level, array;
    lathe_error err;
    uint32_t what = fuzz_roll(d, 6);
    if (what == 0)
        lathe_view_call(root, "set_version", &source, &report, &err);
    if (what == 1)
        lathe_view_call(root, "rename", &source, &report, &err);
    if (what < 2 || lathe_view_get(root, "levels", &levels, &err) != LATHE_OK)
        return;
    if (what == 2) {
        by_key(d, doc, levels.as.v, (rec_key){texts[k], sizes[k]});
        return;
    }
    uint64_t n = lathe_view_count(levels.as.v);
    if (!n || lathe_view_item(levels.as.v, fuzz_roll(d, (uint32_t)n), &level, &err) != LATHE_OK ||
        lathe_view_get(level.as.v, arrays[fuzz_roll(d, 3)], &array, &err) != LATHE_OK ||
        array.kind != LATHE_KIND_ARRAY)
        return; /* version 1 has fewer */
    if (what == 3)
        lathe_view_build(array.as.v, &source, &err);
    else
        by_key(d, doc, array.as.v, (rec_key){texts[k], sizes[k]});
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_document("save", data, size, false);
    fuzz_edits("save", data, size, 12, edit);
    return 0;
}
