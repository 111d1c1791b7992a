/* Animations of Overgrowth: as documents, and through the verbs that change every frame. */
#include "fuzz_one.h"

/* What a verb leaves is a file that opens, or what there was. */
static void call(const uint8_t *data, size_t size, const char *verb, one what)
{
    lathe_options options = {.size = sizeof options, .format = "anm"};
    lathe_source args = source_of(&what);
    lathe_report report = {.size = sizeof report, .skipped = fuzz_skipped};
    lathe_doc *doc = NULL;
    lathe_error err;
    if (lathe_doc_parse(data, size, &options, &doc, &err) != LATHE_OK)
        return;
    fuzz_bytes before = fuzz_encode(doc);
    if (lathe_view_call(lathe_doc_root(doc), verb, &args, &report, &err) == LATHE_OK) {
        fuzz_reparse("anm", doc);
        free(before.p);
    } else {
        PROMISE(fuzz_still(doc, &before));
    }
    lathe_doc_close(doc);
}

/* So many frames a second that there are few, however long the clip says that it is. */
static double few(const uint8_t *data, size_t size)
{
    lathe_options options = {.size = sizeof options, .format = "anm"};
    lathe_doc *doc = NULL;
    lathe_value start = {.kind = LATHE_KIND_NONE}, end = start;
    if (lathe_doc_parse(data, size, &options, &doc, NULL) != LATHE_OK)
        return 1;
    PROMISE(lathe_view_get(lathe_doc_root(doc), "start", &start, NULL) == LATHE_OK);
    PROMISE(lathe_view_get(lathe_doc_root(doc), "length", &end, NULL) == LATHE_OK);
    int64_t ms = end.as.i - (start.kind == LATHE_KIND_INT ? start.as.i : 0);
    lathe_doc_close(doc);
    return 9000.0 / (double)(ms > 9 ? ms : 9);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_document("anm", data, size, false);
    for (int version = 0; version <= 11; version++)
        call(data, size, "set_version", (one){"version", version});
    call(data, size, "scale", (one){"factor", 2});
    call(data, size, "retime", (one){"speed", 0.5});
    call(data, size, "retime", (one){"fps", 30});
    call(data, size, "centre", (one){"", 0});
    call(data, size, "uncentre", (one){"", 0});
    call(data, size, "reverse", (one){"", 0});
    call(data, size, "trim", (one){"t0", 0.15});
    call(data, size, "resample", (one){"fps", few(data, size)});
    return 0;
}
