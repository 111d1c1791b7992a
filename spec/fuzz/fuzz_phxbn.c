/* Skeletons: as documents, with the number of corners told, and through the verbs that change all of
 * them. */
#include "fuzz.h"

typedef struct one { /* a source of one number */
    const char *name;
    double number;
} one;

static bool get_one(void *user, const void *node, const char *name, uint64_t i, lathe_value *leaf,
                    const void **child)
{
    const one *o = user;
    (void)node;
    (void)i;
    *child = NULL;
    if (!name || strcmp(name, o->name) != 0)
        return false;
    *leaf = (lathe_value){.kind = LATHE_KIND_REAL, .as.f = o->number};
    return true;
}

static uint64_t count_one(void *user, const void *node)
{
    (void)user;
    (void)node;
    return 0;
}

/* What a verb leaves is a file that opens, or what there was; undo brings that back. */
static void call(lathe_doc *doc, const char *verb, one what)
{
    lathe_source args = {.size = sizeof args, .user = &what, .get = get_one, .count = count_one};
    lathe_report report = {.size = sizeof report, .skipped = fuzz_skipped};
    lathe_error err;
    fuzz_bytes before = fuzz_encode(doc);
    if (lathe_view_call(lathe_doc_root(doc), verb, &args, &report, &err) == LATHE_OK) {
        fuzz_reparse("phxbn", doc);
        lathe_edit_undo(doc, 1);
    }
    PROMISE(fuzz_still(doc, &before));
}

static void verbs(const uint8_t *data, size_t size, const lathe_source *extra)
{
    lathe_options options = {
        .size = sizeof options, .format = "phxbn", .history = 4, .extra = extra};
    lathe_doc *doc = NULL;
    lathe_error err;
    if (lathe_doc_parse(data, size, &options, &doc, &err) != LATHE_OK)
        return;
    fuzz_bytes before = fuzz_encode(doc);
    for (int version = 5; version <= 11; version++)
        call(doc, "set_version", (one){"version", version});
    call(doc, "scale", (one){"factor", 2});
    for (int version = 5; version <= 11; version += 3) { /* one after the other */
        one what = {"version", version};
        lathe_source args = {
            .size = sizeof args, .user = &what, .get = get_one, .count = count_one};
        if (lathe_view_call(lathe_doc_root(doc), "set_version", &args, NULL, &err) == LATHE_OK)
            fuzz_reparse("phxbn", doc);
    }
    while (lathe_edit_undo(doc, 1))
        ;
    PROMISE(fuzz_still(doc, &before));
    lathe_doc_close(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    one corners = {"num_vertices", size ? data[size - 1] % 8 : 0};
    lathe_source extra = {
        .size = sizeof extra, .user = &corners, .get = get_one, .count = count_one};
    fuzz_document("phxbn", data, size, false);
    verbs(data, size, NULL);
    verbs(data, size, &extra);
    return 0;
}
