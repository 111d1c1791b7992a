/* Callbacks of core/scene for the life of a document. The scene keeps edits of animations that are not encoded yet,
 * and caches. The engine knows neither, and calls these functions at the times described below. */
#ifndef LATHE_RECORD_UPPER_H
#define LATHE_RECORD_UPPER_H

#include "record/doc.h"

typedef struct rec_upper {
    /* A document is being opened or made with these options; its bytes are not read yet. */
    lathe_result (*begin)(lathe_doc *doc, const lathe_options *options, lathe_error *err);
    /* The outermost edit is about to end: writes the pending edits into the bytes. */
    lathe_result (*write)(lathe_doc *doc, lathe_report *report, lathe_error *err);
    /* Writes them while an edit is still open, and updates sizes and offsets: somebody is about to read the bytes. */
    lathe_result (*lay_out)(lathe_doc *doc, lathe_error *err);
    /* Undoes what an EDIT_UPPER entry of the journal recorded. */
    void (*revert)(lathe_doc *doc, const rec_edit *e, const uint8_t *data);
    /* Entries of the journal were undone: pending edits may have to be written again. */
    void (*stale)(lathe_doc *doc);
    /* The outermost edit has ended: drops what is pending, and removes EDIT_UPPER entries from the journal. */
    void (*over)(lathe_doc *doc);
    /* The document is closed. */
    void (*free)(lathe_doc *doc);
    /* What a view with REC_VIEW_UPPER is: "a skeleton". */
    const char *(*item)(const lathe_view *view);
} rec_upper;

extern const rec_upper rec_upper_floor; /* scene/state.c */

#endif
