/* Skeletons: as documents, with the number of corners told, and through the verbs that change all of
 * them. */
#include "fuzz_one.h"

/* What a verb leaves is a file that opens, or what there was; undo brings that back. */
static void call(lathe_doc *doc, const char *verb, one what)
{
    lathe_source args = source_of(&what);
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
        lathe_source args = source_of(&what);
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
    lathe_source extra = source_of(&corners);
    fuzz_document("phxbn", data, size, false);
    verbs(data, size, NULL);
    verbs(data, size, &extra);
    return 0;
}
