/* Edits of one format's own: what comes of them opens again, and undone they leave what was there. */
#ifndef LATHE_FUZZ_EDITS_H
#define LATHE_FUZZ_EDITS_H

#include "fuzz.h"

static void fuzz_edits(const char *format, const uint8_t *data, size_t size, int edits,
                       void (*edit)(fuzz_dice *d, lathe_doc *doc))
{
    lathe_options options = {.size = sizeof options, .format = format, .history = 64};
    lathe_doc *doc = NULL;
    lathe_error err;
    fuzz_dice d = fuzz_dice_of(data, size);
    if (lathe_doc_parse(data, size, &options, &doc, &err) != LATHE_OK)
        return;
    fuzz_bytes before = fuzz_encode(doc);
    for (int i = 0; i < edits; i++)
        edit(&d, doc);
    fuzz_reparse(format, doc);
    while (lathe_edit_undo(doc, 1))
        continue;
    PROMISE(fuzz_still(doc, &before));
    lathe_doc_close(doc);
}

#endif
