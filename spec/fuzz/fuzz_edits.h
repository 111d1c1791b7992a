/* Edits of one format's own: what comes of them opens again, and undone they leave what was there. */
#ifndef LATHE_FUZZ_EDITS_H
#define LATHE_FUZZ_EDITS_H

#include "fuzz.h"

/* Edits a file as the dice say. */
static void fuzz_edits_by(fuzz_dice d, const char *format, const uint8_t *data, size_t size,
                          int edits, void (*edit)(fuzz_dice *d, lathe_doc *doc))
{
    lathe_options options = {.size = sizeof options, .format = format, .history = 64};
    lathe_doc *doc = NULL;
    lathe_error err;
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

/* The last bytes of the file are the dice. */
static inline void fuzz_edits(const char *format, const uint8_t *data, size_t size, int edits,
                              void (*edit)(fuzz_dice *d, lathe_doc *doc))
{
    fuzz_edits_by(fuzz_dice_of(data, size), format, data, size, edits, edit);
}

#endif
